"""Amounts by their label: which of several totals is the one, with arithmetic as a witness."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property
from itertools import product

import attrs

from paxman.capabilities.business_terms import label_terms
from paxman.capabilities.label_binding import Binding
from paxman.capabilities.label_layout import (
    LONGEST_LINE,
    WORDS,
    Reader,
    Relation,
    Spot,
    below,
    beside,
    between,
    heads_items,
    is_labelled,
    modified,
    settle,
    under,
)
from paxman.capabilities.label_scan import Hit
from paxman.contract.labels import compact_word
from paxman.documents.document import Document
from paxman.recognizers import Reading
from paxman.recognizers.currency_names import codes_of
from paxman.types import FieldType, Money

_INCLUDED = re.compile(
    r"(?:\b(?:inc\w{0,8}|with|w|inkl|einschl|mit|ttc|comprise|incluido|inclusa|incluso|inclusief|met|z)\b"
    r"[\s.,]{0,3}(?:of|de|der)?[\s.,@]{0,3}|\([^()\n]{0,20})\Z",
    re.IGNORECASE,
)
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
_FINAL = re.compile(
    r"grand|payable|due|round|nett|final|ttc|brutto|gross|incl|inkl|inc\b|with|to pay|keseluruhan", re.IGNORECASE
)
_TOTALS = frozenset({"total", "amount_due"})
_TIP = r"(?:tip|gratuity|trinkgeld|pourboire|propina|mancia|gorjeta|fooi)"
_BLANK = r"[\s:.$€£_]{0,40}"
_OPEN = re.compile(
    rf"^[ \t]*{_TIP}[ ]?(?:amount)?{_BLANK}\n[ \t]*total{_BLANK}$|\bpre-?[ ]?authori[sz]ation\b",
    re.IGNORECASE | re.MULTILINE,
)
_FIGURE = re.compile(r"\d[\d.,]*")
_CASH = re.compile(r"cash|bar|esp[eè]ces|efectivo|contant|dinheiro|tunai", re.IGNORECASE)
_CENTS = re.compile(r"\d[.,]\d\d(?![\d.,/])")
_MOST_ROWS = 60
_MOST_PARTS = 12
_NEAR = 6
_STANDS_IN = 4
"""Ranks above this are of terms that only sometimes say the same, such as a subtotal for the total; so is net."""


def choose_amounts(reader: Reader, binding: Binding, hits: list[tuple[Hit, int]]) -> list[Spot]:
    """The amount that a field's labels stand with."""
    spots = [spot for hit, rank in hits for spot in _spots(reader, binding, hit, rank)]
    witnesses = Witnesses(reader)
    if binding.term == "total":
        best = _best_total(reader, spots, witnesses)
    else:
        best = _best_part(reader, spots, binding.term, witnesses) if spots else []
    if len({amount_of(spot.reading) for spot in best}) > 1:
        return best
    return [attrs.evolve(spot, basis="stand_in") if _is_loose(reader, spot) else spot for spot in best]


def _is_loose(reader: Reader, spot: Spot) -> bool:
    """Whether the label has more words, and may be another one: "Total deductions", "Fuel total"."""
    if spot.basis != "name":
        return False
    goes_on = spot.relation == "beside" and _says_more(between(reader, spot.hit, spot.reading))
    return goes_on or modified(reader, spot.hit)


def amount_of(reading: Reading) -> Decimal:
    value = reading.value
    return value.amount if isinstance(value, Money) else value


def is_open(document: Document) -> bool:
    """Whether a slip leaves its total to be written below a tip, or only holds an amount on a card."""
    if "is_open" not in document.cache:
        document.cache["is_open"] = _OPEN.search(document.text) is not None
    return bool(document.cache["is_open"])


