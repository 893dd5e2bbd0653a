"""Tables with debits and credits in two columns, which no one amount of a contract stands for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from paxman.capabilities.base import CapabilityContext
from paxman.finding.tables.columns import COMMON, columns_of
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import load
from paxman.page.names import page_of
from paxman.types import Diagnostic, FieldType, Severity

_AMOUNTS = (FieldType.DECIMAL, FieldType.MONEY)
_SIDES = ("debit", "credit")
_KEYED = ("json", "xml")
_MOST_LINES = 200
_FEWEST, _MOST = 3, 30
"""Headings of a line that may be that of a statement."""
_LONGEST = 40


def lost_amounts(context: CapabilityContext, rows: Sequence[Mapping[str, Any]]) -> tuple[Diagnostic, ...]:
    """The note that no row has an amount that the contract asks for, because the page has it in two columns."""
    wanted = (column.name for column in context.field.columns if column.type in _AMOUNTS)
    if all(any(row.get(name) is not None for row in rows) for name in wanted):
        return ()
    sides = _sides_of(context) if context.document.kind not in _KEYED else None
    message = f"amounts stand in two columns, {sides}; the contract needs an optional field for each"
    return (Diagnostic("VALIDATION_FAILED", Severity.INFO, message, context.field.path),) if sides else ()


def _sides_of(context: CapabilityContext) -> str | None:
    """The headings of both sides of an account, if the contract has no field for either."""
    lexicon = load()
    if not set(columns_of(context.contract, context.field, lexicon).roles).isdisjoint(_SIDES):
        return None
    for texts in _headings(context):
        named: dict[str, str] = {}
        for text in texts:
            keys = lexicon.by_head.get(fold_words(text), ())
            named |= {side: text.strip() for side in _SIDES if f"{COMMON}/{side}" in keys}
        if len(named) == len(_SIDES):
            return " and ".join(repr(named[side]) for side in _SIDES)
    return None


def _headings(context: CapabilityContext) -> Iterator[Sequence[str]]:
    """The first row of each table, and lines with as many chunks as a table has columns."""
    for table in context.document.tables:
        yield [cell.text[:_LONGEST] for cell in table.header[:_MOST]]
    page = page_of(context.document)
    for line in list(page.lines)[:_MOST_LINES]:
        if _FEWEST <= len(line.cells) <= _MOST:
            yield [page.text[start : min(end, start + _LONGEST)] for start, end in line.cells]
