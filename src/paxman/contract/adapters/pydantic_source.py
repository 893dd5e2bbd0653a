"""A contract as the text of Pydantic models, for a file that one goes on with by hand."""

from __future__ import annotations

import json
import keyword
from collections.abc import Iterator
from typing import Any

from paxman.contract.labels import to_words
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.types import FieldType

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
    title = _class_name(name, taken)
    lines = [f"class {title}(BaseModel):"]
    for field in fields:
        row = field.items if field.type is FieldType.ARRAY else field
        inner = list(_models(field.name, row.children, taken)) if row is not None and row.children else []
        yield from inner
        kind = _kind(field, inner[-1].split("(")[0].removeprefix("class ") if inner else "")
        lines.append(f"    {_line(field, kind)}")
    yield "\n".join(lines)


def _class_name(name: str, taken: set[str]) -> str:
    words = "".join(word[:1].upper() + word[1:] for word in to_words(name).replace("-", " ").split())
    plain = "".join(each for each in words if each.isalnum()) or "Contract"
    title = plain if plain[0].isalpha() else f"Model{plain}"
    while title in taken:
        title += "_"
    taken.add(title)
    return title


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
