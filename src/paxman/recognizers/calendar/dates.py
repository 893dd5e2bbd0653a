"""Dates: numeric in every order, month names in many languages, East Asian forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from paxman.lazy import lazy_pattern
from paxman.recognizers.base import GAP, LINE_END, Conventions, DateOrder, Reading, read_any
from paxman.recognizers.booleans_and_enums import trimmed
from paxman.recognizers.calendar.date_parts import (
    BETWEEN_DAYS,
    HAN,
    JOINED,
    MONTH_WORD,
    NTH,
    NUMBER,
    assemble,
    first_month,
    in_figures,
    numbers_of,
    worded_date,
)
from paxman.recognizers.calendar.months import month_of
from paxman.recognizers.calendar.short_years import year_places
from paxman.recognizers.figures.broken import lacks_first_digit
from paxman.recognizers.regions import usage
from paxman.transforms import run

_BLANKS = r"[ \t\u00a0]{0,2}"
_LOOSE = rf"[ \t\u00a0.,/\-–]{{0,3}}(?:{LINE_END}|{_BLANKS})"
_NO_DIGIT = r"(?!\d|[OolISBZ]\d)"
# A printer may set no blank before the time: 01/30/201011:45, 08/14/1706:21.
_GLUED_YEAR = r"(?:19|20)\d\d(?=[0-2]?\d:[0-5]\d)"
_YEAR = rf"['’]?({_GLUED_YEAR}|(?:\d{{4}}|\d{{2}}){_NO_DIGIT})(?!:\d|['’]\d)"
_NUMERIC = lazy_pattern(
    rf"(\d(?<!\d\d)\d{{0,3}}){_BLANKS}([-./／．－]){_BLANKS}(\d{{1,2}}){_BLANKS}\2{_BLANKS}"
    rf"['’]?({_GLUED_YEAR}|(?!19|20)\d\d(?=[0-2]\d:[0-5]\d)|(?:\d{{4}}|\d{{1,2}}){_NO_DIGIT})"
)
_SPACED = lazy_pattern(r"(\d(?<![\d.,]\d)\d) (\d{2}) (\d{4})(?![ .,]?\d)")
_SLASH_AND_DASH = lazy_pattern(r"(\d(?<![\w/.,-]\d)\d?)/(\d{1,2}) ?- ?(\d{4})(?![\w/.-])")
# The month in Roman figures: 25-XII-2024, 3.V.2024. With slashes it is rather the number of a paper.
_ROMAN = lazy_pattern(r"\d(?<![\w./-]\d)\d?([-.])(I{1,3}|I?[VX]|VI{1,3}|XI{1,2})\1(?:19|20)\d\d(?![\w/-])")
_ROMAN_TAIL = lazy_pattern(r"[IVX][-.](?:19|20)")
_ROMANS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_NARROW = str.maketrans("／．－", "/.-")
# A raised "nd" comes out of some files apart from its number, even on a line of its own.
_DAY = rf"\d{{1,2}}(?:{GAP}?(?i:st|nd|rd|th)(?![^\W\d_])|er|[ºª°])?"
_DAY_BEFORE = lazy_pattern(
    rf"(?<!\d)(?<!\d[.,]){_DAY}{_LOOSE}(?i:day{GAP})?(?:(?i:of|de|di|d'|van|u|เดือน){GAP}?)?\[?\Z"
)
_YEAR_AFTER = lazy_pattern(rf"\]?{_LOOSE}(?:(?:de|del|of|van){GAP})?{_YEAR}")
_DAY_AND_YEAR_AFTER = lazy_pattern(
    rf"\]?[ \t\u00a0.,/\-]{{0,3}}{LINE_END}?{_DAY}(?:[ ,]{{1,2}}\d\d?:\d\d(?::\d\d)?[ ]|{_LOOSE}(?<!- )){_YEAR}"
)
# As a part of a date has it, and no amount or cell of a table.
_WHOLE_YEAR = lazy_pattern(r"(?<![ \t]{2})(?<!\t)(?:19|20)\d\d(?![.,]\d)")
LAST_DAY = "last_day:mdy"
_DAYS_AND_YEAR_AFTER = lazy_pattern(rf"\.? {NTH}{BETWEEN_DAYS}{NTH},? ?\d{{4}}(?!\d)")
_SLASH_AND_DIGIT = lazy_pattern(r"/\d")
_YEAR_BEFORE = lazy_pattern(rf"(?<!\d)\d{{4}}{_LOOSE}\Z")
_DAY_AFTER = lazy_pattern(rf"{_LOOSE}{_DAY}(?!\d|:\d)")
_NTH_BEFORE = ("of", "st", "nd", "rd", "th")
_NTH_AFTER = lazy_pattern(rf"{GAP}(?:the{GAP})?[\w-]{{1,14}}(?:st|nd|rd|th)[\s,(]")
_CELL_BEFORE = lazy_pattern(r"\S(?:[ ]{2,40}|\t)\Z")
_PART = rf"(?:\d{{1,2}}|[{HAN}十]{{1,3}})"
_EAST_ASIAN = lazy_pattern(
    rf"(?:(令和|平成|昭和|大正|民國|民国)\s?(?:\d{{1,3}}|元|[{HAN}十]{{1,4}})|(?<!\d)\d{{2,4}}|[{HAN}零○]{{4}})"
    rf"\s?[年년]\s?{_PART}\s?[月월]\s?{_PART}(?:\s?[日일号號])?"
)
_EAST_ASIAN_RANGE = lazy_pattern(
    _EAST_ASIAN.pattern
    + rf"\s?(?:[～〜~–—－-]|から|至|到)\s?(?:{_PART}\s?[月월]\s?)?{_PART}\s?[日일号號]"
    + r"(?!\s?(?:[間间以内後后目간]|이내|동안))"
)
_VIETNAMESE = lazy_pattern(r"(?<!\d)\d{1,2}\s?tháng\s?\d{1,2}\s?(?:năm\s)?,?\s?\d{4}(?!\d)", re.IGNORECASE)
_REACH = 48
_TIME = lazy_pattern(r"\d\d?:\d\d(?::\d\d)?")
_FIGURE = lazy_pattern(r"\d")
# Day and year of "Aug262017", as scans without blanks have it.
_GLUED = lazy_pattern(r"[0-3]\d(?:19|20)\d\d")
_ISO = lazy_pattern(r"(\d{4})-(\d{2})-(\d{2})\Z")
_COMPACT = lazy_pattern(r"\d{8}\Z")


def to_date(text: str, order: str) -> date:
    """The day that a date means when its parts stand in this order ("dmy", "mdy" or "ymd")."""
    numbers = numbers_of(_TIME.sub(" ", text) if ":" in text else text)
    if len(numbers) == 1 and len(numbers[0]) == 8:
        digits = numbers[0]
        sizes = [4 if part == "y" else 2 for part in order]
        numbers = [digits[: sizes[0]], digits[sizes[0] : sizes[0] + sizes[1]], digits[sizes[0] + sizes[1] :]]
    elif len(numbers) == 1 and _GLUED.fullmatch(numbers[0]):
        numbers = [numbers[0][:2], numbers[0][2:]]
    elif len(numbers) < 2 and text.isascii():
        numbers = NUMBER.findall(in_figures(text))
    if len(numbers) == 2:
        roman = _ROMAN.fullmatch(text)
        numbers.insert(order.index("m"), str(_ROMANS.index(roman[2]) + 1 if roman else first_month(text)))
    if len(numbers) != 3:
        raise ValueError(f"not a date: {text!r}")
    parts = dict(zip(order, numbers, strict=True))
    return assemble(parts["d"], parts["m"], parts["y"], text)


def to_iso(value: date, argument: str = "") -> str:
    return value.isoformat()


def to_datetime(text: str, argument: str) -> str:
    """A moment as ISO text, from `order,start-end of the date,start-end of the time`."""
    order, day, time = argument.split(",")
    return f"{run((f'slice:{day}', f'date:{order}'), text).isoformat()}T{run((f'slice:{time}', 'time'), text)}"


def find_dates(text: str, conventions: Conventions) -> list[Reading]:
    """Full dates in a text. A range gives two, and the first may share characters with the last."""
    found = [reading for reading in _candidates(text, conventions) if 1000 <= reading.value.year < 2400]
    if not _may_be_thai(conventions):
        found = [reading for reading in found if not _counts_as_thais_do(text, reading)]
    found.sort(key=lambda reading: (reading.start, -reading.end))
    kept: list[Reading] = []
    for reading in found:
        if not kept or reading.start >= kept[-1].end:
            kept.append(reading)
    return _with_first_days(text, kept) if any(_ends_range(text, reading) for reading in kept) else kept


def _may_be_thai(conventions: Conventions) -> bool:
    """Whether a page may be Thai by what is known of it; papers there are often in English."""
    language, currency = conventions.language, conventions.currency
    return conventions.region in (None, "TH") and (
        language in ("en", "th") or currency == "THB" or language is currency is None
    )


def _counts_as_thais_do(text: str, reading: Reading) -> bool:
    quote = text[reading.start : reading.end]
    return quote.isascii() and str(reading.value.year + 543) in quote


def _with_first_days(text: str, dates: list[Reading]) -> list[Reading]:
    from paxman.recognizers.calendar.date_ranges import add_first_days

    return add_first_days(text, dates)


def _ends_range(text: str, date: Reading) -> bool:
    """Whether a date may be the last of two that share its month or year."""
    return (
        date.transforms[0].startswith("last_day")
        or JOINED.search(text, max(0, date.start - 10), date.start) is not None
    )


def read_date(text: str, conventions: Conventions) -> Reading | None:
    """The first date in a short text; a text of eight digits counts too."""
    reading = _read_short(text, conventions)
    if reading and not _may_be_thai(conventions) and _counts_as_thais_do(text, reading):
        return None
    return reading


def _read_short(text: str, conventions: Conventions) -> Reading | None:
    start, end = trimmed(text)
    quote = text[start:end]
    if _ISO.match(quote):
        return read_any(text, start, start + len(quote), [("date:ymd",)], "")
    if _COMPACT.match(quote):
        orders = ("ymd",) if quote[:2] in ("19", "20") else ("dmy", "mdy")
        reading = read_any(text, start, start + len(quote), [(f"date:{order}",) for order in orders], "day first")
        return reading if reading and 1900 <= reading.value.year < 2100 else None
    whole = _NUMERIC.fullmatch(text, start, start + len(quote))
    if whole:
        return next(_numeric(text, whole, conventions, alone=True), None)
    found = find_dates(text, conventions)
    return found[0] if found else None


def _candidates(text: str, conventions: Conventions) -> Iterator[Reading]:
    for match in _NUMERIC.finditer(text):
        yield from _numeric(text, match, conventions)
    for match in _SPACED.finditer(text):
        yield from _ambiguous(text, match.start(), match.end(), ["dmy", "mdy"], " ", conventions)
    for match in _SLASH_AND_DASH.finditer(text) if "/" in text else ():
        yield from _ambiguous(text, match.start(), match.end(), ["dmy", "mdy"], "/", conventions)
    for match in _ROMAN.finditer(text) if _ROMAN_TAIL.search(text) else ():
        yield from _ways(text, match.start(), match.end(), ["dmy"], "")
    yield from _named(text)
    if not text.isascii():
        yield from _foreign(text)


def _numeric(text: str, match: re.Match[str], conventions: Conventions, alone: bool = False) -> Iterator[Reading]:
    start, end = match.span()
    first, mark, _, last = match.groups()
    if lacks_first_digit(text, start, len(first)):
        return
    if text[start - 1 : start] == mark and text[max(0, start - 2) : start - 1].isdigit():
        return
    if text[end : end + 1] == mark and text[end + 1 : end + 2].isdigit():
        return
    # One digit is no year, so that two before it are.
    if len(last) < 3 and (len(first) == 4 or (alone and len(first) == 2 and len(last) == 1)):
        yield from _ways(text, start, end, ["ymd"], "")
        return
    mark = mark.translate(_NARROW)
    if len(first) <= 2 and (len(last) == 4 or (len(last) == 2 and (alone or _is_short(match[0], mark)))):
        orders = ["dmy", "mdy"] if len(last) == 4 else ["dmy", "mdy", "ymd"]
        yield from _ambiguous(text, start, end, orders, mark, conventions)


def _is_short(quote: str, mark: str) -> bool:
    """Whether a date with a two-digit year is more than a section number or three numbers with dashes between."""
    return mark == "/" or (len(quote) > 6 and not (mark == "-" and " " in quote))


def _ambiguous(
    text: str, start: int, end: int, orders: list[str], mark: str, conventions: Conventions
) -> Iterator[Reading]:
    places = year_places(mark, conventions) if "ymd" in orders else (False,)
    if len(places) > 1 and _ends_later(text[start:end]):
        places = (False,) if mark == "/" and not places[0] else (False, True)
    fixed = _fixed_order(places, conventions)
    known = next(_ways(text, start, end, [fixed], ""), None) if fixed in orders else None
    if known:
        yield known
        return
    first, rule = _first_order(mark, conventions, places[0])
    usual = [order for order in orders if (order == "ymd") in places]
    if "mdy" in usual and (mark == "." or conventions.date_order == "dmy"):
        usual.remove("mdy")
    usual.sort(key=lambda order: order != first)
    readings = list(_ways(text, start, end, usual, rule))
    yield from readings or _ways(text, start, end, orders, rule)


def _ends_later(date: str) -> bool:
    """Whether a year that stands last is later than one that stands first: papers are of late."""
    first, *_, last = NUMBER.findall(date)
    return int(first) < int(last)


def _fixed_order(places: tuple[bool, ...], conventions: Conventions) -> DateOrder | None:
    """The order that page or country leave no doubt of; where the month leads, a year of two digits does not."""
    if places == (True,):
        return "ymd"
    return conventions.date_order if places == (False,) or conventions.date_order == "mdy" else None


def _first_order(mark: str, conventions: Conventions, year_first: bool) -> tuple[DateOrder, str]:
    """The order to take first where nothing on the page fixes it, and why."""
    if year_first:
        return "ymd", "the country writes the year first"
    if mark == ".":
        return "dmy", ""
    may_be_month = conventions.date_order != "dmy"
    if may_be_month and conventions.region in usage()["mdy"]:
        return "mdy", "the region writes the month first"
    if may_be_month and _is_american(conventions):
        return "mdy", "a page in US dollars is taken to write the month first"
    return "dmy", "most of the world writes the day first"


def _is_american(conventions: Conventions) -> bool:
    """Whether a page is of the United States by its dollars; with a decimal comma they are those of other countries."""
    in_dollars = conventions.currency == "USD" and conventions.decimal_point != "," and not conventions.dollar_assumed
    return in_dollars and not conventions.region and conventions.language in (None, "en")


def _ways(text: str, start: int, end: int, orders: list[str], rule: str) -> Iterator[Reading]:
    reading = read_any(text, start, end, [(f"date:{order}",) for order in orders], rule)
    if reading:
        yield reading


def _named(text: str) -> Iterator[Reading]:
    """Dates around the name of a month."""
    for match in MONTH_WORD.finditer(text):
        if month_of(match[0]):
            yield from list(_in_digits(text, *match.span())) or _worded(text, *match.span())


def _in_digits(text: str, start: int, end: int) -> Iterator[Reading]:
    low = max(0, start - _REACH)
    if not _FIGURE.search(text, low, end + 2 * _REACH):
        return
    both = _DAYS_AND_YEAR_AFTER.match(text, end)
    if both and (last := read_any(text, start, both.end(), [(LAST_DAY,)], "")):
        yield last
        return
    day, year = _day_before(text, low, start), _YEAR_AFTER.match(text, end)
    if year and _is_day(text, end, year):
        return
    month_first = _DAY_AND_YEAR_AFTER.match(text, end)
    if month_first and _is_torn(text, start, month_first):
        month_first = None
    if day and year and _is_torn(text, day.start(), year):
        day = None
    if day and year and not (month_first and _begins_date(text, day, year, month_first)):
        yield from _ways(text, day.start(), year.end(), ["dmy"], "")
    elif month_first:
        yield from _ways(text, start, month_first.end(), ["mdy"], "")
    elif (year := _YEAR_BEFORE.search(text, low, start)) and (day := _DAY_AFTER.match(text, end)):
        yield from _ways(text, year.start(), day.end(), ["ymd"], "")


def _is_day(text: str, month: int, year: re.Match[str]) -> bool:
    """Whether two digits behind a month and a dash are the last day of a range: 1 Mar - 31 Mar 2025."""
    if len(year[1]) != 2 or not _DASH.fullmatch(text, month, year.start(1)):
        return False
    last = _MONTH_AND_YEAR.match(text, year.end(1))
    return last is not None and month_of(last[1]) is not None


_DASH = lazy_pattern(r"\.?(?: [-–—] ?|[–—])")
_MONTH_AND_YEAR = lazy_pattern(r"(?:st|nd|rd|th|er|[.ºª])? ?([^\W\d_]{3,10})[.,]{0,2} ?(?:\d{4}|\d\d)(?!\d)")


def _is_torn(text: str, start: int, year: re.Match[str]) -> bool:
    """Whether a line ends within a date whose year has two digits: those are rather a number of the next line."""
    return len(year[1]) == 2 and "\n" in text[start : year.start(1)]


def _worded(text: str, start: int, end: int) -> Iterator[Reading]:
    """A date with its day or year in words around a month, as agreements have it."""
    nth = text[max(0, start - _REACH) : start].rstrip().endswith(_NTH_BEFORE)
    if not nth and not _NTH_AFTER.match(text, end):
        return
    found = worded_date(text, start, end)
    if found:
        yield from _ways(text, *found[0], [found[1]], "")


def _day_before(text: str, low: int, month: int) -> re.Match[str] | None:
    """The day before a month; a number that has a column of its own does not go on in the next line."""
    day = _DAY_BEFORE.search(text, low, month)
    if day is None or ("\n" in day[0] and _CELL_BEFORE.search(text, max(0, day.start() - 41), day.start())):
        return None
    digits = 2 if text[day.start() + 1].isdecimal() else 1
    return None if lacks_first_digit(text, day.start(), digits) else day


def _begins_date(text: str, day: re.Match[str], year: re.Match[str], month_first: re.Match[str]) -> bool:
    """Whether a whole date begins with the month: the number before it is of the line above, or of something else."""
    if len(month_first[1]) < 4:  # As in May12/20 - May18/20.
        return text[day.start() - 1 : day.start()] == "/" and _SLASH_AND_DIGIT.match(text, year.end()) is not None
    return "\n" in day[0] or (len(year[1]) == 2 and _WHOLE_YEAR.match(text, month_first.start(1)) is not None)


def _foreign(text: str) -> Iterator[Reading]:
    if "年" in text or "년" in text:
        yield from _east_asian(text)
    for match in _VIETNAMESE.finditer(text) if "á" in text or "Á" in text else ():
        yield from _ways(text, match.start(), match.end(), ["dmy"], "")


def _east_asian(text: str) -> Iterator[Reading]:
    for match in _EAST_ASIAN_RANGE.finditer(text):
        last = read_any(text, match.start(), match.end(), [("last_day:ymd",)], "")
        yield from [last] if last else []
    for match in _EAST_ASIAN.finditer(text):
        yield from _ways(text, match.start(), match.end(), ["ymd"], "")
