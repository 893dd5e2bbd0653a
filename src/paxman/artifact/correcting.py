"""Correcting an artifact: a person's value, validated, found on the page where it can be, beside the machine's own."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from paxman.artifact.coding import shape_of
from paxman.artifact.results import FieldResult
from paxman.capabilities.base import EvidenceRef, quote_hash
from paxman.contract.alternatives import Alternatives, adapt_all
from paxman.contract.constraints import branch_of, problems, unlike
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Cell, Document
from paxman.documents.records import read_source
from paxman.errors import ConfigurationError, HashMismatchError, unknown_name
from paxman.lazy import lazy_pattern
from paxman.planner import make_profile
from paxman.recognizers import Conventions, Reading, read_value
from paxman.recognizers.base import UNKNOWN
from paxman.reconciler.confidence import ConfidenceEvidence, assign_confidence, float_to_band
from paxman.reconciler.evidence_compare import equality_key
from paxman.serialization import canonical_json
from paxman.transforms import run
from paxman.types import (
    Diagnostic,
    FieldType,
    Money,
    Origin,
    Severity,
    Span,
    Status,
    freeze,
    is_within,
)

if TYPE_CHECKING:
    from paxman.learning.candidates import AnnotatedPage

REVIEW, REVIEW_VERSION = "review", "1"
"""Who is named for places that a person's value stands at."""
Pointed: TypeAlias = "Sequence[Span]"
"""A place on the page: a stretch of the text, or several, such as the lines of a box."""

_WITHOUT_PLACE = frozenset({FieldType.ARRAY, FieldType.ENUM, FieldType.OBJECT, FieldType.MAP})
"""Values that are not looked for on the page."""


def correct(
    results: Sequence[FieldResult],
    values: Mapping[str, Any],
    by: str,
    contract: CanonicalContract,
    document: Document | None = None,
    pointed_at: Mapping[str, Pointed] | None = None,
) -> tuple[FieldResult, ...]:
    """The results with values that a person says are right; None says that the document does not state a field.

    `pointed_at` names the place of a field or of a cell on the page, where a person showed it.
    """
    if not by.strip():
        raise ConfigurationError("a correction needs the name of who made it")
    known = {result.field_path: result for result in results}
    sheet = _sheet(document, contract) if document is not None else None
    if pointed_at and sheet is None:
        raise ConfigurationError("what was pointed at is a place in the document: give the document")
    for path, given in values.items():
        if path not in known:
            raise ConfigurationError(f"{path} is a part of a field; correct the field as a whole")
        if path not in contract.by_path:
            raise ConfigurationError(unknown_name("field of the contract", path, contract.by_path))
        field = contract.by_path[path]
        shown = {at: spans for at, spans in (pointed_at or {}).items() if is_within(at, path)}
        made = _corrected(known[path], field, given, sheet, shown, document)
        known[path] = attrs.evolve(made, shape=shape_of(contract, path, made.value)) if field.parts else made
    return tuple(known.values())


def contract_for(given: Any, own: str) -> CanonicalContract:
    """The contract in whatever form it is given; of several the one with the artifact's own hash."""
    contract = adapt_all(given)
    return contract.with_hash(own) if isinstance(contract, Alternatives) else contract


def document_for(given: Any, own: str, records: bool, name: str | None = None) -> Document | None:
    """The document from its text, bytes or path; HashMismatchError if it is not the artifact's own."""
    if given is None or isinstance(given, Document):
        return given
    if isinstance(given, os.PathLike):
        return document_for(Path(given).read_bytes(), own, records, Path(given).name)
    if not isinstance(given, str | bytes):
        raise TypeError(f"document must be text, bytes or a path, not {type(given).__name__}")
    data = given.encode("utf-8", "replace") if isinstance(given, str) else given
    if make_profile(data).content_hash != own:
        raise HashMismatchError("this is not the document that the artifact was made from")
    return read_source(data, name, records=records)


def plain_contract(name: str, results: Sequence[FieldResult]) -> CanonicalContract:
    """The types of the fields, which is all that an artifact itself knows of its contract."""
    fields = [
        CanonicalField(r.field_id, r.field_path, r.field_path.rpartition(".")[2], FieldType(r.field_type_name))
        for r in results
    ]
    return CanonicalContract(name, "1", tuple(fields))


