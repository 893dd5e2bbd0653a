"""Names: whatever on a page can name something, heads of columns in several lines over one row among it."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

from paxman.classes import record
from paxman.documents.document import Document, Pair
from paxman.documents.visual_lines import find_separator
from paxman.lazy import lazy_pattern
from paxman.page.grid import Layout, Unit, head_parts, strips_of
from paxman.page.lines import PageLine, PageLines, WordStream
from paxman.page.places import Place, PlaceFinder, Relation
from paxman.types import Span

_LONGEST_NAME, _SHORT_NAME = 160, 60
_SHEETS = frozenset({"csv", "spreadsheet"})
_HEAD_LINES, _MOST_PARAGRAPH = 12, 12
_LEAST_MENU = 3
_LONGEST_CAPTION = 200
_NEXT_NAME = lazy_pattern(
    r"(?:(?<=\s)|(?<=[,;|]))((?:[A-Z#(][\w/&'’.()#-]{0,24}[ \t]){0,5}[A-Z#(][\w/&'’.()#-]{0,24}"
    r"|(?<=[.,;][ \t])[A-Z][\w/-]{1,24}(?:[ \t][\w/-]{1,24}){1,3})[ \t]?:(?=[\s,]|$)"
)
_BRACKETED = lazy_pattern(r"[(\[]([^)\]]{3,200})[)\]]?\.?$", re.DOTALL)
_CAPTION_BEHIND = lazy_pattern(r"([^()\n]{2,80}?)\s+\(([A-Z][a-z][^()\d]{3,100})\)\.?")
_BOX_NUMBER = lazy_pattern(r"\A(?:box[ \t]+)?\(?\d{1,2}[a-z]?[.)]?(?:[ \t]*[—–:.-])?[ \t]+(?=[^\W\d])", re.IGNORECASE)
_BOX = lazy_pattern(r"[☐☑☒☓✓✔✗✘□■¨○◯●]|\[[ xX*]?\]")
_DOTS = lazy_pattern(r" ?\.{4}")
_LETTER = lazy_pattern(r"[^\W\d_]")
_DOTTED = lazy_pattern(r"([^\W\d_]{5,})\.|(.*?)\s+[·•∙‧]", re.DOTALL)
_COUNTED = lazy_pattern(r"(\d[\d,.]*)[ \t]([^\W\d_]{3,}(?:[ \t][^\W\d_]+){0,2})")
"""A number before what it counts: "3 beds"."""
_SENTENCE = lazy_pattern(r"(?:[^\W\d_]{3}[a-z]|\)|[a-z](?=[!?;]))[.!?;][ \t]+[(A-Z]|[.!?;][ \t]+[A-Z][a-z]+[ \t][a-z]")


@record
class Name:
    """Words that can name something, where they stand, and the headings over them."""

    text: str
    span: Span
    line: int
    places: tuple[Place, ...]
    section: tuple[str, ...] = ()


class Page(PlaceFinder):
    """A document as finding sees it."""

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
    def pairs(self) -> tuple[Pair, ...]:
        """Each name with the value beside it, else with the line below it."""
        found = []
        for name in self.names:
            beside = [place for place in name.places if place.relation in ("key", "beside", "next")]
            lower = [place for place in name.places if place.relation in ("below", "section")]
            for place in (beside or lower)[:1]:
                label = " ".join(self.text[slice(*name.span)].split())
                found.append(Pair(label, name.span, place.span, "beside" if beside else "below"))
        return tuple(found)

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
    def menus(self) -> frozenset[int]:
        """Lines of lists that hold nothing but links, which lead elsewhere and say nothing of what stands over them."""
        links = {mark.span for mark in self.document.marks if mark.kind == "link"}
        linked = [line.number for line in self.lines if links and self._is_linked(line, links)]
        found, run = set[int](), list[int]()
        for number in linked:
            run = [*run, number] if run and number == run[-1] + 1 else [number]
            if len(run) >= _LEAST_MENU:
                found.update(run)
        return frozenset(found)

    @staticmethod
    def _is_linked(line: PageLine, links: set[Span]) -> bool:
        return (line.start, line.end) in links or links.issuperset(line.cells)

    def head(self, most: int) -> list[PageLine]:
        """The first lines that are in no menu."""
        return list(islice((line for line in self.lines if line.number not in self.menus), most))

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

    def paragraph_end(self, position: int) -> int:
        """Where the lines end that go on from a position without a blank line or a heading."""
        if not len(self.lines):
            return self.line_end(position)
        last = self.lines[self.lines.at(position)]
        for line in self.lines.after(last.number, _MOST_PARAGRAPH):
            if line.blank or self.lines.levels[line.number]:
                break
            last = line
        return last.end

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

    @cached_property
    def _strong_starts(self) -> list[int]:
        return sorted(mark.span[0] for mark in self.document.marks if mark.kind == "strong")

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
        if box := _BOX.match(self.text, *cell):
            cell = self._trim(box.end(), cell[1])
            if not self._inner_names(cell):
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
            is_price = unicodedata.category(self.text[value[0]]) == "Sc"
            yield self._name(label, (Place("next" if is_price else "inline", value, value),))
        if _DOTS.match(self.lines.printed, cell[1]):  # "Domain ........"
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
                # Bold print in what looks like a name begins it: "Ann Lee **Phone:** 118".
                strong = bisect_left(self._strong_starts, match.end(1))
                starts = (match.start(1), *self._strong_starts[strong - 1 : strong])
                found.append((max(starts), match.end(1)))
        ends = [*(start for start, _ in found[1:]), *([cell[1]] if found else [])]
        cuts = [
            (label, self._trim(self._past_colon(label[1], end), end)) for label, end in zip(found, ends, strict=True)
        ]
        return [(label, self._without_stop(value)) for label, value in cuts[:-1]] + cuts[-1:]

    def _without_stop(self, value: Span) -> Span:
        """What another label follows, without the dot between the two: the full stop of a word, or "x · B: y"."""
        dotted = _DOTTED.fullmatch(self.text, *value)
        return dotted.span(dotted.lastindex or 0) if dotted else value

    def _past_colon(self, start: int, end: int) -> int:
        while start < end and self.text[start] in " \t:：=,":
            start += 1
        return start


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


_VALUE = lazy_pattern(r"[\d:=]")
_MOST_LINES = 3
_LEAST_COLUMNS = 3


def stacked_heads(lines: PageLines) -> Iterator[tuple[list[int], list[tuple[str, Span, Span]]]]:
    """The lines of each such heading, and for each column its words, where they begin, and what stands below."""
    layout, number = Layout(lines), 0
    while number + 2 < len(lines):
        heads = _head_lines(layout, number)
        found = [*_columns(layout, heads)] if len(heads) > 1 else []
        if len(found) >= _LEAST_COLUMNS:
            yield heads, found
        number = heads[-1] + 1 if found else number + 1


def _head_lines(layout: Layout, first: int) -> list[int]:
    """Lines of words right below each other, with several in each."""
    heads: list[int] = []
    for number in range(first, min(first + _MOST_LINES + 1, len(layout.lines))):
        line = layout.lines[number]
        if line.gridded or (heads and line.blank) or not _may_head(layout, number):
            break
        heads.append(number)
    return heads if len(heads) <= _MOST_LINES else []


def _may_head(layout: Layout, number: int) -> bool:
    line = layout.lines[number]
    return len(line.cells) > 1 and not _VALUE.search(layout.text, line.start, line.end)


def _columns(layout: Layout, heads: Sequence[int]) -> Iterator[tuple[str, Span, Span]]:
    """The columns over the only row below a heading, where each of its words stands under one of them."""
    below = heads[-1] + 1
    if below >= len(layout.lines) or len(layout.units(below)) < _LEAST_COLUMNS or _goes_on(layout, below):
        return
    columns = layout.stack(heads, 1)
    row = layout.row(below, strips_of(columns, [""] * len(columns)), None)
    if row.loose or row.torn or 2 * len(row.filled) <= len(columns) or not _is_stacked(columns):
        return
    for place in row.filled:
        yield " ".join(head_parts(layout.text, columns[place])), columns[place][0].span, row.cells[place].span


def _is_stacked(columns: Sequence[Sequence[Unit]]) -> bool:
    """Whether at least half of the columns have a part in several lines."""
    return 2 * sum(len(column) > 1 for column in columns) >= len(columns) >= _LEAST_COLUMNS


def _goes_on(layout: Layout, number: int) -> bool:
    """Whether another row follows, so that the columns hold many values."""
    after = number + 1
    if after >= len(layout.lines) or layout.lines[after].blank:
        return False
    return 2 * len(layout.units(after)) > len(layout.units(number))
