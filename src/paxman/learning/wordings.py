"""Words in the titles of a page, which may stand for a member of an enum."""

from __future__ import annotations

from collections.abc import Iterator

from paxman.classes import record
from paxman.contract.model import CanonicalField
from paxman.finding.titles import titles_for
from paxman.lazy import lazy_pattern, remembered
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon
from paxman.page.names import Page
from paxman.types import Span

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
