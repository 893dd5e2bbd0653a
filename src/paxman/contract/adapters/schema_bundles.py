"""A schema cut out of a larger document, with everything that it refers to, for a validator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from paxman.contract.adapters.schema_flattening import Dialect, Node, address_of
from paxman.contract.drafts import DOCUMENT


def self_contained(document: Mapping[str, Any], root: Node, dialect: Dialect) -> dict[str, Any]:
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
        schema = _at(document, found)
        kept[found] = _in_plain_words(schema, dialect)
        waiting += [each for each in _references(schema) if each.startswith("#/")]
    bundle: dict[str, Any] = {"$ref": pointer}
    bundle["$schema"] = address_of(Dialect(ref_alone=dialect.ref_alone, boolean_bounds=dialect.boolean_bounds))
    for found, schema in kept.items():
        _put(bundle, found, schema)
    return bundle


def _at(document: Any, pointer: str) -> Any:
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        document = document[int(key)] if isinstance(document, list) else document.get(key, {})
    return document


def _put(bundle: dict[str, Any], pointer: str, schema: Any) -> None:
    *above, last = (part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])
    for part in above:
        bundle = bundle.setdefault(part, {})
    bundle[last] = schema


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, Mapping):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"]
        for value in schema.values():
            yield from _references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _references(value)


def _in_plain_words(schema: Any, dialect: Dialect) -> Any:
    """`nullable` as the type that other dialects have for it."""
    if isinstance(schema, list):
        return [_in_plain_words(item, dialect) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    plain = {key: _in_plain_words(value, dialect) for key, value in schema.items()}
    if dialect.nullable and schema.get(dialect.nullable) is True and isinstance(schema.get("type"), str):
        plain["type"] = [schema["type"], "null"]
    return plain
