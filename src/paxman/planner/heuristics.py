"""Which capabilities a field's chain holds, and why the others were left out."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import attrs

from paxman.budget import Budget
from paxman.capabilities.base import CapabilitySpec, CapabilityTier, ChainStep, CostHint
from paxman.classes import frozen
from paxman.contract.constraints import pattern_of
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.inference.models import holds_personal, is_askable, is_model, personal_paths
from paxman.planner.field_plan import FieldPlanStep, PlanDiagnostic
from paxman.planner.policies import EffectivePolicy
from paxman.planner.registry import CapabilityRegistry, is_inference, score
from paxman.plugins import is_canonical_version

if TYPE_CHECKING:
    from paxman.learning.lessons import FieldLesson, Lessons

INFERENCE, RECALL = "inference", "recall"
MINIMUM_INFERENCE_USD = Decimal("0.001")


@frozen
class Gates:
    """The parts of budget and policy that decide which steps a chain may hold."""

    policy: EffectivePolicy
    inference_affordable: bool
    personal: frozenset[str] = frozenset()
    lessons: Lessons | None = attrs.field(default=None, eq=False)

    @classmethod
    def of(cls, policy: EffectivePolicy, budget: Budget, contract: CanonicalContract) -> Gates:
        cap = budget.max_total_cost_usd
        affordable = cap is None or cap >= MINIMUM_INFERENCE_USD
        return cls(policy, affordable, personal_paths(contract), contract.lessons)

    def closed(self) -> Iterator[PlanDiagnostic]:
        """Gates that hold for every field."""
        if not self.policy.allow_local_inference:
            why = "local models are not allowed: set Policy.allow_local_inference"
            yield PlanDiagnostic("POLICY_EXCLUDES_LOCAL_INFERENCE", why, None, INFERENCE)
        if not self.policy.allow_remote_inference:
            why = "remote models are not allowed: set Policy.allow_remote_inference"
            yield PlanDiagnostic("POLICY_EXCLUDES_REMOTE_INFERENCE", why, None, INFERENCE)
        if not self.inference_affordable:
            why = f"max_total_cost_usd is below {MINIMUM_INFERENCE_USD}, the least that inference costs"
            yield PlanDiagnostic("BUDGET_EXCLUDES_INFERENCE", why, None, INFERENCE)

    @property
    def rides(self) -> str:
        """How fields that need no model take part in its calls."""
        return {"with_the_call": "along", "always": "always"}.get(self.policy.second_opinion, "")

    def admits(self, tier: CapabilityTier) -> bool:
        if not is_inference(tier):
            return True
        local = tier is CapabilityTier.LOCAL_INFERENCE
        allowed = self.policy.allow_local_inference if local else self.policy.allow_remote_inference
        return allowed and self.inference_affordable


def build_chain(
    field: CanonicalField, required: bool, input_type: str, gates: Gates, registry: CapabilityRegistry
) -> tuple[tuple[FieldPlanStep, ...], list[PlanDiagnostic]]:
    """Every eligible step, by chain step and then by (score, id), and a reason for each that is not."""
    steps: list[FieldPlanStep] = []
    dropped: list[PlanDiagnostic] = []
    free_only = not required and gates.policy.optional_fields == "free"
    lesson = gates.lessons.of(field) if gates.lessons else None
    for spec, provider in _offers(registry):
        if not gates.admits(spec.tier):
            continue  # said once, for all fields
        rides = gates.rides if provider is not None else ""
        reason = (
            _unfit(spec, field, input_type)
            or _why_not(spec, field, free_only and rides != "always", registry, lesson)
            or _private(spec, field, gates)
        )
        if reason and rides and reason[1] == _FREE_ONLY:
            step = _step(spec, field, provider)
            cost, note = CostHint(ms=step.cost.ms), f"{step.note}; only in a call that is made for another field"
            steps.append(attrs.evolve(step, cost=cost, note=note, rides="only"))
        elif reason:
            dropped.append(PlanDiagnostic(reason[0], reason[1], field.path, spec.id))
        else:
            made = attrs.evolve(_step(spec, field, provider), rides=rides)
            steps.append(_with_lexicon(made, gates.policy.lexicon))
    steps.sort(key=_chain_order)
    if lesson is not None and gates.lessons is not None:
        steps = _with_recall(steps, lesson, gates.lessons)
    return tuple(steps), dropped


_FREE_ONLY = "the field is optional and Policy.optional_fields='free' allows only steps that cost nothing"
_READ_BY_WORDS = frozenset({"text_extraction", "recognition", "table_extraction"})


def _with_lexicon(step: FieldPlanStep, lexicon: tuple[str, ...]) -> FieldPlanStep:
    """The step with the caller's own lexicon files, where it looks for words."""
    if not lexicon or step.capability_id not in _READ_BY_WORDS:
        return step
    return attrs.evolve(step, config={**step.config, "lexicon": list(lexicon)})


