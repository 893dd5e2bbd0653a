"""The plan: chains, gates, order, reasons and purity."""

import decimal
import json
import subprocess
import sys
from decimal import Decimal

import pytest
from hypothesis import given, settings

import paxman
from paxman import planner, profile, testing
from paxman.budget import Budget, Policy
from paxman.capabilities.base import CapabilityResult, CapabilitySpec, CapabilityTier, CostHint
from paxman.contract import adapt
from paxman.errors import ConfigurationError, InvalidCapabilitySpecError
from paxman.planner.registry import CAPABILITIES, score

CONTRACT = adapt(
    {
        "id": "invoice",
        "version": "1",
        "fields": [
            {"name": "total", "type": "MONEY", "required": True, "derive": "net"},
            {
                "name": "number",
                "type": "STRING",
                "required": True,
                "confidence_threshold": 0.9,
                "constraints": [{"kind": "pattern", "params": {"regex": r"^INV-\d+$"}}],
            },
            {"name": "net", "type": "MONEY", "required": False},
        ],
    }
)


class Fake:
    def __init__(self, id="model", version="1.0", tier=3, usd="0.001", **rest):
        self.spec = CapabilitySpec(id, version, tier=tier, cost_estimate=CostHint(500, 1500, usd), **rest)

    def invoke(self, context):
        return CapabilityResult()


def registry(*extra):
    copy = CAPABILITIES.copy()
    for capability in extra:
        copy.register(capability)
    return copy


def make(budget=None, policy=None, extra=(), text="Total: 1", contract=CONTRACT):
    return planner.plan(contract, profile(text), budget, policy, registry(*extra))


def chain(plan, index):
    return [step.capability_id for step in plan.fields[index].capability_chain]


def notes(plan):
    return {(note.code, note.field_path, note.capability_id) for note in plan.diagnostics}


def test_chains_follow_the_steps_then_score_and_id():
    plan = make()
    assert chain(plan, 0) == [
        "structured_extraction",
        "text_extraction",
        "recognition",
        "validation",
        "derivation",
    ]
    assert chain(plan, 1) == [
        "structured_extraction",
        "text_extraction",
        "regex_extraction",
        "recognition",
        "validation",
    ]
    assert [p.field_id for p in plan.fields] == ["invoice:total", "invoice:number", "invoice:net"]


def test_walk_order_puts_fields_with_inputs_last():
    assert make().order == (1, 2, 0)


def test_target_is_the_larger_of_threshold_and_floor():
    assert [p.target_confidence for p in make(policy=Policy(confidence_floor=0.85)).fields] == [0.85, 0.9, 0.85]


def test_steps_record_score_and_config():
    step = make().fields[1].capability_chain[2]
    assert (step.capability_id, dict(step.config), step.score) == (
        "regex_extraction",
        {"regex": r"^INV-\d+$"},
        Decimal(10001),
    )
    with pytest.raises(TypeError):
        step.config["regex"] = "x"


def test_score_weighs_tier_dollars_and_milliseconds():
    assert score(Fake().spec) == Decimal(32500)
    assert score(Fake(tier=4, usd="0.01").spec) == Decimal(51500)


def test_why_not_is_answered_for_every_dropped_step():
    assert notes(make()) >= {
        ("POLICY_EXCLUDES_REMOTE_INFERENCE", None, "inference"),
        ("NO_PROVIDER", None, "inference"),
        ("NO_PATTERN", "total", "regex_extraction"),
        ("NO_CAPABILITY", "total", "lookup"),
        ("NO_CAPABILITY", "number", "derivation"),
        ("NO_CAPABILITY", "number", "table_extraction"),
    }
    assert ("NO_CAPABILITY", "net", None) in notes(make(policy=Policy(optional_fields="skip")))


def test_the_callers_decimal_context_changes_nothing():
    with decimal.localcontext(decimal.Context(prec=4)):
        assert planner.plan(CONTRACT, profile("Total: 1"), registry=registry()).replay_hash == make().replay_hash


def test_local_inference_comes_last_and_needs_the_policy():
    model = Fake()
    assert chain(make(extra=[model]), 1)[-1] == "model"
    refused = make(policy=Policy(allow_local_inference=False), extra=[model])
    assert "model" not in chain(refused, 1)
    assert ("POLICY_EXCLUDES_LOCAL_INFERENCE", None, "inference") in notes(refused)


def test_remote_inference_needs_the_policy():
    model = Fake(tier=4)
    assert "model" not in chain(make(extra=[model]), 1)
    assert chain(make(policy=Policy(allow_remote_inference=True), extra=[model]), 1)[-1] == "model"


