"""Cells far from the others, and counts of rows that are no more than a claim, cost neither time nor the sheet."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_documents_office import make_ods, make_xlsx, ods_cell, ods_row

import paxman
from paxman.documents.document import SheetCell
from paxman.documents.reading import read_document

HEAD = {"A1": "Item", "B1": "Price", "A2": "Rope", "B2": "5"}
BILLION = 'table:number-{}-repeated="1000000000"'
FAR = (
    "cells of the sheet {!r} are far from the others; all were read, not the emptiness between them. "
    "Delete what does not belong to the document"
)


def address(row: int, column: int) -> str:
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row}"


def outcome(data: bytes) -> tuple[list[tuple[str, str]], list[str]]:
    """The cells that are not empty with their addresses, and the notes."""
    started = time.process_time()
    document = read_document(data)
    assert time.process_time() - started < 2
    cells = []
    for start, text in enumerate(document.text):
        if text.strip() and (not start or document.text[start - 1] in "\t\n"):
            end = start + len(document.text[start:].split("\n")[0].split("\t")[0])
            place = document.locate((start, end))
            assert isinstance(place, SheetCell)
            cells.append((place.cell, document.text[start:end]))
    return cells, [note.message for note in document.diagnostics]


@pytest.mark.parametrize("far", ["A99999999999", "XFD1048576", "A1048576", "XFD1", "XFD2", "ZZZZ3", "AAAA20000"])
def test_a_far_cell_costs_nothing_and_keeps_its_address(far: str) -> None:
    cells, notes = outcome(make_xlsx({"S": {**HEAD, far: "x"}}))
    assert sorted(cells) == sorted([*HEAD.items(), (far, "x")])
    assert notes == [FAR.format("S")]


def test_cells_down_a_slope_do_not_need_the_area_below_it() -> None:
    slope = {address(9_000 * step + 1, 400 * step + 1): f"t{step}" for step in range(40)}
    cells, notes = outcome(make_xlsx({"S": slope}))
    assert (cells, notes) == ([*slope.items()], [FAR.format("S")])


def ods(*rows: str) -> bytes:
    return make_ods(ods_row(ods_cell("Item"), ods_cell("Price")) + "".join(rows))


@pytest.mark.parametrize(
    ("rows", "cells", "note"),
    [
        (
            [ods_row("<table:table-cell/>", more=BILLION.format("rows")), ods_row(ods_cell("end"))],
            [("A1000000002", "end")],
            FAR.format("Blatt"),
        ),
        (
            [ods_row(f"<table:table-cell {BILLION.format('columns')}/>", ods_cell("end"))],
            [("CFDGSXM2", "end")],
            FAR.format("Blatt"),
        ),
        (
            [ods_row(ods_cell("x"), more=BILLION.format("rows"))],
            [("A2", "x")],
            "the sheet 'Blatt' repeats rows or cells 999,999,999 times more; they were read once. "
            "Delete what does not belong to the document",
        ),
        (
            [ods_row(ods_cell("x", more=BILLION.format("columns")))],
            [("A2", "x")],
            "the sheet 'Blatt' repeats rows or cells 999,999,999 times more; they were read once. "
            "Delete what does not belong to the document",
        ),
    ],
)
def test_a_count_of_a_billion_costs_nothing(rows: list[str], cells: list[tuple[str, str]], note: str) -> None:
    assert outcome(ods(*rows)) == ([("A1", "Item"), ("B1", "Price"), *cells], [note])


def test_empty_rows_and_columns_at_the_end_are_nothing_to_speak_of() -> None:
    rest = ods_row(
        '<table:table-cell table:number-columns-repeated="16384"/>', more='table:number-rows-repeated="1048575"'
    )
    assert outcome(ods(rest)) == ([("A1", "Item"), ("B1", "Price")], [])


places = st.tuples(
    st.one_of(st.integers(1, 9), st.integers(9_990, 10_020), st.integers(900_000, 1_048_576)),
    st.one_of(st.integers(1, 9), st.integers(495, 510), st.integers(16_000, 16_384)),
)


@given(st.sets(places, min_size=1, max_size=8))
@settings(max_examples=40, deadline=None)
def test_every_cell_is_there_at_its_own_address(found: set[tuple[int, int]]) -> None:
    cells = {address(row, column): f"t{row}c{column}" for row, column in sorted(found)}
    assert sorted(outcome(make_xlsx({"S": cells}))[0]) == sorted(cells.items())


def tables(*rows: str) -> dict[str, bytes]:
    """The same table in every format."""
    cells = [row.split(",") for row in rows]
    bars = ["| " + " | ".join(row) + " |" for row in cells]
    html = "".join("<tr>" + "".join(f"<td>{text}</td>" for text in row) + "</tr>" for row in cells)
    return {
        "sheet": make_xlsx({"S": {f"{'ABC'[x]}{y}": t for y, row in enumerate(cells, 1) for x, t in enumerate(row)}}),
        "csv": "\n".join(rows).encode(),
        "html": f"<html><table>{html}</table>".encode(),
        "markdown": "\n".join([bars[0], "|---" * len(cells[0]) + "|", *bars[1:]]).encode(),
        "text": "\n".join("".join(text.ljust(22) for text in row) for row in cells).encode(),
    }


PRICES = tables("Description,Unit price (GBP),Total (EUR)", "Rope,4.50,12", "Lamp,14.50,2")
WEIGHTS = tables("Description,Weight (kg),Total [EUR]", "Rope,4.50,12", "Lamp,14.50,2")


def items_of(source: bytes, **columns: str) -> list[list[str]]:
    fields = [{"name": name, "type": type_, "required": True} for name, type_ in columns.items()]
    array = {"name": "items", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    items = paxman.normalize(source, {"id": "prices", "version": "1", "fields": [array]})["items"]
    assert items.confidence_band.value == "HIGH"
    return [[str(value) for value in row.values()] for row in items.value]


@pytest.mark.parametrize("kind", PRICES)
def test_a_currency_in_a_heading_is_that_of_the_cells_below(kind: str) -> None:
    assert items_of(PRICES[kind], description="STRING", unit_price="MONEY", total="MONEY") == [
        ["Rope", "4.50 GBP", "12 EUR"],
        ["Lamp", "14.50 GBP", "2 EUR"],
    ]


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("unit", ["unit", "weight_unit"])
def test_a_unit_in_a_heading_fills_the_column_that_asks_for_it(kind: str, unit: str) -> None:
    columns = {"description": "STRING", "weight": "DECIMAL", unit: "STRING", "total": "DECIMAL", "currency": "STRING"}
    assert items_of(WEIGHTS[kind], **columns) == [
        ["Rope", "4.50", "kg", "12", "EUR"],
        ["Lamp", "14.50", "kg", "2", "EUR"],
    ]
