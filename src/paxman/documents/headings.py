"""Where headings stand side by side in the layout of text, and which columns they head.

The words that make a heading are the caller's: the document takes any words, a contract its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from itertools import pairwise, takewhile
from typing import NamedTuple, Protocol

import attrs

from paxman.documents.figures import LONG_DIGITS, has_digits, is_number
from paxman.documents.heading_words import OTHER, Hit, Token, tokens_of
from paxman.documents.visual_lines import Line, VisualLines
from paxman.lazy import lazy_pattern
from paxman.types import Span

_MOST_CHUNKS = 24
_MOST_HEADING = 400
_LONGEST_HEADING = 30
_STACKED = 3
"""Lines that a heading may take above and below the line that names most columns."""
_REACH = 8
_FEWEST = 3
"""Headings without gaps that are told apart by their rows; two words may be one: "Item count"."""
_NO_NUMBER = frozenset("free included incl. n/a tbd gratis kostenlos gratuit offert inclus incluido incluso".split())
_MARGIN = 2
_LONG_CODE = lazy_pattern(r"(?:[A-Z]{1,3} ?)?\d{5,}")
_NO_HEADING = lazy_pattern(r"[,;!?:：]\Z|[:：]\s")
"""A sentence, and a label with its value or before it, are no headings."""

_Part = tuple[int, int, int]
"""A part of a heading: its line, and where it begins and ends on that."""
Cluster = list[_Part]
"""The parts of one heading; one on the main line comes first."""


Bound = tuple[tuple[int, int], ...]
"""Places of columns that are asked for, each with that in the table."""


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
    bound: Bound
    ordinal: bool = False
    """Columns are counted, not measured: tabs or pipes part them."""
    names: tuple[str, ...] = ()
    """What heads each column, where the main line has a heading twice."""

    @cached_property
    def edges(self) -> list[Span]:
        return [(column.left, column.right) for column in self.columns]


class Headings(Protocol):
    """The words that are known as headings."""

    @property
    def figures(self) -> Collection[str]:
        """Headings with figures in them, as they are written."""

    def hits(self, tokens: Sequence[Token]) -> Iterator[Hit]:
        """The known headings among tokens, from the left."""

    def best(self, tokens: Sequence[Token]) -> Hit | None:
        """What a whole heading means."""

    def beside(self, tokens: Sequence[Token]) -> Headings:
        """What is known in a line of these words."""

    def bind(self, columns: Sequence[Column]) -> Bound:
        """The best column for each that is asked for."""


class NoWords:
    """Headings of a table that nobody asked for: none is known, and only their places count."""

    figures: Collection[str] = ()

    def hits(self, tokens: Sequence[Token]) -> Iterator[Hit]:
        return iter(())

    def best(self, tokens: Sequence[Token]) -> Hit | None:
        return None

    def beside(self, tokens: Sequence[Token]) -> Headings:
        return self

    def bind(self, columns: Sequence[Column]) -> Bound:
        return ()


def find_headers(page: VisualLines, headings: Headings) -> list[Header]:
    """Every place where known headings of at least two columns stand side by side."""
    headers: list[Header] = []
    header_at = lru_cache(maxsize=2)(partial(_header_at, page, headings=headings))
    index = 0
    while index < len(page):
        header = header_at(index)
        if header is None:
            index += 1
            continue
        while index + 1 < len(page):
            after = header_at(index + 1)
            if after is None or not _is_better(page, after, header, index):
                break
            header, index = after, index + 1
        headers.append(header)
        index = header.last + 1
    return headers


def _is_better(page: VisualLines, after: Header, header: Header, index: int) -> bool:
    """Whether the next line names more of the columns, or this one only one stretch of words over several headings."""
    is_title = len(page.line(index).chunks) == 1 < len(page.line(index + 1).chunks)
    return is_title or len(after.bound) > len(header.bound)


def _header_at(page: VisualLines, index: int, headings: Headings) -> Header | None:
    line = page.line(index)
    if not may_head_columns(page, line) and not _heads_figures(page, line, headings):
        return None
    if page.text.count("\t", line.start, line.end):
        return _ordinal_header(page, index, headings)
    if len(_parts(page, index, headings)[1]) < 2 or _is_sentence(page, index, headings):
        return None
    headings = headings.beside(tokens_of(page.text, line.start, line.end))
    spans, meanings = _parts(page, index, headings)
    return _stacked(page, index, spans, headings) if len(meanings) > 1 else None


def may_head_columns(page: VisualLines, line: Line) -> bool:
    """Whether a line is short enough for headings, and has no figures."""
    if not 0 < len(line.chunks) <= _MOST_CHUNKS or line.end - line.start > _MOST_HEADING:
        return False
    if LONG_DIGITS.search(page.text, line.start, line.end):
        return False
    return not any(is_number(page.text[start:end]) for start, end in line.chunks)


def _heads_figures(page: VisualLines, line: Line, headings: Headings) -> bool:
    """Whether all that has figures in a line, which is no longer than one of headings, is known as one."""
    if not headings.figures or len(line.chunks) > _MOST_CHUNKS or line.end - line.start > _MOST_HEADING:
        return False
    texts = [page.text[start:end] for start, end in line.chunks]
    texts = texts if len(texts) > 1 else page.text[line.start : line.end].split()
    return all(text in headings.figures for text in texts if has_digits(text, (0, len(text))))


def _is_sentence(page: VisualLines, index: int, headings: Headings) -> bool:
    """Whether words without gaps are no headings: most are unknown, or rows of more parts stand around them."""
    chunks = page.line(index).chunks
    if len(chunks) > 1:
        return False
    tokens = tokens_of(page.text, *chunks[0])
    hits = [*headings.hits(tokens)]
    known = {at for hit in hits for at in range(hit.first, hit.last)}
    return 2 * len(known) < len(tokens) or _is_among_rows(page, index, len(hits) + 1)


def _is_among_rows(page: VisualLines, index: int, least: int) -> bool:
    """Whether two lines around one have figures and so many parts at least, which begin or end below each other."""
    lines = map(page.line, range(index - 1, max(-1, index - 1 - _STACKED), -1))
    above = next((line for line in lines if len(line.chunks) != 1), None)
    below = page.line(index + 1) if index + 1 < len(page) else None
    if not above or not below or not least <= len(above.chunks) == len(below.chunks):
        return False
    shift = below.start - above.start
    return has_digits(page.text, above.chunks[-1]) and all(
        c - a == shift or d - b == shift for (a, b), (c, d) in zip(above.chunks, below.chunks, strict=True)
    )


def _parts(page: VisualLines, index: int, headings: Headings) -> tuple[list[Span], set[int]]:
    """The headings of a line, and what they mean, if that is more than one thing."""
    chunks = page.line(index).chunks
    tokens = [tokens_of(page.text, *chunk) for chunk in chunks]
    hits = [list(headings.hits(each)) for each in tokens]
    if len(chunks) == 1 and hits[0]:
        hits = [_one_by_one(page, index, tokens[0], hits[0], headings)]
    if len({hit.meaning for each in hits for hit in each} - {OTHER}) < 2:
        return [], set()
    whole = {each[0].meaning for own, each in zip(tokens, hits, strict=True) if each and each[0][:2] == (0, len(own))}
    whole.discard(OTHER)
    parts = [part for each in zip(chunks, tokens, hits, strict=True) for part in _split_heading(page, *each, whole)]
    return [span for span, _ in parts], {hit.meaning for _, hit in parts if hit and hit.meaning != OTHER}


def _one_by_one(
    page: VisualLines, index: int, tokens: Sequence[Token], hits: list[Hit], headings: Headings
) -> list[Hit]:
    """Headings without gaps; where rows have more parts, words are apart if each of them heads a column of its own."""
    apart = {hit: words for hit in hits if (words := _words_apart(tokens, hit, hits, headings))}
    if not apart:
        return hits
    split = [word for hit in hits for word in apart.get(hit, [hit])]
    gaps = sum(one.last < other.first for one, other in pairwise(hits)) + (hits[0].first > 0)
    gaps += hits[-1].last < len(tokens)
    return split if max(len(hits) + 1, _FEWEST) <= len(split) <= _least_parts(page, index) - gaps else hits


def _words_apart(tokens: Sequence[Token], hit: Hit, hits: Sequence[Hit], headings: Headings) -> list[Hit]:
    """The words of a heading, if there are several and each heads a column that no other heading is for."""
    if hit.last - hit.first < 2:
        return []
    named = {OTHER, *(other.meaning for other in hits if other is not hit)}
    found = [(at, [*headings.hits(tokens[at : at + 1])]) for at in range(hit.first, hit.last)]
    words = [each[0]._replace(first=at, last=at + 1) for at, each in found if each]
    return words if len({word.meaning for word in words} - named) == len(found) else []


def _least_parts(page: VisualLines, index: int) -> int:
    """How many parts both of the next lines that end in a number have: numbers, and the text between them."""
    lines = (page.text[line.start : line.end].split() for line in map(page.line, range(index + 1, len(page))[:_REACH]))
    rows = [[is_number(word) for word in words] for words in lines if words and is_number(words[-1])]
    return min((_length(row) + _length(row[::-1]) + 1 for row in rows[:2] if not all(row)), default=0)


def _length(row: Sequence[bool]) -> int:
    """How many numbers a row begins with."""
    return sum(1 for _ in takewhile(bool, row))


def _split_heading(
    page: VisualLines, chunk: Span, tokens: Sequence[Token], hits: Sequence[Hit], whole: Collection[int]
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


def _stacked(page: VisualLines, main: int, spans: Sequence[Span], headings: Headings) -> Header:
    """The header with what stands above and below its main line in the same columns."""
    first, last, clusters = stack(page, main, spans, headings)
    clusters[0] = _untitled(page, main, clusters[0], headings)
    found = [(cluster, _column(page, main, cluster, headings)) for cluster in clusters]
    named = {OTHER, *(column.meaning for cluster, column in found if cluster[0][0] == main)}
    own = [cluster[0] for cluster in clusters if cluster[0][0] == main]
    found = [
        (cluster, column)
        for cluster, column in found
        if column.meaning not in named or not is_title(page, main, last, cluster, own)
    ]
    columns, names = tuple(column for _, column in found), tuple[str, ...]()
    if len({_text(page, [part]).casefold() for part in own}) < len(own):
        columns, names = _told_apart(page, main, found, headings)
    return Header(first, last, columns, headings.bind(columns), names=names)


def _told_apart(
    page: VisualLines, main: int, found: Sequence[tuple[Cluster, Column]], headings: Headings
) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """Columns of which some have the same heading, and what heads each."""
    names = [_text(page, [cluster[0]]) if cluster[0][0] == main else "" for cluster, _ in found]
    stacks = [_text(page, sorted(cluster)) for cluster, _ in found]
    groups = [page.text[slice(*chunk)] for chunk in page.line(main - 1).chunks] if main else []
    return _tell_equal_apart([column for _, column in found], names, stacks, groups, headings)


def _untitled(page: VisualLines, main: int, cluster: Cluster, headings: Headings) -> Cluster:
    """The first heading without what stands alone over it, if it is known without that."""
    own = [part for part in cluster if part[0] >= main or len(page.line(part[0]).chunks) > 1]
    if len(own) in (0, len(cluster)) or not _meaning(page, own, headings):
        return cluster
    words = tokens_of(_text(page, sorted(cluster)))
    hit = headings.best(words)
    return cluster if hit and hit.last - hit.first == len(words) else own


def stack(page: VisualLines, main: int, spans: Sequence[Span], headings: Headings) -> tuple[int, int, list[Cluster]]:
    """The first and the last line of headings, and those that stand above each other, from left to right."""
    origin = page.line(main).start
    parts = [(main, start - origin, end - origin) for start, end in spans]
    left = min(part[1] for part in parts) - _MARGIN
    above = list(_lines_above(page, main, left, headings))
    below = _lines_below(page, main, headings)
    for index in (*above, *below):
        line = page.line(index)
        edge = 0 if index in below[:-1] and _heads_left(page, index, left, headings) else left
        chunks = [(a - line.start, b - line.start) for a, b in line.chunks if b - line.start > edge]
        parts += [(index, *chunk) for chunk in chunks if not _spans_several(chunk, parts[: len(spans)])]
    return min([main, *above]), max([main, *below]), _clusters(parts)


def _heads_left(page: VisualLines, index: int, left: int, headings: Headings) -> bool:
    """Whether a line has only headings left of the others: in the middle of theirs, which take more lines."""
    line = page.line(index)
    is_left = line.chunks[-1][1] - line.start <= left
    return is_left and all(_is_heading(page, chunk, headings, whole=False) for chunk in line.chunks)


def is_title(page: VisualLines, main: int, last: int, cluster: Cluster, headings: Sequence[_Part]) -> bool:
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


def _ordinal_header(page: VisualLines, index: int, headings: Headings) -> Header | None:
    """Headings that tabs or pipes part."""
    cells = ordinal_cells(page, index)
    columns = [Column(0, 0)] * (cells[-1].column + 1 if cells else 0)
    headings = headings.beside([token for c in cells for token in tokens_of(page.text, c.start, c.end)])
    for cell in cells:
        hit = headings.best(tokens_of(page.text, cell.start, cell.end))
        if hit:
            columns[cell.column] = Column(0, 0, hit.meaning, hit.rank)
    bound = headings.bind(columns)
    return Header(index, index, tuple(columns), bound, ordinal=True) if len(bound) > 1 else None


def ordinal_cells(page: VisualLines, index: int) -> list[Cell]:
    """The cells of a line that tabs part."""
    line = page.line(index)
    cells, start = [], line.start
    for column, part in enumerate(page.text[line.start : line.end].split("\t")[: 2 * _MOST_CHUNKS]):
        if part.strip():
            first = start + len(part) - len(part.lstrip())
            cells.append(Cell(column, first, first + len(part.strip())))
        start += len(part) + 1
    return cells


def _lines_above(page: VisualLines, main: int, left: int, headings: Headings) -> Iterator[int]:
    taken = 0
    for index in range(main - 1, max(-1, main - 1 - _REACH), -1):
        if begins_page(page, index + 1):
            return
        line = page.line(index)
        chunks = [chunk for chunk in line.chunks if chunk[1] - line.start > left]
        if taken == _STACKED or not _may_head(page, chunks, headings):
            return
        if chunks:
            taken += 1
            yield index


def begins_page(page: VisualLines, index: int) -> bool:
    """Whether a line is the first of a page."""
    return page.text.startswith("\f", page.line(index).start)


def _lines_below(page: VisualLines, main: int, headings: Headings) -> list[int]:
    """Lines that may go on with the headings; where no data follow them, they are rows themselves."""
    lines: list[int] = []
    for index in range(main + 1, min(len(page), main + 1 + _STACKED)):
        chunks = page.line(index).chunks
        if not chunks or not _may_head(page, chunks, headings):
            break
        lines.append(index)
    after = range(main + 1 + len(lines), min(len(page), main + 1 + len(lines) + _REACH))
    data = next((index for index in after if page.line(index).chunks), None)
    if data is None or _may_head(page, page.line(data).chunks, headings):
        return []
    numbers = data
    while lines and (_begins_text(page, lines[-1], data, headings) or _is_row(page, lines[-1], numbers, headings)):
        data = lines.pop()
    return lines


def _is_row(page: VisualLines, index: int, below: int, headings: Headings) -> bool:
    """Whether a line is a row without a number: a name over a text, and "free" or a dash over a number."""
    line, base = page.line(index), page.line(below).start
    words = (chunk for chunk in line.chunks if tokens_of(page.text, *chunk))
    if len(line.chunks) < 2 or any(_is_heading(page, chunk, headings, whole=False) for chunk in words):
        return False
    (first, _), *others = line.chunks
    begins = (a for a, b in page.line(below).chunks if not is_number(page.text[a:b]))
    is_named = page.text[first].isupper() and any(abs(a - base - first + line.start) <= _MARGIN for a in begins)
    return is_named and all(_lacks_number(page, line.start, chunk, below) for chunk in others)


def _lacks_number(page: VisualLines, origin: int, chunk: Span, below: int) -> bool:
    """Whether a word that is written small or says that there is none, or a sign, stands over a number."""
    base = page.line(below).start - origin
    left, right = chunk[0] + base - _MARGIN, chunk[1] + base + _MARGIN
    under = [page.text[a:b] for a, b in page.line(below).chunks if a < right and left < b]
    text = page.text[slice(*chunk)]
    says_none = text.islower() or text.casefold() in _NO_NUMBER or not any(map(str.isalnum, text))
    return says_none and len(under) == 1 and is_number(under[0])


def _begins_text(page: VisualLines, index: int, below: int, headings: Headings) -> bool:
    """Whether a line is the first of a text: in the line below is text, a code, or nothing, or more than one column."""
    chunks, base = page.line(index).chunks, page.line(below).start
    if len(chunks) != 1 or not page.text[chunks[0][0]].isalnum():
        return False
    left, right = (at - page.line(index).start for at in chunks[0])
    under = [(a, b) for a, b in page.line(below).chunks if a - base < right and b - base > left]
    if _is_heading(page, chunks[0], headings, whole=bool(under)):
        return False
    return len(under) > 1 or all(abs(a - base - left) <= _MARGIN and _is_text(page.text[a:b]) for a, b in under)


def _is_text(text: str) -> bool:
    """Whether a chunk is no number, or one that is so long without a sign in it that it is a code."""
    return not is_number(text) or _LONG_CODE.fullmatch(text) is not None


def _is_heading(page: VisualLines, chunk: Span, headings: Headings, *, whole: bool) -> bool:
    """Whether half of the words of a line are known as headings, or the whole."""
    tokens = tokens_of(page.text, *chunk)
    return sum(hit.last - hit.first for hit in headings.hits(tokens)) * (1 if whole else 2) >= len(tokens)


def _may_head(page: VisualLines, chunks: Sequence[Span], headings: Headings) -> bool:
    """Whether all that stands on a line may be headings: few, short, and no data."""
    return len(chunks) <= _MOST_CHUNKS and not any(
        end - start > _LONGEST_HEADING
        or has_digits(page.text, (start, end))
        or (_NO_HEADING.search(page.text, start, end) and not _is_heading(page, (start, end), headings, whole=True))
        for start, end in chunks
    )


def _clusters(parts: list[_Part]) -> list[Cluster]:
    """Parts that share a column of the page, from left to right; the main line's parts come first and never merge."""
    clusters: list[Cluster] = []
    for part in parts:
        home = next((c for c in clusters if c[0][0] != part[0] and _overlap(c, part) > 0), None)
        if home is None:
            clusters.append([part])
        else:
            home.append(part)
    return sorted(clusters, key=lambda cluster: cluster[0][1])


