"""Lessons from corrected examples: what they say, that they are honest, and that order does not matter."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from model_server import answering, serve
from test_inference_providers import REMOTE, openai, register  # noqa: F401

import paxman
from paxman.api.evaluating import answers_needed
from paxman.api.teaching import from_artifacts
from paxman.api.verification import verify
from paxman.cli.app import app
from paxman.learning.examples import gather
from paxman.learning.lessons import Lessons
from paxman.learning.standing import (
    Disagreement,
    StepAnswer,
    Trial,
    is_enough,
    misleading_anywhere,
    standing,
    threshold,
)
from paxman.types import Origin

CONTRACT = {
    "id": "loss",
    "version": "1",
    "fields": [
        {"name": "ref", "type": "STRING", "required": True},
        {"name": "happened", "type": "DATE", "required": True},
        {"name": "sum", "type": "DECIMAL", "required": False},
    ],
}
OFFLINE = paxman.Policy(allow_remote_inference=False, allow_local_inference=False)


def page(number: int) -> str:
    """A paper with labels that no contract would know."""
    return (
        f"Acme Mutual\nZorp: {chr(65 + number)}X-{1000 + 7 * number}\nWritten 2024-05-{1 + number:02}\n"
        f"Quex day: 2024-0{1 + number % 9}-17\nGlim: {120 + number}.50\nOther: {900 - number}.10\n"
    )


def right(number: int) -> dict:
    return {
        "ref": f"{chr(65 + number)}X-{1000 + 7 * number}",
        "happened": f"2024-0{1 + number % 9}-17",
        "sum": f"{120 + number}.50",
    }


EXAMPLES = [(page(number), right(number)) for number in range(12)]


@pytest.fixture(scope="module")
def lessons() -> Lessons:
    return paxman.learn(CONTRACT, EXAMPLES)


def test_the_next_document_is_read(lessons):
    untaught = paxman.normalize(page(15), CONTRACT, policy=OFFLINE)
    assert untaught["ref"].status == "UNRESOLVED"
    artifact = paxman.normalize(page(15), CONTRACT, policy=OFFLINE, lessons=lessons)
    assert [str(artifact[name].value) for name in ("ref", "happened", "sum")] == ["PX-1105", "2024-07-17", "135.50"]
    [ref] = artifact["ref"].evidence_refs
    assert (ref.capability_id, ref.basis, ref.detail) == ("recall", "lesson", "label 'Zorp', 12 examples")


def test_a_lesson_sees_the_hedge_beside_what_it_finds(lessons):
    for text, expected in (("Glim: ", "supporting"), ("Glim: about ", "context")):
        artifact = paxman.normalize(page(15).replace("Glim: ", text), CONTRACT, policy=OFFLINE, lessons=lessons)
        assert (str(artifact["sum"].value), artifact["sum"].evidence_refs[0].role) == ("135.50", expected)


def test_the_plan_names_the_lessons_and_asks_recall_always(lessons):
    plan = paxman.plan(page(15), CONTRACT, lessons=lessons)
    steps = {step.capability_id: step for step in plan.fields[0].capability_chain}
    assert steps["recall"].config["lessons"] == lessons.hash
    assert next(name for name, step in steps.items() if step.always) == "recall"
    assert plan.fields[0].capability_chain[0].capability_id == "recall"
    bare = paxman.plan(page(15), CONTRACT)
    assert "recall" not in {step.capability_id for step in bare.fields[0].capability_chain}


def test_agreement_is_surer_than_either():
    contract = {**CONTRACT, "fields": [{"name": "zorp", "type": "STRING", "required": True}, *CONTRACT["fields"][1:]]}
    examples = [(text, {"zorp": data["ref"], **{k: data[k] for k in ("happened", "sum")}}) for text, data in EXAMPLES]
    alone = paxman.normalize(page(15), contract, policy=OFFLINE)["zorp"]
    both = paxman.normalize(page(15), contract, policy=OFFLINE, lessons=paxman.learn(contract, examples))["zorp"]
    assert (alone.value, both.value) == ("PX-1105", "PX-1105")
    assert alone.confidence == 0.80
    assert both.confidence == 0.95
    assert {ref.capability_id for ref in both.evidence_refs} >= {"recall"}


def test_the_same_run_gives_the_same_bytes_and_replays(lessons):
    runs = [paxman.normalize(page(15), CONTRACT, policy=OFFLINE, lessons=lessons) for _ in range(2)]
    assert runs[0].replay_hash == runs[1].replay_hash
    assert paxman.replay(runs[0].to_json(), CONTRACT).replay_hash == runs[0].replay_hash


@settings(max_examples=5, deadline=None)
@given(st.permutations(range(6)))
def test_the_order_of_examples_does_not_matter(order):
    expected = paxman.learn(CONTRACT, EXAMPLES[:6]).encode()
    assert paxman.learn(CONTRACT, [EXAMPLES[number] for number in order]).encode() == expected


def test_leaving_one_out_is_never_having_had_it():
    one = paxman.learn(CONTRACT, EXAMPLES[:5])
    assert paxman.learn(CONTRACT, [*EXAMPLES[:5], EXAMPLES[4]]).encode() == one.encode()
    assert paxman.learn(CONTRACT, EXAMPLES[:6]).encode() != one.encode()


def test_values_are_not_stored(lessons):
    stored = lessons.encode().decode()
    assert not [value for data in map(right, range(12)) for value in data.values() if value in stored]


def test_private_lessons_keep_no_words(lessons, tmp_path):
    private = paxman.learn(CONTRACT, EXAMPLES, private=True)
    assert "zorp" in lessons.encode().decode()
    assert "zorp" not in private.encode().decode()
    artifact = paxman.normalize(page(15), CONTRACT, policy=OFFLINE, lessons=private)
    assert artifact["ref"].value == "PX-1105"


def test_a_file_of_lessons_is_as_good(lessons, tmp_path):
    lessons.save(tmp_path / "l.json")
    assert Lessons.load(tmp_path / "l.json") == lessons
    artifact = paxman.normalize(page(15), CONTRACT, policy=OFFLINE, lessons=tmp_path / "l.json")
    assert artifact["ref"].value == "PX-1105"


def test_after_an_edit_the_unchanged_fields_keep_theirs(lessons):
    fields = [{**CONTRACT["fields"][0], "description": "our reference"}, *CONTRACT["fields"][1:]]
    artifact = paxman.normalize(page(15), {**CONTRACT, "fields": fields}, policy=OFFLINE, lessons=lessons)
    assert artifact["ref"].status == "UNRESOLVED"
    assert str(artifact["happened"].value) == "2024-07-17"
    assert [note.message for note in artifact.diagnostics if note.code == "CONTRACT_WARNING"] == [
        "the lessons of these fields no longer apply, since the contract has other words for them now: ref; "
        "run `paxman learn` again"
    ]


def test_lessons_of_another_contract_are_refused(lessons):
    with pytest.raises(paxman.ConfigurationError, match="for the contract 'loss', not 'other'"):
        paxman.normalize(page(1), {**CONTRACT, "id": "other"}, lessons=lessons)


def test_what_is_not_on_the_page_is_said():
    told = str(paxman.learn(CONTRACT, [(page(1), {**right(1), "ref": "Nowhere 7"}), *EXAMPLES[2:5]]).report)
    assert "not on the page of (given): 'Nowhere 7'" in told
    assert "labels 'zorp' (3 of 4)" in told


def test_a_value_that_no_example_states_is_not_invented():
    examples = [(text, {**data, "sum": None}) for text, data in EXAMPLES]
    artifact = paxman.normalize(page(15), CONTRACT, policy=OFFLINE, lessons=paxman.learn(CONTRACT, examples))
    assert artifact["sum"].status == "UNRESOLVED"


STANDINGS = [
    ("nobody differed yet", "differs", [], "trust"),
    ("the other steps were right", "differs", [(False, True)] * 6, "trust"),
    ("recall was right", "differs", [(True, False)] * 3, "reject"),
    ("nobody was", "differs", [(False, False)] * 4, "doubt"),
    ("recall was right once", "differs", [(True, False)], "doubt"),
    ("one in two was right", "silent", [(False, True), (True, False)] * 2, "doubt"),
    ("the document stated nothing", "silent", [(True, False)] * 4, "reject"),
    ("one example is not enough to be silent for", "silent", [(True, False)], "doubt"),
    ("silence was right", "alone", [(False, True)] * 4, "reject"),
    ("nobody was, and the value is stated", "alone", [(False, False)] * 4, "reject"),
    ("mostly right", "silent", [(False, True)] * 9 + [(True, False)], "trust"),
]


@pytest.mark.parametrize(("case", "trials", "verdict"), [row[1:] for row in STANDINGS], ids=[r[0] for r in STANDINGS])
def test_examples_say_how_far_the_other_steps_are_trusted(case, trials, verdict):
    beside = [Disagreement("a", case, recall, others, True) for recall, others in trials]
    assert standing(beside, "a", case).verdict == verdict


def test_what_the_other_steps_had_wrong_in_the_examples_gives_way():
    contract = {"id": "c", "version": "1", "fields": [{"name": "amount", "type": "DECIMAL", "required": True}]}
    texts = [f"Acme\nAmount: {10 + n}.00\nSettled: {70 + n}.00\n" for n in range(8)]
    lessons = paxman.learn(contract, [(text, {"amount": f"{70 + n}.00"}) for n, text in enumerate(texts[:7])])
    untaught = paxman.normalize(texts[7], contract, policy=OFFLINE)["amount"]
    taught = paxman.normalize(texts[7], contract, policy=OFFLINE, lessons=lessons)["amount"]
    assert (str(untaught.value), str(taught.value)) == ("17.00", "77.00")
    assert [note.message for note in taught.diagnostics if note.code == "VALIDATION_FAILED"] == [
        "examples speak against it: at 'amount' the other steps were wrong in 7 examples"
    ]


def test_where_examples_state_nothing_the_other_steps_give_way():
    contract = {"id": "c", "version": "1", "fields": [{"name": "amount", "type": "DECIMAL", "required": False}]}
    texts = [f"Acme {n}\nAmount: {10 + n}.00\n" for n in range(8)]
    lessons = paxman.learn(contract, [(text, {"amount": None}) for text in texts[:7]])
    assert paxman.normalize(texts[7], contract, policy=OFFLINE)["amount"].status == "RESOLVED"
    assert paxman.normalize(texts[7], contract, policy=OFFLINE, lessons=lessons)["amount"].status == "UNRESOLVED"


def test_thresholds_need_enough_right_answers():
    assert [is_enough(31, 31), is_enough(32, 32), is_enough(60, 62)] == [False, True, False]
    trials = [Trial("a", lead, True) for lead in range(100, 140)] + [Trial("a", lead, False) for lead in range(50)]
    assert threshold(trials, "a") == (100, (40, 40))
    assert threshold(trials[:20], "a") == (None, (0, 0))


def test_files_folders_and_tables_of_examples(lessons, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    for number, (text, data) in enumerate(EXAMPLES):
        (folder / f"d{number}.txt").write_text(text)
        (folder / f"d{number}.json").write_text(json.dumps(data))
    lines = [json.dumps({"source": f"folder/d{n}.txt", "data": data}) for n, (_, data) in enumerate(EXAMPLES)]
    (tmp_path / "e.jsonl").write_text("\n".join(lines))
    rows = [
        "source,ref,happened,sum",
        *(f"folder/d{n}.txt,{','.join(d.values())}" for n, (_, d) in enumerate(EXAMPLES)),
    ]
    (tmp_path / "e.csv").write_text("\n".join(rows))
    for given_as in (folder, tmp_path / "e.jsonl", tmp_path / "e.csv"):
        assert paxman.learn(CONTRACT, given_as).encode() == lessons.encode()


def test_evaluate_counts_and_judges(lessons):
    found = paxman.evaluate(CONTRACT, [(page(n), right(n)) for n in range(8, 20)], lessons)
    assert len({each.path for each in found.judged}) == 3
    assert found.total.stated == 24  # the twelve that were learned from are left out
    assert found.total.accuracy == 1.0
    folded = paxman.evaluate(CONTRACT, EXAMPLES, folds=3)
    assert folded.total.stated == 36
    untaught = paxman.evaluate(CONTRACT, EXAMPLES)
    assert untaught.fields["ref"].accuracy == 0.0
    assert found.to_dict()["fields"]["ref"]["bands"] == {"HIGH": {"right": 8, "answers": 8}}
    assert str(found).splitlines()[-1] == (
        "at most 1.0% wrong: cannot be promised yet; 24 of 24 answers were right, "
        "and about 163 with no more errors would show it"
    )


def test_a_bound_on_errors_needs_answers():
    given = ((32, 0, 0.05), (200, 0, 0.01), (22, 0, 0.01), (100, 1, 0.01), (22, 0, 0.0))
    assert [answers_needed(wrong, total, share) for total, wrong, share in given] == [32, 200, 163, 301, None]


def test_the_commands(tmp_path):
    (tmp_path / "c.json").write_text(json.dumps(CONTRACT))
    for number, (text, data) in enumerate([(page(n), right(n)) for n in range(14)]):
        home = tmp_path / ("new" if number > 11 else "old")
        home.mkdir(exist_ok=True)
        (home / f"d{number}.txt").write_text(text)
        (home / f"d{number}.json").write_text(json.dumps(data))
    made = CliRunner().invoke(
        app, ["learn", str(tmp_path / "c.json"), str(tmp_path / "old"), "-o", str(tmp_path / "l.json")]
    )
    assert made.exit_code == 0, made.output
    assert "labels 'zorp' (12 of 12)" in made.output
    page_file = tmp_path / "r.html"
    judge = ["evaluate", str(tmp_path / "c.json"), str(tmp_path / "new"), "--min-accuracy", "0.9"]
    taught = CliRunner().invoke(app, [*judge, "--lessons", str(tmp_path / "l.json"), "--report", str(page_file)])
    assert taught.exit_code == 0, taught.output
    assert "<svg" in Path(page_file).read_text()
    assert CliRunner().invoke(app, judge).exit_code == 1


def test_explain_diff_and_batch_tell_of_lessons(lessons, tmp_path):
    (tmp_path / "c.json").write_text(json.dumps(CONTRACT))
    (tmp_path / "p.txt").write_text(page(15))
    lessons.save(tmp_path / "l.json")
    untaught = paxman.normalize(page(15), CONTRACT, policy=OFFLINE)
    taught = paxman.normalize(page(15), CONTRACT, policy=OFFLINE, lessons=lessons)
    for name, artifact in (("u", untaught), ("t", taught), ("k", untaught.corrected({"ref": "Q-1"}, by="me"))):
        (tmp_path / f"{name}.json").write_text(artifact.to_json())
    path = {name: str(tmp_path / f"{name}.json") for name in "cutkl"}
    run = CliRunner()
    assert "    by examples: label 'Zorp', 12 examples\n" in run.invoke(app, ["explain", path["t"], "ref"]).output
    assert f"lessons: none -> {lessons.hash[:12]}\n" in run.invoke(app, ["diff", path["u"], path["t"]]).output
    assert "ref: a person corrected it" in run.invoke(app, ["diff", path["u"], path["k"]]).output
    out = ["-c", path["c"], "--lessons", path["l"], "--workers", "1", "--out", str(tmp_path / "out"), "--json"]
    done = run.invoke(app, ["batch", str(tmp_path / "p.txt"), *out])
    assert (done.exit_code, json.loads(done.stdout.splitlines()[-1])["counts"]) == (0, {"SUCCESS": 1})


def test_the_contract_may_name_its_lessons(lessons, tmp_path):
    lessons.save(tmp_path / "l.json")
    (tmp_path / "c.json").write_text(json.dumps({**CONTRACT, "lessons": "l.json"}))
    schema = {"type": "object", "title": "loss", "x-paxman": {"id": "loss", "lessons": "nowhere.json"}}
    artifact = paxman.normalize(page(15), tmp_path / "c.json", policy=OFFLINE)
    assert artifact["ref"].value == "PX-1105"
    assert paxman.replay(artifact.to_json(), tmp_path / "c.json") == artifact
    with pytest.raises(paxman.ConfigurationError, match="cannot read the lessons nowhere.json"):
        paxman.normalize("x", {**schema, "properties": {"ref": {"type": "string"}}})


def test_other_lessons_do_not_replay(lessons):
    artifact = paxman.normalize(page(15), CONTRACT, policy=OFFLINE, lessons=lessons)
    with pytest.raises(paxman.HashMismatchError, match="the file of lessons differs"):
        paxman.replay(artifact, CONTRACT, lessons=paxman.learn(CONTRACT, EXAMPLES[:5]))


def test_verify_checks_lessons_and_says_where_none_are_given(lessons):
    artifact = paxman.normalize(page(15), CONTRACT, policy=OFFLINE, lessons=lessons)
    assert verify(artifact, page(15), CONTRACT, strict=True, policy=OFFLINE, lessons=lessons).passed
    assert [each.what for each in verify(artifact, page(15), CONTRACT).unchecked] == ["lessons"]


def test_batches_take_lessons(lessons, tmp_path):
    (tmp_path / "d.txt").write_text(page(15))
    lessons.save(tmp_path / "l.json")
    for given_as in (lessons, tmp_path / "l.json"):
        result = paxman.normalize_many([tmp_path / "d.txt"], CONTRACT, policy=OFFLINE, lessons=given_as, workers=1)
        [row] = result.rows()
        assert row["data"]["ref"] == "PX-1105"


def test_lists_are_learned():
    contract = {"id": "l", "version": "1", "fields": [{"name": "marks", "type": "ARRAY", "items": {"type": "STRING"}}]}
    contract["fields"][0]["required"] = True

    def listing(number):
        items = [f"Gor{chr(97 + (number + k) % 26)}" for k in range(2 + number % 3)]
        lines = "".join(f"zub = {item}\n" for item in items)
        return f"Register\nby = Someone\n{lines}end = yes\n", items

    lessons = paxman.learn(contract, [(text, {"marks": items}) for text, items in map(listing, range(8))])
    text, items = listing(13)
    assert list(paxman.normalize(text, contract, policy=OFFLINE, lessons=lessons)["marks"].value) == items


ROWS = {
    "id": "rows",
    "version": "1",
    "fields": [
        {
            "name": "goods",
            "type": "ARRAY",
            "required": True,
            "items": {
                "type": "OBJECT",
                "fields": [
                    {"name": "article", "type": "STRING", "required": True},
                    {"name": "weight", "type": "DECIMAL", "required": False},
                ],
            },
        }
    ],
}
TABLES = {
    "pipes": ("| Zorp | Quex |\n|---|---|\n", "| {} | {} |\n"),
    "fixed width": ("Zorp             Quex\n", "{:14} {:>6}\n"),
}


@pytest.mark.parametrize("table", TABLES)
def test_heads_of_columns_are_learned(table):
    head, row = TABLES[table]

    def paper(number: int) -> str:
        rows = [row.format(f"{chr(65 + number)}thing {i}", f"{number + int(i)}.50") for i in "123"]
        return f"Acme\n\n{head}{''.join(rows)}\nThank you\n"

    def goods(number: int) -> list:
        return [{"article": f"{chr(65 + number)}thing {i}", "weight": f"{number + int(i)}.50"} for i in "123"]

    lessons = paxman.learn(ROWS, [(paper(n), {"goods": goods(n)}) for n in range(6)])
    assert lessons.fields["goods"].heads == {"article": {"zorp": 6}, "weight": {"quex": 6}}
    assert paxman.normalize(paper(9), ROWS, policy=OFFLINE)["goods"].status == "UNRESOLVED"
    found = paxman.normalize(paper(9), ROWS, policy=OFFLINE, lessons=lessons)["goods"]
    assert [(each["article"], str(each["weight"])) for each in found.value] == [
        (each["article"], each["weight"]) for each in goods(9)
    ]
    assert {(ref.capability_id, ref.detail) for ref in found.evidence_refs} == {
        ("recall", "column heads 'quex', 'zorp'")
    }


def test_a_correction_is_evidence_and_an_example(tmp_path):
    source = tmp_path / "d.txt"
    source.write_text(page(3))
    (tmp_path / "c.json").write_text(json.dumps(CONTRACT))
    artifact = paxman.normalize(source, CONTRACT, policy=OFFLINE)
    (tmp_path / "a.json").write_text(artifact.to_json() + "\n")
    arguments = [str(tmp_path / "a.json"), "ref=DX-1021", "happened=2024-04-17", "sum=", "--by", "me@example.com"]
    arguments += ["-c", str(tmp_path / "c.json"), "-s", str(source), "--examples", str(tmp_path / "e.jsonl")]
    done = CliRunner().invoke(app, ["correct", *arguments])
    assert done.exit_code == 0, done.output
    assert "ref = DX-1021: a person corrected it; it was unresolved" in done.output
    made = paxman.replay(tmp_path / "a.json", CONTRACT)
    assert [
        (r.value if r.value is None else str(r.value), r.origin and r.origin.value) for r in made.field_results
    ] == [
        ("DX-1021", "REVIEWED"),
        ("2024-04-17", "REVIEWED"),
        (None, None),
    ]
    assert page(3)[slice(*made["ref"].evidence_refs[0].span)] == "DX-1021"
    assert verify(made, page(3).encode(), CONTRACT).passed
    assert verify(made, page(3).encode(), CONTRACT, strict=True, policy=OFFLINE, allow_unrecorded=True).passed
    [line] = [json.loads(text) for text in (tmp_path / "e.jsonl").read_text().splitlines()]
    assert (line["source"], line["by"], line["was"]["ref"]) == ("d.txt", "me@example.com", None)
    lessons = paxman.learn(CONTRACT, tmp_path / "e.jsonl")
    assert (lessons.fields["ref"].located, lessons.fields["sum"].absent) == (1, 1)


def test_a_correction_is_held_against_the_type_and_the_contract():
    artifact = paxman.normalize(page(3), CONTRACT, policy=OFFLINE)
    with pytest.raises(paxman.ConfigurationError, match="happened: 'soon' is not a date"):
        artifact.corrected({"happened": "soon"}, by="me")
    with pytest.raises(KeyError):
        artifact.corrected({"nothing": "1"}, by="me")
    made = artifact.corrected({"sum": "12.50"}, by="me")
    assert (str(made["sum"].value), made.replay_hash != artifact.replay_hash) == ("12.50", True)
    again = artifact.corrected({"sum": "12.50"}, by="another")
    assert again.replay_hash == made.replay_hash


def test_reviewed_artifacts_are_examples(tmp_path):
    (tmp_path / "c.json").write_text(json.dumps(CONTRACT))
    (tmp_path / "made").mkdir()
    for number, (text, data) in enumerate(EXAMPLES):
        source = tmp_path / f"d{number}.txt"
        source.write_text(text)
        made = paxman.normalize(source, CONTRACT, policy=OFFLINE).corrected(data, by="me")
        (tmp_path / "made" / f"d{number}.json").write_text(made.to_json() + "\n")
    arguments = ["learn", str(tmp_path / "c.json"), "--from-artifacts", str(tmp_path / "made")]
    done = CliRunner().invoke(app, [*arguments, "-o", str(tmp_path / "l.json")])
    assert done.exit_code == 0, done.output
    assert Lessons.load(tmp_path / "l.json").fields["ref"].labels == {"zorp": 12}
    (tmp_path / "d3.txt").write_text("changed")
    assert "is not the document" in CliRunner().invoke(app, [*arguments, "-o", str(tmp_path / "l.json")]).output


def test_an_agent_names_no_lessons_outside_its_folder(lessons, tmp_path):
    from paxman.config import load_settings
    from paxman.integrations.mcp import Tools

    lessons.save(tmp_path / "l.json")
    tools = Tools(load_settings({"lessons": str(tmp_path / "l.json")}, folder=tmp_path))
    assert tools.normalize(CONTRACT, text=page(15))["normalized_data"]["ref"] == "PX-1105"
    assert tools.normalize({**CONTRACT, "id": "other"}, text=page(15))["normalized_data"]["ref"] is None
    with pytest.raises(paxman.ConfigurationError, match="lessons: a contract given inline"):
        tools.normalize({**CONTRACT, "lessons": str(tmp_path / "l.json")}, text=page(15))


def test_one_example_of_a_layout_reads_its_other_papers():
    """Two suppliers print the same labels in another order: the letterhead tells which date is which."""

    def paper(supplier, day):
        first, second = (day, day + 1) if supplier == "Alpha Ltd" else (day + 1, day)
        return f"{supplier}\nslip\n2024-03-{first:02}\n2024-03-{second:02}\n"

    contract = {**CONTRACT, "fields": [CONTRACT["fields"][1]]}
    examples = [(paper(name, 4), {"happened": "2024-03-04"}) for name in ("Alpha Ltd", "Beta Ltd")]
    lessons = paxman.learn(contract, examples)
    for name in ("Alpha Ltd", "Beta Ltd"):
        found = paxman.normalize(paper(name, 17), contract, policy=OFFLINE, lessons=lessons)["happened"]
        assert str(found.value) == "2024-03-17"


def test_words_before_and_behind_values_are_learned_as_their_starts_and_ends():
    contract = {"id": "c", "version": "1", "fields": [{"name": "x1", "type": "STRING", "required": True}]}
    paper = "Paper {1}\nBy the laws of the State of {0} without regard to {1} others.\nSigned in the City of Basel.\n"
    states = ["Utah", "Ohio", "Texas", "Nevada", "Maine", "Iowa"]
    lessons = paxman.learn(contract, [(paper.format(each, n), {"x1": each}) for n, each in enumerate(states)])
    found = paxman.normalize(paper.format("Oregon", 9), contract, policy=OFFLINE, lessons=lessons)["x1"]
    assert (lessons.cuts, found.value) == (("cell", "place", "after of", "before without", "up to 32"), "Oregon")


def test_a_lexicon_of_ones_own_holds_while_learning(tmp_path: Path):
    """What the other steps answer with the user's words is what recall is held against."""
    file = tmp_path / "ours.toml"
    file.write_text('domain = "zorps"\nsigns = ["ref"]\n[terms.ref]\nkind = "number"\nen = ["zorp"]\n', "utf-8")
    plain = paxman.learn(CONTRACT, EXAMPLES)
    ours = paxman.learn(CONTRACT, EXAMPLES, policy=paxman.Policy(lexicon=(str(file),)))
    assert plain.hash != ours.hash


