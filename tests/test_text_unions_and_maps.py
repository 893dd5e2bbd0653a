"""Unions, maps, moments and addresses on pages of text: what is found, by which branch, and with what evidence."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel, HttpUrl, RootModel, create_model

import paxman
from paxman import Status


def found(page: str, annotation: Any, name: str = "value") -> Any:
    return paxman.normalize(page, create_model("Page", **{name: (annotation, ...)}))[name]  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("page", "annotation", "value", "chosen"),
    [
        ("Value: 12\n", int | str, 12, "INTEGER"),
        ("Value: twelve dozen\n", datetime.date | str, "twelve dozen", "STRING"),
        ("Value: 12.50\n", int | Decimal, Decimal("12.50"), "DECIMAL"),
        ("Value: 1 May 2024\n", datetime.date | str, datetime.date(2024, 5, 1), "DATE"),
        ("Value: yes\n", bool | int, True, "BOOLEAN"),
    ],
)
def test_the_branch_that_says_most_is_taken(page: str, annotation: Any, value: Any, chosen: str) -> None:
    result = found(page, annotation)
    choice = next(note for note in result.diagnostics if note.code == "UNION_CHOICE")
    assert (result.value, choice.context["chosen"]) == (value, chosen)


def test_branches_that_tie_are_a_conflict() -> None:
    result = found("Value: 20240501\n", datetime.date | int)
    assert [note.code for note in result.diagnostics if note.code == "CONFLICT"] == ["CONFLICT"]


class Card(BaseModel):
    holder: str
    last_digits: str


class Transfer(BaseModel):
    holder: str
    bank: str


def test_an_object_is_that_whose_fields_are_on_the_page() -> None:
    result = found("Payment holder: Joe\nPayment bank: First Alpine\n", Card | Transfer, "payment")
    assert dict(result.value) == {"holder": "Joe", "bank": "First Alpine"}
    assert [ref.field_path for ref in result.evidence_refs] == ["payment.holder", "payment.bank"]


PAGES = {
    "text": "Name: x\n\nExtras:\nBreakfast: 3\nParking: 1\n\nThanks: 5\n",
    "markdown": "## Extras\n\n| What | Number |\n|---|---|\n| Breakfast | 3 |\n| Parking | 1 |\n\n## Rest\n- No: 4\n",
    "html": (
        "<h2>Extras</h2><table><tr><th>Breakfast</th><td>3</td></tr><tr><th>Parking</th><td>1</td></tr></table>"
        "<h2>Rest</h2><dl><dt>Other</dt><dd>4</dd></dl>"
    ),
    "xml": "<booking><extras><Breakfast>3</Breakfast><Parking>1</Parking></extras></booking>",
    "json": '{"extras": [{"name": "Breakfast", "value": 3}, {"name": "Parking", "value": 1}]}',
}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES.keys())
def test_a_map_has_the_keys_of_the_document(page: str) -> None:
    result = found(page, dict[str, int], "extras")
    assert dict(result.value) == {"Breakfast": 3, "Parking": 1}
    assert [ref.field_path for ref in result.evidence_refs] == ["extras.Breakfast", "extras.Parking"]


def test_an_entry_of_another_type_is_left_out_and_named() -> None:
    artifact = paxman.normalize("EUR: 1.50\nUSD: 2\nName: x\n", RootModel[dict[str, Decimal]])
    assert (artifact.status, artifact.normalized_data) == (
        Status.PARTIAL_SUCCESS,
        {"EUR": Decimal("1.50"), "USD": Decimal(2)},
    )
    assert [note.field_path for note in artifact.diagnostics if note.code == "ROW_REJECTED"] == ["items.Name"]


def test_an_address_becomes_a_uri_by_a_transform_that_is_named() -> None:
    result = found("Website: www.example.com\n", HttpUrl, "website")
    assert (result.value, result.confidence) == ("https://www.example.com", 0.75)
    assert "scheme:https" in result.evidence_refs[0].transforms


@pytest.mark.parametrize(
    ("written", "kind", "value"),
    [
        ("2024-05-01T10:11:12.5+02:00", datetime.datetime, "2024-05-01T10:11:12.500000+02:00"),
        ("Wed, 01 May 2024 10:11:12 -0700", datetime.datetime, "2024-05-01T10:11:12-07:00"),
        ("1 May 2024 at 3:15 pm EST", datetime.datetime, "2024-05-01T15:15:00-05:00"),
        ("01.05.2024, 14:30 Uhr", datetime.datetime, "2024-05-01T14:30:00"),
        ("10:11:12+02:00", datetime.time, "10:11:12+02:00"),
        ("3:15 pm", datetime.time, "15:15:00"),
    ],
)
def test_moments_keep_their_offset(written: str, kind: Any, value: str) -> None:
    assert found(f"Value: {written}\n", kind).value.isoformat() == value


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("two (2) years", "P2Y"),
        ("1 year 6 months", "P1Y6M"),
        ("1.5 hours", "PT1H30M"),
        ("30 Tage", "P30D"),
        ("2 weeks", "P2W"),
        ("PT45M", "PT45M"),
        ("1:30:00", "PT1H30M"),
    ],
)
def test_durations_are_those_of_iso(written: str, value: str) -> None:
    assert found(f"Term: {written}\n", datetime.timedelta, "term").value == value


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("2016-12-31T23:59:60Z", datetime.datetime),
        ("23:59:60", datetime.time),
        ("3 business days", datetime.timedelta),
        ("2024-05-01T10:11:12.123456789Z", datetime.datetime),
    ],
)
def test_what_the_type_cannot_hold_is_left_open(written: str, kind: Any) -> None:
    assert found(f"Value: {written}\n", kind).status == "UNRESOLVED"
