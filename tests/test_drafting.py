"""Drafting from several samples: business names, what the samples share, lists of items, and other formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import paxman
from paxman.api.draft_payloads import merge_drafts
from paxman.api.drafting import draft_contract
from paxman.cli.app import app
from paxman.contract import adapt

SAMPLES = Path(paxman.__file__).parent / "samples"
ENGLISH = """INVOICE
Invoice number: INV-7
Invoice date: 2024-05-06
Customer: Miller Ltd
GTIN: 4012345678901
Total due: 12.50 EUR
"""
GERMAN = """RECHNUNG
Rechnungsnummer: R-9
Rechnungsdatum: 07.05.2024
Kunde: Weber GmbH
GTIN: 4012345678918
Zahlbar bis: 01.06.2024
"""


def outline(fields: list[dict[str, Any]]) -> dict[str, Any]:
    """Names and types of a drafted contract, with a mark on what is optional."""
    return {
        field["name"]: outline(field["items"]["fields"])
        if field["type"] == "ARRAY"
        else field["type"] + ("" if field["required"] else "?")
        for field in fields
    }


def test_samples_in_two_languages_share_their_business_names():
    draft = draft_contract([ENGLISH, GERMAN], "invoice")
    assert outline(draft["fields"]) == {
        "invoice_number": "STRING",
        "invoice_date": "DATE",
        "buyer": "STRING",
        "gtin": "STRING",
        "amount_due": "MONEY?",
        "due_date": "DATE?",
    }
    assert draft["fields"][0]["labels"] == ["Invoice number", "Rechnungsnummer"]
    made = [paxman.normalize(page, draft).normalized_data for page in (ENGLISH, GERMAN)]
    assert [(data["invoice_number"], str(data["invoice_date"])) for data in made] == [
        ("INV-7", "2024-05-06"),
        ("R-9", "2024-05-07"),
    ]


@pytest.mark.parametrize(
    ("drafts", "expected"),
    [
        ([{"a": "INTEGER"}, {"a": "DECIMAL"}], {"a": "DECIMAL"}),
        ([{"a": "DATE"}, {"a": "DATETIME"}], {"a": "DATETIME"}),
        ([{"a": "MONEY"}, {"a": "DECIMAL"}], {"a": "MONEY"}),
        ([{"a": "DATE"}, {"a": "INTEGER"}], {"a": "STRING"}),
        ([{"a": "DATE"}, {"b": "DATE"}], {"a": "DATE?", "b": "DATE?"}),
        ([{"a": "DATE"}, {"a": "DATE", "b": "DATE"}, {"a": "DATE"}], {"a": "DATE"}),
    ],
)
def test_types_are_widened_and_strays_left_out(drafts: list[dict[str, str]], expected: dict[str, str]):
    given = [[{"name": n, "type": kind, "required": True} for n, kind in each.items()] for each in drafts]
    assert outline(merge_drafts(given)) == expected


def test_columns_of_lists_are_merged():
    one = "sku,price\na,1.50\nb,2.50\n"
    two = "sku,price,unit\nc,3,kg\n"
    assert outline(draft_contract([one, two], "list")["fields"]) == {
        "line_items": {"sku": "STRING", "price": "DECIMAL", "unit": "STRING?"}
    }


def test_pairs_are_not_taken_across_columns_nor_from_prose():
    page = """Invoice number: INV-7
12 Quay Street, Whitby          Springfield
The parties agree that the following holds: nothing is owed.
Article 5 Rent: see below
Seller contact: Jane Roe
"""
    assert set(outline(draft_contract([page], "x")["fields"])) == {"invoice_number", "seller_contact"}


BLANK = """APPLICATION FOR MEMBERSHIP

