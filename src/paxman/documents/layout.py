"""What the layout of a text says: labels with their values, and tables.

Works on any text that keeps visual lines and column gaps, so that every capability sees the same pairs and tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from paxman.documents.document import Cell, Pair, Table
from paxman.documents.layout_lines import (
    COLON,
    MAX_CHUNKS,
    MAX_LABEL,
    Line,
    Separator,
    find_separator,
    lines_in_time,
    split_line,
)
from paxman.lazy import lazy_pattern
from paxman.types import Span

_SHORT_LINE = 48
_OVERHANG = 3
"""Letters are narrower on a printed page than in a text where all have the same width."""
_MOST_DOUBTFUL = 2
"""Lines of a table that are rows if any row follows; below more of them, it must be like one above."""
_KNOWN_ROWS = 20
_NEAR = 2
"""Blank lines that may stand between a label and the value below it."""

_NO_LABEL = lazy_pattern(r"[;!?]|\d\D*\d\D*\d")
_TOKEN = lazy_pattern(r"\s*(\S+)")
_LABEL_AFTER_VALUE = lazy_pattern(r"\d[^\s\d]{0,3} ([^\W\d][^\s\d:]{0,24}(?: [^\W\d][^\s\d:]{0,24})?) ?\Z")
_UNIT = lazy_pattern(r"(?:[^\W\d_]{1,3}\.?|[^\w\s]{1,2}|[A-Za-z]{1,2}\$)\Z")
_AMOUNT = lazy_pattern(r"[-+(]?\d[\d.,']*[)-]?\Z")


def find_pairs(text: str) -> tuple[Pair, ...]:
    """Labels with the value that stands beside or below them, in the order of the labels."""
    pairs: list[Pair] = []
    above: Line | None = None
    for line in _lines(text):
        if above:
            _add_pairs(above, line, pairs)
        above = line
    if above:
        _add_pairs(above, None, pairs)
    return tuple(pairs)


def between_rows(pairs: Iterable[Pair], rows: Iterable[Sequence[Span]]) -> Iterator[Pair]:
    """Pairs without those from a label with an empty cell beside it to the label of another row of two cells."""
    known = [row for row in rows if len(row) == 2]
    labels = {label[0] for label, _ in known}
    empty = {label[0] for label, value in known if value[0] == value[1]}
    return (pair for pair in pairs if pair.label_span[0] not in empty or pair.value_span[0] not in labels)


def _lines(text: str) -> Iterator[Line | None]:
    """Lines that may hold a label or the value of the line above; None where the chain of lines breaks."""
    signs = _has_signs(text)
    blank = 0
    open_label = False
    for offset, line in lines_in_time(text, "labels"):
        promising = _may_hold_pair(line)
        if (promising or open_label) and line and not line.isspace():
            split = split_line(line, offset, signs)
            yield split if len(split.chunks) <= MAX_CHUNKS else None
            if not promising:
                yield None
            open_label, blank = promising, 0
        elif open_label and (blank := blank + 1) > _NEAR:
            yield None
            open_label = False


def _may_hold_pair(line: str) -> bool:
    return (
        len(line) < _SHORT_LINE
        or ":" in line
        or "  " in line
        or "\t" in line
        or "=" in line
        or "#" in line
        or "：" in line
    )


def _has_signs(text: str) -> bool:
    """Whether any number sign is there; looking once spares every line a search."""
    return any(sign in text for sign in ("#", "№", "：", "n°", "N°", "no.", "No.", "NO.", "nr.", "Nr.", "NR."))


def _add_pairs(line: Line, below: Line | None, pairs: list[Pair]) -> None:
    """Pairs of one line, given the next line that is not blank."""
    chunks, separators = line.chunks, line.separators
    if separators is None and len(chunks) > 1 and _is_header(line, below):
        for chunk in chunks:
            _add_below(line, chunk, below, pairs)
        return
    for index, chunk in enumerate(chunks):
        if separators and (inner := separators[index]):
            _add_separated(line, index, inner, below, pairs)
        elif _is_label(line.text[chunk[0] : chunk[1]]):
            if index + 1 == len(chunks):
                _add_below(line, chunk, below, pairs)
            elif not (separators and separators[index + 1]) and not _continues(line, chunk, index + 1):
                _add(line, chunk, _value(line, index + 1), pairs)


def _is_label(text: str) -> bool:
    """Whether a chunk may name something: a few words, hardly any digits."""
    if len(text) > _SHORT_LINE or not (text[0].isalpha() or text[:2].strip('(#*"').isalpha()):
        return False
    return _NO_LABEL.search(text) is None


def _is_header(line: Line, below: Line | None) -> bool:
    """Whether the chunks are headings of columns, and not a label with its value."""
    if below is None or not 2 <= len(line.chunks) <= MAX_CHUNKS:
        return False
    for start, end in reversed(line.chunks):
        # The last column of a row mostly holds a number, so this ends soon.
        if not _is_label(line.text[start:end]):
            return False
    if len(line.chunks) > 2:
        return True
    if any(map(str.isdigit, line.text[slice(*line.chunks[1])])):
        return False
    under = _under(line, line.chunks[1], below) if len(below.chunks) > 1 else None
    return under is not None and any(map(str.isdigit, below.text[under[0] : under[1]]))


def _add_separated(line: Line, index: int, inner: Separator, below: Line | None, pairs: list[Pair]) -> None:
    """A chunk such as `KEY: VALUE`, or `KEY:` with its value in the next chunk or below."""
    start, end = line.chunks[index]
    label = (start, inner[0])
    following = index + 1 < len(line.chunks)
    if inner[1] == end:
        if following and not (line.separators and line.separators[index + 1]):
            _add(line, label, _value(line, index + 1), pairs)
        else:
            _add_below(line, label, below, pairs)
    elif inner[0] == inner[1]:
        _add(line, label, _token_after(line.text, inner[1]), pairs)
    elif following and _continues(line, (inner[1], end), index + 1):
        _add(line, label, (inner[1], line.chunks[index + 1][1]), pairs)
    else:
        _add_inline(line, label, (inner[1], end), pairs)


def _add_inline(line: Line, label: Span, value: Span, pairs: list[Pair]) -> None:
    """The value ends where another label begins: `Date: 1/2/2018 Time: 4:43`."""
    text, (start, end) = line.text, value
    if text.find(":", start, end) < 0 or not (colon := COLON.search(text, start + 1, end)):
        _add(line, label, value, pairs)
        return
    next_label = _LABEL_AFTER_VALUE.search(text, max(start, colon.start() - MAX_LABEL), colon.start())
    cut = next_label.start(1) if next_label else end
    _add(line, label, (start, cut), pairs)
    begin = cut if next_label else start
    if colon.end() < end and colon.start() - begin <= MAX_LABEL:
        _add(line, (begin, colon.start()), (colon.end(), end), pairs)


def _token_after(text: str, position: int) -> Span:
    found = _TOKEN.match(text, position)
    return found.span(1) if found else (position, position)


def _value(line: Line, index: int) -> Span:
    """The chunk at an index, with the currency or unit that a gap parts from it."""
    chunk = line.chunks[index]
    if index + 1 < len(line.chunks) and _continues(line, chunk, index + 1):
        return chunk[0], line.chunks[index + 1][1]
    return chunk


def _continues(line: Line, value: Span, index: int) -> bool:
    """Whether a chunk is the currency or unit of the number before it, or the number behind its currency."""
    first, second = line.text[value[0] : value[1]].strip(), line.text[slice(*line.chunks[index])]
    return bool((_UNIT.match(first) and _AMOUNT.match(second)) or (_AMOUNT.match(first) and _UNIT.match(second)))


def _add_below(line: Line, label: Span, below: Line | None, pairs: list[Pair]) -> None:
    under = _under(line, label, below) if below else None
    if below is None or under is None or (below.separators and below.separators[below.chunks.index(under)]):
        return
    start, end = _trim(line.text, *label)
    value = (below.offset + under[0], below.offset + under[1])
    pairs.append(Pair(line.text[start:end], (line.offset + start, line.offset + end), value, "below"))


def _under(line: Line, label: Span, below: Line) -> Span | None:
    """The chunk of the lower line that shares most columns with a label."""
    if len(line.chunks) == len(below.chunks) > 1 and "\t" in line.text:
        return next((low for high, low in zip(line.chunks, below.chunks, strict=True) if high[0] >= label[0]), None)
    best, shared = None, 0
    for chunk in below.chunks:
        overlap = min(label[1], chunk[1]) - max(label[0], chunk[0])
        if overlap > shared:
            best, shared = chunk, overlap
    return best


def _trim(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    return (end - len(piece.lstrip()), start + len(piece.rstrip())) if piece and not piece.isspace() else (start, start)


def _add(line: Line, label: Span, value: Span, pairs: list[Pair]) -> None:
    offset, text, (start, end), (first, last) = line.offset, line.text, label, value
    if text[end - 1].isspace() or text[start].isspace():
        start, end = _trim(text, start, end)
    if text[first].isspace() or text[last - 1].isspace():
        first, last = _trim(text, first, last)
    if first < last:
        pairs.append(Pair(text[start:end], (offset + start, offset + end), (offset + first, offset + last)))


def find_tables(text: str) -> tuple[Table, ...]:
    """Tables in aligned columns, pipes or tabs: headings and the lines below, with sums that stand in the columns."""
    tables = _Tables(text)
    for line, apart in _table_lines(text):
        tables.read(line, apart)
    tables.close()
    return tuple(tables.found)


def _table_lines(text: str) -> Iterator[tuple[Line | None, bool]]:
    """Lines with text, each with whether a blank one or an end of page is above; None where many blank ones are."""
    blank = 0
    for offset, line in lines_in_time(text, "tables"):
        if line and not line.isspace():
            yield split_line(line, offset), blank > 0 or line[0] == "\f"
            blank = 0
        elif (blank := blank + 1) == _NEAR + 1:
            yield None, True


class _Tables:
    """Tables found so far, and the rows of one that may go on; those after the sure ones are so only if more follow."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Table] = []
        self.names: tuple[Cell, ...] = ()
        self.header: Line | None = None
        self.above: Line | None = None
        self.rows: list[tuple[Cell, ...]] = []
        self.sure = 0
        self.spaced = False
        self.broken = False

    def read(self, line: Line | None, apart: bool) -> None:
        above, self.above = self.above, line
        row = _row(self.text, line, self.header) if self.header and line else None
        if row is None:
            self.close()
        if line and above and (row is None or self.broken) and self._is_begun(above, line, row):
            self.close()
            self.header, row = above, _row(self.text, line, above)
            self.names = tuple(_cell(self.text, above, chunk) for chunk in above.chunks)
        if line and row and self.header and not _is_rule(line):
            self._go_on(line, row, self.header, apart)

    def close(self) -> None:
        if self.sure:
            self.found.append(Table(self.names, tuple(self.rows[: self.sure]), explicit=False))
        self.header, self.rows, self.sure, self.spaced, self.broken = None, [], 0, False, False

    def _is_begun(self, above: Line, line: Line, row: tuple[Cell, ...] | None) -> bool:
        """Whether a line is the first below headings, and not one that goes on below a line that is no row."""
        if not _is_table_header(above, line) or _row(self.text, line, above) is None:
            return False
        return row is None or len(above.chunks) >= len(line.chunks) or not self._is_like(row)

    def _go_on(self, line: Line, row: tuple[Cell, ...], header: Line, apart: bool) -> None:
        is_doubtful = self.sure < len(self.rows)
        if not self.broken and (apart or is_doubtful) and line.text.split() == header.text.split():
            self.header = line
            del self.rows[self.sure :]
        elif (apart or self.broken) and self.rows and _is_other(line, header):
            self.broken = True
            if len(line.chunks) > len(header.chunks):
                self.close()
        else:
            self._add(line, row, apart)

    def _add(self, line: Line, row: tuple[Cell, ...], apart: bool) -> None:
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

    def _is_new(self, line: Line, row: tuple[Cell, ...], apart: bool) -> bool:
        """Whether a text is apart from the rows, on another page, or left of all cells above, as below sums."""
        own, *_ = (column for column, cell in enumerate(row) if cell.text)
        first, *others = (column for column, cell in enumerate(self.rows[-1]) if cell.text)
        return (apart and not self.spaced) or line.text[0] == "\f" or (bool(others) and own < first)