def test_what_a_model_found_for_money_is_then_found_for_nothing(register, tmp_path):  # noqa: F811
    (tmp_path / "made").mkdir()
    with serve(*(answering(usage=(500, 50), **right(number)) for number in range(24))) as server:
        register(openai(server))
        bill = Decimal(0)
        for number in range(18):
            (tmp_path / f"{number}.txt").write_text(page(number))
            made = paxman.normalize(tmp_path / f"{number}.txt", CONTRACT, policy=REMOTE)
            (tmp_path / "made" / f"{number}.json").write_text(made.to_json() + "\n")
            bill += made.statistics.cost_usd
        lessons = paxman.learn(CONTRACT, from_artifacts(tmp_path / "made", [Origin.INFERRED]))
        later = [paxman.normalize(page(n), CONTRACT, policy=REMOTE, lessons=lessons) for n in range(18, 24)]
        calls = len(server.seen)
    assert [each["ref"].value for each in later] == [right(number)["ref"] for number in range(18, 24)]
    assert (bill, sum(each.statistics.cost_usd for each in later), calls) == (Decimal("0.0108"), 0, 18)


def test_a_name_that_misled_once_is_not_followed_again():
    contract = {
        "id": "site",
        "version": "1",
        "fields": [{"name": "web_site", "type": "STRING", "required": False, "labels": ["Referral URL", "Home page"]}],
    }
    plain = {**contract, "fields": [{**contract["fields"][0], "labels": ["Home page"]}]}

    def paper(number: int, name: str) -> str:
        return f"Record {number}\nOwner: Party {number}\n{name}: http://www.example{number}.com\n"

    for asked, wrong, expected in ((contract, 1, "RESOLVED"), (contract, 2, "UNRESOLVED"), (plain, 1, "UNRESOLVED")):
        name = asked["fields"][0]["labels"][0] if asked is contract else "Web site address"
        examples = [(paper(n, name), {"web_site": None}) for n in range(wrong)]
        examples += [(paper(n, "Home page"), {"web_site": f"http://www.example{n}.com"}) for n in range(5, 8)]
        found = paxman.normalize(paper(9, name), asked, policy=OFFLINE, lessons=paxman.learn(asked, examples))
        assert (name, wrong, found["web_site"].status) == (name, wrong, expected)


