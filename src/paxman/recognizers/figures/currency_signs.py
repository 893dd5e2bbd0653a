"""What stands beside a number: the sign of a currency, and words that multiply it (2 Mio., 1.5M, ₹ 2.5 Cr)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import attrs

from paxman.classes import record
from paxman.currencies import MINOR_UNITS
from paxman.lazy import lazy_pattern
from paxman.recognizers.base import UNKNOWN, Conventions
from paxman.recognizers.booleans_and_enums import plain
from paxman.recognizers.figures.points import CENTS, MINUS
from paxman.recognizers.figures.spelled import vocabulary
from paxman.recognizers.regions import currency_of
from paxman.recognizers.tables import entries
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
_NEVER_IN_SIGN = frozenset(' \u00a0\t\n\r\f\v0123456789,;:()[]<>*+|=-：，（）"“”„«»')
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
        # With a word of scale behind the currency, as in 75 USD million.
        scale = scale_after(text, sign.end, conventions)
        if scale.end - sign.end == _LETTER_APART and not text[sign.end].isalpha():
            scale = of_letter(text, end, scale)
        if scale.factors == (1,):
            return sign
        return attrs.evolve(sign, end=scale.end, units=tuple(map(str, scale.factors)), rule=scale.rule)
    return None if sign else _coin(text, start, form, conventions) or _abbreviated(start, written)


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
    is_first = _is_money(words[0])
    if not is_first and not _is_money(words[-1]):
        return ()
    others = words[1:] if is_first else words[:-1]
    regions = {_region_of(plain(word)) for word in others} - {None}
    code = currency_of(regions.pop()) if len(regions) == 1 else None
    return (code,) if code else ()


@lru_cache(maxsize=32768)
def _is_money(word: str) -> bool:
    return bool(codes_of(plain(word)))


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


def has_no_cents(text: str, start: int) -> bool:
    """Whether the currency before an amount has no cents, so that a dash behind it only closes it: ¥174,680-."""
    sign = sign_before(text, start)
    return sign is not None and not text[sign.start : sign.end].isalpha() and MINOR_UNITS[sign.codes[0]] == 0


_WORD = lazy_pattern(r"[ \u00a0\t]?([^\W\d_]{1,12})(?![^\W\d_])(\.?)")
_GOES_ON = lazy_pattern(r"[ \u00a0]?[^\W\d_a-z]|[ \u00a0]?[$€£¥]")
_INITIALS = lazy_pattern(r"[.–-][^\W\d_]")
# Nobody counts millions in thousands with cents.
_EXACT = lazy_pattern(r"\d[.,'’ \u00a0\u202f]?\d{3}[.,]\d\d\Z")
_WHOLE = lazy_pattern(r"(?<![\d.,])\d{1,3}\Z")
_FEW = lazy_pattern(r"(?<![\d.,])\d{1,2}\Z")
_BALANCE = lazy_pattern(r"(?:[bB]alance|BALANCE)[^\d\n]{0,20}\Z")
_TENTHS = lazy_pattern(r"[.,]\d\Z")
_GROUPED = lazy_pattern(r"\d[.,'’ \u00a0\u202f]\d{3}\Z")
_GLUED = lazy_pattern(r"(m|mm|MM|b|B|mn)(?![\w²³/]|\.[^\W\d_])")
_BILLIONS = frozenset("bB")
_LAKH = 10**5
_CRORE = 10**7
_CREDITS = frozenset(("Cr", "CR", "cr"))
_MIL = "mil"
_MIL_MEANS = (10**3, 10**6)
_OPEN_MIL = "mil is a thousand in Spanish and Portuguese, a million in English"
_OPEN_LETTER = "a letter behind an amount is rather a mark than a word of scale"
_OPEN_SIZE = "M behind a whole amount is rather millions than a mark"
_OPEN_CRORES = "behind rupees Cr is rather crores than credit"
_OPEN_CREDIT = "behind thousands or a balance Cr is rather credit than crores"
_OPEN_MILIAR = "M behind rupiah is rather a thousand millions"


@record
class Scale:
    """Where words of scale end, what they may multiply by, and why the first of several comes first."""

    end: int
    factors: tuple[int, ...] = (1,)
    rule: str = ""


def scale_after(
    text: str, end: int, conventions: Conventions, roles: tuple[str, ...] = ("scale",), start: int | None = None
) -> Scale:
    """What words such as million after a figure make of it; `start` is where the figure of an amount begins."""
    own = currency_scale(text, start, end) if start is not None else None
    if own:
        return own
    language = conventions.language or "en"
    stop, factor = end, 1
    while match := _WORD.match(text, stop):
        # Of anything but money 5 mn are minutes.
        number = _factor(match[1], language, roles) if match[1] != "mn" else 10**6 * (start is not None)
        if not number or (len(match[1]) == 1 and _INITIALS.match(text, match.end(1))):
            break
        # The point of an abbreviation ends no sentence where something follows it: 2 Mio. €.
        short = match[1].lower() in _short_scales() and _GOES_ON.match(text, match.end())
        stop, factor = match.end(2 if short else 1), factor * number
    word = text[end:stop].strip()
    if word.lower() == _MIL and not (conventions.language and vocabulary(language)):
        return Scale(stop, _MIL_MEANS, _OPEN_MIL)
    if len(word) == 1 and start is not None:
        # A letter behind a figure; cents or few digits before it make it doubtful, unless the currency comes after it.
        cents = CENTS.search(text, max(0, end - 4), end)
        if not cents and not (text[stop - 1] == "M" and _WHOLE.search(text, max(0, end - 4), end)):
            return Scale(stop, (factor,))
        if _EXACT.search(text, max(0, end - 8), end):
            return Scale(end)
        if text[end].isalpha() or sign_after(text, stop, UNKNOWN):
            return Scale(stop, (factor,))
        if not cents:
            return Scale(stop, (factor, 1), _OPEN_SIZE)
        return Scale(stop, (1, factor), _OPEN_LETTER) if sign_before(text, start) else Scale(end)
    return Scale(stop, (factor,))


def of_letter(text: str, end: int, scale: Scale) -> Scale:
    """What a letter apart behind the currency of a figure makes of it: 25 € M."""
    if _EXACT.search(text, max(0, end - 8), end):
        return Scale(scale.end)
    if CENTS.search(text, max(0, end - 4), end):
        return Scale(scale.end, (1, *scale.factors), _OPEN_LETTER)
    may_be_size = text[scale.end - 1] == "M" and _WHOLE.search(text, max(0, end - 4), end)
    return Scale(scale.end, (*scale.factors, 1), _OPEN_SIZE) if may_be_size else scale


def glued_scale(text: str, start: int, end: int) -> Scale:
    """$3.4m, USD 1.5MM, $2.5B: behind a currency it is neither metres nor a size."""
    match = _GLUED.match(text, end)
    if not match or not sign_before(text, start) or _EXACT.search(text, max(0, end - 8), end):
        return Scale(end)
    if match[1] not in _BILLIONS:
        return Scale(match.end(), (10**6,))
    marks = CENTS.search(text, max(0, end - 4), end)
    return Scale(match.end(), (1, 10**9), _OPEN_LETTER) if marks else Scale(match.end(), (10**9,))


def currency_scale(text: str, start: int, end: int) -> Scale | None:
    """What is short for a scale behind one currency only: crores of rupees, millions of rupiah or reais."""
    match = _WORD.match(text, end)
    if not match or match[1] not in _currency_words():
        return None
    sign = sign_before(text, start)
    factor = _currency_words()[match[1]].get(sign.codes[0]) if sign else None
    if not factor or _INITIALS.match(text, match.end(1)) or _EXACT.search(text, max(0, end - 8), end):
        return None
    if match[1] == "CR" and CENTS.search(text, max(0, end - 4), end):
        return None
    if factor == _CRORE:
        # An amount is the balance of an account, and no "2.5 Cr".
        balance = (
            sign is not None
            and not _TENTHS.search(text, end - 2, end)
            and _BALANCE.search(text, max(0, sign.start - 30), sign.start) is not None
        )
        meant = _crores_meant(text, end, match[1], balance)
    else:
        meant = _meant(text, end, match[1], factor)
    return Scale(match.end(1), *meant) if meant else None


def _crores_meant(text: str, end: int, word: str, balance: bool) -> tuple[tuple[int, ...], str] | None:
    """The factors that "Cr" may honestly stand for, with the rule; None where it is credit."""
    if word not in _CREDITS:
        return (_CRORE,), ""
    grouped = _GROUPED.search(text, max(0, end - 5), end)
    if grouped and balance:
        return None
    if grouped or balance:
        return (-1, _CRORE), _OPEN_CREDIT
    cents = CENTS.search(text, max(0, end - 4), end)
    return ((_CRORE, -1), _OPEN_CRORES) if cents else ((_CRORE,), "")


def _meant(text: str, end: int, word: str, factor: int) -> tuple[tuple[int, ...], str] | None:
    """The factors that a short word may honestly stand for, and the rule for the first."""
    cents = CENTS.search(text, max(0, end - 4), end)
    if len(word) > 1:
        return (factor,), ""
    if cents:
        return (1, factor), _OPEN_LETTER
    if factor == _LAKH and not _TENTHS.search(text, end - 2, end):
        return ((1, factor), _OPEN_LETTER) if _FEW.search(text, max(0, end - 3), end) else None
    return ((factor, 10**6), _OPEN_MILIAR) if word == "M" else ((factor,), "")


@lru_cache(maxsize=4096)
def _factor(word: str, language: str, roles: tuple[str, ...]) -> int:
    """What a word of scale multiplies by; 0 for any other."""
    known = vocabulary(language) or vocabulary("en")
    role, number = known.atoms.get(plain(word), ("", 0)) if known else ("", 0)
    return number if role in roles else _words().get(word if len(word) < 3 else plain(word), 0)


@lru_cache(maxsize=1)
def _words() -> dict[str, int]:
    rows = (row for row in entries("scales") if row[0] != "point")
    return {word if len(word) < 3 else plain(word): int(factor) for factor, words in rows for word in words}


@lru_cache(maxsize=1)
def _short_scales() -> frozenset[str]:
    return frozenset(word for head, words in entries("scales") if head == "point" for word in words)


@lru_cache(maxsize=1)
def _currency_words() -> dict[str, dict[str, int]]:
    """Factors by word and currency."""
    found: dict[str, dict[str, int]] = {}
    for code, pairs in entries("currency_scales"):
        for word, _, factor in (pair.partition("=") for pair in pairs):
            found.setdefault(word, {})[code] = int(factor)
    return found


# Codes that are also words, and the few pairs of letters that hardly mean anything but a currency.
_WORDS_TOO = frozenset(
    ("ALL", "BAM", "BHD", "BOB", "CHE", "COP", "CUP", "GEL", "MAD", "MOP", "PEN", "RON", "SOL", "SOS", "TOP", "TRY")
)
_STRONG_LETTERS = frozenset(("RM", "Rp", "Rs", "kr", "Kr", "KR", "Kč", "zł", "Ft", "TL", "Fr"))


@lru_cache(maxsize=1)
def table() -> dict[str, tuple[str, ...]]:
    """Every way to write a currency, as written or folded, with the codes that it may mean."""
    signs: dict[str, tuple[str, ...]] = {code: (code,) for code in MINOR_UNITS}
    for sign, codes in entries("currency_signs"):
        signs[sign] = tuple(code for code in codes if code in MINOR_UNITS)
    for code, words in entries("currency_words"):
        for word in words:
            signs.setdefault(plain(word), (code,))
    return signs


@lru_cache(maxsize=32768)
def codes_of(written: str) -> tuple[str, ...]:
    """The currencies that a sign, code or word may mean, the likeliest first; empty for anything else."""
    known = table()
    written = written.replace(" ", "") if written[-1:] in "$£" else written
    found = known.get(written) or known.get(written.rstrip(".")) or known.get(written.lower())
    if found or len(written) < 3:
        return found or ()
    if "$" in written and written.strip("$").upper() in MINOR_UNITS:
        return (written.strip("$").upper(),)
    if written.isascii() and written.upper() in MINOR_UNITS and (written.isupper() or written.islower()):
        return (written.upper(),)
    return known.get(plain(written), ())


def is_weak(written: str) -> bool:
    """Whether the letters often mean something else, so that only a page or field about money makes them money."""
    letters = written.rstrip(".")
    if letters.upper() in _WORDS_TOO:
        return True
    return len(letters) <= 2 and letters.isalpha() and letters.isascii() and letters not in _STRONG_LETTERS
