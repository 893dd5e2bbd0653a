"""From the lines below a header to rows: where each begins, what goes on over lines, and where the table ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

import attrs

from paxman.capabilities.label_scan import Page
from paxman.capabilities.table_arithmetic import texts_add_up, texts_multiply
from paxman.capabilities.table_headings import Vocabulary
from paxman.capabilities.table_layout import Cell, Header, cells_of, is_number, other_cells_of
from paxman.capabilities.table_sums import (
    MOST_SUMS,
    PARTIAL,
    SUMS,
    cut_number,
    is_item,
    is_partial_label,
    is_rated,
    is_sum,
    sum_term,
    terms_of,
)
from paxman.contract.model import CanonicalField
from paxman.types import FieldType, Span

NUMERIC = frozenset({FieldType.DECIMAL, FieldType.INTEGER, FieldType.MONEY})
_TOTALS = ("line_total", "total", "net", "unit_price")
_CHARGES = frozenset({"discount", "charge"})
_REASONS = {
    "subtotal": "a subtotal, not an item",
    "charge": "a sum, not an item",
    "fragment": "no price or total beside the quantity",
    "lone": "an amount that belongs to no item",
}
# A property of its own below a description: "Colour: red", or an article number.
_ATTRIBUTE = re.compile(r"[^\W\d_][^:]{0,30}:(?:\s|\Z)|\d{8,14}\Z")
_SHARE = re.compile(r"[\s(-]{0,3}\d{1,3}(?:[.,]\d{1,2})? ?%\)?\Z")
_MOST_QUIET = 15
"""Lines without a new row after which a table is over."""
_LONGEST_FAULT = 12
_WIDE = 1_000_000
_NEAR = 3
"""Lines below its first in which the numbers of a row may stand."""


_Cells = tuple[int, list[Cell]]
"""A line and its cells."""


@attrs.define
class Row:
    """One row: its first line, and the cells of that and the following lines."""

    first: int
    lines: list[_Cells] = attrs.field(factory=list)
    above: list[_Cells] = attrs.field(factory=list)
    reason: str = ""
    """Why it is no row of the array, if so."""
    unclaimed: int = 0
    """Lines over it that may belong to it or to the row above."""
    goes_on: bool = True
    """Whether a small letter at its beginning says that its text begins above."""


@attrs.frozen(slots=False)
class Layout:
    """A header with the places of the contract's columns, and those whose numbers begin a row."""

    page: Page
    header: Header
    vocabulary: Vocabulary
    columns: Sequence[CanonicalField]
    anchors: frozenset[int]

    @cached_property
    def numeric(self) -> frozenset[int]:
        """Columns of the table below which the contract asks for numbers."""
        return frozenset(column for place, column in self.header.bound if self.columns[place].type in NUMERIC)

    @cached_property
    def factors(self) -> tuple[int, ...]:
        """Columns of the table with quantity, price and total, if it has all three."""
        factors = self.vocabulary.factors
        return tuple(self.places[place] for place in factors) if self.places.keys() >= set(factors) else ()

    @cached_property
    def texts(self) -> frozenset[int]:
        """Columns of texts whose headings are not set lower than the others."""
        placed = (column for place, column in self.header.bound if self.columns[place].type is FieldType.STRING)
        return frozenset(column for column in placed if not self.header.columns[column].below)

    @cached_property
    def percent(self) -> bool:
        return any(role in ("tax_rate", "discount", None) for role in self.vocabulary.roles)

    @cached_property
    def priced(self) -> bool:
        """Whether rows begin at an amount; a quantity alone may be that of a part."""
        return not any(
            self.vocabulary.roles[place] == "count" for place, at in self.places.items() if at in self.anchors
        )

    @cached_property
    def first(self) -> int:
        """The leftmost column; a pipe may stand before it."""
        return cells_of(self.page, self.header.last, self.header)[0].column if self.header.ordinal else 0

    @cached_property
    def places(self) -> dict[int, int]:
        return dict(self.header.bound)


def layout_of(page: Page, header: Header, vocabulary: Vocabulary, columns: Sequence[CanonicalField]) -> Layout:
    """Rows begin where a required number stands; without one, at a total, a price, or the first column."""
    bound = dict(header.bound)
    numeric = [place for place in bound if columns[place].type in NUMERIC]
    required = [place for place in numeric if columns[place].required]
    by_role = [place for role in _TOTALS for place in numeric if vocabulary.roles[place] == role]
    chosen = required or by_role[:1] or numeric[:1]
    anchors = [bound[place] for place in chosen] or [min(bound.values())]
    return Layout(page, header, vocabulary, columns, frozenset(anchors))


