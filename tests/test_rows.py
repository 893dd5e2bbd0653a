"""Rows of arrays: heads, lines of a table, columns that cells tell, items and records without a table."""

from __future__ import annotations

from typing import Any

import pytest

import paxman

ITEMS = ("description", "quantity", "unit_price", "line_total")
TYPES = {"date": "DATE", **dict.fromkeys(("description", "name", "status", "port", "sku"), "STRING")}


def read(text: str | bytes, *names: str) -> Any:
    columns = [{"name": name, "type": TYPES.get(name, "DECIMAL"), "required": False} for name in names]
    field = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    return paxman.normalize(text, {"id": "paper", "version": "1", "fields": [field]})["rows"]


def rows(text: str | bytes, *names: str) -> tuple[str, list[tuple[str | None, ...]]]:
    found = read(text, *names)
    cells = [tuple(str(row[n]) if row.get(n) is not None else None for n in names) for row in found.value or ()]
    return found.confidence_band.value, cells


BOLTS = [("Bolt", "3", "2.00", "6.00"), ("Nut", "4", "1.00", "4.00")]


@pytest.mark.parametrize(
    "text",
    [
        "Description,Qty,Unit price,Amount\nBolt,3,2.00,6.00\nNut,4,1.00,4.00\n",
        "| Description | Qty | Unit price | Amount |\n|---|---|---|---|\n| Bolt | 3 | 2.00 | 6.00 |\n"
        "| Nut | 4 | 1.00 | 4.00 |\n",
        "Description\tQty\tUnit price\tAmount\nBolt\t3\t2.00\t6.00\nNut\t4\t1.00\t4.00\n",
        "Description     Qty   Unit price   Amount\nBolt              3         2.00     6.00\n"
        "Nut               4         1.00     4.00\n",
        "<table><tr><th>Description<th>Qty<th>Unit price<th>Amount<tr><td>Bolt<td>3<td>2.00<td>6.00"
        "<tr><td>Nut<td>4<td>1.00<td>4.00</table>",
        "Bezeichnung     Menge   Einzelpreis   Gesamt\nBolt                3          2.00     6.00\n"
        "Nut                 4          1.00     4.00\n",
        "                Unit\nDescription     price     Qty     Amount\nBolt             2.00       3       6.00\n"
        "Nut              1.00       4       4.00\n",
    ],
    ids=["csv", "pipes", "tabs", "text", "html", "words", "two lines"],
)
def test_heads_name_columns_in_every_format(text: str) -> None:
    assert rows(text, *ITEMS) == ("HIGH", BOLTS)


HEAD = "Description            Qty   Unit price    Amount\n"
BOLT = "Bolt                     3         2.00      6.00\n"
NUT = "Nut                      4         1.00      4.00\n"


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (HEAD + BOLT + "with a thread            \n" + NUT, ("Bolt with a thread", "Nut")),
        (HEAD + BOLT + "GTIN: 4012345001235\n" + NUT, ("Bolt", "Nut")),
        (HEAD + BOLT + NUT + "Total                                     10.00\n", ("Bolt", "Nut")),
        (HEAD + BOLT + "Carried forward                            6.00\n" + HEAD + NUT, ("Bolt", "Nut")),
        (HEAD + BOLT + "Page 1 of 2\n" + NUT, ("Bolt", "Nut")),
        (HEAD + BOLT + "\nTown                 Sun         Rain      Snow\nOslo 3 2 1\n", ("Bolt",)),
    ],
    ids=["goes on", "a property", "a sum", "carried over", "a page", "another table"],
)
def test_each_line_of_a_table_is_one_thing(lines: str, found: tuple[str, ...]) -> None:
    assert tuple(row[0] for row in rows(lines, *ITEMS)[1]) == found


@pytest.mark.parametrize(
    ("lines", "doubt"),
    [
        (HEAD + BOLT + "Spare parts\n" + NUT, "a line of words may be a title or belong to the row above it"),
        (HEAD + BOLT + "Hinge                                     8.00\n", "rows differ in what figures they have"),
        (
            HEAD + BOLT + NUT + "Total                                      9.00\n",
            "the rows do not add up to what the page states",
        ),
    ],
)
def test_what_leaves_a_doubt_is_named_and_medium(lines: str, doubt: str) -> None:
    found = read(lines, *ITEMS)
    notes = [note.message for note in found.diagnostics if note.code == "AMBIGUOUS_VALUE"]
    assert (found.confidence_band.value, notes) == ("MEDIUM", [doubt])


GROUPS = "Description Amount|Hotel 10.00|Train 5.00|Subtotal 15.00|Lunch 4.00|Tea 2.00"


