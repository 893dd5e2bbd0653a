"""Where the table of a lookup is: in the contract, in a file, or in a database."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import attrs

from paxman.capabilities.base import CapabilityContext
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
from paxman.contract.model import CanonicalField
from paxman.errors import CapabilityError, unknown_name
from paxman.serialization import canonical_hash
from paxman.types import FieldType

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
