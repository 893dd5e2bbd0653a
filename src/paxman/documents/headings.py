"""Where headings stand side by side in the layout of text, and which columns they head.

The words that make a heading are the caller's: the document takes any words, a contract its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple, Protocol

import attrs

from paxman.documents.figures import has_digits, is_number
from paxman.documents.heading_words import OTHER, Hit, Token, tokens_of
from paxman.documents.visual_lines import VisualLines
from paxman.lazy import lazy_pattern
from paxman.types import Span

_MOST_CHUNKS = 24
_LONGEST_HEADING = 30
_STACKED = 3
"""Lines that a heading may take above and below the line that names most columns."""
_REACH = 8
_NO_NUMBER = frozenset("free included incl. n/a tbd gratis kostenlos gratuit offert inclus incluido incluso".split())
_MARGIN = 2
_LONG_CODE = lazy_pattern(r"(?:[A-Z]{1,3} ?)?\d{5,}")
_NO_HEADING = lazy_pattern(r"[,;!?:：]\Z|[:：]\s")
"""A sentence, and a label with its value or before it, are no headings."""

_Part = tuple[int, int, int]
"""A part of a heading: its line, and where it begins and ends on that."""
Cluster = list[_Part]
"""The parts of one heading; one on the main line comes first."""


Bound = tuple[tuple[int, int], ...]
"""Places of columns that are asked for, each with that in the table."""


class Cell(NamedTuple):
    """A chunk of a line and the column of the table that it stands in."""

    column: int
    start: int
    end: int


@attrs.frozen
class Column:
    """A column by the reach of its heading; `below` is how many lines under the first its heading stands."""

    left: int
    right: int
    meaning: int = OTHER
    rank: int = 0
    below: int = 0


class Headings(Protocol):
    """The words that are known as headings."""

    @property
    def figures(self) -> Collection[str]:
        """Headings with figures in them, as they are written."""

    def hits(self, tokens: Sequence[Token]) -> Iterator[Hit]:
        """The known headings among tokens, from the left."""

    def best(self, tokens: Sequence[Token]) -> Hit | None:
        """What a whole heading means."""

    def beside(self, tokens: Sequence[Token]) -> Headings:
        """What is known in a line of these words."""

    def bind(self, columns: Sequence[Column]) -> Bound:
        """The best column for each that is asked for."""


class NoWords:
    """Headings of a table that nobody asked for: none is known, and only their places count."""

    figures: Collection[str] = ()

    def hits(self, tokens: Sequence[Token]) -> Iterator[Hit]:
        return iter(())

    def best(self, tokens: Sequence[Token]) -> Hit | None:
        return None

    def beside(self, tokens: Sequence[Token]) -> Headings:
        return self

    def bind(self, columns: Sequence[Column]) -> Bound:
        return ()


def stack(page: VisualLines, main: int, spans: Sequence[Span], headings: Headings) -> tuple[int, int, list[Cluster]]:
    """The first and the last line of headings, and those that stand above each other, from left to right."""
    origin = page.line(main).start
    parts = [(main, start - origin, end - origin) for start, end in spans]
    left = min(part[1] for part in parts) - _MARGIN
    above = list(_lines_above(page, main, left, headings))
    below = _lines_below(page, main, headings)
    for index in (*above, *below):
        line = page.line(index)
        edge = 0 if index in below[:-1] and _heads_left(page, index, left, headings) else left
        chunks = [(a - line.start, b - line.start) for a, b in line.chunks if b - line.start > edge]
        parts += [(index, *chunk) for chunk in chunks if not _spans_several(chunk, parts[: len(spans)])]
    return min([main, *above]), max([main, *below]), _clusters(parts)


def _heads_left(page: VisualLines, index: int, left: int, headings: Headings) -> bool:
    """Whether a line has only headings left of the others: in the middle of theirs, which take more lines."""
    line = page.line(index)
    is_left = line.chunks[-1][1] - line.start <= left
    return is_left and all(_is_heading(page, chunk, headings, whole=False) for chunk in line.chunks)


def is_title(page: VisualLines, main: int, last: int, cluster: Cluster, headings: Sequence[_Part]) -> bool:
    """Whether what stands over no heading of the main line is none itself: it is apart, or has no cells of its own."""
    lowest = max(part[0] for part in cluster)
    if lowest >= main:
        return False  # The main line has a part of it, or it stands below that.
    if not page.line(lowest + 1).chunks:
        return len(page.line(lowest).chunks) == 1
    left, right = min(part[1] for part in cluster), max(part[2] for part in cluster)
    below = range(last + 1, min(len(page), last + 1 + _REACH))
    lines = ([(a - line.start, b - line.start) for a, b in line.chunks] for line in map(page.line, below))
    cells = [(a, b) for line in lines for a, b in line if a < right and left < b]
    return not cells or any(a < end and start < b for a, b in cells for _, start, end in headings)


def _spans_several(chunk: Span, headings: Sequence[_Part]) -> bool:
    """Whether a chunk reaches over several headings, and so is none of theirs."""
    return sum(chunk[0] < right and left < chunk[1] for _, left, right in headings) > 1


def _lines_above(page: VisualLines, main: int, left: int, headings: Headings) -> Iterator[int]:
    taken = 0
    for index in range(main - 1, max(-1, main - 1 - _REACH), -1):
        if begins_page(page, index + 1):
            return
        line = page.line(index)
        chunks = [chunk for chunk in line.chunks if chunk[1] - line.start > left]
        if taken == _STACKED or not _may_head(page, chunks, headings):
            return
        if chunks:
            taken += 1
            yield index


def begins_page(page: VisualLines, index: int) -> bool:
    """Whether a line is the first of a page."""
    return page.text.startswith("\f", page.line(index).start)


def _lines_below(page: VisualLines, main: int, headings: Headings) -> list[int]:
    """Lines that may go on with the headings; where no data follow them, they are rows themselves."""
    lines: list[int] = []
    for index in range(main + 1, min(len(page), main + 1 + _STACKED)):
        chunks = page.line(index).chunks
        if not chunks or not _may_head(page, chunks, headings):
            break
        lines.append(index)
    after = range(main + 1 + len(lines), min(len(page), main + 1 + len(lines) + _REACH))
    data = next((index for index in after if page.line(index).chunks), None)
    if data is None or _may_head(page, page.line(data).chunks, headings):
        return []
    numbers = data
    while lines and (_begins_text(page, lines[-1], data, headings) or _is_row(page, lines[-1], numbers, headings)):
        data = lines.pop()
    return lines


def _is_row(page: VisualLines, index: int, below: int, headings: Headings) -> bool:
    """Whether a line is a row without a number: a name over a text, and "free" or a dash over a number."""
    line, base = page.line(index), page.line(below).start
    words = (chunk for chunk in line.chunks if tokens_of(page.text, *chunk))
    if len(line.chunks) < 2 or any(_is_heading(page, chunk, headings, whole=False) for chunk in words):
        return False
    (first, _), *others = line.chunks
    begins = (a for a, b in page.line(below).chunks if not is_number(page.text[a:b]))
    is_named = page.text[first].isupper() and any(abs(a - base - first + line.start) <= _MARGIN for a in begins)
    return is_named and all(_lacks_number(page, line.start, chunk, below) for chunk in others)


def _lacks_number(page: VisualLines, origin: int, chunk: Span, below: int) -> bool:
    """Whether a word that is written small or says that there is none, or a sign, stands over a number."""
    base = page.line(below).start - origin
    left, right = chunk[0] + base - _MARGIN, chunk[1] + base + _MARGIN
    under = [page.text[a:b] for a, b in page.line(below).chunks if a < right and left < b]
    text = page.text[slice(*chunk)]
    says_none = text.islower() or text.casefold() in _NO_NUMBER or not any(map(str.isalnum, text))
    return says_none and len(under) == 1 and is_number(under[0])


def _begins_text(page: VisualLines, index: int, below: int, headings: Headings) -> bool:
    """Whether a line is the first of a text: in the line below is text, a code, or nothing, or more than one column."""
    chunks, base = page.line(index).chunks, page.line(below).start
    if len(chunks) != 1 or not page.text[chunks[0][0]].isalnum():
        return False
    left, right = (at - page.line(index).start for at in chunks[0])
    under = [(a, b) for a, b in page.line(below).chunks if a - base < right and b - base > left]
    if _is_heading(page, chunks[0], headings, whole=bool(under)):
        return False
    return len(under) > 1 or all(abs(a - base - left) <= _MARGIN and _is_text(page.text[a:b]) for a, b in under)


def _is_text(text: str) -> bool:
    """Whether a chunk is no number, or one that is so long without a sign in it that it is a code."""
    return not is_number(text) or _LONG_CODE.fullmatch(text) is not None


def _is_heading(page: VisualLines, chunk: Span, headings: Headings, *, whole: bool) -> bool:
    """Whether half of the words of a line are known as headings, or the whole."""
    tokens = tokens_of(page.text, *chunk)
    return sum(hit.last - hit.first for hit in headings.hits(tokens)) * (1 if whole else 2) >= len(tokens)


def _may_head(page: VisualLines, chunks: Sequence[Span], headings: Headings) -> bool:
    """Whether all that stands on a line may be headings: few, short, and no data."""
    return len(chunks) <= _MOST_CHUNKS and not any(
        end - start > _LONGEST_HEADING
        or has_digits(page.text, (start, end))
        or (_NO_HEADING.search(page.text, start, end) and not _is_heading(page, (start, end), headings, whole=True))
        for start, end in chunks
    )


def _clusters(parts: list[_Part]) -> list[Cluster]:
    """Parts that share a column of the page, from left to right; the main line's parts come first and never merge."""
    clusters: list[Cluster] = []
    for part in parts:
        home = next((c for c in clusters if c[0][0] != part[0] and _overlap(c, part) > 0), None)
        if home is None:
            clusters.append([part])
        else:
            home.append(part)
    return sorted(clusters, key=lambda cluster: cluster[0][1])


def _overlap(cluster: Cluster, part: _Part) -> int:
    return max(min(right, part[2]) - max(left, part[1]) for _, left, right in cluster)
