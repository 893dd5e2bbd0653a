"""Tables that are seen only in the layout of text: their headings, and the cells of the lines below."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

import attrs

from paxman.capabilities.label_scan import Page
from paxman.capabilities.table_headings import OTHER, Hit, Token, Vocabulary, tokens_of
from paxman.recognizers.base import UNKNOWN
from paxman.recognizers.dates import read_date
from paxman.recognizers.yearless import yearless_span
from paxman.types import SUPERSCRIPTS, Span

_MOST_CHUNKS = 24
_MOST_HEADING = 400
_LONGEST_HEADING = 30
_STACKED = 3
"""Lines that a heading may take above and below the line that names most columns."""
_REACH = 8
_MARGIN = 2
_FAR = 1_000_000
_SIGN = r"[-+(\u2212]?"
_MONEY_SIGN = r"(?:[^\w\s:=;,.!?]{1,2}|[A-Z]{2,3}|[A-Z]{1,2}\$)?"
_NUMBER = re.compile(
    rf"{_SIGN} ?{_MONEY_SIGN} ?{_SIGN} ?\d[\d.,'\u2019]*(?: \d{{3}}[\d.,]*){{0,3}}"
    rf" ?(?:%|[^\w\s]{{1,2}}|[^\W\d_][^\W\d_]{{0,7}}(?:\(s\))?\.?[\u00b2\u00b32-3]?)?[{SUPERSCRIPTS}]{{0,4}}[)-]?\Z"
)
_SPACE = re.compile("[ \xa0]")
_MOST_CUTS = 4
_LONGEST_CUT = 200
_CODE_WITH_WORD = re.compile(r"(?:\d{8,}|\d{1,2}\.\d{1,2}\.\d{2,4}) ?[^\W\d]")
"""A code or a date, and no number with its unit."""
_CODE = re.compile(r"0\d|\d{8}")
_LONG_CODE = re.compile(r"(?:[A-Z]{1,3} ?)?\d{5,}")
_LONGEST_NUMBER = 40
_LONGEST_DATE = 30
_LONG_DIGITS = re.compile(r"\d{3}")


class Cell(NamedTuple):
    """A chunk of a line and the column of the table that it stands in."""

    column: int
    start: int
    end: int


@attrs.frozen
class Column:
    """A column by the reach of its heading; `below` is how many lines under the first its heading stands."""

    left: int
    right: int
    meaning: int = OTHER
    rank: int = 0
    below: int = 0


@attrs.frozen(slots=False)
class Header:
    """The lines that hold the headings, the columns from left to right, and which one each contract column takes."""

    first: int
    last: int
    columns: tuple[Column, ...]
    bound: tuple[tuple[int, int], ...]
    ordinal: bool = False
    """Columns are counted, not measured: tabs or pipes part them."""

    @cached_property
    def edges(self) -> list[Span]:
        return [(column.left, column.right) for column in self.columns]


def is_number(text: str) -> bool:
    """Whether a chunk is one number, with its sign, currency, percent sign or unit."""
    return len(text) < _LONGEST_NUMBER and _is_number(text)


@lru_cache(maxsize=2048)
def _is_number(text: str) -> bool:
    if _NUMBER.match(text) is None:
        return False
    if "%" in text and text[0].isalpha():
        return False  # The name of a tax and its rate.
    return text.count("(") == text.count(")") and _CODE_WITH_WORD.match(text) is None


def is_day(text: str) -> bool:
    """Whether a chunk is a date, with its year or without."""
    if len(text) > _LONGEST_DATE or not any(map(str.isdigit, text)):
        return False
    if yearless_span(text, in_row=True):
        return True
    day = read_date(text, UNKNOWN)
    return day is not None and not any(map(str.isalnum, text[: day.start] + text[day.end :]))


def find_headers(page: Page, vocabulary: Vocabulary) -> list[Header]:
    """Every place where headings for at least two columns of the contract stand side by side."""
    headers: list[Header] = []
    header_at = lru_cache(maxsize=2)(partial(_header_at, page, vocabulary=vocabulary))
    index = 0
    while index < len(page):
        header = header_at(index)
        if header is None:
            index += 1
            continue
        after = header_at(index + 1) if index + 1 < len(page) else None
        header = after if after and len(after.bound) > len(header.bound) else header
        headers.append(header)
        index = header.last + 1
    return headers


def _header_at(page: Page, index: int, vocabulary: Vocabulary) -> Header | None:
    line = page.line(index)
    if not 0 < len(line.chunks) <= _MOST_CHUNKS or line.end - line.start > _MOST_HEADING:
        return None
    if any(has_digits(page.text, chunk) for chunk in line.chunks):
        return None
    if page.text.count("\t", line.start, line.end):
        return _ordinal_header(page, index, vocabulary)
    if len(_parts(page, line.chunks, vocabulary)[1]) < 2:
        return None
    vocabulary = vocabulary.beside(tokens_of(page.text, line.start, line.end))
    spans, meanings = _parts(page, line.chunks, vocabulary)
    return _stacked(page, index, spans, vocabulary) if len(meanings) > 1 else None


def _parts(page: Page, chunks: Sequence[Span], vocabulary: Vocabulary) -> tuple[list[Span], set[int]]:
    """The headings of a line, and the columns of the contract that they mean."""
    tokens = [tokens_of(page.text, *chunk) for chunk in chunks]
    hits = [list(vocabulary.hits(each)) for each in tokens]
    whole = {each[0].meaning for own, each in zip(tokens, hits, strict=True) if each and each[0][:2] == (0, len(own))}
    whole.discard(OTHER)
    parts = [part for each in zip(chunks, tokens, hits, strict=True) for part in _split_heading(page, *each, whole)]
    return [span for span, _ in parts], {hit.meaning for _, hit in parts if hit and hit.meaning != OTHER}


def has_digits(text: str, chunk: Span) -> bool:
    """Whether a chunk has figures as no heading has."""
    return _LONG_DIGITS.search(text, *chunk) is not None or is_number(text[chunk[0] : chunk[1]])


def _split_heading(
    page: Page, chunk: Span, tokens: Sequence[Token], hits: Sequence[Hit], whole: Collection[int]
) -> Iterator[tuple[Span, Hit | None]]:
    """A chunk parts where a heading of another meaning begins: one space may be all that is between two.

    What has a heading of its own in the line, `whole`, has none in a part of another.
    """
    # What is glued to a word, as in "Qty/Unit", goes on with its heading.
    hits = [hit for hit in hits if hit is hits[0] or page.text[tokens[hit.first].start - 1].isspace()]
    if len(hits) > 1:
        hits = [hit for hit in hits if hit.meaning not in whole] or hits[:1]
    if len({hit.meaning for hit in hits}) < 2:
        yield chunk, hits[0] if hits else None
        return
    starts = [chunk[0], *(tokens[hit.first].start for hit in hits[1:])]
    for start, end, hit in zip(starts, [*starts[1:], chunk[1]], hits, strict=True):
        yield (start, start + len(page.text[start:end].rstrip())), hit


def _stacked(page: Page, main: int, spans: Sequence[Span], vocabulary: Vocabulary) -> Header:
    """The header with what stands above and below its main line in the same columns."""
    origin = page.line(main).start
    parts = [(main, start - origin, end - origin) for start, end in spans]
    left = min(part[1] for part in parts) - _MARGIN
    above = list(_lines_above(page, main, left))
    below = _lines_below(page, main, vocabulary)
    for index in (*above, *below):
        start = page.line(index).start
        parts += [(index, a - start, b - start) for a, b in page.line(index).chunks if b - start > left]
    columns = [_column(page, main, cluster, vocabulary) for cluster in _clusters(parts)]
    return Header(min([main, *above]), max([main, *below]), tuple(columns), bind(columns, vocabulary))


def _ordinal_header(page: Page, index: int, vocabulary: Vocabulary) -> Header | None:
    """Headings that tabs or pipes part."""
    cells = _ordinal_cells(page, index)
    columns = [Column(0, 0)] * (cells[-1].column + 1)
    vocabulary = vocabulary.beside([token for c in cells for token in tokens_of(page.text, c.start, c.end)])
    for cell in cells:
        hit = vocabulary.best(tokens_of(page.text, cell.start, cell.end))
        if hit:
            columns[cell.column] = Column(0, 0, hit.meaning, hit.rank)
    bound = bind(columns, vocabulary)
    return Header(index, index, tuple(columns), bound, ordinal=True) if len(bound) > 1 else None


def _lines_above(page: Page, main: int, left: int) -> Iterator[int]:
    taken = 0
    for index in range(main - 1, max(-1, main - 1 - _REACH), -1):
        line = page.line(index)
        chunks = [chunk for chunk in line.chunks if chunk[1] - line.start > left]
        if taken == _STACKED or not _may_head(page, chunks):
            return
        if chunks:
            taken += 1
            yield index


def _lines_below(page: Page, main: int, vocabulary: Vocabulary) -> list[int]:
    """Lines that may go on with the headings; where no data follow them, they are rows themselves."""
    lines: list[int] = []
    for index in range(main + 1, min(len(page), main + 1 + _STACKED)):
        chunks = page.line(index).chunks
        if not chunks or not _may_head(page, chunks):
            break
        lines.append(index)
    after = range(main + 1 + len(lines), min(len(page), main + 1 + len(lines) + _REACH))
    data = next((index for index in after if page.line(index).chunks), None)
    if data is None or _may_head(page, page.line(data).chunks):
        return []
    while lines and _begins_text(page, lines[-1], data, vocabulary):
        data = lines.pop()
    return lines


def _begins_text(page: Page, index: int, below: int, vocabulary: Vocabulary) -> bool:
    """Whether a line is the first of a text: in the line below is text, a code, or nothing, or more than one column."""
    chunks, base = page.line(index).chunks, page.line(below).start
    if len(chunks) != 1 or not page.text[chunks[0][0]].isalnum():
        return False
    left, right = (at - page.line(index).start for at in chunks[0])
    under = [(a, b) for a, b in page.line(below).chunks if a - base < right and b - base > left]
    if _is_heading(page, chunks[0], vocabulary, whole=bool(under)):
        return False
    return len(under) > 1 or all(abs(a - base - left) <= _MARGIN and _is_text(page.text[a:b]) for a, b in under)


def _is_text(text: str) -> bool:
    """Whether a chunk is no number, or one that is so long without a sign in it that it is a code."""
    return not is_number(text) or _LONG_CODE.fullmatch(text) is not None


def _is_heading(page: Page, chunk: Span, vocabulary: Vocabulary, *, whole: bool) -> bool:
    """Whether half of the words of a line are known as headings, or the whole."""
    tokens = tokens_of(page.text, *chunk)
    return sum(hit.last - hit.first for hit in vocabulary.hits(tokens)) * (1 if whole else 2) >= len(tokens)


def _may_head(page: Page, chunks: Sequence[Span]) -> bool:
    """Whether all that stands on a line may be headings: few, short, and no data."""
    return len(chunks) <= _MOST_CHUNKS and not any(
        end - start > _LONGEST_HEADING or has_digits(page.text, (start, end)) for start, end in chunks
    )


def _clusters(parts: list[tuple[int, int, int]]) -> list[list[tuple[int, int, int]]]:
    """Parts that share a column of the page, from left to right; the main line's parts come first and never merge."""
    clusters: list[list[tuple[int, int, int]]] = []
    for part in parts:
        home = next((c for c in clusters if c[0][0] != part[0] and _overlap(c, part) > 0), None)
        if home is None:
            clusters.append([part])
        else:
            home.append(part)
    return sorted(clusters, key=lambda cluster: cluster[0][1])


