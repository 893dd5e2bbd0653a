"""Ranges and pairs of dates, whose first borrows its month or year from the last: 1-5 March 2024, 1 or 3 May 2025."""

from __future__ import annotations

import re
from datetime import date

from paxman.recognizers.base import Reading, read_any
from paxman.recognizers.dates import JOINED, NTH, NUMBER, assemble, first_month, numbers_of
from paxman.recognizers.months import month_of

_DAY_BEFORE = re.compile(rf"(?<![\w/.,#-])(?<!\d[ -])({NTH}){JOINED.pattern}")
_DAY_AND_MONTH_BEFORE = re.compile(rf"(?<![\w/.-])\d{{1,2}}[./]\d{{1,2}}[.]?{JOINED.pattern}")
_NAMED_BEFORE = re.compile(
    rf"(?<!\d)(?:{NTH}[ .-]?([^\W\d_]{{3,10}})|([^\W\d_]{{3,10}})[ .]{{0,2}}{NTH}),?{JOINED.pattern}"
)
_REACH = 28


def to_first_day(text: str, order: str) -> date:
    """The first day of a range; what it leaves out is that of the last day."""
    if order == "ymd":
        year, month_number, day, *_ = numbers_of(text)
        return assemble(day, month_number, year, text)
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
    """The last day of a range within a named month, or that leaves the year to the first."""
    if order == "ymd":
        year, month, _, *later = numbers_of(text)
        last = assemble(later[-1], later[0] if len(later) > 1 else month, year, text)
        if last >= to_first_day(text, order):
            return last
        if len(later) == 1:
            raise ValueError(f"{text!r} ends before it begins")
        return last.replace(year=last.year + 1)
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
    if last.transforms[0].startswith("last_day"):
        return last.start
    low = max(low, last.start - _REACH)
    named = _NAMED_BEFORE.search(text, low, last.start)
    if named and month_of(named[1] or named[2]):
        return named.start()
    numeric = not any(map(str.isalpha, text[last.start : last.end]))
    match = _DAY_AND_MONTH_BEFORE.search(text, low, last.start) if numeric else None
    if not match and last.transforms == ("date:dmy",):
        match = _DAY_BEFORE.search(text, low, last.start)
    return match.start() if match else None
