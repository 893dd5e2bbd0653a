"""Reviewing without a browser: the queue, decisions and what is kept of them, the server's guard, lessons, tables."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner
from review_server import TOKEN, serving

import paxman
import paxman.review
from paxman.api.verification import verify
from paxman.artifact.replay import load_unchanged
from paxman.cli.app import app
from paxman.contract.alternatives import adapt_all
from paxman.report.views import view_field
from paxman.review.desk import ReviewDesk
from paxman.review.queue import NEEDS, Queue, QueueEntry, find_documents
from paxman.types import Money

CONTRACT = {
    "id": "invoice",
    "version": "1",
    "fields": [
        {"name": "number", "type": "STRING", "required": True, "tags": ["regex:INV-\\d+"]},
        {
            "name": "total",
            "type": "MONEY",
            "required": True,
            "constraints": [{"kind": "min_value", "params": {"min": 1}}],
        },
        {"name": "order", "type": "STRING", "required": True, "labels": ["Purchase order"]},
        {"name": "due", "type": "DATE", "required": False},
        {
            "name": "items",
            "type": "ARRAY",
            "required": False,
            "items": {
                "type": "OBJECT",
                "fields": [
                    {"name": "article", "type": "STRING", "required": True},
                    {"name": "price", "type": "DECIMAL", "required": True},
                    {"name": "lot", "type": "STRING", "required": False},
                ],
            },
        },
    ],
}
TEXT = """Invoice INV-2041
Total: 465.00 GBP
See also INV-1999
Your order reference is
PO-77 of May
Due date: 3 April 2025