def _overlap(cluster: list[tuple[int, int, int]], part: tuple[int, int, int]) -> int:
    return max(min(right, part[2]) - max(left, part[1]) for _, left, right in cluster)


def _column(page: Page, main: int, cluster: list[tuple[int, int, int]], vocabulary: Vocabulary) -> Column:
    """One column: its main heading decides, else the whole stack, else a line of it, else a part of the stack."""
    lines = sorted(cluster)
    own = [part for part in lines if part[0] == main]
    hits = {id(group): _meaning(page, group, vocabulary) for group in (own, lines)}
    for group in (own, lines, *([part] for part in lines), lines):
        hit = hits.get(id(group)) or _meaning(page, group, vocabulary)
        if hit and hit.meaning != OTHER and (group is not lines or hit.last - hit.first > 1):
            below = group[0][0] - main if hits[id(own)] else 0
            return Column(*_reach(page, group), hit.meaning, hit.rank, max(0, below))
    return Column(*_reach(page, lines))


def _reach(page: Page, group: Sequence[tuple[int, int, int]]) -> Span:
    """How far a heading goes to the left and to the right."""
    starts = [page.line(index).start for index, _, _ in group]
    lefts = [page.column(start, start + part[1]) for start, part in zip(starts, group, strict=True)]
    rights = [page.column(start, start + part[2]) for start, part in zip(starts, group, strict=True)]
    return min(lefts), max(rights)


