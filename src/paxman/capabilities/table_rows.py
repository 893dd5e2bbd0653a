"""From the lines below a header to rows: where each begins, what goes on over lines, and where the table ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from paxman.capabilities.base import NO_ITEM
from paxman.capabilities.table_arithmetic import is_negative, texts_add_up, texts_multiply
from paxman.capabilities.table_breaks import clear_breaks
from paxman.capabilities.table_ends import MOST_ALIKE, MOST_SEEN, has_gap, is_new_heading, is_other_heading
from paxman.capabilities.table_lines import (
    Cells,
    Layout,
    Row,
    begins_row,
    cells_at,
    crosses_page,
    factors_of,
    fits_anchor,
    is_dated,
    numbers_of,
    text_at,
    wrapped_at,
)
from paxman.capabilities.table_placing import cells_of, is_day
from paxman.capabilities.table_sums import (
    MOST_ADDED,
    MOST_SUMS,
    NEVER_ADDED,
    PARTIAL,
    SUMMED_UP,
    SUMS,
    TOTALS,
    begins_sum,
    cut_number,
    is_carried,
    is_column_sum,
    is_dated_balance,
    is_item,
    is_ordinary,
    is_rated,
    is_sum,
    sum_term,
    terms_of,
    without_rate,
)
from paxman.capabilities.table_titles import Part
from paxman.capabilities.table_wraps import share_texts
from paxman.documents.figures import is_number
from paxman.documents.headings import Cell, begins_page
from paxman.types import Span

_CHARGES = frozenset({"discount", "charge"})
_UNDATED = frozenset({"amount_due", "due_date", *TOTALS})
"""Sums that may have a day beside them and are no rows for that."""
_REASONS = {
    "subtotal": f"a subtotal, {NO_ITEM}",
    "charge": f"a sum, {NO_ITEM}",
    "fragment": "no price or total beside the quantity",
    "lone": "an amount that belongs to no item",
    "elsewhere": "its amount stands below a heading that is not asked for",
}
_SHARE = re.compile(r"[\s(-]{0,3}\d{1,3}(?:[.,]\d{1,2})? ?%\)?\Z")
_MOST_QUIET = 15
"""Lines without a new row after which only a line on another page, set as the rows, goes on with them."""
_LONGEST_FAULT = 12


def find_rows(layout: Layout, stop: int) -> Part:
    """Rows between a header and the line `stop`, also those that turn out to be none, and where they stand."""
    rows: list[Row] = []
    end, summed = _collect(layout, stop, rows)
    _take_elsewhere(layout, rows)
    _refuse_sums(layout, rows, ended=summed)
    if rows:
        clear_breaks(layout, rows, end, stop)
        share_texts(layout, rows)
        _doubt_amounts(layout, rows)
    last = stop if end == stop and layout.goes_on else max((row.first for row in rows), default=0)
    sums = [*_closing_sums(layout, rows, range(end, stop))] if summed and rows else []
    rows += [*sums, *_rows_below(layout, rows, range(sums[-1].first + 1 if sums else end + 1, stop))]
    return Part(layout, rows, range(layout.header.last + 1, last))


def _collect(layout: Layout, stop: int, rows: list[Row]) -> tuple[int, bool]:
    """Gather the rows, far below only what is set as they are; the last line, and whether it ends the table."""
    loose: list[Cells] = []
    quiet = 0
    for index in range(layout.header.last + 1, stop):
        if quiet > _MOST_QUIET:
            if not _is_set_as(layout, rows, index):
                continue
            if not crosses_page(layout, rows[-1].first, index):
                return index - 1, False
            loose, quiet = [], 0
        cells = cells_at(layout, index)
        kind = _kind_below(layout, index, cells, rows, stop, quiet)
        if kind in ("end", "heading"):
            if kind == "heading" and len(rows[-1].lines) > 1:
                rows[-1].lines.pop()  # A title.
            return index, kind == "end"
        if kind in ("row", "faulty") or kind in _REASONS:
            rows.append(Row(index, [(index, cells)], loose, _REASONS.get(kind, "")))
            loose = []
            quiet = 0 if kind != "faulty" or numbers_of(layout, cells) else quiet + 1
            continue
        goes_on = kind == "text" and not begins_page(layout.page, index)
        inside = wrapped_at(layout, index, rows[-1] if rows else None) if goes_on else []
        (rows[-1].lines if rows else loose).append((index, inside))
        quiet += 1
    return stop, False


def _kind_below(layout: Layout, index: int, cells: list[Cell], rows: Sequence[Row], stop: int, quiet: int) -> str:
    """What a line is in the light of the rows above it."""
    below = range(index + 1, min(stop, index + 1 + _MOST_QUIET))
    if cells and _ends_table(layout, cells, rows) and not _is_paid_item(layout, cells, below):
        if rows and _is_among(layout, cells, rows, below):
            return "elsewhere"
        if _is_counted(layout, cells, rows, below):
            return "row"
        if not rows and _is_over_items(layout, below):
            return "charge"
        if not _goes_on(layout, cells, below):
            return "end"
        return "row" if _sum_term(layout, cells) in _PAYMENTS else "subtotal"
    kind = _kind(layout, cells)
    if kind == "subtotal" and rows and _is_ordinary(layout, index, cells, rows, below):
        kind = _kind_of_item(layout, cells)
    if kind == "row" and rows and layout.outside.numbers_page(index):
        return "text"  # The head or the foot of a page.
    if kind == "row" and rows and len(cells) == 2 and _turns(layout, rows, index):
        return "subtotal" if _is_brought(layout, cells, rows) else kind
    if kind in ("text", "faulty") and rows and is_new_heading(layout, index, cells, rows):
        return "heading"
    if kind in ("fragment", "lone") and rows and _completes(layout, cells, rows[-1]):
        return "text"
    if kind == "row" and rows and (_adds_columns if not _label(layout, cells) else _sums_up)(layout, cells, rows):
        return "charge"
    if kind == "text" and rows and not quiet and _is_charge(layout, cells):
        return "charge"
    last = next((row for row in reversed(rows[-MOST_SEEN:]) if not row.reason), None) if kind == "text" else None
    return "elsewhere" if last and _is_elsewhere(layout, cells, last) else kind


def _is_paid_item(layout: Layout, cells: list[Cell], below: range) -> bool:
    """Whether a row is only named like a payment, "Cash": it has two numbers or a number first, or items follow."""
    if _sum_term(layout, cells) not in _PAYMENTS or not begins_row(layout, cells):
        return False
    numbers = [is_number(text_at(layout, cell)) for cell in cells]
    if (numbers[0] and len(cells) > 2) or 1 < len(numbers_of(layout, cells)) == len(cells) - 1 == sum(numbers):
        return True
    others = (each for each in (cells_at(layout, at) for at in below) if each and numbers_of(layout, each))
    return next((True for each in others if begins_row(layout, each) and not _named(layout, each)), False)


_PAYMENTS = frozenset({"tendered", "change"})


def _named(layout: Layout, cells: list[Cell]) -> bool:
    label = _label(layout, cells)
    return is_rated(label) or bool(terms_of(without_rate(label))) or sum_term(label, whole=False) is not None


def _is_over_items(layout: Layout, below: range) -> bool:
    """Whether a row that is not named like a sum comes next."""
    cells = cells_at(layout, below[0]) if below else []
    return _kind(layout, cells) == "row" and not _named(layout, cells)


def _is_elsewhere(layout: Layout, cells: list[Cell], row: Row) -> bool:
    """Whether a line begins as the row above, with two cells or at its edge, but its amount is in no field's column."""
    amounts = _amounts_elsewhere(layout, cells)
    if not amounts or cells[0].column != layout.first or _was_cut(layout, cells):
        return False
    above = {cell.column: is_sum(text_at(layout, cell)) for cell in row.lines[0][1]}
    texts = {cell.column for cell in cells if not is_sum(text_at(layout, cell))}
    if len(texts) > 1:
        return texts <= above.keys()
    return all(map(above.get, amounts)) and texts < above.keys() and _begins_alike(layout, cells, row)


