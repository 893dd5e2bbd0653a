"""Struck-out text of HTML: an old price or a deletion is no value, but a list of done tasks is still a list."""

from __future__ import annotations

import re

from paxman.documents.html.tags import BLOCK, CELLS

STRUCK = frozenset({"del", "s", "strike"})
STRUCK_STYLE = re.compile(r"text-decoration(?:-line)?\s{0,3}:[^;]{0,40}line-through", re.I)
_LONGEST, _MOST_TAGS = 1000, 20
_TAG = re.compile(r"\s*+<(/?)([a-zA-Z][\w-]*+)[^<>]*+>")


def is_left_out(source: str, name: str, at: int, begins: bool) -> bool:
    """Whether other text stands on the line or in the cell of a struck-out element, which may begin it.

    `at` is where the content of the element starts; one that does not end soon is rather one that was not closed.
    """
    end = 0 if name in BLOCK or name in CELLS else _end(source, name, at)
    return end > 0 and not (begins and _ends_line(source, end))


def _ends_line(source: str, place: int) -> bool:
    """Whether a block starts or ends here, or the page ends; no more than a few tags are looked at."""
    for _ in range(_MOST_TAGS):
        found = _TAG.match(source, place)
        if not found:
            return not source[place : place + _LONGEST].strip()
        if found[2].lower() in BLOCK or found[2].lower() in CELLS:
            return True
        place = found.end()
    return False


def _end(source: str, name: str, at: int) -> int:
    """Where an element ends, or 0 if that is far away."""
    near, depth = source[at : at + _LONGEST], 1
    tags = re.finditer(rf"<(/?){re.escape(name)}\b[^<>]*+>", near, re.I) if f"</{name}" in near.lower() else ()
    for found in tags:
        depth += -1 if found[1] else 1
        if not depth:
            return at + found.end()
    return 0
