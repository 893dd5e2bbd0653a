"""Who issued a page, by the signs at its head, and to whom it goes where no heading says so."""

from __future__ import annotations

from collections.abc import Sequence

from paxman.classes import record
from paxman.finding.claims import Claims
from paxman.finding.features import Signs, weighed, weights
from paxman.finding.parties import line_shapes as shapes
from paxman.finding.parties.addresses import address_blocks
from paxman.finding.parties.names import company_spans, ends_line, is_company, may_be_name, plain_spans
from paxman.finding.parties.party_blocks import party_blocks_of
from paxman.finding.parties.pieces import Piece, gap_above, pieces_of
from paxman.lexicon.folding import fold, fold_words
from paxman.page.names import Page
from paxman.recognizers.places import is_country
from paxman.types import Span

_HEAD = 14
"""Lines at the top among which the issuer's name stands."""
_MOST_FIRST = 2


@record
class Issuer:
    """A name at the head of a page: its stretches, the signs for it, and whether they leave no doubt."""

    spans: tuple[Span, ...]
    signs: Signs
    sure: bool


def head_pieces(page: Page) -> tuple[Piece, ...]:
    """The pieces at the head of a page, up to the first price."""
    found: list[Piece] = []
    for line in page.lines.head(_HEAD):
        text = page.text[line.start : line.end]
        if line.number > _MOST_FIRST and shapes.has_price(text):
            break
        found += pieces_of(page, line)
    return tuple(found)


def find_issuers(page: Page, claims: Claims, owners: frozenset[str], by_sign: bool) -> list[Issuer]:
    """Names at the head of a page, the likeliest first; `by_sign` asks for the one over the door."""
    pieces, owned = head_pieces(page), party_blocks_of(page, claims)
    names = [at for at in range(len(pieces)) if _may_issue(pieces, at, claims)]
    names = [at for at in names if not owned.is_of_other(pieces[at].span, owners)]
    if not names or not _is_of_business(page, pieces):
        return []
    found = []
    for rank, at in enumerate(names):
        signs = _signs(pieces, at, rank, by_sign)
        named = is_company(pieces[at].text)
        sure = named and rank == 0 and (not by_sign or len(names) == 1) and ends_line(pieces[at].text)
        spans = company_spans(pieces, at) if named else plain_spans(pieces, at)
        found.append(Issuer(spans, signs, sure))
    return sorted(found, key=lambda issuer: -issuer.signs.score)


def _may_issue(pieces: Sequence[Piece], at: int, claims: Claims) -> bool:
    text = pieces[at].text
    if shapes.leads_to_other(text) or not may_be_name(text):
        return False
    if not is_company(text) and (is_country(text) or not claims.lexicon.papers.isdisjoint(fold_words(text))):
        return False
    return at == 0 or not claims.is_label(text.rstrip(" :"))


def _is_of_business(page: Page, pieces: Sequence[Piece]) -> bool:
    """Whether a page holds figures, or an address, contact or registration at its top: notes have no issuer."""
    figures = sum(any(map(str.isdigit, page.text[line.start : line.end])) for line in page.lines.head(60))
    return figures >= 3 or any(_tells(piece.text) or shapes.is_street(piece.text) for piece in pieces)


def _tells(text: str) -> bool:
    return shapes.is_contact(text) or shapes.is_registration(text)


def _signs(pieces: Sequence[Piece], at: int, rank: int, by_sign: bool) -> Signs:
    text = pieces[at].text
    company = is_company(text)
    values = {
        "first": float(rank == 0),
        "order": float(rank),
        "legal form": float(company and not by_sign),
        "may be a person": float(not company and " " in text and text.replace(" ", "").isalpha()),
        "below a letterhead": float(_is_below(pieces[:at])),
    }
    return weighed(values.items(), weights())


def _is_below(above: Sequence[Piece]) -> bool:
    """Whether an address or a company's number stands above, and then a title or a day: a letterhead has ended."""
    texts = iter([piece.text for piece in above])
    own = any(shapes.is_street(text) or shapes.is_registration(text) for text in texts)
    return own and any(shapes.is_title(text) or shapes.is_moment(text) for text in texts)


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
