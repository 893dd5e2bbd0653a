"""Prose: words of running text that lead to a value, from the contract, from terms and from clauses of the lexicon."""

from __future__ import annotations

from collections.abc import Iterator

from paxman.classes import record
from paxman.finding.choices import has_boxes
from paxman.finding.claims import Claim, Claims
from paxman.finding.clauses import clauses_for, is_weighed
from paxman.finding.features import signs_of
from paxman.finding.periods import asks_span, period_ends
from paxman.finding.ties import Tie, read_place
from paxman.finding.wanted import Asked, Wanted
from paxman.lazy import lazy_pattern
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon, Words, texts_of
from paxman.page.names import Name, Page
from paxman.page.places import Place
from paxman.recognizers import Conventions, Reading
from paxman.types import FieldType, Span

_FAR = 90
_BOX_REACH, _LONG_LINE = 4, 50
_LONGEST_LABEL = 200
_MOST_WORDS_BEFORE = 2
_STOP = lazy_pattern(r"(?<!\b[A-Z])[.;](?=\s+[A-Z(\"“]|\s*$)|\n\s*\n")
_COLON = lazy_pattern(r"\s?[:：]")
_SINGLE_WORDS = frozenset({"label"})
_LEADS = frozenset({"date", "money", "amount", "number", "period"})


@record
class Lead:
    """Words that lead to a value of a field, and what near them says that they do not."""

    field: int
    words: str
    asked: Asked
    undo: tuple[str, ...]
    first: str
    """The first of the words, which most pages do not have."""


def leads_of(claims: Claims) -> tuple[Lead, ...]:
    """The leads of all scalar fields of a contract, longest first."""
    found = [lead for number, wanted in enumerate(claims.wanted) for lead in _leads(number, wanted, claims.lexicon)]
    unique = {(lead.field, lead.words): lead for lead in reversed(found)}
    return tuple(sorted(unique.values(), key=lambda lead: (-len(lead.words), lead.field, lead.words)))


def _leads(number: int, wanted: Wanted, lexicon: Lexicon) -> Iterator[Lead]:
    if wanted.field.type in (FieldType.ARRAY, FieldType.OBJECT, FieldType.ENUM):
        return
    clauses = list(clauses_for(wanted, lexicon))
    if any(map(is_weighed, clauses)):
        return  # Words that lead to it are weighed with others of their sentence.
    for clause in clauses:
        undo = tuple(" ".join(fold_words(text)) for text in texts_of(clause.get("undo", ())))
        for text in texts_of(clause["lead"]):
            yield _lead(number, fold_words(text), Asked((), 0.9, text, "clause"), undo)
    if wanted.kind not in _LEADS and not wanted.shapes and wanted.field.type is not FieldType.BOOLEAN:
        return
    for asked in wanted.phrases:
        words = fold_words(asked.text)
        if len(words) > 1 or asked.source in _SINGLE_WORDS or wanted.shapes or wanted.kind == "choice":
            yield _lead(number, words, asked, ())


def _lead(number: int, words: Words, asked: Asked, undo: tuple[str, ...]) -> Lead:
    return Lead(number, " ".join(words), asked, undo, "".join(words[:1]))


def prose_ties(page: Page, claims: Claims, leads: tuple[Lead, ...], how: Conventions) -> Iterator[Tie]:
    """Values that stand right behind words that lead to them."""
    known = page.words.known
    for lead in leads:
        if lead.first not in known:
            continue
        wanted = claims.wanted[lead.field]
        for span in page.words.find(lead.words):
            tie = _tie(page, claims, lead, wanted, span, how)
            if tie:
                yield tie


