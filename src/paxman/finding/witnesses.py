"""Witnesses: what the amounts of a page say about each other. They add evidence, and change no value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import cached_property
from itertools import product

from paxman.finding.ledger import Entry

_NEAR = 6
_NOTHING = Decimal(0)
_MOST_OF_A_ROLE = 12


class Witnesses:
    """Sums of the page that speak for an amount: what was paid less the change, net and tax, charges."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._by_role: dict[str, list[Entry]] = {}
        for entry in entries:
            found = self._by_role.setdefault(entry.role, [])
            if entry.said.sure and entry.rank == 0 and len(found) < _MOST_OF_A_ROLE:
                found.append(entry)

    def amounts(self, *roles: str) -> list[Decimal]:
        """The amounts of some roles, each once."""
        return list(dict.fromkeys(abs(entry.value) for role in roles for entry in self._by_role.get(role, ())))

    @cached_property
    def paid(self) -> frozenset[Decimal]:
        """What was paid: the money given less the change near it."""
        given, change = self._by_role.get("tendered", []), self._by_role.get("change", [])
        if not change:
            return frozenset()
        near = ((g, c) for g, c in product(given, change) if abs(g.line - c.line) <= _NEAR)
        return frozenset(abs(g.value) - abs(c.value) for g, c in near) - {_NOTHING}

    @cached_property
    def taxes(self) -> tuple[Decimal, ...]:
        """Each tax, and all of them."""
        found = [abs(entry.value) for entry in self._by_role.get("tax", ())]
        return tuple(dict.fromkeys((*found, sum(found, _NOTHING), sum(set(found), _NOTHING))))

    @cached_property
    def roundings(self) -> tuple[Decimal, ...]:
        return tuple({entry.value for entry in self._by_role.get("rounding", ()) if entry.value})

    @cached_property
    def sums(self) -> frozenset[Decimal]:
        """Parts with their taxes and charges, less discounts, after rounding."""
        return frozenset(self._sums(self.amounts("net", "subtotal"))) - {_NOTHING}

    @cached_property
    def grossed(self) -> frozenset[Decimal]:
        """What is called a total with what is added to it below."""
        return frozenset(self._sums(self.amounts("total"))) - {_NOTHING}

    def _sums(self, parts: Iterable[Decimal]) -> Iterator[Decimal]:
        added = self.amounts("charge")
        steps = (
            (_NOTHING, *self.taxes),
            (_NOTHING, *added, sum(added, _NOTHING)),
            (_NOTHING, *(-amount for amount in self.amounts("discount"))),
            (_NOTHING, *self.roundings),
        )
        return (part + sum(step) for part, *step in product(parts, *map(dict.fromkeys, steps)) if any(step))

    @cached_property
    def left(self) -> frozenset[Decimal]:
        """What is left of a total after a part of it was paid."""
        parts = [part for part in self.amounts("tendered", "deposit") if part]
        return frozenset(total - part for total in self.amounts("total") for part in parts)

    def refutes(self, total: Decimal) -> bool:
        """Whether a total is nothing, or far less than a part of it that nothing was taken off."""
        return total == 0 or 2 * total < self._least

    @cached_property
    def _least(self) -> Decimal:
        return (
            _NOTHING if self.amounts("discount", "deposit") else max(self.amounts("tax", "subtotal"), default=_NOTHING)
        )

    def completes(self, role: str, value: Decimal) -> bool:
        """Whether net and tax make a total of the page when this value is one of them."""
        others = self.amounts("net", "subtotal") if role == "tax" else self.taxes
        totals = {*self.amounts("total", "due")}
        return value != 0 and any(value + o + step in totals for o in others for step in (_NOTHING, *self.roundings))
