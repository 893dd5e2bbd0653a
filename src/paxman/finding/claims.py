"""Claims: how well a name on the page fits what a field asks for, and why. No other place says what a label means."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from paxman.classes import record
from paxman.finding.wanted import Asked, Wanted
from paxman.lexicon.lexicon import Lexicon, Token

_HEAD_WEIGHT = 0.4
_IN_SECTION = 0.95
FLOOR = 0.5
_KIND_HEADS = {
    "date": frozenset({"date", "time", "period"}),
    "period": frozenset({"date", "time", "period"}),
    "number": frozenset({"number", "code"}),
    "money": frozenset({"amount", "total", "rate", "limit", "price", "balance", "count", "value"}),
    "amount": frozenset(
        {"amount", "total", "rate", "limit", "price", "balance", "count", "number", "value", "percent", "period"}
    ),
    "name": frozenset({"name", "title", "signature"}),
    "person": frozenset({"name", "title", "signature"}),
    "company": frozenset({"name", "title"}),
    "address": frozenset({"address", "place"}),
    "place": frozenset({"place", "address", "name", "code"}),
    "contact": frozenset({"phone", "email", "number", "address"}),
    "url": frozenset({"url", "address", "name"}),
}
_STRANGE_TO_TEXT = frozenset({"number", "date", "phone", "email", "url", "amount", "signature"})


@record
class Claim:
    """A name fits a field: how well, by which phrase, and a sentence that says why."""

    fit: float
    asked: Asked
    reason: str


class Claims:
    """Fits of names to the fields of one contract; each distinct wording is judged once."""

    def __init__(self, wanted: Sequence[Wanted], lexicon: Lexicon) -> None:
        self.wanted, self.lexicon = wanted, lexicon
        self._index: dict[str, list[tuple[int, int]]] = {}
        for field, each in enumerate(wanted):
            for number, asked in enumerate(each.phrases):
                for key in {token.key for token in asked.tokens}:
                    self._index.setdefault(key, []).append((field, number))
        self._judged: dict[tuple[str, tuple[str, ...]], Mapping[int, Claim]] = {}

    def of(self, text: str, section: tuple[str, ...] = ()) -> Mapping[int, Claim]:
        """The claims of a name by field; the nearest heading over it may say whose it is."""
        key = (text, section[-2:])
        found = self._judged.get(key)
        if found is None:
            if len(self._judged) > 50_000:
                self._judged.clear()
            found = self._judged[key] = self._judge(text, section[-2:])
        return found

    def _judge(self, text: str, section: tuple[str, ...]) -> dict[int, Claim]:
        tokens = self.lexicon.parse(text)
        if not tokens or len(tokens) > 16:
            return {}
        best: dict[int, Claim] = {}
        own = {token.key for token in tokens}
        for field, number in self._sharing(tokens):
            wanted = self.wanted[field]
            asked = wanted.phrases[number]
            fit = fit_of(asked, tokens, wanted)
            if fit >= FLOOR and (field not in best or fit > best[field].fit):
                best[field] = Claim(fit, asked, _reason(text, asked, own))
        for heading in section:
            self._judge_under(heading, text, tokens, best)
        return best

    def _judge_under(self, heading: str, text: str, tokens: tuple[Token, ...], best: dict[int, Claim]) -> None:
        above = self.lexicon.parse(heading)
        if not above or len(above) > 8:
            return
        for field, number in self._sharing(tokens):
            wanted = self.wanted[field]
            asked = wanted.phrases[number]
            keys = {token.key for token in asked.tokens}
            lent = tuple(
                token for token in above if token.key in keys or (token.concept and token.concept.kind == "owner")
            )
            if not lent or all(token.key in {t.key for t in tokens} for token in lent):
                continue
            fit = fit_of(asked, (*lent, *tokens), wanted) * _IN_SECTION
            if fit >= FLOOR and (field not in best or fit > best[field].fit):
                best[field] = Claim(fit, asked, f"{_reason(text, asked, keys)} below {heading!r}")

    def _sharing(self, tokens: Iterable[Token]) -> Iterable[tuple[int, int]]:
        """Phrases that share a word with a name, heads alone only where the phrase has nothing else."""
        return dict.fromkeys(hit for token in tokens for hit in self._index.get(token.key, ()))


def fit_of(asked: Asked, name: Sequence[Token], wanted: Wanted) -> float:
    """How well the words of a name fit a phrase, from 0 to 1."""
    mine, theirs = {t.key: t for t in asked.tokens}, {t.key: t for t in name}
    if mine.keys() == theirs.keys():
        return asked.weight
    shared = mine.keys() & theirs.keys()
    if not shared or _contradicts(asked.tokens, name, wanted):
        return 0.0
    if tuple(theirs) in wanted.denied:
        return 0.0
    if all(_is_head(mine[key]) for key in shared) and not all(map(_is_head, asked.tokens)):
        return 0.0
    has = sum(_weight(mine[key]) for key in shared)
    covered = has / sum(map(_weight, mine.values()))
    said = has / sum(map(_weight, theirs.values()))
    return asked.weight * covered * math.sqrt(said)


def _contradicts(asked: Sequence[Token], name: Sequence[Token], wanted: Wanted) -> bool:
    """Whether a name speaks of another kind of thing, of somebody else or of the opposite."""
    for kind in ("owner", "head", "side"):
        mine, theirs = _members(asked, kind), _members(name, kind)
        for group in mine.keys() & theirs.keys():
            if mine[group].isdisjoint(theirs[group]):
                return True
    heads = _members(name, "head").get("head", set())
    if heads and not _members(asked, "head"):
        allowed = _KIND_HEADS.get(wanted.kind)
        if allowed is not None and heads.isdisjoint(allowed):
            return True
        if allowed is None and wanted.kind == "text" and heads <= _STRANGE_TO_TEXT:
            return True
    return False


def _members(tokens: Iterable[Token], kind: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for token in tokens:
        if token.concept and token.concept.kind == kind:
            found.setdefault(token.concept.group, set()).add(token.concept.member)
    return found


def _is_head(token: Token) -> bool:
    return token.concept is not None and token.concept.kind == "head"


def _weight(token: Token) -> float:
    return _HEAD_WEIGHT if _is_head(token) else 1.0


def _reason(text: str, asked: Asked, own: set[str]) -> str:
    mine = {token.key for token in asked.tokens}
    missing, extra = len(mine - own), len(own - mine)
    if not missing and not extra:
        return f"{text!r} says {asked.text!r}"
    parts = ["all words" if not missing else f"all but {missing} of the words", f"of {asked.text!r}"]
    return f"{text!r} has {' '.join(parts)}" + (f" and {extra} more" if extra else "")
