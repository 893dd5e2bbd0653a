"""Rows of arrays, and whatever else is read from several nodes at once: objects, maps, unions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from paxman.capabilities.base import Candidate, CapabilityContext, EvidenceRef
from paxman.capabilities.rejected_rows import ledger_of, node_left_out
from paxman.capabilities.structure.einvoice import base_quantity, column_nodes, invoices_in
from paxman.capabilities.structure.node_values import is_null, read_node
from paxman.capabilities.structure.open_values import (
    ANYTHING,
    SINGLE,
    Part,
    entries_of,
    entry_path,
    is_native,
    most_evident,
    read_as_is,
    union_choice_note,
)
from paxman.capabilities.structure.row_sets import RowSet, named_sets
from paxman.capabilities.structure.tree_binding import Entry, find_nodes, index_row, scalars_of
from paxman.capabilities.values import MOST_RIVALS, Found
from paxman.contract.constraints import problems, unlike
from paxman.contract.formats import FORMAT_OF, conforms
from paxman.contract.labels import fold_name
from paxman.contract.model import CanonicalField
from paxman.documents.document import Node
from paxman.finding.shapes import names_nothing
from paxman.finding.tables.columns import ArrayColumns, domains_of
from paxman.lazy import remembered
from paxman.lexicon.own_files import lexicon_of
from paxman.transforms import run
from paxman.types import Diagnostic, FieldType, RowLedger, Severity

_WHOLE = frozenset({FieldType.OBJECT, FieldType.MONEY})
_MOST_DOUBTS = 20
_LONGEST_QUOTE = 80


@attrs.define
class Record:
    """Rows that were kept, evidence for their cells, and notes on what was not kept or can be read otherwise."""

    rows: list[Any] = attrs.field(factory=list)
    refs: list[EvidenceRef] = attrs.field(factory=list)
    rejected: list[Diagnostic] = attrs.field(factory=list)
    doubts: list[Diagnostic] = attrs.field(factory=list)

    def ledger(self, path: str) -> RowLedger:
        """The entries of what they were read from: all of them are rows, found or rejected."""
        return ledger_of(len(self.rows), sum(note.field_path == path for note in self.rejected))

    def notes(self, path: str) -> tuple[Diagnostic, ...]:
        """All notes; of many doubts the first, and how many more there are; last what belongs to no row."""
        doubts = dict.fromkeys(self.doubts)
        others = [note for note in doubts if note.code not in ("AMBIGUOUS_VALUE", "INPUT_NOTE", "UNION_CHOICE")]
        others += [note for note in doubts if note.code == "UNION_CHOICE"][:_MOST_DOUBTS]
        unsure = [note for note in doubts if note.code == "AMBIGUOUS_VALUE"]
        shown, more = others + unsure[:_MOST_DOUBTS], len(unsure) - _MOST_DOUBTS
        if more > 0:
            message = f"{more} more cells can be read in several ways"
            shown.append(Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, path, {"cells": more}))
        return (*self.rejected, *shown, *(note for note in doubts if note.code == "INPUT_NOTE"))


def read_rows(context: CapabilityContext, rows: RowSet) -> Record:
    """Each node as one row, or rejected with a reason."""
    record, field = Record(), context.field
    if not rows.nodes:
        record.refs += _empty(context, rows.array, field.path)
    for number, node in enumerate(rows.nodes):
        row = Part(f"{field.path}[{len(record.rows)}]")
        reason = _read_item(context, field.item(number), node, row)
        if reason:
            record.rejected.append(node_left_out(context, reason, row.fault or node, row=number + 1))
            continue
        record.rows.append(row.value)
        record.refs += row.refs
        record.doubts += row.doubts
        record.rejected += row.left_out
    return record


def _empty(context: CapabilityContext, array: Node | None, path: str) -> list[EvidenceRef]:
    """The place of an array that is there and holds nothing."""
    if array is None:
        return []
    try:
        run(("parse_json",), context.document.text[array.span[0] : array.span[1]])
    except (ValueError, RecursionError):
        return []
    return [context.evidence(array.span, ("parse_json",), path=path, source=array.source)]


def read_whole(context: CapabilityContext, field: CanonicalField, node: Node) -> tuple[list[Candidate], str | None]:
    """A node as the value of a field of several parts; rivals where branches tie, or why it cannot be one."""
    part = Part(field.path)
    reason = _read_item(context, field, node, part)
    if reason:
        return [], reason
    return [_candidate(each) for each in (part, *part.rivals)], None


def _candidate(part: Part) -> Candidate:
    return Candidate(part.value, tuple(part.refs), tuple(dict.fromkeys((*part.doubts, *part.left_out))))


def _read_item(context: CapabilityContext, item: CanonicalField | None, node: Node, part: Part) -> str | None:
    """Fill a part with one item of an array, or say why that is not possible."""
    element = item or CanonicalField(context.field.id, part.path, context.field.name, FieldType.STRING)
    if is_null(node) and element.nullable:
        return _settle(element, read_node(context, element, node, part.path), part)
    if element.type is FieldType.UNION:
        return _read_union(context, element, node, part)
    if element.type is FieldType.MAP:
        reason = _read_members(context, element.children, element.items, node, part)
        return reason or next(iter(problems(element, part.value)), None)
    if element.children:
        return _read_row(context, element.children, node, part)
    if element.type is FieldType.ARRAY:
        rows = RowSet(node.children, node)
        return _read_list(context, element, rows, part) if node.kind == "array" else "not an array"
    nodes = [node] if element.type in _WHOLE and node.kind == "object" else list(scalars_of(node))
    found = [each for scalar in nodes for each in read_node(context, element, scalar, part.path)]
    return _settle(element, found, part)


def _read_union(context: CapabilityContext, union: CanonicalField, node: Node, part: Part) -> str | None:
    """The branch that takes the node with the most evidence, those of the node's own type first."""
    parts: list[tuple[CanonicalField, Part]] = []
    reasons: list[str] = []
    for branch in union.branches:
        inner = Part(part.path)
        reason = _read_branch(context, union, branch, node, inner)
        if reason is None:
            parts.append((branch, inner))
        reasons.append(f"as {branch.type.value}: {reason}")
    own = [each for each in parts if is_native(context, each[0], node)]
    if union.open and not own:
        return read_as_is(context, node, part)
    best = most_evident([(branch, inner, len(inner.refs)) for branch, inner in own or parts])
    if not best:
        return "; ".join(reasons) or "only null is allowed"
    chosen, first = best[0]
    part.value, part.rivals = part.take(first), [inner for _, inner in best[1:]]
    if len(union.branches) > 1 and not union.open:
        part.doubts.append(union_choice_note(union, chosen, part.path))
    return None


