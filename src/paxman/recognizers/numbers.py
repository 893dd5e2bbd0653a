"""Numbers in figures: every decimal and grouping convention, signs before, after and in brackets, percent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Context, Decimal

from paxman.recognizers.base import UNKNOWN, Conventions, Reading, read_any

MAX_DIGITS = 1000
"""Longer runs of digits are not numbers that anybody wrote."""

_EXACT = Context(prec=4 * MAX_DIGITS)
SPACES = " \u00a0\u2007\u2009\u202f"
APOSTROPHES = "'\u2019`\u00b4"
MINUS = "-\u2212\u2013\u2010\u2011"
_MARKS = f".,{SPACES}{APOSTROPHES}\u066b\u066c"
# Patterns that begin with a digit, their lookbehind after it, run four times faster.
_FIGURE = re.compile(rf"\d+(?:[{_MARKS}]\d+)*(?:[eE][+-]?\d{{1,3}}(?!\w))?")
_PLAIN = re.compile(r"-?\d+(?:\.\d+)?")
_MARK = re.compile(r"\D")
_NOT_DIGITS = re.compile(r"\D+")
_SPACE = re.compile(f"[{SPACES}]")
_EXPONENT = re.compile(r"[eE]([+-]?\d{1,3})$")
_CREDIT = re.compile(r"\s?C[rR]\b")
_NO_CENTS = re.compile(rf"[.,][{MINUS}\u2014](?!\d)")
_EAST_ASIAN = "\u2e80"
_WORD_BEFORE = re.compile(r"[^\W\d]+\Z")
_WORD_AFTER = re.compile(r"[^\W\d]+")
_CENTS = re.compile(r"\d[.,]\d\d\Z")
_SAME_MARK = {**dict.fromkeys(SPACES, " "), **dict.fromkeys(APOSTROPHES, "'")}

Figure = tuple[int, int, tuple[str, ...]]
"""Start, end, and the marks that may be the decimal point ("" when every mark only groups digits)."""


def to_decimal(text: str, point: str = "") -> Decimal:
    """The exact number that a figure means when `point` is its decimal point; all its digits are kept."""
    if len(text) > 2 * MAX_DIGITS:
        raise ValueError("too long for a number")
    if _PLAIN.fullmatch(text) and (point == "." or "." not in text):
        return Decimal(text)
    text = text.strip()
    exponent = _EXPONENT.search(text)
    body = text[: exponent.start()] if exponent else text
    whole, mark, rest = body.rpartition(point) if point else (body, "", "")
    digits = f"{_NOT_DIGITS.sub('', whole)}{'.' if mark else ''}{_NOT_DIGITS.sub('', rest)}"
    if not digits.strip("."):
        raise ValueError(f"no digits in {text!r}")
    return Decimal(f"{'-' if _is_negative(text) else ''}{digits}{'E' + exponent[1] if exponent else ''}")


def to_integer(value: str | Decimal, point: str = "") -> int:
    """The whole number that a figure or a Decimal means; a fraction is an error."""
    number = to_decimal(value, point) if isinstance(value, str) else value
    if abs(number.adjusted()) > MAX_DIGITS or number != number.to_integral_value():
        raise ValueError(f"not a whole number: {number}")
    return int(number)


def negate(value: Decimal, argument: str = "") -> Decimal:
    return value.copy_negate()


def scale(value: Decimal, factor: str) -> Decimal:
    """The number times a factor, every digit kept."""
    return _EXACT.multiply(value, Decimal(factor))


def add(left: Decimal, right: Decimal) -> Decimal:
    return _EXACT.add(left, right)


def _is_negative(text: str) -> bool:
    return text[0] in MINUS or text[0] == "(" or text[-1] in MINUS or text[-2:].upper() == "CR"


def figures(text: str) -> Iterator[Figure]:
    """Every figure in a text that some convention can read as one number."""
    for match in _FIGURE.finditer(text):
        start, end = match.span()
        before = text[max(0, start - 2) : start - 1]
        if text[start - 1 : start] in (".", ",") and before != "." and not before.isalnum():
            start -= 1
        core = text[start:end]
        points = points_of(core)
        if len(points) > 1 and _NO_CENTS.match(text, end):
            points = ("",)
        if points:
            yield start, end, points
        elif len(core) <= MAX_DIGITS and not core.isdecimal():
            yield from _parts_between_spaces(core, start)


def _parts_between_spaces(core: str, start: int) -> Iterator[Figure]:
    """Figures that a single space keeps apart, such as a quantity and a price."""
    parts = _SPACE.split(core)
    if len(parts) == 1:
        return
    for part in parts:
        points = points_of(part)
        if points:
            yield start, start + len(part), points
        start += len(part) + 1


def points_of(core: str) -> tuple[str, ...]:
    """The marks in a figure that may be its decimal point; empty when no convention writes it so."""
    if core.isdecimal():
        return ("",) if len(core) <= MAX_DIGITS else ()
    if len(core) > MAX_DIGITS:
        return ()
    if core[-1].isdecimal() and "e" not in core and "E" not in core:
        return _points(core)
    return _points(_EXPONENT.sub("", core))[-1:]


def _points(core: str) -> tuple[str, ...]:
    groups = _MARK.split(core)
    marks = [_SAME_MARK.get(mark, mark) for mark in core if not mark.isdecimal()]
    if not marks:
        return ("",)
    if len(marks) == 1:
        return _points_of_lone_mark(groups[0], groups[1], marks[0])
    *grouping, last = marks
    if len(set(grouping)) > 1 or not _is_grouped(groups[:-1] if last != grouping[0] else groups):
        return ()
    if last == grouping[0]:
        return ("",)
    return (last,) if last in ".,\u066b" else ()


def _points_of_lone_mark(whole: str, rest: str, mark: str) -> tuple[str, ...]:
    if mark not in ".,\u066b":
        return ("",) if _is_grouped([whole, rest]) else ()
    if mark != "\u066b" and len(rest) == 3 and 1 <= len(whole) <= 3 and whole[0] != "0":
        return ("", mark)
    return (mark,)


def _is_grouped(groups: list[str]) -> bool:
    """Whether digits stand in thousands, or in the Indian way (12,34,567)."""
    first, *rest = map(len, groups)
    if not rest:
        return first > 0
    return rest[-1] == 3 and ((first <= 3 and set(rest) == {3}) or (first <= 2 and set(rest[:-1]) == {2}))


def choose_points(
    core: str, points: tuple[str, ...], conventions: Conventions, grouping_first: bool
) -> tuple[tuple[str, ...], str]:
    """The decimal points to try, best first, and the rule that put it first."""
    if len(points) < 2:
        return points, ""
    mark = points[1]
    if conventions.decimal_point:
        return ((mark if mark == conventions.decimal_point else ""),), ""
    if grouping_first or mark == ",":
        return points, f"three digits after a lone {mark!r} are taken as thousands"
    return (mark, ""), f"a lone {mark!r} is taken as the decimal point"


def decimal_steps(point: str) -> tuple[str, ...]:
    return (f"decimal:{point}" if point else "decimal",)


def signed_span(text: str, start: int, end: int) -> tuple[int, int]:
    """A figure's span with the sign, brackets or credit mark that belong to it."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before and before in MINUS + "+" and not text[max(0, start - 2) : start - 1].isalnum():
        return start - 1, end
    fraction = not text[start:end].isdecimal()
    if before == "(" and after == ")" and fraction and not is_aside(text, start - 1):
        return start - 1, end + 1
    if after and after in MINUS and not text[end + 1 : end + 2].strip() and (fraction or _is_all(text, start, end + 1)):
        return start, end + 1
    credit = _CREDIT.match(text, end) if "C" in text[end : end + 2] else None
    return (start, credit.end()) if credit else (start, end)


