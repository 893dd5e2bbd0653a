"""CSV and its relatives: one table, every cell with its place in the text and its address in the sheet."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property
from statistics import median_high

from paxman.documents.delimited import Dialect, Records, detect_dialect
from paxman.documents.document import Cell, Document, Pair, SheetCell, Table
from paxman.documents.encodings import decode
from paxman.documents.reading import Limits
from paxman.documents.source_map import byte_locator
from paxman.transforms import run
from paxman.types import Span

Row = tuple[Cell, ...]
Steps = tuple[str, ...]
_FIRST_LINE = re.compile(r"sep=(.)\r?\n")
_MAX_PREAMBLE = 30
_SAMPLE = 60
# A number, date, time, amount or percentage: what stands below a heading, not in one.
_DATA = re.compile(r"[-+(]?[^\w\s\"']{0,2} ?\d[\d.,:/' -]*+ ?(?:%|[^\W\d_]{0,3}|[€$£¥])\)?\Z")
_YEAR = re.compile(r"(?:19|20)\d\d(?:[-/]\d\d(?:\d\d)?)?\Z")


class CsvReader:
    name = "csv"
    version = "1.0"

    def sniff(self, head: bytes, name: str | None) -> int:
        from paxman.documents.delimited import looks_like_csv

        return 50 if looks_like_csv(head) else 0

    def read(self, data: bytes, name: str | None, limits: Limits) -> Document:
        decoded = decode(data, limits=limits)
        sheet = Sheet(decoded.text)
        return Document(
            "csv",
            decoded.text,
            sheet.locate,
            diagnostics=decoded.diagnostics,
            build_tables=lambda: sheet.tables,
            build_pairs=lambda: sheet.pairs,
            byte_range=byte_locator(decoded.offset),
        )


def column_letters(index: int) -> str:
    """0 is A, 26 is AA."""
    letters = ""
    while index >= 0:
        letters = chr(65 + index % 26) + letters
        index = index // 26 - 1
    return letters


class Sheet:
    """A delimited text as rows of cells, cut on first use."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _dialect(self) -> tuple[Dialect, int]:
        named = _FIRST_LINE.match(self._text)
        found = detect_dialect(self._text, named[1]) if named else detect_dialect(self._text)
        return found or detect_dialect(self._text, " ") or (Dialect(), 1)

    @cached_property
    def _records(self) -> list[list[Span]]:
        return list(Records(self._text, *self._dialect))

    @cached_property
    def _starts(self) -> list[int]:
        return [cells[0][0] for cells in self._records]

    @cached_property
    def _rows(self) -> list[Row]:
        make = _cell_maker(self._text, self._dialect[0])
        return [tuple(map(make, cells)) for cells in self._records]

    def locate(self, span: Span) -> SheetCell:
        """The cell that a span starts in."""
        row = max(bisect_right(self._starts, span[0]) - 1, 0)
        cells = self._records[row] if self._records else [(0, 0)]
        column = max(bisect_right([start for start, _ in cells], span[0]) - 1, 0)
        return SheetCell("", f"{column_letters(column)}{row + 1}")

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        return tuple(_table(block, self._text) for block in _blocks(self._rows))

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Rows of one label and one value, whether above the table or all there is."""
        filled = ([cell for cell in row if cell.text.strip()] for row in self._rows)
        return tuple(
            Pair(row[0].text.strip().rstrip(":"), row[0].span, row[1].span)
            for row in filled
            if len(row) == 2 and not _DATA.match(row[0].text.strip())
        )


def _cell_maker(text: str, dialect: Dialect) -> Callable[[Span], Cell]:
    quote = dialect.quote
    escapes: Steps = (f"unescape:{quote}",) if dialect.backslash else ()
    steps = (f"unquote:{quote}", *escapes)

    def make(span: Span) -> Cell:
        start, end = span
        if dialect.spaced and text[start:end][:1] == " ":
            start += 1
        raw = text[start:end]
        bare = raw.strip() if quote in raw else raw
        if len(bare) > 1 and bare[0] == quote == bare[-1]:
            return Cell(run(steps, raw), (start, end), steps)
        return Cell(raw, (start, end))

    return make


def _is_blank(row: Row) -> bool:
    return all(not cell.text or cell.text.isspace() for cell in row)


def _blocks(rows: list[Row]) -> list[list[Row]]:
    """Rows of each table: three records of a new width start another one."""
    filled = [row for row in rows if not _is_blank(row)]
    blocks: list[list[Row]] = []
    current = 0
    for index, row in enumerate(filled):
        width = len(row)
        steady = len(filled) > index + 2 and len(filled[index + 1]) == width == len(filled[index + 2])
        if not blocks or (steady and width > 1 and width != current and len(blocks[-1]) > 2):
            blocks.append([])
            current = width
        elif steady:
            current = width
        blocks[-1].append(row)
    return blocks


def _table(rows: list[Row], text: str) -> Table:
    first, last = _header_lines(rows)
    header = _header(rows[first:last], text) if last else ()
    body = _without_repeats(rows[last:], rows[first:last])
    if any(len(row) != len(header) for row in body) and header:
        usually_filled = _usually_filled(body, len(header))
        body = [_fitted(row, len(header), usually_filled) for row in body]
    return Table(header, tuple(body))


def _usually_filled(rows: list[Row], width: int) -> set[int]:
    even = [row for row in rows if len(row) == width]
    return {column for column in range(width) if sum(bool(row[column].text) for row in even) * 10 > len(even) * 9}


def _fitted(row: Row, width: int, usually_filled: set[int]) -> Row:
    """A row as wide as the header: without a stray delimiter's empty cell or those at its end, or filled up."""
    if len(row) == width + 1:
        stray = next((column for column, cell in enumerate(row) if column in usually_filled and not cell.text), None)
        if stray is not None:
            return row[:stray] + row[stray + 1 :]
    while len(row) > width and not row[-1].text.strip():
        row = row[:-1]
    end = row[-1].span[1]
    return row + (Cell("", (end, end)),) * (width - len(row))


