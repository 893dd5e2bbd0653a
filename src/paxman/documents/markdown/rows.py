"""Rows of bars: where their cells stand in a line, and which lines of a drawn grid are one row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import attrs

from paxman.types import Span

_BAR = re.compile(r"(?:[^|\\]|\\.|\\$)*", re.S)
_BAR_OR_CODE = re.compile(r"(?:`[^`]*`|[^|\\]|\\.|\\$)*", re.S)
_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*")
_BORDER = re.compile(r"[ \t]*\+(?:[-=:]+\+)+[ \t]*")


@attrs.define(eq=False)
class Rows:
    """A table: the places of its cells, whether the first row is its header, and where it ends in the source."""

    cells: list[list[Span]]
    is_headed: bool
    end: int


def is_row(text: str, start: int) -> bool:
    return _ROW.fullmatch(text, start) is not None


def is_border(text: str, start: int) -> bool:
    return _BORDER.fullmatch(text, start) is not None


def cells_of(text: str, start: int, columns: int = 0) -> list[Span]:
    """The places of the cells of a row; bars in code should be escaped, but often are not."""
    places = list(_cells(text, start, _BAR))
    if columns and len(places) > columns and "`" in text:
        whole = list(_cells(text, start, _BAR_OR_CODE))
        return whole if len(whole) == columns else places
    return places


def _cells(text: str, start: int, up_to_bar: re.Pattern[str]) -> Iterator[Span]:
    end = len(text.rstrip())
    start += len(text[start:]) - len(text[start:].lstrip())
    start += text[start : start + 1] == "|"
    while start <= end:
        found = up_to_bar.match(text, start, end)
        stop = found.end() if found else end
        if stop < end or start < end:
            yield start, stop
        start = stop + 1


def rows_of_grid(lines: Sequence[int], borders: Sequence[int]) -> list[list[int]]:
    """The lines of a drawn grid by the row they are part of."""
    rows: list[list[int]] = [[]]
    for line in lines:
        if line in borders:
            rows.append([])
        else:
            rows[-1].append(line)
    return [row for row in rows if row]
