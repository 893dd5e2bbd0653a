"""Replay: check a stored artifact and give it back, without computing anything anew."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from paxman.artifact.artifact import REPLAY_VERSION, ExecutionArtifact
from paxman.contract.model import CanonicalContract
from paxman.errors import CapabilityNotFoundError, HashMismatchError, VersionMismatchError
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
        with open(stored, "rb") as file:
            return ExecutionArtifact.from_json(file.read())
    if isinstance(stored, str | bytes):
        return ExecutionArtifact.from_json(stored)
    if isinstance(stored, Mapping):
        return ExecutionArtifact.from_dict(stored)
    raise TypeError(
        f"replay takes an ExecutionArtifact, its dict, its JSON text or a path, not {type(stored).__name__}"
    )


def load_unchanged(stored: Stored) -> ExecutionArtifact:
    """An artifact to show; one that was changed after it was written is refused."""
    artifact = load_artifact(stored)
    _refuse_changed(artifact)
    return artifact


def _refuse_changed(artifact: ExecutionArtifact) -> None:
    if artifact.stored_digest:
        raise HashMismatchError("the stored artifact was changed after it was written")


def verify_artifact(
    artifact: ExecutionArtifact, contract: CanonicalContract, registry: CapabilityRegistry | None = None
) -> None:
    """Raise the first reason why the artifact cannot stand for this contract."""
    _refuse_changed(artifact)
    _check_version("Paxman", artifact.paxman_version, __version__)
    _check_version("replay format", artifact.replay_version, REPLAY_VERSION)
    _check_version("planner", artifact.planner_version, PLANNER_VERSION)
    _check_capabilities(artifact, CAPABILITIES if registry is None else registry)
    _check_hash("contract", artifact.contract_hash, contract.content_hash)
    _check_hash("artifact", artifact.replay_hash, artifact.computed_hash())


def _check_version(what: str, found: str, ours: str) -> None:
    if found.partition(".")[0] != ours.partition(".")[0] or version_key(found) > version_key(ours):
        raise VersionMismatchError(
            f"the {what} version of the artifact is {found}, this Paxman reads {ours}; use the version that wrote it",
            context={"found": found, "supported": ours},
        )


def _check_capabilities(artifact: ExecutionArtifact, registry: CapabilityRegistry) -> None:
    for name, version in sorted(artifact.capability_versions.items()):
        if registry.get(name, version) is None:
            raise CapabilityNotFoundError(
                f"the artifact was made with {name} {version}, which is not registered here; install or register it",
                context={"capability_id": name, "version": version},
            )


def _check_hash(what: str, recorded: str, computed: str) -> None:
    if recorded != computed:
        raise HashMismatchError(
            f"the {what} differs from the one recorded", context={"recorded": recorded, "computed": computed}
        )
