"""Columns of running text are read one after the other; tables and forms stay as they are on the page."""

from __future__ import annotations

import textwrap
import time
from array import array
from itertools import zip_longest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdf_maker import lines, make_pdf

from paxman import normalize
from paxman.documents.paged.segments import Word
from paxman.documents.paged.typeset import PageText, View, set_page
from paxman.documents.reading import read_document

LEFT = (
    "The supplier delivers the goods to the place that was agreed, and the buyer takes them there. Whoever is late "
    "pays for what this costs the other, unless the delay was caused by something that nobody could foresee. "
    "What is broken on the way is replaced as soon as a new one is in the store, and nobody asks whose fault it was."
)
RIGHT = (
    "The price is paid within thirty days after the goods were handed over. It is paid to the account that is named "
    "on the bill, and to no other. A buyer who does not pay in time loses every discount that was granted for the "
    "same order, and keeps the goods only after the whole sum has arrived at the bank of the supplier."
)
THIRD = (
    "All that is said here holds for later orders too, even if nobody speaks of it again. If one rule is void the "
    "others stay as they are, and in its place stands what comes nearest to it. The parties write down whatever "
    "they change, for a spoken word is soon forgotten by those who would rather not remember it any more."
)


def wrapped(text: str, width: int = 40) -> list[str]:
    return textwrap.wrap(text, width)


def placed(rows: list[str], x: float, y: float = 100, leading: float = 12, size: float = 10) -> list[Word]:
    """Words of lines in letters that are all five points wide."""
    found = []
    for number, row in enumerate(rows):
        at = 0
        for text in row.split():
            at = row.index(text, at)
            left, right, base = x + 5 * at, x + 5 * (at + len(text)), y + leading * number
            corners = array("f", [left, right, -base, size - base] * len(text))
            found.append(Word(text, left, right, base, size, corners))
            at += len(text)
    return found


def page_of(*columns: list[Word]) -> PageText:
    return set_page(PageText(1, View(0, -800, 600, 0)), [[word for column in columns for word in column]])


def text_of(*columns: list[Word]) -> str:
    return page_of(*columns).text


def side_by_side(left: list[str], right: list[str], width: int) -> str:
    return "".join(f"{one:{width}}{two}".rstrip() + "\n" for one, two in zip_longest(left, right, fillvalue=""))


@pytest.mark.parametrize("offset", [0, 5, 7])
def test_columns_of_prose_are_read_one_after_the_other(offset: float) -> None:
    left, right = wrapped(LEFT), wrapped(RIGHT)
    assert text_of(placed(left, 50), placed(right, 270, 100 + offset)) == "\n".join([*left, *right, ""])


def test_three_columns_of_prose_are_read_one_after_the_other() -> None:
    columns = [wrapped(text, 30) for text in (LEFT, RIGHT, THIRD)]
    words = [placed(column, 50 + 170 * number) for number, column in enumerate(columns)]
    assert text_of(*words) == "\n".join([row for column in columns for row in column] + [""])


def test_what_stands_across_columns_stays_above_and_below() -> None:
    left, right = wrapped(LEFT), wrapped(RIGHT)
    above, below = "Terms of delivery and payment for all orders of goods", "Signed by both parties in two copies each"
    height = 12 * len(left)
    page = placed([above], 100, 70), placed(left, 50), placed(right, 270), placed([below], 150, 130 + height)
    gaps = " " * 10, " " * 20
    assert text_of(*page) == "\n".join([gaps[0] + above, "", *left, *right, "", gaps[1] + below, ""])


def test_addresses_above_columns_of_prose_stay_side_by_side() -> None:
    bill, ship = (
        ["Bill to", "Oakfield Dairy Ltd", "12 Meadow Lane", "Bath"],
        ["Ship to", "Cold Store", "Unit 7", "Bristol"],
    )
    left, right = wrapped(LEFT), wrapped(RIGHT)
    page = placed(bill, 50, 40), placed(ship, 270, 40), placed(left, 50), placed(right, 270)
    assert text_of(*page) == side_by_side(bill, ship, 44) + "\n" + "\n".join([*left, *right, ""])


def test_a_small_table_stays_a_table_in_its_column() -> None:
    small = ["Month    Ships    Tons", "May      12       340", "June     14       410"]
    left, right = [*wrapped(LEFT), *small, *wrapped(THIRD)], [*wrapped(RIGHT), *wrapped(THIRD), *wrapped(RIGHT)]
    assert text_of(placed(left, 50), placed(right, 270)) == "\n".join([*left, *right, ""])


