"""What the reconciler decides: one result per field."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any, Literal, TypeVar

import attrs

from paxman.capabilities.base import EvidenceRef
from paxman.reconciler.confidence import ConfidenceEvidence
from paxman.types import ConfidenceBand, Diagnostic, Origin, RowLedger


@enum.unique
class TruthLayer(enum.Enum):
    """Whose truth it is: what the contract asks, what capabilities found, what was decided."""

    CONTRACT = "CONTRACT"
    CANDIDATE = "CANDIDATE"
    RESOLVED = "RESOLVED"


@attrs.frozen(slots=True)
class ResolvedResult:
    """The decision for one field. `evidence_refs` also holds what was rejected, marked by its role."""

    field_id: str
    field_path: str
    field_type_name: str
    value: Any = attrs.field(hash=False)
    confidence: float
    confidence_band: ConfidenceBand
    truth_layer: TruthLayer
    evidence_refs: tuple[EvidenceRef, ...]
    status: Literal["RESOLVED", "UNRESOLVED"]
    diagnostics: tuple[Diagnostic, ...]
    origin: Origin | None = None
    confidence_evidence: ConfidenceEvidence | None = None
    """What the rubric added up; None where there is no value, or only a default."""
    rows: RowLedger | None = None
    """What became of every line of an array; None where no rows were read."""


def inputs_to_dict(result: ResolvedResult) -> dict[str, Any] | None:
    """The rubric's inputs as an artifact stores them."""
    inputs = result.confidence_evidence
    return None if inputs is None else {name: whole(getattr(inputs, name)) for name in _INPUTS}


_INPUTS = sorted(attribute.name for attribute in attrs.fields(ConfidenceEvidence))


def whole(number: Any) -> Any:
    """Canonical JSON has no 1.0."""
    return int(number) if isinstance(number, float) and number in (0.0, 1.0) else number


Result = TypeVar("Result", bound=ResolvedResult)


def restore_result(kind: type[Result], stored: Mapping[str, Any]) -> Result:
    """A result as it was decided and stored; nothing is computed anew."""
    origin, inputs, rows = stored["origin"], stored.get("confidence_evidence"), stored.get("rows")
    return kind(
        **{
            **stored,
            "confidence": float(stored["confidence"]),
            "confidence_band": ConfidenceBand(stored["confidence_band"]),
            "truth_layer": TruthLayer(stored["truth_layer"]),
            "origin": Origin(origin) if origin is not None else None,
            "confidence_evidence": None if inputs is None else _restore_inputs(inputs),
            "rows": None if rows is None else RowLedger(**rows),
        }
    )


def _restore_inputs(stored: Mapping[str, Any]) -> ConfidenceEvidence:
    cap = stored["cap"]
    return ConfidenceEvidence(**{**stored, "cap": None if cap is None else float(cap)})
