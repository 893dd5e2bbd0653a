"""Checks, stated or implied: they pick between rivals when they decide, and say so when they fail."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from heapq import heappop, heappush
from itertools import accumulate
from typing import Any

from paxman.capabilities.base import EvidenceRef
from paxman.classes import frozen
from paxman.contract.relation import Relation
from paxman.reconciler.confidence import RECONCILER, RUBRIC_VERSION
from paxman.reconciler.merge import Group
from paxman.types import Diagnostic, Origin, Severity, Span

Groups = Mapping[str, tuple[Group, ...]]
_MOST_RIVALS = 10
_MOST_COMBINATIONS = 512


@frozen
class Verdict:
    """What relations say of a field: whether one fails that must hold, notes on it, and those that hold with it."""

    notes: tuple[Diagnostic, ...] = ()
    failed: bool = False
    held: tuple[EvidenceRef, ...] = ()

    def joined(self, other: Verdict) -> Verdict:
        return Verdict(self.notes + other.notes, self.failed or other.failed, self.held + other.held)


def apply_checks(
    checks: Sequence[Relation], groups: Groups, unread: Collection[str] = ()
) -> tuple[dict[str, int], dict[str, Verdict]]:
    """Which group of each field to take, and what the checks that name a field say of it.

    `unread` are paths of which something may not have been read: what does not add up then, nobody is told.
    """
    picks = dict.fromkeys(groups, 0)
    verdicts: dict[str, Verdict] = {}
    firm = [check for check in checks if not check.is_hint]
    if any(_outcome(check, groups, picks) is False for check in firm):
        picks = _best_combination(firm, groups, picks)
    hints = [check.given(_values(check, groups, picks)) for check in checks if check.is_hint]
    for hint in hints:
        picks = _hinted(hint, firm, groups, picks)
    for check in (*firm, *hints):
        outcome = _outcome(check, groups, picks)
        if check.is_hint and _is_idle(check, outcome, groups, verdicts, unread):
            continue
        for path, verdict in _verdicts(check, outcome, groups, picks):
            known = verdicts.get(path)
            verdicts[path] = verdict if known is None else known.joined(verdict)
    return picks, verdicts


def _is_idle(
    check: Relation, outcome: bool | None, groups: Groups, verdicts: Mapping[str, Verdict], unread: Collection[str]
) -> bool:
    """Whether a hint that does not hold says nothing: not all was read, or a check bears the sum out."""
    if outcome:
        return False
    sums = verdicts.keys() & check.expression.names
    paths = _fields(check.expression.names, groups)
    return any(path in unread for path in paths) or any(verdicts[path].held for path in sums)


def _hinted(hint: Relation, firm: Sequence[Relation], groups: Groups, picks: dict[str, int]) -> dict[str, int]:
    """Picks with the best ranked rival by which a hint holds, if no more checks fail by it."""
    if _outcome(hint, groups, picks) is not False:
        return picks
    fewest = _failures(firm, groups, picks)
    rivals = {path: range(len(groups[path][:_MOST_RIVALS])) for path in groups if path in hint.chosen}
    for path, place in [(path, place) for path, places in rivals.items() for place in places]:
        tried = picks | {path: place}
        if _outcome(hint, groups, tried) and _failures(firm, groups, tried) <= fewest:
            return tried if _is_tied(path, hint, firm, groups, tried) else picks
    return picks


def _is_tied(path: str, hint: Relation, firm: Sequence[Relation], groups: Groups, picks: Mapping[str, int]) -> bool:
    """Whether a check holds a field to each that the hint cannot choose and that has rivals: they may be others'."""
    names = [check.expression.names for check in firm if _outcome(check, groups, picks)]
    rivals = [other for other in hint.expression.names - hint.chosen if len(groups.get(other, ())) > 1]
    return all(any({path, other} <= each for each in names) for other in rivals)


def _verdicts(
    check: Relation, outcome: bool | None, groups: Groups, picks: Mapping[str, int]
) -> Iterator[tuple[str, Verdict]]:
    """What one check says of each field that it names; an equation of computed values that holds says nothing."""
    values = _values(check, groups, picks) if outcome is not None else {}
    if outcome is False:
        paths = [
            path
            for path in _fields(check.chosen, groups)
            if not (check.implied and _is_explained(groups[path][picks[path]]))
        ]
        firm = not check.is_hint and not check.soft
        yield from ((path, Verdict((_failed(check, path, values),), firm)) for path in paths)
    elif outcome:
        paths = _fields(check.borne_out(values), groups)
        sure = [path for path in paths if not check.is_hint or _is_sure(path, check, groups[path], picks[path])]
        loose = [path for path in paths if _is_loose(groups[path][picks[path]])]
        sure = [path for path in sure if not loose or loose == [path]]  # what itself has no support is no witness
        told = sure if paths and not _is_circular(paths, groups, picks) else ()
        told = [path for path in told if not (check.implied and _is_only_summed(groups[path][picks[path]]))]
        yield from ((path, Verdict(held=(_evidence(check, path),))) for path in told)


