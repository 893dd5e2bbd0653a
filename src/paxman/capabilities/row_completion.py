"""Cells that a row's own formulas, lookups and defaults fill where the document has none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from typing import Any

import attrs

from paxman.capabilities.base import Candidate, Capability, CapabilityContext, CapabilityResult, EvidenceRef
from paxman.capabilities.derivation import Derivation
from paxman.capabilities.lookup import TableLookup
from paxman.capabilities.losses import left_out
from paxman.contract.constraints import problems
from paxman.contract.model import CanonicalField
from paxman.lazy import lazy_pattern
from paxman.types import Diagnostic, Fallback, FieldType, Severity, freeze

_ROW = lazy_pattern(r"\[([0-9]+)\]")


def complete(context: CapabilityContext, result: CapabilityResult) -> CapabilityResult:
    """The result with whole rows; one that still lacks what it needs is left out, and said so."""
    done = [_complete(context, candidate) for candidate in result.candidates]
    return attrs.evolve(result, candidates=tuple(candidate for candidate in done if candidate.value))


@attrs.define
class _Filling:
    """What filling the rows of one candidate has brought."""

    context: CapabilityContext
    refs: list[EvidenceRef] = attrs.field(factory=list)
    notes: list[Diagnostic] = attrs.field(factory=list)

    def row(self, shape: CanonicalField, row: Mapping[str, Any], scope: Mapping[str, Any], path: str) -> dict[str, Any]:
        """An object with its empty cells filled; a name means the object's own cell before any outside."""
        own = {child.name for child in shape.children}
        outer = {name: value for name, value in scope.items() if name.partition(".")[0] not in own}
        filled = dict(row)
        for child in _inputs_first(shape.children):
            place = f"{path}.{child.name}"
            value = self._inside(child, filled.get(child.name), {**outer, **_known(filled)}, place)
            if value is None and child.is_filled:
                value = self._fill(child, {**outer, **_known(filled)}, place)
            if value is not None:
                filled[child.name] = value
        return {child.name: filled[child.name] for child in shape.children if child.name in filled}

    def _inside(self, field: CanonicalField, value: Any, scope: Mapping[str, Any], path: str) -> Any:
        if field.type is FieldType.OBJECT and field.children and isinstance(value, Mapping):
            return self.row(field, value, scope, path)
        if field.fills_rows and field.items and isinstance(value, list | tuple):
            rows = enumerate(value)
            return [self.row(field.items, row, scope, f"{path}[{number}]") for number, row in rows]
        return value

    def _fill(self, field: CanonicalField, scope: Mapping[str, Any], path: str) -> Any:
        """The value of a cell: looked up, else computed, else the default."""
        cell = attrs.evolve(field, path=path)
        steps: list[tuple[Any, Capability]] = [(field.lookup, TableLookup()), (field.derive, Derivation())]
        for step in (capability for wanted, capability in steps if wanted):
            asked = attrs.evolve(self.context, spec=step.spec, field=cell, candidates=(), resolved=scope)
            found = step.invoke(asked)
            self.notes += found.diagnostics
            values = {repr(candidate.value): candidate for candidate in found.candidates}
            if len(values) == 1:
                return self._take(cell, found.candidates[0])
        return self._default(cell)

    def _take(self, cell: CanonicalField, candidate: Candidate) -> Any:
        broken = problems(cell, candidate.value)
        if broken:
            message = f"the cell was left out: {broken[0]}"
            self.notes.append(Diagnostic("VALIDATION_FAILED", Severity.WARNING, message, cell.path))
            return None
        self.notes += candidate.diagnostics
        # A cell that was made adds no place of the document that speaks for the rows.
        self.refs += [attrs.evolve(ref, role="context") for ref in candidate.evidence_refs]
        return candidate.value

    def _default(self, cell: CanonicalField) -> Any:
        if cell.fallback_policy is not Fallback.USE_DEFAULT or cell.default is None:
            return None
        self.notes.append(Diagnostic("DEFAULT_USED", Severity.INFO, "the contract's default", cell.path))
        return cell.default


def _complete(context: CapabilityContext, candidate: Candidate) -> Candidate:
    field, filling = context.field, _Filling(context)
    if field.items is None or not isinstance(candidate.value, list | tuple):
        return candidate
    rows = [
        filling.row(field.items, row, context.resolved, f"{field.path}[{number}]") if isinstance(row, Mapping) else row
        for number, row in enumerate(candidate.value)
    ]
    broken = {number: why for number, row in enumerate(rows) if (why := next(_lacking(field.items, row), ""))}
    losses = [_loss(context, candidate, number, why, filling.notes) for number, why in broken.items()]
    kept = {old: new for new, old in enumerate(n for n in range(len(rows)) if n not in broken)}
    return attrs.evolve(
        candidate,
        value=freeze([rows[number] for number in kept]),
        evidence_refs=tuple(_renumbered(field, (*candidate.evidence_refs, *filling.refs), kept)),
        diagnostics=(*_renumbered(field, (*candidate.diagnostics, *filling.notes), kept), *losses),
    )


def _lacking(shape: CanonicalField, value: Any, path: str = "") -> Iterator[str]:
    """What could not be filled either."""
    for child in shape.children if isinstance(value, Mapping) else ():
        found, name = value.get(child.name), f"{path}{child.name}"
        if found is None and child.required and child.is_filled and not child.nullable:
            yield f"{name}: missing"
        yield from _lacking(child, found, f"{name}.")
    rows = value if shape.items and isinstance(value, list | tuple) else ()
    for number, row in enumerate(rows):
        yield from _lacking(shape.items or shape, row, f"{path.removesuffix('.')}[{number}].")


def _loss(
    context: CapabilityContext, rows: Candidate, number: int, why: str, notes: Sequence[Diagnostic]
) -> Diagnostic:
    """A row that could not be filled, where its cells stand."""
    row = f"{context.field.path}[{number}]."
    reasons = [f"; {note.message}" for note in notes if note.field_path == row + why.partition(":")[0]]
    spans = [ref.span for ref in rows.evidence_refs if ref.span and ref.field_path.startswith(row)] or [(0, 0)]
    whole = (min(start for start, _ in spans), max(end for _, end in spans))
    return left_out(context, f"{why}{''.join(reasons)}", whole, row=number + 1)


def _renumbered(field: CanonicalField, said: Sequence[Any], kept: Mapping[int, int]) -> Iterator[Any]:
    """Evidence or notes on the rows that are kept, at their new places."""
    for each in said:
        rest = (each.field_path or "").removeprefix(field.path)
        row = _ROW.match(rest)
        if row is None:
            yield each
        elif int(row[1]) in kept:
            path = f"{field.path}[{kept[int(row[1])]}]{rest[row.end() :]}"
            yield each if path == each.field_path else attrs.evolve(each, field_path=path)


def _inputs_first(children: Sequence[CanonicalField]) -> list[CanonicalField]:
    by_name = {child.name: child for child in children}
    needs = {name: [n.partition(".")[0] for n in child.needs] for name, child in by_name.items()}
    order = TopologicalSorter({name: [n for n in found if n in by_name and n != name] for name, found in needs.items()})
    return [by_name[name] for name in order.static_order()]


def _known(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None}
