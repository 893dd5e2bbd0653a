"""Money: an amount with the sign, code or word of its currency before or after it, or the page's currency."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import zip_longest

import attrs

from paxman.currencies import MINOR_UNITS
from paxman.lazy import lazy_pattern
from paxman.recognizers.base import UNKNOWN, Conventions, Reading, read_any
from paxman.recognizers.booleans_and_enums import AND, trimmed
from paxman.recognizers.figures.broken import SIGNS_AS_POINT, follows_hours
from paxman.recognizers.figures.currency_signs import (
    LETTER,
    WRITTEN,
    Sign,
    codes_of,
    is_weak,
    money_words,
    named_sign,
    sign_after,
    sign_before,
)
from paxman.recognizers.figures.numbers import (
    CREDIT,
    Figure,
    add,
    after_percent,
    figures,
    is_aside,
    is_negative,
    minus_before,
    percent_end,
    scale,
    stands_alone,
)
from paxman.recognizers.figures.points import CENTS, MINUS, UNITS
from paxman.recognizers.figures.quantities import (
    Quantity,
    figure_quantity,
    first_of_overlapping,
    myriad_quantities,
    spelled_alone,
)
from paxman.recognizers.figures.ranges import in_ranges
from paxman.recognizers.regions import currency_of
from paxman.transforms import run
from paxman.types import Money, Span

_ANY_SIGN = lazy_pattern(rf"(?<!{LETTER})(?:{WRITTEN})")
_BETWEEN = lazy_pattern(rf",? (?:(?:{AND}|con|com) )?|,")
_ORE = lazy_pattern(r":\d\d(?![\d:.,]\d|\d)")
_CROWNS_AFTER = lazy_pattern(r"[ \xa0]?(?:kr|Kr|KR|SEK)(?!\w|[. \xa0]{1,2}\d)")
_CROWNS_BEFORE = lazy_pattern(r"(?<!\w)(?:kr\.?|Kr\.?|KR|SEK)[ \xa0]?\Z")
_CLOSED = lazy_pattern(r"\s*(?:[.,;:)]\s|[.;)]?\s*\Z|\n)")
_UNKNOWN_CODE = lazy_pattern(r"[:=][ \t]{0,8}[A-Z]{3}[ \xa0]?\Z")
_WORD = lazy_pattern(rf"{LETTER}{{3,}}")
_UNITS = {
    "1000": ("thousand", "thousands", "tsd", "tausend", "milliers", "miles", "migliaia", "t", "k"),
    "1000000": ("million", "millions", "mio", "mln", "millionen", "millones", "milioni", "m"),
    "1000000000": ("billion", "billions", "bln", "mrd", "mld", "milliarden", "milliards", "miliardi"),
}
_SHORT_UNITS = ("TEUR", "kEUR", "KEUR", "MEUR", "TUSD", "kUSD", "KUSD", "MUSD", "TCHF", "kCHF", "MCHF", "kGBP", "MGBP")
_LONG_UNITS = tuple(word for words in _UNITS.values() for word in words if len(word) > 1)
_UNIT_WORDS = frozenset((*_LONG_UNITS, *map(str.lower, _SHORT_UNITS)))
_CODE = r"(?:[A-Z]{3}|[€$£])"
_STATED_UNIT = lazy_pattern(
    rf"(?:\b(?i:in|en)\s|\(|{_CODE}\s?)(?i:({'|'.join(_LONG_UNITS)}))\b[^\n\d:)]{{0,16}}[:)]{{1,2}}\s{{0,3}}{_CODE}?\s?\Z"
    rf"|\b({'|'.join(_SHORT_UNITS)})\s?[:)]{{1,2}}\s{{0,3}}\Z"
)
_NATIONAL = lazy_pattern(r"[ \xa0]?(M\.? ?N\.?)(?!\w)")
_LABEL = 48


def to_money(amount: Decimal, currency: str) -> Money:
    return Money(amount, currency)


def to_currency(text: str, code: str) -> str:
    """The ISO code that a sign or word stands for."""
    named = named_sign(text, 0, text.partition(" ")[0])
    if code not in (named.codes if named and named.end == len(text) else codes_of(text)):
        raise ValueError(f"{text!r} does not mean {code}")
    return code


def find_money(text: str, conventions: Conventions) -> list[Reading]:
    """Amounts with a currency; where the page has one, also bare amounts with that currency's decimals."""
    found: list[Reading] = []
    words = frozenset(_WORD.findall(text.lower()))
    numbers = _quantities(text, conventions, words)
    if not words.isdisjoint(_UNIT_WORDS):
        numbers = [_in_stated_unit(text, quantity) for quantity in numbers]
    for quantity, following in zip_longest(numbers, numbers[1:]):
        done = found[-1].end if found else 0
        if quantity.start >= done:
            found += _find_at(text, quantity, following, conventions, done)
    return in_ranges(text, found, conventions)


