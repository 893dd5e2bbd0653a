"""What a JSON Schema has against data, asked of jsonschema; patterns, formats and steps by Paxman's own rules."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any

from paxman.contract.constraints import is_multiple
from paxman.contract.formats import conforms, is_content, is_written_plainly
from paxman.contract.model import CanonicalContract
from paxman.contract.patterns import matches
from paxman.errors import need
from paxman.types import iso_text, thaw, to_decimal

_MOST = 20
_DATA = frozenset({"const", "enum", "default", "examples"})
_ON_OBJECTS = ("required", "dependentRequired", "dependencies", "dependentSchemas", "not", "anyOf", "oneOf")


def judge(contract: CanonicalContract, data: Any) -> tuple[tuple[str, str], ...]:
    """Paths of values and what a schema of the contract has against them, in the order of the paths."""
    schemas = [each.params["schema"] for each in contract.constraints if each.kind == "json_schema"]
    if not schemas:
        return ()
    if "validators" not in contract.memo:
        contract.memo["validators"] = [_validator(thaw(schema)) for schema in schemas]
    plain = _plain(data)
    found = [each for validator in contract.memo["validators"] for each in _errors(validator, plain)]
    return tuple(dict.fromkeys(sorted(found)))[:_MOST]


def _plain(value: Any) -> Any:
    """JSON values; numbers stay exact where a float would not be."""
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() and value.adjusted() < 400 else value
    return value if value is None or isinstance(value, bool | int | float | str) else iso_text(value)


def _validator(schema: Mapping[str, Any]) -> Any:
    validators = need("jsonschema.validators", "json-schema")
    known = validators.validator_for(schema, default=validators.Draft202012Validator)
    inner = {key: _of_one_dialect(value) for key, value in schema.items()}
    return _exact(known, "unevaluatedProperties" not in known.VALIDATORS or "$schema" not in schema)(inner)


def _of_one_dialect(schema: Any) -> Any:
    """A part of a schema without the dialect that it repeats, for which jsonschema would change the validator."""
    if isinstance(schema, list):
        return [_of_one_dialect(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if key != "$schema" or not isinstance(value, str)}
    return {key: value if key in _DATA else _of_one_dialect(value) for key, value in kept.items()}


@cache
def _exact(known: Any, asserts_content: bool) -> Any:
    """A class of validators with keywords that are as quick and as exact as Paxman's.

    Since 2019-09 `contentEncoding` is a remark only: it counts for older drafts, and where no draft is named.
    """
    validators = need("jsonschema.validators", "json-schema")
    legacy = {"dependencies": validators.Draft7Validator.VALIDATORS["dependencies"]}
    own = {"pattern": _pattern, "patternProperties": _pattern_properties, "multipleOf": _multiple_of}
    own |= {"format": _format, **{keyword: _bound(holds) for keyword, holds in _BOUNDS.items()}}
    own |= {"contentEncoding": _content, "contentMediaType": _content} if asserts_content else {}
    ours = {"additionalProperties": _additional_properties, "unevaluatedProperties": _unevaluated_properties(known)}
    closed = {key: check for key, check in ours.items() if key in known.VALIDATORS}
    numbers = known.TYPE_CHECKER.redefine("number", _is_number).redefine("integer", _is_integer)
    return validators.extend(known, {**legacy, **own, **closed}, type_checker=numbers)


def _is_number(checker: Any, value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _is_integer(checker: Any, value: Any) -> bool:
    return _is_number(checker, value) and value == int(value)


def _format(validator: Any, name: str, value: Any, schema: Any) -> Iterator[Any]:
    """A format holds; where the type is stated, a moment may lack its offset, as Python's own may."""
    if not isinstance(value, str) or conforms(name, value):
        return
    stated = schema.get("type") == "string"
    if not (stated and is_written_plainly(name, value)):
        yield _error(f"not of the format {name}")


def _pattern(validator: Any, regex: str, value: Any, schema: Any) -> Iterator[Any]:
    if isinstance(value, str) and not _matches(regex, value):
        yield _error(f"does not match {regex}")


def _pattern_properties(validator: Any, patterns: Mapping[str, Any], value: Any, schema: Any) -> Iterator[Any]:
    for regex, inner in patterns.items() if isinstance(value, dict) else ():
        for key, item in value.items():
            if _matches(regex, key):
                yield from validator.descend(item, inner, path=key, schema_path=regex)


