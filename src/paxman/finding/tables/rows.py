"""Rows of an array: tables whose heads name its columns, joined over pages, with what each line of them is."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, pairwise
from typing import Literal

import attrs

from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document
from paxman.finding.scalars import claims_of
from paxman.finding.tables.blocks import find_blocks, find_titled
from paxman.finding.tables.columns import ArrayColumns, Bound, columns_of, currency_named
from paxman.finding.tables.context import with_context
from paxman.finding.tables.head_units import units_of_heads
from paxman.finding.tables.item_lines import find_item_lines
from paxman.finding.tables.joining import FoundRows, join_tables
from paxman.finding.tables.open_columns import SAMPLE, open_columns
from paxman.finding.tables.parted_items import find_parted
from paxman.finding.tables.region import join_regions, printed_counts, region_of, rows_elsewhere
from paxman.finding.tables.row_building import FoundRow, RowBuilder
from paxman.finding.tables.tags import TableReader, TaggedLine, settle_sums
from paxman.lazy import remembered
from paxman.lexicon.lexicon import Lexicon
from paxman.page.grid import (
    Layout,
    TableGrid,
    TableRow,
    Unit,
    below,
    head_cell,
    head_parts,
    strips_of,
    table_grid,
    turned,
)
from paxman.page.names import Page, page_of
from paxman.recognizers import Conventions
from paxman.types import Span

_MOST_ROWS = 100_000
_DATA = ("csv", "spreadsheet")
_MOST_STACKED = 3
_MOST_TITLES = 6
_STACKING = 0.04
_LEAST_TURNED = 3
_NEAR = 0.2
_COVERED = 0.8
_LEAST_OUTSIDE = 3
_LEAST_NAMED, _LEAST_SHARED = 3, 3
"""How often labels name a column that rows may lack, and how many columns another table has that may hold rows."""
_POSITION = "position"
_THEIRS = 0.3
"""By how much heads that fit another array better are those of its table."""
_NAMES_ARRAY, _AS_WELL = 0.72, 0.06
"""How well a heading names an array, and by how much less it still may mean another field."""
_BARE_LEVEL = 99


_Head = tuple[int, int, tuple[tuple[Unit, ...], ...], Bound, float]
"""The first and last line of a heading, its columns, what they name, and how well."""
_Titles = tuple[Mapping[int, tuple[int, str]], Sequence[tuple[str, int]]]
"""How weighty lines over others are (0: over no more than the next) and the one array that each names.

