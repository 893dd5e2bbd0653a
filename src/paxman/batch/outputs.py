"""Results in the form that was asked for: one row per document and one per field, in the order of the sources.

Everything is written beside its place and moved there when it is complete, or committed in one transaction.
"""

from __future__ import annotations

import csv
import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

from paxman.batch.disk import replacing, writing
from paxman.batch.flat_tables import DATA, FlatTable, Row, flat_rows, flat_tables, from_lines
from paxman.batch.journal import JournalLine
from paxman.batch.tables import connect
from paxman.documents.document import name_place, source_from_dict
from paxman.errors import ConfigurationError, need

Lines = Iterable[JournalLine]
Rows = list[tuple[Any, ...]]
_AT_ONCE = 1_000
_DOCUMENT_TYPES: dict[str, type] = {
    **dict.fromkeys("position lost fields resolved tokens invocations".split(), int),
    **dict.fromkeys("source metadata content_hash contract_id contract_hash status reason rows data".split(), str),
    **dict.fromkeys("unresolved notes cost_usd replay_hash".split(), str),
}
_FIELD_TYPES: dict[str, type] = {
    **dict.fromkeys("position invocations tokens".split(), int),
    "required": bool,
    "confidence": float,
    **dict.fromkeys(
        "reason place shape source field_path field_type_name status value confidence_band truth_layer".split(), str
    ),
    **dict.fromkeys("reason place shape rows confidence_evidence origin evidence diagnostics cost_usd".split(), str),
}
DOCUMENT_COLUMNS = tuple(
    "position source metadata content_hash contract_id contract_hash status reason lost rows data fields resolved "
    "unresolved notes cost_usd tokens invocations replay_hash".split()
)
FIELD_COLUMNS = tuple(
    "position source field_path field_type_name required status value confidence confidence_band confidence_evidence "
    "truth_layer origin evidence diagnostics invocations tokens cost_usd shape rows".split()
)
TOLD_COLUMNS = (*FIELD_COLUMNS, "reason", "place")
"""Columns of a table of fields: also why a value is missing or doubtful, and where it stands, in words."""
_DUCKDB, _PREFIX = "duckdb:///", "paxman_"
_AS_JSON = frozenset("rows data unresolved notes value confidence_evidence evidence diagnostics shape".split())


