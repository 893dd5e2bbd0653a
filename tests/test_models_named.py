"""One setting: a model named as vendor:NAME, in Python, on the command line, in a file and in the environment."""

import base64
import json
from decimal import Decimal

import pytest
from click.testing import CliRunner
from model_server import answer_to, answering, asked, close_models, completion, saying, serve

import paxman
from paxman.cli.app import app
from paxman.errors import ConfigurationError
from paxman.inference import Anthropic, Gemini, OpenAI, Picture, Request, Sight, Terms
from paxman.inference.environment import KINDS, fitted, named_model
from paxman.inference.http import server_words
from paxman.planner.registry import CAPABILITIES

TEXT = "The goods left Rotterdam aboard the\nMarigold on 3 May 2024. Paid: 1.234,50 EUR.\nport: Rotterdam\n"
CONTRACT = {
    "id": "voyage",
    "version": "1",
    "fields": [
        {"name": "vessel", "type": "STRING", "required": True, "description": "name of the ship"},
        {"name": "port", "type": "STRING", "required": True},
    ],
}
VENDORS = {
    "openai:gpt-4o-mini": ("OPENAI_BASE_URL", "/v1", "OPENAI_API_KEY", "authorization", "Bearer k-1"),
    "anthropic:claude-sonnet-4-5": ("ANTHROPIC_BASE_URL", "", "ANTHROPIC_API_KEY", "x-api-key", "k-1"),
    "gemini:gemini-2.5-flash": ("GEMINI_BASE_URL", "", "GEMINI_API_KEY", "x-goog-api-key", "k-1"),
    "azure:gpt-4o": ("AZURE_OPENAI_ENDPOINT", "", "AZURE_OPENAI_API_KEY", "api-key", "k-1"),
    "mistral:mistral-small-latest": ("MISTRAL_BASE_URL", "/v1", "MISTRAL_API_KEY", "authorization", "Bearer k-1"),
    "ollama:qwen2.5:1.5b": ("OLLAMA_HOST", "", "OPENAI_API_KEY", "content-type", "application/json"),
}


@pytest.fixture
def surroundings(monkeypatch):
    """No model, key or address but those that a test sets."""
    usual = [name for kind in KINDS.values() for name in (*kind.urls, *kind.keys)]
    for name in (
        *usual,
        "PAXMAN_MODEL",
        *(f"PAXMAN_MODEL_{each}" for each in ("URL", "TIER", "KEY", "PRICE", "CACHE")),
    ):
        monkeypatch.delenv(name, raising=False)
    yield monkeypatch
    close_models()


def place(surroundings, server, name="openai:gpt-4o-mini"):
    address, path, key, _, _ = VENDORS[name]
    surroundings.setenv(address, server.url + path)
    surroundings.setenv(key, "k-1")


def drop(*names):
    for name in names:
        CAPABILITIES.providers.get_latest(name).close()
        CAPABILITIES.providers.unregister(name)


def run(*arguments, **variables):
    return CliRunner().invoke(app, list(arguments), env=variables)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "voyage.txt").write_text(TEXT)
    (tmp_path / "voyage.json").write_text(json.dumps(CONTRACT))
    return ("normalize", "voyage.txt", "-c", "voyage.json", "--json")


@pytest.mark.parametrize("name", VENDORS)
def test_every_vendor_is_named_in_one_setting(surroundings, name):
    with serve(answering(vessel="Marigold")) as server:
        place(surroundings, server, name)
        artifact = paxman.normalize(TEXT, CONTRACT, model=name)
    _, _, _, header, sent = VENDORS[name]
    assert (artifact["vessel"].value, artifact["vessel"].origin.value) == ("Marigold", "INFERRED")
    assert {key.lower(): value for key, value in server.headers[0].items()}[header] == sent
    step = artifact.execution_plan.fields[0].capability_chain[-1]
    assert step.config == {"provider": name, "model": name.partition(":")[2]}
    assert (artifact.statistics.cost_usd > 0) is not name.startswith("ollama")
    assert artifact.execution_plan.cost_cap == Decimal("0.10")


def test_what_naming_a_model_means_and_what_else_may_be_said():
    named = paxman.Policy(model="openai:m")
    assert (named.allow_remote_inference, named.second_opinion, named.models) == (True, "with_the_call", ("openai:m",))
    plain = paxman.Policy(locale="de_DE")
    assert (plain.allow_remote_inference, plain.second_opinion, plain.models) == (False, "never", ())
    added = plain.naming("openai:m")
    assert (added.allow_remote_inference, added.second_opinion, added.locale) == (True, "with_the_call", "de_DE")
    told = paxman.Policy(allow_remote_inference=False, second_opinion="never").naming(["openai:m", "mistral:m"])
    assert (told.allow_remote_inference, told.second_opinion, len(told.models)) == (False, "never", 2)