Then for all lines the nearest such name, and the nearest such line."""


def find_rows(
    document: Document, contract: CanonicalContract, field: CanonicalField, lexicon: Lexicon, how: Conventions
) -> FoundRows | None:
    """The rows that a document has for an array of objects."""
    page = page_of(document)
    columns = columns_of(contract, field, lexicon)
    rivals = [columns_of(contract, leaf, lexicon) for leaf in contract.leaves if leaf.columns and leaf.id != field.id]
    titles = _titles(page, contract, lexicon)
    best = _find_rows(document, contract, field, columns, rivals, how, titles)
    if best is None or not best.rows:
        return best
    over = {titles[1][page.lines.at(row.start)] for row in best.rows}
    best = attrs.evolve(best, tables=max(best.tables, len(over)))
    if any(owner != field.path for owner, _ in over):
        shared = any(_may_share(best, columns, rival) for rival in rivals)
        doubt = "nothing over these rows tells of which of several arrays they are"
        best = attrs.evolve(best, doubts=(*best.doubts, doubt)) if shared else best
    own = {page.lines.at(cell.span[0]) for row in best.rows for cell in row.cells.values()}
    counts = (count for count in printed_counts(page, field.name, lexicon) if count.line not in own)
    rows, stated = with_context(page, columns, best.rows, best.heads, how)
    filled = Counter(column for row in rows for column in row.cells)
    told = {column for row in best.rows for column in row.cells if column not in row.lent}
    told |= {column for column, count in filled.items() if count == len(rows)}
    missing = [column for column in range(len(columns.fields)) if column not in told]
    labels = Counter(name.text.strip(" :") for name in page.names) if missing else Counter[str]()
    loose = [
        column
        for column in missing
        if column in stated | {*best.region.unclear}
        or filled[column]  # but not in all rows; or labels name it again and again, as in cards or other tables
        or sum(count for label, count in labels.items() if columns.may_name(label, column)) >= _LEAST_NAMED
    ]
    loose += {column for row in best.rows for column in row.cells} if best.likely else ()
    region = attrs.evolve(best.region, unclear=tuple(dict.fromkeys(loose)))
    tied = best.tied and rows == best.rows
    return attrs.evolve(best, rows=rows, region=region, tied=tied, counts=tuple(counts))


def _find_rows(
    document: Document,
    contract: CanonicalContract,
    field: CanonicalField,
    columns: ArrayColumns,
    rivals: Sequence[ArrayColumns],
    how: Conventions,
    titles: _Titles,
) -> FoundRows | None:
    page = page_of(document)
    left: dict[str, None] = {}

    def tables(columns: ArrayColumns) -> list[FoundRows]:
        cuts = [number for number, (weight, name) in titles[0].items() if weight and name]
        found = [*_of_tables(document, columns, rivals, how), *_of_layout(page, columns, rivals, how, cuts)]
        kept = _below_own([each for each in found if each.rows], page, titles, field.path, left)
        return join_tables(kept, columns)

    best = _best(tables(columns))
    if not best and document.kind not in _DATA:
        found = [*_of_lines(page, columns, how)] or [*_of_items(page, contract, field, columns, how)]
        best = _best(_below_own(found, page, titles, field.path, left))
    if best is None:
        best = _best([each for each in tables(columns.likely) if len(each.rows) > 1])
        best = best and attrs.evolve(best, likely=True)
    return best or (FoundRows((), doubts=tuple(left)) if left else None)


def _may_share(best: FoundRows, columns: ArrayColumns, rival: ArrayColumns) -> bool:
    """Whether another array may take the same rows, for their heads fit it as well, or it has the same columns."""
    if not best.heads:
        return {each.name for each in columns.fields} == {each.name for each in rival.fields}
    bound = rival.bind(best.heads)
    return rival.are_named(bound, len(best.heads)) and bound.score > best.score - _THEIRS


@remembered(lambda page, contract, lexicon: (page.document.cache, page, contract.content_hash, id(lexicon)))
def _titles(page: Page, contract: CanonicalContract, lexicon: Lexicon) -> _Titles:
    """Headings, lines right over tables, and names of arrays over a paragraph of words, as "Nobody." is one."""
    arrays = [leaf for leaf in contract.leaves if leaf.columns]
    starts = {head[0] for leaf in arrays for head in _heads(page, columns_of(contract, leaf, lexicon))}
    titles: dict[int, tuple[int, str]] = {}
    for line, after in pairwise(page.lines):
        if not arrays or line.gridded or len(line.cells) > 1:
            continue
        weight = line.level or (_BARE_LEVEL if after.number in starts or (after.row and after.row.number < 2) else 0)
        named = _array_named(page.text[line.start : line.end], contract, lexicon)
        is_short = len(after.cells) == 1 and all(lower.blank for lower in page.lines.after(after.number, 1))
        is_word = is_short and not any(map(str.isdecimal, page.text[after.start : after.end]))
        titles |= {line.number: (weight, named)} if weight or (named and is_word) else {}
    path: list[int] = []
    over = []
    for number in range(len(page.lines)):
        if weight := titles.get(number, (0, ""))[0]:
            path = [*(each for each in path if titles[each][0] < weight), number]
        owners = (titles[each][1] for each in reversed(path) if titles[each][1])
        over.append((next(owners, ""), path[-1] if path else -1))
    return titles, over


def _array_named(text: str, contract: CanonicalContract, lexicon: Lexicon) -> str:
    """The only array of objects that a heading names, and no other field better."""
    found = claims_of(contract, lexicon).of(text.strip(" :"))
    most = max((claim.fit for claim in found.values()), default=0.0)
    likely = [contract.leaves[at] for at, claim in found.items() if claim.fit >= max(_NAMES_ARRAY, most - _AS_WELL)]
    paths = [leaf.path for leaf in likely if leaf.columns]
    return paths[0] if len(paths) == 1 else ""


def _below_own(
    found: Sequence[FoundRows], page: Page, titles: _Titles, path: str, left: dict[str, None]
) -> list[FoundRows]:
    """Rows but those below a heading of another array, or of another thing where one of the page names theirs."""
    lines, starts = page.lines, [each.span[0] for each in page.document.pages]
    named, over = titles
    sheets = {number: bisect_right(starts, lines[number].start) for number in named}
    own = {sheets[each] for each, (_, name) in named.items() if name == path and not lines[each + 1].level}
    kept: list[FoundRows] = []
    loose: dict[str, float] = {}
    for each in found:
        rows = []
        for row in each.rows:
            owner, title = over[lines.at(row.start)]
            if owner == path or title < 0 or (not named[title][1] and sheets[title] not in own):
                rows.append(row)
                continue
            text = f"rows below {page.text[lines[title].start : lines[title].end]!r} were left out as of another list"
            left[text] = None
            loose |= {} if owner else {text: max(each.score, loose.get(text, 0.0))}
        kept += [attrs.evolve(each, rows=tuple(rows))] if rows else []
    least = max((each.score for each in kept), default=0.0) - _NEAR
    doubts = [text for text, score in loose.items() if score >= least]
    return [attrs.evolve(each, doubts=(*each.doubts, *doubts)) for each in kept]


def _of_items(
    page: Page, contract: CanonicalContract, field: CanonicalField, columns: ArrayColumns, how: Conventions
) -> Iterator[FoundRows]:
    """Rows from the items of a list, which only their separators part into columns."""
    parted = find_parted(page, contract, field, columns, how)
    if rows := tuple(FoundRow(cells, min(cell.span[0] for cell in cells.values())) for cells in parted):
        yield FoundRows(rows, doubts=("what parts an item may stand within a value",), score=1.0)


def _of_lines(page: Page, columns: ArrayColumns, how: Conventions) -> Iterator[FoundRows]:
    """Rows without a table: items that take a line each, and records in blocks."""
    listed = find_item_lines(page, columns, how)
    if listed:
        rows = tuple(FoundRow(item.cells, page.lines[item.number].start) for item in listed.items)
        yield FoundRows(rows, score=2.0, tied=listed.tied)
    for blocks in filter(None, (find_blocks(page, columns, how), find_titled(page, columns))):
        rows = tuple(FoundRow(block.cells, block.start) for block in blocks.blocks)
        yield FoundRows(rows, score=blocks.score, tied=blocks.tied)


def _best(found: Sequence[FoundRows]) -> FoundRows | None:
    if not found:
        return None
    ranked = sorted(found, key=lambda each: (-each.score, -len(each.rows), each.rows[0].start))
    best = ranked[0]
    rivals = [each for each in ranked[1:] if each.score >= best.score - _NEAR or _are_alike(each.heads, best.heads)]
    if rivals:
        doubt = f"{len(rivals) + 1} tables fit; the first of the most rows was taken"
        best = attrs.evolve(best, doubts=(*best.doubts, doubt))
    others = [each for each in ranked[1:] if _may_hold_rows(each, best)]
    region = join_regions([best.region, *(rows_elsewhere(each.rows) for each in others)])
    return attrs.evolve(best, region=attrs.evolve(region, numbers=best.region.numbers)) if others else best


def _may_hold_rows(other: FoundRows, best: FoundRows) -> bool:
    """Whether another table has so many of the columns that rows of the array may stand in it."""
    own, more = ({column for row in each.rows for column in row.cells} for each in (best, other))
    lines = {row.start for row in best.rows}
    return len(more) >= max(_LEAST_SHARED, len(own) / 2) and all(row.start not in lines for row in other.rows)


def _are_alike(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether heads of two tables are the same but for one, as where a letter is misread."""
    return len(one) == len(other) > 2 and len(set(one) & set(other)) == len(set(other)) - 1


