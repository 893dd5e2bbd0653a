"""The words over a value: the heading of its column, or a line of its own above it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from paxman.capabilities.label_layout import under
from paxman.capabilities.label_scan import Hit
from paxman.documents.document import Document
from paxman.documents.visual_lines import VisualLines
from paxman.types import Span

_MOST_ROWS = 40
"""Rows of a table among which its headings are looked for."""


def heading_over(document: Document, start: int) -> Span | None:
    """Where the words over a value stand that begins its chunk or cell; they hold no digit."""
    if document.kind == "csv":
        return _column_head(document, start)
    page = document.rows_of_text
    number = page.line_at(start)
    line = page.line(number)
    chunk = line.chunks[page.chunk_at(start)] if line.chunks else None
    if chunk is None or chunk[0] != start:
        return None
    for upper in _above(page, number):
        over = _over(page, upper, number, chunk)
        if over is None or not _has_digit(page, over):
            return over
        if len(line.chunks) == 1:
            return None
    return None


def _above(page: VisualLines, number: int) -> Iterator[int]:
    """Lines with words or figures over a line, up to a gap of two that have none."""
    blank = 0
    for upper in range(number - 1, max(-1, number - _MOST_ROWS), -1):
        line = page.line(upper)
        blank = 0 if any(map(str.isalnum, page.text[line.start : line.end])) else blank + 1
        if blank > 1:
            return
        if not blank:
            yield upper


def _over(page: VisualLines, upper: int, lower: int, chunk: Span) -> Span | None:
    """The chunk of a line that a chunk of a lower one stands under."""
    heads = (Hit(*span, "", (), upper, 0) for span in page.line(upper).chunks)
    return next(((head.start, head.end) for head in heads if under(page, head, lower) == chunk), None)


def _has_digit(page: VisualLines, span: Span) -> bool:
    return any(map(str.isdigit, page.text[span[0] : span[1]]))


def _column_head(document: Document, start: int) -> Span | None:
    """The heading of the cell that begins at or before a place of delimited text."""
    if "column_heads" not in document.cache:
        rows = ((row, table.header) for table in document.tables for row in table.rows)
        pairs = (pair for row, header in rows for pair in zip(row, header, strict=False))
        document.cache["column_heads"] = sorted((cell.span[0], head.span) for cell, head in pairs)
    heads: list[tuple[int, Span]] = document.cache["column_heads"]
    place = bisect_right(heads, start, key=lambda head: head[0]) - 1
    return heads[place][1] if place >= 0 else None
