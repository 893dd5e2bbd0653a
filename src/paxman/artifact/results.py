"""What an artifact holds of each field, and the counts of a run."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import attrs

from paxman.classes import frozen
from paxman.reconciler.truth import ResolvedResult
from paxman.types import Diagnostic, freeze

_SHOWN = 80
"""Characters of a value that the one line for a result shows."""


@frozen
class FieldCost:
    """What one field's chain took."""

    invocations: int = 0
    tokens: int = 0
    usd: Decimal = Decimal(0)


@attrs.frozen(slots=True, repr=False)
class FieldResult(ResolvedResult):
    """A decision with its price; `shape` tells how a stored value is read back."""

    cost: FieldCost = FieldCost()
    required: bool = False
    shape: Any = attrs.field(default="STRING", converter=freeze, hash=False)

    def __repr__(self) -> str:
        said = repr(self.value)
        said = said if len(said) <= _SHOWN else f"{said[:_SHOWN]}…"
        return f"<FieldResult {self.field_path!r}: {said}, {self.confidence:.2f} {self.confidence_band.value}>"


@frozen
class Statistics:
    """Counts and cost of the whole run."""

    fields: int = 0
    resolved: int = 0
    unresolved: int = 0
    invocations: int = 0
    remote_calls: int = 0
    tokens: int = 0
    cost_usd: Decimal = Decimal(0)


def is_reviewed(result: FieldResult) -> bool:
    """Whether a person confirmed or corrected it, or said that the document does not state it."""
    return any(note.code == "REVIEWED" for note in result.diagnostics)


def say_missing(results: Iterable[FieldResult]) -> str:
    """The required fields without a value, in one phrase; empty if there are none."""
    missing = [result.field_path for result in results if result.required and result.status == "UNRESOLVED"]
    return f"missing: {', '.join(missing)}" if missing else ""


def model_troubles(notes: Iterable[Diagnostic], models: Iterable[str]) -> tuple[str, ...]:
    """Why models that were to be asked gave nothing, each reason once: forbidden, refused, cut off, too dear."""
    begins = tuple(f"{name}{mark}" for name in models for mark in (":", " "))
    told = (
        note.message
        for note in notes
        if note.code == "MODEL_NOT_ASKED"
        or (note.code in ("CAPABILITY_FAILED", "BUDGET_EXCEEDED") and note.message.startswith(begins))
    )
    return tuple(dict.fromkeys(told))