def _without_repeats(rows: list[Row], header: list[Row]) -> list[Row]:
    """Rows without the headings that an export repeats, and the titles right above these."""
    names = [_texts(line) for line in header]
    kept: list[Row] = []
    for row in rows:
        if names and _texts(row) in names:
            while kept and _filled(kept[-1]) < 2 <= len(header[0]):
                kept.pop()
        else:
            kept.append(row)
    return kept


def _texts(row: Row) -> list[str]:
    return [cell.text.strip() for cell in row]


def _filled(row: Row) -> int:
    return sum(1 for cell in row if cell.text.strip())


def _header_lines(rows: list[Row]) -> Span:
    """First and last-plus-one of the lines with headings; an empty range when the table has none."""
    width = median_high(len(row) for row in rows[:_SAMPLE])
    for index, row in enumerate(rows[:_MAX_PREAMBLE]):
        if len(row) == width and (_filled(row) > 1 or width == 1):
            below = rows[index + 1 : index + _SAMPLE]
            if not _is_heading(row, below):
                return (0, 0)
            last = index + 1
            while last < len(rows) - 1 and _goes_on(rows[last - 1], rows[last], rows[last + 1 : last + _SAMPLE]):
                last += 1
            return index, last
    return (0, 0)


def _is_heading(row: Row, below: list[Row]) -> bool:
    """Whether a row names columns: no data in it, and data below it or no name used again."""
    if not below or any(_is_data(cell) for cell in row):
        return False
    if _data_columns(row, below):
        return True
    names = _texts(row)
    used = {(column, text) for other in below for column, text in enumerate(_texts(other))}
    return len(set(filter(None, names))) == _filled(row) and not any(
        pair in used for pair in enumerate(names) if pair[1]
    )


def _goes_on(above: Row, row: Row, below: list[Row]) -> bool:
    """Whether the headings take another line, which stands above data."""
    if len(row) != len(above) or any(_is_data(cell) for cell in row):
        return False
    return not (row[0].text.strip() and above[0].text.strip()) and bool(_data_columns(row, below))


def _data_columns(row: Row, below: list[Row]) -> list[int]:
    """Columns that have a heading in this row and mostly data below."""
    columns = []
    for column, heading in enumerate(row):
        cells = [other[column] for other in below if column < len(other) and other[column].text.strip()]
        if heading.text.strip() and cells and sum(map(_is_number, cells)) * 2 > len(cells):
            columns.append(column)
    return columns


def _is_number(cell: Cell) -> bool:
    return _DATA.match(cell.text.strip()) is not None


def _is_data(cell: Cell) -> bool:
    return _is_number(cell) and not _YEAR.match(cell.text.strip())


def _header(lines: list[Row], text: str) -> Row:
    """One cell for each column; headings of several lines are joined, a group's name before its members."""
    if len(lines) == 1:
        return lines[0]
    return tuple(_joined(_parts(lines, column), text) for column in range(len(lines[0])))


def _parts(lines: list[Row], column: int) -> list[Cell]:
    parts = [line[column] for line in lines if line[column].text.strip()]
    top = lines[0]
    if parts and not top[column].text.strip():
        group = next((left for left in range(column, -1, -1) if top[left].text.strip()), None)
        if group is not None and any(line[group].text.strip() for line in lines[1:]):
            parts.insert(0, top[group])
    return parts or [lines[-1][column]]


def _joined(parts: list[Cell], text: str) -> Cell:
    if len(parts) == 1:
        return parts[0]
    start, end = parts[0].span[0], parts[-1].span[1]
    slices = [_inner(cell, text) for cell in parts]
    steps = ("join:" + " ".join(f"{left - start}-{right - start}" for left, right in slices),)
    return Cell(run(steps, text[start:end]), (start, end), steps)


def _inner(cell: Cell, text: str) -> Span:
    """Where the text of a cell stands without quotes and white space."""
    at = text.find(cell.text.strip(), *cell.span)
    return (at, at + len(cell.text.strip())) if at >= 0 else cell.span
