"""verify: an artifact against its document and contract, and, when strict, against a second run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal

import attrs

from paxman.api.choosing import with_choice
from paxman.api.inputs import InputData, RawInput, load_input
from paxman.api.normalize import choose_contract, contract_of, pin_lexicon, run_pipeline
from paxman.artifact.artifact import ExecutionArtifact, diagnostic_to_dict
from paxman.artifact.replay import Stored, lessons_of, load_artifact
from paxman.artifact.results import FieldResult, is_reviewed
from paxman.artifact.verification import EvidenceCheck, Verification, verify_sources
from paxman.budget import Budget, Policy
from paxman.capabilities.base import Candidate, CapabilityContext, CapabilityResult, CapabilitySpec, EvidenceRef
from paxman.contract.alternatives import Alternatives, adapt_all
from paxman.contract.model import CanonicalContract
from paxman.documents.document import Document
from paxman.documents.records import read_source
from paxman.errors import ConfigurationError
from paxman.inference.provider import Request
from paxman.learning.attaching import Given, attach_all
from paxman.planner.field_plan import FieldPlanStep
from paxman.planner.registry import CAPABILITIES, CapabilityRegistry
from paxman.serialization import canonical_json
from paxman.transforms import run
from paxman.types import Money, Origin, iso_text
from paxman.version import __version__


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
    again = check_again(
        loaded,
        raw,
        document,
        attach_all(adapt_all(contract), lessons),
        budget or Budget(),
        pin_lexicon(policy or Policy()),
    )
    return Verification((*found.checks, *again), complete=not allow_unrecorded)


SECOND_RUN = "second run"
_EVERY = ("status", "contract_id", "contract_hash", "root", "capability_versions", "paxman_version", "planner_version")


def check_again(
    stored: ExecutionArtifact,
    source: RawInput,
    document: Document,
    given: CanonicalContract | Alternatives,
    budget: Budget,
    policy: Policy,
) -> Iterator[EvidenceCheck]:
    """The whole artifact against a second run, and the answers of models against what was recorded of them."""
    told = _Recorded(stored, document)
    yield from told.checks()
    if stored.paxman_version != __version__:
        ours = f"this is {__version__}; run it again with paxman=={stored.paxman_version}"
        yield EvidenceCheck(SECOND_RUN, problem=f"the artifact was made by Paxman {stored.paxman_version}, {ours}")
        return
    contract, fits = choose_contract(source, given, policy, lambda: document)
    again = run_pipeline(source, contract, budget, policy, registry=_registry(stored, told))
    if not fits:  # the contract that was chosen then is the only one now
        chosen = [note for note in stored.diagnostics if note.code == "CONTRACT_CHOSEN"]
        again = attrs.evolve(again, diagnostics=(*chosen, *again.diagnostics))
    yield from _compare(stored, with_choice(again, fits), told.paths)


@attrs.frozen
class _RecordedTerms:
    """What a model's calls may have cost, as the plan has it."""

    most_tokens: int
    most_usd: Decimal


@attrs.frozen
class _RecordedProvider:
    """A model that the plan names. It stands there for the plan's sake and is never asked."""

    name: str
    model: str
    tier: Literal["local", "remote"]
    terms: _RecordedTerms

    def complete(self, request: Any) -> Any:
        raise NotImplementedError("a verification asks no model")


@attrs.frozen
class _RecordedCapability:
    """Says again what the artifact has of a capability that need not give the same answer twice."""

    spec: CapabilitySpec
    told: _Recorded

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        return self.told.result(context.field.path, self.spec.id)

    def ask(self, contexts: Sequence[CapabilityContext], *_: Any) -> list[CapabilityResult]:
        return [self.invoke(context) for context in contexts]


def _registry(stored: ExecutionArtifact, told: _Recorded) -> CapabilityRegistry:
    """The capabilities as they are, but models and the like only repeat themselves."""
    registry = CapabilityRegistry({}, entry_points=False)
    for capability in CAPABILITIES:
        spec = capability.spec
        registry.register(capability if spec.deterministic else _RecordedCapability(spec, told))
    steps = [step for plan in stored.execution_plan.fields for step in plan.capability_chain]
    asked = {step.config["provider"]: step for step in steps if "provider" in step.config}
    for name, step in asked.items():
        tier: Literal["local", "remote"] = "local" if step.step.name == "LOCAL_INFERENCE" else "remote"
        terms = _RecordedTerms(step.cost.tokens, step.cost.usd)
        registry.providers.register(_RecordedProvider(name, step.config["model"], tier, terms))
    return registry