def _in_stated_unit(text: str, quantity: Quantity) -> Quantity:
    """The amount in the unit that its label states: Revenue in EUR thousands: 3,500."""
    stated = _STATED_UNIT.search(text, max(0, quantity.start - _LABEL), quantity.start)
    if not stated:
        return quantity
    word = (stated[1] or stated[2][0]).lower()
    factor = next(factor for factor, words in _UNITS.items() if word in words)
    return attrs.evolve(quantity, ways=tuple((*way, f"scale:{factor}") for way in quantity.ways), in_unit=True)


def _find_at(
    text: str, quantity: Quantity, following: Quantity | None, conventions: Conventions, done: int
) -> Iterator[Reading]:
    sign = _sign_beside(text, quantity, conventions, done)
    if sign and following and sign.start >= quantity.end and _is_of_next(text, quantity, sign, following):
        sign = None
    if sign and not _is_doubtful(text, sign, conventions):
        coins = _coins_after(text, sign, following, conventions) if following and sign.start >= quantity.end else None
        reading = _read_signed(text, quantity, sign, conventions, coins)
    elif conventions.currency and (quantity.in_unit or _has_cents(text, quantity, conventions.currency)):
        reading = _read_bare(text, quantity, conventions)
    else:
        reading = None
    if reading:
        yield reading


def _is_of_next(text: str, quantity: Quantity, sign: Sign, following: Quantity) -> bool:
    """Whether a currency between a count and an amount with cents is that of the amount: 5 EUR 10.00."""
    if text[sign.end : following.start] not in ("", " ") or not text[quantity.start : quantity.end].isdecimal():
        return False
    return _has_cents(text, following, sign.codes[0]) and sign_after(text, following.end, UNKNOWN) is None


def _coins_after(text: str, sign: Sign, following: Quantity, conventions: Conventions) -> Quantity | None:
    """The cents of an amount whose currency stands between: 15 dollars 50, dreizehn Euro und fünf Cent."""
    if not _BETWEEN.fullmatch(text, sign.end, following.start) or len(following.ways) != 1:
        return None
    coin = sign_after(text, following.end, conventions)
    bare = text[following.start : following.end]
    if coin and coin.units == ("0.01",):
        return attrs.evolve(following, end=coin.end)
    return following if bare.isdecimal() and len(bare) == 2 and _CLOSED.match(text, following.end) else None


def _is_doubtful(text: str, sign: Sign, conventions: Conventions) -> bool:
    return conventions.currency not in sign.codes and is_weak(text[sign.start : sign.end])


def read_money(text: str, conventions: Conventions) -> Reading | None:
    """The amount in a short text, best one that has its currency beside it."""
    bare = None
    in_figures = _in_figures(text, conventions)
    for quantity in in_figures or _quantities(text, conventions, frozenset(_WORD.findall(text.lower()))):
        sign = _sign_beside(text, quantity, conventions)
        reading = _read_signed(text, quantity, sign, conventions) if sign else None
        if reading:
            return _beside_price(text, bare, reading) or in_ranges(text, [reading], conventions)[0]
        bare = bare or _read_bare(text, quantity, conventions)
    return bare


def _beside_price(text: str, bare: Reading | None, reading: Reading) -> Reading | None:
    """An amount with a price right before it as its rival: in 2.00 45 EUR either may be meant."""
    if bare is None or bare.end + 1 != reading.start or not CENTS.search(text, bare.start, bare.end):
        return None
    return attrs.evolve(reading, alternatives=(bare,), rule="two amounts stand side by side")


def _quantities(text: str, conventions: Conventions, words: frozenset[str]) -> list[Quantity]:
    """Figures that are not percentages, and numbers in words where any word names a currency or coin."""
    in_figures = _in_figures(text, conventions)
    if words.isdisjoint(money_words()):
        return in_figures
    return first_of_overlapping(in_figures + spelled_alone(text, conventions))


def _in_figures(text: str, conventions: Conventions) -> list[Quantity]:
    figured = [figure_quantity(text, *figure, conventions, of_money=True) for figure in _amounts(text)]
    units = myriad_quantities(text)
    return first_of_overlapping(figured + units) if units else figured


