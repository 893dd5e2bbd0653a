"""What an agreement says in running text: since when, how long, and under whose law."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.values import Found, conventions
from paxman.recognizers import Reading
from paxman.recognizers.base import UNKNOWN, Conventions
from paxman.recognizers.dates import find_dates
from paxman.recognizers.places import find_regions
from paxman.recognizers.times import find_durations
from paxman.types import Span

_PREAMBLE = 3500
"""Characters at the top in which an agreement says who, when and between whom."""
_SIGNATURES = 3000
_MOST_CLAUSES = 400
_MOST_REFS = 3


@attrs.frozen
class Clause:
    """A value in running text with the weight of the words around it."""

    weight: int
    reading: Reading

    @property
    def span(self) -> Span:
        return self.reading.start, self.reading.end


def _best(context: CapabilityContext, clauses: Iterable[Clause], sure: int, least: int) -> list[Found]:
    """The values of the heaviest clauses, the earliest first; below `sure` they are only a guess."""
    ranked = [clause for clause in clauses if clause.weight >= least]
    if not ranked:
        return []
    top = max(clause.weight for clause in ranked)
    value = next(clause for clause in ranked if clause.weight == top).reading.value
    agreeing = [clause for clause in ranked if _key(clause.reading.value) == _key(value)]
    refs = [context.evidence(clause.span, clause.reading.transforms) for clause in agreeing[:_MOST_REFS]]
    if top < sure:
        refs = [attrs.evolve(refs[0], role="context")]
    return [Found(agreeing[0].reading.value, ref) for ref in refs]


def _key(value: object) -> str:
    return str(value).casefold()


_LAW = re.compile(
    r"\b(?:laws?|rechte?s?|gesetzen?|droit|lois?|leyes|ley|derecho|legislaci[oó]n|legge|leggi|diritto|leis?|direito|wetten|prawo|undang-undang)\b",
    re.IGNORECASE,
)
_GOVERNED = re.compile(
    r"govern|constru|interpret|in\s+accordance|enforce|controlled|pursuant|subject\s+to|unterlieg|gilt|anwendbar|r[ée]gi|soumis|rige|regir|regid|disciplinat|regolat|toepass|beheerst|podlega|tertakluk",
    re.IGNORECASE,
)
_GOVERN = re.compile(r"\bgovern", re.IGNORECASE)
_BETWEEN = re.compile(
    r"[\s,]*(?:\(?(?:and|but|not|without)\b[^.;]{0,60}?)?(?:of|der|des|von|de|du|del|della|di|do|da|van)?\s*(?:the|la|le|el|das|den|het)?\s*"
    r"(?:(?:state|commonwealth|province|republic|kingdom|territory|district|staates?|bundesrepublik|r[ée]publique|rep[uú]blica|estado|[ée]tat|stato|repubblica|land)\s*(?:of|de|du|di)?\s*)?[\"“(]?\s*\Z",
    re.IGNORECASE,
)


def find_jurisdiction(context: CapabilityContext) -> list[Found]:
    """The state or country whose law governs."""
    return _best(context, _governing(context.document.text), sure=3, least=2)


def _governing(text: str) -> Iterator[Clause]:
    for count, law in enumerate(_LAW.finditer(text)):
        if count >= _MOST_CLAUSES:
            return
        region = _region_after(text, law.end()) or _region_before(text, law.start())
        if region:
            yield Clause(_weight_of_law(text, law.start(), law.end(), text[region.start : region.end]), region)


def _region_after(text: str, start: int) -> Reading | None:
    """The region named right after "laws", with nothing but "of the State of" between."""
    for region in find_regions(text[start : start + 130], UNKNOWN)[:1]:
        if region.start < 95 and _BETWEEN.match(text, start, start + region.start):
            return region.shifted(start)
    return None


def _region_before(text: str, end: int) -> Reading | None:
    """The region in "New York law"."""
    begin = max(0, end - 40)
    for region in find_regions(text[begin:end], UNKNOWN)[-1:]:
        if not text[begin + region.end : end].strip():
            return region.shifted(begin)
    return None


def _weight_of_law(text: str, start: int, end: int, region: str) -> int:
    before, after = text[max(0, start - 160) : start], text[end : end + 130]
    weight = 1 + 2 * bool(_GOVERNED.search(before) or _GOVERN.search(after))
    return weight + bool(_GOVERN.search(before)) - 2 * (region.casefold().startswith("united states"))


_DATED = re.compile(
    r"(?:\b(?:as\s+of|effective(?:\s+(?:as\s+of|on|from|date))?|dated?|made(?:\s+and\s+entered\s+into)?(?:\s+on)?|entered(?:\s+into)?(?:\s+on)?|executed(?:\s+on)?"
    r"|vom|datiert|en\s+date\s+du|fechado|de\s+fecha|datato|in\s+data|datado|gedateerd|zawarta\s+w\s+dniu|bertarikh)|\bday\s+of)"
    r"(?:\s+(?:as\s+of|on|effective))?(?:\s+(?:this|the|is|of|day|be))*[\s,:;\"“”()]*\Z",
    re.IGNORECASE,
)
_EFFECTIVE_AFTER = re.compile(r"[\s,)]*(?:\(\s*)?(?:the|this|such)?\s*[\"“”'‘]*\s*effective\s+date", re.IGNORECASE)
_EFFECTIVE_BEFORE = re.compile(
    r"effective\s+(?:date|as\s+of|on|from)\b[\s\"“”'‘():,]*(?:\b(?:is|means|shall|be|of|this|the|as|on)\b[\s:,]*){0,6}\Z",
    re.IGNORECASE,
)
_OWN_PAPER = re.compile(r"\bth(?:is|ese)\b(?!\s+letter\s+will)", re.IGNORECASE)
_OTHER_PAPER = re.compile(
    r"\b(?:entered\s+into\s+an?|that\s+certain|merger|purchase|employment|credit|rights|original|prior|previous|existing|schedule|amend\w*|restated|plan|act"
    r"|the\s+(?:\w+\s+){1,4}agreement)\b[^.]{0,80}\Z",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.;]\s*\n|[.;]\s+(?=[A-Z][a-z])|\n\s*\n")
_SIGNED = re.compile(r"\b(?:date|dated|signed|datum|fecha)\b\s*[:.]?[\s_]*\Z", re.IGNORECASE)
_DATE_BELOW = re.compile(r"\s*\n\s*date\b", re.IGNORECASE)
_EFFECTIVE = re.compile(r"\beffective\s+(?:date|as\s+of|on)\b", re.IGNORECASE)


def find_effective_date(context: CapabilityContext) -> list[Found]:
    """The day from which an agreement holds: as its first lines say, or else the day of the last signature."""
    text = context.document.text
    how = conventions(context)
    head = [Clause(_weight_of_date(text, r), r) for r in find_dates(text[:_PREAMBLE], how)]
    named = (Clause(5, r) for r in _effective_dates(text, how) if _weight_of_date(text, r) == 5)
    return (
        _best(context, head, sure=4, least=4)
        or _best(context, named, sure=5, least=5)
        or _best(context, head, sure=4, least=3)
        or _last_signature(context, how)
    )


def _effective_dates(text: str, how: Conventions) -> Iterator[Reading]:
    for count, anchor in enumerate(_EFFECTIVE.finditer(text, min(_PREAMBLE, len(text)))):
        if count >= 20:
            return
        begin = max(0, anchor.start() - 60)
        for reading in find_dates(text[begin : anchor.end() + 60], how):
            yield reading.shifted(begin)


def _weight_of_date(text: str, date: Reading) -> int:
    before, after = text[max(0, date.start - 250) : date.start], text[date.end : date.end + 40]
    if _EFFECTIVE_AFTER.match(after) or _EFFECTIVE_BEFORE.search(before):
        return 5
    if date.start < _PREAMBLE and _DATED.search(before):
        return 4 if _is_own(_SENTENCE.split(before)[-1], date.start) else 1
    return 3 if date.start < _PREAMBLE // 2 and _alone(text, date) else 0


def _is_own(sentence: str, start: int) -> bool:
    """Whether a dated sentence speaks of this paper and not of another one."""
    return bool(_OWN_PAPER.search(sentence) or start < 700) and not _OTHER_PAPER.search(sentence)


def _last_signature(context: CapabilityContext, how: Conventions) -> list[Found]:
    """Both must sign before an agreement holds, so the latest of the dates beside signatures counts."""
    text = context.document.text
    begin = max(0, len(text) - _SIGNATURES)
    readings = [reading.shifted(begin) for reading in find_dates(text[begin:], how)]
    signed = [reading for reading in readings if _is_signed(text, reading)]
    if not signed:
        return []
    last = max(signed, key=lambda reading: str(reading.value))
    return _best(context, [Clause(1, last)], sure=2, least=1)


def _is_signed(text: str, date: Reading) -> bool:
    before, after = text[max(0, date.start - 60) : date.start], text[date.end : date.end + 20]
    if _SIGNED.search(before) or _DATE_BELOW.match(after):
        return True
    return _DATED.search(before) is not None and _is_own(_SENTENCE.split(before)[-1], 0)


def _alone(text: str, date: Reading) -> bool:
    """Whether a date has its line for itself, as over a letter."""
    left = text[max(0, date.start - 40) : date.start].rpartition("\n")[2]
    right = text[date.end : date.end + 40].partition("\n")[0]
    return not left.strip() and not right.strip(" .,")


_RUNS_OUT = re.compile(
    r"\b(?:terminat(?:e|es|ion)|expir(?:e|es|ation)|(?:remain|continue|be|is)\s+in\s+(?:full\s+)?(?:force|effect)|in\s+(?:full\s+force\s+and\s+)?effect"
    r"|remain\s+effective|(?:be|become)\s+effective|term\s+of\s+(?:this|the)|term\s+shall\s+be|duration\s+of|no\s+further\s+force|cease|survive|be\s+binding|continue\s+(?:for|until)"
    r"|laufzeit|endet|läuft|dur[ée]e|prend\s+fin|vigencia|duraci[oó]n|durata|looptijd)\b",
    re.IGNORECASE,
)
_THIS_PAPER = re.compile(
    r"\b(?:th(?:is|e)\s+(?:\w+[\s-]+){0,3}agreement|obligations?|covenants|commitments|vertrag|vereinbarung|accord|contrat|contrato|contratto|overeenkomst|hereof|hereunder)\b",
    re.IGNORECASE,
)
_TERM_HEADING = re.compile(
    r"(?:\A|\n|\d[.)]|[.;:]\s)\s*(?:\(?\w{1,3}[.)]\s*)?(?:term|duration|termination|laufzeit|dur[ée]e|plazo)\b[^.:\n]{0,30}[.:]",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"[\s,]*(?:period\s+)?(?:from|after|following|of|beginning|commencing|anniversary|nach|ab|apr[èe]s|desde|dopo|na)?\s*(?:and\s+\w+\s+)?(?:the|its|such|this|date)?\s*(?:\w+\s+){0,4}?"
    r"(?:date|hereof|effective|execution|agreement|above)\b",
    re.IGNORECASE,
)
_OTHER_PERIOD = re.compile(
    r"\b(?:solicit\w*|hire|employment|employ|standstill|acquire|securities|compet\w*|notice|prior\s+to|within|preceding|severance|salary|purchase"
    r"|restricted\s+period|vest\w*|cure|option|revo\w+|signing)\b",
    re.IGNORECASE,
)
_TERM_IS = re.compile(
    r"\b(?:term|duration|period[”\"]?\))\W[^.;]{0,40}?\b(?:shall\s+be|is|will\s+be|of|be)\s+(?:for\s+)?(?:a\s+)?(?:(?:period|term)\s+of\s+)?\Z",
    re.IGNORECASE,
)
_ON_TOP = re.compile(r"\bduring\b[^;]{0,120}\band\s+(?:for|until)\b", re.IGNORECASE)
_AFTERWARDS = re.compile(
    r"[\s,]*(?:period\s+)?(?:immediately\s+)?(?:after|following|from)\b[^.;,]{0,60}\b(?:terminat|ceas|expir|separat|leav)",
    re.IGNORECASE,
)


def find_term(context: CapabilityContext) -> list[Found]:
    """How long an agreement lasts."""
    text = context.document.text
    readings = find_durations(text, conventions(context))[:_MOST_CLAUSES]
    return _best(context, [Clause(_weight_of_term(text, r), r) for r in readings], sure=5, least=4)


def _weight_of_term(text: str, duration: Reading) -> int:
    before = text[max(0, duration.start - 300) : duration.start]
    sentence = _SENTENCE.split(before)[-1]
    after = text[duration.end : duration.end + 70]
    weight = 2 * bool(_RUNS_OUT.search(sentence)) + bool(_THIS_PAPER.search(sentence)) + bool(_SINCE.match(after))
    weight += 2 * bool(_TERM_HEADING.search(before[-220:])) + 2 * bool(_TERM_IS.search(sentence))
    weight -= 2 * bool(_OTHER_PERIOD.search(sentence[-160:])) + 2 * bool(_OTHER_PERIOD.search(after[:40]))
    weight -= 3 * bool(_ON_TOP.search(sentence))
    return weight - 2 * bool(_AFTERWARDS.match(after))
