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
from paxman.lazy import lazy_pattern
from paxman.learning.cuts import CUTS, cut
from paxman.lexicon.folding import fold_words
from paxman.page.names import Name, Page, page_of
from paxman.page.places import Place
from paxman.recognizers import Conventions, Reading, find
from paxman.types import FieldType, Span

FEATURES = "2"
"""The version of the signs: lessons of another one do not apply."""

_DATE, _NUMBER, TEXT = "date", "number", "text"
KINDS = {
    FieldType.DATE: _DATE,
    FieldType.DECIMAL: _NUMBER,
    FieldType.INTEGER: _NUMBER,
    FieldType.MONEY: _NUMBER,
}
_MOST_IN_PLACE, _MOST_NAMES = 4, 3
_RUN = lazy_pattern(r"(.)\1+")
_MARKS = {ord(c): "9" if c.isdigit() else "A" if c.isupper() else "a" for c in map(chr, range(128)) if c.isalnum()}

Signs = tuple[str, ...]
_NO_NAME: Signs = ("no name",)


@record
class Mention:
    """A part of the page: its span, and what it is a part of."""

    span: Span
    parts: tuple[str, ...]
    """How it was cut out: a cell, a line, what stands at a name, words with capitals."""


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
        parts: dict[Span, dict[str, None]] = {}
        for span, part in found:
            parts.setdefault(span, {})[part] = None
        self.all = tuple(Mention(span, tuple(parts[span])) for span in sorted(parts))
        self.ties: list[list[Tied]] = [[] for _ in self.all]
        self._tie()
        self._groups: dict[Any, Signs] = {}

    def __len__(self) -> int:
        return len(self.all)

    def text(self, number: int) -> str:
        start, end = self.all[number].span
        return self.page.text[start:end]

    def names(self, number: int) -> list[Tied]:
        """The names that count: the last ones, which are the nearest."""
        return self.ties[number][-_MOST_NAMES:]

    def _tie(self) -> None:
        starts = [mention.span[0] for mention in self.all]
        for name in self.page.names:
            for place in name.places:
                first, last = bisect_left(starts, place.block[0]), bisect_left(starts, place.block[1])
                rank, known = -1, -1
                for number in range(first, last):
                    if starts[number] != known:
                        rank, known = rank + 1, starts[number]
                    if rank >= _MOST_IN_PLACE:
                        break
                    if self.all[number].span[1] <= place.block[1]:
                        self.ties[number].append(Tied(name, place, rank))

    def groups(self, number: int) -> list[Signs]:
        """The signs of a mention: of its line, of what stands before and behind it, of each name, and last its own."""
        start, end = self.all[number].span
        line = self.page.lines.at(start)
        found = [self._shared(("line", line), self._of_line), self._shared(("start", start, line), self._of_start)]
        found.append(self._shared(("end", end, line), self._of_end))
        found += [self._shared(_tie_key(tied, (start, end)), _of_name) for tied in self.names(number)] or [_NO_NAME]
        return [*found, tuple(self._own(number))]

    def signs(self, number: int) -> list[str]:
        """All signs of a mention."""
        return [sign for group in self.groups(number) for sign in group]

    def _shared(self, key: tuple[Any, ...], read: Any) -> Signs:
        found = self._groups.get(key)
        if found is None:
            found = self._groups[key] = tuple(read(*key[1:]))
        return found

    def _of_line(self, number: int) -> Iterator[str]:
        page = self.page
        if number:
            above = page.lines[number - 1].start
            yield f"above {' '.join(self._words_from(above, above + 50)[:3])}"
        if number + 1 < len(page.lines):
            below = page.lines[number + 1].start
            yield f"below {' '.join(self._words_from(below, below + 40)[:2])}"
        section = page.sections[number]
        if section:
            yield f"section {fold_name(section[-1])}"
        yield f"from top {number}" if number < 8 else f"tenth {min(9, 10 * number // len(page.lines))}"
        if page.lines.levels[number]:
            yield "heading"

    def _of_start(self, start: int, number: int) -> Iterator[str]:
        page = self.page
        line = page.lines[number]
        before = self._words_from(max(line.start, start - 60), start)
        if not before and number and not line.blank:
            above = page.lines[number - 1]
            before = [*self._words_from(max(above.start, above.end - 60), above.end), "/"]
        for size in (1, 2, 3):
            if len(before) >= size:
                yield f"before {' '.join(before[-size:])}"
        if start == line.start:
            yield "starts line"
        else:
            yield f"line {' '.join(self._words_from(line.start, min(start, line.start + 40))[:2])}"
        yield f"layout {layout_of(page)} line {number} {' '.join(before[-2:])}"

    def _of_end(self, end: int, number: int) -> Iterator[str]:
        last = self.page.lines[number].end
        after = self._words_from(end, min(max(last, end), end + 30))
        yield f"after {after[0]}" if after else "ends line"

    def _words_from(self, start: int, end: int) -> list[str]:
        """The words between two positions; figures are all alike."""
        return ["0" if word.isdigit() else word for word in self.page.words.between(start, end)]

    def _own(self, number: int) -> Iterator[str]:
        mention = self.all[number]
        yield "any"
        yield from (f"is {part}" for part in mention.parts)
        if number < 4:
            yield f"number {number}"
        if number >= len(self.all) - 2:
            yield f"number -{len(self.all) - number}"
        yield from self._of_text(mention) if self.kind == TEXT else self._of_figure(mention)

    def _of_figure(self, mention: Mention) -> Iterator[str]:
        if self.kind == _NUMBER:
            start, end = mention.span
            yield "with cents" if self.page.text[start:end][-3:-2] in (".", ",") else "no cents"
            near = self.page.text[max(0, start - 2) : end + 2]
            yield "with sign" if any(sign in near for sign in "$€£") else "no sign"
            if "%" in near:
                yield "percent"

    def _of_text(self, mention: Mention) -> Iterator[str]:
        text = self.page.text[mention.span[0] : mention.span[1]]
        words = text.split()
        shape = shape_of(text)
        yield f"words {min(len(words), 9)}"
        yield f"shape {shape}"
        if text.isupper():
            yield "capitals"
        elif len(words) > 1 and all(word[0].isupper() for word in words if word[0].isalpha() and len(word) > 3):
            yield "title case"
        if text[:1].islower():
            yield "small start"
        if "9" in shape or any(map(str.isdigit, text)):
            yield "has digits"
        if "\n" in text:
            yield "several lines"
        if words:
            yield f"last word {fold_name(words[-1])}"
            yield f"first word {fold_name(words[0])}"


