"""The executor walks the plan: it invokes, collects and spends, and decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import attrs

from paxman.budget import Policy
from paxman.capabilities.base import (
    Candidate,
    CandidateResult,
    CandidateSource,
    CapabilityContext,
    CapabilityResult,
    CapabilityTier,
    EvidenceRef,
)
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document
from paxman.errors import PaxmanError
from paxman.executor.ledger import BudgetTracker
from paxman.planner.field_plan import ExecutionPlan, FieldPlan, FieldPlanStep
from paxman.planner.registry import CapabilityRegistry
from paxman.types import Diagnostic, Severity

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
    fields = {field.id: field for field in run.contract.leaves}
    required = {field.id for field, needed in run.contract.planned if needed}
    done: dict[str, CandidateResult] = {}
    stopped = False
    for index in plan.order:
        step_plan = plan.fields[index]
        field = fields[step_plan.field_id]
        if stopped:
            done[field.id] = _not_tried(field)
            continue
        known = run.settle(list(done.values())) if step_plan.depends_on else {}
        done[field.id] = _walk(step_plan, field, known, run)
        stopped = run.stop_on_first_unresolved and field.id in required and not run.settle([done[field.id]])
    return tuple(done[field_plan.field_id] for field_plan in plan.fields)


def _walk(plan: FieldPlan, field: CanonicalField, known: Mapping[str, Any], run: Run) -> CandidateResult:
    """One chain, step by step, until the target is met or the chain is exhausted."""
    gathered = _Gathered(field)
    for position, step in enumerate(plan.capability_chain):
        found = _invoke(step, position, field, known, gathered, run)
        if found and plan.early_stop and run.meets_target(field, tuple(gathered.candidates), plan.target_confidence):
            break
    return gathered.result()


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

    def note(self, code: str, message: str, severity: Severity = Severity.WARNING) -> None:
        self.diagnostics.append(Diagnostic(code, severity, message, self.field.path))

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


def _invoke(
    step: FieldPlanStep, position: int, field: CanonicalField, known: Mapping[str, Any], gathered: _Gathered, run: Run
) -> bool:
    """Run one step within the budget; True if it brought candidates."""
    capability = run.registry.get(step.capability_id, step.capability_version)
    if capability is None:
        gathered.note("CAPABILITY_FAILED", f"{step.capability_id} {step.capability_version} is not registered")
        return False
    spec = capability.spec
    reservation = run.tracker.reserve(step.cost, remote=spec.tier is CapabilityTier.REMOTE_INFERENCE)
    if isinstance(reservation, str):
        gathered.note("BUDGET_EXCEEDED", f"{step.capability_id} was skipped: it would pass {reservation}")
        return False
    gathered.invocations += 1
    candidates = tuple(gathered.candidates)
    context = CapabilityContext(spec, field, run.contract, run.read, step.config, run.policy, candidates, known)
    result = _guarded(capability.invoke, context, gathered)
    gathered.usd += run.tracker.settle(reservation, result.usd)
    gathered.tokens += result.tokens
    gathered.evidence += result.evidence
    gathered.diagnostics += result.diagnostics
    source = CandidateSource(spec.id, spec.version, position, spec.deterministic, spec.step.origin)
    gathered.candidates += [attrs.evolve(candidate, source=source) for candidate in result.candidates]
    return bool(result.candidates)


def _guarded(
    invoke: Callable[[CapabilityContext], CapabilityResult], context: CapabilityContext, gathered: _Gathered
) -> CapabilityResult:
    """A step that raises becomes a diagnostic; what it says may quote the input, so only our own words are kept."""
    try:
        result = invoke(context)
        if isinstance(result, CapabilityResult):
            return result
        reason = f"returned {type(result).__name__}, not CapabilityResult"
    except PaxmanError as error:
        reason = str(error)
    except Exception as error:
        reason = f"raised {type(error).__name__}"
    gathered.note("CAPABILITY_FAILED", f"{context.spec.id} {reason}", Severity.ERROR)
    return CapabilityResult(usd=context.spec.cost_estimate.usd)


def _not_tried(field: CanonicalField) -> CandidateResult:
    message = "not tried: an earlier required field is unresolved and the contract says stop_on_first_unresolved"
    return CandidateResult(
        field.id, field.path, diagnostics=(Diagnostic("CHAIN_EXHAUSTED", Severity.WARNING, message, field.path),)
    )
