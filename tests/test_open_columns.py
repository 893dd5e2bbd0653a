"""Fields of rows that no heading names: the cells below the others tell their column, or a note what is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from test_table_grids import as_csv, as_html, as_sheets

import paxman

Grid = Sequence[Sequence[str]]
TYPES = {"quantity": "DECIMAL", "unit_price": "DECIMAL", "line_total": "DECIMAL", "amount": "DECIMAL", "date": "DATE"}
TYPES |= dict.fromkeys(("in", "out", "balance", "weight", "tax_rate"), "DECIMAL")


def as_text(grid: Grid) -> str:
    return "".join("   ".join(f"{cell:18}" for cell in row).rstrip() + "\n" for row in grid)


def as_tabs(grid: Grid) -> str:
    return "".join("\t".join(row) + "\n" for row in grid)


EVERY: list[Callable[[Grid], Any]] = [as_text, as_tabs, as_csv, as_html, as_sheets]


def read(document: str | bytes, names: str) -> tuple[list[tuple[str | None, ...]], str, list[str]]:
    """The rows of an array of which nothing is required, their band, and what is said of them."""
    asked = names.split()
    fields = [{"name": name, "type": TYPES.get(name, "STRING"), "required": False} for name in asked]
    array = {"name": "rows", "type": "ARRAY", "required": False, "items": {"fields": fields}}
    found = paxman.normalize(document, {"id": "paper", "version": "1", "fields": [array]})["rows"]
    rows = [tuple(str(row[name]) if row.get(name) is not None else None for name in asked) for row in found.value or ()]
    notes = [note.message for note in found.diagnostics if note.code != "LOW_CONFIDENCE"]
    return rows, found.confidence_band.value, notes


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(
    ("heading", "cells", "names"),
    [
        ("Article", ("S-100", "S-101", "N-200"), "sku description unit_price"),
        ("Item", ("40123", "40124", "51007"), "sku description unit_price"),
        ("Item", ("1", "2", "3"), "position_number description unit_price"),
        ("Elem", ("10", "20", "30"), "position_number description unit_price"),
    ],
)
def test_codes_and_counted_rows_beside_a_description(write, heading: str, cells: Sequence[str], names: str) -> None:
    below = list(zip(cells, ("Screw", "Nail", "Nut"), ("2.40", "3.10", "4.75"), strict=True))
    assert read(write([(heading, "Description", "Price"), *below]), names) == (below, "HIGH", [])


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize("first", ["Elsewhere", "Zdravo"])
def test_the_only_column_of_words_is_that_of_the_texts(write, first: str) -> None:
    below = [("Clean the hall", "2", "4.75"), ("Paint the door", "1", "3.10")]
    said = [f"no heading names 'description'; what stands below {first!r} fits"]
    found = read(write([(first, "Quantity", "Price"), *below]), "description quantity unit_price")
    assert found == (below, "MEDIUM", said)


@pytest.mark.parametrize("write", EVERY)
def test_the_only_column_of_days_is_that_of_the_date(write) -> None:
    below = [("2025-01-31", "Rent", "2.00"), ("2025-02-28", "Fuel", "3.00")]
    said = ["no heading names 'date'; what stands below 'When' fits"]
    assert read(write([("When", "Description", "Amount"), *below]), "date description amount") == (
        below,
        "MEDIUM",
        said,
    )


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(("price", "is_price"), [("12.50", True), ("12.60", False)])
def test_quantity_times_price_tells_the_column_of_one_of_them(write, price: str, is_price: bool) -> None:
    below = [("Bolt", "4", price, "50.00"), ("Nut", "3", "2.00", "6.00")]
    expected = [(name, count, price if is_price else None, total) for name, count, price, total in below]
    rows, band, notes = read(
        write([("Description", "Nombre", "Taux", "Montant"), *below]), "description quantity unit_price amount"
    )
    assert (rows, band, notes) == (expected, "HIGH", [])


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize("headings", [("In", "Out"), ("Zugang", "Abgang"), ("Paid in", "Paid out"), ("Cr", "Dr")])
def test_what_comes_in_and_goes_out(write, headings: tuple[str, str]) -> None:
    below = [("Delivery", "100", "", "100"), ("Order 12", "", "30", "70")]
    expected = [("Delivery", "100", None, "100"), ("Order 12", None, "30", "70")]
    assert read(write([("Movement", *headings, "Balance"), *below]), "description in out balance") == (
        expected,
        "HIGH",
        [],
    )


@pytest.mark.parametrize("write", EVERY)
def test_a_word_for_movements_over_numbers_is_no_text(write) -> None:
    table = [("Earnings", "Quantity", "Amount"), ("12.00", "2", "4.00"), ("14.00", "3", "5.00")]
    expected = [(None, "2", "4.00"), (None, "3", "5.00")]
    assert read(write(table), "description quantity amount") == (expected, "HIGH", [])


@pytest.mark.parametrize("write", EVERY)
def test_a_short_heading_with_a_slip(write) -> None:
    below = [("Apfel", "0.40", "12"), ("Birne", "0.50", "7")]
    said = ["the heading 'Mange' was taken for 'menge'"]
    assert read(write([("Artikel", "Preis", "Mange"), *below]), "description unit_price quantity") == (
        below,
        "MEDIUM",
        said,
    )


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(
    ("heading", "cells", "name", "band", "is_said"),
    [
        ("Shade", ("red", "blue red"), "sku", "HIGH", True),
        ("Weight", ("2.5", "3.1"), "sku", "HIGH", False),
        ("Customer", ("Ann Lee", "Bob Ray"), "sku", "HIGH", False),
        ("Zorp", ("2", "3"), "quantity", "MEDIUM", True),
        ("Year", ("2", "3"), "quantity", "HIGH", True),
        ("Zorp", ("2", "3"), "weight", "HIGH", True),
        ("Pos", ("2", "3"), "weight", "HIGH", False),
        ("Pos", ("2", "3"), "tax_rate", "HIGH", False),
    ],
)
def test_what_is_left_is_named(write, heading: str, cells: Sequence[str], name: str, band: str, is_said: bool) -> None:
    table = [("Description", heading, "Price"), ("Lamp", cells[0], "2.40"), ("Cable", cells[1], "3.10")]
    expected = [("Lamp", None, "2.40"), ("Cable", None, "3.10")]
    said = [f"no heading names {name!r}; not used: {heading!r}; a label may name one"] if is_said else []
    assert read(write(table), f"description {name} unit_price") == (expected, band, said)


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(
    ("heading", "cells", "value", "band"),
    [
        ("Line", ("Premium", "Standard"), None, "HIGH"),
        ("Line", ("A1", "A2"), "A1", "HIGH"),
        ("Nr.", ("7", "8"), "7", "HIGH"),
    ],
)
def test_words_below_a_word_for_positions_are_none(write, heading: str, cells: Sequence[str], value, band: str) -> None:
    table = [(heading, "Description", "Price"), (cells[0], "Lamp", "2.40"), (cells[1], "Cable", "3.10")]
    rows, found, _ = read(write(table), "position_number description unit_price")
    assert (rows[0], found) == ((value, "Lamp", "2.40"), band)


@pytest.mark.parametrize("write", EVERY)
def test_codes_below_a_word_for_movements_are_texts_in_doubt(write) -> None:
    below = [("2025-01-03", "TX9981", "12.00"), ("2025-01-05", "TX9987", "18.50")]
    said = ["no heading names 'description'; what stands below 'Transaction' fits"]
    found = read(write([("Date", "Transaction", "Amount"), *below]), "date description amount")
    assert found == (below, "MEDIUM", said)


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(
    ("first", "cells"), [("Nombre", ("Mesa", "Silla")), ("Nombre del bien", ("Mesa roja", "Silla azul"))]
)
def test_a_word_is_read_in_the_language_of_its_headings(write, first: str, cells: Sequence[str]) -> None:
    below = [(cells[0], "4", "12.50"), (cells[1], "3", "2.00")]
    said = [f"no heading names 'description'; what stands below {first!r} fits"]
    found = read(write([(first, "Cantidad", "Precio"), *below]), "description quantity unit_price")
    assert found == (below, "MEDIUM", said)


@pytest.mark.parametrize("write", EVERY)
def test_a_required_field_may_be_told_by_its_cells(write) -> None:
    table = [("Item", "Description", "Price"), ("1", "Lamp", "2.40"), ("2", "Cable", "3.10")]
    fields = [
        {"name": name, "type": TYPES.get(name, "STRING"), "required": True}
        for name in ("position_number", "description", "unit_price")
    ]
    array = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    found = paxman.normalize(write(table), {"id": "paper", "version": "1", "fields": [array]})["rows"]
    assert [row["position_number"] for row in found.value or ()] == ["1", "2"]


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(
    ("headings", "cells", "names", "expected"),
    [
        (("Serial no.", "Description", "Price"), ("77120", "Drill", "2.00"), "serial description unit_price", "77120"),
        (("Batch", "Description", "Price"), ("C12-7", "Drill", "2.00"), "batch_number description unit_price", "C12-7"),
        (("Serial no.", "Description", "Price"), ("7", "Drill", "2.00"), "batch_number description unit_price", None),
        (("EAN", "Art. no.", "Price"), ("4006381333931", "ST-10", "2.00"), "sku description unit_price", "ST-10"),
        (("EAN", "Artikel", "Bezeichnung"), ("4006381333931", "ST-10", "Stift"), "sku description", "ST-10"),
        (("#", "Name", "Salary"), ("1", "Ann Lee", "2.00"), "position name salary", None),
        (("#", "Name", "Price"), ("1", "Lamp", "2.00"), "position name unit_price", "1"),
    ],
)
def test_whose_number_a_column_holds(
    write, headings: Sequence[str], cells: Sequence[str], names: str, expected: str | None
) -> None:
    assert [row[0] for row in read(write([headings, cells, cells]), names)[0]] == [expected] * 2