def test_a_model_that_is_named_and_forbidden_is_told_and_not_asked(surroundings, files):
    with serve(answering(vessel="Marigold")) as server:
        place(surroundings, server)
        no = paxman.Policy(allow_remote_inference=False)
        artifact = paxman.normalize(TEXT, CONTRACT, policy=no, model="openai:gpt-4o-mini")
        told = run(*files[:-1], "--model", "openai:gpt-4o-mini", PAXMAN_ALLOW_REMOTE_INFERENCE="false")
    message = "model not asked: openai:gpt-4o-mini is named, but the policy forbids remote models"
    assert next((note.code, note.message) for note in artifact.diagnostics) == ("MODEL_NOT_ASKED", message)
    assert (server.seen, told.exit_code, message in told.output) == ([], 1, True)


REFUSED = b'{"error": {"message": "Incorrect API key provided: k-12345."}}'
TROUBLES = [
    (
        lambda handler, body: handler.send(REFUSED, 401),
        (),
        "openai:gpt-4o-mini: the server said: Incorrect API key provided: (hidden)",
    ),
    (saying("[", finish="length"), (), "openai:gpt-4o-mini: the model's answer was cut off at its limit"),
    (answering(), ("--max-calls", "0"), "openai:gpt-4o-mini was not asked: it would pass max_remote_inference_calls"),
    (
        answering(),
        ("--max-cost", "0.0001"),
        "model not asked: openai:gpt-4o-mini is named, but max_total_cost_usd is below 0.001, the least that inference "
        "costs",
    ),
]


@pytest.mark.parametrize(("behaviour", "flags", "told"), TROUBLES)
def test_why_a_model_gave_nothing_is_said(surroundings, files, tmp_path, behaviour, flags, told):
    with serve(behaviour) as server:
        place(surroundings, server)
        surroundings.setenv("OPENAI_API_KEY", "k-12345")
        one = run(*files, "--model", "openai:gpt-4o-mini", *flags)
        many = run("batch", "voyage.txt", *files[2:4], "-o", "out", "--model", "openai:gpt-4o-mini", *flags)
    artifact = json.loads(one.stdout)
    assert (one.stderr.splitlines(), one.exit_code) == ([told], 1)
    assert told in [note["message"] for note in artifact["diagnostics"]]
    assert f"1 documents: {told}" in many.stdout.splitlines()
    assert told in json.loads((tmp_path / "out/documents.jsonl").read_text())["reason"]
    assert "k-12345" not in one.output + many.output + (tmp_path / "out/fields.jsonl").read_text()


@pytest.mark.parametrize("way", ["flag", "environment", "file"])
def test_a_flag_a_variable_or_a_file_names_it(surroundings, files, tmp_path, way):
    with serve(answering(vessel="Marigold")) as server:
        place(surroundings, server)
        flags = ("--model", "openai:gpt-4o-mini") if way == "flag" else ()
        if way == "environment":
            surroundings.setenv("PAXMAN_MODEL", "openai:gpt-4o-mini")
        if way == "file":
            (tmp_path / "paxman.toml").write_text("model = 'openai:gpt-4o-mini'\n")
        told = run(*files, *flags)
    assert (told.exit_code, json.loads(told.stdout)["normalized_data"]["vessel"]) == (0, "Marigold")


def test_a_file_gives_the_address_and_the_price_of_a_named_model(surroundings, files, tmp_path):
    with serve(answering(vessel="Marigold")) as server:
        settings = (
            f"model = 'openai:house-model'\n[provider]\nuse = 'openai'\nbase_url = '{server.url}/v1'\nprice = [1, 2]\n"
        )
        (tmp_path / "paxman.toml").write_text(settings)
        told = run(*files)
        drop("openai:house-model")
    made = json.loads(told.stdout)
    assert (made["normalized_data"]["vessel"], server.seen[0]["model"]) == ("Marigold", "house-model")
    assert "Authorization" not in server.headers[0]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("openai:a-model-nobody-sells", "the price of 'a-model-nobody-sells' is not known"),
        ("opnai:gpt-4o", "no vendor named 'opnai'. Did you mean 'openai'?"),
        ("gpt-4o", "no vendor named 'gpt-4o'"),
        ("sk-123456abcdef", "model: it looks like a key"),
        ("azure:gpt-4o", "azure has no address: set AZURE_OPENAI_ENDPOINT"),
        ("ollama:m", "on another machine"),
    ],
)
def test_what_cannot_be_asked_says_what_to_do(surroundings, name, message):
    surroundings.setenv("OLLAMA_HOST", "models.example.com:11434")
    if name == "ollama:m":
        message = "the price of 'm' is not known"
    with pytest.raises(ConfigurationError) as caught:
        paxman.normalize(TEXT, CONTRACT, model=name)
    assert message in str(caught.value)
    assert "123456" not in str(caught.value)


