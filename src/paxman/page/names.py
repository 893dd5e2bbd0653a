"""Names: whatever on a page can name something, and the places where what it names may stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import Literal

from paxman.classes import record
from paxman.documents.document import Document
from paxman.documents.layout_lines import find_separator
from paxman.lazy import lazy_pattern
from paxman.page.lines import PageLine, PageLines
from paxman.page.stacked_heads import stacked_heads
from paxman.page.words import WordStream
from paxman.types import Span

Relation = Literal["key", "beside", "next", "below", "above", "section", "inline", "title", "box", "alone"]
"""A pair of the format itself; behind a colon; in the next cell; in the cell below; over a caption; in the lines under
a heading; behind words of a sentence, or the title of a paper; in the box before it; with no name at all."""

_LONGEST_NAME, _SHORT_NAME = 160, 60
_MOST_BLOCK = 40
_SHEETS = frozenset({"csv", "spreadsheet"})
_FAR_BELOW, _LIST_REACH = 3, 8
_LONG_LINE = 50
_HEAD_LINES = 12
_RULE_REACH = 8
_MOST_ROLE_WORDS = 3
_FIRST_LINES, _HABIT = 200, 2
_LONGEST_CAPTION = 200
_NEXT_NAME = lazy_pattern(
    r"(?:(?<=\s)|(?<=[,;|]))((?:[A-Z#(][\w/&'’.()#-]{0,24}[ \t]){0,5}[A-Z#(][\w/&'’.()#-]{0,24})[ \t]?:(?=[\s,]|$)"
)
_CODE = lazy_pattern(r"\d[\w:.-]{0,11}")
_BRACKETED = lazy_pattern(r"[(\[]([^)\]]{3,200})[)\]]?\.?$", re.DOTALL)
_CAPTION_BEHIND = lazy_pattern(r"([^()\n]{2,80}?)\s+\(([A-Z][a-z][^()\d]{3,100})\)\.?")
_BOX_NUMBER = lazy_pattern(r"\A(?:box[ \t]+)?\(?\d{1,2}[a-z]?[.)]?(?:[ \t]*[—–:.-])?[ \t]+(?=[^\W\d])", re.IGNORECASE)
_BOX = lazy_pattern(r"[☐☑☒☓✓✔✗✘□■¨○◯●]|\[[ xX*]?\]")
_DOTS = lazy_pattern(r" ?\.{4}")
_DIGIT = lazy_pattern(r"\d")
_LETTER = lazy_pattern(r"[^\W\d_]")
_LETTERS = lazy_pattern(r"[^\W\d_]+")
_LED = lazy_pattern(
    r"([^\W\d_][^\d\s:;,]*(?:[ \t][^\W\d_][^\d\s:;,]*){0,2})[ \t]"
    r"((?=[^\s:]*\d)\S(?:[^:;\n]|(?<=\d):(?=\d)){0,30})(?<!\.)"
)
"""A name of up to three words with a value behind it that has figures: "Seat 24A", "Total pieces 16"."""
_CODE_WORD = lazy_pattern(r"[ \t](?=[A-Z]{1,3}\Z)")
_STOPPED = lazy_pattern(r"[^\W\d_]{5,}\.")
_COUNTED = lazy_pattern(r"(\d[\d,.]*)[ \t]([^\W\d_]{3,}(?:[ \t][^\W\d_]+){0,2})")
"""A number before what it counts: "3 beds"."""
_SENTENCE = lazy_pattern(r"[a-z)][.!?;][ \t]+[(A-Z]|[.!?;][ \t]+[A-Z][a-z]+[ \t][a-z]")


@record
class Place:
    """Where what a name names may stand: the first line of it, and all the lines that belong together."""

    relation: Relation
    span: Span
    block: Span


@record
class Name:
    """Words that can name something, where they stand, and the headings over them."""

    text: str
    span: Span
    line: int
    places: tuple[Place, ...]
    section: tuple[str, ...] = ()


class Page:
    """A document as finding sees it."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.lines = PageLines(document)
        self.text = self.lines.text

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """Every name of the page in document order; of the same words at the same place the first finder's."""
        found: dict[Span, Name] = {}
        for name in (*self._pairs(), *self._of_stacks(), *self._of_lines()):
            known = found.get(name.span)
            if known:
                found[name.span] = Name(known.text, known.span, known.line, _merged(known, name), known.section)
            else:
                found[name.span] = name
        return tuple(sorted(found.values(), key=lambda name: name.span))

    @cached_property
    def sections(self) -> tuple[tuple[str, ...], ...]:
        """For each line the headings over it, the nearest last."""
        path: list[tuple[int, str]] = []
        found = []
        for line, level in zip(self.lines, self.lines.levels, strict=True):
            if level:
                path = [each for each in path if each[0] < level]
            found.append(tuple(text for _, text in path))
            if level:
                path.append((level, self.text[line.start : line.end]))
        return tuple(found)

    @cached_property
    def titles(self) -> tuple[Span, ...]:
        """Lines that say what the page is: headings, and what stands first, the weightiest first."""
        ranked = []
        for line, level in zip(self.lines, self.lines.levels, strict=True):
            if level or (line.number < _HEAD_LINES and self._may_be_title(line)):
                ranked.append(((level or 9) + min(line.number, 30) / 10, (line.start, line.end)))
        return tuple(span for _, span in sorted(ranked)[:24])

    def _may_be_title(self, line: PageLine) -> bool:
        """Whether a line at the head of a page is more than the start of a sentence, or the whole of one."""
        return not self.text[line.start].islower() and self.text[line.end - 1] not in ".,;"

    def line_end(self, position: int) -> int:
        end = self.text.find("\n", position)
        return len(self.text) if end < 0 else end

    @cached_property
    def words(self) -> WordStream:
        return WordStream(self.text)

    def _pairs(self) -> Iterator[Name]:
        shown = len(self.text)
        for pair in self.document.pairs if self.document.kind not in ("text", "pdf", "image") else ():
            (start, end), value = pair.label_span, pair.value_span
            if value[1] <= shown and value[0] < value[1] and end - start <= _LONGEST_NAME:
                relation = self._pair_relation(end, value[0], start)
                row = self.lines[self.lines.at(start)].row if len(self.lines) else None
                if relation and not (row and row.columns > 2 and "\t" in self.text[end : value[0]]):
                    yield self._name((start, end), (Place(relation, self._line_of(value), value),))

    def _pair_relation(self, end: int, value: int, start: int) -> Relation | None:
        """What joins a pair of the format: a colon, a cell or a term; a line end only makes a section of it."""
        between = self.text[end - 1 : value]
        if "\t" in between and self.document.kind in _SHEETS:
            return "next"
        if ":" in between or "\t" in between or "=" in between or start in self._terms:
            return "key"
        if "\n" in between:
            return "section"
        return "key" if self.document.kind == "html" and self._has_box(value, self.line_end(value)) else None

    @cached_property
    def _terms(self) -> frozenset[int]:
        return frozenset(mark.span[0] for mark in self.document.marks if mark.kind == "term")

    def _line_of(self, span: Span) -> Span:
        end = self.text.find("\n", span[0], span[1])
        return span if end < 0 else (span[0], end)

    def _name(self, span: Span, places: tuple[Place, ...]) -> Name:
        line = self.lines.at(span[0])
        section = self.sections[line] if line < len(self.sections) else ()
        return Name(self._said(span), span, line, places, section)

    def _said(self, span: Span) -> str:
        """The words of a name: without the number of a box, brackets around it and marks behind it."""
        text = " ".join(self.text[span[0] : span[1]].split())
        bracketed = _BRACKETED.match(text)
        text = bracketed[1] if bracketed else _BOX_NUMBER.sub("", text, count=1)
        return text.rstrip(" :.*?—–-")

    @cached_property
    def _stacks(self) -> tuple[tuple[list[int], list[tuple[str, Span, Span]]], ...]:
        return tuple(stacked_heads(self.lines))

    def _of_stacks(self) -> Iterator[Name]:
        """Heads of columns that take several lines."""
        for heads, columns in self._stacks:
            for text, span, value in columns:
                yield Name(text, span, heads[0], (Place("below", value, value),), self.sections[heads[0]])

    def _of_lines(self) -> Iterator[Name]:
        stacked = {number for heads, _ in self._stacks for number in heads}
        for line in self.lines:
            if line.number in stacked:
                continue
            if self._has_box(line.start, line.end):
                for span in line.cells if line.row else ((line.start, line.end),):
                    if self._has_box(*span):
                        yield from self._of_boxes(span)
            for index, cell in enumerate(line.cells):
                yield from self._of_cell(line, index, cell)

    @cached_property
    def _first_box(self) -> int:
        """Where the first box of the page stands; most pages have none."""
        found = _BOX.search(self.text)
        return found.start() if found else len(self.text)

    def _has_box(self, start: int, end: int) -> bool:
        return end > self._first_box and _BOX.search(self.text, start, end) is not None

    def _of_boxes(self, span: Span) -> Iterator[Name]:
        """Words with a box before or behind each of them, or a name with choices behind it."""
        cuts = [(label, value) for label, value in self._inner_names(span) if self._has_box(*value)]
        if cuts:
            for label, value in cuts:
                yield self._name(label, (Place("beside", value, value),))
            return
        boxes = [box.span() for box in _BOX.finditer(self.text, *span)]
        before = self._trim(span[0], boxes[0][0])
        behind = self._trim(boxes[-1][1], span[1])
        if before[0] == before[1]:
            ends = [*(start for start, _ in boxes[1:]), span[1]]
            words = [self._trim(box[1], end) for box, end in zip(boxes, ends, strict=True)]
        elif behind[0] == behind[1]:
            starts = [span[0], *(end for _, end in boxes[:-1])]
            words = [self._trim(start, box[0]) for box, start in zip(boxes, starts, strict=True)]
        else:
            value = (boxes[0][0], span[1])
            if self._may_name(before):
                yield self._name(before, (Place("beside", value, value),))
            return
        for box, each in zip(boxes, words, strict=True):
            if self._may_name(each):
                yield self._name(each, (Place("box", box, box),))

    def _of_cell(self, line: PageLine, index: int, cell: Span) -> Iterator[Name]:
        if _BOX.match(self.text, *cell):
            return
        caption = self._caption(line, cell)
        if caption:
            yield caption
        if caption and caption.span[0] == cell[0]:
            return
        cuts = self._inner_names(cell)
        if cuts:
            for number, (label, value) in enumerate(cuts):
                if not self._may_name(label):
                    continue
                last = number == len(cuts) - 1
                behind = tuple(self._behind(line, index, label, value, last))
                yield self._name(self._with_first_half(line, index, label), behind)
            head = (cell[0], cuts[0][0][0])
            if self._may_name(head):
                yield self._name(head, (Place("next", cuts[0][0], cuts[0][0]),))
            return
        if not self._may_name(cell, in_row=len(line.cells) > 1) or self._ends_name(line):
            return
        counted = _COUNTED.fullmatch(self.text, *cell)
        if counted and counted[2].islower():
            yield self._name(counted.span(2), (Place("inline", counted.span(1), counted.span(1)),))
            return
        for label, value in self._led(cell):
            yield self._name(label, (Place("inline", value, value),))
        if self._leads_on(cell):
            yield self._name(cell, tuple(Place("beside", each, each) for each in line.cells[index + 1 : index + 2]))
            return
        under = tuple(self._under(line, cell)) or self._lower(line, cell)
        places = [*self._beside(line, index), *self._over(line, cell), *under, *self._set_lower(line, cell)]
        if self._heads_column(line):
            places = [place for place in places if place.relation != "next"]
        if places:
            yield self._name(cell, tuple(places))

    def _with_first_half(self, line: PageLine, index: int, label: Span) -> Span:
        """A label with what stands before a gap, where a line next to it ends its own alike: "Static   Routes:"."""
        if index == 0 or label[0] != line.cells[index][0] or find_separator(self.text, *line.cells[index - 1]):
            return label
        said = self.text[slice(*label)] + ":"
        near = (self.lines[at] for at in (line.number - 1, line.number + 1) if 0 <= at < len(self.lines))
        is_half = any(said in self.text[other.start : other.end] for other in near)
        return (line.cells[index - 1][0], label[1]) if is_half else label

    def _leads_on(self, cell: Span) -> bool:
        """Whether dots lead from a cell to its value, or to none: "Domain ........"."""
        return _DOTS.match(self.lines.printed, cell[1]) is not None

    def _led(self, cell: Span) -> Iterator[tuple[Span, Span]]:
        """A name and the value behind it, where they are all that a cell holds: "Flight LH 401" has two such names."""
        found = _LED.fullmatch(self.text, *cell)
        if found is None or not self.text[cell[0]].isupper():
            return
        yield found.span(1), found.span(2)
        code = _CODE_WORD.search(self.text, *found.span(1))
        if code:
            yield (cell[0], code.start()), (code.end(), cell[1])

    def _ends_name(self, line: PageLine) -> bool:
        """Whether a line is the rest of a name that has its value beside it in the line above."""
        if len(line.cells) > 1 or line.blank or not line.number or not self.text[line.start].islower():
            return False
        above = self.lines[line.number - 1]
        return len(above.cells) > 1 and self.lines.column(above, above.start) == self.lines.column(line, line.start)

    def _caption(self, line: PageLine, cell: Span) -> Name | None:
        """Words in brackets below what they name, which may run over lines, or behind it: "Vale S.A. (Registrant)"."""
        if self.text[cell[0]] == "(":
            end = self.text.find(")", cell[0], cell[0] + _LONGEST_CAPTION)
            if end < cell[1]:
                return None
            places = tuple(self._over(line, cell))
            return self._name((cell[0], end + 1), places) if places else None
        if self.text.find("(", *cell) < 0:
            return None
        behind = _CAPTION_BEHIND.fullmatch(self.text, *cell)
        if behind is None or not self._may_name(behind.span(2)) or ":" in behind[1]:
            return None
        value = behind.span(1)
        return self._name(behind.span(2), (Place("above", value, value),))

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

    def _may_name(self, span: Span, in_row: bool = False) -> bool:
        """Whether words may be a name; with others in its row it may have a stop in it: "First name. Last name"."""
        if not 0 < span[1] - span[0] <= _LONGEST_NAME or not _LETTER.search(self.text, *span):
            return False
        text = self.text[span[0] : span[1]]
        if self._has_box(*span):
            return False
        is_sentence = _SENTENCE.search(text) and not (in_row and len(text) <= _SHORT_NAME)
        return not is_sentence and text.count("(") <= text.count(")") + (text[0] == "(")

    def _inner_names(self, cell: Span) -> list[tuple[Span, Span]]:
        """Labels before colons within a cell, each with what stands behind it up to the next."""
        found: list[Span] = []
        first = find_separator(self.text, *cell)
        if first is None or self.text[first[0] : first[0] + 1] not in ":：=":
            first_end = cell[0]
        else:
            found.append((cell[0], first[0]))
            first_end = first[1]
        if self.text.find(":", first_end, cell[1]) < 0:
            inner: Iterable[re.Match[str]] = ()
        else:
            inner = _NEXT_NAME.finditer(self.text, first_end, cell[1])
        for match in inner:
            if match.start(1) > first_end or not found:
                found.append(match.span(1))
        ends = [*(start for start, _ in found[1:]), *([cell[1]] if found else [])]
        cuts = [
            (label, self._trim(self._past_colon(label[1], end), end)) for label, end in zip(found, ends, strict=True)
        ]
        return [(label, self._without_stop(value)) for label, value in cuts[:-1]] + cuts[-1:]

    def _without_stop(self, value: Span) -> Span:
        """A word that another label follows, without the full stop between the two."""
        return (value[0], value[1] - 1) if _STOPPED.fullmatch(self.text, *value) else value

    def _with_title(self, value: Span, end: int) -> Span:
        """A bare code with the words behind it, which may have a colon in them: "442 Civil Rights: Jobs"."""
        return (value[0], end) if _CODE.fullmatch(self.text, *value) and self.text[value[1]] in " \xa0" else value

    def _past_colon(self, start: int, end: int) -> int:
        while start < end and self.text[start] in " \t:：=,":
            start += 1
        return start

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
                block = self._wrapped(line, value)
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
                yield Place("next", cell, cell)

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
        first = self.lines[number + 1]
        if first.gridded or (
            self.lines.levels[number + 1] and self.lines.levels[number + 1] <= (self.lines.levels[number] or 9)
        ):
            return None
        if self._leads_pair(first.cells[0]) or len(first.cells) > 1:
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


def _merged(known: Name, name: Name) -> tuple[Place, ...]:
    """The places of both; where two find the same value, with all the lines that either sees."""
    ends = {place.span: place.block[1] for place in name.places}
    wider = (Place(p.relation, p.span, (p.block[0], max(p.block[1], ends.get(p.span, 0)))) for p in known.places)
    return tuple(dict.fromkeys((*wider, *name.places)))


def page_of(document: Document) -> Page:
    """The page of a document, made once."""
    page: Page | None = document.cache.get("page")
    if page is None:
        page = document.cache["page"] = Page(document)
    return page
