"""Models of classes that are none: a Pydantic model that asks for the same data, and instances made of the data."""

from __future__ import annotations

import keyword
import types
import typing
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import attrs

from paxman.contract.adapters.class_fields import meta_limits, read_class
from paxman.contract.adapters.class_shapes import ClassField, ClassShape
from paxman.contract.adapters.pydantic_check import ModelCheck, find_class
from paxman.contract.detection import class_kind, is_model
from paxman.contract.drafts import MISSING, KeyPath, refusal
from paxman.errors import to_install

Instance = typing.TypeVar("Instance")

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

_MODELS: WeakKeyDictionary[type, type[BaseModel]] = WeakKeyDictionary()
_CLASSES: WeakKeyDictionary[type[BaseModel], type] = WeakKeyDictionary()
"""The model that was made of a class, and the class that it was made of."""


def to_model(kind: Any) -> type[BaseModel]:
    """The Pydantic model that asks for the same data as a class."""
    if kind not in _MODELS:
        pending: dict[type, str] = {}
        _MODELS[kind] = _make_model(kind, read_class(kind), pending)
    return _MODELS[kind]


def _make_model(kind: Any, shape: ClassShape, pending: dict[type, str]) -> type[BaseModel]:
    pending[kind] = f"{kind.__name__}_{len(pending)}"
    fields = {attribute_of(each.name): (_converted(each.annotation, pending), each) for each in shape.fields}
    made = model_of(kind.__name__, fields, shape.hints, kind.__module__)
    _CLASSES[made] = kind
    _MODELS[kind] = made
    made.model_rebuild(
        force=True, _types_namespace={pending[each]: _MODELS[each] for each in pending if each in _MODELS}
    )
    return made


def model_of(
    name: str, fields: Mapping[str, tuple[Any, ClassField]], hints: Mapping[str, Any], module: str = __name__
) -> type[BaseModel]:
    """A model with these fields, by the names of its attributes."""
    try:
        from pydantic import ConfigDict, create_model
    except ImportError:
        reason = "a Python class, and reading those needs Pydantic"
        raise refusal(reason, KeyPath(name), to_install("pydantic")) from None
    config = ConfigDict(json_schema_extra={"x-paxman": dict(hints)} if hints else None, protected_namespaces=())
    said: dict[str, Any] = {
        attribute: (annotation, _field(each, attribute)) for attribute, (annotation, each) in fields.items()
    }
    made: type[BaseModel] = create_model(name, __config__=config, __module__=module, **said)
    return made


def _field(each: ClassField, attribute: str) -> Any:
    from pydantic import Field

    field: Any = Field
    hints, given = dict(each.hints), dict(each.limits)
    if attribute != each.name:
        # The attribute is a stand-in that no page has for a label.
        given["alias"], hints = each.name, {"labels": [], **hints}
    if each.factory is not None:
        given["default_factory"] = each.factory
    elif each.default is not MISSING:
        given["default"] = each.default
    if each.description:
        given["description"] = each.description
    return field(**given, **({"json_schema_extra": {"x-paxman": hints}} if hints else {}))


def attribute_of(name: str) -> str:
    """The key where Pydantic takes it as the name of a field, else a stand-in."""
    from pydantic import BaseModel

    plain = name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")
    return name if plain and not hasattr(BaseModel, name) else f"key_{name.encode().hex()}"


def _converted(annotation: Any, pending: dict[type, str]) -> Any:
    """An annotation with models in place of classes, and with Pydantic's words in place of msgspec's."""
    if class_kind(annotation):
        if annotation in pending and annotation not in _MODELS:
            return typing.ForwardRef(pending[annotation])
        if annotation not in _MODELS:
            _make_model(annotation, read_class(annotation), pending)
        return _MODELS[annotation]
    arguments = typing.get_args(annotation)
    origin = typing.get_origin(annotation)
    if not arguments or origin is typing.Literal:
        return annotation
    if origin is typing.Annotated:
        inner = _converted(arguments[0], pending)
        return typing.Annotated[(inner, *(said for each in annotation.__metadata__ for said in _said(each)))]
    parts = tuple(_converted(each, pending) for each in arguments if getattr(each, "__name__", "") != "UnsetType")
    if parts == arguments:
        return annotation
    if origin in (typing.Union, types.UnionType):
        return typing.Union[parts]  # noqa: UP007
    return annotation.copy_with(parts) if hasattr(annotation, "copy_with") else origin[parts]


def _said(item: Any) -> list[Any]:
    if type(item).__module__.partition(".")[0] != "msgspec" or type(item).__name__ != "Meta":
        return [item]
    from pydantic import Field

    return [Field(**meta_limits(item))]


def to_instance(kind: type[Instance], data: Any, missing: Mapping[str, str] | None = None) -> Instance:
    """An instance of a class, with instances of the classes in it; what the data lacks, the class itself defaults.

    `missing` says why the data lacks what it lacks, for the error where the class cannot do without.
    """
    from pydantic import TypeAdapter, ValidationError

    model: Any = kind if is_model(kind) else to_model(kind) if class_kind(kind) else _converted(kind, {})
    try:
        made: Instance = _as_class(TypeAdapter(model).validate_python(data))
    except ValidationError as error:
        raise _with_reasons(error, missing or {}) from None
    return made


def _with_reasons(error: ValidationError, missing: Mapping[str, str]) -> ValidationError:
    """The error with the reason why a value was not found in place of the remark that None is no value."""
    from pydantic_core import InitErrorDetails, PydanticCustomError, ValidationError

    told = list[InitErrorDetails]()
    for each in error.errors():
        reason = missing.get(".".join(map(str, each["loc"])))
        if reason is None:
            return error
        kind = PydanticCustomError("not_found", "{reason}", {"reason": reason})
        told.append(InitErrorDetails(type=kind, loc=each["loc"], input=each["input"]))
    return ValidationError.from_exception_data(error.title, told)


def _as_class(value: Any) -> Any:
    kind = _CLASSES.get(type(value))
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)(map(_as_class, value))
    if isinstance(value, dict):
        return {key: _as_class(each) for key, each in value.items()}
    if kind is None:
        return value
    held = [each for each in read_class(kind).fields if attribute_of(each.name) in value.model_fields_set]
    given = [(each, _as_class(getattr(value, attribute_of(each.name)))) for each in held]
    if class_kind(kind) == "typed_dict":
        return {each.name: part for each, part in given}
    return kind(**{each.attribute or each.name: part for each, part in given})


@attrs.frozen
class InstanceCheck:
    """Why a class takes no such data, with the path of the value; None stands for a class out of reach."""

    model: Any

    def __call__(self, data: dict[str, Any]) -> tuple[tuple[str, str], ...]:
        if self.model is None:
            return ()
        refused = ModelCheck(to_model(self.model))(data)
        if refused:
            return refused
        try:
            to_instance(self.model, data)
        except Exception as error:  # the caller's own code may fail in any way, and a document must not raise
            return (("", f"{self.model.__name__} refuses it with {type(error).__name__}"),)
        return ()

    def __reduce__(self) -> tuple[Any, ...]:
        return _find, (self.model.__module__, self.model.__qualname__) if self.model else ("", "")


def _find(module: str, name: str) -> InstanceCheck:
    """The check in another process."""
    return InstanceCheck(find_class(module, name))
