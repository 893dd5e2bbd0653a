"""Values that a model quotes: the quote is read where it stands, by our own readers."""

from __future__ import annotations

import attrs

from paxman.capabilities.base import CapabilityContext, EvidenceRef
from paxman.capabilities.values import Found, conventions, read_at, with_hedge
from paxman.contract.model import CanonicalField
from paxman.inference.grounding import has_more, is_denied, rejoin
from paxman.types import FieldType, Span

_OF_RANGE = ("first_day", "last_day")


def read_quote(
    context: CapabilityContext, field: CanonicalField, span: Span, quote: str, model: str, path: str | None = None
) -> list[Found]:
    """What a quote that stands at a place says, with evidence that names the model."""
    text = context.document.text
    stated, whole = text[span[0] : span[1]], rejoin(text[span[0] : span[1]])
    is_broken = whole != stated and quote.count("-") < stated.count("-") + stated.count("\u00ad")
    before, shown = (("rejoin",), whole) if is_broken else ((), stated)
    found = [
        each
        for each in read_at(context, field, shown, span, conventions(context), before, path=path)
        if _is_plain(field, text, span, each.ref)
    ]
    named = (attrs.evolve(each, ref=attrs.evolve(each.ref, model_id=model, basis="model")) for each in found)
    return [with_hedge(context, each, field) for each in named]


def _is_plain(field: CanonicalField, text: str, quoted: Span, ref: EvidenceRef) -> bool:
    """Whether what was read of a quote is all that it can mean."""
    read = ref.span or quoted
    if any(transform.startswith(_OF_RANGE) for transform in ref.transforms):
        return False
    if field.type in (FieldType.BOOLEAN, FieldType.ENUM):
        return not is_denied(text, read[0])
    return not has_more(field.type, text[quoted[0] : read[0]], text[read[1] : quoted[1]])
