"""Mentions: every part of a page that could be a value, and the named signs of what stands around it.

Both are worked out once per document, whatever the number of fields. Signs come in groups that mentions share.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from paxman.classes import record
from paxman.documents.document import Document
from paxman.lazy import lazy_pattern, remembered
from paxman.learning.cuts import CUTS, cut
from paxman.lexicon.folding import fold_words
from paxman.page.names import Name, Page, page_of
from paxman.page.places import Place
from paxman.recognizers import Conventions, Reading, find
from paxman.types import FieldType, Span

FEATURES = "4"
"""The version of the signs: lessons of another one do not apply."""

_DATE, _NUMBER, TEXT = "date", "number", "text"
KINDS = {
    FieldType.DATE: _DATE,
    FieldType.DECIMAL: _NUMBER,
    FieldType.INTEGER: _NUMBER,
    FieldType.MONEY: _NUMBER,
}
_MOST_IN_PLACE, _MOST_NAMES, _MOST_BEFORE = 4, 3, 3
_LONGEST_LABEL = 60
_REPEATED = lazy_pattern(r"(.)(?=\1)")
_MARKS = {ord(c): "9" if c.isdigit() else "A" if c.isupper() else "a" for c in map(chr, range(128)) if c.isalnum()}

Signs = tuple[str, ...]
ANY: Signs = ("any",)
_NO_NAME: Signs = ("no name",)
LINE_SIGNS = frozenset("above below section from tenth heading after ends".split())
OWN_SIGNS = frozenset("words shape capitals title small has several last first percent is number with no".split())
"""The first words of the signs of a mention's line and of what stands behind it, and of its own."""
REPEATED = frozenset(("is", "number", "with", "no"))
"""Those of which a mention may have more than one."""


@record
class Tied:
    """A name that a mention stands with."""

    name: Name
    place: Place
    rank: int
    """How many mentions of the kind stand before it at the place."""


class Mentions:
    """All mentions of one kind on a page, in order, with their signs."""

    def __init__(self, page: Page, kind: str, found: Iterable[tuple[Span, str]]) -> None:
        self.page, self.kind = page, kind
        self._parts: dict[Span, dict[str, None]] = {}
        for span, part in found:
            self._parts.setdefault(span, {})[part] = None
        self.spans = sorted(self._parts)
        self.ties: list[list[Tied]] = [[] for _ in self.spans]
        self._tie()
        self._groups: dict[Any, Signs] = {}

    def __len__(self) -> int:
        return len(self.spans)

    def text(self, number: int) -> str:
        start, end = self.spans[number]
        return self.page.text[start:end]

    def parts(self, number: int) -> tuple[str, ...]:
        """How a mention was cut out: a cell, a line, what stands at a name, words with capitals."""
        return tuple(self._parts[self.spans[number]])

    def names(self, number: int) -> list[Tied]:
        """The names that count: the last ones, which are the nearest."""
        return self.ties[number][-_MOST_NAMES:]

    def _tie(self) -> None:
        starts = [start for start, _ in self.spans]
        for name in self.page.names:
            for place in name.places:
                first, last = bisect_left(starts, place.block[0]), bisect_left(starts, place.block[1])
                rank, known = -1, -1
                for number in range(first, last):
                    if starts[number] != known:
                        rank, known = rank + 1, starts[number]
                    if rank >= _MOST_IN_PLACE:
                        break
                    if self.spans[number][1] <= place.block[1]:
                        self.ties[number].append(Tied(name, place, rank))

    def near(self, number: int) -> list[Signs]:
        """The signs of what stands before a mention, and of each of its names."""
        start, end = self.spans[number]
        found = [self._shared(("start", start), self._of_start)]
        found += [self._shared(_tie_key(tied, (start, end)), _of_name) for tied in self.names(number)] or [_NO_NAME]
        return found

    def far(self, number: int) -> list[Signs]:
        """The signs of the line of a mention, and of what stands behind it."""
        start, end = self.spans[number]
        line = self.page.lines.at(start)
        return [self._shared(("line", line), self._of_line), self._shared(("end", end, line), self._of_end)]

    def signs(self, number: int) -> list[str]:
        """All signs of a mention."""
        groups = (ANY, *self.near(number), *self.far(number), self.own(number))
        return [sign for group in groups for sign in group]

    def _shared(self, key: tuple[Any, ...], read: Any) -> Signs:
        found = self._groups.get(key)
        if found is None:
            found = self._groups[key] = tuple(read(*key[1:]))
        return found

    def _of_line(self, number: int) -> Iterator[str]:
        page = self.page
        if number:
            yield f"above {' '.join(self._first_words(number - 1, 3))}"
        if number + 1 < len(page.lines):
            yield f"below {' '.join(self._first_words(number + 1, 2))}"
        section = page.sections[number]
        if section:
            yield f"section {fold_name(section[-1])}"
        yield f"from top {number}" if number < 8 else f"tenth {min(9, 10 * number // len(page.lines))}"
        if page.lines.levels[number]:
            yield "heading"

    def _first_words(self, number: int, most: int) -> list[str]:
        line, words = self.page.lines[number], self.page.words
        first = words.at(line.start)
        return words.alike[first : min(first + most, words.at(line.end))]

    def _of_start(self, start: int) -> list[str]:
        words, number = self.page.words, self.page.lines.at(start)
        line = self.page.lines[number]
        first, at = words.at(line.start), words.at(start)
        before = words.alike[max(first, at - _MOST_BEFORE) : at]
        if not before and number and not line.blank:
            above = words.at(self.page.lines[number - 1].start)
            before = [*words.alike[max(above, first - _MOST_BEFORE + 1) : first], "/"]
        found = [f"before {' '.join(before[-size:])}" for size in range(1, len(before) + 1)]
        if start == line.start:
            found.append("starts line")
        else:
            found.append(f"line {' '.join(words.alike[first : min(first + 2, at)])}")
        found.append(f"layout {layout_of(self.page)} line {number} {' '.join(before[-2:])}")
        return found

    def _of_end(self, end: int, number: int) -> Signs:
        words = self.page.words
        at = words.at(end)
        return (f"after {words.alike[at]}",) if at < words.at(self.page.lines[number].end) else ("ends line",)

    def own(self, number: int) -> list[str]:
        """The signs of a mention by itself."""
        found = [f"is {part}" for part in self._parts[self.spans[number]]]
        if number < 4:
            found.append(f"number {number}")
        if number >= len(self.spans) - 2:
            found.append(f"number -{len(self.spans) - number}")
        return found + (_of_text(self.text(number)) if self.kind == TEXT else self._of_figure(self.spans[number]))

    def _of_figure(self, span: Span) -> list[str]:
        if self.kind != _NUMBER:
            return []
        start, end = span
        near = self.page.text[max(0, start - 2) : end + 2]
        found = ["with cents" if self.page.text[start:end][-3:-2] in (".", ",") else "no cents"]
        found.append("with sign" if any(sign in near for sign in "$€£") else "no sign")
        return [*found, "percent"] if "%" in near else found


