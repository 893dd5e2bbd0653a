"""Rows of grids that are only named like a payment or a sum from another page: "Gift card", "Transport"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import islice
from typing import NamedTuple

from paxman.capabilities.base import SUM
from paxman.capabilities.table_arithmetic import is_negative, texts_add_up
from paxman.capabilities.table_sums import MOST_ADDED, MOST_SUMS, is_ordinary, sum_term, without_rate

_PAYMENTS = frozenset({"tendered", "change"})


class Named(NamedTuple):
    """The rows of a grid: their labels, their amounts by columns, and why they are no items."""

    labels: Sequence[str]
    amounts: Sequence[Mapping[int, str]]
    reasons: Sequence[str | None]


def items_among(rows: Named, counts: Set[int]) -> set[int]:
    """The places of rows that are items though they are named like payments; all that are named alike are.

    `counts` are the columns of quantities.
    """
    places: dict[str, list[int]] = {}
    for at, reason in enumerate(rows.reasons):
        if reason == SUM and _is_payment(rows.labels[at]):
            places.setdefault(rows.labels[at].lower(), []).append(at)
    if not places:
        return set()
    named = {at for same in places.values() for at in same}
    sums = (at for at, reason in enumerate(rows.reasons) if reason == SUM and at not in named)
    span = (next(sums, len(rows.reasons)), max((at for at in range(len(rows.reasons)) if _is_row(rows, at)), default=0))
    judged = (same for same in places.values() if all(_is_item(rows, counts, at, span) for at in same[:MOST_SUMS]))
    return {at for same in judged for at in same}


def _is_payment(label: str) -> bool:
    return is_ordinary(label) or sum_term(without_rate(label), whole=True) in _PAYMENTS


def _is_row(rows: Named, at: int) -> bool:
    return not rows.reasons[at] and bool(rows.amounts[at])


def _is_item(rows: Named, counts: Set[int], at: int, span: tuple[int, int]) -> bool:
    """Whether a row has a quantity, or all numbers of the items among which it stands, and is no sum of them."""
    first_sum, last_item = span
    own = rows.amounts[at]
    if at > first_sum or any(map(is_negative, own.values())):
        return False
    above = [rows.amounts[place] for place in islice((p for p in range(at) if _is_row(rows, p)), MOST_ADDED)]
    adds_up = [texts_add_up([row.get(column, "") for row in above], text) for column, text in own.items()]
    if len(own) > 1 and not counts.isdisjoint(own):
        return not all(adds_up)
    if any(adds_up) or not rows.amounts[last_item].keys() <= own.keys():
        return False
    return bool(above) if is_ordinary(rows.labels[at]) else at < last_item
