"""Lists within one value of structured data, such as a key or a cell that should be an array of strings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.list_extent import of_lines
from paxman.capabilities.list_items import cut_value, separators
from paxman.capabilities.lists import is_named, items_of
from paxman.capabilities.row_sets import RowSet
from paxman.capabilities.table_kinds import is_of_pairs, names_field
from paxman.contract.model import CanonicalField
from paxman.documents.document import Cell, Node, Table
from paxman.finding.blanks import names_no_item
from paxman.lazy import lazy_pattern
from paxman.types import FieldType, Span

_SAMPLE = 50
_ALONE = frozenset({"address", "postal_address"})
"""Tags of values that have commas in them."""


def holds_texts(field: CanonicalField) -> bool:
    """Whether an array is one of plain texts, which may stand in one value with commas between them."""
    item = field.items
    if item is None:
        return True
    plain = item.type is FieldType.STRING and not item.children and not item.constraint("pattern")
    return plain and _ALONE.isdisjoint((*item.semantic_tags, *field.semantic_tags))


def cut_rows(context: CapabilityContext, rows: RowSet) -> tuple[RowSet, str]:
    """The only text that bears the name of an array, cut into its items, and what is not sure about that."""
    if rows.array is not None or len(rows.nodes) != 1 or not holds_texts(context.field):
        return rows, ""
    node = rows.nodes[0]
    if node.kind != "scalar" or node.scalar != "string" or node.text is None:
        return rows, ""
    spans, doubt = _cut(context, node.text)
    whole = spans == [(0, len(node.text))]
    return (rows, doubt) if whole else (RowSet([_part_of(node, span) for span in spans]), doubt)


def _cut(context: CapabilityContext, text: str) -> tuple[list[Span], str]:
    if not text.strip() or names_no_item(text):
        return [], ""
    if "\n" in text.strip():
        return _cut_lines(context, text)
    if not separators(text, 0, len(text)):
        return [(0, len(text))], ""
    cut = cut_value(text, 0, len(text), named=is_named(context.field))
    return list(cut.spans), cut.doubt


def _cut_lines(context: CapabilityContext, text: str) -> tuple[list[Span], str]:
    """The items of a text in several lines."""
    found = items_of(text, of_lines(text, 0, len(text)), context.field)
    return [(item[0][0], item[-1][1]) for item in found.items], found.doubt


def _part_of(node: Node, span: Span) -> Node:
    step = f"slice:{span[0]}-{span[1]}"
    text = (node.text or "")[slice(*span)]
    return attrs.evolve(node, text=text, transforms=(*node.transforms, step), source=node.source)


def lists_in_rows(context: CapabilityContext, cells: Sequence[str]) -> str:
    """What is not sure where each of several rows has commas, unless they are names."""
    listed = len(cells) > 1 and all(separators(cell, 0, len(cell)) for cell in cells[:_SAMPLE])
    return "each row may be an item or have a list of them" if listed and not is_named(context.field) else ""


def cut_row(context: CapabilityContext, row: Sequence[Cell], position: int) -> tuple[list[tuple[Cell, ...]], str]:
    """The only row below a heading, once for every item of its cell in this column."""
    cell = row[position]
    spans, doubt = _cut(context, cell.text)
    rows = ((*row[:position], _piece(cell, span), *row[position + 1 :]) for span in spans)
    return list(rows) if len(spans) > 1 else [tuple(row)], doubt


def _piece(cell: Cell, span: Span) -> Cell:
    return Cell(cell.text[slice(*span)], cell.span, (*cell.transforms, f"slice:{span[0]}-{span[1]}"))


def stand_beside(context: CapabilityContext, table: Table, position: int) -> bool | None:
    """Whether the items stand in the row of the heading that names them, not below it; None if nobody can say."""
    filled = [cell for cell in table.header if cell.text.strip()]
    if position or table.headed or len(filled) < 2:
        return False
    first = [row[0].text for row in table.rows[:_SAMPLE] if row]
    has_labels = len(first) == 1 or names_field(context.contract, first)
    if len(filled) > 2:
        is_wider = max(_widths(table), default=0) < _FEW_CELLS
        return is_wider and (has_labels or len(filled) > _FEW_CELLS or None)
    if context.document.kind == "csv":
        return False
    of_pairs = is_of_pairs(context.contract, table)
    if of_pairs or has_labels or separators(filled[1].text, 0, len(filled[1].text)):
        return True
    return False if _heads_figures(filled[1], table) else of_pairs


_FEW_CELLS = 3
_FIGURE = lazy_pattern(r"[\d@]")


def _heads_figures(heading: Cell, table: Table) -> bool:
    """Whether words stand over a column of numbers, dates or addresses of mail."""
    at = table.header.index(heading)
    below = [row[at].text for row in table.rows[:_SAMPLE] if at < len(row) and row[at].text.strip()]
    return bool(below) and not _FIGURE.search(heading.text) and all(map(_FIGURE.search, below)) and len(below) > 1


def _widths(table: Table) -> Iterator[int]:
    """How many cells of each row have something in them."""
    return (sum(1 for cell in row if cell.text.strip()) for row in table.rows)
