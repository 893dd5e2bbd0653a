"""Figures with the units of Chinese, Japanese and Korean behind and between them: 3万, 1億2,000万, 3만5천."""

from __future__ import annotations

from decimal import Decimal

from paxman.lazy import lazy_pattern
from paxman.recognizers.base import Reading, read
from paxman.types import Span

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