def _read_branch(
    context: CapabilityContext, union: CanonicalField, branch: CanonicalField, node: Node, part: Part
) -> str | None:
    """A branch of an open union describes some members of an object; the others stay as they are."""
    if node.kind != "scalar" and context.document.kind == "json" and branch.type in SINGLE:
        return "not a single value"
    if union.open and branch.type is FieldType.STRING and node.transforms == ("json",):
        return next(iter(problems(branch, node.text)), None) or read_as_is(context, node, part)
    if union.open and branch.type in FORMAT_OF and conforms(FORMAT_OF[branch.type], node.text or ""):
        return read_as_is(context, node, part)
    if union.open and branch.type is FieldType.OBJECT:
        reason = _read_members(context, branch.children, ANYTHING, node, part)
        return reason or next((f"{note.field_path} {note.message}" for note in part.left_out), None)
    return _read_item(context, branch, node, part)


def _read_members(
    context: CapabilityContext,
    named: Sequence[CanonicalField],
    rest: CanonicalField | None,
    node: Node,
    part: Part,
) -> str | None:
    """The members of an object under their own names: those that have a field, and the others as `rest` says."""
    members = entries_of(node)
    if members is None:
        return "not an object"
    values: dict[str, Any] = {}
    fields = {_member_of(field, members): field for field in named}
    if not members:
        part.refs += _empty(context, node, part.path)
    for key, member in members.items():
        field = fields.get(key, rest)
        cell = Part(entry_path(part.path, field.name if key in fields and field else key))
        reason = _read_item(context, field, member, cell) if field else None
        if reason and (key not in fields or (field and field.required)):
            part.fault = cell.fault or member
            return f"{key}: {reason}"
        if reason:
            part.left_out.append(node_left_out(context, reason, cell.fault or member, cell.path))
        elif field:
            values[field.name if key in fields else key] = part.take(cell)
    part.value = values
    missing = [field.name for field in named if field.required and field.name not in values]
    return f"{missing[0]}: missing" if missing else None


