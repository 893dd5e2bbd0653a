"""What asking a model adds: time beyond the call itself, calls per document, and how often it is needed."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx

import paxman
from benchmarks.measure import Measure, best_of_each
from paxman.contract import adapt
from paxman.inference import Completion, OpenAI, Request, Terms
from paxman.inference.clients import chat_body
from paxman.inference.prompting import build_request
from paxman.planner.registry import CAPABILITIES

_BENCH = Path(__file__).resolve().parents[2] / "shared" / "bench"
_NAMES = ("vessel", "captain", "cargo", "departure", "weather")
_TEXT = "The Marigold left on 3 May 2024 under Ingrid Holm, laden with rye, in fair winds.\n" * 12
_CONTRACT = {
    "id": "voyage",
    "version": "1",
    "fields": [{"name": name, "type": "STRING", "required": True, "description": name} for name in _NAMES],
}
_QUOTES = ("Marigold", "Ingrid Holm", "rye", "3 May 2024", "fair winds")
_ANSWER = json.dumps({n: {"quote": q, "line": None} for n, q in zip(_NAMES, _QUOTES, strict=True)})
_BODY = json.dumps(
    {
        "choices": [{"message": {"content": _ANSWER}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 90},
    }
).encode()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    calls = 0

    def do_POST(self) -> None:
        _Handler.calls += 1
        self.rfile.read(int(self.headers["Content-Length"]))
        head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(_BODY)}\r\n\r\n".encode()
        self.wfile.write(head + _BODY)

    def log_message(self, *args: Any) -> None:
        return


class _Silent:
    """A local model that finds nothing and counts what it is asked."""

    name, model, terms = "silent", "silent", Terms(window_tokens=100_000)
    tier = "local"

    def __init__(self) -> None:
        self.asked = 0

    def complete(self, request: Request) -> Completion:
        names = list(request.schema["properties"])
        self.asked += len(names)
        return Completion(json.dumps({name: {"quote": None, "line": None} for name in names}), 10_000, 100)


def measures() -> Iterator[Measure]:
    with _server() as url:
        provider = OpenAI("small", f"{url}/v1", tier="local")
        overhead, calls = _overhead(provider, url)
        provider.close()
    yield Measure("asking a model for 5 fields, beyond the HTTP call", overhead, 3, "ms")
    yield Measure("calls for 5 fields of one document", calls, 1, "calls")
    if (_BENCH / "deepform_adbuy").is_dir():
        yield Measure("ad buys: fields that needed a model", _needed("deepform_adbuy"), 50, "%")


def _overhead(provider: OpenAI, url: str) -> tuple[float, float]:
    contract = adapt(_CONTRACT)
    body = {"model": "small", **chat_body(build_request(contract.leaves, _TEXT, 2000))}
    with httpx.Client() as client, _registered(provider):
        paxman.normalize(_TEXT, contract)
        _Handler.calls = 0
        assert paxman.normalize(_TEXT, contract)["captain"].value == "Ingrid Holm"
        calls = _Handler.calls
        without = paxman.Policy(allow_local_inference=False)
        asked, plain, called = best_of_each(
            (
                lambda: paxman.normalize(_TEXT, contract),
                lambda: paxman.normalize(_TEXT, contract, policy=without),
                lambda: client.post(f"{url}/v1/chat/completions", json=body).json(),
            ),
            rounds=60,
        )
    return (asked - plain - called) * 1000, calls


def _needed(dataset: str) -> float:
    """The share of fields that the free steps leave below their target."""
    contract = _BENCH / "contracts" / f"{dataset}.json"
    model, fields = _Silent(), 0
    with _registered(model):
        for document in sorted((_BENCH / dataset / "dev").glob("*.txt")):
            artifact = paxman.normalize(document, contract, policy=paxman.Policy(optional_fields="all"))
            fields += len(artifact.field_results)
    return 100 * model.asked / fields


@contextmanager
def _registered(provider: Any) -> Iterator[None]:
    paxman.register_provider(provider)
    try:
        yield
    finally:
        CAPABILITIES.providers.unregister(provider.name)


@contextmanager
def _server() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
