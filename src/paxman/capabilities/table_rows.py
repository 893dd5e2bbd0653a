"""From the lines below a header to rows: where each begins, what goes on over lines, and where the table ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from paxman.capabilities.base import SUBTOTAL, SUM, TITLE
from paxman.capabilities.row_shapes import (
    amounts_elsewhere,
    begins_anew,
    completes,
    follows,
    has_key,
    has_unusual_key,
    is_cut_short,
    is_elsewhere,
    is_like_row,
    is_over_codes,
    is_rule,
    is_set_as,
    kind_of_item,
    kind_of_keyed,
    lacks_first,
)
from paxman.capabilities.row_sums import (
    PAYMENTS,
    adds_columns,
    adds_up,
    ends_table,
    goes_on_below,
    has_rate,
    is_brought,
    is_counted,
    is_named,
    is_paid_item,
    is_partial,
    is_running_sum,
    label_of,
    sums_of,
    sums_up,
    term_of,
)
from paxman.capabilities.table_arithmetic import texts_multiply
from paxman.capabilities.table_breaks import clear_breaks
from paxman.capabilities.table_ends import MOST_SEEN, has_gap, is_new_heading
from paxman.capabilities.table_lines import (
    Cells,
    Layout,
    Row,
    begins_row,
    cells_at,
    crosses_page,
    factors_of,
    is_dated,
    numbers_of,
    text_at,
    wrapped_at,
)
from paxman.capabilities.table_placing import is_day
from paxman.capabilities.table_sums import MOST_ADDED, MOST_SUMS, is_ordinary, is_rated, is_sum, sum_term, terms_of
from paxman.capabilities.table_titles import Part
from paxman.capabilities.table_wraps import share_texts
from paxman.documents.figures import is_number
from paxman.documents.headings import Cell, begins_page

_CHARGES = frozenset({"discount", "charge"})
_REASONS = {
    "subtotal": SUBTOTAL,
    "charge": SUM,
    "title": TITLE,
    "keyed": "a line of its own without an amount",
    "paired": "a second line with a key of its own",
    "fragment": "no price or total beside the quantity",
    "lone": "an amount that belongs to no item",
    "elsewhere": "its amount stands below a heading that is not asked for",
}
BELOW = "below the end of the table"
_SHARE = re.compile(r"[\s(-]{0,3}\d{1,3}(?:[.,]\d{1,2})? ?%\)?\Z")
_LED = re.compile(r"(?!(?-i:[A-Z]{2,3}|[A-Z][a-z])\.? )[^\W\d_]{2,}\.? {1,2}\d")
"""A word before a figure that is no currency: "about 2"."""
_MOST_QUIET = 15
"""Lines without a new row after which only a line on another page, set as the rows, goes on with them."""


def find_rows(layout: Layout, stop: int) -> Part:
    """Rows between a header and the line `stop`, also those that turn out to be none, and where they stand."""
    rows: list[Row] = []
    end, summed = _collect(layout, stop, rows)
    _take_elsewhere(layout, rows)
    _refuse_sums(layout, rows, ended=summed)
    if rows:
        clear_breaks(layout, rows, end, stop)
        share_texts(layout, rows)
        _doubt_lines(layout, rows)
    last = stop if end == stop and layout.goes_on else max((row.first for row in rows), default=0)
    sums = [*_closing_sums(layout, rows, range(end, stop))] if summed and rows else []
    lines = range(sums[-1].first + 1 if sums else end + 1, stop)
    gap = next((at for at in lines if not layout.page.line(at).chunks), stop) if summed else lines.start
    rows += [*sums, *_rows_below(layout, rows, lines, gap)]
    return Part(layout, rows, range(layout.header.last + 1, last))


def _collect(layout: Layout, stop: int, rows: list[Row]) -> tuple[int, bool]:
    """Gather the rows, far below only what is set as they are; the last line, and whether it ends the table."""
    loose: list[Cells] = []
    quiet = 0
    for index in range(layout.header.last + 1, stop):
        if quiet > _MOST_QUIET:
            if not is_set_as(layout, rows, index):
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
        inside = [] if rows and is_over_codes(layout, inside, rows[-1]) else inside
        (rows[-1].lines if rows else loose).append((index, inside))
        quiet += 1
    return stop, False


def _kind_below(layout: Layout, index: int, cells: list[Cell], rows: Sequence[Row], stop: int, quiet: int) -> str:
    """What a line is in the light of the rows above it."""
    below = range(index + 1, min(stop, index + 1 + _MOST_QUIET))
    term = term_of(layout, cells) if cells else None
    if cells and ends_table(layout, cells, rows, term) and not is_paid_item(layout, cells, below):
        if rows and _is_among(layout, cells, rows, below):
            return "elsewhere"
        if is_counted(layout, cells, rows, below):
            return "row"
        if not rows and _is_over_items(layout, below):
            return "charge"
        if not goes_on_below(layout, cells, below):
            return "end"
        return "row" if term in PAYMENTS else "subtotal"
    kind = _kind(layout, cells, term)
    if kind == "subtotal" and rows and _is_ordinary(layout, index, cells, rows, below):
        kind = kind_of_item(layout, cells)
    if kind == "row" and rows and layout.outside.numbers_page(index):
        return "text"  # The head or the foot of a page.
    if kind == "row" and rows and len(cells) == 2 and _turns(layout, rows, index):
        return "subtotal" if is_brought(layout, cells, rows) else kind
    if kind in ("text", "faulty") and rows and is_new_heading(layout, index, cells, rows):
        return "heading"
    if kind in ("row", "fragment", "lone") and rows and completes(layout, cells, rows[-1], below):
        return "text"
    if kind == "lone" and rows and lacks_first(layout, cells, rows):
        return "row"
    if kind == "row" and rows and (adds_columns if not label_of(layout, cells) else sums_up)(layout, cells, rows):
        return "charge"
    if kind == "text" and rows and not quiet and _is_charge(layout, cells):
        return "charge"
    if kind == "text" and rows and (has_key(layout, cells, rows, below) or begins_anew(layout, cells, rows)):
        return "row"
    last = next((row for row in reversed(rows[-MOST_SEEN:]) if not row.reason), None) if kind == "text" else None
    if last and is_elsewhere(layout, cells, last):
        return "elsewhere"
    return kind_of_keyed(layout, cells, last, rows, below) if last else kind


def _is_over_items(layout: Layout, below: range) -> bool:
    """Whether a row that is not named like a sum comes next."""
    cells = cells_at(layout, below[0]) if below else []
    return bool(cells) and _kind(layout, cells, term_of(layout, cells)) == "row" and not is_named(layout, cells)


def _take_elsewhere(layout: Layout, rows: list[Row]) -> None:
    """Reject the lines over the first item that begin as it does, but with their amount in no field's column."""
    first = next((at for at, row in enumerate(rows) if not row.reason), None)
    if first is None:
        return
    above, item = rows[first - 1].lines if first else rows[0].above, rows[first]
    over = [(index, cells_at(layout, index)) for index, cells in above[1 if first else 0 :] if cells]
    found = [line for line in over if is_elsewhere(layout, line[1], item)]
    if found:
        above[:] = [line for line in above if line[0] > found[-1][0] or (first and line[0] < found[0][0])]
        rows[first:first] = [Row(line[0], [line], [], _REASONS["elsewhere"]) for line in found]