@attrs.define(slots=False)
class _Recorded:
    """What an artifact holds of capabilities that are not deterministic."""

    stored: ExecutionArtifact
    document: Document

    @property
    def paths(self) -> frozenset[str]:
        """Fields that such a capability was asked for, as the plan has it."""
        plans = self.stored.execution_plan.fields
        asked = {plan.field_id for plan in plans if any(map(_may_differ, plan.capability_chain))}
        found = (each for each in self.stored.field_results if each.field_id in asked)
        return frozenset(each.field_path for each in found if self._refs(each) or each.cost.tokens or each.cost.usd)

    def result(self, path: str, capability: str) -> CapabilityResult:
        found = next((result for result in self.stored.field_results if result.field_path == path), None)
        if found is None:
            return CapabilityResult()
        joined = isinstance(found.value, tuple) and found.origin is Origin.INFERRED
        refs = [ref for ref in found.evidence_refs if joined or ref.capability_id == capability]
        notes = [ref for ref in refs if ref.role == "context" and not ref.is_of_value]
        return CapabilityResult(
            tuple(self._candidates(found, refs)), evidence=tuple(notes), tokens=found.cost.tokens, usd=found.cost.usd
        )

    def _candidates(self, result: FieldResult, refs: Sequence[EvidenceRef]) -> Iterator[Candidate]:
        """The value that was taken with its places, and each that was not."""
        mine = (ref for ref in refs if ref.is_of_value or ref.supports)
        taken = tuple(ref if ref.basis == "answer" else attrs.evolve(ref, role="supporting") for ref in mine)
        if isinstance(result.value, tuple) and result.origin is Origin.INFERRED and taken:
            # Rows of several finders are one list, and what it turned away is told of within it.
            lost = tuple(ref for ref in refs if ref.role == "rejected")
            disputes = tuple(note for note in result.diagnostics if note.code in ("CONFLICT", "MISMATCH"))
            yield Candidate(result.value, (*taken, *lost), disputes, rows=result.rows)
            return
        if taken:
            yield Candidate(result.value, taken)
        for ref in refs:
            if ref.role == "rejected" and ref.basis != "relation" and (ref.span or ref.basis == "answer"):
                value = run(ref.transforms, self.document.text[slice(*(ref.span or (0, 0)))])
                role: Literal["context", "supporting"] = "context" if ref.basis == "answer" else "supporting"
                yield Candidate(value, (attrs.evolve(ref, role=role),))

    def _refs(self, result: FieldResult) -> list[EvidenceRef]:
        known = ((ref, CAPABILITIES.get(ref.capability_id, ref.capability_version)) for ref in result.evidence_refs)
        return [ref for ref, capability in known if capability and not capability.spec.deterministic]

    def checks(self) -> Iterator[EvidenceCheck]:
        """Each value that a model gave, against what was recorded of the exchange."""
        exchanges = {details["request"]: details for details in self._details() if "completion" in details}
        for digest, exchange in exchanges.items():
            yield EvidenceCheck("recording", problem=_exchange_problem(digest, exchange))
        for result in self.stored.field_results:
            refs = self._refs(result)
            if refs and result.status == "RESOLVED":
                yield self._check(result, refs, exchanges)

    def _check(
        self, result: FieldResult, refs: Sequence[EvidenceRef], exchanges: Mapping[str, Mapping[str, Any]]
    ) -> EvidenceCheck:
        asked = [details["request"] for details in map(details_of, refs) if details]
        said = [exchanges[digest]["completion"] or "" for digest in asked if digest in exchanges]
        if not said:
            return EvidenceCheck("model", result.field_path, unchecked="a model said so, and nothing was recorded")
        told = [part for answer in said for part in _parts(answer)]
        missing = any(ref.is_of_value and not self._is_told(ref, told) for ref in refs if ref.model_id)
        return EvidenceCheck("model", result.field_path, "the recorded answer does not say it" if missing else "")

    def _is_told(self, ref: EvidenceRef, told: Sequence[Any]) -> bool:
        """Whether an answer holds what a reference makes of its place: the value, or the page's own words for it."""
        quote = self.document.text[slice(*ref.span)] if ref.span else ""
        value = run(ref.transforms, quote)
        value = value.amount if isinstance(value, Money) else value
        forms = {_folded(quote), _folded(iso_text(value))} - {""}
        return any(part == value if isinstance(part, Decimal) else any(form in part for form in forms) for part in told)

    def _details(self) -> Iterator[Mapping[str, Any]]:
        found = (details_of(ref) for result in self.stored.field_results for ref in self._refs(result))
        return (details for details in found if details)


def _may_differ(step: FieldPlanStep) -> bool:
    capability = CAPABILITIES.get(step.capability_id, step.capability_version)
    return "provider" in step.config or (capability is not None and not capability.spec.deterministic)


def details_of(ref: EvidenceRef) -> Mapping[str, Any] | None:
    """What a reference to an exchange with a model says of it."""
    try:
        details = json.loads(ref.detail or "") if ref.role == "context" else None
    except ValueError:
        return None
    return details if isinstance(details, dict) and isinstance(details.get("request"), str) else None


