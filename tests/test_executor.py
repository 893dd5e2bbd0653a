"""Early stop, budget, failures, forward context and order, with real capabilities registered for a test."""

from decimal import Decimal
from functools import cache

import attrs
import pytest

import paxman
from paxman.budget import Budget, Policy
from paxman.capabilities import specs
from paxman.capabilities.base import (
    Candidate,
    CapabilityResult,
    CapabilitySpec,
    ChainStep,
    CostHint,
    EvidenceRef,
    Objection,
)
from paxman.capabilities.nested_documents import find_in_parts, find_repeated
from paxman.contract import adapt
from paxman.documents.reading import read_document
from paxman.errors import BudgetExceededError
from paxman.executor.executor import Run, execute
from paxman.executor.ledger import BudgetTracker, Reservation
from paxman.planner import make_profile, plan
from paxman.planner.registry import CAPABILITIES
from paxman.types import Diagnostic, Severity, Status

NAN = float("nan")


class Scripted:
    """A capability that answers what it is told to and remembers for which fields it was asked."""

    def __init__(self, id="scripted", answer="x", usd="0", tier=3, fails=None, **rest):
        self.spec = CapabilitySpec(id, "1.0", tier=tier, cost_estimate=CostHint(10, 1, usd), **rest)
        self.answer, self.fails, self.asked = answer, fails, []

    def invoke(self, context):
        self.asked.append(context.field.path)
        if self.fails:
            raise self.fails
        ref = EvidenceRef(self.spec.id, "1.0", context.field.path, detail="scripted")
        candidates = () if self.answer is None else (Candidate(self.answer, (ref,)),)
        return CapabilityResult(candidates, tokens=7, usd=self.spec.cost_estimate.usd)


@pytest.fixture
def register():
    names = []

    def add(capability):
        names.append(capability.spec.id)
        return paxman.register_capability(capability)

    yield add
    for name in names:
        CAPABILITIES.unregister(name)


def contract(*names, **more):
    fields = [{"name": name, "type": "STRING", "required": True} for name in names]
    return {"id": "c", "version": "1", "fields": fields, **more}


def codes(artifact, path):
    return [note.code for note in artifact[path].diagnostics]


def test_early_stop_spares_the_dear_step(register):
    model = register(Scripted(usd="0.01"))
    artifact = paxman.normalize("a: here\n", contract("a", "b"))
    assert model.asked == ["b"]
    assert (artifact["a"].value, artifact["b"].value, artifact.status) == ("here", "x", Status.SUCCESS)
    assert artifact["b"].cost == paxman.artifact.artifact.FieldCost(5, 7, Decimal("0.01"))
    assert artifact.statistics.cost_usd == Decimal("0.01")


def test_a_low_answer_escalates(register):
    model = register(Scripted(answer="one"))
    artifact = paxman.normalize("a: one\na: two\n", contract("a"))
    assert (model.asked, artifact["a"].value) == (["a"], "one")


def test_budget_is_never_passed_and_cheaper_steps_go_on(register):
    dear = register(Scripted("dear", usd="0.4", answer=None))
    cheap = register(Scripted("cheap", usd="0.1", answer=None))
    artifact = paxman.normalize("nothing", contract("a", "b", "c"), Budget(max_total_cost_usd="1"))
    assert artifact.statistics.cost_usd <= 1
    assert (dear.asked, cheap.asked) == (
        ["a", "b"],
        ["a", "b", "c"] if artifact.statistics.cost_usd < 1 else ["a", "b"],
    )
    assert "BUDGET_EXCEEDED" in codes(artifact, "c")


def test_invocations_and_remote_calls_are_capped(register):
    model = register(Scripted(answer=None, tier=4, usd="0.001"))
    policy = Policy(allow_remote_inference=True)
    artifact = paxman.normalize("x", contract("a", "b"), Budget(max_remote_inference_calls=1), policy)
    assert (model.asked, artifact.statistics.remote_calls) == (["a"], 1)
    artifact = paxman.normalize("x", contract("a", "b"), Budget(max_capability_invocations=3), policy)
    assert artifact.statistics.invocations == 3


def test_a_failing_step_becomes_a_diagnostic_and_the_walk_goes_on(register):
    register(Scripted("broken", fails=ZeroDivisionError("secret text of the document")))
    register(Scripted("later", usd="0.5"))
    artifact = paxman.normalize("x", contract("a"))
    assert (artifact["a"].value, codes(artifact, "a")) == ("x", ["CAPABILITY_FAILED"])
    assert artifact["a"].diagnostics[0].message == "broken raised ZeroDivisionError"


def test_a_step_that_refuses_to_spend_says_so_and_costs_nothing(register):
    register(Scripted(fails=BudgetExceededError("needs more than its share"), usd="0.5"))
    artifact = paxman.normalize("x", contract("a"))
    assert (codes(artifact, "a"), artifact.statistics.cost_usd) == (["BUDGET_EXCEEDED", "CHAIN_EXHAUSTED"], 0)


