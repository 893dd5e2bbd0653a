"""Texts of a table that may be no part of its rows: titles of groups, and sentences below them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from paxman.capabilities.table_cells import text_spans
from paxman.capabilities.table_lines import Layout, Row, text_at
from paxman.capabilities.table_wraps import is_open
from paxman.documents.headings import Cell
from paxman.documents.visual_lines import VisualLines
from paxman.types import FieldType

_INDENT = 2
"""What parts columns at least."""
_NUMBER = re.compile(r"\d{1,3}[.)]\s*")
"""The number of a title."""
_WIDE = 1_000_000


class Part(NamedTuple):
    """The rows below one header, and the lines among which they stand."""

    layout: Layout
    rows: list[Row]
    lines: range

    @property
    def items(self) -> list[Row]:
        return [row for row in self.rows if not row.reason]


def is_wrapped(layout: Layout, row: Row, index: int) -> bool:
    """Whether a text plainly goes on with that of a row: it begins small, or further to the right."""
    page, own = layout.page, layout.page.line(row.first)
    chunks = page.line(index).chunks
    if not chunks or page.text[chunks[0][0]].islower():
        return True
    texts = [cell for cell in row.lines[0][1] if cell.column in layout.texts]
    return bool(texts) and chunks[0][0] - page.line(index).start >= texts[0].start - own.start + _INDENT


def lines_taken(part: Part) -> set[int]:
    """The lines from which the texts of rows are read."""
    layout = part.layout
    places = [place for place in layout.places if layout.columns[place].type is FieldType.STRING]
    wrapped = [row for row in part.items if row.above or len(row.lines) > 1]
    spans = (span for row in wrapped for place in places for span in text_spans(layout, row, place))
    return {layout.page.line_at(start) for start, _ in spans}


class _Text(NamedTuple):
    """One end of a row's text that has more than one line: the one over its numbers, or the one below."""

    layout: Layout
    row: Row
    cells: list[Cell]
    over: bool

    @property
    def outer(self) -> int:
        """The line at the end."""
        return self.layout.page.line_at(self.cells[0 if self.over else -1].start)

    @property
    def goes_on_small(self) -> bool:
        """Whether the other lines go on in small letters."""
        inner = self.cells[2:] if self.over else self.cells[1:-1]
        return all(self.layout.page.text[cell.start].islower() for cell in inner)

    def may_end(self, *, is_narrow: bool) -> bool:
        """Whether the outer line may be none of the text: what is below begins as a row does, the other has an end.

        Narrow texts have no more room than their other lines show.
        """
        layout, cells = self.layout, self.cells[:2] if self.over else self.cells[-2:]
        above, below = (text_at(layout, cell) for cell in cells)
        if len(layout.page.line(self.outer).chunks) != 1 or is_open(above) or layout.first in layout.dates:
            return False
        if not _NUMBER.sub("", below)[:1].isupper() or (not self.over and is_wrapped(layout, self.row, self.outer)):
            return False
        others = [text_at(layout, cell) for cell in self.cells[:-1]]
        if below.isupper() and not any(map(str.isupper, others)):
            return True
        room = max(map(len, others)) if is_narrow and len(others) > 1 else _room(layout, cells[0])
        return len(above) + 1 + len(below.split()[0]) <= room


def lone_texts(parts: Sequence[Part]) -> Iterator[int]:
    """The outer lines of texts that may be titles or sentences: they begin as rows do, and only some rows have them.

    Where one stands over the first row, or all rows are indented, they are no part of texts.
    """
    items = [(part, row) for part in parts for row in part.items]
    texts = [text for part, row in items for text in _texts(part.layout, row)]
    if len(items) < 2 or not texts:
        return
    is_narrow = not all(text.goes_on_small for text in texts)
    found = [text for text in texts if text.may_end(is_narrow=is_narrow)]
    over, least = _left_over(*items[0]), min(_left(part.layout.page, row.first) for part, row in items) - _INDENT
    for text in found if found and not _is_usual(found, texts, items[-1][1]) else ():
        left = _left(text.layout.page, text.outer)
        if not text.over and (left == over or left <= least):
            text.row.lines = [line for line in text.row.lines if line[0] != text.outer]
        yield text.outer


def _is_usual(found: Sequence[_Text], texts: Sequence[_Text], last: Row) -> bool:
    """Whether rows are just set so: the last has such a line too, or each that has lines over it."""
    if len(found) < 2:
        return False
    over = sum(text.over for text in texts)
    return sum(text.over for text in found) == over if over else found[-1].row is last


def _texts(layout: Layout, row: Row) -> Iterator[_Text]:
    """The ends of a row's text in the column that has the most lines."""
    if not row.above and len(row.lines) < 2:
        return
    placed = [(place, column) for place, column in layout.places.items() if column in layout.texts]
    texts = ([Cell(column, *span) for span in text_spans(layout, row, place)] for place, column in placed)
    cells = max(texts, key=len, default=[])
    first = layout.page.line(row.first)
    if len(cells) > 1 and cells[0].start < first.start:
        yield _Text(layout, row, cells, over=True)
    if len(cells) > 1 and cells[-1].start > first.end:
        yield _Text(layout, row, cells, over=False)


def _left_over(part: Part, row: Row) -> int | None:
    """Where a title right over the first row begins, if that is no part of it."""
    above, page = row.first - 1, part.layout.page
    is_title = not row.above and above in part.lines and len(page.line(above).chunks) == 1
    return _left(page, above) if is_title else None


def _left(page: VisualLines, index: int) -> int:
    line = page.line(index)
    return page.column(line.start, line.chunks[0][0])


def _room(layout: Layout, text: Cell) -> int:
    """How long a text may be to end before the next heading."""
    following = layout.header.columns[text.column + 1 : text.column + 2]
    if layout.header.ordinal or layout.is_crammed or not following:
        return _WIDE
    page = layout.page
    return following[0].left - _INDENT - page.column(page.line(page.line_at(text.start)).start, text.start)