def test_a_small_budget_excludes_inference():
    plan = make(budget=Budget(max_total_cost_usd="0.0009"), extra=[Fake()])
    assert "model" not in chain(plan, 1)
    assert ("BUDGET_EXCLUDES_INFERENCE", None, "inference") in notes(plan)
    assert "model" in chain(make(budget=Budget(max_total_cost_usd="0.001"), extra=[Fake()]), 1)


def test_optional_fields_are_free_by_default():
    assert "model" not in chain(make(extra=[Fake()]), 2)
    assert "model" in chain(make(policy=Policy(optional_fields="all"), extra=[Fake()]), 2)
    assert len(make(policy=Policy(optional_fields="skip")).fields) == 2


def test_estimated_cost_is_the_most_it_can_spend():
    plan = make(extra=[Fake()])
    assert plan.estimated_cost.usd == Decimal("0.002")
    assert make(budget=Budget(max_total_cost_usd="0.0015"), extra=[Fake()]).estimated_cost.usd == Decimal("0.0015")
    assert make().estimated_cost.usd == 0


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_empty_input_plans_nothing(text):
    plan = make(text=text)
    assert [p.capability_chain for p in plan.fields] == [(), (), ()]
    assert notes(plan) == {("EMPTY_INPUT", None, None)}


def test_input_too_large_plans_nothing():
    plan = make(budget=Budget(max_input_size_bytes=3))
    assert (notes(plan), chain(plan, 0)) == ({("INPUT_TOO_LARGE", None, None)}, [])


def test_nothing_registered_for_a_type():
    empty = planner.registry.CapabilityRegistry({}, entry_points=False)
    plan = planner.plan(CONTRACT, profile("x"), registry=empty)
    assert ("NO_CAPABILITY", "total", None) in notes(plan)


def test_odd_versions_are_reported_and_ordered():
    plan = make(extra=[Fake(version="v1")])
    assert ("NON_CANONICAL_VERSION", None, "model") in notes(plan)
    both = registry(Fake(version="1.9"), Fake(version="1.10"))
    assert both.get_latest("model").spec.version == "1.10"


def test_missing_provider_drops_the_step():
    plan = make(extra=[Fake(required_providers=("acme",))])
    assert ("NO_PROVIDER", "number", "model") in notes(plan)


def test_registry_refuses_duplicates_and_negative_costs():
    with pytest.raises(ConfigurationError) as twice:
        registry(Fake(), Fake())
    assert twice.value.error_code == "DUPLICATE_REGISTRATION"
    with pytest.raises(InvalidCapabilitySpecError) as negative:
        CostHint(usd=Decimal(-1))
    assert negative.value.error_code == "INVALID_COST_HINT"
    with pytest.raises(InvalidCapabilitySpecError):
        registry(object())
    with pytest.raises(ConfigurationError, match="Did you mean 'lookup'"):
        CAPABILITIES.get_latest("lokup")


def test_to_dict_is_json_and_comes_back():
    plan = make(extra=[Fake()])
    again = planner.ExecutionPlan.from_dict(json.loads(json.dumps(plan.to_dict())))
    assert (again, again.replay_hash) == (plan, plan.replay_hash)


def test_registration_order_does_not_matter():
    extras = [Fake("a"), Fake("b"), Fake("c", tier=CapabilityTier.STRUCTURED_LOOKUP)]
    assert make(extra=extras) == make(extra=extras[::-1])
    assert make(extra=extras).replay_hash == make(extra=extras[::-1]).replay_hash


@settings(max_examples=100)
@given(testing.contracts(), testing.inputs(), testing.budgets(), testing.policies())
def test_same_inputs_same_plan(contract, text, budget, policy):
    first = paxman.plan(text, contract, budget, policy)
    fresh = planner.plan(adapt(contract), profile(text), budget, policy, CAPABILITIES.copy())
    assert first.to_dict() == fresh.to_dict()
    required = [field.id for field, needed in adapt(contract).planned if needed]
    assert [p.field_id for p in first.fields if p.field_id in required] == required


def test_same_plan_in_other_processes():
    program = (
        "import paxman, sys;"
        "c = {'id': 'c', 'version': '1', 'fields': [{'name': n, 'type': 'MONEY', 'required': True} for n in 'abcd']};"
        "print(paxman.plan('a: 1 EUR', c).replay_hash)"
    )
    hashes = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(hashes) == 1
