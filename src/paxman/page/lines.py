"""Lines of a page and the cells in them, whatever the format: a text, a table of markup, a sheet."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, takewhile

from paxman.classes import record
from paxman.documents.document import Document
from paxman.documents.visual_lines import VisualLines, gaps_to_tabs
from paxman.lazy import lazy_pattern
from paxman.lexicon.folding import fold_words
from paxman.types import Span

_RULE = lazy_pattern(r"[\s\-=_*~.·•|+#—–]+")
_FIGURES = lazy_pattern(r"\d+")
_TITLE_LENGTH = 90
_SHORT_LENGTH = 50
_TABULAR = frozenset({"csv"})
_LONG_LINE = 100
_MOST_RUNNING, _LEAST_PAGES = 12, 3
"""Lines at the top of a page that may come again on others, and on how many pages they do."""
_SIGN_APART = 3
"""Blanks that may part the sign of a currency from its amount; over more of them it is a column."""


@record
class GridRow:
    """A row of a table of the format: which table, how many rows below its head it has, and whether it is the head."""

    table: int
    number: int
    rows: int
    columns: int
    head: bool
    headed: bool = False
    """Whether the format itself says that the table has a head."""


@record
class PageLine:
    """A line with words in it: where it stands, its cells, and what markup says of it."""

    number: int
    start: int
    end: int
    cells: tuple[Span, ...]
    blank: bool
    """Whether a blank line stands above it."""
    level: int = 0
    """Of a heading, from 1; 0 where markup says none."""
    strong: bool = False
    row: GridRow | None = None
    """The row of a table of the format itself that this line is."""
    edge: int = 0
    """Where the line begins, with the blanks before its words."""

    @property
    def gridded(self) -> bool:
        return self.row is not None


class PageLines:
    """The lines of a page that have words, in order."""

    def __init__(self, document: Document) -> None:
        shown = document.rows_of_text
        self.view = VisualLines(gaps_to_tabs(shown.text), is_set=document.kind != "text")
        self.text, self.printed = self.view.text, shown.text
        self._lines = tuple(self._read(document))
        self._paragraphs = sorted(mark.span for mark in document.marks if mark.kind == "paragraph")
        self._starts = [line.start for line in self._lines]
        self._pages = [page.span[0] for page in document.pages]

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, number: int) -> PageLine:
        return self._lines[number]

    def __iter__(self) -> Iterator[PageLine]:
        return iter(self._lines)

    def head(self, most: int) -> tuple[PageLine, ...]:
        """The first lines."""
        return self._lines[:most]

    def after(self, number: int, most: int) -> tuple[PageLine, ...]:
        """The lines that follow one."""
        return self._lines[number + 1 : number + 1 + most]

    def at(self, position: int) -> int:
        """The number of the line that a position is in, or behind."""
        return max(0, bisect_right(self._starts, position) - 1)

    def running(self, heads: Sequence[int]) -> frozenset[int]:
        """Lines that begin pages above a heading and come again there but for figures, also above all headings."""
        if len(self._pages) < _LEAST_PAGES or not self._lines or not heads:
            return frozenset()
        starts = [self.at(start) + (self._lines[self.at(start)].start < start) for start in self._pages]
        tops: list[list[tuple[int, str]]] = []
        for first, end in zip(starts, [*starts[1:], len(self._lines)], strict=True):
            head = next((head for head in heads if first <= head < end), first)
            lines = self._lines[first : min(head, first + _MOST_RUNNING)]
            texts = ("\t".join(self.text[slice(*cell)] for cell in line.cells) for line in lines)
            tops.append([(at, _FIGURES.sub("0", text)) for at, text in enumerate(texts)])
        counts = Counter(line for top in tops for line in top)
        above = {line for first, top in zip(starts, tops, strict=True) if first < heads[0] for line in top}
        often = {line for line in above if counts[line] >= max(_LEAST_PAGES, len(tops) / 4)}
        same = (takewhile(often.__contains__, top) for top in tops)
        return frozenset(first + at for first, top in zip(starts, same, strict=True) for at, _ in top)

    def in_paragraph(self, first: int, last: int) -> bool:
        """Whether markup says that two lines are of one paragraph."""
        start, end = self._lines[first].start, self._lines[last].end
        at = bisect_right(self._paragraphs, (start, len(self.text))) - 1
        return at >= 0 and self._paragraphs[at][1] >= end

    def column(self, line: PageLine, position: int) -> int:
        return self.view.column(line.edge, position)

    def _read(self, document: Document) -> Iterator[PageLine]:
        cells = _grid_cells(document, self.view)
        marks = _line_marks(document, self.view)
        blank, number = True, 0
        for index in range(len(self.view)):
            line = self.view.line(index)
            spans, row = cells.get(index, (None, None))
            spans = self._joined(line.chunks) if spans is None else spans
            if not spans or _RULE.fullmatch(self.text, spans[0][0], spans[-1][1]):
                blank = True
                continue
            level, strong = marks.get(index, (0, False))
            yield PageLine(number, spans[0][0], spans[-1][1], tuple(spans), blank, level, strong, row, line.start)
            blank, number = False, number + 1

    def _joined(self, chunks: tuple[Span, ...]) -> tuple[Span, ...]:
        """The chunks of a line; blanks behind the end of a sentence or the sign of a currency part no columns."""
        signs = any(self._is_sign(chunk) for chunk in chunks[:-1])
        is_long = len(chunks) > 1 and chunks[-1][1] - chunks[0][0] >= _LONG_LINE
        if not (is_long or signs):
            return chunks
        joined = [chunks[0]]
        for start, end in chunks[1:]:
            last = joined[-1]
            ends = is_long and start - last[1] == 2 and self.text[last[1] - 1] in ".!?:;,)"
            is_amount = self._is_sign(last) and self.text[start].isdigit() and start - last[1] <= _SIGN_APART
            if (is_amount or ends) and "\t" not in self.text[last[1] : start]:
                joined[-1] = (last[0], end)
            else:
                joined.append((start, end))
        return tuple(joined)

    def _is_sign(self, chunk: Span) -> bool:
        """Whether a chunk is nothing but the sign of a currency, which is set apart from its amount."""
        return chunk[1] - chunk[0] == 1 and unicodedata.category(self.text[chunk[0]]) == "Sc"

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """How weighty each line is as a heading, as markup says.

        7 for a bold line, 8 for one in capitals, 9 for one over lines that stand further in.
        """
        return tuple(self._level(line) for line in self._lines)

    def _level(self, line: PageLine) -> int:
        if line.level:
            return line.level
        if self._leads_block(line):
            return 9
        if len(line.cells) > 1 or line.gridded or line.end - line.start > _TITLE_LENGTH:
            return 0
        text = self.text[line.start : line.end]
        if ":" in text[:-1] or not any(map(str.isalpha, text)):
            return 0
        if line.strong:
            return 7
        return 8 if text.isupper() and sum(map(str.isalpha, text)) > 3 and not any(map(str.isdigit, text)) else 0

    def _leads_block(self, line: PageLine) -> bool:
        """Whether lines that stand further in follow a short line of its own."""
        if len(line.cells) > 1 or line.row or line.number + 1 >= len(self._lines):
            return False
        below = self._lines[line.number + 1]
        if below.row or below.blank or self.column(below, below.start) < self.column(line, line.start) + 2:
            return False
        return ":" not in self.text[line.start : line.end - 1] and line.end - line.start <= _SHORT_LENGTH


def _grid_cells(document: Document, view: VisualLines) -> dict[int, tuple[tuple[Span, ...], GridRow]]:
    """Cells of tables of the format itself by the line that they stand in."""
    found: dict[int, tuple[list[Span], GridRow]] = {}
    for number, table in enumerate(document.tables):
        columns = max((len({cell.span for cell in row}) for row in (table.header, *table.rows)), default=0)
        for at, row in enumerate((table.header, *table.rows)):
            headed = columns > 2 and (document.kind in _TABULAR or table.headed)
            place = GridRow(number, at, len(table.rows), columns, at == 0, headed)
            for cell in row:
                start, end = cell.span
                if start < end and (index := view.line_at(start)) == view.line_at(end - 1):
                    found.setdefault(index, ([], place))[0].append(cell.span)
    return {index: (tuple(sorted(set(spans))), place) for index, (spans, place) in found.items()}


def _line_marks(document: Document, view: VisualLines) -> dict[int, tuple[int, bool]]:
    """The level of headings, and whether a line is bold as a whole, by line."""
    found: dict[int, tuple[int, bool]] = {}
    for mark in document.marks:
        start, end = mark.span
        if start >= end or mark.kind not in ("heading", "strong"):
            continue
        index = view.line_at(start)
        line = view.line(index)
        if mark.kind == "heading":
            for below in range(index, view.line_at(end - 1) + 1):
                found[below] = (max(1, mark.level), True)
        elif line.chunks and start <= line.chunks[0][0] and end >= line.chunks[-1][1] - 1:
            found.setdefault(index, (0, True))
    return found


_WORD = lazy_pattern(r"[^\W_]+(?:['’][^\W\d_]{1,2}(?![^\W_]))?|#")


STEM = 4
_SHARED = 0.6


def is_form(word: str, other: str) -> bool:
    """Whether two words are forms of one: they begin alike for the greater part of the longer."""
    same = next((at for at, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    return word == other or (same >= STEM and same >= _SHARED * max(len(word), len(other)))


class WordStream:
    """Folded words of a text, joined by single blanks, and where each stands."""

    def __init__(self, text: str) -> None:
        self._text = text
        written = _WORD.findall(text)
        self._folded = {word: "".join(fold_words(word)) for word in set(written)}
        self._words = [word for word in map(self._folded.__getitem__, written) if word]
        self.known = frozenset(self._words)
        self._joined = f" {' '.join(self._words)} "

    @cached_property
    def _spans(self) -> list[Span]:
        return [match.span() for match in _WORD.finditer(self._text) if self._folded[match[0]]]

    @cached_property
    def _starts(self) -> list[int]:
        """Where each word begins among the joined ones."""
        return list(accumulate((len(word) + 1 for word in self._words), initial=1))

    @cached_property
    def alike(self) -> list[str]:
        """The folded words in order; figures are all alike."""
        return ["0" if word.isdigit() else word for word in self._words]

    @cached_property
    def _places(self) -> list[int]:
        return [start for start, _ in self._spans]

    def at(self, position: int) -> int:
        """How many words start before a position."""
        return bisect_left(self._places, position)

    def between(self, start: int, end: int) -> list[str]:
        """The folded words that start in a part of the text."""
        return self._words[bisect_left(self._spans, (start, 0)) : bisect_left(self._spans, (end, 0))]

    @cached_property
    def _by_stem(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = {}
        for at, word in enumerate(self._words):
            found.setdefault(word[:STEM], []).append(at)
        return found

    def forms(self, word: str) -> Iterator[Span]:
        """Where a word stands in the text in any of its forms: "approved" for "approval"."""
        for at in self._by_stem.get(word[:STEM], ()):
            if is_form(self._words[at], word):
                yield self._spans[at]

    def find(self, phrase: str) -> Iterator[Span]:
        """Where a phrase of folded words stands in the text; one that ends in a star may go on in its last word."""
        sought, words, count = _sought(phrase)
        if not self.known.issuperset(words):
            return
        at = self._joined.find(sought)
        while at >= 0:
            first = bisect_left(self._starts, at + 1)
            yield self._spans[first][0], self._spans[first + count - 1][1]
            at = self._joined.find(sought, at + len(sought) - 1)


@lru_cache(maxsize=16384)
def _sought(phrase: str) -> tuple[str, tuple[str, ...], int]:
    """A phrase as it stands among joined words, the words that must be there, and how many words it has."""
    words = tuple(phrase.split(" "))
    return (f" {phrase[:-1]}", words[:-1], len(words)) if phrase.endswith("*") else (f" {phrase} ", words, len(words))
