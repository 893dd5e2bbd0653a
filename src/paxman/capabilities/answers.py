"""From what finding ties to a field to candidates with their evidence."""

from __future__ import annotations

import os
from collections.abc import Iterator

import attrs

from paxman.capabilities.base import Basis, Candidate, CapabilityContext
from paxman.capabilities.values import Found, ambiguity, assumption, conventions, narrow, to_candidates, without_mark
from paxman.contract.constraints import is_written_so
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.finding.assignment import Answer
from paxman.finding.scalars import find_scalars
from paxman.finding.ties import Tie
from paxman.finding.wanted import GENERAL, domains_of
from paxman.lexicon.own_files import lexicon_of
from paxman.types import FieldType

SURE = 0.8
_EXPLICIT = frozenset({"key", "beside", "next", "box"})
_OWN = frozenset({"label", "name", "description"})
_MOST_RIVALS = 3
_FIRST_LINES = 60


def explicit_candidates(context: CapabilityContext) -> tuple[Candidate, ...]:
    """What stands plainly with a name of the contract's own words."""
    answer = _answer(context)
    return _candidates(context, answer) if answer and _is_explicit(answer.best) else ()


def other_candidates(context: CapabilityContext) -> tuple[Candidate, ...]:
    """What a term of the trade, a caption, a heading or a title ties to the field."""
    answer = _answer(context)
    return _candidates(context, answer) if answer and not _is_explicit(answer.best) else ()


def _answer(context: CapabilityContext) -> Answer | None:
    found = find_scalars(context.document, context.contract, lexicon_of(context.policy.lexicon), conventions(context))
    return found.get(context.field.path)


def _is_explicit(tie: Tie) -> bool:
    return tie.place.relation in _EXPLICIT and tie.claim.asked.source in _OWN


def _candidates(context: CapabilityContext, answer: Answer) -> tuple[Candidate, ...]:
    best = [found for tie in (answer.best, *answer.same) for found in _found(context, tie)]
    rivals = [found for tie in answer.rivals[:_MOST_RIVALS] for found in _found(context, tie)]
    return to_candidates([*best, *rivals])


def _found(context: CapabilityContext, tie: Tie) -> Iterator[Found]:
    text = context.document.text
    how = conventions(context)
    basis: Basis = "name" if is_sure(tie, context.field) else "likeness"
    start, quote = tie.reading.start, text[tie.reading.start : tie.reading.end]
    reading = narrow(without_mark(tie.reading.shifted(-start), quote), quote, context.field).shifted(start)
    if not is_written_so(context.field, reading.value, text[reading.start : reading.end]):
        return
    quote = text[reading.start : reading.end]
    label = tie.name.span
    notes = ambiguity(reading, context.field.path)
    notes += assumption(context, reading.shifted(-reading.start), (reading.start, reading.end), quote, how, label)
    for each in (reading, *reading.alternatives):
        ref = context.evidence((each.start, each.end), each.transforms, basis="wording" if each.loose else basis)
        yield Found(each.value, attrs.evolve(ref, detail=explain(tie)), notes)


def is_sure(tie: Tie, field: CanonicalField) -> bool:
    """Whether the name that a value was found by ties it to the field; words of a sentence do so for typed values."""
    if tie.claim.asked.source == "sentence":
        return tie.claim.fit >= SURE  # All its words were weighed.
    if tie.place.relation == "inline" and (field.type is FieldType.STRING or tie.name.line > _FIRST_LINES):
        return False  # Sentences further down speak of other things, too.
    if tie.place.relation == "below" and field.type is FieldType.STRING and len(tie.name.places) == 1:
        return False  # It may as well be the head of a column of many.
    return tie.claim.fit >= SURE


def explain(tie: Tie) -> str:
    """How a value was found: its name, how that fits, where it stands, and what decided."""
    signs = ", ".join(f"{sign} {weight:+.2f}" for sign, weight in tie.signs.parts if weight)
    return f"{tie.claim.reason}; {tie.place.relation}; {signs}"


_OWN_RULES = frozenset({"invoices", "receipts", "agreements", "general"})
_FEWEST_SIGNS = 3


def is_general(context: CapabilityContext) -> bool:
    """Whether a field is found by the general mechanisms; business papers and agreements still have their own rules."""
    field = context.field
    if field.type is FieldType.ARRAY:
        return False
    if os.environ.get("PAXMAN_ONE_ENGINE"):
        return True
    if not _has_rules(field):
        return field.type is not FieldType.STRING or not _is_of_papers(context.contract)
    return _trade(context) not in _OWN_RULES


def _has_rules(field: CanonicalField) -> bool:
    from paxman.capabilities.business_terms import term_of
    from paxman.capabilities.unlabelled import kind_of

    return term_of(field) is not None or kind_of(field) not in (None, "called")


def _is_of_papers(contract: CanonicalContract) -> bool:
    """Whether most fields of a contract are those of business papers."""
    if "of_papers" not in contract.memo:
        single = [field for field in contract.leaves if field.type is not FieldType.ARRAY]
        contract.memo["of_papers"] = sum(map(_has_rules, single)) * 2 > len(single)
    return bool(contract.memo["of_papers"])


def _trade(context: CapabilityContext) -> str:
    """The one trade that a contract plainly speaks of, or the general one."""
    contract, key = context.contract, ("trade", context.policy.lexicon)
    if key not in contract.memo:
        domains = domains_of(contract, lexicon_of(context.policy.lexicon))
        counts = sorted(((count, name) for name, count in domains.items()), reverse=True)
        plain = counts[0][0] >= _FEWEST_SIGNS and (len(counts) == 1 or counts[0][0] > counts[1][0])
        contract.memo[key] = counts[0][1] if plain else GENERAL
    found: str = contract.memo[key]
    return found
