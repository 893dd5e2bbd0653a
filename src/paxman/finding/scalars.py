"""Scalar fields of a contract on one page, all at once; each field's answer is read off the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from paxman.contract.model import CanonicalContract
from paxman.documents.document import Document
from paxman.finding.assignment import Answer, assign
from paxman.finding.captions import caption_finds, crossing_finds
from paxman.finding.claims import Claim, Claims
from paxman.finding.clauses import Clause, clause_finds, clauses_of, without_clause_rivals
from paxman.finding.page_dates import page_date_finds, span_end_finds
from paxman.finding.parties.party_ties import party_finds
from paxman.finding.prose import Lead, lead_finds, leads_of, rate_finds, statement_finds
from paxman.finding.signatories import signatory_finds
from paxman.finding.sums.amounts import with_sums
from paxman.finding.ties import Find, Tie, named_finds, ties_of
from paxman.finding.titles import page_kinds, title_number_finds, titles_for
from paxman.finding.unnamed_values import currency_finds, honorific_finds, unnamed_finds
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
    finds = [
        *without_clause_rivals(named_finds(page, claims), clauses),
        *caption_finds(page, claims),
        *title_finds(page, claims),
        *title_number_finds(page, claims, how),
        *lead_finds(page, claims, leads, how),
        *clause_finds(page, claims, clauses, how),
        *rate_finds(page, claims, how),
        *statement_finds(page, claims, how),
        *unnamed_finds(page, claims, how),
        *currency_finds(page, claims, how),
    ]
    kinds = {wanted.kind for wanted in claims.wanted}
    types = {wanted.field.type for wanted in claims.wanted}
    if not kinds.isdisjoint(_PARTIES):
        finds += [*signatory_finds(page, claims), *honorific_finds(page, claims), *party_finds(page, claims)]
    if FieldType.DATE in types:
        finds += page_date_finds(page, claims, how)
    ties = [*ties_of(page, claims, how, finds)]
    if FieldType.DATE in types:
        ties += ties_of(page, claims, how, span_end_finds(page, claims, ties, how))
    if not types.isdisjoint(_AMOUNTS):
        ties = with_sums(page, claims, ties, how)
        ties += ties_of(page, claims, how, crossing_finds(page, claims))
    return claims, [tie for tie in ties if not claims.wanted[tie.field].silent and not _is_cut(page, tie)]


def _is_cut(page: Page, tie: Tie) -> bool:
    """Whether a character was lost beside a value, which may be only part of one then."""
    return not page.text.isascii() and is_cut(page.text, tie.reading.start, tie.reading.end)


@remembered(lambda contract, claims: (contract.memo, id(claims)))
def _sentences(contract: CanonicalContract, claims: Claims) -> tuple[tuple[Lead, ...], tuple[Clause, ...]]:
    """What sentences say of the fields of a contract: words that lead to a value, and clauses that are weighed."""
    return leads_of(claims), clauses_of(claims)


def title_finds(page: Page, claims: Claims) -> Iterator[Find]:
    """Members of enums that the titles of the page say."""
    for number, wanted in enumerate(claims.wanted):
        if wanted.field.type is not FieldType.ENUM:
            continue
        for title in titles_for(page, wanted.field, claims.lexicon)[:3]:
            transforms = ("enum:" + title.member,)
            reading = Reading(*title.span, title.member, transforms)
            name = Name(title.wording, title.span, page.lines.at(title.span[0]), ())
            claim = Claim(title.covered, wanted.phrases[0], f"the title says {title.wording!r}")
            signs = {"said by the title": 1.0, "its words": title.covered, "later title": title.rank}
            yield Find(number, claim, Place("section", title.span, title.span), signs, name, reading)
