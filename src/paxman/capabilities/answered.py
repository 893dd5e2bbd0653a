"""What a model answers, held against the page: stated there, concluded from its lines, or not borne out at all."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import attrs

from paxman.capabilities.base import CapabilityContext, EvidenceRef
from paxman.capabilities.values import Found, conventions, with_hedge
from paxman.contract.constraints import problems
from paxman.contract.model import CanonicalField
from paxman.documents.document import Document, Node, PageBox, PageSpan
from paxman.finding.scalars import claims_for
from paxman.inference.grounding import (
    MARKS,
    Haystack,
    alike_pattern,
    fitting,
    is_alike,
    is_denied,
    is_same_words,
    rejoin,
    whole_numbers,
)
from paxman.inference.prompting import ModelAnswer
from paxman.lazy import lazy_pattern, remembered
from paxman.lexicon.own_files import lexicon_of
from paxman.page.names import Name, page_of
from paxman.recognizers import Conventions, Reading, find, read_value
from paxman.transforms import fold
from paxman.types import Diagnostic, FieldType, Severity, Span

CONCLUDED, UNGROUNDED = "CONCLUDED_BY_MODEL", "UNGROUNDED_ANSWER"
_KINDS = {
    FieldType.INTEGER: "integer",
    FieldType.DECIMAL: "decimal",
    FieldType.MONEY: "money",
    FieldType.DATE: "date",
    FieldType.TIME: "time",
}
_NUMERIC = frozenset({FieldType.INTEGER, FieldType.DECIMAL, FieldType.MONEY, FieldType.BOOLEAN})
_PLAIN = Conventions(".", "ymd")
"""How JSON writes numbers and days."""
_DAY = lazy_pattern(r"\d{4}-\d\d-\d\d\Z")
_NUMBER = lazy_pattern(r"-?\d+(?:\.\d+)?\Z")
_NEAR = 2
_LEAST_TELLING = 3
"""Digits or letters of a value that tells something wherever on the page it stands."""
_MOST_LINES, _WIDEST, _MOST_WINDOWS = 10, 4_000, 8
_FITS = 0.62
_LAST = 1 << 60


@remembered(lambda document: (document.cache,))
def line_spans(document: Document) -> tuple[Span, ...]:
    """The lines of a page, numbered from one, without the ends of lines; of XML the values of an element are one."""
    spans, start = [], 0
    for line in document.text.split("\n"):
        spans.append((start, start + len(line)))
        start += len(line) + 1
    for first, last in ((run[0].span, run[-1].span) for _, run in _runs(document)):
        at, end = bisect_right(spans, (first[0], _LAST)) - 1, bisect_right(spans, (last[1], _LAST)) - 1
        if at >= 0 and spans[at] <= first and last[1] <= spans[end][1]:
            spans[at : end + 1] = [(spans[at][0], spans[end][1])]
    return tuple(spans)


@remembered(lambda document: (document.cache,))
def line_heads(document: Document) -> Mapping[int, str]:
    """What stands before lines of XML: the element that the values are of, the first time with all their names."""
    heads, known, spans = dict[int, str](), set[tuple[str, ...]](), line_spans(document)
    for parent, run in _runs(document):
        names = (parent.name, *(node.name for node in run))
        listed = "" if names in known else f" ({', '.join(names[1:])})"
        heads[bisect_right(spans, (run[0].span[0], _LAST))] = f"{parent.name}{listed}: "
        known.add(names)
    return heads


def _runs(document: Document) -> Iterator[tuple[Node, list[Node]]]:
    """The values of each element of XML that follow each other, in the order of the page."""
    tree = document.tree if document.kind == "xml" else None
    for parent in tree.walk() if tree else ():
        run: list[Node] = []
        for child in (*parent.children, None):
            if child and child.kind == "scalar" and child.span[0] < child.span[1]:
                run.append(child)
            elif run and (child is None or child.kind != "scalar"):
                yield parent, run
                run = []


def names_over(document: Document, span: Span) -> list[Name]:
    """The names of a page that have a place where a span lies, then those before it on its line."""
    page = page_of(document)
    line = page.lines.at(span[0])
    over = [n for n in page.names if any(p.span[0] <= span[0] and span[1] <= p.span[1] for p in n.places)]
    return over + [n for n in page.names if n.line == line and n.span[1] <= span[0]]


@attrs.frozen
class Grounded:
    """A value of an answer with what of the page bears it out; `how` is stated, concluded or ungrounded."""

    how: str
    found: Found
    more: tuple[EvidenceRef, ...] = ()

    @property
    def refs(self) -> tuple[EvidenceRef, ...]:
        return (self.found.ref, *self.more)


Readings = dict[Any, list[Reading]]
"""Where a page has each value of a kind."""


@attrs.define
class ShownPage:
    """A page that answers are held against; what a model was not shown bears nothing out."""

    context: CapabilityContext
    haystack: Haystack
    part: Span
    hidden: tuple[Span, ...]
    model: str
    _readings: dict[str, Readings] = attrs.field(factory=dict)
    taken: set[Span] = attrs.field(factory=set)
    """Places of cells: of several, another cell takes one that is free."""
    seen: int | None = None
    """The page that the model saw a picture of, if it is only one."""
    _windows: dict[Span, Haystack] = attrs.field(factory=dict)
    """What was looked through lately: the cells of a row stand on the same lines."""

    @property
    def text(self) -> str:
        return self.context.document.text

    def lines(self, numbers: Iterable[int]) -> list[Span]:
        """The lines of these numbers that were shown and have words."""
        spans = line_spans(self.context.document)
        known = (spans[number - 1] for number in numbers if 0 < number <= len(spans))
        return [span for span in known if span[0] < self.part[1] and span[1] > self.part[0] and self._cut(span)]

    def _cut(self, span: Span) -> str:
        return self.text[slice(*span)].strip()

    # ---- a value

    def ground(self, field: CanonicalField, answer: ModelAnswer, path: str | None = None) -> Grounded | None:
        """A value with its grounds; None for what is no value of the field's type."""
        said = _as_text(answer.value)
        field = self._branch(field, said, answer.value)
        meant = self._meant(field, said, answer.value)
        if meant is None:
            return None
        cited = self.lines(answer.lines)
        stated = self._stated(field, said, meant, cited, path)
        if stated is not None:
            return Grounded("stated", stated, self._label(answer, stated.ref, path))
        transforms = (f"concluded:{said}", *meant.transforms)
        if cited:
            refs = [self._ref(span, transforms, path) for span in cited[:_MOST_LINES]]
            others = tuple(attrs.evolve(ref, role="context") for ref in refs[1:])
            label = self._label(answer, refs[0], path, apart=False)
            return Grounded("concluded", Found(meant.value, refs[0]), (*others, *label))
        spec, page = self.context.spec, self._seen_page()
        if page is not None and page.span[0] < page.span[1]:
            return Grounded("concluded", Found(meant.value, self._ref(page.span, transforms, path)))
        ref = EvidenceRef(spec.id, spec.version, path or self.context.field.path, role="context", transforms=transforms)
        if page is not None:
            box = PageBox(page.number, (0, 0, page.width, page.height))
            ref = attrs.evolve(ref, role="supporting", source=box, model_id=self.model, basis="model")
            return Grounded("concluded", Found(meant.value, ref))
        return Grounded("ungrounded", Found(meant.value, attrs.evolve(ref, model_id=self.model, basis="answer")))

    def _seen_page(self) -> PageSpan | None:
        return next((page for page in self.context.document.pages if page.number == self.seen), None)

    def _branch(self, field: CanonicalField, said: str, given: Any) -> CanonicalField:
        """Of a union, the branch that takes an answer, first those of its own kind in JSON."""
        if field.type is not FieldType.UNION or not field.branches:
            return attrs.evolve(field, type=FieldType.STRING) if field.type is FieldType.UNION else field
        worded = isinstance(given, str)
        branches = sorted(field.branches, key=lambda each: (each.type in _NUMERIC) is worded)
        read = ((self._meant(branch, said, given), branch) for branch in branches)
        return next((b for meant, b in read if meant and not problems(b, meant.value)), branches[0])

    def _meant(self, field: CanonicalField, said: str, given: Any) -> Reading | None:
        """An answer as a value of the field's type."""
        if given is None or not said.strip():
            return None
        if field.type is FieldType.STRING:
            return Reading(0, len(said), " ".join(said.split()), ("fold",))
        plain = attrs.evolve(_PLAIN, currency=conventions(self.context).currency)
        reading = read_value(said, field, plain)
        if reading is None or (field.type is not FieldType.ENUM and said[reading.end :].strip()):
            return None
        cut = (reading.start, reading.end) != (0, len(said))
        steps = (f"slice:{reading.start}-{reading.end}", *reading.transforms) if cut else reading.transforms
        return Reading(0, len(said), reading.value, steps)

    # ---- stated

    def _stated(
        self, field: CanonicalField, said: str, meant: Reading, cited: Sequence[Span], path: str | None
    ) -> Found | None:
        """Where the page's own words say a value: at the lines, near them, or anywhere, if that tells something."""
        telling = sum(map(str.isalnum, said)) >= _LEAST_TELLING and (path is None or field.type not in _KINDS)
        for lines in (cited, self._around(cited)):
            found = self._stated_on(field, said, meant, lines, path) if lines else None
            if found is not None:
                return with_hedge(self.context, found, field)
        found = self._stated_on(field, said, meant, None, path) if telling or not cited else None
        return None if found is None else with_hedge(self.context, found, field)

    def _around(self, lines: Sequence[Span]) -> list[Span]:
        """Lines and those close to them."""
        spans = line_spans(self.context.document)
        at = {bisect_right(spans, span) - 1 for span in lines}
        near = {number for each in at for number in range(each - _NEAR, each + _NEAR + 1)}
        return [spans[number] for number in sorted(near) if 0 <= number < len(spans)]

    def _stated_on(
        self, field: CanonicalField, said: str, meant: Reading, lines: Sequence[Span] | None, path: str | None
    ) -> Found | None:
        if field.type in _KINDS:
            found = self._read_on(_KINDS[field.type], meant.value, lines, path)
            return found or self._digits_on(said, meant, lines or (), path)
        if field.type is FieldType.STRING:
            return self._written_on(field, said, lines, path) or self._formatted_on(said, lines, path)
        found = self._written_on(field, said, lines, path) if field.type is FieldType.ENUM else None
        if field.type is FieldType.BOOLEAN and lines:
            found = self._read_on("boolean", meant.value, lines, path)
        return found or self._meant_on(field, meant.value, lines or (), path)

    def _read_on(
        self, kind: str, value: Any, lines: Sequence[Span] | None, path: str | None, then: str = ""
    ) -> Found | None:
        """Where recognizers read a value; `then` is how the answer writes it."""
        known = self._known(kind).get(value, [])
        if lines is not None:
            ranges = ((bisect_left(known, a, key=_start), bisect_left(known, b, key=_start), b) for a, b in lines)
            known = [each for first, last, b in ranges for each in known[first:last] if each.end <= b]
        for reading in sorted(known, key=lambda each: (each.start, each.end) in self.taken):
            if kind != "boolean" or not is_denied(self.text, reading.start):
                steps = (*reading.transforms, f"written:{then}") if then else reading.transforms
                return Found(then or reading.value, self._ref((reading.start, reading.end), steps, path))
        return None

    def _digits_on(self, said: str, meant: Reading, lines: Sequence[Span], path: str | None) -> Found | None:
        """Where the digits of a day or number stand in a form that is read as no such thing: 20010501, 2%."""
        digits = said.replace("-", "") if _DAY.match(said) else said
        if not digits.isdecimal():
            return None
        pattern = re.compile(rf"(?<![\w.,:/-]){digits}(?![\w:/-]|[.,]\d)")
        places = [match.span() for start, end in lines for match in pattern.finditer(self.text, start, end)]
        whole = [place for place in whole_numbers(self.text, places) if place in places]
        span = next(filter(self._is_visible, self._free(whole)), None)
        return span and Found(meant.value, self._ref(span, (f"written:{said}", *meant.transforms), path))

    def _known(self, kind: str) -> Readings:
        """Every value of a kind on what was shown, with each honest reading of its places."""
        known = self._readings.get(kind)
        if known is None:
            known = self._readings[kind] = {}
            for first in find(kind, self.text[slice(*self.part)], conventions(self.context)):
                for reading in (first, *first.alternatives):
                    shown = reading.shifted(self.part[0])
                    if self._is_visible((shown.start, shown.end)):
                        known.setdefault(reading.value, []).append(shown)
            for readings in known.values():
                readings.sort(key=_start)
        return known

    def _is_visible(self, span: Span) -> bool:
        return not any(a < span[1] and span[0] < b for a, b in self.hidden)

    def _meant_on(self, field: CanonicalField, value: Any, lines: Sequence[Span], path: str | None) -> Found | None:
        """A line that reads as the value: the word for a member, a tick, a time with its day."""
        for start, end in lines:
            reading = read_value(self.text[start:end], field, conventions(self.context))
            if reading and reading.value == value and self._is_visible((start, end)):
                span = (start + reading.start, start + reading.end)
                if not is_denied(self.text, span[0]):
                    return Found(value, self._ref(span, reading.transforms, path))
        return None

    def _written_on(
        self, field: CanonicalField, said: str, lines: Sequence[Span] | None, path: str | None
    ) -> Found | None:
        """Where a text is written, in whatever spacing and case; the page's own spelling is the value."""
        for span in self._places(field, said, lines):
            quote = self.text[slice(*span)]
            plain = rejoin(quote)
            before = ("rejoin",) if plain != quote else ()
            if field.type is FieldType.ENUM:
                read = read_value(plain, field, conventions(self.context))
                if read and _as_text(read.value) == said and not is_denied(self.text, span[0]):
                    cut = (f"slice:{read.start}-{read.end}",) if (read.start, read.end) != (0, len(plain)) else ()
                    return Found(read.value, self._ref(span, (*before, *cut, *read.transforms), path))
            elif is_same_words(plain, said) and not problems(field, fold(plain)):
                return Found(fold(plain), self._ref(span, (*before, "fold"), path))
            elif is_alike(plain, said):
                return Found(fold(said), self._ref(span, (*before, f"written:{fold(said)}"), path))
        parts = self._parts(said, lines) if field.type is FieldType.STRING and lines else []
        if not parts:
            return None
        span = (parts[0][0], parts[-1][1])
        join = "join:" + " ".join(f"{a - span[0]}-{b - span[0]}" for a, b in parts)
        return Found(fold(said), self._ref(span, (join, f"written:{fold(said)}"), path))

    def _places(self, field: CanonicalField, said: str, lines: Sequence[Span] | None) -> list[Span]:
        """Where a text stands, the places on the lines only, if any are given."""
        if lines is None:
            return self._free(fitting(field.type, self.text, said, self.haystack.find(said)))
        for start, end in lines:
            at = self.text.find(said, start, end)
            whole = (at, at + len(said))
            if at >= 0 and _stands_alone(self.text, whole) and self._is_visible(whole) and whole not in self.taken:
                return [whole]
        found = self._near(lines).find(said, lines)
        on = [span for span in found if any(span[0] < b and a < span[1] for a, b in lines)]
        return self._free(fitting(field.type, self.text, said, on))

    def _near(self, lines: Sequence[Span]) -> Haystack:
        """What stands between the first and the last of some lines, if that is little; else all that was shown."""
        start, end = max(self.part[0], min(lines)[0]), min(self.part[1], max(b for _, b in lines))
        if end - start > _WIDEST:
            return self.haystack
        if (start, end) not in self._windows:
            if len(self._windows) > _MOST_WINDOWS:
                self._windows.clear()
            self._windows[start, end] = Haystack(self.text[start:end], start, self.hidden)
        return self._windows[start, end]

    def _free(self, places: Sequence[Span]) -> list[Span]:
        return sorted(places, key=lambda place: (place in self.taken, place))

    def _parts(self, said: str, lines: Sequence[Span]) -> list[Span]:
        """A text that goes on from line to line of a column, with other columns between: its parts, in order."""
        words, parts, done = said.split(), list[Span](), 0
        for start, end in sorted(lines):
            if done < len(words) and words[done].strip(MARKS).casefold() not in self.text[start:end].casefold():
                continue
            for stop in range(len(words), done, -1):
                places = [(m.start(), m.end()) for m in alike_pattern(words[done:stop]).finditer(self.text, start, end)]
                if places and self._is_visible(places[0]):
                    parts.append(places[0])
                    done = stop
                    break
            if done == len(words):
                return parts if len(parts) > 1 else []
        return []

    def _formatted_on(self, said: str, lines: Sequence[Span] | None, path: str | None) -> Found | None:
        """Where the page has a day or a number that the answer writes in a form of its own."""
        if _DAY.match(said):
            try:
                return self._read_on("date", date.fromisoformat(said), lines, path, said)
            except ValueError:
                return None
        return self._read_on("decimal", Decimal(said), lines, path, said) if _NUMBER.match(said) else None

    # ---- label and references

    def _label(
        self, answer: ModelAnswer, value: EvidenceRef, path: str | None, *, apart: bool = True
    ) -> tuple[EvidenceRef, ...]:
        """The words that name the value, where they stand elsewhere than the value: the model's, else the page's."""
        if path is not None or value.span is None:
            return ()
        start, end = value.span
        places = self.haystack.find(answer.label) if answer.label else []
        free = [(a, b) for a, b in places if not apart or b <= start or end <= a]
        near = min(free, key=lambda place: (max(start - place[1], place[0] - end, 0), place), default=None)
        near = near or (self._name_of(value.span) if apart else None)
        if near is None:
            return ()
        detail = f'label "{fold(self.text[slice(*near)])}"'
        return (attrs.evolve(self._ref(near, (), path), basis="relation", detail=detail),)

    def _name_of(self, span: Span) -> Span | None:
        """The name that the page itself has for what stands at a place, if it fits the field."""
        lexicon, document = lexicon_of(self.context.policy.lexicon), self.context.document
        page = page_of(document)
        claims = claims_for(page, self.context.contract, lexicon)
        path = self.context.field.path
        asked = next((n for n, wanted in enumerate(claims.wanted) if wanted.field.path == path), None)
        for name in names_over(document, span) if asked is not None else ():
            claim = claims.of(name.text).get(asked or 0)
            if claim and claim.fit >= _FITS and (name.span[1] <= span[0] or span[1] <= name.span[0]):
                return name.span
        return None

    def _ref(self, span: Span, transforms: tuple[str, ...], path: str | None) -> EvidenceRef:
        ref = self.context.evidence(span, transforms, path=path, basis="model")
        return attrs.evolve(ref, model_id=self.model)

    def note(self, code: str, message: str, context: Mapping[str, Any], path: str | None = None) -> Diagnostic:
        severity = Severity.WARNING if code == UNGROUNDED else Severity.INFO
        return Diagnostic(code, severity, message, path or self.context.field.path, context)


def _start(reading: Reading) -> int:
    return reading.start


def _as_text(value: Any) -> str:
    """A value of an answer as its readers take it."""
    if isinstance(value, Mapping):
        return " ".join(_as_text(part) for part in (value.get("amount"), value.get("currency")) if part is not None)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal | float):
        number = Decimal(str(value))
        return f"{number.to_integral_value() if number == number.to_integral_value() else number:f}"
    return " ".join(str(value).split())


def _stands_alone(text: str, span: Span) -> bool:
    edges = text[max(span[0] - 1, 0) : span[0]], text[span[1] : span[1] + 1]
    joined = text[span[0]].isalnum() and edges[0].isalnum(), text[span[1] - 1].isalnum() and edges[1].isalnum()
    return not any(joined) and not (text[span[1] - 1].isdigit() and _GOES_ON.match(text, span[1]))


_GOES_ON = lazy_pattern(r"[.,]\d")
