"""Providers over real HTTP on loopback: right answers, every way to fail, configuration, keys, connections."""

import json
import pickle
import socket
import sys
import threading
import time
from decimal import Decimal

import pytest
from model_server import answering, completion, dripping, raw, saying, serve, silent, status

import paxman
from paxman.api.verification import verify
from paxman.config import load_settings
from paxman.errors import ConfigurationError
from paxman.inference import Anthropic, LlamaCpp, OpenAI, Price, Terms, configured
from paxman.inference.http import refusal
from paxman.planner.registry import CAPABILITIES

TEXT = "The goods left Rotterdam aboard the\nMarigold on 3 May 2024. Paid: 1.234,50 EUR.\nport: Rotterdam\n"
CONTRACT = {
    "id": "voyage",
    "version": "1",
    "fields": [
        {"name": "vessel", "type": "STRING", "required": True, "description": "name of the ship"},
        {"name": "departure", "type": "DATE", "required": True, "description": "day on which it left"},
        {"name": "port", "type": "STRING", "required": True},
    ],
}
REMOTE = paxman.Policy(allow_remote_inference=True)
QUICK = Terms(backoff_seconds=0.01, longest_wait_seconds=2)
RIGHT = answering(vessel="Marigold", departure="3 May 2024")


@pytest.fixture
def register():
    """Registers one provider at a time."""
    current = []

    def remove():
        for provider in current:
            CAPABILITIES.providers.unregister(provider.name)
            provider.close()
        current.clear()

    def add(provider):
        remove()
        current.append(paxman.register_provider(provider))

    yield add
    remove()


def openai(server, **more):
    return OpenAI("small", server.url + "/v1", **{"price": (1, 2), "terms": QUICK, "timeout": 5, **more})


def run(register, *script, budget=None, policy=REMOTE, **more):
    with serve(*script) as server:
        register(openai(server, **more))
        return paxman.normalize(TEXT, CONTRACT, budget, policy), server


def values(artifact):
    return {result.field_path: str(result.value) for result in artifact.field_results}


def codes(artifact, path="vessel"):
    return [note.code for note in artifact[path].diagnostics]


def outcome(artifact, path="vessel"):
    return [json.loads(r.detail)["outcome"] for r in artifact[path].evidence_refs if r.role == "context"]


def test_one_call_for_all_fields_that_need_it(register):
    artifact, server = run(register, RIGHT)
    assert values(artifact) == {"vessel": "Marigold", "departure": "2024-05-03", "port": "Rotterdam"}
    assert [result.origin.value for result in artifact.field_results] == ["INFERRED", "INFERRED", "EXTRACTED"]
    assert [list(body["response_format"]["json_schema"]["schema"]["properties"]) for body in server.seen] == [
        ["vessel", "departure"]
    ]
    assert (artifact.statistics.remote_calls, artifact.statistics.tokens) == (1, 1100)
    assert artifact.statistics.cost_usd == Decimal("0.0012") == sum(r.cost.usd for r in artifact.field_results)
    assert sum(result.cost.tokens for result in artifact.field_results) == 1100
    assert sorted(artifact.timings["inference_ms"]) == ["departure", "vessel"]
    assert paxman.replay(artifact.to_json(), CONTRACT) == artifact


def test_the_evidence_points_into_the_document(register):
    artifact, _ = run(register, RIGHT)
    ref = artifact["departure"].evidence_refs[0]
    assert (TEXT[slice(*ref.span)], ref.transforms, ref.model_id, ref.role) == (
        "3 May 2024",
        ("date:dmy",),
        "small",
        "supporting",
    )
    assert artifact.execution_plan.fields[0].capability_chain[-1].config == {"provider": "openai", "model": "small"}


def test_anthropic_answers_through_a_tool(register, monkeypatch):
    monkeypatch.setenv("SHIP_KEY", "very-secret")
    with serve(RIGHT) as server:
        register(Anthropic("claude", "env:SHIP_KEY", server.url, price=(3, 15), terms=QUICK))
        artifact = paxman.normalize(TEXT, CONTRACT, policy=REMOTE)
    assert (values(artifact)["vessel"], server.seen[0]["tool_choice"]["name"]) == ("Marigold", "answer")
    assert server.headers[0]["X-Api-Key" if "X-Api-Key" in server.headers[0] else "x-api-key"] == "very-secret"
    assert artifact.statistics.cost_usd == Decimal("0.0045")
    assert "very-secret" not in artifact.to_json()


