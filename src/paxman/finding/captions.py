"""Captions of forms: rows of boxes whose captions stand over, under or before the values, with lines or without."""

from __future__ import annotations

from collections.abc import Iterator

from paxman.finding.claims import Claim, Claims
from paxman.finding.ties import Find
from paxman.finding.wanted import is_head
from paxman.lazy import lazy_pattern
from paxman.page.lines import PageLine
from paxman.page.names import Name, Page
from paxman.page.places import Place
from paxman.types import FieldType, Span

_WHOLE = 0.95
OWN_LABEL = lazy_pattern(r"[^\d:=]+[:=]")
"""The label that a cell begins with, and ends itself: "Ship date: 14 June" is no box of a ship."""
_LEAST = 2
_MOST_WORDS = 5
_FAR = 200
"""Lines that one row of a table may take."""
_SEVERAL = (FieldType.ARRAY, FieldType.OBJECT)


def caption_finds(page: Page, claims: Claims) -> Iterator[Find]:
    """Values in boxes whose caption is a name or label of the contract word for word, or what its trade calls it."""
    if all(wanted.field.type in _SEVERAL for wanted in claims.wanted):
        return
    for name, place in (*_rows_apart(page, claims), *_led_boxes(page, claims)):
        for field, claim in _whole_claims(name.text, claims, of_trade=True).items():
            yield Find(field, claim, place, name=name)


def _whole_claims(text: str, claims: Claims, *, of_trade: bool = False) -> dict[int, Claim]:
    """The scalar fields whose own name or label a text says in full, or a usual wording of its trade."""
    return {
        field: claim
        for field, claim in claims.of(text).items()
        if claim.fit >= _WHOLE
        and (of_trade or claim.asked.source in ("name", "label"))
        and claims.wanted[field].field.type not in _SEVERAL
    }


def _rows_apart(page: Page, claims: Claims) -> Iterator[tuple[Name, Place]]:
    """The boxes of rows of captions of the contract."""
    for line, cell, box in boxes_below(page, {line.number for line in page.lines if _is_head(page, line, claims)}):
        yield _name(page, line, cell), Place("caption", box, box)


def boxes_below(page: Page, heads: set[int]) -> Iterator[tuple[PageLine, Span, Span]]:
    """The captions in these lines, each with its box in the single row of values right below or above."""
    answered = set[int]()
    for number in sorted(heads):
        line, found = page.lines[number], _values_of(page, number, heads, answered)
        answered.update([found.number] if found else [])
        boxes = [(cell, page.overlapping(line, cell, found)) for cell in line.cells] if found else []
        taken = [box for _, box in boxes if box]
        for cell, box in boxes:
            if box and taken.count(box) == 1:
                yield line, cell, box


def _is_head(page: Page, line: PageLine, claims: Claims) -> bool:
    """Whether a line is captions side by side: most of its cells are labels, some of them of the contract."""
    if len(line.cells) < _LEAST:
        return False
    texts = [page.text[slice(*cell)] for cell in line.cells]
    own = sum(bool(_whole_claims(text, claims)) for text in texts)
    return own > 0 and sum(map(claims.is_label, texts)) >= max(_LEAST, len(texts) - 1)


def _values_of(page: Page, number: int, heads: set[int], answered: set[int]) -> PageLine | None:
    """The only row of values of a row of captions: the line below it, or the one above if it answers no others."""
    lines, grid = page.lines, page.lines[number].row
    if grid:
        own = sum(row is not None and row.table == grid.table for row in (lines[each].row for each in heads))
        if 2 * own < grid.rows:
            return None  # A table of many rows, some of which look like captions.
    is_below = number + 1 < len(lines) and number + 1 not in heads and _ends(page, number + 2, heads)
    is_above = number > 0 and number - 1 not in heads and _begins(page, number - 1, heads)
    if is_above and number - 1 in answered:
        is_above, is_below = False, number + 1 < len(lines) and number + 1 not in heads and not lines[number + 1].blank
    if is_below and is_above:  # What is right beside it goes first, then what the first row of the form says.
        near = (not lines[number + 1].blank, not lines[number].blank)
        first = _first_of_group(page, number)
        is_below = near[0] if near[0] != near[1] else first in heads or first + 1 not in heads
        is_above = not is_below
    if is_below:
        return lines[number + 1]
    return lines[number - 1] if is_above else None


