"""Input profiles: every rule, every edge case, and the arithmetic against its plain formula."""

from __future__ import annotations

import hashlib
import json
import random
import re
import tracemalloc

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paxman.planner.input_profile import InputProfile, classify, compute_density, json_state, make_profile

EMPTY_HASH = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
BOM = b"\xef\xbb\xbf"
WINDOW = 8192
CHUNK = 1 << 16
LARGE = "Größe 12 € ".encode() * 40_000


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def plain_density(data: bytes) -> float:
    text = data.decode("utf-8", errors="replace")
    return len(text.replace(" ", "").replace("\t", "").replace("\n", "").replace("\r", "")) / len(data)


@pytest.mark.parametrize(
    ("given_data", "profile"),
    [
        (b"", InputProfile("empty", 0, EMPTY_HASH, 0.0, True)),
        ("", InputProfile("empty", 0, EMPTY_HASH, 0.0, True)),
        (b"  \n\t   ", InputProfile("text", 7, sha(b"  \n\t   "), 0.0, True)),
        (b" \x0b\x0c ", InputProfile("text", 4, sha(b" \x0b\x0c "), 0.0, True)),
        (b"\xff\xfe\x00\x01", InputProfile("unknown", 4, sha(b"\xff\xfe\x00\x01"), 0.0, False)),
        (b"Hello, World!\n", InputProfile("text", 14, sha(b"Hello, World!\n"), 12 / 14, False)),
        (
            "Hello \ud800 World",
            InputProfile("text", 15, sha(b"Hello \xef\xbf\xbd World"), 11 / 15, False),
        ),
        ("\ud83d\ude00", InputProfile("text", 4, sha("😀".encode()), 1 / 4, False)),
        ("Müller", InputProfile("text", 7, sha("Müller".encode()), 6 / 7, False)),
    ],
)
def test_whole_profiles(given_data: str | bytes, profile: InputProfile) -> None:
    assert make_profile(given_data) == profile


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"%PDF-1.7 text", "pdf_text"),
        (b"%PDF-\xff\xfe\x00", "pdf_text"),
        (b" %PDF-1.7", "text"),
        (b'{"a": 1}', "json"),
        (b' \n\t[1, 2, {"b": null}] \r\n', "json"),
        (b"[NaN, -Infinity]", "json"),
        (b"[" + b"9" * 5000 + b"]", "json"),
        (b"[" * 4000 + b"]" * 4000, "json"),
        (b"[" * 4000 + b"]" * 3999, "text"),
        (b"{'a': 1}", "text"),
        (b"[draft] a, b, c, d", "csv"),
        (b'"just a string"', "text"),
        (b'{"a": 1} {"a": 2}', "text"),
        (b"\x0c{}", "text"),
        (b'{"a": "\xff"}', "unknown"),
        (b"From bob@example.com Mon\nSubject: Hi\n\nBody", "email"),
        (b"From bob@example.com\r\nSubject: Hi\r\n\r\nBody", "email"),
        (b"From bob@example.com about the Subject: Hi", "text"),
        (b"From: bob@example.com\nSubject: Hi\n\nBody", "text"),
        (b"From bob" + b"\nX: y" * 1000 + b"\nSubject: Hi", "text"),
        (b"From bob\nSubject: \xff", "unknown"),
        (b"<!DOCTYPE HTML><p>x", "html"),
        (b"<?xml version='1.0'?>\n<HTML lang='en'>", "html"),
        (b"x" * 4091 + b"<html>", "html"),
        (b"x" * 4092 + b"<html>", "text"),
        (b"\n\n  a,b,c,d\n1,2,3,4\n", "csv"),
        (b"a,b,c\n1,2,3\n", "text"),
        (b"a,b\rc,d\re,f\r", "text"),
        (b"plain\na,b,c,d", "text"),
        ("é,ü,ß,ø".encode(), "csv"),
        (b"caf\xe9", "unknown"),
        (b"cut at the end \xc3", "unknown"),
        (b"\x00\x01\x02", "text"),
        (BOM, "text"),
        (BOM + b'{"a": 1}', "json"),
        (BOM + b"%PDF-1.4", "pdf_text"),
        (BOM + b"From bob\nSubject: Hi", "email"),
        (BOM + b"a,b,c,d", "csv"),
    ],
)
def test_rules(data: bytes, expected: str) -> None:
    assert classify(data) == expected


def test_a_character_cut_at_the_window_is_not_broken() -> None:
    assert classify(b"x" * 4095 + "é and more".encode()) == "text"
    assert classify(b"x" * 4095 + b"\xc3") == "unknown"
    assert classify(b"x" * 4094 + b"\xc3x") == "unknown"
    assert classify(b"x" * 4096 + b"\xff") == "text"
    assert classify(b'["' + b"x" * 5000 + b"\xff" + b"x" * 5000 + b'"]') == "unknown"
    assert classify(b'["' + b"x" * (WINDOW - 3) + "é".encode() * 10 + b'"]') == "json"
    assert classify(b"[" + b" " * (WINDOW - 2) + "é".encode() * 10 + b"]") == "text"


