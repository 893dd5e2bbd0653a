"""The executor walks the plan: it invokes, collects and spends, and decides nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

import attrs

from paxman.budget import Budget, Policy
from paxman.capabilities import specs
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
    malformation,
)
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document
from paxman.errors import BudgetExceededError, PaxmanError
from paxman.executor.ledger import Allowance, BudgetTracker, Reservation
from paxman.inference.models import holds_personal, personal_paths
from paxman.planner.field_plan import ExecutionPlan, FieldPlan, FieldPlanStep
from paxman.planner.registry import CapabilityRegistry
from paxman.types import Diagnostic, FieldType, Severity

MeetsTarget = Callable[[CanonicalField, tuple[Candidate, ...], float], bool]
Settle = Callable[[Sequence[CandidateResult]], Mapping[str, Any]]


@attrs.frozen
class Run:
    """Everything a walk needs. `meets_target` and `settle` are the reconciler's, handed in by the caller."""

    contract: CanonicalContract
    registry: CapabilityRegistry
    tracker: BudgetTracker
    policy: Policy
    read: Callable[[], Document]
    meets_target: MeetsTarget
    settle: Settle
    stop_on_first_unresolved: bool = False


def execute(plan: ExecutionPlan, run: Run) -> tuple[CandidateResult, ...]:
    """Candidates for every planned field, in the plan's declaration order."""
    pending = _walks(plan, run)
    done: dict[str, CandidateResult] = {}
    while pending:
        front = pending[:1] if run.stop_on_first_unresolved else pending
        for walk in front:
            if not _waits(walk, pending):
                _advance(walk, done, run)
        shared = _sharing(front)
        if shared:
            _ask(shared, pending, done, run)
        pending = [walk for walk in pending if not walk.over]
        if run.stop_on_first_unresolved and front[0].over and _is_unresolved(front[0], done, run):
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

    def depends_on(self, path: str) -> bool:
        return any(name == path or name.startswith(path + ".") for name in self.plan.depends_on)

    def step_done(self, found: bool, run: Run) -> None:
        """Go on to the next step, or where the target is met to one that may outdo it, or else end the walk."""
        self.position += 1
        chain, gathered = self.plan.capability_chain, self.gathered
        if (found or gathered.heads) and self.plan.early_stop and self._is_sure(run):
            left = range(self.position, len(chain)) if gathered.heads else ()
            self.position = next((i for i in left if chain[i].capability_id in _READERS), len(chain))
        self.over = self.position >= len(chain)

    def take_repeated(self, run: Run) -> bool:
        """Fall back on what the document only repeats, if its own words have nothing; True if the walk may end."""
        self.over = self.gathered.take_repeated() and self.plan.early_stop and self._is_sure(run)
        return self.over

    def _is_sure(self, run: Run) -> bool:
        return run.meets_target(self.field, tuple(self.gathered.candidates), self.plan.target_confidence)


def _walks(plan: ExecutionPlan, run: Run) -> list[_Walk]:
    fields = {field.id: (field, required) for field, required in run.contract.planned}
    return [_Walk(plan.fields[index], *fields[plan.fields[index].field_id]) for index in plan.order]


def _waits(walk: _Walk, pending: Sequence[_Walk]) -> bool:
    """Whether a field needs another one that is still under way."""
    if walk.known is not None or not walk.plan.depends_on:
        return False
    return any(walk.depends_on(other.field.path) and not other.over for other in pending if other is not walk)


def _advance(walk: _Walk, done: dict[str, CandidateResult], run: Run) -> None:
    """Step by step until the target is met, the chain is exhausted, or a step comes that fields share."""
    if walk.known is None:
        walk.known = run.settle(list(done.values())) if walk.plan.depends_on else {}
    walk.over = walk.over or not walk.plan.capability_chain
    while not walk.over:
        step = walk.plan.capability_chain[walk.position]
        if _ends_reading(step) and walk.take_repeated(run):
            break
        if "provider" in step.config:
            walk.at = step
            return
        walk.step_done(_invoke(step, walk, walk.known, run), run)
    done[walk.field.id] = _finish(walk, run)


