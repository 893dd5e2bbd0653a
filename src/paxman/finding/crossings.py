"""Values where a row and a column meet that only together name a field: "Tax" below "Year to date"."""

from __future__ import annotations

from collections.abc import Iterator

from paxman.finding.claims import Claim, Claims
from paxman.finding.ties import Find
from paxman.finding.wanted import is_head
from paxman.lazy import lazy_pattern
from paxman.page.lines import PageLine
from paxman.page.names import Name, Page
from paxman.page.places import Place
from paxman.types import FieldType, Span

_LEAST_FIT = 0.8
_MOST_LINES, _MOST_COLUMNS = 400, 16
_DIGIT = lazy_pattern(r"\d")


def crossing_finds(page: Page, claims: Claims) -> Iterator[Find]:
    """Cells for fields that the names of their row and column fit together, and neither alone as well."""
    for line, head in _headed(page):
        row = _said(page, line.cells[0])
        known = bool(claims.of(row)) or all(map(is_head, claims.lexicon.parse(row)))
        for cell in line.cells[1:_MOST_COLUMNS]:
            over = page.overlapping(line, cell, head)
            if over is None or not _DIGIT.search(page.text, *cell):
                continue
            column = _said(page, over)
            for field, claim in _together(claims, row, column) if known or claims.of(column) else ():
                if claims.wanted[field].field.type not in (FieldType.ARRAY, FieldType.OBJECT):
                    place = Place("next", cell, cell)
                    yield Find(field, claim, place, name=Name(claim.asked.text, line.cells[0], line.number, (place,)))


def _headed(page: Page) -> Iterator[tuple[PageLine, PageLine]]:
    """Lines of a name and figures, each with the line of heads over it."""
    head = None
    for line in page.lines.head(_MOST_LINES):
        has_digit = _DIGIT.search(page.text, line.start, line.end) is not None
        if len(line.cells) > 1 and not has_digit:
            head = line
        elif len(line.cells) < 2:
            head = head if line.gridded else None
        elif head is not None and head.gridded == line.gridded and not _DIGIT.search(page.text, *line.cells[0]):
            yield line, head


def _together(claims: Claims, row: str, column: str) -> Iterator[tuple[int, Claim]]:
    alone = (claims.of(row), claims.of(column))
    for field, claim in claims.of(f"{row} {column}").items():
        others = (found[field].fit for found in alone if field in found)
        if claim.fit >= _LEAST_FIT and claim.fit > max(others, default=0.0):
            yield field, claim


def _said(page: Page, span: Span) -> str:
    return " ".join(page.text[slice(*span)].split()).rstrip(" :.*")
