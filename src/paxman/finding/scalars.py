"""Scalar fields of a contract on one page, all at once; each field's answer is read off the result."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

from paxman.contract.model import CanonicalContract
from paxman.documents.document import Document
from paxman.finding.assignment import Answer, assign
from paxman.finding.choices import has_boxes
from paxman.finding.claims import Claim, Claims
from paxman.finding.clauses import Clause, clause_ties, clauses_of, unweighed
from paxman.finding.crossings import crossing_ties
from paxman.finding.features import Signs
from paxman.finding.forms_of_address import titled_ties
from paxman.finding.page_dates import page_date_ties, span_end_ties
from paxman.finding.parties.party_ties import party_ties
from paxman.finding.prose import Lead, leads_of, prose_ties, statement_ties
from paxman.finding.signatories import signatory_ties
from paxman.finding.sums.amounts import with_sums
from paxman.finding.sums.page_money import currency_ties
from paxman.finding.ties import Tie, ties_of
from paxman.finding.title_numbers import title_number_ties
from paxman.finding.titles import page_kinds, titles_for
from paxman.finding.unnamed_values import placed_ties
from paxman.finding.wanted import domains_of, trade_of, wanted_of
from paxman.lazy import remembered
from paxman.lexicon.lexicon import Lexicon
from paxman.page.names import Name, Page, page_of
from paxman.page.places import Place
from paxman.recognizers import Conventions, Reading
from paxman.recognizers.base import is_cut
from paxman.types import FieldType

_PARTIES = frozenset({"name", "person", "company", "address", "text"})
_AMOUNTS = frozenset({FieldType.DECIMAL, FieldType.MONEY, FieldType.INTEGER})


@remembered(lambda contract, lexicon, kinds=(), trade="": (contract.memo, id(lexicon), kinds, trade))
def claims_of(contract: CanonicalContract, lexicon: Lexicon, kinds: tuple[str, ...] = (), trade: str = "") -> Claims:
    """The judge of names for a contract, on pages of the kinds that their titles say, and of a trade."""
    domains = domains_of(contract, lexicon, trade)
    return Claims(wanted_of(contract, lexicon, kinds, trade), lexicon, domains)


@remembered(lambda page, contract, lexicon: (page.document.cache, contract.content_hash, id(lexicon)))
def claims_for(page: Page, contract: CanonicalContract, lexicon: Lexicon) -> Claims:
    """The judge of names for a contract on one page; the page's own trade helps where the contract says none."""
    trade = trade_of(page.text, lexicon) if len(domains_of(contract, lexicon)) == 1 else ""
    return claims_of(contract, lexicon, page_kinds(page, contract, lexicon), trade)


@remembered(lambda document, contract, lexicon, how: (document.cache, contract.content_hash, id(lexicon)))
def find_scalars(
    document: Document, contract: CanonicalContract, lexicon: Lexicon, how: Conventions
) -> Mapping[str, Answer]:
    """The answers of all scalar fields by path; worked out once per document and contract."""
    claims, ties = scalar_ties(document, contract, lexicon, how)
    answers = assign(ties)
    return {claims.wanted[field].field.path: answer for field, answer in answers.items()}


def scalar_ties(
    document: Document, contract: CanonicalContract, lexicon: Lexicon, how: Conventions
) -> tuple[Claims, list[Tie]]:
    """The judge of names for a page, and all ties between the page and scalar fields, by every mechanism."""
    page = page_of(document)
    claims = claims_for(page, contract, lexicon)
    leads, clauses = _sentences(contract, claims)
    ties = [
        *unweighed(ties_of(page, claims, how), clauses),
        *title_ties(page, claims),
        *title_number_ties(page, claims, how),
        *prose_ties(page, claims, leads, how),
        *clause_ties(page, claims, clauses, how),
        *statement_ties(page, claims, how),
        *placed_ties(page, claims, how),
        *currency_ties(page, claims, how),
    ]
    kinds = {wanted.kind for wanted in claims.wanted}
    if not kinds.isdisjoint(_PARTIES):
        ties += [*signatory_ties(page, claims), *titled_ties(page, claims), *party_ties(page, claims)]
    if any(wanted.field.type is FieldType.DATE for wanted in claims.wanted):
        ties += page_date_ties(page, claims, how)
        ties += span_end_ties(page, claims, ties, how)
    if any(wanted.field.type in _AMOUNTS for wanted in claims.wanted):
        ties = [*with_sums(page, claims, ties, how), *crossing_ties(page, claims, how)]
    return claims, [tie for tie in ties if not claims.wanted[tie.field].silent and not _is_cut(page, tie)]


def _is_cut(page: Page, tie: Tie) -> bool:
    """Whether a character was lost beside a value, which may be only part of one then."""
    return not page.text.isascii() and is_cut(page.text, tie.reading.start, tie.reading.end)


@remembered(lambda contract, claims: (contract.memo, id(claims)))
def _sentences(contract: CanonicalContract, claims: Claims) -> tuple[tuple[Lead, ...], tuple[Clause, ...]]:
    """What sentences say of the fields of a contract: words that lead to a value, and clauses that are weighed."""
    return leads_of(claims), clauses_of(claims)


def _is_marked(text: str, start: int) -> bool:
    """Whether a sign stands before words, as of a box that is ticked or crossed out, or left open."""
    before = text[max(0, start - 4) : start].rstrip()
    return has_boxes(before) or (bool(before) and unicodedata.category(before[-1]) == "So")


def title_ties(page: Page, claims: Claims) -> Iterator[Tie]:
    """Members of enums that the titles of the page say."""
    for number, wanted in enumerate(claims.wanted):
        if wanted.field.type is not FieldType.ENUM:
            continue
        for title in titles_for(page, wanted.field, claims.lexicon)[:3]:
            if _is_marked(page.text, title.span[0]):
                continue
            transforms = ("enum:" + title.member,)
            reading = Reading(*title.span, title.member, transforms)
            name = Name(title.wording, title.span, page.lines.at(title.span[0]), ())
            score = 0.7 + 0.3 * title.covered - 0.01 * title.rank
            claim = Claim(title.covered, wanted.phrases[0], f"the title says {title.wording!r}")
            signs = Signs((("title", score),), score)
            yield Tie(number, name, Place("section", title.span, title.span), claim, reading, signs)
