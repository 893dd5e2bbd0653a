"""Reading nodes into typed values: scalars, objects, and rows of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from paxman.capabilities.base import CapabilityContext, EvidenceRef
from paxman.capabilities.einvoice import column_nodes, invoice_root
from paxman.capabilities.tree_binding import Entry, Index, find_nodes, index_tree, scalars_of
from paxman.capabilities.values import Found, conventions, read_at
from paxman.contract.constraints import problems
from paxman.contract.model import CanonicalField
from paxman.documents.document import Document, Node
from paxman.recognizers import Conventions
from paxman.transforms import run
from paxman.types import Diagnostic, FieldType, Severity

_CURRENCY_NAMES = frozenset({"currency", "currencycode", "currencyid", "ccy", "waehrung", "wahrung", "devise"})


@attrs.define
class Record:
    """Rows that were kept, evidence for their cells, and a note for each row that was not kept."""

    rows: list[Any] = attrs.field(factory=list)
    refs: list[EvidenceRef] = attrs.field(factory=list)
    rejected: list[Diagnostic] = attrs.field(factory=list)

    def reject(self, path: str, number: int, reason: str) -> None:
        """Rows in are rows out plus rows rejected, each with its reason."""
        message = f"row {number + 1} was left out: {reason}"
        self.rejected.append(Diagnostic("ROW_REJECTED", Severity.WARNING, message, path, {"row": number + 1}))


def read_node(
    context: CapabilityContext, field: CanonicalField, node: Node, path: str | None = None, scope: Node | None = None
) -> list[Found]:
    """Every honest reading of a node as the field's type."""
    if _is_null(node):
        return _null(context, field, node, path)
    if field.type is FieldType.OBJECT:
        return _object(context, field, node, path)
    if node.kind == "object" and field.type is FieldType.MONEY:
        return _money(context, field, node, path)
    if node.kind != "scalar" or node.text is None:
        return []
    how = _number_conventions(context, field, node, scope)
    return read_at(context, field, node.text, node.span, how, node.transforms, path=path, source=node.source)


def _null(context: CapabilityContext, field: CanonicalField, node: Node, path: str | None) -> list[Found]:
    if not field.nullable:
        return []
    return [Found(None, context.evidence(node.span, ("null",), path=path, source=node.source))]


def _object(context: CapabilityContext, field: CanonicalField, node: Node, path: str | None) -> list[Found]:
    """A free-form object, as it stands."""
    if node.kind != "object":
        return []
    quote = context.document.text[node.span[0] : node.span[1]]
    try:
        value = run(("parse_json",), quote)
    except (ValueError, RecursionError):
        return []
    return [Found(value, context.evidence(node.span, ("parse_json",), path=path, source=node.source))]


def _money(context: CapabilityContext, field: CanonicalField, node: Node, path: str | None) -> list[Found]:
    """An object with an amount and a currency."""
    amount = _child(node, {"amount", "value", "betrag", "montant"})
    return read_node(context, field, amount, path, scope=node) if amount else []


def _child(node: Node, names: set[str] | frozenset[str]) -> Node | None:
    from paxman.contract.labels import fold_name

    return next((child for child in node.children if fold_name(child.name) in names), None)


def _number_conventions(
    context: CapabilityContext, field: CanonicalField, node: Node, scope: Node | None
) -> Conventions:
    """Data formats have a decimal point whatever the page does; a currency may stand beside the amount."""
    how = conventions(context)
    if node.scalar == "number" or _is_data(context.document):
        how = attrs.evolve(how, decimal_point=".", date_order="ymd")
    if field.type is FieldType.MONEY:
        beside = _currency_beside(context, node, scope)
        how = attrs.evolve(how, currency=beside) if beside else how
    return how


def _is_data(document: Document) -> bool:
    """Written by a program for programs: XML as such, or an electronic invoice inside a PDF."""
    return document.kind == "xml" or (document.tree is not None and invoice_root(document.tree) is not None)


def _currency_beside(context: CapabilityContext, node: Node, scope: Node | None) -> str | None:
    places = [scope] if scope else []
    places += [node] if node.children else []
    if context.document.tree is not None:
        places.append(context.document.tree)
    for place in places:
        currency = _child(place, _CURRENCY_NAMES)
        if currency is not None and currency.text:
            return currency.text.strip().upper()
    return None