def _finish(walk: _Walk, run: Run) -> CandidateResult:
    """What a walk has brought; with nothing for a required field, the label that comes nearest to it."""
    walk.gathered.take_repeated()
    result = walk.gathered.result()
    if result.candidates or result.diagnostics or not (walk.required and result.invocations):
        return result
    from paxman.capabilities.near_labels import nearest_label

    return attrs.evolve(result, near_label=nearest_label(walk.field, run.contract, run.read().plain))


def _is_unresolved(walk: _Walk, done: Mapping[str, CandidateResult], run: Run) -> bool:
    return walk.required and not run.settle([done[walk.field.id]])


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
    purse = Allowance(run.tracker, steps)
    others = {result.field_path: result.candidates for result in done.values()}
    others |= {walk.field.path: tuple(walk.gathered.candidates) for walk in pending}
    others |= {walk.field.path: _scout(walk, done, run) for walk in _unseen(steps[0], pending, run)}
    resolved = run.settle([*done.values(), *(walk.gathered.result() for walk in pending)])
    started = time.perf_counter()
    results = _guarded_ask(shared, steps[0], purse, others, resolved, run)
    elapsed = (time.perf_counter() - started) * 1000 / len(shared)
    for walk, result in zip(shared, results, strict=True):
        run.tracker.waited_ms[walk.field.path] = run.tracker.waited_ms.get(walk.field.path, 0.0) + elapsed
        walk.at = None
        walk.gathered.invocations += 1
        walk.gathered.usd += result.usd
        walk.step_done(walk.gathered.take(result, _source(steps[0], walk.position)), run)
        if walk.over:
            done[walk.field.id] = _finish(walk, run)


def _unseen(step: FieldPlanStep, pending: Sequence[_Walk], run: Run) -> list[_Walk]:
    """Personal fields whose turn comes only after text is sent to a remote model."""
    if step.step is not ChainStep.REMOTE_INFERENCE or run.policy.allow_remote_pii:
        return []
    personal = personal_paths(run.contract)
    return [walk for walk in pending if walk.known is None and holds_personal(walk.field.path, personal)]


def _scout(walk: _Walk, done: Mapping[str, CandidateResult], run: Run) -> tuple[Candidate, ...]:
    """What the free steps would find for a field; it is masked, and nothing else comes of it."""
    aside = attrs.evolve(run, tracker=BudgetTracker(Budget()))
    known = run.settle(list(done.values()))
    ahead = _Walk(walk.plan, walk.field, walk.required)
    ahead.over = not walk.plan.capability_chain
    while not ahead.over:
        step = walk.plan.capability_chain[ahead.position]
        ahead.step_done(_is_free(step, run) and _invoke(step, ahead, known, aside), aside)
    return tuple(ahead.gathered.candidates)


def _is_free(step: FieldPlanStep, run: Run) -> bool:
    capability = None if "provider" in step.config else run.registry.get(step.capability_id, step.capability_version)
    return capability is not None and capability.spec.deterministic and not step.cost.usd


