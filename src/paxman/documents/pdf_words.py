"""The words of a PDF page from pdfium's characters; runs in the helper process only."""

from __future__ import annotations

import ctypes
import math
import re
import struct
from array import array
from itertools import pairwise
from operator import ge, sub
from statistics import median_low
from typing import Any

import pypdfium2.raw as raw

from paxman.documents.typeset import View, Word, is_right_to_left

Way = tuple[int, bool]
"""Direction of writing as shown, in quarter turns with the clock (1 is down), and whether it is slanted."""
Groups = dict[Way, list[Word]]
Box = tuple[float, float, float, float]
"""Left, right, bottom and top in the page's own plane."""
_QUARTER = math.pi / 2
_SLANTED = math.radians(10)
_NO_CHARACTER = re.compile("[\0\ud800-\udfff\uffff\U0010ffff]")
_UNSURE = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\ufffe]")
_HYPHEN = "\x02"
"""The hyphen at the end of a line, where pdfium writes no break."""
_WORD = re.compile(r"[^\s\x02]+\x02?|\x02")
_NO_INK = 0.1
_NO_GAP = 0.08
_OVERLAP = 0.3
_WORD_GAP = 0.1
"""Of letters and of words, as shares of their height."""
_CELL_GAP = 0.15
"""Between the ink of two letters that may be of two words."""


def words_of(text: Any, view: View) -> Groups:
    """Words by direction of writing, in the order of the file."""
    letters = _letters(text)
    measure = _Measure(text, letters, view)
    groups: Groups = {}
    for run in _WORD.finditer(letters):
        begin, end = run.span()
        for way, word in measure.words(begin, end, letters):
            group = groups.setdefault(way, [])
            before = group[-1] if group else None
            if before and letters[begin - 1] == "\n" and _goes_on(before, word):
                group[-1] = _join(before, word)
            elif before and word.height < 0.9 * before.height and _is_raised(before, word):
                group.append(word._replace(baseline=before.baseline))
            else:
                group.append(word)
    if is_right_to_left(letters) and (0, False) in groups:
        groups[0, False] = list(map(_in_order, groups[0, False]))
    return groups


# Figures and Latin letters, which stand from left to right in any word.
_LEVEL = re.compile(
    r"[0-9A-Za-z\u0660-\u0669\u06f0-\u06f9]+(?:[.,:/\u066b\u066c-][0-9A-Za-z\u0660-\u0669\u06f0-\u06f9]+)*"
)
_JUMP = 0.6


def _in_order(word: Word) -> Word:
    """A word with its letters as they stand: near those from right to left, pdfium takes some for turned."""
    text, corners = word.text, word.corners
    middles = [(left + right) / 2 for left, right in zip(corners[0::4], corners[1::4], strict=True)]
    turned = is_right_to_left(text)
    places = sorted(range(len(text)), key=lambda index: -middles[index] if turned else middles[index])
    for level in _LEVEL.finditer("".join(text[place] for place in places)) if turned else ():
        places[slice(*level.span())] = places[slice(*level.span())][::-1]
    moved = [abs(middles[place] - middle) for place, middle in zip(places, middles, strict=True)]
    # Marks above and below letters, and the parts of a ligature, are not beside each other.
    if max(moved) < _JUMP * word.height:
        return word
    sorted_corners = array("f", (number for place in places for number in corners[4 * place : 4 * place + 4]))
    return word._replace(text="".join(text[place] for place in places), corners=sorted_corners)


def _goes_on(before: Word, word: Word) -> bool:
    """Whether a word is the rest of the one before: pdfium breaks the line also between letters set very close."""
    return abs(word.baseline - before.baseline) < 0.05 * word.height and _touches(before, word)


def _is_raised(before: Word, word: Word) -> bool:
    """Whether small letters stand at the upper or lower end of a word, and so in its line."""
    return abs(word.baseline - before.baseline) < 0.6 * word.height and _touches(before, word)


def _touches(before: Word, word: Word) -> bool:
    left, right = (word, before) if is_right_to_left(before.text) else (before, word)
    return -_OVERLAP < (right.x0 - left.x1) / word.height < _NO_GAP


def _join(before: Word, word: Word) -> Word:
    text, corners = before.text + word.text, before.corners + word.corners
    x0, x1 = min(before.x0, word.x0), max(before.x1, word.x1)
    return before._replace(text=text, x0=x0, x1=x1, corners=corners)


