"""What a field may be answered with on a page: candidates with their signs, for learning and for recall alike."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from paxman.classes import record
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document
from paxman.finding.claims import Claims
from paxman.finding.scalars import claims_for
from paxman.finding.ties import says_nothing
from paxman.finding.titles import titles_for
from paxman.lazy import lazy_pattern, remembered
from paxman.learning.cuts import CUTS
from paxman.learning.locating import item_of, kind_of, locate, read_mention
from paxman.learning.mentions import Mentions, Tied, covers, fold_name, mentions_of
from paxman.learning.ranking import Added, Index
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon, load
from paxman.page.names import Page, page_of
from paxman.recognizers import Conventions, Reading, conventions_of
from paxman.types import FieldType, Span

_MOST = 6000
_MOST_RIVALS, _MOST_ITEMS = 12, 200
NEAR = 300
"""How far below "none of these" the best of the other candidates still says something of a list."""


class AnnotatedPage:
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

    def cut(self, cuts: Collection[str]) -> AnnotatedPage:
        """The same page with texts cut in other ways."""
        return AnnotatedPage(self.document, self.contract, self.how, self.lexicon, cuts)

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

    def scores(self, fields: Sequence[CanonicalField], index: Index) -> list[dict[int, int]]:
        """The best scores of candidates for fields of one kind of value; the others could not matter.

        The signs of a candidate's line and its own are looked at only where they can help.
        """
        mentions, sums = self.mentions(fields[0]), _GroupSums(index)
        found = [_BestScores(field) for field in fields]
        for number in range(self._size(mentions)):
            total = list(index.base)
            sums.add(mentions.near(number), total)
            for tied in mentions.names(number):
                if not tied.rank:
                    sums.add_fits(tied, total, partial(self._add_fits, tied, fields, index))
            if not _may_win(total, index.most_far, found):
                continue
            sums.add(mentions.far(number), total)
            if _may_win(total, index.most_own, found):
                add_to(total, index.add(mentions.own(number)))
                for score, best in zip(total, found, strict=True):
                    if score > best.least:
                        best.take(number, score, mentions.text(number))
        return [best.scores for best in found]

    def member_scores(self, fields: Sequence[CanonicalField], index: Index) -> list[dict[int, int]]:
        """The score of each member of enums."""
        scores = ((index.of(n, each.signs) for each in self.spoken(field)) for n, field in enumerate(fields))
        return [{number: score for number, score in enumerate(each) if score > 0} for each in scores]

    def _add_fits(self, tied: Tied, fields: Sequence[CanonicalField], index: Index) -> Added:
        fits = ((number, index.of(number, self._fits(tied, field))) for number, field in enumerate(fields))
        return tuple((number, weight) for number, weight in fits if weight)

    @remembered(lambda self, field: (self.document.cache, field.path))
    def spoken(self, field: CanonicalField) -> tuple[Spoken, ...]:
        return spoken_members(self.page, field, self.lexicon)

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

    def says_nothing(self, field: CanonicalField, number: int) -> bool:
        """Whether a candidate stands for a value that is not there: "n/a", "no data"."""
        index = self._numbers.get(item_of(field).path if field.type is FieldType.ARRAY else field.path)
        if field.type is FieldType.ENUM or index is None:
            return False
        return says_nothing(self.mentions(field).text(number), self.claims.wanted[index], self.claims)

    def whole_names(self, field: CanonicalField, number: int) -> list[str]:
        """The signs of names at which a candidate is all that stands there."""
        mentions = self.mentions(field)
        return [
            f"{tied.place.relation} at {fold_name(tied.name.text)}"
            for tied in mentions.names(number)
            if not tied.rank and covers(mentions.spans[number], tied.place)
        ]

    def names(self, field: CanonicalField, number: int) -> list[str]:
        """The names that a candidate stands with, the nearest first."""
        if field.type is FieldType.ENUM:
            return []
        ties = [tied for tied in reversed(self.mentions(field).ties[number]) if not tied.rank]
        return [tied.name.text for tied in ties if fold_name(tied.name.text)]


class _GroupSums:
    """Shared groups of signs added up once: they are the same objects, which is cheaper to see than equal words."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._sums: dict[Any, Added] = {}

    def add(self, groups: Sequence[tuple[str, ...]], total: list[int]) -> None:
        for group in groups:
            added = self._sums.get(id(group))
            if added is None:
                added = self._sums[id(group)] = self._index.add(group)
            add_to(total, added)

    def add_fits(self, tied: Tied, total: list[int], judge: Callable[[], Added]) -> None:
        key = (tied.name.text, tied.name.section)
        if key not in self._sums:
            self._sums[key] = judge()
        add_to(total, self._sums[key])


