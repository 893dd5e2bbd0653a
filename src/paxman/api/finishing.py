"""The last steps of a run: secrets behind a mask, what a missing value says, and the word of the caller's model.

Of what was looked for in vain it says the words, what on the page comes near, and what to add.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.results import FieldResult
from paxman.budget import Policy
from paxman.capabilities.base import CandidateResult
from paxman.capabilities.values import conventions_in
from paxman.contract.constraints import resolved
from paxman.contract.judging import judge
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document
from paxman.finding.near_misses import NearMiss, NearMisses, line_of
from paxman.lexicon.own_files import lexicon_of
from paxman.reconciler.truth import ResolvedResult
from paxman.types import MASK, Diagnostic, FieldType, Secret, Severity, Span, Status, freeze, is_within, reveal


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


_ROWS = (FieldType.ARRAY, FieldType.OBJECT, FieldType.MAP)
_MOST_WORDS = 6
_MOST_TRIALS = 2


def say_gaps(
    contract: CanonicalContract,
    results: Sequence[ResolvedResult],
    policy: Policy,
    read: Callable[[], Document],
    resolve: Callable[[CanonicalContract], Sequence[ResolvedResult]],
) -> tuple[ResolvedResult, ...]:
    """The results, where each one that was looked for in vain says what to do about it.

    A label is proposed only if the field, given that label, has the value that stands with it and no rival.
    """
    required = {field.path for field, needed in contract.planned if needed}
    single = {field.path for field in contract.leaves if field.type not in _ROWS}
    open_paths = [each.field_path for each in results if any(map(_is_in_vain, each.diagnostics))]
    open_paths = [path for path in open_paths if path in single]
    told = {}
    if open_paths:
        document = read().plain
        how = conventions_in(document, policy.locale)
        near = NearMisses(document, contract, lexicon_of(policy.lexicon), how)
        misses = {path: near.of(path) for path in open_paths}
        labels = _proved(misses, contract, resolve)
        told = {
            path: _told(near.words(path), misses[path], labels.get(path, ()), document, contract.has_secrets)
            for path in open_paths
        }
    return tuple(_with_advice(result, told, result.field_path in required) for result in results)


def _proved(
    misses: Mapping[str, Sequence[NearMiss]],
    contract: CanonicalContract,
    resolve: Callable[[CanonicalContract], Sequence[ResolvedResult]],
) -> dict[str, tuple[str, ...]]:
    """For each path the label that leads the field to the value beside it: the nearest, else the one after it."""
    proved: dict[str, tuple[str, ...]] = {}
    fields = tuple(field for field in contract.fields if field.type is not FieldType.ARRAY)
    trial = attrs.evolve(contract, fields=fields, constraints=(), check_data=None)
    for number in range(_MOST_TRIALS):
        tried: dict[str, NearMiss] = {}
        for path, near in misses.items():
            able = [miss for miss in near if miss.is_label]
            if path not in proved and number < len(able) and able[number].name not in {m.name for m in tried.values()}:
                tried[path] = able[number]
        found = resolve(trial.with_labels({path: (miss.name,) for path, miss in tried.items()})) if tried else ()
        for result in found:
            if result.field_path in tried and _stands_at(result, tried[result.field_path].place):
                proved[result.field_path] = (tried[result.field_path].name,)
    return proved


def _stands_at(result: ResolvedResult, place: Span) -> bool:
    spans = [ref.span for ref in result.evidence_refs if ref.role != "rejected" and ref.span]
    weighed = result.confidence_evidence
    is_sole = result.status == "RESOLVED" and weighed is not None and not weighed.conflict
    return is_sole and any(start < place[1] and place[0] < end for start, end in spans)


def _is_in_vain(note: Diagnostic) -> bool:
    return note.code == "CHAIN_EXHAUSTED" and "looked_for" in note.context


def _with_advice(result: ResolvedResult, told: dict[str, tuple[str, dict[str, Any]]], required: bool) -> ResolvedResult:
    if not any(note.code == "CHAIN_EXHAUSTED" for note in result.diagnostics):
        return result
    notes = (_advised(note, told.get(result.field_path), required) for note in result.diagnostics)
    return attrs.evolve(result, diagnostics=tuple(notes))


def _advised(note: Diagnostic, told: tuple[str, dict[str, Any]] | None, required: bool) -> Diagnostic:
    if note.code != "CHAIN_EXHAUSTED":
        return note
    severity = note.severity if required else Severity.INFO
    if not told or not _is_in_vain(note):
        return attrs.evolve(note, severity=severity)
    return attrs.evolve(note, severity=severity, message=told[0], context={**note.context, **told[1]})


def _told(
    words: Sequence[str], misses: Sequence[NearMiss], labels: Sequence[str], document: Document, secret: bool
) -> tuple[str, dict[str, Any]]:
    """The sentences of a gap, and the same as data."""
    if secret:
        misses = tuple(attrs.evolve(miss, value="") for miss in misses)
    add = f"labels = {json.dumps(labels, ensure_ascii=False)}" if labels else ""
    context: dict[str, Any] = {"looked_for": words[:_MOST_WORDS], "other_wordings": len(words[_MOST_WORDS:])}
    if misses:
        context["nearest"] = [_as_data(miss, document) for miss in misses]
    if add:
        context["add"] = add
    return " ".join(_sentences(words, misses, document, add)), context


def _sentences(words: Sequence[str], misses: Sequence[NearMiss], document: Document, add: str) -> Iterator[str]:
    more = len(words) - _MOST_WORDS
    listed = ", ".join(f'"{word}"' for word in words[:_MOST_WORDS])
    yield f"Not found. Looked for {listed}{f' and {more} other wordings' if more > 0 else ''}."
    if misses:
        yield f"Nearest on the page: {'; '.join(_say(miss, document) for miss in misses)}."
    if add:
        yield f"If that is it, add {add}."


def _say(miss: NearMiss, document: Document) -> str:
    value = f': "{miss.value}"' if miss.value else ""
    return f'"{miss.name}" ({line_of(document, miss.span)}{value}), but {miss.lacks}'


def _as_data(miss: NearMiss, document: Document) -> dict[str, str]:
    place = line_of(document, miss.span)
    return {"name": miss.name, "value": miss.value, "place": place, "lacks": miss.lacks}
