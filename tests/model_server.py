"""A model's server on loopback that answers, or misbehaves, as it is told."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class ModelServer(ThreadingHTTPServer):
    """`script` holds one behaviour per request, the last of them for good; `seen` holds what was asked."""

    daemon_threads = True

    def __init__(self, *script, shape="openai"):
        super().__init__(("127.0.0.1", 0), Handler)
        self.script, self.shape, self.seen, self.headers, self.connections = list(script), shape, [], [], 0
        self.released = threading.Event()
        self.lock = threading.Lock()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def next(self):
        with self.lock:
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def handle_error(self, request, client_address):
        pass


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        with self.server.lock:
            self.server.connections += 1

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.seen.append(body)
            self.server.headers.append(dict(self.headers))
        self.server.next()(self, body)

    def send(self, content, status=200, headers=(), length=None):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content) if length is None else length))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args):
        pass


def asked(body):
    """The names of the fields that a request asks for."""
    if "tools" in body:
        return list(body["tools"][0]["input_schema"]["properties"])
    if "generationConfig" in body:
        return list(body["generationConfig"]["responseJsonSchema"]["properties"])
    return list(body["response_format"]["json_schema"]["schema"]["properties"])


def completion(body, text, usage=(1000, 100), finish="stop"):
    if "tools" in body:
        blocks = [{"type": "tool_use", "name": "answer", "input": json.loads(text)}]
        counts = {"input_tokens": usage[0], "output_tokens": usage[1]} if usage else None
        return {"content": blocks, "stop_reason": "tool_use", "usage": counts}
    if "generationConfig" in body:
        counts = {"promptTokenCount": usage[0], "candidatesTokenCount": usage[1]} if usage else {}
        return {
            "candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP"}],
            "usageMetadata": counts,
        }
    counts = {"prompt_tokens": usage[0], "completion_tokens": usage[1]} if usage else None
    return {"choices": [{"message": {"content": text}, "finish_reason": finish}], "usage": counts}


def lines_with(body, value):
    """The numbers of the lines that were shown and have a text in them."""
    shown = (line.partition("| ") for line in json.dumps(body, ensure_ascii=False).split("\\n"))
    return [int(number) for number, mark, text in shown if mark and number.isdigit() and str(value) in text][:1]


def answer_to(body, name, value):
    """An answer in the form that is asked: a value, (value, lines, label), a list of values or of rows."""
    if isinstance(value, list):
        rows = [row if isinstance(row, dict) else {"value": row} for row in value]
        return {"rows": [{"line": (lines_with(body, next(iter(row.values()))) or [None])[0], **row} for row in rows]}
    value, lines, label = (*value, None, None)[:3] if isinstance(value, tuple) else (value, None, None)
    lines = lines_with(body, value) if lines is None and value is not None else lines or []
    return {"value": value, "lines": lines, "label": label}


def answering(usage=(1000, 100), **values):
    """Answers every field that is asked; what is not given is absent."""

    def behave(handler, body):
        answers = {name: answer_to(body, name, values.get(name)) for name in asked(body)}
        handler.send(json.dumps(completion(body, json.dumps(answers), usage)).encode())

    return behave


def saying(text, usage=(1000, 100), finish="stop"):
    """Answers with this very text."""
    return lambda handler, body: handler.send(json.dumps(completion(body, text, usage, finish)).encode())


def status(code, *headers):
    said = b'{"error": {"message": "Bad key sk-secret-leaked by the server"}}'
    return lambda handler, body: handler.send(said, code, headers)


def raw(content, length=None):
    """Answers with these bytes; a larger length than that means that the connection breaks in the middle."""

    def behave(handler, body):
        handler.send(content, length=length)
        handler.close_connection = True

    return behave


def silent(handler, body):
    handler.server.released.wait(30)


def dripping(handler, body):
    handler.send(b"", length=10_000)
    for _ in range(200):
        if handler.server.released.wait(0.05):
            return
        handler.wfile.write(b" ")
        handler.wfile.flush()


@contextmanager
def serve(*script):
    server = ModelServer(*script)
    thread = threading.Thread(target=lambda: server.serve_forever(0.01), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        server.server_close()
        thread.join()


def close_models():
    """Close the connections of models that were named, and forget them."""
    from paxman.api import registration
    from paxman.inference import environment

    for registry in registration._with_models.values():
        for provider in registry.providers:
            getattr(provider, "close", lambda: None)()
    registration._with_models.clear()
    environment._named.cache_clear()
