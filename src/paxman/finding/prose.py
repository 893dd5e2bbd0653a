"""Prose: words of running text that lead to a value, from the contract, from terms and from clauses of the lexicon."""

from __future__ import annotations

from collections.abc import Iterator

from paxman.classes import record
from paxman.finding.choices import has_boxes
from paxman.finding.claims import Claim, Claims
from paxman.finding.clauses import clauses_for, is_weighed
from paxman.finding.periods import asks_span, period_ends
from paxman.finding.ties import Find, read_place
from paxman.finding.wanted import Asked, Wanted, is_head
from paxman.lazy import lazy_pattern
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon, Words, texts_of
from paxman.page.lines import PageLine
from paxman.page.names import Name, Page
from paxman.page.places import Place
from paxman.recognizers import Conventions, Reading, find, read_value
from paxman.types import FieldType, Span

_FAR = 90
_BOX_REACH, _LONG_LINE = 4, 50
_LONGEST_LABEL = 200
_MOST_WORDS_BEFORE = 2
_STOP = lazy_pattern(r"(?<!\b[A-Z])[.;](?=\s+[A-Z(\"“]|\s*$|\s*\n\s*\d{1,3}[.)]\s)|\n\s*\n")
_COLON = lazy_pattern(r"\s?[:：]")
_CONTRACT = frozenset({"name", "description"})
_BULLETS, _MOST_LINES = "-*•·–", 6
_SINGLE_WORDS = frozenset({"label"})
_STATED = frozenset({FieldType.BOOLEAN, FieldType.DATE, FieldType.DECIMAL, FieldType.INTEGER, FieldType.MONEY})
_FIT_OF_WORDS = 0.7
_LONGEST_SENTENCE, _LONGEST_PHRASE, _REACH, _MOST_TELLING, _MOST_PLACES = 400, 80, 40, 5, 40
_END = lazy_pattern(r"(?<!\b[A-Z])[.;!?](?=\s+[A-Z(\"“]|\s*$|\s*\n\s*\d{1,3}[.)]\s)")
_NO_PROSE = frozenset({"json", "xml", "csv", "spreadsheet", "yaml"})
_FIGURES = ("money", "percent", "number")
_SMALL_WORD = lazy_pattern(r"[^\W\d_]++(?:'[^\W\d_]++)*+(?!\.?\s*[\d#])|\?")
_CODE = lazy_pattern(r"(?=\S*\d)(?=\S*(?:[A-Z/-]|\d{4}))[A-Z\d]{1,12}(?:[/-][A-Z\d]{1,12}){0,4}")
_RATE = "rate"
_WHOLE = 0.94
_RATE_OF = lazy_pattern(
    r"([^\W\d_][^\d%\n\t:;,()@]{0,40}?)[ \t]*[(:@]?[ \t]*(\d{1,3}(?:[.,]\d{1,4})?)[ \t]?%(?=\)?[ \t]*(?:[\d(+-]|\Z))"
)
_LEADS, _LED = frozenset({"date", "money", "amount", "number", "period"}), {FieldType.BOOLEAN, FieldType.DURATION}


@record
class Lead:
    """Words that lead to a value of a field, and what near them says that they do not."""

    field: int
    words: str
    asked: Asked
    undo: tuple[str, ...]
    first: str
    """The first of the words, which most pages do not have."""
    is_code: bool = False
    """Whether only a code may follow, since the words leave out that a number is meant: "our quote Q-7781"."""


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
    if wanted.kind not in _LEADS and not wanted.shapes and wanted.field.type not in _LED:
        return
    for asked in wanted.phrases:
        words = fold_words(asked.text)
        if wanted.kind == "number" and wanted.field.type is FieldType.STRING:
            telling = tuple(token.word for token in asked.tokens if not is_head(token) and not token.small)
            if telling and any(map(is_head, asked.tokens)) and asked.source != "description":
                yield _lead(number, telling, asked, (), is_code=True)
        if len(words) > 1 or asked.source in _SINGLE_WORDS or wanted.shapes or wanted.kind == "choice":
            yield _lead(number, words, asked, ())


