"""Which column is meant, where a table ends, and which of its lines are items."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import paxman
from paxman.transforms import run

TYPES = {"date": "DATE", **dict.fromkeys(("description", "product", "item", "sku", "account"), "STRING")}
ITEMS = ("description", "quantity", "unit_price", "line_total")
BANK = ("date", "description", "paid_out", "paid_in", "balance")


def read(text: str | bytes, *names: str) -> Any:
    columns = [{"name": name, "type": TYPES.get(name, "DECIMAL"), "required": False} for name in names]
    field = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    return paxman.normalize(text, {"id": "paper", "version": "1", "fields": [field]})["rows"]


def rows(text: str | bytes, *names: str) -> list[tuple[str | None, ...]]:
    """Rows as tuples in the order of the columns."""
    found = read(text, *names).value or []
    return [tuple(str(row[name]) if row.get(name) is not None else None for name in names) for row in found]


def rejected(text: str, *names: str) -> list[str]:
    return [note.message for note in read(text, *names).diagnostics if note.code == "ROW_REJECTED"]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("Item", "Description"),
        ("Product", "Details"),
        ("Article", "Désignation"),
        ("Artículo", "Concepto"),
        ("Artikel", "Omschrijving"),
        ("Artikel", "Artikelbezeichnung"),
        ("Artigo", "Descrição"),
        ("Articolo", "Descrizione"),
    ],
)
@pytest.mark.parametrize(
    "layout",
    [
        "{code},{text},Qty,Unit price,Line total\nX0-77,Copper pan,2,10.00,20.00\n",
        "{code:12}{text:30}Qty   Unit price    Amount\n"
        "X0-77       Copper pan                      2        10.00     20.00\n",
        "<table><tr><th>{code}</th><th>{text}</th><th>Qty</th><th>Unit price</th><th>Amount</th></tr>"
        "<tr><td>X0-77</td><td>Copper pan</td><td>2</td><td>10.00</td><td>20.00</td></tr></table>",
    ],
)
def test_the_word_for_a_thing_over_codes_gives_way_to_a_description(layout: str, code: str, text: str) -> None:
    assert rows(layout.format(code=code, text=text), *ITEMS) == [("Copper pan", "2", "10.00", "20.00")]


def test_the_word_for_a_thing_alone_is_its_description() -> None:
    assert rows("Item,Qty,Price,Amount\nCopper pan,2,10.00,20.00\n", *ITEMS) == [("Copper pan", "2", "10.00", "20.00")]


def test_a_contract_with_both_has_both() -> None:
    text = "Item,Beschreibung,Amount\nX0-77,Copper pan,20.00\n"
    assert rows(text, "product", "description", "line_total") == [("X0-77", "Copper pan", "20.00")]


def test_a_heading_that_the_contract_names_comes_before_one_that_means_the_same() -> None:
    text = "Details,Description,Amount\nboxed,Copper pan,20.00\n"
    assert rows(text, "description", "line_total") == [("Copper pan", "20.00")]


@pytest.mark.parametrize("headings", ["Nettowert,MwSt,Bruttobetrag", "Wartość netto,Kwota VAT,Wartość brutto"])
def test_of_net_and_gross_the_line_total_is_the_net(headings: str) -> None:
    text = f"Description,{headings}\nChair,100.00,23.00,123.00\n"
    assert rows(text, "description", "line_total") == [("Chair", "100.00")]


SERVICES = """Description                              Amount
Bookkeeping May                          420.00
Tax return preparation 2023              350.00
Balance sheet review                      80.00
Net curtain cleaning                      80.00
Payroll run                               80.00

