"""The values that a scalar field has in tables: in its column, or in the cell beside its label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import NO_SUMS, label_terms, term_of
from paxman.capabilities.table_kinds import explicit_tables, is_of_pairs
from paxman.capabilities.values import Found, conventions, read_at
from paxman.contract.labels import compact_label, fold_name
from paxman.contract.model import CanonicalField
from paxman.currencies import MINOR_UNITS
from paxman.documents.delimited.tables import has_more_cells
from paxman.documents.document import Cell, Document, MailPart, SheetCell, Source, Table
from paxman.finding.choices import ANSWERS, beside_box
from paxman.finding.columns import columns_of
from paxman.lexicon.own_files import lexicon_of
from paxman.recognizers.base import Conventions
from paxman.types import FieldType

_MOST_SUMS = 6
_DATA = ("csv", "spreadsheet")

Row = tuple[Cell, ...]


def cell_values(context: CapabilityContext) -> list[list[Found]]:
    """The readings of each place that a scalar field has in tables: in its column, or beside its label."""
    how = conventions(context)
    read = (
        [found for cell in cells for found in _read_cell(context, context.field, cell, row_how, context.field.path)]
        for table in explicit_tables(context.document)
        for cells, row_how in _cells_of(context, table, how)
    )
    return _doubt_torn(context.document, [found for found in read if found])


def _doubt_torn(document: Document, places: list[list[Found]]) -> list[list[Found]]:
    """The readings, those of rows with more cells than headings known by no more than their place."""
    torn = {
        cell.span
        for table in (explicit_tables(document) if places else ())
        for cells in table.rows
        if _is_torn(document, table.header, cells)
        for cell in cells
    }
    if not torn:
        return places
    return [[_by_place(found) if found.ref.span in torn else found for found in place] for place in places]


def _by_place(found: Found) -> Found:
    return attrs.evolve(found, ref=attrs.evolve(found.ref, basis="place"))


def _cells_of(
    context: CapabilityContext, table: Table, how: Conventions
) -> Iterator[tuple[Sequence[Cell], Conventions]]:
    """Each place with the cell that is meant, or two where nobody can say whether it is below its label or beside."""
    field = context.field
    of_pairs = is_of_pairs(context.contract, table)
    columns = (
        ()
        if of_pairs or _is_of_rows(context, table)
        else tuple(_bind_columns(field, table.header)) or _bind_meaning(field, table)
    )
    beside = list(_beside_label(field, table))
    if not columns and not beside:
        beside = list(_beside_meaning(context, table))
    if not columns:
        yield from (((cell,), how) for cell in beside)
        return
    beside = [] if of_pairs is False else beside
    positions = [twin for _, position in columns for twin in (position, *_twins(_texts_of(table.header), position))]
    for cells in table.rows:
        for position in positions:
            if position < len(cells) and cells[position].text.strip():
                yield _fitting(field, (cells[position], *beside)), _row_conventions(field, cells, how)


def _is_of_rows(context: CapabilityContext, table: Table) -> bool:
    """Whether a table of a page is for an array of the contract, whose rows answer no single field."""
    arrays = [field for field in context.contract.leaves if field.columns]
    if context.document.kind in _DATA or not arrays:
        return False
    heads = [cell.text for cell in table.header]
    lexicon = lexicon_of(context.policy.lexicon)
    bound = (columns_of(context.contract, field, lexicon).bind(heads).places for field in arrays)
    return len(table.rows) > 1 or any(len(places) == len(heads) > 1 for places in bound)


def _bind_meaning(field: CanonicalField, table: Table) -> tuple[tuple[CanonicalField, int], ...]:
    """Over one row, the only heading that means what the field asks for.

    A text may be anything, what stands beside a label too, if that is not a heading as well.
    """
    term = term_of(field) if len(table.rows) == 1 else None
    if term is None:
        return ()
    keys = (compact_label(cell.text) for cell in table.header)
    meanings = [{each for key in heading for each in label_terms().get(key, ())[:1]} for heading in keys]
    places = [place for place, meaning in enumerate(meanings) if term in meaning]
    if len(places) != 1:
        return ()
    beside = (meanings[places[0] + 1 :] or meanings[-2:])[0]
    return ((field, places[0]),) if field.type is not FieldType.STRING or table.headed or beside else ()


def _fitting(field: CanonicalField, cells: Sequence[Cell]) -> Sequence[Cell]:
    """The cells that are what the noun of the field's name says, if any are."""
    if len(cells) < 2:
        return cells
    from paxman.capabilities.name_stems import fits_noun

    return [cell for cell in cells if fits_noun(field, cell.text.strip())] or cells