FAILURES = {
    "rate_limited": status(429),
    "unavailable": status(503),
    "refused": status(401),
    "truncated": saying('{"vessel": {"quote": "Mari', finish="length"),
    "malformed": saying("I think it is the Marigold"),
    "empty": saying(""),
    "cut_off": raw(b'{"choices": [{"mess', length=5000),
}


@pytest.mark.parametrize("reason", FAILURES)
def test_a_failure_is_a_diagnostic_and_harms_no_other_field(register, reason):
    artifact, server = run(register, FAILURES[reason])
    note, last = artifact["vessel"].diagnostics
    assert (note.code, note.severity.value, note.context["reason"]) == ("CAPABILITY_FAILED", "ERROR", reason)
    assert (last.code, last.message.partition(" but ")[2]) == (
        "CHAIN_EXHAUSTED",
        "4 steps were tried and not all to the end. Whether the document states a value is not known.",
    )
    assert (artifact["vessel"].status, outcome(artifact)) == ("UNRESOLVED", ["failed"])
    assert values(artifact)["port"] == "Rotterdam"
    assert len(server.seen) == (3 if reason in ("rate_limited", "unavailable", "cut_off") else 1)
    assert "secret" not in artifact.to_json() + "".join(note.message for note in artifact.diagnostics)


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        (status(500), "unavailable"),
        (raw(b"<html>"), "malformed"),
        (raw(b"[]"), "malformed"),
        (raw(b'{"choices": []}'), "malformed"),
        (saying('["Marigold"]'), "malformed"),
        (saying("} nothing {"), "malformed"),
        (lambda handler, body: handler.send(b"plain", headers=[("Content-Encoding", "gzip")]), "malformed"),
        (saying("[" * 100_000), "malformed"),
    ],
)
def test_other_wrong_answers(register, behaviour, reason):
    artifact, _ = run(register, behaviour)
    assert artifact["vessel"].diagnostics[0].context["reason"] == reason


@pytest.mark.parametrize("behaviour", [silent, dripping])
def test_a_server_that_never_finishes_is_left(register, behaviour):
    artifact, _ = run(register, behaviour, timeout=0.2, terms=Terms(attempts=1))
    assert artifact["vessel"].diagnostics[0].context == {"reason": "timeout", "attempts": 1}


def test_a_server_that_is_not_there(register):
    with serve(RIGHT) as server:
        provider = openai(server)
    register(provider)
    artifact = paxman.normalize(TEXT, CONTRACT, policy=REMOTE)
    assert (artifact["vessel"].diagnostics[0].context["reason"], artifact.statistics.cost_usd) == ("unreachable", 0)


def test_a_wrong_schema_fails_only_the_field_it_concerns(register):
    text = json.dumps(
        {"vessel": {"quote": "Marigold"}, "departure": {"value": "3 May 2024", "lines": [1]}, "port": "Hamburg"}
    )
    artifact, _ = run(register, saying(text))
    assert (codes(artifact), outcome(artifact)) == (["CAPABILITY_FAILED", "CHAIN_EXHAUSTED"], ["left out"])
    assert (values(artifact)["departure"], values(artifact)["port"]) == ("2024-05-03", "Rotterdam")


def test_absent_and_ungrounded_are_told_apart_from_failures(register):
    artifact, _ = run(register, answering(departure="4 May 2024"))
    assert (codes(artifact), outcome(artifact)) == (["CHAIN_EXHAUSTED"], ["absent"])
    assert (values(artifact)["departure"], codes(artifact, "departure")) == (
        "2024-05-04",
        ["UNGROUNDED_ANSWER", "LOW_CONFIDENCE"],
    )
    artifact, _ = run(register, answering(departure="Marigold"))
    assert codes(artifact, "departure")[-2:] == ["VALIDATION_FAILED", "CHAIN_EXHAUSTED"]


