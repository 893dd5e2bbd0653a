"""Rows of a table without gaps that have fewer numbers than headings: which of them are empty."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from paxman.capabilities.table_arithmetic import is_negative, mark_of, texts_add_up
from paxman.capabilities.table_lines import Layout, Row, text_at
from paxman.capabilities.table_titles import Part
from paxman.lazy import lazy_pattern

_SIDES = ("debit", "credit", "balance")
# On papers of sellers and in ledgers a debit may add to the balance.
_OF_LEDGER = lazy_pattern(
    r"(?i)invoice|ledger|credit (?:card|note)|kreditkarte|rechnung|facture|factura|fattur|fatura|faktur|libro mayor"
)
_HEAD = 60_000


class _Entry(NamedTuple):
    """A row of an account: what was moved, and the balance then."""

    layout: Layout
    row: Row
    amount: str = ""
    balance: str = ""


def settle_short(parts: Sequence[Part]) -> list[Row]:
    """The short rows of which nobody can say what they leave out; balances tell debits from credits in the others.

    An amount that may be both is taken out.
    """
    if not any(part.layout.is_crammed for part in parts):
        return []
    short = [row for part in parts for row in part.items if _is_short(part.layout, row)]
    if not short or not all(_has_sides(part.layout) for part in parts):
        return short
    entries = [_entry(part.layout, row) for part in parts for row in part.rows]
    sides = _known_sides(entries)
    for entry in entries:
        if entry.amount:
            _put(entry, sides.get(entry.row.first))
    return [row for row in short if row.first not in sides]


def _is_short(layout: Layout, row: Row) -> bool:
    """Whether a row lacks numbers, and those that it has are not just the ones that every row must have."""
    if not layout.is_crammed or len(layout.page.line(row.first).chunks) > 1:
        return False
    behind = {*range(max(layout.texts) + 1, len(layout.header.columns))}
    filled = behind.intersection(cell.column for cell in row.lines[0][1])
    required = {column for place, column in layout.header.bound if layout.columns[place].required}
    return filled != behind and filled != required & behind


def _has_sides(layout: Layout) -> bool:
    """Whether all that stands behind the texts are debits, credits and balances, and no row must have one of both."""
    behind = range(max(layout.texts, default=0) + 1, len(layout.header.columns))
    roles = [layout.role_of(column) for column in behind]
    must = {layout.vocabulary.roles[place] for place in layout.places if layout.columns[place].required}
    return sorted(map(str, roles)) == sorted(_SIDES) and roles[-1] == "balance" and must.isdisjoint(_SIDES[:2])


def _entry(layout: Layout, row: Row) -> _Entry:
    """A row with its balance, and with its amount if that may be a debit or a credit."""
    last = len(layout.header.columns) - 1
    cells = [cell for cell in row.lines[0][1] if cell.column >= last - 2 and cell.column in layout.numeric]
    texts = [text_at(layout, cell) for cell in cells]
    if not cells or cells[-1].column != last:
        return _Entry(layout, row)
    is_moved = len(cells) == 2 and not row.reason and _is_short(layout, row)
    return _Entry(layout, row, texts[0] if is_moved else "", texts[-1])


def _known_sides(entries: Sequence[_Entry]) -> dict[int, str]:
    """The side on which the amount of each line stands, by balances from above or, newest first, from below."""
    if _OF_LEDGER.search(entries[0].layout.page.text, 0, _HEAD):
        return {}
    down, up = _sides(entries), _sides(entries[::-1])
    return {} if down and up else down or up


def _sides(entries: Sequence[_Entry]) -> dict[int, str]:
    """The side for each line whose balance follows from the one before it; none at all if one does not follow."""
    found = {own.row.first: _side(before.balance, own) for before, own in pairwise(entries) if own.amount}
    return found if all(found.values()) else {}


def _side(before: str, entry: _Entry) -> str:
    texts = (before, entry.amount, entry.balance)
    if not all(texts) or any(map(mark_of, texts)) or is_negative(entry.amount):
        return ""
    is_credit = texts_add_up([before, entry.amount], entry.balance)
    is_debit = texts_add_up([entry.balance, entry.amount], before)
    return "" if is_credit == is_debit else "credit" if is_credit else "debit"


def _put(entry: _Entry, side: str | None) -> None:
    """Move the amount of an entry to its side, or take it out of the row where none is known."""
    layout, (line, cells) = entry.layout, entry.row.lines[0]
    own = next(at for at, cell in enumerate(cells) if layout.role_of(cell.column) in _SIDES[:2])
    home = next((column for column in layout.numeric if layout.role_of(column) == side), None)
    moved = [cells[own]._replace(column=home)] if home is not None else []
    entry.row.lines[0] = line, [*cells[:own], *moved, *cells[own + 1 :]]
