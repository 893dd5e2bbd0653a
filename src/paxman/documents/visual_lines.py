"""The lines of a text by number, with the places of their chunks: for what stands beside, above and below others."""

from __future__ import annotations

import re
from bisect import bisect_right

from paxman.classes import record
from paxman.lazy import lazy_pattern
from paxman.types import Span

_CHUNK = lazy_pattern(r"\S+(?:[ \xa0\u2009\u200a\u202f]\S+)*")
_WIDE = lazy_pattern(
    "[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]"
)
_LONGEST_WIDE = 1000
_KEPT_BAR = lazy_pattern(r"\\\||`[^`\s]*`|(\|)")
_BARS = str.maketrans("│┃║", "\t\t\t")
_FRAME = lazy_pattern("^[ \t]*+[\u2500-\u257f]++[ \t]*+$", re.M)
_RULES = str.maketrans({char: "-" if chr(char) in "─━═╌╍┄┅┈┉" else "\t" for char in range(0x2500, 0x2580)})


def bars_to_tabs(text: str) -> str:
    """The same text, of the same length, with bars between columns as tabs; one that is escaped or in code is none."""
    if not text.isascii() and any(bar in text for bar in "│┃║"):
        text = _FRAME.sub(lambda line: line[0].translate(_RULES), text).translate(_BARS)
    if "\\|" in text or ("`" in text and "|" in text):
        return _KEPT_BAR.sub(lambda found: "\t" if found[1] else found[0], text)
    return text.replace("|", "\t")


def bars_outside_rows(text: str) -> str:
    """The same, but for lines whose cells tabs part: a bar in one of these is part of a text."""
    if "|" not in text or "\t" not in text:
        return bars_to_tabs(text)
    return "".join(line if "\t" in line else bars_to_tabs(line) for line in text.splitlines(keepends=True))


@record
class VisualLine:
    """A line of a page: its place in the text and its chunks, which column gaps part."""

    start: int
    end: int
    chunks: tuple[Span, ...]


class _Lines(dict[int, VisualLine]):
    """Lines by number, each made when it is first asked for."""

    def __init__(self, text: str, starts: list[int]) -> None:
        super().__init__()
        self._text, self._starts = text, starts

    def __missing__(self, index: int) -> VisualLine:
        start = self._starts[index]
        end = self._starts[index + 1] - 1 if index + 1 < len(self._starts) else len(self._text)
        line = self[index] = VisualLine(start, end, tuple(map(re.Match.span, _CHUNK.finditer(self._text, start, end))))
        return line


class VisualLines:
    """The lines of a text; chunks are found when a line is asked for."""

    def __init__(self, text: str, *, is_set: bool = False) -> None:
        """`is_set` says that columns were made by counting characters, as when pages with places are set as text."""
        self.text = text
        self._narrow = is_set or text.isascii() or _WIDE.search(text) is None
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self.line = _Lines(text, self._starts).__getitem__

    def __len__(self) -> int:
        return len(self._starts)

    def line_at(self, position: int) -> int:
        return bisect_right(self._starts, position) - 1

    def column(self, start: int, position: int) -> int:
        """How far a position is from the start of its line on a screen, where some characters take two places."""
        if self._narrow:
            return position - start
        return position - start + len(_WIDE.findall(self.text, start, min(position, start + _LONGEST_WIDE)))