"""
NAMED_LIKE_SUMS = [
    ("Bookkeeping May", "420.00"),
    ("Tax return preparation 2023", "350.00"),
    ("Balance sheet review", "80.00"),
    ("Net curtain cleaning", "80.00"),
    ("Payroll run", "80.00"),
]


@pytest.mark.parametrize(
    "sums",
    [
        "Total                                  1,010.00\n",
        "Total GBP                              1,010.00\n",
        "VAT 20%                                  202.00\nTotal                                  1,212.00\n",
        "VAT @ 20% on 1,010.00                    202.00\nTotal                                  1,212.00\n",
        "Total for work in May                  1,010.00\n",
    ],
)
def test_an_item_named_like_a_sum_is_an_item(sums: str) -> None:
    assert rows(SERVICES + sums, "description", "line_total") == NAMED_LIKE_SUMS


def test_an_item_named_like_a_sum_is_one_in_a_sheet_too() -> None:
    text = "Service,Amount\nBookkeeping May,420.00\nTax return preparation 2023,350.00\nPayroll run,80.00\n"
    expected = [("Bookkeeping May", "420.00"), ("Tax return preparation 2023", "350.00"), ("Payroll run", "80.00")]
    for last in ("Total,850.00\n", "Total for May,850.00\n", "VAT 20%,170.00\nTotal,1020.00\n"):
        assert rows(text + last, "description", "line_total") == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["Tax return preparation", "Payroll run"], ["Tax return preparation", "Payroll run"]),
        (["Payroll run", "Balance sheet review"], ["Payroll run", "Balance sheet review"]),
        (["Payroll run", "Tax of the state"], ["Payroll run"]),
    ],
)
def test_an_item_with_only_an_amount_that_the_total_has_in_it_is_an_item(lines: list[str], expected: list[str]) -> None:
    form = "{:30}{:>6}{:>14}{:>12}\n".format
    text = form("Description", "Qty", "Unit price", "Amount") + form("Bookkeeping", "2", "10.00", "20.00")
    text += "".join(form(line, "", "", "80.00") for line in lines) + "\n" + form("Total", "", "", "180.00")
    assert rows(text, *ITEMS) == [("Bookkeeping", "2", "10.00", "20.00"), *((e, None, None, "80.00") for e in expected)]


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("name", ["Pay", "Cash", "Net", "Total Wine", "Net bag", "Cash box"])
def test_an_item_named_like_a_sum_or_payment_is_one_if_the_total_has_it_in_it(name: str, place: int) -> None:
    items = [("Apple", "6.00"), ("Pear", "4.50")]
    items.insert(place, (name, "7.25"))
    lines = [("Description", "Amount"), *items, ("Total", "17.75")]
    for line in ("{:30}{:>12}\n".format, "{},{}\n".format):
        assert rows("".join(line(*cells) for cells in lines), "description", "line_total") == items


@pytest.mark.parametrize(
    "below",
    [
        [("Pen", "1", "3.00", "3.00")],
        [("Total", "", "", "53.50")],
        [("VAT 10%", "", "", "5.35"), ("Total", "", "", "58.85")],
    ],
)
def test_two_items_named_like_payments_do_not_end_a_table(below: list[tuple[str, ...]]) -> None:
    items = [("Printer", "1", "2.00", "2.00"), ("Cash box", "", "", "50.00"), ("Deposit bottles", "", "", "1.50")]
    lines = [("Description", "Qty", "Unit price", "Amount"), *items, *below]
    text = "".join("{:20}{:>5}{:>14}{:>10}\n".format(*cells) for cells in lines)
    expected = [("Printer", "2.00"), ("Cash box", "50.00"), ("Deposit bottles", "1.50"), ("Pen", "3.00")]
    names = ("description", "quantity", "unit_price", "line_total")
    found = [(row[0], row[3]) for row in rows(text, *names)]
    assert found == expected[: 4 if below[0][0] == "Pen" else 3]


def test_an_item_named_for_a_payment_has_a_quantity() -> None:
    head, item = "Description        Qty      Amount\n", "Printer              1        2.00\n"
    paid = "Cash                 2       50.00\nDeposit              3        1.50\n"
    names = ("description", "quantity", "line_total")
    assert [row[0] for row in rows(head + item + paid, *names)] == ["Printer", "Cash", "Deposit"]
    beside = "Cash             50.00       Change      48.00\n"
    assert [row[0] for row in rows(head + item + beside, *names)] == ["Printer"]


@pytest.mark.parametrize(
    "sums",
    [
        [("Net", "10.50"), ("VAT 10%", "1.05"), ("Total", "11.55")],
        [("Total", "10.50"), ("Cash", "20.00"), ("Change", "9.50")],
        [("Cash", "20.00"), ("Change", "9.50")],
        [("Total", "10.50"), ("Total in points", "21.00")],
        [("Paid", "-5.00"), ("Amount due", "5.50")],
    ],
)
def test_sums_and_payments_below_the_items_are_none(sums: list[tuple[str, str]]) -> None:
    items = [("Apple", "6.00"), ("Pear", "4.50")]
    lines = [("Description", "Amount"), *items, *sums]
    assert rows("".join(f"{a:30}{b:>12}\n" for a, b in lines), "description", "line_total") == items


@pytest.mark.parametrize("name", ["Payment", "Tax", "Total", "VAT 20%"])
@pytest.mark.parametrize("line", ["{:20}{:>5}{:>10}\n", "{},{},{}\n"])
def test_a_sum_over_the_items_is_left_out_and_ends_nothing(name: str, line: str) -> None:
    items = [("Valve", "2", "10.00"), ("Hinge", "1", "7.00")]
    text = "".join(line.format(*cells) for cells in [("Description", "Qty", "Amount"), (name, "", "5.00"), *items])
    assert rows(text, "description", "quantity", "line_total") == items
    assert rejected(text, "description", "quantity", "line_total") == ["row 1 was left out: a sum, not an item"]


def test_a_tax_with_items_below_it_that_a_sum_has_in_it_is_an_item() -> None:
    items = [("Rent", "900.00"), ("Tax", "120.00"), ("Food", "410.30"), ("Car", "150.00")]
    lines = [("Description", "Amount"), *items, ("Sum", "1580.30")]
    assert rows("".join(f"{a:30}{b:>12}\n" for a, b in lines), "description", "line_total") == items
    levied = [("Rent", "900.00"), ("Tax", "120.00"), ("Levy", "10.00"), ("Sum", "1030.00")]
    text = "".join(f"{a:30}{b:>12}\n" for a, b in [lines[0], *levied])
    assert rows(text, "description", "line_total") == items[:1]


def test_the_sum_of_a_group_is_no_item_and_no_end() -> None:
    text = (
        "Description                      Amount\n"
        "Rent                             800.00\n"
        "Parking                          350.00\n"
        "Total for April                 1150.00\n"
        "Rent                             800.00\n"
        "Parking                          300.00\n"
        "Total for May                   1100.00\n"
        "Total                           2250.00\n"
    )
    names = ("description", "line_total")
    assert rows(text, *names) == [
        ("Rent", "800.00"),
        ("Parking", "350.00"),
        ("Rent", "800.00"),
        ("Parking", "300.00"),
    ]
    assert rejected(text, *names)[0] == "row 3 was left out: a subtotal, not an item"


HEADINGS = "Description                      Qty    Unit price      Amount\n"
FIRST = "Widget one                         1         10.00       10.00\n"
SECOND = "Widget two                         2         10.00       20.00\n"
WIDGETS = [("Widget one", "1", "10.00", "10.00"), ("Widget two", "2", "10.00", "20.00")]


CLAUSES = "".join(f"Clause {letter} is printed overleaf\n" for letter in "abcdefghijklmnopq")


@pytest.mark.parametrize(
    "between",
    [
        "\n" * 20,
        "\n" * 9 + "Bank\nPage 1 of 2\n\fAcme Ltd\nTel 0113 496 0000\n" + "\n" * 9,
        f"\n{CLAUSES}Page 1 of 2\n\n",
        f"\n{CLAUSES}\nAcme Ltd, Leeds\n\n",
    ],
)
def test_rows_go_on_far_below_where_they_are_set_alike(between: str) -> None:
    text = "Acme Ltd, Leeds\n\n" + HEADINGS + FIRST + between + SECOND + "\nPage 2 of 2\n"
    assert rows(text, *ITEMS) == WIDGETS


def test_rows_of_the_same_page_below_much_other_text_are_rejected_with_that_reason() -> None:
    text = HEADINGS + FIRST + f"\n{CLAUSES}\nRecommended for you\n" + SECOND
    assert rows(text, *ITEMS) == WIDGETS[:1]
    assert rejected(text, *ITEMS) == ["row 2 was left out: below the end of the table"]


def test_the_head_of_a_page_is_no_part_of_a_description() -> None:
    assert rows(HEADINGS + FIRST + "\fAcme Ltd\nLeeds\n" + SECOND, *ITEMS) == WIDGETS


def test_a_row_far_below_that_is_set_otherwise_goes_on_if_its_price_fits_its_total() -> None:
    far = "\n" * 20
    assert rows(HEADINGS + FIRST + far + "  " + SECOND, *ITEMS) == WIDGETS
    assert rows(HEADINGS + FIRST + far + "  Rates            2            3.00      4.00\n", *ITEMS) == WIDGETS[:1]


@pytest.mark.parametrize("below", ["\n" * 20 + SECOND, SECOND.replace("Widget two", "Deposit   ")])
def test_items_below_the_sum_of_a_table_are_rejected_with_that_reason(below: str) -> None:
    text = HEADINGS + FIRST + "Total                                                   10.00\n" + below
    assert rows(text, *ITEMS) == WIDGETS[:1]
    assert rejected(text, *ITEMS) == [
        "row 2 was left out: a sum, not an item",
        "row 3 was left out: below the end of the table",
    ]


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("Balance brought forward", "Balance carried forward"),
        ("Opening balance", "Closing balance"),
        ("Saldo anterior", "Saldo final"),
        ("Ancien solde", "Nouveau solde"),
    ],
)
def test_the_balance_before_and_after_is_no_transaction(opening: str, closing: str) -> None:
    text = (
        "Date         Description                    Paid out      Paid in       Balance\n"
        f"21/04/2024   {opening:27}                               1,204.56\n"
        "25/04/2024   Thames Water                       38.20                  1,166.36\n"
        "26/04/2024   Refund                                          10.00     1,176.36\n"
        f"26/04/2024   {closing:27}                               1,176.36\n"
    )
    assert rows(text, *BANK) == [
        ("2024-04-25", "Thames Water", "38.20", None, "1166.36"),
        ("2024-04-26", "Refund", None, "10.00", "1176.36"),
    ]
    reason = "was left out: a subtotal, not an item"
    assert rejected(text, *BANK) == [f"row 1 {reason}", f"row 4 {reason}"]


@pytest.mark.parametrize(
    "label", ["Übertrag", "Übertrag von Seite 1", "Carried forward", "Balance c/f", "Transporte", "Riporto da pagina 1"]
)
def test_a_sum_from_another_page_is_no_item(label: str) -> None:
    text = f"Description                     Amount\n{label:30}800.00\nParking                       350.00\n"
    assert rows(text, "description", "line_total") == [("Parking", "350.00")]


@pytest.mark.parametrize(
    "label", ["Übertragung", "Übertrag Sparkonto", "Vortrag Berlin", "Gastos de transporte", "Siirto A"]
)
def test_a_service_or_transfer_named_like_one_is_an_item(label: str) -> None:
    text = f"Description                     Amount\n{label:30}800.00\nParking                       350.00\n"
    assert rows(text, "description", "line_total") == [(label, "800.00"), ("Parking", "350.00")]


@pytest.mark.parametrize("label", ["Transport", "Report", "Vortrag"])
def test_a_word_for_a_sum_that_goes_over_is_an_item_if_no_page_turns_and_it_sums_nothing_up(label: str) -> None:
    text = f"Description                     Amount\nBricks{200:>30}.00\n{label:30}{{}}.00\nSand{210:>32}.00\n"
    bricks, sand = ("Bricks", "200.00"), ("Sand", "210.00")
    assert rows(text.format(150), "description", "line_total") == [bricks, (label, "150.00"), sand]
    assert rows(text.format(200), "description", "line_total") == [bricks, sand]
    assert rows(text.format(150).replace("Sand", "Page 1 of 2\n\fSand"), "description", "line_total") == [bricks, sand]


@pytest.mark.parametrize("label", ["Transport", "Report", "Vortrag"])
@pytest.mark.parametrize("day", ["2025-03-02", "Mar 2, 2025"])
def test_a_day_before_it_is_no_label(label: str, day: str) -> None:
    text = (
        "Date          Description      Amount\n2025-03-01    Bricks           200.00\n"
        f"{day:<14}{label:<17}{{}}\n2025-03-03    Sand             210.00\n"
    )
    bricks, sand = ("Bricks", "200.00"), ("Sand", "210.00")
    found = [rows(text.format(amount), "date", "description", "line_total") for amount in ("150.00", "200.00")]
    assert [[row[1:] for row in each] for each in found] == [[bricks, (label, "150.00"), sand], [bricks, sand]]


@pytest.mark.parametrize(
    ("label", "is_item"), [("Round table", True), ("Rounded edge", True), ("Rounded to 5c", False)]
)
def test_a_thing_that_is_round_rounds_nothing(label: str, is_item: bool) -> None:
    text = (
        "Description                         Qty    Price    Amount\n"
        "Lunch buffet                         10    12.00    120.00\n"
        f"{label:<52}150.00\n"
        "Room hire                             1   240.00    240.00\n"
    )
    lunch, hire = ("Lunch buffet", "10", "12.00", "120.00"), ("Room hire", "1", "240.00", "240.00")
    assert rows(text, *ITEMS) == [lunch, *[(label, None, None, "150.00")] * is_item, hire]


def test_the_balance_before_and_after_is_no_transaction_in_a_sheet() -> None:
    text = (
        "date,description,paid_out,paid_in,balance\n"
        "2024-04-21,Opening balance,,,1204.56\n"
        "2024-04-25,Thames Water,38.20,,1166.36\n"
    )
    assert rows(text, *BANK) == [("2024-04-25", "Thames Water", "38.20", None, "1166.36")]
    assert rejected(text, *BANK) == ["row 1 was left out: a sum, not an item"]


def test_of_net_and_gross_the_line_total_is_the_one_that_the_price_says() -> None:
    text = (
        "Lp   Nazwa             J.m.  Ilość  Cena      Suma A   VAT %    Kwota VAT   Razem\n"
        "1    Krzesełko         szt.      2  50,00     100,00      23        23,00   123,00\n"
        "2    Stolik            szt.      1  10,00      10,00      23         2,30    12,30\n"
    )
    assert rows(text, *ITEMS) == [("Krzesełko", "2", "50.00", "100.00"), ("Stolik", "1", "10.00", "10.00")]


@pytest.mark.parametrize(
    ("ordered", "delivered"),
    [("Ordered", "Delivered"), ("Besteld", "Geleverd"), ("Qté commandée", "Qté livrée"), ("Bestellt", "Geliefert")],
)
def test_the_quantity_of_a_delivery_is_what_was_delivered(ordered: str, delivered: str) -> None:
    text = f"Description         {ordered:>14}{delivered:>14}\nOSB board                       16            12\n"
    assert rows(text, "description", "quantity") == [("OSB board", "12")]
    alone = f"Description         {ordered:>14}\nOSB board                       16\n"
    assert rows(alone, "description", "quantity") == [("OSB board", "16")]


@pytest.mark.parametrize(("debit", "credit"), [("S", "H"), ("DR", "CR"), ("Dr", "Cr"), ("-", "+")])
@pytest.mark.parametrize(
    "layout",
    [
        "Buchung      Verwendungszweck            Betrag\n"
        "01.07.2024   Miete Juli               690,00 {0}\n"
        "30.07.2024   Gehalt                 1.100,00 {1}\n",
        "Buchung;Verwendungszweck;Betrag\n01.07.2024;Miete Juli;690,00 {0}\n30.07.2024;Gehalt;1.100,00 {1}\n",
    ],
)
def test_a_mark_behind_an_amount_is_its_sign(layout: str, debit: str, credit: str) -> None:
    text = layout.format(debit, credit)
    names = ("date", "description", "amount")
    assert rows(text, *names) == [("2024-07-01", "Miete Juli", "-690.00"), ("2024-07-30", "Gehalt", "1100.00")]
    refs = read(text, *names).evidence_refs
    amounts = [run(ref.transforms, text[slice(*ref.span)]) for ref in refs if ref.field_path.endswith("amount")]
    assert amounts == [Decimal("-690.00"), Decimal("1100.00")]


SIDED = ("Withdrawal", "Deposit", "Balance")
DR_CR = [("5.00 Dr", "15.00 Cr"), ("4.00 Cr", "9.00 Cr")]
S_H = [("5.00 S", "15.00 H"), ("4.00 H", "9.00 H")]
SIGNED = [("5.00", "15.00-"), ("24.00", "9.00+")]
OPEN = "amounts with the mark {!r} may be positive or negative: nothing says whose account it is"


@pytest.mark.parametrize("part", ["", ";"])
@pytest.mark.parametrize(
    ("top", "headings", "cells", "expected"),
    [
        ("", SIDED, [("5.00", "", "15.00 Cr"), ("", "42.00", "57.00 Cr")], (["15.00", "57.00"], "HIGH", [])),
        ("", ("Amount", "Balance"), DR_CR, (["15.00", "9.00"], "MEDIUM", [OPEN.format("Cr")])),
        ("Bank statement", ("Amount", "Balance"), DR_CR, (["15.00", "9.00"], "HIGH", [])),
        ("Sales ledger", ("Amount", "Balance"), DR_CR, (["-15.00", "-9.00"], "HIGH", [])),
        ("Kontoblatt 1200", ("Amount", "Balance"), S_H, (["15.00", "9.00"], "MEDIUM", [OPEN.format("H")])),
        ("Kontoauszug", ("Amount", "Balance"), S_H, (["15.00", "9.00"], "HIGH", [])),
        ("", ("Amount", "Balance"), SIGNED, (["-15.00", "9.00"], "HIGH", [])),
        ("", ("Amount", "Balance"), [("5.00", "15.00"), ("24.00", "9.00 DR")], (["15.00", "-9.00"], "HIGH", [])),
        ("", ("Amount", "Balance"), [("5.00", "15.00"), ("24.00", "9.00 CR")], (["15.00", "-9.00"], "HIGH", [])),
        ("Sales ledger", ("Amount", "Balance"), [("5.00", "15.00 Cr")], (["-15.00"], "HIGH", [])),
        ("Savings account", ("Amount", "Balance"), [("5.00", "15.00 Cr")], (["15.00"], "HIGH", [])),
        ("", ("Amount", "Balance"), [("5.00", "15.00 Cr")], (["-15.00"], "MEDIUM", [OPEN.format("Cr")])),
        ("", ("Amount", "Balance"), [("5.00", "15.00 Dr")], (["15.00"], "MEDIUM", [OPEN.format("Dr")])),
    ],
)
def test_credits_are_money_in_on_papers_of_a_bank(part, top, headings, cells, expected) -> None:
    lines = [("Date", "Text", *headings), *(("2025-03-05", "Sale", *row) for row in cells)]
    text = "".join(f"{part.join(f'{cell:14}' if not part else cell for cell in row)}\n" for row in lines)
    found = read(f"{top}\n\n{text}" if top else text, "date", "description", "balance")
    told = [note.message for note in found.diagnostics if note.code == "AMBIGUOUS_VALUE"]
    assert ([str(row["balance"]) for row in found.value], found.confidence_band.value, told) == expected


@pytest.mark.parametrize("part", ["", ";"])
@pytest.mark.parametrize(
    ("top", "cells", "amounts", "told"),
    [
        ("", ("450.00 Cr", "80.00 Dr"), ["450.00", "-80.00"], [OPEN.format("Cr")]),
        ("", ("450.00", "80.00 Cr"), ["450.00", "-80.00"], [OPEN.format("Cr")]),
        ("", ("450.00", "80.00 Dr"), ["450.00", "-80.00"], [OPEN.format("Dr")]),
        ("Invoice", ("450.00", "80.00 Cr"), ["450.00", "-80.00"], []),
    ],
)
def test_an_account_is_not_that_of_a_bank_for_its_name(part, top, cells, amounts, told) -> None:
    lines = [("Account", "Amount"), *zip(("Sales", "Rent"), cells, strict=True)]
    text = "".join(f"{part.join(f'{cell:14}' if not part else cell for cell in row)}\n" for row in lines)
    found = read(f"{top}\n\n{text}" if top else text, "account", "amount")
    assert [str(row["amount"]) for row in found.value] == amounts
    assert [note.message for note in found.diagnostics if note.code == "AMBIGUOUS_VALUE"] == told
    assert found.confidence_band.value == ("MEDIUM" if told else "HIGH")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Closing balance: 57.00 Cr\n", ("57.00", "MEDIUM")),
        ("Closing balance: 57.00 Dr\n", ("-57.00", "MEDIUM")),
        ("Bank statement\n\nClosing balance: 57.00 Cr\n", ("57.00", "HIGH")),
        ("Bank statement\n\nClosing balance: 57.00 Dr\n", ("-57.00", "HIGH")),
        ("Customer statement\n\nClosing balance: 57.00 Cr\n", ("-57.00", "HIGH")),
        ("Customer statement\n\nClosing balance: 57.00 Dr\n", ("57.00", "HIGH")),
        ('{"closing_balance": "57.00 Cr", "kind": "bank statement"}', ("57.00", "HIGH")),
    ],
)
def test_the_sign_of_a_marked_balance_is_that_of_its_kind_of_paper(text: str, expected: tuple[str, str]) -> None:
    contract = {"id": "c", "version": "1", "fields": [{"name": "closing_balance", "type": "DECIMAL", "required": True}]}
    found = paxman.normalize(text, contract)["closing_balance"]
    notes = [note.code for note in found.diagnostics if note.code == "AMBIGUOUS_VALUE"]
    assert (str(found.value), found.confidence_band.value) == expected
    assert notes == ["AMBIGUOUS_VALUE"] * (expected[1] == "MEDIUM")


def test_a_letter_that_stands_behind_all_amounts_is_no_sign() -> None:
    text = "Beschreibung         Betrag\nBrot                1,99 S\nMilch               2,50 S\n"
    assert rows(text, "description", "amount") == [("Brot", "1.99"), ("Milch", "2.50")]


def test_a_unit_behind_a_number_is_no_sign() -> None:
    text = "Description         Amount\nBoot                  30 s\nInstall                2 h\n"
    assert rows(text, "description", "amount") == [("Boot", "30"), ("Install", "2")]


def test_the_columns_of_a_statement_are_known_by_other_words() -> None:
    text = (
        "Buchung      Text                 Soll        Haben        Kontostand\n"
        "01.07.2024   Miete Juli         690,00                         122,44\n"
        "30.07.2024   Gehalt                        1.100,00          1.222,44\n"
    )
    assert rows(text, *BANK) == [
        ("2024-07-01", "Miete Juli", "690.00", None, "122.44"),
        ("2024-07-30", "Gehalt", None, "1100.00", "1222.44"),
    ]


def test_a_row_whose_amount_nobody_asks_for_is_rejected_with_that_reason() -> None:
    text = (
        "Date         Description                    Charges        Credits\n"
        "21/06/2024   Accommodation                   155.00\n"
        "24/06/2024   Parking                          12.00\n"
        "24/06/2024   Minibar returned                               167.00\n"
    )
    names = ("date", "description", "amount")
    assert rows(text, *names) == [("2024-06-21", "Accommodation", "155.00"), ("2024-06-24", "Parking", "12.00")]
    assert rejected(text, *names) == ["row 3 was left out: its amount stands below a heading that is not asked for"]


ELSEWHERE = "row {} was left out: its amount stands below a heading that is not asked for"
ROOM = ("10/09/2025   Room                120.00", "2025-09-10", "Room", "120.00")
BAR = ("13/09/2025   Bar                  14.00", "2025-09-13", "Bar", "14.00")


@pytest.mark.parametrize("name", ["Visa payment", "Card", "Cash", "Change", "Total", "Balance", "Tax"])
@pytest.mark.parametrize("place", [1, 2])
def test_a_row_with_a_day_is_one_though_named_like_a_sum_and_its_amount_is_not_asked_for(name: str, place: int) -> None:
    others = [ROOM, BAR]
    lines = [line for line, *_ in others]
    lines.insert(place, f"13/09/2025   {name:<30}134.00")
    text = "\n".join(["Date         Description        Charges     Credits", *lines, ""])
    names = ("date", "description", "charges")
    assert rows(text, *names) == [tuple(values) for _, *values in others]
    assert rejected(text, *names) == [ELSEWHERE.format(place + 1)]


LUNCH = "Lunch buffet                         10    12.00    120.00"
HIRE = "Room hire                             1   240.00    240.00"


@pytest.mark.parametrize(
    ("line", "asked", "numbers"),
    [
        ("Set-up fee                                           50.00", "quantity", ("10", "1")),
        ("Napkins                              50", "line_total", ("120.00", "240.00")),
    ],
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_row_with_a_number_only_where_nobody_asks_for_it_is_no_text_of_another(
    line: str, asked: str, numbers: tuple[str, str], place: int
) -> None:
    lines = [LUNCH, HIRE]
    lines.insert(place, line)
    text = "\n".join(["Description                         Qty    Price    Amount", *lines, ""])
    assert rows(text, "description", asked) == [("Lunch buffet", numbers[0]), ("Room hire", numbers[1])]
    assert rejected(text, "description", asked) == [ELSEWHERE.format(place + 1)]


def test_a_payment_among_rows_whose_amount_nobody_asks_for_does_not_end_them() -> None:
    paid = "Cash deposit                                         50.00"
    text = "\n".join(["Description                         Qty    Price    Amount", LUNCH, paid, HIRE, ""])
    assert rows(text, "description", "quantity") == [("Lunch buffet", "10"), ("Room hire", "1")]
    assert rejected(text, "description", "quantity") == [ELSEWHERE.format(2)]


@pytest.mark.parametrize("line", ["  with drinks                                   12.00", "with drinks      12.00"])
def test_a_text_below_a_row_is_part_of_it_though_a_number_stands_beside_it(line: str) -> None:
    text = "\n".join(["Description                         Qty    Price    Amount", LUNCH, line, HIRE, ""])
    assert rejected(text, "description", "quantity") == []


@pytest.mark.parametrize("line", ["Items ordered by Ms Hill", "Items ordered later", "Quantity and price as agreed"])
def test_a_text_with_the_words_of_headings_does_not_end_a_table(line: str) -> None:
    text = "\n".join(["Description                         Qty    Price    Amount", LUNCH, HIRE, line, LUNCH, HIRE, ""])
    numbers = [("10", "12.00", "120.00"), ("1", "240.00", "240.00")]
    assert [row[1:] for row in rows(text, *ITEMS)] == [*numbers, *numbers]


@pytest.mark.parametrize(
    "label", ["Carried from page 1", "Running total", "Balance b/fwd", "brought over", "From page 1", "Amount so far"]
)
@pytest.mark.parametrize("is_headed", [True, False])
def test_the_sum_of_the_page_before_is_no_item_whatever_it_is_called(label: str, is_headed: bool) -> None:
    head = "Description                         Qty    Price    Amount"
    bar = "Bar                                   1    24.00     24.00"
    lines = [head, LUNCH, HIRE, "Page 1 of 2", *[head] * is_headed, f"{label:52}360.00", bar, ""]
    lunch, hire = ("Lunch buffet", "10", "12.00", "120.00"), ("Room hire", "1", "240.00", "240.00")
    text = "\n".join(lines)
    assert rows(text, *ITEMS) == [lunch, hire, ("Bar", "1", "24.00", "24.00")]
    assert rejected(text, *ITEMS) == ["row 3 was left out: a subtotal, not an item"]


def test_a_fee_at_the_top_of_a_page_that_sums_nothing_up_is_an_item() -> None:
    head = "Description                         Qty    Price    Amount"
    text = "\n".join([head, LUNCH, HIRE, "Page 1 of 2", head, f"{'Set-up':52}350.00", LUNCH, ""])
    lunch, hire = ("Lunch buffet", "10", "12.00", "120.00"), ("Room hire", "1", "240.00", "240.00")
    assert rows(text, *ITEMS) == [lunch, hire, ("Set-up", None, None, "350.00"), lunch]


@pytest.mark.parametrize(
    ("line", "is_clear"),
    [
        ("Thank you for your business", False),
        ("EQUIPMENT HIRE", False),
        ("Second day (Tuesday 4 March)", False),
        ("  With a view", True),
        ("with a view", True),
    ],
)
@pytest.mark.parametrize("below", [[], [LUNCH]])
def test_a_text_that_begins_as_a_row_below_the_only_one_that_goes_on_is_named(
    line: str, is_clear: bool, below: list[str]
) -> None:
    text = "\n".join(["Description                         Qty    Price    Amount", LUNCH, HIRE, line, *below, ""])
    found = read(text, *ITEMS)
    note = f"{line!r} may be part of a row's text, or not"
    assert found.value[1]["description"] == f"Room hire {line.strip()}"
    assert [each.message for each in found.diagnostics[:1]] == [note] * (not is_clear)
    assert found.confidence_band.value == ("HIGH" if is_clear else "MEDIUM")


TITLED = "Description                         Qty    Price    Amount"


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        ((LUNCH, "EQUIPMENT", HIRE, "DRINKS"), ["Lunch buffet EQUIPMENT", "Room hire DRINKS"]),
        ((LUNCH, "Equipment", HIRE, "2. Drinks"), ["Lunch buffet Equipment", "Room hire 2. Drinks"]),
        ((LUNCH, "with tea", "EQUIPMENT", HIRE), ["Lunch buffet with tea EQUIPMENT", "Room hire"]),
        (("FOOD", LUNCH, "EQUIPMENT", HIRE), ["Lunch buffet", "Room hire"]),
        ((f"  {LUNCH}", "Equipment", f"  {HIRE}", "Drinks"), ["Lunch buffet", "Room hire"]),
    ],
)
def test_texts_below_some_rows_and_not_the_last_may_be_titles(lines: tuple[str, ...], names: list[str]) -> None:
    found = read("\n".join([TITLED, *lines, f"  {LUNCH}", ""]), *ITEMS)
    described = [row["description"] for row in found.value]
    assert (described, found.confidence_band.value) == ([*names, "Lunch buffet"], "MEDIUM")
    assert any("may be part of a row's text, or not" in each.message for each in found.diagnostics)


@pytest.mark.parametrize(
    ("lines", "unclear"),
    [
        (("Kitchen", LUNCH, "Room,", "hire    " + HIRE[8:]), "Kitchen"),
        ((LUNCH, "with tea", HIRE, "by the hour", "Thank you for your business"), "Thank you for your business"),
        (("Set,", LUNCH, HIRE, "Bar", "Page 1 of 2", "\fAcme Ltd     Offer 3", "and", LUNCH), "Bar"),
        (("Set,", LUNCH, HIRE, "Bar,", "Page 1 of 2", "\fAcme Ltd     Offer 3", "and", LUNCH), "Bar,"),
    ],
)
def test_a_line_at_the_end_of_a_text_that_may_be_none_of_it_is_named(lines: tuple[str, ...], unclear: str) -> None:
    found = read("\n".join([TITLED, *lines, ""]), *ITEMS)
    assert found.confidence_band.value == "MEDIUM"
    assert f"{unclear!r} may be part of a row's text, or not" in [each.message for each in found.diagnostics]


def test_an_amount_beside_a_line_of_a_text_makes_that_unclear() -> None:
    lines = (LUNCH, "Set,", f"{'tea':52}350.00", "Room,", f"hire    {HIRE[8:]}")
    found = read("\n".join([TITLED, *lines, ""]), "description", "quantity")
    assert found.confidence_band.value == "MEDIUM"


def test_a_row_below_a_sum_whose_amount_nobody_asks_for_is_rejected() -> None:
    lines = (LUNCH, TITLED, f"{'Brought forward':52}120.00", f"{'Tea':52}350.00", HIRE)
    text = "\n".join([TITLED, *lines, ""])
    assert rows(text, "description", "quantity") == [("Lunch buffet", "10"), ("Room hire", "1")]
    assert rejected(text, "description", "quantity") == [
        "row 2 was left out: a subtotal, not an item",
        "row 3 was left out: its amount stands below a heading that is not asked for",
    ]


@pytest.mark.parametrize("line", ["with tea", "Art. 4711"])
def test_texts_below_all_rows_are_theirs(line: str) -> None:
    found = read("\n".join([TITLED, LUNCH, line, HIRE, line, ""]), *ITEMS)
    assert [row["description"] for row in found.value] == [f"Lunch buffet {line}", f"Room hire {line}"]
    assert found.confidence_band.value == "HIGH"


@pytest.mark.parametrize("line", ["Colour: grey", "Serial: 88-1"])
def test_a_property_below_a_row_that_is_left_out_is_named(line: str) -> None:
    text = "\n".join(["Description                         Qty    Price    Amount", LUNCH, f"  {line}", HIRE, ""])
    found = read(text, *ITEMS)
    assert [row["description"] for row in found.value] == ["Lunch buffet", "Room hire"]
    note = f"lines of text among rows that are properties and were left out, 1: {line!r}"
    assert [(each.code, each.message) for each in found.diagnostics] == [("INPUT_NOTE", note)]
    assert found.confidence_band.value == "HIGH"


@pytest.mark.parametrize(
    ("between", "notes"),
    [
        ("\nItems on back order\n", ["the rows below 'Items on back order' may be those of another table"]),
        ("\nPage 1 of 2\n\fMills Ltd\n", []),
        ("\n", []),
    ],
)
def test_rows_below_a_title_that_follows_the_sum_may_be_those_of_another_table(between: str, notes: list[str]) -> None:
    head = "Description                         Qty    Price    Amount"
    table = "\n".join([head, LUNCH, HIRE, f"{'Total':52}360.00", ""])
    found = read(table + between + head + "\n" + LUNCH + "\n", *ITEMS)
    assert [row["description"] for row in found.value] == ["Lunch buffet", "Room hire", "Lunch buffet"]
    assert [each.message for each in found.diagnostics if each.code == "AMBIGUOUS_VALUE"] == notes
    assert found.confidence_band.value == ("MEDIUM" if notes else "HIGH")


@pytest.mark.parametrize("headings", ["Soll      Haben", "Debit amount      Credit amount", "Paid out   Paid in"])
@pytest.mark.parametrize("kind", ["text", "csv", "html"])
def test_one_amount_is_not_taken_from_two_columns(headings: str, kind: str) -> None:
    out, into = headings.split("  ", 1)[0], headings.rsplit("  ", 1)[1].strip()
    rows = [["Date", "Text", out, into], ["2024-03-01", "Rent", "900.00", ""], ["2024-03-02", "Salary", "", "2500.00"]]
    source = {
        "text": "".join("".join(cell.ljust(16) for cell in row).rstrip() + "\n" for row in rows),
        "csv": "".join(",".join(row) + "\n" for row in rows),
        "html": f"<table>{''.join('<tr><td>' + '<td>'.join(row) for row in rows)}</table>",
    }[kind]
    columns = [
        {"name": "date", "type": "DATE", "required": True},
        {"name": "amount", "type": "DECIMAL", "required": True},
    ]
    one = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    result = paxman.normalize(source, {"id": "statement", "version": "1", "fields": [one]})["rows"]
    reason = f"amounts stand in two columns, '{out}' and '{into}'; the contract needs an optional field for each"
    assert (result.value, result.diagnostics[0].message) == (None, reason)
    columns = [{**column, "required": False} for column in columns]
    one["items"] = {"fields": [*columns, {"name": "text", "type": "STRING", "required": False}]}
    result = paxman.normalize(source, {"id": "statement", "version": "1", "fields": [one]})["rows"]
    expected = [{"date": date(2024, 3, 1), "text": "Rent"}, {"date": date(2024, 3, 2), "text": "Salary"}]
    assert [dict(row) for row in result.value] == expected
    assert [note.message for note in result.diagnostics if note.code == "VALIDATION_FAILED"] == [reason]
    both = read(source, "date", "description", "debit", "credit").value
    assert [(row.get("debit"), row.get("credit")) for row in both] == [(Decimal(900), None), (None, Decimal(2500))]


UNNUMBERED = """Pos  Article   Quantity  Unit
1    4711-A    250       pcs
     4712-B    500       pcs
     4800-C    8         m
