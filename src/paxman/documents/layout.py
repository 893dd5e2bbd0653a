"""Labels with their values, as the layout of any text shows them that keeps visual lines and column gaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from paxman.documents.document import Pair
from paxman.documents.layout_lines import (
    COLON,
    MAX_CHUNKS,
    MAX_LABEL,
    Separator,
    SplitLine,
    lines_to_search,
    split_line,
)
from paxman.lazy import lazy_pattern
from paxman.types import Span

_SHORT_LINE = 48
_SIGNS = ("%", "#", "№")
"""Headings without a letter."""
NEAR = 2
"""Blank lines that may stand between a label and the value below it."""

_NO_LABEL = lazy_pattern(r"[;!?]|\d\D*\d\D*\d")
_TOKEN = lazy_pattern(r"\s*(\S+)")
_LABEL_AFTER_VALUE = lazy_pattern(r"\d[^\s\d]{0,3} ([^\W\d][^\s\d:]{0,24}(?: [^\W\d][^\s\d:]{0,24})?) ?\Z")
_UNIT = lazy_pattern(r"(?:[^\W\d_]{1,3}\.?|[^\w\s]{1,2}|[A-Za-z]{1,2}\$)\Z")
_AMOUNT = lazy_pattern(r"[-+(]?\d[\d.,']*[)-]?\Z")


def find_pairs(text: str) -> tuple[Pair, ...]:
    """Labels with the value that stands beside or below them, in the order of the labels."""
    pairs: list[Pair] = []
    above: SplitLine | None = None
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


def _lines(text: str) -> Iterator[SplitLine | None]:
    """Lines that may hold a label or the value of the line above; None where the chain of lines breaks."""
    blank = 0
    open_label = False
    for offset, line in lines_to_search(text, "labels"):
        promising = _may_hold_pair(line)
        if (promising or open_label) and line and not line.isspace():
            split = split_line(line, offset, signs=True)
            yield split if len(split.chunks) <= MAX_CHUNKS else None
            if not promising:
                yield None
            open_label, blank = promising, 0
        elif open_label and (blank := blank + 1) > NEAR:
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


def _add_pairs(line: SplitLine, below: SplitLine | None, pairs: list[Pair]) -> None:
    """Pairs of one line, given the next line that is not blank."""
    chunks, separators = line.chunks, line.separators
    if separators is None and len(chunks) > 1 and is_header(line, below):
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


def is_header(line: SplitLine, below: SplitLine | None) -> bool:
    """Whether the chunks are headings of columns, and not a label with its value."""
    if below is None or not 2 <= len(line.chunks) <= MAX_CHUNKS:
        return False
    for start, end in reversed(line.chunks):
        # The last column of a row mostly holds a number, so this ends soon.
        text = line.text[start:end]
        if not _is_label(text) and text not in _SIGNS:
            return False
    if len(line.chunks) > 2:
        return True
    if any(map(str.isdigit, line.text[slice(*line.chunks[1])])):
        return False
    under = _under(line, line.chunks[1], below) if len(below.chunks) > 1 else None
    return under is not None and any(map(str.isdigit, below.text[under[0] : under[1]]))


def _add_separated(line: SplitLine, index: int, inner: Separator, below: SplitLine | None, pairs: list[Pair]) -> None:
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


def _add_inline(line: SplitLine, label: Span, value: Span, pairs: list[Pair]) -> None:
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


def _value(line: SplitLine, index: int) -> Span:
    """The chunk at an index, with the currency or unit that a gap parts from it."""
    chunk = line.chunks[index]
    if index + 1 < len(line.chunks) and _continues(line, chunk, index + 1):
        return chunk[0], line.chunks[index + 1][1]
    return chunk


def _continues(line: SplitLine, value: Span, index: int) -> bool:
    """Whether a chunk is the currency or unit of the number before it, or the number behind its currency."""
    first, second = line.text[value[0] : value[1]].strip(), line.text[slice(*line.chunks[index])]
    return bool((_UNIT.match(first) and _AMOUNT.match(second)) or (_AMOUNT.match(first) and _UNIT.match(second)))


def _add_below(line: SplitLine, label: Span, below: SplitLine | None, pairs: list[Pair]) -> None:
    under = _under(line, label, below) if below else None
    if below is None or under is None or (below.separators and below.separators[below.chunks.index(under)]):
        return
    start, end = _trim(line.text, *label)
    value = (below.offset + under[0], below.offset + under[1])
    pairs.append(Pair(line.text[start:end], (line.offset + start, line.offset + end), value, "below"))


def _under(line: SplitLine, label: Span, below: SplitLine) -> Span | None:
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


def _add(line: SplitLine, label: Span, value: Span, pairs: list[Pair]) -> None:
    offset, text, (start, end), (first, last) = line.offset, line.text, label, value
    if text[end - 1].isspace() or text[start].isspace():
        start, end = _trim(text, start, end)
    if text[first].isspace() or text[last - 1].isspace():
        first, last = _trim(text, first, last)
    if first < last:
        pairs.append(Pair(text[start:end], (offset + start, offset + end), (offset + first, offset + last)))
