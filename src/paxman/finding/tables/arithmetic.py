"""What the numbers of a row say about each other: quantity times price is the line's total."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from paxman.recognizers.figures.numbers import figures, to_decimal
from paxman.types import Money

_LEAST_CENT = Decimal("0.01")
_PIECES = (1, 10, 100, 1000)
"""A price may stand for so many pieces."""


def amount_of(value: Any) -> Decimal | None:
    value = value.amount if isinstance(value, Money) else value
    return Decimal(value) if isinstance(value, int | Decimal) and not isinstance(value, bool) else None


def multiplies(factors: Sequence[Any], pieces: Sequence[int] = _PIECES) -> bool:
    """Whether quantity times price is the total, up to rounding, or with a price per 100."""
    amounts = [amount_of(each) for each in factors]
    if None in amounts or len(amounts) != 3:
        return False
    quantity, price, total = (each or Decimal() for each in amounts)
    exponent = price.as_tuple().exponent
    rounding = abs(quantity) * Decimal(5).scaleb(min(0, exponent if isinstance(exponent, int) else 0) - 1)
    slack = _LEAST_CENT + min(rounding, abs(total) / 50)
    return any(abs(abs(quantity * price / per) - abs(total)) <= slack for per in pieces)


def numbers_in(text: str) -> list[Decimal]:
    """What a cell with one figure may mean."""
    found = list(figures(text))
    return [to_decimal(text[a:b], point) for a, b, points in found for point in points] if len(found) == 1 else []
