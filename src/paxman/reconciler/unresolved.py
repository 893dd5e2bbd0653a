"""Fields without a value, and what stands in for one."""

from __future__ import annotations

from paxman.capabilities.base import EvidenceRef
from paxman.contract.model import CanonicalField
from paxman.reconciler.confidence import float_to_band
from paxman.reconciler.truth import ResolvedResult, TruthLayer
from paxman.types import Diagnostic, Fallback, Origin, Severity


def without_value(
    field: CanonicalField, reasons: tuple[Diagnostic, ...], refs: tuple[EvidenceRef, ...] = ()
) -> ResolvedResult:
    """UNRESOLVED, the field's default, or a call for a human, as the field's fallback says."""
    if field.fallback_policy is Fallback.USE_DEFAULT:
        note = Diagnostic(
            "DEFAULT_USED", Severity.WARNING, "no value was accepted; the contract's default is used", field.path
        )
        return _result(field, field.default, "RESOLVED", (*reasons, note), refs, Origin.DEFAULT)
    if field.fallback_policy is Fallback.REQUIRE_HUMAN:
        note = Diagnostic(
            "HUMAN_REVIEW_REQUIRED", Severity.WARNING, "no value was accepted; a person must decide", field.path
        )
        reasons = (*reasons, note)
    return _result(field, None, "UNRESOLVED", reasons, refs, None)


def _result(
    field: CanonicalField,
    value: object,
    status: str,
    diagnostics: tuple[Diagnostic, ...],
    refs: tuple[EvidenceRef, ...],
    origin: Origin | None,
) -> ResolvedResult:
    return ResolvedResult(
        field.id,
        field.path,
        field.type.value,
        value,
        0.0,
        float_to_band(0.0),
        TruthLayer.RESOLVED,
        refs,
        "RESOLVED" if status == "RESOLVED" else "UNRESOLVED",
        diagnostics,
        origin,
    )
