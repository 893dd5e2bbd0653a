"""Which of several amounts in a row its headings speak for: those of the field, and not of another period."""

from __future__ import annotations

import re
from bisect import bisect_left

from paxman.capabilities.amount_places import TOTALS, beside_label, is_priced, says_more
from paxman.capabilities.label_binding import Binding
from paxman.capabilities.label_layout import WORDS, Reader
from paxman.capabilities.label_scan import Hit
from paxman.capabilities.sum_names import asks_other_time, says_other_time
from paxman.recognizers import Reading
from paxman.types import Span

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def amounts_beside(reader: Reader, hit: Hit, is_other: bool = False) -> list[Reading]:
    """Amounts after a label, less those below the heading of another period than that of the paper; or just those."""
    values = beside_label(reader, hit)
    heads = row_heads(reader, hit, values) if len(values) > 1 else []
    if not heads:
        return values
    others = _of_other_periods([reader.text[slice(*span)] for _, span in heads])
    if not any(others) or all(others):
        return values
    return [value for value, other in zip(values, others, strict=True) if other == is_other]


def asks_other_period(reader: Reader, hit: Hit) -> bool:
    """Whether a field asks for the sum of another period, and its label does not say so itself."""
    return asks_other_time(reader) and not says_other_time(reader.text[hit.start : hit.end])


def _of_other_periods(heads: list[str]) -> list[bool]:
    """Which headings name another period: an earlier year, last month, the year to date."""
    years = [_YEAR.findall(head)[-1:] for head in heads]
    alike = len({_YEAR.sub("", head) for head in heads}) == 1 and all(years)
    return [(alike and year < max(years)) or says_other_time(head) for head, year in zip(heads, years, strict=True)]


def row_heads(reader: Reader, hit: Hit, values: list[Reading]) -> list[tuple[Reading, Span]]:
    """The amounts of a row behind its label, each with the heading above it, if they stand below different ones."""
    places = {reader.page.chunk_at(reading.start) for reading in values}
    if len(values) < 2 or len(places) < len(values) or reader.page.chunk_at(hit.start) in places:
        return []
    for line in range(hit.line - 1, max(-1, hit.line - 1 - _MOST_ABOVE), -1):
        heads = [head for head in _heads(reader, values, line) if head and _names(reader, head)]
        above = reader.page.line(line).chunks
        if heads and len(above) == len(reader.page.line(hit.line).chunks):
            heads = [above[reader.page.chunk_at(reading.start)] for reading in values]
        elif "\t" in reader.text[reader.page.line(hit.line).start : hit.start]:
            return []
        if heads:
            return list(zip(values, heads, strict=True)) if len(set(heads)) == len(values) else []
    return []


def _names(reader: Reader, span: Span) -> bool:
    return (WORDS.search(reader.text, *span) or _YEAR.fullmatch(reader.text, *span)) is not None


def headed_amount(reader: Reader, binding: Binding, heads: list[tuple[Reading, Span]]) -> Reading | None:
    """The amount of a row under the field's own heading, or else under that of totals or amounts."""
    terms = {span: _terms_in(reader, span) for _, span in heads}
    for term in (binding.term, "total", "line_total"):
        found = [reading for reading, span in heads if term in terms[span] and is_priced(reader, reading)]
        if found and term:
            return found[-1]
    return None


def _terms_in(reader: Reader, span: Span) -> tuple[str, ...]:
    """What a heading of amounts means, if a label is all that it says."""
    place = bisect_left(reader.scan.hits, span[0], key=lambda hit: hit.start)
    hit = reader.scan.hits[place] if place < len(reader.scan.hits) else None
    if hit is None or hit.start != span[0] or hit.end > span[1] or "%" in reader.text[slice(*span)]:
        return ()
    return () if says_more(reader.text[hit.end : span[1]]) else hit.terms


def are_headed(reader: Reader, hit: Hit, values: list[Reading]) -> bool:
    """Whether each amount has a heading of its own, as "Current" and "YTD"; the first is no better total for that."""
    if hit.term in TOTALS:
        return False
    above = range(hit.line - 1, max(-1, hit.line - 1 - _MOST_ABOVE), -1)
    return any(None not in heads and len(set(heads)) > 1 for heads in (_heads(reader, values, line) for line in above))


_MOST_ABOVE = 20


def _heads(reader: Reader, values: list[Reading], index: int) -> list[Span | None]:
    """The chunks of a line over several amounts, if it has neither amounts nor labels with a colon itself."""
    page, line = reader.page, reader.page.line(index)
    if len(line.chunks) < len(values) or ":" in page.text[line.start : line.end]:
        return [None]
    if any(is_priced(reader, reading) for reading in reader.values("amount", index)):
        return [None]
    row = page.line(page.line_at(values[0].start)).start
    places = [(page.column(row, value.start), page.column(row, value.end)) for value in values]
    heads = [(chunk, page.column(line.start, chunk[0]), page.column(line.start, chunk[1])) for chunk in line.chunks]
    return [
        next((chunk for chunk, left, right in heads if left < end and start < right), None) for start, end in places
    ]
