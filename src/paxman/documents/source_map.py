"""From positions in a document's text back to the bytes they came from."""

from __future__ import annotations

import codecs
from array import array
from bisect import bisect_right
from collections.abc import Callable

from paxman.documents.document import ByteRange
from paxman.types import Span

Offset = Callable[[int], int]
"""The byte offset of a code point."""

_BLOCK = 512


def shifted(start: int, width: int = 1) -> Offset:
    """Offsets where every character takes the same number of bytes."""
    return lambda position: start + position * width


class EncodedOffsets:
    """Offsets where characters differ in width; a checkpoint every few hundred keeps each answer cheap.

    `text` is written back with `encoding` to count bytes, so it must be what the bytes say, surrogates included.
    """

    def __init__(self, text: str, encoding: str, errors: str = "strict", start: int = 0) -> None:
        self._text = text
        self._encoding = encoding
        self._errors = errors
        self._checkpoints = array("Q", [start])

    def __call__(self, position: int) -> int:
        block = min(position, len(self._text)) // _BLOCK
        while len(self._checkpoints) <= block:
            known = len(self._checkpoints)
            self._checkpoints.append(self._checkpoints[-1] + self._width((known - 1) * _BLOCK, known * _BLOCK))
        return self._checkpoints[block] + self._width(block * _BLOCK, position)

    def _width(self, start: int, end: int) -> int:
        return len(self._text[start:end].encode(self._encoding, self._errors))


class SteppedOffsets:
    """Offsets for encodings with shift states, found once by decoding byte by byte."""

    def __init__(self, data: bytes, encoding: str) -> None:
        self._data = data
        self._encoding = encoding
        self._starts: array[int] | None = None

    def __call__(self, position: int) -> int:
        if self._starts is None:
            decoder = codecs.getincrementaldecoder(self._encoding)("replace")
            starts, begin = array("Q"), 0
            for offset in range(len(self._data)):
                found = decoder.decode(self._data[offset : offset + 1])
                if found:
                    starts.extend([begin] * len(found))
                    begin = offset + 1
            starts.extend([begin] * len(decoder.decode(b"", True)))
            self._starts = starts
        return self._starts[position] if position < len(self._starts) else len(self._data)


def byte_locator(offset: Offset) -> Callable[[Span], ByteRange]:
    """`Document.locate` for text that is its source, decoded."""
    return lambda span: ByteRange(offset(span[0]), offset(span[1]))


class Pieces:
    """A text made of pieces of a source: each is a run of the same length, or stands for a range of the source.

    Separators that no source has are pieces of an empty range. `owner` is the element a piece belongs to.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._starts = array("Q")
        self._sources = array("Q")
        self._ends = array("Q")
        self.owners = array("q")
        self.length = 0

    def add(self, text: str, source: int, end: int, owner: int = -1) -> None:
        if not text:
            return
        self._parts.append(text)
        self._starts.append(self.length)
        self._sources.append(source)
        self._ends.append(end)
        self.owners.append(owner)
        self.length += len(text)

    @property
    def last(self) -> str:
        """The last character so far."""
        return self._parts[-1][-1] if self._parts else ""

    def extend(self, other: Pieces, length: int, shift: int) -> None:
        """Adds the first pieces of another text, whose source starts at a place of this one's."""
        for text, source, end in zip(other._parts, other._sources, other._ends, strict=True):
            self.add(text[:length], source + shift, end + shift)
            length -= len(text)
            if length <= 0:
                return

    def text(self) -> str:
        return "".join(self._parts)

    def tail(self, length: int) -> str:
        """The last characters so far, a few of them."""
        found = ""
        for part in reversed(self._parts):
            if len(found) >= length:
                break
            found = part + found
        return found[-length:]

    def since(self, start: int) -> str:
        """The text from a position on, where a piece begins."""
        return "".join(self._parts[self.index(start) :]) if start < self.length else ""

    def index(self, position: int) -> int:
        return max(bisect_right(self._starts, position) - 1, 0)

    def source(self, span: Span) -> Span:
        """The smallest range of the source that holds all that a span came from."""
        if not self._starts:
            return (0, 0)
        start, until = self._character(span[0])
        first, last = self.index(span[0]), self.index(span[1] - 1)
        if span[1] <= span[0]:
            return start, start
        if first == last:
            return start, max(start, self._character(span[1] - 1)[1])
        parts = [(start, self._ends[first]), (self._sources[last], self._character(span[1] - 1)[1])]
        if last - first > 1:
            parts.append((min(self._sources[first + 1 : last]), max(self._ends[first + 1 : last])))
        filled = [part for part in parts if part[0] < part[1]] or [(start, until)]
        return min(begin for begin, _ in filled), max(end for _, end in filled)

    def byte_locator(self, offset: Offset) -> Callable[[Span], ByteRange]:
        """The bytes that a span came from, where the source is a text whose characters have these offsets."""
        locate = byte_locator(offset)
        return lambda span: locate(self.source(span))

    def _character(self, position: int) -> Span:
        piece = self.index(position)
        begin, source, end = self._starts[piece], self._sources[piece], self._ends[piece]
        following = self._starts[piece + 1] if piece + 1 < len(self._starts) else self.length
        if end - source != following - begin:
            return source, end
        exact = source + min(position, following) - begin
        return exact, min(exact + 1, end)