def test_corrections_of_one_document_are_one_example(tmp_path):
    (tmp_path / "a.txt").write_text(page(1))
    said = [("10:02", {"sum": "121.50"}), ("10:01", {"ref": "BX-1007", "sum": None}), ("10:03", {"happened": None})]
    lines = [json.dumps({"source": "a.txt", "data": data, "at": at}) for at, data in said]
    (tmp_path / "e.jsonl").write_text("\n".join(lines))
    [example] = gather(tmp_path / "e.jsonl")
    assert example.data == {"ref": "BX-1007", "sum": "121.50", "happened": None}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"folds": 5}, "5 folds need at least 5 documents, and 2 folds or more; here: 3"),
        ({"folds": 2, "lessons": True}, "folds learn lessons of their own: give either lessons or folds"),
        ({"lessons": True}, "give other examples, or folds instead of lessons"),
    ],
)
def test_what_cannot_be_evaluated_says_what_to_give(options, message):
    taught = {"lessons": paxman.learn(CONTRACT, EXAMPLES[:3])} if "lessons" in options else {}
    with pytest.raises(paxman.ConfigurationError, match=message):
        paxman.evaluate(CONTRACT, EXAMPLES[:3], **{**options, **taught})


VENDORS = {
    "north": "North Wind Ltd\nSea Road, Hull\nTax invoice\n\nYour order: {order}\nJob ref: {job}\nNet 30 days",
    "south": "Casa Sud\nVia Roma, Bari\nInvoice of goods\n\nJob ref: {job}\nYour order: {order}\nPayment on receipt",
}


