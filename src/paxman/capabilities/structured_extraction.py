"""Explicit evidence in structured inputs: JSON, CSV, XML, sheets and structured data in HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs

from paxman.capabilities import specs
from paxman.capabilities.answers import with_credits
from paxman.capabilities.base import (
    NOTHING,
    Candidate,
    CapabilityContext,
    CapabilityResult,
    EvidenceRef,
)
from paxman.capabilities.rejected_rows import left_out, listed
from paxman.capabilities.structure.cell_values import cell_values
from paxman.capabilities.structure.einvoice import invoices_in, only_named, term_nodes
from paxman.capabilities.structure.node_values import read_node
from paxman.capabilities.structure.open_values import entry_path
from paxman.capabilities.structure.records import Record, read_rows, read_whole
from paxman.capabilities.structure.row_sets import RowSet, cut_rows, find_singles, row_sets
from paxman.capabilities.structure.tree_binding import (
    Entry,
    Index,
    by_pointer,
    find_nodes,
    scalars_of,
    tree_index,
    typed_indexes,
    types_of,
)
from paxman.capabilities.values import MOST_RIVALS, conventions, read_at, to_candidates
from paxman.contract.constraints import problems, unlike
from paxman.contract.labels import fold_label, fold_name
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document, Node
from paxman.lexicon.own_files import lexicon_of
from paxman.page.names import Name, Page, page_of
from paxman.types import Diagnostic, FieldType, Severity, Span


class StructuredExtraction:
    """Binds a field to the nodes or columns that bear its name or label."""

    spec = specs.STRUCTURED_EXTRACTION

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        document = context.document
        if context.field.type is FieldType.MAP:
            found = _whole(context)
            return (
                found if found.candidates or found.diagnostics or context.document.kind == "json" else find_map(context)
            )
        if document.tree is None and not document.tables:
            return NOTHING
        if context.field.type is FieldType.UNION or context.field.prefix:
            return _whole(context)
        if context.field.type is FieldType.ARRAY:
            # Rows of the array or table that bears the field's name, or of the only one that fits its columns.
            entries = _entries(context)
            # Whatever stands somewhere could be an element of an array.
            if (
                entries
                and context.field.items is not None
                and context.field.items.open
                and not any(entry.node.kind == "array" for entry in entries)
            ):
                return _mismatch(context, entries) or NOTHING
            singles = [] if entries else _singles(context)
            by_invoice = [RowSet([entry.node for entry in rows]) for rows in _invoice_entries(context)]
            sets = by_invoice if len(by_invoice) > 1 else row_sets(context, entries, singles)
            if len(sets) > 1 and all(entry.repeated for entry in entries or singles):
                return _ambiguous(context, len(sets), "name a pointer or use an array of what holds them")
            if sets:
                return _rivals([_read_set(context, rows, entries) for rows in sets[:MOST_RIVALS]])
            return NOTHING
        return with_credits(context, _from_tree(context) or _from_terms(context) or _from_tables(context))


def _from_tree(context: CapabilityContext) -> CapabilityResult | None:
    entries = _entries(context)
    if not entries:
        return None
    scalars = [entry for entry in entries if not entry.repeated]
    if len(entries) == 1 and _is_of_own_kind(context.document, entries[0].node):
        scalars = entries
    if not scalars:
        return _ambiguous(context, len(entries))
    found = [
        each
        for entry in scalars
        for node in _readable(context, entry)
        for each in read_node(context, context.field, node)
    ]
    if found:
        return CapabilityResult(to_candidates(found))
    return _mismatch(context, scalars)


def _whole(context: CapabilityContext) -> CapabilityResult:
    """Values of several parts or of several types, from the nodes that bear the name."""
    nodes = [entry.node for entry in _entries(context) if not entry.repeated]
    tree = context.document.tree
    if not nodes and tree is not None and context.field.path == context.contract.root:
        nodes = [tree]
    found = [read_whole(context, context.field, node) for node in nodes[:MOST_RIVALS]]
    candidates = [each for read, _ in found for each in read]
    if candidates:
        distinct = {repr(each.value): each for each in reversed(candidates)}
        return CapabilityResult(tuple(reversed(distinct.values())))
    notes = [
        Diagnostic("VALIDATION_FAILED", Severity.WARNING, f"found by name, but: {reason}", context.field.path)
        for _, reason in found
        if reason
    ]
    return CapabilityResult(diagnostics=tuple(dict.fromkeys(notes)))


def _from_terms(context: CapabilityContext) -> CapabilityResult | None:
    """What data call by another word for the same thing; less sure than by its name."""
    if context.document.kind != "json" or context.document.tree is None:
        return None
    from paxman.capabilities.structure.tree_binding import find_by_meaning

    lexicon = lexicon_of(context.policy.lexicon)
    nodes = [entry.node for entry in find_by_meaning(context.field, context.contract, context.document, lexicon)]
    context = attrs.evolve(context, basis="stand_in")
    found = [each for node in nodes for each in read_node(context, context.field, node)]
    return CapabilityResult(to_candidates(found)) if found else None


def _is_of_own_kind(document: Document, node: Node) -> bool:
    """Whether a node of a page stands in blocks of structured data that are not of the type of any beside them."""
    if document.kind != "html" or document.tree is None:
        return False
    above: dict[int, Node] = document.cache.setdefault("above", {})
    if not above:
        above.update((id(child), parent) for parent in document.tree.walk() for child in parent.children)
    while parent := above.get(id(node)):
        if parent.kind == "array" and len(parent.children) > 1:
            beside = {name for other in parent.children if other is not node for name in types_of(other)}
            own = types_of(node)
            if not own or not beside.isdisjoint(own):
                return False
        node = parent
    return True


def _entries(context: CapabilityContext) -> list[Entry]:
    document, field = context.document, context.field
    if document.tree is None:
        return []
    in_invoices = [entry for rows in _invoice_entries(context) for entry in rows]
    if in_invoices:
        return in_invoices
    parents = parents_of(context.contract, field)
    in_types = by_pointer(field, document) or _in_typed_nodes(context, parents, find_nodes)
    return in_types or find_nodes(field, tree_index(document), parents)


def _singles(context: CapabilityContext) -> list[Entry]:
    """What is named as one element of the array is."""
    if context.document.tree is None:
        return []
    parents = parents_of(context.contract, context.field)
    in_types = _in_typed_nodes(context, parents, find_singles)
    return in_types or find_singles(context.field, tree_index(context.document), parents)


def _invoice_entries(context: CapabilityContext) -> list[list[Entry]]:
    """The field's entries in each invoice of the document; the only element of its very name before a term."""
    name = fold_name(context.field.path.replace(".", " "))
    by_term = not _is_of_mail(context)
    found = [
        only_named(context.document, invoice, name) or (term_nodes(invoice, context.field) if by_term else [])
        for invoice in invoices_in(context.document)
    ]
    return [[Entry(node, (), False) for node in nodes] for nodes in found if nodes]


