"""Finding the rows of an array in structured inputs: arrays, repeated elements, and what wraps them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.structure.einvoice import invoices_in
from paxman.capabilities.structure.tree_binding import (
    Entry,
    Index,
    find_nodes,
    in_singular,
    index_row,
    index_tree,
    ranked_nodes,
    scalars_of,
    singulars,
    tree_index,
)
from paxman.classes import frozen
from paxman.contract.labels import fold_name
from paxman.contract.model import CanonicalField
from paxman.documents.document import Node
from paxman.finding.shapes import names_no_item
from paxman.finding.tables.splitting import split_list
from paxman.types import FieldType, Span

_SAMPLE = 20


@frozen
class RowSet:
    """The nodes of an array's rows, and the array itself where it is one node."""

    nodes: Sequence[Node]
    array: Node | None = None

    @property
    def is_list(self) -> bool:
        """Whether it is made for many rows."""
        return self.array is not None or len(self.nodes) > 1


def find_singles(field: CanonicalField, index: Index, parents: tuple[CanonicalField, ...] = ()) -> list[Entry]:
    """The nodes named as one element of the array is, unless they are scattered over several levels."""
    ranked = {
        id(entry.node): (rank, entry)
        for rank, entry in ranked_nodes(in_singular(field), index, parents)
        if entry.node.name and (not field.columns or _holds_columns(field, entry.node))
    }
    levels = {rank for rank, _ in ranked.values()}
    return [entry for _, entry in ranked.values()] if len(levels) == 1 else []


def _holds_columns(field: CanonicalField, node: Node) -> bool:
    rows = node.children if node.kind == "array" else [node]
    return any(row.children for row in rows) and bool(_columns_in(field, rows))


def row_sets(context: CapabilityContext, entries: Sequence[Entry], singles: Sequence[Entry] = ()) -> list[RowSet]:
    """A named array, repeated elements, or the one array that fits; arrays of one name rival."""
    root = context.document.tree
    if root is None:
        return []
    if entries:
        return named_sets(context, context.field, entries, root)
    rows = _of_singles(context, singles, root)
    if rows:
        return rows
    only = RowSet(root.children, root) if root.kind == "array" else _only_fitting_list(context.field, root)
    return [only] if only is not None and _fits_only(context, only) else []


def _of_singles(context: CapabilityContext, singles: Sequence[Entry], root: Node) -> list[RowSet]:
    """What is named as one element, or the rows around it that have more of the columns, if no other list fits."""
    field, nodes = context.field, [entry.node for entry in singles]
    if not nodes or not field.columns or any(node.kind == "array" for node in nodes):
        return named_sets(context, field, singles, root) if nodes else []
    held = _columns_in(field, nodes)
    lists = [(rows, _columns_in(field, rows.nodes)) for rows in _lists(root)]
    around = [rows for rows, columns in lists if columns > held and _are_around(rows.nodes, nodes)]
    if around:
        return [around[-1]]
    rivals = [rows for rows, columns in lists if columns >= held]
    if len(nodes) == 1 and (_lacks_columns(field, nodes[0], root) or _any_apart(rivals, nodes[0])):
        return []
    return named_sets(context, field, singles, root)


def _are_around(rows: Sequence[Node], nodes: Sequence[Node]) -> bool:
    """Whether each row has one of the nodes inside it."""
    if len(rows) != len(nodes):
        return False
    pairs = zip(rows, nodes, strict=True)
    return all(row is not node and any(inner is node for inner in row.walk()) for row, node in pairs)


def _any_apart(lists: Sequence[RowSet], node: Node) -> bool:
    """Whether a list is neither around a node nor inside it."""
    inside = set(map(id, node.walk()))
    return any(not any(id(inner) in inside for row in rows.nodes for inner in row.walk()) for rows in lists)


