"""Headings of something else, below which the rows of a table do not go on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from paxman.capabilities.table_lines import Layout, Row, cells_at, text_at
from paxman.capabilities.table_sums import terms_of
from paxman.documents.figures import has_digits, is_number
from paxman.documents.heading_words import tokens_of
from paxman.documents.headings import Cell, begins_page
from paxman.documents.visual_lines import VisualLines

MOST_ALIKE = 5
MOST_SEEN = 20
"""Rows above a line that tell how rows are set."""


def goes_over(page: VisualLines, index: int) -> bool:
    """Whether the first line of a page may go on with a text: it is one, in small letters, without figures or signs."""
    chunks = page.line(index).chunks
    text = page.text[slice(*chunks[0])] if len(chunks) == 1 else ""
    return text[:1].islower() and all(sign.isalpha() or sign in _PLAIN for sign in text)


_PLAIN = frozenset(" ,-()/")


def has_gap(row: Row) -> bool:
    """Whether a blank line, or one that parts others, stands below a row."""
    return not all(cells for _, cells in row.lines)


def is_other_heading(layout: Layout, cells: list[Cell]) -> bool:
    """Two or more known labels side by side, and no number but the rate of a tax."""
    texts = [_RATE.sub("", text_at(layout, cell)) for cell in cells]
    if len(texts) < 2 or any(any(map(str.isdigit, text)) for text in texts):
        return False
    return sum(bool(terms_of(text)) for text in texts) > 1


_RATE = re.compile(r"(?:\A|(?<=[^\W\d_]))[ .:@(]{0,3}\d{1,2}(?:[.,]\d{1,3})? ?%\)?\Z")


def is_new_heading(layout: Layout, index: int, cells: list[Cell], rows: Sequence[Row]) -> bool:
    """Whether words stand where rows above and a line below have numbers: known ones, or all below a rare gap."""
    page, texts = layout.page, {text_at(layout, cell) for cell in cells}
    if not 1 < len(texts) == len(cells) or any(has_digits(page.text, (cell.start, cell.end)) for cell in cells):
        return False
    above = Counter(column for row in rows[-MOST_ALIKE:] for column in _figures(layout, row.lines[0][1]))
    headed = {cell.column for cell in cells if 2 * above[cell.column] > min(len(rows), MOST_ALIKE)}
    lines = range(index + 1, min(index + 3, len(page)))
    below = next(filter(None, (_figures(layout, cells_at(layout, at)) for at in lines)), set[int]())
    if cells[0].column == layout.first and headed and headed <= below:
        known = [cell.column for cell in cells[1:] if is_known(layout, cell)]
        is_titled = len(page.line(index - 1).chunks) == 1
        if headed <= set(known) and (len(known) > 1 or _is_apart(page, index - is_titled)):
            return True
    gaps = sum(map(has_gap, rows[-MOST_SEEN:-1]))
    if not _is_apart(page, index) or 2 * gaps >= min(len(rows), MOST_SEEN):
        return False
    return 2 < len(cells) <= len(headed) + 1 and len(below) > 1


def _is_apart(page: VisualLines, index: int) -> bool:
    """Whether a line is the first of a page or stands below a blank one."""
    return not page.line(index - 1).chunks or begins_page(page, index)


def is_known(layout: Layout, cell: Cell) -> bool:
    """Whether a cell is a heading as a whole."""
    tokens = tokens_of(text_at(layout, cell))
    known = any(hit.last - hit.first == len(tokens) for hit in layout.vocabulary.hits(tokens))
    return known and not layout.page.text[cell.start].islower()


def _figures(layout: Layout, cells: list[Cell]) -> set[int]:
    """The columns in which a line has numbers."""
    return {cell.column for cell in cells if is_number(text_at(layout, cell))}
