"""Pydantic v2 models, read from their fields and not from the schema that Pydantic makes of them."""

from __future__ import annotations

import datetime
import enum
import types
import typing
import uuid
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import attrs

from paxman.contract.adapters.pydantic_check import ModelCheck
from paxman.contract.adapters.pydantic_metadata import read_metadata
from paxman.contract.building import ContractDraft, build_contract
from paxman.contract.detection import KnownFormat, class_kind
from paxman.contract.drafts import Draft, Findings, Place, Rule, clean, is_addressable, refusal
from paxman.contract.hints import (
    HINTS,
    read_hints,
    read_markers,
    read_policy,
    read_rules,
    read_type,
    read_version,
    unique,
)
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
    Money: FieldType.MONEY,
    uuid.UUID: FieldType.STRING,
    datetime.datetime: FieldType.STRING,
}
_LEAP_YEAR = r"(?:[12]\d(?:0[48]|[2468][048]|[13579][26])|(?:1[26]|2[048])00)"
_DAY = (
    r"(?:[12]\d{3}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)"
    rf"|02-(?:0[1-9]|1\d|2[0-8]))|{_LEAP_YEAR}-02-29)"
)
_TIME = r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z|[-+](?:[01]\d|2[0-3]):[0-5]\d)?"
_HEX = "[0-9a-fA-F]"
_PATTERNS = {
    uuid.UUID: ("uuid", rf"^{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}$"),
    datetime.datetime: ("date-time", rf"^{_DAY}[T ]{_TIME}$"),
}
_HELD: dict[Any, AbstractSet[FieldType | None]] = {
    str: {FieldType.STRING, FieldType.ENUM, FieldType.DATE, FieldType.DECIMAL},
    Any: {*FieldType} - {FieldType.OBJECT, FieldType.ARRAY},
}
_LISTS = (list, set, frozenset, Sequence, AbstractSet)


class PydanticAdapter(KnownFormat):
    name = "pydantic"
    version = "1.0"

    def adapt(self, contract: Any, **options: Any) -> CanonicalContract:
        return read_model(contract)

    def export(self, canonical: CanonicalContract) -> type[BaseModel]:
        from paxman.contract.adapters.pydantic_export import export_model

        return export_model(canonical)


def read_model(model: type[BaseModel]) -> CanonicalContract:
    """The contract that a model describes."""
    findings, place = Findings(), Place(model.__name__)
    hints = _hints(model.model_config.get("json_schema_extra"), place, findings)
    at = place / "x-paxman"
    findings.unknown_keys(hints, ("id", "version", "policy", "constraints"), at)
    name = hints.get("id", model.__name__)
    if not isinstance(name, str) or not name.strip():
        findings.error("MISSING_CONTRACT_ID", at / "id", "an id is a text that is not empty.")
    draft = ContractDraft(
        str(name),
        read_version(hints["version"], at / "version", findings) if "version" in hints else "1",
        ModelReader(findings).fields(model, place, (model,)),
        read_rules(hints.get("constraints", []), at / "constraints", findings),
        read_policy(hints.get("policy"), at / "policy", findings),
        "pydantic",
    )
    return attrs.evolve(build_contract(draft, findings), check_data=ModelCheck(model))


def _has_hint(info: FieldInfo, key: str) -> bool:
    return key in _hints(info.json_schema_extra, Place(), Findings())


