"""Spans of days: their ends answer two fields, and they tell the year of a day that is written without one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from paxman.documents.document import Document
from paxman.finding.claims import Claim, Claims
from paxman.lazy import lazy_pattern, remembered
from paxman.recognizers import Conventions, Reading, find
from paxman.recognizers.booleans_and_enums import TO
from paxman.recognizers.calendar.yearless import is_year_of, read_in_year, yearless_span
from paxman.types import FieldType, Span

_LONGEST = 160
_BETWEEN = 40
_TO = lazy_pattern(rf"\W*(?:{TO})\W*", re.IGNORECASE)
_CLOCK = lazy_pattern(r"[012]?\d:[0-5]\d(?::[0-5]\d)?")
_WORDS = lazy_pattern(r"[^\W\d_]{2,}")
_MOST_WORDS = 6


def period_ends(text: str, how: Conventions) -> tuple[Reading, Reading] | None:
    """The two dates of a text that begins with a span of days."""
    found = find("date", text[:_LONGEST], how)
    if len(found) < 2 or found[0].value > found[1].value:
        return None
    return (found[0], found[1]) if joins(text[found[0].end : found[1].start]) else None


def joins(between: str) -> bool:
    """Whether what stands between two dates makes a span of them, and is no label of the second."""
    if len(between) > _BETWEEN or "." in between.strip():
        return False
    between = _CLOCK.sub("", between)
    return len(_WORDS.findall(between)) <= _MOST_WORDS and (":" not in between or _TO.fullmatch(between) is not None)


def asks_span(field: int, claim: Claim, found: Mapping[int, Claim], claims: Claims) -> bool:
    """Whether a name stands for a whole span of days: it fits the field for the start and that for the end alike."""
    wanted = claims.wanted[field]
    if wanted.field.type is not FieldType.DATE or not wanted.side:
        return False
    others = (claims.wanted[other] for other in found)
    return claim.asked.source == "period" or any(
        other.field.type is FieldType.DATE and other.side not in ("", wanted.side) for other in others
    )


_SAMPLE = 60_000
_MOST_PERIODS = 20
_MOST_YEARS = 2

Period = tuple[Reading, Reading]


def complete_date(document: Document, text: str, how: Conventions, *, in_row: bool = False) -> Reading | None:
    """What a day and a month mean in the only year that puts them into a period of the page."""
    span = yearless_span(text, in_row=in_row)
    if span is None:
        return None
    ways = {day.value: day for period in _periods(document, how) for day in _within(text, span, period, how)}
    day = next(iter(ways.values())) if len(ways) == 1 else None
    return day if day and is_year_of(day.transforms[0], document.text) else None


@remembered(lambda document, how: (document.cache,))
def _periods(document: Document, how: Conventions) -> tuple[Period, ...]:
    return tuple(_find_periods(document.text[:_SAMPLE], how))[:_MOST_PERIODS]


def _find_periods(text: str, how: Conventions) -> Iterator[Period]:
    for first, last in pairwise(find("date", text, how)):
        ends = period_ends(text[first.start : last.end], how)
        if ends:
            yield ends[0].shifted(first.start), ends[1].shifted(first.start)


def _within(text: str, span: Span, period: Period, how: Conventions) -> Iterator[Reading]:
    """The day in each year that puts it into a period; in one over three years most days have several."""
    first, last = period[0].value, period[1].value
    if last.year - first.year < _MOST_YEARS:
        for year in range(first.year, last.year + 1):
            day = read_in_year(text, span, year, (period[0].start, period[1].end), how)
            if day and first <= day.value <= last:
                yield day
