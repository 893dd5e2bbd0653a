"""Words with places on a page, set as plain text: visual lines, and columns apart as they are on the page."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from operator import sub
from typing import NamedTuple

from paxman.documents.document import PageBox, PageSpan
from paxman.documents.paged.prose_columns import prose_blocks
from paxman.documents.paged.segments import FEWEST_LINES, SEVERAL_WORDS, Block, Segment, Word
from paxman.types import Span

COLUMN_GAP = 2
"""Spaces between columns; inside a column words stand one space apart."""
_NARROWEST_COLUMN_GAP = 0.5
_WIDEST_SPACE = 1.1
_OVERLAP = -0.5
_STRETCHED = 1.2
"""How much wider than others a gap may be if the file has a space there: lines are stretched to a common width."""
_SAME_LINE = 0.35
_MAX_COLUMN = 400
_BLANK_LINE = 1.7
_NARROWED = 0.8
"""Of the width that a third of a page's text has: what little is narrower still may be marks of a scan."""
_REACH = 3
"""Rows above and below that say where a column starts."""
_LINE_WIDTH = 1.0
"""In points."""


class View(NamedTuple):
    """How a page is shown: the part of its own plane that is seen, with y upwards, and quarter turns with the clock.

    A box in the plane is four numbers: left, right, bottom, top. As shown, y goes down from the top left corner.
    """

    left: float
    bottom: float
    right: float
    top: float
    turns: int = 0

    @property
    def size(self) -> tuple[float, float]:
        """Width and height as shown."""
        size = self.right - self.left, self.top - self.bottom
        return size if self.turns % 2 == 0 else size[::-1]

    def place(self, corners: Sequence[float]) -> tuple[float, float, float, float]:
        """A box as shown: left, top, right, bottom."""
        left, right, bottom, top = corners
        if self.turns == 0:
            return left - self.left, self.top - top, right - self.left, self.top - bottom
        if self.turns == 1:
            return bottom - self.bottom, left - self.left, top - self.bottom, right - self.left
        if self.turns == 2:
            return self.right - right, bottom - self.bottom, self.right - left, top - self.bottom
        return self.top - top, self.right - right, self.top - bottom, self.right - left

    def unplace(self, left: float, top: float, right: float, bottom: float) -> tuple[float, float, float, float]:
        """The box in the plane that `place` shows here."""
        if self.turns == 0:
            return left + self.left, right + self.left, self.top - bottom, self.top - top
        if self.turns == 1:
            return top + self.left, bottom + self.left, left + self.bottom, right + self.bottom
        if self.turns == 2:
            return self.right - right, self.right - left, top + self.bottom, bottom + self.bottom
        return self.right - bottom, self.right - top, self.top - right, self.top - left

    def upright(
        self, way: int, first: Sequence[float], last: Sequence[float], x: float, y: float
    ) -> tuple[float, float, float]:
        """Begin and end of a word along its line, and its baseline, with the page turned so that the word reads.

        `way` is the word's direction as shown, in quarter turns with the clock; `first` and `last` are the boxes of its
        outer characters; `x` and `y` are on its baseline.
        """
        if way == 0 == self.turns:
            left = first[0] if first[0] < last[0] else last[0]
            right = last[1] if first[1] < last[1] else first[1]
            return left - self.left, right - self.left, self.top - y
        one, other = self.place(first), self.place(last)
        across, down, _, _ = self.place((x, x, y, y))
        width, height = self.size
        low, high = min(one[way % 2], other[way % 2]), max(one[2 + way % 2], other[2 + way % 2])
        if way == 0:
            return low, high, down
        if way == 1:
            return low, high, width - across
        return (width - high, width - low, height - down) if way == 2 else (height - high, height - low, across)