def _member_of(field: CanonicalField, members: Mapping[str, Node]) -> str:
    """The key of a field: its very name, or one that reads alike."""
    if field.name in members:
        return field.name
    return next((key for key in members if fold_name(key) in field.name_keys), field.name)


def _settle(field: CanonicalField, found: list[Found], part: Part) -> str | None:
    if not found:
        return unlike(field)
    part.value = found[0].value
    part.refs.append(found[0].ref)
    part.doubts += found[0].diagnostics
    return next(iter(problems(field, part.value)), None)


def _read_list(context: CapabilityContext, array: CanonicalField, items: RowSet, part: Part) -> str | None:
    """An array inside a row: bad rows of it are left out; another bad item spoils it, so that all keep their places."""
    values: list[Any] = []
    has_rows = array.items is not None and bool(array.items.children) and not array.prefix
    if not items.nodes:
        part.refs += _empty(context, items.array, part.path)
    for number, node in enumerate(items.nodes):
        inner = Part(f"{part.path}[{len(values)}]")
        reason = _read_item(context, array.item(number), node, inner)
        if reason and not has_rows:
            part.fault = inner.fault or node
            return reason
        if reason:
            part.left_out.append(node_left_out(context, reason, inner.fault or node, part.path, number + 1))
        else:
            values.append(part.take(inner))
    part.value = tuple(values)
    return next(iter(problems(array, part.value)), None)


def _read_row(context: CapabilityContext, columns: Sequence[CanonicalField], node: Node, part: Part) -> str | None:
    """One object: every column that is there; a required one that is missing or wrong rejects the row."""
    values = dict[str, Any]()
    if node.kind == "array":
        return "not an object"
    found = _named_cells(context, columns, node)
    if found is None:
        return "not an object"
    in_invoice = bool(invoices_in(context.document))
    for column, by_name in zip(columns, found, strict=True):
        cell = Part(f"{part.path}.{column.name}")
        of_invoice = [Entry(each, (), False) for each in column_nodes(node, column)] if in_invoice else []
        named = of_invoice or by_name
        entries = named or _by_term(context, column, columns, node)
        there = bool(entries) and (column.nullable or not all(is_null(entry.node) for entry in entries))
        reader = context if named else attrs.evolve(context, basis="stand_in")
        reason = _read_cell(reader, column, node, entries, cell) if there else "missing"
        fault = cell.fault or (entries[0].node if there else None)
        if reason and column.required and not column.is_filled:
            part.fault = fault
            return f"{column.name}: {reason}"
        if reason and fault and not (fault.text and names_nothing(fault.text)):
            part.left_out.append(node_left_out(context, reason, fault, cell.path))
        elif there and not reason:
            values[column.name] = part.take(cell)
            part.doubts += _priced_for_many(column, node, cell.path) if of_invoice else ()
    part.value = values
    return None


