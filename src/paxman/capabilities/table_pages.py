"""Tables that go on over pages: headings that come again, and what stands between the rows of one page and the next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

import attrs

from paxman.capabilities.table_sums import sum_term
from paxman.capabilities.vocabulary import pattern
from paxman.documents.figures import is_number
from paxman.documents.headings import Header, begins_page
from paxman.documents.visual_lines import VisualLines
from paxman.types import Span

_Words = tuple[str, ...]
MOST_LINES = 100
"""Lines in which the head or the foot of a page comes again."""
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?:page|seite|blatt|p[aá]gina|p[aá]g\.|pag\.|side|sida|sivu|blad|strona|str\.|strana|stránka|oldal|sayfa"
    r"|страница|стр\.|сторінка|σελίδα)"
    r"(?: (?:no|nr)\.?)?:? ?\d{1,4}(?P<of> ?(?:/|of|von|de|di|sur|van|av|af|z|ze|из|από) ?\d{1,4})?"
    r"|第? ?\d{1,4} ?[页頁]",
    re.IGNORECASE,
)
_BARE_NUMBER = re.compile(r"[-–—] ?\d{1,4} ?[-–—]|\d{1,4} ?/ ?\d{1,4}")
_CONTINUED = r"\W{0,3}(?:{continued})\W{0,5}"
_FIGURE = re.compile(r"\d")


def is_page_number(text: str) -> bool:
    """Whether a line holds nothing but the number of its page."""
    return _PAGE_NUMBER.fullmatch(text) is not None or _BARE_NUMBER.fullmatch(text) is not None


@attrs.frozen(slots=False)
class Outside:
    """What stands over the first headings of a table and below the last numbers: heads and feet of its pages."""

    page: VisualLines
    header: Header

    @cached_property
    def texts(self) -> frozenset[str]:
        top = self.header.last
        least = min(2, max(len(self.page.line(at).chunks) for at in range(self.header.first, top + 1)))
        lines = (*range(max(0, top - MOST_LINES), top), *_below_numbers(self.page, least))
        found = (unnumbered(self.page, index) for index in lines)
        return frozenset(text for text in found if any(map(str.isalpha, text)))

    @cached_property
    def is_titled(self) -> bool:
        """Whether one text stands right over the first headings, or as the first of their lines."""
        lines = range(max(0, self.header.first - 1), self.header.last)
        return any(len(self.page.line(index).chunks) == 1 for index in lines[:2])

    def has(self, index: int) -> bool:
        return unnumbered(self.page, index) in self.texts or self._turns_page(index)

    def is_break(self, lines: range) -> bool:
        """Whether one page ends and the next begins in some lines."""
        return any(begins_page(self.page, index) or self._turns_page(index) for index in lines)

    def _turns_page(self, index: int) -> bool:
        """Whether a line has the number of a page, or says that something goes on on another."""
        return self.numbers_page(index) or _is_continued(self.page, index)

    def numbers_page(self, index: int) -> bool:
        """Whether a line has the number of a page; "Page 2" alone in the midst of rows may be part of a text."""
        chunks = [self.page.text[a:b] for a, b in self.page.line(index).chunks]
        found = next(filter(None, map(_PAGE_NUMBER.fullmatch, chunks)), None)
        if found and (len(chunks) > 1 or found["of"] or unnumbered(self.page, index) in self.texts):
            return True
        is_bare = len(chunks) == 1 and _BARE_NUMBER.fullmatch(chunks[0]) is not None
        return (found is not None or is_bare) and _is_apart(self.page, index)


def _is_continued(page: VisualLines, index: int) -> bool:
    chunks = page.line(index).chunks
    return len(chunks) == 1 and pattern(_CONTINUED).fullmatch(page.text, *chunks[0]) is not None


def _is_apart(page: VisualLines, index: int) -> bool:
    """Whether a line is the first or the last of a page, has a gap beside it, or headings below."""
    if not 0 < index < len(page) - 1 or begins_page(page, index) or begins_page(page, index + 1):
        return True
    above, below = page.line(index - 1), page.line(index + 1)
    if not above.chunks or not below.chunks:
        return True
    return len(below.chunks) > 1 and _FIGURE.search(page.text, below.start, below.end) is None


def _below_numbers(page: VisualLines, least: int) -> Iterator[int]:
    """The lines of the text below the last of at least so many parts that ends in a number.

    Those that may be part of a row there are left out.
    """
    lines: list[int] = []
    for index in range(len(page) - 1, max(-1, len(page) - 1 - MOST_LINES), -1):
        chunks = page.line(index).chunks
        if len(chunks) >= least and is_number(_last_word(page.text, chunks)):
            is_row = sum_term(page.text[slice(*chunks[0])], whole=False) is None
            gap = next((at for at in range(index + 1, len(page)) if not page.line(at).chunks), len(page))
            lines = [at for at in lines if at > gap] if is_row else lines
            break
        lines.append(index)
    yield from lines


def _last_word(text: str, chunks: Sequence[Span]) -> str:
    last = text[slice(*chunks[-1])]
    return last if len(chunks) > 1 else last.rpartition(" ")[2]


def unnumbered(page: VisualLines, index: int) -> str:
    """A line with every number in it alike, as pages have different ones in the same place."""
    line = page.line(index)
    return _DIGITS.sub("0", page.text[line.start : line.end].strip())


def trim_repeated(page: VisualLines, headers: Sequence[Header]) -> list[Header]:
    """The headers; one that comes again has only lines of the first, not a text that stands right over or under it."""
    if len(headers) < 2:
        return [*headers]
    known: dict[_Words, Header] = {}
    trimmed = []
    for header in headers:
        own = {index: _words(page, index) for index in range(header.first, header.last + 1)}
        twin = next((known[words] for words in own.values() if words in known), None)
        header = _as_first(page, header, own, twin) if twin and twin.last < header.first else header
        trimmed.append(header)
        for index in range(header.first, header.last + 1):
            if len(own[index]) > 1:
                known.setdefault(own[index], twin or header)
    return trimmed


def _words(page: VisualLines, index: int) -> _Words:
    line = page.line(index)
    return tuple(page.text[line.start : line.end].split())


def _as_first(page: VisualLines, header: Header, own: dict[int, _Words], twin: Header) -> Header:
    """A header without the lines around those that it shares with another; if set alike, with the columns of that."""
    places = {_words(page, index): index for index in range(twin.first, twin.last + 1)}
    main = max((index for index, words in own.items() if words in places), key=lambda index: len(own[index]))
    step = places[own[main]] - main
    shared = {index for index, words in own.items() if words in places and _words(page, index + step) == words}
    first = next(index for index in range(main, -1, -1) if index - 1 not in shared)
    last = next(index for index in range(main, len(page)) if index + 1 not in shared)
    if (first, last) == (header.first, header.last):
        return header
    if all(_is_set_alike(page, index, index + step) for index in range(first, last + 1)):
        header = attrs.evolve(header, columns=twin.columns, bound=twin.bound)
    return attrs.evolve(header, first=first, last=last)


def _is_set_alike(page: VisualLines, one: int, other: int) -> bool:
    ends = [[(a - line.start, b - line.start) for a, b in line.chunks] for line in map(page.line, (one, other))]
    return ends[0] == ends[1]
