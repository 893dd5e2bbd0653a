"""Cells of rows and objects that their formulas, lookups and defaults fill where the document has none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from typing import Any

import attrs

from paxman.capabilities.base import Candidate, Capability, CapabilityContext, CapabilityResult, EvidenceRef, renumbered
from paxman.capabilities.derivation import Derivation
from paxman.capabilities.lookup import TableLookup
from paxman.capabilities.rejected_rows import ledger_of, left_out, listed
from paxman.contract.constraints import problems, resolved
from paxman.contract.model import CanonicalField
from paxman.types import Diagnostic, Fallback, FieldType, Severity, freeze


def complete(context: CapabilityContext, result: CapabilityResult) -> CapabilityResult:
    """The result with whole rows and objects; one that still lacks what it needs is left out, and said so."""
    done = [_complete(context, candidate) for candidate in result.candidates]
    lost = [note for candidate in done if not candidate.value for note in candidate.diagnostics]
    kept = tuple(candidate for candidate in done if candidate.value)
    return attrs.evolve(result, candidates=kept, diagnostics=(*result.diagnostics, *lost))


@attrs.define
class _Filling:
    """What filling the cells of one candidate has brought."""

    context: CapabilityContext
    refs: list[EvidenceRef] = attrs.field(factory=list)
    notes: list[Diagnostic] = attrs.field(factory=list)

    def whole(self, shape: CanonicalField | None, value: Any, scope: Mapping[str, Any], path: str) -> Any:
        """A value with the empty cells of all objects in it filled."""
        shape = resolved(shape, value)
        if shape is None or not shape.fills_inside:
            return value
        if isinstance(value, Mapping):
            # An object with its empty cells filled; a name means the object's own cell before any outside.
            own = {child.name for child in shape.children}
            outer = {name: known for name, known in scope.items() if name.partition(".")[0] not in own}
            filled = dict(value)
            for child in _inputs_first(shape.children):
                place = f"{path}.{child.name}"
                known = {**outer, **{name: cell for name, cell in filled.items() if cell is not None}}
                found = self.whole(child, filled.get(child.name), known, place)
                if found is None and child.is_filled:
                    found = self._fill(child, known, place)
                if found is not None:
                    filled[child.name] = found
            for name in _entries(shape, filled):
                filled[name] = self.whole(shape.items, filled[name], scope, f"{path}.{name}")
            named = {child.name: filled.pop(child.name) for child in shape.children if child.name in filled}
            return {**named, **filled} if shape.type is FieldType.MAP else named
        if not isinstance(value, list | tuple):
            return value
        return [self.whole(shape.item(number), each, scope, f"{path}[{number}]") for number, each in enumerate(value)]

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
        if cell.fallback_policy is not Fallback.USE_DEFAULT or cell.default is None:
            return None
        self.notes.append(Diagnostic("DEFAULT_USED", Severity.INFO, "the contract's default", cell.path))
        return cell.default

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


def _entries(shape: CanonicalField, value: Mapping[str, Any]) -> list[str]:
    """The keys of a map that are the document's own."""
    own = {child.name for child in shape.children}
    return [name for name in value if name not in own] if shape.type is FieldType.MAP else []


def _complete(context: CapabilityContext, candidate: Candidate) -> Candidate:
    field, filling = context.field, _Filling(context)
    whole = filling.whole(field, candidate.value, context.resolved, field.path)
    if field.type is not FieldType.ARRAY or field.prefix:
        # A value that is no list of rows: whole, or left out.
        lacking = next(_lacking(context.field, whole), "")
        losses = [_loss(context, candidate, None, lacking, filling.notes)] if lacking else []
        return attrs.evolve(
            candidate,
            value=None if lacking else freeze(whole),
            evidence_refs=(*candidate.evidence_refs, *filling.refs),
            diagnostics=(*candidate.diagnostics, *filling.notes, *losses),
        )
    broken = {number: why for number, row in enumerate(whole) if (why := next(_lacking(field.items, row), ""))}
    losses = [_loss(context, candidate, number, why, filling.notes) for number, why in broken.items()]
    kept = {old: new for new, old in enumerate(n for n in range(len(whole)) if n not in broken)}
    known = candidate.rows or ledger_of(len(whole), 0)
    rows = attrs.evolve(known, found=len(kept), rejected=known.rejected + len(broken))
    refs = renumbered(field, (*candidate.evidence_refs, *filling.refs), kept)
    return attrs.evolve(
        listed(freeze([whole[number] for number in kept]), refs, rows),
        source=candidate.source,
        diagnostics=(*renumbered(field, (*candidate.diagnostics, *filling.notes), kept), *losses),
    )


def _lacking(shape: CanonicalField | None, value: Any, path: str = "") -> Iterator[str]:
    """What could not be filled either."""
    shape = resolved(shape, value)
    if shape is None:
        return
    for child in shape.children if isinstance(value, Mapping) else ():
        found, name = value.get(child.name), f"{path}{child.name}"
        if found is None and child.required and child.is_filled and not child.nullable:
            yield f"{name}: missing"
        yield from _lacking(child, found, f"{name}.")
    for name in _entries(shape, value):
        yield from _lacking(shape.items, value[name], f"{path}{name}.")
    for number, each in enumerate(value if isinstance(value, list | tuple) else ()):
        yield from _lacking(shape.item(number), each, f"{path.removesuffix('.')}[{number}].")


def _loss(
    context: CapabilityContext, found: Candidate, number: int | None, why: str, notes: Sequence[Diagnostic]
) -> Diagnostic:
    """A row, or a value without rows, that could not be filled, where its cells stand."""
    above = f"{context.field.path}." if number is None else f"{context.field.path}[{number}]."
    lacking = above.removesuffix("." if why.startswith("[") else "") + why.partition(":")[0]
    reasons = [f"; {note.message}" for note in notes if note.field_path == lacking]
    spans = [ref.span for ref in found.evidence_refs if ref.span and ref.field_path.startswith(above)] or [(0, 0)]
    whole = (min(start for start, _ in spans), max(end for _, end in spans))
    return left_out(context, f"{why}{''.join(reasons)}", whole, row=0 if number is None else number + 1)


def _inputs_first(children: Sequence[CanonicalField]) -> list[CanonicalField]:
    by_name = {child.name: child for child in children}
    needs = {name: [n.partition(".")[0] for n in child.needs] for name, child in by_name.items()}
    order = TopologicalSorter({name: [n for n in found if n in by_name and n != name] for name, found in needs.items()})
    return [by_name[name] for name in order.static_order()]
