"""Lines of a table that sum up its rows, or are only named so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paxman.capabilities.table_arithmetic import is_negative, texts_add_up, texts_multiply
from paxman.capabilities.table_ends import MOST_SEEN, is_other_heading
from paxman.capabilities.table_lines import Layout, Row, begins_row, cells_at, factors_of, is_dated, numbers_of, text_at
from paxman.capabilities.table_placing import cells_of, is_day
from paxman.capabilities.table_sums import (
    MOST_ADDED,
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
    is_rated,
    is_sum,
    sum_term,
    terms_of,
    without_rate,
)
from paxman.documents.figures import is_number
from paxman.documents.headings import Cell

_UNDATED = frozenset({"amount_due", "due_date", *TOTALS})
"""Sums that may have a day beside them and are no rows for that."""
PAYMENTS = frozenset({"tendered", "change"})


def is_paid_item(layout: Layout, cells: list[Cell], below: range) -> bool:
    """Whether a row is only named like a payment, "Cash": it has two numbers or a number first, or items follow."""
    numbers = [is_number(text_at(layout, cell)) for cell in cells]
    has_number = numbers[0] and len(cells) > 2
    is_row = begins_row(layout, cells) or (has_number and cells[0].column == layout.first)
    if term_of(layout, cells) not in PAYMENTS or not is_row:
        return False
    if has_number or 1 < len(numbers_of(layout, cells)) == len(cells) - 1 == sum(numbers):
        return True
    others = (each for each in (cells_at(layout, at) for at in below) if each and numbers_of(layout, each))
    return next((True for each in others if begins_row(layout, each) and not is_named(layout, each)), False)


def is_named(layout: Layout, cells: list[Cell]) -> bool:
    label = label_of(layout, cells)
    return is_rated(label) or bool(terms_of(without_rate(label))) or sum_term(label, whole=False) is not None


def ends_table(layout: Layout, cells: list[Cell], rows: Sequence[Row], term: str | None) -> bool:
    """A line of sums, which its `term` tells, or the headings of something else."""
    if term in SUMS or is_other_heading(layout, cells):
        return not _is_carried(layout, cells) and not _is_one_sided(layout, cells, rows)
    return len(layout.numeric) == 1 and begins_row(layout, cells) and sums_up(layout, cells, rows)


def _is_one_sided(layout: Layout, cells: list[Cell], rows: Sequence[Row]) -> bool:
    """Whether an account is only named like a sum, "Tax payable", where rows have either a debit or a credit.

    Only where some have the one and some the other may it be named so as a whole: "VAT".
    """
    items = [row.lines[0][1] for row in rows[-MOST_SEEN:] if not row.reason]
    found = [numbers_of(layout, each) for each in (cells, *items)]
    if len(layout.numeric) < 2 or len(found) < 2 or any(len(columns) != 1 for columns in found):
        return False
    label = label_of(layout, cells)
    term = sum_term(label, whole=False)
    return (
        term is not None
        and term not in _UNDATED
        and (len(set().union(*found[1:])) > 1 or not terms_of(without_rate(label)))
    )


def sums_up(layout: Layout, cells: list[Cell], rows: Sequence[Row]) -> bool:
    """Whether a row that begins like a sum is that of the rows above, or of those since the last sum: "Total May"."""
    label = label_of(layout, cells)
    if len(rows) > MOST_ADDED or not begins_sum(label) or is_item("total", factors_of(layout, cells)):
        return False
    last = max((at for at, row in enumerate(rows) if row.reason), default=-1)
    above = [{} if row.reason else _amounts(layout, row.lines[0][1]) for row in rows]
    groups = [[*filter(None, above[first:])] for first in (0, last + 1)]
    return not is_dated(layout, cells) and any(is_column_sum(label, _amounts(layout, cells), group) for group in groups)


def adds_columns(layout: Layout, cells: list[Cell], rows: Sequence[Row]) -> bool:
    """Whether each number of a line without text is the sum of those above it, which have texts."""
    if len(rows) > MOST_ADDED or not all(label_of(layout, row.lines[0][1]) for row in rows[-MOST_SEEN:]):
        return False
    items = [row.lines[0][1] for row in rows if not row.reason]
    above = [(filter(None, (_amount_in(layout, each, cell.column) for each in items)), cell) for cell in cells]
    return len(items) > 1 and all(texts_add_up([*amounts], text_at(layout, cell)) for amounts, cell in above)


def is_counted(layout: Layout, cells: list[Cell], rows: Sequence[Row], below: range) -> bool:
    """Whether a line named like a sum is an item, "Tax return", "Cash": a sum below has it in it, as it has the items.

    A sum has a tax in it too, but no more items stand between them.
    """
    label = label_of(layout, cells)
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
    if whole == "tax":
        return label == without_rate(label) and sum(not terms_of(each) for each in between) > 1
    if whole:
        return whole in NEVER_ADDED and not all(map(terms_of, (*(label_of(layout, each) for each in items), *between)))
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
            yield label_of(layout, cells), amount


def goes_on_below(layout: Layout, cells: list[Cell], below: range) -> bool:
    """Whether a sum is that of a group, "Total phase 1": below it stand items whose price or sum is right."""
    if any(terms_of(text_at(layout, cell)) for cell in cells):
        return False
    if not layout.factors:
        columns = [cell.column for cell in cells if is_sum(text_at(layout, cell))]
        return len(columns) == 1 and bool(_up_to_sum(layout, below, columns[0], []))
    return any(texts_multiply(factors_of(layout, cells_of(layout.page, at, layout.header))) for at in below)


def is_brought(layout: Layout, cells: list[Cell], rows: Sequence[Row]) -> bool:
    """Whether a line has only an amount, the sum of rows that have more numbers, be it called as it may."""
    items = [row for row in rows[: MOST_ADDED + 1] if not row.reason]
    if len(items) < 2 or any(len(sums_of(layout, row)) < 2 for row in items[-2:]):
        return False
    return is_running_sum(layout, cells, items)


def is_running_sum(layout: Layout, cells: list[Cell], rows: Sequence[Row]) -> bool:
    """Whether the only amount of a line is the sum of those in the rows above."""
    own = _amounts(layout, cells)
    if len(own) != 1 or len(rows) > MOST_ADDED:
        return False
    (column, total), items = *own.items(), (row.lines[0][1] for row in rows if not row.reason)
    return texts_add_up([*filter(None, (_amount_in(layout, each, column) for each in items))], total)


def is_partial(layout: Layout, cells: list[Cell], term: str | None) -> bool:
    return term in PARTIAL or _is_carried(layout, cells)


def _is_carried(layout: Layout, cells: list[Cell]) -> bool:
    """Whether a line has a sum from another page, or the balance at the beginning or the end of a time."""
    line = layout.page.text[cells[0].start : cells[-1].end]
    carried = is_dated_balance(line) or any(is_carried(text_at(layout, cell)) for cell in cells)
    return carried and not is_item(None, factors_of(layout, cells))


def term_of(layout: Layout, cells: list[Cell]) -> str | None:
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


def sums_of(layout: Layout, row: Row) -> list[Cell]:
    """The numbers on a row's first line that are no rates."""
    return [cell for cell in row.lines[0][1] if is_sum(text_at(layout, cell))]


