"""Which of the amounts that stand with one label is its own, and whether it is one at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import attrs

from paxman.capabilities.amount_columns import amounts_beside, are_headed, asks_other_period, headed_amount, row_heads
from paxman.capabilities.amount_places import (
    CENTS,
    TOTALS,
    amount_of,
    is_priced,
    is_signed,
    is_usual,
    is_within_total,
    names_item,
    numbers_words,
    says_more,
    under_label,
)
from paxman.capabilities.business_terms import NO_SUMS, TAXES, label_terms
from paxman.capabilities.label_binding import FIRST_FALLBACK, STEM, Binding
from paxman.capabilities.label_layout import WORDS, Reader, Relation, Spot, between, modified, rest_of_label
from paxman.capabilities.label_scan import Hit
from paxman.capabilities.sum_names import is_of_other_time, is_paid_back, names_other, of_kind
from paxman.contract.labels import compact_label
from paxman.documents.document import Document
from paxman.finding.parties.line_shapes import is_street
from paxman.recognizers import Reading
from paxman.recognizers.broken import is_torn
from paxman.recognizers.ranges import gap_between
from paxman.recognizers.words import AND, OR, TO
from paxman.types import FieldType, Money

_EXCLUDED = re.compile(
    r"[\s(.,-]{0,4}(?:excl|excluding|exclusive|before|without|w/o|ex|ohne|exkl|hors|sans|sin|esclusa|sem|exclusief|bez|zzgl)\b",
    re.IGNORECASE,
)
_WITHOUT = re.compile(
    r"\b(?:excl\w{0,6}|exkl|ohne|hors|sans|sin|senza|sem|without|before|bez|exclusief)[\s.]{1,3}\Z", re.IGNORECASE
)
# A total of what is taxed at one rate is a part of the total.
_ONE_RATE = re.compile(r"[\s.(\[-]{0,3}(?:\d{1,2}(?:[.,]\d{1,2})? ?)?%")
_GLUED = re.compile(r"\d+(?![\d.,])")
_RATE = re.compile(r"[\s.(\[-]{0,3}%(?!\d)")
_CONTAINS = re.compile(r"[ ]?(?:included|includes) (?:of )?(?:gst|tax|vat|sst)\b", re.IGNORECASE)
_TIPS = frozenset({"tip"})
_SUMMED = TOTALS | {"tax"}
_BLANK = r"[\s:.$€£_]{0,40}"
_LABEL = r"([^\W\d_][^\n\d:$€£_]{1,30}?)"
_OPEN_LINES = re.compile(rf"^[ \t]*{_LABEL}{_BLANK}\n[ \t]*(?={_LABEL}{_BLANK}$)", re.MULTILINE)
"""Two labels one below the other, neither with a value."""
_HELD = re.compile(r"[Pp](?<!\w.)(?i:re-?[ ]?authori[sz]ation\b)")


def is_open(document: Document) -> bool:
    """Whether a slip leaves its total to be written below a tip, or only holds an amount on a card."""
    if "is_open" not in document.cache:
        pairs = (match.groups() for match in _OPEN_LINES.finditer(document.text))
        below_tip = any(_means(one, _TIPS) and _means(two, TOTALS) for one, two in pairs)
        document.cache["is_open"] = below_tip or _HELD.search(document.text) is not None
    return bool(document.cache["is_open"])


def _means(label: str, terms: frozenset[str]) -> bool:
    return any(not terms.isdisjoint(label_terms().get(key, ())) for key in compact_label(label))


def spot_amounts(reader: Reader, binding: Binding, hit: Hit, rank: int) -> Iterator[Spot]:
    """The amount that stands with a label; two where neither is the one."""
    if _is_no_label(reader, binding, hit):
        return
    weak = int(modified(reader, hit)) + (binding.term in TOTALS and hit.term == "line_total")
    relation, values = _amounts_at(reader, binding, hit)
    if not values or (relation != "column" and _is_other(reader, binding, hit)):
        return
    heads = row_heads(reader, hit, values) if relation == "beside" else []
    explained = headed_amount(reader, binding, heads)
    unclear = explained is None and bool(heads) and _are_several(reader, values) and hit.term in _SUMMED
    if unclear and rank >= FIRST_FALLBACK:
        return
    reading = explained or _pick(reader, values, binding)
    if amount_of(reading).as_tuple().exponent == 0 and _is_torn(reader, hit, reading):
        return
    if relation == "beside" and binding.term not in NO_SUMS and names_item(reader, hit, reading):
        return
    priced = is_priced(reader, reading) or (rank in (0, STEM) and _is_measure(reader, binding, hit, reading))
    if not priced and _is_no_amount(reader, binding, hit, reading):
        return
    if relation == "below" and len(reader.page.line(hit.line).chunks) == 1:
        values = reader.values("amount", reader.page.line_at(reading.start))
    pair = _side_by_side(reader, hit, values) if relation != "column" and explained is None else ()
    weak += relation != "column" and _says_other(rest_of_label(reader, hit, reading), binding)
    weak += 2 * (not priced) + (explained is None and not pair and _are_several(reader, values))
    # Later terms only sometimes say the same, such as a subtotal for the total; so does net.
    stands_in = unclear or rank > FIRST_FALLBACK or (rank == FIRST_FALLBACK and hit.term == "net")
    stands_in = stands_in or (rank > 0 and binding.term in TOTALS and is_paid_back(reader, hit))
    for each in pair or (reading,):
        yield Spot(each, hit, relation, rank, weak, basis="stand_in" if stands_in else "name")


def _amounts_at(reader: Reader, binding: Binding, hit: Hit) -> tuple[Relation, list[Reading]]:
    """Amounts beside a label, or else under it."""
    relation: Relation = "beside"
    values = amounts_beside(reader, hit, asks_other_period(reader, hit))
    if all(_is_percent(reader, reading) for reading in values):
        relation, values = under_label(reader, hit)
    return relation, of_kind(reader, binding, values)


def _is_no_amount(reader: Reader, binding: Binding, hit: Hit, reading: Reading) -> bool:
    """Whether a bare number is something else than a sum of money: how many there are, the number of a house."""
    if _writes_cents(reader) or (binding.term != "count" and _counts(reader, hit, reading)):
        return True
    return binding.term not in NO_SUMS and _is_of_house(reader, reading)


def _is_no_label(reader: Reader, binding: Binding, hit: Hit) -> bool:
    """Whether a label names something else: a rate, what a card holds, what is still to be written."""
    rate = _ONE_RATE if binding.term in TOTALS else _RATE
    if rate.match(reader.text, hit.end) or _GLUED.match(reader.text, hit.end):
        return True
    if names_other(reader, hit) or is_of_other_time(reader, hit):
        return True
    if hit.term == "amount_due":
        return _is_kept(reader, binding, hit)
    of_row = binding.term in TOTALS and hit.term == "line_total" and not modified(reader, hit)
    return of_row and is_open(reader.context.document)


_BALANCE = re.compile(r"(?:remaining )?(?:balance|saldo)", re.IGNORECASE)


def _is_kept(reader: Reader, binding: Binding, hit: Hit) -> bool:
    """Whether a balance is what a card or an account holds: "Card balance"; what remains is never the total."""
    label = _BALANCE.fullmatch(reader.text, hit.start, hit.end)
    if label is None:
        return False
    previous = reader.scan.before(hit)
    owned = previous is not None and previous.term not in TOTALS and hit.start - previous.end == 1
    return owned or modified(reader, hit) or (binding.term == "total" and " " in label[0])


def _is_percent(reader: Reader, reading: Reading) -> bool:
    return reader.text[reading.end : reading.end + 2].lstrip()[:1] == "%"


def _says_other(gap: str, binding: Binding) -> bool:
    """Whether the words behind a label make it another one, as in "Total CPP"; of sums, if none is a usual one."""
    if binding.term is None:
        return says_more(gap)
    words = WORDS.findall(gap)
    return bool(words) and not any(map(is_usual, words))


_OR = re.compile(rf"\s*(?:[^\w\s]|{OR}|of)?\s{{0,3}}", re.IGNORECASE)
_EITHER = re.compile(rf"\s{{0,3}}(?:[/|]|{OR}|{AND})\s{{0,3}}", re.IGNORECASE)
_TO = re.compile(rf"\s{{0,3}}(?:[-–—]|{TO})\s{{0,3}}", re.IGNORECASE)


def _side_by_side(reader: Reader, hit: Hit, values: list[Reading]) -> tuple[Reading, ...]:
    """Amounts of which none is the one: the same in several currencies, or the ends of a range."""
    if len(values) < 2 or any(map(str.isalnum, between(reader, hit, values[0]))):
        return ()
    currencies = {reading.value.currency for reading in values if isinstance(reading.value, Money)}
    gaps = [gap_between(reader.text, left, right) for left, right in pairwise(values)]
    if len(currencies) == len(values) and all(map(_OR.fullmatch, gaps)):
        return tuple(values)
    if len(values) == 2 and _EITHER.fullmatch(gaps[0]) and is_priced(reader, values[0]) == is_priced(reader, values[1]):
        return tuple(values)
    if len(values) == 2 and gaps[0].isspace() and all(is_priced(reader, reading) for reading in values):
        return () if are_headed(reader, hit, values) else tuple(values)
    return _range(values[0], values[1], gaps[0]) if len(values) == 2 else ()


def _are_several(reader: Reader, values: list[Reading]) -> bool:
    return sum(is_priced(reader, reading) for reading in values) > 1


def _range(first: Reading, second: Reading, gap: str) -> tuple[Reading, ...]:
    if not _TO.fullmatch(gap) or amount_of(first) >= amount_of(second):
        return ()
    if isinstance(first.value, Money):
        same = isinstance(second.value, Money) and first.value.currency == second.value.currency
        return (first, second) if same else ()
    if amount_of(first).as_tuple().exponent != amount_of(second).as_tuple().exponent:
        return ()
    if not isinstance(second.value, Money):
        return first, second
    currency = second.value.currency
    return attrs.evolve(
        first, value=Money(first.value, currency), transforms=(*first.transforms, f"money:{currency}")
    ), second


def _is_torn(reader: Reader, hit: Hit, reading: Reading) -> bool:
    line = reader.page.line(reader.page.line_at(reading.start))
    chunk = line.chunks[reader.page.chunk_at(reading.start)]
    return is_torn(reader.text, max(chunk[0], hit.end), chunk[1])


def _is_measure(reader: Reader, binding: Binding, hit: Hit, reading: Reading) -> bool:
    """Whether a whole number right after a label of the contract is what a field that is no sum of money asks for."""
    if binding.term or reader.context.field.type is not FieldType.DECIMAL:
        return False
    return not any(map(str.isalnum, between(reader, hit, reading)))


def _counts(reader: Reader, hit: Hit, reading: Reading) -> bool:
    """Whether a bare number says how many, as in "10 items"."""
    following = reader.scan.after(hit)
    return following is not None and following.term == "count" and following.start - reading.end in (0, 1)


def _writes_cents(reader: Reader) -> bool:
    """Whether amounts on this page have cents, so that a bare whole number is something else."""
    cache = reader.context.document.cache
    if "writes_cents" not in cache:
        cache["writes_cents"] = bool(CENTS.search(reader.text))
    return bool(cache["writes_cents"])


def _is_of_house(reader: Reader, reading: Reading) -> bool:
    """Whether a number begins a street."""
    chunk = reader.page.line(reader.page.line_at(reading.start)).chunks[reader.page.chunk_at(reading.start)]
    return numbers_words(reader, reading) and is_street(reader.text[reading.start : chunk[1]])


def _is_other(reader: Reader, binding: Binding, hit: Hit) -> bool:
    """Whether the words around a label make it another one: a total before tax, a tax within a total."""
    if hit.term in TOTALS and binding.term in TOTALS:
        return bool(_EXCLUDED.match(reader.text, hit.end) or _CONTAINS.match(reader.text, hit.end))
    if hit.term == "tax" and _WITHOUT.search(reader.text, max(0, hit.start - 16), hit.start):
        return True
    return is_within_total(reader, hit)


def _pick(reader: Reader, values: list[Reading], binding: Binding) -> Reading:
    """Of several amounts in a row those with a currency, then with cents; of totals the largest, of taxes the last."""
    values = [r for r in values if not _is_percent(reader, r)] or values
    signed = [r for r in values if is_signed(reader, r)]
    cents = [r for r in values if amount_of(r).as_tuple().exponent != 0]
    pool = signed or cents or values
    if binding.term in TOTALS:
        return max(pool, key=amount_of)
    return pool[-1] if binding.term == "tax" or binding.term in TAXES else pool[0]
