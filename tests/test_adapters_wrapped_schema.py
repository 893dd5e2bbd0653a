"""Schemas inside of other objects are found, named, and said to be what was read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from contract_errors import errors

import paxman
from paxman.contract import adapt

SCHEMA = {
    "type": "object",
    "properties": {"total": {"$ref": "#/$defs/amount"}},
    "required": ["total"],
    "$defs": {"amount": {"type": "number"}},
}
TITLED = {**SCHEMA, "title": "Bill"}
OUTSIDE = {"type": "object", "properties": {"total": {"$ref": "#/$defs/amount"}}}


@pytest.mark.parametrize(
    ("wrapped", "name", "place"),
    [
        ({"type": "function", "function": {"name": "bill", "parameters": SCHEMA}}, "bill", "function/parameters"),
        ({"name": "bill", "description": "Reads", "input_schema": SCHEMA}, "bill", "input_schema"),
        ({"name": "bill", "inputSchema": TITLED}, "bill", "inputSchema"),
        (
            {"type": "json_schema", "json_schema": {"name": "bill", "strict": True, "schema": SCHEMA}},
            "bill",
            "json_schema/schema",
        ),
        ({"schema": TITLED}, "Bill", "schema"),
        ({"bill": SCHEMA}, "bill", "bill"),
        ({"schema": SCHEMA}, "contract", "schema"),
        ({"id": 7, "pages": ["a.pdf"], "schema_definition": TITLED}, "Bill", "schema_definition"),
        ([{"name": "bill", "parameters": SCHEMA}], "bill", "0/parameters"),
        ({"$defs": {"Bill": OUTSIDE, "amount": {"type": "number"}}}, "Bill", "$defs/Bill"),
    ],
)  # fmt: skip
def test_the_schema_is_found_and_named(wrapped: Any, name: str, place: str):
    for given in (wrapped, json.dumps(wrapped)):
        read = adapt(given)
        assert (read.id, read.source, [f.type.value for f in read.fields]) == (name, "json_schema", ["DECIMAL"])
        assert read.warnings == (f"#/{place}: the contract is the schema that stands here, under the name {name!r}.",)


def test_of_several_one_is_named():
    tools = [{"name": "bill", "parameters": SCHEMA}, {"name": "mail", "parameters": TITLED}]
    assert errors(tools) == [("INVALID_CONTRACT", "#")]
    assert adapt((tools, "mail")).id == adapt((tools, "/1/parameters")).id == "mail"
    with pytest.raises(paxman.InvalidContractError, match="bill"):
        adapt((tools, "bil"))


def test_what_is_a_schema_itself_is_not_taken_apart():
    schema = {"type": "object", "properties": {"schema": {"type": "object", "properties": {"a": {"type": "string"}}}}}
    assert [field.path for field in adapt(schema).fields] == ["schema"]


def test_normalizing_says_which_schema_was_meant():
    made = paxman.normalize("Total: 12.50", {"name": "bill", "input_schema": SCHEMA})
    assert made.normalized_data == {"total": 12.5}
    assert [note.code for note in made.diagnostics] == ["CONTRACT_WARNING"]
