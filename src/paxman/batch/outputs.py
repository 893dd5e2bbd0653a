"""Results in the form that was asked for: one row per document and one per field, in the order of the sources.

Everything is written beside its place and moved there when it is complete, or committed in one transaction.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from paxman.batch.disk import replacing, writing
from paxman.batch.journal import Line
from paxman.batch.tables import connect, need
from paxman.batch.wide_csv import write_csv
from paxman.errors import ConfigurationError

Lines = Iterable[Line]
Rows = list[tuple[Any, ...]]
_AT_ONCE = 1_000
_DOCUMENT_TYPES = {
    **dict.fromkeys("position fields resolved tokens invocations".split(), int),
    **dict.fromkeys("source metadata content_hash contract_id contract_hash status reason data".split(), str),
    **dict.fromkeys("unresolved notes cost_usd replay_hash".split(), str),
}
_FIELD_TYPES = {
    **dict.fromkeys("position invocations tokens".split(), int),
    "required": bool,
    "confidence": float,
    **dict.fromkeys("source field_path field_type_name status value confidence_band truth_layer".split(), str),
    **dict.fromkeys("confidence_evidence origin evidence diagnostics cost_usd".split(), str),
}
DOCUMENT_COLUMNS = tuple(
    "position source metadata content_hash contract_id contract_hash status reason data fields resolved unresolved "
    "notes cost_usd tokens invocations replay_hash".split()
)
FIELD_COLUMNS = tuple(
    "position source field_path field_type_name required status value confidence confidence_band confidence_evidence "
    "truth_layer origin evidence diagnostics invocations tokens cost_usd".split()
)
_DUCKDB = "duckdb:///"
_AS_JSON = frozenset("data unresolved notes value confidence_evidence evidence diagnostics".split())


def write_results(lines: Callable[[], Lines], folder: Path, target: str, raw_cells: bool = False) -> list[str]:
    """Write the results as `jsonl`, `csv`, `parquet`, `sqlite`, `duckdb`, or into a database by its URL; say where."""
    writers: dict[str, Callable[[Callable[[], Lines], Path], list[str]]] = {
        "jsonl": _write_jsonl,
        "csv": partial(write_csv, raw_cells=raw_cells),
        "parquet": _write_parquet,
        "sqlite": _write_sqlite,
        "duckdb": _write_duckdb,
    }
    if target in writers:
        with writing(folder):
            return writers[target](lines, folder)
    if "://" not in target:
        known = ", ".join(writers)
        raise ConfigurationError(f"no output named {target!r}: give one of {known}, or a database URL")
    with writing("the database"):
        return _write_duckdb_tables(lines, target) if target.startswith(_DUCKDB) else _write_database(lines, target)


def check_target(target: str) -> None:
    """Raise before the work begins for what could not be written after it."""
    needs = {"parquet": ("pyarrow", "parquet"), "duckdb": ("duckdb", "duckdb")}
    if target in needs:
        need(*needs[target])
    elif target.startswith(_DUCKDB):
        with _reachable(need("duckdb", "duckdb").Error):
            need("duckdb", "duckdb").connect(target.removeprefix(_DUCKDB)).close()
    elif "://" in target:
        engine = connect(target)
        with _reachable(need("sqlalchemy", "sql").exc.SQLAlchemyError):
            engine.connect().close()
    elif target not in ("jsonl", "csv", "sqlite"):
        write_results(lambda: (), Path(), target)


@contextmanager
def _reachable(kind: type[Exception]) -> Iterator[None]:
    try:
        yield
    except kind as error:
        name = type(getattr(error, "orig", None) or error).__name__
        raise ConfigurationError(f"cannot connect to the database of the results: {name}") from None


def document_line(line: Line) -> bytes:
    """A document's JSON with its place spliced in; nothing is parsed."""
    place = _place(line) + f',"metadata":{line.metadata or "null"},'
    return b"{" + place.encode() + line.row[1:]


