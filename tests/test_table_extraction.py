"""Line items from tables of every format, and lists below a label."""

from __future__ import annotations

import time
from collections.abc import Callable
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


@pytest.mark.parametrize(("first", "numbers"), [("", ("", "")), ("Pos   ", ("1     ", "2     "))])
def test_a_heading_in_the_middle_of_taller_ones(first: str, numbers: tuple[str, str]) -> None:
    gap = " " * len(first)
    text = (
        f"{gap}                          Quantity    Unit price      Amount\n"
        f"{first}Description of goods\n"
        f"{gap}                          ordered     in EUR          in EUR\n"
        f"{numbers[0]}Filter chain                      61        783.74    47808.14\n"
        f"{numbers[1]}Pipe                              11        541.62     5957.82\n"
    )
    assert rows(text) == [("Filter chain", "61", "783.74", "47808.14"), ("Pipe", "11", "541.62", "5957.82")]


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
    assert bands == ["HIGH", "MEDIUM"]


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


BASKET = contract(
    {
        "name": "items",
        "type": "ARRAY",
        "required": False,
        "items": {
            "fields": [
                {"name": "item", "type": "STRING", "required": True},
                {"name": "qty", "type": "INTEGER", "required": True},
                {"name": "price", "type": "MONEY", "required": True},
            ]
        },
    }
)
FRUIT = """Item        Qty   Price
Apple         2   EUR 1.50
{}
Plum          4   EUR 3.00
"""
FRUIT_TABLE = """| Item | Qty | Price |
|:---|---|--:|
| Apple | 2 | EUR 1.50 |
| {} |
| Plum | 4 | EUR 3.00 |
"""


@pytest.mark.parametrize(
    ("table", "line", "reason"),
    [
        (FRUIT, "Pear          x   EUR 2.50", "qty: not INTEGER"),
        (FRUIT, "Pear              EUR 2.50", "qty: missing"),
        (FRUIT, "Pear          3   n/a", "price: not MONEY"),
        (FRUIT, "Pear          3", "price: missing"),
        (FRUIT, "Pear          -   n/a", "qty: not INTEGER"),
        (FRUIT_TABLE, "Pear | x | EUR 2.50", "qty: not INTEGER"),
        (FRUIT_TABLE, "Pear | | EUR 2.50", "qty: missing"),
        (FRUIT_TABLE, "Pear | 3 | n/a", "price: not MONEY"),
    ],
)
def test_a_bad_row_is_rejected_and_not_part_of_the_row_above(table: str, line: str, reason: str) -> None:
    text = table.format(line)
    found = paxman.normalize(text, BASKET)["items"].value
    assert [tuple(map(str, row.values())) for row in found] == [("Apple", "2", "1.50 EUR"), ("Plum", "4", "3.00 EUR")]
    assert rejected(text, BASKET) == [f"row 2 was left out: {reason}"]


LINE = "{:26}{:>6}{:>14}{:>12}".format
HEADINGS = LINE("Description", "Qty", "Unit price", "Amount")
APPLE, PEAR = LINE("Apple", "5", "12.00", "60.00"), LINE("Pear", "1", "4.00", "4.00")
CELLS = {"Apple": ("Apple", "5", "12.00", "60.00"), "Pear": ("Pear", "1", "4.00", "4.00")}


def page(*lines: str) -> str:
    return "\n".join([HEADINGS, *lines]) + "\n"


@pytest.mark.parametrize("name", ["Credit", "Transport", "Card", "Change", "Report", "Total"])
def test_a_row_with_every_number_is_an_item_whatever_its_name(name: str) -> None:
    expected = [CELLS["Apple"], (name, "2", "3.00", "6.00"), CELLS["Pear"]]
    lines = [("Description", "Qty", "Unit price", "Amount"), *expected]
    html = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in line) + "</tr>" for line in lines)
    assert rows(page(APPLE, LINE(*expected[1]), PEAR)) == expected
    assert rows(f"<table>{html}</table>") == expected
    assert rows("\n".join("\t".join(line) for line in lines)) == expected


def test_a_total_of_every_column_is_no_item() -> None:
    assert rows(page(APPLE, PEAR, LINE("Total", "6", "16.00", "64.00"))) == [CELLS["Apple"], CELLS["Pear"]]


def test_discounts_and_charges_among_the_items_are_rejected_in_every_format() -> None:
    lines = [
        ("Description", "Qty", "Unit price", "Amount"),
        CELLS["Apple"],
        ("Discount", "", "", "-1.00"),
        CELLS["Pear"],
        ("Shipping", "", "", "5.00"),
    ]
    lines.append(("Total", "", "", "68.00"))
    laid_out = "\n".join(LINE(*line) for line in lines)
    html = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in line) + "</tr>" for line in lines)
    for text in (laid_out, f"<table>{html}</table>", "\n".join(",".join(line) for line in lines)):
        assert rows(text) == [CELLS["Apple"], CELLS["Pear"]]
        reasons = {2: "quantity: missing", 4: "quantity: missing", 5: "a sum, not an item"}
        assert rejected(text) == [f"row {number} was left out: {reason}" for number, reason in reasons.items()]


def test_discounts_and_charges_with_their_names_beside_the_amounts() -> None:
    text = page(APPLE, LINE("", "", "Discount", "-1.00"), PEAR, LINE("", "", "Shipping", "5.00"))
    assert rows(text) == [CELLS["Apple"], CELLS["Pear"]]
    assert rejected(text) == [f"row {number} was left out: a sum, not an item" for number in (2, 4)]
    assert rejected(page(APPLE, PEAR, "", LINE("", "", "Shipping", "5.00"), LINE("", "", "Total", "69.00"))) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Blue pens (pack of 10) 20     2.45      49.00", ("Blue pens (pack of 10)", "20", "2.45", "49.00")),
        ("Blue pens pack of 10 20     2.45      49.00", ("Blue pens pack of 10", "20", "2.45", "49.00")),
        ("Pens of size 3 200     2.45      490.00", ("Pens of size 3", "200", "2.45", "490.00")),
        ("Blue pens      3 200     2.45     7840.00", ("Blue pens", "3200", "2.45", "7840.00")),
        ("Blue pens (pack of 10)        2.45      49.00", None),
    ],
)
def test_arithmetic_says_which_number_is_the_quantity(line: str, expected: tuple[str, ...] | None) -> None:
    headings = "Description            Qty    Unit price    Amount"
    paper = "Paper A4               50     3.90     195.00"
    found = rows(f"{headings}\n{paper}\n{line}\n")
    assert found == [("Paper A4", "50", "3.90", "195.00"), *([expected] if expected else [])]


