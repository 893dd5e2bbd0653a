"""Tables that stand side by side in the rows of a sheet."""

from __future__ import annotations

from itertools import pairwise, zip_longest

from paxman.documents.tables import MAX_PREAMBLE, Row, is_data

_FEW = 20
"""Rows below headings that show what a column holds."""


def side_by_side(rows: list[Row]) -> list[list[Row]]:
    """The rows of tables that empty columns part, if some of their headings are alike; none where all is one table.

    Each of them has words in its first column.
    """
    at = next((at for at, row in enumerate(rows[:MAX_PREAMBLE]) if _repeats_name(row)), len(rows))
    if at >= len(rows) - 1:
        return []
    used = [any(texts) for texts in zip_longest(*([cell.text.strip() for cell in row] for row in rows))]
    edges = [0, *(place for place, (one, other) in enumerate(pairwise(used), 1) if one != other), len(used)]
    spans = [(start, end) for start, end in pairwise(edges) if used[start]]
    headed = all(_is_list(rows[at][start:end], rows[at + 1 : at + _FEW], start) for start, end in spans)
    if not headed or len(spans) < 2:
        return []
    parts = [[row[start:end] for row in rows if _is_filled(row[start:end])] for start, end in spans]
    names = {tuple(cell.text.strip() for cell in rows[at][start:end]) for start, end in spans}
    return parts if len(names) == 1 or len(set(map(len, parts))) > 1 else []


def _is_filled(row: Row) -> bool:
    return any(cell.text.strip() for cell in row)


def _repeats_name(row: Row) -> bool:
    """Whether columns have one name, and others none."""
    names = [cell.text for cell in row if cell.text.strip()]
    return len(set(names)) < len(names) < len(row) and not any(map(is_data, names))


def _is_list(headings: Row, below: list[Row], column: int) -> bool:
    """Whether all of several columns are named, and the first of them holds words."""
    first = [row[column].text.strip() for row in below if len(row) > column]
    named = len(headings) > 1 and all(cell.text.strip() for cell in headings)
    return named and any(first) and not any(map(is_data, first))
