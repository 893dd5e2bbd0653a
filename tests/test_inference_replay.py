"""Cache and recordings; many threads, many processes and an event loop; the same bytes every time."""

import asyncio
import json
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from model_server import answering, raw, saying, serve, status
from test_inference_providers import CONTRACT, REMOTE, RIGHT, TEXT, openai, register, values  # noqa: F401

import paxman
from paxman.inference import Cached, Completion, Price, Recorder, Recording, Request, Terms

SAMPLES = Path(paxman.__file__).parent / "samples"


class Fixed:
    """A local model that always says the same."""

    name, tier, model, terms = "fixed", "local", "m", Terms()

    def __init__(self):
        self.asked = 0

    def complete(self, request):
        self.asked += 1
        answers = {"vessel": {"value": "Marigold", "lines": [1]}, "departure": {"value": "3 May 2024", "lines": [1]}}
        return Completion(json.dumps(answers), 100, 10)

    def close(self):
        pass


def closable(provider, inner):
    provider.close = inner.close
    return provider


def test_a_kept_answer_costs_nothing(register, tmp_path):  # noqa: F811
    with serve(RIGHT) as server:
        inner = openai(server)
        register(closable(Cached(inner, tmp_path / "answers.db"), inner))
        first = paxman.normalize(TEXT, CONTRACT, policy=REMOTE)
        second = paxman.normalize(TEXT, CONTRACT, paxman.Budget(max_remote_inference_calls=0), REMOTE)
        paxman.normalize(TEXT + ".", CONTRACT, policy=REMOTE)
    assert values(first) == values(second)
    assert (len(server.seen), second.statistics.cost_usd, second.statistics.remote_calls) == (2, 0, 0)


def test_what_was_cut_off_is_not_kept(register, tmp_path):  # noqa: F811
    with serve(saying("{", finish="length"), raw(b"{"), RIGHT) as server:
        inner = openai(server)
        register(closable(Cached(inner, tmp_path / "answers.db"), inner))
        found = [values(paxman.normalize(TEXT, CONTRACT, policy=REMOTE))["vessel"] for _ in range(3)]
    assert found == ["None", "None", "Marigold"]


def test_the_key_is_over_model_prompt_schema_and_parameters(tmp_path):
    def answers(cached, request):
        return cached.recall(request) is not None

    def cached(**changes):
        provider = Fixed()
        for name, value in changes.items():
            setattr(provider, name, value)
        return Cached(provider, tmp_path / "answers.db")

    request = Request("s", "p", {"type": "object"}, 10)
    cached().complete(request)
    assert answers(cached(), request)
    assert not any(answers(cached(**change), request) for change in ({"model": "n"}, {"extra": {"top_p": 1}}))
    others = (
        Request("s", "q", {"type": "object"}, 10),
        Request("s", "p", {}, 10),
        Request("s", "p", {"type": "object"}, 9),
    )
    assert not any(answers(cached(), other) for other in others)


def test_a_spoiled_file_is_no_reason_to_fail(tmp_path):
    path = tmp_path / "answers.db"
    path.write_bytes(b"this is not a database" * 100)
    cached = Cached(Fixed(), path)
    assert cached.recall(Request("s", "p", {})) is None
    assert cached.complete(Request("s", "p", {})).input_tokens == 100


def test_a_cache_makes_its_folder_or_says_why_not(tmp_path):
    request = Request("s", "p", {})
    cached = Cached(Fixed(), tmp_path / "new" / "answers.db")
    cached.complete(request)
    assert cached.recall(request) == Fixed().complete(request)
    (tmp_path / "file").touch()
    with pytest.raises(paxman.ConfigurationError, match="cannot keep answers"):
        Cached(Fixed(), tmp_path / "file" / "answers.db")


def test_an_answer_that_is_no_text_is_not_known(tmp_path):
    request = Request("s", "p", {})
    cached = Cached(Fixed(), tmp_path / "answers.db")
    cached.complete(request)
    with sqlite3.connect(tmp_path / "answers.db") as connection:
        connection.execute("UPDATE answers SET text = x'00ff'")
    connection.close()
    assert cached.recall(request) is None