@pytest.mark.parametrize(
    "around",
    [
        "<think>{maybe}</think>{}",
        "{ok} so: {} {done}",
        "```json\n{}\n```",
        "<think>easy</think>\n{}",
        "Here it is: {} Anything else?",
    ],
)
def test_words_around_the_answer_do_not_matter(register, around):
    answer = json.dumps({"vessel": {"value": "Marigold", "lines": [1]}, "departure": {"value": None, "lines": [1]}})
    artifact, _ = run(register, saying(around.replace("{}", answer)))
    assert (values(artifact)["vessel"], outcome(artifact, "departure")) == ("Marigold", ["absent"])


def test_an_empty_text_is_a_wrong_answer(register):
    artifact, _ = run(register, answering(vessel="", departure="3 May 2024"))
    assert (outcome(artifact), values(artifact)["departure"]) == (["unreadable"], "2024-05-03")


def test_a_cut_answer_keeps_the_fields_that_were_complete(register):
    text = '{"vessel": {"value": "Marigold", "lines": [1]}, "departure": {"value": "3 May'
    artifact, _ = run(register, saying(text, finish="length"))
    assert (values(artifact)["vessel"], outcome(artifact, "departure")) == ("Marigold", ["cut off"])
    note = artifact["departure"].diagnostics[0]
    assert (note.code, note.message) == ("CAPABILITY_FAILED", "openai: the answer was cut off at its limit")


def test_the_last_member_of_a_cut_tool_call_is_not_trusted(register, monkeypatch):
    monkeypatch.setenv("SHIP_KEY", "k")
    given = {"vessel": {"value": "Marigold", "lines": [1]}, "departure": {"value": "3 May 20", "lines": [1]}}

    def behave(handler, body):
        answer = {**completion(body, json.dumps(given)), "stop_reason": "max_tokens"}
        handler.send(json.dumps(answer).encode())

    with serve(behave) as server:
        register(Anthropic("claude", "env:SHIP_KEY", server.url, price=(3, 15), terms=QUICK))
        artifact = paxman.normalize(TEXT, CONTRACT, policy=REMOTE)
    assert (values(artifact)["vessel"], outcome(artifact, "departure")) == ("Marigold", ["cut off"])


@pytest.mark.parametrize("usage", [(10**30, 5), (5, 10**400), (-1, 5), (1.5, 2)])
def test_a_report_that_cannot_be_true_loses_nothing(register, usage):
    artifact, server = run(register, answering(usage=usage, vessel="Marigold"))
    assert (values(artifact)["vessel"], outcome(artifact), len(server.seen)) == ("Marigold", ["stated"], 1)
    assert 0 < artifact.statistics.cost_usd < 1


def test_what_was_sent_is_on_record_whatever_becomes_of_the_answer(register, monkeypatch):
    monkeypatch.setattr("paxman.capabilities.answered.ShownPage.ground", lambda *given: 1 / 0)
    artifact, _ = run(register, RIGHT)
    sent = [json.loads(ref.detail)["sent"] for ref in artifact["vessel"].evidence_refs]
    assert (sent, outcome(artifact)) == ([[0, len(TEXT)]], ["failed"])
    expected = "openai: reading the answer raised ZeroDivisionError"
    assert artifact["vessel"].diagnostics[0].message == expected


def test_what_was_not_sent_is_not_said_to_be(register, monkeypatch):
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with serve(RIGHT) as server:
        gone, keyless = openai(server), openai(server, api_key="env:NO_SUCH_KEY")
    found = []
    for provider in (gone, keyless):
        register(provider)
        artifact = paxman.normalize(TEXT, CONTRACT, policy=REMOTE)
        sent = [json.loads(ref.detail)["sent"] for ref in artifact["vessel"].evidence_refs]
        found.append((sent, artifact.statistics.remote_calls, artifact.statistics.cost_usd))
    assert found == [([None], 3, 0), ([None], 0, 0)]