def _is_all(text: str, start: int, end: int) -> bool:
    """Whether a figure is all that stands in its line, or after a colon there; a dash elsewhere parts words."""
    before = text[max(0, start - _GAP) : start].rstrip(" \t")
    after = text[end : end + _GAP].lstrip(" \t")
    return before[-1:] in ("", "\n", ":", "=") and after[:1] in ("", "\r", "\n")


_GAP = 80
"""Blanks between a label and its figure, at most."""


def is_aside(text: str, bracket: int) -> bool:
    """Whether brackets follow a word of running text, as in: five dollars ($5.00)."""
    return text[bracket - 1 : bracket] == " " and text[max(0, bracket - 2) : bracket - 1].islower()


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a figure is a number of its own, not part of a word, date, time or code."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before in ("x", "X") and text[max(0, start - 2) : start - 1].isdecimal():
        before = ""
    if after in ("x", "X") and not text[end + 1 : end + 2].isalpha():
        after = ""
    if (before.isalpha() and before < _EAST_ASIAN) or before == "_" or (after.isalpha() and after < _EAST_ASIAN):
        return _is_glued_amount(text, start, end)
    return not (_joins(before, text[max(0, start - 2) : start - 1]) or _joins(after, text[end + 1 : end + 2]))


def _joins(mark: str, other: str) -> bool:
    """Whether a mark ties a figure to what is beyond it: a code's dash or slash, a colon or point between digits."""
    return (other.isalnum() and mark in ("-", "/")) or (other.isdecimal() and mark in (":", "."))


