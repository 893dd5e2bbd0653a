"""What a typed value breaks of its field's type and constraints."""

from __future__ import annotations

import datetime
import operator
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal, localcontext
from typing import Any

from paxman.classes import frozen
from paxman.contract.formats import conforms, is_duration
from paxman.contract.model import CanonicalField
from paxman.contract.patterns import looks_around, matches
from paxman.currencies import MINOR_UNITS
from paxman.types import FieldType, Money, iso_text, to_decimal

_SCALARS = frozenset(FieldType) - {FieldType.OBJECT, FieldType.ARRAY, FieldType.MAP, FieldType.UNION}
_MOMENTS = frozenset({FieldType.DATE, FieldType.DATETIME, FieldType.TIME})
_ORDERED = frozenset({FieldType.INTEGER, FieldType.DECIMAL, FieldType.MONEY}) | _MOMENTS
_NUMBERS = frozenset({FieldType.INTEGER, FieldType.DECIMAL, FieldType.MONEY})
_TEXTS = frozenset({FieldType.STRING, FieldType.ENUM, FieldType.DECIMAL, FieldType.DURATION}) | _MOMENTS
_CURRENCIES = frozenset({FieldType.STRING, FieldType.MONEY})
_ARRAYS = frozenset({FieldType.ARRAY})
_MAPS = frozenset({FieldType.MAP})
_MOST_DIGITS = 10_000


@frozen
class ConstraintParams:
    """What a kind of constraint needs, what it may have, and the types it fits; no types: it is on the contract."""

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    types: frozenset[FieldType] = frozenset()


CONSTRAINT_PARAMS: dict[str, ConstraintParams] = {
    "min_length": ConstraintParams(("min",), types=_TEXTS),
    "max_length": ConstraintParams(("max",), types=_TEXTS),
    "pattern": ConstraintParams(("regex",), types=_SCALARS),
    "min_value": ConstraintParams(("min",), types=_ORDERED),
    "max_value": ConstraintParams(("max",), types=_ORDERED),
    "exclusive_min": ConstraintParams(("min",), types=_ORDERED),
    "exclusive_max": ConstraintParams(("max",), types=_ORDERED),
    "multiple_of": ConstraintParams(("of",), types=_NUMBERS),
    "enum": ConstraintParams(("values",), types=_SCALARS),
    "format": ConstraintParams(("name",), types=frozenset({FieldType.STRING})),
    "iso_4217": ConstraintParams(optional=("currency", "codes"), types=_CURRENCIES),
    "min_items": ConstraintParams(("min",), types=_ARRAYS),
    "max_items": ConstraintParams(("max",), types=_ARRAYS),
    "unique_items": ConstraintParams(types=_ARRAYS),
    "key_pattern": ConstraintParams(("regex",), types=_MAPS),
    "json_schema": ConstraintParams(("schema",)),
    "check": ConstraintParams(("expr",), ("tolerance",)),
}


def is_written_so(field: CanonicalField, value: Any, text: str) -> bool:
    """Whether the pattern of a number, date or the like takes how it is written, or its plain form."""
    pattern = None if isinstance(value, str) or field.text_form else field.constraint("pattern")
    return pattern is None or matches(pattern["regex"], text) or matches(pattern["regex"], str(value))


def problems(field: CanonicalField, value: Any) -> tuple[str, ...]:
    """Every way in which a typed value breaks its field; empty for a good one. The value itself is not quoted."""
    if value is not None and _is_plainly_good(field, value):
        return ()
    return tuple(_problems(field, value, ""))


def _problems(field: CanonicalField, value: Any, place: str) -> Iterator[str]:
    is_type, word = _TYPES[field.type]
    if value is None:
        found = (
            []
            if field.nullable or (field.type is FieldType.UNION and field.open)
            else ["null, and the field is not nullable"]
        )
    elif not is_type(value):
        found = [f"not {word}"]
    else:
        found = list(_broken(field, value)) if field.constraints else []
        if field.type in _NESTED:
            yield from _broken_inside(field, value, place)
        elif field.type is FieldType.UNION:
            found += _broken_branches(field, value)
    for problem in found:
        yield f"{place}: {problem}" if place else problem


_NESTED = (FieldType.ARRAY, FieldType.OBJECT, FieldType.MAP)
_COMPOSED = (*_NESTED, FieldType.UNION)


def _broken_branches(field: CanonicalField, value: Any) -> list[str]:
    """What every branch has against a value; nothing if one takes it."""
    if field.open or branch_of(field, value):
        return []
    against = {branch.type.value: problems(branch, value)[0] for branch in field.branches}
    return ["; ".join(f"as {name}: {problem}" for name, problem in against.items())]


def branch_of(field: CanonicalField, value: Any) -> CanonicalField | None:
    """The first branch of a union that takes a value."""
    return next((branch for branch in field.branches if not problems(branch, value)), None)


