"""Constraints checked and brought into canonical form: known kind, fitting type, whole parameters."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from paxman.contract.constraints import CONSTRAINT_PARAMS
from paxman.contract.drafts import Findings, KeyPath, Rule, did_you_mean
from paxman.contract.formats import is_known as is_format
from paxman.contract.hints import check_regex, to_flag
from paxman.contract.model import Constraint
from paxman.currencies import MINOR_UNITS
from paxman.types import FieldType, to_decimal

_ORDER = {kind: position for position, kind in enumerate(CONSTRAINT_PARAMS)}
_BOUNDS = (
    ("min_length", "max_length", False),
    ("min_items", "max_items", False),
    ("min_value", "max_value", False),
    ("min_value", "exclusive_max", True),
    ("exclusive_min", "max_value", True),
    ("exclusive_min", "exclusive_max", True),
)


def to_constraints(rules: Sequence[Rule], kind: FieldType, findings: Findings) -> tuple[Constraint, ...]:
    """The rules of a field of this type, in the order of their kinds so that equal contracts hash alike."""
    kept = list[tuple[Rule, Constraint]]()
    for rule in rules:
        if not is_known(rule, findings):
            continue
        known, before = CONSTRAINT_PARAMS[rule.kind], len(findings.errors)
        if kind in known.types:
            names = [name for name in known.required + known.optional if name in rule.params]
            params = {name: _param(rule, name, kind, findings) for name in names}
            kept += [(rule, Constraint(rule.kind, params))] if len(findings.errors) == before else []
            continue
        fits = f"fits {', '.join(sorted(t.value for t in known.types))}" if known.types else "belongs to the contract"
        fitting = [name for name, each in CONSTRAINT_PARAMS.items() if kind in each.types]
        hint = f"On {kind.value} you can use {', '.join(fitting)}." if fitting else "Take it off this field."
        message = f"{rule.kind} {fits}, not a field of type {kind.value}."
        findings.error("INVALID_CONSTRAINT", rule.at("kind"), message, hint)
    _check_bounds(kept, findings)
    ordered = sorted((constraint for _, constraint in kept), key=lambda constraint: _ORDER[constraint.kind])
    return tuple(c for i, c in enumerate(ordered) if c not in ordered[:i])


def is_known(rule: Rule, findings: Findings) -> bool:
    """Whether the kind exists and has the parameters that it needs."""
    if rule.kind not in CONSTRAINT_PARAMS:
        hint = f"Known kinds are {', '.join(CONSTRAINT_PARAMS)}.{did_you_mean(rule.kind, CONSTRAINT_PARAMS)}"
        findings.error("UNKNOWN_CONSTRAINT_KIND", rule.at("kind"), f"{rule.kind!r} is not a constraint.", hint)
        return False
    known = CONSTRAINT_PARAMS[rule.kind]
    missing = [name for name in known.required if name not in rule.params]
    for name in missing:
        hint = f'Write {{"kind": "{rule.kind}", "params": {{"{name}": ...}}}}.'
        findings.error("CONSTRAINT_PARAM_MISSING", rule.at("params", name), f"{rule.kind} needs {name!r}.", hint)
    findings.unknown_keys(rule.params, known.required + known.optional, rule.at("params"))
    return not missing


def _param(rule: Rule, name: str, kind: FieldType, findings: Findings) -> Any:
    value, place = rule.params[name], rule.at("params", name)
    if rule.kind in ("pattern", "key_pattern"):
        return value if check_regex(value, place, findings, searched=False) else None
    if rule.kind == "iso_4217" and name != "codes":
        return _currency(value, place, findings)
    try:
        if rule.kind == "iso_4217":
            if not isinstance(value, list | tuple) or not value:
                raise ValueError(f"expected a list of currency codes, got {value!r}")
            return tuple(sorted({_currency(code, place / index, findings) for index, code in enumerate(value)}))
        return _CONVERTERS[rule.kind](value, kind)
    except ValueError as error:
        code = "MISSING_ENUM_VALUES" if rule.kind == "enum" and value in ([], ()) else "INVALID_CONSTRAINT"
        findings.error(code, place, f"{error}.")
    return None


def _to_count(value: Any, kind: FieldType) -> int:
    """A whole number, zero or more; JSON may write it as 2.0."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if type(value) is not int or value < 0:
        raise ValueError(f"expected a whole number, zero or more, got {value!r}")
    return value


