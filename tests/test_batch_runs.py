"""Whole batches: results, resuming, killed runs, documents that break workers, and disks that are full."""

import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import attrs
import batch_plugins
import pytest
from batch_plugins import CONTRACT, letter

import paxman
from paxman.batch.in_flight import DocumentClaims, claiming
from paxman.batch.job import Job
from paxman.batch.journal import Journal, JournalReader, try_lock
from paxman.batch.pool import Pool
from paxman.batch.runner import _check_all_there
from paxman.batch.sources import BatchItem
from paxman.batch.summary import status_of
from paxman.batch.work import Outcome, find_work, open_item
from paxman.contract import adapt
from paxman.planner.registry import CAPABILITIES

HERE = Path(__file__).parent
COMMAND = [sys.executable, "-c", "from paxman.cli.batching import batch; batch()"]


@pytest.fixture(autouse=True)
def plain_registry():
    yield
    batch_plugins.forget()


@pytest.fixture
def letters(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(60):
        (folder / f"{number:03}.txt").write_text(letter(number))
    (tmp_path / "letter.json").write_text(json.dumps(CONTRACT))
    return folder


def outputs(folder):
    """Hashes of everything that a user sees; journal and lock are ours."""
    ours = ("journal", "spending", "lock")
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(ours)
    }


def test_a_batch_gives_what_single_runs_give(letters, tmp_path):
    result = paxman.normalize_many(letters, CONTRACT, out=tmp_path / "out", workers=2, artifacts=True)
    single = [paxman.normalize(path, CONTRACT) for path in sorted(letters.iterdir())]
    assert (result.documents, result.counts, result.stopped) == (60, {"SUCCESS": 60}, False)
    assert [row["replay_hash"] for row in result.rows()] == [artifact.replay_hash for artifact in single]
    assert [row["data"] for row in result.rows()][7] == {
        "reference": "LTR-1007",
        "issued": "2025-03-08",
        "total": {"amount": "7.50", "currency": "EUR"},
    }
    assert [row["value"] for row in result.field_rows()][:3] == [
        "LTR-1000",
        "2025-03-01",
        {"amount": "0.50", "currency": "EUR"},
    ]
    stored = list(result.artifacts())
    assert [artifact.normalized_data for artifact in stored] == [artifact.normalized_data for artifact in single]
    assert paxman.replay(stored[3], CONTRACT) == stored[3]


def test_without_a_folder_the_results_live_with_the_object():
    result = paxman.normalize_many([("a.txt", letter(1)), letter(2).encode()], CONTRACT, workers=1)
    assert [(row["source"], row["data"]["reference"]) for row in result.rows()] == [
        ("a.txt", "LTR-1001"),
        ("document-1", "LTR-1002"),
    ]
    folder = result.folder
    del result
    assert not folder.exists()


def test_the_same_again_does_nothing_and_writes_the_same(letters, tmp_path):
    first = paxman.normalize_many(letters, CONTRACT, out=tmp_path / "out", workers=1, artifacts=True)
    before = outputs(tmp_path / "out")
    again = paxman.normalize_many(letters, CONTRACT, out=tmp_path / "out", workers=1, artifacts=True)
    assert (first.finished_before, again.finished_before) == (0, 60)
    assert outputs(tmp_path / "out") == before
    (letters / "003.txt").write_text(letter(99))
    (letters / "059.txt").unlink()
    edited = paxman.normalize_many(letters, CONTRACT, out=tmp_path / "out", workers=1)
    assert (edited.documents, edited.finished_before) == (59, 58)


def test_artifacts_may_be_asked_for_later(letters, tmp_path):
    plain = paxman.normalize_many(letters, CONTRACT, out=tmp_path / "out", workers=1)
    kept = paxman.normalize_many(letters, CONTRACT, out=tmp_path / "out", workers=1, artifacts=True)
    assert (kept.finished_before, kept.fields_redone) == (0, plain.fields_redone)
    assert [artifact.replay_hash for artifact in kept.artifacts()] == [row["replay_hash"] for row in plain.rows()]
    again = paxman.normalize_many(letters, CONTRACT, out=tmp_path / "out", workers=1, artifacts=True)
    assert again.finished_before == 60


