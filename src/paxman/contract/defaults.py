"""Defaults in the type of their field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from paxman.contract.constraints import problems
from paxman.contract.drafts import Findings, KeyPath
from paxman.contract.model import CanonicalField
from paxman.contract.rules import to_date
from paxman.currencies import MINOR_UNITS
from paxman.types import FieldType, Money, to_decimal


def to_default(field: CanonicalField, raw: Any, place: KeyPath, findings: Findings) -> Any:
    """The default as a value of the field; what does not fit is an error."""
    try:
        value = _convert(field, raw, place, findings)
    except _Reported:
        return None
    except ValueError as error:
        findings.error("DEFAULT_TYPE_MISMATCH", place, f"{error}.", f"The field's type is {field.type.value}.")
        return None
    for problem in problems(field, value):
        findings.error("DEFAULT_TYPE_MISMATCH", place, f"the default is {problem}.")
    return value


class _Reported(Exception):
    """The default is wrong in a way that has its own code."""


def _convert(field: CanonicalField, raw: Any, place: KeyPath, findings: Findings) -> Any:
    if raw is None:
        return None
    if field.type is FieldType.MONEY:
        return _to_money(raw, place, findings)
    if field.type is FieldType.ARRAY and isinstance(raw, list | tuple) and field.items:
        return [_convert(field.items, item, place / index, findings) for index, item in enumerate(raw)]
    if field.type is FieldType.OBJECT and isinstance(raw, Mapping):
        return _to_object(field, raw, place, findings)
    return _CONVERTERS.get(field.type, _as_is)(raw)


def _to_object(field: CanonicalField, raw: Mapping[str, Any], place: KeyPath, findings: Findings) -> Mapping[str, Any]:
    children = {child.name: child for child in field.children}
    if children and not raw.keys() <= children.keys():
        raise ValueError(f"unknown parts: {', '.join(sorted(raw.keys() - children.keys()))}")
    return {
        name: _convert(children[name], item, place / name, findings) if children else item for name, item in raw.items()
    }


def _as_is(raw: Any) -> Any:
    return to_decimal(raw) if isinstance(raw, float) else raw


def _to_decimal(raw: Any) -> Decimal:
    if isinstance(raw, bool) or not isinstance(raw, int | float | str | Decimal):
        raise ValueError(f"{raw!r} is not a number")
    return to_decimal(raw)


_CONVERTERS: dict[FieldType, Callable[[Any], Any]] = {FieldType.DECIMAL: _to_decimal, FieldType.DATE: to_date}


def _to_money(raw: Any, place: KeyPath, findings: Findings) -> Money:
    if isinstance(raw, Money):
        return raw
    parts = raw if isinstance(raw, Mapping) else {"amount": raw}
    amount = _amount(parts, place, findings)
    currency = parts.get("currency")
    if currency is None:
        hint = 'Write {"amount": "9.90", "currency": "EUR"}.'
        findings.error("MONEY_REQUIRES_CURRENCY", place / "currency", "a default amount needs its currency.", hint)
    elif not isinstance(currency, str) or currency.upper() not in MINOR_UNITS:
        hint = "Use a code such as EUR or USD."
        findings.error("INVALID_ISO_4217", place / "currency", f"{currency!r} is not an ISO 4217 code.", hint)
    elif amount is not None:
        return Money(amount, currency)
    raise _Reported


def _amount(parts: Mapping[str, Any], place: KeyPath, findings: Findings) -> Decimal | None:
    try:
        return _to_decimal(parts.get("amount"))
    except ValueError as error:
        findings.error("DEFAULT_TYPE_MISMATCH", place / "amount", f"{error}.")
        return None