PROGRAM = """
import sys
sys.path.insert(0, sys.argv[2])
from test_inference_replay import Fixed
from paxman.inference import Cached, Request
cached = Cached(Fixed(), sys.argv[1])
for number in range(60):
    request = Request("s", str(number), {})
    cached.recall(request) or cached.complete(request)
print(all(cached.recall(Request("s", str(number), {})) for number in range(60)))
"""


def test_many_processes_share_a_cache(tmp_path):
    path = str(tmp_path / "answers.db")
    command = [sys.executable, "-c", PROGRAM, path, str(Path(__file__).parent)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.communicate(timeout=60)[0] for process in running] == ["True\n"] * 3
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM answers").fetchone() == (60,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_a_recording_gives_the_same_artifact(register, tmp_path):  # noqa: F811
    with serve(status(500), answering(vessel="Marigold", departure="9 May 1999")) as server:
        inner = openai(server)
        recorder = closable(Recorder(inner), inner)
        register(recorder)
        artifact = paxman.normalize(TEXT, CONTRACT, policy=REMOTE)
    recorder.recording().save(tmp_path / "recording.json")
    recording = Recording.load(tmp_path / "recording.json")
    register(closable(recording, Fixed()))
    for _ in range(2):
        again = paxman.normalize(TEXT, CONTRACT, policy=REMOTE)
        assert (again.replay_hash, again.field_results) == (artifact.replay_hash, artifact.field_results)
    other = paxman.normalize(TEXT + "!", CONTRACT, policy=REMOTE)
    assert other["vessel"].diagnostics[0].context["reason"] == "not_recorded"


def test_a_recording_gives_every_thread_the_same_artifact(register):  # noqa: F811
    with serve(status(503), RIGHT) as server:
        inner = openai(server)
        recorder = closable(Recorder(inner), inner)
        register(recorder)
        artifact = paxman.normalize(TEXT, CONTRACT, policy=REMOTE)
    register(closable(recorder.recording(), Fixed()))
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: paxman.normalize(TEXT, CONTRACT, policy=REMOTE).replay_hash, range(40)))
    assert set(made) == {artifact.replay_hash}


def test_a_recording_keeps_the_prices(tmp_path):
    terms = Terms(Price(3, 15, [(200_000, 6, "22.5")]))
    Recording("n", "remote", "m", terms, {}).save(tmp_path / "recording.json")
    assert Recording.load(tmp_path / "recording.json").terms == terms


def test_a_recording_of_kept_answers_gives_the_same_artifact(register, tmp_path):  # noqa: F811
    cached = Cached(Fixed(), tmp_path / "answers.db")
    register(closable(Recorder(cached), Fixed()))
    paxman.normalize(TEXT, CONTRACT)
    recorder = closable(Recorder(cached), Fixed())
    register(recorder)
    artifact = paxman.normalize(TEXT, CONTRACT)
    recorder.recording().save(tmp_path / "recording.json")
    register(closable(Recording.load(tmp_path / "recording.json"), Fixed()))
    again = paxman.normalize(TEXT, CONTRACT)
    details = [json.loads(ref.detail) for ref in again["vessel"].evidence_refs if ref.detail]
    assert ([detail["cached"] for detail in details], again["vessel"].value) == ([True], "Marigold")
    assert again.replay_hash == artifact.replay_hash


@pytest.mark.parametrize("content", [None, b"", b"[]", b"{}", b'{"name": "x", "tier": "local", "model": "m"}', b"\xff"])
def test_a_file_that_is_no_recording_says_so(tmp_path, content):
    path = tmp_path / "recording.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(paxman.ConfigurationError, match=r"recording.json cannot be read: (it is|No such)"):
        Recording.load(path)


class Moody(Fixed):
    """Raises what no provider should, then answers."""

    terms = Terms(attempts=1)

    def complete(self, request):
        if not self.asked:
            self.asked += 1
            raise ZeroDivisionError
        return super().complete(request)