@pytest.mark.parametrize(
    ("headings", "line", "said"),
    [
        (("Qty", "Unit price", "", "Amount"), ("2", "3.00", "", "7.00"), ["2 x 3.00 is not 7.00"]),
        (("Qty", "Unit price", "", "Amount"), ("2", "3.00", "", "6.00"), []),
        (("Qty", "Unit price", "", "Amount"), ("200", "3.00", "", "6.00"), []),
        (("Qty", "Unit price", "Discount", "Amount"), ("2", "3.00", "1.00", "5.00"), []),
        (("Qty", "Unit price", "Discount", "Amount"), ("2", "3.00", "", "5.00"), ["2 x 3.00 is not 5.00"]),
        (("Qty", "Unit price", "VAT", "Amount"), ("2", "3.00", "20%", "7.20"), []),
    ],
)
def test_a_row_that_contradicts_itself_is_kept_and_said(
    headings: tuple[str, ...], line: tuple[str, ...], said: list[str]
) -> None:
    form = "{:20}{:>8}{:>14}{:>12}{:>12}".format
    laid_out = "\n".join([form("Description", *headings), form("Apple", *line), form("Pear", "1", "4.00", "", "4.00")])
    table = [("Description", *headings), ("Apple", *line), ("Pear", "1", "4.00", "", "4.00")]
    html = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>" for cells in table)
    for text in (laid_out, f"<table>{html}</table>"):
        assert rows(text) == [("Apple", line[0], line[1], line[3]), ("Pear", "1", "4.00", "4.00")]
        diagnostics = paxman.normalize(text, ITEMS)["items"].diagnostics
        notes = [(note.code, note.field_path, note.message) for note in diagnostics if note.field_path != "items"]
        assert notes == [("VALIDATION_FAILED", "items[0]", message) for message in said]


@pytest.mark.parametrize("amount", ["-€12.00", "(€12.00)", "- 12.00", "- € 12.00", "€ - 12.00", "(12.00 €)", "12.00-"])
def test_a_cell_keeps_its_sign(amount: str) -> None:
    columns = [{**column, "type": "MONEY"} if column["name"] == "line_total" else column for column in COLUMNS]
    wanted = contract({"name": "items", "type": "ARRAY", "required": False, "items": {"fields": columns}})
    text = page(LINE("Apple", "5", "12.00", "€60.00"), LINE("Returned apple", "1", "12.00", amount))
    found = paxman.normalize(text, wanted)["items"].value
    assert [str(row["line_total"]) for row in found] == ["60.00 EUR", "-12.00 EUR"]


CHAIR = LINE("adjustable armrests", "2", "199.00", "398.00")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            ["Deluxe office chair with", CHAIR, "and headrest"],
            "Deluxe office chair with adjustable armrests and headrest",
        ),
        (["Deluxe office chair with", CHAIR], "Deluxe office chair with adjustable armrests"),
        (["Deluxe office chair", LINE("", "2", "199.00", "398.00")], "Deluxe office chair"),
        (["Furniture", LINE("Chair", "2", "199.00", "398.00")], "Chair"),
        (["of goods", CHAIR], "adjustable armrests"),
        (["Furniture", CHAIR, LINE("lamp", "1", "1.00", "1.00")], "adjustable armrests"),
    ],
)
def test_a_text_that_begins_above_the_numbers_of_the_first_row(lines: list[str], expected: str) -> None:
    assert rows(page(*lines, PEAR))[0] == (expected, "2", "199.00", "398.00")


WRAPPED = """Description                      Qty   Price    Amount
Bolt M8                           10    1.00     10.00
{}
Nut M8                            10    1.00     10.00
"""
NUMBERS = "   1  100.00    100.00"


@pytest.mark.parametrize(
    "lines",
    [
        ["Installation and commissioning", "on site", " " * 32 + NUMBERS],
        ["Installation and commissioning", " " * 32 + NUMBERS, "on site"],
        ["", "Installation and commissioning", " " * 32 + NUMBERS, "on site", ""],
        [f"{'Installation and':32}{NUMBERS}", "commissioning", "on site"],
    ],
)
def test_numbers_at_the_top_middle_or_bottom_of_their_text(lines: list[str]) -> None:
    text = WRAPPED.format("\n".join(lines))
    assert [row[0] for row in rows(text)] == ["Bolt M8", "Installation and commissioning on site", "Nut M8"]
    assert paxman.normalize(text, ITEMS)["items"].diagnostics == ()


def test_a_text_over_a_row_that_begins_in_the_middle_of_a_sentence_belongs_to_it() -> None:
    text = WRAPPED.format(f"Installation and commissioning\n{'on site':32}{NUMBERS}")
    assert [row[0] for row in rows(text)] == ["Bolt M8", "Installation and commissioning on site", "Nut M8"]


WRAPS = [
    ["Deluxe office chair with", "adjustable armrests, grey"],
    ["Desk lamp"],
    ["Filing cabinet made of oak", "and steel, three drawers,", "with lock"],
    ["Waste paper basket, round"],
    ["Delivery to the second", "floor and setting up, old", "furniture is taken away,", "packing too"],
]


def wrapped(place: Callable[[int], int], wraps: list[list[str]] = WRAPS) -> str:
    """A table whose numbers stand beside that line of each text."""
    lines = ["Art   Description                    Qty   Unit price    Amount"]
    for number, texts in enumerate(wraps):
        for at, text in enumerate(texts):
            beside = at == place(len(texts))
            lines.append(f"{f'A{number}' if beside else '':6}{text:29}{'2        10.00       20.00' if beside else ''}")
    return "\n".join(lines)