def test_lessons_of_one_layout_change_nothing_on_another() -> None:
    contract = {"id": "bill", "version": "1", "fields": [{"name": "order_number", "type": "STRING", "required": True}]}
    made = [(f"PO-{n}", f"J-{n}7") for n in range(100, 106)]
    taught = [(VENDORS["north"].format(order=o, job=j), {"order_number": j}) for o, j in made]
    lessons = paxman.learn(contract, taught)
    assert len(lessons.layouts) == 1
    other = VENDORS["south"].format(order="PO-999", job="J-9997")
    untaught = paxman.normalize(other, contract)["order_number"]
    learned = paxman.normalize(other, contract, lessons=lessons)["order_number"]
    assert (learned.value, learned.confidence) == (untaught.value, untaught.confidence) == ("PO-999", 0.8)
    own = VENDORS["north"].format(order="PO-888", job="J-8887")
    assert paxman.normalize(own, contract, lessons=lessons)["order_number"].value == "J-8887"


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        (page(15).replace("PX-1105", "n/a"), None),
        ("Blue Bird\nSlip 7\nZorp: QX-1\nPaid in full, with thanks\n", "QX-1"),
        ("Blue Bird\nZorp\nQX-1\nPaid in full, with thanks\n", None),
    ],
    ids=["nothing is said at the label", "another layout", "another layout, and below the label"],
)
def test_a_label_carries_over_with_what_stands_at_it_as_in_the_examples(lessons, text, ref):
    assert paxman.normalize(text, CONTRACT, policy=OFFLINE, lessons=lessons)["ref"].value == ref


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([(1, "", False, True), (2, "", False, True)], {"": 2}),
        ([(1, "", False, True), (1, "", False, True)], {}),
        ([(1, "", False, True), (2, "", False, True), (3, "", True, False), (4, "", True, False)], {}),
        ([(1, "", False, False), (2, "", False, False)], {}),
        ([(1, "free date", False, False), (2, "free date", False, True)], {"free date": 2}),
        ([(1, "free date", False, False), (2, "free date", False, True), (2, "free date", True, False)], {}),
    ],
)
def test_what_several_layouts_showed_wrong_is_not_believed_on_any(answers, expected):
    told = [(at, StepAnswer("x", True, right, label, bool(label), bad)) for at, label, right, bad in answers]
    assert misleading_anywhere(told) == expected