def _guarded_ask(
    shared: Sequence[_Walk],
    step: FieldPlanStep,
    purse: Allowance,
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
        answers = capability.ask(contexts, provider, purse, others)
        return [_fill(one, found, walk.gathered) for one, found, walk in zip(contexts, answers, shared, strict=True)]
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
    found = tuple(walk.gathered.candidates)
    return CapabilityContext(spec, walk.field, run.contract, run.read, step.config, run.policy, found, resolved)


def _source(step: FieldPlanStep, position: int) -> CandidateSource:
    return CandidateSource(step.capability_id, step.capability_version, position, False, step.step.origin)


_READERS = frozenset({specs.TEXT_EXTRACTION.id, specs.RECOGNITION.id})
_READING = (ChainStep.EXPLICIT_EVIDENCE, ChainStep.LOCAL_EXTRACTION)


def _ends_reading(step: FieldPlanStep) -> bool:
    """Whether a step looks at what was found, or costs more than reading."""
    return step.step not in _READING or step.capability_id == specs.VALIDATION.id


_TIERS = {
    ChainStep.LOCAL_INFERENCE: CapabilityTier.LOCAL_INFERENCE,
    ChainStep.REMOTE_INFERENCE: CapabilityTier.REMOTE_INFERENCE,
}


class _Gathered:
    """What one field's chain has brought so far."""

    def __init__(self, field: CanonicalField) -> None:
        self.field = field
        self.candidates: list[Candidate] = []
        self.evidence: list[EvidenceRef] = []
        self.diagnostics: list[Diagnostic] = []
        self.invocations = 0
        self.tokens = 0
        self.usd = Decimal(0)
        self.apart = False
        """Whether rows of several documents rival."""
        self.heads: tuple[Candidate, ...] | None = None
        """What headers of a mail say while its body is still to be read; none where a label there says otherwise."""
        self.repeated: CapabilityResult | None = None
        """What the first step found that found something only in what the document repeats."""
        self.repeated_by: CandidateSource | None = None

    def note(self, code: str, message: str, severity: Severity = Severity.WARNING) -> None:
        self.diagnostics.append(Diagnostic(code, severity, message, self.field.path))

    def take(self, result: CapabilityResult, source: CandidateSource) -> bool:
        """Add what a step found; True if there are candidates among it."""
        self.tokens += result.tokens
        self.evidence += result.evidence
        self.diagnostics += result.diagnostics
        self.candidates += [each.sourced(source) for each in result.candidates if not self._has(each)]
        return bool(result.candidates)

    def take_repeated(self) -> bool:
        """Add what was found only where the document repeats others, if nothing else was found."""
        repeated, self.repeated = self.repeated, None
        if self.candidates or not repeated or not self.repeated_by:
            return False
        return self.take(repeated, self.repeated_by)

    def change_heads(self, heads: Sequence[Candidate]) -> None:
        """Put others in the place of what headers say."""
        gone = [head.evidence_refs for head in self.heads or ()]
        source = next((each.source for each in self.candidates if each.evidence_refs in gone), None)
        rest = [each for each in self.candidates if each.evidence_refs not in gone]
        self.candidates = [*(attrs.evolve(head, source=source) for head in heads), *rest]
        self.heads = tuple(heads)

    def doubt_heads(self) -> None:
        """The body that may say otherwise was not read."""
        from paxman.capabilities.mail_headers import doubted

        self.change_heads([doubted(head) for head in self.heads or ()])

    def _has(self, candidate: Candidate) -> bool:
        """Whether an earlier step has told what this one says, as its rival."""
        refs = candidate.evidence_refs
        return any(refs and refs == each.evidence_refs and candidate.value == each.value for each in self.candidates)

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
        )


def _invoke(step: FieldPlanStep, walk: _Walk, known: Mapping[str, Any], run: Run) -> bool:
    """Run one step within the budget; True if it brought candidates."""
    gathered = walk.gathered
    reserved = _reserve(step, gathered, run)
    if reserved is None:
        if gathered.heads and step.capability_id in _READERS:
            gathered.doubt_heads()
        return False
    capability, reservation = reserved
    spec = capability.spec
    context = _context(spec, step, walk, known, run)
    result = _fill(context, _find(capability.invoke, context, gathered), gathered)
    source = CandidateSource(spec.id, spec.version, walk.position, spec.deterministic, spec.step.origin)
    gathered.repeated_by = gathered.repeated_by or (source if gathered.repeated else None)
    gathered.usd += run.tracker.settle(reservation, result.usd)
    if result.usd > step.cost.usd:
        gathered.note(
            "BUDGET_EXCEEDED", f"{spec.id} says it cost ${result.usd}, more than its estimate ${step.cost.usd}"
        )
    if result is NOTHING:
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


def _find(
    invoke: Callable[[CapabilityContext], CapabilityResult], context: CapabilityContext, gathered: _Gathered
) -> CapabilityResult:
    """What a step finds in the document's own words; what it only repeats waits until all steps have read these."""
    if context.spec.step not in _READING:
        return _guarded(invoke, context, gathered)
    own = context.read().own
    if own is None:
        return _find_in_mail(invoke, context, gathered)
    result = _find_in_mail(invoke, _seeing(context, own), gathered)
    if not result.candidates and not gathered.candidates and gathered.repeated is None:
        repeated = _fill(context, _find_in_each(invoke, context, gathered), gathered)
        gathered.repeated = repeated if repeated.candidates else None
    return result