def _lacks_columns(field: CanonicalField, node: Node, root: Node) -> bool:
    """Whether columns that a node does not have stand beside it."""
    above = _parent(root, node)
    beside = {fold_name(child.name) for child in above.children if child.kind == "scalar"} if above else set()
    held = _columns_in(field, [node])
    return any(beside.intersection(column.name_keys) for column in field.columns if column.name not in held)


def _parent(root: Node, node: Node) -> Node | None:
    return next((above for above in root.walk() if any(child is node for child in above.children)), None)


def named_sets(context: CapabilityContext, field: CanonicalField, entries: Sequence[Entry], root: Node) -> list[RowSet]:
    """The arrays of a name, the lists inside elements of that name, or these elements themselves."""
    arrays = [RowSet(entry.node.children, entry.node) for entry in entries if entry.node.kind == "array"]
    if arrays:
        return arrays
    nodes = [entry.node for entry in entries]
    if invoices_in(context.document) or not any(_wrapped_in(field, node) for node in nodes[:_SAMPLE]):
        return [RowSet(nodes)]
    sets = [_wrapped_in(field, node) or [RowSet([node])] for node in nodes]
    if len(sets) > 1 and all(len(each) == 1 for each in sets) and _are_siblings(nodes, root):
        return [RowSet([node for (rows,) in sets for node in rows.nodes])]
    return [rows for each in sets for rows in each]


def _are_siblings(nodes: Sequence[Node], root: Node) -> bool:
    above = _parent(root, nodes[0])
    return above is not None and {id(child) for child in above.children}.issuperset(map(id, nodes))


def _wrapped_in(field: CanonicalField, node: Node) -> list[RowSet]:
    """The lists of a node that is no row itself: each alone has every column that is to be found in it."""
    if node.kind != "object" or _is_item(field, node):
        return []
    groups = [(rows, _columns_in(field, rows.nodes)) for rows in (_as_column(field, each) for each in _groups(node))]
    holding = [(rows, held) for rows, held in groups if held]
    every = {column for _, held in holding for column in held}
    lists = [rows for rows, held in holding if held == every and rows.is_list]
    if not lists and len(holding) > 1 and all(held == every for _, held in holding):
        keyed = [child for rows, _ in holding for child in rows.nodes]
        return [RowSet(keyed)] if field.columns and all(_is_item(field, child) for child in keyed) else []
    if lists or len(holding) != 1:
        return lists
    only = holding[0][0].nodes[0]
    return [RowSet([only])] if only.kind == "scalar" else _wrapped_in(field, only)


def _as_column(field: CanonicalField, rows: RowSet) -> RowSet:
    """Rows of an array that bears the name of a column bear it, too."""
    name = rows.array.name if rows.array else ""
    if not any(fold_name(name) in column.name_keys for column in field.columns):
        return rows
    return RowSet([attrs.evolve(node, name=name, source=node.source) for node in rows.nodes], rows.array)


def _is_item(field: CanonicalField, node: Node) -> bool:
    """Whether a node has a column of its own, and is not named for many, or is what the items of the array are."""
    if not field.columns:
        return "object" in _kinds_of(field.items) or any(scalars_of(node))
    single = [child for child in node.children if fold_name(child.name) in singulars(fold_name(node.name))]
    if len(single) > 1 or any(child.children for child in single):
        return False
    names = {fold_name(child.name) for child in node.children if child.kind == "scalar"}
    return any(names.intersection(column.name_keys) for column in field.columns)


def _columns_in(field: CanonicalField, nodes: Sequence[Node]) -> set[str]:
    """The columns that the first of some rows have; for items without columns, whether there are any."""
    if not field.columns:
        return {field.name} if any(any(scalars_of(node)) for node in nodes[:_SAMPLE]) else set()
    names = {key for node in nodes[:_SAMPLE] for key in index_row(node, field.columns)}
    return {column.name for column in field.columns if names.intersection(column.name_keys)}


