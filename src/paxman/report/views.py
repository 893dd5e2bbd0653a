"""The story of a field: its evidence with the line around it, the confidence added up, and why others lost."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.results import FieldResult
from paxman.capabilities.base import EvidenceRef
from paxman.documents.document import Document, name_place
from paxman.serialization import to_plain
from paxman.transforms import run
from paxman.types import Diagnostic, RowLedger, Severity, dollars

_AROUND = 60
_COLUMN = re.compile(r"[^\[]*\[(\d+)\]\.([^.\[]+)")
_DISPUTES = ("CONFLICT", "MISMATCH", "CURRENCY_MISMATCH")
CONCERNING = range(3)
"""The concerns that a person should look at."""


@attrs.frozen
class EvidenceView:
    """A piece of evidence as a person reads it; quote, line and value need the document or an embedded quote."""

    role: str
    capability: str
    path: str
    place: str
    span: tuple[int, int] | None
    quote: str | None
    before: str
    after: str
    steps: tuple[tuple[str, str], ...]
    value: str | None
    detail: str | None
    lesson: str
    """The signs that lessons of examples went by."""
    loose: str = ""
    """Why a place is shown but not counted as evidence."""
    found_by: tuple[tuple[str, str], ...] = ()
    """The name on the page, where the value stands to it, and the signs that decided."""


@attrs.frozen
class Rubric:
    """A confidence as the sum it is, from what the artifact stores; `capped` says what holds it below that sum."""

    parts: tuple[tuple[str, int], ...]
    total: float
    capped: str = ""


@attrs.frozen
class FieldView:
    """Everything there is to tell about one field."""

    path: str
    type: str
    required: bool
    status: str
    value: str
    confidence: float
    band: str
    target: float | None
    origin: str | None
    evidence: tuple[EvidenceView, ...]
    rubric: Rubric | None
    lost: tuple[tuple[str, str], ...]
    """Values that were not chosen, each with the reason."""
    notes: tuple[tuple[str, str], ...]
    tried: tuple[str, ...]
    cost: str
    rows: str = ""
    """What became of the lines of an array."""
    warned: bool = False
    """Whether a note is more than information."""

    @property
    def concern(self) -> int:
        """What a person should look at first: 0 a required field without a value, 1 a disputed one, 2 one with a
        warning, 3 an optional one without a value, 4 one with a note, 5 one that is fine."""
        codes = {code for code, _ in self.notes}
        if self.status == "UNRESOLVED" and self.required:
            return 0
        if codes & {*_DISPUTES}:
            return 1
        if self.warned or "VALIDATION_FAILED" in codes:
            return 2
        return 3 if self.status == "UNRESOLVED" else 4 if codes else 5


def view_fields(artifact: ExecutionArtifact, document: Document | None = None) -> tuple[FieldView, ...]:
    """A view of every field, in the contract's order."""
    return tuple(view_field(artifact, result, document) for result in artifact.field_results)


def view_field(artifact: ExecutionArtifact, result: FieldResult, document: Document | None = None) -> FieldView:
    """The story of one field; with its document it has quotes, lines and the values of rivals."""
    evidence = tuple(_view_evidence(ref, document) for ref in result.evidence_refs)
    plan = next((plan for plan in artifact.execution_plan.fields if plan.field_id == result.field_id), None)
    whole = next((field for field in artifact.field_results if field.field_id == result.field_id), result)
    return FieldView(
        path=result.field_path,
        type=result.field_type_name,
        required=result.required,
        status=result.status,
        value=show_value(in_order(result).value),
        confidence=result.confidence,
        band=result.confidence_band.value,
        target=plan.target_confidence if plan else None,
        origin=result.origin.value if result.origin else None,
        evidence=evidence,
        rubric=add_up(whole),  # a cell has the confidence of its array
        lost=tuple(_losers(result, evidence)),
        notes=tuple((note.code, note.message + _said_by(artifact, whole, note)) for note in result.diagnostics),
        tried=tuple(step.capability_id for step in plan.capability_chain) if plan else (),
        cost=show_cost(result),
        rows=tell_rows(result.rows) if result.rows else "",
        warned=any(note.severity is not Severity.INFO for note in result.diagnostics),
    )


