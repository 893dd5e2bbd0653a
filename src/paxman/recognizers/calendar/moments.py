"""Moments as programs count them: seconds or milliseconds since 1970, in UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from paxman.lazy import lazy_pattern

# From 1973 on; fewer digits are days like 20250128, or small counts.
_COUNTED = lazy_pattern(r"\d{9,10}(?:\.\d{1,9})?|\d{12,13}")
# 2025012814 and 202501281430 are written, not counted.
_WRITTEN = lazy_pattern(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])(?:[0-5]\d)?")
_TIME_WORDS = frozenset("at created expires expiry modified on ts updated".split())
_FIRST_MILLISECOND = 10**11
_END = datetime(2100, 1, 1, tzinfo=UTC)


def is_moment(text: str) -> bool:
    """Whether a number can count from 1970 to a day of our time."""
    counted = _COUNTED.fullmatch(text) and not _WRITTEN.fullmatch(text)
    return bool(counted) and _moment(text) < _END


def speaks_of_time(name: str) -> bool:
    """Whether a key, as one says it, is that of a moment: "created", "paid at", "startdate"."""
    words = name.lower().split()
    return not _TIME_WORDS.isdisjoint(words) or any(word.endswith(("date", "time", "timestamp")) for word in words)


def to_moment(text: str, argument: str) -> date | str:
    """The day of a moment, or with the argument `time` all of it as ISO text."""
    moment = _moment(text)
    return moment.isoformat().replace("+00:00", "Z") if argument == "time" else moment.date()


def _moment(text: str) -> datetime:
    count = Decimal(text)
    milliseconds = count if count >= _FIRST_MILLISECOND else count * 1000
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=int(milliseconds))
