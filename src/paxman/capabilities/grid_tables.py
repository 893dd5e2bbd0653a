"""Tables of the format itself (HTML, sheets, CSV), bound by what their headings mean rather than by exact names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.table_arithmetic import debit_mark, texts_add_up
from paxman.capabilities.table_binding import all_rows, equal_headings, explicit_tables
from paxman.capabilities.table_headings import Vocabulary
from paxman.capabilities.table_layout import bind_headings, is_number
from paxman.capabilities.table_reading import Piece, Reading, add_row, amount_places, reject_row
from paxman.capabilities.table_sums import (
    MOST_ADDED,
    MOST_SUMS,
    SUMMED_UP,
    is_carried,
    is_item,
    is_rated,
    is_sum,
    sum_term,
    without_rate,
)
from paxman.contract.model import CanonicalField
from paxman.documents.document import Cell, Table

_SUM = "a sum, not an item"
_Bound = tuple[tuple[int, int], ...]
_Part = tuple[Sequence[Cell], Sequence[tuple[Cell, ...]]]
"""The headings of a table, and its rows."""


def read_tables(context: CapabilityContext, vocabulary: Vocabulary) -> Reading | None:
    """The rows of the tables whose headings name the most columns; tables with the same headings go on."""
    groups: dict[_Bound, list[_Part]] = {}
    for table in explicit_tables(context.document):
        for bound, header, rows in _bindings(table, context.field.columns, vocabulary):
            groups.setdefault(bound, []).append((header, rows))
            break
    readings = [_read(context, bound, parts, vocabulary) for bound, parts in groups.items()]
    return max(readings, key=lambda reading: reading.rank, default=None)


def _bindings(
    table: Table, columns: Sequence[CanonicalField], vocabulary: Vocabulary
) -> Iterator[tuple[_Bound, Sequence[Cell], Sequence[tuple[Cell, ...]]]]:
    """The header's binding, or that of a first row which is one."""
    required = {place for place, column in enumerate(columns) if column.required}
    below = list(all_rows(table))
    for header, rows in ((table.header, below), (below[0] if below else (), below[1:])):
        bound = _bind_cells(header, vocabulary)
        places = {place for place, _ in bound}
        if required <= places and len(places) >= min(2, len(columns)):
            yield bound, header, rows


def _bind_cells(header: Sequence[Cell], vocabulary: Vocabulary) -> _Bound:
    return bind_headings([cell.text for cell in header], vocabulary)


def _read(context: CapabilityContext, bound: _Bound, parts: list[_Part], vocabulary: Vocabulary) -> Reading:
    reading = Reading()
    amounts = [(p, column) for p, column in bound if p in amount_places(context.field.columns, vocabulary)]
    filled = [cells for _, part in parts for cells in part if cells]
    debits = {p: debit_mark(cells[c].text.strip() for cells in filled if c < len(cells)) for p, c in amounts}
    for cells, reason in (pair for _, part in parts for pair in _with_reasons(part, bound, vocabulary)):
        if reason:
            reject_row(context, reading, reason)
        else:
            written = [(p, cells[column]) for p, column in bound if column < len(cells)]
            pieces = {p: Piece(*_parts(cell), debits.get(p, "")) for p, cell in written}
            alone = not any(is_number(cell.text.strip()) for cell in _others(cells, bound, vocabulary))
            add_row(context, reading, pieces, vocabulary, _percents(cells), alone=alone)
    columns = [(context.field.columns[p].name, column) for p, column in bound]
    for header, part in parts:
        rows = ([cell.text.strip() for cell in cells] for cells in part if cells)
        reading.record.doubts += equal_headings(context, [cell.text for cell in header], rows, columns)
    return reading


def _with_reasons(
    rows: Sequence[tuple[Cell, ...]], bound: _Bound, vocabulary: Vocabulary
) -> Iterator[tuple[tuple[Cell, ...], str | None]]:
    """Each row with the reason why it is no item, if so.

    After the last row with several amounts, one that ends in a rate or adds up the items is a sum, like all below it.
    """
    reasons = [_no_item(cells, bound, vocabulary) for cells in rows]
    amounts = [{at: cell.text.strip() for at, cell in enumerate(cells) if is_sum(cell.text.strip())} for cells in rows]
    items = [found for found, reason in zip(amounts, reasons, strict=True) if not reason and len(found) > 1]
    last = max((at for at, found in enumerate(amounts) if len(found) > 1), default=len(rows))
    refused, above = False, list[dict[int, str]]()
    for at, (cells, reason) in enumerate(zip(rows, reasons, strict=True)):
        if last < at <= last + MOST_SUMS and len(items) * 2 > last:
            refused = refused or any(is_rated(cell.text.strip()) for cell in cells) or _adds_up(items, amounts[at])
        if not reason and (refused or _sums_up(cells, above, amounts[at])):
            reason = _SUM
        above += [] if reason else [amounts[at]]
        yield cells, reason


def _sums_up(cells: Sequence[Cell], above: Sequence[dict[int, str]], amounts: dict[int, str]) -> bool:
    """Whether a row that begins like a sum is that of the rows above, "Total for April"."""
    if not 1 < len(above) <= MOST_ADDED or len(amounts) != 1:
        return False
    return sum_term(_label(cells), whole=False) in SUMMED_UP and _adds_up(above, amounts)


def _label(cells: Sequence[Cell]) -> str:
    texts = (cell.text.strip() for cell in cells)
    return next((text for text in texts if text and not is_number(text)), "")


def _adds_up(items: Sequence[dict[int, str]], amounts: dict[int, str]) -> bool:
    """Whether the only amount of a row is the sum of those above it."""
    return any(texts_add_up([item.get(at, "") for item in items], total) for at, total in amounts.items())


def _others(cells: Sequence[Cell], bound: _Bound, vocabulary: Vocabulary) -> list[Cell]:
    """The cells from the quantity on below headings that the contract does not ask for."""
    columns = dict(bound)
    first = min((columns[place] for place in vocabulary.factors if place in columns), default=0)
    return [cell for at, cell in enumerate(cells) if at > first and at not in columns.values()]


def _parts(cell: Cell) -> tuple[str, tuple[int, int], tuple[str, ...]]:
    return cell.text, cell.span, cell.transforms


def _no_item(cells: Sequence[Cell], bound: _Bound, vocabulary: Vocabulary) -> str | None:
    """Why a row is none of the array's: empty, the headings again, or a sum."""
    texts = [cell.text.strip() for cell in cells]
    filled = [text for text in texts if text]
    if not filled:
        return "empty"
    if _bind_cells(cells, vocabulary) == bound:
        return "the headings again"
    numbers = sum(is_number(text) for text in filled)
    label = _label(cells)
    written = {place: texts[column] for place, column in bound if column < len(texts)}
    complete = len(filled) > len(cells) // 2 if numbers > 1 else all(map(written.get, dict(bound)))
    term = sum_term(without_rate(label) if complete else label, whole=complete)
    if not (label and numbers) or not (term or any(map(is_carried, filled))):
        return None
    return None if is_item(term, [written.get(place, "") for place in vocabulary.factors]) else _SUM


def _percents(cells: Sequence[Cell]) -> list[Decimal]:
    figures = [cell.text.strip().rstrip("% ").replace(",", ".") for cell in cells if cell.text.strip().endswith("%")]
    return [Decimal(figure) for figure in figures if figure.replace(".", "", 1).isdecimal()]
