"""The currency that a page reckons in, for fields that ask for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from paxman.finding.claims import Claims
from paxman.finding.parties.addresses import address_blocks
from paxman.finding.ties import Find, find_at
from paxman.finding.wanted import Wanted, members_of
from paxman.lazy import lazy_pattern
from paxman.page.names import Page
from paxman.recognizers import Conventions, Reading, find
from paxman.recognizers.base import read_any
from paxman.recognizers.conventions import american_places, names_other_dollar
from paxman.types import FieldType

_SAMPLE = 60_000
_MOST_PLACES = 3
_WORD = 4
_HEAD_LINES = 12
_PLACES = frozenset({"place", "address"})
_PLAIN, _ASSUMED = 0.9, 0.7
_TYPES = frozenset({FieldType.STRING, FieldType.ENUM})
_BEFORE = lazy_pattern(r"(?:\d[.,-]{0,2} ?|\(|\b\w{1,2} )\Z")
_AFTER = lazy_pattern(r"[ \t.:]{0,60}[-+]?\d")


def currency_finds(page: Page, claims: Claims, how: Conventions) -> Iterator[Find]:
    """The currency that is named most often; another one named half as often is a rival."""
    for number, wanted in enumerate(claims.wanted):
        if wanted.field.type in _TYPES and _asks_currency(wanted):
            ranked = _ranked(page, how)
            for rank, readings in enumerate(ranked):
                for reading in readings[:_MOST_PLACES]:
                    yield _find(page, number, reading, rank, how)
            if not ranked and not _PLACES.isdisjoint(members_of(claims.lexicon.parse(wanted.described.text), "head")):
                yield from _local(page, number, how)


def _local(page: Page, number: int, how: Conventions) -> Iterator[Find]:
    """The currency where the first address of a page is, for a field whose description speaks of places."""
    for block in address_blocks(page, _HEAD_LINES)[:1]:
        start, end = block.spans[0][0], page.line_end(block.spans[-1][1])
        text = page.text[start:end]
        found = [(place.start, place.end) for place in find("country", text, how)] or [*american_places(text)]
        reading = read_any(text, *found[-1], [("local_currency",)], "") if found else None
        if reading:
            reading = reading.shifted(start)
            span, reason = (reading.start, reading.end), "the address is where it is paid in"
            yield find_at(number, span, reading, _ASSUMED, "", reason, {"currency of the place": 1.0})


def _asks_currency(wanted: Wanted) -> bool:
    named = wanted.term is not None and wanted.term.name == "currency"
    return named or "currency" in wanted.field.semantic_tags or wanted.field.constraint("iso_4217") is not None


def _ranked(page: Page, how: Conventions) -> list[list[Reading]]:
    """Where currencies are named, by currency, those that are named most first."""
    text = page.text[:_SAMPLE]
    readings = [reading for reading in find("currency", text, how) if _is_meant(text, reading)]
    if len({reading.value for reading in readings}) > 1:  # A street may be called like a currency.
        readings = [r for r in readings if r.end - r.start < _WORD or not text[r.start : r.end].istitle()] or readings
    counts = Counter(reading.value for reading in readings)
    most = max(counts.values(), default=0)
    kept = sorted((value for value in counts if 2 * counts[value] > most), key=lambda code: (-counts[code], code))
    return [[reading for reading in readings if reading.value == value] for value in kept]


def _is_meant(text: str, reading: Reading) -> bool:
    """Whether a word means a currency: "franco" and "peso" do beside a figure, in brackets or behind a small word."""
    word = text[reading.start : reading.end]
    if not word.isalpha() or word.isupper() or word[-1].isupper():
        return True
    before = _BEFORE.search(text, max(0, reading.start - 24), reading.start)
    return before is not None or _AFTER.match(text, reading.end) is not None


def _find(page: Page, number: int, reading: Reading, rank: int, how: Conventions) -> Find:
    span = (reading.start, reading.end)
    bare = page.text[slice(*span)] == "$"
    unsure = bare and (how.dollar_assumed or (not how.region and names_other_dollar(page.text[:_SAMPLE])))
    fit = _ASSUMED if unsure or how.sign_assumed else _PLAIN
    signs = {"currency of the page": 1.0, "rank": rank}
    return find_at(number, span, reading, fit, "", "the page reckons in it", signs)
