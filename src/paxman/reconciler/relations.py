"""Relations that a contract's fields have by what they mean: net + tax = total, and a start before its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from itertools import product
from operator import mul
from typing import Any

import attrs

from paxman.contract.arithmetic import ExpressionError
from paxman.contract.expressions import Expression, holds, parse, quoted
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.types import FieldType, Money

ROUNDING = Decimal("0.02")
"""A cent for each part of a sum; a total in whole five cents is no further off."""
BETWEEN = frozenset(("charge", "shipping", "service_charge", "tip", "discount", "deposit", "rounding", "commission"))
"""What may stand between net and total besides the tax."""
_MOST_BETWEEN = 4
_SUM = "{} + {} == {}", ("net", "tax", "total")
_BEFORE = "{} <= {}"
_PERIOD = _BEFORE, ("start_date", "end_date")
_PAYMENT = _BEFORE, ("issue_date", "due_date")


@attrs.frozen
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
        """Whether currencies differ, a minus is left out, or what stands between net and total is the difference."""
        parts = [values[name] for name in self.expression.inputs]
        if len({part.currency for part in parts if isinstance(part, Money)}) > 1:
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


def checks_of(contract: CanonicalContract) -> tuple[Relation, ...]:
    """The contract's own checks, then what its fields imply; worked out once per contract."""
    if "checks" not in contract.memo:
        own = [constraint.params for constraint in contract.constraints if constraint.kind == "check"]
        stated = [Relation(parse(params["expr"]), Decimal(str(params.get("tolerance", 0)))) for params in own]
        contract.memo["checks"] = (*stated, *_implied(contract, stated))
    found: tuple[Relation, ...] = contract.memo["checks"]
    return found


def _implied(contract: CanonicalContract, stated: Sequence[Relation]) -> Iterator[Relation]:
    """Relations between the fields of one object, unless a check of the contract speaks of all of them."""
    objects: dict[tuple[str, str], list[CanonicalField]] = {}
    for field in contract.leaves:
        if field.type in KINDS:
            objects.setdefault((field.path.rpartition(".")[0], KINDS[field.type]), []).append(field)
    for (_, kind), fields in objects.items():
        for found in _between_dates(fields) if kind == "date" else _relation(fields, *_SUM):
            if not any(found.expression.names <= other.expression.names for other in stated):
                yield found
    if any(field.columns for field in contract.leaves):
        from paxman.reconciler.lines import implied_by_lines

        yield from implied_by_lines(contract, stated)


KINDS = {
    FieldType.DECIMAL: "number",
    FieldType.INTEGER: "number",
    FieldType.MONEY: "money",
    FieldType.DATE: "date",
}


def _between_dates(fields: Sequence[CanonicalField]) -> Iterator[Relation]:
    """What begins comes before what ends, by their names or else by what they mean; a bill mostly before it is due."""
    if len(fields) < 2:
        return
    from paxman.reconciler.periods import periods_of

    pairs = list(periods_of(fields))
    yield from (check for pair in pairs for check in _stated(_BEFORE, pair))
    paired = {path for pair in pairs for path in pair}
    yield from _relation([field for field in fields if field.path not in paired], *_PERIOD)
    yield from (attrs.evolve(check, soft=True) for check in _relation(fields, *_PAYMENT))


def _relation(fields: Sequence[CanonicalField], template: str, terms: Sequence[str]) -> Iterator[Relation]:
    """The relation, if there is exactly one field for each of its terms."""
    if len(fields) < len(terms):
        return
    from paxman.capabilities.business_terms import term_of

    by_term: dict[str | None, list[str]] = {}
    for field in fields:
        by_term.setdefault(term_of(field), []).append(field.path)
    named = [by_term.get(term, []) for term in terms]
    if any(len(paths) != 1 for paths in named):
        return
    others = (paths for term, paths in by_term.items() if term in BETWEEN and template == _SUM[0])
    between = tuple(path for paths in others for path in paths)
    yield from _stated(template, [path for (path,) in named], between)


def _stated(template: str, paths: Sequence[str], between: tuple[str, ...] = ()) -> Iterator[Relation]:
    """The relation of these fields; none of a name that no expression can hold."""
    with suppress(ExpressionError):
        yield Relation(parse(template.format(*map(quoted, paths))), ROUNDING, True, between)
