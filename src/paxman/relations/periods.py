"""Dates of a contract that begin and end the same thing, by words of their names: `policy_start` and `policy_end`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import attrs

from paxman.contract.labels import fold_label
from paxman.contract.model import CanonicalField
from paxman.lazy import lazy_pattern
from paxman.recognizers.tables import column, entries

# "vertragsbeginn" and "vertragsende" are compounds, and so is "checkout".
_JOINT = lazy_pattern(r"(?<=\w{3})(?=(?:beginn?|anfang|start|einde?|ende?)\b)|(?<=\bcheck)(?=(?:in|out)\b)")


@attrs.frozen
class _Pair:
    """Words for begin and end; some mean so only if the contract has them in this order."""

    begin: frozenset[str]
    end: frozenset[str]
    in_order: bool


@lru_cache(maxsize=1)
def _pairs() -> tuple[_Pair, ...]:
    said = column("period_words")

    def words(heads: Iterable[str]) -> frozenset[str]:
        return frozenset[str]().union(*(said[head] for head in heads))

    rows = [(head, " ".join(parts).split(" > ")) for head, parts in entries("period_words") if ">" in parts]
    return tuple(_Pair(words(begin.split()), words(end.split()), head == "in_order") for head, (begin, end) in rows)


@lru_cache(maxsize=1)
def _ends() -> frozenset[str]:
    return frozenset[str]().union(*(pair.begin | pair.end for pair in _pairs()))


def periods_of(fields: Sequence[CanonicalField]) -> Iterator[tuple[str, str]]:
    """Paths of the fields that begin and end a period: their names differ in nothing but a word for that."""
    alike: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for field in fields:
        for rest, word in _split(field.words):
            alike.setdefault(rest, []).append((word, field.path))
    for ends in alike.values():
        yield from _paired(ends)


def _split(name: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each word of a name that says begin or end, and the rest of the name."""
    of_days = column("period_words")["day"]
    said = [word for word in _JOINT.sub(" ", fold_label(name)).split() if word not in of_days]
    for place, word in enumerate(said):
        if word in _ends():
            yield (*said[:place], *said[place + 1 :]), word


def _paired(ends: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Begin and end, where there is one each of a kind; no field is in two pairs."""
    paired: set[str] = set()
    for pair in _pairs():
        places = [place for place, (_, path) in enumerate(ends) if path not in paired]
        begin, end = ([place for place in places if ends[place][0] in words] for words in (pair.begin, pair.end))
        if len(begin) == len(end) == 1 and (not pair.in_order or begin < end):
            found = ends[begin[0]][1], ends[end[0]][1]
            paired.update(found)
            yield found