def _hints(extra: Any, place: Place, findings: Findings) -> dict[str, Any]:
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

    def fields(self, model: type[BaseModel], place: Place, above: tuple[type, ...]) -> tuple[Draft, ...]:
        from pydantic import RootModel

        if issubclass(model, RootModel):
            self._refuse(place, "a RootModel has no fields", "Wrap it in a model.")
            return ()
        if not model.model_fields:
            self.findings.error("EMPTY_FIELDS", place, "there must be at least one field.")
        self._warn_of_validators(model, place)
        fields = [self._field(model, name, info, place / name, above) for name, info in model.model_fields.items()]
        return tuple(field for field in fields if field)

    def _refuse(self, place: Place, what: str, hint: str = "") -> None:
        self.findings.error(UNSUPPORTED, place, f"{what}.", hint)

    def _warn_of_validators(self, model: type[BaseModel], place: Place) -> None:
        decorators = model.__pydantic_decorators__
        for name in (*decorators.field_validators, *decorators.model_validators, *decorators.validators):
            self.findings.warn(place, f"the validator {name} is code: it finds nothing, it judges the result.")

    def _field(
        self, model: type[BaseModel], name: str, info: FieldInfo, place: Place, above: tuple[type, ...]
    ) -> Draft | None:
        draft = self._value(info, place, above, bool(model.model_config.get("strict")))
        key = self._key(model, name, info, place)
        if draft is None or key is None:
            return None
        draft.name, draft.required = key, info.is_required()
        self._labels(draft, name, info)
        self._default(draft, info)
        return draft

    def _key(self, model: type[BaseModel], name: str, info: FieldInfo, place: Place) -> str | None:
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

    def _value(self, info: FieldInfo, place: Place, above: tuple[type, ...], strict: bool) -> Draft | None:
        """A draft for what an annotation takes, wherever it stands."""
        if place.text.count(".") + place.text.count("[]") > _DEEPEST_FIELD:
            raise refusal(f"nested more than {_DEEPEST_FIELD} fields deep", place)
        hints = _hints(info.json_schema_extra, place, self.findings)
        annotation, nullable = _without_none(_unwrap(info.annotation))
        if typing.get_origin(annotation) is typing.Annotated:
            inner = _inner(annotation)
            draft = self._value(inner, place, above, strict)
            titles = (inner.title,) if inner.title else ()
        else:
            titles = ()
            draft = self._draft(annotation, place, above, hints, strict)
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
        self, annotation: Any, place: Place, above: tuple[type, ...], hints: Mapping[str, Any], strict: bool
    ) -> Draft | None:
        origin = typing.get_origin(annotation) or annotation
        if annotation in _SCALARS or (annotation is Any and "type" in hints):
            return self._scalar(annotation, place, hints)
        if origin is typing.Literal:
            return self._choice(list(typing.get_args(annotation)), place, hints)
        if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
            return self._members(annotation, place, hints, strict)
        if origin in _LISTS or _is_open_tuple(annotation):
            return self._list(annotation, place, above, strict)
        if class_kind(annotation):
            from paxman.contract.adapters.class_models import to_model

            annotation = to_model(annotation)
        if hasattr(annotation, "model_fields") and isinstance(annotation, type):
            return self._model(annotation, place, above)
        return self._other(annotation, origin, place)

    def _scalar(self, annotation: Any, place: Place, hints: Mapping[str, Any]) -> Draft | None:
        kind = _SCALARS.get(annotation)
        if "type" in hints:
            kind = self._hinted(hints["type"], place, _HELD.get(annotation, {kind}))
        if kind is None:
            return None
        draft = Draft(place, "", kind, text_form=annotation is str and kind in (FieldType.DATE, FieldType.DECIMAL))
        if annotation in _PATTERNS:
            tag, regex = _PATTERNS[annotation]
            draft.tags = (tag,)
            draft.rules.append(Rule("pattern", {"regex": regex}, place, native=True))
        return draft

    def _hinted(self, raw: Any, place: Place, allowed: AbstractSet[FieldType | None]) -> FieldType | None:
        kind = read_type(raw, place / "x-paxman" / "type", self.findings)
        if kind is None or kind in allowed:
            return kind
        self._refuse(place / "x-paxman" / "type", f"the annotation does not hold a {kind.value}")
        return None

    def _choice(self, values: list[Any], place: Place, hints: Mapping[str, Any]) -> Draft | None:
        """Constants: texts are an ENUM, whole numbers and truth values keep their type."""
        constants = [value.value if isinstance(value, enum.Enum) else value for value in values]
        kinds = {type(value) for value in constants if value is not None}
        natural = {str: FieldType.ENUM, int: FieldType.INTEGER, bool: FieldType.BOOLEAN}
        kind = natural.get(next(iter(kinds))) if len(kinds) == 1 else None
        if "type" in hints:
            allowed = {FieldType.ENUM, kind, FieldType.STRING if kinds == {str} else kind}
            kind = self._hinted(hints["type"], place, allowed) if kinds <= natural.keys() else None
        if kind is None:
            self._refuse(place, "constants are all text, all whole numbers or all true and false")
            return None
        draft = Draft(place, "", kind, nullable=None in constants)
        members = [value for value in constants if value is not None]
        draft.rules.append(Rule("enum", {"values": members}, place, native=True))
        return draft

    def _members(
        self, annotation: type[enum.Enum], place: Place, hints: Mapping[str, Any], strict: bool
    ) -> Draft | None:
        if strict:
            self._refuse(place, "in strict mode an Enum takes only its members, not their values", "Use a Literal.")
            return None
        return self._choice([member.value for member in annotation], place, hints)

    def _list(self, annotation: Any, place: Place, above: tuple[type, ...], strict: bool) -> Draft | None:
        draft = Draft(place, "", FieldType.ARRAY)
        origin = typing.get_origin(annotation) or annotation
        if strict and origin is not list:
            self._refuse(place, "in strict mode only list takes a list")
        if origin in (set, frozenset, AbstractSet):
            draft.rules.append(Rule("unique_items", {}, place, native=True))
        arguments = typing.get_args(annotation)
        if arguments:
            inner = _inner(arguments[0])
            draft.items = self._value(inner, Place(f"{place}[]"), above, strict)
            if draft.items is None:
                return None
            draft.items.name, draft.items.required = "[]", True
            draft.labels = unique(tuple(_markers(inner)))
            draft.items.labels = tuple(label for label in draft.items.labels if label not in draft.labels)
        else:
            self._refuse(place, "a list says what its items are", "Write list[str], or whatever the items are.")
        return draft

    def _model(self, model: type[BaseModel], place: Place, above: tuple[type, ...]) -> Draft | None:
        if model in above:
            self._refuse(place, f"the model {model.__name__} contains itself")
            return None
        return Draft(place, "", FieldType.OBJECT, children=self.fields(model, place, (*above, model)))

    def _other(self, annotation: Any, origin: Any, place: Place) -> Draft | None:
        if annotation is Any:
            self.findings.warn(place, "the annotation is Any; the value is taken as text.")
            return Draft(place, "", FieldType.STRING)
        if origin in (dict, Mapping) and typing.get_args(annotation)[1:] in ((), (Any,)):
            return Draft(place, "", FieldType.OBJECT)
        hint = "Use str, int, float, Decimal, bool, date, paxman.Money, Literal, Enum, a model, or a list of these."
        self._refuse(place, f"the type {_name(annotation)} is not supported", hint)
        return None

    def _labels(self, draft: Draft, name: str, info: FieldInfo) -> None:
        """Explicit labels, then the title and the aliases; the Python name only if nothing else was said."""
        choices = getattr(info.validation_alias, "choices", [info.validation_alias])
        others = [info.title, info.alias, *choices, info.serialization_alias]
        words = [word for word in others if isinstance(word, str) and word.strip()]
        if not draft.labels and not _has_hint(info, "labels"):
            words.append(name)
        draft.labels = tuple(label for label in unique((*draft.labels, *words)) if label != draft.name)

    def _default(self, draft: Draft, info: FieldInfo) -> None:
        from pydantic_core import PydanticUndefined

        if _has_hint(info, "default") or info.default is PydanticUndefined or info.default_factory is not None:
            return
        value = _plain_default(info.default)
        if draft.type is not FieldType.OBJECT or value is None:
            draft.default, draft.lenient_default = value, True


def _markers(info: FieldInfo) -> list[str]:
    return [label for item in info.metadata if isinstance(item, Labels) for label in item]


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


def _is_open_tuple(annotation: Any) -> bool:
    arguments = typing.get_args(annotation)
    return typing.get_origin(annotation) is tuple and len(arguments) == 2 and arguments[1] is Ellipsis


def _name(annotation: Any) -> str:
    return annotation.__name__ if isinstance(annotation, type) and not typing.get_args(annotation) else str(annotation)
