"""Days without a year: 12 March, 12.03., in a row of a table 03/12; only a period can tell it."""

from __future__ import annotations

import re

import attrs

from paxman.lazy import lazy_pattern
from paxman.recognizers.base import Conventions, Reading, read
from paxman.recognizers.calendar.date_parts import NTH
from paxman.recognizers.calendar.dates import read_date
from paxman.recognizers.calendar.months import month_of
from paxman.types import Span

_NUMERIC = lazy_pattern(r"(\d{1,2})\.(\d{1,2})\.")
"""Without the last point it may be a time, a price or a month and its year: 8.05, 05/28."""
_SLASHED = lazy_pattern(r"\d{1,2}/\d{1,2}")
_NAMED = lazy_pattern(
    rf"{NTH}[ \u00a0-]?(?:(?:of|de|di|van) )?([^\W\d_]{{3,12}})\.?|([^\W\d_]{{3,12}})\.? {NTH}", re.IGNORECASE
)
_BLANK = " \t\u00a0"


def yearless_span(text: str, *, in_row: bool = False) -> Span | None:
    """Where a text has a day and a month, if it has nothing else; with a slash only `in_row`, among other days."""
    start = len(text) - len(text.lstrip(_BLANK))
    end = start + len(text.strip(_BLANK))
    if in_row and _SLASHED.fullmatch(text, start, end):
        return start, end
    named = _NAMED.fullmatch(text, start, end)
    is_day = month_of(named[1] or named[2]) if named else _NUMERIC.fullmatch(text, start, end)
    return (start, end) if is_day else None


def with_year(text: str, argument: str) -> str:
    """A day and a month with their year; the argument also says where a period has it: `2024 of 10-31`."""
    year = argument.partition(" ")[0]
    if _SLASHED.fullmatch(text):
        return f"{text}/{year}"
    return f"{text}{year}" if _NUMERIC.fullmatch(text) else f"{text} {year}"


_SOURCE = lazy_pattern(r"year:(\d{4}) (of|before) (\d{1,9})-(\d{1,9})")


def is_year_of(step: str, text: str) -> bool:
    """Whether the place that a step names has the year that it adds, in digits, or `before` a day that of the next."""
    said = _SOURCE.fullmatch(step)
    if said is None:
        return False
    figures = _FIGURES.findall(text[int(said[3]) : int(said[4])])
    years = [said[1]] if said[2] == "of" else [said[1], str(int(said[1]) + 1)]
    return any(
        year in figures or (year[2:] in figures and not any(len(figure) == len(year) for figure in figures))
        for year in years
    )


_FIGURES = lazy_pattern(r"\d+")


def read_in_year(
    text: str, span: Span, year: int, source: Span, conventions: Conventions, how: str = "of"
) -> Reading | None:
    """The day in a year `of` the period at `source`, or `before` a day there; Mar 25 may also be a month of 2025."""
    written = text[slice(*span)]
    day = read_date(with_year(written, str(year)), conventions)
    if day is None or (written[0].isalpha() and written.endswith(str(year)[2:])):
        return None
    found = read(text, *span, (f"year:{year} {how} {source[0]}-{source[1]}", *day.transforms))
    return attrs.evolve(found, loose=True)
