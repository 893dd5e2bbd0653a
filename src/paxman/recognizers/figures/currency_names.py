"""How currencies are written: signs, abbreviations and words, with the codes that each may mean."""

from __future__ import annotations

from functools import lru_cache

from paxman.currencies import MINOR_UNITS
from paxman.recognizers.booleans_and_enums import plain
from paxman.recognizers.tables import entries

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
