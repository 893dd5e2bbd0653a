"""The same rows as JSONL, Parquet, SQLite, DuckDB and in any database."""

import csv
import json
import sqlite3
from contextlib import closing
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest
from batch_plugins import CONTRACT, letter

import paxman
from paxman.batch.journal import JournalLine, JournalReader
from paxman.batch.outputs import DOCUMENT_COLUMNS, FIELD_COLUMNS, TOLD_COLUMNS, check_target, disarm, write_results
from paxman.batch.summary import status_of, write_report

DOCUMENTS = [("a.txt", letter(1)), ("b.txt", letter(2)), ("empty.txt", "")]


@pytest.fixture(scope="module")
def batch(tmp_path_factory):
    return paxman.normalize_many(DOCUMENTS, CONTRACT, out=tmp_path_factory.mktemp("batch"), workers=1)


@pytest.fixture
def lines(batch):
    reader = JournalReader(batch.folder)
    yield reader.lines
    reader.close()


def plain(row):
    """Cells that hold JSON as values again."""
    nested = (
        "data",
        "unresolved",
        "notes",
        "value",
        "confidence_evidence",
        "evidence",
        "diagnostics",
        "metadata",
        "shape",
        "rows",
    )
    row = {name: cell for name, cell in row.items() if not ("field_path" in row and name in ("reason", "place"))}
    return {name: json.loads(cell) if name in nested and cell is not None else cell for name, cell in row.items()}


def test_jsonl_has_a_line_per_document_and_per_field(batch):
    documents = [json.loads(line) for line in (batch.folder / "documents.jsonl").read_text().splitlines()]
    fields = [json.loads(line) for line in (batch.folder / "fields.jsonl").read_text().splitlines()]
    assert documents == list(batch.rows())
    assert [(row["source"], row["status"], row["unresolved"]) for row in documents] == [
        ("a.txt", "SUCCESS", []),
        ("b.txt", "SUCCESS", []),
        ("empty.txt", "UNRESOLVED", ["reference", "issued", "total"]),
    ]
    assert [(row["position"], row["field_path"], row["value"]) for row in fields] == [
        (0, "reference", "LTR-1001"),
        (0, "issued", "2025-03-02"),
        (0, "total", {"amount": "1.50", "currency": "EUR"}),
        (1, "reference", "LTR-1002"),
        (1, "issued", "2025-03-03"),
        (1, "total", {"amount": "2.50", "currency": "EUR"}),
        (2, "reference", None),
        (2, "issued", None),
        (2, "total", None),
    ]
    assert sorted(documents[0]) == sorted(DOCUMENT_COLUMNS)
    assert sorted(fields[0]) == sorted(FIELD_COLUMNS)


def expected(batch):
    return list(batch.rows()), list(batch.field_rows())


def test_parquet(batch, lines, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    written = write_results(lines, tmp_path, "parquet")
    tables = [parquet.read_table(path) for path in written[:2]]
    assert tuple(tables[0].column_names) == DOCUMENT_COLUMNS
    assert tuple([plain(row) for row in table.to_pylist()] for table in tables) == expected(batch)
    first = [(tmp_path / name).read_bytes() for name in ("documents.parquet", "fields.parquet")]
    write_results(lines, tmp_path, "parquet")
    assert [(tmp_path / name).read_bytes() for name in ("documents.parquet", "fields.parquet")] == first


def test_csv_has_a_column_per_field_and_a_file_per_list(lines, tmp_path):
    (path,) = write_results(lines, tmp_path, "csv")
    assert Path(path).read_text("utf-8").splitlines() == [
        "_source,_status,_reason,reference,issued,total.amount,total.currency",
        "a.txt,SUCCESS,,LTR-1001,2025-03-02,1.50,EUR",
        "b.txt,SUCCESS,,LTR-1002,2025-03-03,2.50,EUR",
        "empty.txt,UNRESOLVED,the document is empty: nothing was looked for,,,,",
    ]


def test_csv_of_a_list_and_of_fields_without_a_value(tmp_path):
    rows = {"type": "array", "title": "rows", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}}
    paxman.normalize_many([("a", [{"n": 1}, {"n": 2}])], rows, out=tmp_path / "list", output="csv", workers=1)
    assert (tmp_path / "list" / "items.csv").read_text("utf-8").split() == ["_source,_row,n", "a,1,1", "a,2,2"]
    fields = [{"name": name, "type": kind, "required": False} for name, kind in (("b", "MONEY"), ("a", "INTEGER"))]
    contract = {"id": "c", "version": "1", "fields": fields}
    paxman.normalize_many([("a", {"a": 1})], contract, out=tmp_path, output="csv", workers=1)
    assert (tmp_path / "documents.csv").read_text("utf-8").split() == [
        "_source,_status,_reason,b.amount,b.currency,a",
        "a,PARTIAL_SUCCESS,,,,1",
    ]


