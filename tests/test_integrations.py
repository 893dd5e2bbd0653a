"""Frames, the tools for agents through the official client, the example service, and telemetry."""

import asyncio
import io
import json
import logging
import sys
import zipfile
from datetime import date
from decimal import Decimal
from pathlib import Path

import attrs
import duckdb
import pytest

import paxman
from paxman.config import load_settings
from paxman.integrations.mcp import Tools
from paxman.telemetry import enable_opentelemetry

ROOT = Path(__file__).parent.parent
CONTRACT = {
    "id": "order",
    "version": "1",
    "fields": [
        {"name": "number", "type": "STRING", "required": True, "labels": ["Order no."]},
        {"name": "ordered", "type": "DATE", "required": True, "labels": ["Ordered on"]},
        {"name": "total", "type": "MONEY", "required": True},
        {"name": "weight", "type": "DECIMAL", "required": False},
        {"name": "lines", "type": "ARRAY", "required": False, "items": {"type": "OBJECT", "fields": [
            {"name": "sku", "type": "STRING", "required": True},
            {"name": "qty", "type": "INTEGER", "required": True}]}},
    ],
}  # fmt: skip
FULL = {"number": "A-1", "ordered": "2025-03-04", "total": {"amount": "12.50", "currency": "EUR"}, "weight": "1.250",
        "lines": [{"sku": "x", "qty": 2}, {"sku": "y", "qty": 1}]}  # fmt: skip
TEXT = "Order no.: A-2\nOrdered on: 2025-03-05\nTotal: 7.00 EUR\n"


def artifacts():
    made = [paxman.normalize(FULL, CONTRACT), paxman.normalize(TEXT, CONTRACT)]
    return [attrs.evolve(artifact, metadata={"source": f"{n}.x"}) for n, artifact in enumerate(made)]


ROWS = [
    {"number": "A-1", "ordered": date(2025, 3, 4), "total": {"amount": Decimal("12.50"), "currency": "EUR"},
     "weight": Decimal("1.250"), "lines": [{"sku": "x", "qty": 2}, {"sku": "y", "qty": 1}]},
    {"number": "A-2", "ordered": date(2025, 3, 5), "total": {"amount": Decimal("7.00"), "currency": "EUR"},
     "weight": None, "lines": None},
]  # fmt: skip


def data(rows):
    return [{name: value for name, value in row.items() if not name.startswith("_")} for row in rows]


def test_arrow_keeps_types_and_digits():
    from paxman.integrations.frames import to_arrow

    table = to_arrow(artifacts())
    assert data(table.to_pylist()) == ROWS
    assert [str(kind) for kind in table.schema.types] == [
        "string", "string", "string", "string", "date32[day]",
        "struct<amount: decimal128(38, 2), currency: string>", "decimal128(38, 3)",
        "list<item: struct<sku: string, qty: int64>>",
    ]  # fmt: skip
    assert table.column("_source").to_pylist() == ["0.x", "1.x"]
    assert to_arrow(artifacts(), confidence=True).column("weight.confidence").to_pylist() == [0.8, None]
    assert to_arrow([]).num_rows == 0


def test_pandas_and_polars_say_the_same():
    from paxman.integrations.frames import to_pandas, to_polars

    flat = [
        {"position": 0, "number": "A-1", "ordered": date(2025, 3, 4), "total.amount": Decimal("12.50"),
         "total.currency": "EUR", "weight": Decimal("1.250")},
        {"position": 1, "number": "A-2", "ordered": date(2025, 3, 5), "total.amount": Decimal("7.00"),
         "total.currency": "EUR", "weight": None},
    ]  # fmt: skip
    assert data(to_polars(artifacts()).to_dicts()) == flat
    frame = to_pandas(artifacts(), confidence=True)
    assert frame["weight"].sum() == Decimal("1.250")
    assert frame["number:confidence"].tolist() == [Decimal("0.8"), Decimal("0.8")]
    lines = to_pandas(artifacts(), table="lines")
    assert lines[["_source", "_row", "sku", "qty"]].values.tolist() == [["0.x", 1, "x", 2], ["0.x", 2, "y", 1]]
    fields = to_polars(artifacts(), table="fields").to_dicts()
    assert [(row["field_path"], row["band"]) for row in fields if row["_source"] == "1.x"] == [
        ("number", "HIGH"), ("ordered", "HIGH"), ("total", "HIGH"), ("weight", None), ("lines", None)]  # fmt: skip
    with pytest.raises(paxman.ConfigurationError, match="Did you mean 'lines'"):
        to_pandas(artifacts(), table="line")