def _of_tables(
    document: Document, columns: ArrayColumns, rivals: Sequence[ArrayColumns], how: Conventions
) -> Iterator[FoundRows]:
    last: tuple[TableGrid, Bound] | None = None
    grids = [table_grid(table) for table in document.tables if table.rows]
    found = [(grid, _bind_grid(grid, columns)) for grid in grids]
    told = iter(columns.told_apart([bound[1] for _, bound in found if bound]))
    for grid, named in found:
        theirs = [each[1].score for rival in rivals if named and (each := _bind_grid(grid, rival))]
        if named is not None and named[1].score <= max(theirs, default=0.0) - _THEIRS:
            last, _ = None, next(told)
        elif named is not None:
            last = named[0], next(told)
            yield read_grid(document.text, *last, columns, how)
        elif last and len(grid.heads) == len(last[0].heads) and _is_continued(grid, last, columns, how):
            rows = (TableRow(grid.heads), *grid.rows) if any(c.text.strip() for c in grid.heads) else grid.rows
            yield read_grid(document.text, attrs.evolve(last[0], rows=rows), last[1], columns, how)


def _is_continued(grid: TableGrid, last: tuple[TableGrid, Bound], columns: ArrayColumns, how: Conventions) -> bool:
    """Whether a table without heads goes on with the one before it: its first row is one there."""
    reader = TableReader(columns, last[1], (), how)
    first = TableRow(grid.heads) if any(cell.text.strip() for cell in grid.heads) else grid.rows[0]
    line = reader.line(first)
    return not line.unread and len(line.values) == len(reader.figures) > 0


