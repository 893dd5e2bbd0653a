"""JSON Schema (2020-12, 2019-09, drafts 4 to 7): by itself, inside of another object, or as a part of OpenAPI."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import reduce
from operator import truediv
from typing import Any

from paxman.contract.adapters.dict_dsl import (
    export_constraints,
    export_content,
    export_head,
    export_hints,
    to_json_values,
)
from paxman.contract.adapters.schema_fields import FieldReader, contract_name
from paxman.contract.adapters.schema_flattening import (
    UNSUPPORTED,
    Flattener,
    SchemaDialect,
    SchemaNode,
    address_of,
    dialect_of,
    guess_dialect,
)
from paxman.contract.adapters.schema_kinds import KEYWORDS
from paxman.contract.adapters.schema_references import References, follow_pointer, pointer_parts, references_in
from paxman.contract.building import ContractDraft, build_contract
from paxman.contract.detection import KnownFormat, find_wrapped
from paxman.contract.drafts import DOCUMENT, Findings, KeyPath, Rule, clean, refusal
from paxman.contract.formats import FORMAT_OF
from paxman.contract.hints import read_identity, read_settings
from paxman.contract.model import CanonicalContract, CanonicalField, Constraint, Source
from paxman.errors import ContractIssue, InvalidPathError, unknown_name
from paxman.types import FieldType


class JsonSchemaAdapter(KnownFormat):
    name = "json_schema"
    version = "1.0"

    def adapt(self, contract: Any, **options: Any) -> CanonicalContract:
        findings = Findings()
        schema = clean(contract, findings, DOCUMENT)
        if isinstance(schema, bool):
            findings.error(UNSUPPORTED, DOCUMENT, "a schema that is only true or false describes no fields.")
            findings.settle()
        dialect = dialect_of(schema.get("$schema")) or guess_dialect(schema)
        return read_schema(schema, schema, DOCUMENT, dialect, contract_name(schema), findings)

    def export(self, canonical: CanonicalContract) -> dict[str, Any]:
        is_own = any(each.kind == "json_schema" for each in canonical.constraints)
        return {**({} if is_own else {"$schema": address_of(SchemaDialect())}), **export_schema(canonical)}


class WrappedSchemaAdapter(JsonSchemaAdapter):
    """The parameters of a tool, an answer's format, a file with several schemas."""

    name = "wrapped_schema"
    version = "1.0"

    def adapt(self, contract: Any, **options: Any) -> CanonicalContract:
        findings, wanted = Findings(), options.get("schema_name")
        document = clean(contract, findings, DOCUMENT)
        found = [(*_named(document, keys), reduce(truediv, keys, DOCUMENT)) for keys in find_wrapped(document)]
        fitting = found if wanted is None else [each for each in found if wanted in (each[1], *_spellings(each[2]))]
        if len(fitting) != 1:
            names = [name for _, name, _ in found]
            listed = ", ".join(f"{name} ({place})" for _, name, place in found)
            raise _which_schema(
                f"there are several schemas: {listed}.", wanted if not fitting else None, names, DOCUMENT
            )
        schema, name, place = fitting[0]
        findings.warn(place, f"the contract is the schema that stands here, under the name {name!r}.")
        inner = (each[1:] for each in references_in(schema) if each.startswith("#/"))
        home = schema if all(follow_pointer(schema, each) is not None for each in inner) else document
        dialect = dialect_of(schema.get("$schema")) or SchemaDialect()
        return read_schema(home, schema, place, dialect, name, findings)


def _spellings(place: KeyPath) -> tuple[str, str]:
    return place.text, place.text[1:]


def _named(document: Any, keys: tuple[str | int, ...]) -> tuple[Mapping[str, Any], str]:
    """A schema with the name that stands nearest to it: beside it, in it, or the key that it stands under."""
    around: list[Any] = [document]
    for key in keys:
        around.append(around[-1][key])
    beside = (each.get("name") for each in reversed(around[:-1]) if isinstance(each, Mapping))
    name = next((word for word in beside if isinstance(word, str) and word.strip()), None)
    own = [str(key) for key in reversed(keys) if str(key).lower() not in _GENERIC and not isinstance(key, int)]
    return around[-1], name or contract_name(around[-1]) or next(iter(own), "contract")


_GENERIC = frozenset("schema schemas json_schema jsonschema parameters input_schema inputschema function $defs".split())
"""Keys that say that a schema follows, and not which."""


def _which_schema(message: str, wanted: str | None, known: list[str], place: KeyPath) -> InvalidPathError:
    if wanted:
        message = unknown_name("schema", pointer_parts(wanted)[-1], known)
    files = "api.yaml" if place is not DOCUMENT else "file.json"
    hint = f'Name one: give (document, "Invoice") as the contract, or "{files}#Invoice" for a file.'
    return InvalidPathError([ContractIssue("INVALID_CONTRACT", str(place), message, hint)])


