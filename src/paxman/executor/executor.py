"""The executor walks the plan: it invokes, collects and spends, and decides nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

import attrs

from paxman.budget import Budget, Policy
from paxman.capabilities.base import (
    NOTHING,
    Candidate,
    CandidateResult,
    CandidateSource,
    Capability,
    CapabilityContext,
    CapabilityResult,
    CapabilitySpec,
    CapabilityTier,
    ChainStep,
    EvidenceRef,
    Objection,
    malformation,
)
from paxman.classes import frozen
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document
from paxman.errors import BudgetExceededError, PaxmanError
from paxman.executor.ledger import BudgetTracker, FieldPurse, Reservation
from paxman.inference.models import holds_personal, personal_paths
from paxman.planner.field_plan import ExecutionPlan, FieldPlan, FieldPlanStep
from paxman.planner.registry import CapabilityRegistry
from paxman.types import Diagnostic, RowLedger, Severity

MeetsTarget = Callable[[CanonicalField, tuple[Candidate, ...], tuple[Objection, ...], float], bool]
Invoke = Callable[[CapabilityContext], CapabilityResult]
Find = Callable[[Invoke, CapabilityContext], CapabilityResult]
Settle = Callable[[Sequence[CandidateResult]], Mapping[str, Any]]


@frozen
class Run:
    """Everything a walk needs. `meets_target` and `settle` are the reconciler's, handed in by the caller.

    How documents are read is the capabilities' business: `find` invokes a step on each part of a document that has
    several, and `find_repeated` on what it only quotes from others.
    """

    contract: CanonicalContract
    registry: CapabilityRegistry
    tracker: BudgetTracker
    policy: Policy
    read: Callable[[], Document]
    meets_target: MeetsTarget
    settle: Settle
    find: Find
    find_repeated: Find
    stop_on_first_unresolved: bool = False
    certain: float = 1.0
    """Confidence from which no second opinion of a model is wanted."""


def execute(plan: ExecutionPlan, run: Run) -> tuple[CandidateResult, ...]:
    """Candidates for every planned field, in the plan's declaration order."""
    fields = {field.id: (field, required) for field, required in run.contract.planned}
    pending = [_Walk(plan.fields[index], *fields[plan.fields[index].field_id]) for index in plan.order]
    done: dict[str, CandidateResult] = {}
    while pending:
        front = pending[:1] if run.stop_on_first_unresolved else pending
        under_way = {walk.field.path: walk for walk in pending}
        for walk in front:
            if not _waits(walk, under_way):
                _advance(walk, done, run)
        shared = _sharing(front)
        if any(walk.makes_call for walk in shared):
            _ask(shared, pending, done, run)
        else:
            for walk in shared:
                walk.go_on(run)
                if walk.over:
                    done[walk.field.id] = _finish(walk, run)
        pending = [walk for walk in pending if not walk.over]
        first = front[0]
        is_stopped = run.stop_on_first_unresolved and first.over and first.required
        if is_stopped and not run.settle([done[first.field.id]]):
            done |= {walk.field.id: _not_tried(walk.field) for walk in pending}
            break
    return tuple(done[field_plan.field_id] for field_plan in plan.fields)


class _Walk:
    """One field's way along its chain. `at` is the shared step that it has come to, if any."""

    def __init__(self, plan: FieldPlan, field: CanonicalField, required: bool) -> None:
        self.plan = plan
        self.field = field
        self.required = required
        self.gathered = _Gathered(field)
        self.known: Mapping[str, Any] | None = None
        self.position = 0
        self.at: FieldPlanStep | None = None
        self.over = False
        self.met = False
        """Whether the target is met, so that only steps are left that are always asked."""
        self.asked: ChainStep | None = None
        """The kind of model that was asked last; others of its kind are asked beside it."""

    def step_done(self, found: bool, run: Run) -> None:
        """Go on to the next step, or end the walk."""
        chain = self.plan.capability_chain
        self.asked = chain[self.position].step if "provider" in chain[self.position].config else None
        self.met = (found or self.met) and self._may_end(run)
        self.go_on(run)

    def go_on(self, run: Run) -> None:
        """Past this step, and past those that are of no use once the target is met."""
        chain, self.at = self.plan.capability_chain, None
        self.position += 1
        while self.met and self.position < len(chain) and not self._is_asked_anyway(chain[self.position], run):
            self.position += 1
        self.over = self.position >= len(chain)

    def _is_asked_anyway(self, step: FieldPlanStep, run: Run) -> bool:
        """Whether a step is of use though the target is met."""
        if step.always or ("provider" in step.config and step.step is self.asked):
            return True
        return bool(step.rides) and not self._is_sure(run, run.certain)

    @property
    def makes_call(self) -> bool:
        """Whether the model that the walk has come to is asked for its sake."""
        if self.at is None or self.at.rides == "only":
            return False
        return not self.met or self.at.rides == "always" or self.at.step is self.asked

    def take_repeated(self, run: Run) -> bool:
        """Fall back on what the document only repeats, if its own words have nothing; True if the walk may end."""
        self.over = self.gathered.take_repeated() and self._may_end(run)
        return self.over

    def _may_end(self, run: Run) -> bool:
        """Whether the target is met, also after what was found is validated."""
        return self.plan.early_stop and self._is_sure(run) and (not self.validate(run) or self._is_sure(run))

    def validate(self, run: Run) -> bool:
        """Let the chain's validation step look at what it has not seen; True if it objects to something."""
        step = next((step for step in self.plan.capability_chain if step.capability_id == VALIDATION), None)
        if step is None or self.gathered.validated == len(self.gathered.candidates):
            return False
        known = len(self.gathered.objections)
        self.gathered.validated = len(self.gathered.candidates)
        _invoke(step, self, self.known or {}, run)
        return len(self.gathered.objections) > known

    def _is_sure(self, run: Run, target: float | None = None) -> bool:
        found = self.gathered
        target = self.plan.target_confidence if target is None else target
        return run.meets_target(self.field, tuple(found.candidates), tuple(found.objections), target)


