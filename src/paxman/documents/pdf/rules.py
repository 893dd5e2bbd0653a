"""Lines of a PDF page, which part the cells of a table or the letters of a form; runs in the helper only."""

from __future__ import annotations

import ctypes
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import compress, groupby, pairwise, repeat
from math import inf
from operator import itemgetter
from typing import Any

import pypdfium2.raw as raw

from paxman.documents.paged.segments import Word
from paxman.documents.paged.typeset import View
from paxman.documents.pdf.spacing import is_series
from paxman.documents.pdf.words import find_ink, join, quick

_MOST_OBJECTS, _MOST_RULES = 5000, 200
"""More are those of a drawing."""
_THIN = 3.0
_TOUCHING = 0.3
"""How far, in points, a line may reach into the ink of a letter beside it."""
_SHORTEST = 5.0
"""In points; lines of a table are as high as its letters."""
_NARROW = 0.6
"""A gap between words, as a share of their height, that parts no columns by itself."""
_LARGEST_BOX = 2.0
"""Height and width of the box of one letter in a form, as a share of the letter's height."""
_NEXT, _AFTER_EMPTY = 1.6, 3.2
"""How far the next box, or the one after an empty one, begins behind a box, as a share of its width."""
_FEW_BOXES = 3
_LONGEST_SCALE = 7
"""Figures in boxes of which one is to be marked."""


