"""SQLAlchemy: the columns and relationships of a mapped class, without what only the database knows."""

from __future__ import annotations

import decimal
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any

from paxman.contract.adapters.class_shapes import ClassField, ClassShape, nothing
from paxman.contract.adapters.sql_conditions import parse_condition, to_formula, with_checks
from paxman.contract.drafts import MISSING


def read_mapped(kind: Any) -> ClassShape:
    """The columns of a class that a document can answer, and the classes that it owns or refers to."""
    from sqlalchemy import CheckConstraint, inspect

    mapper = inspect(kind)
    relations = list(_relations(mapper))
    joined = {column for relation in mapper.relationships for column in relation.local_columns if column.foreign_keys}
    columns = [
        each for each in mapper.column_attrs if not _is_internal(each.columns[0]) and each.columns[0] not in joined
    ]
    fields = [_column(each, _markers(kind, each.key)) for each in columns] + [_related(each) for each in relations]
    rules = [rule for rule in mapper.local_table.constraints if isinstance(rule, CheckConstraint)]
    info = {**getattr(mapper.local_table, "info", {})}
    shape = ClassShape(tuple(fields), info.get("x-paxman", {}))
    return with_checks(shape, [parse_condition(str(rule.sqltext)) for rule in rules]) if rules else shape


def _is_internal(column: Any) -> bool:
    """Keys that the database counts, what it computes, and columns that only join rows to their parent."""
    keys = (column, *(key.column for key in column.foreign_keys))
    counted = any(key.primary_key and key is key.table._autoincrement_column for key in keys)
    return bool(not column.info.get("x-paxman") and (counted or column.identity))


def _relations(mapper: Any) -> Iterator[Any]:
    """What belongs to a row, and what it refers to; not the way back."""
    for each in mapper.relationships:
        back = [getattr(each.mapper.relationships, name) for name in _names_of_others(each)]
        is_way_back = each.direction.name == "MANYTOONE" and any(other.uselist for other in back)
        if not is_way_back and each.mapper is not mapper and each.direction.name != "MANYTOMANY":
            yield each


def _names_of_others(relation: Any) -> list[str]:
    return [other.key for other in relation._reverse_property]


def _related(relation: Any) -> ClassField:
    kind: Any = relation.mapper.class_
    if relation.uselist:
        return ClassField(
            relation.key, types.GenericAlias(list, (kind,)), factory=list, hints=relation.info.get("x-paxman", {})
        )
    needed = relation.direction.name == "MANYTOONE" and all(not column.nullable for column in relation.local_columns)
    annotation = kind if needed else typing.Optional[kind]  # noqa: UP045
    return ClassField(relation.key, annotation, MISSING if needed else None, hints=relation.info.get("x-paxman", {}))


def _column(attribute: Any, markers: tuple[Any, ...]) -> ClassField:
    column = attribute.columns[0]
    annotation, limits = _type(column.type)
    hints = {**_formula(column), **column.info.get("x-paxman", {})}
    if column.name != attribute.key:
        hints["labels"] = [*hints.get("labels", []), column.name]
    annotation = typing.Annotated[(annotation, *markers)] if markers else annotation
    if column.nullable:
        annotation = typing.Optional[annotation]  # noqa: UP045
    return ClassField(attribute.key, annotation, *_default(column), attribute.key, column.comment or "", hints, limits)


def _formula(column: Any) -> dict[str, Any]:
    """What a computed column is made from, if the formula can be read."""
    if column.computed is None:
        return {}
    names = {each.name: ClassField(each.key, Any) for each in column.table.columns}
    formula = to_formula(parse_condition(str(column.computed.sqltext)), names)
    return {"derive": formula} if formula else {}


def _default(column: Any) -> tuple[Any, Callable[[], Any] | None]:
    """The column's own default; nothing where the database would put something in."""
    given = column.default
    if given is not None and given.is_scalar:
        return given.arg, None
    is_needed = given is None and column.server_default is None and not column.nullable
    return MISSING, None if is_needed else nothing


def _type(kind: Any) -> tuple[Any, dict[str, Any]]:
    """The Python type of a column's values, and what the column allows of it."""
    members = getattr(kind, "enums", None)
    if members:
        return getattr(kind, "enum_class", None) or typing.Literal[tuple(members)], {}
    if hasattr(kind, "item_type"):
        return list[_type(kind.item_type)[0]], {}  # type: ignore[misc]
    try:
        python = kind.python_type
    except NotImplementedError:
        return str, {}
    limits = {"max_length": kind.length} if python is str and getattr(kind, "length", None) else {}
    if python is decimal.Decimal and kind.precision is not None:
        limits = {"max_digits": kind.precision, "decimal_places": kind.scale or 0}
    return (dict[str, Any] if python is dict else python), limits


def _markers(kind: Any, name: str) -> tuple[Any, ...]:
    """What stands for Paxman in `Mapped[Annotated[str, paxman.Labels("No.")]]`."""
    from sqlalchemy.util.typing import de_stringify_annotation

    home = next((each for each in kind.__mro__ if name in vars(each).get("__annotations__", {})), None)
    if home is None:
        return ()
    written = home.__annotations__[name]
    mapped = de_stringify_annotation(home, written, home.__module__, {}) if isinstance(written, str) else written
    inner = (typing.get_args(mapped) or (None,))[0]
    said = typing.get_args(inner)[1:] if typing.get_origin(inner) is typing.Annotated else ()
    return tuple(each for each in said if type(each).__module__.partition(".")[0] == "paxman")
