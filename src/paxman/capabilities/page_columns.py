"""Columns of a page side by side: wide gaps at about the same place in lines one below the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import attrs

from paxman.capabilities.page_lines import Line
from paxman.lazy import lazy_pattern
from paxman.types import Span

_WIDE = 4
"""Blanks between columns at least."""
_GAP = lazy_pattern(rf"\S\s{{{_WIDE}}}")
_ALIGNED = 1
_NEAR = 2
"""Lines apart at most; one blank line is usual."""
_FAR = 1_000_000


def columns_of(lines: Sequence[Line]) -> list[tuple[Line, ...]]:
    """The lines of each column from left to right; those over or below the columns are in the first."""
    if sum(_GAP.search(line.text) is not None for line in lines) < 2:
        return [tuple(lines)]
    rows = [(line, list(_parts(line))) for line in lines]
    shared = [
        [*_shared_edges(one[1:], two), *_shared_edges(one[:1], two[1:])] if below.number - line.number <= _NEAR else []
        for (line, one), (below, two) in pairwise(rows)
    ]
    edges = sorted({edge for each in shared for edge in each})
    edges = [edge for before, edge in pairwise([-_WIDE, *edges]) if edge - before > _ALIGNED]
    if not edges:
        return [tuple(lines)]
    inside = [bool(above or below) for above, below in pairwise([[], *shared, []])]
    places = range(len(lines))
    for at in (*places, *reversed(places)):
        inside[at] |= any(inside[max(at - 1, 0) : at + 2]) and _starts_at(rows[at][1][0][0], edges)
    return [tuple(_cut(lines, inside, edges, *sides)) for sides in pairwise([0, *edges, _FAR])]


def _starts_at(left: int, edges: Sequence[int]) -> bool:
    return any(abs(left - edge) <= _ALIGNED for edge in edges)


def _parts(line: Line, edges: Sequence[int] = ()) -> Iterator[Span]:
    """The stretches of a line that wide gaps part, or any at the edge of a column; after a comma it goes on."""
    left = right = 0
    for number, chunk in enumerate(line.chunks):
        is_wide = chunk.column - right >= _WIDE and line.text[right - 1] != ","
        if number and (is_wide or any(abs(chunk.column - edge) <= _ALIGNED for edge in edges)):
            yield left, right
            left = chunk.column
        left, right = (left if number else chunk.column), chunk.right
    yield left, right


def _shared_edges(parts: Sequence[Span], below: Sequence[Span]) -> Iterator[int]:
    for left, _ in parts:
        yield from (min(left, other) for other, _ in below if abs(left - other) <= _ALIGNED)


def _cut(
    lines: Sequence[Line], in_columns: Sequence[bool], edges: Sequence[int], left: int, right: int
) -> Iterator[Line]:
    """What stands in a column; a stretch across its edges is all in the column where it begins."""
    for line, is_cut in zip(lines, in_columns, strict=True):
        if not is_cut:
            if not left:
                yield line
            continue
        inside = [part for part in _parts(line, edges) if left <= part[0] + _ALIGNED < right]
        if inside:
            start, end = inside[0][0], inside[-1][1]
            yield attrs.evolve(line, start=line.start + start, text=line.text[start:end])