_get_object = quick(raw.FPDFPage_GetObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
_get_text = quick(raw.FPDFText_GetTextObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
_get_type = quick(raw.FPDFPageObj_GetType, ctypes.c_int, ctypes.c_void_p)
_get_bounds = quick(raw.FPDFPageObj_GetBounds, ctypes.c_int, ctypes.c_void_p, *[ctypes.c_void_p] * 4)
_get_mode = quick(raw.FPDFPath_GetDrawMode, ctypes.c_int, *[ctypes.c_void_p] * 3)
_BOUNDS = (ctypes.c_float * 4)()
_MODE = (ctypes.c_int * 2)()
_FILLED, _DRAWN = ctypes.byref(_MODE), ctypes.byref(_MODE, 4)
_SLOTS = [ctypes.byref(_BOUNDS, 4 * side) for side in (0, 2, 1, 3)]


def part_cells(words: list[Word], page: Any, text: Any, view: View) -> list[Word]:
    """Words cut by the lines between cells, and with the left edge of their cell, if lines may part some of them.

    In a table those of one row begin at one height.
    """
    rules, levels = _find_rules(page, view)
    if not rules:
        return words
    # Words, cut where a line stands between letters that the file writes apart.
    places, texts = [x for x, _ in rules], _Texts(text.raw)

    def is_crossed(left: float, right: float) -> bool:
        return bisect_right(places, left) < bisect_right(places, right)

    cut = [part for word in words for part in (_cut(word, rules, texts, view) if is_crossed(*word[1:3]) else (word,))]
    lines = (
        _unjoin(line, rules, texts) if len(line) > 1 and is_crossed(line[0].x0, line[-1].x1) else line
        for line in _joined(cut)
    )
    words = align_rows([word for line in lines for word in line], rules, levels)
    if not any(not word.joined and _is_close(before, word) for before, word in pairwise(words)):
        return words
    parted = [word._replace(edge=_edge(word, rules)) for word in words]
    groups = groupby(parted, key=lambda word: len(word.text) == 1)
    return [word for single, group in groups for word in (_join_boxes(group, rules) if single else group)]


class _Texts:
    """The pieces of text that a file writes at once, which some do for each letter."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._address = ctypes.cast(page, ctypes.c_void_p).value

    @cached_property
    def _indexes(self) -> dict[tuple[float, ...], int]:
        return find_ink(self._page)

    def begins(self, letters: Iterable[Sequence[float]]) -> list[int]:
        """Where among letters, given by their ink, another piece begins."""
        pieces = list(map(self._piece, letters))
        return [at for at, (one, other) in enumerate(pairwise(pieces), 1) if one != other]

    def _piece(self, ink: Sequence[float]) -> int | None:
        found: int | None = _get_text(self._address, self._indexes.get(tuple(ink), -1))
        return found


def _cut(word: Word, rules: Rules, texts: _Texts, view: View) -> list[Word]:
    """The parts of a word on both sides of a line, if the file writes them apart: pdfium joins what nearly touches."""
    lines = _lines_between(word.x0, word.x1, word, rules)
    if not lines:
        return [word]
    letters = [word.corners[at : at + 4] for at in range(0, len(word.corners), 4)]
    boxes = list(map(view.place, letters))
    passed = [bisect_right(lines, left[2] - _TOUCHING) for left in boxes]
    cuts = {
        at for at, line in enumerate(passed[:-1], 1) if line < len(lines) and lines[line] < boxes[at][0] + _TOUCHING
    }
    begins = texts.begins(letters) if cuts else []
    if not begins or not cuts.issuperset(begins):
        return [word]
    return [_part(word, begin, end, boxes) for begin, end in pairwise([0, *begins, len(boxes)])]


def _joined(words: list[Word]) -> Iterator[list[Word]]:
    """Words with those that the file joins with them."""
    line: list[Word] = []
    for word in words:
        if line and not word.joined:
            yield line
            line = []
        line.append(word)
    yield line


def _unjoin(line: list[Word], rules: Rules, texts: _Texts) -> list[Word]:
    """Words that only the space at the end of a cell joins with those of the next, across a line."""
    cuts = {
        2 * at
        for at, (before, word) in enumerate(pairwise(line), 1)
        if _lines_between(before.x1 - _TOUCHING, word.x0 + _TOUCHING, word, rules)
    }
    begins = texts.begins(side for word in line for side in (word.corners[:4], word.corners[-4:])) if cuts else []
    if not begins or not cuts.issuperset(begins):
        return line
    return [word._replace(joined=word.joined and 2 * at not in begins) for at, word in enumerate(line)]


def _lines_between(left: float, right: float, word: Word, rules: Rules) -> list[float]:
    """Lines between two places, at the height of a word."""
    y = word.baseline - word.height / 4
    first, last = (bisect_right(rules, place, key=itemgetter(0)) for place in (left, right))
    return [x for x, parts in rules[first:last] if any(top <= y <= bottom for top, bottom in parts)]


def _part(word: Word, begin: int, end: int, boxes: list[tuple[float, float, float, float]]) -> Word:
    x0 = boxes[begin][0] if begin else word.x0
    x1 = boxes[end - 1][2] if end < len(boxes) else word.x1
    corners = word.corners[4 * begin : 4 * end]
    return word._replace(text=word.text[begin:end], x0=x0, x1=x1, corners=corners, joined=word.joined and not begin)


def _is_close(before: Word, word: Word) -> bool:
    gap = _LARGEST_BOX if len(before.text) == len(word.text) == 1 else _NARROW
    return abs(word.baseline - before.baseline) < 1 and -_NARROW < (word.x0 - before.x1) / word.height < gap


def _edge(word: Word, rules: Rules) -> float:
    """Where the nearest line stands to the left of a word's middle."""
    at, y = _place(word, rules)
    return _find_line(reversed(rules[:at]), y)[0]


def _place(word: Word, rules: Rules) -> tuple[int, float]:
    """How many lines are to the left of a word's middle, and where that is from top to bottom."""
    x = (word.x0 + word.x1) / 2
    return bisect_right(rules, x, key=itemgetter(0)), word.baseline - word.height / 4


def _find_line(rules: Iterable[Rule], y: float) -> tuple[float, float]:
    """Place and length of the first line that passes a height."""
    for x, parts in rules:
        for top, bottom in parts:
            if top <= y <= bottom:
                return x, bottom - top
    return -inf, inf


def _join_boxes(letters: Iterable[Word], rules: Rules) -> Iterator[Word]:
    """Words with the letters of a form, in equal boxes side by side, as one."""
    row, width = list[Word](), 0.0
    for letter in letters:
        # The width of the box around a letter if it is no higher than one line of them, and else nothing.
        at, y = _place(letter, rules)
        (left, height), (right, other) = _find_line(reversed(rules[:at]), y), _find_line(rules[at:], y)
        own = right - left if max(right - left, height, other) < _LARGEST_BOX * letter.height else 0.0
        # A comma or a stroke may be printed between boxes.
        fits = abs(own - width) < _THIN or not letter.text.isalnum()
        if width and fits and _is_next(row[-1], letter, width):
            row.append(letter)
            continue
        yield from _read_boxes(row, width)
        row, width = [letter], own
    yield from _read_boxes(row, width)


def _is_next(before: Word, word: Word, width: float) -> bool:
    return abs(word.baseline - before.baseline) < 1 and 0 < word.edge - before.edge < _AFTER_EMPTY * width


def _read_boxes(row: list[Word], width: float) -> list[Word]:
    """The letters of boxes side by side as a word, with a space for an empty box; a few, or a scale, are no columns."""
    text = "".join(word.text for word in row)
    is_scale = _FEW_BOXES <= len(row) <= _LONGEST_SCALE and is_series(text)
    if is_scale or (len(row) < _FEW_BOXES and not text.isdecimal()):
        return row[:1] + [word._replace(edge=-inf) for word in row[1:]]
    whole = row[0]
    for before, word in pairwise(row):
        whole = join(whole, word, "" if word.edge - before.edge < _NEXT * width else " ")
    return [whole]


def _find_rules(page: Any, view: View) -> tuple[Rules, Rules]:
    """The upright lines of a page, and the level ones."""
    uprights, levels = dict[float, list[tuple[float, float]]](), dict[float, list[tuple[float, float]]]()
    # The shapes among the first objects of a page.
    address, count = ctypes.cast(page.raw, ctypes.c_void_p).value, raw.FPDFPage_CountObjects(page.raw)
    shapes = list(map(_get_object, repeat(address), range(min(count, _MOST_OBJECTS))))
    for shape in compress(shapes, map(raw.FPDF_PAGEOBJ_PATH.__eq__, map(_get_type, shapes))):
        if _get_bounds(shape, *_SLOTS):
            left, top, right, bottom = view.place(_BOUNDS[:])
            for x in _sides(shape, left, right) if bottom - top > _SHORTEST else ():
                uprights.setdefault(round(x, 1), []).append((top, bottom))
            for y in _sides(shape, top, bottom) if right - left > _SHORTEST else ():
                levels.setdefault(round(y, 1), []).append((left, right))
    return _in_order(uprights), _in_order(levels)


def _in_order(found: dict[float, list[tuple[float, float]]]) -> Rules:
    return [(place, _merge(found[place])) for place in sorted(found)] if len(found) < _MOST_RULES else []


def _sides(shape: Any, low: float, high: float) -> list[float]:
    """Where a shape has lines: a thin one, or a box that is drawn and not only filled, as behind some words."""
    if high - low < _THIN:
        return [(low + high) / 2]
    return [low, high] if _get_mode(shape, _FILLED, _DRAWN) and _MODE[1] else []


def _merge(parts: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The parts of a line from top to bottom, with those that touch as one."""
    merged = sorted(parts)[:1]
    for top, bottom in sorted(parts):
        if top <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(bottom, merged[-1][1])
        else:
            merged.append((top, bottom))
    return merged


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
    # What stands between level lines if upright lines part it into cells, and others at the same places.
    found = []
    for (top, upper), (bottom, lower) in pairwise(levels):
        y = (top + bottom) / 2
        places = tuple(x for x, parts in uprights if any(begin <= y <= end for begin, end in parts))
        if len(places) >= _FEWEST_UPRIGHTS and all(_covers(parts, places) for parts in (upper, lower)):
            found.append((top, bottom, places))
    alike = Counter(tuple(map(round, places)) for _, _, places in found)
    bands = [band for band in found if alike[tuple(map(round, band[2]))] > 1]
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
