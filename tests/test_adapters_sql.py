"""CREATE TABLE as a contract: columns, limits, checks, formulas, hints in comments, and tables that refer to it."""

from __future__ import annotations

import sqlite3
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from contract_errors import errors

import paxman
from paxman.contract import adapt, export

BILLS = """
-- What we are billed.
CREATE TYPE state AS ENUM ('open', 'paid');
CREATE TABLE public.bills (
  id SERIAL PRIMARY KEY,
  number VARCHAR(20) NOT NULL, -- the number x-paxman: {labels: [Invoice no.], tags: [code]}
  net NUMERIC(8, 2) NOT NULL CHECK (net >= 0),
  tax NUMERIC(8, 2),
  total NUMERIC(8, 2) GENERATED ALWAYS AS (net + tax) STORED,
  share FLOAT CHECK (share BETWEEN 0 AND 1),
  kind TEXT DEFAULT 'a' CHECK (kind IN ('a', 'b')),
  state state,
  due DATE NOT NULL,
  tags TEXT[],
  paid BOOLEAN DEFAULT false,
  "paid by" TEXT,
  seller_id INT NOT NULL REFERENCES sellers (id),
  CONSTRAINT less CHECK (tax <= net AND length(number) > 2)
);
COMMENT ON COLUMN bills.due IS 'when to pay';
CREATE TABLE sellers (id INT PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE lines (
  bill_id INT NOT NULL, position INT, sku TEXT NOT NULL, price NUMERIC NOT NULL,
  PRIMARY KEY (bill_id, position), FOREIGN KEY (bill_id) REFERENCES bills (id)
);
"""


def test_a_table_is_read_with_all_that_it_says():
    read = adapt((BILLS, "bills"))
    fields = {field.name: field for field in read.fields}
    assert (read.id, read.source) == ("bills", "sql")
    assert {name: (f.type.value, f.required, f.nullable) for name, f in fields.items()} == {
        "number": ("STRING", True, False),
        "net": ("DECIMAL", True, False),
        "tax": ("DECIMAL", False, True),
        "total": ("DECIMAL", False, True),
        "share": ("DECIMAL", False, True),
        "kind": ("ENUM", False, True),
        "state": ("ENUM", False, True),
        "due": ("DATE", True, False),
        "tags": ("ARRAY", False, True),
        "paid": ("BOOLEAN", False, True),
        "paid by": ("STRING", False, True),
        "seller": ("OBJECT", True, False),
        "lines": ("ARRAY", False, False),
    }
    number = fields["number"]
    assert (number.labels, number.semantic_tags, number.description) == (("Invoice no.",), ("code",), "the number")
    assert (number.constraint("max_length"), fields["due"].description) == ({"max": 20}, "when to pay")
    assert (fields["net"].constraint("min_value"), fields["total"].derive) == ({"min": Decimal(0)}, "net + tax")
    assert (fields["kind"].default, fields["kind"].enum_values, fields["state"].enum_values) == (
        "a",
        ("a", "b"),
        ("open", "paid"),
    )
    assert (fields["share"].constraint("max_value"), fields["paid"].default) == ({"max": Decimal(1)}, False)
    assert [child.name for child in fields["seller"].children] == ["name"]
    assert [column.name for column in fields["lines"].columns] == ["position", "sku", "price"]
    assert [rule.params["expr"] for rule in read.constraints] == ["tax <= net"]
    assert read.warnings == (
        "bills: CHECK (LENGTH(number) > 2) cannot be translated, so values are not checked by it.",
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "CREATE TABLE `b` (`id` int(11) NOT NULL AUTO_INCREMENT, `s` enum('x','y') COMMENT 'state', ok tinyint(1), "
            "PRIMARY KEY (`id`), KEY `k` (`s`)) ENGINE=InnoDB COMMENT='Bills'",
            [("s", "ENUM", "state"), ("ok", "BOOLEAN", "")],
        ),
        (
            "CREATE TABLE [dbo].[b] ([id] INT IDENTITY(1,1) PRIMARY KEY, [name] NVARCHAR(50) NOT NULL, [sum] MONEY)",
            [("name", "STRING", ""), ("sum", "DECIMAL", "")],
        ),
        (
            "create table if not exists b (id integer primary key autoincrement, name text, n real)",
            [("name", "STRING", ""), ("n", "DECIMAL", "")],
        ),
    ],
)
def test_dialects(text: str, expected: list[Any]):
    assert [(field.name, field.type.value, field.description) for field in adapt(text).fields] == expected