def wanting_the_other_name(handler, body):
    if "max_tokens" in body:
        handler.send(b'{"error": {"message": "Use max_completion_tokens instead of max_tokens."}}', 400)
    else:
        RIGHT(handler, body)


def test_a_server_that_wants_the_other_name_of_the_limit_gets_it(register):
    with serve(wanting_the_other_name) as server:
        register(openai(server))
        first, second = (paxman.normalize(TEXT, CONTRACT, policy=REMOTE) for _ in range(2))
    assert [values(first)["vessel"], values(second)["vessel"]] == ["Marigold", "Marigold"]
    assert (first.statistics.remote_calls, second.statistics.remote_calls, len(server.seen)) == (2, 1, 3)


def test_a_key_in_extra_is_refused():
    for make in (OpenAI, Anthropic, LlamaCpp):
        with pytest.raises(ConfigurationError, match="extra holds a key") as caught:
            make("m", extra={"api_key": "sk-123"})
        assert "sk-123" not in str(caught.value)
    assert OpenAI("m", price=(1, 1), extra={"prompt_cache_key": "a"}).extra == {"prompt_cache_key": "a"}


def test_larger_requests_may_have_another_price():
    price = Anthropic("claude-sonnet-4-5").terms.price
    assert price == Price(3, 15, [(200_000, 6, "22.5")], "0.1", "1.25")
    assert [price.of(200_000, 1000), price.of(300_000, 1000)] == [Decimal("0.615"), Decimal("1.8225")]
    assert price.of(100_000, 1000, 60_000, 40_000) == Decimal("0.183")
    wide = Anthropic("claude-sonnet-4-5", terms={"window_tokens": 200_000, "max_output_tokens": 1000})
    assert wide.terms.call_usd == Decimal("3.7725")
    with pytest.raises(ConfigurationError, match="for larger requests"):
        Price(1, 2, [5])


def test_retry_after_is_honoured_and_bounded(register, monkeypatch):
    waits = []
    monkeypatch.setattr("paxman.inference.calling.time.sleep", waits.append)
    artifact, server = run(register, status(429, ("Retry-After", "1")), status(503), RIGHT)
    assert (values(artifact)["vessel"], waits, artifact.statistics.remote_calls) == ("Marigold", [1.0, 0.02], 3)
    assert artifact.statistics.cost_usd == Decimal("0.0012")
    artifact, server = run(register, status(429, ("Retry-After", "3600")), RIGHT)
    assert len(server.seen) == 1


def test_a_date_to_retry_after():
    assert refusal(429, "Wed, 21 Oct 2015 07:28:00 GMT").context["retry_after"] == 0
    assert refusal(429, "0.5").context["retry_after"] == 0.5
    assert refusal(429, "soon").context["retry_after"] is None
    assert [refusal(code).context["billed"] for code in (302, 401, 429, 503, 529, 500, 504)] == [False] * 5 + [True] * 2


def test_what_lacks_a_part_is_refused():
    class Half:
        name, tier = "half", "local"

        def complete(self, request):
            return None

    with pytest.raises(paxman.ConfigurationError, match="also needs model, terms"):
        paxman.register_provider(Half())
    for wrong in ((-1, 1), ("much", 1)):
        with pytest.raises(paxman.ConfigurationError, match="zero or more"):
            OpenAI("m", price=wrong)


def test_an_inferred_value_verifies_against_its_document(register):
    artifact, _ = run(register, RIGHT)
    assert verify(artifact, TEXT, CONTRACT).problems == ()
    assert verify(artifact, TEXT.replace("Marigold", "Mayflowr"), CONTRACT).passed is False


@pytest.mark.parametrize("behaviour", [silent, dripping])
def test_no_thread_is_left_after_a_timeout(register, behaviour):
    with serve(behaviour) as server:
        register(openai(server, timeout=0.2, terms=Terms(attempts=1)))
        before = {thread for thread in threading.enumerate() if "process_request" not in thread.name}
        artifact = paxman.normalize(TEXT, CONTRACT, policy=REMOTE)
        after = {thread for thread in threading.enumerate() if "process_request" not in thread.name}
    assert (artifact["vessel"].diagnostics[0].context["reason"], after) == ("timeout", before)