def _amounts(text: str) -> Iterator[Figure]:
    """Figures that are neither percentages nor halves of a ratio, such as 1/2."""
    done = 0
    for start, end, points in figures(text):
        # Two digits follow hours and a colon, as in 12:50.
        if (
            start < done
            or (end - start == 2 and text[start - 1 : start] == ":" and follows_hours(text, start))
            or (start and text[start - 1] in UNITS)
        ):
            continue
        if text[end : end + 1] == ":" and _is_in_crowns(text, start, end):
            done = end + 3
            yield start, done, (":",)
            continue
        of_ratio = points == ("",) and _is_in_ratio(text, start, end)
        if not of_ratio and not percent_end(text, end) and not after_percent(text, start):
            yield start, end, points


def _is_in_crowns(text: str, start: int, end: int) -> bool:
    """Whether a colon stands before the hundredths of crowns: 1 234:50 kr, kr 99:90."""
    return _ORE.match(text, end) is not None and bool(
        _CROWNS_AFTER.match(text, end + 3) or _CROWNS_BEFORE.search(text, max(0, start - 5), start)
    )


def _is_in_ratio(text: str, start: int, end: int) -> bool:
    below = text[start - 1 : start] == "/" and text[max(0, start - 2) : start - 1].isdecimal()
    return below or (text[end : end + 1] == "/" and text[end + 1 : end + 2].isdecimal())


def _has_cents(text: str, quantity: Quantity, currency: str) -> bool:
    places = MINOR_UNITS.get(currency, 0)  # a document may state one that there is not
    core = text[quantity.start : quantity.end].rstrip(")CRcr -")
    return places > 0 and len(core) > places + 1 and core[-places - 1] in ".,"


def _sign_beside(text: str, quantity: Quantity, conventions: Conventions, low: int = 0) -> Sign | None:
    """The currency before a number, or after it where the one before may well be something else, or as its point."""
    point = quantity.ways[0][0][-1]
    if point in SIGNS_AS_POINT:
        return Sign(quantity.start, quantity.end, codes_of(point))
    before = sign_before(text, quantity.start, low)
    if before and not _is_doubtful(text, before, conventions) and len(before.codes) == 1:
        return before
    after = sign_after(text, quantity.end, conventions) or _national_money(text, quantity.end, before, conventions)
    if before and not _is_doubtful(text, before, conventions):
        # $ 12.00 MXN, $ 12.00 pesos: what stands behind says which dollar or peso is meant.
        told = tuple(code for code in after.codes if code in before.codes) if after and after.units == ("1",) else ()
        return attrs.evolve(before, end=after.end, codes=told) if told and after else before
    return after if after and not (before and _is_doubtful(text, after, conventions)) else before


def _national_money(text: str, end: int, before: Sign | None, conventions: Conventions) -> Sign | None:
    """Moneda nacional, as Mexico writes behind an amount in its pesos: $1,500.00 M.N."""
    match = _NATIONAL.match(text, end) if before and text[before.start : before.end] == "$" else None
    spanish = conventions.language == "es" or conventions.region == "MX"
    return Sign(match.start(1), match.end(), ("MXN",)) if match and (spanish or "." in match[1]) else None


def meant_codes(codes: tuple[str, ...], conventions: Conventions) -> tuple[tuple[str, ...], str]:
    """The codes that a sign may honestly mean on this page, and the rule for the first."""
    if len(codes) < 2:
        return codes, ""
    for known in (conventions.currency, currency_of(conventions.region)):
        if known in codes:
            return (known,), ""
    # A bare dollar sign is the US dollar everywhere but at home, and home would have been named; so with these.
    return (codes[:1], "") if codes[0] in _ABROAD else (codes[:4], f"{codes[0]} is the most used currency of that name")


_ABROAD = frozenset(("GBP", "RON", "RUB", "USD"))


def _read_signed(
    text: str, quantity: Quantity, sign: Sign, conventions: Conventions, coins: Quantity | None = None
) -> Reading | None:
    codes, rule = meant_codes(sign.codes, conventions)
    if coins:
        code = codes[0]
        start = quantity.start
        parts = [f"{q.core[0] - start}-{q.core[1] - start} {q.ways[0][0].replace(':', '=')}" for q in (quantity, coins)]
        return read_any(text, start, coins.end, [(f"coined:{','.join(parts)}", f"money:{code}")], "")
    first, last = min(quantity.start, sign.start), max(quantity.end, sign.end)
    span, negated = _outer_sign(text, first, last, quantity)
    scales = [(f"scale:{unit}",) if unit != "1" else () for unit in sign.units]
    minus = ("negate",) if negated else ()
    then = tuple((*scaled, *minus, f"money:{code}") for code in codes for scaled in scales)
    reading = _with_honest_points(quantity, codes[0]).read(text, span, then, sign.rule or rule)
    is_dollar = text[sign.start : sign.end] == "$" or sign.codes == codes_of("dollar")
    # Words such as "Swiss francs" say their country themselves.
    shared = codes[0] == conventions.currency and " " not in text[sign.start : sign.end]
    assumed = conventions.dollar_assumed if is_dollar else conventions.sign_assumed and shared
    return _assumed(reading, conventions) if assumed else reading


