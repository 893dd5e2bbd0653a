"""`learn`: from documents with their right values to lessons; artifacts that a person reviewed are examples, too."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from paxman.api.inputs import InputData, RawInput, load_input
from paxman.api.normalize import contract_of, run_pipeline
from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.correcting import document_for
from paxman.artifact.replay import load_unchanged
from paxman.artifact.results import FieldResult, is_reviewed
from paxman.budget import Budget, Policy
from paxman.contract import adapt
from paxman.contract.model import CanonicalContract
from paxman.documents.reading import read_document
from paxman.errors import ConfigurationError
from paxman.learning.candidates import AnnotatedPage
from paxman.learning.examples import Example, append_example, gather
from paxman.learning.lessons import Lessons
from paxman.learning.locating import same_value, typed
from paxman.learning.mentions import label_at
from paxman.learning.standing import StepAnswer
from paxman.learning.training import LearningReport, Taught, teach
from paxman.planner import make_profile
from paxman.recognizers import Conventions, conventions_of
from paxman.serialization import canonical_json, to_plain
from paxman.types import ConfidenceBand, Origin

Told = Callable[[int, int, str], None]
_OFFLINE = Policy(allow_remote_inference=False, allow_local_inference=False)


def learn(
    contract: Any,
    examples: Any,
    *,
    private: bool = False,
    locale: str | None = None,
    policy: Policy | None = None,
    progress: Told | None = None,
) -> Lessons:
    """Lessons from documents with their right values; `lessons.report` says in words what was learned.

    An example is a pair `(input, data)`, a line of an examples file (JSONL), a document with `<name>.json` beside it in
    a folder, or a row of a CSV file or frame with a column `source`. `private` keeps hashes of words instead of words.
    Of the policy, locale and lexicon have a say; nothing is sent anywhere.
    """
    canonical = attrs.evolve(adapt(contract), lessons=None)
    found = gather(examples)
    if not found:
        raise ConfigurationError("there are no examples to learn from")
    given = policy or Policy()
    offline = attrs.evolve(_OFFLINE, locale=locale or given.locale, lexicon=given.lexicon)
    taught = []
    for number, example in enumerate(found):
        if progress:
            progress(number, len(found), example.name)
        taught.append(_taught(canonical, example, offline))
    lessons, missed = teach(canonical, taught, private)
    if progress:
        progress(len(found), len(found), "")
    return attrs.evolve(lessons, report=LearningReport(lessons, tuple(missed), _strangers(canonical, found)))


def _strangers(contract: CanonicalContract, examples: list[Example]) -> tuple[str, ...]:
    """Names in the examples that the contract does not know."""
    known = {field.path.partition(".")[0] for field in contract.leaves}
    return tuple(sorted({name for example in examples for name in example.data if name.partition(".")[0] not in known}))


def _taught(contract: CanonicalContract, example: Example, offline: Policy) -> Taught:
    source = load_input(example.source)
    document = read_document(source.data, source.name)
    how = conventions_of(document.plain.text, offline.locale)
    values = dict(right_values(contract, example.data, how))
    artifact = untaught(source, contract, offline)
    sheet = AnnotatedPage(document, contract, how)
    others = dict(_answers(artifact, sheet, values))
    return Taught(example_hash(source.data, example.data), sheet, values, others, example.name)


def untaught(source: RawInput, contract: CanonicalContract, offline: Policy) -> ExecutionArtifact:
    """What Paxman finds by itself, offline."""
    return run_pipeline(source, contract, Budget(), offline)


def _answers(
    artifact: ExecutionArtifact, sheet: AnnotatedPage, values: Mapping[str, Any]
) -> Iterator[tuple[str, StepAnswer]]:
    """What was answered, of the fields whose right values are known."""
    for path, right in values.items():
        result = artifact[path]
        if result.status == "RESOLVED" and result.value != ():
            sure = result.confidence_band in (ConfidenceBand.HIGH, ConfidenceBand.CERTAIN)
            is_right = same_value(result.value, right, sheet.contract.by_path[path])
            start = next((ref.span[0] for ref in result.evidence_refs if ref.span), None)
            label = "" if start is None else label_at(sheet.page, start)
            tied = any(ref.supports for ref in result.evidence_refs)
            yield path, StepAnswer(result.value, sure, is_right, label, tied, right is None)


def example_hash(data: bytes, values: Mapping[str, Any]) -> str:
    """A hash of a document and its right values."""
    return hashlib.sha256(data + b"\0" + canonical_json(values)).hexdigest()[:24]


def right_values(contract: CanonicalContract, data: Mapping[str, Any], how: Conventions) -> Iterator[tuple[str, Any]]:
    """The right value of each field that the data say something of, by path; nothing at all counts as not stated."""
    for field in contract.leaves:
        if field.path in data:
            value: Any = data[field.path]
        else:
            value, known = data, True
            for name in field.path.split("."):
                known = known and isinstance(value, Mapping) and name in value
                value = value[name] if known else None
            if not known:
                continue
        yield field.path, None if value in ("", [], {}) else typed(field, value, how)


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
        # The document of an artifact; one that has changed since is refused.
        name = str(artifact.metadata.get("source", ""))
        places = [Path(name), path.parent / name, *([root / name, root / Path(name).name] if root else [])]
        found = next((place for place in places if name and place.is_file()), None)
        if found is None:
            raise ConfigurationError(
                f"{path}: its document {name or '(unnamed)'} is not there; name its folder with --root"
            )
        if make_profile(found.read_bytes()).content_hash != artifact.input_content_hash:
            raise ConfigurationError(f"{path}: {found} is not the document that the artifact was made from")
        example = from_artifact(artifact, found, origins)
        if example.data:
            yield example


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
