"""The last steps of a run: secrets behind a mask, and the word of the caller's own model or schema on the data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.results import FieldResult
from paxman.capabilities.base import CandidateResult
from paxman.contract.constraints import resolved
from paxman.contract.judging import judge
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.types import MASK, Diagnostic, FieldType, Secret, Severity, Status, freeze, is_within, reveal


def hide(field: CanonicalField, result: FieldResult, found: CandidateResult) -> FieldResult:
    """A result that shows nothing of the secrets in it, nor of those that were not chosen."""
    said = {
        text for value in (result.value, *(each.value for each in found.candidates)) for text in _texts(field, value)
    }
    longest_first = sorted(said, key=lambda text: (-len(text), text))
    return attrs.evolve(
        result,
        value=freeze(_hidden(field, result.value)),
        evidence_refs=tuple(attrs.evolve(ref, quote=None) for ref in result.evidence_refs),
        diagnostics=tuple(_masked(note, longest_first) for note in result.diagnostics),
    )


def _hidden(field: CanonicalField | None, value: Any) -> Any:
    if field is not None and field.secret and isinstance(value, str):
        return Secret(value)
    if isinstance(value, Mapping):
        return {name: _hidden(part, item) for name, part, item in _members(field, value)}
    if isinstance(value, list | tuple):
        return [_hidden(part, item) for part, item in _items(field, value)]
    return value


def _texts(field: CanonicalField | None, value: Any) -> Iterator[str]:
    """The secrets in a value."""
    if field is not None and field.secret and isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for _, part, item in _members(field, value):
            yield from _texts(part, item)
    elif isinstance(value, list | tuple):
        for part, item in _items(field, value):
            yield from _texts(part, item)


def _members(
    field: CanonicalField | None, value: Mapping[str, Any]
) -> Iterator[tuple[str, CanonicalField | None, Any]]:
    field = resolved(field, value)
    parts = {child.name: child for child in field.children} if field else {}
    rest = field.items if field and field.type is FieldType.MAP else None
    for name, item in value.items():
        yield name, parts.get(name, rest), item


def _items(field: CanonicalField | None, value: Any) -> Iterator[tuple[CanonicalField | None, Any]]:
    field = resolved(field, value)
    for number, item in enumerate(value):
        yield field.item(number) if field else None, item


def _masked(note: Diagnostic, secrets: list[str]) -> Diagnostic:
    context = {name: _without(item, secrets) for name, item in note.context.items()}
    return attrs.evolve(note, message=_without(note.message, secrets), context=context)


def _without(item: Any, secrets: list[str]) -> Any:
    if isinstance(item, str):
        for secret in secrets:
            item = item.replace(secret, MASK) if secret else item
        return item
    if isinstance(item, Mapping):
        return {name: _without(part, secrets) for name, part in item.items()}
    return [_without(part, secrets) for part in item] if isinstance(item, list | tuple) else item


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
