"""What the numbers of a row say about each other: quantity times price is the line's total."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import product

from paxman.recognizers.numbers import figures, to_decimal

_PER = (1, 10, 100, 1000)
"""A price may stand for so many pieces."""
_LEAST_CENT = Decimal("0.01")


def multiplies(factors: Sequence[Decimal], percents: Sequence[Decimal] = ()) -> bool:
    """Whether quantity times price is the total, up to rounding, a discount that the row states, or a price per 100."""
    quantity, price, total = factors
    rounding = abs(quantity) * Decimal(5).scaleb(min(0, _exponent(price)) - 1)
    slack = _LEAST_CENT + min(rounding, abs(total) / 50)
    full = quantity * price
    less = [full * (100 - percent) / 100 for percent in percents]
    return any(abs(abs(each) - abs(total)) <= slack for each in (*(full / per for per in _PER), *less))


def texts_multiply(texts: Sequence[str]) -> bool:
    """Whether quantity, price and total can be read so that they agree to the cent."""
    return any(abs(abs(a * b) - abs(c)) <= _LEAST_CENT and c for a, b, c in product(*map(_numbers, texts)))


def _numbers(text: str) -> list[Decimal]:
    """What a cell with one figure may mean."""
    found = list(figures(text))
    return [to_decimal(text[a:b], point) for a, b, points in found for point in points] if len(found) == 1 else []


def _exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0
