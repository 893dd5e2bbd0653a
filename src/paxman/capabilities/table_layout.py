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
_SIGN = r"[-+(\u2212]?"
_MONEY_SIGN = (
    r"(?:[^\w\s:=;,.!?]{1,2}|[A-Z]{2,3}|[A-Z]{1,2}\$"
    r"|(?:R|kr|Rs|Rp|Fr|SFr|zł|Kč|Ft|KSh|Tk|S/)\.?(?= ?-?\d[\d ,.'\u2019]{0,14}[.,]\d\d(?!\d)))?"
)
_NUMBER = re.compile(
    rf"{_SIGN} ?{_MONEY_SIGN} ?{_SIGN} ?(?:\d{{1,3}}(?: \d{{3}}){{1,3}}(?:[.,]\d*)?|\d[\d.,'\u2019]*)"
    rf" ?(?:%|[^\w\s]{{1,2}}|[^\W\d_][^\W\d_]{{0,7}}(?:\(s\))?\.?[\u00b2\u00b32-3]?)?[{SUPERSCRIPTS}]{{0,4}}[)-]?\Z"
)
_CODE_WITH_WORD = re.compile(r"(?:\d{8,}|\d{1,2}\.\d{1,2}\.\d{2,4}) ?[^\W\d]")
"""A code or a date, and no number with its unit."""
_LONG_CODE = re.compile(r"(?:[A-Z]{1,3} ?)?\d{5,}")
LONGEST_NUMBER = 40
_LONGEST_DATE = 30
_LONG_DIGITS = re.compile(r"\d{3}")
_NO_HEADING = re.compile(r"[,;!?:：]\Z|[:：]\s")
"""A sentence, and a label with its value or before it, are no headings."""

_Part = tuple[int, int, int]
"""A part of a heading: its line, and where it begins and ends on that."""


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
    return len(text) < LONGEST_NUMBER and _is_number(text)


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
    above = list(_lines_above(page, main, left, vocabulary))
    below = _lines_below(page, main, vocabulary)
    for index in (*above, *below):
        start = page.line(index).start
        chunks = [(a - start, b - start) for a, b in page.line(index).chunks if b - start > left]
        parts += [(index, *chunk) for chunk in chunks if not _spans_several(chunk, parts[: len(spans)])]
    last = max([main, *below])
    found = [(cluster, _column(page, main, cluster, vocabulary)) for cluster in _clusters(parts)]
    named = {OTHER, *(column.meaning for cluster, column in found if cluster[0][0] == main)}
    columns = [
        column
        for cluster, column in found
        if column.meaning not in named or not _is_title(page, main, last, cluster, parts[: len(spans)])
    ]
    return Header(min([main, *above]), last, tuple(columns), bind(columns, vocabulary))


def _is_title(page: Page, main: int, last: int, cluster: Sequence[_Part], headings: Sequence[_Part]) -> bool:
    """Whether what stands over no heading of the main line is none itself: it is apart, or has no cells of its own."""
    lowest = max(part[0] for part in cluster)
    if lowest >= main:
        return False  # The main line has a part of it, or it stands below that.
    if not page.line(lowest + 1).chunks:
        return len(page.line(lowest).chunks) == 1
    left, right = min(part[1] for part in cluster), max(part[2] for part in cluster)
    below = range(last + 1, min(len(page), last + 1 + _REACH))
    lines = ([(a - line.start, b - line.start) for a, b in line.chunks] for line in map(page.line, below))
    cells = [(a, b) for line in lines for a, b in line if a < right and left < b]
    return not cells or any(a < end and start < b for a, b in cells for _, start, end in headings)


def _spans_several(chunk: Span, headings: Sequence[_Part]) -> bool:
    """Whether a chunk reaches over several headings, and so is none of theirs."""
    return sum(chunk[0] < right and left < chunk[1] for _, left, right in headings) > 1


