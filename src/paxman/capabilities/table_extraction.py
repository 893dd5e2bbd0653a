"""Rows of tables into arrays of objects, and lists below a label into arrays of values."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import attrs

from paxman.capabilities import specs
from paxman.capabilities.base import NOTHING, CapabilityContext, CapabilityResult, EvidenceRef
from paxman.capabilities.rejected_rows import ledger_of, left_out, listed, tell_places
from paxman.capabilities.values import Found, conventions, read_at
from paxman.contract.constraints import problems, unlike
from paxman.contract.model import CanonicalField
from paxman.documents.document import Cell
from paxman.finding.tables.joining import FoundRows
from paxman.finding.tables.lists import FoundList, find_list
from paxman.finding.tables.region import expected_rows
from paxman.finding.tables.row_building import FoundRow
from paxman.finding.tables.rows import find_rows
from paxman.lexicon.own_files import lexicon_of
from paxman.types import Diagnostic, FieldType, RowLedger, Severity

_MOST_NOTES = 20
_MANY_COLUMNS, _MANY_TITLES = 4, 3
_LAST = 1_000_000_000


class TableExtraction:
    """Finds the rows of an array by the heads of a table, or its elements below a label."""

    spec = specs.TABLE_EXTRACTION

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        if not context.field.columns:
            listed = find_list(context.document, context.contract, context.field, lexicon_of(context.policy.lexicon))
            return NOTHING if listed is None else _listed(context, listed)
        found = find_rows(
            context.document, context.contract, context.field, lexicon_of(context.policy.lexicon), conventions(context)
        )
        return NOTHING if found is None else read_rows(context, found)


def read_rows(context: CapabilityContext, found: FoundRows) -> CapabilityResult:
    """Found rows as typed values."""
    tied = found.tied and not found.doubts
    return _Read(context if tied else attrs.evolve(context, basis="place"), found).result()


def _listed(context: CapabilityContext, found: FoundList) -> CapabilityResult:
    """The items of a list as one candidate; what cannot be read is a row that was rejected."""
    if found.doubts:
        context = attrs.evolve(context, basis="place")
    path, how = context.field.path, conventions(context)
    item = context.field.items or attrs.evolve(context.field, type=FieldType.STRING, items=None)
    values: list[Any] = []
    refs: list[EvidenceRef] = []
    notes: list[Diagnostic] = []
    rejected: list[Diagnostic] = []
    for cell in found.items:
        read = read_at(context, item, cell.text, cell.span, how, cell.transforms, path=f"{path}[{len(values)}]")
        if read and not problems(item, read[0].value):
            values.append(read[0].value)
            refs.append(read[0].ref)
            notes += read[0].diagnostics
        else:
            rejected.append(left_out(context, unlike(item), cell.span))
    notes += [*rejected, *(Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, doubt, path) for doubt in found.doubts)]
    if not values:
        return CapabilityResult(diagnostics=tuple(notes), rows=ledger_of(0, len(rejected)))
    lines = {"not ticked": len(found.dropped)} if found.dropped else {}
    ledger = attrs.evolve(ledger_of(len(values), len(rejected)), lines=lines)
    return CapabilityResult((listed(values, refs, ledger),), diagnostics=tuple(dict.fromkeys(notes)))


@attrs.define(slots=False)
class _Read:
    """Rows of a table as values with evidence for each cell, and notes on what was left out."""

    context: CapabilityContext
    found: FoundRows
    rows: list[dict[str, Any]] = attrs.field(factory=list)
    refs: list[EvidenceRef] = attrs.field(factory=list)
    notes: list[Diagnostic] = attrs.field(factory=list)
    doubts: list[Diagnostic] = attrs.field(factory=list)
    conflicts: list[Diagnostic] = attrs.field(factory=list)
    rejected: int = 0

    @cached_property
    def absent(self) -> frozenset[int]:
        """Columns that no row has, if these are not most of what is required: one problem, and not one of each row."""
        held = {column for row in self.found.rows for column in row.cells}
        needed = {column for column, field in enumerate(self.context.field.columns) if field.required}
        lost = needed - held
        return frozenset(lost) if len(lost) <= len(needed - lost) and len(held) > 1 else frozenset()

    def result(self) -> CapabilityResult:
        for row in self.found.rows:
            self._add(row)
        path, ledger = self.context.field.path, self._ledger()
        unsure = [Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, doubt, path) for doubt in self.found.doubts]
        self.notes.sort(key=lambda note: note.context.get("row") or _LAST)
        notes = tuple(dict.fromkeys((*self.notes, *self.doubts[:_MOST_NOTES], *unsure)))
        if not self.rows:
            return CapabilityResult(diagnostics=notes, rows=ledger)
        if self.found.tables > 1:
            message = f"the rows of {self.found.tables} tables with the same headings were joined"
            notes = (*notes, Diagnostic("TABLES_JOINED", Severity.INFO, message, path))
        if keys := [self.context.field.columns[column].name for column in self.found.keys]:
            message = f"tables that hold other columns of the same records were joined by {', '.join(keys)}"
            notes = (*notes, Diagnostic("TABLES_JOINED", Severity.INFO, message, path))
        candidate = attrs.evolve(listed(self.rows, self.refs, ledger), diagnostics=tuple(self.conflicts[:_MOST_NOTES]))
        return CapabilityResult((candidate,), diagnostics=notes)

    def _ledger(self) -> RowLedger:
        """What became of the region's lines, with the columns that are missing though the region may hold them."""
        region, asked = self.found.region, [each for each in self.context.field.columns if not each.is_filled]
        filled = {name for row in self.rows for name in row}
        missing = [column.name for column in asked if column.name not in filled]
        needed = {column.name for column in asked if column.required}
        few = len(asked) >= _MANY_COLUMNS and 3 * len(missing) >= len(asked)
        few = few or region.lines.get("title", 0) >= _MANY_TITLES  # what stands over groups of rows may be a column
        unclear = {self.context.field.columns[column].name for column in region.unclear}
        unclear |= {name for name in missing if few or name in needed}
        expected, by = expected_rows(len(self.rows) + self.rejected, region.numbers, self.found.counts)
        return RowLedger(
            len(self.rows),
            self.rejected,
            expected,
            by,
            region.lines,
            tuple(column.name for column in asked if column.name in unclear),
            tell_places(self.context, region.unaccounted),
        )

    def _add(self, row: FoundRow) -> None:
        fields = self.context.field.columns
        path = f"{self.context.field.path}[{len(self.rows)}]"
        read = {c: self._read(c, cell, f"{path}.{fields[c].name}", row) for c, cell in row.cells.items()}
        for column, field in enumerate(fields):
            if column in self.absent:
                continue
            reason = _refusal(field, row.cells.get(column), read.get(column))
            if reason:
                self._reject(row, reason, row.cells.get(column))
                return
        values = {fields[c].name: found.value for c, found in sorted(read.items()) if found}
        if not values:
            self._reject(row, "no value in any column", None)
            return
        self.rows.append(values)
        for column, found in sorted(read.items()):
            if found:
                self.refs.append(found.ref)
                self.doubts += found.diagnostics
                self._hold_against(row, column, found, f"{path}.{fields[column].name}")
            elif any(map(str.isalnum, row.cells[column].text)):
                reason, where = unlike(fields[column]), f"{path}.{fields[column].name}"
                self.notes.append(left_out(self.context, reason, row.cells[column].span, path=where))

    def _hold_against(self, row: FoundRow, column: int, found: Found, path: str) -> None:
        """A conflict for each other place of the page that says something else in the same column of the row."""
        for cell in row.rivals.get(column, ()):
            rival = self._read(column, cell, path, row)
            if rival and rival.value != found.value:
                lost = {"lost": [{"value": str(rival.value), "by": "another place with the same row"}]}
                message = f"also found: {rival.value}"
                self.conflicts.append(Diagnostic("CONFLICT", Severity.WARNING, message, path, lost))

    def _read(self, column: int, cell: Cell, path: str, row: FoundRow) -> Found | None:
        field, how = self.context.field.columns[column], conventions(self.context)
        currency = row.currency or self.found.currencies.get(column, "")
        if currency and field.type is FieldType.MONEY:
            how = attrs.evolve(how, currency=currency, states_currency=True)
        found = read_at(self.context, field, cell.text, cell.span, how, cell.transforms, path=path)
        return found[0] if found else None

    def _reject(self, row: FoundRow, reason: str, cell: Cell | None) -> None:
        spans = [cell.span] if cell and cell.text.strip() else [each.span for each in row.cells.values()]
        if not spans:
            return  # Its table has no column that is asked for.
        whole = (min(start for start, _ in spans), max(end for _, end in spans))
        self.rejected += 1
        self.notes.append(left_out(self.context, reason, whole, row=row.number))


def _refusal(field: CanonicalField, cell: Cell | None, found: Found | None) -> str | None:
    """Why a cell spoils its row; an optional one that cannot be read does not."""
    if found:
        broken = problems(field, found.value)
        return f"{field.name}: {broken[0]}" if broken else None
    if field.required:
        return f"{field.name}: {unlike(field)}" if cell and cell.text.strip() else f"{field.name}: missing"
    return None
