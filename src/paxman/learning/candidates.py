"""What a field may be answered with on a page: candidates with their signs, for learning and for recall alike."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document
from paxman.finding.claims import Claims
from paxman.finding.scalars import claims_for
from paxman.learning.cuts import CUTS
from paxman.learning.locating import item_of, kind_of, locate, read_mention
from paxman.learning.mentions import Mentions, Tied, fold_name, mentions_of
from paxman.learning.ranking import Index
from paxman.learning.wordings import Spoken, spoken_members
from paxman.lexicon.lexicon import Lexicon, load
from paxman.page.names import page_of
from paxman.recognizers import Conventions, Reading, conventions_of
from paxman.types import FieldType, Span

_MOST = 6000


class StudyPage:
    """A document as learning and recall see it, with a contract: each field's candidates, made once."""

    def __init__(
        self,
        document: Document,
        contract: CanonicalContract,
        how: Conventions | None = None,
        lexicon: Lexicon | None = None,
        cuts: Collection[str] = tuple(CUTS),
    ) -> None:
        self.document = document.plain
        self.page = page_of(self.document)
        self.contract = contract
        self.how = how or conventions_of(self.document.text)
        self.lexicon = lexicon or load()
        self.cuts = cuts

    def cut(self, cuts: Collection[str]) -> StudyPage:
        """The same page with texts cut in other ways."""
        return StudyPage(self.document, self.contract, self.how, self.lexicon, cuts)

    @cached_property
    def claims(self) -> Claims:
        return claims_for(self.page, self.contract, self.lexicon)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {wanted.field.path: number for number, wanted in enumerate(self.claims.wanted)}

    def mentions(self, field: CanonicalField) -> Mentions:
        return mentions_of(self.document, kind_of(field), self.how, self.cuts)

    def signs(self, field: CanonicalField) -> list[Sequence[str]]:
        """The signs of each candidate of a field, in order."""
        if field.type is FieldType.ENUM:
            return [spoken.signs for spoken in self.spoken(field)]
        mentions = self.mentions(field)
        return [self._signs(mentions, number, field) for number in range(self._size(mentions))]

    def signs_of(self, field: CanonicalField, number: int) -> Sequence[str]:
        if field.type is FieldType.ENUM:
            return self.spoken(field)[number].signs
        return list(dict.fromkeys(self._signs(self.mentions(field), number, field)))

    def _signs(self, mentions: Mentions, number: int, field: CanonicalField) -> list[str]:
        fits = [sign for tied in mentions.names(number) for sign in self._fits(tied, field)]
        return [*mentions.signs(number), *fits]

    def _size(self, mentions: Mentions) -> int:
        return min(len(mentions), _MOST)

    def _fits(self, tied: Tied, field: CanonicalField) -> tuple[str, ...]:
        """How well a name that a mention stands first at fits the field, in the words of the contract."""
        index = self._numbers.get(field.path)
        claim = None if tied.rank or index is None else self.claims.of(tied.name.text, tied.name.section).get(index)
        return (f"fits {int(10 * claim.fit)}", "fits") if claim else ()

    def scores(self, fields: Sequence[CanonicalField], index: Index) -> list[list[int]]:
        """The score of each candidate for fields of one kind of value; groups of signs are added up once."""
        mentions = self.mentions(fields[0])
        known: dict[Any, Any] = {}
        found = [[0] * self._size(mentions) for _ in fields]
        for number in range(self._size(mentions)):
            *shared, own = mentions.groups(number)
            sums = [index.add(own)]
            for group in shared:
                # Shared groups are the same objects, which is cheaper to see than that they are equal.
                added = known.get(id(group))
                if added is None:
                    added = known[id(group)] = index.add(group)
                sums.append(added)
            for tied in mentions.names(number):
                if not tied.rank:
                    key = (tied.name.text, tied.name.section)
                    if key not in known:
                        known[key] = self._add_fits(tied, fields, index)
                    sums.append(known[key])
            for added in sums:
                for field, weight in added:
                    found[field][number] += weight
        return found

    def member_scores(self, fields: Sequence[CanonicalField], index: Index) -> list[list[int]]:
        """The score of each member of enums."""
        return [[index.of(n, each.signs) for each in self.spoken(field)] for n, field in enumerate(fields)]

    def _add_fits(self, tied: Tied, fields: Sequence[CanonicalField], index: Index) -> list[tuple[int, int]]:
        return [(n, index.of(n, self._fits(tied, field))) for n, field in enumerate(fields)]

    def spoken(self, field: CanonicalField) -> tuple[Spoken, ...]:
        key = ("spoken", field.path)
        if key not in self.document.cache:
            self.document.cache[key] = spoken_members(self.page, field, self.lexicon)
        found: tuple[Spoken, ...] = self.document.cache[key]
        return found

    def right(self, field: CanonicalField, value: Any) -> frozenset[int]:
        """The candidates that are the right value."""
        if field.type is FieldType.ENUM:
            members = self.spoken(field)
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

    def read(self, field: CanonicalField, number: int, weights: Mapping[str, int]) -> Reading | None:
        """The value of a candidate, with its place; of a member the words that speak for it most."""
        if field.type is not FieldType.ENUM:
            return read_mention(self.mentions(field), number, item_of(field), self.how)
        spoken = self.spoken(field)[number]
        place = _telling(spoken, weights)
        return None if place is None else Reading(*place, spoken.member, (f"enum:{spoken.member}",))

    def names(self, field: CanonicalField, number: int) -> list[str]:
        """The names that a candidate stands with, the nearest first."""
        if field.type is FieldType.ENUM:
            return []
        ties = [tied for tied in reversed(self.mentions(field).ties[number]) if not tied.rank]
        return [tied.name.text for tied in ties if fold_name(tied.name.text)]


def _telling(spoken: Spoken, weights: Mapping[str, int]) -> Span | None:
    signs = [(weights.get(sign, 0), len(sign), sign) for sign in spoken.places]
    best = max(signs, default=None)
    return spoken.places[best[2]] if best and best[0] > 0 else None
