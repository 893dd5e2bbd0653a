"""Pieces of lines: words without a column gap between them, and which of them stand in one column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from paxman.classes import record
from paxman.page.lines import PageLine
from paxman.page.names import Page
from paxman.recognizers import Reading
from paxman.transforms import run
from paxman.types import Span

_ALIGNED = 2


@record
class Piece:
    """Words of one line that stand together: where, how far across the page, and how weighty."""

    start: int
    end: int
    line: int
    left: int
    right: int
    text: str
    level: int = 0
    """Of a heading, as markup says."""

    @property
    def span(self) -> Span:
        return self.start, self.end

    def part(self, start: int, end: int) -> Piece:
        """Some of the words."""
        left = self.left + start
        return Piece(
            self.start + start, self.start + end, self.line, left, left + end - start, self.text[start:end], self.level
        )


def pieces_of(page: Page, line: PageLine) -> tuple[Piece, ...]:
    """The pieces of a line, made once."""
    known: dict[int, tuple[Piece, ...]] = page.document.cache.setdefault("pieces", {})
    if line.number not in known:
        level = line.level or (7 if line.strong else 0)
        column = page.lines.column
        known[line.number] = tuple(
            Piece(start, end, line.number, column(line, start), column(line, end), page.text[start:end], level)
            for start, end in line.cells
        )
    return known[line.number]


def rows_below(page: Page, piece: Piece, most: int) -> Iterator[Piece]:
    """What stands below a piece in its column, line by line: at its left or right edge, or across it."""
    last = piece
    for number in range(piece.line + 1, min(len(page.lines), piece.line + 1 + most)):
        row = pieces_of(page, page.lines[number])
        found = next((other for other in row if abs(other.left - last.left) <= _ALIGNED), None)
        found = found or next((other for other in row if _overlaps(last, other)), None)
        if found is None:
            if len(row) > 1 or row[0].left > last.right:
                continue  # Only another column goes on here.
            return
        yield found
        last = Piece(found.start, found.end, found.line, min(last.left, found.left), found.right, found.text)


def _overlaps(one: Piece, other: Piece) -> bool:
    """Whether two pieces share half of the columns of the shorter one."""
    shared = min(one.right, other.right) - max(one.left, other.left)
    return 2 * shared >= min(one.right - one.left, other.right - other.left)


def gap_above(page: Page, above: Piece, below: Piece) -> int:
    """Blank lines between two pieces."""
    return max(0, page.text.count("\n", above.end, below.start) - (below.line - above.line))


def joined_reading(page: Page, spans: Sequence[Span]) -> Reading:
    """Several stretches of the page as one text; what stands between them is left out."""
    text, (start, end) = page.document.text, (spans[0][0], spans[-1][1])
    if all(not text[a[1] : b[0]].strip() for a, b in pairwise(spans)):
        steps: tuple[str, ...] = () if " ".join(text[start:end].split()) == text[start:end] else ("fold",)
    else:
        steps = ("join:" + " ".join(f"{a - start}-{b - start}" for a, b in spans), "fold")
    return Reading(start, end, run(steps, text[start:end]), steps)
