"""A value whose shape tells what it is, such as an e-mail address, where the page holds no other of its kind."""

from __future__ import annotations

from paxman.capabilities.base import Basis, CapabilityContext, EvidenceRef
from paxman.capabilities.label_binding import bind, named_shape
from paxman.capabilities.label_scan import scan_of
from paxman.capabilities.labelled import MOST_PLACES, is_left_out
from paxman.capabilities.owners import owner_of_place, party_of
from paxman.capabilities.values import Found, conventions
from paxman.recognizers import Reading, find

_SAMPLE = 60_000
_BESIDE = 6


def find_only(context: CapabilityContext) -> list[Found]:
    """The only value of the kind that a tag names; of several nobody can tell which is meant."""
    kind = named_shape(context.field)
    if kind is None or _is_fax(context) or is_left_out(context):
        return []
    readings = find(kind, context.document.text[:_SAMPLE], conventions(context))
    party = party_of(context.field)
    if party:
        scan = scan_of(context)
        readings = [r for r in readings if owner_of_place(scan, r.start) in (None, party)]
    if kind == "phone":
        readings = [reading for reading in readings if _is_phone(context, reading)]
    if len({reading.value for reading in readings}) != 1:
        return []
    return [Found(r.value, _evidence(context, r)) for r in readings[:MOST_PLACES]]


def _evidence(context: CapabilityContext, reading: Reading) -> EvidenceRef:
    basis: Basis = "wording" if reading.loose else "shape"
    return context.evidence((reading.start, reading.end), reading.transforms, basis=basis)


def _is_fax(context: CapabilityContext) -> bool:
    """Whether a label must say that a number is that of a fax."""
    return "fax" in (*context.field.semantic_tags, bind(context.field, context.contract).term)


def _is_phone(context: CapabilityContext, reading: Reading) -> bool:
    """Whether a label or its own writing says that it is that of a phone: accounts and postal codes look alike."""
    hit = scan_of(context).last_before(reading.start)
    if hit and reading.start - hit.end <= _BESIDE:
        return "phone" in hit.terms
    return context.document.text[reading.start] in "+("
