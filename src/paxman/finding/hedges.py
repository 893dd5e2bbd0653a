"""Hedges: words and signs with which a value is only an estimate or a bound: "about 40", "< 5", "from 3.99", "12+"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from paxman.contract.model import CanonicalField
from paxman.finding.wanted import members_of
from paxman.lexicon.lexicon import Lexicon
from paxman.types import FieldType

_REACH = 24
_SIGN = r"[ \t]{0,2}(?:[^\w\s]|[A-Z]{2,3})?[ \t]?"
"""A currency may stand between a hedge and its number."""
_NUMBERS = frozenset({FieldType.DECIMAL, FieldType.INTEGER, FieldType.MONEY})
_BOUNDS = frozenset({"minimum", "maximum"})


def hedge_at(text: str, start: int, end: int, field: CanonicalField, lexicon: Lexicon, low: int = 0) -> str:
    """The hedge before a value of a text, from `low` on, or behind it; empty where it is the value itself."""
    if field.type not in _NUMBERS and field.type is not FieldType.DATE:
        return ""
    kinds = ("about",) if field.type is FieldType.DATE or _asks_bound(field, lexicon) else ("about", "bound")
    before = _before(lexicon, kinds).search(text, max(low, start - _REACH), start)
    if before:
        return before[1].strip()
    return hedge_behind(text, end, lexicon) if field.type in _NUMBERS else ""


def hedge_behind(text: str, end: int, lexicon: Lexicon) -> str:
    """The hedge behind a number that ends there, if any."""
    found = _behind(lexicon).match(text, end)
    return found[0].strip() if found else ""


def trailing_hedge(text: str, lexicon: Lexicon) -> int:
    """Where a hedge at the end of a text begins; else the end of the text."""
    found = _before(lexicon, ("about", "bound")).search(text, max(0, len(text) - _REACH))
    return found.start() if found else len(text)


def _asks_bound(field: CanonicalField, lexicon: Lexicon) -> bool:
    """Whether a field asks for a limit itself: "minimum order"."""
    return not _BOUNDS.isdisjoint(members_of(lexicon.parse(field.words), "side"))


@lru_cache(maxsize=16)
def _before(lexicon: Lexicon, kinds: tuple[str, ...]) -> re.Pattern[str]:
    signs = "|".join(re.escape(sign) for kind in kinds for sign in lexicon.hedges[kind]["signs"])
    words = "|".join(_words(lexicon.hedges[kind] for kind in kinds))
    return re.compile(rf"((?:{signs})|(?<![\w'’-])(?:{words})(?:\.(?=[ \t$€£¥])|(?=[ \t]))){_SIGN}\Z", re.IGNORECASE)


@lru_cache(maxsize=8)
def _behind(lexicon: Lexicon) -> re.Pattern[str]:
    signs = "|".join(map(re.escape, lexicon.hedges["behind"]["signs"]))
    words = "|".join(_words([lexicon.hedges["behind"]]))
    return re.compile(rf"[ \t]?(?:{signs})(?!\w{{3}})|[ \t](?:{words})\b", re.IGNORECASE)


def _words(entries: Iterable[Mapping[str, Iterable[str]]]) -> list[str]:
    found = {text for entry in entries for language, texts in entry.items() if language != "signs" for text in texts}
    return [re.escape(text) for text in sorted(found, key=lambda text: (-len(text), text))]
