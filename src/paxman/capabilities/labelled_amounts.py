"""Amounts by their label: which of several totals is the one, with arithmetic as a witness."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from operator import itemgetter

import attrs

from paxman.capabilities.amount_places import MOST_PARTS, RATED, amount_of, is_priced, says_more
from paxman.capabilities.amount_spots import is_open, spot_amounts
from paxman.capabilities.amount_witnesses import Witnesses
from paxman.capabilities.business_terms import TAXES
from paxman.capabilities.label_binding import FIRST_FALLBACK, STEM, Binding, says_gross
from paxman.capabilities.label_layout import Reader, Spot, between, modified, rest_of_label, settle
from paxman.capabilities.label_scan import Hit
from paxman.recognizers import Reading

_FINAL = re.compile(
    r"grand|payable|due|round|nett|final|ttc|brutto|gross|incl|inkl|inc\b|with|to pay|keseluruhan", re.IGNORECASE
)


def choose_amounts(reader: Reader, binding: Binding, hits: list[tuple[Hit, int]]) -> list[Spot]:
    """The amount that a field's labels stand with."""
    spots = [spot for hit, rank in hits for spot in spot_amounts(reader, binding, hit, rank)]
    spots = [spot for spot in spots if binding.term != "discount" or _is_share(reader, spot.hit, spot.reading)]
    witnesses = Witnesses(reader)
    if binding.term == "total":
        spots = _without_parts(reader, _without_rows(reader, _without_dues(reader, spots, witnesses)))
        spots = _with_payable(_without_gross(reader, binding, spots, witnesses), witnesses)
        best = _best_total(reader, spots, witnesses)
    else:
        spots = _without_payable(spots, witnesses) if spots and binding.term == "net" else spots
        best = _best_part(reader, spots, binding.term, witnesses) if spots else []
        if binding.term == "amount_due":
            best = _with_charges(reader, [spot for spot in best if not _is_settled(spot, witnesses)], spots)
    if len({amount_of(spot.reading) for spot in best}) > 1:
        return best
    return [attrs.evolve(spot, basis="stand_in") if _is_loose(reader, binding, spot) else spot for spot in best]


def _is_settled(spot: Spot, witnesses: Witnesses) -> bool:
    """Whether a total would stand in for what is due, though the page says that some or all of it was paid."""
    return spot.hit.term == "total" and spot.rank > STEM and any(witnesses.amounts("tendered", "deposit"))


def _with_charges(reader: Reader, best: list[Spot], spots: list[Spot]) -> list[Spot]:
    """What is due, or where lines below it add up with it, their sum if that is called so too; else it is less sure."""
    first = min(best, key=lambda spot: spot.reading.start, default=None)
    total = _sum_below(reader, first.reading) if first else None
    if total is None:
        return best
    later = [spot for spot in spots if spot.hit.term == "amount_due" and amount_of(spot.reading) == total]
    return later or [attrs.evolve(spot, basis="stand_in") for spot in best]


def _sum_below(reader: Reader, reading: Reading) -> Decimal | None:
    """What an amount and those of the lines right below it add up to, if the line below these says so."""
    total, first = amount_of(reading), reader.page.line_at(reading.start)
    for place, line in enumerate(reader.page.below(first, _MOST_CHARGES)):
        row = [each for each in reader.values("amount", line) if is_priced(reader, each)]
        if len(row) != 1 or amount_of(row[0]) <= 0 or _is_payment(reader, line):
            return None
        if place and amount_of(row[0]) == total:
            return total
        total += amount_of(row[0])
    return None


def _is_payment(reader: Reader, line: int) -> bool:
    label = reader.scan.first_on(line)
    return label is not None and "tendered" in label.terms


_MOST_CHARGES = 6


def _without_dues(reader: Reader, spots: list[Spot], witnesses: Witnesses) -> list[Spot]:
    """Amounts less what is due, if the contract asks for it too; the only one of a page may stand in for the total."""
    named = [spot for spot in spots if spot.rank <= FIRST_FALLBACK or "amount_due" not in spot.hit.terms]
    if named or not spots or witnesses.owes_more:
        return named
    due = [spot for spot in spots if not spot.weak]
    is_rest = any(_REST.match(reader.text, spot.hit.start, spot.hit.end) for spot in due)
    return due if len({amount_of(spot.reading) for spot in due} | {Decimal(0)}) == _ONE_DUE and not is_rest else []