def has_rate(layout: Layout, row: Row) -> bool:
    return any(is_rated(text_at(layout, cell)) for cell in row.lines[0][1])


def adds_up(layout: Layout, items: Sequence[Row], row: Row) -> bool:
    """Whether the amount of a row is the sum of those above it."""
    column = {cell.column: text_at(layout, cell) for cell in sums_of(layout, row)}
    above = [text_at(layout, cell) for each in items for cell in sums_of(layout, each) if cell.column in column]
    return len(column) == 1 and len(above) == len(items) and texts_add_up(above, *column.values())


def _amounts(layout: Layout, cells: list[Cell]) -> dict[int, str]:
    """The amounts of a line by columns."""
    return {cell.column: text_at(layout, cell) for cell in cells if is_sum(text_at(layout, cell))}


def _amount_in(layout: Layout, cells: list[Cell], column: int) -> str:
    texts = (text_at(layout, cell) for cell in cells if cell.column == column)
    return next(filter(is_sum, texts), "")


def label_of(layout: Layout, cells: list[Cell]) -> str:
    """The first text of a line that is no number, beside a day the one after it."""
    texts = (text for text in (text_at(layout, cell) for cell in cells) if not is_number(text))
    label = next(texts, "")
    may_be_day = label[:1].isdigit() or (cells and cells[0].column in layout.dates)
    return next(texts, label) if may_be_day and is_day(label) else label
