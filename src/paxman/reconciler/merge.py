"""Merging candidates into groups of one value, and picking the best group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from paxman.capabilities.base import Candidate, EvidenceRef
from paxman.classes import record
from paxman.contract.model import CanonicalField
from paxman.lazy import lazy_pattern
from paxman.reconciler.confidence import ConfidenceEvidence, assign_confidence
from paxman.reconciler.evidence_compare import (
    count_refs,
    distinct_candidates,
    distinct_refs,
    distinct_sources,
    equality_key,
)
from paxman.types import Diagnostic, Severity


@record
class Group:
    """Candidates that agree on a value."""

    value: Any
    candidates: tuple[Candidate, ...]
    refs: tuple[EvidenceRef, ...]
    evidence: ConfidenceEvidence
    confidence: float

    @property
    def rank(self) -> tuple[Any, ...]:
        """Best first: confidence, evidence, a deterministic source, then the plan's order."""
        sources = [candidate.source for candidate in self.candidates if candidate.source]
        fixed = any(source.deterministic for source in sources) if sources else True
        position = min((source.position for source in sources), default=0)
        return -self.confidence, -self.evidence.evidence_refs, not fixed, position


def group_candidates(candidates: Iterable[Candidate], disputed: bool = False) -> tuple[Group, ...]:
    """One group per distinct value, best first; `disputed` if another valid value was turned away already."""
    candidates = list(candidates)
    if len(candidates) == 1:
        return (_score(candidates, disputed),)
    members: dict[Any, list[Candidate]] = {}
    for candidate in candidates:
        members.setdefault(equality_key(candidate.value), []).append(candidate)
    groups = [_score(group, conflict=disputed or len(members) > 1) for group in members.values()]
    return tuple(sorted(groups, key=lambda group: group.rank))


def _score(candidates: list[Candidate], conflict: bool) -> Group:
    refs = distinct_refs(candidates)
    counts = distinct_candidates(candidates), count_refs(refs), distinct_sources(candidates)
    # A checksum that fails speaks against the value that stands there, however often that is.
    notes = [note for candidate in candidates for note in candidate.diagnostics]
    failed = any(map(_is_failure, notes))
    # So does a place that may be read otherwise: who reads it by the same rule adds nothing.
    open_reading = len(candidates) > 1 and all(map(is_open, candidates))
    # Two readers of one place that is no evidence say the same thing once.
    once = failed or open_reading or (refs and not counts[1])
    agreeing, places, sources = (min(count, 1) for count in counts) if once else counts
    evidence = ConfidenceEvidence(agreeing, places, not failed, conflict, sources)
    return Group(candidates[0].value, tuple(candidates), refs, evidence, assign_confidence(evidence))


# Two letters of a country before the rest, as in an account or VAT number; most text is none.
_LETTERED = lazy_pattern(r"(?=(?:\D*\d){5})\s*[A-Za-z]{2}[ .-]?[A-Za-z]?[0-9A-Za-z][0-9A-Za-z ./-]{5,45}\Z")


def with_doubt(field: CanonicalField, candidate: Candidate) -> Candidate:
    """A candidate, whoever found it, with a note on each account or VAT number whose check digits are wrong."""
    value = candidate.value
    if isinstance(value, str):
        wrong = _wrong(field, value, field.path)
    elif field.columns and isinstance(value, tuple | list):
        wrong = [note for number, row in enumerate(value) for note in _wrong_cells(field, number, row)]
    else:
        return candidate
    if not wrong or any(map(_is_failure, candidate.diagnostics)):
        return candidate
    return attrs.evolve(candidate, diagnostics=(*candidate.diagnostics, *wrong))


def _wrong_cells(field: CanonicalField, number: int, row: Any) -> Iterator[Diagnostic]:
    """Notes on the cells of a row."""
    cells = ((column, row.get(column.name)) for column in field.columns) if isinstance(row, Mapping) else ()
    for column, value in cells:
        if isinstance(value, str):
            yield from _wrong(column, value, f"{field.path}[{number}].{column.name}")


def _wrong(field: CanonicalField, value: str, path: str) -> list[Diagnostic]:
    if not _LETTERED.match(value):
        return []
    from paxman.capabilities.label_binding import fails_check

    message = f"{value}: the check digits are wrong"
    return [Diagnostic("VALIDATION_FAILED", Severity.WARNING, message, path)] if fails_check(field, value) else []


def is_open(candidate: Candidate) -> bool:
    """Whether a value is but one of those that its place can be read as."""
    said = [note for note in candidate.diagnostics if note.code == "AMBIGUOUS_VALUE"]
    return any(str(candidate.value) in note.context.get("readings", ()) for note in said)


def _is_failure(note: Diagnostic) -> bool:
    return note.code == "VALIDATION_FAILED"


def with_checks(group: Group, failed: bool, borne_out: bool) -> Group:
    """A failed check speaks against a value as a rival does; an equation that holds agrees with it."""
    known = group.evidence
    evidence = ConfidenceEvidence(
        known.agreeing_candidates + (borne_out and not failed),
        known.evidence_refs,
        known.validation_passed,
        known.conflict or failed,
        known.capability_sources,
    )
    return Group(group.value, group.candidates, group.refs, evidence, assign_confidence(evidence))
