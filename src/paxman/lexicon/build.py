"""Makes what is loaded at run time from the TOML files: `python -m paxman.lexicon.build`, or `make lexicon`."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from paxman.lexicon.folding import fold, fold_words
from paxman.lexicon.lexicon import COLUMNS, Lexicon, texts_of

DATA = Path(__file__).parent / "data"
BUILT = Path(__file__).parent / "built"
_SHORTEST_FOREIGN = 4
_SHARED = (
    "accounts",
    "addresses",
    "clauses",
    "groups",
    "hedges",
    "issuers",
    "links",
    "of_sides",
    "shop_name_words",
    "per",
    "statements",
    "stand_ins",
    "subjects",
    "titles",
    "units",
)

Entry = Mapping[str, Iterable[str]]
Concept = tuple[tuple[str, ...], str, str, tuple[str, ...], bool]


def read_all(extra: Iterable[str] = ()) -> dict[str, Any]:
    """Everything in the data folder and in the files named, as one mapping."""
    merged: dict[str, Any] = {"signs": {}, "terms": {}, "columns": {}, "clauses": []}
    for path in [*sorted(DATA.rglob("*.toml")), *(Path(name.partition("#sha256:")[0]) for name in extra)]:
        _merge(merged, tomllib.loads(path.read_text(encoding="utf-8")))
    return merged


def _merge(merged: dict[str, Any], found: dict[str, Any]) -> None:
    domain = found.get("domain", "own")
    if "domain" in found or "terms" in found or "columns" in found:
        merged["signs"].setdefault(domain, []).extend(found.get("signs", ()))
        merged["terms"].setdefault(domain, {}).update(found.get("terms", {}))
        merged["columns"].setdefault(domain, {}).update(found.get("columns", {}))
    for key in (
        "heads",
        "stop",
        "owners",
        "not_values",
        "papers",
        "plain",
        "alone",
        "row_words",
        "addresses",
        "sums",
        "hedges",
        "links",
        "accounts",
        "units",
        "of_sides",
        "statements",
        "stand_ins",
    ):
        merged.setdefault(key, {}).update(found.get(key, {}))
    merged.setdefault("groups", []).extend(found.get("groups", ()))
    for key in ("issuers", "shop_name_words", "per", "subjects", "titles"):
        merged.setdefault(key, []).extend(found.get(key, ()))
    merged["clauses"] += found.get("clause", ())
    for number, group in enumerate(found.get("opposites", ())):
        merged.setdefault("opposites", {})[group.get("group", f"group{number}")] = group["members"]


def build(data: Mapping[str, Any]) -> dict[str, Any]:
    """Everything the lexicon needs: what all trades share, and for each trade its terms by their words."""
    stops = _stops(data)
    shared = {key: data[key] for key in _SHARED if key in data}
    signs = {name: sorted({w for sign in found for w in fold_words(sign)}) for name, found in data["signs"].items()}
    shared |= {"signs": signs, "stops": sorted(stops), **_meanings(_all_concepts(data, stops))}
    shared |= {"papers": _joined(data.get("papers", {})), "not_values": _by_first(data), "sums": _sums(data)}
    shared["alone"] = sorted(set(map(fold, texts_of(data.get("alone", ())))))
    lexicon = Lexicon(shared, lambda part: {})
    trades = {domain: {"terms": terms, "index": _index(terms, lexicon)} for domain, terms in data["terms"].items()}
    shared["named"] = _named(data["terms"], lexicon)
    # Columns of tables with their trade, by the words of each wording, and words that begin lines of tables.
    found: dict[str, dict[str, None]] = {}
    for domain, columns in sorted(data.get("columns", {}).items()):
        for name, entry in sorted(columns.items()):
            for text in Lexicon.make_term(domain, name, entry).wordings:
                found.setdefault(" ".join(fold_words(text)), {})[f"{domain}/{name}"] = None
    by_head = {words: list(keys) for words, keys in found.items() if words}
    row_words = {kind: _joined(entry) for kind, entry in data.get("row_words", {}).items()}
    return {
        "shared": shared,
        "parts": {**trades, COLUMNS: {"columns": data.get("columns", {}), "by_head": by_head, "row_words": row_words}},
    }


def _joined(entry: Entry) -> list[str]:
    """The folded words of texts in any language."""
    return sorted({" ".join(fold_words(text)) for text in texts_of(entry)} - {""})


def _by_first(data: Mapping[str, Any]) -> dict[str, list[str]]:
    """Texts that are no values by their first word."""
    found: dict[str, list[str]] = {}
    for phrase in sorted(set(map(fold, texts_of(data.get("not_values", ()))))):
        found.setdefault(phrase.split(" ")[0], []).append(phrase)
    return found


def _sums(data: Mapping[str, Any]) -> dict[str, Any]:
    """What labels of amounts mean, with the terms that play a part in sums by their words written as one."""
    sums: dict[str, Any] = data.get("sums", {})
    known = {term for terms in sums.get("roles", {}).values() for term in terms}
    entries = [entry for domain in sums.get("domains", ()) for entry in sorted(data["terms"].get(domain, {}).items())]
    terms = [Lexicon.make_term("", name, entry) for name, entry in entries if name in known]
    found: dict[str, str] = {}
    for wordings in ("wordings", "loose"):
        for term in terms:
            for text in getattr(term, wordings):
                found.setdefault("".join(fold_words(text)), term.name)
    return {**sums, "by_words": found}


def _named(trades: Mapping[str, Mapping[str, Any]], lexicon: Lexicon) -> dict[str, list[str]]:
    """The trades that have a term of a name, by the words of the name."""
    found: dict[str, set[str]] = {}
    for domain, terms in trades.items():
        for name, entry in terms.items():
            for text in lexicon.make_term(domain, name, entry).names:
                found.setdefault(" ".join(lexicon.key_of(text)), set()).add(domain)
    return {words: sorted(domains) for words, domains in found.items() if words}


def _meanings(concepts: Iterable[Concept]) -> dict[str, Any]:
    """Concepts by number, the numbers of those that words have by the first of the words, longer ones first.

    A word for several owners may be any of them.
    """
    index: dict[str, dict[tuple[str, ...], tuple[Any, ...]]] = {}
    heads: set[str] = set()
    for words, kind, group, members, plain in concepts:
        known = index.setdefault(words[0], {}).setdefault(words, (kind, group, members, plain))
        if known[0] == kind == "owner" and not set(members) <= set(known[2]):
            index[words[0]][words] = ("owner", "owner", known[2] + members, False)
        heads.update(words if kind == "head" and len(words) == 1 else ())
    numbers: dict[tuple[Any, ...], int] = {}
    words_of = {
        first: [
            (" ".join(words), numbers.setdefault(concept, len(numbers)))
            for words, concept in sorted(found.items(), key=lambda item: -len(item[0]))
        ]
        for first, found in index.items()
    }
    return {"concepts": list(numbers), "words": words_of, "heads": sorted(heads)}


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
            # The words of a head that stand for each other, by language: those that are named, or the first.
            yield from _concepts(
                "head",
                "head",
                head,
                {language: plain.get(language) or list(texts)[:1] for language, texts in entry.items()},
                english,
                True,
            )
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


def files() -> Iterator[tuple[str, str]]:
    """The names and texts of the files to load at run time."""
    made = build(read_all())
    for name, part in [("shared", made["shared"]), *sorted(made["parts"].items())]:
        yield f"{name}.json", json.dumps(part, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n"


def main() -> None:
    BUILT.mkdir(exist_ok=True)
    for name, text in files():
        (BUILT / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