def _lead(number: int, words: Words, asked: Asked, undo: tuple[str, ...], is_code: bool = False) -> Lead:
    return Lead(number, " ".join(words), asked, undo, "".join(words[:1]), is_code)


def lead_finds(page: Page, claims: Claims, leads: tuple[Lead, ...], how: Conventions) -> Iterator[Find]:
    """Values that stand right behind words that lead to them."""
    known = page.words.known
    for lead in leads:
        if lead.first not in known:
            continue
        wanted = claims.wanted[lead.field]
        for span in page.words.find(lead.words):
            found = _find(page, claims, lead, wanted, span, how)
            if found:
                yield found


def _find(page: Page, claims: Claims, lead: Lead, wanted: Wanted, span: Span, how: Conventions) -> Find | None:
    end = min(len(page.text), span[1] + _FAR, _cell_end(page, span))
    stop = _STOP.search(page.text, span[1], end)
    start = span[1]
    links = claims.lexicon.links.match(page.text, start, end)
    start = links.end() if links else start
    window = start, max(start, stop.start() if stop else end)
    if window[0] >= window[1] or _COLON.match(page.text, span[1]) or _is_undone(page, lead, span, window):
        return None  # Before a colon stands a label, all of whose words count.
    if wanted.field.type is FieldType.BOOLEAN and has_boxes(page.text[max(0, span[0] - _BOX_REACH) : span[0]]):
        return None  # Its own box stands before it.
    place = Place("inline", window, window)
    span_asked = asks_span(lead.field, Claim(1.0, lead.asked, ""), claims.of(lead.asked.text), claims)
    reading = read_place(page, place, wanted, how, claims, span_asked)
    if reading is None or not _follows(page, span, _start(page, window, wanted, reading, how), claims.lexicon):
        return None
    line = page.lines[page.lines.at(span[0])]
    if "\n" in page.text[span[1] : reading.start] and line.end - line.start < _LONG_LINE:
        return None  # A label over a value, which may be one of several.
    begins_cell = any(cell[0] == span[0] for cell in line.cells)
    if lead.is_code and (begins_cell or not _CODE.fullmatch(page.text, reading.start, reading.end)):
        return None  # A word that begins its cell is a label, which must say that a number is meant.
    if wanted.shapes and not any(shape.fullmatch(page.text, reading.start, reading.end) for shape in wanted.shapes):
        return None
    name = Name(page.text[span[0] : span[1]], span, page.lines.at(span[0]), (place,))
    fit = _fit_in_label(page, claims, lead, span)
    if not fit:
        return None
    claim = Claim(fit, lead.asked, f"{' '.join(name.text.split())!r} leads to it")
    return Find(lead.field, claim, place, None, name, reading)


def _fit_in_label(page: Page, claims: Claims, lead: Lead, span: Span) -> float:
    """How well words fit that lead to a value; as the end of a longer label ("Alt Order #") no better than that."""
    line = page.lines[page.lines.at(span[0])]
    start = max((cell[0] for cell in line.cells if cell[0] <= span[0]), default=span[0])
    if span[0] - start > _LONGEST_LABEL:
        return lead.asked.weight
    said = page.text[start : span[0]].split()
    before = [word for word in said if word.casefold() not in claims.lexicon.stops]
    if lead.asked.source == "clause" and " " in lead.words and any(map(str.islower, said)):
        return lead.asked.weight  # "Invoices are payable within" is no label.
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
    """Where a value begins: the last day of a span with the first, figures in brackets with the words before them."""
    ends = period_ends(page.text[slice(*window)], how) if wanted.side == "end" else None
    if ends:
        return window[0] + ends[0].start
    before = page.text[window[0] : reading.start].rstrip()
    words = find("number", before, how)[-1:] if before.endswith("(") else []
    is_twice = words and words[0].value == reading.value and before[words[0].end :].strip() == "("
    return window[0] + words[0].start if is_twice else reading.start