class PageText:
    """The text of one page, with the place of each word in it and on the page."""

    def __init__(self, number: int, view: View) -> None:
        self.number = number
        self.view = view
        self.text = ""
        self.starts = array("i")
        self.ends = array("i")
        self.corners = array("f")

    @property
    def size(self) -> tuple[int, int]:
        """Width and height as shown, in hundredths of a point."""
        width, height = self.view.size
        return round(width * 100), round(height * 100)

    def pack(self) -> list[bytes]:
        """Four blocks of bytes that `unpack` reads."""
        return [self.text.encode(), *(part.tobytes() for part in (self.starts, self.ends, self.corners))]

    def unpack(self, blocks: Sequence[bytes]) -> PageText:
        self.text = blocks[0].decode()
        self.starts.frombytes(blocks[1])
        self.ends.frombytes(blocks[2])
        self.corners.frombytes(blocks[3])
        return self

    def locate(self, span: Span) -> PageBox:
        """The box around the characters of a span, as the page is shown; without any, an empty one in the corner."""
        first, last = bisect_right(self.ends, span[0]), bisect_left(self.starts, span[1])
        corners = [number for word in range(first, last) for number in self._word_corners(word, span)]
        if not corners:
            return PageBox(self.number, (0, 0, 0, 0))
        around = min(corners[::4]), max(corners[1::4]), min(corners[2::4]), max(corners[3::4])
        left, top, right, bottom = (round(number * 100) for number in self.view.place(around))
        return PageBox(self.number, (left, top, right, bottom))

    def _word_corners(self, word: int, span: Span) -> array[float]:
        begin, end = self.starts[word], self.ends[word]
        at = self._offsets[word] - begin
        return self.corners[4 * (at + max(span[0], begin)) : 4 * (at + min(span[1], end))]

    @cached_property
    def _offsets(self) -> list[int]:
        """How many characters with a box stand before each word."""
        return [0, *accumulate(map(sub, self.ends, self.starts))]


