"""Cuts: the ways in which a text value may be a part of a page. Examples say which of them are needed."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice

from paxman.lazy import lazy_pattern
from paxman.lexicon.folding import fold_words
from paxman.page.names import Page
from paxman.types import Span

_LONGEST = 600
_MOST_PROSE = 3000
_HEAD, _MOST_LINES = 16, 5
_CODE = lazy_pattern(r"(?<!\w)(?=[\w./:#-]*\d|[A-Z]{2})[\w./:#-]*\w")
_PROPER = lazy_pattern(
    r"(?:[A-Z][\w&.'’-]*|\d[\w.-]*)(?:,?[ \t]+(?:(?:of|the|and|de|for|&)[ \t]+)?(?:[A-Z][\w&.'’-]*|\d[\w.-]*|&)){0,7}"
)
_PART = lazy_pattern(r"[^,;:()|\[\]“”\"\t\n]+")
_ITEM = lazy_pattern(r"\s*(?:[-*•·○▪–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+")
_NUMBERED = lazy_pattern(r"(?<!\w)\d{1,2}[.)]\s+([^\W\d].{2,300}?)(?=[.,;]*\s*(?:\d{1,2}[.)]\s|[.,][A-Z]{3}|$))", re.M)
_SENTENCE = lazy_pattern(r"[^.!?;\n]+(?:\n[^.!?;\n]+){0,3}")
_FIGURES = lazy_pattern(r"(?<!\w)\d+")
_MOST_INNER = 4
AFTER, BEFORE, FIGURE = "after ", "before ", "0"
"""Names of cuts inside parts: behind a word, and up to one; figures are all alike."""
UP_TO = "up to "
"""The name of a limit: longer parts are left aside."""
_TRIM, _TRIM_END = " \t\n,;:|\"“”'‘’*_-–•", " \t\n,;:|\"“”'‘’*_"


def cut(page: Page, names: Collection[str]) -> Iterator[tuple[Span, str]]:
    """The parts of a page by the cuts of these names, without the marks around them, and up to a length."""
    most = min((int(name.removeprefix(UP_TO)) for name in names if name.startswith(UP_TO)), default=_LONGEST)
    whole = [(trim(page.text, span), name) for name in CUTS if name in names for span in CUTS[name](page)]
    for (start, end), name in (*whole, *_inner_parts(page, dict.fromkeys(span for span, _ in whole), names)):
        if 0 < end - start <= most:
            yield (start, end), name


def _inner_parts(page: Page, spans: Iterable[Span], names: Collection[str]) -> Iterator[tuple[Span, str]]:
    """Parts of parts: from behind a word, and up to one, where examples had such starts and ends."""
    starts = sorted((end, name) for name, (_, end) in _at_words(page, names, AFTER))
    ends = sorted((start, name) for name, (start, _) in _at_words(page, names, BEFORE))
    for start, end in spans if starts or ends else ():
        begun = _within(starts, start, end)
        yield from ((trim(page.text, (first, end)), name) for first, name in begun)
        for first, _ in [(start, ""), *begun]:
            yield from ((trim(page.text, (first, last)), name) for last, name in _within(ends, first + 1, end))


def _at_words(page: Page, names: Collection[str], side: str) -> Iterator[tuple[str, Span]]:
    for name in sorted(name for name in names if name.startswith(side)):
        word = name.removeprefix(side)
        figures = (match.span() for match in _FIGURES.finditer(page.text))
        yield from ((name, span) for span in (figures if word == FIGURE else page.words.find(word)))


def _within(places: Sequence[tuple[int, str]], start: int, end: int) -> Sequence[tuple[int, str]]:
    first = bisect_right(places, (start, ""))
    return places[first : min(first + _MOST_INNER, bisect_left(places, (end, "")))]


def inner_cuts(page: Page, spans: Sequence[Span], value: str) -> Iterator[str]:
    """By which words a value has to be cut out of the shortest of these spans around each of its places."""
    for start, end in page.words.find(" ".join(fold_words(value))):
        around = [span for span in spans if span[0] <= start and end <= span[1]]
        first, last = min(around, key=lambda span: (span[1] - span[0], span), default=(start, end))
        before, behind = page.words.between(first, start)[-1:], page.words.between(end, last)[:1]
        yield from (f"{AFTER}{_figured(word)}" for word in before)
        yield from (f"{BEFORE}{_figured(word)}" for word in behind)


def length_cut(values: Iterable[str]) -> str:
    """A limit that leaves room beyond the longest of the values."""
    return f"{UP_TO}{min(_LONGEST, 1 << (max(map(len, values), default=0) * 5 // 4 + 16).bit_length())}"


def _figured(word: str) -> str:
    return FIGURE if word.isdigit() else word


def trim(text: str, span: Span) -> Span:
    """A span without the marks around it."""
    start, end = span
    while start < end and text[start] in _TRIM:
        start += 1
    while end > start and text[end - 1] in _TRIM_END:
        end -= 1
    return start, end


def needed_cuts(values: Sequence[Collection[Collection[str]]]) -> frozenset[str]:
    """The fewest cuts by which every value is one part of its page; each value has places, and each of these its cuts.

    Cells and what stands at names are always among them.
    """
    chosen = set(_ALWAYS)
    left = [{name for cuts in places for name in cuts} for places in values]
    while left := [names for names in left if not names & chosen]:
        counts = {name: sum(name in names for names in left) for name in CUTS}
        chosen.add(max(CUTS, key=lambda name: counts[name]))
        if not max(counts.values()):
            break
    return frozenset(chosen)


def _lines(page: Page) -> Iterator[Span]:
    return ((line.start, line.end) for line in page.lines)


def _cells(page: Page) -> Iterator[Span]:
    return (cell for line in page.lines for cell in line.cells)


def _items(page: Page) -> Iterator[Span]:
    for line in page.lines:
        mark = _ITEM.match(page.text, line.start, line.end)
        if mark and mark.end() < line.end:
            yield mark.end(), line.end


def _parts(page: Page) -> Iterator[Span]:
    for cell in _cells(page):
        found = [match.span() for match in _PART.finditer(page.text, *cell)]
        yield from found if len(found) > 1 else ()


def _proper(page: Page) -> Iterator[Span]:
    found = (match.span() for cell in _cells(page) for match in _PROPER.finditer(page.text, *cell))
    return islice(found, _MOST_PROSE)


def _codes(page: Page) -> Iterator[Span]:
    """Words in capitals or with figures."""
    found = (match.span() for cell in _cells(page) for match in _CODE.finditer(page.text, *cell))
    return islice(found, _MOST_PROSE)


def _numbered(page: Page) -> Iterator[Span]:
    return (match.span(1) for line in page.lines for match in _NUMBERED.finditer(page.text, line.start, line.end))


def _joined_lines(page: Page) -> Iterator[Span]:
    """Lines on top of the page taken together, as names and addresses of letterheads are written."""
    for line in page.lines.head(_HEAD):
        for count in range(1, _MOST_LINES):
            if line.number + count < len(page.lines) and not page.lines[line.number + count].gridded:
                yield line.start, page.lines[line.number + count].end


def _places(page: Page) -> Iterator[Span]:
    return (place.span for name in page.names for place in name.places)


def _blocks(page: Page) -> Iterator[Span]:
    return (place.block for name in page.names for place in name.places)


def _rests(page: Page) -> Iterator[Span]:
    """From where a value at a name starts to the end of its cell."""
    for start, last in _places(page):
        line = page.lines[page.lines.at(start)]
        end = next((end for first, end in line.cells if first <= start < end), 0)
        if end > last:
            yield start, end


def _place_items(page: Page) -> Iterator[Span]:
    for span in _places(page):
        mark = _ITEM.match(page.text, *span)
        if mark:
            yield mark.end(), span[1]


def _sentences(page: Page) -> Iterator[Span]:
    """The first sentence of what stands at a name."""
    for start, end in _blocks(page):
        mark = _ITEM.match(page.text, start, end)
        found = _SENTENCE.match(page.text, mark.end() if mark else start, end)
        if found and found.end() < end:
            yield found.span()


CUTS: dict[str, Callable[[Page], Iterator[Span]]] = {
    "cell": _cells,
    "place": _places,
    "line": _lines,
    "block": _blocks,
    "part": _parts,
    "rest": _rests,
    "item": _items,
    "place item": _place_items,
    "numbered item": _numbered,
    "sentence": _sentences,
    "lines": _joined_lines,
    "proper": _proper,
    "code": _codes,
}
_ALWAYS = ("cell", "place")
