"""To which row, column and table the words and numbers of a page belong."""

from __future__ import annotations

import re
from typing import Any

import pytest

import paxman
from paxman.artifact.verification import verify_sources
from paxman.documents.reading import read_document

TYPES = {"date": "DATE", "description": "STRING", "item": "STRING", "part": "STRING", "account": "STRING"}
TYPES |= dict.fromkeys(("town", "season", "code", "month", "tool", "employee"), "STRING")
TYPES |= dict.fromkeys(("transaction_date", "posting_date", "value_date"), "DATE")
BANK = ("date", "description", "debit", "credit")
ITEMS = ("description", "quantity", "unit_price", "line_total")


def read(text: str, *names: str, labels: dict[str, str] | None = None) -> Any:
    """The rows of a page; the columns may have labels."""
    told = {name: {"labels": [label]} for name, label in (labels or {}).items()}
    columns = [{"name": n, "type": TYPES.get(n, "DECIMAL"), "required": False, **told.get(n, {})} for n in names]
    field = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    return paxman.normalize(text, {"id": "paper", "version": "1", "fields": [field]})["rows"]


def rows(text: str, *names: str, labels: dict[str, str] | None = None) -> list[tuple[str | None, ...]]:
    found = read(text, *names, labels=labels).value or []
    return [tuple(str(row[name]) if row.get(name) is not None else None for name in names) for row in found]


def notes(text: str, *names: str) -> list[tuple[str, str]]:
    return [(note.code, note.message) for note in read(text, *names).diagnostics]


STATEMENT = """\
Date        Description          Debit      Credit   Balance
14/11/2024  Salary                        1,250.00  3,250.00
{}
19/11/2024  Refund                           88.20  3,082.90
"""


@pytest.mark.parametrize("name", ["Cash withdrawal", "Net purchase", "Tax", "Total garage", "Change"])
def test_a_line_with_a_day_and_an_amount_is_a_row_whatever_its_name(name: str) -> None:
    text = STATEMENT.format(f"16/11/2024  {name:20}210.00            3,040.00")
    expected = [("2024-11-14", "Salary", None, "1250.00"), ("2024-11-16", name, "210.00", None)]
    assert rows(text, *BANK) == [*expected, ("2024-11-19", "Refund", None, "88.20")]
    assert rows(text.replace("/", "."), *BANK) == rows(text, *BANK)


def test_rows_with_a_day_below_the_end_of_a_table_are_rejected_aloud() -> None:
    text = STATEMENT.format("            Total               210.00  1,250.00")
    assert rows(text, *BANK) == [("2024-11-14", "Salary", None, "1250.00")]
    assert notes(text, *BANK)[:3] == [
        ("ROW_REJECTED", "row 2 was left out: a sum, not an item"),
        ("ROW_REJECTED", "row 3 was left out: below the end of the table"),
        ("AMBIGUOUS_VALUE", "lines below the end of the table are set as its rows"),
    ]


def test_a_day_may_be_glued_to_its_text_and_a_text_end_in_a_number() -> None:
    text = """\
Date        Description                            Debit     Credit Value date     Balance
03.09.2025 Credit by Lumen Retail, Main Street 12,             75.00 03.09.2025   8'500.00
             8180 Buelach
03.09.2025 Payment prices                          12.00             03.09.2025   8'425.00
02.09.2025 Credit by Rossi, Marco 0041790001122                48.50 02.09.2025   8'437.00
"""
    assert rows(text, *BANK) == [
        ("2025-09-03", "Credit by Lumen Retail, Main Street 12, 8180 Buelach", None, "75.00"),
        ("2025-09-03", "Payment prices", "12.00", None),
        ("2025-09-02", "Credit by Rossi, Marco 0041790001122", None, "48.50"),
    ]


def test_an_account_named_like_a_tax_is_one_where_rows_have_a_debit_or_a_credit() -> None:
    text = """\
Account              Debit      Credit
Bank              13,000.00
Inventory          3,000.00
Tax payable                    1,500.00
Cash in hand         500.00
Capital                       15,000.00
Total             16,500.00   16,500.00
"""
    names = ["Bank", "Inventory", "Tax payable", "Cash in hand", "Capital"]
    assert [row[0] for row in rows(text, "account", "debit", "credit")] == names


