"""Dropping candidates that break the field's constraints, or that the validation step rejected."""

from __future__ import annotations

from collections.abc import Sequence

from paxman.capabilities.base import Candidate, Objection
from paxman.contract.constraints import problems
from paxman.contract.model import CanonicalField
from paxman.reconciler.evidence_compare import equality_key
from paxman.types import Diagnostic, Severity


def split_valid(
    field: CanonicalField, candidates: tuple[Candidate, ...], objections: Sequence[Objection] = ()
) -> tuple[list[Candidate], list[Candidate], list[Diagnostic]]:
    """Valid candidates, dropped ones, and a note for each of these that the validation step did not speak of."""
    rejected = [equality_key(each.value) for each in objections if each.rejects]
    valid: list[Candidate] = []
    dropped: list[Candidate] = []
    notes: dict[Diagnostic, None] = {}
    for candidate in candidates:
        if rejected and equality_key(candidate.value) in rejected:
            dropped.append(candidate)
        elif found := problems(field, candidate.value):
            dropped.append(candidate)
            message = f"a candidate was dropped: {'; '.join(found)}"
            notes[Diagnostic("VALIDATION_FAILED", Severity.WARNING, message, field.path)] = None
        else:
            valid.append(candidate)
    return valid, dropped, list(notes)
