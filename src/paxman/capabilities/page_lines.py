"""The lines of a page that have words, with the text of their chunks: for names and addresses, from the top."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import pairwise

import attrs

from paxman.classes import record
from paxman.documents.document import Document
from paxman.types import Span

_CHUNK = re.compile(r"\S+(?:[ \xa0\u3000]\S+)*")
MOST_LINES = 4000


@record(slots=False)
class Chunk:
    """Words without a column gap between them; `column` is where they start in their line."""

    start: int
    end: int
    column: int
    text: str

    @property
    def span(self) -> Span:
        return self.start, self.end

    @property
    def right(self) -> int:
        return self.column + len(self.text)


@record(slots=False)
class Line:
    """A line with something on it; `number` counts blank lines too, so that gaps show."""

    number: int
    start: int
    text: str

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        return tuple(
            Chunk(self.start + m.start(), self.start + m.end(), m.start(), m[0]) for m in _CHUNK.finditer(self.text)
        )

    @property
    def span(self) -> Span:
        """Without the space around it."""
        lead = len(self.text) - len(self.text.lstrip())
        return self.start + lead, self.start + len(self.text.rstrip())

    @property
    def plain(self) -> str:
        return self.text.strip()


def page_lines(document: Document) -> tuple[Line, ...]:
    """The lines that are not blank, in order; a very long text gives its head only."""
    lines: tuple[Line, ...] | None = document.cache.get("page_lines")
    if lines is None:
        lines = document.cache["page_lines"] = tuple(_lines(document))
    return lines


def _lines(document: Document) -> list[Line]:
    start, end = document.body or (0, len(document.text))
    found: list[Line] = []
    for number, text in enumerate(document.text[start:end].split("\n", MOST_LINES)[:MOST_LINES]):
        if text and not text.isspace():
            found.append(Line(number, start, text))
        start += len(text) + 1
    return _set_close(found)


def _set_close(lines: list[Line]) -> list[Line]:
    """Lines with the blank ones between all of them not counted: a page that is set wide has the same gaps."""
    pitch = 0
    for above, below in pairwise(lines):
        pitch = min(pitch or MOST_LINES, below.number - above.number)
        if pitch == 1:
            return lines
    return [attrs.evolve(line, number=line.number // pitch) for line in lines] if pitch else lines
