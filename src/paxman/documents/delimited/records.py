"""The records of delimited text, cut by a delimiter and quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from paxman.classes import frozen
from paxman.types import Span

_MAX_QUOTED = 100_000
_MAX_UNCLOSED = 20
_QUOTE_START = {quote: re.compile(rf" *+{quote}") for quote in ('"', "'")}


@frozen
class DelimitedDialect:
    """What parts cells, what quotes them, whether a backslash escapes, and whether spaces follow the delimiter."""

    delimiter: str = ","
    quote: str = '"'
    backslash: bool = False
    spaced: bool = False

    @property
    def is_padded(self) -> bool:
        """Whether any number of spaces parts cells."""
        return self.spaced and self.delimiter == " "


class Records:
    """The records of a delimited text, each a list of cell spans with their quotes.

    A record that its quotes make shorter or longer than `width` is read again with other rules for stray quotes.
    What comes behind the first `most` cells of a record is one cell.
    """

    def __init__(self, text: str, dialect: DelimitedDialect, width: int = 0, most: int = 1_000_000) -> None:
        self._text = text
        self._delimiter, self._quote = dialect.delimiter, dialect.quote
        self._width, self._most = width, most
        self._line_end = "\n" if "\n" in text or "\r" not in text else "\r"
        self._line_known = (0, -1)
        self._unclosed = 0
        self._padded = dialect.is_padded
        self._patterns = [_quoted_cell(dialect, stray) for stray in ("doubled", "alone", "never")]

    def __iter__(self) -> Iterator[list[Span]]:
        text, position = self._text, 0
        while position < len(text):
            end = self._line(position)
            if text.find(self._quote, position, end) >= 0:
                cells, end = self._quoted(position)
            else:
                cells = self._plain(position, end)
            yield [cell for cell in cells if cell[0] < cell[1]] or cells[:1] if self._padded else cells
            position = end + 1

    def _line(self, position: int) -> int:
        """Where the line of a position ends; remembered, because a line may have a million cells."""
        if not self._line_known[0] <= position <= self._line_known[1]:
            end = self._text.find(self._line_end, position)
            self._line_known = (position, len(self._text) if end < 0 else end)
        return self._line_known[1]

    def _plain(self, start: int, end: int) -> list[Span]:
        cells = []
        for piece in self._text[start : self._before_return(start, end)].split(self._delimiter, self._most):
            cells.append((start, start + len(piece)))
            start += len(piece) + 1
        return cells

    def _before_return(self, start: int, end: int) -> int:
        return end - 1 if end > start and self._text[end - 1] == "\r" else end

    def _quoted(self, start: int) -> tuple[list[Span], int]:
        first = None
        for pattern in self._patterns:
            found = self._cells(start, pattern)
            if not self._width or len(found[0]) == self._width:
                return found
            first = first or found
        return first or ([], start)

    def _cells(self, position: int, pattern: re.Pattern[str]) -> tuple[list[Span], int]:
        """The cells of the record that starts here, and where its line ends."""
        text = self._text
        cells: list[Span] = []
        while True:
            end = self._cell_end(position, pattern)
            if len(cells) < self._most and text[end : end + 1] == self._delimiter:
                cells.append((position, end))
                position = end + 1
                continue
            line = self._line(end)
            cells.append((position, self._before_return(position, line)))
            return cells, line

    def _cell_end(self, position: int, pattern: re.Pattern[str]) -> int:
        text = self._text
        if self._unclosed < _MAX_UNCLOSED and (opened := _QUOTE_START[self._quote].match(text, position)):
            limit = opened.end() + _MAX_QUOTED
            found = pattern.match(text, opened.end(), limit)
            if found and found.end() < limit:
                return found.end()
            self._unclosed += 1
        line = self._line(position)
        end = text.find(self._delimiter, position, line)
        return line if end < 0 else end


@lru_cache(maxsize=64)
def _quoted_cell(dialect: DelimitedDialect, stray: str) -> re.Pattern[str]:
    """The rest of a quoted cell; a quote inside it may be doubled, stand alone, or never occur."""
    quote = dialect.quote
    spaces = "" if dialect.delimiter == " " else " *+"
    closing = rf"{spaces}(?={re.escape(dialect.delimiter)}|[\r\n]|\Z)"
    inside = {
        "doubled": f"|{quote}{quote}|{quote}(?!{closing})",
        "alone": f"|{quote}(?!{closing})",
        "never": f"|{quote}{quote}",
    }
    plain = rf"[^{quote}\\]++|\\." if dialect.backslash else f"[^{quote}]++"
    # Not "*+": early releases of Python 3.11 are wrong about groups with branches there.
    return re.compile(f"(?>(?:{plain}{inside[stray]})*){quote}{closing}", re.S)
