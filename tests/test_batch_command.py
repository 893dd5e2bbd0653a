"""`paxman batch`, `batch status` and `batch report`."""

import json
import re
import subprocess
import sys
import threading
import time
from decimal import Decimal

import pytest
from batch_plugins import CONTRACT, forget, letter, register_paid
from click.testing import CliRunner
from model_server import answering, serve, silent, status

import paxman
from paxman.batch.job import Job
from paxman.batch.pool import Clock, work_tasks
from paxman.batch.sources import BatchItem
from paxman.batch.spending import FilePurse, Paced, pace_providers
from paxman.batch.work import open_item
from paxman.cli.batching import batch
from paxman.contract import adapt
from paxman.planner.registry import CAPABILITIES


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    for number in range(3):
        (tmp_path / f"in/{number}.txt").write_text(letter(number))
    (tmp_path / "in/bad<b>.txt").write_text("nothing")
    (tmp_path / "letter.json").write_text(json.dumps(CONTRACT))
    yield tmp_path
    CAPABILITIES.providers.unregister("openai")
    forget()


def call(*arguments):
    found = CliRunner().invoke(batch, arguments, catch_exceptions=False)
    return found.exit_code, found.stdout


def test_run_status_and_report(place):
    code, told = call("in", "-c", "letter.json", "-o", "out", "--workers", "1")
    assert (code, told) == (
        1,
        "4 documents: 3 success, 1 unresolved; cost $0\nwritten: out/documents.jsonl\nwritten: out/fields.jsonl\n"
        "next: paxman batch report out\n",
    )
    code, told = call("status", "out", "--json")
    status = json.loads(told)
    del status["seconds"]
    assert status == {
        "state": "finished",
        "contract": "letter",
        "documents": 4,
        "total": 4,
        "counts": {"SUCCESS": 3, "UNRESOLVED": 1},
        "lost": 0,
        "rows": {},
        "cost_usd": "0",
        "fields_reused": 0,
        "fields_redone": 12,
    }
    assert call("status", "out")[1].splitlines()[4] == "counts\tSUCCESS 3, UNRESOLVED 1"
    assert call("report", "out") == (0, "written: out/report.html\n")
    page = (place / "out/report.html").read_text()
    assert "in/bad&lt;b&gt;.txt" in page
    assert "<b>.txt" not in page