def find_rows(layout: Layout, stop: int) -> list[Row]:
    """Rows between a header and the line `stop`, also those that turn out to be none."""
    rows: list[Row] = []
    loose: list[_Cells] = []
    fresh, quiet, ended = True, 0, False
    for index in range(layout.header.last + 1, stop):
        cells = _cells(layout, index)
        ends = bool(cells) and _ends_table(layout, cells)
        if ends and not _goes_on(layout, index, stop):
            ended = True
            break
        kind = "subtotal" if ends else _kind(layout, cells)
        if kind in ("fragment", "lone") and rows and _completes(layout, cells, rows[-1]):
            kind = "text"
        if kind == "text" and rows and not quiet and _is_charge(layout, cells):
            kind = "charge"
        if kind in ("row", "faulty") or kind in _REASONS:
            rows.append(Row(index, [(index, cells)], loose, _REASONS.get(kind, "")))
            loose, fresh = [], kind == "subtotal"
            quiet = 0 if kind != "faulty" or _numbers(layout, cells) else quiet + 1
            continue
        inside = cells_of(layout.page, index, layout.header, tails=False) if kind == "text" else []
        fresh = fresh or not inside
        loose = [*loose, (index, inside)] if fresh and inside else []
        if rows:
            rows[-1].lines.append((index, inside))
        quiet += 1
        if quiet > _MOST_QUIET:
            break
    _refuse_sums(layout, rows, ended=ended)
    for above, row in pairwise(rows):
        _part_texts(layout, above, row)
    whole = [row for row in rows if not row.above and not row.unclaimed]
    if any(_text_of(layout, row.lines[0][1])[:1].islower() for row in whole):
        for row in rows:
            row.goes_on = False
    return rows


def _refuse_sums(layout: Layout, rows: Sequence[Row], *, ended: bool) -> None:
    """Reject the last rows from the first that is a sum or a tax: only an amount, where the others have more numbers.

    It is one if it adds up the rows above, ends in a rate, or if alone a gap parts it from them, and known sums follow.
    """
    last = next((at for at in reversed(range(len(rows))) if len(_sums(layout, rows[at])) > 1), -1)
    items = [row for row in rows[: last + 1] if not row.reason]
    if sum(len(_sums(layout, row)) > 1 for row in items) * 2 <= len(items):
        return
    gaps = [_has_gap(row) for row in rows]
    apart = ended and not any(gaps[:last]) and gaps[last] and not any(gaps[last + 1 :])
    refused = False
    for number, row in enumerate(rows[last + 1 :]):
        refused = refused or apart or _is_rated(layout, row)
        refused = refused or (number < MOST_SUMS and _adds_up(layout, items, row))
        if refused:
            row.reason = row.reason or _REASONS["charge"]


def _sums(layout: Layout, row: Row) -> list[Cell]:
    """The numbers on a row's first line that are no rates."""
    return [cell for cell in row.lines[0][1] if is_sum(_text(layout, cell))]


def _has_gap(row: Row) -> bool:
    """Whether a blank line, or one that parts others, stands below a row."""
    return not all(cells for _, cells in row.lines)


def _is_rated(layout: Layout, row: Row) -> bool:
    return any(is_rated(_text(layout, cell)) for cell in row.lines[0][1])


def _adds_up(layout: Layout, items: Sequence[Row], row: Row) -> bool:
    """Whether the amount of a row is the sum of those above it."""
    column = {cell.column: _text(layout, cell) for cell in _sums(layout, row)}
    above = [_text(layout, cell) for each in items for cell in _sums(layout, each) if cell.column in column]
    return len(column) == 1 and len(above) == len(items) and texts_add_up(above, *column.values())


def _cells(layout: Layout, index: int) -> list[Cell]:
    """The cells of a line; where it can be cut otherwise, so that its arithmetic holds."""
    cells = cells_of(layout.page, index, layout.header)
    if not layout.factors or texts_multiply(_factors(layout, cells)):
        return cells
    others = other_cells_of(layout.page, index, layout.header)
    return next((other for other in others if texts_multiply(_factors(layout, other))), cells)


def _factors(layout: Layout, cells: list[Cell]) -> list[str]:
    """Quantity, price and total as they are written; the first number in each column counts."""
    numbers = {cell.column: _text(layout, cell) for cell in reversed(cells) if _is_amount(layout, cell)}
    return [numbers.get(column, "") for column in layout.factors]