def test_a_source_that_is_not_there_leaves_nothing_behind(tmp_path):
    with pytest.raises(paxman.ConfigurationError, match="there is no source 'gone/'"):
        paxman.normalize_many(["gone/"], CONTRACT, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_equal_documents_are_worked_on_once_and_listed_each(tmp_path):
    documents = [(f"{number}.txt", letter(number % 3)) for number in range(9)]
    paxman.normalize_many(documents[:3], CONTRACT, out=tmp_path, workers=1)
    result = paxman.normalize_many(documents, CONTRACT, out=tmp_path, workers=1)
    assert (result.documents, result.finished_before) == (9, 9)
    assert [row["data"]["reference"] for row in result.rows()] == ["LTR-1000", "LTR-1001", "LTR-1002"] * 3


def test_equal_documents_of_a_first_run_were_not_finished_before(tmp_path):
    documents = [(f"{number}.txt", letter(number % 3)) for number in range(200)]
    result = paxman.normalize_many(documents, CONTRACT, out=tmp_path, workers=1)
    assert (result.counts, result.finished_before) == ({"SUCCESS": 200}, 0)
    again = paxman.normalize_many([*documents, ("new.txt", letter(9))] * 2, CONTRACT, out=tmp_path, workers=1)
    assert (again.counts, again.finished_before) == ({"SUCCESS": 402}, 400)


def test_killed_runs_leave_no_trace(letters, tmp_path):
    """Kill real runs at random moments, some of them again and again, and compare with one that was left alone."""
    for number in range(60, 200):
        (letters / f"{number:03}.txt").write_text(letter(number))
    command = [*COMMAND, str(letters), "-c", str(tmp_path / "letter.json"), "--artifacts", "--workers", "2", "--json"]
    started = time.monotonic()
    subprocess.run([*command, "-o", str(tmp_path / "calm")], check=True, capture_output=True)
    length = time.monotonic() - started
    calm = outputs(tmp_path / "calm")
    chance = random.Random(7)
    kills = 0
    for trial in range(2):
        out = tmp_path / f"killed-{trial}"
        for _ in range(5):
            run = subprocess.Popen([*command, "-o", str(out)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.1, 0.9) * length)
            kills += run.poll() is None
            run.kill()
            run.wait()
            seen = outputs(out) if out.exists() else {}
            whole = {name: seen[name] for name in seen if not Path(name).name.startswith(".")}
            assert whole.items() <= calm.items()
        done = subprocess.run([*command, "-o", str(out)], check=True, capture_output=True)
        assert outputs(out) == calm
        assert json.loads(done.stdout)["documents"] == 200
    assert kills >= 6


def test_a_killed_run_leaves_no_process_behind(tmp_path):
    (tmp_path / "letter.json").write_text(json.dumps(CONTRACT))
    (tmp_path / "hang.txt").write_text(letter(1, "HANG"))
    arguments = [str(tmp_path / "hang.txt"), "-c", str(tmp_path / "letter.json"), "-o", str(tmp_path / "out")]
    run = subprocess.Popen([*COMMAND, *arguments, "--setup", "batch_plugins:register"], cwd=HERE)
    _wait_for(lambda: len(_children(run.pid)) >= 2)
    time.sleep(1)
    children = _children(run.pid)
    run.kill()
    run.wait()
    _wait_for(lambda: not any(_is_alive(child) for child in children))


def _children(pid):
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def _is_alive(pid):
    """Whether it still runs; one that waits to be collected does not."""
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


def test_plugins_that_workers_lack_are_named(tmp_path):
    batch_plugins.register()
    with pytest.raises(paxman.ExecutionError, match=r"do not have capability hostile 1.0.*in `setup`"):
        paxman.normalize_many([("a.txt", letter(1))], CONTRACT, workers=1)


def test_progress_tells_counts_rate_and_time_left():
    from paxman.batch.progress import Progress
    from paxman.batch.work import Outcome

    shown = []
    progress = Progress(lambda now: shown.append(now.describe()), every=0)
    progress.total = 4
    paid = Outcome(0, "a", None, "key", status="SUCCESS", row=b"{}", cost_usd="0.25")
    progress.add([paid, paid._replace(status="UNRESOLVED"), Outcome(2, "b", None, "key")])
    text = re.sub(r"\d+/s, \d:\d\d:\d\d left", "N/s, T left", shown[0])
    assert text == "3 of 4 documents, N/s, T left, $0.50: 1 success, 1 unresolved, 1 finished before"
    assert (progress.done, progress.skipped) == (3, 1)


def test_documents_that_break_their_worker_fail_alone(tmp_path):
    documents = [(f"{number}.txt", letter(number)) for number in range(12)]
    documents[3] = ("crash.txt", letter(3, "CRASH"))
    documents[9] = ("hungry.txt", letter(9, "HUNGRY"))
    options = {"setup": ["batch_plugins:register"], "memory_mb": 400, "workers": 2, "out": tmp_path}
    result = paxman.normalize_many(documents, CONTRACT, **options)
    assert result.counts == {"EXECUTION_FAILED": 2, "SUCCESS": 10}
    assert {row["source"]: row["reason"] for row in result.rows() if row["reason"]} == {
        "crash.txt": "the document ended its worker (SIGABRT), twice",
        "hungry.txt": "the document needed more than 400 MB of memory, twice",
    }
    before = outputs(tmp_path)
    again = paxman.normalize_many(documents, CONTRACT, **options)
    assert (again.finished_before, outputs(tmp_path)) == (12, before)


def test_a_document_that_hangs_fails_and_the_others_do_not_wait(tmp_path):
    documents = [("hang.txt", letter(7, "HANG")), *((f"{number}.txt", letter(number)) for number in range(3))]
    options = {"setup": ["batch_plugins:register"], "timeout": 2, "workers": 2, "out": tmp_path}
    result = paxman.normalize_many(documents, CONTRACT, **options)
    assert [(row["status"], row["reason"]) for row in result.rows()] == [
        ("EXECUTION_FAILED", "the document took longer than 2 seconds, twice"),
        *[("SUCCESS", None)] * 3,
    ]


def test_a_document_that_cannot_be_read_to_its_end_fails_in_time(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    rows = [{"text": letter(0)}, {"path": "pipe.txt"}, {"text": letter(2)}]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    result = paxman.normalize_many(tmp_path / "rows.jsonl", CONTRACT, out=tmp_path / "out", workers=1, timeout=1)
    assert [(row["status"], row["reason"]) for row in result.rows()] == [
        ("SUCCESS", None),
        ("EXECUTION_FAILED", "the document took longer than 1 seconds, twice"),
        ("SUCCESS", None),
    ]


def test_a_worker_that_is_killed_while_it_starts_is_started_again_once(tmp_path, monkeypatch):
    monkeypatch.setenv("BATCH_TRAP", str(tmp_path / "trap"))
    documents = [(f"{number}.txt", letter(number)) for number in range(3)]
    (tmp_path / "trap").write_text("x")
    result = paxman.normalize_many(documents, CONTRACT, setup=["batch_plugins:start_badly"], workers=1)
    assert result.counts == {"SUCCESS": 3}
    (tmp_path / "trap").write_text("xx")
    with pytest.raises(paxman.ExecutionError, match="^a worker did not start: SIGKILL; somebody or the system ended"):
        paxman.normalize_many(documents, CONTRACT, setup=["batch_plugins:start_badly"], workers=1)


def test_large_documents_are_not_held_by_the_dozen():
    pool = Pool.__new__(Pool)
    pool._size, pool._more = 64, True
    items = iter(BatchItem(f"{number}", data=bytes(3 << 20), position=number) for number in range(9))
    assert [len(pool._draw(items).items) for _ in range(3)] == [3, 3, 3]


def test_failed_documents_can_be_tried_again(tmp_path):
    bad = [("crash.txt", letter(3, "CRASH"))]
    first = paxman.normalize_many(bad, CONTRACT, setup=["batch_plugins:register"], out=tmp_path, workers=1)
    again = paxman.normalize_many(
        bad, CONTRACT, setup=["batch_plugins:register"], out=tmp_path, workers=1, retry_failed=True
    )
    assert (first.counts, again.finished_before) == ({"EXECUTION_FAILED": 1}, 0)


def test_unreadable_rows_and_bad_contracts_have_their_line(tmp_path):
    (tmp_path / "bad.json").write_text('{"id": "x", "version": "1", "fields": []}')
    (tmp_path / "good.json").write_text(json.dumps(CONTRACT))
    rows = [
        {"text": letter(1), "source": "one", "contract": "good.json"},
        {"text": letter(2), "source": "two", "contract": "bad.json"},
        {"path": "nowhere.txt", "contract": "good.json"},
        {"text": letter(3), "source": "three"},
    ]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    result = paxman.normalize_many(tmp_path / "rows.jsonl", None, out=tmp_path / "out", workers=1)
    found = [(row["source"], row["status"], (row["reason"] or "").split(":")[0]) for row in result.rows()]
    assert found == [
        ("one", "SUCCESS", ""),
        ("two", "INVALID_CONTRACT", "the contract has 1 error"),
        ("nowhere.txt", "EXECUTION_FAILED", "the file cannot be read"),
        ("three", "INVALID_CONTRACT", "the row names no contract, and the batch has none"),
    ]


def test_two_runs_do_not_share_a_folder(letters, tmp_path):
    from paxman.batch.journal import Journal

    journal = Journal(tmp_path / "out")
    with pytest.raises(paxman.ConfigurationError, match="another run is writing"):
        paxman.normalize_many(letters, CONTRACT, out=tmp_path / "out", workers=1)
    journal.close()


def test_who_asks_for_the_status_keeps_no_run_from_starting(tmp_path):
    Journal(tmp_path).close()
    with open(tmp_path / "lock", "rb") as asking, closing(JournalReader(tmp_path)) as reader:
        assert try_lock(asking, shared=True)
        assert reader.is_running() is False  # it is only another one who asks
        threading.Timer(0.1, asking.close).start()
        with closing(Journal(tmp_path)):
            assert reader.is_running() is True
        assert reader.is_running() is False


def test_a_contract_is_the_same_wherever_it_lies(letters, tmp_path):
    (tmp_path / "moved").mkdir()
    (tmp_path / "moved/other.json").write_text(json.dumps(CONTRACT))
    paxman.normalize_many(letters, tmp_path / "letter.json", out=tmp_path / "out", workers=1)
    again = paxman.normalize_many(letters, tmp_path / "moved/other.json", out=tmp_path / "out", workers=1)
    assert again.finished_before == 60


def test_a_table_is_looked_for_beside_its_contract(tmp_path):
    field = {"name": "code", "type": "STRING", "required": True, "labels": ["Reference"]}
    lookup = {"source": "names.csv", "from": "code", "key": "code", "value": "name"}
    looked_up = {"name": "name", "type": "STRING", "required": False, "lookup": lookup}
    contract = {"id": "c", "version": "1", "fields": [field, looked_up]}
    for place, name in (("a", "Ann"), ("b", "Bob"), ("c", "Ann")):
        (tmp_path / place).mkdir()
        (tmp_path / place / "names.csv").write_text(f"code,name\nLTR-1001,{name}\n")
        (tmp_path / place / "c.json").write_text(json.dumps(contract))
    found = []
    for place in "abc":
        run = paxman.normalize_many(
            [("x.txt", letter(1))], tmp_path / place / "c.json", out=tmp_path / "out", workers=1
        )
        found += [(row["data"]["name"], run.finished_before) for row in run.rows()]
    assert found == [("Ann", 0), ("Bob", 0), ("Ann", 1)]


def test_a_full_disk_stops_with_what_to_do_and_the_next_run_goes_on(letters, tmp_path):
    limited = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000)); "
        "from paxman.cli.batching import batch; batch(standalone_mode=False)"
    )
    arguments = [str(letters), "-c", str(tmp_path / "letter.json"), "-o", str(tmp_path / "out"), "--workers", "1"]
    full = subprocess.run([sys.executable, "-c", limited, *arguments], capture_output=True, text=True)
    assert full.returncode != 0
    assert "then run the same command again: finished work is kept" in full.stderr
    assert not (tmp_path / "out/documents.jsonl").exists()
    subprocess.run([*COMMAND, *arguments], check=True, capture_output=True)
    calm = paxman.normalize_many(letters, CONTRACT, out=tmp_path / "calm", workers=1)
    rows = [json.loads(line) for line in (tmp_path / "out/documents.jsonl").read_text().splitlines()]
    assert rows == list(calm.rows())


