"""Keeping personal values out of what is sent: same length, so that every position stays where it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from paxman.inference.grounding import Haystack
from paxman.types import Span

_COVER = "*"
_LONGEST_NAME = 5
_SHORTEST_SURNAME = 5
_PLAIN = {"ae": "ä", "oe": "ö", "ue": "ü", "aa": "å"}
_UMLAUTS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae"}
    | {"Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Å": "Aa", "Ø": "Oe", "Æ": "Ae"}
)
_DIGRAPH = re.compile("ae|oe|ue|aa", re.I)


def spans_to_mask(text: str, known: Iterable[str]) -> tuple[Span, ...]:
    """Every place of the known texts, in any spacing and case; names also with the last part first, or that alone."""
    haystack = Haystack(text)
    spelled = dict.fromkeys(form for value in known for form in _spelled(value))
    wanted = dict.fromkeys(form for value in spelled for form in (value, *_turned(value)))
    places = {span for value in wanted for span in haystack.find_all(value)}
    return merge(places.union(*(haystack.find_names(name) for value in spelled for name in _surname(value))))


def _spelled(value: str) -> Iterator[str]:
    """Jürgen Müller also as Juergen Mueller, and the other way round."""
    yield value
    yield value.translate(_UMLAUTS)
    yield _DIGRAPH.sub(lambda pair: _PLAIN[pair[0].lower()], value)


def _name_parts(value: str) -> list[str]:
    parts = value.replace(",", " ").split()
    return parts if 1 < len(parts) <= _LONGEST_NAME and not any(map(str.isdigit, value)) else []


def _surname(value: str) -> Iterator[str]:
    """The last part of a name, where it is unlikely to be a common word."""
    for name in _name_parts(value)[-1:] if "," not in value else [value.partition(",")[0].strip()]:
        if name.isalpha() and name[0].isupper() and len(name) >= _SHORTEST_SURNAME:
            yield name


def _turned(value: str) -> Iterator[str]:
    """Ingrid Maria Holm as Holm, Ingrid Maria and as Ingrid Holm; and what has a comma the other way round."""
    parts = _name_parts(value)
    for cut in range(1, len(parts)):
        behind, before = " ".join(parts[cut:]), " ".join(parts[:cut])
        yield from (f"{behind} {before}", f"{behind}, {before}", f"{before}, {behind}")
    if len(parts) > 2:
        given, family = (parts[1], parts[0]) if "," in value else (parts[0], parts[-1])
        yield from (f"{given} {family}", f"{family} {given}", f"{family}, {given}")


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
