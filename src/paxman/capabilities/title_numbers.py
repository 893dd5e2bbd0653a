"""The number of a paper where only the word for "number" leads to it, below the paper's title."""

from __future__ import annotations

import re

from paxman.capabilities.label_layout import WORDS, Reader, below, is_labelled, under
from paxman.capabilities.label_scan import Hit
from paxman.recognizers import Reading
from paxman.types import Span


def heads_many(reader: Reader, hit: Hit, kind: str) -> bool:
    """Whether a label heads a column with values in two rows: those of a list, and none is that of this paper."""
    columns = len(reader.page.line(hit.line).chunks)
    if columns < _TABLE:
        return (_heads_pairs if columns > 1 else _heads_lines)(reader, hit, kind)
    sizes: list[int] = []
    for lower in reader.page.below(hit.line, _ROWS):
        chunk = under(reader.page, hit, lower)
        if chunk and is_labelled(reader, chunk):
            break
        if chunk and any(chunk[0] <= reading.start < chunk[1] for reading in reader.values(kind, lower)):
            sizes.append(len(reader.page.line(lower).chunks))
        elif chunk and len(reader.page.line(lower).chunks) == columns:
            break  # The headings of another row.
    return len(sizes) > len(set(sizes))


def _heads_pairs(reader: Reader, hit: Hit, kind: str) -> bool:
    """Whether each of the next two lines has two cells, of which one in the column of a label is a value alone."""
    lines = list(reader.page.below(hit.line, 2))
    chunks = [under(reader.page, hit, lower) for lower in lines if len(reader.page.line(lower).chunks) == 2]
    pairs = [(chunk, r) for chunk in chunks if chunk for r in reader.values(kind, reader.page.line_at(chunk[0]))]
    return len({r.value for chunk, r in pairs if (r.start, r.end) == chunk}) > 1


def _heads_lines(reader: Reader, hit: Hit, kind: str) -> bool:
    """Whether labels stand in a line without gaps, and the next two lines have as many dates and values each."""
    if reader.scan.before(hit) is None and reader.scan.after(hit) is None:
        return False
    lines = list(reader.page.below(hit.line, 2))
    rows = [[len(reader.values(each, lower)) for each in ("date", kind)] for lower in lines]
    return len(rows) == 2 and all(rows[0]) and rows[0] == rows[1]


def differ_below(reader: Reader, hit: Hit, kind: str) -> bool:
    """Whether a label heads a column with different values in two rows."""
    if len(reader.page.line(hit.line).chunks) < 2:
        return False
    lines = reader.page.below(hit.line, _ROWS)
    rows = [(under(reader.page, hit, lower), reader.values(kind, lower)) for lower in lines]
    return len({r.value for chunk, values in rows for r in values if chunk and chunk[0] <= r.start < chunk[1]}) > 1


_ROWS = 4
"""Lines in which a second row of a list begins, though a cell of the first takes more than one."""
_TABLE = 3


def numbered_below(reader: Reader, hit: Hit) -> list[Reading]:
    """What a word for "number" leads to under the name of the paper: in its own chunk, beside it or below it."""
    for lower in reader.page.below(hit.line, _ROWS):
        if reader.scan.items_on(lower):
            break
        for place, chunk in enumerate(reader.page.line(lower).chunks):
            lead = _NUMBER_LEAD.match(reader.text, *chunk)
            if lead and lead.end() == chunk[1] and not _is_topped(reader, hit, lower, chunk):
                return _led_to(reader, Hit(*chunk, "", (), lower, 0), place)
            if lead and lower == hit.line + 1 and chunk == under(reader.page, hit, lower):
                found = (r for r in reader.values("identifier", lower) if lead.end() <= r.start < chunk[1])
                return [r for r in found if not WORDS.search(reader.text, lead.end(), r.start)]
    return []


def _led_to(reader: Reader, label: Hit, place: int) -> list[Reading]:
    """The number in the next chunk, or else in the one below."""
    chunks = reader.page.line(label.line).chunks
    values = reader.values("identifier", label.line)
    beside = [r for start, end in chunks[place + 1 : place + 2] for r in values if start <= r.start < end]
    found = beside or ([] if heads_many(reader, label, "identifier") else below(reader, "identifier", label, 1))
    return [reading for reading in found[:1] if fills_chunk(reader, reading)]


def _is_topped(reader: Reader, title: Hit, lower: int, chunk: Span) -> bool:
    """Whether a word that may be of the same label stands over a chunk, below the title: "Customer / Number"."""
    page, start = reader.page, reader.page.line(lower).start
    left, right = page.column(start, chunk[0]), page.column(start, chunk[1])
    lines = [page.line(number) for number in range(title.line + 1, lower)]
    if lines and _OWNER.fullmatch(page.text, lines[-1].start, lines[-1].end):
        return True
    words = ((line.start, *span) for line in lines for span in line.chunks if _WORD_ALONE.fullmatch(page.text, *span))
    return any(page.column(at, begin) < right and left < page.column(at, end) for at, begin, end in words)


_WORD_ALONE = re.compile(r"[^\W\d_][^\d:]{0,20}")
# As in "Bank: Barclays", over its number.
_OWNER = re.compile(r"\s*[^\W\d_][^\d:\n]{0,30}:[^\d:\n]{0,80}[^\W\d_][^\d:\n]{0,80}")


def fills_chunk(reader: Reader, reading: Reading) -> bool:
    """Whether a number is all that stands in its chunk, but for what is in brackets."""
    start, end = reader.page.line(reader.page.line_at(reading.start)).chunks[reader.page.chunk_at(reading.start)]
    rest = reader.text[start : reading.start] + reader.text[reading.end : end]
    return not any(map(str.isalnum, PARENTHESES.sub("", rest)))


PARENTHESES = re.compile(r"\([^()]{0,30}\)")
_NUMBER_LEAD = re.compile(
    r"(?:#|№|n[°º]|(?:no|nr|num|núm|number|nummer|numero|número|numéro|numer|číslo|folio)\b)[\s.:°º]{0,6}",
    re.IGNORECASE,
)
