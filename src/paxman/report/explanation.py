"""The stories of an artifact's fields, quoting only the document that it was made from, and no secrets of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from paxman.api.inputs import InputData, RawInput, load_input
from paxman.artifact.artifact import ExecutionArtifact
from paxman.documents.document import Document
from paxman.errors import ConfigurationError, HashMismatchError
from paxman.report.views import FieldView, view_field
from paxman.types import MASK


def load_source(given: InputData, artifact: ExecutionArtifact, name: str = "this") -> RawInput:
    """The document that an artifact was made from; another one would be quoted as evidence."""
    raw = load_input(given)
    if sha256(raw.data).hexdigest() != artifact.input_content_hash:
        raise HashMismatchError(f"{name} is not the document that the artifact was made from")
    return raw


def explain_fields(artifact: ExecutionArtifact, field: str | None, document: Document | None) -> list[FieldView]:
    """The stories of one field or cell, or of all fields."""
    document = veil(document, artifact) if document else None
    if field is None:
        return [view_field(artifact, result, document) for result in artifact.field_results]
    try:
        return [view_field(artifact, artifact[field], document)]
    except KeyError as error:
        raise ConfigurationError(error.args[0]) from None


_BLOT = "•"


def veil(document: Document, artifact: ExecutionArtifact) -> Document:
    """The document, or its bare text without any word that a secret was read from; pictures would show it."""
    secrets = sorted({document.text[start:end] for start, end in _secret_spans(artifact)}, key=len, reverse=True)
    text = document.text
    for secret in filter(None, secrets):
        text = text.replace(secret, _BLOT * len(secret))
    if text == document.text:
        return document
    return Document("text", text, document.locate, diagnostics=document.diagnostics)


def _secret_spans(artifact: ExecutionArtifact) -> Iterator[tuple[int, int]]:
    for result in artifact.field_results:
        if _holds_secret(result.value):
            yield from (ref.span for ref in result.evidence_refs if ref.span and _is_secret(artifact, ref.field_path))


def _is_secret(artifact: ExecutionArtifact, path: str) -> bool:
    try:
        return _holds_secret(artifact[path].value)
    except KeyError:
        return True


def _holds_secret(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_holds_secret, value.values()))
    return any(map(_holds_secret, value)) if isinstance(value, list | tuple) else bool(value == MASK)