PARTS = ("part", "weight", "length")
TWO_TABLES = """\
Part        Weight    Length
Bolt          21.0         6
Nut           22.8         4
{}
"""


@pytest.mark.parametrize(
    "heading", ["Town        Summer    Winter", "Town        Summer temperature   Winter temperature"]
)
def test_words_over_numbers_below_a_gap_are_the_headings_of_another_table(heading: str) -> None:
    text = TWO_TABLES.format(f"\n{heading}\nOslo           5.1         3\nBergen         4.9         9")
    assert rows(text, *PARTS) == [("Bolt", "21.0", "6"), ("Nut", "22.8", "4")]
    said = [f"row {number} was left out: below the end of the table" for number in (3, 4)]
    assert notes(text, *PARTS) == [("ROW_REJECTED", message) for message in said]


@pytest.mark.parametrize(
    "line", ["Pin            n/a       n/a", "Pin        unknown", "\nPin        unknown      none\n"]
)
def test_a_row_without_numbers_below_a_gap_is_no_heading(line: str) -> None:
    text = TWO_TABLES.replace("6\n", "6\n\n").format(f"\n{line}\nCog            5.1         3")
    found = [row for row in rows(text, *PARTS) if row[1]]
    assert found == [("Bolt", "21.0", "6"), ("Nut", "22.8", "4"), ("Cog", "5.1", "3")]


def test_a_rule_may_stand_below_the_headings_of_another_table() -> None:
    parts = "Part | Weight | Length\n--- | --- | ---\nBolt | 21.0 | 6\nNut | 22.8 | 4\n"
    text = f"{parts}\nTown | May | June\n--- | --- | ---\nOslo | 5.1 | 3\n"
    assert rows(text, *PARTS) == [("Bolt", "21.0", "6"), ("Nut", "22.8", "4")]


def test_the_table_with_the_most_columns_of_the_contract_is_read_and_longer_ones_are_told_of() -> None:
    more = "".join(f"Area {number}                     {number}.5\n" for number in range(1, 7))
    text = "Town     Season     Weight\nOslo     summer       44.0\nBergen   winter       55.0\n\f\n"
    text += f"Town              Weight\n{more}"
    wanted = ("town", "season", "weight")
    assert rows(text, *wanted) == [("Oslo", "summer", "44.0"), ("Bergen", "winter", "55.0")]
    assert ("AMBIGUOUS_VALUE", "a table with fewer of the columns has 6 rows; they were left out") in notes(
        text, *wanted
    )


def test_words_beside_a_number_belong_to_the_text_that_they_follow() -> None:
    text = """\
Date           Description                                                         Amount
13/07/2023     Sample coffee house              Singapore            SG             10.00
15/07/2023     Example grocer                   Singapore            SG             20.00
16/07/2023     Example baker                                        EUR             30.00
"""
    expected = ["Sample coffee house Singapore SG", "Example grocer Singapore SG", "Example baker"]
    assert [row[1:] for row in rows(text, "date", "description", "amount")] == [
        (name, amount) for name, amount in zip(expected, ["10.00", "20.00", "30.00"], strict=True)
    ]


def test_words_beside_a_number_that_follow_no_text_are_told_of() -> None:
    lines = [
        "Item      Weight             Amount",
        "Bolt        21.0  approximately  10.00",
        "Nut         22.8              20.00",
    ]
    text = "\n".join(lines)
    assert rows(text, "item", "weight", "amount") == [("Bolt", "21.0", "10.00"), ("Nut", "22.8", "20.00")]
    said = "the cell was left out: 'approximately' stands beside a number"
    assert notes(text, "item", "weight", "amount") == [("VALIDATION_FAILED", said)]


def test_a_second_text_moves_no_amount_to_another_column() -> None:
    text = """\
Date        Description                          Debit      Credit    Balance
14/11/2024  Coffee house      Singapore          10.00               3,250.00
16/11/2024  Grocer                      Singapore            50.00   3,300.00
"""
    assert rows(text, *BANK) == [
        ("2024-11-14", "Coffee house Singapore", "10.00", None),
        ("2024-11-16", "Grocer Singapore", None, "50.00"),
    ]


