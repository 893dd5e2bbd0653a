"""Claims: how well a name on the page fits what a field asks for, and why. No other place says what a label means."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from paxman.classes import record
from paxman.finding.wanted import Asked, Phrase, Wanted
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon, Token

_MOST_HEADING_WORDS = 8
_MOST_JUDGED = 50_000
_IN_SECTION = 0.95
_HEAD_LENT = 0.78
"""How well a plain "Number" fits below a heading that says of what: much else may stand between the two."""
_JOINED = 0.97
_SHORTENED, _SLIPPED = 0.79, 0.75
_STEM, _LONG = 3, 6
_VOWELS = frozenset("aeiouy")
_MOST_WORDS = 24
_UNOWNED = 0.7
_ONE_SIDED = 0.85
_NAME_OF_IT = 0.87
_MIXED = 0.65
_OTHER_END = 0.95
_RECKONED = 0.75
_ALL = 0.94
_OWN_LABEL = 0.95
_FIRST_OF_TWO = 0.95
_IMPLIED = 0.8
_UNBRACKETED = 0.95
_ENDING = frozenset({"number", "date"})
FLOOR = 0.5
_KIND_HEADS = {
    "date": frozenset({"date"}),
    "period": frozenset({"date"}),
    "number": frozenset({"number"}),
    "money": frozenset({"amount", "rate"}),
    "amount": frozenset({"amount", "rate", "number", "date"}),
    "name": frozenset({"name"}),
    "person": frozenset({"name"}),
    "company": frozenset({"name"}),
    "address": frozenset({"place"}),
    "place": frozenset({"place", "name", "number"}),
    "contact": frozenset({"phone", "email", "number", "place"}),
    "url": frozenset({"url", "place", "name"}),
}
"""Head nouns that a label of a value of each kind may have; others speak of something else."""
_STRANGE_TO_TEXT = frozenset({"number", "date", "phone", "email", "url", "amount"})


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


class ContractWords:
    """The words that a contract asks with, so that abbreviations and misread letters of a page find them."""

    def __init__(self, keys: Iterable[str], wanted: Sequence[Wanted]) -> None:
        self._keys = frozenset(keys)
        said = (token for each in wanted for asked in each.phrases for token in asked.tokens)
        words = {token.word: token for token in said if " " not in token.word}
        self._tokens = {
            word: token for word, token in words.items() if token.concept is None or token.concept.kind == "owner"
        }
        plain = sorted(self._tokens)
        self._starts: dict[str, list[str]] = {}
        self._slips: dict[str, str] = {}
        for word in plain:
            if self._tokens[word].concept is None:
                self._starts.setdefault(word[:_STEM], []).append(word)
            if len(word) >= _LONG:
                for cut in (word, *_deletions(word)):
                    self._slips.setdefault(cut, word)
        self._longest = max(map(len, plain), default=0)
        self.joined: dict[str, list[tuple[int, Asked]]] = {}
        for field, each in enumerate(wanted):
            for text, asked in _squeezed(each):
                self.joined.setdefault(text, []).append((field, asked))

    def resolve(self, tokens: Sequence[Token]) -> tuple[tuple[Token, ...], float]:
        """The words of a name as the contract writes them, and how much that takes from their fit."""
        found, factor = [], 1.0
        for token in self._unparted(tokens):
            is_known = token.key in self._keys
            word = None if token.concept or is_known else self._near(token.word)
            found.append(self._tokens[word[0]] if word else token)
            factor *= word[1] if word else 1.0
        return tuple(found), factor

    def _unparted(self, tokens: Sequence[Token]) -> Iterable[Token]:
        """Words, two as one where the contract writes them so: "Kick-off" for `kickoff_time`."""
        at = 0
        while at < len(tokens):
            pair = tokens[at : at + 2]
            one = self._tokens.get("".join(token.word for token in pair)) if len(pair) == 2 else None
            yield one or tokens[at]
            at += 2 if one else 1

    def _near(self, word: str) -> tuple[str, float] | None:
        if len(word) >= _STEM:
            for other in self._starts.get(word[:_STEM], ()):
                if word.startswith(other) or other.startswith(word):
                    return other, _SHORTENED
        if _LONG <= len(word) <= self._longest + 1:
            for cut in (word, *_deletions(word)):
                if cut in self._slips:
                    return self._slips[cut], _SLIPPED
        return None


def _deletions(word: str) -> Iterable[str]:
    return (word[:at] + word[at + 1 :] for at in range(1, len(word)))


class Claims:
    """Fits of names to the fields of one contract; each distinct wording is judged once."""

    def __init__(self, wanted: Sequence[Wanted], lexicon: Lexicon, domains: Iterable[str] = ()) -> None:
        self.wanted, self.lexicon, self.domains = wanted, lexicon, tuple(domains)
        self._telling: dict[str, list[tuple[int, Asked]]] = {}
        self._heads: list[tuple[int, Asked]] = []
        for field, each in enumerate(wanted):
            for asked in each.phrases:
                if asked.phrase.is_head:
                    self._heads.append((field, asked))
                for key, weight in asked.phrase.weights.items():
                    if weight == 1.0:
                        self._telling.setdefault(key, []).append((field, asked))
        keys = {key for each in wanted for asked in each.phrases for key in asked.phrase.keys}
        self._vocabulary = ContractWords(keys, wanted)
        self._judged: dict[tuple[str, tuple[str, ...]], Mapping[int, Claim]] = {}

    def is_label(self, text: str) -> bool:
        """Whether words are a usual label in the trades of the contract, or one of its own."""
        if any(claim.fit >= _OWN_LABEL for claim in self.of(text).values()):
            return True
        return self.lexicon.is_label(text, self.domains)

    def of(self, text: str, section: tuple[str, ...] = ()) -> Mapping[int, Claim]:
        """The claims of a name by field; the nearest headings over it may say whose it is."""
        key = (text, section[-2:])
        found = self._judged.get(key)
        if found is None:
            if len(self._judged) > _MOST_JUDGED:
                self._judged.clear()
            found = self._judged[key] = self._judge(text, section[-2:])
        return found

    def _judge(self, text: str, section: tuple[str, ...]) -> dict[int, Claim]:
        written = self.lexicon.parse(text)
        tokens, slips = self._vocabulary.resolve(written)
        if not tokens or len(tokens) > _MOST_WORDS:
            return {}
        best: dict[int, Claim] = {}
        name = Phrase(tokens)
        reckoned = self._before_per(text)
        for field, asked in self._sharing(name):
            if reckoned and not self._before_per(asked.text):
                fit = fit_of(asked, reckoned, self.wanted[field]) * slips * _RECKONED
            else:
                fit = fit_of(asked, name, self.wanted[field]) * slips
            if fit >= FLOOR and (field not in best or fit > best[field].fit):
                best[field] = Claim(fit, asked, _reason(text, asked, name))
        squeezed = "".join(token.word for token in written).replace(" ", "")
        for field, asked in self._vocabulary.joined.get(squeezed, ()):
            if field not in best or best[field].fit < asked.weight * _JOINED:
                best[field] = Claim(asked.weight * _JOINED, asked, f"{text!r} is {asked.text!r} written as one")
        if "/" in text:
            self._judge_first(text, best)
        if text.endswith(")"):
            self._judge_unbracketed(text, best)
        for heading in section:
            self._judge_under(heading, text, name, best)
        return best

    def _before_per(self, text: str) -> Phrase | None:
        """What a label says before a word such as "per": what follows is only what it is reckoned by."""
        words = fold_words(text)
        if self.lexicon.per.isdisjoint(words):
            return None
        at = next((at for at, word in enumerate(words) if at and word in self.lexicon.per), 0)
        return Phrase(self.lexicon.parse(" ".join(words[:at]))) if at else None

    def _judge_first(self, text: str, best: dict[int, Claim]) -> None:
        """What the first of two names with a stroke between them says, where the kind of value tells where it ends."""
        for field, claim in self.of(text.split("/")[0].strip()).items():
            fit = claim.fit * _FIRST_OF_TWO
            if self.wanted[field].kind in _ENDING and fit >= FLOOR and (field not in best or best[field].fit < fit):
                best[field] = Claim(fit, claim.asked, f"{claim.reason}, before a stroke")

    def _judge_unbracketed(self, text: str, best: dict[int, Claim]) -> None:
        """What a name says without the words in brackets behind it, unless these say whose or which one it is."""
        name, _, bracketed = text[:-1].rpartition("(")
        if not name.strip() or any(
            token.concept and token.concept.kind != "head" for token in self.lexicon.parse(bracketed)
        ):
            return
        for field, claim in self.of(name.strip()).items():
            fit = claim.fit * _UNBRACKETED
            if fit >= FLOOR and (field not in best or best[field].fit < fit):
                best[field] = Claim(fit, claim.asked, f"{claim.reason}, before words in brackets")

    def _judge_under(self, heading: str, text: str, name: Phrase, best: dict[int, Claim]) -> None:
        """What a name says together with words of the heading over it."""
        if any(name.weights[key] == 1.0 and key not in self._telling for key in name.keys):
            return  # A word that no field asks for.
        above = self.lexicon.parse(heading)
        if not above or len(above) > _MOST_HEADING_WORDS:
            return
        lent = tuple(token for token in above if token.key not in name.keys)
        for field, asked in self._sharing(Phrase((*lent, *name.tokens))):
            keys = asked.phrase.keys
            useful = tuple(t for t in lent if t.key in keys or (t.concept and t.concept.kind == "owner"))
            if not useful or keys.isdisjoint(name.keys) or any(name.weights[key] == 1.0 for key in name.keys - keys):
                continue  # A name that says more than the field asks for is none of its headings'.
            fit = fit_of(asked, Phrase((*useful, *name.tokens)), self.wanted[field]) * _IN_SECTION
            fit = min(fit, _HEAD_LENT) if name.is_head and not asked.phrase.owners else fit
            if fit >= FLOOR and (field not in best or fit > best[field].fit):
                best[field] = Claim(fit, asked, f"{_reason(text, asked, name)} below {heading!r}")

    def _sharing(self, name: Phrase) -> Iterable[tuple[int, Asked]]:
        """Phrases that share a telling word with a name; for a name of heads alone, those that are heads alone."""
        if name.is_head:
            return self._heads
        hits = (hit for key in name.keys for hit in self._telling.get(key, ()))
        return {(field, id(asked)): (field, asked) for field, asked in hits}.values()


def fit_of(asked: Asked, name: Phrase, wanted: Wanted) -> float:
    """How well the words of a name fit a phrase, from 0 to 1."""
    phrase = asked.phrase
    if phrase.keys == name.keys:
        return asked.weight if _says_same(asked, name) else 0.0
    has = _shared(phrase, name) + _implied(phrase, name, wanted)
    said = _shared(name, phrase) / name.weight
    fit = asked.weight * has / phrase.weight * math.sqrt(said)
    if phrase.owners and not name.owners:
        fit *= _UNOWNED
    if name.sides.keys() - phrase.sides.keys():
        fit *= _ONE_SIDED  # An old, estimated or due one, where nobody asks which.
    if wanted.kind == "text" and "name" in name.heads - phrase.heads:
        fit *= _NAME_OF_IT  # "Account name", where its number may be meant as well.
    least = FLOOR if has >= _ALL * phrase.weight or said >= _ALL else _MIXED
    if fit < least or _contradicts(phrase, name, wanted) or tuple(name.keys) in wanted.denied:
        return 0.0
    return fit


def _shared(mine: Phrase, other: Phrase) -> float:
    """The weight of the words that another phrase has, too; other words for the same end of a span are nearly so."""
    same = sum(weight for key, weight in mine.weights.items() if key in other.keys)
    ends = set(other.sided.values()) if mine.sided and other.sided else ()
    return same + sum(
        _OTHER_END * mine.weights[key] for key, end in mine.sided.items() if end in ends and key not in other.keys
    )


def _implied(mine: Phrase, name: Phrase, wanted: Wanted) -> float:
    """The weight of the noun that a name leaves out and the value says itself: "Invoice" for "Invoice #"."""
    if wanted.kind != "number" or "number" in name.heads:
        return 0.0
    missing = (token for token in mine.tokens if token.key not in name.keys and token.concept)
    return sum(_IMPLIED * mine.weights[t.key] for t in missing if t.concept and "number" in t.concept.members)


def _says_same(asked: Asked, name: Phrase) -> bool:
    """Whether equal words mean the same: of a trade's head noun alone ("object"), only that very word does."""
    if asked.source in ("name", "label") or not asked.phrase.is_head:
        return True
    return [token.word for token in asked.tokens] == [token.word for token in name.tokens]


