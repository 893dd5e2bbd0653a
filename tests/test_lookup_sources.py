"""Lookups in databases: SQLite and DuckDB files, and a real PostgreSQL through SQLAlchemy."""

from __future__ import annotations

import datetime
import json
import sqlite3
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import paxman
from paxman.capabilities.base import CapabilityContext, CapabilityResult
from paxman.capabilities.lookup import TableLookup
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.reading import read_document
from paxman.errors import CapabilityError
from paxman.serialization import canonical_hash
from paxman.types import FieldType

CREATE = """CREATE TABLE suppliers (
  id INTEGER, name VARCHAR(80), credit DECIMAL(10, 2), active BOOLEAN, since DATE)"""
ROWS = [
    (1, "Müller & Söhne GmbH", "1000.50", True, "2020-02-29"),
    (2, "Acme, Inc.", "250.00", False, "2021-01-01"),
    (3, 'O\'Hara "Best"; DROP TABLE suppliers; --', "7.00", True, "2022-12-31"),
    (4, "Globex Corporation", None, True, None),
]


def fill(execute: Any, mark: str) -> None:
    execute(CREATE)
    for row in ROWS:
        execute(f"INSERT INTO suppliers VALUES ({', '.join([mark] * 5)})", row)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    duckdb = pytest.importorskip("duckdb")
    folder = tmp_path_factory.mktemp("tables")
    connection = sqlite3.connect(folder / "s.db")
    fill(connection.execute, "?")
    connection.commit()
    connection.close()
    with duckdb.connect(str(folder / "s.duckdb")) as connection:
        fill(connection.execute, "?")
    return folder


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pgserver = pytest.importorskip("pgserver")
    psycopg = pytest.importorskip("psycopg")
    pytest.importorskip("sqlalchemy")
    server = pgserver.get_server(tmp_path_factory.mktemp("pg"), cleanup_mode="stop")
    uri = server.get_uri()
    with psycopg.connect(uri, autocommit=True) as connection:
        fill(connection.execute, "%s")
        connection.execute('CREATE SCHEMA "odd ""name"""')
        connection.execute('CREATE TABLE "odd ""name""".codes AS SELECT 7 AS code, \'seven\' AS word')
    yield uri.replace("postgresql://postgres:@", "postgresql+psycopg://postgres:env:PAXMAN_TEST_SECRET@")
    server.cleanup()


@pytest.fixture(params=["s.db", "sqlite:///s.db", "s.duckdb", "duckdb:///s.duckdb", "postgres"])
def source(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PAXMAN_TEST_SECRET", "hunter2")
    return str(request.getfixturevalue("postgres") if request.param == "postgres" else request.param)


def look_up(source: str, folder: Path, asked: Any, kind: str = "INTEGER", **more: Any) -> CapabilityResult:
    lookup = {"source": source, "table": "suppliers", "from": "x", "key": "name", "value": "id", **more}
    wanted = CanonicalField("c:f", "f", "f", FieldType[kind], lookup=lookup)
    contract = CanonicalContract("c", "1", (wanted,), base_path=str(folder))
    capability = TableLookup()
    return capability.invoke(
        CapabilityContext(capability.spec, wanted, contract, lambda: read_document(b""), resolved={"x": asked})
    )


def how(result: CapabilityResult) -> str:
    [candidate] = result.candidates
    return str(candidate.evidence_refs[0].detail).rpartition("(")[2].rstrip(")")


@pytest.mark.parametrize(
    ("key", "expected", "match"),
    [
        ("Acme, Inc.", 2, "exact match"),
        ("ACME INC", 2, "normalized match"),
        ("Globex Corporatoin", 4, "fuzzy match, 94 of 100"),
        ('O\'Hara "Best"; DROP TABLE suppliers; --', 3, "exact match"),
    ],
)
def test_exact_then_normalized_then_fuzzy(source: str, folder: Path, key: str, expected: int, match: str) -> None:
    result = look_up(source, folder, key)
    assert ([candidate.value for candidate in result.candidates], how(result)) == ([expected], match)


def test_the_row_that_answered_is_the_evidence(folder: Path) -> None:
    digest = canonical_hash({"name": "Acme, Inc.", "id": "2"})
    [candidate] = look_up("s.db", folder, "Acme, Inc.").candidates
    assert [ref.detail for ref in candidate.evidence_refs] == [
        f"suppliers in s.db row name='Acme, Inc.', sha256:{digest} (exact match)"
    ]


def test_a_key_that_is_text_in_sql_is_still_only_a_key(source: str, folder: Path) -> None:
    for key in ("' OR 1=1 --", '"; DROP TABLE suppliers; --', "Acme%"):
        result = look_up(source, folder, key, threshold=99)
        assert ([note.code for note in result.diagnostics], result.candidates) == (["NO_MATCH"], ())


@pytest.mark.parametrize(
    ("kind", "column", "expected"),
    [
        ("DECIMAL", "credit", Decimal("1000.50")),
        ("BOOLEAN", "active", True),
        ("DATE", "since", datetime.date(2020, 2, 29)),
        ("STRING", "id", "1"),
        ("STRING", "name", "Müller & Söhne GmbH"),
    ],
)
def test_a_value_gets_the_type_of_the_field(source: str, folder: Path, kind: str, column: str, expected: Any) -> None:
    [candidate] = look_up(source, folder, "Müller & Söhne GmbH", kind, value=column).candidates
    assert (candidate.value, type(candidate.value)) == (expected, type(expected))


def test_a_key_may_be_a_number(source: str, folder: Path) -> None:
    assert [c.value for c in look_up(source, folder, 2, "STRING", key="id", value="name").candidates] == ["Acme, Inc."]
    assert look_up(source, folder, "two", "STRING", key="id", value="name").candidates == ()


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"table": "supplier"}, "no table named 'supplier'. Did you mean 'suppliers'?"),
        ({"table": 'suppliers" --'}, "no table named"),
        ({"key": "nmae"}, "no column named 'nmae'. Did you mean 'name'?"),
        ({"value": "id FROM suppliers --"}, "no column named 'id FROM suppliers --'."),
    ],
)
def test_names_must_be_in_the_catalogue(source: str, folder: Path, more: dict[str, str], reason: str) -> None:
    with pytest.raises(CapabilityError) as caught:
        look_up(source, folder, "x", **more)
    assert str(caught.value).startswith(reason)


