"""The canonical contract: what every adapter produces and every stage reads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import attrs

from paxman.budget import CurrencyPolicy
from paxman.classes import frozen
from paxman.contract.expressions import parse
from paxman.contract.labels import fold_label, fold_name, to_words
from paxman.serialization import canonical_hash
from paxman.types import Fallback, FieldType, freeze

Source = Literal["dict_dsl", "json_schema", "openapi", "pydantic", "python_class", "sql", "other"]


@frozen
class Constraint:
    """A rule on a value, such as min_length or pattern, or on the contract as a whole: check."""

    kind: str
    params: Mapping[str, Any] = attrs.field(factory=dict, converter=freeze, hash=False)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "params": self.params}


@frozen
class ContractPolicy:
    """The contract's own overrides of the caller's policy; None leaves the caller's value."""

    confidence_floor: float | None = None
    unresolved_acceptable: bool | None = None
    currency_policy: CurrencyPolicy | None = None
    stop_on_first_unresolved: bool = False


@attrs.frozen(slots=False)
class CanonicalField:
    """One field. `text_form` asks for text in the normalized data.

    `items` describes the elements of an ARRAY, behind those of its `prefix`, and the values of a MAP. A UNION is one
    of its `branches`, or, if it is `open`, whatever stands there.
    """

    id: str
    path: str
    name: str
    type: FieldType
    required: bool = False
    nullable: bool = False
    default: Any = attrs.field(default=None, converter=freeze, hash=False)
    description: str = ""
    semantic_tags: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    confidence_threshold: float | None = None
    fallback_policy: Fallback = Fallback.UNRESOLVED
    children: tuple[CanonicalField, ...] = ()
    lookup: Mapping[str, Any] | None = attrs.field(default=None, converter=freeze, hash=False)
    derive: str | None = None
    items: CanonicalField | None = None
    has_default: bool = False
    text_form: bool = False
    prefix: tuple[CanonicalField, ...] = ()
    branches: tuple[CanonicalField, ...] = ()
    open: bool = False
    secret: bool = False

    def constraint(self, kind: str) -> Mapping[str, Any] | None:
        """Parameters of the first constraint of this kind, or None."""
        return next((c.params for c in self.constraints if c.kind == kind), None)

    @cached_property
    def enum_values(self) -> tuple[Any, ...]:
        params = self.constraint("enum")
        return tuple(params["values"]) if params else ()

    @cached_property
    def columns(self) -> tuple[CanonicalField, ...]:
        """Fields of one row, when this is an ARRAY of OBJECT; none is required that the contract itself can fill."""
        is_rows = self.items and self.type is FieldType.ARRAY and not self.prefix
        children = self.items.children if self.items and is_rows else ()
        return tuple(attrs.evolve(each, required=False) if each.is_filled else each for each in children)

    def without(self, names: Collection[str]) -> CanonicalField:
        """An array of rows that may lack some columns."""
        if not names or self.items is None:
            return self
        eased = tuple(attrs.evolve(c, required=False) if c.name in names else c for c in self.items.children)
        return attrs.evolve(self, items=attrs.evolve(self.items, children=eased))

    @cached_property
    def is_filled(self) -> bool:
        """Whether the contract has a value for the field where the document has none."""
        return bool(self.derive or self.lookup) or self.fallback_policy is Fallback.USE_DEFAULT

    @cached_property
    def parts(self) -> tuple[CanonicalField, ...]:
        """The fields that it is made of: of an object, of a row or an element, of each branch."""
        return (*self.children, *self.branches, *self.prefix, *((self.items,) if self.items else ()))

    @cached_property
    def fills_inside(self) -> bool:
        """Whether cells inside of this value are computed, looked up or replaced by a default."""
        return any(child.is_filled for child in self.children) or any(part.fills_inside for part in self.parts)

    @cached_property
    def needs(self) -> tuple[str, ...]:
        """Names outside of this field that its formulas and lookups read, those of its parts included."""
        names = [*parse(self.derive).inputs] if self.derive else []
        names += [self.lookup["from"]] if self.lookup and self.lookup.get("from") else []
        inside = {child.name for child in self.children}
        names += [name for part in self.parts for name in part.needs if name.partition(".")[0] not in inside]
        return tuple(dict.fromkeys(names))

    def item(self, number: int) -> CanonicalField | None:
        """What an element of an ARRAY is, by its place."""
        return self.prefix[number] if number < len(self.prefix) else self.items

    @cached_property
    def label_keys(self) -> tuple[str, ...]:
        """Folded labels."""
        return tuple(dict.fromkeys(key for key in map(fold_label, self.labels) if key))

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """What later stages derive from this field, so that it is derived once and not per document."""
        return {}

    @cached_property
    def words(self) -> str:
        """The name as one says it."""
        return to_words(self.name)

    @cached_property
    def said(self) -> str:
        """The name as one says it outside of its object: "seller name" of `seller.name`."""
        above = self.path.removesuffix(self.name).removesuffix(".").rpartition(".")[2]
        return f"{to_words(above)} {self.words}" if above and not above.endswith("]") else self.words

    @cached_property
    def name_key(self) -> str:
        return fold_label(self.said)

    @cached_property
    def name_keys(self) -> tuple[str, ...]:
        """Folded name, then folded labels, as keys of structured data are compared."""
        return tuple(dict.fromkeys(key for key in map(fold_name, (self.name, *self.labels)) if key))

    @cached_property
    def shape(self) -> Any:
        """Type names in the value's own structure, enough to read a stored value back."""
        if self.type is FieldType.ARRAY:
            return [self.items.shape if self.items else "STRING"]
        if self.type is FieldType.OBJECT and self.children:
            return {child.name: child.shape for child in self.children}
        return self.type.value + (":text" if self.text_form else "")

    @cached_property
    def has_secrets(self) -> bool:
        """Whether it, or a part of it, must not be shown."""
        return self.secret or any(part.has_secrets for part in self.parts)

    @cached_property
    def is_fixed(self) -> bool:
        """Whether the shape of its values is known before there is one."""
        if self.type in (FieldType.UNION, FieldType.MAP) or self.prefix:
            return False
        if self.type is FieldType.OBJECT and not self.children:
            return False
        return all(part.is_fixed for part in self.parts)


