"""What a web page is of: the heading that its title holds, and what is only its menu."""

from __future__ import annotations

from decimal import Decimal

import pytest

import paxman

MENU = "<ul><li><a href=a>At a glance</a></li><li><a href=b>Fuel economy</a></li><li><a href=c>Safety</a></li></ul>"
SUBJECTS = [
    ("<title>Red Mug | Cup Shop</title><h1>Cup Shop</h1><h2>Mugs</h2><h1>Red Mug</h1>", "Red Mug", 0.8),
    ("<title>Red Mug | Cup Shop</title><h2>Offers</h2><h1>Red Mug</h1><p>A mug.</p>", "Red Mug", 0.8),
    ("<title>Stalker (1979) - Films</title><h1>Stalker (1979)</h1><p>A film.</p>", "Stalker", 0.8),
    ("<title>Jobs - Senior Cook in Rome - Jobs</title><b>Senior Cook</b><p>Apply now</p>", "Senior Cook", 0.75),
    ("<title>Cup Shop</title><p>Welcome to all who drink</p>", "Cup Shop", 0.75),
    ("<title>Cups and mugs and plates and bowls and jugs of all colours</title><p>Hello</p>", None, 0.0),
    ("<title>Red Mug | Cup Shop</title><h1>Red Mug</h1><p>Name: Blue Mug</p>", "Blue Mug", 0.8),
]


def read(html: str, *fields: dict[str, object]) -> list[tuple[object, float]]:
    contract = {"id": "page", "version": "1", "fields": [{"required": False, **field} for field in fields]}
    artifact = paxman.normalize(f"<!doctype html><html>{html}</html>", contract)
    return [(result.value, result.confidence) for result in artifact.field_results]


@pytest.mark.parametrize("html, value, confidence", SUBJECTS)
def test_a_page_is_of_the_heading_that_its_title_holds(html: str, value: str | None, confidence: float) -> None:
    assert read(html, {"name": "name", "type": "STRING"}) == [(value, confidence)]


def test_a_list_of_links_says_nothing_of_what_stands_over_it() -> None:
    field = {"name": "fuel_economy", "type": "STRING"}
    assert read(f"<h2>Pages</h2>{MENU}<p>Good day</p>", field) == [(None, 0.0)]
    assert read(f"{MENU}<p>Fuel economy: 20 mpg</p>", field)[0][0] == "20 mpg"


def test_a_number_that_counts_things_is_no_price() -> None:
    field = {"name": "price", "type": "DECIMAL"}
    assert read("<p>Price with options: 8 trims available</p><p>Price: $12.50</p>", field)[0][0] == Decimal("12.50")
    assert read("<p>Price: 8 trims available</p>", field) == [(None, 0.0)]
    assert read("<p>Price: 1500 USD</p>", field)[0][0] == Decimal(1500)