def _exchange_problem(digest: str, exchange: Mapping[str, Any]) -> str:
    """Whether the recorded question and answer are those whose hashes the artifact names."""
    said = exchange["completion"]
    if said is not None and hashlib.sha256(said.encode("utf-8", "replace")).hexdigest() != exchange["answer"]:
        return "the recorded answer is not the one that was given"
    if "max_tokens" not in exchange or "pictures" in exchange:
        return ""  # recorded by an earlier version, or with pictures, which are not kept
    parts = (exchange["system"], exchange["prompt"], exchange["schema"], exchange["max_tokens"])
    return "" if Request(*parts).digest == digest else "the recorded question is not the one that was asked"


def _parts(answer: str) -> Iterator[Any]:
    """Every number and every folded text in an answer, which is JSON or holds it."""
    yield _folded(answer)
    try:
        waiting = [json.loads(answer, parse_float=Decimal, parse_int=Decimal)]
    except ValueError:
        return
    while waiting:
        part = waiting.pop()
        if isinstance(part, Decimal | str):
            yield part if isinstance(part, Decimal) else _folded(part)
        elif isinstance(part, dict | list):
            waiting += part.values() if isinstance(part, dict) else part


def _folded(text: str) -> str:
    return "".join(text.split()).casefold()


def _compare(stored: ExecutionArtifact, again: ExecutionArtifact, told: frozenset[str]) -> Iterator[EvidenceCheck]:
    """Everything that the artifact says, part by part."""
    fresh = {result.field_path: result for result in again.field_results}
    known = {result.field_path: result for result in stored.field_results}
    reviewed = {path for path, result in known.items() if is_reviewed(result)}
    told |= reviewed
    for path in (path for path in dict.fromkeys((*known, *fresh)) if path not in reviewed):
        yield EvidenceCheck(SECOND_RUN, path, _difference(known.get(path), fresh.get(path), path in told))
    if list(known) != [path for path in fresh if path in known]:
        yield EvidenceCheck(SECOND_RUN, problem="the second run has the fields in another order")
    names = [name for name in _EVERY if not (reviewed and name == "status")]
    same = {f"another {name}": getattr(stored, name) == getattr(again, name) for name in names}
    same["another plan"] = stored.execution_plan.encode() == again.execution_plan.encode()
    same["other diagnostics"] = _notes(stored, told) == _notes(again, told)
    if not reviewed:
        same["other statistics"] = _cost_the_same(stored, again, told)
    for what, is_same in same.items():
        yield EvidenceCheck(SECOND_RUN, problem="" if is_same else f"the second run has {what}")
    if reviewed:
        yield EvidenceCheck(SECOND_RUN, unchecked=f"a person corrected {', '.join(sorted(reviewed))}")


def _difference(stored: FieldResult | None, again: FieldResult | None, told: bool) -> str:
    """What differs in one field; of one that a model was asked for, notes and cost are not made again."""
    if stored is None:
        return "the second run has this field, the artifact does not"
    if again is None:
        return "the second run has no such field"
    if stored.status != again.status:
        return f"the second run leaves it {again.status}"
    if canonical_json(stored.value) != canonical_json(again.value):
        return "the second run gives another value"
    if (stored.confidence, stored.confidence_evidence) != (again.confidence, again.confidence_evidence):
        return f"the second run is {again.confidence:.2f} sure, not {stored.confidence:.2f}, or counts otherwise"
    # The quote is left aside, which a policy may leave out and the document has.
    places, others = ([attrs.evolve(ref, quote=None) for ref in each.evidence_refs] for each in (stored, again))
    if places != others:
        return "the second run found it elsewhere"
    names = ["origin", "confidence_band", "truth_layer", "field_type_name", "field_id", "required", "shape"]
    names += [] if told else ["cost", "diagnostics"]
    other = [name for name in names if getattr(stored, name) != getattr(again, name)]
    return f"the second run has another {' and '.join(other)}" if other else ""


def _notes(artifact: ExecutionArtifact, told: frozenset[str]) -> list[bytes]:
    """All notes, but those on fields that a model was asked for."""
    asked = {note for result in artifact.field_results if result.field_path in told for note in result.diagnostics}
    return [canonical_json(diagnostic_to_dict(note)) for note in artifact.diagnostics if note not in asked]


def _cost_the_same(stored: ExecutionArtifact, again: ExecutionArtifact, told: frozenset[str]) -> bool:
    """Counts and cost; what models cost is not made again, but must be the sum of what the fields say."""
    ours, theirs = stored.statistics, again.statistics
    if not told:
        return ours == theirs
    counts = (ours.fields, ours.resolved, ours.unresolved) == (theirs.fields, theirs.resolved, theirs.unresolved)
    tokens = sum(result.cost.tokens for result in stored.field_results)
    usd = sum((result.cost.usd for result in stored.field_results), Decimal(0))
    return counts and (ours.tokens, ours.cost_usd) == (tokens, usd)
