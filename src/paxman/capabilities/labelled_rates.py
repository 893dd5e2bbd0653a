"""Percentages beside or below a label: rates of tax, and shares."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from paxman.capabilities.business_terms import TAXES, says_rate
from paxman.capabilities.label_binding import FIRST_FALLBACK, Binding
from paxman.capabilities.label_layout import (
    Reader,
    Relation,
    Spot,
    below,
    beside,
    between,
    ends_chunk,
    in_prose,
    modified,
)
from paxman.capabilities.label_scan import Hit
from paxman.capabilities.title_numbers import PARENTHESES, differ_below, fills_chunk
from paxman.recognizers import Reading
from paxman.recognizers.base import IN_BRACKETS

_RATE = re.compile(r"[\d.,]+\s?%?|\( ?[\d.,]+\s?% ?\)")


def spot_rates(reader: Reader, binding: Binding, hit: Hit, rank: int) -> Iterator[Spot]:
    """The percentage beside a label or below it; a bare number only where the label speaks of a rate, and no amount."""
    if rank >= FIRST_FALLBACK:
        yield from _rate_of_tax(reader, hit, rank)
        return
    weak = int(modified(reader, hit))
    bare = ("percent", "amount") if rank == 0 or hit.term == "tax_rate" else ("percent",)
    for kind in bare:
        relation: Relation = "beside"
        values = beside(reader, kind, hit) or _rate_before(reader, hit)
        if not values and ends_chunk(reader, hit):
            relation, values = "below", [] if differ_below(reader, hit, kind) else below(reader, kind, hit)
        for reading in [r for r in values if _RATE.fullmatch(reader.text, r.start, r.end)][:1]:
            yield Spot(_positive(reading), hit, relation, rank, weak)
            return


def _rate_of_tax(reader: Reader, hit: Hit, rank: int) -> Iterator[Spot]:
    """The percentage right behind a tax or before it: "Sales tax (7%)"; one tax of several tells no rate."""
    if not TAXES.isdisjoint(hit.terms):
        return
    values = [r for r in beside(reader, "percent", hit)[:1] if not _is_apart(reader, hit, r)]
    for reading in values or _rate_before(reader, hit):
        yield Spot(_positive(reading), hit, "beside", rank)


def _positive(reading: Reading) -> Reading:
    """The rate of a tax, which brackets do not make negative."""
    return reading.alternatives[0] if reading.rule == IN_BRACKETS else reading


def _rate_before(reader: Reader, hit: Hit) -> list[Reading]:
    """The percentage that ends right before a label, and does not belong to another one: "19 % MwSt."."""
    values, before = reader.values("percent", hit.line), reader.scan.before(hit)
    place = bisect_left(values, hit.start, key=lambda value: value.end)
    found = [r for r in values[max(0, place - 1) : place] if reader.text[r.end : hit.start] == " "]
    led = found and before and not reader.text[before.end : found[0].start].strip(_LEADS)
    return [] if led else found


_LEADS = " \t.:=("


def spot_shares(reader: Reader, binding: Binding, hit: Hit, rank: int) -> Iterator[Spot]:
    """The only percentage beside a label or below it; of a field that says no rate, where no amount stands there."""
    amounts = beside(reader, "amount", hit)
    if amounts and not says_rate(reader.context.field):
        return
    relation: Relation = "beside"
    values = beside(reader, "percent", hit)
    if not values and ends_chunk(reader, hit) and not differ_below(reader, hit, "percent"):
        relation, values = "below", [r for r in below(reader, "percent", hit, 1) if fills_chunk(reader, r)]
    elif values and (_is_apart(reader, hit, values[0]) or in_prose(reader, hit, values)):
        return
    weak = modified(reader, hit)
    if len(values) == 1:
        yield Spot(values[0], hit, relation, rank, int(weak), "stand_in" if weak or amounts else "name")


def _is_apart(reader: Reader, hit: Hit, reading: Reading) -> bool:
    """Whether more than brackets stands between a label and a value."""
    return any(map(str.isalnum, PARENTHESES.sub("", between(reader, hit, reading))))
