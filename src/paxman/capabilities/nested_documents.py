"""Invoking a step on a document that has several parts: headers and body of a mail, and what is attached."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import attrs

from paxman.capabilities import specs
from paxman.capabilities.base import NOTHING, Candidate, CapabilityContext, CapabilityResult, ChainStep, EvidenceRef
from paxman.capabilities.structure.open_values import branches_in_text, most_evident, union_choice_note
from paxman.contract.constraints import problems
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document
from paxman.lazy import remembered
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import load
from paxman.types import Diagnostic, FieldType, Severity

Look = Callable[[CapabilityContext], CapabilityResult]


_READING = (ChainStep.EXPLICIT_EVIDENCE, ChainStep.LOCAL_EXTRACTION)


def find_in_parts(invoke: Look, context: CapabilityContext) -> CapabilityResult:
    """What a step finds in the document's own words, whichever part of it they are in; rows are filled."""
    invoke = _by_branch(invoke, context)
    if _asks_records(context) and context.read().records:
        return _records(context)
    if context.spec.step not in _READING:
        return _fill(context, invoke(context))
    own = context.read().own
    found = _find_in_mail(invoke, context if own is None else context.seeing(own))
    if not found.candidates and _asks_records(context):
        # Rows can only be blocks: tables are for the steps that read them.
        found = _records(context) if (context.read().tree is None and not context.read().tables) else found
    return _fill(context, found)


def _records(context: CapabilityContext) -> CapabilityResult:
    from paxman.capabilities.structure.many_records import find_records

    return find_records(context, find_in_parts)


def _asks_records(context: CapabilityContext) -> bool:
    """Whether a contract that is a list asks for its rows, in the first step that looks for them."""
    of_root = context.field.path == context.contract.root and bool(context.field.columns)
    return of_root and context.spec.id == specs.STRUCTURED_EXTRACTION.id


def find_repeated(invoke: Look, context: CapabilityContext) -> CapabilityResult:
    """What a step finds in a document with what it repeats from others; nothing if it repeats none."""
    if context.spec.step not in _READING or context.read().own is None:
        return NOTHING
    return _fill(context, _find_in_each(_by_branch(invoke, context), context))


def _by_branch(invoke: Look, context: CapabilityContext) -> Look:
    """A step that is asked for each branch of a union, where it knows nothing of unions itself."""
    return partial(_ask, invoke) if context.field.type is FieldType.UNION and context.spec.id in _BY_BRANCH else invoke


_BY_BRANCH = frozenset({"text_extraction", "structured_extraction", "regex_extraction", "recognition", "inference"})


def _ask(invoke: Look, context: CapabilityContext) -> CapabilityResult:
    whole = invoke(context) if context.spec.id == specs.STRUCTURED_EXTRACTION.id else NOTHING
    return whole if whole.candidates or whole.diagnostics else invoke_each(invoke, context)


def _fill(context: CapabilityContext, result: CapabilityResult) -> CapabilityResult:
    """Rows with what the contract itself says of their cells."""
    if not context.field.fills_inside or not result.candidates:
        return result
    from paxman.capabilities.row_completion import complete

    return complete(context, result)


def _find_in_mail(invoke: Look, context: CapabilityContext) -> CapabilityResult:
    """What a step finds; in a mail, the labels of the body go before its headers."""
    if context.read().kind != "email":
        return _find_in_each(invoke, context)
    from paxman.capabilities.mail_headers import prefer_body_over_headers

    readers = {each.spec.id: partial(_find_in_each, each.invoke) for each in (specs.text_extraction, specs.recognition)}
    return prefer_body_over_headers(context, partial(_find_in_each, invoke), readers)


def _find_in_each(invoke: Look, context: CapabilityContext) -> CapabilityResult:
    """What a step finds; where several documents are attached, or nothing is found, each of them has its say."""
    views = context.read().views
    if context.field.type is FieldType.ARRAY and len(views) > 1:
        # The rows of each of several documents, or of all where one list goes on; nothing more where some rival.
        if len(context.candidates) > 1:
            return NOTHING
        found = each_by_itself(context, [invoke(context.seeing(view)) for view in views])
        return invoke(context) if found is None else found
    result = invoke(context)
    if len(views) < (2 if result.candidates else 1):
        return result
    candidates = list(result.candidates)
    for found in (invoke(context.seeing(view)) for view in views):
        others = (each for each in found.candidates if not _is_guess_beside(each, result.candidates))
        candidates += [each for each in others if each not in candidates]
    return attrs.evolve(result, candidates=tuple(candidates)) if candidates else result


def _is_guess_beside(candidate: Candidate, known: Sequence[Candidate]) -> bool:
    """Whether one of several documents only guesses what is known of all, or writes it in other letters."""
    value, texts = candidate.value, [each.value for each in known if isinstance(each.value, str)]
    if isinstance(value, str) and value not in texts and value.casefold() in map(str.casefold, texts):
        return True
    return _is_guess(candidate) and not all(map(_is_guess, known))


def _is_guess(candidate: Candidate) -> bool:
    return all(ref.basis in ("place", "stand_in") for ref in candidate.evidence_refs)


