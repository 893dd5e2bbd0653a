"""CSV and its relatives: one table, every cell with its place in the text and its address in the sheet."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property
from itertools import pairwise

import attrs

from paxman.documents.delimited import Dialect, Records, detect_dialect
from paxman.documents.document import Cell, Document, Pair, SheetCell, Table
from paxman.documents.encodings import as_meant, decode
from paxman.documents.reading import Limits, unreadable
from paxman.documents.source_map import byte_locator
from paxman.documents.tables import MAX_PREAMBLE, Row, is_data, make_table, table_blocks
from paxman.transforms import run
from paxman.types import Diagnostic, Severity, Span

Steps = tuple[str, ...]
_HEADINGS = re.compile(r"[^\d:]*\n[^\d]*")
_FIRST_LINE = re.compile(r"sep=(.)\r?\n")


class CsvReader:
    name = "csv"
    version = "1.0"

    def sniff(self, head: bytes, name: str | None) -> int:
        from paxman.documents.delimited import looks_like_csv

        return 50 if looks_like_csv(head) else 0

    def read(self, data: bytes, name: str | None, limits: Limits) -> Document:
        decoded = decode(data, limits=limits)
        text = as_meant(decoded.text)
        sheet = Sheet(text)
        return Document(
            "csv",
            text,
            sheet.locate,
            diagnostics=decoded.diagnostics + sheet.notes(),
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

    @property
    def _void(self) -> str:
        """What empty cells are made of."""
        return self._dialect[0].delimiter + " \t\r\n"

    @cached_property
    def _rows(self) -> list[Row]:
        """All rows but the empty ones."""
        text, (dialect, _) = self._text, self._dialect
        filled = (cells for cells in self._records if text[cells[0][0] : cells[-1][1]].strip(self._void))
        if dialect.quote not in text and not dialect.spaced:
            return [tuple([Cell(text[span[0] : span[1]], span) for span in cells]) for cells in filled]
        make = _cell_maker(text, dialect)
        return [tuple(map(make, cells)) for cells in filled]

    def locate(self, span: Span) -> SheetCell:
        """The cell that a span starts in."""
        row = max(bisect_right(self._starts, span[0]) - 1, 0)
        cells = self._records[row] if self._records else [(0, 0)]
        column = max(bisect_right([start for start, _ in cells], span[0]) - 1, 0)
        return SheetCell("", f"{column_letters(column)}{row + 1}")

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The tables, each with the places of its empty rows."""
        tables = [make_table(block, self._text) for block in table_blocks(self._rows)]
        firsts = [(table.header or table.rows[0])[0].span[0] for table in tables]
        for place, (first, end) in enumerate(pairwise([*firsts, len(self._text)])):
            empty = self._empty_starts[slice(*(bisect_right(self._empty_starts, edge) for edge in (first, end)))]
            if empty:
                starts = [row[0].span[0] for row in tables[place].rows]
                above = tuple(bisect_right(starts, start) for start in empty)
                tables[place] = attrs.evolve(tables[place], empty=above)
        return tuple(tables)

    @cached_property
    def _empty_starts(self) -> list[int]:
        """Where rows of nothing but empty cells start; a blank line is no row."""
        text, void = self._text, self._void
        several = (cells for cells in self._records if len(cells) > 1)
        return [cells[0][0] for cells in several if not text[cells[0][0] : cells[-1][1]].strip(void)]

    def notes(self) -> tuple[Diagnostic, ...]:
        """A note on cells that no heading stands above, which would go unseen."""
        long = sum(
            1 for table in self.tables if table.header for row in table.rows if _has_more_cells(row, table.header)
        )
        if not long:
            return ()
        reason = f"{long} rows have more cells than the table has columns"
        advice = "Quote cells that hold the delimiter; the cells beyond the last column belong to none"
        return (unreadable(reason, advice, Severity.WARNING, rows=long),)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Rows of one label and one value, whether above the table or all there is."""
        rows = self._rows if self._dialect[1] <= 2 else self._rows[:MAX_PREAMBLE]
        filled = ([cell for cell in row if cell.text.strip()] for row in rows)
        headings = {table.header[0].span for table in self.tables if table.header and table.rows}
        return tuple(
            Pair(row[0].text.strip().rstrip(":"), row[0].span, row[1].span)
            for row in filled
            if len(row) == 2
            and not is_data(row[0].text)
            and not (row[0].span in headings and _HEADINGS.fullmatch(f"{row[0].text}\n{row[1].text}"))
        )


def _has_more_cells(row: Row, header: Row) -> bool:
    """Whether a row goes on beyond the headings; one that was added has no place of its own."""
    added = len(header) > 1 and header[-1].span[0] == header[-2].span[1]
    return len(row) > len(header) or (added and bool(row[-1].text.strip()))


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