def resolved(field: CanonicalField | None, value: Any) -> CanonicalField | None:
    """What a value is an instance of: of a union, the branch that takes it."""
    while field and field.type is FieldType.UNION:
        field = branch_of(field, value)
    return field


def unlike(field: CanonicalField) -> str:
    """What is wrong with a text that cannot be read as the field's type, in words."""
    members = ", ".join(map(str, field.enum_values[:_MOST_NAMED]))
    more = ", ..." if len(field.enum_values) > _MOST_NAMED else ""
    return f"not one of {members}{more}" if field.type is FieldType.ENUM else f"not {_TYPES[field.type][1]}"


_MOST_NAMED = 8


def _is_sequence(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping)


_TYPES: dict[FieldType, tuple[Callable[[Any], bool], str]] = {
    FieldType.STRING: (lambda value: isinstance(value, str), "text"),
    FieldType.INTEGER: (lambda value: type(value) is int, "a whole number"),
    FieldType.DECIMAL: (lambda value: isinstance(value, Decimal) and value.is_finite(), "a decimal number"),
    FieldType.BOOLEAN: (lambda value: type(value) is bool, "true or false"),
    FieldType.DATE: (lambda value: type(value) is datetime.date, "a date"),
    FieldType.DATETIME: (lambda value: isinstance(value, datetime.datetime), "a date with a time"),
    FieldType.TIME: (lambda value: isinstance(value, datetime.time), "a time of day"),
    FieldType.DURATION: (
        lambda value: isinstance(value, str) and is_duration(value),
        "a duration such as P2Y or PT45M",
    ),
    FieldType.ENUM: (lambda value: not _is_sequence(value) and not _is_mapping(value), "a single value"),
    FieldType.MONEY: (lambda value: isinstance(value, Money), "an amount of money"),
    FieldType.ARRAY: (_is_sequence, "a list"),
    FieldType.OBJECT: (_is_mapping, "an object"),
    FieldType.MAP: (_is_mapping, "an object"),
    FieldType.UNION: (lambda value: True, "a value"),
}


def _broken(field: CanonicalField, value: Any) -> Iterator[str]:
    for constraint in field.constraints:
        aspect, check = _CHECKS[constraint.kind]
        subject = aspect(field, value)
        problem = None if subject is None else check(constraint.params, subject)
        if problem:
            yield problem


def _broken_inside(field: CanonicalField, value: Any, place: str) -> Iterator[str]:
    if field.type is FieldType.ARRAY:
        for index, item in enumerate(value):
            if part := field.item(index):
                yield from _problems(part, item, f"{place}[{index}]")
        return
    for child in field.children:
        yield from _broken_child(child, value, f"{place}.{child.name}" if place else child.name)
    if field.type is FieldType.MAP and field.items:
        named = {child.name for child in field.children}
        for name, item in value.items():
            if name not in named:
                yield from _problems(field.items, item, f"{place}.{name}" if place else name)


def _is_plainly_good(field: CanonicalField, value: Any) -> bool:
    """Whether nothing but its type is asked of a value, and it is of that; most cells of long tables are."""
    return not field.constraints and field.type not in _COMPOSED and _TYPES[field.type][0](value)


def _broken_child(child: CanonicalField, row: Mapping[str, Any], place: str) -> Iterator[str]:
    value = row.get(child.name)
    if value is not None:
        if not _is_plainly_good(child, value):
            yield from _problems(child, value, place)
    elif child.required and not child.is_filled and not (child.nullable and child.name in row):
        yield f"{place}: missing"


def _as_text(field: CanonicalField, value: Any) -> str | None:
    """The text that the normalized data will hold, or None when it will not be text."""
    if isinstance(value, str):
        return value
    return iso_text(value) if field.text_form and isinstance(value, _WRITTEN) else None


_WRITTEN = (datetime.date, datetime.time, Decimal)


def _length(field: CanonicalField, value: Any) -> int | None:
    return len(iso_text(value)) if isinstance(value, (str, *_WRITTEN)) else None


def _count(field: CanonicalField, items: Any) -> int:
    return len(items)


def _as_number(field: CanonicalField, value: Any) -> Any:
    if isinstance(value, Money):
        return value.amount
    return to_decimal(value) if type(value) is int else value if isinstance(value, _WRITTEN) else None


def _as_is(field: CanonicalField, value: Any) -> Any:
    return value


def _as_currency(field: CanonicalField, value: Any) -> str | None:
    return value.currency if isinstance(value, Money) else value if isinstance(value, str) else None


def _pattern(params: Mapping[str, Any], text: str) -> str | None:
    return None if matches(params["regex"], text) else f"does not match {params['regex']}"


