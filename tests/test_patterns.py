"""Patterns: JSON Schema semantics on values, honest boundaries in texts, linear time on anything."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import paxman
from paxman.contract.patterns import LONGEST_PATTERN, compile_pattern, find_spans, matches, reach_of


def found(regex: str, text: str) -> list[str]:
    return [text[start:end] for start, end in find_spans(regex, text)]


@pytest.mark.parametrize(
    ("regex", "value", "expected"),
    [
        (r"^INV-\d+$", "INV-1234", True),
        (r"^INV-\d+$", "Invoice INV-1234", False),
        (r"INV-\d+", "Invoice INV-1234", True),
        (r"^\d+$", "12\n", False),
        (r"", "anything", True),
        (r"^\p{L}+$", "Straße", True),
        (r"^\w+$", "Straße", False),
        (r"^(?<year>\d{4})$", "2025", True),
        (r"\d+\Z", "a12", True),
        (r"^\u0041\u{42}$", "AB", True),
        (r"^\ud83d\ude00$", "😀", True),
        (r"^[\u00e0-\u00ff]$", "é", True),
        (r"^\cJ$", "\n", True),
        (r"^a\/b\_c\-d$", "a/b_c-d", True),
        (r"^[\w-.]+@[\w-]+$", "a.b-c@d-e", True),
        (r"^\p{Letter}\p{Script=Greek}$", "aβ", True),
        (r"No: (?P<value>\d+)", "No: 12", True),
        (r"No: (?P<value>\d+)", "12", True),
        (r"No: (?P<value>\d+)", "12a", False),
        (r"(?i)no (?P<value>(?:x|[)])y)", "XY", True),
        (r"^.$", "\ud800", True),
    ],
)
def test_a_value_is_searched(regex: str, value: str, expected: bool) -> None:
    assert matches(regex, value) is expected


@pytest.mark.parametrize(
    ("regex", "reason"),
    [
        (r"a(?=b)", "lookahead (?= is not supported: patterns must run in linear time"),
        (r"(?!b)a", "lookahead (?! is not supported: patterns must run in linear time"),
        (r"(?<=b)a", "lookbehind (?<= is not supported: patterns must run in linear time"),
        (r"(?<!b)a", "lookbehind (?<! is not supported: patterns must run in linear time"),
        (r"(a)\1", r"backreference \1 is not supported: patterns must run in linear time"),
        (r"(?P<x>a)(?P=x)", "backreference (?P= is not supported: patterns must run in linear time"),
        (r"(?<x>a)\k<x>", r"backreference \k is not supported: patterns must run in linear time"),
        (r"(", "missing ): ("),
        (r"a{2000}", "invalid repetition size: {2000}; at most 1000 repetitions are allowed, nested ones multiplied"),
        (
            r"((a{90}){90}){9}",
            "invalid repetition size: {90}; at most 1000 repetitions are allowed, nested ones multiplied",
        ),
        ("a" * 1001, f"the pattern has 1001 characters, at most {LONGEST_PATTERN} are allowed"),
        ("\ud800", "the pattern holds half of a surrogate pair"),
    ],
)
def test_an_unusable_pattern_says_why(regex: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        compile_pattern(regex)


def test_brackets_inside_a_class_are_no_lookahead() -> None:
    assert matches(r"^[(?=]+$", "(?=")


@pytest.mark.parametrize(
    ("regex", "text", "expected"),
    [
        (r"^INV-\d+$", "Invoice #INV-1234 (copy)", ["INV-1234"]),
        (r"^INV-\d+$", "XINV-1 INV-1x INV-12-A INV-3.", ["INV-3"]),
        (r"\bINV-\d+\b", "see INV-7, INV-8", ["INV-7", "INV-8"]),
        (r"^\d+$", "12.50 1,234 12:30 3/4 2024-01-01 -5 A-6 7% $8 (9) 10.", ["7", "8", "9", "10"]),
        (r"^-?\d+$", "INV-1234 10-5 -7", ["-7"]),
        (r"^\d{4}$", "12345 2024 x2025 2026x", ["2024"]),
        (r"^\d{4}$", "発行2024年", ["2024"]),
        (r"^caf$", "cafe\u0301 caf", ["caf"]),
        (r"^[a-z]+\.com$", "www.foo.com bar.com a@baz.com", ["bar.com"]),
        (r"^(?:INV|INV-\d+)$", "INV-1234 INV", ["INV-1234", "INV"]),
        (r"^[A-Z]+(?: [A-Z]+)*$", "FOO BAr", ["FOO"]),
        (r"^(?:INV-\d+)?$", "Invoice INV-1, twice", ["INV-1"]),
        (r"^A.*?Z$", "A1Z and A2Z", ["A1Z", "A2Z"]),
        (r"^[A-Z ]+$", "to  ACME CORP  now", ["ACME CORP"]),
        (r"^a$|^b$", "b a c", ["b", "a"]),
        (r"Total: (?P<value>\d+)", "Total: 12 Total: 12.50 Sub Total: 7", ["12", "7"]),
        (r"(?P<value>\d+)kg", "12kg 13", ["12"]),
        (r"(?P<value>x)?y", "y xy", ["y", "x"]),
        (r"^\s*$", "a  b", []),
        (r"", "abc", []),
        (r"^\d+$", "", []),
    ],
)
def test_values_are_found_in_a_text(regex: str, text: str, expected: list[str]) -> None:
    assert found(regex, text) == expected


def test_spans_are_code_points_beyond_ascii() -> None:
    text = "Größe 😀 „RE-77“ é RE-78\ud800 RE-79"
    assert [(span, text[slice(*span)]) for span in find_spans(r"^RE-\d+$", text)] == [
        ((9, 14), "RE-77"),
        ((18, 23), "RE-78"),
        ((25, 30), "RE-79"),
    ]


def test_a_hit_is_found_far_into_a_long_text() -> None:
    noise = "1.5 " * 20_000
    assert find_spans(r"^\d+$", noise + "42") == [(80_000, 80_002)]
    assert find_spans(r"^X-\d+$", noise + "X-1 " + noise + "ü X-2") == [(80_000, 80_003), (160_006, 160_009)]


def test_the_limit_holds() -> None:
    assert find_spans(r"^\d$", "1 2 3 4", limit=2) == [(0, 1), (2, 3)]


def test_the_cache_follows_the_text() -> None:
    cache: dict[object, object] = {}
    assert find_spans(r"^ä$", "ä", cache=cache) == [(0, 1)]
    assert find_spans(r"^ä$", "ö ä", cache=cache) == [(2, 3)]


@given(st.text(max_size=200), st.from_regex(r"[A-Z]{3}-[0-9]{1,4}", fullmatch=True), st.text(max_size=200))
def test_a_free_standing_value_is_always_found(before: str, value: str, after: str) -> None:
    text = f"{before} {value} {after}"
    spans = find_spans(r"^[A-Z]{3}-\d{1,4}$", text, limit=10_000)
    assert (len(before) + 1, len(before) + 1 + len(value)) in spans
    assert all(matches(r"^[A-Z]{3}-\d{1,4}$", text[start:end]) for start, end in spans)


@given(st.text(alphabet=r"ab1^$\\()[]{}?*+|.,:<>=!PvZQEk-é ", max_size=30), st.text(alphabet="ab1 -é.", max_size=40))
def test_any_pattern_works_or_is_refused(regex: str, text: str) -> None:
    try:
        compile_pattern(regex)
    except ValueError:
        return
    assert all(0 <= start < end <= len(text) for start, end in find_spans(regex, text))


@pytest.mark.parametrize(
    ("regex", "text"),
    [
        (r"(a+)+$", "a" * 1_000_000 + "!"),
        (r"(.*)*", "x" * 1_000_000),
        (r"^(a|aa)+$", "a" * 1_000_000),
        (r"^,*$", "," * 1_000_000),
        (r"^[^,]*$", "," * 1_000_000),
        (r"^\d$", "1." * 500_000),
        (r"^(\w+\s?)*$", "aaaa " * 200_000 + "!"),
        (r"a(?s:.*b)?", "a-" * 500_000),
        (r"^\s+x$", " " * 1_000_000),
        (r"^é(?:[^b]*b)?$", "é." * 300_000),
        (r"(.{1,30}){30}z", ("x" * 50 + " ") * 10_000),
        (r"a.{999}c", "abbabaab" * 60_000 + "b"),
    ],
)
def test_hostile_patterns_and_texts_take_linear_time(regex: str, text: str) -> None:
    start = time.process_time()
    find_spans(regex, text)
    matches(regex, text)
    assert time.process_time() - start < 5


def test_a_large_pattern_is_sought_in_the_head_of_a_long_text() -> None:
    reach = reach_of(r"N\d{900}")
    number = "N" + "1" * 900
    assert found(r"N\d{900}", f"{number} {'x ' * reach} {number}") == [number]
    assert matches(r"N\d{900}", "x" * (reach - 901) + number)
    assert not matches(r"N\d{900}", "x" * reach + number)


@pytest.mark.parametrize("regex", [r"\d{1,10}", r".{0,100}", r"^[A-Z0-9 ]{1,64}$", r"\p{L}{1,40}"])
def test_ordinary_patterns_reach_to_the_end_of_any_text(regex: str) -> None:
    assert reach_of(regex) > 10**12


@pytest.mark.parametrize("regex", ["^KL\xa0\\d+$", r"^KL\u00a0\d+$", r"^KL\xa0\d+$", "^KL[_\u202f]\\d+$"])
def test_a_thin_space_in_a_pattern_matches_a_plain_one(regex: str) -> None:
    field = {
        "name": "code",
        "type": "STRING",
        "required": True,
        "constraints": [{"kind": "pattern", "params": {"regex": regex}}],
    }
    contract = {"id": "paper", "version": "1", "fields": [field]}
    assert paxman.normalize("Code: KL\xa047\n", contract)["code"].value == "KL 47"


def test_what_excludes_a_fine_blank_takes_a_plain_one() -> None:
    assert matches("^KL[^\xa0]47$", "KL 47")
    assert not matches("^KL[^\xa0]47$", "KL\xa047")