_ONE_DUE = 2
"""One amount, and zero, which is never what a paper is about."""
_REST = re.compile(
    r"(?:balance|saldo)\Z|.{0,20}?(?:rest|remain|outstanding|offen|noch|nog\b|openst|pend|pozosta|kvar|zbýv|kalan|sisa)",
    re.IGNORECASE,
)


def _without_parts(reader: Reader, spots: list[Spot]) -> list[Spot]:
    """Amounts less those of a totals row of net and tax, which make up another one: that sums up a table of taxes."""
    values = {amount_of(spot.reading) for spot in spots}
    return [spot for spot in spots if len(values) == 1 or not _is_of_parts(reader, spot, values)]


def _without_gross(reader: Reader, binding: Binding, spots: list[Spot], witnesses: Witnesses) -> list[Spot]:
    """Amounts less those that are called gross and yet are below the net one: what is called net is to be paid."""
    most = max(witnesses.amounts("net"), default=Decimal(0))
    if not most or binding.says_gross:
        return spots
    return [spot for spot in spots if amount_of(spot.reading) >= most or not says_gross(reader.scan, spot.hit)]


def _with_payable(spots: list[Spot], witnesses: Witnesses) -> list[Spot]:
    """Totals, or the net one below that is a total with tax instead: what is called net there is to be paid."""
    untaxed = witnesses.untaxed
    if not untaxed:
        return spots
    named = [spot for spot in spots if abs(amount_of(spot.reading)) not in untaxed and spot.hit.term != "net"]
    return named + [
        Spot(reading, hit, "beside", FIRST_FALLBACK, 0, basis="stand_in") for hit, reading in untaxed.values()
    ]


def _without_payable(spots: list[Spot], witnesses: Witnesses) -> list[Spot]:
    payable = [reading for _, reading in witnesses.untaxed.values()]
    return [spot for spot in spots if spot.reading not in payable]


def _is_of_parts(reader: Reader, spot: Spot, values: set[Decimal]) -> bool:
    row = [r for r in reader.values("amount", reader.page.line_at(spot.reading.start)) if is_priced(reader, r)]
    return len(row) == 2 and 0 < amount_of(row[1]) < amount_of(row[0]) and sum(map(amount_of, row)) in values


def _without_rows(reader: Reader, spots: list[Spot]) -> list[Spot]:
    """Amounts less those of rows; without any other, the largest of the page behind such a label: "Fare: £32.00"."""
    named = [spot for spot in spots if spot.hit.term != "line_total" or spot.rank <= STEM]
    if named or not spots or is_open(reader.context.document):
        return named
    lines = range(min(len(reader.page), _MOST_LINES))
    amounts = (reading for line in lines for reading in reader.values("amount", line) if is_priced(reader, reading))
    largest = max(map(amount_of, amounts), default=None)
    alone = all(spot.relation == "beside" and amount_of(spot.reading) == largest for spot in spots)
    return spots if alone else []


_MOST_LINES = 200


def _is_loose(reader: Reader, binding: Binding, spot: Spot) -> bool:
    """Whether the label may be another one: it has more words, "Total labour", or does not say gross and must."""
    if spot.basis != "name":
        return False
    if binding.says_gross and spot.rank > STEM:
        return True
    goes_on = spot.relation != "column" and says_more(rest_of_label(reader, spot.hit, spot.reading))
    return goes_on or modified(reader, spot.hit)


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


