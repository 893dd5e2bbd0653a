"""Tables that a page builds of blocks: rows of as many blocks below headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, islice
from typing import NamedTuple

from paxman.documents.document import Table
from paxman.documents.html.pairs import folded_cell
from paxman.documents.markup import Elements
from paxman.documents.source_map import Pieces
from paxman.types import Span

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