def _spots(reader: Reader, binding: Binding, hit: Hit, rank: int) -> Iterator[Spot]:
    other = _ONE_RATE if binding.term in _TOTALS else _RATE
    if other.match(reader.text, hit.end) or _GLUED.match(reader.text, hit.end):
        return
    if (
        binding.term in _TOTALS
        and hit.term == "line_total"
        and not modified(reader, hit)
        and is_open(reader.context.document)
    ):
        return
    weak = int(modified(reader, hit)) + (binding.term in _TOTALS and hit.term == "line_total")
    relation: Relation = "beside"
    values = _beside(reader, hit)
    if not values:
        relation, values = _under_label(reader, hit)
    if not values or (relation == "beside" and _is_other(reader, binding, hit, values[0])):
        return
    reading = _pick(reader, values, binding)
    priced = _is_priced(reader, reading) or (rank == 0 and _is_measure(reader, binding, hit, reading))
    if not priced and (_writes_cents(reader) or _counts(reader, hit, reading)):
        return
    if binding.term == "discount" and not _is_share(reader, hit, reading):
        return
    pair = _side_by_side(reader, hit, values) if relation == "beside" else ()
    weak += binding.term is None and relation == "beside" and _says_more(between(reader, hit, reading))
    weak += 2 * (not priced) + (not pair and sum(_is_priced(reader, r) for r in values) > 1)
    stands_in = rank > _STANDS_IN or (rank == _STANDS_IN and hit.term == "net")
    for each in pair or (reading,):
        yield Spot(each, hit, relation, rank, weak, basis="stand_in" if stands_in else "name")


def _says_more(gap: str) -> bool:
    """Whether words between a label and an amount say more than the currency, or whether tax is included."""
    return any(not _is_usual(word) for word in WORDS.findall(gap))


def _is_usual(word: str) -> bool:
    return (
        len(word) < _SHORT_WORD
        or _USUAL.match(word) is not None
        or compact_word(word) in label_terms()
        or bool(codes_of(word))
    )


_SHORT_WORD = 3
_USUAL = re.compile(
    r"in[ck][l]?|exc?k?l|round|adj|after|with|plus|einschl|mit|ohne|comprise|hors|to|pay|due|sales?|am(?:oun)?t",
    re.IGNORECASE,
)
_OR = re.compile(r"\s{0,3}(?:[/=≈|(]|or|oder|bzw\.?|resp\.?|ou|oppure|of|lub|eller)\s{0,3}", re.IGNORECASE)
_TO = re.compile(r"\s{0,3}(?:[-–—]|to|bis|à|a|do|tot|t/m)\s{0,3}", re.IGNORECASE)


def _side_by_side(reader: Reader, hit: Hit, values: list[Reading]) -> tuple[Reading, ...]:
    """Two amounts of which neither is the one: the same in two currencies, or the ends of a range."""
    if len(values) != 2 or any(map(str.isalnum, between(reader, hit, values[0]))):
        return ()
    first, second = values
    gap = reader.text[first.end : second.start]
    if isinstance(first.value, Money) and isinstance(second.value, Money) and _OR.fullmatch(gap):
        return (first, second) if first.value.currency != second.value.currency else ()
    if not _TO.fullmatch(gap) or not isinstance(second.value, Money) or amount_of(first) >= amount_of(second):
        return ()
    if isinstance(first.value, Money):
        return (first, second) if first.value.currency == second.value.currency else ()
    if amount_of(first).as_tuple().exponent != amount_of(second).as_tuple().exponent:
        return ()
    currency = second.value.currency
    return attrs.evolve(
        first, value=Money(first.value, currency), transforms=(*first.transforms, f"money:{currency}")
    ), second


_SHARE = re.compile(r"(\d{1,2}(?:[.,]\d{1,2})?) ?% ?\Z")


def _is_share(reader: Reader, hit: Hit, reading: Reading) -> bool:
    """Whether an amount behind "2% discount" is that share of another one on the page, and not what is left to pay."""
    share = _SHARE.search(reader.text, max(0, hit.start - 12), hit.start)
    if share is None:
        return True
    rate = Decimal(share[1].replace(",", ".")) / 100
    amounts = Witnesses(reader).amounts("total", "amount_due", "net", "subtotal")
    return any(abs(abs(amount) * rate - abs(amount_of(reading))) < _CENT for amount in amounts)


_CENT = Decimal("0.01")


def _is_priced(reader: Reader, reading: Reading) -> bool:
    """Whether an amount has cents or a currency."""
    return amount_of(reading).as_tuple().exponent != 0 or _is_signed(reader, reading)


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
        cache["writes_cents"] = bool(_CENTS.search(reader.text))
    return bool(cache["writes_cents"])


def _is_signed(reader: Reader, reading: Reading) -> bool:
    quote = reader.text[reading.start : reading.end].strip("()-+ .")
    return not (quote[:1].isdigit() and quote[-1:].isdigit())


