"""Line items from tables of every format, and lists below a label."""

from __future__ import annotations

import time
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paxman
from paxman.documents.reading import read_document
from paxman.transforms import run

COLUMNS = [
    {"name": "description", "type": "STRING", "required": True},
    {"name": "quantity", "type": "DECIMAL", "required": True},
    {"name": "unit_price", "type": "DECIMAL", "required": False},
    {"name": "line_total", "type": "DECIMAL", "required": False},
]


def contract(*fields: dict[str, Any]) -> dict[str, Any]:
    return {"id": "invoice", "version": "1", "fields": list(fields)}


ITEMS = contract({"name": "items", "type": "ARRAY", "required": False, "items": {"fields": COLUMNS}})
PARTS = contract({"name": "parts", "type": "ARRAY", "required": False, "labels": ["Parts"]})


def rows(text: str, wanted: dict[str, Any] = ITEMS) -> list[Any]:
    """Rows as tuples in the order of the columns."""
    found = paxman.normalize(text, wanted).normalized_data.get("items", [])
    names = [column["name"] for column in wanted["fields"][0]["items"]["fields"]]
    return [tuple(str(row[name]) if row.get(name) is not None else None for name in names) for row in found]


def rejected(text: str, wanted: dict[str, Any] = ITEMS) -> list[str]:
    notes = paxman.normalize(text, wanted)["items"].diagnostics
    return [note.message for note in notes if note.code == "ROW_REJECTED"]


ENGLISH = """Invoice 17

Description              Hours     Rate      Amount
Design of the front       10.0    90.00      900.00
Review of texts and        2.5    90.00      225.00
pictures
Carried forward                             1125.00
                                        Page 1 of 2
\fInvoice 17
Description              Hours     Rate      Amount
Brought forward                             1125.00
Deployment                 4.0    80.00      320.00

Total                                       1445.00
Design                     1.0     1.00        1.00
"""


def test_a_table_goes_on_over_pages_and_ends_at_its_total() -> None:
    assert rows(ENGLISH) == [
        ("Design of the front", "10.0", "90.00", "900.00"),
        ("Review of texts and pictures", "2.5", "90.00", "225.00"),
        ("Deployment", "4.0", "80.00", "320.00"),
    ]


@pytest.mark.parametrize(
    ("headings", "line"),
    [
        (
            "Menge  Bezeichnung              Einzelpreis    Gesamt",
            "    2  Holzstuhl                      35,00     70,00",
        ),
        (
            "Désignation            Qté     Prix unitaire     Montant HT",
            "Chaise                   2             35,00       70,00",
        ),
        ("Cantidad   Descripción        Precio     Importe", "   2       Silla               35,00       70,00"),
        (
            "Omschrijving         Aantal    Prijs per stuk    Prijs incl. BTW",
            "Stoel                     2           € 35,00            € 70,00",
        ),
        ("Artikelbeschreibung    Menge  MwSt-% Nettowert", "Stuhl                      2    19,0     70,00"),
    ],
)
def test_headings_in_many_languages(headings: str, line: str) -> None:
    [(_, quantity, price, total)] = rows(f"{headings}\n{line}\n")
    assert (quantity, total) == ("2", "70.00")
    assert price in ("35.00", None)


def test_headings_over_several_lines() -> None:
    text = """
                                             Prix                   Price w/o
  Description                     Quantité            Rem.
                                             unitaire                  Tax
Nougat 250g                         20 Unit(s)   4,55 €     10%      81,90 €
Huile d'olive                       25 Liter(s) 19,80 €             495,00 €
"""
    assert rows(text) == [
        ("Nougat 250g", "20", "4.55", "81.90"),
        ("Huile d'olive", "25", "19.80", "495.00"),
    ]


def test_a_description_below_the_numbers_of_its_row() -> None:
    text = """
GTIN            Art-Nr-Lieferant        Menge      Nettopreis    Nettowert
Art-Nr-Kunde    Artikelbezeichnung

4123456000014   WA997               10,00 kWh          0,05          0,50

                Wirkarbeit HT
                Liefer-Datum: 01.09.2013

4123456000021   KOP5                 5,00 Stk          2,00         10,00
                Kopierpapier A4
"""
    assert rows(text) == [("Wirkarbeit HT", "10.00", "0.05", "0.50"), ("Kopierpapier A4", "5.00", "2.00", "10.00")]


