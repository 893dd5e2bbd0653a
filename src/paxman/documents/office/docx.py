"""Word documents: paragraphs and tables in their order; runs in the helper process only."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from defusedxml.ElementTree import fromstring

from paxman.documents.raised import REACH, write_raised
from paxman.documents.sandbox.helper import UnreadableError, describe
from paxman.types import RAISED

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
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
Styles = dict[str, tuple[str, int]]
"""Kind and level of a mark by the name of a style."""
_UP, _STRIKE, _END, _DOWN = "\0\1\2\3"
"""Stand around raised and struck-out text while a paragraph is read; no XML holds them."""
_STRUCK = re.compile(f"{_STRIKE}[^{_END}]*{_END}")
_RAISED = re.compile(f"{_UP}([^{_UP}{_DOWN}]*){_DOWN}")
_SPACE = re.compile(rf"[^\S{RAISED}]+")


def extract(data: bytes, options: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
    """The text, the place where each paragraph or cell starts and its path, and the spans of all cells of tables."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        writer, unpacked = _Writer(_read_styles(archive, options["max_unpacked_bytes"])), 0
        for name in _parts(archive.namelist()):
            content = _content(archive, name, options["max_unpacked_bytes"])
            unpacked += len(content)
            root = fromstring(content)
            if b"showingPlcHdr" in content:
                _drop_placeholders(root)
            writer.add_blocks(root, f"/{name}/{_name(root)}[1]", options["max_depth"])
    except RecursionError:
        raise _too_deep() from None
    except (zipfile.BadZipFile, SyntaxError, ValueError, KeyError, NotImplementedError, RuntimeError) as error:
        advice = "It may be cut off or damaged: save it anew with a word processor"
        raise UnreadableError(f"this is not a Word document that can be read ({describe(error)})", advice) from None
    meta = {
        "places": writer.places,
        "tables": writer.tables,
        "merged": writer.merged,
        "struck": writer.struck,
        "marks": writer.marks,
    }
    return {**meta, "steps": unpacked // 4}, ["".join(writer.pieces).encode("utf-8", "replace")]


def _too_deep() -> UnreadableError:
    advice = "Save it anew with a word processor, or allow more with Limits(max_depth=...)"
    return UnreadableError("the elements of the Word document are nested too deep", advice)


def _parts(names: list[str]) -> list[str]:
    """Parts in the order of reading: headers, the body, notes, footers."""
    order = ("header", "document", "footnotes", "endnotes", "footer")
    found = [(order.index(kind), len(name), name) for name in names if (kind := _kind(name)) in order]
    # The shorter name first: header2 before header10.
    return [name for _, _, name in sorted(found)]


def _kind(name: str) -> str:
    folder, _, file = name.rpartition("/")
    return file.removesuffix(".xml").rstrip("0123456789") if folder == "word" and file.endswith(".xml") else ""


def _content(archive: zipfile.ZipFile, name: str, room: int) -> bytes:
    """A member, but never more of it than allowed, whatever size it claims."""
    with archive.open(name) as member:
        content = member.read(room + 1)
    if len(content) > room:
        raise UnreadableError(
            f"{name} unpacks to more than {room} bytes", "Allow more with Limits(max_unpacked_bytes=...)"
        )
    return content


class _Writer:
    """Collects the text, block by block."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self.marks: list[tuple[str, int, int, int]] = []
        self.pieces: list[str] = []
        self.length = 0
        self.places: list[tuple[int, str]] = []
        self.tables: list[list[list[tuple[int, int]]]] = []
        self.merged: list[tuple[int, tuple[int, int]]] = []
        """Places of cells that go on with one above, and the place of its text."""
        self.struck = 0

    def add_blocks(self, element: Any, path: str, depth: int) -> None:
        """Paragraphs and tables below an element, so many levels down; what only wraps them does not count."""
        if depth < 0:
            raise _too_deep()
        for child, step in _numbered(element):
            name = _name(child)
            if name == "p":
                text = self._text(child).strip("\n")
                (span,) = self._add_line([(text, path + step)])
                self._mark_paragraph(child, span)
                self._mark_bold(child, text, span[0])
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
            elif is_layout and _are_titles(cells, shown[at + 1 : at + 2]):
                titles = cells
            else:
                # The paragraphs of a cell stand on one line.
                line = [(_folded(self._text(cell)), cell_path) for cell, cell_path in cells]
                spans = self._add_line(line)
                for (cell, _), (text, _), (start, _) in zip(cells, line, spans, strict=True):
                    self._mark_bold(cell, text, start)
                rows.append(self._placed(row, [cell for cell, _ in cells], spans, above))
        self.tables.append(rows)

    def _add_parts(self, cells: list[tuple[Any, str]], titles: list[tuple[Any, str]], depth: int) -> None:
        """Cells of a page one after the other, each below its title."""
        for (cell, path), title in zip_longest(cells, titles):
            if title:
                self._add_line([(_folded(self._text(title[0])), title[1])])
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
            self._note_merged(cell, span, above, len(placed))
            placed += [span, *[(span[1], span[1])] * (_count(cell, "tcPr", "gridSpan", 1) - 1)]
        # A title that fills its row alone is no row of cells.
        return placed if len(cells) > 1 else spans

    def _note_merged(self, cell: Any, span: tuple[int, int], above: dict[int, tuple[int, int]], column: int) -> None:
        merge = _property(cell, "tcPr", "vMerge")
        if merge is None or _value(merge) == "restart":
            above[column] = span
        elif column in above:
            self.merged.append((span[0], above[column]))

    def _mark_paragraph(self, paragraph: Any, span: tuple[int, int]) -> None:
        kind, level = self._styles.get(_value(_property(paragraph, "pPr", "pStyle")), ("paragraph", 0))
        outline = _value(_property(paragraph, "pPr", "outlineLvl"))
        numbering = _property(paragraph, "pPr", "numPr")
        if outline in _OUTLINE:
            kind, level = "heading", int(outline) + 1
        elif numbering is not None and kind != "heading":
            known = {_name(each): _value(each) for each in numbering}
            listed, depth = known.get("numId") != "0", known.get("ilvl", "")
            kind, level = ("item", int(depth) + 1 if depth in _OUTLINE else 1) if listed else ("paragraph", 0)
        self.marks.append((kind, *span, level))

    def _mark_bold(self, element: Any, text: str, start: int) -> None:
        """Bold runs are sought in the text that they are part of, one behind the other."""
        end = 0
        for run in _bold_runs(element):
            found = text.find(run, end)
            if found >= 0:
                end = found + len(run)
                self.marks.append(("strong", start + found, start + end, 0))

    def _text(self, element: Any) -> str:
        """The text of a paragraph or cell, without what is struck out beside what is not."""
        text = "".join(_texts(element))
        if _STRIKE in text:
            kept, count = _STRUCK.subn("", text)
            text, self.struck = (kept, self.struck + count) if kept.strip() else (text, self.struck)
            text = text.replace(_STRIKE, "").replace(_END, "")
        return _part_raised(text) if _UP in text else text

    def _add_line(self, cells: list[tuple[str, str]]) -> list[tuple[int, int]]:
        spans = []
        for number, (text, path) in enumerate(cells):
            self._write("\t" if number else "")
            self.places.append((self.length, path))
            spans.append((self.length, self.length + len(text)))
            self._write(text)
        self._write("\n")
        return spans

    def _write(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text)


def _read_styles(archive: zipfile.ZipFile, room: int) -> Styles:
    """What the styles of paragraphs say: headings by their level, and items of lists."""
    try:
        root = fromstring(_content(archive, "word/styles.xml", room))
    except (KeyError, SyntaxError, ValueError, UnreadableError):
        return {}  # The text is none the worse for it.
    styles = [each for each in root if _name(each) == "style"]
    known = {_value(style, "styleId"): style for style in styles}
    found = {name: _style(name, known) for name in known}
    return {name: meaning for name, meaning in found.items() if meaning}


def _style(name: str, known: dict[str, Any]) -> tuple[str, int] | None:
    """The meaning of a style, or of the one it is made from."""
    for _ in range(_MOST_BASES):
        if name not in known:
            return None
        parts = {_name(part): part for part in known[name]}
        title = _value(parts.get("name")).lower()
        if title in ("title", "subtitle") or (title.startswith("heading ") and title[8:] in _LEVELS):
            return "heading", 1 + (title == "subtitle") if title.endswith("title") else min(int(title[8:]), 6)
        if title.startswith(("list bullet", "list number")):
            return "item", int(title[-1]) if title[-1] in _LEVELS else 1
        name = _value(parts.get("basedOn"))
    return None


def _bold_runs(element: Any) -> Iterator[str]:
    """The texts of bold runs."""
    for run in element.iter():
        if _name(run) == "r" and _is_on(_property(run, "rPr", "b")) and (text := "".join(_texts(run)).strip()):
            yield text


def _name(element: Any) -> str:
    """The local name of an element of a Word document, with what lies in another namespace marked."""
    tag = element.tag if isinstance(element.tag, str) else ""
    return tag.removeprefix(_WORD).removeprefix(_STRICT).rpartition("}")[2]


def _numbered(element: Any) -> Iterator[tuple[Any, str]]:
    """Children with their step in a path, such as /tbl[2]."""
    counts: dict[str, int] = {}
    for child in element:
        name = _name(child)
        counts[name] = counts.get(name, 0) + 1
        yield child, f"/{name}[{counts[name]}]"


def _inner(element: Any, name: str, path: str) -> Iterator[tuple[Any, str]]:
    """The rows of a table or the cells of a row with their paths, also where something is wrapped around them."""
    for child, step in _numbered(element):
        if _name(child) == name:
            yield child, path + step
        elif _name(child) in _WRAPPERS:
            yield from _inner(child, name, path + step)


def _are_titles(cells: list[tuple[Any, str]], below: list[tuple[Any, list[tuple[Any, str]]]]) -> bool:
    """Whether each of several cells stands over a cell with a table."""
    return any(len(others) == len(cells) > 1 and all(_holds_table(cell) for cell, _ in others) for _, others in below)


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
        name = _name(node)
        if is_empty and name == "t":
            node.text = ""
        is_empty = is_empty or (name == "sdt" and _is_on(_property(node, "sdtPr", "showingPlcHdr")))
        stack += [(child, is_empty) for child in node]


def _folded(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def _part_raised(text: str) -> str:
    """Raised figures, as of footnotes and cents, are no digits of the number before them."""
    joined = text.replace(_DOWN + _UP, "")
    return _RAISED.sub(lambda found: write_raised(_before(found), found[1]), joined)


def _before(found: re.Match[str]) -> str:
    before = found.string[max(found.start() - REACH, 0) : found.start()]
    return before.replace(_UP, "").replace(_DOWN, "")


def _texts(element: Any) -> Iterator[str]:
    """Text below an element in order, without recursion."""
    stack = [element]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
            continue
        name = _name(node)
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
    marks = {_name(mark): mark for part in run if _name(part) == "rPr" for mark in part}
    if _is_on(marks.get("vanish")):
        return []
    fonts = marks.get("rFonts")
    known = _BOXES.get(_value(fonts, "ascii") or _value(fonts, "hAnsi")) if fonts is not None else None
    parts = [_boxes(part.text or "", known) if known and _name(part) == "t" else part for part in run]
    if _is_on(marks.get("strike")) or _is_on(marks.get("dstrike")):
        parts = [_STRIKE, *parts, _END]
    return [_UP, *parts, _DOWN] if _value(marks.get("vertAlign")) == "superscript" else parts


def _boxes(text: str, known: dict[str, str]) -> str:
    return "".join(known.get(f"{ord(letter) & 0xFF:02X}", letter) for letter in text)


def _form_value(field: Any) -> str:
    """What a box or a list of an old form is set to; the text of its other fields stands in the paragraph."""
    for part in field:
        if _name(part) == "checkBox":
            states = {_name(each): _is_on(each) for each in part}
            return "☑" if states.get("checked", states.get("default", False)) else "☐"
        if _name(part) == "ddList":
            known = {_name(each): _value(each) for each in part}
            place = known.get("result", known.get("default", "0"))
            entries = [_value(each) for each in part if _name(each) == "listEntry"]
            return dict(zip(map(str, range(len(entries))), entries, strict=True)).get(place, "")
    return ""


def _property(element: Any, group: str, name: str) -> Any:
    """A property of a row, cell or run, such as how many columns it spans."""
    properties = next((part for part in element if _name(part) == group), ())
    return next((each for each in properties if _name(each) == name), None)


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
    return any(_name(mark) == "del" for part in row if _name(part) == "trPr" for mark in part)
