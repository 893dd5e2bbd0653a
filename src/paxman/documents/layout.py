"""What the layout of a text says: labels with their values, and tables.

Works on any text that keeps visual lines and column gaps, so that every capability sees the same pairs and tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from paxman.documents.document import Cell, Pair, Table
from paxman.documents.reading import allowance, cut_short
from paxman.lazy import lazy_pattern
from paxman.types import Severity, Span

MAX_LABEL = 60
_SHORT_LINE = 48
_MAX_CHUNKS = 64
_BLOCK = 50_000
_OVERHANG = 3
"""Letters are narrower on a printed page than in a text where all have the same width."""
_NEAR = 2
"""Blank lines that may stand between a label and the value below it."""

# A chunk is text without a column gap: words with single spaces between them.
_CHUNK = lazy_pattern(r"\S+(?:[ \xa0]\S+)*")
_LEADER = lazy_pattern(r"\.{3,}|(?:\. ){3,}|…+|_{3,}|·{3,}")
_NO_LABEL = lazy_pattern(r"[;!?]|\d\D*\d\D*\d")
# Not the colon of a time, a ratio, a web address or a path.
_COLON = lazy_pattern(r"[:：](?=\s|\Z|[^\s/\d:\\])|(?<=[^\W\d])[:：](?=\d)|(?<=[.)#°])[:：](?=\d)")
_EQUALS = lazy_pattern(r"(?<![=<>!~])=(?![=~])")
_NUMBER_SIGN = lazy_pattern(r"(?:#|№|\b[nN](?:°|[oOrR]\.))(?= ?[^\s\d]{0,8}\d)")
_TOKEN = lazy_pattern(r"\s*(\S+)")
_LABEL_AFTER_VALUE = lazy_pattern(r"\d[^\s\d]{0,3} ([^\W\d][^\s\d:]{0,24}(?: [^\W\d][^\s\d:]{0,24})?) ?\Z")
_UNIT = lazy_pattern(r"(?:[^\W\d_]{1,3}\.?|[^\w\s]{1,2}|[A-Za-z]{1,2}\$)\Z")
_AMOUNT = lazy_pattern(r"[-+(]?\d[\d.,']*[)-]?\Z")

_Separator = tuple[int, int]
"""Where label and value part inside a chunk: the end of the label and the start of the value."""


class _Line(NamedTuple):
    offset: int
    text: str
    chunks: list[Span]
    separators: list[_Separator | None] | None
    """For each chunk, when any chunk has one."""


def find_pairs(text: str) -> tuple[Pair, ...]:
    """Labels with the value that stands beside or below them, in the order of the labels."""
    pairs: list[Pair] = []
    above: _Line | None = None
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


def _lines(text: str) -> Iterator[_Line | None]:
    """Lines that may hold a label or the value of the line above; None where the chain of lines breaks."""
    signs = _has_signs(text)
    blank = 0
    open_label = False
    for offset, line in _lines_in_time(text, "labels"):
        promising = _may_hold_pair(line)
        if (promising or open_label) and line and not line.isspace():
            split = _split(line, offset, signs)
            yield split if len(split.chunks) <= _MAX_CHUNKS else None
            if not promising:
                yield None
            open_label, blank = promising, 0
        elif open_label and (blank := blank + 1) > _NEAR:
            yield None
            open_label = False


def _lines_in_time(text: str, sought: str) -> Iterator[tuple[int, str]]:
    """The lines with gaps as tabs and their offsets, until the time is up."""
    left, offset = allowance(), 0
    timer = left.in_time(0.5)
    for block in timer.over(_blocks(text), every=1):
        for line in _gaps_to_tabs(block).split("\n"):
            yield offset, line
            offset += len(line) + 1
    if timer.is_up:
        kept = f"the first {offset} characters were searched for {sought}"
        left.notes.append(cut_short(kept, "max_seconds", Severity.WARNING))


def _blocks(text: str) -> Iterator[str]:
    """Whole lines of a text, many at once, so that a huge text is never held twice."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + _BLOCK)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end + 1


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