def field_lines(line: Line) -> Iterator[bytes]:
    place = ("{" + _place(line) + ",").encode()
    for row in line.fields.split(b"\n") if line.fields else ():
        yield place + row[1:]


def _place(line: Line) -> str:
    return f'"position":{line.position},"source":{json.dumps(line.source, ensure_ascii=False)}'


def _write_jsonl(lines: Callable[[], Lines], folder: Path) -> list[str]:
    documents, fields = folder / "documents.jsonl", folder / "fields.jsonl"
    with (
        replacing(documents) as draft,
        replacing(fields) as other,
        draft.open("wb", 1 << 20) as first,
        other.open("wb", 1 << 20) as second,
    ):
        for line in lines():
            first.write(document_line(line) + b"\n")
            second.writelines(row + b"\n" for row in field_lines(line))
    return [str(documents), str(fields)]


def _document_row(line: Line) -> tuple[Any, ...]:
    return _cells(json.loads(document_line(line)), DOCUMENT_COLUMNS)


def _field_rows(line: Line) -> list[tuple[Any, ...]]:
    return [_cells(json.loads(row), FIELD_COLUMNS) for row in field_lines(line)]


def _cells(row: dict[str, Any], columns: Sequence[str]) -> tuple[Any, ...]:
    return tuple(_text(row[name]) if name in _AS_JSON or name == "metadata" else row[name] for name in columns)


def _text(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _batches(lines: Lines) -> Iterator[tuple[Rows, Rows]]:
    documents: Rows = []
    fields: Rows = []
    for line in lines:
        documents.append(_document_row(line))
        fields += _field_rows(line)
        if len(documents) >= _AT_ONCE:
            yield documents, fields
            documents, fields = [], []
    yield documents, fields


def _write_parquet(lines: Callable[[], Lines], folder: Path) -> list[str]:
    arrow, parquet = need("pyarrow", "parquet"), need("pyarrow.parquet", "parquet")
    schemas = [_arrow_schema(arrow, *pair) for pair in (_DOCUMENTS, _FIELDS)]
    documents, fields = folder / "documents.parquet", folder / "fields.parquet"
    with (
        replacing(documents) as draft,
        replacing(fields) as other,
        parquet.ParquetWriter(draft, schemas[0]) as first,
        parquet.ParquetWriter(other, schemas[1]) as second,
    ):
        for batch in _batches(lines()):
            for writer, schema, rows in zip((first, second), schemas, batch, strict=True):
                writer.write_batch(_record_batch(arrow, schema, rows))
    return [str(documents), str(fields)]


_DOCUMENTS = (DOCUMENT_COLUMNS, _DOCUMENT_TYPES)
_FIELDS = (FIELD_COLUMNS, _FIELD_TYPES)


def _arrow_schema(arrow: Any, columns: Sequence[str], types: dict[str, type]) -> Any:
    kinds = {int: arrow.int64(), str: arrow.string(), bool: arrow.bool_(), float: arrow.float64()}
    return arrow.schema([(name, kinds[types[name]]) for name in columns])


def _record_batch(arrow: Any, schema: Any, rows: Rows) -> Any:
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    return arrow.record_batch([arrow.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema=schema)


def _create(name: str, columns: Sequence[str], types: dict[str, type]) -> str:
    kinds = {int: "BIGINT", str: "TEXT", bool: "BOOLEAN", float: "DOUBLE PRECISION"}
    return f"CREATE TABLE {name} ({', '.join(f'{column} {kinds[types[column]]}' for column in columns)})"


def _insert(name: str, columns: Sequence[str]) -> str:
    return f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})"


