"""From flattened schemas to fields; whatever would restrict a value and cannot be kept is an error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from paxman.contract.adapters.dict_dsl import read_content
from paxman.contract.adapters.schema_flattening import (
    UNSUPPORTED,
    Flat,
    Flattener,
    SchemaDialect,
    SchemaNode,
    allowed_values,
    merge,
)
from paxman.contract.adapters.schema_kinds import (
    KEYWORDS,
    NATURAL_TYPES,
    format_rules,
    is_implied,
    kinds_of,
    kinds_spoken_of,
    member_rules,
    one_kind,
    only_kind,
    says_what,
    to_rule,
    types_of,
)
from paxman.contract.adapters.schema_references import References
from paxman.contract.constraints import problems
from paxman.contract.drafts import DOCUMENT, Draft, Findings, KeyPath, Rule, is_addressable, refusal
from paxman.contract.formats import FORMAT_OF
from paxman.contract.hints import HINTS, read_hints, read_type
from paxman.contract.model import CanonicalField
from paxman.contract.rules import to_constraints
from paxman.currencies import MINOR_UNITS
from paxman.types import IDENTIFIER, FieldType

_DEEPEST_FIELD = 50
_FAMILY = {
    "minProperties": "object",
    "maxProperties": "object",
    "propertyNames": "object",
    "dependentRequired": "object",
    "dependentSchemas": "object",
    "dependencies": "object",
    "contains": "array",
    "unevaluatedItems": "array",
    "contentEncoding": "string",
    "contentMediaType": "string",
}
"""The types that conditions speak of; the others speak of any."""
_TIMES = {name: kind for kind, name in FORMAT_OF.items()}
_TIMED = frozenset(_TIMES.values())
_TEXT_FORMS = _TIMED - {FieldType.DURATION} | {FieldType.DECIMAL}
_OBJECT = frozenset({"object"})
_CONTAINERS = frozenset({"object", "array"})
_MOST_BRANCHES = 24
_SECRET = "password"
"""The format by which OpenAPI and Pydantic mark what must not be shown."""
ROOT_NAME = "items"
"""What the only field of a contract is called that describes a list or a map."""
_ANYTHING = frozenset({"string", "integer", "boolean", "object", "array"})
_FAMILIES = {"integer": "number", "fraction": "number"}
_ALLOWED = {
    "string": {FieldType.STRING, FieldType.ENUM, FieldType.DECIMAL, *_TIMED},
    "integer": {FieldType.INTEGER, FieldType.ENUM},
    "number": {FieldType.DECIMAL, FieldType.INTEGER, FieldType.ENUM},
    "boolean": {FieldType.BOOLEAN, FieldType.ENUM},
    "object": {FieldType.OBJECT, FieldType.MONEY},
    "array": {FieldType.ARRAY},
    "mixed": {FieldType.ENUM},
}


class FieldReader:
    """Turns the properties of a schema into drafts; `conditions` are places that only a validator can judge."""

    def __init__(self, flattener: Flattener) -> None:
        self.flattener = flattener
        self.findings: Findings = flattener.findings
        self.conditions: list[KeyPath] = []
        self.is_told = False

    def read_root(self, root: SchemaNode) -> tuple[Flat, tuple[Draft, ...], str]:
        """The whole document: its flattened form, its fields, and the name of the field that is all of the data."""
        before = len(self.findings.errors)
        flat = self._with_all_choices(self.flattener.flatten([root]))
        self.is_told = flat.hints.get("validate") is False
        types, told = types_of(flat), flat.hints.get("root")
        is_list = types == {"array"} or (flat.types is None and not flat.properties and (flat.items or flat.prefix))
        is_map = "object" in types and not flat.properties and (flat.others or flat.patterns)
        if isinstance(told, Mapping) or is_list or is_map:
            if isinstance(told, Mapping):
                draft = read_content(told, root.place / "x-paxman" / "root", self.findings)
            else:
                title = flat.notes.get("title")
                draft = self._value(attrs.evolve(flat, notes={}, hints={}), ROOT_NAME, 1)
                draft.labels = (title,) if isinstance(title, str) and title.strip() else ()
            draft.name, draft.required = ROOT_NAME, True
            return flat, (draft,), ROOT_NAME
        if flat.types is not None and "object" not in flat.types:
            hint = 'Wrap it: {"type": "object", "properties": {"value": ...}}.'
            self.findings.error(UNSUPPORTED, root.place, "a contract describes an object or a list.", hint)
        for _, place in flat.members:
            self.findings.error(UNSUPPORTED, place, "a whole document cannot be one of a few constants.")
        self._rules(flat, "object")
        self._check_names(flat)
        for nodes in (*flat.patterns.values(), flat.others):
            for node in nodes[:1]:
                self.findings.warn(node.place, "beside properties of the whole document, only these are filled.")
                self.conditions.append(node.place)
        fields = self._children(flat, 1)
        if not fields and len(self.findings.errors) == before:
            self.findings.error("EMPTY_FIELDS", root.place / "properties", "there must be at least one property.")
        return flat, fields, ""

    def _with_all_choices(self, flat: Flat) -> Flat:
        """A document of several kinds has the properties of all; a validator says whether they go together."""
        for choice in flat.choices:
            self.conditions.append(choice.place)
            properties, required = dict(flat.properties), flat.required
            for branch in map(self._with_all_choices, choice.branches):
                properties = {**branch.properties, **properties}
            flat = attrs.evolve(flat, properties=properties, required=required, types=flat.types or _OBJECT)
        return attrs.evolve(flat, choices=[])

    def _field(self, name: str, nodes: list[SchemaNode], required: bool, depth: int) -> Draft:
        if depth > _DEEPEST_FIELD:
            raise refusal(f"nested more than {_DEEPEST_FIELD} fields deep", nodes[0].place)
        flat = self.flattener.flatten(nodes)
        if isinstance(flat.hints.get("field"), Mapping):
            draft = read_content(flat.hints["field"], nodes[0].place / "x-paxman" / "field", self.findings)
            draft.name, draft.required = name, required
            return draft
        draft = self._value(flat, name, depth)
        draft.name, draft.required, draft.place = name, required, nodes[0].place
        draft.hints = nodes[0].place / "x-paxman"
        self._notes(draft, flat)
        return draft

    def _value(self, flat: Flat, name: str, depth: int) -> Draft:
        """What a schema takes, wherever it stands."""
        types = types_of(flat)
        if flat.endless or (not types and flat.is_null):
            self.conditions.append(flat.place)
            return self._union(flat, name, [], flat.endless)
        if not types:
            self.findings.error("INVALID_CONSTRAINT", flat.place, "no value can satisfy this schema.")
            return Draft(flat.place, name, FieldType.STRING)
        if flat.choices:
            return self._choice(flat, name, depth)
        kind = one_kind(types)
        if kind is None and flat.members and not types & _CONTAINERS:
            kind = "mixed"
        if (kind and flat.members and kind in _CONTAINERS) or (kind is None and flat.members):
            self.conditions.append(flat.place)
            return self._union(flat, name, [], True)
        return self._single(flat, name, kind, depth) if kind else self._several(flat, name, types, depth)

    def _single(self, flat: Flat, name: str, kind: str, depth: int) -> Draft:
        chosen = self._type(flat, kind)
        draft = Draft(flat.place, name, chosen or FieldType.STRING)
        if chosen is None:
            return draft
        draft.nullable = flat.names_null and flat.accepts_null
        draft.rules = self._rules(flat, kind) + member_rules(flat) + format_rules(flat, chosen)
        draft.text_form = kind == "string" and chosen in _TEXT_FORMS
        draft.secret = kind == "string" and _SECRET in flat.formats
        if draft.type is FieldType.OBJECT:
            # An object of fields; a map, where its keys are those of the document, or cannot be addressed.
            odd = [name for name in flat.properties if not name.strip() or not is_addressable(name)]
            if flat.others or flat.patterns or odd:
                draft.type = FieldType.MAP
                self._read_map(draft, flat, depth)
            if flat.properties or draft.type is FieldType.MAP:
                draft.children = self._children(flat, depth + 1)
            elif flat.required or flat.closed:
                self.conditions.append(draft.place)
        elif draft.type is FieldType.MONEY:
            self._read_money(draft, flat)
        elif draft.type is FieldType.ARRAY:
            self._read_array(draft, flat, depth)
        if flat.whole and draft.type is FieldType.OBJECT:
            draft.nullable = False
            return self._union(flat, name, [draft], False)
        return draft

    def _union(self, flat: Flat, name: str, drafts: list[Draft], open: bool) -> Draft:
        """One of several; those that are unions themselves give their branches."""
        nullable = flat.is_null or (flat.names_null and flat.accepts_null)
        branches = [part for each in drafts for part in (each.branches if each.type is FieldType.UNION else (each,))]
        return Draft(flat.place, name, FieldType.UNION, nullable=nullable, branches=tuple(branches), open=open)

    def _several(self, flat: Flat, name: str, types: frozenset[str], depth: int) -> Draft:
        """A value of several types; of no stated type, those that the keywords speak of, or as it stands."""
        self.conditions.append(flat.place)
        open = types >= _ANYTHING
        kinds = kinds_spoken_of(flat) if open else kinds_of(types)
        branches = [self._single(only_kind(flat, kind), name, kind, depth) for kind in kinds]
        return self._union(flat, name, branches, open)

    def _choice(self, flat: Flat, name: str, depth: int) -> Draft:
        """One branch for each schema of the choices, joined with what stands beside them."""
        self.conditions.append(flat.place)
        base = attrs.evolve(flat, choices=[])
        structured = [choice for choice in flat.choices if any(map(says_what, choice.branches))]
        if not structured and (flat.types or says_what(base)):
            return self._value(base, name, depth)
        joined = [base]
        for choice in structured:
            joined = [merge(one, branch) for one in joined for branch in choice.branches]
        if len(joined) > _MOST_BRANCHES or not structured:
            return self._union(flat, name, [], True)
        possible = [each for each in joined if each.choices or each.endless or types_of(each)]
        branches = [self._value(attrs.evolve(each, notes=flat.notes), name, depth + 1) for each in possible]
        nullable = any(each.accepts_null and (each.names_null or each.is_null) for each in joined)
        union = self._union(flat, name, branches, any(branch.open for branch in branches))
        union.nullable = union.nullable or nullable
        return union

    def _type(self, flat: Flat, kind: str) -> FieldType | None:
        natural = NATURAL_TYPES[kind]
        if kind == "string":
            timed = next((_TIMES[name] for name in flat.formats if name in _TIMES), natural)
            natural = FieldType.ENUM if flat.members else timed
        if kind == "string" and flat.members and flat.hints.get("type") == "DECIMAL":
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
                if _FAMILY.get(key, family) == family and not is_implied(flat, key, value):
                    self.conditions.append(place)
            elif KEYWORDS[key][0] == family:
                rules += to_rule(key, value, place)
        return rules

    def _read_array(self, draft: Draft, flat: Flat, depth: int) -> None:
        draft.prefix = tuple(self._field("[]", nodes, True, depth + 1) for nodes in flat.prefix)
        is_closed = self._is_void(flat.items)
        if flat.prefix or is_closed:
            self.conditions.append(draft.place)
        if is_closed:
            draft.rules.append(Rule("max_items", {"max": len(draft.prefix)}, draft.place, native=True))
        if flat.items and not is_closed:
            draft.items = self._field("[]", flat.items, True, depth + 1)
        elif not (is_closed and draft.prefix):
            draft.items = Draft(draft.place / "items", "[]", FieldType.UNION, required=True, open=True)

    def _read_map(self, draft: Draft, flat: Flat, depth: int) -> None:
        nodes = [*flat.patterns.values(), *([flat.others] if flat.others else [])]
        values = [self._field("[]", each, True, depth + 1) for each in nodes if not self._is_void(each)]
        if len(nodes) != 1 or flat.patterns or flat.closed or flat.properties:
            self.conditions.append(draft.place)
        if len(values) == 1 and (flat.others or flat.closed):
            draft.items = values[0]
        elif values or not flat.closed:
            union, is_open = tuple(values), not flat.closed
            draft.items = Draft(draft.place, "[]", FieldType.UNION, required=True, branches=union, open=is_open)
        if len(flat.patterns) == 1 and flat.closed and not flat.properties:
            draft.rules.append(Rule("key_pattern", {"regex": next(iter(flat.patterns))}, draft.place, native=True))

    @staticmethod
    def _is_void(nodes: list[SchemaNode]) -> bool:
        """Whether it is written that there is no value."""
        return any(node.schema is False for node in nodes)

    def _children(self, flat: Flat, depth: int) -> tuple[Draft, ...]:
        """The properties, and those that are only required; one that nothing can satisfy must be missing."""
        children = []
        self.conditions += [place for names, place in flat.closed if not flat.properties.keys() <= names]
        for name, nodes in flat.properties.items():
            if self._is_void(nodes) and name not in flat.required:
                self.conditions.append(nodes[0].place)
            else:
                children.append(self._field(name, nodes, name in flat.required, depth))
        for name, place in flat.required.items():
            if name not in flat.properties and not any(child.name == name for child in children):
                self.conditions.append(place)
                children.append(Draft(place, name, FieldType.UNION, required=True, open=True))
        return tuple(children)

    def _check_names(self, flat: Flat) -> None:
        for name, nodes in flat.properties.items():
            if not name.strip():
                message = "a property without a name cannot be addressed."
                self.findings.error("MISSING_FIELD_NAME", nodes[0].place, message)
            elif not is_addressable(name):
                message = "a property with a dot or a bracket in its name cannot be addressed."
                self.findings.error(UNSUPPORTED, nodes[0].place, message, "Rename the property.")
        for _, place in flat.closed:
            if not flat.properties:
                self.conditions.append(place)

    def _notes(self, draft: Draft, flat: Flat) -> None:
        title, description = flat.notes.get("title"), flat.notes.get("description")
        if isinstance(title, str) and title.strip() and title != draft.name:
            draft.labels = (title,)
        if isinstance(description, str):
            draft.description = description
        formats = dict.fromkeys(flat.formats)
        draft.tags = tuple(name for name in formats if IDENTIFIER.match(name) and draft.type not in _TIMED)
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
        if missing:
            return
        amount, currency = (self.flattener.flatten(flat.properties[part]) for part in ("amount", "currency"))
        kind = one_kind(types_of(amount))
        rules = self._rules(amount, kind) if kind else []
        if kind not in ("string", "number", "integer") or amount.members or (rules and kind == "string"):
            message = "an amount is a number, or text without further rules."
            self.findings.error(UNSUPPORTED, amount.place, message, _MONEY_HINT)
        if kind == "integer":
            rules.append(Rule("multiple_of", {"of": 1}, amount.place, native=True))
        draft.rules += rules
        draft.text_form = kind == "string"
        self._read_currency(draft, currency)

    def _read_currency(self, draft: Draft, flat: Flat) -> None:
        """The codes that the schema lets through."""
        kind = one_kind(types_of(flat)) if flat.types is not None or flat.members else "string"
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


_MONEY_HINT = (
    'Money is {"type": "object", "properties": {"amount": {"type": "string"}, "currency": {"type": "string"}}, '
    '"required": ["amount", "currency"], "x-paxman": {"type": "MONEY"}}.'
)


def read_value_schema(schema: Mapping[str, Any], findings: Findings) -> Draft:
    """What one value is, by a schema that stands for itself; what the schema says of its name is left out."""
    flattener = Flattener(References(schema), SchemaDialect(), findings)
    bare = {key: value for key, value in schema.items() if key not in ("title", "description", "default")}
    return FieldReader(flattener)._field("", [SchemaNode(bare, DOCUMENT, (id(schema),))], True, 1)


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
