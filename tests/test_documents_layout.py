import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paxman.documents.layout import find_pairs
from paxman.documents.text_tables import find_tables
from paxman.transforms import run


def pairs(text: str) -> list[tuple[str, str]]:
    return [(pair.label, text[slice(*pair.value_span)]) for pair in find_pairs(text) if pair.relation == "beside"]


def below(text: str) -> list[tuple[str, str]]:
    return [(pair.label, text[slice(*pair.value_span)]) for pair in find_pairs(text) if pair.relation == "below"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Invoice No: 123", [("Invoice No", "123")]),
        ("Invoice No: 123     Date: 2024-01-02", [("Invoice No", "123"), ("Date", "2024-01-02")]),
        ("TEL: 03-6156 8757  CO NO: 001083069-M", [("TEL", "03-6156 8757"), ("CO NO", "001083069-M")]),
        ("Date: 01/02/2018 Time: 4:43 PM", [("Date", "01/02/2018"), ("Time", "4:43 PM")]),
        ("Währung:                 EUR", [("Währung", "EUR")]),
        ("Rechnungsdatum : 05.03.2018", [("Rechnungsdatum", "05.03.2018")]),
        ("Kundennummer:2", [("Kundennummer", "2")]),
        ("合計：1,200円", [("合計", "1,200円")]),
        ("Invoice Date        05/24/20", [("Invoice Date", "05/24/20")]),
        ("Total\t12.00", [("Total", "12.00")]),
        ("Total ........ 12.00", [("Total", "12.00")]),
        ("Total . . . . . 12.00", [("Total", "12.00")]),
        ("VAT = 2.00", [("VAT", "2.00")]),
        ("| Total | 12.00 |", [("Total", "12.00")]),
        ("Total:   12.00   EUR", [("Total", "12.00   EUR")]),
        ("TOTAL    RM   4.90", [("TOTAL", "RM   4.90")]),
        ("Contract # 26836446", [("Contract #", "26836446")]),
        ("Rechnung Nr. RE-15/503 von 13.06.2015", [("Rechnung Nr.", "RE-15/503")]),
        ("STORE NO.:  129077  BABU", [("STORE NO.", "129077")]),
        ("Primary Demo:           Total GRP:", []),
        ("opens at 12:30 and closes at 18:00", []),
        ("see https://example.com/a for more", []),
        ("Comments: Separation: 30", [("Comments", "Separation: 30"), ("Separation", "30")]),
        ("if a == b then stop", []),
    ],
)
def test_a_label_beside_its_value(line: str, expected: list[tuple[str, str]]) -> None:
    assert pairs(line) == expected
    assert pairs(f"Some prose stands above this line, which is long.\r\n{line}\r\n\r\nand below\r\n") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Payment terms\n30 days", [("Payment terms", "30 days")]),
        ("Due date:\n\n2024-01-02\n", [("Due date", "2024-01-02")]),
        ("Date          Number\n2024-01-02    INV-7\n", [("Date", "2024-01-02"), ("Number", "INV-7")]),
        (
            "Menge   Produkt   Preis\n1,00    Ballon     0,79\n",
            [("Menge", "1,00"), ("Produkt", "Ballon"), ("Preis", "0,79")],
        ),
        (
            "Date\tNumber\tName\n2024-01-02\tINV-7\tBob\n",
            [("Date", "2024-01-02"), ("Number", "INV-7"), ("Name", "Bob")],
        ),
        ("Seller\nNumber:   549910", []),
        ("Total\n\n\n\n12.00", []),
    ],
)
def test_a_label_above_its_value(text: str, expected: list[tuple[str, str]]) -> None:
    assert below(text)[: max(len(expected), 1)] == expected


def test_headings_are_not_values_of_each_other() -> None:
    assert pairs("Description   Qty   Price\nWidget          2    3.00\n") == [("Widget", "2")]


def table(text: str) -> list[list[str]]:
    (found,) = find_tables(text)
    assert not found.explicit
    return [[cell.text for cell in row] for row in (found.header, *found.rows)]


ALIGNED = """
Description          Qty    Price     Amount
Widget, large          2     3.00       6.00
Gadget                 1     4.00       4.00
with a handle
Shipping                                5.00
"""


def test_a_table_in_aligned_columns() -> None:
    assert table(ALIGNED) == [
        ["Description", "Qty", "Price", "Amount"],
        ["Widget, large", "2", "3.00", "6.00"],
        ["Gadget", "1", "4.00", "4.00"],
        ["with a handle", "", "", ""],
        ["Shipping", "", "", "5.00"],
    ]


def test_a_table_in_pipes() -> None:
    assert table("| Name | Qty | Price |\n|------|-----|-------|\n| Bolt | 2 | 3.00 |\n| Nut | 1 | 4.00 |\n") == [
        ["Name", "Qty", "Price"],
        ["Bolt", "2", "3.00"],
        ["Nut", "1", "4.00"],
    ]


def test_a_table_in_tabs() -> None:
    text = "Name\tQty\tPrice\nBolt\t2\t3.00\nNut\t\t4.00\n"
    assert table(text) == [["Name", "Qty", "Price"], ["Bolt", "2", "3.00"], ["Nut", "", "4.00"]]