def test_a_wrong_return_type_becomes_a_diagnostic(register):
    capability = register(Scripted())
    capability.invoke = lambda context: ["x"]
    assert codes(paxman.normalize("x", contract("a")), "a") == ["CAPABILITY_FAILED", "CHAIN_EXHAUSTED"]


@pytest.mark.parametrize(
    "result",
    [
        CapabilityResult(("x",)),
        CapabilityResult(None),
        CapabilityResult(diagnostics=("x",)),
        CapabilityResult(evidence=("x",)),
        CapabilityResult((Candidate("\ud800"),)),
        CapabilityResult((Candidate(object()),)),
        CapabilityResult(usd=Decimal("NaN")),
        CapabilityResult(usd=Decimal(-1)),
        CapabilityResult(tokens=-5),
        CapabilityResult((Candidate("x", diagnostics=("oops",)),)),
        CapabilityResult((Candidate("x", diagnostics=(Diagnostic("X", "loud", "m"),)),)),
        CapabilityResult((Candidate("x", fx_rate="0.9"),)),
        CapabilityResult((Candidate("x", fx_rate=Decimal("NaN")),)),
        CapabilityResult((Candidate("x", (EvidenceRef("probe", "1.0", "a", role="bogus"),)),)),
        CapabilityResult(diagnostics=(Diagnostic("X", "loud", "m"),)),
        CapabilityResult(diagnostics=(Diagnostic("X", Severity.INFO, None),)),
        CapabilityResult(evidence=(EvidenceRef("probe", "1.0", "a", quote=object()),)),
        CapabilityResult((Candidate("x", (EvidenceRef("probe", "1.0", []),)),)),
        CapabilityResult((Candidate("x", (EvidenceRef("probe", "1.0", "a", span="ab"),)),)),
        CapabilityResult((Candidate("x", (EvidenceRef("probe", "1.0", "a", span=(5, 2)),)),)),
        CapabilityResult((Candidate("x", (EvidenceRef("probe", "1.0", "a", transforms="strip"),)),)),
        CapabilityResult((Candidate("x", iter(())),)),
        CapabilityResult((Candidate("x", diagnostics=(Diagnostic("X", Severity.INFO, "\ud800"),)),)),
        CapabilityResult((Candidate("x", diagnostics=(Diagnostic("X", Severity.INFO, "m", "a", {"n": object()}),)),)),
        CapabilityResult((Candidate("x", diagnostics=(Diagnostic("X", Severity.INFO, "m", "a", {"n": NAN}),)),)),
    ],
)
def test_a_malformed_result_becomes_a_diagnostic(register, result):
    register(Scripted()).invoke = lambda context: result
    assert codes(paxman.normalize("x", contract("a")), "a") == ["CAPABILITY_FAILED", "CHAIN_EXHAUSTED"]


def test_a_step_that_cost_more_than_it_said_is_noted(register):
    register(Scripted(usd="0.01")).invoke = lambda context: CapabilityResult((Candidate("x"),), usd=Decimal(5))
    assert "BUDGET_EXCEEDED" in codes(paxman.normalize("nothing", contract("a")), "a")


def test_stop_on_first_unresolved():
    data = contract("a", "b", policy={"stop_on_first_unresolved": True})
    artifact = paxman.normalize("b: found\n", data)
    assert (artifact["a"].status, artifact["b"].status) == ("UNRESOLVED", "UNRESOLVED")
    assert "not tried" in artifact["b"].diagnostics[0].message


def test_derivations_run_after_their_inputs():
    data = contract("a")
    data["fields"] = [
        {"name": "gross", "type": "DECIMAL", "required": True, "derive": "net + tax"},
        {"name": "tax", "type": "DECIMAL", "required": True, "derive": "net * 0.19"},
        {"name": "net", "type": "DECIMAL", "required": True},
    ]
    artifact = paxman.normalize("net: 100.00\n", data)
    assert artifact.normalized_data == {
        "gross": Decimal("119.0000"),
        "tax": Decimal("19.0000"),
        "net": Decimal("100.00"),
    }
    assert [result.origin.value for result in artifact.field_results] == ["DERIVED", "DERIVED", "EXTRACTED"]


def test_a_check_decides_before_a_derivation_uses_the_value():
    data = contract()
    data["constraints"] = [{"kind": "check", "params": {"expr": "net < 50"}}]
    data["fields"] = [
        {"name": "net", "type": "DECIMAL", "required": True},
        {"name": "double", "type": "DECIMAL", "required": True, "derive": "net * 2"},
    ]
    artifact = paxman.normalize("net: 100\nnet: 10\n", data)
    assert (artifact["net"].value, artifact["double"].value) == (Decimal(10), Decimal(20))


