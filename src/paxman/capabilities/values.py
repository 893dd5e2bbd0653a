"""From a place in the document to candidates: one way for every capability that extracts."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

import attrs

from paxman.capabilities.base import Basis, Candidate, CapabilityContext, EvidenceRef
from paxman.capabilities.structure.open_values import branches_in_text, most_evident, union_choice_note
from paxman.classes import record
from paxman.contract.constraints import is_written_so, pattern_of, problems
from paxman.contract.model import CanonicalField
from paxman.contract.patterns import find_spans
from paxman.documents.document import Document, Source
from paxman.finding.choices import chosen
from paxman.finding.hedges import hedge_at
from paxman.finding.periods import complete_date
from paxman.finding.terms import head_nouns
from paxman.lazy import lazy_pattern, remembered
from paxman.lexicon.lexicon import load
from paxman.lexicon.own_files import lexicon_of
from paxman.recognizers import Conventions, Reading, conventions_of, read_value
from paxman.recognizers.base import IN_BRACKETS
from paxman.recognizers.figures.broken import with_raised_cents
from paxman.recognizers.figures.currency_signs import is_weak
from paxman.recognizers.figures.money import currency_places
from paxman.transforms import fold
from paxman.types import RAISED, SUPERSCRIPTS, Diagnostic, FieldType, Money, Severity, Span

MOST_REFS = 5
MOST_RIVALS = 5
_LONGEST_DAY = 24
_LONGEST_MARK = 8


@record
class Found:
    """A typed value at a place, before it becomes a candidate."""

    value: Any
    ref: EvidenceRef
    diagnostics: tuple[Diagnostic, ...] = ()
    fx_rate: Decimal | None = None


def conventions(context: CapabilityContext) -> Conventions:
    """How the document of a step writes its values."""
    return conventions_in(context.document, context.policy.locale)


@remembered(lambda document, locale: (document.cache, locale))
def conventions_in(document: Document, locale: str | None) -> Conventions:
    """How a document writes its values; worked out once."""
    return conventions_of(document.text, locale)


def read_at(
    context: CapabilityContext,
    field: CanonicalField,
    text: str,
    span: Span,
    how: Conventions,
    before: tuple[str, ...] = (),
    *,
    path: str | None = None,
    source: Source | None = None,
    label: Span | None = None,
) -> list[Found]:
    """Every honest reading of `text`, which `before` makes of the document's text at `span`.

    Beside a `label` the text may hold more than the value, and the field's pattern says what part it is.
    """
    if field.type is FieldType.UNION:
        return _read_branches(context, field, text, span, how, before, path=path, source=source, label=label)
    if not before and (choice := chosen(text, field)):
        text, span = text[slice(*choice)], (span[0] + choice[0], span[0] + choice[1])
    reading = _read_whole(context, field, text, how, in_row=path is not None)
    if reading and reading.rule == IN_BRACKETS:
        reading = bracketed_sign(reading, field)
    if reading and label:
        reading = cut_to_pattern(reading, text, field)
    if reading and (label or path) and source is None:
        reading = without_mark(reading, text)
    if reading is None or not is_written_so(field, reading.value, text[reading.start : reading.end]):
        return []
    if RAISED in text and is_footnote(context, text[reading.start : reading.end]):
        return []
    notes = ambiguity(reading, path or field.path) + assumption(context, reading, span, text, how, label)
    limits = (
        hedged(context, reading, text, field, path or field.path) if len(text) > reading.end - reading.start else ()
    )
    # A field has the other readings as rivals; a cell has no place for them, and is less sure instead.
    unsure = reading.loose or bool(limits) or (path is not None and bool(reading.alternatives))
    basis: Basis = "wording" if unsure else "name"
    return [
        Found(each.value, _ref(context, each, text, span, before, path or field.path, source, basis), notes + limits)
        for each in (reading, *reading.alternatives)
    ]


def _read_branches(
    context: CapabilityContext,
    union: CanonicalField,
    text: str,
    span: Span,
    how: Conventions,
    before: tuple[str, ...],
    **at: Any,
) -> list[Found]:
    """The readings of the branch that takes the text and says the most of it; rivals where several do."""
    found = []
    for branch in branches_in_text(union):
        readings = read_at(context, branch, text, span, how, before, **at)
        if readings and not problems(branch, readings[0].value):
            found.append((branch, readings[0], 1))
    best = most_evident(found)
    if best and len(union.branches) > 1:
        note = union_choice_note(union, best[0][0], at.get("path") or union.path)
        best[0] = (best[0][0], attrs.evolve(best[0][1], diagnostics=(*best[0][1].diagnostics, note)))
    return [each for _, each in best]


def hedged(
    context: CapabilityContext, reading: Reading, text: str, field: CanonicalField, path: str, low: int = 0
) -> tuple[Diagnostic, ...]:
    """The note that a value is only an estimate or a bound, with the words or the sign that say so."""
    hedge = hedge_at(text, reading.start, reading.end, field, lexicon_of(context.policy.lexicon), low)
    if not hedge:
        return ()
    message = f"{hedge!r} stands with {text[reading.start : reading.end]!r}: it is not {reading.value} exactly"
    return (Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, path),)


def with_hedge(context: CapabilityContext, found: Found, field: CanonicalField, basis: Basis = "wording") -> Found:
    """What was found in a text, as context by a basis and with a note where a hedge stands before or behind it."""
    if found.ref.span is None:
        return found
    reading = Reading(*found.ref.span, found.value)
    notes = hedged(context, reading, context.document.text, field, found.ref.field_path)
    if not notes:
        return found
    told = tuple(dict.fromkeys((*found.diagnostics, *notes)))
    return attrs.evolve(found, ref=attrs.evolve(found.ref, basis=basis), diagnostics=told)


def _read_once(context: CapabilityContext, field: CanonicalField, text: str, how: Conventions) -> Reading | None:
    """What a field reads in a text; the cells of a column often say the same."""
    if len(text) > _SHORT:
        return read_value(text, field, how)
    cache, key = context.document.cache, (id(field), how)
    if key not in cache:
        # The field is kept, so that nothing else gets its place in memory.
        cache[key] = (field, {})
    known: dict[str, Reading | None] = cache[key][1]
    if text not in known:
        known[text] = read_value(text, field, how)
    return known[text]


_SHORT = 24


def _read_whole(
    context: CapabilityContext, field: CanonicalField, text: str, how: Conventions, *, in_row: bool
) -> Reading | None:
    reading = _read_once(context, field, text, how)
    if reading is None and field.type is FieldType.DATE and len(text) < _LONGEST_DAY:
        return complete_date(context.document, text, conventions(context), in_row=in_row)
    return reading


def bracketed_sign(reading: Reading, field: CanonicalField) -> Reading:
    """A number in brackets, negative where money is asked for; no rate of a tax is, nor the number of a line."""
    asked = head_nouns(field, load())
    if not asked.isdisjoint(_COUNTED):
        return reading.alternatives[0]
    return reading if asked.isdisjoint(_OF_MONEY) else attrs.evolve(reading, alternatives=(), rule="")


_OF_MONEY = frozenset(("amount", "total", "tax"))
_COUNTED = frozenset(("number", "rate", "code", "period", "date"))


def cut_to_pattern(reading: Reading, text: str, field: CanonicalField) -> Reading:
    """The part of a text that the field's pattern takes, if that is words of it and not just letters of a word."""
    regex = pattern_of(field) if field.type is FieldType.STRING else None
    if regex is None or regex.startswith("^") or regex.endswith("$"):
        # An anchored pattern speaks of the whole value, and that satisfies it.
        return reading
    spans = find_spans(regex, text[reading.start : reading.end])
    for start, end in ((reading.start + first, reading.start + last) for first, last in spans[:1]):
        if text[start - 1 : start] in _APART_BEFORE and text[end : end + 1] in _APART_AFTER:
            return Reading(start, end, text[start:end])
    return reading


