"""ArrayColumns that no head names: what stands in the cells, arithmetic and order tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

import attrs

from paxman.classes import record
from paxman.contract.model import CanonicalField
from paxman.finding.tables.arithmetic import multiplies
from paxman.finding.tables.columns import LIKELY, NUMBERS, ArrayColumns, Bound
from paxman.finding.tables.tags import is_number_column, reads_all
from paxman.lazy import lazy_pattern
from paxman.page.grid import TableRow
from paxman.recognizers import Conventions, read_value
from paxman.types import FieldType

SAMPLE = 30
_MOST_OPEN = 8
_LETTERS = lazy_pattern(r"[^\W\d_]{2}")
_LEAST_TRUE = 0.8
_GUESSED, _PRODUCT, _SURE, _STANDS_IN = 0.3, 0.6, 0.7, 0.85
_CODED = ("number", "amount", "code", "count")
_WORDED = ("description", "thing", "entry", "unit", "currency")


@record
class Opened:
    """ArrayColumns by heads and by cells, whether all are tied by more than their cells, and what stays doubtful."""

    bound: Bound
    tied: bool = True
    doubts: tuple[str, ...] = ()
    unclear: tuple[int, ...] = ()
    """Columns that several of the table's may be."""


def open_columns(
    columns: ArrayColumns, bound: Bound, heads: Sequence[str], rows: Sequence[TableRow], how: Conventions
) -> Opened:
    """The bound columns with those that cells alone tell."""
    table = [row for row in rows[:SAMPLE] if len(row.filled) > 1]
    if not table:
        return Opened(bound)
    places = {c: p for c, p in bound.places.items() if not _is_misnamed(columns, c, _texts(rows[:SAMPLE], p))}
    places = {c: p for c, p in places.items() if bound.fits[c] > LIKELY or _reads(columns, c, _texts(table, p), how)}
    twins = {c: p for c, p in bound.twins.items() if c in places and bound.fits[c] < _SURE}
    places = {c: p for c, p in places.items() if _texts(table, p) == _texts(table, twins.get(c, p))}
    fits = {c: fit for c, fit in bound.fits.items() if c in places}
    for column, place in (*_by_product(columns, places, table, how), *_corrected(columns, places, table, how)):
        places[column], fits[column] = place, _PRODUCT
    tied = all(fit >= _SURE or c in columns.factors for c, fit in fits.items())
    doubts = [*_by_likeness(columns, places, fits, heads, table, how)]
    guessed, open_ = _by_kind(columns, places, bound.elsewhere, heads, table, how)
    for column, place in guessed if columns.guesses else ():
        places[column], fits[column], tied = place, _GUESSED, False
    return Opened(attrs.evolve(bound, places=places, fits=fits), tied, tuple(doubts), tuple(open_))


def _is_misnamed(columns: ArrayColumns, column: int, texts: Sequence[str]) -> bool:
    """Whether only figures stand below what heads texts, or none below what numbers lines."""
    if columns.roles[column] in _WORDED:
        return is_number_column(texts)
    return columns.roles[column] == "position" and not any(any(map(str.isdigit, text)) for text in texts)


def _reads(columns: ArrayColumns, column: int, texts: Sequence[str], how: Conventions) -> bool:
    """Whether what stands below a head that is only likely a column's is of its type, as far as one can see."""
    field = columns.fields[column]
    filled = [text for text in texts if any(map(str.isalnum, text))]
    read = sum(read_value(text, field, how) is not None for text in filled)
    return field.type is FieldType.STRING or read >= _LEAST_TRUE * len(filled)


def _by_likeness(
    columns: ArrayColumns,
    places: dict[int, int],
    fits: dict[int, float],
    heads: Sequence[str],
    table: Sequence[TableRow],
    how: Conventions,
) -> Iterator[str]:
    """Doubts where a head only stands in for a column, and another of the same kind is free."""
    for column, fit in fits.items():
        field = columns.fields[column]
        if (
            fit != _PRODUCT
            and fit < _STANDS_IN
            and any(
                _is_of_kind(columns, column, _texts(table, place), how)
                for place in _free(places, table)
                if place < len(heads) and not columns.means_other(heads[place])
            )
        ):
            yield f"another column may be {field.name}"


