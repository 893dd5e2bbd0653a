"""Whether a line is set as the rows of a table are, and what it is short of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, pairwise

from paxman.capabilities.row_sums import label_of
from paxman.capabilities.table_arithmetic import texts_multiply
from paxman.capabilities.table_cells import is_below_code
from paxman.capabilities.table_ends import MOST_ALIKE
from paxman.capabilities.table_lines import (
    Layout,
    Row,
    begins_row,
    cells_at,
    factors_of,
    fits_anchor,
    is_dated,
    is_more_than_number,
    numbers_of,
    stands_for_number,
    text_at,
)
from paxman.capabilities.table_placing import cells_of, is_day
from paxman.capabilities.table_sums import is_sum, sum_term
from paxman.documents.figures import is_number
from paxman.documents.headings import Cell
from paxman.types import Span

_LONGEST_FAULT = 12


def kind_of_item(layout: Layout, cells: list[Cell]) -> str:
    """Whether a line is a row, part of one, or only looks like one."""
    if begins_row(layout, cells):
        return "row"
    filled = {cell.column for cell in cells if fits_anchor(layout, cell)}
    alone = layout.numeric and filled >= layout.anchors and not _was_cut(layout, cells)
    own = (cells[0].column == layout.first or is_dated(layout, cells)) and not _was_cut(layout, cells)
    if own and _has_fault(layout, cells):
        return "faulty"
    begins = own and (layout.priced or not layout.page.text[cells[0].start].islower())
    if alone and len(cells) > 1 and not begins:
        return "fragment" if not layout.priced else "lone"
    return "row" if len(numbers_of(layout, cells[1:])) > (0 if own else 1) else "text"


def lacks_first(layout: Layout, cells: list[Cell], rows: Sequence[Row]) -> bool:
    """Whether a text and its number stand below rows that begin with a day or a number, without one."""
    if cells[0].column not in layout.texts or layout.page.text[cells[0].start].islower():
        return False
    items = [row.lines[0][1] for row in rows[-MOST_ALIKE:] if not row.reason]
    begun = [text_at(layout, each[0]) for each in items if each[0].column == layout.first]
    return bool(begun) and (layout.first in layout.numeric or all(map(is_day, begun)))


def is_elsewhere(layout: Layout, cells: list[Cell], row: Row) -> bool:
    """Whether a line begins as the row above, with two cells or at its edge, but its amount is in no field's column."""
    amounts = amounts_elsewhere(layout, cells)
    if not amounts or cells[0].column != layout.first or _was_cut(layout, cells):
        return False
    above = {cell.column: is_sum(text_at(layout, cell)) for cell in row.lines[0][1]}
    texts = {cell.column for cell in cells if not is_sum(text_at(layout, cell))}
    if len(texts) > 1:
        return texts <= above.keys()
    return all(map(above.get, amounts)) and texts < above.keys() and _begins_alike(layout, cells, row)


def amounts_elsewhere(layout: Layout, cells: list[Cell]) -> set[int]:
    """The columns with amounts that belong to no field; numbers in the first are keys."""
    known = {layout.first, *layout.places.values()}
    return {cell.column for cell in cells if cell.column not in known and is_sum(text_at(layout, cell))}


def _begins_alike(layout: Layout, cells: list[Cell], row: Row) -> bool:
    """Whether a line begins at the left edge of a row, and with a small letter only if that does."""
    page, above = layout.page, row.lines[0][1]
    if not above or (page.text[cells[0].start].islower() and not page.text[above[0].start].islower()):
        return False
    own, other = (page.column(page.line(page.line_at(cell.start)).start, cell.start) for cell in (cells[0], above[0]))
    return own == other


def is_set_as(layout: Layout, rows: Sequence[Row], index: int) -> bool:
    """Whether a line has as many parts as one of the last rows, each below its like, or a price that fits its total."""
    parts = len(layout.page.line(index).chunks)
    last = [row.first for row in rows[-MOST_ALIKE:] if not row.reason]
    others = [at for at in last if len(layout.page.line(at).chunks) == parts > 1]
    if not others:
        return False
    own = _edges(layout, index)
    cells = cells_at(layout, index)
    alike = any(all(map(_is_below, own, _edges(layout, at))) for at in others)
    is_row = kind_of_item(layout, cells) == "row" or is_dated(layout, cells)
    return (alike and is_row) or (bool(layout.factors) and texts_multiply(factors_of(layout, cells)))


def _edges(layout: Layout, index: int) -> list[Span]:
    """Where each part of a line begins and ends; cells that tabs part are counted instead."""
    if layout.header.ordinal:
        return [(cell.column, cell.column) for cell in cells_of(layout.page, index, layout.header)]
    line = layout.page.line(index)
    return [(layout.page.column(line.start, a), layout.page.column(line.start, b)) for a, b in line.chunks]


