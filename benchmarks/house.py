"""The size of the house: what tests hold as figures that may fall and never rise. `python -m benchmarks.house`"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import paxman
from benchmarks.code_map import CONTRACT, FINDING, TEXT

ROOT = Path(paxman.__file__).parent
_BODIES = (ast.FunctionDef, ast.AsyncFunctionDef)


def modules() -> dict[str, ast.Module]:
    """The parsed modules of the package by their names."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        name = ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def imports(tree: ast.AST, known: dict[str, ast.Module]) -> Iterator[str]:
    """What a module, or a part of it, imports; of names of a module the module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in known else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def lines() -> int:
    """Lines of the package."""
    return sum(path.read_text(encoding="utf-8").count("\n") for path in ROOT.rglob("*.py"))


def with_one_importer() -> list[str]:
    """Modules that exactly one other imports; packages do not count."""
    known = modules()
    importers: dict[str, set[str]] = {name: set() for name in known}
    for name, tree in known.items():
        for other in imports(tree, known):
            if other in known:
                importers[other].add(name)
    packages = {name.rpartition(".")[0] for name in known}
    return sorted(name for name, by in importers.items() if len(by) == 1 and name not in packages)


def imports_in_functions() -> int:
    """Imports of own modules that stand inside functions."""
    inner = {
        id(node): node
        for tree in modules().values()
        for body in ast.walk(tree)
        if isinstance(body, _BODIES)
        for node in ast.walk(body)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    named = (getattr(node, "module", None) or node.names[0].name for node in inner.values())
    return sum(name.startswith("paxman") for name in named)


def entered() -> tuple[set[str], set[CodeType]]:
    """The modules and the functions that one field of a text of three lines enters in a fresh process."""
    names: set[str] = set()
    functions: set[CodeType] = set()
    importing = [0]

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if code.co_name == "<module>":
            importing[0] += {"call": 1, "return": -1}.get(event, 0)
            return
        name = frame.f_globals.get("__name__", "")
        if event == "call" and not importing[0] and name.startswith("paxman.") and not code.co_name.startswith("<"):
            names.add(name)
            functions.add(code)

    sys.setprofile(note)
    try:
        paxman.normalize(TEXT, CONTRACT)
    finally:
        sys.setprofile(None)
    return names, functions


def figures() -> dict[str, int]:
    """Every figure by its name."""
    names, functions = entered()
    between = [name for name in names if name.split(".")[1] in FINDING]
    return {
        "lines": lines(),
        "modules with one importer": len(with_one_importer()),
        "imports inside functions": imports_in_functions(),
        "modules that a scalar enters": len(names),
        "modules between bytes and candidates": len(between),
        "functions that a scalar enters": len(functions),
    }


if __name__ == "__main__":
    for name, figure in figures().items():
        print(f"{name:38} {figure}")
