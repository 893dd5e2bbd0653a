"""Clauses: sentences that say a value, weighed by the words around it as the records of the lexicon say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import attrs

from paxman.classes import record
from paxman.finding.claims import Claim, Claims
from paxman.finding.features import Signs
from paxman.finding.ties import Find
from paxman.finding.wanted import Asked, Wanted
from paxman.lazy import lazy_pattern
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon, texts_of
from paxman.page.names import Page
from paxman.page.places import Place
from paxman.recognizers import Conventions, Reading, find, read_value
from paxman.recognizers.calendar.anniversaries import find_anniversaries
from paxman.recognizers.places import read_nation
from paxman.transforms import fold
from paxman.types import FieldType, Span

_BEFORE, _NEAR, _AFTER, _OVER = 320, 160, 130, 220
_TOP, _TITLE, _END = 3500, 700, 3000
_MOST_LINKS = 12
_TELLING = 0.3
_ANCHORS = {"lead": (0, 160), "behind": (80, 0), "before": (0, 320), "over": (0, 240)}
"""Where a sign's words stand to a value, and how far around them it is sought."""
# On a page that is set wide blank lines stand within sentences too, which then go on small.
_SENTENCE = lazy_pattern(r"[.;]\s*\n|[.;]\s+(?=[A-Z][a-z])|\n\s*\n(?!\s*(?:[a-z]|\d+ [a-z]|\Z))")
_BRACKETS = lazy_pattern(r"\([^()]*\)")
_HEADING = lazy_pattern(
    r"(?:\A|\n|\d[.)]|[.;:]-?\s)\s*(?:\(?\w{1,3}[.)]\s*|(?:§|art\w{0,5}\.?)\s?\d{1,3}\W{1,4})?"
    r"([^\W\d_][^\W\d_ ]*(?: [^\W\d_]+){0,4})(?=[.:\n])",
    re.IGNORECASE,
)
_LONGER_WORD = lazy_pattern(r"\b[^\W\d_]{4,18}\b")
_BRIEF = lazy_pattern("second|minute")


@record
class ClauseSign:
    """Words, or a place, that speak for or against a value: where they stand to it, and how much they count."""

    name: str
    where: str
    weight: float
    phrases: tuple[str, ...]
    bare: bool = False
    """Whether its words as a name do not tell whose the value is, so that a label of them is weighed as well."""


@record
class Clause:
    """How sentences say the value of a field: its kind, the signs around it, words that may stand between."""

    field: int
    value: str
    signs: tuple[ClauseSign, ...]
    links: frozenset[str]
    papers: frozenset[str]
    verbs: frozenset[str]


def is_weighed(clause: Mapping[str, Any]) -> bool:
    return "signs" in clause


def clauses_of(claims: Claims) -> tuple[Clause, ...]:
    """The weighed clauses of the scalar fields of a contract."""
    return tuple(
        _clause(number, clause, claims.lexicon)
        for number, wanted in enumerate(claims.wanted)
        for clause in clauses_for(wanted, claims.lexicon)
        if is_weighed(clause)
    )


def clauses_for(wanted: Wanted, lexicon: Lexicon) -> Iterator[Mapping[str, Any]]:
    """The records of the lexicon for a field, by its own name, with and without its unit, or that of its term."""
    names = {wanted.field.name, *((wanted.term.name,) if wanted.term else ())}
    names |= {wanted.field.name.removesuffix(f"_{wanted.unit}")}
    return (clause for clause in lexicon.clauses if not names.isdisjoint((clause["field"], *clause.get("also", ()))))


def _clause(number: int, entry: Mapping[str, Any], lexicon: Lexicon) -> Clause:
    signs = tuple(
        ClauseSign(
            name,
            sign["where"],
            sign["weight"],
            tuple(map(_folded, texts_of(sign.get("words", ())))),
            sign.get("bare", False),
        )
        for name, sign in entry["signs"].items()
    )
    links = lexicon.stops.union(*map(fold_words, texts_of(entry.get("links", ()))))
    papers, verbs = (frozenset(texts_of(entry.get(key, ()))) for key in ("papers", "verbs"))
    return Clause(number, entry["value"], signs, links, papers, verbs)


def _folded(text: str) -> str:
    return " ".join(fold_words(text)) + "*" * text.endswith("*")


