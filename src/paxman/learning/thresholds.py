"""The score above which a find supports: pooled over the fields of a contract, shrunk towards each field's record."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from paxman.classes import record

WANTED, _DOUBT = 0.95, 0.2
_MOST_BORROWED, _FEW_BORROWED = 40, 6
_DOING_WELL, _TOO_FEW = 0.8, 3
_CAUTION = 150
"""What a lead has to be after one example; below it three answers in five were wrong or invented."""


@record
class Trial:
    """An answer in cross-validation: for which field, by which lead over the next best, and whether it was right."""

    field: str
    lead: int
    right: bool


def threshold(trials: Sequence[Trial], field: str) -> tuple[int | None, tuple[int, int]]:
    """The least lead above which answers were right often enough, and the counts behind that.

    A field's own answers are enough if there are many; its wrong ones speak against a lead of up to twice theirs.
    """
    pools = (frozenset[str](), _alike(trials, field), frozenset(trial.field for trial in trials))
    for lead in sorted({trial.lead for trial in trials}):
        above = [
            trial for trial in trials if trial.lead >= lead or (_is_own_miss(trial, field) and 2 * trial.lead >= lead)
        ]
        counts = [_shrunk(above, field, pool) for pool in pools]
        enough = [(right, total) for right, total in counts if total and is_enough(right, total)]
        if enough:
            return lead, max(enough)
    return None, (0, 0)


def _is_own_miss(trial: Trial, field: str) -> bool:
    return trial.field == field and not trial.right


def floor(trials: Sequence[Trial], field: str, located: int) -> int | None:
    """The least lead above which at least one answer in three was right; None where silence is better.

    A few answers say too little to be silent for, but the fewer examples there are, the more a lead has to be.
    """
    least = -(-_CAUTION // max(located, 1))
    everyone = frozenset(trial.field for trial in trials)
    own = [trial.right for trial in trials if trial.field == field]
    if len(own) < _TOO_FEW:
        return least
    if not any(own):
        return None
    for lead in (least, *sorted({trial.lead for trial in trials if trial.lead > least})):
        right, total = _shrunk([t for t in trials if t.lead >= lead], field, everyone, _FEW_BORROWED)
        if 3 * right >= total:
            return lead
    return None


def _alike(trials: Sequence[Trial], field: str) -> frozenset[str]:
    """The fields that say something of this one: to one that does well, those that fail altogether say nothing."""
    records: dict[str, list[bool]] = {}
    for trial in trials:
        records.setdefault(trial.field, []).append(trial.right)
    shares = {path: sum(right) / len(right) for path, right in records.items()}
    least = _DOING_WELL if shares.get(field, 0.0) >= _DOING_WELL else 0.0
    return frozenset(path for path, share in shares.items() if share >= least)


def _shrunk(trials: Sequence[Trial], field: str, alike: frozenset[str], most: int = _MOST_BORROWED) -> tuple[int, int]:
    """A field's own counts, and beside them some of the others' at the rate at which these were right."""
    own = [trial.right for trial in trials if trial.field == field]
    others = [trial.right for trial in trials if trial.field != field and trial.field in alike]
    borrowed = min(len(others), most)
    wrong = -(-(len(others) - sum(others)) * borrowed // len(others)) if others else 0
    return sum(own) + borrowed - wrong, len(own) + borrowed


def is_enough(right: int, total: int) -> bool:
    """Whether so many right answers would come by chance at most one time in five if fewer than 95 in 100 were."""
    tail = sum(comb(total, hits) * WANTED**hits * (1 - WANTED) ** (total - hits) for hits in range(right, total + 1))
    return tail <= _DOUBT
