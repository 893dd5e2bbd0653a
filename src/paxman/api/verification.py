"""verify: an artifact against its document and contract, and, when strict, against a second run."""

from __future__ import annotations

from typing import Any

from paxman.api.inputs import InputData, load_input
from paxman.api.normalize import contract_of, pin_lexicon
from paxman.artifact.replay import Stored, lessons_of, load_artifact
from paxman.artifact.verification import EvidenceCheck, Verification, verify_sources
from paxman.budget import Budget, Policy
from paxman.contract.alternatives import adapt_all
from paxman.documents.records import read_source
from paxman.errors import ConfigurationError
from paxman.learning.attaching import Given, attach_all


def verify(
    artifact: Stored,
    source: InputData,
    contract: Any = None,
    *,
    strict: bool = False,
    budget: Budget | None = None,
    policy: Policy | None = None,
    allow_unrecorded: bool = False,
    reformatted: bool = False,
    lessons: Given = None,
) -> Verification:
    """Check hashes, every piece of evidence, every origin and every confidence.

    `strict` also runs all deterministic steps again and compares the whole artifact; what a model said without a
    recording is then not verified, unless `allow_unrecorded`.
    """
    loaded, raw = load_artifact(artifact), load_input(source)
    canonical = None if contract is None else contract_of(loaded, contract, lessons)
    document = read_source(raw.data, raw.name, records=bool(loaded.root))
    found = verify_sources(loaded, raw.data, document, canonical, reformatted=reformatted)
    if lessons_of(loaded) and (canonical is None or canonical.lessons is None):
        unchecked = "the artifact was made with lessons, and none are given: name their file to check them"
        found = Verification((*found.checks, EvidenceCheck("lessons", unchecked=unchecked)), complete=found.complete)
    if not strict:
        return found
    if canonical is None:
        raise ConfigurationError("a strict verification runs again, so it needs the contract")
    from paxman.api.second_run import check_again

    again = check_again(
        loaded,
        raw,
        document,
        attach_all(adapt_all(contract), lessons),
        budget or Budget(),
        pin_lexicon(policy or Policy()),
    )
    return Verification((*found.checks, *again), complete=not allow_unrecorded)
