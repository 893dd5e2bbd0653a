"""What an agreement says in running text: since when, how long, and under whose law."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.label_binding import bind, relevant
from paxman.capabilities.label_scan import scan_of
from paxman.capabilities.line_shapes import names_place
from paxman.capabilities.own_papers import Whose, whose
from paxman.capabilities.values import Found, ambiguity, conventions
from paxman.capabilities.vocabulary import pattern
from paxman.recognizers import Reading
from paxman.recognizers.anniversaries import find_anniversaries
from paxman.recognizers.base import UNKNOWN, Conventions, read
from paxman.recognizers.dates import find_dates
from paxman.recognizers.places import find_regions, read_nation
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

# On a page that is set wide blank lines stand within sentences too, which then go on small.
_SENTENCE = re.compile(r"[.;]\s*\n|[.;]\s+(?=[A-Z][a-z])|\n\s*\n(?!\s*(?:[a-z]|\d+ [a-z]|\Z))")


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


def _sentence(before: str) -> str:
    """The part of a text that belongs to its last sentence."""
    return _SENTENCE.split(before)[-1]


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
        region = _region_after(text, apart.end()) if apart else None
        if region and _ENDS_LINE.match(text, region.end):
            yield Clause(5 if rank == 0 else 4, region)


_LABEL_END = re.compile(r"[ \t]{0,8}(?:[:=–—-]\s{0,80}|\s{2,80}|\n\s{0,80})")
_ENDS_LINE = re.compile(r"[ \t.,;]{0,4}(?:\n|\Z|[ \t]{2})")


def _governing(text: str) -> Iterator[Clause]:
    for count, law in enumerate(pattern(r"\b(?:{law})\b").finditer(text)):
        if count >= _MOST_CLAUSES:
            return
        region = _region_after(text, law.end()) or _region_before(text, law.start())
        if region:
            weight = _weight_of_law(text, law.start(), law.end()) - 2 * _is_federal(region)
            yield Clause(min(weight, 2) if region.loose else weight, region)


def _courts(text: str) -> Iterator[Clause]:
    """Where disputes are settled: a guess, for courts of one country may apply the law of another."""
    court = pattern(r"\b(?:{court})\s+(?:(?:located|sitting)\s+)?(?:{of}|in)\s+(?:(?-i:[A-Z])[\w-]{2,20},\s+)?(?=\S)")
    for count, found in enumerate(court.finditer(text)):
        if count >= _MOST_CLAUSES:
            return
        region = _region_after(text, found.end())
        sentence = _sentence(text[max(0, found.start() - 200) : found.start()]) + text[found.end() : found.end() + 150]
        if region and pattern("{settles}").search(sentence):
            yield Clause(2, region)


def _region_after(text: str, start: int) -> Reading | None:
    """The region named right after "laws", with nothing but "of the State of" between."""
    between = pattern(_TO_STATE + r"(?:(?:[\w’']{1,15}\s+)?(?:{state})\s*(?:{of})?\s*(?:{the})?\s*)?[\"“(]?\s*\Z")
    found = [region.shifted(start) for region in find_regions(text[start : start + 130], UNKNOWN)[:2]]
    if not found or found[0].start - start >= 95 or not between.match(text, start, found[0].start):
        return _state_after(text, start)
    named_beside = len(found) > 1 and _is_federal(found[0]) and _BESIDE.fullmatch(text, found[0].end, found[1].start)
    return _without_stop(found[1] if named_beside else found[0])


_REACH = 160
_TO_STATE = r"[\s,:–—-]*(?:\(?(?:and|but|not|without)\b[^.;]{0,60}?)?(?:{of})?\s*(?:{the})?\s*"


def _state_after(text: str, start: int) -> Reading | None:
    """What is called a state, whatever its name: the Canton of Zurich, the Swiss Confederation."""
    named = pattern(
        rf"(?i:{_TO_STATE}(?:{{state}})\s+(?:{{of}})\s+(?:(?:{{the}})\s+)?)(?!(?:{{common}})\b)"
        r"([A-Z][\w-]{2,30}(?:\s[A-Z][\w-]{2,30}){0,2})(?![\w’']|\s+(?:of|shown|stated|in\s+which|where)\b)",
        exact=True,
    ).match(text, start, start + _REACH)
    if named:
        return Reading(*named.span(1), named[1], loose=True)
    adjective = pattern(rf"(?i:{_TO_STATE})([A-Z][a-z]{{2,14}})\s+(?i:{{state}})\b", exact=True)
    nation = adjective.match(text, start, start + _REACH)
    return read_nation(text, *nation.span(1)) if nation else None


_BESIDE = re.compile(r",?\s+(?:of\s+America\s+)?and\s+(?:of\s+)?(?:the\s+)?(?:state\s+of\s+)?", re.IGNORECASE)


def _is_federal(region: Reading) -> bool:
    """The law of a federation is often named beside that of a state, which then governs."""
    return str(region.value).casefold().startswith("united states")


def _without_stop(region: Reading) -> Reading:
    """A region without the full stop of its sentence; the points of "U.S.A." stay."""
    name = str(region.value)
    return attrs.evolve(region, end=region.end - 1, value=name[:-1]) if name.find(".") == len(name) - 1 else region


def _region_before(text: str, end: int) -> Reading | None:
    """The region in "New York law", the country in "Swiss law"."""
    begin = max(0, end - 40)
    for region in find_regions(text[begin:end], UNKNOWN)[-1:]:
        if not text[begin + region.end : end].strip():
            return region.shifted(begin)
    word = _LAST_WORD.search(text, begin, end)
    return read_nation(text, *word.span(1)) if word else None


_LAST_WORD = re.compile(r"\b([A-Z][A-Za-z]{2,14})\s{1,2}\Z")


def _weight_of_law(text: str, start: int, end: int) -> int:
    """Whether the law is said to govern."""
    before, after = text[max(0, start - 160) : start], text[end : end + 130]
    govern = pattern(r"\b(?:{govern})")
    weight = 1 + 2 * bool(pattern("{governed}").search(before) or govern.search(after))
    return weight + bool(govern.search(before))


def find_effective_date(context: CapabilityContext) -> list[Found]:
    """The day from which an agreement holds: as its first lines say, or else the day of the last signature."""
    text = context.document.text
    how = conventions(context)
    head = [Clause(_weight_of_date(text, r), r) for r in find_dates(text[:_PREAMBLE], how)]
    named = (Clause(_NAMED, r) for r in _effective_dates(text, how) if _weight_of_date(text, r) == _NAMED)
    if not names_agreement(text):
        return _best(context, head, sure=_NAMED, least=_NAMED)
    return (
        _best(context, head, sure=_DATED, least=_DATED)
        or _best(context, named, sure=_NAMED, least=_NAMED)
        or _best(context, head, sure=_DATED, least=_ALONE)
        or _last_signature(context, how)
    )


def names_agreement(text: str) -> bool:
    """Whether a paper speaks of an agreement or is one between parties; other dates are no days from which it holds."""
    words = r"\b(?:{agreement})|\b(?:{dated})\b[^\n]{4,40}\d{4},?\s{1,9}(?:(?:and|made|by)\s{1,9}){0,3}(?:{between})\b"
    return pattern(words).search(text, 0, _LETTER) is not None


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
        own = _is_own(_sentence(before), date.start) and not _is_under_signature(before)
        return _OWNED.get(owner) or (_DATED if own else _OTHER)
    alone = date.start < _PREAMBLE // 2 and _stands_alone(text, date)
    return _ALONE if alone and not _is_of_letter(text, date) else 0


def _may_take_effect(before: str) -> bool:
    """Whether something is said to become effective, or this paper may be, besides one that it names."""
    return bool(_BECOMES.search(before) or pattern(r"\b(?:{self})\b").search(_sentence(before)))


_BECOMES = re.compile(r"\b(?:is|are|be|becomes?)\s+(?:hereby\s+)?effective\b[^.;]{0,20}\Z", re.IGNORECASE)


def _owner(text: str, start: int, after: str) -> Whose | None:
    """Which paper words such as "dated as of this" before a date speak of."""
    begin = max(0, start - 250)
    dated = _dated(text[begin:start])
    if dated is None:
        return None
    lead = _sentence(text[begin : begin + dated.start()])
    top = min(_PREAMBLE, begin + dated.start() - len(lead))
    return whose(lead, after, text[:top])


def _is_named_effective(before: str, after: str) -> bool:
    follows = pattern(
        r"(?:effective\s+(?:date|as\s+of|on|from)|(?:\A|\n)[ \t]{0,80}(?-i:E)ffective)\b"
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
        return True
    sentence = _sentence(text[max(0, date.start - 600) : date.start])
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
    readings = sorted((with_words(text, r, how) for r in readings), key=lambda reading: reading.start)
    return _best(context, [Clause(_weight_of_term(text, r), r) for r in readings], sure=5, least=4)


_TWICE = re.compile(r"([^()]{1,40}?)\s*\(([^()]{1,40})\)\s*([^()]{1,40})\Z")


def with_words(text: str, duration: Reading, how: Conventions) -> Reading:
    """A duration whose number stands there in words and in figures: where they differ, both are read."""
    twice = _TWICE.match(text, duration.start, duration.end)
    if twice is None:
        return duration
    for number in (1, 2):
        other = f"{twice[number]} {twice[3]}"
        found = next(iter(find_durations(other, how)), None)
        if found and found.end - found.start == len(other) and found.value != duration.value:
            spans = ([at - duration.start for at in twice.span(part)] for part in (number, 3))
            step = "join:" + " ".join(f"{start}-{end}" for start, end in spans)
            reading = read(text, duration.start, duration.end, (step, *found.transforms))
            return attrs.evolve(duration, alternatives=(reading,), rule="its words and figures differ")
    return duration


def _weight_of_term(text: str, duration: Reading) -> int:
    """What speaks for the life of this paper, less what speaks of notice, hiring or the time after it."""
    before, after = text[max(0, duration.start - 300) : duration.start], text[duration.end : duration.end + 130]
    sentence = _sentence(before)
    weight = 2 * bool(pattern(r"\b(?:{runs_out})\b").search(sentence))
    weight += bool(pattern(r"\b(?:{this_paper})\b").search(sentence))
    weight += _is_counted_from_start(after) or _is_said_to_run(sentence)
    weight += 2 * _stands_under_term(before) + 2 * _is_said_of_term(sentence)
    other = pattern(r"\b(?:{other_period})\b")
    weight -= 2 * bool(other.search(sentence[-160:])) + 2 * bool(other.search(after[:40]))
    return (
        weight
        - 3 * bool(pattern(r"\bduring\b[^;]{0,120}\band\s+(?:for|until)\b").search(sentence))
        - 3 * (_is_after(after) or _is_least(sentence, after) or _is_of_annex(sentence))
    )


def _is_least(sentence: str, after: str) -> bool:
    """Whether it says "the later of", so that a paper may last longer."""
    later = r"\blater\s+(?:of|to\s+occur)\b"
    return bool(pattern(later + r"[^.;]{0,60}\Z").search(sentence) or pattern(later).search(after[:_BESIDE_IT]))


_BESIDE_IT = 30


def _is_of_annex(sentence: str) -> bool:
    """Whether it speaks of a paper that is only attached."""
    return pattern(r"\bthis\s+(?:{annex})\b").search(sentence) is not None


def _is_counted_from_start(after: str) -> bool:
    """Whether it says "from the date hereof", or the like."""
    since = r"[\s,]*(?:period\s+)?(?:{since})?\s*(?:and\s+\w+\s+)?(?:the|its|such|this|date)?\s*(?:\w+\s+){0,4}?"
    return pattern(since + r"(?:date|hereof|effective|execution|agreement|above)\b").match(after) is not None


def _stands_under_term(before: str) -> bool:
    heading = r"(?:\A|\n|\d[.)]|[.;:]\s)\s*(?:\(?\w{1,3}[.)]\s*)?(?:{term_heading})\b[^.:\n]{0,30}[.:]"
    return pattern(heading).search(before[-220:]) is not None


def _is_said_of_term(sentence: str) -> bool:
    """Whether it says "the term of this Agreement shall be", or the like."""
    said = (
        r"\b(?:term|duration|period[”\"]?\))\W[^.;]{0,40}?\b(?:shall\s+be|is|will\s+be|of|be)\s+"
        r"(?:for\s+)?(?:a\s+)?(?:(?:period|term)\s+of\s+)?\Z"
    )
    return pattern(said).search(sentence) is not None


def _is_said_to_run(sentence: str) -> bool:
    """Whether it says "shall remain in effect for a period of", or the like, right before."""
    run = r"\b(?:{runs_out})\s+(?:for\s+)?(?:an?\s+)?(?:initial\s+)?(?:(?:period|term)\s+of\s+)?\Z"
    return pattern(run).search(sentence) is not None


def _is_after(after: str) -> bool:
    """Whether it says "after its termination": what is left when the paper has run out."""
    since = r"[\s,]*(?:period\s+)?(?:immediately\s+)?(?:after|following|from)\b"
    gone = rf"{since}[^.;,]{{0,100}}\b(?:terminat|ceas|expir|separat|leav)"
    found = pattern(gone).match(after)
    return found is not None and not pattern(r"\b(?:hereof|and)\b").search(found[0])