def test_text_nearer_to_the_heading_of_days_belongs_to_its_own_column() -> None:
    text = """\
   Date                                           Description                        Amount
      15/08/23        Sale debit                                                      45.50
                        Sun cafe      *
      16/08/23        Transfer to account                                            300.00
                        M Rivers
"""
    assert [row[1] for row in rows(text, "date", "description", "amount")] == [
        "Sale debit Sun cafe *",
        "Transfer to account M Rivers",
    ]


def test_a_whole_label_comes_before_the_name_of_its_field_in_a_part_of_another_heading() -> None:
    hours = "Item      Hours     YTD hours    YTD pay\nBolt      8.00      12.00        150.00\n"
    assert rows(hours, "item", "hours", "ytd", labels={"ytd": "YTD pay"}) == [("Bolt", "8.00", "150.00")]
    costs = "Item      Cost total    Cost each\nBolt            12.00       1.50\n"
    assert rows(costs, "item", "cost", labels={"cost": "Cost each"}) == [("Bolt", "1.50")]
    plain = "Item            Cost    Cost each\nBolt           12.00         1.50\n"
    assert rows(plain, "item", "cost", labels={"cost": "Cost each"}) == [("Bolt", "1.50")]
    assert rows(plain, "item", "cost") == [("Bolt", "12.00")]


@pytest.mark.parametrize("group", ["kitchen", "Kitchen", "KITCHEN FITTINGS"])
def test_texts_are_unsure_where_a_line_between_rows_may_be_the_heading_of_a_group(group: str) -> None:
    head = "Description                    Qty   Unit price    Amount\n"
    items = [f"{name:31}  1       120.00    120.00\n" for name in ("Tap", "Sink", "Shower", "Mirror")]
    text = "".join([head, f"{group}\n", *items[:2], "bathroom\n" if group.islower() else "Bathroom\n", *items[2:]])
    found = read(text, *ITEMS)
    assert found.confidence_band.value == "MEDIUM"
    message = "lines of text between rows may belong to the row above or to the one below"
    message = f"{message}: 'bathroom'" if group.islower() else message
    assert ("AMBIGUOUS_VALUE", message) in notes(text, *ITEMS)


def test_texts_are_sure_where_a_line_below_a_row_goes_on_with_it() -> None:
    head = "Description                    Qty   Unit price    Amount\nOffice\n"
    items = [f"{name:31}  1       120.00    120.00\n" for name in ("Chair", "Desk")]
    found = read(f"{head}{items[0]}with arms\n{items[1]}", *ITEMS)
    assert [row["description"] for row in found.value] == ["Chair with arms", "Desk"]
    assert found.confidence_band.value == "HIGH"


def test_notes_below_each_row_may_begin_left_of_the_descriptions() -> None:
    head = "Qty   Description            Unit price    Amount\n"
    text = head + "".join(f"2     {name:22}     10.00     20.00\nSerial no. {name[0]}\n" for name in ("Saw", "Drill"))
    assert [row[0] for row in rows(text, *ITEMS)] == ["Saw Serial no. S", "Drill Serial no. D"]


NAMES = ("Steel bolts", "Copper pipe", "Brass elbow")


def _pairs(over: list[str], beside: list[str], gap: str = "") -> str:
    head = "Description                    Qty   Unit price    Amount\n"
    return head + "".join(
        f"{above}\n{own:31}  2         6.00     12.00\n{gap}" for above, own in zip(over, beside, strict=True)
    )


@pytest.mark.parametrize("codes", [["A-100", "A-101", "A-102"], ["100234", "100235", "100236"]])
@pytest.mark.parametrize("gap", ["", "\n", f"{'-' * 60}\n"])
def test_a_name_over_each_row_of_codes_belongs_to_the_row_below_it(codes: list[str], gap: str) -> None:
    expected = [(f"{name} {code}", "2", "6.00", "12.00") for name, code in zip(NAMES, codes, strict=True)]
    found = read(_pairs([*NAMES], codes, gap), *ITEMS)
    assert [tuple(map(str, row.values())) for row in found.value] == expected
    assert found.confidence_band.value == "HIGH"


def test_a_code_over_each_row_of_names_belongs_to_the_row_below_it() -> None:
    text = _pairs(["A-100", "A-101", "A-102"], [*NAMES])
    assert [row[0] for row in rows(text, *ITEMS)] == ["A-100 Steel bolts", "A-101 Copper pipe", "A-102 Brass elbow"]


