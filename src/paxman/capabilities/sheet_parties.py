"""Who issued a sheet, and to whom: the cell below a party's heading, and the company in the first cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import label_terms
from paxman.capabilities.label_scan import scan_of
from paxman.capabilities.page_lines import Chunk, page_lines
from paxman.capabilities.party_names import Name, found_name
from paxman.capabilities.party_sections import is_name
from paxman.capabilities.unlabelled import kind_of
from paxman.capabilities.values import Found
from paxman.contract.labels import compact_label
from paxman.finding.parties import line_shapes as shapes

Grid = Mapping[tuple[int, int], Chunk]
_TOP = 60
"""Rows at the top of a sheet among which the parties stand."""
_DEEP = 5


def find_party_in_sheet(context: CapabilityContext) -> list[Found]:
    """The only name that a heading announces; else, for the issuer, the company that the sheet begins with."""
    kind = kind_of(context.field)
    if kind not in ("issuer", "addressee"):
        return []
    grid = _grid(context)
    names = list(_announced(context, grid, "seller" if kind == "issuer" else "buyer"))
    if len({cell.text for cell in names}) == 1:
        return [found_name(context, Name(names[0].span, _is_company(names[0].text)))]
    first = _first_company(grid) if kind == "issuer" and not names else None
    if first is None or any(cell.text == first.text for cell in _announced(context, grid, "buyer")):
        return []
    return [found_name(context, Name(first.span, False))]


def _grid(context: CapabilityContext) -> Grid:
    """The filled cells at the top of a sheet, by row and column."""
    grid = {}
    for line in page_lines(context.document)[:_TOP]:
        start = line.start
        for column, text in enumerate(line.text.split("\t")):
            if kept := text.strip():
                lead = start + len(text) - len(text.lstrip())
                grid[line.number, column] = Chunk(lead, lead + len(kept), column, kept)
            start += len(text) + 1
    return grid


def _announced(context: CapabilityContext, grid: Grid, term: str) -> Iterator[Chunk]:
    """Names in the cells below headings of a party with nothing beside them."""
    ends = {hit.start: hit.end for hit in scan_of(context).by_term.get(term, ()) if hit.term == term}
    for (row, column), cell in grid.items():
        rest = cell.text[ends[cell.start] - cell.start :].strip() if cell.start in ends else None
        below = grid.get((row + 1, column))
        if rest not in ("", ":", "：") or below is None or (row, column + 1) in grid or not _is_name(below.text):
            continue
        if _heads_address(grid, row + 1, column) or (rest and _is_alone(grid, row + 1, column)):
            yield below


def _is_name(text: str) -> bool:
    return is_name(text) and not any(key in label_terms() for key in compact_label(text))


def _heads_address(grid: Grid, row: int, column: int) -> bool:
    """Whether an address, contact or registration stands in the cells right below one, before another company."""
    for lower in range(row + 1, row + 1 + _DEEP):
        cell = grid.get((lower, column))
        if cell is None or shapes.legal_end(cell.text):
            return False
        if shapes.is_street(cell.text) or shapes.is_contact(cell.text) or shapes.is_registration(cell.text):
            return True
    return False


def _is_alone(grid: Grid, row: int, column: int) -> bool:
    """Whether nothing stands beside or below a cell."""
    return (row, column + 1) not in grid and (row + 1, column) not in grid


def _first_company(grid: Grid) -> Chunk | None:
    """The first filled cell, if it is a company over its address or tax number."""
    for (row, column), cell in grid.items():
        return cell if _is_company(cell.text) and _heads_address(grid, row, column) else None
    return None


def _is_company(text: str) -> bool:
    end = shapes.legal_end(text)
    return end > 0 and not text[end:].strip(" .") and ":" not in text
