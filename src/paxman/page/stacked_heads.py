"""Heads of columns that take several lines, over one row: what stands below such a head answers a single field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paxman.lazy import lazy_pattern
from paxman.page.grid import Layout, Unit, head_parts, strips_of
from paxman.page.lines import PageLines
from paxman.types import Span

_VALUE = lazy_pattern(r"[\d:=]")
_MOST_LINES = 3
_LEAST_COLUMNS = 3


def stacked_heads(lines: PageLines) -> Iterator[tuple[list[int], list[tuple[str, Span, Span]]]]:
    """The lines of each such heading, and for each column its words, where they begin, and what stands below."""
    layout, number = Layout(lines), 0
    while number + 2 < len(lines):
        heads = _head_lines(layout, number)
        found = [*_columns(layout, heads)] if len(heads) > 1 else []
        if len(found) >= _LEAST_COLUMNS:
            yield heads, found
        number = heads[-1] + 1 if found else number + 1


def _head_lines(layout: Layout, first: int) -> list[int]:
    """Lines of words right below each other, with several in each."""
    heads: list[int] = []
    for number in range(first, min(first + _MOST_LINES + 1, len(layout.lines))):
        line = layout.lines[number]
        if line.gridded or (heads and line.blank) or not _may_head(layout, number):
            break
        heads.append(number)
    return heads if len(heads) <= _MOST_LINES else []


def _may_head(layout: Layout, number: int) -> bool:
    line = layout.lines[number]
    return len(line.cells) > 1 and not _VALUE.search(layout.text, line.start, line.end)


def _columns(layout: Layout, heads: Sequence[int]) -> Iterator[tuple[str, Span, Span]]:
    """The columns over the only row below a heading, where each of its words stands under one of them."""
    below = heads[-1] + 1
    if below >= len(layout.lines) or len(layout.units(below)) < _LEAST_COLUMNS or _goes_on(layout, below):
        return
    columns = layout.stack(heads, 1)
    row = layout.row(below, strips_of(columns, [""] * len(columns)), None)
    if row.loose or row.torn or 2 * len(row.filled) <= len(columns) or not _is_stacked(columns):
        return
    for place in row.filled:
        yield " ".join(head_parts(layout.text, columns[place])), columns[place][0].span, row.cells[place].span


def _is_stacked(columns: Sequence[Sequence[Unit]]) -> bool:
    """Whether at least half of the columns have a part in several lines."""
    return 2 * sum(len(column) > 1 for column in columns) >= len(columns) >= _LEAST_COLUMNS


def _goes_on(layout: Layout, number: int) -> bool:
    """Whether another row follows, so that the columns hold many values."""
    after = number + 1
    if after >= len(layout.lines) or layout.lines[after].blank:
        return False
    return 2 * len(layout.units(after)) > len(layout.units(number))
