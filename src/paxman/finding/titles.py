"""What kind of page it is: members of enums that its titles say. They answer enum fields and settle conditions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from paxman.classes import record
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.finding.choices import has_boxes
from paxman.lazy import lazy_pattern, remembered
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon
from paxman.page.names import Page
from paxman.types import FieldType, Span

_PARTS = lazy_pattern(r"\s*/\s*")
_WORD = lazy_pattern(r"[^\W_]+")
_SHORTEST_ALONE = 3
_ENOUGH = 0.6
_LONGEST_TITLE, _FIRST_WORDS, _FIRST_TITLES = 14, 4, 6
_NO_ANSWER = frozenset({"other", "unknown", "none", "null", "other agreement"})


@record
class Title:
    """A member of an enum that a title says: where, how much of the member it has, and how weighty the title is."""

    member: str
    span: Span
    covered: float
    rank: int
    wording: str


def titles_for(page: Page, field: CanonicalField, lexicon: Lexicon) -> tuple[Title, ...]:
    """Members of an enum in the titles of a page, the surest first."""
    found = [
        title
        for rank, span in enumerate(page.titles)
        if not has_boxes(page.text[slice(*span)]) and (words := _words(page.text, span))
        for member in field.enum_values
        if isinstance(member, str) and member.casefold() not in _NO_ANSWER
        for title in _in_title(words, span, rank, member, lexicon)
    ] or list(_of_another_kind(page, field))
    found.sort(key=lambda title: (-title.covered, title.rank, -len(title.wording), title.member))
    return tuple(found)


def _of_another_kind(page: Page, field: CanonicalField) -> Iterator[Title]:
    """The member for all others, where a title has the noun that members share and none of them: "Pledge Agreement"."""
    texts = [member for member in field.enum_values if isinstance(member, str)]
    rest = next((member for member in texts if member.casefold() in _NO_ANSWER), None)
    last = Counter(words[-1] for words in map(fold_words, texts) if len(words) > 1)
    nouns = {word for word, count in last.items() if count > 2}
    for rank, span in enumerate(page.titles[:_FIRST_TITLES] if rest and nouns else ()):
        words = fold_words(page.text[slice(*span)])
        if rest and 1 < len(words) <= _LONGEST_TITLE and nouns & set(words):
            yield Title(rest, span, 0.5, rank, page.text[slice(*span)])


def page_kinds(page: Page, contract: CanonicalContract, lexicon: Lexicon) -> tuple[str, ...]:
    """What the titles say of the page in the words of the contract's own enums, one member a field."""
    kinds = []
    for field in contract.leaves:
        if field.type is FieldType.ENUM and len(field.enum_values) > 1:
            found = titles_for(page, field, lexicon)
            if found and found[0].member.casefold() not in _NO_ANSWER:
                kinds.append(found[0].member)
    return tuple(kinds)


@remembered(lambda page, lexicon: (page.document.cache, id(lexicon)))
def paper_matters(page: Page, lexicon: Lexicon) -> frozenset[str]:
    """Which papers the titles of a page name: an order, a statement."""
    tokens = (token for span in page.titles for token in lexicon.parse(page.text[slice(*span)]))
    named = (token.concept for token in tokens if token.concept and token.concept.group == "matter")
    return frozenset(member for concept in named for member in concept.members)


def _words(text: str, span: Span) -> list[tuple[Span, str]]:
    """The folded words of a title, each with where it stands."""
    return [(match.span(), word) for match in _WORD.finditer(text, *span) for word in fold_words(match[0])]


def _in_title(flat: list[tuple[Span, str]], span: Span, rank: int, member: str, lexicon: Lexicon) -> Iterator[Title]:
    own = _wordings(member)
    said = {word for _, word in flat}
    for wording in (*own, *lexicon.same_titles(member)):
        wanted = fold_words(wording)
        if said.isdisjoint(wanted):
            continue
        hit = _whole(flat, wanted)
        if hit and _may_stand_alone(flat, hit, wanted) and (len(flat) <= _LONGEST_TITLE or hit[0] <= _FIRST_WORDS):
            yield Title(member, (flat[hit[0]][0][0], flat[hit[1]][0][1]), 1.0, rank, wording)
            return
        if wording not in own:
            continue  # Another title of its kind counts as a whole only.
        telling = tuple(word for word in wanted if word not in lexicon.stops)
        share = _share(said, telling)
        if share >= _ENOUGH and len(telling) > 1 and len(flat) <= _LONGEST_TITLE:
            yield Title(member, span, share * 0.99, rank, wording)
            return


def _wordings(member: str) -> Sequence[str]:
    """A member, and each side of a slash where both are words: "Umbrella/Excess"."""
    parts = [part for part in _PARTS.split(member) if len(part) > 3] if "/" in member else []
    return (member, *parts) if len(parts) > 1 else (member,)


def _whole(words: Sequence[tuple[Span, str]], wanted: tuple[str, ...]) -> tuple[int, int] | None:
    plain = [word for _, word in words]
    for at in range(len(plain) - len(wanted) + 1):
        if tuple(plain[at : at + len(wanted)]) == wanted:
            return at, at + len(wanted) - 1
    return None


def _may_stand_alone(words: Sequence[tuple[Span, str]], hit: tuple[int, int], wanted: tuple[str, ...]) -> bool:
    """A bare figure is a member only behind a word that leads to it, right at the start of a title: "FORM 4"."""
    if sum(map(len, wanted)) >= _SHORTEST_ALONE:
        return True
    return 0 < hit[0] <= 2 and len(words) <= hit[1] + 3 and not words[hit[0] - 1][1].isdigit()


def _share(said: set[str], wanted: tuple[str, ...]) -> float:
    weights = {word: 2 if any(map(str.isdigit, word)) else 1 for word in wanted}
    return sum(weight for word, weight in weights.items() if word in said) / max(1, sum(weights.values()))