def test_csv_of_line_items(tmp_path):
    item = {
        "fields": [
            {"name": "name", "type": "STRING", "required": True},
            {"name": "count", "type": "INTEGER", "required": True},
        ]
    }
    contract = {"id": "c", "fields": [{"name": "items", "type": "ARRAY", "required": True, "items": item}]}
    feed = '{"items":[{"name":"Bolt","count":2},{"name":"Nut","count":3}]}'
    paxman.normalize_many([("a", feed), ("b", "{}")], contract, out=tmp_path, output="csv", workers=1)
    assert (tmp_path / "documents.csv").read_text("utf-8").splitlines() == [
        "_source,_status,_reason,items:rows",
        "a,SUCCESS,,2 of 2",
        "b,UNRESOLVED,missing: items,",
    ]
    assert (tmp_path / "items.csv").read_text("utf-8").split() == ["_source,_row,count,name", "a,1,2,Bolt", "a,2,3,Nut"]


ITEM = {
    "fields": [
        {"name": "name", "type": "STRING", "required": True},
        {"name": "count", "type": "INTEGER", "required": True},
        {"name": "price", "type": "DECIMAL", "required": True},
    ]
}
ORDER = {
    "id": "order",
    "fields": [
        {"name": "code", "type": "STRING", "required": True},
        {"name": "day", "type": "DATE", "required": True},
        {"name": "paid", "type": "MONEY", "required": True},
        {"name": "rush", "type": "BOOLEAN", "required": False},
        {"name": "items", "type": "ARRAY", "required": True, "items": ITEM},
    ],
}
ORDERS = [
    ("a", '{"code":"007","day":"2025-03-04","paid":{"amount":"12.50","currency":"EUR"},"rush":true,'
          '"items":[{"name":"Bolt","count":2,"price":1.25},{"name":"Nut","count":10,"price":1}]}'),
    ("b", '{"code":"008"}'),
]  # fmt: skip
DATA = [
    (0, "a", "SUCCESS", None, "007", date(2025, 3, 4), Decimal("12.50"), "EUR", True),
    (1, "b", "UNRESOLVED", "missing: day, paid, items", "008", None, None, None, None),
]
ITEMS = [(0, "a", 1, 2, "Bolt", Decimal("1.25")), (0, "a", 2, 10, "Nut", Decimal("1.00"))]


def test_tables_have_typed_columns_and_a_table_per_array(tmp_path):
    parquet, duckdb = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("duckdb")
    for form in ("parquet", "duckdb", "sqlite"):
        paxman.normalize_many(ORDERS, ORDER, out=tmp_path, output=form, workers=1)
    data, items = (parquet.read_table(tmp_path / f"{name}.parquet") for name in ("data", "items"))
    assert [tuple(row.values()) for row in data.to_pylist()] == DATA
    assert [tuple(row.values()) for row in items.to_pylist()] == ITEMS
    with duckdb.connect(str(tmp_path / "results.duckdb"), read_only=True) as connection:
        assert connection.execute("FROM data").fetchall() == DATA
        assert connection.execute("FROM items").fetchall() == ITEMS
        reasons = "SELECT field_path, confidence_band, place FROM fields WHERE source = 'a' AND field_path = 'code'"
        assert connection.execute(reasons).fetchall() == [("code", "HIGH", "/code")]
    with closing(sqlite3.connect(tmp_path / "results.sqlite")) as connection:
        assert connection.execute('SELECT sum("paid.amount") FROM data').fetchall() == [(12.5,)]
        assert connection.execute("SELECT sum(count * price) FROM items").fetchall() == [(12.5,)]


def test_csv_with_confidence_says_how_sure_and_why(lines, tmp_path):
    (path,) = write_results(lines, tmp_path, "csv", with_confidence=True)
    rows = list(csv.DictReader(Path(path).read_text("utf-8").splitlines()))
    assert [(row["reference"], row["reference:confidence"]) for row in rows] == [
        ("LTR-1001", "0.8"),
        ("LTR-1002", "0.8"),
        ("", ""),
    ]
    assert rows[2]["reference:reason"] != ""


