"""What an XLS shows beyond its numbers: currencies and leading zeros of formats, and formulas without a value.

Runs in the helper process only, beside the parser, which gives numbers without their formats.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cached_property

import attrs

from paxman.documents.office.cell_formats import DOLLARS, Format, Shown, read_format

_FORMULA, _EOF, _BOUND_SHEET, _MUL_RK, _XF, _NUMBER, _BOOL_ERR, _ROW, _RK, _FORMAT = (
    0x0006, 0x000A, 0x0085, 0x00BD, 0x00E0, 0x0203, 0x0205, 0x0208, 0x027E, 0x041E,
)  # fmt: skip
_NO_NUMBER = b"\xff\xff"
"""Ends a result of a formula that is a text, a truth or an error, or is empty."""
_END_OF_CHAIN = 0xFFFFFFFA
_HEADER = 512


class XlsFormats:
    """The formats and the records of the sheets of an old workbook."""

    def __init__(self, data: bytes) -> None:
        self._formats: list[str] = []
        self._codes: dict[str, str] = dict(DOLLARS)
        self._places: dict[str, int] = {}
        try:
            self._stream = Container(data).stream("Workbook")
            for kind, record in _records(self._stream, 0):
                if kind == _FORMAT:
                    self._codes[str(_short(record, 0))] = _string(record[2:], 2)
                elif kind == _XF:
                    self._formats.append(str(_short(record, 2)))
                elif kind == _BOUND_SHEET:
                    self._places[_string(record[6:], 1)] = int.from_bytes(record[:4], "little")
        except (struct.error, IndexError, ValueError):
            self._stream = b""

    @cached_property
    def _styles(self) -> dict[int, Format]:
        """The formats that show more than a number, by the number of the style that cells name."""
        found = ((number, read_format(self._codes.get(name, ""))) for number, name in enumerate(self._formats))
        return {number: style for number, style in found if style}

    def part(self, sheet: str) -> str:
        """What a sheet is called in the file."""
        return sheet

    def shown(self, sheet: str) -> Shown:
        """What a sheet shows otherwise than its numbers say."""
        reading = _Reading(self._styles)
        try:
            for kind, record in _records(self._stream, self._places[sheet]):
                reading.take(kind, record)
        except (KeyError, struct.error, IndexError):
            pass
        # An empty result is that of a text, too, but not of every formula.
        unsolved = 0 if reading.solved else reading.empty
        return Shown(reading.texts, unsolved, reading.broken, hidden=frozenset(reading.hidden))


@attrs.define
class _Reading:
    """The cells of a sheet so far."""

    styles: dict[int, Format]
    texts: dict[int, dict[int, str]] = attrs.field(factory=dict)
    solved: int = 0
    empty: int = 0
    broken: int = 0
    hidden: list[int] = attrs.field(factory=list)

    def take(self, kind: int, record: bytes) -> None:
        if kind == _NUMBER:
            self._show(record, struct.unpack_from("<d", record, 6)[0])
        elif kind == _RK:
            self._show(record, _rk(record[6:10]))
        elif kind == _MUL_RK:
            first = _short(record, 2)
            for place, start in enumerate(range(4, len(record) - 2, 6)):
                cell = record[:2] + struct.pack("<H", first + place) + record[start : start + 2]
                self._show(cell, _rk(record[start + 2 : start + 6]))
        elif kind == _FORMULA:
            is_number = record[12:14] != _NO_NUMBER
            is_empty = not is_number and record[6] == 3
            self.empty += is_empty
            self.solved += not is_empty
            if is_number:
                self._show(record, struct.unpack_from("<d", record, 6)[0])
            elif record[6] == 2:
                self.broken += 1
        elif kind == _BOOL_ERR:
            self.broken += record[7]
        elif kind == _ROW and record[12] & 0x20:
            self.hidden.append(_short(record, 0))

    def _show(self, cell: bytes, value: float) -> None:
        row, column, style = struct.unpack_from("<HHH", cell)
        text = self.styles[style].show(repr(value).removesuffix(".0")) if style in self.styles else None
        if text:
            self.texts.setdefault(row, {})[column] = text


def _records(stream: bytes, place: int) -> Iterator[tuple[int, bytes]]:
    """The records of a part of the workbook."""
    while place + 4 <= len(stream):
        kind, size = struct.unpack_from("<HH", stream, place)
        if kind == _EOF:
            return
        yield kind, stream[place + 4 : place + 4 + size]
        place += 4 + size


def _short(record: bytes, place: int) -> int:
    return int.from_bytes(record[place : place + 2], "little")


def _string(record: bytes, width: int) -> str:
    """A text that starts with its length, in so many bytes, and with a sign whether its characters have two."""
    length, wide = int.from_bytes(record[:width], "little"), record[width] & 1
    body = record[width + 1 : width + 1 + length * (1 + wide)]
    return body.decode("utf-16-le" if wide else "latin-1", "replace")


def _rk(packed: bytes) -> float:
    """A number in four bytes: whole or the first half of a float, and perhaps a hundred times as large."""
    bits = int.from_bytes(packed, "little", signed=True)
    value = float(bits >> 2) if bits & 2 else struct.unpack("<d", struct.pack("<q", (bits & ~3) << 32))[0]
    return value / 100 if bits & 1 else value


class Container:
    """A file of streams in sectors, which a table chains."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._size = 1 << _short(data, 30)
        if self._size not in (512, 4096):
            raise ValueError("no such sectors")
        # For each sector the next one; the table's own sectors are listed in the header, and chained from there.
        listed = [*struct.unpack_from("<109I", self._data, 76)]
        following, count = struct.unpack_from("<II", self._data, 68)
        for _ in range(min(count, len(self._data) // self._size)):
            *more, following = self._numbers(following)
            listed += more
        self._table = [number for sector in listed if sector < _END_OF_CHAIN for number in self._numbers(sector)]

    def _numbers(self, sector: int) -> tuple[int, ...]:
        return struct.unpack(f"<{self._size // 4}I", self._sector(sector))

    def _sector(self, number: int) -> bytes:
        start = max(self._size, _HEADER) + number * self._size
        return self._data[start : start + self._size]

    def _chain(self, sector: int) -> bytes:
        """The sectors from this one on; a chain that is a ring has an end, too."""
        found: list[bytes] = []
        while sector < len(self._table) and len(found) < len(self._table):
            found.append(self._sector(sector))
            sector = self._table[sector]
        return b"".join(found)

    def stream(self, name: str) -> bytes:
        """The stream of a name; nothing if there is none, or it is too short to have sectors of its own."""
        directory = self._chain(int.from_bytes(self._data[48:52], "little"))
        wanted = name.encode("utf-16-le") + b"\0\0"
        shortest = int.from_bytes(self._data[56:60], "little")
        for place in range(0, len(directory) - 127, 128):
            start, size = struct.unpack_from("<II", directory, place + 116)
            if directory[place : place + len(wanted)] == wanted and size >= shortest:
                return self._chain(start)[:size]
        return b""
