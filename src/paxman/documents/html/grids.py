"""Tables of HTML: cells that span columns or rows, which are headings, and rows made of blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, islice
from typing import NamedTuple

import attrs

from paxman.documents.delimited.tables import make_table, with_wide_headings
from paxman.documents.document import Cell, Table
from paxman.documents.markup import Elements
from paxman.documents.source_map import Pieces
from paxman.types import RAISED, Span

GridCell = tuple[Span, bool]
"""The place of a cell in the text, and whether it is a heading."""
_MAX_SPANNED = 100_000
"""Cells that are repeated in the columns and rows they span, in all no more than a large sheet."""


# As wide as browsers allow, and as high as a page of rows.
_MAX_ACROSS = 1_000
_MAX_DOWN = 10_000


@attrs.define(eq=False)
class Grid:
    """A table while it is read: for each row the cells with their place in the text, and whether they are headings."""

    rows: list[list[GridCell]] = attrs.field(factory=list)
    row_start: int = 0
    reaches: dict[tuple[int, int], tuple[int, int]] = attrs.field(factory=dict)
    """Columns and rows that a cell spans, by row and number of the cell, where it is more than one."""


def reach_of(colspan: str, rowspan: str) -> tuple[int, int]:
    """Columns and rows that a cell spans, as its attributes say."""
    return _count(colspan, _MAX_ACROSS), _count(rowspan, _MAX_DOWN)


def _count(written: str, most: int) -> int:
    counted = int(written) if written.isascii() and written.isdigit() and len(written) < 8 else 1
    return min(max(counted, 1), most)


def spread_grids(grids: list[Grid]) -> tuple[list[list[list[GridCell]]], int]:
    """The rows of each grid, and how many are too wide to be spread."""
    room = _MAX_SPANNED // max(sum(1 for grid in grids if grid.reaches), 1)
    spread = [_spread(grid, room) for grid in grids]
    return [rows for rows, _ in spread], sum(left for _, left in spread)


def _spread(grid: Grid, room: int) -> tuple[list[list[GridCell]], int]:
    """The rows that hold anything, with a cell that spans rows, or as a heading columns, repeated in each of them.

    Also how many rows were left as they are written, for want of room.
    """
    if not grid.reaches:
        return [row for row in grid.rows if row], 0
    rows: list[list[GridCell]] = []
    left = 0
    hanging: dict[int, tuple[GridCell, int]] = {}
    for number, row in enumerate(grid.rows):
        reaches = [grid.reaches.get((number, index), (1, 1)) for index in range(len(row))]
        # A title that fills its row alone is no row of equal cells.
        alone = len(row) == 1 and not hanging and reaches[0][1] == 1
        wanted = 0 if alone else sum(across for across, _ in reaches) - len(row) + len(hanging)
        left += wanted > max(room, 0)
        spread = row if alone or wanted > room else _spread_row(row, reaches, hanging)
        room -= wanted
        if spread:
            rows.append(spread)
    return rows, left


def _spread_row(
    row: list[GridCell],
    reaches: list[tuple[int, int]],
    hanging: dict[int, tuple[GridCell, int]],
) -> list[GridCell]:
    """One row with what hangs into it from above; `hanging` becomes what hangs into the next."""
    spread: list[GridCell] = []
    for cell, (across, down) in zip(row, reaches, strict=True):
        _take_hanging(spread, hanging)
        span, is_heading = cell
        # A heading is that of each column it spans; a value stands in one.
        others = cell if is_heading else ((span[1], span[1]), False)
        for place in (cell, *[others] * (across - 1)):
            if down > 1:
                hanging[len(spread)] = (place, down)
            spread.append(place)
    _take_hanging(spread, hanging)
    left = {column: (cell, down - 1) for column, (cell, down) in hanging.items() if down > 1}
    hanging.clear()
    hanging.update(left)
    return spread


def _take_hanging(spread: list[GridCell], hanging: dict[int, tuple[GridCell, int]]) -> None:
    while len(spread) in hanging:
        spread.append(hanging[len(spread)][0])


def grid_table(grid: list[list[tuple[Cell, bool]]], text: str, spread: bool) -> Table:
    """Heading cells make the header; without them it is found as in any sheet."""
    rows = [tuple(cell for cell, _ in row) for row in grid]
    headings = next((index for index, row in enumerate(grid) if not all(head for _, head in row)), len(grid))
    if len(grid[0]) > 1 and headings:
        # Below headings that span columns stand those of each column.
        first = headings if spread and headings < len(grid) else 1
        return Table(rows[first - 1], tuple(rows[first:]), headed=True)
    if all([head for _, head in row] == [True, False] for row in grid):
        return Table((), tuple(rows))  # a heading in each row: the table has no header
    table = make_table(rows, text)
    return with_wide_headings(table, rows) if spread else table


_FEWEST_CELLS = 3
_MOST_LINES = 20_000
_INLINE = frozenset("a b i u s em strong small span font code mark sub sup label".split())
_LINE = re.compile(r"[^\n]+")
_FIGURE = re.compile(r"[^\d\n]{0,4}\d[\d.,' %\xa0]*[^\d\n]{0,4}")


class _Line(NamedTuple):
    """A line of a page, the block that holds it, and the block around that."""

    span: Span
    block: int
    row: int


def block_tables(text: str, pieces: Pieces, elements: Elements) -> Iterator[Table]:
    """Rows of blocks with numbers in one column at least, which the row of words above them heads."""
    lines = _lines(text, pieces, elements)
    rows = [list(row) for _, row in groupby(lines, key=lambda line: line.row)]
    for _, group in groupby(rows, key=lambda row: elements.parents[row[0].row]):
        head, *below = group
        if len(head) >= _FEWEST_CELLS and below and _are_rows(text, head, below):
            cells = [tuple(folded_cell(text, line.span) for line in row) for row in (head, *below)]
            yield Table(cells[0], tuple(cells[1:]), headed=True)


def _lines(text: str, pieces: Pieces, elements: Elements) -> Iterator[_Line]:
    for match in islice(_LINE.finditer(text), _MOST_LINES):
        block = pieces.owners[pieces.index(match.start())]
        while block >= 0 and elements.names[block] in _INLINE:
            block = elements.parents[block]
        row = elements.parents[block] if block >= 0 else -1
        if row >= 0 and elements.names[block] not in ("td", "th"):
            yield _Line(match.span(), block, row)


def _are_rows(text: str, head: list[_Line], rows: list[list[_Line]]) -> bool:
    """Whether all rows have as many blocks, each a line, the first row has no digits, and one column numbers only."""
    if any(len({line.block for line in row}) < len(row) or len(row) != len(head) for row in (head, *rows)):
        return False
    if any(character.isdigit() for line in head for character in text[slice(*line.span)]):
        return False
    return any(all(_FIGURE.fullmatch(text, *line.span) for line in column) for column in zip(*rows, strict=True))


def trim(text: str, span: Span) -> Span:
    """A span without the white space at its ends."""
    start, end = span
    piece = text[start:end]
    return (end - len(piece.lstrip()), start + len(piece.rstrip())) if not piece.isspace() else (start, start)


def folded_cell(text: str, span: Span) -> Cell:
    """What a cell of a table holds, on one line."""
    start, end = trim(text, span)
    quote = text[start:end]
    folded = quote if RAISED in quote else " ".join(quote.split())
    return Cell(folded, (start, end), () if folded == quote else ("fold",))
