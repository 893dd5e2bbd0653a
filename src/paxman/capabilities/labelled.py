"""Values that stand with a label: beside it, below it, or in its column."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Any, Literal

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import AMOUNTS, DATES, FALLBACKS, NUMBERS, PARTIES, label_terms
from paxman.capabilities.label_scan import Hit, Page, Scan, own_labels, scan_of
from paxman.capabilities.values import Found, conventions
from paxman.contract.labels import compact_label, fold_label
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.recognizers import Reading, find, read_value
from paxman.types import FieldType, Money, Span

Relation = Literal["beside", "below", "column"]
MOST_HITS = 200
LONGEST_LINE = 4000
"""Longer lines are no layout; nothing is sought below them."""


@attrs.frozen
class Spot:
    """A value and the label it stands with; `weak` counts what speaks against the tie."""

    reading: Reading
    hit: Hit
    relation: Relation
    rank: int
    weak: int = 0

    @property
    def order(self) -> tuple[Any, ...]:
        return self.rank, self.weak, _RELATIONS[self.relation], self.reading.start


_RELATIONS = {"beside": 0, "below": 1, "column": 1}


@attrs.frozen
class Binding:
    """What a field asks for: its own labels, the business term it is, and the terms that may speak for it."""

    own: frozenset[str]
    term: str | None
    fallbacks: tuple[str, ...]
    role: Literal["first", "last"] | None
    """Which end of a range."""


_FIRST = frozenset("first start starts from begin begins beginning starting von ab début inicio inizio mula".split())
_LAST = frozenset("last end ends to until till ending through thru bis fin final fine tamat".split())


def bind(field: CanonicalField, contract: CanonicalContract) -> Binding:
    """Tie a field to a business term by its name, or else by most of its labels."""
    term = _term_of(field)
    taken = {_term_of(other) for other in contract.leaves if other is not field}
    fallbacks = tuple(other for other in FALLBACKS.get(term or "", ()) if other not in taken)
    return Binding(frozenset(own_labels(field)), term, fallbacks, _role(field))


def _term_of(field: CanonicalField) -> str | None:
    terms = label_terms()
    named = next((terms[key] for key in compact_label(field.name.replace("_", " ")) if key in terms), None)
    if named:
        return named
    votes = [terms[key[0]] for key in map(compact_label, field.labels) if key and key[0] in terms]
    return max(votes, key=lambda term: (votes.count(term), -votes.index(term))) if votes else None


def _role(field: CanonicalField) -> Literal["first", "last"] | None:
    for source in (field.name.replace("_", " "), field.description):
        words = set(fold_label(source).split())
        if words & _FIRST:
            return "first"
        if words & _LAST:
            return "last"
    return None


def relevant(scan: Scan, binding: Binding, own_only: bool = False) -> list[tuple[Hit, int]]:
    """Labels on the page that may speak for a field, each with its rank: own, of its term, of a term that may stand in."""
    ranked: dict[int, tuple[Hit, int]] = {}
    for key in sorted(binding.own):
        for hit in scan.by_key.get(key, ())[:MOST_HITS]:
            ranked[hit.index] = hit, 0
    if not own_only:
        for rank, term in enumerate((binding.term, *binding.fallbacks), 1):
            for hit in scan.by_term.get(term or "", ())[:MOST_HITS]:
                ranked.setdefault(hit.index, (hit, rank))
    return [ranked[index] for index in sorted(ranked)][:MOST_HITS]


class Reader:
    """Reads the typed values of lines, each line once."""

    def __init__(self, context: CapabilityContext, scan: Scan) -> None:
        self.context, self.scan, self.page = context, scan, scan.page
        self.text = scan.page.text
        self.how = conventions(context)
        cache = context.document.cache.setdefault("line_values", {})
        self._cache: dict[tuple[str, int], list[Reading]] = cache

    def values(self, kind: str, line: int) -> list[Reading]:
        """Values of a kind on a line, in the document's own offsets."""
        key = (kind, line)
        if key not in self._cache:
            place = self.page.line(line)
            found = _FINDERS[kind](self.text[place.start : place.end], self)
            self._cache[key] = [reading.shifted(place.start) for reading in found]
        return self._cache[key]


def _find_dates(text: str, reader: Reader) -> list[Reading]:
    return find("date", text, reader.how) if any(map(str.isdigit, text)) else []


def _find_money(text: str, reader: Reader) -> list[Reading]:
    """Amounts of a line: those with a currency, then bare numbers in the currency of the page."""
    if not any(map(str.isdigit, text)):
        return []
    money = find("money", text, reader.how)
    bare = [reading for reading in find("decimal", text, reader.how) if not _overlaps(reading, money)]
    return sorted([*money, *bare], key=lambda reading: reading.start)


def _overlaps(reading: Reading, others: list[Reading]) -> bool:
    return any(reading.start < other.end and other.start < reading.end for other in others)


_IDENTIFIER = re.compile(r"[A-Za-z0-9](?:[\w./-]*[A-Za-z0-9])?")


def _find_identifiers(text: str, reader: Reader) -> list[Reading]:
    """Tokens with a digit that are neither dates nor amounts."""
    others = _find_dates(text, reader)
    found = []
    for match in _IDENTIFIER.finditer(text):
        token = match[0]
        if any(map(str.isdigit, token)) and len(token) > 1:
            reading = Reading(match.start(), match.end(), token)
            if not _overlaps(reading, others):
                found.append(reading)
    return found


_FINDERS: dict[str, Callable[[str, Reader], list[Reading]]] = {
    "date": _find_dates,
    "amount": _find_money,
    "identifier": _find_identifiers,
    "integer": lambda text, reader: find("integer", text, reader.how),
}


def as_type(reading: Reading, field: CanonicalField, currency: str | None) -> Reading | None:
    """An amount as the field's type: a bare number, or money in the currency of the page."""
    others = tuple(filter(None, (as_type(other, field, currency) for other in reading.alternatives)))
    value, steps = reading.value, reading.transforms
    if field.type is FieldType.MONEY:
        if isinstance(value, Decimal):
            if currency is None:
                return None
            value, steps = Money(value, currency), (*steps, f"money:{currency}")
    elif isinstance(value, Money):
        value, steps = value.amount, steps[:-1]
    return attrs.evolve(reading, value=value, transforms=steps, alternatives=others)
