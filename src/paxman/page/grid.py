"""Grids: rows of cells below column heads, the same for tables of a format, pipes, tabs and fixed-width text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Literal

import attrs

from paxman.classes import record
from paxman.documents.document import Cell, Table
from paxman.lazy import lazy_pattern
from paxman.page.lines import PageLine, PageLines
from paxman.transforms import run
from paxman.types import Span

_WORD = lazy_pattern(r"\S+")
_DASHES = lazy_pattern(r"[-=_~—–]{2,}")
_RULED = lazy_pattern(r"[-=_~—–\s+|:]+")
_GROUP = lazy_pattern(r"[^\w]?\d{1,3}(?:[ ,.]\d{3})*")
_GROUPED = lazy_pattern(r"\d{3}(?!\d)")
_DAY = lazy_pattern(r"(?<!\d)\d{1,4}([./-])\d{1,2}\1\d{2,4}(?!\d)")
_LEADER = lazy_pattern(r"[ \t]*(?:[.…·_][ \t]?){3,}$")
_MOST_BLANK = 6
_NEAR, _CLOSE = 10, 2
_MOST_SAMPLED = 12
_MOST_COLUMNS, _MOST_WIDENED = 60, 40
_LEAST_ROWS = 3
_FAR = 0.5
_TORN, _MERGED, _UNLIKE = 2.0, 1.5, 4.0
"""What it costs to part words with one blank between them, to join over a gap, and to put words where numbers stand."""
EMPTY = Cell("", (0, 0))
Edges = tuple[list[int], list[int]]
"""Where the parts of a line begin and where they end, from left to right."""


@record
class Unit:
    """Some words of a line with their place across the page, and whether a gap stands before them."""

    left: int
    right: int
    span: Span
    apart: bool = True


@record
class Strip:
    """A column: from where to where it reaches across the page, and whether numbers or days stand in it."""

    left: int
    right: int
    kind: Literal["", "number", "date"] = ""


@record
class TableRow:
    """A row of a grid: a cell for each column, some of them empty."""

    cells: tuple[Cell, ...]
    line: int = -1
    apart: bool = False
    """Whether a blank line stands above it."""
    loose: bool = False
    """Whether a run of words reaches over several columns, or several stand in one."""
    torn: bool = False
    """Whether words with one blank between them are in different columns."""
    far: bool = False
    """Whether many blank lines stand above it."""
    filled: tuple[int, ...] = attrs.field(init=False)

    @filled.default
    def _find_filled(self) -> tuple[int, ...]:
        return tuple([place for place, cell in enumerate(self.cells) if cell.text.strip()])

    @property
    def start(self) -> int:
        return min((cell.span[0] for cell in self.cells if cell.text), default=0)


@record
class TableGrid:
    """Heads and the rows below them; `explicit` where the format itself says that it is a table."""

    heads: tuple[Cell, ...]
    rows: tuple[TableRow, ...]
    explicit: bool = True
    title: str = ""
    said: bool = False
    """Whether the format says which row is the head."""


def table_grid(table: Table) -> TableGrid:
    """A table of the format as a grid, its header as heads."""
    width = max(map(len, (table.header, *table.rows)), default=0)
    rows = tuple(TableRow(_padded(row, width)) for row in _all_rows(table))
    return TableGrid(_padded(table.header, width), rows, True, table.name, table.headed)


def _all_rows(table: Table) -> Iterator[tuple[Cell, ...]]:
    """The rows of a table, with nothing for each that is empty."""
    done = 0
    for above in table.empty:
        yield from table.rows[done:above]
        yield ()
        done = above
    yield from table.rows[done:]


def below(grid: TableGrid, count: int) -> TableGrid:
    """The same grid with its first rows as part of the heads, as headings of several lines are."""
    taken = grid.rows[:count]
    stacked = zip(grid.heads, *(row.cells for row in taken), strict=True)
    return TableGrid(tuple(map(_stacked, stacked)), grid.rows[count:], grid.explicit, grid.title, grid.said)


def turned(grid: TableGrid) -> TableGrid:
    """Rows as columns: what stood first in each row heads a column."""
    lines = [grid.heads, *(row.cells for row in grid.rows)]
    columns = list(zip(*lines, strict=True))
    return TableGrid(columns[0], tuple(map(TableRow, columns[1:])), grid.explicit, grid.title)


def _padded(cells: Sequence[Cell], width: int) -> tuple[Cell, ...]:
    return (*cells, *(EMPTY for _ in range(width - len(cells))))


def _stacked(cells: Sequence[Cell]) -> Cell:
    kept = [cell for cell in cells if cell.text.strip()]
    if len(kept) < 2 or len({cell.span for cell in kept}) == 1:
        return kept[0] if kept else cells[0]
    return Cell(" ".join(cell.text for cell in kept), (kept[0].span[0], kept[-1].span[1]), ("head",))


def joined(text: str, spans: Sequence[Span]) -> Cell:
    """One cell over several stretches of the text, in the order of the page."""
    spans = sorted(spans)
    start, end = spans[0][0], spans[-1][1]
    if len(spans) == 1:
        folded = " ".join(text[start:end].split())
        return Cell(folded, (start, end), () if folded == text[start:end] else ("fold",))
    step = "join:" + " ".join(f"{a - start}-{b - start}" for a, b in spans)
    return Cell(run((step,), text[start:end]), (start, end), (step,))


class Layout:
    """The lines of a page as units across it, for grids that only the layout shows."""

    def __init__(self, lines: PageLines) -> None:
        self.lines, self.text, self.printed = lines, lines.text, lines.printed
        self._units: dict[int, tuple[Unit, ...]] = {}
        self._known_words: dict[Span, list[Unit]] = {}
        self._known_edges: dict[tuple[int, bool], Edges] = {}
        self._rows: dict[tuple[object, ...], dict[int, TableRow]] = {}

    def units(self, number: int) -> tuple[Unit, ...]:
        found = self._units.get(number)
        if found is None:
            line = self.lines[number]
            found = self._units[number] = tuple(self._unit(line, span) for span in line.cells)
        return found

    def _unit(self, line: PageLine, span: Span, apart: bool = True) -> Unit:
        column = self.lines.column
        return Unit(column(line, span[0]), column(line, span[1]), span, apart)

    def _words(self, line: PageLine, span: Span) -> list[Unit]:
        """The words of a chunk, the first of which has a gap before it."""
        found = self._known_words.get(span)
        if found is None:
            words = (match.span() for match in _WORD.finditer(self.text, *span))
            found = self._known_words[span] = [self._unit(line, word, word[0] == span[0]) for word in words]
        return found

    def stack(
        self, numbers: Sequence[int], rows: int = _MOST_SAMPLED, narrow: bool = False
    ) -> tuple[tuple[Unit, ...], ...]:
        """The columns that the lines of a heading make: parts that stand over each other belong together.

        With `narrow`, one blank parts columns where it goes through all the rows below.
        """
        last = numbers[-1]
        below = range(last + 1, min(len(self.lines), last + 1 + rows))
        parted = [number for number in below if len(self.units(number)) > 1]
        if not narrow:
            parted = [number for number in parted if len(self.units(number)) > 2] or parted
        sample = [self._edges(number, narrow) for number in parted]
        ruled = self._ruled(last)
        parts = [part for number in numbers for part in self._parts(number, sample, ruled, narrow)]
        columns: list[list[Unit]] = []
        for part in sorted(parts, key=lambda part: (part.left, part.span)):
            over = [c for c in columns if any(part.left < p.right and p.left < part.right for p in c)]
            if over and len(numbers) > 1:
                over[-1].append(part)
            else:
                columns.append([part])
        return tuple(tuple(sorted(column, key=lambda p: p.span)) for column in columns[:_MOST_COLUMNS])

    def widened(self, strips: tuple[Strip, ...], numbers: Sequence[int]) -> tuple[Strip, ...]:
        """Columns as wide as what stands below their heads, where most lines have one chunk for each."""
        lines = [units for number in numbers[:_MOST_WIDENED] if len(units := self.units(number)) > 1]
        full = [units for units in lines if len(units) == len(strips)]
        if len(strips) < _LEAST_ROWS or len(full) < _LEAST_ROWS or 2 * len(full) < len(lines):
            return strips
        ends = [(min(u.left for u in each), max(u.right for u in each)) for each in zip(*full, strict=True)]
        wide = [
            Strip(min(strip.left, left), max(strip.right, right), strip.kind)
            for strip, (left, right) in zip(strips, ends, strict=True)
        ]
        return tuple(wide) if all(one.right <= other.left for one, other in pairwise(wide)) else strips

    def coverage(self, last: int, columns: Sequence[Sequence[Unit]]) -> float:
        """The share of what stands in the lines below a heading that stands below one of its columns."""
        below = range(last + 1, min(len(self.lines), last + 1 + _MOST_SAMPLED))
        rows = [units for number in below if len(units := self.units(number)) > 1]
        rows = [row for row in rows if len(row) > 2] or rows
        ends = [(min(p.left for p in column), max(p.right for p in column)) for column in columns]
        parts = [unit for row in rows for unit in row]
        covered = sum(any(u.left <= right + _CLOSE and left <= u.right + _CLOSE for left, right in ends) for u in parts)
        return covered / len(parts) if parts else 0.0

    def _edges(self, number: int, narrow: bool) -> Edges:
        """Where the chunks of a line begin and end across the page, or its words."""
        found = self._known_edges.get((number, narrow))
        if found is None:
            line, units = self.lines[number], self.units(number)
            parts = [word for unit in units for word in self._words(line, unit.span)] if narrow else units
            found = [part.left for part in parts], [part.right for part in parts]
            self._known_edges[number, narrow] = found
        return found

    def _parts(self, number: int, sample: Sequence[Edges], ruled: Sequence[Span], narrow: bool) -> Iterator[Unit]:
        """The chunks of a line of headings, cut where the columns below are apart."""
        is_parted = _has_channel if narrow else _parted
        for unit in self.units(number):
            words = self._words(self.lines[number], unit.span)
            start = 0
            for at in range(1, len(words)):
                one, other = words[at - 1], words[at]
                if _parted_by(ruled, one, other) if ruled else is_parted(sample, _spanning(words[start:at]), other):
                    yield _spanning(words[start:at])
                    start = at
            if words:
                yield _spanning(words[start:])

    def _ruled(self, number: int) -> list[Span]:
        """The columns that a rule of dashes under a heading marks."""
        line = self.lines[number]
        at = self.text.find("\n", line.end) + 1
        end = self.text.find("\n", at) if at else 0
        rule = self.text[at : end if end > 0 else len(self.text)] if at else ""
        runs = [match.span() for match in _DASHES.finditer(rule)] if rule and _RULED.fullmatch(rule) else []
        return runs if len(runs) > 1 else []

    def rows(self, numbers: Iterable[int], strips: tuple[Strip, ...], tabs: Sequence[int] | None) -> Iterator[TableRow]:
        """Lines as rows under columns, each made once however often the same columns are headed anew."""
        known = self._rows.setdefault((strips, *(tabs or ())), {})
        for number in numbers:
            if number not in known:
                known[number] = self.row(number, strips, tabs)
            yield known[number]

    def row(self, number: int, strips: Sequence[Strip], tabs: Sequence[int] | None) -> TableRow:
        """A line as a row under columns: by the tabs in it if heads have as many, else where its words stand."""
        line = self.lines[number]
        units = self.units(number)
        loose = False
        if tabs is not None and (places := self._tabbed(line, tabs)) is not None:
            placed = list(zip(units, places, strict=True))
        elif line.gridded and len(units) == len(strips):
            placed = list(zip(units, range(len(units)), strict=True))
        else:
            fine: list[Unit] = []
            close = [strip.left for before, strip in pairwise(strips) if strip.left - before.right == 1]
            for unit in units:
                under = [s for s in strips if unit.left < s.right and s.left < unit.right]
                loose |= len(under) > 2
                inner = self._words(line, unit.span) if len(under) > 1 else ()
                fine += _apart_at(close, inner) if len(inner) > 1 else [unit]
            ends = [(strip.left, strip.right) for strip in strips]
            if len(fine) == len(units) and _is_aligned(units, ends):
                placed = list(zip(units, range(len(units)), strict=True))
            else:
                placed = self._place(fine, strips)
        cells: list[list[Span]] = [[] for _ in strips]
        torn = False
        for unit, place in placed:
            loose |= bool(cells[place]) and unit.apart
            torn |= not cells[place] and not unit.apart
            cells[place].append(unit.span)
        made = tuple(joined(self.printed, [self._unled((s[0][0], s[-1][1]))]) if s else EMPTY for s in cells)
        above = self.lines[number - 1].end if number else line.start
        far = line.blank and self.text.count("\n", above, line.start) > _MOST_BLANK
        return TableRow(made, number, line.blank, loose, torn, far)

    def _unled(self, span: Span) -> Span:
        """A cell without the dots that lead to the next."""
        leader = _LEADER.search(self.text, *span)
        return (span[0], leader.start()) if leader and leader.start() > span[0] else span

    def _tabbed(self, line: PageLine, tabs: Sequence[int]) -> list[int] | None:
        """The columns of the chunks of a line by the tabs before them; nothing if it has others than the heads."""
        start = self.text.rfind("\n", 0, line.start) + 1
        end = self.text.find("\n", line.end)
        total = self.text.count("\t", start, end if end >= 0 else len(self.text))
        if total != tabs[-1]:
            return None
        before = [self.text.count("\t", start, span[0]) for span in line.cells]
        places = [next((i for i, t in enumerate(tabs[:-1]) if t == count), None) for count in before]
        return [p for p in places if p is not None] if None not in places else None

    def tabs(self, first: int, last: int, columns: Sequence[Sequence[Unit]]) -> list[int] | None:
        """How many tabs stand before each head, and in the whole line; nothing where tabs part no columns."""
        if first != last:
            return None
        line = self.lines[first]
        start = self.text.rfind("\n", 0, line.start) + 1
        end = self.text.find("\n", line.end)
        total = self.text.count("\t", start, end if end >= 0 else len(self.text))
        if total < len(columns) - 1:
            return None
        return [*(self.text.count("\t", start, column[0].span[0]) for column in columns), total]

    def _place(self, units: Sequence[Unit], strips: Sequence[Strip]) -> list[tuple[Unit, int]]:
        """Each unit in a column, in order, at the least cost."""
        best: list[list[tuple[float, int]]] = []
        for number, unit in enumerate(units):
            own = [self._cost(unit, strip) for strip in strips]
            if not number:
                best.append([(cost, -1) for cost in own])
                continue
            row = []
            lowest: tuple[float, int] = (float("inf"), -1)
            for place, cost in enumerate(own):
                two = strips[place].kind == "number" and self._are_two(units[number - 1], unit)
                stays = cost if unit.apart or strips[place].kind else min(cost, 0.0)
                same = best[-1][place][0] + stays + (_UNLIKE if two else _MERGED if unit.apart else 0.0)
                alike = strips[place].kind == strips[lowest[1]].kind
                moved = lowest[0] + cost + (0.0 if unit.apart else _TORN if alike else _TORN / 3)
                row.append((same, place) if same <= moved else (moved, lowest[1]))
                lowest = min(lowest, (best[-1][place][0], place))
            best.append(row)
        place = min(range(len(strips)), key=lambda p: (best[-1][p][0], p))
        places = []
        for row in reversed(best):
            places.append(place)
            place = row[place][1]
        return list(zip(units, reversed(places), strict=True))

    def _are_two(self, one: Unit, other: Unit) -> bool:
        """Whether two words are numbers of their own: 1 and 010.06 are one."""
        first, second = (self.text[unit.span[0] : unit.span[1]] for unit in (one, other))
        numbers = any(map(str.isdecimal, first)) and any(map(str.isdecimal, second))
        return numbers and not (_GROUP.fullmatch(first) and _GROUPED.match(second))

    def _cost(self, unit: Unit, strip: Strip) -> float:
        shared = min(unit.right, strip.right) - max(unit.left, strip.left)
        words = self.text[unit.span[0] : unit.span[1]]
        aligned = unit.left == strip.left or unit.right == strip.right
        unlike = bool(strip.kind) and not aligned and not any(map(str.isdecimal, words))
        unlike = unlike or (strip.kind == "number" and _DAY.search(words) is not None)
        away = -shared * _FAR if shared <= 0 else -min(1.0, shared / max(1, min(unit.right - unit.left, 8)))
        return away + (_UNLIKE if unlike else 0.0)


def _apart_at(lefts: Sequence[int], words: Sequence[Unit]) -> Iterator[Unit]:
    """Words of a chunk, as apart where one column ends and the next, whose head is one blank away, begins."""
    yield words[0]
    for before, word in pairwise(words):
        parted = any(before.right < left <= word.left for left in lefts)
        yield Unit(word.left, word.right, word.span) if parted else word


def _is_aligned(units: Sequence[Unit], ends: Sequence[Span]) -> bool:
    """Whether there is a unit for each column, and all stand near theirs."""
    if len(units) != len(ends):
        return False
    return all(max(left - u.right, u.left - right) <= _NEAR for u, (left, right) in zip(units, ends, strict=True))


def _spanning(words: Sequence[Unit]) -> Unit:
    return Unit(words[0].left, words[-1].right, (words[0].span[0], words[-1].span[1]))


def _parted_by(ruled: Sequence[Span], one: Unit, other: Unit) -> bool:
    """Whether a rule marks two words as heads of different columns."""
    places = [next((i for i, (a, b) in enumerate(ruled) if w.left < b and a < w.right), -1) for w in (one, other)]
    return places[0] != places[1] and -1 not in places


def _parted(sample: Sequence[Edges], one: Unit, other: Unit) -> bool:
    """Whether what stands below two words are mostly different chunks, and hardly ever one that reaches over both."""
    apart = across = 0
    for row in sample:
        both = _stands(row, other.left, one.right)
        across += both
        apart += not both and _stands(row, one.left, one.right) and _stands(row, other.left, other.right)
    return apart > 0.5 * len(sample) and across <= 0.1 * len(sample)


def _has_channel(sample: Sequence[Edges], one: Unit, other: Unit) -> bool:
    """Whether the blank between two words goes on through all rows, most of which have words on both sides of it."""
    if len(sample) < _LEAST_ROWS or any(_stands(row, one.right, other.left) for row in sample):
        return False
    sided = [_stands(row, one.left, one.right) and _stands(row, other.left, other.right) for row in sample]
    return 2 * sum(sided) > len(sided)


def _stands(row: Edges, left: int, right: int) -> bool:
    """Whether something of a row begins before `right` and ends behind `left`; its parts are in order."""
    before = bisect_left(row[0], right)
    return before > 0 and row[1][before - 1] > left


def strips_of(columns: Sequence[Sequence[Unit]], kinds: Sequence[Literal["", "number", "date"]]) -> tuple[Strip, ...]:
    ends = [(min(p.left for p in column), max(p.right for p in column)) for column in columns]
    return tuple(Strip(left, right, kind) for (left, right), kind in zip(ends, kinds, strict=True))


def head_parts(text: str, column: Sequence[Unit]) -> list[str]:
    """The words of a heading line by line; a word that a hyphen parts is one."""
    parts: list[str] = []
    for part in column:
        words = " ".join(text[part.span[0] : part.span[1]].split())
        if parts and parts[-1].endswith("-") and words[:1].islower():
            parts[-1] = parts[-1][:-1] + words
        else:
            parts.append(words)
    return parts


def head_cell(text: str, column: Sequence[Unit]) -> Cell:
    """A heading that may take several lines as one cell."""
    said = " ".join(head_parts(text, column))
    return Cell(said, (column[0].span[0], column[-1].span[1]), ("head",) if len(column) > 1 else ())