@pytest.mark.parametrize("names", [("code", "description"), ("code",)])
def test_a_name_over_a_code_is_no_part_of_the_code(names: tuple[str, ...]) -> None:
    head = "Code     Description     Qty    Amount\n"
    text = head + "".join(f"{name}\nA-10{at}                     2     12.00\n" for at, name in enumerate(NAMES))
    expected = [(f"A-10{at}", name)[: len(names)] for at, name in enumerate(NAMES)]
    assert [row[: len(names)] for row in rows(text, *names, "quantity", "line_total")] == expected


def test_texts_of_any_length_over_codes_belong_to_them() -> None:
    head = "Description                    Qty   Unit price    Amount\n"
    first = "Steel bolts\ngalvanized by hand\nA-100                            2         6.00     12.00\n"
    text = f"{head}{first}Copper pipe\nA-101                            2         6.00     12.00\n"
    assert [row[0] for row in rows(text, *ITEMS)] == ["Steel bolts galvanized by hand A-100", "Copper pipe A-101"]


def test_a_few_names_over_names_may_be_headings_of_groups() -> None:
    found = read(_pairs(["Attic", "Kitchen", "Garden"], [*NAMES]), *ITEMS)
    assert [row["description"] for row in found.value] == [
        "Attic Steel bolts",
        "Kitchen Copper pipe",
        "Garden Brass elbow",
    ]
    assert found.confidence_band.value == "MEDIUM"


@pytest.mark.parametrize("group", ["Ground floor", "Kitchen"])
def test_a_line_that_begins_left_of_all_descriptions_is_none(group: str) -> None:
    head = "Pos  Description                    Qty   Unit price    Amount\n"
    items = [
        f"{at}    {name:31}  1       120.00    120.00\n" for at, name in enumerate(("Saw", "Oak table", "Lamp"), 1)
    ]
    note = "     Warranty 2 years\n"
    found = read("".join([head, f"{group}\n", items[0], note, items[1], note, "Site Leeds\n", items[2]]), *ITEMS)
    assert [row["description"] for row in found.value] == ["Saw Warranty 2 years", "Oak table Warranty 2 years", "Lamp"]


ITEMS_AND_HOURS = """\
Item              Qty       Price
Bolt                2        3.00
Nut                 4        1.00

{}Staff           Hours        Rate
Ann                 8       20.00
Bob                 6       22.00
"""


@pytest.mark.parametrize("title", ["", "Working hours\n", "Working hours\n\n"])
@pytest.mark.parametrize("delimiter", ["  +", "\t", ","])
def test_the_headings_of_the_next_table_end_a_table(title: str, delimiter: str) -> None:
    text = ITEMS_AND_HOURS.format(title)
    text = text if delimiter == "  +" else re.sub(" {2,}", delimiter, text)
    assert rows(text, "item", "quantity", "price") == [("Bolt", "2", "3.00"), ("Nut", "4", "1.00")]


@pytest.mark.parametrize("title", ["\n", "\nWorking hours\n"])
@pytest.mark.parametrize("heading", ["Staff                Rate", "Staff        Hours   Rate"])
def test_a_known_heading_ends_a_table_with_one_column_of_numbers(title: str, heading: str) -> None:
    text = f"Item                Price\nBolt                 3.00\nNut                  1.00\n{title}{heading}\n"
    text += "Ann                 20.00\n"
    assert rows(text, "item", "price") == [("Bolt", "3.00"), ("Nut", "1.00")]


def test_a_word_in_place_of_a_number_is_no_heading() -> None:
    text = (
        "Item                Price\nBolt                 3.00\n\nDelivery             free\nNut                  1.00\n"
    )
    assert rows(text, "item", "price") == [("Bolt", "3.00"), ("Delivery", None), ("Nut", "1.00")]
    listed = "Item,Qty,Price\nBolt,2,3.00\nNut,4,1.00\n\nDelivery,n/a,free\nTea,6,2.00\nSalt,6,2.00\n"
    assert [row[0] for row in rows(listed, "item", "quantity", "price")] == ["Bolt", "Nut", "Delivery", "Tea", "Salt"]