def _take_elsewhere(layout: Layout, rows: list[Row]) -> None:
    """Reject the lines over the first item that begin as it does, but with their amount in no field's column."""
    first = next((at for at, row in enumerate(rows) if not row.reason), None)
    if first is None:
        return
    above, item = rows[first - 1].lines if first else rows[0].above, rows[first]
    over = [(index, cells_at(layout, index)) for index, cells in above[1 if first else 0 :] if cells]
    found = [line for line in over if _is_elsewhere(layout, line[1], item)]
    if found:
        above[:] = [line for line in above if line[0] > found[-1][0] or (first and line[0] < found[0][0])]
        rows[first:first] = [Row(line[0], [line], [], _REASONS["elsewhere"]) for line in found]


def _doubt_amounts(layout: Layout, rows: Sequence[Row]) -> None:
    """Say of a text that it is unclear if an amount stands beside one of its other lines as beside its first."""
    for row in rows:
        own = {cell.column for cell in row.lines[0][1] if is_sum(text_at(layout, cell))}
        lines = (cells for _, cells in (*row.above, *row.lines[1:]))
        texts = (cells for cells in lines if any(cell.column in layout.texts for cell in cells))
        row.unclear |= any(own & _amounts_elsewhere(layout, cells) for cells in texts)


def _amounts_elsewhere(layout: Layout, cells: list[Cell]) -> set[int]:
    """The columns with amounts that belong to no field."""
    known = {*layout.places.values()}
    return {cell.column for cell in cells if cell.column not in known and is_sum(text_at(layout, cell))}