def test_the_only_table_needs_no_name(folder: Path) -> None:
    assert [c.value for c in look_up("s.db", folder, "Acme, Inc.", table=None).candidates] == [2]


def test_only_so_many_rows_are_compared_and_it_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paxman.capabilities.lookup.MOST_ROWS", 2)
    assert how(look_up("s.db", folder, "acme inc")) == "normalized match among the first 2 rows"
    assert how(look_up("s.db", folder, "Müller & Söhne GmbH")) == "exact match"
    [note] = look_up("s.db", folder, "nobody").diagnostics
    assert note.message == "suppliers in s.db has no row for the key among the first 2 rows"


def test_a_schema_and_odd_names(postgres: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAXMAN_TEST_SECRET", "hunter2")
    result = look_up(postgres, folder, 7, "STRING", table='odd "name".codes', key="code", value="word")
    assert [candidate.value for candidate in result.candidates] == ["seven"]


def invoice(lookup: dict[str, Any]) -> dict[str, Any]:
    fields = [
        {"name": "supplier", "type": "STRING", "required": True},
        {"name": "supplier_id", "type": "INTEGER", "required": True, "lookup": lookup},
    ]
    return {"id": "invoice", "version": "1", "fields": fields}


def test_no_secret_reaches_an_artifact(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAXMAN_TEST_SECRET", "hunter2")
    lookup = {"source": postgres, "table": "suppliers", "from": "supplier", "key": "name", "value": "id"}
    artifact = paxman.normalize("Supplier: acme inc", invoice(lookup))
    assert artifact.normalized_data["supplier_id"] == 2
    assert "hunter2" not in json.dumps(artifact.to_dict(), default=str)
    assert "postgres:" not in json.dumps(artifact.to_dict(), default=str)


def test_a_url_with_an_empty_password_holds_no_secret(postgres: str) -> None:
    url = postgres.replace("postgresql+psycopg://postgres:env:PAXMAN_TEST_SECRET@", "postgresql://postgres:@")
    lookup = {"source": url, "table": "suppliers", "from": "supplier", "key": "name", "value": "id"}
    assert paxman.normalize("Supplier: acme inc", invoice(lookup)).normalized_data["supplier_id"] == 2


@pytest.mark.parametrize("url", ["postgresql+psycopg://user:env:PAXMAN_TEST_SECRET@127.0.0.1:1/none", "env:PAXMAN_URL"])
def test_no_secret_reaches_an_error(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("psycopg")
    pytest.importorskip("sqlalchemy")
    monkeypatch.setenv("PAXMAN_TEST_SECRET", "hunter2")
    monkeypatch.setenv("PAXMAN_URL", "postgresql+psycopg://user:hunter2@127.0.0.1:1/none")
    artifact = paxman.normalize("Supplier: Acme", invoice({"source": url, "table": "t", "from": "supplier"}))
    [note] = [note for note in artifact.diagnostics if note.code == "CAPABILITY_FAILED"]
    assert note.message == "lookup cannot query the postgresql database 'none': OperationalError"


def test_a_variable_that_is_not_set_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PAXMAN_URL", raising=False)
    with pytest.raises(CapabilityError, match="the environment variable PAXMAN_URL is not set"):
        look_up("env:PAXMAN_URL", folder, "x")


@pytest.mark.parametrize(
    "lookup",
    [
        {"source": "postgresql://user:hunter2@host/db"},
        {"source": "postgresql://user:env:@host/db"},
        {"source": "mysql://host/db?password=hunter2"},
        {"source": "postgresql://user@host/db", "password": "hunter2"},
    ],
)
def test_a_contract_holds_references_not_passwords(lookup: dict[str, Any]) -> None:
    with pytest.raises(paxman.InvalidContractError) as caught:
        paxman.normalize("", invoice({**lookup, "from": "supplier"}))
    assert [issue.code for issue in caught.value.errors] == ["INVALID_FIELD"]
    assert "hunter2" not in str(caught.value)


def test_a_file_that_is_missing_is_an_error_of_the_step(folder: Path) -> None:
    for source in ("no.db", "sqlite:///no.db", "duckdb:///no.duckdb"):
        with pytest.raises(CapabilityError) as caught:
            look_up(source, folder, "x")
        assert str(caught.value).startswith("cannot read the lookup table")
        assert str(folder) not in str(caught.value)