@pytest.mark.parametrize("word", ["free", "n/a", " -", "on request"])
def test_a_row_with_a_word_in_place_of_a_number_may_be_the_first(word: str) -> None:
    text = f"Item                Price\nSetup               {word}\nNut                  1.00\n"
    assert rows(text, "item", "price") == [("Setup", None), ("Nut", "1.00")]


@pytest.mark.parametrize("below", ["of goods            in EUR", "Name                each", "                    net"])
def test_a_second_line_of_headings_is_no_row(below: str) -> None:
    text = f"Item                Price\n{below}\nNut                  1.00\nBolt                 3.00\n"
    assert rows(text, "item", "price") == [("Nut", "1.00"), ("Bolt", "3.00")]


GROUPS = """\
                  {}              {}
Item          Qty      Price       Qty      Price
Bolt            2       1.50         1       1.40
Nut             3       2.50         2       2.40
"""
LEFT, RIGHT = [("Bolt", "2", "1.50"), ("Nut", "3", "2.50")], [("Bolt", "1", "1.40"), ("Nut", "2", "2.40")]
MIXED = [("Bolt", "2", "1.40"), ("Nut", "3", "2.40")]
EITHER = [f"2 columns are headed '{name}' and differ in 2 rows; the first was taken" for name in ("Qty", "Price")]


def labelled(text: str, **labels: str) -> tuple[list[tuple[str | None, ...]], str, list[str]]:
    """The rows by the labels of their columns, how sure they are, and what may be meant otherwise."""
    found = read(text, *labels, labels=labels)
    doubts = [note.message for note in found.diagnostics if note.code == "AMBIGUOUS_VALUE"]
    return rows(text, *labels, labels=labels), found.confidence_band.value, doubts


@pytest.mark.parametrize(
    ("quantity", "price", "expected"),
    [
        ("Delivered Qty", "Delivered Price", (RIGHT, "HIGH", [])),
        ("Ordered Qty", "Ordered Price", (LEFT, "HIGH", [])),
        ("Ordered Qty", "Delivered Price", (MIXED, "HIGH", [])),
        ("Qty", "Price", (LEFT, "MEDIUM", EITHER)),
    ],
)
def test_of_equal_headings_that_of_their_group_tells_which_is_meant(quantity: str, price: str, expected: Any) -> None:
    text = GROUPS.format("Ordered", "Delivered")
    assert labelled(text, item="Item", qty=quantity, price=price) == expected


def test_the_heading_of_a_group_may_be_a_year() -> None:
    text = GROUPS.format("2023   ", "2024")
    assert labelled(text, item="Item", qty="2024 Qty", price="2024 Price") == (RIGHT, "HIGH", [])


def test_equal_headings_are_told_apart_by_what_stands_over_each() -> None:
    text = "         Unit      Total\nItem     Price     Price\nBolt      1.00      2.00\nNut       2.00      6.00\n"
    found = [("Bolt", "1.00", "2.00"), ("Nut", "2.00", "6.00")]
    assert rows(text, "item", "unit_price", "line_total") == found


def test_columns_of_two_tables_side_by_side_are_not_mixed() -> None:
    text = (
        "Sales                               Purchases\n"
        "Month     Units    Value            Month     Units    Value\n"
        "Jan          10    100.00           Jan          20     50.00\n"
        "Feb          12    120.00           Feb          22     55.00\n"
    )
    notes = [f"2 columns are headed '{name}' and differ in 2 rows; the first was taken" for name in ("Units", "Value")]
    left = [("Jan", "10", "100.00"), ("Feb", "12", "120.00")]
    assert labelled(text, month="Month", units="Units", value="Value") == (left, "MEDIUM", notes)


def test_one_heading_that_two_tables_have_leaves_a_doubt() -> None:
    text = (
        "Item       Qty    Price                Tool         Qty     Rent\n"
        "Bolt         2     1.50                Hammer         1     12.00\n"
        "Nut          3     2.50                Saw            4     15.00\n"
    )
    expected = ([("Hammer", "2", "12.00"), ("Saw", "3", "15.00")], "MEDIUM", EITHER[:1])
    assert labelled(text, tool="Tool", qty="Qty", rent="Rent") == expected


