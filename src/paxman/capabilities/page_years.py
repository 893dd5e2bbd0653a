"""The year of a day that is written without one, where a period of the page leaves no doubt of it."""

from __future__ import annotations

from itertools import pairwise

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.day_ranges import is_range
from paxman.capabilities.label_layout import find_days
from paxman.capabilities.values import conventions
from paxman.recognizers import Conventions, Reading
from paxman.recognizers.yearless import is_year_of, orders_of, read_in_year, yearless_span
from paxman.types import Span

_SAMPLE = 60_000
_MOST_PERIODS = 20


@attrs.frozen
class Periods:
    """The first and the last days of the periods of a page."""

    ends: tuple[tuple[Reading, Reading], ...]
    known: dict[str, Reading | None] = attrs.field(factory=dict)
    """What each day without a year means."""


def complete_date(context: CapabilityContext, text: str, *, in_row: bool = False) -> Reading | None:
    """What a day and a month mean in the year of the page; None where that is open, or it is something else."""
    span = yearless_span(text, in_row=in_row)
    periods = _periods(context) if span else None
    if span is None or periods is None:
        return None
    if text not in periods.known:
        day = _complete(text, span, periods, conventions(context))
        periods.known[text] = day if day and is_year_of(day.transforms[0], context.document.text) else None
    return periods.known[text]


def _periods(context: CapabilityContext) -> Periods:
    cache = context.document.cache
    if "periods" not in cache:
        cache["periods"] = _find_periods(context)
    found: Periods = cache["periods"]
    return found


def _find_periods(context: CapabilityContext) -> Periods:
    text = context.document.text[:_SAMPLE]
    days = find_days(text, conventions(context))
    found = {(one.value, two.value): (one, two) for one, two in pairwise(days) if is_range(text, one, two)}
    return Periods(tuple(found.values())[:_MOST_PERIODS])


def _complete(text: str, span: Span, periods: Periods, how: Conventions) -> Reading | None:
    """The day in the only year that puts it into a period of the page."""
    ways = {day.value: day for ends in periods.ends for day in _within(text, span, ends, how)}
    return next(iter(ways.values())) if len(ways) == 1 else None


def _within(text: str, span: Span, ends: tuple[Reading, Reading], how: Conventions) -> list[Reading]:
    """The day in each year that puts it into a period; in one over three years most days have several."""
    first, last = ends[0].value, ends[1].value
    source = (ends[0].start, ends[1].end)
    years = range(first.year, last.year + 1) if last.year - first.year < 2 else ()
    orders = [attrs.evolve(how, date_order=order) for order in orders_of(text, how)]
    ways = (read_in_year(text, span, year, source, each) for year in years for each in orders)
    return [way for way in ways if way and first <= way.value <= last]
