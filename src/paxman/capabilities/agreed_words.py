"""What an agreement says in its sentences: whom it calls by a name, and from when to when it holds."""

from __future__ import annotations

import re

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import term_of
from paxman.capabilities.clauses import is_agreement
from paxman.capabilities.signatories import parties_between
from paxman.capabilities.values import Found, conventions
from paxman.contract.labels import fold_label
from paxman.lazy import lazy_pattern
from paxman.recognizers import Reading, find
from paxman.types import Span

_SAMPLE = 60_000
_LONGEST_DAY = 40
_QUOTED = lazy_pattern(r"[“\"„«‘'](?:the |der |die |das |le |la |el )?([^”\"“»’']{2,40})[”\"“»’']", re.IGNORECASE)
_BEGINS = lazy_pattern(
    r"\b(?:(?:commenc|beginn?|start)(?:ing|es|s|e)? (?:on|from)|beginn(?:t|end) am|à compter du|a partir del)"
    r" (?:the )?",
    re.IGNORECASE,
)
_ENDS = lazy_pattern(
    r"\b(?:(?:end|expir|terminat)(?:ing|es|s|e)? on|ende[tn]d? am|prend fin le) (?:the )?", re.IGNORECASE
)


def find_called(context: CapabilityContext) -> list[Found]:
    """The party that an agreement calls by the field's name: Ann Foley ("the Landlord")."""
    text = context.document.text
    names = {context.field.name_key, *context.field.label_keys}
    if not any(name in text[:_SAMPLE].casefold() for name in names) or not is_agreement(text):
        return []
    called = [party for party in parties_between(text) if names & set(map(fold_label, _QUOTED.findall(party.alias)))]
    places = [context.evidence(party.span, ("fold",), basis="wording") for party in called]
    return [Found(called[0].name, places[0])] if len(called) == 1 else []


def find_agreed_day(context: CapabilityContext) -> list[Found]:
    """The only day on which an agreement is said to begin or to end."""
    text = context.document.text[:_SAMPLE]
    leads = _BEGINS if term_of(context.field) == "start_date" else _ENDS
    of_paper = (lead for lead in leads.finditer(text) if _is_of_paper(text, lead.start()))
    days = [day for lead in of_paper for day in _day_at(context, lead.span())]
    if len({day.value for day in days}) != 1 or not is_agreement(text):
        return []
    return [Found(days[0].value, context.evidence((days[0].start, days[0].end), days[0].transforms, basis="wording"))]


def _is_of_paper(text: str, lead: int) -> bool:
    """Whether the sentence speaks of the agreement or its term, and not of a notice or a warranty."""
    return _PAPER.search(_SENTENCE_END.split(text[max(0, lead - _LONGEST_SENTENCE) : lead])[-1]) is not None


_LONGEST_SENTENCE = 200
_SENTENCE_END = lazy_pattern(r"[.;]\s")
_PAPER = lazy_pattern(
    r"\b(?:agreement|lease|contract|tenancy|term|employment|licen[cs]e|it|(?:miet)?vertrag|\w*verhältnis|contrat|bail"
    r"|contrato)\b",
    re.IGNORECASE,
)


def _day_at(context: CapabilityContext, lead: Span) -> list[Reading]:
    found = find("date", context.document.text[lead[1] : lead[1] + _LONGEST_DAY], conventions(context))
    return [found[0].shifted(lead[1])] if found and found[0].start == 0 and not found[0].alternatives else []
