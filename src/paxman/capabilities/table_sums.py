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
_SUMMED_UP = frozenset({"total", "net", "amount_due", "subtotal"})
# Sums that go over from one page to the next; the second group are also words for goods, services and freight.
_CARRIED = re.compile(
    r"(?:übertrag|uebertrag|vortrag\b|carr(?:y|ied)[ -]?(?:forward|over)|brought forward|[bc]/f\b|à reporter"
    r"|a riportare|riporto\b"
    r"|suma (?:y sigue|anterior)|a transportar|de transporte|over te brengen|transporteren|(?:do|z) przeniesienia"
    r"|převod (?:na|ze?) |nakli yek|overf(?:øres|ørt)\b|siirto\b|繰越|前頁|次頁|承前页|过次页)"
    r"|(?:report|transporte?|převod|przeniesienie)[\s.:]*(?=\Z|\d|\(|(?:page|seite|de la page|von seite|strana)\b)",
    re.IGNORECASE,
)
_RATED = re.compile(r"[^\W\d_][.:]?[\s(@-]{0,3}\d{1,2}(?:[.,]\d{1,3})? ?%\)?\Z")
MOST_SUMS = 10
"""Rows below the items among which the first sum is looked for."""
_LONGEST_LABEL = 80


def is_rated(label: str) -> bool:
    """Whether a label is the name of a tax and its rate."""
    return _RATED.search(label[-_LONGEST_LABEL:]) is not None


def is_partial_label(label: str) -> bool:
    """Whether a line carries a sum over from one page to the next."""
    return _CARRIED.match(label) is not None


def cut_number(text: str) -> tuple[str, str]:
    """A label and the number that only a space parts from it."""
    label, _, rest = text[:_LONGEST_LABEL].rpartition(" ")
    return (label, rest) if label and is_sum(rest) else (text, "")


def is_item(term: str | None, factors: Sequence[str]) -> bool:
    """Whether a row has quantity, price and total, as no sum has; in a total they may all be summed up."""
    if not factors or not all(map(is_number, factors)):
        return False
    return term not in _SUMMED_UP or texts_multiply(factors)


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
