"""Places: where on a page what a name names may stand: behind it, beside it, below it, over it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Literal

from paxman.classes import record
from paxman.documents.document import Document
from paxman.documents.visual_lines import find_separator
from paxman.lazy import lazy_pattern
from paxman.page.lines import PageLine, PageLines
from paxman.types import Span

Relation = Literal["key", "beside", "next", "below", "above", "section", "inline", "title", "box", "caption", "alone"]
"""A pair of the format itself; behind a colon; in the next cell; in the cell below; over a caption; in the lines under
a heading; behind words of a sentence, or a title; in the box before it; in the box of a caption; with no name."""

_MOST_BLOCK = 40
_MOST_HANGING = 4
_FAR_BELOW, _LIST_REACH = 3, 8
_LONG_LINE = 50
_LAST_MARKED = 6
"""The last level of headings that markup says; what is only bold may be the value of a label."""
_RULE_REACH = 8
_MOST_ROLE_WORDS = 3
_FIRST_LINES, _HABIT = 200, 2
_CODE = lazy_pattern(r"\d[\w:.-]{0,11}")
_BOX = lazy_pattern(r"[☐☑☒☓✓✔✗✘□■¨○◯●]|\[[ xX*]?\]")
_BAR = lazy_pattern(r"\s*[|·•]\s*")
_DIGIT = lazy_pattern(r"\d")
_LETTER = lazy_pattern(r"[^\W\d_]")
_LETTERS = lazy_pattern(r"[^\W\d_]+")
_LED = lazy_pattern(
    r"([^\W\d_][^\d\s:;,]*(?:[ \t][^\W\d_][^\d\s:;,]*){0,2})[ \t](?:\([^()\n]{1,20}\)[ \t])?"
    r"((?=[^\s:]*\d)\S(?:[^:;\n]|(?<=\d):(?=\d)){0,30})(?<!\.)"
)
"""A name of up to three words with a value behind it that has figures: "Seat 24A", "Total pieces 16"."""
_CODE_WORD = lazy_pattern(r"[ \t](?=[A-Z]{1,3}\Z)")


@record
class Place:
    """Where what a name names may stand: the first line of it, and all the lines that belong together."""

    relation: Relation
    span: Span
    block: Span


class PlaceFinder:
    """What stands around the cells of a page."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.lines = PageLines(document)
        self.text = self.lines.text

    def _line_of(self, span: Span) -> Span:
        end = self.text.find("\n", span[0], span[1])
        return span if end < 0 else (span[0], end)

    @cached_property
    def _first_box(self) -> int:
        """Where the first box of the page stands; most pages have none."""
        found = _BOX.search(self.text)
        return found.start() if found else len(self.text)

    def _has_box(self, start: int, end: int) -> bool:
        return end > self._first_box and _BOX.search(self.text, start, end) is not None

    def _led(self, cell: Span) -> Iterator[tuple[Span, Span]]:
        """A name and the value behind it, where they are all that a cell holds: "Flight LH 401" has two such names."""
        found = _LED.fullmatch(self.text, *cell)
        if found is None or not self.text[cell[0]].isupper():
            return
        yield found.span(1), found.span(2)
        code = _CODE_WORD.search(self.text, *found.span(1))
        if code:
            yield (cell[0], code.start()), (code.end(), cell[1])

    def _heads_column(self, line: PageLine) -> bool:
        """Whether the cells of a line are heads of columns: names side by side over a line of as many cells."""
        if line.row:
            return line.row.head and (line.row.headed or line.row.columns > 2)
        if len(line.cells) < 3 or _DIGIT.search(self.text, line.start, line.end):
            return False
        below = self._next(line)
        # Two pairs side by side over two others look the same: both ways of reading are left then.
        return below is not None and len(below.cells) >= len(line.cells) - 1 and len(line.cells) % 2 == 1

    def _next(self, line: PageLine) -> PageLine | None:
        return self.lines[line.number + 1] if line.number + 1 < len(self.lines) else None

    def _heads_list(self, line: PageLine, cell: Span, first: PageLine, hit: Span) -> bool:
        """Whether a cell heads a column: the next row goes on with it, or another value is written as the first."""
        shape = self._shape(hit)
        for number in range(first.number + 1, min(first.number + _LIST_REACH, len(self.lines))):
            lower = self.lines[number]
            other = self.overlapping(line, cell, lower) if len(lower.cells) > 1 else None
            if other is None:
                continue
            goes_on = number == first.number + 1 and not lower.blank and len(lower.cells) >= len(first.cells)
            if goes_on and self._is_like(shape, self._shape(other), len(first.cells)):
                return True
            if "0" in shape and self._shape(other) == shape and self.text[slice(*other)] != self.text[slice(*hit)]:
                return True
        return False

    @staticmethod
    def _is_like(shape: str, other: str, cells: int) -> bool:
        """Whether two cells of a column may be of one list; of two columns figures only are."""
        if cells > 2:
            return ("0" in shape) == ("0" in other)
        return "0" in shape and "0" in other and "a" not in shape + other

    def _shape(self, span: Span) -> str:
        return _LETTERS.sub("a", _DIGIT.sub("0", self.text[span[0] : span[1]]))

    def _leads_pair(self, cell: Span) -> bool:
        """Whether a cell holds a label and a value of its own; "SN:123456" does not."""
        found = find_separator(self.text, *cell)
        return found is not None and (found[1] == cell[1] or self.text[found[1] : found[1] + 1].isspace())

    def _with_title(self, value: Span, end: int) -> Span:
        """A bare code with the words behind it, which may have a colon in them: "442 Civil Rights: Jobs"."""
        return (value[0], end) if _CODE.fullmatch(self.text, *value) and self.text[value[1]] in " \xa0" else value

    def _trim(self, start: int, end: int) -> Span:
        while start < end and self.text[start].isspace():
            start += 1
        while end > start and self.text[end - 1] in " \t\n,;|":
            end -= 1
        return start, end

    def _behind(self, line: PageLine, index: int, label: Span, value: Span, last: bool) -> Iterator[Place]:
        """What stands behind a colon; where that is nothing, in the next cell or below."""
        if "_" in self.lines.printed[label[1] : label[1] + _RULE_REACH]:
            return  # A rule to write on is left blank.
        if value[0] < value[1]:
            block = value if last else self._with_title(value, line.cells[index][1])
            if last and index == len(line.cells) - 1:
                block = max(self._wrapped(line, value), self._hanging(line, value))
            yield Place("beside", value, block)
            return
        if last:
            yield from self._beside(line, index)
            yield from tuple(self._under(line, label)) or self._lower(line, label)
        if index == 0 and last:
            yield from self._over(line, label)

    def _wrapped(self, line: PageLine, value: Span) -> Span:
        """A text with the lines that go on with it: right below, neither a pair nor a heading."""
        end, at, last = value[1], line.number, value
        while at + 1 < len(self.lines) and at - line.number < _MOST_BLOCK:
            below = self.lines[at + 1]
            if below.blank or self.lines.levels[at + 1] or len(below.cells) > 1 or below.row:
                break
            if find_separator(self.text, *below.cells[0]) or self.text[below.start] in "-•*(":
                break
            if not self._goes_on(line, last, below):
                break
            end, at, last = below.end, at + 1, (below.start, below.end)
        return value[0], end

    def _hanging(self, line: PageLine, value: Span) -> Span:
        """The last text of a line with the lines right below that hold nothing but more of it, at its own edge."""
        end, edge = value[1], self.lines.column(line, value[0])
        if line.row or value[1] < line.end:
            return value
        for below in self.lines.after(line.number, _MOST_HANGING):
            if below.blank or len(below.cells) > 1 or below.row or find_separator(self.text, *below.cells[0]):
                break
            if self.lines.column(below, below.start) != edge or self.text[below.start] in "-•*(":
                break
            end = below.end
        return value[0], end

    def _goes_on(self, line: PageLine, last: Span, below: PageLine) -> bool:
        """Whether a text goes on in the next line: it is long, breaks off, or the next begins in small letters."""
        if self.lines.in_paragraph(line.number, below.number):
            return True
        if last[1] - max(last[0], self.lines[self.lines.at(last[0])].start) >= _LONG_LINE:
            return True
        return self.text[last[1] - 1] in ",-&" or self.text[below.start].islower()

    def _beside(self, line: PageLine, index: int) -> Iterator[Place]:
        if index + 1 < len(line.cells) and not self._leads_pair(line.cells[index + 1]):
            cell = line.cells[index + 1]
            if not (_LETTER.match(self.text, cell[0]) and any(self._led(line.cells[index]))):
                yield Place("next", cell, self._hanging(line, cell))

    def _lower(self, line: PageLine, cell: Span) -> Iterator[Place]:
        """What is set a little lower than its name: in the next line, between the name and its neighbour."""
        below = self._next(line)
        if below is None or line.gridded or below.gridded or below.blank or self.overlapping(line, cell, below):
            return
        left = self.lines.column(line, cell[1])
        right = next((self.lines.column(line, other[0]) for other in line.cells if other[0] >= cell[1]), None)
        for span in below.cells:
            if self.lines.column(below, span[0]) > left:
                if right is None or self.lines.column(below, span[1]) < right:
                    yield Place("below", span, span)
                return

    def _set_lower(self, line: PageLine, cell: Span) -> Iterator[Place]:
        """What is set lower than its name, at the edge where a name below, at the name's own edge, has its value."""
        below = self._next(line)
        if below is None or line.gridded or below.gridded or cell != line.cells[-1]:
            return
        left, right = self.lines.column(line, cell[0]), self.lines.column(line, cell[1])
        hit = next((span for span in below.cells if self.lines.column(below, span[0]) > right), None)
        starts = [self.lines.column(below, start) for start, _ in below.cells]
        if hit is None or any(abs(start - left) <= _FAR_BELOW for start in starts):
            return  # It is the value of the name that stands there.
        edge = self.lines.column(below, hit[0])
        for lower in self.lines.after(below.number, _FAR_BELOW):
            starts = [self.lines.column(lower, start) for start, _ in lower.cells]
            if any(abs(a - left) <= _FAR_BELOW and abs(b - edge) <= 1 for a, b in pairwise(starts)):
                yield Place("next", hit, hit)
                return

    def _under(self, line: PageLine, cell: Span) -> Iterator[Place]:
        """The cell below, within the same column; below a line of its own the lines that follow it."""
        if line.row and (not line.row.head or line.row.rows > 1):
            return  # A column of many values answers no single field.
        if len(line.cells) == 1 and not line.gridded:
            if self.text[cell[0]].islower() and self.text[cell[1] - 1] != ":" and line.number and not line.blank:
                return  # Part of a sentence.
            block = self._block_below(line.number)
            if block:
                yield Place("section", self._line_of(block), block)
            return
        for step in range(1, _FAR_BELOW):
            if line.number + step >= len(self.lines):
                return
            below = self.lines[line.number + step]
            if below.gridded != line.gridded:
                return
            if len(below.cells) == 1 and below.blank:
                return
            hit = self.overlapping(line, cell, below)
            if hit:
                if not self._heads_list(line, cell, below, hit):
                    yield Place("below", hit, hit)
                return

    def overlapping(self, line: PageLine, cell: Span, other: PageLine) -> Span | None:
        """The cell of another line that shares most columns of the page with a cell."""
        if line.gridded and other.gridded and len(line.cells) == len(other.cells):
            return other.cells[line.cells.index(cell)] if cell in line.cells else None
        left, right = self.lines.column(line, cell[0]), self.lines.column(line, cell[1])
        best, most = None, 0
        for span in other.cells:
            start, end = self.lines.column(other, span[0]), self.lines.column(other, span[1])
            shared = min(right, end) - max(left, start)
            if shared > most:
                best, most = span, shared
        return best

    def _block_below(self, number: int) -> Span | None:
        """The paragraph that follows a line: its lines up to a blank one, a heading or a pair."""
        if number + 1 >= len(self.lines):
            return None
        first, level = self.lines[number + 1], self.lines.levels[number + 1]
        ends_in_colon = self.text[self.lines[number].end - 1] in ":："
        if first.gridded or 0 < level <= (_LAST_MARKED if ends_in_colon else self.lines.levels[number] or 9):
            return None
        between = [(a[1], b[0]) for a, b in pairwise(first.cells)]
        barred = ends_in_colon and all(_BAR.fullmatch(self.document.text, *gap) for gap in between)
        if self._leads_pair(first.cells[0]) or (len(first.cells) > 1 and not barred):
            return None  # It names its own value.
        if self._has_box(first.start, first.end):
            return first.start, self._last_box(number + 1)
        return self._wrapped(first, (first.start, first.end))

    def _last_box(self, number: int) -> int:
        """The end of the last of the lines with boxes that begin with this one."""
        while number + 1 < len(self.lines) and not self.lines[number + 1].blank:
            below = self.lines[number + 1]
            if not self._has_box(below.start, below.end):
                break
            number += 1
        return self.lines[number].end

    def _over(self, line: PageLine, cell: Span) -> Iterator[Place]:
        """What a caption stands under: one in brackets, or a role below a name that ends in a comma."""
        if line.number == 0:
            return
        above = self.lines[line.number - 1]
        if self.text[cell[0]] in "([" and not cell[0] < self.text.find(")", *cell) < cell[1] - 2:
            hit = self.overlapping(line, cell, above)
            hit = above.cells[0] if hit is None and len(above.cells) == 1 else hit
        else:
            hit = above.cells[0] if self._is_role(line, cell, above) else None
        if hit:
            hit = self._trim(*self._with_first_word(above, hit))
            yield Place("above", hit, hit)

    def _is_role(self, line: PageLine, cell: Span, above: PageLine) -> bool:
        """Whether a word or two further in say what the name in the line above is."""
        if len(line.cells) > 1 or self.text[cell[1] - 1] not in ",." or self.text[above.cells[0][1] - 1] != ",":
            return False
        is_short = len(self.text[slice(*cell)].split()) <= _MOST_ROLE_WORDS
        return is_short and self.lines.column(line, cell[0]) > self.lines.column(above, above.start)

    def _with_first_word(self, line: PageLine, cell: Span) -> Span:
        """A paragraph with its first word, on pages that print that on a line of its own."""
        before = self.lines[line.number - 1] if line.number and line.blank else None
        if before is None or not self._parts_first_words or before.strong != line.strong:
            return cell
        return (before.start, cell[1]) if self.text[before.start : before.end].isalpha() else cell

    @cached_property
    def _parts_first_words(self) -> bool:
        """Whether paragraphs go on in small letters below a word of their own: "For", "the year ended"."""
        pairs = pairwise(self.lines.head(_FIRST_LINES))
        found = (self.text[a.start : a.end].isalpha() and b.blank and self.text[b.start].islower() for a, b in pairs)
        return sum(found) >= _HABIT
