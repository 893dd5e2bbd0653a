"""The ledger of an array: how many rows there should be, what became of every line, and what an open one means."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import attrs
import pytest
from click.testing import CliRunner

import paxman
from paxman.api.verification import verify
from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.comparison import compare
from paxman.capabilities.base import Candidate, CandidateResult, CandidateSource, EvidenceRef
from paxman.cli.app import app
from paxman.contract import adapt
from paxman.planner import derive_effective_policy
from paxman.reconciler.reconciler import reconcile
from paxman.reconciler.truth import ResolvedResult
from paxman.types import Origin, RowLedger, Status

COLUMNS = (("description", "STRING", True), ("quantity", "INTEGER", False), ("line_total", "DECIMAL", False))
HEAD = "No.  Description       Quantity    Line total\n"
LINES = [f"{n}    {name:<18}{n:>5}{n:>12}.50\n" for n, name in enumerate(("Bolt", "Nut", "Screw", "Hook", "Ring"), 1)]
XML = "<parts><part><description>Bolt</description></part><part><quantity>2</quantity></part></parts>"
FIVE = HEAD + "".join(LINES)


def contract(name: str = "parts", columns: Any = COLUMNS) -> dict[str, Any]:
    fields = [{"name": column, "type": kind, "required": need} for column, kind, need in columns]
    return {
        "id": "paper",
        "fields": [{"name": name, "type": "ARRAY", "required": True, "items": {"fields": fields}}],
    }


def made(document: Any, given: Any = None) -> ExecutionArtifact:
    """Normalized, stored and loaded again, replayed, and verified against the document."""
    given = given or contract()
    artifact = paxman.normalize(document, given)
    assert paxman.replay(artifact.to_json(), given) == artifact
    assert verify(artifact, document, given).passed
    return artifact


@pytest.mark.parametrize(
    ("document", "found", "expected", "by", "status"),
    [
        (FIVE, 5, 5, "numbers", "SUCCESS"),
        ("Parts: 5\n\n" + FIVE, 5, 5, "count", "SUCCESS"),
        ("5 items\n\n" + FIVE, 5, 5, "count", "SUCCESS"),
        ("Large: 3 pieces\nSmall: 2 pieces\n\n" + FIVE, 5, 5, "numbers", "SUCCESS"),
        ("3 pieces\n2 pieces\n\n" + FIVE, 5, 5, "count", "SUCCESS"),
        (FIVE + "\nNumber of items: 7\n", 5, 7, "count", "PARTIAL_SUCCESS"),
        ("Parts: 7\n\n" + FIVE, 5, 7, "count", "PARTIAL_SUCCESS"),
        ("Pages: 7\n\n" + FIVE, 5, 5, "numbers", "SUCCESS"),
        (FIVE.replace("5    Ring", "7    Ring"), 5, 7, "numbers", "PARTIAL_SUCCESS"),
        ("description,quantity\nBolt,1\n,\nNut,\n", 2, 2, "structure", "SUCCESS"),
        ("description,quantity\nBolt,1\n,2\n", 1, 2, "structure", "PARTIAL_SUCCESS"),
        ("description,quantity\n,1\n,2\n", 0, 2, "structure", "UNRESOLVED"),
        ({"parts": [{"description": "Bolt"}, {"quantity": 1}]}, 1, 2, "structure", "PARTIAL_SUCCESS"),
        ({"parts": [{"quantity": 1}]}, 0, 1, "structure", "UNRESOLVED"),
        ({"parts": []}, 0, 0, "structure", "SUCCESS"),
        (
            XML,
            1,
            2,
            "structure",
            "PARTIAL_SUCCESS",
        ),
    ],
)
def test_how_many_rows_there_should_be(document: Any, found: int, expected: int, by: str, status: str) -> None:
    artifact = made(document)
    rows = artifact.rows("parts")
    assert rows is not None
    assert (rows.found, rows.expected, rows.expected_by, artifact.status.value) == (found, expected, by, status)
    assert artifact["parts"].confidence < 0.8 or not rows.is_open


def test_every_other_line_is_counted_by_its_kind() -> None:
    lines = [*LINES[:2], HEAD, *LINES[2:], f"     {'Total':<23}{'17.50':>15}\n"]
    rows = made(HEAD + "".join(lines)).rows("parts")
    assert rows is not None
    assert (str(rows), dict(rows.lines)) == ("5 of 5 rows", {"head": 1, "sum": 1})


def test_an_open_ledger_says_why() -> None:
    artifact = made("Parts: 7\n\n" + FIVE)
    notes = [(note.code, note.message) for note in artifact["parts"].diagnostics]
    assert notes == [
        ("ROWS_OPEN", "5 of 7 rows: the page says that there are 7"),
        ("LOW_CONFIDENCE", "confidence 0.75 is below the target 0.80"),
    ]
    assert {ref.basis for ref in artifact["parts"].evidence_refs} == {"open"}


@pytest.mark.parametrize(
    ("rows", "is_open", "said"),
    [
        (RowLedger(3, 0, 3), False, ()),
        (RowLedger(3, 1, 4), True, ("1 rejected",)),
        (RowLedger(3, 0, 5, "numbers"), True, ("the rows are numbered up to 5",)),
        (RowLedger(3, 0, 3, lines={"sum": 2, "title": 1}), False, ()),
        (
            RowLedger(3, 0, 3, lines={"unaccounted": 2}, unaccounted=["line 4: 'x'"]),
            True,
            ("2 lines are no row, and nothing says what else; line 4: 'x'",),
        ),
        (RowLedger(3, 0, 3, unbound=["price"]), True, ("nothing tells where these columns stand: price",)),
    ],
)
def test_when_a_ledger_is_open(rows: RowLedger, is_open: bool, said: tuple[str, ...]) -> None:
    assert (rows.is_open, rows.reasons) == (is_open, said)
    assert RowLedger(**json.loads(json.dumps(rows.to_dict(), default=dict))) == rows


def test_a_forged_ledger_is_caught() -> None:
    artifact = made("Parts: 7\n\n" + FIVE)
    (result,) = artifact.field_results
    for forged in (RowLedger(5, 0, 5), RowLedger(7, 0, 7)):
        changed = attrs.evolve(artifact, field_results=(attrs.evolve(result, rows=forged),))
        changed = attrs.evolve(changed, replay_hash=changed.computed_hash())
        assert not verify(changed, "Parts: 7\n\n" + FIVE, contract()).passed


def test_a_correction_closes_the_ledger() -> None:
    artifact = made("Parts: 7\n\n" + FIVE)
    corrected = artifact.corrected({"parts": [dict(row) for row in artifact["parts"].value]}, by="ann")
    assert (artifact.status, corrected.status) == (Status.PARTIAL_SUCCESS, Status.SUCCESS)
    assert corrected.rows("parts") is None


def read_by(source: str, places: Any, rows: Any, basis: Any = "name", ledger: RowLedger | None = None) -> Candidate:
    """Rows as a finder gives them: every cell stands at its row's place, and a little further for each column."""
    refs = [
        EvidenceRef(source, "1.0", f"parts[{row}].{name}", (at + column, at + column + 1), basis=basis)
        for row, (at, cells) in enumerate(zip(places, rows, strict=True))
        for column, name in enumerate(cells)
    ]
    found = CandidateSource(source, "1.0", len(source), True, Origin.EXTRACTED)
    return Candidate(tuple(rows), tuple(refs), source=found, rows=ledger)


