"""What stands in a document and not in the data, each with its address and its text; and rows with their ledger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from paxman.capabilities.base import Candidate, CapabilityContext, EvidenceRef
from paxman.documents.document import Node, Source, name_place, source_to_dict
from paxman.finding.near_misses import line_of
from paxman.types import MASK, Diagnostic, RowLedger, Severity, Span

_LONGEST_QUOTE, _MOST_TOLD = 80, 20


def left_out(
    context: CapabilityContext,
    reason: str,
    span: Span,
    *,
    path: str = "",
    row: int = 0,
    source: Source | None = None,
    by: str = "",
) -> Diagnostic:
    """A note on a row of the field, or on one cell at a path."""
    given = f" that {by} gives" if by else ""
    message = f"{f'row {row}{given} was left out' if row else 'left out'}: {reason}"
    facts: dict[str, Any] = {"row": row} if row else {}
    if source or span[0] < span[1]:
        text, where = _quoted(context, span), source or context.read().locate(span)
        message += f" ({name_place(where)}: {text!r})"
        facts |= {"source": source_to_dict(where), "span": span, "text": text}
    return Diagnostic("ROW_REJECTED", Severity.WARNING, message, path or context.field.path, facts)


def _quoted(context: CapabilityContext, span: Span) -> str:
    return MASK if context.field.has_secrets else context.document.text[span[0] : span[1]][:_LONGEST_QUOTE]


def node_left_out(context: CapabilityContext, reason: str, node: Node, path: str = "", row: int = 0) -> Diagnostic:
    """The same of a node of structured data."""
    return left_out(context, reason, node.span, path=path, row=row, source=node.source)


def tell_places(context: CapabilityContext, spans: Sequence[Span]) -> tuple[str, ...]:
    """Where the first of some lines stand, and what they say."""
    found = ((line_of(context.document, span), _quoted(context, span)) for span in spans[:_MOST_TOLD])
    return tuple(f"{where}: {' '.join(text.split())!r}" for where, text in found)


def listed(values: Sequence[Any], refs: Iterable[EvidenceRef], rows: RowLedger) -> Candidate:
    """Rows as a candidate; while their ledger is open, nothing speaks for them as a whole."""
    tied = (attrs.evolve(ref, basis="open") if rows.is_open and ref.supports else ref for ref in refs)
    return Candidate(tuple(values), tuple(tied), rows=rows)


def ledger_of(found: int, rejected: int) -> RowLedger:
    """The ledger of rows that are entries of something, so that there is nothing else among them."""
    return RowLedger(found, rejected, found + rejected)
