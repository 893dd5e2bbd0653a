"""Merging candidates into groups of one value, and picking the best group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from paxman.capabilities.base import Candidate, EvidenceRef, Objection
from paxman.classes import record
from paxman.contract.constraints import problems
from paxman.contract.model import CanonicalField
from paxman.reconciler.confidence import CONCLUDED, CONCLUDED_IN_CONFLICT, ConfidenceEvidence, assign_confidence
from paxman.reconciler.evidence_compare import (
    are_read_otherwise,
    count_facts,
    count_relations,
    distinct_refs,
    equality_key,
    is_concluded,
)
from paxman.serialization import canonical_json
from paxman.types import Diagnostic, FieldType, Origin, RowLedger, Severity

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
        """Best first: confidence, evidence, a deterministic source, then the plan's order.

        A guess that only its looks tie to the field comes after a model's answer that is as sure.
        """
        sources = [candidate.source for candidate in self.candidates if candidate.source]
        fixed = any(source.deterministic for source in sources) if sources else True
        is_guess = fixed and self.evidence.evidence_refs == 0
        position = min((source.position for source in sources), default=0)
        return -self.confidence, -self.evidence.evidence_refs, 2 * is_guess or not fixed, position


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
        _score(
            group,
            refs[key],
            True,
            key not in failed,
            are_read_otherwise(refs[key], [ref for other in refs if other != key for ref in refs[other]]),
        )
        for key, group in members.items()
    ]
    return tuple(sorted(groups, key=lambda group: group.rank))


def _score(
    candidates: list[Candidate], refs: tuple[EvidenceRef, ...], conflict: bool, passed: bool, is_open: bool = False
) -> Group:
    inner = any(note.code in ("CONFLICT", "MISMATCH") for candidate in candidates for note in candidate.diagnostics)
    evidence = weigh_refs(refs, passed, conflict or inner, is_open)
    return Group(candidates[0].value, tuple(candidates), refs, evidence, assign_confidence(evidence), is_open)


def weigh_refs(refs: Sequence[EvidenceRef], passed: bool, conflict: bool, is_open: bool = False) -> ConfidenceEvidence:
    """The rubric's inputs. Repeating a value that fails validation, or one of several readings, adds nothing."""
    facts = count_facts(refs)
    agreeing, places, sources = facts.once() if is_open or not passed else facts
    cap = (CONCLUDED_IN_CONFLICT if conflict else CONCLUDED) if is_concluded(refs) else None
    return ConfidenceEvidence(agreeing, places + count_relations(refs), passed, conflict, sources, cap)


def with_relations(group: Group, failed: bool, held: Sequence[EvidenceRef]) -> Group:
    """A relation that fails speaks against a value as a rival does; one that holds is evidence for it."""
    known, refs = group.evidence, group.refs if failed else (*group.refs, *held)
    evidence = weigh_refs(refs, known.validation_passed, known.conflict or failed, group.is_open)
    return Group(group.value, group.candidates, refs, evidence, assign_confidence(evidence), group.is_open)


def with_cap(group: Group, cap: float) -> Group:
    """A value that was only made from others is no surer than `cap`; one also found keeps what it was found with."""
    made = {ref.capability_id for each in group.candidates if is_made(each) for ref in each.evidence_refs}
    found = tuple(ref for ref in group.refs if ref.capability_id not in made)
    least = group.evidence.cap
    evidence = attrs.evolve(group.evidence, cap=cap if least is None else min(cap, least))
    if any(not is_made(candidate) for candidate in group.candidates):
        alone = weigh_refs(found, evidence.validation_passed, evidence.conflict, group.is_open)
        evidence = max(evidence, alone, key=assign_confidence)
    return Group(group.value, group.candidates, group.refs, evidence, assign_confidence(evidence), group.is_open)


def is_made(candidate: Candidate) -> bool:
    """Whether a value was looked up or computed, not found in the document."""
    return candidate.source is not None and candidate.source.origin in _MADE


_STRUCTURED = frozenset({FieldType.MONEY, FieldType.OBJECT, FieldType.ARRAY})
_LISTS = frozenset({FieldType.OBJECT, FieldType.ARRAY, FieldType.MAP, FieldType.UNION})
_LONGEST = 200
_MOST_NAMED, _LONGEST_NAMED = 3, 80


def disagreement(field: CanonicalField, groups: tuple[Group, ...], chosen: Group) -> list[Diagnostic]:
    """A CONFLICT (MISMATCH for structured values) when more than one value remains, and what each other lost by."""
    if len(groups) < 2:
        return []
    code = "MISMATCH" if field.type in _STRUCTURED and _differ_in_shape(field, groups) else "CONFLICT"
    lost = [{"value": _text(group.value), "by": _lost_by(chosen, group, groups)} for group in groups]
    lost.pop(groups.index(chosen))
    message = f"also found: {_rivals(field, lost)}. If that is right, correct the field, or give it the label beside it"
    context = {"confidences": [group.confidence for group in groups], "lost": lost}
    return [Diagnostic(code, Severity.WARNING, message, field.path, context)]


def _rivals(field: CanonicalField, lost: list[dict[str, str]]) -> str:
    """The values that lost, the best first; of lists and secrets only how many there are."""
    if field.secret or field.type in _LISTS or any(len(each["value"]) > _LONGEST_NAMED for each in lost[:_MOST_NAMED]):
        return f"{len(lost)} other value{'s' if len(lost) > 1 else ''}"
    more = len(lost) - _MOST_NAMED
    return ", ".join(each["value"] for each in lost[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _lost_by(chosen: Group, other: Group, groups: tuple[Group, ...]) -> str:
    """The first rule that puts the chosen value before the other; only a check goes against the order."""
    if groups.index(other) < groups.index(chosen):
        return "a check of the contract fails with it"
    rules = (
        f"less confidence: {other.confidence:.2f} against {chosen.confidence:.2f}",
        f"as much confidence, but less evidence: {other.evidence.evidence_refs} against "
        f"{chosen.evidence.evidence_refs}",
        "as much evidence, but only its looks tie it to the field"
        if other.rank[2] > 1
        else "as much evidence, but no deterministic source",
        "as much evidence, but a later step of the plan found it",
    )
    decided = (rule for rule, ours, theirs in zip(rules, chosen.rank, other.rank, strict=True) if ours != theirs)
    return next(decided, "as much evidence from the same step, which put it second")


def _text(value: object) -> str:
    text = canonical_json(value).decode() if isinstance(value, bool | list | tuple | Mapping) else str(value)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _differ_in_shape(field: CanonicalField, groups: tuple[Group, ...]) -> bool:
    """Currencies, lengths or keys differ, not only the contents."""
    return len({_outline(field.type, group.value) for group in groups}) > 1


def _outline(kind: FieldType, value: object) -> object:
    if kind is FieldType.MONEY:
        return getattr(value, "currency", None)
    if kind is FieldType.ARRAY:
        return len(value)  # type: ignore[arg-type]
    return frozenset(value)  # type: ignore[call-overload]


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
        elif found := problems(field.without(candidate.rows.unbound if candidate.rows else ()), candidate.value):
            dropped.append(candidate)
            message = f"a candidate was dropped: {'; '.join(found)}"
            notes[Diagnostic("VALIDATION_FAILED", Severity.WARNING, message, field.path)] = None
        else:
            valid.append(candidate)
    return valid, dropped, list(notes)