Article      Price    Zürn    Qarp
Lantern      42.50    A-1     P-9
Rope          1.35    B-2     P-8
Flags        64.00    C-3     P-7
"""
FINE = "Invoice INV-1\nTotal: 5.00 GBP\nPurchase order: P-1\nDue date: 3 April 2025\n"


@pytest.fixture
def invoice(tmp_path):
    (tmp_path / "in").mkdir()
    path = tmp_path / "in" / "a.txt"
    path.write_text(TEXT)
    return path


@pytest.fixture
def served(invoice, tmp_path):
    with serving([invoice], CONTRACT, tmp_path / "review") as made:
        yield made


def span(words, text=TEXT):
    return [text.index(words), text.index(words) + len(words)]


def kept(served, number=1):
    [path] = sorted((served.desk.folder / "reviewed").glob("*.json"))
    return load_unchanged(path)


def test_a_decision_is_an_example_and_a_reviewed_artifact(served, invoice):
    status, made = served.act(1, "value", path="order", text="PO-77", spans=[span("PO-77")])
    assert (status, made["version"], made["decided"]) == (200, 1, 1)
    [line] = served.lines()
    assert line.pop("at").endswith("+00:00")
    assert line == {
        "source": "../in/a.txt",
        "data": {"order": "PO-77"},
        "by": "Ada",
        "was": {"order": None},
        "pointed_at": {"order": [span("PO-77")]},
        "contract": "invoice",
        "done": None,
    }
    artifact = kept(served)
    order = artifact["order"]
    assert (order.value, order.origin.value, order.confidence_band.value) == ("PO-77", "REVIEWED", "HIGH")
    assert [(ref.capability_id, list(ref.span), ref.role) for ref in order.evidence_refs] == [
        ("review", span("PO-77"), "supporting")
    ]
    assert [(each["by"], list(each["fields"])) for each in artifact.metadata["reviews"]] == [("Ada", ["order"])]
    said = view_field(artifact, order).notes[0][1]
    assert re.fullmatch(r"a person corrected it; it was unresolved; Ada said so on \S{10} at \d\d:\d\d", said)
    assert verify(artifact, invoice.read_bytes(), CONTRACT).passed
    assert [example.data for example in paxman.review.examples(served.desk.folder)] == [{"order": "PO-77"}]


def test_the_machine_keeps_its_own_confidence_beside_a_persons_word(served):
    before = served.desk.open(1).machine
    served.act(1, "accept", path="due")
    served.act(1, "value", path="number", text="INV-1999", spans=[span("INV-1999")], version=1)
    artifact = kept(served)
    assert artifact["due"].confidence == before["due"].confidence
    assert artifact["due"].diagnostics[0].message == "a person confirmed it"
    number = artifact["number"]
    assert (number.diagnostics[0].context["was"], number.diagnostics[0].context["confidence"]) == (
        "INV-2041",
        before["number"].confidence,
    )
    assert {ref.role for ref in number.evidence_refs if list(ref.span) == span("INV-2041")} == {"rejected"}


def test_what_is_typed_is_held_against_the_contract_in_its_own_words(served):
    assert served.act(1, "check", path="total", text="0.50 GBP")[1] == {"problem": "less than 1"}
    assert served.act(1, "check", path="total", text="12.50 GBP")[1] == {"value": "12.50 GBP"}
    assert served.act(1, "check", path="due", text="soon")[1] == {"problem": "'soon' is not a date"}
    assert served.act(1, "check", path="items[0].price", text="x")[1] == {"problem": "'x' is not a decimal number"}
    status, said = served.act(1, "value", path="due", text="soon")
    assert (status, said) == (400, {"problem": "due: 'soon' is not a date"})
    assert not served.desk.examples.exists()


def test_a_place_is_read_by_the_fields_recognizers(served):
    assert served.act(1, "read", path="due", spans=[span("date: 3 April 2025")])[1] == {
        "value": "2025-04-03",
        "text": "2025-04-03",
    }
    assert served.act(1, "read", path="total", spans=[span("465.00"), span("GBP")])[1]["value"] == "465.00 GBP"
    assert served.act(1, "read", path="due", spans=[span("PO-77")])[1]["problem"] == "'PO-77' is not a date"


def test_words_on_several_lines_are_joined_and_verify(served, invoice):
    spans = [span("Your order reference is"), span("PO-77")]
    assert served.act(1, "read", path="order", spans=spans)[1]["text"] == "Your order reference is PO-77"
    served.act(1, "value", path="order", text="Your order reference is PO-77", spans=spans)
    artifact = kept(served)
    [ref] = [ref for ref in artifact["order"].evidence_refs if ref.role == "supporting"]
    assert (list(ref.span), ref.transforms[0].startswith("join:")) == ([spans[0][0], spans[1][1]], True)
    assert verify(artifact, invoice.read_bytes(), CONTRACT).passed


def test_what_is_written_is_more_than_blanks_and_lists_are_json(served):
    assert "nothing is written" in served.act(1, "value", path="order", text="  ")[1]["problem"]
    assert served.act(1, "check", path="order", text="")[1]["problem"].startswith("nothing is written")
    served.act(1, "value", path="order", text=" PO-77\n")
    served.act(1, "value", path="items", text='[{"article":"A","price":"1.50"}]', version=1)
    assert [line["data"] for line in served.lines()] == [
        {"order": "PO-77"},
        {"items": [{"article": "A", "price": "1.50"}]},
    ]


def test_undo_takes_the_last_word_back_and_what_was_said_before_holds_again(served):
    served.act(1, "value", path="order", text="PO-1")
    served.act(1, "value", path="order", text="PO-2", version=1)
    served.act(1, "undo", version=2)
    assert kept(served)["order"].value == "PO-1"
    assert paxman.review.examples(served.desk.folder)[0].data == {"order": "PO-1"}
    served.act(1, "undo", version=3)
    assert not list((served.desk.folder / "reviewed").glob("*.json"))
    assert paxman.review.examples(served.desk.examples) == []
    assert served.act(1, "undo", version=4) == (400, {"problem": "there is nothing to undo here"})


def test_what_is_missing_and_required_is_never_accepted_by_the_way(served):
    assert served.act(1, "accept", path="order")[0] == 400
    served.act(1, "accept")
    assert sorted(served.lines()[0]["data"]) == ["due", "items", "number", "total"]
    assert served.act(1, "value", path="order", text=None, version=1)[1]["done"] is True
    assert served.lines()[1]["data"] == {"order": None}


def test_two_people_do_not_overwrite_each_other(served):
    served.act(1, "value", path="order", text="PO-1")
    status, said = served.act(1, "value", path="order", text="PO-2", by="Bob")
    assert (status, said["problem"].startswith("Ada decided on this document at ")) == (409, True)
    assert [line["by"] for line in served.lines()] == ["Ada"]
    assert served.act(1, "opened")[1] == {"other": ""}
    assert served.act(1, "opened", by="Bob")[1] == {"other": "Ada"}


def rows(artifact):
    return [dict(row) for row in artifact["items"].value]


def test_rows_are_added_deleted_reordered_and_keep_their_places(served, invoice):
    start = served.desk.open(1).machine["items"].value
    assert [row["article"] for row in start] == ["Lantern", "Rope", "Flags"]
    order = [{"from": 2}, {"from": 0, "set": {"price": "43"}}]
    status, made = served.act(1, "rows", path="items", rows=order)
    assert status == 200, made
    artifact = kept(served)
    assert rows(artifact) == [
        {"article": "Flags", "price": Decimal("64.00")},
        {"article": "Lantern", "price": Decimal("43")},
    ]
    places = {ref.field_path: TEXT[slice(*ref.span)] for ref in artifact["items"].evidence_refs if ref.is_of_value}
    assert places == {"items[0].article": "Flags", "items[0].price": "64.00", "items[1].article": "Lantern"}
    assert verify(artifact, invoice.read_bytes(), CONTRACT).passed
    new = {"from": None, "set": {"article": "Rope", "price": "1.35"}, "pointed_at": {"price": [span("1.35")]}}
    served.act(1, "rows", path="items", rows=[{"from": 1}, new], version=1)
    served.act(1, "rows", path="items", rows=[{"from": 1}, {"from": 0}], version=2)
    artifact = kept(served)
    assert [row["article"] for row in rows(artifact)] == ["Rope", "Lantern"]
    [price] = [ref for ref in artifact["items"].evidence_refs if ref.capability_id == "review"]
    assert (price.field_path, list(price.span)) == ("items[0].price", span("1.35"))
    assert served.act(1, "rows", path="items", rows=[{"from": None, "set": {}}], version=3)[0] == 400


def test_rows_that_a_page_does_not_show_stay(served):
    served.act(1, "rows", path="items", rows=[{"from": 1}], shown=2)
    assert [row["article"] for row in rows(kept(served))] == ["Rope", "Flags"]
    status, said = served.act(1, "rows", path="items", rows=[{"from": 2}], by="Bob")
    assert (status, said["problem"].startswith("Ada decided")) == (409, True)


def test_a_long_list_is_corrected_in_a_moment(tmp_path):
    lines = [f"Thing {n},{n}.50" for n in range(800)]
    (tmp_path / "long.csv").write_text("\n".join(["article,price", *lines]))
    contract = {"id": "long", "version": "1", "fields": [CONTRACT["fields"][-1]]}
    with serving([tmp_path / "long.csv"], contract, tmp_path / "review") as served:
        served.desk.open(1)
        started = time.process_time()
        status, made = served.act(1, "rows", path="items", rows=[{"from": n} for n in range(1, 800)], shown=800)
        assert (status, made["fields"].count("<tr>")) == (200, 800)
        assert time.process_time() - started < 5
        note = kept(served)["items"].diagnostics[0]
        assert len(note.message) < 300 < len(note.context["was"])


def test_a_column_is_bound_by_pointing_at_its_head(served, invoice):
    assert all("lot" not in row for row in served.desk.open(1).machine["items"].value)
    status, made = served.act(1, "bind", path="items", column="lot", spans=[span("Zürn")])
    assert status == 200, made
    artifact = kept(served)
    assert [row["lot"] for row in artifact["items"].value] == ["A-1", "B-2", "C-3"]
    assert verify(artifact, invoice.read_bytes(), CONTRACT).passed
    assert served.act(1, "bind", path="items", column="lot", spans=[span("See also")], version=1)[0] == 400


def test_a_review_goes_on_where_it_was_left(served, invoice, tmp_path):
    served.act(1, "value", path="order", text="PO-77")
    served.act(1, "accept", path="items", version=1)
    folder, before = served.desk.folder, kept(served)
    with pytest.raises(paxman.ConfigurationError, match="another review is writing to"):
        ReviewDesk(folder, adapt_all(CONTRACT))
    served.desk.close()
    with open(folder / "examples.jsonl", "ab") as file:
        file.write(b'{"source":"../in/a.txt","da')  # a crash in the middle of a line
    again = ReviewDesk(folder, adapt_all(CONTRACT))
    again.fill(find_documents([invoice], folder))
    sheet = again.open(1)
    assert (sheet.version, sheet.current.replay_hash) == (2, before.replay_hash)
    assert len((folder / "examples.jsonl").read_text().splitlines()) == 2
    again.close()


def test_what_was_done_stays_done_without_being_read_again(tmp_path):
    (tmp_path / "in").mkdir()
    for n in range(7):
        (tmp_path / "in" / f"{n}.txt").write_text(FINE + f"{n}\n")
    with serving([tmp_path / "in"], CONTRACT, tmp_path / "review") as served:
        for n in range(1, 7):
            assert served.act(n, "accept", path=None)[1]["done"]
        served.act(1, "undo", version=1)
    again = ReviewDesk(tmp_path / "review", adapt_all(CONTRACT))
    again.fill(find_documents([tmp_path / "in"], tmp_path / "review"))
    states = {row["number"]: row["state"] for row in again.queue.page({}, 0, 9)[0]}
    # The artifacts of the last four may be older than their lines, if the end was a crash.
    assert states == {1: "waiting", 2: "done", 3: "done", 4: "waiting", 5: "waiting", 6: "waiting", 7: "waiting"}
    (tmp_path / "review" / "reviewed" / again.open(6).file).unlink()
    again.close()
    again = ReviewDesk(tmp_path / "review", adapt_all(CONTRACT))
    again.fill(find_documents([tmp_path / "in"], tmp_path / "review"))
    assert (tmp_path / "review" / "reviewed" / again.open(6).file).is_file()
    assert (again.queue[6]["state"], again.queue[1]["state"]) == ("done", "waiting")
    again.close()


def test_decisions_hold_under_an_edited_contract_that_takes_them(served, invoice, tmp_path):
    served.act(1, "value", path="order", text="PO-77")
    served.act(1, "value", path="number", text="INV-1999", version=1)
    served.desk.close()
    number, total, order, due, _ = CONTRACT["fields"]
    edited = {**CONTRACT, "fields": [number, total, {**order, "type": "DATE"}, {**due, "labels": ["See also"]}]}
    again = ReviewDesk(served.desk.folder, adapt_all(edited))
    again.fill(find_documents([invoice], served.desk.folder))
    sheet = again.open(1)
    assert sheet.machine.contract_hash == adapt_all(edited).content_hash
    assert (list(sheet.decided), sheet.current["number"].value) == (["number"], "INV-1999")
    assert sheet.current["order"].value is None
    assert (served.desk.folder / "reviewed" / sheet.file).is_file()
    again.value(1, 2, "Ada", "order", "3 April 2025", None)
    assert {*sheet.decided} == {"number", "order"}
    again.close()


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"Cookie": ""}, 403),
        ({"Cookie": "paxman-review-{port}=wrong"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Host": "evil.example"}, 403),
        ({"Host": "127.0.0.1"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Content_Type": "text/plain"}, 403),
        ({}, 200),
    ],
)
def test_only_its_own_page_may_decide(served, changed, status):
    headers = {name: text.replace("{port}", str(served.port)) for name, text in changed.items()}
    answer = served.ask("/document/1/accept", {"by": "Ada", "version": 0, "path": "due"}, **headers)
    assert answer[0] == status
    assert served.desk.decisions == (status == 200)


def test_reading_needs_the_token_and_gives_a_strict_policy(served):
    assert served.ask("/", Cookie="")[0] == 403
    assert served.ask("/document/1", Cookie="")[0] == 403
    assert served.ask(f"/?token={TOKEN}", Cookie="", Origin="http://evil.example")[0] == 403
    import http.client

    asked = http.client.HTTPConnection("127.0.0.1", served.port)
    asked.request("GET", f"/?token={TOKEN}")
    answer = asked.getresponse()
    assert (answer.status, answer.headers["location"]) == (303, "/")
    assert "HttpOnly" in answer.headers["set-cookie"] and "SameSite=strict" in answer.headers["set-cookie"]
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    asked.close()


def test_the_server_listens_on_this_machine_only(served):
    import socket

    others = {each[4][0] for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in others - {"127.0.0.1"}:
        with socket.socket() as asked, pytest.raises(OSError):
            asked.settimeout(1)
            asked.connect((address, served.port))


def test_the_queue_is_ordered_by_need(tmp_path):
    (tmp_path / "in").mkdir()
    texts = {"a.txt": FINE, "b.txt": TEXT, "c.txt": FINE + "Total: 6.00 GBP\n"}
    for name, text in texts.items():
        (tmp_path / "in" / name).write_text(text)
    with serving([tmp_path / "in"], CONTRACT, tmp_path / "review") as served:
        for number in (1, 2, 3):
            served.desk.open(number)
        found, total = served.desk.queue.page({}, 0, 10)
        names = [Path(row["name"]).name for row in found]
        assert (names[0], total) == ("b.txt", 3)
        assert found[0]["need"] == 0 and NEEDS[found[0]["need"]] in found[0]["why"]
        assert [row["need"] for row in found] == sorted(row["need"] for row in found)
        by_field, _ = served.desk.queue.page({"field": "order", "band": "UNRESOLVED"}, 0, 10)
        assert [Path(row["name"]).name for row in by_field] == ["b.txt"]
        status, page = served.ask("/?source=B.TXT")
        assert (status, page.count('href="/document/')) == (200, 1)


def test_a_hundred_thousand_documents_page_quickly():
    queue = Queue()
    queue.fill(
        QueueEntry(f"d{n}.txt", need=n % 7, tags=f"|total!:{'LOW' if n % 3 else 'HIGH'}|", state="open")
        for n in range(100_000)
    )
    started = time.perf_counter()
    rows, total = queue.page({"field": "total", "band": "LOW"}, 60_000, 50)
    assert (len(rows), total) == (50, 66_666)
    assert queue.after(1, "Ada", time.time(), {"need": "3"}) == 4
    assert queue.counts()["state"] == {"open": 100_000}
    assert time.perf_counter() - started < 5


def test_lessons_are_shown_before_they_are_applied_and_go_with_their_correction(tmp_path):
    (tmp_path / "in").mkdir()
    for n in range(9):
        (tmp_path / "in" / f"{n}.txt").write_text(f"Invoice INV-{n}\nTotal: {n + 2}.00 GBP\nOur mark: K-{n}{n}4\n")
    with serving([tmp_path / "in"], CONTRACT, tmp_path / "review") as served:
        for n in range(6):
            served.act(n + 1, "value", path="order", text=f"K-{n}{n}4", spans=[])
        served.ask("/lessons", {"do": "learn"})
        state = finished(served)
        assert state["counts"] == {"order": 3}
        assert {(c["old"], c["new"]) for c in state["changes"]} == {("", "K-664"), ("", "K-774"), ("", "K-884")}
        assert {c["why"] for c in state["changes"]} == {"label 'Our mark', 6 examples"}
        assert served.desk.open(9).current["order"].value is None
        served.ask("/lessons", {"do": "apply"})
        assert served.desk.open(9).current["order"].value == "K-884"
        for n in range(6):
            served.act(n + 1, "undo", version=1)
        finished(served)
        assert served.desk.lessons == {}
        assert served.desk.open(9).current["order"].value is None


def finished(served):
    for _ in range(600):
        state = served.ask("/lessons")[1]
        if not state["running"]:
            return state
        time.sleep(0.05)
    raise AssertionError("still learning")


def batch(*arguments):
    done = CliRunner().invoke(app, ["batch", *map(str, arguments), "--workers", "1"])
    assert done.exit_code in (0, 1), done.output
    return done


def test_a_batch_is_reviewed_and_its_tables_get_the_answers(tmp_path, invoice):
    (tmp_path / "in" / "b.txt").write_text(FINE)
    (tmp_path / "c.json").write_text(json.dumps(CONTRACT))
    common = (tmp_path / "in", "-c", tmp_path / "c.json", "-o", tmp_path / "out")
    batch(*common, "--artifacts")
    with serving([tmp_path / "out"], CONTRACT, tmp_path / "review") as served:
        found, total = served.desk.queue.page({}, 0, 10)
        assert (total, Path(found[0]["name"]).name) == (2, "a.txt")
        served.act(found[0]["number"], "value", path="order", text="PO-77", spans=[span("PO-77")])
    assert "1 partial_success, 1 unresolved" in batch(*common).output
    told = batch(*common, "--format", "csv", "--reviewed", tmp_path / "review")
    assert "2 partial_success" in told.output and "1 have values that a person reviewed" in told.output, told.output
    with open(tmp_path / "out" / "documents.csv", newline="") as file:
        told = {Path(row["_source"]).name: (row["order"], row["_reviewed"]) for row in csv.DictReader(file)}
    assert told == {"a.txt": ("PO-77", "order"), "b.txt": ("P-1", "")}
    batch(*common, "--reviewed", tmp_path / "review")
    lines = [json.loads(line) for line in (tmp_path / "out" / "fields.jsonl").read_text().splitlines()]
    assert [line["field_path"] for line in lines if line["origin"] == "REVIEWED"] == ["order"]
    edited = {**CONTRACT, "fields": [*CONTRACT["fields"], {"name": "more", "type": "STRING", "required": False}]}
    (tmp_path / "c.json").write_text(json.dumps(edited))
    told = batch(*common, "--reviewed", tmp_path / "review")
    assert "1 reviewed documents are not among these, or their contract has been edited" in told.output
    with serving([tmp_path / "out"], edited, tmp_path / "review") as served:
        served.desk.open(1)
    told = paxman.normalize_many(
        [tmp_path / "in"], edited, out=tmp_path / "out", reviewed=tmp_path / "review", workers=1
    )
    assert (told.reviewed, told.reviewed_elsewhere) == (1, 0)
    assert [row["data"]["order"] for row in told.rows()] == ["PO-77", "P-1"]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_review_that_ends_keeps_every_decision(tmp_path, invoice, how):
    (tmp_path / "c.json").write_text(json.dumps(CONTRACT))
    command = [sys.executable, "-m", "paxman", "review", str(invoice), "-c", str(tmp_path / "c.json")]
    command += ["-o", str(tmp_path / "review"), "--no-browser", "--by", "Ada"]
    loud = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=loud) as running:
        address = running.stdout.readline().split()[-1]
        assert decide(address) == 200
        running.send_signal(how)
        rest = running.stdout.read()
        assert running.wait(10) == (0 if how is signal.SIGINT else -signal.SIGKILL)
    assert ("1 decisions are kept in" in rest) is (how is signal.SIGINT)
    [example] = paxman.review.examples(tmp_path / "review")
    assert example.data == {"order": "PO-77"}
    shown = CliRunner().invoke(app, [*command[3:], "--learn"])
    assert (shown.exit_code, "order: 1 of 1 values found on the page" in shown.output) == (0, True), shown.output


def decide(address):
    import urllib.request

    home, _, token = address.partition("/?token=")
    port = home.rpartition(":")[2]
    body = json.dumps({"by": "Ada", "version": 0, "path": "order", "text": "PO-77"}).encode()
    headers = {"Cookie": f"paxman-review-{port}={token}", "Origin": home, "Content-Type": "application/json"}
    for _ in range(100):
        try:
            with urllib.request.urlopen(urllib.request.Request(f"{home}/document/1/value", body, headers)) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            if error.code != 404:  # the queue is still being filled
                raise
        time.sleep(0.05)
    return 0


def test_python_does_the_same_without_a_page(invoice):
    artifact = paxman.normalize(invoice, CONTRACT)
    made = artifact.corrected(
        {"total": "465.00 GBP"},
        by="Ada",
        contract=CONTRACT,
        document=invoice,
        pointed_at={"total": [span("465.00 GBP")]},
    )
    assert made["total"].value == Money(Decimal("465.00"), "GBP")
    with pytest.raises(paxman.ConfigurationError, match="give the document"):
        artifact.corrected({"order": "x"}, by="Ada", pointed_at={"order": [(0, 3)]})
    decimal = artifact.corrected({"items": [{"article": "A", "price": 1.234}]}, by="Ada", contract=CONTRACT)
    assert decimal["items"].value[0]["price"] == Decimal("1.234")
