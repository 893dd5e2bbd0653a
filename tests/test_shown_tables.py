"""Tables that a model reads by their heads while code reads the rows: a thousand rows for a few tokens."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from model_server import serve
from pdf_maker import make_pdf, show
from test_documents_office import make_xlsx
from test_inference_providers import register  # noqa: F401

import paxman
from paxman.api.verification import verify
from paxman.inference import Completion, OpenAI, Request, Terms, failure

HEADS = ("Teil-Nr", "Was es ist", "Stk gesamt", "Wert EUR")
ROWS = [(f"A{n:04d}", f"thing {n}", str(n % 17 + 1), f"{n % 91}.50") for n in range(1000)]
COLUMNS = (("code", "STRING"), ("label", "STRING"), ("count", "INTEGER"), ("worth", "DECIMAL"))
STOCK = {
    "id": "c",
    "version": "1",
    "fields": [
        {"name": "owner", "type": "STRING", "required": True},
        {
            "name": "stuff",
            "type": "ARRAY",
            "required": True,
            "items": {"fields": [{"name": name, "type": kind, "required": True} for name, kind in COLUMNS]},
        },
    ],
}
USE = {"table": "T1", "columns": {"code": "c1", "label": "c2", "count": "c3", "worth": "c4"}, "skip": []}
POLICY = paxman.Policy(allow_remote_inference=True, second_opinion="always")


def as_text(rows: list[tuple[str, ...]] = ROWS) -> str:
    lines = [f"{a:<12}{b:<20}{c:>12}{d:>12}" for a, b, c, d in (HEADS, *rows)]
    return "\n".join(["Holm & Sons, stock taken in May", "", *lines, ""])


def as_markdown() -> str:
    lines = ["|".join(row) for row in (HEADS, ("---",) * 4, *ROWS)]
    return "# Holm & Sons\n\n" + "\n".join(f"|{line}|" for line in lines) + "\n"


def as_html() -> str:
    rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in ROWS)
    return f"<h1>Holm & Sons</h1><table><tr>{''.join(f'<th>{h}</th>' for h in HEADS)}</tr>{rows}</table>"


def as_sheet() -> bytes:
    return make_xlsx(
        {"Stock": {f"{'ABCD'[c]}{n}": v for n, row in enumerate((HEADS, *ROWS), 1) for c, v in enumerate(row)}}
    )


def as_pdf() -> bytes:
    pages = []
    for first in range(0, len(ROWS), 40):
        drawn = [show("Holm & Sons, stock taken in May", 50, 800, 10), show(f"Page {first // 40 + 1}", 280, 40, 8)]
        for n, row in enumerate((HEADS, *ROWS[first : first + 40])):
            drawn += [show(cell, x, 770 - 17 * n, 9) for cell, x in zip(row, (50, 130, 300, 400), strict=True)]
        pages.append(b"".join(drawn))
    return make_pdf(*pages, media="0 0 612 842")


class Reader:
    """A model that reads heads of tables; `rows` is what it gives where it is shown none."""

    name, tier, model = "reader", "remote", "m"
    terms = Terms(price=(1, 5), window_tokens=400_000, max_output_tokens=60_000, most_pieces=1)

    def __init__(self, use: Any = USE, rows: Any = (), fails: bool = False) -> None:
        self.use, self.rows, self.fails = use, list(rows), fails
        self.seen: list[Request] = []
        self.said: list[str] = []

    def close(self) -> None:
        """It keeps no connection."""

    def complete(self, request: Request) -> Completion:
        self.seen.append(request)
        shape = request.schema["properties"].get("stuff", {}).get("properties", {})
        if self.fails and "tables" in shape:
            raise failure("failed", "no such form")
        stuff = {"tables": [self.use] if self.use else [], "rows": None} if "tables" in shape else {"rows": self.rows}
        answer = {"owner": {"value": "Holm & Sons", "lines": [1], "label": None}, "stuff": stuff}
        self.said.append(json.dumps({name: answer[name] for name in request.schema["properties"]}))
        return Completion(self.said[-1], request.size // 3, len(self.said[-1]) // 4)


@pytest.fixture
def ask(register: Any) -> Any:  # noqa: F811
    def run(source: Any, reader: Any) -> Any:
        register(reader)
        return paxman.normalize(source, STOCK, policy=POLICY)

    return run


@pytest.mark.parametrize("made", [as_text, as_markdown, as_html, as_sheet, as_pdf])
def test_a_thousand_rows_are_read_by_the_heads_that_a_model_names(ask, tmp_path, made):
    ends = {as_text: "txt", as_markdown: "md", as_html: "html", as_sheet: "xlsx", as_pdf: "pdf"}
    file = tmp_path / f"stock.{ends[made]}"
    given = made()
    file.write_bytes(given if isinstance(given, bytes) else given.encode())
    reader = Reader()
    artifact = ask(file, reader)
    read = [(row["code"], row["label"], str(row["count"]), f"{row['worth']:.2f}") for row in artifact["stuff"].value]
    assert read == [(a, b, c, f"{float(d):.2f}") for a, b, c, d in ROWS]
    assert (len(reader.seen), len(reader.said[0]) < 300 * 4) == (1, True)
    assert len(reader.seen[0].prompt) < 4_000
    assert {ref.model_id for ref in artifact["stuff"].evidence_refs} == {"m"}
    assert verify(artifact, file, STOCK).problems == ()


def test_rows_that_a_model_skips_are_left_out(ask):
    rows = [*ROWS[:30], ("Summe", "", "", "99.50")]
    reader = Reader({**USE, "skip": [34]})
    assert len(ask(as_text(rows), reader)["stuff"].value) == 30
    [table] = [json.loads(line) for line in reader.seen[0].prompt.splitlines() if line.startswith("{")]
    assert [row["row"] for row in table["rows"]] == [4, 5, 33]
    assert (table["heads"]["c1"], table["of"]) == ("Teil-Nr", 30)


def test_only_rows_that_were_shown_can_be_skipped(ask):
    artifact = ask(as_text(ROWS[:30]), Reader({**USE, "skip": list(range(9, 26))}))
    assert len(artifact["stuff"].value) == 30
    assert "m skips 17 rows that it was not shown" in "".join(note.message for note in artifact["stuff"].diagnostics)
    artifact = ask(as_text(ROWS[:30]), Reader({**USE, "skip": [33]}))
    assert [row["code"] for row in artifact["stuff"].value] == [code for code, *_ in ROWS[:29]]
    assert (str(artifact.rows("stuff")), artifact.rows("stuff").lines["skipped"]) == ("29 of 29 rows", 1)
    [note] = [note for note in artifact["stuff"].diagnostics if note.code == "ROW_REJECTED"]
    assert "m says that it is no record" in note.message
    assert "A0029" in note.message


def in_parts(*parts: list[tuple[str, ...]], heads: tuple[str, ...] = HEADS) -> str:
    tables = ["\n".join(f"|{'|'.join(row)}|" for row in (heads, ("---",) * len(heads), *part)) for part in parts]
    return "# Holm & Sons\n\n" + "".join(f"{table}\n\n## More\n\n" for table in tables)


def test_a_short_table_with_the_heads_of_a_long_one_is_part_of_it(ask):
    reader = Reader()
    artifact = ask(in_parts(ROWS[:30], ROWS[30:35]), reader)
    assert [row["code"] for row in artifact["stuff"].value] == [code for code, *_ in ROWS[:35]]
    assert reader.seen[0].prompt.count('"table"') == 1


def test_short_tables_alone_are_shown_as_lines(ask):
    reader = Reader()
    ask(in_parts(*(ROWS[at : at + 3] for at in range(0, 30, 3))), reader)
    assert '"table"' not in reader.seen[0].prompt


@pytest.mark.parametrize("gives", [True, False])
def test_rows_of_a_table_that_a_model_passes_over_are_told(ask, gives):
    class Beside(Reader):
        def complete(self, request: Request) -> Completion:
            said = json.loads(super().complete(request).text)
            keys, values = ("code", "label", "count", "worth"), ROWS[30:35]
            lines = range(78, 83)
            rows = [{"line": n, **dict(zip(keys, row, strict=True))} for n, row in zip(lines, values, strict=True)]
            said["stuff"]["rows"] = rows if gives else []
            return Completion(json.dumps(said), 500, 50)

    other = in_parts([("Ann", "Mill", "x"), ("Bo", "Hull", "y")] * 10, heads=("Guest", "Town", "Mark"))
    text = in_parts(ROWS[:30]) + other + in_parts(ROWS[30:35])
    artifact = ask(text, Beside())
    stuff, ledger = artifact["stuff"], artifact.rows("stuff")
    assert [row["code"] for row in stuff.value] == [code for code, *_ in ROWS[: 35 if gives else 30]]
    assert (ledger.is_open, ledger.lines.get("unaccounted", 0)) == ((False, 0) if gives else (True, 5))
    assert "MISMATCH" not in {note.code for note in stuff.diagnostics}


@pytest.mark.parametrize(
    "reader",
    [
        {"use": {**USE, "columns": {"code": "c1", "label": "c1", "count": "c2", "worth": "c2"}}},
        {"fails": True},
        {"use": None},
    ],
)
def test_what_code_cannot_read_by_heads_is_asked_row_by_row(ask, reader):
    one = {"line": 4, "code": "A0000", "label": "thing 0", "count": 1, "worth": 0.5}
    asked = Reader(**reader, rows=[one])
    artifact = ask(as_text(ROWS[:20]), asked)
    assert [dict(row)["label"] for row in artifact["stuff"].value] == ["thing 0"]
    assert len(asked.seen) == 2
    assert "4| A0000  thing 0  1  0.50" in asked.seen[1].prompt


def test_what_does_not_fit_as_lines_is_shown_in_pieces(ask):
    class Line(Reader):
        terms = Terms(price=(1, 5), window_tokens=6_000, max_output_tokens=60_000, most_pieces=20)

        def complete(self, request: Request) -> Completion:
            found = re.findall(r"^(\d+)\| (A\d+)  (thing \d+)  (\d+)  ([\d.]+)$", request.prompt, re.M)
            keys = ("code", "label", "count", "worth")
            self.rows = [
                {"line": int(line), **dict(zip(keys, (a, b, int(c), float(d)), strict=True))}
                for line, a, b, c, d in found
            ]
            return super().complete(request)

    reader = Line({**USE, "columns": {"code": "c1", "label": "c1", "count": "c2", "worth": "c2"}})
    artifact = ask(as_text(), reader)
    assert sorted(row["code"] for row in artifact["stuff"].value) == [code for code, *_ in ROWS]
    assert all(request.size <= reader.terms.request_bytes for request in reader.seen)


def test_tables_of_several_pieces_are_one_list(ask):
    class Piecewise(Reader):
        terms = Terms(price=(1, 5), window_tokens=9_000, max_output_tokens=60_000, most_pieces=9)

        def complete(self, request: Request) -> Completion:
            shown = [json.loads(line)["table"] for line in request.prompt.splitlines() if line.startswith('{"table"')]
            said = json.loads(super().complete(request).text)
            said["stuff"] = {"tables": [{**USE, "table": name} for name in shown], "rows": []}
            return Completion(json.dumps(said), request.size // 3, 100)

    between = "\n\n".join(" ".join(f"word {n} of {m} goes on and on" for n in range(12)) for m in range(70))
    text = as_text(ROWS[:40]) + f"\n{between}\n\n" + as_text(ROWS[40:80]).replace("Wert EUR", "Wert USD")
    reader = Piecewise()
    artifact = ask(text, reader)
    assert len(reader.seen) == 2
    assert [row["code"] for row in artifact["stuff"].value] == [code for code, *_ in ROWS[:80]]
    assert str(artifact.rows("stuff")) == "80 of 80 rows"


def test_a_page_without_long_tables_is_shown_once(ask):
    class NoRows(Reader):
        def complete(self, request: Request) -> Completion:
            self.seen.append(request)
            owner = {"value": None, "lines": [], "label": None}
            return Completion(json.dumps({"owner": owner, "stuff": {"tables": [], "rows": []}}), 500, 50)

    reader = NoRows()
    ask(as_text(ROWS[:5]), reader)
    assert len(reader.seen) == 1


@pytest.mark.parametrize(("said", "calls"), [("Incorrect API key provided", 1), ("Invalid schema for 'answer'", 2)])
def test_only_a_refused_schema_is_asked_otherwise(ask, said, calls):
    def refuse(handler: Any, body: Any) -> None:
        handler.send(json.dumps({"error": {"message": said}}).encode(), 400)

    with serve(refuse) as server:
        terms = Terms(window_tokens=400_000, max_output_tokens=60_000, attempts=1)
        artifact = ask(as_text(ROWS[:20]), OpenAI("m", server.url + "/v1", price=(1, 2), terms=terms))
        assert len(server.seen) == calls
    refs = [ref for ref in artifact["owner"].evidence_refs if ref.role == "context"]
    assert [json.loads(ref.detail)["outcome"] for ref in refs] == ["failed"] * calls
    assert said in "".join(note.message for note in artifact["owner"].diagnostics)


def test_a_table_with_other_lines_among_its_rows_is_shown_as_lines(ask):
    text = as_text(ROWS[:20]).replace("A0007", "of which the next is broken, see note 7\nA0007")
    reader = Reader()
    ask(text, reader)
    assert '"table"' not in reader.seen[0].prompt


def test_a_form_of_labels_and_values_is_no_list(ask):
    pairs = "".join(f"<tr><td>Label {'abcdefghijklmnop'[n]}</td><td>value {n}</td></tr>" for n in range(16))
    reader = Reader()
    ask(f"<h1>Holm & Sons</h1><table>{pairs}</table>", reader)
    assert "value 7" in reader.seen[0].prompt
