"""Comparing values and evidence: what counts as equal, and what counts once."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from paxman.capabilities.base import Candidate, EvidenceRef
from paxman.types import Money, Span


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
    return ref.field_path, _place(ref)


def fact_key(ref: EvidenceRef) -> Any:
    """One capability, or one model, at one place."""
    return ref.capability_id, ref.model_id, ref.field_path, _place(ref)


def _place(ref: EvidenceRef) -> Any:
    return ref.span or ref.source or ref.detail


def distinct_refs(candidates: Iterable[Candidate]) -> tuple[EvidenceRef, ...]:
    """References to places of the value, one capability at one place once, in order; of two, the one that counts.

    A sum of the page that holds is one more.
    """
    kept: dict[Any, EvidenceRef] = {}
    for candidate in candidates:
        for ref in candidate.evidence_refs:
            if ref.is_of_value or ref.basis == "relation":
                key = fact_key(ref) if ref.is_of_value else ("relation", ref.detail)
                if key not in kept or (ref.supports and not kept[key].supports):
                    kept[key] = ref
    return tuple(kept.values())


class Facts(NamedTuple):
    """How many agree on a value, at how many places, and how many capabilities these are."""

    agreeing_candidates: int
    evidence_refs: int
    capability_sources: int

    def once(self) -> Facts:
        """The same thing said once, however often it was."""
        return Facts(min(self[0], 1), min(self[1], 1), min(self[2], 1))


_ONE = Facts(1, 1, 1)
_UNSUPPORTED = Facts(1, 0, 1)
"""A value that nothing but its place or its looks ties to the field, however many places that are."""


def count_facts(refs: Sequence[EvidenceRef]) -> Facts:
    """Places that speak for a value. Of an array they are those of the cell that has the fewest."""
    places = [ref for ref in refs if ref.is_of_value]
    return _ONE if len(places) == 1 and places[0].supports else _least_of_cells(places)


def count_relations(refs: Iterable[EvidenceRef]) -> int:
    """Relations that hold with a value, each once."""
    return len({ref.detail for ref in refs if ref.basis == "relation" and ref.supports})


def is_concluded(refs: Iterable[EvidenceRef]) -> bool:
    """Whether a model alone worked the value, or a cell of it, out of lines that do not state it."""
    cells: dict[str, bool] = {}
    for ref in refs:
        if ref.is_of_value and ref.supports:
            cells[ref.field_path] = cells.get(ref.field_path, True) and ref.is_concluded
    return any(cells.values())


def _least_of_cells(places: Sequence[EvidenceRef]) -> Facts:
    cells: dict[str, list[EvidenceRef]] = {ref.field_path: [] for ref in places}
    for ref in places:
        if ref.supports:
            cells[ref.field_path].append(ref)
    counts = {_count(cell) for cell in cells.values()}
    least = Facts(*map(min, zip(*counts, strict=True))) if counts else _UNSUPPORTED
    return least if least.evidence_refs else _UNSUPPORTED


def _count(refs: Sequence[EvidenceRef]) -> Facts:
    if len(refs) == 1:
        return _ONE
    found: dict[tuple[str, str | None], set[Any]] = {}
    for ref in refs:
        found.setdefault((ref.capability_id, ref.model_id), set()).add(_place(ref))
    everywhere = set[Any]().union(*found.values())
    return Facts(sum(map(_most_apart, found.values())), _most_apart(everywhere), len(found))


def _most_apart(places: Iterable[Any]) -> int:
    """The size of the largest set of places that do not overlap."""
    spans = sorted((place for place in places if isinstance(place, tuple)), key=lambda span: (span[1], span[0]))
    return sum(1 for _ in _apart(spans)) + sum(1 for place in places if not isinstance(place, tuple))


def _apart(spans: Iterable[Span]) -> Iterator[Span]:
    """Spans by their ends, each that begins where the one taken last has ended."""
    end = -1
    for span in spans:
        if span[0] >= end:
            end = span[1]
            yield span


def are_read_otherwise(refs: Sequence[EvidenceRef], rivals: Iterable[EvidenceRef]) -> bool:
    """Whether whoever gives a value gives another one for the same text: then it is one of several readings."""
    others: dict[Any, list[Any]] = {}
    for ref in rivals:
        others.setdefault((ref.capability_id, ref.model_id, ref.field_path), []).append(_place(ref))
    speakers = ((ref, (ref.capability_id, ref.model_id, ref.field_path)) for ref in refs if ref.supports)
    known = ((_place(ref), others.get(speaker, ())) for ref, speaker in speakers)
    found = [any(_overlap(place, other) for other in places) for place, places in known]
    return bool(found) and all(found)


def _overlap(place: Any, other: Any) -> bool:
    if isinstance(place, tuple) and isinstance(other, tuple):
        return bool(place[0] < other[1] and other[0] < place[1])
    return bool(place == other)
