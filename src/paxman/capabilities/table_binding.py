"""Finding a field in tables: a column by its header, or a label with the value in the next cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import label_terms
from paxman.capabilities.choices import ANSWERS, beside_box
from paxman.capabilities.records import Record
from paxman.capabilities.values import Found, conventions, read_at
from paxman.contract.constraints import problems
from paxman.contract.labels import compact_label, fold_name
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Cell, Document, Table
from paxman.recognizers import Conventions
from paxman.types import Diagnostic, FieldType, Severity

_MOST_SUMS = 5
_LAID_OUT = frozenset({"text", "pdf", "image"})
_CURRENCY_HEADERS = frozenset({"currency", "currencycode", "ccy", "waehrung", "wahrung", "devise"})


@attrs.frozen
class BoundTable:
    """A table and, for each column of the field, its position in the table."""

    table: Table
    columns: tuple[tuple[CanonicalField, int], ...]


def explicit_tables(document: Document) -> list[Table]:
    """Tables of the format itself; what only looks like one in laid-out text is for other capabilities."""
    if document.kind in _LAID_OUT:
        return []
    return [table for table in document.tables if table.explicit]


def bind_table(context: CapabilityContext) -> BoundTable | None:
    """The table whose header names most of the field's columns; all required ones must be there."""
    best: BoundTable | None = None
    for table in explicit_tables(context.document):
        bound = BoundTable(table, tuple(_bind_columns(context.field, table)))
        names = {column.name for column, _ in bound.columns}
        complete = all(column.name in names for column in context.field.columns if column.required)
        if names and complete and (best is None or len(bound.columns) > len(best.columns)):
            best = bound
    if best and (_means_more(context.field, best) or _ends_in_sums(best.table) or _has_balances(best.table)):
        return None
    return best


def _means_more(field: CanonicalField, bound: BoundTable) -> bool:
    """Whether the headings mean more columns than they name; then the table is read by what they mean."""
    if len(bound.columns) >= min(len(field.columns), len(bound.table.header)):
        return False
    from paxman.capabilities.table_headings import vocabulary_of
    from paxman.capabilities.table_layout import bind_headings

    vocabulary = vocabulary_of(field.columns)
    return len(bind_headings([cell.text for cell in bound.table.header], vocabulary)) > len(bound.columns)


def _ends_in_sums(table: Table) -> bool:
    """Whether one of the last rows has only the label of a sum and amounts: such a table is not data alone."""
    rows = [[cell.text.strip() for cell in cells if cell.text.strip()] for cells in table.rows[-_MOST_SUMS:]]
    sparse = [texts for texts in rows if 1 < len(texts) <= len(table.header) // 2]
    if not sparse:
        return False
    from paxman.capabilities.table_sums import is_sum, sum_term

    return any(all(map(is_sum, texts[1:])) and sum_term(texts[0], whole=True) for texts in sparse)


def _has_balances(table: Table) -> bool:
    """Whether the first or the last row only says what was there before or is after."""
    texts = [[cell.text.strip() for cell in cells] for cells in (*table.rows[:1], *table.rows[-1:])]
    sparse = [row for row in texts if not all(row)]
    if not sparse:
        return False
    from paxman.capabilities.table_sums import is_carried

    return any(is_carried(text) for row in sparse for text in row)


def _bind_columns(field: CanonicalField, table: Table) -> Iterator[tuple[CanonicalField, int]]:
    """A column goes to the header that its name or, failing that, a label of its names."""
    headers = [fold_name(cell.text) for cell in table.header]
    taken: set[int] = set()
    for column in field.columns or (field,):
        hits = (headers.index(key) for key in column.name_keys if key in headers)
        position = next((hit for hit in hits if hit not in taken), None)
        if position is not None:
            taken.add(position)
            # Of an array without columns, each cell is one item.
            yield (column.items or column) if column is field else column, position


def twins(headings: Sequence[str], position: int) -> list[int]:
    """Other columns with the heading of this one."""
    names = list(map(fold_name, headings))
    return [place for place, name in enumerate(names) if name == names[position] and place != position]


def equal_headings(
    context: CapabilityContext,
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    columns: Sequence[tuple[str, int]],
) -> Iterator[Diagnostic]:
    """A note on each column whose heading others have, too, where these hold something else."""
    taken = {position for _, position in columns}
    if len(set(map(fold_name, headings))) == len(headings):
        return
    rows = list(rows)
    for name, position in columns:
        places = [position, *(other for other in twins(headings, position) if other not in taken)]
        texts = ({text for place in places for text in cells[place : place + 1] if text} for cells in rows)
        differing = sum(len(each) > 1 for each in texts)
        if differing:
            count = f"{differing} {'row' if differing == 1 else 'rows'}"
            which = "first" if position == min(places) else "last"
            told = f"{len(places)} columns are headed {headings[position].strip()!r} and differ in {count}"
            told += f"; the {which} was taken"
            yield Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, told, context.field.path, {"column": name})


def _texts(cells: Sequence[Cell]) -> list[str]:
    return [cell.text for cell in cells]


