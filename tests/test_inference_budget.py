"""No sequence of answers, errors and retries spends more than the cap or calls more often than allowed."""

import json
import subprocess
import sys
import threading
from decimal import Decimal

import attrs
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from model_server import answering, serve, status
from test_inference_providers import CONTRACT, REMOTE, TEXT, codes, openai, register  # noqa: F401

import paxman
from paxman.batch.spending import FilePurse, SharedTracker
from paxman.budget import Budget
from paxman.capabilities.base import ChainStep, CostHint
from paxman.executor.ledger import BudgetTracker, FieldPurse, Reservation
from paxman.inference import Anthropic, Completion, OpenAI, Price, Request, Terms, failure
from paxman.inference.calling import call
from paxman.planner.field_plan import FieldPlanStep
from paxman.planner.registry import CAPABILITIES

PRICE = Price(10, 50)
PROMPTS = ("Where did the ship go?", "x" * 80, "ä" * 30)


class Simulated:
    """A provider that knows what it really charges; what it reports is another matter."""

    name, tier, model = "simulated", "remote", "m"

    def __init__(self, terms, tracker):
        self.terms, self.tracker = terms, tracker
        self.script, self.billed, self.calls = [], Decimal(0), 0

    def complete(self, request):
        self.calls += 1
        # What was spent, what may have been, and the most that this very call can cost: all of it fits before a call
        # is made. So nothing follows a report that passed the cap, and only that one report can have passed it.
        assert self.tracker.usd + self.tracker.held <= self.tracker.budget.max_total_cost_usd
        kind, share, lie = self.script.pop(0) if self.script else ("free error", 0, None)
        charge = self.terms.worst_usd(request.size, request.max_tokens) * share / 100
        if kind == "free error":
            raise failure("rate_limited", "later", retry=True, billed=False)
        self.billed += charge
        if kind == "billed error":
            raise failure("timeout", "late", retry=True)
        if kind == "crash":
            raise ZeroDivisionError
        tokens = request.size * share // 100
        if lie is not None:
            return Completion("{}", *lie)
        self.billed += self.terms.price.of(tokens, request.max_tokens * share // 100) - charge
        return Completion("{}", tokens, request.max_tokens * share // 100)


KINDS = st.sampled_from(["answer", "answer", "answer", "free error", "billed error", "crash"])
HABITS = st.sampled_from([None, "billed error", "answer"])
SHARES = st.sampled_from([100, 100, 60, 10])
MISREPORTS = st.sampled_from([None, None, (0, 0), (None, None), (1, None), (10**9, 10**9)])
LIES = st.sampled_from([(10, 0), (60, 5), (200, 20), (0, 0)])


class Spending(RuleBasedStateMachine):
    @initialize(
        usd=st.sampled_from(["0.004", "0.01", "0.02"]),
        calls=st.sampled_from([0, 3, 100, 100, 100, 100]),
        trusted=st.booleans(),
        attempts=st.integers(1, 4),
        kind=HABITS,
        report=st.sampled_from([None, (0, 0)]),
    )
    def start(self, usd, calls, trusted, attempts, kind, report):
        self.habit = (kind, 100, report) if kind else None
        self.budget = Budget(max_total_cost_usd=usd, max_remote_inference_calls=calls)
        self.tracker = BudgetTracker(self.budget)
        terms = Terms(PRICE, attempts=attempts, backoff_seconds=0, trust_usage=trusted)
        self.provider = Simulated(terms, self.tracker)
        self.attributed, self.excess = Decimal(0), Decimal(0)

    @rule(
        outcomes=st.lists(st.tuples(KINDS, SHARES, MISREPORTS), min_size=1, max_size=3),
        lies=st.lists(LIES, min_size=3, max_size=3),
        prompt=st.sampled_from(PROMPTS),
        fields=st.integers(1, 5),
        max_tokens=st.sampled_from([10, 50]),
    )
    def ask(self, outcomes, lies, prompt, fields, max_tokens):
        """Whoever is trusted may fail to report or report nonsense; whoever is not may report any number."""
        if not self.provider.terms.trust_usage:
            outcomes = [(kind, share, lie) for (kind, share, _), lie in zip(outcomes, lies, strict=False)]
        self.provider.script = [self.habit or outcome for outcome in outcomes]
        step = FieldPlanStep("inference", "1.0", step=ChainStep.REMOTE_INFERENCE, cost=CostHint(usd="0.05"))
        purse = FieldPurse(self.tracker, [step] * fields)
        made = call(self.provider, Request("Find.", prompt, {}, max_tokens), purse)
        purse.close()
        assert made.usd - made.excess <= Decimal("0.05") * fields
        assert made.usd == purse.spent
        self.attributed += made.usd
        if made.excess:
            self.excess = made.excess

    @invariant()
    def the_caps_hold(self):
        if hasattr(self, "budget"):
            # A model is sent `max_tokens`, and no tokenizer makes more tokens than bytes: what is reserved is the most
            # that can be billed, whatever the reports say.
            assert self.provider.billed <= self.budget.max_total_cost_usd
            # A report beyond that is counted all the same, as far as it goes: it may be true.
            assert self.tracker.usd + self.tracker.held - self.excess <= self.budget.max_total_cost_usd
            assert self.provider.calls == self.tracker.remote_calls <= self.budget.max_remote_inference_calls
            assert self.tracker.usd == self.attributed


TestSpending = Spending.TestCase
TestSpending.settings = settings(
    max_examples=100, stateful_step_count=20, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def test_what_bounds_the_cost_is_sent(register, monkeypatch):  # noqa: F811
    monkeypatch.setenv("SHIP_KEY", "k")
    with serve(answering(vessel="Marigold")) as server:
        for provider in (openai(server), Anthropic("m", "env:SHIP_KEY", server.url, price=(1, 2))):
            register(provider)
            paxman.normalize(TEXT, CONTRACT, policy=REMOTE)
    assert [body["max_tokens"] for body in server.seen] == [400, 400]
    _, _, body = OpenAI("m", price=(1, 2))._message(Request("s", "p", {}, 7), None)
    assert body["max_completion_tokens"] == 7


@pytest.mark.parametrize(
    ("terms", "room"), [({}, 400), ({"max_output_tokens": 8000}, 8000), ({"max_output_tokens": 90}, 90)]
)
def test_the_room_for_an_answer_is_what_was_set(register, terms, room):  # noqa: F811
    with serve(answering(usage=None)) as server:
        register(openai(server, terms=terms))
        artifact = paxman.normalize(TEXT, CONTRACT, policy=REMOTE)
    assert server.seen[0]["max_tokens"] == room
    # Without a report it counts as all that was reserved: 1 dollar for input, 2 for output.
    assert room * 2 < artifact.statistics.cost_usd * 10**6 < room * 2 + 2500


PROGRAM = """
import sys
from decimal import Decimal
from pathlib import Path
from paxman.batch.spending import FilePurse, SharedTracker
from paxman.budget import Budget
from paxman.capabilities.base import ChainStep, CostHint
from paxman.executor.ledger import FieldPurse, Reservation
from paxman.planner.field_plan import FieldPlanStep
budget = Budget(max_total_cost_usd="1", max_remote_inference_calls=1000)
step = FieldPlanStep("inference", "1.0", step=ChainStep.REMOTE_INFERENCE, cost=CostHint(usd="5"))
made = 0
for _ in range(40):
    allowance = FieldPurse(SharedTracker(budget, FilePurse(Path(sys.argv[1]), budget)), [step])
    reservation = allowance.reserve(Decimal("0.02"), 10)
    if isinstance(reservation, Reservation):
        made += 1
        allowance.settle(reservation, Decimal("0.0001"), trusted=sys.argv[2] == "trusted")
print(made)
"""


@pytest.mark.parametrize(("trust", "calls"), [("untrusted", 50), ("trusted", 80)])
def test_processes_that_share_a_budget_keep_it_whatever_is_reported(tmp_path, trust, calls):
    """Each call may have cost two cents, so fifty of them are a dollar, though a hundredth of a cent is reported."""
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "purse"), trust]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    made = sum(int(process.communicate(timeout=60)[0]) for process in running)
    spent = FilePurse(tmp_path / "purse", Budget()).spent()
    each = Decimal("0.02") if trust == "untrusted" else Decimal("0.0001")
    assert (made, spent) == (calls, (each * calls, calls))


def test_an_attempt_that_was_not_made_is_given_back(tmp_path):
    budget = Budget(max_total_cost_usd="1", max_remote_inference_calls=1)
    purse = FilePurse(tmp_path / "purse", budget)
    tracker = SharedTracker(budget, purse)
    step = FieldPlanStep("inference", "1.0", step=ChainStep.REMOTE_INFERENCE, cost=CostHint(usd="1"))
    allowance = FieldPurse(tracker, [step])
    for _ in range(3):
        allowance.cancel(allowance.reserve(Decimal(1), 10))
    assert (tracker.usd, tracker.ms, tracker.invocations, tracker.remote_calls) == (0, 0, 0, 0)
    assert (purse.spent(), allowance.spent) == ((0, 0), 0)


def test_many_threads_never_pass_the_cap():
    tracker = BudgetTracker(Budget(max_total_cost_usd="1", max_remote_inference_calls=70))
    taken = []

    def spend():
        for _ in range(200):
            reservation = tracker.reserve(CostHint(usd="0.02"), remote=True)
            if isinstance(reservation, Reservation):
                assert tracker.usd <= 1
                taken.append(tracker.settle(reservation, Decimal("0.01")))

    threads = [threading.Thread(target=spend) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(taken), tracker.usd, tracker.remote_calls) == (70, Decimal("0.70"), 70)


@pytest.mark.parametrize(
    ("budget", "cap"),
    [
        (Budget(max_total_cost_usd="0.0015"), "max_total_cost_usd"),
        (Budget(max_remote_inference_calls=0), "max_remote_inference_calls"),
        (Budget(max_total_latency_ms=500), "max_total_latency_ms"),
    ],
)
def test_a_call_that_would_pass_a_cap_is_not_made(register, budget, cap):  # noqa: F811
    with serve(answering(vessel="Marigold")) as server:
        register(openai(server))
        artifact = paxman.normalize(TEXT, CONTRACT, budget, REMOTE)
    assert (server.seen, artifact.statistics.cost_usd) == ([], 0)
    note = artifact["vessel"].diagnostics[0]
    assert (note.code, note.message) == ("BUDGET_EXCEEDED", f"openai was not asked: it would pass {cap}")
    assert artifact["port"].value == "Rotterdam"


def test_a_retry_is_a_call(register):  # noqa: F811
    with serve(status(500)) as server:
        register(openai(server))
        artifact = paxman.normalize(TEXT, CONTRACT, Budget(max_remote_inference_calls=2), REMOTE)
    assert (len(server.seen), artifact.statistics.remote_calls) == (2, 2)
    assert codes(artifact) == ["CAPABILITY_FAILED", "BUDGET_EXCEEDED", "CHAIN_EXHAUSTED"]


def test_a_provider_that_reports_nothing_is_charged_in_full(register):  # noqa: F811
    with serve(answering(usage=None, vessel="Marigold")) as server:
        register(openai(server))
        first = paxman.normalize(TEXT, CONTRACT, policy=REMOTE)
    with serve(answering(usage=(0, 0), vessel="Marigold")) as server:
        register(openai(server))
        second = paxman.normalize(TEXT, CONTRACT, policy=REMOTE)
    assert first.statistics.cost_usd == second.statistics.cost_usd > Decimal("0.0012")
    assert first.statistics.cost_usd <= first.execution_plan.estimated_cost.usd


def test_the_dearer_provider_comes_later_and_only_for_the_rest(register):  # noqa: F811
    with serve(answering(vessel="Marigold")) as cheap, serve(answering(departure="3 May 2024")) as dear:
        local, remote = openai(cheap, tier="local", price=None, name="near"), openai(dear, name="far")
        for provider in (remote, local):
            paxman.register_provider(provider)
        try:
            artifact = paxman.normalize(TEXT, CONTRACT, policy=REMOTE)
        finally:
            for provider in (local, remote):
                CAPABILITIES.providers.unregister(provider.name)
                provider.close()
    assert [len(cheap.seen), len(dear.seen)] == [1, 1]
    assert list(dear.seen[0]["response_format"]["json_schema"]["schema"]["properties"]) == ["departure"]
    assert (artifact["vessel"].cost.usd, artifact["departure"].cost.usd) == (0, Decimal("0.0012"))
    tried = [json.loads(r.detail)["provider"] for r in artifact["departure"].evidence_refs if r.detail]
    assert tried == ["near", "far"]


def test_stop_on_first_unresolved_asks_no_more(register):  # noqa: F811
    contract = {**CONTRACT, "policy": {"stop_on_first_unresolved": True}}
    with serve(answering()) as server:
        register(openai(server))
        artifact = paxman.normalize(TEXT, contract, policy=REMOTE)
    assert (len(server.seen), artifact["port"].status) == (1, "UNRESOLVED")


def test_what_depends_on_an_inferred_value_waits_for_it(register):  # noqa: F811
    fields = [
        {"name": "double", "type": "DECIMAL", "required": True, "derive": "tonnes * 2"},
        {"name": "tonnes", "type": "DECIMAL", "required": True, "description": "how much grain"},
    ]
    with serve(answering(tonnes="1.234,5")) as server:
        register(openai(server))
        artifact = paxman.normalize(
            "Grain, 1.234,5 of it, lay aboard.", {"id": "c", "version": "1", "fields": fields}, policy=REMOTE
        )
    assert (artifact["double"].value, len(server.seen)) == (Decimal("2469.0"), 1)


def test_terms_bound_a_call():
    terms = attrs.evolve(Terms(PRICE), window_tokens=1000, max_output_tokens=100)
    assert (terms.request_bytes, terms.call_usd) == (2500, Decimal("0.03"))
    assert (terms.most_usd, terms.most_tokens) == (Decimal("0.27"), 23400)


def test_a_plan_says_the_most_that_a_model_can_take(register):  # noqa: F811
    contract = {"id": "c", "version": "1", "fields": CONTRACT["fields"][:1]}
    register(OpenAI("m", price=(10, 50), terms=Terms(window_tokens=1000, max_output_tokens=100)))
    made = paxman.plan(TEXT, contract, policy=REMOTE)
    assert (made.estimated_cost.usd, made.estimated_cost.tokens) == (Decimal("0.27"), 23400)
    assert made.page_tokens == round(len("".join(TEXT.split())) / 4)
    assert paxman.plan(TEXT, contract).page_tokens is None


def test_a_report_above_the_reservation_counts_in_full_and_is_told(register):  # noqa: F811
    with serve(answering(usage=(10**6, 10**6), vessel="Marigold")) as server:
        register(openai(server))
        artifact = paxman.normalize(TEXT, CONTRACT, Budget(max_total_cost_usd="1"), REMOTE)
    note = artifact["vessel"].diagnostics[0]
    assert (artifact["vessel"].value, artifact.statistics.cost_usd, note.code) == ("Marigold", 3, "BUDGET_EXCEEDED")
    assert note.message.startswith("openai reports a cost of 3 USD, 2.99")


def test_an_answer_that_cost_too_much_is_still_an_answer(register):  # noqa: F811
    with serve(answering(usage=(10**6, 10**6))) as server:
        register(openai(server))
        artifact = paxman.normalize(TEXT, CONTRACT, policy=REMOTE)
    first, last = artifact["vessel"].diagnostics
    assert first.code == "BUDGET_EXCEEDED"
    assert last.message.startswith('Not found. Looked for "vessel", ')


def test_a_report_above_the_reservation_stops_what_follows():
    tracker = BudgetTracker(Budget(max_total_cost_usd="1"))
    step = FieldPlanStep("inference", "1.0", step=ChainStep.REMOTE_INFERENCE, cost=CostHint(usd="0.05"))
    purse = FieldPurse(tracker, [step])
    reservation = purse.reserve(Decimal("0.01"), 10)
    assert purse.settle(reservation, Decimal(2), trusted=False) == 2
    assert (tracker.usd, tracker.held) == (2, 0)
    assert tracker.reserve(CostHint(usd="0.01"), True) == "max_total_cost_usd"