First name: ____________________   Last name: ____________________
Date of birth: ___ / ___ / ______
Phone:
Membership type:  [ ] Adult   [ ] Student   [ ] Family
Annual fee: ..................... EUR
Newsletter: [ ]
"""


def test_captions_of_a_blank_form_become_optional_fields():
    draft = draft_contract([BLANK], "x")
    assert {field["name"]: (field["type"], field["required"]) for field in draft["fields"]} == {
        "first_name": ("STRING", False),
        "last_name": ("STRING", False),
        "date_of_birth": ("DATE", False),
        "phone": ("STRING", False),
        "membership_type": ("ENUM", False),
        "annual_fee": ("MONEY", False),
        "newsletter": ("BOOLEAN", False),
    }
    filled = BLANK.replace("[ ] Student", "[x] Student").replace("Last name: " + "_" * 20, "Last name: Weber")
    data = [paxman.normalize(page, draft).normalized_data for page in (BLANK, filled)]
    assert [(each.get("last_name"), each.get("membership_type")) for each in data] == [
        (None, None),
        ("Weber", "Student"),
    ]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "statement.txt",
            "Account holder: Maria Lindqvist\nOpening balance: kr. 12.450,00\n\n"
            "Date        Description    Amount\n02.03.2025  Rent           -8.500,00\n05.03.2025  Pay  +22.000,00\n",
            {"account_holder": "STRING", "opening_balance": "DECIMAL"},
        ),
        (
            "report.md",
            "| Patient | Jonas Weber |\n|---|---|\n| Date of birth | 1984-02-17 |\n\n# Test results\n\n"
            "| Test | Result |\n|---|---|\n| Glucose | 5.4 |\n| Iron | 14.2 |\n",
            {
                "patient_name": "STRING",
                "date_of_birth": "DATE",
                "test_results": {"test": "STRING", "result": "DECIMAL"},
            },
        ),
        (
            "booking.eml",
            "From: Hotel Miramar <b@miramar.example>\nTo: Ana <ana@example.org>\nSubject: Your stay\n"
            "Date: Tue, 6 May 2025 10:22:31 +0200\n\nBooking reference: MIR-7\n"
            "Check-in: Friday, 13 June 2025 (from 15:00)\nRoom type: Double room\nGuests: 2 adults\n"
            "Total price: EUR 435.00 (incl. tax)\n",
            {
                "from": "STRING",
                "to": "STRING",
                "subject": "STRING",
                "date": "DATETIME",
                "booking_number": "STRING",
                "check_in": "DATETIME",
                "room_type": "STRING",
                "guests": "STRING",
                "guest_name": None,
                "total_price": "MONEY",
            },
        ),
    ],
)
def test_pages_that_are_no_invoices(name: str, text: str, expected: dict[str, Any], tmp_path: Path):
    (tmp_path / name).write_text(text)
    found = outline(draft_contract([tmp_path / name], "x")["fields"])
    assert {name: found.get(name) for name in expected} == expected


def test_a_list_of_items_is_found_without_markup():
    draft = draft_contract([SAMPLES / "invoice.pdf"], "x")
    assert outline(draft["fields"])["line_items"] == {
        "description": "STRING",
        "quantity": "INTEGER",
        "unit_price": "DECIMAL",
        "amount": "DECIMAL",
    }


@pytest.mark.parametrize("name", ["invoice.txt", "orders.csv", "product.html", "repair.md", "invoice.pdf", "order.eml"])
def test_a_draft_resolves_its_sample(name: str):
    results = paxman.normalize(SAMPLES / name, draft_contract([SAMPLES / name], "x")).field_results
    assert sum(result.status == "RESOLVED" for result in results) >= 0.8 * len(results)


def test_models_are_written_that_say_the_same(tmp_path: Path):
    (tmp_path / "a.txt").write_text(ENGLISH)
    (tmp_path / "b.txt").write_text(GERMAN)
    given = [str(tmp_path / "a.txt"), str(tmp_path / "b.txt"), "--id", "invoice"]
    told = CliRunner().invoke(app, ["contract", "init", *given, "-o", str(tmp_path / "drafted_models.py")])
    assert told.exit_code == 0, told.output
    checked = CliRunner().invoke(app, ["contract", "show", str(tmp_path / "drafted_models.py"), "--json"])
    shown = json.loads(checked.output)
    draft = adapt(draft_contract([ENGLISH, GERMAN], "invoice"))
    assert [(f["name"], f["type"], f["required"], f["labels"]) for f in shown["fields"]] == [
        (f.name, f.type.value, f.required, list(f.labels)) for f in draft.fields
    ]


def test_json_schema_is_written(tmp_path: Path):
    (tmp_path / "a.txt").write_text(ENGLISH)
    told = CliRunner().invoke(app, ["contract", "init", str(tmp_path / "a.txt"), "--format", "json_schema"])
    assert adapt(json.loads(told.output)).content_hash == adapt(draft_contract([ENGLISH], "a")).content_hash


def test_rows_and_odd_names_in_models():
    from paxman.contract.adapters.pydantic_export import write_models

    fields = [
        {"name": "class", "type": "STRING", "required": True, "description": 'the "class"'},
        {"name": "lines", "type": "ARRAY", "required": False, "items": {"fields": [
            {"name": "sku", "type": "STRING", "required": True},
            {"name": "when", "type": "DATETIME", "required": False},
        ]}},
        {"name": "state", "type": "ENUM", "required": True, "enum_values": ["open", "paid"]},
    ]  # fmt: skip
    text = write_models(adapt({"id": "my order", "version": "1", "fields": fields}))
    names: dict[str, Any] = {"__name__": "written"}
    exec(compile(text, "written.py", "exec", dont_inherit=True), names)
    read = adapt(names["MyOrder"])
    assert [(field.name, field.type.value, field.required) for field in read.fields] == [
        ("class", "STRING", True),
        ("lines", "ARRAY", False),
        ("state", "ENUM", True),
    ]
    assert [column.type.value for column in read.fields[1].columns] == ["STRING", "DATETIME"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "spending.csv",
            "Entity,Supplier,Value\nTrust,Nhs Supply Chain,80\nTrust,St Helen Hospitals,130\n",
            {"rows": {"entity": "STRING", "supplier": "STRING", "value": "INTEGER"}},
        ),
        (
            "label.txt",
            "Locker: 4006381333931\nWeight: 123456789.5\nPieces: 123456789\n",
            {"locker": "STRING", "weight": "DECIMAL", "pieces": "INTEGER"},
        ),
        (
            "record.txt",
            "  Domain name:\n    example.co.uk\n\n  Name servers:\n    ns1.example.net\n    ns2.example.net\n",
            {"domain_name": "STRING", "name_servers": ["STRING"]},
        ),
        (
            "recipe.html",
            '<script type="application/ld+json">{"@type": "Recipe", "name": "Soup", "recipeYield": 4, '
            '"author": {"@type": "Person", "name": "Ada"}, "keywords": ["tomato", "salt"]}</script><p>Soup</p>',
            {"name": "STRING", "recipeYield": "INTEGER", "author": {"name": "STRING"}, "keywords": ["STRING"]},
        ),
    ],
)
def test_lists_blocks_and_structured_data_become_fields(tmp_path: Path, name: str, text: str, expected: Any):
    (tmp_path / name).write_text(text, "utf-8")
    assert shape(draft_contract([tmp_path / name], "x")) == expected


def shape(contract: dict[str, Any]) -> Any:
    """Types by name, lists as lists."""
    return {field["name"]: _shape(field) for field in contract["fields"]}


def _shape(field: dict[str, Any]) -> Any:
    if "fields" in field:
        return shape(field)
    if "items" not in field:
        return field["type"]
    return shape(field["items"]) if "fields" in field["items"] else [_shape(field["items"])]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *[(text, "STRING") for text in ("12B", "01067", "00482913", "M", "N", "F", "0 ... +35 °C", "3-5", "1k")],
        *[(text, "STRING") for text in ("12.5 kg", "19 %", "1/2", "10:30", "5 pcs", "+49 30 1234567")],
        *[(text, "INTEGER") for text in ("482913", "-3", "0")],
        *[(text, "DECIMAL") for text in ("12.5", "1,250.00", "0.50")],
        *[(text, "MONEY") for text in ("1,250.00 EUR", "$12", "EUR 318.00 (incl. tax)", "EUR 318.00 (TTC)")],
        *[(text, "STRING") for text in ("EUR 5.00 (USD 4.50)", "EUR 318.00 incl. tax")],
        *[(text, "BOOLEAN") for text in ("yes", "No", "TRUE")],
        *[(text, "DATE") for text in ("2025-03-04", "14 March 2025")],
    ],
)
def test_a_field_is_typed_only_if_its_value_can_be_printed_as_it_stands(text: str, kind: str):
    (field,) = draft_contract([f"Sample item: {text}\n"], "x")["fields"]
    made = paxman.normalize(f"Sample item: {text}\n", {"id": "x", "version": "1", "fields": [field]})
    assert (field["type"], made["sample_item"].status) == (kind, "RESOLVED")
    if kind == "STRING":
        assert made["sample_item"].value == text


FORM = """                     BILL OF LADING
Shipper                                   Bill of Lading No.
Orchard Foods Ltd                         HLCU-4471902
12 Mill Lane
Leeds LS1 2AB
Vessel                Voyage No.          Date of issue
MV Aurora             12B                 2025-03-09
Port of loading       Port of discharge   Freight terms
Felixstowe            Gothenburg          Prepaid
Marks                 Description         Weight
OF 1-10               Apple juice         10,240
OF 11-22              Pear puree          8,000
"""
SHIPMENT = {
    "shipper_name": "Orchard Foods Ltd",
    "bill_of_lading_number": "HLCU-4471902",
    "vessel_name": "MV Aurora",
    "voyage_number": "12B",
    "port_of_loading": "Felixstowe",
    "port_of_discharge": "Gothenburg",
    "freight_terms": "Prepaid",
}


def test_captions_over_boxes_are_fields_and_the_list_below_them_stays_one():
    artifact = paxman.normalize(FORM, draft_contract([FORM], "x"))
    assert {name: artifact[name].value for name in SHIPMENT} == SHIPMENT
    assert {artifact[name].confidence_band.value for name in SHIPMENT} == {"HIGH"}
    assert [str(row["weight"]) for row in artifact["rows"].value] == ["10240", "8000"]


def test_captions_at_the_head_of_cells_are_fields():
    page = (
        "| Vessel MV Aurora | Voyage No. 12B |\n|---|---|\n| Port of loading Felixstowe | Freight terms Prepaid |\n"
        "| Seal No. 00917 | Gate B12 |\n"
    )
    artifact = paxman.normalize(page, draft_contract([page], "x"))
    assert {r.field_path: r.value for r in artifact.field_results} == {
        "vessel_name": "MV Aurora", "voyage_number": "12B", "port_of_loading": "Felixstowe", "freight_terms": "Prepaid",
        "seal_number": "00917", "gate": "B12",
    }  # fmt: skip


def test_labels_and_values_in_two_columns_are_fields_also_where_few_labels_are_known():
    rows = [("Model", "HX-200"), ("Article no.", "0012.440"), ("Operating temperature", "0 ... +35 °C")]
    rows += [("Power input (P1)", "850 W"), ("Weight", "12.5 kg"), ("Voltage", "230 V ~ 50 Hz"), ("Colour", "grey")]
    for page in (
        "\n".join(f"{label:<26}{value}" for label, value in rows),
        "|  |  |\n|---|---|\n" + "\n".join(f"| {label} | {value} |" for label, value in rows),
    ):
        artifact = paxman.normalize(page, draft_contract([page], "x"))
        assert [result.value for result in artifact.field_results] == [value for _, value in rows]


def test_a_cell_that_says_there_is_nothing_does_not_cost_its_row():
    page = "Article;Size;Price EUR\n00417;12B;89,50\n01067;N/A;7,00\n00418;7;24,90\n"
    found = paxman.normalize(page, draft_contract([page], "x"))["rows"]
    assert [(row["article"], row.get("size")) for row in found.value] == [
        ("00417", "12B"),
        ("01067", None),
        ("00418", "7"),
    ]


@pytest.mark.parametrize("page", ["{head}\n{title}\n{pairs}", "# {title}\n\n{head}\n{pairs}"])
def test_what_papers_of_a_trade_have_without_a_label_is_drafted(page: str):
    head = "Brightwater Tools Ltd\n14 Quay Street, Bristol BS1 4DJ\n"
    pairs = "Invoice number: BW-7\n\nInvoice date: 2025-03-14\n\nTotal EUR: 80.40\n"
    page = page.format(head=head, title="INVOICE", pairs=pairs)
    draft = draft_contract([page], "x")["fields"]
    assert [field["name"] for field in draft] == ["invoice_number", "invoice_date", "total", "seller"]


def test_a_page_without_labels_is_drafted_by_the_trade_of_its_title():
    page = (
        "SERVICES AGREEMENT\n\nThis Services Agreement is made as of 4 January 2024 between Brook LLC and Delta Inc.\n"
    )
    page += "1. Governing law. This Agreement is governed by the laws of the State of Delaware.\n"
    names = [field["name"] for field in draft_contract([page], "x")["fields"]]
    assert names == ["effective_date", "governing_law"]


def test_a_label_with_its_own_colon_is_no_box_of_its_first_word():
    page = "Ship date: 2024-06-14     Order #: SO-4471\nCarrier: UPS Ground       Total cartons: 3\n"
    artifact = paxman.normalize(page, draft_contract([page], "x"))
    assert [str(result.value) for result in artifact.field_results] == ["2024-06-14", "SO-4471", "UPS Ground", "3"]


def test_a_label_within_the_value_of_another_is_no_field():
    mail = (
        b"From: a@x.example\nTo: b@x.example\nSubject: Re: Roof\nDate: Mon, 10 Jun 2024 08:00 +0000\n\nStatus: Open\n"
    )
    names = [field["name"] for field in draft_contract([mail], "x")["fields"]]
    assert names == ["from", "to", "subject", "date", "status"]