def decided(*candidates: Candidate) -> ResolvedResult:
    canonical = adapt(contract())
    field = canonical.by_path["parts"]
    result = CandidateResult(field.id, field.path, candidates, status="CANDIDATES")
    (made,) = reconcile(canonical, [result], derive_effective_policy(paxman.Policy(), canonical.policies))
    return made


A, B, C, D = ({"description": name, "quantity": number} for number, name in enumerate("ABCD"))
Q, S = {"description": "B", "quantity": 9}, {"line_total": Decimal(1)}


@pytest.mark.parametrize(
    ("ours", "theirs", "rows", "confidence", "differing"),
    [
        (([0, 10, 20], [A, B, C]), ([0, 20, 30], [A, C, D]), [A, B, C, D], 0.8, []),
        (([0, 10, 20], [A, B, C]), ([10], [B]), [A, B, C], 0.8, []),
        (([0, 10], [A, B]), ([0, 10], [A, B]), [A, B], 0.95, []),
        (([0, 10], [A, B]), ([0, 10], [A, Q]), [A, B], 0.65, ["parts[1].quantity"]),
        (([0, 10], [A, B]), ([1, 10, 20], [{**A, **S}, B, C]), [{**A, **S}, B, C], 0.8, []),
    ],
)
def test_rows_of_two_finders_are_joined_by_their_lines(
    ours: Any, theirs: Any, rows: Any, confidence: float, differing: list[str]
) -> None:
    made = decided(read_by("table", *ours), read_by("model", *theirs))
    told = [note.field_path for note in made.diagnostics if note.code == "CONFLICT"]
    assert ([dict(row) for row in made.value], made.confidence, told) == (rows, confidence, differing)


