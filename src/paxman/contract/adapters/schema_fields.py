"""From flattened schemas to fields; whatever would restrict a value and cannot be kept is an error."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from paxman.contract.adapters.schema_flattening import (
    UNSUPPORTED,
    Flat,
    Flattener,
    Node,
    allowed_values,
    type_of,
)
from paxman.contract.constraints import problems
from paxman.contract.drafts import Draft, Findings, Rule, is_addressable, refusal
from paxman.contract.hints import HINTS, read_hints, read_type
from paxman.contract.model import CanonicalField
from paxman.contract.rules import to_constraints
from paxman.currencies import MINOR_UNITS
from paxman.types import IDENTIFIER, FieldType

_DEEPEST_FIELD = 50
KEYWORDS = {
    "minLength": ("string", "min_length", "min"),
    "maxLength": ("string", "max_length", "max"),
    "pattern": ("string", "pattern", "regex"),
    "minimum": ("number", "min_value", "min"),
    "maximum": ("number", "max_value", "max"),
    "exclusiveMinimum": ("number", "exclusive_min", "min"),
    "exclusiveMaximum": ("number", "exclusive_max", "max"),
    "multipleOf": ("number", "multiple_of", "of"),
    "minItems": ("array", "min_items", "min"),
    "maxItems": ("array", "max_items", "max"),
    "uniqueItems": ("array", "unique_items", ""),
}
_REFUSED = {
    "minProperties": "object",
    "maxProperties": "object",
    "patternProperties": "object",
    "propertyNames": "object",
    "dependentRequired": "object",
    "dependentSchemas": "object",
    "dependencies": "object",
    "prefixItems": "array",
    "contains": "array",
    "unevaluatedItems": "array",
}
_ANYTHING = frozenset({"string", "integer", "boolean", "object", "array"})
_FAMILIES = {"integer": "number", "fraction": "number"}
_NATURAL = {
    "string": FieldType.STRING,
    "integer": FieldType.INTEGER,
    "number": FieldType.DECIMAL,
    "boolean": FieldType.BOOLEAN,
    "object": FieldType.OBJECT,
    "array": FieldType.ARRAY,
    "mixed": FieldType.ENUM,
}
_ALLOWED = {
    "string": {FieldType.STRING, FieldType.ENUM, FieldType.DATE, FieldType.DECIMAL},
    "integer": {FieldType.INTEGER, FieldType.ENUM},
    "number": {FieldType.DECIMAL, FieldType.INTEGER, FieldType.ENUM},
    "boolean": {FieldType.BOOLEAN, FieldType.ENUM},
    "object": {FieldType.OBJECT, FieldType.MONEY},
    "array": {FieldType.ARRAY},
    "mixed": {FieldType.ENUM},
}


class FieldReader:
    """Turns the properties of a schema into drafts."""

    def __init__(self, flattener: Flattener) -> None:
        self.flattener = flattener
        self.findings: Findings = flattener.findings

    def read_root(self, root: Node) -> tuple[Flat, tuple[Draft, ...]]:
        """The whole document: its flattened form, and its fields."""
        before = len(self.findings.errors)
        flat = self.flattener.flatten([root])
        if flat.types is not None and "object" not in flat.types:
            hint = 'Wrap it: {"type": "object", "properties": {"items": ...}}.'
            self.findings.error(UNSUPPORTED, root.place, "a contract describes an object with fields.", hint)
        for _, place in flat.members:
            self.findings.error(UNSUPPORTED, place, "a whole document cannot be one of a few constants.")
        self._rules(flat, "object")
        fields = self._children(flat, 1)
        if not flat.properties and len(self.findings.errors) == before:
            self.findings.error("EMPTY_FIELDS", root.place / "properties", "there must be at least one property.")
        return flat, fields

    def _field(self, name: str, nodes: list[Node], required: bool, depth: int) -> Draft:
        if depth > _DEEPEST_FIELD:
            raise refusal(f"nested more than {_DEEPEST_FIELD} fields deep", nodes[0].place)
        flat = self.flattener.flatten(nodes)
        kind = self._kind(flat)
        chosen = self._type(flat, kind) if kind else None
        draft = Draft(nodes[0].place, name, chosen or FieldType.STRING, required, hints=nodes[0].place / "x-paxman")
        if kind is None or chosen is None:
            return draft
        draft.nullable = flat.names_null and flat.accepts_null
        draft.rules = self._rules(flat, kind) + _members(flat)
        draft.text_form = kind == "string" and chosen in (FieldType.DATE, FieldType.DECIMAL)
        self._parts(draft, flat, depth)
        self._notes(draft, flat)
        return draft

    def _kind(self, flat: Flat) -> str | None:
        """The one JSON type that the value has; `mixed` for constants of several."""
        types = _types(flat)
        if types == {"integer", "fraction"}:
            return "number"
        if len(types) == 1:
            return {"fraction": "number"}.get(only := next(iter(types)), only)
        if flat.members and types and flat.hints.get("type") == "ENUM" and not types & {"object", "array"}:
            return "mixed"
        if not types and flat.is_null:
            hint = "Name the type that the value has when there is one, or leave the property out."
            self.findings.error(UNSUPPORTED, flat.place, "a value that is always null is not supported.", hint)
        elif not types:
            self.findings.error("INVALID_CONSTRAINT", flat.place, "no value can satisfy this schema.")
        elif not flat.members and types >= _ANYTHING:
            return self._guess(flat)
        else:
            listed = ", ".join(sorted(types))
            message = f"a choice between {listed} is not supported."
            self.findings.error(
                UNSUPPORTED, flat.place / "type", message, "Name one type, and null if it may be empty."
            )
        return None

    def _guess(self, flat: Flat) -> str:
        """The type that a schema without one speaks of; text satisfies every schema that speaks of none."""
        if flat.properties or flat.required or flat.closed:
            return "object"
        if flat.items:
            return "array"
        if flat.formats:
            return "string"
        families = [KEYWORDS[key][0] for key, _, _ in flat.rules if key in KEYWORDS]
        families += [_REFUSED[key] for key, _, _ in flat.rules if key in _REFUSED]
        if not families:
            self.findings.warn(flat.place, "the schema names no type; the value is taken as text.")
        return families[0] if families else "string"

    def _type(self, flat: Flat, kind: str) -> FieldType | None:
        natural = _NATURAL[kind]
        if kind == "string":
            natural = FieldType.ENUM if flat.members else FieldType.DATE if "date" in flat.formats else natural
        is_decimal_text = kind == "string" and flat.hints.get("type") == "DECIMAL"
        if flat.members and (is_decimal_text or kind in ("object", "array")):
            self.findings.error(UNSUPPORTED, flat.members[0][1], f"constants of type {kind} are not supported here.")
            return None
        if "type" not in flat.hints:
            return natural
        place = flat.place / "x-paxman" / "type"
        chosen = read_type(flat.hints["type"], place, self.findings)
        if chosen and chosen not in _ALLOWED[kind]:
            message = f"a schema of type {kind} cannot hold a {chosen.value}."
            self.findings.error(UNSUPPORTED, place, message, _MONEY_HINT if chosen is FieldType.MONEY else "")
            return None
        return chosen

    def _rules(self, flat: Flat, kind: str) -> list[Rule]:
        """The schema's own restrictions; those that speak of other types do not touch this value."""
        family, rules = _FAMILIES.get(kind, kind), []
        for key, value, place in flat.rules:
            if key not in KEYWORDS:
                if _REFUSED.get(key, family) == family and not _is_implied(flat, key, value):
                    self.findings.error(UNSUPPORTED, place, f"{key} is not supported.")
            elif KEYWORDS[key][0] == family and key == "multipleOf" and not is_exact_step(value):
                self.findings.error(UNSUPPORTED, place, f"no exact number is safely a multiple of {value}.", _STEP_HINT)
            elif KEYWORDS[key][0] == family:
                rules += _to_rule(key, value, place)
        return rules

    def _parts(self, draft: Draft, flat: Flat, depth: int) -> None:
        if draft.type is FieldType.OBJECT:
            draft.children = self._children(flat, depth + 1)
        elif draft.type is FieldType.MONEY:
            self._read_money(draft, flat)
        elif draft.type is FieldType.ARRAY and flat.items:
            draft.items = self._field("[]", flat.items, True, depth + 1)
        elif draft.type is FieldType.ARRAY and not any(key in _REFUSED for key, _, _ in flat.rules):
            hint = 'Declare them, as in "items": {"type": "string"}.'
            self.findings.error(UNSUPPORTED, draft.place, "an array says what its items are.", hint)

    def _children(self, flat: Flat, depth: int) -> tuple[Draft, ...]:
        self._check_names(flat)
        return tuple(self._field(name, nodes, name in flat.required, depth) for name, nodes in flat.properties.items())

    def _check_names(self, flat: Flat) -> None:
        for name, nodes in flat.properties.items():
            if not name.strip():
                message = "a property without a name cannot be addressed."
                self.findings.error("MISSING_FIELD_NAME", nodes[0].place, message)
            elif not is_addressable(name):
                message = "a property with a dot or a bracket in its name cannot be addressed."
                self.findings.error(UNSUPPORTED, nodes[0].place, message, "Rename the property.")
        for name, place in flat.required.items():
            if name not in flat.properties:
                hint = "Describe it under properties, or take it from required."
                self.findings.error(UNSUPPORTED, place, f"the required property {name!r} is not described.", hint)
        for names, place in flat.closed:
            keyword = place.text.rpartition("/")[2]
            if not flat.properties:
                message = f"{keyword} on an object without declared properties is not supported."
                self.findings.error(UNSUPPORTED, place, message)
            elif not flat.properties.keys() <= names:
                message = f"{keyword} shuts out properties that stand elsewhere in the schema."
                self.findings.error(UNSUPPORTED, place, message)

    def _notes(self, draft: Draft, flat: Flat) -> None:
        title, description = flat.notes.get("title"), flat.notes.get("description")
        if isinstance(title, str) and title.strip() and title != draft.name:
            draft.labels = (title,)
        if isinstance(description, str):
            draft.description = description
        draft.tags = tuple(name for name in flat.formats if IDENTIFIER.match(name) and draft.type is not FieldType.DATE)
        if "default" in flat.notes and (draft.type is not FieldType.OBJECT or not draft.children):
            draft.default, draft.lenient_default = flat.notes["default"], "default" not in flat.hints
        self.findings.unknown_keys(flat.hints, HINTS, draft.hints or draft.place)
        read_hints(draft, flat.hints, self.findings)

    def _read_money(self, draft: Draft, flat: Flat) -> None:
        """Money is an object of amount and currency; what the schema asks of the two becomes constraints."""
        self._check_names(flat)
        missing = [part for part in ("amount", "currency") if part not in flat.properties]
        for part in missing:
            self.findings.error(
                "MONEY_REQUIRES_CURRENCY", draft.place, f"money needs a property {part!r}.", _MONEY_HINT
            )
        others = flat.required.keys() - {"amount", "currency"}
        for name in sorted(others & flat.properties.keys()):
            self.findings.error(UNSUPPORTED, flat.required[name], f"money has no required part {name!r}.")
        if not missing:
            self._read_amount(draft, self.flattener.flatten(flat.properties["amount"]))
            self._read_currency(draft, self.flattener.flatten(flat.properties["currency"]))

    def _read_amount(self, draft: Draft, flat: Flat) -> None:
        kind = self._kind(flat)
        rules = self._rules(flat, kind) if kind else []
        if kind not in ("string", "number", "integer") or flat.members or (rules and kind == "string"):
            message = "an amount is a number, or text without further rules."
            self.findings.error(UNSUPPORTED, flat.place, message, _MONEY_HINT)
        if kind == "integer":
            rules.append(Rule("multiple_of", {"of": 1}, flat.place, native=True))
        draft.rules += rules
        draft.text_form = kind == "string"

    def _read_currency(self, draft: Draft, flat: Flat) -> None:
        """The codes that the schema lets through."""
        kind = self._kind(flat)
        if kind != "string":
            self.findings.error(UNSUPPORTED, flat.place, "a currency is text.", _MONEY_HINT)
            return
        constraints = to_constraints(self._rules(flat, kind), FieldType.STRING, self.findings)
        field = CanonicalField("", "", "currency", FieldType.STRING, constraints=constraints)
        members = set(allowed_values(flat)) if flat.members else MINOR_UNITS.keys()
        codes = [code for code in sorted(MINOR_UNITS) if code in members and not problems(field, code)]
        if not codes:
            self.findings.error("INVALID_ISO_4217", flat.place, "no ISO 4217 code satisfies this schema.")
        elif len(codes) < len(MINOR_UNITS):
            draft.rules.append(Rule("iso_4217", {"codes": codes}, flat.place, native=True))


