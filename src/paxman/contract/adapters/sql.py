"""SQL: the columns of a `CREATE TABLE`, with the tables that refer to it as rows."""

from __future__ import annotations

import datetime
import json
import typing
import uuid
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import count
from typing import TYPE_CHECKING, Any

import attrs

from paxman.contract.adapters.class_models import attribute_of, model_of
from paxman.contract.adapters.class_shapes import ClassField, ClassShape, nothing
from paxman.contract.adapters.pydantic import read_model
from paxman.contract.adapters.sql_conditions import parser, to_formula, with_checks
from paxman.contract.detection import KnownFormat
from paxman.contract.drafts import MISSING, KeyPath, refusal
from paxman.contract.loading import load_yaml
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.errors import ContractIssue, InvalidPathError, unknown_name
from paxman.types import FieldType

if TYPE_CHECKING:
    from pydantic import BaseModel

_DIALECTS = ("postgres", "mysql", "sqlite", "tsql", "oracle", "snowflake", "bigquery", "duckdb")
"""Tried in this order: the first that knows the most types is the one that the tables are written in."""


@attrs.frozen
class SqlTable:
    """A table as it was declared."""

    name: str
    columns: tuple[Any, ...]
    references: Mapping[str, str]
    """Columns that hold the key of a row in another table, with that table."""
    checks: tuple[Any, ...]
    keys: tuple[str, ...]
    description: str = ""


class SqlAdapter(KnownFormat):
    name = "sql"
    version = "1.0"

    def adapt(self, contract: Any, **options: Any) -> CanonicalContract:
        statements = _parse(contract)
        reader = _TableReader({table.name: table for table in _tables(statements)}, statements)
        read = read_model(reader.model(_pick(reader.tables, options.get("schema_name")), ()))
        return attrs.evolve(read, source="sql", check_data=None, warnings=(*read.warnings, *reader.notes))

    def export(self, canonical: CanonicalContract) -> Any:
        return write_tables(canonical)


def _parse(text: str) -> list[Any]:
    sqlglot = parser()
    problem, read = "", []
    for dialect in _DIALECTS:
        try:
            found = [each for each in sqlglot.parse(text, dialect=dialect) if each is not None]
        except sqlglot.errors.SqlglotError as error:
            problem = problem or str(error).splitlines()[0]
            continue
        if not any(each.key == "command" and "table" in each.sql().lower() for each in found):
            read.append(found)
    if read:
        return min(read, key=_strange_types)
    raise refusal(f"SQL that cannot be read: {problem}", hint="Give the text of CREATE TABLE statements.")


def _strange_types(statements: Sequence[Any]) -> int:
    kinds = [kind for each in statements for kind in each.find_all(parser().exp.DataType)]
    return sum(kind.this.name == "USERDEFINED" for kind in kinds)


def _tables(statements: Sequence[Any]) -> Iterator[SqlTable]:
    for each in statements:
        if each.key == "create" and each.args.get("kind") == "TABLE" and each.this.key == "schema":
            yield _table(each)


def _table(create: Any) -> SqlTable:
    parts = [inner for part in create.this.expressions for inner in _unnamed(part)]
    columns = tuple(part for part in parts if part.key == "columndef")
    references = {part.name: _referred(kind) for part in columns for kind in _kinds(part) if kind.key == "reference"}
    for part in parts:
        if part.key == "foreignkey" and part.args.get("reference"):
            references.update({column.name: _referred(part.args["reference"]) for column in part.expressions})
    keys = [column.name for part in parts if part.key == "primarykey" for column in part.expressions]
    keys += [part.name for part in columns if any(kind.key == "primarykeycolumnconstraint" for kind in _kinds(part))]
    checks = [part.this for part in parts if part.key == "checkcolumnconstraint"]
    checks += [kind.this for part in columns for kind in _kinds(part) if kind.key == "checkcolumnconstraint"]
    return SqlTable(create.this.this.name, columns, references, tuple(checks), tuple(keys))


def _unnamed(part: Any) -> list[Any]:
    """What a `CONSTRAINT name` stands before."""
    return list(part.expressions) if part.key == "constraint" else [part]


def _kinds(column: Any) -> list[Any]:
    return [each.args["kind"] for each in column.args.get("constraints") or () if each.args.get("kind")]


def _referred(reference: Any) -> str:
    target = reference.this
    return str(target.this.name if target.key == "schema" else target.name)