def _ends(page: Page, number: int, heads: set[int]) -> bool:
    """Whether no further row of values follows: the page ends, a gap is there, or the next captions are."""
    row = page.lines[number - 1].row
    if row:
        below = (line for line in page.lines.after(number - 1, _FAR) if line.row and line.row.table == row.table)
        following = next((line.number for line in below if line.row and line.row.number > row.number), None)
        return following is None or following in heads
    if number >= len(page.lines) or page.lines[number].blank or number in heads:
        return True
    return len(page.lines[number].cells) < _LEAST


def _begins(page: Page, number: int, heads: set[int]) -> bool:
    """Whether a row is the first below a gap, a title or other captions."""
    above = page.lines[max(number - 1, 0)]
    starts = page.lines[number].blank or above.number in heads or len(above.cells) < _LEAST
    return starts and len(page.lines[number].cells) >= _LEAST


def _first_of_group(page: Page, number: int) -> int:
    """The first line of several cells among those that no blank line parts from one; titles do not count."""
    first = number
    while number and not page.lines[number].blank:
        number -= 1
        first = number if len(page.lines[number].cells) >= _LEAST else first
    return first


def _led_boxes(page: Page, claims: Claims) -> Iterator[tuple[Name, Place]]:
    """Boxes side by side that each begin with a caption and go on with its value."""
    for line in page.lines:
        cuts = [_led(page, cell, claims) for cell in line.cells] if len(line.cells) >= _LEAST else []
        for cut in cuts if all(cuts) else ():
            if cut:
                yield _name(page, line, cut[0]), Place("beside", cut[1], cut[1])


def _led(page: Page, cell: Span, claims: Claims) -> tuple[Span, Span] | None:
    """The longest caption that a cell begins with, and the rest."""
    words = page.text[slice(*cell)].split(" ")[: _MOST_WORDS + 1]
    for count in range(len(words) - 1, 0, -1) if not OWN_LABEL.match(page.text, *cell) else ():
        said = " ".join(words[:count])
        rest = cell[0] + len(said) + 1
        if said[-1:] not in ":=" and rest < cell[1] and _whole_claims(said, claims):
            return (cell[0], rest - 1), (rest, cell[1])
    return None


def _name(page: Page, line: PageLine, span: Span) -> Name:
    return Name(page.text[slice(*span)].rstrip(" :"), span, line.number, (), page.sections[line.number])


_LEAST_FIT = 0.8
_MOST_LINES, _MOST_COLUMNS = 400, 16
_DIGIT = lazy_pattern(r"\d")


def crossing_finds(page: Page, claims: Claims) -> Iterator[Find]:
    """Cells for fields that the names of their row and column fit together, and neither alone as well."""
    for line, head in _headed(page):
        row = _said(page, line.cells[0])
        known = bool(claims.of(row)) or all(map(is_head, claims.lexicon.parse(row)))
        for cell in line.cells[1:_MOST_COLUMNS]:
            over = page.overlapping(line, cell, head)
            if over is None or not _DIGIT.search(page.text, *cell):
                continue
            column = _said(page, over)
            for field, claim in _together(claims, row, column) if known or claims.of(column) else ():
                if claims.wanted[field].field.type not in (FieldType.ARRAY, FieldType.OBJECT):
                    place = Place("next", cell, cell)
                    yield Find(field, claim, place, name=Name(claim.asked.text, line.cells[0], line.number, (place,)))


def _headed(page: Page) -> Iterator[tuple[PageLine, PageLine]]:
    """Lines of a name and figures, each with the line of heads over it."""
    head = None
    for line in page.lines.head(_MOST_LINES):
        has_digit = _DIGIT.search(page.text, line.start, line.end) is not None
        if len(line.cells) > 1 and not has_digit:
            head = line
        elif len(line.cells) < 2:
            head = head if line.gridded else None
        elif head is not None and head.gridded == line.gridded and not _DIGIT.search(page.text, *line.cells[0]):
            yield line, head


def _together(claims: Claims, row: str, column: str) -> Iterator[tuple[int, Claim]]:
    alone = (claims.of(row), claims.of(column))
    for field, claim in claims.of(f"{row} {column}").items():
        others = (found[field].fit for found in alone if field in found)
        if claim.fit >= _LEAST_FIT and claim.fit > max(others, default=0.0):
            yield field, claim


def _said(page: Page, span: Span) -> str:
    return " ".join(page.text[slice(*span)].split()).rstrip(" :.*")
