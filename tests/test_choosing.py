"""Several contracts: the one that the page fits is taken, with its runner-up, and a page that fits none says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import paxman
from paxman.api.verification import verify
from paxman.cli.app import app


def contract(name: str, **fields: str) -> dict[str, Any]:
    listed = [{"name": field, "type": kind, "required": True} for field, kind in fields.items()]
    return {"id": name, "version": "1", "fields": listed}


INVOICE = contract("invoice", invoice_number="STRING", invoice_date="DATE", total="MONEY", seller="STRING")
DELIVERY = contract(
    "delivery_note", delivery_number="STRING", delivery_date="DATE", carrier="STRING", weight_kg="DECIMAL"
)
PATIENT = contract("discharge_summary", patient="STRING", admission_date="DATE", ward="STRING", diagnosis="STRING")
ALL = [DELIVERY, INVOICE, PATIENT]
PAGES = {
    "invoice": "INVOICE\n\nSeller: ACME Ltd\nInvoice number: INV-7\nInvoice date: 2024-05-06\nTotal: 12.50 EUR\n",
    "delivery_note": "Lieferschein\n\nDelivery number: D-9\nDelivery date: 2024-05-07\nCarrier: DHL\nWeight kg: 4.5\n",
    "discharge_summary": "Patient: Jane Roe\nAdmission date: 2024-01-02\nWard: B4\nDiagnosis: sprained ankle\n",
}  # fmt: skip
NONE = "Dear all,\nthe canteen is closed on Friday.\nKind regards\n"


@pytest.mark.parametrize("name", PAGES)
def test_the_fitting_contract_is_taken_in_any_order(name: str):
    for given in (ALL, ALL[::-1], tuple(ALL)):
        made = paxman.normalize(PAGES[name], given)
        note = made.diagnostics[0]
        assert (made.contract_id, made.status) == (name, paxman.Status.SUCCESS)
        assert (note.code, note.severity.value) == ("CONTRACT_CHOSEN", "INFO")
        fits = note.context["fits"]
        assert [len(fits), fits[0]["contract"], fits[0]["required"]] == [3, name, "4 of 4"]


def test_the_choice_and_the_runner_up_are_said():
    made = paxman.normalize(PAGES["invoice"], ALL)
    assert made.diagnostics[0].message.startswith(
        "invoice (4 of 4 required fields and 4 of 4 in all are answered, "
        '4 of 4 are named on the page, title "INVOICE") was chosen; next is '
    )


def test_a_page_that_fits_none_says_so():
    made = paxman.normalize(NONE, ALL)
    assert made.status is paxman.Status.UNRESOLVED
    assert (made.diagnostics[0].code, made.diagnostics[0].severity.value) == ("NO_CONTRACT_FITS", "ERROR")


def test_two_that_fit_alike_are_said_to():
    twin = contract("k2", invoice_number="STRING", invoice_date="DATE", total="MONEY", seller="STRING")
    page = PAGES["invoice"].replace("INVOICE\n", "")
    made = paxman.normalize(page, [{**INVOICE, "id": "k1"}, twin])
    assert (made.contract_id, made.diagnostics[0].severity.value) == ("k1", "WARNING")
    assert "nearly as good" in made.diagnostics[0].message


def test_the_same_as_with_the_contract_alone():
    chosen, alone = paxman.normalize(PAGES["invoice"], ALL), paxman.normalize(PAGES["invoice"], INVOICE)
    assert (chosen.normalized_data, chosen.field_results) == (alone.normalized_data, alone.field_results)
    assert chosen.replay_hash == paxman.normalize(PAGES["invoice"], ALL).replay_hash


def test_replay_and_verify_find_the_contract_again():
    made = paxman.normalize(PAGES["invoice"], ALL)
    assert paxman.replay(made.to_json(), ALL).replay_hash == made.replay_hash
    assert verify(made, PAGES["invoice"], ALL, strict=True).passed
    with pytest.raises(paxman.HashMismatchError):
        paxman.replay(made.to_json(), [DELIVERY, PATIENT])


def test_one_contract_in_a_list_is_that_contract():
    assert paxman.normalize(PAGES["invoice"], [INVOICE]).diagnostics == ()


def test_contracts_of_one_name_are_refused():
    other = contract("invoice", total="MONEY")
    with pytest.raises(paxman.InvalidContractError, match="several contracts have the id invoice"):
        paxman.normalize("", [INVOICE, other])


def test_a_plan_is_for_one_contract():
    with pytest.raises(paxman.ConfigurationError, match="one contract"):
        paxman.plan("", ALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    for name, page in {**PAGES, "none": NONE}.items():
        (tmp_path / "in" / f"{name}.txt").write_text(page)
    for each in ALL:
        (tmp_path / f"{each['id']}.json").write_text(json.dumps(each))
    return tmp_path


def test_a_mixed_folder_needs_no_sorting(folder: Path):
    done = paxman.normalize_many([folder / "in"], ALL, workers=2, out=folder / "out")
    rows = {Path(row["source"]).stem: row for row in done.rows()}
    assert {name: rows[name]["contract_id"] for name in PAGES} == {name: name for name in PAGES}
    assert rows["invoice"]["data"]["invoice_number"] == "INV-7"
    assert rows["none"]["status"] == "UNRESOLVED"
    again = paxman.normalize_many([folder / "in"], ALL, workers=2, out=folder / "out")
    assert again.finished_before == 4


def test_contracts_on_the_command_line(folder: Path):
    given = [part for each in ALL for part in ("-c", str(folder / f"{each['id']}.json"))]
    told = CliRunner().invoke(app, ["normalize", str(folder / "in" / "delivery_note.txt"), *given, "--json"])
    assert json.loads(told.output)["contract_id"] == "delivery_note"
    out = folder / "results"
    batch = CliRunner().invoke(
        app, ["batch", str(folder / "in"), *given, "--out", str(out), "--workers", "1", "--json"]
    )
    assert json.loads(batch.stdout)["documents"] == 4, batch.output


@pytest.mark.parametrize("title", ["Rechnung", "BILL", "Facture"])
def test_a_title_may_be_another_word_for_the_contract(title: str):
    made = paxman.normalize(f"{title}\n\nSeller: Ada Ltd\n", ALL)
    assert (made.contract_id, made.diagnostics[0].context["fits"][0]["title"]) == ("invoice", title)


def test_a_title_of_the_same_kind_of_paper_speaks_for_a_contract():
    fields = [{"name": "name", "type": "STRING", "required": False}]
    given = [{"id": name, "version": "1", "fields": fields} for name in ("delivery_note", "payslip")]
    made = paxman.normalize("Gehaltsabrechnung\n\nName: Ada Weber\n", given)
    assert (made.contract_id, made.diagnostics[0].context["fits"][0]["title"]) == ("payslip", "Gehaltsabrechnung")
