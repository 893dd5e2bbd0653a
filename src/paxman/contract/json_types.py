"""The shape of a value: type names in the value's own structure, enough to read it back from plain JSON."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from paxman.contract.constraints import branch_of
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.types import FieldType, Money


def shape_of(contract: CanonicalContract, path: str, value: Any) -> Any:
    """The shape of a field's value; of a union or a map, as the value itself tells."""
    field = contract.by_path[path]
    if field.is_fixed or value is None:
        return contract.shapes[path]
    return contract.written(_shape_of(field, value))


def _shape_of(field: CanonicalField | None, value: Any) -> Any:
    while field and field.type is FieldType.UNION:
        field = branch_of(field, value)
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
