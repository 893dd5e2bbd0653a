"""Tables with debits and credits in two columns, which no one amount of a contract stands for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from paxman.capabilities.base import CapabilityContext
from paxman.contract.model import CanonicalField
from paxman.types import Diagnostic, FieldType, Severity

if TYPE_CHECKING:
    from paxman.capabilities.table_headings import Vocabulary

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
    from paxman.capabilities.label_scan import squeezed_of
    from paxman.capabilities.table_headings import vocabulary_of
    from paxman.documents.heading_words import tokens_of

    if not set(vocabulary_of(context.field.columns).roles).isdisjoint(_SIDES):
        return None
    vocabulary, keys_of_sides = _known()
    squeezed = squeezed_of(context.document)
    if not all(any(key in squeezed for key in keys) for keys in keys_of_sides):
        return None
    for texts in _headings(context):
        hits = [(vocabulary.best(tokens_of(text)), text.strip()) for text in texts]
        named = {hit.meaning: text for hit, text in hits if hit and hit.rank > 1}
        if 0 in named and 1 in named:
            return f"{named[0]!r} and {named[1]!r}"
    return None


@lru_cache(maxsize=1)
def _known() -> tuple[Vocabulary, list[list[str]]]:
    """The vocabulary of both sides, and what the headings of each may be."""
    from paxman.capabilities.table_headings import vocabulary_of

    vocabulary = vocabulary_of([CanonicalField(name, name, name, FieldType.DECIMAL) for name in _SIDES])
    return vocabulary, [[key for key, side in vocabulary.meanings.items() if side == each] for each in (0, 1)]


def _headings(context: CapabilityContext) -> Iterator[Sequence[str]]:
    """The first row of each table, and lines with as many chunks as a table has columns."""
    from paxman.capabilities.label_scan import scan_of
    from paxman.capabilities.table_kinds import explicit_tables

    for table in explicit_tables(context.document):
        yield [cell.text[:_LONGEST] for cell in table.header[:_MOST]]
    page = scan_of(context).page
    for line in map(page.line, range(min(len(page), _MOST_LINES))):
        if _FEWEST <= len(line.chunks) <= _MOST:
            yield [page.text[start : min(end, start + _LONGEST)] for start, end in line.chunks]