def without_clause_rivals(finds: Iterable[Find], clauses: Iterable[Clause]) -> Iterator[Find]:
    """Finds without those by names that a clause of the field weighs: "Dated:" above a signature."""
    bare = {(clause.field, text) for clause in clauses for sign in clause.signs if sign.bare for text in sign.phrases}
    return (f for f in finds if not bare or not f.name or (f.field, " ".join(fold_words(f.name.text))) not in bare)


def clause_finds(page: Page, claims: Claims, clauses: Iterable[Clause], how: Conventions) -> Iterator[Find]:
    """Values that the sentences around them say, each with the signs that speak for it."""
    for clause in clauses:
        wanted = claims.wanted[clause.field]
        for mention in _mentions(page, clause, how):
            around = Around(page, (mention.start, mention.end), clause)
            parts = tuple((sign.name, sign.weight) for sign in clause.signs if around.has(sign))
            score = sum(weight for _, weight in parts)
            reading = _read(page, mention, wanted, how) if score > 0 else None
            if reading:
                yield _made(clause, reading, Signs(parts, score), wanted)


def _read(page: Page, mention: Reading, wanted: Wanted, how: Conventions) -> Reading | None:
    if wanted.field.type is FieldType.STRING and isinstance(mention.value, str):
        return mention
    reading = read_value(page.text[mention.start : mention.end], wanted.field, how)
    return reading and reading.shifted(mention.start)


def _made(clause: Clause, reading: Reading, signs: Signs, wanted: Wanted) -> Find:
    fit = min(1.0, signs.score)
    said = ", ".join(name for name, weight in signs.parts if weight > 0)
    claim = Claim(fit, Asked((), fit, wanted.field.words, "sentence"), f"its sentence says: {said}")
    span = (reading.start, reading.end)
    return Find(clause.field, claim, Place("inline", span, span), signs, None, reading)


def _mentions(page: Page, clause: Clause, how: Conventions) -> Iterator[Reading]:
    """Values of the clause's kind near the words of its signs."""
    for start, end in _merged(sorted(_windows(page, clause))):
        for reading in _find(clause.value, page.text[start:end], how):
            yield reading.shifted(start)


def _merged(windows: Iterable[Span]) -> list[Span]:
    """Windows of which none overlaps another."""
    found: list[Span] = []
    for start, end in windows:
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _windows(page: Page, clause: Clause) -> Iterator[Span]:
    for sign in clause.signs:
        if sign.where in ("alone", "title") and sign.weight > 0:
            yield 0, _TOP // 2
        back, ahead = _ANCHORS.get(sign.where, (0, 0))
        if sign.weight < _TELLING or not back + ahead:
            continue  # Without any other sign it would not be enough.
        for phrase in sign.phrases:
            for start, end in page.words.find(phrase):
                yield max(0, start - back), end + ahead


def _find(kind: str, text: str, how: Conventions) -> list[Reading]:
    if kind == "duration":
        both = (*find("duration", text, how), *find_anniversaries(text, how))
        return sorted((r for r in both if not _BRIEF.search(str(r.value))), key=lambda reading: reading.start)
    if kind == "region":
        # States and countries, on one line and without the stop of their sentence; nations by their adjectives.
        named = [_plain(text, region) for region in find("region", text, how)]
        nations = (read_nation(text, *word.span()) for word in _LONGER_WORD.finditer(text))
        known = {region.start for region in named}
        return sorted((*named, *(n for n in nations if n and n.start not in known)), key=lambda reading: reading.start)
    return find(kind, text, how)


def _plain(text: str, region: Reading) -> Reading:
    end = region.end - (text.find(".", region.start, region.end) == region.end - 1)
    name = text[region.start : end]
    return attrs.evolve(region, end=end, value=fold(name), transforms=("fold",) if fold(name) != name else ())


