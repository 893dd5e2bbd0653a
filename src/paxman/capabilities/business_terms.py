"""The words that business papers use for what contracts commonly ask for, kept in `data/business_terms.txt`."""

from __future__ import annotations

import pkgutil
import unicodedata
from functools import lru_cache

from paxman.contract.labels import compact_label, fold_label, to_words, with_umlauts_spelled, without_umlauts
from paxman.contract.model import CanonicalField
from paxman.currencies import MINOR_UNITS
from paxman.recognizers.tables import words
from paxman.types import FieldType

FALLBACKS: dict[str, tuple[str, ...]] = {
    "total": ("amount_due", "net", "line_total"),
    "amount_due": ("total",),
    "net": ("subtotal",),
    "invoice_number": ("credit_note_number",),
    "date": ("issue_date",),
    "issue_date": ("date",),
    "delivery_date": ("expected_delivery", "ship_date", "service_date"),
    "expected_delivery": ("delivery_date",),
    "ship_date": ("delivery_date",),
    "service_date": ("delivery_date",),
    "sale_date": ("date",),
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
TAXES = frozenset(
    (
        *("cgst", "sgst", "igst", "utgst", "hst", "pst", "qst", "sst"),
        *("state_tax", "city_tax", "local_tax", "service_tax", "icms"),
    )
)
"""Taxes that a page may have several of: none speaks for another, nor does the tax of a page."""
PAPERS = frozenset(("invoice_number", "credit_note_number"))
"""Numbers of the paper itself."""
PERIODS = frozenset(("period", "service_period", "billing_period"))
DELIVERIES = frozenset(("delivery_date", "expected_delivery", "ship_date", "service_date"))
"""Days that are often the same: each may stand for another, less surely."""
OTHER_DATES = frozenset(
    (
        "due_date",
        *DELIVERIES,
        "order_date",
        "other_date",
        *PERIODS,
        "start_date",
        "end_date",
        "effective_date",
    )
)
"""Dates that are not the date of the paper itself."""
PAPER_DATES = frozenset(("date", "issue_date"))
DATES = PAPER_DATES | OTHER_DATES
PARTIES = frozenset(("seller", "buyer", "ship_to", "payee"))
CONTACTS = frozenset(("phone", "fax"))
PERSONAL = CONTACTS | {"vat_id", "tax_number"}
"""What each party has its own of."""
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
    if "term" not in field.memo:
        field.memo["term"] = _term_of(field)
    term: str | None = field.memo["term"]
    return term


def _term_of(field: CanonicalField) -> str | None:
    named = (_term_of_name(name) for name in names_of(field))
    if term := next(filter(None, named), None):
        return term
    votes = terms_of_labels(field)
    if not votes:
        return next((tag for tag in field.semantic_tags if tag in _TAGS), None)
    return max(votes, key=lambda term: (votes.count(term), -votes.index(term)))


_TAGS = frozenset(("vat_id", "currency"))


def may_be_share(field: CanonicalField) -> bool:
    """Whether a number that a field asks for may be a percentage: its name says no sum of money."""
    if field.type is not FieldType.DECIMAL or term_of(field) not in (None, "tax_rate"):
        return False
    return AMOUNTS.isdisjoint(fold_label(field.words).split())


def says_rate(field: CanonicalField) -> bool:
    return fold_label(field.words).rpartition(" ")[2] in _RATES


AMOUNTS = frozenset(("amount", "amt", "sum"))
_RATES = frozenset(("rate", "percent", "percentage", "pct"))


def names_of(field: CanonicalField) -> tuple[str, ...]:
    """What a field is called: with its object where that is a party or both are a term, else also without."""
    return _names(field.path, field.said, field.words)


@lru_cache(maxsize=4096)
def _names(path: str, said: str, own: str) -> tuple[str, ...]:
    above = (to_words(part) for part in reversed(path.split(".")[:-1]))
    if party := next(filter(party_called, above), None):
        return (f"{party} {own}",)
    return (said,) if said == own or party_and_rest(said)[0] or _is_term(said) else (said, own)


def _is_term(name: str) -> bool:
    return any(key in label_terms() for key in compact_label(name))


def compact_keys(field: CanonicalField) -> tuple[str, ...]:
    """Labels and then names as a scan over a page compares them."""
    return _compact((*field.labels, *names_of(field)))


@lru_cache(maxsize=4096)
def _compact(labels: tuple[str, ...]) -> tuple[str, ...]:
    said = (each for label in labels for each in (label, with_umlauts_spelled(label)))
    return tuple(dict.fromkeys(key for label in said for key in compact_label(label)))


@lru_cache(maxsize=4096)
def party_and_rest(name: str) -> tuple[str | None, str]:
    """The party that a name starts with, as in "bill to VAT number", and what is said of it."""
    said = name.split()
    for count in (1, 2) if len(said) == 2 else (2, 1):
        if party := party_called(" ".join(said[:count])):
            return party, " ".join(said[count:])
    return None, name


@lru_cache(maxsize=1024)
def party_called(name: str) -> str | None:
    """The party that a name says."""
    terms = (term for key in compact_label(name) for term in label_terms().get(key, ()))
    if party := next((term for term in terms if term in PARTIES), None):
        return party
    spellings = {fold_label(name), without_umlauts(fold_label(name))}
    return next((party for party, kind in ROLES.items() if spellings & words(kind)), None)


ROLES = {"seller": "issuer", "buyer": "addressee"}
"""The tables of words for each party."""


def _term_of_name(name: str) -> str | None:
    """The term of a name, or of what follows the party or paper that it starts with: "supplier VAT number"."""
    terms, rest = label_terms(), party_and_rest(name)[1]
    paper, _, said = name.partition(" ")
    of_paper = "invoice_number" in terms.get(compact_label(paper)[0], ())
    is_said = " " in rest or not PERSONAL.isdisjoint(terms.get(compact_label(rest)[0] if rest else "", ()))
    names = (name, rest if is_said else "", said if of_paper else "", *(turned(name) if paper == "date" else ()))
    keys = [key for each in names for key in compact_label(each)]
    found = next((terms[key] for key in keys if key in terms), None) or _term_of_short(keys)
    return _meaning(found) if found else None


def turned(label: str) -> tuple[str, ...]:
    """ "Date of loss" of a loss date, and the other way round."""
    if label.startswith("date of "):
        return (f"{label.removeprefix('date of ').removeprefix('the ')} date",)
    event = label.removesuffix(" date")
    return (f"date of {event}", f"date of the {event}") if event not in (label, "") else ()


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
    """The usual meaning of a label, or a narrower one where that is mixed or it names one tax of several, or a sale."""
    return terms[-1] if terms[0] in MIXED else next((term for term in terms if term in _NARROW), terms[0])


_NARROW = TAXES | {"sale_date"}


def terms_of_labels(field: CanonicalField) -> list[str]:
    """The term of each label that is a business term."""
    terms = label_terms()
    return [_meaning(terms[keys[0]]) for keys in map(compact_label, field.labels) if keys and keys[0] in terms]


def read_terms(name: str = "business_terms") -> list[tuple[str, str]]:
    """Every label of a table with its term; accents are taken off all at once, which is faster than one by one."""
    content = pkgutil.get_data(__name__, f"data/{name}.txt")
    assert content is not None
    text = content.decode("utf-8").casefold()
    text = unicodedata.normalize("NFKD", "\n".join(map(_with_spelled, text.splitlines())))
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


def _with_spelled(line: str) -> str:
    """A line of labels, and those with umlauts once more without."""
    if line.isascii() or (spelled := with_umlauts_spelled(line)) == line:
        return line
    both = zip(line.split("|"), spelled.split("|"), strict=True)
    return "|".join((line, *(plain for label, plain in both if plain != label)))


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
