"""What a row of a table holds in each column: a number, or the lines of a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from paxman.capabilities.table_lines import Layout, Row, is_amount, stands_for_number
from paxman.types import Span

ATTRIBUTE = re.compile(r"[^\W\d_][^:]{0,30}:(?:\s|\Z)|\d{8,14}\Z")
"""A property of its own below a description: "Colour: red", or an article number."""
_LEADER = re.compile(r"[ \u2026\u00b7_]*(?:\.{3}|\u2026|\u00b7{3}|_{3}|(?:\. ){2}\.)[ .\u2026\u00b7_]*\Z")
"""What leads from a text to its number."""
_WIDE = 1_000_000
_NEAR = 3
"""Lines below its first in which the numbers of a row may stand."""


def number_span(layout: Layout, row: Row, place: int) -> Span | None:
    """The number of a column: on the row's first line, or on one of the next where a cell is set lower.

    Failing that, what stands in its place on the first line.
    """
    column = layout.places[place]
    for index, cells in row.lines:
        if index > row.first + _NEAR:
            break
        for cell in cells:
            if cell.column == column and is_amount(layout, cell):
                return cell.start, cell.end
    faults = (cell for cell in row.lines[0][1] if cell.column == column)
    return next(((cell.start, cell.end) for cell in faults if stands_for_number(layout, cell)), None)


def text_spans(layout: Layout, row: Row, place: int) -> list[Span]:
    """The lines of a text column: those that follow each other without a gap, up to an attribute of its own."""
    column = layout.header.columns[layout.places[place]]
    lines = [*_text_lines(layout, row, layout.places[place])]
    lines = [line for line in lines if line[0] >= row.first + column.below] if column.below else lines
    if layout.role_of(layout.places[place]) == "article":
        lines = [*_of_code(layout, row, lines)]
    spans: list[Span] = []
    previous: int | None = None
    for index, start, end in lines:
        if previous is None and index > row.first + _NEAR + 5 * column.below:
            break
        around = previous is not None and previous < row.first and index == row.first + 1
        if previous is not None and not around:
            is_apart = index > row.first and index not in (previous + 1, row.over)
            if is_apart or ATTRIBUTE.match(layout.page.text, start, end):
                break
        spans.append((start, end))
        previous = index
    return spans


def _of_code(layout: Layout, row: Row, lines: Sequence[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """The lines of a code: below a whole one, words are none of it."""
    text = layout.page.text
    own = next((text[start:end] for index, start, end in lines if index == row.first), "")
    for index, start, end in lines:
        if index <= row.first or not is_below_code(own, text[start:end]):
            yield index, start, end


def is_below_code(code: str, text: str) -> bool:
    """Whether only words stand below a whole code, as no code goes on."""
    is_whole = " " not in code and any(map(str.isdigit, code)) and code[-1] not in "-–/"
    return is_whole and not any(map(str.isdigit, text))


def reach_of(layout: Layout, row: Row, column: int) -> int:
    """How far right the text of a column may go: up to the next heading, or the next cell in the row's own line.

    Without gaps there are no columns, and it may go as far as that line.
    """
    if layout.header.ordinal:
        return _WIDE
    start = layout.page.line(row.first).start
    if layout.is_crammed:
        return layout.page.column(start, row.lines[0][1][-1].end)
    own = [cell for cell in row.lines[0][1] if cell.column >= column]
    following = layout.header.columns[column + 1 : column + 2]
    ends = [layout.page.column(start, cell.end if cell.column == column else cell.start) for cell in own[:2]]
    return max([*(heading.left for heading in following), *ends]) if following else _WIDE


def _text_lines(layout: Layout, row: Row, column: int) -> Iterator[tuple[int, int, int]]:
    """Each line's stretch in a column, those above the row's own first."""
    edge, reach = None, reach_of(layout, row, column)
    for index, cells in (*row.above, *row.lines):
        start = layout.page.line(index).start
        at = None if index == row.first else edge
        inside = [cell for cell in cells if cell.column == column or cell.start - start == at]
        if inside and index != row.first and layout.page.column(start, inside[0].end) > reach:
            # Text that is wrapped keeps to its column; a line across the page is something else.
            if index > row.first:
                return
        elif inside:
            edge = inside[0].start - start if edge is None else edge
            end = inside[-1].end
            leader = _LEADER.search(layout.page.text, inside[-1].start, end)
            yield index, inside[0].start, leader.start() if leader and leader.start() > inside[0].start else end
