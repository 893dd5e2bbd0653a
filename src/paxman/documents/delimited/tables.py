"""Tables from rows of cells: where the headings are, and what is no row at all."""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs

from paxman.documents.document import Cell, Table
from paxman.lazy import lazy_pattern
from paxman.transforms import run
from paxman.types import Span

Row = tuple[Cell, ...]

MAX_PREAMBLE = 30
_SAMPLE = 60
# What stands below a heading, not in one.
_DATA = lazy_pattern(r"[-+(]?[^\w\s\"']{0,2} ?\d[\d.,:/' -]*+ ?(?:%|[^\W\d_]{0,3}|[€$£¥])\)?\Z")
# Headings of what stands in the first column of most tables.
_NAMING = lazy_pattern(
    r"(?:[\w ]*[ _])?(?:name|item|product|article|description|title|label|date|day|id|code|no|number|sku|customer"
    r"|client|vendor|supplier|account|category|type|city|country|region|artikel|bezeichnung|datum|kunde|nom|produit"
    r"|nombre)\Z",
    re.I,
)
_COUNTING = lazy_pattern(
    r"(?:[\w ]*[ _])?(?:qty|quantity|units?|hours|price|rate|cost|amount|total|value|sum|menge|anzahl|stunden|preis"
    r"|satz|betrag|summe|quantité|heures|prix|taux|montant|cantidad|horas|precio|importe|quantità|ore|prezzo|importo|aantal"
    r"|uren|prijs|bedrag)\Z",
    re.I,
)
# The number of an account, a day or a year, which is no label.
_CODE = lazy_pattern(r"[^\s\d]{0,3}\d\W?\d")
_DATE = lazy_pattern(r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}\b")
_YEAR = lazy_pattern(r"(?:19|20)\d\d(?:[-/]\d\d(?:\d\d)?)?\Z")


def table_blocks(rows: list[Row], text: str) -> list[list[Row]]:
    """Rows of each table: three records of a new width start another one, or headings apart and a last row below.

    So do headings apart over columns that hold data above them, too, and those below headings with one record.
    """
    blocks: list[list[Row]] = []
    current = 0
    has_gaps = "\n\n" in text or "\r\n\r" in text
    for index, row in enumerate(rows):
        width = len(row)
        below = rows[index + 1 : index + 3]
        steady = len(below) == 2 and len(below[0]) == width == len(below[1])
        if blocks and len(below) == 1 and len(below[0]) == width:
            steady = _are_apart(rows[index - 1], row, text) and _heads(row, below)
        wider = steady and width > 1 and width != current
        if not blocks or (wider and len(blocks[-1]) > 2) or (steady and _ends_lone(blocks[-1], rows, index, text)):
            blocks.append([])
            current = width
        elif steady:
            current = width
            if has_gaps and len(blocks[-1]) > 2 and _heads_anew(blocks[-1], rows, index, text):
                title = [blocks[-1].pop()] if _is_title(rows[index - 1]) else []
                blocks.append(title)
        blocks[-1].append(row)
    return blocks


def _ends_lone(block: list[Row], rows: list[Row], index: int, text: str) -> bool:
    """Whether a row that stands apart names columns below headings with one record; labels with values are none."""
    if len(block) != 2 or not _are_apart(block[1], rows[index], text):
        return False
    (header, record), row = block, rows[index]
    if not 1 < len(header) == len(record) == _filled(header) or not _heads(header, [record]):
        return False
    if len(header) == 2 and not _CODE.match(record[0].text.strip()) and not _names_columns(header):
        return False
    differs = len(row) != len(header) or (_names_columns(row) and _texts(row) != _texts(header))
    return differs and _filled(row) == len(row) and _heads(row, rows[index + 1 : index + _SAMPLE])


def _names_columns(row: Row) -> bool:
    """Whether the first cell names what most tables begin with, and another one what they count."""
    first, *others = _texts(row)
    return _NAMING.match(first) is not None and any(map(_COUNTING.match, others))


