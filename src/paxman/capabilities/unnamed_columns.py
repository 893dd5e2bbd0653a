"""A table that was left out because no heading names a required column: the note that says so."""

from __future__ import annotations

from collections.abc import Sequence

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.table_headings import vocabulary_of
from paxman.capabilities.table_layout import bind_headings
from paxman.contract.model import CanonicalField
from paxman.types import Diagnostic, Severity

_LONGEST, _MOST_QUOTED = 40, 12

Bound = tuple[tuple[int, int], ...]


def not_named(context: CapabilityContext, headings: Sequence[str], bound: Bound) -> Diagnostic | None:
    """Which required columns a table has no heading for, if it has most others and is not that of another array."""
    field, places = context.field, dict(bound)
    if len(bound) < 2 or len(bound) * 2 <= len(field.columns):
        return None
    if any(_has_all(other, headings) for other in context.contract.fields if other != field and other.columns):
        return None
    names = [c.name for place, c in enumerate(field.columns) if c.required and place not in places]
    free = (text.strip() for at, text in enumerate(headings) if at not in places.values())
    others = [repr(text[:_LONGEST]) for text in free if text][:_MOST_QUOTED]
    rest = f"; not used: {', '.join(others)}" if others else ""
    message = f"the table was left out: no heading names {', '.join(map(repr, names))}{rest}"
    severity = Severity.WARNING if field.required else Severity.INFO
    return Diagnostic("VALIDATION_FAILED", severity, message, field.path, {"columns": names})


def _has_all(field: CanonicalField, headings: Sequence[str]) -> bool:
    """Whether headings name every required column of an array, and two at least."""
    places = {place for place, _ in bind_headings(headings, vocabulary_of(field.columns))}
    return len(places) > 1 and all(place in places for place, column in enumerate(field.columns) if column.required)