def _kinds(row: tuple[Cell, ...]) -> list[str]:
    return [cell.text and ("a" if cell.text[0].isalpha() else "0") for cell in row]


def _is_other(line: Line, header: Line) -> bool:
    """Whether a line apart from the rows of a table is none: too many cells, labels and values, or a pair elsewhere."""
    count, columns = len(line.chunks), header.chunks
    labelled = sum(map(bool, line.separators or ()))
    if count == 1 or count > len(columns) or 2 * labelled > count:
        return count > 1
    if count > 2 or len(columns) < 2 * count:
        return 2 * labelled == count and len(columns) >= 2 * count
    used = {_column(chunk, columns) for chunk in line.chunks}
    is_elsewhere = len(used) < count or any(len(_covered(chunk, header)) > 1 for chunk in line.chunks)
    return labelled > 0 or line.text[0] == "\f" or is_elsewhere


def _is_table_header(line: Line, below: Line) -> bool:
    return _is_header(line, below) and (len(below.chunks) > 1 or len(line.chunks) > 2 or _is_rule(below))


def _is_rule(line: Line) -> bool:
    return not any(map(str.isalnum, line.text))


def _row(text: str, line: Line, header: Line) -> tuple[Cell, ...] | None:
    """The chunks of a line under the columns of the header; None when it does not belong to the table."""
    if len(line.chunks) > 4 * MAX_CHUNKS or (len(line.chunks) < 2 and not _fits(line, header)):
        return None
    spans: list[Span | None] = [None] * len(header.chunks)
    fields = _fields(line, header)
    for chunk in line.chunks:
        column = fields.get(line.text.count("\t", 0, chunk[0])) if fields else None
        column = _column(chunk, header.chunks) if column is None else column
        taken = spans[column]
        spans[column] = (taken[0], chunk[1]) if taken else chunk
    return tuple(_cell(text, line, span) if span else Cell("", (line.offset, line.offset)) for span in spans)


