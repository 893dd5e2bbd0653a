"""A list within one value of structured data, such as a key that should be an array of texts."""

from __future__ import annotations

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.structure.row_sets import RowSet
from paxman.contract.model import CanonicalField
from paxman.documents.document import Node
from paxman.finding.shapes import names_no_item
from paxman.finding.tables.splitting import split_list
from paxman.types import FieldType, Span

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
