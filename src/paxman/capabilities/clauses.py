"""What an agreement says in running text: since when, how long, and under whose law."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.governing_regions import is_federal, is_of_one_field, region_after, region_before, region_said
from paxman.capabilities.label_binding import bind, relevant
from paxman.capabilities.label_scan import scan_of
from paxman.capabilities.own_papers import Whose, last_sentence, whose
from paxman.capabilities.term_clauses import weight_of_term
from paxman.capabilities.values import Found, ambiguity, conventions
from paxman.finding.parties.line_shapes import names_place
from paxman.recognizers import Reading
from paxman.recognizers.anniversaries import find_anniversaries
from paxman.recognizers.base import Conventions
from paxman.recognizers.dates import find_dates
from paxman.recognizers.tables import pattern
from paxman.recognizers.times import find_durations
from paxman.transforms import fold
from paxman.types import Span

_PREAMBLE = 3500
"""Characters at the top in which an agreement says who, when and between whom."""
_TITLE = 700
"""Characters in which a date belongs to this paper even if nothing says so."""
_SIGNATURES = 3000
"""Characters at the end in which it is signed."""
_LETTER = 200_000
"""Characters of a letter that are searched for its date on top of each page."""
_MOST_CLAUSES = 400
_MOST_ANCHORS = 20
_MOST_REFS = 3
_BESIDE_IT = 30
"""Characters that may stand between a label and its date."""


@attrs.frozen
class Clause:
    """A value in running text with the weight of the words around it."""

    weight: int
    reading: Reading

    @property
    def span(self) -> Span:
        return self.reading.start, self.reading.end

    @property
    def key(self) -> str:
        return str(self.reading.value).casefold()


def _best(context: CapabilityContext, clauses: Iterable[Clause], sure: int, least: int) -> list[Found]:
    """The value of the heaviest clause, the earliest of equals; below `sure` it is only a guess."""
    ranked = [clause for clause in clauses if clause.weight >= least]
    if not ranked:
        return []
    top = max(ranked, key=lambda clause: clause.weight)
    agreeing = [clause for clause in ranked if clause.key == top.key]
    refs = [context.evidence(clause.span, clause.reading.transforms) for clause in agreeing[:_MOST_REFS]]
    if top.weight < sure:
        refs = [attrs.evolve(refs[0], basis="wording")]
    chosen = agreeing[0].reading
    notes = ambiguity(chosen, context.field.path)
    found = [Found(chosen.value, ref, notes) for ref in refs]
    others = ((r.value, context.evidence((r.start, r.end), r.transforms)) for r in chosen.alternatives)
    return found + [Found(value, ref, notes) for value, ref in others]


def find_jurisdiction(context: CapabilityContext) -> list[Found]:
    """The state or country whose law governs."""
    text = context.document.text
    clauses = [*_governing(text), *_labelled_law(context)]
    if "jurisdiction" in context.field.name_key:
        clauses += _courts(text)
    return _best(context, map(_on_one_line, clauses), sure=3, least=2)


def _on_one_line(clause: Clause) -> Clause:
    """A clause whose value has no end of a line in it: New York."""
    name = str(clause.reading.value)
    folded = attrs.evolve(clause.reading, value=fold(name), transforms=("fold",))
    return clause if fold(name) == name else attrs.evolve(clause, reading=folded)


def _labelled_law(context: CapabilityContext) -> Iterator[Clause]:
    """The region that is all that stands beside or below a label of the field."""
    text = context.document.text
    for hit, rank in relevant(scan_of(context), bind(context.field, context.contract)):
        apart = _LABEL_END.match(text, hit.end)
        region = region_after(text, apart.end()) if apart else None
        if region and _ENDS_LINE.match(text, region.end):
            yield Clause(5 if rank == 0 else 4, region)


_LABEL_END = re.compile(r"[ \t]{0,8}(?:[:=–—-]\s{0,80}|\s{2,80}|\n\s{0,80})")
_ENDS_LINE = re.compile(r"[ \t.,;]{0,4}(?:\n|\Z|[ \t]{2})")


def _governing(text: str) -> Iterator[Clause]:
    for count, law in enumerate(pattern(r"\b(?:{law})\b").finditer(text)):
        if count >= _MOST_CLAUSES:
            return
        region = region_after(text, law.end()) or region_before(text, law.start()) or region_said(text, *law.span())
        if region:
            weight = _weight_of_law(text, law.start(), law.end(), region.end) - 2 * is_federal(region)
            yield Clause(min(weight, 2) if region.loose else weight, region)


def _courts(text: str) -> Iterator[Clause]:
    """Where disputes are settled: a guess, for courts of one country may apply the law of another."""
    court = pattern(r"\b(?:{court})\s+(?:(?:located|sitting)\s+)?(?:{of}|in)\s+(?:(?-i:[A-Z])[\w-]{2,20},\s+)?(?=\S)")
    for count, found in enumerate(court.finditer(text)):
        if count >= _MOST_CLAUSES:
            return
        region = region_after(text, found.end())
        sentence = (
            last_sentence(text[max(0, found.start() - 200) : found.start()]) + text[found.end() : found.end() + 150]
        )
        if region and pattern("{settles}").search(sentence):
            yield Clause(2, region)


def _weight_of_law(text: str, start: int, end: int, region_end: int) -> int:
    """Whether the law is said to govern or to apply, and not that of a company: "société de droit suisse"."""
    before, after = text[max(0, start - 160) : start], text[end : end + 130]
    if pattern(r"\b(?:{founded})(?:\s+\w+){0,2}\s+\Z").search(before):
        return 1
    govern = pattern(r"\b(?:{govern})")
    applies = pattern(_DECIDED).search(before) or _is_said_to_apply(text, start, max(end, region_end))
    weight = 1 + 2 * bool(applies or pattern(r"\b(?:{governed})").search(last_sentence(before)) or govern.search(after))
    return weight + bool(govern.search(before))


_DECIDED = r"\b(?:be|is|are)\s+(?:resolved|decided|determined|settled)\s+(?:\w+\s+)?(?:under|by)\s+(?:the\s+)?\Z"


def _is_said_to_apply(text: str, start: int, end: int) -> bool:
    applies = (
        r"\s+(?:(?:shall|will)\s+)?(?:exclusively\s+)?(?:appl(?:y|ies)|controls?)\b"
        r"(?!\s+to\s+(?!(?:this|it|these|the\s+agreement)\b|(?:(?:any|all)\s)?(?:\w+\s)?(?:disput|claim|matter)))"
    )
    if not pattern(applies).match(text, end) or is_of_one_field(text, start):
        return False
    return not pattern(r"\b(?:if|unless|where|whether|extent)\b").search(
        last_sentence(text[max(0, start - 160) : start])
    )


def find_effective_date(context: CapabilityContext) -> list[Found]:
    """The day from which an agreement holds: as its first lines say, or else the day of the last signature."""
    text = context.document.text
    how = conventions(context)
    head = _without_signatures(text, [Clause(_weight_of_date(text, r), r) for r in find_dates(text[:_PREAMBLE], how)])
    named = (Clause(_NAMED, r) for r in _effective_dates(text, how) if _weight_of_date(text, r) == _NAMED)
    if not is_agreement(text):
        return _best(context, head, sure=_NAMED, least=_SELF if names_agreement(text) else _NAMED)
    return (
        _best(context, head, sure=_DATED, least=_DATED)
        or _best(context, named, sure=_NAMED, least=_NAMED)
        or _best(context, head, sure=_DATED, least=_ALONE)
        or _last_signature(context, how)
    )


def _without_signatures(text: str, clauses: list[Clause]) -> list[Clause]:
    """Clauses without those beside "Date:", if these are of different days: then each is that of a signature."""
    label = pattern(r"\b(?:{signed})\s?:[\s_]*\Z")
    by = pattern(r"/s/|\b(?:by|name|title|{signed})\s?:").search(text)
    weak = (c for c in clauses if c.weight < _SELF and by and c.reading.start > by.end() + 2)
    signed = [each for each in weak if label.search(text, max(0, each.reading.start - _BESIDE_IT), each.reading.start)]
    return [c for c in clauses if c not in signed] if len({clause.key for clause in signed}) > 1 else clauses


def names_agreement(text: str) -> bool:
    """Whether a paper speaks of an agreement or is one between parties; other dates are no days from which it holds."""
    words = r"\b(?:{agreement})|\b(?:{dated})\b[^\n]{4,40}\d{4},?\s{1,9}(?:(?:and|made|by)\s{1,9}){0,3}(?:{between})\b"
    return pattern(words).search(text, 0, _LETTER) is not None


def is_agreement(text: str) -> bool:
    """Whether a paper is one that people agree on, and does not only name another that is."""
    return names_agreement(text) and not _is_bill(text)


def _is_bill(text: str) -> bool:
    """Whether the first title of a paper says that it bills: agreements that it names are other papers."""
    title = pattern(
        r"(?m)(?:^|\t| {2})[ \t]{0,80}(?P<bill>(?=(?-i:[^\W\d_a-z]))(?:[^\W\d_]{3,12} )?(?:{bill})"
        r"(?:[ \t]*$|(?![^\n]{0,30}(?:{paper}))[^\n]{0,20}[:#\d]))|\b(?:{paper_end}|{paper_start})\b"
    ).search(text, 0, _TITLE)
    return title is not None and title["bill"] is not None


def _effective_dates(text: str, how: Conventions) -> Iterator[Reading]:
    """Dates near the words "effective date", after the first lines."""
    anchors = pattern(r"\beffective\s+(?:date|as\s+of|on)\b").finditer(text, min(_PREAMBLE, len(text)))
    for count, anchor in enumerate(anchors):
        if count >= _MOST_ANCHORS:
            return
        begin = max(0, anchor.start() - 60)
        for reading in find_dates(text[begin : anchor.end() + 60], how):
            yield reading.shifted(begin)


_NAMED, _SELF, _DATED, _ALONE = 6, 5, 4, 3
"""How surely a date is the day of this paper: by name, by its own words, by words near its top, by its place."""
_OTHER = 1
_OWNED: dict[Whose, int] = {"this": _SELF, "maybe": _ALONE, "other": _OTHER}


def _weight_of_date(text: str, date: Reading) -> int:
    before, after = text[max(0, date.start - 250) : date.start], text[date.end : date.end + 40]
    owner = _owner(text, date.start, after)
    if _is_named_effective(before, after) and (owner != "other" or _may_take_effect(before)):
        return _ALONE if owner == "other" and not _BECOMES.search(before) else _NAMED
    if owner and date.start < _PREAMBLE:
        own = _is_own(last_sentence(before), date.start) and not _is_under_signature(before)
        return _OWNED.get(owner) or (_DATED if own else _OTHER)
    alone = date.start < _PREAMBLE // 2 and _stands_alone(text, date)
    return _ALONE if alone and not _is_of_letter(text, date) else 0


def _may_take_effect(before: str) -> bool:
    """Whether something is said to become effective, or this paper may be, besides one that it names."""
    return bool(_BECOMES.search(before) or pattern(r"\b(?:{self})\b").search(last_sentence(before)))


_BECOMES = re.compile(r"\b(?:is|are|be|becomes?)\s+(?:hereby\s+)?effective\b[^.;]{0,20}\Z", re.IGNORECASE)


def _owner(text: str, start: int, after: str) -> Whose | None:
    """Which paper words such as "dated as of this" before a date speak of."""
    begin = max(0, start - 250)
    dated = _dated(text[begin:start])
    if dated is None or _is_of_event(text, start):
        return None
    lead = last_sentence(text[begin : begin + dated.start()])
    if pattern("{in_force}").match(dated[0]) and not pattern(_PAPER_OR_PRONOUN).search(lead):
        return "other"
    top = min(_PREAMBLE, begin + dated.start() - len(lead))
    return whose(lead, after, text[:top])


_PAPER_OR_PRONOUN = r"\b(?:{self}|{this_paper})\b|{paper}|\A\W*\w{1,4}\W*\Z"


def _is_named_effective(before: str, after: str) -> bool:
    follows = pattern(
        r"(?:effective\s+(?:date|as\s+of|on|from)|(?:{effective_label})(?=\s?:)"
        r"|(?:\A|\n)[ \t]{0,80}(?-i:E)ffective)\b"
        r"[\s\"“”'‘():,]*(?:\b(?:is|means|shall|be|of|this|the|as|on|agreement)\b[\s:,]*){0,6}\Z"
    )
    precedes = pattern(r"[\s,)]*(?:\(\s*)?(?:the|this|such)?\s*[\"“”'‘]*\s*effective\s+date")
    return bool(precedes.match(after) or follows.search(before))


def _dated(before: str) -> re.Match[str] | None:
    """Words such as "dated as of this" that lead to a date."""
    dated = (
        r"\b(?:{dated}|day\s+of)(?:\s+(?:as\s+of|on|effective))?(?:\s+(?:this|the|is|of|day|be|el|de))*[\s,:;\"“”()]*\Z"
    )
    return pattern(dated).search(before)


def _is_of_event(text: str, start: int) -> bool:
    """Whether the label of a date says of what else it is: "Payment date:", but not "Agreement date:"."""
    label = pattern(r"([^\W\d_]+) date[ \t]?:[\s_]*\Z").search(text, max(0, start - _BESIDE_IT), start)
    return label is not None and not pattern("{paper}|{dated}|sign|execution|issue|commence|start|begin").match(
        label[1]
    )


def _is_own(sentence: str, start: int) -> bool:
    """Whether a dated sentence speaks of this paper and not of another one."""
    if pattern(r"\b(?:{other_paper})\b[^.]{0,80}\Z").search(sentence):
        return False
    return start < _TITLE or pattern(r"\bth(?:is|ese)\b(?!\s+letter\s+will)").search(sentence) is not None


def _stands_alone(text: str, date: Reading) -> bool:
    """Whether a date has its line for itself, as over a letter."""
    left = text[max(0, date.start - 40) : date.start].rpartition("\n")[2]
    right = text[date.end : date.end + 40].partition("\n")[0]
    return not left.strip() and not right.strip(" .,")


def _is_of_letter(text: str, date: Reading) -> bool:
    """Whether a date says when a letter was written: under the sender's address, or again on top of each page."""
    quote = text[date.start : date.end]
    lines = text[:_LETTER].splitlines() if text.count(quote, 0, _LETTER) > 2 else ()
    return sum(line.strip() == quote for line in lines) > 2 or any(map(names_place, text[: date.start].splitlines()))


