"""The boundaries between stages: each contract of import-linter holds, and fails where its boundary is crossed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CROSSINGS = {
    "reconciler/merge.py": (
        "paxman.capabilities.structure.records",
        "The reconciler imports no capability implementation",
    ),
    "reconciler/checks.py": ("paxman.inference.models", "The reconciler imports no capability implementation"),
    "reconciler/money.py": ("paxman.documents.reading", "The reconciler sees candidates and the contract"),
    "reconciler/reconciler.py": ("paxman.relations.implied", "A stage never imports a later one"),
    "executor/executor.py": ("paxman.capabilities.mail_headers", "The executor only walks"),
    "executor/ledger.py": ("paxman.reconciler.merge", "Only the reconciler computes confidence"),
    "capabilities/validation.py": ("paxman.reconciler.confidence", "Only the reconciler computes confidence"),
    "capabilities/recognition.py": ("paxman.executor.ledger", "Who finds values does not know who judges them"),
}


def lint(folder: Path) -> tuple[int, str]:
    run = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "src"), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    return run.returncode, run.stdout + run.stderr


def test_every_boundary_holds():
    code, said = lint(ROOT)
    assert code == 0, said


@pytest.mark.parametrize("module", CROSSINGS)
def test_crossing_a_boundary_fails(module: str, tmp_path: Path):
    imported, contract = CROSSINGS[module]
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "*.json", "*.txt"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    path = tmp_path / "src" / "paxman" / module
    path.write_text(f"{path.read_text()}\n\ndef _crossing():\n    import {imported}\n")
    code, said = lint(tmp_path)
    broken = [line for line in said.splitlines() if " BROKEN" in line]
    assert (code, any(line.startswith(contract) for line in broken)) == (1, True), said
