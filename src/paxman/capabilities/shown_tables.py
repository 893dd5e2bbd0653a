"""Tables that a model is shown by their heads and a few rows; it says which column is what, and code reads the rows."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import attrs

from paxman.capabilities.base import CapabilityContext, CapabilityResult
from paxman.capabilities.rejected_rows import left_out
from paxman.capabilities.table_extraction import read_rows
from paxman.capabilities.values import conventions
from paxman.classes import record
from paxman.contract.model import CanonicalField
from paxman.documents.document import Cell, Document
from paxman.finding.tables.region import Region, join_regions, rows_elsewhere
from paxman.finding.tables.row_building import FoundRow
from paxman.finding.tables.rows import find_rows
from paxman.inference.prompting import TableUse
from paxman.lazy import lazy_pattern, remembered
from paxman.lexicon.own_files import lexicon_of
from paxman.page.grid import Layout, Strip, TableRow, head_cell, strips_of, table_grid
from paxman.page.names import page_of
from paxman.types import Diagnostic, Severity, Span

_LEAST_ROWS, _LEAST_COLUMNS = 12, 3
_MOST_ODD, _MOST_TITLES, _MOST_BETWEEN = 8, 20, 12
_NEARLY_ALL = 0.95
"""The share of the rows of a table that code has to read, or it is asked for row by row."""
_DIGIT = lazy_pattern(r"\d")
_Line = tuple[int, tuple[Cell, ...]]


@record
class ShownTable:
    """A table with the numbers of the lines that its rows stand on; `extra` are lines that only repeat its heads."""

    name: str
    heads: tuple[Cell, ...]
    rows: tuple[_Line, ...]
    extra: frozenset[int] = frozenset()

    @property
    def lines(self) -> frozenset[int]:
        return self.extra | {number for number, _ in self.rows}

    @property
    def printed(self) -> list[int]:
        """The places of the rows that are shown: the first, those that look otherwise, and the last."""
        forms = [tuple(bool(cell.text.strip()) for cell in cells) for _, cells in self.rows]
        usual = Counter(forms).most_common(1)[0][0]
        odd = [at for at, form in enumerate(forms) if form != usual and sum(form) > 1][:_MOST_ODD]
        return sorted({0, min(1, len(forms) - 1), len(forms) - 1, *odd})

    @property
    def said(self) -> tuple[str, ...]:
        return tuple(head.text for head in self.heads)

    def shown(self, text: str) -> str:
        """Heads, titles of groups and some rows; `text` may be masked."""
        said = [[" ".join(text[slice(*cell.span)].split()) for cell in cells] for _, cells in self.rows]
        titles = [" ".join(row).strip() for row in said if sum(map(bool, row)) == 1][:_MOST_TITLES]
        rows = [
            {"row": self.rows[at][0], **{f"c{n}": cell for n, cell in enumerate(said[at], 1) if cell}}
            for at in self.printed
        ]
        heads = {f"c{n}": " ".join(text[slice(*head.span)].split()) for n, head in enumerate(self.heads, 1)}
        told = {"table": self.name, "heads": heads, "titles": titles, "rows": rows, "of": len(said)}
        return json.dumps(told, ensure_ascii=False)


@remembered(lambda document, lines: (document.cache,))
def tables_of(document: Document, lines: Sequence[Span]) -> tuple[ShownTable, ...]:
    """The tables of a page with so many rows that code had better read them; `lines` are those that are numbered."""
    found = [*_of_format(document), *_laid_out(document)]
    numbered = [([*_with_lines(heads, lines)], tuple(_with_lines(rows, lines))) for heads, rows in found]
    headed = [(heads, rows) for heads, rows in numbered if rows and heads and _are_heads(heads[0][1])]
    tables = [ShownTable("", heads[0][1], rows, frozenset(n for n, _ in heads)) for heads, rows in headed]
    long = {table.said for table in tables if len(table.rows) >= _LEAST_ROWS}
    made: list[ShownTable] = []
    for table in sorted((table for table in tables if table.said in long), key=lambda each: each.rows[0][0]):
        if made and made[-1].said == table.said:
            made[-1] = attrs.evolve(made[-1], rows=(*made[-1].rows, *table.rows), extra=made[-1].extra | table.extra)
        else:
            made.append(table)
    return tuple(attrs.evolve(table, name=f"T{number}") for number, table in enumerate(made, 1))


def _are_heads(heads: Sequence[Cell]) -> bool:
    """Whether each of several columns has a head of its own, in words."""
    said = [head.text.strip().casefold() for head in heads]
    return len(said) >= _LEAST_COLUMNS and all(said) and len(set(said)) == len(said)


def _line_of(cell: Cell, lines: Sequence[Span]) -> int:
    return bisect_right(lines, (cell.span[0] + 1,))


def _with_lines(rows: Sequence[tuple[Cell, ...]], lines: Sequence[Span]) -> Iterator[_Line]:
    for cells in rows:
        filled = [cell for cell in cells if cell.text.strip()]
        if filled:
            yield _line_of(filled[0], lines), cells


_Found = tuple[list[tuple[Cell, ...]], list[tuple[Cell, ...]]]
"""The heads, as often as they are printed, and the rows."""


def _of_format(document: Document) -> Iterator[_Found]:
    for table in document.tables:
        grid = table_grid(table)
        if grid.said or not any(_DIGIT.search(head.text) for head in grid.heads):
            yield [grid.heads], [row.cells for row in grid.rows]


def _laid_out(document: Document) -> Iterator[_Found]:
    """Tables that only stand in columns: words side by side, and below them nothing but rows that fill most of them."""
    layout, number = Layout(page_of(document).lines), 0
    while number < len(layout.lines):
        line = layout.lines[number]
        number += 1
        if line.gridded or len(line.cells) < _LEAST_COLUMNS or _has_digits(layout, line.number):
            continue
        columns = layout.stack([line.number])
        strips = strips_of(columns, [""] * len(columns))
        strips = layout.widened(strips, range(number, min(number + _MOST_BETWEEN, len(layout.lines))))
        heads = [tuple(head_cell(layout.text, column) for column in columns)]
        rows = [*_rows_below(layout, line.number, strips, heads)]
        if rows:
            yield heads, [row.cells for row in rows]
            number = rows[-1].line + 1


def _rows_below(
    layout: Layout, head: int, strips: tuple[Strip, ...], heads: list[tuple[Cell, ...]]
) -> Iterator[TableRow]:
    """The rows up to the end of a table, or none if other lines stand among them where no page ends.

    Heads that are printed again are added to `heads`.
    """
    said = [layout.text[slice(*span)] for span in layout.lines[head].cells]
    rows, between = list[TableRow](), list[int]()
    for at in range(head + 1, len(layout.lines)):
        row, is_head = layout.row(at, strips, None), said == [layout.text[slice(*s)] for s in layout.lines[at].cells]
        if is_head:
            heads.append(row.cells)
            between = []
        elif 2 * len(row.filled) > len(strips) and not (row.loose or row.torn) and _has_digits(layout, at):
            if between and len(heads) < 2:
                return
            rows.append(row)
            between = []
        elif layout.lines[at].gridded or len(between) == _MOST_BETWEEN or _may_head(layout, at):
            break
        else:
            between.append(at)
    yield from rows


def _may_head(layout: Layout, number: int) -> bool:
    return len(layout.lines[number].cells) >= _LEAST_COLUMNS and not _has_digits(layout, number)


def _has_digits(layout: Layout, number: int) -> bool:
    line = layout.lines[number]
    return _DIGIT.search(layout.text, line.start, line.end) is not None


def read_by_heads(
    context: CapabilityContext, uses: Sequence[TableUse], tables: Sequence[ShownTable], model: str
) -> CapabilityResult | None:
    """The rows of tables whose heads a model assigned to columns; nothing where code finds no such rows."""
    known = {table.name: table for table in tables}
    used = [(use, known[use.table]) for use in uses if use.table in known]
    labels: dict[str, list[str]] = {}
    for use, table in used:
        heads = {f"c{n}": head.text.strip() for n, head in enumerate(table.heads, 1)}
        for name, column in use.columns.items():
            labels.setdefault(name, []).extend([heads[column]] if column in heads else [])
    field, lexicon = _headed(context.field, labels), lexicon_of(context.policy.lexicon)
    found = find_rows(context.document, context.contract, field, lexicon, conventions(context)) if used else None
    if found is None:
        return None
    page = page_of(context.document)
    skip = {table.rows[at][0] for use, table in used for at in table.printed} & {n for use, _ in used for n in use.skip}
    starts = {n: min(cell.span for cell in cells if cell.text)[0] for _, table in used for n, cells in table.rows}
    lines = {page.lines.at(start): number in skip for number, start in starts.items()}
    places = [(row, lines.get(page.lines.at(row.start))) for row in found.rows]
    rows = tuple(row for row, is_skipped in places if is_skipped is False)
    if len(rows) < _NEARLY_ALL * sum(not is_skipped for is_skipped in lines.values()):
        return None
    skipped = [row for row, is_skipped in places if is_skipped]
    loose = rows_elsewhere([row for row, is_skipped in places if is_skipped is None])
    region = join_regions([found.region, Region({"skipped": len(skipped)} if skipped else {}), loose])
    region = attrs.evolve(region, numbers=found.region.numbers)
    made = read_rows(context, attrs.evolve(found, rows=rows, region=region))
    notes = [_skipped(context, row, model) for row in skipped]
    if unseen := len(starts.keys() & {number for use, _ in used for number in use.skip} - skip):
        message = f"{model} skips {unseen} row{'s' if unseen > 1 else ''} that it was not shown: nothing was left out"
        notes.append(Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, context.field.path))
    made = attrs.evolve(made, diagnostics=(*made.diagnostics, *notes))
    read = [each.value for each in made.candidates]
    if any(
        len(before.value) >= len(value) and before.value != value for before in context.candidates for value in read
    ):
        return None  # As many or more were read before, and otherwise: the rows themselves tell.
    held = {name for each in made.candidates for row in each.value for name in row}
    if any(heads and name not in held for name, heads in labels.items()):
        return None
    refs = [tuple(attrs.evolve(ref, model_id=model) for ref in each.evidence_refs) for each in made.candidates]
    pairs = zip(made.candidates, refs, strict=True)
    return attrs.evolve(made, candidates=tuple(attrs.evolve(each, evidence_refs=own) for each, own in pairs))


def _skipped(context: CapabilityContext, row: FoundRow, model: str) -> Diagnostic:
    spans = [cell.span for cell in row.cells.values()]
    whole = (min(start for start, _ in spans), max(end for _, end in spans))
    return attrs.evolve(left_out(context, f"{model} says that it is no record", whole), severity=Severity.INFO)


def _headed(field: CanonicalField, labels: Mapping[str, Sequence[str]]) -> CanonicalField:
    """An array whose columns go by the heads that a model found for them."""
    assert field.items is not None
    children = tuple(
        attrs.evolve(child, labels=(*labels[child.name], *child.labels)) if labels.get(child.name) else child
        for child in field.items.children
    )
    path = f"{field.path} by {sorted(labels.items())}"
    return attrs.evolve(field, path=path, items=attrs.evolve(field.items, children=children))
