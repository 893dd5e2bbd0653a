"""Canonical JSON, checked against an independent implementation of RFC 8785."""

from __future__ import annotations

import datetime
import enum
import hashlib
import json
import struct
from decimal import Decimal
from typing import Any

import pytest
import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from paxman.serialization import canonical_hash, canonical_json, record_json, to_plain
from paxman.types import FieldType, Money, freeze

whole_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
safe_integers = st.integers(-(2**53) + 1, 2**53 - 1)
floats = st.floats(allow_nan=False, allow_infinity=False)
bit_patterns = st.integers(0, 2**64 - 1).map(lambda bits: struct.unpack("<d", struct.pack("<Q", bits))[0])
finite_patterns = bit_patterns.filter(lambda value: abs(value) < float("inf"))
scalars = st.none() | st.booleans() | safe_integers | floats | whole_text
json_data = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(whole_text, inner, max_size=4),
    max_leaves=12,
)


@given(json_data)
@example({"\ue000": 1, "\U00010000": 2, "z": 3})
@example({"page": "e-05", "small": 1e-6, "list": [1.0, -0.0, 1e21]})
def test_equal_to_the_reference(data: Any) -> None:
    assert canonical_json(data) == rfc8785.dumps(data)


@given(st.dictionaries(whole_text, json_data, max_size=4))
@example({"confidence": 1.0, "note": "ratio 1.0, or so"})
@example({"\ue000": 1, "\U00010000": 2})
@example({"tiny": 5e-324, "large": 2.0**60})
def test_the_fast_way_gives_the_same_bytes(data: dict[str, Any]) -> None:
    assert record_json(data) == canonical_json(data)


@given(finite_patterns)
def test_floats_of_every_size_equal_the_reference(value: float) -> None:
    assert canonical_json([value]) == rfc8785.dumps([value])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (0.8, "0.8"),
        (0.1 + 0.2, "0.30000000000000004"),
        (0.0001, "0.0001"),
        (0.00001, "0.00001"),
        (1.5e-6, "0.0000015"),
        (1e-7, "1e-7"),
        (-1.25e-9, "-1.25e-9"),
        (1e16, "10000000000000000"),
        (2.0**60, "1152921504606847000"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.5e300, "1.5e+300"),
        (5e-324, "5e-324"),
    ],
)
def test_floats_are_laid_out_as_in_ecmascript(value: float, text: str) -> None:
    assert canonical_json(value) == text.encode()


def test_keys_sort_by_utf16_units() -> None:
    data = {"\ufb33": "Dalet", "€": "Euro", "\r": "CR", "1": "One", "\U0001f600": "Emoji", "\x80": "Control", "ö": "o"}
    assert list(json.loads(canonical_json(data))) == ["\r", "1", "\x80", "ö", "€", "\U0001f600", "\ufb33"]


def test_strings_escape_only_what_they_must() -> None:
    text = '\x00\b\t\n\f\r\x1f"\\/\x7f<é\u2028😀'
    assert canonical_json(text) == '"\\u0000\\b\\t\\n\\f\\r\\u001f\\"\\\\/\x7f<é\u2028😀"'.encode()


def test_integers_keep_every_digit() -> None:
    assert canonical_json([2**53 + 1, -(10**30)]) == b"[9007199254740993,-1000000000000000000000000000000]"


class Priority(enum.IntEnum):
    HIGH = 2


class Named:
    def to_dict(self) -> dict[str, Any]:
        return {"name": Money("1.50", "eur")}


def test_types_of_the_house() -> None:
    data = {
        "decimal": Decimal("1.50"),
        "date": datetime.date(2025, 3, 4),
        "type": FieldType.MONEY,
        "priority": Priority.HIGH,
        FieldType.DATE: (1, 2),
        7: {"b", "a"},
        "frozen": freeze({"x": {}}),
        "named": Named(),
    }
    assert to_plain(data) == {
        "decimal": "1.50",
        "date": "2025-03-04",
        "type": "MONEY",
        "priority": 2,
        "DATE": [1, 2],
        "7": ["a", "b"],
        "frozen": {"x": {}},
        "named": {"name": {"amount": "1.50", "currency": "EUR"}},
    }
    assert json.loads(canonical_json(data)) == to_plain(data)


def test_numeric_keys_sort_as_text() -> None:
    assert canonical_json({9: "a", 10: "b"}) == b'{"10":"b","9":"a"}'


@given(json_data)
def test_frozen_data_and_key_order_do_not_matter(data: Any) -> None:
    backwards = dict(reversed(data.items())) if isinstance(data, dict) else data
    assert canonical_json(freeze(backwards)) == canonical_json(data)
    assert canonical_hash(data) == hashlib.sha256(rfc8785.dumps(data)).hexdigest()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_what_is_no_number_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="no JSON form"):
        canonical_json({"value": [value]})
    with pytest.raises(ValueError):
        record_json({"value": [value]})


@pytest.mark.parametrize("data", ["\ud800", {"\udfff": 1}, ["ok", {"a": "x\ud83d"}], {"\ud800": "\U0001f600"}])
def test_lone_surrogates_are_refused(data: Any) -> None:
    with pytest.raises(UnicodeEncodeError, match="surrogates not allowed"):
        canonical_json(data)


def test_keys_that_become_one_are_refused() -> None:
    with pytest.raises(ValueError, match="same text"):
        canonical_json({1: "a", "1": "b"})


def test_other_objects_are_refused_by_name() -> None:
    with pytest.raises(TypeError, match="cannot write object as canonical JSON"):
        canonical_json({"x": object()})


def nested(depth: int, leaf: Any) -> Any:
    for level in range(depth):
        leaf = {"k": leaf} if level % 2 else [leaf]
    return leaf


@pytest.mark.parametrize("leaf", ["plain", 1e-6, "\U0001f600"])
def test_deep_nesting(leaf: Any) -> None:
    depth = 500
    inner = canonical_json(leaf).decode()
    expected = '{"k":[' * (depth // 2) + inner + "]}" * (depth // 2)
    assert canonical_json(nested(depth, leaf)) == expected.encode()