def test_the_report_says_why_links_each_document_and_plots_the_fields(place):
    (place / "in/b").mkdir()
    (place / "in/b/broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    call("in", "-c", "letter.json", "-o", "out", "--workers", "1", "--artifacts")
    call("report", "out")
    page = (place / "out/report.html").read_text()
    rows = dict(re.findall(r"<tr><td><a href=\"(report-documents/[0-9a-f]{16}\.html)\">([^<]*)</a>", page))
    assert sorted(rows.values()) == ["in/b/broken.pdf", "in/bad&lt;b&gt;.txt"]
    assert all((place / "out" / address).is_file() for address in rows)
    looked, unread = page.split("<h2>Not read</h2>")
    assert "<td>missing: " in looked and "in/b/broken.pdf" in unread and "in/b/broken.pdf" not in looked
    assert "PDF" in page.split("in/b/broken.pdf", 1)[1].split("</tr>")[0]
    assert page.count("<figure>") == 3


def test_an_edited_contract_says_how_much_was_reused(place):
    call("in", "-c", "letter.json", "-o", "out", "--workers", "1")
    edited = json.loads(json.dumps(CONTRACT))
    edited["fields"][0]["confidence_threshold"] = 0.95
    (place / "letter.json").write_text(json.dumps(edited))
    told = call("in", "-c", "letter.json", "-o", "out", "--workers", "1")[1]
    assert "8 of 12 fields were reused, 4 were worked on" in told


def test_the_exit_code_says_what_came_out(place):
    def code(*sources, out, contract="letter.json"):
        return call(*sources, "-c", contract, "-o", out, "--workers", "1")[0]

    assert code("in/0.txt", "in/1.txt", out="good") == 0
    assert code("in", out="mixed") == 1
    (place / "list.csv").write_text("path,contract\nin/0.txt,letter.json\nin/1.txt,gone.json\n")
    assert code("manifest:list.csv", out="failed") == 3
    assert call("in", "-c", "letter.json", "-o", "bad", "--timeout", "-1")[0] == 2
    assert call("in", "-c", "letter.json", "-o", "bad", "--rate", "x=fast")[0] == 2
    assert call("in", "-c", "letter.json", "-o", "bad", "--setup", "json:__name__")[0] == 2
    with pytest.raises(paxman.ConfigurationError, match="there is no nosuch:x"):
        call("in", "-c", "letter.json", "-o", "bad", "--setup", "nosuch:x")
    assert not (place / "bad").exists()


def test_bad_usage(place):
    assert call("in", "-c", "letter.json")[0] == 2
    with pytest.raises(paxman.ConfigurationError, match="there is no batch in"):
        call("status", "nowhere")
    with pytest.raises(paxman.ConfigurationError, match="there is no source 'gone'"):
        call("gone", "-c", "letter.json", "-o", "out")


def test_a_purse_is_never_overdrawn_by_threads_that_share_it(tmp_path):
    budget = paxman.Budget(max_total_cost_usd="0.10", max_remote_inference_calls=50)
    purse = FilePurse(tmp_path / "purse", budget)
    taken = []

    def spend():
        mine = FilePurse(tmp_path / "purse", budget)
        for _ in range(10):
            if mine.take(Decimal("0.007"), 1) is None:
                mine.give_back(Decimal("0.002"), 0)
                taken.append(Decimal("0.005"))

    threads = [threading.Thread(target=spend) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert purse.spent() == (sum(taken), len(taken))
    assert Decimal("0.09") < sum(taken) <= Decimal("0.10")
    assert purse.take(Decimal(1), 1) == "max_total_cost_usd"
    closed = FilePurse(tmp_path / "closed", paxman.Budget(max_remote_inference_calls=0))
    assert closed.take(Decimal(0), 1) == "max_remote_inference_calls"


def test_turns_are_shared(tmp_path):
    class Model:
        name = "model"

        def complete(self, request):
            return request

    purses = [FilePurse(tmp_path / "purse", paxman.Budget()) for _ in range(2)]
    cells = [0.0, 100.0, 0.0]
    paced = [Paced(Model(), purse, 1200, Clock(cells).wait) for purse in purses]
    started = time.monotonic()
    assert [paced[number % 2].complete(number) for number in range(6)] == list(range(6))
    passed = time.monotonic() - started
    assert passed >= 5 * 0.05 - 0.01
    assert 100 < cells[1] <= 100 + passed  # a document has no less time for waiting


def ask_a_model(place, server, notes):
    """Notes whose ship only the model finds, and the settings to ask it."""
    field = {"name": "vessel", "type": "STRING", "required": True, "description": "name of the ship"}
    (place / "voyage.json").write_text(json.dumps({"id": "voyage", "version": "1", "fields": [field]}))
    (place / "notes").mkdir()
    for number in range(notes):
        (place / f"notes/{number}.txt").write_text(f"Load {number} left Rotterdam aboard the\nMarigold.\n")
    provider = {"use": "openai", "model": "small", "base_url": f"{server.url}/v1", "price": [1, 2]}
    given = "\n".join(f"{name} = {json.dumps(value)}" for name, value in provider.items())
    (place / "paxman.toml").write_text(f"[policy]\nallow_remote_inference = true\n[provider]\n{given}\n")


def test_waiting_for_a_turn_is_no_time_of_the_document(place):
    """With two workers, the third and the fourth wait for two turns, longer than one document may take."""
    with serve(answering(vessel="Marigold")) as server:
        ask_a_model(place, server, 4)
        flags = "--workers 2 --rate openai=24 --timeout 4 --json".split()
        code, told = call("notes", "-c", "voyage.json", "-o", "out", *flags)
        calls = len(server.seen)
    assert (code, calls, json.loads(told)["counts"]) == (0, 4, {"SUCCESS": 4})
    assert FilePurse(place / "out/spending.sqlite", paxman.Budget()).spent()[1] == 4


NAMED = ("-c", "voyage.json", "--model", "openai:gpt-4o-mini")


def name_a_model(place, monkeypatch, server, notes):
    ask_a_model(place, server, notes)
    (place / "paxman.toml").unlink()
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "k-1")


def test_many_documents_wait_for_a_model_at_once_and_give_the_same_bytes(place, monkeypatch):
    answer, together, most = answering(vessel="Marigold"), [0], [0]
    lock = threading.Lock()

    def slow(handler, body):
        with lock:
            together[0] += 1
            most[0] = max(most[0], together[0])
        time.sleep(0.5)
        answer(handler, body)
        with lock:
            together[0] -= 1

    with serve(slow) as server:
        name_a_model(place, monkeypatch, server, 24)
        assert call("notes", *NAMED, "-o", "many", "--at-once", "12", "--artifacts")[0] == 0
        at_once = most[0]
        server.script = [answer]
        code, told = call("notes", *NAMED, "-o", "calm", "--workers", "1", "--artifacts")
        assert (code, " as reported, " in told, " counts against the caps\n" in told) == (0, True, True)
    assert (6 < at_once <= 12, len(server.seen)) == (True, 48)
    for name in ("documents.jsonl", "fields.jsonl"):
        assert (place / "many" / name).read_bytes() == (place / "calm" / name).read_bytes()


def test_a_cap_holds_over_all_workers_at_every_moment(place, monkeypatch):
    """Each call may cost 0.005 dollars: only so many are made, and a run that was killed goes on with what is left."""
    with serve(silent) as server:
        name_a_model(place, monkeypatch, server, 12)
        flags = ("notes", *NAMED, "-o", "out", "--at-once", "8", "--max-cost", "0.03", "--workers", "2")
        command = [sys.executable, "-m", "paxman.cli", "batch", *flags]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as run:
            while run.poll() is None and len(server.seen) < 4:
                time.sleep(0.05)
            run.kill()
        server.released.set()
        before = len(server.seen)
        server.script = [answering(vessel="Marigold", usage=None)]
        call(*flags)
    taken, calls = FilePurse(place / "out/spending.sqlite", paxman.Budget()).spent()
    assert Decimal("0.03") - taken / calls < taken <= Decimal("0.03")  # not one more call fits
    assert 4 <= before <= len(server.seen) <= calls


def test_one_that_is_told_to_wait_slows_all_workers(place, monkeypatch):
    times = []
    answer, away = answering(vessel="Marigold"), status(429, ("Retry-After", "1.5"))

    def busy(handler, body):
        times.append(time.monotonic())
        (away if len(times) == 1 else answer)(handler, body)

    with serve(busy) as server:
        name_a_model(place, monkeypatch, server, 16)
        code, told = call("notes", *NAMED, "-o", "out", "--at-once", "2", "--workers", "2", "--json")
    assert (code, json.loads(told)["counts"], len(times)) == (0, {"SUCCESS": 16}, 17)
    later = [moment - times[0] for moment in times[1:]]
    assert sum(moment < 1.4 for moment in later) <= 2  # which were under way
    assert FilePurse(place / "out/spending.sqlite", paxman.Budget()).spent()[1] == 16


def test_money_of_a_killed_run_is_told_as_spent(place):
    """It was killed in the middle of a call, for which money had been taken."""
    with serve(silent) as server:
        ask_a_model(place, server, 1)
        command = [sys.executable, "-m", "paxman.cli", "batch", "notes", "-c", "voyage.json", "-o", "out"]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as run:
            while run.poll() is None and not server.seen:
                time.sleep(0.05)
            run.kill()
    taken, calls = FilePurse(place / "out/spending.sqlite", paxman.Budget()).spent()
    assert (calls, taken > 0) == (1, True)
    assert json.loads(call("status", "out", "--json")[1])["cost_usd"] == str(taken)
    again = call("in", "-c", "letter.json", "-o", "out", "--workers", "1", "--json")[1]
    assert json.loads(again)["cost_usd"] == str(taken)


def test_an_unwritable_spending_file_stops_the_run(place):
    """The disk fills while a model is asked; once there is room again, all is as if it had never been full."""
    answers = answering(vessel="Marigold")
    trap = place / "out/spending.sqlite-journal"

    def fill(handler, body):
        trap.mkdir()
        answers(handler, body)

    with serve(answers, answers, fill, answers) as server:
        ask_a_model(place, server, 4)
        with pytest.raises(paxman.ExecutionError, match=r"^cannot write to out: .*run the same command again"):
            call("notes", "-c", "voyage.json", "-o", "out", "--workers", "1")
        assert json.loads(call("status", "out", "--json")[1])["counts"] == {"SUCCESS": 2}
        trap.rmdir()
        assert call("notes", "-c", "voyage.json", "-o", "out", "--workers", "1")[0] == 0
        call("notes", "-c", "voyage.json", "-o", "calm", "--workers", "1")
    for name in ("documents.jsonl", "fields.jsonl"):
        assert (place / "out" / name).read_bytes() == (place / "calm" / name).read_bytes()


def test_a_worker_that_cannot_go_on_gives_what_it_has(place):
    register_paid()
    field = {"name": "urgent", "type": "BOOLEAN", "required": True}
    contract = adapt({"id": "paid", "version": "1", "fields": [field]})
    job = Job(contract, policy=paxman.Policy(allow_remote_inference=True))
    purse = FilePurse(place / "spending.sqlite", paxman.Budget())

    def tasks():
        for number in range(3):
            yield open_item(BatchItem(f"{number}.txt", data=letter(number).encode(), position=number), job)
            (place / "spending.sqlite-journal").mkdir(exist_ok=True)

    outcomes = work_tasks(tasks(), job, purse, Clock([0.0, 0.0, 0.0]))
    assert [(outcome.source, outcome.status) for outcome in outcomes] == [("0.txt", "SUCCESS")]
    assert str(purse.failed).startswith(f"cannot write to {place}: ")


def test_two_versions_of_a_contract_in_one_batch_are_independent(place):
    """Nor on whether it was broken off, with a field that is paid for and one that is found anew each time."""
    ship = {"name": "vessel", "type": "STRING", "required": True, "description": "name of the ship"}
    contact = {"name": "contact", "type": "STRING", "required": True, "labels": ["Contact"], "semantic_tags": ["pii"]}
    fax = {"name": "fax", "type": "STRING", "required": False, "labels": ["Telefax"]}
    text = "Contact: Ann Smith\nTelefax: 555-{}\n\nThe load left Rotterdam aboard the\nMarigold.\n"
    items = [
        BatchItem(f"{n}{v}.txt", data=text.format(n).encode(), contract=f"{v}.json") for n in range(3) for v in "ab"
    ]

    def write(name, *fields):
        (place / f"{name}.json").write_text(json.dumps({"id": "voyage", "version": "1", "fields": fields}))

    def broken_off():
        yield from items[:3]
        raise InterruptedError

    def go(server, workers, disturbed=False):
        options = {
            "out": f"out{workers}",
            "workers": workers,
            "artifacts": True,
            "provider": {
                "use": "openai",
                "model": "small",
                "base_url": f"{server.url}/v1",
                "price": [1, 2],
            },
        }
        policy = paxman.Policy(allow_remote_inference=True)
        if disturbed:
            with pytest.raises(InterruptedError):
                paxman.normalize_many(broken_off(), None, policy=policy, **options)
        found = paxman.normalize_many(items, None, policy=policy, **options)
        effort = [(a.statistics.remote_calls, str(a.statistics.cost_usd)) for a in found.artifacts()]
        return (found.folder / "documents.jsonl").read_bytes(), effort

    with serve(answering(vessel="Marigold")) as server:
        write("a", ship, contact)
        write("b", ship, contact, fax)
        first = [go(server, workers, workers == 4) for workers in (1, 2, 4)]
        calls = len(server.seen)
        write("b", ship, contact, {**fax, "required": True})
        second = [go(server, workers, workers == 4) for workers in (1, 2, 4)]
        assert (calls, len(server.seen)) == (18, 18)
    for found in (first, second):
        assert found == [found[0]] * 3
        assert found[0][1] == [(1, "0.0012")] * 6


def test_artifacts_that_are_asked_for_later_are_those_of_the_rows(place):
    """Nothing is paid for twice, and all is as if they had been asked for at once."""
    with serve(answering(vessel="Marigold")) as server:
        ask_a_model(place, server, 2)
        call("notes", "-c", "voyage.json", "-o", "out", "--workers", "1")
        call("notes", "-c", "voyage.json", "-o", "out", "--workers", "1", "--artifacts")
        assert len(server.seen) == 2
        call("notes", "-c", "voyage.json", "-o", "calm", "--workers", "1", "--artifacts")
    for path in (place / "calm").rglob("*.json*"):
        assert (place / "out" / path.relative_to(place / "calm")).read_bytes() == path.read_bytes()
    names = {path.stem for path in (place / "out/artifacts").rglob("*.json")}
    rows = map(json.loads, (place / "out/documents.jsonl").read_text().splitlines())
    assert names == {row["replay_hash"] for row in rows}
    costs = [json.loads(call("status", folder, "--json")[1])["cost_usd"] for folder in ("out", "calm")]
    assert costs[0] == costs[1]


def test_a_closed_standard_input_is_said(place):
    command = [sys.executable, "-m", "paxman.cli", "batch", "-", "-c", "letter.json", "-o", "out"]
    run = subprocess.run(["sh", "-c", 'exec "$@" <&-', "sh", *command], capture_output=True, text=True)
    assert (run.returncode, run.stderr.strip().splitlines()[-1:]) == (
        2,
        ["Error: there is no standard input to read from: it is closed"],
    )
    assert not (place / "out").exists()


def test_one_machine_of_many_waits_for_its_first_turn_too(tmp_path):
    class Model:
        name, tier, model = "model", "remote", "m"

        def complete(self, request):
            return request

    CAPABILITIES.providers.register(Model())
    try:
        purse = FilePurse(tmp_path / "purse", paxman.Budget())
        pace_providers(purse, Job(None, rate_limits={"model": 6}), time.sleep, at_once=False)
        assert 9 < purse.next_turn("model", 6) <= 10
    finally:
        CAPABILITIES.providers.unregister("model")


def test_documents_are_counted_as_they_will_come(place):
    from paxman.cli.batching import _count

    (place / "in/.hidden").write_text("x")
    (place / "in/out").mkdir()
    (place / "in/out/journal.sqlite").write_text("x")
    plain = len([path for path in (place / "in").iterdir() if path.is_file() and path.name != ".hidden"])
    assert _count([str(place / "in")], place / "in/out") == plain
    (place / "in/more.zip").write_bytes(b"")
    assert _count([str(place / "in")], place / "in/out") is None
