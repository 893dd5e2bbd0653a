"""What is one number on a page, as it stands in a cell."""

from __future__ import annotations

from functools import lru_cache

from paxman.lazy import lazy_pattern
from paxman.types import SUPERSCRIPTS, Span

_SIGN = r"[-+(\u2212]?"
_MONEY_SIGN = (
    r"(?:[^\w\s:=;,.!?]{1,2}|[A-Z]{2,3}|[A-Z]{1,2}\$"
    r"|(?:R|kr|Rs|Rp|Fr|SFr|zł|Kč|Ft|KSh|Tk|S/)\.?(?= ?-?\d[\d ,.'\u2019]{0,14}[.,]\d\d(?!\d)))?"
)
_NUMBER = lazy_pattern(
    rf"{_SIGN} ?{_MONEY_SIGN} ?{_SIGN} ?(?:\d{{1,3}}(?: \d{{3}}){{1,3}}(?:[.,]\d*)?|\d[\d.,'\u2019]*)"
    rf" ?(?:%|[^\w\s]{{1,2}}|[^\W\d_][^\W\d_]{{0,7}}(?:\(s\))?\.?[\u00b2\u00b32-3]?)?[{SUPERSCRIPTS}]{{0,4}}[)-]?\Z"
)
_CODE_WITH_WORD = lazy_pattern(r"(?:\d{8,}|\d{1,2}\.\d{1,2}\.\d{2,4}) ?[^\W\d]")
"""A code or a date, and no number with its unit."""
LONGEST_NUMBER = 40
LONG_DIGITS = lazy_pattern(r"\d{3}")
"""What no heading has."""


def is_number(text: str) -> bool:
    """Whether a chunk is one number, with its sign, currency, percent sign or unit."""
    return len(text) < LONGEST_NUMBER and _is_number(text)


@lru_cache(maxsize=2048)
def _is_number(text: str) -> bool:
    if _NUMBER.match(text) is None:
        return False
    if "%" in text and text[0].isalpha():
        return False  # The name of a tax and its rate.
    return text.count("(") == text.count(")") and _CODE_WITH_WORD.match(text) is None


def has_digits(text: str, chunk: Span) -> bool:
    """Whether a chunk has figures as no heading has."""
    return LONG_DIGITS.search(text, *chunk) is not None or is_number(text[chunk[0] : chunk[1]])