def test_a_total_that_is_set_lower_and_a_text_around_its_row() -> None:
    text = """
Pos    Description                     Unit price      Qty    Amount

1      Support contract                    800.00      1 pc
       4012345001235                                             800.00

       Annual insurance
2      for servers in Berlin                50.00      2        100.00
       and Hamburg
"""
    assert rows(text) == [
        ("Support contract", "1", "800.00", "800.00"),
        ("Annual insurance for servers in Berlin and Hamburg", "2", "50.00", "100.00"),
    ]


def test_arithmetic_finds_a_price_whose_heading_says_nothing() -> None:
    text = """
Description      Qty     Foo       Bar     Amount
Pen               10    1.20      0.30      12.00
Paper              2    5.00      0.10      10.00
"""
    assert rows(text) == [("Pen", "10", "1.20", "12.00"), ("Paper", "2", "5.00", "10.00")]


def test_rows_that_contradict_their_own_arithmetic_are_not_trusted() -> None:
    agree = "Description     Qty    Price    Amount\nPen              10     1.20     12.00\nInk   2   3.00   6.00\n"
    differ = agree.replace("12.00", "99.00").replace("6.00", "8.00")
    bands = [paxman.normalize(text, ITEMS)["items"].confidence_band.value for text in (agree, differ)]
    assert bands == ["CERTAIN", "MEDIUM"]


def test_rows_in_are_rows_out_plus_rows_rejected() -> None:
    text = """
Description            Qty      Price     Amount
Chair                    2      35.00      70.00
  with cushion           2
Table                    1     120.00     120.00
Subtotal                 3                190.00
Lamp                     1      10.00      10.00
"""
    assert [row[0] for row in rows(text)] == ["Chair", "Table", "Lamp"]
    assert rejected(text) == [
        "row 2 was left out: no price or total beside the quantity",
        "row 4 was left out: a subtotal, not an item",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "| Item | Qty | Price | Amount |\n|---|---|---|---|\n| Pen | 10 | 1.20 | 12.00 |\n| Ink | 2 | 5.00 | 10.00 |\n",
        "Item\tQty\tPrice\tAmount\nPen\t10\t1.20\t12.00\nInk\t2\t5.00\t10.00\n",
        "<table><tr><th>Item description</th><th>Quantity</th><th>Unit price (EUR)</th><th>Net amount</th></tr>"
        "<tr><td>Pen</td><td>10</td><td>1.20</td><td>12.00</td></tr>"
        "<tr><td>Ink</td><td>2</td><td>5.00</td><td>10.00</td></tr>"
        "<tr><td>Total</td><td></td><td></td><td>22.00</td></tr></table>",
        "Item description,Qty ordered,Price each,Amount (net)\nPen,10,1.20,12.00\nInk,2,5.00,10.00\n",
    ],
)
def test_the_same_rows_from_every_format(text: str) -> None:
    assert rows(text) == [("Pen", "10", "1.20", "12.00"), ("Ink", "2", "5.00", "10.00")]


@pytest.mark.parametrize(
    "text",
    [
        "Dear Sir,\nplease find the description, quantity and price below.\nRegards",
        "Tax        Base      Amount\nVAT 19%   100.00      19.00\n",
        "Description      Due date     Instalment\nPayable in 30 days   2024-01-01\n",
        "Description     Qty    Price    Amount\n\nnothing was bought\n",
    ],
)
def test_what_is_no_table_of_items_gives_none(text: str) -> None:
    assert rows(text) == []


def test_every_cell_is_grounded() -> None:
    document = read_document(ENGLISH.encode())
    result = paxman.normalize(ENGLISH, ITEMS)["items"]
    cells = {f"items[{number}].{name}": value for number, row in enumerate(result.value) for name, value in row.items()}
    found = {ref.field_path: run(ref.transforms, document.text[slice(*ref.span)]) for ref in result.evidence_refs}
    assert (len(cells), found) == (12, cells)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["Blue pen", "Paper A4", "Desk, oak", "Total care kit", "Cable 3 m"]),
            st.integers(1, 999),
            st.integers(1, 99_999),
        ),
        min_size=1,
        max_size=8,
    ),
    st.integers(2, 9),
)
@settings(max_examples=40, deadline=None)
def test_what_was_laid_out_is_read_back(items: list[tuple[str, int, int]], gap: int) -> None:
    space = " " * gap
    lines = [f"{'Description':20}{space}{'Qty':>6}{space}{'Price':>12}{space}{'Amount':>14}"]
    expected = []
    for name, quantity, cents in items:
        price, total = Decimal(cents) / 100, Decimal(cents * quantity) / 100
        lines.append(f"{name:20}{space}{quantity:>6}{space}{price:>12.2f}{space}{total:>14.2f}")
        expected.append((name, str(quantity), f"{price:.2f}", f"{total:.2f}"))
    assert rows("\n".join(lines)) == expected


