"""PDF files that were damaged on their way: what is lost is said."""

from __future__ import annotations

import base64
import random
import zlib

import pytest
from pdf_maker import lines, make_pdf, stream

from paxman.documents.document import Document
from paxman.documents.reading import read_document

ROWS = lines([f"Line {number} of {number * number}" for number in range(60)], 72, 780, leading=12)


def messages(document: Document) -> list[str]:
    return [f"{note.severity.value} {note.message}" for note in document.diagnostics]


def damaged(packed: bytes) -> bytes:
    """Some bytes in the middle changed."""
    middle = len(packed) // 2
    return packed[:middle] + bytes(255 - byte for byte in packed[middle : middle + 4]) + packed[middle + 4 :]


@pytest.mark.parametrize("is_text", [False, True])
def test_text_that_cannot_be_unpacked_to_its_end_is_noted(is_text: bool) -> None:
    def write(packed: bytes) -> bytes:
        content = base64.a85encode(packed) + b"~>" if is_text else packed
        entries = "/Filter[/ASCII85Decode/FlateDecode]" if is_text else "/Filter/FlateDecode"
        return make_pdf(b"", extra=[stream(content, entries)]).replace(b"/Contents 7 0 R", b"/Contents 5 0 R")

    packed = zlib.compress(ROWS)
    whole, cut = read_document(write(packed)), read_document(write(damaged(packed)))
    assert (whole.text.count("\n"), messages(whole)) == (60, [])
    assert cut.text.count("\n") < 60
    assert messages(cut) == [
        "WARNING 1 piece of the PDF cannot be unpacked, so that text may be missing. Fetch the file again"
    ]


def test_no_damage_that_costs_text_is_silent() -> None:
    whole = make_pdf(ROWS, ROWS, compress=True)
    text = read_document(whole).text
    silent = []
    for seed in range(40):
        chance, changed = random.Random(seed), bytearray(whole)
        for _ in range(5):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        document = read_document(bytes(changed))
        silent += [seed] if len(document.text) < len(text) and not document.diagnostics else []
    assert silent == []