@pytest.mark.parametrize(
    "place",
    [lambda lines: 0, lambda lines: lines - 1, lambda lines: (lines - 1) // 2, lambda lines: lines // 2],
    ids=["top", "bottom", "middle", "lower middle"],
)
def test_all_rows_of_a_table_are_set_alike(place: Callable[[int], int]) -> None:
    found = paxman.normalize(wrapped(place), ITEMS)["items"]
    assert [row["description"] for row in found.value] == [" ".join(texts) for texts in WRAPS]
    assert (found.confidence_band.value, found.diagnostics) == ("HIGH", ())


def test_texts_that_may_belong_to_either_row_are_not_sure() -> None:
    wraps = [[text.upper().replace(",", "") for text in texts] for texts in WRAPS]
    found = paxman.normalize(wrapped(lambda lines: lines - 1, wraps), ITEMS)["items"]
    assert found.confidence_band.value == "MEDIUM"
    assert found.diagnostics[0].code == "AMBIGUOUS_VALUE"
    message = "lines of text between rows may belong to the row above or to the one below: "
    assert found.diagnostics[0].message.startswith(message)


def test_blank_lines_part_rows_wherever_their_numbers_stand() -> None:
    numbers = [LINE("", "2", "10.00", "20.00"), LINE("", "1", "5.00", "5.00"), LINE("with frame", "1", "7.00", "7.00")]
    blocks = [["Artificial turf", numbers[0], "Three metres"], ["Pork steak", numbers[1]], ["Door", numbers[2]]]
    text = page("\n\n".join("\n".join(block) for block in blocks))
    assert [row[0] for row in rows(text)] == ["Artificial turf Three metres", "Pork steak", "Door with frame"]


def test_a_bracket_below_a_text_belongs_to_it() -> None:
    lines = [LINE("Early News", "1", "4.00", "4.00"), "(Programme of April,"]
    lines += [LINE("Late News", "1", "4.00", "4.00"), "(Programme of May)"]
    expected = ["Early News (Programme of April,", "Late News (Programme of May)"]
    assert [row[0] for row in rows(page(*lines))] == expected


def test_headings_of_groups_and_details_are_not_the_beginning_of_a_text() -> None:
    details = [LINE("Hosting", "1", "4.00", "4.00"), "Server FRA-3", LINE("Domain", "1", "4.00", "4.00"), "Example"]
    assert [row[0] for row in rows(page("Office", *details))] == ["Hosting Server FRA-3", "Domain Example"]


def test_twenty_bad_rows_do_not_end_a_table() -> None:
    text = FRUIT.format("\n".join(["Pear          x   EUR 2.50"] * 20))
    assert [row[0] for row in rows(text, BASKET)] == ["Apple", "Plum"]
    assert len(rejected(text, BASKET)) == 20


def test_a_long_table_without_numbers() -> None:
    columns = [{"name": name, "type": "STRING", "required": True} for name in ("item", "colour")]
    wanted = contract({"name": "items", "type": "ARRAY", "required": False, "items": {"fields": columns}})
    lines = [
        "Item          Colour",
        *["Apple         red"] * 30,
        "              and green",
        *["Pear          green"] * 5,
    ]
    assert [row[0] for row in rows("\n".join(lines), wanted)] == ["Apple"] * 30 + ["Pear"] * 5


def test_a_row_does_without_an_optional_number() -> None:
    columns = [
        {"name": "item", "type": "STRING", "required": True},
        {"name": "qty", "type": "INTEGER", "required": False},
        {"name": "price", "type": "MONEY", "required": True},
    ]
    wanted = contract({"name": "items", "type": "ARRAY", "required": False, "items": {"fields": columns}})
    text = FRUIT.format("Pear          x   EUR 2.50\nFreight           EUR 9.00")
    found = paxman.normalize(text, wanted)["items"]
    assert [(row["item"], row.get("qty"), str(row["price"])) for row in found.value] == [
        ("Apple", 2, "1.50 EUR"),
        ("Pear", None, "2.50 EUR"),
        ("Freight", None, "9.00 EUR"),
        ("Plum", 4, "3.00 EUR"),
    ]
    assert [(note.code, note.field_path) for note in found.diagnostics] == [("VALIDATION_FAILED", "items[1].qty")]


def test_a_required_total_that_is_set_lower() -> None:
    columns = [{**column, "required": column["name"] != "unit_price"} for column in COLUMNS]
    wanted = contract({"name": "items", "type": "ARRAY", "required": False, "items": {"fields": columns}})
    text = """
Pos    Description                     Unit price      Qty    Amount

1      Support contract                    800.00      1 pc
       4012345001235                                             800.00

2      Servers                              50.00      2        100.00
"""
    assert rows(text, wanted) == [
        ("Support contract", "1", "800.00", "800.00"),
        ("Servers", "2", "50.00", "100.00"),
    ]


def test_a_cell_of_a_laid_out_table_with_two_readings() -> None:
    text = (
        "Description     Qty    Price    Amount\nPen           1,234     2        \nInk            10     2       20\n"
    )
    notes = paxman.normalize(text, ITEMS)["items"].diagnostics
    assert [(note.code, note.field_path) for note in notes] == [
        ("AMBIGUOUS_VALUE", "items[0].quantity"),
        ("LOW_CONFIDENCE", "items"),
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
@settings(max_examples=40)
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
@settings(max_examples=60)
def test_no_text_breaks_it(text: str) -> None:
    assert paxman.normalize("Description   Qty   Price\n" + text, ITEMS)["items"].status in ("RESOLVED", "UNRESOLVED")


@pytest.mark.parametrize("piece", ["1,", "  ", "a  ", "Description  Qty  Price\n", "x  1  2  3\n", ": ", "1 ", "- a\n"])
def test_hostile_text_takes_linear_time(piece: str) -> None:
    from paxman.capabilities.table_headings import vocabulary_of
    from paxman.capabilities.table_lines import layout_of
    from paxman.capabilities.table_rows import find_rows
    from paxman.contract import adapt
    from paxman.documents.headings import find_headers
    from paxman.documents.visual_lines import VisualLines

    columns = adapt(ITEMS).by_path["items"].columns
    vocabulary = vocabulary_of(columns)
    text = "Description   Qty   Price\n" + piece * (200_000 // len(piece))
    start = time.process_time()
    page = VisualLines(text)
    headers = find_headers(page, vocabulary)
    for header, after in zip(headers, [*headers[1:], None], strict=True):
        stop = after.first if after else len(page)
        if len(header.bound) > 1:
            find_rows(layout_of(page, header, vocabulary, columns), stop)
    assert time.process_time() - start < 8


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
        ("Parts:\n☑ bolt\n☐ nut\n☑ oil\nDone", ["bolt", "oil"]),
        ("Parts:\n[x] bolt\n[ ] nut\n[x] oil\n\nDone", ["bolt", "oil"]),
        ("Parts:\n- [x] bolt\n- [ ] nut\n- [X] oil,\n  thin\nDone", ["bolt", "oil, thin"]),
        ("Parts: [x] bolt, [ ] nut, [x] oil", ["bolt", "oil"]),
        ("Parts:\n□ bolt\n■ nut\n□ oil\n", ["nut"]),
        ("Parts:\n□ bolt\n□ nut\n", ["bolt", "nut"]),
        ("Parts:\n☐ bolt\n☐ nut\n", None),
        ("Parts\n1. Definitions and such", None),
        ("Spare parts are sold here, and here", None),
    ],
)
def test_a_label_heads_a_list(text: str, expected: list[str] | None) -> None:
    assert paxman.normalize(text, PARTS).normalized_data.get("parts") == expected


def test_a_list_ends_at_the_label_of_another_field() -> None:
    seller = {"name": "seller", "type": "STRING", "required": False}
    found = paxman.normalize("Parts:\nbolt\nnut\nSeller: Oak\n", contract(*PARTS["fields"], seller))
    assert found.normalized_data == {"parts": ["bolt", "nut"], "seller": "Oak"}
    found = paxman.normalize("Parts:\n- bolt\n- Seller: any\n- nut\n", contract(*PARTS["fields"], seller))
    assert found.normalized_data["parts"] == ["bolt", "Seller: any", "nut"]


def test_a_list_of_a_marked_up_page_is_its_like_elements() -> None:
    page = (
        "<nav><ul><li><a>Parts</a><ul><li>Bikes</li><li>Cars</li><li>Boats</li></ul></li></ul></nav>"
        "<h2>Parts</h2><p>for two kits</p><ul><li>2 bolts</li><li>3 <b>steel</b> nuts</li><li>oil</li></ul>"
        "<h2>Method</h2><p>Turn.</p>"
    )
    result = paxman.normalize(f"<html><body>{page}</body></html>", PARTS)["parts"]
    assert (result.value, result.confidence_band.value) == (("2 bolts", "3 steel nuts", "oil"), "MEDIUM")


@pytest.mark.parametrize(
    ("page", "value"),
    [
        ("<h2>Parts</h2><ul><li>bolts</li><li>nuts</li></ul>", ("bolts", "nuts")),
        ("<p>Parts:</p><ol><li>bolts</li><li>nuts</li></ol><p>Tools</p>", ("bolts", "nuts")),
        (
            "<h3>Parts</h3><ul><li>a</li><li>b</li></ul><h3>Tools</h3><ul><li>c</li><li>d</li><li>e</li></ul>",
            ("a", "b"),
        ),
        ("<h2>Parts</h2><p>They are good.</p><p>We like them.</p>", None),
        ("<h2>Parts</h2><p>Soon</p><h2>News</h2><ul><li>one</li><li>two</li><li>three</li></ul>", None),
        ("<ul><li>Parts</li><li>Service</li><li>Contact</li></ul>", None),
    ],
)
def test_two_elements_of_a_marked_up_list_are_one_below_its_label(page, value) -> None:
    assert paxman.normalize(f"<html><body>{page}</body></html>", PARTS)["parts"].value == value


def test_elements_have_the_type_of_the_contract() -> None:
    field = {"name": "readings", "type": "ARRAY", "required": False, "items": {"type": "DECIMAL"}}
    artifact = paxman.normalize("Readings: 1.5; none; 2.5", contract(field))
    assert artifact.normalized_data["readings"] == [Decimal("1.5"), Decimal("2.5")]
    assert [n.message for n in artifact["readings"].diagnostics] == ["row 2 was left out: not DECIMAL"]


@pytest.mark.parametrize(
    "headings",
    [
        "Produto|Qtd|Valor unitário|Total",
        "Designação|Quant.|Preço unit.|Montante",
        "Omschrijving|Aantal|Prijs|Bedrag",
        "Artikel|Aant.|Eenheidsprijs|Bedrag excl. BTW",
        "Bezeichnung|Menge|Einzelpr.|Gesamtpr.",
        "Artikel|Anz.|E-Preis|G-Preis",
        "Désignation|Qté|PU HT|Montant HT",
        "Libellé|Qte|Prix unit. HT|Total HT",
        "Descripción|Cant.|P. unit.|Importe",
        "Artículo|Uds.|Precio ud.|Total",
        "Descrizione|Q.tà|Prezzo unit.|Imponibile",
        "Nazwa towaru lub usługi|Ilość|Cena netto|Wartość netto",
        "Označení dodávky|Množství|Cena za MJ|Celkem",
        "Popis|Množstvo|Jedn. cena|Spolu",
        "Mal Hizmet|Miktar|Birim Fiyat|Tutar",
        "Megnevezés|Menny.|Egységár|Nettó érték",
        "Denumirea produselor|Cantitate|Preț unitar|Valoare",
        "Περιγραφή|Ποσότητα|Τιμή μονάδας|Αξία",
        "Varetekst|Antal|Stk. pris|I alt",
        "Beskrivelse|Antall|Enhetspris|Beløp",
        "Benämning|Ant.|À-pris|Radsumma",
        "Nimike|Kpl|Yksikköhinta|Summa",
        "品名|数量|単価|金額",
        "项目名称|数量|单价|小计",
        "품목|수량|단가|공급가액",
        "الوصف|الكمية|سعر الوحدة|الإجمالي",
        'תיאור|כמות|מחיר יחידה|סה"כ',
        "Наименование|Кол-во|Цена|Сумма",
        "Service|Hrs|Price ea.|Ext.",
    ],
)
def test_usual_headings_and_their_abbreviations(headings: str) -> None:
    line = "{:28}{:>14}{:>18}{:>20}".format
    expected = [("Lamp", "2", "10.00", "20.00"), ("Blue cable", "3", "5.50", "16.50")]
    table = [tuple(headings.split("|")), *expected]
    cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in table)
    assert rows("\n".join(line(*row) for row in table)) == expected
    assert rows(f"<table>{cells}</table>") == expected


