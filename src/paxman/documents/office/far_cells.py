"""Cells far from all others in a sheet, brought near, so that the parser need not hold the emptiness between them.

Runs in the helper process only, before the parser, which keeps a place for each cell between the corners of a sheet.
"""

from __future__ import annotations

import io
import re
import zipfile
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import pairwise
from typing import Any
from xml.etree.ElementTree import register_namespace, tostring

import attrs

from paxman.documents.document import column_letters
from paxman.documents.office.writer import parse_xml

_ROW_GAP, _COLUMN_GAP = 10_000, 500
"""Empty rows and columns above which what follows is far."""
_REPEATS = 10_000
"""Rows or cells that a sheet may say are alike, above which they are read once."""
_MOST_CELLS = 20_000_000
"""Places between the corners of a sheet above which every empty row and column is far."""
_SHEET = re.compile(r"xl/(?:[^/]+/)?(?!sharedStrings|styles|workbook|theme)[^/]+\.xml\Z")
_FAR = re.compile(rb"\br=[\"'](?:[A-Z]{3}|[A-Z]{0,2}[0-9]{5})")
_ODD_CELL = re.compile(rb"\br=[\"'](?:[A-Z]{3}|[A-Z]{2}[0-9]{5}|[A-Z][0-9]{7})")
_PLACE = re.compile(rb"(<(?:\w{1,9}:)?(?:c|row)\b[^<>]*?\br=[\"'])([A-Z]{0,9})([0-9]{1,15})(?=[\"'])")
_RANGE = re.compile(
    rb"(<(?:\w{1,9}:)?mergeCell\b[^<>]*?\bref=[\"'])([A-Z]{1,9})([0-9]{1,15}):([A-Z]{1,9})([0-9]{1,15})(?=[\"'])"
)
_DIMENSION = re.compile(rb"<(?:\w{1,9}:)?dimension\b[^<>]*/>")
_FAR_REPEAT = re.compile(rb"number-(?:rows|columns)-repeated=[\"'][0-9]{4}")
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_ROWS, _COLUMNS = f"{_TABLE}number-rows-repeated", f"{_TABLE}number-columns-repeated"
_CELLS = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")
_PREFIX = re.compile(rb"xmlns:([A-Za-z][\w.-]*)=[\"']([^\"']+)[\"']")
_HEAD = 65_536

Runs = list[tuple[int, int]]
"""Where runs of rows or columns start now, and where they did, from 0."""


@attrs.frozen
class Moves:
    """What was moved in a sheet, and how often a row or cell was said to be there that was read once."""

    rows: Runs
    columns: Runs
    repeated: int = 0

    def row(self, number: int) -> int:
        """Where a row stood."""
        return before(self.rows, number)

    def lines(self, lines: Runs, count: int) -> Runs:
        """Lines of a text with the rows they show now, as lines with the rows they showed."""
        ends = [line for line, _ in lines[1:]] + [count]
        shown = []
        for (line, row), end in zip(lines, ends, strict=True):
            starts = [new for new, _ in self.rows if row < new < row + end - line]
            shown += [(line + new - row, self.row(new)) for new in (row, *starts)]
        return shown


STAYS = Moves([(0, 0)], [(0, 0)])


def before(runs: Runs, place: int) -> int:
    """Where a row or column stood."""
    new, old = runs[bisect_right(runs, place, key=lambda run: run[0]) - 1]
    return old + place - new


