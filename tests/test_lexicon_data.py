"""The files in `lexicon/data` have known keys and languages, and a wording is firm under one term of a domain."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import paxman
from paxman.finding.clauses import CHECKS

DATA = Path(paxman.__file__).parent / "lexicon" / "data"
TERMS = sorted((DATA / "terms").glob("*.toml"))
WEIGHED = DATA / "clauses" / "weighed.toml"
CLAUSES = sorted(set((DATA / "clauses").glob("*.toml")) - {WEIGHED})
PARTS = frozenset("lead stop undo heading greeting roles shared former forms papers".split())
LANGUAGES = frozenset(
    "en de fr es it pt nl pl sv da nb fi cs sk hu ro el tr ru uk hr sl bg et lv lt "
    "id ms vi th ja zh ko ar he hi".split()
)
KINDS = frozenset(
    "number date period money rate count name person company address place text code choice contact url time".split()
)


def load(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def by_stem(path: Path) -> str:
    return path.stem


def fold(wording: str) -> str:
    return " ".join(re.findall(r"[\w#%&/]+", unicodedata.normalize("NFKC", wording).casefold()))


def wordings(part: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every language and wording of a term, firm ones first."""
    for words in (part, part.get("loose", {})):
        for language in LANGUAGES & words.keys():
            yield from ((language, wording) for wording in words[language])


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


def is_words_by_language(words: Any) -> bool:
    return (
        isinstance(words, dict)
        and bool(words)
        and words.keys() <= LANGUAGES
        and all(isinstance(each, list) and each and len(each) == len(set(each)) for each in words.values())
    )


@pytest.mark.parametrize("path", sorted(DATA.rglob("*.toml")), ids=by_stem)
def test_strings_are_trimmed_composed_and_without_colon(path: Path) -> None:
    wrong = [
        text
        for text in strings(load(path))
        if text != unicodedata.normalize("NFC", text.strip()) or not text or text.endswith((":", "："))
    ]
    assert wrong == []


@pytest.mark.parametrize("path", TERMS, ids=by_stem)
def test_a_domain_has_known_keys_kinds_and_languages(path: Path) -> None:
    domain = load(path)
    assert domain.keys() <= {"domain", "signs", "terms", "columns"}
    assert domain["domain"] == path.stem
    assert domain["signs"] == [sign.lower() for sign in dict.fromkeys(domain["signs"])]
    assert bool(domain["signs"]) == (path.stem != "general")
    for part in ("terms", "columns"):
        for key, term in domain.get(part, {}).items():
            assert re.fullmatch(r"[a-z][a-z0-9_]*", key), key
            assert term.keys() <= {"kind", "names", "loose"} | LANGUAGES, key
            assert term["kind"] in KINDS, key
            assert all(re.fullmatch(r"[a-z][a-z0-9_]*", name) for name in term.get("names", [])), key
            assert key not in term.get("names", []), key
            assert "loose" not in term or is_words_by_language(term["loose"]), key
            assert list(wordings(term)), key


@pytest.mark.parametrize("path", TERMS, ids=by_stem)
@pytest.mark.parametrize("part", ["terms", "columns"])
def test_a_wording_is_firm_under_one_term_of_a_domain(path: Path, part: str) -> None:
    owner: dict[str, str] = {}
    twice = []
    for key, term in load(path).get(part, {}).items():
        firm = {fold(wording) for language in LANGUAGES & term.keys() for wording in term[language]}
        twice += [(wording, owner[wording], key) for wording in firm if owner.setdefault(wording, key) != key]
    assert twice == []


@pytest.mark.parametrize("path", TERMS, ids=by_stem)
def test_no_language_of_a_term_repeats_a_wording(path: Path) -> None:
    domain = load(path)
    for part in ("terms", "columns"):
        for key, term in domain.get(part, {}).items():
            each = list(wordings(term))
            assert len(each) == len(set(each)), (key, sorted(w for w in each if each.count(w) > 1))


def test_domains_of_the_trades_are_there() -> None:
    asked = (
        "invoices receipts agreements insurance banking payroll tax transport travel health courts filings people "
        "companies products networks property energy education events science permits customs general"
    )
    assert set(asked.split()) <= {path.stem for path in TERMS}


def test_heads_and_stop_words_are_words_by_language() -> None:
    words = load(DATA / "words.toml")
    assert words.keys() == {"heads", "stop"}
    assert all(is_words_by_language(head) for head in words["heads"].values())
    assert is_words_by_language(words["stop"])


def test_members_of_opposites_share_no_word_of_a_language() -> None:
    shared = []
    for group in load(DATA / "qualifiers.toml")["opposites"]:
        assert group.keys() == {"group", "members"}
        assert len(group["members"]) > 1
        seen: dict[tuple[str, str], str] = {}
        for member, words in group["members"].items():
            assert is_words_by_language(words), member
            for pair in wordings(words):
                if seen.setdefault(pair, member) != member:
                    shared.append((group["group"], *pair, seen[pair], member))
    assert shared == []


def test_groups_of_owners_name_known_roles() -> None:
    owners = load(DATA / "owners.toml")
    assert owners.keys() == {"groups", "of_sides", "owners", "stand_ins"}
    assert all(is_words_by_language(role) for role in owners["owners"].values())
    said = (*owners["groups"], owners["of_sides"].values(), owners["stand_ins"], *owners["stand_ins"].values())
    assert {role for group in said for role in group} <= owners["owners"].keys()


@pytest.mark.parametrize("path", CLAUSES, ids=by_stem)
def test_a_clause_leads_to_a_field_that_some_term_is(path: Path) -> None:
    fields = {key for domain in TERMS for key in load(domain)["terms"]}
    content = load(path)
    assert content.keys() == {"clause"}
    for clause in content["clause"]:
        assert clause.keys() <= {"field", "value"} | PARTS, clause["field"]
        assert clause["field"] in fields, clause["field"]
        assert clause["value"] in KINDS, clause["field"]
        for part in clause.keys() & PARTS:
            assert is_words_by_language(clause[part]), (clause["field"], part)
        assert "en" in clause["lead"], clause["field"]


def test_a_weighed_clause_has_signs_with_a_place_and_a_weight() -> None:
    fields = {key for domain in TERMS for key in load(domain)["terms"]}
    for clause in load(WEIGHED)["clause"]:
        assert clause.keys() <= {"field", "also", "value", "links", "papers", "verbs", "signs"}, clause["field"]
        assert clause["field"] in fields, clause["field"]
        assert is_words_by_language(clause["links"]), clause["field"]
        for name, sign in clause["signs"].items():
            assert {"where", "weight"} <= sign.keys() <= {"where", "weight", "words", "bare"}, name
            assert sign["where"] in CHECKS, name
            assert "words" not in sign or is_words_by_language(sign["words"]), name


def test_one_file_has_one_clause_for_a_field() -> None:
    for path in CLAUSES:
        fields = [clause["field"] for clause in load(path)["clause"]]
        assert len(fields) == len(set(fields)), path.stem


def test_clauses_of_the_usual_papers_are_there() -> None:
    assert {path.stem for path in CLAUSES} == set("agreements payments letters filings medical notices".split())


def test_a_phrase_that_is_no_value_stands_in_one_table() -> None:
    phrases = load(DATA / "phrases.toml")
    assert phrases.keys() == {"not_values", "alone"}
    assert all(map(is_words_by_language, phrases.values()))
    for language, words in phrases["alone"].items():
        assert set(words).isdisjoint(phrases["not_values"].get(language, ())), language
