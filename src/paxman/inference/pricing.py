"""Prices of models: what the caller says, or else the table of genai-prices."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from paxman.errors import ConfigurationError
from paxman.inference.provider import FREE, Price, Tier

_TOKENS = 1000


def find_price(model: str, vendor: str, tier: Tier, given: Any = None) -> Price:
    """`given` is a Price or dollars per million tokens of input and output; a local model is free."""
    if isinstance(given, Price):
        return given
    if given is not None:
        return _of_pair(given)
    return FREE if tier == "local" else _from_table(model, vendor)


def _of_pair(given: Any) -> Price:
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise ConfigurationError(f"price is (input, output) in US dollars per million tokens, not {given!r}")
    return Price(*given)


def _from_table(model: str, vendor: str) -> Price:
    try:
        from genai_prices import Usage, calc_price
    except ImportError:
        raise ConfigurationError(_advice(model, " or pip install 'paxman[remote]'")) from None
    try:
        found = calc_price(Usage(input_tokens=_TOKENS, output_tokens=_TOKENS), model, provider_id=vendor)
    except LookupError:
        raise ConfigurationError(_advice(model)) from None
    scale = Decimal(1_000_000) / _TOKENS
    return Price(_shortest(found.input_price * scale), _shortest(found.output_price * scale))


def _shortest(number: Decimal) -> str:
    return format(number.normalize(), "f")


def _advice(model: str, more: str = "") -> str:
    return (
        f"the price of {model!r} is not known, so no budget could hold: "
        f"give price=(input, output) in US dollars per million tokens{more}"
    )
