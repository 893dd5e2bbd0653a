"""The last word on a SUCCESS: the caller's own model or schema must take the data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.results import FieldResult
from paxman.contract.judging import judge
from paxman.contract.model import CanonicalContract
from paxman.types import Diagnostic, Severity, Status, is_within, reveal


def confirm(artifact: ExecutionArtifact, contract: CanonicalContract) -> ExecutionArtifact:
    """The artifact, or one that keeps the values but is no SUCCESS and says what the contract has against them."""
    if artifact.status not in (Status.SUCCESS, Status.PARTIAL_SUCCESS):
        return artifact
    notes = list(_refusals(artifact, contract))
    if not notes:
        return artifact
    return attrs.evolve(
        artifact,
        status=Status.PARTIAL_SUCCESS,
        field_results=tuple(_with_notes(result, notes) for result in artifact.field_results),
        diagnostics=tuple(dict.fromkeys((*artifact.diagnostics, *notes))),
    )


def _refusals(artifact: ExecutionArtifact, contract: CanonicalContract) -> Iterator[Diagnostic]:
    """What the model and the schema have against the data, apart from what is known to be missing."""
    data = reveal(artifact.normalized_data) if contract.has_secrets else artifact.normalized_data
    asked = [("the model refuses the data", contract.check_data(data) if contract.check_data else ())]
    asked.append(("the schema refuses the data", judge(contract, data)))
    missing = {result.field_path for result in artifact.unresolved_fields if result.required}
    for said, refused in asked:
        for path, why in refused:
            path = f"{contract.root}{'' if path[:1] in ('', '[') else '.'}{path}" if contract.root else path
            if path not in missing:
                yield Diagnostic("VALIDATION_FAILED", Severity.ERROR, f"{said}: {why}", path or None)


def _with_notes(result: FieldResult, notes: Sequence[Diagnostic]) -> FieldResult:
    own = [note for note in notes if is_within(note.field_path or "", result.field_path)]
    return attrs.evolve(result, diagnostics=tuple(dict.fromkeys((*result.diagnostics, *own)))) if own else result