class Around:
    """What stands around a value: the folded words of its sentence before and behind it, and the heading over it."""

    def __init__(self, page: Page, span: Span, clause: Clause) -> None:
        self.page, self.span, self.clause = page, span, clause

    def has(self, sign: ClauseSign) -> bool:
        """Whether a sign stands where it should."""
        return CHECKS[sign.where](self, sign)

    @cached_property
    def before(self) -> str:
        text = self.page.text[max(0, self.span[0] - _BEFORE) : self.span[0]]
        return _words(_BRACKETS.sub(" ", _SENTENCE.split(text)[-1]))

    @cached_property
    def after(self) -> str:
        text = self.page.text[self.span[1] : self.span[1] + _AFTER]
        return _words(_SENTENCE.split(text, 1)[0])

    @cached_property
    def leads(self) -> tuple[str, ...]:
        """The words before the value, as they are and without one small word after the other."""
        words = self.before.split()
        found = [self.before]
        while words and len(found) <= _MOST_LINKS and words[-1] in self.clause.links:
            words.pop()
            found.append(f" {' '.join(words)} ")
        return tuple(found)

    @cached_property
    def follows(self) -> tuple[str, ...]:
        words = self.after.split()
        found = [self.after]
        while words and len(found) <= _MOST_LINKS and words[0] in self.clause.links:
            words.pop(0)
            found.append(f" {' '.join(words)} ")
        return tuple(found)

    @cached_property
    def heading(self) -> str:
        text = self.page.text[max(0, self.span[0] - _OVER) : self.span[0]]
        found = list(_HEADING.finditer(text))
        return _words(found[-1][1]) if found else ""

    @cached_property
    def is_alone(self) -> bool:
        line = self.page.lines[self.page.lines.at(self.span[0])]
        return not self.page.text[line.start : self.span[0]].strip() and not (
            self.page.text[self.span[1] : line.end].strip(" .,")
        )

    @cached_property
    def is_addressed(self) -> bool:
        """Whether an address stands above it on the first page, as over a letter."""
        return self.span[0] < _TOP and bool(find("postal_code", self.page.text[: self.span[0]]))

    @cached_property
    def determiner(self) -> str:
        """The word that says which paper is dated: the one named last, or that of which the sentence goes on."""
        words = [] if self.is_alone else self.before.split()
        known = {word for sign in self.clause.signs if sign.where == "which" for word in sign.phrases}
        papers = [at for at, word in enumerate(words) if word in self.clause.papers]
        if not papers:
            return ""
        if not self.clause.verbs.isdisjoint(words[papers[-1] :]):
            return next((word for word in words if word in known), "")
        return next((word for word in reversed(words[max(0, papers[-1] - 8) : papers[-1]]) if word in known), "")


def _words(text: str) -> str:
    return f" {' '.join(fold_words(text))} "


def _among(text: str, phrases: Iterable[str]) -> bool:
    return any((f" {p[:-1]}" if p[-1] == "*" else f" {p} ") in text for p in phrases)


def _ends(texts: Iterable[str], phrases: tuple[str, ...]) -> bool:
    return any(text.endswith(f" {phrase} ") for text in texts for phrase in phrases)


def _starts(texts: Iterable[str], phrases: tuple[str, ...]) -> bool:
    return any(text.startswith(f" {p[:-1]}" if p[-1] == "*" else f" {p} ") for text in texts for p in phrases)


CHECKS: Mapping[str, Callable[[Around, ClauseSign], bool]] = {
    "lead": lambda around, sign: _ends(around.leads, sign.phrases),
    "behind": lambda around, sign: _starts(around.follows, sign.phrases),
    "before": lambda around, sign: _among(around.before, sign.phrases),
    "near": lambda around, sign: _among(around.before[-_NEAR:], sign.phrases),
    "after": lambda around, sign: _among(around.after, sign.phrases),
    "first": lambda around, sign: not around.before.strip(),
    "over": lambda around, sign: _starts((around.heading,), sign.phrases),
    "which": lambda around, sign: around.determiner in sign.phrases,
    "value": lambda around, sign: _starts((_words(around.page.text[slice(*around.span)]),), sign.phrases),
    "top": lambda around, sign: around.span[0] < _TOP,
    "below": lambda around, sign: around.span[0] >= _TOP,
    "title": lambda around, sign: around.span[0] < _TITLE,
    "end": lambda around, sign: len(around.page.text) - _END < around.span[0] >= _TOP,
    "alone": lambda around, sign: around.is_alone and around.span[0] < _TOP // 2,
    "addressed": lambda around, sign: around.is_alone and around.is_addressed,
}
