"""Reading the lexicon's data files: one TOML file a trade, and the words that all trades share."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"


def read_all(extra: Iterable[str] = ()) -> dict[str, Any]:
    """Everything in the data folder and in the files named, as one mapping."""
    merged: dict[str, Any] = {"signs": {}, "terms": {}, "columns": {}, "clauses": []}
    for path in [*sorted(DATA.rglob("*.toml")), *(Path(name.partition("#sha256:")[0]) for name in extra)]:
        _merge(merged, tomllib.loads(path.read_text(encoding="utf-8")))
    return merged


def _merge(merged: dict[str, Any], found: dict[str, Any]) -> None:
    domain = found.get("domain", "own")
    if "domain" in found or "terms" in found or "columns" in found:
        merged["signs"].setdefault(domain, []).extend(found.get("signs", ()))
        merged["terms"].setdefault(domain, {}).update(found.get("terms", {}))
        merged["columns"].setdefault(domain, {}).update(found.get("columns", {}))
    for key in (
        "heads",
        "stop",
        "owners",
        "not_values",
        "papers",
        "plain",
        "alone",
        "row_words",
        "addresses",
        "sums",
        "hedges",
        "links",
        "accounts",
        "units",
        "of_sides",
        "statements",
        "stand_ins",
    ):
        merged.setdefault(key, {}).update(found.get(key, {}))
    merged.setdefault("groups", []).extend(found.get("groups", ()))
    for key in ("issuers", "over_doors", "per", "titles"):
        merged.setdefault(key, []).extend(found.get(key, ()))
    merged["clauses"] += found.get("clause", ())
    for number, group in enumerate(found.get("opposites", ())):
        merged.setdefault("opposites", {})[group.get("group", f"group{number}")] = group["members"]