def lessons_hash(contract: CanonicalContract) -> str:
    """The hash of the lessons that are attached to a contract, or nothing."""
    return contract.lessons.hash if contract.lessons is not None else ""


def _with_recall(steps: list[FieldPlanStep], lesson: FieldLesson, lessons: Lessons) -> list[FieldPlanStep]:
    """The chain with recall always asked, and the free local step beside it.

    It goes first where the examples say so, so that ties fall to it, and else behind the others.
    """
    at = next((number for number, step in enumerate(steps) if step.capability_id == RECALL), None)
    if at is None:
        return steps
    recall = attrs.evolve(steps.pop(at), config={"lessons": lessons.hash}, always=True)
    local = [number for number, step in enumerate(steps) if _is_free_local(step)]
    if lesson.leads:
        right, others, total = lesson.record
        note = (
            f"{recall.note}; first, since it was right in {right} of {total} examples and the other steps in {others}"
        )
        recall, at, beside = attrs.evolve(recall, note=note), 0, local[:1]
    else:
        at, beside = (local[-1] + 1 if local else at), local[-1:]
    for number in beside:
        steps[number] = attrs.evolve(steps[number], always=True)
    return [*steps[:at], recall, *steps[at:]]


def _is_free_local(step: FieldPlanStep) -> bool:
    local = step.step in (ChainStep.EXPLICIT_EVIDENCE, ChainStep.LOCAL_EXTRACTION)
    return local and step.capability_id != "validation" and not step.cost.usd


def _unfit(spec: CapabilitySpec, field: CanonicalField, input_type: str) -> tuple[str, str] | None:
    if field.type not in spec.output_types:
        return "NO_CAPABILITY", f"it does not produce {field.type.value}"
    if input_type not in spec.input_types:
        return "NO_CAPABILITY", f"it does not read {input_type} input"
    return None


def _chain_order(step: FieldPlanStep) -> tuple[Any, ...]:
    """By score, but validation closes the steps of its kind: it looks at what they found."""
    closes = step.capability_id == "validation"
    return step.step, closes, step.score, step.capability_id, step.config.get("provider", "")


def _offers(registry: CapabilityRegistry) -> Iterator[tuple[CapabilitySpec, Any]]:
    """Every capability once, but inference once for each model that is registered."""
    for capability in registry.latest():
        if capability.spec.id != INFERENCE:
            yield capability.spec, None
            continue
        for provider in models(registry):
            # All attempts may have to be paid.
            local = provider.tier == "local"
            tier = CapabilityTier.LOCAL_INFERENCE if local else CapabilityTier.REMOTE_INFERENCE
            step = ChainStep.LOCAL_INFERENCE if local else ChainStep.REMOTE_INFERENCE
            cost, terms = capability.spec.cost_estimate, provider.terms
            most = CostHint(max(cost.tokens, terms.most_tokens), cost.ms, max(cost.usd, terms.most_usd))
            yield attrs.evolve(capability.spec, tier=tier, step=step, cost_estimate=most), provider


