"""Moments, times of day and durations as typed values; an offset is kept, and a leap second is no value at all."""

from __future__ import annotations

import datetime
from decimal import Decimal

from paxman.contract.formats import is_duration
from paxman.lazy import lazy_pattern
from paxman.recognizers.base import Conventions, Reading, read, read_any
from paxman.recognizers.calendar.dates import find_dates
from paxman.recognizers.calendar.times import find_durations, find_times
from paxman.recognizers.figures.ranges import IN_LIST, either
from paxman.transforms import run

_OFFSET = r"(?: ?(?:UTC|GMT)? ?[+-](?:[01]\d|2[0-3]):?[0-5]\d(?!\d)| ?(?:Z|UTC|GMT)(?![A-Za-z+-]))"
_CLOCK = r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,6})?)?(?![.,:]?\d)"
_ISO_MOMENT = lazy_pattern(rf"(?<![\w-])\d{{4}}-\d{{2}}-\d{{2}}[Tt ]{_CLOCK}(?:{_OFFSET}|z(?!\w))?")
_ISO_TIME = lazy_pattern(rf"(?<![\d:.]){_CLOCK}(?:{_OFFSET}|z(?!\w))?")
_ZONE = lazy_pattern(rf"{_OFFSET}| ?\(?(?:UT|[ECMP][SD]T)\)?(?!\w)")
_FRACTION = lazy_pattern(r":\d\d[.,](\d{1,6})(?!\d)")
_LEAP = lazy_pattern(r"\d:\d\d:60(?!\d)")
_TIME_LIKE = lazy_pattern(r"\d:\d\d(?!\d)")
_SPAN = lazy_pattern(r"(?<![\d:])(\d{1,4}):([0-5]\d):([0-5]\d)(?![\d:])")
# RFC 2822, section 4.3.
_NAMED = {"UT": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}
_CLOCK_UNITS = ("hours", "minutes", "seconds")
_MONTHS = {"year": 12, "month": 1}
_SECONDS = {"week": 604_800, "day": 86_400, "hour": 3_600, "minute": 60, "second": 1}


def has_leap_second(text: str) -> bool:
    return _LEAP.search(text) is not None


def read_moment(text: str, conventions: Conventions) -> Reading | None:
    """A date with its time and offset; a date alone is midnight, and not sure."""
    if has_leap_second(text):
        return None
    if match := _ISO_MOMENT.search(text):
        return _readable(text, *match.span(), "moment:iso")
    dates, times = find_dates(text, conventions), find_times(text, conventions)
    if not dates:
        return None
    day = dates[0]
    time = next((time for time in times if time.start >= day.end or time.end <= day.start), None)
    if time is None and _TIME_LIKE.search(text):
        return None
    if time is None:
        midnight = read(text, day.start, day.end, (*day.transforms, "midnight"))
        return Reading(day.start, day.end, midnight.value, midnight.transforms, loose=True)
    zone = _ZONE.match(text, time.end)
    first, last = min(day.start, time.start), max(day.end, zone.end() if zone else time.end)
    spans = [(day.start, day.end), (time.start, time.end), *([zone.span()] if zone else [])]
    places = ",".join(f"{start - first}-{end - first}" for start, end in spans)
    orders = [way.transforms[0].partition(":")[2] for way in (day, *day.alternatives)]
    return read_any(text, first, last, [(f"moment:{order},{places}",) for order in orders], day.rule)


def read_time(text: str, conventions: Conventions) -> Reading | None:
    """A time of day with its offset."""
    if has_leap_second(text):
        return None
    if match := _ISO_TIME.search(text):
        after = find_times(text[match.start() :], conventions)
        if not after or after[0].end <= match.end() - match.start():
            return _readable(text, *match.span(), "clock:iso")
    found = find_times(text, conventions)
    if not found:
        return None
    zone = _ZONE.match(text, found[0].end)
    places = f"0-{found[0].end - found[0].start}"
    start, end = found[0].start, zone.end() if zone else found[0].end
    places += f",{zone.start() - start}-{zone.end() - start}" if zone else ""
    return _readable(text, start, end, f"clock:{places}")


def read_duration(text: str, conventions: Conventions) -> Reading | None:
    """A duration as ISO 8601 writes it: P2Y, P1Y6M, PT45M."""
    if is_duration(text.strip()):
        start = len(text) - len(text.lstrip())
        return Reading(start, start + len(text.strip()), text.strip())
    found = either(text, find_durations(text, conventions), IN_LIST)
    if found is None:
        match = _SPAN.search(text)
        return _readable(text, *match.span(), "iso_duration:clock") if match else None
    steps = [() if is_duration(str(way.value)) else ("iso_duration",) for way in _ways(found)]
    ways = [(*way.transforms, *step) for way, step in zip(_ways(found), steps, strict=True)]
    return read_any(text, found.start, found.end, ways, found.rule)


def _ways(found: Reading) -> tuple[Reading, ...]:
    return (found, *(way for way in found.alternatives if (way.start, way.end) == (found.start, found.end)))


def _readable(text: str, start: int, end: int, transform: str) -> Reading | None:
    try:
        return read(text, start, end, (transform,))
    except ValueError:
        return None


def to_moment(text: str, argument: str) -> datetime.datetime:
    """A moment from ISO text, or from `order,date,time,zone` as `start-end` each."""
    if argument == "iso":
        return datetime.datetime.fromisoformat(_plain(text))
    order, day, time, *zone = argument.split(",")
    date = run((f"slice:{day}", f"date:{order}"), text)
    return datetime.datetime.combine(date, to_clock(text, ",".join((time, *zone))))