def _bind_grid(grid: TableGrid, columns: ArrayColumns) -> tuple[TableGrid, Bound] | None:
    """The grid below the row that names most columns, among its first; rows that take two lines count as one."""
    best: tuple[float, TableGrid, Bound] | None = None
    for skipped in range(min(_MOST_TITLES, len(grid.rows))):
        above = grid.heads if not skipped else grid.rows[skipped - 1].cells
        start = attrs.evolve(grid, heads=above, rows=grid.rows[skipped:])
        for taken in range(min(2, len(start.rows))):
            each = below(start, taken) if taken else start
            if taken and any(any(map(str.isdecimal, cell.text)) for cell in start.rows[0].cells):
                continue
            bound = columns.bind([cell.text for cell in each.heads])
            score = bound.score - _STACKING * (skipped + taken)
            if columns.are_named(bound, len(each.heads)) and (best is None or score > best[0]):
                best = score, each, bound
    if best is None and len(grid.rows) + 1 >= _LEAST_TURNED and len(grid.heads) > 1:
        flipped = turned(grid)
        bound = columns.bind([cell.text for cell in flipped.heads])
        if len(bound.places) >= max(2, 0.6 * len(columns.fields)) and len(flipped.rows) > 1:
            best = 0.0, flipped, attrs.evolve(bound, turned=True)
    return (best[1], columns.fill(best[2], [cell.text for cell in best[1].heads])) if best else None


def _of_layout(
    page: Page, columns: ArrayColumns, rivals: Sequence[ArrayColumns], how: Conventions, cuts: Sequence[int]
) -> Iterator[FoundRows]:
    layout = _layout_of(page)
    theirs = {head[0]: head for rival in rivals for head in _heads(page, rival)}
    heads = [
        head
        for head in _heads(page, columns)
        if head[0] not in theirs or head[3].score > theirs[head[0]][3].score - _THEIRS
    ]
    taken = -1
    said = [tuple(head_cell(page.text, column).text.casefold() for column in each[2]) for each in heads]
    ends = _ends(page, heads, said, sorted({*cuts, *(theirs.keys() - {head[0] for head in heads})}))
    running = page.lines.running([each[0] for each in heads])
    bounds = columns.told_apart([each[3] for each in heads])
    for at, ((first, last, stack, _, _), bound) in enumerate(zip(heads, bounds, strict=True)):
        if at and said[at - 1] == said[at] and last <= taken:
            continue
        cells, end = tuple(head_cell(page.text, column) for column in stack), ends[at]
        figures = {place: column for column, place in bound.places.items() if column in columns.figures}
        kinds: dict[int, Literal["number", "date"]] = {
            place: "number" if column in columns.numbers else "date" for place, column in figures.items()
        }
        strips = strips_of(stack, [kinds.get(place, "") for place in range(len(cells))])
        strips = layout.widened(strips, range(last + 1, min(end, *(each[0] for each in heads[at + 1 : at + 2]), end)))
        tabs = layout.tabs(first, last, stack)
        reach = _reach(layout, range(first, last + 1))
        inside = (n for n in range(last + 1, end) if not _is_outside(layout, reach, n))
        rows = layout.rows(inside, strips, tabs)
        found = read_grid(page.lines.printed, TableGrid(cells, (), False), bound, columns, how, rows, running)
        ends_at = (cell.span[1] - 1 for row in found.rows for cell in row.cells.values())
        taken = max(map(page.lines.at, ends_at), default=-1)
        yield found


