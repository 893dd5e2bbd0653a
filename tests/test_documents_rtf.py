import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paxman
from paxman.documents.document import ByteRange
from paxman.documents.reading import Limits, read_document

LETTER = (
    rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\*\generator X;}{\info{\title T}}\pard Rechnung f\'fcr "
    b"\\b Gr\\u246?\\'dfe\\b0\\par\r\nTotal: 12,50 \\'80\\par{\\pict\\wmetafile8 0102ff}\\u-10179?\\u-8704? done\\par\n"
    rb"{\field{\*\fldinst HYPERLINK x}{\fldrslt link}}{\shp{\*\shpinst{\sp{\sn a}{\sv b}}{\shptxt box}}}\{\\\~\}\par}"
)


def rtf(text: str) -> bytes:
    """Text as word processors write it: numbers of UTF-16 units, with a question mark to stand in for each."""
    units = text.encode("utf-16-le")
    numbers = (int.from_bytes(units[at : at + 2], "little", signed=True) for at in range(0, len(units), 2))
    return "".join(f"\\u{number}?" for number in numbers).encode()


def test_the_text_that_is_shown() -> None:
    document = read_document(LETTER, "x.doc")
    assert document.text == "Rechnung für Größe\nTotal: 12,50 €\n😀 done\nlinkbox{\\\xa0}\n"
    assert (document.kind, document.diagnostics) == ("text", ())
    start = document.text.index("€")
    at = LETTER.index(rb"\'80")
    assert document.locate((start, start + 1)) == ByteRange(at, at + 4)


def test_a_value_in_a_letter() -> None:
    fields = [{"name": "total", "type": "MONEY", "required": True}]
    total = paxman.normalize(LETTER, {"id": "letter", "fields": fields})["total"]
    assert total.value == paxman.Money("12.50", "EUR")


def test_characters_of_two_bytes() -> None:
    document = read_document(b"{\\rtf1\\ansi\\ansicpg932 \\'90\\'bf\\'8b\\'81\\'8f\\'91 1}")
    assert document.text == "請求書 1"
    assert document.locate((1, 2)) == ByteRange(31, 39)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), st.data())
@settings(max_examples=80)
def test_spans_point_at_the_same_characters(text: str, data: st.DataObject) -> None:
    source = b"{\\rtf1 " + rtf(text) + b"}"
    document = read_document(source)
    assert document.text == text
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    place = document.byte_range((start, end))
    assert place is not None
    assert read_document(b"{\\rtf1 " + source[place.start : place.end] + b"}").text == text[start:end]


@pytest.mark.parametrize("unit", [b"{", b"\\'", b"\\u8364?", b"\\par", b"\\*", b"{\\*", b"\\bin9", b"\\", b"}"])
def test_hostile_files_take_linear_time(unit: bytes) -> None:
    start = time.process_time()
    read_document(b"{\\rtf1" + unit * (300_000 // len(unit)))
    assert time.process_time() - start < 4


def test_what_is_cut_off_is_said() -> None:
    cut = read_document(rb"{\rtf1 one {\b two")
    assert (cut.text, [note.message for note in cut.diagnostics]) == (
        "one two",
        ["the document is cut off. Check that the file is complete"],
    )
    long = read_document(b"{\\rtf1 " + b"one\\par " * 9 + b"}", limits=Limits(max_text_chars=10))
    assert [note.message for note in long.diagnostics] == [
        "only the first 10 characters were read. Raise max_text_chars or split the document"
    ]


def test_bold_print_is_marked() -> None:
    document = read_document(rb"{\rtf1 {\b Net:} 5.00\par Tax \b 1\b0 .00 \b x\plain y}")
    assert [document.text[slice(*mark.span)] for mark in document.marks] == ["Net:", "1", "x"]
