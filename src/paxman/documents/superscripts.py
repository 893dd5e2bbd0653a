"""Figures set above the line: the cents of a price, or an exponent or the mark of a footnote, written as such."""

from __future__ import annotations

import re
import unicodedata

from paxman.lazy import lazy_pattern
from paxman.types import RAISED, SUPERSCRIPTS

_HIGHER = str.maketrans("0123456789()+-\u2212", f"{SUPERSCRIPTS}⁻")
_MARK = lazy_pattern(r"[+\u2212-]?\d{1,3}\)?|\(\d{1,3}\)|\d\d?(?:,\d\d?){0,9},?", re.ASCII)
_CENTS = lazy_pattern(r"\d\d", re.ASCII)
_WHOLE = lazy_pattern(r"(?<=\d)(?<![.,]\d\d)(?<!\d{5})\Z")
"""The end of a number without cents, as people write prices."""
REACH = 8
"""How many characters before a raised figure tell what it is."""


def is_mark(text: str) -> bool:
    """Whether raised text is made of figures only."""
    return _MARK.fullmatch(text) is not None


def write_raised(before: str, text: str) -> str:
    """Raised text as it is written behind other text: no figure of it is a digit of what is before it."""
    if not is_mark(text) or _is_amount(before):
        return text
    if _CENTS.fullmatch(text) and _WHOLE.search(before):
        return RAISED + text
    return text.translate(_HIGHER)


def starts_note(text: str, figures: str) -> bool:
    """Whether figures, raised or not, stand before words at the start of a line: the footnote that they mark."""
    ways = f"{figures}|{figures.translate(_HIGHER)}"
    return re.search(rf"^[ \t]*\(?(?:{ways})[).:]?[ \t]+[^\W\d_]", text, re.MULTILINE) is not None


def _is_amount(before: str) -> bool:
    """Whether a currency without an amount stands right before."""
    sign = before[-1:]
    return bool(sign) and unicodedata.category(sign) == "Sc" and not before[:-1].rstrip()[-1:].isdecimal()