def test_rows_that_stand_on_no_common_line_are_rivals() -> None:
    made = decided(read_by("table", [0, 10], [A, B]), read_by("model", [50, 60], [C, D]))
    assert [dict(row) for row in made.value] == [A, B]
    assert [note.code for note in made.diagnostics] == ["CONFLICT", "LOW_CONFIDENCE"]


def test_a_cell_that_only_one_finder_is_sure_of_is_its() -> None:
    made = decided(read_by("table", [0, 10], [A, B], "open"), read_by("model", [0, 10], [A, Q], "model"))
    assert [dict(row) for row in made.value] == [A, Q]


def test_rows_that_another_finder_adds_close_the_ledger() -> None:
    known = RowLedger(2, 1, 3, lines={"sum": 1})
    made = decided(read_by("table", [0, 20], [A, C], "open", known), read_by("model", [10, 20], [B, C], "model"))
    assert ([dict(row) for row in made.value], made.rows) == ([A, B, C], RowLedger(3, 0, 3, lines={"sum": 1}))


def run(*arguments: str, code: int = 0) -> str:
    found = CliRunner().invoke(app, arguments)
    assert found.exit_code == code, found.output
    return found.stdout


def test_every_output_shows_the_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("c.json").write_text(json.dumps(contract()))
    Path("in").mkdir()
    Path("in/whole.txt").write_text("Parts: 5\n\n" + FIVE)
    Path("in/short.txt").write_text("Parts: 7\n\n" + FIVE)
    assert "5 of 5 rows" in run("normalize", "in/whole.txt", "-c", "c.json", "-o", "whole.json") + run(
        "explain", "whole.json"
    )
    run("normalize", "in/short.txt", "-c", "c.json", "-o", "short.json", code=1)
    said = "  rows: 5 of 7 rows; the page says that there are 7"
    assert said in run("explain", "short.json", "parts").splitlines()
    run("report", "short.json", "-o", "short.html")
    assert "5 of 7 rows; the page says that there are 7" in Path("short.html").read_text("utf-8")
    told = run("batch", "in", "-c", "c.json", "-o", "out", "--workers", "1", "--format", "csv", code=1)
    assert told.splitlines()[1] == "parts: 10 of 12 rows"
    assert "rows\tparts 10 of 12 rows" in run("batch", "status", "out").splitlines()
    run("batch", "report", "out")
    assert "10 of 12 rows" in Path("out/report.html").read_text("utf-8")
    assert Path("out/documents.csv").read_text("utf-8").splitlines() == [
        "_source,_status,_reason,parts:rows",
        "in/short.txt,PARTIAL_SUCCESS,parts: 5 of 7 rows: the page says that there are 7,5 of 7",
        "in/whole.txt,SUCCESS,,5 of 5",
    ]


def test_a_comparison_tells_of_other_counts() -> None:
    change = compare(made("Parts: 7\n\n" + FIVE), made("Parts: 5\n\n" + FIVE)).changes[0]
    assert change.details["rows"] == ("5 of 7 rows", "5 of 5 rows")


def test_titles_over_groups_may_be_the_column_that_is_missing() -> None:
    groups = enumerate(("Steel", "Brass", "Tin"))
    rows = "".join(f"\n     {group} goods\n{LINES[at]}{LINES[at + 1]}" for at, group in groups)
    columns = (*COLUMNS, ("material", "STRING", False))
    for given, unbound in ((COLUMNS, ()), (columns, ("material",))):
        ledger = made(HEAD + rows, contract(columns=given)).rows("parts")
        assert ledger is not None
        assert (str(ledger), ledger.lines["title"], ledger.unbound) == ("6 of 6 rows", 3, unbound)
