"""Times of day, and durations such as "two (2) years"."""

from __future__ import annotations

import re
from functools import lru_cache

from paxman.recognizers.base import Conventions, Reading, read

from paxman.recognizers.tables import entries
from paxman.recognizers.words import plain

_TIME = re.compile(
    r"(?<![\d.,:/-])([01]?\d|2[0-3])"
    r"(?:(?:\s?[:h.]\s?|時|时|시 ?)([0-5]\d)(?:(?::|分 ?|分 ?)([0-5]\d))?(?![\d:.]\d)|(?= ?[ap]\.?m))"
    r"(?: ?([ap])\.?m\b\.?| ?(?:uhr|hrs|h)\b|分)?(?![\d%])",
    re.IGNORECASE,
)
_SEPARATED = re.compile(r"\d\.\d\d", re.IGNORECASE)


def to_time(text: str, argument: str = "") -> str:
    """A time of day as ISO text, seconds only if written."""
    match = _TIME.fullmatch(text)
    if not match:
        raise ValueError(f"not a time: {text!r}")
    hour, minute, second, half = match.groups()
    hours = int(hour)
    if half:
        hours = hours % 12 + (12 if half.lower() == "p" else 0)
    return f"{hours:02}:{minute or '00'}" + (f":{second}" if second else "")


def find_times(text: str, conventions: Conventions) -> list[Reading]:
    """Times of day; with a point between hours and minutes only when a word says that it is one."""
    found = []
    for match in _TIME.finditer(text):
        point = "." in match[0][:3] and not match[4] and not match[0][-1].isalpha()
        if not point:
            found.append(read(text, match.start(), match.end(), ("time",)))
    return found


@lru_cache(maxsize=1)
def _units() -> dict[str, str]:
    return {word: unit for unit, words in entries("duration_units") for word in words}


_SPAN = re.compile(
    r"(?P<words>[^\W\d_]+(?:[ -][^\W\d_]+){0,3})?[ \n]?"
    r"(?:\(?(?<![\d.,])(?P<figure>\d{1,4})\)?)?"
    r"(?:[ \u00a0-]|\s?\n)?(?P<unit>[^\W\d_]{2,9})\b"
)
_FIGURE = re.compile(
    r"(?<![\w.,/:-])\(?(\d{1,4}(?:[.,]\d)?)\)?[ \u00a0\n-]{0,2}(?:full |calendar |business |consecutive )?([^\W\d_]{2,9})\b"
)