def _ordinal_header(page: Page, index: int, vocabulary: Vocabulary) -> Header | None:
    """Headings that tabs or pipes part."""
    cells = ordinal_cells(page, index)
    columns = [Column(0, 0)] * (cells[-1].column + 1)
    vocabulary = vocabulary.beside([token for c in cells for token in tokens_of(page.text, c.start, c.end)])
    for cell in cells:
        hit = vocabulary.best(tokens_of(page.text, cell.start, cell.end))
        if hit:
            columns[cell.column] = Column(0, 0, hit.meaning, hit.rank)
    bound = bind(columns, vocabulary)
    return Header(index, index, tuple(columns), bound, ordinal=True) if len(bound) > 1 else None


def ordinal_cells(page: Page, index: int) -> list[Cell]:
    """The cells of a line that tabs part."""
    line = page.line(index)
    cells, start = [], line.start
    for column, part in enumerate(page.text[line.start : line.end].split("\t")[: 2 * _MOST_CHUNKS]):
        if part.strip():
            first = start + len(part) - len(part.lstrip())
            cells.append(Cell(column, first, first + len(part.strip())))
        start += len(part) + 1
    return cells


def _lines_above(page: Page, main: int, left: int, vocabulary: Vocabulary) -> Iterator[int]:
    taken = 0
    for index in range(main - 1, max(-1, main - 1 - _REACH), -1):
        if begins_page(page, index + 1):
            return
        line = page.line(index)
        chunks = [chunk for chunk in line.chunks if chunk[1] - line.start > left]
        if taken == _STACKED or not _may_head(page, chunks, vocabulary):
            return
        if chunks:
            taken += 1
            yield index


def begins_page(page: Page, index: int) -> bool:
    """Whether a line is the first of a page."""
    return page.text.startswith("\f", page.line(index).start)


def _lines_below(page: Page, main: int, vocabulary: Vocabulary) -> list[int]:
    """Lines that may go on with the headings; where no data follow them, they are rows themselves."""
    lines: list[int] = []
    for index in range(main + 1, min(len(page), main + 1 + _STACKED)):
        chunks = page.line(index).chunks
        if not chunks or not _may_head(page, chunks, vocabulary):
            break
        lines.append(index)
    after = range(main + 1 + len(lines), min(len(page), main + 1 + len(lines) + _REACH))
    data = next((index for index in after if page.line(index).chunks), None)
    if data is None or _may_head(page, page.line(data).chunks, vocabulary):
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


def _may_head(page: Page, chunks: Sequence[Span], vocabulary: Vocabulary) -> bool:
    """Whether all that stands on a line may be headings: few, short, and no data."""
    return len(chunks) <= _MOST_CHUNKS and not any(
        end - start > _LONGEST_HEADING
        or has_digits(page.text, (start, end))
        or (_NO_HEADING.search(page.text, start, end) and not _is_heading(page, (start, end), vocabulary, whole=True))
        for start, end in chunks
    )


def _clusters(parts: list[_Part]) -> list[list[_Part]]:
    """Parts that share a column of the page, from left to right; the main line's parts come first and never merge."""
    clusters: list[list[_Part]] = []
    for part in parts:
        home = next((c for c in clusters if c[0][0] != part[0] and _overlap(c, part) > 0), None)
        if home is None:
            clusters.append([part])
        else:
            home.append(part)
    return sorted(clusters, key=lambda cluster: cluster[0][1])


def _overlap(cluster: list[_Part], part: _Part) -> int:
    return max(min(right, part[2]) - max(left, part[1]) for _, left, right in cluster)


def _column(page: Page, main: int, cluster: list[_Part], vocabulary: Vocabulary) -> Column:
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


def _reach(page: Page, group: Sequence[_Part]) -> Span:
    """How far a heading goes to the left and to the right."""
    starts = [page.line(index).start for index, _, _ in group]
    lefts = [page.column(start, start + part[1]) for start, part in zip(starts, group, strict=True)]
    rights = [page.column(start, start + part[2]) for start, part in zip(starts, group, strict=True)]
    return min(lefts), max(rights)


def _meaning(page: Page, group: Sequence[_Part], vocabulary: Vocabulary) -> Hit | None:
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
