"""How far the other steps are to be trusted beside recall, by what examples showed of their answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from fractions import Fraction
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
class Beside:
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


def standing(trials: Sequence[Beside], field: str, case: str) -> Standing:
    """The standing of the other steps of a field where recall differs or is silent; of recall where they are."""
    alike = [each for each in trials if each.case == case]
    own = [each for each in alike if each.field == field]
    told = own or alike
    recall, others = sum(each.recall for each in told), sum(each.others for each in told)
    return Standing(recall, others, len(told), _verdict(alike, own))


def _verdict(alike: Sequence[Beside], own: Sequence[Beside]) -> str:
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