def says_opposite(asked: Phrase, name: Phrase) -> bool:
    """Whether a name speaks of somebody else or of the opposite."""
    if asked.owners and name.owners and asked.owners.isdisjoint(name.owners):
        return True
    return any(members.isdisjoint(name.sides.get(group, members)) for group, members in asked.sides.items())


def shared_words(asked: Phrase, name: Phrase) -> float:
    """How much of their words two phrases share, from 0 to 1; an abbreviation counts nearly as much as its word."""
    if not asked.weight or not name.weight:
        return 0.0
    left = {token.key: token.word for token in asked.tokens}
    shared = 0.0
    for token in name.tokens:
        found = {
            key: 1.0 if key == token.key else _SHORTENED for key, word in left.items() if _may_be(token, key, word)
        }
        if found:
            key = max(found, key=lambda each: found[each])
            shared += found[key] * asked.weights[key]
            del left[key]
    return shared / math.sqrt(asked.weight * name.weight)


def _may_be(token: Token, key: str, word: str) -> bool:
    """Whether a word of a page is one of a contract, or short for it: "surch", "rptd"."""
    short = token.word
    if token.key == key:
        return True
    if len(short) < _STEM or short[0] != word[0] or len(short) >= len(word):
        return False
    rest = iter(word)
    return word.startswith(short) or (_VOWELS.isdisjoint(short[1:]) and all(letter in rest for letter in short))


def _contradicts(asked: Phrase, name: Phrase, wanted: Wanted) -> bool:
    """Whether a name speaks of another kind of thing, of somebody else or of the opposite."""
    if asked.heads and name.heads and asked.heads.isdisjoint(name.heads):
        return True
    if says_opposite(asked, name):
        return True
    if not name.heads or asked.heads:
        return False
    allowed = _KIND_HEADS.get(wanted.kind)
    if allowed is None:
        return wanted.kind == "text" and name.heads <= _STRANGE_TO_TEXT
    return name.heads.isdisjoint(allowed)


def _reason(text: str, asked: Asked, name: Phrase) -> str:
    mine = asked.phrase.keys
    missing, extra = len(mine - name.keys), len(name.keys - mine)
    if not missing and not extra:
        return f"{text!r} says {asked.text!r}"
    words = "all words" if not missing else f"all but {missing} of the words"
    return f"{text!r} has {words} of {asked.text!r}" + (f" and {extra} more" if extra else "")
