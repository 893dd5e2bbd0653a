"""Holding a stored confidence against the evidence that is stored with it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import attrs

from paxman.reconciler.confidence import ConfidenceEvidence, assign_confidence, float_to_band
from paxman.reconciler.evidence_compare import are_read_otherwise
from paxman.reconciler.merge import weigh_refs
from paxman.reconciler.truth import ResolvedResult
from paxman.types import ConfidenceBand, Origin

_DISPUTES = frozenset(("CONFLICT", "MISMATCH"))


def confidence_problem(result: ResolvedResult, makers: Collection[str], cap: float | None = None) -> str:
    """What is wrong with a stored confidence, if anything.

    `makers` are capabilities that look up or compute; `cap` is what a value that was only made may reach at most.
    """
    inputs = result.confidence_evidence
    if result.status == "UNRESOLVED" or result.origin is Origin.DEFAULT:
        none = (0.0, ConfidenceBand.UNTRUSTED, None)
        same = (result.confidence, result.confidence_band, inputs) == none
        return "" if same else "without a value there is no confidence"
    if inputs is None:
        return "what its confidence was counted from is missing"
    given = assign_confidence(inputs)
    if given != result.confidence or float_to_band(given) is not result.confidence_band:
        return f"the rubric gives {given:.2f}, not {result.confidence:.2f} {result.confidence_band.value}"
    if not inputs.conflict and any(note.code in _DISPUTES for note in result.diagnostics):
        return "another value was found, but it is not counted as a conflict"
    bare = attrs.evolve(inputs, cap=None)
    caps = [each.cap for each in _countable(result, inputs, makers) if attrs.evolve(each, cap=None) == bare]
    if not caps:
        return "its evidence does not give what its confidence was counted from"
    only_made = all(ref.capability_id in makers for ref in result.evidence_refs if ref.supports and ref.is_of_value)
    lowest = {min((c for c in (cap if only_made else None, each) if c is not None), default=None) for each in caps}
    return "" if inputs.cap in lowest else "its cap is not the confidence of what it was made from"


def _countable(
    result: ResolvedResult, inputs: ConfidenceEvidence, makers: Collection[str]
) -> Iterator[ConfidenceEvidence]:
    """What the stored references can be counted as: all of them, those that were found, or one of several readings."""
    refs = [ref for ref in result.evidence_refs if ref.is_of_value or ref.supports]
    rivals = [ref for ref in result.evidence_refs if ref.role == "rejected"]
    for counted in (refs, [ref for ref in refs if ref.capability_id not in makers]):
        for is_open in {False, are_read_otherwise(counted, rivals)}:
            yield weigh_refs(counted, inputs.validation_passed, inputs.conflict, is_open)
