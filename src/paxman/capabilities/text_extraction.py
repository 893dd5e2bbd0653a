"""Explicit evidence in text: `KEY: VALUE` and labels beside or above their value."""

from __future__ import annotations

from collections.abc import Iterator

from paxman.capabilities.base import (
    ALL_INPUTS,
    NOTHING,
    CapabilityContext,
    CapabilityResult,
    CapabilitySpec,
    ChainStep,
    CostHint,
)
from paxman.capabilities.label_binding import needs_label
from paxman.capabilities.label_scan import names_label, own_labels
from paxman.capabilities.labelled import find_labelled
from paxman.capabilities.unlabelled import reads_own_labels
from paxman.capabilities.values import Found, conventions, label_index, read_at, to_candidates
from paxman.documents.document import Document, Pair
from paxman.types import Diagnostic, FieldType, Severity

_SHORT = 40
_PLAIN = frozenset({"text", "pdf", "email"})
_SCALARS = frozenset(FieldType) - {FieldType.ARRAY, FieldType.OBJECT}


class TextExtraction:
    """Finds a field by the label that stands beside or above its value."""

    spec = CapabilitySpec(
        "text_extraction",
        "1.0",
        input_types=ALL_INPUTS - {"json"},
        output_types=_SCALARS,
        cost_estimate=CostHint(ms=5),
        step=ChainStep.EXPLICIT_EVIDENCE,
    )

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        labelled = _plainly_written(context) or _labelled(context)
        if labelled:
            return CapabilityResult(to_candidates(labelled))
        pairs = list(_matching(context)) if _reads_pairs(context) else []
        if not pairs:
            return NOTHING
        beside = [pair for pair in pairs if pair.relation == "beside"]
        found = _read(context, beside) or _read(context, [p for p in pairs if p.relation == "below"])
        return CapabilityResult(to_candidates(found)) if found else _unreadable(context, len(pairs))


def _plainly_written(context: CapabilityContext) -> list[Found]:
    """`KEY: VALUE` on a page of nothing else, where one key fits and all that stands there is the value."""
    pairs = list(_matching(context)) if not context.field.semantic_tags and _is_form(context.document) else []
    if len(pairs) != 1 or pairs[0].relation != "beside" or names_label(context, besides=pairs[0].label):
        return []
    text, (start, end) = context.document.text, pairs[0].value_span
    if end - start > _SHORT or text[pairs[0].label_span[1] : start].strip() != ":":
        return []
    found = _read(context, pairs)
    return found if len(found) == 1 and found[0].ref.span == (start, end) else []


def _is_form(document: Document) -> bool:
    """Whether every line of a page is a pair; on any other, labels compete and values go on below."""
    form: bool | None = document.cache.get("is_form")
    if form is None:
        lines = sum(1 for line in document.text.splitlines() if line.strip())
        beside = sum(pair.relation == "beside" for pair in document.pairs)
        form = document.cache["is_form"] = lines == beside == len(document.pairs)
    return form


def _labelled(context: CapabilityContext) -> list[Found]:
    if reads_own_labels(context.field) and not needs_label(context.field, context.contract):
        return []
    return find_labelled(context, own_only=True) if names_label(context) else []


def _reads_pairs(context: CapabilityContext) -> bool:
    """Labels of laid-out text were scanned for already, but for those of a single letter."""
    return context.document.kind not in _PLAIN or not own_labels(context.field)


def _matching(context: CapabilityContext) -> Iterator[Pair]:
    """Pairs of the field's own labels; its name counts only where no label is found."""
    index = label_index(context.document)
    hits = [pair for key in context.field.label_keys for pair in index.get(key, ())]
    yield from hits or index.get(context.field.name_key, [])


def _read(context: CapabilityContext, pairs: list[Pair]) -> list[Found]:
    text = context.document.text
    how = conventions(context)
    return [
        found
        for pair in pairs
        for found in read_at(
            context, context.field, text[pair.value_span[0] : pair.value_span[1]], pair.value_span, how
        )
    ]


def _unreadable(context: CapabilityContext, count: int) -> CapabilityResult:
    kind = context.field.type.value
    message = f"the label was found {count} time{'s' if count > 1 else ''}, but what stands there is not {kind}"
    return CapabilityResult(diagnostics=(Diagnostic("VALIDATION_FAILED", Severity.INFO, message, context.field.path),))