def test_lines_stretched_to_the_width_of_a_column_have_single_spaces() -> None:
    left, right = wrapped(LEFT), wrapped(RIGHT)
    stretched = [row.replace(" ", "   ", 40 - len(row) >> 1) for row in left[:-1]] + left[-1:]
    assert text_of(placed(stretched, 50), placed(right, 290)) == "\n".join([*left, *right, ""])


def test_columns_from_right_to_left_begin_at_the_right() -> None:
    letters = str.maketrans("abcdefghijklmnopqrstuvwxyz", "אבגדהוזחטיכלמנסעפצקרשתאבגד", ".,T")
    columns = [wrapped(text.lower().translate(letters)) for text in (LEFT, RIGHT)]
    mirrored = [
        word._replace(x0=600 - word.x1, x1=600 - word.x0)
        for number, rows in enumerate(columns)
        for word in placed(rows, 50 + 220 * number)
    ]
    assert text_of(mirrored) == "\n".join([*columns[0], *columns[1], ""])


def test_words_of_a_second_column_are_found_where_they_stand() -> None:
    page = page_of(placed(wrapped(LEFT), 50), placed(wrapped(RIGHT), 270))
    start = page.text.index("price")
    assert page.locate((start, start + 5)).box == (29000, 9000, 31500, 10000)


CELLS = [
    ("Delays of the supplier, which are usual in winter when the roads are closed by snow", "Order early."),
    *zip(
        (LEFT[:190], RIGHT[:170], THIRD[:100], LEFT[95:300]),
        (RIGHT[:120], LEFT[:200], RIGHT[70:250], THIRD[:90]),
        strict=True,
    ),
]


@pytest.mark.parametrize("padding", [0, 4])
def test_wrapped_cells_of_a_table_stay_side_by_side(padding: float) -> None:
    words: list[Word] = []
    expected = ""
    y = 100.0
    for one, two in CELLS:
        left, right = wrapped(one), wrapped(two)
        words += placed(left, 50, y) + placed(right, 270, y)
        y += 12 * max(len(left), len(right)) + padding
        expected += side_by_side(left, right, 44)
    assert text_of(words) == expected


def cell(text: str, count: int) -> list[str]:
    return [*wrapped(text)[: count - 1], "and so on."]


def set_rows(rows: list[tuple[list[str], list[str]]], share: float = 0) -> tuple[list[Word], str]:
    """A table with the shorter cells at the top, in the middle or at the bottom of their row, and its text."""
    words: list[Word] = []
    text = ""
    for row in rows:
        most, y = max(map(len, row)), 100 + 12 * text.count("\n")
        left, right = ([""] * int(share * (most - len(lines))) + lines for lines in row)
        words += placed(left, 50, y) + placed(right, 270, y)
        text += side_by_side(left, right, 44)
    return words, text


UNEVEN = [
    (cell(LEFT, 3), cell(RIGHT, 7)),
    (cell(RIGHT, 6), cell(THIRD, 2)),
    (cell(THIRD, 5), cell(LEFT, 7)),
    (cell(LEFT, 6), cell(RIGHT, 4)),
]


@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_cells_of_any_vertical_alignment_stay_in_their_row(share: float) -> None:
    words, text = set_rows(UNEVEN, share)
    assert text_of(words) == text


def test_two_rows_of_very_long_cells_stay_rows() -> None:
    words, text = set_rows([(cell(LEFT, 9), cell(RIGHT, 9)), (cell(RIGHT, 8), cell(THIRD, 5))])
    assert text_of(words) == text


def test_labels_before_very_long_cells_make_a_table() -> None:
    left, right = wrapped(LEFT + " " + THIRD, 38), wrapped(THIRD + " " + RIGHT, 38)
    labels = {0: "Risk", 4: "Costs", 11: "Duties"}
    rows = [f"{labels.get(number, ''):10}{row}" for number, row in enumerate(left)]
    assert text_of(placed(rows, 50), placed(right, 310)) == side_by_side(rows, right, 52)


def test_a_number_in_the_heading_of_a_column_does_not_keep_it_above() -> None:
    left, right = ["Section 12", *wrapped(LEFT)], ["as before.", *wrapped(RIGHT)]
    assert text_of(placed(left, 50), placed(right, 270)) == "\n".join([*left, *right, ""])


