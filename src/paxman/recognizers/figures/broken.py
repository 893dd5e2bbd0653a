"""Numbers that a scan or a typist has broken: letters for digits, blanks at the point, a sign as the point."""

from __future__ import annotations

import re

from paxman.lazy import lazy_pattern
from paxman.recognizers.base import UNKNOWN
from paxman.recognizers.figures.currency_signs import codes_of, is_weak, sign_after, sign_before
from paxman.recognizers.figures.points import CENTS
from paxman.types import RAISED

SIGNS_AS_POINT = frozenset("€$£")
_BEHIND = frozenset(" .,．-€$£")
Mended = tuple[int, tuple[str, ...]]
"""Where the whole ends, and its decimal point; no point where nobody can say what it means."""

# Letters that a scan has put for digits, or that hide them: 1,2OO.00, $1O0, 1,2XX.00, 12.S0.
_LETTERS_WITHIN = lazy_pattern(
    r"([A-Za-z]{1,2}|[OolISBZ]{3})[.,]?\d|[.,]?[Oo]{1,3}(?![^\W_])| [OolI][.,]\d\d"
    r"|[.,](?:[OolISBZ]\d|[OISBZ]{2})(?![^\W_])"
)
_LETTERS_BEFORE = lazy_pattern(r"\d([A-Za-z]{1,2}|[OolISBZ]{3})[.,]?\Z")
_LETTER_FIRST = lazy_pattern(r"(?<![^\W_])[OolI][.,](?:\d\d|\d{3}[.,]\d\d)(?!\w)")
_LIKE_DIGITS = frozenset("OolISBZ")
_LIKE_DIGITS_ABOVE_0 = frozenset("lISBZ")
_CHANGES_CASE = lazy_pattern(r"[A-Z]{2}[a-z]\Z|[a-z][A-Z]\Z")
_TWO_MARKS = lazy_pattern(r"[.,．]{2}\d+(?![.,]{2})")
_SPACED_CENTS = lazy_pattern(r"( ?)([.,])( ?)(?:\d\d|(?<= [.,])\d)(?![.,]?\d|\w| ?%)")
_SPACED_GROUPS = lazy_pattern(r"(?: [.,]|[.,] )\d{3}([.,])\d\d(?![.,]?\d|\w)")
_SIGN_AS_POINT = lazy_pattern(r"([€$£])\d\d(?![\w€$£]|[.,]\d)")
_DASH_AS_POINT = lazy_pattern(r"-(\d\d)(?![\w/-]|[.,]\d| ?[^\W_])")
_SPLIT = lazy_pattern(r"0\d+[.,]\d\d")
_SPLIT_BEHIND_SIGN = lazy_pattern(r"\d\d?(?:[.,]\d\d)?")
_TORN = lazy_pattern(r"\D*\d+[ \xa0\u2009\u202f]\d{1,2}(\D*)")
_UNIT = lazy_pattern(r"[^\W_]+|[^\w\s.,;:*()-]")
_LABEL_BEFORE = lazy_pattern(r"([^\d\s,])[ \t]{0,80}\Z")
_ENDS_LINE = lazy_pattern(r"[ \t\r]{0,80}(?:\n|\Z)")


_MINUTES = lazy_pattern(r"[0-5]\d[ \xa0](?=\d)(?!000(?!\d))")
_HOURS = lazy_pattern(r"(?<![\w.,:/-])(?:[01]\d|2[0-3])(?::[0-5]\d)?:\Z")


def after_minutes(text: str, start: int) -> int:
    """Where a figure begins that seems to begin with the minutes or seconds of a time: 08:30 120.00."""
    minutes = _MINUTES.match(text, start) if follows_hours(text, start) else None
    return minutes.end() if minutes else start


def follows_hours(text: str, start: int) -> bool:
    """Whether the hours of a time, and maybe its minutes, stand before a figure."""
    return _HOURS.search(text, max(0, start - 6), start) is not None