@pytest.mark.parametrize("output", ["jsonl", "csv", "sqlite", "parquet"])
def test_a_lost_row_is_told_in_every_output(output, tmp_path):
    item = {
        "fields": [
            {"name": "name", "type": "STRING", "required": True},
            {"name": "count", "type": "INTEGER", "required": True},
        ]
    }
    contract = {"id": "c", "fields": [{"name": "items", "type": "ARRAY", "required": True, "items": item}]}
    feed = '{"items":[{"name":"Bolt","count":2},{"name":"Nut","count":"many"}]}'
    batch = paxman.normalize_many([("a", feed)], contract, out=tmp_path, output=output, workers=1)
    reason = "items: row 2 was left out: count: not a whole number (/items/1/count: '\"many\"')"
    assert (dict(batch.counts), batch.lost) == ({"PARTIAL_SUCCESS": 1}, 1)
    assert [row["reason"] for row in batch.rows()] == [reason]
    assert _documents(tmp_path, output) == [("PARTIAL_SUCCESS", reason)]
    assert (status_of(tmp_path)["lost"], status_of(tmp_path)["rows"]) == (1, {"items": [1, 2]})
    assert "/items/1/count" in write_report(tmp_path, tmp_path / "page.html").read_text("utf-8")


def _documents(folder, output):
    if output == "csv":
        rows = csv.DictReader((folder / "documents.csv").read_text("utf-8").splitlines())
        return [(row["_status"], row["_reason"]) for row in rows]
    if output == "sqlite":
        with closing(sqlite3.connect(folder / "results.sqlite")) as connection:
            return connection.execute("SELECT status, reason FROM documents").fetchall()
    if output == "parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
        return [(row["status"], row["reason"]) for row in parquet.read_table(folder / "documents.parquet").to_pylist()]
    rows = map(json.loads, (folder / "documents.jsonl").read_text("utf-8").splitlines())
    return [(row["status"], row["reason"]) for row in rows]


def test_sqlite(batch, lines, tmp_path):
    (path,) = write_results(lines, tmp_path, "sqlite")
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    documents = [plain(dict(row)) for row in connection.execute("SELECT * FROM documents")]
    fields = [plain(dict(row)) for row in connection.execute("SELECT * FROM fields")]
    connection.close()
    assert (documents, fields) == expected(batch)