def _heads_anew(block: list[Row], rows: list[Row], index: int, text: str) -> bool:
    """Whether a row, apart from those above or below a title, names columns that hold data above it and below.

    The headings of its block again are none.
    """
    row, over = rows[index], rows[index - 1]
    if row[0].span[0] - over[-1].span[1] < 2 and any(cell.text for cell in over[1:]):
        return False
    titled = _is_title(over)
    if any(map(_is_data, row)) or not _are_apart(rows[index - 1 - titled], rows[index - titled], text):
        return False
    names = _texts(row)
    if len(set(names)) < len(names) or any(_texts(other) == names for other in block[:MAX_PREAMBLE]):
        return False
    above, below = rows[max(0, index - titled - _SAMPLE) : index - titled], rows[index + 1 : index + _SAMPLE]
    columns = _data_columns(row, above)
    if not columns or columns != _data_columns(row, below) or _is_small(row) > _is_small(block[0]):
        return False
    return titled or _NAMING.match(names[0]) is not None or any(map(_COUNTING.match, names[1:]))


def _is_small(row: Row) -> bool:
    """Whether a cell begins with a small letter."""
    return any(text[:1].islower() for text in _texts(row))


@attrs.define
class Changes:
    """How many rows did not become what is written."""

    stray: int = 0
    """Rows of one cell too many, without an empty one."""
    short: int = 0
    """Rows whose last cells are missing."""
    titles: int = 0
    """Rows above headings that are repeated, taken for titles."""


def make_table(rows: list[Row], text: str, changes: Changes | None = None) -> Table:
    """A table from its rows: titles above the headings, dashes below and repeated headings are left out."""
    changes = changes or Changes()
    rows = _with_whole_headings(rows)
    first, last = _header_lines(rows, text)
    header = _header(rows[first:last], text) if last else ()
    ruled = bool(header) and is_rule(_texts(rows[last]) if last < len(rows) else [])
    body = _without_repeats(rows[last + ruled :], rows[first:last], changes)
    if any(len(row) != len(header) for row in body) and header:
        width = len(header)
        even = [row for row in body if len(row) == width]
        usually_filled = {
            column for column in range(width) if sum(bool(row[column].text) for row in even) * 10 > len(even) * 9
        }
        body = [_fitted(row, len(header), usually_filled, changes) for row in body]
    return Table(header, tuple(body))


def with_wide_headings(table: Table, rows: list[Row]) -> Table:
    """A table whose headings are those of all columns they span; these are empty, and stand where the heading ends."""
    written = {cell for row in rows[:MAX_PREAMBLE] for cell in row if not cell.text}
    header: list[Cell] = []
    for cell in table.header:
        spanned = header and cell in written and cell.span[0] == header[-1].span[1] and header[-1].text
        header.append(header[-1] if spanned else cell)
    return attrs.evolve(table, header=tuple(header))


def _with_whole_headings(rows: list[Row]) -> list[Row]:
    """Rows whose first line has a heading for every cell, even where only the records end with a delimiter.

    Statistics programs write names of rows below no heading.
    """
    width = len(rows[1]) if len(rows) > 1 else 0
    if not 1 < len(rows[0]) < width or _filled(rows[0]) < len(rows[0]) or any(len(row) != width for row in rows[1:]):
        return rows
    start, end, missing = rows[0][0].span[0], rows[0][-1].span[1], width - len(rows[0])
    if not any(cell.text.strip() for row in rows[1:] for cell in row[-missing:]):
        whole = rows[0] + (Cell("", (end, end)),) * missing
    elif missing == 1 and _names_rows(rows):
        whole = (Cell("", (start, start)), *rows[0])
    elif missing == 1:
        whole = (*rows[0], Cell("", (end, end)))
    else:
        return rows
    named = _is_heading(whole, rows[1:_SAMPLE]) and not _is_heading(rows[1], rows[2:_SAMPLE])
    return [whole, *rows[1:]] if named else rows