def _part_texts(layout: Layout, above: Row, row: Row) -> None:
    """Take from a row the lines that belong to the next, or that nobody can tell.

    They belong to the next if its own line has no text and the row above has its text without them. If that line
    begins like the middle of a sentence, they may be of either. Of a row whose numbers stand in the middle of its
    text, as many lines stay below as it has over it.
    """
    over, own = len(above.above), _text_of(layout, row.lines[0][1])
    lines = above.lines[1 + over :]
    if (own and not own[0].islower()) or not (over or _text_of(layout, above.lines[0][1])):
        return
    if row.reason or above.reason or not all(_text_of(layout, cells) for _, cells in above.lines[1:]):
        return
    row.above, row.unclaimed = ([], len(lines)) if own else (lines, 0)
    del above.lines[1 + over :]


def _text_of(layout: Layout, cells: list[Cell]) -> str:
    return next((_text(layout, cell) for cell in cells if cell.column in layout.texts), "")


def _kind(layout: Layout, cells: list[Cell]) -> str:
    """What a line is: blank, a row, part of one, or something that only looks like a row."""
    if not cells or _is_rule(layout, cells):
        return "blank"
    if _is_partial(layout, cells):
        return "subtotal" if any(map(str.isdigit, _text(layout, cells[-1]))) else "blank"
    if _begins_row(layout, cells):
        return "row"
    filled = {cell.column for cell in cells if _fits_anchor(layout, cell)}
    alone = layout.numeric and filled >= layout.anchors and not _was_cut(layout, cells)
    own = cells[0].column == layout.first and not _was_cut(layout, cells)
    if own and _has_fault(layout, cells):
        return "faulty"
    if alone and len(cells) > 1 and not (own and layout.priced):
        return "fragment" if not layout.priced else "lone"
    return "row" if len(_numbers(layout, cells[1:])) > (0 if own else 1) else "text"


def _completes(layout: Layout, cells: list[Cell], row: Row) -> bool:
    """Whether the numbers of a line are those that the row above is short of, set lower."""
    there = {cell.column for _, above in row.lines for cell in above if _fits_anchor(layout, cell)}
    return not row.reason and cells[0].column != layout.first and not there & layout.anchors


def _is_charge(layout: Layout, cells: list[Cell]) -> bool:
    """Whether a line is only the label of a discount or charge and its amount."""
    if len(cells) != 2 or is_number(_text(layout, cells[0])) or not is_sum(_text(layout, cells[1])):
        return False
    return not _CHARGES.isdisjoint(terms_of(_SHARE.sub("", _text(layout, cells[0]))))


def _has_fault(layout: Layout, cells: list[Cell]) -> bool:
    """Whether something short stands in place of a number."""
    beside = (cell for cell in cells[1:] if cell.column in layout.numeric and cell.end - cell.start <= _LONGEST_FAULT)
    return any(not any(map(str.isdigit, _text(layout, cell))) for cell in beside)


def _is_rule(layout: Layout, cells: list[Cell]) -> bool:
    """Whether a line only parts others: dashes and the like."""
    return not any(map(str.isalnum, "".join(_text(layout, cell) for cell in cells)))


def _was_cut(layout: Layout, cells: list[Cell]) -> bool:
    """Whether a number that seems to stand alone is only the end of a text."""
    return any(after.start - before.end == 1 for before, after in pairwise(cells))


def _begins_row(layout: Layout, cells: list[Cell]) -> bool:
    """Whether the numbers that every row has stand on a line; a table without numbers has a row a line."""
    filled = {cell.column for cell in cells if _fits_anchor(layout, cell)}
    return filled >= layout.anchors and len(_numbers(layout, cells)) >= min(2, len(layout.numeric))


def _numbers(layout: Layout, cells: list[Cell]) -> set[int]:
    """The columns with numbers of the contract that a line fills, not counting the value of a label before it."""
    labelled = {after for before, after in pairwise(cells) if layout.page.text[before.end - 1] in ":="}
    amounts = (cell for cell in cells if cell.column in layout.numeric and _is_amount(layout, cell))
    return {cell.column for cell in amounts if cell not in labelled}


def _is_amount(layout: Layout, cell: Cell) -> bool:
    """Whether a number can be what the contract asks for there: a percentage only where it asks for one."""
    text = _text(layout, cell)
    return is_number(text) and ("%" not in text or layout.percent)


def _fits_anchor(layout: Layout, cell: Cell) -> bool:
    if cell.column not in layout.anchors:
        return False
    return cell.column not in layout.numeric or _is_amount(layout, cell)


def _text(layout: Layout, cell: Cell) -> str:
    return layout.page.text[cell.start : cell.end]


def _ends_table(layout: Layout, cells: list[Cell]) -> bool:
    """A line of sums, or the headings of something else."""
    return _is_other_heading(layout, cells) or _sum_term(layout, cells) in SUMS


