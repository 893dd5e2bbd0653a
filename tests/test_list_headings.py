"""Several arrays of one page, each with the table below its own heading, whatever the format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

import paxman

Parts = Sequence[tuple[str, Any]]
EARNED = [["Item", "Amount"], ["Wages", "2100.00"], ["Garage", "80.00"]]
SPENT = [["Item", "Amount"], ["Food", "410.00"], ["Power", "95.50"]]
SOURCES = [["Source", "Amount"], ["Wages", "2100.00"]]
HERE = [["Name", "Role"], ["Ann Lee", "chair"], ["Bob Ray", "clerk"]]
AWAY = [["Name", "Role"], ["Cara Moe", "treasurer"]]


def as_markdown(parts: Parts, mark: str = "## {}") -> str:
    lines = ["# Page", ""]
    for title, body in parts:
        rows = [body] if isinstance(body, str) else [f"| {' | '.join(row)} |" for row in body]
        rule = [] if isinstance(body, str) else ["|---|---|"]
        lines += [mark.format(title), "", *rows[:1], *rule, *rows[1:], ""]
    return "\n".join(lines)


def as_bold(parts: Parts) -> str:
    return as_markdown(parts, "**{}**")


def as_html(parts: Parts) -> str:
    made = "<html><body><h1>Page</h1>"
    for title, body in parts:
        rows = [] if isinstance(body, str) else [f"<tr><td>{'<td>'.join(row)}</tr>" for row in body]
        table = f"<table>{''.join(rows).replace('td>', 'th>', 2)}</table>"
        made += f"<h2>{title}</h2>" + (f"<p>{body}</p>" if isinstance(body, str) else table)
    return f"{made}</body></html>"


def as_text(parts: Parts) -> str:
    lines = ["Page", ""]
    for title, body in parts:
        rows = [body] if isinstance(body, str) else ["".join(cell.ljust(20) for cell in row).rstrip() for row in body]
        lines += [title, *rows, ""]
    return "\n".join(lines)


def read(page: str, names: str, **labels: str) -> paxman.Artifact:
    kinds = {"item": "STRING", "amount": "DECIMAL"} if "Amount" in page else {"name": "STRING", "role": "STRING"}
    columns = [{"name": name, "type": kind, "required": True} for name, kind in kinds.items()]
    field = {"type": "ARRAY", "required": True, "items": {"fields": columns}}
    fields = [{**field, "name": name, "labels": [labels.get(name, name)]} for name in names.split()]
    return paxman.normalize(page, {"id": "c", "fields": fields})


def first_cells(made: paxman.Artifact, path: str) -> str:
    return " ".join(next(iter(row.values())) for row in made[path].value or ())


@pytest.mark.parametrize("written", [as_markdown, as_bold, as_html, as_text])
@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([("Income", EARNED), ("Expenses", SPENT)], {"income": "Wages Garage", "expenses": "Food Power"}),
        ([("Expenses", SPENT), ("Income", EARNED)], {"income": "Wages Garage", "expenses": "Food Power"}),
        ([("Income", SOURCES), ("Expenses", SPENT)], {"income": "", "expenses": "Food Power"}),
        ([("Income", "None"), ("Expenses", SPENT)], {"income": "", "expenses": "Food Power"}),
        ([("Present", HERE), ("Absent", AWAY)], {"present": "Ann Lee Bob Ray", "absent": "Cara Moe"}),
        ([("Present", HERE), ("Absent", "Nobody.")], {"present": "Ann Lee Bob Ray", "absent": ""}),
        ([("Present", HERE), ("Absent", "Nobody.")], {"absent": ""}),
        ([("Present", HERE), ("Absent", "There were no absences.")], {"absent": ""}),
    ],
)
def test_a_list_has_the_rows_below_its_own_heading(
    written: Callable[[Parts], str], parts: Parts, expected: dict[str, str]
) -> None:
    made = read(written(parts), " ".join(expected))
    assert {path: first_cells(made, path) for path in expected} == expected
    for path, rows in expected.items():
        assert rows or "AMBIGUOUS_VALUE" in {note.code for note in made[path].diagnostics}
        assert made[path].confidence_band.value == ("HIGH" if rows else "UNTRUSTED")


@pytest.mark.parametrize("written", [as_markdown, as_bold, as_html, as_text])
@pytest.mark.parametrize(
    ("parts", "unsure"),
    [
        ([("Money that came", EARNED), ("Money that went", SPENT)], "income expenses"),
        ([("Money that came", EARNED), ("Expenses", SPENT)], "income expenses"),
        ([("All", [*EARNED, *SPENT[1:]])], "income expenses"),
        ([("Present", HERE), ("Absent", AWAY)], "absent"),
    ],
)
def test_rows_that_no_heading_gives_to_one_list_are_not_sure(
    written: Callable[[Parts], str], parts: Parts, unsure: str
) -> None:
    for each in read(written(parts), unsure).field_results:
        assert each.confidence_band.value == "MEDIUM"
        assert "AMBIGUOUS_VALUE" in {note.code for note in each.diagnostics}


@pytest.mark.parametrize("written", [as_markdown, as_bold, as_html, as_text])
def test_labels_name_lists_and_what_is_joined_is_told(written: Callable[[Parts], str]) -> None:
    page = written([("Present", HERE), ("Apologies", AWAY)])
    assert first_cells(read(page, "room other", room="Present", other="Apologies"), "other") == "Cara Moe"
    people = read(page, "people")["people"]
    assert len(people.value) == 3
    assert "TABLES_JOINED" in {note.code for note in people.diagnostics}


def test_a_heading_holds_for_the_tables_of_those_below_it() -> None:
    page = as_markdown(
        [("Income", "Kept by hand."), ("March", EARNED), ("Expenses", "So are these."), ("March", SPENT)]
    )
    made = read(page.replace("## March", "### March"), "income expenses")
    assert (first_cells(made, "income"), first_cells(made, "expenses")) == ("Wages Garage", "Food Power")