def _names_rows(rows: list[Row]) -> bool:
    """Whether the first cells number the rows, or are names of them under headings that speak of other things."""
    firsts = [row[0].text.strip() for row in rows[1:]]
    if len(firsts) > 1 and firsts == [str(number) for number in range(1, len(rows))]:
        return True
    named = len(set(firsts)) == len(firsts) and not any(map(is_data, firsts))
    return named and not _NAMING.match(rows[0][0].text.strip(" \"'"))


def _fitted(row: Row, width: int, usually_filled: set[int], changes: Changes) -> Row:
    """A row as wide as the header: without a stray delimiter's empty cell or those at its end, or filled up."""
    if len(row) == width + 1:
        stray = next((column for column, cell in enumerate(row) if column in usually_filled and not cell.text), None)
        if stray is not None:
            changes.stray += any(cell.text.strip() for cell in row[stray + 1 :])
            return row[:stray] + row[stray + 1 :]
    filled = next((end for end in range(len(row), width, -1) if row[end - 1].text.strip()), width)
    row = row[:filled]
    changes.short += 1 < len(row) < width
    end = row[-1].span[1]
    return row + (Cell("", (end, end)),) * (width - len(row))


def _without_repeats(rows: list[Row], header: list[Row], changes: Changes) -> list[Row]:
    """Rows without the headings that an export repeats, and the titles right above these."""
    names = [_texts(line) for line in header]
    starts = {line[0] for line in names}
    kept: list[Row] = []
    for row in rows:
        if row[0].text.strip() in starts and _texts(row) in names:
            while kept and len(header[0]) > 1 and _is_title(kept[-1]):
                changes.titles += _filled(kept.pop())
        else:
            kept.append(row)
    return kept


def _is_title(row: Row) -> bool:
    """Whether only the first cell is filled; one further on continues the row above."""
    return _filled(row) == 0 or (_filled(row) == 1 and bool(row[0].text.strip()))


def _texts(row: Row) -> list[str]:
    return [cell.text.strip() for cell in row]


def _filled(row: Row) -> int:
    return sum(1 for cell in row if cell.text.strip())


