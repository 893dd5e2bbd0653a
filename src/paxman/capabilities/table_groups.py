"""Tables with other headings over the columns that are asked for: which of them are read as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.table_arithmetic import sums_alike
from paxman.capabilities.table_copies import has_title, start_of, told_headings
from paxman.capabilities.table_headings import heading_term
from paxman.capabilities.table_placing import is_day
from paxman.capabilities.table_sums import MOST_ADDED, begins_sum
from paxman.contract.labels import fold_name
from paxman.contract.model import CanonicalField
from paxman.documents.document import Cell, Document
from paxman.documents.figures import is_number
from paxman.types import Diagnostic, FieldType, Severity

_SAMPLE = 20
_MOST_SUMS = 6
_NUMERIC = (FieldType.DECIMAL, FieldType.MONEY, FieldType.INTEGER)
_FACTORS = frozenset({"count", "unit_price"})
_LONGEST = 80
MOST_COMPARED = 10
"""Tables that others are compared with."""


class Bound(Protocol):
    """A table, and the columns that are asked for with their places in it."""

    @property
    def header(self) -> Sequence[Cell]: ...
    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]: ...
    @property
    def columns(self) -> Sequence[tuple[CanonicalField, int]]: ...


def _names(table: Bound) -> set[str]:
    return {column.name for column, _ in table.columns}


def _texts_at(table: Bound, place: int) -> list[str]:
    return [cells[place].text.strip() for cells in table.rows[:MOST_ADDED] if place < len(cells)]


def _texts_of(table: Bound, name: str) -> list[str]:
    return next((_texts_at(table, place) for column, place in table.columns if column.name == name), [])


def goes_on(document: Document, first: Bound, other: Bound) -> bool:
    """Whether another table has more of the same rows: items that are counted and priced, or columns set alike."""
    numbers = [column.name for column, _ in first.columns if column.type in _NUMERIC]
    if _names(first) != _names(other) or not numbers or _says_again(first, other, numbers):
        return False
    is_alike = (_counts_items(first) and _counts_items(other)) or _shape(first) == _shape(other)
    return is_alike and not _stand_apart(document, *sorted((first, other), key=start_of))


def _stand_apart(document: Document, above: Bound, below: Bound) -> bool:
    """Whether a sum, a title or a word in a heading tells the rows of one table from those of another."""
    headings = [(_heading(above, column), _heading(below, column)) for column, _ in above.columns]
    others = [pair for pair in headings if fold_name(pair[0]) != fold_name(pair[1])]
    if not all(heading_term(text.partition("(")[0]) for pair in others for text in pair):
        return True
    return _ends_in_sum(above) or (bool(others) and has_title(document, below, above))


def _heading(table: Bound, asked: CanonicalField) -> str:
    return next(table.header[place].text[:_LONGEST] for column, place in table.columns if column.name == asked.name)


def _ends_in_sum(table: Bound) -> bool:
    rows = ([cell.text.strip() for cell in cells] for cells in table.rows[-_MOST_SUMS:])
    return any(begins_sum(next((text for text in texts if text and not is_number(text)), "")) for texts in rows)


def _says_again(first: Bound, other: Bound, names: Sequence[str]) -> bool:
    """Whether two tables have the same numbers, as in two languages, or those of one sum up those of the other."""
    if max(len(first.rows), len(other.rows)) > MOST_ADDED:
        return False
    found = [(_texts_of(first, name), _texts_of(other, name)) for name in names]
    return all(one == two for one, two in found) or any(_restates(one, two) for one, two in found)


def _restates(one: Sequence[str], two: Sequence[str]) -> bool:
    return len(one) != len(two) and sums_alike(one, two)


def _counts_items(table: Bound) -> bool:
    return {heading_term(cell.text[:_LONGEST]) for cell in table.header} >= _FACTORS


def _shape(table: Bound) -> tuple[dict[str, int], list[str]]:
    """The places of the columns that are asked for, and what most cells of each column are."""
    kinds = [_kind(_texts_at(table, place)[:_SAMPLE]) for place in range(len(table.header))]
    return {column.name: place for column, place in table.columns}, kinds


def _kind(texts: Sequence[str]) -> str:
    filled = [text for text in texts if text]
    if sum(map(is_number, filled)) * 2 > len(filled):
        return "number"
    return "day" if sum(map(is_day, filled)) * 2 > len(filled) else "text"


def left_out(context: CapabilityContext, taken: Sequence[Bound], others: Sequence[Bound]) -> Iterator[Diagnostic]:
    """A warning for each table with all columns that are needed, whose rows may be those of the array too."""
    needed = {column.name for column in context.field.columns if column.required} or _names(taken[0])
    found = [column for column, _ in taken[0].columns if column.name in needed]
    names = [column.name for column in found if column.type in _NUMERIC] or [column.name for column in found[1:]]
    for other in others[:MOST_COMPARED] if names else ():
        if needed <= _names(other) and not any(_covers(one, other, names) for one in taken[:MOST_COMPARED]):
            told = (
                f"the rows of the table headed {told_headings(other.header)!r} may belong here too; they were left out"
            )
            yield Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, told, context.field.path)


def _covers(taken: Bound, other: Bound, names: Sequence[str]) -> bool:
    """Whether a table says nothing more than one that was taken."""
    return not any(other.rows) or (len(other.rows) <= len(taken.rows) and _says_again(taken, other, names))
