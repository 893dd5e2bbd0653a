"""The words that business papers use for what contracts commonly ask for, kept in `data/business_terms.txt`."""

from __future__ import annotations

import pkgutil
import unicodedata
from functools import lru_cache

from paxman.contract.labels import compact_label, fold_label, without_umlauts
from paxman.contract.model import CanonicalField
from paxman.currencies import MINOR_UNITS

FALLBACKS: dict[str, tuple[str, ...]] = {
    "total": ("amount_due", "net", "line_total"),
    "amount_due": ("total",),
    "net": ("subtotal",),
    "invoice_number": ("credit_note_number",),
    "date": ("issue_date",),
    "issue_date": ("date",),
    "start_date": ("period", "service_period", "billing_period"),
    "end_date": ("period", "service_period", "billing_period"),
    "period": ("service_period", "billing_period"),
    "service_period": ("period",),
    "billing_period": ("period",),
    "vat_id": ("tax",),
}
"""Terms that may speak for another one, where the contract has no field of their own."""

NUMBERS = frozenset(
    (
        "invoice_number",
        "credit_note_number",
        "order_number",
        "contract_number",
        "customer_number",
        "supplier_number",
        "delivery_number",
        "quote_number",
        "tracking_number",
        "other_number",
        "tax_number",
        "phone",
        "fax",
    )
)
MIXED = frozenset(("charge", "other_number", "other_date", "measure"))
"""Terms of things that have little in common: one of their labels does not speak for another."""
PAPERS = frozenset(("invoice_number", "credit_note_number"))
"""Numbers of the paper itself."""
PERIODS = frozenset(("period", "service_period", "billing_period"))
OTHER_DATES = frozenset(
    (
        "due_date",
        "delivery_date",
        "order_date",
        "other_date",
        *PERIODS,
        "start_date",
        "end_date",
        "effective_date",
    )
)
"""Dates that are not the date of the paper itself."""
PARTIES = frozenset(("seller", "buyer", "ship_to", "payee"))
GROSS = frozenset("gross brutto bruttobetrag bruttosumme bruto brut ttc lordo".split())
NO_SUMS = (None, "count", "measure", "tax_rate")
"""What a number may mean that is no amount of money."""
ITEM_TERMS = frozenset(("count", "unit_price", "description", "line_total"))


@lru_cache(maxsize=1)
def label_terms() -> dict[str, tuple[str, ...]]:
    """The terms of every compact label; the first is what it means when nothing else is known."""
    terms: dict[str, dict[str, None]] = {}
    for term, label in read_terms():
        for key in compact_label(label):
            terms.setdefault(key, {})[term] = None
    for code in MINOR_UNITS:
        terms.setdefault(compact_label(f"total {code}")[0], {})["total"] = None
    return {key: tuple(names) for key, names in terms.items()}


def term_of(field: CanonicalField) -> str | None:
    """The business term that a field's name says, or else the one that most of its labels say."""
    named = _term_of_name(field.name.replace("_", " "))
    if named:
        return named
    votes = terms_of_labels(field)
    if not votes:
        return next((tag for tag in field.semantic_tags if tag in _TAGS), None)
    return max(votes, key=lambda term: (votes.count(term), -votes.index(term)))


_TAGS = frozenset(("vat_id", "currency"))


def _term_of_name(name: str) -> str | None:
    """The term of a name, or of what follows the party that it starts with, as in "supplier VAT number"."""
    terms = label_terms()
    first, _, rest = name.partition(" ")
    names = (name, rest) if PARTIES.intersection(terms.get(compact_label(first)[0], ())) and " " in rest else (name,)
    keys = [key for each in names for key in compact_label(each)]
    found = next((terms[key] for key in keys if key in terms), None) or _term_of_short(keys)
    return _meaning(found) if found else None


def _term_of_short(keys: list[str]) -> tuple[str, ...] | None:
    """The terms of a name such as `numero_facture`, whose label has an article, or a mark on a letter, more."""
    terms, short = label_terms(), _short_labels()
    for key in keys:
        plain = without_umlauts(key)
        if plain in terms or key in short:
            return terms.get(plain) or short[key]
    return None


@lru_cache(maxsize=1)
def _short_labels() -> dict[str, tuple[str, ...]]:
    """The terms of labels of three words and more, by the label without its little words."""
    found: dict[str, tuple[str, ...]] = {}
    for _, label in read_terms():
        words = fold_label(label).split()
        kept = [word for word in words if word not in _LITTLE]
        if len(words) > len(kept) > 1:
            for key in compact_label(" ".join(kept)):
                found.setdefault(key, label_terms()[compact_label(label)[0]])
    return found


_LITTLE = frozenset("a d da de del della der des di do du l of the van".split())


def _meaning(terms: tuple[str, ...]) -> str:
    """The usual meaning of a label, or a narrower one where that is mixed."""
    return terms[-1] if terms[0] in MIXED else terms[0]


def terms_of_labels(field: CanonicalField) -> list[str]:
    """The term of each label that is a business term."""
    terms = label_terms()
    return [_meaning(terms[keys[0]]) for keys in map(compact_label, field.labels) if keys and keys[0] in terms]


def read_terms(name: str = "business_terms") -> list[tuple[str, str]]:
    """Every label of a table with its term; accents are taken off all at once, which is faster than one by one."""
    content = pkgutil.get_data(__name__, f"data/{name}.txt")
    assert content is not None
    text = unicodedata.normalize("NFKD", content.decode("utf-8").casefold())
    marks = dict.fromkeys(ord(letter) for letter in set(text) if unicodedata.combining(letter))
    term, found = "", []
    for line in text.translate(marks).splitlines():
        if line.startswith("["):
            term = line.strip("[]")
        elif line and term:
            labels = map(str.strip, line.split("|"))
            signed = "*" in line or "~" in line
            found += [(term, each) for label in labels for each in (spell_out(label) if signed else (label,))]
    return found


def spell_out(label: str) -> list[str]:
    """A label, once for every way to say an amount or a span of days where it has a sign for them."""
    for sign, ways in _WAYS.items():
        if sign in label:
            return [label.replace(sign, way) for way in ways]
    return [label]


_SUMS = (
    *("amount", "amt", "sum", "value", "charge", "charges", "billing", "dollars"),
    *("invoice amount", "invoice amt", "invoice total", "invoice value", "order amount", "order total"),
)
_WAYS = {
    "*": ("total", *_SUMS, *(f"total {each}" for each in _SUMS)),
    "~": ("period", "dates", "date range"),
}
MONEY_WORDS = frozenset(word for way in _WAYS["*"] for word in way.split())
