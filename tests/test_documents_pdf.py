"""PDF documents: layout, boxes, forms, embedded files, and files that mean harm."""

from __future__ import annotations

import sys
import zlib

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdf_maker import attach, lines, make_coded_pdf, make_pdf, protect, show, stream, write_objects

import paxman
from paxman import transforms
from paxman.documents.document import (
    Document,
    MailPart,
    NodePath,
    PageBox,
    PageSpan,
    source_from_dict,
    source_to_dict,
)
from paxman.documents.reading import Limits, read_document
from paxman.page.names import page_of

LETTER = (61200, 79200)
INVOICE = (
    show("ACME Ltd", 72, 740, 16)
    + show("Invoice No", 340, 740)
    + show("INV-1234", 460, 740)
    + show("Date", 340, 724)
    + show("2024-05-06", 460, 724)
    + lines(["Item", "Blue bolt", "Steel nut"], 72, 660)
    + lines(["Quantity", "12", "300"], 250, 660)
    + lines(["Price", "1.50", "0.20"], 400, 660)
)


def at(document: Document, words: str) -> tuple[int, int]:
    start = document.text.index(words)
    return start, start + len(words)


def messages(document: Document) -> list[str]:
    return [f"{note.code} {note.severity.value} {note.message}" for note in document.diagnostics]


def test_text_keeps_lines_and_column_gaps() -> None:
    document = read_document(make_pdf(INVOICE))
    assert document.kind == "pdf"
    assert document.text == (
        "ACME Ltd                                           Invoice No             INV-1234\n"
        "                                                   Date                   2024-05-06\n"
        "\n"
        "Item                              Quantity                    Price\n"
        "Blue bolt                         12                          1.50\n"
        "Steel nut                         300                         0.20\n"
    )
    assert document.pages == (PageSpan(1, (0, len(document.text)), *LETTER),)
    assert document.diagnostics == ()


def test_pairs_come_from_the_page() -> None:
    document = read_document(make_pdf(INVOICE))
    pairs = {pair.label: document.text[slice(*pair.value_span)] for pair in page_of(document).pairs}
    assert (pairs["Invoice No"], pairs["Date"]) == ("INV-1234", "2024-05-06")
    assert document.tables == ()


def test_columns_of_prose_stay_apart() -> None:
    left = ["The quick brown fox", "jumps over the lazy", "dog in the garden."]
    right = ["Second column text", "that has nothing to", "do with the first."]
    document = read_document(make_pdf(lines(left, 72, 700) + lines(right, 320, 700)))
    assert [line.split("  ")[0] for line in document.text.splitlines()] == left
    assert [line.rsplit("  ")[-1].strip() for line in document.text.splitlines()] == right


def test_a_cell_that_runs_into_the_next_column_keeps_its_words() -> None:
    overlapping = show("A very long advertiser name indeed", 72, 700, 11) + show("Invoice date", 220, 700, 11)
    rows = show("Short", 72, 714, 11) + show("Number", 220, 714, 11) + show("Short", 72, 686, 11)
    document = read_document(make_pdf(overlapping + rows + show("Due", 220, 686, 11)))
    assert [line.split("  ")[0] for line in document.text.splitlines()] == [
        "Short",
        "A very long advertiser name indeed",
        "Short",
    ]
    assert at(document, "Invoice date")


def test_typewriter_text_keeps_its_single_spaces() -> None:
    content = show("Order  12  of 1 May", 72, 700, font="C") + show("Total:     12.50 EUR", 72, 686, font="C")
    assert read_document(make_pdf(content)).text == "Order  12  of 1 May\nTotal:     12.50 EUR\n"


def test_pages_are_parted_by_form_feeds_and_located_one_by_one() -> None:
    document = read_document(make_pdf(show("First", 72, 700), b"", show("Third", 72, 600), compress=True))
    assert document.text == "First\n\f\fThird\n"
    assert [page.span for page in document.pages] == [(0, 6), (7, 7), (8, 14)]
    assert document.locate(at(document, "First")).page == 1
    assert document.locate(at(document, "Third")).page == 3
    assert document.locate((0, 14)) == document.locate((0, 5))


def test_white_space_has_no_box() -> None:
    assert read_document(make_pdf(show("One", 72, 700))).locate((3, 4)) == PageBox(1, (0, 0, 0, 0))


