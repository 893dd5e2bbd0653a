"""What expressions compute: numbers, money, dates, texts and columns of an array.

Arithmetic is exact in decimal; only division rounds, to 28 digits, half to even.
"""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import reduce
from typing import Any

from paxman.types import Money

_LONGEST_RESULT = 100_000
_FATAL = [decimal.InvalidOperation, decimal.DivisionByZero, decimal.Overflow]
_EXACT = decimal.Context(prec=4000, Emin=-9999, Emax=9999, traps=[*_FATAL, decimal.Inexact])
_ROUNDING = decimal.Context(prec=4000, rounding=decimal.ROUND_HALF_EVEN, Emin=-9999, Emax=9999, traps=_FATAL)
_DIVISION = decimal.Context(prec=28, rounding=decimal.ROUND_HALF_EVEN, Emin=-9999, Emax=9999, traps=_FATAL)
COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})


class ExpressionError(ValueError):
    """An expression that cannot be read, or has no result for the values given."""


class MissingValueError(ExpressionError):
    """A value that the expression needs is not there."""


class CellColumn(tuple[Any, ...]):
    """One value per row of an array; arithmetic on it goes row by row."""


def settled(result: Any) -> Any:
    if isinstance(result, ExpressionError):
        raise result
    if isinstance(result, CellColumn):
        raise ExpressionError("the result is a column: fold it with sum(), count(), min(), max() or all()")
    return _without_negative_zero(result)


def _without_negative_zero(result: Any) -> Any:
    if isinstance(result, Money):
        return Money(_without_negative_zero(result.amount), result.currency)
    return result.copy_abs() if isinstance(result, Decimal) and not result else result


def apply(code: str, argument: Any, operands: list[Any], tolerance: Decimal) -> Any:
    """One step. An error is a result like any other, so that `false and error` can still be false."""
    if argument in ("and", "or"):
        return _logic(argument == "or", *operands)
    for operand in operands:
        if isinstance(operand, ExpressionError):
            return operand
    try:
        if code == "call":
            return FUNCTIONS[argument[0]][2](*operands)
        if code == "unary":
            return _negated(argument, operands[0])
        return _binary(argument, operands[0], operands[1], tolerance)
    except ExpressionError as error:
        return error
    except decimal.DecimalException as error:
        zero = {decimal.DivisionByZero, decimal.DivisionUndefined} & set(error.args[0])
        return ExpressionError("division by zero" if zero else "the result has too many digits")


def _logic(deciding: bool, left: Any, right: Any) -> Any:
    """`or` is decided by one true side, `and` by one false side, even if the other has no value."""
    if left is deciding or right is deciding:
        return deciding
    for side in (left, right):
        if isinstance(side, ExpressionError):
            return side
        if type(side) is not bool:
            return ExpressionError(f"expected true or false, got {_kind(side)}")
    return not deciding


def _negated(operator: str, value: Any) -> Any:
    if operator == "not":
        if type(value) is not bool:
            raise ExpressionError(f"expected true or false, got {_kind(value)}")
        return not value
    return _binary("*", value, Decimal(-1), Decimal(0))


def _binary(operator: str, left: Any, right: Any, tolerance: Decimal) -> Any:
    if isinstance(left, CellColumn) or isinstance(right, CellColumn):
        size = max(len(side) for side in (left, right) if isinstance(side, CellColumn))
        columns = [side if isinstance(side, CellColumn) else (side,) * size for side in (left, right)]
        if len(columns[0]) != len(columns[1]):
            raise ExpressionError("two columns of different length")
        return CellColumn(apply("binary", operator, list(pair), tolerance) for pair in zip(*columns, strict=True))
    left, right = _as_dates(left, right)
    kinds = _kind(left), _kind(right)
    if operator in COMPARISONS:
        return _compare(operator, kinds, left, right, tolerance)
    compute = _ARITHMETIC.get((operator, *kinds))
    if compute is None:
        raise ExpressionError(f"cannot compute {kinds[0]} {operator} {kinds[1]}")
    return compute(left, right)


