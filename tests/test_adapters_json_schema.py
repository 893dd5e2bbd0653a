"""JSON Schema: what it becomes, what is refused, and that nothing which restricts a value gets lost."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import jsonschema
import pytest
from contract_errors import errors
from hypothesis import given, settings
from hypothesis import strategies as st

from paxman import ExecutionArtifact, Status, normalize
from paxman.contract import adapt, export
from paxman.contract.model import CanonicalContract, CanonicalField, Constraint
from paxman.errors import InvalidContractError
from paxman.types import FieldType, Money


def schema(properties: Any, **keys: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **keys}


def one(raw: Any, **keys: Any) -> CanonicalField:
    return adapt(schema({"a": raw}, **keys)).fields[0]


def a(type: FieldType, *constraints: Constraint, **keys: Any) -> CanonicalField:
    return CanonicalField("contract:a", "a", "a", type, constraints=constraints, **keys)


CODES = Constraint("iso_4217", {"codes": ["EUR", "USD"]})
MONEY = {
    "type": "object",
    "properties": {"amount": {"type": "string"}, "currency": {"type": "string"}},
    "required": ["amount", "currency"],
    "x-paxman": {"type": "MONEY"},
}
FIELDS: dict[str, tuple[Any, CanonicalField]] = {
    "text": ({"type": "string"}, a(FieldType.STRING)),
    "number": ({"type": "number"}, a(FieldType.DECIMAL)),
    "integer": ({"type": "integer"}, a(FieldType.INTEGER)),
    "integer or number": ({"type": ["integer", "number"]}, a(FieldType.DECIMAL)),
    "boolean": ({"type": "boolean"}, a(FieldType.BOOLEAN)),
    "date": ({"type": "string", "format": "date"}, a(FieldType.DATE, text_form=True)),
    "moment": ({"type": "string", "format": "date-time"}, a(FieldType.DATETIME, text_form=True)),
    "time": ({"type": "string", "format": "time"}, a(FieldType.TIME, text_form=True)),
    "duration": ({"type": "string", "format": "duration"}, a(FieldType.DURATION)),
    "format": (
        {"type": "string", "format": "uuid"},
        a(FieldType.STRING, Constraint("format", {"name": "uuid"}), semantic_tags=("uuid",)),
    ),
    "free object": ({"type": "object"}, a(FieldType.OBJECT)),
    "null in types": ({"type": ["string", "null"]}, a(FieldType.STRING, nullable=True)),
    "null by anyOf": ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, a(FieldType.INTEGER, nullable=True)),
    "null by oneOf": ({"oneOf": [{"const": None}, {"type": "integer"}]}, a(FieldType.INTEGER, nullable=True)),
    "null twice in oneOf is none": (
        {"oneOf": [{"type": "null"}, {"type": ["integer", "null"]}]},
        a(FieldType.INTEGER),
    ),
    "null against a type": (
        {"type": "string", "anyOf": [{"minLength": 1}, {"type": "null"}]},
        a(FieldType.STRING, Constraint("min_length", {"min": 1})),
    ),
    "enum": ({"enum": ["x", "y"]}, a(FieldType.ENUM, Constraint("enum", {"values": ["x", "y"]}))),
    "enum with null": (
        {"enum": ["x", None]},
        a(FieldType.ENUM, Constraint("enum", {"values": ["x"]}), nullable=True),
    ),
    "enum under a type": (
        {"type": "string", "enum": ["x", 1, None]},
        a(FieldType.ENUM, Constraint("enum", {"values": ["x"]})),
    ),
    "enum of numbers": ({"enum": [1, 2.0]}, a(FieldType.INTEGER, Constraint("enum", {"values": [1, 2]}))),
    "enum of fractions": (
        {"enum": [1, 2.5]},
        a(FieldType.DECIMAL, Constraint("enum", {"values": [Decimal(1), Decimal("2.5")]})),
    ),
    "const": ({"const": "EUR"}, a(FieldType.ENUM, Constraint("enum", {"values": ["EUR"]}))),
    "constants by oneOf": (
        {"oneOf": [{"const": "x", "title": "X"}, {"const": "y"}]},
        a(FieldType.ENUM, Constraint("enum", {"values": ["x", "y"]})),
    ),
    "length and pattern": (
        {"type": "string", "minLength": 1.0, "maxLength": 3, "pattern": "^a"},
        a(
            FieldType.STRING,
            Constraint("min_length", {"min": 1}),
            Constraint("max_length", {"max": 3}),
            Constraint("pattern", {"regex": "^a"}),
        ),
    ),
    "bounds": (
        {"type": "number", "minimum": 0, "exclusiveMaximum": 10.5, "multipleOf": 0.25},
        a(
            FieldType.DECIMAL,
            Constraint("min_value", {"min": Decimal(0)}),
            Constraint("exclusive_max", {"max": Decimal("10.5")}),
            Constraint("multiple_of", {"of": Decimal("0.25")}),
        ),
    ),
    "step in hints": (
        {"type": "number", "x-paxman": {"constraints": [{"kind": "multiple_of", "params": {"of": "0.01"}}]}},
        a(FieldType.DECIMAL, Constraint("multiple_of", {"of": Decimal("0.01")})),
    ),
    "type from a keyword": (
        {"minimum": 1},
        a(
            FieldType.UNION,
            open=True,
            branches=(a(FieldType.DECIMAL, Constraint("min_value", {"min": Decimal(1)}), required=True),),
        ),
    ),
    "several types": (
        {"type": ["string", "integer"]},
        a(FieldType.UNION, branches=(a(FieldType.INTEGER, required=True), a(FieldType.STRING, required=True))),
    ),
    "anything": ({}, a(FieldType.UNION, open=True)),
    "true": (True, a(FieldType.UNION, open=True)),
    "null alone": ({"type": "null"}, a(FieldType.UNION, nullable=True)),
    "anyOf of types": (
        {"anyOf": [{"type": "boolean"}, {"type": "integer"}, {"type": "null"}]},
        a(
            FieldType.UNION,
            nullable=True,
            branches=(a(FieldType.BOOLEAN, required=True), a(FieldType.INTEGER, required=True)),
        ),
    ),
    "map": (
        {"type": "object", "additionalProperties": {"type": "integer"}},
        a(FieldType.MAP, items=CanonicalField("contract:a[]", "a[]", "[]", FieldType.INTEGER, True)),
    ),
    "list of anything": (
        {"type": "array"},
        a(FieldType.ARRAY, items=CanonicalField("contract:a[]", "a[]", "[]", FieldType.UNION, True, open=True)),
    ),
    "pair": (
        {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False},
        a(
            FieldType.ARRAY,
            Constraint("max_items", {"max": 2}),
            prefix=(
                CanonicalField("contract:a[]", "a[]", "[]", FieldType.STRING, True),
                CanonicalField("contract:a[]", "a[]", "[]", FieldType.INTEGER, True),
            ),
        ),
    ),
    "step": (
        {"type": "number", "multipleOf": 0.1},
        a(FieldType.DECIMAL, Constraint("multiple_of", {"of": Decimal("0.1")})),
    ),
    "keyword of another type": ({"type": "string", "minimum": 1}, a(FieldType.STRING)),
    "allOf": (
        {"allOf": [{"type": "string"}, {"minLength": 2}, {"minLength": 3}]},
        a(FieldType.STRING, Constraint("min_length", {"min": 2}), Constraint("min_length", {"min": 3})),
    ),
    "number that may be text": (
        {"anyOf": [{"type": "number"}, {"type": "string", "pattern": "^\\d+$"}, {"type": "null"}]},
        a(FieldType.DECIMAL, nullable=True),
    ),
    "notes": (
        {"type": "string", "title": "Total", "description": "to pay", "default": "x", "examples": ["y"]},
        a(FieldType.STRING, labels=("Total",), description="to pay", default="x", has_default=True),
    ),
    "hints": (
        {
            "type": "string",
            "format": "email",
            "x-paxman": {"labels": ["L"], "tags": ["t"], "confidence_threshold": 0.9},
        },
        a(
            FieldType.STRING,
            Constraint("format", {"name": "email"}),
            labels=("L",),
            semantic_tags=("email", "t"),
            confidence_threshold=0.9,
        ),
    ),
    "decimal as text": ({"type": "string", "x-paxman": {"type": "DECIMAL"}}, a(FieldType.DECIMAL, text_form=True)),
    "money": (MONEY, a(FieldType.MONEY, text_form=True)),
    "money in two currencies": (
        {
            "type": "object",
            "properties": {"amount": {"type": "number", "minimum": 0}, "currency": {"enum": ["USD", "EUR", "???"]}},
            "x-paxman": {"type": "MONEY"},
        },
        a(FieldType.MONEY, Constraint("min_value", {"min": Decimal(0)}), CODES),
    ),
}


@pytest.mark.parametrize(("raw", "expected"), FIELDS.values(), ids=FIELDS.keys())
def test_a_property_becomes_a_field(raw: Any, expected: CanonicalField):
    assert one(raw) == expected


def test_a_whole_schema():
    adapted = adapt(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": "https://example.com/invoice.schema.json",
            "type": "object",
            "properties": {
                "seller": {"$ref": "#/$defs/party", "title": "From"},
                "lines": {"type": "array", "minItems": 1, "uniqueItems": True, "items": {"$ref": "#/$defs/line"}},
                "words": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["seller"],
            "additionalProperties": False,
            "$defs": {
                "party": schema({"name": {"type": "string"}}, title="Party", required=["name"]),
                "line": schema({"price": {"$ref": "#price"}}),
                "price": {"$anchor": "price", "type": "number"},
            },
        }
    )
    assert adapted == CanonicalContract(
        "invoice",
        "1",
        (
            CanonicalField(
                "invoice:seller",
                "seller",
                "seller",
                FieldType.OBJECT,
                True,
                labels=("From",),
                children=(CanonicalField("invoice:seller.name", "seller.name", "name", FieldType.STRING, True),),
            ),
            CanonicalField(
                "invoice:lines",
                "lines",
                "lines",
                FieldType.ARRAY,
                constraints=(Constraint("min_items", {"min": 1}), Constraint("unique_items")),
                items=CanonicalField(
                    "invoice:lines[]",
                    "lines[]",
                    "[]",
                    FieldType.OBJECT,
                    True,
                    children=(CanonicalField("invoice:lines[].price", "lines[].price", "price", FieldType.DECIMAL),),
                ),
            ),
            CanonicalField(
                "invoice:words",
                "words",
                "words",
                FieldType.ARRAY,
                items=CanonicalField("invoice:words[]", "words[]", "[]", FieldType.STRING, True),
            ),
        ),
    )
    assert (adapted.source, adapted.warnings) == ("json_schema", ())


def test_hints_on_the_whole_schema():
    adapted = adapt(
        schema(
            {"a": {"type": "number"}, "b": {"type": "number", "x-paxman": {"derive": "a * 2"}}},
            **{
                "x-paxman": {
                    "id": "pair",
                    "version": "2.1",
                    "policy": {"confidence_floor": 0.9},
                    "constraints": [{"kind": "check", "params": {"expr": "b > a"}}],
                }
            },
        )
    )
    assert (adapted.id, adapted.version, adapted.policies.confidence_floor) == ("pair", "2.1", 0.9)
    assert adapted.constraints == (Constraint("check", {"expr": "b > a"}),)
    assert adapted.by_path["b"].derive == "a * 2"


UNSUPPORTED = "UNSUPPORTED_SCHEMA_FEATURE"
ERRORS: dict[str, tuple[Any, list[tuple[str, str]]]] = {
    "true": (True, [(UNSUPPORTED, "#")]),
    "no properties": ({"type": "object"}, [("EMPTY_FIELDS", "#/properties")]),
    "constant at the root": ({"enum": [{"a": 1}]}, [(UNSUPPORTED, "#/enum")]),
    "property is text": (schema({"a": "string"}), [("INVALID_CONTRACT", "#/properties/a")]),
    "NaN and more": (
        schema({"a": {"type": "number", "minimum": float("nan")}, "b": {"type": "nil"}}),
        [("INVALID_CONTRACT", "#/properties/a/minimum"), ("UNKNOWN_FIELD_TYPE", "#/properties/b/type")],
    ),
    "empty policy of another type": (
        schema({"a": {"type": "string"}}, **{"x-paxman": {"policy": []}}),
        [("INVALID_POLICY_KEY", "#/x-paxman/policy")],
    ),
    "name with a dot": (schema({"a.b": {"type": "string"}}), [(UNSUPPORTED, "#/properties/a.b")]),
    "no name": (schema({"": {"type": "string"}}), [("MISSING_FIELD_NAME", "#/properties/")]),
    "properties are a list": ({"type": "object", "properties": ["a"]}, [("INVALID_CONTRACT", "#/properties")]),
    "required is true": (schema({"a": {"type": "string"}}, required=True), [("INVALID_CONTRACT", "#/required")]),
    "unknown type": (schema({"a": {"type": "date"}}), [("UNKNOWN_FIELD_TYPE", "#/properties/a/type")]),
    "types that exclude each other": (
        schema({"a": {"allOf": [{"type": "string"}, {"type": "integer"}]}}),
        [("INVALID_CONSTRAINT", "#/properties/a")],
    ),
    "bounds without room": (
        schema({"a": {"type": "integer", "minimum": 2, "maximum": 1}}),
        [("INVALID_CONSTRAINT", "#/properties/a/maximum")],
    ),
    "length is text": (
        schema({"a": {"type": "string", "minLength": "x"}}),
        [("INVALID_CONSTRAINT", "#/properties/a/minLength")],
    ),
    "empty enum": (schema({"a": {"enum": []}}), [("MISSING_ENUM_VALUES", "#/properties/a/enum")]),
    "reference to nowhere": (
        schema({"a": {"$ref": "#/$defs/x"}}),
        [("INVALID_CONTRACT", "#/properties/a/$ref")],
    ),
    "remote reference": (
        schema({"a": {"$ref": "https://example.com/x.json"}}),
        [(UNSUPPORTED, "#/properties/a/$ref")],
    ),
    "unknown dialect": (
        schema({"a": {"type": "string"}}, **{"$schema": "https://example.com/own"}),
        [(UNSUPPORTED, "#/$schema")],
    ),
    "money without currency": (
        schema({"a": schema({"amount": {"type": "string"}}, **{"x-paxman": {"type": "MONEY"}})}),
        [("MONEY_REQUIRES_CURRENCY", "#/properties/a")],
    ),
    "money in a text": (
        schema({"a": {"type": "string", "x-paxman": {"type": "MONEY"}}}),
        [(UNSUPPORTED, "#/properties/a/x-paxman/type")],
    ),
    "money in no currency": (
        schema(
            {
                "a": schema(
                    {"amount": {"type": "number"}, "currency": {"const": "EURO"}}, **{"x-paxman": {"type": "MONEY"}}
                )
            }
        ),
        [("INVALID_ISO_4217", "#/properties/a/properties/currency")],
    ),
    "derivation of nothing": (
        schema({"a/b": {"type": "number", "x-paxman": {"derive": "zz"}}}),
        [("INVALID_DERIVATION", "#/properties/a~1b/x-paxman/derive")],
    ),
    "hints are text": (
        schema({"a": {"type": "string", "x-paxman": "x"}}),
        [("INVALID_CONTRACT", "#/properties/a/x-paxman")],
    ),
}


@pytest.mark.parametrize(("raw", "expected"), ERRORS.values(), ids=ERRORS.keys())
def test_what_cannot_be_kept_is_refused_with_its_place(raw: Any, expected: list[tuple[str, str]]):
    assert errors(raw) == expected


def test_addresses_inside_the_document():
    adapted = adapt(
        {
            "$id": "https://example.com/root.json",
            "properties": {"a": {"$ref": "nested.json#/$defs/x"}, "b": {"$ref": "/other.json"}},
            "$defs": {
                "n": {"$id": "nested.json", "$defs": {"x": {"$ref": "#y"}, "y": {"$anchor": "y", "type": "integer"}}},
                "o": {"$id": "other.json", "type": "boolean"},
                "not an address": {"const": {"$id": "other.json"}},
            },
        }
    )
    assert [field.type for field in adapted.fields] == [FieldType.INTEGER, FieldType.BOOLEAN]


@pytest.mark.parametrize(
    ("draft", "constraints"),
    [
        ("http://json-schema.org/draft-07/schema#", ()),
        ("https://json-schema.org/draft/2019-09/schema", (Constraint("min_length", {"min": 2}),)),
    ],
)
def test_what_stands_beside_a_reference_counts_since_2019(draft: str, constraints: tuple[Constraint, ...]):
    adapted = adapt(
        schema(
            {"a": {"$ref": "#/definitions/text", "minLength": 2, "title": "A label"}},
            definitions={"text": {"type": "string"}},
            **{"$schema": draft},
        )
    )
    assert (adapted.fields[0].constraints, adapted.fields[0].labels) == (constraints, ("A label",))
    assert len(adapted.warnings) == (0 if constraints else 1)


def test_bounds_in_draft_4():
    raw = {"type": "number", "minimum": 1, "exclusiveMinimum": True, "maximum": 2, "exclusiveMaximum": False}
    assert one(raw, **{"$schema": "http://json-schema.org/draft-04/schema#"}).constraints == (
        Constraint("max_value", {"max": Decimal(2)}),
        Constraint("exclusive_min", {"min": Decimal(1)}),
    )


def test_a_default_that_does_not_fit_is_a_warning():
    adapted = adapt(
        schema({"a": {"type": "boolean", "default": "no"}, "b": {}, "c": {"minlength": 2, "type": "string"}})
    )
    assert adapted.fields[0].has_default is False
    assert adapted.warnings == (
        "#/properties/c/minlength: unknown keyword is ignored. Did you mean 'minLength'?",
        "#/properties/a/default: the default is not used: the default is not true or false.",
    )


def test_references_cannot_blow_up():
    definitions: dict[str, Any] = {"d0": {"type": "string"}}
    for level in range(1, 30):
        reference = {"$ref": f"#/$defs/d{level - 1}"}
        definitions[f"d{level}"] = schema({"a": reference, "b": reference})
    raw = {"$ref": "#/$defs/d29", "$defs": definitions}
    assert [code for code, _ in errors(raw)] == ["INVALID_CONTRACT"]


def test_a_long_chain_of_references_is_refused():
    definitions: dict[str, Any] = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(2000)}
    assert [code for code, _ in errors(schema({"a": {"$ref": "#/$defs/d0"}}, **{"$defs": definitions}))] == [
        UNSUPPORTED
    ]


NUMBERS = st.integers(-3, 6) | st.sampled_from([-1.5, 0.5, 2.5, 2.0])
TEXTS = st.sampled_from(["", "a", "ab", "abc", "b", "ba", "2024-02-29", "2024-02-30", "x1"])
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("pqr"), inner, max_size=3),
    max_leaves=6,
)
TYPES = st.sampled_from(["string", "number", "integer", "boolean", "array", "object"])
KEYWORDS = {
    "type": TYPES | st.lists(TYPES | st.just("null"), min_size=1, max_size=2, unique=True),
    "enum": st.lists(st.none() | st.booleans() | NUMBERS | TEXTS, min_size=1, max_size=4),
    "const": st.none() | st.booleans() | NUMBERS | TEXTS,
    "minLength": st.integers(0, 3),
    "maxLength": st.integers(0, 3),
    "pattern": st.sampled_from(["^a", "b$", "^[ab]*$", "(?<value>b)", ""]),
    "format": st.sampled_from(["date", "email"]),
    "minimum": NUMBERS,
    "maximum": NUMBERS,
    "exclusiveMinimum": NUMBERS,
    "exclusiveMaximum": NUMBERS,
    "multipleOf": st.integers(1, 3),
    "minItems": st.integers(0, 2),
    "maxItems": st.integers(0, 2),
    "uniqueItems": st.booleans(),
    "minProperties": st.integers(0, 2),
    "additionalProperties": st.booleans(),
    "required": st.lists(st.sampled_from("pq"), max_size=2, unique=True),
    "title": st.just("T"),
    "default": st.just("x"),
}
FAMILIES = {
    "string": ["minLength", "maxLength", "pattern", "format", "enum", "const", "minimum"],
    "number": ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "enum", "const"],
    "array": ["minItems", "maxItems", "uniqueItems"],
    "object": ["minProperties", "additionalProperties", "required"],
}


@st.composite
def leaves(draw: st.DrawFn) -> dict[str, Any]:
    """A few keywords that mostly belong together."""
    family = draw(st.sampled_from([*FAMILIES]))
    names = draw(st.lists(st.sampled_from([*FAMILIES[family], "title", "default"]), max_size=3, unique=True))
    kind = draw(st.sampled_from([family, family, [family, "null"], "integer", None]) | KEYWORDS["type"])
    return {**({"type": kind} if kind else {}), **{name: draw(KEYWORDS[name]) for name in names}}


LEAVES = leaves()


def deeper(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    some = st.lists(inner, min_size=1, max_size=2)
    null = st.tuples(inner, st.just({"type": "null"})).map(list)
    properties = st.dictionaries(st.sampled_from("pq"), inner, max_size=2)
    return (
        st.builds(lambda base, parts: {**base, "allOf": parts}, LEAVES, some)
        | st.builds(lambda key, parts: {key: parts}, st.sampled_from(["anyOf", "oneOf"]), some | null)
        | st.builds(lambda base, items: {**base, "items": items}, LEAVES, inner)
        | st.builds(lambda base, named: {**base, "properties": named}, LEAVES, properties)
        | st.just({"$ref": "#/$defs/d"})
    )


SCHEMAS = st.recursive(LEAVES, deeper, max_leaves=4)


@settings(max_examples=150)
@given(SCHEMAS, LEAVES, st.lists(VALUES, min_size=1, max_size=4))
def test_what_is_a_success_satisfies_the_schema(raw: Any, shared: Any, values: list[Any]):
    whole = schema({"v": raw}, required=["v"], **{"$defs": {"d": shared}})
    try:
        contract = adapt(whole)
    except InvalidContractError as error:
        assert all(issue.code and issue.path and issue.hint for issue in error.errors)
        return
    validator = jsonschema.Draft202012Validator(whole)
    for value in values:
        artifact = normalize({"v": value}, contract)
        if artifact.status is Status.SUCCESS:
            assert validator.is_valid(artifact.normalized_data), (raw, shared, value, artifact.normalized_data)
        assert ExecutionArtifact.from_json(artifact.to_json()) == artifact


@settings(max_examples=150)
@given(SCHEMAS, LEAVES)
def test_every_contract_survives_its_export(raw: Any, shared: Any):
    try:
        contract = adapt(schema({"v": raw}, required=["v"], **{"$defs": {"d": shared}}))
    except InvalidContractError:
        return
    for format in ("json_schema", "dict_dsl", "pydantic"):
        assert adapt(export(contract, format)) == contract


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [*KEYWORDS, "$ref", "$id", "$anchor", "$defs", "properties", "items", "allOf", "anyOf", "x-paxman"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=15,
)


@settings(max_examples=150)
@given(st.dictionaries(st.sampled_from(["properties", "type", "$ref", "allOf", "items", "x-paxman"]), JUNK, min_size=1))
def test_nonsense_is_adapted_or_refused_with_a_code_and_a_place(raw: Any):
    try:
        adapt(raw)
    except InvalidContractError as error:
        assert error.errors and all(issue.code and issue.path and issue.hint for issue in error.errors)


def test_text_and_object_give_the_same_contract():
    raw = schema({"a": {"type": "number", "default": 0.1, "minimum": 0.1}})
    assert adapt(json.dumps(raw)) == adapt(raw)


def test_money_has_a_default_in_the_hints():
    raw = {**MONEY, "x-paxman": {"type": "MONEY", "default": {"amount": "1.50", "currency": "EUR"}}}
    assert one(raw).default == Money(Decimal("1.50"), "EUR")


def test_numbers_of_money_and_of_free_objects_are_those_of_json():
    money = {
        "type": "object",
        "properties": {"amount": {"type": "number"}, "currency": {"type": "string"}},
        "required": ["amount", "currency"],
        "x-paxman": {"type": "MONEY"},
    }
    row = {"type": "object", "properties": {"price": money}}
    raw = schema({"fee": money, "free": {"type": "object"}, "rows": {"type": "array", "items": row}})
    data = {
        "fee": {"amount": 10.5, "currency": "EUR"},
        "free": {"a": 1.25, "b": [2, {"c": 0.5}], "d": "1.50"},
        "rows": [{"price": {"amount": 3.75, "currency": "EUR"}}],
    }
    assert json.loads(json.dumps(normalize(data, raw).normalized_data)) == data