def _best_part(reader: Reader, spots: list[Spot], term: str | None, witnesses: Witnesses) -> list[Spot]:
    """Net or tax: one that makes up a total with its counterpart before any other; rivals stay if they are as good."""
    whole = [spot for spot in spots if witnesses.completes(term, amount_of(spot.reading))]
    if not whole:
        spots = _without_rates(reader, spots, witnesses) if term in RATED else spots
        # A subtotal is net only where tax makes it the total.
        net = [spot for spot in spots if term != "net" or spot.hit.term != "subtotal" or spot.rank == 0]
        untaxed = [spot for spot in spots if spot not in net and witnesses.is_untaxed(amount_of(spot.reading))]
        return settle(net) or [attrs.evolve(spot, basis="stand_in") for spot in settle(untaxed)]
    best = min((spot.weak, spot.rank) for spot in whole)
    level = sorted((spot for spot in whole if (spot.weak, spot.rank) == best), key=lambda spot: -spot.reading.start)
    values = {amount_of(spot.reading) for spot in level}
    level += [spot for spot in whole if spot not in level and amount_of(spot.reading) in values]
    rivals = [spot for spot in spots if spot not in whole and (spot.weak, spot.rank) == best]
    return level + _unexplained(reader, rivals, level, witnesses)


def _unexplained(reader: Reader, spots: list[Spot], chosen: list[Spot], witnesses: Witnesses) -> list[Spot]:
    """Amounts with the label of those that only a sum put first, where nothing says what else they are.

    That of a rate or of another label, one that differs by a tax or charge, and those of sections are no rivals.
    """
    keys, value = {spot.hit.key for spot in chosen}, abs(amount_of(chosen[0].reading))
    spots = [spot for spot in spots if spot.hit.key in keys and not _is_at_rate(reader, spot)]
    if not spots:
        return []
    others = {abs(amount) for amount in witnesses.amounts(*(term for term in _SUMS if term != chosen[0].hit.term))}
    steps = {abs(step) for step in (*witnesses.taxes, *witnesses.amounts(*_STEPS))}
    amounts = [abs(amount_of(spot.reading)) for spot in spots]
    if sum(amounts) in others | {value}:
        return []
    pairs = zip(spots, amounts, strict=True)
    return [spot for spot, amount in pairs if amount not in others and abs(amount - value) not in steps]


_SUMS = ("total", "amount_due", "net", "subtotal", "tax")
_STEPS = ("charge", "discount", "rounding", "deposit", "tendered", "old_balance")
"""What may stand between two sums of one name."""


def _without_rates(reader: Reader, spots: list[Spot], witnesses: Witnesses) -> list[Spot]:
    """Amounts less those of several rates, of which none is the whole, though they may be equal."""
    parts = [spot for spot in spots if _is_at_rate(reader, spot)]
    amounts = [amount_of(spot.reading) for spot in parts]
    named = {term for spot in parts for term in spot.hit.terms[1:2] if term in TAXES}
    several = max(len(set(amounts)), len(named)) > 1 or witnesses.completes(
        parts[0].hit.term if parts else None, sum(amounts, Decimal(0))
    )
    return [spot for spot in spots if spot not in parts] if several else spots


def _is_at_rate(reader: Reader, spot: Spot) -> bool:
    """Whether a percentage stands before an amount in its line."""
    line = reader.page.line(reader.page.line_at(spot.reading.start))
    return _PERCENT.search(reader.text, line.start, spot.reading.start) is not None


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
    scored = [(_points(reader, value, groups, witnesses), group) for value, group in groups.items()]
    best = max(points for points, _ in scored)
    level = sorted((group for points, group in scored if points == best), key=_last, reverse=True)
    if len(level) > 1 and all(spot.basis != "name" for group in level for spot in group):
        return []
    rivals = _rivals(reader, groups, scored, witnesses) if len(level) == 1 < len(groups) else []
    ordered = (_before_charges(groups, level, witnesses), *level, rivals)
    return [spot for group in ordered for spot in sorted(group, key=lambda spot: spot.order)]


def _rivals(
    reader: Reader,
    groups: dict[Decimal, list[Spot]],
    scored: list[tuple[int, list[Spot]]],
    witnesses: Witnesses,
) -> list[Spot]:
    """Totals that would be as good as the best one if no sum spoke for it."""
    points, best = max(scored, key=itemgetter(0))
    value = abs(amount_of(best[0].reading))
    if value in witnesses.paid or not _is_summed(value, groups, witnesses):
        return []
    level = [spot for each, group in scored if group is not best and each >= points - _SUMMED for spot in group]
    return _unexplained(reader, level, best, witnesses)


