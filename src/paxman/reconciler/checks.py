"""The contract's checks: they pick between rivals when they decide, and say so when they fail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from heapq import heappop, heappush
from typing import Any

import attrs

from paxman.contract.expressions import Expression, holds, parse
from paxman.contract.model import Constraint
from paxman.reconciler.merge import Group
from paxman.types import Diagnostic, Origin, Severity

Groups = Mapping[str, tuple[Group, ...]]
_MOST_RIVALS = 10
_MOST_COMBINATIONS = 512


@attrs.frozen
class Verdict:
    """What the checks say of a field: notes on those that fail, and whether one of them bears its value out."""

    notes: tuple[Diagnostic, ...] = ()
    borne_out: bool = False


def apply_checks(constraints: Sequence[Constraint], groups: Groups) -> tuple[dict[str, int], dict[str, Verdict]]:
    """Which group of each field to take, and what the checks that name a field say of it."""
    picks = dict.fromkeys(groups, 0)
    verdicts: dict[str, Verdict] = {}
    checks = [(parse(c.params["expr"]), _tolerance(c)) for c in constraints if c.kind == "check"]
    if any(_outcome(check, groups, picks) is False for check in checks):
        picks = _best_combination(checks, groups, picks)
    for check in checks:
        outcome = _outcome(check, groups, picks)
        for path in _fields(check[0], groups) if outcome is not None else ():
            known = verdicts.get(path, Verdict())
            notes = () if outcome else (_failed(check[0], path),)
            proves = bool(outcome) and check[0].is_equation and not _is_circular(check[0], groups, picks)
            verdicts[path] = Verdict((*known.notes, *notes), known.borne_out or proves)
    return picks, verdicts


def _is_circular(expression: Expression, groups: Groups, picks: Mapping[str, int]) -> bool:
    """Whether a value was computed: then the equation may hold because it was made to."""
    sources = [groups[path][picks[path]].candidates[0].source for path in _fields(expression, groups) if groups[path]]
    return any(source is not None and source.origin is Origin.DERIVED for source in sources)


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
    named = _at_stake(checks, groups, picks)
    rivals = [path for path in groups if path in named and len(groups[path]) > 1]
    best, fewest = picks, _failures(checks, groups, picks)
    for choice in _choices(rivals, groups):
        failures = _failures(checks, groups, picks | choice)
        if failures < fewest:
            best, fewest = picks | choice, failures
    return best


def _at_stake(checks: list[tuple[Expression, Decimal]], groups: Groups, picks: Mapping[str, int]) -> set[str]:
    """Fields of the checks that fail, and of those that share a field with them."""
    waiting = [(_outcome(check, groups, picks) is False, set(_fields(check[0], groups))) for check in checks]
    named: set[str] = set()
    while reached := [fields for fails, fields in waiting if (fails or fields & named) and not fields <= named]:
        named.update(*reached)
    return named


def _choices(rivals: list[str], groups: Groups) -> Iterator[dict[str, int]]:
    """Combinations from the best ranked to the worst, as many as can be tried."""
    sizes = [min(len(groups[path]), _MOST_RIVALS) for path in rivals]
    waiting = [(0, (0,) * len(rivals))]
    seen = {waiting[0][1]}
    for _ in range(_MOST_COMBINATIONS):
        if not waiting:
            return
        total, choice = heappop(waiting)
        yield dict(zip(rivals, choice, strict=True))
        for place, size in enumerate(sizes):
            following = (*choice[:place], choice[place] + 1, *choice[place + 1 :])
            if following[place] < size and following not in seen:
                seen.add(following)
                heappush(waiting, (total + 1, following))


def _failures(checks: list[tuple[Expression, Decimal]], groups: Groups, picks: Mapping[str, int]) -> int:
    return sum(_outcome(check, groups, picks) is False for check in checks)


def _failed(expression: Expression, path: str) -> Diagnostic:
    context: dict[str, Any] = {"check": expression.text}
    return Diagnostic("VALIDATION_FAILED", Severity.WARNING, f"the check {expression.text!r} fails", path, context)
