"""Results as flat tables: a row per document with a typed column per field, and a table of rows for each array."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

import attrs

from paxman.batch.journal import JournalLine

Row = dict[str, Any]
Document = tuple[Row, list[dict[str, Any]]]
"""What is said of a document, and its fields, each with path, shape and value as JSON has them."""
DATA = "data"
_KEY = {"position": int, "_source": str}
_TYPES = {"INTEGER": int, "DECIMAL": Decimal, "BOOLEAN": bool, "DATE": datetime.date}
_MOST_DIGITS = 18


@attrs.define
class FlatTable:
    """A table with the type of each column; of decimals also the most places."""

    name: str
    types: dict[str, type] = attrs.field(factory=dict)
    places: dict[str, int] = attrs.field(factory=dict)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.types)

    def cells(self, row: Row) -> tuple[Any, ...]:
        """The values of a row, each of its column's type; what is not of it is text elsewhere, and null here."""
        return tuple(_typed(row.get(name), kind) for name, kind in self.types.items())

    def learn(self, name: str, kind: type, value: Any) -> None:
        """Take in a column, or a value that its type must hold; what does not fit makes it text."""
        known = self.types.setdefault(name, kind)
        if known is not kind or (value is not None and kind is not str and _typed(value, kind) is None):
            self.types[name] = str
        elif kind is Decimal and value is not None:
            self.places[name] = max(self.places.get(name, 0), -int(Decimal(value).as_tuple().exponent))


def from_lines(lines: Iterable[JournalLine]) -> Iterator[Document]:
    """Documents of a journal."""
    for line in lines:
        found = json.loads(line.row)
        about = {"_source": line.source, "_status": found["status"], "_reason": found["reason"]}
        if "reviewed" in found:
            about["_reviewed"] = ", ".join(found["reviewed"])
        fields = list(map(json.loads, filter(None, line.fields.split(b"\n"))))
        yield {"position": line.position, **about}, fields


def flat_tables(documents: Iterable[Document]) -> dict[str, FlatTable]:
    """The tables that these documents need, by the path of their array; all are looked at once."""
    found = {DATA: FlatTable(DATA, {**_KEY, "_status": str, "_reason": str})}
    for path, types, row in _typed_rows(documents):
        first = {**_KEY, "_row": int}
        table = found.setdefault(path, FlatTable(f"{path}_rows" if path in ("documents", "fields") else path, first))
        for name, kind in types.items():
            table.learn(name, kind, row.get(name))
    return found


def flat_rows(documents: Iterable[Document]) -> Iterator[tuple[str, Row]]:
    """Each row with the path of its table."""
    return ((path, row) for path, _, row in _typed_rows(documents))


def _typed_rows(documents: Iterable[Document]) -> Iterator[tuple[str, dict[str, type], Row]]:
    for about, fields in documents:
        key: Row = {name: about[name] for name in _KEY}
        row: Row = {**about}
        types: dict[str, type] = {"_reviewed": str} if "_reviewed" in about else {}
        arrays = list[tuple[str, Any, list[Any]]]()
        for field in fields:
            for path, kind, value in _leaves(field["field_path"], field.get("shape"), field["value"]):
                if isinstance(value, list) and value and all(isinstance(each, Mapping) for each in value):
                    arrays.append((path, kind, value))
                else:
                    types[path], row[path] = _column(kind), _cell(value)
        yield DATA, types, row
        for path, shape, records in arrays:
            yield from ((path, *_record(shape, each, {**key, "_row": n})) for n, each in enumerate(records, 1))


def _record(shape: Any, record: Mapping[str, Any], row: Row) -> tuple[dict[str, type], Row]:
    inner = shape[0] if isinstance(shape, list) and shape else {}
    types: dict[str, type] = {}
    for name, value in record.items():
        kind = inner.get(name) if isinstance(inner, Mapping) else None
        for path, each, part in _leaves(name, kind, value):
            types[path], row[path] = _column(each), _cell(part)
    return types, row


def _leaves(path: str, shape: Any, value: Any) -> Iterator[tuple[str, Any, Any]]:
    """Values with their dotted paths and shapes; an amount of money and its currency are two."""
    if shape == "MONEY" or (isinstance(value, Mapping) and value.keys() == {"amount", "currency"}):
        money = value or {}
        yield f"{path}.amount", "DECIMAL", money.get("amount")
        yield f"{path}.currency", "STRING", money.get("currency")
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _leaves(f"{path}.{name}", shape.get(name) if isinstance(shape, Mapping) else None, item)
    elif not isinstance(shape, Mapping | list) or value is not None:
        yield path, shape, value


def _column(shape: Any) -> type:
    return _TYPES.get(shape.partition(":")[0], str) if isinstance(shape, str) else str


def _cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value


def _typed(value: Any, kind: type) -> Any:
    """A value of JSON as a column's type has it; None for what is none."""
    if value is None:
        return None
    if kind is str:
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    try:
        if kind is datetime.date:
            return datetime.date.fromisoformat(value)
        if kind is Decimal:
            number = Decimal(value)
            return number if abs(number) < 10**_MOST_DIGITS and number.is_finite() else None
        if kind is int and isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
            return None
        return value if type(value) is kind else None
    except (ValueError, TypeError, InvalidOperation):
        return None