def _goes_on(layout: Layout, index: int, stop: int) -> bool:
    """Whether a sum is that of a group, "Total phase 1": below it stands an item whose price fits its total."""
    if not layout.factors or any(terms_of(_text(layout, cell)) for cell in _cells(layout, index)):
        return False
    below = range(index + 1, min(stop, index + 1 + _MOST_QUIET))
    return any(texts_multiply(_factors(layout, cells_of(layout.page, at, layout.header))) for at in below)


def _is_other_heading(layout: Layout, cells: list[Cell]) -> bool:
    """Two or more known labels side by side, and no number."""
    texts = [_text(layout, cell) for cell in cells]
    if len(texts) < 2 or any(any(map(str.isdigit, text)) for text in texts):
        return False
    return sum(bool(terms_of(text)) for text in texts) > 1


def _is_partial(layout: Layout, cells: list[Cell]) -> bool:
    if is_partial_label(_text(layout, cells[0])):
        return not is_item(None, _factors(layout, cells))
    return _sum_term(layout, cells) in PARTIAL


def _sum_term(layout: Layout, cells: list[Cell]) -> str | None:
    """The kind of sum that a line states, if it is one: a label of sums before a number."""
    texts = [_text(layout, cell) for cell in cells]
    numbers = [is_sum(text) for text in texts]
    labels = [position for position, text in enumerate(texts) if not is_number(text)]
    is_row = _begins_row(layout, cells)
    for position in labels[:1] if is_row else labels:
        label, colon, rest = texts[position].partition(":")
        if not colon and not is_row:
            label, rest = cut_number(label)
        if not (any(numbers[position + 1 :]) or is_sum(rest.strip())):
            continue
        term = sum_term(label, whole=is_row and len(layout.numeric) > 1)
        if term:
            return None if is_item(term, _factors(layout, cells)) else term
    return None


def number_span(layout: Layout, row: Row, place: int) -> Span | None:
    """The number of a column: on the row's first line, or on one of the next where a cell is set lower.

    Failing that, what stands in its place on the first line, if it has no digit.
    """
    column = layout.places[place]
    for index, cells in row.lines:
        if index > row.first + _NEAR:
            break
        for cell in cells:
            if cell.column == column and _is_amount(layout, cell):
                return cell.start, cell.end
    faults = (cell for cell in row.lines[0][1] if cell.column == column)
    return next(((cell.start, cell.end) for cell in faults if not any(map(str.isdigit, _text(layout, cell)))), None)


def text_spans(layout: Layout, row: Row, place: int) -> list[Span]:
    """The lines of a text column: those that follow each other without a gap, up to an attribute of its own."""
    column = layout.header.columns[layout.places[place]]
    lines = [*_text_lines(layout, row, layout.places[place])]
    lines = [line for line in lines if line[0] >= row.first + column.below] if column.below else lines
    spans: list[Span] = []
    previous: int | None = None
    for index, start, end in lines:
        if previous is None and index > row.first + _NEAR + 5 * column.below:
            break
        around = previous is not None and (previous, index) == (row.first - 1, row.first + 1)
        if (
            previous is not None
            and not around
            and (index != previous + 1 or _ATTRIBUTE.match(layout.page.text, start, end))
        ):
            break
        spans.append((start, end))
        previous = index
    return spans


def _reach(layout: Layout, row: Row, column: int) -> int:
    """How far right the text of a column may go: up to the next heading, or the next cell in the row's own line."""
    if layout.header.ordinal:
        return _WIDE
    start = layout.page.line(row.first).start
    own = [cell for cell in row.lines[0][1] if cell.column >= column]
    following = layout.header.columns[column + 1 : column + 2]
    ends = [layout.page.column(start, cell.end if cell.column == column else cell.start) for cell in own[:2]]
    return max([*(heading.left for heading in following), *ends]) if following else _WIDE


def _text_lines(layout: Layout, row: Row, column: int) -> Iterator[tuple[int, int, int]]:
    """Each line's stretch in a column, from the lines above if the row's own is in the middle of the text."""
    own = [layout.page.text[cell.start] for cell in row.lines[0][1] if cell.column == column]
    goes_on = not own or (row.goes_on and own[0].islower())
    below = len(row.lines) > 1 and any(cell.column == column for cell in row.lines[1][1])
    edge, reach = None, _reach(layout, row, column)
    for index, cells in (row.above if below or goes_on else []) + row.lines:
        start = layout.page.line(index).start
        inside = [cell for cell in cells if cell.column == column or cell.start - start == edge]
        if inside and index != row.first and layout.page.column(start, inside[0].end) > reach:
            # Text that is wrapped keeps to its column; a line across the page is something else.
            if index > row.first:
                return
        elif inside:
            edge = inside[0].start - start if edge is None else edge
            yield index, inside[0].start, inside[-1].end
