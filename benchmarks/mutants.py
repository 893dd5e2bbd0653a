"""Break one mechanism of finding at a time and see whether its tests notice: `python -m benchmarks.mutants [WORD]`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

import attrs

ROOT = Path(__file__).resolve().parent.parent
_FAILED = 1
"""What pytest exits with when a test fails; other codes say that no test was run."""


@attrs.frozen
class Mutant:
    """A change of one place of the source, and the tests that must notice it."""

    mechanism: str
    breaks: str
    file: str
    text: str
    instead: str
    tests: Sequence[str]

    def times(self, package: Path) -> int:
        """How often the text to replace stands in its file."""
        path = package / self.file
        return path.read_text(encoding="utf-8").count(self.text) if path.exists() else 0


def mutants() -> list[Mutant]:
    """The fixed set."""
    entries = tomllib.loads((ROOT / "benchmarks" / "mutants.toml").read_text(encoding="utf-8"))["mutant"]
    return [Mutant(**entry) for entry in entries]


def _run(source: Path, tests: Sequence[str]) -> int:
    """The exit code of some tests with a copy of the source; the copy's own compiled files stay as they are."""
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *(f"tests/test_{t}.py" for t in tests)]
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True).returncode


def _verdict(mutant: Mutant, source: Path) -> str:
    if mutant.times(source / "paxman") != 1:
        return "STALE"
    path = source / "paxman" / mutant.file
    original = path.read_text(encoding="utf-8")
    path.write_text(original.replace(mutant.text, mutant.instead), encoding="utf-8")
    code = _run(source, mutant.tests)
    path.write_text(original, encoding="utf-8")
    return {0: "SURVIVED", _FAILED: "killed"}.get(code, "BROKEN")


def main(words: Sequence[str]) -> int:
    """Say of each mutant whether it was killed; 1 if one was not, or the tests fail without any."""
    chosen = [m for m in mutants() if not words or any(w in f"{m.mechanism} {m.file} {m.breaks}" for w in words)]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        shutil.copytree(ROOT / "src", source)
        if _run(source, sorted({test for mutant in chosen for test in mutant.tests})):
            print("the tests fail before anything is broken")
            return 1
        for mutant in chosen:
            verdict = _verdict(mutant, source)
            failed += verdict != "killed"
            print(f"{verdict:9} {mutant.mechanism:11} {mutant.file:30} {mutant.breaks}", flush=True)
    print(f"{len(chosen) - failed} of {len(chosen)} killed")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
