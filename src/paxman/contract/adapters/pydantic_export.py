"""Canonical contracts as Pydantic models; what annotations cannot say stands in `json_schema_extra`."""

from __future__ import annotations

import datetime
import json
import keyword
from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, Literal

from paxman.contract.adapters.dict_dsl import (
    export_constraints,
    export_content,
    export_head,
    export_hints,
    to_json_values,
)
from paxman.contract.labels import to_words
from paxman.contract.model import CanonicalContract, CanonicalField, Constraint
from paxman.types import FieldType, Money

if TYPE_CHECKING:
    from pydantic import BaseModel

_ANNOTATIONS: dict[FieldType, Any] = {
    FieldType.STRING: str,
    FieldType.INTEGER: int,
    FieldType.DECIMAL: Decimal,
    FieldType.BOOLEAN: bool,
    FieldType.DATE: datetime.date,
    FieldType.DATETIME: datetime.datetime,
    FieldType.TIME: datetime.time,
    FieldType.DURATION: str,
    FieldType.MONEY: Money,
}
_ARGUMENTS = {
    "min_length": ("min_length", "min"),
    "max_length": ("max_length", "max"),
    "min_items": ("min_length", "min"),
    "max_items": ("max_length", "max"),
    "pattern": ("pattern", "regex"),
    "min_value": ("ge", "min"),
    "max_value": ("le", "max"),
    "exclusive_min": ("gt", "min"),
    "exclusive_max": ("lt", "max"),
    "multiple_of": ("multiple_of", "of"),
}


def export_model(canonical: CanonicalContract) -> type[BaseModel]:
    """A model class that describes the same contract."""
    head = export_head(canonical)
    if canonical.root:
        head["root"] = canonical.root
    return _export_model(canonical.id, canonical.fields, {"x-paxman": head})


def _export_model(name: str, fields: tuple[CanonicalField, ...], extra: dict[str, Any]) -> type[BaseModel]:
    from pydantic import ConfigDict, create_model

    title = (
        "".join(part.capitalize() for part in "".join(letter if letter.isalnum() else " " for letter in name).split())
        or "Contract"
    )
    definitions: dict[str, Any] = {}
    for field in fields:
        safe = _python_name(field.name, definitions, {other.name for other in fields})
        definitions[safe] = _definition(field, safe)
    config = ConfigDict(json_schema_extra=extra, protected_namespaces=())
    return create_model(title, __config__=config, **definitions)


def _python_name(name: str, taken: dict[str, Any], names: set[str]) -> str:
    from pydantic import BaseModel

    is_plain = name.isascii() and name.isidentifier() and not name.startswith(("_", "model_"))
    if is_plain and not keyword.iskeyword(name) and not hasattr(BaseModel, name):
        return name
    number = len(taken)
    while f"field_{number}" in names:
        number += 1000
    return f"field_{number}"


def _definition(field: CanonicalField, safe: str) -> tuple[Any, Any]:
    from pydantic import Field

    annotation, arguments, hints = _annotation(field)
    if safe != field.name:
        arguments["alias"] = field.name
        hints.setdefault("labels", [])
    if field.has_default and field.type in _ANNOTATIONS and not field.required:
        arguments["default"] = field.default
    elif not field.required:
        arguments["default_factory"] = _nothing
    return annotation, Field(**arguments, **_extra(hints))


def _nothing() -> None:
    """Stands for a value that is not there."""


def _extra(hints: dict[str, Any]) -> dict[str, Any]:
    return {"json_schema_extra": {"x-paxman": hints}} if hints else {}


def _annotation(field: CanonicalField) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """The type, the arguments of `Field`, and the hints."""
    if (not field.is_fixed and not (field.type is FieldType.OBJECT and not field.children)) or field.secret:
        return Any, {}, {"field": export_content(field)}
    hints = export_hints(field)
    annotation = _type(field, hints)
    arguments: dict[str, Any] = {"description": field.description} if field.description else {}
    rest: list[Constraint] = []
    for constraint in field.constraints:
        if any(each.kind == constraint.kind for each in rest) or not _take(constraint, field, arguments):
            rest.append(constraint)
    if rest:
        hints["constraints"] = export_constraints(rest)
    if field.has_default:
        hints["default"] = to_json_values(field.default)
    if field.text_form:
        hints["text_form"] = True
    return annotation | None if field.nullable else annotation, arguments, hints


def _type(field: CanonicalField, hints: dict[str, Any]) -> Any:
    if field.type is FieldType.OBJECT:
        return _export_model(field.name, field.children, {}) if field.children else dict[str, Any]
    if field.type is FieldType.ARRAY:
        return list[_item(field.items)] if field.items else list[str]  # type: ignore[misc]
    if _is_literal(field):
        kinds = {type(value) for value in field.enum_values}
        natural = {str: FieldType.ENUM, int: FieldType.INTEGER, bool: FieldType.BOOLEAN}
        if (natural[kinds.pop()] if len(kinds) == 1 else None) is not field.type:
            hints["type"] = field.type.value
        # Literals of the same values are equal in any order, and a union remembers the first it saw.
        return Annotated[Literal[field.enum_values], repr(field.enum_values)]
    if field.type is FieldType.ENUM:
        hints["type"] = "ENUM"
        return Any
    if field.type is FieldType.DURATION:
        hints["type"] = "DURATION"
    return _ANNOTATIONS[field.type]


def _item(field: CanonicalField) -> Any:
    from pydantic import Field

    annotation, arguments, hints = _annotation(field)
    return Annotated[annotation, Field(**arguments, **_extra(hints))]


