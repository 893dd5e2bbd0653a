"""Money: an amount with the sign, code or word of its currency before or after it, or the page's currency."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from paxman.currencies import MINOR_UNITS
from paxman.recognizers.base import Conventions, Reading, read_any
from paxman.recognizers.currency_names import codes_of, is_weak
from paxman.recognizers.numbers import (
    MINUS,
    Figure,
    choose_points,
    decimal_steps,
    figures,
    percent_end,
    signed_span,
    stands_alone,
)
from paxman.recognizers.regions import currency_of
from paxman.types import Money

_SYMBOLS = "$€£￡¥￥₩₹₨₱฿₫៛₭₮₽₴₸₼₾֏₺₪﷼؋৳₦₵₲₡ƒ₣₤₠Ƀ"
_LETTERS = r"[^\W\d_]"
_SIGN = (
    rf"(?:[A-Z]{{2,3}}\.? )?{_LETTERS}{{0,4}}[{_SYMBOLS}](?:[A-Zb]{{1,3}}(?!{_LETTERS}))?|[SB]/\.?"
    rf"|{_LETTERS}[^\s\d,;:()\[\]<>*+|=/{_SYMBOLS}-]{{0,11}}"
)
_BEFORE = re.compile(rf"({_SIGN})[ \u00a0\t:]{{0,2}}\Z")
_AFTER = re.compile(rf"[,.]?[-–—]?[ \u00a0\t]{{0,2}}({_SIGN})")
_BEFORE_SIGN = re.compile(r"\d[ \u00a0]?\Z")
_ANY_SIGN = re.compile(rf"(?<!{_LETTERS})(?:{_SIGN})")
_SPACED_CENTS = re.compile(rf"([.,]) \d\d(?=[ \u00a0]?(?:[{_SYMBOLS}]|[A-Za-zł]{{2,4}}\b)|\s*$)", re.MULTILINE)
_SECOND_WORD = re.compile(rf" {_LETTERS}{{1,15}}")
_WIDTH = 16

Sign = tuple[int, int, tuple[str, ...]]
"""Start, end and possible codes of a currency's sign."""


def to_money(amount: Decimal, currency: str) -> Money:
    return Money(amount, currency)


def to_currency(text: str, code: str) -> str:
    """The ISO code that a sign or word stands for."""
    if code not in codes_of(text):
        raise ValueError(f"{text!r} does not mean {code}")
    return code


def find_money(text: str, conventions: Conventions) -> list[Reading]:
    """Amounts with a currency; where the page has one, also bare amounts with that currency's decimals."""
    found: list[Reading] = []
    for start, end, points in _amounts(text):
        if found and start < found[-1].end:
            continue
        sign = _sign_beside(text, start, end)
        reading = None
        if sign and (conventions.currency in sign[2] or not is_weak(text[sign[0] : sign[1]])):
            reading = _read_signed(text, start, end, points, sign, conventions)
        elif conventions.currency and _has_cents(text[start:end], conventions.currency):
            reading = _read_bare(text, start, end, points, conventions)
        if reading:
            found.append(reading)
    return found


def read_money(text: str, conventions: Conventions) -> Reading | None:
    """The amount in a short text, best one that has its currency beside it."""
    bare = None
    for start, end, points in _amounts(text):
        sign = _sign_beside(text, start, end)
        reading = _read_signed(text, start, end, points, sign, conventions) if sign else None
        if reading:
            return reading
        bare = bare or _read_bare(text, start, end, points, conventions)
    return bare


def _amounts(text: str) -> Iterator[Figure]:
    """Figures that are not percentages, also those with a space after the decimal point."""
    for start, end, points in figures(text):
        cents = _SPACED_CENTS.match(text, end) if text[start:end].isdecimal() else None
        if cents:
            yield start, cents.end(), (cents[1],)
        elif not percent_end(text, end):
            yield start, end, points


def _has_cents(core: str, currency: str) -> bool:
    places = MINOR_UNITS[currency]
    return places > 0 and len(core) > places and core[-places - 1] in ".,"


def _sign_beside(text: str, start: int, end: int) -> Sign | None:
    return _sign_before(text, start) or _sign_after(text, end)


