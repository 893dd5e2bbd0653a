"""Values computed from fields that are settled already."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from paxman.capabilities import specs
from paxman.capabilities.base import (
    Candidate,
    CapabilityContext,
    CapabilityResult,
    EvidenceRef,
)
from paxman.contract.arithmetic import ExpressionError, MissingValueError
from paxman.contract.expressions import parse
from paxman.contract.model import CanonicalField
from paxman.types import FieldType, Money, Severity, to_decimal

_LONGEST_VALUE = 100


class Derivation:
    """Evaluates the field's formula over the values of other fields."""

    spec = specs.DERIVATION

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        expression = parse(str(context.field.derive))
        try:
            value = as_field_type(expression.evaluate(context.resolved), context.field)
        except MissingValueError as error:
            names = expression.missing(context.resolved)
            reason = f"no value for {', '.join(names)}" if names else str(error)
            missing = {"missing": names} if names else {}
            message = f"{expression.text} was not computed: {reason}"
            return context.noted("MISSING_INPUT", message, Severity.INFO, missing)
        except (ExpressionError, ValueError) as error:
            return context.noted("CAPABILITY_FAILED", f"{expression.text} has no result: {error}")
        spec = context.spec
        # The formula and its inputs; their values only where the caller wants quotes in the artifact.
        inputs = expression.inputs
        if context.policy.embed_evidence_payload:
            inputs = tuple(f"{name}={_shown(context.resolved.get(name))}" for name in inputs)
        ref = EvidenceRef(
            spec.id,
            spec.version,
            context.field.path,
            detail=f"{expression.text} with {', '.join(inputs)}" if inputs else expression.text,
        )
        return CapabilityResult((Candidate(value, (ref,)),))


def as_field_type(value: Any, field: CanonicalField) -> Any:
    """A computed or stored value as the field's type; ValueError where that would lose or invent something."""
    convert = _CONVERTERS.get(field.type)
    converted = value if convert is None else convert(value, field)
    if converted is None:
        raise ValueError(f"the value is {_word(value)}, the field is {field.type.value}")
    return converted


def _word(value: Any) -> str:
    if isinstance(value, Money):
        return "money (amount() gives its number)"
    return "a number" if isinstance(value, int | Decimal) and not isinstance(value, bool) else type(value).__name__


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _to_integer(value: Any, field: CanonicalField) -> int | None:
    number = _to_decimal(value, field)
    return int(number) if number is not None and number == number.to_integral_value() else None


def _to_decimal(value: Any, field: CanonicalField) -> Decimal | None:
    return to_decimal(value) if _is_number(value) else None


def _to_money(value: Any, field: CanonicalField) -> Money | None:
    """A plain number is money only where the contract fixes the currency."""
    if isinstance(value, Mapping) and {"amount", "currency"} <= value.keys():
        return Money(value["amount"], value["currency"])
    currency = (field.constraint("iso_4217") or {}).get("currency")
    if _is_number(value) and currency:
        return Money(value, currency)
    return value if isinstance(value, Money) else None


def _to_member(value: Any, field: CanonicalField) -> Any:
    return next((member for member in field.enum_values if type(member) is type(value) and member == value), None)


def _only(kind: type) -> Callable[[Any, CanonicalField], Any]:
    return lambda value, field: value if type(value) is kind else None


_CONVERTERS: dict[FieldType, Callable[[Any, CanonicalField], Any]] = {
    FieldType.STRING: _only(str),
    FieldType.INTEGER: _to_integer,
    FieldType.DECIMAL: _to_decimal,
    FieldType.BOOLEAN: _only(bool),
    FieldType.DATE: _only(datetime.date),
    FieldType.MONEY: _to_money,
    FieldType.ENUM: _to_member,
}


def _shown(value: Any) -> str:
    if value is None or isinstance(value, list | tuple | Mapping):
        return "…"
    text = str(value)
    return text if len(text) <= _LONGEST_VALUE else text[:_LONGEST_VALUE] + "…"
