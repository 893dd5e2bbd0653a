"""Whether words around the label of a sum make it the name of something else: "Credit limit", "Tax year"."""

from __future__ import annotations

import re

from paxman.capabilities.business_terms import NO_SUMS
from paxman.capabilities.label_binding import Binding
from paxman.capabilities.label_layout import Reader
from paxman.capabilities.label_scan import Hit
from paxman.recognizers import Reading
from paxman.recognizers.tables import pattern

_SUMS = frozenset({"total", "amount_due", "net", "tax", "subtotal"})
_NAMED = _SUMS | {"discount", "tendered"}
_RATED = frozenset({"tax", "discount"})
_NOUN = r"[ -]{1,2}(?:(?:of|de|des|di|der) )?(?:{no_sum})(?!\w)(?! (?:due|payable|owing|owed)\b)"
_TAX_NOUN = r"[ -]{1,2}(?:{no_tax})(?!\w)"
_CHARGE_NOUN = r"[ -]{1,2}(?:{no_charge})(?!\w)"
_OTHER_TIME = r"\b(?:{other_time}|{to_date})\b"
_TERMS = r"\b(?:{payment_terms})\b.{0,30}\Z"
_UNIT = r" ?(?:{measure_unit})(?![\w/])"
_MEASURE = r"\b(?:{measure})\Z"
_CITED = r"\b(?:{cited})[. ]{1,2}\Z"
_DAYS = re.compile(r" \d{1,3}(?![\d.,])")
_SHARE = re.compile(r"\d ?%?[ /]{1,3}\d{1,2},? \Z")


def names_other(reader: Reader, hit: Hit) -> bool:
    """Whether the words beside a label of a sum say that it is a part, a measure, a limit or days of payment."""
    if hit.term not in _NAMED:
        return hit.term == "charge" and pattern(_CHARGE_NOUN).match(reader.text, hit.end) is not None
    if pattern(_NOUN).match(reader.text, hit.end):
        return True
    if hit.term in _RATED:
        return pattern(_TAX_NOUN).match(reader.text, hit.end) is not None
    return hit.term == "net" and _DAYS.match(reader.text, hit.end) is not None and _is_of_terms(reader, hit)


def _is_of_terms(reader: Reader, hit: Hit) -> bool:
    """Whether terms of payment stand before a label: "Terms: 2/10 net 30"."""
    before = reader.text[max(reader.page.line(hit.line).start, hit.start - 60) : hit.start]
    return (_SHARE.search(before) or pattern(_TERMS).search(before)) is not None


def is_of_other_time(reader: Reader, hit: Hit) -> bool:
    """Whether words before a label of a sum speak of another period, which the field does not ask for."""
    start = reader.page.line(hit.line).chunks[reader.page.chunk_at(hit.start)][0]
    before = reader.text[max(start, hit.start - 40) : hit.start].rpartition(":")[2]
    return hit.term in _SUMS and bool(before) and says_other_time(before) and not asks_other_time(reader)


def is_paid_back(reader: Reader, hit: Hit) -> bool:
    """Whether a label names what is paid back, and the field does not ask for that: "Total refund"."""
    start = reader.page.line(hit.line).chunks[reader.page.chunk_at(hit.start)][0]
    if _ENDS_PAID_BACK.search(reader.text, max(start, hit.start - _REACH), hit.end) is None:
        return False
    field = reader.context.field
    return not any(map(_PAID_BACK.search, (field.said, field.description, *field.labels)))


_PAID_BACK = re.compile(r"refund|erstatt|rembours|reembols|rimbors|terugbetal|zwrot", re.IGNORECASE)
_ENDS_PAID_BACK = re.compile(rf"(?:{_PAID_BACK.pattern})[^\d:\n]*\Z", re.IGNORECASE)
_REACH = 24


def asks_other_time(reader: Reader) -> bool:
    return says_other_time(reader.context.field.words)


def says_other_time(words: str) -> bool:
    return pattern(_OTHER_TIME).search(words) is not None


def of_kind(reader: Reader, binding: Binding, values: list[Reading]) -> list[Reading]:
    """Numbers with a unit where a field asks for a measure, and those without where it asks for a sum of money."""
    if binding.term not in NO_SUMS:
        return [r for r in values if not (_is_measured(reader, r) or _is_cited(reader, r))]
    if len(values) < 2 or pattern(_MEASURE).search(reader.context.field.words) is None:
        return values
    return [r for r in values if _is_measured(reader, r)] if _is_measured(reader, values[0]) else values


def _is_measured(reader: Reader, reading: Reading) -> bool:
    """Whether the unit of a measure stands behind a number."""
    return pattern(_UNIT).match(reader.text, reading.end) is not None


def _is_cited(reader: Reader, reading: Reading) -> bool:
    """Whether a number is that of a note or a page: "see note 5"."""
    if not reader.text[reading.start : reading.end].isdigit():
        return False
    return pattern(_CITED).search(reader.text, max(0, reading.start - 16), reading.start) is not None
