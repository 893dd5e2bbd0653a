"""How long a user waits for the first result."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial

from benchmarks.measure import Measure, best_of_each, run_python

_FIRST = """
import paxman
contract = {"id": "note", "version": "1", "fields": [
    {"name": "total", "type": "MONEY", "required": True}, {"name": "supplier", "type": "STRING", "required": True}]}
artifact = paxman.normalize("Supplier: Acme Ltd\\nTotal: 12.50 EUR\\n", contract)
assert artifact.status.value == "SUCCESS", artifact
"""


def measures() -> Iterator[Measure]:
    codes = ("pass", "import paxman", _FIRST)
    bare, imported, first = best_of_each([partial(run_python, code) for code in codes], rounds=15)
    yield Measure("import paxman, over bare Python", (imported - bare) * 1000, 25, "ms")
    yield Measure("first normalize, whole process", first * 1000, 200, "ms")
    yield from _commands()


def _commands() -> Iterator[Measure]:
    """What a user waits for at the prompt, by the clock on the wall."""
    names = ("--help", "version")
    for name, seconds in zip(names, best_of_each([partial(_paxman, name) for name in names], rounds=15), strict=True):
        yield Measure(f"paxman {name}, whole process", seconds * 1000, 120, "ms")


def _paxman(argument: str) -> None:
    subprocess.run([sys.executable, "-m", "paxman.cli", argument], check=True, stdout=subprocess.DEVNULL)
