"""An edited contract redoes only what it changed, and the result is that of a run from scratch."""

import copy
import json
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import batch_plugins
import pydantic
import pytest
from batch_plugins import CONTRACT, letter
from hypothesis import given, settings
from hypothesis import strategies as st

import paxman
from paxman.batch.job import Job
from paxman.batch.reuse import Prior
from paxman.batch.sources import BatchItem
from paxman.batch.spending import FilePurse
from paxman.batch.work import Task, open_item, work_one
from paxman.contract import adapt

DOCUMENTS = [(f"{number}.txt", letter(number)) for number in range(4)]


@pytest.fixture(autouse=True)
def plain_registry():
    yield
    batch_plugins.forget()


def edited(**changes):
    """The contract with one field changed."""
    contract = copy.deepcopy(CONTRACT)
    contract["fields"][2] |= changes
    return contract


def test_only_the_changed_field_is_worked_on(tmp_path):
    paxman.normalize_many(DOCUMENTS, CONTRACT, out=tmp_path / "out", workers=1)
    contract = edited(constraints=[{"kind": "max_value", "params": {"max": 2}}])
    again = paxman.normalize_many(DOCUMENTS, contract, out=tmp_path / "out", workers=1)
    fresh = paxman.normalize_many(DOCUMENTS, contract, out=tmp_path / "fresh", workers=1)
    assert (again.fields_reused, again.fields_redone, again.finished_before) == (8, 4, 0)
    assert (fresh.fields_reused, fresh.fields_redone) == (0, 12)
    for name in ("documents.jsonl", "fields.jsonl"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "fresh" / name).read_bytes()


def test_other_contracts_for_the_same_documents_do_not_stand_in_the_way(tmp_path):
    other = {**CONTRACT, "id": "other"}
    changed = edited(constraints=[{"kind": "max_value", "params": {"max": 2}}])
    for contract in (CONTRACT, other, changed):
        last = paxman.normalize_many(DOCUMENTS, contract, out=tmp_path / "turns", workers=1)
    assert (last.fields_reused, last.fields_redone) == (8, 4)

    rows = [{"source": name, "text": text, "contract": f"{id}.json"} for name, text in DOCUMENTS for id in "ab"]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "b.json").write_text(json.dumps(other))
    for contract in (CONTRACT, changed):
        (tmp_path / "a.json").write_text(json.dumps(contract))
        both = paxman.normalize_many(tmp_path / "rows.jsonl", None, out=tmp_path / "both", workers=1)
    assert (both.finished_before, both.fields_reused, both.fields_redone) == (4, 8, 4 + 12)


def test_fresh_does_everything_anew(tmp_path):
    paxman.normalize_many(DOCUMENTS, CONTRACT, out=tmp_path, workers=1)
    again = paxman.normalize_many(DOCUMENTS, CONTRACT, out=tmp_path, workers=1, fresh=True)
    assert (again.finished_before, again.fields_reused, again.fields_redone) == (0, 0, 12)


def test_a_new_version_of_a_capability_redoes_its_fields(tmp_path):
    paxman.normalize_many(DOCUMENTS, CONTRACT, out=tmp_path, workers=1, setup=["batch_plugins:register"])
    batch_plugins.forget()
    again = paxman.normalize_many(DOCUMENTS, CONTRACT, out=tmp_path, workers=1, setup=["batch_plugins:register_newer"])
    assert (again.fields_reused, again.fields_redone) == (8, 4)


def run(text, contract, *priors):
    job = Job(adapt(contract))
    task = open_item(BatchItem("letter.txt", data=text.encode(), position=0), job)
    assert isinstance(task, Task)
    with TemporaryDirectory() as home:
        purse = FilePurse(Path(home) / "purse", paxman.Budget())
        return work_one(task._replace(priors=priors), job, purse)


def rerun(text, before, after):
    """The outcome of `after` built on that of `before`, and that of `after` alone."""
    return run(text, after, prior_of(run(text, before))), run(text, after)


def prior_of(outcome):
    return Prior(json.loads(outcome.parts), outcome.row, outcome.fields)


def redone(before, after):
    built, alone = rerun(letter(5, "Net: 4.50 EUR\nTax: 1.00 EUR\n"), before, after)
    assert (built.row, built.fields, built.artifact_name) == (alone.row, alone.fields, alone.artifact_name)
    return built.redone


def money(name, **more):
    return {"name": name, "type": "MONEY", "required": False, "labels": [name.title()], **more}


def contract_of(*fields, checks=()):
    constraints = [{"kind": "check", "params": {"expr": check}} for check in checks]
    return {"id": "sums", "version": "1", "fields": list(fields), "constraints": constraints}