@attrs.frozen(slots=False)
class CanonicalContract:
    """A contract in the one form that the pipeline knows."""

    id: str
    version: str
    fields: tuple[CanonicalField, ...]
    constraints: tuple[Constraint, ...] = ()
    policies: ContractPolicy = ContractPolicy()
    source: Source = attrs.field(default="other", eq=False)
    warnings: tuple[str, ...] = attrs.field(default=(), eq=False)
    base_path: str | None = attrs.field(default=None, eq=False)
    check_data: Callable[[dict[str, Any]], Sequence[tuple[str, str]]] | None = attrs.field(default=None, eq=False)
    """What the caller's own model has against normalized data: paths and reasons."""
    root: str = ""
    """The name of the only field, where the data are its value and no object around it."""
    lessons: Any = attrs.field(default=None, eq=False)
    """What examples taught of this contract, once it is attached."""
    lessons_file: str = attrs.field(default="", eq=False)
    """The file of lessons that the contract itself names."""

    @cached_property
    def leaves(self) -> tuple[CanonicalField, ...]:
        """Fields that get a plan and a result of their own, in declaration order."""
        return tuple(field for field, _ in self.planned)

    @cached_property
    def planned(self) -> tuple[tuple[CanonicalField, bool], ...]:
        """Leaves, each with whether it is required; below an optional object nothing is."""
        return tuple(_with_required(self.fields, True))

    @cached_property
    def has_secrets(self) -> bool:
        """Whether a value must not be shown."""
        return any(field.has_secrets for field in self.fields)

    @cached_property
    def by_path(self) -> Mapping[str, CanonicalField]:
        return {field.path: field for field in self.leaves}

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """What later stages derive from this contract, so that it is derived once and not per document."""
        return {}

    @cached_property
    def shapes(self) -> Mapping[str, Any]:
        """The shape of each leaf's value; JSON contracts want numbers where others keep Decimals."""
        return {field.path: self.written(field.shape) for field in self.leaves}

    def written(self, shape: Any) -> Any:
        """The shape as the contract's own format writes it."""
        return _with_json_numbers(shape) if self.source in ("json_schema", "openapi") else shape

    def with_labels(self, labels: Mapping[str, Sequence[str]]) -> CanonicalContract:
        """The contract with more labels of fields, by path; those of columns without the brackets of their rows."""
        return attrs.evolve(self, fields=tuple(_with_labels(field, labels) for field in self.fields))

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over the canonical JSON of everything that can change a result."""
        return canonical_hash(self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """Plain data in canonical form."""
        return attrs.asdict(self, filter=_is_content)


def _with_labels(field: CanonicalField, labels: Mapping[str, Sequence[str]]) -> CanonicalField:
    added = (*field.labels, *labels.get(field.path.replace("[]", ""), ()))
    children = tuple(_with_labels(child, labels) for child in field.children)
    items = _with_labels(field.items, labels) if field.items else None
    return attrs.evolve(field, labels=tuple(dict.fromkeys(added)), children=children, items=items)


def _with_json_numbers(shape: Any) -> Any:
    if isinstance(shape, list):
        return [_with_json_numbers(item) for item in shape]
    if isinstance(shape, dict):
        return {name: _with_json_numbers(item) for name, item in shape.items()}
    return f"{shape}:number" if shape in ("DECIMAL", "MONEY", "OBJECT") else shape


_LATER = frozenset({"prefix", "branches", "open", "secret", "root"})
"""Parts that few contracts have: without them a contract keeps the hash that it had before there were any."""


def _is_content(attribute: attrs.Attribute[Any], value: Any) -> bool:
    if attribute.name in _LATER:
        return bool(value)
    return attribute.name not in ("source", "warnings", "base_path", "check_data", "lessons", "lessons_file")


def _with_required(fields: tuple[CanonicalField, ...], outer: bool) -> Iterator[tuple[CanonicalField, bool]]:
    for field in fields:
        required = outer and field.required
        if field.type is FieldType.OBJECT and field.children:
            yield from _with_required(field.children, required)
        else:
            yield field, required
