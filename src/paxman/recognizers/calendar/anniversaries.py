"""Anniversaries as durations: "until the third anniversary of" lasts 3 years."""

from __future__ import annotations

import re
from functools import lru_cache

from paxman.recognizers.base import GAP, Conventions, Reading, read
from paxman.recognizers.booleans_and_enums import plain
from paxman.recognizers.tables import entries


@lru_cache(maxsize=1)
def _ordinals() -> dict[str, int]:
    return {word: int(number) for number, words in entries("ordinals") for word in words}


def ordinal_words() -> str:
    """Every ordinal number, as alternatives of a pattern."""
    words = sorted(_ordinals(), key=len, reverse=True)
    return "|".join(word.replace("-", f"(?:-|{GAP})") for word in words)


def number_of(ordinal: str) -> int:
    return _ordinals()[plain(ordinal).replace(" ", "-")]


@lru_cache(maxsize=1)
def _anniversary() -> re.Pattern[str]:
    return re.compile(
        rf"\b({ordinal_words()})(?:{GAP}\(\w{{1,6}}\))?{GAP}(?:yearly{GAP})?"
        r"(?:anniversary|jahrestag\w?|anniversaire|aniversario|anniversario)\b",
        re.IGNORECASE,
    )


def to_years(text: str, argument: str = "") -> str:
    """The years that pass until an anniversary."""
    match = _anniversary().fullmatch(text)
    if not match:
        raise ValueError(f"not an anniversary: {text!r}")
    number = number_of(match[1])
    return f"{number} year{'' if number == 1 else 's'}"


def find_anniversaries(text: str, conventions: Conventions) -> list[Reading]:
    """Anniversaries, as the years until them."""
    return [read(text, match.start(), match.end(), ("anniversary",)) for match in _anniversary().finditer(text)]
