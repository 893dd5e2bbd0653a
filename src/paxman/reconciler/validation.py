"""Dropping candidates that break the field's constraints."""

from __future__ import annotations

from paxman.capabilities.base import Candidate
from paxman.contract.constraints import problems
from paxman.contract.model import CanonicalField
from paxman.types import Diagnostic, Severity


def split_valid(
    field: CanonicalField, candidates: tuple[Candidate, ...]
) -> tuple[list[Candidate], list[Candidate], list[Diagnostic]]:
    """Valid candidates, dropped ones, and a note for each dropped one."""
    valid: list[Candidate] = []
    dropped: list[Candidate] = []
    notes: dict[Diagnostic, None] = {}
    for candidate in candidates:
        found = problems(field, candidate.value)
        if not found:
            valid.append(candidate)
            continue
        dropped.append(candidate)
        message = f"a candidate was dropped: {'; '.join(found)}"
        notes[Diagnostic("VALIDATION_FAILED", Severity.WARNING, message, field.path)] = None
    return valid, dropped, list(notes)
