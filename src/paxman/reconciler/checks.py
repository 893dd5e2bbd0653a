"""Checks, stated or implied: they pick between rivals when they decide, and say so when they fail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any

import attrs

from paxman.reconciler.merge import Group
from paxman.reconciler.relations import Check
from paxman.types import Diagnostic, Origin, Severity

Groups = Mapping[str, tuple[Group, ...]]
_MOST_RIVALS = 10
_MOST_COMBINATIONS = 512


@attrs.frozen
class Verdict:
    """What the checks say of a field: notes on those that fail, and whether one of them bears its value out."""

    notes: tuple[Diagnostic, ...] = ()
    borne_out: bool = False

    def joined(self, other: Verdict) -> Verdict:
        return Verdict(self.notes + other.notes, self.borne_out or other.borne_out)


_BORNE_OUT = Verdict(borne_out=True)


def apply_checks(checks: Sequence[Check], groups: Groups) -> tuple[dict[str, int], dict[str, Verdict]]:
    """Which group of each field to take, and what the checks that name a field say of it."""
    picks = dict.fromkeys(groups, 0)
    verdicts: dict[str, Verdict] = {}
    outcomes = [_outcome(check, groups, picks) for check in checks]
    if False in outcomes:
        picks = _best_combination(checks, groups, picks)
        outcomes = [_outcome(check, groups, picks) for check in checks]
    for check, outcome in zip(checks, outcomes, strict=True):
        for path, verdict in _verdicts(check, outcome, groups, picks):
            known = verdicts.get(path)
            verdicts[path] = verdict if known is None else known.joined(verdict)
    return picks, verdicts


def _verdicts(
    check: Check, outcome: bool | None, groups: Groups, picks: Mapping[str, int]
) -> Iterator[tuple[str, Verdict]]:
    """What one check says of each field that it names; an equation of computed values that holds says nothing."""
    if outcome is None or (outcome and not check.expression.is_equation):
        return
    paths = _fields(check, groups)
    if not outcome:
        yield from ((path, Verdict((_failed(check, path, groups, picks),))) for path in paths)
    elif not _is_circular(paths, groups, picks):
        yield from ((path, _BORNE_OUT) for path in paths)


def _is_circular(paths: Sequence[str], groups: Groups, picks: Mapping[str, int]) -> bool:
    """Whether a value was computed, or two stand in one place: then the equation may hold because it must."""
    chosen = [groups[path][picks[path]] for path in paths if groups[path]]
    sources = [group.candidates[0].source for group in chosen]
    spans = [group.refs[0].span for group in chosen if group.refs and group.refs[0].span]
    computed = any(source is not None and source.origin is Origin.DERIVED for source in sources)
    return computed or len(set(spans)) < len(spans)


def _fields(check: Check, groups: Groups) -> list[str]:
    """Fields that the expression names, in declaration order; a column names its array."""
    names = check.expression.names
    if names <= groups.keys():
        return [path for path in groups if path in names]
    return [path for path in groups if path in names or any(name.startswith(path + ".") for name in names)]


def _outcome(check: Check, groups: Groups, picks: Mapping[str, int]) -> bool | None:
    paths = [*_fields(check, groups), *check.between]
    return check.outcome({path: groups[path][picks[path]].value for path in paths if groups.get(path)})


def _best_combination(checks: Sequence[Check], groups: Groups, picks: dict[str, int]) -> dict[str, int]:
    """The highest ranked choice among rivals that fails the fewest checks."""
    named = _at_stake(checks, groups, picks)
    rivals = [path for path in groups if path in named and len(groups[path]) > 1]
    best, fewest = picks, _failures(checks, groups, picks)
    for choice in _choices(rivals, groups):
        failures = _failures(checks, groups, picks | choice)
        if failures < fewest:
            best, fewest = picks | choice, failures
    return best


def _at_stake(checks: Sequence[Check], groups: Groups, picks: Mapping[str, int]) -> set[str]:
    """Fields of the checks that fail, and of those that share a field with them."""
    waiting = [(_outcome(check, groups, picks) is False, set(_fields(check, groups))) for check in checks]
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


def _failures(checks: Sequence[Check], groups: Groups, picks: Mapping[str, int]) -> int:
    return sum(_outcome(check, groups, picks) is False for check in checks)


def _failed(check: Check, path: str, groups: Groups, picks: Mapping[str, int]) -> Diagnostic:
    text = check.expression.text
    message = f"the check {text!r} fails"
    if check.implied:
        values = (f"{name} is {groups[name][picks[name]].value}" for name in check.expression.inputs)
        message = f"{text} does not hold: {', '.join(values)}"
    context: dict[str, Any] = {"check": text}
    return Diagnostic("VALIDATION_FAILED", Severity.WARNING, message, path, context)
