"""OpenAPI documents: which schema is meant, and how 3.0 differs from 3.1."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from contract_errors import errors

import paxman
from paxman.contract import adapt
from paxman.contract.model import CanonicalField, Constraint
from paxman.errors import InvalidPathError
from paxman.types import FieldType


def document(version: str = "3.1.0", **schemas: Any) -> dict[str, Any]:
    return {"openapi": version, "info": {"title": "T", "version": "1"}, "components": {"schemas": schemas}}


def wrap(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


INVOICE = wrap(total={"$ref": "#/components/schemas/Amount"})
AMOUNT = {"type": "number", "minimum": 0, "exclusiveMinimum": True, "nullable": True}
PAIR = document("3.0.3", Invoice=INVOICE, Amount=AMOUNT)


@pytest.mark.parametrize("name", ["Invoice", "/components/schemas/Invoice", "#/components/schemas/Invoice"])
def test_a_schema_is_named_or_pointed_at(name: str):
    adapted = adapt(PAIR, schema_name=name)
    constraint = Constraint("exclusive_min", {"min": Decimal(0)})
    assert (adapted.id, adapted.version, adapted.source) == ("Invoice", "1", "openapi")
    assert adapted.fields == (
        CanonicalField("Invoice:total", "total", "total", FieldType.DECIMAL, nullable=True, constraints=(constraint,)),
    )


def test_the_only_schema_needs_no_name():
    assert adapt(document(Order=wrap(a={"type": ["string", "null"]}))).fields == (
        CanonicalField("Order:a", "a", "a", FieldType.STRING, nullable=True),
    )


def test_several_schemas_are_listed():
    with pytest.raises(InvalidPathError) as caught:
        adapt(PAIR)
    assert caught.value.errors[0].message == "the document has several schemas: Amount, Invoice."
    with pytest.raises(InvalidPathError) as caught:
        adapt(PAIR, schema_name="Invoce")
    assert caught.value.errors[0].message == (
        "no schema named 'Invoce'. Did you mean 'Invoice'? Known: Amount, Invoice."
    )


def test_a_pair_names_the_schema():
    assert adapt((PAIR, "Invoice")) is adapt(PAIR, schema_name="Invoice")
    assert adapt((json.dumps(PAIR), "Invoice")) == adapt(PAIR, schema_name="Invoice")
    assert paxman.normalize({"total": 3}, (PAIR, "Invoice")).normalized_data == {"total": 3}
    assert errors(PAIR) == [("INVALID_CONTRACT", "#/components/schemas")]
    assert errors((PAIR, "Invoic")) == [("INVALID_CONTRACT", "#/components/schemas")]


def test_only_a_document_of_schemas_takes_a_name():
    assert errors((wrap(a={"type": "string"}), "Invoice")) == [("INVALID_CONTRACT", "(contract)")]


@pytest.mark.parametrize("fragment", ["#Invoice", "#/components/schemas/Invoice"])
def test_a_file_with_a_fragment(tmp_path: Path, fragment: str):
    path = tmp_path / "api.yaml"
    path.write_text(
        "openapi: 3.0.3\ncomponents:\n  schemas:\n    Invoice:\n      type: object\n"
        "      properties: {state: {type: string, enum: [on, NO, y]}, day: {type: string, default: 2024-01-01}}\n"
        "    Other: {type: object}\n"
    )
    adapted = adapt(f"{path}{fragment}")
    assert adapted.by_path["state"].enum_values == ("on", "NO", "y")
    assert adapted.by_path["day"].default == "2024-01-01"
    assert adapted.base_path == str(tmp_path)


@pytest.mark.parametrize(("version", "nullable"), [("3.0.0", True), ("3.1.0", False)])
def test_nullable_is_a_word_of_3_0(version: str, nullable: bool):
    raw = document(version, A=wrap(a={"type": "string", "nullable": True}))
    assert adapt(raw).fields[0].nullable is nullable


def test_an_enum_must_list_null():
    raw = document("3.0.0", A=wrap(a={"type": "string", "nullable": True, "enum": ["x"]}))
    assert adapt(raw).fields[0].nullable is False


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"swagger": "2.0", "definitions": {}}, [("INVALID_CONTRACT", "#/definitions")]),
        ({"swagger": "1.2"}, [("UNSUPPORTED_SCHEMA_FEATURE", "#/swagger")]),
        ({"openapi": "4.0"}, [("UNSUPPORTED_SCHEMA_FEATURE", "#/openapi")]),
        ({"openapi": "3.1.0"}, [("INVALID_CONTRACT", "#/components/schemas")]),
        (document(), [("INVALID_CONTRACT", "#/components/schemas")]),
        (
            {**document(A=wrap()), "jsonSchemaDialect": "https://example.com"},
            [("UNSUPPORTED_SCHEMA_FEATURE", "#/jsonSchemaDialect")],
        ),
        (document(A={"type": "string"}), [("UNSUPPORTED_SCHEMA_FEATURE", "#/components/schemas/A")]),
    ],
)
def test_what_is_wrong_is_said_with_its_place(raw: Any, expected: list[tuple[str, str]]):
    assert errors(raw) == expected


RESPONSE = {"type": "object", "properties": {"b": {"type": "integer"}}}
SWAGGER = {
    "swagger": "2.0",
    "definitions": {
        "Invoice": {
            "type": "object",
            "required": ["total"],
            "properties": {
                "total": {"type": "number", "minimum": 0, "exclusiveMinimum": True, "x-paxman": {"labels": ["Sum"]}},
                "note": {"type": "string", "x-nullable": True},
                "lines": {"type": "array", "items": {"$ref": "#/definitions/Line"}},
            },
        },
        "Line": {"type": "object", "properties": {"sku": {"type": "string"}}},
    },
    "paths": {"/a": {"get": {"responses": {"200": {"schema": RESPONSE}}}}},
}


def test_swagger_is_read_with_its_own_words():
    read = adapt((SWAGGER, "Invoice"))
    total, note, lines = read.fields
    assert (read.id, read.source) == ("Invoice", "openapi")
    assert (total.labels, total.required, [c.kind for c in total.constraints]) == (("Sum",), True, ["exclusive_min"])
    assert (note.nullable, [column.name for column in lines.columns]) == (True, ["sku"])


def test_a_schema_of_a_response_is_named_by_its_pointer():
    read = adapt((SWAGGER, "#/paths/~1a/get/responses/200/schema"))
    assert [(field.name, field.type.value) for field in read.fields] == [("b", "INTEGER")]


def test_a_schema_is_judged_with_what_it_leads_to_and_nothing_else():
    raw = document(
        "3.0.0",
        A=wrap(a={"$ref": "#/components/schemas/B"}, c={"type": "string", "nullable": True}),
        B={"type": "string", "not": {"enum": ["x"]}},
        Other={"type": "string"},
    )
    canonical = adapt(raw, schema_name="A")
    assert canonical.constraints[0].params["schema"]["components"]["schemas"].keys() == {"A", "B"}
    good = paxman.normalize({"a": "y", "c": None}, canonical)
    assert (good.status, good.normalized_data) == (paxman.Status.SUCCESS, {"a": "y", "c": None})
    bad = paxman.normalize({"a": "x", "c": "z"}, canonical)
    assert bad.status is paxman.Status.PARTIAL_SUCCESS
    assert [(note.code, note.field_path) for note in bad["a"].diagnostics] == [("VALIDATION_FAILED", "a")]
