"""What business papers call a field, for those who go by meaning: elements of e-invoices, relations, drafts."""

from __future__ import annotations

from paxman.contract.model import CanonicalField
from paxman.finding.wanted import members_of, side_of
from paxman.lazy import remembered
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon
from paxman.types import FieldType

PAPERS = ("invoices", "receipts", "general")
"""The trades of business papers; a term of an earlier one goes first."""
_OF_LINES = ("quantity", "unit_price", "line_total", "description")
_SUMS = frozenset({"total", "net", "net_amount", "amount", "price", "gross_amount"})
_SIDES = {"start": "start_date", "end": "end_date"}


@remembered(lambda field, lexicon: (field.memo, id(lexicon)))
def paper_term(field: CanonicalField, lexicon: Lexicon) -> str:
    """The term of business papers that a field is by its names or labels, or nothing."""
    for text in dict.fromkeys((field.said, field.words, *field.labels)):
        term = term_called(text, lexicon)
        if term:
            return term
    return ""


def period_end(field: CanonicalField, lexicon: Lexicon) -> str:
    """The end of the one period of a paper that a date is by a word of its name, or nothing."""
    return _SIDES.get(side_of(lexicon.parse(field.said)), "") if field.type is FieldType.DATE else ""


def head_nouns(field: CanonicalField, lexicon: Lexicon) -> frozenset[str]:
    """What kinds of things a field's own name says it is: an amount, a number, a rate."""
    term = paper_term(field, lexicon).replace("_", " ")
    return frozenset(members_of((*lexicon.parse(field.words), *lexicon.parse(term)), "head"))


def term_called(text: str, lexicon: Lexicon) -> str:
    """The term that a wording says: one whose own name it is first, then one that it surely means."""
    own = text.replace(" ", "_").lower()
    hits = sorted(lexicon.find_terms(text, PAPERS), key=lambda hit: (hit[0].name != own, not hit[1]))
    return hits[0][0].name if hits else ""


def party_detail(text: str, lexicon: Lexicon) -> tuple[str, str]:
    """Whom words speak of and what they ask of them: "buyer VAT number" is the `vat_id` of the `buyer`."""
    tokens = lexicon.parse(text)
    party = next(members_of(tokens, "owner"), "")
    if not party:
        return "", ""
    rest = " ".join(token.word for token in tokens if not (token.concept and token.concept.kind == "owner"))
    return party, term_called(rest, lexicon) if rest else "name"


def column_terms(field: CanonicalField, lexicon: Lexicon) -> tuple[str, ...]:
    """The terms of tables that a column may be, by its name or else its first label that tables know."""
    for text in (field.words, *field.labels):
        keys = lexicon.by_head.get(fold_words(text), ())
        if keys:
            return tuple(dict.fromkeys(key.rpartition("/")[2] for key in keys))
    return ()


def line_role(field: CanonicalField, lexicon: Lexicon) -> str:
    """What a column of lines is: a factor of the line before anything else; a sum is that of the line."""
    terms = column_terms(field, lexicon)
    found = next((term for term in _OF_LINES if term in terms), "")
    return found or ("line_total" if not _SUMS.isdisjoint(terms) else next(iter(terms), ""))