@given(st.text(alphabet="Description QtyPriceAmount\n|\t 0123456789.,:%-", max_size=400))
@settings(max_examples=60, deadline=None)
def test_no_text_breaks_it(text: str) -> None:
    assert paxman.normalize("Description   Qty   Price\n" + text, ITEMS)["items"].status in ("RESOLVED", "UNRESOLVED")


@pytest.mark.parametrize("piece", ["1,", "  ", "a  ", "Description  Qty  Price\n", "x  1  2  3\n", ": ", "1 ", "- a\n"])
def test_hostile_text_takes_linear_time(piece: str) -> None:
    from paxman.capabilities.label_scan import Page
    from paxman.capabilities.table_headings import vocabulary_of
    from paxman.capabilities.table_layout import find_headers
    from paxman.capabilities.table_rows import find_rows, layout_of
    from paxman.contract import adapt

    columns = adapt(ITEMS).by_path["items"].columns
    vocabulary = vocabulary_of(columns)
    text = "Description   Qty   Price\n" + piece * (200_000 // len(piece))
    start = time.perf_counter()
    page = Page(text)
    headers = find_headers(page, vocabulary)
    for header, after in zip(headers, [*headers[1:], None], strict=True):
        stop = after.first if after else len(page)
        if len(header.bound) > 1:
            find_rows(layout_of(page, header, vocabulary, columns), stop)
    assert time.perf_counter() - start < 8


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Parts: bolt, nut, washer\nMore", ["bolt", "nut", "washer"]),
        ("Parts: bolt, M3; nut; washer", ["bolt, M3", "nut", "washer"]),
        ("Parts: bolt, nut and washer", ["bolt", "nut", "washer"]),
        ("Parts: bolt, nut, and washer", ["bolt", "nut", "washer"]),
        ("Parts: nut and bolt", ["nut and bolt"]),
        ("Parts: Oak GmbH and Elm AG", ["Oak GmbH", "Elm AG"]),
        ("Kit\n\nParts:\n- 2 bolts\n- nuts,\n  galvanized\n- oil\n\nDone", ["2 bolts", "nuts, galvanized", "oil"]),
        ("Kit\n\nPARTS\n\n• bolt\n• nut\n\nDone", ["bolt", "nut"]),
        ("Parts\n1. bolt\n2. nut\nThen mix", ["bolt", "nut"]),
        ("Parts:\nbolt\nnut\n\nDone", ["bolt", "nut"]),
        ("Parts\n1. Definitions and such", None),
        ("Spare parts are sold here, and here", None),
    ],
)
def test_a_label_heads_a_list(text: str, expected: list[str] | None) -> None:
    assert paxman.normalize(text, PARTS).normalized_data.get("parts") == expected


def test_a_list_of_a_marked_up_page_is_its_like_elements() -> None:
    page = (
        "<nav><ul><li><a>Parts</a><ul><li>Bikes</li><li>Cars</li><li>Boats</li></ul></li></ul></nav>"
        "<h2>Parts</h2><p>for two kits</p><ul><li>2 bolts</li><li>3 <b>steel</b> nuts</li><li>oil</li></ul>"
        "<h2>Method</h2><p>Turn.</p>"
    )
    result = paxman.normalize(f"<html><body>{page}</body></html>", PARTS)["parts"]
    assert (result.value, result.confidence_band.value) == (("2 bolts", "3 steel nuts", "oil"), "MEDIUM")


def test_elements_have_the_type_of_the_contract() -> None:
    field = {"name": "readings", "type": "ARRAY", "required": False, "items": {"type": "DECIMAL"}}
    artifact = paxman.normalize("Readings: 1.5; none; 2.5", contract(field))
    assert artifact.normalized_data["readings"] == [Decimal("1.5"), Decimal("2.5")]
    assert [n.message for n in artifact["readings"].diagnostics] == ["row 2 was left out: not DECIMAL"]
