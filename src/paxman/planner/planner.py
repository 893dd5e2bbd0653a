"""The planner: a pure function from contract, profile, budget, policy and registry to a plan."""

from __future__ import annotations

from collections.abc import Iterator

from paxman.budget import Budget, Policy
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.planner.field_plan import ExecutionPlan, FieldPlan, FieldPlans, PlanDiagnostic, ResolutionPolicy
from paxman.planner.heuristics import Gates, build_chain, lessons_hash, missing_models, odd_versions
from paxman.planner.input_profile import InputProfile
from paxman.planner.policies import derive_effective_policy
from paxman.planner.registry import CAPABILITIES, CapabilityRegistry

_MEMO_SIZE = 256
_CHARACTERS_PER_TOKEN = 4


def plan(
    contract: CanonicalContract,
    profile: InputProfile,
    budget: Budget | None = None,
    policy: Policy | None = None,
    registry: CapabilityRegistry | None = None,
) -> ExecutionPlan:
    """The cheapest sufficient chain for every field; runs nothing and spends nothing."""
    budget, policy = budget or Budget(), policy or Policy()
    registry = CAPABILITIES if registry is None else registry
    gates = Gates.of(derive_effective_policy(policy, contract.policies), budget, contract)
    refusal = _refusal(profile, budget)
    plans = _field_plans(contract, profile.input_type, gates, refusal, registry)
    page = round(profile.size * profile.density / _CHARACTERS_PER_TOKEN) if plans.asks_models else None
    return ExecutionPlan(contract.id, profile.content_hash, plans, cost_cap=budget.max_total_cost_usd, page_tokens=page)


def _refusal(profile: InputProfile, budget: Budget) -> PlanDiagnostic | None:
    """Why nothing at all will be tried, if so."""
    if profile.is_empty:
        return PlanDiagnostic("EMPTY_INPUT", "the document is empty: nothing was looked for")
    cap = budget.max_input_size_bytes
    if cap is not None and profile.size > cap:
        return PlanDiagnostic(
            "INPUT_TOO_LARGE",
            f"the document has {profile.size} bytes and max_input_size_bytes is {cap}: nothing was looked for",
        )
    return None


def _field_plans(
    contract: CanonicalContract,
    input_type: str,
    gates: Gates,
    refusal: PlanDiagnostic | None,
    registry: CapabilityRegistry,
) -> FieldPlans:
    """What does not depend on the single document is worked out once per contract."""
    if refusal:
        return _build_field_plans(contract, input_type, gates, refusal, registry)
    memo = registry.memo
    key = (contract.content_hash, lessons_hash(contract), input_type, gates, registry.providers.generation)
    found: FieldPlans | None = memo.get(key)
    if found is None:
        if len(memo) >= _MEMO_SIZE:
            memo.clear()
        found = memo[key] = _build_field_plans(contract, input_type, gates, refusal, registry)
    return found


def _build_field_plans(
    contract: CanonicalContract,
    input_type: str,
    gates: Gates,
    refusal: PlanDiagnostic | None,
    registry: CapabilityRegistry,
) -> FieldPlans:
    notes = [refusal] if refusal else [*gates.closed(), *missing_models(gates, registry), *odd_versions(registry)]
    plans = []
    for field, required in contract.planned:
        if not required and gates.policy.optional_fields == "skip":
            notes.append(PlanDiagnostic("NO_CAPABILITY", "optional, and Policy.optional_fields='skip'", field.path))
            continue
        field_plan, dropped = build_field_plan(field, required, input_type, gates, registry, refused=bool(refusal))
        plans.append(field_plan)
        notes += dropped
    return FieldPlans(tuple(plans), tuple(notes), tuple(_walk_order(plans, contract)))


def build_field_plan(
    field: CanonicalField,
    required: bool,
    input_type: str,
    gates: Gates,
    registry: CapabilityRegistry,
    refused: bool = False,
) -> tuple[FieldPlan, list[PlanDiagnostic]]:
    """One field's plan and the reasons for what it leaves out."""
    chain, dropped = ((), []) if refused else build_chain(field, required, input_type, gates, registry)
    if not chain and not refused:
        dropped.append(
            PlanDiagnostic("NO_CAPABILITY", f"nothing registered can produce {field.type.value}", field.path)
        )
    # A field whose own value is the key must reach its table, however sure the value is before.
    is_key = field.lookup is not None and not field.lookup.get("from")
    planned = FieldPlan(
        field.id,
        chain,
        max(field.confidence_threshold or 0.0, gates.policy.confidence_floor),
        ResolutionPolicy(field.fallback_policy),
        gates.policy.early_stop and not is_key,
        tuple(sorted(field.needs)),
    )
    return planned, dropped


def _walk_order(plans: list[FieldPlan], contract: CanonicalContract) -> Iterator[int]:
    """Declaration order; fields with inputs come last, so that checks have settled what those inputs are."""
    index = {plan.field_id: i for i, plan in enumerate(plans)}
    providers = {path: index[f.id] for path, f in contract.by_path.items() if f.id in index}
    done: set[int] = set()
    for i in sorted(range(len(plans)), key=lambda place: bool(plans[place].depends_on)):
        stack = [(i, False)]
        while stack:
            current, ready = stack.pop()
            if current in done:
                continue
            if ready:
                done.add(current)
                yield current
                continue
            stack.append((current, True))
            inputs = [_owner(name, providers) for name in plans[current].depends_on]
            stack.extend((j, False) for j in reversed(inputs) if j is not None and j not in done)


def _owner(name: str, providers: dict[str, int]) -> int | None:
    """The field that gives `name`: itself, or the array whose column it is."""
    while name:
        if name in providers:
            return providers[name]
        name = name.rpartition(".")[0]
    return None
