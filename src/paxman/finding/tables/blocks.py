"""Records in blocks are rows: the same few names with a value each, or a role as title over the name of its holder."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping

from paxman.classes import record
from paxman.documents.document import Cell
from paxman.finding.shapes import is_blank
from paxman.finding.tables.columns import ArrayColumns
from paxman.finding.wanted import Wanted
from paxman.lazy import lazy_pattern
from paxman.lexicon.folding import fold
from paxman.lexicon.lexicon import Token
from paxman.page.grid import joined
from paxman.page.names import Name, Page
from paxman.recognizers import Conventions, read_value
from paxman.types import FieldType, Span

_SURE = 0.85
_FIT = 0.7
_LEAST_COLUMNS = 2
_RELATIONS = ("key", "beside", "next")
_LEAST_TITLES = 2
_WORDS = (FieldType.STRING, FieldType.ENUM)
_MOST_WORDS = 4
_NUMBERED = lazy_pattern(r"[ \t]*(?:\(\d{1,3}\)|#?\d{1,3}|:)$")


@record
class RecordBlock:
    """One record: its cells by column, and where it starts."""

    cells: Mapping[int, Cell]
    start: int


@record
class RecordBlocks:
    """Records of the same names, how well these fit, and whether they are sure to be rows."""

    blocks: tuple[RecordBlock, ...]
    score: float
    tied: bool


def find_blocks(page: Page, columns: ArrayColumns, how: Conventions) -> RecordBlocks | None:
    """Records whose names fit the columns of an array; a name that comes again begins the next one."""
    hits = [*_hits(page, columns, how)]
    if not hits:
        return None
    first = hits[0][0]
    blocks: list[dict[int, Span]] = []
    fits: dict[int, float] = {}
    for column, fit, span in hits:
        if not blocks or column in blocks[-1] or (column == first and len(blocks[-1]) > 1):
            blocks.append({})
        blocks[-1][column] = span
        fits[column] = max(fit, fits.get(column, 0.0))
    wide = [block for block in blocks if len(block) >= min(_LEAST_COLUMNS, len(columns.fields))]
    if len(fits) < min(_LEAST_COLUMNS, len(columns.fields)) or not wide:
        return None
    kept = wide if len(wide) > 1 else wide[:1]
    if len(kept) == 1 and len(kept[0]) < 3:
        return None
    sure = len(kept) > 1 and min(fits.values()) >= _SURE and len({frozenset(block) for block in kept}) == 1
    made = tuple(_made(page, block) for block in kept)
    return RecordBlocks(made, sum(fits.values()), sure)


def _made(page: Page, block: Mapping[int, Span]) -> RecordBlock:
    cells = {column: joined(page.lines.printed, [span]) for column, span in block.items()}
    return RecordBlock(cells, min(block.values())[0])


def _hits(page: Page, columns: ArrayColumns, how: Conventions) -> Iterator[tuple[int, float, Span]]:
    for name in page.names:
        fits = columns.of(name.text)
        if not fits:
            continue
        column, fit = max(fits.items(), key=lambda item: (item[1], -item[0]))
        span = _value(page, name, columns, column, how)
        if fit >= _FIT and span is not None:
            yield column, fit, span


def _value(page: Page, name: Name, columns: ArrayColumns, column: int, how: Conventions) -> Span | None:
    for place in name.places:
        if place.relation not in _RELATIONS:
            continue
        start, end = _unquoted(page.text, place.span)
        text = page.text[start:end]
        if is_blank(text) or columns.of(text):
            continue
        if columns.fields[column].type is FieldType.STRING or read_value(text, columns.fields[column], how):
            return start, end
    return None


def _unquoted(text: str, span: Span) -> Span:
    """A value without marks around it."""
    start, end = span
    while end > start and text[end - 1] in " \t,;\"'":
        end -= 1
    while start < end and text[start] in " \t\"'":
        start += 1
    return start, end


def find_titled(page: Page, columns: ArrayColumns) -> RecordBlocks | None:
    """Records that each stand below a role, as the parties of a case do; titles of the same look are roles, too."""
    name = next((c for c, wanted in enumerate(columns.wanted) if "name" in _heads_of(wanted)), None)
    role = next((c for c, wanted in enumerate(columns.wanted) if c != name and _is_one_of_few(wanted)), None)
    if role is None or name is None:
        return None
    titles = _Titles(page, columns, role)
    blocks = tuple(
        RecordBlock({role: _titled_cell(page, title), name: _titled_cell(page, holder)}, title[0])
        for title, holder in titles.records()
    )
    return RecordBlocks(blocks, 2.0, titles.sure) if len(blocks) >= _LEAST_TITLES else None


def _is_one_of_few(wanted: Wanted) -> bool:
    """Whether a column holds one of a few words: its kind, its role."""
    named = wanted.field.enum_values or wanted.described.examples
    return wanted.field.type in _WORDS and bool(named or "type" in _heads_of(wanted))


def _heads_of(wanted: Wanted) -> frozenset[str]:
    return frozenset(head for asked in wanted.phrases[:2] for head in asked.phrase.heads)


def _titled_cell(page: Page, span: Span) -> Cell:
    return joined(page.lines.printed, [span])


def _is_role(token: Token) -> bool:
    return token.concept is not None and token.concept.kind == "owner"


class _Titles:
    """The lines of a page that are the title of a record, by words that are known or by how those look."""

    def __init__(self, page: Page, columns: ArrayColumns, role: int) -> None:
        self.page, self.lines, self.lexicon = page, page.lines, columns.lexicon
        self.strong = sorted(mark.span for mark in page.document.marks if mark.kind == "strong")
        examples = columns.wanted[role].described.examples
        self.known = {fold(str(text)) for text in (*examples, *columns.fields[role].enum_values)}
        self.seeds = {n for n in range(len(self.lines) - 1) if self._is_known(n)}
        self.looks = {self._look(n) for n in self.seeds}
        self.sure = any(fold(self._words(n)) in self.known for n in self.seeds)

    def records(self) -> Iterator[tuple[Span, Span]]:
        """Titles, each with the name below it."""
        number, last = 0, -1
        while number < len(self.lines) - 1:
            if number in self.seeds or self._looks_alike(number, number == last + 1):
                start = self.lines[number].start
                yield (start, start + len(self._words(number))), self._holder(number + 1)
                number = last = number + 1
            number += 1

    def _looks_alike(self, number: int, in_record: bool) -> bool:
        """Whether a line has the look of a title; right below a name only one that ends in a role is."""
        look = self._look(number)
        if not look[0] or look not in self.looks or number + 1 in self.seeds or not self._may_be(number):
            return False
        return not in_record or _is_role(self.lexicon.parse(self._words(number))[-1])

    def _words(self, number: int) -> str:
        line = self.lines[number]
        text = self.page.text[line.start : line.end]
        return _NUMBERED.sub("", text)

    def _may_be(self, number: int) -> bool:
        words = self._words(number)
        return len(self.lines[number].cells) == 1 and len(words.split()) <= _MOST_WORDS and ":" not in words

    def _is_known(self, number: int) -> bool:
        """Whether a line is nothing but a role: one that the contract names, or one of the lexicon."""
        if not self._may_be(number):
            return False
        words = self._words(number)
        tokens = self.lexicon.parse(words)
        return fold(words) in self.known or all(map(_is_role, tokens))

    def _look(self, number: int) -> tuple[bool, bool, bool]:
        """Whether a line is bold and in capitals, and only the first cell of the next is bold as well."""
        line, below = self.lines[number], self.lines[number + 1]
        bold = self._bold(line.start) >= line.end
        leads = self._bold(below.start) > 0 and not any(self._bold(start) for start, _ in below.cells[1:])
        return bold, self.page.text[line.start : line.end].isupper(), leads

    def _bold(self, start: int) -> int:
        """Where bold print ends that a line begins with."""
        at = bisect_right(self.strong, start, key=lambda run: run[0]) - 1
        return self.strong[at][1] if at >= 0 and self.strong[at][1] > start else 0

    def _holder(self, number: int) -> Span:
        line = self.lines[number]
        start, end = line.cells[0]
        return start, min(end, self._bold(start) or end)
