"""What an unresolved field says of itself: the labels that were looked for, and the nearest one in the document."""

from __future__ import annotations

from typing import Any

import pytest

import paxman

TRIED = "3 steps were tried and none found a value"


def reason(document: Any, field: dict[str, Any], *others: dict[str, Any]) -> str:
    fields = [{"type": "STRING", "required": True, **each} for each in (field, *others)]
    artifact = paxman.normalize(document, {"id": "c", "fields": fields})
    result = artifact[field["name"]]
    assert result.status == "UNRESOLVED"
    return result.diagnostics[-1].message


@pytest.mark.parametrize(
    ("document", "label"),
    [
        (b"Locker ref;Guest;Room\nAB12;Eva;7\nAB13;Max;8\n", "Locker ref"),
    ],
)
def test_the_nearest_label_is_named(document: Any, label: str):
    found = reason(document, {"name": "locker_code"})
    assert found == f'{TRIED}; looked for "locker code"; the nearest label there is "{label}"'


def test_the_nearest_key_is_named():
    found = reason({"shelfCodes": "12", "lines": []}, {"name": "shelf_code", "labels": ["Our mark"]})
    assert found == (
        "1 step was tried and none found a value; "
        'looked for "Our mark", "shelf code"; the nearest label there is "shelfCodes"'
    )


def test_nothing_is_near_what_is_unlike_optional_or_asked_for_by_another_field():
    assert reason("Guest: Eva\n", {"name": "locker_code"}) == f'{TRIED}; looked for "locker code"'
    optional = {"name": "locker_code", "required": False}
    assert reason("Rocker mode: AB12\n", optional) == f'{TRIED}; looked for "locker code"'
    other = {"name": "locker_ref"}
    assert reason("Locker ref: AB12\n", {"name": "locker_code"}, other) == f'{TRIED}; looked for "locker code"'


def test_records_are_looked_for_by_their_columns():
    columns = [{"name": "qty", "type": "INTEGER", "required": True}]
    columns += [{"name": "unit_price", "type": "MONEY", "required": True, "labels": ["Rate", "Price"]}]
    found = reason("Hello", {"name": "items", "type": "ARRAY", "items": {"fields": columns}})
    assert found == f'{TRIED}; looked for columns "qty", "Rate"'
