"""What parts the columns of a line, and label from value."""

from __future__ import annotations

from re import Match

from paxman.documents.visual_lines import bars_to_tabs
from paxman.lazy import lazy_pattern
from paxman.types import Span

_MOST_LABEL = 60
# Dots between two figures are a range: "0 ... +35 °C".
_LEADER = lazy_pattern(r"(\d(?: ?[°%]?[A-Za-zµΩ]{0,2})? ?(?:\.{3}|…) ?[-+−±]?\d)|\.{3,}|(?:\. ){3,}|…+|_{3,}|·{3,}")
# Not the colon of a time, a ratio, a web address or a path.
_COLON = lazy_pattern(r"[:：](?=\s|\Z|[^\s/\d:\\])|(?<=[^\W\d])[:：](?=\d)|(?<=[.)#°])[:：](?=\d)")
_EQUALS = lazy_pattern(r"(?<![=<>!~])=(?![=~])")
# All that may begin it stands first, for other places are passed over fast then.
_NUMBER_SIGN = lazy_pattern(r"[#№nN](?:(?<=[#№])|(?<!\w[nN])(?:°|[oOrR]\.))(?= ?[^\s\d]{0,8}\d)")

Separator = tuple[int, int]
"""Where label and value part inside a chunk: the end of the label and the start of the value."""


def gaps_to_tabs(text: str) -> str:
    """The same text, of the same length, with bars and dotted leaders as tabs."""
    text = bars_to_tabs(text)
    if any(leader in text for leader in ("...", "…", "___", ". . .", "···")):
        text = _LEADER.sub(lambda leader: leader[1] or "\t" * len(leader[0]), text)
    return text


def find_separator(text: str, start: int, end: int) -> Separator | None:
    """The colon, equals or number sign that parts label from value within a chunk."""
    colon = text.find(":", start, end)
    if colon > start and (colon + 1 == end or text[colon + 1] == " "):
        found: Span | None = (colon, colon + 1)
    elif match := _colon_or_equals(text, start, end, colon):
        found = match.span()
    else:
        match = _NUMBER_SIGN.search(text, start, end)
        found = (match.end(), match.end()) if match else None
    return found if found and start < found[0] <= start + _MOST_LABEL else None


def _colon_or_equals(text: str, start: int, end: int, colon: int) -> Match[str] | None:
    has_colon = colon >= 0 or text.find("：", start, end) >= 0
    match = _COLON.search(text, start, end) if has_colon else None
    return match or (_EQUALS.search(text, start, end) if text.find("=", start, end) >= 0 else None)