def _find_in_mail(
    invoke: Callable[[CapabilityContext], CapabilityResult], context: CapabilityContext, gathered: _Gathered
) -> CapabilityResult:
    """What a step finds; in a mail, what headers say waits for the steps that read its body."""
    if gathered.heads is not None and context.spec.id in _READERS:
        return _find_in_body(invoke, context, gathered)
    result = _find_in_each(invoke, context, gathered)
    if not result.candidates or gathered.heads is not None or context.read().kind != "email":
        return result
    from paxman.capabilities.mail_headers import heed_body

    result, gathered.heads = heed_body(context, result, partial(_find_in_each, invoke, gathered=gathered))
    return result


def _fill(context: CapabilityContext, result: CapabilityResult, gathered: _Gathered) -> CapabilityResult:
    """Rows with what the contract itself says of their cells."""
    if not context.field.fills_rows or not result.candidates:
        return result
    from paxman.capabilities.row_completion import complete

    return _guarded(lambda given: complete(given, result), context, gathered)


def _find_in_body(
    invoke: Callable[[CapabilityContext], CapabilityResult], context: CapabilityContext, gathered: _Gathered
) -> CapabilityResult:
    """What a step finds in the body of a mail whose headers have an answer; a label there goes before them."""
    from paxman.capabilities.mail_headers import heed_label, in_body

    notes = len(gathered.diagnostics)
    result, heads = heed_label(context, gathered.heads or (), _find_in_each(invoke, in_body(context), gathered))
    if heads is not None:
        gathered.change_heads(heads)
        gathered.heads = ()
    elif len(gathered.diagnostics) > notes:
        gathered.doubt_heads()
    return result


def _find_in_each(
    invoke: Callable[[CapabilityContext], CapabilityResult], context: CapabilityContext, gathered: _Gathered
) -> CapabilityResult:
    """What a step finds; where several documents are attached, or nothing is found, each of them has its say."""
    views = context.read().views
    if context.field.type is FieldType.ARRAY and len(views) > 1:
        return _find_rows(invoke, context, views, gathered)
    result = _guarded(invoke, context, gathered)
    if len(views) < (2 if result.candidates else 1):
        return result
    candidates = list(result.candidates)
    for found in (_guarded(invoke, _seeing(context, view), gathered) for view in views):
        others = (each for each in found.candidates if not _is_guess_beside(each, result.candidates))
        candidates += [each for each in others if each not in candidates]
    return attrs.evolve(result, candidates=tuple(candidates)) if candidates else result


def _is_guess_beside(candidate: Candidate, known: Sequence[Candidate]) -> bool:
    """Whether one of several documents only guesses what is known of all, or writes it in other letters."""
    value, texts = candidate.value, [each.value for each in known if isinstance(each.value, str)]
    if isinstance(value, str) and value not in texts and value.casefold() in map(str.casefold, texts):
        return True
    return _is_guess(candidate) and not all(map(_is_guess, known))


def _is_guess(candidate: Candidate) -> bool:
    return all(ref.basis in ("place", "stand_in") for ref in candidate.evidence_refs)


def _find_rows(
    invoke: Callable[[CapabilityContext], CapabilityResult],
    context: CapabilityContext,
    views: Sequence[Document],
    gathered: _Gathered,
) -> CapabilityResult:
    """The rows of each of several documents, or of all where one list goes on; nothing more where some rival."""
    from paxman.capabilities.attached_rows import each_by_itself

    if gathered.apart:
        return NOTHING
    found = each_by_itself(context, [_guarded(invoke, _seeing(context, view), gathered) for view in views])
    gathered.apart = found is not None and len(found.candidates) > 1
    return _guarded(invoke, context, gathered) if found is None else found


def _seeing(context: CapabilityContext, document: Document) -> CapabilityContext:
    return attrs.evolve(context, read=partial(_same, document))


def _same(document: Document) -> Document:
    return document


def _guarded(
    invoke: Callable[[CapabilityContext], CapabilityResult], context: CapabilityContext, gathered: _Gathered
) -> CapabilityResult:
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
    return (getattr(invoke, "__module__", None) or "").startswith("paxman.capabilities.")


def _not_tried(field: CanonicalField) -> CandidateResult:
    message = "not tried: an earlier required field is unresolved and the contract says stop_on_first_unresolved"
    return CandidateResult(
        field.id, field.path, diagnostics=(Diagnostic("CHAIN_EXHAUSTED", Severity.WARNING, message, field.path),)
    )
