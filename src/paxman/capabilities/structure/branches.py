"""A step that looks for one type, asked for each branch of a union; the branch with the most evidence answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs

from paxman.capabilities.base import Candidate, CapabilityContext, CapabilityResult, EvidenceRef
from paxman.capabilities.structure.open_values import branches_in_text, most_evident, told_choice
from paxman.contract.constraints import problems
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.lazy import remembered
from paxman.types import Diagnostic

Step = Callable[[CapabilityContext], CapabilityResult]


@attrs.frozen
class _Answer:
    """What a step found for a branch; its best value stands for it."""

    candidates: tuple[Candidate, ...]

    @property
    def value(self) -> Any:
        return self.candidates[0].value


def invoke_each(step: Step, context: CapabilityContext) -> CapabilityResult:
    """What a step finds for the branches of a union: the best, or rivals where several are as good."""
    found: list[tuple[CanonicalField, _Answer, int]] = []
    notes: list[Diagnostic] = []
    for branch in branches_in_text(context.field):
        inner = attrs.evolve(context, field=branch, contract=_with_branch(context.contract, branch))
        result = _composed(step, inner, branch) if branch.children else step(inner)
        notes += result.diagnostics
        valid = tuple(each for each in result.candidates if not problems(branch, each.value))
        if valid:
            found.append((branch, _Answer(valid), len(valid[0].evidence_refs)))
    best = most_evident(found)
    if not best:
        return CapabilityResult(diagnostics=tuple(dict.fromkeys(notes)))
    choice = [told_choice(context.field, best[0][0], context.field.path)] if len(context.field.branches) > 1 else []
    candidates = [candidate for _, answer in best for candidate in answer.candidates]
    return CapabilityResult(tuple(candidates), diagnostics=tuple(dict.fromkeys((*notes, *choice))))


@remembered(lambda contract, branch: (contract.memo, branch))
def _with_branch(contract: CanonicalContract, branch: CanonicalField) -> CanonicalContract:
    """The contract as if the branch were all that the union may be: fields of a page are found together."""
    fields = tuple(_replaced(field, branch) for field in contract.fields)
    return attrs.evolve(contract, fields=fields, check_data=None)


def _replaced(field: CanonicalField, branch: CanonicalField) -> CanonicalField:
    if field.path == branch.path:
        return branch
    if not branch.path.startswith(f"{field.path}."):
        return field
    return attrs.evolve(field, children=tuple(_replaced(child, branch) for child in field.children))


def _composed(step: Step, context: CapabilityContext, branch: CanonicalField) -> CapabilityResult:
    """An object from what is found for each of its fields; none without those that it must have."""
    values: dict[str, Any] = {}
    refs: list[EvidenceRef] = []
    notes: list[Diagnostic] = []
    for child in branch.children:
        inner = attrs.evolve(context, field=child)
        result = _composed(step, inner, child) if child.children else step(inner)
        notes += [*result.diagnostics, *_doubts(result.candidates)]
        valid = [each for each in result.candidates if not problems(child, each.value)]
        if valid:
            values[child.name] = valid[0].value
            refs += valid[0].evidence_refs
        elif child.required and not child.is_filled:
            return CapabilityResult()
    candidates = (Candidate(values, tuple(refs), tuple(dict.fromkeys(notes))),) if values else ()
    return CapabilityResult(candidates)


def _doubts(candidates: Sequence[Candidate]) -> list[Diagnostic]:
    return [note for candidate in candidates[:1] for note in candidate.diagnostics]
