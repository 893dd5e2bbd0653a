"""Keeping personal values out of what is sent: same length, so that every position stays where it is."""

from __future__ import annotations

from collections.abc import Iterable

from paxman.inference.grounding import Haystack
from paxman.types import Span

_COVER = "*"


def spans_to_mask(text: str, known: Iterable[str]) -> tuple[Span, ...]:
    """Every place of the known texts, in any spacing and case."""
    haystack = Haystack(text)
    found = {span for value in dict.fromkeys(known) for span in haystack.find_all(value)}
    return merge(found)


def merge(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans in order, those that overlap as one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def mask(text: str, offset: int, spans: Iterable[Span]) -> str:
    """A part of the document, which begins at `offset`, with the spans covered."""
    characters = list(text)
    for start, end in spans:
        for position in range(max(start - offset, 0), min(end - offset, len(characters))):
            if not characters[position].isspace():
                characters[position] = _COVER
    return "".join(characters)
