"""From the lines below a header to rows: where each begins, what goes on over lines, and where the table ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

import attrs

from paxman.capabilities.business_terms import label_terms
from paxman.capabilities.label_scan import Page
from paxman.capabilities.table_headings import Vocabulary, tokens_of
from paxman.capabilities.table_layout import Cell, Header, cells_of, is_number
from paxman.contract.model import CanonicalField
from paxman.types import FieldType, Span

NUMERIC = frozenset({FieldType.DECIMAL, FieldType.INTEGER, FieldType.MONEY})
_SUMS = frozenset({"total", "net", "tax", "amount_due", "tendered", "change", "rounding", "due_date"})
_TOTALS = ("line_total", "total", "net", "unit_price")
_PARTIAL = frozenset({"subtotal"})
_CARRIED = re.compile(
    r"(?:übertrag|carried (?:forward|over)|brought forward|carry ?over|report\b|à reporter|riporto|suma y sigue"
    r"|transport\b)",
    re.IGNORECASE,
)
_REASONS = {"subtotal": "a subtotal, not an item", "fragment": "no price or total beside the quantity"}
# A property of its own below a description: "Colour: red", or an article number.
_ATTRIBUTE = re.compile(r"[^\W\d_][^:]{0,30}:(?:\s|\Z)|\d{8,14}\Z")
_MOST_QUIET = 15
"""Lines without a new row after which a table is over."""
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
    def percent(self) -> bool:
        return any(role in ("tax_rate", "discount", None) for role in self.vocabulary.roles)

    @cached_property
    def places(self) -> dict[int, int]:
        return dict(self.header.bound)


def layout_of(page: Page, header: Header, vocabulary: Vocabulary, columns: Sequence[CanonicalField]) -> Layout:
    """Rows begin where a required number stands; without one, at a total, a price, or the first column."""
    bound = dict(header.bound)
    numeric = [place for place in bound if columns[place].type in NUMERIC]
    required = [place for place in numeric if columns[place].required]
    by_role = [
        p for role in ("line_total", "total", "net", "unit_price") for p in numeric if vocabulary.roles[p] == role
    ]
    chosen = required or by_role[:1] or numeric[:1]
    anchors = [bound[place] for place in chosen] or [min(bound.values())]
    return Layout(page, header, vocabulary, columns, frozenset(anchors))


def find_rows(layout: Layout, stop: int) -> list[Row]:
    """Rows between a header and the line `stop`, also those that turn out to be none."""
    rows: list[Row] = []
    loose: list[_Cells] = []
    fresh, quiet = True, 0
    for index in range(layout.header.last + 1, stop):
        cells = cells_of(layout.page, index, layout.header)
        if cells and _ends_table(layout, cells):
            break
        kind = _kind(layout, cells)
        if kind == "row" or kind in _REASONS:
            rows.append(Row(index, [(index, cells)], loose, _REASONS.get(kind, "")))
            loose, fresh, quiet = [], False, 0
            continue
        inside = cells_of(layout.page, index, layout.header, tails=False) if kind == "text" else []
        fresh = fresh or not inside
        loose = [*loose, (index, inside)] if fresh and inside else []
        if rows:
            rows[-1].lines.append((index, inside))
        quiet += 1
        if quiet > _MOST_QUIET:
            break
    return rows


def _kind(layout: Layout, cells: list[Cell]) -> str:
    """What a line is: blank, a row, part of one, or something that only looks like a row."""
    if not cells:
        return "blank"
    if _is_partial(layout, cells):
        return "subtotal" if _begins_row(layout, cells) else "blank"
    if _begins_row(layout, cells):
        return "row"
    filled = {cell.column for cell in cells if _fits_anchor(layout, cell)}
    alone = layout.numeric and filled >= layout.anchors and not _was_cut(layout, cells)
    return "fragment" if alone and len(cells) > 1 else "text"


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
    return _is_other_heading(layout, cells) or _sum_term(layout, cells) in _SUMS


def _is_other_heading(layout: Layout, cells: list[Cell]) -> bool:
    """Two or more known labels side by side, and no number."""
    texts = [_text(layout, cell) for cell in cells]
    if len(texts) < 2 or any(any(map(str.isdigit, text)) for text in texts):
        return False
    return sum(bool(_terms(text)) for text in texts) > 1


def _is_partial(layout: Layout, cells: list[Cell]) -> bool:
    return _sum_term(layout, cells) in _PARTIAL or is_partial_label(_text(layout, cells[0]))


def is_partial_label(label: str) -> bool:
    """Whether a line carries a sum over from one page to the next."""
    return _CARRIED.match(label) is not None


def _sum_term(layout: Layout, cells: list[Cell]) -> str | None:
    """The kind of sum that a line states, if it is one: a label of sums before a number."""
    texts = [_text(layout, cell) for cell in cells]
    numbers = [_is_sum(text) for text in texts]
    labels = [position for position, text in enumerate(texts) if not is_number(text)]
    is_row = _begins_row(layout, cells)
    for position in labels[:1] if is_row else labels:
        label, _, rest = texts[position].partition(":")
        if not (any(numbers[position + 1 :]) or _is_sum(rest.strip())):
            continue
        term = sum_term(label, whole=is_row and len(layout.numeric) > 1)
        if term:
            return term
    return None


def _is_sum(text: str) -> bool:
    return is_number(text) and "%" not in text


def sum_term(label: str, *, whole: bool) -> str | None:
    """The sum that a label names, as a whole or, if that is enough, by its first words."""
    terms = _terms(label) or (() if whole else _first_terms(label))
    return next((term for term in terms if term in _SUMS or term in _PARTIAL), None)


def _terms(text: str) -> tuple[str, ...]:
    """The business terms that a text may be as a whole, without what stands in brackets."""
    return label_terms().get("".join(token.key for token in tokens_of(text.partition("(")[0][:80])), ())


def _first_terms(text: str) -> tuple[str, ...]:
    """The business terms that a text begins with."""
    tokens = tokens_of(text[:80])
    for last in range(min(len(tokens), 4), 0, -1):
        terms = label_terms().get("".join(token.key for token in tokens[:last]))
        if terms:
            return terms
    return ()


def number_span(layout: Layout, row: Row, place: int) -> Span | None:
    """The number of a column: on the row's first line, or on one of the next where a cell is set lower."""
    column = layout.places[place]
    for index, cells in row.lines:
        if index > row.first + _NEAR:
            break
        for cell in cells:
            if cell.column == column and _is_amount(layout, cell):
                return cell.start, cell.end
    return None


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
        if previous is not None and (index != previous + 1 or _ATTRIBUTE.match(layout.page.text, start, end)):
            break
        spans.append((start, end))
        previous = index
    return spans


def _text_lines(layout: Layout, row: Row, column: int) -> Iterator[tuple[int, int, int]]:
    """Each line's stretch in a column, from the lines above if the row's own is in the middle of the text."""
    own = any(cell.column == column for cell in row.lines[0][1])
    below = len(row.lines) > 1 and any(cell.column == column for cell in row.lines[1][1])
    edge: int | None = None
    for index, cells in (row.above if below or not own else []) + row.lines:
        start = layout.page.line(index).start
        inside = [cell for cell in cells if cell.column == column or cell.start - start == edge]
        if inside:
            edge = inside[0].start - start if edge is None else edge
            yield index, inside[0].start, inside[-1].end