def test_two_tables_with_prose_between() -> None:
    text = "A     B\n1     2\n\n\n\nSome words stand here.\nC     D     E\nx     1     2\ny     3     4\n"
    found = [[[cell.text for cell in row] for row in (t.header, *t.rows)] for t in find_tables(text)]
    assert found == [[["A", "B"], ["1", "2"]], [["C", "D", "E"], ["x", "1", "2"], ["y", "3", "4"]]]


def test_prose_holds_neither_pairs_nor_tables() -> None:
    prose = "The quick brown fox jumps over the lazy dog and then goes on until the very end of this long line.\n" * 50
    assert (find_pairs(prose), find_tables(prose)) == ((), ())


LAYOUT = st.lists(
    st.sampled_from(
        ["Total", "Date", " ", "  ", "\t", ":", "12.00", "EUR", "\n", "|", "...", "=", "#", "ä", "\r\n", "\xa0"]
    ),
    max_size=40,
).map("".join)


@example("Total  Total\nTotalTotal12.00...Total")
@example("Total  Total\nDate  Date|12.00")
@given(LAYOUT | st.text(max_size=80))
@settings(max_examples=300)
def test_spans_hold_what_they_say(text: str) -> None:
    for pair in find_pairs(text):
        value = text[slice(*pair.value_span)]
        assert text[slice(*pair.label_span)].replace("|", "\t") == pair.label
        assert value
        assert value == value.strip()
        assert "\n" not in value
    for found in find_tables(text):
        for row in (found.header, *found.rows):
            assert len(row) == len(found.header)
            for cell in row:
                assert run(cell.transforms, text[slice(*cell.span)]) == cell.text


@pytest.mark.parametrize(
    "unit", [",", " ", ":", "a ", ". ", "a:", "\t", "|", "=a", "No. ", "1 a:", "a  ", "x\n", "a  b\n"]
)
def test_hostile_layout_takes_linear_time(unit: str) -> None:
    start = time.process_time()
    text = unit * (100_000 // len(unit))
    find_pairs(text)
    find_tables(text)
    assert time.process_time() - start < 4


def test_a_cell_in_narrow_letters_may_reach_below_the_next_heading() -> None:
    text = (
        "Pos    Description                          Qty      Amount\n"
        "       Hydraulic pump with integrated\n"
        "       pressure relief valve, 230 V, including\n"
        "1      mounting kit                         2        2,400.00\n"
    )
    (table,) = find_tables(text)
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["", "Hydraulic pump with integrated", "", ""],
        ["", "pressure relief valve, 230 V, including", "", ""],
        ["1", "mounting kit", "2", "2,400.00"],
    ]


ITEMS = [
    ["Description", "Qty", "Price", "Amount"],
    ["Widget, large", "2", "3.00", "6.00"],
    ["Gadget", "1", "4.00", "4.00"],
]
PAPER = """
Description          Qty    Price     Amount
Widget, large          2     3.00       6.00
Gadget                 1     4.00       4.00
"""
SUMS = [["", "", "Subtotal", "10.00"], ["", "", "Total", "12.00"]]
PAPER_WITH_SUMS = f"""{PAPER}                           Subtotal    10.00
                           Total       12.00
"""


@pytest.mark.parametrize(
    "below",
    [
        "\nThank you for the order\n",
        "\nThank you for the order\nand come again\nsoon to our shop\n",
        "\nPayment terms:     30 days net\nBank:              12-34-56\n",
        "\nHarbor Mills Ltd    Bank: 12-34-56    Phone: 0117 496\n",
        "\nAll goods remain our property          until they are paid\n",
        "\fInvoice 4711\n",
        "\fInvoice 4711             Page 2\nTerms of sale\n",
    ],
)
def test_a_table_ends_above_what_is_no_row(below: str) -> None:
    assert table(PAPER + below) == ITEMS
    assert table(PAPER_WITH_SUMS + below) == ITEMS + SUMS


def test_a_text_right_below_sums_is_no_row() -> None:
    assert table(PAPER_WITH_SUMS + "Terms of sale\nPayment in 30 days\n") == ITEMS + SUMS


@pytest.mark.parametrize(("between", "added"), [("\nTools\n", [["Tools", "", "", ""]]), ("\n", [])])
def test_a_table_goes_on_below_a_blank_line_where_more_rows_follow(between: str, added: list[list[str]]) -> None:
    bolt = "Bolt                   3     1.00       3.00\n"
    assert table(PAPER + between + bolt) == [*ITEMS, *added, ["Bolt", "3", "1.00", "3.00"]]


@pytest.mark.parametrize("title", ["", "Invoice 4711\n", "Invoice 4711\n\n"])
def test_headings_repeated_on_the_next_page_are_no_row(title: str) -> None:
    following = " Description          Qty    Price     Amount\n Bolt                   3     1.00       3.00\n"
    assert table(f"{PAPER}\f{title}{following}") == [*ITEMS, ["Bolt", "3", "1.00", "3.00"]]


