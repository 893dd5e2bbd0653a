"""Artifacts as examples: values that a person reviewed, or that a model gave and that were accepted."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from paxman.api.inputs import InputData, load_input
from paxman.api.normalize import contract_of
from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.correcting import document_for
from paxman.artifact.replay import load_unchanged
from paxman.artifact.results import FieldResult, is_reviewed
from paxman.errors import ConfigurationError
from paxman.learning.examples import Example, append_example
from paxman.planner import make_profile
from paxman.serialization import to_plain
from paxman.types import Origin

_ACCEPTED = 0.8
"""The confidence from which a value counts as accepted that no person has looked at."""


def from_artifact(artifact: ExecutionArtifact, source: Any, origins: Collection[Origin]) -> Example:
    """The example that an artifact and its document are."""
    found = {result.field_path: to_plain(result.value) for result in artifact.field_results if _counts(result, origins)}
    return Example(source, found)


def _counts(result: FieldResult, origins: Collection[Origin]) -> bool:
    if is_reviewed(result):
        return Origin.REVIEWED in origins
    return result.origin in origins and result.confidence >= _ACCEPTED


def from_artifacts(
    folder: str | os.PathLike[str], origins: Collection[Origin] = (Origin.REVIEWED,), root: Path | None = None
) -> Iterator[Example]:
    """Examples from a folder of stored artifacts; their documents are where they were, or below `root`."""
    for path in sorted(Path(folder).rglob("*.json")):
        try:
            artifact = load_unchanged(path)
        except (KeyError, ValueError, TypeError, AttributeError):
            continue  # other JSON files may stand beside artifacts
        example = from_artifact(artifact, _document(artifact, path, root), origins)
        if example.data:
            yield example


def _document(artifact: ExecutionArtifact, path: Path, root: Path | None) -> Path:
    """The document of an artifact; one that has changed since is refused."""
    name = str(artifact.metadata.get("source", ""))
    places = [Path(name), path.parent / name, *([root / name, root / Path(name).name] if root else [])]
    found = next((place for place in places if name and place.is_file()), None)
    if found is None:
        raise ConfigurationError(
            f"{path}: its document {name or '(unnamed)'} is not there; name its folder with --root"
        )
    if make_profile(found.read_bytes()).content_hash != artifact.input_content_hash:
        raise ConfigurationError(f"{path}: {found} is not the document that the artifact was made from")
    return found


def origins_of(text: str) -> tuple[Origin, ...]:
    """Origins from a list of names: "INFERRED,REVIEWED"."""
    names = [name.strip().upper() for name in text.split(",") if name.strip()]
    known: Mapping[str, Origin] = {origin.value: origin for origin in Origin}
    strangers = [name for name in names if name not in known]
    if strangers:
        raise ConfigurationError(f"no such origin: {', '.join(strangers)}; there are {', '.join(known)}")
    return tuple(known[name] for name in names)


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
