"""Values between their typed form, the normalized data and stored JSON, and the shapes by which they are read back."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from paxman.contract.constraints import resolved
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.types import FieldType, Money, freeze, iso_text, thaw


def export_value(value: Any, shape: Any) -> Any:
    """A value as the contract's own schema wants it: plain containers, text or JSON numbers where it says so."""
    if value is None:
        return None
    if isinstance(shape, Mapping):
        return {name: export_value(item, shape.get(name, "OBJECT")) for name, item in value.items()}
    if isinstance(shape, tuple | list):
        return [export_value(item, _at(shape, number)) for number, item in enumerate(value)]
    if isinstance(value, Money):
        return {"amount": export_value(value.amount, shape), "currency": value.currency}
    if shape.endswith(":text"):
        return iso_text(value)
    return _with_json_numbers(thaw(value)) if shape.endswith(":number") else thaw(value)


def _at(shape: Sequence[Any], number: int) -> Any:
    """The shape of an element: one for all, or each its own."""
    return shape[number] if len(shape) > 1 else shape[0]


def _with_json_numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _with_json_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_json_numbers(item) for item in value]
    return _json_number(value) if isinstance(value, Decimal) else value


def _json_number(value: Decimal) -> int | float | Decimal:
    """What a JSON parser would give; a Decimal only where a float would lose digits."""
    if value == value.to_integral_value():
        return int(value) if value.adjusted() < 300 else value
    near = float(value)
    return near if Decimal(repr(near)) == value else value


def decode_value(stored: Any, shape: Any) -> Any:
    """The typed value that canonical JSON holds as text."""
    if stored is None:
        return None
    if isinstance(shape, Mapping):
        return freeze({name: decode_value(item, shape.get(name, "OBJECT")) for name, item in stored.items()})
    if isinstance(shape, tuple | list):
        return tuple(decode_value(item, _at(shape, number)) for number, item in enumerate(stored))
    return _DECODERS.get(shape.partition(":")[0], freeze)(stored)


_DECODERS: Mapping[str, Any] = {
    "DECIMAL": Decimal,
    "DATE": datetime.date.fromisoformat,
    "DATETIME": datetime.datetime.fromisoformat,
    "TIME": datetime.time.fromisoformat,
    "MONEY": lambda stored: Money(stored["amount"], stored["currency"]),
}


def shape_of(contract: CanonicalContract, path: str, value: Any) -> Any:
    """The shape of a field's value; of a union or a map, as the value itself tells."""
    field = contract.by_path[path]
    if field.is_fixed or value is None:
        return contract.shapes[path]
    return contract.written(_shape_of(field, value))


def _shape_of(field: CanonicalField | None, value: Any) -> Any:
    field = resolved(field, value)
    if isinstance(value, Mapping):
        parts = {child.name: child for child in field.children} if field else {}
        rest = field.items if field and field.type is FieldType.MAP else None
        return {name: _shape_of(parts.get(name, rest), item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        shapes = [_shape_of(field.item(number) if field else None, item) for number, item in enumerate(value)]
        return shapes[:1] if all(shape == shapes[0] for shape in shapes) else shapes
    if field is None or value is None:
        return next((name for kind, name in _NATURAL if isinstance(value, kind)), "STRING")
    return field.shape if isinstance(field.shape, str) else "STRING"


_NATURAL = (
    (bool, "BOOLEAN"),
    (int, "INTEGER"),
    (Decimal, "DECIMAL"),
    (datetime.datetime, "DATETIME"),
    (datetime.date, "DATE"),
    (datetime.time, "TIME"),
    (Money, "MONEY"),
)