def test_what_depends_on_a_changed_field_is_redone_too():
    derived = money("gross", derive="net + tax")
    strict = money("net", constraints=[{"kind": "min_value", "params": {"min": 1}}])
    before = contract_of(money("net"), money("tax"), money("tip"), derived)
    assert redone(before, contract_of(strict, money("tax"), money("tip"), derived)) == 2
    assert redone(before, contract_of(money("net"), money("tax"), money("tip"), money("gross", derive="net"))) == 1


def test_what_is_computed_anew_is_no_surer_than_what_was_kept():
    before, after = (contract_of(money("net"), money("double", derive=f"net * {by}")) for by in (1, 2))
    built, alone = rerun(letter(5, "Net: 4.50 EUR\nNet: 5.00 EUR\n"), before, after)
    assert (built.fields, built.redone) == (alone.fields, 1)
    results = [json.loads(line) for line in built.fields.splitlines()]
    assert [(result["value"], result["confidence"]) for result in results] == [
        ({"amount": "5.00", "currency": "EUR"}, 0.65),
        ({"amount": "10.00", "currency": "EUR"}, 0.65),
    ]


def test_each_field_is_the_newest_that_holds_and_fits_the_others():
    """A later run, over fewer fields, has found another amount."""
    text = letter(5, "Net: 4.50 EUR\nTip: 1.00 EUR\n")
    fields = [money("net"), money("tip"), money("double", derive="net * 2"), money("twice", derive="tip * 2")]
    old = prior_of(run(text, contract_of(*fields)))
    new = prior_of(run(text, contract_of(money("net"), money("tip"))))
    new = new._replace(fields=new.fields.replace(b"4.50", b"4.75"))
    last = run(text, contract_of(*fields, money("zorgon")), new, old)
    amounts = {row["field_path"]: row["value"] for row in map(json.loads, last.fields.splitlines())}
    assert {path: value and value["amount"] for path, value in amounts.items()} == {
        "net": "4.75",
        "tip": "1.00",
        "double": "9.50",
        "twice": "2.00",
        "zorgon": None,
    }
    assert (last.reused, last.redone) == (3, 2)


def test_fields_that_make_a_sum_by_what_they_mean_are_decided_together():
    fields = [money("net"), money("tax"), money("total")]
    strict = money("net", constraints=[{"kind": "min_value", "params": {"min": 1}}])
    assert redone(contract_of(*fields), contract_of(strict, *fields[1:])) == 3


def test_fields_of_a_check_are_decided_together():
    before = contract_of(money("net"), money("tax"), money("total"), checks=["total == net + tax"])
    after = contract_of(
        money("net", constraints=[{"kind": "min_value", "params": {"min": 1}}]),
        money("tax"),
        money("total"),
        checks=["total == net + tax"],
    )
    assert redone(before, after) == 3
    assert redone(before, contract_of(money("net"), money("tax"), money("total"))) == 3
    assert redone(before, {**before, "version": "2"}) == 0


def test_a_field_that_the_budget_left_out_is_tried_again(tmp_path):
    contract = {
        "id": "paid",
        "version": "1",
        "fields": [
            {"name": "reference", "type": "STRING", "required": True, "labels": ["Reference"]},
            {"name": "urgent", "type": "BOOLEAN", "required": True},
        ],
    }
    policy = paxman.Policy(allow_remote_inference=True)
    options = {"out": tmp_path, "workers": 2, "setup": ["batch_plugins:register_paid"]}
    poor = paxman.normalize_many(DOCUMENTS, contract, paxman.Budget(max_total_cost_usd="0.025"), policy, **options)
    assert (poor.counts, poor.cost_usd) == ({"SUCCESS": 2, "UNRESOLVED": 2}, Decimal("0.02"))
    rich = paxman.normalize_many(DOCUMENTS, contract, paxman.Budget(max_total_cost_usd="0.04"), policy, **options)
    assert (rich.counts, rich.cost_usd) == ({"SUCCESS": 4}, Decimal("0.04"))
    assert (rich.fields_reused, rich.fields_redone) == (6, 2)


def test_the_unlucky_are_tried_again_on_demand(tmp_path):
    contract = {"id": "paid", "version": "1", "fields": [{"name": "urgent", "type": "BOOLEAN", "required": True}]}
    policy = paxman.Policy(allow_remote_inference=True)
    options = {"out": tmp_path, "workers": 1, "setup": ["batch_plugins:register_paid"]}
    budget = paxman.Budget(max_total_cost_usd="0.02")
    first = paxman.normalize_many(DOCUMENTS, contract, budget, policy, **options)
    again = paxman.normalize_many(DOCUMENTS, contract, budget, policy, **options)
    retry = paxman.normalize_many(DOCUMENTS, contract, budget, policy, retry_failed=True, **options)
    assert [batch.counts for batch in (first, again, retry)] == [{"SUCCESS": 2, "UNRESOLVED": 2}] * 3
    assert [batch.finished_before for batch in (first, again, retry)] == [0, 4, 2]
    assert retry.cost_usd == Decimal("0.02")


