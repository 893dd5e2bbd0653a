"""Typed values in the text, ranked by label, position and shape."""

from __future__ import annotations

from paxman.capabilities import specs
from paxman.capabilities.base import (
    NOTHING,
    CapabilityContext,
    CapabilityResult,
)
from paxman.capabilities.label_binding import needs_label
from paxman.capabilities.labelled import find_labelled
from paxman.capabilities.page_dates import find_page_date
from paxman.capabilities.unlabelled import find_unlabelled, kind_of, reads_own_labels
from paxman.capabilities.values import Found, to_candidates
from paxman.documents.document import Document
from paxman.types import FieldType


class Recognition:
    """Finds a field by what it is called in many languages, or by where and how its kind of value is written."""

    spec = specs.RECOGNITION

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        if _is_table(context.document):
            return NOTHING
        candidates = to_candidates(_unseen(context, _find(context)))
        return CapabilityResult(candidates) if candidates else NOTHING


def _is_table(document: Document) -> bool:
    """Whether columns say what a value is; a few lines with a decimal comma each pass for CSV too."""
    return document.kind == "csv" and document.text.partition("\n")[0].count(",") > 2


def _find(context: CapabilityContext) -> list[Found]:
    """By label; else by position and shape, unless only a label could tell the value from others of its kind."""
    if context.field.type is FieldType.ARRAY:
        return find_unlabelled(context)
    if needs_label(context.field, context.contract):
        return find_labelled(context) or (find_unlabelled(context) if kind_of(context.field) == "only" else [])
    if reads_own_labels(context.field):
        return find_unlabelled(context)
    return find_labelled(context) or find_page_date(context) or find_unlabelled(context)


def _unseen(context: CapabilityContext, found: list[Found]) -> list[Found]:
    """What no earlier step reported: the same place twice is no second opinion."""
    places = {ref.span for candidate in context.candidates for ref in candidate.evidence_refs}
    return [each for each in found if each.ref.span not in places]
