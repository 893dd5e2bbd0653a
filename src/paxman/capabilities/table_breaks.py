"""Lines of text between the rows of one page and the next, and those that no row of a table has."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise, takewhile
from typing import NamedTuple

from paxman.capabilities.table_cells import ATTRIBUTE, reach_of
from paxman.capabilities.table_ends import goes_over
from paxman.capabilities.table_lines import Layout, Row, text_at, wrapped_at
from paxman.capabilities.table_placing import cells_of
from paxman.capabilities.table_sums import is_carried
from paxman.capabilities.table_titles import Part, is_wrapped, lines_taken, lone_texts
from paxman.capabilities.table_wraps import is_open
from paxman.documents.headings import Cell, begins_page
from paxman.documents.visual_lines import VisualLines

_MOST_NAMED, _LONGEST_NAMED = 3, 60


def clear_breaks(layout: Layout, rows: Sequence[Row], end: int, stop: int) -> None:
    """Empty the lines that are the head or the foot of a page, or the title over headings that come again."""
    page, outside = layout.page, layout.outside
    for row, below in zip(rows, [*(row.first for row in rows[1:]), end], strict=True):
        turns = below == stop and layout.goes_on
        if len(row.lines) < 2 or not (turns or outside.is_break(range(row.first + 1, min(below + 1, len(page))))):
            continue
        may_title = turns and outside.is_titled and not begins_page(page, stop)
        titled = {stop - 1} if may_title and not is_wrapped(layout, row, stop - 1) else set[int]()
        heads = titled.union(at for at, cells in row.lines[1:] if outside.has(at) or _is_head(layout, cells))
        row.lines[1:] = [(at, [] if at in heads else cells) for at, cells in row.lines[1:]]


def _is_head(layout: Layout, cells: Sequence[Cell]) -> bool:
    """Whether words stand beside a text: in a column of numbers or days, or several in one that is not for texts."""
    others = [cell for cell in cells if cell.column not in layout.texts and layout.page.text[cell.start].isalpha()]
    return len(cells) > 1 and any(cell.column in layout.typed or " " in text_at(layout, cell) for cell in others)


def lines_left(part: Part) -> dict[int, bool]:
    """Lines of text that no row has taken and that are no head or foot of a page; whether each is a property."""
    layout, rows, lines = part
    firsts = {row.first for row in rows}
    others = [index for index in lines if index not in firsts and layout.page.line(index).chunks]
    others += [*takewhile(partial(_is_property, layout), _lines_below(part))]
    if not others:
        return {}
    taken = lines_taken(part)
    texts = ((index, _text_in(layout, index)) for index in others if index not in taken)
    return {index: _is_property(layout, index) for index, text in texts if text}


def _lines_below(part: Part) -> Iterator[int]:
    """The lines of the last row that no others follow."""
    last = part.items[-1] if part.items else None
    return (index for index, _ in last.lines[1:] if index not in part.lines) if last else iter(())


def _is_property(layout: Layout, index: int) -> bool:
    text = _text_in(layout, index)
    return text is not None and ATTRIBUTE.match(layout.page.text, text.start, text.end) is not None


def _text_in(layout: Layout, index: int) -> Cell | None:
    """The text of a line, if that is no head or foot of a page."""
    cells = wrapped_at(layout, index, None)
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
        first = next((at for at in self.lines if goes_over(page, at)), self.end)
        return [*takewhile(lines.__contains__, range(first, self.end))]

    @property
    def unclear(self) -> int | None:
        """A line that may go on with a text, in its column: right below headings or a page's head, or that is open."""
        is_open = self._is_open
        return next((at for at in self.lines if (is_open or self._is_on_top(at)) and self._fits(at)), None)

    @property
    def _is_open(self) -> bool:
        layout = self.above.layout
        cells = [cell for at, cells in self.row.lines if at < self.lines[0] for cell in cells]
        texts = [text_at(layout, cell) for cell in cells if cell.column in layout.texts]
        return bool(texts) and is_open(texts[-1])

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
    unclear, joined = sorted({*_titles(parts), *_torn(parts), *lone_texts(parts)}), set[int]()
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
        if not between or len(page.line(last).chunks) != 1 or is_wrapped(layout, row, last):
            continue
        if all(page.line(at).chunks and not layout.outside.has(at) for at in between):
            yield last


def _torn(parts: Sequence[Part]) -> Iterator[int]:
    """Texts right below the last row of a page, where those of rows begin over their numbers."""
    items = [(part, row) for part in parts for row in part.items]
    if not any(row.above for _, row in items):
        return
    taken = set[int]().union(*map(lines_taken, parts))
    for (part, row), (_, after) in pairwise(items):
        below = row.first + 1
        is_text = below < after.first and (below in taken or _is_open_line(part.layout.page, below))
        if is_text and part.layout.outside.is_break(range(below + 1, after.first + 1)):
            yield below


def _is_open_line(page: VisualLines, index: int) -> bool:
    chunks = page.line(index).chunks
    return len(chunks) == 1 and is_open(page.text[slice(*chunks[0])])


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