def _meaning(page: Page, group: Sequence[tuple[int, int, int]], vocabulary: Vocabulary) -> Hit | None:
    texts = [page.text[page.line(i).start + left : page.line(i).start + right] for i, left, right in group]
    return vocabulary.best(tokens_of(" ".join(texts)))


def bind(columns: Sequence[Column], vocabulary: Vocabulary) -> tuple[tuple[int, int], ...]:
    """The best heading for each column of the contract; a total stands right, anything else left."""
    bound: dict[int, int] = {}
    for place, column in enumerate(columns):
        meaning = column.meaning
        if meaning == OTHER:
            continue
        taken = bound.get(meaning)
        last = vocabulary.roles[meaning] in ("line_total", "total", "net")
        if taken is None or (column.rank, last) > (columns[taken].rank, False):
            bound[meaning] = place
    return tuple(sorted(bound.items()))


def bind_headings(texts: Sequence[str], vocabulary: Vocabulary) -> tuple[tuple[int, int], ...]:
    """The columns of the contract that headings of a table mean, each with its place in the table."""
    headings = [tokens_of(text[:200]) for text in texts]
    vocabulary = vocabulary.beside([token for tokens in headings for token in tokens])
    hits = [vocabulary.best(tokens) for tokens in headings]
    return bind([Column(0, 0, hit.meaning, hit.rank) if hit else Column(0, 0) for hit in hits], vocabulary)