def _pick(tables: Mapping[str, SqlTable], wanted: str | None) -> SqlTable:
    if not tables:
        raise refusal("SQL without a table", hint="Give the text of a CREATE TABLE statement.")
    if wanted is not None and wanted in tables:
        return tables[wanted]
    if wanted is None and len(tables) == 1:
        return next(iter(tables.values()))
    message = unknown_name("table", wanted, tables) if wanted else f"there are several tables: {', '.join(tables)}."
    hint = 'Name the one that a document fills: give (text, "invoices"), or "schema.sql#invoices" for a file.'
    raise InvalidPathError([ContractIssue("INVALID_CONTRACT", str(KeyPath()), message, hint)])


class _TableReader:
    """Makes models of tables; rows of tables that refer to a table are a list in it."""

    def __init__(self, tables: Mapping[str, SqlTable], statements: Sequence[Any]) -> None:
        self.tables = tables
        self.notes: list[str] = []
        self._types = {
            each.this.name.lower(): tuple(member.this for member in each.expression.expressions)
            for each in statements
            if each.key == "create" and each.args.get("kind") == "TYPE" and each.expression is not None
        }
        self._comments = {
            (each.this.args["table"].name, each.this.name): each.expression.this
            for each in statements
            if each.key == "comment" and each.this.key == "column" and each.this.args.get("table")
        }

    def model(self, table: SqlTable, above: tuple[str, ...]) -> type[BaseModel]:
        columns = [each for each in table.columns if not self._is_internal(each, table, above)]
        fields = {each.name: self._column(each, table, (*above, table.name)) for each in columns}
        formulas = {each.name: self._formula(each, fields) for each in columns}
        whole = [attrs.evolve(field, hints={**formulas[name], **field.hints}) for name, field in fields.items()]
        shape = with_checks(ClassShape((*whole, *self._rows(table, above))), table.checks)
        self.notes += [f"{table.name}: {note}" for note in shape.notes]
        return model_of(table.name, {attribute_of(each.name): (each.annotation, each) for each in shape.fields}, {})

    def _is_internal(self, column: Any, table: SqlTable, above: tuple[str, ...]) -> bool:
        """Keys that the database counts, and those that only join a row to its parent."""
        if "x-paxman" in _remark(column):
            return False
        if table.references.get(column.name) in above:
            return True
        marks = {kind.key for kind in _kinds(column)}
        counted = column.kind.this.name in ("SERIAL", "BIGSERIAL", "SMALLSERIAL") or marks & _COUNTED
        key = column.name in table.keys and len(table.keys) == 1 and column.kind.this.name in ("INT", "BIGINT", "UUID")
        return bool(counted or key)

    def _rows(self, table: SqlTable, above: tuple[str, ...]) -> Iterator[ClassField]:
        for other in self.tables.values():
            if table.name in other.references.values() and other.name not in above and other is not table:
                model = self.model(other, (*above, table.name))
                yield ClassField(other.name, list[model], factory=list)  # type: ignore[valid-type]

    def _column(self, column: Any, table: SqlTable, above: tuple[str, ...]) -> ClassField:
        marks = {kind.key: kind for kind in _kinds(column)}
        needed = "notnullcolumnconstraint" in marks or column.name in table.keys
        if "notnullcolumnconstraint" in marks and marks["notnullcolumnconstraint"].args.get("allow_null"):
            needed = False
        description, hints = _read_remark(_remark(column))
        comment = marks.get("commentcolumnconstraint")
        description = (comment.this.this if comment else "") or self._comments.get(
            (table.name, column.name), description
        )
        annotation, limits = self._type(column.kind)
        referred = self.tables.get(table.references.get(column.name, ""))
        name = column.name
        if referred is not None and referred.name not in above and not hints:
            # What a foreign key is the key of: `supplier` of `supplier_id`.
            short = column.name.removesuffix("_id").removesuffix("_no")
            annotation, limits, name = self.model(referred, above), {}, short or column.name
        default = _default(marks.get("defaultcolumnconstraint"))
        filled = not needed or marks.keys() & {"defaultcolumnconstraint", "computedcolumnconstraint"}
        factory = nothing if filled and default is MISSING else None
        if not needed:
            annotation = typing.Optional[annotation]  # noqa: UP045
        return ClassField(name, annotation, default, factory, description=description, hints=hints, limits=limits)

    def _formula(self, column: Any, fields: Mapping[str, ClassField]) -> dict[str, Any]:
        """What a generated column is computed from."""
        computed = next((kind.this for kind in _kinds(column) if kind.key == "computedcolumnconstraint"), None)
        formula = to_formula(computed, fields) if computed is not None else None
        return {"derive": formula} if formula else {}

    def _type(self, kind: Any) -> tuple[Any, dict[str, Any]]:
        """The Python type of a column's values, and what the column allows of it."""
        name = kind.this.name
        sizes = [int(each.name) for each in kind.expressions if each.key == "datatypeparam" and each.name.isdigit()]
        members = tuple(each.this for each in kind.expressions if each.key == "literal") if name == "ENUM" else ()
        if name == "USERDEFINED":
            members = self._types.get(str(getattr(kind.args["kind"], "name", kind.args["kind"])).lower(), ())
        if members:
            return typing.Literal[members], {}
        if name == "ARRAY" and kind.expressions:
            return list[self._type(kind.expressions[0])[0]], {}  # type: ignore[misc]
        if name in _DECIMALS:
            return Decimal, {"max_digits": sizes[0], "decimal_places": (*sizes, 0)[1]} if sizes else {}
        if name == "TINYINT" and sizes == [1]:
            return bool, {}
        python = next((python for python, names in _TYPES.items() if name in names), str)
        return python, {"max_length": sizes[0]} if python is str and sizes else {}


