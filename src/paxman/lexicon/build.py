"""Makes what is loaded at run time from the TOML files: `python -m paxman.lexicon.build`, or `make lexicon`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from paxman.lexicon.files import read_all
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon

BUILT = Path(__file__).parent / "built"
_SHORTEST_FOREIGN = 4
_SHARED = (
    "accounts",
    "addresses",
    "alone",
    "clauses",
    "columns",
    "groups",
    "hedges",
    "issuers",
    "links",
    "not_values",
    "of_sides",
    "over_doors",
    "papers",
    "row_words",
    "stand_ins",
    "sums",
    "titles",
    "units",
)

Entry = Mapping[str, Iterable[str]]
Concept = tuple[tuple[str, ...], str, str, tuple[str, ...], bool]


def build(data: Mapping[str, Any]) -> dict[str, Any]:
    """Everything the lexicon needs: what all trades share, and for each trade its terms by their words."""
    stops = _stops(data)
    shared = {key: data[key] for key in _SHARED if key in data}
    signs = {name: sorted({w for sign in found for w in fold_words(sign)}) for name, found in data["signs"].items()}
    shared |= {"signs": signs, "stops": sorted(stops), "concepts": list(_all_concepts(data, stops))}
    lexicon = Lexicon(shared, lambda domain: {})
    trades = {domain: {"terms": terms, "index": _index(terms, lexicon)} for domain, terms in data["terms"].items()}
    return {"shared": shared, "trades": trades}


def _index(terms: Mapping[str, Any], lexicon: Lexicon) -> dict[str, dict[str, bool]]:
    """Names of terms by the words of each wording, with whether the wording is a sure one."""
    found: dict[str, dict[str, bool]] = {}
    for name, entry in terms.items():
        term = lexicon.make_term("", name, entry)
        for texts, sure in ((term.wordings, True), (term.loose, False)):
            for text in texts:
                known = found.setdefault(" ".join(lexicon.key_of(text)), {})
                known[name] = known.get(name, False) or sure
    return {words: found[words] for words in sorted(found) if words}


def _stops(data: Mapping[str, Any]) -> frozenset[str]:
    """Words that carry no meaning in a label; a foreign one that means something in English labels is none."""
    terms = (entry for terms in data["terms"].values() for entry in terms.values())
    telling = {word for entry in terms for text in entry.get("en", ()) for word in fold_words(text)}
    stops = data.get("stop", {})
    found = {language: {w for text in texts for w in fold_words(text)} for language, texts in stops.items()}
    english = found.pop("en", set())
    return frozenset(english.union(*found.values()) - (telling - english)) if found else frozenset(english)


def _all_concepts(data: Mapping[str, Any], stops: frozenset[str]) -> Iterator[Concept]:
    """Every concept with its words; English goes first, since its short words are others in other languages."""
    for english in (True, False):
        for head, entry in data.get("heads", {}).items():
            plain = data.get("plain", {}).get(head, {})
            yield from _concepts("head", "head", head, _plain(entry, plain), english, True)
            yield from _concepts("head", "head", head, entry, english, False)
        for role, entry in data.get("owners", {}).items():
            for concept in _concepts("owner", "owner", role, entry, english, True):
                if len(concept[0]) > 1 or concept[0][0] not in stops:
                    yield concept
        for group, members in data.get("opposites", {}).items():
            for member, entry in members.items():
                yield from _concepts("side", group, member, entry, english, False)


def _concepts(kind: str, group: str, member: str, entry: Entry, english: bool, plain: bool) -> Iterator[Concept]:
    for language, texts in entry.items():
        if (language == "en") != english:
            continue
        for text in texts:
            words = fold_words(text)
            if words and (english or len(words) > 1 or len(words[0]) >= _SHORTEST_FOREIGN or not words[0].isascii()):
                yield words, kind, group, (member,), plain


def _plain(entry: Entry, plain: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The words of a head that stand for each other, by language: those that are named, or the first."""
    return {language: plain.get(language) or list(texts)[:1] for language, texts in entry.items()}


def files() -> Iterator[tuple[str, str]]:
    """The names and texts of the files to load at run time."""
    made = build(read_all())
    for name, part in [("shared", made["shared"]), *sorted(made["trades"].items())]:
        yield f"{name}.json", json.dumps(part, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n"


def main() -> None:
    BUILT.mkdir(exist_ok=True)
    for name, text in files():
        (BUILT / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
