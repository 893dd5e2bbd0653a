"""Columns of running text side by side on a page: each is read to its end before the next begins."""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from paxman.documents.paged.segments import FEWEST_LINES, SEVERAL_WORDS, Block, Segment
from paxman.types import Span

_MOST_SEGMENTS = 5_000
"""Of a page; one in small print has a tenth of them."""
_MOST_COLUMNS = 6
_MOST_REGIONS = 8
"""Above and below each other."""
_MOST_EDGES = 16
_FEWEST_STARTS = 4
_MOST_SHORT = 3
"""Lines in a row that may not run on within a column."""
_ALIGNED = 2.0
"""In points."""
_NARROWEST_GUTTER, _WIDEST_SPACE, _NEXT_LINE, _NEXT_HEADING, _FARTHEST_LINE = 0.5, 3.0, 1.7, 2.2, 3.0
"""As shares of the letters' height."""
_GAP = 1.2
"""How much farther than usual a line below a gap is."""
_ALIKE = 0.6
_LEVEL = 0.15
"""How far apart, as a share of the letters' height, the middles of cells in one row of a table are at most."""
_FEW_DIGITS = 2
"""Of a number in a heading; dates and amounts have more."""
_NEARLY = 0.7
"""How much of a column's width a line takes at least whose sentence goes on below."""
_GOING_ON, _FIGURES, _LABELLED = 0.4, 0.08, 0.25
"""Shares of lines that begin in small letters below such as run on, of digits, and of labelled lines."""

Line = list[Segment]


class _ProseRow(NamedTuple):
    number: int
    line: Line

    @property
    def end(self) -> float:
        return self.line[-1].end

    @property
    def is_parted(self) -> bool:
        """Whether it has gaps as between cells; lines stretched to the width of a column have narrower ones."""
        return any(b.x0 - a.end > _WIDEST_SPACE * a.words[0].height for a, b in pairwise(self.line))

    @property
    def is_wordy(self) -> bool:
        words = sum(word.text[0].isalpha() for segment in self.line for word in segment.words)
        return words >= SEVERAL_WORDS and not self.is_parted

    @property
    def text(self) -> str:
        return " ".join(segment.text for segment in self.line)

    @property
    def words(self) -> list[str]:
        return self.text.split()

    @property
    def baseline(self) -> float:
        return self.line[0].words[0].baseline

    @property
    def height(self) -> float:
        return self.line[0].words[0].height

    def step(self, below: _ProseRow) -> float:
        return (below.baseline - self.baseline) / max(self.height, below.height)


