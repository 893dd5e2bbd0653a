"""Office documents: spreadsheets as sheets of cells, texts as paragraphs and tables, presentations as slides."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, groupby, pairwise
from operator import itemgetter
from typing import Any
from urllib.parse import unquote

import attrs

from paxman.documents.archive import checked_members, is_office
from paxman.documents.delimited.side_by_side import make_tables
from paxman.documents.delimited.tables import Row, is_data, make_table, with_wide_headings
from paxman.documents.document import Cell, Document, Mark, NodePath, PageSpan, Pair, SheetCell, Table, column_letters
from paxman.documents.marks import tidy_marks
from paxman.documents.nesting import NestedPart, join_documents
from paxman.documents.office.writer import attribute, local_name, member, parse_xml
from paxman.documents.reading import (
    Limits,
    allowance,
    built_in,
    cut_short,
    read_document,
    remark,
    struck_out,
    unreadable,
)
from paxman.documents.sandbox.helper import UnreadableError, describe
from paxman.documents.sandbox.pool import Reply, require, run, unreadable_document
from paxman.types import Diagnostic, Severity, Span

_OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BOOK = b"mimetypeapplication/epub+zip"
_OPEN = b"mimetypeapplication/vnd.oasis.opendocument"
_MARKS = (b"[Content_Types].xml", b"xl/", b"word/", b"ppt/", _OPEN, _BOOK)
_NAMES = tuple(".xlsx .xlsm .xlsb .xls .ods .docx .docm .odt .pptx .pptm .ppsx .odp .epub".split())
_FLOWING = {"docx": "docx", "pptx": "pptx", "odt": "odf", "odp": "odf"}
"""Kinds that are read line by line, and the jobs that do so."""
_FORM_ROWS = 200
"""Rows of a sheet in which labels with values are looked for; long sheets are tables."""


class OfficeReader:
    name = "office"
    version = "1.0"

    def sniff(self, head: bytes, name: str | None) -> int:
        if head.startswith(_OLD):
            return 90
        if not head.startswith(b"PK\x03\x04"):
            return 0
        named = name is not None and name.lower().endswith(_NAMES)
        return 90 if named or any(mark in head for mark in _MARKS) else 0

    def read(self, data: bytes, name: str | None, limits: Limits) -> Document:
        try:
            kind = _old_kind(data) if data.startswith(_OLD) else _kind(data, limits)
            if kind == "sheets":
                require("office")
                return _spreadsheet(run("sheets", data, attrs.asdict(limits), limits))
            if kind == "epub":
                return read_book(data, limits)
            if kind in _FLOWING:
                return _flowing_document(kind, run(_FLOWING[kind], data, attrs.asdict(limits), limits))
        except UnreadableError as error:
            return unreadable_document("office", error)
        return built_in("archive").read(data, name, limits)


def _old_kind(data: bytes) -> str:
    """Old files are containers that name their streams in UTF-16."""
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise UnreadableError("the document is protected with a password", "Save a copy without it and read that")
    if "WordDocument".encode("utf-16-le") in data:
        raise UnreadableError("this is a Word document of the old kind", "Save it as DOCX or PDF and read that")
    if "PowerPoint Document".encode("utf-16-le") in data:
        raise UnreadableError("this is a presentation of the old kind", "Save it as PPTX or PDF and read that")
    return "sheets"


def _kind(data: bytes, limits: Limits) -> str:
    names = {member.filename for member in checked_members(data, limits)}
    if _BOOK in data[:100]:
        return "epub"
    if "word/document.xml" in names:
        return "docx"
    if "ppt/presentation.xml" in names:
        return "pptx"
    for kind, name in (("odt", b"opendocument.text"), ("odp", b"opendocument.presentation")):
        if name in data[:200]:
            return kind
    if any(name.startswith("xl/workbook.") for name in names) or b"opendocument.spreadsheet" in data[:200]:
        return "sheets"
    if is_office(names):
        raise UnreadableError("this kind of office document is not read", "Save it as PDF, DOCX, XLSX or PPTX")
    return "archive"


def _spreadsheet(reply: Reply) -> Document:
    texts = [block.decode() for block in reply.blocks]
    book = _Book(reply.meta["sheets"], texts)
    return Document(
        "spreadsheet",
        book.text,
        book.locate,
        diagnostics=tuple(_cut_notes(reply.meta)),
        build_tables=lambda: tuple(table for sheet in book.sheets for table in sheet.tables(book.text)),
        build_pairs=lambda: tuple(pair for sheet in book.sheets for pair in sheet.pairs()),
    )


def _cut_notes(meta: dict[str, Any]) -> Iterator[Diagnostic]:
    if meta["cut"]:
        advice = "Allow more with Limits(max_text_chars=...)"
        yield unreadable("the text of the spreadsheet was cut", advice, Severity.WARNING)
    if count := meta["unsolved"]:
        reason = f"{count} {'cell holds a formula' if count == 1 else 'cells hold formulas'} without a stored result"
        yield unreadable(reason, "Open and save it with a spreadsheet program", Severity.WARNING, cells=count)
    if count := meta["broken"]:
        reason = f"{count} {'cell holds an error' if count == 1 else 'cells hold errors'} such as #REF! and no value"
        yield unreadable(reason, "Mend its formulas with a spreadsheet program", Severity.WARNING, cells=count)
    for name in meta["hidden"]:
        reason = f"the sheet {name!r} is hidden, and was read like the others"
        yield remark(reason, "Delete it if it does not belong to the document", sheet=name)
    for name, rows in meta["hidden_rows"]:
        if rows:
            yield _hidden_rows(name, [row + 1 for row in rows])
    for name, repeated in meta["far"]:
        reason = f"cells of the sheet {name!r} are far from the others; all were read, not the emptiness between them"
        if repeated:
            reason = f"the sheet {name!r} repeats rows or cells {repeated:,} times more; they were read once"
        yield remark(reason, "Delete what does not belong to the document", Severity.WARNING, sheet=name)
    for name in meta["large"]:
        reason = f"the sheet {name!r} has too many cells between its first and its last, so its last rows were left out"
        yield unreadable(reason, "Delete empty rows and columns, or split the sheet", Severity.WARNING, sheet=name)


def _hidden_rows(sheet: str, rows: list[int]) -> Diagnostic:
    one, many = f"row {rows[0]} is", f"{len(rows)} rows from row {rows[0]} on are"
    reason = f"{one if len(rows) == 1 else many} hidden in the sheet {sheet!r}, and read like the others"
    advice = "Delete what does not belong to the document"
    return remark(reason, advice, sheet=sheet, rows=len(rows))


@attrs.define(slots=False, eq=False)
class _Sheet:
    """A sheet: where its text starts in that of the book, its first column, and rows by the line where they start."""

    name: str
    column: int
    numbers: list[tuple[int, int]]
    merged: list[tuple[int, int, int]]
    columns: list[tuple[int, int]]
    text: str
    start: int

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *accumulate(len(line) + 1 for line in self.text.split("\n"))]

    def locate(self, position: int) -> SheetCell:
        line = max(bisect_right(self._line_starts, position) - 1, 0)
        column = self.text.count("\t", self._line_starts[line], position)
        start, row = self.numbers[bisect_right(self.numbers, line, key=itemgetter(0)) - 1]
        first, stood = self.columns[bisect_right(self.columns, self.column + column, key=itemgetter(0)) - 1]
        return SheetCell(self.name, f"{column_letters(stood + self.column + column - first)}{row + line - start + 1}")

    def rows(self, count: int = -1) -> list[Row]:
        rows, start = [], self.start
        for line in self.text.split("\n", count)[: count if count > 0 else None]:
            cells = []
            for text in line.split("\t"):
                end = start + len(text)
                cells.append(Cell(text, (start, end)))
                start = end + 1
            rows.append(tuple(cells))
        return rows

    def tables(self, text: str) -> list[Table]:
        """One for each block of rows below headings; a blank row inside a table does not end it."""
        tables: list[Table] = []
        lines = self.rows()
        merged = dict(self._merged_cells(lines)) if self.merged else {}
        for is_blank, block in groupby(lines, key=lambda row: not any(cell.text for cell in row)):
            rows = list(block)
            if is_blank or not any(sum(1 for cell in row if cell.text) > 1 for row in rows):
                continue
            made = [attrs.evolve(table, name=self.name) for table in make_tables(rows, text)]
            if tables and len(made) == 1 and not made[0].header:
                above = tables.pop()
                made = [attrs.evolve(above, rows=above.rows + made[0].rows)]
            tables += made
        return [_with_merged(table, merged, text) for table in tables] if merged else tables

    def _merged_cells(self, lines: list[Row]) -> Iterator[tuple[int, Span]]:
        """Places of cells that go on with one above, and the place of its text."""
        numbers, room = self._row_numbers(len(lines)), len(self.text) + 1
        columns = range(self.column, self.column + max(map(len, lines)))
        for top, column, bottom in (each for each in self.merged if each[1] in columns):
            first, last = bisect_left(numbers, top), bisect_right(numbers, bottom)
            # Ranges do not overlap, unless they mean harm.
            room -= last - first
            if room < 0:
                return
            cells = [row[column - self.column] for row in lines[first:last] if column - self.column < len(row)]
            for cell in cells[1:]:
                yield cell.span[0], cells[0].span

    def _row_numbers(self, lines: int) -> list[int]:
        """The row of the sheet that each line shows."""
        ends = [*(start for start, _ in self.numbers[1:]), lines]
        runs = zip(self.numbers, ends, strict=True)
        return [row + line - start for (start, row), end in runs for line in range(start, end)]

    def pairs(self) -> list[Pair]:
        """Labels with the value in the next filled cell, in the rows that are not those of a wide table."""
        filled = ([cell for cell in row if cell.text.strip()] for row in self.rows(_FORM_ROWS))
        return [pair for cells in filled for pair in _row_pairs(cells)]


def _row_pairs(cells: list[Cell]) -> Iterator[Pair]:
    labels, values = cells[::2], cells[1::2]
    is_form = len(cells) == 2 or (len(cells) == 4 and any(is_data(cell.text) for cell in values))
    is_form = is_form and not any(is_data(cell.text) for cell in labels)
    for place, (label, value) in enumerate(pairwise(cells)):
        if (is_form and place % 2 == 0) or label.text.rstrip().endswith(":"):
            yield Pair(label.text.strip().rstrip(": "), label.span, value.span)


class _Book:
    """The sheets of a workbook, one after the other."""

    def __init__(
        self,
        heads: Sequence[tuple[str, int, list[tuple[int, int]], list[tuple[int, int, int]], list[tuple[int, int]]]],
        texts: list[str],
    ) -> None:
        self.text = "\n".join(texts)
        self._starts = [0, *accumulate(len(text) + 1 for text in texts)]
        placed = zip(heads, texts, self._starts, strict=False)
        self.sheets = [_Sheet(*head, text, start) for head, text, start in placed]

    def locate(self, span: Span) -> SheetCell:
        """The cell that a span starts in."""
        if not self.sheets:
            return SheetCell("", "A1")
        sheet = self.sheets[min(max(bisect_right(self._starts, span[0]) - 1, 0), len(self.sheets) - 1)]
        return sheet.locate(span[0] - sheet.start)


def _flowing_document(kind: str, reply: Reply) -> Document:
    text = reply.blocks[0].decode()
    starts = [start for start, _ in reply.meta["places"]]
    paths = [path for _, path in reply.meta["places"]]

    def locate(span: Span) -> NodePath:
        return NodePath(paths[max(bisect_right(starts, span[0]) - 1, 0)] if paths else "/")

    return Document(
        kind,
        text,
        locate,
        pages=tuple(PageSpan(number, (start, end)) for number, start, end in reply.meta["pages"]),
        diagnostics=tuple(_text_notes(text, reply.meta)),
        build_tables=lambda: _word_tables(reply.meta, text),
        build_marks=lambda: tidy_marks(text, (Mark(kind, (a, b), level) for kind, a, b, level in reply.meta["marks"])),
    )


def _text_notes(text: str, meta: dict[str, Any]) -> Iterator[Diagnostic]:
    if not text.strip():
        yield unreadable("the document holds no text", "Check that this is the right file", Severity.WARNING)
    if meta["struck"]:
        yield struck_out(meta["struck"])
    for number in meta.get("hidden", ()):
        yield remark(
            f"slide {number} is hidden, and was read like the others", "Delete it if it does not belong", page=number
        )
    read, count = len(meta["pages"]), meta.get("count", 0)
    if count > read:
        yield cut_short(f"the first {read} of {count} slides were read", "max_pages", Severity.WARNING)


def _word_tables(meta: dict[str, Any], text: str) -> tuple[Table, ...]:
    merged = {place: (start, end) for place, (start, end) in meta["merged"]}
    grids = (
        [tuple(Cell(text[start:end], (start, end)) for start, end in row) for row in rows]
        for rows in meta["tables"]
        if len(rows) > 1
    )
    tables = (with_wide_headings(make_table(rows, text), rows) for rows in grids)
    return tuple(_with_merged(table, merged, text) for table in tables)


def _with_merged(table: Table, merged: dict[int, Span], text: str) -> Table:
    """A table with what is merged downward in each row it reaches; `merged` has its place by that of the empty cell."""
    if not merged or not table.rows:
        return table
    first = table.rows[0][0].span[0]
    return attrs.evolve(table, rows=tuple(_filled_down(row, merged, first, text) for row in table.rows))


def _filled_down(row: Row, merged: dict[int, Span], first: int, text: str) -> Row:
    """A row with the cells that go on from above, but not from the headings, which end at `first`.

    Columns that such a cell also spans stand at the same place.
    """
    cells = []
    for cell, left in zip(row, (None, *row), strict=False):
        span = None if cell.text or (left and left.span == cell.span) else merged.get(cell.span[0])
        cells.append(Cell(text[slice(*span)], span) if span and span[0] >= first else cell)
    return tuple(cells)


_CONTAINER = "META-INF/container.xml"
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    SyntaxError,
    KeyError,
    ValueError,
    NotImplementedError,
    RuntimeError,
)
_PAGES = ("application/xhtml+xml", "text/html")


def read_book(data: bytes, limits: Limits) -> Document:
    """A document from the pages of a book; raises UnreadableError if it does not say which these are."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = [*_parts(archive, limits)]
    except _BROKEN as error:
        advice = "It may be cut off or damaged: fetch it again"
        raise UnreadableError(f"this is not a book that can be read ({describe(error)})", advice) from None
    if not parts:
        raise UnreadableError("the book lists no pages", "Check that this is the right file")
    return join_documents("epub", parts)