def _before_charges(groups: dict[Decimal, list[Spot]], level: list[list[Spot]], witnesses: Witnesses) -> list[Spot]:
    """What the contract's own label names, where quite another one names it with charges, and nobody paid that."""
    value = abs(amount_of(level[0][0].reading))
    if len(groups) == 1 or len(level) > 1 or value in witnesses.paid or not witnesses.is_charged(value, level[0]):
        return []
    group = groups.get(value - sum(map(amount_of, witnesses.charges)), [])
    own = {spot.hit.key for spot in group if spot.rank == spot.weak == 0}
    named = any(spot.rank == 0 or key in spot.hit.key for key in own for spot in level[0])
    return group if own and not named else []


def _last(spots: list[Spot]) -> int:
    return max(spot.reading.start for spot in spots)


def _points(reader: Reader, value: Decimal, groups: dict[Decimal, list[Spot]], witnesses: Witnesses) -> int:
    words = max(_is_final(reader, spot) - spot.weak - _DISTANCE[min(spot.rank, 7)] for spot in groups[value])
    is_unrounded = any(value + step in groups for step in witnesses.roundings)
    against = 4 * witnesses.refutes(value) + 2 * (value in witnesses.left) + 2 * is_unrounded
    return words + 4 * (value in witnesses.paid) + _SUMMED * _is_summed(value, groups, witnesses) - against


def _is_summed(value: Decimal, groups: dict[Decimal, list[Spot]], witnesses: Witnesses) -> bool:
    """Whether a total is a sum of other amounts of the page."""
    is_rounded = any(value - step in groups for step in witnesses.roundings)
    made_up = value in witnesses.sums or value in witnesses.grossed or is_rounded
    return made_up or witnesses.is_charged(value, groups[value])


_SUMMED = 2


def _is_final(reader: Reader, spot: Spot) -> bool:
    return spot.hit.term == "amount_due" or _FINAL.search(_phrase(reader, spot)) is not None


_DISTANCE = (0, 0, 1, 1, 2, 3, 4, 2)
"""What a label loses by its rank."""
_UNLABELLED = 7
_PAYMENT = ("tendered", "change", "tax", "rounding")


def _unlabelled(reader: Reader, spots: list[Spot], witnesses: Witnesses) -> Iterator[Spot]:
    """Amounts that no total's label names, but that the payment or the sum of the parts does."""
    settled = witnesses.amounts("change") or (all(spot.basis != "name" for spot in spots) and not witnesses.is_owed)
    wanted = (witnesses.paid if settled else frozenset()) | witnesses.sums
    totals = {abs(amount_of(spot.reading)) for spot in spots}
    if totals.isdisjoint(witnesses.sums):
        wanted |= witnesses.grossed
    # In print that slipped by a line the tax stands at the total, and the total below it.
    wanted |= {witnesses.least + total for total in totals if total and witnesses.refutes(total)}
    wanted -= totals
    rounded = {total + step for total in totals for step in witnesses.roundings} - totals
    if not wanted and not rounded:
        return
    hits = (hit for term in _PAYMENT for hit in reader.scan.by_term.get(term, ())[:MOST_PARTS])
    lines = {near for hit in hits for near in range(max(0, hit.line - 3), min(len(reader.page), hit.line + 3))}
    figures = {_significant(f"{amount:f}") for amount in wanted | rounded}
    for line in (line for line in sorted(lines) if _may_hold(reader, line, figures)):
        for reading in reader.values("amount", line):
            allowed = wanted if _is_named(reader, reading) else wanted | rounded
            if amount_of(reading) in allowed and is_priced(reader, reading) and not _is_part(reader, reading):
                yield Spot(reading, _hit_at(line), "beside", _UNLABELLED, 0, basis="place")


def _may_hold(reader: Reader, line: int, figures: set[str]) -> bool:
    """Whether the digits of an amount stand in a line, which is far cheaper than to read it."""
    place = reader.page.line(line)
    digits = _significant(reader.text[place.start : place.end])
    return any(figure in digits for figure in figures)


def _significant(text: str) -> str:
    return "".join(_DIGITS.findall(text)).strip("0")


_DIGITS = re.compile(r"\d+")


def _is_named(reader: Reader, reading: Reading) -> bool:
    """Whether a label on its line says what an amount is, other than how it was rounded."""
    hit = reader.scan.last_before(reading.start)
    return hit is not None and hit.term != "rounding"


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
