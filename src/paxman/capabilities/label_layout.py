"""Where values stand to their labels: beside, below, or in the same column."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Any, Literal

from paxman.capabilities.base import Basis, CapabilityContext
from paxman.capabilities.label_scan import Hit, Scan
from paxman.capabilities.leading_labels import is_choice, leads_with_label
from paxman.capabilities.values import conventions
from paxman.classes import record
from paxman.documents.visual_lines import Line, VisualLines
from paxman.recognizers import Conventions, Reading, find
from paxman.types import Span

Relation = Literal["beside", "below", "column"]
SHIFT = 60
"""Columns that a value may stand to the right of the label above it, where that is the last of its line."""
LONGEST_LINE = 4000
"""Longer lines are no layout; nothing is sought below them."""


@record
class Spot:
    """A value and the label it stands with; `weak` counts what speaks against the tie."""

    reading: Reading
    hit: Hit
    relation: Relation
    rank: int
    weak: int = 0
    basis: Basis = "name"

    @property
    def cost(self) -> int:
        """How far the label is from what the field asks for."""
        return cost_of(self.rank, self.weak)

    @property
    def order(self) -> tuple[Any, ...]:
        return self.cost, self.rank, self.reading.start


_COSTS = (0, 0, 1, 1, 2, 3, 4)


def cost_of(rank: int, weak: int) -> int:
    return _COSTS[min(rank, len(_COSTS) - 1)] + weak


def settle(spots: list[Spot]) -> list[Spot]:
    """The spots of the best tie; others are kept only if they agree with one of them."""
    if not spots:
        return []
    ordered = sorted(spots, key=lambda spot: spot.order)
    best = ordered[0]
    level = [spot for spot in ordered if (spot.cost, spot.rank) == (best.cost, best.rank)]
    values = [spot.reading.value for spot in level]
    return [spot for spot in ordered if spot in level or spot.reading.value in values]


class Reader:
    """Reads the typed values of lines, each line once."""

    def __init__(self, context: CapabilityContext, scan: Scan) -> None:
        self.context, self.scan, self.page = context, scan, scan.page
        self.text = scan.page.text
        self.how = conventions(context)
        cache = context.document.cache.setdefault("line_values", {})
        self._cache: dict[tuple[str, int], list[Reading]] = cache

    def values(self, kind: str, line: int) -> list[Reading]:
        """Values of a kind on a line, in the document's own offsets."""
        key = (kind, line)
        if key not in self._cache:
            place = self.page.line(line)
            found = _FINDERS[kind](self.text[place.start : place.end], self)
            self._cache[key] = [reading.shifted(place.start) for reading in found]
        return self._cache[key]


def _find_dates(text: str, reader: Reader) -> list[Reading]:
    return find_days(text, reader.how) if any(map(str.isdigit, text)) else []


def find_days(text: str, how: Conventions) -> list[Reading]:
    """Dates in the years of business papers; an earlier year is a time or a number beside a month, 60-11-28 a code."""
    found = [reading for reading in find("date", text, how) if 1900 <= reading.value.year < 2100]
    return [r for r in found if r.value.year < _FAR_YEAR or str(r.value.year) in text[r.start : r.end]]


_FAR_YEAR = 2050


def _find_money(text: str, reader: Reader) -> list[Reading]:
    """Amounts of a line: those with a currency, then bare numbers in the currency of the page."""
    if not any(map(str.isdigit, text)):
        return []
    money = find("money", text, reader.how)
    if money and not _has_other_digits(text, money):
        return money
    bare = [reading for reading in find("decimal", text, reader.how) if not _overlaps(reading, money)]
    return sorted([*money, *bare], key=lambda reading: reading.start)


def _has_other_digits(text: str, readings: list[Reading]) -> bool:
    """Whether figures stand outside of readings."""
    gaps = zip([0, *(r.end for r in readings)], [*(r.start for r in readings), len(text)], strict=True)
    return any(_DIGIT.search(text, *gap) for gap in gaps)


_DIGIT = re.compile(r"\d")


def _overlaps(reading: Reading, others: list[Reading]) -> bool:
    """Whether a reading shares characters with one of others, which stand in order."""
    index = bisect_left(others, reading.start, key=lambda other: other.end)
    while index < len(others) and others[index].end == reading.start:
        index += 1
    return index < len(others) and others[index].start < reading.end


_IDENTIFIER = re.compile(r"[A-Za-z0-9](?:[\w./-]*[A-Za-z0-9])?")


# As in FV/2024/05/17: what looks like a date is a part of the number.
_SERIES = re.compile(r"[A-Z]{1,5}[/-]\d{1,8}[/-]")