def _is_literal(field: CanonicalField) -> bool:
    kinds = {type(value) for value in field.enum_values}
    return bool(kinds) and kinds <= {str, int, bool} and field.type is not FieldType.MONEY


def _take(constraint: Constraint, field: CanonicalField, arguments: dict[str, Any]) -> bool:
    """Write a constraint as an argument of `Field`, if there is one that means the same."""
    if constraint.kind == "enum" and _is_literal(field):
        return bool(constraint.params["values"] == field.enum_values)
    if constraint.kind not in _ARGUMENTS or _is_literal(field) or not _fits(constraint, field):
        return False
    argument, param = _ARGUMENTS[constraint.kind]
    value = constraint.params[param]
    if argument in arguments or (argument == "min_length" and not value):
        return False
    arguments[argument] = int(value) if field.type is FieldType.INTEGER else value
    return True


def _fits(constraint: Constraint, field: CanonicalField) -> bool:
    if constraint.kind == "pattern":
        return field.type is FieldType.STRING and _compiles(constraint.params["regex"])
    if constraint.kind in ("min_length", "max_length"):
        return field.type is FieldType.STRING
    if constraint.kind in ("min_items", "max_items"):
        return True
    if field.type is FieldType.INTEGER:
        return all(value == int(value) for value in constraint.params.values())
    return field.type in (FieldType.DECIMAL, FieldType.DATE)


def _compiles(regex: str) -> bool:
    """Whether Pydantic's own engine takes the pattern; a group named `value` means nothing to it."""
    from pydantic import Field, TypeAdapter
    from pydantic_core import SchemaError

    try:
        TypeAdapter(Annotated[str, Field(pattern=regex)])
    except SchemaError:
        return False
    return "<value>" not in regex


_TYPES = {
    FieldType.STRING: "str",
    FieldType.INTEGER: "int",
    FieldType.DECIMAL: "Decimal",
    FieldType.BOOLEAN: "bool",
    FieldType.DATE: "datetime.date",
    FieldType.DATETIME: "datetime.datetime",
    FieldType.TIME: "datetime.time",
    FieldType.DURATION: "datetime.timedelta",
    FieldType.MONEY: "paxman.Money",
}
_IMPORTS = {
    "datetime.": "import datetime",
    "Decimal": "from decimal import Decimal",
    "Annotated[": "from typing import Annotated",
    "Literal[": "from typing import Literal",
    "Any": "from typing import Any",
}


def write_models(contract: CanonicalContract) -> str:
    """The text of a module with a model for the contract and one for each of its objects and rows."""
    taken: set[str] = set()
    models = list(_models(contract.id, contract.fields, taken))
    body = "\n\n\n".join(models)
    standard = [line for sign, line in _IMPORTS.items() if sign in body]
    typing = ", ".join(sorted(line.rpartition(" ")[2] for line in standard if line.startswith("from typing")))
    lines = [line for line in standard if not line.startswith("from typing")]
    lines += [f"from typing import {typing}"] if typing else []
    pydantic = "from pydantic import BaseModel" + (", Field" if "Field(" in body else "")
    others = [pydantic, *(["", "import paxman"] if "paxman." in body else [])]
    return "\n".join([*lines, *([""] if lines else []), *others, "", "", body, ""])


def _models(name: str, fields: tuple[CanonicalField, ...], taken: set[str]) -> Iterator[str]:
    """The inner models first, so that each is known where it is used."""
    words = "".join(word[:1].upper() + word[1:] for word in to_words(name).replace("-", " ").split())
    plain = "".join(each for each in words if each.isalnum()) or "Contract"
    title = plain if plain[0].isalpha() else f"Model{plain}"
    while title in taken:
        title += "_"
    taken.add(title)
    lines = [f"class {title}(BaseModel):"]
    for field in fields:
        row = field.items if field.type is FieldType.ARRAY else field
        inner = list(_models(field.name, row.children, taken)) if row is not None and row.children else []
        yield from inner
        kind = _kind(field, inner[-1].split("(")[0].removeprefix("class ") if inner else "")
        lines.append(f"    {_line(field, kind)}")
    yield "\n".join(lines)


def _kind(field: CanonicalField, inner: str) -> str:
    if field.type is FieldType.ARRAY:
        return f"list[{inner or (_kind(field.items, '') if field.items else 'str')}]"
    if field.type is FieldType.OBJECT:
        return inner or "dict[str, Any]"
    if field.type is FieldType.ENUM:
        return f"Literal[{', '.join(map(repr, field.enum_values))}]"
    return _TYPES.get(field.type, "Any")


def _line(field: CanonicalField, kind: str) -> str:
    labels = f", paxman.Labels({', '.join(map(_text, field.labels))})" if field.labels else ""
    annotation = kind if field.required else f"{kind} | None"
    annotation = f"Annotated[{annotation}{labels}]" if labels else annotation
    name, arguments = field.name, {}
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        arguments["alias"] = _text(name)
        name = "field_" + "".join(each if each.isalnum() else "_" for each in name)
    if field.description:
        arguments["description"] = _text(field.description)
    return f"{name}: {annotation}{_default(field, arguments)}"


def _default(field: CanonicalField, arguments: dict[str, Any]) -> str:
    if not arguments:
        return "" if field.required else " = None"
    given = [] if field.required else ["None"]
    given += [f"{key}={value}" for key, value in arguments.items()]
    return f" = Field({', '.join(given)})"


def _text(text: str) -> str:
    """A text in double quotes, which are the same in JSON and in Python."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in quoted)
