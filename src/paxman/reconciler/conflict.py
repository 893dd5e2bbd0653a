"""Saying that candidates disagree."""

from __future__ import annotations

from paxman.contract.model import CanonicalField
from paxman.reconciler.merge import Group
from paxman.types import Diagnostic, FieldType, Severity

_STRUCTURED = frozenset({FieldType.MONEY, FieldType.OBJECT, FieldType.ARRAY})


def disagreement(field: CanonicalField, groups: tuple[Group, ...]) -> list[Diagnostic]:
    """A CONFLICT (MISMATCH for structured values) when more than one value remains."""
    if len(groups) < 2:
        return []
    code = "MISMATCH" if field.type in _STRUCTURED and _differ_in_shape(field, groups) else "CONFLICT"
    others = len(groups) - 1
    message = f"{others} other value{'s' if others > 1 else ''} passed validation too"
    context = {"confidences": [group.confidence for group in groups]}
    return [Diagnostic(code, Severity.WARNING, message, field.path, context)]


def _differ_in_shape(field: CanonicalField, groups: tuple[Group, ...]) -> bool:
    """Currencies, lengths or keys differ, not only the contents."""
    return len({_outline(field.type, group.value) for group in groups}) > 1


def _outline(kind: FieldType, value: object) -> object:
    if kind is FieldType.MONEY:
        return getattr(value, "currency", None)
    if kind is FieldType.ARRAY:
        return len(value)  # type: ignore[arg-type]
    return frozenset(value)  # type: ignore[call-overload]
