"""A first contract from an example: a document, or a payload that looks like the data one wants."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from paxman.api.inputs import InputData, load_input
from paxman.contract.labels import fold_label
from paxman.contract.model import CanonicalField
from paxman.documents.document import Document, Table
from paxman.documents.reading import read_document
from paxman.recognizers import conventions_of, read_value
from paxman.recognizers.base import Conventions
from paxman.types import FieldType

_TRIED = (FieldType.BOOLEAN, FieldType.INTEGER, FieldType.DATE, FieldType.MONEY, FieldType.DECIMAL)
_WORD = re.compile(r"\w+")
_LONGEST_LABEL = 60


def draft_contract(example: InputData, name: str) -> dict[str, Any]:
    """A contract in the Dict DSL with a field for everything that the example shows."""
    raw = load_input(example)
    payload = _parse(raw.data)
    if isinstance(payload, Mapping | list):
        rows = {"rows": payload} if isinstance(payload, list) else payload
        fields = [_from_value(key, value) for key, value in rows.items()]
    else:
        fields = list(_from_document(read_document(raw.data, raw.name)))
    return {"id": _name(name), "version": "1", "fields": fields or [_field("value", "STRING")]}


def _parse(data: bytes) -> Any:
    try:
        return json.loads(data, parse_float=Decimal)
    except (ValueError, RecursionError):
        return None


def _from_value(key: str, value: Any) -> dict[str, Any]:
    """A field that would hold this value of a payload."""
    field = _field(key, "STRING", required=value is not None)
    if isinstance(value, Mapping) and {"amount", "currency"} == value.keys():
        return {**field, "type": "MONEY"}
    if isinstance(value, Mapping) and value:
        return {**field, "type": "OBJECT", "fields": [_from_value(name, item) for name, item in value.items()]}
    if isinstance(value, list):
        return {**field, "type": "ARRAY", "items": _items(value)}
    kinds: dict[type, str] = {bool: "BOOLEAN", int: "INTEGER", Decimal: "DECIMAL"}
    if isinstance(value, str):
        kinds[str] = "DATE" if re.fullmatch(r"\d{4}-\d\d-\d\d", value) else "STRING"
    return {**field, "type": kinds.get(type(value), "STRING")}


def _items(values: list[Any]) -> dict[str, Any]:
    rows = [value for value in values if isinstance(value, Mapping)]
    if not rows:
        found = _from_value("item", values[0]) if values else {"type": "STRING"}
        return {name: found[name] for name in ("type", "items") if name in found}
    columns: dict[str, Any] = {}
    for row in rows:
        columns |= {name: value for name, value in row.items() if columns.get(name) is None}
    fields = [_from_value(name, value) for name, value in columns.items()]
    for field, name in zip(fields, columns, strict=True):
        field["required"] = field["required"] and all(row.get(name) is not None for row in rows)
    return {"type": "OBJECT", "fields": fields}


def _from_document(document: Document) -> Iterator[dict[str, Any]]:
    """A field for each pair of label and value, and one for each table, under names that differ."""
    conventions = conventions_of(document.text)
    taken: set[str] = set()
    for label, value in _pairs(document):
        if _name(label) not in taken:
            taken.add(_name(label))
            yield _field(label, _kind([value], conventions))
    tables = [table for table in document.tables if table.header and table.rows and (table.explicit or not taken)]
    for number, table in enumerate(tables, 1):
        name = _name(table.name or f"rows_{number}")
        if name not in taken:
            taken.add(name)
            yield {**_field(name, "ARRAY"), "items": _columns(table, conventions)}


def _pairs(document: Document) -> Iterator[tuple[str, str]]:
    """Labels with their values; what is itself a value of a label beside it is no label."""
    values = {pair.value_span for pair in document.pairs if pair.relation == "beside"}
    beside = {pair.label_span for pair in document.pairs if pair.relation == "beside"}
    for pair in document.pairs:
        usable = fold_label(pair.label) and len(pair.label) <= _LONGEST_LABEL
        stacked = pair.relation == "below" and (pair.value_span in beside or pair.label_span in values | beside)
        if usable and not stacked:
            yield pair.label, document.text[slice(*pair.value_span)]


def _columns(table: Table, conventions: Conventions) -> dict[str, Any]:
    fields: dict[str, dict[str, Any]] = {}
    for index, cell in enumerate(table.header):
        values = [row[index].text for row in table.rows[:50] if index < len(row) and row[index].text.strip()]
        fields.setdefault(_name(cell.text or f"column {index + 1}"), _field(cell.text, _kind(values, conventions)))
    return {"type": "OBJECT", "fields": [{**field, "name": name} for name, field in fields.items()]}


def _field(label: str, kind: str, required: bool = True) -> dict[str, Any]:
    field: dict[str, Any] = {"name": _name(label), "type": kind, "required": required}
    return field if field["name"] == label else {**field, "labels": [label.strip() or field["name"]]}


def _name(label: str) -> str:
    """A label as a name: what is one already, otherwise lower case words joined with underscores."""
    if label.isidentifier() and not label.isupper() and label[1:] != label[1:].lower():
        return label
    words = "_".join(_WORD.findall(label)).lower().strip("_")
    return f"field_{words}" if not words or words[0].isdigit() else words


def _kind(values: Iterable[str], conventions: Conventions) -> str:
    """The narrowest type that takes all of these texts, whole."""
    texts = [value.strip() for value in values]
    for kind in _TRIED if texts else ():
        field = CanonicalField("draft:x", "x", "x", kind)
        if all(_is_whole(text, field, conventions) for text in texts):
            return kind.value
    return "STRING"


def _is_whole(text: str, field: CanonicalField, conventions: Conventions) -> bool:
    reading = read_value(text, field, conventions)
    return reading is not None and reading.start == 0 and reading.end == len(text)
