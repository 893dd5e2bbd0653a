"""Words of PDF pages: letters close together and far apart, cells, ligatures, and writing from right to left."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from itertools import pairwise

import pytest
from pdf_maker import lines, make_coded_pdf, make_pdf, show

import paxman
from paxman.documents.document import Document, PageBox
from paxman.documents.reading import read_document


def at(document: Document, words: str) -> tuple[int, int]:
    start = document.text.index(words)
    return start, start + len(words)


def words(document: Document) -> list[list[str]]:
    return [line.split() for line in document.text.splitlines() if line]


def test_letters_set_very_close_are_one_word() -> None:
    row = b"(Item 1) Tj 32.8 0 Td (1) Tj 60 0 Td (121.00) Tj"
    document = read_document(make_pdf(b"BT /F 12 Tf 72 700 Td (Item 9) Tj 0 -20 Td " + row + b" ET"))
    assert words(document) == [["Item", "9"], ["Item", "11", "121.00"]]
    column = b"(1) Tj 5.5 0 Td (1) Tj -5.5 -20 Td (2) Tj 5.5 0 Td (1) Tj"
    assert read_document(make_pdf(b"BT /F 12 Tf 72 700 Td " + column + b" ET")).text == "11\n21\n"


def test_cells_that_nearly_touch_are_two_words() -> None:
    cells = b"BT /F 12 Tf 72 700 Td (114561.02) Tj 58.3 0 Td (114254.71) Tj -58.3 -20 Td 1.5 Tc (Heading) Tj ET"
    assert words(read_document(make_pdf(cells))) == [["114561.02", "114254.71"], ["Heading"]]


def raised(line: str, size: float = 8, rise: float = 4, x: float = 72) -> bytes:
    """Words with small figures above or below their line, in braces."""
    parts = []
    for number, part in enumerate(line.replace("}", "{").split("{")):
        escaped = part.replace("(", "\\(").replace(")", "\\)")
        parts.append(f"/F {size} Tf {rise} Ts ({escaped}) Tj" if number % 2 else f"/F 12 Tf 0 Ts ({escaped}) Tj")
    return f"BT {x} 700 Td {' '.join(parts)} ET\n".encode("cp1252")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Total: 200.00{1)} EUR for 5 m{2}", "Total: 200.00¹⁾ EUR for 5 m²"),
        ("Invoice number 10442{1}", "Invoice number 10442¹"),
        ("Net 1,200.00 \x80{12}", "Net 1,200.00 \x80¹²"),
        ("Fee 240{1}/year, 5 m{3}/h", "Fee 240 1/year, 5 m³/h"),
        ("Fee 240{1,2}\x80", "Fee 240¹,²\x80"),
        ("{1}Without tax", "¹Without tax"),
        ("{2} With tax", "² With tax"),
        ("Alder Ltd {3} of Rome", "Alder Ltd ³ of Rome"),
        ("Price $12{99}", "Price $12\u200a99"),
        ("Price {$}1,299{99} now", "Price $1,299\u200a99 now"),
        ("Price $12.50{99}", "Price $12.50⁹⁹"),
        ("Order 10442{12}", "Order 10442¹²"),
        ("March 1{st}, 10{-3}", "March 1st, 10⁻³"),
        ("Size 5{1}/2 in", "Size 5 1/2 in"),
    ],
)
@pytest.mark.parametrize("turn", [0, 90])
def test_raised_figures_are_no_digits_of_the_number_before_them(line: str, expected: str, turn: int) -> None:
    content = raised(line.replace("\x80", "€"))
    turned = b"0 1 -1 0 792 0 cm " + content if turn else content
    document = read_document(make_pdf(turned, media="0 0 792 792", page=f"/Rotate {turn}"))
    assert document.text == expected.replace("\x80", "€") + "\n"


@pytest.mark.parametrize(
    ("size", "rise", "expected"),
    [(8, -3, "CO2 12 3 4"), (11.5, 4, "CO2 1234"), (10, 0.5, "CO2 1234"), (7, 0, "CO2 12 3 4")],
)
def test_figures_below_the_line_or_hardly_above_it_are_no_marks(size: float, rise: float, expected: str) -> None:
    assert read_document(make_pdf(raised("CO{2} 12{3}4", size, rise))).text == expected + "\n"


def test_a_raised_figure_has_its_own_place_on_the_page() -> None:
    document = read_document(make_pdf(raised("Invoice 10442{1}")))
    number, mark, both = (document.locate(at(document, part)).box for part in ("10442", "¹", "10442¹"))
    assert mark[1] < number[1]
    assert (both[0], both[2]) == (number[0], mark[2])


def test_values_end_before_the_marks_of_footnotes() -> None:
    amounts = (("Net", "1,200.00 €", "1"), ("Tax", "240.00 €", "1"), ("Total", "1,440.00 €", "2"))
    rows = (("Invoice number", "10442", "1"), ("Customer", "Alder Ltd", "3"), *amounts)
    content = b"".join(
        show(label, 50, 700 - 20 * number, 10)
        + show(value, 300, 700 - 20 * number, 10, font="C")
        # Letters of Courier are 0.6 wide.
        + show(mark, 300 + 6 * len(value), 704 - 20 * number, 6, font="C")
        for number, (label, value, mark) in enumerate(rows)
    )
    names = {"invoice_number": "STRING", "customer": "STRING", "net": "MONEY", "tax": "MONEY", "total": "MONEY"}
    fields = [{"name": name, "type": kind, "required": True} for name, kind in names.items()]
    artifact = paxman.normalize(make_pdf(content), {"id": "c", "version": "1", "fields": fields})
    assert {name: artifact[name].value for name in names} == {
        "invoice_number": "10442",
        "customer": "Alder Ltd",
        "net": paxman.Money("1200.00", "EUR"),
        "tax": paxman.Money("240.00", "EUR"),
        "total": paxman.Money("1440.00", "EUR"),
    }


def test_footnote_marks_are_no_part_of_headings_and_cells() -> None:
    cells = [["Article", "Qty{1}", "Price{2}"], ["Bolt{1}", "5", "2.00{3}"], ["Nut", "6{2}", "1.00"]]
    content = b"".join(
        raised(cell, x=72 + 100 * column).replace(b" 700 Td", f" {700 - 20 * row} Td".encode())
        for row, texts in enumerate(cells)
        for column, cell in enumerate(texts)
    )
    columns = [
        {"name": "article", "type": "STRING"},
        {"name": "qty", "type": "INTEGER"},
        {"name": "price", "type": "DECIMAL"},
    ]
    items = {
        "name": "items",
        "type": "ARRAY",
        "required": True,
        "items": {"fields": [{**c, "required": True} for c in columns]},
    }
    artifact = paxman.normalize(make_pdf(content), {"id": "c", "version": "1", "fields": [items]})
    assert [dict(row) for row in artifact["items"].value] == [
        {"article": "Bolt", "qty": 5, "price": Decimal("2.00")},
        {"article": "Nut", "qty": 6, "price": Decimal("1.00")},
    ]


def set_apart(text: str, y: float, space: float, font: str = "F") -> bytes:
    """Letters moved apart one by one, in thousandths of their size."""
    letters = "".join(f"({letter}) {-space} " for letter in text)
    return f"BT /{font} 10 Tf 72 {y} Td [{letters}] TJ ET\n".encode()


@pytest.mark.parametrize("space", [120, 150, 300, 600, 900])
@pytest.mark.parametrize("font", ["F", "C"])
def test_letters_set_apart_are_one_word(space: int, font: str) -> None:
    content = set_apart("INVOICE", 700, space, font) + set_apart("Tax & Total: EUR 1,234.50", 600, space, font)
    document = read_document(make_pdf(content + show("Ordinary words of a page.", 72, 500, font=font)))
    assert words(document) == [["INVOICE"], "Tax & Total: EUR 1,234.50".split(), "Ordinary words of a page.".split()]
    first, last, word = (document.locate(span).box for span in ((0, 1), (6, 7), (0, 7)))
    assert (word[0], word[2]) == (first[0], last[2])


@pytest.mark.parametrize("spacing", [1, 3, 6])
def test_spaced_words_of_a_line_are_in_one_column(spacing: int) -> None:
    heading = f"BT /F 11 Tf 72 700 Td {spacing} Tc (Invoice number 2024-0815) Tj 0 Tc ET ".encode()
    document = read_document(make_pdf(heading + lines(["Words of an ordinary line", "and of one more"], 72, 600)))
    assert document.text.splitlines()[0] == "Invoice number 2024-0815"


@pytest.mark.parametrize("line", ["Total 1 245,00 EUR", "Seller: A B Smith & Co", "Ref: A 17 B", "5 A Main St, Apt 4"])
@pytest.mark.parametrize("space", [2, 3, 5, 9])
def test_words_of_one_letter_have_the_room_of_others_in_their_line(line: str, space: int) -> None:
    usual = show("Ordinary words of a page.", 72, 500, 10)
    spaced = f"BT /F 10 Tf 72 700 Td {space} Tc ({line}) Tj 0 Tc ET ".encode()
    for content in (spaced, set_apart(line, 700, 100 * space)):
        assert read_document(make_pdf(content + usual)).text.splitlines()[0] == line


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("I N V O I C E", "INVOICE"),
        ("T O T A L   1 2 3 . 4 5", "TOTAL 123.45"),
        ("N E T   E U R   1 . 2 3 4 , 5 0", "NET EUR 1.234,50"),
        ("R E C H N U N G   N r .   4 7 1 1", "RECHNUNG Nr. 4711"),
        ("written by J R R Tolkien", "written by J R R Tolkien"),
        ("A B C D E", "A B C D E"),
        ("Grade A C D F of G H", "Grade A C D F of G H"),
        ("S M L", "S M L"),
        ("x x x x x", "x x x x x"),
        ("1 2 3 4 5 6", "1 2 3 4 5 6"),
        ("5 x 3 = 1 5", "5 x 3 = 1 5"),
        ("A B B C A", "A B B C A"),
        ("Y  N  N  Y", "Y N N Y"),
        ("Y N N Y   A B B C", "Y N N Y A B B C"),
        ("J R R T", "J R R T"),
        ("1 2 . 5 0", "12.50"),
    ],
)
def test_spaced_out_letters_are_joined_into_a_word(line: str, expected: str) -> None:
    document = read_document(make_pdf(show(line, 72, 700) + show("Ordinary words of a page.", 72, 500)))
    assert " ".join(document.text.splitlines()[0].split()) == expected


def test_letters_in_the_columns_of_a_table_stay_apart() -> None:
    rows = ["YNNYN", "NYYNY", "12312"]
    content = b"".join(
        show(letter, 72 + 12 * column, 700 - 16 * row, font="C")
        for row, letters in enumerate(rows)
        for column, letter in enumerate(letters)
    )
    shown = read_document(make_pdf(content)).text.splitlines()
    assert [line.split() for line in shown] == [list(row) for row in rows]


ROWS = [["Item", "Color", "Unit", "Amount"], ["Bolt", "dark", "kg", "1.50"], ["Nut", "blue", "kg", "20.00"]]
EDGES = [72, 96, 124, 146, 190]
HEIGHT = 14


def boxes(draw: Callable[[float, float, float, float], str], rows: int) -> bytes:
    cells = [(left, 696 - HEIGHT * row, right) for row in range(rows) for left, right in pairwise(EDGES)]
    return "".join(draw(left, bottom, right - left, HEIGHT) for left, bottom, right in cells).encode()


@pytest.mark.parametrize(
    "draw",
    [
        pytest.param(lambda x, y, w, h: f"{x} {y} m {x} {y + h} l S ", id="lines"),
        pytest.param(lambda x, y, w, h: f"{x} {y} 0.5 {h} re f ", id="thin boxes"),
        pytest.param(lambda x, y, w, h: f"{x} {y} {w} {h} re S ", id="cells"),
    ],
)
@pytest.mark.parametrize("turn", [0, 90])
def test_cells_with_lines_between_them_stay_apart(draw: Callable[[float, float, float, float], str], turn: int) -> None:
    content = boxes(draw, len(ROWS)) + b"".join(
        show(text, left + 1.5, 700 - HEIGHT * row, 10)
        for row, texts in enumerate(ROWS)
        for text, left in zip(texts, EDGES, strict=False)
    )
    turned = b"0 1 -1 0 792 0 cm " + content if turn else content
    document = read_document(make_pdf(turned, media="0 0 792 792", page=f"/Rotate {turn}"))
    lines = document.rows_of_text
    shown = [[document.text[slice(*chunk)] for chunk in lines.line(at).chunks] for at in range(len(ROWS))]
    assert shown == ROWS


def in_boxes(text: str, width: float, gap: float = 0, x: float = 150, y: float = 700) -> bytes:
    """One box for each letter."""
    lefts = [x + number * (width + gap) for number in range(len(text))]
    drawn = "".join(f"{left} {y - 4} {width} {HEIGHT} re S " for left in lefts).encode()
    return drawn + b"".join(
        show(letter, left + 2, y, 10) for letter, left in zip(text, lefts, strict=True) if letter != " "
    )


@pytest.mark.parametrize("text", ["SMITH", "12345678", "JOHN K SMITH", "42"])
@pytest.mark.parametrize(("width", "gap"), [(12, 0), (15, 0), (20, 0), (12, 3)])
def test_letters_in_boxes_of_their_own_are_one_value(text: str, width: float, gap: float) -> None:
    pdf = make_pdf(show("Account", 50, 700, 10) + in_boxes(text, width, gap))
    field = {"name": "account", "type": "STRING", "required": True}
    artifact = paxman.normalize(pdf, {"id": "c", "version": "1", "fields": [field]})
    assert (artifact["account"].value, read_document(pdf).text.split()) == (text, ["Account", *text.split()])


def test_signs_between_boxes_are_part_of_the_value() -> None:
    content = in_boxes("01", 14) + show("/", 181, 700, 10) + in_boxes("02", 14, x=188) + show("/", 219, 700, 10)
    assert read_document(make_pdf(content + in_boxes("2025", 14, x=226))).text == "01/02/2025\n"


def test_words_in_boxes_of_letters_set_evenly_are_in_one_column() -> None:
    text = "JOHN K SMITH"
    edges = "".join(f"{150 + 12 * number} 696 m {150 + 12 * number} 710 l S " for number in range(len(text) + 1))
    letters = (show(letter, 152 + 12 * number, 700, 10, "C") for number, letter in enumerate(text) if letter != " ")
    assert read_document(make_pdf(edges.encode() + b"".join(letters))).text == text + "\n"


@pytest.mark.parametrize("text", ["12345", "MF"])
def test_choices_in_boxes_are_neither_a_word_nor_columns(text: str) -> None:
    assert read_document(make_pdf(in_boxes(text, 12))).text == " ".join(text) + "\n"


def test_letters_in_boxes_of_several_rows_are_cells() -> None:
    rows = ["YNNYN", "NYYNY"]
    content = b"".join(in_boxes(row, 14, y=700 - HEIGHT * number) for number, row in enumerate(rows))
    assert read_document(make_pdf(content)).text.splitlines() == ["  ".join(row) for row in rows]


@pytest.mark.parametrize("padding", [0, 0.5, 1, 2])
@pytest.mark.parametrize("turn", [0, 90])
@pytest.mark.parametrize("end", ["", " "])
def test_a_line_between_letters_parts_cells_however_close(padding: float, turn: int, end: str) -> None:
    rows = [["Item", "Total"], ["12345.6", "98765.4"], ["W", "1"]]
    widths = 19.45, 36.14, 9.44
    content = b""
    for y, (first, second), width in zip((700, 686, 672), rows, widths, strict=True):
        content += "".join(f"{x} {y - 4} m {x} {y + 10} l S " for x in (72, 150, 230)).encode()
        content += show(first + end, 150 - padding - width, y, 10) + show(second + end, 150 + padding, y, 10)
    turned = b"0 1 -1 0 792 0 cm " + content if turn else content
    document = read_document(make_pdf(turned, media="0 0 792 792", page=f"/Rotate {turn}"))
    assert words(document) == rows
    place = document.locate(at(document, "98765.4"))
    assert isinstance(place, PageBox)
    left, _, right, _ = (round(side / 100 - padding) for side in place.box)
    assert (left, right) == (150, 186)


@pytest.mark.parametrize("pieces", [["Overflowing", "12"], [*"Overflowing", "12"]])
def test_a_line_through_a_word_does_not_part_it(pieces: list[str]) -> None:
    content = "".join(f"{x} 696 m {x} 710 l S " for x in range(72, 180, 6)).encode()
    places = [72 + 6 * len("".join(pieces[:number])) for number in range(len(pieces))]
    content += b"".join(show(text, x, 700, 10, "C") for text, x in zip(pieces[:-1], places, strict=False))
    document = read_document(make_pdf(content + show(pieces[-1], 160, 700, 10, "C")))
    assert document.text.split() == ["Overflowing", "12"]


@pytest.mark.parametrize("pieces", [["Bolts and nuts "], ["Bolts ", "and ", "nuts "]])
def test_a_line_between_words_of_one_text_does_not_part_them(pieces: list[str]) -> None:
    content = "".join(f"{x} 696 m {x} 710 l S " for x in (72, 105, 190)).encode()
    places = [72 + 6 * len("".join(pieces[:number])) for number in range(len(pieces))]
    content += b"".join(show(text, x, 700, 10, "C") for text, x in zip(pieces, places, strict=True))
    assert read_document(make_pdf(content)).text == "Bolts and nuts\n"


def test_a_box_behind_words_parts_no_line() -> None:
    words_of_line = [("Pay", 72), ("this", 94), ("today", 114)]
    content = b"92 696 22 14 re f " + b"".join(show(word, x, 700, 10) for word, x in words_of_line)
    assert read_document(make_pdf(content)).text == "Pay this today\n"


def test_ligatures_of_a_page_and_of_a_form_are_letters() -> None:
    value = "o\ufb03ce \ufb02oor".encode("utf-16-be").hex()
    field = f"<</Type/Annot/Subtype/Widget/FT/Tx/T(Place)/V<feff{value}>/Rect[150 695 300 711]/F 4>>".encode()
    mapping = {letter: ord(letter) for letter in "Placeo"} | {"x": 0xFB03}
    pdf = make_coded_pdf(show("Place oxce", 72, 700, font="H"), mapping)
    assert words(read_document(pdf)) == [["Place", "office"]]
    document = read_document(
        make_pdf(show("Place", 72, 700), extra=[field], page="/Annots[5 0 R]", catalog="/AcroForm<</Fields[5 0 R]>>")
    )
    assert words(document) == [["Place", "office", "floor"]]
    assert document.tree is not None
    assert [node.text for node in document.tree.children] == ["office floor"]


def test_right_to_left_words_are_read_from_the_right() -> None:
    content = b"".join(
        show(letter, x, 700, font="H") for letter, x in zip("ABCBA", (300, 292, 284, 274, 266), strict=True)
    )
    pdf = make_coded_pdf(content, {"A": 0x5D0, "B": 0x5D1, "C": 0x5D2})
    assert read_document(pdf).text == "\u05d0\u05d1\u05d2 \u05d1\u05d0\n"


def test_a_page_from_right_to_left_is_set_from_the_right() -> None:
    """A label and its number, a name in Latin letters, and a table whose first column is the rightmost."""
    letters = {letter: 0x5D0 + number for number, letter in enumerate("ABCDEFGH")}

    def turned(text: str, right: float, y: float) -> bytes:
        return b"".join(show(letter, right - 8 * place, y, font="H") for place, letter in enumerate(text))

    content = turned("ABC", 500, 700) + show("4711", 450, 700) + turned("DEF", 500, 680) + show("John Smith", 400, 680)
    content += turned("ABCD", 500, 640) + turned("EFGH", 300, 640) + show("2", 480, 620) + show("10.00", 270, 620)
    document = read_document(make_coded_pdf(content, letters))
    hebrew = {letter: chr(code) for letter, code in letters.items()}
    expected = [["ABC", "4711"], ["DEF", "John", "Smith"], ["ABCD", "EFGH"], ["2", "10.00"]]
    assert words(document) == [
        [word if word in ("John", "Smith") else "".join(hebrew.get(char, char) for char in word) for word in row]
        for row in expected
    ]


def test_latin_letters_among_those_from_right_to_left_keep_their_order() -> None:
    letters = {"A": 0x631, "B": 0x642, "C": 0x645, "D": 0x641}
    right = b"".join(show(letter, 500 - 8 * place, 700, font="H") for place, letter in enumerate("ABCD"))
    left = b"".join(show(letter, 360 - 8 * place, 700, font="H") for place, letter in enumerate("BAC"))
    document = read_document(make_coded_pdf(right + show("INV-4711", 380, 700) + left, letters))
    assert words(document) == [["\u0631\u0642\u0645\u0641", "INV-4711", "\u0642\u0631\u0645"]]


@pytest.mark.parametrize("space", [0xA0, 0x202F])
def test_grouped_digits_keep_their_order_in_right_to_left_text(space: int) -> None:
    letters = {"A": 0x631, "B": 0x642, "C": 0x645, "x": space}
    label = b"".join(show(letter, 500 - 8 * place, 700, font="H") for place, letter in enumerate("ABC"))
    unit = b"".join(show(letter, 288 - 8 * place, 700, font="H") for place, letter in enumerate("CB"))
    pdf = make_coded_pdf(label + show("12x345x678,90", 300, 700, font="H") + unit, letters)
    document = read_document(pdf)
    assert words(document) == [["\u0631\u0642\u0645", "12", "345", "678,90", "\u0645\u0642"]]
    number, first, last = (document.locate(at(document, part)).box for part in ("12 345 678,90", "12", "90"))
    assert (number[0], number[2]) == (first[0], last[2])
    total = {"name": "total", "type": "DECIMAL", "required": True, "labels": ["\u0631\u0642\u0645"]}
    contract = {"id": "c", "version": "1", "fields": [total]}
    assert paxman.normalize(pdf, contract)["total"].value == Decimal("12345678.90")


_EDGES = (60, 200, 260, 340)


def _ruled(rows: list[tuple[list[str], float, list[str]]], levels: list[float]) -> bytes:
    """A table ruled all around: a text from the top of each row, and figures so far below."""
    top, bottom = levels[0], levels[-1]
    drawn = "".join(f"{x} {bottom} m {x} {top} l S " for x in _EDGES)
    drawn += "".join(f"{_EDGES[0]} {y} m {_EDGES[-1]} {y} l S " for y in levels)
    content, y = drawn.encode(), top
    for texts, below, figures in rows:
        content += b"".join(show(text, 64, y - 12 - 12 * at, 10) for at, text in enumerate(texts))
        content += b"".join(show(text, x + 4, y - 12 - below, 10) for text, x in zip(figures, _EDGES[1:], strict=False))
        y -= 12 * len(texts) + 6
    return make_pdf(content)


@pytest.mark.parametrize("below", [0, 6, 12])
def test_cells_of_a_ruled_row_begin_on_one_line_wherever_they_are_set(below: float) -> None:
    rows: list[tuple[list[str], float, list[str]]] = [(["Item"], 0, ["Qty", "Price"])]
    rows += [
        (["Steel bolts", "of grade A"], below, ["2", "3.00"]),
        (["Copper pipe", "Art. 45-48"], below, ["4", "5.00"]),
    ]
    found = words(read_document(_ruled(rows, [700, 682, 652, 622])))
    assert found[1:] == [
        ["Steel", "bolts", "2", "3.00"],
        ["of", "grade", "A"],
        ["Copper", "pipe", "4", "5.00"],
        ["Art.", "45-48"],
    ]


def test_without_lines_between_rows_figures_stay_where_they_are() -> None:
    rows: list[tuple[list[str], float, list[str]]] = [(["Item"], 0, ["Qty", "Price"])]
    rows += [(["Steel bolts", "of grade A"], 12, ["2", "3.00"]), (["Copper pipe", "of grade B"], 12, ["4", "5.00"])]
    found = words(read_document(_ruled(rows, [700, 682, 622])))
    assert found[1:] == [
        ["Steel", "bolts"],
        ["of", "grade", "A", "2", "3.00"],
        ["Copper", "pipe"],
        ["of", "grade", "B", "4", "5.00"],
    ]


def test_a_value_among_labels_over_their_values_stays_beside_the_values() -> None:
    lines_of = "".join(f"{x} 646 m {x} 700 l S " for x in _EDGES)
    lines_of += "".join(f"{_EDGES[0]} {y} m {_EDGES[-1]} {y} l S " for y in (700, 673, 646))
    content = lines_of.encode()
    for top, values in ((700, ("Ann Lee", "1990", "555-1234")), (673, ("Park Lane 9", "Leeds", "UK 2"))):
        for x, label, value in zip(_EDGES, ("Name", "Born", "Phone" if top == 700 else ""), values, strict=False):
            content += (show(label, x + 4, top - 11, 10) if label else b"") + show(value, x + 4, top - 23, 10)
    assert words(read_document(make_pdf(content)))[2:] == [["Name", "Born"], ["Park", "Lane", "9", "Leeds", "UK", "2"]]


def test_a_value_close_to_its_label_is_apart_where_values_near_it_begin() -> None:
    rows = [("Sum", "667.00"), ("Sales tax", "133.40"), ("Total EUR", "800.40")]
    content = b"".join(
        show(label, 72, y, 10, "C") + show(value, 130, y, 10, "C")
        for y, (label, value) in zip((700, 686, 672), rows, strict=True)
    )
    shown = read_document(make_pdf(content)).text.splitlines()
    assert [tuple(re.split(" {2,}", line)) for line in shown] == rows
