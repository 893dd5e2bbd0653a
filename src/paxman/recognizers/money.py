"""Money: an amount with the sign, code or word of its currency before or after it, or the page's currency."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import zip_longest

import attrs

from paxman.currencies import MINOR_UNITS
from paxman.recognizers.base import Conventions, Reading, read_any
from paxman.recognizers.currency_names import codes_of, is_weak
from paxman.recognizers.currency_signs import LETTER, SYMBOLS, WRITTEN, Sign, money_words, sign_after, sign_before
from paxman.recognizers.numbers import MINUS, Figure, add, figures, is_aside, percent_end, scale, stands_alone
from paxman.recognizers.quantities import Quantity, figure_quantity, first_of_overlapping, spelled_quantities
from paxman.recognizers.regions import currency_of
from paxman.recognizers.words import trimmed
from paxman.transforms import run
from paxman.types import Money, Span

_ANY_SIGN = re.compile(rf"(?<!{LETTER})(?:{WRITTEN})")
_SPACED_CENTS = re.compile(rf"([.,]) \d\d(?=[ \u00a0]?(?:[{SYMBOLS}]|[A-Za-zł]{{2,4}}\b)|[ \t\r]*$)", re.MULTILINE)
_BETWEEN = re.compile(r",? (?:(?:and|und|et|y|e|en|con|com) )?|,")
_CLOSED = re.compile(r"\s*(?:[.,;:)]\s|[.;)]?\s*\Z|\n)")
_UNKNOWN_CODE = re.compile(r"[:=][ \t]{0,8}[A-Z]{3}[ \xa0]?\Z")
_WORD = re.compile(rf"{LETTER}{{3,}}")


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
    numbers = _quantities(text, conventions)
    for quantity, following in zip_longest(numbers, numbers[1:]):
        done = found[-1].end if found else 0
        if quantity.start >= done:
            found += _find_at(text, quantity, following, conventions, done)
    return found


def _find_at(
    text: str, quantity: Quantity, following: Quantity | None, conventions: Conventions, done: int
) -> Iterator[Reading]:
    sign = _sign_beside(text, quantity, conventions, done)
    if sign and not _is_doubtful(text, sign, conventions):
        coins = _coins_after(text, sign, following, conventions) if following and sign.end > quantity.end else None
        reading = _read_signed(text, quantity, sign, conventions, coins)
    elif conventions.currency and _has_cents(text, quantity, conventions.currency):
        reading = _read_bare(text, quantity, conventions)
    else:
        reading = None
    if reading:
        yield reading


def _coins_after(text: str, sign: Sign, following: Quantity, conventions: Conventions) -> Quantity | None:
    """The cents of an amount whose currency stands between: 15 dollars 50, dreizehn Euro und fünf Cent."""
    if not _BETWEEN.fullmatch(text, sign.end, following.start) or len(following.ways) != 1:
        return None
    coin = sign_after(text, following.end, conventions)
    bare = text[following.start : following.end]
    if coin and coin.unit == "0.01":
        return attrs.evolve(following, end=coin.end)
    return following if bare.isdecimal() and len(bare) == 2 and _CLOSED.match(text, following.end) else None


def _is_doubtful(text: str, sign: Sign, conventions: Conventions) -> bool:
    return conventions.currency not in sign.codes and is_weak(text[sign.start : sign.end])


def read_money(text: str, conventions: Conventions) -> Reading | None:
    """The amount in a short text, best one that has its currency beside it."""
    bare = None
    in_figures = [figure_quantity(text, *figure, conventions, of_money=True) for figure in _amounts(text)]
    for quantity in in_figures or _quantities(text, conventions):
        sign = _sign_beside(text, quantity, conventions)
        reading = _read_signed(text, quantity, sign, conventions) if sign else None
        if reading:
            return reading
        bare = bare or _read_bare(text, quantity, conventions)
    return bare


def _quantities(text: str, conventions: Conventions) -> list[Quantity]:
    """Figures that are not percentages, and numbers in words."""
    in_figures = [figure_quantity(text, *figure, conventions, of_money=True) for figure in _amounts(text)]
    in_words = list(spelled_quantities(text, conventions)) if _names_money(text) else []
    return first_of_overlapping(in_figures + in_words) if in_words else in_figures


def _names_money(text: str) -> bool:
    """Whether any word is the name of a currency or coin, so that amounts in words are worth looking for."""
    return not money_words().isdisjoint(_WORD.findall(text.lower()))


def _amounts(text: str) -> Iterator[Figure]:
    """Figures that are not percentages, also those with a space after the decimal point."""
    for start, end, points in figures(text):
        cents = _SPACED_CENTS.match(text, end) if text[start:end].isdecimal() else None
        if cents:
            yield start, cents.end(), (cents[1],)
        elif not percent_end(text, end):
            yield start, end, points


def _has_cents(text: str, quantity: Quantity, currency: str) -> bool:
    places = MINOR_UNITS[currency]
    core = text[quantity.start : quantity.end].rstrip(")CRcr -")
    return places > 0 and len(core) > places + 1 and core[-places - 1] in ".,"


def _sign_beside(text: str, quantity: Quantity, conventions: Conventions, low: int = 0) -> Sign | None:
    """The currency before a number, or after it where the one before may well be something else."""
    before = sign_before(text, quantity.start, low)
    if before and not _is_doubtful(text, before, conventions):
        return before
    after = sign_after(text, quantity.end, conventions)
    return after if after and not (before and _is_doubtful(text, after, conventions)) else before


def meant_codes(codes: tuple[str, ...], conventions: Conventions) -> tuple[tuple[str, ...], str]:
    """The codes that a sign may honestly mean on this page, and the rule for the first."""
    if len(codes) < 2:
        return codes, ""
    for known in (conventions.currency, currency_of(conventions.region)):
        if known in codes:
            return (known,), ""
    # A bare dollar sign is the US dollar everywhere but at home, and home would have been named.
    return (codes[:1], "") if codes[0] == "USD" else (codes[:4], f"{codes[0]} is the most used of its name")


def _read_signed(
    text: str, quantity: Quantity, sign: Sign, conventions: Conventions, coins: Quantity | None = None
) -> Reading | None:
    codes, rule = meant_codes(sign.codes, conventions)
    if coins:
        return _read_coined(text, quantity, coins, codes[0])
    first, last = min(quantity.start, sign.start), max(quantity.end, sign.end)
    span, negated = _outer_sign(text, first, last, quantity.start)
    steps = (*((f"scale:{sign.unit}",) if sign.unit != "1" else ()), *(("negate",) if negated else ()))
    then = tuple((*steps, f"money:{code}") for code in codes)
    return _with_honest_points(quantity, codes[0]).read(text, span, then, rule)


def _read_coined(text: str, quantity: Quantity, coins: Quantity, code: str) -> Reading | None:
    start = quantity.start
    parts = [f"{q.core[0] - start}-{q.core[1] - start} {q.ways[0][0].replace(':', '=')}" for q in (quantity, coins)]
    return read_any(text, start, coins.end, [(f"coined:{','.join(parts)}", f"money:{code}")], "")


def to_coined(text: str, argument: str) -> Decimal:
    """An amount and its hundredths, each given as `start-end step` (a step's own argument after =)."""
    amounts = []
    for part in argument.split(","):
        span, _, step = part.partition(" ")
        amounts.append(run((f"slice:{span}", step.replace("=", ":")), text))
    return add(amounts[0], scale(amounts[1], "0.01"))


def _with_honest_points(quantity: Quantity, currency: str) -> Quantity:
    """Three digits after a lone mark are thousands, but in currencies that have thousandths."""
    if len(quantity.ways) == 1:
        return quantity
    if MINOR_UNITS[currency] == 3:
        return attrs.evolve(quantity, ways=quantity.ways[::-1], rule=f"{currency} has three decimals")
    return attrs.evolve(quantity, ways=quantity.ways[:1], rule="")


def _outer_sign(text: str, first: int, last: int, start: int) -> tuple[Span, bool]:
    """The whole span, and whether a minus or brackets outside the currency's sign make it negative."""
    before = text[first - 1 : first]
    if first < start and before and before in MINUS and not text[max(0, first - 2) : first - 1].isalnum():
        return (first - 1, last), True
    if before == "(" and text[last : last + 1] == ")" and not is_aside(text, first - 1):
        return (first - 1, last + 1), True
    return (first, last), False


def _read_bare(text: str, quantity: Quantity, conventions: Conventions) -> Reading | None:
    currency = conventions.currency
    if not currency or not stands_alone(text, quantity.start, quantity.end) or has_unknown_code(text, quantity.start):
        return None
    return _with_honest_points(quantity, currency).read(text, None, ((f"money:{currency}",),))


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