@pytest.mark.parametrize(
    ("below", "band", "doubts"),
    [
        ("Subtotal 6.00", "HIGH", []),
        ("Subtotal 6.00|Total 21.00", "HIGH", []),
        ("Subtotal 7.00", "MEDIUM", ["the rows above 'Subtotal' add up to 6.00, not to 7.00"]),
    ],
)
def test_the_sum_of_each_group_is_held_against_its_rows(below: str, band: str, doubts: list[str]) -> None:
    cells = (line.split() for line in f"{GROUPS}|{below}".split("|"))
    found = read("".join(f"{name:<16}{amount:>9}\n" for name, amount in cells), "description", "line_total")
    told = [note.message for note in found.diagnostics if note.message.startswith("the rows above")]
    assert (found.confidence_band.value, told, len(found.value)) == (band, doubts, 4)


def test_a_sum_tells_that_a_line_named_like_one_is_a_row() -> None:
    text = "Description      Amount\nApple              6.00\nNet                7.25\nPear               4.50\n"
    total = "Total             17.75\n"
    assert [row[0] for row in rows(text + total, "description", "line_total")[1]] == ["Apple", "Net", "Pear"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Bolt\tB-1\t6.00\nCarried forward\t\t6.00\nNut\tN-2\t4.00\n", ["Bolt", "Nut"]),
        ("Bolt\tB-1\t6.00\nTotal station\tT-9\t8.00\n", ["Bolt", "Total station"]),
    ],
    ids=["carried over", "a thing named like a sum"],
)
def test_words_and_amounts_tell_a_sum(text: str, names: list[str]) -> None:
    found = rows(f"Description\tSKU\tAmount\n{text}", "description", "sku", "line_total")
    assert [row[0] for row in found[1]] == names


def test_quantity_times_price_tells_the_total() -> None:
    text = "Description,Qty,Unit price,X1,X2\nBolt,3,2.00,19,6.00\nNut,4,1.00,19,4.00\n"
    assert rows(text, *ITEMS) == ("HIGH", BOLTS)


def test_the_only_column_of_its_kind_is_a_guess() -> None:
    assert rows("Zdravo,Qty,Price\nClean hall,2,4.75\n", "description", "quantity", "unit_price") == (
        "MEDIUM",
        [("Clean hall", "2", "4.75")],
    )


def test_cells_are_placed_below_the_heads_that_they_overlap() -> None:
    text = (
        "VLAN Name             STG   Aging\n---- ---------------- ----  -----\n"
        "1                     0     1800\n13   thirteen         0     1800\n"
    )
    found = read(text, "vlan", "name", "stg", "aging").value
    assert [dict(row) for row in found] == [
        {"vlan": 1, "stg": 0, "aging": 1800},
        {"vlan": 13, "name": "thirteen", "stg": 0, "aging": 1800},
    ]


def test_one_blank_parts_columns_where_it_goes_through_all_rows() -> None:
    lines = ("Dock-Name            Dock-Port Status", "Northern Quay                7 open")
    text = "\n".join((*lines, "South Pier                  12 shut", "Old Mole                     3 open\n"))
    assert rows(text, "name", "port", "status") == (
        "MEDIUM",
        [("Northern Quay", "7", "open"), ("South Pier", "12", "shut"), ("Old Mole", "3", "open")],
    )


def test_tables_with_the_same_heads_are_joined_and_a_copy_leaves_them_open() -> None:
    table = "<table><tr><th>Sku<th>Qty{}</table>"
    one, two = "<tr><td>A<td>5<tr><td>B<td>6", "<tr><td>C<td>7"
    found = read("<p>x</p>".join(table.format(each) for each in (one, two, one)), "sku", "qty")
    assert [row["sku"] for row in found.value] == ["A", "B", "C"]
    assert [note.code for note in found.diagnostics] == ["TABLES_JOINED", "ROWS_OPEN", "LOW_CONFIDENCE"]
    assert found.rows.lines["unaccounted"] == 2


def test_a_row_that_does_not_fit_is_rejected_with_its_cell() -> None:
    columns = [
        {"name": "sku", "type": "STRING", "required": True},
        {"name": "qty", "type": "INTEGER", "required": True},
    ]
    field = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    artifact = paxman.normalize("sku,qty\nA,1\nB,many\nC,3\n", {"id": "c", "version": "1", "fields": [field]})
    (note,) = [note for note in artifact["rows"].diagnostics if note.code == "ROW_REJECTED"]
    assert (note.message, note.context["text"]) == (
        "row 2 was left out: qty: not a whole number (cell B3: 'many')",
        "many",
    )
    assert artifact.status.value == "PARTIAL_SUCCESS"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Bill\n- Bolt: 3 × $2.00 = $6.00\n- Nut: 4 × $1.00 = $4.00\n\nTotal: $10.00\n", ("HIGH", BOLTS)),
        (
            "3x  Bolt     $6.00\n4x  Nut      $4.00\n\nSubtotal    $10.00\n",
            ("MEDIUM", [("Bolt", "3", None, "6.00"), ("Nut", "4", None, "4.00")]),
        ),
    ],
)
def test_items_may_take_a_line_each(text: str, found: tuple[str, list[Any]]) -> None:
    assert rows(text, *ITEMS) == found