def status_after(status: Status, results: Sequence[FieldResult]) -> Status:
    """What an artifact of a status is with other results."""
    missing = [result for result in results if result.status == "UNRESOLVED"]
    if any(result.required for result in missing) and status is Status.UNRESOLVED:
        return Status.UNRESOLVED
    notes = [note for result in results for note in result.diagnostics]
    refused = any(note.code == "VALIDATION_FAILED" and note.severity is Severity.ERROR for note in notes)
    lost = refused or any(note.is_loss for note in notes) or any(each.rows and each.rows.is_open for each in results)
    return Status.PARTIAL_SUCCESS if missing or lost else Status.SUCCESS


def _sheet(document: Document, contract: CanonicalContract) -> AnnotatedPage:
    from paxman.learning.candidates import AnnotatedPage

    return AnnotatedPage(document, contract)


def _corrected(
    result: FieldResult,
    field: CanonicalField,
    given: Any,
    sheet: AnnotatedPage | None,
    pointed_at: Mapping[str, Pointed],
    document: Document | None,
) -> FieldResult:
    value = None if given is None else typed_value(field, given, sheet.how if sheet else UNKNOWN)
    same = result.status == "RESOLVED" and equality_key(result.value) == equality_key(value)
    machine = [ref if same else attrs.evolve(ref, role="rejected") for ref in result.evidence_refs]
    kept = same and bool(machine)
    looked = sheet is not None and value is not None and not (kept or pointed_at) and field.type not in _WITHOUT_PLACE
    places = tuple(_places(field, value, sheet)) if sheet is not None and looked else ()
    if sheet is not None and pointed_at and value is not None:
        places = tuple(_shown(path, spans, field, value, sheet) for path, spans in sorted(pointed_at.items()))
    if document is not None:
        places = tuple(_quoted(ref, document) for ref in places)
    if field.type is FieldType.ARRAY and not same and value is not None:
        places = (*places, *_kept_cells(result, value, {ref.field_path for ref in places}))
    left = {"confidence": result.confidence, "confidence_evidence": result.confidence_evidence}
    return attrs.evolve(
        result,
        value=value,
        status="UNRESOLVED" if value is None else "RESOLVED",
        **(left if same else _trust(result, value, places)),
        origin=None if value is None else Origin.REVIEWED,
        evidence_refs=(*places, *machine),
        diagnostics=(_told(result, value, same, looked and not places),),
        rows=None,
    )


def _trust(result: FieldResult, value: Any, places: Sequence[EvidenceRef]) -> dict[str, Any]:
    """What the page itself says for a value that a person gave; that a person did is told by its origin alone."""
    refs = len({ref.span for ref in places if ref.supports})
    conflict = result.status == "RESOLVED" and value is not None
    inputs = ConfidenceEvidence(min(refs, 1), refs, True, conflict, min(refs, 1)) if value is not None else None
    confidence = assign_confidence(inputs) if inputs else 0.0
    return {"confidence": confidence, "confidence_evidence": inputs, "confidence_band": float_to_band(confidence)}


def _told(result: FieldResult, value: Any, same: bool, missed: bool) -> Diagnostic:
    """The story: what the machine had, and whether the right value stands on the page."""
    was = _told_value(result.value) if result.status == "RESOLVED" else None
    message = "a person confirmed it" if same else "a person says that the document does not state it"
    if not same and value is not None:
        message = f"a person corrected it; it was {_in_short(was) if was is not None else 'unresolved'}"
    if missed:
        message += "; the value does not stand on the page as it is"
    context = {"was": was, "confidence": result.confidence, "band": result.confidence_band.value}
    return Diagnostic("REVIEWED", Severity.INFO, message, result.field_path, context)


def _told_value(value: Any) -> str:
    return canonical_json(value).decode() if isinstance(value, tuple | Mapping) else str(value)


def _in_short(told: str) -> str:
    return told if len(told) <= _MOST_TOLD else f"{told[:_MOST_TOLD]}... ({len(told):,} characters)"


_MOST_TOLD = 200


def typed_value(field: CanonicalField, given: Any, how: Conventions = UNKNOWN) -> Any:
    """What was given as the field's type has it; ConfigurationError if the contract does not take it."""
    value = freeze(_typed(field, given, how))
    wrong = problems(field, value)
    if wrong:
        raise ConfigurationError(f"{field.path}: {'; '.join(wrong)}")
    return value


