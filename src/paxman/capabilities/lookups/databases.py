"""Databases that lookups query: SQLite and DuckDB files, and whatever SQLAlchemy connects to.

Values are always parameters, and names are quoted after they were found in the database's own catalogue. What a
driver says is never repeated, because it may hold the address or the password.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, Protocol
from urllib.parse import unquote

import attrs

from paxman.errors import CapabilityError, to_install

Records = list[tuple[Any, ...]]

_SQLITE_MAGIC = b"SQLite format 3\0"
_DUCKDB_MAGIC = slice(8, 12)


class Database(Protocol):
    """What a lookup needs of a database."""

    @property
    def name(self) -> str: ...

    def tables(self) -> list[str]:
        """Names of tables and views, in order."""

    def columns(self, table: str) -> list[str]:
        """The columns of a table; none if there is no such table."""

    def select(self, table: str, columns: Sequence[str], *, where: tuple[str, str] | None = None, most: int) -> Records:
        """At most so many rows, all or those whose column equals a text, in the order of the first column."""


def secret(reference: str) -> str:
    """The value behind `env:NAME`; the error names the variable, never a value."""
    name = reference.removeprefix("env:")
    value = os.environ.get(name)
    if value is None:
        raise CapabilityError(f"the environment variable {name} is not set; a lookup refers to it as {reference!r}")
    return value


def _revealed(value: Any) -> Any:
    return secret(value) if isinstance(value, str) and value.startswith("env:") else value


def open_file(path: Path) -> Database | None:
    """The database in a file, by its first bytes; None if it is not one."""
    with path.open("rb") as file:
        head = file.read(16)
    if head == _SQLITE_MAGIC:
        return SqliteFile(path)
    return DuckdbFile(path) if head[_DUCKDB_MAGIC] == b"DUCK" else None


def open_url(url: str, base: Path, password: str | None) -> Database:
    """The database behind a URL; files of SQLite and DuckDB are found from the contract's folder."""
    scheme, _, rest = url.partition(":///")
    if scheme not in ("sqlite", "duckdb"):
        return SqlDatabase.connect(url, password)
    path = base / unquote(rest.partition("?")[0])
    if not path.is_file():
        raise CapabilityError(f"cannot read the lookup table: there is no file {path.name!r}")
    return SqliteFile(path) if scheme == "sqlite" else DuckdbFile(path)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _statement(table: str, columns: Sequence[str], where: tuple[str, str] | None, compare: str, most: int) -> str:
    names = ", ".join(map(_quoted, columns))
    condition = f" WHERE {compare.format(_quoted(where[0]))} = ?" if where else ""
    return f"SELECT {names} FROM {_quoted(table)}{condition} ORDER BY {names} LIMIT {most:d}"


@contextmanager
def _guarded(name: str) -> Iterator[None]:
    """A driver's error without its words."""
    try:
        yield
    except CapabilityError:
        raise
    except ModuleNotFoundError as error:
        raise CapabilityError(f"cannot query {name}: install its driver, the module {error.name}") from None
    except Exception as error:
        raise CapabilityError(f"cannot query {name}: {type(error).__name__}") from None


def _require(module: str, extra: str) -> Any:
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        raise CapabilityError(f"this lookup needs {module}: {to_install(extra)}") from None


@attrs.frozen
class _File:
    """A file that holds a database: what its tables and their columns are asked by, and how a column is text."""

    path: Path
    list_tables: ClassVar[str]
    list_columns: ClassVar[str]
    as_text: ClassVar[str] = "{}"

    @property
    def name(self) -> str:
        return self.path.name

    def _connect(self) -> Any:
        raise NotImplementedError

    def _run(self, statement: str, values: Sequence[str] = ()) -> Records:
        with _guarded(self.name), closing(self._connect()) as connection:
            return [tuple(row) for row in connection.execute(statement, list(values)).fetchall()]

    def tables(self) -> list[str]:
        return [name for (name,) in self._run(self.list_tables) if not name.startswith("sqlite_")]

    def columns(self, table: str) -> list[str]:
        return [name for (name,) in self._run(self.list_columns, [table])]

    def select(self, table: str, columns: Sequence[str], *, where: tuple[str, str] | None = None, most: int) -> Records:
        return self._run(_statement(table, columns, where, self.as_text, most), [where[1]] if where else [])


