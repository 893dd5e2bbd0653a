"""The words of a PDF page from pdfium's characters; runs in the helper process only."""

from __future__ import annotations

import ctypes
import math
import re
import struct
from array import array
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import compress, count, pairwise, repeat
from operator import ge, sub
from statistics import median_low
from typing import Any

import pypdfium2.raw as raw

from paxman.documents.paged.segments import Word
from paxman.documents.paged.typeset import View, is_right_to_left
from paxman.documents.pdf.spacing import Box, find_grouped, find_spaced
from paxman.documents.superscripts import REACH, is_mark, write_raised

Way = tuple[int, bool]
"""Direction of writing as shown, in quarter turns with the clock (1 is down), and whether it is slanted."""
Groups = dict[Way, list[Word]]
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
_SPACE_WIDTH = 0.35
"""Of letters and of words, as shares of their height."""
_SMALL = 0.9
_SLIGHT, _HIGHEST = 0.15, 0.6
"""How much smaller raised letters are, and how far above the line, as shares of the height of others."""
_STROKES = ("/", "\u2044")
_TINY = 0.65
_FIGURES = "0-9()+\u2212$€£¥-"
_FIGURE = re.compile(f"[{_FIGURES}]")
_BESIDE_FIGURE = re.compile(rf"[{_FIGURES}](?=\S)|\S(?=[{_FIGURES}])")
_CELL_GAP = 0.15
"""Between the ink of two letters that may be of two words."""


def words_of(text: Any, view: View) -> Groups:
    """Words by direction of writing, in the order of the file."""
    letters = _letters(text)
    groups: Groups = {}
    measure = _Measure(text, letters, view)
    turned = is_right_to_left(letters)
    parts = find_grouped(letters) if turned else find_spaced(letters, measure.loose_boxes)
    known, group, steps = None, list[Word](), measure.steps
    for begin, word, way in measure.words():
        if way is not known:
            known, group = way, groups.setdefault(way, [])
        part = parts.get(begin) if parts else None
        if part and len(word.text) == 1:
            word = _with_room(word, part.space)
        if part and part.goes_on and group:
            group[-1] = join(group[-1], word, part.between)
        elif group and (letters[begin - 1] == "\n" or begin in steps or group[-1].height != word.height):
            _append(group, word, letters, begin, begin in steps)
        else:
            group.append(word)
    if turned and (0, False) in groups:
        groups[0, False] = list(map(_in_order, groups[0, False]))
    return groups


def _append(group: list[Word], word: Word, letters: str, begin: int, inside: bool) -> None:
    """Add a word that begins a line of pdfium's, differs in size from the one before, or goes on `inside` its run."""
    before, begins_line = group[-1], letters[begin - 1] == "\n"
    if not (begins_line or inside or not _SMALL * before.height <= word.height <= before.height / _SMALL):
        group.append(word)
    elif begins_line and (abs(word.baseline - before.baseline) < 0.05 * word.height and _touches(before, word)):
        group[-1] = join(before, word)
    elif (inside or _is_near(before, word)) and _has_mark(before, word, letters, begin):
        group[-1:] = _marked(before, word, letters, begin)
    elif inside and not (before.text[-1].isdecimal() and word.text[0].isdecimal()):
        group[-1] = join(before, word)
    elif word.height < _SMALL * before.height and (
        inside or (abs(word.baseline - before.baseline) < 0.6 * word.height and _touches(before, word))
    ):
        group.append(word._replace(baseline=before.baseline))
    else:
        group.append(word)


def _has_mark(before: Word, word: Word, letters: str, begin: int) -> bool:
    """Whether one of two words is a raised figure; above a stroke it is part of a fraction."""
    if _is_above(word, before):
        end = begin + len(word.text)
        over = before.text[-1].isdecimal() and letters[end : end + 3].lstrip("\r\n")[:1] in _STROKES
        return is_mark(word.text) and not over
    return _is_above(before, word) and is_mark(before.text) and word.text[0] not in _STROKES


def _marked(before: Word, word: Word, letters: str, begin: int) -> list[Word]:
    """A word and its mark, as one if no space is between them."""
    if word.height > before.height:
        mark = before._replace(text=write_raised("", before.text), baseline=word.baseline, height=word.height)
        return [join(mark, word)] if letters[begin - 1] != " " else [mark, word]
    written = write_raised(letters[max(0, begin - REACH) : begin].rstrip(), word.text)
    gap = written[: len(written) - len(word.text)]
    mark = word._replace(text=written[len(gap) :], baseline=before.baseline)
    return [join(before, mark, gap)] if gap or letters[begin - 1] != " " else [before, mark]


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


