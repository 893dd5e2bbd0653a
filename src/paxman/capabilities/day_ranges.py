"""Ranges of days: what joins two dates, and whether a page has more than one."""

from __future__ import annotations

import re
from itertools import pairwise

from paxman.capabilities.business_terms import PERIODS
from paxman.capabilities.label_layout import Reader
from paxman.capabilities.label_scan import Hit
from paxman.recognizers import Reading
from paxman.recognizers.words import TO

_RANGE = re.compile(rf"\s*(?:[-–—/~]|-->?|{TO})\s*\Z", re.IGNORECASE)


def is_range(text: str, first: Reading, second: Reading) -> bool:
    """Whether two dates are the ends of a range; the first may borrow its year from the characters of the second."""
    if first.end > second.start:
        return bool(first.value <= second.value)
    gap = text[first.end : second.start]
    return len(gap) <= 12 and bool(_RANGE.match(gap)) and first.value <= second.value


def is_misprint(reader: Reader, first: Reading, second: Reading) -> bool:
    """Whether the last day of a range can not be read in the order of the first, as in 10/06/20-20/12/20."""
    if any(map(str.isalpha, reader.text[first.start : second.end])) or first.end > second.start:
        return False
    return "date:ymd" not in first.transforms and first.transforms != second.transforms


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