def _begins_alike(layout: Layout, cells: list[Cell], row: Row) -> bool:
    """Whether a line begins at the left edge of a row, and with a small letter only if that does."""
    page, above = layout.page, row.lines[0][1]
    if not above or (page.text[cells[0].start].islower() and not page.text[above[0].start].islower()):
        return False
    own, other = (page.column(page.line(page.line_at(cell.start)).start, cell.start) for cell in (cells[0], above[0]))
    return own == other


def _is_among(layout: Layout, cells: list[Cell], rows: Sequence[Row], below: range) -> bool:
    """Whether a line is only named like a sum, its amount in no field's column: it has a day, or a row comes next."""
    if not _amounts_elsewhere(layout, cells) or begins_row(layout, cells):
        return False
    days = (each[0] for each in (cells, rows[-1].lines[0][1]) if each and each[0].column == layout.first)
    if [is_day(text_at(layout, day)) for day in days] == [True, True]:
        return True
    filled = next((at for at in below if len(layout.page.line(at).chunks) > 1), None)
    return filled is not None and _is_set_as(layout, rows, filled) and not _named(layout, cells_at(layout, filled))


def _is_set_as(layout: Layout, rows: Sequence[Row], index: int) -> bool:
    """Whether a line has as many parts as one of the last rows, each below its like, or a price that fits its total."""
    parts = len(layout.page.line(index).chunks)
    last = [row.first for row in rows[-MOST_ALIKE:] if not row.reason]
    others = [at for at in last if len(layout.page.line(at).chunks) == parts > 1]
    if not others:
        return False
    own = _edges(layout, index)
    cells = cells_at(layout, index)
    alike = any(all(map(_is_below, own, _edges(layout, at))) for at in others)
    is_row = begins_row(layout, cells) or is_dated(layout, cells)
    return (alike and is_row) or (bool(layout.factors) and texts_multiply(factors_of(layout, cells)))


def _edges(layout: Layout, index: int) -> list[Span]:
    """Where each part of a line begins and ends; cells that tabs part are counted instead."""
    if layout.header.ordinal:
        return [(cell.column, cell.column) for cell in cells_of(layout.page, index, layout.header)]
    line = layout.page.line(index)
    return [(layout.page.column(line.start, a), layout.page.column(line.start, b)) for a, b in line.chunks]


def _is_below(own: Span, other: Span) -> bool:
    return abs(own[0] - other[0]) <= 1 or abs(own[1] - other[1]) <= 1