def _waits(walk: _Walk, under_way: Mapping[str, _Walk]) -> bool:
    """Whether a field needs another one that is still under way."""
    if walk.known is not None:
        return False
    needed = (under_way.get(path) for name in walk.plan.depends_on for path in _with_parents(name))
    return any(other is not None and other is not walk and not other.over for other in needed)


def _with_parents(path: str) -> Iterator[str]:
    """A path and those of the objects that it is in."""
    while path:
        yield path
        path = path.rpartition(".")[0]


def _advance(walk: _Walk, done: dict[str, CandidateResult], run: Run) -> None:
    """Step by step until the target is met, the chain is exhausted, or a step comes that fields share."""
    if walk.known is None:
        walk.known = run.settle(list(done.values())) if walk.plan.depends_on else {}
    walk.over = walk.over or not walk.plan.capability_chain
    while not walk.over:
        step = walk.plan.capability_chain[walk.position]
        if (step.step not in _READING or step.capability_id == VALIDATION) and walk.take_repeated(run):
            break
        if "provider" in step.config:
            walk.at = step
            return
        walk.step_done(_take_step(step, walk, walk.known, run), run)
    done[walk.field.id] = _finish(walk, run)


def _take_step(step: FieldPlanStep, walk: _Walk, known: Mapping[str, Any], run: Run) -> bool:
    """Run one step; True if it brought candidates. Validation has nothing to do where nothing was found."""
    if step.capability_id == VALIDATION:
        walk.validate(run)
        return False
    return _invoke(step, walk, known, run)


def _finish(walk: _Walk, run: Run) -> CandidateResult:
    """What a walk has brought, validated."""
    walk.gathered.take_repeated()
    walk.validate(run)
    return walk.gathered.result()


def _sharing(walks: Sequence[_Walk]) -> list[_Walk]:
    """The fields that have come to the earliest of the shared steps, all of which ask the same provider."""
    steps = [walk.at for walk in walks if walk.at]
    if not steps:
        return []
    first = min(map(_turn, steps))
    return [walk for walk in walks if walk.at and _turn(walk.at) == first]


def _turn(step: FieldPlanStep) -> tuple[Any, ...]:
    return step.step, step.score, step.capability_id, step.capability_version, step.config["provider"]


def _ask(shared: Sequence[_Walk], pending: Sequence[_Walk], done: dict[str, CandidateResult], run: Run) -> None:
    """One invocation for all fields that share it; cost and findings go to each."""
    steps = [walk.at for walk in shared if walk.at]
    purse = FieldPurse(run.tracker, steps)
    others = {result.field_path: result.candidates for result in done.values()}
    others |= {walk.field.path: tuple(walk.gathered.candidates) for walk in pending}
    others |= {walk.field.path: _find_pii_first(walk, done, run) for walk in _unseen(steps[0], pending, run)}
    resolved = run.settle([*done.values(), *(walk.gathered.result() for walk in pending)])
    started = time.perf_counter()
    results = _guarded_ask(shared, steps[0], purse, others, resolved, run)
    elapsed = (time.perf_counter() - started) * 1000 / len(shared)
    for walk, result in zip(shared, results, strict=True):
        run.tracker.waited_ms[walk.field.path] = run.tracker.waited_ms.get(walk.field.path, 0.0) + elapsed
        walk.gathered.invocations += 1
        walk.gathered.usd += result.usd
        step, place = steps[0], walk.position
        source = CandidateSource(step.capability_id, step.capability_version, place, False, step.step.origin)
        walk.step_done(walk.gathered.take(result, source), run)
        if walk.over:
            done[walk.field.id] = _finish(walk, run)


