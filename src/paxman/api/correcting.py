"""`artifact.corrected` on behalf of the command line: load, correct, and keep the example."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from paxman.api.inputs import InputData, load_input
from paxman.api.normalize import contract_of
from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.correcting import document_for
from paxman.learning.examples import append_example


def correct_artifact(
    artifact: ExecutionArtifact,
    values: Mapping[str, Any],
    by: str,
    contract: Any,
    source: InputData | None = None,
    examples: str | os.PathLike[str] | None = None,
) -> ExecutionArtifact:
    """The corrected artifact; with `examples`, the correction is also a line of that file, synced to disk."""
    canonical = contract_of(artifact, contract)
    raw = None if source is None else load_input(source)
    document = raw and document_for(raw.data, artifact.input_content_hash, bool(artifact.root), raw.name)
    made = artifact.corrected(values, by, canonical, document)
    if examples is not None:
        was = {path: artifact[path].value for path in values}
        name = source if isinstance(source, os.PathLike) else artifact.metadata.get("source", "")
        append_example(examples, str(name), dict(values), by, was)
    return made