def models(registry: CapabilityRegistry) -> list[Any]:
    """Providers that can be asked, in a fixed order."""
    return [provider for provider in registry.providers if is_model(provider)]


def missing_models(gates: Gates, registry: CapabilityRegistry) -> Iterator[PlanDiagnostic]:
    """A note for each kind of inference that is allowed but has nothing registered."""
    for tier in (CapabilityTier.LOCAL_INFERENCE, CapabilityTier.REMOTE_INFERENCE):
        word = "local" if tier is CapabilityTier.LOCAL_INFERENCE else "remote"
        offered = any(spec.tier is tier for spec, _ in _offers(registry))
        if gates.admits(tier) and not offered:
            why = f"no {word} model is configured: see paxman.register_provider"
            yield PlanDiagnostic("NO_PROVIDER", why, None, INFERENCE)


def odd_versions(registry: CapabilityRegistry) -> Iterator[PlanDiagnostic]:
    for capability in registry:
        spec = capability.spec
        if not is_canonical_version(spec.version):
            message = f"version {spec.version!r} of {spec.id} is not of the form 1.0 or 1.0.1, its order is by text"
            yield PlanDiagnostic("NON_CANONICAL_VERSION", message, None, spec.id)


def _why_not(
    spec: CapabilitySpec,
    field: CanonicalField,
    free_only: bool,
    registry: CapabilityRegistry,
    lesson: FieldLesson | None,
) -> tuple[str, str] | None:
    if spec.id == RECALL and lesson is None:
        return "NO_CAPABILITY", "no lessons say anything of this field as the contract has it now"
    if spec.id == "regex_extraction" and pattern_of(field) is None:
        return "NO_PATTERN", "the field has no pattern constraint and no regex: tag"
    if spec.id == "lookup" and field.lookup is None:
        return "NO_CAPABILITY", "the field names no lookup table"
    if spec.id == "derivation" and field.derive is None:
        return "NO_CAPABILITY", "the field has no formula"
    if spec.id == INFERENCE and not is_askable(field):
        return "NO_CAPABILITY", "models are asked for values, lists and rows, not for lists of fixed places"
    known = {provider.name for provider in registry.providers}
    missing = [name for name in spec.required_providers if name not in known]
    if missing:
        return "NO_PROVIDER", f"provider {', '.join(missing)} is not registered"
    if free_only and spec.cost_estimate.usd > 0:
        local = spec.tier is CapabilityTier.LOCAL_INFERENCE
        code = "POLICY_EXCLUDES_LOCAL_INFERENCE" if local else "POLICY_EXCLUDES_REMOTE_INFERENCE"
        return code, _FREE_ONLY
    return None


def _private(spec: CapabilitySpec, field: CanonicalField, gates: Gates) -> tuple[str, str] | None:
    if spec.step is not ChainStep.REMOTE_INFERENCE or gates.policy.allow_remote_pii:
        return None
    if not holds_personal(field.path, gates.personal):
        return None
    return "POLICY_EXCLUDES_REMOTE_INFERENCE", "the field is tagged pii: set Policy.allow_remote_pii"


def _step(spec: CapabilitySpec, field: CanonicalField, provider: Any) -> FieldPlanStep:
    config: dict[str, Any] = {}
    if provider is not None:
        config = {"provider": provider.name, "model": provider.model}
    elif spec.id == "regex_extraction":
        config = {"regex": pattern_of(field)}
    elif spec.id == "derivation":
        config = {"formula": field.derive}
    note = _NOTES.get(spec.id, "")
    return FieldPlanStep(spec.id, spec.version, config, note, score(spec), spec.step, spec.cost_estimate)


_NOTES = {
    "text_extraction": "label beside or above the value",
    "structured_extraction": "bound by name, label or pointer",
    "regex_extraction": "the field's pattern",
    "recall": "what corrected examples taught",
    "table_extraction": "rows by the headings of a table, or a list below its label",
    "validation": "drops candidates that break a constraint",
    "lookup": "the field's table",
    "derivation": "the field's formula",
    "inference": "a model's answer, held against the page",
}
