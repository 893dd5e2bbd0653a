"""Replay: check a stored artifact and give it back, without computing anything anew."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from paxman.artifact.artifact import REPLAY_VERSION, ExecutionArtifact
from paxman.artifact.correcting import REVIEW
from paxman.capabilities.base import EvidenceRef
from paxman.contract.model import CanonicalContract
from paxman.errors import CapabilityNotFoundError, HashMismatchError, PaxmanError, VersionMismatchError
from paxman.planner.field_plan import PLANNER_VERSION
from paxman.planner.registry import CAPABILITIES, CapabilityRegistry
from paxman.plugins import version_key
from paxman.version import __version__

Stored = ExecutionArtifact | Mapping[str, Any] | str | bytes | os.PathLike[str]


def load_artifact(stored: Stored) -> ExecutionArtifact:
    """An artifact from itself, its dict, its JSON text or a file."""
    if isinstance(stored, ExecutionArtifact):
        return stored
    if isinstance(stored, os.PathLike):
        return _load_file(stored)
    if isinstance(stored, str | bytes):
        return ExecutionArtifact.from_json(stored)
    if isinstance(stored, Mapping):
        return ExecutionArtifact.from_dict(stored)
    raise TypeError(
        f"replay takes an ExecutionArtifact, its dict, its JSON text or a path, not {type(stored).__name__}"
    )


def _load_file(path: os.PathLike[str]) -> ExecutionArtifact:
    """The artifact in a file; an error names the file and says how artifacts are made."""
    try:
        with open(path, "rb") as file:
            return ExecutionArtifact.from_json(file.read())
    except HashMismatchError as error:
        advice = "`paxman normalize DOCUMENT --contract CONTRACT --output FILE` makes one"
        raise HashMismatchError(f"{os.fspath(path)}: {error}. {advice}", context=error.context) from error


def load_unchanged(stored: Stored) -> ExecutionArtifact:
    """An artifact to show; one that was changed after it was written is refused, one only reformatted is not."""
    artifact = load_artifact(stored)
    for error in _changes(artifact, reformatted=True):
        raise error
    return artifact


def _changes(artifact: ExecutionArtifact, reformatted: bool) -> Iterator[HashMismatchError]:
    if artifact.stored_digest:
        yield HashMismatchError("the stored artifact was changed after it was written")
    elif artifact.reformatted and not reformatted:
        yield HashMismatchError(
            "the bytes of the stored artifact are not those that Paxman wrote; if it was only reformatted, say so "
            "(--reformatted, or reformatted=True)"
        )


def verify_artifact(
    artifact: ExecutionArtifact,
    contract: CanonicalContract,
    registry: CapabilityRegistry | None = None,
    *,
    reformatted: bool = False,
) -> None:
    """Raise the first reason why the artifact cannot stand for this contract."""
    for error in reasons_against(artifact, contract, registry, reformatted=reformatted):
        raise error


def reasons_against(
    artifact: ExecutionArtifact,
    contract: CanonicalContract | None,
    registry: CapabilityRegistry | None = None,
    *,
    reformatted: bool = False,
) -> Iterator[PaxmanError]:
    """Every reason why the artifact cannot stand for this contract, or for any if none is given."""
    yield from _changes(artifact, reformatted)
    versions = (
        ("Paxman", artifact.paxman_version, __version__),
        ("replay format", artifact.replay_version, REPLAY_VERSION),
        ("planner", artifact.planner_version, PLANNER_VERSION),
    )
    for what, found, ours in versions:
        if found.partition(".")[0] != ours.partition(".")[0] or version_key(found) > version_key(ours):
            yield VersionMismatchError(
                f"the {what} version of the artifact is {found}, this Paxman reads {ours}; "
                "use the version that wrote it",
                context={"found": found, "supported": ours},
            )
    yield from _missing_capability(artifact, CAPABILITIES if registry is None else registry)
    hashes = [] if contract is None else [("contract", artifact.contract_hash, contract.content_hash)]
    if contract is not None and contract.lessons is not None and lessons_of(artifact):
        # Lessons that are given, or that the contract names, must be those of the artifact.
        hashes.insert(0, ("file of lessons", lessons_of(artifact), contract.lessons.hash))
    for what, recorded, computed in (*hashes, ("artifact", artifact.replay_hash, artifact.computed_hash())):
        if recorded != computed:
            yield HashMismatchError(
                f"the {what} differs from the one recorded", context={"recorded": recorded, "computed": computed}
            )


def _missing_capability(artifact: ExecutionArtifact, registry: CapabilityRegistry) -> Iterator[CapabilityNotFoundError]:
    """The first capability that the artifact was made with and that is not here."""
    named = {(ref.capability_id, ref.capability_version) for ref in artifact.evidence if is_found(ref)}
    for name, version in sorted(named.union(artifact.capability_versions.items())):
        if registry.get(name, version) is None:
            yield CapabilityNotFoundError(
                f"the artifact was made with {name} {version}, which is not registered here; install or register it",
                context={"capability_id": name, "version": version},
            )
            return


def lessons_of(artifact: ExecutionArtifact) -> str:
    """The hash of the lessons that the artifact's plan names, or nothing."""
    steps = (step for plan in artifact.execution_plan.fields for step in plan.capability_chain)
    return next((str(step.config["lessons"]) for step in steps if "lessons" in step.config), "")


def is_found(ref: EvidenceRef) -> bool:
    """Whether a capability found it: not so what a person says, or a relation that holds."""
    return ref.basis != "relation" and ref.capability_id != REVIEW
