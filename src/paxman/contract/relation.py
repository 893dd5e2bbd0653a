"""A condition on fields of a contract: one that it states, or one that what its fields mean implies."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from itertools import product
from operator import mul
from typing import Any

from paxman.classes import frozen
from paxman.contract.expressions import Expression, holds, parse
from paxman.contract.model import CanonicalContract
from paxman.types import Money

_MOST_BETWEEN = 4


@frozen
class Relation:
    """A condition on fields. One that only their meaning implies knows what else may be part of its sum."""

    expression: Expression
    tolerance: Decimal = Decimal(0)
    implied: bool = False
    between: tuple[str, ...] = ()
    soft: bool = False
    """Whether papers may rightly break it: it is told of, but lowers nothing."""

    @property
    def paths(self) -> frozenset[str]:
        return self.expression.names.union(self.between)

    @property
    def chosen(self) -> frozenset[str]:
        """Names whose rivals it may choose between."""
        return self.expression.names

    @property
    def is_hint(self) -> bool:
        """Whether it lowers nothing where it does not hold."""
        return False

    def given(self, values: Mapping[str, Any]) -> Relation:
        """The check with what it works out of an array once, whatever else is chosen."""
        return self

    def borne_out(self, values: Mapping[str, Any]) -> frozenset[str]:
        """Names that it speaks for where it holds."""
        return self.expression.names if self.expression.is_equation else frozenset()

    def told(self, values: Mapping[str, Any]) -> str:
        """What to say where it does not hold."""
        if not self.implied:
            return f"the check {self.expression.text!r} fails"
        found = (f"{name} is {values[name]}" for name in self.expression.inputs)
        return f"{self.expression.text} does not hold: {', '.join(found)}"

    def outcome(self, values: Mapping[str, Any]) -> bool | None:
        """Whether it holds; None if a value is missing, or if what stands between the values explains why not."""
        found = holds(self.expression, values, self.tolerance)
        explained = found is False and self.implied and self.expression.is_equation and self._is_explained(values)
        return None if explained else found

    def _is_explained(self, values: Mapping[str, Any]) -> bool:
        """Whether a value is missing, currencies differ, a minus is left out, or what stands between is the gap."""
        parts = [values.get(name) for name in self.expression.inputs]
        if None in parts or len({part.currency for part in parts if isinstance(part, Money)}) > 1:
            return True
        net, tax, total = (amount_of(part) for part in parts)
        try:
            return any(self.explains(gap, values) for gap in (total - net - tax, abs(total) - abs(net) - abs(tax)))
        except ArithmeticError:
            return False  # a number that is too large to add

    def explains(self, gap: Decimal, values: Mapping[str, Any]) -> bool:
        """Whether a gap is what stands between, added or taken off."""
        others = [amount_of(values[path]) for path in self.between if values.get(path) is not None][:_MOST_BETWEEN]
        signs = product((-1, 0, 1), repeat=len(others))
        return any(abs(gap - sum(map(mul, each, others))) <= self.tolerance for each in signs)


def amount_of(value: Any) -> Decimal:
    return Decimal(value.amount if isinstance(value, Money) else value)


def stated_relations(contract: CanonicalContract) -> list[Relation]:
    """The checks that a contract has of its own."""
    own = [constraint.params for constraint in contract.constraints if constraint.kind == "check"]
    return [Relation(parse(params["expr"]), Decimal(str(params.get("tolerance", 0)))) for params in own]
