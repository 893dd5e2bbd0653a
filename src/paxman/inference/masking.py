"""Keeping personal values out of what is sent: same length, so that every position stays where it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from paxman.inference.grounding import Haystack
from paxman.types import Span

_COVER = "*"
_LONGEST_NAME = 5


def spans_to_mask(text: str, known: Iterable[str]) -> tuple[Span, ...]:
    """Every place of the known texts, in any spacing and case, names also with the last part first."""
    haystack = Haystack(text)
    wanted = dict.fromkeys(form for value in known for form in (value, *_turned(value)))
    return merge({span for value in wanted for span in haystack.find_all(value)})


def _turned(value: str) -> Iterator[str]:
    """Ingrid Maria Holm as Holm, Ingrid Maria; and what has a comma the other way round."""
    parts = value.replace(",", " ").split()
    if not 1 < len(parts) <= _LONGEST_NAME or any(map(str.isdigit, value)):
        return
    for cut in range(1, len(parts)):
        behind, before = " ".join(parts[cut:]), " ".join(parts[:cut])
        yield from (f"{behind} {before}", f"{behind}, {before}", f"{before}, {behind}")


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
