"""Records in blocks: the same few names with a value each, again and again, are rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from paxman.classes import record
from paxman.documents.document import Cell
from paxman.finding.columns import ArrayColumns
from paxman.finding.shapes import is_blank
from paxman.page.grid import joined
from paxman.page.names import Name, Page
from paxman.recognizers import Conventions, read_value
from paxman.types import FieldType, Span

_SURE = 0.85
_FIT = 0.7
_LEAST_COLUMNS = 2
_RELATIONS = ("key", "beside", "next")


@record
class RecordBlock:
    """One record: its cells by column, and where it starts."""

    cells: Mapping[int, Cell]
    start: int


@record
class RecordBlocks:
    """Records of the same names, how well these fit, and whether they are sure to be rows."""

    blocks: tuple[RecordBlock, ...]
    score: float
    tied: bool


def find_blocks(page: Page, columns: ArrayColumns, how: Conventions) -> RecordBlocks | None:
    """Records whose names fit the columns of an array; a name that comes again begins the next one."""
    hits = [*_hits(page, columns, how)]
    if not hits:
        return None
    first = hits[0][0]
    blocks: list[dict[int, Span]] = []
    fits: dict[int, float] = {}
    for column, fit, span in hits:
        if not blocks or column in blocks[-1] or (column == first and len(blocks[-1]) > 1):
            blocks.append({})
        blocks[-1][column] = span
        fits[column] = max(fit, fits.get(column, 0.0))
    wide = [block for block in blocks if len(block) >= min(_LEAST_COLUMNS, len(columns.fields))]
    if len(fits) < min(_LEAST_COLUMNS, len(columns.fields)) or not wide:
        return None
    kept = wide if len(wide) > 1 else wide[:1]
    if len(kept) == 1 and len(kept[0]) < 3:
        return None
    sure = len(kept) > 1 and min(fits.values()) >= _SURE and len({frozenset(block) for block in kept}) == 1
    made = tuple(_made(page, block) for block in kept)
    return RecordBlocks(made, sum(fits.values()), sure)


def _made(page: Page, block: Mapping[int, Span]) -> RecordBlock:
    cells = {column: joined(page.lines.printed, [span]) for column, span in block.items()}
    return RecordBlock(cells, min(block.values())[0])


def _hits(page: Page, columns: ArrayColumns, how: Conventions) -> Iterator[tuple[int, float, Span]]:
    for name in page.names:
        fits = columns.of(name.text)
        if not fits:
            continue
        column, fit = max(fits.items(), key=lambda item: (item[1], -item[0]))
        span = _value(page, name, columns, column, how)
        if fit >= _FIT and span is not None:
            yield column, fit, span


def _value(page: Page, name: Name, columns: ArrayColumns, column: int, how: Conventions) -> Span | None:
    for place in name.places:
        if place.relation not in _RELATIONS:
            continue
        start, end = _unquoted(page.text, place.span)
        text = page.text[start:end]
        if is_blank(text) or columns.of(text):
            continue
        if columns.fields[column].type is FieldType.STRING or read_value(text, columns.fields[column], how):
            return start, end
    return None


def _unquoted(text: str, span: Span) -> Span:
    """A value without marks around it."""
    start, end = span
    while end > start and text[end - 1] in " \t,;\"'":
        end -= 1
    while start < end and text[start] in " \t\"'":
        start += 1
    return start, end