def close_gaps(data: bytes) -> tuple[bytes, dict[str, Moves]]:
    """A workbook with all cells near each other, and what was moved, by the name of the part or table."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            changed, moves = dict[str, bytes](), dict[str, Moves]()
            for name in archive.namelist():
                found = _near_part(archive, name)
                if found:
                    changed[name], moved = found
                    moves |= moved
            return (_rewritten(archive, changed) if changed else data), moves
    except (zipfile.BadZipFile, KeyError, ValueError, NotImplementedError, RuntimeError):
        return data, {}


def _near_part(archive: zipfile.ZipFile, name: str) -> tuple[bytes, dict[str, Moves]] | None:
    if _SHEET.match(name):
        return _near_sheet(archive.read(name), name)
    return _near_tables(archive.read(name)) if name == "content.xml" else None


def _rewritten(archive: zipfile.ZipFile, changed: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as copy:
        for member in archive.infolist():
            copy.writestr(member.filename, changed.get(member.filename) or archive.read(member))
    return target.getvalue()


def _near_sheet(sheet: bytes, name: str) -> tuple[bytes, dict[str, Moves]] | None:
    if b"sheetData" not in sheet or not _FAR.search(sheet):
        return None
    places = _PLACE.findall(sheet) if _ODD_CELL.search(sheet) else ()
    used_rows = {int(row) for _, _, row in places} or {
        int(row) for row in (row for _, letters, row in _PLACE.findall(sheet) if not letters)
    }
    used_columns = {column_number(letters) for _, letters, _ in places if letters}
    rows, columns = _runs(used_rows, _ROW_GAP), _runs(used_columns, _COLUMN_GAP)
    if _end(rows, used_rows) * _end(columns, used_columns) > _MOST_CELLS:
        rows, columns = _runs(used_rows, 2), _runs(used_columns, 2)
    if len(rows) == len(columns) == 1:
        return None
    moved = partial(_moved, rows=rows, columns=columns)
    sheet = _PLACE.sub(lambda found: found[1] + moved(found[2], found[3]), _DIMENSION.sub(b"", sheet))
    sheet = _RANGE.sub(lambda found: found[1] + moved(found[2], found[3]) + b":" + moved(found[4], found[5]), sheet)
    return sheet, {name: Moves([(new - 1, old - 1) for new, old in rows], [(new - 1, old - 1) for new, old in columns])}


def _runs(used: Iterable[int], gap: int) -> Runs:
    """Runs of rows or columns that stay together; one empty place is left between two of them."""
    numbers = sorted(used)
    runs = [(1, 1)]
    for last, number in pairwise([0, *numbers]):
        if number - last > gap:
            new, old = runs[-1]
            runs.append((new + last - old + 2, number))
    return runs


def _end(runs: Runs, used: Collection[int]) -> int:
    return _after(runs, max(used, default=1))


def _moved(letters: bytes, row: bytes, rows: Runs, columns: Runs) -> bytes:
    number = _after(rows, int(row))
    return (column_letters(_after(columns, column_number(letters)) - 1).encode() if letters else b"") + str(
        number
    ).encode()


def _after(runs: Runs, place: int) -> int:
    new, old = runs[bisect_right(runs, place, key=lambda run: run[1]) - 1]
    return new + place - old


def column_number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def _near_tables(content: bytes) -> tuple[bytes, dict[str, Moves]] | None:
    """The tables of an ODS, where a row or cell may be said to be there many times."""
    if not _FAR_REPEAT.search(content):
        return None
    root = parse_xml(content)
    found = {table.get(f"{_TABLE}name", ""): _near_table(table) for table in root.iter(f"{_TABLE}table")}
    moves = {name: moved for name, moved in found.items() if moved}
    return (_written(root, content), moves) if moves else None


def _written(root: Any, content: bytes) -> bytes:
    """The parser knows names by their prefixes."""
    for prefix, uri in _PREFIX.findall(content[:_HEAD]):
        with suppress(ValueError):
            register_namespace(prefix.decode(), uri.decode())
    written: bytes = tostring(root, "utf-8", xml_declaration=True)
    return written


def _near_table(table: Any) -> Moves | None:
    """Takes empty rows and columns between filled ones out of a table, and all but one of too many that are alike."""
    rows = [(row, [cell for cell in row if cell.tag in _CELLS]) for row in table.iter(f"{_TABLE}table-row")]
    filled = [any(map(_is_filled, cells)) for _, cells in rows]
    repeated = sum(_read_once(cell, _COLUMNS) for _, cells in rows for cell in cells if _is_filled(cell))
    repeated += sum(_read_once(row, _ROWS) for (row, _), is_filled in zip(rows, filled, strict=True) if is_filled)
    columns = _close_columns([cells for _, cells in rows])
    runs, new, old, last = [(0, 0)], 0, 0, _last(filled)
    for place, (row, _) in enumerate(rows[: last + 1]):
        count = _count(row, _ROWS)
        kept = 1 if count > _ROW_GAP and not filled[place] else count
        row.set(_ROWS, str(kept))
        new, old = new + kept, old + count
        runs += [(new, old)] if kept != count else []
    if len(runs) == len(columns) == 1 and not repeated:
        return None
    for row, _ in rows[last + 1 :]:
        row.set(_ROWS, "1")
    return Moves(runs, columns, repeated)


def _last(filled: list[bool]) -> int:
    return max((place for place, is_filled in enumerate(filled) if is_filled), default=-1)


def _read_once(element: Any, name: str) -> int:
    """How often a row or cell is left out that is said to be there too many times."""
    count = _count(element, name)
    if count <= _REPEATS:
        return 0
    element.set(name, "1")
    return count - 1


def _close_columns(rows: list[list[Any]]) -> Runs:
    """Takes empty cells out where all rows have no others for long, and drops those at the end of rows."""
    for cells in rows:
        for cell in cells[_last([_is_filled(cell) for cell in cells]) + 1 :]:
            cell.set(_COLUMNS, "1")
    used = {column + 1 for cells in rows for start, cell in _places(cells) for column in _columns(start, cell)}
    runs = _runs(used, _COLUMN_GAP)
    if len(runs) > 1:
        for cells in rows:
            for start, cell in [*_places(cells)]:
                count = _count(cell, _COLUMNS)
                left = _after(runs, start + count + 1) - _after(runs, start + 1) if not _is_filled(cell) else count
                cell.set(_COLUMNS, str(max(left, 1)))
    return [(new - 1, old - 1) for new, old in runs]


def _places(cells: list[Any]) -> Iterator[tuple[int, Any]]:
    column = 0
    for cell in cells:
        yield column, cell
        column += _count(cell, _COLUMNS)


def _columns(start: int, cell: Any) -> range:
    return range(start, start + _count(cell, _COLUMNS)) if _is_filled(cell) else range(0)


def _is_filled(cell: Any) -> bool:
    return len(cell) > 0 or any(name.endswith("}value-type") for name in cell.attrib)


def _count(element: Any, name: str) -> int:
    written = element.get(name, "1")
    return max(int(written), 1) if written.isascii() and written.isdigit() and len(written) < 16 else 1
