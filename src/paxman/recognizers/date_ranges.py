"""Ranges of dates whose first day borrows its month or year from the last: 1-5 March 2024, 3/4 - 3/10/2016."""

from __future__ import annotations

import re
from datetime import date

from paxman.recognizers.base import Reading, read_any
from paxman.recognizers.dates import NUMBER, assemble, first_month
from paxman.recognizers.months import month_of

_TO = r"[ \u00a0]?(?:-|–|—|to|bis|au|al|until|through|thru)[ \u00a0]?"
_DAY = r"\d{1,2}(?:st|nd|rd|th|er|[.ºª])?"
_DAY_BEFORE = re.compile(rf"(?<![\w/.,#-])(?<!\d[ -])({_DAY}){_TO}\Z")
_DAY_AND_MONTH_BEFORE = re.compile(rf"(?<![\w/.-])\d{{1,2}}[./]\d{{1,2}}[.]?{_TO}\Z")
_NAMED_BEFORE = re.compile(rf"(?<!\d)(?:{_DAY}[ .-]?([^\W\d_]{{3,10}})|([^\W\d_]{{3,10}})[ .]{{0,2}}{_DAY}),?{_TO}\Z")
_SAME_MONTH = re.compile(rf"([^\W\d_]{{3,10}})\.? {_DAY}{_TO}{_DAY},? ?\d{{4}}(?!\d)")
_REACH = 28


def to_first_day(text: str, order: str) -> date:
    """The first day of a range; what it leaves out is that of the last day."""
    numbers = NUMBER.findall(text)
    month = first_month(text)
    if month:
        return assemble(numbers[0], str(month), numbers[-1])
    if len(numbers) == 5:
        parts = dict(zip(order.replace("y", ""), numbers, strict=False))
    else:
        parts = {"d": numbers[0], "m": numbers[-2]}
    return assemble(parts["d"], parts["m"], numbers[-1])


def to_last_day(text: str, order: str) -> date:
    """The last day of a range within a named month."""
    numbers = NUMBER.findall(text)
    return assemble(numbers[-2], str(first_month(text)), numbers[-1])


def add_first_days(text: str, dates: list[Reading]) -> list[Reading]:
    """The dates, each after the first day of the range that it ends."""
    found: list[Reading] = []
    for last in dates:
        start = _range_start(text, last, found[-1].end if found else 0)
        if start is not None:
            orders = [reading.transforms[0].partition(":")[2] for reading in (last, *last.alternatives)]
            first = read_any(text, start, last.end, [(f"first_day:{order}",) for order in orders], last.rule)
            found += [first] if first and first.value <= last.value else []
        found.append(last)
    return found


def _range_start(text: str, last: Reading, low: int) -> int | None:
    low = max(low, last.start - _REACH)
    named = _NAMED_BEFORE.search(text, low, last.start)
    if named and month_of(named[1] or named[2]):
        return named.start()
    numeric = not any(map(str.isalpha, text[last.start : last.end]))
    match = _DAY_AND_MONTH_BEFORE.search(text, low, last.start) if numeric else None
    if not match and last.transforms == ("date:dmy",):
        match = _DAY_BEFORE.search(text, low, last.start)
    return match.start() if match else None


def same_month(text: str) -> list[Reading]:
    """Both days of ranges such as March 3 - 7, 2014."""
    found = []
    for match in _SAME_MONTH.finditer(text):
        if month_of(match[1]):
            days = [read_any(text, *match.span(), [(step,)], "") for step in ("first_day:mdy", "last_day:mdy")]
            found += [day for day in days if day]
    return found