def _is_above(small: Word, line: Word) -> bool:
    """Whether small letters stand clearly above the line of others, and still beside them."""
    rise = (line.baseline - small.baseline) / line.height
    return small.height < _SMALL * line.height and _SLIGHT < rise < _HIGHEST


def _is_near(before: Word, word: Word) -> bool:
    """Whether no more than a space is between two words."""
    left, right = (word, before) if is_right_to_left(before.text) else (before, word)
    return -1 < (right.x0 - left.x1) / max(before.height, word.height) < _SPACE_WIDTH


def _touches(before: Word, word: Word) -> bool:
    left, right = (word, before) if is_right_to_left(before.text) else (before, word)
    return -_OVERLAP < (right.x0 - left.x1) / word.height < _NO_GAP


def _with_room(word: Word, space: float) -> Word:
    """A word with the room that it needs before the next one because its letters are set apart."""
    return word._replace(x1=word.x1 + 2 * space)


def join(before: Word, word: Word, between: str = "") -> Word:
    """Two parts of a word; what stands between has the place of the letter before it."""
    text = before.text + between + word.text
    corners = before.corners + before.corners[-4:] * len(between) + word.corners
    x0, x1 = min(before.x0, word.x0), max(before.x1, word.x1)
    line = max(before, word, key=lambda part: part.height)
    return before._replace(text=text, x0=x0, x1=x1, baseline=line.baseline, height=line.height, corners=corners)


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
    _ask_box(_address(text), index, *(side[0] for side in _SIDES))
    left, right, bottom, top = _NUMBERS[:4]
    return "\ufffd" if min(right - left, top - bottom) > _NO_INK else " "


def quick(function: Any, result: Any = ctypes.c_int, *arguments: Any) -> Any:
    """A function of pdfium that is called as is: checking arguments would triple the price of a call per character."""
    return ctypes.PYFUNCTYPE(result, *arguments)(ctypes.cast(function, ctypes.c_void_p).value or 0)


_ask_box = quick(raw.FPDFText_GetCharBox, None)
_ask_loose_box = quick(raw.FPDFText_GetLooseCharBox, None)
_ask_origin = quick(raw.FPDFText_GetCharOrigin)
_ask_generated = quick(raw.FPDFText_IsGenerated)
_ask_angle = quick(raw.FPDFText_GetCharAngle, ctypes.c_float)


# One buffer for all calls of a kind, with the addresses of its numbers made once.
_CHUNK = 1024
_NUMBERS = (ctypes.c_double * (4 * _CHUNK))()
_SIDES = [[ctypes.byref(_NUMBERS, 32 * place + 8 * side) for place in range(_CHUNK)] for side in range(4)]
_LOOSE = (ctypes.c_float * (4 * _CHUNK))()
_LOOSE_SLOTS = [ctypes.byref(_LOOSE, 16 * place) for place in range(_CHUNK)]


def _address(text: Any) -> Any:
    """A page's text as an argument that needs no more work at each call."""
    return ctypes.c_void_p.from_param(ctypes.cast(text, ctypes.c_void_p).value)


def _ask_all(ask: Any, text: Any, places: Sequence[int], slots: list[Any], answers: Any) -> array[Any]:
    """The answers for many characters, which pdfium writes into the slots of a buffer."""
    size = ctypes.sizeof(answers) // _CHUNK
    found = array("d" if answers is _NUMBERS else "f")
    for start in range(0, len(places), _CHUNK):
        some = places[start : start + _CHUNK]
        deque(map(ask, repeat(text), some, *slots), 0)
        found.frombytes(bytes(answers)[: size * len(some)])
    return found


def _ask_ink(text: Any, count: int) -> array[float]:
    # These are floats in pdfium, so that none is too large.
    return array("f", struct.pack(f"{4 * count}f", *_ask_all(_ask_box, text, range(count), _SIDES, _NUMBERS)))


def find_ink(text: Any) -> dict[tuple[float, ...], int]:
    """The characters of a page by left, right, bottom and top of their ink."""
    corners = _ask_ink(_address(text), raw.FPDFText_CountChars(text))
    return {box: index for index, box in enumerate(zip(*(corners[side::4] for side in range(4)), strict=True))}


