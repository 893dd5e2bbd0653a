"""Forms whose labels stand in rows, with their values in the rows below."""

import pytest

import paxman

CRASH = """POLICE CRASH REPORT

Driver name    Licence class    State    Sex
Ann Lee        Full             Ohio     Female

Vehicle make   Model            Colour   Damage
Ford           Focus            Blue     Front
"""
THREE = """Report
Driver name        Licence class     State
Ann Lee            Full              Ohio
Vehicle make       Model             Colour
Ford               Focus             Blue
"""


def found(text: str, *names: str) -> dict[str, tuple[object, str]]:
    fields = [{"name": name, "type": "STRING", "required": True} for name in names]
    artifact = paxman.normalize(text, {"id": "form", "version": "1", "fields": fields})
    return {result.field_path: (result.value, result.confidence_band.value) for result in artifact.field_results}


def quotes(text: str, name: str) -> list[tuple[str, str]]:
    fields = [{"name": name, "type": "STRING", "required": True}]
    artifact = paxman.normalize(text, {"id": "form", "version": "1", "fields": fields})
    return [(ref.role, text[slice(*ref.span)]) for ref in artifact.evidence if ref.span]


def test_rows_of_known_labels_have_their_values_below() -> None:
    assert found(THREE, "driver_name", "licence_class", "state", "vehicle_make", "model", "colour") == {
        "driver_name": ("Ann Lee", "HIGH"),
        "licence_class": ("Full", "HIGH"),
        "state": ("Ohio", "HIGH"),
        "vehicle_make": ("Ford", "HIGH"),
        "model": ("Focus", "HIGH"),
        "colour": ("Blue", "HIGH"),
    }


def test_the_last_of_a_row_of_labels_has_its_value_below() -> None:
    text = THREE.replace("Vehicle", "\nVehicle")
    assert found(text, "licence_class", "state") == {"licence_class": ("Full", "HIGH"), "state": ("Ohio", "HIGH")}


@pytest.mark.parametrize(
    ("name", "beside", "below"),
    [("driver_name", "Licence class", "Ann Lee"), ("state", "Sex", "Ohio"), ("model", "Colour", "Focus")],
)
def test_words_beside_a_label_in_rows_that_may_be_headings_have_a_rival(name: str, beside: str, below: str) -> None:
    assert found(CRASH, name) == {name: (beside, "MEDIUM")}
    assert quotes(CRASH, name) == [("context", beside), ("rejected", below)]


def test_a_noun_of_forms_beside_a_label_has_a_rival_below() -> None:
    text = "Nationality     Marital status\nBritish         Single\nOccupation      Address\n"
    assert quotes(text, "nationality") == [("context", "Marital status"), ("rejected", "British")]


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Material  Stainless steel\nFinish    Brushed\nColour    Grey\n", "material", "Stainless steel"),
        ("Title       Teacher\nEmployer    Alder School\n", "title", "Teacher"),
        ("Patient   John Smith    Ward   Blue\nDoctor    Ann Lee       Bed    Window\n", "ward", "Blue"),
        ("Street   Main Street\nTown     Leeds\n", "street", "Main Street"),
        ("Street: Main Street    City: Leeds\n", "street", "Main Street"),
    ],
)
def test_labels_beside_their_values_are_no_headings(text: str, name: str, value: str) -> None:
    assert found(text, name) == {name: (value, "HIGH")}


@pytest.mark.parametrize(
    ("text", "value", "band"),
    [
        ("YTD pay    YTD tax\n7,500.00   1,500.00\n", None, "UNTRUSTED"),
        ("YTD pay\nYTD tax   1,500.00\n", None, "UNTRUSTED"),
        ("YTD pay    YTD status\nWeekly     Half\n", "Weekly", "MEDIUM"),
        ("YTD pay    YTD status   YTD tax\nWeekly     Half         Some\n", "Weekly", "HIGH"),
        ("YTD pay:   YTD status\nNote:      Half\n", "YTD status", "HIGH"),
        ("YTD pay    YTD half\nNote       Some\n", "YTD half", "HIGH"),
    ],
)
def test_a_label_that_begins_with_the_same_word_is_no_value(text: str, value: str | None, band: str) -> None:
    assert found(text, "ytd_pay") == {"ytd_pay": (value, band)}


@pytest.mark.parametrize("gap", ["   ", "\t"])
@pytest.mark.parametrize("name", ["bill_to", "consignee", "guarantor"])
def test_below_a_heading_a_name_stands_beside_its_own_label(name: str, gap: str) -> None:
    heading = name.replace("_", " ").capitalize()
    assert found(f"Form\n{heading}\nName{gap}Alder\nCity{gap}London\n", name) == {name: ("Alder", "HIGH")}
    assert found(f"Form\n{heading}\nPhone{gap}555 123\n", name) == {name: (None, "UNTRUSTED")}


def test_words_below_an_empty_table_are_no_cell_of_it() -> None:
    assert found("Members\n\nName    Role\n\nThank you for coming.\n", "name", "role") == {
        "name": (None, "UNTRUSTED"),
        "role": (None, "UNTRUSTED"),
    }


def test_a_long_cell_belongs_to_the_heading_where_it_starts() -> None:
    assert found("Name     City\nAlexander Smith\n", "name", "city") == {
        "name": ("Alexander Smith", "HIGH"),
        "city": (None, "UNTRUSTED"),
    }


def test_a_line_below_one_of_several_headings_is_its_cell() -> None:
    assert found("Name             City\nAlexander Smith\n", "name", "city") == {
        "name": ("Alexander Smith", "HIGH"),
        "city": (None, "UNTRUSTED"),
    }


BILL = (
    "Container No.     Seal No.    Packages    Description           Gross weight (kg)\n"
    "MSCU1234566       K88120      320 CTNS    Ceramic tableware            8,420.50\n"
)
POLICY = "Policy no.   Branch    Description     Premium\nB-77         North     Motor             12.50\n"
ORDER = (
    "Invoice number:   INV-4711        Order date    Ship via\n"
    "                                  04/05/2025    UPS Ground\n"
)


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        (BILL, "container_number", "MSCU1234566"),
        (BILL, "seal_number", "K88120"),
        (BILL, "packages", "320 CTNS"),
        (BILL, "description", "Ceramic tableware"),
        (POLICY, "branch", "North"),
        (POLICY, "description", "Motor"),
        (ORDER, "order_date", None),
        (ORDER, "ship_via", "UPS Ground"),
        ("Name      Alder      City     Bonn\nStreet    Main St    Phone    555 1234\n", "name", "Alder"),
        (
            "Delivery date   on request    Agent   Kim\n12 pieces       by ship       Port    Oslo\n",
            "delivery_date",
            "on request",
        ),
    ],
)
def test_the_heading_of_the_next_column_is_no_value(text: str, name: str, value: str | None) -> None:
    fields = [{"name": name, "type": "STRING", "required": False}]
    result = paxman.normalize(text, {"id": "row", "version": "1", "fields": fields})[name]
    assert (result.value, result.confidence_band.value) == (value, "HIGH" if value else "UNTRUSTED")
