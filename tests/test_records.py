"""Rows and scalars of structured inputs: what is kept as written, what is left out, and what is told of it."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paxman
from paxman.api.verification import verify
from paxman.artifact.artifact import ExecutionArtifact

MATRIX = {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}
PEOPLE = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "age": {"type": "integer"},
            "home": {"type": "object", "properties": {"zip": {"type": "integer"}}, "required": ["zip"]},
            "marks": {"type": "array", "items": {"type": "integer"}, "maxItems": 2},
        },
        "required": ["name"],
    },
}


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def tagged(tag: str) -> dict[str, Any]:
    return {"id": "x", "fields": [{"name": "v", "type": "STRING", "required": True, "tags": [tag]}]}


def notes(artifact: ExecutionArtifact) -> list[tuple[str, str | None, str]]:
    return [(note.code, note.field_path, note.message) for note in artifact.diagnostics]


def check(document: Any, contract: Any) -> ExecutionArtifact:
    """Normalize, and hold every value against the document."""
    artifact = paxman.normalize(document, contract)
    assert verify(artifact, document, contract).problems == ()
    return artifact


def test_an_array_of_arrays():
    artifact = check({"m": [[1, 2], [], [3]]}, schema(m=MATRIX))
    assert (artifact.normalized_data, notes(artifact)) == ({"m": [[1, 2], [], [3]]}, [])
    assert [ref.field_path for ref in artifact["m"].evidence_refs] == ["m[0][0]", "m[0][1]", "m[2][0]"]


def test_a_bad_item_spoils_its_inner_array_only():
    artifact = check({"m": [[1, "x"], [2], 3]}, schema(m=MATRIX))
    assert artifact.normalized_data == {"m": [[2]]}
    assert notes(artifact) == [
        ("ROW_REJECTED", "m", "row 1 was left out: not INTEGER"),
        ("ROW_REJECTED", "m", "row 3 was left out: not an array"),
    ]


def test_a_column_of_a_table_is_an_array():
    artifact = check("tags,n\nx,1\ny,?\n", schema(tags={"type": "array", "items": {"type": "string"}}))
    assert (artifact.normalized_data, notes(artifact)) == ({"tags": ["x", "y"]}, [])


def test_an_array_of_amounts():
    contract = {
        "id": "x",
        "fields": [{"name": "p", "type": "ARRAY", "required": True, "items": {"type": "MONEY"}}],
    }
    artifact = check({"p": [{"amount": "1.50", "currency": "EUR"}]}, contract)
    assert artifact["p"].value == (paxman.Money("1.50", "EUR"),)


@pytest.mark.parametrize(
    ("cells", "kept", "left_out"),
    [
        ({"age": "old"}, {}, [("lines[1].age", "not INTEGER")]),
        ({"age": 3}, {"age": 3}, []),
        ({"age": None}, {}, []),
        ({"home": {"zip": "?"}}, {}, [("lines[1].home", "zip: not INTEGER")]),
        ({"marks": [1, "x"]}, {}, [("lines[1].marks", "not INTEGER")]),
        ({"marks": [1, 2, 3]}, {}, [("lines[1].marks", "more than 2 items")]),
    ],
)
def test_a_row_does_without_an_optional_cell_that_does_not_fit(cells: Any, kept: Any, left_out: Any):
    artifact = check({"lines": [{"age": 1}, {"name": "a"}, {"name": "b", **cells}]}, schema(lines=PEOPLE))
    assert artifact.normalized_data == {"lines": [{"name": "a"}, {"name": "b", **kept}]}
    assert notes(artifact) == [
        ("ROW_REJECTED", "lines", "row 1 was left out: name: missing"),
        *(("VALIDATION_FAILED", path, f"the cell was left out: {reason}") for path, reason in left_out),
    ]


def test_two_arrays_of_one_name_are_rivals():
    document = {"x": {"lines": [{"name": "a"}]}, "y": {"lines": [{"name": "b"}]}}
    artifact = check(document, schema(lines=PEOPLE))
    assert [note.code for note in artifact.diagnostics] == ["CONFLICT", "LOW_CONFIDENCE"]
    assert [ref.role for ref in artifact["lines"].evidence_refs] == ["supporting", "rejected"]


def test_two_equal_arrays_of_one_name_agree():
    document = {"x": {"lines": [{"name": "a"}]}, "y": {"lines": [{"name": "a"}]}}
    artifact = check(document, schema(lines=PEOPLE))
    assert (artifact.normalized_data, notes(artifact)) == ({"lines": [{"name": "a"}]}, [])


def test_an_array_in_each_of_many_objects_is_nobodys():
    artifact = check([{"lines": [{"name": "a"}]}, {"lines": [{"name": "b"}]}], schema(lines=PEOPLE))
    assert artifact.normalized_data == {}
    assert [note.code for note in artifact.diagnostics] == ["AMBIGUOUS_VALUE", "CHAIN_EXHAUSTED"]


@pytest.mark.parametrize(
    ("rules", "text", "kept"),
    [
        ({}, "", True),
        ({"minLength": 1}, "", False),
        ({"minLength": 6}, "  a  b ", True),
        ({}, "line\none", True),
        ({}, "e\u0301", True),
        ({"enum": ["a b"]}, "a b", True),
    ],
)
def test_text_in_json_is_kept_as_it_is_written(rules: Any, text: str, kept: bool):
    artifact = check({"a": text}, schema(a={"type": "string", **rules}))
    assert artifact.normalized_data == ({"a": text} if kept else {})


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=12), st.integers(0, 4), st.integers(4, 9))
def test_text_that_the_schema_takes_comes_through_unchanged(text: str, low: int, high: int):
    contract = schema(a={"type": "string", "minLength": low, "maxLength": high})
    document = {"a": text}
    try:
        jsonschema.validate(document, contract)
    except jsonschema.ValidationError:
        return
    artifact = check(document, contract)
    assert (artifact.status.value, artifact.normalized_data) == ("SUCCESS", document)


@pytest.mark.parametrize(
    ("tag", "text", "value"),
    [
        ("vat_id", "DE0815", "DE0815"),
        ("vat_id", "VAT no. DE136695976", "DE136695976"),
        ("tax_id", "unknown yet", "unknown yet"),
        ("vat_id", "", None),
        ("email", "not an address", None),
        ("uuid", "12", None),
    ],
)
def test_an_identifier_in_data_need_not_look_like_one(tag: str, text: str, value: str | None):
    assert check({"v": text}, tagged(tag)).normalized_data == {"v": value}