class OpenApiAdapter(KnownFormat):
    """OpenAPI 3.1, 3.0 and 2.0 (Swagger): one schema of the document is the contract."""

    name = "openapi"
    version = "1.1"

    def adapt(self, contract: Any, **options: Any) -> CanonicalContract:
        findings, wanted = Findings(), options.get("schema_name")
        dialect = _dialect(contract, findings)
        findings.settle()
        document = clean(contract, findings, DOCUMENT)
        pointed = follow_pointer(document, wanted) if wanted and "/" in wanted else None
        if wanted and isinstance(pointed, Mapping):
            place = reduce(truediv, pointer_parts(wanted), DOCUMENT)
            name = contract_name(pointed) or pointer_parts(wanted)[-1]
            return read_schema(document, pointed, place, dialect, name, findings, "openapi")
        home = DOCUMENT / "definitions" if "swagger" in document else DOCUMENT / "components" / "schemas"
        schemas = follow_pointer(document, home.text)
        if not isinstance(schemas, Mapping) or not schemas:
            hint = "Describe the data there, or name a schema of a request or a response by its JSON pointer."
            raise refusal("without schemas", home, hint)
        name = pointer_parts(wanted)[-1] if wanted else next(iter(schemas)) if len(schemas) == 1 else ""
        if name not in schemas:
            message = f"the document has several schemas: {', '.join(sorted(schemas))}."
            raise _which_schema(message, wanted, list(schemas), home)
        return read_schema(document, schemas[name], home / name, dialect, name, findings, "openapi")

    def export(self, canonical: CanonicalContract) -> dict[str, Any]:
        return {
            "openapi": "3.1.0",
            "info": {"title": canonical.id, "version": canonical.version},
            "paths": {},
            "components": {"schemas": {canonical.id: export_schema(canonical, by_fields=True)}},
        }


def _dialect(document: Mapping[str, Any], findings: Findings) -> SchemaDialect:
    version = str(document.get("openapi", document.get("swagger", "")))
    if version.startswith(("2.0", "3.0")):
        nullable = "nullable" if version.startswith("3.0") else "x-nullable"
        return SchemaDialect(ref_alone=True, boolean_bounds=True, nullable=nullable)
    if not version.startswith("3."):
        key, hint = "swagger" if "swagger" in document else "openapi", "OpenAPI 2.0, 3.0 and 3.1 are supported."
        findings.error(UNSUPPORTED, DOCUMENT / key, f"OpenAPI {version!r} is not supported.", hint)
    dialect = dialect_of(document["jsonSchemaDialect"]) if "jsonSchemaDialect" in document else SchemaDialect()
    if dialect is None:
        findings.error(UNSUPPORTED, DOCUMENT / "jsonSchemaDialect", "the dialect of the schemas is not supported.")
    return dialect or SchemaDialect()


def read_schema(
    document: Mapping[str, Any],
    schema: Mapping[str, Any],
    at: KeyPath,
    dialect: SchemaDialect,
    name: str | None,
    findings: Findings,
    source: Source = "json_schema",
) -> CanonicalContract:
    """The contract that the schema at one place of a document describes."""
    reader = FieldReader(Flattener(References(document, dialect.ref_alone), dialect, findings))
    flat, fields, whole = reader.read_root(SchemaNode(schema, at, (id(schema),)))
    hints, place = flat.hints, at / "x-paxman"
    findings.unknown_keys(hints, ("id", "version", "policy", "constraints", "root", "validate", "lessons"), place)
    identity = read_identity(hints, name or "contract", place, findings)
    settings = read_settings(hints, place, findings)
    if reader.conditions and not reader.is_told:
        # The schema itself is a rule on the data, where it says more than fields can.
        own = {"schema": self_contained(document, at, dialect)}
        settings["rules"].append(Rule("json_schema", own, at, True))
    return build_contract(ContractDraft(fields=fields, source=source, root=whole, **identity, **settings), findings)


def self_contained(document: Mapping[str, Any], place: KeyPath, dialect: SchemaDialect) -> dict[str, Any]:
    """The whole document where it is the schema; of an API description, the schema and what it leads to."""
    if place == DOCUMENT:
        whole = {key: value for key, value in document.items() if key != "x-paxman"}
        return whole if "$schema" in whole or not dialect.stated else {"$schema": address_of(dialect), **whole}
    plain = SchemaDialect(ref_alone=dialect.ref_alone, boolean_bounds=dialect.boolean_bounds)
    bundle: dict[str, Any] = {"$ref": place.text, "$schema": address_of(plain)}
    kept, waiting = dict[str, Any](), [place.text]
    while waiting:
        pointer = waiting.pop()
        if pointer not in kept:
            schema = follow_pointer(document, pointer) or {}
            kept[pointer] = _in_plain_words(schema, dialect)
            waiting += [each for each in references_in(schema) if each.startswith("#/")]
    for pointer, schema in kept.items():
        *above, last = pointer_parts(pointer)
        reduce(lambda home, part: home.setdefault(part, {}), above, bundle)[last] = schema
    return bundle


def _in_plain_words(schema: Any, dialect: SchemaDialect) -> Any:
    """`nullable` as the type that other dialects have for it."""
    if isinstance(schema, list):
        return [_in_plain_words(item, dialect) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    plain = {key: _in_plain_words(value, dialect) for key, value in schema.items()}
    if dialect.nullable and schema.get(dialect.nullable) is True and isinstance(schema.get("type"), str):
        plain["type"] = [schema["type"], "null"]
    return plain


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
