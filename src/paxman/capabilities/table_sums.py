"""The words and numbers of sums below items: what a label or a row of a table says of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate, takewhile

from paxman.capabilities.business_terms import label_terms
from paxman.capabilities.table_arithmetic import is_negative, texts_add_up, texts_multiply
from paxman.documents.figures import is_number
from paxman.documents.heading_words import tokens_of

SUMS = frozenset({"total", "net", "tax", "amount_due", "tendered", "change", "rounding", "due_date"})
PARTIAL = frozenset({"subtotal"})
SUMMED_UP = frozenset({"total", "net", "amount_due", "subtotal"})
# Sums that go over from one page or one time to the next.
_CARRIED = re.compile(
    r"\b(?:carr(?:y|ied)[ -]?(?:forward|over)|brought (?:forward|over)"
    r"|(?:carried|brought) from (?:last |previous )?page|[bc]/f(?:wd)?|running total|à reporter|a riportare"
    r"|suma (?:y sigue|anterior)|(?:do|z) przeniesienia|nakli yek"
    r"|(?:opening|closing|previous) balance|(?:alter|neuer) (?:kontostand|saldo)"
    r"|(?:anfangs|end|begin|eind)saldo|saldo (?:anterior|inicial|final|iniziale|finale|precedente|początkowe|końcowe)"
    r"|(?:ancien|nouveau) solde|solde (?:précédent|initial|final|antérieur)|(?:vorig|nieuw|ingående|utgående) saldo"
    r"|(?:počáteční|konečný) zůstatek)\b"
)
# One of its words, which is looked for first because that is fast.
_CARRIES = frozenset(
    "forward over carryover page running b/f c/f b/fwd c/fwd reporter riportare sigue anterior przeniesienia nakli"
    " balance kontostand saldo anfangssaldo endsaldo beginsaldo eindsaldo solde zůstatek".split()
)
# Words for goods, services, freight and transfers too, if more follows than the page.
_CARRIED_WORD = re.compile(
    r"(?:(?:saldo)?(?:übertrag|uebertrag|vortrag)|riporto|siirto|report|a transportar|(?:de )?transporte?|transporteren"
    r"|over te brengen|převod|przeniesienie|overf(?:øres|ørt))[\s.:]*"
    r"(?=\Z|\d|\(|(?:(?:auf|von|vom|aus|fra|til|da|a|de|de la|van|na|z|ze) )?"
    r"(?:page|seite|blatt|vorseite|side|pagina|página|stran|strony|sivu))"
    r"|繰越|前頁|次頁|承前页|过次页"
)
# Those of them that are the names of items as they stand.
_ORDINARY = re.compile(r"(?:transporte?|report|vortrag|převod|siirto)\W*", re.IGNORECASE)
# The balance of a day, which stands in a line of its own.
_DATED_BALANCE = re.compile(
    r"(?:(?:account |your |ihr |votre |su )?(?:kontostand|saldo|balance|solde|stan konta|zůstatek|stav účtu))"
    r" (?:am|per|zum|vom|as (?:of|at)|on|at|au|al|em|op|na(?: dzień)?|k|ke dni|pr|den)\.? "
    r"(?:\d{1,4}[./-]\d|\d{1,2}(?:st|nd|rd|th|\.)? [^\W\d_]{3,9}\.? \d{2,4}\b"
    r"|[^\W\d_]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}\b)"
)
_LETTERLESS_END = re.compile(r"[\W\d_]+\Z")
_RATED = re.compile(r"[^\W\d_][.:]?[\s(@-]{0,3}\d{1,2}(?:[.,]\d{1,3})? ?%\)?\Z")
MOST_SUMS = 10
"""Rows below the items among which the first sum is looked for."""
MOST_ADDED = 300
"""Rows that are added up to see whether a line is their sum."""
TOTALS = frozenset({"total", "subtotal"})
_BEGUN = "begun"
NEVER_ADDED = SUMMED_UP | {"tendered", "change", _BEGUN}
"""Sums and payments, which no other sum has in it: what is named so and is part of one is an item."""
_SAMPLE = 20
_FEWEST_ADDED, _FEWEST_DIGITS = 3, 4
"""Less than this may add up by chance, "Total cereal"."""
_LONGEST_LABEL = 80
_MOST_WORDS = 4
_WHOLES = ("gesamt", "totaal", "summe")
"""What a word for a sum may begin with: "Gesamtmenge"."""


def is_rated(label: str) -> bool:
    """Whether a label is the name of a tax and its rate."""
    return _RATED.search(label[-_LONGEST_LABEL:]) is not None


def is_carried(label: str) -> bool:
    """Whether a line carries a sum over from one page or one time to the next."""
    label = label[:_LONGEST_LABEL].lower()
    if not _CARRIES.isdisjoint(label.replace(":", " ").replace("-", " ").split()) and _CARRIED.search(label):
        return True
    return _CARRIED_WORD.match(label) is not None or is_dated_balance(label)


def is_ordinary(label: str) -> bool:
    """Whether a word for a sum that goes over is one for an item too."""
    return _ORDINARY.fullmatch(label[:_LONGEST_LABEL]) is not None


def is_dated_balance(label: str) -> bool:
    """Whether a label is that of the balance of a day."""
    return _DATED_BALANCE.match(label[:_LONGEST_LABEL].lower()) is not None


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


def sum_rows(rows: Sequence[Sequence[str]], figures: Collection[int], before: Sequence[Sequence[str]] = ()) -> set[int]:
    """The places of the rows of a table that are sums: the block at its end, and totals among the rows above that.

    A table of nothing else may sum up those before it.
    """
    end = len(rows) - sum(1 for _ in takewhile(lambda row: sum(map(bool, row)) < 2, reversed(rows)))
    first = max(0 if before else 1, end - MOST_SUMS)
    starts = (at for at in range(first, end) if _is_block(rows[:at] or before, rows[at:end], figures))
    start = next(starts, len(rows))
    totals = (at for at in range(1, start) if start < len(rows) and _term(rows[at], rows[at - 1]) in TOTALS)
    inner = {at for at in totals if _has_gaps(rows[max(0, at - _SAMPLE) : at], rows[at])}
    return inner | _carried_rows(rows[: min(start, MOST_ADDED)], inner) | set(range(start, len(rows)))


def _carried_rows(rows: Sequence[Sequence[str]], sums: Collection[int]) -> set[int]:
    """The places of the rows that carry the sum of all above over to the next page, or bring it from there."""
    found: set[int] = set()
    for at, row in enumerate(rows):
        if at and is_carried(next(filter(None, row), "")) and _has_gaps(rows[max(0, at - _SAMPLE) : at], row):
            items = [other for place, other in enumerate(rows[:at]) if place not in sums and place not in found]
            found |= {at} if _sums_up(items, row) else set()
    return found


def _is_block(above: Sequence[Sequence[str]], rows: Sequence[Sequence[str]], figures: Collection[int]) -> bool:
    """Whether rows are the sums below others: one is sure, and between sums are only charges with the same gaps."""
    over = (*above[-1:], *rows)
    if not _term(rows[-1], over[len(rows) - 1]):
        return False
    terms = [_term(row, before) for row, before in zip(rows, over, strict=False)]
    gaps = _gaps(rows[0]) if _has_gaps(above[:MOST_ADDED], rows[0]) else None
    if not terms[0] and (gaps is None or not _sums_up(above, rows[0])):
        return False
    if any(not term and (gaps is None or not gaps <= _gaps(row)) for term, row in zip(terms, rows, strict=True)):
        return False
    return any(_is_sure(above, rows[: at + 1], terms[: at + 1], figures) for at in range(len(rows)))


def _term(row: Sequence[str], over: Sequence[str]) -> str | None:
    """The sum that a row is named for, if there is nothing else in it but amounts, and what the row above says too."""
    filled = [(at, text) for at, text in enumerate(row) if text]
    others = [(at, text) for at, text in filled[1:] if not is_sum(text)]
    if len(filled) <= len(others) + 1 or any([text] != list(over[at : at + 1]) for at, text in others):
        return None
    label = filled[0][1]
    if term := "tax" if is_rated(label) else sum_term(without_rate(label), whole=True):
        return term
    return _BEGUN if begins_sum(label) else None


def _is_sure(
    above: Sequence[Sequence[str]], rows: Sequence[Sequence[str]], terms: Sequence[str | None], figures: Collection[int]
) -> bool:
    """Whether the last row is a sum: a total without a number that others have, or below figures, or what adds up."""
    (*between, row), (*others, term) = rows, terms
    place = next(at for at, text in enumerate(row) if text)
    if term in TOTALS and (place in figures or _has_gaps(above[:MOST_ADDED], row)):
        return True
    if term != _BEGUN and term not in SUMMED_UP:
        return False
    fewest = _FEWEST_DIGITS if term == _BEGUN and len(above) < _FEWEST_ADDED else 1
    named = (each for each, other in zip(between, others, strict=True) if other in NEVER_ADDED)
    if any(not any(map(is_negative, each[1:])) for each in named):
        return _sums_up(above, row, fewest)
    return any(_sums_up(each, row, fewest) for each in (above, [*above, *between]))


def _sums_up(above: Sequence[Sequence[str]], row: Sequence[str], fewest: int = 1) -> bool:
    """Whether an amount of a row, of so many digits at least, is the sum of those above it."""
    amounts = [(at, text) for at, text in enumerate(row) if at and is_sum(text)]
    long = [(at, text) for at, text in amounts if sum(map(str.isdecimal, text)) >= fewest]
    return any(texts_add_up([cells[at] for cells in above if any(cells[at : at + 1])], total) for at, total in long)


def _gaps(row: Sequence[str]) -> set[int]:
    return {at for at, text in enumerate(row) if not text}


def _has_gaps(above: Sequence[Sequence[str]], row: Sequence[str]) -> bool:
    """Whether a number is missing that half of the rows above have."""
    counts = (sum(any(map(is_number, cells[at : at + 1])) for cells in above) for at in _gaps(row))
    return any(count * 2 >= len(above) for count in counts)


def sum_term(label: str, *, whole: bool) -> str | None:
    """The sum that a label names, as a whole or, if that is enough, by its first words."""
    terms = terms_of(label) or (() if whole else _first_terms(label))
    return next((term for term in terms if term in SUMS or term in PARTIAL), None)


def is_column_sum(label: str, own: Mapping[int, str], above: Sequence[Mapping[int, str]]) -> bool:
    """Whether a row that begins like a sum, "Total hours", adds up columns of the rows above.

    All its amounts do, or a long one if a number is missing that all rows above have; then a known label is enough.
    """
    if not own or not 0 < len(above) <= MOST_ADDED or not begins_sum(label):
        return False
    added = [at for at, total in own.items() if texts_add_up([row[at] for row in above if at in row], total)]
    has_gap = any(at not in own and all(at in row for row in above) for at in above[0])
    if len(added) == len(own):
        return has_gap or len(above) > 1
    long = any(sum(map(str.isdecimal, own[at])) >= _FEWEST_ADDED for at in added)
    return has_gap and len(above) > 1 and (long or bool(terms_of(label)))


def begins_sum(label: str) -> bool:
    """Whether the first words of a label, or the first part of its first word, name a sum."""
    keys = list(accumulate(token.key for token in tokens_of(label[:_LONGEST_LABEL])))
    known = (term for key in keys[:_MOST_WORDS] for term in label_terms().get(key, ()))
    return any(term in SUMMED_UP for term in known) or any(key.startswith(_WHOLES) for key in keys[:1])


def terms_of(text: str) -> tuple[str, ...]:
    """The business terms that a text may be as a whole, without what stands in brackets."""
    return label_terms().get("".join(token.key for token in tokens_of(text.partition("(")[0][:80])), ())


def _first_terms(text: str) -> tuple[str, ...]:
    """The business terms that a text begins with."""
    tokens = tokens_of(text[:80])
    for last in range(min(len(tokens), _MOST_WORDS), 0, -1):
        terms = label_terms().get("".join(token.key for token in tokens[:last]))
        if terms:
            return () if last == 1 and _is_adjective([token.key for token in tokens[:2]]) else terms
    return ()


def _is_adjective(words: Sequence[str]) -> bool:
    """Whether a text begins with "round" as that of a thing does, "Round table", and not with "rounded to"."""
    return words[0] in ("round", "rounded") and any(word.isalpha() and word not in _AFTER_ROUND for word in words[1:])


_AFTER_ROUND = frozenset({"to", "off", "up", "down", "by"})