def test_a_connection_that_is_used_again_has_a_new_deadline(register):
    with serve(RIGHT, silent) as server:
        register(openai(server, timeout=0.4, terms=Terms(attempts=1)))
        paxman.normalize(TEXT, CONTRACT, policy=REMOTE)
        time.sleep(0.2)
        started = time.monotonic()
        artifact = paxman.normalize(TEXT, CONTRACT, policy=REMOTE)
        took = time.monotonic() - started
    assert (artifact["vessel"].diagnostics[0].message, 0.4 <= took < 3) == (
        "openai: no answer within 0.4 seconds",
        True,
    )
    assert server.connections == 1


def test_a_connection_is_kept(register):
    with serve(RIGHT) as server:
        register(openai(server))
        for _ in range(3):
            paxman.normalize(TEXT, CONTRACT, policy=REMOTE)
        assert (len(server.seen), server.connections) == (3, 1)


def test_keys_are_references_and_stay_secret(register, monkeypatch):
    for wrong in ("sk-123", "env:", 7):
        with pytest.raises(paxman.ConfigurationError, match="env:OPENAI_API_KEY"):
            OpenAI("m", api_key=wrong, price=(1, 1))
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    artifact, server = run(register, RIGHT, api_key="env:NO_SUCH_KEY")
    assert artifact["vessel"].diagnostics[0].message == "openai: the environment has no NO_SUCH_KEY"
    assert server.seen == []
    monkeypatch.setenv("NO_SUCH_KEY", "very-secret")
    artifact, server = run(register, RIGHT, api_key="env:NO_SUCH_KEY")
    assert server.headers[0]["Authorization"] == "Bearer very-secret"
    assert "very-secret" not in repr(openai(server, api_key="env:NO_SUCH_KEY")) + artifact.to_json()


@pytest.mark.parametrize("name", ["Authorization", "x-api-key", "X-Auth-Token", "Cookie", "token"])
def test_a_key_in_a_header_is_a_reference_too(register, monkeypatch, name):
    with pytest.raises(ConfigurationError, match=f"headers: {name} is a reference such as 'env:NAME'"):
        OpenAI("m", price=(1, 1), headers={name: "sk-123"})
    monkeypatch.setenv("GATE_KEY", "very-secret")
    _, server = run(register, RIGHT, headers={name: "env:GATE_KEY", "x-team": "ships"})
    sent = {key.lower(): value for key, value in server.headers[0].items()}
    assert (sent[name.lower()], sent["x-team"]) == ("very-secret", "ships")


def test_a_header_that_looks_like_a_key_is_a_reference_too():
    for value in ("sk-123", "Bearer abc", "a1B2c3D4e5F6g7H8i9"):
        with pytest.raises(ConfigurationError, match="headers: X-Gate is a reference such as 'env:NAME'") as caught:
            OpenAI("m", price=(1, 1), headers={"X-Gate": value})
        assert value not in str(caught.value)
    plain = {"User-Agent": "ships-of-the-line/1.2.3", "X-Org": "acme"}
    assert OpenAI("m", price=(1, 1), headers=plain).headers == plain


@pytest.mark.parametrize("query", ["api-key=sk-123", "key=sk-123", "api-version=1&sig=sk-123", "access_token=sk-123"])
def test_a_key_in_the_url_is_refused_and_not_repeated(query):
    for make in (OpenAI, Anthropic):
        with pytest.raises(ConfigurationError, match="base_url holds a key") as caught:
            make("m", base_url=f"https://models.example.com/v1?{query}", price=(1, 1))
        assert "sk-123" not in str(caught.value)
    assert "2024-10-21" in OpenAI("m", "https://models.example.com/v1?api-version=2024-10-21", price=(1, 1)).base_url


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({"window_token": 4000}, "no term named 'window_token'. Did you mean 'window_tokens'?"),
        ({"window_tokens": "4000"}, "window_tokens is a whole number, 1 or more, not '4000'"),
        ({"attempts": 0}, "attempts is a whole number, 1 or more, not 0"),
        ({"most_pieces": True}, "most_pieces is a whole number, 1 or more, not True"),
        ({"backoff_seconds": "1"}, "backoff_seconds is a number of seconds, zero or more, not '1'"),
        ({"trust_usage": "yes"}, "trust_usage is true or false, not 'yes'"),
        ({"price": 5}, "price is (input, output) in US dollars per million tokens, not 5"),
        ("fast", "terms is a table of price, window_tokens"),
    ],
)
def test_wrong_terms_say_what_to_do(terms, message):
    for make in (OpenAI, Anthropic, LlamaCpp):
        with pytest.raises(ConfigurationError) as caught:
            make("m", terms=terms)
        assert message in str(caught.value)


