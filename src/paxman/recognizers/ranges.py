"""Ranges and alternatives as rivals of each other: 10-12 EUR, 5-7 %, 1-2 years, 19% / 7%."""

from __future__ import annotations

import re
from typing import Any

import attrs

from paxman.recognizers.base import Conventions, Reading, read
from paxman.recognizers.numbers import choose_points, decimal_steps, points_of
from paxman.recognizers.words import OR
from paxman.types import Money, Span

RULE = "these are the two ends of a range"
_OTHER_RULE = "two values stand side by side"
_NUMBER = r"(?:[1-9]\d{0,8}(?:[.,]\d{1,9})?|0[.,]\d{1,9})"
_LOWER = re.compile(rf"(?<![\w.,/-])({_NUMBER})[-–]\Z")
_UPPER = re.compile(rf"[-–]({_NUMBER})(?![\w/-]|[.,]\d)")
_COUNT = re.compile(r"(?<![\w.,/-])(\d{1,4})(?: ?[-–] ?| (?:to|or|bis|oder|ou|tot|of) )\Z")
_FIGURE = re.compile(r"\d{1,9}")
_UNIT = re.compile(r"(?:(?:business|working)[ \n])?[^\W\d_]+\Z", re.IGNORECASE)
_SIDE_BY_SIDE = re.compile(r"[ \t]{0,2}(?:[/|–—-]|or|oder|ou|o|of|to|bis)[ \t]{0,2}")
_EITHER = re.compile(rf"[ \t]{{0,2}}(?:[/|]|{OR})[ \t]{{0,2}}", re.IGNORECASE)
IN_LIST = re.compile(r"[ \t]{0,2}(?:[/|,;&]|or|and|oder|und|ou|et|y|e|lub|eller)[ \t]{0,2}", re.IGNORECASE)
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
    first = choose_points(text[slice(*span)], points, conventions, grouping_first=True)[0][0]
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
    return [_rivals(one, two, _OTHER_RULE) if two and _is_beside(text, one, two) else one for one, two in pairs]


def either(text: str, found: list[Reading], apart: re.Pattern[str] = _EITHER) -> Reading | None:
    """The first value, with the second as its rival if nothing but "or" or a sign for it stands between them."""
    if len(found) < 2 or found[0].alternatives or found[0].value == found[1].value:
        return found[0] if found else None
    return _rivals(found[0], found[1], _OTHER_RULE) if apart.fullmatch(text, found[0].end, found[1].start) else found[0]


def _is_beside(text: str, one: Reading, two: Reading) -> bool:
    return one.value != two.value and _SIDE_BY_SIDE.fullmatch(text, one.end, two.start) is not None
