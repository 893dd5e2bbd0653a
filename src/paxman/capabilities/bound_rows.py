"""The rows of tables that were bound to the columns of an array, each with its values or the reason why it is none."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import attrs

from paxman.capabilities.base import SUM, CapabilityContext
from paxman.capabilities.records import Record
from paxman.capabilities.table_binding import (
    JOINED,
    UNDATED,
    BoundTable,
    Row,
    Settled,
    all_sums,
    currency_named,
    currency_of,
    equal_headings,
    fits_of,
    leaves_days_out,
    read_cell,
    texts_of,
    torn_rows,
)
from paxman.capabilities.values import Found, conventions
from paxman.contract.constraints import problems
from paxman.contract.model import CanonicalField
from paxman.documents.document import Cell
from paxman.finding.blanks import is_filled
from paxman.recognizers.base import Conventions
from paxman.types import Diagnostic, FieldType, Severity


def table_rows(context: CapabilityContext, tables: Sequence[BoundTable], others: Sequence[BoundTable] = ()) -> Record:
    """Each row of the tables as one row of the array, or rejected with a reason; those of others may be, too."""
    record, field = Record(), context.field
    left = _left_out(context, tables, others) if others else []
    if len(tables) > 1:
        from paxman.capabilities.table_copies import join

        tables, record.doubts = join(context, tables)
    record.doubts += left
    record.doubts += (note for _, fit in fits_of(context, tables) for note in fit.left)
    record.doubts += (note for bound in tables for note in torn_rows(context, bound.header, bound.rows))
    unsure = any(note.severity is Severity.WARNING for note in record.doubts)
    how = conventions(context)
    settled = [(bound, _settle(context, bound, sums)) for bound, sums in zip(tables, all_sums(tables), strict=True)]
    told = [bound.doubt for bound in tables if bound.doubt]
    told += [message for _, each in settled for message in each.doubts]
    if any(leaves_days_out(bound.columns, each.rows) for bound, each in settled if not bound.turned):
        told.append(UNDATED)
    record.doubts += (Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, field.path) for message in told)
    rows = ((bound, cells, reason) for bound, each in settled for cells, reason in each.rows)
    for number, (bound, cells, is_none) in enumerate(rows):
        path = f"{field.path}[{len(record.rows)}]"
        values, found, reason = ({}, [], is_none) if is_none else _row(context, bound, cells, path, how, record)
        if reason:
            if reason != JOINED:
                record.reject(field.path, number, reason)
            continue
        record.rows.append(values if field.columns else next(iter(values.values())))
        record.refs += [each.ref for each in found]
        record.doubts += [note for each in found for note in each.diagnostics]
    equal = [note for bound in tables for note in _equal(context, bound)]
    record.doubts += equal
    if unsure or told or equal:
        record.refs = [attrs.evolve(ref, basis="place") for ref in record.refs]
    return record


def _equal(context: CapabilityContext, bound: BoundTable) -> Iterator[Diagnostic]:
    columns = [(column.name, position) for column, position in bound.columns]
    texts = ([cell.text.strip() for cell in cells] for cells in bound.rows if cells)
    return equal_headings(context, texts_of(bound.header), texts, columns)


def _settle(context: CapabilityContext, bound: BoundTable, sums: Collection[int]) -> Settled:
    """The rows of a table, each with the reason why it is no item, if so."""
    rows = [(cells, SUM if place in sums else None) for place, cells in enumerate(bound.rows)]
    if bound.turned or not context.field.columns or not any(map(_has_one, bound.rows)):
        return Settled(rows)
    from paxman.capabilities.loose_rows import settle

    return settle(context.document, len(bound.header), bound.columns, rows)


def _has_one(cells: Row) -> bool:
    return sum(1 for cell in cells if cell.text.strip()) == 1


def _left_out(
    context: CapabilityContext, tables: Sequence[BoundTable], others: Sequence[BoundTable]
) -> list[Diagnostic]:
    from paxman.capabilities.table_groups import left_out

    return [*left_out(context, tables, [other for other in others if not other.turned])]


def _row(
    context: CapabilityContext,
    bound: BoundTable,
    cells: Row,
    path: str,
    how: Conventions,
    record: Record,
) -> tuple[dict[str, Any], list[Found], str | None]:
    if not any(cell.text.strip() for cell in cells):
        return {}, [], "empty"
    if texts_of(cells) == texts_of(bound.header):
        return {}, [], "the headings again"
    values: dict[str, Any] = {}
    taken: list[Found] = []
    how = row_conventions(bound, cells, how)
    for column, position in bound.columns:
        cell = cells[position] if position < len(cells) else None
        cell_path = f"{path}.{column.name}" if context.field.columns else path
        as_headed = column_conventions(bound, column, position, how)
        found = read_cell(context, column, cell, as_headed, cell_path) if cell and cell.text.strip() else []
        reason = _refusal(column, cell, found)
        if reason and column.required:
            return {}, [], f"{column.name}: {reason}"
        if reason:
            record.leave_out(cell_path, reason)
        elif found:
            values[column.name] = found[0].value
            taken.append(found[0])
    return values, taken, None if values else "no value in any column"


def _refusal(column: CanonicalField, cell: Cell | None, found: list[Found]) -> str | None:
    """Why a cell spoils its row: a required one is missing, or what stands there does not fit."""
    if found:
        broken = problems(column, found[0].value)
        return broken[0] if broken else None
    if cell is not None and (is_filled(cell.text) or (column.required and cell.text.strip())):
        return f"not {column.type.value}"
    return "missing" if column.required else None


def column_conventions(bound: BoundTable, column: CanonicalField, position: int, how: Conventions) -> Conventions:
    """A currency in its heading speaks for the amounts of a column, unless their row names one."""
    if column.type is not FieldType.MONEY or how.states_currency or position >= len(bound.header):
        return how
    currency = currency_named(bound.header[position].text)
    return attrs.evolve(how, currency=currency, states_currency=True) if currency else how


def row_conventions(bound: BoundTable, cells: Row, how: Conventions) -> Conventions:
    """A currency column speaks for the amounts of its row."""
    if not any(column.type is FieldType.MONEY for column, _ in bound.columns):
        return how
    currency = currency_of(bound.header, cells)
    return attrs.evolve(how, currency=currency, states_currency=True) if currency else how
