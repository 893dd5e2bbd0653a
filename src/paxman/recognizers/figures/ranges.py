"""Ranges and alternatives as rivals of each other: 10-12 EUR, 5-7 %, 1-2 years, 19% / 7%."""

from __future__ import annotations

import re
from typing import Any

import attrs

from paxman.lazy import lazy_pattern
from paxman.recognizers.base import GAP, Conventions, Reading, read
from paxman.recognizers.booleans_and_enums import AND, OR, TO
from paxman.recognizers.figures.points import choose_points, decimal_steps, points_of
from paxman.types import Money, Span

RULE = "these are the two ends of a range"
_OTHER_RULE = "two values stand side by side"
_NUMBER = r"(?:[1-9]\d{0,8}(?:[.,]\d{1,9})?|0[.,]\d{1,9})"
_LOWER = lazy_pattern(rf"(?<![\w.,/-])({_NUMBER})[-–]\Z")
_UPPER = lazy_pattern(rf"[-–]({_NUMBER})(?![\w/-]|[.,]\d)")
_COUNT = lazy_pattern(rf"(?<![\w.,/-])(\d{{1,4}})(?: ?[-–] ?| (?:{OR}|{TO}|of) )\Z")
_FIGURE = lazy_pattern(r"\d{1,9}")
_UNIT = lazy_pattern(rf"(?:(?:business|working){GAP})?[^\W\d_]+\Z", re.IGNORECASE)
_BLANK = r"[ \t]{0,2}"
_WORDS = rf"[ \t]{{1,2}}(?:{OR}|{AND})[ \t]{{1,2}}"
_EITHER = lazy_pattern(rf"{_BLANK}[/|–—-]{_BLANK}|{_WORDS}|[ \t]{{1,2}}(?:{TO})[ \t]{{1,2}}", re.IGNORECASE)
# A Dutch "or"; between bare numbers it is rather English.
_WITH_UNIT = lazy_pattern(rf"{_EITHER.pattern}|[ \t]{{1,2}}of[ \t]{{1,2}}", re.IGNORECASE)
IN_LIST = lazy_pattern(rf"{_BLANK}[/|,;&]{_BLANK}|{_WORDS}", re.IGNORECASE)
_UNIT_BEHIND = lazy_pattern(r"[ \t]{0,2}([^\W\d_]{1,15}|°[CFK]?|[%²³])\.?")
_ENDS = lazy_pattern(r"[ \t]{0,2}(?:\n|\Z)")
_REACH = 24
_DASHES = frozenset("-–")


def in_ranges(text: str, found: list[Reading], conventions: Conventions) -> list[Reading]:
    """Numbers that a dash ties to another one, each with that as a rival."""
    return [
        _with_other_end(text, reading, conventions)
        if text[reading.end : reading.end + 1] in _DASHES or text[reading.start - 1 : reading.start] in _DASHES
        else reading
        for reading in found
    ]


def _with_other_end(text: str, reading: Reading, conventions: Conventions) -> Reading:
    span = _other_end(text, reading)
    at = next((at for at, step in enumerate(reading.transforms) if step.startswith("decimal")), None)
    if span is None or at is None or "negate" in reading.transforms:
        return reading
    points = points_of(text[slice(*span)])
    if not points:
        return reading
    first = choose_points(points, conventions, grouping_first=True)[0][0]
    other = read(text, *span, (*decimal_steps(first), *reading.transforms[at + 1 :]))
    ascends = (span[0] < reading.start) == (_size(other.value) < _size(reading.value))
    return _rivals(reading, other, RULE) if ascends and other.value != reading.value else reading


def _other_end(text: str, reading: Reading) -> Span | None:
    """Where the number on the other side of a dash stands: that before 12 EUR, that behind EUR 10."""
    if text[reading.start].isdecimal() and text[reading.start - 1 : reading.start] in _DASHES:
        lower = _LOWER.search(text, max(0, reading.start - _REACH), reading.start)
        return lower.span(1) if lower else None
    upper = _UPPER.match(text, reading.end) if text[reading.end - 1].isdecimal() else None
    return upper.span(1) if upper else None


def _size(value: Any) -> Any:
    return value.amount if isinstance(value, Money) else value


def _rivals(reading: Reading, other: Reading, rule: str) -> Reading:
    return attrs.evolve(reading, alternatives=(*reading.alternatives, other), rule=rule)


def with_fewest(text: str, reading: Reading) -> Reading:
    """A duration with the shorter one of its range as a rival: 1-2 years."""
    count = _COUNT.search(text, max(0, reading.start - _REACH), reading.start)
    unit = _UNIT.search(text, reading.start, reading.end)
    if not count or not unit or not reading.transforms:
        return reading
    start = count.start()
    parts = f"join:0-{count.end(1) - start} {unit.start() - start}-{reading.end - start}"
    other = read(text, start, reading.end, (parts, *reading.transforms))
    most = _FIGURE.match(text, reading.start)
    ascends = most is None or int(count[1]) < int(most[0])
    return _rivals(reading, other, RULE) if ascends and other.value != reading.value else reading


def side_by_side(text: str, found: list[Reading]) -> list[Reading]:
    """Values, each with the next one as a rival if only a slash, a dash or an "or" stands between them."""
    pairs = zip(found, [*found[1:], None], strict=False)
    return [_with_next(text, one, two, _WITH_UNIT) if two else one for one, two in pairs]


def either(text: str, found: list[Reading], apart: re.Pattern[str] = _EITHER) -> Reading | None:
    """The first value, with the second as its rival if nothing but "or", "to" or a sign for it stands between them."""
    if len(found) < 2 or found[0].alternatives:
        return found[0] if found else None
    return _with_next(text, found[0], found[1], apart)


def _with_next(text: str, one: Reading, two: Reading, apart: re.Pattern[str]) -> Reading:
    if one.value == two.value:
        return one
    if two.start < one.end:
        return _rivals(one, two, RULE)  # Days that share their month or year.
    return _rivals(one, two, _OTHER_RULE) if apart.fullmatch(gap_between(text, one, two)) else one


def gap_between(text: str, one: Reading, two: Reading) -> str:
    """What stands between two values, without a unit that both have: 5 pcs to 6 pcs, or 5 pcs to 6."""
    unit = _UNIT_BEHIND.match(text, one.end, two.start)
    if unit is None:
        return text[one.end : two.start]
    other, gap = _UNIT_BEHIND.match(text, two.end), text[unit.end() : two.start]
    ends = other is None and any(map(str.isalpha, gap)) and _ENDS.match(text, two.end) is not None
    same = other is not None and other[1].casefold().startswith(unit[1].casefold())
    return gap if same or ends else text[one.end : two.start]
