"""Says which of the candidates found so far break the field's type or constraints."""

from __future__ import annotations

from typing import Any

from paxman.capabilities import specs
from paxman.capabilities.base import CapabilityContext, CapabilityResult
from paxman.contract.constraints import problems
from paxman.serialization import canonical_json
from paxman.types import Diagnostic, Severity

_LONGEST_VALUE = 200


class Validation:
    """Adds no candidates and no evidence, only the reasons against candidates."""

    spec = specs.VALIDATION

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        field = context.field
        found = ((candidate.value, problems(field, candidate.value)) for candidate in context.candidates)
        return CapabilityResult(
            diagnostics=tuple(
                Diagnostic(
                    "VALIDATION_FAILED", Severity.WARNING, "; ".join(broken), field.path, {"value": _text(value)}
                )
                for value, broken in found
                if broken
            )
        )


def _text(value: Any) -> str:
    text = canonical_json(value).decode() if isinstance(value, list | tuple | dict) else str(value)
    return text if len(text) <= _LONGEST_VALUE else text[:_LONGEST_VALUE] + "…"