def _said_by(artifact: ExecutionArtifact, result: FieldResult, note: Diagnostic) -> str:
    """Who reviewed a field last, and when, which an artifact keeps outside its hash."""
    reviews = artifact.metadata.get("reviews", ()) if note.code == "REVIEWED" else ()
    own = [each for each in reviews if result.field_path in {path.partition("[")[0] for path in each["fields"]}]
    return f"; {own[-1]['by']} said so on {own[-1]['at'].replace('T', ' at ')[:19]}" if own else ""


def in_order(result: FieldResult) -> FieldResult:
    """A result whose rows have their columns in the contract's order."""
    columns = column_order(result)
    if not columns:
        return result
    rows = ({name: row[name] for name in columns if name in row} for row in result.value)
    return attrs.evolve(result, value=tuple(rows))


def column_order(result: FieldResult) -> list[str]:
    """The columns of an array in the contract's order, which a stored artifact keeps in its evidence.

    One that some rows lack goes before the one that it precedes in others.
    """
    rows = result.value if isinstance(result.value, tuple) else ()
    if not rows or not all(isinstance(row, Mapping) for row in rows):
        return []
    order, after = list[str](), ("", "")
    for row, name in reversed([match.groups() for ref in result.evidence_refs if (match := _is_cell(ref))]):
        if name not in order:
            order.insert(order.index(after[1]) if after[0] == row else len(order), name)
        after = row, name
    return list(dict.fromkeys((*order, *(name for row in rows for name in row))))


def _is_cell(ref: EvidenceRef) -> re.Match[str] | None:
    return _COLUMN.match(ref.field_path) if ref.is_of_value else None


