"""Which format a contract is written in, told by its structure."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Any

from paxman.lazy import lazy_pattern

JSON_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
_KEYWORDS = """
$schema $id $ref $defs $anchor $dynamicRef $dynamicAnchor $recursiveRef $comment $vocabulary definitions properties
patternProperties additionalProperties propertyNames unevaluatedProperties unevaluatedItems dependentRequired
dependentSchemas dependencies minProperties maxProperties allOf anyOf oneOf not if then else items prefixItems
additionalItems contains minContains maxContains minItems maxItems uniqueItems minLength maxLength pattern format
minimum maximum exclusiveMinimum exclusiveMaximum multipleOf const enum contentEncoding contentMediaType contentSchema
x-paxman
"""
_CREATE = lazy_pattern(
    r"(?im)^\s*CREATE\s+(?:(?:OR\s+REPLACE|TEMP(?:ORARY)?|GLOBAL|LOCAL|UNLOGGED|TRANSIENT)\s+)*TABLE\b"
)
_MARKERS = frozenset(_KEYWORDS.split())
_SAYING = _MARKERS - frozenset("$schema $id $defs definitions $comment $anchor $vocabulary x-paxman".split())
"""Keywords that ask something of a value."""
_MOST_WRAPPINGS, _DEEPEST_WRAPPING = 10_000, 8


def format_of(contract: Any) -> str | None:
    """The name of the adapter for a contract; None for what no built-in adapter knows."""
    if isinstance(contract, type):
        return "pydantic" if is_model(contract) else "python_class" if class_kind(contract) else None
    if typing.get_origin(contract) in (list, dict, tuple, set):
        return "pydantic"
    if isinstance(contract, bool):
        return "json_schema"
    if isinstance(contract, Mapping):
        if "openapi" in contract or "swagger" in contract:
            return "openapi"
        if "fields" in contract and not {"$schema", "properties"} & contract.keys():
            return "dict_dsl"
        says = bool(_SAYING & contract.keys()) or (_has_json_type(contract) and contract["type"] != "object")
        if not says and find_wrapped(contract):
            return "wrapped_schema"
        if says or _MARKERS & contract.keys() or _has_json_type(contract):
            return "json_schema"
        return "dict_dsl" if "id" in contract or not contract else None
    if isinstance(contract, str):
        return "sql" if is_sql(contract) else None
    return "wrapped_schema" if isinstance(contract, list) and find_wrapped(contract) else None


def is_sql(text: str) -> bool:
    """Whether a text declares tables."""
    return _CREATE.search(text) is not None


def is_model(kind: type) -> bool:
    return hasattr(kind, "model_fields") and hasattr(kind, "model_validate")


def class_kind(kind: Any) -> str | None:
    """What a class that declares fields was made with; None for a Pydantic model and for any other class."""
    if not isinstance(kind, type) or is_model(kind):
        return None
    return next((name for name, mark in _CLASS_MARKS.items() if hasattr(kind, mark)), None)


_CLASS_MARKS = {
    "sqlalchemy": "__mapper__",
    "msgspec": "__struct_fields__",
    "attrs": "__attrs_attrs__",
    "dataclass": "__dataclass_fields__",
    "typed_dict": "__required_keys__",
}


class KnownFormat:
    """An adapter for a format that is told by its structure."""

    name: str

    def accepts(self, contract: Any) -> bool:
        return format_of(contract) == self.name


def find_wrapped(contract: Any) -> list[tuple[str | int, ...]]:
    """The keys that lead to each schema of an object inside of something that is none itself."""
    found: list[tuple[str | int, ...]] = []
    waiting: list[tuple[Any, tuple[str | int, ...]]] = [(contract, ())]
    for _ in range(_MOST_WRAPPINGS):
        if not waiting:
            break
        node, keys = waiting.pop(0)
        if keys and _is_object_schema(node):
            found.append(keys)
        elif len(keys) < _DEEPEST_WRAPPING and isinstance(node, Mapping | list):
            parts = node.items() if isinstance(node, Mapping) else enumerate(node)
            waiting += [(part, (*keys, key)) for key, part in parts]
    return found


def _is_object_schema(node: Any) -> bool:
    properties = node.get("properties") if isinstance(node, Mapping) else None
    return isinstance(properties, Mapping) and all(isinstance(each, Mapping | bool) for each in properties.values())


def _has_json_type(contract: Mapping[str, Any]) -> bool:
    kind = contract.get("type")
    return isinstance(kind, list) or (isinstance(kind, str) and kind in JSON_TYPES)
