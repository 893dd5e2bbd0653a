"""Rows of a table that is ruled all around on a PDF page: what stands between two level lines begins on one line."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from paxman.documents.paged.segments import Word

Rule = tuple[float, list[tuple[float, float]]]
Rules = list[Rule]
"""Where lines stand as the page is shown, in order, each with the begins and ends of its parts."""
_FEWEST_UPRIGHTS, _FEWEST_LEVELS = 3, 3
"""Lines of a table with two columns and two rows."""
_PAIR = 2
"""Cells of a row of a form: a label and its value."""
_SLACK = 2.0
_SHIFTED = 1.0
"""In points."""

_Band = tuple[float, float, tuple[float, ...]]
"""Top and bottom of what stands between two level lines, and the upright lines in it."""
_Line = list[int]
"""The numbers of words that stand side by side."""


def align_rows(words: list[Word], uprights: Rules, levels: Rules) -> list[Word]:
    """Words, with the texts of all cells of a row moved to where the longest of them begins."""
    if len(uprights) < _FEWEST_UPRIGHTS or len(levels) < _FEWEST_LEVELS:
        return words
    bands = _bands(uprights, levels)
    moved = list(words) if bands else words
    for cells in _cells(words, bands):
        longest, *others = sorted(cells, key=len, reverse=True)
        if len(longest) == 1 or not (_is_row(words, others) or len(cells) == _PAIR):
            continue
        for lines in others:
            shift = _baseline(words, longest[0]) - _baseline(words, lines[0])
            labelled = len(longest) == len(others[0]) == 2 and _is_beside(words, lines[0], longest)
            if abs(shift) > _SHIFTED and not labelled:
                for at in (at for line in lines for at in line):
                    moved[at] = words[at]._replace(baseline=words[at].baseline + shift)
    return moved


def _is_beside(words: list[Word], line: _Line, lines: list[_Line]) -> bool:
    """Whether a line stands beside one of others, as a value without a label does among labels over their values."""
    return any(abs(_baseline(words, other) - _baseline(words, line)) <= _SHIFTED for other in lines)


def _baseline(words: list[Word], line: _Line) -> float:
    return words[line[0]].baseline


def _bands(uprights: Rules, levels: Rules) -> list[_Band]:
    """What stands between level lines if upright lines part it into cells, and others at the same places."""
    found = []
    for (top, upper), (bottom, lower) in pairwise(levels):
        y = (top + bottom) / 2
        places = tuple(x for x, parts in uprights if any(begin <= y <= end for begin, end in parts))
        if len(places) >= _FEWEST_UPRIGHTS and all(_covers(parts, places) for parts in (upper, lower)):
            found.append((top, bottom, places))
    alike = Counter(tuple(map(round, places)) for _, _, places in found)
    return [band for band in found if alike[tuple(map(round, band[2]))] > 1]


def _covers(parts: list[tuple[float, float]], places: tuple[float, ...]) -> bool:
    return any(begin <= places[0] + _SLACK and places[-1] <= end + _SLACK for begin, end in parts)


def _cells(words: list[Word], bands: list[_Band]) -> Iterator[list[list[_Line]]]:
    """For each band with words the lines of each of its cells, from the top."""
    tops = [top for top, _, _ in bands]
    rows: dict[int, dict[int, list[int]]] = {}
    for number, word in enumerate(words):
        y, x = word.baseline - word.height / 4, (word.x0 + word.x1) / 2
        at = bisect_right(tops, y) - 1
        if at >= 0 and y < bands[at][1]:
            rows.setdefault(at, {}).setdefault(bisect_right(bands[at][2], x), []).append(number)
    for at, row in rows.items():
        inside = [_lines(words, cell) for column, cell in row.items() if 0 < column < len(bands[at][2])]
        if inside:
            yield inside


def _lines(words: list[Word], cell: list[int]) -> list[_Line]:
    lines: list[_Line] = []
    for at in sorted(cell, key=lambda at: words[at].baseline):
        if lines and words[at].baseline - words[lines[-1][0]].baseline < words[at].height / 2:
            lines[-1].append(at)
        else:
            lines.append([at])
    return lines


def _is_row(words: list[Word], cells: list[list[_Line]]) -> bool:
    """Whether cells are those of one row: some have a figure, as headings have none, and no column of figures."""
    figures = [[any(map(str.isdigit, "".join(words[at].text for at in line))) for line in lines] for lines in cells]
    return any(map(any, figures)) and not any(len(own) > 1 and all(own) for own in figures)
