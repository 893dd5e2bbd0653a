"""A schema inside of another object: the parameters of a tool, an answer's format, a file with several schemas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from paxman.contract.adapters.json_schema import JsonSchemaAdapter, read_schema
from paxman.contract.adapters.schema_fields import contract_name
from paxman.contract.adapters.schema_flattening import SchemaDialect, SchemaNode, dialect_of
from paxman.contract.adapters.schema_references import follow_pointer, pointer_parts, references_in
from paxman.contract.detection import find_wrapped
from paxman.contract.drafts import DOCUMENT, Findings, KeyPath, clean
from paxman.contract.model import CanonicalContract
from paxman.errors import ContractIssue, InvalidPathError, unknown_name


@attrs.frozen
class WrappedSchema:
    """A schema, the keys that lead to it, and what its wrapping calls it."""

    schema: Mapping[str, Any]
    keys: tuple[str | int, ...]
    name: str

    @property
    def place(self) -> KeyPath:
        place = DOCUMENT
        for key in self.keys:
            place = place / key
        return place


class WrappedSchemaAdapter(JsonSchemaAdapter):
    name = "wrapped_schema"
    version = "1.0"

    def adapt(self, contract: Any, **options: Any) -> CanonicalContract:
        findings = Findings()
        document = clean(contract, findings, DOCUMENT)
        found = _pick([_named(document, keys) for keys in find_wrapped(document)], options.get("schema_name"))
        findings.warn(found.place, f"the contract is the schema that stands here, under the name {found.name!r}.")
        home = found.schema if _is_whole(found.schema) else document
        dialect = dialect_of(found.schema.get("$schema")) or SchemaDialect()
        return read_schema(
            home, SchemaNode(found.schema, found.place, (id(found.schema),)), dialect, found.name, findings
        )


def _named(document: Any, keys: tuple[str | int, ...]) -> WrappedSchema:
    """The name that stands nearest to the schema: beside it, in it, or the key that it stands under."""
    around: list[Any] = [document]
    for key in keys:
        around.append(around[-1][key])
    beside = (each.get("name") for each in reversed(around[:-1]) if isinstance(each, Mapping))
    name = next((word for word in beside if isinstance(word, str) and word.strip()), None)
    own = [str(key) for key in reversed(keys) if str(key).lower() not in _GENERIC and not isinstance(key, int)]
    return WrappedSchema(around[-1], keys, name or contract_name(around[-1]) or next(iter(own), "contract"))


_GENERIC = frozenset("schema schemas json_schema jsonschema parameters input_schema inputschema function $defs".split())
"""Keys that say that a schema follows, and not which."""


def _pick(found: list[WrappedSchema], wanted: str | None) -> WrappedSchema:
    if wanted is None and len(found) == 1:
        return found[0]
    fitting = [each for each in found if wanted and wanted in (each.name, each.place.text, each.place.text[1:])]
    if len(fitting) == 1:
        return fitting[0]
    listed = ", ".join(f"{each.name} ({each.place})" for each in found)
    name = pointer_parts(wanted)[-1] if wanted else ""
    message = f"there are several schemas: {listed}."
    if name and not fitting:
        message = unknown_name("schema", name, [each.name for each in found])
    hint = 'Name one: give (document, "Invoice") as the contract, or "file.json#Invoice" for a file.'
    raise InvalidPathError([ContractIssue("INVALID_CONTRACT", str(DOCUMENT), message, hint)])


def _is_whole(schema: Mapping[str, Any]) -> bool:
    """Whether every reference inside of a schema leads to something inside of it."""
    return all(follow_pointer(schema, each[1:]) is not None for each in references_in(schema) if each.startswith("#/"))