@pytest.mark.parametrize(
    "label",
    [
        "Übertrag",
        "Zwischensumme",
        "Carried forward",
        "Balance c/f",
        "Sub-total",
        "Report",
        "À reporter",
        "Riporto",
        "Suma y sigue",
        "Do przeniesienia",
        "Subtotal phase 1",
        "Page total",
        "Zwischentotal",
        "Součet položek",
    ],
)
def test_sums_between_items_are_counted_as_rejected(label: str) -> None:
    sum_alone, sum_below = LINE(label, "", "", "60.00"), LINE("", "", label[:14], "60.00")
    for line in (sum_alone, sum_below) if len(label) < 14 else (sum_alone,):
        text = page(APPLE, line, PEAR, LINE("Total", "", "", "64.00"))
        assert rows(text) == [CELLS["Apple"], CELLS["Pear"]]
        assert rejected(text) == [
            "row 2 was left out: a subtotal, not an item",
            "row 4 was left out: a sum, not an item",
        ]


def test_a_sum_between_texts_is_rejected_and_no_part_of_them() -> None:
    text = page(APPLE, "of the first grade", LINE("Carried forward", "", "", "60.00"), PEAR, "from Spain")
    assert [row[0] for row in rows(text)] == ["Apple of the first grade", "Pear from Spain"]
    assert rejected(text) == ["row 2 was left out: a subtotal, not an item"]


@pytest.mark.parametrize("name", ["Report writing", "Transport to the site", "Annual report", "Transport"])
def test_work_and_freight_that_are_named_like_a_sum(name: str) -> None:
    columns = [
        {"name": "item", "type": "STRING", "required": True},
        {"name": "amount", "type": "DECIMAL", "required": True},
    ]
    wanted = contract({"name": "items", "type": "ARRAY", "required": False, "items": {"fields": columns}})
    lines = [("Item", "Amount"), (name, "100.00"), ("Pear", "20.00"), ("Total", "120.00")]
    text = "\n".join(f"{label:26}{amount:>8}" for label, amount in lines)
    expected = [("Pear", "20.00")] if name == "Transport" else [(name, "100.00"), ("Pear", "20.00")]
    assert rows(text, wanted) == expected
    assert len(rejected(text, wanted)) == 3 - len(expected)