def _groups(node: Node) -> list[RowSet]:
    """The arrays among a node's children, and the others by their names."""
    groups: dict[str, list[Node]] = {}
    for child in node.children:
        if child.kind != "array":
            groups.setdefault(child.name, []).append(child)
    arrays = [RowSet(child.children, child) for child in node.children if child.kind == "array"]
    return arrays + list(map(RowSet, groups.values()))


def _lists(root: Node) -> Iterator[RowSet]:
    """Every array and repeated element."""
    if root.kind == "array" and root.children:
        yield RowSet(root.children, root)
    for node in (each for each in root.walk() if each.children):
        yield from (
            rows for rows in _groups(node) if rows.nodes and (rows.array or (rows.is_list and node.kind != "array"))
        )


def _only_fitting_list(field: CanonicalField, root: Node) -> RowSet | None:
    """The one array, or repeated element, whose objects have every required column."""
    needed = [column for column in field.columns if column.required]
    if not needed:
        return None
    fitting = [rows for rows in _lists(root) if all(find_nodes(column, index_tree(rows.nodes[0])) for column in needed)]
    return fitting[0] if len(fitting) == 1 else None


def _fits_only(context: CapabilityContext, rows: RowSet) -> bool:
    """Whether rows without a name fit this field, and no other array of the contract that has none by name as well."""
    own = _fitness(context.field, rows.nodes)
    index = tree_index(context.document)
    others = (
        field
        for field in context.contract.leaves
        if field.type is FieldType.ARRAY and field.path != context.field.path and not find_nodes(field, index)
    )
    return own is not None and all((_fitness(field, rows.nodes) or (0, 0)) < own for field in others)


def _fitness(field: CanonicalField, nodes: Sequence[Node]) -> tuple[float, int] | None:
    """The share and number of the columns that the first rows have; None if they are rows of something else."""
    rows = nodes[:_SAMPLE]
    kinds = {row.kind for row in rows}
    if not field.columns:
        return (1, 1) if kinds <= _kinds_of(field.items) else None
    there = _columns_in(field, [row for row in rows if row.kind != "array"])
    needed = any(column.required for column in field.columns if column.name in there)
    if rows and not needed and len(there) * 2 < len(field.columns):
        return None
    return len(there) / len(field.columns), max(len(there), not rows)


def _kinds_of(item: CanonicalField | None) -> frozenset[str]:
    if item is not None and item.type is FieldType.ARRAY:
        return frozenset({"array"})
    if item is not None and item.type is FieldType.OBJECT:
        return frozenset({"object"})
    return frozenset({"scalar", "object"} if item is not None and item.type is FieldType.MONEY else {"scalar"})


_ALONE = frozenset({"address", "postal_address"})
"""Tags of values that have commas in them."""


def cut_rows(context: CapabilityContext, rows: RowSet) -> tuple[RowSet, str]:
    """The only text that bears the name of an array, cut into its items, and what is not sure about that."""
    if rows.array is not None or len(rows.nodes) != 1 or not _holds_texts(context.field):
        return rows, ""
    node = rows.nodes[0]
    if node.kind != "scalar" or node.scalar != "string" or node.text is None:
        return rows, ""
    if not node.text.strip() or names_no_item(node.text):
        return RowSet([]), ""
    cut = split_list(node.text)
    whole = cut.spans == ((0, len(node.text)),)
    return (rows, cut.doubt) if whole else (RowSet([_part_of(node, span) for span in cut.spans]), cut.doubt)


def _holds_texts(field: CanonicalField) -> bool:
    """Whether an array is one of plain texts, which may stand in one value with commas between them."""
    item = field.items
    if item is None:
        return True
    plain = item.type is FieldType.STRING and not item.children and not item.constraint("pattern")
    return plain and _ALONE.isdisjoint((*item.semantic_tags, *field.semantic_tags))


def _part_of(node: Node, span: Span) -> Node:
    step = f"slice:{span[0]}-{span[1]}"
    text = (node.text or "")[slice(*span)]
    return attrs.evolve(node, text=text, transforms=(*node.transforms, step), source=node.source)
