"""What holds for every recognizer: values are made by their transforms, order is kept, hostile text stays cheap."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paxman.recognizers import Conventions, Reading, find, kinds
from paxman.transforms import run

PIECES = st.sampled_from(
    """12 1,234.50 1.234,56 ( ) - . , % € $ RM EUR kr 25/12/2018 03/04/25 March 3rd 2015 three hundred and million GmbH
    Inc. & Mr. John Smith @ a@b.de www.x.com +49 DE123456789 10115 Berlin Street no yes 10:30 pm two (2) years 年 月 日
    ½ / million francs Swiss CR to 5 cents DE89 3704 0044 0532 0130 00""".split()
)
TEXTS = st.lists(PIECES | st.text(max_size=4), max_size=25).flatmap(
    lambda parts: st.sampled_from([" ", "", "\n", "  "]).map(lambda gap: gap.join(parts))
)
PAGES = st.builds(
    Conventions,
    st.sampled_from([".", ",", None]),
    st.sampled_from(["dmy", "mdy", "ymd", None]),
    st.sampled_from(["EUR", "JPY", "KWD", None]),
    st.sampled_from(["en", "de", "fr", "es", "it", "pt", "nl", "ja", None]),
    st.sampled_from(["US", "DE", "NO", None]),
)


def assert_grounded(text: str, reading: Reading) -> None:
    assert 0 <= reading.start < reading.end <= len(text)
    for each in (reading, *reading.alternatives):
        made = run(each.transforms, text[each.start : each.end])
        assert (type(made), made) == (type(each.value), each.value)


@pytest.mark.parametrize("kind", kinds())
@given(text=TEXTS, page=PAGES)
def test_values_are_what_the_transforms_make(kind: str, text: str, page: Conventions) -> None:
    found = find(kind, text, page)
    for reading in found:
        assert_grounded(text, reading)
        assert all(other.value != reading.value for other in reading.alternatives)
        assert bool(reading.alternatives) <= bool(reading.rule)
    assert [reading.start for reading in found] == sorted(reading.start for reading in found)
    if kind != "date":
        assert all(left.end <= right.start for left, right in pairwise(found))


def test_readings_move_with_their_text() -> None:
    (reading,) = find("date", "03/04/2025")
    moved = reading.shifted(5)
    assert (moved.start, moved.end, moved.alternatives[0].start) == (5, 15, 5)
    assert_grounded("due: 03/04/2025", moved)


HOSTILE = [
    ",",
    " ",
    "9",
    "1,",
    "1 ",
    "1'",
    "a",
    "A ",
    "@",
    "a.",
    "one ",
    "1/1/",
    "$1",
    "(1",
    "\n",
    "und",
    "1:",
    "GmbH ",
    "March 3 - 7, 2014 ",
]


@pytest.mark.parametrize("kind", kinds())
def test_hostile_text_takes_linear_time(kind: str) -> None:
    for piece in HOSTILE:
        text = piece * (10_000 // len(piece))
        start = time.process_time()
        find(kind, text)
        assert time.process_time() - start < 1.5, piece
