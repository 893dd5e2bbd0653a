"""Rows of an array in several documents that came together: one list that goes on, or rivals."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import attrs

from paxman.capabilities.base import Candidate, CapabilityContext, CapabilityResult
from paxman.documents.document import Document
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import load
from paxman.types import Diagnostic, Severity

_POSITION = "tables/position"
_PAGE = re.compile(r"(?m)([^\W\d_]{0,20}) ?\b(\d{1,3}) ?(/|[^\W\d_]{1,5}) ?(\d{1,3})[ \t\r]{0,3}$")
"""A page and how many there are, at the end of a line."""


def each_by_itself(context: CapabilityContext, found: Sequence[CapabilityResult]) -> CapabilityResult | None:
    """The rows that several documents have, as rivals where these differ; None where one list goes on in them."""
    candidates = [each for result in found for each in result.candidates if each.value]
    if len(candidates) < 2:
        return None
    widest = max(map(_width, candidates))
    wide = [each for each in candidates if _width(each) * 2 > widest]
    lists = list({repr(each.value): each for each in reversed(wide)}.values())[::-1]
    notes = dict.fromkeys(each for result in found for each in result.diagnostics)
    if len(lists) == 1:
        return CapabilityResult((lists[0],), diagnostics=tuple(notes))
    if _are_numbered(context.read().views) or _counts_on(context, lists):
        return None
    message = f"{len(lists)} of the documents have rows of their own, which are not one list; read them one by one"
    note = Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, context.field.path)
    return CapabilityResult(tuple(map(by_place, lists)), diagnostics=(note, *notes))


def _width(candidate: Candidate) -> int:
    """How many columns rows have; a list of half as many is of something else, such as prices beside an order."""
    return len({name for row in candidate.value if isinstance(row, Mapping) for name in row}) or 1


def by_place(candidate: Candidate) -> Candidate:
    """A candidate that only the place ties to the field rather than a rival."""
    refs = tuple(attrs.evolve(ref, basis="place") for ref in candidate.evidence_refs)
    return attrs.evolve(candidate, evidence_refs=refs)


def _are_numbered(views: Sequence[Document]) -> bool:
    """Whether the documents say that they are the pages of one, "Page 1 of 2" and "Page 2 of 2"."""
    marks = [_page_marks(view, len(views)) for view in views]
    return any(all(found.get(word) == {page} for page, found in enumerate(marks, 1)) for word in marks[0])


def _page_marks(view: Document, count: int) -> dict[tuple[str, str], set[int]]:
    """The pages that a document of so many says it has, by the words around their numbers."""
    marks: dict[tuple[str, str], set[int]] = {}
    for match in _PAGE.finditer(view.text):
        if int(match[4]) == count:
            marks.setdefault((match[1], match[3]), set()).add(int(match[2]))
    return marks


def _counts_on(context: CapabilityContext, lists: Sequence[Candidate]) -> bool:
    """Whether a column of positions counts from the first row of the first list to the last of the last."""
    heads = load().by_head
    rows = [row for each in lists for row in each.value if isinstance(row, Mapping)]
    numbers = [str(place) for place in range(1, len(rows) + 1)]
    names = [each.name for each in context.field.columns if _POSITION in heads.get(fold_words(each.words), ())]
    return any([str(row.get(name)) for row in rows] == numbers for name in names)
