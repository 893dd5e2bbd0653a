"""Rows that a model quotes cell by cell: each is found on the page as one row, or rejected by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from paxman.capabilities.base import Candidate, CapabilityContext, EvidenceRef
from paxman.capabilities.losses import left_out
from paxman.capabilities.quoted_values import read_quote
from paxman.capabilities.values import Found
from paxman.contract.constraints import problems, unlike
from paxman.contract.model import CanonicalField
from paxman.inference.grounding import Haystack, fitting
from paxman.inference.models import asked_columns
from paxman.inference.prompting import QuotedRow
from paxman.types import Diagnostic, Severity, Span, freeze

_WIDEST = 600
"""Characters between the cells of one row: a few lines of a page."""


@attrs.define
class _Placed:
    """A row with the place and the value of each cell."""

    values: dict[str, Any] = attrs.field(factory=dict)
    refs: dict[str, EvidenceRef] = attrs.field(factory=dict)

    @property
    def start(self) -> int:
        return min((ref.span[0] for ref in self.refs.values() if ref.span), default=0)

    @property
    def spans(self) -> frozenset[Span]:
        return frozenset(ref.span for ref in self.refs.values() if ref.span)


@attrs.define
class RowGathering:
    """The rows of one array, over all pieces of the text that the model was shown."""

    context: CapabilityContext
    speaker: str
    model: str
    rows: list[_Placed] = attrs.field(factory=list)
    notes: list[Diagnostic] = attrs.field(factory=list)
    given: int = 0

    def take(self, quoted: Sequence[QuotedRow], haystack: Haystack) -> str:
        """Add the rows of one answer; the outcome in a word."""
        before, used = len(self.rows), {span for row in self.rows for span in row.spans}
        again, last = 0, -1
        for cells in quoted:
            self.given += 1
            placed = self._place(cells, haystack, used, last)
            if placed is None:
                continue
            if _is_among(placed, self.rows[before:]):
                self._reject("another row was found at the same place")
                continue
            if _is_among(placed, self.rows):
                again += 1
                continue
            used |= placed.spans
            last = placed.start
            self.rows.append(placed)
        return "quoted" if len(self.rows) > before or again else "ungrounded"

    def _place(self, cells: QuotedRow, haystack: Haystack, used: set[Span], last: int) -> _Placed | None:
        """The cells where they stand together; None, with a note, for a row that the page does not have."""
        field = self.context.field
        columns = [column for column in asked_columns(field) if cells.get(column.name)]
        text = self.context.document.text
        found = {c.name: fitting(c.type, text, cells[c.name], haystack.find(cells[c.name])) for c in columns}
        missing = [column for column in columns if not found[column.name]]
        lost = [column.name for column in missing if column.required]
        if lost or not any(found.values()):
            self._reject(f"{', '.join(lost)} of it is not in the document" if lost else "it is not in the document")
            return None
        for column in missing:
            self._note(
                "UNGROUNDED_ANSWER",
                f"{column.name} of row {self.given} that {self.speaker} quotes is not in the document",
            )
        return self._read([c for c in columns if found[c.name]], cells, _together(found, used, last))

    def _read(self, columns: Sequence[CanonicalField], cells: QuotedRow, places: Mapping[str, Span]) -> _Placed | None:
        placed = _Placed()
        for column in columns:
            place = places.get(column.name)
            path = f"{self.context.field.path}[].{column.name}"
            read = read_quote(self.context, column, place, cells[column.name], self.model, path) if place else []
            broken = _broken(column, place, read)
            if not broken:
                placed.values[column.name], placed.refs[column.name] = read[0].value, read[0].ref
                self.notes += read[0].diagnostics
            elif column.required:
                self._reject(f"{column.name}: {broken[0]}", place)
                return None
            else:
                self._note("VALIDATION_FAILED", f"{column.name} of row {self.given} was left out: {broken[0]}")
        shape = self.context.field.items
        wrong = problems(shape, placed.values) if shape else ()
        if wrong or not placed.values:
            self._reject(wrong[0] if wrong else "nothing in it can be read")
            return None
        return placed

    def _reject(self, why: str, place: Span | None = None) -> None:
        self.notes.append(left_out(self.context, why, place or (0, 0), row=self.given, by=self.speaker))

    def _note(self, code: str, message: str) -> None:
        self.notes.append(Diagnostic(code, Severity.WARNING, message, self.context.field.path))

    def candidate(self) -> Candidate | None:
        """All rows in the order of the page, each cell with its own evidence."""
        if not self.rows:
            return None
        path, refs = self.context.field.path, []
        ordered = sorted(self.rows, key=lambda row: row.start)
        for number, row in enumerate(ordered):
            refs += [attrs.evolve(ref, field_path=f"{path}[{number}].{name}") for name, ref in row.refs.items()]
        return Candidate(freeze([row.values for row in ordered]), tuple(refs))


def _is_among(placed: _Placed, rows: Sequence[_Placed]) -> bool:
    """Whether a row is there already, as those are that stand in the part that two pieces share."""
    return any(placed.spans <= row.spans or row.spans <= placed.spans for row in rows)


def _broken(column: CanonicalField, place: Span | None, read: Sequence[Found]) -> tuple[str, ...]:
    """What is wrong with a cell."""
    if place is None:
        return ("stands elsewhere",)
    return problems(column, read[0].value)[:1] if read else (unlike(column),)


def _together(found: Mapping[str, Sequence[Span]], used: set[Span], last: int) -> dict[str, Span]:
    """A place for each cell, all near the one of the cell that has the fewest, below the row before."""
    free = {name: [place for place in places if place not in used] or list(places) for name, places in found.items()}
    free = {name: places for name, places in free.items() if places}
    anchor = min(free, key=lambda name: (len(free[name]), name))
    ahead = [place for place in free[anchor] if place[0] > last] or free[anchor]
    choices = [_around(place, anchor, free) for place in ahead]
    return min(choices, key=lambda each: (-len(each), _spread(each), min(each.values())))


def _around(place: Span, anchor: str, free: Mapping[str, Sequence[Span]]) -> dict[str, Span]:
    """The nearest place of each other cell that no cell before has, within the width of a row."""
    chosen = {anchor: place}
    for name, places in free.items():
        if name == anchor:
            continue
        near = [each for each in places if abs(each[0] - place[0]) <= _WIDEST and each not in chosen.values()]
        if near:
            chosen[name] = min(near, key=lambda each: (abs(each[0] - place[0]), each))
    return chosen


def _spread(chosen: Mapping[str, Span]) -> int:
    return max(end for _, end in chosen.values()) - min(start for start, _ in chosen.values())
