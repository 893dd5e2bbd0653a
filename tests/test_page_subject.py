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


BESIDE = [
    ("<h2>About</h2><h4>Genres:</h4><a href=a>Action</a> | <a href=b>Crime</a>", "genres", "", "Action | Crime"),
    ("<p>Rating: R for violence and strong language throughout.</p>", "rating", "Rating, such as PG-13 or R", "R"),
    ("<p>Rating: Rated NC-17 for all of its many scenes.</p>", "rating", "Rating, such as PG-13 or R", "NC-17"),
    ("<p>Rating: A film of this kind has not been rated yet.</p>", "rating", "Rating, such as PG-13 or R", None),
    ("<p>VIN: 1HGCM82633A004352</p>", "car_number", "Vehicle identification number (VIN)", "1HGCM82633A004352"),
    ("<p>Company: Mugs.com, Inc.</p>", "company", "", "Mugs.com, Inc."),
]


@pytest.mark.parametrize("html, name, description, value", BESIDE)
def test_a_name_finds_the_value_beside_it(html: str, name: str, description: str, value: str | None) -> None:
    assert read(html, {"name": name, "type": "STRING", "description": description})[0][0] == value


def test_a_price_in_the_line_of_its_name_goes_before_one_below_another() -> None:
    html = "<p>MSRP <b>$16,470</b></p><h3>Other cars</h3><div>MSRP</div><div>$13,320</div>"
    field = {"name": "price", "type": "DECIMAL", "description": "Price, as its maker suggests it (MSRP)"}
    assert read(html, field)[0][0] == Decimal(16470)


def test_menus_do_not_count_among_the_first_lines_of_a_page() -> None:
    menu = "".join(f"<li><a href=p{n}>Page {n}</a></li>" for n in range(40))
    html = f"<ul>{menu}</ul><h1>Ruby Inn</h1><p>710 Park Pkwy<br>Alabaster, AL 35007</p>"
    assert read(html, {"name": "address", "type": "STRING"})[0][0] == "710 Park Pkwy Alabaster, AL 35007"


def test_a_mail_is_of_its_subject() -> None:
    mail = b"From: Ann <a@x.example>\nSubject: Offer for the roof\nDate: Tue, 5 Mar 2024 09:12:00 +0100\n\nHello\n"
    contract = {"id": "page", "version": "1", "fields": [{"name": "title", "type": "STRING", "required": False}]}
    assert paxman.normalize(mail, contract)["title"].value == "Offer for the roof"


CALLED = [
    ('<h1>Mug</h1><p class="big price">$1,299.00</p>', "1,299.00"),
    ('<h1>Mug</h1><div class="buy"><span itemprop=price>$1,299.00</span></div>', "1,299.00"),
    ('<h1>Mug</h1><div data-field="price">$1,299.00</div>', "1,299.00"),
    ("<h1>Mug</h1><p class=price>$1,299.00</p><p class=price>$9.00</p>", None),
    ('<h1>Mug</h1><p class=price style="display:none">$1,299.00</p>', None),
    ("<h1>Mug</h1><p class=price>$1,299.00</p><p>Price: $9.00</p>", "9.00"),
]


@pytest.mark.parametrize("html, value", CALLED)
def test_a_class_or_an_attribute_that_one_element_has_names_it(html: str, value: str | None) -> None:
    [(found, confidence)] = read(html, {"name": "price", "type": "DECIMAL"})
    assert (None if found is None else f"{found:,}") == value
    assert confidence < 0.8 or value == "9.00"
