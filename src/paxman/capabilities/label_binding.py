"""What a field asks for: its labels, the business term it is, and which labels on a page may speak for it."""

from __future__ import annotations

import re
from collections import Counter
from typing import Literal

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import (
    CONTACTS,
    DELIVERIES,
    FALLBACKS,
    GROSS,
    MIXED,
    NUMBERS,
    PARTIES,
    PERIODS,
    TAXES,
    label_terms,
    names_of,
    party_and_rest,
    term_of,
    terms_of_labels,
)
from paxman.capabilities.descriptions import described, stands_apart
from paxman.capabilities.label_scan import Hit, Scan, own_labels, scan_of
from paxman.capabilities.name_stems import (
    FIRST_WORDS,
    LAST_WORDS,
    composed_of,
    extended_labels,
    near_periods,
    owned_labels,
    period_labels,
    period_noun,
    stems_of,
    synonyms_of,
)
from paxman.capabilities.owners import is_led_by_owner, owner_of_label, party_of
from paxman.contract.labels import compact_label, fold_label
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.lazy import lazy_pattern
from paxman.recognizers.values import NARROWING
from paxman.types import FieldType

MOST_HITS = 200


@attrs.frozen
class Binding:
    """What a field asks for: its own labels, the business term it is, and the terms that may speak for it."""

    own: frozenset[str]
    term: str | None
    also: tuple[str, ...]
    """Other terms that the field's own labels name."""
    fallbacks: tuple[str, ...]
    role: Literal["first", "last"] | None
    """Which end of a range."""
    stems: frozenset[str] = frozenset()
    """What else a field of its name is called, such as its name less the noun of its type."""
    composed: frozenset[str] = frozenset()
    """Those of them that are made of its own words and usual ones, which are as good as its own."""
    says_gross: bool = False
    described: frozenset[str] = frozenset()
    """What its description calls it, a label only in a place of its own."""
    owned: frozenset[str] = frozenset()
    """What it is called in a block of the party that its name says."""
    owners: frozenset[str] = frozenset()
    """Whose labels speak for it: the party's, and nobody's ("") where they can only be its own."""
    sole: bool = False
    """Whether no other party is in the contract."""
    is_gst: bool = False
    """Whether it asks for a tax that is the whole of it in some countries, and one of several in others."""
    said: frozenset[str] = frozenset()
    """What else just this number is called, where its term is wider: "PO" of orders."""
    periods: frozenset[str] = frozenset()
    """What the period is called that it is one end of, if that is one of a kind."""
    near: frozenset[str] = frozenset()
    """What a period is called that may stand in, if no other field asks for it."""


def bind(field: CanonicalField, contract: CanonicalContract) -> Binding:
    """Tie a field to a business term by its name, or else by most of its labels."""
    found: Binding | None = contract.memo.get(("binding", field.path))
    if found is None:
        found = contract.memo["binding", field.path] = _bind(field, contract)
    return found


def _bind(field: CanonicalField, contract: CanonicalContract) -> Binding:
    term = term_of(field) or _end_of_period(field)
    if "terms" not in contract.memo:
        contract.memo["terms"] = Counter(map(term_of, contract.leaves))
    taken = {other for other, uses in contract.memo["terms"].items() if other != term or uses > 1}
    also = tuple(other for other in dict.fromkeys(terms_of_labels(field)) if other != term and other not in taken)
    periods = period_labels(field)
    of_period = bool(periods) and term in (None, "start_date", "end_date")
    fallbacks = ("period",) if of_period else _fallbacks(term, taken, also)
    all_own, gross = _all_own(contract), term == "total" and _says(field, GROSS)
    own = frozenset(own_labels(field)) | (extended_labels(field) - all_own)
    composed = (composed_of(field) - all_own) | periods
    said = synonyms_of(field) - all_own if term in NUMBERS else frozenset()
    role = None if term in _LAST_DAYS else _role(field)
    told = frozenset(compact_label(described(contract).get(field.path, ""))) - all_own
    stems, owned, owners = (stems_of(field) - all_own) | periods, owned_labels(field), _owners(field, term, contract)
    near = near_periods(field) and near_periods(field) - _all_periods(contract)
    stems = stems - (near_periods(field) - near)
    sole = bool(owners) and len(_parties(contract)) == 1
    of_gst = _is_gst(field, term)
    return Binding(
        own, term, also, fallbacks, role, stems, composed, gross, told, owned, owners, sole, of_gst, said, periods, near
    )