@attrs.frozen
class SqliteFile(_File):
    """A SQLite file, opened for reading only."""

    list_tables = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"
    list_columns = "SELECT name FROM pragma_table_info(?) ORDER BY cid"

    def _connect(self) -> Any:
        import sqlite3

        return sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True)


@attrs.frozen
class DuckdbFile(_File):
    """A DuckDB file, opened for reading only; its views read no other files, and nothing from the network."""

    list_tables = "SELECT table_name FROM information_schema.tables ORDER BY table_name"
    list_columns = "SELECT column_name FROM information_schema.columns WHERE table_name = ? ORDER BY ordinal_position"
    as_text = "CAST({} AS VARCHAR)"

    def _connect(self) -> Any:
        closed = {"enable_external_access": "false"}
        return _require("duckdb", "duckdb").connect(str(self.path), read_only=True, config=closed)


@attrs.frozen
class SqlDatabase:
    """A database that SQLAlchemy connects to; `schema.table` names a table outside the default schema."""

    name: str
    engine: Any = attrs.field(repr=False)

    @classmethod
    def connect(cls, url: str, password: str | None) -> SqlDatabase:
        alchemy = _require("sqlalchemy", "sql")
        with _guarded("the database of the lookup"):
            parsed = alchemy.engine.make_url(url)
            # PostgreSQL's newer driver where the usual one is not there.
            is_newer = parsed.drivername == "postgresql" and not find_spec("psycopg2") and find_spec("psycopg")
            parsed = parsed.set(
                drivername="postgresql+psycopg" if is_newer else parsed.drivername,
                password=_revealed(password or parsed.password),
                query={name: _revealed(value) for name, value in parsed.query.items()},
            )
            engine = alchemy.create_engine(parsed, poolclass=alchemy.pool.NullPool, hide_parameters=True)
        return cls(f"the {parsed.get_backend_name()} database {parsed.database or ''!r}", engine)

    def tables(self) -> list[str]:
        def read(inspector: Any) -> list[str]:
            return sorted({*inspector.get_table_names(), *inspector.get_view_names()})

        return self._inspect(read)

    def columns(self, table: str) -> list[str]:
        schema, name = _split_schema(table)

        def read(inspector: Any) -> list[str]:
            if not inspector.has_table(name, schema=schema):
                return []
            return [str(column["name"]) for column in inspector.get_columns(name, schema=schema)]

        return self._inspect(read)

    def _inspect(self, read: Callable[[Any], list[str]]) -> list[str]:
        alchemy = _require("sqlalchemy", "sql")
        with _guarded(self.name), self.engine.connect() as connection:
            return read(alchemy.inspect(connection))

    def select(self, table: str, columns: Sequence[str], *, where: tuple[str, str] | None = None, most: int) -> Records:
        alchemy = _require("sqlalchemy", "sql")
        schema, name = _split_schema(table)
        with _guarded(self.name), self.engine.connect() as connection:
            found = alchemy.Table(name, alchemy.MetaData(), schema=schema, autoload_with=connection)
            wanted = [found.c[column] for column in columns]
            statement = alchemy.select(*wanted).order_by(*wanted).limit(most)
            if where:
                statement = statement.where(_text_of(alchemy, found.c[where[0]]) == where[1])
            return [tuple(row) for row in connection.execute(statement)]


def _text_of(alchemy: Any, column: Any) -> Any:
    """A column as text; one that is text already stays as it is, so that its index serves."""
    return column if isinstance(column.type, alchemy.String) else alchemy.cast(column, alchemy.String)


def _split_schema(table: str) -> tuple[str | None, str]:
    schema, _, name = table.rpartition(".")
    return schema or None, name
