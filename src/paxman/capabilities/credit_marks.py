"""What "Cr" and "Dr" behind amounts mean: money in and out for a bank's customer, the reverse for that of a seller.

All amounts of a table are read by one convention.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import attrs

from paxman.capabilities.base import Candidate, CapabilityContext, CapabilityResult, EvidenceRef
from paxman.documents.document import Document
from paxman.lazy import lazy_pattern
from paxman.recognizers.tables import pattern
from paxman.types import Diagnostic, Money, Severity

_HEAD = 60_000
_OF_BANK, _OF_SELLER, _BALANCE = r"\b(?:{bank_paper})\b", r"\b(?:{seller_paper})\b", "{balance}"
_OPEN = "amounts with the mark {} may be positive or negative: nothing says whose account it is"


def _says(document: Document, words: str) -> bool:
    return pattern(words).search(document.text, 0, _HEAD) is not None


def _reverse(value: Any) -> Any:
    return attrs.evolve(value, amount=-value.amount) if isinstance(value, Money) else -value


def _negated(ref: EvidenceRef, value: Any) -> EvidenceRef:
    steps = ref.transforms
    steps = (*steps[:-1], "negate", steps[-1]) if isinstance(value, Money) else (*steps, "negate")
    return attrs.evolve(ref, transforms=steps)


def with_credits(context: CapabilityContext, result: CapabilityResult) -> CapabilityResult:
    """What was found, amounts that are marked as credits or debits with their sign."""
    if not any(credit_mark(context.document, candidate) for candidate in result.candidates):
        return result
    settled = [other for each in result.candidates for other in _readings(context, each)]
    return attrs.evolve(result, candidates=tuple(settled))


def credit_mark(document: Document, candidate: Candidate) -> str:
    """The "Cr" that makes an amount negative, or the "Dr" behind one, if all its places have it."""
    amount = candidate.value.amount if isinstance(candidate.value, Money) else candidate.value
    if not isinstance(amount, Decimal) or not amount:
        return ""
    spans = [ref.span for ref in candidate.evidence_refs if ref.span]
    if amount < 0:
        ends = (document.text[max(start, end - 3) : end].rstrip("\"'").upper() for start, end in spans)
        return "Cr" if spans and all(text.endswith("CR") for text in ends) else ""
    behind = (document.text[end : end + 4] for _, end in spans)
    return "Dr" if spans and all("D" in text and _DEBIT.match(text) for text in behind) else ""


_DEBIT = lazy_pattern(r" ?D[rR](?!\w)")


def _readings(context: CapabilityContext, candidate: Candidate) -> Sequence[Candidate]:
    """A marked amount as it is on papers of a seller, turned round on those of a bank, or both where nobody can say."""
    mark = credit_mark(context.document, candidate)
    if not mark:
        return [candidate]
    refs = tuple(_negated(ref, candidate.value) for ref in candidate.evidence_refs)
    turned = attrs.evolve(candidate, value=_reverse(candidate.value), evidence_refs=refs)
    of_seller = _says(context.document, _OF_SELLER)
    if not of_seller and _says(context.document, _OF_BANK):
        return [turned]
    if of_seller or not any(pattern(_BALANCE).search(text) for text in (context.field.name, *context.field.labels)):
        return [candidate]
    message = f"can be read as {turned.value} or {candidate.value}; {_OPEN.format(repr(mark))}"
    note = Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, context.field.path)
    return [attrs.evolve(each, diagnostics=(*each.diagnostics, note)) for each in (turned, candidate)]