def test_names_that_come_again_are_records() -> None:
    text = "Name: Bolt\nStatus: sold\nPort: 1\n\nName: Nut\nStatus: left\nPort: 2\n"
    assert rows(text, "name", "status", "port") == ("HIGH", [("Bolt", "sold", "1"), ("Nut", "left", "2")])


def test_a_column_or_a_head_may_name_the_currency() -> None:
    columns = [
        {"name": "item", "type": "STRING", "required": True},
        {"name": "price", "type": "MONEY", "required": True},
    ]
    field = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    contract = {"id": "c", "version": "1", "fields": [field]}
    for text in ("Item,Price (EUR)\nMilk,0.99\n", "Item,Ccy,Price\nMilk,EUR,0.99\n"):
        (row,) = paxman.normalize(text, contract)["rows"].value
        assert str(row["price"].currency) == "EUR"


PARTY_ROWS = {
    "html": "<table><tr><td><b><u>Plaintiff</u></b><tr><td><b>West Co</b><br><i>TERMINATED</i><td>represented by"
    "<td><b>Bob Lee</b><br>Lane LLC<tr><td><tr><td>V.<tr><td><b>Defendant</b><tr><td><b>Ann Ray</b>"
    "<tr><td><tr><td><b>Escrow Holder</b><tr><td><b>Safe Inc</b></table>",
    "markdown": "# Docket\n\n**Plaintiff**\n\n**West Co**, a company\n\n**Defendant (1)**\n\n**Ann Ray**\n\nv.\n\n"
    "**Escrow Holder**\n\n**Safe Inc**\n",
    "text": "Plaintiff:\n  West Co\n\nDefendant:\n  Ann Ray\n",
}


@pytest.mark.parametrize("kind", PARTY_ROWS)
def test_names_below_roles_are_rows(kind: str) -> None:
    columns = [
        {"name": "name", "type": "STRING", "required": True},
        {"name": "role", "type": "STRING", "required": False, "description": "role of the party, e.g. Plaintiff"},
    ]
    field = {"name": "parties", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    found = paxman.normalize(PARTY_ROWS[kind], {"id": "docket", "version": "1", "fields": [field]})["parties"]
    known = [("West Co", "Plaintiff"), ("Ann Ray", "Defendant"), ("Safe Inc", "Escrow Holder")]
    expected = known[:2] if kind == "text" else known
    assert (found.confidence_band.value, [(row["name"], row["role"]) for row in found.value]) == ("HIGH", expected)


FORM = (
    "Form W-2 - Wage and Tax Statement (2024)\n\nField                                            Value\n"
    "b  Employer identification number (EIN)          94-1234567\n"
    "e  Employee's first name and initial. Last       David R. Martinez\n   name\n"
    "                                                 3344 Oak Ridge Drive\n"
)


def test_form_with_two_line_labels_and_the_year_in_its_title() -> None:
    fields = [
        {"name": name, "type": kind, "required": True}
        for name, kind in (("employee_name", "STRING"), ("employer_ein", "STRING"), ("tax_year", "INTEGER"))
    ]
    found = paxman.normalize(FORM, {"id": "w2_wage_statement", "version": "1", "fields": fields})
    assert {name: found[name].value for name in ("employee_name", "employer_ein", "tax_year")} == {
        "employee_name": "David R. Martinez",
        "employer_ein": "94-1234567",
        "tax_year": 2024,
    }


def test_rows_that_lack_much_of_what_is_asked_for_are_not_sure() -> None:
    text = "Name | Port\n--- | ---\nOak | 3\nElm | 4\n"
    found = [("Oak", "3"), ("Elm", "4")]
    assert rows(text, "name", "port") == ("HIGH", found)
    assert rows(text, "name", "port", "status", "sku") == ("MEDIUM", [(*each, None, None) for each in found])


@pytest.mark.parametrize(
    ("text", "columns", "first"),
    [
        (
            "Description   No.  Quantity   Amount\n"
            "Bolts box     1.  2          $  10.00\nNails box     2.  3          $  22.50\n",
            {"description": "STRING", "no": "INTEGER", "quantity": "INTEGER"},
            {"description": "Bolts box", "no": 1, "quantity": 2},
        ),
        (
            "Description\tCurrency\tQuantity\nWidget\t€\t2\nGadget\t$\t3\n",
            {"description": "STRING", "currency": "STRING", "quantity": "INTEGER"},
            {"description": "Widget", "currency": "€", "quantity": 2},
        ),
    ],
    ids=["numbers with a stop", "a column of signs"],
)
def test_signs_of_currencies_take_no_other_column(text: str, columns: dict[str, str], first: dict[str, Any]) -> None:
    fields = [{"name": name, "type": kind, "required": False} for name, kind in columns.items()]
    lines = {"name": "lines", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    found = paxman.normalize(f"Invoice 7\n\n{text}", {"id": "c", "version": "1", "fields": [lines]})["lines"]
    assert (dict(found.value[0]), found.confidence_band.value) == (first, "HIGH")