def _ends(page: Page, heads: Sequence[_Head], said: Sequence[tuple[str, ...]], theirs: Sequence[int]) -> list[int]:
    """For each heading where the next with other words begins, or one of another array, or the next of its level."""
    ends: list[int] = []
    for at in reversed(range(len(heads))):
        alike = ends and said[at] == said[at + 1]
        end = ends[-1] if alike else heads[at + 1][0] if ends else len(page.lines)
        first, last = heads[at][:2]
        level = page.lines[first].level
        titles = (line for line in page.lines.after(last, end - last - 1 if level else 0) if len(line.cells) == 1)
        below = (line.number for line in titles if 0 < line.level <= level)
        ends.append(min([end, *theirs[bisect_right(theirs, last) :][:1], *islice(below, 1)]))
    return ends[::-1]


@remembered(lambda page: (page.document.cache, page))
def _layout_of(page: Page) -> Layout:
    return Layout(page.lines)


@remembered(lambda page, columns: (page.document.cache, page, columns))
def _heads(page: Page, columns: ArrayColumns) -> list[_Head]:
    """Every heading of the page, with its first and last line."""
    heads: list[_Head] = []
    number = 0
    while number < len(page.lines):
        found = _head_at(page, _layout_of(page), columns, number)
        heads += [found] if found else []
        number = found[1] + 1 if found else number + 1
    return heads


def _twins(heads: Sequence[str], bound: Bound, columns: ArrayColumns, tagged: Sequence[TaggedLine]) -> Iterator[str]:
    """Doubts about columns that another one is headed like, where these hold something else."""
    rows = [each.line.row.cells for each in tagged if each.tag == "row"]
    for column, place in bound.twins.items():
        own = bound.places.get(column)
        if own is None:
            continue
        differing = sum(1 for cells in rows if cells[place].text and cells[place].text != cells[own].text)
        if not differing:
            continue
        if heads[place].strip().casefold() != heads[own].strip().casefold():
            yield f"another column may be {columns.fields[column].name}"
            continue
        which, count = "first" if own < place else "last", f"{differing} {'row' if differing == 1 else 'rows'}"
        yield f"2 columns are headed {heads[own].strip()!r} and differ in {count}; the {which} was taken"


def _head_at(page: Page, layout: Layout, columns: ArrayColumns, number: int) -> _Head | None:
    """The heading that a line is the first or only part of, with the lines that belong to it."""
    if page.lines[number].gridded or not _may_head(page, number):
        return None
    best: tuple[float, list[int], tuple[tuple[Unit, ...], ...], Bound] | None = None
    numbers: list[int] = []
    for last in range(number, min(number + _MOST_STACKED + 2, len(page.lines))):
        line = page.lines[last]
        if numbers and _is_outside(layout, _reach(layout, numbers), last):
            continue
        beside = numbers and numbers[-1] < last - 1
        if last > number and ((line.blank and not beside) or line.gridded or not _may_head(page, last)):
            break
        numbers.append(last)
        for stack in _stacks(layout, numbers):
            if len(stack) < 2 and len(columns.fields) > 1:
                continue
            bound = columns.bind_stacked([head_parts(page.text, column) for column in stack])
            score = bound.score - _STACKING * (len(numbers) - 1) + _COVERED * layout.coverage(last, stack)
            if columns.are_named(bound, len(stack)) and (best is None or score > best[0] + 1e-9):
                best = score, [*numbers], stack, bound
    if best is None:
        return None
    heads = [head_cell(page.text, column).text for column in best[2]]
    bound = columns.fill(best[3], heads)
    for lower in best[1][1:]:
        later = _head_at(page, layout, columns, lower)
        if later is None:
            continue
        is_cut = any(len(layout.units(above)) == 1 for above in best[1] if above < lower)
        is_title = is_cut or len(later[2]) > len(best[2])
        if (is_title and later[3].score >= bound.score) or later[4] >= best[0]:
            return None
    return number, best[1][-1], best[2], bound, best[0]