def _free(places: dict[int, int], table: Sequence[TableRow]) -> list[int]:
    width = max(len(row.cells) for row in table)
    return [place for place in range(width) if place not in places.values()][:_MOST_OPEN]


def _texts(table: Sequence[TableRow], place: int) -> list[str]:
    return [_cell(row, place) for row in table]


def _cell(row: TableRow, place: int) -> str:
    return row.cells[place].text if place < len(row.cells) else ""


def _by_product(
    columns: ArrayColumns, places: dict[int, int], table: Sequence[TableRow], how: Conventions
) -> Iterator[tuple[int, int]]:
    """Quantity, price or total where the other two and the cells multiply."""
    factors = columns.factors
    missing = [c for c in factors if c not in places]
    if not factors or not missing:
        return
    known = [places[c] for c in factors if c in places]
    table = [row for row in table if all(any(map(str.isdigit, _cell(row, place))) for place in known)]
    free = [place for place in _free(places, table) if is_number_column(_texts(table, place))] if table else []
    for chosen in permutations(free, len(missing)):
        trial = {**places, **dict(zip(missing, chosen, strict=True))}
        if _products(columns, [trial[c] for c in factors], table, how):
            yield from zip(missing, chosen, strict=True)
            return


def _corrected(
    columns: ArrayColumns, places: dict[int, int], table: Sequence[TableRow], how: Conventions
) -> Iterator[tuple[int, int]]:
    """The total in another column than the head says, where quantity times price is what stands there."""
    factors = columns.factors
    if not factors or not set(factors) <= places.keys() or _products(columns, [places[c] for c in factors], table, how):
        return
    quantity, price, total = factors
    for place in _free(places, table):
        if is_number_column(_texts(table, place)) and _products(
            columns, [places[quantity], places[price], place], table, how
        ):
            yield total, place
            return


def _products(columns: ArrayColumns, places: Sequence[int], table: Sequence[TableRow], how: Conventions) -> bool:
    held = tried = 0
    for row in table:
        texts = [_cell(row, place) for place in places]
        if not all(text.strip() for text in texts):
            continue
        values = [_value(columns.fields[c], text, how) for c, text in zip(columns.factors, texts, strict=True)]
        if None in values:
            continue
        tried += 1
        held += multiplies(values)
    return tried > 0 and held >= _LEAST_TRUE * tried


def _value(field: CanonicalField, text: str, how: Conventions) -> object:
    reading = read_value(text, field, how)
    return None if reading is None else reading.value


def _by_kind(
    columns: ArrayColumns,
    places: dict[int, int],
    elsewhere: frozenset[int],
    heads: Sequence[str],
    table: Sequence[TableRow],
    how: Conventions,
) -> tuple[list[tuple[int, int]], list[int]]:
    """Open columns that only one free column of the table is like, and those that several are like."""
    taken = {heads[place].strip().casefold() for place in places.values() if place < len(heads)} - {""}
    free = [p for p in _free(places, table) if p >= len(heads) or not columns.means_other(heads[p])]
    free = [p for p in free if p >= len(heads) or heads[p].strip().casefold() not in taken]
    wanted = [c for c in range(len(columns.fields)) if c not in places and c not in elsewhere]
    fitting = {c: [p for p in free if _is_of_kind(columns, c, _texts(table, p), how)] for c in wanted}
    guessed, unclear = [], []
    for column, found in fitting.items():
        rivals = [c for c in wanted if c != column and set(fitting[c]) & set(found)]
        if len(found) == 1 and not rivals:
            guessed.append((column, found[0]))
        elif found:
            unclear.append(column)
    return guessed, unclear


def _is_of_kind(columns: ArrayColumns, column: int, texts: Sequence[str], how: Conventions) -> bool:
    field = columns.fields[column]
    filled = [text for text in texts if text.strip()]
    if not filled:
        return False
    if field.type is FieldType.STRING:
        worded = sum(1 for text in filled if _LETTERS.search(text)) >= _LEAST_TRUE * len(filled)
        if columns.wanted[column].kind in _CODED:
            return all(any(map(str.isdigit, text)) and len(text.split()) < 3 for text in filled)
        return worded
    return (field.type not in NUMBERS or is_number_column(filled)) and reads_all(field, filled, how)