def _overlap(cluster: Cluster, part: _Part) -> int:
    return max(min(right, part[2]) - max(left, part[1]) for _, left, right in cluster)


def _column(page: VisualLines, main: int, cluster: Cluster, headings: Headings) -> Column:
    """One column: its main heading decides, else the whole stack, else a line of it, else a part of the stack."""
    lines = sorted(cluster)
    own = [part for part in lines if part[0] == main]
    hits = {id(group): _meaning(page, group, headings) for group in (own, lines)}
    for group in (own, lines, *([part] for part in lines), lines):
        hit = hits.get(id(group)) or _meaning(page, group, headings)
        if hit and hit.meaning != OTHER and (group is not lines or hit.last - hit.first > 1):
            below = group[0][0] - main if hits[id(own)] else 0
            return Column(*_reach(page, group), hit.meaning, hit.rank, max(0, below))
    return Column(*_reach(page, lines))


def _reach(page: VisualLines, group: Sequence[_Part]) -> Span:
    """How far a heading goes to the left and to the right."""
    starts = [page.line(index).start for index, _, _ in group]
    lefts = [page.column(start, start + part[1]) for start, part in zip(starts, group, strict=True)]
    rights = [page.column(start, start + part[2]) for start, part in zip(starts, group, strict=True)]
    return min(lefts), max(rights)