def test_rows_apart_from_each_other_keep_their_further_lines() -> None:
    text = "Name      Qty   Price\n\nBolt      1     2.00\nof steel\n\nNut       3     4.00\n\nof brass\n"
    rows = [["Bolt", "1", "2.00"], ["of steel", "", ""], ["Nut", "3", "4.00"], ["of brass", "", ""]]
    assert table(text) == [["Name", "Qty", "Price"], *rows]


def test_the_last_row_keeps_its_second_line() -> None:
    text = """
Pos   Description              Qty   Amount
1     Pump HX                  2     6.00

      painted blue

2     Valve                    1     4.00

      of brass
"""
    assert table(text) == [
        ["Pos", "Description", "Qty", "Amount"],
        ["1", "Pump HX", "2", "6.00"],
        ["", "painted blue", "", ""],
        ["2", "Valve", "1", "4.00"],
        ["", "of brass", "", ""],
    ]


BOLT = "Bolt                   3     1.00       3.00\n"
NOTES = ["for the workshop", "delivered in May", "as agreed", "by phone"]


@pytest.mark.parametrize(
    ("between", "added"),
    [
        ("\n" + "\n".join(NOTES) + "\n", [[note, "", "", ""] for note in NOTES]),
        ("\fInvoice 4711                     Page 2\n\n", []),
        ("\fHarbor Mills                     Bath\n", []),
        ("\fBrought forward                       10.00\n", []),
        ("\nDelivery note: 4711     Date: 1 May 2024\n", []),
        ("\nDelivery note: 4711     Date: 1 May 2024\nDriver: Reed            Van: 7\n\n", []),
    ],
)
def test_a_table_goes_on_where_a_row_like_those_above_follows(between: str, added: list[list[str]]) -> None:
    assert table(PAPER + between + BOLT) == [*ITEMS, *added, ["Bolt", "3", "1.00", "3.00"]]


@pytest.mark.parametrize(
    "line",
    [
        "Harbor Mills Ltd    12 Mill Lane     Bath\n",
        "Harbor Mills Ltd     Bath   Mill      Lane\n",
        "Thanks                                  5.00\n",
    ],
)
def test_a_table_does_not_go_on_where_an_unlike_line_follows(line: str) -> None:
    assert table(f"{PAPER}\nDelivery note: 4711     Date: 1 May 2024\n{line}") == ITEMS


def test_other_headings_below_a_line_that_is_no_row_begin_another_table() -> None:
    text = f"{PAPER}\fInvoice 4711                     Page 2\n\nTool                 Days    Rate       Cost\n{BOLT}"
    found = [[[cell.text for cell in row] for row in (t.header, *t.rows)] for t in find_tables(text)]
    assert found == [ITEMS, [["Tool", "Days", "Rate", "Cost"], ["Bolt", "3", "1.00", "3.00"]]]


@pytest.mark.parametrize("heading", ["%", "#"])
def test_a_sign_may_be_a_heading(heading: str) -> None:
    text = f"Kind       {heading}      Base     Amount\nDiscount   5    100.00       5.00\n"
    assert table(text) == [["Kind", heading, "Base", "Amount"], ["Discount", "5", "100.00", "5.00"]]


@pytest.mark.parametrize("apart", ["\n", "\f"])
@pytest.mark.parametrize("gap", [" ", "   "])
def test_headings_may_come_again_with_other_gaps(gap: str, apart: str) -> None:
    again = f"Tool{gap}Day rate   Days   Cost\nAxe {gap}3.00       2      6.00\n"
    text = f"Tool        Day rate  Days   Cost\nSaw         1.00      2      2.00\n{apart}{again}"
    rows = [["Saw", "1.00", "2", "2.00"], ["Axe", "3.00", "2", "6.00"]]
    assert table(text) == [["Tool", "Day rate", "Days", "Cost"], *rows]


@pytest.mark.parametrize("last", ["12", ""])
def test_a_row_of_texts_below_headings_is_none_of_them(last: str) -> None:
    text = f"Name         City      Country    Age\nAnna         Rome\nBob          Oslo      Norway     {last}\n"
    assert table(text) == [
        ["Name", "City", "Country", "Age"],
        ["Anna", "Rome", "", ""],
        ["Bob", "Oslo", "Norway", last],
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Item          Qty     Price\n" + "-" * 40 + "\nBolt            2      1.50\n",
        "+------+-----+-------+\n| Item | Qty | Price |\n+------+-----+-------+\n| Bolt |   2 |  1.50 |\n",
        "Item | Qty | Price\n==================\nBolt | 2 | 1.50\n",
        "          Amounts\nItem          Qty     Price\nBolt            2      1.50\n",
        "Goods     Both amounts\nItem          Qty     Price\nBolt            2      1.50\n",
        "Item                       Qty                   Price\nBolt   2   1.50\n",
    ],
)
def test_rulers_and_group_headings_are_not_rows(text: str) -> None:
    assert table(text) == [["Item", "Qty", "Price"], ["Bolt", "2", "1.50"]]


def test_a_form_is_no_table() -> None:
    assert find_tables("Name          Anna Berg\nCity          Berlin\nPhone         030 1234\n") == ()
