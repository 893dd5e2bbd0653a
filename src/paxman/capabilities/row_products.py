"""Quantity times price against the total of a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from typing import Any

from paxman.contract.model import CanonicalField
from paxman.finding.tables.arithmetic import multiplies, numbers_in
from paxman.finding.terms import line_role
from paxman.lexicon.lexicon import load
from paxman.types import Diagnostic, FieldType, Money, Severity

_FACTORS = ("quantity", "unit_price", "line_total")
_NUMERIC = frozenset((FieldType.DECIMAL, FieldType.INTEGER, FieldType.MONEY))
_MOST_OTHERS, _MOST_NUMBERS = 3, 20
_MANY, _MOST_TRIED = 3, 50
_LONGEST = 24
_CENT = Decimal("0.01")


def contradictions(
    field: CanonicalField, rows: Sequence[Any], texts_of: Callable[[int], Iterable[str]]
) -> list[Diagnostic]:
    """Notes on rows whose quantity times price is not their total, if no other number in them may be why.

    Where all of many rows are so, or several by one factor, as by a tax, their columns mean something else.
    """
    names = factor_names(field.columns)
    found = [(number, factors_of(names, row)) for number, row in enumerate(rows)] if names else []
    # What costs nothing is free, whatever its price.
    whole = [(number, factors) for number, factors in found if len(factors) == len(names) and factors[-1]]
    odd = [(number, factors) for number, factors in whole if not _multiplies(factors)]
    tried = odd[:_MOST_TRIED]
    wrong = [(number, factors) for number, factors in tried if not _are_explained(factors, texts_of(number))]
    if (len(odd) == len(whole) and _MANY <= len(wrong) == len(tried)) or _are_alike(wrong):
        return []
    return [_note(f"{field.path}[{number}]", *factors) for number, factors in wrong]


def _are_alike(wrong: Sequence[tuple[int, Sequence[Decimal]]]) -> bool:
    """Whether different rows are off by one factor."""
    (made, total), *rest = {(q * p, t): None for _, (q, p, t) in wrong} or [(Decimal(0), Decimal(0))]
    try:
        return bool(rest) and all(abs(m * total - made * t) <= _CENT * (abs(m) + abs(made)) for m, t in rest)
    except ArithmeticError:
        return False  # numbers that are too large to multiply


def _note(path: str, quantity: Decimal, price: Decimal, total: Decimal) -> Diagnostic:
    return Diagnostic("VALIDATION_FAILED", Severity.WARNING, f"{quantity} x {price} is not {total}", path)


def factor_names(columns: Sequence[CanonicalField]) -> list[str]:
    """The columns for quantity, price and total, if there is one for each."""
    numbers = [column for column in columns if column.type in _NUMERIC]
    terms = [line_role(column, load()) for column in numbers] if len(numbers) >= len(_FACTORS) else []
    if any(terms.count(factor) != 1 for factor in _FACTORS):
        return []
    return [numbers[terms.index(factor)].name for factor in _FACTORS]


def factors_of(names: Sequence[str], row: Mapping[str, Any]) -> list[Decimal]:
    found = (row.get(name) for name in names)
    amounts = (value.amount if isinstance(value, Money) else value for value in found)
    return [Decimal(amount) for amount in amounts if isinstance(amount, int | Decimal)]


def _multiplies(factors: Sequence[Decimal]) -> bool:
    quantity, price, total = factors
    try:
        return quantity * price == total or multiplies(factors)
    except ArithmeticError:
        return True  # numbers that are too large to multiply


def _others(texts: Iterable[str], factors: Sequence[Decimal]) -> list[Decimal]:
    """The other numbers of a row; more than can be tried are not all there."""
    numbers = (number for text in texts if len(text) < _LONGEST for number in numbers_in(text))
    others = dict.fromkeys(number for number in islice(numbers, _MOST_NUMBERS) if number)
    return [number for number in others if number not in factors]


def _are_explained(factors: Sequence[Decimal], texts: Iterable[str]) -> bool:
    """Whether others make the total: a second quantity or price, and two nights, discounts or rates at most."""
    (quantity, price, total), others = factors, _others(texts, factors)
    if len(others) > _MOST_OTHERS:
        return True
    made = {quantity * price, *(other * factor for other in others for factor in (quantity, price))}
    try:
        for _ in range(2):
            made |= {step for value in made for other in others for step in _steps(value, other, quantity)}
    except ArithmeticError:
        return True
    return any(abs(abs(value) - abs(total)) <= _CENT for value in made)


def _steps(value: Decimal, other: Decimal, quantity: Decimal) -> tuple[Decimal, ...]:
    share = other if abs(other) < 1 else other / 100
    rated = value - value * share, value + value * share, value / (1 + share) if share != -1 else value
    return value - other, value + other, value - other * quantity, *rated, value / other, value * other
