"""The map of the code: the ways of a text field and of a row of a PDF through the modules, from real runs.

python -m benchmarks.code_map > docs/code-map.md
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

import paxman
from paxman.documents.sandbox import helper, pool

SOURCE = Path(paxman.__file__).parent
TEXT = "Invoice no.: INV-1042\nDate: 14 March 2025\nAmount due: EUR 1,250.00\n"
CONTRACT = {
    "id": "invoice",
    "version": "1",
    "fields": [{"name": "invoice_number", "type": "STRING", "required": True}],
}
PDF = SOURCE / "samples" / "invoice.pdf"
LINES = {
    "id": "lines",
    "version": "1",
    "fields": [
        {
            "name": "lines",
            "type": "ARRAY",
            "required": True,
            "items": {
                "fields": [
                    {"name": "description", "type": "STRING", "required": True},
                    {"name": "amount", "type": "DECIMAL", "required": True},
                ]
            },
        }
    ],
}
FINDING = ("documents", "page", "lexicon", "recognizers", "finding", "capabilities")
"""The folders between the bytes of a document and the candidates for a field."""
WANTED = 25
"""How many modules one field should pass on that way."""
_HEAD = """# Map of the code

Written by `python -m benchmarks.code_map` from two real runs: one field, `invoice_number`, of a text of three lines,
and the rows of a PDF. A test holds this page against the code. Modules stand in the order in which a run first enters
them. To learn the code, begin with [Read the code in an hour](read-the-code.md).

"""


def trace(run: Callable[[], object]) -> list[str]:
    """The modules that a run enters, in order; each as its path below the package."""
    seen: dict[str, None] = {}
    importing = [0]

    def note(frame: FrameType, event: str, _: Any) -> None:
        if frame.f_code.co_name == "<module>":
            importing[0] += {"call": 1, "return": -1}.get(event, 0)
            return
        name = frame.f_globals.get("__name__", "")
        if event == "call" and not importing[0] and name.startswith("paxman."):
            seen.setdefault(name)

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return [name.removeprefix("paxman.") for name in seen]


def _here(header: Mapping[str, Any], data: bytes) -> pool.Reply:
    """A job of the helper process done in this one, so that the walk sees it."""
    return pool.Reply(*helper._load(header["job"])(data, header["options"]))


def _rows() -> None:
    with patch.object(pool, "_attempt", _here):
        paxman.normalize(PDF, LINES)


def code_map() -> str:
    """The whole page, as Markdown."""
    entered = trace(lambda: paxman.normalize(TEXT, CONTRACT))
    rows = [name for name in trace(_rows) if name not in entered]
    between = [name for name in entered if name.partition(".")[0] in FINDING]
    return _HEAD + "\n".join(
        (
            "## Folders",
            "",
            "| folder | modules | entered | what it is for |",
            "|---|---|---|---|",
            *_folders(entered),
            "",
            "## The way of one field",
            "",
            f"{len(entered)} modules, {len(between)} of them between the bytes and the candidates ({WANTED} wanted).",
            "",
            "| module | what it does |",
            "|---|---|",
            *_table(entered),
            "",
            "## The way of a row of a PDF",
            "",
            f"The same way, and {len(rows)} modules more. `documents/sandbox` has the words read in a helper process.",
            "",
            "| module | what it does |",
            "|---|---|",
            *_table(rows),
            "",
        )
    )


def _table(entered: list[str]) -> Iterator[str]:
    return (f"| `{name.replace('.', '/')}` | {_purpose(name)} |" for name in entered)


def _folders(entered: list[str]) -> Iterator[str]:
    for folder in sorted(path for path in SOURCE.iterdir() if (path / "__init__.py").exists()):
        modules = [path for path in folder.rglob("*.py") if path.name != "__init__.py"]
        count = sum(name.partition(".")[0] == folder.name for name in entered)
        yield f"| `{folder.name}/` | {len(modules)} | {count} | {_docstring(folder / '__init__.py')} |"


def _purpose(name: str) -> str:
    path = SOURCE / name.replace(".", "/")
    return _docstring(path / "__init__.py" if path.is_dir() else path.with_suffix(".py"))


def _docstring(path: Path) -> str:
    text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return text.partition("\n\n")[0].replace("\n", " ").replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(code_map())
