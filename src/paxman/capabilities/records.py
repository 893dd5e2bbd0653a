"""Reading nodes into typed values: scalars, objects, and rows of arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import attrs

from paxman.capabilities.base import NO_ITEMS, CapabilityContext, EvidenceRef
from paxman.capabilities.einvoice import base_quantity, column_nodes, invoice_currency, invoices_in
from paxman.capabilities.row_sets import RowSet, named_sets
from paxman.capabilities.tree_binding import Entry, Index, find_nodes, index_row, scalars_of
from paxman.capabilities.values import MOST_RIVALS, Found, conventions, read_at
from paxman.contract.constraints import problems
from paxman.contract.labels import fold_name, to_words
from paxman.contract.model import CanonicalField
from paxman.documents.document import Document, Node
from paxman.recognizers.base import UNKNOWN, Conventions
from paxman.recognizers.values import NARROWING
from paxman.transforms import run
from paxman.types import Diagnostic, FieldType, Severity, to_decimal

_GRAMMARS = frozenset({"datetime", "time", "duration", "email", "url", "ip", "uuid", "currency"})
"""Kinds that a standard spells out: a text that is not of this form is not of this kind."""
_WHOLE = frozenset({FieldType.OBJECT, FieldType.MONEY})
_RATE_NAMES = frozenset({"fxrate", "exchangerate", "rate", "wechselkurs", "kurs"})
_MOST_DOUBTS = 20
_LONGEST_QUOTE = 80
_CURRENCY_NAMES = frozenset({"currency", "currencycode", "currencyid", "ccy", "waehrung", "wahrung", "devise"})


@attrs.define
class Record:
    """Rows that were kept, evidence for their cells, and notes on what was not kept or can be read otherwise."""

    rows: list[Any] = attrs.field(factory=list)
    refs: list[EvidenceRef] = attrs.field(factory=list)
    rejected: list[Diagnostic] = attrs.field(factory=list)
    doubts: list[Diagnostic] = attrs.field(factory=list)

    def notes(self, path: str) -> tuple[Diagnostic, ...]:
        """All notes; of many doubts the first, and how many more there are; last what belongs to no row."""
        doubts = dict.fromkeys(self.doubts)
        others = [note for note in doubts if note.code not in ("AMBIGUOUS_VALUE", "INPUT_NOTE")]
        unsure = [note for note in doubts if note.code == "AMBIGUOUS_VALUE"]
        shown, more = others + unsure[:_MOST_DOUBTS], len(unsure) - _MOST_DOUBTS
        if more > 0:
            message = f"{more} more cells can be read in several ways"
            shown.append(Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, path, {"cells": more}))
        return (*self.rejected, *shown, *(note for note in doubts if note.code == "INPUT_NOTE"))

    def leave_out(self, path: str, reason: str) -> None:
        """A cell that its row can do without."""
        message = f"the cell was left out: {reason}"
        self.rejected.append(Diagnostic("VALIDATION_FAILED", Severity.WARNING, message, path))

    def reject(self, path: str, number: int, reason: str) -> None:
        """Note why a row was left out; a warning, unless it is no item, so that nothing is missing without it."""
        message = f"row {number + 1} was left out: {reason}"
        severity = Severity.INFO if reason in NO_ITEMS else Severity.WARNING
        self.rejected.append(Diagnostic("ROW_REJECTED", severity, message, path, {"row": number + 1}))


def read_node(
    context: CapabilityContext, field: CanonicalField, node: Node, path: str | None = None, scope: Node | None = None
) -> list[Found]:
    """Every honest reading of a node as the field's type."""
    if _is_null(node):
        return _null(context, field, node, path)
    if field.type is FieldType.OBJECT:
        return _object(context, node, path)
    if node.kind == "object" and field.type is FieldType.MONEY:
        return _money(context, field, node, path)
    if node.kind != "scalar" or node.text is None:
        return []
    if field.type is FieldType.STRING and _is_exact(context, field, node):
        return _whole(context, field, node, path)
    how = _number_conventions(context, field, node, scope)
    found = read_at(context, field, node.text, node.span, how, node.transforms, path=path, source=node.source)
    return found or _counted(context, field, node, path) or _unlike_its_tag(context, field, node, path)


def _counted(context: CapabilityContext, field: CanonicalField, node: Node, path: str | None) -> list[Found]:
    """A day or moment that a program wrote as a number, counted from 1970."""
    timed = any(NARROWING.get(tag) == "datetime" for tag in field.semantic_tags)
    if node.scalar != "number" or not (field.type is FieldType.DATE or timed):
        return []
    from paxman.recognizers.moments import is_moment, speaks_of_time

    named = fold_name(node.name) == fold_name(field.name) or speaks_of_time(to_words(node.name))
    if not (named and is_moment(node.text or "")):
        return []
    steps = (*node.transforms, "epoch" if field.type is FieldType.DATE else "epoch:time")
    value = run(steps[-1:], node.text)
    return [Found(value, context.evidence(node.span, steps, path=path, source=node.source))]