def row_nodes(context: CapabilityContext, entries: Sequence[Entry]) -> Sequence[Node] | None:
    """The nodes of an array's rows: a named array, repeated elements, or the root array; None if there is none."""
    arrays = [entry.node for entry in entries if entry.node.kind == "array"]
    if arrays:
        return arrays[0].children
    if entries:
        return [entry.node for entry in entries]
    root = context.document.tree
    if root is None:
        return None
    if root.kind == "array":
        return root.children
    return _only_fitting_array(context.field, root)


def _only_fitting_array(field: CanonicalField, root: Node) -> Sequence[Node] | None:
    """The rows of the one array whose objects have every required column."""
    needed = [column for column in field.columns if column.required]
    if not needed:
        return None
    fitting = [
        node
        for node in root.walk()
        if node.kind == "array"
        and node.children
        and all(find_nodes(column, index_tree(node.children[0])) for column in needed)
    ]
    return fitting[0].children if len(fitting) == 1 else None


def read_rows(context: CapabilityContext, nodes: Sequence[Node]) -> Record:
    """Each node as one row, or rejected with a reason."""
    record, field = Record(), context.field
    for number, node in enumerate(nodes):
        path = f"{field.path}[{len(record.rows)}]"
        value, refs, reason = _item(context, field.items, node, path)
        if reason:
            record.reject(field.path, number, reason)
        else:
            record.rows.append(value)
            record.refs += refs
    return record


def _item(
    context: CapabilityContext, item: CanonicalField | None, node: Node, path: str
) -> tuple[Any, list[EvidenceRef], str | None]:
    if item is not None and item.children:
        return _row(context, item.children, node, path)
    element = item or CanonicalField(context.field.id, path, context.field.name, FieldType.STRING)
    found = [each for scalar in scalars_of(node) for each in read_node(context, element, scalar, path)]
    if not found:
        return None, [], f"not {element.type.value}"
    broken = problems(element, found[0].value)
    return found[0].value, [found[0].ref], broken[0] if broken else None


def _row(
    context: CapabilityContext, columns: Sequence[CanonicalField], node: Node, path: str
) -> tuple[dict[str, Any], list[EvidenceRef], str | None]:
    """One object: every column that is there; the first missing required one rejects the row."""
    if node.kind != "object":
        return {}, [], "not an object"
    index = index_tree(node)
    values: dict[str, Any] = {}
    refs: list[EvidenceRef] = []
    for column in columns:
        value, cell_refs, reason = _cell(context, column, node, index, f"{path}.{column.name}")
        if reason:
            return {}, [], f"{column.name}: {reason}"
        if cell_refs:
            values[column.name] = value
            refs += cell_refs
    return values, refs, None


def _cell(
    context: CapabilityContext, column: CanonicalField, node: Node, index: Index, path: str
) -> tuple[Any, list[EvidenceRef], str | None]:
    """The cell's value and evidence, or why it spoils its row; an optional cell that is not there does not."""
    entries = _column_entries(context, column, node) or find_nodes(column, index)
    if not entries or (all(_is_null(entry.node) for entry in entries) and not column.nullable):
        return None, [], "missing" if column.required else None
    if column.type is FieldType.OBJECT and column.children:
        return _row(context, column.children, entries[0].node, path)
    if column.type is FieldType.ARRAY:
        return _inner_array(context, column, entries, path)
    found = read_node(context, column, entries[0].node, path, scope=node)
    if not found:
        return None, [], f"not {column.type.value}"
    broken = problems(column, found[0].value)
    return found[0].value, [found[0].ref], broken[0] if broken else None


def _column_entries(context: CapabilityContext, column: CanonicalField, line: Node) -> list[Entry]:
    """The column's place in a line of an electronic invoice."""
    invoice = invoice_root(context.document.tree) if context.document.tree else None
    return [Entry(node, (), False) for node in column_nodes(invoice, line, column)] if invoice else []


def _is_null(node: Node) -> bool:
    return node.kind == "scalar" and node.scalar == "null"


def _inner_array(
    context: CapabilityContext, column: CanonicalField, entries: list[Entry], path: str
) -> tuple[Any, list[EvidenceRef], str | None]:
    first = entries[0].node
    nodes = first.children if first.kind == "array" else [entry.node for entry in entries]
    items = [_item(context, column.items, node, f"{path}[{i}]") for i, node in enumerate(nodes)]
    reason = next((reason for _, _, reason in items if reason), None)
    return tuple(value for value, _, _ in items), [ref for _, refs, _ in items for ref in refs], reason
