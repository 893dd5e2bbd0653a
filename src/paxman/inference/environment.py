"""Models by their names: "anthropic:NAME" is the vendor, its key, its price, what it reads at once and how it sees."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

import attrs

from paxman.errors import ConfigurationError, unknown_name
from paxman.inference.cache import Cached
from paxman.inference.clients import ANTHROPIC_URL, GEMINI_URL, OPENAI_URL, Anthropic, Gemini, OpenAI
from paxman.inference.http import is_loopback
from paxman.inference.llama_cpp import LlamaCpp
from paxman.inference.pricing import window_of
from paxman.inference.provider import Provider, Sight, Terms
from paxman.inference.secrets import has_key_prefix

MODEL, PROVIDER = "PAXMAN_MODEL", "PAXMAN_PROVIDER"
_COMPANIONS = {"URL": "base_url", "TIER": "tier", "KEY": "api_key", "PRICE": "price"}
_ADVICE = (
    f"set {PROVIDER} to {{}} and {MODEL} to the model's name, for llama_cpp the path of its GGUF file; "
    f"{MODEL}_URL, {MODEL}_TIER, {MODEL}_KEY (such as env:NAME), {MODEL}_PRICE (input,output) and {MODEL}_CACHE "
    "(a file) are optional"
)
_MOST_OUTPUT, _LEAST_OUTPUT, _LEAST_WINDOW = 8000, 500, 500
_USUAL_WINDOW, _MILLION = 128_000, 1_000_000


@attrs.frozen
class Vendor:
    """Where a vendor's models are, and the usual variables that say so; the first one that is set counts."""

    make: Any
    url: str = ""
    urls: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    path: str = ""
    """What follows the address in those variables."""
    options: Mapping[str, Any] = attrs.field(factory=dict)
    sights: Mapping[str, Sight] = attrs.field(factory=dict)
    """How models see whose names hold this."""

    def sight(self, model: str) -> Sight | None:
        """The longest name decides."""
        held = [name for name in self.sights if name in model]
        return self.sights[max(held, key=len)] if held else None


