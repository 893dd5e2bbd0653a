"""Merging candidates into groups of one value, and picking the best group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from paxman.capabilities.base import Candidate, EvidenceRef
from paxman.classes import record
from paxman.reconciler.confidence import ConfidenceEvidence, assign_confidence
from paxman.reconciler.evidence_compare import (
    are_read_otherwise,
    count_facts,
    count_relations,
    distinct_refs,
    equality_key,
)
from paxman.types import Origin, RowLedger

_MADE = frozenset({Origin.LOOKED_UP, Origin.DERIVED})


@record
class Group:
    """Candidates that agree on a value. `is_open`: it is but one of the readings of its place."""

    value: Any
    candidates: tuple[Candidate, ...]
    refs: tuple[EvidenceRef, ...]
    evidence: ConfidenceEvidence
    confidence: float
    is_open: bool = False

    @property
    def rows(self) -> RowLedger | None:
        """The ledger of its rows, where they were read; of several the first."""
        return next((candidate.rows for candidate in self.candidates if candidate.rows), None)

    @property
    def rank(self) -> tuple[Any, ...]:
        """Best first: confidence, evidence, a deterministic source, then the plan's order."""
        sources = [candidate.source for candidate in self.candidates if candidate.source]
        fixed = any(source.deterministic for source in sources) if sources else True
        position = min((source.position for source in sources), default=0)
        return -self.confidence, -self.evidence.evidence_refs, not fixed, position


def group_candidates(
    candidates: Iterable[Candidate], disputed: bool = False, failed: Sequence[Any] = ()
) -> tuple[Group, ...]:
    """One group per distinct value, best first.

    `disputed` if another valid value was turned away already; `failed` are keys of values that validation did not pass.
    """
    members: dict[Any, list[Candidate]] = {}
    for candidate in candidates:
        members.setdefault(equality_key(candidate.value), []).append(candidate)
    if len(members) == 1:
        [(key, group)] = members.items()
        return (_score(group, distinct_refs(group), disputed, key not in failed),)
    refs = {key: distinct_refs(group) for key, group in members.items()}
    groups = [
        _score(group, refs[key], True, key not in failed, are_read_otherwise(refs[key], _others(refs, key)))
        for key, group in members.items()
    ]
    return tuple(sorted(groups, key=lambda group: group.rank))


def _others(refs: Mapping[Any, Sequence[EvidenceRef]], own: Any) -> list[EvidenceRef]:
    return [ref for key, others in refs.items() if key != own for ref in others]


def _score(
    candidates: list[Candidate], refs: tuple[EvidenceRef, ...], conflict: bool, passed: bool, is_open: bool = False
) -> Group:
    evidence = weigh_refs(refs, passed, conflict, is_open)
    return Group(candidates[0].value, tuple(candidates), refs, evidence, assign_confidence(evidence), is_open)


def weigh_refs(refs: Sequence[EvidenceRef], passed: bool, conflict: bool, is_open: bool = False) -> ConfidenceEvidence:
    """The rubric's inputs. Repeating a value that fails validation, or one of several readings, adds nothing."""
    facts = count_facts(refs)
    agreeing, places, sources = facts.once() if is_open or not passed else facts
    return ConfidenceEvidence(agreeing, places + count_relations(refs), passed, conflict, sources)


def with_relations(group: Group, failed: bool, held: Sequence[EvidenceRef]) -> Group:
    """A relation that fails speaks against a value as a rival does; one that holds is evidence for it."""
    known, refs = group.evidence, group.refs if failed else (*group.refs, *held)
    evidence = weigh_refs(refs, known.validation_passed, known.conflict or failed, group.is_open)
    return Group(group.value, group.candidates, refs, evidence, assign_confidence(evidence), group.is_open)


def with_cap(group: Group, cap: float) -> Group:
    """A value that was only made from others is no surer than `cap`; one also found keeps what it was found with."""
    made = {ref.capability_id for each in group.candidates if is_made(each) for ref in each.evidence_refs}
    found = tuple(ref for ref in group.refs if ref.capability_id not in made)
    evidence = attrs.evolve(group.evidence, cap=cap)
    if any(not is_made(candidate) for candidate in group.candidates):
        alone = weigh_refs(found, evidence.validation_passed, evidence.conflict, group.is_open)
        evidence = max(evidence, alone, key=assign_confidence)
    return Group(group.value, group.candidates, group.refs, evidence, assign_confidence(evidence), group.is_open)


def is_made(candidate: Candidate) -> bool:
    """Whether a value was looked up or computed, not found in the document."""
    return candidate.source is not None and candidate.source.origin in _MADE
