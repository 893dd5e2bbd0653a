"""Lines of text between the rows of one page and the next, and those that no row of a table has."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from paxman.capabilities.table_cells import ATTRIBUTE, reach_of, text_spans
from paxman.capabilities.table_ends import goes_over
from paxman.capabilities.table_lines import Layout, Row, text_at, wrapped_at
from paxman.capabilities.table_placing import cells_of
from paxman.capabilities.table_sums import is_carried
from paxman.capabilities.table_wraps import is_open
from paxman.documents.headings import Cell, begins_page
from paxman.documents.visual_lines import VisualLines
from paxman.types import FieldType

_INDENT = 2
"""What parts columns at least."""
_NUMBER = re.compile(r"\d{1,3}[.)]\s*")
"""The number of a title."""
_WIDE = 1_000_000
_MOST_NAMED, _LONGEST_NAMED = 3, 60


class Part(NamedTuple):
    """The rows below one header, and the lines among which they stand."""

    layout: Layout
    rows: list[Row]
    lines: range

    @property
    def items(self) -> list[Row]:
        return [row for row in self.rows if not row.reason]


def clear_breaks(layout: Layout, rows: Sequence[Row], end: int, stop: int) -> None:
    """Empty the lines that are the head or the foot of a page, or the title over headings that come again."""
    page, outside = layout.page, layout.outside
    for row, below in zip(rows, [*(row.first for row in rows[1:]), end], strict=True):
        turns = below == stop and layout.goes_on
        if len(row.lines) < 2 or not (turns or outside.is_break(range(row.first + 1, min(below + 1, len(page))))):
            continue
        may_title = turns and outside.is_titled and not begins_page(page, stop)
        titled = {stop - 1} if may_title and not _is_wrapped(layout, row, stop - 1) else ()
        row.lines[1:] = [(at, [] if at in titled or outside.has(at) else cells) for at, cells in row.lines[1:]]


def _is_wrapped(layout: Layout, row: Row, index: int) -> bool:
    """Whether a text plainly goes on with that of a row: it begins small, or further to the right."""
    page, own = layout.page, layout.page.line(row.first)
    chunks = page.line(index).chunks
    if not chunks or page.text[chunks[0][0]].islower():
        return True
    texts = [cell for cell in row.lines[0][1] if cell.column in layout.texts]
    return bool(texts) and chunks[0][0] - page.line(index).start >= texts[0].start - own.start + _INDENT


def lines_left(part: Part) -> dict[int, bool]:
    """Lines of text that no row has taken and that are no head or foot of a page; whether each is a property."""
    layout, rows, lines = part
    firsts = {row.first for row in rows}
    others = [index for index in lines if index not in firsts and layout.page.line(index).chunks]
    if not others:
        return {}
    taken = _lines_taken(part)
    texts = ((index, _text_in(layout, index)) for index in others if index not in taken)
    match = ATTRIBUTE.match
    return {index: match(layout.page.text, text.start, text.end) is not None for index, text in texts if text}


def _lines_taken(part: Part) -> set[int]:
    """The lines from which the texts of rows are read."""
    layout = part.layout
    places = [place for place in layout.places if layout.columns[place].type is FieldType.STRING]
    wrapped = [row for row in part.items if row.above or len(row.lines) > 1]
    spans = (span for row in wrapped for place in places for span in text_spans(layout, row, place))
    return {layout.page.line_at(start) for start, _ in spans}


def _text_in(layout: Layout, index: int) -> Cell | None:
    """The text of a line, if that is no head or foot of a page."""
    cells = cells_of(layout.page, index, layout.header, tails=False)
    texts = (cell for cell in cells if cell.column in layout.texts and any(map(str.isalpha, text_at(layout, cell))))
    text = next(texts, None)
    return None if text is None or layout.outside.has(index) else text


class _Gap(NamedTuple):
    """The lines left between a row and the next, with the parts of the table that the two are in."""

    above: Part
    row: Row
    below: Part
    end: int
    lines: Sequence[int]
    refused: Sequence[int]
    """The lines of rows between the two that are no items."""

    @property
    def turns(self) -> bool:
        """Whether a page ends between the rows, and nothing else does but a sum that goes over."""
        page = self.above.layout.page
        others = map(page.line, self.refused)
        if not all(is_carried(page.text[line.start : line.end].strip()) for line in others):
            return False
        if self.refused or self.below is not self.above or self.end == self.above.lines.stop:
            return True
        return self.above.layout.outside.is_break(range(self.row.first + 1, self.end + 1))

    @property
    def over(self) -> list[int]:
        """The first lines in a row that plainly go on with a text."""
        page, lines = self.above.layout.page, set(self.lines)
        first = next((at for at in self.lines if at - 1 not in lines and goes_over(page, at)), self.end)
        return [*takewhile(lines.__contains__, range(first, self.end))]

    @property
    def unclear(self) -> int | None:
        """A line that may go on with a text: right below headings or the head of a page, in the same column."""
        return next((at for at in self.lines if self._is_on_top(at) and self._fits(at)), None)

    def _is_on_top(self, index: int) -> bool:
        layout = self.below.layout
        above = index - 1 if layout.page.line(index - 1).chunks else index - 2
        return above == layout.header.last or (above > self.row.first and layout.outside.has(above))

    def _fits(self, index: int) -> bool:
        """Whether a line has only a text, no wider than that of the row may be."""
        above, page = self.above.layout, self.below.layout.page
        cells = cells_of(page, index, self.below.layout.header, tails=False)
        if len(cells) != 1 or cells[0].column not in above.texts:
            return False
        return page.column(page.line(index).start, cells[0].end) <= reach_of(above, self.row, cells[0].column)


def go_over(parts: Sequence[Part], left: Sequence[int]) -> tuple[list[int], set[int]]:
    """Join texts that go on on the next page to their row; the lines of which that is unclear, and those joined."""
    unclear, joined = sorted({*_titles(parts), *_lone_texts(parts)}), set[int]()
    if not left:
        return unclear, joined
    gaps = [*_gaps(parts, left)]
    turns = [gap for gap in gaps if gap.turns]
    is_headed = sum(len(gap.lines) for gap in turns) < len(left)
    for gap in turns:
        over = gap.over
        if over:
            _carry(gap, over)
            joined.update(over)
            unclear.append(over[0])
        elif not is_headed and gap.unclear is not None:
            unclear.append(gap.unclear)
    return unclear, joined


def _gaps(parts: Sequence[Part], left: Sequence[int]) -> Iterator[_Gap]:
    """The lines below each row that no row has."""
    items = [(part, row) for part in parts for row in part.items]
    refused = [row.first for part in parts for row in part.rows if row.reason]
    for at, (part, row) in enumerate(items):
        below, end = part, part.lines.stop
        if at + 1 < len(items):
            below, end = items[at + 1][0], items[at + 1][1].first
        lines, others = (each[bisect_left(each, row.first) : bisect_left(each, end)] for each in (left, refused))
        if lines:
            yield _Gap(part, row, below, end, lines, others)


def _titles(parts: Sequence[Part]) -> Iterator[int]:
    """Texts right between a row and headings that come again: part of the one or the title of the other."""
    for part in parts:
        layout, last = part.layout, part.lines.stop - 1
        if not layout.goes_on or not part.items or begins_page(layout.page, last + 1):
            continue
        row, page = part.items[-1], layout.page
        between = range(row.first + 1, last + 1)
        if not between or len(page.line(last).chunks) != 1 or _is_wrapped(layout, row, last):
            continue
        if all(page.line(at).chunks and not layout.outside.has(at) for at in between):
            yield last


def _lone_texts(parts: Sequence[Part]) -> Iterator[int]:
    """Last lines of texts that may be titles of the rows below: they begin as rows do, and only some rows have them.

    Where one stands over the first row, or all rows are indented, they are no part of texts.
    """
    items = [(part, row) for part in parts for row in part.items]
    lasts = [_last_text(row) for _, row in items]
    if len(items) < 2 or (lasts[-1] and any(lasts[:-1])):
        return
    over, least = _left_over(*items[0]), min(_left(part.layout.page, row.first) for part, row in items) - _INDENT
    for (part, row), last in zip(items, lasts, strict=True):
        if last and not row.above and _may_title(part.layout, row, last) and last in _lines_taken(part):
            left = _left(part.layout.page, last)
            if left == over or left <= least:
                row.lines = [line for line in row.lines if line[0] != last]
            yield last


def _last_text(row: Row) -> int:
    """The last line of a row's text below its first, if it has one."""
    return max((at for at, cells in row.lines[1:] if cells), default=0)


