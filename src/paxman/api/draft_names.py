"""What business papers call things: the names that drafted fields get, and which labels are worth a field."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from paxman.api.draft_payloads import name_of
from paxman.currencies import MINOR_UNITS
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Term, load
from paxman.recognizers.tables import words

_TYPES = {
    "money": ("MONEY", "DECIMAL", "INTEGER"),
    "date": ("DATE", "DATETIME"),
    "count": ("INTEGER", "DECIMAL"),
    "rate": ("DECIMAL", "STRING", "INTEGER"),
}
"""Types that a field of a term's kind may have; all other kinds are text."""
_FEW = 2
"""Terms of one trade that a page must have to be of that trade."""


@cache
def _usual() -> Mapping[str, Sequence[str]]:
    found: Mapping[str, Sequence[str]] = tomllib.loads(
        (Path(__file__).parent / "data" / "usual_fields.toml").read_text("utf-8")
    )["usual"]
    return found


def usual_fields(fields: Sequence[dict[str, Any]], title: str) -> list[dict[str, Any]]:
    """What papers of the same trade have beside these fields; a page without labels is of the trade of its title."""
    known, said = {field["name"] for field in fields}, {*fold_words(title)}
    trades = _trades(fields) or {trade for trade in _usual() if not said.isdisjoint(load().domains[trade])}
    names = {name: trade for trade in sorted(trades) for name in _usual().get(trade, ()) if name not in known}
    terms = ((name, load().terms_of(trade)[name]) for name, trade in names.items())
    return [{"name": name, "type": _TYPES.get(term.kind, ("STRING",))[0], "required": True} for name, term in terms]


@cache
def _wordings() -> Mapping[tuple[str, ...], tuple[Term, ...]]:
    """The terms by what papers print for them, word for word."""
    found: dict[tuple[str, ...], list[Term]] = {}
    lexicon = load()
    for term in (term for domain in lexicon.domains for term in lexicon.terms_of(domain).values()):
        for wording in term.wordings:
            terms = found.setdefault(fold_words(wording), [])
            if term not in terms:
                terms.append(term)
    return {wording: tuple(terms) for wording, terms in found.items()}


def is_known(label: str) -> bool:
    """Whether a label is one that some trade uses."""
    return fold_words(label) in _wordings()


def usual_type(label: str) -> str:
    """The type of what trades call so; text where they differ."""
    kinds = {_TYPES.get(term.kind, ("STRING",))[0] for term in _wordings().get(fold_words(label), ())}
    return kinds.pop() if len(kinds) == 1 else "STRING"


def is_heading(label: str) -> bool:
    """Whether a text divides a document: "Article 5", "Exhibit A"."""
    said = fold_words(label)
    return len(said) > 1 and said[0] in words("division")


def _says_nothing(label: str) -> bool:
    """Whether a label has but words that every paper has, such as "from" or "date"."""
    tokens = load().parse(label)
    return all(token.concept is not None and token.concept.group in ("head", "start_end") for token in tokens)


def with_business_names(fields: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The fields under the names of their trade, where it has one; what the page says stays as the label."""
    trades = _trades(fields)
    renamed = [{**field, "name": _business_name(field, trades)} for field in fields]
    counts = Counter(field["name"] for field in renamed)
    return [_labelled(new, old) if counts[new["name"]] == 1 else old for new, old in zip(renamed, fields, strict=True)]


def _labelled(field: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    labels = before.get("labels", [before["name"].replace("_", " ")])
    return field if field["name"] == before["name"] else {**field, "labels": labels}


def _trades(fields: Iterable[dict[str, Any]]) -> frozenset[str]:
    """The trade whose words a page uses most."""
    said = {fold_words(_label(field)) for field in fields}
    counts = Counter(term.domain for label in said for term in _wordings().get(label, ()))
    most = max(counts.values(), default=0)
    return frozenset(trade for trade, count in counts.items() if count == most and count >= _FEW)


def _label(field: Mapping[str, Any]) -> str:
    """What the page calls a field, without the currency: "Total EUR" is the total."""
    said = str(field.get("labels", [field["name"]])[0])
    return " ".join(word for word in said.split() if word not in MINOR_UNITS) or said


def _business_name(field: Mapping[str, Any], trades: frozenset[str]) -> str:
    own = str(field["name"])
    own = own if _label(field) in (own, *field.get("labels", ())) else name_of(_label(field))
    terms = [term for term in _wordings().get(fold_words(_label(field)), ()) if _is_of_type(term, field["type"])]
    names = {term.name for term in terms if term.domain in trades}
    return names.pop() if len(names) == 1 and not _says_nothing(_label(field)) else own


def is_person(field: Mapping[str, Any]) -> bool:
    """Whether a field has the name that its trade has for a person."""
    terms = _wordings().get(fold_words(_label(field)), ())
    return any((term.name, term.kind) == (field["name"], "person") for term in terms)


def _is_of_type(term: Term, kind: str) -> bool:
    return kind in _TYPES.get(term.kind, ("STRING",))
