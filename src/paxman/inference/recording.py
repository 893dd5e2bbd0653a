"""Answers written down as they are given, and a provider that gives them again."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from paxman.errors import InferenceProviderError
from paxman.inference.calling import recall
from paxman.inference.provider import Completion, Price, Provider, Request, Terms, Tier, checked_tier, failure
from paxman.serialization import canonical_json


@attrs.define(slots=False, eq=False)
class Recorder:
    """A provider that remembers what another one answered, failures included."""

    provider: Provider
    entries: dict[str, list[dict[str, Any]]] = attrs.field(factory=dict, repr=False)
    _lock: Any = attrs.field(factory=threading.Lock, init=False, repr=False)

    @property
    def name(self) -> str:
        return self.provider.name

    @property
    def tier(self) -> Tier:
        return self.provider.tier

    @property
    def model(self) -> str:
        return self.provider.model

    @property
    def terms(self) -> Terms:
        return self.provider.terms

    def complete(self, request: Request) -> Completion:
        """One attempt, written down."""
        try:
            completion = self.provider.complete(request)
        except InferenceProviderError as error:
            self._add(request, {"message": error.message, "context": error.context})
            raise
        self._add(request, attrs.asdict(completion))
        return completion

    def recall(self, request: Request) -> Completion | None:
        return recall(self.provider, request)

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
    _given: dict[str, int] = attrs.field(factory=dict, init=False, repr=False)
    _lock: Any = attrs.field(factory=threading.Lock, init=False, repr=False)

    def complete(self, request: Request) -> Completion:
        """The recorded answer to this very request."""
        entries = self.entries.get(request.digest)
        if not entries:
            raise failure("not_recorded", "the recording has no answer to this request", billed=False)
        with self._lock:
            turn = self._given.get(request.digest, 0)
            self._given[request.digest] = turn + 1
        entry = entries[turn % len(entries)]
        if "message" in entry:
            context = entry["context"]
            raise failure(context["reason"], entry["message"], **{k: v for k, v in context.items() if k != "reason"})
        return Completion(**entry)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the recording as JSON; it holds what the models said."""
        terms = {**attrs.asdict(self.terms), "price": [str(self.terms.price.input), str(self.terms.price.output)]}
        data = {"name": self.name, "tier": self.tier, "model": self.model, "terms": terms, "entries": self.entries}
        Path(path).write_bytes(canonical_json(data))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Recording:
        data = json.loads(Path(path).read_bytes())
        terms = Terms(**{**data["terms"], "price": Price(*data["terms"]["price"])})
        return cls(data["name"], checked_tier(data["tier"]), data["model"], terms, data["entries"])
