"""Witnesses: what the amounts of a page say about each other. They add evidence, and change no value."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cached_property
from itertools import product

from paxman.classes import record
from paxman.finding.sums.ledger import LabelledAmount
from paxman.types import Span

_NEAR = 6
_SLACK = Decimal("0.02")
"""What a total in whole five cents is off at most, where nobody prints the rounding."""
_NOTHING = Decimal(0)
_MOST_OF_A_ROLE = 12
_FEW = 4
_PARTS = frozenset({"tax", "discount", "charge", "change", "deposit", "commission", "tendered", "previous"})
"""Roles of amounts that are never the end of a sum."""


_WHOLE = frozenset({"total", "gross", "net", "due"})
_ADDED = frozenset({"tax", "charge"})
"""Roles that many names of their own have: "city tax", "bag fee"."""


_ENDS = ("total", "due")


@record
class PrintedSum:
    """A sum of the page that adds up, and who has a part in it."""

    text: str
    members: frozenset[tuple[str, Decimal]]
    plain: bool
    """Whether it is a net amount and one tax."""
    is_base: bool
    """Whether the part that it begins with is what the tax is reckoned on."""


class Witnesses:
    """Sums of the page that speak for an amount: what was paid less the change, net and tax, charges."""

    def __init__(self, entries: Iterable[LabelledAmount]) -> None:
        self._entries = tuple(entries)
        self._by_role: dict[str, list[LabelledAmount]] = {}
        for entry in self._entries:
            found = self._by_role.setdefault(entry.role, [])
            counts = (entry.last if entry.role == "tax" else entry.rank == 0) and (
                entry.said.sure or entry.role in _ADDED
            )
            if counts and len(found) < _MOST_OF_A_ROLE:
                found.append(entry)

    def amounts(self, *roles: str) -> list[Decimal]:
        """The amounts of some roles, each once."""
        return list(dict.fromkeys(abs(entry.value) for role in roles for entry in self._by_role.get(role, ())))

    @cached_property
    def paid(self) -> frozenset[Decimal]:
        """What was paid: the money given less the change near it; without change, what stands there once more."""
        if self._by_role.get("change"):
            return frozenset(self._settled)
        given, times = self._by_role.get("tendered", []), Counter(abs(entry.value) for entry in self._entries)
        return frozenset(abs(each.value) for each in given if times[abs(each.value)] > 1) - {_NOTHING}

    @cached_property
    def _settled(self) -> dict[Decimal, str]:
        """What the money given is less the change near it, each as printed; of several payments none tells a total."""
        pairs = product(self._by_role.get("tendered", []), self._by_role.get("change", []))
        near = [(abs(g.value), abs(c.value)) for g, c in pairs if abs(g.line - c.line) <= _NEAR]
        single = len({given for given, _ in near}) == 1
        told = {g - c: f"{g} -{c} = {g - c}, as printed" if c and single else "" for g, c in near}
        return {value: text for value, text in told.items() if value}

    @cached_property
    def taxes(self) -> tuple[Decimal, ...]:
        """Each tax, and all of them."""
        found = [abs(entry.value) for entry in self._by_role.get("tax", ())]
        return tuple(dict.fromkeys((*found, sum(found, _NOTHING), sum(set(found), _NOTHING))))

    @cached_property
    def roundings(self) -> tuple[Decimal, ...]:
        """Steps of rounding, those without a sign in both directions."""
        found = {entry.value for entry in self._by_role.get("rounding", ()) if 0 < abs(entry.value) < 1}
        return tuple(sorted(found | {-step for step in found if step > 0}))

    @cached_property
    def _steps(self) -> tuple[Decimal, ...]:
        """What may be added to a sum: taxes, charges, rounding, and less a discount."""
        return tuple(dict.fromkeys(tax + sum(more, _NOTHING) for tax, more in self._additions if tax or any(more)))

    @cached_property
    def _additions(self) -> list[tuple[Decimal, tuple[Decimal, ...]]]:
        """A tax or none, with what else the page prints between parts and their sum, in every combination."""
        added = self.amounts("charge")[:_FEW]
        others = (
            (_NOTHING, *added, sum(added, _NOTHING)),
            (_NOTHING, *(-amount for amount in self.amounts("discount")[:_FEW])),
            (_NOTHING, *self.roundings[:_FEW]),
        )
        more = list(product(*map(dict.fromkeys, others)))
        return [(tax, each) for tax in dict.fromkeys((_NOTHING, *self.taxes)) for each in more]

    def explained(self, entry: LabelledAmount, role: str, sure: bool) -> str:
        """The sum, as printed, that bears an amount out in a role.

        Of a net amount and one tax it is told only where the label is not sure: fields tell of it themselves.
        """
        value = abs(entry.value)
        sums = (each for each in self._explained if (entry.role, value) in each.members)
        kept = (each for each in sums if not (sure and each.plain) and (role != "net" or each.is_base))
        return next((each.text for each in kept), "") or ("" if sure else self._paid_out(entry))

    def _paid_out(self, entry: LabelledAmount) -> str:
        """The money given less the change, if that is an amount; what no label names may be before a rounding."""
        is_end = entry.role in _ENDS if self.roundings else entry.role in ("", *_ENDS)
        return self._settled.get(abs(entry.value), "") if is_end else ""

    @cached_property
    def _explained(self) -> list[PrintedSum]:
        found = []
        ends = [entry for role in _ENDS for entry in self._by_role.get(role, ()) if entry.value]
        parts = [entry for role in ("net", "subtotal") for entry in self._by_role.get(role, ()) if entry.value]
        prepaid = (_NOTHING, *self.amounts("deposit")[:_FEW])
        for part, (tax, more), paid in product(parts, self._additions, prepaid):
            net = abs(part.value)
            value = net + tax + sum(more, -paid)
            terms = [amount for amount in (tax, *more, -paid) if amount]
            for end in ends if terms else ():
                if abs(end.value) == value and end.line != part.line:
                    members = frozenset({(part.role, net), ("tax", tax), (end.role, value)})
                    text = f"{net} {' '.join(f'{amount:+}' for amount in terms)} = {value}, as printed"
                    plain = terms == [tax] and tax in self.amounts("tax")
                    is_base = part.role == "net" or not sum(more[:2], _NOTHING)
                    found.append(PrintedSum(text, members, plain, is_base))
        return found

    @cached_property
    def _sums(self) -> dict[Decimal, int]:
        """What parts come to with what is added to them, and the line of the first such part."""
        found: dict[Decimal, int] = {}
        for role in ("net", "subtotal", "total"):
            for part in self._by_role.get(role, ()):
                for step in self._steps:
                    value = abs(part.value) + step
                    found[value] = min(part.line, found.get(value, part.line))
        return found

    def is_sum(self, entry: LabelledAmount) -> bool:
        """Whether an amount is what parts above it come to with what is added to them."""
        slack = _SLACK if entry.role in _WHOLE else _NOTHING
        value = abs(entry.value)
        return value != 0 and any(line < entry.line and abs(value - end) <= slack for end, line in self._sums.items())

    def goes_on(self, entry: LabelledAmount) -> bool:
        """Whether something is added to an amount, and what that comes to stands below it."""
        ends = {abs(entry.value) + step for step in self._steps if step}
        below = (abs(other.value) for other in self._ends if other.line > entry.line and other.value != entry.value)
        return any(abs(value - end) <= _SLACK for value in below for end in ends)

    @cached_property
    def _ends(self) -> list[LabelledAmount]:
        return [entry for entry in self._entries if entry.role not in _PARTS and entry.alone]

    def is_row_of_parts(self, entry: LabelledAmount) -> bool:
        """Whether an amount makes up a sum of the page with the other one of its row, as in a table of taxes."""
        row = self._rows[entry.line, entry.label]
        return len(row) == 2 and sum(row, _NOTHING) in self._whole and row[1] < row[0]

    @cached_property
    def _rows(self) -> Mapping[tuple[int, Span], list[Decimal]]:
        """The amounts of each line that stand with the same words."""
        rows: defaultdict[tuple[int, Span], list[Decimal]] = defaultdict(list)
        for entry in self._entries:
            rows[entry.line, entry.label].append(entry.value)
        return rows

    @cached_property
    def _whole(self) -> frozenset[Decimal]:
        return self.paid | frozenset(abs(entry.value) for entry in self._ends)

    @cached_property
    def left(self) -> frozenset[Decimal]:
        """What is left of a total after a part of it was paid."""
        parts = [part for part in self.amounts("tendered", "deposit") if part]
        return frozenset(total - part for total in self.amounts("total") for part in parts)

    def refutes(self, total: Decimal) -> bool:
        """Whether a total is far less than a part of it that nothing was taken off."""
        return 0 < 2 * total < self._least

    @cached_property
    def _least(self) -> Decimal:
        reduced = self.amounts("discount", "deposit")
        sure = (e for role in ("tax", "subtotal") for e in self._by_role.get(role, ()) if e.said.sure and e.alone)
        return _NOTHING if reduced else max((abs(entry.value) for entry in sure), default=_NOTHING)

    def completes(self, role: str, value: Decimal) -> bool:
        """Whether net and tax make a total of the page when this value is one of them."""
        others = self.amounts("net", "subtotal") if role == "tax" else self.taxes
        totals = {*self.amounts("total", "due")}
        return value != 0 and any(value + o + step in totals for o in others for step in (_NOTHING, *self.roundings))

    def unnamed(self) -> Iterator[LabelledAmount]:
        """Amounts that no label of a sum names, but that the payment does, or the sum of the parts."""
        named = frozenset(self.amounts("total", "due"))
        return (e for e in self._ends if abs(e.value) in self.paid or (self.is_sum(e) and abs(e.value) not in named))

    def stands_twice(self, value: Decimal) -> bool:
        """Whether a label of a sum of its own names an amount again."""
        return sum(entry.alone and entry.value == value and entry.said.sure for entry in self._entries) > 0

    def has(self, *roles: str) -> bool:
        """Whether some amount of these roles is more than nothing, if only by a word of its label."""
        return any(entry.value and entry.role in roles for entry in self._entries)

    @cached_property
    def has_several_taxes(self) -> bool:
        """Whether the page has taxes of several names, of which none is the whole."""
        return len({entry.said.term for entry in self._by_role.get("tax", ()) if entry.said.sure}) > 1

    def is_taxed(self, entry: LabelledAmount) -> bool:
        """Whether an amount that is called net is a total with the tax above it."""
        taxes = {step for step in self.taxes if step}
        totals = (other for other in self._by_role.get("total", ()) if other.line < entry.line)
        return any(abs(entry.value) - abs(total.value) in taxes for total in totals)
