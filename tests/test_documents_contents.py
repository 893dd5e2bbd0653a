"""Lines of a table of contents name pages, in every format, and no values."""

import pytest
from pdf_maker import lines, make_pdf

import paxman
from paxman.documents.reading import read_document
from paxman.documents.visual_lines import blank_contents

ENTRIES = """Governing Law ................................ 19
Term . . . . . . . . . . . . . . . . . . . . . 20
Effective Date ............................... 21
"""
BODY = "\n12. Governing Law\nThe laws of Oregon.\n\n13. Term\nTwo years.\n"
CONTRACT = {
    "id": "agreement",
    "version": "1",
    "fields": [
        {"name": "governing_law", "type": "STRING", "required": True},
        {"name": "term", "type": "STRING", "required": True},
        {"name": "effective_date", "type": "DATE", "required": False},
    ],
}


def values(document: str | bytes) -> list[object]:
    return [field.value for field in paxman.normalize(document, CONTRACT).field_results]


@pytest.mark.parametrize("title", ["TABLE OF CONTENTS\n\n", "Inhaltsverzeichnis:\n", "目次\n"])
def test_entries_below_a_title_for_contents_are_no_values(title: str) -> None:
    assert values(title + ENTRIES) == [None, None, None]


def test_entries_that_are_headings_of_the_text_are_no_values() -> None:
    assert values(ENTRIES + BODY) == ["The laws of Oregon.", "Two years.", None]


def test_a_table_of_contents_without_a_title_gives_no_values() -> None:
    assert values(f"Definitions ........ 2\n{ENTRIES}") == [None, None, None]


def test_a_page_of_contents_in_a_pdf_is_no_value() -> None:
    pdf = make_pdf(lines(["CONTENTS", *ENTRIES.splitlines()], 72, 700), lines(BODY.splitlines(), 72, 700))
    assert values(pdf) == ["The laws of Oregon.", "Two years.", None]
    assert [pair.label for pair in read_document(pdf).pairs if "Law" in pair.label] == []


@pytest.mark.parametrize(
    "text",
    [
        "Apples ........ 3\nPears ......... 4\nTotal ......... 7\n",
        "Serial number ...... 1234\nModel .............. 5\n",
        "1 Wages ........... 100\n2 Interest ........ 200\n3 Total ........... 300\n",
        "Coffee ..... 3\nTea ........ 4\nCake ....... 5\nTotal ..... 12\n",
        "Contents ........... 5\n",
        "Contents\n\nTerm ....... 9\nTotal ...... 7\n",
    ],
)
def test_other_values_behind_dots_stay(text: str) -> None:
    assert blank_contents(text) == text


def test_contents_go_on_over_the_turn_of_a_page() -> None:
    text = "Contents\nA ..... 1\nB ..... 3\n\n- ii -\n\n\n\fAgreement\n\nC ..... 4\nD ..... iv\n"
    assert blank_contents(text).split() == ["Contents", "-", "ii", "-", "Agreement"]
    assert len(blank_contents(text)) == len(text)