def _fields(line: Line, header: Line) -> dict[int, int]:
    """Columns by the number of tabs before them, where both lines are parted by as many tabs."""
    tabs = header.text.count("\t")
    if not tabs or line.text.count("\t") != tabs:
        return {}
    return {header.text.count("\t", 0, start): column for column, (start, _) in enumerate(header.chunks)}


def _fits(line: Line, header: Line) -> bool:
    """A single chunk goes on a table only if it stays inside the width of one column.

    Where it starts right below a heading, it may reach a little below the next.
    """
    return len(_covered(line.chunks[0], header)) == 1 and find_separator(line.text, *line.chunks[0]) is None


def _covered(chunk: Span, header: Line) -> list[Span]:
    """The headings that a chunk stands below."""
    start, end = chunk
    aligned = any(left == start for left, _ in header.chunks)
    reach = end - _OVERHANG if aligned else end
    return [(left, right) for left, right in header.chunks if start < right and left < reach]


def _column(chunk: Span, columns: list[Span]) -> int:
    """The heading that shares most with a chunk, else the nearest."""
    distances = [max(left - chunk[1], chunk[0] - right) for left, right in columns]
    return min(range(len(columns)), key=lambda index: (distances[index], index))


def _cell(text: str, line: Line, span: Span) -> Cell:
    """What the text itself says there, with the leader that a line has as tabs."""
    place = (line.offset + span[0], line.offset + span[1])
    quote = text[place[0] : place[1]]
    folded = " ".join(quote.split())
    return Cell(folded, place, () if folded == quote else ("fold",))
