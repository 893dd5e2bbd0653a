"""Claims: how well a name on the page fits what a field asks for, and why. No other place says what a label means."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from paxman.classes import record
from paxman.finding.wanted import Asked, Wanted
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon, Token

_HEAD_WEIGHT, _SMALL_WEIGHT = 0.4, 0.3
_IN_SECTION = 0.95
_JOINED = 0.97
_SHORTENED, _SLIPPED = 0.9, 0.85
_STEM, _LONG = 3, 6
_MOST_WORDS = 24
_UNOWNED = 0.7
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


def _squeezed(wanted: Wanted) -> Iterable[tuple[str, Asked]]:
    for asked in wanted.phrases:
        if asked.source in ("name", "label"):
            yield "".join(fold_words(asked.text)), asked


class Vocabulary:
    """The words that a contract asks with, so that abbreviations and misread letters of a page find them."""

    def __init__(self, keys: Iterable[str], wanted: Sequence[Wanted]) -> None:
        self._keys = frozenset(keys)
        plain = sorted(key for key in self._keys if ":" not in key)
        self._starts: dict[str, list[str]] = {}
        self._slips: dict[str, str] = {}
        for word in plain:
            self._starts.setdefault(word[:_STEM], []).append(word)
            if len(word) >= _LONG:
                for cut in (word, *_deletions(word)):
                    self._slips.setdefault(cut, word)
        self.joined: dict[str, list[tuple[int, Asked]]] = {}
        for field, each in enumerate(wanted):
            for text, asked in _squeezed(each):
                self.joined.setdefault(text, []).append((field, asked))

    def resolve(self, tokens: Sequence[Token]) -> tuple[tuple[Token, ...], float]:
        """The words of a name as the contract writes them, and how much that takes from their fit."""
        found, factor = [], 1.0
        for token in tokens:
            word = None if token.concept or token.key in self._keys else self._near(token.word)
            found.append(Token(word[0]) if word else token)
            factor *= word[1] if word else 1.0
        return tuple(found), factor

    def _near(self, word: str) -> tuple[str, float] | None:
        if len(word) >= _STEM:
            for other in self._starts.get(word[:_STEM], ()):
                if word.startswith(other) or other.startswith(word):
                    return other, _SHORTENED
        if len(word) >= _LONG:
            for cut in (word, *_deletions(word)):
                if cut in self._slips:
                    return self._slips[cut], _SLIPPED
        return None


def _deletions(word: str) -> Iterable[str]:
    return (word[:at] + word[at + 1 :] for at in range(1, len(word)))


class Claims:
    """Fits of names to the fields of one contract; each distinct wording is judged once."""

    def __init__(self, wanted: Sequence[Wanted], lexicon: Lexicon) -> None:
        self.wanted, self.lexicon = wanted, lexicon
        self._index: dict[str, list[tuple[int, int]]] = {}
        for field, each in enumerate(wanted):
            for number, asked in enumerate(each.phrases):
                for key in {token.key for token in asked.tokens}:
                    self._index.setdefault(key, []).append((field, number))
        self._vocabulary = Vocabulary(self._index, wanted)
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
        tokens, slips = self._vocabulary.resolve(self.lexicon.parse(text))
        if not tokens or len(tokens) > _MOST_WORDS:
            return {}
        best: dict[int, Claim] = {}
        own = {token.key for token in tokens}
        for field, number in self._sharing(tokens):
            wanted = self.wanted[field]
            asked = wanted.phrases[number]
            fit = fit_of(asked, tokens, wanted) * slips
            if fit >= FLOOR and (field not in best or fit > best[field].fit):
                best[field] = Claim(fit, asked, _reason(text, asked, own))
        squeezed = "".join(token.word for token in tokens).replace(" ", "")
        for field, asked in self._vocabulary.joined.get(squeezed, ()):
            if field not in best or best[field].fit < asked.weight:
                best[field] = Claim(asked.weight * _JOINED, asked, f"{text!r} is {asked.text!r} written as one")
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
        return asked.weight if _says_same(asked, name) else 0.0
    shared = mine.keys() & theirs.keys()
    if not shared or _contradicts(asked.tokens, name, wanted):
        return 0.0
    if tuple(theirs) in wanted.denied:
        return 0.0
    if all(_is_head(mine[key]) for key in shared) and not all(map(_is_head, (*asked.tokens, *name))):
        return 0.0  # "Record date" is no plain date, nor a plain "Date" that of the record.
    has = sum(_weight(mine[key]) for key in shared)
    covered = has / sum(map(_weight, mine.values()))
    said = has / sum(map(_weight, theirs.values()))
    owned = _UNOWNED if _members(asked.tokens, "owner") and not _members(name, "owner") else 1.0
    return asked.weight * covered * math.sqrt(said) * owned


def _says_same(asked: Asked, name: Sequence[Token]) -> bool:
    """Whether equal words mean the same: of a trade's head noun alone ("object"), only that very word does."""
    if asked.source in ("name", "label") or not all(map(_is_head, asked.tokens)):
        return True
    return [token.word for token in asked.tokens] == [token.word for token in name]


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
    return token.small or (token.concept is not None and token.concept.kind == "head")


def _weight(token: Token) -> float:
    if token.small:
        return _SMALL_WEIGHT
    return _HEAD_WEIGHT if token.concept and token.concept.kind == "head" else 1.0


def _reason(text: str, asked: Asked, own: set[str]) -> str:
    mine = {token.key for token in asked.tokens}
    missing, extra = len(mine - own), len(own - mine)
    if not missing and not extra:
        return f"{text!r} says {asked.text!r}"
    parts = ["all words" if not missing else f"all but {missing} of the words", f"of {asked.text!r}"]
    return f"{text!r} has {' '.join(parts)}" + (f" and {extra} more" if extra else "")