def test_a_timeout_is_a_number():
    with pytest.raises(ConfigurationError, match="timeout is a number of seconds, zero or more, not '60'"):
        OpenAI("m", price=(1, 1), timeout="60")


def test_terms_may_hold_the_price():
    assert OpenAI("a-model-nobody-sells", terms={"price": [3, "1.5"]}).terms.price == Price(3, "1.5")
    assert OpenAI("m", price=(1, 2), terms=Terms(Price(3, 4))).terms.price == Price(1, 2)


def test_local_is_only_what_runs_here(register):
    with pytest.raises(paxman.ConfigurationError, match="on this machine"):
        OpenAI("m", "https://models.example.com/v1", tier="local")
    with pytest.raises(paxman.ConfigurationError, match="'local' or 'remote'"):
        OpenAI("m", tier="near")
    with pytest.raises(paxman.ConfigurationError, match="without user and password"):
        OpenAI("m", "https://me:secret@models.example.com")
    artifact, server = run(register, RIGHT, tier="local", price=None, policy=None)
    assert (values(artifact)["vessel"], artifact.statistics.remote_calls, artifact.statistics.cost_usd) == (
        "Marigold",
        0,
        0,
    )
    assert server.seen[0]["cache_prompt"] is False


def test_a_remote_model_needs_the_policy(register):
    artifact, server = run(register, RIGHT, policy=None)
    assert (artifact["vessel"].status, server.seen) == ("UNRESOLVED", [])


def test_prices_come_from_the_table_or_the_caller():
    assert OpenAI("gpt-4o-mini").terms.price == Price("0.15", "0.6", cached="0.5")
    assert OpenAI("gpt-4o-mini", price=(1, 2)).terms.price == Price(1, 2)
    with pytest.raises(paxman.ConfigurationError, match="US dollars per million tokens"):
        OpenAI("a-model-nobody-sells")


def test_configured_by_the_environment():
    made = configured(
        {"PAXMAN_MODEL": "openai:qwen", "PAXMAN_MODEL_URL": "http://localhost:11434/v1/"}
        | {"PAXMAN_MODEL_TIER": "local"}
    )
    assert (made.model, made.base_url, made.tier, made.api_key) == ("qwen", "http://localhost:11434/v1", "local", None)
    made = configured({"PAXMAN_MODEL": "anthropic:claude-sonnet-4-5", "PAXMAN_MODEL_PRICE": "3,15"})
    assert (made.terms.price, made.api_key) == (Price(3, 15), "env:ANTHROPIC_API_KEY")
    assert isinstance(configured({"PAXMAN_MODEL": "llama_cpp:/models/a.gguf"}), LlamaCpp)
    kept = configured({"PAXMAN_MODEL": "llama_cpp:/models/a.gguf", "PAXMAN_MODEL_CACHE": "answers.db"})
    assert (kept.path, kept.model) == ("answers.db", "a")


@pytest.mark.parametrize(
    ("kind", "model", "expected"),
    [
        ("openai", "gpt-4o-mini", ("OpenAI", "gpt-4o-mini")),
        ("openai", "openai:gpt-4o-mini", ("OpenAI", "gpt-4o-mini")),
        ("anthropic", "claude-sonnet-4-5", ("Anthropic", "claude-sonnet-4-5")),
        ("llama_cpp", "/models/a.gguf", ("LlamaCpp", "a")),
        (None, "anthropic:claude-sonnet-4-5", ("Anthropic", "claude-sonnet-4-5")),
    ],
)
def test_two_variables_are_enough(kind, model, expected):
    made = configured({"PAXMAN_MODEL": model} | ({"PAXMAN_PROVIDER": kind} if kind else {}))
    assert (type(made).__name__, made.model) == expected