@pytest.mark.parametrize(("code", "shown"), [(0, "\ufffd"), (2, "\ufffd"), (0xFFFD, "\ufffd"), (0xE001, "\ue001")])
def test_letters_without_a_code_are_no_hyphens_and_are_told(code: int, shown: str) -> None:
    letters = {char: ord(char) for char in "Total:EUR 52.0ghyphen-"} | {"1": code}
    content = b"".join(
        show(text, 72, y, font="H") for text, y in (("Total: EUR 152.50", 700), ("hyphe-", 680), ("nation", 668))
    )
    pdf = make_coded_pdf(content, letters)
    document = read_document(pdf)
    assert document.text == f"Total: EUR {shown}52.50\nhyphe-\nnation\n"
    assert messages(document) == [
        "UNREADABLE_INPUT WARNING 1 character has no meaning outside the fonts of the PDF, on page 1. "
        "Values with such a character are left out"
    ]
    total = {"name": "total", "type": "MONEY", "required": True}
    assert paxman.normalize(pdf, {"id": "c", "version": "1", "fields": [total]})["total"].value is None


def test_a_word_parted_at_the_end_of_a_line_stays_in_both_lines() -> None:
    document = read_document(make_pdf(lines(["soft-", "ware", "12.50-", "13.00"], 72, 700)))
    assert document.text == "soft-\nware\n12.50-\n13.00\n"


def test_a_bullet_in_a_code_of_its_font_is_no_loss() -> None:
    document = read_document(make_coded_pdf(show("x  1 bolt", 72, 700, font="H"), {"x": 0xF0B7}))
    assert (document.text.split(), messages(document)) == (["\uf0b7", "1", "bolt"], [])


def test_sideways_text_reads_along_its_own_direction() -> None:
    up = show("Total amount", 300, 100, matrix="0 1 -1 0") + show("12.50 EUR", 316, 100, matrix="0 1 -1 0")
    down = show("Seen", 500, 700, matrix="0 -1 1 0")
    over = show("Flipped", 500, 300, matrix="-1 0 0 -1")
    document = read_document(make_pdf(up + down + over + show("DRAFT", 100, 400, matrix="0.7 0.7 -0.7 0.7")))
    assert document.text == "Total amount\n12.50 EUR\nFlipped\nSeen\nDRAFT\n"
    left, top, right, bottom = document.locate(at(document, "amount")).box
    assert bottom - top > right - left