def _follows(page: Page, span: Span, start: int, lexicon: Lexicon) -> bool:
    """Whether a value stands right behind its lead: nothing but small words between the two."""
    links = lexicon.links.match(page.text, span[1], start)
    return links is not None and start - links.end() <= 2


def _is_undone(page: Page, lead: Lead, span: Span, window: Span) -> bool:
    if not lead.undo:
        return False
    around = " ".join(fold_words(page.text[max(0, span[0] - _FAR) : window[1]]))
    return any(undo in around for undo in lead.undo)


def rate_finds(page: Page, claims: Claims, how: Conventions) -> Iterator[Find]:
    """Rates that stand in the name of what they are a rate of: "VAT 21 %"."""
    if not any(wanted.is_rate for wanted in claims.wanted):
        return
    for line in page.lines if "%" in page.text else ():
        for found in (found for cell in line.cells if (found := _RATE_OF.match(page.text, *cell))):
            place, name = found.span(2), Name(found[1], found.span(1), line.number, ())
            for field, claim in claims.of(f"{found[1]} {_RATE}").items():
                wanted = claims.wanted[field]
                if not wanted.is_rate or claim.fit < _WHOLE:
                    continue
                reading = read_value(page.text[slice(*place)], wanted.field, how)
                if reading and reading.end - reading.start == place[1] - place[0]:
                    yield Find(
                        field, claim, Place("beside", place, place), name=name, reading=reading.shifted(place[0])
                    )


def statement_finds(page: Page, claims: Claims, how: Conventions) -> Iterator[Find]:
    """What sentences say with the words of a field in any order and form: "approved by the board on 8 May"."""
    if not len(page.lines) or page.document.kind in _NO_PROSE:
        return
    for number, wanted in enumerate(claims.wanted):
        if wanted.field.type in _STATED and not any(map(is_weighed, clauses_for(wanted, claims.lexicon))):
            for asked in wanted.phrases:
                if asked.source in _CONTRACT:
                    yield from _statements(page, claims, number, wanted, asked, how)


def _statements(
    page: Page, claims: Claims, number: int, wanted: Wanted, asked: Asked, how: Conventions
) -> Iterator[Find]:
    telling = sorted({token.word for token in asked.tokens if not is_head(token)}, key=lambda word: (-len(word), word))
    if not 0 < len(telling) <= _MOST_TELLING or (len(telling) == 1 and wanted.field.type is FieldType.BOOLEAN):
        return
    for first in list(page.words.forms(telling[0]))[:_MOST_PLACES]:
        sentence = _sentence(page, first)
        words = _together(page, first, telling[1:], sentence)
        if words is None or page.lines[page.lines.at(first[0])].gridded or _is_named(page, words, asked):
            continue
        if wanted.field.type is FieldType.BOOLEAN:
            reading = _truth(page, words, sentence, claims.lexicon)
        else:
            reading = _nearest(page, claims, wanted, words, sentence, len(telling) == 1, how)
        if reading is not None:
            said = Asked(asked.tokens, asked.weight, asked.text, "clause")
            claim = Claim(_FIT_OF_WORDS, said, f"a sentence says {asked.text!r} of it")
            name = Name(page.text[slice(*words)], words, page.lines.at(words[0]), ())
            place = Place("inline", sentence, sentence)
            yield Find(number, claim, place, {"sentence": 1.0}, name, reading)


def _is_named(page: Page, words: Span, asked: Asked) -> bool:
    """Whether words are the name of a field or a label, which what stands at names is for: "the invoice date"."""
    following = fold_words(page.text[words[1] : words[1] + _REACH])[:1]
    return bool(_COLON.match(page.text, words[1])) or any(is_head(t) and t.word in following for t in asked.tokens)


def _sentence(page: Page, word: Span) -> Span:
    """The sentence that a word stands in."""
    first = last = page.lines[page.lines.at(word[0])]
    while first.number and not first.blank and _runs_on(page, page.lines[first.number - 1], first):
        first = page.lines[first.number - 1]
    for line in page.lines.after(last.number, _MOST_LINES):
        if line.blank or not _runs_on(page, last, line):
            break
        last = line
    low, high = max(first.start, word[0] - _LONGEST_SENTENCE), min(last.end, word[1] + _LONGEST_SENTENCE)
    start = max((end.end() for end in _END.finditer(page.text, low, word[0])), default=low)
    end = _END.search(page.text, word[1], high)
    return start, end.start() if end else high