def _of_text(text: str) -> list[str]:
    words, shape = text.split(), shape_of(text)
    found = [f"words {min(len(words), 9)}", f"shape {shape}"]
    if text.isupper():
        found.append("capitals")
    elif len(words) > 1 and all(word[0].isupper() for word in words if len(word) > 3 and word[0].isalpha()):
        found.append("title case")
    if text[:1].islower():
        found.append("small start")
    if "9" in shape or any(map(str.isdigit, text)):
        found.append("has digits")
    if "\n" in text:
        found.append("several lines")
    if words:
        found += (f"last word {fold_name(words[-1])}", f"first word {fold_name(words[0])}")
    return found


def _tie_key(tied: Tied, span: Span) -> tuple[Any, ...]:
    return "name", tied.name.text, tied.place.relation, tied.rank > 0, covers(span, tied.place)


def _of_name(text: str, relation: str, later: bool, whole: bool) -> Iterator[str]:
    said, size = fold_name(text), "whole" if whole else "part"
    yield f"{relation} {'later' if later else 'first'}"
    yield f"name {said}"
    if not later:
        yield f"{relation} at {said}"
    yield f"{size} {relation}"
    yield f"{size} at {said}"
    yield from (f"name word {word}" for word in dict.fromkeys(said.split()[:6]))


def fold_name(text: str) -> str:
    """The words of a name as they are compared; figures are all alike."""
    return " ".join("0" if word.isdigit() else word for word in fold_words(text[:160]))


def label_at(page: Page, start: int) -> str:
    """The words of the nearest name that has a place where something starts."""
    at = [name for name in page.names if any(place.span[0] <= start < place.span[1] for place in name.places)]
    return fold_name(at[-1].text) if at and len(at[-1].text) <= _LONGEST_LABEL else ""


def shape_of(text: str) -> str:
    """A short text by its kinds of characters: "INV-123" is "A-9"."""
    short = text[:60]
    if short.isascii():
        marked = short.translate(_MARKS)
    else:
        marked = "".join("9" if c.isdigit() else "A" if c.isupper() else "a" if c.isalpha() else c for c in short)
    return _REPEATED.sub("", marked)[:16]


@remembered(lambda page: (page.document.cache,))
def layout_of(page: Page) -> str:
    """What the letterhead says, as a short hash."""
    head = " ".join(fold_name(page.text[line.start : line.end]) for line in page.lines.head(1))
    return hashlib.sha256(head.encode()).hexdigest()[:8]


@remembered(lambda document, kind, how, cuts=CUTS: (document.cache, kind, frozenset(cuts) if kind == TEXT else None))
def mentions_of(document: Document, kind: str, how: Conventions, cuts: Collection[str] = tuple(CUTS)) -> Mentions:
    """The mentions of a kind on a page, found once; texts are cut in these ways."""
    page = page_of(document)
    found = cut(page, cuts) if kind == TEXT else _FINDERS[kind](page, how)
    return Mentions(page, kind, found)


def covers(span: Span, place: Place) -> bool:
    size = 10 * (span[1] - span[0])
    return any(size >= 9 * (end - start) for start, end in (place.span, place.block))


def _dates(page: Page, how: Conventions) -> Iterator[tuple[Span, str]]:
    yield from ((_span(each), "date") for each in find("date", page.text, how))


def _numbers(page: Page, how: Conventions) -> Iterator[tuple[Span, str]]:
    money = [_span(each) for each in find("money", page.text, how)]
    yield from ((span, "money") for span in money)
    starts = [start for start, _ in money]
    for each in find("decimal", page.text, how):
        at = bisect_right(starts, each.start) - 1
        if at < 0 or money[at][1] <= each.start:
            yield _span(each), "number"


def _span(reading: Reading) -> Span:
    return reading.start, reading.end


_FINDERS = {_DATE: _dates, _NUMBER: _numbers}