def show_value(value: Any) -> str:
    """A value in one line: text as it is, structures as JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple | Mapping):
        return json.dumps(to_plain(value), ensure_ascii=False)
    return str(value)


def count_rows(number: int, more: str = "") -> str:
    return f"{number} {more}row{'' if number == 1 else 's'}"


def head_of(result: FieldResult) -> str:
    """How many rows a list has, of how many there should be where they were counted."""
    return str(result.rows) if result.rows else count_rows(len(result.value))


def tell_rows(rows: RowLedger) -> str:
    """A ledger in one line: rows, why it is open, and the other lines by kind."""
    lines = ", ".join(f"{count} {kind}" for kind, count in rows.lines.items() if count)
    return "; ".join((str(rows), *rows.reasons, *((f"other lines: {lines}",) if lines else ())))


def show_cost(result: FieldResult) -> str:
    cost = result.cost
    return f"{dollars(cost.usd)}, {cost.tokens} tokens, {cost.invocations} step{'' if cost.invocations == 1 else 's'}"


def add_up(result: FieldResult) -> Rubric | None:
    """The rubric of a stored confidence; None where there is none, as for a default or in an older artifact."""
    inputs = result.confidence_evidence
    if inputs is None:
        return None
    parts = tuple(part for part in inputs.parts if part[1])
    is_capped = sum(points for _, points in parts) > round(100 * result.confidence)
    why = "no value is surer" if result.confidence == 1 else "no surer than what it was made from"
    return Rubric(parts, result.confidence, why if is_capped else "")


def _view_evidence(ref: EvidenceRef, document: Document | None) -> EvidenceView:
    quote, before, after = _line(ref, document)
    steps = tuple(_steps(ref.transforms, quote)) if quote is not None else tuple((name, "") for name in ref.transforms)
    value = (steps[-1][1] if steps else quote) if quote is not None else None
    return EvidenceView(
        ref.role,
        f"{ref.capability_id} {ref.capability_version}",
        ref.field_path,
        name_place(ref.source),
        ref.span,
        quote,
        before,
        after,
        steps,
        value,
        ref.detail,
        (ref.detail or "") if ref.basis in ("lesson", "memory") else "",
        _LOOSE.get(ref.basis, ""),
        tuple(_found_by(ref.detail or "")),
    )


_RELATIONS = {
    "key": "the format itself pairs name and value",
    "beside": "the value stands behind the name",
    "next": "the value stands in the next cell",
    "below": "the value stands below the name",
    "above": "the value stands above its caption",
    "section": "the value stands under the heading",
    "inline": "the value stands in a sentence with the name",
    "box": "a box before the name is ticked or empty",
    "caption": "the value stands in the box of its caption",
    "alone": "the value stands by itself",
}


def _found_by(detail: str) -> Iterator[tuple[str, str]]:
    """What finding says of a value, in words: "reason; relation; sign +0.12, sign -0.04"."""
    reason, _, rest = detail.partition("; ")
    relation, _, signs = rest.partition("; ")
    if relation in _RELATIONS:
        yield "name", reason
        yield "place", _RELATIONS[relation]
        yield "signs", signs


_LOOSE = {
    "stand_in": "beside the label of a related field: not counted",
    "memory": "what examples taught, below the score from which that counts: not counted",
    "likeness": "by a key that is only like it: not counted",
    "wording": "by the wording around it: not counted",
    "place": "only by where it stands: not counted",
    "open": "the rows are not all accounted for: not counted",
}


def _line(ref: EvidenceRef, document: Document | None) -> tuple[str | None, str, str]:
    """The quote, and what stands before and after it on its line."""
    if document is None or ref.span is None or ref.span[1] > len(document.text):
        return ref.quote, "", ""
    start, end = ref.span
    text = document.text
    before = text[max(start - _AROUND, 0) : start].replace("\f", "\n").rpartition("\n")[2]
    after = text[end : end + _AROUND].replace("\f", "\n").partition("\n")[0]
    return text[start:end], before, after


def _steps(transforms: tuple[str, ...], quote: str) -> Iterator[tuple[str, str]]:
    """Each transform with what it makes; a stored artifact may name steps that fail."""
    value: Any = quote
    for name in transforms:
        try:
            value = run((name,), value)
        except Exception as error:
            yield name, f"fails: {type(error).__name__}"
            return
        yield name, show_value(value)


def _losers(result: FieldResult, evidence: tuple[EvidenceView, ...]) -> Iterator[tuple[str, str]]:
    """Each value that was not chosen, with what it lost by."""
    told: dict[str, str] = {}
    for note in result.diagnostics:
        for rival in note.context.get("lost", ()) if note.code in _DISPUTES else ():
            told.setdefault(rival["value"], _why(result, rival))
        if note.code == "VALIDATION_FAILED" and "value" in note.context:
            told.setdefault(note.context["value"], note.message)
    why, untold = _why_rejected(result), not told
    for view in evidence if why else ():
        if view.role == "rejected" and (view.value or untold):
            told.setdefault(view.value or view.place or view.detail or "?", why)
    yield from told.items()


def _why(result: FieldResult, rival: Mapping[str, str]) -> str:
    """The rule that decided between two readings of one text, or what the reconciler noted."""
    for note in result.diagnostics:
        if note.code == "AMBIGUOUS_VALUE" and rival["value"] in map(str, note.context.get("readings", ())):
            return note.message
    return rival["by"]


def _why_rejected(result: FieldResult) -> str:
    """Why values were turned away before any could be compared; empty if none were."""
    for note in result.diagnostics:
        if note.code in ("CURRENCY_MISMATCH", "VALIDATION_FAILED"):
            return note.message
    return "below the floor, and the policy rejects such values" if result.status == "UNRESOLVED" else ""