def _is_exact(context: CapabilityContext, field: CanonicalField, node: Node) -> bool:
    """Whether every space counts: in JSON, unless a pattern or a tag says which part is the value."""
    narrowed = any(tag in NARROWING for tag in field.semantic_tags) or field.constraint("pattern")
    return context.document.kind == "json" and node.transforms == ("json",) and not narrowed


def _whole(context: CapabilityContext, field: CanonicalField, node: Node, path: str | None) -> list[Found]:
    """The text as it is written; nothing between the quotes is a value where the constraints allow it."""
    if not node.text and problems(field, node.text):
        return []
    return [Found(node.text, context.evidence(node.span, node.transforms, path=path, source=node.source))]


def _unlike_its_tag(context: CapabilityContext, field: CanonicalField, node: Node, path: str | None) -> list[Found]:
    """What a program wrote under this name is the value, even if it does not look like other identifiers."""
    kinds = {NARROWING[tag] for tag in field.semantic_tags if tag in NARROWING}
    if field.type is not FieldType.STRING or not kinds or kinds & _GRAMMARS or field.constraint("pattern"):
        return []
    plain = attrs.evolve(field, semantic_tags=())
    text = node.text or ""
    return read_at(context, plain, text, node.span, UNKNOWN, node.transforms, path=path, source=node.source)


def _null(context: CapabilityContext, field: CanonicalField, node: Node, path: str | None) -> list[Found]:
    if not field.nullable:
        return []
    return [Found(None, context.evidence(node.span, ("null",), path=path, source=node.source))]


def _object(context: CapabilityContext, node: Node, path: str | None) -> list[Found]:
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
    """An object with an amount and a currency, and perhaps the rate it was quoted with."""
    amount = _child(node, {"amount", "value", "betrag", "montant"})
    found = read_node(context, field, amount, path, scope=node) if amount else []
    rate = _rate(_child(node, _RATE_NAMES))
    return [attrs.evolve(each, fx_rate=rate) for each in found] if rate is not None else found


def _rate(node: Node | None) -> Decimal | None:
    try:
        return to_decimal(node.text) if node is not None and node.text else None
    except ValueError:
        return None


def _child(node: Node, names: set[str] | frozenset[str]) -> Node | None:
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
        how = attrs.evolve(how, currency=beside, states_currency=True) if beside else how
    return how


def _is_data(document: Document) -> bool:
    """Written by a program for programs: XML as such, or an electronic invoice inside a PDF."""
    return document.kind == "xml" or bool(invoices_in(document))


def _currency_beside(context: CapabilityContext, node: Node, scope: Node | None) -> str | None:
    places = [scope] if scope else []
    places += [node] if node.children else []
    found = next(filter(None, map(_currency_in, places)), None)
    return found or invoice_currency(context.document, node.span) or _currency_on_top(context.document)


def _currency_in(node: Node) -> str | None:
    currency = _child(node, _CURRENCY_NAMES)
    return currency.text.strip().upper() if currency is not None and currency.text else None


def _currency_on_top(document: Document) -> str | None:
    """The currency of the whole document; sought once, because its root may have a million children."""
    if "currency_on_top" not in document.cache:
        document.cache["currency_on_top"] = _currency_in(document.tree) if document.tree is not None else None
    found: str | None = document.cache["currency_on_top"]
    return found


def read_rows(context: CapabilityContext, rows: RowSet) -> Record:
    """Each node as one row, or rejected with a reason."""
    record, field = Record(), context.field
    if not rows.nodes:
        record.refs += _empty(context, rows.array, field.path)
    for number, node in enumerate(rows.nodes):
        row = _Part(f"{field.path}[{len(record.rows)}]")
        reason = _read_item(context, field.items, node, row)
        if reason:
            record.reject(field.path, number, reason)
            continue
        record.rows.append(row.value)
        record.refs += row.refs
        record.doubts += row.doubts
        for path, problem in row.left_out:
            record.leave_out(path, problem)
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


@attrs.define
class _Part:
    """A row, or something inside one: its value, the evidence, the cells it does without, and those in doubt."""

    path: str
    value: Any = None
    refs: list[EvidenceRef] = attrs.field(factory=list)
    left_out: list[tuple[str, str]] = attrs.field(factory=list)
    doubts: list[Diagnostic] = attrs.field(factory=list)

    def take(self, inner: _Part) -> Any:
        self.refs += inner.refs
        self.left_out += inner.left_out
        self.doubts += inner.doubts
        return inner.value


