"""The contract's checks: they pick between rivals when they decide, and say so when they fail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice, product
from typing import Any

from paxman.contract.expressions import Expression, holds, parse
from paxman.contract.model import Constraint
from paxman.reconciler.merge import Group
from paxman.types import Diagnostic, Severity

Groups = Mapping[str, tuple[Group, ...]]
_MOST_RIVALS = 4
_MOST_COMBINATIONS = 512


def apply_checks(
    constraints: Sequence[Constraint], groups: Groups
) -> tuple[dict[str, int], dict[str, list[Diagnostic]]]:
    """Which group of each field to take, and a note on every field that a failed check names."""
    picks = dict.fromkeys(groups, 0)
    notes: dict[str, list[Diagnostic]] = {}
    checks = [(parse(c.params["expr"]), _tolerance(c)) for c in constraints if c.kind == "check"]
    if any(_outcome(check, groups, picks) is False for check in checks):
        picks = _best_combination(checks, groups, picks)
    for check in checks:
        if _outcome(check, groups, picks) is False:
            for path in _fields(check[0], groups):
                notes.setdefault(path, []).append(_failed(check[0], path))
    return picks, notes


def _tolerance(constraint: Constraint) -> Decimal:
    return Decimal(str(constraint.params.get("tolerance", 0)))


def _fields(expression: Expression, groups: Groups) -> list[str]:
    """Fields that the expression names, in declaration order; a column names its array."""
    return [path for path in groups if any(n == path or n.startswith(path + ".") for n in expression.names)]


def _outcome(check: tuple[Expression, Decimal], groups: Groups, picks: Mapping[str, int]) -> bool | None:
    values = {path: groups[path][picks[path]].value for path in _fields(check[0], groups) if groups[path]}
    return holds(check[0], values, check[1])


def _best_combination(
    checks: list[tuple[Expression, Decimal]], groups: Groups, picks: dict[str, int]
) -> dict[str, int]:
    """The highest ranked choice among rivals that fails the fewest checks."""
    named = {path for expression, _ in checks for path in _fields(expression, groups)}
    rivals = [path for path in groups if path in named and len(groups[path]) > 1]
    best, fewest = picks, _failures(checks, groups, picks)
    for choice in _choices(rivals, groups):
        failures = _failures(checks, groups, picks | choice)
        if failures < fewest:
            best, fewest = picks | choice, failures
    return best


def _choices(rivals: list[str], groups: Groups) -> Iterator[dict[str, int]]:
    """Combinations from the best ranked to the worst."""
    ranges = [range(min(len(groups[path]), _MOST_RIVALS)) for path in rivals]
    ranked = sorted(islice(product(*ranges), _MOST_COMBINATIONS), key=lambda choice: (sum(choice), choice))
    return (dict(zip(rivals, choice, strict=True)) for choice in ranked)


def _failures(checks: list[tuple[Expression, Decimal]], groups: Groups, picks: Mapping[str, int]) -> int:
    return sum(_outcome(check, groups, picks) is False for check in checks)


def _failed(expression: Expression, path: str) -> Diagnostic:
    context: dict[str, Any] = {"check": expression.text}
    return Diagnostic("VALIDATION_FAILED", Severity.WARNING, f"the check {expression.text!r} fails", path, context)
