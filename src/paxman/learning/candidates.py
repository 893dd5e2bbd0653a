"""What a field may be answered with on a page: candidates with their signs, for learning and for recall alike."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document
from paxman.finding.claims import Claims
from paxman.finding.scalars import claims_of
from paxman.learning.locating import item_of, kind_of, locate, read_mention
from paxman.learning.mentions import Mentions, fold_name, mentions_of
from paxman.learning.wordings import Spoken, spoken_members
from paxman.lexicon.lexicon import load
from paxman.page.names import page_of
from paxman.recognizers import Conventions, Reading, conventions_of
from paxman.types import FieldType, Span

_MOST = 6000


class StudyPage:
    """A document as learning and recall see it, with a contract: each field's candidates, made once."""

    def __init__(self, document: Document, contract: CanonicalContract, how: Conventions | None = None) -> None:
        self.document = document.plain
        self.page = page_of(self.document)
        self.contract = contract
        self.how = how or conventions_of(self.document.text)

    @cached_property
    def claims(self) -> Claims:
        return claims_of(self.contract, load())

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {wanted.field.path: number for number, wanted in enumerate(self.claims.wanted)}

    def mentions(self, field: CanonicalField) -> Mentions:
        return mentions_of(self.document, kind_of(field), self.how)

    def signs(self, field: CanonicalField) -> list[Sequence[str]]:
        """The signs of each candidate of a field, in order."""
        if field.type is FieldType.ENUM:
            return [spoken.signs for spoken in self._spoken(field)]
        mentions, index = self.mentions(field), self._numbers.get(field.path)
        return [(*mentions.signs(number), *self._fits(mentions, number, index)) for number in range(self.size(field))]

    def size(self, field: CanonicalField) -> int:
        return min(len(self.mentions(field)), _MOST)

    def _spoken(self, field: CanonicalField) -> tuple[Spoken, ...]:
        key = ("spoken", field.path)
        if key not in self.document.cache:
            self.document.cache[key] = spoken_members(self.page, field)
        found: tuple[Spoken, ...] = self.document.cache[key]
        return found

    def _fits(self, mentions: Mentions, number: int, index: int | None) -> list[str]:
        """How well the names that a mention stands with fit the field, in the words of the contract."""
        best = 0
        if index is None:
            return []
        for tied in mentions.ties[number][-3:]:
            claim = self.claims.of(tied.name.text, tied.name.section).get(index)
            if claim is not None and not tied.rank:
                best = max(best, int(10 * claim.fit))
        return [f"fits {best}", "fits"] if best else []

    def right(self, field: CanonicalField, value: Any) -> frozenset[int]:
        """The candidates that are the right value."""
        if field.type is FieldType.ENUM:
            members = self._spoken(field)
            return frozenset(n for n, each in enumerate(members) if each.member == value and len(each.signs) > 1)
        if field.type is FieldType.ARRAY:
            found = self._right_items(field, value)
        else:
            found = locate(self.mentions(field), field, self.how, value)
        return frozenset(number for number in found if number < _MOST)

    def _right_items(self, field: CanonicalField, values: Any) -> frozenset[int]:
        """The candidates that are items of the right list; nothing if an item is not on the page."""
        found: set[int] = set()
        for value in values if isinstance(values, list | tuple) else ():
            places = locate(self.mentions(field), item_of(field), self.how, value)
            if not places:
                return frozenset()
            found |= places
        return frozenset(found)

    def read(self, field: CanonicalField, number: int, weights: Any) -> Reading | None:
        """The value of a candidate, with its place; of a member the words that speak for it most."""
        if field.type is not FieldType.ENUM:
            return read_mention(self.mentions(field), number, item_of(field), self.how)
        spoken = self._spoken(field)[number]
        place = _telling(spoken, weights)
        return None if place is None else Reading(*place, spoken.member, (f"enum:{spoken.member}",))

    def names(self, field: CanonicalField, number: int) -> list[str]:
        """The names that a candidate stands with, the nearest first."""
        if field.type is FieldType.ENUM:
            return []
        ties = [tied for tied in reversed(self.mentions(field).ties[number]) if not tied.rank]
        return [tied.name.text for tied in ties if fold_name(tied.name.text)]


def _telling(spoken: Spoken, weights: Any) -> Span | None:
    signs = [(weights.get(sign, 0), len(sign), sign) for sign in spoken.places]
    best = max(signs, default=None)
    return spoken.places[best[2]] if best and best[0] > 0 else None