def _doubt_lines(layout: Layout, rows: Sequence[Row]) -> None:
    """Say which rows are unclear: by their own lines, or because they have only a key, and that is not the next."""
    for row in rows:
        row.unclear |= _may_be_none(layout, row) or any(_may_begin_another(layout, row))
    for above, row in pairwise(row for row in rows if not row.reason):
        has_numbers = (any(numbers_of(layout, cells[1:]) for _, cells in each.lines) for each in (above, row))
        row.unclear |= [*has_numbers] == [True, False] and not follows(layout, row, above)


def _may_be_none(layout: Layout, row: Row) -> bool:
    """Whether a number of a row is less than what stands there, or a line without an amount part of the row above."""
    cells = row.lines[0][1]
    if any(map(_LED.match, (text_at(layout, cell) for cell in cells if cell.column in layout.numeric))):
        return True
    if row.reason == _REASONS["keyed"]:
        return layout.page.text[cells[1].start].islower() or not layout.needs_number
    if row.reason:
        return False
    if row.reason:
        return False
    lacks_number = layout.first in layout.numeric and cells[0].column in layout.texts and cells[0].column > layout.first
    return lacks_number or is_cut_short(layout, cells)


def _may_begin_another(layout: Layout, row: Row) -> Iterator[bool]:
    """Whether a line of a text has an amount or a key as the first of its row, or all its texts."""
    own = {cell.column for cell in row.lines[0][1] if is_sum(text_at(layout, cell))}
    lines = (cells for _, cells in (*row.above, *row.lines[1:]))
    for cells in (each for each in lines if any(cell.column in layout.texts for cell in each)):
        yield bool(own & amounts_elsewhere(layout, cells)) or is_like_row(layout, cells, row)
        is_begun = layout.page.text[cells[0].start].isupper()
        yield bool(own) and is_begun and bool(numbers_of(layout, cells[1:]))
    yield has_unusual_key(layout, row)


def _is_among(layout: Layout, cells: list[Cell], rows: Sequence[Row], below: range) -> bool:
    """Whether a line is only named like a sum, its amount in no field's column: it has a day, or a row comes next."""
    if not amounts_elsewhere(layout, cells) or begins_row(layout, cells):
        return False
    days = (each[0] for each in (cells, rows[-1].lines[0][1]) if each and each[0].column == layout.first)
    if [is_day(text_at(layout, day)) for day in days] == [True, True]:
        return True
    filled = next((at for at in below if len(layout.page.line(at).chunks) > 1), None)
    return filled is not None and is_set_as(layout, rows, filled) and not is_named(layout, cells_at(layout, filled))


