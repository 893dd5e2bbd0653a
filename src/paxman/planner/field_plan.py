"""The plan: frozen data that says what would be tried for each field, in which order, and why not more."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Mapping
from decimal import Decimal
from functools import cached_property
from typing import Any

import attrs

from paxman.capabilities.base import ChainStep, CostHint
from paxman.classes import frozen
from paxman.serialization import canonical_json, join_object, record_json, to_plain
from paxman.types import Fallback, freeze, to_decimal

PLANNER_VERSION = "1"


@frozen
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
    always: bool = False
    """Asked though the target is met: agreement with what examples taught is worth more than the milliseconds."""
    rides: str = ""
    """Whether a field that needs no model joins: "along" in a call that is made anyway, "only" where it never makes one
    itself, or "always", which makes the call."""

    def to_dict(self) -> dict[str, Any]:
        values = {a.name: getattr(self, a.name) for a in attrs.fields(FieldPlanStep)}
        for name in ("always", "rides"):
            if not values[name]:
                del values[name]
        plain: dict[str, Any] = to_plain({**values, "step": self.step.name, "cost": _asdict(self.cost)})
        return plain

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
        return {
            "field_id": self.field_id,
            "capability_chain": [step.to_dict() for step in self.capability_chain],
            "target_confidence": self.target_confidence,
            "fallback_policy": self.fallback_policy.fallback.value,
            "early_stop": self.early_stop,
            "depends_on": list(self.depends_on),
        }

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


@frozen
class PlanDiagnostic:
    """Why something is not in the plan. Without a field it holds for all of them."""

    code: str
    message: str
    field_path: str | None = None
    capability_id: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return _asdict(self)


@attrs.frozen(slots=False)
class FieldPlans:
    """The part of a plan that depends on the contract and the kind of input, not on the single document."""

    fields: tuple[FieldPlan, ...]
    diagnostics: tuple[PlanDiagnostic, ...] = ()
    order: tuple[int, ...] = ()

    @cached_property
    def full_cost(self) -> CostHint:
        """Every step of every chain."""
        costs = [step.cost for plan in self.fields for step in plan.capability_chain]
        usd = sum((cost.usd for cost in costs), Decimal(0))
        return CostHint(sum(cost.tokens for cost in costs), sum(cost.ms for cost in costs), usd)

    @cached_property
    def asks_models(self) -> bool:
        """Whether a model may be asked for any field."""
        return any("provider" in step.config for plan in self.fields for step in plan.capability_chain)

    @cached_property
    def encoded(self) -> Mapping[str, bytes]:
        """Canonical JSON of each part, kept because the same plans serve many documents."""
        return {name: canonical_json(part) for name, part in self.to_dict().items()}

    @cached_property
    def encoded_cost(self) -> bytes:
        return canonical_json(_asdict(self.full_cost))

    @cached_property
    def capability_versions(self) -> Mapping[str, str]:
        return {s.capability_id: s.capability_version for plan in self.fields for s in plan.capability_chain}

    def to_dict(self) -> dict[str, Any]:
        return {
            "fields": [plan.to_dict() for plan in self.fields],
            "diagnostics": [note.to_dict() for note in self.diagnostics],
            "order": list(self.order),
        }


@attrs.frozen(slots=False)
class ExecutionPlan:
    """The planner's whole output for one document."""

    contract_id: str
    input_content_hash: str
    plans: FieldPlans
    planner_version: str = PLANNER_VERSION
    cost_cap: Decimal | None = None
    page_tokens: int | None = None
    """About how many tokens the page is for a model, where one may be asked."""

    @property
    def fields(self) -> tuple[FieldPlan, ...]:
        """One plan per field, in declaration order."""
        return self.plans.fields

    @property
    def diagnostics(self) -> tuple[PlanDiagnostic, ...]:
        """Why something is not in the plan."""
        return self.plans.diagnostics

    @property
    def order(self) -> tuple[int, ...]:
        """The order of the walk, as positions in `fields`: a field's inputs come before it."""
        return self.plans.order

    @property
    def estimated_cost(self) -> CostHint:
        """The most that this plan can spend: every step of every chain, but never beyond the budget."""
        cost, cap = self.plans.full_cost, self.cost_cap
        return cost if cap is None or cost.usd <= cap else attrs.evolve(cost, usd=cap)

    @cached_property
    def replay_hash(self) -> str:
        """SHA-256 over the plan's canonical JSON."""
        return hashlib.sha256(self.encode()).hexdigest()

    def encode(self) -> bytes:
        """Canonical JSON of `to_dict`."""
        head = {
            "contract_id": record_json(self.contract_id),
            "input_content_hash": b'"%s"' % self.input_content_hash.encode(),
            "planner_version": record_json(self.planner_version),
            "cost_cap": record_json(self.cost_cap),
        }
        if self.page_tokens is not None:
            head["page_tokens"] = record_json(self.page_tokens)
        cost = self.plans.encoded_cost if self.cost_cap is None else record_json(_asdict(self.estimated_cost))
        return join_object({**self.plans.encoded, **head, "estimated_cost": cost})

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for `json.dumps`."""
        return {**self._head(), **self.plans.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ExecutionPlan:
        plans = FieldPlans(
            tuple(FieldPlan.from_dict(plan) for plan in data["fields"]),
            tuple(PlanDiagnostic(**note) for note in data["diagnostics"]),
            tuple(data["order"]),
        )
        cap = None if data["cost_cap"] is None else to_decimal(data["cost_cap"])
        page = data.get("page_tokens")
        return cls(data["contract_id"], data["input_content_hash"], plans, data["planner_version"], cap, page)

    def without(self, field_ids: Container[str]) -> ExecutionPlan:
        """The part of the plan that is left to do when these fields are known."""
        left = [i for i in self.order if self.fields[i].field_id not in field_ids]
        if len(left) == len(self.order):
            return self
        place = {index: new for new, index in enumerate(sorted(left))}
        fields = tuple(self.fields[index] for index in place)
        plans = attrs.evolve(self.plans, fields=fields, order=tuple(place[index] for index in left))
        return attrs.evolve(self, plans=plans)

    def _head(self) -> dict[str, Any]:
        return {
            "contract_id": self.contract_id,
            "input_content_hash": self.input_content_hash,
            "planner_version": self.planner_version,
            "cost_cap": None if self.cost_cap is None else str(self.cost_cap),
            "estimated_cost": _asdict(self.estimated_cost),
            **({} if self.page_tokens is None else {"page_tokens": self.page_tokens}),
        }


def _asdict(instance: attrs.AttrsInstance) -> dict[str, Any]:
    values = {attribute.name: getattr(instance, attribute.name) for attribute in attrs.fields(type(instance))}
    plain: dict[str, Any] = to_plain(values)
    return plain
