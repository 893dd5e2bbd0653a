"""Explicit evidence in text: `KEY: VALUE` and labels beside or above their value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from paxman.capabilities import specs
from paxman.capabilities.answers import explicit_candidates, is_general
from paxman.capabilities.base import (
    NOTHING,
    CapabilityContext,
    CapabilityResult,
)
from paxman.capabilities.business_terms import NUMBERS, may_be_share, names_of, term_of
from paxman.capabilities.label_scan import has_short_label, names_label
from paxman.capabilities.placeholders import is_next_label, is_placeholder, is_ruled, is_worded
from paxman.capabilities.table_kinds import crosses_cells, is_in_column
from paxman.capabilities.values import Found, conventions, label_index, read_at, to_candidates, with_credits
from paxman.contract.labels import fold_label
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document, Pair
from paxman.finding.shapes import fits
from paxman.lazy import lazy_pattern
from paxman.recognizers import find
from paxman.recognizers.base import UNKNOWN, Conventions
from paxman.types import Diagnostic, FieldType, Severity

if TYPE_CHECKING:
    from paxman.capabilities.label_layout import Spot

_SHORT = 40
_LINE = lazy_pattern(r"^[ \t]{0,80}([^\s:][^\n:]{0,59}?)[ \t]{0,20}:[ \t]{0,80}([^\s][^\n]*)", re.MULTILINE)
_FAR = 160
"""What a key with all its blanks takes at most."""
_SEPARATOR = lazy_pattern(r"[ \t.]{0,20}[:=：][ \t]{0,80}")
_GAP = lazy_pattern(r"  |\t")
# Words before a word that a number follows: "Bob Date 12.5.24".
_OTHER_KEY = lazy_pattern(r"[^\W\d_][.,;)]? [^\W\d_]{2,20}\.? [+(]{0,2}\d")
_DIGIT = lazy_pattern(r"\d")
_FIGURE = lazy_pattern(r"[-+(]?\d[\d.,' ]*[)-]?")
# A year of the Thai calendar, or one of two digits, which the locale may put first.
_OTHER_YEAR = lazy_pattern(r"\b2[4-6]\d\d\b|(?<!\d)\d\d[-/.]\d{1,2}[-/.]\d\d(?!\d)")
_CODE = lazy_pattern(r"\b[A-Z]{3}\b")
_AMOUNTS = frozenset({FieldType.DECIMAL, FieldType.MONEY})
_PLAIN = frozenset({"text", "pdf", "image", "email"})


class TextExtraction:
    """Finds a field by the label that stands beside or above its value."""

    spec = specs.TEXT_EXTRACTION

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        if is_general(context):
            return with_credits(context, CapabilityResult(explicit_candidates(context)))
        return with_credits(context, _shapely(context, self._find(context)))

    def _find(self, context: CapabilityContext) -> CapabilityResult:
        labelled = _plainly_written(context)
        if not labelled and not names_label(context) and not has_short_label(context.field):
            return NOTHING
        labelled = labelled or _labelled(context)
        if labelled:
            return CapabilityResult(to_candidates(labelled))
        if _is_undecided(context):
            return _note(context, "choices stand at the label, and no mark says which")
        pairs = _pairs(context)
        if not pairs:
            return _without_currency(context) or NOTHING
        pairs = [pair for pair in pairs if not _is_blank(context, pair)]
        if not pairs:
            return _note(context, "the place at the label is left blank")
        beside = [pair for pair in pairs if pair.relation == "beside"]
        found = _read(context, beside) or _read(context, [p for p in pairs if p.relation == "below"])
        return (
            CapabilityResult(to_candidates(found))
            if found
            else _without_currency(context) or _unreadable(context, len(pairs))
        )


def _shapely(context: CapabilityContext, result: CapabilityResult) -> CapabilityResult:
    """What was found without what can be no place where one is asked for: a page number, half a sentence."""
    if not result.candidates:
        return result
    from paxman.capabilities.unlabelled import kind_of

    if kind_of(context.field) not in ("law", "jurisdiction"):
        return result
    kept = tuple(each for each in result.candidates if fits(str(each.value), "place") >= 0)
    return attrs.evolve(result, candidates=kept)


def _plainly_written(context: CapabilityContext) -> list[Found]:
    """`KEY: VALUE`, where nothing else on the page may be the key, and all that stands there is the value."""
    pairs = [] if context.field.semantic_tags else _find(context, _lines(context.document))
    if len(pairs) != 1 or names_label(context, besides=pairs[0]):
        return []
    text, (start, end) = context.document.text, pairs[0].value_span
    if _is_blank(context, pairs[0]) or crosses_cells(context.document, start, end):
        return []
    if _GAP.search(text, start, end) or not _is_whole(context.field, text, start, end):
        return []
    found = _read_alone(context, pairs) or _read(context, pairs)
    return found if len(found) == 1 and found[0].ref.span == (start, end) else []


def _read_alone(context: CapabilityContext, pairs: list[Pair]) -> list[Found]:
    """A value that can be read in one way only does not ask how the rest of the page is written."""
    start, end = pairs[0].value_span
    if context.field.type is FieldType.MONEY and not _CODE.search(context.document.text, start, end):
        return []
    if context.field.type is FieldType.DATE and _OTHER_YEAR.search(context.document.text, start, end):
        return []
    found = _read(context, pairs, UNKNOWN)
    return found if len(found) == 1 else []


def _is_whole(field: CanonicalField, text: str, start: int, end: int) -> bool:
    """Long text may hold more than the value, text may go on in the next line, a bare number may count something."""
    if field.type in _AMOUNTS:
        return "." in text[start:end] or "," in text[start:end]
    if field.type is not FieldType.STRING:
        return True
    if " " in text[start:end] and _DIGIT.search(text, start, end) and term_of(field) in NUMBERS:
        return False
    if text.find(": ", start, end) >= 0 or _OTHER_KEY.search(text, start, end):
        return False  # Another key may stand in it.
    following = text[end : end + _SHORT].split("\n", 2)[1:2]
    return end - start <= _SHORT and (not following or not following[0].strip() or ":" in following[0])


def _labelled(context: CapabilityContext) -> list[Found]:
    from paxman.capabilities.labelled import find_labelled

    return [] if _is_placed(context) else find_labelled(context, own_only=True)


def _is_undecided(context: CapabilityContext) -> bool:
    from paxman.capabilities.labelled import is_undecided

    return is_undecided(context)


def _is_placed(context: CapabilityContext) -> bool:
    """Whether the field's place on the page says more than what stands beside a label."""
    from paxman.capabilities.label_binding import needs_label
    from paxman.capabilities.unlabelled import reads_own_labels

    return reads_own_labels(context.field) and not needs_label(context.field, context.contract)


