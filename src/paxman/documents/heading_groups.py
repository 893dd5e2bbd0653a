"""Headings that stand twice in a line: which column is meant by what stands over each, as a group's own heading."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from paxman.documents.heading_words import OTHER, Hit, tokens_of
from paxman.documents.headings import Column, Headings


def tell_apart(
    columns: Sequence[Column], names: Sequence[str], stacks: Sequence[str], groups: Sequence[str], headings: Headings
) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """The columns by their headings, those above and below and that of their group, and what heads each.

    Where several headings stand twice and nothing tells them apart, the first are meant.
    """
    told, full = list(columns), list(names)
    places: dict[str, list[int]] = {}
    for at, name in enumerate(names):
        places.setdefault(name.casefold(), []).append(at)
    twice = [each for name, each in places.items() if name and len(each) > 1]
    for each in twice:
        grouped = [f"{group} {names[each[0]]}" for group in groups]
        for at, text, hit in _told(each, [stacks[at] for at in each], headings) or _told(each, grouped, headings):
            told[at] = attrs.evolve(told[at], meaning=hit.meaning if hit else OTHER, rank=hit.rank if hit else 0)
            full[at] = text
    if len(twice) > 1:
        later = [at for each in twice for at in each[1:] if full[at] == names[at]]
        told = [attrs.evolve(column, meaning=OTHER) if at in later else column for at, column in enumerate(told)]
    return tuple(told), tuple(full)


def _told(places: Sequence[int], texts: Sequence[str], headings: Headings) -> list[tuple[int, str, Hit | None]]:
    """What each of some columns is by a longer heading; nothing if these do not tell them apart."""
    if not len({*texts}) == len(texts) == len(places):
        return []
    hits = _meant([_whole(text, headings) for text in texts])
    return list(zip(places, texts, hits, strict=True)) if hits else []


def _whole(text: str, headings: Headings) -> Hit | None:
    tokens = tokens_of(text)
    hit = headings.best(tokens)
    return hit if hit and hit.last - hit.first == len(tokens) else None


def _meant(hits: Sequence[Hit | None]) -> Sequence[Hit | None]:
    """What tells headings apart: each means something else, or the contract names one of them; nothing if neither."""
    known = [hit.meaning for hit in hits if hit]
    if len({*known}) == len(hits):
        return hits
    named = [hit if hit and hit.rank > 2 else None for hit in hits]
    return named if any(named) else []
