"""Saying that candidates disagree."""

from __future__ import annotations

from collections.abc import Mapping

from paxman.contract.model import CanonicalField
from paxman.reconciler.merge import Group
from paxman.serialization import canonical_json
from paxman.types import Diagnostic, FieldType, Severity

_STRUCTURED = frozenset({FieldType.MONEY, FieldType.OBJECT, FieldType.ARRAY})
_LONGEST = 200


def disagreement(field: CanonicalField, groups: tuple[Group, ...], chosen: Group) -> list[Diagnostic]:
    """A CONFLICT (MISMATCH for structured values) when more than one value remains, and what each other lost by."""
    if len(groups) < 2:
        return []
    code = "MISMATCH" if field.type in _STRUCTURED and _differ_in_shape(field, groups) else "CONFLICT"
    others = len(groups) - 1
    message = f"{others} other value{'s' if others > 1 else ''} passed validation too"
    lost = [{"value": _text(group.value), "by": _lost_by(chosen, group, groups)} for group in groups]
    lost.pop(groups.index(chosen))
    context = {"confidences": [group.confidence for group in groups], "lost": lost}
    return [Diagnostic(code, Severity.WARNING, message, field.path, context)]


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