def from_coins(text: str, argument: str) -> Decimal:
    """An amount and its hundredths, each given as `start-end step` (a step's own argument after =)."""
    amounts = []
    for part in argument.split(","):
        span, _, step = part.partition(" ")
        amounts.append(run((f"slice:{span}", step.replace("=", ":")), text))
    return add(amounts[0], scale(amounts[1], "0.01"))


def _with_honest_points(quantity: Quantity, currency: str) -> Quantity:
    """Three digits after a lone mark are thousands, but in currencies that have thousandths."""
    if len(quantity.ways) == 1 or quantity.in_unit:
        return quantity
    if MINOR_UNITS.get(currency) == 3:
        return attrs.evolve(quantity, ways=quantity.ways[::-1], rule=f"{currency} has three decimals")
    ways = tuple(way for way in quantity.ways if way[0] == quantity.ways[0][0])
    return attrs.evolve(quantity, ways=ways, rule=quantity.rule if len(ways) > 1 else "")


def _outer_sign(text: str, first: int, last: int, quantity: Quantity) -> tuple[Span, bool]:
    """The whole span, and whether a minus, brackets or a credit mark outside the currency's sign make it negative."""
    before = text[first - 1 : first]
    if first < quantity.start:
        if before and before in MINUS and not text[max(0, first - 2) : first - 1].isalnum():
            return (first - 1, last), True
        minus = minus_before(text, first, last)
        if minus < first:
            return (minus, last), True
    if before == "(" and text[last : last + 1] == ")" and not is_aside(text, first - 1):
        return (first - 1, last + 1), True
    credit = CREDIT.match(text, last) if "C" in text[last : last + 2] else None
    if credit and not is_negative(text[slice(*quantity.core)]):
        return (first, credit.end()), True
    return (first, last), False


def _read_bare(text: str, quantity: Quantity, conventions: Conventions) -> Reading | None:
    currency = conventions.currency
    if not currency or not stands_alone(text, quantity.start, quantity.end) or has_unknown_code(text, quantity.start):
        return None
    reading = _with_honest_points(quantity, currency).read(text, None, ((f"money:{currency}",),))
    return _assumed(reading, conventions) if conventions.dollar_assumed or conventions.sign_assumed else reading


def _assumed(reading: Reading | None, conventions: Conventions) -> Reading | None:
    """An amount whose currency only the words around tell, and not the one that reads it."""
    return reading if reading is None or conventions.states_currency else attrs.evolve(reading, loose=True)


def has_unknown_code(text: str, start: int) -> bool:
    """Whether three capitals between a colon and an amount name a currency, which then is not that of the page."""
    return _UNKNOWN_CODE.search(text, max(0, start - 24), start) is not None


def read_currency(text: str, conventions: Conventions) -> Reading | None:
    """The currency in a short text; letters that often mean something else count when they are the whole text."""
    start, end = trimmed(text)
    meant, rule = meant_codes(codes_of(text[start:end]), conventions)
    if meant:
        return read_any(text, start, end, [(f"currency:{code}",) for code in meant], rule)
    return next(iter(find_currencies(text, conventions)), None)


def currency_places(text: str, code: str) -> Iterator[Span]:
    """Where a text names a currency, or writes a sign that may mean it."""
    for match in _ANY_SIGN.finditer(text):
        written = match[0].rstrip(".,:;!?'\")]}>")
        if code in codes_of(written):
            yield match.start(), match.start() + len(written)


def find_currencies(text: str, conventions: Conventions) -> list[Reading]:
    """Currencies by code, sign or word, as ISO codes."""
    found: list[Reading] = []
    for match in _ANY_SIGN.finditer(text):
        written = match[0].rstrip(".,!?'\"")
        start, end = match.start(), match.start() + len(written)
        codes = codes_of(written)
        if start < (found[-1].end if found else 0):
            continue
        named = named_sign(text, start, written) if not codes and written[:1].isupper() else None
        if named:
            end, codes = named.end, named.codes
        if codes and (named or not is_weak(written)):
            meant, rule = meant_codes(codes, conventions)
            reading = read_any(text, start, end, [(f"currency:{code}",) for code in meant], rule)
            if reading:
                found.append(reading)
    return found