def _beside_label(field: CanonicalField, table: Table) -> Iterator[Cell]:
    keys = set(field.name_keys)
    for cells in (table.header, *table.rows):
        for place, (label, value) in enumerate(pairwise(cells), 1):
            if fold_name(label.text) in keys:
                yield from _figures(field, table, cells, place) or ((value,) if value.text.strip() else ())


def _beside_meaning(context: CapabilityContext, table: Table) -> Iterator[Cell]:
    """The figures of rows below a table whose label means the sum that the field asks for."""
    field = context.field
    term = term_of(field)
    for cells in table.rows[-_MOST_SUMS:] if term else ():
        means = any(label_terms().get(key, ("",))[0] == term for key in compact_label(cells[0].text))
        if means and not _is_of_page_before(context.document, table, cells):
            yield from _figures(field, table, cells, 1)


def _is_of_page_before(document: Document, table: Table, cells: Row) -> bool:
    """Whether the first row of a table of items brings in the sum of one above with the same headings."""
    if cells is not table.rows[0] or not any(_counts((cell.text,)) for cell in table.header):
        return False
    from paxman.capabilities.page_carries import is_brought

    return is_brought(cells[0].text) and _first_tables(document)[tuple(_texts_of(table.header))] is not table


def _first_tables(document: Document) -> dict[tuple[str, ...], Table]:
    """The first table with each row of headings."""
    if "first_tables" not in document.cache:
        tables = reversed(explicit_tables(document))
        document.cache["first_tables"] = {tuple(_texts_of(table.header)): table for table in tables}
    found: dict[tuple[str, ...], Table] = document.cache["first_tables"]
    return found


def _figures(field: CanonicalField, table: Table, cells: Sequence[Cell], place: int) -> Sequence[Cell]:
    """Of several figures behind the label of a sum, the last; counts and rates are none. Of other fields, all."""
    if field.type not in (FieldType.MONEY, FieldType.DECIMAL, FieldType.INTEGER):
        return ()
    filled = (each for each in range(place, len(cells)) if cells[each].text.strip())
    behind = list(takewhile(lambda each: any(map(str.isdigit, cells[each].text)), filled))
    if len(behind) < 2:
        return [cells[each] for each in behind]
    headings = [cell.text for cell in table.header] if cells is not table.header else []
    sums = [each for each in behind if "%" not in cells[each].text and not _counts(headings[each : each + 1])]
    is_sum = field.type is FieldType.MONEY or term_of(field) not in NO_SUMS
    return [cells[each] for each in (sums[-1:] if is_sum else behind)]


def _counts(heading: Sequence[str]) -> bool:
    keys = (key for text in heading for key in compact_label(text))
    return any(label_terms().get(key, ("",))[0] in ("count", "unit_price", "tax_rate") for key in keys)


def _row_conventions(field: CanonicalField, cells: Row, how: Conventions) -> Conventions:
    """A currency column speaks for the amounts of its row."""
    codes = [cell.text.strip() for cell in cells if cell.text.strip() in MINOR_UNITS]
    if field.type is not FieldType.MONEY or len(codes) != 1:
        return how
    return attrs.evolve(how, currency=codes[0], states_currency=True)


def _bind_columns(field: CanonicalField, header: Sequence[Cell]) -> Iterator[tuple[CanonicalField, int]]:
    """A field goes to the header that its name or, failing that, a label of its names."""
    headers = [fold_name(cell.text) for cell in header]
    position = next((headers.index(key) for key in field.name_keys if key in headers), None)
    if position is not None:
        yield field, position


def _twins(headings: Sequence[str], position: int) -> list[int]:
    """Other columns with the heading of this one."""
    names = list(map(fold_name, headings))
    return [place for place, name in enumerate(names) if name == names[position] and place != position]


def _is_torn(document: Document, header: Sequence[Cell], cells: Row) -> bool:
    """Whether a row of delimited text goes on beyond the headings; elsewhere no cell can be part of another."""
    if not cells or len(header) < 2 or not has_more_cells(cells, header):
        return False
    source: Source | None = document.locate(cells[0].span)
    while isinstance(source, MailPart):
        source = source.inner
    return isinstance(source, SheetCell)


def _texts_of(cells: Sequence[Cell]) -> list[str]:
    return [cell.text for cell in cells]


def _read_cell(
    context: CapabilityContext, column: CanonicalField, cell: Cell, how: Conventions, path: str
) -> list[Found]:
    text, span = cell.text, cell.span
    if not cell.transforms and column.type not in ANSWERS and (words := beside_box(text)):
        text, span = text[slice(*words)], (span[0] + words[0], span[0] + words[1])
    return read_at(context, column, text, span, how, cell.transforms, path=path)
