"""Pictures of documents: what OCR reads, where it stands, and which way up."""

from __future__ import annotations

import io
import re
import sys
import time
from decimal import Decimal

import pytest
from pdf_maker import make_pdf, show, stream
from PIL import Image, ImageDraw, ImageFont

import paxman
from paxman.documents.document import Document, PageSpan
from paxman.documents.paged.images import scan_dpi, slope_of
from paxman.documents.paged.typeset import View
from paxman.documents.pdf.pdfium import open_pdf
from paxman.documents.reading import Limits, read_document
from paxman.page.names import page_of

RECEIPT = [
    ("CORNER SHOP", 60, 40),
    ("Date:", 60, 110),
    ("2024-05-06", 320, 110),
    ("TOTAL", 60, 180),
    ("12.50", 420, 180),
]


def draw(words: list[tuple[str, int, int]], size: tuple[int, int] = (600, 260)) -> Image.Image:
    picture = Image.new("L", size, "white")
    font = ImageFont.load_default(size=36)
    for text, x, y in words:
        ImageDraw.Draw(picture).text((x, y), text, fill="black", font=font)
    return picture


def encode(picture: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    target = io.BytesIO()
    picture.save(target, kind, **options)
    return target.getvalue()


def words(document: Document) -> list[list[str]]:
    return [line.split() for line in document.text.splitlines() if line]


def ink(picture: Image.Image, box: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """The box around the dark pixels inside a region."""
    found = picture.crop(box).point(lambda level: 255 if level < 128 else 0).getbbox()
    assert found is not None
    return found[0] + box[0], found[1] + box[1], found[2] + box[0], found[3] + box[1]


def box_of(document: Document, word: str) -> tuple[int, int, int, int]:
    start = document.text.index(word)
    return document.locate((start, start + len(word))).box


def covers(box: tuple[int, int, int, int], pixels: tuple[int, int, int, int], slack: int) -> bool:
    """Whether a box holds a region of pixels (a point each), and little more."""
    left, top, right, bottom = (number / 100 for number in box)
    outside = (pixels[0] - left, pixels[1] - top, right - pixels[2], bottom - pixels[3])
    return all(-3 <= distance <= slack for distance in outside)


def test_lines_columns_and_boxes() -> None:
    picture = draw(RECEIPT)
    document = read_document(encode(picture), "receipt.png")
    assert document.kind == "image"
    assert words(document) == [["CORNER", "SHOP"], ["Date:", "2024-05-06"], ["TOTAL", "12.50"]]
    assert [line.count("  ") > 0 for line in document.text.splitlines() if line] == [False, True, True]
    assert document.pages == (PageSpan(1, (0, len(document.text)), 60000, 26000),)
    assert document.diagnostics == ()
    assert covers(box_of(document, "12.50"), ink(picture, (400, 170, 600, 230)), 3)
    assert covers(box_of(document, "CORNER SHOP"), ink(picture, (0, 30, 600, 90)), 3)
    pairs = {pair.label: document.text[slice(*pair.value_span)] for pair in page_of(document).pairs}
    assert pairs == {"Date": "2024-05-06", "TOTAL": "12.50"}
    again = read_document(encode(picture))
    assert (again.text, box_of(again, "12.50")) == (document.text, box_of(document, "12.50"))


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_turned_pages_read_upright_and_keep_boxes_on_the_page(degrees: int) -> None:
    picture = draw(RECEIPT).rotate(degrees, expand=True)
    document = read_document(encode(picture))
    assert words(document) == [["CORNER", "SHOP"], ["Date:", "2024-05-06"], ["TOTAL", "12.50"]]
    mark = draw([("12.50", 420, 180)]).rotate(degrees, expand=True)
    assert covers(box_of(document, "12.50"), ink(mark, (0, 0, *mark.size)), 3)


@pytest.mark.parametrize("degrees", [90, 270])
def test_short_cells_of_a_turned_table_stay_in_their_rows(degrees: int) -> None:
    rows = [["Item", "Quantity", "Price"], ["Widget", "2", "10.00"], ["Gadget", "1", "5.50"], ["Bolt", "12", "0.10"]]
    cells = [(cell, x, 40 + 70 * y) for y, row in enumerate(rows) for cell, x in zip(row, (60, 360, 640), strict=True)]
    picture = draw(cells, (860, 340)).rotate(degrees, expand=True)
    assert words(read_document(encode(picture))) == rows


@pytest.mark.parametrize("degrees", [90, 270])
def test_digits_below_each_other_on_a_turned_page_are_no_line(degrees: int) -> None:
    rows = [["Pos", "Article", "Quantity"], ["1", "Hex bolt", "250"], ["2", "Washer", "500"], ["3", "Steel plate", "8"]]
    rows += [["4", "Thread lock", "5"], ["5", "Cable tie", "1000"]]
    cells = [(cell, x, 60 + 56 * y) for y, row in enumerate(rows) for cell, x in zip(row, (60, 200, 600), strict=True)]
    picture = draw(cells, (900, 1100)).rotate(degrees, expand=True)
    document = read_document(encode(picture))
    assert [line.split("  ") for line in map(fold_gaps, document.text.splitlines())] == rows
    mark = draw([("1000", 600, 340)], (900, 1100)).rotate(degrees, expand=True)
    assert covers(box_of(document, "1000"), ink(mark, (0, 0, *mark.size)), 3)


def fold_gaps(line: str) -> str:
    return re.sub(" {3,}", "  ", line)


def test_the_total_of_a_scan_is_the_one_that_was_paid() -> None:
    """As in a text: the amount after rounding, though a contract's own label names the one before."""
    rows = [
        ("TOTAL", "30.91"),
        ("ROUNDING ADJ", "-0.01"),
        ("TOTAL ROUNDED", "30.90"),
        ("CASH", "50.00"),
        ("CHANGE", "19.10"),
    ]
    lines = [(text, x, 40 + 60 * row) for row, pair in enumerate(rows) for text, x in zip(pair, (60, 420), strict=True)]
    contract = {
        "id": "receipt",
        "version": "1",
        "fields": [{"name": "total", "type": "DECIMAL", "required": True, "labels": ["Total"]}],
    }
    artifact = paxman.normalize(encode(draw(lines, (600, 380))), contract)
    assert artifact["total"].value == Decimal("30.90")


def test_a_crooked_scan_keeps_its_lines() -> None:
    document = read_document(encode(draw(RECEIPT).rotate(2.5, expand=True, fillcolor="white")))
    assert words(document) == [["CORNER", "SHOP"], ["Date:", "2024-05-06"], ["TOTAL", "12.50"]]


@pytest.mark.parametrize(("falls", "expected"), [((0, 2, 0, 2, 3, 0, 2, 3), 0.0), ((3, 2, 4, 0, 3, 2, 3, 4), 0.03)])
def test_corners_of_short_lines_that_are_a_little_off_are_no_slope(falls: tuple[int, ...], expected: float) -> None:
    lines = [((0, 0), (100, fall), (100, 20 + fall), (0, 20)) for fall in falls]
    assert slope_of(lines, 0, View(0, 0, 800, 600)) == expected


def test_a_photo_is_turned_as_its_camera_says() -> None:
    orientation = Image.Exif()
    orientation[0x0112] = 6
    photo = encode(draw([("Hello", 60, 40)], (300, 140)).rotate(90, expand=True), "JPEG", exif=orientation)
    document = read_document(photo)
    assert words(document) == [["Hello"]]
    assert (document.pages[0].width, document.pages[0].height) == (30000, 14000)


def test_each_picture_of_a_tiff_is_a_page() -> None:
    pictures = [draw([(word, 60, 40)], (300, 140)) for word in ("First", "Second")]
    tiff = encode(pictures[0], "TIFF", save_all=True, append_images=pictures[1:], dpi=(144, 144))
    document = read_document(tiff)
    assert words(document) == [["First"], ["Second"]]
    assert [(page.number, page.width, page.height) for page in document.pages] == [(1, 15000, 7000), (2, 15000, 7000)]
    start = document.text.index("Second")
    place = document.locate((start, start + 6))
    pixels = tuple(side // 2 for side in ink(pictures[1], (0, 0, 300, 140)))
    assert place.page == 2
    assert covers(place.box, pixels, 8)
    (note,) = read_document(tiff, limits=Limits(max_pages=1)).diagnostics
    assert note.message.startswith("only the first 1 pages were read: the limit on pages is reached")


@pytest.mark.parametrize("kind", ["BMP", "WEBP", "GIF"])
def test_other_formats(kind: str) -> None:
    assert words(read_document(encode(draw([("Hello", 60, 40)], (300, 140)), kind))) == [["Hello"]]


def test_a_bitmap_that_is_nearly_all_white_is_a_picture() -> None:
    picture = draw([("Hello", 60, 240)], (600, 460)).convert("RGB")
    assert words(read_document(encode(picture, "BMP"))) == [["Hello"]]


def test_transparent_pictures_lie_on_white() -> None:
    ink_only = Image.new("RGBA", (300, 140), (0, 0, 0, 0))
    ink_only.putalpha(draw([("Hello", 60, 40)], (300, 140)).point(lambda level: 255 - level))
    assert words(read_document(encode(ink_only))) == [["Hello"]]


def test_scanned_pages_of_a_pdf_are_recognized_among_the_others() -> None:
    picture = draw(RECEIPT)
    entries = "/Type/XObject/Subtype/Image/Width 600/Height 260/ColorSpace/DeviceGray/BitsPerComponent 8"
    scan = stream(picture.tobytes(), entries, compress=True)
    typed = show("A page with a text layer of its own", 50, 300)
    pdf = make_pdf(
        typed, b"600 0 0 260 6 400 cm /Scan Do", extra=[scan], resources="/XObject<</Scan 5 0 R>>", media="0 0 612 792"
    )
    document = read_document(pdf)
    assert document.diagnostics == ()
    assert words(document)[1:] == [["CORNER", "SHOP"], ["Date:", "2024-05-06"], ["TOTAL", "12.50"]]
    left, top, right, bottom = ink(picture, (400, 170, 600, 230))
    on_page = (left + 6, top + 792 - 660, right + 6, bottom + 792 - 660)
    assert covers(box_of(document, "12.50"), on_page, 3)


def scanned_page(picture: Image.Image, layer: bytes, **options: object) -> bytes:
    """A PDF with a picture over the whole of its page, and a text layer."""
    width, height = picture.size
    entries = f"/Type/XObject/Subtype/Image/Width {width}/Height {height}/ColorSpace/DeviceGray/BitsPerComponent 8"
    scan = stream(picture.tobytes(), entries, compress=True)
    content = f"q {width} 0 0 {height} 0 0 cm /Scan Do Q ".encode() + layer
    resources, media = "/XObject<</Scan 5 0 R>>", f"0 0 {width} {height}"
    return make_pdf(content, extra=[scan], resources=resources, media=media, **options)


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_scan_with_a_footer_in_its_text_layer_keeps_both(turns: int) -> None:
    picture = draw(RECEIPT, (600, 300))
    upright = picture.rotate(90 * turns, expand=True)
    footer = "Scanned with a telephone at the corner shop"
    layer = {0: show(footer, 60, 20), 2: show(footer, 540, 280, matrix="-1 0 0 -1")}
    layer |= {1: show(footer, 280, 60, matrix="0 1 -1 0"), 3: show(footer, 20, 540, matrix="0 -1 1 0")}
    document = read_document(scanned_page(upright, layer[turns], page=f"/Rotate {90 * turns}"))
    assert words(document) == [["CORNER", "SHOP"], ["Date:", "2024-05-06"], ["TOTAL", "12.50"], footer.split()]
    assert covers(box_of(document, "12.50"), ink(picture, (400, 170, 600, 230)), 3)
    left, top, right, bottom = box_of(document, "Scanned")
    assert (5900 < left < 6200, 26700 < top < 27300, right - left < 6000, 27900 < bottom < 28100) == (True,) * 4
    assert document.diagnostics == ()


@pytest.mark.parametrize("share", [0.2, 0.49])
def test_a_picture_below_a_short_text_is_recognized(share: float) -> None:
    picture = draw(RECEIPT)
    entries = "/Type/XObject/Subtype/Image/Width 600/Height 260/ColorSpace/DeviceGray/BitsPerComponent 8"
    placed = f"q 600 0 0 260 0 0 cm /Scan Do Q {show('Header printed 2025-01-01', 20, 270).decode()}".encode()
    scan = stream(picture.tobytes(), entries, compress=True)
    resources, media = "/XObject<</Scan 5 0 R>>", f"0 0 600 {260 / share:.0f}"
    document = read_document(make_pdf(placed, extra=[scan], resources=resources, media=media))
    assert words(document) == [
        ["Header", "printed", "2025-01-01"],
        ["CORNER", "SHOP"],
        ["Date:", "2024-05-06"],
        ["TOTAL", "12.50"],
    ]


@pytest.mark.parametrize(
    ("written", "seen"),
    [(50, 200), (72, 216), (150, 300), (170, 300), (199, 199), (200, 200), (240, 240), (300, 300), (9000, 300)],
)
def test_a_scan_in_a_pdf_is_seen_as_fine_as_it_is(written: int, seen: int) -> None:
    pdf = open_pdf(encode(draw([]), "PDF", resolution=written))
    assert round(scan_dpi(pdf[0])) == seen


def test_a_page_that_no_picture_fills_is_seen_at_the_usual_resolution() -> None:
    assert scan_dpi(open_pdf(make_pdf(show("Total", 72, 700)))[0]) == 200


def test_a_picture_under_a_page_of_text_is_not_recognized() -> None:
    typed = b"".join(show("typed over a picture, line by line, " * 2, 40, 280 - 14 * line) for line in range(18))
    document = read_document(scanned_page(draw(RECEIPT, (600, 300)), typed))
    assert {tuple(line) for line in words(document)} == {tuple(("typed over a picture, line by line, " * 2).split())}


def test_what_is_wrong_with_a_picture_is_said_alike_every_time() -> None:
    (note,) = read_document(b"\x89PNG\r\n\x1a\n" + bytes(range(200))).diagnostics
    assert note.message == (
        "the picture cannot be read: cannot identify image file .... Save it as PNG or JPEG with another program"
    )


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (encode(Image.new("L", (200, 200), "white")), "no text was found in the picture. Try a sharper or larger scan"),
        (encode(draw(RECEIPT))[:300], "the picture cannot be read"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(200)), "the picture cannot be read"),
    ],
    ids=["blank", "truncated", "garbage"],
)
def test_what_cannot_be_read_says_why(data: bytes, expected: str) -> None:
    document = read_document(data)
    (note,) = document.diagnostics
    assert (document.text, note.code, note.message[: len(expected)]) == ("", "UNREADABLE_INPUT", expected)


def test_a_picture_bomb_is_refused() -> None:
    started = time.monotonic()
    (note,) = read_document(encode(Image.new("1", (20_000, 20_000)))).diagnostics
    assert note.message.startswith("the picture cannot be read: Image size (400000000 pixels) exceeds limit")
    assert time.monotonic() - started < 10


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    (note,) = read_document(encode(draw(RECEIPT))).diagnostics
    assert (
        note.message
        == "reading this needs rapidocr, which is not installed. Run: pip install '.[ocr]' in a checkout of Paxman"
    )