def _tie(page: Page, claims: Claims, lead: Lead, wanted: Wanted, span: Span, how: Conventions) -> Tie | None:
    window = _window(page, span, claims.lexicon)
    if window[0] >= window[1] or _COLON.match(page.text, span[1]) or _is_undone(page, lead, span, window):
        return None  # Before a colon stands a label, all of whose words count.
    if wanted.field.type is FieldType.BOOLEAN and has_boxes(page.text[max(0, span[0] - _BOX_REACH) : span[0]]):
        return None  # Its own box stands before it.
    place = Place("inline", window, window)
    span_asked = asks_span(lead.field, Claim(1.0, lead.asked, ""), claims.of(lead.asked.text), claims)
    reading = read_place(page, place, wanted, how, claims, span_asked)
    if reading is None or not _follows(page, span, _start(page, window, wanted, reading, how), claims.lexicon):
        return None
    if "\n" in page.text[span[1] : reading.start] and not _is_running(page, span):
        return None  # A label over a value, which may be one of several.
    if wanted.shapes and not any(shape.fullmatch(page.text, reading.start, reading.end) for shape in wanted.shapes):
        return None
    name = Name(page.text[span[0] : span[1]], span, page.lines.at(span[0]), (place,))
    fit = _fit_in_label(page, claims, lead, span)
    if not fit:
        return None
    claim = Claim(fit, lead.asked, f"{' '.join(name.text.split())!r} leads to it")
    return Tie(lead.field, name, place, claim, reading, signs_of(page, name, place, claim, reading, wanted, claims))


def _window(page: Page, span: Span, lexicon: Lexicon) -> Span:
    end = min(len(page.text), span[1] + _FAR, _cell_end(page, span))
    stop = _STOP.search(page.text, span[1], end)
    start = span[1]
    links = lexicon.links.match(page.text, start, end)
    start = links.end() if links else start
    return start, max(start, stop.start() if stop else end)


def _fit_in_label(page: Page, claims: Claims, lead: Lead, span: Span) -> float:
    """How well words fit that lead to a value; as the end of a longer label ("Alt Order #") no better than that."""
    line = page.lines[page.lines.at(span[0])]
    start = max((cell[0] for cell in line.cells if cell[0] <= span[0]), default=span[0])
    if span[0] - start > _LONGEST_LABEL:
        return lead.asked.weight
    before = [word for word in page.text[start : span[0]].split() if word.casefold() not in claims.lexicon.stops]
    if not 0 < len(before) <= _MOST_WORDS_BEFORE or not all(word[0].isupper() and word.isalpha() for word in before):
        return lead.asked.weight
    whole = claims.of(" ".join(page.text[start : span[1]].split())).get(lead.field)
    return min(lead.asked.weight, whole.fit) if whole else 0.0


def _cell_end(page: Page, span: Span) -> int:
    """Where the cell of a line of several cells ends that words stand in; sentences run on to the next line."""
    line = page.lines[page.lines.at(span[0])]
    if len(line.cells) == 1:
        return len(page.text)
    at = next((at for at, cell in enumerate(line.cells) if span[1] <= cell[1]), len(line.cells) - 1)
    return line.cells[min(at + 1, len(line.cells) - 1)][1]


def _start(page: Page, window: Span, wanted: Wanted, reading: Reading, how: Conventions) -> int:
    """Where a value begins; the last day of a span begins with the first."""
    ends = period_ends(page.text[slice(*window)], how) if wanted.side == "end" else None
    return window[0] + ends[0].start if ends else reading.start


def _follows(page: Page, span: Span, start: int, lexicon: Lexicon) -> bool:
    """Whether a value stands right behind its lead: nothing but small words between the two."""
    links = lexicon.links.match(page.text, span[1], start)
    return links is not None and start - links.end() <= 2


def _is_running(page: Page, span: Span) -> bool:
    """Whether words stand in a line as long as those of running text."""
    line = page.lines[page.lines.at(span[0])]
    return line.end - line.start >= _LONG_LINE


def _is_undone(page: Page, lead: Lead, span: Span, window: Span) -> bool:
    if not lead.undo:
        return False
    around = " ".join(fold_words(page.text[max(0, span[0] - _FAR) : window[1]]))
    return any(undo in around for undo in lead.undo)
