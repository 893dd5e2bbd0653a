"""On which line of a contract's source a field stands."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs


@attrs.frozen
class SourceLines:
    """The text of a contract. `tree` has the places of its keys, where it is JSON or YAML."""

    text: str
    tree: Any = None
    start: int = 0
    """Where a class begins in the text."""

    def line_of(self, path: str) -> int | None:
        """The line of a field, counted from one; None where it cannot be told."""
        names = path.replace("[]", "").split(".")
        if self.tree is not None:
            return _line_in_tree(self.tree, names)
        return _line_in_text(self.text, names[-1], self.start)


def source_of_file(path: Path) -> SourceLines | None:
    """The source in a file; None if it cannot be read."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None
    return SourceLines(text, _tree(text) if path.suffix.lower() in (".json", ".yaml", ".yml") else None)


def source_of_class(kind: Any) -> SourceLines | None:
    """The file that a class is declared in."""
    try:
        _, line = inspect.getsourcelines(kind)
        text = Path(inspect.getfile(kind)).read_text("utf-8-sig")
    except (OSError, TypeError, UnicodeDecodeError):
        return None
    return SourceLines(text, None, sum(map(len, text.splitlines(keepends=True)[: line - 1])))


def _tree(text: str) -> Any:
    import yaml

    try:
        # Inside of JSON a tab is but a blank; YAML has none there.
        return yaml.compose(text.replace("\t", " "), Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError):
        return None


def _line_in_tree(node: Any, names: list[str]) -> int | None:
    """Name by name, each below the one before; a part that stands elsewhere, by reference, is sought everywhere."""
    found, inside = None, node
    for name in names:
        hit = next(_entries(inside, name), None) or next(_entries(node, name), None)
        if hit is None:
            return found
        line, inside = hit
        found = line + 1
    return found


def _entries(node: Any, name: str) -> Iterator[tuple[int, Any]]:
    """Places where a field of this name is described, the outermost first: as a key, or as the value of `name`."""
    waiting = [node]
    while waiting:
        here = waiting.pop(0)
        pairs = [pair for pair in here.value if isinstance(pair, tuple)] if isinstance(here.value, list) else []
        for key, value in pairs:
            if key.value == name and value.id == "mapping":
                yield key.start_mark.line, value
            elif key.value == "name" and value.value == name:
                yield value.start_mark.line, here
        waiting += [value for _, value in pairs] or [part for part in here.value if hasattr(part, "id")]


def _line_in_text(text: str, name: str, start: int) -> int | None:
    """The line that declares a name in Python, SQL or TOML."""
    declared = rf"^[\s(,]*[\"`\[]?{re.escape(name)}[\"`\]]?\s*[:=\s]|^\s*name\s*=\s*[\"']{re.escape(name)}[\"']"
    pattern = re.compile(declared, re.MULTILINE | re.IGNORECASE)
    found = pattern.search(text, start) or pattern.search(text)
    if found is None:
        return None
    blank = len(found[0]) - len(found[0].lstrip())
    return text.count("\n", 0, found.start() + blank) + 1