@pytest.mark.parametrize("name", ["journal.sqlite", "spending.sqlite"])
@pytest.mark.parametrize("damage", [lambda data: b"not a database" * 500, lambda data: data[: len(data) // 2]])
def test_a_damaged_journal_is_said_with_what_to_do(letters, tmp_path, name, damage):
    paxman.normalize_many(letters, CONTRACT, out=tmp_path / "out", workers=1)
    calm = outputs(tmp_path / "out")
    file = tmp_path / "out" / name
    file.write_bytes(damage(file.read_bytes()))
    for log in tmp_path.glob(f"out/{name}-*"):
        log.unlink()
    gone = "out, and" if name == "journal.sqlite" else f"{name}, and"
    with pytest.raises(
        paxman.ExecutionError, match=rf"{name} is damaged: .*remove \S*{gone} run the same command again"
    ):
        paxman.normalize_many(letters, CONTRACT, out=tmp_path / "out", workers=1)
    file.unlink() if name == "spending.sqlite" else shutil.rmtree(tmp_path / "out")
    paxman.normalize_many(letters, CONTRACT, out=tmp_path / "out", workers=1)
    assert outputs(tmp_path / "out") == calm


def test_the_status_of_a_damaged_batch(letters, tmp_path):
    paxman.normalize_many(letters, CONTRACT, out=tmp_path, workers=1)
    (tmp_path / "journal.sqlite").write_bytes(b"x" * 5000)
    for log in tmp_path.glob("journal.sqlite-*"):
        log.unlink()
    with pytest.raises(paxman.ExecutionError, match=r"journal.sqlite is damaged: .*Give another folder"):
        status_of(tmp_path)


def test_an_unwritable_folder_is_said_before_any_work(letters, tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(paxman.ExecutionError, match=r"cannot write to .*file"):
        paxman.normalize_many(letters, CONTRACT, out=tmp_path / "file", workers=1)


def test_ctrl_c_finishes_what_is_under_way(letters, tmp_path):
    for number in range(60, 1500):
        (letters / f"{number:04}.txt").write_text(letter(number))
    arguments = [str(letters), "-c", str(tmp_path / "letter.json"), "-o", str(tmp_path / "out"), "--json"]
    run = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    _wait_for(lambda: status_of(tmp_path / "out")["documents"] > 20)
    assert status_of(tmp_path / "out")["state"] == "running"
    os.kill(run.pid, signal.SIGINT)
    told = json.loads(run.communicate()[0])
    assert (run.returncode, told["stopped"], told["written"]) == (130, True, [])
    assert 20 < told["documents"] < 1500
    assert status_of(tmp_path / "out")["state"] == "stopped"


@pytest.mark.parametrize("delay", [0.1, 0.3])
def test_ctrl_c_while_workers_start(letters, tmp_path, delay):
    """As a terminal sends it: to the workers, too."""
    arguments = [str(letters), "-c", str(tmp_path / "letter.json"), "-o", str(tmp_path / "out"), "--json"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    run = subprocess.Popen([*COMMAND, *arguments, "--workers", "4"], **pipes)
    _wait_for(lambda: len(_children(run.pid)) >= 2)
    time.sleep(delay)
    os.killpg(run.pid, signal.SIGINT)
    told, errors = run.communicate()
    assert (run.returncode, json.loads(told)["stopped"], "Traceback" in errors) == (130, True, False)


def _wait_for(condition):
    for _ in range(300):
        try:
            if condition():
                return
        except paxman.ConfigurationError:
            pass
        time.sleep(0.03)
    raise AssertionError("never happened")


def test_a_second_ctrl_c_stops_at_once(tmp_path):
    (tmp_path / "letter.json").write_text(json.dumps(CONTRACT))
    (tmp_path / "hang.txt").write_text(letter(1, "HANG"))
    arguments = [str(tmp_path / "hang.txt"), "-c", str(tmp_path / "letter.json"), "-o", str(tmp_path / "out")]
    command = [*COMMAND, *arguments, "--setup", "batch_plugins:register", "--workers", "1"]
    run = subprocess.Popen(command, cwd=HERE, stderr=subprocess.PIPE, text=True)
    _wait_for(lambda: len(_children(run.pid)) >= 2)
    time.sleep(1)
    os.kill(run.pid, signal.SIGINT)
    heard = "stopping when what is under way is finished; Ctrl-C again stops at once\n"
    assert [run.stderr.readline(), run.stderr.readline()] == ["\n", heard]
    os.kill(run.pid, signal.SIGINT)
    told = run.communicate()[1]
    assert (run.returncode, told) == (130, "stopped at once; run the same command again to go on\n")


def test_status_of_a_second_run_is_its_own(letters, tmp_path):
    paxman.normalize_many(letters, CONTRACT, out=tmp_path / "out", workers=1)
    seen = []

    def watched():
        for number in range(60):
            seen.append(status_of(tmp_path / "out")["documents"])
            yield f"{number}.txt", letter(number)

    paxman.normalize_many(watched(), CONTRACT, out=tmp_path / "out", workers=1)
    assert (seen[0], status_of(tmp_path / "out")["documents"]) == (0, 60)


def test_each_document_is_told_to_whoever_listens(caplog):
    documents = [("a.txt", letter(1)), ("b.txt", "Reference: LTR-9"), ("a.txt", letter(1))]
    with caplog.at_level("INFO", "paxman"):
        result = paxman.normalize_many(documents, CONTRACT, workers=1)
    facts = [record.paxman for record in caplog.records]
    rows = list(result.rows())
    assert [(f["status"], f["resolved"], f["unresolved"], f["replay_hash"]) for f in facts][:2] == [
        ("SUCCESS", 3, 0, rows[0]["replay_hash"]),
        ("UNRESOLVED", 1, 2, rows[1]["replay_hash"]),
    ]
    assert facts[1]["diagnostics"] == sorted({n["code"] for r in result.field_rows() for n in r["diagnostics"]})


def test_equal_documents_of_one_batch_share_the_work(tmp_path):
    items = [BatchItem(f"{n}.txt", data=letter(n % 2).encode(), position=n) for n in range(4)]
    with claiming(tmp_path), closing(DocumentClaims(tmp_path)) as claims:
        for _ in range(2):  # a batch that is tried again has its claims already
            finished, left = find_work(
                items, Job(adapt(CONTRACT)), lambda keys, artifact: {}, None, claims.shared, open_item
            )
            assert [task.item.position for task in left] == [0, 1]
            assert [(outcome.position, outcome.key) for outcome in finished] == [(2, left[0].key), (3, left[1].key)]
        later = [left[0]._replace(item=BatchItem("later.txt", position=4))]
        claims.release(finished)  # those that share a claim do not end it
        assert claims.shared(later) == {4}
        claims.release([finished[0]._replace(position=0)])
        assert claims.shared(later) == set()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("fresh", [False, True])
def test_equal_documents_that_workers_meet_at_once_are_worked_on_once(tmp_path, monkeypatch, fresh):
    monkeypatch.setenv("BATCH_COUNT", str(tmp_path / "count"))
    documents = [(f"{number}.txt", letter(number // 8)) for number in range(24)]
    options = {"setup": ["batch_plugins:register_counted"], "workers": 3, "out": tmp_path / "out", "fresh": fresh}
    result = paxman.normalize_many(documents, CONTRACT, **options)
    assert (result.counts, result.finished_before) == ({"SUCCESS": 24}, 0)
    assert sorted((tmp_path / "count").read_text().split("\n")) == [
        "",
        *[f"Reference: LTR-{number}" for number in (1000, 1001, 1002)],
    ]
    assert [row["data"]["reference"] for row in result.rows()] == [f"LTR-{1000 + n // 8}" for n in range(24)]
    again = paxman.normalize_many(documents, CONTRACT, **options)
    assert (again.finished_before, list(again.rows())) == (0 if fresh else 24, list(result.rows()))


def test_an_equal_document_shares_the_failure_too(tmp_path):
    documents = [(f"{number}.txt", letter(1, "CRASH")) for number in range(6)]
    result = paxman.normalize_many(documents, CONTRACT, setup=["batch_plugins:register"], workers=2, out=tmp_path)
    assert result.counts == {"EXECUTION_FAILED": 6}
    assert {row["reason"] for row in result.rows()} == {"the document ended its worker (SIGABRT), twice"}


def test_a_document_without_a_result_is_never_passed_over_in_silence(tmp_path):
    """A file that changed between two tries, and another that was equal to it before."""
    outcome = Outcome(1, "b.txt", None, "the key of what a.txt was")
    with closing(Journal(tmp_path)) as journal:
        journal.record([Outcome(0, "a.txt", None, "new", status="SUCCESS", row=b"{}"), outcome])
        with pytest.raises(paxman.ExecutionError, match="1 documents changed while they were read; run the same"):
            _check_all_there(tmp_path, 2)


def test_results_are_recorded_while_standard_input_is_slow(tmp_path):
    (tmp_path / "letter.json").write_text(json.dumps(CONTRACT))
    arguments = ["-", "-c", str(tmp_path / "letter.json"), "-o", str(tmp_path / "out"), "--workers", "2", "--json"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    run = subprocess.Popen([*COMMAND, *arguments], **pipes)
    for number in range(3):
        run.stdin.write(json.dumps({"text": letter(number), "source": f"{number}.txt"}).encode() + b"\n")
        run.stdin.flush()
        _wait_for(lambda wanted=number + 1: status_of(tmp_path / "out")["documents"] == wanted)
    run.stdin.write(b'{"text": "half')
    run.stdin.flush()
    os.kill(run.pid, signal.SIGINT)
    _wait_for(lambda: run.poll() is not None)  # while standard input is still open
    told = json.loads(run.communicate()[0])
    assert (run.returncode, told["documents"], told["stopped"]) == (130, 3, True)


def test_a_document_that_hangs_is_ended_while_standard_input_is_slow(tmp_path):
    (tmp_path / "letter.json").write_text(json.dumps(CONTRACT))
    arguments = ["-", "-c", str(tmp_path / "letter.json"), "-o", str(tmp_path / "out"), "--workers", "2", "--json"]
    limits = ["--timeout", "1", "--setup", "batch_plugins:register"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    run = subprocess.Popen([*COMMAND, *arguments, *limits], cwd=HERE, **pipes)
    run.stdin.write(json.dumps({"text": letter(1, "HANG")}).encode() + b"\n")
    run.stdin.flush()
    _wait_for(lambda: status_of(tmp_path / "out")["counts"] == {"EXECUTION_FAILED": 1})
    told = json.loads(run.communicate(json.dumps({"text": letter(2)}).encode())[0])  # no newline at the end
    assert told["counts"] == {"EXECUTION_FAILED": 1, "SUCCESS": 1}


def test_a_job_brings_the_path_that_it_needs(tmp_path, monkeypatch):
    """A model in a module that only the starting process has on its path."""
    (tmp_path / "own_model.py").write_text("import pydantic\nclass Own(pydantic.BaseModel):\n    reference: str\n")
    monkeypatch.syspath_prepend(tmp_path)
    import own_model

    encoded = Job(adapt(own_model.Own)).encode()
    code = "import sys; from paxman.batch.job import load_job; print(load_job(sys.stdin.buffer.read()).contract.id)"
    found = subprocess.run([sys.executable, "-c", code], input=encoded, capture_output=True, check=True)
    assert found.stdout == b"Own\n"


def test_a_batch_on_a_disk_that_is_read_only_can_be_looked_at(letters, tmp_path, monkeypatch):
    paxman.normalize_many(letters, CONTRACT, out=tmp_path / "out", workers=1)
    before = sorted(path.name for path in (tmp_path / "out").iterdir())
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with closing(JournalReader(tmp_path / "out")) as reader:
        assert reader.counts() == {"SUCCESS": 60}
        # SQLite needs files of its own beside the journal unless it is told that nobody writes.
        assert sorted(path.name for path in (tmp_path / "out").iterdir()) == before


def test_another_model_under_the_same_name_is_another_batch():
    class Model:
        name, tier, terms = "own", "local", None

        def __init__(self, model):
            self.model = model

    keys = set()
    for model in ("small", "large", "small"):
        CAPABILITIES.providers.register(Model(model))
        keys.add(Job(None).key("content", ".txt", attrs.evolve(adapt(CONTRACT))))
        CAPABILITIES.providers.unregister("own")
    given = Job(None, provider={"use": "own:Model", "seed": 1}).key("content", ".txt", attrs.evolve(adapt(CONTRACT)))
    assert len({*keys, given}) == 3