def _left_over(part: Part, row: Row) -> int | None:
    """Where a title right over the first row begins, if that is no part of it."""
    above, page = row.first - 1, part.layout.page
    is_title = not row.above and above in part.lines and len(page.line(above).chunks) == 1
    return _left(page, above) if is_title else None


def _left(page: VisualLines, index: int) -> int:
    line = page.line(index)
    return page.column(line.start, line.chunks[0][0])


def _may_title(layout: Layout, row: Row, index: int) -> bool:
    """Whether a line of a row's text begins as a row does, and what stands above it is at an end."""
    page = layout.page
    if len(page.line(index).chunks) != 1 or _is_wrapped(layout, row, index):
        return False
    start, end = page.line(index).chunks[0]
    cells = [cell for at, cells in row.lines if at < index for cell in cells if cell.column in layout.texts]
    above, below = [cell for cell in cells if page.line_at(cell.start) == index - 1][-1:], page.text[start:end]
    if not above or not _NUMBER.sub("", below)[:1].isupper() or is_open(text_at(layout, above[0])):
        return False
    if below.isupper() and not any(text_at(layout, cell).isupper() for cell in cells):
        return True
    room = max(cell.end - cell.start for cell in cells) if index - 1 > row.first else _room(layout, above[0])
    return above[0].end - above[0].start + 1 + len(below.split()[0]) <= room


def _room(layout: Layout, text: Cell) -> int:
    """How long a text may be to end before the next heading."""
    following = layout.header.columns[text.column + 1 : text.column + 2]
    if layout.header.ordinal or not following:
        return _WIDE
    page = layout.page
    return following[0].left - _INDENT - page.column(page.line(page.line_at(text.start)).start, text.start)


def _carry(gap: _Gap, lines: Sequence[int]) -> None:
    """Add lines of the next page to the text of a row, if the columns are the same there."""
    above, below = gap.above.layout, gap.below.layout
    if len(above.header.columns) == len(below.header.columns) and above.header.bound == below.header.bound:
        near = takewhile(lambda pair: pair[1][1] and pair[1][0] == gap.row.first + pair[0], enumerate(gap.row.lines))
        gap.row.lines = [*(line for _, line in near), *((at, wrapped_at(below, at, None)) for at in lines)]
        gap.row.over = lines[0]


def named(layout: Layout, lines: Sequence[int]) -> str:
    """Some lines as a message names them."""
    page = layout.page
    texts = (page.text[page.line(at).start : page.line(at).end].strip() for at in lines[:_MOST_NAMED])
    more = ["..."] if len(lines) > _MOST_NAMED else []
    return ", ".join([*(repr(text[:_LONGEST_NAMED]) for text in texts), *more])
