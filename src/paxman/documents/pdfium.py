"""PDF pages through pdfium; runs in the helper process only."""

from __future__ import annotations

import ctypes
import math
import re
import struct
from array import array
from itertools import pairwise
from operator import ge
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from paxman.documents.helper import NO_BOMB, UnreadableError, brake
from paxman.documents.typeset import PageText, View, Word, set_page

Way = tuple[int, bool]
"""Direction of writing as shown, in quarter turns with the clock (1 is down), and whether it is slanted."""
Groups = dict[Way, list[Word]]
Box = tuple[float, float, float, float]
"""Left, right, bottom and top in the page's own plane."""
_QUARTER = math.pi / 2
_SLANTED = math.radians(10)
_FEW_CHARACTERS = 32
_LITTLE_TEXT = 0.04
"""Share of a page that a text layer covers which is no more than a stamp or a footer; that of a letter covers 0.3."""
_NO_CHARACTER = re.compile("[\0\ud800-\udfff\uffff\U0010ffff]")
# Control characters part words; pdfium marks a hyphen at the end of a line with one of three.
_READABLE = {**dict.fromkeys(range(1, 32), " "), 0x02: "-", 0xAD: "-", 0xFFFE: "-"}
_WORD = re.compile(r"\S+")
_OUTLINED_TEXT = 40
"""Shapes on a page without text above which they may be letters."""
_TEXT_BUTTONS = (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON)
_TEXT_FIELDS = (raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX)