def _unseen(step: FieldPlanStep, pending: Sequence[_Walk], run: Run) -> list[_Walk]:
    """Personal fields whose turn comes only after text is sent to a remote model."""
    if step.step is not ChainStep.REMOTE_INFERENCE or run.policy.allow_remote_pii:
        return []
    personal = personal_paths(run.contract)
    return [walk for walk in pending if walk.known is None and holds_personal(walk.field.path, personal)]


def _find_pii_first(walk: _Walk, done: Mapping[str, CandidateResult], run: Run) -> tuple[Candidate, ...]:
    """What the free steps would find for a field; it is masked, and nothing else comes of it."""
    aside = attrs.evolve(run, tracker=BudgetTracker(Budget()))
    known = run.settle(list(done.values()))
    ahead = _Walk(walk.plan, walk.field, walk.required)
    ahead.over = not walk.plan.capability_chain
    while not ahead.over:
        step = walk.plan.capability_chain[ahead.position]
        ahead.step_done(_is_free(step, run) and _take_step(step, ahead, known, aside), aside)
    return tuple(ahead.gathered.candidates)


def _is_free(step: FieldPlanStep, run: Run) -> bool:
    capability = None if "provider" in step.config else run.registry.get(step.capability_id, step.capability_version)
    return capability is not None and capability.spec.deterministic and not step.cost.usd


def _guarded_ask(
    shared: Sequence[_Walk],
    step: FieldPlanStep,
    purse: FieldPurse,
    others: Mapping[str, tuple[Candidate, ...]],
    resolved: Mapping[str, Any],
    run: Run,
) -> list[CapabilityResult]:
    """A result for each field; what goes wrong is a note on all of them."""
    try:
        capability: Any = run.registry.get(step.capability_id, step.capability_version)
        provider = run.registry.providers.get_latest(step.config["provider"])
        spec = attrs.evolve(capability.spec, tier=_TIERS[step.step], step=step.step)
        contexts = [_context(spec, step, walk, resolved, run) for walk in shared]
        return list(capability.ask(contexts, provider, purse, others))
    except PaxmanError as error:
        reason = str(error)
    except Exception as error:
        reason = f"raised {type(error).__name__}"
    finally:
        purse.close()
    for walk in shared:
        walk.gathered.note("CAPABILITY_FAILED", f"{step.capability_id} {reason}", Severity.ERROR)
    return [CapabilityResult(usd=purse.spent), *(CapabilityResult() for _ in shared[1:])]


def _context(
    spec: CapabilitySpec, step: FieldPlanStep, walk: _Walk, resolved: Mapping[str, Any], run: Run
) -> CapabilityContext:
    found = tuple(each for each in walk.gathered.candidates if _may_see(step, each))
    return CapabilityContext(spec, walk.field, run.contract, run.read, step.config, run.policy, found, resolved)


def _may_see(step: FieldPlanStep, candidate: Candidate) -> bool:
    """Recall and the steps that read the document do not see each other's finds, so that agreement means something."""
    if step.step not in _READING or step.capability_id == VALIDATION:
        return True
    from_recall = candidate.source is not None and candidate.source.capability_id == RECALL
    return step.capability_id != RECALL and not from_recall


VALIDATION, RECALL = "validation", "recall"
_READING = (ChainStep.EXPLICIT_EVIDENCE, ChainStep.LOCAL_EXTRACTION)


_TIERS = {
    ChainStep.LOCAL_INFERENCE: CapabilityTier.LOCAL_INFERENCE,
    ChainStep.REMOTE_INFERENCE: CapabilityTier.REMOTE_INFERENCE,
}


@attrs.define
class _Gathered:
    """What one field's chain has brought so far."""

    field: CanonicalField
    candidates: list[Candidate] = attrs.field(factory=list)
    evidence: list[EvidenceRef] = attrs.field(factory=list)
    diagnostics: list[Diagnostic] = attrs.field(factory=list)
    invocations: int = 0
    tokens: int = 0
    usd: Decimal = Decimal(0)
    objections: list[Objection] = attrs.field(factory=list)
    rows: RowLedger | None = None
    validated: int = 0
    """How many of the candidates the validation step has seen."""
    repeated: CapabilityResult | None = None
    """What the first step found that found something only in what the document repeats."""
    repeated_by: CandidateSource | None = None

    def note(self, code: str, message: str, severity: Severity = Severity.WARNING) -> None:
        self.diagnostics.append(Diagnostic(code, severity, message, self.field.path))

    def take(self, result: CapabilityResult, source: CandidateSource) -> bool:
        """Add what a step found; True if there are candidates among it."""
        self.tokens += result.tokens
        self.rows = self.rows or result.rows
        self.evidence += result.evidence
        self.diagnostics += result.diagnostics
        self.candidates += [each.sourced(source) for each in result.candidates]
        if source.capability_id == VALIDATION:
            self.validated = len(self.candidates)
            self.objections += [each for each in result.objections if each not in self.objections]
        return bool(result.candidates)

    def take_repeated(self) -> bool:
        """Add what was found only where the document repeats others, if nothing else was found."""
        repeated, self.repeated = self.repeated, None
        if self.candidates or not repeated or not self.repeated_by:
            return False
        return self.take(repeated, self.repeated_by)

    def result(self) -> CandidateResult:
        return CandidateResult(
            self.field.id,
            self.field.path,
            tuple(self.candidates),
            tuple(self.evidence),
            tuple(self.diagnostics),
            "CANDIDATES" if self.candidates else "UNRESOLVED",
            self.invocations,
            self.tokens,
            self.usd,
            tuple(self.objections),
            self.rows,
        )