def _rows_below(layout: Layout, rows: Sequence[Row], lines: range) -> Iterator[Row]:
    """Lines below the end of a table that look like its rows; of a label and an amount alone nobody can say."""
    for index in lines:
        if len(layout.page.line(index).chunks) < 3:
            continue
        cells = cells_at(layout, index) if layout.dates else []
        if is_dated(layout, cells) or _is_set_as(layout, rows, index):
            cells = cells or cells_at(layout, index)
            if not _sum_term(layout, cells):
                yield Row(index, [(index, cells)], [], "below the end of the table")


def _closing_sums(layout: Layout, rows: Sequence[Row], lines: range) -> Iterator[Row]:
    """The sums right below the rows, each with a label in its column and an amount where one is asked for."""
    page = layout.page
    if not all(page.line(index).chunks for index in range(rows[-1].first + 1, lines.start)):
        return
    for index in lines[:MOST_SUMS]:
        cells = cells_at(layout, index)
        if cells and _is_rule(layout, cells):
            continue
        if not cells or not _is_closing(layout, cells) or not (index == lines.start or _is_sum_below(layout, cells)):
            return
        yield Row(index, [(index, cells)], [], _REASONS["charge"])


def _is_closing(layout: Layout, cells: list[Cell]) -> bool:
    if not layout.header.ordinal and cells[0].column not in layout.texts | {layout.first}:
        return False
    return any(cell.column in layout.numeric and is_sum(text_at(layout, cell)) for cell in cells)


def _is_sum_below(layout: Layout, cells: list[Cell]) -> bool:
    """Whether a line is named like a sum or a charge, and is no item by its quantity and price."""
    if layout.factors and texts_multiply(factors_of(layout, cells)):
        return False
    label = _label(layout, cells)
    return is_rated(label) or sum_term(label, whole=False) is not None or not _CHARGES.isdisjoint(terms_of(label))


def _refuse_sums(layout: Layout, rows: Sequence[Row], *, ended: bool) -> None:
    """Reject the last rows from the first that is a sum or a tax: only an amount, where the others have more numbers.

    It is one if it adds up the rows above, ends in a rate, or if alone a gap parts it from them, and known sums follow.
    """
    last = next((at for at in reversed(range(len(rows))) if len(_sums(layout, rows[at])) > 1), -1)
    items = [row for row in rows[: last + 1] if not row.reason]
    if sum(len(_sums(layout, row)) > 1 for row in items) * 2 <= len(items):
        return
    gaps = [has_gap(row) for row in rows]
    apart = ended and not any(gaps[:last]) and gaps[last] and not any(gaps[last + 1 :])
    refused = False
    for number, row in enumerate(rows[last + 1 :]):
        refused = refused or apart or _is_rated(layout, row)
        refused = refused or (number < MOST_SUMS and _adds_up(layout, items, row))
        if refused:
            row.reason = row.reason or _REASONS["charge"]


def _sums(layout: Layout, row: Row) -> list[Cell]:
    """The numbers on a row's first line that are no rates."""
    return [cell for cell in row.lines[0][1] if is_sum(text_at(layout, cell))]


def _is_rated(layout: Layout, row: Row) -> bool:
    return any(is_rated(text_at(layout, cell)) for cell in row.lines[0][1])


def _adds_up(layout: Layout, items: Sequence[Row], row: Row) -> bool:
    """Whether the amount of a row is the sum of those above it."""
    column = {cell.column: text_at(layout, cell) for cell in _sums(layout, row)}
    above = [text_at(layout, cell) for each in items for cell in _sums(layout, each) if cell.column in column]
    return len(column) == 1 and len(above) == len(items) and texts_add_up(above, *column.values())


def _adds_columns(layout: Layout, cells: list[Cell], rows: Sequence[Row]) -> bool:
    """Whether each number of a line without text is the sum of those above it, which have texts."""
    if len(rows) > MOST_ADDED or not all(_label(layout, row.lines[0][1]) for row in rows[-MOST_SEEN:]):
        return False
    items = [row.lines[0][1] for row in rows if not row.reason]
    above = [(filter(None, (_amount_in(layout, each, cell.column) for each in items)), cell) for cell in cells]
    return len(items) > 1 and all(texts_add_up([*amounts], text_at(layout, cell)) for amounts, cell in above)