def _is_glued_amount(text: str, start: int, end: int) -> bool:
    """Amounts that a printer ran together with a word, a currency or a tax mark: TOTAL12.50, RM7, 5.30T."""
    from paxman.recognizers.currency_signs import sign_after, sign_before

    word_before = _WORD_BEFORE.search(text, max(0, start - 12), start)
    word_after = _WORD_AFTER.match(text, end)
    cents = _CENTS.search(text, start, end) is not None
    fits_before = not word_before or (cents and len(word_before[0]) > 2) or sign_before(text, start) is not None
    fits_after = not word_after or (cents and word_after[0].isupper() and len(word_after[0]) < 3)
    return fits_before and (fits_after or sign_after(text, end, UNKNOWN) is not None)


def find_decimals(text: str, conventions: Conventions) -> list[Reading]:
    """Numbers that are not percentages."""
    found = []
    for start, end, points in figures(text):
        if stands_alone(text, start, end) and not percent_end(text, end):
            reading = _read_number(text, start, end, points, conventions, "decimal")
            if reading:
                found.append(reading)
    return found


def find_integers(text: str, conventions: Conventions) -> list[Reading]:
    """Whole numbers, however they are grouped."""
    found = []
    for start, end, points in figures(text):
        if stands_alone(text, start, end):
            reading = _read_number(text, start, end, points, conventions, "integer")
            if reading:
                found.append(reading)
    return found


_PERCENT_WORD = (
    r"(?:per[ -]?cento?|prozent|pour[ -]?cent|por[ -]?cient?o|por[ -]?cien|por[ -]?cento|procent)"
    r"(?:s|e|i|age|punkten?|points?)?\b"
)
_PERCENT = re.compile(rf"\s?(?:[%\u066a\uff05](?![\w%])|{_PERCENT_WORD})", re.IGNORECASE)
_PERCENT_HEADS = frozenset("%\u066a\uff05pP")
_PERCENT_IN_WORDS = re.compile(rf"[^\W\d_] (?:[%\u066a\uff05]|{_PERCENT_WORD})", re.IGNORECASE)


def percent_end(text: str, end: int) -> int:
    """Where the percent mark after a figure ends, or 0."""
    if text[end : end + 1] not in _PERCENT_HEADS and text[end + 1 : end + 2] not in _PERCENT_HEADS:
        return 0
    match = _PERCENT.match(text, end)
    return match.end() if match else 0


def has_percent(text: str) -> bool:
    return _PERCENT.search(text) is not None


def has_percent_word(text: str) -> bool:
    """Whether a word, maybe a number, stands before a percent sign or word."""
    return _PERCENT_IN_WORDS.search(text) is not None


def _read_number(
    text: str, start: int, end: int, points: tuple[str, ...], conventions: Conventions, step: str
) -> Reading | None:
    chosen, rule = choose_points(text[start:end], points, conventions, grouping_first=step == "integer")
    start, end = signed_span(text, start, end)
    return read_any(text, start, end, [(f"{step}:{point}" if point else step,) for point in chosen], rule)