def test_a_model_may_have_a_colon_in_its_name():
    url = {"PAXMAN_MODEL_URL": "http://localhost:11434/v1", "PAXMAN_MODEL_TIER": "local"}
    assert configured({"PAXMAN_PROVIDER": "openai", "PAXMAN_MODEL": "qwen2.5:1.5b"} | url).model == "qwen2.5:1.5b"


@pytest.mark.parametrize(
    ("variables", "missing"),
    [
        ({}, "PAXMAN_MODEL"),
        ({"PAXMAN_PROVIDER": "openai"}, "PAXMAN_MODEL"),
        ({"PAXMAN_MODEL": "gpt-4o-mini"}, "PAXMAN_PROVIDER"),
    ],
)
def test_what_is_missing_in_the_environment_is_named(variables, missing):
    with pytest.raises(paxman.ConfigurationError, match=f"{missing} is missing: set PAXMAN_PROVIDER to openai, anth"):
        configured(variables)


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_settings_take_the_name_of_a_kind(monkeypatch, kind):
    monkeypatch.setenv("PAXMAN_MODEL", "small")
    monkeypatch.setenv("PAXMAN_MODEL_PRICE", "1,2")
    load_settings(environment={"PAXMAN_PROVIDER": kind}).register_provider()
    made = CAPABILITIES.providers.get_latest(kind)
    CAPABILITIES.providers.unregister(kind)
    assert (made.model, made.terms.price, made.api_key) == ("small", Price(1, 2), f"env:{kind.upper()}_API_KEY")


def test_a_model_alone_is_a_setting(tmp_path):
    settings = load_settings(environment={"PAXMAN_MODEL": "llama_cpp:/models/a.gguf"}, folder=tmp_path)
    assert (settings.policy.model, settings.values["model"].origin) == (("llama_cpp:/models/a.gguf",), "PAXMAN_MODEL")
    both = {"PAXMAN_MODEL": "openai:m", "PAXMAN_PROVIDER": "anthropic"}
    other = load_settings(environment=both, folder=tmp_path)
    assert (other["provider"], other.policy.model) == ("anthropic", None)


def test_a_file_may_name_a_cache(tmp_path):
    file = tmp_path / "paxman.toml"
    file.write_text(f"[provider]\nuse = 'llama_cpp'\npath = 'a.gguf'\ncache = '{tmp_path}/new/answers.db'\n")
    load_settings(file=file, environment={}).register_provider()
    made = CAPABILITIES.providers.get_latest("llama_cpp")
    CAPABILITIES.providers.unregister("llama_cpp")
    assert (made.path, made.provider.path) == (f"{tmp_path}/new/answers.db", "a.gguf")


def test_several_providers_in_a_file(tmp_path):
    file = tmp_path / "paxman.toml"
    file.write_text(
        "[[provider]]\nuse = 'llama_cpp'\npath = 'a.gguf'\n[[provider]]\nuse = 'openai'\nmodel = 'm'\nprice = [1, 2]\n"
    )
    load_settings(file=file, environment={}).register_provider()
    found = [provider.model for provider in CAPABILITIES.providers]
    for name in ("llama_cpp", "openai"):
        CAPABILITIES.providers.unregister(name)
    assert found == ["a", "m"]
    file.write_text("provider = {use = 'openai', modell = 'm'}")
    with pytest.raises(ConfigurationError, match="provider 'openai' cannot be made: "):
        load_settings(file=file, environment={}).register_provider()


def test_configured_by_a_file(tmp_path):
    file = tmp_path / "paxman.toml"
    file.write_text(
        "[provider]\nuse = 'paxman.inference:OpenAI'\nmodel = 'qwen'\nbase_url = 'http://127.0.0.1:8080/v1'\n"
        "tier = 'local'\nterms = {window_tokens = 4000}\n"
    )
    load_settings(file=file, environment={}).register_provider()
    made = CAPABILITIES.providers.get_latest("openai")
    CAPABILITIES.providers.unregister("openai")
    assert (made.model, made.tier, made.terms.window_tokens, made.terms.price) == ("qwen", "local", 4000, Price())


