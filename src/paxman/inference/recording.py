"""Answers written down as they are given, and a provider that gives them again."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from paxman.errors import ConfigurationError, InferenceProviderError
from paxman.inference.calling import attempt_once, recall
from paxman.inference.provider import Completion, Price, Request, Terms, Tier, Wrapper, checked_tier, failure, to_terms
from paxman.serialization import canonical_json


@attrs.define(slots=False, eq=False)
class Recorder(Wrapper):
    """A provider that remembers what another one answered, failures included."""

    entries: dict[str, list[dict[str, Any]]] = attrs.field(factory=dict, repr=False)
    _lock: Any = attrs.field(factory=threading.Lock, init=False, repr=False)

    def complete(self, request: Request) -> Completion:
        """One attempt, written down."""
        try:
            completion = attempt_once(self.provider, request)
        except InferenceProviderError as error:
            self._add(request, {"message": error.message, "context": error.context})
            raise
        self._add(request, attrs.asdict(completion))
        return completion

    def recall(self, request: Request) -> Completion | None:
        known = recall(self.provider, request)
        if known is not None:
            self._add(request, {**attrs.asdict(known), "recalled": True})
        return known

    def _add(self, request: Request, entry: dict[str, Any]) -> None:
        with self._lock:
            self.entries.setdefault(request.digest, []).append(entry)

    def recording(self) -> Recording:
        """What was answered so far, as a provider."""
        with self._lock:
            entries = {digest: list(given) for digest, given in self.entries.items()}
        return Recording(self.name, self.tier, self.model, self.terms, entries)


@attrs.define(slots=False, eq=False)
class Recording:
    """A provider that gives recorded answers, in the order of the recording, and never calls a model."""

    name: str
    tier: Tier
    model: str
    terms: Terms = attrs.field(repr=False)
    entries: Mapping[str, list[dict[str, Any]]] = attrs.field(repr=False)
    _given: threading.local = attrs.field(factory=threading.local, init=False, repr=False)
    """How far each thread has come: threads that share a count would take each other's turns."""

    def complete(self, request: Request) -> Completion:
        """The recorded answer to this very request."""
        entry = self._next(request, recalled=False)
        if entry is None:
            raise failure("not_recorded", "the recording has no answer to this request", billed=False, sent=False)
        if "message" in entry:
            raise InferenceProviderError(entry["message"], context=entry["context"])
        return Completion(**entry)

    def recall(self, request: Request) -> Completion | None:
        """The recorded answer, if the provider remembered it when it was recorded."""
        entry = self._next(request, recalled=True)
        return Completion(**{name: value for name, value in entry.items() if name != "recalled"}) if entry else None

    def _next(self, request: Request, recalled: bool) -> dict[str, Any] | None:
        """The entry whose turn it is, if it is of this kind; after the last comes the first."""
        entries = self.entries.get(request.digest)
        if not entries:
            return None
        turns: dict[str, int] = self._given.__dict__
        turn = turns.get(request.digest, 0)
        entry: dict[str, Any] = entries[turn % len(entries)]
        if entry.get("recalled", False) is not recalled:
            return None
        turns[request.digest] = turn + 1
        return entry

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the recording as JSON; it holds what the models said."""
        terms = {**attrs.asdict(self.terms), "price": _written(self.terms.price)}
        data = {"name": self.name, "tier": self.tier, "model": self.model, "terms": terms, "entries": self.entries}
        Path(path).write_bytes(canonical_json(data))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Recording:
        """The recording that `save` wrote."""
        try:
            data = json.loads(Path(path).read_bytes())
            return cls(
                data["name"], checked_tier(data["tier"]), data["model"], to_terms(data["terms"]), data["entries"]
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is no recording"
            raise ConfigurationError(f"{os.fspath(path)} cannot be read: {reason}") from None


def _written(price: Price) -> dict[str, Any]:
    larger = [[tokens, str(paid), str(earned)] for tokens, paid, earned in price.larger]
    told = {"input": price.input, "output": price.output, "cached": price.cached, "written": price.written}
    return {**{name: str(value) for name, value in told.items()}, "larger": larger}
