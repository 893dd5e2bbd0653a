"""Pydantic v2 models, read from their fields and not from the schema that Pydantic makes of them."""

from __future__ import annotations

import datetime
import enum
import types
import typing
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import attrs

from paxman.contract.adapters.class_models import to_model
from paxman.contract.adapters.dict_dsl import read_content
from paxman.contract.adapters.pydantic_check import ModelCheck
from paxman.contract.adapters.pydantic_export import export_model
from paxman.contract.adapters.pydantic_metadata import read_metadata
from paxman.contract.adapters.schema_fields import ROOT_NAME, read_value_schema
from paxman.contract.building import ContractDraft, build_contract
from paxman.contract.detection import KnownFormat, class_kind
from paxman.contract.drafts import Draft, Findings, KeyPath, Rule, clean, is_addressable, refusal
from paxman.contract.hints import (
    HINTS,
    read_hints,
    read_identity,
    read_markers,
    read_settings,
    read_type,
    unique,
)
from paxman.contract.labels import to_words
from paxman.contract.model import CanonicalContract
from paxman.types import FieldType, Labels, Money

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.fields import FieldInfo

UNSUPPORTED = "UNSUPPORTED_SCHEMA_FEATURE"
_DEEPEST_FIELD = 50
_SCALARS: dict[Any, FieldType] = {
    str: FieldType.STRING,
    bool: FieldType.BOOLEAN,
    int: FieldType.INTEGER,
    float: FieldType.DECIMAL,
    Decimal: FieldType.DECIMAL,
    datetime.date: FieldType.DATE,
    datetime.datetime: FieldType.DATETIME,
    datetime.time: FieldType.TIME,
    datetime.timedelta: FieldType.DURATION,
    Money: FieldType.MONEY,
}
_NOTHING: Mapping[str, Any] = types.MappingProxyType({})
_MOST_LEVELS = 2
"""How often a model may stand inside itself before what is deeper is taken as it stands."""
_HELD: dict[Any, AbstractSet[FieldType | None]] = {
    str: {FieldType.STRING, FieldType.ENUM, FieldType.DATE, FieldType.DECIMAL, FieldType.DURATION},
    Any: {*FieldType} - {FieldType.OBJECT, FieldType.ARRAY, FieldType.MAP},
}
_LISTS = (list, set, frozenset, Sequence, AbstractSet)


class PydanticAdapter(KnownFormat):
    name = "pydantic"
    version = "1.0"

    def adapt(self, contract: Any, **options: Any) -> CanonicalContract:
        return read_model(contract)

    def export(self, canonical: CanonicalContract) -> type[BaseModel]:
        return export_model(canonical)


def read_model(model: Any) -> CanonicalContract:
    """The contract that a model, or a list or map of models, describes."""
    label = _title(model)
    findings, place = Findings(), KeyPath(label)
    config = getattr(model, "model_config", {})
    hints = _hints(config.get("json_schema_extra"), place, findings)
    at = place / "x-paxman"
    findings.unknown_keys(hints, ("id", "version", "policy", "constraints", "root", "lessons"), at)
    identity = read_identity(hints, label, at, findings)
    fields, root = _read_fields(model, place, findings)
    settings = read_settings(hints, at, findings)
    root = str(hints.get("root", root))
    draft = ContractDraft(fields=fields, source="pydantic", root=root, **identity, **settings)
    return attrs.evolve(build_contract(draft, findings), check_data=ModelCheck(model, hints.get("root", "")))


def _read_fields(model: Any, place: KeyPath, findings: Findings) -> tuple[tuple[Draft, ...], str]:
    """The fields of a model, or the one that is all of the data."""
    from pydantic import RootModel

    reader = ModelReader(findings)
    is_model = isinstance(model, type) and hasattr(model, "model_fields")
    if is_model and not issubclass(model, RootModel):
        return reader.fields(model, place, (model,)), ""
    draft = reader.root(model, place)
    if draft is None:
        return (), ""
    draft.name, draft.required, draft.labels = ROOT_NAME, True, unique((*draft.labels, *(to_words(_title(model)),)))
    return (draft,), ROOT_NAME


