"""`paxman doctor`: every finding is right, and says what to do."""

import json
import os
import subprocess
import sys
import tempfile
from importlib import metadata

import pytest

from paxman.cli import doctor
from paxman.cli.demo import SAMPLES
from paxman.documents.sandbox import pool


def run(tmp_path, *arguments, **environment):
    done = subprocess.run(
        [sys.executable, "-m", "paxman.cli", "doctor", *arguments],
        capture_output=True, text=True, cwd=tmp_path, env={**os.environ, **environment},
    )  # fmt: skip
    return done.returncode, done.stdout


def states(check):
    return [(finding.what, finding.state, finding.advice) for finding in doctor._checked(check)]


def test_all_is_well_here(tmp_path):
    code, printed = run(tmp_path, "--json")
    found = {finding.pop("what"): finding for finding in json.loads(printed)}
    assert (code, [what for what, finding in found.items() if finding["state"] == "problem"]) == (0, [])
    assert {"paxman", "libraries", "extra pdf", "settings", "OCR models", "fonts", "helper processes"} <= found.keys()
    assert [what for what in found if what.startswith("sample ")] == [f"sample {each[0]}" for each in SAMPLES]
    assert found["settings"]["found"] == "defaults"
    assert all(finding["advice"] for finding in found.values() if finding["state"] != "ok")


def test_what_is_broken_is_said_with_what_to_do_and_the_exit_code(tmp_path):
    code, printed = run(tmp_path, PAXMAN_MODEL="llama_cpp:/none.gguf")
    assert code == 3
    assert (
        "model llama_cpp:none\tproblem\tthere is no file /none.gguf\tGive the path of a GGUF file"
        in printed.splitlines()
    )


def test_settings_that_do_not_hold(tmp_path):
    (tmp_path / "paxman.toml").write_text("[polcy]\n")
    code, printed = run(tmp_path)
    assert (code, "Did you mean '[policy]'?" in printed) == (3, True)


def only_model():
    (found,) = doctor._providers()
    return found


def test_a_key_that_is_missing_and_a_model_that_is_not_allowed(monkeypatch):
    monkeypatch.setenv("PAXMAN_MODEL", "openai:gpt-4o-mini")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    missing = only_model()
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    ready = only_model()
    monkeypatch.setenv("PAXMAN_ALLOW_REMOTE_INFERENCE", "false")
    unasked = only_model()
    assert [finding.state for finding in (missing, unasked, ready)] == ["problem", "note", "ok"]
    assert missing.found == "the variable OPENAI_API_KEY is not set"
    assert "--remote" in unasked.advice


@pytest.mark.parametrize(("version", "found"), [(None, "is not installed"), ("4.9", "4.9 is older than 5")])
def test_extras_that_are_missing_or_old(monkeypatch, version, found):
    real = metadata.version

    def other(name):
        if name == "pypdfium2" and version is None:
            raise metadata.PackageNotFoundError(name)
        return version if name == "pypdfium2" else real(name)

    monkeypatch.setattr(metadata, "version", other)
    (pdf,) = [finding for finding in doctor.check_extras() if finding.what == "extra pdf"]
    assert (pdf.state, pdf.advice) == ("note", "If you need it: pip install '.[pdf]' in a checkout of Paxman")
    assert pdf.found == f"pypdfium2 {found}"


def test_versions_are_compared_as_numbers():
    assert doctor._parts("5.10.1rc2") == [5, 10, 1]
    assert doctor._parts("5.10") > doctor._parts("5.9")


def test_helpers_that_the_system_does_not_keep_from_the_network(monkeypatch):
    monkeypatch.setattr(pool.Helper, "isolation", lambda self: "none")
    ((what, state, advice),) = states(doctor.check_helpers)
    assert (what, state) == ("helper processes", "note")
    assert "docs/security.md" in advice


def test_a_folder_that_cannot_be_written_to(monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/proc")
    assert states(doctor.check_folders)[0] == (
        "temporary files",
        "problem",
        "Let this user write there, or name another: TMPDIR, --output",
    )


def test_no_fonts(monkeypatch, tmp_path):
    monkeypatch.setattr(doctor, "_FONTS", (str(tmp_path),))
    ((what, state, advice),) = states(doctor.check_fonts)
    assert (what, state, "apt-get install" in advice) == ("fonts", "note", True)