def test_what_was_paid_for_outlives_a_later_try_that_fails(tmp_path, monkeypatch):
    """The names are personal and so found anew, which takes longer than it may."""
    monkeypatch.setenv("BATCH_COUNT", str(tmp_path / "count"))
    names = [{"name": f"name{n}", "type": "STRING", "required": False, "semantic_tags": ["pii"]} for n in range(3)]
    urgent = {"name": "urgent", "type": "BOOLEAN", "required": True}
    contract = {"id": "paid", "version": "1", "fields": [urgent, *names]}
    setup = ["batch_plugins:register_paid", "batch_plugins:register_counted"]
    options = {"out": tmp_path / "out", "workers": 1, "setup": setup}
    given = DOCUMENTS[:2], contract, paxman.Budget(), paxman.Policy(allow_remote_inference=True)
    first = list(paxman.normalize_many(*given, **options).rows())
    failed = paxman.normalize_many(*given, artifacts=True, timeout=0.05, **options)
    assert (list(failed.rows()), failed.cost_usd, failed.without_artifact) == (first, Decimal("0.02"), 2)
    assert list(failed.folder.glob("artifacts/*/*.json")) == []
    last = paxman.normalize_many(*given, artifacts=True, **options)
    assert (list(last.rows()), last.cost_usd, last.without_artifact) == (first, Decimal("0.02"), 0)
    assert [artifact.replay_hash for artifact in last.artifacts()] == [row["replay_hash"] for row in first]


class Letter(pydantic.BaseModel):
    reference: str
    total: paxman.Money

    @pydantic.model_validator(mode="after")
    def small(self):
        if self.total.amount > 2:
            raise ValueError("too much")
        return self


def test_the_callers_own_model_has_its_say_in_the_workers(tmp_path):
    result = paxman.normalize_many(DOCUMENTS, Letter, out=tmp_path, workers=1)
    single = [paxman.normalize(text, Letter) for _, text in DOCUMENTS]
    assert [row["status"] for row in result.rows()] == [artifact.status.value for artifact in single]
    assert result.counts == {"PARTIAL_SUCCESS": 2, "SUCCESS": 2}
    codes = [note["code"] for row in result.rows() for note in row["notes"] if note["severity"] == "ERROR"]
    assert codes == ["VALIDATION_FAILED"] * 2


def test_a_model_that_workers_cannot_reach_is_refused():
    class Hidden(Letter):
        reference: str

    with pytest.raises(paxman.ExecutionError, match="at the top level of a module"):
        paxman.normalize_many(DOCUMENTS, Hidden, workers=1)


CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "required": st.booleans(),
        "labels": st.sampled_from([["Total"], ["Total", "Sum"], ["Amount"]]),
        "type": st.sampled_from(["MONEY", "DECIMAL", "STRING"]),
        "confidence_threshold": st.sampled_from([0.5, 0.95]),
        "constraints": st.sampled_from([[], [{"kind": "pattern", "params": {"regex": "5"}}]]),
    },
)


@settings(max_examples=40)
@given(changes=CHANGES, floor=st.sampled_from([0.8, 0.9]))
def test_a_result_built_on_an_earlier_one_is_the_result(changes, floor):
    if changes.get("type") != "STRING":
        changes.pop("constraints", None)
    after = edited(**changes) | {"policy": {"confidence_floor": floor}}
    built, alone = rerun(letter(5), CONTRACT, after)
    assert (built.row, built.fields, built.artifact_name) == (alone.row, alone.fields, alone.artifact_name)


