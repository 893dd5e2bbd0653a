"""The words and numbers of sums below items: what a label or a row of a table says of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from paxman.capabilities.business_terms import label_terms
from paxman.capabilities.table_arithmetic import texts_multiply
from paxman.capabilities.table_headings import tokens_of
from paxman.capabilities.table_layout import is_number

SUMS = frozenset({"total", "net", "tax", "amount_due", "tendered", "change", "rounding", "due_date"})
PARTIAL = frozenset({"subtotal"})
SUMMED_UP = frozenset({"total", "net", "amount_due", "subtotal"})
# Sums that go over from one page or one time to the next.
_CARRIED = re.compile(
    r"\b(?:carr(?:y|ied)[ -]?(?:forward|over)|brought forward|[bc]/f|à reporter|a riportare|suma (?:y sigue|anterior)"
    r"|(?:do|z) przeniesienia|nakli yek|(?:opening|closing|previous) balance|(?:alter|neuer) (?:kontostand|saldo)"
    r"|(?:anfangs|end|begin|eind)saldo|saldo (?:anterior|inicial|final|iniziale|finale|precedente|początkowe|końcowe)"
    r"|(?:ancien|nouveau) solde|solde (?:précédent|initial|final|antérieur)|(?:vorig|nieuw|ingående|utgående) saldo"
    r"|(?:počáteční|konečný) zůstatek)\b"
)
# One of its words, which is looked for first because that is fast.
_CARRIES = frozenset(
    "forward over carryover b/f c/f reporter riportare sigue anterior przeniesienia nakli balance kontostand saldo"
    " anfangssaldo endsaldo beginsaldo eindsaldo solde zůstatek".split()
)
# Words for goods, services, freight and transfers too, if more follows than the page.
_CARRIED_WORD = re.compile(
    r"(?:(?:saldo)?(?:übertrag|uebertrag|vortrag)|riporto|siirto|report|a transportar|(?:de )?transporte?|transporteren"
    r"|over te brengen|převod|przeniesienie|overf(?:øres|ørt))[\s.:]*"
    r"(?=\Z|\d|\(|(?:(?:auf|von|vom|aus|fra|til|da|a|de|de la|van|na|z|ze) )?"
    r"(?:page|seite|blatt|vorseite|side|pagina|página|stran|strony|sivu))"
    r"|繰越|前頁|次頁|承前页|过次页"
)
_LETTERLESS_END = re.compile(r"[\W\d_]+\Z")
_RATED = re.compile(r"[^\W\d_][.:]?[\s(@-]{0,3}\d{1,2}(?:[.,]\d{1,3})? ?%\)?\Z")
MOST_SUMS = 10
"""Rows below the items among which the first sum is looked for."""
MOST_ADDED = 300
"""Rows that are added up to see whether a line is their sum."""
_LONGEST_LABEL = 80


def is_rated(label: str) -> bool:
    """Whether a label is the name of a tax and its rate."""
    return _RATED.search(label[-_LONGEST_LABEL:]) is not None


def is_carried(label: str) -> bool:
    """Whether a line carries a sum over from one page or one time to the next."""
    label = label[:_LONGEST_LABEL].lower()
    if not _CARRIES.isdisjoint(label.replace(":", " ").replace("-", " ").split()) and _CARRIED.search(label):
        return True
    return _CARRIED_WORD.match(label) is not None


def without_rate(label: str) -> str:
    """A label without a rate and what follows it, and without numbers at its end."""
    return _LETTERLESS_END.sub("", label[:_LONGEST_LABEL].partition("%")[0])


def cut_number(text: str) -> tuple[str, str]:
    """A label and the number that only a space parts from it."""
    label, _, rest = text[:_LONGEST_LABEL].rpartition(" ")
    return (label, rest) if label and is_sum(rest) else (text, "")


def is_item(term: str | None, factors: Sequence[str]) -> bool:
    """Whether a row has quantity, price and total, as no sum has; in a total they may all be summed up."""
    if not factors or not all(map(is_number, factors)):
        return False
    return term not in SUMMED_UP or texts_multiply(factors)


def is_sum(text: str) -> bool:
    """Whether a cell is an amount, and not a rate."""
    return is_number(text) and "%" not in text


def sum_term(label: str, *, whole: bool) -> str | None:
    """The sum that a label names, as a whole or, if that is enough, by its first words."""
    terms = terms_of(label) or (() if whole else _first_terms(label))
    return next((term for term in terms if term in SUMS or term in PARTIAL), None)


def terms_of(text: str) -> tuple[str, ...]:
    """The business terms that a text may be as a whole, without what stands in brackets."""
    return label_terms().get("".join(token.key for token in tokens_of(text.partition("(")[0][:80])), ())


def _first_terms(text: str) -> tuple[str, ...]:
    """The business terms that a text begins with."""
    tokens = tokens_of(text[:80])
    for last in range(min(len(tokens), 4), 0, -1):
        terms = label_terms().get("".join(token.key for token in tokens[:last]))
        if terms:
            return terms
    return ()
