"""What may be the decimal point of a figure, by its marks and its page; powers of ten, and units such as 3万."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from paxman.lazy import lazy_pattern
from paxman.recognizers.base import Conventions, Reading, read, read_any
from paxman.types import Span

CENTS = lazy_pattern(r"\d[.,]\d\d\Z")
MAX_DIGITS = 1000
"""Longer runs of digits are not numbers that anybody wrote."""
SPACES = " \u00a0\u2007\u2009\u202f"
APOSTROPHES = "'\u2019`\u00b4"
MINUS = "-\u2212\u2013\u2010\u2011"
_MARK = lazy_pattern(r"\D")
EXPONENT = lazy_pattern(r"[eE]([+-]?\d{1,3})$")
_SAME_MARK = {**dict.fromkeys(SPACES, " "), **dict.fromkeys(APOSTROPHES, "'"), "\uff0e": ".", "\u00b7": "."}


def points_of(core: str) -> tuple[str, ...]:
    """The marks in a figure that may be its decimal point; empty when no convention writes it so."""
    if core.isdecimal():
        return ("",) if len(core) <= MAX_DIGITS else ()
    if len(core) > MAX_DIGITS:
        return ()
    if core[-1].isdecimal() and "e" not in core and "E" not in core:
        return _points(core)
    return _points(EXPONENT.sub("", core))[-1:]


@lru_cache(maxsize=1024)
def _points(core: str) -> tuple[str, ...]:
    groups = _MARK.split(core)
    marks = [_SAME_MARK.get(mark, mark) for mark in core if not mark.isdecimal()]
    if not marks:
        return ("",)
    if len(marks) == 1:
        whole = groups[0]
        rest = groups[1]
        mark = marks[0]
        if mark not in ".,\u066b":
            return ("",) if _is_grouped([whole, rest]) else ()
        if mark != "\u066b" and len(rest) == 3 and 1 <= len(whole) <= 3 and whole[0] != "0":
            return ("", mark)
        return (mark,)
    *grouping, last = marks
    if len(set(grouping)) > 1 or not _is_grouped(groups[:-1] if last != grouping[0] else groups):
        return ()
    if last == grouping[0]:
        return ("",)
    return (last,) if last in ".,\u066b" else ()


def _is_grouped(groups: list[str]) -> bool:
    """Whether digits stand in thousands, or in the Indian way (12,34,567)."""
    first, *rest = map(len, groups)
    if not rest:
        return first > 0
    return rest[-1] == 3 and ((first <= 3 and set(rest) == {3}) or (first <= 2 and set(rest[:-1]) == {2}))


def choose_points(
    points: tuple[str, ...], conventions: Conventions, grouping_first: bool
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


_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_POWER = lazy_pattern(r"(?<![\w.,])[-−]?(?:(\d+(?:[ \u00a0\u202f'’.,]\d+){0,5}) ?([·⋅×*xX]) ?)?1(0)([⁺⁻]?[⁰¹²³⁴-⁹]+)")
_LONGEST = 3
_MARKS = ("¹", "²", "³")
_UNSIGNED = "raised figures behind a 10 are the mark of a footnote, or a power"


def with_powers(text: str, found: list[Reading], conventions: Conventions, step: str) -> list[Reading]:
    """Numbers with those of powers in place of their parts; a power of something else than ten is left out."""
    powers = list(_POWER.finditer(text))
    starts = [power.start() for power in powers]
    kept = [r for r in found if text[r.end : r.end + 1] not in ("⁺", "⁻") and not _is_within(r, powers, starts)]
    read = (reading for power in powers for reading in _read(text, power, conventions, step))
    return sorted([*kept, *read], key=lambda reading: reading.start)


def _is_within(reading: Reading, powers: list[re.Match[str]], starts: list[int]) -> bool:
    index = bisect_right(starts, reading.start) - 1
    return index >= 0 and reading.start < powers[index].end()


def _read(text: str, power: re.Match[str], conventions: Conventions, step: str) -> Iterator[Reading]:
    factor, raised = power[1], power[4].translate(_RAISED)
    if len(raised) > _LONGEST:
        return
    # Of a bare 10 the first figure is the factor.
    number, end = (factor, power.end(1)) if factor else ("1", power.start(3))
    points, rule = choose_points(points_of(number), conventions, grouping_first=step == "integer")
    whole = ("integer",) if step == "integer" else ()
    cut, scaled = f"slice:0-{end - power.start()}", f"scale:{_ten(int(raised))}"
    ways = [(cut, *decimal_steps(point), scaled, *whole) for point in points]
    if not factor and raised.isdecimal():
        plain = (f"slice:0-{power.end(3) - power.start()}", step)
        ways, rule = [plain, *ways], _UNSIGNED
    elif power[4] in _MARKS and power[2] not in "·⋅":
        ways, rule = [*ways, *((cut, *decimal_steps(point), *whole) for point in points)], _UNSIGNED
    reading = read_any(text, power.start(), power.end(), ways, rule)
    if reading:
        yield reading


def _ten(exponent: int) -> str:
    return f"0.{'1':0>{-exponent}}" if exponent < 0 else f"1{'0' * exponent}"


_POWERS = {"千": 3, "천": 3, "万": 4, "萬": 4, "만": 4, "億": 8, "亿": 8, "억": 8, "兆": 12, "조": 12}
UNITS = "".join(_POWERS)
_FIGURE = r"\d[\d,]{0,14}(?:\.\d{1,6})?"
_UNIT = lazy_pattern(rf"\d[{UNITS}]")
_WHOLE = lazy_pattern(
    rf"(?<![\d.,])(?<![{UNITS}])(?<![{UNITS}] )(?:{_FIGURE}[{UNITS}]{{1,2}}){{1,4}}(?:\d,\d{{3}}|\d{{1,4}})?"
    rf"(?![\d.,]*\d| ?\d[\d,]*[{UNITS}])"
)
_PART = lazy_pattern(rf"({_FIGURE})([{UNITS}]*)")


def myriads(text: str) -> list[Span]:
    """Where such numbers stand."""
    if text.isascii() or not _UNIT.search(text):
        return []
    return [match.span() for match in _WHOLE.finditer(text) if _value(match[0]) is not None]


def to_myriads(text: str, argument: str = "") -> Decimal:
    """The number that figures and units mean together."""
    value = _value(text)
    if value is None:
        raise ValueError(f"units in no order: {text!r}")
    return value


def _value(text: str) -> Decimal | None:
    """The sum of the parts, each smaller than the unit before it."""
    total, room = Decimal(0), Decimal("Infinity")
    for figure, units in _PART.findall(text):
        unit = Decimal(10 ** sum(_POWERS[unit] for unit in units))
        part = Decimal(figure.replace(",", "")) * unit
        if part >= room:
            return None
        total, room = total + part, unit
    return total


def with_myriads(text: str, found: list[Reading], step: str) -> list[Reading]:
    """Numbers with these in place of their parts."""
    spans = myriads(text)
    if not spans:
        return found
    whole = ("integer",) if step == "integer" else ()
    read_ = [read(text, start, end, ("myriads", *whole)) for start, end in spans]
    covered = {at for span in spans for at in range(*span)}
    return sorted([*(r for r in found if r.start not in covered), *read_], key=lambda reading: reading.start)
