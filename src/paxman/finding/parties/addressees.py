"""To whom a page goes, where no heading says so: the name over an address that is not its issuer's."""

from __future__ import annotations

from paxman.finding.claims import Claims
from paxman.finding.parties.addresses import address_blocks
from paxman.finding.parties.letterheads import find_issuers
from paxman.finding.parties.names import may_be_name
from paxman.finding.parties.party_blocks import party_blocks_of
from paxman.finding.parties.pieces import Piece, gap_above, pieces_of
from paxman.lexicon.folding import fold
from paxman.page.names import Page

_HEAD_LINES = 24
_MOST_ABOVE, _FARTHEST, _ALIGNED = 5, 2, 2


def find_addressee(page: Page, claims: Claims) -> tuple[Piece, ...]:
    """The lines over the only address at the head of a page that nobody's heading and not the issuer's name claims."""
    if page.document.kind == "email":
        return ()  # Its own headers say to whom it goes.
    owned = party_blocks_of(page, claims)
    issuers = find_issuers(page, claims, claims.lexicon.issuers, by_sign=False)[:1]
    own = [fold(page.text[slice(*span)]) for issuer in issuers for span in issuer.spans]
    found: dict[str, tuple[Piece, ...]] = {}
    for block in address_blocks(page, _HEAD_LINES) if own else ():
        over = _names_over(page, block.first)
        if over and not any(owned.owners_at(piece.start) or claims.is_label(piece.text) for piece in over):
            name = fold(over[0].text)
            if not any(each in name or name in each for each in own):
                found[name] = over
    return next(iter(found.values())) if len(found) == 1 else ()


def _names_over(page: Page, first: Piece) -> tuple[Piece, ...]:
    """Lines over an address, in its column, that may be a name."""
    over: list[Piece] = []
    for number in range(first.line - 1, max(-1, first.line - 1 - _MOST_ABOVE), -1):
        row = pieces_of(page, page.lines[number])
        piece = next((each for each in row if abs(each.left - first.left) <= _ALIGNED), None)
        if piece is None and min(abs(each.left - first.left) for each in row) > 4 * _ALIGNED:
            continue  # Only another column goes on here.
        if piece is None or gap_above(page, piece, over[0] if over else first) > (0 if over else _FARTHEST):
            break
        if not may_be_name(piece.text):
            break
        over.insert(0, piece)
    return tuple(over)
