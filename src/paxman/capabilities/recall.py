"""Values that lessons of corrected examples point at, found without looking at what other steps found."""

from __future__ import annotations

import attrs

from paxman.capabilities import specs
from paxman.capabilities.base import NOTHING, Basis, CapabilityContext, CapabilityResult
from paxman.capabilities.values import Found, ambiguity, assumption, conventions, to_candidates
from paxman.contract.constraints import is_written_so
from paxman.learning.lessons import FieldLesson, Lessons
from paxman.learning.recalling import Recollection, recall_all


class Recall:
    """Proposes the best candidate by the field's lesson; above its threshold the find supports, below it is context."""

    spec = specs.RECALL

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        lessons: Lessons | None = context.contract.lessons
        lesson = lessons.of(context.field) if lessons is not None else None
        if lessons is None or lesson is None:
            return NOTHING
        found = recall_all(context.document, context.contract, lessons, conventions(context)).get(context.field.path)
        return CapabilityResult(to_candidates(_found(context, found, lesson))) if found else NOTHING


def _found(context: CapabilityContext, recalled: Recollection, lesson: FieldLesson) -> list[Found]:
    reading = recalled.reading
    quote = context.document.text[reading.start : reading.end]
    if not is_written_so(context.field, reading.value, quote):
        return []
    basis: Basis = "lesson" if recalled.supports(lesson) and not reading.loose else "memory"
    span, how = (reading.start, reading.end), conventions(context)
    notes = ambiguity(reading, context.field.path)
    notes += assumption(context, reading.shifted(-reading.start), span, quote, how)
    ref = context.evidence(span, reading.transforms, basis=basis)
    return [Found(reading.value, attrs.evolve(ref, detail=recalled.said), notes)]
