"""Values that lessons of corrected examples point at, found without looking at what other steps found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from paxman.capabilities import specs
from paxman.capabilities.base import NOTHING, Basis, Candidate, CapabilityContext, CapabilityResult, EvidenceRef
from paxman.capabilities.table_extraction import TableExtraction
from paxman.capabilities.values import Found, ambiguity, assumption, conventions, hedged, to_candidates
from paxman.contract.constraints import is_written_so
from paxman.learning.heads import with_heads
from paxman.learning.layouts import anchors_of, layout_at
from paxman.learning.lessons import FieldLesson, Lessons
from paxman.learning.locating import same_value
from paxman.learning.mentions import label_at
from paxman.learning.recalling import Recollection, recall_all
from paxman.learning.standing import ALONE, DIFFERS, DOUBT, REJECT, SILENT, Standing
from paxman.lexicon.own_files import lexicon_of
from paxman.page.names import page_of
from paxman.types import Origin

_UNTIED = "nothing ties it to the field, and what examples of this layout had at the place is another value"


class Recall:
    """Proposes the best candidate by the field's lesson; above its threshold the find supports, below it is context."""

    spec = specs.RECALL

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        found = recalled_field(context)
        if found is None:
            return NOTHING
        lesson = context.contract.lessons.of(context.field)
        basis: Basis = "lesson" if found.supports(lesson) else "memory"
        if found.rows:
            # Rows below learned heads, read as those below known ones are.
            contract, field = with_heads(context.contract, context.field, lesson.heads)
            result = TableExtraction().invoke(attrs.evolve(context, contract=contract, field=field))
            candidates = tuple(
                attrs.evolve(each, evidence_refs=tuple(_taught(ref, found.said, basis) for ref in each.evidence_refs))
                for each in result.candidates
            )
            return attrs.evolve(result, candidates=candidates)
        return CapabilityResult(_items(context, found, basis) if found.several else _value(context, found, basis))


def recalled_field(context: CapabilityContext) -> Recollection | None:
    """What lessons say of a field, if there are any for it."""
    lessons: Lessons | None = context.contract.lessons
    if lessons is None or lessons.of(context.field) is None:
        return None
    lexicon = lexicon_of(context.policy.lexicon)
    found = recall_all(context.document, context.contract, lessons, conventions(context), lexicon)
    return found.get(context.field.path)


def contested(context: CapabilityContext) -> Iterator[tuple[Candidate, str, bool]]:
    """What other steps read and recall does not share, or recall alone, where examples say that it was wrong too often.

    A doubt falls on all that they read, so that it changes nothing between rivals.
    """
    recalled = recalled_field(context) if context.candidates else None
    lesson: FieldLesson = context.contract.lessons.of(context.field)
    read = [each for each in context.candidates if _is_read(each)]
    known = layout_at(anchors_of(page_of(context.document)), context.contract.lessons.layouts) is not None
    names = {**lesson.anywhere, **lesson.misleading} if known else lesson.anywhere
    misled = {id(each): said for each in read for said in _misled(context, each, names)}
    yield from ((each, misled[id(each)], True) for each in read if id(each) in misled)
    found = [each for each in read if id(each) not in misled]
    if not known:
        for other in filter(_is_recalled, context.candidates if found else ()):
            if not any(same_value(other.value, each.value, context.field) for each in found):
                yield other, "the page has none of the layouts of the examples", True
        return
    apart = [c for c in found if recalled is None or not same_value(recalled.value, c.value, context.field)]
    case = SILENT if recalled is None else DIFFERS
    own = [each for each in context.candidates if _is_recalled(each)]
    if len(own) == len(context.candidates):
        case, apart = ALONE, own
    standing: Standing | None = lesson.beside.get(case) if apart else None
    if standing is None:
        return
    if standing.verdict == REJECT:
        yield from ((candidate, standing.said, True) for candidate in apart)
    elif case == DIFFERS and apart == found and not any(map(_is_tied, found)):
        losers = own if standing.others > standing.recall else apart
        yield from ((candidate, standing.said if standing.total else _UNTIED, True) for candidate in losers)
    elif standing.verdict == DOUBT:
        yield from ((candidate, standing.said, False) for candidate in found if _is_tied(candidate))


def _misled(context: CapabilityContext, candidate: Candidate, names: Mapping[str, int]) -> Iterator[str]:
    """Why not to believe what stands only at names, or at none, at which examples showed the other steps wrong."""
    if not names:
        return
    if "" in names and not _is_tied(candidate):
        yield f"in {names['']} examples that do not state the field, what nothing ties to it was found all the same"
        return
    page, key = page_of(context.document.plain), context.contract.lessons.key
    labels = [label_at(page, ref.span[0]) for ref in candidate.evidence_refs if ref.span]
    counts = [names.get(key(label), 0) if label else 0 for label in labels]
    if counts and all(counts):
        times = "example" if max(counts) == 1 else "examples"
        yield f"at {labels[0]!r} the other steps were wrong in {max(counts)} {times}"


def _is_tied(candidate: Candidate) -> bool:
    return any(ref.supports for ref in candidate.evidence_refs)


def _is_recalled(candidate: Candidate) -> bool:
    return candidate.source is not None and candidate.source.capability_id == specs.RECALL.id


def _is_read(candidate: Candidate) -> bool:
    is_extracted = candidate.source is not None and candidate.source.origin is Origin.EXTRACTED
    return is_extracted and not _is_recalled(candidate)


def _taught(ref: EvidenceRef, said: str, basis: Basis) -> EvidenceRef:
    return attrs.evolve(ref, basis=basis if ref.supports else "memory", detail=said)


def _value(context: CapabilityContext, recalled: Recollection, basis: Basis) -> tuple[Candidate, ...]:
    [reading] = recalled.readings
    quote = context.document.text[reading.start : reading.end]
    if not is_written_so(context.field, reading.value, quote):
        return ()
    span, how = (reading.start, reading.end), conventions(context)
    notes = ambiguity(reading, context.field.path)
    notes += assumption(context, reading.shifted(-reading.start), span, quote, how)
    hedges = hedged(context, reading, context.document.text, context.field, context.field.path)
    ref = context.evidence(span, reading.transforms, basis="memory" if reading.loose or hedges else basis)
    return to_candidates([Found(reading.value, attrs.evolve(ref, detail=recalled.said), notes + hedges)])


def _items(context: CapabilityContext, recalled: Recollection, basis: Basis) -> tuple[Candidate, ...]:
    """A list as one candidate, each item with its place."""
    refs = [
        context.evidence((each.start, each.end), each.transforms, path=f"{context.field.path}[{number}]", basis=basis)
        for number, each in enumerate(recalled.readings)
    ]
    return (Candidate(recalled.value, tuple(attrs.evolve(ref, detail=recalled.said) for ref in refs)),)
