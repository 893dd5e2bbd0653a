"""Many records in one document: a row for each mail of a mailbox, or each block of a page that repeats its names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import attrs

from paxman.capabilities import specs
from paxman.capabilities.base import NOTHING, Candidate, CapabilityContext, CapabilityResult, EvidenceRef
from paxman.capabilities.rejected_rows import left_out, listed
from paxman.capabilities.structure.records import Record
from paxman.capabilities.values import conventions, read_at
from paxman.contract.constraints import problems
from paxman.contract.labels import fold_label
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document
from paxman.lazy import remembered
from paxman.page.names import Name, page_of
from paxman.types import Diagnostic, FieldType, Span, place_at

Look = Callable[[CapabilityContext], CapabilityResult]
Find = Callable[[Look, CapabilityContext], CapabilityResult]
_BESIDE = ("key", "beside", "next")
_FEWEST = 2


@attrs.define
class _RecordRow:
    """A record: where it stands, its values, their evidence, and what was noted on them."""

    span: Span
    values: dict[str, Any] = attrs.field(factory=dict)
    refs: list[EvidenceRef] = attrs.field(factory=list)
    notes: list[Diagnostic] = attrs.field(factory=list)


def find_records(context: CapabilityContext, find: Find) -> CapabilityResult:
    """The rows of a contract that is a list: one for each part that is a record by itself, or for each block."""
    parts = context.read().records
    rows = [_of_part(context, find, *part) for part in parts] if parts else list(_of_blocks(context))
    record = Record()
    for number, row in enumerate(rows):
        missing = [
            column.name for column in context.field.columns if (column.required and column.name not in row.values)
        ]
        if missing:
            record.rejected.append(left_out(context, f"{missing[0]}: missing", row.span, row=number + 1))
        else:
            above = f"{context.field.path}[{len(record.rows)}]."
            record.rows.append(row.values)
            record.refs += [attrs.evolve(ref, field_path=above + ref.field_path) for ref in row.refs]
            record.doubts += [attrs.evolve(note, field_path=above + (note.field_path or "")) for note in row.notes]
    notes = record.notes(context.field.path)
    if not record.rows:
        return CapabilityResult(diagnostics=notes) if parts else NOTHING
    return CapabilityResult((listed(record.rows, record.refs, record.ledger(context.field.path)),), diagnostics=notes)


def _of_part(context: CapabilityContext, find: Find, start: int, part: Document) -> _RecordRow:
    """What the fields of a row find in a part, each by the first step that finds something."""
    contract, whole, row = _contract_of_row(context), context.read(), _RecordRow((start, start + len(part.text)))
    for field in contract.leaves:
        inner = attrs.evolve(context.seeing(part), field=field, contract=contract)
        found = _first(inner, find)
        if found:
            place_at(row.values, field.path, found.value)
            row.refs += [_moved(ref, start, whole) for ref in found.evidence_refs]
            row.notes += found.diagnostics
    return row


def _first(context: CapabilityContext, find: Find) -> Candidate | None:
    is_list = context.field.type is FieldType.ARRAY
    steps = (specs.table_extraction if is_list else specs.text_extraction, specs.recognition)
    for step in (specs.structured_extraction, *steps):
        result = find(step.invoke, attrs.evolve(context, spec=step.spec, config={}))
        valid = (each for each in result.candidates if not problems(context.field, each.value))
        if best := next(valid, None):
            return best
    return None


def _moved(ref: EvidenceRef, by: int, whole: Document) -> EvidenceRef:
    """A reference into a part as one into the whole."""
    if ref.span is None:
        return ref
    span = (ref.span[0] + by, ref.span[1] + by)
    return attrs.evolve(ref, span=span, source=whole.place(span, ref.transforms))


@remembered(lambda context: (context.contract.memo,))
def _contract_of_row(context: CapabilityContext) -> CanonicalContract:
    """One row as a contract of its own."""
    fields = tuple(_below("", column) for column in context.field.columns)
    return attrs.evolve(context.contract, fields=fields, constraints=(), root="", check_data=None)


def _below(above: str, field: CanonicalField) -> CanonicalField:
    path = above + field.name
    return attrs.evolve(field, path=path, children=tuple(_below(f"{path}.", child) for child in field.children))


def _of_blocks(context: CapabilityContext) -> Iterator[_RecordRow]:
    """A row from each stretch of a page that begins with the same name: "Name: a, Price: 1, Name: b, Price: 2"."""
    columns = context.field.columns
    named = [(name, column) for name in page_of(context.document).names if (column := _column_of(name, columns))]
    starts = [place for place, (_, column) in enumerate(named) if column is named[0][1]]
    if len(starts) < _FEWEST:
        return
    for first, last in pairwise([*starts, len(named)]):
        yield _of_block(context, named[first:last])


def _column_of(name: Name, columns: Sequence[CanonicalField]) -> CanonicalField | None:
    if not any(place.relation in _BESIDE for place in name.places):
        return None
    said = fold_label(name.text)
    return next(
        (each for each in columns if said in {*each.label_keys, fold_label(each.words), fold_label(each.said)}), None
    )


def _of_block(context: CapabilityContext, named: Sequence[tuple[Name, CanonicalField]]) -> _RecordRow:
    places = [next(place for place in name.places if place.relation in _BESIDE) for name, _ in named]
    row, text = _RecordRow((named[0][0].span[0], max(place.block[1] for place in places))), context.document.text
    for (name, column), place in zip(named, places, strict=True):
        at = text[place.block[0] : place.block[1]]
        found = read_at(context, column, at, place.block, conventions(context), path=column.name, label=name.span)
        if found and column.name not in row.values and not problems(column, found[0].value):
            row.values[column.name] = found[0].value
            row.refs.append(found[0].ref)
            row.notes += found[0].diagnostics
    return row
