"""Ranges and pairs of dates, whose first borrows its month or year from the last: 1-5 March 2024, 1 or 3 May 2025."""

from __future__ import annotations

import re
from datetime import date

import attrs

from paxman.recognizers.base import Reading, read_any
from paxman.recognizers.booleans_and_enums import AND, OR
from paxman.recognizers.calendar.date_parts import JOINED, NTH, NUMBER, assemble, first_month, numbers_of
from paxman.recognizers.calendar.months import month_of

_DAY_BEFORE = re.compile(rf"(?<![\w/.,#-])(?<!\d[ -])({NTH}){JOINED.pattern}")
_DAY_AND_MONTH_BEFORE = re.compile(rf"(?<![\w/.-])\d{{1,2}}[./]\d{{1,2}}[.]?{JOINED.pattern}")
_NAMED_BEFORE = re.compile(
    rf"(?<!\d)(?:{NTH}[ .-]?(?:de )?([^\W\d_]{{3,10}})|([^\W\d_]{{3,10}})[ .]{{0,2}}{NTH}),?{JOINED.pattern}"
)
_PAIR = re.compile(rf"\W(?:{AND}|{OR})\W+\Z", re.IGNORECASE)
# Page 3/28 - 04/03/2025, where nobody means the 28th of March.
_COUNTS = re.compile(
    r"\b(?:page|p|seite|s|p[áa]g(?:ina)?|blad|strona|str|sheet|blatt|ref|n[or]|n°)[.:#]{0,2} ?\Z", re.IGNORECASE
)
_REACH = 28
_HALF_A_YEAR = 6


def to_first_day(text: str, argument: str) -> date:
    """The first day of a range; what it leaves out is that of the last day, but the year where it is `before` that."""
    order, _, before = argument.partition(" ")
    if order == "ymd":
        year, month_number, day, *_ = numbers_of(text)
        return assemble(day, month_number, year, text)
    numbers = NUMBER.findall(text)
    year = str(int(numbers[-1]) - bool(before)).zfill(2)
    month = first_month(text)
    if month:
        return assemble(numbers[0], str(month), year)
    if len(numbers) == 5:
        parts = dict(zip(order.replace("y", ""), numbers, strict=False))
    else:
        parts = {"d": numbers[0], "m": numbers[-2]}
    return assemble(parts["d"], parts["m"], year)


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
        found += [last] if start is None else _both_days(text, start, last)
    return found


def _both_days(text: str, start: int, last: Reading) -> list[Reading]:
    """The first and last day of a range, in the orders in which both can be read."""
    ways = {reading: way for reading in (last, *last.alternatives) if (way := _first_way(text, start, reading))}
    first = read_any(text, start, last.end, [(way,) for way in ways.values()], last.rule)
    if first is None:
        return [last]
    fitting, *others = ways
    rule = last.rule if others else ""
    return [first, attrs.evolve(fitting, alternatives=tuple(others), rule=rule) if last.alternatives else last]


def _first_way(text: str, start: int, last: Reading) -> str:
    """How to read the first day of a range, if any; over New Year its year is that before the last day's."""
    way = f"first_day:{last.transforms[0].partition(':')[2]}"
    first = read_any(text, start, last.end, [(way,)], "")
    if first is None or first.value <= last.value:
        return way if first else ""
    named = first_month(text[start : last.start]) > 0
    months = (last.value.month - first.value.month) % 12
    over = months and (named or months < _HALF_A_YEAR) and not _PAIR.search(text, start, last.start)
    return f"{way} before" if over else ""


def _range_start(text: str, last: Reading, low: int) -> int | None:
    if last.transforms[0].startswith("last_day"):
        return last.start
    low = max(low, last.start - _REACH)
    named = _NAMED_BEFORE.search(text, low, last.start)
    if named and month_of(named[1] or named[2]):
        return named.start()
    numeric = not any(map(str.isalpha, text[last.start : last.end]))
    match = _DAY_AND_MONTH_BEFORE.search(text, low, last.start) if numeric else None
    if match and _COUNTS.search(text, max(0, match.start() - _REACH), match.start()):
        return None
    if not match and last.transforms == ("date:dmy",):
        match = _DAY_BEFORE.search(text, low, last.start)
    return match.start() if match else None
