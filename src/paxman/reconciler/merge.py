"""Merging candidates into groups of one value, and picking the best group."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from paxman.capabilities.base import Candidate, EvidenceRef
from paxman.reconciler.confidence import ConfidenceEvidence, assign_confidence
from paxman.reconciler.evidence_compare import (
    count_refs,
    distinct_candidates,
    distinct_refs,
    distinct_sources,
    equality_key,
)


@attrs.frozen
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
    # A checksum that fails speaks against the value that stands there.
    failed = any(note.code == "VALIDATION_FAILED" for candidate in candidates for note in candidate.diagnostics)
    evidence = ConfidenceEvidence(
        distinct_candidates(candidates), count_refs(refs), not failed, conflict or failed, distinct_sources(candidates)
    )
    return Group(candidates[0].value, tuple(candidates), refs, evidence, assign_confidence(evidence))


def with_checks(group: Group, failed: bool, borne_out: bool) -> Group:
    """A failed check speaks against a value as a rival does; an equation that holds agrees with it."""
    evidence = attrs.evolve(
        group.evidence,
        conflict=group.evidence.conflict or failed,
        agreeing_candidates=group.evidence.agreeing_candidates + (borne_out and not failed),
    )
    return attrs.evolve(group, evidence=evidence, confidence=assign_confidence(evidence))
