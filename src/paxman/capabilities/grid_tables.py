"""Tables of the format itself (HTML, sheets, CSV), bound by what their headings mean rather than by exact names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from paxman.capabilities.base import CHARGE, SUM, CapabilityContext
from paxman.capabilities.heading_slips import mend_headings
from paxman.capabilities.loose_rows import settle
from paxman.capabilities.payment_rows import Named, items_among
from paxman.capabilities.row_reading import Piece, Reading, add_row, amount_places, doubt, reject_row
from paxman.capabilities.table_arithmetic import is_negative, mark_of, texts_add_up
from paxman.capabilities.table_binding import (
    JOINED,
    UNDATED,
    currency_named,
    currency_of,
    equal_headings,
    headed_parts,
    headings_of,
    leaves_days_out,
    sample,
    torn_rows,
)
from paxman.capabilities.table_groups import MOST_COMPARED, goes_on, left_out
from paxman.capabilities.table_headings import DAYS, Vocabulary, heading_term
from paxman.capabilities.table_kinds import explicit_tables
from paxman.capabilities.table_placing import is_day
from paxman.capabilities.table_reading import UNASKED, best_reading, doubt_rivals, marked_debits, unnamed_note
from paxman.capabilities.table_sums import (
    MOST_ADDED,
    MOST_SUMS,
    NEVER_ADDED,
    SUMMED_UP,
    begins_sum,
    is_carried,
    is_column_sum,
    is_item,
    is_rated,
    is_sum,
    sum_term,
    without_rate,
)
from paxman.contract.model import CanonicalField
from paxman.documents.document import Cell, Document, Table
from paxman.documents.figures import has_digits, is_number
from paxman.types import FieldType, Severity

_Bound = tuple[tuple[int, int], ...]


class _Part(NamedTuple):
    """The headings of a table, the columns of the contract that they mean, and the rows below."""

    bound: _Bound
    header: Sequence[Cell]
    rows: Sequence[tuple[Cell, ...]]
    columns: Sequence[tuple[CanonicalField, int]] = ()
    named: _Bound = ()
    """The columns by the headings alone."""

    def with_bound(self, columns: Sequence[CanonicalField], bound: _Bound) -> _Part:
        return self._replace(bound=bound, columns=[(columns[place], column) for place, column in bound])

    def texts_at(self, place: int) -> Iterator[str]:
        """What stands below the heading of a column of the contract."""
        column = dict(self.bound).get(place)
        if column is not None:
            yield from (cells[column].text.strip() for cells in self.rows if column < len(cells))

    def other_texts(self) -> Iterator[str]:
        """What stands below the headings that mean nothing here."""
        taken = {column for _, column in self.bound}
        for cells in self.rows:
            yield from (cell.text.strip() for at, cell in enumerate(cells) if at not in taken)


def read_tables(context: CapabilityContext, vocabulary: Vocabulary) -> Reading | None:
    """The rows of the tables whose headings name the most columns; tables with the same headings go on."""
    groups: dict[tuple[str, ...], list[_Part]] = {}
    for table in explicit_tables(context.document):
        part = _bind(table, context.field.columns, vocabulary)
        if part is not None:
            groups.setdefault(headings_of(part.header), []).append(part)
    joined = _join_groups(context.document, list(groups.values()))
    readings = [_read(context, parts, vocabulary) for parts in joined]
    best = best_reading(context, readings)
    if best and len(joined) > 1:
        taken = next(parts for parts, reading in zip(joined, readings, strict=True) if reading is best)
        _doubt_others(context, best, taken, [parts for parts in joined if parts is not taken])
    return best


def _join_groups(document: Document, groups: list[list[_Part]]) -> list[list[_Part]]:
    """Tables with the same headings, and others that go on with them under other headings."""
    joined: list[list[_Part]] = []
    for parts in groups:
        first = next((each for each in joined[:MOST_COMPARED] if goes_on(document, each[0], parts[0])), None)
        if first is None:
            joined.append(list(parts))
        else:
            first += parts
    return joined


def _doubt_others(
    context: CapabilityContext, best: Reading, taken: Sequence[_Part], others: Sequence[Sequence[_Part]]
) -> None:
    notes = [*left_out(context, taken, [part for parts in others for part in parts])]
    best.record.doubts += notes
    best.unclear |= bool(notes)


def read_slipped(context: CapabilityContext, vocabulary: Vocabulary) -> Reading | None:
    """The rows of tables of which a heading has a wrong letter."""
    headers = (header for table in explicit_tables(context.document) for header, _ in headed_parts(table))
    texts = ([cell.text for cell in header] for header in headers)
    mended = mend_headings(context, vocabulary, (each for each in texts if not any(map(_has_figures, each))))
    reading = read_tables(context, mended.vocabulary) if mended else None
    return mended.note(context, reading) if mended and reading else None


def _has_figures(text: str) -> bool:
    return has_digits(text, (0, len(text)))


def _bind(table: Table, columns: Sequence[CanonicalField], vocabulary: Vocabulary) -> _Part | None:
    """The part of a table below headings that mean columns, all required ones among them."""
    required = {place for place, column in enumerate(columns) if column.required}
    for part in _parts_of(table, vocabulary):
        places = {place for place, _ in part.bound}
        if required <= places and len(places) >= min(2, len(columns)):
            return part.with_bound(columns, part.bound)
    return None


def _parts_of(table: Table, vocabulary: Vocabulary) -> Iterator[_Part]:
    for header, rows in headed_parts(table):
        bound = _bind_cells(header, vocabulary)
        yield _Part(bound, header, rows, named=bound)


def note_unnamed(context: CapabilityContext, vocabulary: Vocabulary) -> Reading | None:
    """No rows, but a note on the table that names most columns and not all that are required."""
    parts = [part for table in explicit_tables(context.document) for part in _parts_of(table, vocabulary)]
    most = max(parts, key=lambda part: len(part.bound), default=None)
    if most is None:
        return None
    return unnamed_note(
        context, _headings(most), most.bound, lambda bound: _read(context, [most._replace(bound=bound)], vocabulary)
    )


def _headings(part: _Part) -> list[str]:
    return [cell.text for cell in part.header]


def _bind_cells(header: Sequence[Cell], vocabulary: Vocabulary) -> _Bound:
    return vocabulary.bind_texts([cell.text for cell in header])


def _read(context: CapabilityContext, parts: Sequence[_Part], vocabulary: Vocabulary) -> Reading:
    reading = Reading()
    if any(vocabulary.is_open(_headings(part), part.bound) for part in parts):
        parts = _fitted(context, reading, parts, vocabulary)
    if len(parts) > 1:
        from paxman.capabilities.table_copies import join

        parts, notes = join(context, parts)
        reading.record.doubts += notes
    reading.record.doubts += (note for part in parts for note in torn_rows(context, part.header, part.rows))
    reading.unclear = any(note.severity is Severity.WARNING for note in reading.record.doubts)
    amounts = amount_places(context.field.columns, vocabulary)
    columns = {place: [text for part in parts for text in part.texts_at(place)] for place in amounts}
    if any(mark_of(text) for texts in columns.values() for text in texts):
        columns[UNASKED] = [text for part in parts for text in part.other_texts()]
    debits = marked_debits(context, reading, " ".join(_headings(parts[0])), columns)
    for part in parts:
        _read_part(context, reading, part, vocabulary, debits)
        named = [(context.field.columns[p].name, column) for p, column in part.bound]
        rows = [[cell.text.strip() for cell in cells] for cells in part.rows if cells]
        doubts = [*equal_headings(context, _headings(part), rows, named)]
        reading.record.doubts += doubts
        reading.unclear |= bool(doubts)
        if len(part.header) > len(part.bound):
            doubt_rivals(context, reading, vocabulary, _headings(part), rows, part.bound)
    return reading


def _fitted(
    context: CapabilityContext, reading: Reading, parts: Sequence[_Part], vocabulary: Vocabulary
) -> list[_Part]:
    """The parts with the columns that only the cells below them tell, alike below the same headings."""
    from paxman.capabilities.open_columns import fit_columns

    groups: dict[tuple[str, ...], list[_Part]] = {}
    for part in parts:
        groups.setdefault(tuple(_headings(part)), []).append(part)
    fits = {
        headings: fit_columns(context, vocabulary, headings, sample(alike), alike[0].bound)
        for headings, alike in groups.items()
    }
    for fit in fits.values():
        fit.noted(reading, fit.left)
    return [part.with_bound(context.field.columns, fits[tuple(_headings(part))].bound) for part in parts]


def _read_part(
    context: CapabilityContext, reading: Reading, part: _Part, vocabulary: Vocabulary, debits: Mapping[int, str]
) -> None:
    bound, days = part.bound, _days_of(part, context.field.columns, vocabulary)
    columns = [(context.field.columns[place], column) for place, column in bound]
    rows = [*_with_reasons(part, vocabulary, days)]
    settled = settle(context.document, len(part.header), columns, rows)
    for message in (*settled.doubts, *([UNDATED] if leaves_days_out(columns, settled.rows) else ())):
        doubt(context, reading, message)
    named = {p: currency_named(part.header[column].text) for p, column in bound if column < len(part.header)}
    for cells, reason in settled.rows:
        if reason == JOINED:
            reading.seen += 1
        elif reason:
            reject_row(context, reading, reason)
        else:
            written = [(p, cells[column]) for p, column in bound if column < len(cells)]
            currency = currency_of(part.header, cells)
            pieces = {p: Piece(*_parts(cell), debits.get(p, ""), currency or named.get(p, "")) for p, cell in written}
            add_row(context, reading, pieces, vocabulary, _percents(cells))


def _with_reasons(part: _Part, vocabulary: Vocabulary, days: _Days) -> Iterator[tuple[tuple[Cell, ...], str | None]]:
    """Each row with the reason why it is no item, if so.

    After the last row with several amounts, one that ends in a rate or adds up the items is a sum, like all below it;
    what no sum is named for and stands before the first is a charge that it has in it.
    """
    rows, bound = part.rows, part.bound
    amounts = [{at: cell.text.strip() for at, cell in enumerate(cells) if is_sum(cell.text.strip())} for cells in rows]
    reasons = [_no_item(cells, part, vocabulary, days) for cells in rows]
    factors = [dict(bound).get(place, -1) for place in vocabulary.factors]
    for at in [at for at, reason in enumerate(reasons[:MOST_ADDED]) if reason == SUM][:MOST_SUMS]:
        reasons[at] = None if _is_counted(rows, reasons, amounts, at) else SUM
    if SUM in reasons:
        named = Named([_label(cells) for cells in rows], amounts, reasons)
        items = items_among(named, days.counts)
        reasons = [None if at in items else reason for at, reason in enumerate(reasons)]
    whole = [found for found, reason in zip(amounts, reasons, strict=True) if not reason and len(found) > 1]
    last = max((at for at, found in enumerate(amounts) if len(found) > 1), default=len(rows))
    refused, summed, above, since = False, False, list[dict[int, str]](), 0
    for at, (cells, reason) in enumerate(zip(rows, reasons, strict=True)):
        if last < at <= last + MOST_SUMS and len(whole) * 2 > last:
            refused = refused or any(is_rated(cell.text.strip()) for cell in cells) or _adds_up(whole, amounts[at])
        if not reason and (refused or _sums_up(cells, (above, above[since:]), amounts[at], factors)):
            is_summed = summed or not amounts[at] or _is_named(cells) or _adds_up(whole, amounts[at])
            reason = SUM if is_summed else CHARGE
        summed = summed or (at > last and reason == SUM)
        above += [] if reason else [amounts[at]]
        since = len(above) if reason else since
        yield cells, reason


def _is_named(cells: Sequence[Cell]) -> bool:
    """Whether the label of a row is that of a sum or a tax."""
    return sum_term(without_rate(_label(cells)), whole=False) is not None or begins_sum(_label(cells))


def _is_counted(
    rows: Sequence[Sequence[Cell]], reasons: Sequence[str | None], amounts: Sequence[dict[int, str]], at: int
) -> bool:
    """Whether a row named like a sum or payment is an item: the next sum below has it in it, as it has the items."""
    term = sum_term(without_rate(_label(rows[at])), whole=True)
    below = next((place for place in range(at + 1, len(rows)) if reasons[place]), None)
    above = [each for each, reason in zip(amounts[:at], reasons, strict=False) if not reason]
    if below is None or term not in NEVER_ADDED or len(amounts[at]) != 1:
        return False
    if any(map(is_negative, amounts[at].values())) or _adds_up(above, amounts[at]):
        return False
    added = [*above, *amounts[at:below]]
    return (
        len(added) > 1 and sum_term(_label(rows[below]), whole=False) in SUMMED_UP and _adds_up(added, amounts[below])
    )


def _sums_up(
    cells: Sequence[Cell], groups: Sequence[Sequence[dict[int, str]]], amounts: dict[int, str], factors: Sequence[int]
) -> bool:
    """Whether a row that begins like a sum is that of the rows above, or of those since the last sum: "Total May"."""
    label = _label(cells)
    if not begins_sum(label) or is_item("total", [amounts.get(at, "") for at in factors]):
        return False
    return any(is_column_sum(label, amounts, group) for group in groups)


def _label(cells: Sequence[Cell]) -> str:
    texts = (cell.text.strip() for cell in cells)
    return next((text for text in texts if text and not (is_number(text) or is_day(text))), "")


def _adds_up(items: Sequence[dict[int, str]], amounts: dict[int, str]) -> bool:
    """Whether the only amount of a row is the sum of those above it."""
    return any(texts_add_up([item.get(at, "") for item in items], total) for at, total in amounts.items())


def _parts(cell: Cell) -> tuple[str, tuple[int, int], tuple[str, ...]]:
    return cell.text, cell.span, cell.transforms


class _Days(NamedTuple):
    """The columns of days, those of quantities and prices, and of these the quantities."""

    days: Sequence[int]
    factors: Sequence[int]
    counts: frozenset[int]

    def has_one(self, texts: Sequence[str]) -> bool:
        """Whether a row has a day, and all that an item has; a deposit or a tax below items has not."""
        cells = dict(enumerate(texts))
        return all(map(cells.get, self.factors)) and any(is_day(cells.get(at, "")) for at in self.days)


def _days_of(part: _Part, columns: Sequence[CanonicalField], vocabulary: Vocabulary) -> _Days:
    """As the contract or the headings say."""
    terms = [heading_term(text) for text in _headings(part)]
    asked = {column for place, column in part.bound if columns[place].type is FieldType.DATE}
    factors = {column for place, column in part.bound if place in vocabulary.factors}
    counts = {column for place, column in part.bound if vocabulary.roles[place] == "count"}
    return _Days(
        [at for at, term in enumerate(terms) if at in asked or term in DAYS],
        [at for at, term in enumerate(terms) if at in factors or term in ("count", "unit_price")],
        frozenset(at for at, term in enumerate(terms) if at in counts or term == "count"),
    )


def _no_item(cells: Sequence[Cell], part: _Part, vocabulary: Vocabulary, days: _Days) -> str | None:
    """Why a row is none of the array's: empty, the headings again, or a sum."""
    texts = [cell.text.strip() for cell in cells]
    filled = [text for text in texts if text]
    if not filled:
        return "empty"
    if _bind_cells(cells, vocabulary) == part.named:
        return "the headings again"
    numbers = sum(is_number(text) for text in filled)
    label = _label(cells)
    written = {place: texts[column] for place, column in part.bound if column < len(texts)}
    complete = len(filled) > len(cells) // 2 if numbers > 1 else all(map(written.get, dict(part.bound)))
    term = sum_term(without_rate(label) if complete else label, whole=complete)
    carried = bool(label and numbers) and any(map(is_carried, filled))
    if not (label and numbers) or not (term or carried):
        return None
    if not (carried or term in SUMMED_UP or is_rated(label)) and days.has_one(texts):
        return None  # What was paid or charged on that day.
    return None if is_item(term, [written.get(place, "") for place in vocabulary.factors]) else SUM


def _percents(cells: Sequence[Cell]) -> list[Decimal]:
    figures = [cell.text.strip().rstrip("% ").replace(",", ".") for cell in cells if cell.text.strip().endswith("%")]
    return [Decimal(figure) for figure in figures if figure.replace(".", "", 1).isdecimal()]
