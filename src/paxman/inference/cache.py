"""Answers kept in SQLite, shared by many processes."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
from typing import Any

import attrs

from paxman.errors import ConfigurationError, InferenceProviderError
from paxman.inference.prompting import members_of
from paxman.inference.provider import Completion, Request, Wrapper
from paxman.serialization import canonical_json

_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS answers "
    "(key TEXT PRIMARY KEY, text TEXT NOT NULL, input_tokens INTEGER, output_tokens INTEGER) WITHOUT ROWID"
)
_PATIENCE_SECONDS = 10


def _answers_all(request: Request, completion: Completion) -> bool:
    keys = list(request.schema.get("properties", ()))
    try:
        return completion.complete and set(keys) <= members_of(completion, keys).keys()
    except InferenceProviderError:
        return False


@attrs.define(slots=False, eq=False)
class Cached(Wrapper):
    """A provider whose whole answers are kept; a question that was answered before costs nothing.

    The key is over model, instructions, prompt, schema and parameters. A file that cannot be used is ignored.
    """

    path: str = attrs.field(converter=os.fspath)
    _local: Any = attrs.field(factory=threading.local, init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        try:
            os.makedirs(os.path.dirname(os.path.abspath(self.path)), exist_ok=True)
        except OSError as error:
            raise ConfigurationError(f"{self.path} cannot keep answers: {error.strerror}") from None

    def recall(self, request: Request) -> Completion | None:
        """The kept answer."""
        query = "SELECT text, input_tokens, output_tokens FROM answers WHERE key = ?"
        try:
            row = self._connection().execute(query, (self._key(request),)).fetchone()
        except sqlite3.Error:
            return None
        known = Completion(*row) if row and isinstance(row[0], str) else None
        return known if known and _answers_all(request, known) else None

    def complete(self, request: Request) -> Completion:
        """Ask, and keep a complete answer."""
        completion = self.provider.complete(request)
        if _answers_all(request, completion):
            self._keep(request, completion)
        return completion

    def _keep(self, request: Request, completion: Completion) -> None:
        row = (self._key(request), completion.text, completion.input_tokens, completion.output_tokens)
        try:
            with self._connection() as connection:
                connection.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", row)
        except sqlite3.Error:
            return

    def _key(self, request: Request) -> str:
        extra = getattr(self.provider, "extra", {})
        place = getattr(self.provider, "base_url", None) or getattr(self.provider, "path", "")
        parts = [self.model, place, extra, request.digest]
        return hashlib.sha256(canonical_json(parts)).hexdigest()

    def _connection(self) -> sqlite3.Connection:
        """One connection per thread and process; a forked child must not use its parent's."""
        if getattr(self._local, "owner", None) != os.getpid():
            connection = sqlite3.connect(self.path, timeout=_PATIENCE_SECONDS)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute(_SCHEMA)
            connection.commit()
            self._local.connection, self._local.owner = connection, os.getpid()
        kept: sqlite3.Connection = self._local.connection
        return kept

    def __getstate__(self) -> dict[str, Any]:
        return {"provider": self.provider, "path": self.path}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _local=threading.local())
