"""The strategies that users import give valid things, and all sorts of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings

import paxman
from paxman import testing
from paxman.contract.model import CanonicalContract

relaxed = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
seeking = settings(max_examples=2000, deadline=None, phases=[Phase.generate])


@given(testing.canonical())
@relaxed
def test_contracts_adapt_without_a_warning(contract: CanonicalContract) -> None:
    assert contract.warnings == ()
    assert len({field.path for field in contract.leaves}) == len(contract.leaves) > 0


@pytest.mark.parametrize("key", ["derive", "lookup", "default", "items", "enum_values"])
def test_contracts_come_in_all_sorts(key: str) -> None:
    found = find(
        testing.contracts(), lambda contract: any(key in field for field in contract["fields"]), settings=seeking
    )
    assert any(key in field for field in found["fields"])


CONTRACT: dict[str, Any] = {
    "id": "invoice",
    "version": "1",
    "fields": [{"name": "invoice_number", "type": "STRING", "required": True, "labels": ["Invoice no."]}],
}


@pytest.mark.parametrize("kind", ["text", "html", "json", "unknown"])
def test_inputs_come_in_all_sorts(kind: str) -> None:
    document = find(testing.inputs(CONTRACT), lambda given: paxman.profile(given).input_type == kind, settings=seeking)
    assert paxman.profile(document).input_type == kind


def test_inputs_speak_of_the_contract() -> None:
    document = find(testing.inputs(CONTRACT), lambda given: "Invoice no.: " in str(given), settings=seeking)
    assert "Invoice no.: " in str(document)


@given(testing.plans())
@relaxed
def test_plans_are_whole_and_hash_alike(plan: Any) -> None:
    again = type(plan).from_dict(plan.to_dict())
    assert (again, again.replay_hash) == (plan, plan.replay_hash)


@given(testing.artifacts())
@relaxed
def test_artifacts_survive_storage(artifact: Any) -> None:
    again = type(artifact).from_json(artifact.to_json())
    assert (again, again.computed_hash()) == (artifact, artifact.replay_hash)


@given(testing.budgets(), testing.policies())
@relaxed
def test_budgets_and_policies_are_accepted(budget: paxman.Budget, policy: paxman.Policy) -> None:
    plan = paxman.plan("Invoice no.: 7", CONTRACT, budget, policy)
    spent = plan.estimated_cost.usd
    assert budget.max_total_cost_usd is None or spent <= budget.max_total_cost_usd
