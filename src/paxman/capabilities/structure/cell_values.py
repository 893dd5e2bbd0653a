"""The values that a scalar field has in sheets and delimited files: those of the column that bears its name."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.values import Found, conventions, read_at
from paxman.contract.labels import fold_name
from paxman.contract.model import CanonicalField
from paxman.currencies import MINOR_UNITS
from paxman.documents.delimited.tables import has_more_cells
from paxman.documents.document import Cell, Document, MailPart, SheetCell, Source, Table
from paxman.finding.choices import ANSWERS, beside_box
from paxman.finding.claims import Claims
from paxman.finding.scalars import claims_of
from paxman.lexicon.own_files import lexicon_of
from paxman.recognizers.base import Conventions
from paxman.types import FieldType

_TABULAR = frozenset({"csv", "spreadsheet"})
_SAMPLE = 50
_FORM_WIDTHS = (2, 4)
_SURE = 0.9

Row = tuple[Cell, ...]


def cell_values(context: CapabilityContext) -> list[list[Found]]:
    """The readings of each cell below a heading that names a scalar field."""
    if context.document.kind not in _TABULAR:
        return []
    claims = claims_of(context.contract, lexicon_of(context.policy.lexicon))
    found = []
    for table in context.document.tables:
        if is_form(claims, table):
            continue
        for cell, torn, how in _cells_below(context, claims, table):
            found.append(_read_cell(attrs.evolve(context, basis="place") if torn else context, cell, how))
    return [readings for readings in found if readings]


def is_form(claims: Claims, table: Table) -> bool:
    """Whether every row is a label and its value: what stands first names something, and what follows does not."""
    rows = [[cell for cell in row if cell.text.strip()] for row in (table.header, *table.rows[:_SAMPLE])]
    rows = [row for row in rows if row]
    if table.headed or not rows or max(map(len, rows)) not in _FORM_WIDTHS:
        return False
    labels = sum(claims.is_label(row[0].text) for row in rows)
    values = sum(claims.is_label(row[1].text) for row in rows if len(row) > 1)
    first = rows[0]
    if len(first) > 1 and claims.is_label(first[1].text):
        return False
    return labels > values and (labels > 1 or len(rows) == 1 or claims.is_label(first[0].text) is False)


def _cells_below(context: CapabilityContext, claims: Claims, table: Table) -> Iterator[tuple[Cell, bool, Conventions]]:
    """Each filled cell of the field's columns, whether its row goes on beyond the headings, and how it is written."""
    how = conventions(context)
    places = _columns(context, claims, table)
    for row in table.rows if places else ():
        torn = _is_torn(context.document, table.header, row)
        for place in places:
            if place < len(row) and row[place].text.strip():
                yield row[place], torn, _row_conventions(context.field, row, how)


def _columns(context: CapabilityContext, claims: Claims, table: Table) -> list[int]:
    """The columns whose heading is a name of the field; over one row, the only one whose heading surely means it."""
    headings = [fold_name(cell.text) for cell in table.header]
    for key in context.field.name_keys:
        if key in headings:
            return [place for place, heading in enumerate(headings) if heading == key]
    own = next((at for at, wanted in enumerate(claims.wanted) if wanted.field.path == context.field.path), None)
    if own is None:
        return []
    fits = [claims.of(cell.text.strip()) for cell in table.header]
    sure = [place for place, fit in enumerate(fits) if own in fit and fit[own].fit >= _SURE]
    told = [place for place in sure if fits[place][own].asked.source == "description" or len(table.rows) == 1]
    return told if len(told) == 1 else []


def _row_conventions(field: CanonicalField, cells: Row, how: Conventions) -> Conventions:
    """A currency column speaks for the amounts of its row."""
    codes = [cell.text.strip() for cell in cells if cell.text.strip() in MINOR_UNITS]
    if field.type is not FieldType.MONEY or len(codes) != 1:
        return how
    return attrs.evolve(how, currency=codes[0], states_currency=True)


def _is_torn(document: Document, header: Row, cells: Row) -> bool:
    """Whether a row of delimited text goes on beyond the headings; elsewhere no cell can be part of another."""
    if not cells or len(header) < 2 or not has_more_cells(cells, header):
        return False
    source: Source | None = document.locate(cells[0].span)
    while isinstance(source, MailPart):
        source = source.inner
    return isinstance(source, SheetCell)


def _read_cell(context: CapabilityContext, cell: Cell, how: Conventions) -> list[Found]:
    field, text, span = context.field, cell.text, cell.span
    if not cell.transforms and field.type not in ANSWERS and (words := beside_box(text)):
        text, span = text[slice(*words)], (span[0] + words[0], span[0] + words[1])
    return read_at(context, field, text, span, how, cell.transforms, path=field.path)