def _is_loose(value: Group) -> bool:
    """Whether nothing ties a value to its field; the rows of a list are tied also where others are missing."""
    return not value.evidence.evidence_refs and not any(ref.basis == "open" for ref in value.refs)


def _is_explained(value: Group) -> bool:
    """Whether a sum of the page itself, with what else it prints between the parts, bears a value out."""
    return any(ref.basis == "relation" for ref in value.refs)


def _is_only_summed(value: Group) -> bool:
    """Whether nothing but a sum of the page supports a value: what the sum implies is no second witness."""
    return value.evidence.evidence_refs > 0 and all(ref.basis == "relation" for ref in value.refs if ref.supports)


def _evidence(check: Relation, path: str) -> EvidenceRef:
    """The relation as a piece of evidence, which no capability found."""
    return EvidenceRef(RECONCILER, RUBRIC_VERSION, path, basis="relation", detail=check.expression.text)


def _is_sure(path: str, hint: Relation, rivals: Sequence[Group], pick: int) -> bool:
    """Whether a hint may speak for a value: it has evidence, and no rival that the hint cannot choose between."""
    is_fixed = path in hint.expression.names and path not in hint.chosen
    return bool(rivals[pick].evidence.evidence_refs) and not (is_fixed and len(rivals) > 1)


def _is_circular(paths: Sequence[str], groups: Groups, picks: Mapping[str, int]) -> bool:
    """Whether a value was computed, or two stand in one place: then the equation may hold because it must."""
    chosen = [groups[path][picks[path]] for path in paths if groups[path]]
    sources = [group.candidates[0].source for group in chosen]
    spans = [span for group in chosen for span in _places(group)]
    computed = any(source is not None and source.origin is Origin.DERIVED for source in sources)
    return computed or len(set(spans)) < len(spans)


def _places(group: Group) -> set[Span]:
    """Where a value stands first; of rows, where each cell does."""
    refs = group.refs if isinstance(group.value, list | tuple) else group.refs[:1]
    return {ref.span for ref in refs if ref.span}


def _fields(names: AbstractSet[str], groups: Groups) -> list[str]:
    """Fields of these names, in declaration order; a column names its array."""
    known = {path for name in names for path in accumulate(name.split("."), "{}.{}".format)}
    return [path for path in groups if path in known]


def _values(check: Relation, groups: Groups, picks: Mapping[str, int]) -> dict[str, Any]:
    return {path: groups[path][picks[path]].value for path in _fields(check.paths, groups) if groups[path]}


def _outcome(check: Relation, groups: Groups, picks: Mapping[str, int]) -> bool | None:
    return check.outcome(_values(check, groups, picks))


def _best_combination(checks: Sequence[Relation], groups: Groups, picks: dict[str, int]) -> dict[str, int]:
    """The highest ranked choice among rivals that fails the fewest checks; dates of a page are read in one order."""
    waiting = [(_outcome(check, groups, picks) is False, set(_fields(check.chosen, groups))) for check in checks]
    named: set[str] = set()
    while reached := [fields for fails, fields in waiting if (fails or fields & named) and not fields <= named]:
        named.update(*reached)
    rivals = [path for path in groups if path in named and len(groups[path]) > 1]
    orders = {path: found for path in groups if any(found := [_order(group) for group in groups[path][:_MOST_RIVALS]])}
    best, fewest = picks, _failures(checks, groups, picks)
    for choice in _choices(rivals, groups):
        tried = _in_one_order(choice, orders, picks)
        failures = _failures(checks, groups, tried) if tried else fewest
        if tried and failures < fewest:
            best, fewest = tried, failures
    return best


def _order(group: Group) -> str | None:
    """The order of day and month by which a date was read that may be read otherwise."""
    if not isinstance(group.value, date) or not group.is_open:
        return None
    steps = (step for ref in group.refs for step in ref.transforms)
    return next((step for step in steps if step.startswith("date:")), None)


def _in_one_order(
    choice: dict[str, int], orders: Mapping[str, Sequence[str | None]], picks: dict[str, int]
) -> dict[str, int] | None:
    """Picks with a choice, other dates being read in its order as well; none if it mixes orders."""
    tried = picks | choice
    chosen = {order for path in choice if path in orders and (order := orders[path][choice[path]])}
    if len(chosen) > 1:
        return None
    for path, known in orders.items() if chosen else ():
        if path not in choice and known[tried[path]]:
            tried[path] = next((place for place, order in enumerate(known) if order in chosen), tried[path])
    return tried


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


def _failures(checks: Sequence[Relation], groups: Groups, picks: Mapping[str, int]) -> int:
    return [_outcome(check, groups, picks) for check in checks].count(False)


def _failed(check: Relation, path: str, values: Mapping[str, Any]) -> Diagnostic:
    code = "SUM_DIFFERS" if check.is_hint else "VALIDATION_FAILED"
    severity = Severity.INFO if check.is_hint or check.soft else Severity.WARNING
    return Diagnostic(code, severity, check.told(values), path, {"check": check.expression.text})