def _gaps_to_tabs(text: str) -> str:
    """The same text, of the same length, with pipes and dotted leaders as tabs."""
    text = text.replace("|", "\t")
    if any(leader in text for leader in ("...", "…", "___", ". . .", "···")):
        text = _LEADER.sub(lambda leader: "\t" * len(leader[0]), text)
    return text


def _split(text: str, offset: int, signs: bool = False) -> _Line:
    """The chunks of a line and what parts label from value in each; of a line that has too many, only some."""
    gap = "  " in text or "\t" in text
    chunks = _chunks(text) if gap else _single_chunk(text)
    if ":" in text or "=" in text or signs:
        return _Line(offset, text, chunks, _separators(text, chunks))
    return _Line(offset, text, chunks, None)


def _separators(text: str, chunks: list[Span]) -> list[_Separator | None] | None:
    found = [_separator(text, *chunk) for chunk in chunks]
    return found if any(found) else None


def _chunks(text: str) -> list[Span]:
    return [match.span() for match in islice(_CHUNK.finditer(text), 4 * _MAX_CHUNKS + 1)]


def _single_chunk(text: str) -> list[Span]:
    kept = text.strip()
    start = text.find(kept)
    return [(start, start + len(kept))] if kept else []


def _separator(text: str, start: int, end: int) -> _Separator | None:
    """The colon, equals or number sign that parts label from value within a chunk."""
    colon = text.find(":", start, end)
    if colon > start and (colon + 1 == end or text[colon + 1] == " "):
        found: Span | None = (colon, colon + 1)
    elif match := _COLON.search(text, start, end) or _EQUALS.search(text, start, end):
        found = match.span()
    else:
        match = _NUMBER_SIGN.search(text, start, end)
        found = (match.end(), match.end()) if match else None
    return found if found and start < found[0] <= start + MAX_LABEL else None


def _add_pairs(line: _Line, below: _Line | None, pairs: list[Pair]) -> None:
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


def _is_header(line: _Line, below: _Line | None) -> bool:
    """Whether the chunks are headings of columns, and not a label with its value."""
    if below is None or not 2 <= len(line.chunks) <= _MAX_CHUNKS:
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


def _add_separated(line: _Line, index: int, inner: _Separator, below: _Line | None, pairs: list[Pair]) -> None:
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


def _add_inline(line: _Line, label: Span, value: Span, pairs: list[Pair]) -> None:
    """The value ends where another label begins: `Date: 1/2/2018 Time: 4:43`."""
    text, (start, end) = line.text, value
    if text.find(":", start, end) < 0 or not (colon := _COLON.search(text, start + 1, end)):
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


def _value(line: _Line, index: int) -> Span:
    """The chunk at an index, with the currency or unit that a gap parts from it."""
    chunk = line.chunks[index]
    if index + 1 < len(line.chunks) and _continues(line, chunk, index + 1):
        return chunk[0], line.chunks[index + 1][1]
    return chunk


def _continues(line: _Line, value: Span, index: int) -> bool:
    """Whether a chunk is the currency or unit of the number before it, or the number behind its currency."""
    first, second = line.text[value[0] : value[1]].strip(), line.text[slice(*line.chunks[index])]
    return bool((_UNIT.match(first) and _AMOUNT.match(second)) or (_AMOUNT.match(first) and _UNIT.match(second)))


def _add_below(line: _Line, label: Span, below: _Line | None, pairs: list[Pair]) -> None:
    under = _under(line, label, below) if below else None
    if below is None or under is None or (below.separators and below.separators[below.chunks.index(under)]):
        return
    start, end = _trim(line.text, *label)
    value = (below.offset + under[0], below.offset + under[1])
    pairs.append(Pair(line.text[start:end], (line.offset + start, line.offset + end), value, "below"))


def _under(line: _Line, label: Span, below: _Line) -> Span | None:
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


def _add(line: _Line, label: Span, value: Span, pairs: list[Pair]) -> None:
    offset, text, (start, end), (first, last) = line.offset, line.text, label, value
    if text[end - 1].isspace() or text[start].isspace():
        start, end = _trim(text, start, end)
    if text[first].isspace() or text[last - 1].isspace():
        first, last = _trim(text, first, last)
    if first < last:
        pairs.append(Pair(text[start:end], (offset + start, offset + end), (offset + first, offset + last)))


