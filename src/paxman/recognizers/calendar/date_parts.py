"""Parts of dates: days, months and years as digits, Chinese signs and eras say them."""

from __future__ import annotations

import re
from datetime import date

from paxman.lazy import lazy_pattern
from paxman.recognizers.base import GAP
from paxman.recognizers.booleans_and_enums import AND, OR, TO
from paxman.recognizers.calendar.anniversaries import number_of, ordinal_words
from paxman.recognizers.calendar.months import month_of
from paxman.recognizers.figures.spelled import to_number
from paxman.types import Span

MONTH_WORD = lazy_pattern(r"[^\W\d_][^\s\d,;:()\[\]/'’_–-]{1,15}")

PIVOT = 69
"""Two-digit years from here on are in the 1900s, those below in the 2000s, whatever today is."""
BETWEEN_DAYS = rf"(?:[ \u00a0]?[-–—/][ \u00a0]?|[ \u00a0](?:{TO}|{OR}|{AND})[ \u00a0])"
JOINED = lazy_pattern(BETWEEN_DAYS + r"\Z")
NTH = r"\d{1,2}(?:st|nd|rd|th|er|[.ºª])?"
HAN = "〇一二三四五六七八九"
_HAN_NUMBER = lazy_pattern(rf"[{HAN}零○十]+")
NUMBER = lazy_pattern(r"\d+|元")
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "民國": 1911, "民国": 1911}


def numbers_of(text: str) -> list[str]:
    """The numbers of a date, those in Chinese signs too."""
    return NUMBER.findall(text if text.isascii() else _HAN_NUMBER.sub(_digits, text))


def _digits(han: re.Match[str]) -> str:
    """A number in Chinese signs, digit by digit or up to 99 with the sign for ten."""
    tens, ten, ones = han[0].replace("零", "〇").replace("○", "〇").partition("十")
    signs = (tens or "一") + (ones or "〇") if ten else tens
    return "".join(str(HAN.find(sign)) for sign in signs)


def assemble(day: str, month: str, year: str, text: str = "") -> date:
    """The day of these digits; the text may name the era that the year counts in."""
    return date(_year(year, text), int(month), int(day))


def first_month(text: str) -> int:
    """The first month that a text names, or 0."""
    return next((month for word in MONTH_WORD.finditer(text) if (month := month_of(word[0]))), 0)


def _year(digits: str, text: str) -> int:
    era = next((start for name, start in _ERAS.items() if name in text), 0)
    if era:
        return era + (1 if digits == "元" else int(digits))
    year = int(digits)
    if len(digits) <= 2:
        return year + (1900 if year >= PIVOT else 2000)
    # The Thai calendar counts from 543 BC.
    return year - 543 if 2400 < year < 2700 else year


_UNITS = "one|two|three|four|five|six|seven|eight|nine"
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_BELOW_100 = rf"(?:(?:{_TENS})(?:(?:-|{GAP})(?:{_UNITS}))?|{_TEENS}|{_UNITS})"
_YEAR_WORDS = (
    rf"(?:two{GAP}thousand(?:,?(?:{GAP}and)?{GAP}{_BELOW_100})?|(?:nineteen|twenty)(?:-|{GAP}){_BELOW_100})(?![^\W_])"
)
_YEAR = lazy_pattern(_YEAR_WORDS, re.IGNORECASE)
_DAY = lazy_pattern(rf"(?<![\w-])({ordinal_words()})(?![\w-])", re.IGNORECASE)
_NTH = r"\d{1,2}(?:st|nd|rd|th)?"
_ASIDE = rf"(?:{GAP}?\([^()\n]{{1,12}}\))?"
_ASIDES = lazy_pattern(r"\([^()\n]{1,12}\)")
_DAY_BEFORE = lazy_pattern(
    rf"(?<![\w-])(?:{ordinal_words()}|{_NTH}){_ASIDE}{GAP}(?:day{GAP})?(?:of{GAP})?\Z", re.IGNORECASE
)
_DAY_AFTER = lazy_pattern(rf"{GAP}(?:the{GAP})?(?:{ordinal_words()}|{_NTH}){_ASIDE}(?![\w-])", re.IGNORECASE)
_YEAR_AFTER = lazy_pattern(
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
