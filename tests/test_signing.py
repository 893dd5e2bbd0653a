"""Signatures: who may vouch, what a forger can do, keys by reference, and the verifier in one file."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import attrs
import pytest
from click.testing import CliRunner

import paxman
from paxman import verifier
from paxman.artifact.artifact import ExecutionArtifact, seal
from paxman.artifact.signing import make_keys, sign, signing_problem
from paxman.cli.app import app
from paxman.errors import ConfigurationError, HashMismatchError
from paxman.serialization import canonical_hash, canonical_json

CONTRACT = {"id": "c", "version": "1", "fields": [{"name": "total", "type": "DECIMAL", "required": True}]}
TEXT = "Total: 12.50\n"


@pytest.fixture
def keys(tmp_path: Path) -> tuple[str, str]:
    public = make_keys(tmp_path / "key")
    return str(tmp_path / "key"), str(public)


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("c.json").write_text(json.dumps(CONTRACT))
    Path("doc.txt").write_text(TEXT)
    return tmp_path


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == code, result.output + repr(result.exception)
    return result.stdout


def made(text: str = TEXT) -> ExecutionArtifact:
    return paxman.normalize(text, CONTRACT)


def forge(signed: ExecutionArtifact) -> ExecutionArtifact:
    """Another total with hash and seal made anew, and the old signature kept."""
    other = made("Total: 92.50\n")
    return seal(attrs.evolve(other, id=signed.id, signatures=signed.signatures))


def test_a_signature_holds_and_a_forgery_with_fresh_hashes_does_not(keys: tuple[str, str]):
    private, public = keys
    signed = sign(made(), private)
    assert signing_problem(signed, [public]) == ""
    loaded = ExecutionArtifact.from_json(signed.to_json())
    assert (loaded, loaded.signatures, loaded.reformatted, loaded.stored_digest) == (
        signed,
        signed.signatures,
        False,
        "",
    )
    assert paxman.replay(signed.to_json(), CONTRACT) == made_equal(signed)
    forged = forge(signed)
    assert paxman.replay(forged.to_json(), CONTRACT) == forged  # the hashes alone do not tell
    assert "changed, or it is forged" in signing_problem(forged, [public])
    assert signing_problem(made(), [public]) == "it is not signed"


def made_equal(artifact: ExecutionArtifact) -> ExecutionArtifact:
    return attrs.evolve(artifact, signatures=())


def test_what_lies_outside_the_hash_is_signed_too(keys: tuple[str, str]):
    signed = sign(made(), keys[0])
    for changes in ({"metadata": {"source": "other.pdf"}}, {"created_at": "2001-01-01"}, {"id": "x"}):
        assert "forged" in signing_problem(attrs.evolve(signed, **changes), [keys[1]])


def test_keys_can_be_changed(keys: tuple[str, str], tmp_path: Path):
    private, public = keys
    newer = make_keys(tmp_path / "newer")
    both = tmp_path / "both.pem"
    both.write_bytes(Path(public).read_bytes() + newer.read_bytes())
    old, new = sign(made(), private), sign(made(), str(tmp_path / "newer"))
    assert signing_problem(old, [str(both)]) == signing_problem(new, [public, str(newer)]) == ""
    assert "which is none of the given keys" in signing_problem(old, [str(newer)])
    twice = sign(sign(old, str(tmp_path / "newer")), private)
    assert [each["key_id"] for each in twice.signatures] == [
        verifier.key_id(key.public_bytes_raw())
        for key in (*verifier.public_keys(newer.read_bytes()).values(), *_keys(public))
    ]


def _keys(path: str) -> list[Any]:
    return list(verifier.public_keys(Path(path).read_bytes()).values())


def test_a_key_is_a_strict_file_or_a_variable(keys: tuple[str, str], monkeypatch: pytest.MonkeyPatch):
    private, public = keys
    assert os.stat(private).st_mode & 0o777 == 0o600
    monkeypatch.setenv("SIGNING_KEY", Path(private).read_text())
    assert signing_problem(sign(made(), "env:SIGNING_KEY"), [public]) == ""
    os.chmod(private, 0o640)
    with pytest.raises(ConfigurationError, match="chmod 600"):
        sign(made(), private)
    for reference, said in (("env:NOT_SET", "no such variable"), ("nowhere.pem", "No such file"), (public, "chmod")):
        os.chmod(public, 0o644)
        with pytest.raises(ConfigurationError, match=said):
            sign(made(), reference)
    monkeypatch.setenv("SIGNING_KEY", "secret words")
    with pytest.raises(ConfigurationError) as error:
        sign(made(), "env:SIGNING_KEY")
    assert "secret words" not in str(error.value)
    with pytest.raises(FileExistsError):
        make_keys(Path(private))


def test_what_was_changed_is_not_signed(keys: tuple[str, str], work: Path):
    Path("a.json").write_text(made().to_json().replace("12.50", "92.50"))
    with pytest.raises(HashMismatchError):
        sign(ExecutionArtifact.from_json(Path("a.json").read_text()), keys[0])
    run("sign", "a.json", "--key", keys[0], code=3)
    Path("b.json").write_text(made().to_json(indent=1))
    run("sign", "b.json", "--key", keys[0], code=3)


@pytest.mark.parametrize("detached", [False, True])
def test_sign_and_verify_on_the_command_line(keys: tuple[str, str], work: Path, detached: bool):
    private, public = keys
    run("normalize", "doc.txt", "-c", "c.json", "-o", "a.json")
    before = Path("a.json").read_bytes()
    verify = ("verify", "a.json", "doc.txt", "-c", "c.json", "--strict", "--signed-by", public)
    assert "it is not signed" in run(*verify, code=3)
    run("sign", "a.json", "--key", private, *(["--detached"] if detached else []))
    assert Path("a.json.sig").exists() is detached
    assert (Path("a.json").read_bytes() == before) is detached
    run(*verify)
    run("replay", "a.json", "-c", "c.json")
    assert verifier.main(["a.json", "--signed-by", public, "--source", "doc.txt"]) == 0
    lie = forge(ExecutionArtifact.from_json(Path("a.json").read_bytes()))
    Path("a.json").write_text(lie.to_json() + "\n")
    Path("doc.txt").write_text("Total: 92.50\n")
    assert "forged" in run(*verify, code=3)
    assert verifier.main(["a.json", "--signed-by", public]) == 1
    assert verifier.main(["a.json"]) == 0


def test_keys_and_signatures_are_told_as_json(work: Path):
    assert json.loads(run("keygen", "k", "--json")) == {"private": "k", "public": "k.pub"}
    run("keygen", "k", code=2)
    Path("a.json").write_text(made().to_json())
    assert json.loads(run("sign", "a.json", "--key", "k", "--json")) == {"signed": ["a.json"]}


def test_normalize_and_batch_sign(keys: tuple[str, str], work: Path):
    private, public = keys
    run("normalize", "doc.txt", "-c", "c.json", "-o", "a.json", "--sign", private)
    run("verify", "a.json", "doc.txt", "-c", "c.json", "--signed-by", public)
    run("normalize", "doc.txt", "-c", "c.json", "--sign", "nowhere.pem", code=2)
    run("batch", "doc.txt", "-c", "c.json", "-o", "out", "--sign", private, "--workers", "1", code=2)
    run("batch", "doc.txt", "-c", "c.json", "-o", "out", "--artifacts", "--workers", "1")
    (path,) = Path("out/artifacts").glob("??/*.json")
    assert verifier.main([str(path), "--signed-by", public]) == 1
    for _ in range(2):
        run("batch", "doc.txt", "-c", "c.json", "-o", "out", "--artifacts", "--workers", "1", "--sign", private)
        assert verifier.main([str(path), "--signed-by", public]) == 0
        assert len(ExecutionArtifact.from_json(path.read_bytes()).signatures) == 1


def test_the_verifier_is_one_file_that_needs_nothing_of_paxman(keys: tuple[str, str], tmp_path: Path):
    private, public = keys
    (tmp_path / "alone").mkdir()
    alone = str(shutil.copy(verifier.__file__, tmp_path / "alone" / "check.py"))
    (tmp_path / "a.json").write_text(sign(made(), private).to_json())
    script = (
        "import sys, runpy\n"
        "started = set(sys.modules)\n"
        f"sys.argv = ['check.py', {str(tmp_path / 'a.json')!r}, '--signed-by', {public!r}]\n"
        "try:\n"
        f"    runpy.run_path({alone!r}, run_name='__main__')\n"
        "finally:\n"
        "    third = {name.partition('.')[0] for name in set(sys.modules) - started} - set(sys.stdlib_module_names)\n"
        "    print(sorted(name for name in third if not name.startswith('_')))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path / "alone")
    said = done.stdout.splitlines()
    assert (done.returncode, said[0]) == (0, "verified: signature and content"), done.stderr
    assert set(ast.literal_eval(said[1])) <= {"cryptography", "cffi"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text.replace('"tokens":0', '"tokens":0.0', 1), "changed after it was sealed"),
        (lambda text: text.replace(",", ", ", 1), "the bytes are not those"),
        (
            lambda text: text.replace("Total", "\\u0054otal", 1).replace('"id":"', '"\\u0069d":"', 1),
            "the bytes are not",
        ),
        (lambda text: text.replace("12.50", "92.50"), "changed after it was sealed"),
        (lambda text: text.replace('"seal"', '"seal":"x","seal"', 1), "a key stands twice"),
        (lambda text: "[" * 100_000, "this is no artifact"),
        (lambda text: "{}", "this is no artifact"),
    ],
)
def test_the_verifier_sees_what_was_changed(change: Any, said: str):
    text = made().to_json()
    assert list(verifier.problems(text.encode())) == []
    found = list(verifier.problems(change(text).encode()))
    assert any(said in problem for problem in found), found


def test_the_verifier_adds_the_rubric_up():
    artifact = made()
    raised = attrs.evolve(artifact.field_results[0], confidence=0.9)
    lie = seal(attrs.evolve(artifact, field_results=(raised,)))
    assert list(verifier.problems(lie.to_json().encode())) == ["total: the rubric does not give this confidence"]
    assert list(verifier.problems(made().to_json(indent=1).encode(), reformatted=True)) == []
    assert list(verifier.problems(made().to_json().encode(), source=b"x")) == [
        "this is not the document that the artifact was made from"
    ]


def hashed(data: dict[str, Any]) -> bytes:
    """Stored text with hash and seal made anew, as a careful forger would."""
    outside = ("id", "created_at", "timings", "metadata", "replay_hash", "seal", "signatures")
    data["replay_hash"] = canonical_hash({name: each for name, each in data.items() if name not in outside})
    data["seal"] = canonical_hash({name: each for name, each in data.items() if name not in ("seal", "signatures")})
    return canonical_json(data)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("signatures", []),
        ("signatures", None),
        ("signatures", "x"),
        ("note", "a member more"),
        ("normalized_data", {"total": "92.50"}),
        ("unresolved_fields", ["total"]),
        ("evidence.0.span", [1]),
        ("evidence.0.span", "x"),
        ("evidence.0.basis", "hearsay"),
        ("evidence.0.source.start", []),
        ("evidence.0.source.end", {"a": 1}),
        ("evidence.0.source", {"kind": "page", "page": 1, "box": 7}),
        ("evidence.0.source", {"kind": "page", "page": 1, "box": [[]]}),
        ("evidence.0.role", ["supporting"]),
        ("field_results.0.status", "FINE"),
        ("field_results.0.field_path", 7),
        ("field_results.0.cost.usd", "NaN"),
        ("field_results.0.confidence_evidence.evidence_refs", "1"),
        ("execution_plan.fields.0.capability_chain.0.config", {"provider": []}),
        ("diagnostics", [{}]),
        ("paxman_version", None),
    ],
)
def test_both_verifiers_refuse_what_is_not_of_the_form(place: str, value: Any):
    data = json.loads(made().to_json())
    assert list(verifier.problems(hashed(data))) == []
    *parents, name = place.split(".")
    at: Any = data
    for parent in parents:
        at = at[int(parent) if parent.isdigit() else parent]
    at[name] = value
    text = hashed(data)
    assert list(verifier.problems(text)) != []
    with pytest.raises(HashMismatchError):
        paxman.replay(text, CONTRACT)


@pytest.mark.parametrize("content", [b"", b"\xff", b"{", b"[]", b"7", b'{"key_id": []}'])
def test_a_damaged_detached_signature_is_no_signature(keys: tuple[str, str], content: bytes):
    """It is not held against the artifact, nor does it break the verifier."""
    text, public = made().to_json().encode(), verifier.public_keys(Path(keys[1]).read_bytes())
    (problem,) = verifier.problems(text, public, content)
    assert problem == "the detached signature cannot be read" or problem.startswith("it is signed by")
