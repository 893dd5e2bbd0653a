"""Finding a model's quote in the document: exactly, then in other spacing and case, then as a scanner spells it."""

from __future__ import annotations

import unicodedata
from array import array
from collections.abc import Callable, Iterable, Iterator

from paxman.types import Span

MOST_PLACES = 100
_SHORTEST_ALIGNED = 12
_SHORTEST_INSIDE = 4
_ALIKE = 90
_LONGEST_QUOTE = 2000
_MARKS = str.maketrans(
    {**dict.fromkeys("‐‑‒–—―−", "-"), **dict.fromkeys("‘’‚‛´`", "'"), **dict.fromkeys("“”„‟«»", '"')}
)
_CONFUSED = str.maketrans({"o": "0", "q": "0", "i": "1", "l": "1", "|": "1", "!": "1", "s": "5", "b": "8", "z": "2"})


class Haystack:
    """A part of a document to look for quotes in; its folded forms are made once."""

    def __init__(self, text: str, offset: int = 0, hidden: Iterable[Span] = ()) -> None:
        self._text = text
        self._offset = offset
        self._hidden = tuple(hidden)
        self._folded: dict[Callable[[str], str], tuple[str, array[int]]] = {}

    def find(self, quote: str) -> list[Span]:
        """Places of a quote in the whole document, by the strictest way that finds any."""
        quote = quote.strip()[:_LONGEST_QUOTE]
        if not quote:
            return []
        for places in (self._exact(quote), self._alike(quote, _fold), self._alike(quote, _confuse)):
            found = [span for span in places if self._stands_alone(span) and self._is_visible(span)]
            if found:
                return [(start + self._offset, end + self._offset) for start, end in found]
        return [(start + self._offset, end + self._offset) for start, end in self._aligned(quote)]

    def find_all(self, quote: str) -> list[Span]:
        """Every place in any spacing, case and spelling, also inside longer words unless the quote is short."""
        quote = quote.strip()[:_LONGEST_QUOTE]
        whole = len("".join(quote.split())) < _SHORTEST_INSIDE
        places = {*self._exact(quote), *self._alike(quote, _fold), *self._alike(quote, _confuse)} if quote else ()
        return sorted(
            (a + self._offset, b + self._offset) for a, b in places if not whole or self._stands_alone((a, b))
        )

    def choose(self, places: list[Span], labels: Iterable[str], line: str | None = None) -> Span:
        """The occurrence that is meant: on the given line, else nearest to a label, else the first."""
        lines = self.find(line) if line and len(places) > 1 else []
        candidates = [p for p in places if any(start <= p[0] and p[1] <= end for start, end in lines)] or places
        if len(candidates) == 1:
            return candidates[0]
        anchors = sorted({found for label in labels for found in self._anchors(label)})
        return min(candidates, key=lambda place: (_distance(place, anchors), place))

    def _anchors(self, label: str) -> Iterator[Span]:
        for start, end in self._alike(label, _fold):
            if self._stands_alone((start, end)):
                yield start + self._offset, end + self._offset

    def _exact(self, quote: str) -> Iterator[Span]:
        return _occurrences(self._text, quote)

    def _alike(self, quote: str, fold: Callable[[str], str]) -> Iterator[Span]:
        wanted, _ = _squeeze(quote, fold)
        if fold not in self._folded:
            self._folded[fold] = _squeeze(self._text, fold)
        text, origins = self._folded[fold]
        for start, end in _occurrences(text, wanted):
            yield origins[start], origins[end - 1] + 1

    def _aligned(self, quote: str) -> Iterator[Span]:
        """The most similar stretch, for a long quote whose digits are all there."""
        from rapidfuzz.fuzz import partial_ratio_alignment

        if len(quote) < _SHORTEST_ALIGNED or len(quote) > len(self._text):
            return
        found = partial_ratio_alignment(quote, self._text, score_cutoff=_ALIKE)
        if found is None:
            return
        span = _to_words(self._text, found.dest_start, found.dest_end)
        if _digits(self._text[span[0] : span[1]]) == _digits(quote) and self._is_visible(span):
            yield span

    def _stands_alone(self, span: Span) -> bool:
        """Not a part of a longer word or number."""
        text, (start, end) = self._text, span
        before = start == 0 or not _continues(text[max(start - 2, 0) : start], text[start])
        after = end >= len(text) or not _continues(text[end : end + 2][::-1], text[end - 1])
        return before and after

    def _is_visible(self, span: Span) -> bool:
        start, end = span[0] + self._offset, span[1] + self._offset
        return not any(start < hidden[1] and hidden[0] < end for hidden in self._hidden)


def _distance(place: Span, anchors: list[Span]) -> int:
    """Characters from the nearest label; one that stands behind its value counts as twice as far."""
    before = (place[0] - end for _, end in anchors if end <= place[0])
    after = (2 * (start - place[1]) for start, _ in anchors if start >= place[1])
    return min((*before, *after), default=0)


def _occurrences(text: str, wanted: str) -> Iterator[Span]:
    start, count = text.find(wanted) if wanted else -1, 0
    while start >= 0 and count < MOST_PLACES:
        yield start, start + len(wanted)
        count += 1
        start = text.find(wanted, start + 1)


def _fold(character: str) -> str:
    return "".join(
        c for c in unicodedata.normalize("NFKD", character.translate(_MARKS).casefold()) if not unicodedata.combining(c)
    )


def _confuse(character: str) -> str:
    return _fold(character).translate(_CONFUSED)


def _squeeze(text: str, fold: Callable[[str], str]) -> tuple[str, array[int]]:
    """The folded text without whitespace, and where each of its characters came from."""
    parts: list[str] = []
    origins = array("q")
    known: dict[str, str] = {}
    for position, character in enumerate(text):
        folded = known.get(character)
        if folded is None:
            folded = known[character] = "" if character.isspace() else fold(character)
        for each in folded:
            parts.append(each)
            origins.append(position)
    return "".join(parts), origins


def _continues(outside: str, edge: str) -> bool:
    """Whether the characters outside (nearest last) go on with the word or number at the edge."""
    near = outside[-1]
    if edge.isdigit():
        return near.isdigit() or (near in ".," and len(outside) > 1 and outside[0].isdigit())
    return edge.isalpha() and near.isalpha() and ord(near) < 0x2E80


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())


def _to_words(text: str, start: int, end: int) -> Span:
    """Grow to whole words, then trim whitespace."""
    while 0 < start < len(text) and text[start].isalnum() and text[start - 1].isalnum():
        start -= 1
    while 0 < end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end
