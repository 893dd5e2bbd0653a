"""Blank cells never cost a row nor join two: every type, format and share of blanks, all rows exact and in order."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from pdf_maker import make_pdf, show
from test_documents_office import make_xlsx

import paxman

Grid = list[list[str]]

VALUES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "INTEGER": ({"type": "INTEGER"}, ["12", "7", "140", "3", "58"]),
    "DECIMAL": ({"type": "DECIMAL"}, ["12.50", "7.25", "140.00", "3.99", "0.58"]),
    "DATE": ({"type": "DATE"}, ["2024-03-01", "2024-05-17", "2023-12-24", "2024-01-09"]),
    "BOOLEAN": ({"type": "BOOLEAN"}, ["yes", "no"]),
    "ENUM": ({"type": "ENUM", "enum_values": ["open", "paid", "void"]}, ["open", "paid", "void"]),
    "STRING": ({"type": "STRING"}, ["Basel", "Porto", "Turku", "Graz"]),
}
NOUNS = ("Bolt", "Washer", "Hex nut", "Angle plate", "Spring", "Threaded rod", "Hinge", "Wall anchor", "Rivet")
HEADS = {"INTEGER": "stock", "DECIMAL": "weight", "DATE": "checked", "BOOLEAN": "active", "ENUM": "state"}
HEADS["STRING"] = "city"


def as_text(grid: Grid) -> str:
    widths = [max(len(row[at]) for row in grid) + 3 for at in range(len(grid[0]))]
    return "\n".join("".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in grid) + "\n"


def as_pdf(grid: Grid) -> bytes:
    pages = [grid[:1] + grid[at : at + 40] for at in range(1, len(grid), 40)]
    return make_pdf(*(_drawn(page) for page in pages))


def _drawn(grid: Grid) -> bytes:
    places = ((72 + 110 * c, 720 - 14 * r, cell) for r, row in enumerate(grid) for c, cell in enumerate(row) if cell)
    return b"".join(show(cell, x, y, 10) for x, y, cell in places)


def as_html(grid: Grid) -> str:
    rows = [
        "".join(f"<{tag}>{cell}</{tag}>" for cell in row)
        for row, tag in zip(grid, "h" + "d" * len(grid), strict=False)
        for tag in ("t" + tag,)
    ]
    return "<html><body><table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table></body></html>"


def as_markdown(grid: Grid) -> str:
    rows = ["| " + " | ".join(row) + " |" for row in grid]
    return "\n".join([rows[0], "|" + "---|" * len(grid[0]), *rows[1:]]) + "\n"


def as_xlsx(grid: Grid) -> bytes:
    return make_xlsx(
        {"S": {f"{'ABCDEFGH'[c]}{r}": cell for r, row in enumerate(grid, 1) for c, cell in enumerate(row) if cell}}
    )


FORMATS: dict[str, Callable[[Grid], str | bytes]] = {
    "csv": lambda grid: "".join(",".join(row) + "\n" for row in grid),
    "tsv": lambda grid: "".join("\t".join(row) + "\n" for row in grid),
    "html": as_html,
    "markdown": as_markdown,
    "xlsx": as_xlsx,
    "text": as_text,
    "pdf": as_pdf,
}


def make_grid(kinds: Sequence[str], place: str, share: float, count: int = 24) -> Grid:
    """A table of named things with optional columns of some kinds, at the start, in the middle or at the end."""
    at = {"start": 0, "middle": 1, "end": 2}[place]
    names = [HEADS[kind] for kind in kinds]
    dice = random.Random(f"{kinds} {place} {share}")
    grid = [["sku", "name"][:at] + names + ["sku", "name"][at:]]
    for number in range(count):
        own = [f"A-{100 + number}", NOUNS[number % len(NOUNS)]]
        cells = ["" if dice.random() < share else dice.choice(VALUES[kind][1]) for kind in kinds]
        grid.append(own[:at] + cells + own[at:])
    return grid


def contract_of(kinds: Sequence[str], needed: bool = True) -> dict[str, Any]:
    fixed = [{"name": name, "type": "STRING", "required": needed} for name in ("sku", "name")]
    free = [{"name": HEADS[kind], "required": False, **VALUES[kind][0]} for kind in kinds]
    field = {"name": "items", "type": "ARRAY", "required": True, "items": {"fields": [*fixed, *free]}}
    return {"id": "goods", "version": "1", "fields": [field]}


def told(cell: Any) -> str:
    return (
        {True: "yes", False: "no"}.get(cell, str(cell)) if isinstance(cell, bool) else "" if cell is None else str(cell)
    )


def rows_of(artifact: paxman.ExecutionArtifact, heads: Sequence[str]) -> Grid:
    return [[told(row.get(head)) for head in heads] for row in artifact["items"].value or ()]


SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)
KINDS = [("INTEGER",), ("DECIMAL",), ("DATE",), ("BOOLEAN",), ("ENUM",), ("STRING",), ("INTEGER", "DATE", "ENUM")]


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("kinds", KINDS, ids="+".join)
@pytest.mark.parametrize("form", FORMATS)
def test_no_row_is_lost_over_blank_cells(form: str, kinds: tuple[str, ...], share: float) -> None:
    for place in ("start", "middle", "end"):
        for needed in (True, False):
            grid = make_grid(kinds, place, share)
            artifact = paxman.normalize(FORMATS[form](grid), contract_of(kinds, needed))
            assert (place, rows_of(artifact, grid[0])) == (place, grid[1:])


@pytest.mark.parametrize("form", FORMATS)
def test_a_row_of_a_number_alone_is_one(form: str) -> None:
    for kinds in KINDS:
        grid = make_grid(kinds, "end", 0.3)
        for number in (3, 7, 8, 20, len(grid) - 1):
            grid[number] = [grid[number][0], *[""] * (len(grid[0]) - 1)]
        contract = contract_of(kinds)
        contract["fields"][0]["items"]["fields"][1]["required"] = False
        artifact = paxman.normalize(FORMATS[form](grid), contract)
        assert (kinds, rows_of(artifact, grid[0])) == (kinds, grid[1:])


def test_a_figure_that_is_the_sum_of_those_above_may_be_that_of_a_row() -> None:
    grid = [["sku", "name", "stock"], ["101", "Bolt", "2"], ["102", "Nut", "1"], ["103", "", "3"], ["104", "Cup", ""]]
    contract = contract_of(("INTEGER",))
    contract["fields"][0]["items"]["fields"][1]["required"] = False
    for form, make in FORMATS.items():
        assert (form, rows_of(paxman.normalize(make(grid), contract), grid[0])) == (form, grid[1:])


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("form", ["csv", "tsv", "html", "markdown", "xlsx"])
def test_two_columns_are_enough_for_a_row(form: str, kind: str) -> None:
    grid = [row[1:] for row in make_grid((kind,), "end", 0.5)]
    field = {"name": "items", "type": "ARRAY", "required": True}
    name = {"name": "name", "type": "STRING", "required": True}
    columns = [name, {"name": HEADS[kind], "required": False, **VALUES[kind][0]}]
    contract = {"id": "goods", "version": "1", "fields": [{**field, "items": {"fields": columns}}]}
    assert rows_of(paxman.normalize(FORMATS[form](grid), contract), grid[0]) == grid[1:]


@pytest.mark.parametrize("form", FORMATS)
def test_a_cell_that_cannot_be_read_leaves_its_row_and_is_told(form: str) -> None:
    grid = make_grid(("INTEGER", "DATE"), "end", 0.3)
    grid[4][2], grid[9][3], grid[10][2], grid[11][3] = "plenty", "soon", "few", "never"
    expected = [[{"plenty": "", "soon": "", "few": "", "never": ""}.get(c, c) for c in row] for row in grid[1:]]
    artifact = paxman.normalize(FORMATS[form](grid), contract_of(("INTEGER", "DATE")))
    told = [note.field_path for note in artifact.diagnostics if note.code == "ROW_REJECTED"]
    assert rows_of(artifact, grid[0]) == expected
    assert told == ["items[3].stock", "items[8].checked", "items[9].stock", "items[10].checked"]
    assert artifact.status.value == "PARTIAL_SUCCESS"


@pytest.mark.parametrize("form", FORMATS)
def test_only_a_required_cell_that_is_missing_rejects_its_row(form: str) -> None:
    grid = make_grid(("INTEGER", "DATE"), "end", 0.1)
    grid[5][1] = ""
    artifact = paxman.normalize(FORMATS[form](grid), contract_of(("INTEGER", "DATE")))
    assert rows_of(artifact, grid[0]) == grid[1:5] + grid[6:]
    told = [note.message for note in artifact.diagnostics if note.code == "ROW_REJECTED"]
    assert len(told) == 1 and told[0].startswith("row 5 was left out: name: missing") and "A-104" in told[0]