def _as_dates(left: Any, right: Any) -> tuple[Any, Any]:
    """Text beside a date is a date written as 2025-03-31."""
    if isinstance(left, datetime.date) and isinstance(right, str):
        return left, _to_date(right)
    if isinstance(right, datetime.date) and isinstance(left, str):
        return _to_date(left), right
    return left, right


def _to_date(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise ExpressionError("text beside a date must be a date such as 2025-03-31") from None


_KINDS: dict[type, str] = {
    bool: "a truth value",
    int: "a number",
    Decimal: "a number",
    Money: "money",
    datetime.date: "a date",
    str: "text",
    CellColumn: "a column",
}


def _kind(value: Any) -> str:
    kind = _KINDS.get(type(value))
    if kind is None or (isinstance(value, Decimal) and not value.is_finite()):
        what = "an object" if isinstance(value, Mapping) else type(value).__name__
        raise ExpressionError(f"cannot compute with {what}")
    return kind


def _compare(operator: str, kinds: tuple[str, str], left: Any, right: Any, tolerance: Decimal) -> bool:
    if kinds[0] != kinds[1] and set(kinds) != {"money", "a number"}:
        raise ExpressionError(f"cannot compare {kinds[0]} with {kinds[1]}")
    if kinds == ("money", "money"):
        _same_currency(left, right)
    left, right = (side.amount if isinstance(side, Money) else side for side in (left, right))
    if "a number" in kinds or "money" in kinds:
        return _ORDER[operator](_EXACT.subtract(left, right), tolerance)
    if kinds[0] == "a date":
        return _ORDER[operator]((left - right).days, Decimal(0))
    if operator not in ("==", "!="):
        raise ExpressionError(f"{kinds[0]} can only be compared with == and !=")
    return bool((left == right) == (operator == "=="))


_ORDER: dict[str, Callable[[Any, Decimal], bool]] = {
    "==": lambda difference, tolerance: -tolerance <= difference <= tolerance,
    "!=": lambda difference, tolerance: not -tolerance <= difference <= tolerance,
    "<": lambda difference, tolerance: difference < tolerance,
    "<=": lambda difference, tolerance: difference <= tolerance,
    ">": lambda difference, tolerance: difference > -tolerance,
    ">=": lambda difference, tolerance: difference >= -tolerance,
}


def _same_currency(left: Money, right: Money) -> None:
    if left.currency != right.currency:
        raise ExpressionError(f"amounts in {left.currency} and {right.currency} do not mix")


def _add_money(left: Money, right: Money) -> Money:
    _same_currency(left, right)
    return Money(_EXACT.add(left.amount, right.amount), left.currency)


def _subtract_money(left: Money, right: Money) -> Money:
    _same_currency(left, right)
    return Money(_EXACT.subtract(left.amount, right.amount), left.currency)


def _multiply_money(money: Money, factor: Any) -> Money:
    return Money(_EXACT.multiply(money.amount, factor), money.currency)


def _divide_money(money: Money, divisor: Any) -> Money:
    return Money(_DIVISION.divide(money.amount, divisor), money.currency)


def _ratio(left: Money, right: Money) -> Decimal:
    _same_currency(left, right)
    return _DIVISION.divide(left.amount, right.amount)


def _shift(day: datetime.date, days: Any) -> datetime.date:
    if days != int(days):
        raise ExpressionError("only whole days can be added to a date")
    try:
        return day + datetime.timedelta(days=int(days))
    except OverflowError:
        raise ExpressionError("the date is out of range") from None


def _join(left: str, right: str) -> str:
    if len(left) + len(right) > _LONGEST_RESULT:
        raise ExpressionError(f"the text is longer than {_LONGEST_RESULT} characters")
    return left + right


_ARITHMETIC: dict[tuple[str, str, str], Callable[[Any, Any], Any]] = {
    ("+", "a number", "a number"): _EXACT.add,
    ("-", "a number", "a number"): _EXACT.subtract,
    ("*", "a number", "a number"): _EXACT.multiply,
    ("/", "a number", "a number"): _DIVISION.divide,
    ("+", "money", "money"): _add_money,
    ("-", "money", "money"): _subtract_money,
    ("*", "money", "a number"): _multiply_money,
    ("*", "a number", "money"): lambda factor, money: _multiply_money(money, factor),
    ("/", "money", "a number"): _divide_money,
    ("/", "money", "money"): _ratio,
    ("+", "a date", "a number"): _shift,
    ("+", "a number", "a date"): lambda days, day: _shift(day, days),
    ("-", "a date", "a number"): lambda day, days: _shift(day, -days),
    ("-", "a date", "a date"): lambda left, right: (left - right).days,
    ("+", "text", "text"): _join,
}


def _cells(values: Sequence[Any]) -> list[Any]:
    """The single values among arguments and columns; the first error among them is raised."""
    cells = [cell for value in values for cell in (value if isinstance(value, CellColumn) else (value,))]
    for cell in cells:
        if isinstance(cell, ExpressionError):
            raise cell
    return cells


def _sum(column: Any) -> Any:
    cells = _cells([column])
    return reduce(lambda left, right: _binary("+", left, right, Decimal(0)), cells) if cells else Decimal(0)


def _count(column: Any) -> int:
    cells = column if isinstance(column, CellColumn) else (column,)
    return sum(not isinstance(cell, ExpressionError) for cell in cells)


def _extreme(operator: str, values: Sequence[Any]) -> Any:
    cells = _cells(values)
    if not cells:
        raise MissingValueError("there is nothing to take the smallest or largest of")
    return reduce(lambda left, right: right if _binary(operator, right, left, Decimal(0)) else left, cells)


def _absolute(value: Any) -> Any:
    return _negated("-", value) if _binary("<", value, Decimal(0), Decimal(0)) else value


def _round(value: Any, digits: Any = Decimal(0)) -> Any:
    if _kind(digits) != "a number" or digits not in range(101):
        raise ExpressionError("round() takes 0 to 100 digits")
    if isinstance(value, Money):
        return Money(_round(value.amount, digits), value.currency)
    if _kind(value) != "a number":
        raise ExpressionError(f"cannot round {_kind(value)}")
    return _ROUNDING.quantize(Decimal(value), Decimal(1).scaleb(-int(digits)))


def _days(start: Any, end: Any) -> int:
    """Whole days from one date to another."""
    start, end = (_to_date(side) if isinstance(side, str) else side for side in (start, end))
    if (_kind(start), _kind(end)) != ("a date", "a date"):
        raise ExpressionError(f"days() takes two dates, got {_kind(start)} and {_kind(end)}")
    return int((end - start).days)


def _amount(value: Any) -> Any:
    if not isinstance(value, Money):
        raise ExpressionError(f"amount() takes money, got {_kind(value)}")
    return value.amount


def _all(column: Any) -> bool:
    """Whether a condition holds in every row that has the values for it."""
    known = [cell for cell in _flat(column) if not isinstance(cell, MissingValueError)]
    if not known:
        raise MissingValueError("there is no row to check")
    for cell in _cells(known):
        if type(cell) is not bool:
            raise ExpressionError(f"all() takes conditions, got {_kind(cell)}")
    return all(known)


def _flat(column: Any) -> list[Any]:
    """The cells of a column; of rows in rows all of them."""
    return [cell for each in column for cell in _flat(each)] if isinstance(column, CellColumn) else [column]


FOLDS = frozenset({"sum", "count", "min", "max", "all"})
FUNCTIONS: dict[str, tuple[int, int, Callable[..., Any]]] = {
    "sum": (1, 1, _sum),
    "count": (1, 1, _count),
    "min": (1, 20, lambda *values: _extreme("<", values)),
    "max": (1, 20, lambda *values: _extreme(">", values)),
    "all": (1, 1, _all),
    "abs": (1, 1, _absolute),
    "amount": (1, 1, _amount),
    "round": (1, 2, _round),
    "days": (2, 2, _days),
}