def _is_of_mail(context: CapabilityContext) -> bool:
    """Whether a field speaks of the sender or recipient of a mail, and not of the parties of an invoice in it."""
    if context.document.kind != "email":
        return False
    from paxman.capabilities.mail_headers import asks_headers

    return asks_headers(context.field, context.contract)


def _in_typed_nodes(
    context: CapabilityContext,
    parents: tuple[CanonicalField, ...],
    find: Callable[[CanonicalField, Index], list[Entry]],
) -> list[Entry]:
    """A contract or object named like a type (`recipe`, `Product`) means the nodes of that type."""
    types = [key for parent in reversed(parents) for key in parent.name_keys]
    for index in typed_indexes(context.document, [*types, fold_name(context.contract.id)]):
        found = find(context.field, index)
        if found:
            return found
    return []


def _readable(context: CapabilityContext, entry: Entry) -> list[Node]:
    """Objects and amounts are read as they are, other things through the scalars that stand for them."""
    if context.field.type in (FieldType.OBJECT, FieldType.MONEY) and entry.node.kind == "object":
        return [entry.node]
    return list(scalars_of(entry.node))


def parents_of(contract: CanonicalContract, field: CanonicalField) -> tuple[CanonicalField, ...]:
    """The objects that a nested field stands in, outermost first."""
    parents: list[CanonicalField] = []
    level: Sequence[CanonicalField] = contract.fields
    for name in field.path.split(".")[:-1]:
        parent = next((f for f in level if f.name == name), None)
        if parent is None:
            break
        parents.append(parent)
        level = parent.children
    return tuple(parents)


def _from_tables(context: CapabilityContext) -> CapabilityResult:
    cells = cell_values(context)
    distinct = to_candidates([readings[0] for readings in cells])
    if len(distinct) > 1:
        return _ambiguous(context, len(distinct), "use an array")
    return CapabilityResult(to_candidates([each for readings in cells for each in readings]))


def _read_set(context: CapabilityContext, rows: RowSet, entries: Sequence[Entry]) -> CapabilityResult:
    """Each node as a row; of a single text that bears the name of the array, each item."""
    if context.field.columns or len(entries) != 1 or not any(node is entries[0].node for node in rows.nodes[:1]):
        return _records(context, read_rows(context, rows))
    cut, doubt = cut_rows(context, rows)
    if rows.nodes and not cut.nodes:
        return NOTHING
    record = read_rows(attrs.evolve(context, basis="place") if doubt else context, cut)
    if doubt:
        record.doubts.append(Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, doubt, context.field.path))
    return _records(context, record)


