"""Words of labels in which a scanner, or a typist, got one letter wrong: "Advcrtiser", "Contrakt"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain

import attrs

from paxman.capabilities.business_terms import label_terms, names_of, read_terms, term_of, terms_of_labels
from paxman.contract.labels import compact_word, fold_label
from paxman.contract.model import CanonicalContract
from paxman.lazy import lazy_pattern
from paxman.recognizers.tables import entries
from paxman.recognizers.tables import words as words_of
from paxman.types import Span

_SHORTEST = 3
"""Letters of a word that may have a slip at all."""
_SHORT = 5
"""Letters of a word that needs no other word of its label to be right."""
_SHORTEST_OTHER = 7
"""Letters of a word in which one inside may be any other."""
_SHORTEST_CUT = 6
"""Letters of a word of which one inside may be missing, or two swapped."""
_SHORTEST_LONE = 9
"""Letters of a word that only a contract has, and to which few others are near."""
_MISREAD = "ao ce co do eo cg gq mn nu nh hb uv vy lt tf lj ck sz"
_PAIRS = frozenset(pair for two in _MISREAD.split() for pair in (two, two[::-1]))
_SUREST = [pair for two in "ce co do eo hb lt uv".split() for pair in (two, two[::-1])]
"""Letters that short words may have one for the other."""
_JOINED = (("rn", "m"), ("cl", "d"), ("vv", "w"))
_VOWELS = "aeoul"
"""As they are compared, with an l for every i."""
_DIGITS = {"5": "s", "6": "b", "8": "b"}
"""Digits before letters that are letters themselves."""


@attrs.frozen(eq=False)
class Slips:
    """The words that may be misspelt, by what scanners make of them and by what is left without one letter."""

    known: frozenset[str]
    asked: frozenset[str]
    """The words themselves, spelt right."""
    ends: frozenset[str]
    joined: Mapping[str, tuple[str, ...]]
    cut: Mapping[str, tuple[str, ...]]
    short: Mapping[str, str]
    lone: frozenset[str]
    """Words of which it is known that no other word is near, or that are so long that hardly one is."""


@lru_cache(maxsize=8192)
def mend(word: str, slips: Slips) -> str | None:
    """The word of a label that this is with one slip, if it is no word of a label itself."""
    if len(word) < _SHORT or word in slips.known or slips.ends.isdisjoint(_ends(word)):
        return slips.short.get(word)
    near = {label for part in (word, *_cut(word)) for label in slips.cut.get(part, ())}
    near.update(slips.joined.get(_join(word), ()))
    near = {label for label in near if label in slips.lone or _keeps_shape(word, label)}
    for is_slip in (_looks_like, _is_typed, _is_other):
        fitting = [label for label in near if is_slip(word, label)]
        if fitting:
            return fitting[0] if len(fitting) == 1 else None
        near &= slips.lone
    return slips.short.get(word)


def _ends(word: str) -> tuple[str, str, str]:
    """The letters at either end, one of which is right where only one letter inside is wrong."""
    return word[:3], f"-{word[-3:]}", f"{word[:2]}-{word[-2:]}"


def slips_of(contract: CanonicalContract) -> Slips:
    """The slips of the labels that a contract names, and of those for what its fields mean."""
    if "slips" not in contract.memo:
        usual = frozenset(_NUMBERS).union(*_words_of_terms().values())
        contract.memo["slips"] = slips_among(sorted(set(_words(contract))), usual)
    slips: Slips = contract.memo["slips"]
    return slips


def _words(contract: CanonicalContract) -> Iterator[str]:
    terms = {term for field in contract.leaves for term in (term_of(field), *terms_of_labels(field))}
    labels = {fold_label(label) for field in contract.leaves for label in (*field.labels, *names_of(field))}
    yield from (compact_word(word) for label in labels for word in label.split() if word.isalpha())
    yield from _NUMBERS
    yield from (word for term in terms for word in _words_of_terms().get(term or "", ()))


_NUMBERS = ("number", "nummer", "numero")


@lru_cache(maxsize=1)
def _words_of_terms() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for term, label in read_terms():
        found.setdefault(term, set()).update(compact_word(word) for word in label.split() if word.isalpha())
    return found


@lru_cache(maxsize=1)
def _other_words() -> frozenset[str]:
    """Words of business papers and of prose, and those that are near to words of labels but others."""
    prose = (word for _, listed in entries("common_words") for word in listed)
    return frozenset(map(compact_word, chain(prose, words_of("no_slip")))).union(
        label_terms(), *_words_of_terms().values()
    )


def slips_among(asked: list[str], usual: frozenset[str]) -> Slips:
    """The slips of words that are asked for; `usual` are those of which it is known what others are near."""
    known = _other_words().union(asked, usual)
    long = [word for word in asked if len(word) >= _SHORT and word.isascii()]
    ends = frozenset(end for word in long for end in _ends(word))
    cut = _grouped((part, word) for word in long for part in (word, *_cut(word)))
    joined = _grouped((_join(word), word) for word in long)
    few = ((form, word) for word in asked if _SHORTEST <= len(word) < _SHORT for form in _forms(word))
    short = _grouped((form, word) for form, word in few if word in usual or _keeps_shape(form, word))
    sure = {form: found[0] for form, found in short.items() if len(found) == 1 and form not in known}
    lone = frozenset(word for word in long if word in usual or len(word) >= _SHORTEST_LONE)
    return Slips(known, frozenset(asked), ends, joined, cut, sure, lone)


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Words by what they are looked up as."""
    found: dict[str, dict[str, None]] = {}
    for key, word in pairs:
        found.setdefault(key, {})[word] = None
    return {key: tuple(words) for key, words in found.items()}