def test_the_sum_of_a_group_does_not_end_the_table() -> None:
    text = page(APPLE, LINE("Total phase 1", "", "", "60.00"), PEAR, LINE("Total phase 2", "", "", "4.00"))
    assert rows(text) == [CELLS["Apple"], CELLS["Pear"]]
    assert rejected(text) == [
        "row 2 was left out: a subtotal, not an item",
        "row 4 was left out: a sum, not an item",
    ]


def test_a_total_that_one_space_parts_from_its_amount() -> None:
    assert rows(page(APPLE, PEAR, "Total 64.00")) == [CELLS["Apple"], CELLS["Pear"]]


def test_a_footer_across_the_page_is_no_part_of_a_description() -> None:
    footer = "Example Ltd, Main Street 1, registered in England"
    text = page(APPLE, "of the first grade", PEAR, footer, "\f", HEADINGS, LINE("Plum", "1", "2.00", "2.00"))
    assert [row[0] for row in rows(text)] == ["Apple of the first grade", "Pear", "Plum"]


_LINES = {
    "item": [("Lamp", "2", "3.00", "6.00"), ("Blue cable", "1", "2.50", "2.50"), ("Report", "1", "2.00", "2.00")],
    "sum": [("Subtotal", "", "", "9.00"), ("Carried forward", "", "", "8.50"), ("Zwischensumme", "", "", "7.00")],
    "fault": [("Chair", "x", "3.00", "6.00"), ("Table", "n/a", "1.00", "1.00")],
}


@given(
    st.lists(st.sampled_from([(kind, row) for kind, found in _LINES.items() for row in found]), min_size=1, max_size=12)
)
@settings(max_examples=60)
def test_rows_in_are_rows_out_and_rows_rejected(lines: list[tuple[str, tuple[str, ...]]]) -> None:
    first = ("Desk", "1", "9.00", "9.00")
    table = [("Description", "Qty", "Unit price", "Amount"), first, *(row for _, row in lines)]
    html = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in table)
    expected = [first, *(row for kind, row in lines if kind == "item")]
    texts = (
        "\n".join(LINE(*row) for row in table),
        f"<table>{html}</table>",
        "\n".join("\t".join(row) for row in table),
    )
    for text in texts:
        assert rows(text) == expected
        assert len(rejected(text)) == len(lines) + 1 - len(expected)


@pytest.mark.parametrize("kind", ["list", "text", "csv", "json", "html", "xml"])
def test_many_cells_that_can_be_read_in_two_ways_are_summed_up(kind: str) -> None:
    days = [f"{1 + number % 9:02}/{2 + number // 9:02}/2024" for number in range(60)]
    texts = {
        "list": "Days:\n" + "\n".join(f"- {day}" for day in days),
        "text": "Item          Day\n" + "\n".join(f"Lamp          {day}" for day in days),
        "csv": "item,day\n" + "\n".join(f"Lamp,{day}" for day in days),
        "json": '{"days": [' + ", ".join(f'{{"item": "Lamp", "day": "{day}"}}' for day in days) + "]}",
        "html": "<table>" + "".join(f"<tr><td>{a}<td>{b}" for a, b in [("Item", "Day"), *(("Lamp", d) for d in days)]),
        "xml": "<all>" + "".join(f"<days><item>Lamp</item><day>{day}</day></days>" for day in days) + "</all>",
    }
    columns = [{"name": name, "type": of, "required": True} for name, of in (("item", "STRING"), ("day", "DATE"))]
    items = {"type": "DATE"} if kind == "list" else {"fields": columns}
    wanted = contract({"name": "days", "type": "ARRAY", "required": False, "items": items})
    found = paxman.normalize(texts[kind], wanted)["days"]
    notes = [note for note in found.diagnostics if note.code == "AMBIGUOUS_VALUE"]
    ambiguous = sum(day[:2] != day[3:5] for day in days)
    assert (len(found.value), len(notes)) == (60, 21)
    assert notes[-1].message == f"{ambiguous - 20} more cells can be read in several ways"


@pytest.mark.parametrize("tax", ["GST 10%", "IVA 23%", "MwSt 19 %", "KDV (%20)", "VAT"])
def test_a_tax_below_a_subtotal_is_no_item(tax: str) -> None:
    columns = [{"name": column["name"], "type": column["type"], "required": False} for column in COLUMNS]
    wanted = contract({"name": "items", "type": "ARRAY", "required": False, "items": {"fields": columns}})
    text = page(
        APPLE, PEAR, LINE("Subtotal", "", "", "64.00"), LINE(tax, "", "", "6.40"), LINE("Total", "", "", "70.40")
    )
    assert rows(text, wanted) == [CELLS["Apple"], CELLS["Pear"]]


OPTIONAL = contract(
    {
        "name": "items",
        "type": "ARRAY",
        "required": False,
        "items": {"fields": [{**column, "required": column["name"] == "description"} for column in COLUMNS]},
    }
)


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("Item          Ar    Qty   Price\nBox small     20    15    2.00\n", ("Box small", "15", "2.00", None)),
        ("Item          Db    Qty   Amount\nBox small     20    15    2.00\n", ("Box small", "15", None, "2.00")),
        ("Item        L   W   H   Price\nBox small   20  10  15   2.00\n", ("Box small", None, "2.00", None)),
        ("Artikel     L   B   H   Preis\nBox klein   20  10  15   2,00\n", ("Box klein", None, "2.00", None)),
        ("Artikel     H   Menge   Preis\nBox klein   25  10      2,00\n", ("Box klein", "10", "2.00", None)),
        ("Item\tDb\tPrice\nBox small\t20\t2.00\n", ("Box small", None, "2.00", None)),
        ("Megnevezés    Db    Ár      Összesen\nDoboz         2     10,00   20,00\n", ("Doboz", "2", "10.00", "20.00")),
        (
            "Leistung      h     Satz    Betrag\nBeratung      2     10,00   20,00\n",
            ("Beratung", "2", "10.00", "20.00"),
        ),
    ],
)
def test_a_heading_of_a_letter_or_two_counts_only_in_its_language(text: str, row: tuple[str | None, ...]) -> None:
    assert rows(text, OPTIONAL) == [row]


def test_a_contract_may_name_a_column_by_one_letter() -> None:
    part = {"name": "part", "type": "STRING", "required": True}
    height = {"name": "height", "type": "INTEGER", "required": True, "labels": ["H"]}
    wanted = contract({"name": "items", "type": "ARRAY", "required": False, "items": {"fields": [part, height]}})
    assert rows("Part      L    H    Price\nBox       20   15   2.00\n", wanted) == [("Box", "15")]


SUMS = """Description            Qty     Unit price      Amount
Consulting              10        150.00     1,500.00
Travel                   2         75.50       151.00
{}Total                                        1,680.00
"""
TWO = [("Consulting", "10", "150.00", "1500.00"), ("Travel", "2", "75.50", "151.00")]


