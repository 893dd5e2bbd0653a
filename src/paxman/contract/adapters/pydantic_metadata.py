"""What stands in `Annotated` and `Field(...)`: constraints, by the names of their attributes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any

from paxman.contract.constraints import CONSTRAINT_PARAMS
from paxman.contract.drafts import Draft, Findings, Rule
from paxman.types import FieldType

_UNSUPPORTED = "UNSUPPORTED_SCHEMA_FEATURE"
_BOUNDS = {"gt": "exclusive_min", "ge": "min_value", "lt": "exclusive_max", "le": "max_value"}
_HARMLESS = frozenset(
    {"strip_whitespace", "to_lower", "to_upper", "coerce_numbers_to_str", "union_mode", "fail_fast", "allow_inf_nan"}
)
_CODE = ("BeforeValidator", "AfterValidator", "WrapValidator", "PlainValidator", "Predicate", "Not")


def read_metadata(draft: Draft, metadata: Sequence[Any], strict_float: bool, findings: Findings) -> None:
    """Add the constraints that metadata holds; what is not understood is left to the model itself."""
    found: dict[str, Any] = {}
    for item in metadata:
        if _is_code(item):
            findings.warn(draft.place, "a validator cannot help to find a value; it is run on the result.")
        else:
            for name, value in _attributes(item):
                _note(found, name, value, draft, findings)
    if strict_float and found.get("strict", True):
        findings.error(_UNSUPPORTED, draft.place, "a strict float takes no exact numbers.", "Use Decimal.")
    # Decimal places are a step; with them, a number of digits is a bound on both sides.
    digits, places = found.get("max_digits"), found.get("decimal_places")
    if places is not None:
        draft.rules.append(_step(draft, "", Decimal(1).scaleb(-places)))
    if digits is not None and places is None:
        findings.warn(draft.place, "max_digits does not help to find a value; the model checks the result with it.")
    elif digits is not None and places is not None:
        limit = Decimal(1).scaleb(digits - places)
        draft.rules += [_bound(draft, "lt", limit), _bound(draft, "gt", -limit)]


def _note(found: dict[str, Any], name: str, value: Any, draft: Draft, findings: Findings) -> None:
    if name in ("strict", "max_digits", "decimal_places"):
        found[name] = value
    elif name in _RULES:
        rule = _RULES[name](draft, name, value)
        if rule and draft.type in CONSTRAINT_PARAMS[rule.kind].types:
            draft.rules.append(rule)
        elif rule:
            findings.warn(
                draft.place, f"{name} does not help to find a value here; the model checks the result with it."
            )
    elif name not in _HARMLESS:
        findings.warn(draft.place, f"{name} does not help to find a value; the model checks the result with it.")


def _is_code(item: Any) -> bool:
    if type(item).__name__ in _CODE:
        return True
    return hasattr(item, "__get_pydantic_core_schema__") and _package(item) != "pydantic"


def _package(item: Any) -> str:
    return type(item).__module__.partition(".")[0]


def _attributes(item: Any) -> Iterator[tuple[str, Any]]:
    """Names and values of constraints; metadata of other packages means nothing to Pydantic."""
    if _package(item) not in ("annotated_types", "pydantic") or "json_schema" in type(item).__module__:
        return
    names = [field.name for field in dataclasses.fields(item)] if dataclasses.is_dataclass(item) else vars(item)
    for name in names:
        value = getattr(item, name)
        if value is not None and (value is not False or name == "strict") and not name.startswith("_"):
            yield name, value


def _bound(draft: Draft, name: str, value: Any) -> Rule:
    return Rule(_BOUNDS[name], {"min" if name in ("gt", "ge") else "max": value}, draft.place, native=True)


def _length(draft: Draft, name: str, value: Any) -> Rule | None:
    what = "items" if draft.type is FieldType.ARRAY else "length"
    side = name.partition("_")[0]
    return Rule(f"{side}_{what}", {side: value}, draft.place, native=True) if value or side == "max" else None


def _step(draft: Draft, name: str, value: Any) -> Rule:
    return Rule("multiple_of", {"of": value}, draft.place, native=True)


def _pattern(draft: Draft, name: str, value: Any) -> Rule:
    regex = value if isinstance(value, str) else _with_flags(value)
    # For Pydantic a group named `value` has no meaning: the whole value must satisfy the pattern.
    regex = regex.replace("(?<value>", "(?:").replace("(?P<value>", "(?:")
    return Rule("pattern", {"regex": regex}, draft.place, native=True)


def _with_flags(compiled: Any) -> str:
    import re

    letters = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL}
    flags = "".join(letter for letter, flag in letters.items() if compiled.flags & flag)
    return f"(?{flags}){compiled.pattern}" if flags else str(compiled.pattern)


def _ascii(draft: Draft, name: str, value: Any) -> Rule:
    return Rule("pattern", {"regex": r"^[\x00-\x7F]*$"}, draft.place, native=True)


_RULES: dict[str, Callable[[Draft, str, Any], Rule | None]] = {
    **dict.fromkeys(_BOUNDS, _bound),
    "min_length": _length,
    "max_length": _length,
    "multiple_of": _step,
    "pattern": _pattern,
    "ascii_only": _ascii,
}
