"""Values from a table: a mapping, a file or a database. Exact match first, then normalized, then fuzzy."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from contextlib import suppress
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

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
from paxman.capabilities.lookups.databases import Database, open_file, open_url, secret
from paxman.capabilities.lookups.lookup_tables import (
    CACHE,
    MOST_TIES,
    MemoryTable,
    Row,
    TableAnswer,
    columns_of,
    from_csv,
    from_mapping,
)
from paxman.capabilities.structure.open_values import branches_in_text
from paxman.capabilities.values import ambiguity
from paxman.contract.constraints import unlike
from paxman.contract.model import CanonicalField
from paxman.errors import CapabilityError, unknown_name
from paxman.recognizers import conventions_of, read_value
from paxman.serialization import canonical_hash
from paxman.types import Diagnostic, FieldType, Severity

MOST_ROWS = 100_000
"""Rows of a database that are compared when no key is exactly the one asked for."""


class LookupTable(Protocol):
    """Anything that finds the rows for a key."""

    @property
    def name(self) -> str: ...

    @property
    def content_hash(self) -> str: ...

    @property
    def scope(self) -> str: ...

    @property
    def sample(self) -> str: ...

    def find(self, key: str, threshold: float) -> TableAnswer | None: ...


@attrs.frozen(eq=False, slots=False)
class DatabaseTable:
    """A table of a database: exact keys are queried, anything else is compared with the rows that are loaded."""

    database: Database
    table: str
    key: str
    value: str
    type: FieldType

    @cached_property
    def name(self) -> str:
        return f"{self.table} in {self.database.name}"

    content_hash = ""
    sample = ""

    @property
    def scope(self) -> str:
        return self.loaded.scope

    @cached_property
    def loaded(self) -> MemoryTable:
        records = self.database.select(self.table, (self.key, self.value), most=MOST_ROWS + 1)
        scope = f" among the first {MOST_ROWS} rows" if len(records) > MOST_ROWS else ""
        return MemoryTable(self.name, "", self._rows(records[:MOST_ROWS]), scope)

    def find(self, key: str, threshold: float) -> TableAnswer | None:
        records = self.database.select(self.table, (self.key, self.value), where=(self.key, key), most=MOST_TIES)
        # A database may compare without regard to case, and that is no exact match.
        rows = tuple(row for row in self._rows(records) if row.key == key)
        return TableAnswer(rows, "exact match") if rows else self.loaded.find(key, threshold)

    def _rows(self, records: list[tuple[Any, ...]]) -> tuple[Row, ...]:
        return tuple(self._row(key, value) for key, value in records if key is not None)

    def _row(self, key: Any, value: Any) -> Row:
        digest = canonical_hash({self.key: str(key), self.value: str(value)})
        return Row(str(key), _as_data(value, self.type), f"row {self.key}={str(key)!r}, sha256:{digest}")


def table_of(context: CapabilityContext, lookup: Mapping[str, Any]) -> LookupTable:
    """The table that a lookup names; files are read again when they change, a database is asked every time."""
    source, field = lookup["source"], context.field
    if isinstance(source, Mapping):
        return CACHE.get((id(source), lookup.get("value"), field.name), source, lambda: from_mapping(lookup, field))
    address = secret(source) if source.startswith("env:") else source
    base = Path(context.contract.base_path or "")
    if "://" in address:
        return _of_database(open_url(address, base, lookup.get("password")), lookup, field)
    path = base / address
    try:
        database = open_file(path)
        return _of_database(database, lookup, field) if database else _of_csv(path, lookup, field)
    except OSError as error:
        raise CapabilityError(
            f"cannot read the lookup table {source!r}: {error.strerror}. Give a path to a CSV, SQLite or DuckDB file,"
            " relative to the contract's file or to the working directory, or the URL of a database",
            context={"source": source},
        ) from None


def _of_csv(path: Path, lookup: Mapping[str, Any], field: CanonicalField) -> MemoryTable:
    stat = path.stat()
    key = (str(path.absolute()), stat.st_mtime_ns, stat.st_size, lookup.get("key"), lookup.get("value"), field.name)
    return CACHE.get(key, None, lambda: from_csv(path, lookup, field))


def _of_database(database: Database, lookup: Mapping[str, Any], field: CanonicalField) -> DatabaseTable:
    tables = database.tables()
    table = lookup.get("table") or (tables[0] if len(tables) == 1 else None)
    if table is None:
        known = ", ".join(tables) or "none"
        raise CapabilityError(f'which table of {database.name}? Name it as "table" in the lookup. Known: {known}.')
    columns = database.columns(table)
    if not columns:
        raise CapabilityError(unknown_name("table", table, tables, f"Look at {database.name}."))
    key, value = columns_of(columns, {**lookup, "source": table}, field)
    return DatabaseTable(database, table, columns[key], columns[value], field.type)


def _as_data(value: Any, kind: FieldType) -> Any:
    """A value of a driver as one of a contract: databases have no type of their own for some of these."""
    if value is None:
        return None
    if isinstance(value, datetime.datetime):
        value = value.date() if kind is FieldType.DATE else value.isoformat()
    if kind is FieldType.BOOLEAN and value in (0, 1):
        return bool(value)
    plain = isinstance(value, int | float | Decimal | datetime.date) and kind is not FieldType.STRING
    return value if plain else str(value)


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
            return context.noted("MISSING_INPUT", f"no value for {lookup.get('from') or 'the key'}", Severity.INFO)
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
        return context.noted("NO_MATCH", f"{table.name} has no row for the key{table.scope}", Severity.INFO)
    found = tuple(row for row in answer.rows if not row.is_empty)
    if not found:
        message = f"{table.name} {answer.rows[0].name} ({answer.how}): the cell that would answer is empty"
        return context.noted("NO_MATCH", message, Severity.INFO)
    values = {repr(row.value) for row in found}
    if len(values) > 1:
        rows = ", ".join(row.name for row in found[:_MOST_KEYS])
        message = f"{len(values)} different values in {table.name} answer equally well ({answer.how}): {rows}"
        return context.noted("AMBIGUOUS_VALUE", message)
    return _candidate(context, table, TableAnswer(found, answer.how), refs)


def _candidate(
    context: CapabilityContext, table: LookupTable, answer: TableAnswer, refs: tuple[EvidenceRef, ...]
) -> CapabilityResult:
    row = answer.rows[0]
    try:
        values, doubts = _typed(row.value, context, table)
    except ValueError as error:
        return context.noted("VALIDATION_FAILED", f"{table.name} {row.name}: {error}")
    content = f", sha256:{table.content_hash}" if table.content_hash else ""
    detail = f"{table.name} {row.name} ({answer.how}){content}"
    basis: Basis = "likeness" if answer.is_close else "name"
    spec, path = context.spec, context.field.path
    ref = EvidenceRef(spec.id, spec.version, path, source=row.source, basis=basis, detail=detail)
    close = context.noted("FUZZY_MATCH", detail, Severity.INFO).diagnostics if answer.is_close else ()
    return CapabilityResult(tuple(Candidate(value, (ref, *refs), (*close, *doubts)) for value in values))


def _typed(value: Any, context: CapabilityContext, table: LookupTable) -> tuple[list[Any], tuple[Diagnostic, ...]]:
    """A cell as the field's type, in each way that it can be read; what is not text has a type of its own."""
    field = context.field
    if not isinstance(value, str) or field.type is FieldType.STRING:
        return [as_field_type(value, field)], ()
    if field.type is FieldType.UNION:
        # A cell as the first branch of a union that takes it, text last.
        for branch in sorted(branches_in_text(context.field), key=lambda branch: branch.type is FieldType.STRING):
            with suppress(ValueError):
                return _typed(value, attrs.evolve(context, field=branch), table)
        raise ValueError("the value in the table fits no branch of the union")
    how = conventions_of(f"{value}\n{table.sample}", context.policy.locale)
    # An amount in a table is in the currency that stands with it, whatever is usual where the paper was written.
    reading = read_value(value, field, attrs.evolve(how, currency=None))
    if reading is None:
        raise ValueError(f"the value in the table is {unlike(field)}")
    return [each.value for each in (reading, *reading.alternatives)], ambiguity(reading, field.path)
