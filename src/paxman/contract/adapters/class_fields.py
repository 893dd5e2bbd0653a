"""What dataclasses, attrs classes, TypedDicts, msgspec Structs and SQLAlchemy models say of their fields."""

from __future__ import annotations

import dataclasses
import decimal
import operator
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs

from paxman.contract.adapters.class_shapes import ClassField, ClassShape, nothing
from paxman.contract.adapters.sql_conditions import parse_condition, to_formula, with_checks
from paxman.contract.detection import class_kind
from paxman.contract.drafts import MISSING, KeyPath, refusal


def read_class(kind: type) -> ClassShape:
    """What a class says, whatever it was made with."""
    shape = _READERS[class_kind(kind) or ""](kind)
    return attrs.evolve(shape, hints=shape.hints or getattr(kind, "__paxman__", {}))


def annotations_of(kind: type) -> dict[str, Any]:
    """The annotations of a class with what stands in `Annotated`; names that cannot be found are an error."""
    try:
        return typing.get_type_hints(kind, include_extras=True)
    except NameError as error:
        hint = "Define the classes that a class refers to in the same module, and before it is used."
        raise refusal(f"not readable: {error}", KeyPath(kind.__name__), hint) from None


def _read_dataclass(kind: Any) -> ClassShape:
    hints = annotations_of(kind)
    known = getattr(kind, "__pydantic_fields__", {})
    found = []
    for field in dataclasses.fields(kind):
        if field.init and field.name in known:
            info = known[field.name]
            annotation: Any = typing.Annotated[hints[field.name], info]
            found.append(ClassField(field.name, annotation, attribute=info.alias or field.name))
        elif field.init:
            found.append(
                ClassField(
                    field.name,
                    hints[field.name],
                    MISSING if field.default is dataclasses.MISSING else field.default,
                    None if field.default_factory is dataclasses.MISSING else field.default_factory,
                    **_notes(field.metadata),
                )
            )
    return ClassShape(tuple(found))


def _notes(metadata: Mapping[Any, Any]) -> dict[str, Any]:
    return {"hints": metadata.get("x-paxman", {}), "description": str(metadata.get("description", ""))}


def _read_attrs(kind: Any) -> ClassShape:
    attrs.resolve_types(kind, include_extras=True)
    return ClassShape(tuple(_attrs_field(each) for each in attrs.fields(kind) if each.init))


def _attrs_field(each: attrs.Attribute[Any]) -> ClassField:
    is_factory = isinstance(each.default, attrs.Factory)  # type: ignore[arg-type]
    factory = each.default.factory if is_factory and not each.default.takes_self else None  # type: ignore[union-attr]
    default: Any = MISSING if each.default is attrs.NOTHING or is_factory else each.default
    if is_factory and factory is None:
        default = None
    limits: dict[str, Any] = {}
    _note_validator(each.validator, limits)
    annotation: Any = each.type if each.type is not None else Any
    members = limits.pop("members", None)
    annotation = typing.Literal[members] if members else annotation
    name = each.alias or each.name
    return ClassField(name, annotation, default, factory, name, limits=limits, **_notes(each.metadata))


def _note_validator(validator: Any, limits: dict[str, Any]) -> None:
    """The restrictions among attrs' own validators; others are asked when an instance is made."""
    for inner in getattr(validator, "_validators", ()):
        _note_validator(inner, limits)
    kind = type(validator).__name__
    if kind == "_NumberValidator":
        limits[_COMPARED[validator.compare_func]] = validator.bound
    elif kind in ("_MaxLengthValidator", "_MinLengthValidator"):
        name = "max_length" if kind == "_MaxLengthValidator" else "min_length"
        limits[name] = getattr(validator, name)
    elif kind == "_MatchesReValidator" and validator.match_func.__name__ == "fullmatch":
        limits["pattern"] = f"^(?:{validator.pattern.pattern})$"
    elif kind == "_InValidator" and all(isinstance(each, str) for each in validator.options):
        limits["members"] = tuple(validator.options)


_COMPARED = {operator.ge: "ge", operator.gt: "gt", operator.le: "le", operator.lt: "lt"}


def _read_typed_dict(kind: Any) -> ClassShape:
    found = []
    for name, given in annotations_of(kind).items():
        needed, annotation = name in kind.__required_keys__, given
        while getattr(typing.get_origin(annotation), "_name", "") in ("Required", "NotRequired", "ReadOnly"):
            needed = {"Required": True, "NotRequired": False}.get(typing.get_origin(annotation)._name, needed)
            annotation = typing.get_args(annotation)[0]
        found.append(ClassField(name, annotation, factory=None if needed else nothing))
    return ClassShape(tuple(found))


def _read_struct(kind: Any) -> ClassShape:
    import msgspec

    found = []
    for each in msgspec.structs.fields(kind):
        default = MISSING if each.default in (msgspec.NODEFAULT, msgspec.UNSET) else each.default
        factory = None if each.default_factory is msgspec.NODEFAULT else each.default_factory
        factory = nothing if each.default is msgspec.UNSET else factory
        found.append(ClassField(each.encode_name, each.type, default, factory, each.name))
    return ClassShape(tuple(found))


def meta_limits(meta: Any) -> dict[str, Any]:
    """What msgspec's `Meta` says, under the names of Pydantic's `Field`."""
    names = ("gt", "ge", "lt", "le", "multiple_of", "pattern", "min_length", "max_length", "title", "description")
    said = {name: getattr(meta, name) for name in names if getattr(meta, name) is not None}
    extra = {**(meta.extra_json_schema or {})}
    return {**said, "json_schema_extra": extra} if extra else said


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
        back = [getattr(each.mapper.relationships, name) for name in [other.key for other in each._reverse_property]]
        is_way_back = each.direction.name == "MANYTOONE" and any(other.uselist for other in back)
        if not is_way_back and each.mapper is not mapper and each.direction.name != "MANYTOMANY":
            yield each


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


_READERS: dict[str, Callable[[Any], ClassShape]] = {
    "dataclass": _read_dataclass,
    "attrs": _read_attrs,
    "typed_dict": _read_typed_dict,
    "msgspec": _read_struct,
    "sqlalchemy": read_mapped,
}