def test_a_price_may_be_given_and_a_variable_of_one_model_is_not_for_two(surroundings):
    surroundings.setenv("PAXMAN_MODEL_PRICE", "1,2")
    plan = paxman.plan(TEXT, CONTRACT, model="openai:a-model-nobody-sells")
    assert plan.estimated_cost.usd == Decimal("0.10")
    with pytest.raises(ConfigurationError, match="PAXMAN_MODEL_PRICE is for one model, and 2 are named"):
        paxman.plan(TEXT, CONTRACT, model=["openai:gpt-4o", "openai:gpt-4o-mini"])


def test_a_registered_provider_is_named_by_its_name(surroundings):
    with serve(answering(vessel="Marigold")) as server, serve(answering(vessel="Marigold")) as other:
        for name, where in (("house", server), ("yard", other)):
            paxman.register_provider(OpenAI("m", where.url + "/v1", name=name, price=(1, 2)))
        try:
            artifact = paxman.normalize(TEXT, CONTRACT, model="house")
        finally:
            drop("house", "yard")
    assert (artifact["vessel"].value, len(server.seen), other.seen) == ("Marigold", 1, [])


@pytest.mark.parametrize("cap", ["0.01", "0.10", "1"])
@pytest.mark.parametrize("name", ["openai:gpt-4o-mini", "anthropic:claude-opus-4-5", "gemini:gemini-2.5-pro"])
def test_one_call_fits_the_cap(surroundings, name, cap):
    terms = named_model(name, Decimal(cap)).terms
    assert terms.call_usd <= Decimal(cap) or (terms.window_tokens, terms.max_output_tokens) == (500, 500)


def test_terms_without_a_price_stay_as_they_are():
    assert fitted(Terms(), None, Decimal("0.10")) == Terms()


PAGE = Picture(b"\x89PNG page", 1, 1500)
ASKED = Request("Find.", "<page>", {"type": "object", "properties": {"a": {"type": "string"}}}, 100, (PAGE,))
PACKED = base64.b64encode(PAGE.png).decode()


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (OpenAI, lambda body: body["messages"][1]["content"][1]["image_url"]["url"].partition(",")[2]),
        (Anthropic, lambda body: body["messages"][0]["content"][0]["source"]["data"]),
        (Gemini, lambda body: body["contents"][0]["parts"][0]["inlineData"]["data"]),
    ],
)
def test_pictures_go_beside_the_text_in_each_form(surroundings, make, found):
    with serve(saying('{"a": "x"}', (2000, 5))) as server:
        client = make("m", base_url=server.url, api_key=None, price=(1, 2))
        completion = client.complete(ASKED)
        client.close()
    assert (found(server.seen[0]), completion.text, completion.input_tokens) == (PACKED, '{"a": "x"}', 2000)


def test_pictures_are_paid_for_and_tell_questions_apart():
    bare = Request(ASKED.system, ASKED.prompt, ASKED.schema, ASKED.max_tokens)
    assert (ASKED.size - bare.size, ASKED.digest != bare.digest) == (1500, True)


@pytest.mark.parametrize(
    ("name", "size", "tokens"),
    [
        ("anthropic:claude-sonnet-4-5", (1091, 1543), 2378),
        ("openai:gpt-4o", (768, 1086), 1105),
        ("gemini:gemini-2.5-flash", (1086, 1536), 2322),
        ("mistral:pixtral-12b", (1089, 1540), 2145),
    ],
)
def test_a_page_is_as_large_as_the_vendor_reads(name, size, tokens):
    kind, _, model = name.partition(":")
    sight = KINDS[kind].sight(model)
    fitted_size = sight.fit(595, 842)
    assert sight.tokens(*fitted_size) <= sight.most_tokens
    assert max(fitted_size) <= sight.longest and min(fitted_size) <= sight.shortest
    assert abs(fitted_size[0] / fitted_size[1] - 595 / 842) < 0.01


