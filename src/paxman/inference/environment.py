"""A provider described by the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from paxman.errors import ConfigurationError
from paxman.inference.anthropic import Anthropic
from paxman.inference.cache import Cached
from paxman.inference.llama_cpp import LlamaCpp
from paxman.inference.openai import OpenAI
from paxman.inference.provider import Provider

MODEL, PROVIDER = "PAXMAN_MODEL", "PAXMAN_PROVIDER"
KINDS: Mapping[str, Any] = {"openai": OpenAI, "anthropic": Anthropic, "llama_cpp": LlamaCpp}
_ADVICE = (
    f"set {PROVIDER} to {', '.join(KINDS)} and {MODEL} to the model's name, for llama_cpp the path of its GGUF file; "
    f"{MODEL}_URL, {MODEL}_TIER, {MODEL}_KEY (such as env:NAME), {MODEL}_PRICE (input,output) and {MODEL}_CACHE "
    "(a file) are optional"
)


def configured(environment: Mapping[str, str] | None = None) -> Provider:
    """The provider that PAXMAN_PROVIDER, PAXMAN_MODEL and its companions describe.

    PAXMAN_MODEL may name both, as in `openai:gpt-4o-mini`.
    """
    variables = os.environ if environment is None else environment
    return _kept(_make(variables), variables.get(f"{MODEL}_CACHE"))


def _kept(made: Provider, cache: str | None) -> Provider:
    return Cached(made, cache) if cache else made


def named_kind(model: str) -> str | None:
    """The kind of provider in a model's name such as `openai:gpt-4o-mini`."""
    kind = model.partition(":")[0]
    return kind if kind in KINDS else None


def by_name(kind: str, options: Mapping[str, Any]) -> Provider:
    """A provider of one of the KINDS; what no option says, the environment does."""
    if not options.keys() - {"cache"}:
        options = {f"{MODEL}_{name.upper()}": value for name, value in options.items()}
        return configured({**os.environ, **options, PROVIDER: kind})
    given = {name: value for name, value in options.items() if name != "cache"}
    return _kept(KINDS[kind](**given), options.get("cache") or os.environ.get(f"{MODEL}_CACHE"))


def _make(variables: Mapping[str, str]) -> Provider:
    kind, model = _names(variables)
    if kind not in KINDS or not model:
        missing = PROVIDER if model and kind not in KINDS else MODEL
        raise ConfigurationError(f"no model is configured, {missing} is missing: {_ADVICE}")
    options = {} if kind == "llama_cpp" else _options(variables)
    if kind == "openai" and "base_url" not in options:
        options = {"api_key": "env:OPENAI_API_KEY", **options}
    made: Provider = KINDS[kind](model, **options)
    return made


def _names(variables: Mapping[str, str]) -> tuple[str, str]:
    """The kind of provider and the model; a model's own name may hold a colon too."""
    kind, model = variables.get(PROVIDER, ""), variables.get(MODEL, "")
    first, _, rest = model.partition(":")
    if kind not in KINDS:
        return (first, rest) if first in KINDS else ("", model)
    return kind, rest if first == kind else model


def _options(variables: Mapping[str, str]) -> dict[str, Any]:
    names = {"URL": "base_url", "TIER": "tier", "KEY": "api_key", "PRICE": "price"}
    found = {option: variables.get(f"{MODEL}_{name}") for name, option in names.items()}
    if found["price"]:
        found["price"] = found["price"].split(",")  # type: ignore[assignment]
    return {option: value for option, value in found.items() if value}
