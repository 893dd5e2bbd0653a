"""The stories of an artifact's fields, quoting the document only if it is the one that the artifact was made from."""

from __future__ import annotations

from hashlib import sha256

from paxman.api.inputs import InputData, RawInput, load_input
from paxman.artifact.artifact import ExecutionArtifact
from paxman.documents.document import Document
from paxman.errors import ConfigurationError, HashMismatchError
from paxman.report.veiling import veil
from paxman.report.views import FieldView, view_field


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
