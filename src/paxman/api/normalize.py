"""normalize, plan, replay and profile: the pipeline on one screen."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any

import attrs

from paxman import telemetry
from paxman.api.choosing import Fit, rank, with_choice
from paxman.api.finishing import confirm, hide, say_gaps
from paxman.api.inputs import InputData, RawInput, load_input, name_source
from paxman.api.registration import forbidden_models, registry_for
from paxman.artifact.artifact import ExecutionArtifact, now
from paxman.artifact.coding import shape_of
from paxman.artifact.replay import Stored, load_artifact, verify_artifact
from paxman.artifact.results import FieldCost, FieldResult, Statistics
from paxman.budget import Budget, Policy, capped
from paxman.capabilities.base import Candidate, CandidateResult, Objection
from paxman.capabilities.nested_documents import find_in_parts, find_repeated
from paxman.classes import frozen
from paxman.contract.alternatives import Alternatives, adapt_all, each_of
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document
from paxman.documents.reading import Limits
from paxman.documents.records import read_source
from paxman.documents.sandbox.kept_readings import keeping
from paxman.errors import ConfigurationError, InvalidBudgetError, InvalidPolicyError
from paxman.executor.executor import Run, execute
from paxman.executor.ledger import BudgetTracker
from paxman.gc_pause import collecting_less
from paxman.inference.models import personal_paths
from paxman.learning.attaching import Given, attach_all
from paxman.lexicon.own_files import pin
from paxman.planner import ExecutionPlan, InputProfile, derive_effective_policy, make_profile
from paxman.planner import plan as make_plan
from paxman.planner.policies import EffectivePolicy
from paxman.planner.registry import CAPABILITIES, CapabilityRegistry
from paxman.plugins import plugin_lexicons
from paxman.reconciler.confidence import CERTAIN
from paxman.reconciler.reconciler import Settling, Weighed, reconcile, weigh
from paxman.reconciler.truth import ResolvedResult
from paxman.relations.implied import relations_of
from paxman.types import Diagnostic, Severity, Status
from paxman.version import __version__


@collecting_less()
def normalize(
    input_data: InputData,
    contract: Any,
    budget: Budget | None = None,
    policy: Policy | None = None,
    *,
    limits: Limits | None = None,
    lessons: Given = None,
    model: str | Sequence[str] | None = None,
) -> ExecutionArtifact:
    """Turn a document into the contract's data, with evidence, confidence and cost for every field.

    `contract` may be a list of contracts: the one that the page fits is taken, and CONTRACT_CHOSEN says why. `limits`
    bound what reading the document may use; what they cut off is a diagnostic. `lessons` are those of `learn`, or
    their file. `model`, such as "anthropic:NAME", may be asked too, within 0.10 USD unless the budget says otherwise;
    two are two readers.
    """
    started = time.perf_counter()
    given, budget, policy = _check(contract, budget, policy, lessons, model)
    tracker, source, limits = BudgetTracker(budget), load_input(input_data), check_limits(limits)
    personal = any(map(personal_paths, each_of(given)))
    read = cache(lambda: _read(source, limits, records=False, personal=personal))
    canonical, fits = choose_contract(source, given, policy, read)
    again = None if canonical.root else read
    made = with_choice(run_pipeline(source, canonical, budget, policy, tracker, limits=limits, read=again), fits)
    if isinstance(input_data, os.PathLike):
        made = attrs.evolve(made, metadata={"source": name_source(input_data)})
    return _stamp(made, started, tracker.waited_ms)


async def normalize_async(
    input_data: InputData,
    contract: Any,
    budget: Budget | None = None,
    policy: Policy | None = None,
    *,
    limits: Limits | None = None,
    lessons: Given = None,
    model: str | Sequence[str] | None = None,
) -> ExecutionArtifact:
    """`normalize` in a worker thread, so that waiting for a model does not hold up the event loop."""
    import asyncio

    more = {"limits": limits, "lessons": lessons, "model": model}
    return await asyncio.to_thread(normalize, input_data, contract, budget, policy, **more)  # type: ignore[arg-type]


@frozen
class ReusedResults:
    """Results of an earlier run that still hold, by field id, what its reader said, and what they took to find."""

    results: Mapping[str, FieldResult] = attrs.field(factory=dict)
    notes: tuple[Diagnostic, ...] = ()
    invocations: int = 0
    remote_calls: int = 0
    usd: Decimal = Decimal(0)


def run_pipeline(
    source: RawInput,
    contract: CanonicalContract,
    budget: Budget,
    policy: Policy,
    tracker: BudgetTracker | None = None,
    keep: Callable[[ExecutionPlan, Callable[[], Document]], ReusedResults] | None = None,
    limits: Limits | None = None,
    read: Callable[[], Document] | None = None,
    registry: CapabilityRegistry | None = None,
) -> ExecutionArtifact:
    """The pipeline top to bottom, not sealed yet; `keep` names fields of the plan that need no work.

    `read` gives the document where it may have been read before.
    """
    budget = capped(budget, policy)
    registry = registry_for(policy, budget) if registry is None else registry
    if policy.log_raw_input:
        telemetry.log_input(source.data)
    with telemetry.stage("plan"):
        plan = make_plan(contract, make_profile(source.data), budget, policy, registry)
    personal = bool(personal_paths(contract))
    read = cache(read or (lambda: _read(source, limits, records=bool(contract.root), personal=personal)))
    kept = keep(plan, read) if keep else ReusedResults()
    effective = derive_effective_policy(policy, contract.policies)
    tracker = tracker or BudgetTracker(budget)
    candidates, resolved = _resolve(contract, plan, registry, tracker, policy, read, kept)
    free = attrs.evolve(policy, allow_local_inference=False, allow_remote_inference=False)

    def resolve_anew(changed: CanonicalContract) -> Sequence[ResolvedResult]:
        planned = make_plan(changed, make_profile(source.data), _NO_BUDGET, free, registry)
        return _resolve(changed, planned, registry, BudgetTracker(_NO_BUDGET), free, read, ReusedResults())[1]

    resolved = say_gaps(contract, resolved, policy, read, resolve_anew)
    notes = (*_run_notes(contract, plan, read, kept), *(forbidden_models(policy, plan) if policy.model else ()))
    return confirm(_assemble(contract, plan, candidates, resolved, effective, tracker, notes, kept), contract)


def _resolve(
    contract: CanonicalContract,
    plan: ExecutionPlan,
    registry: CapabilityRegistry,
    tracker: BudgetTracker,
    policy: Policy,
    read: Callable[[], Document],
    kept: ReusedResults,
) -> tuple[tuple[CandidateResult, ...], tuple[ResolvedResult, ...]]:
    """What the walk finds, and what holds of it; the gate notes what it weighed, so that it need not be again."""
    effective = derive_effective_policy(policy, contract.policies)
    weighed: dict[str, Weighed] = {}
    with telemetry.stage("execute"):
        walk = _run(contract, registry, tracker, policy, effective, read, kept, weighed)
        candidates = execute(plan.without(kept.results), walk)
    with telemetry.stage("reconcile"):
        relations = relations_of(contract)
        return candidates, reconcile(contract, candidates, effective, weighed, kept.results.values(), relations)


def choose_contract(
    source: RawInput, contract: CanonicalContract | Alternatives, policy: Policy, read: Callable[[], Document]
) -> tuple[CanonicalContract, list[Fit]]:
    """The contract that a page fits, and how well it fits each; found by the steps that cost nothing."""
    if isinstance(contract, CanonicalContract):
        return contract, []
    free = attrs.evolve(policy, allow_local_inference=False, allow_remote_inference=False)
    made = [(each, run_pipeline(source, each, _NO_BUDGET, free, read=read)) for each in contract.contracts]
    fits = rank(read(), made)
    return fits[0].contract, fits


def _read(source: RawInput, limits: Limits | None, *, records: bool, personal: bool) -> Document:
    with telemetry.stage("read"), keeping(not personal):
        return read_source(source.data, source.name, limits, records=records)


def plan(
    input_data: InputData,
    contract: Any,
    budget: Budget | None = None,
    policy: Policy | None = None,
    *,
    lessons: Given = None,
    model: str | Sequence[str] | None = None,
) -> ExecutionPlan:
    """What `normalize` would try, why not more, and the most it can cost; runs nothing."""
    canonical, budget, policy = _check(contract, budget, policy, lessons, model)
    if isinstance(canonical, Alternatives):
        raise ConfigurationError("a plan is made for one contract; which of several it is, only the document tells")
    registry = registry_for(policy, budget)
    return make_plan(canonical, make_profile(load_input(input_data).data), budget, policy, registry)


def replay(artifact: Stored, contract: Any, *, reformatted: bool = False, lessons: Given = None) -> ExecutionArtifact:
    """Verify a stored artifact against its contract and give it back; nothing is computed anew.

    Every byte of its text must be as it was written, unless it is known to be `reformatted`. Lessons that are given, or
    that the contract names, must be those that it was made with.
    """
    loaded = load_artifact(artifact)
    verify_artifact(loaded, contract_of(loaded, contract, lessons), CAPABILITIES, reformatted=reformatted)
    return loaded


def contract_of(artifact: ExecutionArtifact, contract: Any, lessons: Given = None) -> CanonicalContract:
    """The contract that an artifact was made with, where several are given; with its lessons."""
    given = attach_all(adapt_all(contract), lessons)
    return given.with_hash(artifact.contract_hash) if isinstance(given, Alternatives) else given


def profile(input_data: InputData) -> InputProfile:
    """What the planner knows of an input before anything is read."""
    return make_profile(load_input(input_data).data)


def _check(
    contract: Any,
    budget: Budget | None,
    policy: Policy | None,
    lessons: Given = None,
    model: str | Sequence[str] | None = None,
) -> tuple[CanonicalContract | Alternatives, Budget, Policy]:
    if budget is not None and not isinstance(budget, Budget):
        raise InvalidBudgetError(f"budget must be a paxman.Budget or None, not {type(budget).__name__}")
    if policy is not None and not isinstance(policy, Policy):
        raise InvalidPolicyError(f"policy must be a paxman.Policy or None, not {type(policy).__name__}")
    policy = (policy or _NO_POLICY).naming(model)
    return attach_all(adapt_all(contract), lessons), capped(budget or _NO_BUDGET, policy), pin_lexicon(policy)


def pin_lexicon(policy: Policy) -> Policy:
    """The policy with its files of words, and those of plugins, as they are now."""
    files = (*plugin_lexicons(), *policy.lexicon)
    return attrs.evolve(policy, lexicon=pin(files)) if files else policy


_NO_BUDGET, _NO_POLICY = Budget(), Policy()


def check_limits(limits: Limits | None) -> Limits | None:
    if limits is not None and not isinstance(limits, Limits):
        raise TypeError(f"limits must be a paxman.Limits or None, not {type(limits).__name__}")
    return limits


def _run(
    contract: CanonicalContract,
    registry: CapabilityRegistry,
    tracker: BudgetTracker,
    policy: Policy,
    effective: EffectivePolicy,
    read: Callable[[], Document],
    kept: ReusedResults,
    weighed: dict[str, Weighed],
) -> Run:
    """What the walk needs."""

    def meets_target(
        field: CanonicalField, candidates: tuple[Candidate, ...], objections: tuple[Objection, ...], target: float
    ) -> bool:
        found = weighed[field.path] = weigh(field, candidates, effective, objections)
        return bool(found.groups) and found.groups[0].confidence >= target

    return Run(
        contract,
        registry,
        tracker,
        policy,
        read,
        meets_target,
        Settling(contract, effective, tuple(kept.results.values()), relations_of(contract)),
        find_in_parts,
        find_repeated,
        effective.stop_on_first_unresolved,
        CERTAIN,
    )


def _run_notes(
    contract: CanonicalContract, plan: ExecutionPlan, read: Any, kept: ReusedResults
) -> tuple[Diagnostic, ...]:
    """Notes on the run as a whole: the contract's warnings, refusals, and what the reader said."""
    warnings = [Diagnostic("CONTRACT_WARNING", Severity.WARNING, text) for text in contract.warnings]
    refusals = [
        Diagnostic(note.code, Severity.WARNING, note.message)
        for note in plan.diagnostics
        if note.code in ("EMPTY_INPUT", "INPUT_TOO_LARGE")
    ]
    reading = read().diagnostics if read.cache_info().currsize else kept.notes
    return (*warnings, *refusals, *reading)