def _fallbacks(term: str | None, taken: set[str | None], also: tuple[str, ...]) -> tuple[str, ...]:
    """Terms that may stand in for another one, but for those that other fields ask for."""
    found = tuple(other for other in FALLBACKS.get(term or "", ()) if other not in (*taken, *also))
    if term == "amount_due":
        return found or ("", "total")
    if term == "due_date":
        return *found, "amount_due"  # "Amount due by 13 July" tells both.
    if term in ("vat_id", "tax_rate"):
        # "VAT DE123456789" and "Sales tax (7%)" name the number, whatever other field asks for the amount.
        return ("tax",)
    if term == "total" and "amount_due" not in (*found, *also):
        return *(found or ("",)), "amount_due"
    return found


def _end_of_period(field: CanonicalField) -> str | None:
    """The term of one end of just any period, such as `period_from`."""
    if period_noun(field) != "":
        return None
    return "start_date" if _role(field) == "first" else "end_date"


def _is_gst(field: CanonicalField, term: str | None) -> bool:
    """Whether the name of a field says GST, or else each of its labels."""
    said = [fold_label(name).split() for name in names_of(field)]
    labels = [fold_label(label).split() for label in field.labels]
    return term == "tax" and (any("gst" in name for name in said) or (bool(labels) and all(map(_says_gst, labels))))


def _says_gst(words: list[str]) -> bool:
    return "gst" in words or "tps" in words


def _parties(contract: CanonicalContract) -> frozenset[str]:
    """The parties that the fields of a contract speak of."""
    if "parties" not in contract.memo:
        contract.memo["parties"] = frozenset(filter(None, map(party_of, contract.leaves)))
    found: frozenset[str] = contract.memo["parties"]
    return found


def _owners(field: CanonicalField, term: str | None, contract: CanonicalContract) -> frozenset[str]:
    """The party whose block of lines holds a field; with "" no block may, as for the seller or the only party."""
    party = party_of(field)
    if party is None:
        return frozenset()
    if term not in CONTACTS and (named_shape(field) or fold_label(field.words).endswith("address")):
        return frozenset((party,))
    if party == "seller":
        is_one = term is not None
    else:
        is_one = field.said != field.words and term not in CONTACTS and _count_names(contract)[field.name] == 1
    return frozenset((party, "") if is_one else (party,))


def _count_names(contract: CanonicalContract) -> Counter[str]:
    if "name_counts" not in contract.memo:
        contract.memo["name_counts"] = Counter(field.name for field in contract.leaves)
    found: Counter[str] = contract.memo["name_counts"]
    return found


def is_form(context: CapabilityContext) -> bool:
    """Whether a contract asks for one party, and the page is no bill and names none: what it labels is that party's."""
    return bind(context.field, context.contract).sole and scan_of(context).by_term.keys().isdisjoint(_OF_BILL)


_OF_BILL = PARTIES | {"total", "amount_due", "invoice_number"}
_LAST_DAYS = frozenset(("due_date", "expiry_date"))
"""Days that something ends on, though nobody writes when it begins."""


def _all_own(contract: CanonicalContract) -> frozenset[str]:
    """What the contract itself names a field is no other name of another one."""
    if "all_own" not in contract.memo:
        contract.memo["all_own"] = frozenset(key for field in contract.leaves for key in own_labels(field))
    found: frozenset[str] = contract.memo["all_own"]
    return found


def _all_periods(contract: CanonicalContract) -> frozenset[str]:
    """What the periods are called that fields of the contract are ends of."""
    if "all_periods" not in contract.memo:
        contract.memo["all_periods"] = frozenset(key for field in contract.leaves for key in period_labels(field))
    found: frozenset[str] = contract.memo["all_periods"]
    return found