FORM = [
    "Name of the insured person: Dana Whitcombe",
    "Date of birth of the person: 4 May 1981",
    "Kind of cover that is wanted: full cover",
    "Start of the insurance cover: 1 May 2024",
    "Method of payment of premium: by transfer",
    "Number of earlier claims made: none at all",
    "Name of the family doctor of all: Dr. Ellis",
]
NAMES = ["Valve block with four ports", "Oil filter with paper insert", "Hand pump for oil and diesel"] * 4
ITEMS = [f"valve block with {number} ports and handle {number}.50" for number in range(11, 23)]
PARTS_LIST = [f"oil filter with insert of size {number} for {number}.20" for number in range(31, 43)]
PERSON = [
    "name of the insured person: Dana W",
    "date of birth of the person: May 4",
    "kind of cover that is wanted: full",
    "start of the insurance cover: now",
    "method of payment of fees: cash",
    "number of earlier claims: none yet",
    "name of the family doctor: Ellis",
]
HOUSE = [
    "address of the building: Bath East",
    "year in which it was built: old one",
    "number of floors in total: about two",
    "kind of heating in use: gas boiler",
    "name of the landlord: Harbor Mills",
    "distance to fire station: one mile",
    "name of the earlier insurer: Avon",
]
TOOLS = ["Valve block with four ports", "Oil filter with paper insert", "Hand pump for oil and diesel"]
STOCK = [*TOOLS, "hose of rubber with fittings"] * 4
GAUGES = ["Gauge for oil and water use", "Clamp for thin steel pipes", "Motor with two speeds each"]
ORDERS = [*GAUGES, "cable with a plug and fuse"] * 4


@pytest.mark.parametrize(
    ("left", "right"),
    [(FORM, FORM[::-1]), (ITEMS, PARTS_LIST), (PERSON, HOUSE), (STOCK, ORDERS)],
    ids=["form", "figures", "labels", "capitals"],
)
def test_forms_and_lists_stay_side_by_side(left: list[str], right: list[str]) -> None:
    assert text_of(placed(left, 50), placed(right, 300)) == side_by_side(left, right, 50)


def test_prose_beside_totals_stays_beside_them() -> None:
    left = wrapped(LEFT)
    totals = [f"{name:14}{value}" for name, value in (("Subtotal", "12.00"), ("Tax", "2.00"), ("Total", "14.00"))] * 3
    assert text_of(placed(left, 50), placed(totals, 290)) == side_by_side(left, totals, 48)


AGREEMENT = (
    "This Agreement is made and entered into as of March 14, 2019 by and between Northwind Harbor Logistics, Inc., "
    "a Delaware corporation, and Juniper Ridge Analytics LLC, a limited liability company of Oregon. Each party agrees "
    "not to disclose what it learns from the other to any third party. The obligations of each party hereunder shall "
    "survive for a period of three (3) years from the date of this Agreement. This Agreement shall be governed by the "
    "laws of the State of Oregon, without reference to any rules on the conflict of laws that may be in force there."
)
CONTRACT = {
    "id": "agreement",
    "version": "1",
    "fields": [
        {"name": "effective_date", "type": "DATE", "required": False, "labels": ["entered into as of"]},
        {
            "name": "jurisdiction",
            "type": "STRING",
            "required": False,
            "labels": ["laws of the State of"],
            "tags": ["region"],
        },
    ],
}


def test_an_agreement_in_two_columns_is_read_like_one_in_one_column() -> None:
    rows = wrapped(AGREEMENT, 38)
    half = len(rows) // 2
    pages = (
        make_pdf(lines(rows, 60, 700, size=11)),
        make_pdf(lines(rows[:half], 60, 700, size=11) + lines(rows[half:], 320, 700, size=11)),
    )
    one, two = map(read_document, pages)
    assert two.text == one.text
    found = [normalize(page, CONTRACT) for page in pages]
    values = [[str(each[name].value) for name in ("effective_date", "jurisdiction")] for each in found]
    assert values == [["2019-03-14", "Oregon"]] * 2


PARTS = st.tuples(
    st.sampled_from([wrapped(LEFT), wrapped(RIGHT, 25), wrapped(THIRD, 60), FORM, NAMES, ["A heading"], ["Page 2"]]),
    st.sampled_from([50, 52, 60, 190, 270, 400]),
    st.integers(0, 30).map(lambda step: 12 * step + step % 3),
)


@given(st.lists(PARTS, min_size=1, max_size=6))
@settings(max_examples=150, deadline=None)
def test_no_word_is_lost_or_set_twice(parts: list[tuple[list[str], float, float]]) -> None:
    columns = [placed(rows, x, y) for rows, x, y in parts]
    assert sorted(text_of(*columns).split()) == sorted(word.text for column in columns for word in column)


@pytest.mark.parametrize("columns", [2, 20])
def test_many_columns_take_little_time(columns: int) -> None:
    page = [placed(wrapped(LEFT, 18) * (1600 // columns), 100 * number) for number in range(columns)]
    start = time.process_time()
    text_of(*page)
    assert time.process_time() - start < 8