def _is_under_signature(before: str) -> bool:
    """Whether a date says when one of the parties signed: "By: /s/ A. Oak", and "Date:" in the next line."""
    return (
        pattern(r"(?:/s/|\b(?:by|name|title)\s?:)[^\n]{0,80}\n\s{0,40}(?:{signed})\b[\s:_]*\Z").search(before)
        is not None
    )


def _last_signature(context: CapabilityContext, how: Conventions) -> list[Found]:
    """Both must sign before an agreement holds, so the latest of the dates beside signatures counts."""
    text = context.document.text
    begin = max(0, len(text) - _SIGNATURES)
    readings = [reading.shifted(begin) for reading in find_dates(text[begin:], how)]
    signed = [reading for reading in readings if _is_signed(text, reading)]
    last = max(signed, key=lambda reading: str(reading.value), default=None)
    return _best(context, [Clause(1, last)], sure=2, least=1) if last else []


_SIGNED: tuple[Whose, ...] = ("this", "unsaid")


def _is_signed(text: str, date: Reading) -> bool:
    before, after = text[max(0, date.start - 60) : date.start], text[date.end : date.end + 20]
    label = pattern(r"\b(?:{signed})\b\s?:[\s_]*\Z|(?:\A|\n)\s*(?:{signed})\b[\s_.]*\Z")
    if label.search(before) or pattern(r"\s*\n\s*date\b").match(after):
        return not _is_of_event(text, date.start)
    sentence = last_sentence(text[max(0, date.start - 600) : date.start])
    return (
        _owner(text, date.start, after) in _SIGNED
        and _is_own(sentence, 0)
        and not pattern(r"\bsupersed").search(sentence)
    )


def find_term(context: CapabilityContext) -> list[Found]:
    """How long an agreement lasts."""
    text = context.document.text
    how = conventions(context)
    readings = find_durations(text, how)[:_MOST_CLAUSES] + find_anniversaries(text, how)[:_MOST_CLAUSES]
    agreed = is_agreement(text)
    readings = sorted((r for r in readings if not _BRIEF.search(str(r.value))), key=lambda reading: reading.start)
    return _best(context, [Clause(weight_of_term(text, r, agreed), r) for r in readings], sure=5, least=4)


_BRIEF = re.compile("second|minute")
