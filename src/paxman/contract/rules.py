"""Constraints checked and brought into canonical form: known kind, fitting type, whole parameters."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from paxman.contract.constraints import CONSTRAINT_PARAMS
from paxman.contract.drafts import Findings, KeyPath, Rule, did_you_mean
from paxman.contract.formats import is_known as is_format
from paxman.contract.hints import check_regex
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
    checked = [(rule, _to_constraint(rule, kind, findings)) for rule in rules]
    kept = [(rule, constraint) for rule, constraint in checked if constraint]
    _check_bounds(kept, findings)
    ordered = sorted((constraint for _, constraint in kept), key=lambda constraint: _ORDER[constraint.kind])
    return tuple(c for i, c in enumerate(ordered) if c not in ordered[:i])


def _to_constraint(rule: Rule, kind: FieldType, findings: Findings) -> Constraint | None:
    if not is_known(rule, findings):
        return None
    known = CONSTRAINT_PARAMS[rule.kind]
    if kind not in known.types:
        where = f"fits {', '.join(sorted(t.value for t in known.types))}" if known.types else "belongs to the contract"
        fitting = [name for name, each in CONSTRAINT_PARAMS.items() if kind in each.types]
        hint = f"On {kind.value} you can use {', '.join(fitting)}." if fitting else "Take it off this field."
        message = f"{rule.kind} {where}, not a field of type {kind.value}."
        findings.error("INVALID_CONSTRAINT", rule.at("kind"), message, hint)
        return None
    return _with_params(rule, kind, findings)


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


def _with_params(rule: Rule, kind: FieldType, findings: Findings) -> Constraint | None:
    before = len(findings.errors)
    known = CONSTRAINT_PARAMS[rule.kind]
    names = [name for name in known.required + known.optional if name in rule.params]
    params = {name: _param(rule, name, kind, findings) for name in names}
    return Constraint(rule.kind, params) if len(findings.errors) == before else None


def _param(rule: Rule, name: str, kind: FieldType, findings: Findings) -> Any:
    value, place = rule.params[name], rule.at("params", name)
    if rule.kind in ("pattern", "key_pattern"):
        return value if check_regex(value, place, findings, searched=False) else None
    if rule.kind == "iso_4217":
        return _currencies(value, place, findings) if name == "codes" else _currency(value, place, findings)
    try:
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
    if isinstance(value, datetime.datetime):
        return value
    if not isinstance(value, str):
        raise ValueError(f"expected a moment such as 2024-12-31T12:00:00Z, got {value!r}")
    return datetime.datetime.fromisoformat(value)


def to_time(value: Any) -> datetime.time:
    """A time of day, given as such or as ISO text."""
    if isinstance(value, datetime.time):
        return value
    if not isinstance(value, str):
        raise ValueError(f"expected a time such as 12:30:00, got {value!r}")
    return datetime.time.fromisoformat(value)


def _to_bound(value: Any, kind: FieldType) -> Any:
    reader: Callable[[Any], Any] = _BOUND_READERS.get(kind, to_number)
    return reader(value)


_BOUND_READERS: dict[FieldType, Callable[[Any], Any]] = {
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
    if not isinstance(value, list | tuple) or not value:
        raise ValueError(f"expected a list with at least one value, got {value!r}")
    members = [_to_member(item, kind) for item in value]
    return tuple({(type(member), member): member for member in members}.values())


def _to_member(value: Any, kind: FieldType) -> Any:
    """One allowed value in the type of its field."""
    if kind in _MEMBERS:
        return _MEMBERS[kind](value)
    if not isinstance(value, str | int | float | Decimal) or (kind is FieldType.STRING and not isinstance(value, str)):
        raise ValueError(f"{value!r} cannot be a value of this field")
    return to_number(value) if isinstance(value, float | Decimal) else value


def _to_whole(value: Any) -> int:
    number = to_number(value)
    if isinstance(value, str) or number != int(number):
        raise ValueError(f"expected a whole number, got {value!r}")
    return int(number)


def _to_flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, got {value!r}")
    return value


_MEMBERS: dict[FieldType, Callable[[Any], Any]] = {
    FieldType.INTEGER: _to_whole,
    FieldType.DECIMAL: to_number,
    FieldType.BOOLEAN: _to_flag,
    FieldType.DATE: to_date,
    FieldType.DATETIME: to_moment,
    FieldType.TIME: to_time,
}
_CONVERTERS: dict[str, Callable[[Any, FieldType], Any]] = {
    "min_length": _to_count,
    "max_length": _to_count,
    "min_items": _to_count,
    "max_items": _to_count,
    "min_value": _to_bound,
    "max_value": _to_bound,
    "exclusive_min": _to_bound,
    "exclusive_max": _to_bound,
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


def _currencies(value: Any, place: KeyPath, findings: Findings) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not value:
        findings.error("INVALID_CONSTRAINT", place, f"expected a list of currency codes, got {value!r}.")
        return ()
    return tuple(sorted({_currency(code, place / index, findings) for index, code in enumerate(value)}))


def _check_bounds(kept: Sequence[tuple[Rule, Constraint]], findings: Findings) -> None:
    for low_kind, high_kind, strict in _BOUNDS:
        lows = [constraint.params["min"] for _, constraint in kept if constraint.kind == low_kind]
        for rule, constraint in kept:
            if constraint.kind == high_kind and lows:
                _check_bound(max(lows), constraint.params["max"], strict, rule, findings)


def _check_bound(low: Any, high: Any, strict: bool, rule: Rule, findings: Findings) -> None:
    if low > high or (strict and low == high):
        findings.error("INVALID_CONSTRAINT", rule.at("params", "max"), f"no value lies between {low} and {high}.")


def to_checks(rules: Sequence[Rule], findings: Findings) -> tuple[Constraint, ...]:
    """The contract's own constraints; whether their fields exist is asked later."""
    checks = [_to_check(rule, findings) for rule in rules]
    return tuple(check for check in checks if check)


def _to_check(rule: Rule, findings: Findings) -> Constraint | None:
    if not is_known(rule, findings):
        return None
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
    return Constraint("check", {"expr": rule.params["expr"], **_tolerance(rule, findings)})


def _tolerance(rule: Rule, findings: Findings) -> Mapping[str, Decimal]:
    if "tolerance" not in rule.params:
        return {}
    try:
        tolerance = to_number(rule.params["tolerance"])
    except ValueError as error:
        findings.error("INVALID_CONSTRAINT", rule.at("params", "tolerance"), f"{error}.")
        return {}
    if tolerance < 0:
        findings.error("INVALID_CONSTRAINT", rule.at("params", "tolerance"), "a tolerance is zero or more.")
    return {"tolerance": tolerance}
