"""Tables that a page builds of blocks: rows of as many blocks below headings, and records below titles of their own."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple

from paxman.documents.document import Table
from paxman.documents.html.grids import GridCell
from paxman.documents.html.pairs import folded_cell, trim
from paxman.documents.markup import Elements
from paxman.documents.source_map import Pieces
from paxman.types import Span

_FEWEST_CELLS = 3
_FEWEST_RECORDS = 2
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


def titled_table(text: str, grid: Sequence[Sequence[GridCell]], strong: Sequence[Span]) -> Table | None:
    """Records that each stand below a bold title, such as the parties of a case, with the title as their first cell.

    A title comes first, behind an empty row or anew; the row below it is a record and starts in bold print as well.
    """
    filled = [[cell for cell, _ in row if text[slice(*cell)].strip()] for row in grid]
    rows: list[list[Span]] = []
    title: Span | None = None
    known: set[str] = set()
    may_begin, records = True, 0
    for row in filled:
        name = " ".join(text[slice(*row[0])].split()) if row else ""
        if len(row) == 1 and (may_begin or name in known) and _is_strong(text, row[0], strong, whole=True):
            title, may_begin = row[0], False
            known.add(name)
        elif title and row and not _is_strong(text, row[0], strong, whole=False):
            rows, title, may_begin = [*rows, row], None, True
        elif row:
            records += title is not None
            rows.append([title, *row] if title else row)
        else:
            title, may_begin = None, True
    if records < _FEWEST_RECORDS or records * 2 < len(rows):
        return None
    return Table((), tuple(tuple(folded_cell(text, span) for span in row) for row in rows))


def _is_strong(text: str, span: Span, strong: Sequence[Span], *, whole: bool) -> bool:
    """Whether a cell is, or starts in, bold print."""
    start, end = trim(text, span)
    at = bisect_right(strong, start, key=lambda run: run[0]) - 1
    return at >= 0 and (strong[at][1] >= end if whole else strong[at][1] > start)