def _runs_on(page: Page, line: PageLine, below: PageLine) -> bool:
    """Whether a sentence may go on from a line to the next: both are text, and the first is a long one."""
    if len(line.cells) > 1 or len(below.cells) > 1 or line.gridded or line.end - line.start < _LONG_LINE:
        return False
    return not page.lines.levels[below.number] and page.text[below.start] not in _BULLETS


def _together(page: Page, first: Span, others: list[str], sentence: Span) -> Span | None:
    """The part of a sentence that has a word and others in any form, as near to it as they stand."""
    start, end = first
    for other in others:
        spans = [span for span in page.words.forms(other) if sentence[0] <= span[0] < sentence[1] and span != first]
        if not spans:
            return None
        nearest = min(spans, key=lambda span: abs(span[0] - first[0]))
        start, end = min(start, nearest[0]), max(end, nearest[1])
    return (start, end) if end - start <= _LONGEST_PHRASE else None


def _truth(page: Page, words: Span, sentence: Span, lexicon: Lexicon) -> Reading | None:
    """Whether a sentence says that something is so, or is not; nothing where it leaves that open."""
    before, behind = _said(page.text[sentence[0] : words[1]]), _said(page.text[words[1] : sentence[1] + 1])
    denied, left_open = lexicon.statements["denied"], lexicon.statements["open"] | {"?"}
    if not (denied.isdisjoint(behind) and left_open.isdisjoint(before | behind)):
        return None
    is_so = denied.isdisjoint(before)
    return Reading(*words, is_so, (f"boolean:{str(is_so).lower()}",))


def _said(text: str) -> set[str]:
    """The words of a text with their accents, without which small ones mean other things; none before a number."""
    return set(_SMALL_WORD.findall(text.casefold().replace("’", "'")))


def _nearest(
    page: Page, claims: Claims, wanted: Wanted, words: Span, sentence: Span, alone: bool, how: Conventions
) -> Reading | None:
    """The value that stands nearest to words of a sentence; to a word alone it stands right before or behind it."""
    best, least = None, _REACH + 1
    found = _values(page, wanted, sentence, how)
    if sum(words[0] <= start < words[1] for start, _ in found) > 1:
        return None
    for start, end in found:
        gap = page.text[words[1] : start] if start >= words[1] else page.text[end : words[0]]
        if start < words[1] and end > words[0]:
            gap = ""
        is_only = wanted.field.type is FieldType.DATE and len(found) == 1 and "," not in gap
        is_near = is_only or _follows(page, words, start, claims.lexicon) if start >= words[1] else not gap.strip()
        unit = fold_words(wanted.unit)
        is_near = is_near or bool(unit and fold_words(page.text[end : words[0]])[: len(unit)] == unit)
        if len(gap) < least and (is_near or not alone) and not _COLON.search(gap):
            best, least = (start, end), len(gap)
    if best is None:
        return None
    return read_place(page, Place("inline", best, best), wanted, how, claims)


def _values(page: Page, wanted: Wanted, sentence: Span, how: Conventions) -> list[Span]:
    """The dates of a sentence, or its other figures; those without cents or a currency are no money."""

    def found(kind: str) -> list[Span]:
        return [(start + each.start, start + each.end) for each in find(kind, text, how)]

    start, text = sentence[0], page.text[slice(*sentence)]
    days, figures = found("date"), list[Span]()
    if wanted.field.type is FieldType.DATE:
        return days
    for kind in _FIGURES:
        figures += [each for each in found(kind) if not any(a <= each[0] < b for a, b in (*days, *figures))]
    is_money = wanted.field.type is FieldType.MONEY or (wanted.term is not None and wanted.term.kind == "money")
    return [each for each in sorted(figures) if not (is_money and page.text[slice(*each)].isdigit())]
