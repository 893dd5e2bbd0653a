"""Word documents: paragraphs and tables in their order; runs in the helper process only."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from paxman.documents.office.writer import (
    DOWN,
    END,
    STRIKE,
    UP,
    Writer,
    folded,
    local_name,
    member,
    numbered,
    parse_xml,
    taking_apart,
    too_deep,
    with_dots,
)
from paxman.documents.sandbox.helper import UnreadableError

_SKIPPED = ("Fallback", "instrText", "del", "delText", "moveFrom", "rPr", "pPr")
"""Copies for older programs, field codes, text that was deleted or moved elsewhere, and properties."""
_MOST_COLUMNS = 63
_WRAPPERS = ("sdt", "sdtContent", "customXml", "ins", "moveTo")
_BREAKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_BOXES = {
    "Wingdings": dict(zip("6F 70 71 72 A8 A1 A4 FB FC FD FE".split(), "☐☐☐☐☐○◉✗✓☒☑", strict=True)),
    "Wingdings 2": dict(zip("4F 50 51 52 53 54 A3".split(), "✗✓☒☑☒☒☐", strict=True)),
}
"""Boxes and ticks in fonts that have them in the place of letters, by the last two digits of their code."""
_OUTLINE = ("0", "1", "2", "3", "4", "5")
_LEVELS = "123456789"
_MOST_BASES = 10
_CONTENTS = "contents"
Styles = dict[str, tuple[str, int]]
"""Kind and level of a mark by the name of a style."""


def extract(data: bytes, options: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
    """The text, the place where each paragraph or cell starts and its path, and the spans of all cells of tables."""
    with taking_apart("a Word document", "a word processor"):
        archive = zipfile.ZipFile(io.BytesIO(data))
        writer, unpacked = _WordWriter(_read_styles(archive, options["max_unpacked_bytes"])), 0
        # Parts in the order of reading: headers, the body, notes, footers.
        names = archive.namelist()
        order = ("header", "document", "footnotes", "endnotes", "footer")
        found = [(order.index(kind), len(name), name) for name in names if (kind := _kind(name)) in order]
        # The shorter name first: header2 before header10.
        for name in [name for _, _, name in sorted(found)]:
            content = member(archive, name, options["max_unpacked_bytes"])
            unpacked += len(content)
            root = parse_xml(content)
            if b"showingPlcHdr" in content:
                _drop_placeholders(root)
            writer.add_blocks(root, f"/{name}/{local_name(root)}[1]", options["max_depth"])
    return writer.meta(unpacked), [writer.text()]


def _kind(name: str) -> str:
    folder, _, file = name.rpartition("/")
    return file.removesuffix(".xml").rstrip("0123456789") if folder == "word" and file.endswith(".xml") else ""


class _WordWriter(Writer):
    """Adds the blocks of a Word document."""

    def __init__(self, styles: Styles) -> None:
        super().__init__()
        self._styles = styles

    def add_blocks(self, element: Any, path: str, depth: int) -> None:
        """Paragraphs and tables below an element, so many levels down; what only wraps them does not count."""
        if depth < 0:
            raise too_deep()
        for child, step in numbered(element):
            name = local_name(child)
            if name == "p":
                text = self._text(child).strip("\n")
                text = (
                    with_dots(text)
                    if (self._styles.get(_value(_property(child, "pPr", "pStyle")), ("", 0))[0] == _CONTENTS)
                    else text
                )
                (span,) = self.add_line([(text, path + step)])
                self._mark_paragraph(child, span)
                self.mark_runs(_bold_runs(child), text, span[0])
            elif name == "tbl":
                self._add_table(child, path + step, depth - 1)
            elif name not in _SKIPPED:
                self.add_blocks(child, path + step, depth - 1)

    def _add_table(self, table: Any, path: str, depth: int) -> None:
        rows = []
        above: dict[int, tuple[int, int]] = {}
        shown = [(row, list(_inner(row, "tc", row_path))) for row, row_path in _inner(table, "tr", path)]
        shown = [(row, cells) for row, cells in shown if cells and not _is_deleted(row)]
        parted = [any(_holds_table(cell) for cell, _ in cells) for _, cells in shown]
        # A table around other tables lays out a page.
        is_layout = sum(parted) * 2 >= len(shown) and not _is_headed([cells for _, cells in shown])
        titles: list[tuple[Any, str]] = []
        for at, ((row, cells), holds) in enumerate(zip(shown, parted, strict=True)):
            if holds and is_layout:
                self._add_parts(cells, titles, depth)
                titles = []
            elif is_layout and any(
                len(others) == len(cells) > 1 and all(_holds_table(cell) for cell, _ in others)
                for _, others in shown[at + 1 : at + 2]
            ):
                titles = cells
            else:
                # The paragraphs of a cell stand on one line.
                line = [(folded(self._text(cell)), cell_path) for cell, cell_path in cells]
                spans = self.add_line(line)
                for (cell, _), (text, _), (start, _) in zip(cells, line, spans, strict=True):
                    self.mark_runs(_bold_runs(cell), text, start)
                rows.append(self._placed(row, [cell for cell, _ in cells], spans, above))
        self.tables.append(rows)

    def _add_parts(self, cells: list[tuple[Any, str]], titles: list[tuple[Any, str]], depth: int) -> None:
        """Cells of a page one after the other, each below its title."""
        for (cell, path), title in zip_longest(cells, titles):
            if title:
                self.add_line([(folded(self._text(title[0])), title[1])])
            self.add_blocks(cell, path, depth)

    def _placed(
        self, row: Any, cells: list[Any], spans: list[tuple[int, int]], above: dict[int, tuple[int, int]]
    ) -> list[tuple[int, int]]:
        """The cells of a row in the columns of their table, with nothing in those that a cell spans besides its first.

        `above` has, by column, the text that cells below go on with.
        """
        start = spans[0][0]
        placed = [(start, start)] * _count(row, "trPr", "gridBefore", 0)
        for cell, span in zip(cells, spans, strict=True):
            column = len(placed)
            merge = _property(cell, "tcPr", "vMerge")
            if merge is None or _value(merge) == "restart":
                above[column] = span
            elif column in above:
                self.merged.append((span[0], above[column]))
            placed += [span, *[(span[1], span[1])] * (_count(cell, "tcPr", "gridSpan", 1) - 1)]
        # A title that fills its row alone is no row of cells.
        return placed if len(cells) > 1 else spans

    def _mark_paragraph(self, paragraph: Any, span: tuple[int, int]) -> None:
        kind, level = self._styles.get(_value(_property(paragraph, "pPr", "pStyle")), ("paragraph", 0))
        outline = _value(_property(paragraph, "pPr", "outlineLvl"))
        numbering = _property(paragraph, "pPr", "numPr")
        if outline in _OUTLINE:
            kind, level = "heading", int(outline) + 1
        elif numbering is not None and kind != "heading":
            known = {local_name(each): _value(each) for each in numbering}
            listed, depth = known.get("numId") != "0", known.get("ilvl", "")
            kind, level = ("item", int(depth) + 1 if depth in _OUTLINE else 1) if listed else ("paragraph", 0)
        self.marks.append((kind if kind != _CONTENTS else "paragraph", *span, level))

    def _text(self, element: Any) -> str:
        return self.shown(_texts(element))


def _read_styles(archive: zipfile.ZipFile, room: int) -> Styles:
    """What the styles of paragraphs say: headings by their level, and items of lists."""
    try:
        root = parse_xml(member(archive, "word/styles.xml", room))
    except (KeyError, SyntaxError, ValueError, UnreadableError):
        return {}  # The text is none the worse for it.
    styles = [each for each in root if local_name(each) == "style"]
    known = {_value(style, "styleId"): style for style in styles}
    found = {name: _style(name, known) for name in known}
    return {name: meaning for name, meaning in found.items() if meaning}


def _style(name: str, known: dict[str, Any]) -> tuple[str, int] | None:
    """The meaning of a style, or of the one it is made from."""
    for _ in range(_MOST_BASES):
        if name not in known:
            return None
        parts = {local_name(part): part for part in known[name]}
        title = _value(parts.get("name")).lower()
        if title in ("title", "subtitle") or (title.startswith("heading ") and title[8:] in _LEVELS):
            return "heading", 1 + (title == "subtitle") if title.endswith("title") else min(int(title[8:]), 6)
        if title.startswith("toc ") and title[4:] in _LEVELS:
            return _CONTENTS, 0
        if title.startswith(("list bullet", "list number")):
            return "item", int(title[-1]) if title[-1] in _LEVELS else 1
        name = _value(parts.get("basedOn"))
    return None


def _bold_runs(element: Any) -> Iterator[str]:
    """The texts of bold runs."""
    for run in element.iter():
        if local_name(run) == "r" and _is_on(_property(run, "rPr", "b")) and (text := "".join(_texts(run)).strip()):
            yield text


def _inner(element: Any, name: str, path: str) -> Iterator[tuple[Any, str]]:
    """The rows of a table or the cells of a row with their paths, also where something is wrapped around them."""
    for child, step in numbered(element):
        if local_name(child) == name:
            yield child, path + step
        elif local_name(child) in _WRAPPERS:
            yield from _inner(child, name, path + step)


def _is_headed(rows: list[list[tuple[Any, str]]]) -> bool:
    """Whether a row of words stands over rows of as many cells, each of which begins with words."""
    if len(rows) < 3 or any(not 1 < len(cells) == len(rows[0]) for cells in rows):
        return False
    named = (*rows[0], *(cells[0] for cells in rows[1:]))
    return all(not _holds_table(cell) and "".join(_texts(cell)).strip() for cell, _ in named)


def _holds_table(cell: Any) -> bool:
    """Whether a table of several rows is in a cell."""
    tables = _inner(cell, "tbl", "")
    return any(len(list(_inner(table, "tr", ""))) > 1 for table, _ in tables)


def _drop_placeholders(root: Any) -> None:
    """The words that ask for an answer, in a field that has none, are no text."""
    stack = [(root, False)]
    while stack:
        node, is_empty = stack.pop()
        name = local_name(node)
        if is_empty and name == "t":
            node.text = ""
        is_empty = is_empty or (name == "sdt" and _is_on(_property(node, "sdtPr", "showingPlcHdr")))
        stack += [(child, is_empty) for child in node]


def _texts(element: Any) -> Iterator[str]:
    """Text below an element in order, without recursion."""
    stack = [element]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
            continue
        name = local_name(node)
        if name in _BREAKS:
            yield _BREAKS[name]
        elif name == "t":
            yield node.text or ""
        elif name == "sym":
            yield _BOXES.get(_value(node, "font"), {}).get(_value(node, "char")[-2:].upper(), "")
        elif name == "ffData":
            yield _form_value(node)
        elif name == "r":
            stack += reversed(_run_parts(node))
        elif name not in _SKIPPED:
            stack += ["\n"] if name == "p" else []
            stack += reversed(list(node))


def _run_parts(run: Any) -> list[Any]:
    """What a run shows, with letters of a font of boxes as these."""
    marks = {local_name(mark): mark for part in run if local_name(part) == "rPr" for mark in part}
    if _is_on(marks.get("vanish")):
        return []
    fonts = marks.get("rFonts")
    known = _BOXES.get(_value(fonts, "ascii") or _value(fonts, "hAnsi")) if fonts is not None else None
    parts = [_boxes(part.text or "", known) if known and local_name(part) == "t" else part for part in run]
    if _is_on(marks.get("strike")) or _is_on(marks.get("dstrike")):
        parts = [STRIKE, *parts, END]
    return [UP, *parts, DOWN] if _value(marks.get("vertAlign")) == "superscript" else parts


def _boxes(text: str, known: dict[str, str]) -> str:
    return "".join(known.get(f"{ord(letter) & 0xFF:02X}", letter) for letter in text)


def _form_value(field: Any) -> str:
    """What a box or a list of an old form is set to; the text of its other fields stands in the paragraph."""
    for part in field:
        if local_name(part) == "checkBox":
            states = {local_name(each): _is_on(each) for each in part}
            return "☑" if states.get("checked", states.get("default", False)) else "☐"
        if local_name(part) == "ddList":
            known = {local_name(each): _value(each) for each in part}
            place = known.get("result", known.get("default", "0"))
            entries = [_value(each) for each in part if local_name(each) == "listEntry"]
            return dict(zip(map(str, range(len(entries))), entries, strict=True)).get(place, "")
    return ""


def _property(element: Any, group: str, name: str) -> Any:
    """A property of a row, cell or run, such as how many columns it spans."""
    properties = next((part for part in element if local_name(part) == group), ())
    return next((each for each in properties if local_name(each) == name), None)


def _value(element: Any, wanted: str = "val") -> str:
    found = element.attrib.items() if element is not None else ()
    return next((value for name, value in found if name.rpartition("}")[2] == wanted), "")


def _is_on(element: Any) -> bool:
    """Whether a property is set; its value need not be written."""
    return element is not None and _value(element) not in ("0", "false", "off")


def _count(element: Any, group: str, name: str, least: int) -> int:
    """A number of columns; a table has no more than 63 of them."""
    written = _value(_property(element, group, name))
    return min(max(int(written), least), _MOST_COLUMNS) if written.isascii() and written.isdigit() else least


def _is_deleted(row: Any) -> bool:
    """Whether a row of a table is marked as deleted."""
    return any(local_name(mark) == "del" for part in row if local_name(part) == "trPr" for mark in part)
