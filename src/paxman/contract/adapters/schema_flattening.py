"""What a JSON Schema asks for, after its references are followed and its `allOf`, `anyOf` and `oneOf` are merged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

import attrs

from paxman.contract.adapters.schema_references import References, Unresolved
from paxman.contract.constraints import identity
from paxman.contract.detection import JSON_TYPES
from paxman.contract.drafts import Findings, KeyPath, did_you_mean, refusal
from paxman.contract.patterns import matches

UNSUPPORTED = "UNSUPPORTED_SCHEMA_FEATURE"
_TYPES = {name: frozenset({name}) for name in JSON_TYPES} | {"number": frozenset({"integer", "fraction"})}
_EVERY_TYPE = frozenset().union(*_TYPES.values())
_NULL = frozenset({"null"})
_MOST_SCHEMAS = 20_000
_LONGEST_CHAIN = 100
_DEEPEST = 2
"""How often a schema may stand inside itself before what is deeper is taken as it stands."""

RULES = frozenset(
    """
minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems
minProperties maxProperties propertyNames dependentRequired dependentSchemas dependencies
contains unevaluatedItems not if $dynamicRef $recursiveRef contentEncoding contentMediaType
""".split()
)
_NOTES = frozenset({"title", "description", "default"})
_SILENT = frozenset(
    """
