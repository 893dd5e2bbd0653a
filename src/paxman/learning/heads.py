"""Rows: the heads below which the columns of an array stood in examples, and the rows that such heads give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.finding.tables.columns import columns_of
from paxman.finding.tables.joining import FoundRows
from paxman.finding.tables.rows import find_rows
from paxman.lazy import remembered
from paxman.learning.candidates import AnnotatedPage
from paxman.learning.locating import is_same, letters
from paxman.page.lines import PageLine
from paxman.recognizers import read_value
from paxman.types import FieldType, Span

_FAR_ABOVE, _LONGEST = 4, 60

Heads = Mapping[str, Mapping[str, int]]
"""How often each head stood over a column, by the column's name."""


def heads_on(sheet: AnnotatedPage, field: CanonicalField, rows: Sequence[Any]) -> dict[str, set[str]]:
    """The heads over the columns in which the cells of the right rows stand, by the column's name."""
    found: dict[str, set[str]] = {}
    for line in sheet.page.lines:
        row = max((_cells_of(sheet, line, field, right) for right in rows), key=len, default={})
        above = _head_line(sheet, line, row) if len(row) > 1 else None
        for name, span in row.items() if above else ():
            head = _head_of(sheet, line, span, above) if above else ""
            if head:
                found.setdefault(name, set()).add(head)
    return found


def _cells_of(sheet: AnnotatedPage, line: PageLine, field: CanonicalField, right: Any) -> dict[str, Span]:
    """The cells of a line that are values of a right row, by the names of their columns."""
    found: dict[str, Span] = {}
    for column in field.columns:
        value = right.get(column.name) if isinstance(right, Mapping) else None
        for start, end in line.cells if value is not None else ():
            if (start, end) not in found.values() and _is_value(sheet, sheet.page.text[start:end], column, value):
                found[column.name] = start, end
                break
    return found


def _is_value(sheet: AnnotatedPage, text: str, column: CanonicalField, value: Any) -> bool:
    if column.type is FieldType.STRING:
        return letters(text) == letters(str(value)) != ""
    reading = read_value(text.strip(), column, sheet.how)
    return reading is not None and is_same(reading.value, value, column)


def _head_line(sheet: AnnotatedPage, line: PageLine, row: Mapping[str, Span]) -> PageLine | None:
    """The line over a row that has as many cells as it needs, and no figures in them."""
    for number in range(line.number - 1, max(-1, line.number - 1 - _FAR_ABOVE), -1):
        above = sheet.page.lines[number]
        if len(above.cells) >= len(row) and not any(map(str.isdigit, sheet.page.text[above.start : above.end])):
            return above
    return None


def _head_of(sheet: AnnotatedPage, line: PageLine, span: Span, above: PageLine) -> str:
    """The cell of a line of heads that stands over a cell: by its number, or by its place across the page."""
    number = line.cells.index(span)
    if len(above.cells) == len(line.cells):
        start, end = above.cells[number]
    else:
        left, right = (sheet.page.lines.column(line, position) for position in span)
        reach = {each: [sheet.page.lines.column(above, at) for at in each] for each in above.cells}
        start, end = max(reach, key=lambda each: min(right, reach[each][1]) - max(left, reach[each][0]))
    head = sheet.page.text[start:end].strip().casefold()
    return head if 0 < len(head) <= _LONGEST else ""


def count_heads(each: Sequence[Mapping[str, set[str]]]) -> dict[str, dict[str, int]]:
    """In how many examples each head stood over a column."""
    counts: dict[str, Counter[str]] = {}
    for heads in each:
        for name, texts in heads.items():
            counts.setdefault(name, Counter()).update(texts)
    return {name: dict(sorted(counts[name].items())) for name in sorted(counts)}


@remembered(lambda contract, field, heads: (contract.memo, field.path, _key(heads)))
def with_heads(
    contract: CanonicalContract, field: CanonicalField, heads: Heads
) -> tuple[CanonicalContract, CanonicalField]:
    """The contract and its field with the heads as labels of the columns."""
    if field.items is None:
        return contract, field
    children = tuple(
        attrs.evolve(child, labels=tuple(dict.fromkeys((*child.labels, *heads.get(child.name, ())))))
        for child in field.items.children
    )
    return attrs.evolve(contract), attrs.evolve(field, items=attrs.evolve(field.items, children=children))


def _key(heads: Heads) -> tuple[tuple[str, ...], ...]:
    return tuple((name, *heads[name]) for name in heads)


def recall_rows(sheet: AnnotatedPage, field: CanonicalField, heads: Heads) -> FoundRows | None:
    """The rows below heads that examples taught; nothing where the contract itself knows as many of them."""
    contract, taught = with_heads(sheet.contract, field, heads)
    if not _has_strange(sheet, field, heads):
        return None
    found = find_rows(sheet.document, contract, taught, sheet.lexicon, sheet.how)
    if found is None or not found.heads:
        return None
    known = columns_of(sheet.contract, field, sheet.lexicon).bind(found.heads).places
    learned = columns_of(contract, taught, sheet.lexicon).bind(found.heads).places
    return found if len(learned) > len(known) else None


@remembered(lambda sheet, field, heads: (sheet.contract.memo, field.path, _key(heads)))
def _has_strange(sheet: AnnotatedPage, field: CanonicalField, heads: Heads) -> bool:
    """Whether the contract itself does not know one of the heads."""
    own = columns_of(sheet.contract, field, sheet.lexicon)
    return any(not own.bind((head,)).places for texts in heads.values() for head in texts)


def row_values(sheet: AnnotatedPage, field: CanonicalField, found: FoundRows) -> tuple[dict[str, Any], ...]:
    """The rows as values, as far as their cells can be read."""
    return tuple(dict(_row(sheet, field, row.cells)) for row in found.rows)


def _row(sheet: AnnotatedPage, field: CanonicalField, cells: Mapping[int, Any]) -> Iterator[tuple[str, Any]]:
    for number, cell in sorted(cells.items()):
        reading = read_value(cell.text, field.columns[number], sheet.how)
        if reading is not None:
            yield field.columns[number].name, reading.value
