"""Fields of a draft from data: JSON, the tree of a document, and what a page says of itself in structured data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from paxman.documents.document import Document, Node

INTEGER = re.compile(r"^-?(?:0|[1-9][0-9]{0,8})$")
WORD = re.compile(r"\w+")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,30})\.[0-9]{1,30}")


def from_payload(payload: Any) -> list[dict[str, Any]]:
    """Fields for what JSON has, or the tree of a document."""
    payload = _to_payload(payload) if isinstance(payload, Node) else payload
    return _from_rows([payload if isinstance(payload, Mapping) else {"rows": payload}]) if payload else []


def from_entity(document: Document) -> list[dict[str, Any]]:
    """The properties of the thing that a page of HTML describes in its structured data, the fullest of several."""
    kinds = document.tree.children if document.kind == "html" and document.tree else ()
    entities = [each for kind in kinds if kind.kind == "array" for each in kind.children if each.kind == "object"]
    fullest = max(entities, key=lambda each: len(each.children), default=None)
    return _from_rows([_properties(_to_payload(fullest))]) if fullest else []


def _properties(payload: Any) -> Any:
    """A payload without keys that are about the data themselves, such as @type."""
    if isinstance(payload, Mapping):
        return {name: _properties(value) for name, value in payload.items() if name.isidentifier()}
    return [_properties(each) for each in payload] if isinstance(payload, list) else payload


def unique(fields: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first field of each name."""
    found: dict[str, dict[str, Any]] = {}
    for field in fields:
        found.setdefault(field["name"], field)
    return list(found.values())


def _to_payload(node: Node) -> Any:
    """A tree as the payload that it stands for; elements of one name beside each other are a list."""
    if node.kind == "array":
        return [_to_payload(child) for child in node.children]
    children: dict[str, list[Any]] = {}
    for child in node.children:
        children.setdefault(child.name, []).append(_to_payload(child))
    if node.kind == "object":
        return {name: values[0] if len(values) == 1 else values for name, values in children.items()}
    code = next((name for name in children if name.lower().startswith("currency")), None)
    return {"amount": node.text, "currency": ""} if code else _to_scalar(node.text)


def _to_scalar(text: str | None) -> Any:
    """What a text of a tree would be in a payload."""
    if text in ("true", "false"):
        return text == "true"
    if text and INTEGER.match(text):
        return int(text)
    return Decimal(text) if text and _DECIMAL.fullmatch(text) else text


def _from_values(key: str, values: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """A field that would hold each of these values of a payload; none for objects in which there is nothing."""
    present = [value for value in values if value is not None and value != {}]
    if not present and {} in values:
        return
    field = field_of(key, "STRING", required=len(present) == len(values))
    kinds = {_payload_kind(value) for value in present}
    if kinds == {"OBJECT"}:
        fields = _from_rows([value for value in values if value is not None])
        yield from [{**field, "type": "OBJECT", "fields": fields}] if fields else []
    elif kinds == {"ARRAY"}:
        yield {**field, "type": "ARRAY", "items": _items([item for value in present for item in value])}
    elif kinds & {"OBJECT", "ARRAY"}:
        yield {**field, "required": False}
    else:
        kind = "DECIMAL" if kinds == {"INTEGER", "DECIMAL"} else kinds.pop() if len(kinds) == 1 else "STRING"
        yield {**field, "type": kind}


def _payload_kind(value: Any) -> str:
    if isinstance(value, Mapping):
        return "MONEY" if {"amount", "currency"} == value.keys() else "OBJECT"
    if isinstance(value, str):
        day = re.match(r"\d{4}-\d\d-\d\d(?:(?P<time>[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[-+]\d\d:?\d\d)?))?\Z", value)
        return "STRING" if day is None else "DATETIME" if day["time"] else "DATE"
    kinds: dict[type, str] = {list: "ARRAY", bool: "BOOLEAN", int: "INTEGER", Decimal: "DECIMAL"}
    return kinds.get(type(value), "STRING")


def _from_rows(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A field for each name that an object of the rows has."""
    names = dict.fromkeys(name for row in rows for name in row)
    return unique(field for name in names for field in _from_values(name, [row.get(name) for row in rows]))


def _items(values: list[Any]) -> dict[str, Any]:
    """The shape of an array's items, of all of them together."""
    rows = [value for value in values if isinstance(value, Mapping)]
    found = next(_from_values("item", rows or values), {"type": "STRING"}) if values else {"type": "STRING"}
    return {name: found[name] for name in ("type", "items", "fields") if name in found}


def field_of(label: str, kind: str, required: bool = True) -> dict[str, Any]:
    """A field that is named by its label; the label stays with it where the name says less."""
    field: dict[str, Any] = {"name": name_of(label), "type": kind, "required": required}
    return field if field["name"] == label else {**field, "labels": [label.strip() or field["name"]]}


def name_of(label: str) -> str:
    """A label as a name: what is one already, otherwise lower case words joined with underscores."""
    if label.isidentifier() and not label.isupper() and label[1:] != label[1:].lower():
        return label
    words = "_".join(WORD.findall(label)).lower().strip("_")
    return f"field_{words}" if not words or words[0].isdigit() else words


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
