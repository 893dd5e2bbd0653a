"""What stands in a document and not in the data: rows, and cells of rows, each with its address and its text."""

from __future__ import annotations

from typing import Any

from paxman.capabilities.base import NO_ITEMS, CapabilityContext
from paxman.documents.document import Node, Source, name_place, source_to_dict
from paxman.types import MASK, Diagnostic, Severity, Span

_LONGEST_QUOTE = 80


def left_out(
    context: CapabilityContext,
    reason: str,
    span: Span,
    *,
    path: str = "",
    row: int = 0,
    source: Source | None = None,
    severity: Severity = Severity.WARNING,
    by: str = "",
) -> Diagnostic:
    """A note on a row of the field, or on one cell at a path; INFO where nothing is missing without it."""
    given = f" that {by} gives" if by else ""
    message = f"{f'row {row}{given} was left out' if row else 'left out'}: {reason}"
    facts: dict[str, Any] = {"row": row} if row else {}
    if source or span[0] < span[1]:
        text = MASK if context.field.has_secrets else context.document.text[span[0] : span[1]][:_LONGEST_QUOTE]
        where = source or context.read().locate(span)
        message += f" ({name_place(where)}: {text!r})"
        facts |= {"source": source_to_dict(where), "span": span, "text": text}
    severity = Severity.INFO if reason in NO_ITEMS else severity
    return Diagnostic("ROW_REJECTED", severity, message, path or context.field.path, facts)


def node_left_out(context: CapabilityContext, reason: str, node: Node, path: str = "", row: int = 0) -> Diagnostic:
    """The same of a node of structured data."""
    return left_out(context, reason, node.span, path=path, row=row, source=node.source)
