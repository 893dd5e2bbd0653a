"""Rows of too many cells, because one column holds the delimiter without quotes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import takewhile

import attrs

from paxman.documents.delimited.records import DelimitedDialect
from paxman.documents.delimited.tables import is_data
from paxman.types import Span

Cells = list[Span]
_LEAST_ROWS = 2
_FITTING = 0.9
_LONGEST_DATA = 40
_SPACED = {"spaced text", "spaced number", "spaced measure"}
"""Cells behind a space, which follows the commas of a text."""


@attrs.define
class FreeColumn:
    """The column that takes what rows have too much."""

    columns: Columns
    column: int
    joined: int = 0
    """How many rows had too much."""

    def join(self, records: Iterable[Cells]) -> Iterator[Cells]:
        """Records with the surplus in one cell where all other cells then fit, else as they are."""
        for cells, takers in self.columns.takers_in(records):
            yield self._joined(cells) if self.column in takers else cells

    def _joined(self, cells: Cells) -> Cells:
        self.joined += 1
        first, last = self.column, self.column + len(cells) - len(self.columns.kinds)
        return [*cells[:first], (cells[first][0], cells[last][1]), *cells[last + 1 :]]


@attrs.frozen
class Columns:
    """What the cells of each column are, in rows with one cell for each."""

    text: str
    dialect: DelimitedDialect
    kinds: list[set[str]]

    def fits(self, cells: Cells) -> bool:
        """Whether all cells of a row are of a kind with their columns; headings are not."""
        return _fitting(map(self._kind, cells), self.kinds) == len(self.kinds)

    def takers_in(self, records: Iterable[Cells]) -> Iterator[tuple[Cells, list[int]]]:
        """Records, each with the columns that could take its surplus."""
        inside = False
        for cells in records:
            surplus = len(cells) - len(self.kinds)
            # Below a row that does not fit, there may be another table.
            takers = self._takers(cells, surplus) if inside and surplus > 0 else []
            inside = bool(takers) or not surplus
            yield cells, takers

    def _takers(self, cells: Cells, surplus: int) -> list[int]:
        width, found = len(self.kinds), list(map(self._kind, cells))
        left = _fitting(found, self.kinds)
        right = width - _fitting(reversed(found), reversed(self.kinds))
        if self._has_extra(found, left, right):
            return []
        quoted = [place for place, kind in enumerate(found) if kind == "quoted"]
        return [
            column
            for column in range(max(right - 1, 0), min(left, width - 1) + 1)
            if bisect_left(quoted, column) == bisect_right(quoted, column + surplus)
            and found[column]
            and found[column + surplus]
            and self._kind((cells[column][0], cells[column + surplus][1])) in self.kinds[column]
        ]

    def _has_extra(self, found: list[str], left: int, right: int) -> bool:
        """Whether a row fits without an empty cell, or without those behind its last column."""
        width = len(self.kinds)
        if len(found) == width + 1 and "" in found[right : left + 1]:
            return True
        behind = set(found[width:])
        worded = self.dialect.delimiter == " " or behind <= _SPACED - self.kinds[-1]
        return left == width and (behind == {""} or not worded)

    def _kind(self, cell: Span) -> str:
        return _kind(self.text, cell, self.dialect.quote)


def _fitting(found: Iterable[str], kinds: Iterable[set[str]]) -> int:
    """How many cells in turn are of a kind with their columns."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] in pair[1], zip(found, kinds, strict=False)))


def _kind(text: str, cell: Span, quote: str) -> str:
    start, end = cell
    shown = text[start : min(end, start + _LONGEST_DATA)]
    bare = shown.lstrip()
    if not bare or bare[0] == quote:
        return bare and "quoted"
    kind = "text"
    if end - start <= _LONGEST_DATA and is_data(bare):
        kind = "measure" if any(map(str.isalpha, bare)) else "number"
    return kind if shown[0] == bare[0] else f"spaced {kind}"


def find_free_column(text: str, dialect: DelimitedDialect, width: int, records: list[Cells]) -> FreeColumn | None:
    """The one column that can take the surplus of all rows, if nearly all are as wide as the table then."""
    even = [cells for cells in records if len(cells) == width][1:]
    if width < (3 if dialect.delimiter == " " else 2) or len(even) < _LEAST_ROWS or max(map(len, records)) == width:
        return None
    kinds = [{_kind(text, cell, dialect.quote) for cell in column} for column in zip(*even, strict=True)]
    columns = Columns(text, dialect, kinds)
    common = set(range(width)).intersection(*(takers for _, takers in columns.takers_in(records) if takers))
    if len(common) != 1:
        return None
    column = common.pop()
    filled = [len(cells) for cells in FreeColumn(columns, column).join(records) if cells[-1][1] > cells[0][0]]
    return FreeColumn(columns, column) if filled.count(width) >= len(filled) * _FITTING else None
