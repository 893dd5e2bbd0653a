"""Parts of a PDF that make one word, as the letters of `T O T A L`; runs in the helper process only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import inf
from statistics import median_low
from typing import NamedTuple

from paxman.types import Span

Box = tuple[float, float, float, float]
"""Left, right, bottom and top in the page's own plane."""
Measure = Callable[[Sequence[int]], list[Box]]
_SINGLES = re.compile(r" \w(?= )[^\n]*? \w [^\n]*")
_PIECE = re.compile(r"\S+")
_FIGURES = re.compile(r"\W?[0-9]+(?:[.,/][0-9]+)*[.,/][0-9]{2,}\W?")
_GROUPED = re.compile(r"(?<=\d)[\xa0\u202f](?=\d)")
_WIDER = 1.5
"""How much wider than between its letters the space around a word must be."""
_APART = 0.1
"""Share of their height by which letters stand apart."""
_FEW = 4
"""Letters that make a word."""
_MANY = 6
"""Different letters of a line that are no initials, and no choices between a few."""
_NEAR = 3
"""Rows of a table are no farther apart, in heights of their letters."""


class WordPart(NamedTuple):
    """Part of a word: the space between its letters, whether it goes on from the part before, and after what."""

    space: float
    goes_on: bool
    between: str = ""


class _Run(NamedTuple):
    """Pieces of a line with even space between them, in characters."""

    text: str
    pieces: list[Span]
    boxes: list[Box]
    """Of the first character of each piece."""
    space: float

    @property
    def slack(self) -> float:
        """How much even spaces differ: fonts move some letters closer together."""
        return _slack(self.space, self.boxes[0])


def _slack(space: float, box: Box) -> float:
    return 0.05 * _size(box) + 0.1 * space


def _size(box: Box) -> float:
    return max(box[3] - box[2], box[1] - box[0])


def find_spaced(letters: str, measure: Measure) -> dict[int, WordPart]:
    """The parts of words with letters set apart, by the place where they begin."""
    lines = [list(_runs(letters, line, measure)) for line in _lines(letters)]
    found: dict[int, WordPart] = {}
    for above, line, below in zip([[], *lines], lines, [*lines[1:], []], strict=False):
        # What is set apart in a line is made of a few letters.
        of_few = len({letter for run in line if len(run.pieces) > 1 for letter in run.text}) < _MANY
        for run in line:
            if run.pieces[-1][0] in found or not _is_word(run) or _is_row(run, [*above, *below]):
                continue
            if not of_few or _is_number(run) or not _is_typed(run, measure):
                found.update(_parts(run, line))
    return found


def find_grouped(letters: str) -> dict[int, WordPart]:
    """The groups of digits of a number after a space that must not break; among letters from right to left it turns."""
    return {found.end(): WordPart(0.0, True, " ") for found in _GROUPED.finditer(letters)}


def _parts(word: _Run, line: list[_Run]) -> Iterator[tuple[int, WordPart]]:
    """Those of a word, of others like it in its line, and of single letters between them."""
    for run in line:
        if len(run.text) == 1 or abs(run.space - word.space) < word.slack:
            yield from ((begin, WordPart(word.space, number > 0)) for number, (begin, _) in enumerate(run.pieces))


def _lines(letters: str) -> Iterator[Span]:
    """Lines in which single letters stand."""
    for found in _SINGLES.finditer(letters):
        yield letters.rfind("\n", 0, found.start()) + 1, found.end()


def _runs(letters: str, line: Span, measure: Measure) -> Iterator[_Run]:
    """Pieces that stand evenly apart, and each of the others by itself."""
    pieces = [found.span() for found in _PIECE.finditer(letters, *line)]
    firsts, lasts = measure([begin for begin, _ in pieces]), measure([end - 1 for _, end in pieces])
    gaps = [inf, *(_distance(last, first) for last, first in zip(lasts, firsts[1:], strict=False)), inf]
    for begin, end in _even(gaps, firsts):
        text = "".join(letters[slice(*piece)] for piece in pieces[begin:end])
        run = _Run(text, pieces[begin:end], firsts[begin:end], gaps[begin + 1])
        around = min(gaps[begin], gaps[end])
        if end - begin == 1 or (around > _WIDER * run.space and _is_spaced(run, measure)):
            yield run
        else:
            yield from (_Run(letters[slice(*pieces[at])], [pieces[at]], [firsts[at]], inf) for at in range(begin, end))


def _distance(one: Box, other: Box) -> float:
    """The free space between two letters, in any direction."""
    return max(other[0] - one[1], one[0] - other[1], other[2] - one[3], one[2] - other[3])


def _even(gaps: list[float], boxes: list[Box]) -> Iterator[Span]:
    """Runs of pieces with the same gap between them, where `gaps` has one before and after each piece."""
    begin = 0
    for index in range(1, len(gaps)):
        usual = gaps[begin + 1]
        if abs(gaps[index] - usual) <= _slack(usual, boxes[begin]):
            continue
        closer = gaps[index] < usual
        yield begin, index - closer
        begin = index - closer


def _is_spaced(run: _Run, measure: Measure) -> bool:
    """Whether single letters stand apart, no farther than in a heading, and as far as letters in the other pieces."""
    longer = [measure(range(*piece)) for piece in run.pieces if piece[1] - piece[0] > 1]
    size = _size(run.boxes[0])
    if len(longer) == len(run.pieces) or not _APART * size < run.space < size:
        return False
    inner = (median_low(_distance(*pair) for pair in pairwise(boxes)) for boxes in longer)
    return all(abs(space - run.space) < run.slack for space in inner)


def _is_word(run: _Run) -> bool:
    """Whether a run can be nothing but a number or a word; letters may also be choices."""
    text, count = run.text, sum(map(str.isalpha, run.text))
    if len(run.pieces) == 1 or count < _FEW - 1:
        return _is_number(run)
    return len(text) >= _FEW and len(set(text)) > 1 and not is_series(text)


def _is_number(run: _Run) -> bool:
    return len(run.pieces) > 1 and _FIGURES.fullmatch(run.text) is not None


def _is_typed(run: _Run, measure: Measure) -> bool:
    """Whether an ordinary space is right behind a letter, as in lists of them."""
    end = run.pieces[0][1]
    return _distance(*measure([end - 1, end])) < _APART * run.space


def is_series(text: str) -> bool:
    """Whether letters follow each other as in the alphabet."""
    return all(ord(other) - ord(one) == 1 for one, other in pairwise(text))


def _is_row(run: _Run, others: list[_Run]) -> bool:
    """Whether letters are in the rows of a table: other ones stand right above or below them."""
    if any(map(str.isdecimal, run.text)):
        return False
    columns = {round(box[0]): letter for box, letter in _letters(run)}
    near = _NEAR * _size(run.boxes[0])
    close = (other for other in others if abs(other.boxes[0][2] - run.boxes[0][2]) < near)
    beside = ((columns.get(round(box[0])), letter) for other in close for box, letter in _letters(other))
    return sum(one is not None and one != letter for one, letter in beside) >= _FEW - 1


def _letters(run: _Run) -> Iterator[tuple[Box, str]]:
    """The first letter of each piece."""
    at = 0
    for box, (begin, end) in zip(run.boxes, run.pieces, strict=True):
        yield box, run.text[at]
        at += end - begin
