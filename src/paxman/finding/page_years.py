"""The year of a day that is written without one, where a period of the page tells it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from paxman.documents.document import Document
from paxman.finding.periods import period_ends
from paxman.lazy import remembered
from paxman.recognizers import Conventions, Reading, find
from paxman.recognizers.calendar.yearless import is_year_of, read_in_year, yearless_span
from paxman.types import Span

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