def test_who_does_not_see():
    assert [KINDS[kind].sight("m") for kind in ("openai", "mistral", "ollama", "local")] == [None] * 4
    assert (Terms().sees, Terms(sees=True).sees, Terms(sees={"longest": 800}).sees) == (None, Sight(), Sight(800))
    with pytest.raises(ConfigurationError, match="sees is true, false or a table"):
        Terms(sees="yes")


def test_cached_tokens_are_read_and_priced():
    usage = {
        "input_tokens": 100,
        "output_tokens": 50,
        "cache_read_input_tokens": 3000,
        "cache_creation_input_tokens": 0,
    }
    blocks = [{"type": "tool_use", "name": "answer", "input": {"a": "x"}}]
    answer = json.dumps({"content": blocks, "stop_reason": "tool_use", "usage": usage}).encode()
    long = Request("Rules. " * 700, "page", {"type": "object", "properties": {}}, 100)
    with serve(lambda handler, body: handler.send(answer)) as server:
        client = Anthropic("claude-sonnet-4-5", None, server.url)
        found = [client.complete(each) for each in (long, ASKED)]
        client.close()
    marks = [[part.get("cache_control") for part in body["system"] if isinstance(part, dict)] for body in server.seen]
    assert marks == [[{"type": "ephemeral"}], []]
    assert (found[0].input_tokens, found[0].cached, found[0].written) == (3100, 3000, 0)
    assert client.terms.price.of(3100, 50, 3000) == Decimal("0.00195")
    openai = {"prompt_tokens": 3100, "completion_tokens": 50, "prompt_tokens_details": {"cached_tokens": 3000}}
    said = json.dumps({"choices": [{"message": {"content": "{}"}, "finish_reason": "stop"}], "usage": openai}).encode()
    with serve(lambda handler, body: handler.send(said)) as server:
        client = OpenAI("gpt-4o-mini", server.url)
        assert (client.complete(ASKED).cached, client.terms.price.cached) == (3000, Decimal("0.5"))
        client.close()


def test_explain_tells_what_each_call_took(surroundings, files):
    usage = {"prompt_tokens": 3100, "completion_tokens": 50, "prompt_tokens_details": {"cached_tokens": 3000}}

    def behave(handler, body):
        answers = {
            name: answer_to(body, name, {"vessel": ("Marigold", [], "aboard")}.get(name)) for name in asked(body)
        }
        handler.send(json.dumps({**completion(body, json.dumps(answers)), "usage": usage}).encode())

    with serve(behave) as server:
        place(surroundings, server)
        run(*files[:-1], "--model", "openai:gpt-4o-mini", "-o", "made.json")
        told = run("explain", "made.json", "--cost")
        found = json.loads(run("explain", "made.json", "--cost", "--json").stdout)
    call = {"model": "openai:gpt-4o-mini", "sent": 3100, "answered": 50, "kept": 3000, "keeps": 0, "pictures": []}
    (made,) = found["calls"]
    assert {name: made[name] for name in call} == call
    assert Decimal(found["cost_usd"]) == Decimal("0.00027")
    assert "openai:gpt-4o-mini\t3100\t3000\t0\t50\t\tvessel" in told.stdout


WORDS = [
    ('{"error": {"message": "Incorrect API key provided: key-one."}}', "Incorrect API key provided: (hidden)"),
    ('{"error": {"message": "Bad key sk-abc123 in use"}}', "Bad key (hidden) in use"),
    ('{"error": "model not found"}', "model not found"),
    ('[{"error": {"message": "API key not valid"}}]', "API key not valid"),
    ('{"message": "you sent: Marigold on 3 May 2024. Paid: 1.234,50"}', ""),
    ("<html>", ""),
    ('{"error": 7}', ""),
]


@pytest.mark.parametrize(("said", "told"), WORDS)
def test_a_server_is_quoted_without_keys_and_without_the_document(said, told):
    assert server_words(said, {"prompt": TEXT}, {"Authorization": "Bearer key-one"}) == told


@pytest.mark.parametrize("wrong", ["temperature", "seed"])
def test_a_parameter_that_the_server_turns_away_is_left_out(wrong):
    def behave(handler, body):
        if wrong in body:
            handler.send(json.dumps({"error": {"message": f"Unsupported value: '{wrong}'"}}).encode(), 400)
        else:
            answering(vessel="Marigold")(handler, body)

    with serve(behave) as server:
        paxman.register_provider(OpenAI("m", server.url + "/v1", price=(1, 2), terms=Terms(backoff_seconds=0)))
        try:
            made = paxman.normalize(TEXT, CONTRACT, policy=paxman.Policy(allow_remote_inference=True))
        finally:
            drop("openai")
    assert (made["vessel"].value, [wrong in body for body in server.seen]) == ("Marigold", [True, False])
