"""The public names are pinned, load on first use, and refuse wrong arguments with what to do."""

import subprocess
import sys

import pytest

import paxman

NAMES = """
Budget BudgetExceededError CapabilityError CapabilityNotFoundError Check ConfidenceBand ConfigurationError
CurrencyPolicy Derive ExecutionArtifact ExecutionError FieldType HashMismatchError InferenceProviderError
InvalidBudgetError
InvalidCapabilitySpecError InvalidConstraintError InvalidContractError InvalidPathError InvalidPolicyError
InvalidSemanticTagError Labels Lessons Limits Lookup Money PaxmanError Policy ReconciliationError ReplayError Status
Tags UnsupportedFieldTypeError VersionMismatchError __version__ evaluate learn normalize normalize_async normalize_many
plan profile register_adapter register_capability register_provider register_reader replay
""".split()
CONTRACT = {"id": "c", "version": "1", "fields": [{"name": "a", "type": "STRING", "required": True}]}


def test_the_names_are_pinned():
    assert sorted(paxman.__all__) == sorted(NAMES)
    assert [name for name in NAMES if not hasattr(paxman, name)] == []


def test_the_modules_that_other_people_measure_with_keep_their_names():
    from paxman.documents.records import read_source
    from paxman.inference.provider import Completion, Request, Terms

    assert read_source(b"Total: 3", "a.txt", None, records=False).plain.text == "Total: 3"
    assert [each.__name__ for each in (Completion, Request, Terms)] == ["Completion", "Request", "Terms"]


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        paxman.nope  # noqa: B018


def test_import_loads_nothing():
    program = "import sys, paxman; print([m for m in sys.modules if m.startswith(('paxman.', 'attr', 're2'))])"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout == "['paxman.version']\n"


@pytest.mark.parametrize("wrong", [None, 7, 1.5, object(), {1, 2}, (1, 2)])
def test_wrong_input_says_what_is_accepted(wrong):
    for function in (lambda: paxman.normalize(wrong, CONTRACT), lambda: paxman.profile(wrong)):
        with pytest.raises(TypeError, match="str, bytes, a path, dict or list"):
            function()


def test_a_missing_file_raises():
    with pytest.raises(FileNotFoundError):
        paxman.normalize(__import__("pathlib").Path("no-such-file.txt"), CONTRACT)


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        ({"max_total_cost_usd": -1}, "zero or more"),
        ({"max_total_cost_usd": "much"}, "US dollars"),
        ({"max_total_cost_usd": float("nan")}, "US dollars"),
        ({"max_remote_inference_calls": 1.5}, "whole number"),
        ({"max_input_size_bytes": -1}, "zero or more"),
    ],
)
def test_bad_budgets(budget, message):
    with pytest.raises(paxman.InvalidBudgetError, match=message):
        paxman.Budget(**budget)


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({"confidence_floor": 1.1}, "from 0 to 1"),
        ({"confidence_floor": "high"}, "from 0 to 1"),
        ({"currency_policy": "SOMETIMES"}, "STRICT_MATCH, ALLOW_FX"),
        ({"optional_fields": "some"}, "'free', 'all' or 'skip'"),
        ({"allow_remote_inference": 1}, "True or False"),
        ({"locale": 7}, "de_DE"),
    ],
)
def test_bad_policies(policy, message):
    with pytest.raises(paxman.InvalidPolicyError, match=message):
        paxman.Policy(**policy)


def test_floats_become_exact_costs():
    assert str(paxman.Budget(max_total_cost_usd=0.1).max_total_cost_usd) == "0.1"


def test_budget_and_policy_must_be_theirs():
    with pytest.raises(paxman.InvalidBudgetError, match="paxman.Budget"):
        paxman.normalize("a", CONTRACT, budget={"max_total_cost_usd": 1})
    with pytest.raises(paxman.InvalidPolicyError, match="paxman.Policy"):
        paxman.normalize("a", CONTRACT, policy="strict")
    with pytest.raises(TypeError, match="paxman.Limits"):
        paxman.normalize("a", CONTRACT, limits={"max_pages": 1})


def test_limits_on_reading_count_only_where_they_cut_something():
    text = "a: first value\n" * 10
    whole = paxman.normalize(text, CONTRACT)
    ample = paxman.normalize(text, CONTRACT, limits=paxman.Limits(max_text_chars=1000))
    cut = paxman.normalize(text, CONTRACT, limits=paxman.Limits(max_text_chars=20))
    assert cut.diagnostics[0].code == "UNREADABLE_INPUT"
    assert (ample.replay_hash == whole.replay_hash, cut.replay_hash == whole.replay_hash) == (True, False)


@pytest.mark.parametrize("contract", [None, 7, [], object()])
def test_wrong_contracts_are_type_errors_or_contract_errors(contract):
    with pytest.raises((TypeError, paxman.InvalidContractError)):
        paxman.normalize("a", contract)


def test_errors_have_codes_and_context():
    error = paxman.InvalidContractError([])
    assert (error.error_code, error.context) == ("INVALID_CONTRACT", {"errors": []})