def _sign_before(text: str, start: int) -> Sign | None:
    """A currency's sign just before a figure, unless it belongs to an earlier figure."""
    if start and text[start - 1] in MINUS:
        start -= 1
    window = text[max(0, start - _WIDTH) : start]
    match = _BEFORE.search(window)
    while match:
        codes = codes_of(match[1])
        at = start - len(window) + match.start(1)
        if codes and not _BEFORE_SIGN.search(text[max(0, at - 2) : at]):
            return at, at + len(match[1]), codes
        match = _BEFORE.search(window, match.start(1) + 1)
    return None


def _sign_after(text: str, end: int) -> Sign | None:
    """A currency's sign just after a figure, unless the next figure follows it at once."""
    match = _AFTER.match(text, end)
    if not match:
        return None
    written = match[1]
    second = _SECOND_WORD.match(text, match.end())
    for candidate in (written + second[0] if second else written, written, written.rstrip(".,!?'\"")):
        codes = codes_of(candidate)
        if codes:
            stop = match.start(1) + len(candidate)
            return None if _is_next_sign(text, stop, candidate) else (match.start(1), stop, codes)
    return None


def _is_next_sign(text: str, stop: int, written: str) -> bool:
    return not written[-1].isalpha() and text[stop : stop + 1].isdecimal()


def meant_codes(codes: tuple[str, ...], conventions: Conventions) -> tuple[tuple[str, ...], str]:
    """The codes that a sign may honestly mean on this page, and the rule for the first."""
    if len(codes) == 1:
        return codes, ""
    for known in (conventions.currency, currency_of(conventions.region)):
        if known in codes:
            return (known,), ""
    # A bare dollar sign is the US dollar everywhere but at home, and home would have been named.
    return (codes[:1], "") if codes[0] == "USD" else (codes[:4], f"{codes[0]} is the most used of its name")


def _read_signed(
    text: str, start: int, end: int, points: tuple[str, ...], sign: Sign, conventions: Conventions
) -> Reading | None:
    codes, rule = meant_codes(sign[2], conventions)
    chosen, point_rule = choose_points(text[start:end], points, conventions, grouping_first=MINOR_UNITS[codes[0]] != 3)
    inner = signed_span(text, start, end)
    first, last = min(inner[0], sign[0]), max(inner[1], sign[1])
    outer, negated = _outer_sign(text, first, last, inner)
    steps = ("negate",) if negated else ()
    cut = (f"slice:{inner[0] - outer[0]}-{inner[1] - outer[0]}",) if outer != inner else ()
    ways = [cut + decimal_steps(point) + steps + (f"money:{code}",) for code in codes for point in chosen]
    return read_any(text, *outer, ways, point_rule or rule)


def _outer_sign(text: str, first: int, last: int, inner: tuple[int, int]) -> tuple[tuple[int, int], bool]:
    """The whole span, and whether a minus or brackets outside the currency's sign make it negative."""
    before = text[first - 1 : first] if first else ""
    if first < inner[0] and before and before in MINUS and not text[max(0, first - 2) : first - 1].isalnum():
        return (first - 1, last), True
    if before == "(" and text[last : last + 1] == ")":
        return (first - 1, last + 1), True
    return (first, last), False


def _read_bare(text: str, start: int, end: int, points: tuple[str, ...], conventions: Conventions) -> Reading | None:
    currency = conventions.currency
    if not currency or not stands_alone(text, start, end):
        return None
    chosen, rule = choose_points(text[start:end], points, conventions, grouping_first=MINOR_UNITS[currency] != 3)
    start, end = signed_span(text, start, end)
    return read_any(text, start, end, [(*decimal_steps(point), f"money:{currency}") for point in chosen], rule)


def find_currencies(text: str, conventions: Conventions) -> list[Reading]:
    """Currencies by code, sign or word, as ISO codes."""
    found = []
    for match in _ANY_SIGN.finditer(text):
        written = match[0].rstrip(".,!?'\"")
        codes = codes_of(written)
        if codes and not is_weak(written):
            meant, rule = meant_codes(codes, conventions)
            reading = read_any(
                text, match.start(), match.start() + len(written), [(f"currency:{code}",) for code in meant], rule
            )
            if reading:
                found.append(reading)
    return found
