"""Reviewing: a local page on which a person looks at what was found, corrects it, and teaches from it."""

from __future__ import annotations

import os
from pathlib import Path

from paxman.learning.examples import Example, gather

EXAMPLES = "examples.jsonl"
"""The file of decisions in the folder of a review."""


def examples(path: str | os.PathLike[str]) -> list[Example]:
    """The examples that a review left in its folder, or in a file: one for each document, its last words only."""
    given = Path(path)
    return gather(given / EXAMPLES if given.is_dir() and (given / EXAMPLES).is_file() else given)
