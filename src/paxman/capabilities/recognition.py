"""Typed values in the text, ranked by label, position and shape."""

from __future__ import annotations

from paxman.capabilities import specs
from paxman.capabilities.answers import is_general, other_candidates
from paxman.capabilities.base import (
    NOTHING,
    CapabilityContext,
    CapabilityResult,
)
from paxman.capabilities.business_terms import label_terms
from paxman.capabilities.label_binding import needs_label
from paxman.capabilities.label_layout import Spot
from paxman.capabilities.label_scan import Scan, scan_of
from paxman.capabilities.labelled import find_described, find_labelled, find_spots, open_reason, to_found
from paxman.capabilities.page_dates import find_page_date
from paxman.capabilities.two_sides import lost_amounts
from paxman.capabilities.unlabelled import find_unlabelled, kind_of, reads_own_labels
from paxman.capabilities.values import Found, to_candidates
from paxman.contract.labels import compact_label
from paxman.documents.document import Document
from paxman.documents.visual_lines import VisualLines
from paxman.types import Diagnostic, FieldType, Severity


class Recognition:
    """Finds a field by what it is called in many languages, or by where and how its kind of value is written."""

    spec = specs.RECOGNITION

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        if is_general(context):
            if context.candidates:
                return NOTHING
            return CapabilityResult(other_candidates(context) or to_candidates(_in_headers(context)))
        is_table = _is_table(context.document)
        candidates = () if is_table else to_candidates(_unseen(context, _heeding_headers(context)))
        if candidates or context.candidates:
            return CapabilityResult(candidates) if candidates else NOTHING
        reason = open_reason(context) if not is_table else None
        return _note(context, reason) if reason else CapabilityResult(diagnostics=lost_amounts(context, ()))


def _note(context: CapabilityContext, reason: str) -> CapabilityResult:
    return CapabilityResult(diagnostics=(Diagnostic("VALIDATION_FAILED", Severity.INFO, reason, context.field.path),))


def _is_table(document: Document) -> bool:
    """Whether columns say what a value is; a few lines with a decimal comma each pass for CSV too."""
    return document.kind == "csv" and document.text.partition("\n")[0].count(",") > 2


def find_value(context: CapabilityContext) -> list[Found]:
    """By label; else by position and shape, unless only a label could tell the value from others of its kind."""
    if context.field.type is FieldType.ARRAY:
        return find_unlabelled(context)
    if needs_label(context.field, context.contract):
        return find_labelled(context) or (
            find_unlabelled(context) if kind_of(context.field) in ("only", "price") else []
        )
    if reads_own_labels(context.field):
        if context.document.kind == "spreadsheet":
            return _in_sheet(context) or _party_in_sheet(context)
        return find_unlabelled(context) or find_described(context) or _find_term(context)
    return find_labelled(context) or find_page_date(context) or find_unlabelled(context)


def _find_term(context: CapabilityContext) -> list[Found]:
    """A term that is all that stands at a label of its own, where no clause says it."""
    if kind_of(context.field) != "term":
        return []
    page = scan_of(context).page
    return to_found(context, [spot for spot in find_spots(context) if spot.rank == 0 and _is_alone(page, spot)])


def _is_alone(page: VisualLines, spot: Spot) -> bool:
    """Whether a label starts a chunk, and its value is the rest of that or the whole of another."""
    first, last = (page.line(page.line_at(at)).chunks[page.chunk_at(at)] for at in (spot.hit.start, spot.reading.start))
    own = (max(last[0], spot.hit.end), last[1])
    return first[0] == spot.hit.start and own == (spot.reading.start, spot.reading.end)


def _in_sheet(context: CapabilityContext) -> list[Found]:
    """What stands beside a label of a form in a sheet; elsewhere both may be headings of a table."""
    scan = scan_of(context)
    return to_found(context, [spot for spot in find_spots(context) if _is_of_form(scan, spot)])


def _party_in_sheet(context: CapabilityContext) -> list[Found]:
    from paxman.capabilities.sheet_parties import find_party_in_sheet

    return find_party_in_sheet(context)


def _is_of_form(scan: Scan, spot: Spot) -> bool:
    """Whether a label has a colon, or stands over or under another that starts a row of two cells as well."""
    page, line = scan.page, scan.page.line(spot.hit.line)
    if spot.relation != "beside" or not line.start <= spot.reading.start < line.end:
        return False
    if any(key in label_terms() for key in compact_label(page.text[spot.reading.start : spot.reading.end])):
        return False
    near = [page.line(number).chunks for number in (spot.hit.line - 1, spot.hit.line + 1) if 0 <= number < len(page)]
    in_rows = len(line.chunks) == 2 or "\t\t" in page.text[line.start : line.end]
    named = in_rows and any(len(chunks) > 1 and scan.starts_at(chunks[0][0]) for chunks in near)
    return named or page.text[spot.hit.end : spot.hit.end + 1] == ":"


def _heeding_headers(context: CapabilityContext) -> list[Found]:
    """What is found, unless nothing but its place speaks for it and a header of the mail says better."""
    found = find_value(context)
    return (_in_headers(context) or found) if all(each.ref.basis == "place" for each in found) else found


def _in_headers(context: CapabilityContext) -> list[Found]:
    if context.document.kind != "email" or context.candidates:
        return []
    from paxman.capabilities.mail_headers import find_in_headers

    return find_in_headers(context)


def _unseen(context: CapabilityContext, found: list[Found]) -> list[Found]:
    """What no earlier step reported: the same place twice is no second opinion."""
    places = {ref.span for candidate in context.candidates for ref in candidate.evidence_refs}
    return [each for each in found if each.ref.span not in places]