def _find_identifiers(text: str, reader: Reader) -> list[Reading]:
    """Tokens with a digit that are neither dates nor amounts."""
    others = _find_dates(text, reader)
    found = []
    for match in _IDENTIFIER.finditer(text):
        token = match[0]
        if any(map(str.isdigit, token)) and len(token) > 1:
            reading = Reading(match.start(), match.end(), token)
            if _SERIES.match(token) or not _overlaps(reading, others):
                found.append(reading)
    return found


_FINDERS: dict[str, Callable[[str, Reader], list[Reading]]] = {
    "date": _find_dates,
    "amount": _find_money,
    "identifier": _find_identifiers,
    "integer": lambda text, reader: find("integer", text, reader.how),
    "percent": lambda text, reader: find("percent", text, reader.how) if "%" in text else [],
}
WORDS = re.compile(r"[^\W\d_]{2,}")


def modified(reader: Reader, hit: Hit) -> bool:
    """Whether other words of the same chunk stand before a label, as in "Agency order #", or a misread one."""
    before = words_before(reader, hit)
    return (_MISREAD if any(map(str.isdigit, before)) else WORDS).search(before) is not None


# A digit that looks like a letter stands in a word right before the label: "Su6-total".
_MISREAD = re.compile(r"(?<!\w)(?:[^\W\d_]{2,20}[01568][^\W\d_]{0,20}|[^\W\d_][01568][^\W\d_]{2,20})[- ]?\Z")


def words_before(reader: Reader, hit: Hit) -> str:
    """What stands before a label in its chunk, after another label or a colon."""
    line = reader.page.line(hit.line)
    chunk = line.chunks[reader.page.chunk_at(hit.start)] if line.chunks else (hit.start, hit.start)
    before = reader.text[max(chunk[0], hit.start - 40) : hit.start]
    previous = reader.scan.before(hit)
    if previous and previous.end > chunk[0]:
        before = reader.text[previous.end : hit.start]
    return before.rpartition(":")[2]


def stop_of(reader: Reader, hit: Hit) -> int:
    """Where the next label on the line takes over, or the line ends."""
    following = reader.scan.after(hit)
    return following.start if following else reader.page.line(hit.line).end


def beside(reader: Reader, kind: str, hit: Hit, stop: int | None = None) -> list[Reading]:
    """Values between a label and the next one on the line."""
    values = reader.values(kind, hit.line)
    if not values:
        return []
    # A label such as "Total CHF" shares the currency with its value.
    first = bisect_right(values, hit.end, key=lambda reading: reading.end)
    last = bisect_left(values, stop_of(reader, hit) if stop is None else stop, key=lambda reading: reading.start)
    return values[first:last]


def below(reader: Reader, kind: str, hit: Hit, most: int = 2) -> list[Reading]:
    """Values in the nearest chunk under a label."""
    page, upper = reader.page, reader.page.line(hit.line)
    if upper.end - upper.start > LONGEST_LINE:
        return []
    beyond: list[Reading] | None = None
    for lower in page.below(hit.line, most):
        chunk = under(page, hit, lower)
        if chunk is None:
            continue
        named = is_labelled(reader, chunk) or (kind != "date" and is_choice(reader.text, chunk))
        found = [] if named else [r for r in reader.values(kind, lower) if chunk[0] <= r.start < chunk[1]]
        is_shifted = _is_shifted(page, hit, lower, chunk)
        if not is_shifted and (found or beyond is None):
            return found
        beyond = found if beyond is None else beyond
    return beyond or []


def _is_shifted(page: VisualLines, hit: Hit, lower: int, chunk: Span) -> bool:
    """Whether a chunk is only near the column of a label, and may belong to a column beside it."""
    line = page.line(lower)
    return chunk == shifted(page, hit, lower) and chunk != _in_order(page, hit, line)


def is_labelled(reader: Reader, chunk: Span) -> bool:
    """Whether a chunk starts with a label of its own, known or not: what it holds belongs to that."""
    return reader.scan.starts_at(chunk[0]) or leads_with_label(reader.text, *chunk)


def under(page: VisualLines, hit: Hit, lower: int) -> Span | None:
    """The chunk of a lower line in the column of a label."""
    line, upper = page.line(lower), page.line(hit.line)
    if line.end - line.start > LONGEST_LINE:
        return None
    in_order = _in_order(page, hit, line)
    if page.text.find("\t", upper.start, upper.end) >= 0:
        return in_order or _in_cell(page, hit, line)
    best = _overlapping(page, hit, line)
    if in_order and best and in_order != best:
        return best if _is_aligned(page, hit, best) else in_order
    return best or shifted(page, hit, lower) or in_order


def _overlapping(page: VisualLines, hit: Hit, line: Line) -> Span | None:
    """The chunk that shares most columns with a label."""
    upper = page.line(hit.line)
    left, right = page.column(upper.start, hit.start), page.column(upper.start, hit.end)
    best, shared = None, 0
    for chunk in line.chunks:
        overlap = min(right, page.column(line.start, chunk[1])) - max(left, page.column(line.start, chunk[0]))
        if overlap > shared:
            best, shared = chunk, overlap
    return best