def write_results(
    lines: Callable[[], Lines], folder: Path, target: str, raw_cells: bool = False, with_confidence: bool = False
) -> list[str]:
    """Write the results as `jsonl`, `csv`, `parquet`, `sqlite`, `duckdb`, or into a database by its URL; say where."""
    writers: dict[str, Callable[[Callable[[], Lines], Path], list[str]]] = {
        "jsonl": _write_jsonl,
        "csv": partial(write_csv, raw_cells=raw_cells, with_confidence=with_confidence),
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


def document_line(line: JournalLine) -> bytes:
    """A document's JSON with its place spliced in; nothing is parsed."""
    place = _place(line) + f',"metadata":{line.metadata or "null"},'
    return b"{" + place.encode() + line.row[1:]


def field_lines(line: JournalLine) -> Iterator[bytes]:
    place = ("{" + _place(line) + ",").encode()
    for row in line.fields.split(b"\n") if line.fields else ():
        yield place + row[1:]


def _place(line: JournalLine) -> str:
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


def _told(row: dict[str, Any]) -> dict[str, Any]:
    notes = [note["message"] for note in row["diagnostics"] if note["severity"] != "INFO"] or [
        note["message"] for note in row["diagnostics"] if row["status"] != "RESOLVED"
    ]
    sources = [ref["source"] for ref in row["evidence"] if ref["source"] and ref["role"] == "supporting"]
    place = name_place(source_from_dict(sources[0])) if sources else None
    return {"shape": None, **row, "reason": notes[0] if notes else None, "place": place}


def _cells(row: dict[str, Any], columns: Sequence[str]) -> tuple[Any, ...]:
    return tuple(_text(row.get(name)) if name in _AS_JSON or name == "metadata" else row.get(name) for name in columns)


def _text(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


_DOCUMENTS = FlatTable("documents", {name: _DOCUMENT_TYPES[name] for name in DOCUMENT_COLUMNS})
_FIELDS = FlatTable("fields", {name: _FIELD_TYPES[name] for name in TOLD_COLUMNS})


def _tables(lines: Callable[[], Lines]) -> dict[str, FlatTable]:
    """Every table that is written: documents and fields as they are, then the data in typed columns."""
    return {"documents": _DOCUMENTS, "fields": _FIELDS, **flat_tables(from_lines(lines()))}


def _batches(lines: Lines, tables: Mapping[str, FlatTable]) -> Iterator[dict[str, Rows]]:
    """Rows by table, some documents at a time."""
    rows: dict[str, Rows] = {name: [] for name in tables}
    for line in lines:
        rows["documents"].append(_cells(json.loads(document_line(line)), DOCUMENT_COLUMNS))
        rows["fields"] += [_cells(_told(json.loads(row)), TOLD_COLUMNS) for row in field_lines(line)]
        for path, row in flat_rows(from_lines([line])):
            rows[path].append(tables[path].cells(row))
        if len(rows["documents"]) >= _AT_ONCE:
            yield rows
            rows = {name: [] for name in tables}
    yield rows


def _write_parquet(lines: Callable[[], Lines], folder: Path) -> list[str]:
    arrow, parquet = need("pyarrow", "parquet"), need("pyarrow.parquet", "parquet")
    tables = _tables(lines)
    targets = {name: folder / f"{safe_name(table.name)}.parquet" for name, table in tables.items()}
    schemas = {name: arrow_schema(arrow, table) for name, table in tables.items()}
    with ExitStack() as open_files:
        drafts = {name: open_files.enter_context(replacing(target)) for name, target in targets.items()}
        writers = {
            name: open_files.enter_context(parquet.ParquetWriter(draft, schemas[name]))
            for name, draft in drafts.items()
        }
        for batch in _batches(lines(), tables):
            for name, rows in batch.items():
                writers[name].write_batch(record_batch(arrow, schemas[name], rows))
    return [str(target) for target in targets.values()]


def arrow_schema(arrow: Any, table: FlatTable) -> Any:
    kinds = {int: arrow.int64(), str: arrow.string(), bool: arrow.bool_(), float: arrow.float64(), date: arrow.date32()}
    return arrow.schema(
        [
            (name, arrow.decimal128(38, table.places.get(name, 0)) if kind is Decimal else kinds[kind])
            for name, kind in table.types.items()
        ]
    )


def record_batch(arrow: Any, schema: Any, rows: Rows) -> Any:
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    return arrow.record_batch([arrow.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema=schema)


def _create(name: str, table: FlatTable) -> str:
    kinds = {int: "BIGINT", str: "TEXT", bool: "BOOLEAN", float: "DOUBLE PRECISION", date: "DATE"}
    columns = (
        f"{_quoted(column)} {f'DECIMAL(38, {table.places.get(column, 0)})' if kind is Decimal else kinds[kind]}"
        for column, kind in table.types.items()
    )
    return f"CREATE TABLE {_quoted(name)} ({', '.join(columns)})"


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _write_sqlite(lines: Callable[[], Lines], folder: Path) -> list[str]:
    target = folder / "results.sqlite"
    tables = _tables(lines)
    with replacing(target) as draft, closing(sqlite3.connect(draft)) as connection, connection:
        for table in tables.values():
            connection.execute(_create(table.name, table))
        for batch in _batches(lines(), tables):
            for path, rows in batch.items():
                marks = ", ".join("?" * len(tables[path].types))
                insert = f"INSERT INTO {_quoted(tables[path].name)} VALUES ({marks})"
                connection.executemany(
                    insert,
                    ([(str(cell) if isinstance(cell, Decimal | date) else cell) for cell in row] for row in rows),
                )
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
        _fill_duckdb(lines, connection, "")
    return [str(target)]


def _write_duckdb_tables(lines: Callable[[], Lines], url: str) -> list[str]:
    """As `_write_database` does: what else is in the file stays."""
    duckdb = need("duckdb", "duckdb")
    with _speaking(duckdb.Error), duckdb.connect(url.removeprefix(_DUCKDB)) as connection:
        connection.begin()
        names = _fill_duckdb(lines, connection, _PREFIX)
        connection.commit()
    return names


def _fill_duckdb(lines: Callable[[], Lines], connection: Any, prefix: str) -> list[str]:
    """Through Arrow: DuckDB takes single rows slowly."""
    arrow = need("pyarrow", "parquet")
    tables = _tables(lines)
    names = {path: prefix + table.name for path, table in tables.items()}
    for path, table in tables.items():
        connection.execute(f"DROP TABLE IF EXISTS {_quoted(names[path])}")
        connection.execute(_create(names[path], table))
    for batch in _batches(lines(), tables):
        for path, rows in batch.items():
            made = record_batch(arrow, arrow_schema(arrow, tables[path]), rows)
            connection.register("batch", arrow.Table.from_batches([made]))
            connection.execute(f"INSERT INTO {_quoted(names[path])} SELECT * FROM batch")
            connection.unregister("batch")
    return list(names.values())


def _write_database(lines: Callable[[], Lines], url: str) -> list[str]:
    """Tables named paxman_..., filled anew in one transaction."""
    alchemy = need("sqlalchemy", "sql")
    engine = connect(url)
    tables = _tables(lines)
    known = alchemy.MetaData()
    made = {path: _sql_table(alchemy, known, _PREFIX + table.name, table) for path, table in tables.items()}
    with _speaking(alchemy.exc.SQLAlchemyError), engine.begin() as connection:
        for path in made.keys() - {"documents", "fields"}:
            made[path].drop(connection, checkfirst=True)  # its columns are those of the contract, which may change
        known.create_all(connection)
        for table in made.values():
            connection.execute(table.delete())
        for batch in _batches(lines(), tables):
            for path, rows in batch.items():
                if rows:
                    columns = tables[path].columns
                    connection.execute(made[path].insert(), [dict(zip(columns, row, strict=True)) for row in rows])
    return [_PREFIX + table.name for table in tables.values()]


def _sql_table(alchemy: Any, known: Any, name: str, table: FlatTable) -> Any:
    kinds = {
        int: alchemy.BigInteger,
        str: alchemy.Text,
        bool: alchemy.Boolean,
        float: alchemy.Float(53),
        date: alchemy.Date,
    }
    columns = (
        alchemy.Column(column, alchemy.Numeric(38, table.places.get(column, 0)) if kind is Decimal else kinds[kind])
        for column, kind in table.types.items()
    )
    return alchemy.Table(name, known, *columns)


def write_artifact(folder: Path, name: str, content: bytes) -> None:
    """An artifact under its own hash; the same name always holds the same bytes."""
    target = folder / "artifacts" / name[:2] / f"{name}.json"
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.part")
    draft.write_bytes(content)
    os.replace(draft, target)


_ABOUT = ("_source", "_status", "_reason")
_DOCUMENTS_FILE = "documents"
_UNSAFE = re.compile(r"[^\w.-]+")
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")
"""How a cell begins that a spreadsheet would compute or obey, full-width signs included."""
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\Z", re.ASCII)


def write_csv(
    lines: Callable[[], Iterable[JournalLine]], folder: Path, raw_cells: bool = False, with_confidence: bool = False
) -> list[str]:
    """Write the files and say where; what columns there are is known when all was looked at once.

    A spreadsheet would take text that begins like a formula for one: it gets an apostrophe, unless `raw_cells`. With
    confidences each field has two columns more: how sure it is, and why not more.
    """
    shown = str if raw_cells else disarm
    columns: dict[str, dict[str, None]] = {_DOCUMENTS_FILE: dict.fromkeys(_ABOUT)}
    for name, row in _rows(lines(), with_confidence):
        columns.setdefault(name, {}).update(dict.fromkeys(row))
    parted = {path.rpartition(".")[0] for names in columns.values() for path in names} | columns.keys()
    targets = {name: folder / f"{safe_name(name)}.csv" for name in columns}
    with ExitStack() as open_files:
        writers, kept = {}, dict[str, list[str]]()
        for name, target in targets.items():
            draft = open_files.enter_context(replacing(target))
            file = open_files.enter_context(draft.open("w", encoding="utf-8", newline=""))
            kept[name] = [path for path in columns[name] if path not in parted]
            writers[name] = csv.writer(file)
            writers[name].writerow(map(shown, kept[name]))
        for name, row in _rows(lines(), with_confidence):
            writers[name].writerow("" if row.get(path) is None else shown(row[path]) for path in kept[name])
    return [str(target) for target in targets.values()]


def disarm(value: Any) -> str:
    """The text of a cell, with an apostrophe before what a spreadsheet would compute; numbers stay numbers."""
    text = str(value)
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.match(text) else text


def safe_name(name: str) -> str:
    """A name that a file may have."""
    return _UNSAFE.sub("_", name)


def _rows(lines: Iterable[JournalLine], with_confidence: bool) -> Iterator[tuple[str, Row]]:
    """Each row with the name of its file: one of a document, then those of its lists."""
    for about, fields in from_lines(lines):
        trust = {f"{field['field_path']}:rows": _say(field["rows"]) for field in fields if field.get("rows")}
        trust |= dict(pair for field in fields for pair in _trust(field)) if with_confidence else {}
        for path, row in flat_rows([(about, fields)]):
            del row["position"]
            yield (_DOCUMENTS_FILE, {**row, **trust}) if path == DATA else (path, row)


def _say(rows: Row) -> str:
    return f"{rows['found']} of {rows['expected']}"


def _trust(field: Row) -> Iterator[tuple[str, Any]]:
    """How sure a field is, and what its first note says."""
    yield f"{field['field_path']}:confidence", field["confidence"] if field["status"] == "RESOLVED" else None
    yield f"{field['field_path']}:reason", next((note["message"] for note in field["diagnostics"]), None)
