"""Invoking a step on a document that has several parts: headers and body of a mail, and what is attached."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import attrs

from paxman.capabilities import specs
from paxman.capabilities.base import NOTHING, Candidate, CapabilityContext, CapabilityResult, ChainStep
from paxman.documents.document import Document
from paxman.types import FieldType

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
    found = _find_in_mail(invoke, context if own is None else _seeing(context, own))
    if not found.candidates and _asks_records(context):
        found = _records(context) if _has_no_table(context) else found
    return _fill(context, found)


def _records(context: CapabilityContext) -> CapabilityResult:
    from paxman.capabilities.structure.many_records import find_records

    return find_records(context, find_in_parts)


def _has_no_table(context: CapabilityContext) -> bool:
    """Whether rows can only be blocks: tables are for the steps that read them."""
    return context.read().tree is None and not context.read().tables


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
    from paxman.capabilities.structure.branches import invoke_each

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
    from paxman.capabilities.mail_headers import heed_body

    readers = {each.spec.id: partial(_find_in_each, each.invoke) for each in (specs.text_extraction, specs.recognition)}
    return heed_body(context, partial(_find_in_each, invoke), readers)


def _find_in_each(invoke: Look, context: CapabilityContext) -> CapabilityResult:
    """What a step finds; where several documents are attached, or nothing is found, each of them has its say."""
    views = context.read().views
    if context.field.type is FieldType.ARRAY and len(views) > 1:
        return _find_rows(invoke, context, views)
    result = invoke(context)
    if len(views) < (2 if result.candidates else 1):
        return result
    candidates = list(result.candidates)
    for found in (invoke(_seeing(context, view)) for view in views):
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


def _find_rows(invoke: Look, context: CapabilityContext, views: Sequence[Document]) -> CapabilityResult:
    """The rows of each of several documents, or of all where one list goes on; nothing more where some rival."""
    from paxman.capabilities.structure.attached_rows import each_by_itself

    if len(context.candidates) > 1:
        return NOTHING
    found = each_by_itself(context, [invoke(_seeing(context, view)) for view in views])
    return invoke(context) if found is None else found


def _seeing(context: CapabilityContext, document: Document) -> CapabilityContext:
    return attrs.evolve(context, read=partial(_same, document))


def _same(document: Document) -> Document:
    return document
