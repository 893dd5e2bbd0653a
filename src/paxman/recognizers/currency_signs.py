"""The sign, code or words of a currency beside a number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import attrs

from paxman.classes import record
from paxman.currencies import MINOR_UNITS
from paxman.lazy import lazy_pattern
from paxman.recognizers.base import Conventions
from paxman.recognizers.broken import CENTS
from paxman.recognizers.currency_names import codes_of
from paxman.recognizers.numbers import MINUS
from paxman.recognizers.regions import currency_of
from paxman.recognizers.scales import of_letter, scale_after
from paxman.recognizers.tables import entries
from paxman.recognizers.words import plain
from paxman.types import SUPERSCRIPTS

SYMBOLS = "$€£￡¥￥₩₹₨₱฿₫៛₭₮₽₴₸₼₾֏₺₪﷼؋৳₦₵₲₡ƒ₣₤₠Ƀ¢"
LETTER = r"[^\W\d_]"
WRITTEN = (
    rf"(?:[A-Z]{{2,3}}\.? )?{LETTER}{{0,4}}[{SYMBOLS}](?:[A-Zb]{{1,3}}(?!{LETTER}))?|[SB]/\.?"
    rf"|{LETTER}[^\s\d,;:()\[\]<>*+|=/{SYMBOLS}-]{{0,14}}"
)
_AFTER = lazy_pattern(
    rf"(?:[,.]?[-–—]{{1,2}})?[{SUPERSCRIPTS}]{{0,4}}[ \u00a0\t]{{0,2}}(?:(?:de|di|of|von) |d['’])?({WRITTEN})",
    re.IGNORECASE,
)
_NEXT_WORD = lazy_pattern(rf" ?({LETTER}{{1,20}})")
_AFTER_FIGURE = lazy_pattern(r"\d[ \u00a0]?\Z")
_THOUSANDS = {"k": "1000", "t": "1000", "m": "1000000", "mio": "1000000", "mrd": "1000000000", "bn": "1000000000"}
# 75p, but neither page 12 p. nor 1080p.
_BELOW_100 = lazy_pattern(r"(?<![\d.,])\d{1,2}\Z")
_FOOTNOTE = lazy_pattern(r"\d(?!\w|[.,]\d)")
_PUNCTUATION = f".,!?'\"{SUPERSCRIPTS}"
_NEVER_IN_SIGN = frozenset(" \u00a0\t\n\r\f\v0123456789,;:()[]<>*+|=-：，（）")
_WIDTH = 14
_BETWEEN = f" \u00a0\t,.-–—{SUPERSCRIPTS}"


@record
class Sign:
    """Where a currency is written, what it may mean, and what it may count in (1, or 0.01 for coins)."""

    start: int
    end: int
    codes: tuple[str, ...]
    units: tuple[str, ...] = ("1",)
    rule: str = ""


def sign_before(text: str, start: int, low: int = 0) -> Sign | None:
    """A currency just before a number and after `low`, unless it belongs to an earlier number."""
    end = start
    while end > low and start - end < 2 and text[end - 1] in MINUS:
        end -= 1
    dash = end
    while end > low and dash - end < 3 and text[end - 1] in " \u00a0\t:":
        end -= 1
    first = end
    while first > low and end - first < _WIDTH and text[first - 1] not in _NEVER_IN_SIGN:
        first -= 1
    if first == end:
        return None
    for at in _starts(text, first, end):
        codes = codes_of(text[at:end])
        if codes and not _AFTER_FIGURE.search(text, max(low, at - 2), at):
            return Sign(at, end, codes)
    return None


def _starts(text: str, first: int, end: int) -> Iterator[int]:
    """Where a sign that ends here may start: letters apart from the symbol, the whole word, the symbol alone."""
    if text[end - 1] in SYMBOLS:
        if text[first - 3 : first].strip().isupper() and text[first - 1] == " ":
            yield first - len(text[first - 3 : first].strip()) - 1
        yield first
        yield end - 1
    elif text[first].isalpha() or text[first] in SYMBOLS:
        yield first


def sign_after(text: str, end: int, conventions: Conventions) -> Sign | None:
    """A currency just after a number, unless the next number follows it at once."""
    following = text[end : end + 6].lstrip(_BETWEEN)[:1]
    if not following or not (following.isalpha() or following in SYMBOLS):
        return None
    match = _AFTER.match(text, end)
    if not match:
        return None
    start, written = match.start(1), match[1]
    form = written if codes_of(written) else written.rstrip(_PUNCTUATION)
    codes = codes_of(form)
    sign = named_sign(text, start, written) or (Sign(start, start + len(form), codes) if codes else None)
    if sign and not _is_next_sign(text, end, sign.end):
        return _scaled(text, end, sign, conventions)
    return None if sign else _coin(text, start, form, conventions) or _abbreviated(start, written)


def _scaled(text: str, end: int, sign: Sign, conventions: Conventions) -> Sign:
    """With a word of scale behind the currency, as in 75 USD million."""
    scale = scale_after(text, sign.end, conventions)
    if scale.end - sign.end == _LETTER_APART and not text[sign.end].isalpha():
        scale = of_letter(text, end, scale)
    if scale.factors == (1,):
        return sign
    return attrs.evolve(sign, end=scale.end, units=tuple(map(str, scale.factors)), rule=scale.rule)


_LETTER_APART = 2
"""Characters of a blank and a letter."""


def _is_next_sign(text: str, end: int, stop: int) -> bool:
    """Whether a sign is that of the figure glued to it; one digit behind an amount with cents marks a footnote."""
    if text[stop - 1].isalpha() or not text[stop : stop + 1].isdecimal():
        return False
    return not (CENTS.search(text, max(0, end - 4), end) and stop - end <= 2 and _FOOTNOTE.match(text, stop))


def named_sign(text: str, start: int, first: str) -> Sign | None:
    """A currency in two or three words: Swiss francs, dólares canadienses, New Zealand dollars."""
    after = text[start + len(first) : start + len(first) + 2]
    if not first[-1].isalpha() or after[:1] != " " or not after[1:].isalpha():
        return None
    ends, words = [start + len(first)], [first]
    while len(words) < 3 and (match := _NEXT_WORD.match(text, ends[-1])):
        words.append(match[1])
        ends.append(match.end())
    for count in range(len(words), 1, -1):
        codes = codes_of(" ".join(words[:count])) or _national(words[:count])
        if codes:
            return Sign(start, ends[count - 1], codes)
    return None


def _national(words: list[str]) -> tuple[str, ...]:
    """The currency of a country, by its adjective and the name of any currency."""
    is_first = bool(codes_of(plain(words[0])))
    if not is_first and not codes_of(plain(words[-1])):
        return ()
    others = words[1:] if is_first else words[:-1]
    regions = {_region_of(plain(word)) for word in others} - {None}
    code = currency_of(regions.pop()) if len(regions) == 1 else None
    return (code,) if code else ()


@lru_cache(maxsize=1)
def _stems() -> list[tuple[str, str]]:
    return [(stem, region) for region, stems in entries("nationalities") for stem in stems]


@lru_cache(maxsize=1024)
def _region_of(adjective: str) -> str | None:
    return next((region for stem, region in _stems() if adjective.startswith(stem)), None)


@lru_cache(maxsize=1)
def _coins() -> dict[str, str]:
    return {plain(coin) or coin: code for code, coins in entries("coins") for coin in coins}


@lru_cache(maxsize=1)
def money_words() -> frozenset[str]:
    """Names of currencies and coins."""
    return frozenset(word for table in ("currency_words", "coins") for _, words in entries(table) for word in words)


def _coin(text: str, start: int, written: str, conventions: Conventions) -> Sign | None:
    code = _coins().get(plain(written) or written)
    page = conventions.currency
    is_letter = len(written) == 1 and written.isalpha()
    if code is None or (is_letter and (page != code or not _BELOW_100.search(text, max(0, start - 3), start))):
        return None
    return Sign(start, start + len(written), (page if page and MINOR_UNITS.get(page) == 2 else code,), ("0.01",))


def _abbreviated(start: int, written: str) -> Sign | None:
    """Thousands and millions written in one with the code or sign: TEUR, MUSD, T€."""
    length = 1 if written[-1] in SYMBOLS else 3
    unit = _THOUSANDS.get(written[:-length].lower())
    # MWST is a tax, and not millions of talas.
    codes = codes_of(written[-length:].upper()) if unit and written[-length:].upper() != "WST" else ()
    return Sign(start, start + len(written), codes, (unit,)) if unit and codes else None
