"""How far recall and the other steps are to be trusted, by what examples showed of their answers and leads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from fractions import Fraction
from math import comb
from typing import Any

import attrs

from paxman.classes import record

TRUST, DOUBT, REJECT = "trust", "doubt", "reject"
DIFFERS, SILENT, ALONE = "differs", "silent", "alone"
_BORROWED, _OFTEN, _MANY = 3, 2, 4
_SURE_ENOUGH, _TOO_RARE = Fraction(4, 5), Fraction(1, 3)
_BEFORE_EXAMPLES, _BEFORE = {DIFFERS: (6, 1), SILENT: (6, 1), ALONE: (1, 4)}, 8
"""What is known before any example: of eight such answers, in how many the other steps and recall are right."""


@record
class StepAnswer:
    """What the other steps answered in an example: the value, whether it was sure and right, and the name it is at."""

    value: Any
    sure: bool
    right: bool
    label: str = ""
    tied: bool = True
    """Whether evidence ties it to the field, and not only its place or a likeness."""
    invented: bool = False
    """Whether the document does not state the field."""


@record
class Disagreement:
    """An example in which recall and the other steps did not say the same: who was right."""

    field: str
    case: str
    """Whether recall differed, was silent, or was the only one to answer."""
    recall: bool
    others: bool
    sure: bool


@attrs.frozen
class Standing:
    """What to do with answers that recall and the other steps do not share, and the counts that say so."""

    recall: int = 0
    others: int = 0
    total: int = 0
    verdict: str = TRUST

    @property
    def said(self) -> str:
        return f"in {self.total} such examples recall was right {self.recall} times and the other steps {self.others}"


def misleading(answers: Sequence[StepAnswer], own: Collection[str]) -> dict[str, int]:
    """The names at which the other steps were wrong and never right, and how often.

    One of the field's own words has to mislead several times: a single example may be wrong itself.
    """
    wrong = Counter(each.label for each in answers if each.label and not each.right)
    right = {each.label for each in answers if each.right}
    told = {label: count for label, count in sorted(wrong.items()) if label not in right}
    return {label: count for label, count in told.items() if count >= (_OFTEN if label in own else 1)}


def misleading_anywhere(answers: Sequence[tuple[int, StepAnswer]]) -> dict[str, int]:
    """As `misleading`, of answers by their layouts: what several layouts showed, and no other one the contrary.

    Under no name stands how often something was invented that nothing ties to the field, if twice as often as right.
    """
    untied = [(layout, each) for layout, each in answers if not each.tied]
    invented = {layout for layout, each in untied if each.invented}
    often = len(invented) >= _OFTEN and len(invented) >= 2 * sum(each.right for _, each in untied)
    layouts: dict[str, set[int]] = {}
    for layout, each in answers:
        if not each.right:
            layouts.setdefault(each.label, set()).add(layout)
    told = misleading([each for _, each in answers], ())
    found = {label: count for label, count in told.items() if len(layouts[label]) >= _OFTEN}
    return {"": len(invented), **found} if often else found


def standing(trials: Sequence[Disagreement], field: str, case: str) -> Standing:
    """The standing of the other steps of a field where recall differs or is silent; of recall where they are."""
    alike = [each for each in trials if each.case == case]
    own = [each for each in alike if each.field == field]
    told = own or alike
    recall, others = sum(each.recall for each in told), sum(each.others for each in told)
    return Standing(recall, others, len(told), _verdict(alike, own))


def _verdict(alike: Sequence[Disagreement], own: Sequence[Disagreement]) -> str:
    if not alike:
        return TRUST
    case, before = alike[0].case, _BEFORE_EXAMPLES[alike[0].case]
    right = _shrunk([each.others for each in own], [each.others for each in alike], before[0])
    better = _shrunk([each.recall for each in own], [each.recall for each in alike], before[1])
    if case == ALONE:
        rarely = len(own) >= _MANY and better < _TOO_RARE
        return REJECT if rarely or (right > better and any(each.others for each in own)) else TRUST
    if better > (right if case == DIFFERS else 2 * right):
        return REJECT
    sure = [each for each in alike if each.sure]
    surely = _shrunk([each.others for each in own if each.sure], [each.others for each in sure], before[0])
    return DOUBT if sure and surely < _SURE_ENOUGH else TRUST


def _shrunk(own: Sequence[bool], everyone: Sequence[bool], before: int) -> Fraction:
    """A field's own share of right answers, drawn towards that of all fields and of what is known before."""
    pooled = Fraction(sum(everyone) + before, len(everyone) + _BEFORE)
    return (sum(own) + _BORROWED * pooled) / (len(own) + _BORROWED)


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
        counts = [_with_borrowed(above, field, pool) for pool in pools]
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
        right, total = _with_borrowed([t for t in trials if t.lead >= lead], field, everyone, _FEW_BORROWED)
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


def _with_borrowed(
    trials: Sequence[Trial], field: str, alike: frozenset[str], most: int = _MOST_BORROWED
) -> tuple[int, int]:
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
