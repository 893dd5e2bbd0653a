"""A contract as `CREATE TABLE`: the tables that its data would fill."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.types import FieldType

_TYPES = {
    FieldType.STRING: "TEXT",
    FieldType.INTEGER: "BIGINT",
    FieldType.DECIMAL: "NUMERIC",
    FieldType.BOOLEAN: "BOOLEAN",
    FieldType.DATE: "DATE",
    FieldType.DATETIME: "TIMESTAMP",
    FieldType.TIME: "TIME",
    FieldType.DURATION: "INTERVAL",
    FieldType.ENUM: "TEXT",
}
"""Types of columns; what has none, such as a map or a union, is kept as JSON."""
_KEY = '"id" BIGINT PRIMARY KEY'


def write_tables(contract: CanonicalContract) -> str:
    """The statements: objects become columns, and each list a table whose rows refer to the one above."""
    return "\n".join(_statements(contract.id, contract.fields, "", {contract.id}))


def _statements(name: str, fields: Sequence[CanonicalField], above: str, used: set[str]) -> Iterator[str]:
    lists = [field for each in fields for field in _lists(each)]
    lines = [(_KEY, "")] if lists else []
    lines += [(f"{_quoted(f'{above}_id')} BIGINT NOT NULL REFERENCES {_quoted(above)}", "")] if above else []
    lines += [line for field in fields for line in _columns(field, "", True)]
    written = (f"  {column}{',' * (number < len(lines))}{note}" for number, (column, note) in enumerate(lines, 1))
    yield "\n".join((f"CREATE TABLE {_quoted(name)} (", *written, ");\n"))
    for field in lists:
        table = field.name if field.name not in used else f"{name}_{field.name}"
        used.add(table)
        if field.items:
            yield from _statements(table, field.items.children or (field.items,), name, used)


def _lists(field: CanonicalField) -> Iterator[CanonicalField]:
    """The lists in a field that have tables of their own: of objects or of single values."""
    if field.type is FieldType.OBJECT:
        for child in field.children:
            yield from _lists(child)
    elif _is_table(field):
        yield field


def _is_table(field: CanonicalField) -> bool:
    items = field.items if field.type is FieldType.ARRAY and not field.prefix else None
    return items is not None and (bool(items.children) or items.type in _TYPES)


def _columns(field: CanonicalField, prefix: str, needed: bool) -> Iterator[tuple[str, str]]:
    """The columns of a field, each with the comment behind it."""
    name, needed = prefix + field.name.replace("[]", "value"), needed and field.required
    if field.type is FieldType.OBJECT and field.children:
        for child in field.children:
            yield from _columns(child, f"{name}_", needed)
    elif field.type is FieldType.MONEY:
        yield _column(f"{name}_amount", "NUMERIC", needed), _note(field)
        yield _column(f"{name}_currency", "CHAR(3)", needed), ""
    elif not _is_table(field):
        members = [member for member in field.enum_values if isinstance(member, str)]
        choices = ", ".join("'" + member.replace("'", "''") + "'" for member in members)
        check = f" CHECK ({_quoted(name)} IN ({choices}))" if choices else ""
        yield _column(name, _TYPES.get(field.type, "JSON"), needed) + check, _note(field)


def _column(name: str, kind: str, needed: bool) -> str:
    return f"{_quoted(name)} {kind}{' NOT NULL' * needed}"


def _note(field: CanonicalField) -> str:
    hints = f"x-paxman: {json.dumps({'labels': list(field.labels)}, ensure_ascii=False)}" if field.labels else ""
    said = " ".join(filter(None, (" ".join(field.description.split()), hints)))
    return f" -- {said}" if said else ""


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