def _tie_key(tied: Tied, span: Span) -> tuple[Any, ...]:
    return "name", tied.name.text, tied.place.relation, tied.rank > 0, _covers(span, tied.place)


def _of_name(text: str, relation: str, later: bool, whole: bool) -> Iterator[str]:
    said, size = fold_name(text), "whole" if whole else "part"
    yield f"{relation} {'later' if later else 'first'}"
    yield f"name {said}"
    if not later:
        yield f"first at {said}"
    yield f"{size} {relation}"
    yield f"{size} at {said}"
    yield from (f"name word {word}" for word in dict.fromkeys(said.split()[:6]))


def fold_name(text: str) -> str:
    """The words of a name as they are compared; figures are all alike."""
    return " ".join("0" if word.isdigit() else word for word in fold_words(text[:160]))


def shape_of(text: str) -> str:
    """A short text by its kinds of characters: "INV-123" is "A-9"."""
    short = text[:60]
    if short.isascii():
        marked = short.translate(_MARKS)
    else:
        marked = "".join("9" if c.isdigit() else "A" if c.isupper() else "a" if c.isalpha() else c for c in short)
    return _RUN.sub(r"\1", marked)[:16]


def layout_of(page: Page) -> str:
    """What the letterhead says, as a short hash."""
    cache = page.document.cache
    if "layout" not in cache:
        head = " ".join(fold_name(page.text[line.start : line.end]) for line in page.lines.head(1))
        cache["layout"] = hashlib.sha256(head.encode()).hexdigest()[:8]
    found: str = cache["layout"]
    return found


def mentions_of(document: Document, kind: str, how: Conventions, cuts: Collection[str] = tuple(CUTS)) -> Mentions:
    """The mentions of a kind on a page, found once; texts are cut in these ways."""
    key = ("mentions", kind, frozenset(cuts) if kind == TEXT else None)
    if key not in document.cache:
        page = page_of(document)
        found = cut(page, cuts) if kind == TEXT else _FINDERS[kind](page, how)
        document.cache[key] = Mentions(page, kind, found)
    known: Mentions = document.cache[key]
    return known


def _covers(span: Span, place: Place) -> bool:
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
