"""The words of a page one after the other, so that phrases are found whatever blanks and line ends part them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import accumulate

from paxman.lazy import lazy_pattern
from paxman.lexicon.folding import fold_words
from paxman.types import Span

_WORD = lazy_pattern(r"[^\W_]+(?:['’][^\W\d_]{1,2}(?![^\W_]))?|#")


STEM = 4
_SHARED = 0.6


def is_form(word: str, other: str) -> bool:
    """Whether two words are forms of one: they begin alike for the greater part of the longer."""
    same = next((at for at, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    return word == other or (same >= STEM and same >= _SHARED * max(len(word), len(other)))


class WordStream:
    """Folded words of a text, joined by single blanks, and where each stands."""

    def __init__(self, text: str) -> None:
        self._text = text
        written = _WORD.findall(text)
        self._folded = {word: "".join(fold_words(word)) for word in set(written)}
        self._words = [word for word in map(self._folded.__getitem__, written) if word]
        self.known = frozenset(self._words)
        self._joined = f" {' '.join(self._words)} "

    @cached_property
    def _spans(self) -> list[Span]:
        return [match.span() for match in _WORD.finditer(self._text) if self._folded[match[0]]]

    @cached_property
    def _starts(self) -> list[int]:
        """Where each word begins among the joined ones."""
        return list(accumulate((len(word) + 1 for word in self._words), initial=1))

    @cached_property
    def alike(self) -> list[str]:
        """The folded words in order; figures are all alike."""
        return ["0" if word.isdigit() else word for word in self._words]

    @cached_property
    def _places(self) -> list[int]:
        return [start for start, _ in self._spans]

    def at(self, position: int) -> int:
        """How many words start before a position."""
        return bisect_left(self._places, position)

    def between(self, start: int, end: int) -> list[str]:
        """The folded words that start in a part of the text."""
        return self._words[bisect_left(self._spans, (start, 0)) : bisect_left(self._spans, (end, 0))]

    @cached_property
    def _by_stem(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = {}
        for at, word in enumerate(self._words):
            found.setdefault(word[:STEM], []).append(at)
        return found

    def forms(self, word: str) -> Iterator[Span]:
        """Where a word stands in the text in any of its forms: "approved" for "approval"."""
        for at in self._by_stem.get(word[:STEM], ()):
            if is_form(self._words[at], word):
                yield self._spans[at]

    def find(self, phrase: str) -> Iterator[Span]:
        """Where a phrase of folded words stands in the text; one that ends in a star may go on in its last word."""
        sought, words, count = _sought(phrase)
        if not self.known.issuperset(words):
            return
        at = self._joined.find(sought)
        while at >= 0:
            first = bisect_left(self._starts, at + 1)
            yield self._spans[first][0], self._spans[first + count - 1][1]
            at = self._joined.find(sought, at + len(sought) - 1)


@lru_cache(maxsize=16384)
def _sought(phrase: str) -> tuple[str, tuple[str, ...], int]:
    """A phrase as it stands among joined words, the words that must be there, and how many words it has."""
    words = tuple(phrase.split(" "))
    return (f" {phrase[:-1]}", words[:-1], len(words)) if phrase.endswith("*") else (f" {phrase} ", words, len(words))
