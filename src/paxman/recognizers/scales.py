"""Words and letters behind a figure that multiply it: 2 Mio., 1.5M, ₹ 2.5 Cr, Rp 25rb."""

from __future__ import annotations

from functools import lru_cache

from paxman.classes import record
from paxman.lazy import lazy_pattern
from paxman.recognizers.base import UNKNOWN, Conventions
from paxman.recognizers.broken import CENTS
from paxman.recognizers.spelled import vocabulary
from paxman.recognizers.tables import entries
from paxman.recognizers.words import plain

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
        short = match[1].lower() in _abbreviated() and _GOES_ON.match(text, match.end())
        stop, factor = match.end(2 if short else 1), factor * number
    word = text[end:stop].strip()
    if word.lower() == _MIL and not (conventions.language and vocabulary(language)):
        return Scale(stop, _MIL_MEANS, _OPEN_MIL)
    if len(word) == 1 and start is not None:
        return _of_letter(text, start, end, stop, factor)
    return Scale(stop, (factor,))


def _of_letter(text: str, start: int, end: int, stop: int, factor: int) -> Scale:
    """A letter behind a figure; cents or few digits before it make it doubtful, unless the currency comes after it."""
    from paxman.recognizers.currency_signs import sign_after, sign_before

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
    from paxman.recognizers.currency_signs import sign_before

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
    from paxman.recognizers.currency_signs import sign_before

    sign = sign_before(text, start)
    factor = _currency_words()[match[1]].get(sign.codes[0]) if sign else None
    if not factor or _INITIALS.match(text, match.end(1)) or _EXACT.search(text, max(0, end - 8), end):
        return None
    if match[1] == "CR" and CENTS.search(text, max(0, end - 4), end):
        return None
    if factor == _CRORE:
        balance = sign is not None and _is_balance(text, sign.start, end)
        meant = _crores_meant(text, end, match[1], balance)
    else:
        meant = _meant(text, end, match[1], factor)
    return Scale(match.end(1), *meant) if meant else None


def _is_balance(text: str, start: int, end: int) -> bool:
    """Whether an amount is the balance of an account, and no "2.5 Cr"."""
    return not _TENTHS.search(text, end - 2, end) and _BALANCE.search(text, max(0, start - 30), start) is not None


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
def _abbreviated() -> frozenset[str]:
    return frozenset(word for head, words in entries("scales") if head == "point" for word in words)


@lru_cache(maxsize=1)
def _currency_words() -> dict[str, dict[str, int]]:
    """Factors by word and currency."""
    found: dict[str, dict[str, int]] = {}
    for code, pairs in entries("currency_scales"):
        for word, _, factor in (pair.partition("=") for pair in pairs):
            found.setdefault(word, {})[code] = int(factor)
    return found
