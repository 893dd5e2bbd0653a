"""A contract on its way to canonical form: fields as an adapter reads them, and what was wrong with them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from paxman.errors import ContractIssue, InvalidContractError, contract_error, near_names
from paxman.types import Fallback, FieldType

MISSING: Any = object()
_TYPES = ", ".join(kind.value for kind in FieldType)
_HINTS = {
    "MISSING_CONTRACT_ID": "Give the contract a name that is not empty, such as invoice.",
    "EMPTY_FIELDS": "Describe at least one value that you want to have.",
    "INVALID_CONTRACT": "Write this part in the form that the message names.",
    "MISSING_FIELD_NAME": 'Give the field a name that is not empty, such as "total".',
    "INVALID_FIELD": "Write this key in the form that the message names, or leave it out.",
    "MISSING_TYPE": f"Use one of {_TYPES}.",
    "UNKNOWN_FIELD_TYPE": f"Use one of {_TYPES}.",
    "MISSING_ENUM_VALUES": 'List at least one value, such as ["paid", "open"].',
    "UNKNOWN_CONSTRAINT_KIND": 'Write a constraint as {"kind": "min_length", "params": {"min": 1}}.',
    "CONSTRAINT_PARAM_MISSING": 'Put it into "params", as in {"kind": "min_length", "params": {"min": 1}}.',
    "INVALID_CONSTRAINT": "Change the constraint so that a value can satisfy it, or leave it out.",
    "INVALID_ISO_4217": "Use a code such as EUR or USD.",
    "DEFAULT_TYPE_MISMATCH": "Give a default that fits the field's type and constraints, or leave it out.",
    "INVALID_POLICY_KEY": 'Write a policy as {"confidence_floor": 0.85, "currency_policy": "STRICT_MATCH"}.',
    "INVALID_CONFIDENCE_FLOOR": "Use a number from 0 to 1, such as 0.85.",
    "INVALID_DERIVATION": 'Write a formula over fields outside of arrays, such as "total - net" or "sum(lines.price)".',
    "DERIVATION_CYCLE": "Take the derivation or the lookup from one of these fields.",
    "UNSUPPORTED_SCHEMA_FEATURE": "Leave it out here, and check the normalized data against your full schema.",
}
"""What to do about a code, where the place of the error does not know better."""


@attrs.frozen
class KeyPath:
    """Where something stands in the caller's contract; `place / "fields" / 2` goes deeper."""

    text: str = ""
    pointer: bool = False

    def __truediv__(self, key: str | int) -> KeyPath:
        if self.pointer:
            return KeyPath(f"{self.text}/{str(key).replace('~', '~0').replace('/', '~1')}", True)
        if isinstance(key, int):
            return KeyPath(f"{self.text}[{key}]")
        return KeyPath(f"{self.text}.{key}" if self.text else key)

    def __str__(self) -> str:
        return self.text or "(contract)"


DOCUMENT = KeyPath("#", pointer=True)


def is_addressable(name: str) -> bool:
    """Whether a name can be part of a path such as `seller.name` or `lines[0].price`."""
    return not any(mark in name for mark in ".[]")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A guess at what was meant, to end a message with."""
    near = near_names(word, known)
    return f" Did you mean {near[0]!r}?" if near else ""


@attrs.define
class Findings:
    """Everything an adapter has to say about a contract, gathered instead of raised one by one."""

    errors: list[ContractIssue] = attrs.field(factory=list)
    warnings: list[str] = attrs.field(factory=list)
    void: set[str] = attrs.field(factory=set)
    """Places that hold no value of JSON; what is said of the null there would only puzzle."""

    def error(self, code: str, place: KeyPath, message: str, hint: str = "") -> None:
        if str(place) not in self.void:
            self.errors.append(ContractIssue(code, str(place), message, hint or _HINTS.get(code, "")))

    def warn(self, place: KeyPath, message: str) -> None:
        self.warnings.append(f"{place}: {message}")

    def unknown_keys(self, raw: Mapping[str, Any], known: Iterable[str], place: KeyPath) -> None:
        """Warn of keys that nothing reads; keys that start with "x-" belong to others."""
        known = tuple(known)
        for key in raw:
            if key not in known and not key.startswith("x-"):
                self.warn(place / key, f"unknown key is ignored.{did_you_mean(key, known)}")

    def settle(self) -> tuple[str, ...]:
        """Raise if anything is wrong; otherwise the warnings, each once."""
        if self.errors:
            raise contract_error(dict.fromkeys(self.errors), dict.fromkeys(self.warnings))
        return tuple(dict.fromkeys(self.warnings))


@attrs.frozen
class Rule:
    """A constraint as it was written. `native` rules are a schema's own keyword, so their place has no parts."""

    kind: str
    params: Mapping[str, Any]
    place: KeyPath
    native: bool = False

    def at(self, *keys: str) -> KeyPath:
        place = self.place
        for key in () if self.native else keys:
            place = place / key
        return place