def _in_order(page: VisualLines, hit: Hit, line: Line) -> Span | None:
    """The chunk of the same number as the label's, where a row has as many as the headings above it."""
    upper = page.line(hit.line)
    cells = line.chunks
    if len(cells) > len(upper.chunks) > 1:
        cells = tuple(chunk for chunk in cells if any(map(str.isalnum, page.text[chunk[0] : chunk[1]])))
    return cells[page.chunk_at(hit.start)] if len(cells) == len(upper.chunks) > 1 else None


def _in_cell(page: VisualLines, hit: Hit, line: Line) -> Span | None:
    """The chunk behind as many tabs as the label; from the end where the row starts further left than the headings."""
    upper = page.line(hit.line)
    ahead = (upper.chunks[0][0] - upper.start) - (line.chunks[0][0] - line.start) if line.chunks else 0
    if ahead > _SLACK and len(line.chunks) > len(upper.chunks):
        return line.chunks[page.chunk_at(hit.start) - len(upper.chunks)]
    tabs = page.text.count("\t", upper.start, hit.start)
    return next((chunk for chunk in line.chunks if page.text.count("\t", line.start, chunk[0]) == tabs), None)


def _is_aligned(page: VisualLines, hit: Hit, chunk: Span) -> bool:
    """Whether a label and a chunk below it start or end in the same column."""
    upper, line = page.line(hit.line), page.line(page.line_at(chunk[0]))
    edges = zip((hit.start, hit.end), chunk, strict=True)
    return any(abs(page.column(upper.start, up) - page.column(line.start, low)) <= _SLACK for up, low in edges)


_SLACK = 2


def shifted(page: VisualLines, hit: Hit, lower: int) -> Span | None:
    """A chunk a little to the right of a label that has nothing under it and nothing beside it."""
    line, upper = page.line(lower), page.line(hit.line)
    right = page.column(upper.start, hit.end)
    chunk = next((chunk for chunk in line.chunks if page.column(line.start, chunk[0]) >= right), None)
    beyond = next((other for other in upper.chunks if other[0] > hit.start), None)
    if chunk is None or (beyond and page.column(upper.start, beyond[0]) < page.column(line.start, chunk[1])):
        return None
    return chunk if page.column(line.start, chunk[0]) - right <= SHIFT else None


def between(reader: Reader, hit: Hit, reading: Reading) -> str:
    return reader.text[hit.end : reading.start]


def rest_of_label(reader: Reader, hit: Hit, reading: Reading) -> str:
    """What stands between a label and a value beside it, or else behind the label in its chunk."""
    line = reader.page.line(hit.line)
    if line.start <= reading.start < line.end:
        return between(reader, hit, reading)
    return reader.text[hit.end : line.chunks[reader.page.chunk_at(hit.end - 1)][1]]


def ends_chunk(reader: Reader, hit: Hit) -> bool:
    """Whether nothing but punctuation follows a label in its chunk."""
    chunk = reader.page.line(hit.line).chunks[reader.page.chunk_at(hit.end - 1)]
    return not any(map(str.isalnum, reader.text[hit.end : chunk[1]]))


def heads_line(reader: Reader, hit: Hit) -> bool:
    """Whether a label starts the only words of its line; its colon may stand apart."""
    line = reader.page.line(hit.line)
    alone = len(line.chunks) == 1 or not any(map(str.isalnum, reader.text[line.chunks[0][1] : line.end]))
    return alone and line.chunks[0][0] == hit.start


def heads_items(reader: Reader, hit: Hit) -> bool:
    """Whether a label heads a column of items."""
    items = reader.scan.items_on(hit.line)
    if len(items) > (hit in items):
        return True
    above = reader.scan.items_on(hit.line - 1)
    return len(above) >= _LEAST_ITEMS > len(reader.page.line(hit.line).chunks) and ends_chunk(reader, hit)


_LEAST_ITEMS = 3
"""Headings of items in a line below which a short line goes on with one of them: "Value / gross"."""


def in_prose(reader: Reader, hit: Hit, dates: list[Reading]) -> bool:
    """Whether a sentence goes on after a date that only a space parts from its label."""
    gap = between(reader, hit, dates[0])
    if gap.lstrip()[:1] in (":", "=", "#") or "  " in gap:
        return False
    line = reader.page.line(hit.line)
    chunk = line.chunks[reader.page.chunk_at(dates[-1].start)]
    return len(WORDS.findall(reader.text[dates[-1].end : min(chunk[1], dates[-1].end + 80)])) > 3


def is_word(reader: Reader, hit: Hit) -> bool:
    """Whether a label is one word."""
    return reader.text[hit.start : hit.end].isalpha()