def _letters(text: Any) -> str:
    """One character for each of pdfium's."""
    count = raw.FPDFText_CountChars(text)
    buffer = (ctypes.c_ushort * (count + 1))()
    if raw.FPDFText_GetText(text, 0, count, buffer) == count + 1:
        letters = bytes(buffer)[: 2 * count].decode("utf-16-le", "surrogatepass")
    else:
        # Characters without a code are missing from that text, and rare ones take two places in it.
        letters = "".join(chr(min(raw.FPDFText_GetUnicode(text, index), 0x10FFFF)) for index in range(count))
    letters = _UNSURE.sub(lambda found: _sign(text, found.start()), letters.replace("\xad", "-"))
    return _NO_CHARACTER.sub("\ufffd", letters)


def _sign(text: Any, index: int) -> str:
    """What a character without a code is: the hyphen at the end of a line, a letter nobody can name, or a space."""
    if raw.FPDFText_IsHyphen(text, index) == 1:
        return _HYPHEN
    _ask_box(ctypes.cast(text, ctypes.c_void_p), index, *_SLOTS[0])
    left, right, bottom, top = _NUMBERS[:4]
    return "\ufffd" if min(right - left, top - bottom) > _NO_INK else " "


def _quick(function: Any, result: Any = ctypes.c_int) -> Any:
    """A function of pdfium that is called as is: checking arguments would triple the price of a call per character."""
    return ctypes.PYFUNCTYPE(result)(ctypes.cast(function, ctypes.c_void_p).value or 0)


_ask_box = _quick(raw.FPDFText_GetCharBox)
_ask_loose_box = _quick(raw.FPDFText_GetLooseCharBox)
_ask_origin = _quick(raw.FPDFText_GetCharOrigin)
_ask_generated = _quick(raw.FPDFText_IsGenerated)
_ask_angle = _quick(raw.FPDFText_GetCharAngle, ctypes.c_float)


# One buffer for all calls, with the addresses of its numbers made once.
_CHUNK = 1024
_NUMBERS = (ctypes.c_double * (4 * _CHUNK))()
_SLOTS = [tuple(ctypes.byref(_NUMBERS, 32 * place + 8 * side) for side in range(4)) for place in range(_CHUNK)]
_LOOSE = bytearray(16)
_LOOSE_SLOT = ctypes.byref((ctypes.c_float * 4).from_buffer(_LOOSE))
_unpack_box = struct.Struct("4f").unpack


