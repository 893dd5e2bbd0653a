"""Advice on valid contracts: what is said, of which field, on which line, and nothing of good contracts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from paxman.api.linting import lint
from paxman.cli.app import app
from paxman.contract import adapt


def field(name: str, kind: str = "STRING", **more: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "required": True, **more}


def contract(*fields: dict[str, Any]) -> dict[str, Any]:
    return {"id": "c", "version": "1", "fields": list(fields)}


def rows(*columns: dict[str, Any]) -> dict[str, Any]:
    return field("lines", "ARRAY", items={"fields": list(columns)})


def pattern(regex: str) -> dict[str, Any]:
    return {"constraints": [{"kind": "pattern", "params": {"regex": regex}}]}


CASES: dict[str, tuple[dict[str, Any], list[tuple[str, str]]]] = {
    "one label twice": (
        contract(field("a_code", labels=["Order ref"]), field("b_code", labels=["Order ref"])),
        [("COMPETING_LABELS", "a_code")],
    ),
    "a label that is another's name": (
        contract(field("reference", labels=["Order number"]), field("order_number")),
        [("COMPETING_LABELS", "reference")],
    ),
    "one label in rows": (
        contract(rows(field("sku"), field("item_number", labels=["SKU"]))),
        [("COMPETING_LABELS", "lines[].sku")],
    ),
    "names of two owners": (
        contract(
            field("seller", "OBJECT", fields=[field("name")]),
            field("buyer", "OBJECT", fields=[field("name")]),
        ),
        [],
    ),
    "derived from its rival": (
        contract(field("total", "MONEY"), field("sum", "MONEY", labels=["Total"], derive="total")),
        [],
    ),
    "any text": (contract(field("order_number", **pattern(".*"))), [("PATTERN_FITS_ALL", "order_number")]),
    "any word": (contract(field("order_number", **pattern("[\\s\\S]+"))), [("PATTERN_FITS_ALL", "order_number")]),
    "a pattern": (contract(field("order_number", **pattern("^[A-Z]+-[0-9]+$"))), []),
    "required in optional": (
        contract(field("seller", "OBJECT", required=False, fields=[field("name"), field("city", required=False)])),
        [("REQUIRED_IN_OPTIONAL", "seller")],
    ),
    "no unit": (contract(field("net_weight", "DECIMAL")), [("MISSING_UNIT", "net_weight")]),
    "unit in the name": (contract(field("weight_kg", "DECIMAL")), []),
    "unit beside": (contract(field("weight", "DECIMAL"), field("weight_unit")), []),
    "unit described": (contract(field("weight", "DECIMAL", description="Weight in kg")), []),
    "no currency": (contract(field("total", "DECIMAL")), [("MISSING_UNIT", "total")]),
    "currency of the paper": (contract(field("currency"), rows(field("sku"), field("price", "DECIMAL"))), []),
    "money": (contract(field("total", "MONEY")), []),
    "says nothing": (contract(field("field_1"), field("value")), [("EMPTY_NAME", "field_1"), ("EMPTY_NAME", "value")]),
    "says nothing but has labels": (contract(field("value", labels=["Order number"])), []),
}


@pytest.mark.parametrize(("raw", "expected"), CASES.values(), ids=CASES.keys())
def test_advice(raw: dict[str, Any], expected: list[tuple[str, str]]):
    assert [(each.code, each.path) for each in lint(adapt(raw))] == expected


def test_advice_says_what_to_write():
    (found,) = lint(adapt(contract(field("net_weight", "DECIMAL"))))
    assert str(found) == (
        "net_weight: the number has no unit: 2 kg and 2 lb would both be 2. "
        "Say it in the name, such as net_weight_kg, or in the description, or add a field for the unit."
    )


SCHEMA = {
    "title": "c",
    "type": "object",
    "properties": {"seller": {"type": "string"}, "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}}},
    "$defs": {"line": {"type": "object", "properties": {"sku": {"type": "string"}, "weight": {"type": "number"}}}},
}
YAML = """id: c
fields:
- {name: sku, type: STRING, required: true}
- name: weight
  type: DECIMAL
  required: true
"""
PYTHON = """import dataclasses

weight = 1

@dataclasses.dataclass
class C:
    sku: str
    weight: float
"""
FILES = {
    "c.json": (json.dumps(contract(field("sku"), field("weight", "DECIMAL")), indent=1), 11),
    "c.yaml": (YAML, 4),
    "c.toml": ('id = "c"\n[[fields]]\nname = "weight"\ntype = "DECIMAL"\nrequired = true\n', 3),
    "schema.json": (json.dumps(SCHEMA, indent=1), 22),
    "schema.sql": ("CREATE TABLE c (\n  sku TEXT,\n  weight NUMERIC\n);\n", 3),
    "linted_model.py": (PYTHON, 8),
}


@pytest.mark.parametrize("name", FILES)
def test_the_line_is_told(name: str, tmp_path: Path):
    text, line = FILES[name]
    (tmp_path / name).write_text(text)
    told = CliRunner().invoke(app, ["contract", "check", str(tmp_path / name), "--json"])
    assert [(each["code"], each["line"]) for each in json.loads(told.output)["advice"]] == [("MISSING_UNIT", line)]


def test_strict_fails_on_advice(tmp_path: Path):
    (tmp_path / "c.json").write_text(json.dumps(contract(field("weight", "DECIMAL"))))
    given = ["contract", "check", str(tmp_path / "c.json")]
    assert [CliRunner().invoke(app, each).exit_code for each in (given, [*given, "--strict"])] == [0, 1]
