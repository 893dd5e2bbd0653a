"""A review that is really served, in a thread of the tests."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn

from paxman.contract.alternatives import adapt_all
from paxman.review.desk import ReviewDesk
from paxman.review.queue import find_documents
from paxman.review.server import make_app

TOKEN = "a-token-of-the-tests"


class Served:
    """A desk with the address of its page, and a client that speaks as the page does."""

    def __init__(self, desk: ReviewDesk, port: int) -> None:
        self.desk, self.port = desk, port
        self.home = f"http://127.0.0.1:{port}"
        self.address = f"{self.home}/?token={TOKEN}"

    def ask(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """The status, and the JSON or text of an answer."""
        sent = {"Cookie": f"paxman-review-{self.port}={TOKEN}", "Origin": self.home, "Content-Type": "application/json"}
        given = {**sent, **{name.replace("_", "-"): value for name, value in headers.items()}}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.home + path, data, {name: value for name, value in given.items() if value}
        )
        try:
            with urllib.request.urlopen(request) as answer:
                status, kind, text = (
                    answer.status,
                    answer.headers["content-type"],
                    answer.read().decode("utf-8", "replace"),
                )
        except urllib.error.HTTPError as error:
            status, kind, text = error.code, error.headers["content-type"], error.read().decode()
        return status, json.loads(text) if kind and kind.startswith("application/json") else text

    def act(self, number: int, verb: str, **body: Any) -> tuple[int, Any]:
        return self.ask(f"/document/{number}/{verb}", {"by": "Ada", "version": 0, **body})

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.desk.examples.read_text("utf-8").splitlines()]


@contextlib.contextmanager
def serving(sources: list[Path], contracts: Any, folder: Path) -> Iterator[Served]:
    desk = ReviewDesk(folder, adapt_all(contracts) if contracts is not None else None)
    desk.fill(find_documents(sources, folder))
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        config = uvicorn.Config(make_app(desk, TOKEN, port, "Ada"), log_level="critical", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield Served(desk, port)
        finally:
            server.should_exit = True
            thread.join()
            desk.close()