def _assemble(
    contract: CanonicalContract,
    plan: ExecutionPlan,
    candidates: Sequence[CandidateResult],
    resolved: Sequence[ResolvedResult],
    effective: EffectivePolicy,
    tracker: BudgetTracker,
    notes: tuple[Diagnostic, ...],
    kept: ReusedResults,
) -> ExecutionArtifact:
    done = {result.field_id: result for result in _field_results(contract, candidates, resolved)}
    results = tuple(done.get(p.field_id) or kept.results[p.field_id] for p in plan.fields)
    missing = sum(result.status == "UNRESOLVED" for result in results)
    return ExecutionArtifact(
        status=_compute_overall_status(results, effective),
        field_results=results,
        diagnostics=(*notes, *(note for result in results for note in result.diagnostics)),
        execution_plan=plan,
        statistics=Statistics(
            len(results),
            len(results) - missing,
            missing,
            tracker.invocations + kept.invocations,
            tracker.remote_calls + kept.remote_calls,
            sum(result.cost.tokens for result in results),
            _plain(tracker.usd + kept.usd),
        ),
        contract_id=contract.id,
        contract_hash=contract.content_hash,
        input_content_hash=plan.input_content_hash,
        capability_versions=plan.plans.capability_versions,
        paxman_version=__version__,
        planner_version=plan.planner_version,
        root=contract.root,
    )


