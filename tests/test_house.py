"""The house: no import cycle, no crowded folder, every class name once, and figures that may fall and never rise."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.house import imports, modules

ROOT = Path(__file__).parent.parent / "src"
MOST_MODULES = 25


def test_no_module_imports_itself_through_others() -> None:
    known = modules()
    graph = {name: {other for other in imports(tree, known) if other in known} for name, tree in known.items()}
    while free := [name for name, others in graph.items() if not others]:
        for name in free:
            del graph[name]
        for others in graph.values():
            others.difference_update(free)
    in_cycles = [name for name in graph if any(name in others for others in graph.values())]
    assert in_cycles == []


def test_no_folder_is_crowded() -> None:
    folders = Counter(path.parent for path in (ROOT / "paxman").rglob("*.py"))
    assert {folder.name: count for folder, count in folders.items() if count > MOST_MODULES} == {}


def test_every_class_name_is_used_once() -> None:
    trees = modules().values()
    names = Counter(node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    assert [name for name, count in names.items() if count > 1] == []


MOST = {
    "lines": 72_100,
    "modules with one importer": 61,
    "imports inside functions": 91,
    "modules that a scalar enters": 103,
    "modules between bytes and candidates": 55,
    "functions that a scalar enters": 697,
}
"""What was reached; who adds, takes out as much elsewhere."""


@pytest.fixture(scope="module")
def figures() -> dict[str, int]:
    code = "import json; from benchmarks.house import figures; print(json.dumps(figures()))"
    made = subprocess.run([sys.executable, "-c", code], cwd=ROOT.parent, capture_output=True, text=True, check=True)
    return json.loads(made.stdout)


@pytest.mark.parametrize("name", MOST)
def test_the_house_only_shrinks(figures: dict[str, int], name: str) -> None:
    assert figures[name] <= MOST[name]
