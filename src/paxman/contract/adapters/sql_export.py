"""A contract as `CREATE TABLE`: the tables that its data would fill."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import count

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


class _GivenNames:
    """Names of tables, or of the columns of one, each given once; databases do not tell upper case from lower."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def give(self, name: str) -> str:
        """The name, with a number behind it if it is taken."""
        tried = (f"{name}_{number}" if number > 1 else name for number in count(1))
        free = next(each for each in tried if each.casefold() not in self._used)
        self._used.add(free.casefold())
        return free


def write_tables(contract: CanonicalContract) -> str:
    """The statements: objects become columns, and each list a table whose rows refer to the one above."""
    tables = _GivenNames()
    return "\n".join(_statements(tables.give(contract.id), contract.fields, "", tables))


def _statements(table: str, fields: Sequence[CanonicalField], above: str, tables: _GivenNames) -> Iterator[str]:
    lists, names = [field for each in fields for field in _lists(each)], _GivenNames()
    columns = [line for field in fields for line in _columns(field, "", True, names)]
    lines = [(f"{_quoted(names.give('id'))} BIGINT PRIMARY KEY", "")] if lists else []
    link = _quoted(names.give(f"{above}_id"))
    lines += [(f"{link} BIGINT NOT NULL REFERENCES {_quoted(above)}", "")] if above else []
    lines += columns
    written = (f"  {column}{',' * (number < len(lines))}{note}" for number, (column, note) in enumerate(lines, 1))
    yield "\n".join((f"CREATE TABLE {_quoted(table)} (", *written, ");\n"))
    for field in lists:
        if field.items:
            yield from _statements(tables.give(field.name), field.items.children or (field.items,), table, tables)


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


def _columns(field: CanonicalField, prefix: str, needed: bool, names: _GivenNames) -> Iterator[tuple[str, str]]:
    """The columns of a field, each with the comment behind it."""
    name, needed = prefix + field.name.replace("[]", "value"), needed and field.required
    if field.type is FieldType.OBJECT and field.children:
        for child in field.children:
            yield from _columns(child, f"{name}_", needed, names)
    elif field.type is FieldType.MONEY:
        yield _column(names.give(f"{name}_amount"), "NUMERIC", needed), _note(field)
        yield _column(names.give(f"{name}_currency"), "CHAR(3)", needed), ""
    elif not _is_table(field):
        name = names.give(name)
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