def test_what_is_not_many_artifacts_is_refused():
    from paxman.integrations import frames, to_arrow, to_pandas

    assert (to_arrow, to_pandas) == (frames.to_arrow, frames.to_pandas)
    for wrong in (artifacts()[0], [artifacts()[0].to_json()], "text"):
        with pytest.raises(TypeError, match="one is given as \\[artifact\\]"):
            to_arrow(wrong)


def test_numbers_beyond_64_bits_and_mixed_contracts():
    from paxman.integrations.frames import to_arrow

    contract = {"id": "n", "version": "1", "fields": [{"name": "number", "type": "INTEGER", "required": True}]}
    huge = paxman.normalize({"number": 10**30}, contract)
    assert to_arrow([huge]).column("number").to_pylist() == [Decimal(10**30)]
    with pytest.raises(paxman.ConfigurationError, match="cannot be one column"):
        to_arrow([huge, *artifacts()])


def test_a_missing_library_names_its_extra(monkeypatch):
    from paxman.integrations import frames

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(paxman.ConfigurationError, match=r"pip install '\.\[arrow\]'"):
        frames.to_arrow([])


def ask(root, *calls):
    """Start `paxman mcp` as agents do, call its tools, and give the answers."""
    from mcp import Client, StdioServerParameters

    arguments = ["-m", "paxman.cli", "mcp", *(["--root", str(root)] if root else [])]

    async def talk():
        async with Client(StdioServerParameters(command=sys.executable, args=arguments)) as client:
            tools = sorted(tool.name for tool in (await client.list_tools()).tools)
            answers = []
            for name, values in calls:
                answer = await client.call_tool(name, values(answers) if callable(values) else values)
                text = answer.content[0].text
                answers.append(text if answer.is_error else json.loads(text))
            return tools, answers

    return asyncio.run(talk())


def test_agents_normalize_plan_explain_and_verify(tmp_path):
    (tmp_path / "order.txt").write_text(TEXT)
    outside = {**CONTRACT, "fields": [{"name": "x", "type": "STRING", "required": True,
                                       "lookup": {"source": "/etc/hostname"}}]}  # fmt: skip
    tools, answers = ask(
        tmp_path,
        ("normalize", {"contract": CONTRACT, "path": "order.txt"}),
        ("plan", {"contract": CONTRACT, "text": TEXT}),
        ("explain", lambda done: {"artifact": done[0], "text": TEXT, "field": "total"}),
        ("verify", lambda done: {"artifact": done[0], "text": TEXT, "contract": CONTRACT}),
        ("verify", lambda done: {"artifact": done[0], "text": "something else"}),
        ("normalize", {"contract": CONTRACT, "path": "../../etc/hostname"}),
        ("normalize", {"contract": outside, "text": "x: y"}),
        ("normalize", {"contract": {"id": "c"}, "text": "x"}),
        ("explain", lambda done: {"artifact": done[0], "text": "something else"}),
        ("explain", lambda done: {"artifact": done[0], "field": "totl"}),
    )
    assert tools == ["explain", "normalize", "plan", "verify"]
    assert paxman.replay(answers[0], CONTRACT).replay_hash == paxman.normalize(TEXT, CONTRACT).replay_hash
    assert answers[1]["contract_id"] == "order"
    assert [evidence["quote"] for evidence in answers[2]["fields"][0]["evidence"]] == ["7.00 EUR"]
    assert (answers[3]["passed"], answers[4]["passed"]) == (True, False)
    assert "there is no file" in answers[5]
    assert "given inline holds its lookup tables itself" in answers[6]
    assert "MISSING_FIELDS" in answers[7]
    assert "HASH_MISMATCH: this is not the document that the artifact was made from" in answers[8]
    assert "Did you mean 'total'" in answers[9]


