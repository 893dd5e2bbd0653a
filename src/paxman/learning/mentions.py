"""Mentions: every part of a page that could be a value, and the named signs of what stands around it.

Both are worked out once per document, whatever the number of fields.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from paxman.classes import record
from paxman.documents.document import Document
from paxman.lazy import lazy_pattern
from paxman.lexicon.folding import fold_words
from paxman.page.names import Name, Page, Place, page_of
from paxman.recognizers import Conventions, Reading, find
from paxman.types import FieldType, Span

FEATURES = "1"
"""The version of the signs: lessons of another one do not apply."""

_DATE, _NUMBER, TEXT = "date", "number", "text"
KINDS = {
    FieldType.DATE: _DATE,
    FieldType.DECIMAL: _NUMBER,
    FieldType.INTEGER: _NUMBER,
    FieldType.MONEY: _NUMBER,
}
_LONGEST = 600
_MOST_IN_PLACE = 4
_MOST_PROSE = 3000
_HEAD, _MOST_LINES = 16, 5
_WORD = lazy_pattern(r"[^\W_]+(?:['’][^\W\d_]{1,2}(?![^\W_]))?")
_SPACED = lazy_pattern(r"\S+")
_PROPER = lazy_pattern(
    r"(?:[A-Z][\w&.'’-]*|\d[\w.-]*)(?:,?[ \t]+(?:(?:of|the|and|de|for|&)[ \t]+)?(?:[A-Z][\w&.'’-]*|\d[\w.-]*|&)){0,7}"
)
_PART = lazy_pattern(r"[^,;:()|\[\]“”\"\t\n]+")
_ITEM = lazy_pattern(r"\s*(?:[-*•·○▪–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+")
_TRIM, _TRIM_END = " \t\n,;:|\"“”'‘’*_-–•", " \t\n,;:|\"“”'‘’*_"
_AND = lazy_pattern(r"[^,;:()|\[\]“”\"\t\n]+?(?=,|;|\.\s|\.?$|\sand\s|\sor\s|\n)", re.IGNORECASE)
_SENTENCE = lazy_pattern(r"[^.!?;\n]+(?:\n[^.!?;\n]+){0,3}")


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
        self._signs: dict[int, tuple[str, ...]] = {}

    def __len__(self) -> int:
        return len(self.all)

    def text(self, number: int) -> str:
        start, end = self.all[number].span
        return self.page.text[start:end]

    def signs(self, number: int) -> tuple[str, ...]:
        """The signs of a mention, each once."""
        found = self._signs.get(number)
        if found is None:
            found = self._signs[number] = tuple(dict.fromkeys(self._read_signs(number)))
        return found

    def _tie(self) -> None:
        starts = [mention.span[0] for mention in self.all]
        for name in self.page.names:
            for place in name.places:
                first, last = bisect_left(starts, place.block[0]), bisect_left(starts, place.block[1])
                seen: dict[int, None] = {}
                for number in range(first, last):
                    seen[starts[number]] = None
                    if len(seen) > _MOST_IN_PLACE:
                        break
                    if self.all[number].span[1] <= place.block[1]:
                        self.ties[number].append(Tied(name, place, len(seen) - 1))

    def _read_signs(self, number: int) -> Iterator[str]:
        mention = self.all[number]
        yield "any"
        yield from (f"is {part}" for part in mention.parts)
        yield from self._of_names(number)
        yield from self._of_line(mention)
        yield from self._of_order(number)
        yield from self._of_shape(mention)

    def _of_names(self, number: int) -> Iterator[str]:
        span = self.all[number].span
        if not self.ties[number]:
            yield "no name"
        for tied in self.ties[number][-3:]:
            said, relation = fold_name(tied.name.text), tied.place.relation
            yield f"{relation} {'first' if not tied.rank else 'later'}"
            yield f"name {said}"
            if not tied.rank:
                yield f"first at {said}"
            whole = "whole" if _covers(span, tied.place) else "part"
            yield f"{whole} {relation}"
            yield f"{whole} at {said}"
            yield from (f"name word {word}" for word in said.split()[:6])

    def _of_line(self, mention: Mention) -> Iterator[str]:
        page, (start, end) = self.page, mention.span
        number = page.lines.at(start)
        line = page.lines[number]
        before = _folded(page.text[max(line.start, start - 60) : start])
        if not before and number and not line.blank:
            above = page.lines[number - 1]
            before = (*_folded(page.text[max(above.start, above.end - 60) : above.end]), "/")
        for size in (1, 2, 3):
            if len(before) >= size:
                yield f"before {' '.join(before[-size:])}"
        after = _folded(page.text[end : min(max(line.end, end), end + 30)])
        yield f"after {after[0]}" if after else "ends line"
        if start == line.start:
            yield "starts line"
        else:
            yield f"line {' '.join(_folded(page.text[line.start : min(start, line.start + 40)])[:2])}"
        if number:
            above = page.lines[number - 1]
            yield f"above {' '.join(_folded(page.text[above.start : above.start + 50])[:3])}"
        if number + 1 < len(page.lines):
            below = page.lines[number + 1]
            yield f"below {' '.join(_folded(page.text[below.start : below.start + 40])[:2])}"
        section = page.sections[number]
        if section:
            yield f"section {fold_name(section[-1])}"
        yield f"from top {number}" if number < 8 else f"tenth {min(9, 10 * number // len(page.lines))}"
        yield f"layout {layout_of(page)} line {number} {' '.join(before[-2:])}"
        if page.lines.levels[number]:
            yield "heading"

    def _of_order(self, number: int) -> Iterator[str]:
        if number < 4:
            yield f"number {number}"
        if number >= len(self.all) - 2:
            yield f"number -{len(self.all) - number}"

    def _of_shape(self, mention: Mention) -> Iterator[str]:
        text = self.page.text[mention.span[0] : mention.span[1]]
        if self.kind != TEXT:
            if self.kind == _NUMBER:
                yield "with cents" if text[-3:-2] in (".", ",") else "no cents"
                near = self.page.text[max(0, mention.span[0] - 2) : mention.span[1] + 2]
                yield "with sign" if any(sign in near for sign in "$€£") else "no sign"
                if "%" in near:
                    yield "percent"
            return
        words = text.split()
        yield f"words {min(len(words), 9)}"
        yield f"shape {shape_of(text)}"
        if text.isupper():
            yield "capitals"
        elif len(words) > 1 and all(word[0].isupper() for word in words if word[0].isalpha() and len(word) > 3):
            yield "title case"
        if text[:1].islower():
            yield "small start"
        if any(map(str.isdigit, text)):
            yield "has digits"
        if "\n" in text:
            yield "several lines"
        yield f"last word {fold_name(words[-1])}" if words else "no words"
        yield f"first word {fold_name(words[0])}" if words else "no words"


def fold_name(text: str) -> str:
    """The words of a name as they are compared; figures are all alike."""
    return " ".join("0" if word.isdigit() else word for word in fold_words(text[:160]))


def shape_of(text: str) -> str:
    """A short text by its kinds of characters: "INV-123" is "A-9"."""
    found: list[str] = []
    for char in text[:60]:
        mark = "9" if char.isdigit() else "A" if char.isupper() else "a" if char.isalpha() else char
        if not found or found[-1] != mark:
            found.append(mark)
    return "".join(found)[:16]


def layout_of(page: Page) -> str:
    """What the letterhead says, as a short hash."""
    cache = page.document.cache
    if "layout" not in cache:
        head = " ".join(fold_name(page.text[line.start : line.end]) for line in page.lines.head(1))
        cache["layout"] = hashlib.sha256(head.encode()).hexdigest()[:8]
    found: str = cache["layout"]
    return found


def mentions_of(document: Document, kind: str, how: Conventions) -> Mentions:
    """The mentions of a kind on a page, found once."""
    key = ("mentions", kind)
    if key not in document.cache:
        page = page_of(document)
        document.cache[key] = Mentions(page, kind, _FINDERS[kind](page, how))
    found: Mentions = document.cache[key]
    return found


def _covers(span: Span, place: Place) -> bool:
    size = span[1] - span[0]
    return any(size >= 0.9 * (end - start) for start, end in (place.span, place.block))


def _folded(text: str) -> tuple[str, ...]:
    return tuple("0" if word.isdigit() else word for found in _WORD.findall(text) for word in fold_words(found))


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


def _texts(page: Page, how: Conventions) -> Iterator[tuple[Span, str]]:
    for span, part in _cuts(page):
        trimmed = trim(page.text, span)
        if trimmed[0] < trimmed[1] and trimmed[1] - trimmed[0] <= _LONGEST:
            yield trimmed, part


def trim(text: str, span: Span) -> Span:
    """A span without the marks around it; a bracket goes unless its other half is inside."""
    start, end = span
    while start < end and text[start] in _TRIM:
        start += 1
    while end > start and text[end - 1] in _TRIM_END:
        end -= 1
    return start, end


def _joined_lines(page: Page) -> Iterator[tuple[Span, str]]:
    """Lines on top of the page taken together, as names and addresses of letterheads are written."""
    for line in page.lines.head(_HEAD):
        for count in range(1, _MOST_LINES):
            if line.number + count < len(page.lines) and not page.lines[line.number + count].gridded:
                yield (line.start, page.lines[line.number + count].end), f"{count + 1} lines"


def _past_word(text: str, span: Span) -> Span:
    """A part of an enumeration without the word that joins it to the one before."""
    start = span[0] + len(text[span[0] : span[1]]) - len(text[span[0] : span[1]].lstrip())
    for word in ("and ", "or "):
        if text[start : start + len(word)].lower() == word:
            return start + len(word), span[1]
    return start, span[1]


def _cuts(page: Page) -> Iterator[tuple[Span, str]]:
    prose = 0
    for line in page.lines:
        yield (line.start, line.end), "line"
        mark = _ITEM.match(page.text, line.start, line.end)
        if mark and mark.end() < line.end:
            yield (mark.end(), line.end), "item"
        for cell in line.cells:
            yield cell, "cell"
            parts = [match.span() for match in _PART.finditer(page.text, *cell)]
            for part in parts if len(parts) > 1 else ():
                yield part, "part"
            if " and " in page.text[cell[0] : cell[1]]:
                for span in (match.span() for match in _AND.finditer(page.text, *cell)):
                    yield _past_word(page.text, span), "joined"
            if prose < _MOST_PROSE:
                for match in _PROPER.finditer(page.text, *cell):
                    prose += 1
                    yield match.span(), "proper"
            if cell[1] - cell[0] < 80:
                yield from ((match.span(), "word") for match in _SPACED.finditer(page.text, *cell))
    yield from _joined_lines(page)
    for name in page.names:
        for place in name.places:
            yield place.span, "place"
            yield place.block, "block"
            line = page.lines[page.lines.at(place.span[0])]
            end = next((end for start, end in line.cells if start <= place.span[0] < end), 0)
            if end > place.span[1]:
                yield (place.span[0], end), "rest"
            mark = _ITEM.match(page.text, *place.span)
            if mark:
                yield (mark.end(), place.span[1]), "place item"
            sentence = _SENTENCE.match(page.text, mark.end() if mark else place.block[0], place.block[1])
            if sentence and sentence.end() < place.block[1]:
                yield sentence.span(), "sentence"


_FINDERS = {_DATE: _dates, _NUMBER: _numbers, TEXT: _texts}
