"""Rows that a model answers, each held against the lines where it stands."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

import attrs

from paxman.capabilities.answered import CONCLUDED, UNGROUNDED, Grounded, ShownPage, line_spans
from paxman.capabilities.base import Candidate, CapabilityContext, EvidenceRef
from paxman.capabilities.rejected_rows import ledger_of, left_out, listed
from paxman.contract.constraints import problems, unlike
from paxman.contract.model import CanonicalField
from paxman.inference.grounding import is_same_words
from paxman.inference.prompting import ModelAnswer
from paxman.lazy import lazy_pattern
from paxman.types import Diagnostic, FieldType, RowLedger, Severity, Span, freeze, thaw

_TALLEST = 4
"""Lines that a row may take."""
_MOST_NAMED, _MOST_CONFLICTS = 5, 20
_NEARLY_ALL = 0.9
_ROW = lazy_pattern(r"\[(\d+)\]")
_PARTED = (FieldType.OBJECT, FieldType.ARRAY, FieldType.MAP)


@attrs.define
class MadeRow:
    """A row with its value, the evidence of its cells and notes on them by their paths within it, and its line."""

    value: Any
    refs: list[tuple[str, EvidenceRef]]
    line: int = 0
    notes: tuple[Diagnostic, ...] = ()

    @property
    def spans(self) -> frozenset[Span]:
        return frozenset(ref.span for _, ref in self.refs if ref.span and ref.role == "supporting")


@attrs.define
class RowGathering:
    """The elements of one array, over all pieces of the text that the model was shown."""

    context: CapabilityContext
    speaker: str
    rows: list[MadeRow] = attrs.field(factory=list)
    read: list[Candidate] = attrs.field(factory=list)
    """The rows that code read by the heads that the model named."""
    notes: list[Diagnostic] = attrs.field(factory=list)
    given: int = 0
    rejected: int = 0
    loose: dict[str, list[str]] = attrs.field(factory=dict)
    """Cells that were concluded, and cells that nothing bears out, by code."""
    unsaid: set[str] = attrs.field(factory=set)
    """Columns that the contract requires and the model says some rows do not have."""

    def take(self, rows: Sequence[tuple[int | None, Any]], page: ShownPage) -> str:
        """Add the rows of one answer; the outcome in a word."""
        before, known, own = len(self.rows), _Places(self.rows), _Places()
        starts = [line for line, _ in rows if line] + [0]
        behind = dict(pairwise(sorted(set(starts))))
        for line, value in rows:
            self.given += 1
            reach = range(line, min(behind.get(line, line + _TALLEST), line + _TALLEST)) if line else range(0)
            made = self._make(value, tuple(reach), page)
            if made is None or known.hold(made):
                continue
            if own.hold(made, same=True):
                self._reject("another row was found at the same place", made)
            else:
                self.rows.append(made)
                own.add(made)
        return "answered" if len(self.rows) > before else "absent" if not rows else "rejected"

    def _make(self, value: Any, lines: tuple[int, ...], page: ShownPage) -> MadeRow | None:
        """A row of typed cells; None, with a note, for one that lacks what the contract needs."""
        field = self.context.field
        shape = field.items or CanonicalField(field.id, field.path, field.name, FieldType.STRING)
        made = MadeRow(None, [], lines[0] if lines else 0)
        made.value = self._value(shape, value, lines, page, "", made)
        cells = value if isinstance(value, Mapping) else {}
        lacking = {child.name for child in shape.children if child.required and cells.get(child.name) is None}
        unsaid = lacking if 2 * len(lacking) < len(shape.children) else set()
        eased = field.without(unsaid).items or shape
        wrong = problems(eased, made.value) if made.value not in (None, {}) else (unlike(shape),)
        if wrong:
            self._reject(wrong[0], made)
            return None
        self.unsaid |= unsaid
        return made

    def _reject(self, why: str, row: MadeRow) -> None:
        self.rejected += 1
        span = min((ref.span for _, ref in row.refs if ref.span), default=(0, 0))
        self.notes.append(left_out(self.context, why, span, row=self.given, by=self.speaker))

    def _value(
        self, shape: CanonicalField, value: Any, lines: tuple[int, ...], page: ShownPage, at: str, row: MadeRow
    ) -> Any:
        """A cell, or all cells of what is made of several."""
        if shape.type is FieldType.OBJECT and shape.children:
            cells = value if isinstance(value, Mapping) else {}
            read = {
                child.name: self._value(child, cells.get(child.name), lines, page, f"{at}.{child.name}", row)
                for child in shape.children
            }
            return {name: cell for name, cell in read.items() if cell is not None} or None
        if shape.type is FieldType.ARRAY:
            items = [item for item in value if item is not None] if isinstance(value, list) else []
            element = shape.items or attrs.evolve(shape, type=FieldType.STRING)
            made = [self._value(element, item, lines, page, f"{at}[{n}]", row) for n, item in enumerate(items)]
            return [item for item in made if item is not None] if isinstance(value, list) else None
        if value is None or shape.type in _PARTED:
            return None
        path = f"{self.context.field.path}[{len(self.rows)}]{at}"
        grounded = page.ground(shape, ModelAnswer(value, lines), path)
        broken = problems(shape, grounded.found.value) if grounded else (unlike(shape),)
        if grounded is None or broken:
            message = f"{at.lstrip('.') or 'it'} of row {self.given} was left out: {broken[0]}"
            self.notes.append(Diagnostic("VALIDATION_FAILED", Severity.WARNING, message, path))
            return None
        return self._kept(grounded, at, row, page)

    def _kept(self, grounded: Grounded, at: str, row: MadeRow, page: ShownPage) -> Any:
        """The value of a cell, noted with its grounds; one without any is left out where the policy wants them."""
        if grounded.how != "stated":
            code = CONCLUDED if grounded.how == "concluded" else UNGROUNDED
            self.loose.setdefault(code, []).append(f"{at.lstrip('.') or 'it'} of row {self.given}")
            if self.context.policy.require_grounding:
                return None
        row.refs += [(at, ref) for ref in grounded.refs]
        page.taken |= {ref.span for ref in grounded.refs if ref.span}
        self.notes += grounded.found.diagnostics
        return grounded.found.value

    def all_notes(self) -> Iterator[Diagnostic]:
        yield from self.notes
        for code, cells in sorted(self.loose.items()):
            shown = ", ".join(cells[:_MOST_NAMED]) + (
                f" and {len(cells) - _MOST_NAMED} more" if len(cells) > _MOST_NAMED else ""
            )
            said = "the lines say it only to a reader" if code == CONCLUDED else "the page does not say it"
            severity = Severity.INFO if code == CONCLUDED else Severity.WARNING
            yield Diagnostic(code, severity, f"{shown}: {said}", self.context.field.path, {"cells": len(cells)})

    def candidate(self) -> Candidate | None:
        """All rows, joined with those that were found before, each cell with its own evidence."""
        if self.read:
            return self._with_tables()
        if not self.rows:
            return None
        joined = (join(self.context, found, self.rows) for found in self.context.candidates)
        ledger = attrs.evolve(ledger_of(len(self.rows), self.rejected), unbound=sorted(self.unsaid))
        return next((each for each in joined if each), None) or to_candidate(self.context, self.rows, ledger)

    def _with_tables(self) -> Candidate:
        """The rows of tables whose heads the model named, with those that it gives beside them, by their lines."""
        if len(self.read) == 1 and not self.rows and not self.rejected:
            return self.read[0]
        lines, given = line_spans(self.context.document), dict[int, MadeRow]()
        known = [row for each in self.read for row in _rows_of(self.context, each)]
        there, beside = {row.line for row in known}, list[MadeRow]()
        for row in self.rows:
            row.line = row.line or next(iter(_homes(row, lines)), 0)
            if given.setdefault(row.line, row) is not row or row.line not in there:
                beside.append(row)
        both = [_merged(row, given[row.line], False) if row.line in given else row for row in known]
        whole = sorted((*both, *beside), key=lambda row: row.line)
        first, *others = [each.rows or ledger_of(len(each.value), 0) for each in self.read]
        needed = [column.name for column in self.context.field.columns if column.required]
        ledger = first.joined([row.value for row in whole], needed)
        lost = self.rejected + sum(each.rejected for each in others)
        expected = ledger.expected + (lost if ledger.expected_by == "structure" else 0)
        ledger = attrs.evolve(ledger, rejected=ledger.rejected + lost, expected=expected)
        return to_candidate(self.context, whole, ledger)


class _Places:
    """Which rows stand at a place, so that one that is there already is known without a look at all of them."""

    def __init__(self, rows: Iterable[MadeRow] = ()) -> None:
        self._rows: dict[Span, set[int]] = {}
        self._values: list[Any] = []
        for row in rows:
            self.add(row)

    def add(self, row: MadeRow) -> None:
        for span in row.spans:
            self._rows.setdefault(span, set()).add(len(self._values))
        self._values.append(row.value)

    def hold(self, row: MadeRow, same: bool = False) -> bool:
        """Whether a row is there already, as those are that stand in the part that two pieces share.

        `same` asks for the same values as well: several rows may rest on one line.
        """
        if not all(ref.span for _, ref in row.refs):
            return False
        at = sorted((self._rows.get(span, set()) for span in row.spans), key=len)
        there = set.intersection(*at) if at else range(len(self._values))
        return any(not same or self._values[number] == row.value for number in there)


def to_candidate(context: CapabilityContext, rows: Sequence[MadeRow], ledger: RowLedger) -> Candidate:
    """Rows as one candidate, each cell with its own evidence."""
    path, refs, notes = context.field.path, list[EvidenceRef](), list[Diagnostic]()
    for number, row in enumerate(rows):
        refs += [attrs.evolve(ref, field_path=f"{path}[{number}]{at}") for at, ref in row.refs]
        notes += [attrs.evolve(note, field_path=f"{path}[{number}]{note.field_path}") for note in row.notes]
    made = listed([freeze(row.value) for row in rows], refs, ledger)
    return attrs.evolve(made, diagnostics=tuple(notes[:_MOST_CONFLICTS]))


# ---- rows of two finders


def join(context: CapabilityContext, others: Candidate, rows: Sequence[MadeRow]) -> Candidate | None:
    """The rows of a model and those that were found before as one list, by the lines that they stand on, in order.

    Nothing where the other rows have no lines, or none in common although they are more. Cells that differ are a
    CONFLICT of the cell. A row that only the other finder has is kept where what they share bears its table out.
    """
    known, lines = _rows_of(context, others), line_spans(context.document)
    homes = [row.line or next(iter(_homes(row, lines)), 0) for row in rows]
    pairs = _pairs(known, rows, homes, lines)
    if not known or (not pairs and len(known) > len(rows)):
        return None
    paired = set(pairs.values())
    among = set(range(len(known))) if any(ref.supports for ref in others.evidence_refs) else set[int]()
    if not among and _bear_out(rows, known, pairs):
        among = _within(len(known), paired)
    tied = bool(among)
    made = [_merged(row, known[pairs[number]], tied) if number in pairs else row for number, row in enumerate(rows)]
    alone = {at: row for at, row in enumerate(known) if at not in paired}
    least = _least_filled([known[at] for at in pairs.values()], [note for row in made for note in row.notes])
    inside = range(min(homes), max(homes))
    kept = [
        row
        for at, row in alone.items()
        if at in among and len(_cells(row.value)) >= least and (least > 1 or row.line in inside)
    ]
    order = [*zip(homes, made, strict=True), *((row.line, row) for row in kept)]
    if homes == sorted(homes):
        order.sort(key=lambda each: each[0])
    whole = [row for _, row in order]
    ledger = (others.rows or ledger_of(len(known), 0)).joined(
        [row.value for row in whole], [column.name for column in context.field.columns if column.required]
    )
    joined = to_candidate(context, whole, ledger)
    dropped = [row for row in alone.values() if row not in kept]
    if not dropped:
        return joined
    lost = [attrs.evolve(ref, field_path=f"{context.field.path}[]{at}") for row in dropped for at, ref in row.refs]
    where = ", ".join(str(row.line) for row in dropped[:_MOST_NAMED])
    message = f"{len(dropped)} more rows were found that the model has not, from line {where}"
    note = Diagnostic("CONFLICT", Severity.WARNING, message, context.field.path)
    return attrs.evolve(
        joined,
        evidence_refs=(*joined.evidence_refs, *(attrs.evolve(ref, role="rejected") for ref in lost)),
        diagnostics=(*joined.diagnostics, note),
    )


def _rows_of(context: CapabilityContext, found: Candidate) -> list[MadeRow]:
    """Rows with the evidence of their cells and the line where they begin; none where a row has no place."""
    path, lines = context.field.path, line_spans(context.document)
    rows = [MadeRow(thaw(value), []) for value in found.value]
    for ref in found.evidence_refs:
        place = _ROW.match(ref.field_path.removeprefix(path))
        if place and ref.is_of_value and ref.span:
            rows[int(place[1])].refs.append((ref.field_path.removeprefix(path)[place.end() :], ref))
    for row in rows:
        row.line = next(iter(_homes(row, lines)), 0)
    return rows if all(row.line for row in rows) else []


def _homes(row: MadeRow, lines: Sequence[Span]) -> list[int]:
    """The lines where cells of a row stand, those with most first; two where two tables were joined."""
    stands = Counter(bisect_right(lines, (ref.span[0] + 1,)) for _, ref in row.refs if ref.span)
    return [line for line, count in stands.most_common() if 2 * count >= max(stands.values())]


def _pairs(
    known: Sequence[MadeRow], rows: Sequence[MadeRow], homes: Sequence[int], lines: Sequence[Span]
) -> dict[int, int]:
    """Which row of the model is which other one: those with the same cells, then those on the same line, in order."""
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    ways: tuple[tuple[Sequence[Sequence[int | str]], Sequence[int | str]], ...] = (
        ([[repr(row.value)] for row in known], [repr(row.value) for row in rows]),
        ([_homes(row, lines) for row in known], homes),
    )
    for theirs, mine in ways:
        waiting: dict[int | str, list[int]] = {}
        for at, places in reversed([*enumerate(theirs)]):
            for place in places:
                waiting.setdefault(place, []).append(at)
        for number, place in enumerate(mine):
            free = waiting.get(place, []) if number not in pairs else []
            while free and free[-1] in taken:
                free.pop()
            if free:
                pairs[number] = free.pop()
                taken.add(pairs[number])
    return pairs


def _bear_out(rows: Sequence[MadeRow], known: Sequence[MadeRow], pairs: Mapping[int, int]) -> bool:
    """Whether nearly all rows of the model are among the others, and say the same in nearly all cells."""
    both = [(_cells(rows[number].value), _cells(known[at].value)) for number, at in pairs.items()]
    alike = [_is_same(mine[at], theirs[at]) for mine, theirs in both for at in mine.keys() & theirs.keys()]
    return len(pairs) >= _NEARLY_ALL * len(rows) and sum(alike) >= _NEARLY_ALL * max(len(alike), len(pairs))


def _within(count: int, paired: Collection[int]) -> set[int]:
    """The rows with a partner and those between them; others before the first or behind the last only if as few."""
    runs = [(shared, [*each]) for shared, each in groupby(range(count), key=lambda at: at in paired)]
    most = max((len(each) for shared, each in runs[1:-1] if not shared), default=0)
    return {at for shared, each in runs if shared or len(each) <= most for at in each}


def _least_filled(shared: Sequence[MadeRow], conflicts: Sequence[Diagnostic]) -> int:
    """The cells that a row of the other finder needs to be taken: half of those that it fills where both have it."""
    filled = sorted(len(_cells(row.value)) for row in shared)
    if 2 * len(conflicts) > sum(filled) or not filled:
        return 1_000
    return max(1, (filled[len(filled) // 2] + 1) // 2)


def _cells(value: Any) -> Mapping[str, Any]:
    return {f".{name}": cell for name, cell in value.items()} if isinstance(value, Mapping) else {"": value}


def _merged(row: MadeRow, other: MadeRow, fills: bool) -> MadeRow:
    """One row of two finders. Of two values for a cell, one that a page ties goes before what was concluded.

    `fills` where the other's table is accounted for, so that its cells stand in for what the model leaves open.
    """
    mine, theirs, refs, notes = dict(_cells(row.value)), _cells(other.value), list(row.refs), list(row.notes)
    for at, cell in theirs.items():
        found = [(path, ref) for path, ref in other.refs if path == at or path.startswith((f"{at}.", f"{at}["))]
        own = [ref for path, ref in row.refs if path == at and ref.is_of_value]
        if at not in mine and fills:
            mine[at] = cell
        elif at not in mine:
            found = [(path, attrs.evolve(ref, role="rejected")) for path, ref in found]
        elif not _is_same(mine[at], cell):
            is_loose = bool(own) and not any(ref.supports and not ref.is_concluded for ref in own)
            takes = is_loose and (fills or any(ref.supports for _, ref in found))
            said, lost = (cell, mine[at]) if takes else (mine[at], cell)
            notes.append(Diagnostic("CONFLICT", Severity.WARNING, f"{said!r} was taken, also found: {lost!r}", at))
            mine[at] = said
            if takes:
                refs = [(path, attrs.evolve(ref, role="rejected") if path == at else ref) for path, ref in refs]
            else:
                found = [(path, attrs.evolve(ref, role="rejected")) for path, ref in found]
        refs += found
    value = {at[1:]: cell for at, cell in mine.items()} if isinstance(row.value, Mapping) else mine[""]
    return MadeRow(value, refs, row.line or other.line, tuple(notes))


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return is_same_words(one, other)
    return bool(freeze(one) == freeze(other))
