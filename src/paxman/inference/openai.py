"""Any endpoint that speaks OpenAI's chat completions: OpenAI, Azure, Ollama, vLLM, llama.cpp's server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from paxman.errors import InferenceProviderError
from paxman.inference.http import RENAMED_LIMIT, Connected, check_url, post
from paxman.inference.pricing import with_price
from paxman.inference.provider import (
    Completion,
    Request,
    Terms,
    Tier,
    check_extra,
    check_seconds,
    checked_tier,
    failure,
    to_count,
    to_terms,
)
from paxman.inference.secrets import check_no_keys, check_reference, check_values, resolve, resolve_all
from paxman.types import thaw

OPENAI_URL = "https://api.openai.com/v1"


@attrs.define(slots=False, eq=False)
class OpenAI(Connected):
    """A model behind chat completions. `extra` adds to the request's body, never what bounds its cost or its answer.

    A `temperature` or `response_format` of None is left out, for models that refuse it. A value of `headers` may be a
    reference such as `env:NAME`; one that looks like a key must be.

    `price` is US dollars per million tokens of input and output, from genai-prices if it is not given.
    """

    model: str
    base_url: str = OPENAI_URL
    api_key: str | None = attrs.field(default=None, validator=check_reference)
    tier: Tier = attrs.field(default="remote", converter=checked_tier)
    name: str = "openai"
    price: Any = attrs.field(default=None, repr=False)
    timeout: float = attrs.field(default=60.0, validator=check_seconds)
    extra: Mapping[str, Any] = attrs.field(factory=dict, repr=False, validator=[check_extra, check_no_keys])
    headers: Mapping[str, str] = attrs.field(factory=dict, repr=False, validator=check_values)
    key_header: str = "Authorization"
    terms: Terms = attrs.field(factory=Terms, converter=to_terms)
    _limit: str = attrs.field(default="max_tokens", init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self.base_url = check_url(self.base_url, self.tier)
        own_url = self.base_url == OPENAI_URL
        self._limit = RENAMED_LIMIT if own_url else "max_tokens"
        self.terms = with_price(self.terms, self.model, "openai", self.tier, self.price, own_url)

    def complete(self, request: Request) -> Completion:
        """One attempt."""
        headers = {**resolve_all(self.headers), **self._authorization()}
        body = self._body(request)
        path = "" if self.base_url.endswith("/chat/completions") or "?" in self.base_url else "/chat/completions"
        try:
            return read_completion(post(self._client, self.base_url + path, headers, body, self.timeout))
        except InferenceProviderError as error:
            if error.context.get("reason") == RENAMED_LIMIT:
                self._limit = RENAMED_LIMIT
            raise

    def _authorization(self) -> dict[str, str]:
        key = resolve(self.api_key)
        if key is None:
            return {}
        return {self.key_header: f"Bearer {key}" if self.key_header == "Authorization" else key}

    def _body(self, request: Request) -> dict[str, Any]:
        own = {"cache_prompt": False} if self.tier == "local" else {}
        body = {"model": self.model, **chat_body(request, self._limit), **own, **thaw(self.extra)}
        return {name: value for name, value in body.items() if value is not None}


def chat_body(request: Request, limit: str = "max_tokens") -> dict[str, Any]:
    """The request as chat completions want it, bound to the schema."""
    schema = {"name": "answer", "strict": True, "schema": thaw(request.schema)}
    return {
        "messages": [
            {"role": "system", "content": request.system},
            {"role": "user", "content": request.prompt},
        ],
        "response_format": {"type": "json_schema", "json_schema": schema},
        "temperature": 0,
        "seed": 0,
        limit: request.max_tokens,
    }


def read_completion(data: Mapping[str, Any]) -> Completion:
    """The completion in an answer of chat completions."""
    try:
        choice = data["choices"][0]
        text, reason = choice["message"]["content"], choice.get("finish_reason")
    except (KeyError, IndexError, TypeError, AttributeError):
        raise failure("malformed", "the server's answer holds no completion") from None
    if reason == "content_filter":
        raise failure("filtered", "the provider's content filter withheld the answer")
    usage = data.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    return Completion(
        text if isinstance(text, str) else "",
        to_count(counts.get("prompt_tokens")),
        to_count(counts.get("completion_tokens")),
        reason != "length",
    )