def cells_of(page: Page, index: int, header: Header, *, tails: bool = True) -> list[Cell]:
    """The chunks of a line, each in its column; with `tails`, a number at the end of a chunk may stand for itself."""
    line = page.line(index)
    if header.ordinal and page.text.count("\t", line.start, line.end):
        return _ordinal_cells(page, index)
    chunks = line.chunks[: 2 * _MOST_CHUNKS]
    homes = [_nearest(page, header, line.start, chunk) for chunk in chunks]
    numbers = [is_number(page.text[start:end]) for start, end in chunks]
    taken = {home for home, number in zip(homes, numbers, strict=True) if number}
    if sum(numbers) > 1 and len(set(homes)) < len(homes) <= len(header.columns):
        figures = [Cell(home, *chunk) for home, chunk, number in zip(homes, chunks, numbers, strict=True) if number]
        if len(taken) < len(figures) or not all(_is_below(page, header, line.start, cell) for cell in figures):
            return _in_order(page, header, line.start, chunks)
    open_columns = {column for _, column in header.bound if column not in taken} if tails else set()
    return [cell for chunk in chunks for cell in _place(page, line.start, chunk, header, open_columns)]


def _is_below(page: Page, header: Header, origin: int, cell: Cell) -> bool:
    """Whether a cell shares something with its heading."""
    return _gap(header.columns[cell.column], page.column(origin, cell.start), page.column(origin, cell.end)) < 0


def other_cells_of(page: Page, index: int, header: Header) -> Iterator[list[Cell]]:
    """The cells of a line with a number cut off the end of its text, for each number that may be meant."""
    line = page.line(index)
    chunks = line.chunks
    if header.ordinal or not 2 < len(chunks) < len(header.columns):
        return
    texts = [place for place, (start, end) in enumerate(chunks) if not is_number(page.text[start:end])]
    for place in texts[:1]:
        start, end = chunks[place]
        for space in _tails(page.text, start, end):
            parts = [*chunks[:place], (start, space), (space + 1, end), *chunks[place + 1 :]]
            yield _in_order(page, header, line.start, parts)


