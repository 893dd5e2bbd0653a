"""Arrays of values: beside, below, again and again, and how one text is cut into several."""

from __future__ import annotations

from typing import Any

import pytest

import paxman
from paxman.finding.tables.splitting import split_list


def listed(text: str, name: str = "parts", type: str = "STRING") -> tuple[str, list[Any]]:
    field = {"name": name, "type": "ARRAY", "required": False, "items": {"type": type}}
    found = paxman.normalize(text, {"id": "paper", "version": "1", "fields": [field]})[name]
    return found.confidence_band.value, [str(each) for each in found.value or ()]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("Parts: bolt, nut and oil\nPlace: Rome\n", ["bolt", "nut", "oil"]),
        ("Parts:\n- bolt\n- nut\n\nDone\n", ["bolt", "nut"]),
        ("Parts:\n(a) bolt;\n(b) nut; and\n(c) oil.\n", ["bolt", "nut", "oil"]),
        ("Parts:   Bolt M3\n         Nut M3\nWeight:  4 kg\n", ["Bolt M3", "Nut M3"]),
        ("Parts: bolt\nParts: nut\n", ["bolt", "nut"]),
        ("Parts:\n☑ bolt\n☐ nut\n☑ oil\n", ["bolt", "oil"]),
        ("## Parts\n\n* bolt\n* nut\n\n## Tools\n\n* saw\n", ["bolt", "nut"]),
        ("<dl><dt>Parts</dt><dd>bolt</dd><dt>Parts</dt><dd>nut</dd><dt>Place</dt><dd>Rome</dd></dl>", ["bolt", "nut"]),
        ("<table><tr><td>Parts<td>bolt<tr><td>Parts<td>nut<tr><td>Place<td>Rome</table>", ["bolt", "nut"]),
        ("Key,Value\nParts,bolt\nParts,nut\nPlace,Rome\n", ["bolt", "nut"]),
        ("<p>Parts:</p><ul><li>bolt</li><li>nut</li></ul><p>Tools</p>", ["bolt", "nut"]),
        ("id,parts\n4,bolt\n5,nut\n", ["bolt", "nut"]),
        ("Parts: ok https://example.org/epp#ok\n", ["ok"]),
    ],
    ids="commas bullets letters set-in again boxes markdown terms form keys html column address-behind".split(),
)
def test_a_list_stands_with_its_name(text: str, items: list[str]) -> None:
    assert listed(text) == ("HIGH", items)


@pytest.mark.parametrize("text", ["Parts: none\nTools: saw\n", "Parts:\n\nTools:\n- saw\n", "Tools: saw\n"])
def test_nothing_is_no_item(text: str) -> None:
    assert listed(text)[1] == []


def test_items_have_a_type() -> None:
    assert listed("Days:\n- 2024-02-01\n- 2024-02-13\n", "days", "DATE") == ("HIGH", ["2024-02-01", "2024-02-13"])


@pytest.mark.parametrize(
    ("text", "items", "sure"),
    [
        ("red; green", ["red", "green"], True),
        ("red, green, blue", ["red", "green", "blue"], True),
        ("Smith, J.; Brown, K.", ["Smith, J.", "Brown, K."], True),
        ("Oak GmbH and Elm AG", ["Oak GmbH", "Elm AG"], True),
        ("oils (palm, rape), sugar", ["oils (palm, rape)", "sugar"], True),
        ("Milch 3,5 %, Kakao, Salz", ["Milch 3,5 %", "Kakao", "Salz"], True),
        ("Oak Holdings, Inc.", ["Oak Holdings, Inc."], True),
        ("nut and bolt", ["nut and bolt"], False),
        ("Doe, Jane", ["Doe, Jane"], False),
        ("red, green & blue", ["red", "green", "blue"], False),
        ("Call, wait, then ring the bell.", ["Call, wait, then ring the bell."], False),
    ],
)
def test_a_text_is_cut_where_it_is_sure(text: str, items: list[str], sure: bool) -> None:
    cut = split_list(text)
    assert ([text[a:b] for a, b in cut.spans], not cut.doubt) == (items, sure)
