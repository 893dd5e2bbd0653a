"""The words of a page one after the other, so that phrases are found whatever blanks and line ends part them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from paxman.lazy import lazy_pattern
from paxman.lexicon.folding import fold_words
from paxman.types import Span

_WORD = lazy_pattern(r"[^\W_]+(?:['’][^\W\d_]{1,2}(?![^\W_]))?|#")


class WordStream:
    """Folded words of a text, joined by single blanks, and where each stands."""

    def __init__(self, text: str) -> None:
        spans: list[Span] = []
        starts: list[int] = []
        parts: list[str] = []
        at = 1
        for match in _WORD.finditer(text):
            word = "".join(fold_words(match[0]))
            if word:
                spans.append(match.span())
                starts.append(at)
                parts.append(word)
                at += len(word) + 1
        self._spans, self._starts, self._words = spans, starts, parts
        self._joined = f" {' '.join(parts)} "

    def between(self, start: int, end: int) -> list[str]:
        """The folded words that start in a part of the text."""
        return self._words[bisect_left(self._spans, (start, 0)) : bisect_left(self._spans, (end, 0))]

    def find(self, phrase: str) -> Iterator[Span]:
        """Where a phrase of folded words stands in the text; one that ends in a star may go on in its last word."""
        sought = f" {phrase[:-1]}" if phrase.endswith("*") else f" {phrase} "
        at = self._joined.find(sought)
        count = phrase.count(" ") + 1
        while at >= 0:
            first = bisect_left(self._starts, at + 1)
            yield self._spans[first][0], self._spans[first + count - 1][1]
            at = self._joined.find(sought, at + len(sought) - 1)
