"""Saying that candidates disagree."""

from __future__ import annotations

from collections.abc import Mapping

from paxman.contract.model import CanonicalField
from paxman.reconciler.merge import Group
from paxman.serialization import canonical_json
from paxman.types import Diagnostic, FieldType, Severity

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
        "as much evidence, but no deterministic source",
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
