"""Rows of a table of the format itself that hold one text and no number.

Each is the title of a group, a property, or goes on with the row above.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import islice
from typing import NamedTuple

import attrs

from paxman.capabilities.base import NOTE, PROPERTY, SUM, TITLE
from paxman.capabilities.table_binding import JOINED, Reasoned, Row, Settled
from paxman.capabilities.table_cells import ATTRIBUTE
from paxman.capabilities.table_placing import is_day
from paxman.capabilities.table_wraps import is_open
from paxman.contract.model import CanonicalField
from paxman.documents.document import Cell, Document
from paxman.documents.figures import is_number
from paxman.types import FieldType, Span

_APART = "part of the row above, to which it cannot be joined"
_AMOUNTS = (FieldType.DECIMAL, FieldType.MONEY)
_GOES_ON = frozenset("(-–•*")
_SAMPLE = 300
_LONGEST = 60
_SHORT = 4


def settle(
    document: Document, width: int, columns: Sequence[tuple[CanonicalField, int]], rows: Sequence[Reasoned]
) -> Settled:
    """Say of each row with nothing but a text what it is, in a table of so many columns."""
    single = {at: _only_text(cells) for at, (cells, reason) in enumerate(rows) if not reason}
    loose = {at: place for at, place in single.items() if place is not None}
    homes = [place for column, place in columns if column.type is FieldType.STRING]
    if not loose or not homes or width < 2 or len(loose) == len(single):
        return Settled(rows)
    counts = Counter(loose.values())
    home = max(homes, key=lambda place: (counts[place], -place))
    table = _Table(document, width, columns, rows, home)
    table.loose.update(at for at, place in loose.items() if place == home or table.spans(at))
    if not table.loose or all(_is_code(table.text(at)) for at in islice(single, _SAMPLE)):
        return Settled(rows)
    return table.settled()


def _is_code(text: str) -> bool:
    """Whether a text is a word with figures or of few letters: the key of a row."""
    return " " not in text and (len(text) <= _SHORT or any(map(str.isdigit, text)))


def _only_text(cells: Row) -> int | None:
    """The place of the only text of a row, if that is all it has."""
    filled = [(place, cell) for place, cell in enumerate(cells) if cell.text.strip()]
    if not filled or any(cell is not filled[0][1] for _, cell in filled[1:]):
        return None
    text = filled[0][1].text.strip()
    return filled[0][0] if any(map(str.isalpha, text)) and not is_number(text) and not is_day(text) else None


@attrs.define
class _Table:
    document: Document
    width: int
    columns: Sequence[tuple[CanonicalField, int]]
    rows: Sequence[Reasoned]
    home: int
    """The column of the texts."""
    loose: set[int] = attrs.field(factory=set)

    def spans(self, at: int) -> bool:
        """Whether the format says that the only cell of a row is as wide as the table."""
        cells = self.rows[at][0]
        end = (cells[0].span[1], cells[0].span[1])
        in_word = self.document.kind == "docx" and all(cell.span == end for cell in cells[1:])
        return len(cells) == 1 or (in_word and len(cells) == self.width)

    def text(self, at: int) -> str:
        return self._cell(at).text.strip() if at in self.loose or self.home < len(self.rows[at][0]) else ""

    def settled(self) -> Settled:
        """Each row with what it is."""
        signs = _signs(self)
        rows, doubts = list(self.rows), list[str]()
        above, last, parts = "", -1, dict[int, list[int]]()
        for at, (cells, reason) in enumerate(self.rows):
            if at not in self.loose:
                last = -1 if reason or not any(cell.text.strip() for cell in cells) else at
                above = self.text(at)
                continue
            verdict, is_sure = _verdict(self, signs, at, above if last >= 0 else "")
            if verdict == JOINED and not self._can_join(last, at):
                verdict, is_sure = _APART, False
            if verdict == JOINED:
                above = self.text(at)
                parts.setdefault(last, []).append(at)
            elif not verdict:
                last, above = (at, self.text(at)) if self.home < len(cells) else (-1, "")
            rows[at] = cells, verdict
            doubts += [] if is_sure else [_doubt(self.text(at), verdict, signs.missing)]
        for first, below in parts.items():
            rows[first] = self._joined(first, below), None
        return Settled(rows, doubts)

    def _can_join(self, *places: int) -> bool:
        """Whether the texts of rows stand in the document as they are."""
        return all(self.text(at) in self.document.text[slice(*self._cell(at).span)] for at in places)

    def _cell(self, at: int) -> Cell:
        cells = self.rows[at][0]
        return next(cell for cell in cells if cell.text.strip()) if at in self.loose else cells[self.home]

    def _joined(self, first: int, below: Sequence[int]) -> Row:
        """A row whose text goes on in others."""
        from paxman.capabilities.row_reading import joined

        cells = list(self.rows[first][0])
        spans = [_place(self.document.text, self._cell(at)) for at in (first, *below)]
        piece = joined(self.document.text, spans)
        cells[self.home] = Cell(piece.text, piece.span, piece.steps)
        return tuple(cells)


def _place(text: str, cell: Cell) -> Span:
    """Where the text of a cell stands, without quotes and spaces around it."""
    words = cell.text.strip()
    start = text.index(words, *cell.span)
    return start, start + len(words)


def _doubt(text: str, verdict: str | None, missing: bool) -> str:
    told = (
        "was joined to it" if verdict == JOINED else "was left out" if verdict or missing else "was taken for an item"
    )
    return f"{text[:_LONGEST]!r} may be part of the text above it, or a title, note or item of its own; it {told}"


class _Signs(NamedTuple):
    """What the items of a table say about its other rows."""

    figures: int
    """Columns with a number or a day in most items."""
    in_full: bool
    """Whether all items have all of these."""
    small: bool
    """Whether a small letter says that a text goes on."""
    open: bool
    last: int
    """The last item."""
    on_top: bool
    """Whether the first row is loose."""
    over: bool
    """Whether items stand below each loose row."""
    grouped: bool
    """Whether loose rows stand over the first item and over others, each by itself."""
    colons: bool
    """Whether items themselves read like properties."""
    missing: bool
    """Whether a row with a text alone lacks what is required."""
    of_amounts: bool
    summed: bool
    """Whether a sum stands below the items."""


def _signs(table: _Table) -> _Signs:
    filled = [
        at for at, (cells, reason) in enumerate(table.rows) if not reason and any(cell.text.strip() for cell in cells)
    ]
    items = [at for at in filled if at not in table.loose]
    sample = items[:_SAMPLE]
    counts = [sum(_is_figure(table.rows[at][0], place) for at in sample) for place in range(table.width)]
    figures = {place for place, count in enumerate(counts) if count * 2 > len(sample)}
    left_open = (table.text(at) for at in sample if at + 1 not in table.loose)
    return _Signs(
        len(figures),
        all(counts[place] == len(sample) for place in figures),
        not any(map(_begins_small, map(table.text, sample))),
        not any(is_open(text) for text in left_open if text),
        items[-1],
        filled[0] in table.loose,
        max(table.loose) < items[-1],
        len(figures) > 1 and _stand_over_groups(table.loose, filled[0], items[-1]),
        any(map(ATTRIBUTE.match, map(table.text, sample))),
        any(column.required for column, place in table.columns if place != table.home),
        any(column.type in _AMOUNTS for column, place in table.columns if place in figures),
        any(reason == SUM for _, reason in table.rows[items[-1] :]),
    )


def _stand_over_groups(loose: Collection[int], first: int, last: int) -> bool:
    return len(loose) > 1 and first in loose and max(loose) < last and not any(at + 1 in loose for at in loose)


def _is_figure(cells: Row, place: int) -> bool:
    text = cells[place].text.strip() if place < len(cells) else ""
    return is_number(text) or is_day(text)


def _begins_small(text: str) -> bool:
    return text[:1] in _GOES_ON or (text[:1].islower() and not text[1:2].isupper())


def _verdict(table: _Table, signs: _Signs, at: int, above: str) -> tuple[str | None, bool]:
    """What a loose row below a text is, if not an item, and whether that is sure."""
    if not signs.figures or not (signs.missing or signs.of_amounts):
        return None, True
    text, spans = table.text(at), table.spans(at)
    no_item = spans or signs.missing or signs.figures > 1
    if above and no_item and not signs.colons and ATTRIBUTE.match(text):
        return PROPERTY, True
    if above and _goes_on(table, signs, text, above):
        is_marked = text[:1] in _GOES_ON or (signs.open and is_open(above))
        return JOINED, no_item and (signs.missing or is_marked)
    if at < signs.last and (signs.on_top or signs.over if spans else signs.grouped and signs.in_full):
        return TITLE, spans
    if spans or (at > signs.last and not above and no_item):
        is_apart = not above and (spans or signs.missing or signs.summed)
        return NOTE, is_apart or (spans and signs.on_top) or text.endswith(".")
    return None, not no_item or _is_plain(table, signs, at)


def _goes_on(table: _Table, signs: _Signs, text: str, above: str) -> bool:
    """Whether a text plainly goes on with the one above; a small letter alone says so of no whole record."""
    if signs.open and is_open(above):
        return True
    is_record = table.document.kind == "csv" and not signs.missing and text[:1] not in _GOES_ON
    return signs.small and _begins_small(text) and not is_record


def _is_plain(table: _Table, signs: _Signs, at: int) -> bool:
    """Whether a row without its numbers is a record of a file of records, with no sign of anything else."""
    text = table.text(at)
    is_among = text[0].isalpha() and not _begins_small(text) and not signs.on_top and at < signs.last
    return table.document.kind == "csv" and (signs.missing or is_among)
