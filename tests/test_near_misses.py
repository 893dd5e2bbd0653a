"""What a field without a value says: the words it was looked for by, what comes near on the page, and what to add."""

from __future__ import annotations

import json
from typing import Any

import pytest

import paxman
from paxman.types import Severity

LOCKER = 'Not found. Looked for "locker code".'
ADD = 'If that is it, add labels = ["Locker ref"].'
DATE = {"name": "regatta_day", "type": "DATE"}


def gap(document: Any, field: dict[str, Any], *others: dict[str, Any]) -> paxman.Diagnostic:
    fields = [{"type": "STRING", "required": True, **each} for each in (field, *others)]
    artifact = paxman.normalize(document, {"id": "c", "fields": fields})
    result = artifact[field["name"]]
    assert result.status == "UNRESOLVED"
    return result.diagnostics[-1]


@pytest.mark.parametrize(
    ("document", "field", "said"),
    [
        (
            b"Locker ref;Guest;Room\nAB12;Eva;7\nAB13;Max;8\n",
            {"name": "locker_code"},
            f'{LOCKER} Nearest on the page: "Locker ref" (line 1: "AB12"), but it does not say "code".',
        ),
        (
            "Hello\nLocker ref: AB12\n",
            {"name": "locker_code"},
            f'{LOCKER} Nearest on the page: "Locker ref" (line 2: "AB12"), but it does not say "code". {ADD}',
        ),
        ("Guest: Eva\n", {"name": "locker_code"}, LOCKER),
        (
            "Regatta day: as soon as we can\n",
            DATE,
            'Not found. Looked for "regatta day". Nearest on the page: "Regatta day" (line 1), '
            'but "as soon as we can" is not a date.',
        ),
        (
            "Start of work: 12 May 2024\n",
            DATE,
            'Not found. Looked for "regatta day". Nearest on the page: "Start of work" (line 1: "12 May 2024"), '
            "but no field asks for it by that name.",
        ),
        (
            "Berth time: to be agreed\n",
            {"name": "berth_time", "type": "DURATION"},
            'Not found. Looked for "berth time". Nearest on the page: "Berth time" (line 1), '
            'but "to be agreed" is not a duration, such as 3 days or 2 h 30 min.',
        ),
    ],
)
def test_a_gap_names_what_comes_near_and_what_to_add(document: Any, field: dict[str, Any], said: str):
    assert gap(document, field).message == said


def test_a_label_of_the_contract_is_not_proposed_again():
    said = gap("Guests: 2 adults, 1 child\n", {"name": "guest_name", "labels": ["Guests"]}).message
    told = 'Nearest on the page: "Guests" (line 1: "2 adults, 1 child"), but that does not look like "guest name".'
    assert said.partition("wordings. ")[2] == told


def test_a_gap_is_data_too():
    assert gap("Locker ref: AB12\n", {"name": "locker_code"}).context == {
        "looked_for": ("locker code",),
        "other_wordings": 0,
        "nearest": ({"name": "Locker ref", "value": "AB12", "place": "line 1", "lacks": 'it does not say "code"'},),
        "add": 'labels = ["Locker ref"]',
    }


def test_what_another_field_asks_for_is_not_near():
    assert gap("Locker ref: AB12\n", {"name": "locker_code"}, {"name": "locker_ref"}).message == LOCKER


def test_a_name_of_somebody_else_is_named_but_is_no_label_to_add():
    said = gap("Seller VAT ID: DE136695976\n", {"name": "buyer_vat_id"}).message
    assert said.endswith('Nearest on the page: "Seller VAT ID" (line 1: "DE136695976"), but it is about the seller.')


def test_a_missing_optional_value_is_no_warning():
    assert gap("Guest: Eva\n", {"name": "locker_code", "required": False}).severity is Severity.INFO


def test_records_are_looked_for_by_their_columns():
    columns = [{"name": "qty", "type": "INTEGER", "required": True}]
    columns += [{"name": "unit_price", "type": "MONEY", "required": True, "labels": ["Rate", "Price"]}]
    said = gap("Hello", {"name": "items", "type": "ARRAY", "items": {"fields": columns}}).message
    assert said == 'Not found. Looked for columns "qty", "Rate".'


def test_values_stay_out_of_gaps_where_the_contract_has_secrets():
    secret = {"name": "pin", "secret": True}
    said = gap("Locker ref: AB12\nPin: 77\n", {"name": "locker_code"}, secret).message
    assert said == f'{LOCKER} Nearest on the page: "Locker ref" (line 1), but it does not say "code". {ADD}'


PAGES = {
    "behind a colon": "Locker ref: AB12\nGuest: Eva Holm\n",
    "below": "Locker ref\nAB12\n",
    "in a row of boxes": "Locker ref   Guest   Room\nAB12         Eva     7\n",
    "in a sheet": b"Locker ref;Guest\nAB12;Eva\n",
    "in JSON": b'{"locker_ref": "AB12", "hall": "B"}',
    "in HTML": b"<html><dl><dt>Locker ref</dt><dd>AB12</dd></dl></html>",
    "in Markdown": "| Locker ref | AB12 |\n|---|---|\n| Guest | Eva |\n",
}
NO_LABELS = {
    "a column of many": "Locker ref   Guest   Room\nAB12   Eva   7\nAB13   Max   8\n",
    "a heading": "# Locker rules\n\nLockers are cleared at night by the people of the hall, and once more at dawn.\n",
    "items": "What we clean:\n\n- Locker doors\n- Locker hall\n",
    "a heading over a long line": "Locker ref\nKeep 34A-2 shut at night and ask the people at the desk, with keys.\n",
    "a greeting": "Dear locker guests,\nwe are sorry to say that the hall is closed for the whole of this week.\n",
}


def proposed(page: Any, **more: Any) -> tuple[Any, list[str]]:
    """The value of the field, and the labels that the gap tells to add."""
    field = {"name": "locker_code", "type": "STRING", "required": True, **more}
    found = paxman.normalize(page, {"id": "c", "fields": [field]})["locker_code"]
    add = found.diagnostics[-1].context.get("add", "labels = []") if found.diagnostics else "labels = []"
    return found.value, json.loads(add.removeprefix("labels = "))


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_label_that_is_proposed_leads_the_field_to_the_place_that_it_names(page: Any):
    value, labels = proposed(page)
    assert (value, len(labels)) == (None, 1)
    assert proposed(page, labels=labels)[0] == "AB12"


@pytest.mark.parametrize("page", NO_LABELS.values(), ids=NO_LABELS)
def test_what_leads_nowhere_is_not_proposed(page: Any):
    assert proposed(page) == (None, [])