def to_number(value: Any) -> Decimal:
    """A number without needless zeros, so that 0, 0.0 and "0" are one constraint."""
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        raise ValueError(f"expected a number, got {value!r}")
    number = to_decimal(value)
    if abs(number.adjusted()) > 1000:
        raise ValueError("the number has too many digits")
    text = format(number, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return Decimal(text) if number else Decimal(0)


def to_date(value: Any) -> datetime.date:
    """A day, given as such or as ISO text."""
    if type(value) is datetime.date:
        return value
    if not isinstance(value, str) or len(value) != 10:
        raise ValueError(f"expected a date such as 2024-12-31, got {value!r}")
    return datetime.date.fromisoformat(value)


def to_moment(value: Any) -> datetime.datetime:
    """A date with a time, given as such or as ISO text."""
    return value if isinstance(value, datetime.datetime) else datetime.datetime.fromisoformat(_text(value, _MOMENT))


def to_time(value: Any) -> datetime.time:
    """A time of day, given as such or as ISO text."""
    return value if isinstance(value, datetime.time) else datetime.time.fromisoformat(_text(value, _CLOCK))


_MOMENT, _CLOCK = "a moment such as 2024-12-31T12:00:00Z", "a time such as 12:30:00"


def _text(value: Any, wanted: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected {wanted}, got {value!r}")
    return value


def _to_bound(value: Any, kind: FieldType) -> Any:
    read: Callable[[Any], Any] = _MOMENTS.get(kind, to_number)
    return read(value)


_MOMENTS: dict[FieldType, Callable[[Any], Any]] = {
    FieldType.DATE: to_date,
    FieldType.DATETIME: to_moment,
    FieldType.TIME: to_time,
}


def _to_format(value: Any, kind: FieldType) -> str:
    if not isinstance(value, str) or not is_format(value):
        raise ValueError(f"{value!r} is not a format that can be checked")
    return value


def _to_step(value: Any, kind: FieldType) -> Decimal:
    step = to_number(value)
    if step <= 0:
        raise ValueError(f"expected a number above zero, got {value!r}")
    return step


def _to_members(value: Any, kind: FieldType) -> tuple[Any, ...]:
    """The allowed values in the type of their field, each once."""
    if not isinstance(value, list | tuple) or not value:
        raise ValueError(f"expected a list with at least one value, got {value!r}")
    members = [_MEMBERS[kind](item) if kind in _MEMBERS else _to_member(item, kind) for item in value]
    return tuple({(type(member), member): member for member in members}.values())


def _to_member(value: Any, kind: FieldType) -> Any:
    if not isinstance(value, str | int | float | Decimal) or (kind is FieldType.STRING and not isinstance(value, str)):
        raise ValueError(f"{value!r} cannot be a value of this field")
    return to_number(value) if isinstance(value, float | Decimal) else value


def _to_whole(value: Any) -> int:
    number = to_number(value)
    if isinstance(value, str) or number != int(number):
        raise ValueError(f"expected a whole number, got {value!r}")
    return int(number)


_MEMBERS: dict[FieldType, Callable[[Any], Any]] = {
    **_MOMENTS,
    FieldType.INTEGER: _to_whole,
    FieldType.DECIMAL: to_number,
    FieldType.BOOLEAN: to_flag,
}
_CONVERTERS: dict[str, Callable[[Any, FieldType], Any]] = {
    **dict.fromkeys(("min_length", "max_length", "min_items", "max_items"), _to_count),
    **dict.fromkeys(("min_value", "max_value", "exclusive_min", "exclusive_max"), _to_bound),
    "multiple_of": _to_step,
    "enum": _to_members,
    "format": _to_format,
}


def _currency(value: Any, place: KeyPath, findings: Findings) -> str:
    code = str(value).upper()
    if code not in MINOR_UNITS:
        hint = "Use a code such as EUR or USD."
        findings.error("INVALID_ISO_4217", place, f"{value!r} is not an ISO 4217 code.", hint)
    return code


def _check_bounds(kept: Sequence[tuple[Rule, Constraint]], findings: Findings) -> None:
    for low_kind, high_kind, strict in _BOUNDS:
        lows = [constraint.params["min"] for _, constraint in kept if constraint.kind == low_kind]
        for rule, constraint in kept if lows else ():
            low, high = max(lows), constraint.params.get("max")
            if constraint.kind == high_kind and (low > high or (strict and low == high)):
                message = f"no value lies between {low} and {high}."
                findings.error("INVALID_CONSTRAINT", rule.at("params", "max"), message)


def to_checks(rules: Sequence[Rule], findings: Findings) -> tuple[Constraint, ...]:
    """The contract's own constraints; whether their fields exist is asked later."""
    checks = [_to_check(rule, findings) for rule in rules if is_known(rule, findings)]
    return tuple(check for check in checks if check)


def _to_check(rule: Rule, findings: Findings) -> Constraint | None:
    if rule.kind == "json_schema":
        schema = rule.params["schema"]
        if isinstance(schema, Mapping):
            return Constraint("json_schema", {"schema": schema})
        findings.error("INVALID_CONSTRAINT", rule.at("params", "schema"), f"a schema is an object, not {schema!r}.")
        return None
    if rule.kind != "check":
        hint = "Put it on the field that it restricts."
        findings.error("INVALID_CONSTRAINT", rule.at("kind"), f"{rule.kind} is not for a whole contract.", hint)
        return None
    params = {"expr": rule.params["expr"]}
    try:
        if "tolerance" in rule.params:
            params["tolerance"] = to_number(rule.params["tolerance"])
            if params["tolerance"] < 0:
                raise ValueError("a tolerance is zero or more")
    except ValueError as error:
        findings.error("INVALID_CONSTRAINT", rule.at("params", "tolerance"), f"{error}.")
    return Constraint("check", params)
