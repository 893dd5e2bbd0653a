"""Comparing values and evidence: what counts as equal, and what counts once."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from paxman.capabilities.base import Candidate, EvidenceRef
from paxman.types import Money


def equality_key(value: Any) -> Any:
    """Equal keys mean equal values: text after NFC and whitespace folding, numbers and dates by value."""
    if isinstance(value, str):
        return " ".join(unicodedata.normalize("NFC", value).split())
    if isinstance(value, Money):
        return value.currency, value.amount
    if isinstance(value, Mapping):
        return frozenset((name, equality_key(item)) for name, item in value.items())
    if isinstance(value, bool):
        return "true" if value else "false", bool
    return tuple(map(equality_key, value)) if isinstance(value, list | tuple) else value


def ref_key(ref: EvidenceRef) -> Any:
    """The same place reported twice is one piece of evidence, whoever reports it."""
    return ref.field_path, ref.span or ref.source or ref.detail


def distinct_refs(candidates: Iterable[Candidate]) -> tuple[EvidenceRef, ...]:
    """Supporting references of all candidates, each place once, in order; of two, the one that counts."""
    kept: dict[Any, EvidenceRef] = {}
    for candidate in candidates:
        for ref in candidate.evidence_refs:
            key = ref_key(ref)
            if ref.role == "supporting" and (key not in kept or (counts(ref) and not counts(kept[key]))):
                kept[key] = ref
    return tuple(kept.values())


def counts(ref: EvidenceRef) -> bool:
    """Whether a reference is evidence that a value is this field's: where it stands or how it reads is not enough."""
    return ref.basis in _EVIDENCE


def count_refs(refs: Sequence[EvidenceRef]) -> int:
    """How many references count; of an array, for the cell that has the fewest: many cells make none of them surer."""
    if len(refs) == 1:
        return int(counts(refs[0]))
    cells = Counter(dict.fromkeys((ref.field_path for ref in refs), 0))
    cells.update(ref.field_path for ref in refs if counts(ref))
    return min(cells.values(), default=0)


_EVIDENCE = frozenset({"name", "shape", "model"})


def distinct_candidates(candidates: Sequence[Candidate]) -> int:
    """A capability that offers the same value from the same places twice is one candidate."""
    if len(candidates) == 1:
        return 1
    return len({(_capability(c), tuple(sorted(map(repr, map(ref_key, c.evidence_refs))))) for c in candidates})


def distinct_sources(candidates: Iterable[Candidate]) -> int:
    return len({_capability(candidate) for candidate in candidates} - {None})


def _capability(candidate: Candidate) -> str | None:
    if candidate.source:
        return candidate.source.capability_id
    return candidate.evidence_refs[0].capability_id if candidate.evidence_refs else None
