"""Ties of names and addresses to the parties that a contract asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs

from paxman.finding.claims import Claims
from paxman.finding.parties import line_shapes as shapes
from paxman.finding.parties.addresses import AddressBlock, address_blocks
from paxman.finding.parties.letterheads import find_issuers
from paxman.finding.parties.names import company_spans, has_number, is_broken, is_company, is_rest, may_be_name
from paxman.finding.parties.party_blocks import OwnedBlock, OwnedRow, party_blocks_of
from paxman.finding.parties.pieces import Piece, gap_above, joined_reading, pieces_of, rows_below
from paxman.finding.ties import Find, document_types, find_at
from paxman.finding.wanted import Wanted
from paxman.lexicon.folding import fold
from paxman.page.names import Page
from paxman.page.places import Place
from paxman.recognizers.tables import match_lead
from paxman.types import FieldType, Span

_NAMES = frozenset({"name", "company", "person"})
_RECIPIENT = frozenset({"recipient"})
_SURE, _LIKELY = 0.9, 0.5
_ADDRESS_LINES = 18
_LABEL_WIDTH = 30
_NAME_LABEL = r"(?:{name_label})\s*:?\s*\Z"
_TITLED = r"(?:{person_title})\s*\Z"
_TITLE = r"(?:{salutation}|{person_title})\s*:?\s*\Z"


def party_finds(page: Page, claims: Claims) -> Iterator[Find]:
    """Names and addresses that belong to who issued a page, or to whom a heading names."""
    asked = (w.owner for w in claims.wanted if w.field.type is FieldType.STRING and w.kind in _NAMES)
    rivals = frozenset(filter(None, asked)) & claims.lexicon.issuers
    for number, wanted in enumerate(claims.wanted):
        if wanted.field.type is not FieldType.STRING:
            continue
        owners = claims.lexicon.owners_of(wanted.owner_tokens)
        if wanted.kind in _NAMES and _asks_party(wanted):
            yield from _names(page, number, wanted, claims, frozenset(owners), len(rivals) > 1)
        elif wanted.kind == "address":
            yield from _addresses(page, number, wanted, claims, frozenset(owners))


def _asks_party(wanted: Wanted) -> bool:
    """Whether a field asks for a party and nothing else of it: "supplier name", not "supplier rating"."""
    own = (asked.tokens for asked in wanted.phrases if asked.source == "name")
    return wanted.term is not None or any(all(token.concept for token in tokens) for tokens in own)


def _names(
    page: Page, number: int, wanted: Wanted, claims: Claims, owners: frozenset[str], is_open: bool
) -> Iterator[Find]:
    blocks = [block for block in party_blocks_of(page, claims).blocks if claims.lexicon.agree(block.owners, owners)]
    if _is_order(page, claims):
        blocks = [block for block in blocks if not block.owners.isdisjoint(owners)]  # It goes to the seller.
    found = [(block, spans) for block in blocks if (spans := _named(block.rows))]
    # Words stand for a name that is not there: "TBD", "see below".
    found = [
        (block, spans)
        for block, spans in found
        if not claims.lexicon.says_nothing(fold(page.text[slice(*spans[0])]).strip(" .:*"))
    ]
    found = [(block, spans) for block, spans in found if not _heads_table(page, spans[0])]
    for later, (block, spans) in enumerate(found[:2]):
        last = page.text[slice(*spans[-1])]
        # One line names several parties: "Seller: Alder Ltd, Buyer: Birch Ltd".
        sure = (block.is_plain or is_company(last)) and not has_number(last) and not (block.heading.text.count(":") > 1)
        sure = sure and not _has_rival(page, block, spans[-1], claims)
        reason = f"it stands below {block.heading.text!r}"
        yield _find(page, number, wanted, spans, {"block of a party": 1.0, "later block": later}, sure, reason)
    if not found and claims.lexicon.agree(owners, _RECIPIENT) and not _is_order(page, claims):
        over = find_addressee(page, claims)
        spans = _named([OwnedRow("", piece) for piece in over])
        if spans:
            yield _find(page, number, wanted, spans, {"over an address": 1.0}, False, "it stands over an address")
    if not is_open and not owners.isdisjoint(claims.lexicon.issuers):
        by_sign = not claims.lexicon.shop_name_words.isdisjoint(wanted.field.words.split())
        for issuer in find_issuers(page, claims, owners, by_sign)[:1]:
            if _heads_table(page, issuer.spans[0]):
                continue
            sure = issuer.sure and not _is_buyers(page, wanted, claims)
            signs = {"head of the page": 1.0}
            yield _find(page, number, wanted, issuer.spans, signs, sure, "it stands at the head of the page")


def _heads_table(page: Page, span: Span) -> bool:
    """Whether a place is in the head of a table of the format itself: "Field | Value"."""
    row = page.lines[page.lines.at(span[0])].row
    return row is not None and row.head and row.rows > 1


def _has_rival(page: Page, block: OwnedBlock, span: Span, claims: Claims) -> bool:
    """Whether another name follows at once, or stands below a heading without a colon that has one beside it."""
    others = [row.piece.text for row in block.rows[1:2] if row.piece.start > span[1]]
    if any(map(is_company, others)) and is_company(page.text[slice(*span)]):
        return True
    if ":" in block.heading.text or page.lines.at(span[0]) != block.heading.line:
        return False
    below = [piece.text for piece in rows_below(page, block.heading, 1)]
    return any(":" not in text and may_be_name(text) and not claims.is_label(text) for text in below)


def _named(rows: Sequence[OwnedRow]) -> tuple[Span, ...]:
    """The name in the lines of a party: behind a label for names, or else the first."""
    for row in rows:
        if row.label and match_lead(_NAME_LABEL, row.label) and may_be_name(row.piece.text):
            return (row.piece.span,)
    pieces = [row.piece for row in rows if not row.label]
    for at, piece in enumerate(pieces[:4]):
        below = pieces[at + 1].text if at + 1 < len(pieces) else ""
        if match_lead(_TITLE, piece.text) and below:
            continue
        if shapes.is_street(piece.text) or shapes.is_attention(piece.text) or not may_be_name(piece.text):
            if shapes.is_registration(piece.text) or shapes.is_attention(piece.text):
                continue
            return ()
        titled = at > 0 and match_lead(_TITLED, pieces[at - 1].text)
        if titled:
            return pieces[at - 1].span, piece.span
        if is_company(piece.text):
            return company_spans(pieces[at:], 0)
        if below and is_company(below) and is_broken(piece.text, below):
            return company_spans(pieces[at:], 1)
        return (piece.span, pieces[at + 1].span) if below and is_rest(below) else (piece.span,)
    return ()


def _addresses(page: Page, number: int, wanted: Wanted, claims: Claims, owners: frozenset[str]) -> Iterator[Find]:
    owned = party_blocks_of(page, claims)
    blocks = address_blocks(page, _ADDRESS_LINES)
    if owners.isdisjoint(claims.lexicon.issuers) and owners:
        return
    free = [block for block in blocks if not owned.is_of_other(block.first.span, owners)]
    for block in free[:1]:
        only = block.is_whole and not any(other.is_whole for other in free[1:])
        sure = only and not _is_labelled(page, block) and not _is_buyers(page, wanted, claims)
        signs = {"first address": 1.0}
        yield _find(page, number, wanted, block.spans, signs, sure, "it is the first address of the page")


def _is_labelled(page: Page, block: AddressBlock) -> bool:
    """Whether a label, known or not, stands before the line over an address: "Guest:   Jane Roe"."""
    line = page.lines[max(0, block.first.line - 1)]
    return any(
        piece.text.endswith(":") and piece.right <= block.first.left and block.first.left - piece.left < _LABEL_WIDTH
        for piece in pieces_of(page, line)
    )


def _is_buyers(page: Page, wanted: Wanted, claims: Claims) -> bool:
    """Whether a page that names its issuer is an order, which a buyer issues and not the seller."""
    return wanted.owner == "seller" and _is_order(page, claims)


def _is_order(page: Page, claims: Claims) -> bool:
    matters = document_types(page, claims.lexicon)
    return "order" in matters and "invoice" not in matters


def _find(
    page: Page,
    number: int,
    wanted: Wanted,
    spans: Sequence[Span],
    signs: Mapping[str, float],
    sure: bool,
    reason: str,
) -> Find:
    reading = joined_reading(page, spans)
    whole = (reading.start, reading.end)
    found = find_at(number, whole, reading, _SURE if sure else _LIKELY, wanted.field.words, reason, signs)
    return attrs.evolve(found, place=Place("section", whole, whole)) if "block of a party" in signs else found


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