def test_duckdb(batch, lines, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    (path,) = write_results(lines, tmp_path, "duckdb")
    with duckdb.connect(path, read_only=True) as connection:
        documents = connection.execute("SELECT * FROM documents ORDER BY position").fetchall()
        count = connection.execute("SELECT count(*) FROM fields WHERE status = 'RESOLVED'").fetchall()
    assert [plain(dict(zip(DOCUMENT_COLUMNS, row, strict=True))) for row in documents] == expected(batch)[0]
    assert count == [(6,)]


def test_duckdb_files_hold_the_same_though_they_are_not_the_same_bytes(batch, lines, tmp_path):
    """DuckDB gives each file a mark of its own, drawn by chance."""
    duckdb = pytest.importorskip("duckdb")
    held = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (path,) = write_results(lines, tmp_path / name, "duckdb")
        with duckdb.connect(path, read_only=True) as connection:
            queries = ["SHOW TABLES", "DESCRIBE documents", "DESCRIBE fields", "FROM documents", "FROM fields"]
            held.append([connection.execute(query).fetchall() for query in queries])
    assert held[0] == held[1]
    assert [[plain(dict(zip(TOLD_COLUMNS, row, strict=True))) for row in held[0][4]]] == [expected(batch)[1]]


def test_a_database_by_its_url_is_filled_anew_each_time(batch, lines, tmp_path):
    pytest.importorskip("sqlalchemy")
    url = f"sqlite:///{tmp_path}/any.db"
    for _ in range(2):
        assert write_results(lines, tmp_path, url) == ["paxman_documents", "paxman_fields", "paxman_data"]
    with sqlite3.connect(tmp_path / "any.db") as connection:
        found = connection.execute("SELECT source, status FROM paxman_documents ORDER BY position").fetchall()
        count = connection.execute("SELECT count(*) FROM paxman_fields").fetchall()
    connection.close()
    assert found == [("a.txt", "SUCCESS"), ("b.txt", "SUCCESS"), ("empty.txt", "UNRESOLVED")]
    assert count == [(9,)]


def test_a_duckdb_file_by_its_url_keeps_what_else_is_in_it(batch, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    url = f"duckdb:///{tmp_path}/shop.duckdb"
    with duckdb.connect(f"{tmp_path}/shop.duckdb") as connection:
        connection.execute("CREATE TABLE mine AS SELECT 7 AS number")
    for _ in range(2):
        result = paxman.normalize_many(DOCUMENTS, CONTRACT, out=tmp_path / "out", output=url, workers=1)
        assert result.written == ("paxman_documents", "paxman_fields", "paxman_data")
    with duckdb.connect(f"{tmp_path}/shop.duckdb") as connection:
        stored = connection.execute("SELECT * FROM paxman_documents ORDER BY position").fetchall()
        assert connection.execute("SELECT count(*) FROM paxman_fields").fetchone() == (len(list(batch.field_rows())),)
        assert connection.execute("SELECT * FROM mine").fetchall() == [(7,)]
    assert [plain(dict(zip(DOCUMENT_COLUMNS, row, strict=True))) for row in stored] == expected(batch)[0]


@pytest.mark.parametrize("url", ["duckdb:///{}/gone/x.db", "sqlite:////{}/gone/x.db", "nosuch://host/db"])
def test_a_database_that_cannot_be_reached_is_said_before_the_work(tmp_path, url):
    with pytest.raises(paxman.ConfigurationError, match=r"^cannot (connect to|query) the database( of the results)?: "):
        check_target(url.format(tmp_path))


@pytest.mark.parametrize("target", ["jsonl", "csv", "parquet", "sqlite", "duckdb"])
def test_what_breaks_off_leaves_the_old_results(lines, tmp_path, target):
    def broken():
        yield from lines()
        yield JournalLine(3, "broken", None, b"{", b"{")
        raise OSError("no space left")

    written = write_results(lines, tmp_path, target)
    before = [Path(path).read_bytes() for path in written]
    with pytest.raises((paxman.ExecutionError, ValueError)):
        write_results(broken, tmp_path, target)
    assert [Path(path).read_bytes() for path in written] == before
    assert sorted(tmp_path.iterdir()) == sorted(map(Path, written))


def test_what_a_database_says_is_not_repeated(lines, tmp_path):
    url = f"sqlite:///{tmp_path}/shop.db"
    connection = sqlite3.connect(tmp_path / "shop.db")
    connection.execute("CREATE TABLE paxman_documents (position INTEGER)")
    connection.close()
    with pytest.raises(paxman.ExecutionError) as caught:
        write_results(lines, tmp_path, url)
    assert str(caught.value).startswith("cannot write to the database: OperationalError; make room")


def test_an_unknown_target_is_refused_before_the_work(tmp_path):
    with pytest.raises(paxman.ConfigurationError, match="jsonl, csv, parquet, sqlite, duckdb, or a database URL"):
        paxman.normalize_many(DOCUMENTS, CONTRACT, out=tmp_path / "out", output="xml")
    assert not (tmp_path / "out").exists()


def test_the_work_is_not_done_for_a_second_format(batch):
    again = paxman.normalize_many(DOCUMENTS, CONTRACT, out=batch.folder, output="sqlite", workers=1)
    assert (again.finished_before, again.written) == (3, (str(batch.folder / "results.sqlite"),))


ARMED = ["=1+1", "+49 30 1234", "-2+3", "@SUM(A1)", "\t=1", "  =1", "＝1+1", "-", '=HYPERLINK("http://x")']
HARMLESS = ["-12.50", "+3", "-.5", "-1e-7", "a=b", "2025-03-04", "Söhne", "'=1"]


@pytest.mark.parametrize("raw", [False, True])
def test_a_spreadsheet_computes_nothing_that_a_document_says(tmp_path, raw):
    field = {"name": "note", "type": "STRING", "required": True}
    contract = {"id": "c", "version": "1", "fields": [field, {"name": "all", "type": "ARRAY", "required": False,
                "items": {"fields": [field]}}]}  # fmt: skip
    texts = ARMED + HARMLESS
    documents = [(f"={n}.json", {"note": text, "all": [{"note": text}]}) for n, text in enumerate(texts)]
    paxman.normalize_many(documents, contract, out=tmp_path, output="csv", workers=1, raw_cells=raw)
    with (tmp_path / "documents.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with (tmp_path / "all.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    given = [row["normalized_data"]["note"] for row in map(partial(normalized, contract), documents)]
    mark = "" if raw else "'"
    expected = [mark + text if n < len(ARMED) else text for n, text in enumerate(given)]
    assert [row["note"] for row in rows] == expected
    assert [row["note"] for row in lines] == expected
    assert rows[0]["_source"] == f"{mark}=0.json"


def normalized(contract, document):
    return paxman.normalize(document[1], contract).to_dict()


def test_every_cell_that_begins_like_a_formula_is_disarmed():
    assert [disarm(text) for text in ARMED] == [f"'{text}" for text in ARMED]
    assert [disarm(text) for text in [*HARMLESS, -3, True]] == [*HARMLESS, "-3", "True"]


def test_names_of_columns_are_disarmed_too(tmp_path):
    contract = {"id": "c", "version": "1", "fields": [{"name": "=cmd", "type": "STRING", "required": True}]}
    paxman.normalize_many([("a", {"=cmd": "x"})], contract, out=tmp_path, output="csv", workers=1)
    assert (tmp_path / "documents.csv").read_text("utf-8").splitlines()[0] == "_source,_status,_reason,'=cmd"
