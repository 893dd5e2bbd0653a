"""Anthropic's messages, bound to the schema by a tool that the model must use."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import attrs

from paxman.inference.http import Connected, check_url, post
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
from paxman.inference.secrets import check_no_keys, check_reference, resolve
from paxman.types import thaw

ANTHROPIC_URL = "https://api.anthropic.com"
_VERSION = "2023-06-01"
_TOOL = "answer"
_INPUTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


@attrs.define(slots=False, eq=False)
class Anthropic(Connected):
    """A model behind the messages endpoint; `extra` and `price` as for OpenAI."""

    model: str
    api_key: str | None = attrs.field(default="env:ANTHROPIC_API_KEY", validator=check_reference)
    base_url: str = ANTHROPIC_URL
    tier: Tier = attrs.field(default="remote", converter=checked_tier)
    name: str = "anthropic"
    price: Any = attrs.field(default=None, repr=False)
    timeout: float = attrs.field(default=60.0, validator=check_seconds)
    extra: Mapping[str, Any] = attrs.field(factory=dict, repr=False, validator=[check_extra, check_no_keys])
    terms: Terms = attrs.field(factory=Terms, converter=to_terms)

    def __attrs_post_init__(self) -> None:
        self.base_url = check_url(self.base_url, self.tier)
        own_url = self.base_url == ANTHROPIC_URL
        self.terms = with_price(self.terms, self.model, "anthropic", self.tier, self.price, own_url)

    def complete(self, request: Request) -> Completion:
        """One attempt."""
        key = resolve(self.api_key)
        headers = {"anthropic-version": _VERSION, **({"x-api-key": key} if key else {})}
        return _read(post(self._client, f"{self.base_url}/v1/messages", headers, self._body(request), self.timeout))

    def _body(self, request: Request) -> dict[str, Any]:
        tool = {"name": _TOOL, "description": "The quotes.", "input_schema": thaw(request.schema)}
        body = {
            "model": self.model,
            "max_tokens": request.max_tokens,
            "temperature": 0,
            "system": request.system,
            "messages": [{"role": "user", "content": request.prompt}],
            "tools": [tool],
            "tool_choice": {"type": "tool", "name": _TOOL},
            **thaw(self.extra),
        }
        return {name: value for name, value in body.items() if value is not None}


def _read(data: Mapping[str, Any]) -> Completion:
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
    usage = data.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    return Completion(text, _input_tokens(counts), to_count(counts.get("output_tokens")), complete)


def _input_tokens(counts: Mapping[str, Any]) -> int | None:
    """Tokens that went through Anthropic's own cache are counted apart; all of them were sent."""
    if to_count(counts.get("input_tokens")) is None:
        return None
    return sum(to_count(counts.get(name)) or 0 for name in _INPUTS)
