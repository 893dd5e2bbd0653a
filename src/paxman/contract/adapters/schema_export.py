"""Canonical contracts as JSON Schema; what it cannot say stands under `x-paxman`."""

from __future__ import annotations

import re
from typing import Any

from paxman.contract.adapters.dict_dsl import (
    export_constraints,
    export_content,
    export_head,
    export_hints,
    to_json_values,
)
from paxman.contract.adapters.schema_kinds import KEYWORDS
from paxman.contract.formats import FORMAT_OF
from paxman.contract.model import CanonicalContract, CanonicalField, Constraint
from paxman.types import FieldType

_TYPES = {
    FieldType.STRING: "string",
    FieldType.INTEGER: "integer",
    FieldType.DECIMAL: "number",
    FieldType.BOOLEAN: "boolean",
    FieldType.OBJECT: "object",
    FieldType.ARRAY: "array",
    FieldType.MONEY: "object",
}
_KEYWORDS = {kind: (family, keyword, param) for keyword, (family, kind, param) in KEYWORDS.items()}
_OWN_SYNTAX = re.compile(r"\\[AzZQEC]|\(\?[^:]|\[\[")
"""What only RE2 understands, or means something else to a validator of JSON Schema."""


def export_schema(canonical: CanonicalContract, *, by_fields: bool = False) -> dict[str, Any]:
    """The schema of a whole contract, without `$schema`; its own, where it was read from one that says more."""
    head = export_head(canonical)
    if by_fields:
        return _export_fields(canonical, head)
    own = next((each.params["schema"] for each in canonical.constraints if each.kind == "json_schema"), None)
    if own is not None:
        head["constraints"] = export_constraints([c for c in canonical.constraints if c.kind != "json_schema"])
        return {**to_json_values(own), "x-paxman": {key: value for key, value in head.items() if value != []}}
    return _export_fields(canonical, head)


def _export_fields(canonical: CanonicalContract, head: dict[str, Any]) -> dict[str, Any]:
    if not all(field.is_fixed for field in canonical.fields) or any(
        c.kind == "json_schema" for c in canonical.constraints
    ):
        head["validate"] = False
    if canonical.root:
        head["root"] = export_content(canonical.fields[0])
        return {"title": canonical.id, **_export_field(canonical.fields[0]), "x-paxman": head}
    return {"title": canonical.id, **_export_object(canonical.fields), "x-paxman": head}


def _export_object(fields: tuple[CanonicalField, ...]) -> dict[str, Any]:
    data: dict[str, Any] = {"type": "object", "properties": {field.name: _export_field(field) for field in fields}}
    required = [field.name for field in fields if field.required]
    if required:
        data["required"] = required
    return {**data, "additionalProperties": False}


def _export_field(field: CanonicalField) -> dict[str, Any]:
    data = _export_type(field)
    if (not field.is_fixed and not _is_free(field)) or field.secret:
        return {**data, "x-paxman": {"field": export_content(field)}}
    if field.description:
        data["description"] = field.description
    hints = _export_hints(field, data)
    rest = _export_rules(field, data)
    if rest:
        hints["constraints"] = export_constraints(rest)
    _export_default(field, data, hints)
    if field.nullable and "type" in data:
        data["type"] = [data["type"], "null"]
    if field.nullable and "enum" in data:
        data["enum"] = [*data["enum"], None]
    return {**data, "x-paxman": hints} if hints else data


def _is_free(field: CanonicalField) -> bool:
    """An object that is taken as it stands, which schemas write as such, alone or in lists."""
    inner = field.items if field.type is FieldType.ARRAY and not field.prefix else field
    return inner is not None and inner.type is FieldType.OBJECT and not inner.children


