"""Rows from a list below the name of an array: each item is parted at its dashes, colons, brackets or commas."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Cell
from paxman.finding.scalars import claims_of
from paxman.finding.tables.columns import ArrayColumns
from paxman.finding.tables.lists import find_named, sliced
from paxman.lazy import lazy_pattern
from paxman.lexicon.lexicon import Lexicon
from paxman.page.names import Page
from paxman.recognizers import Conventions, read_value
from paxman.types import FieldType, Span

_STRONG = lazy_pattern(r"[ \t]+[–—|-][ \t]+|\t|[ \t]{2,}|:[ \t]+|[ \t]*[()][ \t,]*|;[ \t]*")
_WEAK = lazy_pattern(r"[ \t]+[–—|-][ \t]+|\t|[ \t]{2,}|:[ \t]+|[ \t]*[()][ \t,]*|;[ \t]*|,[ \t]+")
_WORD = lazy_pattern(r"\S+[ \t:]+")
_LEAST_FIT, _MOST_NAMING, _LONGEST = 0.8, 2, 300


def find_parted(
    page: Page, contract: CanonicalContract, field: CanonicalField, columns: ArrayColumns, how: Conventions
) -> tuple[Mapping[int, Cell], ...]:
    """The cells of each item by column, where all items of a list are parted alike; else none."""
    items = _items(page, contract, field, columns.lexicon)
    if len(items) < 2 or len(columns.fields) < 2 or any(len(item.text) > _LONGEST for item in items):
        return ()
    for separator in (_STRONG, _WEAK):
        rows = [_row(item, separator, columns, how) for item in items]
        if all(rows) and len({frozenset(row) for row in rows}) == 1:
            return tuple(rows)
    return ()


def _items(page: Page, contract: CanonicalContract, field: CanonicalField, lexicon: Lexicon) -> Sequence[Cell]:
    number = next(number for number, leaf in enumerate(contract.leaves) if leaf.id == field.id)
    found = find_named(page, claims_of(contract, lexicon), number, field)
    return () if found is None or found.dropped else found.items


def _row(item: Cell, separator: re.Pattern[str], columns: ArrayColumns, how: Conventions) -> dict[int, Cell]:
    """The parts of an item by column: those that name theirs, those of a type, and the others in their order."""
    parts = [sliced(item, span) for span in _spans(item.text, separator)]
    cells: dict[int, Cell] = {}
    left = [part for part in parts if not _take_named(part, cells, columns)]
    for at, column in enumerate(columns.fields):
        if column.type is not FieldType.STRING and at not in cells:
            part = next((part for part in left if _is_read(part.text, column, how)), None)
            if part:
                cells[at] = part
                left.remove(part)
    open_ = [at for at, column in enumerate(columns.fields) if column.type is FieldType.STRING and at not in cells]
    required = {at for at, column in enumerate(columns.fields) if column.required}
    if len(left) != len(open_) or not required <= {*cells, *open_}:
        return {}
    return {**cells, **dict(zip(open_, left, strict=True))}


def _spans(text: str, separator: re.Pattern[str]) -> list[Span]:
    found, start = [], 0
    for cut in separator.finditer(text):
        found.append((start, cut.start()))
        start = cut.end()
    return [(a, b) for a, b in (*found, (start, len(text))) if text[a:b].strip()]


def _take_named(part: Cell, cells: dict[int, Cell], columns: ArrayColumns) -> bool:
    """Whether a part begins with the name of a column, which it is given to then: "ticket 235-44"."""
    if not part.text[0].islower():
        return False  # The name of somebody or something, which may have such a word in it.
    ends = [word.end() for word in _WORD.finditer(part.text)][:_MOST_NAMING]
    for end in reversed(ends):
        fits = columns.of(part.text[:end].strip(" \t:"))
        best = max(fits, key=lambda at: (fits[at], -at), default=None)
        if best is not None and fits[best] >= _LEAST_FIT and best not in cells:
            cells[best] = sliced(part, (end, len(part.text)))
            return True
    return False


def _is_read(text: str, column: CanonicalField, how: Conventions) -> bool:
    reading = read_value(text, column, how)
    return reading is not None and (reading.start, reading.end) == (0, len(text))