_TILES = Sight(2048, 768, 512, 170, 85)
_PATCHES = (Sight(1600, 1600, 32, 2, 0, 3072), Sight(1600, 1600, 32, 3, 0, 4608))
_OPENAI_SIGHTS = {
    **dict.fromkeys(("gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "o1", "o3", "o4"), _TILES),
    **dict.fromkeys(("gpt-4.1-mini", "gpt-5-mini", "o4-mini"), _PATCHES[0]),
    **dict.fromkeys(("gpt-4.1-nano", "gpt-5-nano"), _PATCHES[1]),
    "gpt-4o-mini": Sight(2048, 768, 512, 5667, 2833),
}
_MISTRAL_SIGHT = Sight(1540, 1540, 28)
KINDS: Mapping[str, Vendor] = {
    "openai": Vendor(OpenAI, OPENAI_URL, ("OPENAI_BASE_URL",), ("OPENAI_API_KEY",), sights=_OPENAI_SIGHTS),
    "anthropic": Vendor(
        Anthropic, ANTHROPIC_URL, ("ANTHROPIC_BASE_URL",), ("ANTHROPIC_API_KEY",), sights={"": Sight(most_tokens=1600)}
    ),
    "gemini": Vendor(
        Gemini,
        GEMINI_URL,
        ("GEMINI_BASE_URL", "GOOGLE_GEMINI_BASE_URL"),
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        sights={"": Sight(1536, 1536, 512, 258)},
    ),
    "azure": Vendor(
        OpenAI,
        urls=("AZURE_OPENAI_ENDPOINT",),
        keys=("AZURE_OPENAI_API_KEY",),
        path="/openai/v1",
        options={"vendor": "azure", "key_header": "api-key"},
        sights=_OPENAI_SIGHTS,
    ),
    "mistral": Vendor(
        OpenAI,
        "https://api.mistral.ai/v1",
        ("MISTRAL_BASE_URL",),
        ("MISTRAL_API_KEY",),
        options={"vendor": "mistral"},
        sights=dict.fromkeys(
            ("pixtral", "mistral-small", "mistral-medium", "mistral-large", "ministral"), _MISTRAL_SIGHT
        ),
    ),
    "ollama": Vendor(OpenAI, "http://localhost:11434", ("OLLAMA_HOST",), path="/v1", options={"vendor": "ollama"}),
    "local": Vendor(LlamaCpp),
    "llama_cpp": Vendor(LlamaCpp),
}


def configured(environment: Mapping[str, str] | None = None) -> Provider:
    """The provider that PAXMAN_PROVIDER, PAXMAN_MODEL and its companions describe.

    PAXMAN_MODEL may name both, as in `openai:gpt-4o-mini`.
    """
    variables = os.environ if environment is None else environment
    kind, model = variables.get(PROVIDER, ""), variables.get(MODEL, "")
    first, _, rest = model.partition(":")
    if kind not in KINDS:
        kind, model = (first, rest) if first in KINDS else ("", model)
    elif first == kind:
        model = rest
    if not kind or not model:
        missing = PROVIDER if model else MODEL
        raise ConfigurationError(f"no model is configured, {missing} is missing: {_ADVICE.format(', '.join(KINDS))}")
    return by_name(kind, {"path" if KINDS[kind].make is LlamaCpp else "model": model}, variables)


def named_kind(model: str) -> str | None:
    """The kind of provider in a model's name such as `openai:gpt-4o-mini`."""
    kind = model.partition(":")[0]
    return kind if kind in KINDS else None


def by_name(kind: str, options: Mapping[str, Any], environment: Mapping[str, str] | None = None) -> Provider:
    """A provider of one of the KINDS; what no option says, the environment does."""
    variables = os.environ if environment is None else environment
    vendor = KINDS[kind]
    given = {name: value for name, value in options.items() if name != "cache"}
    cache = options.get("cache") or variables.get(f"{MODEL}_CACHE")
    if not given.keys() & {"model", "path"}:
        if given:
            raise ConfigurationError(f"provider {kind!r} names no model: add `model`, or name one as {kind}:NAME")
        return configured({**variables, PROVIDER: kind})
    if vendor.make is not LlamaCpp:
        said = {} if len(given) > 1 else {o: variables.get(f"{MODEL}_{n}") for n, o in _COMPANIONS.items()}
        said = {option: value for option, value in said.items() if value}
        given = {"name": kind, **vendor.options, **_usual(vendor, variables, {**said, **given}), **said, **given}
        if isinstance(given.get("price"), str):
            given["price"] = given["price"].split(",")
        if "base_url" not in given:
            raise ConfigurationError(f"{kind} has no address: set {' or '.join(vendor.urls)}")
        if kind == "ollama" and "tier" not in given and is_loopback(given["base_url"]):
            given["tier"] = "local"
        terms = given.get("terms")
        if not isinstance(terms, Terms) and "sees" not in (terms or {}):
            given["terms"] = {**(terms or {}), "sees": vendor.sight(str(given.get("model", "")))}
    made: Provider = vendor.make(**given)
    return Cached(made, cache) if cache else made


def _usual(vendor: Vendor, variables: Mapping[str, str], said: Mapping[str, Any]) -> dict[str, Any]:
    """Address and key by the usual variables of the vendor; a key that is not set goes to no other address."""
    set_key = next((name for name in vendor.keys if variables.get(name)), None)
    key = set_key if "base_url" in said else set_key or next(iter(vendor.keys), None)
    url = next((variables[name] for name in vendor.urls if variables.get(name)), vendor.url).rstrip("/")
    url = url if "://" in url or not url else f"http://{url}"
    found = {"base_url": url if url.endswith(vendor.path) else url + vendor.path} if url else {}
    return {**found, **({"api_key": f"env:{key}"} if key else {})}


@lru_cache(maxsize=32)
def _named(model: str, cap: Decimal | None, environment: tuple[tuple[str, str], ...]) -> Provider:
    kind, _, name = model.partition(":")
    key = "path" if KINDS[kind].make is LlamaCpp else "model"
    called = model if key == "model" else f"{kind}:{Path(name).stem}"
    made = by_name(kind, {key: name}, dict(environment))
    inner = made.provider if isinstance(made, Cached) else made
    inner.name = called  # type: ignore[misc]
    inner.terms = fitted(inner.terms, inner, cap)  # type: ignore[misc]
    return made


def named_model(model: str, cap: Decimal | None = None, environment: Mapping[str, str] | None = None) -> Provider:
    """The model that one setting names, made once; what it reads and says at once fits a document's cap."""
    vendor, variables = _vendor_of(model), os.environ if environment is None else environment
    seen = (*vendor.urls, *vendor.keys, *(f"{MODEL}_{each}" for each in (*_COMPANIONS, "CACHE")))
    return _named(model, cap, tuple((name, variables[name]) for name in seen if variables.get(name)))


def is_remote(model: str, environment: Mapping[str, str] | None = None) -> bool:
    """Whether asking the model that one setting names sends text to another machine."""
    vendor, variables = _vendor_of(model), os.environ if environment is None else environment
    if vendor.make is LlamaCpp or variables.get(f"{MODEL}_TIER") == "local":
        return False
    address = variables.get(f"{MODEL}_URL") or _usual(vendor, variables, {}).get("base_url", "")
    return vendor is not KINDS["ollama"] or not is_loopback(address)


def _vendor_of(model: str) -> Vendor:
    kind, _, name = model.partition(":")
    if kind in KINDS and name:
        return KINDS[kind]
    told = "it looks like a key" if has_key_prefix(model) else unknown_name("vendor", kind, KINDS)
    shown = "" if has_key_prefix(model) else f" {model!r}"
    raise ConfigurationError(f"model{shown}: {told} Write vendor:model, such as openai:gpt-4o-mini")


def check_alone(models: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
    """Refuse PAXMAN_MODEL_URL and the like where several models are named: they are of one."""
    variables = os.environ if environment is None else environment
    for name in _COMPANIONS if len(models) > 1 else ():
        if variables.get(f"{MODEL}_{name}"):
            advice = "use the vendors' own variables, such as OPENAI_BASE_URL, or [[provider]] in paxman.toml"
            raise ConfigurationError(f"{MODEL}_{name} is for one model, and {len(models)} are named: {advice}")


def fitted(terms: Terms, provider: Any, cap: Decimal | None) -> Terms:
    """Terms by which one call, at its dearest, stays within the cap: a third of it for the answer."""
    price = terms.price
    if not price.output or cap is None:
        return terms
    window = window_of(provider.model, provider.vendor) or _USUAL_WINDOW
    output = max(min(int(cap / 3 * _MILLION / price.output), _MOST_OUTPUT, window // 4), _LEAST_OUTPUT)
    left = cap * 9 / 10 - price.of(0, output)
    affordable = int(left * _MILLION / (price.input * max(price.written, Decimal(1)))) if price.input else window * 3
    most = max(min(affordable * 2 // 5, window - output), _LEAST_WINDOW)
    return attrs.evolve(terms, window_tokens=most, max_output_tokens=output)
