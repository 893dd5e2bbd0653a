"""Ranges of days: what joins two dates, and whether a page has more than one."""

from __future__ import annotations

import re
from itertools import pairwise

import attrs

from paxman.capabilities.business_terms import OTHER_DATES, PERIODS
from paxman.capabilities.label_layout import Reader, ends_chunk, under
from paxman.capabilities.label_scan import Hit
from paxman.recognizers import Reading
from paxman.recognizers.months import is_weekday
from paxman.recognizers.tables import pattern
from paxman.recognizers.words import FROM, TO

_RANGE = re.compile(rf"\s*(?:[-–—/~～〜]|-->?|(?:{TO}):?)\s*\Z", re.IGNORECASE)
_WEEKDAY = r"\(?([^\W\d_]{2,14})\.?\)?,?\s"
_RANGE_OF_WEEKDAYS = re.compile(rf"\s*(?:{_WEEKDAY}\s*)?(?:[-–—/~]|-->?|(?:{TO})\s)\s*(?:{_WEEKDAY})?\Z", re.IGNORECASE)
_LONGEST = 40
# With the words that tie it to its day: "3 Jun 2025 at 10:00 to", "to 23:59 on 11 August".
_CLOCK = re.compile(
    r",?(?: (?:at|um|à|a las|alle|om|kl\.?))? ?(?<!\d)[012]?\d:[0-5]\d(?::[0-5]\d)?"
    r"(?: ?(?:[ap]\.?m\.?|h|hrs|hours|uhr)(?!\w))?(?: (?:on|am|le|el|il|op))?",
    re.IGNORECASE,
)


def is_range(text: str, first: Reading, second: Reading) -> bool:
    """Whether two dates are the ends of a range; in "3 - 5 May 2024" the first shares characters with the second."""
    if first.end > second.start:
        return bool(first.value <= second.value)
    gap = text[first.end : second.start]
    if first.value > second.value or len(gap) > _LONGEST:
        return False
    gap = _CLOCK.sub(" ", gap) if ":" in gap else gap
    return (len(gap) <= 12 and _RANGE.match(gap) is not None) or _joins_weekdays(gap)


def _joins_weekdays(gap: str) -> bool:
    """As in 4 May - Fri 8 May, with a day of the week on either side or both."""
    joined = _RANGE_OF_WEEKDAYS.match(gap)
    return joined is not None and any(joined.groups()) and all(map(is_weekday, filter(None, joined.groups())))


def is_all_weekday(text: str) -> bool:
    """Whether a text is a day of the week before its date: "Tue, "."""
    named = _BEFORE_DATE.fullmatch(text)
    return named is not None and is_weekday(named[1])


_BEFORE_DATE = re.compile(_WEEKDAY)


def is_misprint(reader: Reader, first: Reading, second: Reading) -> bool:
    """Whether the last day of a range can not be read in the order of the first, as in 10/06/20-20/12/20."""
    if any(map(str.isalpha, reader.text[first.start : second.end])) or first.end > second.start:
        return False
    return "date:ymd" not in first.transforms and first.transforms != second.transforms


def with_moved(reader: Reader, day: Reading) -> Reading:
    """The last day of something with the one that it was put off to as a rival: 31.12.2023 (extended to 31.12.2024)."""
    moved = pattern(_MOVED).match(reader.text, day.end)
    if moved is None or day.alternatives:
        return day
    dates = reader.values("date", reader.page.line_at(day.start))
    later = next((date for date in dates if date.start == moved.end() and date.value > day.value), None)
    label = reader.scan.last_before(moved.end())
    if later is None or (label and label.start > day.end and label.term in OTHER_DATES):
        return day
    return attrs.evolve(day, alternatives=(later,), rule="the day was moved")


_MOVED = rf"[ \t]{{0,4}}[(,][ \t]{{0,4}}(?:[^\W\d_]{{2,20}}[ \t]){{0,2}}(?:{{moved}})[ \t](?:{TO})[ \t]{{1,4}}"


def is_one_of_several(reader: Reader, hit: Hit, rank: int, dates: list[Reading]) -> bool:
    """Whether a synonym heads a range of days, and another range that no known label explains goes beyond it."""
    if rank < 2 or hit.term not in PERIODS or len(dates) < 2:
        return False
    first, last = dates[0].value, dates[1].value
    ranges = (pair for line in range(min(len(reader.page), _MOST_LINES)) for pair in _ranges_on(reader, line))
    beyond = (start for start, end in ranges if not first <= start.value <= end.value <= last)
    return any(reader.scan.last_before(start.start) is None for start in beyond)


_MOST_LINES = 200


def _ranges_on(reader: Reader, line: int) -> list[tuple[Reading, Reading]]:
    return [pair for pair in pairwise(reader.values("date", line)) if is_range(reader.text, *pair)]


def led_below(reader: Reader, hit: Hit) -> list[Reading]:
    """Both days of a range in the lines below a label that stands alone: "From 1 May 2025 To 30 April 2026"."""
    rows = list(reader.page.below(hit.line, 2)) if ends_chunk(reader, hit) else []
    chunk = under(reader.page, hit, rows[0]) if rows else None
    led = pattern(_FROM).match(reader.text, *chunk) if chunk else None
    if led is None:
        return []
    days = [day for row in rows for day in reader.values("date", row) if day.start >= led.end()][:2]
    whole = len(days) == 2 and days[0].start == led.end() and is_range(reader.text, *days)
    return days if whole else []


_FROM = rf"(?:{FROM})[ \t]?[:：]?[ \t]{{0,40}}"