class _Setter:
    """Writes words into a page's text, line by line."""

    def __init__(self, page: PageText) -> None:
        self.page = page
        self.parts: list[str] = []
        self.length = 0

    def write(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def set_segment(self, segment: Segment) -> None:
        page, start = self.page, self.length
        for word in segment.words:
            end = start + len(word.text)
            page.starts.append(start)
            page.ends.append(end)
            page.corners.extend(word.corners)
            start = end + 1
        self.write(segment.text)

    def set_lines(self, lines: list[list[Segment]]) -> None:
        columns = _columns(lines)
        above: list[Segment] | None = None
        for block in _blocks(lines):
            within = _columns(block.lines) if block.is_prose else columns
            for line in block.lines:
                if above and _is_far(above, line):
                    self.write("\n")
                self._set_line(line, within)
                above = line

    def _set_line(self, line: list[Segment], columns: dict[float, int]) -> None:
        begin = self.length
        for segment in line:
            wanted = columns[segment.x0] - (self.length - begin)
            self.write(" " * max(wanted, COLUMN_GAP if self.length > begin else 0))
            self.set_segment(segment)
        self.write("\n")


def set_page(page: PageText, groups: Iterable[Sequence[Word]]) -> PageText:
    """Fill a page with words, those of each direction of writing by themselves."""
    setter = _Setter(page)
    for group in groups:
        setter.set_lines(_lines(group))
    page.text = "".join(setter.parts)
    return page


def join_pages(pages: Sequence[PageText]) -> tuple[str, tuple[PageSpan, ...], Callable[[Span], PageBox]]:
    """One text with a form feed between pages, the pages in it, and the way back to boxes."""
    starts = [0, *accumulate(len(page.text) + 1 for page in pages)]
    spans = [(start, start + len(page.text)) for start, page in zip(starts, pages, strict=False)]

    def locate(span: Span) -> PageBox:
        index = min(max(bisect_right(starts, span[0]) - 1, 0), len(pages) - 1)
        return pages[index].locate((span[0] - starts[index], span[1] - starts[index]))

    numbered = (PageSpan(page.number, span, *page.size) for page, span in zip(pages, spans, strict=True))
    return "\f".join(page.text for page in pages), tuple(numbered), locate


def _blocks(lines: list[list[Segment]]) -> list[Block]:
    """The lines in the order in which they are read; where there may be columns of prose, these are looked for.

    There, lines that go on in small letters end left of where others begin.
    """
    going = [segment for line in lines for segment in line if len(segment.words) >= SEVERAL_WORDS and segment.goes_on]
    few = FEWEST_LINES // 2
    if len(going) < FEWEST_LINES:
        return [Block(lines, False)]
    ends, starts = sorted(segment.end for segment in going), sorted(segment.x0 for segment in going)
    if ends[few - 1] >= starts[-few]:
        return [Block(lines, False)]
    return prose_blocks(lines)


def _is_far(above: list[Segment], below: list[Segment]) -> bool:
    upper, lower = above[0].words[0], below[0].words[0]
    return lower.baseline - upper.baseline > _BLANK_LINE * max(upper.height, lower.height)


def _lines(words: Sequence[Word]) -> list[list[Segment]]:
    """Words in lines from top to bottom, each line cut into segments where a column ends.

    Where most letters are written from right to left, so are the columns, and all is set as in a mirror.
    """
    mirrored = _is_mostly_right_to_left(words)
    words = [word._replace(x0=-word.x1, x1=-word.x0) for word in words] if mirrored else words
    rows = [_from_left(words, row) for row in _rows(words)]
    gaps = [[_gap(before, word) for before, word in pairwise(row)] for row in rows]
    # The gap that parts columns, as a share of the letters' height; a space of typewriter letters is wide itself.
    usual = sorted(gap for between in gaps for gap in between if 0.05 < gap < _WIDEST_SPACE)
    space = usual[len(usual) * 3 // 10] if usual else 0.0
    gap = min(max(_NARROWEST_COLUMN_GAP, 1.6 * space), _WIDEST_SPACE)
    edges = [
        {round(word.x0) for word, free in zip(row[1:], between, strict=True) if free > gap}
        for row, between in zip(rows, gaps, strict=True)
    ]
    lines = [
        _segments(
            row, between, gap, _edges_around(edges, number, not mirrored and _tells_spaces(row, between, gap)), mirrored
        )
        for number, (row, between) in enumerate(zip(rows, gaps, strict=True))
    ]
    return _without_centred(lines)


def _tells_spaces(row: list[Word], gaps: list[float], gap: float) -> bool:
    """Whether the file itself has spaces between words of a row, so that one without was placed by itself."""
    return any(word.joined and free <= gap for word, free in zip(row[1:], gaps, strict=True))


def _edges_around(edges: list[set[int]], number: int, tells_spaces: bool) -> set[int]:
    """Where columns start in the rows right above and below one; where it tells spaces, in any row near it."""
    above, below = edges[max(0, number - _REACH) : number], edges[number + 1 : number + 1 + _REACH]
    if tells_spaces:
        return set().union(*above, *below)
    return above[-1] & below[0] if above and below else set()


def _without_centred(lines: list[list[Segment]]) -> list[list[Segment]]:
    """The lines, each that is centred beside the two of another cell put beside the first of them."""
    found: list[list[Segment]] = []
    for line, below in zip(lines, [*lines[1:], []], strict=False):
        if found and below and _is_centred(found[-1], line, below):
            level = found[-1][0].words[0].baseline
            moved = [each._replace(words=[word._replace(baseline=level) for word in each.words]) for each in line]
            found[-1] = sorted([*found[-1], *moved], key=lambda segment: segment.x0)
        else:
            found.append(line)
    return found


def _is_centred(above: list[Segment], line: list[Segment], below: list[Segment]) -> bool:
    """Whether a line stands half way between two that begin alike, closer than lines stand, and beside both."""
    if len(above) != 1 or len(below) != 1 or len(line) != 1:
        return False
    first, word, last = (each[0].words[0] for each in (above, line, below))
    upper, lower = word.baseline - first.baseline, last.baseline - word.baseline
    if upper + lower > _BLANK_LINE * word.height or abs(upper - lower) > _SAME_LINE * word.height:
        return False
    beside = all(line[0].end <= each[0].x0 or each[0].end <= line[0].x0 for each in (above, below))
    return beside and abs(above[0].x0 - below[0].x0) < _SAME_LINE * word.height


def _rows(words: Sequence[Word]) -> list[list[int]]:
    """Numbers of the words that have about the same baseline."""
    rows: list[list[int]] = []
    level = height = 0.0
    baselines = [word.baseline for word in words]
    for number in sorted(range(len(words)), key=baselines.__getitem__):
        baseline, tall = baselines[number], words[number].height
        if rows and baseline - level < _SAME_LINE * (tall if tall < height else height):
            rows[-1].append(number)
            level += (baseline - level) / len(rows[-1])
        else:
            rows.append([number])
            level, height = baseline, tall
    return rows


def _from_left(words: Sequence[Word], row: list[int]) -> list[Word]:
    """A row from left to right; what the file joins stays together, even where another column is printed over it."""
    chains: list[list[Word]] = []
    for number in sorted(row):
        word = words[number]
        if (
            chains
            and word.joined
            and words[number - 1] is chains[-1][-1]
            and _OVERLAP < _gap(words[number - 1], word) < 0.9
        ):
            chains[-1].append(word)
        else:
            chains.append([word])
    chains.sort(key=lambda chain: (chain[0].x0, chain[-1].x1))
    return [word for chain in chains for word in chain]


def _gap(before: Word, word: Word) -> float:
    height, other = before.height, word.height
    return (word.x0 - before.x1) / (height if height < other else other)


def _segments(row: list[Word], gaps: list[float], gap: float, edges: set[int], mirrored: bool) -> list[Segment]:
    """Words that belong together; a word between two starts of a column, right above and below, starts it, too."""
    runs = [row[:1]]
    for before, word, free in zip(row, row[1:], gaps, strict=False):
        if free > (gap * _STRETCHED if word.joined else gap) or _starts_column(before, word, free, edges):
            runs.append([])
        runs[-1].append(word)
    return [_segment(run, mirrored) for run in runs]


def _segment(run: list[Word], mirrored: bool) -> Segment:
    text = " ".join([word.text for word in run])
    if not mirrored and text.isascii():
        return Segment(run, run[0].x0, text)
    words = _reading_order(run, mirrored)
    return Segment(words, run[0].x0, " ".join([word.text for word in words]))


def _starts_column(before: Word, word: Word, free: float, edges: set[int]) -> bool:
    if word.joined:
        return False
    return free < _OVERLAP or round(word.x0) in edges or _is_parted(before, word)


def _is_parted(before: Word, word: Word) -> bool:
    """Whether a line is drawn between two words, and none through the first, as between letters in boxes."""
    starts_cell = before.x1 - _LINE_WIDTH < word.edge < word.x0 + _LINE_WIDTH
    return starts_cell and before.edge < min(word.edge, before.x0 + _LINE_WIDTH)


def _reading_order(words: list[Word], mirrored: bool) -> list[Word]:
    """Words as most of them are read; a run that is written the other way is turned around."""
    turned = any(is_right_to_left(word.text) for word in words)
    from_right = turned and (mirrored or _is_mostly_right_to_left(words))
    other_way = _is_left_to_right if from_right else is_right_to_left
    ordered: list[Word] = []
    run: list[Word] = []
    for word in words if from_right == mirrored else words[::-1]:
        if other_way(word.text):
            run.append(word)
        else:
            ordered += [*reversed(run), word]
            run = []
    return ordered + run[::-1]


_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def is_right_to_left(text: str) -> bool:
    return not text.isascii() and bool(_RIGHT_TO_LEFT.search(text))


def _is_left_to_right(text: str) -> bool:
    return any(map(str.isalpha, text)) and not is_right_to_left(text)


def _is_mostly_right_to_left(words: Sequence[Word]) -> bool:
    turned = sum(_letters(word.text) for word in words if not word.text.isascii() and is_right_to_left(word.text))
    return turned > 0 and turned > sum(_letters(word.text) for word in words if not is_right_to_left(word.text))


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def _columns(lines: list[list[Segment]]) -> dict[float, int]:
    """The column of each left edge on the page: the same edge has the same column on every line.

    Edges keep their order, and are pushed to the right by what stands before them on any line.
    """
    segments = sorted(((s.x0, number, place) for number, line in enumerate(lines) for place, s in enumerate(line)))
    if not segments:
        return {}
    widths = sorted((s.end - s.x0) / max(len(s.text), 1) for line in lines for s in line)
    pitch = max(widths[len(widths) // 8], _NARROWED * widths[len(widths) // 3], 0.5)
    margin = segments[0][0]
    columns: dict[float, int] = {}
    cluster: list[tuple[float, int, int]] = []
    column = 0
    for entry in [*segments, None]:
        if cluster and (entry is None or entry[0] - cluster[0][0] > 0.4 * pitch):
            pushed = max(_end_before(lines[number], place, columns) for _, number, place in cluster)
            column = min(max(column, round((cluster[0][0] - margin) / pitch), pushed), _MAX_COLUMN)
            columns.update(dict.fromkeys((x0 for x0, _, _ in cluster), column))
            cluster = []
        if entry:
            cluster.append(entry)
    return columns


def _end_before(line: list[Segment], place: int, columns: dict[float, int]) -> int:
    if place == 0:
        return 0
    left = line[place - 1]
    return columns.get(left.x0, 0) + len(left.text) + COLUMN_GAP
