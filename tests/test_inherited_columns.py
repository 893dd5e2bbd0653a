"""Columns that heads shorten or do not name: bound as a whole, told above the rows, or said once to be missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pdf_maker import make_pdf, show

import paxman

Lines = list[list[str]]
"""Cells of lines; a line of one cell stands over the whole table, and an empty one is blank."""


def as_text(lines: Lines) -> str:
    width = max(len(cell) for line in lines for cell in line if len(line) > 1) + 3
    return "\n".join("".join(cell.ljust(width) for cell in line).rstrip() for line in lines) + "\n"


def as_pdf(lines: Lines) -> bytes:
    places = ((60 + 100 * c, 740 - 14 * r, cell) for r, line in enumerate(lines) for c, cell in enumerate(line) if cell)
    return make_pdf(b"".join(show(cell, x, y, 9) for x, y, cell in places))


def as_html(lines: Lines) -> str:
    wide = max(map(len, lines))
    rows = [
        f"<td colspan={wide}>{line[0]}</td>" if len(line) == 1 else "".join(f"<td>{cell}</td>" for cell in line)
        for line in lines
        if line
    ]
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


FORMATS: dict[str, Callable[[Lines], str | bytes]] = {"text": as_text, "pdf": as_pdf, "html": as_html}

STATE, MILES = ("state", "STRING", True), ("total_miles", "DECIMAL", True)
HEADS = ["Jurisdiction", "Identified miles", "Total miles"]
TRIPS = [("vehicle", "STRING", True), STATE, ("identified_miles", "DECIMAL", True), MILES]
LONG = [("state_licensed", "STRING", True), ("license_number", "STRING", True), ("years_experienced", "INTEGER", True)]
RETURN = [("schedule", "STRING", True), ("jurisdiction", "STRING", True), ("distance_miles", "INTEGER", True)]
RETURN += [("taxable_distance_miles", "INTEGER", True), ("tax_rate", "DECIMAL", False)]

CASES: dict[str, tuple[list[tuple[str, str, bool]], Lines, list[tuple[Any, ...]]]] = {
    "heads are short for the columns": (
        [("name", "STRING", True), *LONG],
        [
            ["Name", "State", "Driver license no.", "Years exp."],
            ["Ann Lee", "CO", "T100 200", "18"],
            ["Bo Marsh", "SC", "E101 237", "5"],
            ["Cy Dunn", "MT", "L133 111", "9"],
        ],
        [("Ann Lee", "CO", "T100 200", 18), ("Bo Marsh", "SC", "E101 237", 5), ("Cy Dunn", "MT", "L133 111", 9)],
    ),
    "a group prints its name once": (
        RETURN,
        [
            ["Schedule", "Juris.", "Distance", "Taxable dist.", "Rate"],
            ["Return 0", "PA", "24738", "24730", "0.7359"],
            ["", "WY", "12713", "12700", "0.4658"],
            ["", "KS", "5962", "5960", "0.1702"],
            ["Return 1", "AL", "911", "910", "0.2841"],
            ["", "AZ", "812", "810", "0.4301"],
            ["", "CO", "713", "710", "0.5943"],
        ],
        [
            ("Return 0", "PA", 24738, 24730, "0.7359"),
            ("Return 0", "WY", 12713, 12700, "0.4658"),
            ("Return 0", "KS", 5962, 5960, "0.1702"),
            ("Return 1", "AL", 911, 910, "0.2841"),
            ("Return 1", "AZ", 812, 810, "0.4301"),
            ("Return 1", "CO", 713, 710, "0.5943"),
        ],
    ),
    "titles over groups hold a column, sums below them none": (
        TRIPS,
        [
            HEADS,
            ["Unit 8387"],
            ["Alabama", "39.8", "40.8"],
            ["Kansas", "84.4", "84.4"],
            ["Unit 8387 total", "124.2", "125.2"],
            ["Unit 9428 (continued)"],
            ["Iowa", "279.2", "279.2"],
            ["Ohio", "20.8", "20.8"],
            ["Unit 9428 total", "300.0", "300.0"],
        ],
        [
            ("8387", "Alabama", "39.8", "40.8"),
            ("8387", "Kansas", "84.4", "84.4"),
            ("9428", "Iowa", "279.2", "279.2"),
            ("9428", "Ohio", "20.8", "20.8"),
        ],
    ),
    "titles that no word ties are taken for the only column left": (
        [("section", "STRING", True), ("field", "STRING", True), ("value", "DECIMAL", True), ("unit", "STRING", True)],
        [
            ["Field", "Value", "Unit"],
            ["Schedule B - Return 01"],
            ["Distance", "1000", "mi"],
            ["Volume", "1017", "gal"],
            ["Schedule B - Return 02"],
            ["Distance", "2003", "mi"],
            ["Volume", "2004", "gal"],
        ],
        [
            ("Schedule B - Return 01", "Distance", "1000", "mi"),
            ("Schedule B - Return 01", "Volume", "1017", "gal"),
            ("Schedule B - Return 02", "Distance", "2003", "mi"),
            ("Schedule B - Return 02", "Volume", "2004", "gal"),
        ],
    ),
    "a short head that stands twice over the same cells is one": (
        RETURN,
        [
            ["Schedule A - Distance and fuel"],
            ["Schedule", "Juris.", "Distance", "Taxable dist.", "Juris.", "Rate"],
            ["Return 0", "PA", "24738", "24730", "PA", "0.7359"],
            ["Return 1", "WY", "12713", "12700", "WY", "0.4658"],
        ],
        [("Return 0", "PA", 24738, 24730, "0.7359"), ("Return 1", "WY", 12713, 12700, "0.4658")],
    ),
    "a short head that stands twice over different cells is none": (
        RETURN,
        [
            ["Schedule", "Juris.", "Distance", "Taxable dist.", "Juris.", "Rate"],
            ["Return 0", "PA", "24738", "24730", "OH", "0.7359"],
            ["Return 1", "WY", "12713", "12700", "WA", "0.4658"],
        ],
        [("Return 0", None, 24738, 24730, "0.7359"), ("Return 1", None, 12713, 12700, "0.4658")],
    ),
    "a required column that stands nowhere is one problem": (
        [("colour", "STRING", True), *RETURN[1:]],
        [
            ["Jurisdiction", "Distance", "Taxable dist.", "Rate"],
            ["PA", "24738", "24730", "0.7359"],
            ["WY", "12713", "12700", "0.4658"],
            ["KS", "5962", "5960", "0.1702"],
        ],
        [
            (None, "PA", 24738, 24730, "0.7359"),
            (None, "WY", 12713, 12700, "0.4658"),
            (None, "KS", 5962, 5960, "0.1702"),
        ],
    ),
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("case", CASES)
def test_rows_have_what_stands_above_them(case: str, form: str) -> None:
    columns, lines, expected = CASES[case]
    fields = [{"name": name, "type": kind, "required": needed} for name, kind, needed in columns]
    rows = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    contract = {"id": "c", "fields": [rows]}
    made = paxman.normalize(FORMATS[form](lines), contract)
    (result,) = made.field_results
    found = [tuple(row.get(name) for name, _, _ in columns) for row in result.value or ()]
    assert [tuple(map(str, row)) for row in found] == [tuple(map(str, row)) for row in expected]
    assert result.confidence_band.value in ("MEDIUM", "LOW")
    missing = tuple(name for at, (name, _, needed) in enumerate(columns) if needed and expected[0][at] is None)
    ledger = made.rows("rows")
    assert ledger is not None
    assert (ledger.unbound, made.status.value) == (missing, "PARTIAL_SUCCESS" if missing else "SUCCESS")


@pytest.mark.parametrize("form", FORMATS)
def test_heads_that_are_only_likely_leave_the_rows_open(form: str) -> None:
    lines = [["Line", "Reported field", "Reported value"], ["01", "Distance", "1,000 mi"], ["02", "Volume", "17 gal"]]
    fields = [{"name": name, "type": "STRING", "required": True} for name in ("section", "field", "value")]
    rows = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    made = paxman.normalize(FORMATS[form](lines), {"id": "c", "fields": [rows]})
    expected = [{"field": "Distance", "value": "1,000 mi"}, {"field": "Volume", "value": "17 gal"}]
    ledger = made.rows("rows")
    assert [dict(row) for row in made["rows"].value or ()] == expected
    assert (made.status.value, ledger and ledger.unbound) == ("PARTIAL_SUCCESS", ("section", "field", "value"))


@pytest.mark.parametrize("place", ["head", "foot"])
def test_what_each_page_says_once_holds_for_its_rows(place: str) -> None:
    pages = []
    for number, cells in enumerate([("Alabama", "39.8"), ("Iowa", "44.1"), ("Ohio", "20.8")], 1):
        spots = [(60, 700, "State"), (160, 700, "Total miles"), (60, 680, cells[0]), (160, 680, cells[1])]
        spots += [(60, 740 if place == "head" else 100, f"Page {number} of 3")]
        pages.append(b"".join(show(text, x, y, 9) for x, y, text in spots))
    columns = (STATE, MILES, ("page", "INTEGER", True))
    fields = [{"name": name, "type": kind, "required": True} for name, kind, _ in columns]
    rows = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    made = paxman.normalize(make_pdf(*pages), {"id": "c", "fields": [rows]})
    assert [(row["state"], row["page"]) for row in made["rows"].value] == [("Alabama", 1), ("Iowa", 2), ("Ohio", 3)]


TURNS: list[Lines] = [
    [["Jurisdiction", "Total miles", "Tax-paid gal."], ["AL", "200", "0"], ["AZ", "150", "40"], ["CO", "170", "7"]],
    [["Jurisdiction", "Tax due"], ["AL", "8,639.48"], ["CO", "4,322.07"], ["AZ", "9,650.23"]],
    [["Jurisdiction", "Total miles", "Tax-paid gal."], ["AL", "210", "2"], ["AZ", "160", "3"]],
    [["Jurisdiction", "Tax due"], ["AL", "5,961.45"], ["AZ", "9,782.18"]],
]
RETURNS = [("AL", 200, 0, "8639.48"), ("AZ", 150, 40, "9650.23"), ("CO", 170, 7, "4322.07")]
RETURNS += [("AL", 210, 2, "5961.45"), ("AZ", 160, 3, "9782.18")]


@pytest.mark.parametrize("form", ["text", "html"])
def test_tables_that_take_turns_are_joined_by_their_key(form: str) -> None:
    columns = {"jurisdiction": "STRING", "total_miles": "INTEGER", "gallons": "INTEGER", "tax_due": "DECIMAL"}
    fields = [{"name": name, "type": kind, "required": True} for name, kind in columns.items()]
    rows = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    parts = [FORMATS[form]([[], ["Results of one return"], *lines] if form == "text" else lines) for lines in TURNS]
    made = paxman.normalize("\n".join(map(str, parts)), {"id": "c", "fields": [rows]})
    found = [tuple(row.values()) for row in made["rows"].value or ()]
    assert [tuple(map(str, row)) for row in found] == [tuple(map(str, row)) for row in RETURNS]
    notes = [note.message for note in made["rows"].diagnostics if note.code == "TABLES_JOINED"]
    assert notes[-1] == "tables that hold other columns of the same records were joined by jurisdiction"


def test_tables_whose_keys_differ_stay_apart() -> None:
    columns = {"jurisdiction": "STRING", "total_miles": "INTEGER", "tax_due": "DECIMAL"}
    fields = [{"name": name, "type": kind, "required": name != "tax_due"} for name, kind in columns.items()]
    rows = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    other = [["Jurisdiction", "Tax due"], ["AL", "8,639.48"], ["OH", "4,322.07"], ["VT", "9,650.23"]]
    made = paxman.normalize(as_html(TURNS[0]) + as_html(other), {"id": "c", "fields": [rows]})
    found = [tuple(row.values()) for row in made["rows"].value or ()]
    assert (found, made.status.value) == ([("AL", 200), ("AZ", 150), ("CO", 170)], "PARTIAL_SUCCESS")


@pytest.mark.parametrize(
    ("change", "miles", "status", "codes"),
    [
        ({}, "704", "SUCCESS", ["TABLES_JOINED", "CONFLICT"]),
        ({4: "VT"}, "204", "PARTIAL_SUCCESS", ["TABLES_JOINED", "ROWS_OPEN"]),
        ({4: "AC"}, "204", "PARTIAL_SUCCESS", ["TABLES_JOINED", "ROWS_OPEN"]),
        ({4: None}, "204", "PARTIAL_SUCCESS", ["TABLES_JOINED", "ROWS_OPEN"]),
    ],
)
def test_what_does_not_match_in_joined_tables_is_told(change: Any, miles: str, status: str, codes: list[str]) -> None:
    states = [f"A{letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUV"]
    one = [["Jurisdiction", "Fuel", "Total miles"], *([state, "DI", str(200 + at)] for at, state in enumerate(states))]
    keys = [change.get(at, state) for at, state in enumerate(states)]
    two = [["Jurisdiction", "Total miles", "Tax due"]]
    two += [[key, miles if at == 4 else str(200 + at), f"{at}.50"] for at, key in enumerate(keys) if key]
    columns = {"jurisdiction": "STRING", "fuel": "STRING", "total_miles": "INTEGER", "tax_due": "DECIMAL"}
    fields = [{"name": name, "type": kind, "required": False} for name, kind in columns.items()]
    rows = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    made = paxman.normalize(as_html(one) + as_html(two), {"id": "c", "fields": [rows]})
    found = [(row["jurisdiction"], row["total_miles"]) for row in made["rows"].value or ()]
    assert found == [(state, 200 + at) for at, state in enumerate(states)]
    notes = [note.code for note in made["rows"].diagnostics]
    assert (made.status.value, notes) == (status, [*codes, "LOW_CONFIDENCE"])


@pytest.mark.parametrize("groups", [1, 3])
def test_an_optional_column_is_carried_down_only_where_groups_begin_with_it(groups: int) -> None:
    lines = [["Schedule", "Jurisdiction", "Distance"]]
    for group in range(groups):
        lines += [["Activity of the period"], [f"Return {group}", "PA", "247"]]
        lines += [["", state, "127"] for state in ("WY", "KS", "IL")]
    fields = [{"name": name, "type": kind, "required": False} for name, kind, _ in RETURN[:3]]
    rows = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    made = paxman.normalize(as_pdf(lines), {"id": "c", "fields": [rows]})
    found = [row.get("schedule") for row in made["rows"].value]
    expected = [f"Return {group}" if not at or groups > 1 else None for group in range(groups) for at in range(4)]
    assert found == expected


def test_what_begins_every_page_above_the_heads_is_no_row() -> None:
    pages = []
    for number, cells in enumerate([("Alabama", "39.8"), ("Iowa", "44.1"), ("Ohio", "20.8")], 1):
        spots = [(60, 760, "Granite Freight"), (160, 760, "391118"), (260, 760, f"Return {number}")]
        spots += [(60, 700, "State"), (160, 700, "Total miles"), (260, 700, "Fuel")]
        spots += [(60, 680, cells[0]), (160, 680, cells[1]), (260, 680, "DI")]
        pages.append(b"".join(show(text, x, y, 9) for x, y, text in spots))
    columns = (STATE, MILES, ("fuel", "STRING", False))
    fields = [{"name": name, "type": kind, "required": False} for name, kind, _ in columns]
    rows = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    made = paxman.normalize(make_pdf(*pages), {"id": "c", "fields": [rows]})
    assert [row["state"] for row in made["rows"].value] == ["Alabama", "Iowa", "Ohio"]
    assert made.rows("rows").lines["page"] == 2


def test_rows_that_go_on_above_the_next_heads_are_rows_although_cells_come_again() -> None:
    names = iter("Ann Bob Cid Dan Eva Fay Gus Hal Ida Jan Kim Lea Max Ned Ora Pia Quin Ron".split())
    pages, given = [], []
    for number in range(4):
        above = [(next(names), "Lab", "open") for _ in range(2 if number else 0)]
        below = [(next(names), team, "open") for team in ("Lab", "Ops", "Law")]
        given += [*above, *below]
        lines = [*zip((760, 743), above, strict=False), (690, ("Guest", "Team", "State"))]
        lines += zip((673, 656, 639), below, strict=True)
        spots = [(60 + 120 * at, y, cell) for y, cells in lines for at, cell in enumerate(cells)]
        pages.append(b"".join(show(text, x, y, 9) for x, y, text in spots))
    fields = [{"name": name, "type": "STRING", "required": True} for name in ("guest", "team", "state")]
    rows = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    made = paxman.normalize(make_pdf(*pages), {"id": "c", "fields": [rows]})
    assert [(row["guest"], row["team"], row["state"]) for row in made["rows"].value] == given


def test_each_array_has_the_table_that_its_columns_fit_best() -> None:
    doors = [["Mark", "Door type", "Width", "Comments"], ["101", "Barn", "3 ft", "new"], ["102", "Flush", "2 ft", ""]]
    windows = [["Mark", "Type", "Width", "Tempered"], ["A", "FIXED", "3 ft", "Yes"], ["B", "AWNING", "4 ft", "No"]]
    fields = []
    for name, heads in (("doors", doors[0]), ("windows", windows[0])):
        columns = [{"name": head.lower().replace(" ", "_"), "type": "STRING", "required": False} for head in heads]
        fields.append({"name": name, "type": "ARRAY", "required": True, "items": {"fields": columns}})
    made = paxman.normalize(as_pdf([*doors, [], *windows]), {"id": "c", "fields": fields})
    assert [row["mark"] for row in made["doors"].value] == ["101", "102"]
    assert [row["mark"] for row in made["windows"].value] == ["A", "B"]


def test_a_list_below_a_heading_ends_at_the_next() -> None:
    page = "<h2>Allergies</h2><ul><li>Penicillin<li>Latex</ul><h2>Procedures</h2><ul><li>Biopsy<li>Blood count</ul>"
    columns = [{"name": "allergy", "type": "STRING", "required": True}]
    rows = {"name": "allergies", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    made = paxman.normalize(f"<html><body>{page}</body></html>", {"id": "c", "fields": [rows]})
    assert [dict(row) for row in made["allergies"].value] == [{"allergy": "Penicillin"}, {"allergy": "Latex"}]


@pytest.mark.parametrize(
    ("records", "expected", "notes"),
    [
        ([("BO MARSH", "E101 237", "Speeding"), ("CY DUNN", "L133 111", "None")], ["Speeding", "None"], ["ROWS_OPEN"]),
        ([("BO MARSHALL", "X1", "Speeding"), ("CY DUNNE", "Y8", "None")], [None, None], []),
        ([("EVE, clerk Bo Marsh", "X9", "Speeding"), ("FAY, for Cy Dunn", "Y8", "No")], [None, None], ["ROWS_OPEN"]),
        ([("BO MARSH, clerk Cy Dunn", "E101 237", "Speeding")], [None, None], ["ROWS_OPEN"]),
        (
            [("BO MARSH", "E101 237", "Speeding", "Parking"), ("CY DUNN", "L133 111", "None")],
            ["Speeding", "None"],
            ["CONFLICT", "ROWS_OPEN"],
        ),
        (
            [("BO MARSH", "E101 237", word) for word in ("Speeding", "Parking")] + [("CY DUNN", "L133 111", "None")],
            ["Speeding", "None"],
            ["CONFLICT", "ROWS_OPEN"],
        ),
    ],
)
def test_a_page_of_one_record_fills_the_row_that_it_surely_is_of(
    records: list[tuple[str, ...]], expected: list[str | None], notes: list[str]
) -> None:
    people = [
        ("Ann Lee", "T100 200", "2015-01-09"),
        ("Bo Marsh", "E101 237", "2015-10-12"),
        ("Cy Dunn", "L133 111", "2023-04-16"),
    ]
    spots = [(60 + 120 * at, 740, head) for at, head in enumerate(("Name", "License number", "Hired"))]
    spots += [(60 + 120 * at, 720 - 20 * row, text) for row, each in enumerate(people) for at, text in enumerate(each)]
    spots.append((60, 100, "Page 1 of 3"))
    pages = [b"".join(show(text, x, y, 9) for x, y, text in spots)]
    for name, licence, *violations in records:
        lines = [(60, 740, f"Record of {name}"), (420, 700, licence)]
        for at, violation in enumerate(violations):
            lines += [(420, 600 - 40 * at, "Violations"), (520, 600 - 40 * at, violation)]
        pages.append(b"".join(show(text, x, y, 9) for x, y, text in lines))
    columns = {"name": "STRING", "license_number": "STRING", "hired": "DATE"}
    fields = [{"name": name, "type": kind, "required": True} for name, kind in columns.items()]
    fields.append({"name": "mvr_violations", "type": "STRING", "required": False})
    rows = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    made = paxman.normalize(make_pdf(*pages), {"id": "c", "fields": [rows]})
    found = [(row["name"], row.get("mvr_violations")) for row in made["rows"].value]
    assert found == [("Ann Lee", None), *zip(("Bo Marsh", "Cy Dunn"), expected, strict=True)]
    assert [note.code for note in made["rows"].diagnostics if note.code != "LOW_CONFIDENCE"] == notes
    assert made.status.value == ("PARTIAL_SUCCESS" if notes else "SUCCESS")