def _header_lines(rows: list[Row], text: str) -> Span:
    """First and last-plus-one of the lines with headings; an empty range when the table has none."""
    widths = sorted(len(row) for row in rows[:_SAMPLE])
    width = widths[len(widths) // 2]
    if _is_wider_heading(rows, width):
        return (0, 1)
    pairs = _count_pairs(rows, width, text)
    for index, row in enumerate(rows[:MAX_PREAMBLE]):
        if index >= pairs and len(row) == width and (_filled(row) > 1 or width == 1):
            below = rows[index + 1 : index + _SAMPLE]
            if not _is_heading(row, below):
                return (0, 0)
            last = index + 1
            if _filled(row) < width:
                # Only headings with gaps take more than one line.
                while last < len(rows) - 1 and _goes_on(rows[last - 1], rows[last], rows[last + 1 : last + _SAMPLE]):
                    last += 1
            return index, last
    return (0, 0)


def _count_pairs(rows: list[Row], width: int, text: str) -> int:
    """How many rows with labels and values, and nothing in further columns, stand above headings for all columns."""
    count = next((at for at, row in enumerate(rows[:MAX_PREAMBLE]) if _filled(row[2:])), 0)
    if not count or len(rows[count]) != width or _filled(rows[count]) < width:
        return 0
    below = rows[count + 1 : count + _SAMPLE]
    if not _heads(rows[count], below):
        return 0
    return count if _are_apart(rows[count - 1], rows[count], text) or not _go_on(rows[:count], below) else 0


def _go_on(rows: list[Row], below: list[Row]) -> bool:
    """Whether the second column goes on below rows as it is in them, its heading aside; a lone value is no column."""
    kinds, others = ([_kind(row[1].text.strip()) for row in part if len(row) > 1] for part in (rows, below))
    if not others or kinds in (["number"], ["date"]):
        return False
    values = kinds[1:] if len(kinds) > 1 and kinds[0] == "text" else kinds
    return set(values) == {max(others, key=others.count)}


def _kind(text: str) -> str:
    return "text" if not is_data(text) else "date" if _DATE.match(text) else "number"


def _are_apart(above: Row, row: Row, text: str) -> bool:
    """Whether a blank line or empty row stands between rows."""
    between = text[above[-1].span[1] : row[0].span[0]]
    return max(map(between.count, "\r\n")) > 1


def _heads(row: Row, below: list[Row]) -> bool:
    """Whether a row names columns of which some hold numbers or dates."""
    return _is_heading(row, below) and bool(_data_columns(row, below))


def _is_wider_heading(rows: list[Row], width: int) -> bool:
    """Whether rows that all leave out their last cells stand below headings for these, too."""
    first, below = rows[0], rows[1:_SAMPLE]
    if not 1 < width < len(first) <= 2 * width or _filled(first) < len(first) or any(len(row) > width for row in below):
        return False
    second = rows[1]
    return _is_heading(first, below) and (any(map(_is_data, second)) or not _data_columns(second, below[1:]))


def _is_heading(row: Row, below: list[Row]) -> bool:
    """Whether a row names columns: no data in it, and data below it or no name used again below it."""
    if any(_is_data(cell) for cell in row):
        return False
    if len(row) == 1 or _data_columns(row, below):
        return bool(_data_columns(row, below))
    names = [(column, text) for column, text in enumerate(_texts(row)) if text]
    distinct = {text for _, text in names}
    used = {pair for other in below for pair in enumerate(_texts(other))}
    if len(distinct) < len(names) and (len(distinct) == 1 or any(text in distinct for _, text in used)):
        return False
    return used.isdisjoint(names)


def _goes_on(above: Row, row: Row, below: list[Row]) -> bool:
    """Whether the headings take another line, which stands above data."""
    if len(row) != len(above) or any(_is_data(cell) for cell in row):
        return False
    apart = row[0].span != above[0].span and row[0].text.strip() and above[0].text.strip()
    return not apart and bool(_data_columns(row, below))


def _data_columns(row: Row, below: list[Row]) -> list[int]:
    """Columns that have a heading in this row and mostly data below."""
    columns = []
    for column, heading in enumerate(row):
        cells = [other[column] for other in below if column < len(other) and other[column].text.strip()]
        if heading.text.strip() and cells and sum(map(_is_number, cells)) * 2 > len(cells):
            columns.append(column)
    return columns


def has_more_cells(row: Row, header: Sequence[Cell]) -> bool:
    """Whether a row goes on beyond the headings; one that was added has no place of its own."""
    added = len(header) > 1 and header[-1].span[0] == header[-2].span[1]
    return len(row) > len(header) or (added and bool(row[-1].text.strip()))


def is_rule(cells: list[str]) -> bool:
    """Whether cells are only dashes, as below headings."""
    return bool(cells) and all("-" in cell and not cell.strip(" :-") for cell in cells)


def is_data(text: str) -> bool:
    """Whether a cell holds a number, date, time, amount or percentage."""
    return _DATA.match(text.strip()) is not None


def _is_number(cell: Cell) -> bool:
    return is_data(cell.text)


def _is_data(cell: Cell) -> bool:
    return _is_number(cell) and not _YEAR.match(cell.text.strip())


def _header(lines: list[Row], text: str) -> Row:
    """One cell for each column; headings of several lines are joined, a group's name before its members."""
    if len(lines) == 1:
        return lines[0]
    return tuple(_joined(_parts(lines, column), text) for column in range(len(lines[0])))


def _parts(lines: list[Row], column: int) -> list[Cell]:
    parts = list(dict.fromkeys(line[column] for line in lines if line[column].text.strip()))
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
