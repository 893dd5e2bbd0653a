"""Values that the field's own pattern finds in the text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from paxman.capabilities import specs
from paxman.capabilities.answers import found_candidates
from paxman.capabilities.base import NOTHING, Basis, Candidate, CapabilityContext, CapabilityResult
from paxman.capabilities.values import (
    MOST_REFS,
    MOST_RIVALS,
    Found,
    conventions,
    read_at,
    to_candidates,
    with_hedge,
)
from paxman.contract.patterns import compile_pattern, find_spans, matches, reach_of
from paxman.documents.document import Document
from paxman.errors import CapabilityError
from paxman.recognizers.base import is_cut
from paxman.transforms import fold, run
from paxman.types import Diagnostic, FieldType, Severity, Span

_MOST_QUOTES = 20


class RegexExtraction:
    """Searches the whole text; a group named `value` is the value, otherwise all that the pattern finds."""

    spec = specs.REGEX_EXTRACTION

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        if not context.config.get("regex"):
            return NOTHING
        regex = str(context.config["regex"])
        is_weak = context.field.constraint("pattern") is not None and not compile_pattern(regex).is_telling
        basis: Basis = "likeness" if is_weak else "name"
        # Names of data are keys, which another step reads; as labels of a text they would lead to its signs.
        known = () if basis == "name" or context.document.kind == "json" else _known(regex, context)
        return CapabilityResult(known) if known else _search(regex, context, basis)


def _search(regex: str, context: CapabilityContext, basis: Basis) -> CapabilityResult:
    spans, cut = _spans(regex, context), _cut(regex, context)
    found = [each for quote, places in spans.items() for each in _read(context, regex, quote, places, basis)]
    candidates = to_candidates(found)
    different = len({repr(each.value) for each in found})
    notes = cut
    if different > MOST_RIVALS:
        message = f"the pattern finds {different} different values, only the first {len(candidates)} are considered"
        notes = (*cut, Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, context.field.path))
    return CapabilityResult(candidates, diagnostics=notes) if candidates or notes else NOTHING


def _known(regex: str, context: CapabilityContext) -> tuple[Candidate, ...]:
    """What the field's labels, tags or place tell, where the pattern finds it and would take much else, too."""
    found = found_candidates(context)
    return tuple(each for each in found if not isinstance(each.value, str) or matches(regex, each.value))


def _spans(regex: str, context: CapabilityContext) -> dict[str, list[Span]]:
    """Places of the hits by what stands there; a few of each are enough for evidence."""
    document = context.document
    try:
        compile_pattern(regex)  # one that can only be checked is no error for those who check it
        spans = find_spans(regex, document.text, cache=document.cache)
    except ValueError as error:
        raise CapabilityError(f"cannot use the pattern {regex}: {error}") from None
    quotes: dict[str, list[Span]] = {}
    for span in (span for span in spans if not is_cut(document.text, *span) and _is_data(document, span[0])):
        quotes.setdefault(document.text[span[0] : span[1]], []).append(span)
    # A hit is more than blanks, and in data more than the signs that hold the data together.
    quotes = {
        quote: places
        for quote, places in quotes.items()
        if (any(map(str.isalnum, quote)) if document.kind == "json" else bool(quote.strip()))
    }
    return {quote: places[:MOST_REFS] for quote, places in list(quotes.items())[:_MOST_QUOTES]}


def _is_data(document: Document, start: int) -> bool:
    """Whether a hit does not begin in a key of JSON, nor with the letter of an escape."""
    if document.kind != "json" or document.tree is None:
        return True
    if "values" not in document.cache:
        document.cache["values"] = [node.span for node in document.tree.walk() if node.kind == "scalar"]
    spans: list[Span] = document.cache["values"]
    before = bisect_right(spans, (start, len(document.text))) - 1
    return before >= 0 and start < spans[before][1] and document.text[start - 1 : start] != "\\"


def _read(context: CapabilityContext, regex: str, quote: str, places: list[Span], basis: Basis) -> Iterator[Found]:
    if context.field.type is FieldType.STRING:
        folded = fold(quote)
        transforms = ("fold",) if folded != quote and matches(regex, folded) else ()
        yield from (Found(run(transforms, quote), context.evidence(span, transforms, basis=basis)) for span in places)
    else:
        for span in places:
            for each in read_at(context, context.field, quote, span, conventions(context)):
                yield with_hedge(context, each, context.field)


def _cut(regex: str, context: CapabilityContext) -> tuple[Diagnostic, ...]:
    """The note that a text is too long for a large pattern."""
    length, reach = len(context.document.text), reach_of(regex)
    if length <= reach:
        return ()
    message = (
        f"the pattern was tried on the first {reach} of {length} characters only: its counted repetitions are large"
    )
    return (Diagnostic("NOT_ALL_READ", Severity.WARNING, message, context.field.path),)