def _kind(layout: Layout, cells: list[Cell]) -> str:
    """What a line is: blank, a row, part of one, or something that only looks like a row."""
    if not cells or _is_rule(layout, cells):
        return "blank"
    if _is_partial(layout, cells):
        return "subtotal" if any(map(str.isdigit, text_at(layout, cells[-1]))) else "blank"
    return _kind_of_item(layout, cells)


def _kind_of_item(layout: Layout, cells: list[Cell]) -> str:
    """Whether a line is a row, part of one, or only looks like one."""
    if begins_row(layout, cells):
        return "row"
    filled = {cell.column for cell in cells if fits_anchor(layout, cell)}
    alone = layout.numeric and filled >= layout.anchors and not _was_cut(layout, cells)
    own = (cells[0].column == layout.first or is_dated(layout, cells)) and not _was_cut(layout, cells)
    if own and _has_fault(layout, cells):
        return "faulty"
    if alone and len(cells) > 1 and not (own and layout.priced):
        return "fragment" if not layout.priced else "lone"
    return "row" if len(numbers_of(layout, cells[1:])) > (0 if own else 1) else "text"


def _completes(layout: Layout, cells: list[Cell], row: Row) -> bool:
    """Whether the numbers of a line are those that the row above is short of, set lower."""
    there = {cell.column for _, above in row.lines for cell in above if fits_anchor(layout, cell)}
    return not row.reason and cells[0].column != layout.first and not there & layout.anchors


def _is_charge(layout: Layout, cells: list[Cell]) -> bool:
    """Whether a line is only the label of a discount or charge and its amount."""
    if len(cells) != 2 or is_number(text_at(layout, cells[0])) or not is_sum(text_at(layout, cells[1])):
        return False
    return not _CHARGES.isdisjoint(terms_of(_SHARE.sub("", text_at(layout, cells[0]))))


def _has_fault(layout: Layout, cells: list[Cell]) -> bool:
    """Whether something short stands in place of a number."""
    beside = (cell for cell in cells[1:] if cell.column in layout.numeric and cell.end - cell.start <= _LONGEST_FAULT)
    return any(not any(map(str.isdigit, text_at(layout, cell))) for cell in beside)


def _is_rule(layout: Layout, cells: list[Cell]) -> bool:
    """Whether a line only parts others: dashes and the like."""
    return not any(map(str.isalnum, "".join(text_at(layout, cell) for cell in cells)))


def _was_cut(layout: Layout, cells: list[Cell]) -> bool:
    """Whether a number that seems to stand alone is only the end of a text."""
    cut = (map(is_number, (text_at(layout, a), text_at(layout, b))) for a, b in pairwise(cells) if b.start - a.end == 1)
    return (False, True) in map(tuple, cut)


def _ends_table(layout: Layout, cells: list[Cell], rows: Sequence[Row]) -> bool:
    """A line of sums, or the headings of something else."""
    if is_other_heading(layout, cells) or _sum_term(layout, cells) in SUMS:
        return not _is_carried(layout, cells) and not _is_one_sided(layout, cells, rows)
    return len(layout.numeric) == 1 and begins_row(layout, cells) and _sums_up(layout, cells, rows)


def _is_one_sided(layout: Layout, cells: list[Cell], rows: Sequence[Row]) -> bool:
    """Whether an account is only named like a sum, "Tax payable", where rows have either a debit or a credit.

    Only where some have the one and some the other may it be named so as a whole: "VAT".
    """
    items = [row.lines[0][1] for row in rows[-MOST_SEEN:] if not row.reason]
    found = [numbers_of(layout, each) for each in (cells, *items)]
    if len(layout.numeric) < 2 or len(found) < 2 or any(len(columns) != 1 for columns in found):
        return False
    label = _label(layout, cells)
    term = sum_term(label, whole=False)
    return (
        term is not None
        and term not in _UNDATED
        and (len(set().union(*found[1:])) > 1 or not terms_of(without_rate(label)))
    )