def extract(data: bytes, options: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
    """Pages with words and boxes, form fields, embedded files, and the numbers of pages that need OCR."""
    pdf = open_pdf(data)
    pages: list[PageText] = []
    found: dict[str, Any] = {"count": len(pdf), "fields": [], "scanned": [], "broken": [], "stopped": None}
    stop, length = brake(options), 0
    for number in range(1, len(pdf) + 1):
        found["stopped"] = stop(len(pages), length)
        if found["stopped"]:
            break
        page, fields, is_scan = _read_page(pdf, number) or (PageText(number, View(0, 0, 0, 0)), [], False)
        pages.append(page)
        length += len(page.text)
        found["fields"] += fields
        found["scanned"] += [number] * is_scan
        found["broken"] += [number] * (page.view.right == page.view.left)
    found["files"], contents, found["refused"] = _embedded_files(pdf, options, len(data))
    found["pages"] = [[page.number, *page.view] for page in pages]
    found["xfa"] = pdf.get_formtype() == raw.FORMTYPE_XFA_FULL
    return found, [block for page in pages for block in page.pack()] + contents


def open_pdf(data: bytes) -> Any:
    # A failure that sets no code leaves that of the last one, so start from the code of an empty file.
    raw.FPDF_LoadMemDocument(b"", 0, None)
    try:
        pdf = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        raise _explain(error) from None
    if pdf.get_formtype() != raw.FORMTYPE_NONE:
        pdf.init_forms()
    return pdf


def _explain(error: Any) -> UnreadableError:
    if error.err_code == raw.FPDF_ERR_PASSWORD:
        return UnreadableError("the PDF is protected with a password", "Save a copy without the password and read that")
    if error.err_code == raw.FPDF_ERR_SECURITY:
        return UnreadableError("the PDF is encrypted in an unknown way", "Print it to a new PDF and read that")
    return UnreadableError(
        "the PDF is damaged, cut off, or has no pages", "Fetch the file again, or print it to a new PDF"
    )


def _read_page(pdf: Any, number: int) -> tuple[PageText, list[list[Any]], bool] | None:
    try:
        page = pdf[number - 1]
    except pdfium.PdfiumError:
        return None
    try:
        return _lay_out(page, number, pdf.formenv)
    finally:
        page.close()


def _lay_out(page: Any, number: int, form: Any) -> tuple[PageText, list[list[Any]], bool]:
    view = page_view(page)
    groups = layer_words(page, view)
    is_scan = _is_scan(page, groups)
    return *set_words(PageText(number, view), groups, annotation_words(page, form, view)), is_scan


def page_view(page: Any) -> View:
    left, bottom, right, top = page.get_bbox()
    return View(left, bottom, right, top, page.get_rotation() // 90)


def layer_words(page: Any, view: View) -> Groups:
    """The words of a page's text layer."""
    text = page.get_textpage()
    groups = _words(text.raw, view)
    text.close()
    return groups


def set_words(page: PageText, groups: Groups, named: list[tuple[str, Word]]) -> tuple[PageText, list[list[Any]]]:
    """The page with words and annotations set in it, those written level and most used first, and its form fields."""
    groups.setdefault((0, False), []).extend(word for _, word in named)
    ordered = sorted(groups.items(), key=lambda item: (item[0][1], -sum(len(word.text) for word in item[1]), item[0]))
    set_page(page, [words for _, words in ordered])
    return page, _find_fields(page, named)


def _words(text: Any, view: View) -> Groups:
    """Words by direction of writing, in the order of the file."""
    letters = _letters(text)
    measure = _Measure(text, letters, view)
    groups: Groups = {}
    for run in _WORD.finditer(letters):
        begin, end = run.span()
        for way, word in measure.words(begin, end, letters):
            groups.setdefault(way, []).append(word)
    return groups


def _letters(text: Any) -> str:
    """One character for each of pdfium's."""
    count = raw.FPDFText_CountChars(text)
    buffer = (ctypes.c_ushort * (count + 1))()
    if raw.FPDFText_GetText(text, 0, count, buffer) == count + 1:
        letters = bytes(buffer)[: 2 * count].decode("utf-16-le", "surrogatepass")
    else:
        # Characters without a code are missing from that text, and rare ones take two places in it.
        letters = "".join(chr(min(raw.FPDFText_GetUnicode(text, index), 0x10FFFF)) for index in range(count))
    return _NO_CHARACTER.sub("\ufffd", letters.translate(_READABLE))


def _quick(function: Any, result: Any = ctypes.c_int) -> Any:
    """A function of pdfium that is called as is: checking arguments would triple the price of a call per character."""
    return ctypes.PYFUNCTYPE(result)(ctypes.cast(function, ctypes.c_void_p).value or 0)


_ask_box = _quick(raw.FPDFText_GetCharBox)
_ask_loose_box = _quick(raw.FPDFText_GetLooseCharBox)
_ask_origin = _quick(raw.FPDFText_GetCharOrigin)
_ask_generated = _quick(raw.FPDFText_IsGenerated)
_ask_angle = _quick(raw.FPDFText_GetCharAngle, ctypes.c_float)


# One buffer for all calls, with the addresses of its numbers made once.
_CHUNK = 1024
_NUMBERS = (ctypes.c_double * (4 * _CHUNK))()
_SLOTS = [tuple(ctypes.byref(_NUMBERS, 32 * place + 8 * side) for side in range(4)) for place in range(_CHUNK)]
_LOOSE = bytearray(16)
_LOOSE_SLOT = ctypes.byref((ctypes.c_float * 4).from_buffer(_LOOSE))
_unpack_box = struct.Struct("4f").unpack


class _Measure:
    """Measures of the characters of a page, in the page's own coordinates."""

    def __init__(self, text: Any, letters: str, view: View) -> None:
        self._text = ctypes.cast(text, ctypes.c_void_p)
        self._view = view
        self.corners = self._corners(letters)
        self._band: tuple[float, ...] = ()
        self._point = (0.0, 0.0)
        self._way: Way = (0, False)
        self._height = 1.0

    def _is_joined(self, begin: int, letters: str) -> bool:
        """Whether the file itself has one space before a word, and not pdfium, which adds some between columns."""
        return begin > 1 and not letters[begin - 2].isspace() and not _ask_generated(self._text, begin - 1)

    def _corners(self, letters: str) -> array[float]:
        """Left, right, bottom and top of the ink of every character, in turn."""
        text, ask, found = self._text, _ask_box, array("d")
        for start in range(0, len(letters), _CHUNK):
            slots = _SLOTS[: len(letters) - start]
            for index, (left, right, bottom, top) in enumerate(slots, start):
                ask(text, index, left, right, bottom, top)
            found.frombytes(bytes(_NUMBERS)[: 32 * len(slots)])
        corners = array("f", found)
        for index, empty in enumerate(map(ge, corners[0::4], corners[1::4])):
            if empty and not letters[index].isspace():
                corners[4 * index : 4 * index + 4] = array("f", self._loose_box(index))
        return corners

    def _loose_box(self, index: int) -> Box:
        """The box that the font reserves for a character, side bearings included."""
        _ask_loose_box(self._text, index, _LOOSE_SLOT)
        left, top, right, bottom = _unpack_box(_LOOSE)
        return left, right, bottom, top

    def words(self, begin: int, end: int, letters: str) -> list[tuple[Way, Word]]:
        """The word in a run of characters, or several: pdfium joins some that are drawn far apart."""
        first, last = self._loose_box(begin), self._loose_box(end - 1)
        joined = self._is_joined(begin, letters)
        reach = 2 + 1.5 * max(first[3] - first[2], first[1] - first[0])
        if abs(last[0] - first[0]) <= reach * (end - begin) and abs(last[3] - first[3]) <= reach * (end - begin):
            return [self._word(begin, end, letters, first, last, joined)]
        cuts = [begin, *(index for index in range(begin + 1, end) if self._gap(index) > reach), end]
        return [
            self._word(
                start, stop, letters, self._loose_box(start), self._loose_box(stop - 1), joined and start == begin
            )
            for start, stop in pairwise(cuts)
        ]

    def _gap(self, index: int) -> float:
        """The free space between a character and the one before it."""
        left, right, bottom, top, left2, right2, bottom2, top2 = self.corners[4 * index - 4 : 4 * index + 4]
        return max(left2 - right, left - right2, bottom2 - top, bottom - top2)

    def _word(self, begin: int, end: int, letters: str, first: Box, last: Box, joined: bool) -> tuple[Way, Word]:
        """A word turned upright, and its direction of writing."""
        if not joined or first[2:] != self._band:
            self._find_line(begin, first)
        x0, x1, baseline = self._view.upright(self._way[0], first, last, *self._point)
        corners = self.corners[4 * begin : 4 * end]
        return self._way, Word(letters[begin:end], x0, x1, baseline, self._height, corners, joined)

    def _find_line(self, index: int, box: Box) -> None:
        """Direction, baseline and height of the letters from a character on; words that the file joins share them."""
        angle = _ask_angle(self._text, index)
        quarter = round(angle / _QUARTER)
        _ask_origin(self._text, index, *_SLOTS[0][:2])
        self._point = (_NUMBERS[0], _NUMBERS[1])
        self._way = ((quarter + self._view.turns) % 4, abs(angle - quarter * _QUARTER) > _SLANTED)
        self._height = max(box[1] - box[0] if quarter % 2 else box[3] - box[2], 1.0)
        self._band = box[2:] if quarter % 2 == 0 else ()


def _is_scan(page: Any, groups: Groups) -> bool:
    """Whether the page shows text that its text layer does not hold."""
    if is_gibberish(groups):
        return True
    words = [word for group in groups.values() for word in group]
    covered = sum((word.x1 - word.x0) * word.height for word in words)
    width, height = page.get_size()
    if covered > _LITTLE_TEXT * width * height and sum(len(word.text) for word in words) >= _FEW_CHARACTERS:
        return False
    pictures = [_area(picture) for picture in page.get_objects(filter=(raw.FPDF_PAGEOBJ_IMAGE,), max_depth=3)]
    if not words:
        return bool(pictures) or raw.FPDFPage_CountObjects(page.raw) > _OUTLINED_TEXT
    # A scanner may cut a page into strips.
    return bool(sum(pictures) * 2 > width * height)


def is_gibberish(groups: Groups) -> bool:
    """Whether most letters of a text layer have no meaning outside their font."""
    letters = "".join(word.text for words in groups.values() for word in words)
    return len(letters) >= _FEW_CHARACTERS and letters.count("\ufffd") * 2 > len(letters)


def _area(picture: Any) -> float:
    left, bottom, right, top = picture.get_bounds()
    area: float = (right - left) * (top - bottom)
    return area


def annotation_words(page: Any, form: Any, view: View) -> list[tuple[str, Word]]:
    """What is typed into form fields and text boxes, which is no part of the page's own text, by field name."""
    found = []
    for index in range(raw.FPDFPage_GetAnnotCount(page.raw)):
        annotation = raw.FPDFPage_GetAnnot(page.raw, index)
        name, value = _annotation_text(annotation, form)
        if value:
            found.append((name, _box_word(value, _annotation_corners(annotation), view)))
        raw.FPDFPage_CloseAnnot(annotation)
    return found


def _annotation_text(annotation: Any, form: Any) -> tuple[str, str]:
    kind = raw.FPDFAnnot_GetSubtype(annotation)
    if kind == raw.FPDF_ANNOT_FREETEXT:
        return "", _string(raw.FPDFAnnot_GetStringValue, annotation, b"Contents")
    if kind != raw.FPDF_ANNOT_WIDGET or form is None:
        return "", ""
    name = _string(raw.FPDFAnnot_GetFormFieldName, form.raw, annotation)
    kind = raw.FPDFAnnot_GetFormFieldType(form.raw, annotation)
    if kind in _TEXT_FIELDS or (kind in _TEXT_BUTTONS and raw.FPDFAnnot_IsChecked(form.raw, annotation)):
        return name, _string(raw.FPDFAnnot_GetFormFieldValue, form.raw, annotation)
    return "", ""


def _string(ask: Any, *arguments: Any) -> str:
    """A string that pdfium writes as UTF-16 into a buffer of the size it names; on one line."""
    size = ask(*arguments, None, 0)
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    ask(*arguments, buffer, size)
    return " ".join(bytes(buffer)[:size].decode("utf-16-le", "replace").replace("\0", "").split())


def _annotation_corners(annotation: Any) -> list[float]:
    box = raw.FS_RECTF()
    raw.FPDFAnnot_GetRect(annotation, box)
    return [box.left, box.right, box.bottom, box.top]


def _box_word(value: str, corners: list[float], view: View) -> Word:
    """A value in its box, as if printed in the middle of its height."""
    left, top, right, bottom = view.place(corners)
    size = min(bottom - top, 12.0)
    return Word(value, left, right, (top + bottom) / 2 + 0.3 * size, size, array("f", corners * len(value)))


def _find_fields(page: PageText, named: list[tuple[str, Word]]) -> list[list[Any]]:
    """Form fields as page number, name and span in the page's text."""
    known = {tuple(word.corners): name for name, word in named if name}
    fields, at = [], 0
    for start, end in zip(page.starts, page.ends, strict=True) if known else ():
        name = known.get(tuple(page.corners[at : at + 4 * (end - start)]))
        at += 4 * (end - start)
        if name:
            fields.append([page.number, name, start, end])
    return fields


def _embedded_files(pdf: Any, options: dict[str, Any], size: int) -> tuple[list[str], list[bytes], dict[str, int]]:
    """Names and contents of the files inside the PDF, and how many were left out by which limit."""
    names, contents, refused, total = [], [], dict[str, int](), 0
    count = pdf.count_attachments()
    for index in range(min(count, options["max_parts"])):
        name, content = _embedded_file(pdf, index)
        total += len(content)
        if limit := _unpacks_too_far(total, size, options):
            refused[limit] = refused.get(limit, 0) + 1
            total -= len(content)
            continue
        names.append(name)
        contents.append(content)
    if count > options["max_parts"]:
        refused["max_parts"] = count - options["max_parts"]
    return names, contents, refused


def _embedded_file(pdf: Any, index: int) -> tuple[str, bytes]:
    attachment = pdf.get_attachment(index)
    try:
        return attachment.get_name(), bytes(attachment.get_data())
    except pdfium.PdfiumError:
        return attachment.get_name(), b""


def _unpacks_too_far(unpacked: int, packed: int, options: dict[str, Any]) -> str | None:
    if unpacked > options["max_unpacked_bytes"]:
        return "max_unpacked_bytes"
    if unpacked > NO_BOMB and unpacked > options["max_compression_ratio"] * packed:
        return "max_compression_ratio"
    return None
