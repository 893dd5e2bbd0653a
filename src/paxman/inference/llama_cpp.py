"""A GGUF file run in this process."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from paxman.errors import ConfigurationError
from paxman.inference.http import is_too_large
from paxman.inference.openai import chat_body, read_completion
from paxman.inference.provider import Completion, Request, Terms, Tier, check_extra, failure, to_terms
from paxman.inference.secrets import check_no_keys

_QUIET = -1


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
    _server: Any = attrs.field(default=None, init=False, repr=False)
    _lock: Any = attrs.field(factory=threading.Lock, init=False, repr=False)

    @model.default
    def _model(self) -> str:
        return Path(self.path).stem

    def complete(self, request: Request) -> Completion:
        """One attempt."""
        body = {**chat_body(request), "cache_prompt": False, **self.extra}
        with self._lock:
            self._server = self._server or self._load()
            try:
                data = self._server.handle_chat_completions(body)
            except Exception as error:
                raise failure("failed", f"the model raised {type(error).__name__}") from None
        if not isinstance(data, dict) or "error" in data:
            reason = "too_large" if is_too_large(str(data)) else "refused"
            raise failure(reason, "the model refused the request: it may not fit the context", billed=False)
        return read_completion(data)

    @property
    def address(self) -> str:
        """Where the loaded model also answers over HTTP, on loopback."""
        with self._lock:
            self._server = self._server or self._load()
        return str(self._server.listening_address)

    def _load(self) -> Any:
        try:
            import xllamacpp
        except ImportError:
            raise ConfigurationError("local models need xllamacpp: pip install 'paxman[local]'") from None
        if not os.path.isfile(self.path):
            raise failure("unconfigured", f"there is no model at {self.path}", billed=False, sent=False)
        params = xllamacpp.CommonParams()
        params.model.path = self.path
        params.n_ctx = self.terms.window_tokens + self.terms.output_tokens
        params.n_parallel = 1
        params.port = 0
        params.verbosity = _QUIET
        params.warmup = False
        params.cpuparams.n_threads = self.threads
        if self.gpu_layers is not None:
            params.n_gpu_layers = self.gpu_layers
        return xllamacpp.Server(params)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_server", "_lock")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _server=None, _lock=threading.Lock())