def mend(text: str, start: int, end: int) -> Mended | None:
    """The whole of a number whose figure from `start` to `end` is only a part of it; None for a sound one."""
    core, after = text[start:end], text[end : end + 1]
    if after not in _BEHIND:
        return None
    if after in SIGNS_AS_POINT:
        # 4€50, if no other sign says that these are two amounts.
        sign = _SIGN_AS_POINT.match(text, end) if text[start:end].isdecimal() else None
        return (sign.end(), (sign[1],)) if sign and not any(_signs(text, start, sign.end())) else None
    if after == "-":
        # $476-00; in £10-12 the dash may as well stand between two amounts, the lower first.
        dash = _DASH_AS_POINT.match(text, end) if text[start - 1 : start] in SIGNS_AS_POINT else None
        if dash is None or (len(text[start:end]) < 3 and int(dash[1]) > int(text[start:end])):
            return None
        return dash.end(), ("-",)
    double = _TWO_MARKS.match(text, end)
    if double:
        return double.end(), ()
    groups = _SPACED_GROUPS.match(text, end) if core.isdecimal() and len(core) < 4 and core[0] != "0" else None
    if groups and groups[1] not in text[end : end + 2]:
        plain = _signs(text, start, groups.end()) == (True, False)
        return groups.end(), ((groups[1],) if plain else ())
    cents = _SPACED_CENTS.match(text, end)
    return _with_spaced_cents(text, start, cents) if cents and (cents[1] or cents[3]) else None


def _with_spaced_cents(text: str, start: int, cents: re.Match[str]) -> Mended | None:
    """12. 50 or 12 .50: the first may also be two numbers of a sentence, the second a count and a price."""
    mark = cents[2]
    if mark in text[start : cents.start()]:
        return None
    if any(_signs(text, start, cents.end())):
        return cents.end(), (mark,)
    if cents[1]:
        return cents.end(), ()
    before = _LABEL_BEFORE.search(text, max(0, start - 80), start)
    ends = before and (mark == "." or before[1] in ":=") and _ENDS_LINE.match(text, cents.end())
    return (cents.end(), (mark,)) if ends else None


def _signs(text: str, start: int, end: int) -> tuple[bool, bool]:
    """Whether a currency stands before a number, and behind it."""
    return sign_before(text, start) is not None, sign_after(text, end, UNKNOWN) is not None


def is_split(text: str, start: int, parts: list[str]) -> bool:
    """Whether a blank parts what can only be one number: RM 1 02.15."""
    if any(_SPLIT.fullmatch(part) for part in parts[1:]):
        return True
    if len(parts) != 2 or not parts[0].isdecimal() or not _SPLIT_BEHIND_SIGN.fullmatch(parts[1]):
        return False
    return sign_before(text, start) is not None


def is_torn(text: str, start: int, end: int) -> bool:
    """Whether only two whole numbers stand there, or a currency behind them: 12 99 is one with its cents, or two."""
    torn = _TORN.fullmatch(text, start, end)
    after = _UNIT.search(torn[1]) if torn else None
    return torn is not None and (after is None or is_currency(after[0]))


def with_raised_cents(text: str, start: int, end: int) -> bool:
    """Whether the last two digits of a price with a currency are set higher than the others."""
    return text[start:end].count(RAISED) == 1 and any(_signs(text, start, end))


def is_damaged(text: str, start: int, end: int) -> bool:
    """Whether a number goes on with letters in the place of digits; what can be read of it is not what it says."""
    after = text[end : end + 2].lstrip(" .,")[:1]
    within = _LETTERS_WITHIN.match(text, end) if after.isalpha() and after.isascii() else None
    if within and not _may_part(within[1]) and not (within[1] is None and CENTS.search(text, start, end)):
        return True
    if start >= 2 and _LETTER_FIRST.match(text, start - 2):
        return True
    before = text[max(0, start - 2) : start].rstrip(".,")[-1:]
    within = _LETTERS_BEFORE.search(text, max(0, start - 6), start) if before.isalpha() and before.isascii() else None
    return within is not None and not _may_part(within[1])


def _may_part(letters: str | None) -> bool:
    """Whether letters between two numbers mean something there: 3x5.00, 10€5, 5RM10."""
    return letters is not None and (letters in ("x", "X") or is_currency(letters))


def is_currency(written: str) -> bool:
    return bool(codes_of(written)) and not is_weak(written)


def lacks_first_digit(text: str, start: int, digits: int = 1) -> bool:
    """Whether a letter stands in the place of the first of two digits: l5/03/2021; an O would be a nought."""
    if digits != 1 or text[start - 1 : start] not in _LIKE_DIGITS_ABOVE_0:
        return False
    return not text[max(0, start - 2) : start - 1].isalnum()


def hides_digit(word: str) -> bool:
    """Whether the last letter of a word right before a figure is rather a digit of it: l2.50, RMl2.50, TOTALl2.50."""
    if word[-1] not in _LIKE_DIGITS or is_currency(word):
        return False
    return len(word) == 1 or is_currency(word[:-1]) or _CHANGES_CASE.search(word) is not None