_STEP_HINT = (
    "Validators divide in binary, where 0.3 is no multiple of 0.1. Use whole minor units, or write the step as "
    '"x-paxman": {"constraints": [{"kind": "multiple_of", "params": {"of": "0.01"}}]}.'
)
_MONEY_HINT = (
    'Money is {"type": "object", "properties": {"amount": {"type": "string"}, "currency": {"type": "string"}}, '
    '"required": ["amount", "currency"], "x-paxman": {"type": "MONEY"}}.'
)


def _types(flat: Flat) -> frozenset[str]:
    types = flat.types if flat.types is not None else frozenset(_NATURAL)
    if flat.members:
        found = frozenset(type_of(value) for value in allowed_values(flat) if value is not None)
        return found | {"fraction"} if found == {"integer"} and "fraction" in types else found
    return types - {"null"}


def _members(flat: Flat) -> list[Rule]:
    values = [_plain(value) for value in allowed_values(flat) if value is not None] if flat.members else []
    return [Rule("enum", {"values": values}, flat.members[0][1], native=True)] if values else []


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _to_rule(key: str, value: Any, place: Any) -> list[Rule]:
    _, kind, param = KEYWORDS[key]
    if value is False and key == "uniqueItems":
        return []
    if isinstance(value, str) and key == "pattern":
        # In a schema a group named `value` has no meaning: the whole value must satisfy the pattern.
        value = value.replace("(?<value>", "(?:").replace("(?P<value>", "(?:")
    return [] if value == "" and key == "pattern" else [Rule(kind, {param: value} if param else {}, place, native=True)]


def is_exact_step(step: Any) -> bool:
    """Whether a binary division by the step is exact: whole numbers, halves, quarters and so on."""
    return not isinstance(step, float) or Decimal(step) == Decimal(repr(step))


def _is_implied(flat: Flat, key: str, value: Any) -> bool:
    """Whether the declared properties satisfy a count of properties by themselves."""
    if not isinstance(value, int | float):
        return False
    if key == "minProperties":
        return value <= len(flat.required)
    return key == "maxProperties" and value >= len(flat.properties) > 0


def contract_name(schema: Mapping[str, Any]) -> str | None:
    """A name from `$id` (its last part) or the title."""
    address = schema.get("$id")
    if isinstance(address, str):
        last = address.rstrip("/#").rpartition("/")[2].rpartition(":")[2]
        for suffix in (".json", ".yaml", ".yml", ".schema"):
            last = last.removesuffix(suffix)
        if last:
            return last
    title = schema.get("title")
    return title if isinstance(title, str) and title.strip() else None