WORDS = ["Total", "Amount due", "Net", "Seller", "Customer", "Buyer", "Zorgon", "Lot", "Total Zorgon", "Invoice no"]
VALUES = ["5.00 EUR", "7,50", "Acme Ltd", "2025-03-01", "A-17", "1 Main Street", ""]
LINES = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from([": ", " ", "\n", "   "]), st.sampled_from(VALUES)), max_size=6
)
FIELDS = st.lists(
    st.tuples(
        st.sampled_from(["total", "amount_due", "net", "seller", "buyer", "zorgon", "lot", "number"]),
        st.sampled_from(["MONEY", "STRING", "DECIMAL"]),
        st.lists(st.sampled_from(WORDS), max_size=2, unique=True),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda field: field[0],
)


@settings(max_examples=150)
@given(lines=LINES, before=FIELDS, after=FIELDS)
def test_what_other_fields_are_called_is_not_forgotten(lines, before, after):
    text = "".join(f"{word}{gap}{value}\n" for word, gap, value in lines)
    first, second = (
        contract_of(*({"name": n, "type": t, "required": False, "labels": labels} for n, t, labels in fields))
        for fields in (before, after)
    )
    built, alone = rerun(text, first, second)
    assert (built.row, built.fields, built.artifact_name) == (alone.row, alone.fields, alone.artifact_name)


def test_a_field_that_another_brings_into_a_trade_is_redone():
    """What is looked for depends on the trade that all fields together speak of."""
    due = {**money("amount_due"), "labels": ["Invoice no"]}
    built, alone = rerun("Seller: 7,50\n", contract_of(money("total")), contract_of(money("total"), due))
    assert built.fields == alone.fields


def test_a_field_that_had_stood_in_for_a_new_one_is_redone():
    text = "Deposit: 2.00 EUR\nAmount due: 5.00 EUR\n"
    built, alone = rerun(text, contract_of(money("total")), contract_of(money("total"), money("amount_due")))
    assert built.fields == alone.fields
    assert [json.loads(line)["value"] for line in built.fields.splitlines()] == [
        None,
        {"amount": "5.00", "currency": "EUR"},
    ]


def test_a_new_field_leaves_the_others_as_they_were():
    before = contract_of(money("net"), money("tax"))
    assert redone(before, contract_of(money("net"), money("tax"), money("zorgon"))) == 1


def looked_up(folder):
    lookup = {"source": "parties.csv", "key": "code", "value": "name", "from": "reference", "threshold": 100}
    contract = copy.deepcopy(CONTRACT)
    contract["fields"].append({"name": "party", "type": "STRING", "required": False, "lookup": lookup})
    (folder / "letter.json").write_text(json.dumps(contract))
    return folder / "letter.json"


def test_another_content_of_a_lookup_table_redoes_what_was_looked_up(tmp_path):
    contract = looked_up(tmp_path)
    (tmp_path / "parties.csv").write_text("code,name\nLTR-1001,Acme\n")
    first = paxman.normalize_many(DOCUMENTS, contract, out=tmp_path / "out", workers=1)
    assert [row["data"].get("party") for row in first.rows()] == [None, "Acme", None, None]
    (tmp_path / "parties.csv").write_text("code,name\nLTR-1001,Acme Ltd\nLTR-1002,Foo\n")
    again = paxman.normalize_many(DOCUMENTS, contract, out=tmp_path / "out", workers=1)
    assert [row["data"].get("party") for row in again.rows()] == [None, "Acme Ltd", "Foo", None]
    assert (again.finished_before, again.fields_reused, again.fields_redone) == (0, 12, 4)
    same = paxman.normalize_many(DOCUMENTS, contract, out=tmp_path / "out", workers=1)
    assert same.finished_before == 4


def test_what_a_database_said_is_asked_again():
    lookup = {"source": "postgresql://nowhere/db", "table": "t", "key": "code", "value": "name", "from": "net"}
    party = {"name": "party", "type": "STRING", "required": False, "lookup": lookup}
    contract = contract_of(money("net"), money("tax"), party)
    assert sorted(json.loads(run(letter(1), contract).parts)) == ["", "net", "tax"]


def test_tighter_limits_of_reading_are_not_answered_from_looser_ones(tmp_path):
    documents = [("a.txt", letter(1))]
    paxman.normalize_many(documents, CONTRACT, out=tmp_path, workers=1)
    limits = paxman.Limits(max_text_chars=20)
    cut = paxman.normalize_many(documents, CONTRACT, out=tmp_path, workers=1, limits=limits)
    single = paxman.normalize(letter(1).encode(), CONTRACT, limits=limits)
    assert [row["data"] for row in cut.rows()] == [
        json.loads(json.dumps(single.to_dict()["normalized_data"])),
    ]
    assert (cut.finished_before, cut.fields_reused) == (0, 0)
    with pytest.raises(TypeError, match="limits must be"):
        paxman.normalize_many(documents, CONTRACT, limits=3)


def test_a_label_of_another_field_that_is_on_the_page_is_heeded():
    zorgon = {"name": "zorgon", "type": "DECIMAL", "required": False}
    built, alone = rerun("Total Zorgon   5.00 EUR", contract_of(money("total")), contract_of(money("total"), zorgon))
    assert (built.fields, built.reused) == (alone.fields, 0)
    assert [json.loads(line)["value"] for line in built.fields.splitlines()] == [None, "5.00"]