_POWER = lazy_pattern(
    r"(?:\A|[^a-zA-Z])(?:[a-z]{1,2}[²³⁴]|[a-z][⁵-⁹]|[a-z][¹²³⁴-⁹][⁰¹²³⁴-⁹])\Z"
    r"|[⁺⁻][⁰¹²³⁴-⁹]*\Z|[·⋅×*x] ?10[⁰¹²³⁴-⁹]+\Z"
)
_WITH_CENTS = lazy_pattern(rf"\d[\d.,]*{RAISED}\d\d\Z")


def without_mark(reading: Reading, text: str) -> Reading:
    """Printed words without the marks of footnotes behind them; m², s⁻¹ and Na⁺ are none, and a price has cents."""
    quote = text[reading.start : reading.end]
    if not (quote[-1:] in SUPERSCRIPTS or quote[-3:-2] == RAISED) or reading.transforms not in ((), ("fold",)):
        return reading
    kept = quote[:-3] if quote[-3:-2] == RAISED else quote.rstrip(f"{SUPERSCRIPTS} ,")
    cents = _WITH_CENTS.search(quote)
    is_price = cents is not None and with_raised_cents(quote, cents.start(), cents.end())
    if not kept or is_price or _POWER.search(quote[-_LONGEST_MARK:]):
        return reading
    return Reading(reading.start, reading.start + len(kept), fold(kept), reading.transforms)


def is_footnote(context: CapabilityContext, quote: str) -> bool:
    """Whether what looks like raised cents is the mark of a footnote of the page."""
    from paxman.documents.superscripts import starts_note

    _, mark, figures = quote.partition(RAISED)
    return bool(mark) and starts_note(context.document.text, figures[:2])


_APART_BEFORE = frozenset(("", " ", "(", "[", "#", "\t"))
_APART_AFTER = frozenset(("", " ", ")", "]", ",", ";", "\t"))


def _ref(
    context: CapabilityContext,
    reading: Reading,
    text: str,
    span: Span,
    before: tuple[str, ...],
    path: str,
    source: Source | None,
    basis: Basis,
) -> EvidenceRef:
    """Narrow the span to the value where the text is the document's own; otherwise cut after decoding."""
    if not before:
        narrowed = (span[0] + reading.start, span[0] + reading.end)
        return context.evidence(narrowed, reading.transforms, path=path, source=source, basis=basis)
    whole = (reading.start, reading.end) == (0, len(text))
    cut = () if whole else (f"slice:{reading.start}-{reading.end}",)
    return context.evidence(span, (*before, *cut, *reading.transforms), path=path, source=source, basis=basis)


