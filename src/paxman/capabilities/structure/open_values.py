"""Values whose type is not known beforehand: nodes as they stand, members of objects, and branches of unions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

import attrs

from paxman.capabilities.base import CapabilityContext, EvidenceRef
from paxman.contract.drafts import is_addressable
from paxman.contract.model import CanonicalField
from paxman.documents.document import Node
from paxman.transforms import run
from paxman.types import Diagnostic, FieldType, Severity

ANYTHING = CanonicalField("", "", "", FieldType.UNION, required=True, open=True)
_TEXTS = frozenset({FieldType.DATE, FieldType.DATETIME, FieldType.TIME, FieldType.DURATION})
_NATIVE = {
    "string": frozenset({FieldType.STRING, FieldType.ENUM}) | _TEXTS,
    "number": frozenset({FieldType.INTEGER, FieldType.DECIMAL, FieldType.ENUM}),
    "boolean": frozenset({FieldType.BOOLEAN, FieldType.ENUM}),
    "null": frozenset[FieldType](),
    "object": frozenset({FieldType.OBJECT, FieldType.MAP, FieldType.MONEY}),
    "array": frozenset({FieldType.ARRAY}),
}
SINGLE = frozenset(FieldType) - _NATIVE["object"] - _NATIVE["array"]
"""Types of values that have no parts."""
_PAIR = 2
Inner = TypeVar("Inner", bound="Valued")


class Valued(Protocol):
    """Anything that holds a value."""

    @property
    def value(self) -> Any: ...


@attrs.define
class Part:
    """A row, or something inside one: its value, the evidence, the cells it does without, and those in doubt."""

    path: str
    value: Any = None
    refs: list[EvidenceRef] = attrs.field(factory=list)
    left_out: list[Diagnostic] = attrs.field(factory=list)
    doubts: list[Diagnostic] = attrs.field(factory=list)
    rivals: list[Part] = attrs.field(factory=list)
    fault: Node | None = None
    """The node that cannot be read, where it is one inside of this."""

    def take(self, inner: Part) -> Any:
        self.refs += inner.refs
        self.left_out += inner.left_out
        self.doubts += inner.doubts
        if inner.rivals:
            readings = [str(each.value) for each in (inner, *inner.rivals)]
            message = f"several branches take it: {' or '.join(readings)}; the first was taken"
            self.doubts.append(Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, inner.path))
        return inner.value


def is_native(context: CapabilityContext, branch: CanonicalField, node: Node) -> bool:
    """Whether a node is of a branch's own type, and not a text that can be read so; in markup all scalars are text."""
    if node.kind != "scalar":
        return branch.type in _NATIVE[node.kind]
    typed = context.document.kind == "json" or node.transforms == ("json",)
    return branch.type in (_NATIVE[node.scalar] if typed else SINGLE)


def most_evident(found: Sequence[tuple[CanonicalField, Inner, int]]) -> list[tuple[CanonicalField, Inner]]:
    """The branches whose values have the most evidence, each value once; text, which all values are, last."""
    told = [each for each in found if each[0].type is not FieldType.STRING or each[0].constraints] or found
    most = max((count for _, _, count in told), default=0)
    best: dict[str, tuple[CanonicalField, Inner]] = {}
    for branch, inner, count in told:
        if count == most and not any(inner.value == known.value for _, known in best.values()):
            best[f"{branch.type.value}{len(best)}"] = (branch, inner)
    return list(best.values())


def branches_in_text(union: CanonicalField) -> tuple[CanonicalField, ...]:
    """The branches that a text can answer; what may be anything is text there."""
    known = tuple(branch for branch in union.branches if branch.type is not FieldType.MAP)
    if not union.open or any(branch.type is FieldType.STRING for branch in known):
        return known
    return (*known, attrs.evolve(union, type=FieldType.STRING, branches=(), open=False))


def union_choice_note(union: CanonicalField, chosen: CanonicalField, path: str) -> Diagnostic:
    """The note on which branch was taken."""
    names = [_name(branch) for branch in union.branches]
    others = ", ".join(name for branch, name in zip(union.branches, names, strict=True) if branch is not chosen)
    message = f"taken as {_name(chosen)}; it could also have been {others}"
    return Diagnostic("UNION_CHOICE", Severity.INFO, message, path, {"branches": names, "chosen": _name(chosen)})


def _name(branch: CanonicalField) -> str:
    """What a branch is: its type, and of an object the fields that it must have."""
    if branch.type not in (FieldType.OBJECT, FieldType.MAP):
        return str(branch.type.value)
    named = [child.name for child in branch.children if child.required] or [child.name for child in branch.children]
    return f"{branch.type.value} of {', '.join(named[:4])}" if named else str(branch.type.value)


def read_as_is(context: CapabilityContext, node: Node, part: Part) -> str | None:
    """Fill a part with a node's own value: JSON as it is written, elements of markup by their names."""
    if node.kind == "scalar" and node.scalar == "string":
        part.value = node.text or ""
        part.refs.append(context.evidence(node.span, node.transforms, path=part.path, source=node.source))
        return None
    try:
        part.value = run(("parse_json",), context.document.text[node.span[0] : node.span[1]])
    except (ValueError, RecursionError):
        # An element with its children; several of one name are a list.
        if node.kind == "scalar":
            return "cannot be read"
        if node.kind == "array":
            values = [
                _inner(context, child, f"{part.path}[{number}]", part) for number, child in enumerate(node.children)
            ]
            part.value = values
            return None
        members: dict[str, list[Any]] = {}
        for child in node.children:
            members.setdefault(child.name, []).append(_inner(context, child, entry_path(part.path, child.name), part))
        part.value = {name: values[0] if len(values) == 1 else values for name, values in members.items()}
        return None
    part.refs.append(context.evidence(node.span, ("parse_json",), path=part.path, source=node.source))
    return None


def _inner(context: CapabilityContext, node: Node, path: str, part: Part) -> Any:
    inner = Part(path)
    read_as_is(context, node, inner)
    return part.take(inner)


def entries_of(node: Node) -> Mapping[str, Node] | None:
    """The members of an object by name; of a list of pairs of a name and a value, these."""
    if node.kind == "object":
        return {child.name: child for child in node.children}
    if node.kind == "scalar" and node.scalar == "null":
        return None
    pairs = [child.children for child in node.children] if node.kind == "array" else []
    if not pairs or not all(len(pair) == _PAIR and pair[0].text for pair in pairs):
        return None
    return {pair[0].text or "": pair[1] for pair in pairs}


def entry_path(path: str, key: str) -> str:
    """The path of a member, with its name in quotes where it holds a dot or a bracket."""
    return f"{path}.{key}" if key.strip() and is_addressable(key) else f'{path}["{key}"]'
