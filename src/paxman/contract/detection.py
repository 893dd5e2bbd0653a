"""Which format a contract is written in, told by its structure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

JSON_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
_KEYWORDS = """
$schema $id $ref $defs $anchor $dynamicRef $dynamicAnchor $recursiveRef $comment $vocabulary definitions properties
patternProperties additionalProperties propertyNames unevaluatedProperties unevaluatedItems dependentRequired
dependentSchemas dependencies minProperties maxProperties allOf anyOf oneOf not if then else items prefixItems
additionalItems contains minContains maxContains minItems maxItems uniqueItems minLength maxLength pattern format
minimum maximum exclusiveMinimum exclusiveMaximum multipleOf const enum contentEncoding contentMediaType contentSchema
x-paxman
"""
_MARKERS = frozenset(_KEYWORDS.split())


def format_of(contract: Any) -> str | None:
    """`pydantic`, `openapi`, `dict_dsl` or `json_schema`; None for what no built-in adapter knows."""
    if isinstance(contract, type):
        return "pydantic" if hasattr(contract, "model_fields") and hasattr(contract, "model_validate") else None
    if isinstance(contract, bool):
        return "json_schema"
    return _format_of_mapping(contract) if isinstance(contract, Mapping) else None


class KnownFormat:
    """An adapter for a format that is told by its structure."""

    name: str

    def accepts(self, contract: Any) -> bool:
        return format_of(contract) == self.name


def _format_of_mapping(contract: Mapping[str, Any]) -> str | None:
    if "openapi" in contract or "swagger" in contract:
        return "openapi"
    if "fields" in contract and not {"$schema", "properties"} & contract.keys():
        return "dict_dsl"
    if _MARKERS & contract.keys() or _has_json_type(contract):
        return "json_schema"
    return "dict_dsl" if "id" in contract or not contract else None


def _has_json_type(contract: Mapping[str, Any]) -> bool:
    kind = contract.get("type")
    return isinstance(kind, list) or (isinstance(kind, str) and kind in JSON_TYPES)