def _title(model: Any) -> str:
    """A name for a contract; that of `list[Item]` is Item."""
    if isinstance(model, type) and not typing.get_args(model):
        return model.__name__
    return next((_title(each) for each in reversed(typing.get_args(model)) if isinstance(each, type)), "contract")


def _has_hint(info: FieldInfo, key: str) -> bool:
    return key in _hints(info.json_schema_extra, KeyPath(), Findings())


def _hints(extra: Any, place: KeyPath, findings: Findings) -> dict[str, Any]:
    hints = extra.get("x-paxman", {}) if isinstance(extra, Mapping) else {}
    if isinstance(hints, Mapping):
        cleaned: dict[str, Any] = clean(hints, findings, place / "x-paxman")
        return cleaned
    findings.error("INVALID_CONTRACT", place / "x-paxman", f"x-paxman is a mapping, not {hints!r}.")
    return {}


class ModelReader:
    """Turns the fields of models into drafts."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings

    def fields(self, model: type[BaseModel], place: KeyPath, above: tuple[type, ...]) -> tuple[Draft, ...]:
        if not model.model_fields:
            self.findings.error("EMPTY_FIELDS", place, "there must be at least one field.")
        self._warn_of_validators(model, place)
        fields = [self._field(model, name, info, place / name, above) for name, info in model.model_fields.items()]
        return tuple(field for field in fields if field)

    def root(self, model: Any, place: KeyPath) -> Draft | None:
        """What a list or map of models is, or a RootModel."""
        annotation = model.model_fields["root"].annotation if hasattr(model, "model_fields") else model
        draft = self._value(_inner(annotation), place, (), strict=False)
        if draft and draft.type not in (FieldType.ARRAY, FieldType.MAP):
            self._refuse(place, "a whole contract is a model, or a list or map of something", "Wrap it in a model.")
        return draft

    def _refuse(self, place: KeyPath, what: str, hint: str = "") -> None:
        self.findings.error(UNSUPPORTED, place, f"{what}.", hint)

    def _warn_of_validators(self, model: type[BaseModel], place: KeyPath) -> None:
        decorators = model.__pydantic_decorators__
        for name in (*decorators.field_validators, *decorators.model_validators, *decorators.validators):
            self.findings.warn(place, f"the validator {name} cannot help to find a value; it is run on the result.")

    def _field(
        self, model: type[BaseModel], name: str, info: FieldInfo, place: KeyPath, above: tuple[type, ...]
    ) -> Draft | None:
        draft = self._value(info, place, above, bool(model.model_config.get("strict")))
        key = self._key(model, name, info, place)
        if draft is None or key is None:
            return None
        draft.name, draft.required = key, info.is_required()
        # Explicit labels, then the title and the aliases; the Python name only if nothing else was said.
        choices = getattr(info.validation_alias, "choices", [info.validation_alias])
        others = [info.title, info.alias, *choices, info.serialization_alias]
        words = [word for word in others if isinstance(word, str) and word.strip()]
        if not draft.labels and not _has_hint(info, "labels"):
            words.append(name)
        draft.labels = tuple(label for label in unique((*draft.labels, *words)) if label != draft.name)
        self._default(draft, info)
        return draft

    def _key(self, model: type[BaseModel], name: str, info: FieldInfo, place: KeyPath) -> str | None:
        """The key under which the model takes the value."""
        config = model.model_config
        alias: Any = info.validation_alias
        if alias is None or config.get("populate_by_name") or config.get("validate_by_name"):
            return name
        if config.get("validate_by_alias") is False:
            return name
        choices = [alias] if isinstance(alias, str) else getattr(alias, "choices", ())
        key = next((choice for choice in choices if isinstance(choice, str)), None)
        if key is None:
            self._refuse(place, "an alias that is a path cannot be written back", "Use an alias that is a name.")
        elif not is_addressable(key):
            self._refuse(place, "an alias with a dot or a bracket cannot be addressed")
        return key

    def _value(
        self,
        info: FieldInfo,
        place: KeyPath,
        above: tuple[type, ...],
        strict: bool,
        said: Mapping[str, Any] = _NOTHING,
    ) -> Draft | None:
        """A draft for what an annotation takes, wherever it stands; `said` are hints on what stands around it."""
        if place.text.count(".") + place.text.count("[]") > _DEEPEST_FIELD:
            raise refusal(f"nested more than {_DEEPEST_FIELD} fields deep", place)
        hints = _hints(info.json_schema_extra, place, self.findings)
        if isinstance(hints.get("field"), Mapping):
            return read_content(hints["field"], place / "x-paxman" / "field", self.findings)
        annotation, nullable = _without_none(_unwrap(info.annotation))
        if typing.get_origin(annotation) is typing.Annotated:
            inner = _inner(annotation)
            draft = self._value(inner, place, above, strict, hints)
            titles = (inner.title,) if inner.title else ()
        else:
            titles = ()
            draft = self._draft(annotation, place, above, {**said, **hints}, strict)
        if draft is None:
            return None
        draft.nullable = draft.nullable or nullable
        draft.hints = place / "x-paxman"
        inner_labels, draft.labels = draft.labels, ()
        read_markers(draft, info.metadata, self.findings)
        draft.labels = unique((*draft.labels, *inner_labels, *titles))
        read_metadata(draft, info.metadata, strict and annotation is float, self.findings)
        if info.description:
            draft.description = info.description
        self.findings.unknown_keys(hints, HINTS, draft.hints)
        read_hints(draft, hints, self.findings)
        return draft

    def _draft(
        self, annotation: Any, place: KeyPath, above: tuple[type, ...], hints: Mapping[str, Any], strict: bool
    ) -> Draft | None:
        origin = typing.get_origin(annotation) or annotation
        if annotation in _SCALARS or (annotation is Any and "type" in hints):
            kind = _SCALARS.get(annotation)
            if "type" in hints:
                kind = self._hinted(hints["type"], place, _HELD.get(annotation, {kind}))
            if kind is None:
                return None
            return Draft(place, "", kind, text_form=annotation is str and kind in (FieldType.DATE, FieldType.DECIMAL))
        if origin is typing.Literal:
            return self._choice(list(typing.get_args(annotation)), place, hints)
        if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
            if strict:
                self._refuse(place, "in strict mode an Enum takes only its members, not their values", "Use a Literal.")
                return None
            return self._choice([member.value for member in annotation], place, hints)
        if origin in _LISTS or _is_open_tuple(annotation):
            return self._list(annotation, place, above, strict)
        if class_kind(annotation):
            annotation = to_model(annotation)
        if hasattr(annotation, "model_fields") and isinstance(annotation, type):
            return self._model(annotation, place, above, strict)
        return self._composite(annotation, origin, place, above, strict)

    def _composite(
        self, annotation: Any, origin: Any, place: KeyPath, above: tuple[type, ...], strict: bool
    ) -> Draft | None:
        """Unions, maps, tuples, anything; the rest is what the schema says that Pydantic makes of it."""
        arguments = typing.get_args(annotation)
        if annotation is Any or annotation is object:
            return Draft(place, "", FieldType.UNION, open=True)
        if origin in (typing.Union, types.UnionType):
            return self._union(arguments, place, above, strict)
        if origin in (dict, Mapping) and arguments[1:] not in ((), (Any,)):
            values = self._value(_inner(arguments[1]), KeyPath(f"{place}[]"), above, strict)
            if values is None:
                return None
            values.name, values.required = "[]", True
            return Draft(place, "", FieldType.MAP, items=values)
        if origin in (dict, Mapping):
            return Draft(place, "", FieldType.OBJECT)
        if origin is tuple and arguments:
            return self._tuple(arguments, place, above, strict)
        if annotation in _BARE_LISTS:
            return Draft(place, "", FieldType.ARRAY, items=Draft(place, "[]", FieldType.UNION, True, open=True))
        return self._by_schema(annotation, place)

    def _union(self, arguments: Sequence[Any], place: KeyPath, above: tuple[type, ...], strict: bool) -> Draft | None:
        """A branch for each type; None among them makes the whole nullable."""
        others = [each for each in arguments if each is not type(None)]
        branches = [self._value(_inner(each), place, above, strict) for each in others]
        if not all(branches):
            return None
        flat = [each for branch in branches if branch for each in (branch.branches or (branch,))]
        open = any(branch.open for branch in branches if branch)
        nullable = len(others) < len(arguments) or any(branch.nullable for branch in branches if branch)
        kept = tuple(branch for branch in flat if branch.type is not FieldType.UNION)
        return Draft(place, "", FieldType.UNION, nullable=nullable, branches=kept, open=open)

    def _tuple(self, arguments: Sequence[Any], place: KeyPath, above: tuple[type, ...], strict: bool) -> Draft | None:
        if strict:
            self._refuse(place, "in strict mode only list takes a list")
            return None
        parts = [self._value(_inner(each), KeyPath(f"{place}[{n}]"), above, strict) for n, each in enumerate(arguments)]
        for part in filter(None, parts):
            part.name, part.required = "[]", True
        sides = {"min_items": {"min": len(parts)}, "max_items": {"max": len(parts)}}
        rules = [Rule(kind, params, place, native=True) for kind, params in sides.items()]
        prefix = tuple(part for part in parts if part)
        return Draft(place, "", FieldType.ARRAY, prefix=prefix, rules=rules) if len(prefix) == len(parts) else None

    def _by_schema(self, annotation: Any, place: KeyPath) -> Draft | None:
        """A type of Pydantic's own, or of anybody who taught it to Pydantic, by the schema that is made of it."""
        from pydantic import PydanticUserError, TypeAdapter
        from pydantic_core import PydanticOmit

        try:
            schema = TypeAdapter(annotation).json_schema()
        except (PydanticUserError, PydanticOmit, NotImplementedError):
            hint = (
                "Use str, int, Decimal, bool, date, datetime, paxman.Money, Literal, Enum, a model, or lists of these."
            )
            self._refuse(place, f"the type {_name(annotation)} is not supported", hint)
            return None
        inner = Findings()
        draft = read_value_schema(schema, inner)
        for issue in inner.errors:
            self.findings.error(issue.code, place, issue.message, issue.hint)
        draft.place = place
        return _typed(draft)

    def _hinted(self, raw: Any, place: KeyPath, allowed: AbstractSet[FieldType | None]) -> FieldType | None:
        kind = read_type(raw, place / "x-paxman" / "type", self.findings)
        if kind is None or kind in allowed:
            return kind
        self._refuse(place / "x-paxman" / "type", f"the annotation does not hold a {kind.value}")
        return None

    def _choice(self, values: list[Any], place: KeyPath, hints: Mapping[str, Any]) -> Draft | None:
        """Constants: texts are an ENUM, whole numbers and truth values keep their type."""
        constants = [value.value if isinstance(value, enum.Enum) else value for value in values]
        kinds = {type(value) for value in constants if value is not None}
        natural = {str: FieldType.ENUM, int: FieldType.INTEGER, bool: FieldType.BOOLEAN, float: FieldType.DECIMAL}
        mixed = FieldType.DECIMAL if kinds == {int, float} else FieldType.ENUM if kinds <= natural.keys() else None
        kind = natural.get(next(iter(kinds))) if len(kinds) == 1 else mixed
        if "type" in hints:
            allowed = {FieldType.ENUM, kind, FieldType.STRING if kinds == {str} else kind}
            kind = self._hinted(hints["type"], place, allowed) if kinds <= natural.keys() else None
        if kind is None:
            self._refuse(place, "constants are texts, numbers, or true and false")
            return None
        draft = Draft(place, "", kind, nullable=None in constants)
        members = [value for value in constants if value is not None]
        draft.rules.append(Rule("enum", {"values": members}, place, native=True))
        return draft

    def _list(self, annotation: Any, place: KeyPath, above: tuple[type, ...], strict: bool) -> Draft | None:
        draft = Draft(place, "", FieldType.ARRAY)
        origin = typing.get_origin(annotation) or annotation
        if strict and origin is not list:
            self._refuse(place, "in strict mode only list takes a list")
        if origin in (set, frozenset, AbstractSet):
            draft.rules.append(Rule("unique_items", {}, place, native=True))
        arguments = typing.get_args(annotation)
        if arguments:
            inner = _inner(arguments[0])
            draft.items = self._value(inner, KeyPath(f"{place}[]"), above, strict)
            if draft.items is None:
                return None
            draft.items.name, draft.items.required = "[]", True
            labels = (label for item in inner.metadata if isinstance(item, Labels) for label in item)
            draft.labels = unique(tuple(labels))
            draft.items.labels = tuple(label for label in draft.items.labels if label not in draft.labels)
        else:
            draft.items = Draft(place, "[]", FieldType.UNION, True, open=True)
        return draft

    def _model(self, model: type[BaseModel], place: KeyPath, above: tuple[type, ...], strict: bool) -> Draft | None:
        """A model inside another; one that stands inside itself is taken whole."""
        from pydantic import RootModel

        if issubclass(model, RootModel):
            return self._value(_inner(model.model_fields["root"].annotation), place, above, strict)
        times = above.count(model)
        if times > _MOST_LEVELS:
            return Draft(place, "", FieldType.UNION, open=True)
        inside = Draft(place, "", FieldType.OBJECT, children=self.fields(model, place, (*above, model)))
        return Draft(place, "", FieldType.UNION, branches=(inside,)) if times else inside

    def _default(self, draft: Draft, info: FieldInfo) -> None:
        from pydantic_core import PydanticUndefined

        if _has_hint(info, "default") or info.default is PydanticUndefined or info.default_factory is not None:
            return
        value = _plain_default(info.default)
        if draft.type is not FieldType.OBJECT or value is None:
            draft.default, draft.lenient_default = value, True