def _typed(field: CanonicalField, given: Any, how: Conventions) -> Any:
    """A value as its type has it, with all that is inside of it; what cannot be typed stays as it is."""
    if field.type in _NESTED and isinstance(given, str) and given.lstrip()[:1] in ("[", "{"):
        with contextlib.suppress(ValueError):
            given = json.loads(given)
    if field.type is FieldType.UNION:
        # As the first branch that takes it; text, which takes everything that is written, comes last.
        for branch in sorted(field.branches, key=lambda each: each.type is FieldType.STRING):
            try:
                return typed_value(branch, given, how)
            except ConfigurationError:
                continue
        return given
    if field.type is FieldType.ARRAY and isinstance(given, list | tuple):
        return [_part(field.item(number), each, how) for number, each in enumerate(given)]
    if field.type in (FieldType.OBJECT, FieldType.MAP) and isinstance(given, Mapping):
        parts = {child.name: child for child in field.children}
        return {name: _part(parts.get(name, field.items), each, how) for name, each in given.items()}
    if field.type is FieldType.MONEY and isinstance(given, Mapping) and set(given) == {"amount", "currency"}:
        amount = _exact(given["amount"])
        return (
            _read(field, "{amount} {currency}".format_map(given), how)
            if amount is None
            else Money(amount, given["currency"])
        )
    if field.type is FieldType.DECIMAL and isinstance(given, int | float) and not isinstance(given, bool):
        return _exact(given)  # a number that is one has no thousands' marks, whatever the page's are
    is_number = isinstance(given, int | float) and field.type is not FieldType.BOOLEAN
    is_written = isinstance(given, str) or (is_number and field.type not in _NESTED)
    return _read(field, str(given), how) if is_written and field.type is not FieldType.STRING else given


def _exact(given: Any) -> Decimal | None:
    return Decimal(str(given)) if _NUMBER.fullmatch(str(given)) else None


