"""Times of day, and durations such as "two (2) years"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

import attrs

from paxman.recognizers.base import GAP, LINE_END, Conventions, Reading, read
from paxman.recognizers.booleans_and_enums import AND, plain
from paxman.recognizers.figures.ranges import with_fewest
from paxman.recognizers.figures.spelled import find_spelled, to_number, vocabulary
from paxman.recognizers.tables import entries

_TIME = re.compile(
    r"(\d(?<![\d.,:/]\d)(?:(?<!-\d)|(?<=[:.h]\d\d-\d))\d?)"
    r"(?:(?: ?[:：h.] ?| uhr |[時时点點]|시 ?)([0-5０-５]\d)"
    r"(?:(?:[:：]|分 ?)([0-5０-５]\d)(?:[.,]\d{3,6})?)?(?![:.,]?\d)"
    r"|(?= ?[ap]\.? ?m\b))"
    r"(?: ?([ap])\.? ?m\b\.?| ?(uhr|hrs|h)\b|[分분])?(?![\d%])",
    re.IGNORECASE,
)
_HALVES = {"午前": "a", "上午": "a", "오전": "a", "午後": "p", "下午": "p", "오후": "p"}
_SAID_BEFORE = re.compile(rf"(?:({'|'.join(_HALVES)})|(?<!\w)[Kk]lo?\.?) ?")
_TO_TIME = re.compile(r" ?(?:[-–]|bis) ?\d\d?\.\d\d ?uhr\b", re.IGNORECASE)
_SAID = re.compile(_SAID_BEFORE.pattern + r"\Z")


def to_time(text: str, argument: str = "") -> str:
    """A time of day as ISO text, with seconds only if they are written."""
    said = _SAID_BEFORE.match(text)
    match = _TIME.fullmatch(text, said.end() if said else 0)
    if not match:
        raise ValueError(f"not a time: {text!r}")
    hour, minute, second, half, _ = match.groups()
    half = half or (_HALVES.get(said[1]) if said else None)
    if int(hour) > 23:
        raise ValueError(f"not an hour: {hour}")
    hours = int(hour) % 12 + (12 if half.lower() == "p" else 0) if half else int(hour)
    return f"{hours:02}:{int(minute or 0):02}" + (f":{int(second):02}" if second else "")


def find_times(text: str, conventions: Conventions) -> list[Reading]:
    """Times of day; a point between hours and minutes counts only when a word says that it is a time."""
    found = []
    for match in _TIME.finditer(text):
        said = _SAID.search(text, max(0, match.start() - 5), match.start())
        if int(match[1]) > 23:
            continue
        if "." not in match[0][:3] or match[4] or _is_said(text, match) or said or _TO_TIME.match(text, match.end()):
            found.append(read(text, said.start() if said else match.start(), match.end(), ("time",)))
    return found


def _is_said(text: str, match: re.Match[str]) -> bool:
    """Whether a word for hours follows; behind a dash those are how many, as in 7.50-8.25 hrs."""
    return match[5] is not None and (match[5].lower() == "uhr" or text[match.start() - 1 : match.start()] != "-")


_WORD = re.compile(r"[^\W\d_]{2,12}(?![^\W\d_])|(?<=\d)[年天]")
_ISO = re.compile(
    r"(?<!\w)P(?=T?\d)(?:\d{1,6}Y)?(?:\d{1,6}M)?(?:\d{1,6}W)?(?:\d{1,6}D)?"
    r"(?:T(?=\d)(?:\d{1,6}H)?(?:\d{1,6}M)?(?:\d{1,6}(?:[.,]\d{1,9})?S)?)?(?!\w)"
)
_HOURS_MINUTES = re.compile(r"(?<![\w.,:])(\d{1,3}) ?h ?(\d{1,2}) ?m(?:in)?\b")
_MOST_YEARS = 999
"""More is the year of a date."""
_FIGURE = re.compile(r"\(?(?<![\w.,/])(\d{1,4}(?:[.,]\d{1,2})?)\)?\Z")
_IN_BRACKETS = re.compile(rf"{GAP}\(([^()\d]{{1,40}})\)\Z")
_GAP = re.compile(
    rf"(?:-?{LINE_END}|[ \u00a0-]{{1,2}})"
    rf"(?:(business|working|full|calendar|consecutive|additional){GAP})?\Z",
    re.IGNORECASE,
)
_SPELLED_GAP = re.compile(rf"{GAP}?\Z")
_ANOTHER = re.compile(rf"(?:,|,?{GAP}(?:{AND}))?{GAP}")
_WINDOW = 60


@attrs.frozen
class Span:
    """A number of units of time."""

    start: int
    end: int
    number: int | Decimal
    unit: str

    def __str__(self) -> str:
        return f"{self.number} {self.unit}{'' if self.number == 1 else 's'}"


@lru_cache(maxsize=1)
def _units() -> dict[str, str]:
    return {plain(word): unit for unit, words in entries("duration_units") for word in words}


def _spans(text: str, argument: str) -> Iterator[Span]:
    """Every unit of time that has a number right before it."""
    language, _, by_words = argument.partition(" ")
    units = _units()
    for match in _WORD.finditer(text):
        word = match[0].lower()
        unit = units.get(word) if word.isascii() else units.get(plain(word))
        if unit:
            low = max(0, match.start() - _WINDOW)
            span = _counted(text[low : match.start()], unit, language, bool(by_words))
            if span:
                yield Span(low + span.start, match.end(), span.number, span.unit)


def _counted(before: str, unit: str, language: str, by_words: bool) -> Span | None:
    """The number at the end of the text before a unit; what stands in brackets repeats it in figures or in words."""
    gap = _GAP.search(before) or (re.compile(r"\Z").search(before) if before[-1:].isdecimal() else None)
    if not gap:
        return None
    unit = (
        f"{gap[1].lower()} {unit}" if gap.re is _GAP and gap[1] and gap[1].lower() in ("business", "working") else unit
    )
    head = before[: gap.start()]
    repeated = _IN_BRACKETS.search(head)
    figure = _FIGURE.search(head, 0, repeated.start() if repeated else len(head))
    if repeated and not (figure and _says(repeated[1], figure[1], language)):
        return None
    words = _words_at_end(head[: figure.start()] if figure else head, language)
    if figure and not (by_words and words and figure[0].startswith("(")):
        start = words[0] if words and figure[0].startswith("(") else figure.start()
        number = Decimal(figure[1].replace(",", "."))
        return Span(start, 0, number, unit) if unit != "year" or number <= _MOST_YEARS else None
    return Span(words[0], 0, words[1], unit) if words else None


def _says(words: str, figure: str, language: str) -> bool:
    """Whether words say the same number as a figure."""
    found = _words_at_end(words, language)
    return found is not None and figure == str(found[1])


def _words_at_end(head: str, language: str) -> tuple[int, Decimal] | None:
    """Where a number in words at the end of a text starts, and the number."""
    for start, end in find_spelled(head, language):
        if _SPELLED_GAP.match(head, end):
            number = to_number(head[start:end], language)
            return (start, number) if 0 < number < 10_000 else None
    return None


def to_duration(text: str, language: str) -> str:
    """A duration as text: 2 years, 18 months, 1 year 6 months; the language `hm` is that of 1h 30m.

    Behind the language `words` says that these count, and not the figure that stands behind them in brackets.
    """
    if language == "hm":
        hours, minutes = map(int, _HOURS_MINUTES.findall(text)[0])
        return f"{Span(0, 0, hours, 'hour')} {Span(0, 0, minutes, 'minute')}"
    found = list(_spans(text, language))
    if not found or found[-1].end != len(text):
        raise ValueError(f"not a duration: {text!r}")
    return " ".join(map(str, found))


def find_durations(text: str, conventions: Conventions) -> list[Reading]:
    """Durations; parts that follow each other make one. A short text on a page of no known language may be in any."""
    known = conventions.language if conventions.language and vocabulary(conventions.language) else "en"
    others = _LANGUAGES if conventions.language is None and len(text) < _SHORT else ()
    found = [Reading(match.start(), match.end(), match[0]) for match in _ISO.finditer(text)]
    found += [read(text, *match.span(), ("duration:hm",)) for match in _HOURS_MINUTES.finditer(text)]
    for language in (known, *others):
        merged = _merged(text, language)
        if merged:
            found += [_read_both(text, start, end, language) for start, end in merged]
            break
    kept: list[Reading] = []
    for reading in sorted(found, key=lambda reading: reading.start):
        if not kept or reading.start >= kept[-1].end:
            kept.append(with_fewest(text, reading))
    return kept


def _read_both(text: str, start: int, end: int, language: str) -> Reading:
    """A duration by its figure in brackets, and by its words where these say something else: two (3) years."""
    figured = read(text, start, end, (f"duration:{language}",))
    worded = read(text, start, end, (f"duration:{language} words",)) if "(" in text[start:end] else figured
    if worded.value == figured.value:
        return figured
    return attrs.evolve(figured, alternatives=(worded,), rule="its words and figures differ")


_LANGUAGES = ("de", "fr", "es", "it", "pt", "nl", "pl")
_SHORT = 200


def _merged(text: str, language: str) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for span in _spans(text, language):
        if merged and _ANOTHER.fullmatch(text, merged[-1][1], span.start):
            merged[-1] = (merged[-1][0], span.end)
        elif not merged or span.start >= merged[-1][1]:
            merged.append((span.start, span.end))
    return merged
