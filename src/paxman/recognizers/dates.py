"""Dates: numeric in every order, month names in many languages, East Asian forms."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from datetime import date

from paxman.recognizers.base import Conventions, DateOrder, Reading, read_any
from paxman.recognizers.broken import lacks_first_digit
from paxman.recognizers.months import month_of
from paxman.transforms import run

PIVOT = 69
"""Two-digit years from here on are in the 1900s, those below in the 2000s, whatever today is."""

_GAP = r"[ \t\u00a0]{0,2}"
_LOOSE = r"[ \t\u00a0.,/\-–]{0,3}\n?[ \t\u00a0]{0,2}"
_WORD = r"[^\W\d_][^\s\d,;:()\[\]/'’_–-]{1,15}"
_NO_DIGIT = r"(?!\d|[OolISBZ]\d)"
_YEAR = rf"['’]?(\d{{4}}|\d{{2}}){_NO_DIGIT}(?!:\d|['’]\d)"
_NUMERIC = re.compile(
    rf"(\d(?<!\d\d)\d{{0,3}}){_GAP}([-./／．－]){_GAP}(\d{{1,2}}){_GAP}\2{_GAP}['’]?(\d{{4}}|\d{{1,2}}){_NO_DIGIT}"
)
_SPACED = re.compile(r"(\d(?<![\d.,]\d)\d) (\d{2}) (\d{4})(?![ .,]?\d)")
_SLASH_AND_DASH = re.compile(r"(\d(?<![\w/.,-]\d)\d?)/(\d{1,2}) ?- ?(\d{4})(?![\w/.-])")
_NARROW = str.maketrans("／．－", "/.-")
_MONTH_WORD = re.compile(_WORD)
# A raised "nd" comes out of some files apart from its number, even on a line of its own.
_DAY = r"\d{1,2}(?:[ \n]?(?i:st|nd|rd|th)(?![^\W\d_])|er|[ºª°])?"
_DAY_BEFORE = re.compile(rf"(?<!\d){_DAY}{_LOOSE}(?i:day\s)?(?:(?i:of|de|di|d'|van|u|เดือน)[ \t\u00a0]{{0,2}})?\[?\Z")
_YEAR_AFTER = re.compile(rf"\]?{_LOOSE}(?:(?:de|del|of|van)\s)?{_YEAR}")
_DAY_AND_YEAR_AFTER = re.compile(
    rf"\]?[ \t\u00a0.,/\-]{{0,3}}\n?[ \t]{{0,2}}{_DAY}(?:[ ,]{{1,2}}\d\d?:\d\d(?::\d\d)?[ ]|{_LOOSE}(?<!- )){_YEAR}"
)
_YEAR_BEFORE = re.compile(rf"(?<!\d)\d{{4}}{_LOOSE}\Z")
_DAY_AFTER = re.compile(rf"{_LOOSE}{_DAY}(?!\d|:\d)")
_NTH_BEFORE = re.compile(r"(?:of|st|nd|rd|th)\s\Z")
_NTH_AFTER = re.compile(r"\s(?:the\s)?[\w-]{1,14}(?:st|nd|rd|th)[\s,(]")
_HAN = "〇一二三四五六七八九"
_HAN_NUMBER = re.compile(rf"[{_HAN}零○十]+")
_PART = rf"(?:\d{{1,2}}|[{_HAN}十]{{1,3}})"
_EAST_ASIAN = re.compile(
    rf"(?:(令和|平成|昭和|大正|民國|民国)\s?(?:\d{{1,3}}|元|[{_HAN}十]{{1,4}})|(?<!\d)\d{{2,4}}|[{_HAN}零○]{{4}})"
    rf"\s?[年년]\s?{_PART}\s?[月월]\s?{_PART}(?:\s?[日일号號])?"
)
_VIETNAMESE = re.compile(r"(?<!\d)\d{1,2}\s?tháng\s?\d{1,2}\s?(?:năm\s)?,?\s?\d{4}(?!\d)", re.IGNORECASE)
_REACH = 24
_RANGE_MARKS = ("-", "–", "—", " to ", " bis ", " au ", " al ", " until ", " thr")
_TIME = re.compile(r"\d\d?:\d\d(?::\d\d)?")
NUMBER = re.compile(r"\d+|元")
# Day and year of "Aug262017", as scans without blanks have it.
_GLUED = re.compile(r"[0-3]\d(?:19|20)\d\d")
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})\Z")
_COMPACT = re.compile(r"\d{8}\Z")
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "民國": 1911, "民国": 1911}
_MONTH_FIRST_REGIONS = frozenset({"US", "PH", "PR", "GU", "FM", "PW", "MH"})
_YEAR_FIRST_LANGUAGES = frozenset({"zh", "ja", "ko", "hu", "lt", "mn"})


def to_date(text: str, order: str) -> date:
    """The day that a date means when its parts stand in this order ("dmy", "mdy" or "ymd")."""
    text = text if text.isascii() else _HAN_NUMBER.sub(_digits, text)
    numbers = NUMBER.findall(_TIME.sub(" ", text))
    if len(numbers) == 1 and len(numbers[0]) == 8:
        numbers = _cut(numbers[0], order)
    elif len(numbers) == 1 and _GLUED.fullmatch(numbers[0]):
        numbers = [numbers[0][:2], numbers[0][2:]]
    elif len(numbers) < 2 and text.isascii():
        numbers = NUMBER.findall(_in_figures(text))
    if len(numbers) == 2:
        numbers.insert(order.index("m"), str(first_month(text)))
    if len(numbers) != 3:
        raise ValueError(f"not a date: {text!r}")
    parts = dict(zip(order, numbers, strict=True))
    return assemble(parts["d"], parts["m"], parts["y"], text)


def _in_figures(text: str) -> str:
    from paxman.recognizers.worded_dates import in_figures

    return in_figures(text)


def _digits(han: re.Match[str]) -> str:
    """A number in Chinese signs, digit by digit or up to 99 with the sign for ten."""
    tens, ten, ones = han[0].replace("零", "〇").replace("○", "〇").partition("十")
    signs = (tens or "一") + (ones or "〇") if ten else tens
    return "".join(str(_HAN.find(sign)) for sign in signs)


def assemble(day: str, month: str, year: str, text: str = "") -> date:
    """The day of these digits; the text may name the era that the year counts in."""
    return date(_year(year, text), int(month), int(day))


def to_iso(value: date, argument: str = "") -> str:
    return value.isoformat()


def to_datetime(text: str, argument: str) -> str:
    """A moment as ISO text, from `order,start-end of the date,start-end of the time`."""
    order, day, time = argument.split(",")
    return f"{run((f'slice:{day}', f'date:{order}'), text).isoformat()}T{run((f'slice:{time}', 'time'), text)}"


def _cut(digits: str, order: str) -> list[str]:
    sizes = [4 if part == "y" else 2 for part in order]
    return [digits[: sizes[0]], digits[sizes[0] : sizes[0] + sizes[1]], digits[sizes[0] + sizes[1] :]]


def first_month(text: str) -> int:
    """The first month that a text names, or 0."""
    return next((month for word in _MONTH_WORD.finditer(text) if (month := month_of(word[0]))), 0)


def _year(digits: str, text: str) -> int:
    era = next((start for name, start in _ERAS.items() if name in text), 0)
    if era:
        return era + (1 if digits == "元" else int(digits))
    year = int(digits)
    if len(digits) <= 2:
        return year + (1900 if year >= PIVOT else 2000)
    # The Thai calendar counts from 543 BC.
    return year - 543 if 2400 < year < 2700 else year


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
    return _with_ranges(text, kept) if any(mark in text for mark in _RANGE_MARKS) else kept


def _may_be_thai(conventions: Conventions) -> bool:
    """Whether a page may be Thai by what is known of it; papers there are often in English."""
    language, currency = conventions.language, conventions.currency
    return conventions.region in (None, "TH") and (
        language in ("en", "th") or currency == "THB" or language is currency is None
    )


def _counts_as_thais_do(text: str, reading: Reading) -> bool:
    quote = text[reading.start : reading.end]
    return quote.isascii() and str(reading.value.year + 543) in quote


def _with_ranges(text: str, dates: list[Reading]) -> list[Reading]:
    from paxman.recognizers.date_ranges import add_first_days, same_month

    pairs = same_month(text)
    starts = [reading.start for reading in pairs]
    others = [r for r in dates if not (at := bisect_left(starts, r.end)) or pairs[at - 1].end <= r.start]
    return sorted([*add_first_days(text, others), *pairs], key=lambda reading: reading.start)


def read_date(text: str, conventions: Conventions) -> Reading | None:
    """The first date in a short text; a text of eight digits counts too."""
    reading = _read_short(text, conventions)
    if reading and not _may_be_thai(conventions) and _counts_as_thais_do(text, reading):
        return None
    return reading


def _read_short(text: str, conventions: Conventions) -> Reading | None:
    start = len(text) - len(text.lstrip())
    quote = text.strip()
    if _ISO.match(quote):
        return read_any(text, start, start + len(quote), [("date:ymd",)], "")
    if _COMPACT.match(quote):
        return _read_compact(text, start, quote)
    whole = _NUMERIC.fullmatch(text, start, start + len(quote))
    if whole:
        return next(_numeric(text, whole, conventions, alone=True), None)
    found = find_dates(text, conventions)
    return found[0] if found else None


def _read_compact(text: str, start: int, quote: str) -> Reading | None:
    orders = ("ymd",) if quote[:2] in ("19", "20") else ("dmy", "mdy")
    reading = read_any(text, start, start + len(quote), [(f"date:{order}",) for order in orders], "day first")
    return reading if reading and 1900 <= reading.value.year < 2100 else None


def _candidates(text: str, conventions: Conventions) -> Iterator[Reading]:
    for match in _NUMERIC.finditer(text):
        yield from _numeric(text, match, conventions)
    for match in _SPACED.finditer(text):
        yield from _ambiguous(text, match.start(), match.end(), ["dmy", "mdy"], " ", conventions)
    for match in _SLASH_AND_DASH.finditer(text) if "/" in text else ():
        yield from _ambiguous(text, match.start(), match.end(), ["dmy", "mdy"], "/", conventions)
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
    if len(first) == 4 and len(last) <= 2:
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
    first, rule = _first_order(mark, conventions, year_may_lead="ymd" in orders)
    if conventions.date_order in orders:
        fitting = [order for order in (conventions.date_order, "dmy", "mdy") if order in orders]
        reading = next((r for order in fitting for r in _ways(text, start, end, [order], "")), None)
        if reading:
            yield reading
            return
    usual: list[str] = [first] if mark == "." else [order for order in orders if order != "ymd" or first == "ymd"]
    usual.sort(key=lambda order: order != first)
    readings = list(_ways(text, start, end, usual, rule))
    yield from readings or _ways(text, start, end, orders, rule)


def _first_order(mark: str, conventions: Conventions, year_may_lead: bool) -> tuple[DateOrder, str]:
    """The order to take first where nothing on the page fixes it, and why."""
    if year_may_lead and conventions.language in _YEAR_FIRST_LANGUAGES:
        return "ymd", "the language writes the year first"
    if mark == ".":
        return "dmy", ""
    if conventions.region in _MONTH_FIRST_REGIONS:
        return "mdy", "the region writes the month first"
    if conventions.currency == "USD" and not conventions.region and conventions.language in (None, "en"):
        return "mdy", "a page in US dollars is taken to write the month first"
    return "dmy", "most of the world writes the day first"


def _ways(text: str, start: int, end: int, orders: list[str], rule: str) -> Iterator[Reading]:
    reading = read_any(text, start, end, [(f"date:{order}",) for order in orders], rule)
    if reading:
        yield reading


def _named(text: str) -> Iterator[Reading]:
    """Dates around the name of a month."""
    for match in _MONTH_WORD.finditer(text):
        if month_of(match[0]):
            yield from list(_in_digits(text, *match.span())) or _worded(text, *match.span())


def _in_digits(text: str, start: int, end: int) -> Iterator[Reading]:
    low = max(0, start - _REACH)
    day, year = _day_before(text, low, start), _YEAR_AFTER.match(text, end)
    month_first = _DAY_AND_YEAR_AFTER.match(text, end)
    if day and year and not (month_first and _ends_line(text, day.start(), start, month_first)):
        yield from _ways(text, day.start(), year.end(), ["dmy"], "")
    elif month_first:
        yield from _ways(text, start, month_first.end(), ["mdy"], "")
    elif (year := _YEAR_BEFORE.search(text, low, start)) and (day := _DAY_AFTER.match(text, end)):
        yield from _ways(text, year.start(), day.end(), ["ymd"], "")


def _worded(text: str, start: int, end: int) -> Iterator[Reading]:
    """A date with its day or year in words around a month, as agreements have it."""
    if not _NTH_BEFORE.search(text, max(0, start - 4), start) and not _NTH_AFTER.match(text, end):
        return
    from paxman.recognizers.worded_dates import worded_date

    found = worded_date(text, start, end)
    if found:
        yield from _ways(text, *found[0], [found[1]], "")


def _day_before(text: str, low: int, month: int) -> re.Match[str] | None:
    day = _DAY_BEFORE.search(text, low, month)
    digits = 1 if day and not text[day.start() + 1].isdecimal() else 2
    return None if day and lacks_first_digit(text, day.start(), digits) else day


def _ends_line(text: str, number: int, month: int, month_first: re.Match[str]) -> bool:
    """Whether the number before a month is of the line above, and a whole date begins with the month."""
    return "\n" in text[number:month] and len(month_first[1]) == 4


def _foreign(text: str) -> Iterator[Reading]:
    for match in _EAST_ASIAN.finditer(text):
        yield from _ways(text, match.start(), match.end(), ["ymd"], "")
    for match in _VIETNAMESE.finditer(text):
        yield from _ways(text, match.start(), match.end(), ["dmy"], "")