def _rivals(results: Sequence[CapabilityResult]) -> CapabilityResult:
    """Each array of the name as a candidate; equal ones are one."""
    distinct = {repr(each.value): each for result in reversed(results) for each in reversed(result.candidates)}
    notes = dict.fromkeys(note for result in results for note in result.diagnostics)
    lost = next((result.rows for result in results if result.rows), None)
    return CapabilityResult(tuple(reversed(distinct.values())), diagnostics=tuple(notes), rows=lost)


def _records(context: CapabilityContext, record: Record) -> CapabilityResult:
    notes = record.notes(context.field.path)
    if not record.rows and record.rejected:
        return CapabilityResult(diagnostics=notes, rows=record.ledger(context.field.path))
    return CapabilityResult((listed(record.rows, record.refs, record.ledger(context.field.path)),), diagnostics=notes)


def _ambiguous(
    context: CapabilityContext, count: int, advice: str = "name a pointer or use an array"
) -> CapabilityResult:
    places = "1 record has" if count == 1 else f"{count} places have"
    message = f"{places} this name, and nothing tells which is meant; {advice}"
    return context.noted("AMBIGUOUS_VALUE", message)


def _mismatch(context: CapabilityContext, entries: list[Entry]) -> CapabilityResult | None:
    """The name is there, but not the type; an explicit null is silent, it means "no value"."""
    if all(entry.node.scalar == "null" for entry in entries):
        return NOTHING
    message = f"found by name, but what stands there is {unlike(context.field)}"
    if context.field.type in (FieldType.DATETIME, FieldType.TIME) and _has_leap_second(entries):
        message = "found by name, but it is a leap second, which cannot be kept and is not cut off"
    return context.noted("VALIDATION_FAILED", message)


def _has_leap_second(entries: list[Entry]) -> bool:
    from paxman.recognizers.calendar.timed import has_leap_second

    return any(has_leap_second(entry.node.text or "") for entry in entries)


_BESIDE = ("key", "beside", "next")
_PARTED = frozenset({FieldType.OBJECT, FieldType.ARRAY, FieldType.MAP})


def find_map(context: CapabilityContext) -> CapabilityResult:
    """Each pair as an entry with its evidence; those whose value is of another type are left out and named."""
    field = context.field
    parts = {child.name: child for child in field.children}
    values: dict[str, Any] = {}
    refs: list[EvidenceRef] = []
    notes: list[Diagnostic] = []
    for key, label, span in _map_entries(context):
        kind = parts.get(key, field.items)
        if key in values or kind is None or kind.type in _PARTED:
            continue
        path = entry_path(field.path, key)
        found = _read(context, kind, label, span, path)
        if found is None:
            notes.append(left_out(context, unlike(kind), span, path=path))
            continue
        values[key] = found[0]
        refs += found[1]
        notes += found[2]
    if not values:
        return NOTHING
    return CapabilityResult((Candidate(values, tuple(refs), tuple(notes)),))


def _read(
    context: CapabilityContext, kind: CanonicalField, label: Span, span: Span, path: str
) -> tuple[Any, list[EvidenceRef], list[Diagnostic]] | None:
    text = context.document.text[span[0] : span[1]]
    found = read_at(context, kind, text, span, conventions(context), path=path, label=label)
    if not found or problems(kind, found[0].value):
        return None
    return found[0].value, [found[0].ref], list(found[0].diagnostics)


def _map_entries(context: CapabilityContext) -> Iterator[tuple[str, Span, Span]]:
    """Names of the map's entries, where they stand, and where their values do."""
    page = page_of(context.document)
    heads = {cell.span for table in context.document.tables for cell in table.header}
    for name in _names(context, page):
        place = next((place for place in name.places if place.relation in _BESIDE), None)
        if place is not None and name.span not in heads:
            yield name.text, name.span, place.block


def _names(context: CapabilityContext, page: Page) -> Iterator[Name]:
    field = context.field
    if field.path == context.contract.root:
        yield from page.names
        return
    asked = {*field.label_keys, fold_label(field.words), fold_label(field.said)}
    below = [name for name in page.names if name.section and fold_label(name.section[-1]) in asked]
    yield from below or _under_label(page, asked)


def _under_label(page: Page, asked: set[str]) -> Iterator[Name]:
    """The pairs in the lines that follow a name with nothing behind it, up to a gap or a line that has none."""
    heading = next((name for name in page.names if fold_label(name.text) in asked and _is_alone(name)), None)
    if heading is None:
        return
    line = heading.line + 1
    while found := [name for name in page.names if name.line == line]:
        if line > heading.line + 1 and page.lines[line].blank:
            return
        yield from found
        line += 1


def _is_alone(name: Name) -> bool:
    return all(place.relation in ("section", "below") for place in name.places)
