"""The cells of the lines below the headings of a table in the layout of text, each in its column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import compress

from paxman.documents.figures import LONGEST_NUMBER, is_number
from paxman.documents.headings import Cell, Column, Header, ordinal_cells
from paxman.documents.visual_lines import VisualLines
from paxman.recognizers.base import UNKNOWN
from paxman.recognizers.dates import read_date
from paxman.recognizers.yearless import yearless_span
from paxman.types import Span

_MOST_CELLS = 48
_FAR = 1_000_000
_LONGEST_DATE = 30
_SPACE = re.compile("[ \xa0]")
_MOST_CUTS = 4
_LONGEST_CUT = 200
_CODE = re.compile(r"0\d|\d{8}")
_REMARK = re.compile(r"\([\d.,]+ [^\W\d_]")
_WITH_UNIT = re.compile(r"[\d.,']+(?= [^\W\d_])")


def cells_of(page: VisualLines, index: int, header: Header, *, tails: bool = True) -> list[Cell]:
    """The chunks of a line, each in its column; with `tails`, a number at the end of a chunk may stand for itself."""
    line = page.line(index)
    if header.ordinal and page.text.count("\t", line.start, line.end):
        return ordinal_cells(page, index)
    chunks = _parted(page, header, line.start, _unled(page, line.chunks[:_MOST_CELLS]))
    cells = [_home(page, header, line.start, chunk) for chunk in chunks]
    numbers = [is_number(page.text[start:end]) for start, end in chunks]
    drifted = _drifted(page, header, line.start, cells, numbers)
    if drifted:
        return drifted
    taken = {cell.column for cell in compress(cells, numbers)}
    open_columns = {column for _, column in header.bound if column not in taken} if tails else set()
    return [part for cell in cells for part in _place(page, line.start, cell, header, open_columns)]


def _unled(page: VisualLines, chunks: Sequence[Span]) -> Sequence[Span]:
    """The chunks without the dots that lead from one to the next."""
    if not chunks or page.text.find("....", chunks[0][0], chunks[-1][1]) < 0:
        return chunks
    return [each for chunk in chunks for each in _between_leaders(page.text, *chunk)]


def _between_leaders(text: str, start: int, end: int) -> Iterator[Span]:
    for leader in _LEADER.finditer(text, start, end):
        if start < leader.start():
            yield start, leader.start()
        start = leader.end()
    if start < end:
        yield start, end


_LEADER = re.compile(r" ?\.{4,} ?")


def _parted(page: VisualLines, header: Header, origin: int, chunks: Sequence[Span]) -> Sequence[Span]:
    """The chunks, a number apart from the word behind it if each has a heading of its own: "10. Gloves"."""
    for at, (start, end) in enumerate(chunks):
        digits = _WITH_UNIT.match(page.text, start, end)
        if digits is None or not is_number(page.text[start:end]):
            continue
        parts = [(start, digits.end()), (digits.end() + 1, end)]
        cells = [Cell(_nearest(page, header, origin, part), *part) for part in parts]
        others = {_nearest(page, header, origin, other) for other in (*chunks[:at], *chunks[at + 1 :])}
        homes = {cell.column for cell in cells if _is_below(page, header, origin, cell)}
        if len(homes) == 2 and others.isdisjoint(homes):
            return [*chunks[:at], *parts, *chunks[at + 1 :]]
    return chunks


def _drifted(
    page: VisualLines, header: Header, origin: int, cells: list[Cell], numbers: list[bool]
) -> list[Cell] | None:
    """The cells in the order of the headings, where a number that is asked for is off its own, or shares it.

    Numbers drift; texts that stand below their headings stay there.
    """
    homes = {cell.column for cell in cells}
    if sum(numbers) < 2 or not len(homes) < len(cells) <= len(header.columns):
        return None
    is_mixed = len({(cell.column, number) for cell, number in zip(cells, numbers, strict=True)}) > len(homes)
    bound = {column for _, column in header.bound}
    asked = [cell for cell in compress(cells, numbers) if cell.column in bound]
    below = {cell for cell in cells if _is_below(page, header, origin, cell)}
    if not is_mixed and len({cell.column for cell in asked}) == len(asked) and below.issuperset(asked):
        return None
    ordered = _in_order(page, header, origin, [(cell.start, cell.end) for cell in cells])
    kept = zip(ordered, cells, numbers, strict=True)
    texts = [cell for cell, before, number in kept if not number and before in below]
    return ordered if all(_is_below(page, header, origin, cell) for cell in texts) else None


def _is_below(page: VisualLines, header: Header, origin: int, cell: Cell) -> bool:
    """Whether a cell shares something with its heading."""
    return _gap(header.columns[cell.column], page.column(origin, cell.start), page.column(origin, cell.end)) < 0


def other_cells_of(page: VisualLines, index: int, header: Header) -> Iterator[list[Cell]]:
    """The cells of a line with a number cut off the end of its text, for each number that may be meant."""
    line = page.line(index)
    chunks = line.chunks
    if header.ordinal or not 2 < len(chunks) < len(header.columns):
        return
    texts = [place for place, (start, end) in enumerate(chunks) if not is_number(page.text[start:end])]
    for place in texts[:1]:
        start, end = chunks[place]
        for space in _tails(page.text, start, end):
            parts = [*chunks[:place], (start, space), (space + 1, end), *chunks[place + 1 :]]
            yield _in_order(page, header, line.start, parts)


def _day_end(text: str, start: int, spaces: Sequence[int]) -> int | None:
    """Where the date ends with which a chunk begins."""
    return next((space for space in reversed(spaces[:_MOST_CUTS]) if is_day(text[start:space])), None)


def _tails(text: str, start: int, end: int) -> list[int]:
    """The last spaces of a stretch that a number follows up to its end, the longest first."""
    spaces = [match.start() for match in _SPACE.finditer(text, max(start, end - LONGEST_NUMBER), end)]
    return [space for space in spaces[-_MOST_CUTS:] if _is_tail(text[space + 1 : end])]


def _is_tail(text: str) -> bool:
    """Whether the end of a chunk may be a number of its own, and no code or remark."""
    return is_number(text) and text[-1] != "," and _CODE.match(text) is None and _REMARK.match(text) is None


def _is_head(text: str, start: int, space: int) -> bool:
    """Whether the start of a chunk may be a number of its own; of "2 Oak shelves" that is no "2 Oak"."""
    if not is_number(text[start:space]) or _REMARK.match(text, space + 1):
        return False
    return _NAME.match(text, max(start, text.rfind(" ", start, space) + 1)) is None


_NAME = re.compile(r"[A-ZÀ-Þ][^\W\d_]+ [a-zß-ÿ]")


def _in_order(page: VisualLines, header: Header, origin: int, chunks: Sequence[Span]) -> list[Cell]:
    """A column of its own for each chunk, from left to right, as near as can be: rows may drift from their headings."""
    count = len(header.columns)
    best: list[tuple[int, list[int]]] = [(0, [])] * (count + 1)
    for number, (start, end) in enumerate(chunks, 1):
        left, right = page.column(origin, start), page.column(origin, end)
        row: list[tuple[int, list[int]]] = [(_FAR, [])] * number
        for column in range(number - 1, count):
            cost, homes = best[column]
            placed = (cost + _gap(header.columns[column], left, right), [*homes, column])
            row.append(min(row[column], placed, key=lambda option: option[0]))
        best = row
    return [Cell(home, *chunk) for home, chunk in zip(best[count][1], chunks, strict=True)]


def _gap(column: Column, left: int, right: int) -> int:
    """How far a stretch of a line is from a heading; below zero by what they share."""
    return max(column.left, left) - min(column.right, right)


def _place(page: VisualLines, origin: int, cell: Cell, header: Header, open_columns: set[int]) -> Iterator[Cell]:
    """A cell as it is, or in two where a number at its start or end stands under another heading."""
    _, start, end = cell
    may_part = end - start <= _LONGEST_CUT and _DIGIT.search(page.text, start, end)
    cut = None
    if may_part and not is_number(page.text[start:end]):
        cut = _cut(page, origin, (start, end), header, open_columns)
    if cut is None:
        yield cell
    else:
        first, second = (_home(page, header, origin, part) for part in ((start, cut), (cut + 1, end)))
        right = list(_place(page, origin, second, header, open_columns))
        yield from _place(page, origin, first, header, open_columns - {cell.column for cell in right})
        yield from right


_DIGIT = re.compile(r"\d")


def _cut(page: VisualLines, origin: int, chunk: Span, header: Header, open_columns: set[int]) -> int | None:
    """The space where a number and something else part, each under its own heading; the longest number wins."""
    text, (start, end) = page.text, chunk
    nearest = partial(_nearest, page, header, origin)
    if nearest((start, start + 1)) == nearest((end - 1, end)) or is_day(text[start:end]):
        return None
    spaces = [match.start() for match in _SPACE.finditer(text, start, end)]
    day = _day_end(text, start, spaces) if text[start].isdigit() else None
    if day and nearest((start, day)) != nearest((day + 1, end)):
        return day
    tails = _tails(text, start, end)
    heads = [space for space in reversed(spaces[:_MOST_CUTS]) if _is_head(text, start, space)]
    for space in (*tails, *heads):
        left, right = nearest((start, space)), nearest((space + 1, end))
        is_label = text[start:space].rstrip().endswith((":", "="))
        if left != right and not is_label and (space in heads or right in open_columns):
            return space
    return None


def _home(page: VisualLines, header: Header, origin: int, chunk: Span) -> Cell:
    """A chunk in its column; a number with its unit is where its digits stand, if that is under a heading."""
    start, end = chunk
    digits = _WITH_UNIT.match(page.text, start, end)
    if digits and is_number(page.text[start:end]):
        column = _nearest(page, header, origin, digits.span())
        if _is_below(page, header, origin, Cell(column, *digits.span())):
            return Cell(column, start, end)
    return Cell(_nearest(page, header, origin, chunk), start, end)


def _nearest(page: VisualLines, header: Header, origin: int, stretch: Span) -> int:
    """The column whose heading shares most with a stretch of the line, else the one that is nearest."""
    left, right = page.column(origin, stretch[0]), page.column(origin, stretch[1])
    gaps = [(a if a > left else left) - (b if b < right else right) for a, b in header.edges]
    return gaps.index(min(gaps))


def is_day(text: str) -> bool:
    """Whether a chunk is a date, with its year or without."""
    if len(text) > _LONGEST_DATE or not any(map(str.isdigit, text)):
        return False
    if yearless_span(text, in_row=True):
        return True
    day = read_date(text, UNKNOWN)
    return day is not None and not any(map(str.isalnum, text[: day.start] + text[day.end :]))
