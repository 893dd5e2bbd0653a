"""Whether what a row or a contract names stays inside a folder, links followed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from paxman.contract.model import CanonicalContract, CanonicalField


def find_inside(folder: Path, name: str) -> Path | None:
    """The place that a name means; None if it is not below the folder, or cannot be the name of a file."""
    try:
        home = folder.resolve()
        found = (home / name).resolve()
    except (OSError, ValueError, RuntimeError):  # NUL, half a surrogate, links in a circle
        return None
    return found if found.is_relative_to(home) else None


def lookups_of(field: CanonicalField) -> Iterator[Mapping[str, Any]]:
    """The lookups of a field and of all within it."""
    if field.lookup:
        yield field.lookup
    for part in (*field.children, *field.branches, *field.prefix, *([field.items] if field.items else [])):
        yield from lookups_of(part)


def file_of(address: str, base: Path) -> Path | None:
    """The file that the address of a lookup's table means; None for a server."""
    scheme, slashes, rest = address.partition(":///")
    if "://" in address and scheme not in ("sqlite", "duckdb"):
        return None
    return base / (unquote(rest.partition("?")[0]) if slashes else address)


def outside(contract: CanonicalContract, folder: Path | None) -> list[str]:
    """Paths of fields whose tables are neither in the contract nor in files below the folder; so for its lessons."""
    base = Path(contract.base_path or "").absolute()
    fields = {field.path: lookups_of(field) for field in contract.fields}
    if contract.lessons_file:
        fields["lessons"] = iter([{"source": contract.lessons_file}])
    return [path for path, lookups in fields.items() if any(_is_outside(each, base, folder) for each in lookups)]


def _is_outside(lookup: Mapping[str, Any], base: Path, folder: Path | None) -> bool:
    source = lookup.get("source")
    if isinstance(source, Mapping):
        return False
    if folder is None or not isinstance(source, str) or source.startswith("env:"):
        return True
    path = file_of(source, base)
    return path is None or find_inside(folder, str(path)) is None