@pytest.mark.parametrize(
    ("block", "more"),
    [
        ("\nLess deposit                       1,000.00\nBollo                                  2.00\n", 0),
        ("--------\nPrepaid                                        100.00\n", 0),
        ("Amount before anything                       1,651.00\nPrepaid                    100.00\n", 0),
        ("LEVY 9%                                        148.59\nCESS 9%                    148.59\n", 0),
        ("ISS (5%)                                        82.55\n", 0),
        ("Delivery                                        29.00\n", 1),
        ("\nDelivery                                      29.00\n\n", 1),
    ],
)
def test_sums_below_the_items_are_known_by_their_place(block: str, more: int) -> None:
    found = rows(SUMS.format(block), OPTIONAL)
    assert found == TWO + [("Delivery", None, None, "29.00")] * more
    left = more or block.strip("-\n").count("\n") + 1
    end = 3 + left + (not block.endswith("\n\n"))  # A total below a gap is no row of the table.
    assert rejected(SUMS.format(block), OPTIONAL) == [
        f"row {number} was left out: a sum, not an item" for number in range(3 + more, end)
    ]


def test_items_with_nothing_but_an_amount_stay_among_their_like() -> None:
    text = """Description            Qty     Unit price      Amount
Licence                                        100.00
Support                                        200.00
Travel                   2         75.00       150.00

Discount                                       450.00
Total                                          450.00
"""
    assert [row[0] for row in rows(text, OPTIONAL)] == ["Licence", "Support", "Travel", "Discount"]
    text = SUMS.format("Discount                                         -51.00\n\nNet of it    1,600.00\n")
    assert [row[3] for row in rows(text, OPTIONAL)] == ["1500.00", "151.00", "-51.00"]


CHINESE = """项目名称                      规格    数量    单价      金额       税率   税额
高级办公桌带抽屉和键盘托架            5       800.00    4000.00    13%    520.00
办公椅                        B2      10      150.00    1500.00    13%    195.00
合计                                                    5500.00           715.00
价税合计   ¥6215.00
"""


def test_characters_of_double_width_keep_their_columns() -> None:
    names = ("description", "code", "quantity", "unit_price", "line_total")
    kinds = ("STRING", "STRING", "INTEGER", "DECIMAL", "DECIMAL")
    columns = [{"name": name, "type": kind, "required": False} for name, kind in zip(names, kinds, strict=True)]
    columns[1]["labels"] = ["规格"]
    wanted = contract({"name": "items", "type": "ARRAY", "required": False, "items": {"fields": columns}})
    assert rows(CHINESE, wanted) == [
        ("高级办公桌带抽屉和键盘托架", None, "5", "800.00", "4000.00"),
        ("办公椅", "B2", "10", "150.00", "1500.00"),
    ]
    tax = contract({"name": "tax_total", "type": "DECIMAL", "required": False})
    assert paxman.normalize(CHINESE, tax).normalized_data == {"tax_total": Decimal("715.00")}


@pytest.mark.parametrize(
    ("text", "row"),
    [
        (
            "ITEM        HS CODE    QTY(PCS)  UNIT PRICE(USD)  AMOUNT(USD)\n"
            "Bolt M8     731815     100       0.50             50.00\n",
            ("Bolt M8", "100", "0.50", "50.00"),
        ),
        ("Item       Qty     PRICE/USD\nBolt       10      2.50\n", ("Bolt", "10", "2.50", None)),
        ("Item(s)    Qty/Unit     Price[EUR]\nBolt       10 pcs       2.50\n", ("Bolt", "10", "2.50", None)),
    ],
)
def test_a_unit_may_be_glued_to_a_heading(text: str, row: tuple[str | None, ...]) -> None:
    assert rows(text, OPTIONAL) == [row]


GRID = [("Description", "Qty", "Unit price", "Amount"), *TWO]


def as_html(table: list[tuple[str, ...]]) -> str:
    return f"<table>{''.join('<tr><td>' + '</td><td>'.join(row) + '</td></tr>' for row in table)}</table>"


def as_csv(table: list[tuple[str, ...]]) -> str:
    return "".join(",".join(row) + "\n" for row in table)


@pytest.mark.parametrize("write", [as_html, as_csv])
def test_headings_are_read_by_what_they_mean_though_some_are_the_names_of_columns(write: Any) -> None:
    assert rows(write(GRID), OPTIONAL) == TWO


@pytest.mark.parametrize("write", [as_html, as_csv])
@pytest.mark.parametrize("headings", [GRID[0], tuple(column["name"] for column in COLUMNS)])
@pytest.mark.parametrize(
    ("below", "items"),
    [
        ([("CGST 9%", "", "", "148.59"), ("Total", "", "", "1799.59")], 2),
        ([("Amount before anything", "", "", "1651.00"), ("Prepaid", "", "", "100.00"), ("Total", "", "", "1551")], 2),
        ([("Delivery", "", "", "29.00"), ("Total", "", "", "1680.00")], 3),
    ],
)
def test_sums_at_the_end_of_a_grid_are_no_items(
    write: Any, headings: tuple[str, ...], below: list[tuple[str, ...]], items: int
) -> None:
    text = write([headings, *TWO, *below])
    assert rows(text, OPTIONAL) == [*TWO, ("Delivery", None, None, "29.00")][:items]
    assert rejected(text, OPTIONAL) == [
        f"row {number} was left out: a sum, not an item" for number in range(items + 1, 3 + len(below))
    ]


TWO_PRICES = "2 columns are headed 'Price' and differ in 2 rows; the first was taken"


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        (
            "Article    Qty   Price    Price\nLamp         1    5.00     6.00\nCable        2    2.00     3.00\n",
            [TWO_PRICES],
        ),
        ("Article    Qty   Price    Price\nLamp         1    5.00     5.00\nCable        2    2.00     2.00\n", []),
        ("Article,Qty,Price,Price\nLamp,1,5.00,6.00\nCable,2,2.00,3.00\n", [TWO_PRICES]),
        ("To you\n\nArticle | Qty | Price | Size\nLamp | 1 | 5.00 | 6.00\nCable | 2 | 2.00 | 3.00\n", []),
    ],
)
def test_columns_with_the_same_heading_that_differ_are_told_of(text: str, notes: list[str]) -> None:
    found = paxman.normalize(text, ITEMS)["items"]
    assert [row["unit_price"] for row in found.value] == [Decimal("5.00"), Decimal("2.00")]
    assert [note.message for note in found.diagnostics if note.code == "AMBIGUOUS_VALUE"] == notes


STACKED = """No.   Description                 Qty      Price       Total
1     Copper pipe                   3     301.12      903.36
2     Oak board                    10      69.05      690.50
"""


