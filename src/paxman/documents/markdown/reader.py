"""The reader of Markdown: the text without its marks, every character of it with its bytes in the source."""

from __future__ import annotations

import json
import re
from functools import cached_property
from typing import Literal

import yaml

from paxman.documents.document import ByteRange, Cell, Document, Mark, Node, Table
from paxman.documents.encodings import Decoded, as_meant, decode
from paxman.documents.html.grids import folded_cell
from paxman.documents.markdown.blocks import Blocks, Rows
from paxman.documents.marks import tidy_marks
from paxman.documents.nesting import move_mark, move_table
from paxman.documents.reading import Limits, struck_out
from paxman.documents.signatures import looks_like_markdown, named_reader
from paxman.documents.source_map import Offset, Pieces
from paxman.transforms import run
from paxman.types import Span

_FIGURE = re.compile(r"[\d@]")


class MarkdownReader:
    name = "markdown"
    version = "1.0"

    def sniff(self, head: bytes, name: str | None) -> int:
        return 40 if named_reader(name) == "markdown" or looks_like_markdown(head) else 0

    def read(self, data: bytes, name: str | None, limits: Limits) -> Document:
        return markdown_document(decode(data, limits=limits), limits)


def markdown_document(decoded: Decoded, limits: Limits) -> Document:
    read = _Markdown(decoded, limits)
    byte_range = read.pieces.byte_locator(decoded.offset)
    struck = read.blocks.struck

    return Document(
        "markdown",
        read.text,
        byte_range,
        diagnostics=decoded.diagnostics + ((struck_out(struck),) if struck else ()),
        build_tree=lambda: read.tree,
        build_tables=lambda: read.tables,
        build_marks=lambda: read.marks,
        byte_range=byte_range,
    )


class _Markdown:
    """A document; what is in it is built when it is asked for."""

    def __init__(self, decoded: Decoded, limits: Limits) -> None:
        self._offset = decoded.offset
        # The same text, as long as before, every line of which ends in the one character that Markdown knows.
        text = as_meant(decoded.text)
        if "\r" in text:
            text = text.replace("\\\r\n", " \\\n").replace("\r\n", " \n").replace("\r", "\n")
        source = text.replace("\0", "\ufffd")
        self._matter = find_front_matter(source)
        self.pieces = Pieces()
        if self._matter:
            self.pieces.add(self._matter[1], *self._matter.span(1))
        lines = source.count("\n", 0, self._matter.end()) if self._matter else 0
        self.blocks = Blocks(source, lines, self.pieces, limits)
        self.text = self.pieces.text()

    @cached_property
    def tree(self) -> Node | None:
        matter = self._matter
        return front_matter_tree(matter[1], matter.start(1), self._offset) if matter else None

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        pages = (move_mark(mark, start) for page, start in self.blocks.pages for mark in page.marks)
        return tidy_marks(self.text, (*self.blocks.marks, *pages))

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Tables of bars and those of HTML, in the order of the text."""
        own = [self._table(rows) for rows in self.blocks.tables if len(rows.cells) > 1 or rows.is_headed]
        pages = [move_table(table, start) for page, start in self.blocks.pages for table in page.tables]
        return tuple(sorted((*own, *pages), key=_place))

    def _table(self, rows: Rows) -> Table:
        header, *below = [tuple(folded_cell(self.text, span) for span in row) for row in rows.cells]
        if not rows.is_headed or _is_filled_in(header):
            return Table((), (header, *below))
        named = any(cell.text for cell in header)
        return Table(header if named else (), tuple(below), headed=named)


def _is_filled_in(header: tuple[Cell, ...]) -> bool:
    """Whether the header of two cells is rather the first row of a form: Markdown has no table without one."""
    label, value = (cell.text.strip() for cell in header) if len(header) == 2 else ("", "")
    return bool(value) and (label.endswith((":", "：")) or _FIGURE.search(value) is not None)


def _place(table: Table) -> int:
    cells = table.header or (table.rows[0] if table.rows else ())
    return cells[0].span[0] if cells else 0


_MATTER = re.compile(r"\ufeff?---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S)
_LONGEST = 100_000
_MOST_DEEP = 50
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_FLAG = re.compile(r"true|false", re.I)
Scalar = Literal["string", "number", "boolean", "null"]


def find_front_matter(source: str) -> re.Match[str] | None:
    """The front matter, whose first group is YAML that holds names with values."""
    found = _MATTER.match(source[:_LONGEST])
    return found if found and _compose(found[1]) is not None else None


def _compose(text: str) -> yaml.MappingNode | None:
    """The YAML as nodes with their places; None if it is broken, no mapping, or refers to itself."""
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, yaml.SafeLoader)):
            return None
        node = yaml.compose(text, yaml.SafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    return node if isinstance(node, yaml.MappingNode) else None


def front_matter_tree(text: str, source: int, offset: Offset) -> Node | None:
    """The data of front matter that starts at a place of the source and is the start of the document's text."""
    root = _compose(text)
    return _Builder(text, lambda place: offset(source + place)).node(root, "", 0) if root else None


class _Builder:
    def __init__(self, text: str, offset: Offset) -> None:
        self._text = text
        self._offset = offset

    def _locate(self, span: Span) -> ByteRange:
        return ByteRange(self._offset(span[0]), self._offset(span[1]))

    def node(self, node: yaml.Node, name: str, depth: int) -> Node:
        start = node.start_mark.index
        span = (start, start + len(self._text[start : node.end_mark.index].rstrip()))
        if isinstance(node, yaml.ScalarNode) or depth > _MOST_DEEP:
            return self._scalar(str(node.value), name, span)
        named = isinstance(node, yaml.MappingNode)
        entries = ((str(key.value), value) for key, value in node.value) if named else (("", v) for v in node.value)
        children = tuple(self.node(value, key, depth + 1) for key, value in entries)
        return Node("object" if named else "array", name, span, self._locate(span), children)

    def _scalar(self, value: str, name: str, span: Span) -> Node:
        """What is written, where a few steps lead from it to the value."""
        start, end = span
        raw = self._text[start:end]
        quoted = raw[:1] in ("'", '"') and len(raw) > 1
        readings: tuple[tuple[Span, tuple[str, ...]], ...] = (
            (span, ()),
            ((start + quoted, end - quoted), ()),
            (span, ("json",) if raw[:1] == '"' and _is_json(raw) else ()),
            (span, ("unquote:'",) if quoted else ()),
            ((start + raw.find("\n") + 1, end) if raw[:1] in ("|", ">") else span, ("fold",)),
        )
        place, steps = next(
            (reading for reading in readings if run(reading[1], self._text[slice(*reading[0])]) == value), readings[-1]
        )
        text = str(run(steps, self._text[slice(*place)]))
        return Node("scalar", name, place, self._locate(place), (), text, "string" if quoted else _kind(text), steps)


def _is_json(raw: str) -> bool:
    try:
        return isinstance(json.loads(raw), str)
    except ValueError:
        return False


def _kind(text: str) -> Scalar:
    if text in ("", "~", "null", "Null", "NULL"):
        return "null"
    if _NUMBER.fullmatch(text):
        return "number"
    return "boolean" if _FLAG.fullmatch(text) else "string"
