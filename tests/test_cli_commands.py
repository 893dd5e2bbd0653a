"""The commands as people and scripts run them: output, files and exit codes."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from test_documents_office import make_xlsx

import paxman
from paxman.cli.app import COMMANDS, app
from paxman.cli.demo import SAMPLES as SHOWN

SAMPLES = Path(paxman.__file__).parent / "samples"
ORDERS, ORDERS_CONTRACT = str(SAMPLES / "orders.csv"), str(SAMPLES / "contracts" / "orders.yaml")
INVOICE, CONTRACT = str(SAMPLES / "invoice.txt"), str(SAMPLES / "contracts" / "invoice.json")
SMALL = {
    "id": "order",
    "version": "1",
    "fields": [
        {"name": "number", "type": "STRING", "required": True, "labels": ["Order no."]},
        {"name": "total", "type": "MONEY", "required": True},
    ],
}


@pytest.fixture
def work(tmp_path, monkeypatch):
    """A folder with a contract, a good and a bad document, and no settings from outside."""
    for name in [name for name in os.environ if name.startswith("PAXMAN_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    Path("c.json").write_text(json.dumps(SMALL))
    Path("good.txt").write_text("Order no.: A-1\nTotal: 12.50 EUR\n")
    Path("bad.txt").write_text("Order no.: A-2\n")
    return tmp_path


def run(*arguments, code=0, given=None):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=given)
    assert result.exit_code == code, result.output + repr(result.exception)
    return result.stdout


def run_json(*arguments, **more):
    return json.loads(run(*arguments, "--json", **more))


def test_normalize_prints_lines_with_tabs_when_piped(work):
    lines = run("normalize", "good.txt", "-c", "c.json").splitlines()
    assert lines[1:] == [
        "field\tvalue\tconfidence\tband\torigin\tplace",
        "number\tA-1\t0.80\tHIGH\textracted\tbytes 11-14",
        "total\t12.50 EUR\t0.80\tHIGH\textracted\tbytes 22-31",
    ]


def test_of_what_could_not_be_read_only_the_reason_is_told(work):
    Path("noise.bin").write_bytes(bytes(range(256)) * 8)
    Path("empty.txt").write_bytes(b"")
    advice = "these bytes are no text. Give the original file, or register a reader for its format"
    for name, note in (
        ("noise.bin", f"error: document: {advice} (UNREADABLE_INPUT)"),
        ("empty.txt", "warning: document: the document is empty: nothing was looked for (EMPTY_INPUT)"),
    ):
        assert run("normalize", name, "-c", "c.json", code=1).splitlines()[4:] == [note]


def test_exit_codes(work):
    run("normalize", "good.txt", "-c", "c.json", code=0)
    run("normalize", "bad.txt", "-c", "c.json", code=1)
    run("normalize", "good.txt", "bad.txt", "-c", "c.json", code=1)
    run("normalize", INVOICE, "-c", CONTRACT, code=0)  # only an optional value is missing
    run("normalize", ORDERS, "-c", ORDERS_CONTRACT, code=1)  # a row was lost
    run("normalize", ORDERS, "-c", ORDERS_CONTRACT, "--partial-ok", code=0)
    run("try", "good.txt", "-o", "tried", code=0)
    Path("tried/bad.txt.contract.yaml").write_text(Path("c.json").read_text())
    run("try", "bad.txt", "-o", "tried", code=1)
    run("normalize", "missing.txt", "-c", "c.json", code=2)
    run("normalize", "good.txt", "-c", "missing.json", code=2)
    run("normalize", "good.txt", code=2)
    run("normalize", "good.txt", "-c", "c.json", "--floor", "7", code=2)
    Path("broken.json").write_text('{"id": "x", "fields": []}')
    run("normalize", "good.txt", "-c", "broken.json", code=2)
    Path("no-artifact.json").write_text("{}")
    run("replay", "no-artifact.json", "-c", "c.json", code=3)


@pytest.mark.parametrize("option", [("-o", "out.json"), ("--data",)])
def test_what_is_not_complete_is_said_in_a_pipe_too(work, option):
    orders = (ORDERS, ORDERS_CONTRACT, f"{ORDERS}: PARTIAL_SUCCESS, ")
    for path, contract, said in (("bad.txt", "c.json", "bad.txt: UNRESOLVED, missing: total\n"), orders):
        found = CliRunner().invoke(app, ["normalize", str(path), "-c", str(contract), *option])
        assert (found.exit_code, found.stderr[: len(said)], found.stderr.count("\n")) == (1, said, 1)
    assert CliRunner().invoke(app, ["normalize", "good.txt", "-c", "c.json", *option]).stderr == ""


def test_json_and_data(work):
    artifact = run_json("normalize", "good.txt", "-c", "c.json")
    assert artifact["metadata"] == {"source": "good.txt", "settings": {}}
    assert paxman.replay(artifact, SMALL).status is paxman.Status.SUCCESS
    data = {"number": "A-1", "total": {"amount": "12.50", "currency": "EUR"}}
    assert json.loads(run("normalize", "good.txt", "-c", "c.json", "--data")) == data
    lines = run("normalize", "*.txt", "-c", "c.json", "--data", code=1).splitlines()
    assert [json.loads(line)["number"] for line in lines] == ["A-2", "A-1"]


def test_files_folders_patterns_and_standard_input(work):
    (work / "in").mkdir()
    for number in (3, 1, 2):
        (work / "in" / f"{number}.txt").write_text(f"Order no.: N-{number}\nTotal: {number}.00 EUR\n")
    (work / "in" / ".hidden").write_text("x")
    found = [json.loads(line)["number"] for line in run("normalize", "in", "-c", "c.json", "--data").splitlines()]
    assert found == ["N-1", "N-2", "N-3"]
    assert json.loads(run("normalize", "-", "-c", "c.json", "--data", given="Order no.: S-1\nTotal: 1.00 EUR")) == {
        "number": "S-1",
        "total": {"amount": "1.00", "currency": "EUR"},
    }
    run("normalize", "in", "-c", "c.json", "-o", "out")
    assert len(list((work / "out").glob("*.json"))) == 3


def test_errors_are_json_when_asked(work):
    found = subprocess.run(
        [sys.executable, "-m", "paxman.cli", "contract", "show", "nothing.json", "--json"],
        capture_output=True, text=True, cwd=work,
    )  # fmt: skip
    assert (found.returncode, found.stdout) == (2, "")
    assert json.loads(found.stderr)["error"]["code"] == "INVALID_CONTRACT"


def test_bad_usage_is_json_when_asked(work):
    def said(*arguments):
        found = CliRunner().invoke(app, arguments)
        assert (found.exit_code, found.stdout) == (2, "")
        return json.loads(found.stderr)["error"]

    assert said("normalize", "--json", "good.txt") == {
        "code": "BAD_USAGE",
        "message": "a contract is needed: --contract FILE, or `contract` in paxman.toml",
    }
    assert said("normalise", "--json")["message"].startswith("no command named 'normalise'. Did you mean 'normalize'?")
    assert said("--bad", "plan", "--json")["code"] == "BAD_USAGE"
    assert said("plan", "--json") == {"code": "BAD_USAGE", "message": "Missing argument 'FILE'."}
    assert said("plan", "good.txt", "-c", "none.json", "--json")["code"] == "INVALID_CONTRACT"


def test_written_contracts_are_told_as_json(work):
    assert run_json("contract", "convert", "c.json", "-o", "s.json") == {"contract": "s.json"}
    assert run_json("contract", "init", "good.txt", "-o", "d.json") == {"contract": "d.json"}


def test_documents_of_one_name_get_files_of_their_own(work):
    for folder in ("a", "b"):
        Path(folder).mkdir()
        Path(folder, "x.txt").write_text("Order no.: A-1\nTotal: 12.50 EUR\n")
    run("normalize", "a", "b", "-c", "c.json", "-o", "out")
    sources = {path.name: json.loads(path.read_text())["metadata"]["source"] for path in Path("out").iterdir()}
    stem = "x.txt." + paxman.profile(Path("a/x.txt")).content_hash[:8]
    assert sources == {f"{stem}.json": "a/x.txt", f"{stem}-2.json": "b/x.txt"}


def test_a_result_is_not_written_over_what_it_is_made_from(work):
    before = Path("good.txt").read_text()
    run("normalize", "good.txt", "-c", "c.json", "-o", "./good.txt", code=2)
    run("normalize", "good.txt", "-c", "c.json", "-o", "c.json", code=2)
    run("normalize", "good.txt", "bad.txt", "-c", "c.json", "-o", "c.json", code=2)
    run("normalize", "good.txt", "-c", "c.json", "-o", "a.json")
    run("report", "a.json", "good.txt", "-o", "good.txt", code=2)
    run("report", "a.json", "good.txt", "-o", "a.json", code=2)
    assert (Path("good.txt").read_text(), json.loads(Path("c.json").read_text())) == (before, SMALL)


def test_hidden_folders_stay_closed_and_broken_links_are_told(work):
    for name in ("in/.git/x.txt", "in/sub/.x/y.txt", "in/sub/good.txt"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("Order no.: A-1\nTotal: 12.50 EUR\n")
    Path("in/gone.txt").symlink_to("nowhere.txt")
    found = CliRunner().invoke(app, ["normalize", "in", "-c", "c.json", "--json"])
    assert json.loads(found.stdout)["metadata"] == {"source": "in/sub/good.txt", "settings": {}}
    assert found.exit_code == 3
    assert json.loads(found.stderr)["error"]["message"] == "in/gone.txt: a link to a file that does not exist"


def test_a_source_that_cannot_be_read_is_a_failure(work, monkeypatch):
    Path("gone.txt").symlink_to("nowhere.txt")
    for names in (["gone.txt"], ["good.txt", "gone.txt"], ["gone.txt", "bad.txt"], ["g*.txt"]):
        found = CliRunner().invoke(app, ["normalize", *names, "-c", "c.json"])
        assert (found.exit_code, found.stderr) == (3, "Error: gone.txt: a link to a file that does not exist\n")

    def closed(folder, onerror):
        onerror(PermissionError(13, "Permission denied", "in/closed"))
        yield "in", [], ["good.txt"]

    Path("in/closed").mkdir(parents=True)
    Path("in/good.txt").write_text(Path("good.txt").read_text())
    monkeypatch.setattr("os.walk", closed)
    found = CliRunner().invoke(app, ["normalize", "in", "-c", "c.json"])
    assert (found.exit_code, found.stderr.split(": ")[1]) == (3, "in/closed")


@pytest.mark.parametrize("arguments", [("read", "big.txt"), ("normalize", "in", "-c", "c.json"), ("--help",)])
def test_who_stops_reading_hears_no_more(work, arguments):
    Path("big.txt").write_text("Order no.: A-1\n" * 20_000)
    Path("in").mkdir()
    for number in range(20):
        Path("in", f"{number}.txt").write_text(Path("good.txt").read_text())
    reading, writing = os.pipe()
    os.close(reading)
    found = subprocess.run(
        [sys.executable, "-m", "paxman.cli", *arguments], stdout=writing, stderr=subprocess.PIPE, text=True
    )
    os.close(writing)
    assert (found.returncode, found.stderr) == (141, "")


def test_what_cannot_be_written_is_named(work):
    found = CliRunner().invoke(app, ["normalize", "good.txt", "-c", "c.json", "-o", "good.txt/x.json"])
    assert (found.exit_code, found.stderr) == (
        3,
        "Error: good.txt/x.json cannot be written: good.txt: File exists\n",
    )


@pytest.mark.parametrize("place", ["/proc/x/y.json", "/dev/full", "good.txt/x.json"])
def test_whatever_cannot_be_written_is_one_failure(work, place):
    run("normalize", "good.txt", "-c", "c.json", "-o", "a.json")
    ends = [("normalize", "good.txt", "-c", "c.json", "-o", place), ("report", "a.json", "good.txt", "-o", place)]
    for arguments in [*ends, ("contract", "convert", "c.json", "-o", f"{place}/c.json")]:
        found = CliRunner().invoke(app, [*arguments, "--json"])
        said = json.loads(found.stderr)["error"]
        assert (found.exit_code, said["code"], " cannot be written: " in said["message"]) == (3, "FILE_ERROR", True)


def test_every_error_of_a_contract_is_told_as_json(work):
    wrong = [{"name": "a", "type": "NOPE"}, {"type": "STRING", "required": True}]
    Path("wrong.json").write_text(json.dumps({"id": "x", "version": "1", "fields": wrong}))
    found = CliRunner().invoke(app, ["normalize", "good.txt", "-c", "wrong.json", "--json"])
    errors = json.loads(found.stderr)["error"]["errors"]
    assert [each["code"] for each in errors] == ["MISSING_REQUIRED_FLAG", "UNKNOWN_FIELD_TYPE", "MISSING_FIELD_NAME"]
    assert errors == run_json("contract", "check", "wrong.json", code=2)["errors"]


def test_a_document_that_cannot_be_read_is_a_failure(work):
    Path("broken.pdf").write_bytes(b"%PDF-1.4 and no more")
    assert "the PDF is damaged" in run("read", "broken.pdf", code=3)
    assert run_json("read", "broken.pdf", code=3)["notes"][0]["code"] == "UNREADABLE_INPUT"
    found = CliRunner().invoke(app, ["contract", "init", "broken.pdf", "--json"])
    said = json.loads(found.stderr)["error"]
    assert (found.exit_code, said["code"]) == (3, "UNREADABLE_INPUT")
    assert said["message"].startswith("the example cannot be read: the PDF is damaged")


def test_each_cell_has_its_own_address(work):
    Path("x.csv").write_text('Note: as of May\nsku,qty\n"a\nb",1\nc,\n')
    found = run_json("read", "x.csv", "--show", "addresses")["addresses"]
    assert [(each["place"], each["text"]) for each in found] == [
        ("cell A1", "Note: as of May"), ("cell A2", "sku"), ("cell B2", "qty"),
        ("cell A3", '"a\nb"'), ("cell B3", "1"), ("cell A4", "c"),
    ]  # fmt: skip
    Path("x.xlsx").write_bytes(make_xlsx({"One": {"B3": "sku", "C3": "qty", "B4": "a", "C4": 1, "F9": "x"}}))
    found = run_json("read", "x.xlsx", "--show", "addresses")["addresses"]
    assert [(each["place"], each["text"]) for each in found] == [
        ("cell One!B3", "sku"), ("cell One!C3", "qty"), ("cell One!B4", "a"), ("cell One!C4", "1"),
        ("cell One!F9", "x"),
    ]  # fmt: skip


def test_a_strict_verification_runs_with_the_settings_of_the_artifact(work, monkeypatch):
    dated = {**SMALL, "fields": [{"name": "date", "type": "DATE", "required": True}]}
    Path("d.json").write_text(json.dumps(dated))
    Path("d.txt").write_text("Date: 03/04/2025\n")
    run(
        "normalize", "d.txt", "-c", "d.json", "--locale", "en_US", "--max-cost", "0.5", "--floor", "0.7", "-o", "a.json"
    )
    strict = ("verify", "a.json", "d.txt", "-c", "d.json", "--strict")
    told = "run again as the artifact records: locale en_US, budget.max_total_cost_usd 0.5, policy.confidence_floor 0.7"
    assert run(*strict).splitlines()[:-1] == [told]
    monkeypatch.setenv("PAXMAN_LOCALE", "de_DE")
    run(*strict)
    assert run(*strict, "--locale", "de_DE", code=3).splitlines()[:3] == [
        "wrong: date: the second run gives another value",
        told.replace("locale en_US, ", ""),
        "hint: locale was en_US and is de_DE",
    ]
    policy = paxman.Policy(locale="en_US")
    Path("a.json").write_text(paxman.normalize(Path("d.txt"), dated, policy=policy).to_json())
    hint = run_json(*strict, code=3)["hint"]
    assert hint.startswith("the artifact does not record its settings; give those it was made with")
    run("correct", "a.json", "date=2025-04-03", "--by", "Ann", "-c", "d.json")
    assert run(*strict, code=3).splitlines()[-2] == "hint: what is not checkable is accepted with --allow-unrecorded"
    run(*strict, "--allow-unrecorded")


def test_an_artifact_does_not_say_what_may_be_sent():
    from paxman.config import load_settings

    recorded = {"policy.allow_remote_inference": True, "policy.allow_remote_pii": True, "policy.log_raw_input": True,
                "policy.record_inference_io": True, "locale": "en_US", "policy.confidence_floor": 0.5}  # fmt: skip
    used = load_settings({}, {}).as_recorded(recorded)
    assert used.policy == paxman.Policy(locale="en_US", confidence_floor=0.5)


def test_replay_gives_columns_in_the_order_of_the_contract(work):
    columns = [{"name": name, "type": "STRING", "required": True} for name in ("sku", "amount")]
    rows = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    Path("r.json").write_text(json.dumps({**SMALL, "fields": [rows]}))
    Path("r.csv").write_text("amount,sku\n1,a\n")
    run("normalize", "r.csv", "-c", "r.json", "-o", "a.json")
    assert list(run_json("replay", "a.json", "-c", "r.json")["data"]["rows"][0].items()) == [
        ("sku", "a"),
        ("amount", "1"),
    ]
    assert run("explain", "a.json", "rows").splitlines()[0] == 'rows = [{"sku": "a", "amount": "1"}]'
    assert run("normalize", "r.csv", "-c", "r.json").splitlines()[2].split("\t")[:2] == ["rows", "1 of 1 row"]


def test_what_is_written_is_named_on_a_pipe_too(work):
    assert run("normalize", "good.txt", "-c", "c.json", "-o", "a.json") == "written: a.json\n"


def test_a_folder_without_the_documents_is_told(work):
    run("normalize", "good.txt", "-c", "c.json", "-o", "out/")
    (work / "other").mkdir()
    (work / "other" / "else.txt").write_text("x")
    found = CliRunner().invoke(app, ["report", "out", "other"])
    assert (found.exit_code, found.stderr) == (
        3,
        "1 file could not be used:\nother: none of the documents that the artifacts were made from\n",
    )
    run("report", "out", ".")


def test_an_artifact_is_not_written_as_a_table(work):
    found = CliRunner().invoke(app, ["normalize", "good.txt", "-c", "c.json", "-o", "out.csv"])
    said = (
        "out.csv: an artifact is JSON, so let the name end in .json; "
        "for a table: paxman batch FILES --contract CONTRACT --output FOLDER --format csv"
    )
    assert (found.exit_code, said in found.stderr, (work / "out.csv").exists()) == (2, True, False)


def test_the_package_runs_as_a_module():
    found = subprocess.run([sys.executable, "-m", "paxman", "version"], capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (0, f"{paxman.__version__}\n")


def test_config_shows_the_model_of_the_environment(work, monkeypatch):
    monkeypatch.setenv("PAXMAN_MODEL", "openai:gpt-4o-mini")
    assert "model\topenai:gpt-4o-mini\tPAXMAN_MODEL\tPAXMAN_MODEL" in run("config").splitlines()
    assert run_json("config")["model"] == {"value": "openai:gpt-4o-mini", "origin": "PAXMAN_MODEL"}


SHEETS = [
    (
        {"One": {"B3": "item", "C3": "qty", "D3": "price", "B4": "bolt", "C4": 3, "D4": 1.5, "F9": "Total", "G9": 4.5},
         "Two": {"A1": "Invoice no.", "B1": "Q-9"}},
        {"total": "DECIMAL", "invoice_number": "STRING",
         "one": {"item": "STRING", "qty": "INTEGER", "price": "DECIMAL"}},
    ),
    (
        {"F": {"A1": "Customer", "B1": "Anna Weber", "A2": "Invoice no.", "B2": "Q-9", "A3": "Total", "B3": 4.5}},
        {"buyer": "STRING", "invoice_number": "STRING", "total": "DECIMAL"},
    ),
    (
        {"F": {"A1": "sku", "B1": "qty", "C1": "price", "A2": "a", "B2": 1, "C2": 1.5, "A3": "Total", "C3": 1.5}},
        {"total": "DECIMAL", "f": {"sku": "STRING", "qty": "INTEGER", "price": "DECIMAL"}},
    ),
    ({"F": {"A1": "sku", "B1": "2024", "A2": "a", "B2": 1}}, {"f": {"sku": "STRING", "field_2024": "INTEGER"}}),
]  # fmt: skip


@pytest.mark.parametrize(("sheets", "expected"), SHEETS)
def test_contract_init_takes_pairs_and_tables_of_a_workbook(work, sheets, expected):
    Path("book.xlsx").write_bytes(make_xlsx(sheets))
    run("contract", "init", "book.xlsx", "-o", "book.json")
    assert outline(json.loads(Path("book.json").read_text())["fields"]) == expected


def test_report_takes_the_document_from_standard_input(work):
    run("normalize", "good.txt", "-c", "c.json", "-o", "a.json")
    run("report", "a.json", "-", given=Path("good.txt").read_text())
    assert ">A-1</mark>" in Path("report.html").read_text()
    run("report", "a.json", "-", given="another", code=3)


def test_a_pipe_is_a_document_too(work):
    reading, writing = os.pipe()
    os.write(writing, b"Order no.: A-1\n")
    os.close(writing)
    assert run_json("profile", f"/dev/fd/{reading}")["size"] == 15
    os.close(reading)


def test_json_is_json_in_a_narrow_encoding(work):
    Path("c2.json").write_text(json.dumps({**SMALL, "fields": [{"name": "who", "type": "STRING", "required": True}]}))
    Path("u.txt").write_text("Who: Söhne € 😀\n", "utf-8")
    found = subprocess.run(
        [sys.executable, "-m", "paxman.cli", "normalize", "u.txt", "-c", "c2.json", "--data"],
        capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, cwd=work,
    )  # fmt: skip
    assert json.loads(found.stdout) == {"who": "Söhne € 😀"}


def test_plan_runs_nothing_and_says_why_not(work):
    plan = run_json("plan", "good.txt", "-c", "c.json")
    assert plan["replay_hash"] == paxman.plan(work / "good.txt", SMALL).replay_hash
    assert run("plan", "good.txt", "-c", "c.json").splitlines()[3:4] == ["left out for 8 reasons; --all says which"]
    text = run("plan", "good.txt", "-c", "c.json", "--all")
    assert (
        "not: regex_extraction: the field has no pattern constraint and no regex: tag (all fields) (NO_PATTERN)" in text
    )
    assert text.splitlines()[-1].startswith("at most: $0, 0 tokens")
    assert [each for each in text.splitlines() if "inference: " in each] == [
        "not: inference: remote models are not allowed: --remote, and a "
        "[provider] in paxman.toml (all fields) (POLICY_EXCLUDES_REMOTE_INFERENCE)",
        "not: inference: no local model is configured: name one under [provider] in paxman.toml, or in "
        "PAXMAN_MODEL (all fields) (NO_PROVIDER)",
    ]


def test_a_label_for_one_run_finds_what_the_contract_does_not_name(work):
    Path("odd.txt").write_text("Order no.: A-1\nZorp: 12.50 EUR\n")
    run("normalize", "odd.txt", "-c", "c.json", code=1)
    assert run_json("normalize", "odd.txt", "-c", "c.json", "--label", "total=Zorp", "--data")["total"] == {
        "amount": "12.50",
        "currency": "EUR",
    }
    run("normalize", "odd.txt", "-c", "c.json", "--label", "Zorp", code=2)


def test_commands_on_contracts_take_labels_and_settings(work):
    given = ["--label", "total=Zorp", "--set", "locale=de_DE"]
    assert run("contract", "show", "c.json", *given).splitlines()[-1] == "total\tMONEY\tyes\tZorp\t"
    assert run_json("contract", "convert", "c.json", "--format", "dict_dsl", *given)["fields"][1]["labels"] == ["Zorp"]
    plain, labelled = run_json("contract", "check", "c.json"), run_json("contract", "check", "c.json", *given)
    assert (plain["hash"] == labelled["hash"], labelled["valid"]) == (False, True)


def test_explain_tells_evidence_sum_and_steps(work):
    run("normalize", INVOICE, "-c", CONTRACT, "-o", "a.json")
    told = run("explain", "a.json", "total", "-s", INVOICE).splitlines()
    assert told.pop(7).startswith("    signs: fit +1.00, ")
    assert told[:10] == [
        "total = 1487.50 EUR",
        "  origin: extracted, cost $0, 0 tokens, 3 steps",
        "  confidence: 0.85 HIGH = +0.50 base +0.10 agreeing candidates +0.10 evidence +0.10 validation "
        "+0.05 capabilities, target 0.80",
        "  evidence: text_extraction 1.0, total, bytes 319-331",
        "    | Rechnungsbetrag: [1.487,50 EUR]",
        "    name: 'rechnungsbetrag' says 'Rechnungsbetrag'",
        "    place: the value stands behind the name",
        "    -> slice:0-8: 1.487,50",
        "    -> decimal:,: 1487.50",
        "    -> money:EUR: 1487.50 EUR",
    ]
    assert "purchase_order is not stated" in run("explain", "a.json", "purchase_order")
    assert len(run_json("explain", "a.json")) == 10
    run("explain", "a.json", "totl", code=2)


def test_explain_names_the_rival_and_why_it_lost(work):
    contract = {"id": "c", "version": "1", "fields": [
        {"name": "n", "type": "STRING", "required": True, "tags": ["regex:INV-\\d+"]}]}  # fmt: skip
    Path("rival.json").write_text(json.dumps(contract))
    Path("two.txt").write_text("see INV-1 and INV-2")
    run("normalize", "two.txt", "-c", "rival.json", "-o", "a.json")
    story = run_json("explain", "a.json", "n", "-s", "two.txt")[0]
    assert [(view["role"], view["quote"]) for view in story["evidence"]] == [
        ("supporting", "INV-1"),
        ("rejected", "INV-2"),
    ]
    assert story["lost"] == [["INV-2", "as much evidence from the same step, which put it second"]]
    assert ["conflict", -15] in story["rubric"]["parts"]
    assert sum(points for _, points in story["rubric"]["parts"]) / 100 == story["confidence"]


def lost(document, *fields, checks=(), field="n", code=0):
    contract = {"id": "c", "version": "1", "fields": [
        {"type": "STRING", "required": True, **field} for field in fields], "constraints": list(checks)}  # fmt: skip
    Path("rival.json").write_text(json.dumps(contract))
    Path("doc.txt").write_text(document)
    run("normalize", "doc.txt", "-c", "rival.json", "-o", "a.json", code=code)
    return run_json("explain", "a.json", field)[0]["lost"]


def test_explain_tells_the_rule_that_decided(work):
    number = {"name": "n", "tags": ["regex:INV-\\d+"]}
    assert lost("INV-1 INV-2 INV-2", number) == [["INV-1", "less confidence: 0.65 against 0.80"]]
    amount = {"name": "n", "type": "DECIMAL", "tags": ["regex:(?P<value>\\d\\.\\d\\d) pieces"]}
    check = {"kind": "check", "params": {"expr": "n == m"}}
    other = {"name": "m", "type": "DECIMAL", "labels": ["Sum"]}
    found = lost("5.00 pieces or 7.00 pieces\nSum: 7.00", amount, other, checks=[check])
    assert found == [["5.00", "a check of the contract fails with it"]]
    short = {**number, "constraints": [{"kind": "max_length", "params": {"max": 5}}]}
    assert lost("INV-1 and INV-22", short) == [["INV-22", "longer than 5 characters"]]


def test_replay_and_verify(work):
    run("normalize", "good.txt", "-c", "c.json", "-o", "a.json")
    assert run("replay", "a.json", "-c", "c.json").startswith("verified: order, SUCCESS, hash ")
    assert run_json("verify", "a.json", "good.txt", "-c", "c.json", "--strict")["passed"] is True
    assert (
        run("verify", "a.json", "bad.txt", code=3)
        == "not verified: bad.txt is not the document that the artifact was made from\n"
    )
    Path("a.json").write_text(Path("a.json").read_text().replace("A-1", "A-9"))
    run("replay", "a.json", "-c", "c.json", code=3)
    assert run_json("verify", "a.json", "good.txt", code=3)["passed"] is False


def test_diff_says_what_changed_and_why(work):
    run("normalize", "good.txt", "-c", "c.json", "-o", "a.json")
    Path("good.txt").write_text("Order no.: A-1\nTotal: 13.00 EUR\n")
    run("normalize", "good.txt", "-c", "c.json", "-o", "b.json")
    found = run_json("diff", "a.json", "b.json", code=1)
    assert list(found["causes"]) == ["input"]
    assert [(change["field_path"], change["reasons"]) for change in found["changes"]] == [
        ("total", ["input", "evidence"])
    ]
    lines = run("diff", "a.json", "b.json", code=1).splitlines()
    assert lines[1:] == ["total: input, evidence", "  - 12.50 EUR", "  + 13.00 EUR", "1 of 2 fields changed"]
    assert run("diff", "a.json", "a.json") == "0 of 2 fields changed\n"
    Path("c.json").write_text(json.dumps({**SMALL, "fields": SMALL["fields"][:1]}))
    run("normalize", "good.txt", "-c", "c.json", "-o", "d.json")
    found = run_json("diff", "b.json", "d.json", code=1)
    assert (list(found["causes"]), [change["reasons"] for change in found["changes"]]) == (
        ["contract"],
        [["not in the second"]],
    )


def test_contract_check_show_convert(work):
    assert run("contract", "check", "c.json").startswith("valid: order 1, 2 fields")
    assert run_json("contract", "check", "c.json")["valid"] is True
    Path("broken.json").write_text('{"id": "x", "fields": [{"name": "a", "type": "TEXT"}]}')
    codes = [error["code"] for error in run_json("contract", "check", "broken.json", code=2)["errors"]]
    assert sorted(codes) == ["MISSING_REQUIRED_FLAG", "UNKNOWN_FIELD_TYPE"]
    assert "total\tMONEY\tyes" in run("contract", "show", "c.json")
    run("contract", "convert", "c.json", "--to", "json_schema", "-o", "schema.json")
    from paxman.contract import adapt

    assert adapt(Path("schema.json")).content_hash == adapt(SMALL).content_hash
    run("contract", "convert", "c.json", "-o", "schema.json", code=2)


def test_contract_init_from_a_document_reads_that_document(work):
    run("contract", "init", "good.txt", "-o", "started.yaml")
    data = json.loads(run("normalize", "good.txt", "-c", "started.yaml", "--data"))
    assert data == {"order_number": "A-1", "total": {"amount": "12.50", "currency": "EUR"}}


def outline(fields):
    """Names and types of a drafted contract, with a mark on what is optional."""
    return {
        field["name"]: outline(field["items"]["fields"])
        if field["type"] == "ARRAY"
        else field["type"] + ("" if field["required"] else "?")
        for field in fields
    }


def test_contract_init_drafts_pairs_and_one_array_from_a_pdf(work):
    run("contract", "init", SAMPLES / "invoice.pdf", "-o", "pdf.json")
    assert outline(json.loads(Path("pdf.json").read_text())["fields"]) == {
        "invoice_number": "STRING", "invoice_date": "DATE", "seller": "STRING", "buyer": "STRING", "due_date": "DATE",
        "net_amount": "MONEY", "tax": "MONEY", "amount_due": "MONEY",
        "line_items": {"description": "STRING", "quantity": "INTEGER", "unit_price": "DECIMAL", "amount": "DECIMAL"},
    }  # fmt: skip
    data = json.loads(run("normalize", SAMPLES / "invoice.pdf", "-c", "pdf.json", "--data"))
    assert data["tax"] == {"amount": "98.20", "currency": "GBP"}
    assert [row["amount"] for row in data["line_items"]] == ["255.00", "108.00", "128.00"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("two.csv", "name,price\nPear,1.20\nPlum,\n", {"line_items": {"name": "STRING", "price": "DECIMAL?"}}),
        ("pairs.csv", "key,value\nOrder no,0042\nDays,14\n", {"order_no": "STRING", "days": "INTEGER"}),
        ("head.txt", "ACME SUPPLIES LTD\n4 Quay Street, Whitby\n\nTotal: 12.50\n", {"total": "DECIMAL"}),
        ("same.json", '{"order-id": "A", "order_id": "B"}', {"order_id": "STRING"}),
        (
            "order.xml",
            '<o id="A-1"><total currency="EUR">12.50</total><l><n>2</n></l><l><n>3</n></l></o>',
            {"id": "STRING", "total": "MONEY", "l": {"n": "INTEGER"}},
        ),
    ],
)
def test_contract_init_finds_the_shape_of_a_document(work, name, text, expected):
    Path(name).write_text(text)
    run("contract", "init", name, "-o", "started.json")
    assert outline(json.loads(Path("started.json").read_text())["fields"]) == expected
    run("normalize", name, "-c", "started.json")


def test_contract_init_from_a_payload(work):
    payload = {
        "orderId": "A", "paid": True, "n": 3, "when": "2025-01-02", "rate": 1.5, "tags": ["a"], "none": None,
        "price": {"amount": "1", "currency": "EUR"}, "lines": [{"sku": "x", "qty": 1}, {"sku": "y"}],
        "buyer": {"name": "B"},
    }  # fmt: skip
    Path("payload.json").write_text(json.dumps(payload))
    started = json.loads(run("contract", "init", "payload.json"))
    assert {field["name"]: field["type"] for field in started["fields"]} == {
        "orderId": "STRING", "paid": "BOOLEAN", "n": "INTEGER", "when": "DATE", "rate": "DECIMAL", "price": "MONEY",
        "lines": "ARRAY", "buyer": "OBJECT", "tags": "ARRAY", "none": "STRING",
    }  # fmt: skip
    Path("started.json").write_text(json.dumps(started))
    data = json.loads(run("normalize", "payload.json", "-c", "started.json", "--data", "--partial-ok"))
    assert {name: data[name] for name in ("orderId", "n", "when")} == {"orderId": "A", "n": 3, "when": "2025-01-02"}


def test_profile_read_and_plugins(work):
    assert run_json("profile", "good.txt")["input_type"] == "text"
    seen = run_json("read", "good.txt")
    assert seen["text"] == Path("good.txt").read_text()
    assert seen["pairs"] == [{"label": "Order no.", "value": "A-1"}, {"label": "Total", "value": "12.50 EUR"}]
    assert seen["addresses"][1] == {"span": [15, 31], "text": "Total: 12.50 EUR", "place": "bytes 15-31"}
    assert "A-1001\tCafé Morgenrot\t2025-02-03" in run("read", SAMPLES / "orders.csv", "--show", "tables")
    found = {(row["kind"], row["name"]) for row in run_json("plugins")}
    assert {("capability", "lookup"), ("reader", "pdf"), ("adapter", "openapi")} <= found


def test_config_shows_origins_and_flags_win(work):
    Path("paxman.toml").write_text('locale = "de_DE"\ncontract = "c.json"\n')
    found = run_json("config", "--floor", "0.9", "--set", "policy.optional_fields=all")
    assert found["locale"] == {"value": "de_DE", "origin": str(work / "paxman.toml")}
    assert found["policy.confidence_floor"] == {"value": 0.9, "origin": "flag"}
    assert found["policy.optional_fields"] == {"value": "all", "origin": "flag"}
    run("normalize", "good.txt")
    run("config", "--set", "policy.flor=1", code=2)
    Path("paxman.toml").write_text('[provider]\nuse = "a:B"\napi_key = "sk-secret"\n')
    text = run("config")
    assert ("sk-secret" in text + json.dumps(run_json("config")), "PAXMAN_LABELS" in text) == (False, False)
    run("config", "--set", "nothing", code=2)


def test_a_pydantic_model_by_name(work):
    Path("my_models.py").write_text("from pydantic import BaseModel\nclass Order(BaseModel):\n    total: str\n")
    assert json.loads(run("normalize", "good.txt", "-c", "my_models:Order", "--data")) == {"total": "12.50 EUR"}
    run("normalize", "good.txt", "-c", "my_models:Oder", code=2)


def test_unknown_names_suggest_the_nearest(work):
    def said(*arguments):
        return CliRunner().invoke(app, arguments).output

    assert "Did you mean 'normalize'" in said("normalise")
    assert "Did you mean" in said("normalize", "--contrac", "x")


def test_a_document_cannot_steer_the_terminal(work):
    Path("evil.txt").write_text("Order no.: A\x1b]0;owned\x07\x1b[2J\nTotal: 1.00 EUR\n")
    assert "\x1b" not in CliRunner().invoke(app, ["normalize", "evil.txt", "-c", "c.json"]).output
    assert "\x1b" not in run("read", "evil.txt")


def test_demo_writes_a_report_and_names_it(work):
    last = run("demo").splitlines()[-1]
    assert last == f"Open {work / 'demo-output' / 'report' / 'index.html'} in a browser."
    assert len(list((work / "demo-output").glob("*.artifact.json"))) == len(SHOWN)


def test_demo_leaves_out_samples_whose_extra_is_missing(work, monkeypatch):
    monkeypatch.setattr("paxman.cli.demo.find_spec", lambda module: None)
    said = run("demo").splitlines()
    assert [text for text in said if text.startswith("Left out")] == [
        "Left out: invoice.pdf. To read it: pip install '.[pdf]' in a checkout of Paxman",
        "Left out: receipt.png. To read it: pip install '.[ocr]' in a checkout of Paxman",
        "Left out: stock.xlsx. To read it: pip install '.[office]' in a checkout of Paxman",
    ]
    assert [text.split()[1] for text in said if re.match(r"  \S", text)] == ["try", "explain", "review", "learn"]


def test_try_drafts_a_contract_once_and_then_uses_it(work, monkeypatch):
    opened = []
    monkeypatch.setattr("click.launch", opened.append)
    Path("go.txt").write_text("Order no.: A-1\nTotal: 12.50 EUR\n")
    said = run("try", "go.txt").splitlines()
    assert said[1:4] == [
        "field\tvalue\tconfidence\tband\torigin\tplace",
        "order_number\tA-1\t0.80\tHIGH\textracted\tbytes 11-14",
        "total\t12.50 EUR\t0.80\tHIGH\textracted\tbytes 22-31",
    ]
    assert said[-1] == "next: paxman explain paxman-try/go.txt.artifact.json order_number --source go.txt"
    contract = Path("paxman-try/go.txt.contract.yaml")
    contract.write_text(contract.read_text().replace("name: total", "name: sum"))
    again = run_json("try", "go.txt")
    assert again["data"] == {"order_number": "A-1", "sum": {"amount": "12.50", "currency": "EUR"}}
    assert sorted(path.name for path in Path("paxman-try").iterdir()) == [
        "go.txt.artifact.json", "go.txt.contract.yaml", "go.txt.html"]  # fmt: skip
    assert opened == []  # there is no terminal, and so nobody to look


def test_demo_shows_a_row_for_each_mail_of_a_mailbox(work):
    rows = [line.split("\t") for line in run("demo").splitlines() if line.startswith("orders.mbox/")]
    assert rows == [
        ["orders.mbox/1.eml", "SUCCESS", "2025-06-02", "CM-118", "412.50 GBP"],
        ["orders.mbox/2.eml", "SUCCESS", "2025-06-10", "FB-77", "980.00 EUR"],
        ["orders.mbox/3.eml", "SUCCESS", "2025-06-09", "CM-118", "412.50 GBP"],
    ]


def test_completion_and_version(work):
    assert run("version") == f"{paxman.__version__}\n"
    assert run_json("version") == {"version": paxman.__version__}
    for shell in ("bash", "zsh", "fish"):
        assert "_PAXMAN_COMPLETE" in run("completion", shell)


def test_the_shell_completes_commands_options_and_files(work):
    def completed(*words):
        asked = {"_PAXMAN_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
        command = [sys.executable, "-c", "from paxman.cli import main; main()"]
        return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **asked}).stdout.split()

    assert completed("paxman", "nor") == ["plain,normalize"]
    assert completed("paxman", "normalize", "--opt") == ["plain,--optional"]
    assert completed("paxman", "normalize", "go") == ["file,go"]
    assert completed("paxman", "plan", "-c", "c.") == ["file,c."]


def test_every_command_has_json():
    for name in COMMANDS:
        command = app.get_command(None, name)
        leaves = command.commands.values() if hasattr(command, "commands") else [command]
        assert all("--json" in {flag for option in leaf.params for flag in option.opts} for leaf in leaves), name


def test_output_survives_a_narrow_encoding(work):
    Path("c2.json").write_text(json.dumps({**SMALL, "fields": [{"name": "who", "type": "STRING", "required": True}]}))
    Path("u.txt").write_text("Who: Söhne €\n", "utf-8")
    found = subprocess.run(
        [sys.executable, "-m", "paxman.cli", "normalize", "u.txt", "-c", "c2.json"],
        capture_output=True, env={**os.environ, "PYTHONIOENCODING": "latin-1"}, cwd=work,
    )  # fmt: skip
    assert (found.returncode, b"S\xf6hne \\u20ac" in found.stdout) == (0, True)


def test_the_terminal_gets_tables(work, monkeypatch):
    from paxman.cli import output

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    output.table(("field", "band"), [("[bold]total", "HIGH")])
    assert "[bold]total" in screen.getvalue()
    assert "\t" not in screen.getvalue()


def at_terminal(*arguments, width=80):
    """What a command shows on a real terminal of this width, without colours."""
    import fcntl
    import pty
    import struct
    import termios

    near, far = pty.openpty()
    fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    with subprocess.Popen([sys.executable, "-m", "paxman.cli", *arguments], stdout=far, stderr=far) as running:
        os.close(far)
        shown = b""
        with contextlib.suppress(OSError):  # how Linux says that the other side was closed
            while part := os.read(near, 1 << 16):
                shown += part
    os.close(near)
    return (running.returncode, [found.rstrip() for found in re.sub(r"\x1b\[[\d;]*m", "", shown.decode()).splitlines()])


def test_files_with_odd_names(work):
    """Bytes that are no text, a line break, what a shell or a spreadsheet would take for its own."""
    names = [b"a\nb.txt", b"\xff\xfe.txt", b"-rf.txt", b"$(x).txt", "\u202egpj.txt".encode(), b"=1+1.txt", b"' \".txt"]
    Path("odd").mkdir()
    for name in names:
        Path("odd", os.fsdecode(name)).write_bytes(Path("good.txt").read_bytes())
    shown = run("normalize", "odd", "-c", "c.json", "-o", "out")
    assert (len(shown.splitlines()), len(list(Path("out").iterdir()))) == (7, 7)
    assert "\u202e" not in shown
    artifacts = [json.loads(path.read_bytes()) for path in Path("out").iterdir()]
    assert "odd/??.txt" in {artifact["metadata"]["source"] for artifact in artifacts}


def test_json_on_a_terminal_does_not_steer_it(work):
    """Piped it is the very text; on a terminal the same data, with what a terminal obeys as escapes."""
    Path("c2.json").write_text(json.dumps({**SMALL, "fields": [{"name": "who", "type": "STRING", "required": True}]}))
    Path("u.json").write_text(json.dumps({"who": "a\u202etxt.exe\u2066b\x9b31mc\x1b[2Jd\u200fSöhne"}), "utf-8")
    code, shown = at_terminal("normalize", "u.json", "-c", "c2.json", "--data")
    assert (code, [c for c in "\n".join(shown) if ord(c) in (0x1B, 0x9B, 0x200F, 0x202E, 0x2066)]) == (0, [])
    assert "Söhne" in "\n".join(shown)
    piped = subprocess.run(
        [sys.executable, "-m", "paxman.cli", "normalize", "u.json", "-c", "c2.json", "--data"],
        capture_output=True, text=True, check=True, encoding="utf-8",
    )  # fmt: skip
    assert json.loads("\n".join(shown)) == json.loads(piped.stdout)
    assert "\u202e" in piped.stdout


def test_what_a_document_says_does_not_steer_a_terminal(work):
    """Neither values, nor labels, nor heads of columns; nor the source of a model that is drafted from them."""
    hidden = "X\u202eb\u2066\U000e0041"
    Path("h.txt").write_text(f"Buyer{hidden}: Acme{hidden}\nTotal: 5.00\n", "utf-8")
    Path("h.csv").write_text(f"item{hidden},[bold]qty\nBolt{hidden},2\n", "utf-8")
    commands = ["read h.txt", "read h.csv", "contract init h.txt", "contract init h.txt --format pydantic"]
    shown = {command: at_terminal(*command.split()) for command in commands}
    assert {command: code for command, (code, _) in shown.items()} == dict.fromkeys(commands, 0)
    assert [found for _, lines in shown.values() for found in lines if set(found) & set("\u202e\u2066\U000e0041")] == []
    assert any("[bold]qty" in found for found in shown["read h.csv"][1][-8:])
    assert r"BuyerX\u202eb\u2066\U000e0041" in "\n".join(shown[commands[-1]][1])


def test_a_terminal_of_80_columns_is_enough(work):
    Path("page.html").write_text("<body><p>x</p><table><tr><td>Order no.</td><td>B-1</td></tr></table></body>")
    commands = ["normalize good.txt page.html -c c.json -o out", "plan good.txt -c c.json", "config", "plugins",
                "contract show c.json", "read page.html", "--help", "contract --help"]  # fmt: skip
    shown = {command: at_terminal(*command.split()) for command in commands}
    assert [command for command, (code, _) in shown.items() if code] == commands[:1]
    wide = [found for _, lines in shown.values() for found in lines if len(found) > 80 and " " in found.strip()]
    assert wide == []
    told = shown[commands[0]][1]
    assert [found.rpartition(".")[0] for found in told if found.startswith("written")] == [
        f"written: out/{name}.{paxman.profile(Path(name)).content_hash[:8]}" for name in ("good.txt", "page.html")
    ]
    assert any("…" in found and found.endswith("td[2]") for found in told)


def test_a_bar_and_what_is_printed_keep_apart(work):
    Path("in").mkdir()
    for number in range(5):
        Path("in", f"{number}.txt").write_text(Path("good.txt").read_text())
    Path("in/gone.txt").symlink_to("nowhere")
    code, shown = at_terminal("normalize", "in", "-c", "c.json")
    seen = [re.sub(r".*\x1b\[2K|\x1b\[\??\w+", "", found) for found in shown]
    assert (code, sum("normalizing" in found for found in shown) > 0) == (3, True)
    assert [found.partition(":")[0] for found in seen if "SUCCESS" in found] == [f"in/{n}.txt" for n in range(5)]
    assert [found for found in seen if "Error" in found] == ["Error: in/gone.txt: a link to a file that does not exist"]


def test_one_unreadable_file_does_not_end_the_others(work):
    Path("a.txt").symlink_to("/proc/self/mem")  # there for everybody, and readable by nobody
    found = CliRunner().invoke(app, ["normalize", "a.txt", "good.txt", "-c", "c.json", "-o", "out"])
    assert found.exit_code == 3
    assert found.stderr == "Error: a.txt: Input/output error\n"
    assert [path.name.partition(".")[0] for path in Path("out").iterdir()] == ["good"]


def test_a_folder_is_written_where_a_folder_is_meant(work):
    run("normalize", "good.txt", "-c", "c.json", "-o", "slash/")
    Path("in").mkdir()
    Path("in/good.txt").write_text(Path("good.txt").read_text())
    run("normalize", "in", "-c", "c.json", "-o", "from_folder")
    run("normalize", "good.txt", "-c", "c.json", "-o", "file")
    assert [Path(name).is_dir() for name in ("slash", "from_folder", "file")] == [True, True, False]
    run("normalize", "in", "-c", "c.json", "-o", "file", code=2)


def test_ctrl_c_has_its_own_exit_code(work, monkeypatch):
    def interrupt(name):
        raise KeyboardInterrupt

    monkeypatch.setattr("paxman.cli.looking.one_input", interrupt)
    found = CliRunner().invoke(app, ["read", "good.txt"])
    assert (found.exit_code, found.stderr) == (130, "stopped\n")


DATED = {"id": "c", "version": "1", "fields": [{"name": "date", "type": "DATE", "required": True}]}


def test_a_locale_must_exist(work):
    Path("date.json").write_text(json.dumps(DATED))
    Path("date.txt").write_text("Date: 03/04/2025\n")
    for locale in ("foo", "english", "xx_YY", "de_XX"):
        run("normalize", "date.txt", "-c", "date.json", "--locale", locale, code=2)
    data = run("normalize", "date.txt", "-c", "date.json", "--locale", "de-ch", "--data")
    assert json.loads(data) == {"date": "2025-04-03"}


def test_diff_names_a_changed_setting(work):
    Path("date.json").write_text(json.dumps(DATED))
    Path("date.txt").write_text("Date: 03/04/2025\n")
    run("normalize", "date.txt", "-c", "date.json", "--locale", "en_US", "-o", "a.json")
    run("normalize", "date.txt", "-c", "date.json", "--locale", "de_DE", "-o", "b.json")
    found = run_json("diff", "a.json", "b.json", code=1)
    assert found["causes"] == {"settings": "locale en_US -> de_DE"}
    assert [(change["field_path"], change["reasons"][0]) for change in found["changes"]] == [("date", "settings")]


def test_diff_is_honest_about_what_it_cannot_know(work):
    for name, locale in (("a.json", "en_US"), ("b.json", "de_DE")):
        artifact = paxman.normalize("Date: 03/04/2025", DATED, policy=paxman.Policy(locale=locale))
        Path(name).write_text(artifact.to_json())
    found = run_json("diff", "a.json", "b.json", code=1)
    assert (found["causes"], found["changes"][0]["reasons"]) == (
        {},
        ["settings (locale, policy, budget), a model or an outside table", "evidence"],
    )


def test_a_folder_of_artifacts_with_a_broken_one(work):
    run("normalize", "good.txt", "-c", "c.json", "-o", "made/")
    Path("made/broken.json").write_text("{")
    found = CliRunner().invoke(app, ["report", "made", "-o", "page", "--json"])
    problem = "made/broken.json: this is not an artifact: it is not JSON"
    assert (found.exit_code, json.loads(found.stdout)) == (3, {"report": "page/index.html", "problems": [problem]})
    assert found.stderr == f"1 file could not be used:\n{problem}\n"


def test_report_refuses_another_document(work):
    run("normalize", "good.txt", "-c", "c.json", "-o", "a.json")
    run("report", "a.json", "bad.txt", "-o", "page.html", code=3)
    assert not Path("page.html").exists()
    run("report", "a.json", "bad.txt", "-o", "page.html", "--force")
    assert "not the document that the artifact names" in Path("page.html").read_text()


def test_contract_init_minds_every_row_of_a_payload(work):
    rows = [{"a": 1, "b": 1, "c": {"d": 1}, "e": {}}, {"a": 2.5, "b": "x", "c": {"d": 2.5}}]
    Path("p.json").write_text(json.dumps({"q": rows, "o": {}, "mixed": [1, 2.5]}))
    started = json.loads(run("contract", "init", "p.json"))
    assert [field["name"] for field in started["fields"]] == ["q", "mixed"]
    columns = {field["name"]: field for field in started["fields"][0]["items"]["fields"]}
    assert {name: field["type"] for name, field in columns.items()} == {"a": "DECIMAL", "b": "STRING", "c": "OBJECT"}
    assert columns["c"]["fields"] == [{"name": "d", "type": "DECIMAL", "required": True}]
    assert started["fields"][1]["items"] == {"type": "DECIMAL"}


def test_contract_init_parts_pairs_from_the_table_below(work):
    Path("order.txt").write_text(
        "Order number     A-17\nDate             2025-03-04\nCustomer         Miller Ltd\n\n"
        "Item      Qty   Price   Amount\nBolt      2     3.00    6.00\nNut       4     1.50    6.00\n\n"
        "Total     12.00 EUR\n"
    )
    assert outline(json.loads(run("contract", "init", "order.txt"))["fields"]) == {
        "order_number": "STRING",
        "date": "DATE",
        "buyer": "STRING",
        "total": "MONEY",
        "line_items": {"item": "STRING", "qty": "INTEGER", "price": "DECIMAL", "amount": "DECIMAL"},
    }


def test_contract_init_invents_nothing(work):
    for text in ("", "Nothing to see here.\n", "{}", "[]"):
        Path("empty.txt").write_text(text)
        assert "nothing was found" in CliRunner().invoke(app, ["contract", "init", "empty.txt"]).stderr
        run("contract", "init", "empty.txt", code=1)


def test_contracts_are_written_as_json_or_yaml(work):
    found = CliRunner().invoke(app, ["contract", "init", "good.txt", "-o", "p.toml"])
    assert (found.exit_code, Path("p.toml").exists()) == (2, False)
    assert "written as .json, .yaml or .yml" in found.stderr


def test_contract_show_lists_choices(work):
    field = {"name": "size", "type": "STRING", "required": True}
    field["constraints"] = [{"kind": "enum", "params": {"values": ["S", "M"]}}]
    Path("c.json").write_text(json.dumps({**SMALL, "fields": [field]}))
    assert run("contract", "show", "c.json").splitlines()[1] == "size\tSTRING\tyes\t\tenum S, M"


def test_what_is_no_contract_is_bad_usage(work):
    Path("my_numbers.py").write_text("X = 5\n")
    found = CliRunner().invoke(app, ["normalize", "good.txt", "-c", "my_numbers:X"])
    assert (found.exit_code, "my_numbers:X is no contract" in found.stderr) == (2, True)
    run("batch", "good.txt", "-c", "my_numbers:X", "-o", "out", code=2)
    run("mcp", "--root", "nosuch", code=2)


def test_read_says_how_many_addresses_are_left_out(work):
    Path("long.txt").write_text("line\n" * 207)
    assert run("read", "long.txt", "--show", "addresses").splitlines()[-1] == "and 7 more addresses"
    assert run_json("read", "long.txt", "--show", "addresses")["addresses_left_out"] == 7


def test_plugins_lists_providers_of_the_settings(work):
    Path("my_provider.py").write_text("class Mine:\n    name = 'mine'\n")
    Path("paxman.toml").write_text("provider = 'my_provider:Mine'\n")
    found = subprocess.run(
        [sys.executable, "-m", "paxman.cli", "plugins"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PAXMAN_CONFIG": "paxman.toml"},
    ).stdout
    assert "provider\tmine\t1\tmy_provider" in found.splitlines()