def test_an_agent_may_ask_about_a_cell():
    items = {"fields": [{"name": "qty", "type": "INTEGER", "required": True}]}
    contract = {"id": "c", "version": "1", "fields": [{"name": "items", "type": "ARRAY", "required": True,
                                                       "items": items}]}  # fmt: skip
    artifact = paxman.normalize({"items": [{"qty": 3}]}, contract).to_dict()
    told = Tools(load_settings({}, {})).explain(artifact, field="items[0].qty")
    assert [(view["path"], view["value"]) for view in told["fields"]] == [("items[0].qty", "3")]


def test_without_a_root_agents_read_no_file(tmp_path):
    _, answers = ask(None, ("normalize", {"contract": CONTRACT, "path": "/etc/hostname"}))
    assert "this server reads no files" in answers[0]


def lookup_contract(source):
    lookup = {"source": source, "key": "code", "value": "name", "from": "code"}
    code = {"name": "code", "type": "STRING", "required": True}
    return {"id": "c", "version": "1", "fields": [code, {**code, "name": "name", "lookup": lookup}]}


def test_nothing_outside_the_root_is_read(tmp_path):
    root = tmp_path / "root"
    (root / "c.json#a").mkdir(parents=True)
    for place in (tmp_path / "secret.csv", root / "table.csv"):
        place.write_text("code,name\nA,Ann\n")
    with duckdb.connect(str(root / "views.duckdb")) as made:
        made.execute(f"CREATE VIEW people AS SELECT * FROM read_csv('{tmp_path}/secret.csv')")
    (root / "link.txt").symlink_to(tmp_path / "secret.csv")
    (root / "folder").symlink_to(tmp_path)
    (tmp_path / "outside.json").write_text(json.dumps(lookup_contract({"A": "Ann"})))
    reference = {"$ref": f"file://{tmp_path}/outside.json", "$schema": "https://json-schema.org/draft/2020-12/schema"}
    (root / "ref.json").write_text(json.dumps({**reference, "type": "object"}))
    sources = ("../secret.csv", str(tmp_path / "secret.csv"), "folder/secret.csv", "link.txt", "env:HOME",
               "sqlite:///../secret.csv", "postgresql://host/db", "table.csv", "views.duckdb")  # fmt: skip
    for number, source in enumerate(sources):
        (root / f"{number}.json").write_text(json.dumps(lookup_contract(source)))
    contracts = ["../outside.json", "folder/outside.json", "c.json#a/../../../outside.json", "nul\0.json", "ref.json"]
    documents = ["link.txt", "folder/secret.csv", "../secret.csv", str(tmp_path / "secret.csv"), "nul\0", "\ud800", "."]
    documents.append("a" * 5_000)
    tools = Tools(load_settings({}, {}), root)
    text = "code: A"
    for contract in contracts:
        with pytest.raises(paxman.PaxmanError):
            tools.normalize(contract, text)
    for path in documents:
        with pytest.raises(paxman.ConfigurationError, match="there is no file"):
            tools.normalize(CONTRACT, path=path)
    for number in range(7):
        with pytest.raises(paxman.ConfigurationError, match="name: a contract names only files below the server"):
            tools.normalize(f"{number}.json", text)
    assert tools.normalize("7.json", text)["normalized_data"] == {"code": "A", "name": "Ann"}
    assert tools.normalize("8.json", text)["normalized_data"] == {"code": "A", "name": None}


