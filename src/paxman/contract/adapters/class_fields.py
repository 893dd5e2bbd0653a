"""What dataclasses, attrs classes, TypedDicts, msgspec Structs and SQLAlchemy models say of their fields."""

from __future__ import annotations

import dataclasses
import operator
import typing
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from paxman.contract.adapters.class_shapes import ClassField, ClassShape, nothing
from paxman.contract.adapters.sqlalchemy_fields import read_mapped
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


_READERS: dict[str, Callable[[Any], ClassShape]] = {
    "dataclass": _read_dataclass,
    "attrs": _read_attrs,
    "typed_dict": _read_typed_dict,
    "msgspec": _read_struct,
    "sqlalchemy": read_mapped,
}
