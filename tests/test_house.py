"""The house: no import cycle, imports inside functions included, no crowded folder, and every class name once."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent / "src"
MOST_MODULES = 25


def modules() -> dict[str, ast.Module]:
    found = {}
    for path in sorted((ROOT / "paxman").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def imports(tree: ast.Module, known: dict[str, ast.Module]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in known else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


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
