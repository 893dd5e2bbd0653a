"""What the numbers of a row say about each other: quantity times price is the line's total."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import product

from paxman.recognizers.numbers import figures, to_decimal

PIECES = (1, 10, 100, 1000)
"""A price may stand for so many pieces."""
_MINUS = re.compile(r"^\W{0,3}[-(\u2212]|-$")
_LONGEST_END = 4
_LEAST_CENT = Decimal("0.01")
_MARK = re.compile(r"\d ?([A-Z]{1,2}|(?i:[dc]r)|[+-])\Z")
DEBITS = {frozenset({"S", "H"}): "S", frozenset({"DR", "CR"}): "DR", frozenset({"-", "+"}): "-"}
"""What stands behind debits and credits, and which of them is that of debits."""


def multiplies(factors: Sequence[Decimal], percents: Sequence[Decimal] = (), pieces: Sequence[int] = PIECES) -> bool:
    """Whether quantity times price is the total, up to rounding, a discount that the row states, or a price per 100."""
    quantity, price, total = factors
    rounding = abs(quantity) * Decimal(5).scaleb(min(0, _exponent(price)) - 1)
    slack = _LEAST_CENT + min(rounding, abs(total) / 50)
    full = quantity * price
    less = [full * (100 - percent) / 100 for percent in percents]
    return any(abs(abs(each) - abs(total)) <= slack for each in (*(full / per for per in pieces), *less))


def texts_multiply(texts: Sequence[str]) -> bool:
    """Whether quantity, price and total can be read so that they agree to the cent."""
    if not all(texts):
        return False
    return any(abs(abs(a * b) - abs(c)) <= _LEAST_CENT and c for a, b, c in product(*map(numbers_in, texts)))


def texts_add_up(texts: Sequence[str], total: str) -> bool:
    """Whether amounts, all read with the same decimal point, add up to the total to the cent."""
    sums = (_read_alike([*texts, total], point) for point in ".,")
    return any(found and abs(sum(found[:-1]) - found[-1]) <= _LEAST_CENT for found in sums)


def sums_alike(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two rows of amounts, read with the same decimal point, have the same sum to the cent."""
    found = ((_read_alike(one, point), _read_alike(other, point)) for point in ".,")
    return any(abs(sum(a, Decimal()) - sum(b, Decimal())) <= _LEAST_CENT for a, b in found if a and b)


def is_negative(text: str) -> bool:
    return _MINUS.search(text) is not None


def mark_of(text: str) -> str:
    """The letters or sign behind a number, if there are any."""
    mark = None if text[-1:].isdecimal() else _MARK.search(text[-_LONGEST_END:])
    return mark[1].upper() if mark else ""


def _read_alike(texts: Sequence[str], point: str) -> list[Decimal]:
    """Each text's amount with that decimal point, or whole; none if one of them cannot be read so."""
    found = [next((f for f in figures(text) if point in f[2] or "" in f[2]), None) for text in texts]
    numbers = [(text, to_decimal(text[f[0] : f[1]], point)) for text, f in zip(texts, found, strict=True) if f]
    return [-number if is_negative(text) else number for text, number in numbers] if all(found) else []


def numbers_in(text: str) -> list[Decimal]:
    """What a cell with one figure may mean."""
    found = list(figures(text))
    return [to_decimal(text[a:b], point) for a, b, points in found for point in points] if len(found) == 1 else []


def _exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0
