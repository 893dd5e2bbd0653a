"""Prices of models: what the caller says, or else the table of genai-prices."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import attrs

from paxman.errors import ConfigurationError, to_install
from paxman.inference.provider import FREE, Price, Terms, Tier, to_price

_TOKENS = 1000


def with_price(terms: Terms, model: str, vendor: str, tier: Tier, given: Any, own_url: bool) -> Terms:
    """The terms with the price that holds; usage is trusted at the vendor's own URL unless the terms say otherwise."""
    trusted = own_url if terms.trust_usage is None else terms.trust_usage
    if given is not None:
        price = to_price(given)
    else:
        price = terms.price if terms.price != FREE or tier == "local" else _from_table(model, vendor)
    return attrs.evolve(terms, price=price, trust_usage=trusted)


def _from_table(model: str, vendor: str) -> Price:
    try:
        from genai_prices import Usage, calc_price
    except ImportError:
        raise ConfigurationError(_advice(model, f" or {to_install('remote')}")) from None

    def price(input_tokens: int) -> Any:
        return calc_price(Usage(input_tokens=input_tokens, output_tokens=_TOKENS), model, provider_id=vendor)

    try:
        base = price(_TOKENS)
    except LookupError:
        raise ConfigurationError(_advice(model)) from None
    table = base.model_price
    starts = sorted({*_starts(table.input_mtok), *_starts(table.output_mtok)})
    larger = [(start, *_rates(price(start + 1), start + 1)) for start in starts]
    paid = _first(table.input_mtok)
    cached, written = (_first(each) for each in (table.cache_read_mtok, table.cache_write_mtok))
    shares = (cached / paid if paid and cached is not None else 1, written / paid if paid and written else 1)
    return Price(*_rates(base, _TOKENS), larger, *shares)


def window_of(model: str, vendor: str) -> int | None:
    """How many tokens a model reads at once, as far as the table knows."""
    try:
        from genai_prices import Usage, calc_price

        found: int | None = calc_price(
            Usage(input_tokens=1, output_tokens=1), model, provider_id=vendor
        ).model.context_window
    except (ImportError, LookupError):
        return None
    return found


def _first(price: Any) -> Decimal | None:
    """The price of small requests."""
    found: Decimal | None = getattr(price, "base", price)
    return found


def _starts(price: Any) -> list[int]:
    """Sizes of requests from which on another price holds."""
    return [tier.start for tier in getattr(price, "tiers", ())]


def _rates(found: Any, input_tokens: int) -> tuple[str, str]:
    return (
        _shortest(found.input_price * 1_000_000 / input_tokens),
        _shortest(found.output_price * 1_000_000 / _TOKENS),
    )


def _shortest(number: Decimal) -> str:
    return format(number.normalize(), "f")


def _advice(model: str, more: str = "") -> str:
    return (
        f"the price of {model!r} is not known, so no budget could hold: "
        f"give price=(input, output) in US dollars per million tokens (or PAXMAN_MODEL_PRICE=input,output){more}"
    )
