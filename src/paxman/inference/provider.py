"""What a provider is: a model behind one method, with its place, its price and its limits."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal, Protocol

import attrs

from paxman.errors import ConfigurationError, InferenceProviderError
from paxman.inference.models import is_model
from paxman.serialization import canonical_json
from paxman.types import freeze, to_decimal

Tier = Literal["local", "remote"]
_MILLION = 1_000_000
_OWN = frozenset(
    "model messages prompt system max_tokens max_completion_tokens max_output_tokens n_predict num_predict options n "
    "best_of stream stream_options response_format temperature tools tool_choice functions function_call service_tier "
    "modalities web_search_options".split()
)
_OMITTED = ("temperature", "response_format")


def _dollars(value: Any) -> Decimal:
    try:
        number = to_decimal(value)
    except ValueError:
        number = Decimal(-1)
    if number < 0:
        raise ConfigurationError(f"a price is US dollars per million tokens, zero or more, not {value!r}")
    return number


@attrs.frozen
class Price:
    """US dollars for a million tokens."""

    input: Decimal = attrs.field(default=Decimal(0), converter=_dollars)
    output: Decimal = attrs.field(default=Decimal(0), converter=_dollars)

    def of(self, input_tokens: int, output_tokens: int) -> Decimal:
        return (self.input * input_tokens + self.output * output_tokens) / _MILLION


FREE = Price()


@attrs.frozen
class Terms:
    """What a call may take: price, size, attempts and waiting.

    `window_tokens` bounds what is sent at once. Without `trust_usage` a call counts against the budget with the most
    it can have cost, whatever the provider reports; None trusts the vendors' own endpoints.
    """

    price: Price = FREE
    window_tokens: int = 8000
    max_output_tokens: int = 2000
    attempts: int = 3
    backoff_seconds: float = 0.5
    longest_wait_seconds: float = 20.0
    most_pieces: int = 3
    trust_usage: bool | None = None

    @property
    def request_bytes(self) -> int:
        """The size of the largest request; text takes 2.5 bytes a token or more, on all but hostile pages."""
        return self.window_tokens * 5 // 2

    def worst_usd(self, size: int, max_tokens: int) -> Decimal:
        """No tokenizer makes more than one token of a byte."""
        return self.price.of(size, max_tokens)

    @property
    def call_usd(self) -> Decimal:
        """The most that one call can cost."""
        return self.worst_usd(self.request_bytes, self.max_output_tokens)


def to_terms(given: Terms | Mapping[str, Any]) -> Terms:
    """Terms, also from a table of a configuration file."""
    return given if isinstance(given, Terms) else Terms(**given)


@attrs.frozen(slots=False)
class Request:
    """One question: instructions, the fields with the text, and the schema that the answer must have."""

    system: str
    prompt: str
    schema: Mapping[str, Any] = attrs.field(converter=freeze, hash=False)
    max_tokens: int = 500

    @cached_property
    def size(self) -> int:
        """Bytes that are sent, all of which may be billed."""
        sent = (self.system + self.prompt).encode("utf-8", "replace")
        return len(sent) + len(canonical_json(self.schema)) + 64

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(canonical_json([self.system, self.prompt, self.schema, self.max_tokens])).hexdigest()


def _sound(text: str) -> str:
    """Half of a surrogate pair can be neither hashed nor kept."""
    return text.encode("utf-8", "replace").decode()


@attrs.frozen
class Completion:
    """What a model said; not `complete` when it was cut off. Usage is None where the provider reports none."""

    text: str = attrs.field(converter=_sound)
    input_tokens: int | None = None
    output_tokens: int | None = None
    complete: bool = True


class Provider(Protocol):
    """A model that answers requests. `tier` says whether text leaves the machine."""

    @property
    def name(self) -> str: ...

    @property
    def tier(self) -> Tier: ...

    @property
    def model(self) -> str: ...

    @property
    def terms(self) -> Terms: ...

    def complete(self, request: Request) -> Completion:
        """One attempt; raises `failure(...)` when there is no answer."""
        ...


def failure(
    reason: str, message: str, *, retry: bool = False, billed: bool = True, retry_after: float | None = None
) -> InferenceProviderError:
    """A failed attempt: why in one word, whether another may help, and whether this one may have cost something."""
    context = {"reason": reason, "retry": retry, "billed": billed, "retry_after": retry_after}
    return InferenceProviderError(message, error_code=f"PROVIDER_{reason.upper()}", context=context)


def check_provider(provider: object) -> None:
    """Refuse a model that lacks what planning needs."""
    if not is_model(provider):
        return
    missing = [name for name in ("name", "tier", "model", "terms") if not hasattr(provider, name)]
    if missing:
        raise ConfigurationError(f"a provider with `complete` also needs {', '.join(missing)}: see paxman.inference")
    checked_tier(provider.tier)  # type: ignore[attr-defined]


def check_extra(instance: Any, attribute: attrs.Attribute[Any], extra: Mapping[str, Any]) -> None:
    """Refuse what would change the question, the form of its answer or the most that it can cost."""
    free = {name for name in _OMITTED if extra.get(name, 0) is None}
    refused = sorted(_OWN.intersection(extra) - free)
    if refused:
        raise ConfigurationError(f"{attribute.name} may not set {', '.join(refused)}: see paxman.inference.Terms")


def checked_tier(tier: str) -> Tier:
    if tier == "local":
        return "local"
    if tier == "remote":
        return "remote"
    raise ConfigurationError(f"tier says where the model runs: 'local' or 'remote', not {tier!r}")