def to_clock(text: str, argument: str) -> datetime.time:
    """A time of day from ISO text, or from `time,zone` as `start-end` each."""
    if argument == "iso":
        return datetime.time.fromisoformat(_plain(text))
    time, *zone = argument.split(",")
    clock = datetime.time.fromisoformat(run((f"slice:{time}", "time"), text))
    if fraction := _FRACTION.search(run((f"slice:{time}",), text)):
        clock = clock.replace(microsecond=int(fraction[1].ljust(6, "0")))
    return clock.replace(tzinfo=_zone(run((f"slice:{zone[0]}",), text))) if zone else clock


def to_midnight(day: datetime.date, argument: str = "") -> datetime.datetime:
    """The start of a day whose time is not stated."""
    return datetime.datetime.combine(day, datetime.time())


def _plain(text: str) -> str:
    """ISO text with its offset right behind it, as Python reads it."""
    text = text.upper().replace("UTC", "Z").replace("GMT", "Z").replace(",", ".")
    head, _, zone = text.partition("Z")
    head, zone = head.strip(), zone.strip()
    return head + (zone or "Z") if "Z" in text else text.replace(" +", "+").replace(" -", "-")


def _zone(text: str) -> datetime.tzinfo | None:
    name = text.strip(" ()").upper()
    if name in _NAMED:
        return datetime.timezone(datetime.timedelta(hours=_NAMED[name]))
    return datetime.datetime.strptime(_plain(f"T{name}")[1:], "%z").tzinfo


def to_iso_duration(text: str, argument: str = "") -> str:
    """ISO 8601 from `1 year 6 months` or, with the argument `clock`, from `1:30:00`; units stay as they are written."""
    if argument == "clock":
        text = " ".join(f"{int(part)} {unit}" for part, unit in zip(text.split(":"), _CLOCK_UNITS, strict=True))
    words = text.split()
    counts = {unit.removesuffix("s"): Decimal(number) for number, unit in zip(words[::2], words[1::2], strict=True)}
    if not counts.keys() <= {*_MONTHS, *_SECONDS}:
        raise ValueError(f"no units of ISO 8601: {text}")
    if counts.keys() == {"week"} and counts["week"] == int(counts["week"]):
        return f"P{int(counts['week'])}W"
    whole = counts if all(count == int(count) for count in counts.values()) else _without_fractions(counts)
    days = whole.get("day", Decimal(0)) + 7 * whole.get("week", Decimal(0))
    date = _joined(whole.get("year"), "Y", whole.get("month"), "M", days, "D")
    time = _joined(whole.get("hour"), "H", whole.get("minute"), "M", whole.get("second"), "S")
    return f"P{date}{'T' if time else ''}{time}" if date or time else "PT0S"


def _without_fractions(counts: dict[str, Decimal]) -> dict[str, Decimal]:
    """The same length in units of which there are whole numbers: 1.5 hours are an hour and 30 minutes."""
    months = sum((count * _MONTHS[unit] for unit, count in counts.items() if unit in _MONTHS), Decimal(0))
    seconds = sum((count * _SECONDS[unit] for unit, count in counts.items() if unit in _SECONDS), Decimal(0))
    if months != int(months):
        raise ValueError("a part of a month has no fixed length")
    found = {"month": months}
    for unit in ("day", "hour", "minute") if counts.keys() & {"day", "week"} else ("hour", "minute"):
        found[unit], seconds = divmod(seconds, _SECONDS[unit])
    return {**found, "second": seconds}


def _joined(*parts: Decimal | str | None) -> str:
    counted = [(count, unit) for count, unit in zip(parts[::2], parts[1::2], strict=True) if isinstance(count, Decimal)]
    return "".join(
        f"{int(count) if count == int(count) else count.normalize()}{unit}" for count, unit in counted if count
    )


# From 1973 on; fewer digits are days like 20250128, or small counts.
_COUNTED = lazy_pattern(r"\d{9,10}(?:\.\d{1,9})?|\d{12,13}")
# 2025012814 and 202501281430 are written, not counted.
_WRITTEN = lazy_pattern(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])(?:[0-5]\d)?")
_TIME_WORDS = frozenset("at created expires expiry modified on ts updated".split())
_FIRST_MILLISECOND = 10**11
_END = datetime.datetime(2100, 1, 1, tzinfo=datetime.UTC)


def is_moment(text: str) -> bool:
    """Whether a number can count from 1970 to a day of our time."""
    counted = _COUNTED.fullmatch(text) and not _WRITTEN.fullmatch(text)
    return bool(counted) and _moment(text) < _END


def speaks_of_time(name: str) -> bool:
    """Whether a key, as one says it, is that of a moment: "created", "paid at", "startdate"."""
    words = name.lower().split()
    return not _TIME_WORDS.isdisjoint(words) or any(word.endswith(("date", "time", "timestamp")) for word in words)


def from_epoch(text: str, argument: str) -> datetime.date | str:
    """The day of a moment, or with the argument `time` all of it as ISO text."""
    moment = _moment(text)
    return moment.isoformat().replace("+00:00", "Z") if argument == "time" else moment.date()


def _moment(text: str) -> datetime.datetime:
    count = Decimal(text)
    milliseconds = count if count >= _FIRST_MILLISECOND else count * 1000
    return datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC) + datetime.timedelta(milliseconds=int(milliseconds))
