"""Rows of Parquet files and SQL tables, in a fixed order and never all at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from paxman.errors import CapabilityError, ConfigurationError, PaxmanError, need

_CONTENT = ("text", "base64", "document", "path", "content", "data", "body", "bytes")
_AT_ONCE = 256
Row = tuple[dict[str, Any], dict[str, Any]]
"""The document of a row as a manifest would name it, and the other columns."""


class UnreadableSourceError(ConfigurationError):
    """One source that leads nowhere or is broken; the others may be whole."""


def parquet_rows(path: Path, column: str | None) -> Iterator[Row]:
    """Rows of a Parquet file; `column` holds the documents."""
    arrow, parquet = need("pyarrow", "parquet"), need("pyarrow.parquet", "parquet")
    try:
        with parquet.ParquetFile(path) as file:
            column = _pick(file.schema_arrow.names, column, str(path))
            for batch in file.iter_batches(_AT_ONCE):
                for row in batch.to_pylist():
                    yield _as_row(row, column)
    except arrow.ArrowException:
        raise UnreadableSourceError("the Parquet file is broken or is none") from None


def sql_rows(url: str) -> Iterator[tuple[str, Row]]:
    """Rows of a table, each with its place: `sqlite:///shop.db#letters` or `postgresql://host/db#letters.body`."""
    address, _, wanted = url.partition("#")
    table, _, column = wanted.partition(".")
    if not table:
        raise ConfigurationError("a database source names its table: sqlite:///shop.db#letters, or #letters.body")
    try:
        for number, row in enumerate(_table_rows(address, table, column or None)):
            yield f"{table}#{row[1].get('id', number)}", row
    except PaxmanError:
        raise
    except Exception as error:
        # Not in the driver's words, which may hold the address.
        raise ConfigurationError(f"cannot read the table {table!r} of the database: {type(error).__name__}") from None


def _table_rows(address: str, name: str, column: str | None) -> Iterator[Row]:
    if address.startswith("duckdb:///"):
        yield from _duckdb_rows(address.removeprefix("duckdb:///"), name, column)
        return
    alchemy = need("sqlalchemy", "sql")
    engine = connect(address)
    with engine.connect().execution_options(stream_results=True, yield_per=_AT_ONCE) as connection:
        table = alchemy.Table(name, alchemy.MetaData(), autoload_with=connection)
        column = _pick([c.name for c in table.columns], column, name)
        order = list(table.primary_key.columns) or [table.c[c] for c in _order(table.columns.keys(), column)]
        order = [_sortable(alchemy, part) for part in order]
        for row in connection.execute(alchemy.select(table).order_by(*order)).mappings():
            yield _as_row(row, column)
    engine.dispose()


def _duckdb_rows(path: str, name: str, column: str | None) -> Iterator[Row]:
    # A view in a file must not read others, nor the network.
    closed = {"enable_external_access": "false"}
    with need("duckdb", "duckdb").connect(path, read_only=True, config=closed) as connection:
        quoted = '"' + name.replace('"', '""') + '"'
        names = [row[1] for row in connection.execute(f"PRAGMA table_info({quoted})").fetchall()]
        column = _pick(names, column, name)
        ordered = ", ".join(f'"{part}"' for part in _order(names, column))
        cursor = connection.execute(f"SELECT * FROM {quoted} ORDER BY {ordered}")
        while rows := cursor.fetchmany(_AT_ONCE):
            for row in rows:
                yield _as_row(dict(zip(names, row, strict=True)), column)


def connect(address: str) -> Any:
    """An engine for a URL; a password may be `env:NAME`, and no error repeats the address."""
    from paxman.capabilities.lookups.databases import SqlDatabase

    need("sqlalchemy", "sql")
    try:
        return SqlDatabase.connect(address, None).engine
    except CapabilityError as error:
        raise ConfigurationError(str(error).replace("the database of the lookup", "the database")) from None


def _pick(names: Sequence[str], column: str | None, where: str) -> str:
    """The column with the documents: the one that was named, one with a usual name, or the only one."""
    found = column or next((name for name in _CONTENT if name in names), None)
    if found is None and len(names) == 1:
        found = names[0]
    if found is None or found not in names:
        raise ConfigurationError(
            f"{where}: say which column holds the documents, as in {where}#column; there are {', '.join(names)}"
        )
    return found


def _order(names: Sequence[str], column: str) -> list[str]:
    """What rows without a key are sorted by: everything but the document first, so that it is seldom compared."""
    return [*(name for name in names if name != column), column]


def _sortable(alchemy: Any, column: Any) -> Any:
    """As text, if its kind has no order: JSON, and what SQLAlchemy does not know, such as XML."""
    unordered = isinstance(column.type, alchemy.JSON | alchemy.types.NullType)
    return alchemy.cast(column, alchemy.Text) if unordered else column


def _as_row(row: Mapping[str, Any], column: str) -> Row:
    """Only the one column holds the document, whatever the others are called."""
    content = row[column]
    kind = column if column in ("path", "base64", "document") and isinstance(content, str) else "text"
    rest = {name: value for name, value in row.items() if name != column}
    named: dict[str, Any] = {name: rest.pop(name) for name in ("source", "contract") if name in rest}
    return {kind: bytes(content) if isinstance(content, bytearray | memoryview) else content, **named}, rest
