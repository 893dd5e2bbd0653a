"""Spans of days, whose first and last day answer two fields."""

from __future__ import annotations

import re
from collections.abc import Mapping

from paxman.finding.claims import Claim, Claims
from paxman.lazy import lazy_pattern
from paxman.recognizers import Conventions, Reading, find
from paxman.recognizers.words import TO
from paxman.types import FieldType

_LONGEST = 160
_BETWEEN = 40
_TO = lazy_pattern(rf"\W*(?:{TO})\W*", re.IGNORECASE)
_CLOCK = lazy_pattern(r"[012]?\d:[0-5]\d(?::[0-5]\d)?")
_WORDS = lazy_pattern(r"[^\W\d_]{2,}")
_MOST_WORDS = 6


def period_ends(text: str, how: Conventions) -> tuple[Reading, Reading] | None:
    """The two dates of a text that begins with a span of days."""
    found = find("date", text[:_LONGEST], how)
    if len(found) < 2 or found[0].value > found[1].value:
        return None
    return (found[0], found[1]) if joins(text[found[0].end : found[1].start]) else None


def joins(between: str) -> bool:
    """Whether what stands between two dates makes a span of them, and is no label of the second."""
    if len(between) > _BETWEEN or "." in between.strip():
        return False
    between = _CLOCK.sub("", between)
    return len(_WORDS.findall(between)) <= _MOST_WORDS and (":" not in between or _TO.fullmatch(between) is not None)


def asks_span(field: int, claim: Claim, found: Mapping[int, Claim], claims: Claims) -> bool:
    """Whether a name stands for a whole span of days: it fits the field for the start and that for the end alike."""
    wanted = claims.wanted[field]
    if wanted.field.type is not FieldType.DATE or not wanted.side:
        return False
    others = (claims.wanted[other] for other in found)
    return claim.asked.source == "period" or any(
        other.field.type is FieldType.DATE and other.side not in ("", wanted.side) for other in others
    )