def _meaning(page: VisualLines, group: Sequence[_Part], headings: Headings) -> Hit | None:
    return headings.best(tokens_of(_text(page, group)))


def _text(page: VisualLines, group: Sequence[_Part]) -> str:
    return " ".join(page.text[page.line(i).start + left : page.line(i).start + right] for i, left, right in group)


def _tell_equal_apart(
    columns: Sequence[Column], names: Sequence[str], stacks: Sequence[str], groups: Sequence[str], headings: Headings
) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """The columns by their headings, those above and below and that of their group, and what heads each.

    Where several headings stand twice and nothing tells them apart, the first are meant.
    """
    told, full = list(columns), list(names)
    places: dict[str, list[int]] = {}
    for at, name in enumerate(names):
        places.setdefault(name.casefold(), []).append(at)
    twice = [each for name, each in places.items() if name and len(each) > 1]
    for each in twice:
        grouped = [f"{group} {names[each[0]]}" for group in groups]
        stacked = _by_longer(each, [stacks[at] for at in each], headings)
        for at, text, hit in stacked or _by_longer(each, grouped, headings):
            told[at] = attrs.evolve(told[at], meaning=hit.meaning if hit else OTHER, rank=hit.rank if hit else 0)
            full[at] = text
    if len(twice) > 1:
        later = [at for each in twice for at in each[1:] if full[at] == names[at]]
        told = [attrs.evolve(column, meaning=OTHER) if at in later else column for at, column in enumerate(told)]
    return tuple(told), tuple(full)


def _by_longer(places: Sequence[int], texts: Sequence[str], headings: Headings) -> list[tuple[int, str, Hit | None]]:
    """What each of some columns is by a longer heading; nothing if these do not tell them apart."""
    if not len({*texts}) == len(texts) == len(places):
        return []
    hits = _meant_by([_whole_heading(text, headings) for text in texts])
    return list(zip(places, texts, hits, strict=True)) if hits else []


def _whole_heading(text: str, headings: Headings) -> Hit | None:
    tokens = tokens_of(text)
    hit = headings.best(tokens)
    return hit if hit and hit.last - hit.first == len(tokens) else None


def _meant_by(hits: Sequence[Hit | None]) -> Sequence[Hit | None]:
    """What tells headings apart: each means something else, or the contract names one of them; nothing if neither."""
    known = [hit.meaning for hit in hits if hit]
    if len({*known}) == len(hits):
        return hits
    named = [hit if hit and hit.rank > 2 else None for hit in hits]
    return named if any(named) else []