def all_rows(table: Table) -> Iterator[tuple[Cell, ...]]:
    """The rows of a table, with nothing for each that is empty."""
    done = 0
    for above in table.empty:
        yield from table.rows[done:above]
        yield ()
        done = above
    yield from table.rows[done:]


def table_rows(context: CapabilityContext, bound: BoundTable) -> Record:
    """Each row of the table as one row of the array, or rejected with a reason."""
    record, field = Record(), context.field
    how = conventions(context)
    for number, cells in enumerate(all_rows(bound.table)):
        path = f"{field.path}[{len(record.rows)}]"
        values, found, reason = _row(context, bound, cells, path, how, record)
        if reason:
            record.reject(field.path, number, reason)
            continue
        record.rows.append(values if field.columns else next(iter(values.values())))
        record.refs += [each.ref for each in found]
        record.doubts += [note for each in found for note in each.diagnostics]
    return record


def _row(
    context: CapabilityContext,
    bound: BoundTable,
    cells: tuple[Cell, ...],
    path: str,
    how: Conventions,
    record: Record,
) -> tuple[dict[str, Any], list[Found], str | None]:
    if not any(cell.text.strip() for cell in cells):
        return {}, [], "empty"
    values: dict[str, Any] = {}
    taken: list[Found] = []
    how = _row_conventions(bound, cells, how)
    for column, position in bound.columns:
        cell = cells[position] if position < len(cells) else None
        cell_path = f"{path}.{column.name}" if context.field.columns else path
        found = _read_cell(context, column, cell, how, cell_path) if cell and cell.text.strip() else []
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
    if cell is not None and cell.text.strip():
        return f"not {column.type.value}"
    return "missing" if column.required else None


def _row_conventions(bound: BoundTable, cells: tuple[Cell, ...], how: Conventions) -> Conventions:
    """A currency column speaks for the amounts of its row."""
    if not any(column.type is FieldType.MONEY for column, _ in bound.columns):
        return how
    for position, header in enumerate(bound.table.header):
        if fold_name(header.text) in _CURRENCY_HEADERS and position < len(cells) and cells[position].text.strip():
            return attrs.evolve(how, currency=cells[position].text.strip().upper(), states_currency=True)
    return how


def _read_cell(
    context: CapabilityContext, column: CanonicalField, cell: Cell, how: Conventions, path: str
) -> list[Found]:
    text, span = cell.text, cell.span
    if not cell.transforms and column.type not in ANSWERS and (words := beside_box(text)):
        text, span = text[slice(*words)], (span[0] + words[0], span[0] + words[1])
    return read_at(context, column, text, span, how, cell.transforms, path=path)


def cell_values(context: CapabilityContext) -> list[list[Found]]:
    """The readings of each cell that a scalar field has in tables: in its column, or beside its label."""
    how = conventions(context)
    read = (
        _read_cell(context, context.field, cell, row_how, context.field.path)
        for table in explicit_tables(context.document)
        for cell, row_how in _cells_of(context, table, how)
    )
    return [found for found in read if found]


def _cells_of(context: CapabilityContext, table: Table, how: Conventions) -> Iterator[tuple[Cell, Conventions]]:
    field = context.field
    bound = BoundTable(table, () if _is_of_pairs(context.contract, table) else tuple(_bind_columns(field, table)))
    positions = [twin for _, position in bound.columns for twin in (position, *twins(_texts(table.header), position))]
    for cells in table.rows:
        for position in positions:
            if position < len(cells) and cells[position].text.strip():
                yield cells[position], _row_conventions(bound, cells, how)
    if not bound.columns:
        yield from ((cell, how) for cell in _beside_label(field, table))


def _is_of_pairs(contract: CanonicalContract, table: Table) -> bool:
    """Whether a table has a label and its value in every row, the first one too; the value may span columns."""
    filled = list(dict.fromkeys(cell for cell in table.header if cell.text.strip()))
    if len(filled) != 2 or filled[0] is not table.header[0]:
        return False
    first, second = filled
    labels = [cells[0].text for cells in table.rows if cells and cells[0].text.strip()]
    if not _is_label(contract, first.text) or _is_label(contract, second.text):
        return False
    if any(fold_name(label) in _names(contract) for label in labels):
        return True
    return bool(labels) and all(_is_label(contract, each) for each in labels)


def _is_label(contract: CanonicalContract, text: str) -> bool:
    """Whether the contract or common business papers name something so."""
    return fold_name(text) in _names(contract) or any(key in label_terms() for key in compact_label(text))


def _names(contract: CanonicalContract) -> frozenset[str]:
    if "names" not in contract.memo:
        contract.memo["names"] = frozenset(key for field in contract.leaves for key in field.name_keys)
    names: frozenset[str] = contract.memo["names"]
    return names


def _beside_label(field: CanonicalField, table: Table) -> Iterator[Cell]:
    keys = set(field.name_keys)
    for cells in (table.header, *table.rows):
        for label, value in pairwise(cells):
            if value.text.strip() and fold_name(label.text) in keys:
                yield value