def _spots(context: CapabilityContext) -> list[Spot]:
    from paxman.capabilities.labelled import find_spots

    return find_spots(context)


def _pairs(context: CapabilityContext) -> list[Pair]:
    """Pairs of the field; of laid-out text, whose labels were scanned for already, only short ones with a colon."""
    document, field = context.document, context.field
    if document.kind not in _PLAIN or has_short_label(field) or ".." in document.text:
        found = _find(context, label_index(document))
        return [pair for pair in found if not is_in_column(context, pair.label_span[0], pair.value_span[0])]
    if _weighs_amounts(context) or (":" not in document.text and "=" not in document.text):
        return []
    found = [pair for pair in _find(context, label_index(document)) if _is_explicit(field, pair, document.text)]
    return [pair for pair in found if not _holds_pair(context, pair)]


def _holds_pair(context: CapabilityContext, pair: Pair) -> bool:
    """Whether another label with a colon or a value of its own stands in a value: "Bob Ltd Date: 3 May"."""
    text, (start, end) = context.document.text, pair.value_span
    colon = text.find(": ", start, end)
    if colon < 0 and (context.field.type is not FieldType.STRING or not _OTHER_KEY.search(text, start, end)):
        return False
    from paxman.capabilities.label_scan import scan_of
    from paxman.capabilities.value_ends import pair_within

    hit = scan_of(context).last_before(colon) if colon >= 0 else pair_within(scan_of(context), start, end)
    if colon < 0:
        return hit is not None
    return hit is not None and start < hit.start and hit.end >= colon - 1 and not text[hit.start].islower()


def _is_blank(context: CapabilityContext, pair: Pair) -> bool:
    text, (start, end) = context.document.text, pair.value_span
    if is_placeholder(text[start:end], context.field):
        return True
    if pair.relation == "below" and is_ruled(text, pair.label_span[1], start):
        return True
    if not context.field.enum_values and (_names_field(context, pair) or _leads_on(context, pair)):
        return True
    return pair.relation == "beside" and is_next_label(text, *pair.value_span)


def _leads_on(context: CapabilityContext, pair: Pair) -> bool:
    """Whether what stands below a label is a noun of forms with a value beside it: "Name   Alder"."""
    if pair.relation != "below":
        return False
    from paxman.finding.parties.line_shapes import is_label

    text = context.document.text[slice(*pair.value_span)]
    if not is_label(text):
        return False
    others = label_index(context.document).get(fold_label(text), ())
    return any(other.label_span == pair.value_span and other.relation == "beside" for other in others)


