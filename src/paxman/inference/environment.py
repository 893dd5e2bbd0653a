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

MODEL = "PAXMAN_MODEL"
_ADVICE = (
    f"set {MODEL} to llama_cpp:/path/to/model.gguf, openai:MODEL or anthropic:MODEL; "
    f"{MODEL}_URL, {MODEL}_TIER, {MODEL}_KEY (such as env:NAME), {MODEL}_PRICE (input,output) and {MODEL}_CACHE "
    "(a file) are optional"
)


def configured(environment: Mapping[str, str] | None = None) -> Provider:
    """The provider that PAXMAN_MODEL and its companions describe."""
    variables = os.environ if environment is None else environment
    made, cache = _make(variables), variables.get(f"{MODEL}_CACHE")
    return Cached(made, cache) if cache else made


def _make(variables: Mapping[str, str]) -> Provider:
    kind, _, model = variables.get(MODEL, "").partition(":")
    if kind == "llama_cpp" and model:
        return LlamaCpp(model)
    options = _options(variables)
    if kind == "openai" and model:
        return OpenAI(model, **{"api_key": None if "base_url" in options else "env:OPENAI_API_KEY", **options})
    if kind == "anthropic" and model:
        return Anthropic(model, **options)
    raise ConfigurationError(f"no model is configured: {_ADVICE}")


def _options(variables: Mapping[str, str]) -> dict[str, Any]:
    names = {"URL": "base_url", "TIER": "tier", "KEY": "api_key", "PRICE": "price"}
    found = {option: variables.get(f"{MODEL}_{name}") for name, option in names.items()}
    if found["price"]:
        found["price"] = found["price"].split(",")  # type: ignore[assignment]
    return {option: value for option, value in found.items() if value}