def test_a_check_on_later_fields_decides_before_a_derivation():
    data = contract()
    data["constraints"] = [{"kind": "check", "params": {"expr": "total == net + tax"}}]
    names = ("total", "half", "net", "tax")
    data["fields"] = [{"name": name, "type": "DECIMAL", "required": True} for name in names]
    data["fields"][1]["derive"] = "total / 2"
    artifact = paxman.normalize('{"total": 110, "total": 100, "net": 90, "tax": 10}', data)
    assert (artifact["total"].value, artifact["half"].value) == (Decimal(100), Decimal(50))


def test_lookup_and_derivation_see_earlier_fields():
    data = contract("supplier")
    data["fields"].append(
        {"name": "id", "type": "STRING", "required": True, "lookup": {"source": {"ACME": "S1"}, "from": "supplier"}}
    )
    artifact = paxman.normalize("supplier: acme\n", data)
    assert (artifact["id"].value, artifact["id"].origin.value) == ("S1", "LOOKED_UP")


def test_a_lookup_of_its_own_value_replaces_it():
    data = contract("country")
    data["fields"][0]["lookup"] = {"source": {"Deutschland": "DE", "Germany": "DE", "France": "FR"}}
    artifact = paxman.normalize("country: germany\n", data)
    assert (artifact["country"].value, artifact["country"].origin.value) == ("DE", "LOOKED_UP")
    assert [ref.role for ref in artifact["country"].evidence_refs] == ["supporting", "context"]
    assert paxman.normalize("country: Atlantis\n", data)["country"].value == "Atlantis"


def test_reserve_and_settle():
    tracker = BudgetTracker(Budget(max_total_cost_usd="0.10"))
    first = tracker.reserve(CostHint(usd="0.08"))
    assert isinstance(first, Reservation)
    assert tracker.reserve(CostHint(usd="0.08")) == "max_total_cost_usd"
    assert tracker.settle(first, Decimal("0.02")) == Decimal("0.02")
    assert isinstance(tracker.reserve(CostHint(usd="0.08")), Reservation)
    assert tracker.usd == Decimal("0.10")


def test_capability_step_defaults_to_its_tier():
    assert Scripted(tier=1).spec.step is ChainStep.LOCAL_EXTRACTION
    assert Scripted(tier=4).spec.step is ChainStep.REMOTE_INFERENCE


class Picky:
    """A validation step with a rule of its own, which remembers what it was shown."""

    spec = CapabilitySpec("validation", "2.0")

    def __init__(self):
        self.seen = []

    def invoke(self, context):
        found = [candidate.value for candidate in context.candidates]
        self.seen.append((context.field.path, found))
        return CapabilityResult(objections=tuple(Objection(each, "not here") for each in found if each == "here"))


@pytest.fixture
def picky():
    """The validation of this run, with the built-in one put back after it."""
    capability = paxman.register_capability(Picky())
    yield capability
    CAPABILITIES.unregister("validation")
    CAPABILITIES.register(specs.validation)


def test_validation_runs_even_when_the_walk_stops_early(picky):
    artifact = paxman.normalize("a: there\n", contract("a"))
    assert (picky.seen, artifact["a"].value, artifact["a"].cost.invocations) == ([("a", ["there"])], "there", 3)


def test_what_validation_rejects_does_not_stop_the_walk_and_is_not_taken(register, picky):
    model = register(Scripted(answer="other"))
    found = paxman.normalize("a: here\n", contract("a"))["a"]
    assert (model.asked, found.value, found.status) == (["a"], "other", "RESOLVED")
    assert [ref.role for ref in found.evidence_refs] == ["supporting", "rejected"]
    assert picky.seen[-1] == ("a", ["here", "other"])


def test_objections_of_other_capabilities_are_not_heard(register):
    class Jealous(Scripted):
        def invoke(self, context):
            return CapabilityResult(objections=(Objection("here", "mine is better"),))

    register(Jealous(tier=1, step=ChainStep.EXPLICIT_EVIDENCE))
    found = paxman.normalize("a: here\n", contract("a"))["a"]
    assert (found.value, found.confidence) == ("here", 0.8)


def test_the_executor_hands_on_candidates_as_they_were_found():
    """A capability's own candidates reach the reconciler; only who offered them is filled in."""
    mail = b"From: A <a@x.example>\r\nDate: Fri, 4 Apr 2025 09:12:00 +0200\r\nSubject: s\r\n\r\nDate: 3 April 2025\n"
    canonical = adapt({"id": "c", "fields": [{"name": "date", "type": "DATE", "required": True}]})
    given, taken = [], []

    def find(invoke, context):
        result = find_in_parts(invoke, context)
        given.extend(result.candidates)
        return result

    def settle(results):
        taken.extend(candidate for result in results for candidate in result.candidates)
        return {}

    run = Run(
        canonical,
        CAPABILITIES,
        BudgetTracker(Budget()),
        Policy(),
        cache(lambda: read_document(mail)),
        lambda *_: False,
        settle,
        find,
        find_repeated,
    )
    taken += [c for r in execute(plan(canonical, make_profile(mail)), run) for c in r.candidates]
    assert taken
    assert [attrs.evolve(candidate, source=None) for candidate in taken] == given