_COUNTED = frozenset({"autoincrementcolumnconstraint", "generatedasidentitycolumnconstraint"})
_DECIMALS = frozenset({"DECIMAL", "MONEY", "SMALLMONEY", "BIGDECIMAL", "DECIMAL32", "DECIMAL64", "DECIMAL128"})
_TYPES: dict[Any, frozenset[str]] = {
    int: frozenset("INT BIGINT SMALLINT TINYINT MEDIUMINT UINT UBIGINT USMALLINT UTINYINT INT128 INT256 YEAR".split()),
    float: frozenset(("FLOAT", "DOUBLE")),
    bool: frozenset(("BOOLEAN", "BIT")),
    datetime.date: frozenset(("DATE", "DATE32")),
    datetime.datetime: frozenset("DATETIME DATETIME2 DATETIME64 TIMESTAMP TIMESTAMPTZ TIMESTAMPLTZ".split()),
    datetime.time: frozenset(("TIME", "TIMETZ")),
    datetime.timedelta: frozenset(("INTERVAL",)),
    bytes: frozenset("BINARY VARBINARY BLOB LONGBLOB MEDIUMBLOB TINYBLOB IMAGE".split()),
    uuid.UUID: frozenset(("UUID",)),
    dict[str, Any]: frozenset(("JSON", "JSONB", "OBJECT", "MAP", "HSTORE")),
}


def _default(mark: Any) -> Any:
    """A constant; what the database works out by itself is no default here."""
    node = mark.this if mark is not None else None
    if node is not None and node.key == "boolean":
        return bool(node.this)
    if node is None or node.key != "literal":
        return MISSING
    return node.this if node.is_string else Decimal(node.this)


def _remark(column: Any) -> str:
    return " ".join(comment.strip() for comment in column.comments or ())


def _read_remark(text: str) -> tuple[str, dict[str, Any]]:
    """The description in a comment, and the hints behind `x-paxman:`."""
    description, mark, hints = text.partition("x-paxman:")
    if not mark:
        return text, {}
    try:
        found = load_yaml(hints)
    except ValueError as error:
        raise refusal(
            f"SQL with hints that cannot be read: {error}", hint="Write -- x-paxman: {labels: [Total]}"
        ) from None
    return description.strip(), found if isinstance(found, dict) else {}


_TYPES_OF_COLUMNS = {
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
    return items is not None and (bool(items.children) or items.type in _TYPES_OF_COLUMNS)


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
        yield _column(name, _TYPES_OF_COLUMNS.get(field.type, "JSON"), needed) + check, _note(field)


def _column(name: str, kind: str, needed: bool) -> str:
    return f"{_quoted(name)} {kind}{' NOT NULL' * needed}"


def _note(field: CanonicalField) -> str:
    hints = f"x-paxman: {json.dumps({'labels': list(field.labels)}, ensure_ascii=False)}" if field.labels else ""
    said = " ".join(filter(None, (" ".join(field.description.split()), hints)))
    return f" -- {said}" if said else ""


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
