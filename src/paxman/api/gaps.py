"""What a field without a value says: the words it was looked for by, what on the page comes near, and what to add."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from paxman.budget import Policy
from paxman.capabilities.values import conventions_in
from paxman.contract.model import CanonicalContract
from paxman.documents.document import Document
from paxman.finding.near_misses import NearMiss, NearMisses, line_of
from paxman.lexicon.own_files import lexicon_of
from paxman.reconciler.truth import ResolvedResult
from paxman.types import Diagnostic, FieldType, Severity, Span

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