def _invoke(step: FieldPlanStep, walk: _Walk, known: Mapping[str, Any], run: Run) -> bool:
    """Run one step within the budget; True if it brought candidates."""
    gathered = walk.gathered
    reserved = _reserve(step, gathered, run)
    if reserved is None:
        return False
    capability, reservation = reserved
    spec = capability.spec
    result = _find(capability.invoke, _context(spec, step, walk, known, run), gathered, run)
    source = CandidateSource(spec.id, spec.version, walk.position, spec.deterministic, spec.step.origin)
    gathered.repeated_by = gathered.repeated_by or (source if gathered.repeated else None)
    gathered.usd += run.tracker.settle(reservation, result.usd)
    if result.usd > step.cost.usd:
        gathered.note(
            "BUDGET_EXCEEDED", f"{spec.id} says it cost ${result.usd}, more than its estimate ${step.cost.usd}"
        )
    if result is NOTHING and spec.id != VALIDATION:
        return False
    return gathered.take(result, source)


def _reserve(step: FieldPlanStep, gathered: _Gathered, run: Run) -> tuple[Capability, Reservation] | None:
    """The capability of a step, counted, and what it may cost; nothing but a note where it cannot run."""
    capability = run.registry.get(step.capability_id, step.capability_version)
    if capability is None:
        gathered.note("CAPABILITY_FAILED", f"{step.capability_id} {step.capability_version} is not registered")
        return None
    reservation = run.tracker.reserve(step.cost, remote=capability.spec.tier is CapabilityTier.REMOTE_INFERENCE)
    if isinstance(reservation, str):
        gathered.note("BUDGET_EXCEEDED", f"{step.capability_id} was skipped: it would pass {reservation}")
        return None
    gathered.invocations += 1
    return capability, reservation


def _find(invoke: Invoke, context: CapabilityContext, gathered: _Gathered, run: Run) -> CapabilityResult:
    """What a step finds in the document's own words; what it only repeats waits until all steps have read these."""
    guarded = partial(_guarded, invoke, gathered=gathered)
    if context.spec.id == VALIDATION:
        return guarded(context)
    result = _guarded(partial(run.find, guarded), context, gathered)
    if not result.candidates and not gathered.candidates and gathered.repeated is None:
        repeated = _guarded(partial(run.find_repeated, guarded), context, gathered)
        gathered.repeated = repeated if repeated.candidates else None
    return result


def _guarded(invoke: Invoke, context: CapabilityContext, gathered: _Gathered) -> CapabilityResult:
    """A step that raises becomes a diagnostic; what it says may quote the input, so only our own words are kept."""
    try:
        result = invoke(context)
        reason = "" if _is_ours(invoke) else malformation(result)
        if not reason:
            return result
    except BudgetExceededError as error:
        gathered.note("BUDGET_EXCEEDED", f"{context.spec.id} {error}")
        return CapabilityResult()
    except PaxmanError as error:
        reason = str(error)
    except Exception as error:
        reason = f"raised {type(error).__name__}"
    gathered.note("CAPABILITY_FAILED", f"{context.spec.id} {reason}", Severity.ERROR)
    return CapabilityResult(usd=context.spec.cost_estimate.usd)


def _is_ours(invoke: Callable[..., Any]) -> bool:
    """Built-in capabilities are type-checked; what a plugin returns is looked at."""
    invoked = invoke.func if isinstance(invoke, partial) else invoke
    return (getattr(invoked, "__module__", None) or "").startswith("paxman.capabilities.")


def _not_tried(field: CanonicalField) -> CandidateResult:
    message = "not tried: an earlier required field is unresolved and the contract says stop_on_first_unresolved"
    return CandidateResult(
        field.id, field.path, diagnostics=(Diagnostic("CHAIN_EXHAUSTED", Severity.WARNING, message, field.path),)
    )