def _under_label(reader: Reader, hit: Hit) -> tuple[Relation, list[Reading]]:
    """The amount below a label; where it heads a column of several, that of the totals row."""
    below = [] if heads_items(reader, hit) else _below(reader, hit)
    column = [] if below and not _heads_sums(reader, hit) else _in_column(reader, hit)
    if not column and below and hit.term in _RATED and _goes_on(reader, hit):
        return "below", []
    return ("column", column) if column else ("below", below)


_RATED = frozenset({"tax", "net"})


def _goes_on(reader: Reader, hit: Hit) -> bool:
    """Whether a column has other amounts in two rows of several: one for each rate, and neither is the whole."""
    amounts = []
    for row in reader.page.below(hit.line, 2):
        chunk, found = under(reader.page, hit, row), reader.values("amount", row)
        amounts += [amount_of(r) for r in found if chunk and len(found) > 1 and chunk[0] <= r.start < chunk[1]][:1]
    return len(reader.page.line(hit.line).chunks) > 1 and len(set(amounts)) > 1


def _below(reader: Reader, hit: Hit) -> list[Reading]:
    """An amount that stands alone under a label, when nothing follows the label in its line."""
    rest = reader.text[hit.end : min(reader.page.line(hit.line).end, hit.end + 80)]
    if len(WORDS.findall(rest)) > 2:
        return []
    found = below(reader, "amount", hit, 1)[:1]
    return [r for r in found if not WORDS.search(reader.text[_chunk_start(reader, r) : r.start])]


def _heads_sums(reader: Reader, hit: Hit) -> bool:
    """Whether a label heads a column of sums, one row for each rate: another such label stands in its line."""
    first = reader.scan.first_on(hit.line)
    hits = reader.scan.hits[first.index : first.index + _MOST_PARTS] if first else ()
    return sum(other.line == hit.line and other.term in _SUMS for other in hits) > 1


_SUMS = frozenset({"net", "tax", "total", "amount_due", "subtotal"})


def _chunk_start(reader: Reader, reading: Reading) -> int:
    line = reader.page.line(reader.page.line_at(reading.start))
    return line.chunks[reader.page.chunk_at(reading.start)][0]


def _beside(reader: Reader, hit: Hit) -> list[Reading]:
    """Amounts after a label; a tax that is named as included does not end it."""
    stop = reader.page.line(hit.line).end
    following = reader.scan.after(hit)
    while following:
        if not _INCLUDED.search(reader.text[hit.end : following.start]):
            stop = following.start
            break
        following = reader.scan.after(following)
    return beside(reader, "amount", hit, stop)


def _is_other(reader: Reader, binding: Binding, hit: Hit, reading: Reading) -> bool:
    """Whether the words around a label make it another one: a total before tax, a tax within a total."""
    if hit.term in _TOTALS and binding.term in _TOTALS:
        return bool(_EXCLUDED.match(reader.text, hit.end) or _CONTAINS.match(reader.text, hit.end))
    if hit.term == "tax" and _WITHOUT.search(reader.text, max(0, hit.start - 16), hit.start):
        return True
    previous = reader.scan.before(hit)
    within = previous and _INCLUDED.search(reader.text[previous.end : hit.start])
    return bool(within and previous and previous.term in _TOTALS and hit.term == "tax")


def _pick(reader: Reader, values: list[Reading], binding: Binding) -> Reading:
    """Of several amounts in a row those with a currency, then with cents; of totals the largest, of taxes the last."""
    signed = [r for r in values if _is_signed(reader, r)]
    cents = [r for r in values if amount_of(r).as_tuple().exponent != 0]
    pool = signed or cents or values
    if binding.term in _TOTALS:
        return max(pool, key=amount_of)
    return pool[-1] if binding.term == "tax" else pool[0]


def _in_column(reader: Reader, hit: Hit) -> list[Reading]:
    """The amount of the totals row below a heading, or that of the only row."""
    page = reader.page
    if page.line(hit.line).end - page.line(hit.line).start > LONGEST_LINE:
        return []
    for lower in page.below(hit.line, _MOST_ROWS):
        first = reader.scan.first_on(lower)
        if first is None or first.term != "total":
            continue
        values = [r for r in reader.values("amount", lower) if r.start > first.end]
        chunk = under(page, hit, lower)
        named = chunk is None or is_labelled(reader, chunk)
        return [] if chunk is None or named else [r for r in values if chunk[0] <= r.start < chunk[1]]
    return []


