"""The lexicon: words of labels, terms of trades, and files of the caller's own."""

from __future__ import annotations

from pathlib import Path

import pytest

import paxman
from paxman.api.verification import verify
from paxman.lexicon.build import BUILT, files
from paxman.lexicon.lexicon import load

OURS = """
domain = "beekeeping"
signs = ["hive", "queen", "apiary", "bienenstock"]

[terms.hive_number]
kind = "number"
en = ["hive number", "colony mark"]
eo = ["abelujo numero"]
"""


def test_the_built_files_are_those_of_the_data():
    found = {path.name: path.read_text(encoding="utf-8") for path in BUILT.glob("*.json")}
    assert found == dict(files()), "run `make lexicon`"


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("PAYER'S TIN", ("owner:payer", "tin")),
        ("Policy No.", ("policy", "head:number")),
        ("Lieferscheinnummer", ("lieferschein", "head:number")),
        ("Date of the loss", ("head:date", "loss")),
    ],
)
def test_words_of_a_label_as_they_are_compared(text: str, keys: tuple[str, ...]):
    assert load().key_of(text) == keys


def test_a_term_is_found_in_its_trade_only():
    assert [term.name for term, _ in load().find_terms("Policyholder", ["insurance"])] == ["named_insured"]
    assert load().find_terms("Policyholder", ["networks"]) == []


def normalize(text: str, lexicon: tuple[Path, ...]) -> paxman.ExecutionArtifact:
    fields = [{"name": "hive_number", "type": "STRING", "required": True}, {"name": "queen", "type": "STRING"}]
    contract = {"id": "apiary", "version": "1", "fields": [{**field, "required": False} for field in fields]}
    return paxman.normalize(text, contract, policy=paxman.Policy(lexicon=lexicon))


@pytest.mark.parametrize("label", ["Colony mark", "Abelujo numero"])
def test_a_file_adds_a_trade_and_a_language(tmp_path: Path, label: str):
    ours = tmp_path / "ours.toml"
    ours.write_text(OURS, encoding="utf-8")
    text = f"Spring check\n{label}: B-17\nWeather: fine\n"
    assert normalize(text, ())["hive_number"].value is None
    artifact = normalize(text, (ours,))
    assert (artifact["hive_number"].value, artifact["hive_number"].confidence_band.value) == ("B-17", "HIGH")


def test_a_strict_verification_has_the_same_file(tmp_path: Path):
    ours = tmp_path / "ours.toml"
    ours.write_text(OURS, encoding="utf-8")
    contract = {"id": "c", "version": "1", "fields": [{"name": "hive_number", "type": "STRING", "required": True}]}
    policy, text = paxman.Policy(lexicon=(ours,)), "Colony mark: B-17\n"
    artifact = paxman.normalize(text, contract, policy=policy)
    assert verify(artifact, text, contract, strict=True, policy=policy).problems == ()


def test_the_plan_says_which_lexicon_it_was_made_with(tmp_path: Path):
    ours = tmp_path / "ours.toml"
    hashes = []
    for content in (OURS, OURS.replace("colony mark", "colony sign")):
        ours.write_text(content, encoding="utf-8")
        hashes.append(normalize("Hive number: 3\n", (ours,)).execution_plan.replay_hash)
    assert len(set(hashes)) == 2


@pytest.mark.parametrize(("content", "reason"), [("terms = 1 2", "cannot be read"), ("word = []", "has 'word'")])
def test_a_file_that_cannot_be_used_is_an_error(tmp_path: Path, content: str, reason: str):
    ours = tmp_path / "ours.toml"
    ours.write_text(content, encoding="utf-8")
    with pytest.raises(paxman.ConfigurationError, match=reason):
        normalize("Hive number: 3\n", (ours,))
