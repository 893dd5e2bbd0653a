"""Canonical contracts as JSON Schema; what it cannot say stands under `x-paxman`."""

from __future__ import annotations

import re
from typing import Any

from paxman.contract.adapters.dict_dsl import export_constraints, export_head, export_hints, to_json_values
from paxman.contract.adapters.schema_fields import KEYWORDS, is_exact_step
from paxman.contract.model import CanonicalContract, CanonicalField, Constraint
from paxman.types import FieldType

_TYPES = {
    FieldType.STRING: "string",
    FieldType.INTEGER: "integer",
    FieldType.DECIMAL: "number",
    FieldType.BOOLEAN: "boolean",
    FieldType.DATE: "string",
    FieldType.OBJECT: "object",
    FieldType.ARRAY: "array",
    FieldType.MONEY: "object",
}
_KEYWORDS = {kind: (family, keyword, param) for keyword, (family, kind, param) in KEYWORDS.items()}
_OWN_SYNTAX = re.compile(r"\\[AzZQEC]|\(\?[^:]|\[\[")
"""What only RE2 understands, or means something else to a validator of JSON Schema."""
_FORMATS = ("date-time", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid")


def export_schema(canonical: CanonicalContract) -> dict[str, Any]:
    """The schema of a whole contract, without `$schema`."""
    return {"title": canonical.id, **_export_object(canonical.fields), "x-paxman": export_head(canonical)}


def _export_object(fields: tuple[CanonicalField, ...]) -> dict[str, Any]:
    data: dict[str, Any] = {"type": "object", "properties": {field.name: _export_field(field) for field in fields}}
    required = [field.name for field in fields if field.required]
    if required:
        data["required"] = required
    return {**data, "additionalProperties": False}


def _export_field(field: CanonicalField) -> dict[str, Any]:
    data = _export_type(field)
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


def _export_type(field: CanonicalField) -> dict[str, Any]:
    if field.type is FieldType.OBJECT and field.children:
        return _export_object(field.children)
    if field.type is FieldType.ARRAY:
        return {"type": "array", "items": _export_field(field.items) if field.items else {"type": "string"}}
    if field.type is FieldType.MONEY:
        return _export_money(field)
    if field.type is FieldType.DATE:
        return {"type": "string", "format": "date"}
    if field.type is FieldType.ENUM:
        texts = all(isinstance(value, str) for value in field.enum_values)
        return {"type": "string"} if texts else {}
    return {"type": "string" if field.text_form and field.type is FieldType.DECIMAL else _TYPES[field.type]}


def _export_money(field: CanonicalField) -> dict[str, Any]:
    amount = "string" if field.text_form else "number"
    return {
        "type": "object",
        "properties": {"amount": {"type": amount}, "currency": {"type": "string"}},
        "required": ["amount", "currency"],
    }


def _export_hints(field: CanonicalField, data: dict[str, Any]) -> dict[str, Any]:
    hints = export_hints(field)
    tags = hints.get("tags", [])
    if field.type is FieldType.STRING and tags and tags[0] in _FORMATS:
        data["format"] = tags[0]
        hints["tags"] = tags[1:]
        if not tags[1:]:
            del hints["tags"]
    if _needs_type(field, data):
        hints["type"] = field.type.value
    if field.type is FieldType.DATE and not field.text_form:
        hints["text_form"] = False
    return hints


def _needs_type(field: CanonicalField, data: dict[str, Any]) -> bool:
    """Whether the schema alone would be read as another type."""
    if field.type is FieldType.STRING:
        return bool(field.enum_values)
    if field.type is FieldType.ENUM:
        return "type" not in data
    if field.type is FieldType.DATE:
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
    wanted, keyword, param = _KEYWORDS.get(constraint.kind, ("", "", ""))
    if wanted != family or keyword in data:
        return False
    value = to_json_values(constraint.params[param]) if param else True
    if isinstance(value, str) and (keyword != "pattern" or _OWN_SYNTAX.search(value)):
        return False
    if keyword == "multipleOf" and not is_exact_step(value):
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