class Witnesses:
    """Sums on the page that speak for an amount: what was paid less the change, net and tax, items."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def readings(self, *terms: str) -> Iterator[tuple[Hit, Reading]]:
        """Labels of these terms with the amount beside each."""
        for hit in (hit for term in terms for hit in self.reader.scan.by_term.get(term, ())[:_MOST_PARTS]):
            values = [r for r in _beside(self.reader, hit) if _is_priced(self.reader, r)]
            if values and len(WORDS.findall(between(self.reader, hit, values[0]))) < 2:
                yield hit, values[-1]

    def amounts(self, *terms: str) -> list[Decimal]:
        return list(dict.fromkeys(amount_of(reading) for _, reading in self.readings(*terms)))

    @cached_property
    def paid(self) -> frozenset[Decimal]:
        """What was paid: the money given less the change that stands below it."""
        tendered, change = list(self.readings("tendered")), list(self.readings("change"))
        if not change:
            exact = (given for hit, given in tendered if not self._may_exceed(hit, given))
            return frozenset(abs(amount_of(given)) for given in exact) - {Decimal(0)}
        near = ((t, c) for (above, t), (below, c) in product(tendered, change) if abs(below.line - above.line) <= _NEAR)
        return frozenset(abs(amount_of(t)) - abs(amount_of(c)) for t, c in near) - {Decimal(0)}

    def _may_exceed(self, hit: Hit, given: Reading) -> bool:
        """Whether money is given in cash, the change is not printed, and nothing else on the page says the amount."""
        text = self.reader.text
        figure = _FIGURE.search(text, given.start, given.end)
        return bool(figure and _CASH.search(text, hit.start, hit.end) and text.count(figure[0]) < 2)

    @cached_property
    def sums(self) -> frozenset[Decimal]:
        """Net amounts with one tax or all of them, after rounding or a discount."""
        taxes = self.amounts("tax")
        discounts = [Decimal(0), *(-abs(amount) for amount in self.amounts("discount"))]
        steps = {*taxes, sum(taxes, Decimal(0))}, discounts, [Decimal(0), *self.amounts("rounding")]
        parts = self.amounts("net", "subtotal")
        return frozenset(part + sum(step) for part, *step in product(parts, *steps) if any(step)) - {Decimal(0)}

    @cached_property
    def grossed(self) -> frozenset[Decimal]:
        """Totals with all taxes: a page may call both the sum of its lines and what is to be paid a total."""
        taxes = sum(self.amounts("tax"), Decimal(0))
        return frozenset(total + taxes for total in self.amounts("total") if taxes)

    @cached_property
    def left(self) -> frozenset[Decimal]:
        """What is left of a total after a part of it was paid."""
        parts = [abs(part) for part in self.amounts("tendered", "deposit") if part]
        return frozenset(total - part for total in self.amounts("total") for part in parts)

    def refutes(self, total: Decimal) -> bool:
        """Whether a total is nothing, or far less than a subtotal or tax that nothing was taken off."""
        return total == 0 or 2 * total < self.least

    @cached_property
    def least(self) -> Decimal:
        reduced = self.amounts("discount", "deposit") or min(self.amounts("total", "subtotal"), default=0) < 0
        return Decimal(0) if reduced else max(self.amounts("tax", "subtotal"), default=Decimal(0))

    def completes(self, term: str | None, value: Decimal) -> bool:
        """Whether net and tax make a total of the page when this value is one of them."""
        if value == 0:
            return False
        totals = self.amounts("total", "amount_due")
        if term == "tax":
            return any(net + value in totals for net in self.amounts("net", "subtotal"))
        return term == "net" and any(value + tax in totals for tax in self.amounts("tax"))


def _best_part(reader: Reader, spots: list[Spot], term: str | None, witnesses: Witnesses) -> list[Spot]:
    """Net or tax: one that makes up a total with its counterpart before any other; rivals stay if they are as good."""
    whole = [spot for spot in spots if witnesses.completes(term, amount_of(spot.reading))]
    if not whole:
        spots = _without_rates(reader, spots) if term == "tax" else spots
        # A subtotal is net only where tax makes it the total.
        return settle([spot for spot in spots if term != "net" or spot.hit.term != "subtotal" or spot.rank == 0])
    best = min((spot.weak, spot.rank) for spot in whole)
    level = sorted((spot for spot in whole if (spot.weak, spot.rank) == best), key=lambda spot: -spot.reading.start)
    values = {amount_of(spot.reading) for spot in level}
    return level + [spot for spot in whole if spot not in level and amount_of(spot.reading) in values]


def _without_rates(reader: Reader, spots: list[Spot]) -> list[Spot]:
    """Amounts of tax less those of several rates, of which none is the whole."""
    parts = [spot for spot in spots if _PERCENT.search(between(reader, spot.hit, spot.reading))]
    several = len({amount_of(spot.reading) for spot in parts}) > 1
    return [spot for spot in spots if spot not in parts] if several else spots


_PERCENT = re.compile(r"\d ?%")


def _best_total(reader: Reader, spots: list[Spot], witnesses: Witnesses) -> list[Spot]:
    """Totals by what speaks for them: words, payment, sums, place; rivals stay if they are as good."""
    groups: dict[Decimal, list[Spot]] = {}
    for spot in [*spots, *_unlabelled(reader, spots, witnesses)]:
        value = abs(amount_of(spot.reading))
        spot = attrs.evolve(spot, basis="place") if witnesses.refutes(value) else spot
        groups.setdefault(value, []).append(spot)
    if not groups:
        return []
    scored = [(_points(reader, value, group, witnesses), group) for value, group in groups.items()]
    best = max(points for points, _ in scored)
    level = sorted((group for points, group in scored if points == best), key=_last, reverse=True)
    if len(level) > 1 and all(spot.basis != "name" for group in level for spot in group):
        return []
    return [spot for group in level for spot in sorted(group, key=lambda spot: spot.order)]


def _last(spots: list[Spot]) -> int:
    return max(spot.reading.start for spot in spots)


def _points(reader: Reader, value: Decimal, spots: list[Spot], witnesses: Witnesses) -> int:
    words = max(bool(_FINAL.search(_phrase(reader, spot))) - spot.weak - _DISTANCE[min(spot.rank, 7)] for spot in spots)
    summed = value in witnesses.sums or value in witnesses.grossed
    against = 4 * witnesses.refutes(value) + 2 * (value in witnesses.left)
    return words + 4 * (value in witnesses.paid) + 2 * summed - against


_DISTANCE = (0, 0, 1, 1, 2, 3, 4, 2)
"""What a label loses by its rank."""
_UNLABELLED = 7
_PAYMENT = ("tendered", "change", "tax", "rounding")


def _unlabelled(reader: Reader, spots: list[Spot], witnesses: Witnesses) -> Iterator[Spot]:
    """Amounts that no total's label names, but that the payment or the sum of the parts does."""
    settled = all(spot.basis != "name" for spot in spots) or witnesses.amounts("change")
    wanted = (witnesses.paid if settled else frozenset()) | witnesses.sums
    totals = {abs(amount_of(spot.reading)) for spot in spots}
    # In print that slipped by a line the tax stands at the total, and the total below it.
    wanted |= {witnesses.least + total for total in totals if total and witnesses.refutes(total)}
    wanted -= totals
    if not wanted:
        return
    hits = (hit for term in _PAYMENT for hit in reader.scan.by_term.get(term, ())[:_MOST_PARTS])
    lines = {near for hit in hits for near in range(max(0, hit.line - 3), min(len(reader.page), hit.line + 3))}
    for line in sorted(lines):
        for reading in reader.values("amount", line):
            if amount_of(reading) in wanted and _is_priced(reader, reading) and not _is_part(reader, reading):
                yield Spot(reading, _hit_at(line), "beside", _UNLABELLED, 0, basis="place")


def _is_part(reader: Reader, reading: Reading) -> bool:
    """Whether a label on its line says that an amount is something else."""
    hit = reader.scan.last_before(reading.start)
    return hit is not None and hit.term in _PART_TERMS


_PART_TERMS = frozenset({"net", "subtotal", "tax", "discount", "charge", "count", "unit_price", "change"})


def _hit_at(line: int) -> Hit:
    return Hit(0, 0, "", (), line, 0)


def _phrase(reader: Reader, spot: Spot) -> str:
    if spot.rank == _UNLABELLED:
        return ""
    return reader.text[spot.hit.start : spot.hit.end] + between(reader, spot.hit, spot.reading)[:60]
