"""The main job on real text, CSV, JSON and HTML, and any bytes at all as a document."""

import json
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import paxman
from paxman import testing
from paxman.documents.document import MailPart, SheetCell
from paxman.documents.reading import read_document
from paxman.transforms import run
from paxman.types import Money, Status

SAMPLES = Path(paxman.__file__).parent / "samples"


def sample(document, contract, **more):
    return paxman.normalize(SAMPLES / document, SAMPLES / "contracts" / contract, **more)


def test_a_plain_text_invoice():
    artifact = sample("invoice.txt", "invoice.json")
    assert {result.field_path: result.value for result in artifact.field_results} == {
        "invoice_number": "NB-2025-0417",
        "issue_date": date(2025, 3, 14),
        "supplier": "Nordlicht Bürobedarf GmbH",
        "supplier_id": "S-204",
        "net": Money("1250.00", "EUR"),
        "tax": Money("237.50", "EUR"),
        "total": Money("1487.50", "EUR"),
        "due_date": date(2025, 3, 28),
        "days_to_pay": 14,
        "purchase_order": None,
    }
    assert artifact.status is Status.PARTIAL_SUCCESS
    assert [note.code for note in artifact["purchase_order"].diagnostics] == ["CHAIN_EXHAUSTED"]


def test_a_csv_with_a_bad_row():
    artifact = sample("orders.csv", "orders.yaml")
    assert artifact.normalized_data == {
        "orders": [
            {
                "order_id": "A-1001",
                "customer": "Café Morgenrot",
                "ordered_on": date(2025, 2, 3),
                "quantity": 12,
                "unit_price": Decimal("4.50"),
            },
            {
                "order_id": "A-1002",
                "customer": 'Hotel "Zur Post"',
                "ordered_on": date(2025, 2, 4),
                "quantity": 3,
                "unit_price": Decimal("129.00"),
            },
            {
                "order_id": "A-1004",
                "customer": "Kantine Süd",
                "ordered_on": date(2025, 2, 5),
                "quantity": 40,
                "unit_price": Decimal("1.95"),
            },
        ],
        "pieces": 55,
    }
    assert [note.message for note in artifact["orders"].diagnostics] == [
        "row 3 was left out: quantity: missing (cell A4: 'A-1003;Bäckerei Lang;2025-02-04;;2,10')",
        "confidence 0.75 is below the target 0.80",
    ]
    assert artifact["orders[1].customer"].evidence_refs[0].source.cell == "B3"


def test_a_json_payload():
    artifact = sample("shipment.json", "shipment.json")
    assert artifact.status is Status.SUCCESS
    assert artifact.normalized_data == {
        "shipment_id": "SHP-77120",
        "status": "in_transit",
        "consignor": {"name": "Blue Harbor Trading Ltd", "country": "GB"},
        "declared_value": {"amount": Decimal("18250.00"), "currency": "USD"},
        "packages": [
            {"sku": "PUMP-8", "weight_kg": 41.5, "fragile": False},
            {"sku": "SEAL-2", "weight_kg": 0.75, "fragile": True},
        ],
        "eta": None,
    }
    assert artifact["consignor.name"].evidence_refs[0].source.pointer == "/consignor/name"


def test_a_markdown_page():
    artifact = sample("repair.md", "repair.yaml")
    assert artifact.status is Status.SUCCESS
    assert artifact.normalized_data == {
        "shop": "Alder Cycles",
        "order_number": "R-2041",
        "customer": "Ann Lee",
        "received_on": date(2025, 3, 4),
        "frame_number": "WTU-338-L",
        "bike": "Fjell Trail 3",
        "work": [
            {"item": "Chain", "quantity": 1, "price": Decimal("24.90")},
            {"item": "Brake pads | rear", "quantity": 2, "price": Decimal("9.50")},
            {"item": "Labour", "quantity": 1, "price": Decimal("35.00")},
        ],
        "total": {"amount": Decimal("78.90"), "currency": "GBP"},
        "test_ride": True,
        "customer_called": False,
    }
    source = artifact["bike"].evidence_refs[0].source
    assert (SAMPLES / "repair.md").read_bytes()[source.start : source.end] == b"Fjell *Trail* 3"