def dark_box(pdf: bytes, scale: int) -> tuple[int, int, int, int]:
    """The box around all ink of the first page, in hundredths of a point, from its rendered pixels."""
    document = pypdfium2.PdfDocument(pdf)
    bitmap = document[0].render(scale=scale, grayscale=True)
    data, stride = bytes(bitmap.buffer), bitmap.stride
    rows = [data[stride * y : stride * y + bitmap.width] for y in range(bitmap.height)]
    dark = [y for y, row in enumerate(rows) if min(row) < 128]
    columns = [x for x in range(bitmap.width) if min(row[x] for row in rows[dark[0] : dark[-1] + 1]) < 128]
    return tuple(number * 100 // scale for number in (columns[0], dark[0], columns[-1] + 1, dark[-1] + 1))


@settings(max_examples=25)
@given(
    word=st.text("ABCDEFGHKMNOPRSTUVXYZabcdefghkmnopqrstuvxyz0123456789&%", min_size=1, max_size=8),
    x=st.integers(145, 165),
    y=st.integers(145, 165),
    size=st.integers(8, 20),
    turn=st.sampled_from(["1 0 0 1", "0 1 -1 0", "-1 0 0 -1", "0 -1 1 0"]),
    rotate=st.sampled_from([0, 90, 180, 270]),
)
def test_boxes_cover_the_rendered_word(word: str, x: int, y: int, size: int, turn: str, rotate: int) -> None:
    pdf = make_pdf(
        show(word, x, y, size, matrix=turn), media="-10 -20 330 320", page=f"/Rotate {rotate}/CropBox[0 0 320 310]"
    )
    document = read_document(pdf)
    assert document.text == word + "\n"
    found, ink = document.locate((0, len(word))).box, dark_box(pdf, 4)
    assert all(abs(one - other) <= 100 for one, other in zip(found, ink, strict=True))


@settings(max_examples=15)
@given(words=st.lists(st.text("abcdefgHIJ123", min_size=1, max_size=6), min_size=2, max_size=5), part=st.data())
def test_the_box_of_a_part_is_the_union_of_its_characters(words: list[str], part: st.DataObject) -> None:
    document = read_document(make_pdf(show(" ".join(words), 50, 400)))
    start = part.draw(st.integers(0, len(document.text) - 2))
    end = part.draw(st.integers(start + 1, len(document.text) - 1))
    boxes = [document.locate((place, place + 1)).box for place in range(start, end)]
    inked = [box for box in boxes if box != (0, 0, 0, 0)]
    lefts, tops, rights, bottoms = zip(*inked, strict=True) if inked else ((0,),) * 4
    assert document.locate((start, end)) == PageBox(1, (min(lefts), min(tops), max(rights), max(bottoms)))


def test_a_value_of_several_lines_has_a_box_for_each_of_its_own_words_only() -> None:
    words = [("Acme Ltd", 50, 700), ("Invoice", 300, 700), ("1 High St", 50, 680), ("No. 7", 300, 680)]
    document = read_document(make_pdf(b"".join(show(*word) for word in words)))
    street, name = document.text.index("1 High"), document.text.index("Acme")
    step = f"join:0-8 {street - name}-{street - name + 9}"
    place = document.place((name, street + 9), (step, "fold"))
    upper, lower = (document.locate(span).box for span in ((name, name + 8), (street, street + 9)))
    around = (min(upper[0], lower[0]), upper[1], max(upper[2], lower[2]), lower[3])
    assert place == PageBox(1, around, (upper, lower))
    assert around[2] < document.locate((name, street + 9)).box[2]
    assert source_from_dict(source_to_dict(place)) == place


def test_form_fields_stand_beside_their_labels_and_in_the_tree() -> None:
    extra = [
        b"<</Type/Annot/Subtype/Widget/FT/Tx/T(form1[0].Customer[0])/V(Jane Doe)/Rect[150 695 300 711]/F 4>>",
        b"<</Type/Annot/Subtype/Widget/FT/Btn/T(Agreed)/V/Yes/AS/Yes/Rect[150 670 162 682]"
        b"/AP<</N<</Yes 7 0 R/Off 7 0 R>>>>/F 4>>",
        stream(b"", "/Type/XObject/Subtype/Form/BBox[0 0 10 10]"),
    ]
    labels = show("Customer", 72, 700) + show("Agreed", 72, 672)
    form = {"page": "/Annots[5 0 R 6 0 R]", "catalog": "/AcroForm<</Fields[5 0 R 6 0 R]>>"}
    document = read_document(make_pdf(labels, extra=extra, **form))
    assert document.text == "Customer    Jane Doe\n\nAgreed      ☑\n"
    assert document.tree is not None
    assert [(node.name, node.text, node.source) for node in document.tree.children] == [
        ("Customer", "Jane Doe", PageBox(1, (15000, 8100, 30000, 9700))),
        ("Agreed", "☑", PageBox(1, (15000, 11000, 16200, 12200))),
    ]


def with_files(files: dict[str, bytes]) -> bytes:
    catalog, objects = attach(files)
    return make_pdf(show("Page", 72, 700), catalog=catalog, extra=objects)


def test_embedded_files_beyond_a_limit_are_named() -> None:
    pdf = with_files({"a.xml": b"<a>1</a>", "b.xml": b"<b>" + b"2" * 900 + b"</b>", "c.xml": b"<c>3</c>"})
    few = read_document(pdf, limits=Limits(max_parts=1))
    assert few.text.split() == ["Page", "1"]
    assert messages(few) == [
        "UNREADABLE_INPUT WARNING 2 files inside the PDF were left out, because it holds too many."
        " If you trust it, allow more with Limits(max_parts=...)"
    ]
    small = read_document(pdf, limits=Limits(max_unpacked_bytes=500))
    assert small.text.split() == ["Page", "1", "3"]
    assert messages(small) == [
        "UNREADABLE_INPUT WARNING 1 file inside the PDF unpacks to more than allowed."
        " If you trust it, allow more with Limits(max_unpacked_bytes=...)"
    ]


def test_an_embedded_bomb_is_left_out() -> None:
    document = read_document(with_files({"a.xml": b"<a>" + b"<b>1</b>" * 2_000_000 + b"</a>"}))
    assert document.text.strip() == "Page"
    assert messages(document) == [
        "UNREADABLE_INPUT WARNING 1 file inside the PDF unpacks to far more than the PDF, as a decompression bomb does."
        " If you trust it, allow more with Limits(max_compression_ratio=...)"
    ]


def test_embedded_xml_shares_the_steps_of_the_document() -> None:
    pdf = with_files({"a.xml": b"<a>" + b"<b>1</b>" * 1_000_000 + b"</a>"})
    (note,) = read_document(pdf, limits=Limits(max_steps=100_000)).diagnostics
    assert (note.code, note.context["limit"]) == ("UNREADABLE_INPUT", "max_steps")


def test_pages_are_read_while_there_are_steps_left() -> None:
    pdf = make_pdf(*[show(f"Page {number}", 72, 700) for number in range(1, 10)])
    document = read_document(pdf, limits=Limits(max_steps=2_000))
    assert document.text.split() == "Page 1 Page 2 Page 3 Page 4".split()
    assert [note.message for note in document.diagnostics] == [
        "only the first 4 pages were read: the limit on steps is reached. "
        "Split the document, or allow more with Limits(max_steps=...)"
    ]


def test_embedded_files_share_the_limit_on_text() -> None:
    pdf = with_files({"a.xml": b"<a>1234567890</a>", "b.xml": b"<b>1234567890</b>"})
    assert len(read_document(pdf, limits=Limits(max_text_chars=25)).text) <= 25


def test_embedded_xml_is_a_tree_beside_the_text() -> None:
    invoice = (
        b'<?xml version="1.0"?><r:Invoice xmlns:r="urn:x"><ID>INV-1</ID><Sum currency="EUR">10.00</Sum></r:Invoice>'
    )
    catalog, extra = attach({"factur-x.xml": invoice, "photo.bin": bytes(range(256))})
    document = read_document(make_pdf(show("Invoice INV-1", 72, 700), catalog=catalog, extra=extra))
    assert document.body == (0, len("Invoice INV-1\n"))
    assert document.tree is not None
    scalars = [node for node in document.tree.walk() if node.kind == "scalar"]
    assert [(node.name, node.text) for node in scalars] == [("ID", "INV-1"), ("Sum", "10.00"), ("currency", "EUR")]
    for node in scalars:
        assert transforms.run(node.transforms, document.text[slice(*node.span)]) == node.text
    assert (
        document.locate(scalars[1].span)
        == scalars[1].source
        == MailPart("factur-x.xml", NodePath("/Invoice[1]/Sum[1]"))
    )
    assert messages(document) == [
        "UNREADABLE_INPUT INFO the file 'photo.bin' inside the PDF is no structured data and was not read. "
        "Save it and read it by itself"
    ]


def test_the_same_bytes_give_the_same_document() -> None:
    pdf = make_pdf(INVOICE, INVOICE)
    one, other = read_document(pdf), read_document(pdf)
    spans = [(start, start + 3) for start in range(0, len(one.text), 7)]
    assert one.text == other.text
    assert [one.locate(span) for span in spans] == [other.locate(span) for span in spans]


def test_content_counts_more_than_the_name() -> None:
    assert read_document(make_pdf(show("Hello", 72, 700)), "notes.txt").text == "Hello\n"
    assert read_document(b"just some words", "letter.pdf").text == "just some words"
    assert read_document(bytes(range(8)) * 20 + make_pdf(show("Hello", 72, 700))).kind == "pdf"


def test_limits_cut_a_document_with_a_note() -> None:
    pdf = make_pdf(*[show(f"Page {number}", 72, 700) for number in range(1, 6)])
    few = read_document(pdf, limits=Limits(max_pages=2))
    assert few.text == "Page 1\n\fPage 2\n"
    assert messages(few) == [
        "UNREADABLE_INPUT WARNING only the first 2 pages were read: the limit on pages is reached. "
        "Split the document, or allow more with Limits(max_pages=...)"
    ]
    assert read_document(pdf, limits=Limits(max_text_chars=10)).text == "Page 1\n\fPage 2\n"


DAMAGED = (
    "UNREADABLE_INPUT ERROR the PDF is damaged, cut off, or has no pages. "
    "Fetch the file again, or print it to a new PDF"
)


@pytest.mark.parametrize(
    ("pdf", "expected"),
    [
        pytest.param(b"%PDF-1.7\n" + bytes(range(256)) * 40, DAMAGED, id="garbage"),
        pytest.param(make_pdf(show("Hello", 72, 700))[:300], DAMAGED, id="truncated"),
        pytest.param(make_pdf(), DAMAGED, id="no pages"),
        pytest.param(
            make_pdf(show("Hello", 72, 700), trailer=protect(b"secret", b"owner")),
            "UNREADABLE_INPUT ERROR the PDF is protected with a password. "
            "Save a copy without the password and read that",
            id="password",
        ),
        pytest.param(
            make_pdf(b""),
            "UNREADABLE_INPUT WARNING the pages are blank. Check that this is the right file",
            id="blank",
        ),
        pytest.param(
            write_objects([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 3>>"]),
            "UNREADABLE_INPUT WARNING pages 1-3 of the PDF cannot be read. Print it to a new PDF",
            id="pages in a circle",
        ),
    ],
)
def test_what_cannot_be_read_says_why(pdf: bytes, expected: str) -> None:
    assert messages(read_document(pdf)) == [expected]


@pytest.mark.parametrize("opening", [b"[", b"<</A "])
def test_deep_nesting_is_survived(opening: bytes) -> None:
    closing = b"]" if opening == b"[" else b">>"
    deep = opening * 100_000 + b"1" + closing * 100_000
    pdf = make_pdf(deep + show("Deep", 72, 700), extra=[deep], catalog="/X 5 0 R")
    assert read_document(pdf).text == "Deep\n"


def test_a_decompression_bomb_meets_the_memory_limit() -> None:
    bomb = zlib.compress(zlib.compress(b" " * 300_000_000, 9), 9)
    content = b"<</Filter[/FlateDecode/FlateDecode]/Length %d>>stream\n" % len(bomb) + bomb + b"\nendstream"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>"
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>", page, content]
    (note,) = read_document(write_objects(objects), limits=Limits(max_memory_mb=64)).diagnostics
    assert note.message.endswith("or allow more with Limits(max_memory_mb=...)")
    assert read_document(make_pdf(show("Alive", 72, 700))).text == "Alive\n"


@settings(max_examples=40)
@given(cut=st.integers(0, 2000), noise=st.binary(max_size=40), place=st.integers(0, 2000))
def test_broken_files_never_raise(cut: int, noise: bytes, place: int) -> None:
    pdf = make_pdf(INVOICE, compress=True)
    broken = pdf[: len(pdf) - cut] if cut < len(pdf) - 9 else pdf[:9]
    place = 9 + place % len(broken)
    document = read_document(broken[:place] + noise + broken[place:])
    assert document.kind == "pdf"
    assert document.text.strip() or document.diagnostics


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    assert messages(read_document(make_pdf(show("Hello", 72, 700)))) == [
        "UNREADABLE_INPUT ERROR reading this needs pypdfium2, which is not installed. "
        "Run: pip install '.[pdf]' in a checkout of Paxman"
    ]


def test_a_scan_without_ocr_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = stream(
        bytes(100), "/Type/XObject/Subtype/Image/Width 10/Height 10/ColorSpace/DeviceGray/BitsPerComponent 8"
    )
    scan = make_pdf(b"600 0 0 700 0 0 cm /Scan Do", extra=[picture], resources="/XObject<</Scan 5 0 R>>")
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    assert messages(read_document(scan)) == [
        "UNREADABLE_INPUT ERROR the text of page 1 of the PDF is a picture; reading this needs rapidocr, "
        "which is not installed. Run: pip install '.[ocr]' in a checkout of Paxman"
    ]


def test_text_centred_beside_a_two_line_cell_joins_its_first_line() -> None:
    words = lines(["Kestrel Manufacturing", "Limited"], 300, 700) + show("Employer's name", 50, 693)
    wrapped = lines(["First name and initial of the", "employee"], 50, 650) + show("Ann Ray", 300, 643)
    document = read_document(make_pdf(words + wrapped))
    assert [
        line.split("  ")[0] + "|" + line.split("  ")[-1].strip() for line in document.text.splitlines() if line
    ] == [
        "Employer's name|Kestrel Manufacturing",
        "|Limited",
        "First name and initial of the|Ann Ray",
        "employee|employee",
    ]
