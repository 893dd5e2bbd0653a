"""PDF pages through pdfium; runs in the helper process only."""

from __future__ import annotations

import ctypes
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from operator import attrgetter
from typing import Any, NamedTuple
from unicodedata import normalize

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from paxman.documents.paged.segments import Word
from paxman.documents.paged.typeset import PageText, View, set_page
from paxman.documents.pdf.rules import part_cells
from paxman.documents.pdf.words import Groups, words_of
from paxman.documents.sandbox.helper import NO_BOMB, UnreadableError, reached
from paxman.types import LOST, Span

_STEPS_A_PAGE, _STEPS_A_LETTER = 500, 5
_FEW_CHARACTERS = 32
_LITTLE_TEXT = 0.04
"""Share of a page that a text layer covers which is no more than a stamp or a footer; that of a letter covers 0.3."""
_LARGEST_LOGO = 0.125
"""Share of a page with little text above which a picture is more than an ornament."""
_OUTLINED_TEXT = 40
"""Shapes on a page without text above which they may be letters."""
_BUTTONS = (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON)
_MARKS = ("☑", "☐")
_REACH = 2
"""How many times its height a button stands apart from its words at most."""
_BEHIND = re.compile(r" *([^\s☐☑]+(?: [^\s☐☑]+)*)")
_UNSEEN = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW
_SHAPES = re.compile("[\ufb00-\ufb06\ufb1d-\ufdff\ufe70-\ufefc]+")
"""Ligatures and shapes of letters, which pdfium resolves in the text of pages only."""
_TEXT_FIELDS = (raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX)


class Typed(NamedTuple):
    """What stands in a form field or text box, the field's name, and which choice of several a set button is."""

    name: str
    word: Word
    choice: str = ""


