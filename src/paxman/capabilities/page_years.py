"""The year of a day that is written without one, where a period of the page or the day of a statement tells it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import timedelta
from itertools import islice, pairwise

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.day_ranges import is_range
from paxman.capabilities.label_layout import find_days
from paxman.capabilities.values import conventions
from paxman.recognizers import Conventions, Reading
from paxman.recognizers.base import DateOrder
from paxman.recognizers.tables import pattern
from paxman.recognizers.yearless import is_year_of, read_in_year, yearless_span
from paxman.types import Span

_SAMPLE = 60_000
_MOST_PERIODS = 20


@attrs.frozen
class Periods:
    """The first and the last days of the periods of a page."""

    ends: tuple[tuple[Reading, Reading], ...]
    is_day: bool = False
    """Whether the last day is that of a statement, and the first only so long before it."""
    orders: tuple[DateOrder, ...] = ()
    """The order in which all days with a slash in the rows of the page are in a period; both, or none, may be one."""
    known: dict[str, Reading | None] = attrs.field(factory=dict)
    """What each day without a year means."""


def complete_date(context: CapabilityContext, text: str, *, in_row: bool = False) -> Reading | None:
    """What a day and a month mean in the year of the page; None where that is open, or it is something else."""
    span = yearless_span(text, in_row=in_row)
    periods = _periods(context) if span else None
    if span is None or periods is None or (periods.is_day and not in_row):
        return None
    if text not in periods.known:
        how = conventions(context)
        ways = [attrs.evolve(how, date_order=order) for order in (periods.orders if "/" in text else ("dmy",))]
        day = next((_complete(text, span, periods, way) for way in ways), None)
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
    periods = Periods(tuple(found.values())[:_MOST_PERIODS])
    day = None if found else _statement_day(text, days)
    if day:
        periods = Periods(((attrs.evolve(day, value=day.value - _SPAN), day),), is_day=True)
    days_of_rows = dict.fromkeys(match[1] for match in islice(_IN_ROW.finditer(text), _MOST_ROWS))
    return attrs.evolve(periods, orders=_orders(days_of_rows, periods, conventions(context)))


_STATED = r"(?<!next )(?<!next statement )\b(?:{statement_day})\b"
_MOST_LABELS = 20
_SPAN = timedelta(days=184)
"""Statements go over months: what would be longer before theirs is open."""


def _statement_day(text: str, days: Sequence[Reading]) -> Reading | None:
    """The day beside or below the label of a statement's date, if there is only one such day."""
    labels = islice(pattern(_STATED).finditer(text), _MOST_LABELS)
    found = {day.value: day for label in labels for day in days if _is_of(text, label.span(), day)}
    return next(iter(found.values())) if len(found) == 1 else None


def _is_of(text: str, label: Span, day: Reading) -> bool:
    """Whether a day stands right behind its label, or under it on the next line that has anything."""
    if not 0 <= day.start - label[1] <= _FARTHEST:
        return False
    between = text[label[1] : day.start]
    if "\n" not in between:
        return not between.strip(" :\t\xa0")
    above, here = text.rfind("\n", 0, label[0]) + 1, text.rfind("\n", 0, day.start) + 1
    is_next = not text[text.find("\n", label[1]) : here].strip()
    return is_next and day.start - here < label[1] - above and label[0] - above < day.end - here


_FARTHEST = 400
_IN_ROW = re.compile(r"(?m)(?:^|[\t,;|])[ \"]{0,80}(\d{1,2}/\d{1,2})(?=[ \t\",;|\r]|$)")
_MOST_ROWS = 200


def _orders(days: Iterable[str], periods: Periods, how: Conventions) -> tuple[DateOrder, ...]:
    """The orders that put each day into a period; if both do, that of the page."""
    both: tuple[DateOrder, ...] = ("dmy", "mdy")
    fitting = [order for order in both if all(_fits(day, order, periods, how) for day in days)]
    return tuple(order for order in fitting if len(fitting) == 1 or order == how.date_order)


def _fits(day: str, order: DateOrder, periods: Periods, how: Conventions) -> bool:
    month = day.split("/")[order == "dmy"]
    way = attrs.evolve(how, date_order=order)
    return int(month) <= _MONTHS and _complete(day, (0, len(day)), periods, way) is not None


_MONTHS = 12


def _complete(text: str, span: Span, periods: Periods, how: Conventions) -> Reading | None:
    """The day in the only year that puts it into a period of the page."""
    ways = {day.value: day for ends in periods.ends for day in _within(text, span, ends, how)}
    return next(iter(ways.values())) if len(ways) == 1 else None


def _within(text: str, span: Span, ends: tuple[Reading, Reading], how: Conventions) -> list[Reading]:
    """The day in each year that puts it into a period; in one over three years most days have several."""
    first, last = ends[0].value, ends[1].value
    source = (ends[0].start, ends[1].end)
    years = range(first.year, last.year + 1) if last.year - first.year < 2 else ()
    told = "before" if ends[0].start == ends[1].start else "of"
    ways = (read_in_year(text, span, year, source, how, told) for year in years)
    return [way for way in ways if way and first <= way.value <= last]
