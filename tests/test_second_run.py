"""verify: what a careful forger can change, with every hash made anew, and what no second run can tell."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import attrs
import pytest
from test_inference_providers import register  # noqa: F401

import paxman
from paxman import verifier
from paxman.api.verification import verify
from paxman.artifact.artifact import seal
from paxman.artifact.results import FieldCost
from paxman.inference import Completion, Terms
from paxman.reconciler.confidence import ConfidenceEvidence
from paxman.types import ConfidenceBand, Diagnostic, Origin, Severity, Status, freeze

TEXT = "Number: INV-7\nNet: 100.00\nTax: 19.00\nTotal: 119.00\nCode: de\n"
CONTRACT = {
    "id": "invoice",
    "version": "1",
    "fields": [
        {"name": "number", "type": "STRING", "required": True},
        {"name": "net", "type": "DECIMAL", "required": True},
        {"name": "tax", "type": "DECIMAL", "required": True},
        {"name": "total", "type": "DECIMAL", "required": True},
        {"name": "twice", "type": "DECIMAL", "required": True, "derive": "total * 2"},
        {"name": "code", "type": "STRING", "required": True},
        {
            "name": "country",
            "type": "STRING",
            "required": True,
            "lookup": {"source": {"de": "Germany", "fr": "France"}, "from": "code"},
        },
    ],
}


def problems(artifact: Any, contract: Any = CONTRACT, text: str = TEXT, **more: Any) -> list[tuple[str | None, str]]:
    found = verify(artifact, text, contract, **more)
    return [(check.field_path, check.problem) for check in found.problems]


def forged(path: str, **changes: Any) -> Any:
    """An artifact with a field changed, sealed again."""
    artifact = paxman.normalize(TEXT, CONTRACT)
    results = [attrs.evolve(r, **changes) if r.field_path == path else r for r in artifact.field_results]
    return seal(attrs.evolve(artifact, field_results=tuple(results)))


@pytest.mark.parametrize("contract", [CONTRACT, None])
@pytest.mark.parametrize("strict", [True, False])
def test_what_was_made_stands(contract: Any, strict: bool):
    artifact = paxman.normalize(TEXT, CONTRACT)
    assert problems(artifact, contract, strict=strict and contract is not None) == []
    assert {result.status for result in artifact.field_results} == {"RESOLVED"}


def test_plain_verify_computes_and_looks_up_again():
    for contract in (CONTRACT, None):
        assert problems(forged("twice", value=Decimal("10.00")), contract) == [
            ("twice", "computing it again gives 238.00")
        ]
    assert problems(forged("country", value="France")) == [("country", "looking it up again gives Germany")]
    found = verify(forged("country", value="France"), TEXT)
    assert [(check.field_path, check.unchecked) for check in found.unchecked] == [
        ("country", "it can be looked up again only with the contract")
    ]


@pytest.mark.parametrize("origin", [Origin.EXTRACTED, Origin.INFERRED, Origin.DERIVED, Origin.LOOKED_UP])
def test_a_value_without_what_its_origin_needs_is_refused(origin: Origin):
    invented = forged("number", value="INV-8", evidence_refs=(), origin=origin)
    assert any(path == "number" and "without" in problem for path, problem in problems(invented))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"confidence": 0.9}, "the rubric gives 0.80, not 0.90 HIGH"),
        ({"confidence_band": ConfidenceBand.CERTAIN}, "the rubric gives 0.80, not 0.80 CERTAIN"),
        ({"confidence_evidence": None}, "what its confidence was counted from is missing"),
        (
            {
                "confidence": 0.95,
                "confidence_band": ConfidenceBand.CERTAIN,
                "confidence_evidence": ConfidenceEvidence(2, 2, True, False, 1),
            },
            "its evidence does not give what its confidence was counted from",
        ),
    ],
)
def test_a_confidence_that_the_evidence_does_not_give_is_refused(changes: Any, problem: str):
    assert problems(forged("number", **changes)) == [("number", problem)]


def test_what_was_made_is_no_surer_than_what_it_was_made_from():
    artifact = paxman.normalize(TEXT + "Code: fr\n", CONTRACT)
    country = artifact["country"]
    assert (country.confidence, country.confidence_evidence.cap) == (0.65, 0.65)
    raised = attrs.evolve(
        country,
        confidence=0.8,
        confidence_band=ConfidenceBand.HIGH,
        confidence_evidence=attrs.evolve(country.confidence_evidence, cap=0.8),
    )
    results = [raised if each is country else each for each in artifact.field_results]
    lie = seal(attrs.evolve(artifact, field_results=tuple(results)))
    assert problems(lie, text=TEXT + "Code: fr\n") == [
        ("country", "its cap is not the confidence of what it was made from")
    ]


def test_an_unknown_capability_is_an_error():
    artifact = paxman.normalize(TEXT, CONTRACT)
    (ref,) = artifact["number"].evidence_refs
    other = forged("number", evidence_refs=(attrs.evolve(ref, capability_id="oracle"),))
    for contract in (CONTRACT, None):
        assert (
            None,
            "the artifact was made with oracle 1.0, which is not registered here; install or register it",
        ) in (problems(other, contract))


NOTE = Diagnostic("LOW_CONFIDENCE", Severity.WARNING, "made up", "number")


@pytest.mark.parametrize(
    ("path", "changes", "problem"),
    [
        ("number", {"diagnostics": (NOTE,)}, "the second run has another diagnostics"),
        ("number", {"cost": FieldCost(9)}, "the second run has another cost"),
        ("number", {"required": False}, "the second run has another required"),
        ("number", {"status": "UNRESOLVED", "value": None, "confidence": 0.0, "evidence_refs": ()}, "the second run "),
    ],
)
def test_strict_compares_all_of_a_field(path: str, changes: Any, problem: str):
    found = problems(forged(path, **changes), strict=True)
    assert any(where == path and told.startswith(problem) for where, told in found), found


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (lambda a: {"status": Status.PARTIAL_SUCCESS}, (None, "the second run has another status")),
        (lambda a: {"diagnostics": (NOTE,)}, (None, "the second run has other diagnostics")),
        (
            lambda a: {"statistics": attrs.evolve(a.statistics, invocations=1)},
            (None, "the second run has other statistics"),
        ),
        (
            lambda a: {
                "execution_plan": attrs.evolve(a.execution_plan, cost_cap=paxman.Budget("1").max_total_cost_usd)
            },
            (None, "the second run has another plan"),
        ),
        (
            lambda a: {"field_results": a.field_results[1:]},
            ("number", "the second run has this field, the artifact does not"),
        ),
        (
            lambda a: {"field_results": a.field_results[::-1]},
            (None, "the second run has the fields in another order"),
        ),
    ],
)
def test_strict_compares_the_whole_artifact(changes: Any, problem: tuple[str | None, str]):
    artifact = paxman.normalize(TEXT, CONTRACT)
    other = seal(attrs.evolve(artifact, **changes(artifact)))
    assert problem in problems(other, strict=True)


def test_an_artifact_of_another_version_names_the_version_it_needs():
    artifact = paxman.normalize(TEXT, CONTRACT)
    old = seal(attrs.evolve(artifact, paxman_version="0.0.9", replay_version="1"))
    loaded = old.to_json()
    assert problems(loaded) == []
    assert [check.field_path for check in verify(loaded, TEXT, CONTRACT).unchecked] == [
        result.field_path for result in artifact.field_results
    ]
    assert problems(loaded, strict=True) == [
        (
            None,
            f"the artifact was made by Paxman 0.0.9, this is {paxman.__version__}; run it again with paxman==0.0.9",
        )
    ]
    wrong = [attrs.evolve(r, value="INV-8") if r.field_path == "number" else r for r in old.field_results]
    lie = seal(attrs.evolve(old, field_results=tuple(wrong)))
    assert ("number", "its transforms do not give the value") in problems(lie, strict=True)


SHIP = {"id": "s", "version": "1", "fields": [{"name": "vessel", "type": "STRING", "required": True}]}
STORY = "In May the good ship Marigold set out and was never seen again.\n"
LOCAL = paxman.Policy(allow_local_inference=True)
RECORDED = attrs.evolve(LOCAL, record_inference_io=True)


class Teller:
    """A local model that always names the ship."""

    name, tier, model, terms = "teller", "local", "m", Terms()

    def complete(self, request: Any) -> Completion:
        return Completion(json.dumps({"vessel": {"value": "Marigold", "lines": [1], "label": None}}), 100, 10)

    def close(self) -> None:
        pass


def test_what_a_model_said_is_listed_unless_it_was_recorded(register: Any):  # noqa: F811
    register(Teller())
    artifact = paxman.normalize(STORY, SHIP, policy=LOCAL)
    assert (artifact["vessel"].value, artifact["vessel"].origin) == ("Marigold", Origin.INFERRED)
    found = verify(artifact, STORY, SHIP, strict=True, policy=LOCAL)
    assert (found.passed, found.problems) == (False, ())
    assert [(check.field_path, check.unchecked) for check in found.unchecked] == [
        ("vessel", "a model said so, and nothing was recorded")
    ]
    assert verify(artifact, STORY, SHIP, strict=True, policy=LOCAL, allow_unrecorded=True).passed
    assert verify(artifact, STORY, SHIP).passed


def test_a_models_answer_is_checked_against_the_recording(register: Any):  # noqa: F811
    teller = Teller()
    register(teller)
    artifact = paxman.normalize(STORY, SHIP, policy=RECORDED)
    teller.complete = None  # type: ignore[method-assign, assignment]
    found = verify(artifact, STORY, SHIP, strict=True, policy=RECORDED)
    assert (found.passed, found.problems, found.unchecked) == (True, (), ())
    for old, new, problem in (
        ("Marigold", "Mary Rose", "the recorded answer is not the one that was given"),
        ("the fields", "other fields", "the recorded question is not the one that was asked"),
    ):
        refs = tuple(
            attrs.evolve(ref, detail=_replaced(ref.detail, old, new, problem)) if ref.detail else ref
            for ref in artifact["vessel"].evidence_refs
        )
        lie = attrs.evolve(artifact["vessel"], evidence_refs=refs)
        told = verify(seal(attrs.evolve(artifact, field_results=(lie,))), STORY, SHIP, strict=True, policy=RECORDED)
        assert problem in [check.problem for check in told.problems]


def _replaced(detail: str, old: str, new: str, problem: str) -> str:
    exchange = json.loads(detail)
    part = "completion" if "answer" in problem else "prompt"
    exchange[part] = exchange[part].replace(old, new) + " "
    return json.dumps(exchange)


def test_an_artifact_verifies_with_all_contracts_or_the_chosen_one():
    other = {"id": "ship", "version": "1", "fields": [{"name": "vessel", "type": "STRING", "required": True}]}
    artifact = paxman.normalize(TEXT, [CONTRACT, other])
    assert artifact.contract_id == "invoice"
    assert problems(artifact, [CONTRACT, other], strict=True) == problems(artifact, CONTRACT, strict=True) == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (lambda a: {"status": Status.PARTIAL_SUCCESS}, "its fields do not make it a PARTIAL_SUCCESS"),
        (lambda a: {"statistics": attrs.evolve(a.statistics, resolved=6)}, "its counts are not those of its fields"),
        (lambda a: {"statistics": attrs.evolve(a.statistics, invocations=1)}, "its counts are not those of its fields"),
        (
            lambda a: {"statistics": attrs.evolve(a.statistics, remote_calls=1)},
            "its counts are not those of its fields",
        ),
        (
            lambda a: {"statistics": attrs.evolve(a.statistics, cost_usd=Decimal("0.10"))},
            "its cost is not the sum of what its fields cost",
        ),
        (lambda a: {"input_content_hash": "0" * 64}, "its plan is that of another artifact"),
        (lambda a: {"capability_versions": {}}, "its plan is that of another artifact"),
    ],
)
def test_plain_verify_adds_the_artifact_up(changes: Any, problem: str):
    artifact = paxman.normalize(TEXT, CONTRACT)
    other = seal(attrs.evolve(artifact, **changes(artifact)))
    assert (None, problem) in problems(other)
    assert problem in list(verifier.problems(other.to_json().encode()))


def test_plain_verify_misses_a_removed_field_and_a_removed_note():
    artifact = paxman.normalize(TEXT + "Code: fr\n", CONTRACT)
    fewer = artifact.field_results[1:]
    counts = attrs.evolve(artifact.statistics, fields=6, resolved=6)
    lie = seal(attrs.evolve(artifact, field_results=fewer, statistics=counts))
    for contract in (CONTRACT, None):
        assert (None, "its fields are not those of its plan") in problems(lie, contract, TEXT + "Code: fr\n")
    silent = seal(attrs.evolve(artifact, diagnostics=()))
    assert ("code", "a note on it is missing among those of the artifact") in problems(silent, text=TEXT + "Code: fr\n")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"status": "UNRESOLVED"}, "it is unresolved and has a value"),
        ({"origin": Origin.INFERRED}, "nothing that was inferred gives it"),
        ({"origin": Origin.DEFAULT, "confidence": 0.0}, "the contract has another default"),
    ],
)
def test_plain_verify_holds_a_field_against_itself(changes: Any, problem: str):
    assert ("number", problem) in problems(forged("number", **changes))


def test_plain_verify_holds_fields_against_the_contract():
    for changes in ({"required": False}, {"field_type_name": "DATE"}):
        assert problems(forged("number", **changes)) == [(None, "the contract has other fields, types or needs")]


ROWS = "Item,Qty,Price\nBolts,2,10.00\nNuts,8,1.50\n"
TABLE = {
    "id": "t",
    "version": "1",
    "fields": [
        {
            "name": "lines",
            "type": "ARRAY",
            "required": True,
            "items": {
                "fields": [
                    {"name": "item", "type": "STRING", "required": True},
                    {"name": "qty", "type": "INTEGER", "required": True},
                    {"name": "price", "type": "DECIMAL", "required": True},
                    {"name": "amount", "type": "DECIMAL", "required": True, "derive": "qty * price"},
                ]
            },
        }
    ],
}


@pytest.mark.parametrize(
    ("change", "more"),
    [
        (
            lambda rows: (*rows, {"item": "Gold", "qty": 1, "price": Decimal("9.00"), "amount": Decimal("9.00")}),
            [("lines", "its ledger counts other rows than it has")],
        ),
        (lambda rows: ({**rows[0], "amount": Decimal("99.00")}, *rows[1:]), []),
    ],
    ids=["a row more", "a computed cell"],
)
def test_cells_without_a_place_are_made_again(change: Any, more: list[tuple[str, str]]):
    artifact = paxman.normalize(ROWS, TABLE)
    assert problems(artifact, TABLE, ROWS) == []
    (result,) = artifact.field_results
    lie = seal(attrs.evolve(artifact, field_results=(attrs.evolve(result, value=freeze(change(result.value))),)))
    assert problems(lie, TABLE, ROWS) == [*more, ("lines", "some of its cells have no place in the document")]
    assert [check.field_path for check in verify(lie, ROWS).unchecked] == ["lines"]
