"""What a typed value breaks: type, ranges, patterns, enumerations, currencies, rows."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paxman.contract.constraints import CONSTRAINT_PARAMS, problems
from paxman.contract.model import CanonicalField, Constraint
from paxman.types import FieldType, Money

DAY = datetime.date(2025, 3, 31)


def field(kind: str, *constraints: tuple[str, dict[str, Any]], **more: Any) -> CanonicalField:
    rules = tuple(Constraint(name, params) for name, params in constraints)
    return CanonicalField("c:f", "f", more.pop("name", "f"), FieldType[kind], constraints=rules, **more)


GOOD: dict[str, Any] = {
    "STRING": "text",
    "INTEGER": 3,
    "DECIMAL": Decimal("1.50"),
    "BOOLEAN": False,
    "DATE": DAY,
    "ENUM": "paid",
    "MONEY": Money("1.50", "EUR"),
    "ARRAY": ("a", "b"),
    "OBJECT": {"a": 1},
    "TIME": datetime.time(10, 11),
    "DATETIME": datetime.datetime(2025, 3, 31, 10, 11),
}


@pytest.mark.parametrize("kind", GOOD)
@pytest.mark.parametrize("other", GOOD)
def test_a_value_has_the_type_of_its_field(kind: str, other: str) -> None:
    rules = [("enum", {"values": ["paid", "open"]})] if kind == "ENUM" else []
    fits = kind == other or (kind, other) == ("STRING", "ENUM")
    assert (problems(field(kind, *rules), GOOD[other]) == ()) is fits


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("INTEGER", True, "not a whole number"),
        ("INTEGER", 1.0, "not a whole number"),
        ("DECIMAL", 1, "not a decimal number"),
        ("DECIMAL", Decimal("NaN"), "not a decimal number"),
        ("BOOLEAN", 1, "not true or false"),
        ("DATE", datetime.datetime(2025, 3, 31), "not a date"),
        ("MONEY", {"amount": "1", "currency": "EUR"}, "not an amount of money"),
        ("ARRAY", "ab", "not a list"),
        ("STRING", None, "null, and the field is not nullable"),
    ],
)
def test_a_wrong_type_is_named(kind: str, value: Any, expected: str) -> None:
    assert problems(field(kind), value) == (expected,)


def test_null_is_good_for_a_nullable_field() -> None:
    assert problems(field("STRING", ("min_length", {"min": 1}), nullable=True), None) == ()


@pytest.mark.parametrize(
    ("kind", "rule", "params", "good", "bad", "reason"),
    [
        ("STRING", "min_length", {"min": 2}, "éé", "é", "shorter than 2 characters"),
        ("STRING", "max_length", {"max": 1}, "😀", "ab", "longer than 1 characters"),
        ("STRING", "pattern", {"regex": r"^INV-\d+$"}, "INV-1", "INV", r"does not match ^INV-\d+$"),
        ("INTEGER", "min_value", {"min": 0}, 0, -1, "less than 0"),
        ("DECIMAL", "max_value", {"max": "1.5"}, Decimal("1.50"), Decimal("1.51"), "more than 1.5"),
        ("DECIMAL", "max_value", {"max": 0.1}, Decimal("0.1"), Decimal("0.11"), "more than 0.1"),
        ("MONEY", "min_value", {"min": Decimal(0)}, Money(0, "EUR"), Money("-0.01", "EUR"), "less than 0"),
        ("DATE", "min_value", {"min": "2025-01-01"}, DAY, datetime.date(2024, 12, 31), "less than 2025-01-01"),
        ("DATE", "max_value", {"max": DAY}, DAY, datetime.date(2025, 4, 1), "more than 2025-03-31"),
        ("INTEGER", "exclusive_min", {"min": 0}, 1, 0, "not more than 0"),
        ("DECIMAL", "exclusive_max", {"max": 1}, Decimal("0.99"), Decimal("1.00"), "not less than 1"),
        ("DECIMAL", "multiple_of", {"of": "0.01"}, Decimal("1.230"), Decimal("1.234"), "not a multiple of 0.01"),
        ("DECIMAL", "multiple_of", {"of": 1}, Decimal("1e60"), Decimal("1e-60"), "not a multiple of 1"),
        ("INTEGER", "multiple_of", {"of": 3}, 9, 10, "not a multiple of 3"),
        ("INTEGER", "enum", {"values": [1, 2]}, 2, 3, "not one of 1, 2"),
        ("DECIMAL", "enum", {"values": [1.5]}, Decimal("1.50"), Decimal("1.5000001"), "not one of 1.5"),
        ("BOOLEAN", "enum", {"values": [True]}, True, False, "not one of True"),
        ("DATE", "enum", {"values": ["2025-03-31"]}, DAY, datetime.date(2025, 4, 1), "not one of 2025-03-31"),
        ("ENUM", "enum", {"values": ["paid", 0]}, 0, False, "not one of paid, 0"),
        ("STRING", "iso_4217", {}, "EUR", "EURO", "not an ISO 4217 currency code"),
        ("STRING", "iso_4217", {"codes": ["EUR", "USD"]}, "USD", "CHF", "the currency is not EUR or USD"),
        ("MONEY", "iso_4217", {"currency": "EUR"}, Money(1, "EUR"), Money(1, "USD"), "the currency is not EUR"),
        ("STRING", "format", {"name": "ipv4"}, "10.0.0.1", "10.0.0.256", "not of the format ipv4"),
        ("MAP", "key_pattern", {"regex": "^[a-z]+$"}, {"a": 1}, {"A": 1}, "a key does not match ^[a-z]+$"),
        ("ARRAY", "min_items", {"min": 1}, ("a",), (), "fewer than 1 items"),
        ("ARRAY", "max_items", {"max": 1}, ("a",), ("a", "b"), "more than 1 items"),
        ("ARRAY", "unique_items", {}, (1, True), ({"a": Decimal("1")}, {"a": Decimal("1.0")}), "the same item twice"),
    ],
)
def test_each_constraint(kind: str, rule: str, params: dict[str, Any], good: Any, bad: Any, reason: str) -> None:
    constrained = field(kind, (rule, params))
    assert (problems(constrained, good), problems(constrained, bad)) == ((), (reason,))


def test_every_kind_on_a_field_is_checked_by_a_test_above() -> None:
    marks = test_each_constraint.pytestmark  # type: ignore[attr-defined]
    assert {row[1] for row in marks[0].args[1]} == set(CONSTRAINT_PARAMS) - {"check", "json_schema"}


def test_all_problems_are_listed() -> None:
    constrained = field("STRING", ("min_length", {"min": 3}), ("pattern", {"regex": "^A"}))
    assert problems(constrained, "b") == ("shorter than 3 characters", "does not match ^A")


def test_a_pattern_binds_the_text_that_the_data_will_hold() -> None:
    rule = ("pattern", {"regex": r"^\d\d/\d\d/\d{4}$"})
    assert problems(field("DATE", rule), DAY) == ()
    assert problems(field("DATE", rule, text_form=True), DAY) == (r"does not match ^\d\d/\d\d/\d{4}$",)


def test_rows_are_checked_cell_by_cell() -> None:
    price = field("DECIMAL", ("min_value", {"min": 0}), name="price", required=True)
    note = field("STRING", name="note")
    unit = field("STRING", name="unit", required=True, nullable=True)
    size = field("OBJECT", name="size", children=(field("INTEGER", name="width", required=True),))
    rows = field("ARRAY", items=field("OBJECT", children=(price, note, unit, size)))
    good = {"price": Decimal(1), "note": None, "unit": None, "size": {"width": 2}}
    assert problems(rows, [good]) == ()
    bad = [good, {"price": Decimal(-1), "note": 5, "unit": "kg", "size": {}}, {"unit": "m"}, "row"]
    assert problems(rows, bad) == (
        "[1].price: less than 0",
        "[1].note: not text",
        "[1].size.width: missing",
        "[2].price: missing",
        "[3]: not an object",
    )


@given(st.decimals(allow_nan=False, allow_infinity=False), st.decimals("0.0001", 1000))
def test_multiples_are_exact(value: Decimal, step: Decimal) -> None:
    from fractions import Fraction

    found = problems(field("DECIMAL", ("multiple_of", {"of": step})), value)
    assert (found == ()) is ((Fraction(value) / Fraction(step)).denominator == 1)


@given(st.integers(), st.integers(), st.integers())
def test_inside_the_range_means_no_problem(low: int, high: int, value: int) -> None:
    found = problems(field("INTEGER", ("min_value", {"min": low}), ("max_value", {"max": high})), value)
    assert (found == ()) is (low <= value <= high)