def _sums_up(layout: Layout, cells: list[Cell], rows: Sequence[Row]) -> bool:
    """Whether a row that begins like a sum is that of the rows above, or of those since the last sum: "Total May"."""
    label = _label(layout, cells)
    if len(rows) > MOST_ADDED or not begins_sum(label) or is_item("total", factors_of(layout, cells)):
        return False
    last = max((at for at, row in enumerate(rows) if row.reason), default=-1)
    above = [{} if row.reason else _amounts(layout, row.lines[0][1]) for row in rows]
    groups = [[*filter(None, above[first:])] for first in (0, last + 1)]
    return not is_dated(layout, cells) and any(is_column_sum(label, _amounts(layout, cells), group) for group in groups)


def _amounts(layout: Layout, cells: list[Cell]) -> dict[int, str]:
    """The amounts of a line by columns."""
    return {cell.column: text_at(layout, cell) for cell in cells if is_sum(text_at(layout, cell))}


def _is_counted(layout: Layout, cells: list[Cell], rows: Sequence[Row], below: range) -> bool:
    """Whether a line named like a sum is an item, "Tax return", "Cash": a sum below has it in it, as it has the items.

    A sum has a tax in it too, but no more items stand between them.
    """
    label = _label(layout, cells)
    amounts = [cell for cell in cells if is_sum(text_at(layout, cell))]
    if len(amounts) != 1 or len(rows) > MOST_ADDED or not sum_term(label, whole=False):
        return False
    whole = sum_term(without_rate(label), whole=True)
    items = [row.lines[0][1] for row in rows if not row.reason]
    above = [_amount_in(layout, each, amounts[0].column) for each in items]
    own = text_at(layout, amounts[0])
    between = _up_to_sum(layout, below, amounts[0].column, [*above, own])
    if between is None or (whole and (is_negative(own) or texts_add_up(above, own))):
        return False
    if whole:
        return whole in NEVER_ADDED and not all(map(terms_of, (*(_label(layout, each) for each in items), *between)))
    return bool(between) or sum_term(label, whole=False) in NEVER_ADDED


def _up_to_sum(layout: Layout, lines: range, column: int, amounts: list[str]) -> list[str] | None:
    """The labels of the amounts that stand on the lines up to the sum of them all, if there is one; taxes have none."""
    between: list[str] = []
    for label, amount in _amounts_below(layout, lines, column):
        if sum_term(label, whole=False) in SUMMED_UP and texts_add_up(amounts, amount):
            return between
        term = sum_term(without_rate(label), whole=True)
        if term not in (None, "tax"):
            return None
        amounts, between = [*amounts, amount], between if term else [*between, label]
    return None


def _amounts_below(layout: Layout, lines: range, column: int) -> Iterator[tuple[str, str]]:
    """Each amount of a column with the label of its line."""
    for cells in (cells_at(layout, index) for index in lines):
        amount = _amount_in(layout, cells, column)
        if amount:
            yield _label(layout, cells), amount


def _amount_in(layout: Layout, cells: list[Cell], column: int) -> str:
    texts = (text_at(layout, cell) for cell in cells if cell.column == column)
    return next(filter(is_sum, texts), "")


def _label(layout: Layout, cells: list[Cell]) -> str:
    return next((text for text in (text_at(layout, cell) for cell in cells) if not is_number(text)), "")


def _goes_on(layout: Layout, cells: list[Cell], below: range) -> bool:
    """Whether a sum is that of a group, "Total phase 1": below it stand items whose price or sum is right."""
    if any(terms_of(text_at(layout, cell)) for cell in cells):
        return False
    if not layout.factors:
        columns = [cell.column for cell in cells if is_sum(text_at(layout, cell))]
        return len(columns) == 1 and bool(_up_to_sum(layout, below, columns[0], []))
    return any(texts_multiply(factors_of(layout, cells_of(layout.page, at, layout.header))) for at in below)