def test_an_html_page():
    artifact = sample("product.html", "product.toml")
    assert artifact.normalized_data == {
        "name": "Trail Runner 3",
        "sku": "TR3-42",
        "price": {"amount": Decimal("129.95"), "currency": "EUR"},
        "in_stock": True,
        "available_from": date(2025, 4, 1),
    }


def test_a_pdf_invoice():
    artifact = sample("invoice.pdf", "invoice-pdf.json")
    data = artifact.normalized_data
    assert [row["amount"] for row in data.pop("lines")] == [Decimal("255.00"), Decimal("108.00"), Decimal("128.00")]
    assert data == {
        "invoice_number": "HL-30518",
        "invoice_date": date(2025, 5, 21),
        "due_date": date(2025, 6, 20),
        "seller": "Harbour Lights Supplies Ltd",
        "net": {"amount": Decimal("491.00"), "currency": "GBP"},
        "tax": {"amount": Decimal("98.20"), "currency": "GBP"},
        "total": {"amount": Decimal("589.20"), "currency": "GBP"},
    }
    assert artifact["total"].evidence_refs[0].source.page == 1


def test_a_scanned_receipt():
    artifact = sample("receipt.png", "receipt.json", policy=paxman.Policy(locale="en_GB"))
    assert {r.field_path: str(r.value) for r in artifact.field_results} == {
        "shop": "CORNER BAKEHOUSE LTD",
        "receipt_number": "004417",
        "date": "2025-11-08",
        "total": "23.60 GBP",
    }


def test_a_spreadsheet():
    artifact = sample("stock.xlsx", "stock.yaml")
    assert artifact["articles[1].in_stock"].evidence_refs[0].source == SheetCell("Stock", "C3")
    assert artifact["value"].value == Decimal("987.75")


def test_a_mail_with_an_attachment():
    artifact = sample("order.eml", "order.json")
    assert artifact["order_number"].evidence_refs[0].source.part == "1"
    assert artifact["lines[2].quantity"].value == 2
    assert artifact["lines[2].quantity"].evidence_refs[0].source == MailPart("2", SheetCell("", "B4"))


@pytest.mark.parametrize(
    ("document", "contract"),
    [("invoice.txt", "invoice.json"), ("orders.csv", "orders.yaml"), ("shipment.json", "shipment.json"),
     ("product.html", "product.toml"), ("invoice.pdf", "invoice-pdf.json"), ("stock.xlsx", "stock.yaml"),
     ("order.eml", "order.json")],
)  # fmt: skip
def test_every_extracted_value_is_grounded(document, contract):
    """The document's text at the span, carried through the transforms, is the value again."""
    artifact = sample(document, contract, policy=paxman.Policy(embed_evidence_payload=True))
    text = read_document((SAMPLES / document).read_bytes(), document).text
    checked = 0
    for result in artifact.field_results:
        for ref in result.evidence_refs:
            if ref.span is not None and ref.is_of_value:
                quote = text[slice(*ref.span)]
                assert (quote, run(ref.transforms, quote)) == (ref.quote, artifact[ref.field_path].value)
                checked += 1
    assert checked >= 5


def test_quotes_are_kept_only_when_asked():
    assert {ref.quote for ref in sample("invoice.txt", "invoice.json").evidence} == {None}