class _Prose(NamedTuple):
    """What stands on one side of a gutter, which rows run on, and the first and last of each stretch of such."""

    rows: list[_ProseRow]
    running: list[bool]
    spans: list[Span]
    longest: Span

    @property
    def starts(self) -> set[int]:
        """Where a line begins that the one above does not run on to."""
        return {row.number for row, runs_on in zip(self.rows[1:], self.running, strict=True) if not runs_on}

    @property
    def apart(self) -> set[int]:
        """Where a line begins below a gap."""
        steps = [above.step(row) for above, row in pairwise(self.rows)]
        usual = sorted(steps)[len(steps) // 2]
        return {row.number for row, step in zip(self.rows[1:], steps, strict=True) if step > _GAP * usual}

    @property
    def labels(self) -> set[int]:
        """Where words stand left of the prose, as in a first column of a table."""
        edge = sorted(row.line[0].x0 for row in self.rows)[len(self.rows) // 2] - _ALIGNED
        beside = (row for row in self.rows if row.line[0].end < edge)
        return {row.number for row in beside if any(word.isalpha() and len(word) > 2 for word in row.words)}

    def cells(self, first: int, last: int) -> list[list[_ProseRow]]:
        """Rows between two, parted below short lines and at gaps."""
        cells: list[list[_ProseRow]] = []
        cuts = self.starts | self.apart
        for row in _within(self.rows, first, last + 1):
            if not cells or row.number in cuts:
                cells.append([])
            cells[-1].append(row)
        return cells

    @property
    def sentences(self) -> set[int]:
        """Where a sentence may begin."""
        ended = {row.number for above, row in pairwise(self.rows) if above.text[-1] in ".;:!?"}
        return {row.number for row in self.rows if not row.line[0].goes_on} & (ended | self.starts)


class _Region(NamedTuple):
    """Two columns; the second may be parted again."""

    first: int
    last: int
    left: list[_ProseRow]
    right: list[_ProseRow]
    prose: _Prose
    """What runs on in the first column."""
    inner: _Region | None
    is_table: bool


def prose_blocks(lines: list[Line]) -> list[Block]:
    """The lines of a page in blocks, in the order in which they are read."""
    rows = [_ProseRow(number, line) for number, line in enumerate(lines)]
    if sum(map(len, lines)) > _MOST_SEGMENTS:
        return [Block(lines, False)]
    return list(_blocks(rows, _find(rows), _MOST_REGIONS))


def _blocks(rows: list[_ProseRow], region: _Region | None, most: int) -> Iterator[Block]:
    if region is None or region.is_table:
        yield from [Block([row.line for row in rows], False)] if rows else []
        return
    above, below = _within(rows, 0, region.first), _within(rows, region.last + 1, rows[-1].number + 1)
    yield from _blocks(above, _find(above) if most else None, most - 1)
    yield from _columns(region)
    yield from _blocks(below, _find(below) if most else None, most - 1)


def _columns(region: _Region) -> Iterator[Block]:
    yield _column(region.left)
    if region.inner is None:
        yield _column(region.right)
        return
    above, below = (
        _within(region.right, *rows) for rows in ((0, region.inner.first), (region.inner.last + 1, region.last + 1))
    )
    yield from [_column(above)] if above else []
    yield from _columns(region.inner)
    yield from [_column(below)] if below else []


def _column(rows: list[_ProseRow]) -> Block:
    """A column without the gaps that stretch lines to its width."""
    edge = sorted(row.end for row in rows)[-3:][0]
    return Block([_closed(row) if row.end > edge - row.line[0].words[0].height else row.line for row in rows], True)


def _closed(row: _ProseRow) -> Line:
    if len(row.line) == 1 or row.is_parted:
        return row.line
    words = [word for segment in row.line for word in segment.words]
    return [Segment(words, row.line[0].x0, row.text)]


def _find(rows: list[_ProseRow], most: int = _MOST_COLUMNS) -> _Region | None:
    """The first rows that stand in columns of prose, else those that are cells of a table."""
    table: _Region | None = None
    for edge in _edges(rows) if most > 1 else ():
        for free in _free_rows(rows, edge):
            region = _region(free, edge, most)
            if region and not region.is_table:
                return region
            table = table or region
    return table


def _edges(rows: list[_ProseRow]) -> list[float]:
    """Where many segments begin, from the left; the margin is none."""
    starts = sorted(segment.x0 for row in rows for segment in row.line)
    groups: list[list[float]] = [starts[:1]]
    for before, start in pairwise(starts):
        if start - before > _ALIGNED:
            groups.append([])
        groups[-1].append(start)
    usual = sorted((group for group in groups[1:] if len(group) >= _FEWEST_STARTS), key=len, reverse=True)
    return sorted(group[0] for group in usual[:_MOST_EDGES])


def _free_rows(rows: list[_ProseRow], edge: float) -> Iterator[list[_ProseRow]]:
    """Successive rows that nothing takes across an edge."""

    def is_taken(row: _ProseRow) -> bool:
        return any(
            segment.x0 < edge - _ALIGNED and segment.end > edge - _NARROWEST_GUTTER * segment.words[0].height
            for segment in row.line
        )

    for taken, group in groupby(rows, key=is_taken):
        free = [] if taken else list(group)
        if len(free) >= FEWEST_LINES:
            yield free


def _region(rows: list[_ProseRow], edge: float, most: int) -> _Region | None:
    before = [s.end for row in rows for s in row.line if s.x0 < edge - _ALIGNED and len(s.words) >= SEVERAL_WORDS]
    if len(before) < FEWEST_LINES:
        return None
    gutter = max(before)
    prose = _prose(_part(rows, -math.inf, gutter))
    if prose is None:
        return None
    beside = _part(rows, gutter, math.inf)
    inner = _find(beside, most - 1)
    other = inner.prose if inner else _prose(beside)
    if other is None:
        return None
    is_table = _is_table(prose, other) or (inner is not None and inner.is_table)
    if not is_table and not _are_beside(prose.longest, other.longest):
        return None
    first, last = _around([*prose.spans, *other.spans, *([(inner.first, inner.last)] if inner else [])])
    first -= _is_headed(_within(rows, first - 1, first + 1), gutter)
    left, right = (_part(_within(rows, first, last + 1), *sides) for sides in ((-math.inf, gutter), (gutter, math.inf)))
    return _Region(first, last, left, right, prose, inner, is_table)


def _around(spans: list[Span]) -> Span:
    return min(first for first, _ in spans), max(last for _, last in spans)


def _within(rows: Sequence[_ProseRow], first: int, last: int) -> list[_ProseRow]:
    return [row for row in rows if first <= row.number < last]


def _part(rows: Sequence[_ProseRow], low: float, high: float) -> list[_ProseRow]:
    """What begins between two places in each row."""
    parts = (_ProseRow(row.number, [segment for segment in row.line if low <= segment.x0 < high]) for row in rows)
    return [part for part in parts if part.line]


def _are_beside(column: Span, other: Span) -> bool:
    """Whether at least half of the shorter column stands beside the other."""
    (first, last), (top, bottom) = column, other
    return 2 * (min(last, bottom) - max(first, top)) >= min(last - first, bottom - top)


def _is_headed(rows: list[_ProseRow], gutter: float) -> bool:
    """Whether a heading stands right above each column."""
    above = rows[0].line
    if len(rows) < 2 or len(above) != 2 or not above[0].x0 < gutter <= above[1].x0:
        return False
    return rows[0].step(rows[1]) < _NEXT_HEADING and not any(
        sum(map(str.isdigit, word)) > _FEW_DIGITS for word in rows[0].words
    )


def _prose(rows: list[_ProseRow]) -> _Prose | None:
    """The rows of a column in which a sentence goes on from line to line."""
    wordy = [row for row in rows if row.is_wordy]
    if len(wordy) < FEWEST_LINES:
        return None
    left, right = min(row.line[0].x0 for row in wordy), sorted(row.end for row in wordy)[-3]
    full = left + _NEARLY * (right - left)
    running = [row.end >= full and row.step(below) < _NEXT_LINE and row.is_wordy for row, below in pairwise(rows)]
    stretches: list[Span] = []
    short = math.inf
    for at, runs_on in enumerate(running):
        if runs_on:
            first = stretches.pop()[0] if short <= _MOST_SHORT else at
            stretches.append((first, at + 1))
        is_far = rows[at].step(rows[at + 1]) > _FARTHEST_LINE
        short = 0 if runs_on else math.inf if is_far else short + 1
    stretches = [(first, last) for first, last in stretches if last - first > 1]
    first, last = max(stretches, key=lambda span: sum(running[slice(*span)]), default=(0, 0))
    if not _is_prose(rows[first : last + 1], running[first:last]):
        return None
    spans = [(rows[begin].number, rows[end].number) for begin, end in stretches]
    return _Prose(rows, running, spans, (rows[first].number, rows[last].number))


def _is_prose(rows: list[_ProseRow], running: list[bool]) -> bool:
    """Whether lines go on in small letters or such that are neither small nor capital."""
    count = len(rows)
    below = [row.line[0].goes_on for row, runs_on in zip(rows[1:], running, strict=True) if runs_on]
    if count < FEWEST_LINES:
        return False
    texts = [row.text for row in rows]
    letters = "".join(texts)
    if sum(map(str.isdigit, letters)) > _FIGURES * len(letters):
        return False
    labelled = sum(": " in text or text.endswith(":") for text in texts)
    return labelled <= _LABELLED * count and sum(below) >= _GOING_ON * len(below)


def _is_table(left: _Prose, right: _Prose) -> bool:
    """Whether both columns are parted into the same rows of cells, or labels stand before the first."""
    first, last = _around(left.spans + right.spans)
    rows = set(range(first + 1, last + 1))
    if len(left.labels & rows) > 1 or _begin_alike(left.starts & rows, right.starts & rows):
        return True
    if _are_level(left.cells(first, last), right.cells(first, last)):
        return True
    apart = (left.apart | right.apart) & rows
    cells = apart & ((left.apart & right.apart) | (left.sentences & right.sentences))
    return bool(apart) and len(cells) >= _ALIKE * len(apart)


def _begin_alike(left: set[int], right: set[int]) -> bool:
    """Whether most lines that follow short ones are in the same rows of both columns."""
    shared = left & right
    return left == right != set() or (len(shared) > 1 and 2 * len(shared) >= max(len(left), len(right)))


def _are_level(left: list[list[_ProseRow]], right: list[list[_ProseRow]]) -> bool:
    """Whether most cells of both columns have their middles at the same heights, or their ends.

    The last ends do not count: those of columns of prose are often level, too.
    """
    near = _LEVEL * left[0][0].height
    return _meet(_heights(left, 0.5), _heights(right, 0.5), near) or _meet(
        _heights(left[:-1], 1), _heights(right[:-1], 1), near
    )


def _heights(cells: list[list[_ProseRow]], share: float) -> list[float]:
    return [cell[0].baseline + share * (cell[-1].baseline - cell[0].baseline) for cell in cells]


def _meet(heights: list[float], others: list[float], near: float) -> bool:
    """Whether two thirds of heights are near others."""
    shared = sum(bisect(others, height - near) < bisect(others, height + near) for height in heights)
    return shared > 1 and 3 * shared >= 2 * max(len(heights), len(others))
