"""Short descriptions of fields as labels of last resort."""

from datetime import date
from decimal import Decimal
from typing import Annotated

import pytest
from pydantic import BaseModel, Field

import paxman
from paxman.contract.labels import short_label


def contract(*fields):
    return {"id": "c", "version": "1", "fields": [{"required": True, **field} for field in fields]}


def outcome(text, *fields):
    artifact = paxman.normalize(text, contract(*fields))
    return {name: (result.value, result.confidence_band.value) for name, result in found(artifact).items()}


def found(artifact):
    return {result.field_path: result for result in artifact.field_results if result.value is not None}


def text(name, description, **more):
    return {"name": name, "type": "STRING", "description": description, **more}


POLICY = text("ref", "Policy number")


@pytest.mark.parametrize(
    ("description", "label"),
    [
        ("Policy number", "Policy number"),
        ("The gross weight.", "gross weight"),
        ("Datum der Lieferung", "Datum der Lieferung"),
        ("the", "the"),
        ("Number that the insurer gave", ""),
        ("Paid, or not", ""),
        ("See sec. 5", ""),
        ("Printed as 'Policy ref.'", ""),
        ("", ""),
    ],
)
def test_a_short_description_is_a_label(description, label):
    assert short_label(description) == label


@pytest.mark.parametrize(
    "page",
    [
        "Policy number: AB-12\n",
        "POLICY NO.: AB-12\n",
        "Policy number    AB-12\n",
        "Policy number\nAB-12\n",
        "# Policy number\n\nAB-12\n",
        "Name        Policy number    Agent\nBob Hill    AB-12            Eve\n",
        "<dl><dt>Policy number</dt><dd>AB-12</dd></dl>",
        "<table><tr><th>Policy number</th><td>AB-12</td></tr></table>",
        "<table><tr><td>Policy number:</td><td>AB-12</td></tr><tr><td>Agent:</td><td>Eve</td></tr></table>",
        "<form><label>Policy number</label> <input value='AB-12'></form>",
        "<p><b>Policy number</b> AB-12</p>",
        "Policy number,Agent,Start\nAB-12,Eve,2024-05-03\n",
        '{"policyNumber": "AB-12"}',
        "<r><PolicyNumber>AB-12</PolicyNumber></r>",
    ],
)
def test_a_description_is_followed_where_a_label_stands(page):
    assert outcome(page, POLICY) == {"ref": ("AB-12", "HIGH")}


@pytest.mark.parametrize(
    "page",
    [
        "Please quote policy number AB-12 in every letter.\n",
        "Policy number AB-12 was given to Bob Hill.\n",
        "Send it with your policy number: AB-12 is on the front.\n",
        "Always quote the\nPolicy number\nwhenever you write to us.\n",
        "Policy number: it is on the front of your letter.\n",
        "Policy number\nYou find it on the front of your letter.\n",
        "Policy number\nIt was lost.\n",
        "Policy number: n/a\n",
        "Policy number,Agent\nAB-12,Eve\nCD-34,Bob\n",
        "<p><b>Policy number</b> you find it on the front of your letter.</p>",
    ],
)
def test_running_text_that_says_a_description_gives_nothing(page):
    assert outcome(page, POLICY) == {}


@pytest.mark.parametrize(
    ("field", "page", "value"),
    [
        (
            {"name": "begun", "type": "DATE", "description": "Start of cover"},
            "Start of cover\n3 May 2024\n",
            "2024-05-03",
        ),
        ({"name": "kg", "type": "DECIMAL", "description": "The gross weight"}, "Gross weight: 12.50 kg\n", "12.50"),
        ({"name": "n", "type": "INTEGER", "description": "Anzahl Pakete"}, "Anzahl Pakete: 3\n", "3"),
        ({"name": "quick", "type": "BOOLEAN", "description": "Express delivery"}, "Express delivery: yes\n", "True"),
        (text("who", "Policy holder", tags=["person"]), "Policy holder: Bob Hill\n", "Bob Hill"),
        (
            {"name": "effective_date", "type": "DATE", "description": "On cover since"},
            "On cover since: 3 May 2024\n",
            "2024-05-03",
        ),
    ],
)
def test_every_type_is_found_by_its_description(field, page, value):
    assert {name: str(each) for name, (each, _) in outcome(page, field).items()} == {field["name"]: value}


def test_a_description_decides_only_where_labels_and_names_do_not():
    page = "Policy number: AB-12\nRef: CD-34\nFile: EF-56\n"
    assert outcome(page, POLICY) == {"ref": ("CD-34", "HIGH")}
    assert outcome(page, text("id", "Policy number", labels=["File"])) == {"id": ("EF-56", "HIGH")}
    assert outcome('{"Policy number": "AB-12", "ref": "CD-34"}', POLICY) == {"ref": ("CD-34", "HIGH")}


def test_a_description_never_takes_what_another_field_is_called():
    amount = {"type": "DECIMAL", "description": "Amount"}
    fields = [{"name": "first", **amount}, {"name": "amount", "type": "DECIMAL"}]
    assert outcome("Amount: 5.00\n", *fields) == {"amount": (Decimal("5.00"), "HIGH")}
    assert outcome('{"Amount": 5}', *fields) == {"amount": (Decimal(5), "HIGH")}
    assert outcome("Amount: 5.00\n", {"name": "first", **amount}, {"name": "second", **amount}) == {}


def test_a_description_that_means_something_else_is_no_label():
    due = {"name": "due_date", "type": "DATE", "description": "Date"}
    assert outcome("Date: 3 May 2024\nTotal: 5.00\n", due) == {}


@pytest.mark.parametrize(
    "page",
    [
        "Part        Pieces\nBolt        5\nNut         7\nWasher      9\n",
        "Part,Pieces\nBolt,5\nNut,7\nWasher,9\n",
        '{"rows": [{"Part": "Bolt", "Pieces": 5}, {"Part": "Nut", "Pieces": 7}, {"Part": "Washer", "Pieces": 9}]}',
    ],
)
def test_columns_are_found_by_their_descriptions(page):
    columns = [
        {"name": "a", "type": "STRING", "required": True, "description": "Part"},
        {"name": "b", "type": "INTEGER", "required": False, "description": "The pieces"},
    ]
    rows = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    value = paxman.normalize(page, contract(rows))["rows"].value
    assert [(row["a"], row["b"]) for row in value] == [("Bolt", 5), ("Nut", 7), ("Washer", 9)]


def test_a_list_is_found_by_its_description():
    goods = {"name": "things", "type": "ARRAY", "items": {"type": "STRING"}, "description": "Goods in stock"}
    page = "Goods in stock:\n- apples\n- pears\n"
    assert outcome(page, goods) == {"things": (("apples", "pears"), "HIGH")}


class Policy(BaseModel):
    begun: Annotated[date, Field(description="Start of cover")]


SCHEMA = {
    "type": "object",
    "title": "Policy",
    "properties": {"begun": {"type": "string", "format": "date", "description": "Start of cover"}},
    "required": ["begun"],
}
OPENAPI = {
    "openapi": "3.1.0",
    "info": {"title": "t", "version": "1"},
    "paths": {},
    "components": {"schemas": {"Policy": SCHEMA}},
}


@pytest.mark.parametrize(
    "form",
    [contract({"name": "begun", "type": "DATE", "description": "Start of cover"}), SCHEMA, OPENAPI, Policy],
    ids=["dict_dsl", "json_schema", "openapi", "pydantic"],
)
def test_every_kind_of_contract_has_descriptions(form):
    assert str(paxman.normalize("Start of cover: 3 May 2024\n", form)["begun"].value) == "2024-05-03"