@pytest.mark.parametrize(
    "above",
    [
        "Dear Sir or Madam,",
        "Thank you for your order!",
        "Project: Attic",
        "Project: Attic                Site 4",
        "Payment:                      Transfer\n\n",
        "As agreed with you last week",
    ],
)
def test_what_is_no_heading_does_not_join_the_headings_below_it(above: str) -> None:
    assert rows(f"{above}\n{STACKED}") == [
        ("Copper pipe", "3", "301.12", "903.36"),
        ("Oak board", "10", "69.05", "690.50"),
    ]


def test_a_heading_above_its_second_word_still_joins_it() -> None:
    text = """                            Unit       Line
Description        Qty     price      total
Copper pipe          3    301.12     903.36
"""
    assert rows(text) == [("Copper pipe", "3", "301.12", "903.36")]


def test_a_number_with_its_unit_stands_where_its_digits_are() -> None:
    text = """Description                      Qty Unit           Unit Price        Total
Annual support plan               19 pcs                 8.37       159.03
Office chair, black                6 pieces            391.93     2,351.58
"""
    assert rows(text) == [
        ("Annual support plan", "19", "8.37", "159.03"),
        ("Office chair, black", "6", "391.93", "2351.58"),
    ]


def test_a_unit_glued_to_a_quantity_is_none_of_its_digits() -> None:
    text = """Item                  Quantity      Price      Total
Copper pipe                 2m      77.81     155.62
Nails                    1.5kg      10.00      15.00
Turf                      12m2       2.00      24.00
Leaflets                    2k       0.10     200.00
"""
    assert rows(text) == [
        ("Copper pipe", "2", "77.81", "155.62"),
        ("Nails", "1.5", "10.00", "15.00"),
        ("Turf", "12", "2.00", "24.00"),
        ("Leaflets", "2000", "0.10", "200.00"),
    ]


def test_texts_that_stand_below_their_headings_stay_there() -> None:
    """Where two numbers share a heading, as many cells as headings are no reason to move all of them."""
    text = """  No. Description                Unit    Qty     Unit price   Net amount VAT %       VAT             Value

   1 Printer paper               pcs.     6.25       161.61       1 010.06       8          80.80     1 090.86

   2 Mounting of furniture       pcs.    10.25       192.09       1 968.92      23         452.85     2 421.77
"""
    assert [row[:3] for row in rows(text)] == [
        ("Printer paper", "6.25", "161.61"),
        ("Mounting of furniture", "10.25", "192.09"),
    ]


@pytest.mark.parametrize(
    ("line", "band"),
    [
        ("Nails                  about 2      10.00      20.00", "MEDIUM"),
        ("Nails                               10.00      20.00", "MEDIUM"),
        ("Delivery                                       20.00", "HIGH"),
        ("                             5                 253.43", "HIGH"),
    ],
)
def test_rows_are_less_sure_where_an_item_is_lost(line: str, band: str) -> None:
    text = f"""Item                  Quantity      Price      Total
Copper pipe                  3      77.81     233.43
{line}
"""
    assert paxman.normalize(text, ITEMS)["items"].confidence_band.value == band


def test_the_first_word_of_a_name_is_no_unit() -> None:
    text = """  Qty Details                         Unit price     Amount
 1.75 Steel brackets 40 mm                111.76     195.58
 2.00 kg sugar                              3.00       6.00
"""
    assert rows(text) == [("Steel brackets 40 mm", "1.75", "111.76", "195.58"), ("sugar", "2.00", "3.00", "6.00")]


def test_a_stacked_heading_may_end_in_a_colon_or_comma() -> None:
    text = """                        Qty:       Unit       Line
Description:                      price:     total:
Copper pipe                3      77.81     233.43
"""
    assert rows(text) == [("Copper pipe", "3", "77.81", "233.43")]


def test_a_number_behind_cents_is_another_one() -> None:
    text = """Beschreibung            Menge     Preis   Gesamt
Kupferrohr                  3     77,81   233,43
Eichenplatte               10     89,81 898,10
"""
    assert rows(text) == [("Kupferrohr", "3", "77.81", "233.43"), ("Eichenplatte", "10", "89.81", "898.10")]


@pytest.mark.parametrize("sign", ["R", "kr ", "Rs. ", "Kč ", "Rp "])
def test_currency_signs_in_letters_stand_before_amounts(sign: str) -> None:
    text = f"""Item              Qty        Price        Total
Copper pipe         2   {sign:>4}77.81  {sign:>4}155.62
Nails               3   {sign:>4}10.00   {sign:>4}30.00
"""
    assert rows(text) == [("Copper pipe", "2", "77.81", "155.62"), ("Nails", "3", "10.00", "30.00")]


def test_a_strip_of_sums_with_the_rate_of_a_tax_is_no_row() -> None:
    text = """Benämning          Antal       Pris      Belopp
Kopparrör              2      77,81      155,62

Netto          Moms 25%     Öresavrundning      ATT BETALA
155,62            38,91               0,47          195,00
"""
    assert rows(text) == [("Kopparrör", "2", "77.81", "155.62")]


def test_a_unit_below_the_heading_of_a_quantity_is_no_part_of_the_description() -> None:
    text = """Descrizione                  U.M.Quantità     Prezzo un.      Importo
Guarnizioni in viton         NR          1,00      304,44      304,44
Cuscinetto SKF               NR          4,00      372,12    1.488,48
"""
    assert [row[:2] for row in rows(text)] == [("Guarnizioni in viton", "1.00"), ("Cuscinetto SKF", "4.00")]


def test_what_was_shipped_is_the_quantity() -> None:
    text = """QTY ORD   SHIP   ITEM NO    DESCRIPTION            PRICE     EXTENSION
     20     15   K70218     Apron SM               49.10        736.50
      8      8   K98592     Food container MD      18.75        150.00
"""
    assert rows(text) == [("Apron SM", "15", "49.10", "736.50"), ("Food container MD", "8", "18.75", "150.00")]


