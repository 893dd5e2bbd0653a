"""verify: an artifact against its document and contract, and, when strict, against a second run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from paxman.api.inputs import InputData, load_input
from paxman.api.normalize import contract_of, normalize
from paxman.artifact.artifact import ExecutionArtifact, FieldResult
from paxman.artifact.replay import Stored, load_artifact
from paxman.artifact.verification import EvidenceCheck, Verification, verify_sources
from paxman.budget import Budget, Policy
from paxman.documents.reading import read_document
from paxman.errors import ConfigurationError
from paxman.planner.registry import CAPABILITIES
from paxman.reconciler.evidence_compare import equality_key


def verify(
    artifact: Stored,
    source: InputData,
    contract: Any = None,
    *,
    strict: bool = False,
    budget: Budget | None = None,
    policy: Policy | None = None,
) -> Verification:
    """Check hashes and every piece of evidence; `strict` also runs the deterministic steps again and compares."""
    loaded, raw = load_artifact(artifact), load_input(source)
    canonical = None if contract is None else contract_of(loaded, contract)
    found = verify_sources(loaded, raw.data, read_document(raw.data, raw.name), canonical)
    if not strict:
        return found
    if canonical is None:
        raise ConfigurationError("a strict verification runs again, so it needs the contract")
    again = normalize(source, canonical, budget, policy)
    return Verification((*found.checks, *_compare(loaded, again)))


def _compare(stored: ExecutionArtifact, again: ExecutionArtifact) -> Iterator[EvidenceCheck]:
    """Fields that only deterministic capabilities had a part in must come out the same."""
    fresh = {result.field_path: result for result in again.field_results}
    for result in stored.field_results:
        if _is_deterministic(result):
            yield EvidenceCheck("second run", result.field_path, _difference(result, fresh.get(result.field_path)))


def _is_deterministic(result: FieldResult) -> bool:
    found = (CAPABILITIES.get(ref.capability_id, ref.capability_version) for ref in result.evidence_refs)
    return all(capability is not None and capability.spec.deterministic for capability in found)


def _difference(stored: FieldResult, again: FieldResult | None) -> str:
    if again is None:
        return "the second run has no such field"
    if equality_key(stored.value) != equality_key(again.value):
        return "the second run gives another value"
    if stored.confidence != again.confidence:
        return f"the second run is {again.confidence:.2f} sure, not {stored.confidence:.2f}"
    return "" if _places(stored) == _places(again) else "the second run found it elsewhere"


def _places(result: FieldResult) -> list[Any]:
    return [(ref.capability_id, ref.role, ref.span, ref.transforms, ref.detail) for ref in result.evidence_refs]