def test_whatever_a_provider_raises_is_recorded(register):  # noqa: F811
    recorder = closable(Recorder(Moody()), Fixed())
    register(recorder)
    first, second = paxman.normalize(TEXT, CONTRACT), paxman.normalize(TEXT, CONTRACT)
    register(closable(recorder.recording(), Fixed()))
    again = [paxman.normalize(TEXT, CONTRACT) for _ in range(2)]
    assert first["vessel"].diagnostics[0].message == "fixed: the provider raised ZeroDivisionError"
    assert [each.replay_hash for each in again] == [first.replay_hash, second.replay_hash]


def test_replaying_never_asks(register):  # noqa: F811
    model = Fixed()
    register(model)
    artifact = paxman.normalize(TEXT, CONTRACT)
    stored = artifact.to_json()
    assert (model.asked, paxman.replay(stored, CONTRACT) == artifact, model.asked) == (1, True, 1)
    register(Fixed())  # replaces the first; an artifact also replays where its provider is unknown
    assert paxman.replay(stored, CONTRACT) == artifact


def test_many_threads_give_the_same_bytes(register):  # noqa: F811
    register(Fixed())
    work = [(TEXT, CONTRACT)] * 20 + [
        (SAMPLES / document, SAMPLES / "contracts" / contract)
        for document, contract in (("invoice.txt", "invoice.json"), ("orders.csv", "orders.yaml"))
        for _ in range(10)
    ]
    expected = [paxman.normalize(*each).replay_hash for each in work]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda each: paxman.normalize(*each).replay_hash, work * 3)) == expected * 3


def test_many_threads_over_http_give_the_same_bytes(register):  # noqa: F811
    texts = [TEXT.replace("Marigold", f"Marigold {number}") for number in range(24)]

    def behave(handler, body):
        found = body["messages"][1]["content"].partition("aboard the\n2| ")[2].partition(" on ")[0]
        answering(vessel=found, departure="3 May 2024")(handler, body)

    with serve(behave) as server:
        register(openai(server, timeout=30))
        expected = [paxman.normalize(text, CONTRACT, policy=REMOTE).replay_hash for text in texts]
        with ThreadPoolExecutor(6) as pool:
            made = list(pool.map(lambda text: paxman.normalize(text, CONTRACT, policy=REMOTE), texts))
    assert [artifact["vessel"].value for artifact in made] == [f"Marigold {number}" for number in range(24)]
    assert ([artifact.replay_hash for artifact in made], len(server.seen)) == (expected, 48)


COLD = """
import sys
from concurrent.futures import ThreadPoolExecutor
sys.setswitchinterval(1e-5)
import paxman
from paxman.api.normalize import normalize
contract = {"id": "c", "version": "1", "fields": [{"name": n, "type": t, "required": True}
            for n, t in (("a", "STRING"), ("b", "MONEY"), ("c", "DATE"), ("d", "INTEGER"))]}
with ThreadPoolExecutor(8) as pool:
    hashes = set(pool.map(lambda _: normalize("a: x\\nb: 3 EUR\\nc: 2024-05-01\\n", contract).replay_hash, range(40)))
print(len(hashes))
"""


def test_threads_may_start_cold():
    found = subprocess.run([sys.executable, "-c", COLD], capture_output=True, text=True, timeout=60)
    assert (found.stdout, found.stderr) == ("1\n", "")


def test_normalize_async(register):  # noqa: F811
    register(Fixed())

    async def many():
        return await asyncio.gather(*(paxman.normalize_async(TEXT, CONTRACT) for _ in range(5)))

    assert {artifact.replay_hash for artifact in asyncio.run(many())} == {paxman.normalize(TEXT, CONTRACT).replay_hash}


def test_only_an_answer_to_all_that_was_asked_is_kept(register, tmp_path):  # noqa: F811
    partial = saying('{"vessel": {"quote": "Marigold", "line": null}}')
    with serve(saying("Sorry, no."), partial, RIGHT) as server:
        inner = openai(server)
        register(closable(Cached(inner, tmp_path / "answers.db"), inner))
        found = [values(paxman.normalize(TEXT, CONTRACT, policy=REMOTE))["departure"] for _ in range(4)]
    assert (found, len(server.seen)) == (["None", "None", "2024-05-03", "2024-05-03"], 3)