$schema $id $anchor $comment $defs definitions $vocabulary $dynamicAnchor $recursiveAnchor id examples example
deprecated readOnly writeOnly contentSchema xml externalDocs discriminator
additionalItems minContains maxContains then else nullable unevaluatedProperties
""".split()
)


@attrs.frozen
class SchemaDialect:
    """How the versions of JSON Schema differ: what stands beside `$ref`, and how bounds and null are written."""

    ref_alone: bool = False
    boolean_bounds: bool = False
    nullable: str = ""
    """The keyword that lets null through, where there is one."""
    old_items: bool = False
    """Whether the first elements of an array stand in `items`, and what may stand beside `$ref` does."""
    stated: bool = attrs.field(default=True, eq=False)
    """Whether the document names its dialect, or is too old to leave it open."""


_DRAFTS = {
    "json-schema.org/draft/2020-12/schema": SchemaDialect(),
    "json-schema.org/draft/2019-09/schema": SchemaDialect(old_items=True),
    "json-schema.org/draft-07/schema": SchemaDialect(ref_alone=True),
    "json-schema.org/draft-06/schema": SchemaDialect(ref_alone=True),
    "json-schema.org/draft-04/schema": SchemaDialect(ref_alone=True, boolean_bounds=True),
    "spec.openapis.org/oas/3.1/dialect/base": SchemaDialect(),
}


def dialect_of(address: Any) -> SchemaDialect | None:
    """The dialect that a `$schema` names, or None for one that is not known."""
    return _DRAFTS.get(address.partition("://")[2].rstrip("#")) if isinstance(address, str) else None


def address_of(dialect: SchemaDialect) -> str:
    """The `$schema` of a dialect."""
    address = next((name for name, known in _DRAFTS.items() if known == dialect), next(iter(_DRAFTS)))
    return f"{'http' if 'draft-0' in address else 'https'}://{address}{'#' if 'draft-0' in address else ''}"


def guess_dialect(schema: Any) -> SchemaDialect:
    """The dialect of a document that names none: the latest, unless it uses what only older ones have."""
    keys = set(_keywords(schema))
    if "$recursiveRef" in keys:
        return _DRAFTS["json-schema.org/draft/2019-09/schema"]
    return (
        _DRAFTS["json-schema.org/draft-07/schema"] if keys & _OLD and not keys & _NEW else SchemaDialect(stated=False)
    )


_OLD = frozenset("additionalItems dependencies items[] $id+$ref".split())
_NEW = frozenset(
    "$defs prefixItems dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties $dynamicRef".split()
)


def _keywords(schema: Any) -> Iterator[str]:
    """Every key of a document, as far as it may be a keyword; a list of items is told apart, and so is a pair."""
    if isinstance(schema, Mapping):
        yield from schema
        if isinstance(schema.get("items"), list):
            yield "items[]"
        if isinstance(schema.get("$ref"), str) and "$id" in schema:
            yield "$id+$ref"
    for part in schema.values() if isinstance(schema, Mapping) else schema if isinstance(schema, list) else ():
        yield from _keywords(part)


@attrs.frozen
class SchemaNode:
    """A schema, its place, and the references that were followed to get there."""

    schema: Any
    place: KeyPath
    followed: tuple[int, ...] = ()

    def at(self, *keys: str | int) -> SchemaNode:
        schema, place = self.schema, self.place
        for key in keys:
            schema, place = schema[key], place / key
        return SchemaNode(schema, place, self.followed)


@attrs.frozen
class SchemaChoice:
    """Schemas of which a value satisfies one."""

    branches: list[Flat]
    place: KeyPath


@attrs.define
class Flat:
    """Everything that one value has to satisfy. No `types` means any type."""

    place: KeyPath
    types: frozenset[str] | None = None
    names_null: bool = False
    members: list[tuple[list[Any], KeyPath]] = attrs.field(factory=list)
    rules: list[tuple[str, Any, KeyPath]] = attrs.field(factory=list)
    properties: dict[str, list[SchemaNode]] = attrs.field(factory=dict)
    required: dict[str, KeyPath] = attrs.field(factory=dict)
    items: list[SchemaNode] = attrs.field(factory=list)
    closed: list[tuple[frozenset[str], KeyPath]] = attrs.field(factory=list)
    formats: list[str] = attrs.field(factory=list)
    notes: dict[str, Any] = attrs.field(factory=dict)
    hints: dict[str, Any] = attrs.field(factory=dict)
    choices: list[SchemaChoice] = attrs.field(factory=list)
    prefix: list[list[SchemaNode]] = attrs.field(factory=list)
    patterns: dict[str, list[SchemaNode]] = attrs.field(factory=dict)
    others: list[SchemaNode] = attrs.field(factory=list)
    """What the values of keys are that no property names."""
    endless: bool = False
    """Whether it stands inside itself, deeper than fields are made for."""
    whole: bool = False
    """Whether it stands inside itself."""

    @property
    def accepts_null(self) -> bool:
        return (self.types is None or "null" in self.types) and all(None in values for values, _ in self.members)

    @property
    def is_null(self) -> bool:
        only = self.types == _NULL or any(values == [None] for values, _ in self.members)
        return only and self.accepts_null and not self.rules and not self.choices

    @property
    def is_choice(self) -> bool:
        """Whether it does nothing but list values."""
        parts = self.rules or self.properties or self.required or self.items or self.choices or self.prefix
        return bool(self.members) and not parts

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
        one.choices + two.choices,
        one.prefix or two.prefix,
        {**two.patterns, **one.patterns},
        one.others + two.others,
        one.endless or two.endless,
        one.whole or two.whole,
    )


class Flattener:
    """Reads schemas of one document in one dialect."""

    def __init__(self, references: References, dialect: SchemaDialect, findings: Findings) -> None:
        self.references = references
        self.dialect = dialect
        self.findings = findings
        self._left = _MOST_SCHEMAS

    def flatten(self, nodes: Sequence[SchemaNode]) -> Flat:
        return reduce(merge, [self.read(node) for node in nodes])

    def read(self, node: SchemaNode) -> Flat:
        """One schema with everything that it merges in place."""
        self._left -= 1
        if self._left < 0:
            raise refusal(f"too large: more than {_MOST_SCHEMAS} schemas once its references are followed", node.place)
        flat, schema = Flat(node.place), node.schema
        if isinstance(schema, bool):
            return flat if schema else attrs.evolve(flat, types=frozenset())
        if not isinstance(schema, Mapping):
            self.findings.error("INVALID_CONTRACT", node.place, f"a schema is an object, not {schema!r}.")
            return flat
        if "$schema" in schema and dialect_of(schema["$schema"]) != self.dialect:
            message = f"{schema['$schema']!r} is not a dialect that can be used here."
            self.findings.error(UNSUPPORTED, node.place / "$schema", message, "Use JSON Schema draft 4 to 2020-12.")
        alone = self.dialect.ref_alone and "$ref" in schema
        for key in schema:
            self._read_keyword(flat, node, key, only_notes=alone)
        for key in (key for key in _PARTS if key in schema and (key == "$ref" or not alone)):
            parts = self._follow(node) if key == "$ref" else self._branches(node, key)
            for part in self._choose(node, key, parts) if key.endswith("Of") and key != "allOf" else parts:
                flat = merge(flat, part)
        # `unevaluatedProperties` sees what was merged in place, so it comes last.
        rest = schema.get("unevaluatedProperties", True)
        if rest is False:
            flat.closed.append((frozenset(flat.properties), node.place / "unevaluatedProperties"))
        elif rest not in (True, {}):
            flat.others = [*flat.others, node.at("unevaluatedProperties")]
        return flat

    def _read_keyword(self, flat: Flat, node: SchemaNode, key: str, only_notes: bool) -> None:
        value, place = node.schema[key], node.place / key
        if key in _NOTES:
            flat.notes[key] = value
        elif key == "x-paxman" and isinstance(value, Mapping):
            flat.hints = dict(value)
        elif key == "x-paxman":
            self.findings.error("INVALID_CONTRACT", place, f"x-paxman is an object, not {value!r}.")
        elif only_notes:
            if key != "$ref" and key not in _SILENT and not key.startswith("x-"):
                self.findings.warn(place, "ignored, because in this dialect nothing counts beside $ref.")
        elif key in ("type", "enum", "const", "format"):
            self._read_values(flat, node, key, place)
        elif key in _MEMBERS:
            self._read_members(flat, node, key, place)
        elif key in RULES:
            self._read_rule(flat, node.schema, key, place)
        elif key not in _SILENT and key not in _PARTS and not key.startswith("x-"):
            known = {*RULES, *_MEMBERS, *_PARTS, "type", "enum", "const", "format"}
            self.findings.warn(place, f"unknown keyword is ignored.{did_you_mean(key, known)}")

    def _read_rule(self, flat: Flat, schema: Mapping[str, Any], key: str, place: KeyPath) -> None:
        value = schema[key]
        if key == "if" and not {"then", "else"} & schema.keys():
            return
        if self.dialect.boolean_bounds and key in _BOUNDS:
            # An exclusive bound is a switch on the bound beside it here.
            inclusive = _BOUNDS[key]
            if value is True and inclusive in schema:
                flat.rules.append((key, schema[inclusive], place))
        elif not self.dialect.boolean_bounds or schema.get(_SWITCHES.get(key, "")) is not True:
            flat.rules.append((key, value, place))

    def _read_values(self, flat: Flat, node: SchemaNode, key: str, place: KeyPath) -> None:
        """What values there may be: their types, a list of them, a format."""
        value = node.schema[key]
        if key == "type":
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
        elif key == "format":
            flat.formats = [value] if isinstance(value, str) else []
        elif key == "enum" and not (isinstance(value, list) and value):
            self.findings.error("MISSING_ENUM_VALUES", place, "enum is a list with at least one value.")
        else:
            values = value if key == "enum" else [value]
            flat.members.append((values, place))
            flat.names_null = flat.names_null or None in values

    def _read_members(self, flat: Flat, node: SchemaNode, key: str, place: KeyPath) -> None:
        """The schemas of an object's members and an array's elements."""
        value, named = node.schema[key], node.schema.get("properties")
        if key == "properties" and isinstance(value, Mapping):
            flat.properties = {name: [node.at(key, name)] for name in value}
        elif key == "properties":
            self.findings.error("INVALID_CONTRACT", place, f"properties are an object, not {value!r}.")
        elif key == "required" and isinstance(value, list) and all(isinstance(name, str) for name in value):
            flat.required = dict.fromkeys(value, place)
        elif key == "required":
            hint = 'Write "required": ["total", "date"] beside "properties".'
            self.findings.error("INVALID_CONTRACT", place, f"required is a list of names, not {value!r}.", hint)
        elif key == "additionalProperties" and value is False:
            flat.closed.append((frozenset(named if isinstance(named, Mapping) else ()), place))
        elif key == "additionalProperties":
            flat.others = [node.at(key)] if value not in (True, {}) else []
        elif key == "patternProperties" and isinstance(value, Mapping):
            flat.patterns = {name: [node.at(key, name)] for name in value}
        elif key in ("items", "prefixItems") and isinstance(value, list):
            flat.prefix = [[node.at(key, index)] for index in range(len(value))]
            if key == "items" and "additionalItems" in node.schema:
                flat.items = [node.at("additionalItems")]
        elif key == "items":
            flat.items = [node.at(key)]

    def _follow(self, node: SchemaNode) -> list[Flat]:
        reference, place = node.schema["$ref"], node.place / "$ref"
        if not isinstance(reference, str):
            self.findings.error("INVALID_CONTRACT", place, f"a reference is text, not {reference!r}.")
            return []
        try:
            target, where = self.references.resolve(reference, node.schema)
        except Unresolved as error:
            if error.remote and dialect_of(reference):
                return [Flat(place, endless=True)]
            code = UNSUPPORTED if error.remote else "INVALID_CONTRACT"
            hint = "Put the schema under $defs." if error.remote else "Point to a schema that is in the document."
            self.findings.error(code, place, f"{error.message}.", hint)
            return []
        times = node.followed.count(id(target))
        if times > (_DEEPEST if self._left > _MOST_SCHEMAS // 2 else 0):
            return [Flat(place, endless=True)]
        if len(node.followed) > _LONGEST_CHAIN:
            hint = "Lead to the schema itself, and not to references."
            self.findings.error(
                UNSUPPORTED, place, f"{reference!r} is one of more than {_LONGEST_CHAIN} in a row.", hint
            )
            return []
        found = self.read(SchemaNode(target, where, (*node.followed, id(target))))
        found.notes.pop("title", None)
        found.whole = found.whole or times > 0
        return [found]

    def _branches(self, node: SchemaNode, key: str) -> list[Flat]:
        branches = node.schema[key]
        if isinstance(branches, list) and branches:
            return [self.read(node.at(key, index)) for index in range(len(branches))]
        self.findings.error("INVALID_CONTRACT", node.place / key, f"{key} is a list of schemas, not {branches!r}.")
        return []

    def _choose(self, node: SchemaNode, key: str, branches: list[Flat]) -> list[Flat]:
        others = [branch for branch in branches if not branch.is_null]
        chosen = (
            _one_or_null(branches, others, exclusive=key == "oneOf")
            or _union(branches, node.place / key, exclusive=key == "oneOf")
            or (_number_over_text(others, len(branches) > len(others)) if key == "anyOf" else None)
        )
        return [chosen or Flat(node.place, choices=[SchemaChoice(branches, node.place / key)])] if branches else []


def _one_or_null(branches: list[Flat], others: list[Flat], exclusive: bool) -> Flat | None:
    nulls = len(branches) - len(others)
    if len(others) != 1 or (exclusive and nulls > 1):
        return None
    own = others[0].accepts_null
    accepted = bool(nulls) != own if exclusive else bool(nulls) or own
    return others[0].with_null(accepted) if nulls else others[0]


def _union(branches: list[Flat], place: KeyPath, exclusive: bool) -> Flat | None:
    if not all(branch.is_choice for branch in branches):
        return None
    values = [value for branch in branches for value in allowed_values(branch)]
    distinct = list({identity(value): value for value in values}.values())
    if not values or (exclusive and len(distinct) < len(values)):
        return None
    return Flat(place, members=[(distinct, place)], names_null=None in distinct)


def _number_over_text(others: list[Flat], null: bool) -> Flat | None:
    """A number that may also come as text: every text that is let through is such a number."""
    numbers = [branch for branch in others if branch.types and branch.types <= _TYPES["number"]]
    texts = [branch for branch in others if branch.types == _TYPES["string"]]
    if len(numbers) != 1 or len(texts) != len(others) - 1:
        return None
    for branch in texts:
        # Without its lookaheads a pattern lets more through, and is one that RE2 can run.
        patterns = [_LOOKAHEAD.sub("", str(value)) for key, value, _ in branch.rules if key == "pattern"]
        try:
            taken = [text for text in ("1", *_WORDS) if all(matches(pattern, text) for pattern in patterns)]
        except ValueError:
            return None
        if taken != ["1"]:
            return None
    return numbers[0].with_null(True) if null else numbers[0]


_LOOKAHEAD = re.compile(r"\(\?[=!][^()]*\)")
_WORDS = (" ", "a", "Z", "/", "ab", "N/A", "A1", "1a", "1 a", "é")


def allowed_values(flat: Flat) -> list[Any]:
    """The values that all lists of members share and the types allow."""
    shared = [value for value in flat.members[0][0] if flat.types is None or type_of(value) in flat.types]
    for values, _ in flat.members[1:]:
        known = {identity(value) for value in values}
        shared = [value for value in shared if identity(value) in known]
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


_MEMBERS = frozenset("properties required items prefixItems patternProperties additionalProperties".split())
_PARTS = ("$ref", "allOf", "anyOf", "oneOf")
