"""The cells of a row read into values, checked against each other, and what is said of all rows of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.records import Record
from paxman.capabilities.table_arithmetic import multiplies
from paxman.capabilities.table_headings import Vocabulary
from paxman.capabilities.values import Found, conventions, read_at
from paxman.contract.constraints import problems
from paxman.contract.model import CanonicalField
from paxman.documents.headings import Bound
from paxman.finding.blanks import is_filled
from paxman.lazy import lazy_pattern
from paxman.transforms import run
from paxman.types import Diagnostic, FieldType, Money, Severity, Span

_AMOUNTS = frozenset({FieldType.DECIMAL, FieldType.MONEY})


class Piece(NamedTuple):
    """A cell's text: what `steps` make of the document's text at `span`."""

    text: str
    span: Span
    steps: tuple[str, ...] = ()
    debit: str = ""
    """The mark of debits in its column, where numbers there have a mark for their sign."""
    currency: str = ""
    """What a column of its own says."""


class Fit(NamedTuple):
    """Which column each field has, what is said of those that no heading told, and of fields without one."""

    bound: Bound
    taken: Sequence[Diagnostic] = ()
    left: Sequence[Diagnostic] = ()

    def noted(self, reading: Reading, left: Sequence[Diagnostic] = ()) -> Reading:
        notes = [*self.taken, *left]
        reading.record.doubts += notes
        reading.guessed = len(self.taken)
        reading.unclear |= any(note.severity is Severity.WARNING for note in notes)
        return reading


@attrs.define
class Reading:
    """The rows of a table, and how often quantity times price was the line's total, or was not."""

    record: Record = attrs.field(factory=Record)
    agree: int = 0
    differ: int = 0
    seen: int = 0
    """Rows that were read or rejected."""
    unclear: bool = False
    """Whether texts may belong to other rows."""
    guessed: int = 0
    """Columns that no heading names."""

    @property
    def rank(self) -> tuple[int, int, int, int]:
        """The table with the most columns below headings of their own comes first, then the one with the most rows."""
        columns = {name for row in self.record.rows for name in row}
        return len(columns) - self.guessed, len(self.record.rows), self.agree - self.differ, len(self.record.refs)


def add_row(
    context: CapabilityContext,
    reading: Reading,
    pieces: Mapping[int, Piece],
    vocabulary: Vocabulary,
    percents: Sequence[Decimal] = (),
) -> None:
    """One row from its cells, by the place of their column in the contract, or rejected with the reason."""
    field, record = context.field, reading.record
    path = f"{field.path}[{len(record.rows)}]"
    pieces = {at: _without_unit(p) if vocabulary.roles[at] == "count" else p for at, p in pieces.items()}
    cells = [
        (column, pieces.get(place), _read_piece(context, column, pieces.get(place), f"{path}.{column.name}"))
        for place, column in enumerate(field.columns)
    ]
    values = {column.name: found.value for column, _, found in cells if found}
    reason = next(filter(None, (_refusal(*cell) for cell in cells)), None)
    if reason or not values:
        reject_row(context, reading, reason or "no value in any column")
        reading.unclear |= _is_item(values)
        return
    reading.seen += 1
    record.rows.append(values)
    record.refs += [found.ref for _, _, found in cells if found]
    record.doubts += [note for _, _, found in cells if found for note in found.diagnostics]
    for column in (column for column, piece, found in cells if piece and not found and is_filled(piece.text)):
        record.leave_out(f"{path}.{column.name}", f"not {column.type.value}")
    _check(reading, _factors(field, values, vocabulary), percents)


def _is_item(values: Mapping[str, Any]) -> bool:
    """Whether what was read of a row is that of an item, with a text and several numbers, and no sum or charge."""
    numbers = sum(isinstance(value, Decimal | Money) for value in values.values())
    return numbers > 1 and any(isinstance(value, str) for value in values.values())


def reject_row(context: CapabilityContext, reading: Reading, reason: str) -> None:
    reading.record.reject(context.field.path, reading.seen, reason)
    reading.seen += 1


def _read_piece(context: CapabilityContext, column: CanonicalField, piece: Piece | None, path: str) -> Found | None:
    if piece is None or not piece.text.strip():
        return None
    how = conventions(context)
    if piece.currency and column.type is FieldType.MONEY:
        how = attrs.evolve(how, currency=piece.currency, states_currency=True)
    found = read_at(context, column, piece.text, piece.span, how, piece.steps, path=path)
    return _signed(found[0], piece) if found else None


def _signed(found: Found, piece: Piece) -> Found:
    if not piece.debit:
        return found
    from paxman.capabilities.credit_marks import signed

    return signed(found, piece.text, piece.debit)


def _without_unit(piece: Piece) -> Piece:
    """A quantity without the unit that is glued to it: "2m", "10kg"; thousands and millions are none."""
    unit = _GLUED_UNIT.fullmatch(piece.text) if not piece.steps else None
    return piece._replace(text=unit[1], span=(piece.span[0], piece.span[0] + len(unit[1]))) if unit else piece


_GLUED_UNIT = lazy_pattern(r"(-?\d[\d.,]*)(?!(?:[kKMxX]|st|nd|rd|th)\.?\Z)[^\W\d_]{1,8}[²³2-3]?\.?")


def _refusal(column: CanonicalField, piece: Piece | None, found: Found | None) -> str | None:
    """Why a cell spoils its row; an optional one that cannot be read does not."""
    if found:
        broken = problems(column, found.value)
        return f"{column.name}: {broken[0]}" if broken else None
    if column.required:
        return f"{column.name}: not {column.type.value}" if piece and piece.text.strip() else f"{column.name}: missing"
    return None


def _factors(field: CanonicalField, values: Mapping[str, Any], vocabulary: Vocabulary) -> list[Decimal]:
    """Quantity, price and total of a row, if it has all three."""
    found = [values.get(field.columns[place].name) for place in vocabulary.factors]
    amounts = [value.amount if isinstance(value, Money) else value for value in found]
    return [Decimal(each) for each in amounts if isinstance(each, int | Decimal)]


def _check(reading: Reading, factors: list[Decimal], percents: Sequence[Decimal]) -> None:
    """Count whether a row agrees with itself."""
    if len(factors) < 3:
        return
    if multiplies(factors, percents):
        reading.agree += 1
    else:
        reading.differ += 1


def doubt(context: CapabilityContext, reading: Reading, message: str) -> None:
    """Say that a table can be read in several ways."""
    reading.unclear = True
    reading.record.doubts.append(Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, context.field.path))


def amount_places(columns: Sequence[CanonicalField], vocabulary: Vocabulary) -> list[int]:
    roles = zip(columns, vocabulary.roles, strict=True)
    return [place for place, (column, role) in enumerate(roles) if column.type in _AMOUNTS and role != "count"]


def joined(text: str, spans: Sequence[Span]) -> Piece:
    """One piece over all parts, with the step that takes only them."""
    start, end = spans[0][0], spans[-1][1]
    steps: tuple[str, ...] = ()
    if len(spans) > 1:
        steps = ("join:" + " ".join(f"{first - start}-{last - start}" for first, last in spans),)
    return Piece(run(steps, text[start:end]), (start, end), steps)
