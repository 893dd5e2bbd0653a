"""One draft of several: what the samples share, with a type that holds all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_WIDER = (
    ({"INTEGER", "DECIMAL"}, "DECIMAL"),
    ({"DATE", "DATETIME"}, "DATETIME"),
    ({"MONEY", "DECIMAL"}, "MONEY"),
    ({"MONEY", "INTEGER"}, "MONEY"),
    ({"MONEY", "INTEGER", "DECIMAL"}, "MONEY"),
)
"""Types that another one holds; whatever else differs is text."""
_MANY = 3
"""Samples from which a field that only one of them has is taken for its own."""


def merge_drafts(drafts: Sequence[Sequence[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Fields by name in the order of their first sample; one that a sample lacks is optional."""
    found: dict[str, list[dict[str, Any]]] = {}
    for fields in drafts:
        for field in fields:
            found.setdefault(field["name"], []).append(field)
    least = 2 if len(drafts) >= _MANY else 1
    return [_merged(fields, len(drafts)) for fields in found.values() if len(fields) >= least]


def _merged(fields: Sequence[dict[str, Any]], samples: int) -> dict[str, Any]:
    kinds = {field["type"] for field in fields}
    kind = kinds.pop() if len(kinds) == 1 else next((wide for narrow, wide in _WIDER if kinds <= narrow), "STRING")
    required = len(fields) == samples and all(field["required"] for field in fields)
    merged = {"name": fields[0]["name"], "type": kind, "required": required}
    labels = list(dict.fromkeys(label for field in fields for label in field.get("labels", ())))
    if labels:
        merged["labels"] = labels
    if kind == "OBJECT":
        merged["fields"] = merge_drafts([field["fields"] for field in fields])
    elif kind == "ARRAY":
        merged["items"] = _merged_items([field["items"] for field in fields])
    return merged


def _merged_items(items: Sequence[dict[str, Any]]) -> dict[str, Any]:
    rows = [each for each in items if each.get("type") == "OBJECT" and "fields" in each]
    if len(rows) < len(items):
        return rows[0] if rows else items[0]
    return {"type": "OBJECT", "fields": merge_drafts([row["fields"] for row in rows])}