def _tails(text: str, start: int, end: int) -> list[int]:
    """The last spaces of a stretch that a number follows up to its end, the longest first."""
    spaces = [match.start() for match in _SPACE.finditer(text, max(start, end - _LONGEST_NUMBER), end)]
    return [space for space in spaces[-_MOST_CUTS:] if _is_tail(text[space + 1 : end])]


def _is_tail(text: str) -> bool:
    """Whether the end of a chunk may be a number of its own, and no code."""
    return is_number(text) and text[-1] != "," and _CODE.match(text) is None


def _in_order(page: Page, header: Header, origin: int, chunks: Sequence[Span]) -> list[Cell]:
    """A column of its own for each chunk, from left to right, as near as can be: rows may drift from their headings."""
    count = len(header.columns)
    best: list[tuple[int, list[int]]] = [(0, [])] * (count + 1)
    for number, (start, end) in enumerate(chunks, 1):
        left, right = page.column(origin, start), page.column(origin, end)
        row: list[tuple[int, list[int]]] = [(_FAR, [])] * number
        for column in range(number - 1, count):
            cost, homes = best[column]
            placed = (cost + _gap(header.columns[column], left, right), [*homes, column])
            row.append(min(row[column], placed, key=lambda option: option[0]))
        best = row
    return [Cell(home, *chunk) for home, chunk in zip(best[count][1], chunks, strict=True)]


def _gap(column: Column, left: int, right: int) -> int:
    """How far a stretch of a line is from a heading; below zero by what they share."""
    return max(column.left, left) - min(column.right, right)


def _ordinal_cells(page: Page, index: int) -> list[Cell]:
    line = page.line(index)
    cells, start = [], line.start
    for column, part in enumerate(page.text[line.start : line.end].split("\t")[: 2 * _MOST_CHUNKS]):
        if part.strip():
            first = start + len(part) - len(part.lstrip())
            cells.append(Cell(column, first, first + len(part.strip())))
        start += len(part) + 1
    return cells


def _place(page: Page, origin: int, chunk: Span, header: Header, open_columns: set[int]) -> Iterator[Cell]:
    """A chunk in its column, or in two where a number at its start or end stands under another heading."""
    start, end = chunk
    whole = end - start > _LONGEST_CUT or is_number(page.text[start:end])
    cut = None if whole else _cut(page, origin, chunk, header, open_columns)
    if cut is None:
        yield Cell(_nearest(page, header, origin, chunk), start, end)
    else:
        right = list(_place(page, origin, (cut + 1, end), header, open_columns))
        yield from _place(page, origin, (start, cut), header, open_columns - {cell.column for cell in right})
        yield from right


def _cut(page: Page, origin: int, chunk: Span, header: Header, open_columns: set[int]) -> int | None:
    """The space where a number and something else part, each under its own heading; the longest number wins."""
    text, (start, end) = page.text, chunk
    nearest = partial(_nearest, page, header, origin)
    if nearest((start, start + 1)) == nearest((end - 1, end)) or is_day(text[start:end]):
        return None
    spaces = [match.start() for match in _SPACE.finditer(text, start, end)]
    tails = _tails(text, start, end)
    heads = [space for space in reversed(spaces[:_MOST_CUTS]) if is_number(text[start:space])]
    for space in (*tails, *heads):
        left, right = nearest((start, space)), nearest((space + 1, end))
        is_label = text[start:space].rstrip().endswith((":", "="))
        if left != right and not is_label and (space in heads or right in open_columns):
            return space
    return None


def _nearest(page: Page, header: Header, origin: int, stretch: Span) -> int:
    """The column whose heading shares most with a stretch of the line, else the one that is nearest."""
    left, right = page.column(origin, stretch[0]), page.column(origin, stretch[1])
    gaps = [(a if a > left else left) - (b if b < right else right) for a, b in header.edges]
    return gaps.index(min(gaps))
