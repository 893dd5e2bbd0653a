"""Rows by a model: asked in pieces, each cell with its quote, grounded, within budget and behind masks."""

from __future__ import annotations

import json
import time
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
APPLES = {"line": 1, "thing": "apples", "crates": 3, "price": 4.5, "note": None}
PEARS = {"line": 1, "thing": "pears", "crates": 12, "price": 6, "note": "handle with care"}


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


def test_each_cell_of_a_row_has_its_place(register):  # noqa: F811
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
    assert (list(row["properties"]), row["required"]) == (["line", "thing", "crates", "price", "note"],) * 2


def test_cells_that_the_page_does_not_state_are_told(register):  # noqa: F811
    plums = {"line": None, "thing": "plums", "crates": 3, "price": 4.5, "note": None}
    artifact, _ = run(register, GOODS, *rows([{**APPLES, "note": "fragile"}, plums]))
    assert [row["thing"] for row in artifact.normalized_data["goods"]] == ["apples", "plums"]
    assert (artifact["goods"].confidence, notes(artifact)[:2]) == (
        0.75,
        [
            ("CONCLUDED_BY_MODEL", "note of row 1: the lines say it only to a reader"),
            ("UNGROUNDED_ANSWER", "thing of row 2: the page does not say it"),
        ],
    )
    assert verify(artifact, TEXT, GOODS).problems == ()


def test_cells_without_grounds_are_left_out_where_the_policy_wants_them(register):  # noqa: F811
    strict = paxman.Policy(allow_remote_inference=True, require_grounding=True)
    plums = {"line": None, "thing": "plums", "crates": 3, "price": 4.5, "note": None}
    artifact, _ = run(register, GOODS, *rows([{**APPLES, "note": "fragile"}, plums]), policy=strict)
    assert artifact.normalized_data["goods"] == [{"thing": "apples", "crates": 3, "price": Decimal("4.50")}]
    assert notes(artifact)[0][1].startswith("row 2 that openai gives was left out: thing: missing")


def test_equal_rows_have_a_place_each(register):  # noqa: F811
    text = "apples, 3 at 4.50; apples, 3 at 4.50; pears"
    artifact, _ = run(register, GOODS, *rows([APPLES, APPLES, APPLES]), text=text)
    assert len(artifact["goods"].value) == 2
    assert notes(artifact)[0] == (
        "ROW_REJECTED",
        "row 3 that openai gives was left out: another row was found at the same place (bytes 0-6: 'apples')",
    )
    spans = [ref.span for ref in artifact["goods"].evidence_refs if ref.span]
    assert len(set(spans)) == len(spans) == 6


def test_a_value_that_breaks_its_column_rejects_the_row(register):  # noqa: F811
    few = contract(
        column("thing"), column("crates", "INTEGER", constraints=[{"kind": "max_value", "params": {"max": 9}}])
    )
    artifact, _ = run(register, few, *rows([APPLES, PEARS]))
    assert [row["thing"] for row in artifact.normalized_data["goods"]] == ["apples"]
    assert [message.partition(" (")[0] for _, message in notes(artifact)[:2]] == [
        "crates of row 2 was left out: more than 9",
        "row 2 that openai gives was left out: crates: missing",
    ]


def test_a_row_may_lack_a_cell_that_the_model_says_is_not_there(register):  # noqa: F811
    bare = {"line": 1, "thing": "pears", "crates": 12, "price": None, "note": None}
    artifact, _ = run(register, GOODS, *rows([APPLES, bare]))
    assert artifact["goods"].value[1] == {"thing": "pears", "crates": 12}
    assert artifact["goods"].rows.unbound == ("price",)
    assert (artifact.status.value, artifact["goods"].confidence) == ("PARTIAL_SUCCESS", 0.75)
    empty = {"line": 1, "thing": "pears", "crates": None, "price": None, "note": None}
    artifact, _ = run(register, GOODS, *rows([APPLES, empty]))
    assert [row["thing"] for row in artifact["goods"].value] == ["apples"]