def test_large_json_is_json_and_large_brackets_are_not() -> None:
    rows = [{"id": n, "name": f"Ünïcode {n}", "ok": n % 2 == 0, "price": n / 7} for n in range(2000)]
    assert classify(json.dumps(rows, ensure_ascii=False).encode()) == "json"
    assert classify(json.dumps(rows, indent=2).encode()) == "json"
    assert classify(b"[" * 100_000) == "json"
    assert classify(b"[see page 1] " * 1000) == "text"
    assert classify(b'{"a": 1}\n' * 2000) == "text"
    assert classify(b"{}" + b" " * 10_000) == "json"


@given(st.binary(max_size=200))
@example(b"\xc3 \xa9")
@example(b"\xf0\x9f\x98 \xed\xa0\x80")
def test_density_is_the_formula(data: bytes) -> None:
    assert compute_density(data, "text") == (plain_density(data) if data else 0.0)


@given(st.binary(min_size=1, max_size=12), st.integers(0, 12))
def test_density_is_the_formula_across_chunks(data: bytes, before: int) -> None:
    long = b"a" * (CHUNK - before) + data + b" \xc3\xa9" * 10
    assert compute_density(long, "text") == plain_density(long)


@settings(max_examples=30)
@given(st.one_of(st.binary(max_size=12), st.text(max_size=12).map(str.encode)), st.integers(0, 3))
@example(b"\xc3", 0)
@example(b"\xed\xa0\x80", 0)
@example("é 😀\u3000\n".encode(), 2)
def test_density_of_a_large_input_is_the_formula(data: bytes, cut: int) -> None:
    long = b" \xc3\xa9a" + LARGE + data + LARGE[: len(LARGE) - cut] + data
    assert compute_density(long, "text") == plain_density(long)


@given(st.text(alphabet="a😀\ud83d\ude00", max_size=8))
def test_lone_surrogates_become_replacement_characters(text: str) -> None:
    paired = re.sub("\ud83d\ude00", "😀", text)
    assert make_profile(text) == make_profile(re.sub("[\ud800-\udfff]", "\ufffd", paired).encode())


@given(st.one_of(st.binary(), st.text(st.characters()), st.text(alphabet='{}[],:"\\ \n\ud800é<htmlFrom Subject:')))
def test_any_input_gives_one_consistent_profile(data: str | bytes) -> None:
    profile = make_profile(data)
    again = make_profile(bytes(bytearray(data)) if isinstance(data, bytes) else data)
    assert profile == again
    assert (profile.input_type == "empty") == (profile.size == 0)


@pytest.mark.parametrize("bad", [{"a": 1}, ["a"], None, 7, bytearray(b"x")])
def test_other_inputs_are_refused_with_what_is_accepted(bad: object) -> None:
    with pytest.raises(TypeError, match=f"str or bytes, got {type(bad).__name__}; .*json.dumps"):
        make_profile(bad)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        {"size": -1},
        {"density": -0.1},
        {"density": 1.1},
        {"density": float("nan")},
        {"content_hash": EMPTY_HASH.upper()},
        {"content_hash": EMPTY_HASH[:-1]},
        {"content_hash": EMPTY_HASH + "\n"},
        {"input_type": "spreadsheet"},
    ],
)
def test_impossible_profiles_are_refused(change: dict[str, object]) -> None:
    fields = {"input_type": "text", "size": 1, "content_hash": EMPTY_HASH, "density": 0.5, "is_empty": False}
    with pytest.raises(ValueError):
        InputProfile(**{**fields, **change})  # type: ignore[arg-type]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)
json_documents = st.builds(
    json.dumps,
    st.lists(json_values, max_size=4) | st.dictionaries(st.text(max_size=4), json_values, max_size=4),
    ensure_ascii=st.booleans(),
    indent=st.none() | st.just(1),
)


@given(json_documents)
def test_every_cut_of_a_json_document_is_open(text: str) -> None:
    assert [json_state(text[:cut]) for cut in range(len(text))] == ["open"] * len(text)
    assert json_state(text) == "complete"


def loads(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except ValueError:
        return False


@given(json_documents, st.randoms(use_true_random=False), st.text(alphabet='{}[]:,"\\u0d1.eE+-tnN \n\x00é', max_size=3))
def test_damaged_documents_are_complete_only_if_python_reads_them(text: str, rng: random.Random, noise: str) -> None:
    at, drop = rng.randint(0, len(text)), rng.randint(0, 2)
    damaged = text[:at] + noise + text[at + drop :]
    assert (json_state(damaged) == "complete") == loads(damaged)


@pytest.mark.parametrize(
    "text",
    [
        *("]", "{]", "[,", "[1,]", '{"a"}', "{1", '{"a":1,}', '{"a":1 "b"', "[]]", "[] 1"),
        *("[01", "[1.e", "[--", "[tru,", "[nul1", "[é", '["\\x', '["\\u00g', '["\n', "1", '"a"'),
    ],
)
def test_what_no_continuation_can_save(text: str) -> None:
    assert json_state(text) == "invalid"


@pytest.mark.parametrize("unit", ["[", '{"a":', '["\\', "[1,", " ", '["' + "a" * 9, "[-"])
def test_json_state_is_linear_on_hostile_text(unit: str) -> None:
    assert json_state(unit * 100_000) in ("open", "invalid")


@pytest.mark.parametrize("unit", ["Total: 12.50 EUR\n", "Müller zahlt 12,50 € 😀\n", " "])
def test_memory_stays_within_three_times_the_input(unit: str) -> None:
    data = (unit.encode() * 2_000_000)[:4_000_000]
    tracemalloc.start()
    make_profile(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(data) + peak <= 3 * len(data)
