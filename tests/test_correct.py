"""Corrections by a person: typed to the last cell, found where they stand, and refused in plain words."""

import datetime
import json
from decimal import Decimal

import pytest
from click.testing import CliRunner

import paxman
from paxman.api.verification import verify
from paxman.artifact.comparison import compare
from paxman.cli.app import app
from paxman.types import Money


def field(name, type, **more):
    return {"name": name, "type": type, "required": False, **more}


ROW = [field("given_on", "DATE"), field("dose", "DECIMAL"), field("price", "MONEY"), field("lot", "STRING")]
CONTRACT = {
    "id": "vaccination",
    "version": "1",
    "fields": [
        field("vet", "STRING"),
        field("seen_on", "DATE"),
        field("fee", "MONEY"),
        field("species", "ENUM", enum_values=["CAT", "DOG"]),
        field("allergies", "ARRAY", items={"type": "STRING"}),
        field("vaccines", "ARRAY", items={"type": "OBJECT", "fields": ROW}),
        field("weight", "UNION", branches=[{"type": "STRING"}, {"type": "DECIMAL"}]),
    ],
}
TEXT = """Vaccination record

Seen on: 3 April 2025
Fee: 64.50 GBP

Signed: **Dr Tom Pryce** MRCVS
"""
OFFLINE = paxman.Policy(allow_remote_inference=False, allow_local_inference=False)


@pytest.fixture
def artifact():
    return paxman.normalize(TEXT, CONTRACT, policy=OFFLINE)


@pytest.fixture
def correct(tmp_path, artifact):
    (tmp_path / "c.json").write_text(json.dumps(CONTRACT))
    (tmp_path / "a.json").write_text(artifact.to_json() + "\n")
    (tmp_path / "d.md").write_text(TEXT)
    rest = ["--by", "me", "-c", str(tmp_path / "c.json"), "-s", str(tmp_path / "d.md")]
    return lambda *values: CliRunner().invoke(app, ["correct", str(tmp_path / "a.json"), *values, *rest])


def test_a_date_is_read_in_the_order_of_the_page():
    text = "Date: 12/25/2024\nDue: 03/04/2025\n"
    contract = {"id": "c", "version": "1", "fields": [field("paid", "DATE")]}
    made = paxman.normalize(text, contract, policy=OFFLINE)
    made = made.corrected({"paid": "03/04/2025"}, by="me", contract=contract, document=text)
    assert made["paid"].value == datetime.date(2025, 3, 4)


def test_each_cell_is_typed_by_its_column(tmp_path, correct):
    row = {"given_on": "2025-04-03", "dose": 0.5, "price": "12.00 GBP", "lot": "A7"}
    other = {"given_on": "4 May 2025", "price": {"amount": "3.50", "currency": "GBP"}, "lot": None}
    done = correct(f"vaccines={json.dumps([row, other])}", "weight=4.2")
    assert done.exit_code == 0, done.output
    made = paxman.replay(tmp_path / "a.json", CONTRACT)
    first = {
        "given_on": datetime.date(2025, 4, 3),
        "dose": Decimal("0.5"),
        "price": Money(Decimal("12.00"), "GBP"),
        "lot": "A7",
    }
    second = {"given_on": datetime.date(2025, 5, 4), "price": Money(Decimal("3.50"), "GBP"), "lot": None}
    assert [dict(each) for each in made["vaccines"].value] == [first, second]
    assert made["weight"].value == Decimal("4.2")


@pytest.mark.parametrize("given", [TEXT, TEXT.encode()], ids=["text", "bytes"])
def test_the_contract_and_the_document_are_taken_as_they_are_held(artifact, given):
    made = artifact.corrected({"vet": "Dr Tom Pryce"}, by="me", contract=CONTRACT, document=given)
    [place] = [ref for ref in made["vet"].evidence_refs if ref.role != "rejected"]
    assert (place.capability_id, TEXT[slice(*place.span)]) == ("review", "Dr Tom Pryce")
    assert "does not stand" not in made["vet"].diagnostics[0].message
    assert verify(made, TEXT.encode(), CONTRACT).passed