_NET = frozenset("net nett netto nettobetrag nettosumme neto ht".split())


def _says(field: CanonicalField, words: frozenset[str]) -> bool:
    said = " ".join(map(fold_label, (field.said, *field.labels)))
    return not words.isdisjoint(said.split())


def _role(field: CanonicalField) -> Literal["first", "last"] | None:
    for source in (field.words, field.said, field.description):
        words = set(fold_label(source).split())
        if words & FIRST_WORDS:
            return "first"
        if words & LAST_WORDS:
            return "last"
    return None


def relevant(scan: Scan, binding: Binding) -> list[tuple[Hit, int]]:
    """Labels on the page that may speak for a field, each with its rank.

    Its own come first, then longer ones around them, then synonyms, then those of terms that may stand in.
    """
    ranked: dict[int, tuple[Hit, int]] = {}
    for key in binding.own.intersection(scan.by_key):
        for hit in scan.by_key[key][:MOST_HITS]:
            ranked[hit.index] = hit, 0
    longer = [key for key in binding.own if len(key) > 3]
    terms = [(binding.term, 2), *((term, 3) for term in binding.also)]
    for term, rank in [*terms, *((term, _rank_of(term, place)) for place, term in enumerate(binding.fallbacks))]:
        for hit in scan.by_term.get(term or "", ())[:MOST_HITS]:
            around = rank < 4 and any(key in hit.key for key in longer)
            if (around or term not in MIXED) and not (binding.says_gross and _is_less(scan, hit)):
                ranked.setdefault(hit.index, (hit, 1 if around else rank))
    for key in binding.stems.intersection(scan.by_key):
        for hit in scan.by_key[key][:MOST_HITS]:
            rank = 0 if key in binding.said else 1 if key in binding.composed else STEM
            ranked[hit.index] = min(ranked.get(hit.index, (hit, rank)), (hit, rank), key=_rank)
    for key in binding.owned.intersection(scan.by_key):
        for hit in scan.by_key[key][:MOST_HITS]:
            if _is_owned(scan, hit, binding):
                ranked[hit.index] = hit, 0
    return _of_owner(scan, binding, [ranked[index] for index in sorted(ranked)])[:MOST_HITS]


def _of_owner(scan: Scan, binding: Binding, found: list[tuple[Hit, int]]) -> list[tuple[Hit, int]]:
    """Without the labels of another tax or party; those of another party come later where the field names none."""
    if binding.is_gst:
        found = _of_gst(found)
    if binding.owners and binding.term in CONTACTS:
        return [(hit, rank) for hit, rank in found if rank == 0 or _is_owned(scan, hit, binding)]
    if binding.term in CONTACTS:
        return [(hit, max(rank, _OF_OTHER) if is_led_by_owner(scan, hit) else rank) for hit, rank in found]
    if binding.owners and binding.term == "tax_number":
        return [(hit, rank) for hit, rank in found if _is_taxed(scan, hit, binding)]
    return found


_OF_OTHER = 3
"""The rank of what a word before the label gives to the buyer or another person, where the field names nobody."""


def _of_gst(found: list[tuple[Hit, int]]) -> list[tuple[Hit, int]]:
    """Labels of a field's own words, or else of a tax that is no other one; that between Indian states is it."""
    own = [(hit, rank) for hit, rank in found if rank <= 1]
    return own or [(hit, rank) for hit, rank in found if "igst" in hit.terms or TAXES.isdisjoint(hit.terms)]


def _is_owned(scan: Scan, hit: Hit, binding: Binding) -> bool:
    return (owner_of_label(scan, hit) or "") in binding.owners


def _is_taxed(scan: Scan, hit: Hit, binding: Binding) -> bool:
    """Whether a label of a tax number names its party, or stands in a block of it; under no heading is the seller's."""
    if hit.key in binding.own and hit.key not in label_terms():
        return True
    owner = owner_of_label(scan, hit)
    return not binding.owners.isdisjoint((owner or "", owner or "seller"))