def add_to(total: list[int], added: Added) -> None:
    for field, weight in added:
        total[field] += weight


def _may_win(total: Sequence[int], most: Sequence[float], found: Sequence[_BestScores]) -> bool:
    return any(score + more > best.least for score, more, best in zip(total, most, found, strict=True))


class _BestScores:
    """The candidates of a field with the best scores: of as many different texts as can be of use."""

    def __init__(self, field: CanonicalField) -> None:
        self.least, self._most = (-NEAR, _MOST_ITEMS) if field.type is FieldType.ARRAY else (0, _MOST_RIVALS)
        self.scores: dict[int, int] = {}
        self._texts: dict[str, int] = {}

    def take(self, number: int, score: int, text: str) -> None:
        self.scores[number] = score
        self._texts[text] = max(score, self._texts.get(text, score))
        if len(self._texts) > 2 * self._most:
            kept = sorted(self._texts.items(), key=lambda each: -each[1])[: self._most]
            self._texts, self.least = dict(kept), kept[-1][1] - 1


def _telling(spoken: Spoken, weights: Mapping[str, int]) -> Span | None:
    signs = [(weights.get(sign, 0), len(sign), sign) for sign in spoken.places]
    best = max(signs, default=None)
    return spoken.places[best[2]] if best and best[0] > 0 else None


_WORD = lazy_pattern(r"[^\W_]+(?:['’][^\W\d_]{1,2}(?![^\W_]))?")
_MOST_TITLES, _MOST_WORDS = 12, 3


@record
class Spoken:
    """A member of an enum as one that the page may mean: its signs, and where the words of each stand."""

    member: str
    signs: tuple[str, ...]
    places: dict[str, Span]


@remembered(lambda page: (page.document.cache,))
def wordings_of(page: Page) -> dict[str, Span]:
    """Runs of up to three words in the titles of a page, each where it first stands."""
    found: dict[str, Span] = {}
    for words, span in _runs(page):
        found.setdefault(words, span)
    return found


def _runs(page: Page) -> Iterator[tuple[str, Span]]:
    for start, end in page.titles[:_MOST_TITLES]:
        words = [(match.span(), " ".join(fold_words(match[0]))) for match in _WORD.finditer(page.text, start, end)]
        for at in range(len(words)):
            for last in range(at, min(len(words), at + _MOST_WORDS)):
                span = (words[at][0][0], words[last][0][1])
                yield " ".join(word for _, word in words[at : last + 1]), span


def spoken_members(page: Page, field: CanonicalField, lexicon: Lexicon) -> tuple[Spoken, ...]:
    """Every member of an enum with the words of the page that may mean it."""
    titles: dict[str, tuple[str, Span]] = {}
    for number, title in enumerate(titles_for(page, field, lexicon)):
        sign = f"title {'whole' if title.covered == 1 else 'part'} {min(number, 2)}"
        titles.setdefault(title.member, (sign, title.span))
    wordings = wordings_of(page)
    found = []
    for member in (each for each in field.enum_values if isinstance(each, str)):
        places = {f"{member}: {words}": span for words, span in wordings.items()}
        said = wordings.get(" ".join(fold_words(member)))
        if said:
            places["said"] = said
        if member in titles:
            places[titles[member][0]] = titles[member][1]
        found.append(Spoken(member, (f"{member}:", *places), places))
    return tuple(found)
