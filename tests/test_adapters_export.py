"""Every contract can be written in every format, and reads back as the same contract."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from paxman.contract import adapt, export
from paxman.contract.loading import dump_yaml, load_yaml
from paxman.contract.model import CanonicalContract

FORMATS = ("dict_dsl", "json_schema", "openapi", "pydantic")
NAMES = st.sampled_from(
    [
        "total",
        "seller",
        "Rechnungs-Nr",
        "a b",
        "class",
        "model_x",
        "_hidden",
        "json",
        "größe",
        "field_1",
        "$ref",
        "a/b~c",
    ]
)
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=8).filter(str.strip)
NUMBERS = st.integers(-50, 50) | st.decimals(-99, 99, places=3) | st.floats(-9, 9).map(lambda value: round(value, 4))
COUNTS = st.integers(0, 3)
REGEXES = st.sampled_from(["^a+$", r"\d{3}", "^INV-(?P<value>[0-9]+)$", r"\Ax\z"])
DATES = st.dates().map(str)
CURRENCIES = st.sampled_from(["EUR", "USD", "JPY"])
BOUNDS = st.fixed_dictionaries({"min": st.integers(-9, 0) | st.just("-0.10"), "max": st.integers(1, 9) | st.just(1.25)})


def limits(low: str, high: str, bounds: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    """Up to two constraints that leave room between them."""
    return bounds.map(
        lambda both: [
            {"kind": low, "params": {"min": both["min"]}},
            {"kind": high, "params": {"max": both["max"]}},
        ]
    ) | st.just([])


def lengths(low: str, high: str) -> st.SearchStrategy[list[Any]]:
    return limits(low, high, st.fixed_dictionaries({"min": COUNTS, "max": st.integers(3, 9)}))


def some(kind: str, params: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(st.builds(lambda value: {"kind": kind, "params": value}, params), max_size=2)


DAYS = st.just({"min": "2000-01-01", "max": "2001-01-01"})
STEPS = some("multiple_of", st.sampled_from([{"of": 1}, {"of": "0.01"}, {"of": 0.5}]))
RULES: dict[str, list[st.SearchStrategy[list[Any]]]] = {
    "STRING": [
        lengths("min_length", "max_length"),
        some("pattern", st.builds(lambda regex: {"regex": regex}, REGEXES)),
    ],
    "INTEGER": [limits("exclusive_min", "exclusive_max", BOUNDS), STEPS],
    "DECIMAL": [limits("min_value", "exclusive_max", BOUNDS), STEPS, lengths("min_length", "max_length")],
    "DATE": [limits("min_value", "max_value", DAYS)],
    "MONEY": [
        limits("min_value", "max_value", BOUNDS),
        some("iso_4217", st.sampled_from([{}, {"currency": "EUR"}, {"codes": ["USD", "EUR"]}])),
    ],
    "ARRAY": [lengths("min_items", "max_items"), some("unique_items", st.just({}))],
    "ENUM": [some("pattern", st.builds(lambda regex: {"regex": regex}, REGEXES))],
}
MEMBERS: dict[str, st.SearchStrategy[Any]] = {
    "STRING": WORDS,
    "INTEGER": st.integers(-5, 5),
    "DECIMAL": NUMBERS,
    "DATE": DATES,
    "BOOLEAN": st.booleans(),
}
DEFAULTS: dict[str, st.SearchStrategy[Any]] = {
    **MEMBERS,
    "MONEY": st.builds(lambda amount, code: {"amount": amount, "currency": code}, NUMBERS, CURRENCIES),
    "OBJECT": st.dictionaries(WORDS, WORDS, max_size=2),
    "ARRAY": st.lists(WORDS, max_size=2),
}


@st.composite
def values(draw: st.DrawFn, depth: int) -> dict[str, Any]:
    """What fields and items have in common."""
    types = [
        "STRING",
        "INTEGER",
        "DECIMAL",
        "BOOLEAN",
        "DATE",
        "ENUM",
        "MONEY",
        *(["OBJECT", "ARRAY"] if depth else []),
    ]
    kind = draw(st.sampled_from(types))
    data: dict[str, Any] = {"type": kind, "nullable": draw(st.booleans())}
    rules = [rule for strategy in RULES.get(kind, []) for rule in draw(strategy)]
    if kind in MEMBERS and draw(st.integers(0, 3)) == 0:
        rules.append({"kind": "enum", "params": {"values": draw(st.lists(MEMBERS[kind], min_size=1, max_size=3))}})
    if kind == "ENUM":
        data["enum_values"] = draw(st.lists(WORDS | st.integers(0, 5) | st.booleans() | st.just(0.5), min_size=1))
    if kind == "OBJECT" and draw(st.booleans()):
        data["fields"] = draw(fields(depth - 1))
    if kind == "ARRAY" and draw(st.booleans()):
        data["items"] = draw(values(depth - 1))
    if not rules and "fields" not in data and "items" not in data and draw(st.booleans()):
        default = draw(DEFAULTS[kind]) if kind in DEFAULTS else data["enum_values"][0]
        data["default"] = None if data["nullable"] and draw(st.booleans()) else default
    if kind in ("DATE", "DECIMAL", "MONEY"):
        data["text_form"] = draw(st.booleans())
    notes = st.fixed_dictionaries(
        {},
        optional={
            "description": WORDS,
            "labels": st.lists(WORDS, max_size=2),
            "tags": st.lists(st.sampled_from(["email", "vat_id", "uuid", "date-time", "regex:^a"]), max_size=2),
        },
    )
    return {**data, "constraints": rules, **draw(notes)}


@st.composite
def fields(draw: st.DrawFn, depth: int) -> list[dict[str, Any]]:
    names = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    return [{"name": name, "required": draw(st.booleans()), **draw(values(depth))} for name in names]


@st.composite
def contracts(draw: st.DrawFn) -> dict[str, Any]:
    first = {
        "name": "net",
        "type": "DECIMAL",
        "required": True,
        "confidence_threshold": 0.9,
        "fallback": "REQUIRE_HUMAN",
    }
    derived = {"name": "gross", "type": "DECIMAL", "required": False, "derive": "net * 2"}
    looked_up = {
        "name": "vat",
        "type": "STRING",
        "required": False,
        "lookup": {"source": {"A": {"v": 0.5}}, "from": "net", "value": "v", "threshold": 90},
    }
    policy = st.fixed_dictionaries(
        {},
        optional={
            "confidence_floor": st.floats(0, 1),
            "unresolved_acceptable": st.booleans(),
            "currency_policy": st.sampled_from(["STRICT_MATCH", "ALLOW_FX"]),
            "stop_on_first_unresolved": st.booleans(),
        },
    )
    check = {"kind": "check", "params": {"expr": "gross == net * 2", "tolerance": draw(st.sampled_from([0, "0.010"]))}}
    return {
        "id": draw(WORDS),
        "version": draw(st.sampled_from(["1", "2.0"])),
        "policy": draw(policy),
        "constraints": [check],
        "fields": [first, derived, looked_up, *draw(fields(2))],
    }


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=30)
@given(raw=contracts())
def test_a_contract_survives_every_format(format: Any, raw: dict[str, Any]):
    canonical = adapt(raw)
    again = adapt(export(canonical, format))
    assert again == canonical
    assert again.content_hash == canonical.content_hash
    assert again.warnings == ()


@settings(max_examples=15)
@given(contracts())
def test_exports_are_plain_json_and_the_schema_is_a_schema(raw: dict[str, Any]):
    canonical = adapt(raw)
    for format in ("dict_dsl", "json_schema", "openapi"):
        exported = export(canonical, format)  # type: ignore[arg-type]
        assert adapt(json.dumps(exported)) == canonical
    assert adapt(dump_yaml(export(canonical, "dict_dsl"))) == canonical
    jsonschema.Draft202012Validator.check_schema(export(canonical, "json_schema"))


def small() -> CanonicalContract:
    return adapt(
        {
            "id": "receipt",
            "fields": [
                {"name": "total", "type": "DECIMAL", "required": True, "labels": ["Total"], "default": "1.50"},
                {"name": "day", "type": "DATE", "required": False, "text_form": True},
            ],
        }
    )


def test_the_dict_dsl_reads_like_one_that_was_written_by_hand():
    assert export(small(), "dict_dsl") == {
        "id": "receipt",
        "version": "1",
        "fields": [
            {"name": "total", "type": "DECIMAL", "required": True, "labels": ["Total"], "default": "1.50"},
            {"name": "day", "type": "DATE", "required": False, "text_form": True},
        ],
    }


def test_the_json_schema_uses_its_own_words_first():
    assert export(small(), "json_schema") == {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "receipt",
        "type": "object",
        "properties": {
            "total": {"type": "number", "x-paxman": {"labels": ["Total"], "default": "1.50"}},
            "day": {"type": "string", "format": "date"},
        },
        "required": ["total"],
        "additionalProperties": False,
        "x-paxman": {"id": "receipt", "version": "1"},
    }


def test_the_model_validates_data():
    model = export(small(), "pydantic")
    assert model.__name__ == "Receipt"
    assert model.model_validate({"total": "2.50"}).total == Decimal("2.50")


@pytest.mark.parametrize("text", ["0E0", "1e5", "yes", "2024-01-01", "true", "~", "", "<<", "0x1F", "1_000"])
def test_text_in_yaml_stays_text_for_every_reader(text: str):
    written = dump_yaml({"a": [text]})
    assert (load_yaml(written), yaml.safe_load(written)) == ({"a": [text]}, {"a": [text]})
