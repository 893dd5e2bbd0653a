"""Values from a table: a mapping, a file or a database. Exact match first, then normalized, then fuzzy."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import attrs

from paxman.capabilities import specs
from paxman.capabilities.base import (
    Basis,
    Candidate,
    CapabilityContext,
    CapabilityResult,
    EvidenceRef,
)
from paxman.capabilities.derivation import as_field_type
from paxman.capabilities.lookups.lookup_sources import LookupTable, table_of
from paxman.capabilities.lookups.lookup_tables import TableAnswer
from paxman.contract.constraints import unlike
from paxman.types import Diagnostic, FieldType, Severity

THRESHOLD = 90
"""How alike (of 100) a key must be to one that it is not; a lookup may state its own."""

_MOST_KEYS = 5


class TableLookup:
    """Finds the row for the value of another field, or the canonical form of the field's own candidates."""

    spec = specs.LOOKUP

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        lookup = context.field.lookup or {}
        keys = _keys(context, lookup)
        if not keys:
            return _note(context, "MISSING_INPUT", Severity.INFO, f"no value for {lookup.get('from') or 'the key'}")
        table = table_of(context, lookup)
        results = [_look_up(context, table, key, refs) for key, refs in keys.items()]
        return CapabilityResult(
            tuple(candidate for result in results for candidate in result.candidates),
            diagnostics=tuple(note for result in results for note in result.diagnostics),
        )


def _keys(context: CapabilityContext, lookup: Mapping[str, Any]) -> dict[str, tuple[EvidenceRef, ...]]:
    """What to look up, each with the evidence that it came from."""
    if lookup.get("from"):
        value = context.resolved.get(lookup["from"])
        return {} if value is None else {str(value): ()}
    keys: dict[str, tuple[EvidenceRef, ...]] = {}
    for candidate in context.candidates:
        refs = tuple(attrs.evolve(ref, role="context") for ref in candidate.evidence_refs)
        keys.setdefault(str(candidate.value), refs)
    return dict(list(keys.items())[:_MOST_KEYS])


def _look_up(
    context: CapabilityContext, table: LookupTable, key: str, refs: tuple[EvidenceRef, ...]
) -> CapabilityResult:
    threshold = (context.field.lookup or {}).get("threshold", THRESHOLD)
    answer = table.find(key, float(threshold))
    if answer is None:
        return _note(context, "NO_MATCH", Severity.INFO, f"{table.name} has no row for the key{table.scope}")
    found = tuple(row for row in answer.rows if not row.is_empty)
    if not found:
        message = f"{table.name} {answer.rows[0].name} ({answer.how}): the cell that would answer is empty"
        return _note(context, "NO_MATCH", Severity.INFO, message)
    values = {repr(row.value) for row in found}
    if len(values) > 1:
        rows = ", ".join(row.name for row in found[:_MOST_KEYS])
        message = f"{len(values)} different values in {table.name} answer equally well ({answer.how}): {rows}"
        return _note(context, "AMBIGUOUS_VALUE", Severity.WARNING, message)
    return _candidate(context, table, TableAnswer(found, answer.how), refs)


def _candidate(
    context: CapabilityContext, table: LookupTable, answer: TableAnswer, refs: tuple[EvidenceRef, ...]
) -> CapabilityResult:
    row = answer.rows[0]
    try:
        values, doubts = _typed(row.value, context, table)
    except ValueError as error:
        return _note(context, "VALIDATION_FAILED", Severity.WARNING, f"{table.name} {row.name}: {error}")
    content = f", sha256:{table.content_hash}" if table.content_hash else ""
    detail = f"{table.name} {row.name} ({answer.how}){content}"
    basis: Basis = "likeness" if answer.is_close else "name"
    spec, path = context.spec, context.field.path
    ref = EvidenceRef(spec.id, spec.version, path, source=row.source, basis=basis, detail=detail)
    close = _note(context, "FUZZY_MATCH", Severity.INFO, detail).diagnostics if answer.is_close else ()
    return CapabilityResult(tuple(Candidate(value, (ref, *refs), (*close, *doubts)) for value in values))


def _typed(value: Any, context: CapabilityContext, table: LookupTable) -> tuple[list[Any], tuple[Diagnostic, ...]]:
    """A cell as the field's type, in each way that it can be read; what is not text has a type of its own."""
    field = context.field
    if not isinstance(value, str) or field.type is FieldType.STRING:
        return [as_field_type(value, field)], ()
    if field.type is FieldType.UNION:
        return _typed_by_branch(value, context, table)
    from paxman.capabilities.values import ambiguity
    from paxman.recognizers import conventions_of, read_value

    how = conventions_of(f"{value}\n{table.sample}", context.policy.locale)
    # An amount in a table is in the currency that stands with it, whatever is usual where the paper was written.
    reading = read_value(value, field, attrs.evolve(how, currency=None))
    if reading is None:
        raise ValueError(f"the value in the table is {unlike(field)}")
    return [each.value for each in (reading, *reading.alternatives)], ambiguity(reading, field.path)


def _typed_by_branch(
    value: str, context: CapabilityContext, table: LookupTable
) -> tuple[list[Any], tuple[Diagnostic, ...]]:
    """A cell as the first branch of a union that takes it, text last."""
    from paxman.capabilities.structure.open_values import branches_in_text

    for branch in sorted(branches_in_text(context.field), key=lambda branch: branch.type is FieldType.STRING):
        with suppress(ValueError):
            return _typed(value, attrs.evolve(context, field=branch), table)
    raise ValueError("the value in the table fits no branch of the union")


def _note(context: CapabilityContext, code: str, severity: Severity, message: str) -> CapabilityResult:
    return CapabilityResult(diagnostics=(Diagnostic(code, severity, message, context.field.path),))
