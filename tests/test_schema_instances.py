"""Values of JSON Schemas: valid ones come back as they are, invalid ones are no SUCCESS, and exports say the same."""

from __future__ import annotations

from typing import Any

import pytest

from paxman import ExecutionArtifact, Status, normalize
from paxman.api.verification import verify
from paxman.contract import adapt, export

PERSON = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
TREE = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "parts": {"type": "array", "items": {"$ref": "#/properties/v"}}},
    "required": ["name"],
}
DEEP: Any = {"name": "6"}
for level in "54321":
    DEEP = {"name": level, "parts": [DEEP]}

CASES: dict[str, tuple[Any, list[Any], list[Any]]] = {
    "anything": ({}, [1, 1.5, "1", True, None, [1, "a", None], {"a": {"b": 0.25}}], []),
    "several types": ({"type": ["integer", "string"]}, [1, "1", "x"], [None, [1]]),
    "choice of types": ({"anyOf": [{"type": "boolean"}, {"type": "number"}]}, [True, 1, 0.5], [[1], {}]),
    "choice of objects": (
        {"oneOf": [PERSON, {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}]},
        [{"name": "x"}, {"id": 7}],
        [{}, 3, {"id": "x"}],
    ),
    "map": ({"type": "object", "additionalProperties": {"type": "number"}}, [{}, {"a": 1, "b.c": 0.5}], [[1], 5]),
    "map by pattern": (
        {"type": "object", "patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": False},
        [{}, {"x-a": 1}],
        [{"y": 1}],
    ),
    "pair": (
        {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False},
        [["a", 1], ["a"], []],
        [["a", 1, 2], 5],
    ),
    "grid": (
        {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
        [[[1, 2], [3]], [[]], []],
        [[["x"]]],
    ),
    "list of anything": ({"type": "array"}, [[1, "a", None, {"b": [2]}], []], [5, {}]),
    "contains": ({"type": "array", "items": {"type": "integer"}, "contains": {"const": 3}}, [[1, 3]], [[1, 2], []]),
    "unique": ({"type": "array", "uniqueItems": True, "minItems": 2}, [[1, 2]], [[1, 1], [1]]),
    "step": ({"type": "number", "multipleOf": 0.01}, [19.99, 0, 1e2], [0.001]),
    "not": ({"type": "string", "not": {"enum": ["none"]}}, ["x"], ["none"]),
    "condition": (
        {"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"type": "integer"}},
        ["ab", 3],
        ["a", 1.5],
    ),
    "dependency": (
        {"type": "object", "additionalProperties": {"type": "integer"}, "dependentRequired": {"a": ["b"]}},
        [{"a": 1, "b": 2}, {"b": 1}],
        [{"a": 1}],
    ),
    "encoded content": ({"contentEncoding": "base64"}, ["eyJmb28iOiAiYmFyIn0K", 7], ["eyJmb28iOi%iYmFyIn0K"]),
    "JSON as text": ({"contentMediaType": "application/json"}, ['{"a": 1}', 7], ["{:}"]),
    "additional properties leave nothing over": (
        {
            "type": "object",
            "properties": {"a": {"type": "string"}},
            "additionalProperties": {"type": "string"},
            "unevaluatedProperties": False,
        },
        [{"a": "x", "b": "y"}],
        [],
    ),
    "bound beyond floats": ({"exclusiveMaximum": 9.727837981879871e26}, [7], [9.727837981879871e26]),
    "escapes are no letters": ({"type": "string", "pattern": "^\\S$"}, ["x"], ["\t", "\n"]),
    "lookahead": ({"type": "string", "pattern": "^(?!admin)[a-z]+$"}, ["user"], ["admin", "administrator"]),
    "tree": (TREE, [DEEP], [{"parts": []}]),
    "format by itself": ({"format": "ipv4"}, ["10.0.0.1", 7], ["10.0.0.300"]),
    "uri": ({"type": "string", "format": "uri"}, ["https://example.com/a?b#c", "urn:a:b"], ["not a uri", "//x"]),
    "uuid": ({"type": "string", "format": "uuid"}, ["2eb8aa08-aa98-11ea-b4aa-73b441d16380"], ["2eb8aa08"]),
    "hostname": ({"type": "string", "format": "hostname"}, ["a.example"], ["-a.example", "a b"]),
    "email": ({"type": "string", "format": "email"}, ["joe.bloggs@example.com"], ["2962"]),
    "moment": (
        {"type": "string", "format": "date-time"},
        ["2024-05-01T10:11:12+02:00", "2024-05-01T10:11:12Z"],
        ["1998-12-31T23:59:60Z", "x"],
    ),
    "time": ({"type": "string", "format": "time"}, ["10:11:12+02:00", "10:11:12Z"], ["23:59:60Z", "25:00:00Z"]),
    "duration": ({"type": "string", "format": "duration"}, ["P2Y", "PT45M", "P1DT12H"], ["P", "PT", "x"]),
    "enum of all kinds": ({"enum": [1, "x", None, {"a": 1}]}, [1, "x", None, {"a": 1}], [2, {"a": 2}]),
    "null": ({"type": "null"}, [None], [0, "null", {}]),
    "names that cannot be addressed": (
        {"type": "object", "properties": {"a.b": {"type": "integer"}, "c[]": {"type": "string"}}},
        [{"a.b": 1, "c[]": "x"}],
        [{"a.b": "y"}],
    ),
}
VALID = [(name, schema, value) for name, (schema, valid, _) in CASES.items() for value in valid]
INVALID = [(name, schema, value) for name, (schema, _, invalid) in CASES.items() for value in invalid]


def contract(schema: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"v": schema}, "required": ["v"]}


@pytest.mark.parametrize(("name", "schema", "value"), VALID)
def test_a_valid_value_comes_back_as_it_is(name: str, schema: Any, value: Any) -> None:
    artifact = normalize({"v": value}, contract(schema))
    assert (artifact.normalized_data, artifact.status) == ({"v": value}, Status.SUCCESS)
    assert ExecutionArtifact.from_json(artifact.to_json()).normalized_data == {"v": value}
    assert verify(artifact, {"v": value}, contract(schema), strict=True).problems == ()


@pytest.mark.parametrize(("name", "schema", "value"), INVALID)
def test_an_invalid_value_is_no_success(name: str, schema: Any, value: Any) -> None:
    assert normalize({"v": value}, contract(schema)).status is not Status.SUCCESS


@pytest.mark.parametrize("name", CASES)
def test_a_contract_survives_its_export(name: str) -> None:
    canonical = adapt(contract(CASES[name][0]))
    exported = [adapt(export(canonical, format)) for format in ("json_schema", "dict_dsl", "pydantic", "openapi")]
    assert exported == [canonical] * 4


def test_the_encoding_of_content_is_a_remark_where_the_draft_says_so() -> None:
    remark = {"$schema": "https://json-schema.org/draft/2020-12/schema", **contract({"contentEncoding": "base64"})}
    assert normalize({"v": "%"}, remark).status is Status.SUCCESS


def test_a_condition_that_fails_is_told_on_the_fields_it_speaks_of() -> None:
    schema = {
        "type": "object",
        "properties": {"card": {"type": "string"}, "address": {"type": "string"}, "name": {"type": "string"}},
        "dependentRequired": {"card": ["address"]},
    }
    artifact = normalize({"card": "4111", "name": "x"}, schema)
    told = {
        result.field_path
        for result in artifact.field_results
        for note in result.diagnostics
        if "schema" in note.message
    }
    assert (artifact.status, told) == (Status.PARTIAL_SUCCESS, {"card", "address"})


def test_the_branch_that_was_taken_is_in_the_diagnostics() -> None:
    artifact = normalize({"v": 5}, contract({"type": ["integer", "string"]}))
    assert [(note.code, note.message) for note in artifact["v"].diagnostics] == [
        ("UNION_CHOICE", "taken as INTEGER; it could also have been STRING")
    ]


def test_each_entry_of_a_map_has_its_evidence() -> None:
    artifact = normalize(
        {"v": {"EUR": 1, "USD": 2}}, contract({"type": "object", "additionalProperties": {"type": "integer"}})
    )
    assert [(ref.field_path, ref.source.pointer) for ref in artifact["v"].evidence_refs] == [
        ("v.EUR", "/v/EUR"),
        ("v.USD", "/v/USD"),
    ]
    assert (artifact["v.USD"].value, artifact["v.USD"].field_type_name) == (2, "INTEGER")
