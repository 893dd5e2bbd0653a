"""What one flattened schema speaks of: the kinds of its values, and the rules that its keywords are."""

from __future__ import annotations

from typing import Any

import attrs

from paxman.contract.adapters.schema_flattening import Flat, allowed_values, type_of
from paxman.contract.drafts import Rule
from paxman.contract.formats import is_known as is_format
from paxman.types import FieldType

KEYWORDS = {
    "minLength": ("string", "min_length", "min"),
    "maxLength": ("string", "max_length", "max"),
    "pattern": ("string", "pattern", "regex"),
    "minimum": ("number", "min_value", "min"),
    "maximum": ("number", "max_value", "max"),
    "exclusiveMinimum": ("number", "exclusive_min", "min"),
    "exclusiveMaximum": ("number", "exclusive_max", "max"),
    "multipleOf": ("number", "multiple_of", "of"),
    "minItems": ("array", "min_items", "min"),
    "maxItems": ("array", "max_items", "max"),
    "uniqueItems": ("array", "unique_items", ""),
}
NATURAL_TYPES = {
    "string": FieldType.STRING,
    "integer": FieldType.INTEGER,
    "number": FieldType.DECIMAL,
    "boolean": FieldType.BOOLEAN,
    "object": FieldType.OBJECT,
    "array": FieldType.ARRAY,
    "mixed": FieldType.ENUM,
}
_NUMBER = frozenset({"integer", "fraction"})
_KIND_OF_FAMILY = {"string": "string", "number": "number", "array": "array"}


def types_of(flat: Flat) -> frozenset[str]:
    types = flat.types if flat.types is not None else frozenset(NATURAL_TYPES)
    if flat.members:
        found = frozenset(type_of(value) for value in allowed_values(flat) if value is not None)
        return found | {"fraction"} if found == {"integer"} and "fraction" in types else found
    return types - {"null"}


def one_kind(types: frozenset[str]) -> str | None:
    """The one JSON type that a value has."""
    if types == _NUMBER:
        return "number"
    return {"fraction": "number"}.get(only := next(iter(types)), only) if len(types) == 1 else None


def kinds_of(types: frozenset[str]) -> list[str]:
    """The types, numbers as one of them, those before text that say more."""
    names = {"number" if types >= _NUMBER and name in _NUMBER else name for name in types}
    return sorted({"fraction": "number"}.get(name, name) for name in names)


def kinds_spoken_of(flat: Flat) -> list[str]:
    """The types that the keywords of a schema without a type speak of."""
    found = {_KIND_OF_FAMILY[KEYWORDS[key][0]] for key, _, _ in flat.rules if key in KEYWORDS}
    found |= {"string"} if any(map(is_format, flat.formats)) else set()
    found |= {"array"} if flat.items or flat.prefix else set()
    if flat.properties or flat.required or flat.closed or flat.others or flat.patterns:
        found.add("object")
    return sorted(found)


def only_kind(flat: Flat, kind: str) -> Flat:
    """The schema for values of one type; what it is called stays with the union."""
    types = _NUMBER if kind == "number" else frozenset({kind})
    return attrs.evolve(flat, types=types, names_null=False, notes={}, hints={})


def says_what(flat: Flat) -> bool:
    """Whether a schema says what a value is, and not only what it must not lack."""
    named = flat.properties or flat.items or flat.prefix or flat.members or flat.patterns or flat.others
    return bool(flat.types is not None or named or flat.choices or flat.endless or flat.formats)


def format_rules(flat: Flat, kind: FieldType) -> list[Rule]:
    names = [name for name in dict.fromkeys(flat.formats) if is_format(name)] if kind is FieldType.STRING else []
    return [Rule("format", {"name": name}, flat.place / "format", native=True) for name in names]


def member_rules(flat: Flat) -> list[Rule]:
    values = (
        [
            (int(value) if isinstance(value, float) and value.is_integer() else value)
            for value in allowed_values(flat)
            if value is not None
        ]
        if flat.members
        else []
    )
    return [Rule("enum", {"values": values}, flat.members[0][1], native=True)] if values else []


def to_rule(key: str, value: Any, place: Any) -> list[Rule]:
    _, kind, param = KEYWORDS[key]
    if value is False and key == "uniqueItems":
        return []
    if isinstance(value, str) and key == "pattern":
        # In a schema a group named `value` has no meaning: the whole value must satisfy the pattern.
        value = value.replace("(?<value>", "(?:").replace("(?P<value>", "(?:")
    return [] if value == "" and key == "pattern" else [Rule(kind, {param: value} if param else {}, place, native=True)]


def is_implied(flat: Flat, key: str, value: Any) -> bool:
    """Whether the declared properties satisfy a count of properties by themselves."""
    if not isinstance(value, int | float):
        return False
    if key == "minProperties":
        return value <= len(flat.required)
    return key == "maxProperties" and value >= len(flat.properties) > 0
