"""Models behind HTTP in the three forms that vendors speak: OpenAI's chat completions, Anthropic's, Gemini's."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import attrs

from paxman.errors import InferenceProviderError
from paxman.inference.http import RENAMED_LIMIT, UNWANTED, check_url, make_client, post
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

if TYPE_CHECKING:
    import httpx

OPENAI_URL = "https://api.openai.com/v1"
ANTHROPIC_URL = "https://api.anthropic.com"
GEMINI_URL = "https://generativelanguage.googleapis.com"
_VERSION = "2023-06-01"
_TOOL = "answer"
_FEWEST_CACHED = 1024
"""Tokens from which on Anthropic keeps the first part of a question; some models want more and ignore the mark."""


@attrs.define(slots=False, eq=False, kw_only=True)
class Connected:
    """A model's server. It keeps its connections between calls; a copy of it in another process opens its own.

    `extra` adds to the request's body, never what bounds its cost or its answer. A value of `headers` may be a
    reference such as `env:NAME`; one that looks like a key must be. `price` is US dollars per million tokens of input
    and output, from genai-prices if it is not given. `vendor` names the table of prices.
    """

    home: ClassVar[str]
    model: str
    base_url: str
    api_key: str | None
    tier: Tier = attrs.field(default="remote", converter=checked_tier)
    vendor: str
    name: str
    price: Any = attrs.field(default=None, repr=False)
    timeout: float = attrs.field(default=60.0, validator=check_seconds)
    extra: Mapping[str, Any] = attrs.field(factory=dict, repr=False, validator=[check_extra, check_no_keys])
    headers: Mapping[str, str] = attrs.field(factory=dict, repr=False, validator=check_values)
    terms: Terms = attrs.field(factory=Terms, converter=to_terms)
    _unwanted: frozenset[str] = attrs.field(default=frozenset(), init=False, repr=False)
    """Parameters that the server said it does not take."""

    def __attrs_post_init__(self) -> None:
        self.base_url = check_url(self.base_url, self.tier)
        own_url = self.base_url == self.home
        self.terms = with_price(self.terms, self.model, self.vendor, self.tier, self.price, own_url)

    def complete(self, request: Request) -> Completion:
        """One attempt; a parameter that the server turns away is left out from then on."""
        key = resolve(self.api_key)
        url, headers, body = self._message(request, key)
        sent = {name: value for name, value in body.items() if value is not None and name not in self._unwanted}
        try:
            return self._read(post(self._client, url, {**resolve_all(self.headers), **headers}, sent, self.timeout))
        except InferenceProviderError as error:
            if error.context.get("reason") in (RENAMED_LIMIT, *UNWANTED):
                self._unwanted |= {error.context["reason"]}
            raise

    def _message(self, request: Request, key: str | None) -> tuple[str, dict[str, str], dict[str, Any]]:
        raise NotImplementedError

    def _read(self, data: Mapping[str, Any]) -> Completion:
        raise NotImplementedError

    @cached_property
    def _client(self) -> httpx.Client:
        return make_client(self.timeout, self.tier)

    def close(self) -> None:
        """Close the kept connections; the next call opens new ones."""
        client = self.__dict__.pop("_client", None)
        if client is not None:
            client.close()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_client"}


@attrs.define(slots=False, eq=False)
class OpenAI(Connected):
    """A model behind chat completions: OpenAI, Azure, Mistral, Ollama, vLLM, llama.cpp's server.

    A `temperature` or `response_format` of None in `extra` is left out, for models that refuse it.
    """

    home = OPENAI_URL
    model: str
    base_url: str = OPENAI_URL
    api_key: str | None = attrs.field(default=None, validator=check_reference)
    vendor: str = attrs.field(default="openai", kw_only=True)
    name: str = attrs.field(default="openai", kw_only=True)
    key_header: str = attrs.field(default="Authorization", kw_only=True)

    def _message(self, request: Request, key: str | None) -> tuple[str, dict[str, str], dict[str, Any]]:
        path = "" if self.base_url.endswith("/chat/completions") or "?" in self.base_url else "/chat/completions"
        bearer = f"Bearer {key}" if self.key_header == "Authorization" else key
        renamed = RENAMED_LIMIT in self._unwanted or self.base_url == OPENAI_URL
        own = {"cache_prompt": False} if self.tier == "local" else {}
        body = {"model": self.model, **chat_body(request, RENAMED_LIMIT if renamed else "max_tokens"), **own}
        if self.vendor == "mistral":  # which refuses what it does not know
            body["random_seed"] = body.pop("seed")
        kept = self._unwanted - {RENAMED_LIMIT}
        body = {name: value for name, value in body.items() if name not in kept}
        return self.base_url + path, {self.key_header: bearer} if key and bearer else {}, {**body, **thaw(self.extra)}

    def _read(self, data: Mapping[str, Any]) -> Completion:
        return read_completion(data)


def chat_body(request: Request, limit: str = "max_tokens") -> dict[str, Any]:
    """The request as chat completions want it, bound to the schema."""
    schema = {"name": "answer", "strict": True, "schema": request.strict_schema}
    pictures = [
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{_packed(each.png)}"}}
        for each in request.pictures
    ]
    content = [{"type": "text", "text": request.prompt}, *pictures] if pictures else request.prompt
    return {
        "messages": [{"role": "system", "content": request.system}, {"role": "user", "content": content}],
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
    usage = _table(data.get("usage"))
    return Completion(
        text if isinstance(text, str) else "",
        to_count(usage.get("prompt_tokens")),
        to_count(usage.get("completion_tokens")),
        reason != "length",
        to_count(_table(usage.get("prompt_tokens_details")).get("cached_tokens")) or 0,
    )


@attrs.define(slots=False, eq=False)
class Anthropic(Connected):
    """A model behind the messages endpoint, bound to the schema by a tool that it must use."""

    home = ANTHROPIC_URL
    model: str
    api_key: str | None = attrs.field(default="env:ANTHROPIC_API_KEY", validator=check_reference)
    base_url: str = ANTHROPIC_URL
    vendor: str = attrs.field(default="anthropic", kw_only=True)
    name: str = attrs.field(default="anthropic", kw_only=True)

    def _message(self, request: Request, key: str | None) -> tuple[str, dict[str, str], dict[str, Any]]:
        """The tool and the instructions come first and are the same for every document: from there on it is kept."""
        tool = {"name": _TOOL, "description": "The answer.", "input_schema": thaw(request.schema)}
        system: dict[str, Any] = {"type": "text", "text": request.system}
        if request.static_size // 4 >= _FEWEST_CACHED:
            system["cache_control"] = {"type": "ephemeral"}
        sources = [
            {"type": "base64", "media_type": "image/png", "data": _packed(each.png)} for each in request.pictures
        ]
        content = [*({"type": "image", "source": each} for each in sources), {"type": "text", "text": request.prompt}]
        body = {
            "model": self.model,
            "max_tokens": request.max_tokens,
            "temperature": 0,
            "system": [system] if "cache_control" in system else request.system,
            "messages": [{"role": "user", "content": content if sources else request.prompt}],
            "tools": [tool],
            "tool_choice": {"type": "tool", "name": _TOOL},
            **thaw(self.extra),
        }
        headers = {"anthropic-version": _VERSION, **({"x-api-key": key} if key else {})}
        return f"{self.base_url}/v1/messages", headers, body

    def _read(self, data: Mapping[str, Any]) -> Completion:
        blocks = data.get("content")
        if not isinstance(blocks, list):
            raise failure("malformed", "the server's answer holds no completion")
        inputs = [b.get("input") for b in blocks if isinstance(b, dict) and b.get("type") == "tool_use"]
        complete = data.get("stop_reason") != "max_tokens"
        given = inputs[0] if inputs else None
        if not complete and isinstance(given, dict):
            # The server closes what was cut off; only the last member can be a part.
            given = dict(list(given.items())[:-1])
        text = "" if given is None else json.dumps(given, ensure_ascii=False)
        usage = _table(data.get("usage"))
        fresh = to_count(usage.get("input_tokens"))
        read, written = (to_count(usage.get(f"cache_{kind}_input_tokens")) or 0 for kind in ("read", "creation"))
        # Tokens that went through Anthropic's own cache are counted apart; all of them were sent.
        sent = None if fresh is None else fresh + read + written
        return Completion(text, sent, to_count(usage.get("output_tokens")), complete, read, written)


@attrs.define(slots=False, eq=False)
class Gemini(Connected):
    """A model behind generateContent; `extra` adds to the generationConfig."""

    home = GEMINI_URL
    model: str
    api_key: str | None = attrs.field(default="env:GEMINI_API_KEY", validator=check_reference)
    base_url: str = GEMINI_URL
    vendor: str = attrs.field(default="google", kw_only=True)
    name: str = attrs.field(default="gemini", kw_only=True)

    def _message(self, request: Request, key: str | None) -> tuple[str, dict[str, str], dict[str, Any]]:
        config = {
            "temperature": 0,
            "seed": 0,
            "maxOutputTokens": request.max_tokens,
            "responseMimeType": "application/json",
            "responseJsonSchema": thaw(request.schema),
            **thaw(self.extra),
        }
        pictures = [{"inlineData": {"mimeType": "image/png", "data": _packed(each.png)}} for each in request.pictures]
        body = {
            "systemInstruction": {"parts": [{"text": request.system}]},
            "contents": [{"role": "user", "parts": [*pictures, {"text": request.prompt}]}],
            "generationConfig": config,
        }
        headers = {"x-goog-api-key": key} if key else {}
        return f"{self.base_url}/v1beta/models/{self.model}:generateContent", headers, body

    def _read(self, data: Mapping[str, Any]) -> Completion:
        usage = _table(data.get("usageMetadata"))
        try:
            candidate = data["candidates"][0]
            parts, reason = _table(candidate.get("content")).get("parts") or [], candidate.get("finishReason")
            text = "".join(part.get("text") or "" for part in parts if not part.get("thought"))
        except (KeyError, IndexError, TypeError, AttributeError):
            raise failure("malformed", "the server's answer holds no completion") from None
        if reason in ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"):
            raise failure("filtered", "the provider's content filter withheld the answer")
        answered = to_count(usage.get("candidatesTokenCount"))
        thought = to_count(usage.get("thoughtsTokenCount")) or 0
        return Completion(
            text,
            to_count(usage.get("promptTokenCount")),
            None if answered is None else answered + thought,
            reason != "MAX_TOKENS",
            to_count(usage.get("cachedContentTokenCount")) or 0,
        )


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _packed(data: bytes) -> str:
    return base64.b64encode(data).decode()