def test_a_file_is_read_and_a_page_fills_the_table(tmp_path: Path):
    (tmp_path / "schema.sql").write_text("CREATE TABLE b (number TEXT NOT NULL, net NUMERIC NOT NULL);")
    made = paxman.normalize("Number: A-1\nNet: 10.00", tmp_path / "schema.sql")
    assert (made.status, made.normalized_data) == (
        paxman.Status.SUCCESS,
        {"number": "A-1", "net": Decimal("10.00")},
    )


@pytest.mark.parametrize(
    ("contract", "path"),
    [
        (BILLS, "(contract)"),
        ((BILLS, "bill"), "(contract)"),
        ("CREATE TABLE b (a INT", "(contract)"),
        ("CREATE TABLE b (a INT -- x-paxman: {labels: [}\n)", "(contract)"),
    ],
)
def test_what_is_wrong_is_said(contract: Any, path: str):
    assert errors(contract) == [("INVALID_CONTRACT", path)]


WRITTEN = """CREATE TABLE "order" (
  "id" BIGINT PRIMARY KEY,
  "number" TEXT NOT NULL, -- the buyer's own x-paxman: {"labels": ["Order no."]}
  "state" TEXT CHECK ("state" IN ('open', 'won''t do')),
  "total_amount" NUMERIC NOT NULL,
  "total_currency" CHAR(3) NOT NULL,
  "seller_name" TEXT,
  "extra" JSON
);

CREATE TABLE "lines" (
  "id" BIGINT PRIMARY KEY,
  "order_id" BIGINT NOT NULL REFERENCES "order",
  "qty" BIGINT NOT NULL
);

CREATE TABLE "tags" (
  "lines_id" BIGINT NOT NULL REFERENCES "lines",
  "value" TEXT NOT NULL
);
"""


def test_a_contract_is_written_as_the_tables_that_its_data_fill():
    number = {"name": "number", "type": "STRING", "labels": ["Order no."], "description": "the buyer's own"}
    tags = {"name": "tags", "type": "ARRAY", "required": False, "items": {"type": "STRING"}}
    lines = {"fields": [{"name": "qty", "type": "INTEGER", "required": True}, tags]}
    fields: list[dict[str, Any]] = [
        {**number, "required": True},
        {"name": "state", "type": "ENUM", "enum_values": ["open", "won't do"], "required": False},
        {"name": "total", "type": "MONEY", "required": True},
        {"name": "seller", "type": "OBJECT", "fields": [{"name": "name", "type": "STRING", "required": True}]},
        {"name": "extra", "type": "MAP", "items": {"type": "STRING"}},
        {"name": "lines", "type": "ARRAY", "items": lines},
    ]
    canonical = adapt({"id": "order", "fields": [{"required": False, **field} for field in fields]})
    assert export(canonical, "sql") == WRITTEN
    sqlite3.connect(":memory:").executescript(WRITTEN)
    read = adapt((WRITTEN, "order"))
    assert [(field.path, field.type.value, field.required) for field in read.leaves] == [
        ("number", "STRING", True),
        ("state", "ENUM", False),
        ("total_amount", "DECIMAL", True),
        ("total_currency", "STRING", True),
        ("seller_name", "STRING", False),
        ("extra", "OBJECT", False),
        ("lines", "ARRAY", False),
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"id": "STRING", "tags": "ARRAY"},
        {"total": "MONEY", "total_amount": "DECIMAL"},
        {"invoice_id": "STRING", "invoice_x": "ARRAY", "x": "ARRAY"},
    ],
)
def test_tables_and_columns_have_names_of_their_own(fields: dict[str, str]) -> None:
    written = [
        {"name": name, "type": kind, "required": False, **({"items": {"type": "STRING"}} if kind == "ARRAY" else {})}
        for name, kind in fields.items()
    ]
    script = export(adapt({"id": "invoice", "version": "1", "fields": written}), "sql")
    base = sqlite3.connect(":memory:")
    base.executescript(script)
    assert base.execute("select count(*) from sqlite_master where type = 'table'").fetchone()[0] == 1 + list(
        fields.values()
    ).count("ARRAY")