def _is_ordinary(layout: Layout, index: int, cells: list[Cell], rows: Sequence[Row], below: range) -> bool:
    """Whether "Transport" or "Report" is the name of an item: no page turns beside it, and it is not the sum so far."""
    if not is_ordinary(_label(layout, cells)) or _is_running_sum(layout, cells, rows):
        return False
    after = next((at for at in below if begins_row(layout, cells_at(layout, at))), below.stop)
    is_last = after == below.stop and len(below) < _MOST_QUIET and layout.goes_on
    return not is_last and not _turns(layout, rows, min(after, len(layout.page) - 1))


def _turns(layout: Layout, rows: Sequence[Row], index: int) -> bool:
    """Whether a page ends between the last row and a line."""
    return layout.outside.is_break(range(rows[-1].first + 1, index + 1))


def refuse_brought(parts: Sequence[Part]) -> None:
    """Reject the first row below headings that come again if it is the sum of all rows above."""
    above: list[Row] = []
    for part in parts:
        first = part.rows[0] if part.rows and len(above) <= MOST_ADDED else None
        if first and not first.reason and _is_brought(part.layout, first.lines[0][1], above):
            first.reason = _REASONS["subtotal"]
        above += part.items


def other_titles(parts: Sequence[Part]) -> Iterator[int]:
    """Titles over headings that come again on the same page, below the right sum of the rows above."""
    for above, below in pairwise(parts):
        layout, page, first = above.layout, above.layout.page, below.layout.header.first
        sums = [row for row in above.rows if row.reason == _REASONS["charge"]]
        if not any(_is_running_sum(layout, row.lines[0][1], above.items) for row in sums):
            continue
        title = next(at for at in range(first - 1, -1, -1) if page.line(at).chunks)
        is_title = title > above.rows[-1].first and len(page.line(title).chunks) == 1 and not layout.outside.has(title)
        if is_title and not layout.outside.is_break(range(above.rows[-1].first + 1, first + 1)):
            yield title


def _is_brought(layout: Layout, cells: list[Cell], rows: Sequence[Row]) -> bool:
    """Whether a line has only an amount, the sum of rows that have more numbers, be it called as it may."""
    items = [row for row in rows[: MOST_ADDED + 1] if not row.reason]
    if len(items) < 2 or any(len(_sums(layout, row)) < 2 for row in items[-2:]):
        return False
    return _is_running_sum(layout, cells, items)


def _is_running_sum(layout: Layout, cells: list[Cell], rows: Sequence[Row]) -> bool:
    """Whether the only amount of a line is the sum of those in the rows above."""
    own = _amounts(layout, cells)
    if len(own) != 1 or len(rows) > MOST_ADDED:
        return False
    (column, total), items = *own.items(), (row.lines[0][1] for row in rows if not row.reason)
    return texts_add_up([*filter(None, (_amount_in(layout, each, column) for each in items))], total)


def _is_partial(layout: Layout, cells: list[Cell]) -> bool:
    return _is_carried(layout, cells) or _sum_term(layout, cells) in PARTIAL


def _is_carried(layout: Layout, cells: list[Cell]) -> bool:
    """Whether a line has a sum from another page, or the balance at the beginning or the end of a time."""
    line = layout.page.text[cells[0].start : cells[-1].end]
    carried = is_dated_balance(line) or any(is_carried(text_at(layout, cell)) for cell in cells)
    return carried and not is_item(None, factors_of(layout, cells))


def _sum_term(layout: Layout, cells: list[Cell]) -> str | None:
    """The kind of sum that a line states, if it is one: a label of sums before a number, and no day before that."""
    dated = is_dated(layout, cells)
    if dated and cells[0].column in layout.dates:
        return None
    texts = [text_at(layout, cell) for cell in cells]
    numbers = [is_sum(text) for text in texts]
    labels = [position for position, text in enumerate(texts) if not is_number(text)]
    is_row = dated or begins_row(layout, cells)
    for position in labels[:1] if is_row else labels:
        label, colon, rest = texts[position].partition(":")
        if not colon and not is_row:
            label, rest = cut_number(label)
        if not (any(numbers[position + 1 :]) or is_sum(rest.strip())):
            continue
        term = sum_term(without_rate(label) if is_row else label, whole=is_row)
        if term:
            named = is_item(term, factors_of(layout, cells)) or (dated and term not in _UNDATED)
            return None if named else term
    return None