_POSITION = "tables/position"
_PAGE = re.compile(r"(?m)([^\W\d_]{0,20}) ?\b(\d{1,3}) ?(/|[^\W\d_]{1,5}) ?(\d{1,3})[ \t\r]{0,3}$")
"""A page and how many there are, at the end of a line."""


def each_by_itself(context: CapabilityContext, found: Sequence[CapabilityResult]) -> CapabilityResult | None:
    """The rows that several documents have, as rivals where these differ; None where one list goes on in them."""
    candidates = [each for result in found for each in result.candidates if each.value]
    if len(candidates) < 2:
        return None
    widest = max(map(_width, candidates))
    wide = [each for each in candidates if _width(each) * 2 > widest]
    lists = list({repr(each.value): each for each in reversed(wide)}.values())[::-1]
    notes = dict.fromkeys(each for result in found for each in result.diagnostics)
    if len(lists) == 1:
        return CapabilityResult((lists[0],), diagnostics=tuple(notes))
    views = context.read().views
    marks = [_page_marks(view, len(views)) for view in views]
    if any(all(found.get(word) == {page} for page, found in enumerate(marks, 1)) for word in marks[0]) or _counts_on(
        context, lists
    ):
        return None
    message = f"{len(lists)} of the documents have rows of their own, which are not one list; read them one by one"
    note = Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, context.field.path)
    return CapabilityResult(tuple(lists), diagnostics=(note, *notes))


def _width(candidate: Candidate) -> int:
    """How many columns rows have; a list of half as many is of something else, such as prices beside an order."""
    return len({name for row in candidate.value if isinstance(row, Mapping) for name in row}) or 1


def _page_marks(view: Document, count: int) -> dict[tuple[str, str], set[int]]:
    """The pages that a document of so many says it has, by the words around their numbers."""
    marks: dict[tuple[str, str], set[int]] = {}
    for match in _PAGE.finditer(view.text):
        if int(match[4]) == count:
            marks.setdefault((match[1], match[3]), set()).add(int(match[2]))
    return marks


def _counts_on(context: CapabilityContext, lists: Sequence[Candidate]) -> bool:
    """Whether a column of positions counts from the first row of the first list to the last of the last."""
    heads = load().by_head
    rows = [row for each in lists for row in each.value if isinstance(row, Mapping)]
    numbers = [str(place) for place in range(1, len(rows) + 1)]
    names = [each.name for each in context.field.columns if _POSITION in heads.get(fold_words(each.words), ())]
    return any([str(row.get(name)) for row in rows] == numbers for name in names)


def invoke_each(step: Look, context: CapabilityContext) -> CapabilityResult:
    """What a step finds for the branches of a union: the best, or rivals where several are as good."""
    found: list[tuple[CanonicalField, Candidate, int]] = []
    answers: dict[int, tuple[Candidate, ...]] = {}
    notes: list[Diagnostic] = []
    for branch in branches_in_text(context.field):
        inner = attrs.evolve(context, field=branch, contract=_with_branch(context.contract, branch))
        result = _composed(step, inner, branch) if branch.children else step(inner)
        notes += result.diagnostics
        valid = tuple(each for each in result.candidates if not problems(branch, each.value))
        if valid:
            answers[id(branch)] = valid
            found.append((branch, valid[0], len(valid[0].evidence_refs)))
    best = most_evident(found)
    if not best:
        return CapabilityResult(diagnostics=tuple(dict.fromkeys(notes)))
    choice = (
        [union_choice_note(context.field, best[0][0], context.field.path)] if len(context.field.branches) > 1 else []
    )
    candidates = [candidate for branch, _ in best for candidate in answers[id(branch)]]
    return CapabilityResult(tuple(candidates), diagnostics=tuple(dict.fromkeys((*notes, *choice))))


@remembered(lambda contract, branch: (contract.memo, branch))
def _with_branch(contract: CanonicalContract, branch: CanonicalField) -> CanonicalContract:
    """The contract as if the branch were all that the union may be: fields of a page are found together."""
    fields = tuple(_replaced(field, branch) for field in contract.fields)
    return attrs.evolve(contract, fields=fields, check_data=None)


def _replaced(field: CanonicalField, branch: CanonicalField) -> CanonicalField:
    if field.path == branch.path:
        return branch
    if not branch.path.startswith(f"{field.path}."):
        return field
    return attrs.evolve(field, children=tuple(_replaced(child, branch) for child in field.children))


def _composed(step: Look, context: CapabilityContext, branch: CanonicalField) -> CapabilityResult:
    """An object from what is found for each of its fields; none without those that it must have."""
    values: dict[str, Any] = {}
    refs: list[EvidenceRef] = []
    notes: list[Diagnostic] = []
    for child in branch.children:
        inner = attrs.evolve(context, field=child)
        result = _composed(step, inner, child) if child.children else step(inner)
        notes += [*result.diagnostics, *[note for candidate in result.candidates[:1] for note in candidate.diagnostics]]
        valid = [each for each in result.candidates if not problems(child, each.value)]
        if valid:
            values[child.name] = valid[0].value
            refs += valid[0].evidence_refs
        elif child.required and not child.is_filled:
            return CapabilityResult()
    candidates = (Candidate(values, tuple(refs), tuple(dict.fromkeys(notes))),) if values else ()
    return CapabilityResult(candidates)
