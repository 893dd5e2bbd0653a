"""JSON Schema: 2020-12, 2019-09, and drafts 4 to 7."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paxman.contract.adapters.schema_export import export_schema
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
from paxman.contract.adapters.schema_references import References, follow_pointer, pointer_parts, references_in
from paxman.contract.building import ContractDraft, build_contract
from paxman.contract.detection import KnownFormat
from paxman.contract.drafts import DOCUMENT, Findings, KeyPath, Rule, clean
from paxman.contract.hints import read_lessons, read_policy, read_rules, read_version
from paxman.contract.model import CanonicalContract, Source


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
        return read_schema(
            schema, SchemaNode(schema, DOCUMENT, (id(schema),)), dialect, contract_name(schema), findings
        )

    def export(self, canonical: CanonicalContract) -> dict[str, Any]:
        is_own = any(each.kind == "json_schema" for each in canonical.constraints)
        return {**({} if is_own else {"$schema": address_of(SchemaDialect())}), **export_schema(canonical)}


def read_schema(
    document: Mapping[str, Any],
    root: SchemaNode,
    dialect: SchemaDialect,
    name: str | None,
    findings: Findings,
    source: Source = "json_schema",
) -> CanonicalContract:
    """The contract that one schema of a document describes."""
    flattener = Flattener(References(document, dialect.ref_alone), dialect, findings)
    reader = FieldReader(flattener)
    flat, fields, whole = reader.read_root(root)
    hints, place = flat.hints, root.place / "x-paxman"
    findings.unknown_keys(hints, ("id", "version", "policy", "constraints", "root", "validate", "lessons"), place)
    draft = ContractDraft(
        _read_id(hints, name, place, findings),
        read_version(hints["version"], place / "version", findings) if "version" in hints else "1",
        fields,
        [*read_rules(hints.get("constraints", []), place / "constraints", findings), *_judged(reader, document, root)],
        read_policy(hints.get("policy"), place / "policy", findings),
        source,
        whole,
        read_lessons(hints, place, findings),
    )
    return build_contract(draft, findings)


def _judged(reader: FieldReader, document: Mapping[str, Any], root: SchemaNode) -> list[Rule]:
    """The schema itself as a rule on the data, where it says more than fields can."""
    if not reader.conditions or reader.is_told:
        return []
    return [Rule("json_schema", {"schema": self_contained(document, root, reader.flattener.dialect)}, root.place, True)]


def _read_id(hints: Mapping[str, Any], name: str | None, place: KeyPath, findings: Findings) -> str:
    chosen = hints.get("id", name or "contract")
    if isinstance(chosen, str) and chosen.strip():
        return chosen
    findings.error("MISSING_CONTRACT_ID", place / "id", "an id is a text that is not empty.")
    return ""


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