def _plain(usd: Decimal) -> Decimal:
    """Without the zeros that tell in how many steps it was added up."""
    return Decimal(f"{usd.normalize():f}") if usd else Decimal(0)


def _field_results(
    contract: CanonicalContract, candidates: Sequence[CandidateResult], resolved: Sequence[ResolvedResult]
) -> tuple[FieldResult, ...]:
    required = {field.path: needed for field, needed in contract.planned}
    results = tuple(
        FieldResult(
            decision.field_id,
            decision.field_path,
            decision.field_type_name,
            decision.value,
            decision.confidence,
            decision.confidence_band,
            decision.truth_layer,
            decision.evidence_refs,
            decision.status,
            decision.diagnostics,
            decision.origin,
            cost=FieldCost(candidate.invocations, candidate.tokens, candidate.usd),
            required=required[decision.field_path],
            shape=shape_of(contract, decision.field_path, decision.value),
            confidence_evidence=decision.confidence_evidence,
            rows=decision.rows,
        )
        for decision, candidate in zip(resolved, candidates, strict=True)
    )
    if not contract.has_secrets:
        return results
    pairs = zip(results, candidates, strict=True)
    return tuple(hide(contract.by_path[result.field_path], result, found) for result, found in pairs)


def _compute_overall_status(results: Sequence[FieldResult], policy: EffectivePolicy) -> Status:
    missing = [result for result in results if result.status == "UNRESOLVED"]
    lost = any(note.is_loss for result in results for note in result.diagnostics)
    lost = lost or any(result.rows.is_open for result in results if result.rows)
    if not missing:
        return Status.PARTIAL_SUCCESS if lost else Status.SUCCESS
    if any(result.required for result in missing) and not policy.unresolved_acceptable:
        return Status.UNRESOLVED
    return Status.PARTIAL_SUCCESS


def _stamp(artifact: ExecutionArtifact, started: float, waited_ms: Mapping[str, float]) -> ExecutionArtifact:
    """Add the hash, and what lies outside it."""
    digest, name = artifact.computed_hash(), os.urandom(16).hex()
    elapsed = round((time.perf_counter() - started) * 1000, 3)
    timings: dict[str, Any] = {"total_ms": elapsed}
    if waited_ms:
        timings["inference_ms"] = {path: round(ms, 3) for path, ms in waited_ms.items()}
    stamped = attrs.evolve(artifact, replay_hash=digest, id=name, created_at=now(), timings=timings)
    if telemetry.is_wanted():
        telemetry.observe(_facts(stamped), elapsed)
    return stamped


def _facts(artifact: ExecutionArtifact) -> dict[str, Any]:
    """What may be told of a run outside of it: counts, names and hashes."""
    counts = attrs.asdict(artifact.statistics)
    return {
        **{name: str(value) if name == "cost_usd" else value for name, value in counts.items()},
        "contract_id": artifact.contract_id,
        "status": artifact.status.value,
        "input_content_hash": artifact.input_content_hash,
        "replay_hash": artifact.replay_hash,
        "diagnostics": sorted({note.code for note in artifact.diagnostics}),
    }
