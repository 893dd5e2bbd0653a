"""Tables that are only seen in the layout of a text: headings, and the lines below them in columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from paxman.documents.document import Cell, Table
from paxman.documents.layout import NEAR, is_header
from paxman.documents.layout_lines import MAX_CHUNKS, SplitLine, lines_to_search, split_line
from paxman.lazy import lazy_pattern
from paxman.types import Span

_OVERHANG = 3
"""Letters are narrower on a printed page than in a text where all have the same width."""
_MOST_DOUBTFUL = 2
"""Lines of a table that are rows if any row follows; below more of them, it must be like one above."""
_KNOWN_ROWS = 20
_WORD = lazy_pattern(r"\S+")


def find_tables(text: str) -> tuple[Table, ...]:
    """Tables in aligned columns, pipes or tabs: headings and the lines below, with sums that stand in the columns."""
    tables = _Tables(text)
    for line, apart in _table_lines(text):
        tables.read(line, apart)
    tables.close()
    return tuple(tables.found)


def _table_lines(text: str) -> Iterator[tuple[SplitLine | None, bool]]:
    """Lines with text, each with whether a blank one, a rule or an end of page is above; None where many are blank."""
    blank = 0
    for offset, line in lines_to_search(text, "tables"):
        if line and not line.isspace():
            is_rule = _is_rule(line)
            if not is_rule:
                yield split_line(line, offset), blank > 0 or line[0] == "\f"
            blank = int(is_rule)
        elif (blank := blank + 1) == NEAR + 1:
            yield None, True


class _Header(NamedTuple):
    """The line of headings, the columns below it, and their names."""

    line: SplitLine
    columns: list[Span]
    names: tuple[Cell, ...]


class _Tables:
    """Tables found so far, and the rows of one that may go on; those after the sure ones are so only if more follow."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Table] = []
        self.header: _Header | None = None
        self.above: SplitLine | None = None
        self.before: SplitLine | None = None
        """The line right over that above."""
        self.rows: list[tuple[Cell, ...]] = []
        self.sure = 0
        self.spaced = False
        self.broken = False

    def read(self, line: SplitLine | None, apart: bool) -> None:
        before, above = self.before, self.above
        self.before, self.above = (None if apart else above), line
        row = _row(self.text, line, self.header) if self.header and line else None
        if row is None:
            self.close()
        may_begin = (row is None or self.broken) and not (before and above and _are_alike(before, above))
        if line and above and may_begin and (header := self._begun(above, line, row)):
            self.close()
            self.header, row = header, _row(self.text, line, header)
        if line and row and self.header:
            self._go_on(line, row, self.header, apart)

    def close(self) -> None:
        if self.sure and self.header:
            self.found.append(Table(self.header.names, tuple(self.rows[: self.sure]), explicit=False))
        self.header, self.rows, self.sure, self.spaced, self.broken = None, [], 0, False, False

    def _begun(self, above: SplitLine, line: SplitLine, row: tuple[Cell, ...] | None) -> _Header | None:
        """The headings that a line is the first below, or goes on with; none where a table goes on."""
        if not _is_table_header(above, line) or _is_group(above, line):
            return None
        header = _Header(above, above.chunks, _cells(self.text, above, above.chunks))
        if _row(self.text, line, header) is None:
            return None
        goes_on = row is not None and len(header.columns) < len(line.chunks) and self._is_like(row)
        return None if goes_on else header

    def _go_on(self, line: SplitLine, row: tuple[Cell, ...], header: _Header, apart: bool) -> None:
        is_doubtful = self.sure < len(self.rows)
        if not self.broken and (apart or is_doubtful) and line.text.split() == header.line.text.split():
            self.header = header._replace(line=line, columns=_moved(header, line))
            del self.rows[self.sure :]
        elif (apart or self.broken) and self.rows and _is_other(line, header):
            self.broken = True
            if len(line.chunks) > len(header.columns):
                self.close()
        else:
            self._add(line, row, apart)

    def _add(self, line: SplitLine, row: tuple[Cell, ...], apart: bool) -> None:
        count = len(line.chunks)
        is_sure = self.sure == len(self.rows) and not (count == 1 and self.rows and self._is_new(line, row, apart))
        self.spaced = bool(self.rows) and (self.spaced or (apart and (is_sure or count > 2)))
        is_row = self._is_like(row) if self.broken else is_sure or count > 2 or (count == 2 and len(row) < 4)
        self.rows.append(row)
        if is_row:
            self.sure, self.broken = len(self.rows), False
        elif len(self.rows) - self.sure > _MOST_DOUBTFUL:
            self.broken = True

    def _is_like(self, row: tuple[Cell, ...]) -> bool:
        """Whether a row has several cells, and texts and figures in the same columns as one above."""
        kinds = _kinds(row)
        known = self.rows[: min(self.sure, _KNOWN_ROWS)]
        return len(kinds) - kinds.count("") > 2 and "0" in kinds and any(_kinds(other) == kinds for other in known)

    def _is_new(self, line: SplitLine, row: tuple[Cell, ...], apart: bool) -> bool:
        """Whether a text has a label, is apart from the rows, on another page, or left of all above, as below sums."""
        if line.separators:
            return True
        own, *_ = (column for column, cell in enumerate(row) if cell.text)
        first, *others = (column for column, cell in enumerate(self.rows[-1]) if cell.text)
        return (apart and not self.spaced) or line.text[0] == "\f" or (bool(others) and own < first)


