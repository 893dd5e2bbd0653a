"""Readers for a text that a field's label or column points at: there, less has to prove that it is the value."""

from __future__ import annotations

from collections.abc import Callable

from paxman.recognizers.base import Conventions, Reading, read, read_any
from paxman.recognizers.booleans_and_enums import read_text, trimmed
from paxman.recognizers.calendar.dates import find_dates
from paxman.recognizers.calendar.times import find_times
from paxman.recognizers.contacts import find_phones
from paxman.recognizers.figures.money import read_currency
from paxman.recognizers.figures.ranges import IN_LIST, either
from paxman.recognizers.identifiers import read_bic, read_iban, read_vat_id
from paxman.recognizers.places import find_postal_codes, find_regions, read_country

_FEWEST_DIGITS = 5


def _phone(text: str, conventions: Conventions) -> Reading | None:
    found = either(text, find_phones(text, conventions), IN_LIST)
    if found:
        return found
    whole = read_text(text)
    return whole if whole and len(text) < 40 and sum(map(str.isdecimal, text)) >= _FEWEST_DIGITS else None


def _postal_code(text: str, conventions: Conventions) -> Reading | None:
    found = find_postal_codes(text, conventions)
    return found[0] if found else read_text(text) if 3 <= len(text.strip()) <= 10 else None


def _region(text: str, conventions: Conventions) -> Reading | None:
    return next(iter(find_regions(text, conventions)), None) or read_text(text)


def _datetime(text: str, conventions: Conventions) -> Reading | None:
    """A moment as ISO text: as written if it is that already, else made of the date and the time beside it."""
    start, end = trimmed(text)
    if _is_iso(text[start:end]):
        return Reading(start, end, text[start:end])
    dates, times = find_dates(text, conventions), find_times(text, conventions)
    if not dates:
        return None
    day = dates[0]
    time = next((time for time in times if time.start >= day.end or time.end <= day.start), None)
    if time is None:
        return read(text, day.start, day.end, (*day.transforms, "iso"))
    first, last = min(day.start, time.start), max(day.end, time.end)
    spans = f"{day.start - first}-{day.end - first},{time.start - first}-{time.end - first}"
    orders = [way.transforms[0].partition(":")[2] for way in (day, *day.alternatives)]
    return read_any(text, first, last, [(f"datetime:{order},{spans}",) for order in orders], day.rule)


def _is_iso(text: str) -> bool:
    from datetime import datetime

    try:
        return "T" in text.upper() and bool(datetime.fromisoformat(text.upper()))
    except ValueError:
        return False


READERS: dict[str, Callable[[str, Conventions], Reading | None]] = {
    "bic": lambda text, conventions: read_bic(text),
    "country": lambda text, conventions: read_country(text),
    "currency": read_currency,
    "datetime": _datetime,
    "iban": lambda text, conventions: read_iban(text),
    "phone": _phone,
    "postal_code": _postal_code,
    "region": _region,
    "vat_id": lambda text, conventions: read_vat_id(text, conventions=conventions),
}
