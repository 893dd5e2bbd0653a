"""A GGUF file run on this machine, in a helper process without network."""

from __future__ import annotations

import json
import os
import threading
import weakref
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import attrs

from paxman.documents.sandbox.helper import UnreadableError
from paxman.documents.sandbox.pool import Helper, HelperDied, start
from paxman.errors import ConfigurationError, to_install
from paxman.inference.clients import chat_body, read_completion
from paxman.inference.http import is_too_large
from paxman.inference.provider import Completion, Request, Terms, Tier, check_extra, failure, to_terms
from paxman.inference.secrets import check_no_keys

_SECONDS = 3600.0
"""For one answer; a large model on a slow machine takes minutes."""


@attrs.define(slots=False, eq=False)
class LlamaCpp:
    """A model in a GGUF file, loaded at the first question; questions are answered one at a time.

    It takes half of the cores: threads that must wait for a busy core made it ten times slower.
    """

    path: str = attrs.field(converter=os.fspath)
    name: str = "llama_cpp"
    model: str = attrs.field()
    threads: int = attrs.field(factory=lambda: max((os.cpu_count() or 1) // 2, 1))
    gpu_layers: int | None = None
    extra: Mapping[str, Any] = attrs.field(factory=dict, repr=False, validator=[check_extra, check_no_keys])
    terms: Terms = attrs.field(factory=lambda: Terms(window_tokens=4096, attempts=1), converter=to_terms)
    tier: Tier = attrs.field(default="local", init=False)
    _helper: Helper | None = attrs.field(default=None, init=False, repr=False)
    _lock: Any = attrs.field(factory=threading.Lock, init=False, repr=False)

    @model.default
    def _model(self) -> str:
        return Path(self.path).stem

    def complete(self, request: Request) -> Completion:
        """One attempt."""
        body = {**chat_body(request), "cache_prompt": False, **self.extra}
        with self._lock:
            data = self._ask(json.dumps(body).encode())
        if not isinstance(data, dict) or "error" in data:
            reason = "too_large" if is_too_large(str(data)) else "refused"
            raise failure(reason, "the model refused the request: it may not fit the context", billed=False)
        return read_completion(data)

    def _ask(self, body: bytes) -> Any:
        helper = self._started()
        try:
            meta = helper.call(self._header(), body, _SECONDS).meta
        except HelperDied as death:
            self._helper = None
            raise failure("failed", f"the process of the model ended ({death.cause})") from None
        if "reply" not in meta:
            raise failure("failed", f"the model raised {meta.get('raised', 'an error')}")
        return meta["reply"]

    def _header(self) -> dict[str, Any]:
        options = {
            "path": os.path.abspath(self.path),
            "context_tokens": self.terms.window_tokens + self.terms.output_tokens,
            "threads": self.threads,
            "gpu_layers": self.gpu_layers,
        }
        return {"job": "model", "options": options, "memory_mb": None, "seconds": _SECONDS}

    def _started(self) -> Helper:
        if self._helper is None or self._helper.owner != os.getpid():
            self._helper = self._start()
        return self._helper

    def _start(self) -> Helper:
        if find_spec("xllamacpp") is None:
            raise ConfigurationError(f"local models need xllamacpp: {to_install('local')}")
        if not os.path.isfile(self.path):
            raise failure("unconfigured", f"there is no model at {self.path}", billed=False, sent=False)
        try:
            helper = start("model")
        except UnreadableError as error:
            raise failure("unconfigured", f"{error.reason}. {error.advice}", billed=False, sent=False) from None
        weakref.finalize(self, helper.stop)
        return helper

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_helper", "_lock")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _helper=None, _lock=threading.Lock())
