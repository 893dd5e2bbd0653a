"""Typed values in the text, ranked by label, position and shape."""

from __future__ import annotations

from paxman.capabilities import specs
from paxman.capabilities.base import (
    NOTHING,
    CapabilityContext,
    CapabilityResult,
)
from paxman.capabilities.label_binding import needs_label
from paxman.capabilities.labelled import find_labelled, open_reason
from paxman.capabilities.page_dates import find_page_date
from paxman.capabilities.two_sides import lost_amounts
from paxman.capabilities.unlabelled import find_unlabelled, kind_of, reads_own_labels
from paxman.capabilities.values import Found, to_candidates
from paxman.documents.document import Document
from paxman.types import Diagnostic, FieldType, Severity


class Recognition:
    """Finds a field by what it is called in many languages, or by where and how its kind of value is written."""

    spec = specs.RECOGNITION

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        is_table = _is_table(context.document)
        candidates = () if is_table else to_candidates(_unseen(context, _find(context)))
        if candidates or context.candidates:
            return CapabilityResult(candidates) if candidates else NOTHING
        reason = open_reason(context) if not is_table else None
        return _note(context, reason) if reason else CapabilityResult(diagnostics=lost_amounts(context, ()))


def _note(context: CapabilityContext, reason: str) -> CapabilityResult:
    return CapabilityResult(diagnostics=(Diagnostic("VALIDATION_FAILED", Severity.INFO, reason, context.field.path),))


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