def extract(data: bytes, options: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
    """Pages with words and boxes, form fields, embedded files, and the numbers of pages that need OCR."""
    pdf = open_pdf(data)
    pages: list[PageText] = []
    found: dict[str, Any] = {"count": len(pdf), "fields": [], "scanned": [], "broken": [], "stopped": None}
    length = steps = 0
    for number in range(1, len(pdf) + 1):
        found["stopped"] = reached(options, len(pages), length, steps)
        if found["stopped"]:
            break
        page, fields, is_scan, objects = _read_page(pdf, number) or (PageText(number, View(0, 0, 0, 0)), [], False, 0)
        pages.append(page)
        length += len(page.text)
        steps += _STEPS_A_PAGE + _STEPS_A_LETTER * len(page.text) + objects
        found["fields"] += fields
        found["scanned"] += [number] * is_scan
        found["broken"] += [number] * (page.view.right == page.view.left)
    found["files"], contents, found["refused"] = _embedded_files(pdf, options, len(data))
    found["pages"] = [[page.number, *page.view] for page in pages]
    found["steps"] = steps
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


def _read_page(pdf: Any, number: int) -> tuple[PageText, list[list[Any]], bool, int] | None:
    try:
        page = pdf[number - 1]
    except pdfium.PdfiumError:
        return None
    try:
        return *_lay_out(page, number, pdf.formenv), raw.FPDFPage_CountObjects(page.raw)
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
    groups = words_of(text.raw, view)
    if (0, False) in groups:
        groups[0, False] = part_cells(groups[0, False], page, text, view)
    text.close()
    return groups


def set_words(page: PageText, groups: Groups, typed: list[Typed]) -> tuple[PageText, list[list[Any]]]:
    """The page with words and annotations set in it, those written level and most used first, and its form fields."""
    level = groups.setdefault((0, False), [])
    level.extend(_on_lines([each.word for each in typed], level, page.view))
    ways = sorted(groups, key=lambda way: (way[1], -len(_letters(groups[way])), way)) if len(groups) > 1 else groups
    set_page(page, [groups[way] for way in ways])
    # Form fields as page number, name and span in the page's text.
    known = {tuple(each.word.corners): each for each in typed if each.name}
    fields, at = [], 0
    for start, end in zip(page.starts, page.ends, strict=True) if known else ():
        each = known.get(tuple(page.corners[at : at + 4 * (end - start)]))
        at += 4 * (end - start)
        place = (start, end) if each and not each.choice else each and _choice_beside(page.text, end, each.choice)
        if each and place:
            fields.append([page.number, each.name, *place])
    return page, fields


def _on_lines(typed: list[Word], words: list[Word], view: View) -> list[Word]:
    """What is typed, with marks of buttons on the lines of the words beside them."""
    if not any(word.text in _MARKS for word in typed):
        return typed
    lines = sorted(words, key=attrgetter("baseline"))
    return [_on_line(word, lines, view) if word.text in _MARKS else word for word in typed]


def _on_line(mark: Word, lines: list[Word], view: View) -> Word:
    left, top, right, bottom = view.place(mark.corners[:4])
    reach = _REACH * (bottom - top)
    first = bisect_left(lines, top, key=attrgetter("baseline"))
    near = lines[first : bisect_right(lines, bottom + mark.height, key=attrgetter("baseline"))]
    beside = [
        word.baseline
        for word in near
        if left - reach < word.x1 and word.x0 < right + reach and top < word.baseline - 0.3 * word.height < bottom
    ]
    return mark._replace(baseline=min(beside, key=lambda line: abs(line - mark.baseline))) if beside else mark


def _is_scan(page: Any, groups: Groups) -> bool:
    """Whether the page shows text that its text layer does not hold."""
    if is_gibberish(groups):
        return True
    words = [word for group in groups.values() for word in group]
    covered = sum([(word.x1 - word.x0) * word.height for word in words])
    width, height = page.get_size()
    if covered > _LITTLE_TEXT * width * height and len(_letters(words)) >= _FEW_CHARACTERS:
        return False
    pictures = covered_by_pictures(page)
    if not words:
        return bool(pictures) or raw.FPDFPage_CountObjects(page.raw) > _OUTLINED_TEXT
    return bool(pictures > _LARGEST_LOGO)


def covered_by_pictures(page: Any) -> float:
    """The share of a page that pictures cover; a scanner may cut it into strips."""
    width, height = page.get_size()
    pictures = [_area(picture) for picture in page.get_objects(filter=(raw.FPDF_PAGEOBJ_IMAGE,), max_depth=3)]
    return float(sum(pictures) / max(width * height, 1))


def _letters(words: Iterable[Word]) -> str:
    return "".join([word.text for word in words])


def is_gibberish(groups: Groups) -> bool:
    """Whether most letters of a text layer have no meaning outside their font."""
    letters = "".join(map(_letters, groups.values()))
    return len(letters) >= _FEW_CHARACTERS and len(LOST.findall(letters)) * 2 > len(letters)


def _area(picture: Any) -> float:
    left, bottom, right, top = picture.get_bounds()
    area: float = (right - left) * (top - bottom)
    return area


def annotation_words(page: Any, form: Any, view: View) -> list[Typed]:
    """What is typed into form fields and text boxes, which is no part of the page's own text."""
    found = []
    for index in range(raw.FPDFPage_GetAnnotCount(page.raw)):
        annotation = raw.FPDFPage_GetAnnot(page.raw, index)
        name, value, choice = _annotation_text(annotation, form)
        if value:
            box = raw.FS_RECTF()
            raw.FPDFAnnot_GetRect(annotation, box)
            # A value in its box, as if printed in the middle of its height.
            corners = [box.left, box.right, box.bottom, box.top]
            left, top, right, bottom = view.place(corners)
            size = min(bottom - top, 12.0)
            found.append(
                Typed(
                    name,
                    Word(value, left, right, (top + bottom) / 2 + 0.3 * size, size, array("f", corners * len(value))),
                    choice,
                )
            )
        raw.FPDFPage_CloseAnnot(annotation)
    return found


def _annotation_text(annotation: Any, form: Any) -> tuple[str, str, str]:
    """Name and value of a field, and which of several choices it is."""
    kind = raw.FPDFAnnot_GetSubtype(annotation)
    if kind == raw.FPDF_ANNOT_FREETEXT:
        return "", _string(raw.FPDFAnnot_GetStringValue, annotation, b"Contents"), ""
    if kind != raw.FPDF_ANNOT_WIDGET or form is None:
        return "", "", ""
    name = _string(raw.FPDFAnnot_GetFormFieldName, form.raw, annotation)
    kind = raw.FPDFAnnot_GetFormFieldType(form.raw, annotation)
    if kind in _BUTTONS and not raw.FPDFAnnot_GetFlags(annotation) & _UNSEEN:
        # A mark under its field's name; one of several that is not set has none.
        is_set = raw.FPDFAnnot_IsChecked(form.raw, annotation)
        mark = _MARKS[not is_set]
        if raw.FPDFAnnot_GetFormControlCount(form.raw, annotation) < 2:
            return name, mark, ""
        choice = _string(raw.FPDFAnnot_GetFormFieldExportValue, form.raw, annotation) if is_set else ""
        return name if choice else "", mark, choice
    if kind in _TEXT_FIELDS:
        return name, _string(raw.FPDFAnnot_GetFormFieldValue, form.raw, annotation), ""
    return "", "", ""


def _string(ask: Any, *arguments: Any) -> str:
    """A string that pdfium writes as UTF-16 into a buffer of the size it names; on one line, in plain letters."""
    size = ask(*arguments, None, 0)
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    ask(*arguments, buffer, size)
    text = " ".join(bytes(buffer)[:size].decode("utf-16-le", "replace").replace("\0", "").split())
    return _SHAPES.sub(lambda shapes: normalize("NFKC", shapes[0]), text)


def _choice_beside(text: str, end: int, choice: str) -> Span | None:
    """Where the words behind a set button stand, if they are what the form calls this choice."""
    words = _BEHIND.match(text, end)
    return words.span(1) if words and words[1].casefold() == choice.casefold() else None


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