def _export_type(field: CanonicalField) -> dict[str, Any]:
    if field.type is FieldType.OBJECT and field.children:
        return _export_object(field.children)
    if field.type is FieldType.MAP:
        data = {**_export_object(field.children), "additionalProperties": field.items is not None}
        if not field.children:
            del data["properties"]
        return {**data, "additionalProperties": _export_field(field.items)} if field.items else data
    if field.type is FieldType.UNION:
        if field.open:
            return {}
        null = [{"type": "null"}] if field.nullable else []
        return {"anyOf": [*map(_export_field, field.branches), *null]}
    if field.prefix:
        return _export_tuple(field)
    if field.type is FieldType.ARRAY:
        return {"type": "array", "items": _export_field(field.items) if field.items else {"type": "string"}}
    if field.type is FieldType.MONEY:
        amount = "string" if field.text_form else "number"
        return {
            "type": "object",
            "properties": {"amount": {"type": amount}, "currency": {"type": "string"}},
            "required": ["amount", "currency"],
        }
    if field.type in FORMAT_OF:
        return {"type": "string", "format": FORMAT_OF[field.type]}
    if field.type is FieldType.ENUM:
        texts = all(isinstance(value, str) for value in field.enum_values)
        return {"type": "string"} if texts else {}
    return {"type": "string" if field.text_form and field.type is FieldType.DECIMAL else _TYPES[field.type]}


def _export_tuple(field: CanonicalField) -> dict[str, Any]:
    data = {"type": "array", "prefixItems": [_export_field(part) for part in field.prefix]}
    return {**data, "items": _export_field(field.items) if field.items else False}


def _export_hints(field: CanonicalField, data: dict[str, Any]) -> dict[str, Any]:
    hints = export_hints(field)
    tags, format = hints.get("tags", []), (field.constraint("format") or {}).get("name")
    if format and tags[:1] == [format]:
        data["format"] = format
        hints = {**hints, "tags": tags[1:]} if tags[1:] else {k: v for k, v in hints.items() if k != "tags"}
    if _needs_type(field, data):
        hints["type"] = field.type.value
    if field.type in FORMAT_OF and field.type is not FieldType.DURATION and not field.text_form:
        hints["text_form"] = False
    return hints


def _needs_type(field: CanonicalField, data: dict[str, Any]) -> bool:
    """Whether the schema alone would be read as another type."""
    if field.type is FieldType.STRING:
        return bool(field.enum_values)
    if field.type is FieldType.ENUM:
        return "type" not in data
    if field.type in FORMAT_OF:
        return bool(field.enum_values)
    return field.type is FieldType.MONEY or (field.type is FieldType.DECIMAL and field.text_form)


def _export_rules(field: CanonicalField, data: dict[str, Any]) -> list[Constraint]:
    """Write constraints as keywords where there is one; the others are given back."""
    family = {"integer": "number"}.get(str(data.get("type")), data.get("type"))
    rest: list[Constraint] = []
    for constraint in field.constraints:
        # Keywords are read first, so what follows one that is left over is left over too.
        if any(each.kind == constraint.kind for each in rest) or not _export_rule(constraint, family, data):
            rest.append(constraint)
    return rest


def _export_rule(constraint: Constraint, family: Any, data: dict[str, Any]) -> bool:
    if constraint.kind == "enum":
        return _export_members(constraint, data)
    if constraint.kind == "format":
        return bool(data.get("format") == constraint.params["name"])
    wanted, keyword, param = _KEYWORDS.get(constraint.kind, ("", "", ""))
    if wanted != family or keyword in data:
        return False
    value = to_json_values(constraint.params[param]) if param else True
    if isinstance(value, str) and (keyword != "pattern" or _OWN_SYNTAX.search(value)):
        return False
    data[keyword] = value
    return True


def _export_members(constraint: Constraint, data: dict[str, Any]) -> bool:
    values = to_json_values(constraint.params["values"])
    texts = [isinstance(value, str) for value in values]
    wrong = {"string": not all(texts), "number": any(texts), "object": True, "array": True}
    if "enum" in data or wrong.get(str(data.get("type"))):
        return False
    data["enum"] = values
    return True


def _export_default(field: CanonicalField, data: dict[str, Any], hints: dict[str, Any]) -> None:
    if not field.has_default:
        return
    value = to_json_values(field.default)
    is_plain = field.type not in (FieldType.MONEY, FieldType.ARRAY, FieldType.OBJECT, FieldType.DECIMAL)
    if is_plain or isinstance(value, int | float):
        data["default"] = value
    else:
        hints["default"] = value