def find_tables(text: str) -> tuple[Table, ...]:
    """Tables in aligned columns, pipes or tabs: a line of headings and the lines below it."""
    tables: list[Table] = []
    header: _Line | None = None
    above: _Line | None = None
    rows: list[tuple[Cell, ...]] = []
    for line, apart in _table_lines(text):
        if apart and header and line and len(line.chunks) > len(header.chunks):
            tables += _table(text, header, rows)
            header, above, rows = None, None, []
        row = _row(text, line, header) if header and line else None
        if row is None:
            tables += _table(text, header, rows)
            header, rows = None, []
            if line and above and _is_table_header(above, line) and (row := _row(text, line, above)):
                header = above
        if row and line and not _is_rule(line):
            rows.append(row)
        above = line
    return tuple(tables + _table(text, header, rows))


def _table_lines(text: str) -> Iterator[tuple[_Line | None, bool]]:
    """Lines with text, each with whether a blank one is above it; None where a gap of blank lines ends a table."""
    blank = 0
    for offset, line in _lines_in_time(text, "tables"):
        if line and not line.isspace():
            yield _split(line, offset), blank > 0
            blank = 0
        elif (blank := blank + 1) == _NEAR + 1:
            yield None, True


def _table(text: str, header: _Line | None, rows: list[tuple[Cell, ...]]) -> list[Table]:
    if not header or not rows:
        return []
    return [Table(tuple(_cell(text, header, chunk) for chunk in header.chunks), tuple(rows), explicit=False)]


def _is_table_header(line: _Line, below: _Line) -> bool:
    return _is_header(line, below) and (len(below.chunks) > 1 or len(line.chunks) > 2 or _is_rule(below))


def _is_rule(line: _Line) -> bool:
    return not any(map(str.isalnum, line.text))


def _row(text: str, line: _Line, header: _Line) -> tuple[Cell, ...] | None:
    """The chunks of a line under the columns of the header; None when it does not belong to the table."""
    if len(line.chunks) > 4 * _MAX_CHUNKS or (len(line.chunks) < 2 and not _fits(line, header)):
        return None
    spans: list[Span | None] = [None] * len(header.chunks)
    fields = _fields(line, header)
    for chunk in line.chunks:
        column = fields.get(line.text.count("\t", 0, chunk[0])) if fields else None
        column = _column(chunk, header.chunks) if column is None else column
        taken = spans[column]
        spans[column] = (taken[0], chunk[1]) if taken else chunk
    return tuple(_cell(text, line, span) if span else Cell("", (line.offset, line.offset)) for span in spans)


def _fields(line: _Line, header: _Line) -> dict[int, int]:
    """Columns by the number of tabs before them, where both lines are parted by as many tabs."""
    tabs = header.text.count("\t")
    if not tabs or line.text.count("\t") != tabs:
        return {}
    return {header.text.count("\t", 0, start): column for column, (start, _) in enumerate(header.chunks)}


def _fits(line: _Line, header: _Line) -> bool:
    """A single chunk goes on a table only if it stays inside the width of one column.

    Where it starts right below a heading, it may reach a little below the next.
    """
    start, end = line.chunks[0]
    aligned = any(left == start for left, _ in header.chunks)
    covered = [left for left, right in header.chunks if start < right and left < end - (_OVERHANG if aligned else 0)]
    return len(covered) == 1 and _separator(line.text, *line.chunks[0]) is None


def _column(chunk: Span, columns: list[Span]) -> int:
    """The heading that shares most with a chunk, else the nearest."""
    distances = [max(left - chunk[1], chunk[0] - right) for left, right in columns]
    return min(range(len(columns)), key=lambda index: (distances[index], index))


def _cell(text: str, line: _Line, span: Span) -> Cell:
    """What the text itself says there, with the leader that a line has as tabs."""
    place = (line.offset + span[0], line.offset + span[1])
    quote = text[place[0] : place[1]]
    folded = " ".join(quote.split())
    return Cell(folded, place, () if folded == quote else ("fold",))