_NUMBER = lazy_pattern(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
_NESTED = (FieldType.ARRAY, FieldType.OBJECT, FieldType.MAP)


def _part(part: CanonicalField | None, given: Any, how: Conventions) -> Any:
    return given if part is None or given is None else _typed(part, given, how)


def _read(field: CanonicalField, text: str, how: Conventions) -> Any:
    if field.type is FieldType.ENUM and not field.enum_values:
        return text
    is_bare = field.type is FieldType.MONEY and _BARE.fullmatch(text)  # the page does not say a person's currency
    reading = read_value(text, field, attrs.evolve(how, currency=None) if is_bare else how)
    if reading is None or reading.end - reading.start < len(text.strip()):
        raise ConfigurationError(f"{field.path}: {text!r} is {unlike(field)}{_ADVICE.get(field.type, '')}")
    return reading.value


_BARE = lazy_pattern(r"[\d\s.,'+-]+")
_ADVICE = {
    FieldType.MONEY: '; write the currency too, such as "64.50 GBP"',
    FieldType.ARRAY: """; write '["A","B"]'""",
    FieldType.OBJECT: """; write '{"name":"A"}'""",
    FieldType.MAP: """; write '{"name":"A"}'""",
}


def _places(field: CanonicalField, value: Any, sheet: AnnotatedPage) -> Iterator[EvidenceRef]:
    """Where the value stands on the page, once."""
    asked = branch_of(field, value) or field
    readings = (sheet.read(asked, number, {}) for number in sorted(sheet.right(asked, value)))
    found = next((each for each in readings if each and each.value == value), None) or _literal(value, sheet)
    if found is None:
        return
    span = (found.start, found.end)
    yield EvidenceRef(REVIEW, REVIEW_VERSION, field.path, span, transforms=found.transforms)


def _shown(path: str, spans: Pointed, field: CanonicalField, value: Any, sheet: AnnotatedPage) -> EvidenceRef:
    """The place that a person pointed at; context only, where something else than the value stands there."""
    part = part_of(field, path)
    for steps in path.removeprefix(field.path).replace("]", "").split("[")[1:]:
        number, _, name = steps.partition(".")
        value = value[int(number)]
        value = value.get(name) if name else value
    found = read_place(sheet.document, part, spans, sheet.how)
    is_value = found is not None and equality_key(found.value) == equality_key(value)
    span = (found.start, found.end) if found and is_value else (spans[0][0], spans[-1][1])
    if found is None or not is_value:
        return EvidenceRef(REVIEW, REVIEW_VERSION, path, span, role="context")
    return EvidenceRef(REVIEW, REVIEW_VERSION, path, span, transforms=found.transforms)


def _quoted(ref: EvidenceRef, document: Document) -> EvidenceRef:
    """A place with its address and the true text, which may have other blanks than the one that is read."""
    span = ref.span or (0, 0)
    quote = document.text[slice(*span)]
    is_plain = ref.role == "context" or document.plain.text[slice(*span)] == quote
    steps = ref.transforms if is_plain else ("blanks", *ref.transforms)
    return attrs.evolve(ref, source=document.place(span, steps), quote_hash=quote_hash(quote), transforms=steps)


def part_of(field: CanonicalField, path: str) -> CanonicalField:
    """The field itself, the items of a list, or the column that a cell's path names."""
    steps = path.removeprefix(field.path)
    if not steps or field.items is None:
        return field
    name = steps.rpartition(".")[2] if "." in steps else ""
    return next((column for column in field.items.children if column.name == name), field.items)


def read_place(document: Document, field: CanonicalField, spans: Pointed, how: Conventions) -> Reading | None:
    """What a field's recognizers read at a place: a stretch of text, a cell, or stretches on several lines."""
    start, end = spans[0][0], spans[-1][1]
    cell = _cell_at(document, (start, end)) if len(spans) == 1 else None
    steps: tuple[str, ...] = cell.transforms if cell else ()
    if len(spans) > 1:
        steps = ("join:" + " ".join(f"{first - start}-{last - start}" for first, last in spans),)
    text = str(run(steps, document.text[start:end]))
    reading = read_value(text, field, how)
    if reading is None or not steps:
        return reading.shifted(start) if reading else None
    narrowed = () if (reading.start, reading.end) == (0, len(text)) else (f"slice:{reading.start}-{reading.end}",)
    return Reading(start, end, reading.value, (*steps, *narrowed, *reading.transforms))


def _cell_at(document: Document, span: Span) -> Cell | None:
    cells = (cell for table in document.tables for row in (table.header, *table.rows) for cell in row)
    return next((cell for cell in cells if cell.span == span and cell.transforms), None)


def _kept_cells(result: FieldResult, rows: Sequence[Any], shown: Collection[str]) -> Iterator[EvidenceRef]:
    """The places of cells that a person left as they were, under the rows that they are in now."""
    refs = defaultdict[str, list[EvidenceRef]](list)
    for ref in result.evidence_refs:
        if ref.role != "rejected":
            refs[ref.field_path.removeprefix(result.field_path).partition("]")[0]].append(ref)
    for number, old, alike in _paired(rows, result.value or ()):
        for ref in refs[f"[{old}"]:
            name = ref.field_path.removeprefix(f"{result.field_path}[{old}]")
            path = f"{result.field_path}[{number}]{name}"
            if name.lstrip(".") in alike and path not in shown:
                yield attrs.evolve(ref, field_path=path)


def _paired(rows: Sequence[Any], before: Sequence[Any]) -> Iterator[tuple[int, int, set[str]]]:
    """The rows with those that they were, and the columns that are equal: whole rows first, then the most alike."""
    known, left = defaultdict[Any, deque[int]](deque), dict(enumerate(before))
    for old, each in left.items():
        known[equality_key(each)].append(old)
    changed = list[int]()
    for number, row in enumerate(rows):
        if same := known[equality_key(row)]:
            old = same.popleft()
            del left[old]
            yield number, old, {"", *(row if isinstance(row, Mapping) else ())}
        else:
            changed.append(number)
    for number in changed:
        alike = {old: _equal_cells(rows[number], each) for old, each in left.items()}
        best = max(alike, key=lambda old: (len(alike[old]), -abs(old - number)), default=None)
        if best is not None and alike[best]:
            del left[best]
            yield number, best, alike[best]


def _equal_cells(row: Any, other: Any) -> set[str]:
    """The columns in which two rows that differ are equal."""
    if not (isinstance(row, Mapping) and isinstance(other, Mapping)):
        return set()
    return {name for name in row if name in other and equality_key(row[name]) == equality_key(other[name])}


def _literal(value: Any, sheet: AnnotatedPage) -> Reading | None:
    """A text where it stands by itself inside of a line."""
    if not isinstance(value, str) or not value:
        return None
    found = re.search(rf"(?<!\w){re.escape(value)}(?!\w)", sheet.document.text)
    return Reading(*found.span(), value) if found else None
