"""Correcting an artifact: a person's value, validated, found on the page where it can be, beside the machine's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from paxman.artifact.results import FieldResult
from paxman.capabilities.base import EvidenceRef, quote_hash
from paxman.contract.constraints import problems
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document
from paxman.errors import ConfigurationError
from paxman.recognizers import read_value
from paxman.reconciler.evidence_compare import equality_key
from paxman.types import ConfidenceBand, Diagnostic, FieldType, Origin, Severity, Status, freeze

if TYPE_CHECKING:
    from paxman.learning.candidates import StudyPage

REVIEW, REVIEW_VERSION = "review", "1"
"""Who is named for places that a person's value stands at."""


def correct(
    results: Sequence[FieldResult],
    values: Mapping[str, Any],
    by: str,
    contract: CanonicalContract,
    document: Document | None = None,
) -> tuple[FieldResult, ...]:
    """The results with values that a person says are right; None says that the document does not state a field."""
    if not by.strip():
        raise ConfigurationError("a correction needs the name of who made it")
    known = {result.field_path: result for result in results}
    sheet = _sheet(document, contract) if document is not None else None
    for path, given in values.items():
        if path not in known:
            raise ConfigurationError(f"{path} is a part of a field; correct the field as a whole")
        known[path] = _corrected(known[path], contract.by_path[path], given, sheet)
    return tuple(known.values())


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
    return Status.PARTIAL_SUCCESS if missing or refused or any(note.is_loss for note in notes) else Status.SUCCESS


def _sheet(document: Document, contract: CanonicalContract) -> StudyPage:
    from paxman.learning.candidates import StudyPage

    return StudyPage(document, contract)


def _corrected(result: FieldResult, field: CanonicalField, given: Any, sheet: StudyPage | None) -> FieldResult:
    value = None if given is None else typed_value(field, given)
    same = result.status == "RESOLVED" and equality_key(result.value) == equality_key(value)
    machine = [ref if same else attrs.evolve(ref, role="rejected") for ref in result.evidence_refs]
    places = tuple(_places(field, given, value, sheet)) if sheet is not None and value is not None else ()
    return attrs.evolve(
        result,
        value=value,
        status="UNRESOLVED" if value is None else "RESOLVED",
        confidence=0.0 if value is None else 1.0,
        confidence_band=ConfidenceBand.UNTRUSTED if value is None else ConfidenceBand.CERTAIN,
        confidence_evidence=None,
        origin=None if value is None else Origin.REVIEWED,
        evidence_refs=(*places, *machine),
        diagnostics=(_told(result, value, same, bool(places), sheet is not None),),
    )


def _told(result: FieldResult, value: Any, same: bool, placed: bool, looked: bool) -> Diagnostic:
    """The story: what the machine had, and whether the right value stands on the page."""
    was = str(result.value) if result.status == "RESOLVED" else None
    message = "a person confirmed it" if same else "a person says that the document does not state it"
    if not same and value is not None:
        message = f"a person corrected it; it was {was if was is not None else 'unresolved'}"
    if looked and value is not None and not placed:
        message += "; the value does not stand on the page as it is"
    context = {"was": was, "confidence": result.confidence, "band": result.confidence_band.value}
    return Diagnostic("REVIEWED", Severity.INFO, message, result.field_path, context)


def typed_value(field: CanonicalField, given: Any) -> Any:
    """What was given as the field's type has it; ConfigurationError if the contract does not take it."""
    value = given
    if isinstance(given, str) and field.type not in (FieldType.STRING, FieldType.ARRAY, FieldType.OBJECT):
        reading = read_value(given, field)
        if reading is None or reading.end - reading.start < len(given.strip()):
            raise ConfigurationError(f"{field.path}: {given!r} is no {field.type.value}")
        value = reading.value
    elif field.type is FieldType.ARRAY and isinstance(given, list | tuple) and field.items and not field.columns:
        item = field.items
        value = tuple(typed_value(item, each) for each in given)
    elif field.type not in (FieldType.STRING, FieldType.BOOLEAN, FieldType.ARRAY, FieldType.OBJECT, FieldType.MAP):
        value = typed_value(field, str(given)) if isinstance(given, int | float) else given
    wrong = problems(field, freeze(value))
    if wrong:
        raise ConfigurationError(f"{field.path}: {'; '.join(wrong)}")
    return freeze(value)


def _places(field: CanonicalField, given: Any, value: Any, sheet: StudyPage) -> Iterator[EvidenceRef]:
    """Where the value stands on the page, once."""
    if field.type in (FieldType.ARRAY, FieldType.ENUM, FieldType.OBJECT):
        return
    for number in sorted(sheet.right(field, given)):
        reading = sheet.read(field, number, {})
        if reading is None or reading.value != value:
            continue
        span = (reading.start, reading.end)
        quote = sheet.document.text[slice(*span)]
        yield EvidenceRef(
            REVIEW,
            REVIEW_VERSION,
            field.path,
            span,
            sheet.document.locate(span),
            quote_hash(quote),
            transforms=reading.transforms,
        )
        return
