"""Words with their places on a page, and the stretches and blocks that they make."""

from __future__ import annotations

import math
from array import array
from typing import NamedTuple

FEWEST_LINES, SEVERAL_WORDS = 6, 3
"""Of a column of prose, and of its lines."""


class Word(NamedTuple):
    """A word where a reader sees it, upright; `corners` holds a box in the page's plane for each character."""

    text: str
    x0: float
    x1: float
    baseline: float
    height: float
    corners: array[float]
    joined: bool = False
    """Whether the file itself puts a space, and nothing else, between the word before and this one."""
    edge: float = -math.inf
    """The left edge of the cell that it stands in, where a line is drawn."""


class Segment(NamedTuple):
    """Words of one line that stand close together, one space apart in its text."""

    words: list[Word]
    x0: float
    text: str

    @property
    def end(self) -> float:
        return max(self.words[0].x1, self.words[-1].x1)

    @property
    def goes_on(self) -> bool:
        """Whether it begins with a small letter, or one that is neither small nor capital."""
        return self.text[0].isalpha() and not self.text[0].isupper()


class Block(NamedTuple):
    """Lines to be set below each other: a column of prose, or what stands above, below and between such columns."""

    lines: list[list[Segment]]
    is_prose: bool
