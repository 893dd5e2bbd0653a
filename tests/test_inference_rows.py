"""Rows by a model: asked in pieces, each cell with its quote, grounded, within budget and behind masks."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from model_server import asked, completion, serve
from test_inference_providers import REMOTE, openai, register  # noqa: F401

import paxman
from paxman.api.verification import verify
from paxman.inference import Terms


def column(name: str, kind: str = "STRING", required: bool = True, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "required": required, **more}


def contract(*columns: dict[str, Any], **more: Any) -> dict[str, Any]:
    field = {"name": "goods", "type": "ARRAY", "required": True, "items": {"fields": list(columns)}, **more}
    return {"id": "c", "version": "1", "fields": [field]}


GOODS = contract(
    column("thing"), column("crates", "INTEGER"), column("price", "DECIMAL"), column("note", required=False)
)
TEXT = (
    "Dear Sir, of the apples we sent you 3 crates, for which we ask 4.50 a crate, and the pears, 12 crates in all, "
    "go at 6.00 a crate, handle with care. Yours, Holm\n"
)
APPLES = {"thing": "apples", "crates": "3", "price": "4.50", "note": None}
PEARS = {"thing": "pears", "crates": "12", "price": "6.00", "note": "handle with care"}


def rows(*answers: list[dict[str, Any]] | None, usage: tuple[int, int] = (1000, 100)) -> list[Any]:
    """Servers that answer one call after the other with these rows."""

    def behave(given: Any) -> Any:
        def answer(handler: Any, body: Any) -> None:
            text = json.dumps({name: {"rows": given} for name in asked(body)})
            handler.send(json.dumps(completion(body, text, usage)).encode())

        return answer

    return [behave(given) for given in answers]


def run(register: Any, given: Any, *script: Any, text: str = TEXT, **more: Any) -> Any:  # noqa: F811
    with serve(*script) as server:
        register(openai(server, **more.pop("provider", {})))
        return paxman.normalize(text, given, more.get("budget"), more.get("policy", REMOTE)), server


def notes(artifact: Any) -> list[tuple[str, str]]:
    return [(note.code, note.message) for note in artifact["goods"].diagnostics]


def test_rows_are_quoted_cell_by_cell(register):  # noqa: F811
    artifact, server = run(register, GOODS, *rows([APPLES, PEARS]))
    assert artifact.normalized_data["goods"] == [
        {"thing": "apples", "crates": 3, "price": Decimal("4.50")},
        {"thing": "pears", "crates": 12, "price": Decimal("6.00"), "note": "handle with care"},
    ]
    cells = {ref.field_path: TEXT[slice(*ref.span)] for ref in artifact["goods"].evidence_refs if ref.span}
    assert cells == {
        "goods[0].thing": "apples", "goods[0].crates": "3", "goods[0].price": "4.50",
        "goods[1].thing": "pears", "goods[1].crates": "12", "goods[1].price": "6.00",
        "goods[1].note": "handle with care",
    }  # fmt: skip
    assert {ref.model_id for ref in artifact["goods"].evidence_refs} == {"small"}
    assert (artifact["goods"].origin.value, artifact["goods"].cost.usd) == ("INFERRED", Decimal("0.0012"))
    assert verify(artifact, TEXT, GOODS).passed
    schema = server.seen[0]["response_format"]["json_schema"]["schema"]["properties"]["goods"]
    row = schema["properties"]["rows"]["items"]
    assert (list(row["properties"]), row["required"]) == (["thing", "crates", "price", "note"],) * 2


def test_a_row_that_is_not_on_the_page_is_rejected_by_name(register):  # noqa: F811
    plums = {"thing": "plums", "crates": "3", "price": "4.50", "note": None}
    dear = {"thing": "pears", "crates": "12", "price": "9.99", "note": None}
    artifact, _ = run(register, GOODS, *rows([APPLES, plums, dear]))
    assert [row["thing"] for row in artifact.normalized_data["goods"]] == ["apples"]
    assert notes(artifact) == [
        ("ROW_REJECTED", "row 2 that openai gives was left out: thing of it is not in the document"),
        ("ROW_REJECTED", "row 3 that openai gives was left out: price of it is not in the document"),
    ]


def test_a_cell_that_is_not_on_the_page_is_left_out(register):  # noqa: F811
    artifact, _ = run(register, GOODS, *rows([{**APPLES, "note": "fragile"}]))
    assert artifact.normalized_data["goods"] == [{"thing": "apples", "crates": 3, "price": Decimal("4.50")}]
    assert [code for code, _ in notes(artifact)] == ["UNGROUNDED_ANSWER"]


def test_cells_far_from_their_row_are_not_of_it(register):  # noqa: F811
    text = "apples 3 crates" + "\nnothing to see here" * 100 + "\nat 4.50"
    artifact, _ = run(register, GOODS, *rows([APPLES]), text=text)
    assert artifact["goods"].value is None
    assert notes(artifact)[0] == (
        "ROW_REJECTED",
        "row 1 that openai gives was left out: price: stands elsewhere",
    )


def test_equal_rows_have_a_place_each(register):  # noqa: F811
    text = "apples, 3 at 4.50; apples, 3 at 4.50; pears"
    artifact, _ = run(register, GOODS, *rows([APPLES, APPLES, APPLES]), text=text)
    assert len(artifact["goods"].value) == 2
    assert notes(artifact) == [
        ("ROW_REJECTED", "row 3 that openai gives was left out: another row was found at the same place")
    ]
    spans = [ref.span for ref in artifact["goods"].evidence_refs if ref.span]
    assert len(set(spans)) == len(spans) == 6


def test_a_value_that_breaks_its_column_rejects_the_row(register):  # noqa: F811
    few = contract(
        column("thing"), column("crates", "INTEGER", constraints=[{"kind": "max_value", "params": {"max": 9}}])
    )
    artifact, _ = run(register, few, *rows([APPLES, PEARS]))
    assert [row["thing"] for row in artifact.normalized_data["goods"]] == ["apples"]
    assert notes(artifact)[0][1].endswith("crates: more than 9 (bytes 92-94: '12')")


def test_every_piece_may_have_more_rows_and_the_overlap_counts_once(register):  # noqa: F811
    lines = [
        f"Of thing{number:03d} there were {number} crates, at {number}.50 each, all sound."
        for number in range(100, 160)
    ]
    text = "\n".join(lines)

    def answer(handler: Any, body: Any) -> None:
        shown = body["messages"][-1]["content"]
        found = [
            {"thing": f"thing{n}", "crates": str(n), "price": f"{n}.50", "note": None}
            for n in range(100, 160)
            if f"Of thing{n} there were {n} crates, at {n}.50" in shown
        ]
        reply = json.dumps({name: {"rows": found} for name in asked(body)})
        handler.send(json.dumps(completion(body, reply, (100, 10))).encode())

    terms = Terms(window_tokens=1600, most_pieces=20, max_output_tokens=9000)
    artifact, server = run(register, GOODS, *[answer] * 10, text=text, provider={"terms": terms})
    assert len(server.seen) > 1
    assert [row["crates"] for row in artifact.normalized_data["goods"]] == list(range(100, 160))
    assert notes(artifact) == []


def test_pieces_that_were_not_shown_are_told(register):  # noqa: F811
    text = TEXT + "filler without meaning, line after line\n" * 300
    terms = Terms(window_tokens=1600, most_pieces=1)
    artifact, server = run(register, GOODS, *rows([APPLES, PEARS]), text=text, provider={"terms": terms})
    assert len(server.seen) == 1
    assert [code for code, _ in notes(artifact)] == ["NOT_ALL_READ"]


def test_an_answer_that_was_cut_off_is_asked_again_in_halves(register):  # noqa: F811
    text = TEXT + "More to follow, said the merchant, and left it at that for the day.\n" * 20

    def cut_off(handler: Any, body: Any) -> None:
        reply = completion(body, '{"goods": {"rows": [{"thing": "app', (100, 10), "length")
        handler.send(json.dumps(reply).encode())

    artifact, server = run(register, GOODS, cut_off, *rows([APPLES, PEARS], None, None, None), text=text)
    assert len(server.seen) > 1
    assert [row["thing"] for row in artifact.normalized_data["goods"]] == ["apples", "pears"]


def test_the_budget_holds(register):  # noqa: F811
    text = "\n".join(f"Of thing{n} there were {n} crates, at {n}.50 each, all sound." for n in range(100, 200))
    budget = paxman.Budget(max_remote_inference_calls=1)
    terms = Terms(window_tokens=1600, most_pieces=20)
    first = {"thing": "thing100", "crates": "100", "price": "100.50", "note": None}
    script = rows([first], [first], [first])
    artifact, server = run(register, GOODS, *script, text=text, provider={"terms": terms}, budget=budget)
    assert (len(server.seen), artifact.statistics.remote_calls) == (1, 1)
    assert len(artifact["goods"].value) == 1
    assert {"BUDGET_EXCEEDED", "NOT_ALL_READ"} <= {code for code, _ in notes(artifact)}


def test_rows_with_personal_columns_stay_here(register):  # noqa: F811
    personal = contract(column("thing"), column("crates", "INTEGER"), column("buyer", tags=["pii"], required=False))
    artifact, server = run(register, personal, *rows([APPLES]))
    assert (server.seen, artifact["goods"].value) == ([], None)
    reasons = [note.message for note in artifact.execution_plan.diagnostics if note.capability_id == "inference"]
    assert reasons == ["the field is tagged pii: set Policy.allow_remote_pii"]


def test_what_is_masked_grounds_no_row(register):  # noqa: F811
    field = column("captain", tags=["pii"])
    text = "Captain: Ingrid Holm\n" + TEXT
    given = {"id": "c", "version": "1", "fields": [field, *GOODS["fields"]]}
    theirs = {"thing": "Ingrid Holm", "crates": "3", "price": "4.50", "note": None}
    artifact, server = run(register, given, *rows([APPLES, theirs]), text=text)
    assert "Ingrid" not in json.dumps(server.seen) and artifact["captain"].value == "Ingrid Holm"
    assert [row["thing"] for row in artifact.normalized_data["goods"]] == ["apples"]


def test_columns_that_the_contract_fills_are_not_asked(register):  # noqa: F811
    filled = contract(
        column("thing"),
        column("crates", "INTEGER"),
        column("price", "DECIMAL"),
        column("sum", "DECIMAL", derive="crates * price"),
    )
    artifact, server = run(register, filled, *rows([APPLES, PEARS]))
    schema = server.seen[0]["response_format"]["json_schema"]["schema"]["properties"]["goods"]
    assert list(schema["properties"]["rows"]["items"]["properties"]) == ["thing", "crates", "price"]
    assert [row["sum"] for row in artifact.normalized_data["goods"]] == [Decimal("13.50"), Decimal("72.00")]


@pytest.mark.parametrize("answer", [{"goods": {"rows": "apples"}}, {"goods": {"quotes": ["apples"]}}, {"goods": 5}])
def test_a_wrong_answer_is_said_to_be_one(register, answer):  # noqa: F811
    def wrong(handler: Any, body: Any) -> None:
        handler.send(json.dumps(completion(body, json.dumps(answer), (10, 1))).encode())

    artifact, _ = run(register, GOODS, wrong)
    assert notes(artifact)[0] == ("CAPABILITY_FAILED", "openai: the answer leaves this field out")


def test_rows_in_rows_are_not_asked(register):  # noqa: F811
    inner = {"name": "parts", "type": "ARRAY", "required": True, "items": {"fields": [column("sku")]}}
    artifact, server = run(register, contract(column("thing"), inner), *rows([APPLES]))
    assert server.seen == []
    reasons = [note.message for note in artifact.execution_plan.diagnostics if note.capability_id == "inference"]
    assert reasons == ["models are asked for values, lists and rows, not for lists in lists"]