def _rows_below(layout: Layout, rows: Sequence[Row], lines: range, gap: int) -> Iterator[Row]:
    """Lines below the end of a table that look like its rows; a label and an amount alone only above a gap."""
    for index in lines:
        parts = len(layout.page.line(index).chunks)
        if parts < 2 or (parts == 2 and index > gap):
            continue
        cells = cells_at(layout, index) if layout.dates else []
        if is_dated(layout, cells) or is_set_as(layout, rows, index):
            cells = cells or cells_at(layout, index)
            if not term_of(layout, cells) and not (parts == 2 and is_named(layout, cells)):
                yield Row(index, [(index, cells)], [], BELOW, unclear=index < gap)


def _closing_sums(layout: Layout, rows: Sequence[Row], lines: range) -> Iterator[Row]:
    """The sums right below the rows, each with a label in its column and an amount where one is asked for."""
    page = layout.page
    if not all(page.line(index).chunks for index in range(rows[-1].first + 1, lines.start)):
        return
    for index in lines[:MOST_SUMS]:
        cells = cells_at(layout, index)
        if cells and is_rule(layout, cells):
            continue
        if not cells or not _is_closing(layout, cells) or not (index == lines.start or _is_sum_below(layout, cells)):
            return
        yield Row(index, [(index, cells)], [], SUM)


def _is_closing(layout: Layout, cells: list[Cell]) -> bool:
    if not layout.header.ordinal and cells[0].column not in layout.texts | {layout.first}:
        return False
    return any(cell.column in layout.numeric and is_sum(text_at(layout, cell)) for cell in cells)


def _is_sum_below(layout: Layout, cells: list[Cell]) -> bool:
    """Whether a line is named like a sum or a charge, and is no item by its quantity and price."""
    if layout.factors and texts_multiply(factors_of(layout, cells)):
        return False
    label = label_of(layout, cells)
    return is_rated(label) or sum_term(label, whole=False) is not None or not _CHARGES.isdisjoint(terms_of(label))


def _refuse_sums(layout: Layout, rows: Sequence[Row], *, ended: bool) -> None:
    """Reject the last rows from the first that is a sum or a tax: only an amount, where the others have more numbers.

    It is one if it adds up the rows above, ends in a rate, or if alone a gap parts it from them, and known sums follow.
    """
    last = next((at for at in reversed(range(len(rows))) if len(sums_of(layout, rows[at])) > 1), -1)
    items = [row for row in rows[: last + 1] if not row.reason]
    if sum(len(sums_of(layout, row)) > 1 for row in items) * 2 <= len(items):
        return
    gaps = [has_gap(row) for row in rows]
    apart = ended and not any(gaps[:last]) and gaps[last] and not any(gaps[last + 1 :])
    refused = False
    for number, row in enumerate(rows[last + 1 :]):
        refused = refused or apart or has_rate(layout, row)
        refused = refused or (number < MOST_SUMS and adds_up(layout, items, row))
        if refused:
            row.reason = row.reason or SUM
        elif not row.reason and not is_named(layout, row.lines[0][1]):
            items.append(row)


def _kind(layout: Layout, cells: list[Cell], term: str | None) -> str:
    """What a line is: blank, a row, part of one, or something that only looks like a row."""
    if not cells or is_rule(layout, cells):
        return "blank"
    if is_partial(layout, cells, term):
        return "subtotal" if any(map(str.isdigit, text_at(layout, cells[-1]))) else "blank"
    return kind_of_item(layout, cells)


def _is_charge(layout: Layout, cells: list[Cell]) -> bool:
    """Whether a line is only the label of a discount or charge and its amount."""
    if len(cells) != 2 or is_number(text_at(layout, cells[0])) or not is_sum(text_at(layout, cells[1])):
        return False
    return not _CHARGES.isdisjoint(terms_of(_SHARE.sub("", text_at(layout, cells[0]))))


def _is_ordinary(layout: Layout, index: int, cells: list[Cell], rows: Sequence[Row], below: range) -> bool:
    """Whether "Transport" or "Report" is the name of an item: no page turns beside it, and it is not the sum so far."""
    if not is_ordinary(label_of(layout, cells)) or is_running_sum(layout, cells, rows):
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
        if first and not first.reason and is_brought(part.layout, first.lines[0][1], above):
            first.reason = SUBTOTAL
        above += part.items


def other_titles(parts: Sequence[Part]) -> Iterator[int]:
    """Titles over headings that come again on the same page, below the right sum of the rows above."""
    for above, below in pairwise(parts):
        layout, page, first = above.layout, above.layout.page, below.layout.header.first
        sums = [row for row in above.rows if row.reason == SUM]
        if not any(is_running_sum(layout, row.lines[0][1], above.items) for row in sums):
            continue
        title = next(at for at in range(first - 1, -1, -1) if page.line(at).chunks)
        is_title = title > above.rows[-1].first and len(page.line(title).chunks) == 1 and not layout.outside.has(title)
        if is_title and not layout.outside.is_break(range(above.rows[-1].first + 1, first + 1)):
            yield title