PATTERN = {
    "id": "c",
    "version": "1",
    "fields": [
        {"name": "n", "type": "STRING", "required": True,
         "constraints": [{"kind": "pattern", "params": {"regex": r"^INV-\d+$"}}]},
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value"),
    [("Invoice #INV-1234 (copy)", "INV-1234"), ("n: see INV-77 please", "INV-77"), ("XINV-1 and INV-2", "INV-2")],
)
def test_a_pattern_speaks_of_the_value(text, value):
    assert paxman.normalize(text, PATTERN)["n"].value == value


def test_two_different_matches_are_a_conflict():
    result = paxman.normalize("INV-1 INV-2", PATTERN)["n"]
    assert (result.value, [note.code for note in result.diagnostics]) == ("INV-1", ["CONFLICT", "LOW_CONFIDENCE"])


def test_an_ambiguous_date_says_both_readings():
    contract = {"id": "c", "version": "1", "fields": [{"name": "date", "type": "DATE", "required": True}]}
    result = paxman.normalize("Date: 03/04/2025", contract)["date"]
    note = next(note for note in result.diagnostics if note.code == "AMBIGUOUS_VALUE")
    assert sorted(note.context["readings"]) == ["2025-03-04", "2025-04-03"]
    decided = paxman.normalize("Date: 03/04/2025", contract, policy=paxman.Policy(locale="de_DE"))["date"]
    assert (decided.value, decided.diagnostics) == (date(2025, 4, 3), ())


EVERYTHING = {
    "id": "everything",
    "version": "1",
    "fields": [
        {"name": kind.lower(), "type": kind, "required": True, "labels": ["a", "total"]}
        for kind in ("STRING", "INTEGER", "DECIMAL", "BOOLEAN", "DATE", "MONEY", "ARRAY", "OBJECT")
    ]
    + [
        {"name": "e", "type": "ENUM", "required": False, "enum_values": ["a", "b"]},
        {"name": "p", "type": "STRING", "required": False, "tags": ["regex:[a-z]+\\d"]},
        {"name": "rows", "type": "ARRAY", "required": False,
         "items": {"fields": [{"name": "a", "type": "DECIMAL", "required": True}]}},
    ],
}  # fmt: skip


def check(document):
    artifact = paxman.normalize(document, EVERYTHING)
    assert paxman.replay(artifact.to_json(), EVERYTHING) == artifact


@settings(max_examples=150)
@given(st.binary(max_size=400) | testing.inputs())
@example(b"%PDF-1.4 garbage")
@example(b"PK\x03\x04garbage")
@example(b"\xff\xfe\x00")
@example("a: " + "9" * 5000)
@example('{"a": NaN, "total": Infinity}')
@example('{"a": 1, "a": 2, "a": "\\ud800"}')
@example('{"a": 1e999999, "total": -1e-999999}')
@example("From: x\nSubject: y\n\nbody")
@example("a: \ud800")
@example("a:\u2028b\x00c")
def test_any_document_gives_an_artifact(document):
    check(document)


@pytest.mark.parametrize(
    "document",
    [
        "[" * 100_000,
        '{"a":' * 50_000,
        "[" * 20_000 + "]" * 20_000,
        "," * 1_000_000,
        "a: " + "," * 300_000,
        " " * 500_000 + "x",
        "a" * 500_000,
        "<html>" + "<div>" * 50_000,
        "a:\n" * 50_000,
        '{"a": ' + "1" * 100_000 + "}",
        '"' * 100_000,
        "a,b,c,d\n" * 20_000,
    ],
    ids=["brackets", "objects", "closed", "commas", "comma value", "spaces", "letters", "tags", "labels", "digits",
         "quotes", "rows"],
)  # fmt: skip
def test_hostile_documents_are_bounded(document):
    check(document)


def test_duplicate_keys_are_a_conflict():
    contract = {"id": "c", "version": "1", "fields": [{"name": "a", "type": "INTEGER", "required": True}]}
    result = paxman.normalize('{"a": 1, "a": 2}', contract)["a"]
    assert (result.value, result.diagnostics[0].code) == (1, "CONFLICT")


def test_dict_list_text_bytes_and_path_are_one(tmp_path):
    contract = {"id": "c", "version": "1", "fields": [{"name": "a", "type": "INTEGER", "required": True}]}
    text = json.dumps({"a": 1})
    path = tmp_path / "x.json"
    path.write_text(text)
    hashes = {paxman.normalize(given, contract).replay_hash for given in ({"a": 1}, text, text.encode(), path)}
    assert len(hashes) == 1


def test_unknown_keys_in_a_contract_are_reported():
    contract = {"id": "c", "version": "1", "fields": [{"name": "a", "type": "STRING", "required": True, "lables": []}]}
    notes = paxman.normalize("a: b", contract).diagnostics
    assert [note.code for note in notes] == ["CONTRACT_WARNING"]
    assert "labels" in notes[0].message


def test_an_invalid_optional_cell_is_left_out_and_its_row_kept():
    contract = {"id": "c", "version": "1", "fields": [
        {"name": "people", "type": "ARRAY", "required": True, "items": {"fields": [
            {"name": "name", "type": "STRING", "required": True},
            {"name": "age", "type": "INTEGER", "required": False},
        ]}},
    ]}  # fmt: skip
    artifact = paxman.normalize("name,age,town\nAda,36,London\nBob,zz,Paris\nCy,7,Rome\n", contract)
    assert artifact.normalized_data["people"] == [
        {"name": "Ada", "age": 36},
        {"name": "Bob"},
        {"name": "Cy", "age": 7},
    ]
    assert [(note.code, note.field_path) for note in artifact["people"].diagnostics] == [
        ("ROW_REJECTED", "people[1].age")
    ]


def test_the_policy_converts_amounts_by_a_stated_rate():
    contract = {"id": "c", "version": "1", "fields": [{"name": "total", "type": "MONEY", "required": True}]}
    euros, dollars = (
        '{"amount": 100, "currency": "EUR", "fx_rate": 1}',
        '{"amount": 110, "currency": "USD", "fx_rate": 0.9}',
    )
    document = f'{{"total": {euros}, "total": {dollars}}}'
    result = paxman.normalize(document, contract, policy=paxman.Policy(currency_policy="REJECT_WITHOUT_RATE"))["total"]
    assert (result.value, result.diagnostics[0].code) == (Money("100", "EUR"), "FX_APPLIED")
    assert result.diagnostics[0].context["after"] == "99.00 EUR"


def test_headings_of_rows_are_no_header():
    page = "<html><table><tr><th>Guest</th><td>Al</td></tr><tr><th>Room</th><td>Blue</td></tr></table></html>"
    contract = {
        "id": "c",
        "version": "1",
        "fields": [{"name": name, "type": "STRING", "required": True} for name in ("guest", "room")],
    }
    assert paxman.normalize(page, contract).normalized_data == {"guest": "Al", "room": "Blue"}


@pytest.mark.parametrize(("asked", "logged"), [(False, []), (True, ["input of 15 bytes: Total: 5 EUR \\xff\\xfe"])])
def test_raw_input_is_logged_only_when_asked(caplog, asked, logged):
    contract = {"id": "c", "version": "1", "fields": [{"name": "total", "type": "MONEY", "required": True}]}
    with caplog.at_level("INFO", logger="paxman"):
        paxman.normalize(b"Total: 5 EUR \xff\xfe", contract, policy=paxman.Policy(log_raw_input=asked))
    assert [r.getMessage() for r in caplog.records if "input" in r.getMessage()] == logged


def test_equal_amounts_in_other_digits_agree():
    contract = {"id": "c", "version": "1", "fields": [{"name": "total", "type": "MONEY", "required": True}]}
    found = [paxman.normalize(f"Total: 1.50 EUR\nTotal: {again} EUR\n", contract)["total"] for again in ("1.50", "1.5")]
    assert [(result.confidence, len(result.evidence_refs)) for result in found] == [(0.95, 2), (0.95, 2)]


@pytest.mark.parametrize(
    ("kind", "value", "regex", "status"),
    [
        ("INTEGER", 12345, r"^\d{4}$", "UNRESOLVED"),
        ("INTEGER", 1234, r"^\d{4}$", "RESOLVED"),
        ("DATE", "2024-05-06", "^2023", "UNRESOLVED"),
        ("DATE", "06.05.2023", r"^\d\d\.\d\d\.\d{4}$", "RESOLVED"),
        ("DATE", "06.05.2023", "^2023", "RESOLVED"),
        ("MONEY", "EUR 5", "^USD", "UNRESOLVED"),
        ("DECIMAL", "1.234,50", r"^[\d.]+,\d\d$", "RESOLVED"),
    ],
)
def test_a_pattern_takes_how_a_typed_value_is_written_or_its_plain_form(kind, value, regex, status):
    field = {
        "name": "x",
        "type": kind,
        "required": True,
        "constraints": [{"kind": "pattern", "params": {"regex": regex}}],
    }
    contract = {"id": "c", "version": "1", "fields": [field]}
    assert [paxman.normalize(each, contract)["x"].status for each in ({"x": value}, f"x: {value}\n")] == [status] * 2


def test_a_path_is_the_source_of_its_artifact(tmp_path):
    (tmp_path / "a.txt").write_text("Total: 5.00 EUR")
    contract = {"id": "c", "fields": [{"name": "total", "type": "MONEY", "required": True}]}
    artifact = paxman.normalize(tmp_path / "a.txt", contract)
    assert artifact.metadata == {"source": (tmp_path / "a.txt").as_posix()}
    assert artifact.replay_hash == paxman.normalize("Total: 5.00 EUR", contract).replay_hash