5    5001-X    1000      pcs
     stainless
"""


def test_a_line_with_its_own_quantity_is_a_row_though_it_has_no_number() -> None:
    columns = {"pos": "INTEGER", "article": "STRING", "quantity": "DECIMAL", "unit": "STRING"}
    fields = [{"name": name, "type": type, "required": False} for name, type in columns.items()]
    array = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    found = paxman.normalize(UNNUMBERED, {"id": "paper", "version": "1", "fields": [array]})["rows"]
    assert [[str(row.get(name)) for name in columns] for row in found.value] == [
        ["1", "4711-A", "250", "pcs"],
        ["None", "4712-B", "500", "pcs"],
        ["None", "4800-C", "8", "m"],
        ["5", "5001-X stainless", "1000", "pcs"],
    ]


@pytest.mark.parametrize("numbers", [["1", "2"], ["10", "20"], ["1"]])
def test_below_rows_numbered_one_by_one_a_line_without_a_number_is_none(numbers: list[str]) -> None:
    lines = [f"{number:5}Nut         5\n     Batch       99812\n" for number in numbers]
    columns = {"pos": "INTEGER", "article": "STRING", "qty": "INTEGER"}
    fields = [{"name": name, "type": type, "required": False} for name, type in columns.items()]
    array = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    text = "Pos  Article     Qty\n" + "".join(lines)
    found = paxman.normalize(text, {"id": "paper", "version": "1", "fields": [array]})["rows"]
    assert [(row.get("pos"), row["qty"]) for row in found.value] == [(int(number), 5) for number in numbers]


SLASHED = "Date       Description              Amount\n{}      Coffee                     4.50\n"


@pytest.mark.parametrize(
    ("period", "day", "expected"),
    [
        ("Statement period 12/01/2025 - 12/31/2025", "12/20", "2025-12-20"),
        ("Statement period 12/01/2025 - 12/31/2025", "12/03", "2025-12-03"),
        ("Statement period 12/15/2025 - 01/14/2026", "01/03", "2026-01-03"),
        ("Period: December 1, 2025 through December 31, 2025", "12/03", "2025-12-03"),
        ("Statement period 01/12/2025 - 31/12/2025", "03/12", "2025-12-03"),
        ("Period January 1, 2025 - December 31, 2025", "02/03", None),
        ("Periods 12/01/2025 - 12/31/2025, 12/01/2024 - 12/31/2024", "12/20", None),
        ("Statement period 12/01/2025 - 12/31/2025", "11/20", None),
        ("Statement of December 2025", "12/20", None),
    ],
)
def test_a_day_with_a_slash_has_the_year_of_the_period_that_holds_it(
    period: str, day: str, expected: str | None
) -> None:
    found = rows(f"{period}\n\n{SLASHED.format(day)}", "date", "description", "line_total")
    assert found == [(expected, "Coffee", "4.50")]


def test_a_day_with_a_slash_outside_of_rows_may_be_a_month_of_a_year() -> None:
    field = {"name": "valid_thru", "type": "DATE", "required": True, "labels": ["Valid thru"]}
    text = "Statement period 12/01/2025 - 12/31/2025\nValid thru: 12/28\n"
    found = paxman.normalize(text, {"id": "c", "version": "1", "fields": [field]})
    assert found["valid_thru"].value is None


@pytest.mark.parametrize(
    ("period", "rows", "days"),
    [
        ("12/01/2025 - 12/31/2025", ("12/02", "12/12", "12/30"), ["2025-12-02", "2025-12-12", "2025-12-30"]),
        (
            "November 1, 2025 to December 31, 2025",
            ("12/11", "11/12", "11/30"),
            ["2025-12-11", "2025-11-12", "2025-11-30"],
        ),
        ("01/03/2025 - 05/03/2025", ("02/03", "03/04"), [None, None]),
    ],
)
def test_days_of_a_column_are_all_written_in_one_order(period: str, rows: tuple[str, ...], days: list[str]) -> None:
    lines = "".join(f"{day}   Coffee     4.50\n" for day in rows)
    columns = [
        {"name": name, "type": kind, "required": False}
        for name, kind in (("date", "DATE"), ("description", "STRING"), ("amount", "DECIMAL"))
    ]
    field = {"name": "rows", "type": "ARRAY", "required": False, "items": {"fields": columns}}
    text = f"Statement period {period}\n\nDate    Description   Amount\n{lines}"
    found = paxman.normalize(text, {"id": "p", "version": "1", "fields": [field]})["rows"].value
    assert [row.get("date") and row["date"].isoformat() for row in found] == days


WRAPPED = (
    "Item    Description                         Qty      Unit price      Amount\n"
    "1       Steel hinge delivered flat, with     3         93.36       280.08\n"
    "        manual\n"
    "2       Oak pipe extra long version          6         91.41       548.46\n"
    "        for doors\n"
)


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize("place", [8, 20, 24, 30, 52])
@pytest.mark.parametrize("title", ["Delivery note", "Delivery note 99", "Description"])
def test_a_title_over_headings_is_no_column(title: str, place: int, gap: str) -> None:
    found = read(" " * place + title + gap + WRAPPED, *ITEMS)
    assert [row["description"] for row in found.value] == [
        "Steel hinge delivered flat, with manual",
        "Oak pipe extra long version for doors",
    ]
    assert found.confidence_band.value == "HIGH"


@pytest.mark.parametrize("title", ["Delivered goods", "Delivered items", "Goods", "Quantity and price"])
@pytest.mark.parametrize("first", ["", "Pos   "])
def test_a_title_of_words_that_are_headings_is_none(title: str, first: str) -> None:
    text = (
        f"{title}\n"
        f"{first}Article          Qty   Unit price   Line total\n"
        f"{first and '1     '}Bolt               3         2.00         6.00\n"
        f"{first and '2     '}Nut                4         1.00         4.00\n"
    )
    assert rows(text, *ITEMS) == [("Bolt", "3", "2.00", "6.00"), ("Nut", "4", "1.00", "4.00")]


def test_a_title_may_stand_over_headings_on_two_lines() -> None:
    text = (
        "Delivered goods\n"
        "                      Quantity   Unit price    Amount\n"
        "Description of goods  ordered        in EUR    in EUR\n"
        "Bolt                         3         2.00      6.00\n"
    )
    assert rows(text, *ITEMS) == [("Bolt", "3", "2.00", "6.00")]


def test_headings_of_groups_leave_columns_to_those_below() -> None:
    text = (
        "                 Quantity             Price\n"
        "Item         Ordered  Shipped    Unit     Total\n"
        "Bolt               3        2    1.50      3.00\n"
        "Nut                4        4    2.50     10.00\n"
    )
    assert rows(text, *ITEMS) == [("Bolt", "2", "1.50", "3.00"), ("Nut", "4", "2.50", "10.00")]


def test_a_heading_above_the_others_with_cells_of_its_own_is_a_column() -> None:
    text = (
        "                  Batch\n"
        "Description                  Qty   Unit price   Line total\n"
        "Bolt              B-12         3         2.00         6.00\n"
        "Nut               B-13         4         1.00         4.00\n"
    )
    assert rows(text, *ITEMS) == [("Bolt", "3", "2.00", "6.00"), ("Nut", "4", "1.00", "4.00")]


SHORT_HEADINGS = "Description                    Qty    Unit price    Amount\n"
SHACKLE = "Anchor shackle galvanised       10          4.75     47.50\n"
ROPE = "Rope                             3         82.00    246.00\n"
PIN, WHOLE = "Anchor shackle galvanised", "Anchor shackle galvanised with pin"


@pytest.mark.parametrize(
    ("text", "name", "band"),
    [
        (f"{SHACKLE}with pin\n\f{SHORT_HEADINGS}{ROPE}", WHOLE, "HIGH"),
        (f"{SHACKLE}with pin\n\n  Page 1 of 2\n\f{SHORT_HEADINGS}{ROPE}", WHOLE, "HIGH"),
        (f"{SHACKLE}\fwith pin\n{ROPE}", WHOLE, "MEDIUM"),
        (f"{SHACKLE}\f{SHORT_HEADINGS}with pin\n{ROPE}", WHOLE, "MEDIUM"),
        (f"{SHACKLE}Page 1 of 2\n\fAcme Ltd   Invoice K-3\nwith pin\n{ROPE}", WHOLE, "MEDIUM"),
        (f"{SHACKLE[:25]},{SHACKLE[26:]}\fAcme Ltd   Invoice K-3\nStainless\n{ROPE}", f"{PIN},", "MEDIUM"),
        (f"{SHACKLE}\fAcme Ltd\n{ROPE}", PIN, "HIGH"),
        (f"{SHACKLE}\fpage 2\n{ROPE}", PIN, "HIGH"),
        (f"{SHACKLE}page 2\n{ROPE}", "Anchor shackle galvanised page 2", "HIGH"),
        (f"{SHACKLE}3/4\n{ROPE}", "Anchor shackle galvanised 3/4", "HIGH"),
        (f"{SHACKLE}page 2\n{SHORT_HEADINGS}{ROPE}", PIN, "HIGH"),
    ],
)
def test_a_text_at_the_end_or_the_beginning_of_a_page_is_not_lost(text: str, name: str, band: str) -> None:
    found = read(SHORT_HEADINGS + text, *ITEMS)
    assert ([row["description"] for row in found.value], found.confidence_band.value) == ([name, "Rope"], band)


FOOT = "Acme Ltd, 12 High Street\nPage {} of 2\n"
CARRIED = "Carried forward                                      47.50\n"
UNCLEAR = "{!r} may be part of a row's text, or not"
NO_ROW = "lines of text among rows that belong to none, 1: {!r}"


@pytest.mark.parametrize(
    ("top", "between", "name", "band", "notes"),
    [
        ("", f"  with pin\n{SHORT_HEADINGS}", WHOLE, "HIGH", []),
        ("", f"with pin\n{FOOT.format(1)}{SHORT_HEADINGS}", WHOLE, "HIGH", []),
        ("", f"with pin\n{FOOT.format(1)}", WHOLE, "HIGH", []),
        ("", f"{FOOT.format(1)}\f{SHORT_HEADINGS}", PIN, "HIGH", []),
        ("", f"\n{FOOT.format(1)}\nSkipper & Co\n  with pin\n{SHORT_HEADINGS}", WHOLE, "MEDIUM", ["with pin"]),
        ("", f"{CARRIED}{FOOT.format(1)}\f{SHORT_HEADINGS}with pin\n", WHOLE, "MEDIUM", ["with pin"]),
        ("", f"{FOOT.format(1)}\fSkipper & Co\nwith pin\n", WHOLE, "MEDIUM", ["with pin"]),
        ("", f"\f{SHORT_HEADINGS}Pin included\n", PIN, "MEDIUM", ["Pin included"]),
        ("Yachts\n", f"Boats\n{SHORT_HEADINGS}", PIN, "MEDIUM", ["Boats"]),
        ("", f"\nBoats\n{SHORT_HEADINGS}", PIN, "HIGH", ["Boats"]),
        ("", "\nBoats\n", PIN, "HIGH", ["Boats"]),
        ("Yachts\n", f"With pin\n\f{SHORT_HEADINGS}", f"{PIN} With pin", "HIGH", []),
        ("", f"with pin\ncontinued on next page\n{SHORT_HEADINGS}", WHOLE, "HIGH", []),
        ("", f"(Fortsetzung)\n\f{SHORT_HEADINGS}", PIN, "HIGH", []),
        ("", f"\n\fcontinued from page 1\n{SHORT_HEADINGS}", PIN, "HIGH", []),
    ],
)
def test_a_text_between_two_pages_is_part_of_a_row_or_named(
    top: str, between: str, name: str, band: str, notes: list[str]
) -> None:
    end = f"Total                                                293.50\n{FOOT.format(2)}"
    found = read(f"Skipper & Co\n\n{top}{SHORT_HEADINGS}{SHACKLE}{between}{ROPE}{end}", *ITEMS)
    assert ([row["description"] for row in found.value], found.confidence_band.value) == ([name, "Rope"], band)
    said = [note.message for note in found.diagnostics if note.code in ("AMBIGUOUS_VALUE", "INPUT_NOTE")]
    assert said == [(UNCLEAR if band == "MEDIUM" else NO_ROW).format(text) for text in notes]


PAINTS = [("Paint", "4", "32.50", "130.00"), ("Roller", "6", "8.25", "49.50")]
KINDS = {
    "text": ("{:24}{:>6}{:>12}{:>12}\n", "Description", "Qty", "Unit price", "Amount"),
    "csv": ("{},{},{},{}\n", "Description", "Qty", "Unit price", "Amount"),
    "csv_by_names": ("{},{},{},{}\n", "description", "quantity", "unit_price", "line_total"),
    "html": ("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>", "Description", "Qty", "Unit price", "Amount"),
}


def table(kind: str, *lines: tuple[str, ...]) -> str:
    form, *headings = KINDS[kind]
    text = "".join(form.format(*cells) for cells in (headings, *lines))
    return f"<table>{text}</table>" if kind == "html" else text


@pytest.mark.parametrize("kind", [*KINDS])
@pytest.mark.parametrize(
    "label",
    "Total hours|Total units|Total weight|Total labour|Total for March|Sub total A|Gesamtmenge|Summe Stück|Razem sztuk"
    "|Totaal aantal".split("|"),
)
def test_a_row_that_begins_like_a_sum_and_adds_up_columns_is_no_item(label: str, kind: str) -> None:
    text = table(kind, *PAINTS, (label, "10", "", "179.50"))
    assert rows(text, *ITEMS) == PAINTS
    assert rejected(text, *ITEMS) == ["row 3 was left out: a sum, not an item"]


@pytest.mark.parametrize("kind", ["text", "csv", "html"])
def test_a_sum_of_columns_may_be_that_of_a_group(kind: str) -> None:
    tapes = [("Tape", "10", "1.20", "12.00"), ("Brush", "2", "3.00", "6.00")]
    groups = [*PAINTS, ("Total units", "10", "", "179.50"), *tapes, ("Total units", "12", "", "18.00")]
    assert rows(table(kind, *groups), *ITEMS) == [*PAINTS, *tapes]


@pytest.mark.parametrize("kind", [*KINDS])
@pytest.mark.parametrize("numbers", [("10", "5.00", "50.00"), ("10", "", "50.00")])
def test_an_item_that_is_only_named_like_a_sum_of_a_column_is_an_item(kind: str, numbers: tuple[str, ...]) -> None:
    item = ("Total paint remover", *numbers)
    assert rows(table(kind, *PAINTS, item), *ITEMS) == [*PAINTS, tuple(cell or None for cell in item)]


@pytest.mark.parametrize(
    "label",
    ["Kontostand am 30.04.2025", "Balance as of 30 April 2025", "Balance on April 30, 2025", "Solde au 30/04/2025"],
)
@pytest.mark.parametrize(
    "text",
    [
        "Date        Description             Amount\n02/04/2025  Balance bike            780.00\n{:35}2678.95\n",
        "Date,Description,Amount\n02/04/2025,Balance bike,780.00\n,'{}',2678.95\n",
    ],
)
def test_the_balance_of_a_day_is_no_transaction(text: str, label: str) -> None:
    found = rows(text.format(label).replace("'", '"'), "description", "amount")
    assert found == [("Balance bike", "780.00")]


def read_required(text: str) -> Any:
    columns = [{"name": name, "type": TYPES.get(name, "DECIMAL"), "required": True} for name in ITEMS]
    field = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    return paxman.normalize(text, {"id": "paper", "version": "1", "fields": [field]})["rows"]


@pytest.mark.parametrize("kind", ["text", "html"])
@pytest.mark.parametrize(
    ("known", "unknown"),
    [("Unit price", "Unit €"), ("Unit price", "UNIT"), ("Amount", "Fee"), ("Description", "What")],
)
def test_the_only_column_that_can_be_meant_is_taken_with_a_doubt(known: str, unknown: str, kind: str) -> None:
    found = read_required(table(kind, *PAINTS).replace(f"{known:{len(unknown)}}", f"{unknown:{len(known)}}", 1))
    assert [tuple(map(str, row.values())) for row in found.value] == PAINTS
    assert found.confidence_band.value == "MEDIUM"
    name = ITEMS[["Description", "Qty", "Unit price", "Amount"].index(known)]
    assert found.diagnostics[0].message == f"no heading names {name!r}; what stands below {unknown!r} fits"


@pytest.mark.parametrize("kind", ["text", "html"])
@pytest.mark.parametrize(
    ("known", "unknown", "lines"),
    [
        ("Unit price", "Weight", [("Paint", "4", "2.50", "130.00"), ("Roller", "6", "8.25", "49.50")]),
        ("Unit price", "Unit", [("Paint", "1", "5.00", "5.00")]),
        ("Description", "Article no", PAINTS),
        ("Description", "What", [("77", "4", "32.50", "130.00"), ("78", "6", "8.25", "49.50")]),
    ],
)
def test_a_column_that_does_not_fit_is_not_taken(known: str, unknown: str, lines: Any, kind: str) -> None:
    text = table(kind, *lines).replace(f"{known:{len(unknown)}}", f"{unknown:{len(known)}}", 1)
    assert read_required(text).value is None


@pytest.mark.parametrize(
    ("text", "found", "band", "notes"),
    [
        (
            "sep=,\nproduct,count,price\nBolt,2,1,50\nNut,3,2,50\n",
            [("Bolt", "2", "1"), ("Nut", "3", "2")],
            "MEDIUM",
            ["2 rows have more cells than there are headings, so that one of them may be part of another"],
        ),
        (
            "product,count,price\nBolt,2,1.50\nSaw,4,5.00\nNut,3,2,50\n",
            [("Bolt", "2", "1.50"), ("Saw", "4", "5.00"), ("Nut", "3", "2")],
            "MEDIUM",
            ["1 row has more cells than there are headings, so that one of them may be part of another"],
        ),
        ("product,count,price,\nBolt,2,1,50\nNut,3,2,50\n", [("Bolt", "2", "1"), ("Nut", "3", "2")], "HIGH", []),
        (
            "<table><tr><th>product<th>count<th>price<tr><td>Bolt<td>2<td>1.50<td>remove</table>",
            [("Bolt", "2", "1.50")],
            "HIGH",
            [],
        ),
    ],
)
def test_a_cell_too_many_makes_the_row_unsure(
    text: str, found: list[tuple[str, ...]], band: str, notes: list[str]
) -> None:
    names = ("product", "count", "price")
    result = read(text, *names)
    told = [note.message for note in result.diagnostics if note.code == "AMBIGUOUS_VALUE"]
    assert (rows(text, *names), result.confidence_band.value, told) == (found, band, notes)


@pytest.mark.parametrize(("price", "expected"), [("1,50", (Decimal(1), "MEDIUM")), ("1.50", (Decimal("1.50"), "HIGH"))])
def test_a_value_of_a_row_with_a_cell_too_many_is_unsure(
    price: str, expected: tuple[Decimal, str], tmp_path: Path
) -> None:
    path = tmp_path / "one.csv"
    path.write_text(f"item,qty,price\nBolt,2,{price}\n")
    field = {"name": "price", "type": "DECIMAL", "required": True}
    found = paxman.normalize(path, {"id": "one", "version": "1", "fields": [field]})["price"]
    assert (found.value, found.confidence_band.value) == expected


_BOXED = (
    "┌─────────┬───────┬───────┐\n│ product │ count │ price │\n├─────────┼───────┼───────┤\n"
    "│ {:<7} │     3 │  2.50 │\n│ Bolt    │     2 │  1.50 │\n└─────────┴───────┴───────┘\n"
)
_PIPED = "| product | count | price |\n|---|---|---|\n| {} | 3 | 2.50 |\n| Bolt | 2 | 1.50 |\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (_PIPED, "Nut"),
        (_PIPED, r"Nut \| x"),
        (_PIPED, "`a|b`"),
        (_BOXED, "Nut"),
        (_BOXED.translate(str.maketrans("┌─┬┐│├┼┤└┴┘", "╔═╦╗║╠╬╣╚╩╝")), "Nut"),
    ],
)
def test_bars_part_columns_unless_they_are_escaped_or_in_code(text: str, name: str) -> None:
    names = ("product", "count", "price")
    result = read(text.format(name), *names)
    assert (rows(text.format(name), *names), result.confidence_band.value, result.diagnostics) == (
        [(name.replace("\\", "").strip("`"), "3", "2.50"), ("Bolt", "2", "1.50")],
        "HIGH",
        (),
    )


def test_a_first_row_that_says_there_is_no_number_is_rejected() -> None:
    columns = [("description", "STRING", True), ("quantity", "DECIMAL", False), ("amount", "DECIMAL", True)]
    fields = [{"name": name, "type": kind, "required": required} for name, kind, required in columns]
    items = {"name": "items", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    contract = {"id": "c", "version": "1", "fields": [items]}
    rows = "Setup                         FREE\nGate valve, brass        2     10.00\n"
    found = paxman.normalize(f"Description            Qty    Amount\n{rows}", contract)["items"]
    assert [(note.code, note.message) for note in found.diagnostics] == [
        ("ROW_REJECTED", "row 1 was left out: amount: not DECIMAL")
    ]


@pytest.mark.parametrize("title", ["", "Price list\n\n"])
@pytest.mark.parametrize(
    ("head", "lines", "names", "expected"),
    [
        (
            "Item Price",
            ["Espresso 2.50", "Hot chocolate 3.60"],
            "item price",
            [("Espresso", "2.50"), ("Hot chocolate", "3.60")],
        ),
        ("Item      Price", ["Tea 2.50", "Hot cocoa 3.60"], "item price", [("Tea", "2.50"), ("Hot cocoa", "3.60")]),
        (
            "Qty Description Price Total",
            ["2 Blue pens 1.20 2.40", "1 Notebook A4 3.50 3.50", "Total 5.90"],
            "description quantity price total",
            [("Blue pens", "2", "1.20", "2.40"), ("Notebook A4", "1", "3.50", "3.50")],
        ),
        (
            "Item Description Quantity Amount",
            ["1 Ball valve DN 25 10 342.00", "2 Gasket set 25 52.50"],
            "description quantity amount",
            [("Ball valve DN 25", "10", "342.00"), ("Gasket set", "25", "52.50")],
        ),
    ],
)
def test_lines_without_gaps_are_cut_in_the_order_of_their_headings(
    title: str, head: str, lines: list[str], names: str, expected: list[tuple[str, ...]]
) -> None:
    text = title + "\n".join([head, *lines, ""])
    assert rows(text, *names.split()) == expected
    assert read(text, *names.split()).confidence_band.value == "HIGH"


def test_lines_without_gaps_below_unknown_headings_are_unsure() -> None:
    found = read("Item Colour Price\nShirt red 9.00\nCap blue 4.00\n", "item", "price")
    assert found.confidence_band.value != "HIGH"


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        (
            "SKU      Product      Price\nB-01     Green tea     4.90\nB-02     Rooibos\nB-03     Mint          3.20\n",
            ("sku", "product", "price"),
            [("B-01", "Green tea", "4.90"), ("B-02", "Rooibos", None), ("B-03", "Mint", "3.20")],
        ),
        (
            "No   Description        Qty    Amount\n1    Site survey          1    250.00\n"
            "2    Supply of\n     fire doors           4    720.00\n3    Inspection           1    190.00\n",
            ("description", "quantity", "amount"),
            [("Site survey", "1", "250.00"), ("Supply of fire doors", "4", "720.00"), ("Inspection", "1", "190.00")],
        ),
        (
            "No. Description     Qty    Amount\n9.  Hammer            2     24.00\n10. Gloves            3     12.00\n",
            ("description", "quantity", "amount"),
            [("Hammer", "2", "24.00"), ("Gloves", "3", "12.00")],
        ),
        (
            "Item      Qty     Price\nPaper      20      4.50\nBoard       2\nPens       10      1.20\n",
            ("item", "quantity", "price"),
            [("Paper", "20", "4.50"), ("Board", "2", None), ("Pens", "10", "1.20")],
        ),
    ],
)
def test_a_row_begins_with_its_key(text: str, names: tuple[str, ...], expected: list[tuple[str, ...]]) -> None:
    assert rows(text, *names) == expected


@pytest.mark.parametrize(
    "leader", ["Hammer................     12     144.00", "Hammer ............... 12 ......... 144.00"]
)
def test_dots_that_lead_to_a_number_are_no_part_of_a_text(leader: str) -> None:
    text = f"Item                      Qty      Amount\n{leader}\nSaw ..................      5 ......  95.00\n"
    assert rows(text, "item", "quantity", "amount") == [("Hammer", "12", "144.00"), ("Saw", "5", "95.00")]


def test_rows_right_below_a_tax_are_rejected_and_make_a_table_unsure() -> None:
    items = [("Design", "50.00"), ("VAT 20%", "10.00"), ("Hosting", "60.00"), ("Domain", "15.00")]
    text = "".join(f"{a:30}{b:>12}\n" for a, b in [("Description", "Amount"), *items])
    assert rows(text, "description", "line_total") == items[:1]
    assert [note.split(": ")[1] for note in rejected(text, "description", "line_total")] == [
        "a sum, not an item",
        "below the end of the table",
        "below the end of the table",
    ]
    assert read(text, "description", "line_total").confidence_band.value == "MEDIUM"


@pytest.mark.parametrize("day", ["03 Mar 2025 ", "2025-03-03  ", "2025-03-03 "])
def test_a_day_and_the_text_behind_it_are_two_cells(day: str) -> None:
    head = f"{'Date':{len(day)}}Description                 Amount"
    text = f"{head}\n{day}Card payment - Tesco         45.20\n{day}ATM withdrawal              100.00\n"
    found = [("2025-03-03", "Card payment - Tesco", "45.20"), ("2025-03-03", "ATM withdrawal", "100.00")]
    assert rows(text, "date", "description", "amount") == found


def test_a_column_of_currencies_says_that_of_the_amounts_in_its_row() -> None:
    kinds = (("description", "STRING"), ("amount", "MONEY"))
    columns = [{"name": name, "type": kind, "required": True} for name, kind in kinds]
    field = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    text = "Description  Currency    Amount\nHotel        CHF         310.00\nTaxi         EUR          42.50\n"
    found = paxman.normalize(text, {"id": "paper", "version": "1", "fields": [field]})["rows"]
    assert [str(row["amount"].currency) for row in found.value] == ["CHF", "EUR"]


def test_a_row_with_its_own_numbers_takes_none_of_the_next() -> None:
    text = (
        "Date        Description          Debit      Credit   Balance\n"
        "03/03/2025  Shop                 43.20               956.80\n"
        "07/03/2025  Salary                       2,100.00  3,056.80\n"
        "            Machine             100.00             2,956.80\n"
    )
    found = rows(text, *BANK)
    assert [(row[1], row[4]) for row in found] == [("Shop", "956.80"), ("Salary", "3056.80"), ("Machine", "2956.80")]


def test_lines_with_a_key_below_most_rows_are_parts_of_them() -> None:
    text = (
        "Date         Description                      Amount\n"
        "03.03.2025   Dauerauftrag Miete              -850,00\n"
        "04.03.2025   Wohnung Lindenweg 4\n"
        "05.03.2025   Gehalt Firma Huber             2.450,00\n"
        "06.03.2025   Maerz 2025\n"
    )
    names = [row[1] for row in rows(text, "date", "description", "amount")]
    assert names == ["Dauerauftrag Miete Wohnung Lindenweg 4", "Gehalt Firma Huber Maerz 2025"]


def test_a_number_over_rows_without_one_heads_a_group() -> None:
    text = (
        "Pos  Description            Qty    Price    Amount\n"
        "1    Phone                    1   500.00    500.00\n"
        "2    Accessories\n"
        "     Screen film              2     5.00     10.00\n"
        "     Case                     1    15.00     15.00\n"
        "3    Cable                    1    10.00     10.00\n"
    )
    assert [row[0] for row in rows(text, *ITEMS)] == ["Phone", "Screen film", "Case", "Cable"]


def test_texts_without_gaps_keep_their_numbers() -> None:
    lines = ["Description Qty Price Amount", "Garden table oak 1 250.00 250.00", "model 2025", "1 l milk 2 1.00 2.00"]
    found = rows("\n".join([*lines, ""]), "description", "quantity", "price", "amount")
    assert [row[0] for row in found] == ["Garden table oak model 2025", "1 l milk"]


def test_a_text_with_a_number_of_its_own_below_a_row_with_numbers_is_not_silently_part_of_it() -> None:
    text = (
        "Date         Description            Debit      Credit\n"
        "15/01/2025   Cash                1,500.00\n"
        "             Sales                           1,500.00\n"
        "20/01/2025   Supplies               82.10\n"
    )
    assert read(text, "date", "description", "debit", "credit").confidence_band.value != "HIGH"


def band(text: str, *names: str) -> str:
    return read(text, *names).confidence_band.value


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("B1     Masonry", ("MEDIUM", "row 3 was left out: a line of its own without an amount")),
        ("A4     see drawing", ("MEDIUM", "row 3 was left out: a line of its own without an amount")),
        ("2      m each, galvanised", ("MEDIUM",)),
    ],
)
def test_a_key_without_numbers_below_a_row_is_not_silently_part_of_it(line: str, outcome: tuple[str, ...]) -> None:
    text = (
        "Item   Description              Qty     Rate     Amount\n"
        "A2     Topsoil strip             50    12.00     600.00\n"
        f"A3     Trench                    30     8.00     240.00\n{line}\n"
        "B2     Brick wall                20    60.00   1,200.00\n"
    )
    names = ("description", "quantity", "rate", "amount")
    assert (band(text, *names), *rejected(text, *names)) == outcome


@pytest.mark.parametrize(
    ("keys", "names"),
    [
        (("P 1001", "HS 841360", "P 1002", "HS 848420"), ["Gear pump", "Seal kit"]),
        (("1", "1.1", "2", "2.1"), ["Gear pump", "Seal kit"]),
        (("AX-100-", "7781", "AX-120-", "7790"), ["Gear pump Made in Leeds", "Seal kit Made in York"]),
    ],
)
def test_keys_of_their_own_below_most_rows_begin_no_text_unless_they_go_on(
    keys: tuple[str, ...], names: list[str]
) -> None:
    texts = ("Gear pump                2    310.00    620.00", "Made in Leeds")
    texts += ("Seal kit                 5     12.00     60.00", "Made in York")
    lines = [f"{key:12}{text}" for key, text in zip(keys, texts, strict=True)]
    text = "\n".join(["Item no.    Description            Qty     Price    Amount", *lines, ""])
    assert [row[0] for row in rows(text, *ITEMS)] == names
    assert band(text, *ITEMS) == "HIGH"


@pytest.mark.parametrize("line", ["with two extensions", "with 2 extensions of 50"])
def test_a_text_without_gaps_may_be_longer_below_than_beside_its_numbers(line: str) -> None:
    text = f"Description Qty Price Amount\nOak table 1 250.00 250.00\n{line}\nChair 4 60.00 240.00\nTotal 490.00\n"
    assert [row[0] for row in rows(text, *ITEMS)] == [f"Oak table {line}", "Chair"]
    assert band(text, *ITEMS) == "HIGH"


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("Spare parts", ("MEDIUM", "'Spare parts' may be part of a row's text, or not")),
        (
            "We thank you very much for your order and for your trust in us",
            (
                "HIGH",
                "lines of text among rows that belong to none, 1: "
                "'We thank you very much for your order and for your trust in '",
            ),
        ),
    ],
)
def test_a_line_among_rows_without_gaps_that_may_be_none_of_their_texts_is_named(
    line: str, outcome: tuple[str, str]
) -> None:
    text = f"Description Qty Price Amount\nOak table 1 250.00 250.00\n{line}\nChair 4 60.00 240.00\nTotal 490.00\n"
    found = read(text, *ITEMS)
    told = [note.message for note in found.diagnostics if note.code in ("AMBIGUOUS_VALUE", "INPUT_NOTE")]
    assert (found.confidence_band.value, *told) == outcome


DAY_ONCE = (
    "Date         Details                 Paid out     Paid in     Balance\n"
    "03/03/2025   Groceries                  43.20                  956.80\n"
    "             Fuel                       31.00                  925.80\n"
    "17/03/2025   Salary                               2,100.00   3,025.80\n"
)


def test_a_day_that_is_printed_once_has_all_its_rows() -> None:
    names = ("date", "description", "paid_out", "paid_in")
    assert rows(DAY_ONCE, *names) == [
        ("2025-03-03", "Groceries", "43.20", None),
        (None, "Fuel", "31.00", None),
        ("2025-03-17", "Salary", None, "2100.00"),
    ]
    assert band(DAY_ONCE, *names) == "MEDIUM"
    assert (band(DAY_ONCE, *names[1:]), rejected(DAY_ONCE, *names)) == ("HIGH", [])


def test_a_sum_below_an_item_that_has_only_an_amount_adds_that_too() -> None:
    text = (
        "Description           Hours     Rate     Amount\n"
        "Basic pay            160.00    15.00   2,400.00\n"
        "Overtime              10.00    22.50     225.00\n"
        "Bonus                                    100.00\n"
        "Gross pay                              2,725.00\n"
        "Income tax                               310.00\n"
    )
    found = rows(text, "description", "hours", "rate", "amount")
    assert [row[0] for row in found] == ["Basic pay", "Overtime", "Bonus"]


def test_a_number_that_ends_a_text_before_its_column_makes_no_sure_row() -> None:
    text = (
        "Article     Description             Qty\n"
        "M-2001      Ibuprofen 400 mg           10\n"
        "            Lot, best by 2027\n"
        "M-2002      Paracetamol 500 mg         20\n"
    )
    assert band(text, "description", "quantity") == "MEDIUM"


@pytest.mark.parametrize(
    ("title", "amounts"),
    [("Ledger account: Smith & Co", ["500.00", "-300.00"]), ("Bank statement", ["-500.00", "300.00"])],
)
def test_marks_of_debits_and_credits_mean_what_the_paper_says(title: str, amounts: list[str]) -> None:
    lines = [
        "Date         Details            Amount",
        "01/04/2025   Goods         500.00 Dr",
        "13/04/2025   Receipt       300.00 Cr",
    ]
    text = "\n".join([title, *lines, ""])
    assert [row[1] for row in rows(text, "date", "amount")] == amounts


def test_properties_below_the_last_row_are_named_as_those_between_rows_are() -> None:
    text = (
        "Description                 Qty     Price     Amount\n"
        "Gear pump                     2    310.00     620.00\n"
        "Seal kit                      5     12.00      60.00\n"
        "Colour: red\n"
        "Total                                         680.00\n"
    )
    told = [note.message for note in read(text, *ITEMS).diagnostics if note.code == "INPUT_NOTE"]
    assert told == ["lines of text among rows that are properties and were left out, 1: 'Colour: red'"]


def test_a_title_over_codes_is_no_part_of_the_code_above_it() -> None:
    text = (
        "Article   Description              Unit    Price\n"
        "Screws\n"
        "S-100     Screw 3 x 20             100      2.40\n"
        "S-101     Screw 4 x 30             100      3.10\n"
        "Nails\n"
        "N-200     Nail 50 mm               kg       4.75\n"
    )
    names = ("sku", "description", "unit_price")
    assert [row[0] for row in rows(text, *names)] == ["S-100", "S-101", "N-200"]
    told = [note.message for note in read(text, *names).diagnostics if note.code == "INPUT_NOTE"]
    assert (band(text, *names), told) == (
        "HIGH",
        ["lines of text among rows that belong to none, 2: 'Screws', 'Nails'"],
    )


RATES = "Item       Rate\nSingle     90.00\nDouble     {}\nDorm       30.00\n"


@pytest.mark.parametrize(
    ("cell", "value"), [("120-140", None), ("from 200", "200"), ("2.20 / 2.80", "2.20"), ("12 (2 boxes)", "12")]
)
def test_what_is_more_than_a_number_makes_a_row_of_its_own_less_surely(cell: str, value: str | None) -> None:
    text = RATES.format(cell)
    assert rows(text, "item", "rate") == [("Single", "90.00"), ("Double", value), ("Dorm", "30.00")]
    assert band(text, "item", "rate") == "MEDIUM"


def test_figures_with_a_unit_or_a_fraction_are_numbers_of_their_column() -> None:
    text = "Item       Qty   Price\nFlour      25    0.89 per kg\nSugar      1 1/2   1.19 per kg\n"
    assert rows(text, "item", "quantity", "price") == [("Flour", "25", "0.89"), ("Sugar", "1.5", "1.19")]


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        (
            "| Item | Qty | Sku |\n| Bolt | 3 | |\n| Nut | | out of stock |\n| Hook | 4 | urgent |\n",
            ("item", "quantity", "sku"),
            [("Bolt", "3", None), ("Nut", None, "out of stock"), ("Hook", "4", "urgent")],
        ),
        (
            "Item        Description   Hours\nTuesday     Alpha           7.5\n            Beta            0.5\n"
            "Wednesday   Leave\nThursday    Beta            8\n",
            ("item", "description", "hours"),
            [
                ("Tuesday", "Alpha", "7.5"),
                (None, "Beta", "0.5"),
                ("Wednesday", "Leave", None),
                ("Thursday", "Beta", "8"),
            ],
        ),
        (
            "Qty  Description   Price\n2    Chair         45.00\n     Table         99.00\n1    Lamp          20.00\n",
            ("quantity", "description", "price"),
            [("2", "Chair", "45.00"), (None, "Table", "99.00"), ("1", "Lamp", "20.00")],
        ),
    ],
)
def test_a_row_that_lacks_a_number_or_its_first_cell_is_a_row_less_surely(
    text: str, names: tuple[str, ...], expected: list[tuple[str | None, ...]]
) -> None:
    assert rows(text, *names) == expected
    assert band(text, *names) == "MEDIUM"


@pytest.mark.parametrize("line", ["green    Nut", "Green    Nut"])
def test_a_line_that_begins_as_rows_do_is_not_silently_part_of_the_row_above(line: str) -> None:
    head = "Sku      Item    Qty\n"
    first = "Red      Bolt     3\n" if line[0].isupper() else "red      Bolt     3\n"
    assert band(f"{head}{first}{line}\nblue     Pin      4\n", "sku", "item", "quantity") == "MEDIUM"


def test_a_sign_for_how_many_before_a_word_is_no_position() -> None:
    text = (
        "Start Date    End Date            # Spots Gross Amount           Net Amount\n"
        "06/01/20      06/28/20                  2               $80.00              $68.00\n"
    )
    assert [row[1] for row in rows(text, *ITEMS)] == ["2"]


def test_a_code_with_marks_behind_its_numbers_has_its_text_below() -> None:
    text = 'ITEM  QTY  S/PRICE  AMOUNT  TAX\n3843  1  7.95  7.95  SR\n1 1/2" PAINT BRUSH\nTOTAL QTY:  1  7.95\n'
    assert [row[0] for row in rows(text, *ITEMS)][:1] == ['3843 1 1/2" PAINT BRUSH']


def test_a_sum_that_is_named_is_not_added_up_with_the_items() -> None:
    text = (
        "ITEM  QTY  U/P  AMOUNT\nCLSTEL670  1  141.51  141.51\nTOTAL QUANTITY  1\nSUB-TOTAL  141.51\nDISC  0.00\n"
        "TOTAL GST  8.49\nTOTAL  150.00\n"
    )
    assert "DISC" not in [row[0] for row in rows(text, *ITEMS)]


def test_the_table_with_more_named_columns_is_read() -> None:
    text = (
        "Line  Start Date  End Date   Description               Length     Amount\n"
        "   1  03/04/20    03/05/20   Local News @ 10p            :30       120.00\n"
        "   2  03/04/20    03/05/20   Morning Show                :30        80.00\n\n"
        "      Start Date  End Date   Weekdays    Spots/Week      Rate\n"
        "Week: 03/02/20    03/08/20   --WT---        2          120.00\n"
    )
    assert [row[0] for row in rows(text, *ITEMS)] == ["Local News @ 10p", "Morning Show"]


_ENTRIES = [
    "01/03/2025 Opening balance 500.00",
    "03/03/2025 Shop 20.00 480.00",
    "15/03/2025 Salary 1,000.00 1,480.00",
    "20/03/2025 Rent 700.00 780.00",
]


@pytest.mark.parametrize(
    ("title", "lines", "sides", "sure"),
    [
        ("Account", _ENTRIES, [("20.00", None), (None, "1000.00"), ("700.00", None)], "HIGH"),
        ("Account", _ENTRIES[:0:-1], [("700.00", None), (None, "1000.00"), (None, None)], "MEDIUM"),
        ("Account", _ENTRIES[1:], [(None, None), (None, "1000.00"), ("700.00", None)], "MEDIUM"),
        ("Sales ledger", _ENTRIES, [(None, None)] * 3, "MEDIUM"),
        ("Account", [*_ENTRIES, "21/03/2025 Fee 5.00 770.00"], [(None, None)] * 4, "MEDIUM"),
    ],
)
def test_balances_tell_debits_from_credits_where_no_gap_does(
    title: str, lines: list[str], sides: list[tuple[str | None, str | None]], sure: str
) -> None:
    text = "\n".join([title, "", "Date Description Debit Credit Balance", *lines, ""])
    names = ("date", "description", "debit", "credit", "balance")
    assert ([row[2:4] for row in rows(text, *names)], band(text, *names)) == (sides, sure)


def test_a_row_without_gaps_that_lacks_a_number_makes_no_sure_table() -> None:
    text = "Description Qty Price Total\nMilk 2 0.99 1.98\nBag 1 0.10\nEggs 1 3.00 3.00\n"
    notes = [note.message for note in read(text, "description", "quantity", "unit_price", "total").diagnostics]
    message = "lines without gaps have fewer numbers than headings, so that others may be empty: 'Bag 1 0.10'"
    assert notes[:1] == [message]


def test_signs_behind_amounts_count_below_headings_of_the_contracts_own_names() -> None:
    text = "description;amount\nRent;357,00 -\nSalary;500,00 +\n"
    assert rows(text, "description", "amount") == [("Rent", "-357.00"), ("Salary", "500.00")]


def test_a_name_below_a_code_is_no_part_of_the_code() -> None:
    lines = ["Sku            Qty   Price   Amount", "4711             2    9.50    19.00", "Hammer"]
    text = "\n".join([*lines, "4712             1    4.20     4.20", "Pliers", ""])
    assert [row[0] for row in rows(text, "sku", "quantity", "price", "amount")] == ["4711", "4712"]


@pytest.mark.parametrize("required", [False, True])
def test_rows_below_headings_that_lack_the_word_for_a_text_are_not_left_out_silently(required: bool) -> None:
    lines = ["Item              Small    Large", "Espresso           1.80     2.40", ""]
    text = "\n".join([*lines, "Tea               Small    Large", "Earl Grey          2.00     2.60", ""])
    names = ("item", "small", "large")
    columns = [{"name": name, "type": TYPES.get(name, "DECIMAL"), "required": required} for name in names]
    field = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    found = paxman.normalize(text, {"id": "paper", "version": "1", "fields": [field]})["rows"]
    message = "rows may go on below headings that name less, and were left out: 'Tea', 'Small', 'Large'"
    assert (found.confidence_band.value, found.diagnostics[0].message) == ("MEDIUM", message)
