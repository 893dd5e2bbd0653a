"""Words of labels in which a scanner, or a typist, got one letter wrong: "Advcrtiser", "Contrakt"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

import attrs

from paxman.capabilities.business_terms import label_terms, names_of, read_terms, term_of, terms_of_labels
from paxman.contract.labels import compact_word, fold_label
from paxman.contract.model import CanonicalContract
from paxman.lazy import lazy_pattern

SHORTEST = 5
"""Letters of a word in which a c may be an e, and of longer ones any letter one that looks alike."""
_SHORTEST_CUT = 7
"""Letters of a word of which one inside may be missing."""
_OTHER_WORDS = ("contact", "county", "patent")
"""Words of their own, however near to contract, country and patient."""
_MISREAD = "ao ce co eo cg gq nu nh hb uv vy lt tf lj ck sz"
_SUREST = ("ce", "ec")
_PAIRS = frozenset(pair for two in _MISREAD.split() for pair in (two, two[::-1]))
_SHAPES = str.maketrans("aegkoqbhuvyfjtz", "cccccc" + "nnnnn" + "llls")
_VOWELS = "aeoul"
"""As they are compared, with an l for every i."""


@attrs.frozen(eq=False)
class Slips:
    """The words that may be misspelt, by their shape and by what is left without one letter."""

    known: frozenset[str]
    heads: frozenset[str]
    tails: frozenset[str]
    shapes: Mapping[str, tuple[str, ...]]
    cut: Mapping[str, str]


@lru_cache(maxsize=8192)
def mend(word: str, slips: Slips) -> str | None:
    """The word of a label that this is with one slip, if it is no word of a label itself."""
    if word in slips.known or (word[:_END] not in slips.heads and word[-_END:] not in slips.tails):
        return None
    alike = slips.shapes.get(_shape(word), ())
    found = [label for label in alike if _is_slip(word, label)]
    return found[0] if len(found) == 1 else slips.cut.get(word)


_END = 3
"""Letters at either end of a word of which one end is right where only one letter is wrong."""


def slips_of(contract: CanonicalContract) -> Slips:
    """The slips of the labels that a contract names, and of those for what its fields mean."""
    if "slips" not in contract.memo:
        contract.memo["slips"] = _slips(sorted(set(_words(contract))))
    slips: Slips = contract.memo["slips"]
    return slips


def _words(contract: CanonicalContract) -> Iterator[str]:
    terms = {term for field in contract.leaves for term in (term_of(field), *terms_of_labels(field))}
    labels = {fold_label(label) for field in contract.leaves for label in (*field.labels, *names_of(field))}
    yield from (compact_word(word) for label in labels for word in label.split() if _is_long(word))
    yield from _NUMBERS
    yield from (word for term in terms for word in _words_of_terms().get(term or "", ()))


_NUMBERS = ("number", "nummer", "numero")


@lru_cache(maxsize=1)
def _words_of_terms() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for term, label in read_terms():
        found.setdefault(term, set()).update(compact_word(word) for word in label.split() if _is_long(word))
    return found


def _is_long(word: str) -> bool:
    return len(word) >= SHORTEST and word.isalpha()


def _slips(words: list[str]) -> Slips:
    known = frozenset(words).union(label_terms(), _OTHER_WORDS, *_words_of_terms().values())
    shapes: dict[str, tuple[str, ...]] = {}
    for word in words:
        shape = _shape(word)
        shapes[shape] = (*shapes.get(shape, ()), word)
    heads, tails = (frozenset(word[end] for word in words) for end in (slice(_END), slice(-_END, None)))
    return Slips(known, heads, tails, shapes, dict(_cut(words)))


def _shape(word: str) -> str:
    """Words that scanners take for one another have one shape."""
    return _joined(word).translate(_SHAPES)


def _joined(word: str) -> str:
    return word.replace("rn", "m")


def _is_slip(word: str, label: str) -> bool:
    """Whether one letter is another that looks alike, but not at the end: that tells forms of the same word."""
    if len(word) != len(label):
        return _joined(word) == _joined(label)
    wrong = [at for at, (one, other) in enumerate(zip(word, label, strict=True)) if one != other]
    if len(wrong) != 1 or word[wrong[0]] + label[wrong[0]] not in (_PAIRS if len(word) > SHORTEST else _SUREST):
        return False
    last = {word[-1], label[-1]}
    return wrong[0] < len(word) - 1 or not last.issubset(_VOWELS)


def _cut(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Every long word without one of its letters, but the first and the last."""
    for word in words:
        for at in range(1, len(word) - 1) if len(word) >= _SHORTEST_CUT else ():
            yield word[:at] + word[at + 1 :], word


def stands_as_label(text: str, start: int, end: int) -> bool:
    """Whether words start a line or a cell, and no sentence goes on behind them."""
    return _BEFORE.search(text, max(0, start - 4), start) is not None and not _SENTENCE.match(text, end)


def is_cell(text: str, start: int, end: int) -> bool:
    """Whether a word is all of a line or a cell, or a colon follows it: there the label itself is written."""
    return _BEFORE.search(text, max(0, start - 4), start) is not None and _CELL_END.match(text, end) is not None


_CELL_END = lazy_pattern(r" ?[:#\n\t|]|  | ?\Z")
_BEFORE = lazy_pattern(r"(?:\A|\n|[\t|]|  ) ?\Z")
_SENTENCE = lazy_pattern(r"[,;]|\.? [a-zß-öø-ÿ]{2,}(?![a-zß-öø-ÿ]*\.)")
