"""The last word on a SUCCESS: the caller's own model, where there is one, must take the data."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from paxman.artifact.artifact import ExecutionArtifact, FieldResult
from paxman.contract.model import CanonicalContract
from paxman.types import Diagnostic, Severity, Status


def confirm(artifact: ExecutionArtifact, contract: CanonicalContract) -> ExecutionArtifact:
    """The artifact, or one that keeps the values but is no SUCCESS and says what the model has against them."""
    if contract.check_data is None or artifact.status is not Status.SUCCESS:
        return artifact
    refused = contract.check_data(artifact.normalized_data)
    if not refused:
        return artifact
    notes = [
        Diagnostic("VALIDATION_FAILED", Severity.ERROR, f"the model refuses the data: {why}", path or None)
        for path, why in refused
    ]
    return attrs.evolve(
        artifact,
        status=Status.PARTIAL_SUCCESS,
        field_results=tuple(_with_notes(result, notes) for result in artifact.field_results),
        diagnostics=tuple(dict.fromkeys((*artifact.diagnostics, *notes))),
    )


def _with_notes(result: FieldResult, notes: Sequence[Diagnostic]) -> FieldResult:
    own = [note for note in notes if _is_within(note.field_path or "", result.field_path)]
    return attrs.evolve(result, diagnostics=tuple(dict.fromkeys((*result.diagnostics, *own)))) if own else result


def _is_within(path: str, field: str) -> bool:
    return path == field or path.startswith((f"{field}[", f"{field}."))