def _parts(archive: zipfile.ZipFile, limits: Limits) -> Iterator[NestedPart]:
    left, room = allowance(limits), limits.max_text_chars
    for name in _spine(archive, left.unpacked_bytes)[: left.parts]:
        content = member(archive, name, max(left.unpacked_bytes, 0))
        left.unpacked_bytes -= len(content)
        within = attrs.evolve(limits, max_nesting=limits.max_nesting - 1, max_text_chars=max(room, 0))
        yield NestedPart(name, document := read_document(content, "page.xhtml", limits=within))
        room -= len(document.text) + 1


def _spine(archive: zipfile.ZipFile, room: int) -> list[str]:
    """The pages, but for those that are only looked up."""
    container = parse_xml(member(archive, _CONTAINER, room))
    package = next((attribute(each, "full-path") for each in container.iter() if local_name(each) == "rootfile"), "")
    folder, root = posixpath.dirname(package), parse_xml(member(archive, package, room))
    items = [each for each in root.iter() if local_name(each) == "item" and attribute(each, "media-type") in _PAGES]
    paths = {attribute(each, "id"): posixpath.join(folder, unquote(attribute(each, "href"))) for each in items}
    listed = (each for each in root.iter() if local_name(each) == "itemref" and attribute(each, "linear") != "no")
    names = [posixpath.normpath(paths.get(attribute(each, "idref"), "")) for each in listed]
    return [name for name in names if name in archive.namelist()]
