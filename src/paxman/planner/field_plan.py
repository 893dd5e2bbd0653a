"""The plan: frozen data that says what would be tried for each field, in which order, and why not more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cached_property
from typing import Any

import attrs

from paxman.capabilities.base import ChainStep, CostHint
from paxman.serialization import canonical_hash
from paxman.types import Fallback, freeze, to_decimal

PLANNER_VERSION = "1"


@attrs.frozen
class ResolutionPolicy:
    """What becomes of the field when its chain is exhausted."""

    fallback: Fallback = Fallback.UNRESOLVED


@attrs.frozen(slots=True)
class FieldPlanStep:
    """One capability invocation: who, with which configuration, and at what score."""

    capability_id: str
    capability_version: str
    config: Mapping[str, Any] = attrs.field(factory=dict, converter=freeze, hash=False)
    note: str = ""
    score: Decimal = Decimal(0)
    step: ChainStep = ChainStep.LOCAL_EXTRACTION
    cost: CostHint = CostHint()

    def to_dict(self) -> dict[str, Any]:
        return {**_asdict(self), "step": self.step.name, "cost": _asdict(self.cost)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> FieldPlanStep:
        values = {**data, "score": Decimal(data["score"]), "step": ChainStep[data["step"]]}
        return cls(**{**values, "cost": CostHint(**data["cost"])})


@attrs.frozen(slots=True)
class FieldPlan:
    """The chain for one field, walked in order until the target is met."""

    field_id: str
    capability_chain: tuple[FieldPlanStep, ...] = ()
    target_confidence: float = 0.8
    fallback_policy: ResolutionPolicy = ResolutionPolicy()
    early_stop: bool = True
    depends_on: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        chain = [step.to_dict() for step in self.capability_chain]
        return {**_asdict(self), "capability_chain": chain, "fallback_policy": self.fallback_policy.fallback.value}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> FieldPlan:
        return cls(
            data["field_id"],
            tuple(FieldPlanStep.from_dict(step) for step in data["capability_chain"]),
            float(data["target_confidence"]),
            ResolutionPolicy(Fallback(data["fallback_policy"])),
            data["early_stop"],
            tuple(data["depends_on"]),
        )


@attrs.frozen
class PlanDiagnostic:
    """Why something is not in the plan. Without a field it holds for all of them."""

    code: str
    message: str
    field_path: str | None = None
    capability_id: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return _asdict(self)


@attrs.frozen
class FieldPlans:
    """The part of a plan that depends on the contract and the kind of input, not on the single document."""

    fields: tuple[FieldPlan, ...]
    diagnostics: tuple[PlanDiagnostic, ...]
    order: tuple[int, ...]


@attrs.frozen(slots=False)
class ExecutionPlan:
    """The planner's whole output. `fields` stand in declaration order; `order` is the order of the walk."""

    contract_id: str
    input_content_hash: str
    fields: tuple[FieldPlan, ...]
    diagnostics: tuple[PlanDiagnostic, ...] = ()
    planner_version: str = PLANNER_VERSION
    order: tuple[int, ...] = ()
    cost_cap: Decimal | None = None

    @cached_property
    def estimated_cost(self) -> CostHint:
        """The most that this plan can spend: every step of every chain, but never beyond the budget."""
        costs = [step.cost for plan in self.fields for step in plan.capability_chain]
        usd = sum((cost.usd for cost in costs), Decimal(0))
        capped = usd if self.cost_cap is None else min(usd, self.cost_cap)
        return CostHint(sum(cost.tokens for cost in costs), sum(cost.ms for cost in costs), capped)

    @cached_property
    def replay_hash(self) -> str:
        """SHA-256 over the plan's canonical JSON."""
        return canonical_hash(self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for `json.dumps`."""
        return {
            "contract_id": self.contract_id,
            "input_content_hash": self.input_content_hash,
            "fields": [plan.to_dict() for plan in self.fields],
            "diagnostics": [note.to_dict() for note in self.diagnostics],
            "planner_version": self.planner_version,
            "order": list(self.order),
            "cost_cap": None if self.cost_cap is None else str(self.cost_cap),
            "estimated_cost": _asdict(self.estimated_cost),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ExecutionPlan:
        return cls(
            data["contract_id"],
            data["input_content_hash"],
            tuple(FieldPlan.from_dict(plan) for plan in data["fields"]),
            tuple(PlanDiagnostic(**note) for note in data["diagnostics"]),
            data["planner_version"],
            tuple(data["order"]),
            None if data["cost_cap"] is None else to_decimal(data["cost_cap"]),
        )


def _asdict(instance: attrs.AttrsInstance) -> dict[str, Any]:
    return {name: _plain(getattr(instance, name)) for name in _names(type(instance))}


def _names(cls: type[attrs.AttrsInstance]) -> Iterable[str]:
    return (attribute.name for attribute in attrs.fields(cls))


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value