def test_another_document_and_what_is_none_are_refused(artifact):
    with pytest.raises(paxman.HashMismatchError):
        artifact.corrected({"vet": "A"}, by="me", document="Another page")
    with pytest.raises(TypeError, match="document must be text, bytes or a path, not int"):
        artifact.corrected({"vet": "A"}, by="me", document=7)


def test_a_confirmed_value_keeps_the_place_of_the_machine(artifact):
    right = {"seen_on": "2025-04-03", "fee": "GBP 64.50"}
    made = artifact.corrected(right, by="me", contract=CONTRACT, document=TEXT)
    for path in right:
        assert made[path].evidence_refs == artifact[path].evidence_refs != ()
        assert made[path].diagnostics[0].message == "a person confirmed it"


def test_a_value_is_found_in_whatever_form_the_page_has_it(artifact):
    silent = artifact.corrected({"seen_on": None}, by="me")
    made = silent.corrected({"seen_on": "03.04.2025"}, by="me", contract=CONTRACT, document=TEXT)
    assert TEXT[slice(*made["seen_on"].evidence_refs[0].span)] == "3 April 2025"
    assert made["seen_on"].diagnostics[0].message == "a person corrected it; it was unresolved"


def test_only_what_was_looked_for_is_missed(artifact):
    values = {"vet": "Dr Tom Pry", "allergies": ["nuts"], "species": "CAT"}
    made = artifact.corrected(values, by="me", contract=CONTRACT, document=TEXT)
    missed = {path: "does not stand on the page" in made[path].diagnostics[0].message for path in values}
    assert missed == {"vet": True, "allergies": False, "species": False}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("fee=64.50", """fee: '64.50' is not an amount of money; write the currency too, such as "64.50 GBP\""""),
        ("species=COW", "species: 'COW' is not one of CAT, DOG"),
        ("allergies=nuts", """allergies: 'nuts' is not a list; write '["A","B"]'"""),
        ("allergies=[nuts", "allergies: '[nuts' is not JSON; a list is written"),
        ("vett=A", "no field named 'vett'. Did you mean 'vet'?"),
        ('vaccines=[{"given_on":"soon"}]', "vaccines[].given_on: 'soon' is not a date"),
    ],
)
def test_a_bad_correction_is_bad_usage_and_says_what_to_write(correct, value, message):
    done = correct(value)
    assert (done.exit_code, message in done.output, "Error:" in done.output) == (2, True, True), done.output
    assert not any(name in done.output for name in ("KeyError", "JSONDecodeError", "ValueError"))


def test_diff_tells_what_a_person_said_of_either(artifact):
    taken_back = artifact.corrected({"seen_on": None}, by="me")
    said = "a person says that the document does not state it"
    for pair, reason in (((artifact, taken_back), said), ((taken_back, artifact), f"in the first: {said}")):
        assert [(each.field_path, each.reasons[0]) for each in compare(*pair).changes] == [("seen_on", reason)]


def test_a_place_with_other_blanks_is_quoted_as_it_stands():
    text = "Wir danken Frau\u00a0Maria\u00a0Huber\nFee: 64.50 GBP\n"
    artifact = paxman.normalize(text, CONTRACT, policy=OFFLINE)
    start = text.index("Frau")
    for pointed_at in ({"vet": [(start, text.index("\n"))]}, None):
        made = artifact.corrected({"vet": "Frau Maria Huber"}, "me", CONTRACT, text, pointed_at=pointed_at)
        [place] = [ref for ref in made["vet"].evidence_refs if ref.capability_id == "review"]
        assert (place.span[0], place.transforms[0]) == (start, "blanks")
        assert verify(made, text.encode(), CONTRACT).passed