def ambiguity(reading: Reading, path: str) -> tuple[Diagnostic, ...]:
    """The note that a text can honestly be read in several ways, or that something speaks against its value."""
    if reading.doubt:
        return (Diagnostic("VALIDATION_FAILED", Severity.WARNING, f"{reading.value}: {reading.doubt}", path),)
    if not reading.alternatives:
        return ()
    readings = [str(each.value) for each in (reading, *reading.alternatives)]
    same_text = all((each.start, each.end) == (reading.start, reading.end) for each in reading.alternatives)
    advice = "; set a locale to decide" if same_text else ""
    message = f"can be read as {' or '.join(readings)}; {reading.rule}{advice}"
    return (Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, path, {"readings": readings}),)


def assumption(
    context: CapabilityContext, reading: Reading, span: Span, text: str, how: Conventions, label: Span | None = None
) -> tuple[Diagnostic, ...]:
    """The note that an amount has no currency beside it or its label; the same one for all amounts of a field."""
    value = reading.value
    if not isinstance(value, Money) or how.states_currency:
        return ()
    if reading.loose:
        is_dollar = "$" in text[reading.start : reading.end]
        message = f"the sign is taken for {value.currency}, the currency of the only country that the page names"
        if is_dollar:
            message = f'"$" is taken for {value.currency}; the page does not say which dollar it means'
        return (Diagnostic("CURRENCY_ASSUMED", Severity.INFO, message, context.field.path),)
    if not _BARE.fullmatch(text, reading.start, reading.end):
        return ()
    cache, key = context.document.cache, ("assumed", context.field.path)
    if key not in cache:
        if value.currency != conventions(context).currency or _is_named_near(context, value.currency, span, label):
            return ()
        cache[key] = (_assumed(context, value.currency),)
    notes: tuple[Diagnostic, ...] = cache[key]
    return notes


_BARE = lazy_pattern(r"[\d\s.,'’()+−-]*")
_NEAR = 12
_LINE = 120
_HEAD, _TAIL = 60_000, 10_000
_EDGES = {"json": "{[,\n", "xml": "<\n", "csv": ",;|\t\n"}
"""What parts the name of a value from what stands before it; elsewhere that is the line."""


def _is_named_near(context: CapabilityContext, currency: str, span: Span, label: Span | None) -> bool:
    """Whether a currency stands in the line of an amount, in its key, at its label or over its columns."""
    document = context.document
    text = document.text
    before = text[max(0, span[0] - _LINE) : span[0]]
    edge = max(before.rfind(mark) for mark in _EDGES.get(document.kind, "\n"))
    after = "" if document.kind in _EDGES else text[span[0] : span[1] + _NEAR].partition("\n")[0]
    if _names(before[edge + 1 :] + after, currency):
        return True
    if label and _names(text[label[0] : label[1]] + text[label[1] : label[1] + _NEAR].partition("\n")[0], currency):
        return True
    return document.kind == "csv" and _names(text[:_LINE].partition("\n")[0], currency)


@lru_cache(maxsize=64)
def _names(text: str, currency: str) -> bool:
    return any(True for _ in currency_places(text.upper().replace("_", " "), currency))


def _assumed(context: CapabilityContext, currency: str) -> Diagnostic:
    # The head and tail tell where the page names it.
    text = context.document.text
    tail = max(_HEAD, len(text) - _TAIL)
    found = [*currency_places(text[:_HEAD], currency)]
    found += [(start + tail, end + tail) for start, end in currency_places(text[tail:], currency)]
    places = [place for place in found if not is_weak(text[slice(*place)])]
    message = f"{currency} is taken from the locale"
    if places:
        times = f"{len(places)} time{'s' if len(places) > 1 else ''}"
        message = f"{currency} is taken from elsewhere on the page, which names it {times}"
    detail = {"currency": currency, "span": places[0] if places else None, "places": len(places)}
    return Diagnostic("CURRENCY_ASSUMED", Severity.INFO, message, context.field.path, detail)


def to_candidates(found: Sequence[Found]) -> tuple[Candidate, ...]:
    """Equal values become one candidate with several references; the order is that of first appearance."""
    if len(found) == 1:
        return (Candidate(found[0].value, (found[0].ref,), found[0].diagnostics, found[0].fx_rate),)
    merged: dict[Any, list[Found]] = {}
    for each in found:
        same_by = each.value if isinstance(each.value, Decimal | Money) else repr(each.value)
        merged.setdefault(same_by, []).append(each)
    return tuple(
        Candidate(
            same[0].value,
            tuple(dict.fromkeys(each.ref for each in same))[:MOST_REFS],
            tuple(dict.fromkeys(note for each in same for note in each.diagnostics)),
            same[0].fx_rate,
        )
        for same in list(merged.values())[:MOST_RIVALS]
    )