def _like(limit: Any, value: Any) -> Any:
    """A limit of the contract in the form that compares with the value; moments without an offset are taken as UTC."""
    if isinstance(value, Decimal):
        return to_decimal(limit)
    limit = type(value).fromisoformat(limit) if isinstance(limit, str) else limit
    if isinstance(value, datetime.datetime | datetime.time):
        return limit.replace(tzinfo=value.tzinfo) if (limit.tzinfo is None) != (value.tzinfo is None) else limit
    return limit


def _limit(name: str, breaks: Callable[[Any, Any], bool], told: str) -> Callable[[Mapping[str, Any], Any], str | None]:
    """A check of a value, a length or a count against the parameter of this name."""
    return lambda params, value: told.format(params[name]) if breaks(value, _like(params[name], value)) else None


def _multiple_of(params: Mapping[str, Any], value: Decimal) -> str | None:
    return None if is_multiple(value, to_decimal(params["of"])) else f"not a multiple of {params['of']}"


def is_multiple(value: Decimal, step: Decimal) -> bool:
    """Whether a number is a multiple of another, exactly."""
    digits = value.adjusted() - step.adjusted() + len(value.as_tuple().digits) + len(step.as_tuple().digits)
    if not step or digits > _MOST_DIGITS:
        return False
    with localcontext(prec=max(digits, 1) + 2):
        return value % step == 0


def _enum(params: Mapping[str, Any], value: Any) -> str | None:
    values = params["values"]
    if any(_equal(value, member) for member in values):
        return None
    return f"not one of {', '.join(str(member) for member in values)}"


def _equal(value: Any, member: Any) -> bool:
    """Equality as JSON sees it: true is not 1, and dates and decimals may be written as text."""
    if isinstance(value, bool) or isinstance(member, bool):
        return value is member
    if isinstance(member, float) or (isinstance(member, str) and not isinstance(value, str)):
        return str(value) == member or _is_number(value, member)
    return bool(value == member)


def _is_number(value: Any, member: Any) -> bool:
    try:
        return isinstance(value, int | Decimal) and value == to_decimal(member)
    except ValueError:
        return False


def _format(params: Mapping[str, Any], text: str) -> str | None:
    return None if conforms(params["name"], text) else f"not of the format {params['name']}"


def _key_pattern(params: Mapping[str, Any], entries: Mapping[str, Any]) -> str | None:
    wrong = next((key for key in entries if not matches(params["regex"], key)), None)
    return None if wrong is None else f"a key does not match {params['regex']}"


def _iso_4217(params: Mapping[str, Any], code: str) -> str | None:
    allowed = tuple(params.get("codes") or ()) or ((params["currency"],) if params.get("currency") else ())
    if code not in MINOR_UNITS:
        return "not an ISO 4217 currency code"
    return f"the currency is not {' or '.join(allowed)}" if allowed and code not in allowed else None


def _unique_items(params: Mapping[str, Any], items: Any) -> str | None:
    return "the same item twice" if len({identity(item) for item in items}) < len(items) else None


def identity(value: Any) -> Any:
    """Something hashable that is equal for equal JSON values; `1` and `true` differ."""
    if isinstance(value, Mapping):
        return frozenset((key, identity(item)) for key, item in value.items())
    return tuple(map(identity, value)) if _is_sequence(value) else (type(value) is bool, value)


_CHECKS: dict[str, tuple[Callable[[CanonicalField, Any], Any], Callable[[Mapping[str, Any], Any], str | None]]] = {
    "min_length": (_length, _limit("min", operator.lt, "shorter than {} characters")),
    "max_length": (_length, _limit("max", operator.gt, "longer than {} characters")),
    "pattern": (_as_text, _pattern),
    "min_value": (_as_number, _limit("min", operator.lt, "less than {}")),
    "max_value": (_as_number, _limit("max", operator.gt, "more than {}")),
    "exclusive_min": (_as_number, _limit("min", operator.le, "not more than {}")),
    "exclusive_max": (_as_number, _limit("max", operator.ge, "not less than {}")),
    "multiple_of": (_as_number, _multiple_of),
    "enum": (_as_is, _enum),
    "format": (_as_is, _format),
    "iso_4217": (_as_currency, _iso_4217),
    "min_items": (_count, _limit("min", operator.lt, "fewer than {} items")),
    "max_items": (_count, _limit("max", operator.gt, "more than {} items")),
    "unique_items": (_as_is, _unique_items),
    "key_pattern": (_as_is, _key_pattern),
}


def pattern_of(field: CanonicalField) -> str | None:
    """The pattern to search for: that of the `pattern` constraint, or else of a `regex:` tag."""
    constraint = field.constraint("pattern")
    if constraint is not None:
        return None if looks_around(str(constraint["regex"])) else str(constraint["regex"])
    return next((tag[len(_TAG) :] for tag in field.semantic_tags if tag.startswith(_TAG)), None)


_TAG = "regex:"