def _is_below(own: Span, other: Span) -> bool:
    return abs(own[0] - other[0]) <= 1 or abs(own[1] - other[1]) <= 1


def completes(layout: Layout, cells: list[Cell], row: Row, below: range) -> bool:
    """Whether the numbers of a line are those that the row above is short of, set lower.

    A whole row belongs to the key above it only if its text goes on small, or another key follows.
    """
    there = {cell.column for _, above in row.lines for cell in above if fits_anchor(layout, cell)}
    if row.reason or cells[0].column == layout.first or there & layout.anchors:
        return False
    has_numbers = bool(numbers_of(layout, row.lines[0][1][1:]))
    if not begins_row(layout, cells):
        return not has_numbers or not layout.page.text[cells[0].start].isupper()
    if has_numbers:
        return False
    after = next((each for each in (cells_at(layout, at) for at in below) if each), None)
    return layout.page.text[cells[0].start].islower() or after is None or after[0].column == layout.first


def _has_fault(layout: Layout, cells: list[Cell]) -> bool:
    """Whether something short stands in place of a number."""
    beside = (cell for cell in cells[1:] if cell.column in layout.numeric and cell.end - cell.start <= _LONGEST_FAULT)
    return any(stands_for_number(layout, cell) for cell in beside)


def is_rule(layout: Layout, cells: list[Cell]) -> bool:
    """Whether a line only parts others: dashes and the like."""
    return not any(map(str.isalnum, "".join(text_at(layout, cell) for cell in cells)))


def _was_cut(layout: Layout, cells: list[Cell]) -> bool:
    """Whether a number that seems to stand alone is only the end of a text."""
    cut = (map(is_number, (text_at(layout, a), text_at(layout, b))) for a, b in pairwise(cells) if b.start - a.end == 1)
    return (False, True) in map(tuple, cut)


def is_cut_short(layout: Layout, cells: list[Cell]) -> bool:
    """Whether the only number of a line is the end of a text that does not reach its heading."""
    numbers = numbers_of(layout, cells)
    if layout.is_tight or layout.header.ordinal or len(numbers) != 1 or not _was_cut(layout, cells):
        return False
    last, page = cells[-1], layout.page
    end = page.column(page.line(page.line_at(last.start)).start, last.end)
    return last.column in numbers and end <= layout.header.columns[last.column].left


def is_like_row(layout: Layout, cells: list[Cell], row: Row) -> bool:
    """Whether a line begins as a row does, and has more than one text, or something in place of a number."""
    own = row.lines[0][1]
    if len(cells) < 2 or not own or {own[0].column, cells[0].column} != {layout.first} or _goes_on(layout, own[0]):
        return False
    if not layout.header.ordinal and len(layout.page.line(layout.page.line_at(cells[0].start)).chunks) < 2:
        return False
    if all(is_day(text_at(layout, each[0])) for each in (cells, own)):
        return False
    beside = (cell.column in layout.texts or _is_fault(layout, cell) for cell in cells[1:])
    return any(beside) and _begins_alike(layout, cells, row)


def _is_fault(layout: Layout, cell: Cell) -> bool:
    return cell.column in layout.numeric and is_more_than_number(layout, cell)


def begins_anew(layout: Layout, cells: list[Cell], rows: Sequence[Row]) -> bool:
    """Whether a line begins a row though it has no number: the row above has nothing in its first column, or bars."""
    items = [row.lines[0][1] for row in rows[-MOST_ALIKE:] if not row.reason]
    if len(cells) < 2 or not items or cells[0].column != layout.first or is_rule(layout, cells):
        return False
    if layout.header.ordinal:
        return items[-1][0].column == layout.first
    page = layout.page
    is_begun = any(each[0].column == layout.first for each in items) and not page.text[cells[0].start].islower()
    return is_begun and items[-1][0].column != layout.first


def has_key(layout: Layout, cells: list[Cell], rows: Sequence[Row], below: range) -> bool:
    """Whether a line without numbers begins a row: with a day, a code or a number as the last rows do.

    If most rows have such a line below them, it is part of each.
    """
    items = [row.lines[0][1] for row in rows[-MOST_ALIKE:] if not row.reason]
    if not items or len(cells) < 2 or any(each[0].column != layout.first for each in (cells, *items)):
        return False
    own, *others = (text_at(layout, each[0]) for each in (cells, *items))
    if layout.page.text[cells[1].start].islower() or own in others:
        return False
    if own.isdecimal() and others[-1].isdecimal():
        return int(own) == int(others[-1]) + 1 and not _heads_group(layout, below)
    is_code = _has_figure(own) and {_shape(own)} == {*map(_shape, others)}
    return (is_code or all(map(is_day, (own, *others)))) and not _are_pairs(layout, rows, below)


