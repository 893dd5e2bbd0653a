"""Values that no label announces: found by their place on the page, their shape and what stands around them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib import import_module

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import ROLES, names_of, party_and_rest, term_of
from paxman.capabilities.label_binding import named_shape
from paxman.capabilities.values import Found
from paxman.contract.labels import fold_label, without_umlauts
from paxman.contract.model import CanonicalField
from paxman.currencies import MINOR_UNITS
from paxman.documents.document import Document
from paxman.recognizers.tables import words
from paxman.types import FieldType

Finder = Callable[[CapabilityContext], list[Found]]

FINDERS: dict[str, str] = {
    "issuer": "paxman.capabilities.parties:find_issuer",
    "addressee": "paxman.capabilities.parties:find_addressee",
    "organization": "paxman.capabilities.parties:find_organization",
    "address": "paxman.capabilities.addresses:find_address",
    "addressee_address": "paxman.capabilities.addresses:find_addressee_address",
    "currency": "paxman.capabilities.page_currency:find_currency",
    "signatories": "paxman.capabilities.signatories:find_signatories",
    "jurisdiction": "paxman.capabilities.clauses:find_jurisdiction",
    # Without a tag that says so a label goes before the clause.
    "law": "paxman.capabilities.clauses:find_jurisdiction",
    "effective_date": "paxman.capabilities.clauses:find_effective_date",
    "term": "paxman.capabilities.clauses:find_term",
    "due_date": "paxman.capabilities.payment_terms:find_due_date",
    "agreed_day": "paxman.capabilities.agreed_words:find_agreed_day",
    "called": "paxman.capabilities.agreed_words:find_called",
    "price": "paxman.capabilities.only_values:find_price",
    "time": "paxman.capabilities.page_dates:find_page_time",
    "only": "paxman.capabilities.only_values:find_only",
}

_OWN_WAY = frozenset({"signatories", "jurisdiction", "effective_date", "term", "issuer", "addressee"})


def reads_own_labels(field: CanonicalField) -> bool:
    """Whether its finder knows better than what stands beside a label: a sentence, or a block under a heading."""
    return kind_of(field) in _OWN_WAY


def find_unlabelled(context: CapabilityContext) -> list[Found]:
    """Candidates for a field whose kind Paxman knows how to place; empty when it does not, or is not sure."""
    kind = kind_of(context.field)
    end = _end_of_page(context.document) if kind else 0
    if kind is None or not end or (kind == "called" and not _quotes(context.document.text)):
        return []
    found = _load(FINDERS[kind])(context)
    if context.document.kind == "csv":
        found = [each for each in found if each.ref.basis in _SURE and each.ref.span and each.ref.span[1] <= end]
    return found


def _quotes(text: str) -> bool:
    """Whether anything may stand in brackets and quotes, as what an agreement calls somebody does."""
    return "(" in text and ('"' in text or "”" in text or "»" in text)


def _end_of_page(document: Document) -> int:
    """How far the place of a value means something: in a delimited text, above its cells."""
    if document.kind != "csv":
        return 0 if document.kind in _NO_PAGE else len(document.text)
    rows = (table.header or table.rows[0] for table in document.tables)
    start = next((row[0].span[0] for row in rows if len(row) > 1), 0)
    return start if document.text[:start].strip() else 0


_NO_PAGE = frozenset({"json", "xml", "spreadsheet"})
"""Kinds of documents in which the place of a value means nothing."""
_SURE = frozenset({"name", "shape"})


@lru_cache(maxsize=4096)
def kind_of(field: CanonicalField) -> str | None:
    """Which of the finders a field asks for, by its tags, name, labels and description."""
    tags = frozenset(fold_label(tag.replace("_", " ")) for tag in field.semantic_tags)
    name = _words(names_of(field)[:1])
    # An ASCII name may spell umlauts with an e: "haendler".
    plain = frozenset(map(without_umlauts, name))
    name = plain if plain & _party_words() else name
    if field.type is FieldType.ARRAY:
        return "signatories" if (tags | name) & {"party", "parties", "signatory", "signatories"} else None
    if field.type is FieldType.DATE:
        if "effective" in name or _words(field.labels) & words("start_field"):
            return "effective_date"
        # A sentence about payment is weak evidence: an optional field rather stays open.
        if field.required and term_of(field) == "due_date":
            return "due_date"
        return "agreed_day" if term_of(field) in ("start_date", "end_date") else None
    if field.type is FieldType.MONEY:
        return "price" if name == {"price"} else None
    if field.type is FieldType.ENUM:
        return "currency" if _lists_currencies(field) else None
    return _text_kind(field, tags, name) if field.type is FieldType.STRING else None


def _lists_currencies(field: CanonicalField) -> bool:
    choices = field.constraint("enum")
    return choices is not None and MINOR_UNITS.keys() >= set(choices["values"]) and term_of(field) == "currency"


def _text_kind(field: CanonicalField, tags: frozenset[str], name: frozenset[str]) -> str | None:
    if tags & {"currency", "iso 4217"} or term_of(field) == "currency":
        return "currency"
    party, rest = party_and_rest(fold_label(names_of(field)[0]))
    if tags & {"address", "postal address"} or name == {"address"} or (party in ROLES and rest == "address"):
        return "addressee_address" if "addressee" in (_role(field, name), ROLES.get(party or "")) else "address"
    if tags & {"region", "jurisdiction", "governing law", "country"} and name & words("law_field"):
        return "jurisdiction"
    if "duration" in tags and (name | _words((*field.labels, field.description))) & words("term_field"):
        return "term"
    if tags & ORGANIZATION or (_names_party(name) and "email" not in tags):
        return _role(field, name) or ("organization" if issuing_word(field) else None)
    if party in ROLES and rest in ("name", "company") and len(name) > 2:
        return ROLES[party]
    if named_shape(field):
        return "only"
    if name & _CLOCKS and name <= _CLOCKS | _OF_PAPER:
        return "time"
    return "law" if name == {"governing", "law"} else "called" if len(name) == 1 and not tags else None


_CLOCKS = frozenset("time uhrzeit heure hora ora".split())
_OF_PAPER = frozenset("of the sale purchase transaction receipt invoice bill document issue".split())
"""Words of a name that asks for the time of the paper, not for that of an arrival."""


ORGANIZATION = frozenset({"organization", "organisation", "company"})


def issuing_word(field: CanonicalField) -> str | None:
    """What a name calls one that issues papers, if it says nothing else: "hotel", "school name"."""
    word = " ".join(sorted(_words(names_of(field)[:1]) - {"name"}))
    return word if word in words("may_issue") else None


def _names_party(name: frozenset[str]) -> bool:
    """Whether a name says a party and nothing else of it: "supplier_name", but not "supplier_id"."""
    party = _party_words()
    return bool(name & party) and name <= party | {"name", "legal", "full"}


def _party_words() -> frozenset[str]:
    return words("issuer") | words("employer") | words("addressee")


def _role(field: CanonicalField, name: frozenset[str]) -> str | None:
    """Issuer or addressee; the name decides before the labels, the labels before the description."""
    for said in (name, _words(field.labels), _words((field.description,))):
        if said & words("addressee"):
            return "addressee"
        if said & (words("issuer") | words("employer")):
            return "issuer"
    return None


def _words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in fold_label(text).split())


@lru_cache(maxsize=16)
def _load(target: str) -> Finder:
    module, _, function = target.partition(":")
    finder: Finder = getattr(import_module(module), function)
    return finder
