"""What else on a page speaks for an amount: payments, sums of parts, charges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property
from itertools import product

from paxman.capabilities.amount_columns import amounts_beside
from paxman.capabilities.amount_places import (
    MOST_PARTS,
    amount_of,
    below_label,
    beside_label,
    goes_on,
    heads_sums,
    is_priced,
    is_within_total,
    names_item,
    says_more,
)
from paxman.capabilities.business_terms import TAXES
from paxman.capabilities.label_layout import WORDS, Reader, Spot, between, heads_line, words_before
from paxman.capabilities.label_scan import Hit
from paxman.capabilities.sum_names import names_other
from paxman.recognizers import Reading

_FIGURE = re.compile(r"\d[\d.,]*")
_CASH = re.compile(r"cash|bar|esp[eè]ces|efectivo|[ck]ontant|dinheiro|numer[aá]ri|gotówk|tunai|käteis", re.IGNORECASE)
_NEAR = 6
_DAY = re.compile(r"\d[/.-]\d")


class Witnesses:
    """Sums on the page that speak for an amount: what was paid less the change, net and tax, items."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._found: dict[str, list[tuple[Hit, Reading]]] = reader.context.document.cache.setdefault("witnesses", {})

    def readings(self, *terms: str) -> Iterator[tuple[Hit, Reading]]:
        """Labels of these terms with the amount beside each, found once for a page."""
        for term in terms:
            if term not in self._found:
                hits = self.reader.scan.by_term.get(term, ())[:MOST_PARTS]
                self._found[term] = [found for hit in hits for found in self._with(hit)]
            yield from self._found[term]

    def _with(self, hit: Hit) -> Iterator[tuple[Hit, Reading]]:
        if is_within_total(self.reader, hit) or names_other(self.reader, hit):
            return
        beside = [r for r in amounts_beside(self.reader, hit) if is_priced(self.reader, r)]
        if beside and len(WORDS.findall(between(self.reader, hit, beside[0]))) < 2:
            if not names_item(self.reader, hit, beside[-1]):
                yield hit, beside[-1]
        elif not beside and (heads_line(self.reader, hit) or self._is_in_strip(hit)):
            yield from ((hit, r) for r in below_label(self.reader, hit) if is_priced(self.reader, r))

    def _is_in_strip(self, hit: Hit) -> bool:
        """Whether a label is one of several sums in a row, with one row of amounts below them."""
        return heads_sums(self.reader, hit) and not goes_on(self.reader, hit)

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

    @property
    def is_owed(self) -> bool:
        """Whether something else is due than what was paid, with or without a tip: then that is a part of the total."""
        dues = {abs(due) for due in self.amounts("amount_due") if due}
        return not dues <= self.paid and self.paid.isdisjoint(self.charged)

    def _may_exceed(self, hit: Hit, given: Reading) -> bool:
        """Whether money is given in cash, or its change is not read, and nothing else on the page says the amount."""
        text = self.reader.text
        figure = _FIGURE.search(text, given.start, given.end)
        is_cash = "change" in self.reader.scan.by_term or _CASH.search(text, hit.start, hit.end)
        return bool(figure and is_cash and text.count(figure[0]) < 2)

    @cached_property
    def taxes(self) -> frozenset[Decimal]:
        """Each tax, all different ones, and all of them, for two may be equal: "CGST 9.00, SGST 9.00"."""
        taxes = [amount_of(reading) for _, reading in self.readings("tax")]
        return frozenset((*taxes, sum(set(taxes), Decimal(0)), sum(taxes, Decimal(0)))) if taxes else frozenset()

    @cached_property
    def sums(self) -> frozenset[Decimal]:
        """Net amounts with one tax or all of them, after rounding or a discount."""
        discounts = [Decimal(0), *(-abs(amount) for amount in self.amounts("discount"))]
        steps = self.taxes or [Decimal(0)], discounts, [Decimal(0), *self.roundings]
        parts = self.amounts("net", "subtotal")
        return frozenset(part + sum(step) for part, *step in product(parts, *steps) if any(step)) - {Decimal(0)}

    @cached_property
    def grossed(self) -> frozenset[Decimal]:
        """Totals with all taxes: a page may call both the sum of its lines and what is to be paid a total."""
        taxes = [amount_of(reading) for _, reading in self.readings("tax")]
        sums = {sum(taxes, Decimal(0)), sum(set(taxes), Decimal(0))} - {Decimal(0)}
        steps = [Decimal(0), *self.roundings]
        return frozenset(total + tax + step for total, tax, step in product(self.amounts("total"), sums, steps))

    @cached_property
    def charged(self) -> frozenset[Decimal]:
        """Sums with all charges and tips, with taxes or without."""
        added, taxes = sum(amount_of(r) for r in self.charges), sum(self.amounts("tax"), Decimal(0))
        parts = self.amounts("net", "subtotal", "total", "amount_due", "line_total") if added else ()
        return frozenset(part + step for part in parts for step in (added, added + taxes))

    def is_charged(self, value: Decimal, spots: list[Spot]) -> bool:
        """Whether a sum with charges stands below them, as it does if they were added, and without a condition."""
        if value not in self.charged:
            return False
        last = max(reading.start for reading in self.charges)
        gaps = (between(self.reader, s.hit, s.reading) for s in spots if s.reading.start > last)
        return any(not says_more(gap) and not _DAY.search(gap) for gap in gaps)

    @cached_property
    def charges(self) -> list[Reading]:
        """Charges and tips, each once, but no advice on them: "Tip guide"."""
        found = self.readings("charge")
        return [*{amount_of(r): r for hit, r in found if not says_more(between(self.reader, hit, r))}.values()]

    @cached_property
    def roundings(self) -> list[Decimal]:
        return [step for step in self.amounts("rounding") if step]

    @cached_property
    def left(self) -> frozenset[Decimal]:
        """What is left of a total after a part of it was paid."""
        parts = [abs(part) for part in self.amounts("tendered", "deposit") if part]
        return frozenset(total - part for total in self.amounts("total") for part in parts)

    @cached_property
    def untaxed(self) -> dict[Decimal, tuple[Hit, Reading]]:
        """Totals with the net amount below that each is with the taxes above it, and that no total exceeds."""
        totals = {abs(amount_of(reading)): reading.start for _, reading in self._bare("total")}
        most = max(totals, default=Decimal(0))
        nets = [(hit, net) for hit, net in self._bare("net") if abs(amount_of(net)) > most > 0]
        found = ((abs(amount_of(each[1])) - step, each) for each in nets for step in self._added_above(each[1]))
        return {total: each for total, each in found if totals.get(total, each[1].start) < each[1].start}

    def _added_above(self, net: Reading) -> set[Decimal]:
        """Each tax above a net amount, and all of them; none if one was withheld, or another is added below."""
        taxes = list(self._bare("tax"))
        above = [abs(amount_of(tax)) for _, tax in taxes if tax.start < net.start]
        steps = {*above, sum(above, Decimal(0))}
        below = {abs(amount_of(tax)) for _, tax in taxes if tax.start > net.start}
        return set() if below - steps - {Decimal(0)} or any(self._is_withheld(*tax) for tax in taxes) else steps

    def _is_withheld(self, hit: Hit, tax: Reading) -> bool:
        return _WITHHELD.search(words_before(self.reader, hit) + self.reader.text[hit.start : tax.start]) is not None

    def _bare(self, term: str) -> Iterator[tuple[Hit, Reading]]:
        """Labels with the amount beside each, which on a page without cents has none either."""
        found = list(self.readings(term))
        hits = () if found else self.reader.scan.by_term.get(term, ())[:MOST_PARTS]
        yield from found or ((hit, r) for hit in hits for r in beside_label(self.reader, hit)[-1:])

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
        # Where a net amount is printed, several taxes do not make another one the net.
        taxes = self.amounts("tax") if self.amounts("net") else self.taxes
        others = self.amounts("net", "subtotal") if term == "tax" or term in TAXES else taxes if term == "net" else ()
        totals, steps = self.amounts("total", "amount_due"), (Decimal(0), *self.roundings)
        return any(value + other + step in totals for other, step in product(others, steps))

    def is_untaxed(self, value: Decimal) -> bool:
        """Whether a subtotal is the total too, on a page that speaks of no tax."""
        return "tax" not in self.reader.scan.by_term and value in self.amounts("total")

    @cached_property
    def owes_more(self) -> bool:
        """Whether something was paid before or taken off, or is still owed from before."""
        if "old_balance" in self.reader.scan.by_term or _TAKEN_OFF.search(self.reader.text, 0, _LONGEST_BILL):
            return True
        return any(self.amounts("tendered", "deposit"))


_WITHHELD = re.compile(r"withh|deduct|retain|reten|riten|einbeh|irpf|\btds\b", re.IGNORECASE)
_TAKEN_OFF = re.compile(r"[ \t][-\u2212] ?[^\w\s]?\d[\d.,']*[.,]\d\d\b")
_LONGEST_BILL = 20_000
