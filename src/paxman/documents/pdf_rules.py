"""Upright lines of a PDF page, which part the cells of a table or the letters of a form; runs in the helper only."""

from __future__ import annotations

import ctypes
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from math import inf
from typing import Any

import pypdfium2.raw as raw

from paxman.documents.pdf_spacing import is_series
from paxman.documents.pdf_words import join, quick
from paxman.documents.typeset import View, Word

Rule = tuple[float, list[tuple[float, float]]]
Rules = list[Rule]
"""Where upright lines stand as the page is shown, from left to right, each with the tops and bottoms of its parts."""
_MOST_OBJECTS, _MOST_RULES = 5000, 200
"""More are those of a drawing."""
_THIN = 3.0
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
_get_type = quick(raw.FPDFPageObj_GetType, ctypes.c_int, ctypes.c_void_p)
_get_bounds = quick(raw.FPDFPageObj_GetBounds, ctypes.c_int, ctypes.c_void_p, *[ctypes.c_void_p] * 4)
_get_mode = quick(raw.FPDFPath_GetDrawMode, ctypes.c_int, *[ctypes.c_void_p] * 3)
_BOUNDS = (ctypes.c_float * 4)()
_MODE = (ctypes.c_int * 2)()
_FILLED, _DRAWN = ctypes.byref(_MODE), ctypes.byref(_MODE, 4)
_SLOTS = [ctypes.byref(_BOUNDS, 4 * side) for side in (0, 2, 1, 3)]


def part_cells(words: list[Word], page: Any, view: View) -> list[Word]:
    """Words with the left edge of the cell they stand in, if lines may part some of them."""
    if not any(not word.joined and _is_close(before, word) for before, word in pairwise(words)):
        return words
    rules = _find_rules(page, view)
    if not rules:
        return words
    parted = [word._replace(edge=_edge(word, rules)) for word in words]
    groups = groupby(parted, key=lambda word: len(word.text) == 1)
    return [word for single, group in groups for word in (_join_boxes(group, rules) if single else group)]


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
    return bisect_right(rules, x, key=lambda rule: rule[0]), word.baseline - word.height / 4


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
        own = _box_width(letter, rules)
        # A comma or a stroke may be printed between boxes.
        fits = abs(own - width) < _THIN or not letter.text.isalnum()
        if width and fits and _is_next(row[-1], letter, width):
            row.append(letter)
            continue
        yield from _read_boxes(row, width)
        row, width = [letter], own
    yield from _read_boxes(row, width)


def _box_width(word: Word, rules: Rules) -> float:
    """The width of the box around a letter if it is no higher than one line of them, and else nothing."""
    at, y = _place(word, rules)
    (left, height), (right, other) = _find_line(reversed(rules[:at]), y), _find_line(rules[at:], y)
    return right - left if max(right - left, height, other) < _LARGEST_BOX * word.height else 0.0


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


def _find_rules(page: Any, view: View) -> Rules:
    found: dict[float, list[tuple[float, float]]] = {}
    address = ctypes.cast(page.raw, ctypes.c_void_p).value
    for index in range(min(raw.FPDFPage_CountObjects(page.raw), _MOST_OBJECTS)):
        shape = _get_object(address, index)
        if _get_type(shape) == raw.FPDF_PAGEOBJ_PATH and _get_bounds(shape, *_SLOTS):
            left, top, right, bottom = view.place(_BOUNDS[:])
            for x in _uprights(shape, left, right) if bottom - top > _SHORTEST else ():
                found.setdefault(round(x, 1), []).append((top, bottom))
    return [(x, _merge(found[x])) for x in sorted(found)] if len(found) < _MOST_RULES else []


def _uprights(shape: Any, left: float, right: float) -> list[float]:
    """Where a shape has upright lines: a thin one, or a box that is drawn and not only filled, as behind some words."""
    if right - left < _THIN:
        return [(left + right) / 2]
    return [left, right] if _get_mode(shape, _FILLED, _DRAWN) and _MODE[1] else []


def _merge(parts: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The parts of a line from top to bottom, with those that touch as one."""
    merged = sorted(parts)[:1]
    for top, bottom in sorted(parts):
        if top <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(bottom, merged[-1][1])
        else:
            merged.append((top, bottom))
    return merged