def test_a_member_of_an_archive_is_only_itself(tmp_path):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as made:
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = 0o120777 << 16
        made.writestr(link, "/etc/passwd")
        made.writestr("../../etc/passwd", "Total: 9.00 EUR")
        made.writestr("order.txt", "Total: 7.00 EUR")
    (tmp_path / "all.zip").write_bytes(archive.getvalue())
    found = Tools(load_settings({}, {}), tmp_path).normalize(CONTRACT, path="all.zip")
    assert found["normalized_data"]["total"] == {"amount": "7.00", "currency": "EUR"}
    assert "root:" not in json.dumps(found)


@pytest.fixture
def service(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    from fastapi.testclient import TestClient

    from examples.service import app

    return TestClient(app)


def test_the_example_service(service):
    text = "Invoice no.: INV-7\nInvoice date: 2025-03-04\nAmount due: 12.50 EUR\n"
    answer = service.post("/invoices", content=text).json()
    assert answer["invoice"] == {
        "invoice_number": "INV-7",
        "issue_date": "2025-03-04",
        "total": {"amount": "12.50", "currency": "EUR"},
        "discount": None,
    }
    assert service.post("/artifacts/verify", json=answer["artifact"]).json() == {"verified": True}
    answer["artifact"]["normalized_data"]["invoice_number"] = "INV-8"
    assert service.post("/artifacts/verify", json=answer["artifact"]).status_code == 409
    poor = service.post("/invoices", content="nothing here").json()
    assert (poor["status"], poor["invoice"], "total" in poor["missing"]) == ("UNRESOLVED", None, True)
    assert service.post("/invoices", content=b"x" * 10_000_001).status_code == 413


def test_spans_and_metrics_hold_no_input():
    from opentelemetry import metrics, trace
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import InMemoryMetricReader
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    spans, reader = InMemorySpanExporter(), InMemoryMetricReader()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    trace.set_tracer_provider(provider)
    metrics.set_meter_provider(MeterProvider([reader]))
    end = enable_opentelemetry()
    artifact = paxman.normalize(TEXT, CONTRACT)
    end()
    paxman.normalize(TEXT, CONTRACT)
    *stages, span = spans.get_finished_spans()
    assert [(stage.name, stage.parent.span_id) for stage in stages] == [
        (f"paxman.{name}", span.context.span_id) for name in ("plan", "read", "execute", "reconcile")
    ]
    assert all(span.start_time <= stage.start_time <= stage.end_time <= span.end_time for stage in stages)
    assert (span.name, span.attributes["paxman.status"]) == ("paxman.normalize", artifact.status.value)
    assert span.attributes["paxman.replay_hash"] == artifact.replay_hash
    measured = json.loads(reader.get_metrics_data().to_json())["resource_metrics"][0]["scope_metrics"][0]["metrics"]
    points = {metric["name"]: metric["data"]["data_points"] for metric in measured}
    assert [point["count"] for point in points["paxman.duration"]] == [1]
    numbers = artifact.statistics
    assert {point["attributes"]["paxman.outcome"]: point["value"] for point in points["paxman.fields"]} == {
        "resolved": numbers.resolved,
        "unresolved": numbers.unresolved,
    }
    assert [point["value"] for point in points["paxman.cost"]] == [0.0]
    told = span.to_json() + json.dumps(measured)
    assert [secret for secret in ("A-2", "7.00", "2025-03-05") if secret in told] == []


def test_the_log_has_facts_and_no_input(caplog):
    with caplog.at_level(logging.INFO, "paxman"):
        artifact = paxman.normalize(TEXT, CONTRACT)
    (record,) = caplog.records
    assert record.getMessage() == f"normalized order: {artifact.status.value}"
    assert record.paxman["replay_hash"] == artifact.replay_hash
    assert "A-2" not in json.dumps(record.paxman)