def _names_field(context: CapabilityContext, pair: Pair) -> bool:
    """Whether what stands at a label, with no colon between the two, is the only label of another field."""
    text, start = context.document.text, pair.value_span[0]
    if ":" in text[pair.label_span[1] : start] or "=" in text[pair.label_span[1] : start]:
        return False
    if pair.relation == "beside" and "\n" in text[pair.label_span[1] : start]:
        return False  # The markup says that it is the value.
    key = fold_label(text[slice(*pair.value_span)])
    if key not in _said(context.contract):
        return False
    return all(other.label_span[0] == start for other in label_index(context.document).get(key, ()))


def _said(contract: CanonicalContract) -> frozenset[str]:
    """What the fields of a contract are called, folded; found once."""
    if "said" not in contract.memo:
        names = (name for field in contract.leaves for name in (*field.labels, *names_of(field)))
        contract.memo["said"] = frozenset(filter(None, map(fold_label, names)))
    found: frozenset[str] = contract.memo["said"]
    return found


def _weighs_amounts(context: CapabilityContext) -> bool:
    """Whether amounts stand with labels of the field's term: sums and payments tell which of them is meant."""
    if context.field.type not in _AMOUNTS:
        return False
    return bool(_spots(context)) or (term_of(context.field) == "total" and _is_open(context))


def _is_open(context: CapabilityContext) -> bool:
    from paxman.capabilities.amount_spots import is_open

    return is_open(context.document)


def _is_explicit(field: CanonicalField, pair: Pair, text: str) -> bool:
    """Whether a short value follows a colon; a bare number is an amount only where nothing else stands with it."""
    start, end = pair.value_span
    if end - start > _SHORT or not _SEPARATOR.fullmatch(text, pair.label_span[1], start):
        return False
    if field.type is FieldType.DATE:
        return len(find("date", text[start:end])) < 2  # A range that was passed over has no one date.
    if field.type not in _AMOUNTS:
        return True
    rate = text[end - 1] == "%" and may_be_share(field)
    return _FIGURE.fullmatch(text, start, end - rate) is not None


def _lines(document: Document) -> dict[str, list[Pair]]:
    """Lines of the form `KEY: VALUE` by folded key; found once per document, and much faster than all pairs."""
    index: dict[str, list[Pair]] | None = document.cache.get("plain_lines")
    if index is None:
        index = document.cache["plain_lines"] = {}
        for match in filter(None, (_LINE.match(document.text, start) for start in _with_colon(document.text))):
            value = match[2].rstrip()
            pair = Pair(match[1], match.span(1), (match.start(2), match.start(2) + len(value)))
            index.setdefault(fold_label(pair.label), []).append(pair)
    return index


def _with_colon(text: str) -> Iterator[int]:
    """Where the lines start that have a colon near their start."""
    colon = text.find(":")
    while colon >= 0:
        start = text.rfind("\n", 0, colon) + 1
        if colon - start <= _FAR:
            yield start
        end = text.find("\n", colon)
        colon = text.find(":", end) if end >= 0 else -1


def _find(context: CapabilityContext, index: dict[str, list[Pair]]) -> list[Pair]:
    """Pairs of the field's own labels; its name counts only where no label is found."""
    field = context.field
    hits = [pair for key in field.label_keys for pair in index.get(key, ())]
    names = names_of(field)
    if field.words not in names and not hits and _is_form(context):
        names = (*names, field.words)
    found = (index.get(fold_label(name)) for name in names)
    return hits or next(filter(None, found), [])


def _is_form(context: CapabilityContext) -> bool:
    from paxman.capabilities.label_binding import is_form

    return is_form(context)


def _read(context: CapabilityContext, pairs: list[Pair], how: Conventions | None = None) -> list[Found]:
    text = context.document.text
    how = how or conventions(context)
    return [
        _doubted(found) if is_worded(str(found.value), context.field) else found
        for pair in pairs
        for found in read_at(
            context, context.field, text[slice(*pair.value_span)], pair.value_span, how, label=pair.label_span
        )
    ]


def _doubted(found: Found) -> Found:
    """A value that only its label speaks for."""
    return attrs.evolve(found, ref=attrs.evolve(found.ref, basis="wording"))


def _without_currency(context: CapabilityContext) -> CapabilityResult | None:
    if context.field.type is not FieldType.MONEY or not any(spot.rank == 0 for spot in _spots(context)):
        return None
    return _note(context, "an amount without a known currency stands at the label")


def _unreadable(context: CapabilityContext, count: int) -> CapabilityResult:
    kind, pattern = context.field.type.value, context.field.constraint("pattern")
    if pattern:
        kind += f" of the pattern {pattern['regex']}"
    times = f"{count} time{'s' if count > 1 else ''}"
    return _note(context, f"the label was found {times}, but what stands there is not {kind}")


def _note(context: CapabilityContext, message: str) -> CapabilityResult:
    return CapabilityResult(diagnostics=(Diagnostic("VALIDATION_FAILED", Severity.INFO, message, context.field.path),))