def _cut(word: str) -> Iterator[str]:
    """A word without each of its letters."""
    return (word[:at] + word[at + 1 :] for at in range(len(word)))


def _forms(word: str) -> Iterator[str]:
    """What scanners make of a short word."""
    yield from (word.replace(one, two) for two, one in _JOINED if one in word)
    for wrong, right in map(tuple, _SUREST):
        yield from (word[: at.start()] + wrong + word[at.end() :] for at in re.finditer(right, word))


def _join(word: str) -> str:
    for two, one in _JOINED:
        word = word.replace(two, one)
    return word


def _looks_like(word: str, label: str) -> bool:
    """Whether one letter is another that looks alike, but not at the end: that tells forms of the same word."""
    wrong = _wrong(word, label)
    if len(wrong) != 1 or word[wrong[0]] + label[wrong[0]] not in _PAIRS:
        return _join(word) == _join(label)
    return wrong[0] < len(word) - 1 or not {word[-1], label[-1]}.issubset(_VOWELS)


def _keeps_shape(word: str, label: str) -> bool:
    """Whether a word begins as a label does and, if it is short, has its vowels and its end: else it may be another."""
    if word[0] != label[0] or len(label) >= _SHORTEST_OTHER:
        return word[0] == label[0]
    vowels = any({word[at], label[at]}.issubset(_VOWELS) for at in _wrong(word, label))
    return word[-1] == label[-1] and not vowels


def _wrong(word: str, label: str) -> list[int]:
    """The places of the letters that differ in words of one length."""
    if len(word) != len(label):
        return []
    return [at for at, (one, other) in enumerate(zip(word, label, strict=True)) if one != other]


def _is_typed(word: str, label: str) -> bool:
    """Whether a letter inside of a word is missing or doubled, or two are swapped."""
    if len(word) != len(label):
        return _is_doubled(word, label) if len(word) > len(label) else _is_cut(word, label)
    wrong = _wrong(word, label)
    if len(word) < _SHORTEST_CUT or len(wrong) != 2 or wrong[1] != wrong[0] + 1:
        return False
    return word[wrong[0]] == label[wrong[1]] and word[wrong[1]] == label[wrong[0]]


def _is_other(word: str, label: str) -> bool:
    """Whether a letter inside of a long word is any other."""
    wrong = _wrong(word, label)
    return len(word) >= _SHORTEST_OTHER and len(wrong) == 1 and 0 < wrong[0] < len(word) - 1


def _is_cut(word: str, label: str) -> bool:
    return len(label) >= _SHORTEST_CUT and word[0] == label[0] and word[-1] == label[-1]


def _is_doubled(word: str, label: str) -> bool:
    return any(word[at] == word[at + 1] and word[:at] + word[at + 1 :] == label for at in range(len(label)))


def mended_among(text: str, words: list[Span], plain: list[str], slips: Slips) -> dict[int, str]:
    """The words of a page that are slips, by their number, each as it should be; `plain` are the words compact.

    What the page spells right in a cell of its own is no slip of another.
    """
    unknown = ((at, word) for at, word in enumerate(plain) if word not in slips.known)
    doubted = [at for at, word in unknown if len(word) >= _SHORTEST or word in _DIGITS]
    mended = {at: label for at in doubted if (label := _mended(text, *words[at], plain[at], slips))}
    if not mended:
        return mended
    asked = ((word, span) for word, span in zip(plain, words, strict=True) if word in slips.asked)
    spelt = {word for word, span in asked if _is_cell(text, *span)}
    return {at: label for at, label in mended.items() if plain[at] in _DIGITS or label not in spelt}


def _mended(text: str, start: int, end: int, word: str, slips: Slips) -> str | None:
    if word in _DIGITS:
        return _DIGITS[word] if _IN_WORD.match(text, start) else None
    # A rarer letter may tear a part off a word: "factur" off "factură".
    is_torn = text[end : end + 1].isalpha() and not text[end].isascii()
    return None if end - start < _SHORTEST or is_torn else mend(word, slips)


_IN_WORD = lazy_pattern(r"(?<!\d)\d[^\W\d_]{2}")


def is_known(text: str, words: list[Span], slipped: Mapping[int, str], index: int) -> bool:
    """Whether words of which some are mended stand as a label; a short one needs another that is right."""
    mended = [slipped.get(at, "") for at in range(index, index + len(words))]
    right = (not word and end - start >= _SHORTEST for word, (start, end) in zip(mended, words, strict=True))
    is_long = all(len(word) >= _SHORT for word in mended if word)
    return (is_long or any(right)) and _stands_as_label(text, words[0][0], words[-1][1])


def _stands_as_label(text: str, start: int, end: int) -> bool:
    """Whether words start a line or a cell, and no sentence goes on behind them."""
    return _BEFORE.search(text, max(0, start - 4), start) is not None and not _SENTENCE.match(text, end)


def _is_cell(text: str, start: int, end: int) -> bool:
    """Whether a word is all of a line or a cell, or a colon follows it: there the label itself is written."""
    return _BEFORE.search(text, max(0, start - 4), start) is not None and _CELL_END.match(text, end) is not None


_CELL_END = lazy_pattern(r" ?[:#\n\t|]|  | ?\Z")
_BEFORE = lazy_pattern(r"(?:\A|\n|[\t|]|  ) ?\Z")
_SENTENCE = lazy_pattern(r"[,;]|\.? [a-zß-öø-ÿ]{2,}(?![a-zß-öø-ÿ]*\.)")
