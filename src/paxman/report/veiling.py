"""A document as it may be shown: with the secrets of its artifact blotted out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from paxman.artifact.artifact import ExecutionArtifact
from paxman.documents.document import Document
from paxman.types import MASK

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