def _read_item(context: CapabilityContext, item: CanonicalField | None, node: Node, part: _Part) -> str | None:
    """Fill a part with one item of an array, or say why that is not possible."""
    if item is not None and item.children:
        return _read_row(context, item.children, node, part)
    if item is not None and item.type is FieldType.ARRAY:
        return _read_list(context, item, RowSet(node.children, node), part) if node.kind == "array" else "not an array"
    element = item or CanonicalField(context.field.id, part.path, context.field.name, FieldType.STRING)
    nodes = [node] if element.type in _WHOLE and node.kind == "object" else list(scalars_of(node))
    found = [each for scalar in nodes for each in read_node(context, element, scalar, part.path)]
    return _settle(element, found, part)


def _settle(field: CanonicalField, found: list[Found], part: _Part) -> str | None:
    if not found:
        return f"not {field.type.value}"
    part.value = found[0].value
    part.refs.append(found[0].ref)
    part.doubts += found[0].diagnostics
    return next(iter(problems(field, part.value)), None)


def _read_list(context: CapabilityContext, array: CanonicalField, items: RowSet, part: _Part) -> str | None:
    """An array inside a row: one bad item spoils it, so that its items keep their places."""
    values = []
    if not items.nodes:
        part.refs += _empty(context, items.array, part.path)
    for number, node in enumerate(items.nodes):
        inner = _Part(f"{part.path}[{number}]")
        reason = _read_item(context, array.items, node, inner)
        if reason:
            return reason
        values.append(part.take(inner))
    part.value = tuple(values)
    return next(iter(problems(array, part.value)), None)


def _read_row(context: CapabilityContext, columns: Sequence[CanonicalField], node: Node, part: _Part) -> str | None:
    """One object: every column that is there; a required one that is missing or wrong rejects the row."""
    index, values = index_row(node, columns), dict[str, Any]()
    if node.kind == "array" or (node.kind == "scalar" and not node.children and not _is_column(columns, index)):
        return "not an object"
    for column in columns:
        cell = _Part(f"{part.path}.{column.name}")
        of_invoice = _column_entries(context, column, node)
        named = of_invoice or find_nodes(column, index)
        entries = named or _by_term(context, column, columns, node)
        there = bool(entries) and (column.nullable or not all(_is_null(entry.node) for entry in entries))
        reason = _read_cell(context, column, node, entries, cell) if there else "missing"
        if reason and column.required and not column.is_filled:
            return f"{column.name}: {reason}"
        if there and reason:
            part.left_out.append((cell.path, reason))
        elif there:
            cell.refs = cell.refs if named else [attrs.evolve(ref, basis="stand_in") for ref in cell.refs]
            values[column.name] = part.take(cell)
            part.doubts += _priced_for_many(column, node, cell.path) if of_invoice else ()
    part.value = values
    return None


def _by_term(
    context: CapabilityContext, column: CanonicalField, columns: Sequence[CanonicalField], row: Node
) -> list[Entry]:
    """What a row of data calls by another word than a column that it cannot do without."""
    if context.document.kind != "json" or not column.required:
        return []
    from paxman.capabilities.tree_terms import find_cell_by_term

    return find_cell_by_term(column, columns, row)


def _is_column(columns: Sequence[CanonicalField], index: Index) -> bool:
    """Whether a text bears the name of a column."""
    return any(not index.keys().isdisjoint(column.name_keys) for column in columns)


def _read_cell(
    context: CapabilityContext, column: CanonicalField, row: Node, entries: list[Entry], cell: _Part
) -> str | None:
    first = entries[0].node
    is_list = column.type is FieldType.ARRAY
    if not is_list or first.kind == "array":
        cell.doubts += _rivals(context, entries, cell.path)
    if _is_null(first) and column.nullable:
        return _settle(column, read_node(context, column, first, cell.path), cell)
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
    text = context.document.text
    texts = [e.node.text if e.node.text is not None else text[slice(*e.node.span)] for e in entries[:MOST_RIVALS]]
    readings = [each[:_LONGEST_QUOTE] for each in dict.fromkeys(texts)]
    if len(readings) < 2:
        return []
    message = f"{len(entries)} places of the row bear this name: {' or '.join(readings)}; the first was taken"
    return [Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, path, {"readings": readings})]


def _column_entries(context: CapabilityContext, column: CanonicalField, line: Node) -> list[Entry]:
    """The column's place in a line of an electronic invoice."""
    nodes = column_nodes(line, column) if invoices_in(context.document) else []
    return [Entry(node, (), False) for node in nodes]


def _priced_for_many(column: CanonicalField, line: Node, path: str) -> Iterator[Diagnostic]:
    """A note on a price in an electronic invoice that is not that of one unit."""
    if quantity := base_quantity(line, column):
        message = f"the price is given as written, for a base quantity of {quantity}"
        yield Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, path, {"base_quantity": quantity})


def _is_null(node: Node) -> bool:
    return node.kind == "scalar" and node.scalar == "null"
