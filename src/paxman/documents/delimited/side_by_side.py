"""Tables, or labels with values, that stand side by side in the rows of a sheet."""

from __future__ import annotations

import re
from itertools import pairwise, zip_longest

import attrs

from paxman.documents.delimited.tables import MAX_PREAMBLE, Changes, Row, is_data, make_table
from paxman.documents.document import Table
from paxman.types import Span

_FEW = 20
"""Rows below headings that show what a column holds."""
_CODE = re.compile(r"[^\s\d]{0,12}\d\S{0,40}")
_AMOUNT = re.compile(r"[^\d\s]{0,4} ?-?\d[\d.,' ]*(?: ?[^\d\s]{1,4})?")
# What a label of a code ends with.
_NUMBER = re.compile(r"(?:number|nummer|num[eé]ro|n[uú]mero|\b(?:no|nr|id|code))[.:]?\Z", re.I)


def side_by_side(rows: list[Row]) -> list[list[Row]]:
    """The rows of tables that empty columns part; none where all is one table.

    Some of their headings are alike, and each has words in its first column; or one is of labels with their values.
    """
    if parts := _beside_pairs(rows):
        return parts
    at = next((at for at, row in enumerate(rows[:MAX_PREAMBLE]) if _repeats_name(row)), len(rows))
    if at >= len(rows) - 1:
        return []
    spans = _used_columns(rows)
    headed = all(_is_list(rows[at][start:end], rows[at + 1 : at + _FEW], start) for start, end in spans)
    if not headed or len(spans) < 2:
        return []
    parts = _cut(rows, spans)
    names = {tuple(cell.text.strip() for cell in rows[at][start:end]) for start, end in spans}
    return parts if len(names) == 1 or len(set(map(len, parts))) > 1 else []


def make_tables(rows: list[Row], text: str, changes: Changes | None = None) -> list[Table]:
    """The tables of rows; a lone column beside others has a heading, too."""
    parts = side_by_side(rows)
    return [_headed(make_table(part, text, changes)) for part in parts] or [make_table(rows, text, changes)]


def _headed(table: Table) -> Table:
    lone = not table.header and max(map(len, table.rows)) == 1 < len(table.rows) and not is_data(table.rows[0][0].text)
    return attrs.evolve(table, header=table.rows[0], rows=table.rows[1:]) if lone else table


def _used_columns(rows: list[Row]) -> list[Span]:
    """First and last-plus-one of columns that stand together."""
    used = [any(texts) for texts in zip_longest(*([cell.text.strip() for cell in row] for row in rows))]
    edges = [0, *(place for place, (one, other) in enumerate(pairwise(used), 1) if one != other), len(used)]
    return [(start, end) for start, end in pairwise(edges) if used[start]]


def _cut(rows: list[Row], spans: list[Span]) -> list[list[Row]]:
    return [
        [row[start:end] for row in rows if any(cell.text.strip() for cell in row[start:end])] for start, end in spans
    ]


def _beside_pairs(rows: list[Row]) -> list[list[Row]]:
    """The parts of rows where one is of labels with values from its first row on, and no other starts with a figure."""
    if len(rows) > MAX_PREAMBLE or not any(_is_figure(cell.text.strip()) for cell in rows[0]):
        return []
    parts = _cut(rows, _used_columns(rows))
    others = [part for part in parts if not _are_pairs(part)]
    plain = not any(char.isdigit() for part in others for cell in part[0] for char in cell.text)
    return parts if len(others) < len(parts) > 1 and plain else []


def _are_pairs(rows: list[Row]) -> bool:
    """Whether two columns are labels and values: a code over amounts or over dates may be a heading, as Q1 is."""
    if len(rows) < 2 or any(len(row) != 2 or not row[0].text.strip() for row in rows):
        return False
    labels, (first, *others) = ([row[place].text.strip() for row in rows] for place in (0, 1))
    if any(char.isdigit() for label in labels for char in label) or not _is_figure(first):
        return False
    if is_data(first) or _NUMBER.search(labels[0]):
        return True
    alike = all(map(_AMOUNT.fullmatch, others)) or (len(others) > 1 and all(map(is_data, others)))
    return any(map(_is_figure, others)) and not alike


def _is_figure(text: str) -> bool:
    """Whether a text is a number, a date, an amount or a code with digits."""
    return bool(_CODE.fullmatch(text) or _AMOUNT.fullmatch(text))


def _repeats_name(row: Row) -> bool:
    """Whether columns have one name, and others none."""
    names = [cell.text for cell in row if cell.text.strip()]
    return len(set(names)) < len(names) < len(row) and not any(map(is_data, names))


def _is_list(headings: Row, below: list[Row], column: int) -> bool:
    """Whether all of several columns are named, and the first of them holds words."""
    first = [row[column].text.strip() for row in below if len(row) > column]
    named = len(headings) > 1 and all(cell.text.strip() for cell in headings)
    return named and any(first) and not any(map(is_data, first))