def test_headings_in_a_row_may_begin_another_table_beside_it() -> None:
    text = (
        "Item       Qty    Price\n"
        "Bolt         2     1.50                Employee     Hours    Rate\n"
        "Nut          3     2.50                Anna            12    20.00\n"
    )
    assert labelled(text, employee="Employee", hours="Hours", rate="Rate") == (
        [(None, "2", "1.50"), (None, "3", "2.50")],
        "MEDIUM",
        ["columns that are asked for are headed in a row, where another table may begin beside this one"],
    )


TRANSACTIONS = ("date", "description", "amount")


@pytest.mark.parametrize(
    ("headings", "name", "column"),
    [
        (("Trans date", "Post date"), "transaction_date", 0),
        (("Trans date", "Post date"), "posting_date", 1),
        (("Trans date", "Post date"), "date", 0),
        (("Posting date", "Transaction date"), "date", 1),
        (("Date posted", "Date of transaction"), "posting_date", 0),
        (("Date posted", "Date of transaction"), "transaction_date", 1),
        (("Wertstellung", "Buchungstag"), "date", 1),
        (("Wertstellung", "Buchungstag"), "posting_date", 1),
        (("Wertstellung", "Buchungstag"), "value_date", 0),
        (("Value date", "Date"), "transaction_date", 1),
        (("Value date", "Post date"), "transaction_date", 1),
    ],
)
def test_of_two_columns_of_days_the_heading_tells_which_is_meant(
    headings: tuple[str, str], name: str, column: int
) -> None:
    lines = [(*headings, "Description", "Amount"), ("2025-01-03", "2025-01-05", "Coffee", "4.50")]
    for line in ("{:22}{:22}{:20}{:>10}\n".format, "{},{},{},{}\n".format):
        found = read("".join(line(*cells) for cells in lines), name, "description", "amount").value
        assert [str(row[name]) for row in found] == [lines[1][column]]


@pytest.mark.parametrize(
    ("told", "day", "expected"),
    [
        ("Statement date: 31 Jan 2026", "12 Jan", "2026-01-12"),
        ("Statement date: 31 Jan 2026", "20 Dec", "2025-12-20"),
        ("STATEMENT DATE     DUE DATE\n 31 Jan 2026      28 Feb 2026", "20 Dec", "2025-12-20"),
        ("Statement closing date 01/31/2026", "12/20", "2025-12-20"),
        ("As at 31 Jan 2026", "31 Jan", "2026-01-31"),
        ("Next statement date: 31 Jan 2026", "12 Jan", None),
        ("Due date: 31 Jan 2026", "12 Jan", None),
        ("Statement date: 31 Jan 2026\nStatement date: 31 Jan 2025", "12 Jan", None),
        ("Statement date: 31 Jan 2026", "12 Mar", None),
    ],
)
def test_a_day_of_a_row_is_the_last_such_day_before_the_date_of_the_statement(
    told: str, day: str, expected: str | None
) -> None:
    text = f"{told}\n\nDate        Description              Amount\n{day:12}Coffee                     4.50\n"
    assert rows(text, *TRANSACTIONS) == [(expected, "Coffee", "4.50")]


def test_the_year_of_a_day_is_found_again_where_the_statement_has_it() -> None:
    text = "Statement date: 31 Jan 2026\n\nDate        Description              Amount\n20 Dec      Tea          4.50\n"
    columns = [{"name": name, "type": TYPES.get(name, "DECIMAL"), "required": True} for name in TRANSACTIONS]
    field = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    contract = {"id": "paper", "version": "1", "fields": [field]}
    artifact = paxman.normalize(text, contract)
    (day,) = [ref.transforms for ref in artifact["rows"].evidence_refs if ref.field_path == "rows[0].date"]
    assert (day, artifact["rows"].confidence_band.value) == (("year:2025 before 16-27", "date:dmy"), "MEDIUM")
    data = text.encode()
    assert [
        check.problem for check in verify_sources(artifact, data, read_document(data)).checks if check.problem
    ] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("%", "Amount"), ("%", "€"), ("2024", "2023"), ("FY 2024", "FY 2023"), ("1-9", "10-99"), ("#", "%")],
)
@pytest.mark.parametrize("template", ["{:12}{:>10}{:>10}", "{}\t{}\t{}", "<tr><td>{}<td>{}<td>{}"])
def test_a_label_without_letters_names_the_heading_that_is_just_that(one: str, other: str, template: str) -> None:
    cells = [("Account", one, other), ("Sales", "20", "200.00"), ("Wages", "50", "512.00")]
    lines = [template.format(*row) for row in cells]
    text = "\n".join(["<html><table>", *lines, "</table></html>"] if "<" in template else [*lines, ""])
    found = rows(text, "account", "first", "second", labels={"first": one, "second": other})
    assert found == [("Sales", "20", "200.00"), ("Wages", "50", "512.00")]