def _stacks(layout: Layout, numbers: Sequence[int]) -> Iterator[tuple[tuple[Unit, ...], ...]]:
    """The columns that the lines of a heading make by their gaps, and then by single blanks, if these tell more."""
    wide = layout.stack(numbers)
    yield wide
    if len(wide) > 1 and any(" " in layout.text[slice(*part.span)] for column in wide for part in column):
        narrow = layout.stack(numbers, narrow=True)
        yield from [narrow] if len(narrow) > len(wide) else ()


def _reach(layout: Layout, numbers: Sequence[int]) -> Span | None:
    """From where to where a heading reaches across the page, if it has enough parts to tell."""
    units = [unit for each in numbers for unit in layout.units(each)]
    enough = len(units) >= _LEAST_OUTSIDE
    return (min(unit.left for unit in units), max(unit.right for unit in units)) if enough else None


def _is_outside(layout: Layout, reach: Span | None, number: int) -> bool:
    """Whether a line stands beside a heading and not below it, as what is printed at the edge of a page."""
    units = layout.units(number)
    return reach is not None and len(units) < 2 and all(u.right <= reach[0] or u.left >= reach[1] for u in units)


def _may_head(page: Page, number: int) -> bool:
    """Whether a line can be one of headings: words, and no pairs of a label and a value."""
    line = page.lines[number]
    text = page.text[line.start : line.end]
    digits = sum(1 for s, e in line.cells if any(map(str.isdecimal, page.text[s:e])))
    if digits > len(line.cells) / 3 or ": " in text or any(page.text[e - 1] == ":" for _, e in line.cells):
        return False
    return len("".join(text.split())) <= 400 and not (len(line.cells) == 1 and len(text.split()) > 12)


def read_grid(
    text: str,
    grid: TableGrid,
    bound: Bound,
    columns: ArrayColumns,
    how: Conventions,
    rows: Iterable[TableRow] | None = None,
    running: frozenset[int] = frozenset(),
) -> FoundRows:
    """The rows of a grid whose columns are known."""
    heads = [cell.text for cell in grid.heads]
    lines = islice(rows if rows is not None else grid.rows, _MOST_ROWS)
    first = list(islice(lines, SAMPLE))
    opened = open_columns(columns, bound, heads, first, how)
    bound = opened.bound
    currencies = {c: code for c, place in bound.places.items() if (code := currency_named(heads[place]))}
    reader = TableReader(columns, bound, heads, how, currencies, running)
    tagged = list(reader.tags(chain(first, lines)))
    tagged, confirmed = settle_sums(reader, tagged)
    built = RowBuilder(text, reader, bound)
    for each in tagged:
        built.add(each)
    built.doubt_rows(tagged, confirmed)
    doubts = [*opened.doubts, *built.doubts]
    doubts += _twins(heads, bound, columns, tagged)
    units = units_of_heads(text, columns, bound.places, grid.heads)
    said = tuple(sorted(" ".join(head.split()).casefold() for head in heads if head.strip()))
    tied = opened.tied and not bound.turned
    roles = {place: columns.roles[column] for column, place in bound.places.items()}
    loose = (place for place in range(len(heads)) if roles.get(place, _POSITION) == _POSITION)
    numbered = [place for place in loose if columns.numbers_rows(heads[place])]
    region = region_of(tagged, confirmed, (*opened.unclear, *sorted(bound.elsewhere)), numbered)
    return FoundRows(tuple(built.rows(units)), region, tuple(doubts), bound.score, said, tied, currencies)
