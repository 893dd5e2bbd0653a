"""Dates with the day or the year in words: the twenty-second day of October, 2009; May first, two thousand eleven."""

from __future__ import annotations

import re

from paxman.recognizers.base import GAP
from paxman.recognizers.calendar.anniversaries import number_of, ordinal_words
from paxman.recognizers.figures.spelled import to_number
from paxman.types import Span

_UNITS = "one|two|three|four|five|six|seven|eight|nine"
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_BELOW_100 = rf"(?:(?:{_TENS})(?:(?:-|{GAP})(?:{_UNITS}))?|{_TEENS}|{_UNITS})"
_YEAR_WORDS = (
    rf"(?:two{GAP}thousand(?:,?(?:{GAP}and)?{GAP}{_BELOW_100})?|(?:nineteen|twenty)(?:-|{GAP}){_BELOW_100})(?![^\W_])"
)
_YEAR = re.compile(_YEAR_WORDS, re.IGNORECASE)
_DAY = re.compile(rf"(?<![\w-])({ordinal_words()})(?![\w-])", re.IGNORECASE)
_NTH = r"\d{1,2}(?:st|nd|rd|th)?"
_ASIDE = rf"(?:{GAP}?\([^()\n]{{1,12}}\))?"
_ASIDES = re.compile(r"\([^()\n]{1,12}\)")
_DAY_BEFORE = re.compile(
    rf"(?<![\w-])(?:{ordinal_words()}|{_NTH}){_ASIDE}{GAP}(?:day{GAP})?(?:of{GAP})?\Z", re.IGNORECASE
)
_DAY_AFTER = re.compile(rf"{GAP}(?:the{GAP})?(?:{ordinal_words()}|{_NTH}){_ASIDE}(?![\w-])", re.IGNORECASE)
_YEAR_AFTER = re.compile(
    rf",?{GAP}(?:(?:in{GAP})?(?:the{GAP})?year{GAP})?(?:\d{{4}}(?!\d)|{_YEAR_WORDS})", re.IGNORECASE
)
_REACH = 64


def worded_date(text: str, start: int, end: int) -> tuple[Span, str] | None:
    """The span of a date around the month from `start` to `end`, and the order of its parts."""
    day = _DAY_BEFORE.search(text, max(0, start - _REACH), start)
    year = _YEAR_AFTER.match(text, end) if day else None
    if day and year:
        return (day.start(), year.end()), "dmy"
    day = _DAY_AFTER.match(text, end)
    year = _YEAR_AFTER.match(text, day.end()) if day else None
    return ((start, year.end()), "mdy") if year else None


def in_figures(text: str) -> str:
    """A date with its day and year in figures; what brackets repeat is left out."""
    text = _ASIDES.sub(" ", text)
    text = _YEAR.sub(_year_of, text)
    return _DAY.sub(lambda match: str(number_of(match[1])), text)


def _year_of(match: re.Match[str]) -> str:
    words = match[0].replace(",", " ")
    if "thousand" in words.lower():
        return str(to_number(words, "en"))
    century, rest = re.split(r"[\s-]+", words, maxsplit=1)
    return str(100 * to_number(century, "en") + to_number(rest, "en"))