def test_providers_travel_to_other_processes():
    for provider in (OpenAI("m", price=(1, 2)), Anthropic("m", price=(1, 2)), LlamaCpp("a.gguf")):
        assert repr(pickle.loads(pickle.dumps(provider))) == repr(provider)


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "ALL_PROXY"])
def test_a_local_model_is_never_asked_through_a_proxy(register, monkeypatch, variable):
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with serve(RIGHT) as proxy, serve(RIGHT) as server:
        monkeypatch.setenv(variable, proxy.url)
        register(openai(server, tier="local", price=None))
        artifact = paxman.normalize(TEXT, CONTRACT, policy=paxman.Policy(allow_local_inference=True))
    assert (artifact["vessel"].value, len(proxy.seen), len(server.seen)) == ("Marigold", 0, 1)


@pytest.mark.parametrize(
    "name",
    ["max_tokens", "max_completion_tokens", "n", "model", "messages", "response_format", "stream", "temperature"],
)
def test_extra_may_not_change_what_bounds_a_call(name):
    for make in (OpenAI, Anthropic, LlamaCpp):
        with pytest.raises(ConfigurationError, match=f"extra may not set {name}: "):
            make("small", extra={name: 4, "seed": 1})


def test_a_parameter_that_a_model_refuses_can_be_left_out(register):
    _, server = run(register, RIGHT, extra={"temperature": None, "top_p": 1})
    assert ("temperature" in server.seen[0], server.seen[0]["top_p"]) == (False, 1)


@pytest.mark.parametrize("price", [(1,), (1, 2, 3), "12", 5, ("a", 1), (-1, 1)])
def test_a_price_is_two_numbers(price):
    with pytest.raises(ConfigurationError, match="price is"):
        OpenAI("small", price=price)


def test_half_a_character_does_not_lose_the_call(register):
    artifact, _ = run(register, saying('{"vessel": {"value": "Marigold", "lines": [1], "label": "\ud83d"}}'))
    refs = [json.loads(ref.detail) for ref in artifact["vessel"].evidence_refs if ref.detail]
    assert (artifact["vessel"].value, [ref["outcome"] for ref in refs]) == ("Marigold", ["stated"])


def test_a_missing_extra_says_so_and_costs_nothing(register, monkeypatch):
    monkeypatch.setitem(sys.modules, "httpx", None)
    artifact, server = run(register, RIGHT)
    assert (artifact.statistics.cost_usd, server.seen) == (0, [])
    expected = "openai: models over HTTP need httpx: pip install '.[remote]' in a checkout of Paxman"
    assert artifact["vessel"].diagnostics[0].message == expected


def test_a_key_with_a_line_break_says_so_and_costs_nothing(register, monkeypatch):
    monkeypatch.setenv("MODEL_KEY", "abc\n")
    artifact, server = run(register, RIGHT, api_key="env:MODEL_KEY")
    assert (artifact.statistics.cost_usd, artifact.statistics.remote_calls, server.seen) == (0, 0, [])
    expected = "openai: MODEL_KEY in the environment holds characters that no key has"
    assert artifact["vessel"].diagnostics[0].message == expected


def drip_headers(listener):
    connection, _ = listener.accept()
    with connection:
        connection.recv(65536)
        try:
            connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
            for _ in range(20):
                connection.sendall(b"a")
                time.sleep(0.1)
        except OSError:
            return


def test_the_deadline_covers_headers_that_come_byte_by_byte(register):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=drip_headers, args=(listener,), daemon=True).start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        register(OpenAI("small", url, price=(1, 2), timeout=0.5, terms=Terms(attempts=1)))
        started = time.monotonic()
        artifact = paxman.normalize(TEXT, CONTRACT, policy=REMOTE)
    assert time.monotonic() - started < 1.5
    assert artifact["vessel"].diagnostics[0].message == "openai: no answer within 0.5 seconds"