def described_hits(scan: Scan, binding: Binding) -> list[Hit]:
    """Labels on the page that are the field's description, each in a place of its own."""
    hits = (hit for key in binding.described.intersection(scan.by_key) for hit in scan.by_key[key][:MOST_HITS])
    return sorted((hit for hit in hits if stands_apart(scan.page.text, hit.start, hit.end)), key=lambda hit: hit.index)


def _rank_of(fallback: str, place: int) -> int:
    """A term that may stand in ranks by its place, but neither kind of period or delivery before the other."""
    if fallback in DELIVERIES:
        return STEM if fallback == "expected_delivery" else FIRST_FALLBACK
    return FIRST_FALLBACK + (fallback != "period" if fallback in PERIODS else place)


def _rank(ranked: tuple[Hit, int]) -> int:
    return ranked[1]


def says_gross(scan: Scan, hit: Hit) -> bool:
    return _SAYS_GROSS.search(scan.page.text, hit.start, hit.end) is not None


def _is_less(scan: Scan, hit: Hit) -> bool:
    """Whether a label says net, on a page that takes something off or says gross elsewhere."""
    if _NET.isdisjoint(fold_label(scan.page.text[hit.start : hit.end]).split()):
        return False
    return any(term in scan.by_term for term in _TAKEN) or _SAYS_GROSS.search(scan.page.text) is not None


_TAKEN = ("commission", "discount", "tax")
_SAYS_GROSS = lazy_pattern(r"\b(?:gross|brutto|bruto|brut|ttc|lordo)\b", re.IGNORECASE)


STEM = 3
"""The rank of labels that a field has by its name."""
FIRST_FALLBACK = 4
"""The rank of the first term that may stand in."""


def kind_of(field: CanonicalField, binding: Binding) -> str:
    """What a field's value looks like."""
    if field.type is FieldType.DATE:
        return "date"
    if field.type in (FieldType.DECIMAL, FieldType.MONEY):
        return "rate" if binding.term == "tax_rate" and field.type is FieldType.DECIMAL else "amount"
    if field.type is not FieldType.STRING or field.constraint("pattern"):
        return "cell"
    if "vat_id" in field.semantic_tags or binding.term == "vat_id":
        return "vat"
    if shape_of(field) not in (None, "tax_id"):
        return "cell"
    return "identifier" if binding.term in NUMBERS else "text"


_SHAPED = frozenset(("bic", "email", "iban", "ip", "phone", "postal_code", "tax_id", "url", "uuid", "vat_id"))


def shape_of(field: CanonicalField) -> str | None:
    """The kind that a field's tags or name say, if it is one that no other text looks like."""
    kinds = (NARROWING.get(tag) for tag in field.semantic_tags)
    return next((kind for kind in kinds if kind in _SHAPED), "vat_id" if term_of(field) == "vat_id" else None)


_NAMED_SHAPES = {
    "bic": "bic",
    "e mail": "email",
    "e mail address": "email",
    "email": "email",
    "email address": "email",
    "iban": "iban",
    "swift": "bic",
    "swift code": "bic",
}


def named_shape(field: CanonicalField) -> str | None:
    """The kind that a field's tags say, or that its name is, with or without a party before it."""
    names = (fold_label(party_and_rest(name)[1]) for name in names_of(field))
    return shape_of(field) or next((_NAMED_SHAPES[name] for name in names if name in _NAMED_SHAPES), None)


def fails_check(field: CanonicalField, value: str) -> bool:
    """Whether a field asks for an account or VAT number, and the check digits of one with its shape are wrong."""
    from paxman.recognizers.checksums import has_iban_shape, is_iban, is_vat_id, vat_country
    from paxman.recognizers.identifiers import to_compact

    number = to_compact(value)
    if has_iban_shape(number) and not is_iban(number):
        return shape_of(field) == "iban" or "iban" in fold_label(field.words).split()
    return vat_country(number) is not None and not is_vat_id(number) and shape_of(field) in ("vat_id", "tax_id")


def needs_label(field: CanonicalField, contract: CanonicalContract) -> bool:
    """Whether only a label can tell a field's value from others of its kind."""
    return kind_of(field, bind(field, contract)) in ("identifier", "vat", "amount", "rate")
