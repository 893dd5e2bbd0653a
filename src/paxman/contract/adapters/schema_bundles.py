"""A schema cut out of a larger document, with everything that it refers to, for a validator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paxman.contract.adapters.schema_flattening import SchemaDialect, SchemaNode, address_of
from paxman.contract.adapters.schema_references import follow_pointer, pointer_parts, references_in
from paxman.contract.drafts import DOCUMENT


def self_contained(document: Mapping[str, Any], root: SchemaNode, dialect: SchemaDialect) -> dict[str, Any]:
    """The whole document where it is the schema; of an API description, the schema and what it leads to."""
    if root.place == DOCUMENT:
        whole = {key: value for key, value in document.items() if key != "x-paxman"}
        return whole if "$schema" in whole or not dialect.stated else {"$schema": address_of(dialect), **whole}
    pointer = root.place.text
    kept: dict[str, Any] = {}
    waiting = [pointer]
    while waiting:
        found = waiting.pop()
        if found in kept:
            continue
        schema = follow_pointer(document, found) or {}
        kept[found] = _in_plain_words(schema, dialect)
        waiting += [each for each in references_in(schema) if each.startswith("#/")]
    bundle: dict[str, Any] = {"$ref": pointer}
    bundle["$schema"] = address_of(SchemaDialect(ref_alone=dialect.ref_alone, boolean_bounds=dialect.boolean_bounds))
    for found, schema in kept.items():
        _put(bundle, found, schema)
    return bundle


def _put(bundle: dict[str, Any], pointer: str, schema: Any) -> None:
    *above, last = pointer_parts(pointer)
    for part in above:
        bundle = bundle.setdefault(part, {})
    bundle[last] = schema


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
