"""Arrays of values: names that come again, a list or block below a name, values with commas, a column of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from paxman.classes import record
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Cell, Document
from paxman.documents.visual_lines import find_separator
from paxman.finding.claims import Claims
from paxman.finding.scalars import claims_of
from paxman.finding.shapes import fits, is_blank
from paxman.finding.signatories import find_signatories
from paxman.finding.tables.splitting import split_list
from paxman.lazy import lazy_pattern
from paxman.lexicon.folding import fold, fold_words
from paxman.lexicon.lexicon import Lexicon
from paxman.page.grid import joined, table_grid
from paxman.page.names import Name, Page, page_of
from paxman.types import FieldType, Span

_FIT, _SURE_FIT = 0.72, 0.78
_BETTER = 0.06
_BULLET = lazy_pattern(
    r"(?:[-*•–—▪◦·●■□▢☐☑☒✓✔✗>]|\(?(?:\d{1,3}|[a-z]|[ivx]{2,5})[.)]|\([A-Z]\)|\[[ xX]?\])[ \t]+(?=\S)"
)
_TICKED, _OPEN = lazy_pattern(r"[-*•]?[ \t]*(?:\[[xX]\]|[☑☒✓✔■])"), lazy_pattern(r"[-*•]?[ \t]*(?:\[ ?\]|[□▢☐])")
_NOTE = lazy_pattern(r"[ \t]+\(?https?://\S+$")
_SENTENCE = lazy_pattern(r"[a-z][.!?]$|[a-z]\.[ \t]+[A-Z]")
_LONGEST_LINE, _LONGEST_ITEM = 80, 400
_MOST_ITEMS = 2000
_MOST_WORDS = 24
_NAMED = frozenset({"name", "person", "company"})
_TRADE = ("agreements",)
_NO_PROSE = frozenset({"json", "xml", "csv", "spreadsheet"})
_END = lazy_pattern(r"[ \t]*(?:;[ \t]*\w{1,4}|[;,])$")


@record
class FoundList:
    """The items of an array as cells, what is doubtful about them, and ticks that leave some out."""

    items: tuple[Cell, ...]
    doubts: tuple[str, ...] = ()
    dropped: tuple[Cell, ...] = ()


def find_list(
    document: Document, contract: CanonicalContract, field: CanonicalField, lexicon: Lexicon
) -> FoundList | None:
    """The items that a document has for an array of values."""
    page, claims = page_of(document), claims_of(contract, lexicon)
    index = contract.leaves.index(field)
    column = _column(document, claims, index)
    return column or _parties(page, claims, index) or find_named(page, claims, index, field)


def find_named(page: Page, claims: Claims, index: int, field: CanonicalField) -> FoundList | None:
    """The items that stand with names of the page that fit an array."""
    return _Names(page, claims, index, field).found()


def _parties(page: Page, claims: Claims, index: int) -> FoundList | None:
    """The parties to an agreement, by the sentences that name them."""
    wanted = claims.wanted[index]
    known = [wanted.term] if wanted.term else [t for t, _ in claims.lexicon.find_terms(wanted.field.words, _TRADE)]
    if page.document.kind in _NO_PROSE or all(term.name != "parties" for term in known):
        return None
    found = find_signatories(page, claims.lexicon)
    cells = tuple(Cell(each.name, each.span, ("fold",)) for each in found)
    return FoundList(cells, ("a paper may name other parties elsewhere",)) if cells else None


def _names_it(claims: Claims, index: int, text: str, section: tuple[str, ...] = ()) -> float:
    """How well a name fits the array, unless another field fits it better."""
    found = claims.of(text, section)
    own = found.get(index)
    if own is None or own.fit < _FIT or any(other.fit > own.fit + _BETTER for other in found.values()):
        return 0.0
    return own.fit


def _column(document: Document, claims: Claims, index: int) -> FoundList | None:
    """The cells below a head that names the array, in a table with several rows."""
    for table in document.tables:
        if not table.rows:
            continue
        grid = table_grid(table)
        for place, head in enumerate(grid.heads):
            if not head.text or not _names_it(claims, index, head.text):
                continue
            if place == 0 and len(grid.heads) > 1 and not table.headed and document.kind != "csv":
                continue  # A label before its values, as likely as a head.
            cells = [row.cells[place] for row in grid.rows if row.cells[place].text.strip()]
            if len(cells) == 1 and len((cut := split_list(cells[0].text)).spans) > 1:
                parts = tuple(sliced(cells[0], span) for span in cut.spans)
                return FoundList(parts, (cut.doubt,) if cut.doubt else ())
            if cells:
                doubt = split_list(cells[0].text).doubt if len(cells) == 1 else ""
                return FoundList(tuple(cells[:_MOST_ITEMS]), (doubt,) if doubt else ())
    return None


class _Names:
    """Names of a page that fit an array, and the items that stand with them."""

    def __init__(self, page: Page, claims: Claims, index: int, field: CanonicalField) -> None:
        self.page, self.claims, self.index = page, claims, index
        item = field.items
        self.plain = item is None or (item.type is FieldType.STRING and not item.constraint("pattern"))
        self.marks = [(mark.span, mark.kind) for mark in page.document.marks if mark.kind in ("paragraph", "term")]
        self.lists = [(mark.span, mark.level) for mark in page.document.marks if mark.kind == "item"]
        self.dropped: list[Cell] = []
        self.several = 0

    def found(self) -> FoundList | None:
        ranked = [(name, _names_it(self.claims, self.index, name.text, name.section)) for name in self.page.names]
        best = max((fit for _, fit in ranked), default=0.0)
        names = [name for name, fit in ranked if fit and fit >= best - 0.2]
        items: list[Cell] = []
        doubts: list[str] = []
        sections = 0
        counts = Counter(name.text for name in names)
        groups = [self._of_name(name, counts[name.text] > 1) for name in names if not self._is_item(name)]
        short = [group for group in groups if group[0] and not any(map(_is_long, group[0]))]
        for found, doubt, below in short or groups:  # An account under the same heading is no more items.
            if below and items:
                continue
            sections += below
            items += found
            doubts += [doubt] if doubt else []
        if best < _SURE_FIT:
            doubts.append("its name says less than what is asked for")
        kind = self.claims.wanted[self.index].kind
        items = [cell for cell in items if kind not in _NAMED or fits(cell.text, kind) >= 0]
        if not items:
            return None
        if any(map(_is_long, items)):
            doubts.append("sentences are no list")
        if self.several > 1:
            doubts.append("several lists have this name")
        unique = list({cell.text: cell for cell in reversed(items)}.values())[::-1]
        return FoundList(tuple(unique[:_MOST_ITEMS]), tuple(dict.fromkeys(doubts)), tuple(self.dropped))

    def _is_item(self, name: Name) -> bool:
        """Whether a name is an item of a list itself, and so heads nothing."""
        return any(start <= name.span[0] < end <= name.span[1] + 1 for (start, end), _ in self.lists)

    def _of_name(self, name: Name, repeated: bool) -> tuple[list[Cell], str, bool]:
        """The items that stand with a name, what is doubtful about them, and whether others of the name are no more."""
        row = self.page.lines[name.line]
        if row.gridded and len(row.cells) > 1 and row.cells[0] == name.span:
            doubt = "" if repeated else "cells beside a name may be heads of columns"
            return [self._cell(cell) for cell in row.cells[1:]], doubt, False
        for place in name.places:
            below = any(other.relation == "section" for other in name.places)
            if place.relation == "key" and below and self.page.lines.at(place.span[0]) != name.line:
                continue
            if place.relation in ("key", "beside", "next"):
                if place.relation == "next" and (self._heads_column(name) or self._is_name(place.span)):
                    continue
                return (*self._of_text(place.span, place.block), False)
            if place.relation == "section":
                colon = self.page.text[name.span[1] : name.span[1] + 1] in (":", "：")
                is_term = self._is_term(name.span[0])
                found, doubt = self._of_lines(name.line + 1, colon, is_term)
                if found:
                    return found, doubt, not is_term
        return [], "", False

    def _is_no_value(self, span: Span) -> bool:
        """Whether words only say where values are, or that there are none."""
        lexicon = self.claims.lexicon
        text = fold(self.page.text[slice(*span)]).strip(" .:*")
        words = fold_words(text)
        known = lexicon.row_words.get("nothing", frozenset())
        return lexicon.says_nothing(text) or words in known or words[:1] in known

    def _is_name(self, span: Span) -> bool:
        return bool(self.claims.of(self.page.text[slice(*span)]))

    def _heads_column(self, name: Name) -> bool:
        """Whether a line with as many cells stands below that of a name, so that both are columns."""
        lines = self.page.lines
        if name.line + 1 >= len(lines) or self.page.text[name.span[1] : name.span[1] + 1] in (":", "："):
            return False
        own, below = lines[name.line], lines[name.line + 1]
        places = [[lines.column(line, cell[0]) for cell in line.cells] for line in (own, below)]
        return places[0] == places[1] and not self._is_name(below.cells[0])

    def _of_text(self, span: Span, block: Span) -> tuple[list[Cell], str]:
        """The items behind a name: lines set below each other, or one text with commas."""
        text = self.page.text
        lines = self._hanging(span)
        parted = any(len(split_list(text[slice(*each)]).spans) > 1 or text[each[1] - 1] in ",;&" for each in lines[:-1])
        if len(lines) > 1 and not parted:
            return [self._cell(self._unbulleted(each)) for each in lines], ""
        if len(lines) > 1:
            whole = joined(self.page.lines.printed, lines)
            cut = split_list(whole.text)
            parts = [sliced(whole, part) for part in cut.spans]
            return parts, cut.doubt
        if is_blank(text[slice(*span)]) or self._is_no_value(span):
            return [], ""
        row = self.page.lines[self.page.lines.at(span[0])].cells
        beside = [cell for cell in row if cell[0] > span[1]]
        if beside and not any(find_separator(text, *cell) or self._is_name(cell) for cell in beside):
            return [self._cell(each) for each in (span, *beside)], ""
        wraps = block[1] > span[1] and "\n" in text[span[1] : block[1]]
        open_ = text[span[1] - 1 : span[1] + 1].rstrip()[-1:] in ",;&"
        span = self._trimmed((span[0], block[1]) if wraps and open_ else span)
        cut = split_list(text[slice(*span)].replace("\n", " "))
        doubt = cut.doubt or ("the line below may go on with the last value" if wraps and not open_ else "")
        if len(cut.spans) > 1:
            self.several += 1
        return [self._cell((span[0] + a, span[0] + b)) for a, b in cut.spans], doubt

    def _unbulleted(self, span: Span) -> Span:
        bullet = _BULLET.match(self.page.text, *span)
        return (bullet.end(), span[1]) if bullet else span

    def _hanging(self, span: Span) -> list[Span]:
        """A value and the lines right below it that start where it starts."""
        lines = self.page.lines
        at = lines.at(span[0])
        left = lines.column(lines[at], span[0])
        found = [span]
        for number in range(at + 1, min(len(lines), at + _MOST_ITEMS)):
            line = lines[number]
            if line.blank or line.gridded:
                break
            if self._is_term(line.start) or lines.levels[number] or line.start >= self._paragraph(at):
                break
            same = [cell for cell in line.cells if lines.column(line, cell[0]) == left]
            if not same or same[0] != line.cells[0] or find_separator(self.page.text, *same[0]):
                break
            found.append(same[0])
        return found

    def _of_lines(self, first: int, colon: bool, is_term: bool) -> tuple[list[Cell], str]:
        """The items of the lines below a name: with bullets, or short ones up to a blank line or another name."""
        text = self.page.text
        rows = [*self._block(first)]
        bulleted = [row for row in rows if row[1]]
        if bulleted:
            items: list[list[Span]] = []
            for span, bullet, _ in rows:
                if bullet or not items:
                    items.append([])
                items[-1].append(span)
            cells = [joined(self.page.lines.printed, [*spans[:-1], self._ended(spans[-1])]) for spans in items]
            doubt = "items stand below others" if self._is_nested(rows) else ""
            if len(cells) > 1 and any(_END.search(text, *spans[-1]) for spans in items[:-1]):
                cells[-1] = joined(self.page.lines.printed, [*items[-1][:-1], self._without_stop(items[-1][-1])])
            return self._ticked(cells, [row for row in rows if row[1]]), doubt
        texts = [self.page.text[slice(*span)] for span, _, _ in rows]
        if not texts or any(len(text) > _LONGEST_LINE or _SENTENCE.search(text) for text in texts[:-1]):
            return [], ""
        if len(texts) == 1:
            cut = split_list(texts[0])
            if not colon and _SENTENCE.search(texts[0]) and len(texts[0].split()) > 2:
                return [], ""
            start = rows[0][0][0]
            sure = is_term or len(cut.spans) > 1
            doubt = cut.doubt or ("" if sure else "a line below a name may be its only value or a text")
            return [self._cell((start + a, start + b)) for a, b in cut.spans], doubt
        return [self._cell(span) for span, _, _ in rows], ""

    def _ticked(self, cells: list[Cell], rows: Sequence[tuple[Span, str, int]]) -> list[Cell]:
        ticked = [_TICKED.match(bullet) is not None for _, bullet, _ in rows]
        boxes = [_OPEN.match(bullet) is not None for _, bullet, _ in rows]
        if not any(ticked) or not any(boxes) or len(cells) != len(rows):
            return cells
        self.dropped += [cell for cell, tick in zip(cells, ticked, strict=True) if not tick]
        return [cell for cell, tick in zip(cells, ticked, strict=True) if tick]

    def _block(self, first: int) -> Iterator[tuple[Span, str, int]]:
        """Lines that belong together below a name, each with its bullet and how far it is indented."""
        lines, text = self.page.lines, self.page.text
        listed, by_mark, indent = False, False, 0
        within = self._paragraph(first)
        for number in range(first, min(len(lines), first + _MOST_ITEMS)):
            line = lines[number]
            marked = self._marked(line.start)
            bullet = _BULLET.match(text, line.start, line.end)
            is_item = bullet is not None or marked
            if number > first and line.blank and not (listed and is_item):
                return
            if line.start >= within or (number > first and self._is_term(line.start)):
                return
            if line.gridded or (lines.levels[number] and not is_item and number > first):
                return
            if not is_item and (find_separator(text, line.start, line.end) or len(line.cells) > 1):
                return
            if listed and not is_item and (lines.column(line, line.start) <= indent or by_mark):
                return
            by_mark |= marked
            if is_item and not listed:
                indent = lines.column(line, line.start)
            listed |= is_item
            start = bullet.end() if bullet else line.start
            again = _BULLET.match(text, start, line.end)
            start = again.end() if again and bullet else start
            mark = text[line.start : start] if bullet else "-" if marked else ""
            yield self._trimmed((start, line.end)), mark, number

    def _paragraph(self, number: int) -> int:
        """Where the paragraph of a line ends, if markup says so."""
        lines = self.page.lines
        start = lines[number].start if number < len(lines) else 0
        if self._marked(start):
            return len(self.page.text)
        ends = [b for (a, b), kind in self.marks if kind == "paragraph" and a <= start < b]
        return min(ends, default=len(self.page.text))

    def _is_term(self, start: int) -> bool:
        return any(kind == "term" and a <= start < b for (a, b), kind in self.marks)

    def _ended(self, span: Span) -> Span:
        """An item without the mark that parts it from the next."""
        end = _END.search(self.page.text, *span)
        return (span[0], end.start()) if end else span

    def _without_stop(self, span: Span) -> Span:
        return (span[0], span[1] - 1) if self.page.text[span[1] - 1] == "." else span

    def _is_nested(self, rows: Sequence[tuple[Span, str, int]]) -> bool:
        levels = {level for (start, end), level in self.lists for span, _, _ in rows if start <= span[0] < end}
        return len(levels) > 1

    def _marked(self, start: int) -> bool:
        return any(a <= start < b for (a, b), _ in self.lists)

    def _trimmed(self, span: Span) -> Span:
        """A value without the address of a page behind it."""
        while span[0] < span[1] and self.page.text[span[0]] in " \t:：":
            span = (span[0] + 1, span[1])
        note = _NOTE.search(self.page.text, *span)
        return (span[0], note.start()) if note and note.start() > span[0] else span

    def _cell(self, span: Span) -> Cell:
        return joined(self.page.lines.printed, [self._trimmed(span)])


def _is_long(cell: Cell) -> bool:
    return len(cell.text.split()) > _MOST_WORDS


def sliced(cell: Cell, part: Span) -> Cell:
    return Cell(cell.text[slice(*part)], cell.span, (*cell.transforms, f"slice:{part[0]}-{part[1]}"))