def kind_of_keyed(layout: Layout, cells: list[Cell], row: Row, rows: Sequence[Row], below: range) -> str:
    """What a line without numbers is that has a key as the row above: the title of a group, or no part of that row.

    It is a text that goes on if the key does, if most rows have a second day, or if theirs has no text yet.
    """
    own = row.lines[0][1]
    if not _is_keyed(layout, cells, row):
        return "text"
    if _heads_group(layout, below):
        return "title"
    if _is_short(layout, own):
        return "text"
    key, other = (text_at(layout, each[0]) for each in (cells, own))
    if _are_pairs(layout, rows, below):
        return "text" if is_day(key) else "paired"
    return "keyed" if _outline(key) == _outline(other) else "text"


def is_over_codes(layout: Layout, cells: list[Cell], row: Row) -> bool:
    """Whether only words stand below the code of a row with a text: the title of what follows."""
    texts = [cell for cell in row.lines[0][1] if cell.column in layout.texts]
    if len(cells) != 1 or len(texts) < 2 or texts[0].column != cells[0].column:
        return False
    is_code = layout.role_of(texts[0].column) == "article"
    return is_code and is_below_code(text_at(layout, texts[0]), text_at(layout, cells[0]))


def _has_figure(text: str) -> bool:
    return any(map(str.isdigit, text))


def has_unusual_key(layout: Layout, row: Row) -> bool:
    """Whether figures stand below the whole key of a row that has a text of its own, before another text."""
    keyed = (cells for _, cells in row.lines[1:] if _is_keyed(layout, cells, row))
    return not all(is_day(text_at(layout, cells[0])) or _is_short(layout, row.lines[0][1]) for cells in keyed)


def _is_short(layout: Layout, cells: list[Cell]) -> bool:
    """Whether a line has no text behind its key, but numbers and marks of them, or the key goes on below."""
    texts = (text_at(layout, cell) for cell in cells[1:])
    return _goes_on(layout, cells[0]) or all(is_number(text) or not _WORD.search(text) for text in texts)


def _goes_on(layout: Layout, key: Cell) -> bool:
    return text_at(layout, key)[-1] in _OPEN


def _is_keyed(layout: Layout, cells: list[Cell], row: Row) -> bool:
    """Whether a line has a text behind its figures, which stand where those of a row do."""
    texts = [text_at(layout, each[0]) for each in (cells, row.lines[0][1]) if each and each[0].column == layout.first]
    if len(texts) < 2 or len(cells) < 2 or layout.first in layout.counting:
        return False
    return all(map(_has_figure, texts)) and _begins_alike(layout, cells, row)


def _outline(key: str) -> str:
    """How a key is made up of letters and numbers; "1.2" is made up as "2"."""
    return _LETTERS.sub("a", _NUMBERS.sub("0", key))


def _heads_group(layout: Layout, below: range) -> bool:
    """Whether two rows without a key come next, and no sums."""
    cells = [*islice(filter(None, (cells_at(layout, at) for at in below)), 2)]
    if len(cells) < 2 or any(each[0].column == layout.first or _is_summed(layout, each) for each in cells):
        return False
    return all(numbers_of(layout, each) for each in cells)


def _is_summed(layout: Layout, cells: list[Cell]) -> bool:
    return sum_term(label_of(layout, cells), whole=False) is not None


def _are_pairs(layout: Layout, rows: Sequence[Row], below: range) -> bool:
    """Whether most rows around a line have one with a key but without numbers right below them."""
    above = [cells for row in rows[-MOST_ALIKE:] for _, cells in row.lines[:2]]
    lines = [each for each in (*above, *(cells_at(layout, at) for at in below)) if each]
    counts = [len(numbers_of(layout, each[1:])) for each in lines if each[0].column == layout.first]
    counts.insert(sum(each[0].column == layout.first for each in above if each), 0)
    pairs = sum(1 for first, second in pairwise(counts) if first and not second)
    return pairs > 1 and 2 * pairs >= sum(map(bool, counts))


def follows(layout: Layout, row: Row, above: Row) -> bool:
    """Whether the code of a row is the next after that of the row above; days go on as they may."""
    own, other = (text_at(layout, each.lines[0][1][0]) for each in (row, above))
    numbers = [_DIGITS.findall(text)[-1:] for text in (own, other)]
    if not all(numbers) or is_day(own):
        return False
    return _shape(own) == _shape(other) and int(numbers[0][0]) == int(numbers[1][0]) + 1


def _shape(text: str) -> str:
    """A code with all its numbers alike."""
    return _DIGITS.sub("0", text)


_DIGITS = re.compile(r"\d+")
_NUMBERS = re.compile(r"\d+(?:\.\d+)*\.?")
_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]{3}|[^\W\d_\x00-\u02ff]")
_OPEN = "-–/"
