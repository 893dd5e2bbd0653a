"""Names of a contract's parties with their role behind them in brackets: `Alder Ltd (the "Seller")`."""

from __future__ import annotations

import re

from paxman.capabilities.label_scan import Hit
from paxman.finding.parties import line_shapes as shapes
from paxman.recognizers.tables import pattern
from paxman.types import Span

_ARTICLE = r"(?:(?:the|as|der|die|das|als|le|la|el|il|lo|het|de|o|a) |l['’])?"
_CALLED = r"(?:here(?:in)?after|nachfolgend|nachstehend|ci-après|en adelante|in seguito|doravante|hierna|dalej)"
_QUOTES = "\"'“”„«»‘’"
_OPENING = re.compile(rf"\s?[(（](?:{_CALLED} )?{_ARTICLE}[{_QUOTES}]{{0,2}}\Z", re.IGNORECASE)
_CLOSING = re.compile(rf"[{_QUOTES}]{{0,2}}[)）](?!\s?[:：])")
_ROLE_BELOW = re.compile(r"[^\n]*\n(?:[^\W\d_]{1,5}\n)?[^\n]{3,80}\([^()\n]{3,24}\)[.,;]?[ \t]*(?:\n|\Z)")
_JOINS = re.compile(r"[\s,;]*(?:(?:(?i:and|und|et|ed|en|och|og|oraz)|[yei])\s+)?(?:(?:die |der )?[Ff]irma\s+)?")
_LONGEST = 200
_MOST_WORDS = 5


def named_before(text: str, hit: Hit) -> tuple[Span, ...] | None:
    """The name before a label in brackets, nothing if it is unclear; None where the label is no role of a name."""
    first = max(text.rfind("\n", 0, hit.start) + 1, hit.start - _LONGEST)
    opening = _OPENING.search(text, max(first, hit.start - _OPENED), hit.start)
    if not opening or not _CLOSING.match(text, hit.end):
        return None
    start, led = _start(text, first, opening.start())
    name = text[start : opening.start()]
    first_part = name.partition(",")[0]
    if shapes.legal_end(first_part):
        name = first_part  # What follows tells of the company.
    end = shapes.legal_end(name)
    if ":" in name or not (end or led or _ROLE_BELOW.match(text, hit.end)):
        return None
    name = name[:end] if end else name
    return ((start, start + len(name)),) if _is_name(name, bool(end)) else ()


_OPENED = 32


def _start(text: str, first: int, end: int) -> tuple[int, bool]:
    """Where a name begins, behind "between", another role in brackets or an "and", and whether one of them leads it."""
    between = [match.end() for match in pattern(r"\b(?:{between})\s").finditer(text, first, end)]
    behind = max([first, text.rfind(")", first, end) + 1, *between])
    joins = _JOINS.match(text, behind, end)
    start = joins.end() if joins else behind
    return start, bool(between) or text[behind:start].strip() != ""


def _is_name(name: str, legal: bool) -> bool:
    """Whether words are those of a name, for all but short ones have a capital."""
    words = name.split()
    if not words or not words[0][0].isupper() or (len(words) > _MOST_WORDS and not legal):
        return False
    return all(len(word) < 4 or not word[0].islower() for word in words)
