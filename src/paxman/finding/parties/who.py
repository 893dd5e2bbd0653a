"""Ties of names and addresses to the parties that a contract asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paxman.finding.claims import Claim, Claims
from paxman.finding.features import Signs
from paxman.finding.parties.addresses import address_blocks
from paxman.finding.parties.letterheads import find_issuers
from paxman.finding.parties.pieces import joined_reading
from paxman.finding.ties import Tie
from paxman.finding.wanted import Asked, Wanted
from paxman.page.names import Name, Page, Place
from paxman.types import FieldType, Span

_NAMES = frozenset({"name", "company"})
_AT_TOP = 0.7
_SURE, _LIKELY = 0.85, 0.5
_ADDRESS_LINES = 18


def party_ties(page: Page, claims: Claims) -> Iterator[Tie]:
    """Names and addresses that belong to who issued a page."""
    for number, wanted in enumerate(claims.wanted):
        if wanted.field.type is not FieldType.STRING:
            continue
        if wanted.kind in _NAMES and wanted.owner in claims.lexicon.issuers:
            yield from _issuer(page, number, wanted, claims)
        elif wanted.kind == "address" and (wanted.owner is None or wanted.owner in claims.lexicon.issuers):
            yield from _issuer_address(page, number, wanted)


def _issuer(page: Page, number: int, wanted: Wanted, claims: Claims) -> Iterator[Tie]:
    by_sign = not claims.lexicon.over_doors.isdisjoint(wanted.field.words.split())
    for issuer in find_issuers(page, claims, by_sign)[:1]:
        yield _tie(page, number, wanted, issuer.spans, issuer.signs, issuer.sure, "it stands at the head of the page")


def _issuer_address(page: Page, number: int, wanted: Wanted) -> Iterator[Tie]:
    for block in address_blocks(page, _ADDRESS_LINES)[:1]:
        yield _tie(page, number, wanted, block.spans, (), block.is_whole, "it is the first address of the page")


def _tie(
    page: Page,
    number: int,
    wanted: Wanted,
    spans: Sequence[Span],
    signs: tuple[tuple[str, float], ...],
    sure: bool,
    reason: str,
) -> Tie:
    reading = joined_reading(page, spans)
    whole = (reading.start, reading.end)
    name = Name("", (whole[0], whole[0]), page.lines.at(whole[0]), ())
    fit = _SURE if sure else _LIKELY
    claim = Claim(fit, Asked((), fit, wanted.field.words, "place"), reason)
    return Tie(number, name, Place("alone", whole, whole), claim, reading, Signs((("place", _AT_TOP), *signs), _AT_TOP))