def _inner(annotation: Any) -> FieldInfo:
    from pydantic.fields import FieldInfo

    return FieldInfo.from_annotation(annotation)


def _plain_default(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain_default(item) for item in (sorted(value, key=repr) if isinstance(value, AbstractSet) else value)]
    return value.model_dump() if hasattr(value, "model_dump") else value


def _unwrap(annotation: Any) -> Any:
    """The type behind an alias or a NewType."""
    while hasattr(annotation, "__supertype__") or type(annotation).__name__ == "TypeAliasType":
        annotation = getattr(annotation, "__supertype__", None) or annotation.__value__
    return annotation


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if typing.get_origin(annotation) not in (typing.Union, types.UnionType):
        return annotation, False
    arguments = typing.get_args(annotation)
    others = [each for each in arguments if each is not type(None)]
    if len(others) == 1:
        return _unwrap(others[0]), len(arguments) > 1
    return annotation, False


_BARE_LISTS = (tuple,)


def _typed(draft: Draft) -> Draft:
    """A draft from a schema whose values stay what they are in Python: a date is no text."""
    draft.text_form = False
    for part in (*draft.children, *draft.branches, *draft.prefix, *([draft.items] if draft.items else [])):
        _typed(part)
    return draft


def _is_open_tuple(annotation: Any) -> bool:
    arguments = typing.get_args(annotation)
    return typing.get_origin(annotation) is tuple and len(arguments) == 2 and arguments[1] is Ellipsis


def _name(annotation: Any) -> str:
    return annotation.__name__ if isinstance(annotation, type) and not typing.get_args(annotation) else str(annotation)