@attrs.define
class Draft:
    """A field as it was written, before its parts were checked against each other."""

    place: KeyPath
    name: str
    type: FieldType
    required: bool = False
    nullable: bool = False
    default: Any = MISSING
    description: str = ""
    tags: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    rules: list[Rule] = attrs.field(factory=list)
    confidence_threshold: float | None = None
    fallback: Fallback = Fallback.UNRESOLVED
    fallback_key: str = "fallback"
    children: tuple[Draft, ...] = ()
    items: Draft | None = None
    prefix: tuple[Draft, ...] = ()
    branches: tuple[Draft, ...] = ()
    open: bool = False
    secret: bool = False
    lookup: Mapping[str, Any] | None = None
    derive: str | None = None
    text_form: bool = False
    lenient_default: bool = False
    """Whether an unfit default is only worth a warning: in schemas it is a note to the reader."""
    hints: KeyPath | None = None
    """Where Paxman's own keys stand when they are apart from the schema's."""

    def at(self, key: str) -> KeyPath:
        return (self.hints or self.place) / key


def clean(raw: Any, findings: Findings, place: KeyPath = KeyPath()) -> Any:
    """A copy with plain keys and whole characters, null for NaN; what has no end or no bottom is refused."""
    left = [1_000_000]
    cleaned = _clean(raw, 0, left)
    if len(left) > 1:
        for where, number in _no_numbers(raw, place):
            hint = "Write a number that has a value, or leave this out."
            findings.error("INVALID_CONTRACT", where, f"{number} is not a value of JSON.", hint)
            findings.void.add(str(where))
    return cleaned


def _no_numbers(raw: Any, place: KeyPath) -> Iterator[tuple[KeyPath, float]]:
    """NaN and infinities with their places."""
    if isinstance(raw, Mapping):
        for key, value in raw.items():
            yield from _no_numbers(value, place / _clean_key(key))
    elif isinstance(raw, list | tuple):
        for index, value in enumerate(raw):
            yield from _no_numbers(value, place / index)
    elif isinstance(raw, float) and not math.isfinite(raw):
        yield place, raw


def _clean(raw: Any, depth: int, left: list[int]) -> Any:
    """Counts down what is left to be read; a second number is added for a NaN, whose place is found later."""
    left[0] -= 1
    if depth > 100 or left[0] < 0:
        raise refusal("nested more than 100 levels deep" if depth > 100 else "more than a million parts long")
    if isinstance(raw, str):
        return whole_characters(raw)
    if isinstance(raw, Mapping):
        return {_clean_key(key): _clean(value, depth + 1, left) for key, value in raw.items()}
    if isinstance(raw, float) and not math.isfinite(raw):
        left.append(1)
        return None
    return [_clean(item, depth + 1, left) for item in raw] if isinstance(raw, list | tuple) else raw


def refusal(reason: str, place: KeyPath = KeyPath(), hint: str = "") -> InvalidContractError:
    """The error for a contract that cannot even be looked at."""
    hint = hint or "Make it smaller and flatter, of plain JSON values only."
    return contract_error([ContractIssue("INVALID_CONTRACT", str(place), f"the contract is {reason}.", hint)])


def _clean_key(key: Any) -> str:
    if key is None or isinstance(key, bool):
        return {None: "null", True: "true", False: "false"}[key]
    return whole_characters(str(key))


def whole_characters(text: str) -> str:
    """The text with every half of a surrogate pair replaced."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
