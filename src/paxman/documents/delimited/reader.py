"""CSV and its relatives: one table, every cell with its place in the text and its address in the sheet."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import attrs

from paxman.documents.delimited.dialect import (
    MAX_FOOTERS,
    NAMED_DELIMITER,
    ROWS_ABOVE_FOOTER,
    detect_dialect,
    first_records,
    is_footer,
    looks_like_csv,
)
from paxman.documents.delimited.extra_cells import find_free_column
from paxman.documents.delimited.records import DelimitedDialect, Records
from paxman.documents.delimited.side_by_side import make_tables
from paxman.documents.delimited.tables import MAX_PREAMBLE, Changes, Row, has_more_cells, is_data, table_blocks
from paxman.documents.document import Cell, Document, Pair, SheetCell, Table, column_letters
from paxman.documents.encodings import as_meant, decode
from paxman.documents.reading import Limits, allowance, cut_short, remark, unreadable
from paxman.documents.source_map import byte_locator
from paxman.transforms import run
from paxman.types import Diagnostic, Severity, Span

if TYPE_CHECKING:
    from paxman.documents.delimited.extra_cells import FreeColumn

Steps = tuple[str, ...]
_HEADINGS = re.compile(r"[^\d:]*\n[^\d]*")
_RECORDS_AT_LEAST = 10
"""A record may hold no more than this part of the cells that are allowed."""
_SAMPLE = 60
_HEAD_ALL = "Write a heading above every column"
_QUOTE = "Quote cells that hold the delimiter"
_ODD_ROWS = (
    (
        "have more cells than the table has columns; their last cells belong to no column, though others may be extra",
        _QUOTE,
    ),
    (
        "have one cell more than there are headings; the first one was taken for their name",
        f"{_HEAD_ALL}, or quote cells that hold the delimiter",
    ),
    ("have one cell more than the table has columns; an empty one was left out, though another may be extra", _QUOTE),
    (
        "have fewer cells than the table has columns; the last columns were left empty, though others may be meant",
        "Write a delimiter for every cell, also for empty ones",
    ),
    ("above headings that are repeated were taken for titles and left out", "Leave the repeated headings out"),
    ("below the table have no delimiter and were left out of it", "Write a delimiter for every cell of a row"),
)
_FORMULA = re.compile(r'="(?>(?:[^"]|"")*)"\s*\Z')
# Double quotes that do not stand for half as many: an odd number, or the quotes of an empty text.
_NOT_DOUBLED = re.compile(r'(?<!")"(?>(?:"")*)(?!")|(?<![\w"])"++(?!\w)')


class CsvReader:
    name = "csv"
    version = "1.0"

    def sniff(self, head: bytes, name: str | None) -> int:
        return 50 if looks_like_csv(head) else 0

    def read(self, data: bytes, name: str | None, limits: Limits) -> Document:
        decoded = decode(data, limits=limits)
        sheet = Sheet(as_meant(decoded.text), limits)
        return Document(
            "csv",
            sheet.text,
            sheet.locate,
            diagnostics=decoded.diagnostics + sheet.notes(),
            build_tables=lambda: sheet.tables,
            build_pairs=lambda: sheet.pairs,
            byte_range=byte_locator(decoded.offset),
        )


class Sheet:
    """A delimited text as rows of cells."""

    def __init__(self, text: str, limits: Limits) -> None:
        self.text = text
        """What was read of it."""
        named = NAMED_DELIMITER.match(text)
        found = detect_dialect(text, named[1]) if named else detect_dialect(text)
        self._dialect, self._width = found or detect_dialect(text, " ") or (DelimitedDialect(), 1)
        self._firsts = array("Q")
        """For each record, how many cells stand before it."""
        self._starts = array("Q")
        """Where cells start."""
        self._empty_starts: list[int] = []
        """Where rows of nothing but empty cells start; a blank line is no row."""
        self._end = 0
        """Where the last record that was read ends."""
        self._free = _find_free_column(text, self._dialect, self._width)
        self._rows: list[Row] = []
        """All rows but the empty ones."""
        self._changes = Changes()
        self._cut = self._read(limits)
        if self._dialect.quote == "'" and '""' in text:
            self._rows = _with_double_quotes(self._rows, text)
        if self._cut:
            self.text = text[: self._end]
        self._asides = self._find_asides()
        """Where rules and comments between rows start."""
        if self._asides:
            self._rows = [row for row in self._rows if _start(row) not in self._asides]

    def _find_asides(self) -> set[int]:
        """Lines of too few cells, right below others, that are drawn or, where no row does so, begin with a sign."""
        found = {
            _start(row)
            for above, row in pairwise(self._rows)
            if len(row) < self._width
            and _is_aside(self.text[_start(row) : row[-1].span[1]])
            and self.text.count("\n", above[-1].span[1], _start(row)) < 2
        }
        comments = {start for start in found if self.text[start] == "#"}
        used = comments and any(len(row) == self._width and self.text[_start(row)] == "#" for row in self._rows)
        return found - comments if used else found

    def _read(self, limits: Limits) -> str | None:
        """Takes record after record; the limit that is reached before the end, if any."""
        text, dialect = self.text, self._dialect
        void = dialect.delimiter + " \t\r\n"
        plain = dialect.quote not in text and not dialect.spaced
        make = _cell_maker(text, dialect)
        left = allowance(limits)
        across = limits.max_cells // _RECORDS_AT_LEAST
        # The rest is for the tables.
        work = left.work(60)
        records: Iterable[list[Span]] = Records(text, dialect, self._width, across)
        for cells in work.over(self._free.join(records) if self._free else records, 10):
            self._firsts.append(len(self._starts))
            self._starts.extend([start for start, _ in cells])
            self._end = cells[-1][1]
            if text[cells[0][0] : cells[-1][1]].strip(void):
                made = [Cell(text[span[0] : span[1]], span) for span in cells] if plain else map(make, cells)
                self._rows.append(tuple(made))
            elif len(cells) > 1:
                self._empty_starts.append(cells[0][0])
            if len(cells) > across or len(self._starts) > left.cells:
                left.cells = 0
                return "max_cells"
        left.cells -= len(self._starts)
        return "max_steps" if work.is_over else None

    def locate(self, span: Span) -> SheetCell:
        """The cell that a span starts in."""
        cell = max(bisect_right(self._starts, span[0]) - 1, 0)
        row = max(bisect_right(self._firsts, cell) - 1, 0)
        first = self._firsts[row] if self._firsts else 0
        return SheetCell("", f"{column_letters(cell - first)}{row + 1}")

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The tables, each with the places of its empty rows."""
        rows = self._rows[: len(self._rows) - self._footers] if self._footers else self._rows
        made = (make_tables(block, self.text, self._changes) for block in table_blocks(rows, self.text))
        tables = [_without_signs(table) for block in made for table in block]
        firsts = [(table.header or table.rows[0])[0].span[0] for table in tables]
        for place, (first, end) in enumerate(pairwise([*firsts, len(self.text)])):
            empty = self._empty_starts[slice(*(bisect_right(self._empty_starts, edge) for edge in (first, end)))]
            if empty:
                starts = [row[0].span[0] for row in tables[place].rows]
                above = tuple(bisect_right(starts, start) for start in empty)
                tables[place] = attrs.evolve(tables[place], empty=above)
        return tuple(tables)

    @cached_property
    def _footers(self) -> int:
        """How many lines below rows with a cell for each of several columns are remarks on them."""
        near = self._rows[: -MAX_FOOTERS - 2 : -1]
        count = next((index for index, row in enumerate(near) if len(row) > 1 or not is_footer(row[0].text)), 0)
        widths = [len(row) for row in self._rows[: len(self._rows) - count]] if count and self._width > 2 else []
        first = widths.index(self._width) if self._width in widths else 0
        return count if set(widths[first:]) == {self._width} and len(widths) - first >= ROWS_ABOVE_FOOTER else 0

    def notes(self) -> tuple[Diagnostic, ...]:
        """Notes on a text that is cut off, and on rows and headings that do not fit each other."""
        notes = [cut_short(f"the first {len(self._firsts)} rows were read", self._cut)] if self._cut else []
        headed = [table for table in self.tables if table.header]
        long = sum(1 for table in headed for row in table.rows if has_more_cells(row, table.header))
        # A heading was added in front of the others; it has no place of its own.
        named = sum(
            len(table.rows)
            for table in headed
            if len(table.header) > 1 and table.header[0].span == (table.header[1].span[0],) * 2
        )
        counts = (long, named, self._changes.stray, self._changes.short, self._changes.titles, self._footers)
        for rows, (reason, advice) in zip(counts, _ODD_ROWS, strict=True):
            if rows:
                notes.append(unreadable(f"{rows} rows {reason}", advice, Severity.WARNING, rows=rows))
        if self._asides:
            count = len(self._asides)
            reason = f"{count} {'line is a rule or comment' if count == 1 else 'lines are rules or comments'}"
            notes.append(remark(f"{reason} and no row", "Quote what is a cell", rows=count))
        if self._free and self._free.joined:
            rows, column = self._free.joined, column_letters(self._free.column)
            reason = f"{rows} rows have more cells than the table has columns; those too many were joined in {column}"
            notes.append(unreadable(reason, _QUOTE, Severity.WARNING, rows=rows))
        if any(map(self._has_short_first_row, self.tables)):
            reason = "the first row has fewer cells than those below it and was not taken for headings"
            notes.append(unreadable(reason, _HEAD_ALL, Severity.WARNING))
        return tuple(notes)

    def _has_short_first_row(self, table: Table) -> bool:
        """Whether a row of names is shorter than the rows below it, of which the first may be the headings."""
        if not table.header:
            return len(table.rows) > 1 and _are_short_names(table.rows[0], table.rows[1:])
        above = bisect_right(self._rows, table.header[0].span[0], key=_start) - 2
        if above < 0 or self.text.count("\n", self._rows[above][-1].span[1], table.header[0].span[0]) > 1:
            return False
        rows = (table.header, *table.rows)
        sure = any(is_data(cell.text) for row in table.rows[:_SAMPLE] for cell in row)
        return not sure and _are_short_names(self._rows[above], rows)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Rows of one label and one value, whether above the table or all there is."""
        rows = self._rows if self._width <= 2 else self._rows[:MAX_PREAMBLE]
        filled = ([cell for cell in row if cell.text.strip()] for row in rows)
        headings = {table.header[0].span for table in self.tables if table.header and table.rows}
        return tuple(
            Pair(row[0].text.strip().rstrip(":"), row[0].span, _unquoted(row[1], self.text))
            for row in filled
            if len(row) == 2
            and not is_data(row[0].text)
            and not (row[0].span in headings and _HEADINGS.fullmatch(f"{row[0].text}\n{row[1].text}"))
        )


def _is_aside(line: str) -> bool:
    """Whether a line has no letter or digit, or is a comment; a number may have a sign before it."""
    if line[:1] == "#":
        return not line[1:2].isdigit()
    return not any(map(str.isalnum, line))


def _unquoted(cell: Cell, text: str) -> Span:
    """The place of a cell, without quotes that do no more than hold it."""
    at = text.find(cell.text, *cell.span) if cell.transforms else -1
    return (at, at + len(cell.text)) if at >= 0 else cell.span


def _find_free_column(text: str, dialect: DelimitedDialect, width: int) -> FreeColumn | None:
    records = first_records(text, dialect, width)
    if not any(len(cells) > width for cells in records):
        return None
    return find_free_column(text, dialect, width, records)


def _without_signs(table: Table) -> Table:
    """A table whose headings all have a sign before them, which is none for "number" then, without these."""
    header = table.header
    if len(header) < 2 or not all(cell.text[:1] == "#" and cell.text[1:2].isalpha() for cell in header):
        return table
    bare = (Cell(cell.text[1:], cell.span, (*cell.transforms, f"slice:1-{len(cell.text)}")) for cell in header)
    return attrs.evolve(table, header=tuple(bare))


def _are_short_names(first: Row, rows: tuple[Row, ...]) -> bool:
    if not 1 < len(first) < min(map(len, rows)):
        return False
    return all(cell.text.strip() and not is_data(cell.text) for cell in first)


def _start(row: Row) -> int:
    return row[0].span[0]


def _cell_maker(text: str, dialect: DelimitedDialect) -> Callable[[Span], Cell]:
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
            taken = (*steps, 'unescape:"') if quote == '"' and not escapes and _escapes_quotes(bare[1:-1]) else steps
            return Cell(run(taken, raw), (start, end), taken)
        return Cell(raw, (start, end))

    return (lambda span: _without_formula(make(span))) if '="' in text and quote == '"' else make


def _escapes_quotes(inside: str) -> bool:
    """Whether all double quotes in a quoted cell that are not doubled have a backslash before them."""
    if '\\"' not in inside:
        return False
    single = inside.replace('""', "")
    return 0 < single.count('"') == single.count('\\"')


def _without_formula(cell: Cell) -> Cell:
    """A cell without what spreadsheet programs take as a formula of nothing but a text, to keep its zeros."""
    if cell.text[:2] != '="' or not _FORMULA.match(cell.text):
        return cell
    steps = (f"slice:1-{len(cell.text)}", 'unquote:"')
    return Cell(run(steps, cell.text), cell.span, (*cell.transforms, *steps))


def _with_double_quotes(rows: list[Row], text: str) -> list[Row]:
    """Rows where two double quotes in cells with other quotes are one, if no such cell has them otherwise."""
    if any(cell.transforms and _NOT_DOUBLED.search(cell.text) for row in rows for cell in row):
        return rows
    return [tuple(_with_double_quote(cell, text) for cell in row) for row in rows]


def _with_double_quote(cell: Cell, text: str) -> Cell:
    if not (cell.transforms and '""' in cell.text):
        return cell
    steps = (f'{cell.transforms[0]}"', *cell.transforms[1:])
    return Cell(run(steps, text[slice(*cell.span)]), cell.span, steps)
