"""What a provider is: a model behind one method, with its place, its price and its limits."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal, Protocol

import attrs

from paxman.errors import ConfigurationError, InferenceProviderError, unknown_name
from paxman.inference.models import is_model
from paxman.serialization import canonical_json
from paxman.types import freeze, thaw, to_decimal

Tier = Literal["local", "remote"]
_MILLION = 1_000_000
_MOST_OUTPUT = 2000
_MOST_TOKENS = 10**12
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


def _steps(given: Any) -> tuple[tuple[int, Decimal, Decimal], ...]:
    try:
        return tuple(sorted((int(tokens), _dollars(paid), _dollars(earned)) for tokens, paid, earned in given))
    except (TypeError, ValueError):
        raise ConfigurationError(
            f"a price is given as (tokens, input, output) for larger requests, not {given!r}"
        ) from None


def _style(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
    if value not in ("full", "small"):
        raise ConfigurationError(f"{attribute.name} is 'full' or 'small', not {value!r}")


@attrs.frozen
class Price:
    """US dollars for a million tokens; `larger` holds (tokens, input, output) for requests of more tokens than that.

    `cached` and `written` are what tokens cost that the vendor had kept, or keeps now, as a share of `input`.
    """

    input: Decimal = attrs.field(default=Decimal(0), converter=_dollars)
    output: Decimal = attrs.field(default=Decimal(0), converter=_dollars)
    larger: tuple[tuple[int, Decimal, Decimal], ...] = attrs.field(default=(), converter=_steps)
    cached: Decimal = attrs.field(default=Decimal(1), converter=_dollars)
    written: Decimal = attrs.field(default=Decimal(1), converter=_dollars)

    def of(self, input_tokens: int, output_tokens: int, cached: int = 0, written: int = 0) -> Decimal:
        """The price of a call; `cached` and `written` are parts of the tokens of input."""
        rates = [(each[1], each[2]) for each in self.larger if input_tokens > each[0]]
        paid, earned = rates[-1] if rates else (self.input, self.output)
        sent = input_tokens - cached - written + self.cached * cached + self.written * written
        return (paid * sent + earned * output_tokens) / _MILLION


FREE = Price()


def to_price(given: Any) -> Price:
    """A price, also as dollars per million tokens of input and output."""
    if isinstance(given, Price):
        return given
    if isinstance(given, Mapping):
        return Price(**given)
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise ConfigurationError(f"price is (input, output) in US dollars per million tokens, not {given!r}")
    return Price(*given)


def _whole(least: int) -> Callable[..., None]:
    def check(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
        if type(value) is not int or value < least:
            raise ConfigurationError(f"{attribute.name} is a whole number, {least} or more, not {value!r}")

    return check


def check_seconds(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
    if type(value) not in (int, float) or not 0 <= value < math.inf:
        raise ConfigurationError(f"{attribute.name} is a number of seconds, zero or more, not {value!r}")


def _switch(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
    if value not in (None, True, False):
        raise ConfigurationError(f"{attribute.name} is true or false, not {value!r}")


@attrs.frozen
class Sight:
    """How a model sees: the longest and the shortest side of a picture in pixels, and what it bills for each tile."""

    longest: int = attrs.field(default=1568, validator=_whole(1))
    shortest: int = attrs.field(default=2048, validator=_whole(1))
    tile: int = attrs.field(default=27, validator=_whole(1))
    tokens_per_tile: int = attrs.field(default=1, validator=_whole(1))
    base_tokens: int = attrs.field(default=0, validator=_whole(0))
    most_tokens: int = attrs.field(default=100_000, validator=_whole(1))

    def fit(self, width: float, height: float) -> tuple[int, int]:
        """The size in pixels at which a picture of this shape is read best, and not billed for more."""
        scale = min(self.longest / max(width, height), self.shortest / min(width, height))
        fitted = round(width * scale), round(height * scale)
        while self.tokens(*fitted) > self.most_tokens and min(fitted) > self.tile:
            scale *= 0.97
            fitted = round(width * scale), round(height * scale)
        return max(fitted[0], 1), max(fitted[1], 1)

    def tokens(self, width: int, height: int) -> int:
        return self.base_tokens + -(-width // self.tile) * -(-height // self.tile) * self.tokens_per_tile


def _to_sight(given: Any) -> Sight | None:
    if isinstance(given, Sight):
        return given
    if isinstance(given, Mapping):
        return Sight(**given)
    if given not in (None, True, False):
        raise ConfigurationError(f"sees is true, false or a table of how pictures are billed, not {given!r}")
    return Sight() if given else None


@attrs.frozen
class Terms:
    """What a call may take: price, size, attempts and waiting.

    `window_tokens` bounds what is sent at once. `max_output_tokens` is the room for an answer; without it that goes by
    the fields that are asked, up to 2000. Without `trust_usage` a call counts against the budget with the most
    it can have cost, whatever the provider reports; None trusts the vendors' own endpoints. `sees` says that the model
    takes pictures of pages. The style "small" is for models that get lost in long questions: few fields at a time, with
    a form to fill in.
    """

    price: Price = attrs.field(default=FREE, converter=to_price)
    window_tokens: int = attrs.field(default=8000, validator=_whole(1))
    max_output_tokens: int | None = attrs.field(default=None, validator=attrs.validators.optional(_whole(1)))
    attempts: int = attrs.field(default=3, validator=_whole(1))
    backoff_seconds: float = attrs.field(default=0.5, validator=check_seconds)
    longest_wait_seconds: float = attrs.field(default=20.0, validator=check_seconds)
    most_pieces: int = attrs.field(default=3, validator=_whole(1))
    trust_usage: bool | None = attrs.field(default=None, validator=_switch)
    sees: Sight | None = attrs.field(default=None, converter=_to_sight)
    style: Literal["full", "small"] = attrs.field(default="full", validator=_style)

    @property
    def output_tokens(self) -> int:
        """The most that an answer can take."""
        return _MOST_OUTPUT if self.max_output_tokens is None else self.max_output_tokens

    @property
    def request_bytes(self) -> int:
        """The size of the largest request; text takes 2.5 bytes a token or more, on all but hostile pages."""
        return self.window_tokens * 5 // 2

    def worst_usd(self, size: int, max_tokens: int) -> Decimal:
        """No tokenizer makes more than one token of a byte."""
        return self.price.of(size, max_tokens, 0, size if self.price.written > 1 else 0)

    @property
    def call_usd(self) -> Decimal:
        """The most that one call can cost."""
        return self.worst_usd(self.request_bytes, self.output_tokens)

    @property
    def most_usd(self) -> Decimal:
        """The most that one question can cost: every piece of a long document, every attempt."""
        return self.call_usd * self.attempts * self.most_pieces

    @property
    def most_tokens(self) -> int:
        return (self.request_bytes + self.output_tokens) * self.attempts * self.most_pieces


def to_terms(given: Terms | Mapping[str, Any]) -> Terms:
    """Terms, also from a table of a configuration file."""
    if isinstance(given, Terms):
        return given
    known = [field.name for field in attrs.fields(Terms)]
    if not isinstance(given, Mapping):
        raise ConfigurationError(f"terms is a table of {', '.join(known)}, not {given!r}")
    for name in given:
        if name not in known:
            raise ConfigurationError(f"terms: {unknown_name('term', name, known)}")
    return Terms(**given)


@attrs.frozen
class Picture:
    """A page as a model sees it, and what that is billed."""

    png: bytes = attrs.field(repr=False)
    page: int
    tokens: int


@attrs.frozen(slots=False)
class Request:
    """One question: instructions, the fields with the text, the schema of the answer, and pictures of pages.

    Every object of the schema has all of its properties and no others; `strict_schema` says so at each of them.
    """

    system: str
    prompt: str
    schema: Mapping[str, Any] = attrs.field(converter=freeze, hash=False)
    max_tokens: int = 500
    pictures: tuple[Picture, ...] = ()

    @cached_property
    def size(self) -> int:
        """Bytes and tokens of pictures that are sent, all of which may be billed."""
        seen = sum(picture.tokens for picture in self.pictures)
        return self.static_size + len(self.prompt.encode("utf-8", "replace")) + seen + 64

    @cached_property
    def static_size(self) -> int:
        """Bytes of what comes first and is the same for every document of a contract."""
        return len(self.system.encode("utf-8", "replace")) + len(canonical_json(self.strict_schema))

    @cached_property
    def strict_schema(self) -> dict[str, Any]:
        """The schema for servers that want every object closed."""
        return _closed(thaw(self.schema))

    @cached_property
    def digest(self) -> str:
        parts: list[Any] = [self.system, self.prompt, self.schema, self.max_tokens]
        parts += [[hashlib.sha256(each.png).hexdigest() for each in self.pictures]] if self.pictures else []
        return hashlib.sha256(canonical_json(parts)).hexdigest()


def _closed(schema: Mapping[str, Any]) -> dict[str, Any]:
    made = dict(schema)
    if "properties" in made:
        made["properties"] = {name: _closed(each) for name, each in made["properties"].items()}
        made |= {"required": list(made["properties"]), "additionalProperties": False}
    if "items" in made:
        made["items"] = _closed(made["items"])
    if "anyOf" in made:
        made["anyOf"] = [_closed(each) for each in made["anyOf"]]
    return made


def _sound(text: str) -> str:
    """Half of a surrogate pair can be neither hashed nor kept."""
    return text.encode("utf-8", "replace").decode()


def to_count(value: Any) -> int | None:
    """A number of tokens, as far as the provider reports one that can be."""
    return value if type(value) is int and 0 <= value <= _MOST_TOKENS else None


@attrs.frozen
class Completion:
    """What a model said; not `complete` when it was cut off. Usage is None where the provider reports none.

    Of the tokens of input, `cached` were kept by the vendor before and `written` are kept by it now.
    """

    text: str = attrs.field(converter=_sound)
    input_tokens: int | None = attrs.field(default=None, converter=to_count)
    output_tokens: int | None = attrs.field(default=None, converter=to_count)
    complete: bool = True
    cached: int = 0
    written: int = 0


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


@attrs.define(slots=False, eq=False)
class Wrapper:
    """What a provider around another one takes over from it."""

    provider: Provider

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


def failure(
    reason: str,
    message: str,
    *,
    retry: bool = False,
    billed: bool = True,
    retry_after: float | None = None,
    sent: bool = True,
) -> InferenceProviderError:
    """A failed attempt: why in one word, whether another may help, whether it may have cost, and left the machine."""
    context = {"reason": reason, "retry": retry, "billed": billed, "retry_after": retry_after, "sent": sent}
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