def _additional_properties(validator: Any, inner: Any, value: Any, schema: Any) -> Iterator[Any]:
    if not isinstance(value, dict):
        return
    patterns = schema.get("patternProperties", ())
    others = [key for key in value if key not in schema.get("properties", ())]
    others = [key for key in others if not any(_matches(regex, key) for regex in patterns)]
    for key in others if inner is not False else ():
        yield from validator.descend(value[key], inner, path=key)
    if inner is False and others:
        yield _error(f"has properties that are not described: {', '.join(others)}")


def _unevaluated_properties(known: Any) -> Any:
    """The keyword as jsonschema has it, which overlooks that `additionalProperties` beside it leaves nothing over."""
    theirs = known.VALIDATORS.get("unevaluatedProperties")

    def check(validator: Any, inner: Any, value: Any, schema: Any) -> Iterator[Any]:
        if "additionalProperties" not in schema:
            yield from theirs(validator, inner, value, schema)

    return check


def _content(validator: Any, name: str, value: Any, schema: Any) -> Iterator[Any]:
    encoding, kind = schema.get("contentEncoding"), schema.get("contentMediaType")
    if isinstance(value, str) and not is_content(value, encoding, kind):
        yield _error(f"its content is not {name}, as the schema says")


def _multiple_of(validator: Any, step: Any, value: Any, schema: Any) -> Iterator[Any]:
    if _is_number(None, value) and not is_multiple(to_decimal(value), to_decimal(step)):
        yield _error(f"not a multiple of {step}")


_BOUNDS = {
    "minimum": operator.ge,
    "maximum": operator.le,
    "exclusiveMinimum": operator.gt,
    "exclusiveMaximum": operator.lt,
}


def _bound(holds: Callable[[Any, Any], bool]) -> Any:
    """A bound by the digits of both numbers; that of draft 4 is a switch, and tells nothing by itself."""

    def check(validator: Any, bound: Any, value: Any, schema: Any) -> Iterator[Any]:
        if _is_number(None, value) and _is_number(None, bound) and not holds(to_decimal(value), to_decimal(bound)):
            yield _error(f"beyond {bound}")

    return check


def _matches(regex: str, text: str) -> bool:
    return regex == "" or matches(regex, text)


def _error(message: str) -> Any:
    return need("jsonschema", "json-schema").ValidationError(message)


def _errors(validator: Any, data: Any) -> Iterator[tuple[str, str]]:
    try:
        for error in validator.iter_errors(data):
            for path in _involved(error):
                yield path, _words(error)
    except RecursionError:
        yield "", "the schema leads back to itself without end"
    except Exception as error:  # a reference that jsonschema cannot follow; what it raises is private
        yield "", f"the schema cannot be checked: {type(error).__name__}"


def _words(error: Any) -> str:
    """What a keyword has against a value; the value itself is not quoted."""
    message = str(error.message)
    if error.validator in ("pattern", "format", "multipleOf", "additionalProperties", "required", "dependentRequired"):
        return message
    return f"{error.validator} {str(error.validator_value)[:80]!r} is not satisfied"


def _involved(error: Any) -> list[str]:
    """The path of the value; where an object is at fault, those of its members that the keyword speaks of."""
    at = list(error.absolute_path)
    if not isinstance(error.instance, dict) or error.validator not in _ON_OBJECTS:
        return [to_path(at)]
    missing = [error.message.split("'")[1]] if error.validator == "required" and "'" in error.message else []
    named = missing or sorted(set(_names(error.validator_value)) & {*error.instance, *_names(error.schema)})
    return [to_path([*at, name]) for name in named] or [to_path(at)]


def _names(schema: Any) -> Iterator[str]:
    """Names of members that a part of a schema speaks of."""
    if isinstance(schema, Mapping):
        properties = schema.get("properties")
        yield from properties if isinstance(properties, Mapping) else ()
        yield from (name for name in schema.get("required", ()) if isinstance(name, str))
        for key, value in schema.items():
            if isinstance(value, list) and all(isinstance(name, str) for name in value) and key != "required":
                yield from (key, *value)
            elif isinstance(value, list):
                yield from (name for each in value for name in _names(each))
    elif isinstance(schema, list):
        yield from (name for each in schema for name in _names(each))


def to_path(steps: Sequence[str | int]) -> str:
    """A path such as `lines[0].price`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")
