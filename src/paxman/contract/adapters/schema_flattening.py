"""What a JSON Schema asks for, after its references are followed and its `allOf`, `anyOf` and `oneOf` are merged."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import attrs

from paxman.contract.adapters.schema_references import References, Unresolved
from paxman.contract.detection import JSON_TYPES
from paxman.contract.drafts import Findings, Place, did_you_mean, refusal

UNSUPPORTED = "UNSUPPORTED_SCHEMA_FEATURE"
_TYPES = {name: frozenset({name}) for name in JSON_TYPES} | {"number": frozenset({"integer", "fraction"})}
_EVERY_TYPE = frozenset().union(*_TYPES.values())
_NULL = frozenset({"null"})
_MOST_SCHEMAS = 20_000
_LONGEST_CHAIN = 50

_RULES = """
minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems
minProperties maxProperties patternProperties propertyNames dependentRequired dependentSchemas dependencies
prefixItems contains unevaluatedItems not if $dynamicRef $recursiveRef
"""
RULES = frozenset(_RULES.split())
_NOTES = frozenset({"title", "description", "default"})
_NOT_RULES = """
$schema $id $anchor $comment $defs definitions $vocabulary $dynamicAnchor $recursiveAnchor id examples example
deprecated readOnly writeOnly contentEncoding contentMediaType contentSchema xml externalDocs discriminator
additionalItems minContains maxContains then else nullable unevaluatedProperties
"""
_SILENT = frozenset(_NOT_RULES.split())


@attrs.frozen
class Dialect:
    """How the versions of JSON Schema differ: what stands beside `$ref`, and how bounds and null are written."""

    ref_alone: bool = False
    boolean_bounds: bool = False
    nullable: str = ""
    """The keyword that lets null through, where there is one."""


_DRAFTS = {
    "json-schema.org/draft/2020-12/schema": Dialect(),
    "json-schema.org/draft/2019-09/schema": Dialect(),
    "json-schema.org/draft-07/schema": Dialect(ref_alone=True),
    "json-schema.org/draft-06/schema": Dialect(ref_alone=True),
    "json-schema.org/draft-04/schema": Dialect(ref_alone=True, boolean_bounds=True),
    "spec.openapis.org/oas/3.1/dialect/base": Dialect(),
}


def dialect_of(address: Any) -> Dialect | None:
    """The dialect that a `$schema` names, or None for one that is not known."""
    return _DRAFTS.get(address.partition("://")[2].rstrip("#")) if isinstance(address, str) else None


@attrs.frozen
class Node:
    """A schema, its place, and the references that were followed to get there."""

    schema: Any
    place: Place
    followed: tuple[int, ...] = ()

    def at(self, *keys: str | int) -> Node:
        schema, place = self.schema, self.place
        for key in keys:
            schema, place = schema[key], place / key
        return Node(schema, place, self.followed)


@attrs.define
class Flat:
    """Everything that one value has to satisfy. No `types` means any type."""

    place: Place
    types: frozenset[str] | None = None
    names_null: bool = False
    members: list[tuple[list[Any], Place]] = attrs.field(factory=list)
    rules: list[tuple[str, Any, Place]] = attrs.field(factory=list)
    properties: dict[str, list[Node]] = attrs.field(factory=dict)
    required: dict[str, Place] = attrs.field(factory=dict)
    items: list[Node] = attrs.field(factory=list)
    closed: list[tuple[frozenset[str], Place]] = attrs.field(factory=list)
    formats: list[str] = attrs.field(factory=list)
    notes: dict[str, Any] = attrs.field(factory=dict)
    hints: dict[str, Any] = attrs.field(factory=dict)

    @property
    def accepts_null(self) -> bool:
        return (self.types is None or "null" in self.types) and all(None in values for values, _ in self.members)

    @property
    def is_null(self) -> bool:
        only = self.types == _NULL or any(values == [None] for values, _ in self.members)
        return only and self.accepts_null and not self.rules

    @property
    def is_choice(self) -> bool:
        """Whether it does nothing but list values."""
        return bool(self.members) and not (self.rules or self.properties or self.required or self.items)

    def with_null(self, accepted: bool) -> Flat:
        if not accepted:
            return attrs.evolve(self, types=(self.types or _EVERY_TYPE) - _NULL)
        types = self.types | _NULL if self.types is not None else None
        members = [([*values, None], place) for values, place in self.members]
        return attrs.evolve(self, types=types, members=members, names_null=True)


def merge(one: Flat, two: Flat) -> Flat:
    """What satisfies both; notes of the first win."""
    types = two.types if one.types is None else one.types if two.types is None else one.types & two.types
    properties = {name: list(nodes) for name, nodes in one.properties.items()}
    for name, nodes in two.properties.items():
        properties.setdefault(name, []).extend(nodes)
    return Flat(
        one.place,
        types,
        one.names_null or two.names_null,
        one.members + two.members,
        one.rules + two.rules,
        properties,
        {**two.required, **one.required},
        one.items + two.items,
        one.closed + two.closed,
        one.formats + two.formats,
        {**two.notes, **one.notes},
        {**two.hints, **one.hints},
    )


class Flattener:
    """Reads schemas of one document in one dialect."""

    def __init__(self, references: References, dialect: Dialect, findings: Findings) -> None:
        self.references = references
        self.dialect = dialect
        self.findings = findings
        self._left = _MOST_SCHEMAS

    def flatten(self, nodes: Sequence[Node]) -> Flat:
        return reduce(merge, [self.read(node) for node in nodes])

    def read(self, node: Node) -> Flat:
        """One schema with everything that it merges in place."""
        self._left -= 1
        if self._left < 0:
            raise refusal(f"too large: more than {_MOST_SCHEMAS} schemas once its references are followed", node.place)
        flat = Flat(node.place)
        if not isinstance(node.schema, Mapping):
            self._refuse_shape(node)
            return flat
        if "$schema" in node.schema and dialect_of(node.schema["$schema"]) != self.dialect:
            message = f"{node.schema['$schema']!r} is not a dialect that can be used here."
            self.findings.error(UNSUPPORTED, node.place / "$schema", message, "Use JSON Schema draft 4 to 2020-12.")
        alone = self.dialect.ref_alone and "$ref" in node.schema
        for key in node.schema:
            self._read_keyword(flat, node, key, only_notes=alone)
        for part in self._parts(node, only_reference=alone):
            flat = merge(flat, part)
        return self._close(flat, node)

    def _refuse_shape(self, node: Node) -> None:
        if isinstance(node.schema, bool):
            hint = "Say what the value is, for example with a type."
            self.findings.error(UNSUPPORTED, node.place, "a schema that is only true or false is not supported.", hint)
        else:
            self.findings.error("INVALID_CONTRACT", node.place, f"a schema is an object, not {node.schema!r}.")

    def _read_keyword(self, flat: Flat, node: Node, key: str, only_notes: bool) -> None:
        value, place = node.schema[key], node.place / key
        if key in _NOTES:
            flat.notes[key] = value
        elif key == "x-paxman":
            self._read_hints(flat, value, place)
        elif only_notes:
            if key != "$ref" and key not in _SILENT and not key.startswith("x-"):
                self.findings.warn(place, "ignored, because in this dialect nothing counts beside $ref.")
        elif key in _READERS:
            _READERS[key](self, flat, node, place)
        elif key in RULES:
            self._read_rule(flat, node, key, place)
        elif key not in _SILENT and key not in _PARTS and not key.startswith("x-"):
            guess = did_you_mean(key, RULES | _READERS.keys() | _PARTS.keys())
            self.findings.warn(place, f"unknown keyword is ignored.{guess}")

    def _read_hints(self, flat: Flat, value: Any, place: Place) -> None:
        if isinstance(value, Mapping):
            flat.hints = dict(value)
        else:
            self.findings.error("INVALID_CONTRACT", place, f"x-paxman is an object, not {value!r}.")

    def _read_rule(self, flat: Flat, node: Node, key: str, place: Place) -> None:
        schema = node.schema
        value = schema[key]
        if key == "if" and not {"then", "else"} & schema.keys():
            return
        if self.dialect.boolean_bounds and key in _BOUNDS:
            # An exclusive bound is a switch on the bound beside it here.
            inclusive = _BOUNDS[key]
            if value is True and inclusive in schema:
                flat.rules.append((key, schema[inclusive], place))
            return
        if self.dialect.boolean_bounds and schema.get(_SWITCHES.get(key, "")) is True:
            return
        flat.rules.append((key, value, place))

    def _parts(self, node: Node, only_reference: bool) -> list[Flat]:
        keys = [key for key in _PARTS if key in node.schema and not (only_reference and key != "$ref")]
        return [part for key in keys for part in _PARTS[key](self, node, key)]

    def _close(self, flat: Flat, node: Node) -> Flat:
        """`unevaluatedProperties` sees what was merged in place, so it comes last."""
        rest = node.schema.get("unevaluatedProperties", True)
        if rest not in (True, {}):
            flat.closed.append((frozenset(flat.properties), node.place / "unevaluatedProperties"))
        return flat

    def _read_type(self, flat: Flat, node: Node, place: Place) -> None:
        value = node.schema["type"]
        names = value if isinstance(value, list) and value else [value]
        unknown = [name for name in names if not isinstance(name, str) or name not in _TYPES]
        for name in unknown:
            hint = f"Types are {', '.join(sorted(JSON_TYPES))}.{did_you_mean(str(name), JSON_TYPES)}"
            self.findings.error("UNKNOWN_FIELD_TYPE", place, f"{name!r} is not a type.", hint)
        if not unknown:
            flat.types = frozenset().union(*(_TYPES[name] for name in names))
            if node.schema.get(self.dialect.nullable) is True:
                flat.types |= _NULL
            flat.names_null = flat.names_null or "null" in flat.types

    def _read_members(self, flat: Flat, node: Node, place: Place) -> None:
        values = node.schema["enum"]
        if isinstance(values, list) and values:
            flat.members.append((values, place))
            flat.names_null = flat.names_null or None in values
        else:
            self.findings.error("MISSING_ENUM_VALUES", place, "enum is a list with at least one value.")

    def _read_const(self, flat: Flat, node: Node, place: Place) -> None:
        flat.members.append(([node.schema["const"]], place))
        flat.names_null = flat.names_null or node.schema["const"] is None

    def _read_properties(self, flat: Flat, node: Node, place: Place) -> None:
        properties = node.schema["properties"]
        if isinstance(properties, Mapping):
            flat.properties = {name: [node.at("properties", name)] for name in properties}
        else:
            self.findings.error("INVALID_CONTRACT", place, f"properties are an object, not {properties!r}.")

    def _read_required(self, flat: Flat, node: Node, place: Place) -> None:
        names = node.schema["required"]
        if isinstance(names, list) and all(isinstance(name, str) for name in names):
            flat.required = dict.fromkeys(names, place)
        else:
            hint = 'Write "required": ["total", "date"] beside "properties".'
            self.findings.error("INVALID_CONTRACT", place, f"required is a list of names, not {names!r}.", hint)

    def _read_items(self, flat: Flat, node: Node, place: Place) -> None:
        if isinstance(node.schema["items"], list):
            flat.rules.append(("prefixItems", node.schema["items"], place))
        else:
            flat.items = [node.at("items")]

    def _read_additional(self, flat: Flat, node: Node, place: Place) -> None:
        value, named = node.schema["additionalProperties"], node.schema.get("properties")
        if value not in (True, {}):
            flat.closed.append((frozenset(named if isinstance(named, Mapping) else ()), place))
        if isinstance(value, Mapping) and value and named:
            self.findings.warn(place, "only the declared properties are filled.")

    def _read_format(self, flat: Flat, node: Node, place: Place) -> None:
        if isinstance(node.schema["format"], str):
            flat.formats = [node.schema["format"]]

    def _follow(self, node: Node, key: str) -> list[Flat]:
        reference, place = node.schema[key], node.place / key
        if not isinstance(reference, str):
            self.findings.error("INVALID_CONTRACT", place, f"a reference is text, not {reference!r}.")
            return []
        try:
            target, where = self.references.resolve(reference, node.schema)
        except Unresolved as error:
            code = UNSUPPORTED if error.remote else "INVALID_CONTRACT"
            hint = "Put the schema under $defs." if error.remote else "Point to a schema that is in the document."
            self.findings.error(code, place, f"{error.message}.", hint)
            return []
        if id(target) in node.followed or len(node.followed) > _LONGEST_CHAIN:
            hint = "Write out as many levels as the data has."
            self.findings.error(UNSUPPORTED, place, f"{reference!r} leads back to where it stands, without end.", hint)
            return []
        found = self.read(Node(target, where, (*node.followed, id(target))))
        found.notes.pop("title", None)
        return [found]

    def _read_branches(self, node: Node, key: str) -> list[Flat] | None:
        branches = node.schema[key]
        if isinstance(branches, list) and branches:
            return [self.read(node.at(key, index)) for index in range(len(branches))]
        self.findings.error("INVALID_CONTRACT", node.place / key, f"{key} is a list of schemas, not {branches!r}.")
        return None

    def _merge_all(self, node: Node, key: str) -> list[Flat]:
        return self._read_branches(node, key) or []

    def _choose(self, node: Node, key: str) -> list[Flat]:
        branches = self._read_branches(node, key)
        if branches is None:
            return []
        others = [branch for branch in branches if not branch.is_null]
        chosen = (
            _one_or_null(branches, others, exclusive=key == "oneOf")
            or _union(branches, node.place / key, exclusive=key == "oneOf")
            or (_number_over_text(others, len(branches) > len(others)) if key == "anyOf" else None)
        )
        if chosen is None:
            hint = "Only a choice between one schema and null, or between constants, can be expressed."
            self.findings.error(UNSUPPORTED, node.place / key, f"{key} leaves open what the value is.", hint)
            return []
        return [chosen]


def _one_or_null(branches: list[Flat], others: list[Flat], exclusive: bool) -> Flat | None:
    nulls = len(branches) - len(others)
    if len(others) != 1 or (exclusive and nulls > 1):
        return None
    own = others[0].accepts_null
    accepted = bool(nulls) != own if exclusive else bool(nulls) or own
    return others[0].with_null(accepted) if nulls else others[0]


def _union(branches: list[Flat], place: Place, exclusive: bool) -> Flat | None:
    if not all(branch.is_choice for branch in branches):
        return None
    values = [value for branch in branches for value in allowed_values(branch)]
    distinct = list({_identity(value): value for value in values}.values())
    if not values or (exclusive and len(distinct) < len(values)):
        return None
    return Flat(place, members=[(distinct, place)], names_null=None in distinct)


def _number_over_text(others: list[Flat], null: bool) -> Flat | None:
    """A number that may also come as text: every text that is let through is such a number."""
    numbers = [branch for branch in others if branch.types and branch.types <= _TYPES["number"]]
    texts = [branch for branch in others if branch.types == _TYPES["string"]]
    if len(numbers) != 1 or len(texts) != len(others) - 1 or not all(map(_is_number_text, texts)):
        return None
    return numbers[0].with_null(True) if null else numbers[0]


def _is_number_text(branch: Flat) -> bool:
    """Whether a pattern lets digits through and no words, as far as a few short texts can tell."""
    from paxman.contract.patterns import matches

    # Without its lookaheads a pattern lets more through, and is one that RE2 can run.
    patterns = [_LOOKAHEAD.sub("", str(value)) for key, value, _ in branch.rules if key == "pattern"]
    try:
        taken = [text for text in ("1", *_WORDS) if all(matches(pattern, text) for pattern in patterns)]
    except ValueError:
        return False
    return taken == ["1"]


_LOOKAHEAD = re.compile(r"\(\?[=!][^()]*\)")
_WORDS = (" ", "a", "Z", "/", "ab", "N/A", "A1", "1a", "1 a", "é")


def allowed_values(flat: Flat) -> list[Any]:
    """The values that all lists of members share and the types allow."""
    shared = [value for value in flat.members[0][0] if flat.types is None or type_of(value) in flat.types]
    for values, _ in flat.members[1:]:
        known = {_identity(value) for value in values}
        shared = [value for value in shared if _identity(value) in known]
    return shared


def type_of(value: Any) -> str:
    """The JSON type of a value; 2.0 is an integer."""
    if isinstance(value, float):
        return "integer" if value.is_integer() else "fraction"
    return next((name for name, kind in _PYTHON_TYPES.items() if isinstance(value, kind)), "null")


_PYTHON_TYPES: dict[str, type] = {
    "boolean": bool,
    "integer": int,
    "string": str,
    "array": list,
    "object": Mapping,
}
_BOUNDS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
_SWITCHES = {inclusive: exclusive for exclusive, inclusive in _BOUNDS.items()}


def _identity(value: Any) -> Any:
    """Something hashable that is equal for equal JSON values, and keeps true and 1 apart."""
    if isinstance(value, Mapping):
        return frozenset((key, _identity(item)) for key, item in value.items())
    return tuple(map(_identity, value)) if isinstance(value, list) else (isinstance(value, bool), value)


_READERS: dict[str, Callable[[Flattener, Flat, Node, Place], None]] = {
    "type": Flattener._read_type,
    "enum": Flattener._read_members,
    "const": Flattener._read_const,
    "properties": Flattener._read_properties,
    "required": Flattener._read_required,
    "items": Flattener._read_items,
    "additionalProperties": Flattener._read_additional,
    "format": Flattener._read_format,
}
_PARTS: dict[str, Callable[[Flattener, Node, str], list[Flat]]] = {
    "$ref": Flattener._follow,
    "allOf": Flattener._merge_all,
    "anyOf": Flattener._choose,
    "oneOf": Flattener._choose,
}