def test_rows_that_rest_on_one_line_are_several_if_they_differ(register):  # noqa: F811
    both = contract(column("thing"), column("kind"))
    fruit = {"line": 1, "thing": "fruit of a tree", "kind": "food"}
    artifact, _ = run(register, both, *rows([fruit, {**fruit, "thing": "a drink"}, fruit]), text="Apples and cider.\n")
    assert [row["thing"] for row in artifact["goods"].value] == ["fruit of a tree", "a drink"]
    assert next(code for code, _ in notes(artifact)) == "ROW_REJECTED"


TABLE = "thing   crates  price\napples  3       4.50\npears   12      6.00\n\nplums   7       1.00\n"


def test_rows_of_a_table_and_of_a_model_are_joined_by_their_lines(register):  # noqa: F811
    asked_too = paxman.Policy(allow_remote_inference=True, second_opinion="always")
    pears = {"line": 3, "thing": "pears", "crates": 13, "price": 6, "note": None}
    given = [{**APPLES, "line": 2}, pears, {"line": 5, "thing": "plums", "crates": 7, "price": 1, "note": None}]
    artifact, _ = run(register, GOODS, *rows(given), text=TABLE, policy=asked_too)
    assert [(row["thing"], row["crates"]) for row in artifact["goods"].value] == [
        ("apples", 3), ("pears", 12), ("plums", 7)
    ]  # fmt: skip
    conflict = [note for note in artifact["goods"].diagnostics if note.code == "CONFLICT"]
    assert [(note.field_path, note.message) for note in conflict] == [
        ("goods[1].crates", "12 was taken, also found: 13")
    ]
    assert artifact["goods"].confidence_evidence.conflict
    assert verify(artifact, TABLE, GOODS).problems == ()
    assert verify(artifact, TABLE, GOODS, strict=True, policy=asked_too, allow_unrecorded=True).problems == ()


def test_rows_that_the_model_leaves_out_are_kept_where_it_bears_out_the_others(register):  # noqa: F811
    lots = contract(column("lot"), column("thing"), column("crates", "INTEGER"))
    lines = ["Thing         Crates", "Lot 7", "apples             3", "pears             12"]
    lines += ["Lot 8", "plums              4", "figs               5"]
    given = [{"line": at, "lot": lot, "thing": thing, "crates": crates} for at, lot, thing, crates in LOTS]
    asked_too = paxman.Policy(allow_remote_inference=True, second_opinion="always")
    artifact, _ = run(register, lots, *rows(given), text="\n".join(lines) + "\n", policy=asked_too)
    assert [(row["lot"], row["thing"]) for row in artifact["goods"].value] == [
        ("7", "apples"), ("7", "pears"), ("8", "plums"), ("8", "figs")
    ]  # fmt: skip


LOTS = [(3, "7", "apples", 3), (7, "8", "plums", 4), (7, "8", "figs", 5)]
"""Rows as a model gives them: one is left out, and another has a wrong line."""


