"""Columns that no head names: a cell above, a title over a group, a labelled value beside or below, carried to rows."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import attrs

from paxman.classes import record
from paxman.documents.document import Cell
from paxman.documents.visual_lines import find_separator
from paxman.finding.tables.columns import FIGURES, NUMBERS, ArrayColumns
from paxman.finding.tables.row_building import FoundRow
from paxman.lazy import lazy_pattern
from paxman.lexicon.folding import fold_words
from paxman.page.lines import PageLine
from paxman.page.names import Page
from paxman.recognizers import Conventions, read_value
from paxman.types import FieldType, Span

_ABOVE = 15
"""Lines above the first row in which its titles stand."""
_LONGEST, _MOST_LABEL = 80, 3
_LEAST_BLANK, _LEAST_GROUPS = 3, 3
_OWN = 2
_USED = 0.8
"""The share of what is told that holds for some row."""
_NUMBER = lazy_pattern(r"\d+")
_LEAST_KEY, _LEAST_KEYS = 6, 2
_NOBODY = -1
_BESIDE = ("key", "beside", "next")
_LETTER = lazy_pattern(r"[^\W\d_]")
_WORD, _PLAIN = lazy_pattern(r"\S+"), lazy_pattern(r"\w+")
_SENTENCE = lazy_pattern(r"[a-z)]\.(?:\s|$)")
_TAIL = lazy_pattern(r"[\s(\[–—:,-]*$")


@record
class Offer:
    """Words that may hold for rows: a title, or a value with the label that names it."""

    span: Span
    line: int
    label: str = ""


def with_context(
    page: Page, columns: ArrayColumns, rows: Sequence[FoundRow], heads: Sequence[str], how: Conventions
) -> tuple[tuple[FoundRow, ...], frozenset[int]]:
    """The rows with cells for what is blank in them or has no column, where one place of the page tells it.

    Also the columns that pages state which name some row, whether or not these could be given to it.
    """
    rows = _carried(page, columns, rows)
    held = {column for row in rows for column in row.cells}
    missing = [column for column in range(len(columns.fields)) if column not in held]
    if not missing:
        return tuple(rows), frozenset()
    gaps = [*_gaps(page, columns, rows, heads)]
    given: dict[int, Mapping[int, Cell]] = {}
    labelled = [offer for gap in gaps for line in gap for offer in _labelled(page, columns, line, missing)]
    for column in missing:
        own = [offer for offer in labelled if columns.names_best(offer.label, column)]
        if cells := _told(page, columns, column, own, rows, how):
            given[column] = cells
    needed = [c for c in missing if c not in given and columns.fields[c].required]
    open_ = needed or [c for c in missing if c not in given]
    if len(open_) == 1:
        for titles in _titles(page, columns, gaps, rows):
            if cells := _told(page, columns, open_[0], titles, rows, how):
                given[open_[0]] = cells
                break
    stated = {column: {at: [cell] for at, cell in cells.items()} for column, cells in given.items()}
    on_pages = _on_own_pages(page, columns, [c for c in missing if c not in given], rows, how)
    stated |= {column: cells for column, cells in on_pages.items() if len(cells.keys() - {_NOBODY}) > 1}
    more = [{c: cells[at] for c, cells in stated.items() if at in cells} for at in range(len(rows))]
    whole = tuple(_filled(row, own) if own else row for row, own in zip(rows, more, strict=True))
    return whole, frozenset(on_pages)


def _filled(row: FoundRow, given: Mapping[int, Sequence[Cell]]) -> FoundRow:
    """A row with cells from elsewhere: the first of each column, which those that differ are held against."""
    cells = {**row.cells, **{column: said[0] for column, said in given.items()}}
    rivals = {**row.rivals, **{column: tuple(said[1:]) for column, said in given.items()}}
    return attrs.evolve(row, cells=cells, lent=row.lent | given.keys(), rivals=rivals)


def _on_own_pages(
    page: Page, columns: ArrayColumns, missing: Sequence[int], rows: Sequence[FoundRow], how: Conventions
) -> dict[int, dict[int, list[Cell]]]:
    """The cells of columns that pages of single records state, by column and row, in order.

    Those of pages that name rows though none of them surely owns it are nobody's.
    """
    starts = [each.span[0] for each in page.document.pages]
    listed = {bisect_right(starts, cell.span[0]) for row in rows for cell in row.own}
    if not missing or len(starts) <= len(listed):
        return {}
    keys = _keys_of(rows)
    given: dict[int, dict[int, list[Cell]]] = {}
    owners: dict[int, int | None] = {}
    for name in page.names:
        column, sheet = columns.likeliest(name.text.strip(" :")), bisect_right(starts, name.span[0])
        if column is None or column not in missing or sheet in listed:
            continue
        if sheet not in owners:
            owners[sheet] = _owner(_worded(page.text[slice(*page.document.pages[sheet - 1].span)]), keys)
        offers = (Offer(place.span, name.line, name.text) for place in name.places if place.relation in _BESIDE)
        cell = next((cell for offer in offers if (cell := _cell(page, columns, offer, column, how))), None)
        if cell and (owner := owners[sheet]) is not None:
            given.setdefault(column, {}).setdefault(owner, []).append(cell)
    return given


def _keys_of(rows: Sequence[FoundRow]) -> dict[str, int]:
    """Rows by the words that only they say."""
    counts = Counter(cell.text for row in rows for cell in row.own)
    return {
        _worded(cell.text): at
        for at, row in enumerate(rows)
        for cell in row.own
        if counts[cell.text] == 1 and len(cell.text) >= _LEAST_KEY
    }


def _owner(text: str, keys: Mapping[str, int]) -> int | None:
    """The only row of which a text says two things that no other row does; one alone may be but mentioned."""
    hits = Counter(at for key, at in keys.items() if key in text)
    owners = [at for at, count in hits.items() if count >= _LEAST_KEYS]
    return None if not hits else owners[0] if len(owners) == 1 else _NOBODY


def _worded(text: str) -> str:
    """The words of a text, each with a blank before and behind."""
    return f" {' '.join(_PLAIN.findall(text.casefold()))} "


def _carried(page: Page, columns: ArrayColumns, rows: Sequence[FoundRow]) -> list[FoundRow]:
    """Rows with the cell above in a column whose groups print it once: blank below, and never twice alike.

    In a column that may be blank, other lines stand before each group, and only its first or last row is filled.
    """
    carried: dict[int, list[Cell]] = {}
    ends = _lines_of(page, rows)
    parted = [True, *(below - above > 1 for (_, above), (below, _) in pairwise(ends))][: len(rows)]
    for column, field in enumerate(columns.fields):
        if field.type in FIGURES or not rows or column not in rows[0].cells:
            continue
        if not field.required and not _lead_groups([column in row.cells for row in rows], parted):
            continue
        filled = [at for at, row in enumerate(rows) if column in row.cells]
        texts = [rows[at].cells[column].text for at in filled]
        twice = any(
            two - one == 1 and a == b for (one, two), (a, b) in zip(pairwise(filled), pairwise(texts), strict=True)
        )
        if max(_LEAST_BLANK, len(filled)) <= len(rows) - len(filled) and not twice:
            carried[column] = [rows[filled[bisect_right(filled, at) - 1]].cells[column] for at in range(len(rows))]
    return [
        attrs.evolve(row, cells={**{c: cells[at] for c, cells in carried.items()}, **row.cells})
        for at, row in enumerate(rows)
    ]


def _lead_groups(filled: Sequence[bool], parted: Sequence[bool]) -> bool:
    """Whether several groups have a cell in their first row, and else only in their last."""
    outer = [new or after for new, after in zip(parted, [*parted[1:], True], strict=True)]
    return (
        sum(parted) >= _LEAST_GROUPS
        and all(cell or not new for cell, new in zip(filled, parted, strict=True))
        and all(edge or not cell for cell, edge in zip(filled, outer, strict=True))
    )


def _lines_of(page: Page, rows: Sequence[FoundRow]) -> list[Span]:
    """The first and the last line of each row."""
    spans = [[cell.span for cell in row.own] or [(row.start, row.start + 1)] for row in rows]
    return [(page.lines.at(min(each)[0]), page.lines.at(max(end for _, end in each) - 1)) for each in spans]


def _gaps(
    page: Page, columns: ArrayColumns, rows: Sequence[FoundRow], heads: Sequence[str]
) -> Iterator[list[PageLine]]:
    """The lines above the first row, between each and the next, and below the last that belong to none of them."""
    known = set(heads)
    first, last = zip(*_lines_of(page, rows), strict=True)
    ends = [max(first[0] - _ABOVE - 1, -1), *last]
    for above, below in zip(ends, [*first, last[-1] + _ABOVE], strict=True):
        lines = [page.lines[n] for n in range(above + 1, min(below, len(page.lines)))]
        yield [line for line in lines if not any(_said(page, cell) in known for cell in line.cells)]


def _said(page: Page, span: Span) -> str:
    return " ".join(page.text[slice(*span)].split()).casefold()


def _labelled(page: Page, columns: ArrayColumns, line: PageLine, missing: Sequence[int]) -> Iterator[Offer]:
    """Values of a line with the words before, above or in front of them that name a column."""
    names = [any(columns.names_best(page.text[slice(*cell)].rstrip(" :"), c) for c in missing) for cell in line.cells]
    for at, (start, end) in enumerate(line.cells):
        text = page.text[start:end]
        if names[at]:
            label = text.rstrip(" :")
            if at + 1 < len(line.cells) and not names[at + 1]:
                yield Offer(line.cells[at + 1], line.number, label)
            elif below := _below(page, line, (start, end)):
                yield Offer(below, line.number + 1, label)
            continue
        cut = find_separator(page.text, start, end)
        if cut is not None:
            yield Offer((cut[1], end), line.number, page.text[start : cut[0]].strip())
            continue
        words = [match.end() for match in _WORD.finditer(text)]
        for stop in words[: min(_MOST_LABEL, len(words) - 1)]:
            behind = start + stop + len(text[stop:]) - len(text[stop:].lstrip())
            numbered = any(map(str.isdecimal, page.text[behind:end].split()[0]))
            said = [text[:stop], *([f"{text[:stop]} number"] if numbered else [])]
            label = next((each for each in said if any(columns.names_best(each, column) for column in missing)), "")
            if label:
                yield Offer((behind, end), line.number, label)
                break


def _below(page: Page, line: PageLine, span: Span) -> Span | None:
    """What stands right below a caption in the next line."""
    following = page.lines.after(line.number, 1)
    if not following or following[0].gridded != line.gridded:
        return None
    left, right = (page.lines.column(line, position) for position in span)
    reach = {cell: [page.lines.column(following[0], at) for at in cell] for cell in following[0].cells}
    return next((cell for cell, (start, end) in reach.items() if start < right and left < end), None)


def _titles(
    page: Page, columns: ArrayColumns, gaps: Sequence[Sequence[PageLine]], rows: Sequence[FoundRow]
) -> Iterator[list[Offer]]:
    """Titles right above groups of rows, and then those of one shape that change with pages, the nearest first."""
    right_above = [gap[-1] for gap in gaps[:-1] if gap and len(gap[-1].cells) == 1]
    whole = (Offer(line.cells[0], line.number) for line in right_above)
    yield [offer for offer in whole if _is_title(page, columns, offer.span)]
    families: dict[str, list[Offer]] = {}
    for line in (line for gap in gaps[:-1] for line in gap):
        for cell in line.cells:
            if _is_title(page, columns, cell):
                shape = _NUMBER.sub("#", page.text[slice(*cell)]).casefold()
                families.setdefault(shape, []).append(Offer(cell, line.number))
    near = sorted(families.values(), key=lambda each: -each[0].line)
    yield from (each for each in near if len(each) > 1)


def _is_title(page: Page, columns: ArrayColumns, span: Span) -> bool:
    text = page.text[slice(*span)]
    words = fold_words(text)
    ends = columns.lexicon.row_words
    known = ends["sum"] | ends["page"]
    lone = (words[:1], words[-1:])
    return (
        0 < len(text) <= _LONGEST
        and not _SENTENCE.search(text)
        and (not known.intersection(lone[:1]) and lone[1] not in ends["sum"])
    )


def _told(
    page: Page,
    columns: ArrayColumns,
    column: int,
    offers: Sequence[Offer],
    rows: Sequence[FoundRow],
    how: Conventions,
) -> Mapping[int, Cell]:
    """The cell that offers give each row: what stands last above it, or below; none where they do not change."""
    field = columns.fields[column]
    cells = [cell for offer in offers if (cell := _cell(page, columns, offer, column, how))]
    cells.sort(key=lambda cell: cell.span)
    distinct = len({cell.text for cell in cells})
    if not cells or distinct > len(rows) or (distinct < 2 and not (field.required and offers[0].label)):
        return {}
    starts = [cell.span[0] for cell in cells]
    firsts = [min(cell.span[0] for cell in row.own) for row in rows]
    places = [bisect_right(starts, first) for first in firsts]
    if sheets := _on_pages(page, cells, firsts):
        given = dict(enumerate(sheets))
    elif places[0]:
        given = {at: cells[place - 1] for at, place in enumerate(places)}
    elif not offers[0].label:
        given = {}
    elif _OWN * distinct > len(rows):  # A line of each row below it.
        ends = [*places[1:], len(cells)]
        given = {at: cells[place] for at, (place, end) in enumerate(zip(places, ends, strict=True)) if place < end}
    else:
        given = {at: cells[place] for at, place in enumerate(places) if place < len(cells)}
    return given if len({cell.text for cell in given.values()}) >= _USED * distinct else {}


def _on_pages(page: Page, cells: Sequence[Cell], rows: Sequence[int]) -> list[Cell]:
    """The cell of each row's page, where every page with rows has one, above all of them or below."""
    starts = [each.span[0] for each in page.document.pages]
    sheet_of = [bisect_right(starts, row) for row in rows]
    held = {bisect_right(starts, cell.span[0]): cell for cell in cells}
    one_each = len(held) == len(cells) and held.keys() >= set(sheet_of)
    between = any(
        one == two and above < held[one].span[0] < below
        for (one, two), (above, below) in zip(pairwise(sheet_of), pairwise(rows), strict=True)
        if one_each
    )
    return [held[sheet] for sheet in sheet_of] if one_each and not between else []


def _cell(page: Page, columns: ArrayColumns, offer: Offer, column: int, how: Conventions) -> Cell | None:
    """The words of an offer without "continued" behind them, if they read as the column's type."""
    start, end = offer.span
    field = columns.fields[column]
    if field.type is FieldType.INTEGER and offer.label and (number := _NUMBER.search(page.text, start, end)):
        return Cell(number[0], number.span())
    words = [*_WORD.finditer(page.text, start, end)]
    while len(words) > 1 and fold_words(words[-1][0]) in columns.lexicon.row_words["page"]:
        words.pop()
        end = words[-1].end()
    if len(words) > 1 and fold_words(words[-1][0]) in columns.lexicon.row_words["sum"]:
        return None
    end -= len(found[0]) if (found := _TAIL.search(page.text[start:end])) else 0
    text = " ".join(page.text[start:end].split())
    if field.type in NUMBERS and not offer.label and _LETTER.search(text):
        return None
    reads = text and (field.type is FieldType.STRING or read_value(text, field, how) is not None)
    return Cell(text, (start, end), () if text == page.text[start:end] else ("fold",)) if reads else None