def test_evaluate_tells_what_holds_on_layouts_that_were_held_out() -> None:
    contract = {"id": "bill", "version": "1", "fields": [{"name": "order_number", "type": "STRING", "required": True}]}
    examples = [
        (page.format(order=f"PO-{n}", job=f"J-{n}7"), {"order_number": f"J-{n}7" if name == "north" else f"PO-{n}"})
        for name, page in VENDORS.items()
        for n in range(100, 105)
    ]
    found = paxman.evaluate(contract, examples, folds=5)
    assert (found.layouts, found.total.right, found.held_out.right) == (2, 10, 5)
    assert "with whole layouts held out: accuracy 0.500, 0 invented" in str(found)


def test_what_the_other_steps_read_over_several_lines_counts_for_them() -> None:
    fields = [{"name": "supplier_address", "type": "STRING", "required": True}]
    streets = ("12 Harbour Road", "48 Mill Lane", "7 Chapel Street", "301 Quarry Road", "9 Bishop Avenue")
    examples = []
    for number, street in enumerate(streets):
        whole = number < 2
        head = (
            f"{street}, York YO1 7HH\n" if whole else f"{street:<40}BILL\n{'York YO1 7HH':<40}Date 2025-03-1{number}\n"
        )
        page = f"Acme Tools Ltd\n{head}\nBill no.: B-{number}\nTo: Miller & Sons\n14 Church Lane, Hull HU1 1AA\n"
        examples.append((page, {"supplier_address": f"{street}{', ' if whole else ' '}York YO1 7HH"}))
    lesson = paxman.learn({"id": "bill", "version": "1", "fields": fields}, examples).fields["supplier_address"]
    assert (lesson.located, lesson.beside["differs"].others, lesson.beside["differs"].total) == (2, 3, 3)
