"""Who issued a page: the name at its head that most signs speak for."""

from __future__ import annotations

from collections.abc import Sequence

from paxman.classes import record
from paxman.finding.claims import Claims
from paxman.finding.features import Signs, weighed, weights
from paxman.finding.parties import line_shapes as shapes
from paxman.finding.parties.names import company_spans, ends_line, is_company, may_be_name, plain_spans
from paxman.finding.parties.party_blocks import party_blocks_of
from paxman.finding.parties.pieces import Piece, pieces_of, rows_below
from paxman.lazy import lazy_pattern
from paxman.lexicon.folding import fold_words
from paxman.page.names import Page
from paxman.recognizers.places import is_country
from paxman.recognizers.tables import match_lead
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


def head_pieces(page: Page, claims: Claims) -> tuple[Piece, ...]:
    """The pieces at the head of a page, up to the first price or the heads of a table."""
    found: list[Piece] = []
    for line in page.lines.head(_HEAD):
        row = pieces_of(page, line)
        text = page.text[line.start : line.end]
        if (line.number > _MOST_FIRST and shapes.has_price(text)) or _heads_table(row, claims):
            break
        found += row
    return tuple(found)


def _heads_table(row: Sequence[Piece], claims: Claims) -> bool:
    """Whether two pieces of a line are usual heads of columns."""
    if len(row) < 2:
        return False
    heads = claims.lexicon.by_head
    return sum(tuple(piece.text.casefold().split()) in heads for piece in row) > 1


def find_issuers(page: Page, claims: Claims, owners: frozenset[str], by_sign: bool) -> list[Issuer]:
    """Names at the head of a page, the likeliest first; `by_sign` asks for the one over the door."""
    pieces, owned = head_pieces(page, claims), party_blocks_of(page, claims)
    names = [at for at in range(len(pieces)) if _may_issue(page, pieces, at, claims)]
    names = [at for at in names if not owned.is_of_other(pieces[at].span, owners)]
    if not names or not _is_of_business(page, pieces):
        return []
    found = []
    rivals = any(_is_rival(page, pieces[names[0] : at + 1]) for at in names[1:])
    for rank, at in enumerate(names):
        text = pieces[at].text
        trade, company = shapes.names_trade(text), is_company(text)
        # An address or a company's number stands above, and then a title or a day: a letterhead has ended.
        above = pieces[:at]
        texts = iter([piece.text for piece in above])
        own = any(shapes.is_street(text) or shapes.is_registration(text) for text in texts)
        values = {
            "first": float(rank == 0),
            "order": float(rank),
            "legal form": float(company and not by_sign),
            "trade": float(trade and not by_sign),
            "may be a person": float(not trade and not company and " " in text and text.replace(" ", "").isalpha()),
            "below a letterhead": float(own and any(shapes.is_title(text) or shapes.is_moment(text) for text in texts)),
        }
        signs = weighed(values.items(), weights())
        named = is_company(pieces[at].text)
        labelled = _COLON.search(page.text[page.lines[pieces[at].line].start : pieces[at].end])  # maybe somebody else's
        only = rank == 0 and not rivals and not labelled
        sure = named and only and (not by_sign or len(names) == 1) and ends_line(pieces[at].text)
        spans = company_spans(pieces, at) if named else plain_spans(pieces, at)
        found.append(Issuer(spans, signs, sure))
    return sorted(found, key=lambda issuer: -issuer.signs.score)


def _is_rival(page: Page, pieces: Sequence[Piece]) -> bool:
    """Whether the last piece names a party, too, with its street or phone, and none of the first stand between."""
    first, between, last = pieces[0], pieces[1:-1], pieces[-1]
    if any(_tells(piece.text) for piece in pieces[:-1]):
        return False
    apart = first.line == last.line or any(shapes.is_title(piece.text) for piece in between)
    if not apart and not is_company(last.text):
        return False
    return any(shapes.is_street(below.text) or _tells(below.text) for below in rows_below(page, last, _MOST_FIRST))


def _may_issue(page: Page, pieces: Sequence[Piece], at: int, claims: Claims) -> bool:
    text = pieces[at].text
    if shapes.leads_to_other(text) or _is_addressed(page, pieces, at) or not may_be_name(text):
        return False
    if not is_company(text) and (is_country(text) or not claims.lexicon.papers.isdisjoint(fold_words(text))):
        return False
    return at == 0 or not claims.is_label(text.rstrip(" :"))


_COLON = lazy_pattern("[:：]")
_RECIPIENT = r"(?:{recipient}|{other_person})(?:[ -]names?)?\s?(?:[:：]|\Z)"
_OVER = r"(?:{recipient}|{other_person}|{addressed}|{salutation})(?:[ -]names?)?\s*[:：]?\s*\Z"
_COUPLE = r"(?:{couple}|{person_title})(?:\s|\Z)(?!.*\bGbR\b)"


def _is_addressed(page: Page, pieces: Sequence[Piece], at: int) -> bool:
    """Whether words before, over or within a name say that a page goes to it."""
    text = pieces[at].text
    if match_lead(_RECIPIENT, text) or (match_lead(_COUPLE, text) and not shapes.legal_end(text)):
        return True
    before = pieces[at - 1].text if at else ""
    return bool(before) and match_lead(_OVER, before) is not None


def _is_of_business(page: Page, pieces: Sequence[Piece]) -> bool:
    """Whether a page holds figures, or an address, contact or registration at its top: notes have no issuer."""
    figures = sum(any(map(str.isdigit, page.text[line.start : line.end])) for line in page.lines.head(60))
    return figures >= 3 or any(_tells(piece.text) or shapes.is_street(piece.text) for piece in pieces)


def _tells(text: str) -> bool:
    return shapes.is_contact(text) or shapes.is_registration(text)