def _kinds(row: tuple[Cell, ...]) -> list[str]:
    return [cell.text and ("a" if cell.text[0].isalpha() else "0") for cell in row]


def _is_other(line: SplitLine, header: _Header) -> bool:
    """Whether a line apart from the rows of a table is none: too many cells, labels and values, or a pair elsewhere."""
    count, columns = len(line.chunks), header.columns
    labelled = sum(map(bool, line.separators or ()))
    if count == 1 or count > len(columns) or 2 * labelled > count:
        return count > 1
    if count > 2 or len(columns) < 2 * count:
        return 2 * labelled == count and len(columns) >= 2 * count
    used = {_column(chunk, columns) for chunk in line.chunks}
    is_elsewhere = len(used) < count or any(len(_covered(chunk, header)) > 1 for chunk in line.chunks)
    return labelled > 0 or line.text[0] == "\f" or is_elsewhere


def _is_table_header(line: SplitLine, below: SplitLine) -> bool:
    return is_header(line, below) and (len(below.chunks) > 1 or len(line.chunks) > 2)


def _is_group(line: SplitLine, below: SplitLine) -> bool:
    """Whether headings stand over groups of others, of which the line below has more."""
    return len(line.chunks) < len(below.chunks) and is_header(below, below)


def _are_alike(line: SplitLine, below: SplitLine) -> bool:
    """Whether two lines are rows of a form: a label and a value each, set alike."""
    return len(line.chunks) == len(below.chunks) == 2 and line.chunks[1][0] == below.chunks[1][0]


def _is_rule(text: str) -> bool:
    return not any(map(str.isalnum, text))


def _moved(header: _Header, line: SplitLine) -> list[Span]:
    """The columns below headings of the same words, where these stand; the gaps between them may be others."""
    words = _WORD.finditer(line.text)
    counts = (len(header.line.text[start:end].split()) for start, end in header.line.chunks)
    runs = ([*islice(words, count)] for count in counts)
    places = {own: (run[0].start(), run[-1].end()) for own, run in zip(header.line.chunks, runs, strict=True)}
    return [places.get(column, column) for column in header.columns]


def _row(text: str, line: SplitLine, header: _Header) -> tuple[Cell, ...] | None:
    """The chunks of a line under the columns of the header; None when it does not belong to the table."""
    if len(line.chunks) > 4 * MAX_CHUNKS or (len(line.chunks) < 2 and not _fits(line, header)):
        return None
    spans: list[Span | None] = [None] * len(header.columns)
    fields = _fields(line, header.line)
    is_full = not fields and len(line.chunks) == len(header.columns)
    for number, chunk in enumerate(line.chunks):
        column = fields.get(line.text.count("\t", 0, chunk[0])) if fields else number if is_full else None
        column = _column(chunk, header.columns) if column is None else column
        taken = spans[column]
        spans[column] = (taken[0], chunk[1]) if taken else chunk
    return tuple(_cell(text, line.offset, span) if span else Cell("", (line.offset, line.offset)) for span in spans)


def _fields(line: SplitLine, header: SplitLine) -> dict[int, int]:
    """Columns by the number of tabs before them, where both lines are parted by as many tabs."""
    tabs = header.text.count("\t")
    if not tabs or line.text.count("\t") != tabs:
        return {}
    return {header.text.count("\t", 0, start): column for column, (start, _) in enumerate(header.chunks)}


def _fits(line: SplitLine, header: _Header) -> bool:
    """A single chunk goes on a table only if it stays inside the width of one column.

    Where it starts right below a heading, it may reach a little below the next.
    """
    return len(_covered(line.chunks[0], header)) == 1


def _covered(chunk: Span, header: _Header) -> list[Span]:
    """The headings that a chunk stands below."""
    start, end = chunk
    aligned = any(left == start for left, _ in header.columns)
    reach = end - _OVERHANG if aligned else end
    return [(left, right) for left, right in header.columns if start < right and left < reach]


def _column(chunk: Span, columns: list[Span]) -> int:
    """The heading that shares most with a chunk, else the nearest."""
    distances = [max(left - chunk[1], chunk[0] - right) for left, right in columns]
    return min(range(len(columns)), key=lambda index: (distances[index], index))


def _cells(text: str, line: SplitLine, spans: Iterable[Span]) -> tuple[Cell, ...]:
    return tuple(_cell(text, line.offset, span) for span in spans)


def _cell(text: str, start: int, span: Span) -> Cell:
    """What the text itself says there, with the leader that a line has as tabs."""
    place = (start + span[0], start + span[1])
    quote = text[place[0] : place[1]]
    folded = " ".join(quote.split())
    return Cell(folded, place, () if folded == quote else ("fold",))
