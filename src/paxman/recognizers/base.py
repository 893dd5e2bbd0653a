"""What a recognizer works with: the page's conventions in, readings out."""

from __future__ import annotations

from typing import Any, Literal

import attrs

from paxman.classes import record
from paxman.transforms import run
from paxman.types import LOST

DecimalPoint = Literal[".", ","]
DateOrder = Literal["dmy", "mdy", "ymd"]

LINE_END = r"(?:[ \t]{0,40}\n[ \t]{0,40})"
GAP = rf"(?:{LINE_END}|[ \t\u00a0]{{1,2}})"
"""What stands between two words of a sentence: a space, or the end of a line and the indent of the next."""

IN_BRACKETS = "brackets around a number mostly make it negative"
"""The rule where they may as well be those of a note."""


@attrs.frozen(cache_hash=True)
class Conventions:
    """How a page writes its values; None where nothing says so."""

    decimal_point: DecimalPoint | None = None
    date_order: DateOrder | None = None
    currency: str | None = None
    language: str | None = None
    region: str | None = None
    states_currency: bool = False
    """Whether the currency stands with the value that is read, and not elsewhere on the page."""
    year_first: bool | None = None
    """Whether years of two digits stand first in the dates of the page."""
    dollar_assumed: bool = False
    """Whether a bare "$" is all that tells the currency, on a page that may well reckon in another dollar."""
    sign_assumed: bool = False
    """Whether only the name of a country tells the currency of a sign that several share, or that is a letter."""


UNKNOWN = Conventions()


@record
class Reading:
    """A value in a text: what `transforms` make of the characters from `start` to `end`."""

    start: int
    end: int
    value: Any = attrs.field(hash=False)
    transforms: tuple[str, ...] = ()
    alternatives: tuple[Reading, ...] = ()
    """Every other honest reading of the same characters."""
    rule: str = ""
    """Why this reading comes first, when there are others."""
    doubt: str = ""
    """What speaks against the value, though it stands there."""
    loose: bool = False
    """Whether nothing but the words around it says what it is."""

    def shifted(self, offset: int) -> Reading:
        """The same reading in a text that starts `offset` characters earlier."""
        others = tuple(other.shifted(offset) for other in self.alternatives) if self.alternatives else ()
        start, end = self.start + offset, self.end + offset
        return Reading(start, end, self.value, self.transforms, others, self.rule, self.doubt, self.loose)


def is_cut(text: str, start: int, end: int) -> bool:
    """Whether a lost character touches a value, or stands in a word of it that has digits: nobody knows its rest."""
    around = text[max(0, start - 1) : end + 1]
    if around.isascii() or not LOST.search(around):
        return False
    if LOST.match(text, end) or (start and LOST.match(text, start - 1)):
        return True
    return any(LOST.search(word) and any(map(str.isdigit, word)) for word in text[start:end].split())


def read(text: str, start: int, end: int, transforms: tuple[str, ...]) -> Reading:
    """The reading whose value the transforms make; raises ValueError where they do not apply."""
    return Reading(start, end, run(transforms, text[start:end]), transforms)


def read_any(text: str, start: int, end: int, ways: list[tuple[str, ...]], rule: str) -> Reading | None:
    """The first way that applies, with every other one that gives another value as an alternative."""
    readings: list[Reading] = []
    for transforms in ways:
        try:
            reading = read(text, start, end, transforms)
        except ValueError:
            continue
        if all(reading.value != other.value for other in readings):
            readings.append(reading)
    if len(readings) < 2:
        return readings[0] if readings else None
    first = readings[0]
    return Reading(start, end, first.value, first.transforms, tuple(readings[1:]), rule)