def _named_cells(context: CapabilityContext, columns: Sequence[CanonicalField], node: Node) -> list[list[Entry]] | None:
    """What each column's name finds in a row; rows of texts only with the same names are looked through once."""
    if node.kind != "object" or any(child.children or child.kind != "scalar" for child in node.children):
        index = index_row(node, columns)
        is_column = any(not index.keys().isdisjoint(column.name_keys) for column in columns)
        if node.kind == "scalar" and not node.children and not is_column:
            return None
        return [find_nodes(column, index) for column in columns]
    shape = (node.name, *(child.name for child in node.children))
    key = ("row", *map(id, columns), shape)
    cache = context.document.cache
    if key not in cache:
        index = index_row(node, columns)
        places = {id(child): place for place, child in enumerate(node.children)}
        entries = [find_nodes(column, index) for column in columns]
        cache[key] = [[(places.get(id(each.node)), each.names, each.repeated) for each in found] for found in entries]
    return [
        [Entry(node if place is None else node.children[place], names, many) for place, names, many in found]
        for found in cache[key]
    ]


def _by_term(
    context: CapabilityContext, column: CanonicalField, columns: Sequence[CanonicalField], row: Node
) -> list[Entry]:
    """What a row of data calls by another word than a column that it cannot do without."""
    if context.document.kind != "json" or not column.required:
        return []
    from paxman.capabilities.structure.tree_binding import find_cell_by_meaning

    return find_cell_by_meaning(columns.index(column), _meanings(context, columns), row)


@remembered(
    lambda context, columns: (context.contract.memo, context.policy.lexicon, *(column.path for column in columns))
)
def _meanings(context: CapabilityContext, columns: Sequence[CanonicalField]) -> ArrayColumns:
    """What the words of keys say of columns; worked out once per contract."""
    lexicon = lexicon_of(context.policy.lexicon)
    return ArrayColumns(columns, lexicon, domains_of(context.contract, context.field, lexicon))


def _read_cell(
    context: CapabilityContext, column: CanonicalField, row: Node, entries: list[Entry], cell: Part
) -> str | None:
    first = entries[0].node
    is_list = column.type is FieldType.ARRAY
    if not is_list or first.kind == "array":
        cell.doubts += _rivals(context, entries, cell.path)
    if is_null(first) and column.nullable:
        return _settle(column, read_node(context, column, first, cell.path), cell)
    if column.type in (FieldType.UNION, FieldType.MAP) or column.prefix:
        return _read_item(context, column, first, cell)
    if column.type is FieldType.OBJECT and column.children:
        return _read_row(context, column.children, first, cell)
    if is_list:
        sets = named_sets(context, column, entries, row)
        cell.doubts += _rivals(context, entries, cell.path) if len(sets) > 1 and first.kind != "array" else []
        return _read_list(context, column, sets[0], cell)
    if first.kind == "object" and column.type not in _WHOLE:
        first = next(scalars_of(first), first)
    return _settle(column, read_node(context, column, first, cell.path, scope=row), cell)


def _rivals(context: CapabilityContext, entries: Sequence[Entry], path: str) -> list[Diagnostic]:
    """A note where several places of a row bear the column's name and differ."""
    if len(entries) < 2:
        return []
    text = context.document.text
    texts = [e.node.text if e.node.text is not None else text[slice(*e.node.span)] for e in entries[:MOST_RIVALS]]
    readings = [each[:_LONGEST_QUOTE] for each in dict.fromkeys(texts)]
    if len(readings) < 2:
        return []
    message = f"{len(entries)} places of the row have this name: {' or '.join(readings)}; the first was taken"
    return [Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, path, {"readings": readings})]


def _priced_for_many(column: CanonicalField, line: Node, path: str) -> Iterator[Diagnostic]:
    """A note on a price in an electronic invoice that is not that of one unit."""
    if quantity := base_quantity(line, column):
        message = f"the price is given as written, for a base quantity of {quantity}"
        yield Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, path, {"base_quantity": quantity})