LINES = {"name": "items", "type": "ARRAY", "required": True}
LINES["items"] = {
    "fields": [
        {"name": "quantity", "type": "INTEGER", "required": False},
        {"name": "description", "type": "STRING", "required": True},
        {"name": "amount", "type": "DECIMAL", "required": True},
    ]
}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            "2 Flat white   6.80\n1 Scone   3.25\n\nTOTAL   £10.05\nVAT @ 20%   £1.68",
            [("2", "Flat white"), ("1", "Scone")],
        ),
        (
            "Brot 750g   3,95 A\n4x Semmel   1,80 A\nSumme EUR   5,75\nBar   10,00",
            [(None, "Brot 750g"), ("4", "Semmel")],
        ),
        (
            "Fit 6 x lamps ..... $780.00\nInspection ..... $1,165.00\nSub-total  $1,945.00",
            [(None, "Fit 6 x lamps"), (None, "Inspection")],
        ),
        ("Bread  3.95\nMilk  1.80\nTax  0.50\nTotal  6.25", [(None, "Bread"), (None, "Milk")]),
        ("Table 4  12.30\nBread  3.95\nMilk  1.80\nTotal  5.75", [(None, "Bread"), (None, "Milk")]),
        ("Bread  3.95\nMilk  1.80\nTotal  6.75", None),
        ("Bread  3.95\nTotal  3.95", None),
        ("Net  100.00\nVAT 19%  19.00\nTotal  119.00", None),
        ("Visa  3.95\nCash  1.80\nTotal paid  5.75", None),
        ("Previous balance  100.00\nNew charges  50.00\nTotal due  150.00", None),
        ("Basic pay  2,500.00\nOvertime  250.00\nTotal earnings  2,750.00", None),
        ("Hammer   2   5.00   10.00\nSaw   1   7.00   7.00\nTotal   17.00", None),
    ],
)
def test_lines_that_add_up_to_their_sum_are_items_without_headings(lines: str, expected: list[Any] | None) -> None:
    found = paxman.normalize(f"Corner shop\n{lines}\n", contract(LINES))["items"]
    assert found.confidence_band.value == ("MEDIUM" if expected else "UNTRUSTED")
    items = [(str(row["quantity"]) if "quantity" in row else None, row["description"]) for row in found.value or ()]
    assert items == (expected or [])


def test_lines_that_add_up_are_no_array_of_another_kind() -> None:
    other = {**LINES, "name": "taxes"}
    assert paxman.normalize("Bread  3.95\nMilk  1.80\nTotal  5.75\n", contract(other))["taxes"].value is None


@pytest.mark.parametrize(
    ("names", "sums", "expected"),
    [
        (("Jumper", "Socks, 3 pack"), (("Subtotal", "£91.00"), ("Total", "£95.00")), ["1 Jumper", "2 Socks, 3 pack"]),
        (("Jumper", "Socks, 3 pack"), (("Courier", "£4.00"), ("Total", "£95.00")), ["1 Jumper", "2 Socks, 3 pack"]),
        (("Jumper", "Socks, 3 pack"), (("Total", "£95.00"),), []),
        (("Net amount", "VAT"), (("Total", "£91.00"),), []),
    ],
)
def test_cards_that_add_up_to_the_sum_below_them_are_items(names, sums, expected: list[str]) -> None:
    cells = zip(names, (1, 2), ("£64.00", "£27.00"), strict=True)
    cards = "".join(f"<tr><td><img><td><b>{name}</b><br>Qty: {count}<td>{price}" for name, count, price in cells)
    below = "".join(f"<tr><td>{label}<td>{amount}" for label, amount in sums)
    page = f"<html><body><table>{cards}</table><table>{below}</table></body></html>"
    found = paxman.normalize(page, contract(LINES))["items"].value or ()
    assert [f"{row['quantity']} {row['description']}" for row in found] == expected


@pytest.mark.parametrize("gap", ["   ", "\t", " | "])
@pytest.mark.parametrize(("first", "titles"), [("Titel", ["Die Reise", "Der Berg"]), ("Zeichen", [])])
def test_a_text_of_no_heading_is_not_taken_for_a_title(gap: str, first: str, titles: list[str]) -> None:
    rows = [
        (first, "ISBN", "Anzahl", "Preis"),
        ("Die Reise", "X-1 b", "1", "12,40"),
        ("Der Berg", "Y-2 c", "2", "68,00"),
    ]
    text = "\n".join(gap.join(f"{cell:10}" for cell in row) for row in rows)
    kinds = {"title": "STRING", "isbn": "STRING", "quantity": "INTEGER", "price": "DECIMAL"}
    columns = [{"name": name, "type": kind, "required": name != "isbn"} for name, kind in kinds.items()]
    books = {"name": "books", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    assert [row["title"] for row in paxman.normalize(f"{text}\n", contract(books))["books"].value or ()] == titles


SHORT = ("position_number", "description", "debit", "balance")
ENTRIES = [("1", "Rent", "2.00", "3.00"), ("2", "Bread", "4.00", "5.00")]


def entries(text: str, names: tuple[str, ...] = SHORT) -> list[tuple[str | None, ...]]:
    """Rows of an array of which nothing is required."""
    numbers = ("debit", "balance")
    columns = [{"name": n, "type": "DECIMAL" if n in numbers else "STRING", "required": False} for n in names]
    array = {"name": "items", "type": "ARRAY", "required": False, "items": {"fields": columns}}
    found = paxman.normalize(text, contract(array))["items"]
    values = [tuple(None if row.get(n) is None else str(row[n]) for n in names) for row in found.value or ()]
    return values if found.confidence_band.value in ("HIGH", "CERTAIN") else []


@pytest.mark.parametrize("gap", ["   ", "\t"])
@pytest.mark.parametrize(
    "headings",
    [
        "Pos|Narration|Withdrawal|Balance",
        "#|Movement|Paid out|Running balance",
        "Line|Transaction|Debit|Balance",
        "Line no.|Earnings|Debit|Balance",
        "Pos.|Lagerbewegung|Abgang|Bestand",
        "Lfd. Nr.|Buchungstext|Soll|Saldo",
        "Ligne|Opération|Débit|Solde",
        "N°|Opérations|Débits|Solde",
        "N° ligne|Mouvement|Sorties|Nouveau solde",
        "Línea|Movimiento|Cargo|Saldo",
        "Riga|Movimento|Dare|Saldo contabile",
        "Linha|Lançamento|Débito|Saldo",
        "Volgnr.|Mutatie|Uitgaven|Nieuw saldo",
        "Poz.|Operacja|Obciążenia|Saldo po operacji",
        "Rad|Händelse|Uttag|Saldo",
        "Sıra No|İşlem|Borç|Bakiye",
        "Sorszám|Tranzakció|Terhelés|Egyenleg",
        "№ п/п|Операция|Расход|Остаток",
        "番号|取引内容|出金|残高",
    ],
)
def test_headings_of_positions_and_movements(gap: str, headings: str) -> None:
    table = [tuple(headings.split("|")), *ENTRIES]
    text = "\n".join(gap.join(f"{cell:20}" for cell in row) for row in table)
    assert entries(f"{text}\n") == ENTRIES


@pytest.mark.parametrize("first", ["Batch no.", "N° de lot", "Transaction ID", "Movement type"])
def test_a_word_of_positions_or_movements_beside_another_is_none(first: str) -> None:
    table = [(first, "Debit", "Balance"), ("7", "2.00", "3.00"), ("3", "4.00", "5.00")]
    text = "\n".join("   ".join(f"{cell:20}" for cell in row) for row in table)
    assert entries(f"{text}\n") == [(None, None, "2.00", "3.00"), (None, None, "4.00", "5.00")]


def test_the_row_of_an_amount_is_no_position() -> None:
    text = "Descrizione     Importo riga    Saldo\nViti                    2,00     3,00\nDadi      4,00     5,00\n"
    assert entries(text)[:1] == [(None, "Viti", None, "3.00")]