@pytest.mark.parametrize(
    ("head", "line", "names", "expected"),
    [
        ("Item Qty Price", "Milk 2 0.99", ("item", "quantity", "unit_price"), ("Milk", "2", "0.99")),
        ("Pos Artikel Menge Preis Gesamt", "1 Milch 2 0.99 1.98", ITEMS, ("Milch", "2", "0.99", "1.98")),
        ("Artikel Menge Preis Gesamt", "Milch 2 1.98", ITEMS, ("Milch", "2", None, "1.98")),
        ("Item Qty Unit Price Total", "Milk 2 0.99 1.98", ITEMS, ("Milk", "2", "0.99", "1.98")),
    ],
)
def test_words_without_gaps_are_headings_by_themselves_where_rows_have_as_many_parts(
    head: str, line: str, names: tuple[str, ...], expected: tuple[str | None, ...]
) -> None:
    assert rows(f"{head}\n{line}\n{line}\nTotal 3.96\n", *names) == [expected] * 2


@pytest.mark.parametrize("sign", ["-", "—", "n/a"])
@pytest.mark.parametrize("template", ["{:12}{:>8}{:>8}", "{}\t{}\t{}", "{},{},{}", "<tr><td>{}<td>{}<td>{}"])
def test_a_sign_for_nothing_among_numbers_is_an_empty_cell(sign: str, template: str) -> None:
    cells = [("Item", "Quantity", "Price"), ("Milk", "2", "0.99"), ("Bag", sign, "0.10"), ("Eggs", "1", "3.00")]
    lines = [template.format(*row) for row in cells]
    text = "\n".join(["<html><table>", *lines, "</table></html>"] if "<" in template else [*lines, ""])
    names = ("item", "quantity", "price")
    expected = [("Milk", "2", "0.99"), ("Bag", None, "0.10"), ("Eggs", "1", "3.00")]
    assert (rows(text, *names), notes(text, *names)) == (expected, [])


@pytest.mark.parametrize("heading", ["Curr", "Cur.", "Ccy", "Whg.", "Dev.", "Mon.", "Val.", "Moneda"])
@pytest.mark.parametrize("template", ["{:12}{:>8}{:>8}", "{},{},{}", "<tr><td>{}<td>{}<td>{}"])
def test_codes_below_a_short_heading_are_the_currencies_of_amounts(heading: str, template: str) -> None:
    lines = [
        template.format(*row) for row in [("Item", heading, "Price"), ("Milk", "EUR", "0.99"), ("Bag", "USD", "2.00")]
    ]
    text = "\n".join(["<html><table>", *lines, "</table></html>"] if "<" in template else [*lines, ""])
    types = {"item": "STRING", "price": "MONEY"}
    columns = [{"name": name, "type": kind, "required": True} for name, kind in types.items()]
    field = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    found = paxman.normalize(text, {"id": "paper", "version": "1", "fields": [field]})["rows"].value
    assert [(str(row["price"].amount), row["price"].currency) for row in found] == [("0.99", "EUR"), ("2.00", "USD")]


@pytest.mark.parametrize("heading", ["Curr", "Ccy", "Whg", "Moneda"])
def test_a_short_heading_of_currencies_names_their_column(heading: str) -> None:
    text = f"Item         {heading:8} Price\nMilk         EUR        0.99\nBag          USD        2.00\n"
    columns = [{"name": name, "type": "STRING", "required": True} for name in ("item", "currency")]
    field = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    found = paxman.normalize(text, {"id": "paper", "version": "1", "fields": [field]})["rows"].value
    assert [dict(row) for row in found] == [{"item": "Milk", "currency": "EUR"}, {"item": "Bag", "currency": "USD"}]