class _Measure:
    """Measures of the characters of a page, in the page's own coordinates."""

    def __init__(self, text: Any, letters: str, view: View) -> None:
        self._text = _address(text)
        self._letters = letters
        self._shown = letters.replace(_HYPHEN, "-")
        self._view = view
        # Left, right, bottom and top of the ink of every character, in turn.
        corners = _ask_ink(self._text, len(letters))
        empty = compress(count(), map(ge, corners[0::4], corners[1::4]))
        blank = [index for index in empty if not letters[index].isspace()]
        for index, box in zip(blank, self.loose_boxes(blank), strict=True):
            corners[4 * index : 4 * index + 4] = array("f", box)
        self._corners = corners
        self.steps: set[int] = set()
        self._band: tuple[float, ...] = ()
        self._x = self._y = 0.0
        self._way: Way = (0, False)
        self._height = 1.0
        self._is_level, self._baseline = False, 0.0

    def loose_boxes(self, places: Sequence[int]) -> list[Box]:
        """The boxes that the font reserves for characters, side bearings included."""
        found = _ask_all(_ask_loose_box, self._text, places, [_LOOSE_SLOTS], _LOOSE)
        return list(zip(found[0::4], found[2::4], found[3::4], found[1::4], strict=True))

    def words(self) -> Iterator[tuple[int, Word, Way]]:
        """Words with the places where they begin and their direction, one in each run of characters, or several."""
        runs = [found.span() for found in _WORD.finditer(self._letters)]
        begins = [begin for begin, _ in runs]
        firsts, lasts = self.loose_boxes(begins), self.loose_boxes([end - 1 for _, end in runs])
        lowest = min([top - bottom for _, _, bottom, top in firsts], default=0.0)
        self.steps.update(self._steps(lowest))
        apart = self._apart(lowest) | {place - 1 for place in self.steps}
        # The file itself has one space before a word, and not pdfium, which adds some between columns.
        letters = self._letters
        added = map(_ask_generated, repeat(self._text), [begin - 1 for begin in begins])
        for (begin, end), first, last, joined in zip(
            runs,
            firsts,
            lasts,
            [
                not (is_added or begin < 2 or letters[begin - 1] == _HYPHEN or letters[begin - 2].isspace())
                for begin, is_added in zip(begins, added, strict=True)
            ],
            strict=True,
        ):
            left, _, bottom, top = first
            is_even = last[3] == top and abs(last[0] - left) < (top - bottom) * (end - begin)
            if is_even and (not apart or apart.isdisjoint(range(begin, end - 1))):
                word = self._word(begin, end, first, last, joined)
                yield begin, _with_room(word, self._room(begin)) if apart and end - begin == 1 else word, self._way
                continue
            # Where a run of characters falls into words: pdfium joins some that are drawn far apart.
            height, length = first[3] - first[2], end - begin
            reach = 2 + 1.5 * max(height, first[1] - first[0])
            cuts: list[int] = []
            if abs(last[0] - first[0]) > reach * length or abs(last[3] - first[3]) > reach * length:
                cuts = [index for index in range(begin + 1, end) if self._gap(index) > reach]
            elif length > 2:
                cuts = self._cell_edges(begin, end, _WORD_GAP * height)
            for start, stop in pairwise(
                [begin, *sorted({*cuts, *self.steps.intersection(range(begin + 1, end))}), end]
            ):
                boxes = self.loose_boxes(range(start, stop))
                word = self._word(start, stop, boxes[0], boxes[-1], joined and start == begin)
                space = median_low(_spaces(boxes)) if stop - start > 1 else 0.0
                yield start, _with_room(word, max(space, 0.0)), self._way

    def _room(self, index: int) -> float:
        """How far a character stands from the space behind it, and that from the next one, as in words set apart."""
        behind = self._letters[index + 1 : index + 3]
        if behind[:1] != " " or behind.isspace():
            return 0.0
        return max(min(_spaces(self.loose_boxes(range(index, index + 3)))), 0.0)

    def _apart(self, height: float) -> set[int]:
        """Characters on a page with letters of this height, or higher, that are set apart from the next one."""
        letters, widest = self._letters, _CELL_GAP * height
        free = map(sub, self._corners[4::4], self._corners[1::4])
        wide = compress(count(), map(widest.__lt__, free))
        places = [index for index in wide if not (letters[index].isspace() or letters[index + 1].isspace())]
        asked = sorted({*places, *[index + 1 for index in places]})
        boxes = dict(zip(asked, self.loose_boxes(asked), strict=True))
        return {place for place in places if boxes[place + 1][0] - boxes[place][1] > _WORD_GAP * height}

    def _steps(self, height: float) -> set[int]:
        """Where smaller figures begin or end that stand above or below the line of what is right beside them."""
        corners = self._corners

        def middle(place: int) -> float:
            return corners[4 * place + 2] + corners[4 * place + 3]

        near = [found.end() for found in _BESIDE_FIGURE.finditer(self._letters)]
        places = [place for place in near if abs(middle(place) - middle(place - 1)) > _NO_INK * height]
        boxes, others = self.loose_boxes([place - 1 for place in places]), self.loose_boxes(places)
        pairs = zip(places, boxes, others, strict=True)
        return {place for place, left, right in pairs if left[2:] != right[2:] and self._is_step(place, left, right)}

    def _is_step(self, place: int, left: Box, right: Box) -> bool:
        angle = _ask_angle(self._text, place)
        quarter = round(angle / _QUARTER)
        if abs(angle - quarter * _QUARTER) > _SLANTED:
            return False
        side = 0 if quarter % 2 else 2
        before, behind = left[side + 1] - left[side], right[side + 1] - right[side]
        small, large = sorted((before, behind))
        if small >= _SMALL * large or not _FIGURE.match(self._letters, place if behind < before else place - 1):
            return False
        tiny = small < _TINY * large and self._letters[place - 1 : place + 1].isdecimal()
        return tiny or abs(self._rise(place, angle)) > _SLIGHT * large

    def _rise(self, place: int, angle: float) -> float:
        """How far the line of a character is above that of the one before."""
        for index in (0, 1):
            _ask_origin(self._text, place - 1 + index, _SIDES[0][index], _SIDES[1][index])
        x, y, _, _, x2, y2 = _NUMBERS[:6]
        return (y2 - y) * math.cos(angle) - (x2 - x) * math.sin(angle)

    def _cell_edges(self, begin: int, end: int, gap: float) -> list[int]:
        """Where cells that nearly touch meet in a run of characters."""
        boxes = self.loose_boxes(range(begin, end))
        spaces = _spaces(boxes)
        if max(spaces) <= gap:
            return []
        # The letters of a heading may be spaced, all alike, and those of a ligature have no more than their ink.
        widest = max(median_low(spaces), 0.0) + _WORD_GAP * max(box[3] - box[2] for box in boxes)
        return [index for index, space in enumerate(spaces, begin + 1) if space > widest]

    def _gap(self, index: int) -> float:
        """The free space between a character and the one before it."""
        left, right, bottom, top, left2, right2, bottom2, top2 = self._corners[4 * index - 4 : 4 * index + 4]
        return max(left2 - right, left - right2, bottom2 - top, bottom - top2)

    def _word(self, begin: int, end: int, first: Box, last: Box, joined: bool) -> Word:
        """A word turned upright."""
        if not joined or first[2:] != self._band:
            # Direction, baseline and height of the letters from a character on; words that the file joins share them.
            angle = _ask_angle(self._text, begin)
            quarter = round(angle / _QUARTER)
            _ask_origin(self._text, begin, _SIDES[0][0], _SIDES[1][0])
            self._x, self._y = _NUMBERS[0], _NUMBERS[1]
            self._way = ((quarter + self._view.turns) % 4, abs(angle - quarter * _QUARTER) > _SLANTED)
            self._is_level, self._baseline = self._way[0] == 0 == self._view.turns, self._view.top - self._y
            self._height = max(first[1] - first[0] if quarter % 2 else first[3] - first[2], 1.0)
            self._band = first[2:] if quarter % 2 == 0 else ()
        (left, right, _, _), (left2, right2, _, _) = first, last
        if self._is_level and left <= left2 and right <= right2:
            # As nearly all words are; `upright` would say the same.
            x0, x1, baseline = left - self._view[0], right2 - self._view[0], self._baseline
        else:
            x0, x1, baseline = self._view.upright(self._way[0], first, last, self._x, self._y)
        corners = self._corners[4 * begin : 4 * end]
        return Word(self._shown[begin:end], x0, x1, baseline, self._height, corners, joined)


def _spaces(boxes: list[Box]) -> list[float]:
    return [right[0] - left[1] for left, right in pairwise(boxes)]
