"""What a field without a value says: the words it was looked for by, what on the page comes near, and what to add."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs

from paxman.budget import Policy
from paxman.capabilities.values import conventions_in
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document
from paxman.finding.near_misses import NearMiss, NearMisses, line_of
from paxman.lexicon.own_files import lexicon_of
from paxman.reconciler.truth import ResolvedResult
from paxman.types import Diagnostic, FieldType, Severity

_ROWS = (FieldType.ARRAY, FieldType.OBJECT, FieldType.MAP)
_MOST_WORDS = 6


def say_gaps(
    contract: CanonicalContract, results: Sequence[ResolvedResult], policy: Policy, read: Callable[[], Document]
) -> tuple[ResolvedResult, ...]:
    """The results, where each one that was looked for in vain says what to do about it."""
    required = {field.path for field, needed in contract.planned if needed}
    open_paths = [result.field_path for result in results if any(map(_is_in_vain, result.diagnostics))]
    single = {field.path for field in contract.leaves if _is_single(field)}
    if not single.isdisjoint(open_paths):
        document = read().plain
        how = conventions_in(document, policy.locale)
        near = NearMisses(document, contract, lexicon_of(policy.lexicon), how)
        told = {path: _told(near, path, document, contract.has_secrets) for path in open_paths if path in single}
    else:
        told = {}
    return tuple(_with_advice(result, told, result.field_path in required) for result in results)


def _is_in_vain(note: Diagnostic) -> bool:
    return note.code == "CHAIN_EXHAUSTED" and "looked_for" in note.context


def _is_single(field: CanonicalField) -> bool:
    return field.type not in _ROWS


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


def _told(near: NearMisses, path: str, document: Document, secret: bool) -> tuple[str, dict[str, Any]]:
    """The sentences of a gap, and the same as data."""
    words, misses = near.words(path), near.of(path)
    if secret:
        misses = tuple(attrs.evolve(miss, value="") for miss in misses)
    labels = [miss.name for miss in misses if miss.is_label][:1]
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