def test_every_piece_may_have_more_rows_and_the_overlap_counts_once(register):  # noqa: F811
    lines = [
        f"Of thing{number:03d} there were {number} crates, at {number}.50 each, all sound."
        for number in range(100, 160)
    ]
    text = "\n".join(lines)

    def answer(handler: Any, body: Any) -> None:
        shown = body["messages"][-1]["content"]
        found = [
            {"line": n - 99, "thing": f"thing{n}", "crates": n, "price": n + 0.5, "note": None}
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
    first = {"line": 1, "thing": "thing100", "crates": 100, "price": 100.5, "note": None}
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
    assert reasons[1:] == ["the field is tagged pii: set Policy.allow_remote_pii"]


def test_what_is_masked_grounds_no_row(register):  # noqa: F811
    field = column("captain", tags=["pii"])
    text = "Captain: Ingrid Holm\n" + TEXT
    given = {"id": "c", "version": "1", "fields": [field, *GOODS["fields"]]}
    theirs = {"line": 1, "thing": "Ingrid Holm", "crates": 12, "price": 6, "note": None}
    artifact, server = run(register, given, *rows([APPLES, theirs]), text=text)
    assert "Ingrid" not in json.dumps(server.seen) and artifact["captain"].value == "Ingrid Holm"
    assert [row["thing"] for row in artifact.normalized_data["goods"]] == ["apples", "Ingrid Holm"]
    assert (artifact["goods"].confidence, notes(artifact)[0][0]) == (0.75, "CONCLUDED_BY_MODEL")


def test_columns_that_the_contract_fills_are_not_asked(register):  # noqa: F811
    filled = contract(
        column("thing"),
        column("crates", "INTEGER"),
        column("price", "DECIMAL"),
        column("sum", "DECIMAL", derive="crates * price"),
    )
    artifact, server = run(register, filled, *rows([APPLES, PEARS]))
    schema = server.seen[0]["response_format"]["json_schema"]["schema"]["properties"]["goods"]
    assert list(schema["properties"]["rows"]["items"]["properties"]) == ["line", "thing", "crates", "price"]
    assert [row["sum"] for row in artifact.normalized_data["goods"]] == [Decimal("13.50"), Decimal("72.00")]


@pytest.mark.parametrize("answer", [{"goods": {"rows": "apples"}}, {"goods": {"quotes": ["apples"]}}, {"goods": 5}])
def test_a_wrong_answer_is_said_to_be_one(register, answer):  # noqa: F811
    def wrong(handler: Any, body: Any) -> None:
        handler.send(json.dumps(completion(body, json.dumps(answer), (10, 1))).encode())

    artifact, _ = run(register, GOODS, wrong)
    assert notes(artifact)[0] == ("CAPABILITY_FAILED", "openai: the answer leaves this field out")


def test_rows_in_rows_and_objects_in_rows_are_asked(register):  # noqa: F811
    parts = {
        "name": "parts",
        "type": "ARRAY",
        "required": True,
        "items": {"fields": [column("sku"), column("n", "INTEGER")]},
    }
    maker = {"name": "maker", "type": "OBJECT", "required": True, "fields": [column("town")]}
    size = {"name": "size", "type": "UNION", "required": False, "branches": [{"type": "DECIMAL"}, {"type": "STRING"}]}
    text = "One lamp from Kiel: 2 of X-1 and 5 of X-22; size 12.5.\n"
    lamp = {
        "line": 1,
        "thing": "lamp",
        "parts": [{"sku": "X-1", "n": 2}, {"sku": "X-22", "n": 5}],
        "maker": {"town": "Kiel"},
        "size": 12.5,
    }
    artifact, server = run(register, contract(column("thing"), parts, maker, size), *rows([lamp]), text=text)
    assert len(server.seen) == 1
    assert artifact.normalized_data["goods"] == [
        {
            "thing": "lamp",
            "parts": [{"sku": "X-1", "n": 2}, {"sku": "X-22", "n": 5}],
            "maker": {"town": "Kiel"},
            "size": Decimal("12.5"),
        }
    ]
    places = {ref.field_path: text[slice(*ref.span)] for ref in artifact["goods"].evidence_refs if ref.span}
    assert places["goods[0].parts[1].sku"] == "X-22" and places["goods[0].maker.town"] == "Kiel"


def test_many_rows_are_grounded_in_time_that_grows_as_they_do(register):  # noqa: F811
    def took(count: int) -> float:
        given = [{"line": n + 1, "thing": f"Apple {n}", "crates": n % 7, "price": n + 0.5} for n in range(count)]
        lines = (f"of {r['thing'].upper()} we sent {r['crates']} crates at {r['price']:.2f} each" for r in given)
        text = "\n".join(lines)
        wide = {"terms": Terms(window_tokens=200_000, max_output_tokens=200_000), "timeout": 60}
        started = time.process_time()
        artifact, _ = run(register, GOODS, *rows(given), text=text, provider=wide)
        assert str(artifact.rows("goods")) == f"{count:,} of {count:,} rows"
        return time.process_time() - started

    took(10)
    few, many = took(150), took(1200)
    assert many < 20 * few