class _Measure:
    """Measures of the characters of a page, in the page's own coordinates."""

    def __init__(self, text: Any, letters: str, view: View) -> None:
        self._text = ctypes.cast(text, ctypes.c_void_p)
        self._view = view
        self.corners = self._corners(letters)
        self._free = list(map(sub, self.corners[4::4], self.corners[1::4]))
        self._band: tuple[float, ...] = ()
        self._point = (0.0, 0.0)
        self._way: Way = (0, False)
        self._height = 1.0

    def _is_joined(self, begin: int, letters: str) -> bool:
        """Whether the file itself has one space before a word, and not pdfium, which adds some between columns."""
        if begin < 2 or letters[begin - 1] == _HYPHEN or letters[begin - 2].isspace():
            return False
        return not _ask_generated(self._text, begin - 1)

    def _corners(self, letters: str) -> array[float]:
        """Left, right, bottom and top of the ink of every character, in turn."""
        text, ask, found = self._text, _ask_box, array("d")
        for start in range(0, len(letters), _CHUNK):
            slots = _SLOTS[: len(letters) - start]
            for index, (left, right, bottom, top) in enumerate(slots, start):
                ask(text, index, left, right, bottom, top)
            found.frombytes(bytes(_NUMBERS)[: 32 * len(slots)])
        corners = array("f", found)
        for index, empty in enumerate(map(ge, corners[0::4], corners[1::4])):
            if empty and not letters[index].isspace():
                corners[4 * index : 4 * index + 4] = array("f", self._loose_box(index))
        return corners

    def _loose_box(self, index: int) -> Box:
        """The box that the font reserves for a character, side bearings included."""
        _ask_loose_box(self._text, index, _LOOSE_SLOT)
        left, top, right, bottom = _unpack_box(_LOOSE)
        return left, right, bottom, top

    def words(self, begin: int, end: int, letters: str) -> list[tuple[Way, Word]]:
        """The word in a run of characters, or several: pdfium joins some that are drawn far apart."""
        first, last = self._loose_box(begin), self._loose_box(end - 1)
        joined = self._is_joined(begin, letters)
        height, length = first[3] - first[2], end - begin
        reach = 2 + 1.5 * max(height, first[1] - first[0])
        cuts: list[int] = []
        if abs(last[0] - first[0]) > reach * length or abs(last[3] - first[3]) > reach * length:
            cuts = [index for index in range(begin + 1, end) if self._gap(index) > reach]
        elif length > 2 and max(self._free[begin : end - 1]) > _CELL_GAP * height:
            cuts = self._cell_edges(begin, end, _WORD_GAP * height)
        if first[3] != last[3] and not cuts:
            cuts = self._raised(begin, end, letters)
        if not cuts:
            return [self._word(begin, end, letters, first, last, joined)]
        return [
            self._word(
                start, stop, letters, self._loose_box(start), self._loose_box(stop - 1), joined and start == begin
            )
            for start, stop in pairwise([begin, *cuts, end])
        ]

    def _raised(self, begin: int, end: int, letters: str) -> list[int]:
        """Where a number is followed by smaller figures above or below its line, which are none of its digits."""
        if abs(_ask_angle(self._text, begin)) > _SLANTED:
            return []
        pairs = (index for index in range(begin + 1, end) if letters[index - 1 : index + 1].isdecimal())
        boxes = ((index, self._loose_box(index - 1), self._loose_box(index)) for index in pairs)
        return [index for index, left, right in boxes if _differ(left, right)]

    def _cell_edges(self, begin: int, end: int, gap: float) -> list[int]:
        """Where cells that nearly touch meet in a run of characters."""
        wide = (index for index in range(begin, end - 1) if self._free[index] > gap)
        if all(self._loose_box(index + 1)[0] - self._loose_box(index)[1] <= gap for index in wide):
            return []
        boxes = [self._loose_box(index) for index in range(begin, end)]
        spaces = [right[0] - left[1] for left, right in pairwise(boxes)]
        # The letters of a heading may be spaced, all alike, and those of a ligature have no more than their ink.
        widest = max(median_low(spaces), 0.0) + _WORD_GAP * max(box[3] - box[2] for box in boxes)
        return [index for index, space in enumerate(spaces, begin + 1) if space > widest]

    def _gap(self, index: int) -> float:
        """The free space between a character and the one before it."""
        left, right, bottom, top, left2, right2, bottom2, top2 = self.corners[4 * index - 4 : 4 * index + 4]
        return max(left2 - right, left - right2, bottom2 - top, bottom - top2)

    def _word(self, begin: int, end: int, letters: str, first: Box, last: Box, joined: bool) -> tuple[Way, Word]:
        """A word turned upright, and its direction of writing."""
        if not joined or first[2:] != self._band:
            self._find_line(begin, first)
        x0, x1, baseline = self._view.upright(self._way[0], first, last, *self._point)
        corners = self.corners[4 * begin : 4 * end]
        word = letters[begin:end] if letters[end - 1] != _HYPHEN else f"{letters[begin : end - 1]}-"
        return self._way, Word(word, x0, x1, baseline, self._height, corners, joined)

    def _find_line(self, index: int, box: Box) -> None:
        """Direction, baseline and height of the letters from a character on; words that the file joins share them."""
        angle = _ask_angle(self._text, index)
        quarter = round(angle / _QUARTER)
        _ask_origin(self._text, index, *_SLOTS[0][:2])
        self._point = (_NUMBERS[0], _NUMBERS[1])
        self._way = ((quarter + self._view.turns) % 4, abs(angle - quarter * _QUARTER) > _SLANTED)
        self._height = max(box[1] - box[0] if quarter % 2 else box[3] - box[2], 1.0)
        self._band = box[2:] if quarter % 2 == 0 else ()


def _differ(left: Box, right: Box) -> bool:
    """Whether two letters differ in size and in line."""
    small, large = sorted((left[3] - left[2], right[3] - right[2]))
    middles = (left[2] + left[3]) / 2, (right[2] + right[3]) / 2
    return small < 0.9 * large and abs(middles[0] - middles[1]) > 0.1 * large
