"""Texts and presentations of OpenDocument (ODT, ODP): paragraphs, lists, tables, slides and their notes.

Runs in the helper process only.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any

from paxman.documents.office.writer import (
    DOWN,
    END,
    STRIKE,
    UP,
    Box,
    Writer,
    attribute,
    folded,
    in_rows,
    local_name,
    member,
    numbered,
    parse_xml,
    taking_apart,
    too_deep,
    with_dots,
)

_SKIPPED = frozenset(
    "tracked-changes annotation forms sequence-decls note-citation hidden-text hidden-paragraph page-number "
    "page-count".split()
)
"""Deleted text, remarks of reviewers, the parts of forms, and what is not shown or is no text."""
_SHAPES = frozenset("frame custom-shape rect ellipse text-box g line connector".split())
_LENGTH = re.compile(r"(-?[0-9]{1,6}(?:\.[0-9]{1,9})?)(cm|mm|in|pt|px)?\Z")
_POINTS = {"cm": 28.35, "mm": 2.835, "in": 72.0}
_SPACE = re.compile(r"[ \t\r\n]+")
_BESIDE = frozenset("frame text-box note custom-shape rect ellipse g".split())
"""What a paragraph holds that is no part of its line."""
_CELLS = ("table-cell", "covered-table-cell")
_ROWS = ("table-header-rows", "table-rows", "table-row-group")
_MOST_REPEATED = 100
_LEVELS = "123456"


def extract(data: bytes, options: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
    """The text, the place where each paragraph or cell starts and its path, the tables, marks and slides."""
    with taking_apart("an OpenDocument file", "an office program"):
        archive = zipfile.ZipFile(io.BytesIO(data))
        room = options["max_unpacked_bytes"]
        content = member(archive, "content.xml", room)
        styles = member(archive, "styles.xml", room) if "styles.xml" in archive.namelist() else b""
        writer = _TextWriter(parse_xml(content), parse_xml(styles) if styles else None, options)
        writer.add_document()
    meta = {"hidden": writer.hidden, "count": writer.count}
    return {**writer.meta(len(content) + len(styles)), **meta}, [writer.text()]


class _TextWriter(Writer):
    """Adds the blocks of a document."""

    def __init__(self, content: Any, styles: Any, options: dict[str, Any]) -> None:
        super().__init__()
        self._content, self._styles, self._options = content, styles, options
        self._looks = dict(_looks(content)) | (dict(_looks(styles)) if styles is not None else {})
        self.hidden: list[int] = []
        self.count = 0

    def add_document(self) -> None:
        """The heads of pages, the body, and their feet."""
        self._add_margins("header")
        path = f"/content.xml/{local_name(self._content)}[1]"
        for child, step in numbered(self._content):
            if local_name(child) == "body":
                self._add_blocks(child, path + step, 0)
        self._add_margins("footer")

    def _add_margins(self, kind: str) -> None:
        names = (kind, f"{kind}-first", f"{kind}-left")
        root = self._styles
        for part, path in _find(root, f"/styles.xml/{local_name(root)}[1]", names) if root is not None else ():
            self._add_blocks(part, path, 0)

    def _add_blocks(self, element: Any, path: str, level: int, depth: int = 0, entry: bool = False) -> None:
        """Blocks below an element; `level` is that of lists, `entry` says that this is a table of contents."""
        if depth > self._options["max_depth"]:
            raise too_deep()
        for child, step in numbered(element):
            name, place = local_name(child), path + step
            if name in ("p", "h"):
                self._add_paragraph(child, place, level, depth, entry)
            elif name == "table":
                self._add_table(child, place)
            elif name == "page":
                self._add_slide(child, place, depth)
            elif name in ("list-item", "list-header"):
                self._add_blocks(child, place, level + 1, depth + 1)
            elif name not in _SKIPPED and not (
                attribute(child, "display") in ("none", "condition") or attribute(child, "is-hidden") == "true"
            ):
                self._add_blocks(child, place, level, depth + 1, entry or name == "index-body")

    def _add_slide(self, page: Any, path: str, depth: int) -> None:
        self.count += 1
        if self.count > self._options["max_pages"]:
            return
        start = self.length
        self.hidden += [self.count] if self._looks.get(attribute(page, "style-name")) == "unseen" else []
        shapes = [(child, path + step) for child, step in numbered(page) if local_name(child) in _SHAPES]
        titles = [each for each in shapes if attribute(each[0], "class") == "title"]
        others = in_rows((_box(each[0]), each) for each in shapes if each not in titles)
        for row in [*([each] for each in titles), *others]:
            self._add_row(row, depth, title=row[0] in titles)
        for notes, place in ((child, path + step) for child, step in numbered(page) if local_name(child) == "notes"):
            self._add_blocks(notes, place, 0, depth + 1)
        self.pages.append((self.count, start, self.length))
        self.add_line([])

    def _add_row(self, row: list[tuple[Any, str]], depth: int, title: bool) -> None:
        """Shapes side by side; those of one paragraph each are on one line."""
        texts = [[*_find(shape, path, ("p", "table"))] for shape, path in row]
        if len(row) > 1 and all(len(each) == 1 and local_name(each[0][0]) == "p" for each in texts):
            self.add_line([(folded(self.shown(self._texts(each[0][0]))), each[0][1]) for each in texts])
            return
        for shape, path in row:
            start = self.length
            self._add_blocks(shape, path, 0, depth + 1)
            if title:
                self.marks = [mark for mark in self.marks if mark[1] < start] + [("heading", start, self.length, 1)]

    def _add_paragraph(self, paragraph: Any, path: str, level: int, depth: int, entry: bool) -> None:
        text = self.shown(self._texts(paragraph)).strip(" \n")
        if text.strip():
            text = with_dots(text) if entry else text
            (span,) = self.add_line([(text, path)])
            self.marks.append(_kind(paragraph, level, span))
            self.mark_runs(self._bold_runs(paragraph), text, span[0])
        for child, step in _find_beside(paragraph, path):
            self._add_blocks(child, step, 0, depth + 1)

    def _add_table(self, table: Any, path: str) -> None:
        rows: list[list[tuple[int, int]]] = []
        above: dict[int, tuple[int, int]] = {}
        for row, row_path in _rows_of(table, path):
            cells = [*_cells_of(row, row_path)]
            spans = self.add_line([(folded("\n".join(self._cell_texts(cell))), place) for cell, place in cells])
            for column, ((cell, _), span) in enumerate(zip(cells, spans, strict=True)):
                if attribute(cell, "number-rows-spanned") not in ("", "1"):
                    above[column] = span
                elif local_name(cell) == "covered-table-cell" and column in above:
                    self.merged.append((span[0], above[column]))
                else:
                    above.pop(column, None)
            rows.append(spans)
        self.tables.append(rows)

    def _cell_texts(self, cell: Any) -> Iterator[str]:
        return (self.shown(self._texts(each)) for each in cell.iter() if local_name(each) in ("p", "h"))

    def _texts(self, paragraph: Any) -> Iterator[str]:
        """The text on the line of a paragraph, in order, without recursion."""
        stack: list[Any] = [paragraph]
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                yield node
                continue
            name = local_name(node)
            if name == "s":
                yield " " * _count(node, "c")
            elif name in ("tab", "line-break"):
                yield "\t" if name == "tab" else "\n"
            elif name not in _SKIPPED and name not in _BESIDE:
                inner = [_plain(node.text), *(part for child in node for part in (child, _plain(child.tail)))]
                stack += reversed(self._framed(inner, attribute(node, "style-name") if name == "span" else ""))

    def _framed(self, inner: list[Any], style: str) -> list[Any]:
        look = self._looks.get(style, "")
        if look == "struck":
            return [STRIKE, *inner, END]
        return [UP, *inner, DOWN] if look == "raised" else inner

    def _bold_runs(self, paragraph: Any) -> Iterator[str]:
        for span in paragraph.iter():
            bold = self._looks.get(attribute(span, "style-name")) == "bold"
            if bold and local_name(span) == "span" and (text := "".join(span.itertext()).strip()):
                yield text


def _kind(paragraph: Any, level: int, span: tuple[int, int]) -> tuple[str, int, int, int]:
    if local_name(paragraph) == "h":
        outline = attribute(paragraph, "outline-level")
        return "heading", *span, int(outline) if outline and outline in _LEVELS else 1
    return ("item", *span, level) if level else ("paragraph", *span, 0)


def _plain(text: str | None) -> str:
    """White space in the file stands for a single space."""
    return _SPACE.sub(" ", text or "")


def _box(shape: Any) -> Box | None:
    """Top, left and height in points."""
    found = [_LENGTH.match(attribute(shape, name)) for name in ("y", "x", "height")]
    if not all(found):
        return None
    top, left, height = (float(each[1]) * _POINTS.get(each[2] or "", 1.0) for each in found if each)
    return top, left, height


def _looks(root: Any) -> Iterator[tuple[str, str]]:
    """What the styles of a document show that counts."""
    for style in root.iter():
        if local_name(style) == "style":
            found = {name.rpartition("}")[2]: value for each in style for name, value in each.attrib.items()}
            if found.get("text-line-through-style", "none") != "none":
                yield attribute(style, "name"), "struck"
            elif found.get("text-position", "").startswith("super"):
                yield attribute(style, "name"), "raised"
            elif found.get("font-weight") == "bold":
                yield attribute(style, "name"), "bold"
            elif found.get("visibility") == "hidden":
                yield attribute(style, "name"), "unseen"


def _find(root: Any, path: str, names: tuple[str, ...]) -> Iterator[tuple[Any, str]]:
    """Elements of some names with their paths."""
    stack = [(root, path)]
    while stack:
        node, place = stack.pop()
        if local_name(node) in names:
            yield node, place
        else:
            stack += reversed([(child, place + step) for child, step in numbered(node)])


def _find_beside(paragraph: Any, path: str) -> Iterator[tuple[Any, str]]:
    """What stands beside the line of a paragraph: boxes of text and notes."""
    stack = [(child, path + step) for child, step in reversed([*numbered(paragraph)])]
    while stack:
        node, place = stack.pop()
        if local_name(node) in _BESIDE:
            yield node, place
        elif local_name(node) not in _SKIPPED:
            stack += reversed([(child, place + step) for child, step in numbered(node)])


def _rows_of(table: Any, path: str) -> Iterator[tuple[Any, str]]:
    for child, step in numbered(table):
        if local_name(child) == "table-row":
            yield from [(child, path + step)] * min(_count(child, "number-rows-repeated"), _MOST_REPEATED)
        elif local_name(child) in _ROWS:
            yield from _rows_of(child, path + step)


def _cells_of(row: Any, path: str) -> Iterator[tuple[Any, str]]:
    for child, step in numbered(row):
        if local_name(child) in _CELLS:
            yield from [(child, path + step)] * min(_count(child, "number-columns-repeated"), _MOST_REPEATED)


def _count(element: Any, name: str) -> int:
    written = attribute(element, name) or "1"
    return min(int(written), 10_000) if written.isascii() and written.isdigit() and len(written) < 9 else 1
