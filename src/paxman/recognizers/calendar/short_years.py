"""Where the year stands in a date that gives it two digits: first, as in 24-12-31, or last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from paxman.lazy import lazy_pattern
from paxman.recognizers.base import Conventions
from paxman.recognizers.calendar.months import month_of
from paxman.recognizers.regions import regions_of, usage

DateParts = tuple[str, str, str, str]
"""First number of a date, the mark, second and last number."""
ShortDate = tuple[int, int, int]

_YEAR = lazy_pattern(r"[12](?<!\d[12])(?:(?<=1)9|(?<=2)0)\d\d(?!\d)")
_WORD_BEFORE = lazy_pattern(r"([^\W\d_]{3,12})[., ]{1,2}(?:\d\d?[., ]{1,2})?\Z")
_YEAR_DAYS = 365
_MONTHS, _APART, _FAR = 92, 300, 10 * _YEAR_DAYS
"""Days between the dates of one paper: as usual, as seldom, and as hardly ever."""


def year_first(text: str, dates: Sequence[DateParts]) -> bool | None:
    """Whether the year stands first in the short dates of a page, by all of them together; None if that is open."""
    short = [(int(a), int(b), int(c)) for a, _, b, c in dates if len(a) <= 2 == len(c)]
    short = [date for date in dict.fromkeys(short) if _may_be_date(*date)]
    if not short:
        return None
    votes = {_only_place(*date) for date in short} - {None}
    if votes:
        return votes.pop() if len(votes) == 1 else None
    # The place whose numbers are years that the page names; to lead they must be those of other dates.
    firsts, lasts = [date[0] for date in short], [date[2] for date in short]
    named = list(_YEAR.finditer(text))
    whole = {part for a, _, _, c in dates for part in (a, c) if len(part) == 4}
    whole |= {year[0] for year in named if _follows_month(text, year.start())}
    known = whole or {year[0] for year in named}
    first, last = _are_near(firsts, known), _are_near(lasts, known)
    by_years = None if first == last or (first and not (whole and _may_lead(dates, short))) else first
    if by_years is not None:
        return by_years
    by_spread = _by_spread(short)
    # With other marks, or a day that may lead, the paper may as well be of two years.
    dashed = all(mark == "-" for _, mark, _, _ in dates) and all(first > 12 for first, _, _ in short)
    return by_spread if dashed or not by_spread else None


def _may_be_date(first: int, second: int, last: int) -> bool:
    month_fits = 0 < second <= 12 and (0 < first <= 31 or 0 < last <= 31)
    return month_fits or (0 < first <= 12 and 12 < second <= 31)


def _only_place(first: int, second: int, last: int) -> bool | None:
    """Whether the year leads, where no other order makes a date."""
    if second > 12 or not 0 < last <= 31:
        return False
    return None if 0 < first <= 31 else True


def _may_lead(dates: Sequence[DateParts], short: list[ShortDate]) -> bool:
    """Whether the year leads in whole dates with the same mark, or is the later one: an old date is one of birth."""
    like = {mark for a, mark, _, _ in dates if len(a) == 4} & {mark for a, mark, _, _ in dates if len(a) <= 2}
    return bool(like) or all(first > last for first, _, last in short)


def _follows_month(text: str, year: int) -> bool:
    word = _WORD_BEFORE.search(text[max(0, year - 20) : year])
    return word is not None and month_of(word[1]) is not None


def _are_near(years: list[int], named: set[str]) -> bool:
    known = {int(year) + shift for year in named for shift in (-1, 0, 1)}
    return all(2000 + year in known or 1900 + year in known for year in years)


def _by_spread(dates: list[ShortDate]) -> bool | None:
    """The place that keeps the dates together, while they would be far apart by the other."""
    firsts, months, lasts = (set(part) for part in zip(*dates, strict=True))
    if len(months) == 1 and 1 in (len(firsts), len(lasts)):
        return None  # A term of whole years: 01/07/24 to 01/07/25.
    first = _spread(first * _YEAR_DAYS + second * 30 + last for first, second, last in dates)
    last = _spread(last * _YEAR_DAYS + second * 30 + first for first, second, last in dates)
    near, far = sorted((first, last))
    if (near <= _MONTHS and far > _APART) or (far > _FAR and far > 3 * near):
        return first < last
    return None


def _spread(days: Iterable[int]) -> int:
    ordered = sorted(days)
    return ordered[-1] - ordered[0]


def year_places(mark: str, how: Conventions) -> tuple[bool, ...]:
    """Whether the year of a short date leads: one answer where page or country say so, else the likelier one first."""
    if how.year_first is False or how.date_order == "ymd":
        return (how.year_first is not False,)
    rows = usage()
    known = _home(how, rows["ymd"])
    if known in rows["ymd"] or (known in rows["ymd_dashed"] and mark == "-"):
        return (True,) if known not in rows["any"] or regions_of(how.currency) & rows["ymd"] else (True, False)
    homes = {known} if known and known not in rows["mdy"] else regions_of(how.currency)
    if how.year_first and (not homes or homes & (rows["ymd"] | rows["any"] | rows["ymd_dashed"])):
        return (True,)
    if homes and homes <= rows["ymd"] | rows["ymd_dashed"] and not known:
        return (True, False)
    if mark == "." or (known in rows["mdy"] and mark == "/"):
        return (False,)
    return (False, True) if not homes or homes & (rows["mdy"] | rows["any"] | rows["ymd_dashed"]) else (False,)


def _home(how: Conventions, year_first: frozenset[str]) -> str | None:
    """The region of a page, or else its language, unless the page pays in the currency of another country."""
    paid = regions_of(how.currency)
    if how.region or how.language == "en" or (len(paid) == 1 and how.language in year_first and paid - year_first):
        return how.region
    return how.language
