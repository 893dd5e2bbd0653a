"""A value whose shape tells what it is, such as an e-mail address, where the page holds no other of its kind."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from paxman.capabilities.base import Basis, CapabilityContext, EvidenceRef
from paxman.capabilities.buyers_papers import is_of_buyer
from paxman.capabilities.contact_labels import CONTACT_KINDS, whose_label
from paxman.capabilities.label_binding import bind, named_shape
from paxman.capabilities.label_scan import scan_of
from paxman.capabilities.labelled import MOST_PLACES, is_left_out
from paxman.capabilities.owners import may_be_either, owner_of_place, party_of
from paxman.capabilities.values import Found, conventions
from paxman.recognizers import Reading, find

_SAMPLE = 60_000
_BESIDE = 6


def find_only(context: CapabilityContext) -> list[Found]:
    """The only value of the kind that a tag names; of several nobody can tell which is meant."""
    kind = named_shape(context.field)
    if kind is None or _is_fax(context) or is_left_out(context):
        return []
    # In data that is not visible, names say what a value is.
    end = context.document.body[1] if context.document.body else _SAMPLE
    readings = find(kind, context.document.text[: min(end, _SAMPLE)], conventions(context))
    party = party_of(context.field)
    if party:
        issuer = "" if is_of_buyer(context.document) else "seller"
        readings = [r for r in readings if (owner_of_place(context, r.start) or issuer) == party]
    if kind == "phone":
        readings = [reading for reading in readings if _is_phone(context, reading)]
    if len({reading.value for reading in readings}) != 1:
        return []
    if party == "seller" and kind in CONTACT_KINDS:
        readings = [r for r in readings if whose_label(context, r) != "other"]
    return [Found(r.value, _evidence(context, r, kind)) for r in readings[:MOST_PLACES]]


def find_price(context: CapabilityContext) -> list[Found]:
    """The only amount that has a line of a page for itself, with no label beside or over it."""
    document = context.document
    if document.kind != "html":
        return []
    spans = sorted(pair.value_span for pair in document.pairs if pair.relation == "beside")
    starts, ends = [start for start, _ in spans], [0, *accumulate((end for _, end in spans), max)]
    readings = find("money", document.text[:_SAMPLE], conventions(context))
    lone = [each for each in readings if _is_lone_price(context, each)]
    lone = [each for each in lone if ends[bisect_right(starts, each.start)] <= each.start]
    if len({each.value for each in lone}) != 1 or lone[0].alternatives:
        return []
    place = (lone[0].start, lone[0].end)
    return [Found(lone[0].value, context.evidence(place, lone[0].transforms, basis="place"))]


def _is_lone_price(context: CapabilityContext, reading: Reading) -> bool:
    document, scan = context.document, scan_of(context)
    number = scan.page.line_at(reading.start)
    line, above = scan.page.line(number), scan.page.line(max(0, number - 1))
    if len(line.chunks) != 1 or line.chunks[0] != (reading.start, reading.end) or reading.value.amount <= 0:
        return False
    if document.text[reading.start : reading.end].strip("0123456789., ") == "":
        return False
    return not (above.chunks and scan.starts_at(above.chunks[0][0]))


def _evidence(context: CapabilityContext, reading: Reading, kind: str) -> EvidenceRef:
    party = party_of(context.field)
    unsure = party and may_be_either(scan_of(context), reading.start, reading.start)
    named = kind in CONTACT_KINDS and party in (None, "seller") and whose_label(context, reading) != "own"
    basis: Basis = "wording" if reading.loose or unsure or named else "shape"
    return context.evidence((reading.start, reading.end), reading.transforms, basis=basis)


def _is_fax(context: CapabilityContext) -> bool:
    """Whether a label must say that a number is that of a fax."""
    return "fax" in (*context.field.semantic_tags, bind(context.field, context.contract).term)


def _is_phone(context: CapabilityContext, reading: Reading) -> bool:
    """Whether a number's label is a phone's, or it begins with "+" or "(": accounts and postal codes look alike."""
    hit = scan_of(context).last_before(reading.start)
    if hit and reading.start - hit.end <= _BESIDE:
        return "phone" in hit.terms
    return context.document.text[reading.start] in "+("
