"""Values that no name announces: by the shape that an example shows, or by standing at the head of the page."""

from __future__ import annotations

from collections.abc import Iterator

from paxman.finding.claims import Claim, Claims
from paxman.finding.features import Signs
from paxman.finding.shapes import fits
from paxman.finding.ties import Tie
from paxman.finding.wanted import Asked, Wanted, members_of
from paxman.page.names import Name, Page, Place
from paxman.recognizers import Conventions, Reading, find, read_value
from paxman.types import FieldType, Span

_HEAD_LINES = 60
_LETTERHEAD_LINES = 8
_BY_SHAPE, _AT_TOP, _ALONE = 0.72, 0.66, 0.64
_LEAST_LENGTH = 5
_NAMES = frozenset({"name", "company"})
_ADDRESSES = frozenset({"address", "place"})
_MOST_NAMES = 200


def placed_ties(page: Page, claims: Claims, how: Conventions) -> Iterator[Tie]:
    """Ties by shape and place alone, for all scalar fields."""
    for number, wanted in enumerate(claims.wanted):
        if wanted.field.type is FieldType.STRING:
            yield from _by_shape(page, number, wanted)
            if wanted.kind == "place" and wanted.shapes:
                yield from _in_address(page, number, wanted, claims)
            if wanted.kind in _NAMES and wanted.owner in claims.lexicon.issuers:
                yield from _letterhead(page, number, wanted, claims)
        elif wanted.field.type is FieldType.DATE and wanted.is_plain:
            yield from _only_date(page, number, wanted, how)


def _by_shape(page: Page, number: int, wanted: Wanted) -> Iterator[Tie]:
    for pattern in wanted.shapes:
        for line in page.lines.head(_HEAD_LINES):
            match = pattern.search(page.text, line.start, line.end)
            if match and len(match[0]) >= _LEAST_LENGTH:
                yield _tie(page, number, match.span(), _BY_SHAPE, "it is written as the example is", wanted)
                return


def _in_address(page: Page, number: int, wanted: Wanted, claims: Claims) -> Iterator[Tie]:
    """The code of a place at the end of the first address or location that the page names."""
    for name in page.names[:_MOST_NAMES]:
        heads = members_of(claims.lexicon.parse(name.text), "head")
        if not _ADDRESSES.isdisjoint(heads):
            found = [match for pattern in wanted.shapes for match in pattern.finditer(page.text, *_reach(name))]
            if found:
                last = max(found, key=lambda match: match.start())
                yield _tie(page, number, last.span(), _ALONE, f"it stands in {name.text!r}", wanted)
                return


def _reach(name: Name) -> Span:
    return name.places[0].block if name.places else name.span


def _letterhead(page: Page, number: int, wanted: Wanted, claims: Claims) -> Iterator[Tie]:
    """The first line that can be the name of who issued the page, one with a legal form before others."""
    lines = [line for line in page.lines.head(_LETTERHEAD_LINES) if _may_be_issuer(page, line.cells[0], claims)]
    firms = [line for line in lines if find("organization", page.text[slice(*line.cells[0])])]
    for line in (firms or lines)[:1]:
        yield _tie(page, number, line.cells[0], _AT_TOP, "it stands at the head of the page", wanted)


def _may_be_issuer(page: Page, span: Span, claims: Claims) -> bool:
    text = page.text[slice(*span)]
    words = claims.lexicon.parse(text)
    if not 1 <= len(text.split()) <= 8 or ":" in text or fits(text, "name") < 1:
        return False
    if text.endswith(".") and not find("organization", text):
        return False
    return not any(token.word in claims.lexicon.papers for token in words)


def _only_date(page: Page, number: int, wanted: Wanted, how: Conventions) -> Iterator[Tie]:
    """The one date of a page."""
    if len(page.text) > 20_000:
        return
    found = find("date", page.text, how)
    if found and len({reading.value for reading in found}) == 1:
        reading = read_value(page.text[found[0].start : found[0].end], wanted.field, how)
        if reading:
            span = (found[0].start, found[0].end)
            yield _tie(page, number, span, _ALONE, "it is the only date of the page", wanted, reading.shifted(span[0]))


def _tie(
    page: Page, number: int, span: Span, score: float, reason: str, wanted: Wanted, reading: Reading | None = None
) -> Tie:
    reading = reading or Reading(*span, " ".join(page.text[slice(*span)].split()))
    name = Name("", (span[0], span[0]), page.lines.at(span[0]), ())
    claim = Claim(0.5, Asked((), 0.5, wanted.field.words, "place"), reason)
    place = Place("alone", span, span)
    return Tie(number, name, place, claim, reading, Signs((("place", score),), score))