def _write_sqlite(lines: Callable[[], Lines], folder: Path) -> list[str]:
    target = folder / "results.sqlite"
    with replacing(target) as draft, closing(sqlite3.connect(draft)) as connection, connection:
        connection.execute(_create("documents", *_DOCUMENTS))
        connection.execute(_create("fields", *_FIELDS))
        for documents, fields in _batches(lines()):
            connection.executemany(_insert("documents", DOCUMENT_COLUMNS), documents)
            connection.executemany(_insert("fields", FIELD_COLUMNS), fields)
    return [str(target)]


@contextmanager
def _speaking(kind: type[Exception]) -> Iterator[None]:
    """A driver's error as one of the system, without its words: they may hold an address, or what was to be written."""
    try:
        yield
    except kind as error:
        raise OSError(type(getattr(error, "orig", None) or error).__name__) from None


def _write_duckdb(lines: Callable[[], Lines], folder: Path) -> list[str]:
    duckdb = need("duckdb", "duckdb")
    target = folder / "results.duckdb"
    with _speaking(duckdb.Error), replacing(target) as draft, duckdb.connect(str(draft)) as connection:
        _fill_duckdb(lines, connection, "documents", "fields")
    return [str(target)]


def _write_duckdb_tables(lines: Callable[[], Lines], url: str) -> list[str]:
    """As `_write_database` does: what else is in the file stays."""
    duckdb = need("duckdb", "duckdb")
    names = "paxman_documents", "paxman_fields"
    with _speaking(duckdb.Error), duckdb.connect(url.removeprefix(_DUCKDB)) as connection:
        connection.begin()
        for name in names:
            connection.execute(f"DROP TABLE IF EXISTS {name}")
        _fill_duckdb(lines, connection, *names)
        connection.commit()
    return list(names)


def _fill_duckdb(lines: Callable[[], Lines], connection: Any, *names: str) -> None:
    """Through Arrow: DuckDB takes single rows slowly."""
    arrow = need("pyarrow", "parquet")
    kinds = dict(zip(names, (_DOCUMENTS, _FIELDS), strict=True))
    for name, kind in kinds.items():
        connection.execute(_create(name, *kind))
    for batch in _batches(lines()):
        for (name, kind), rows in zip(kinds.items(), batch, strict=True):
            table = arrow.Table.from_batches([_record_batch(arrow, _arrow_schema(arrow, *kind), rows)])
            connection.register("batch", table)
            connection.execute(f"INSERT INTO {name} SELECT * FROM batch")
            connection.unregister("batch")


def _write_database(lines: Callable[[], Lines], url: str) -> list[str]:
    """Tables paxman_documents and paxman_fields, filled anew in one transaction."""
    alchemy = need("sqlalchemy", "sql")
    engine = connect(url)
    tables = alchemy.MetaData()
    documents = _sql_table(alchemy, tables, "paxman_documents", *_DOCUMENTS)
    fields = _sql_table(alchemy, tables, "paxman_fields", *_FIELDS)
    with _speaking(alchemy.exc.SQLAlchemyError), engine.begin() as connection:
        tables.create_all(connection)
        for table in (documents, fields):
            connection.execute(table.delete())
        for batch in _batches(lines()):
            for table, rows in zip((documents, fields), batch, strict=True):
                if rows:
                    names = [column.name for column in table.columns]
                    connection.execute(table.insert(), [dict(zip(names, row, strict=True)) for row in rows])
    return ["paxman_documents", "paxman_fields"]


def _sql_table(alchemy: Any, tables: Any, name: str, columns: Sequence[str], types: dict[str, type]) -> Any:
    kinds = {int: alchemy.BigInteger, str: alchemy.Text, bool: alchemy.Boolean, float: alchemy.Float(53)}
    return alchemy.Table(name, tables, *(alchemy.Column(column, kinds[types[column]]) for column in columns))


def write_artifact(folder: Path, name: str, content: bytes) -> None:
    """An artifact under its own hash; the same name always holds the same bytes."""
    target = folder / "artifacts" / name[:2] / f"{name}.json"
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.part")
    draft.write_bytes(content)
    os.replace(draft, target)
