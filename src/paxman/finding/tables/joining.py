"""Rows of one array in several tables: with the same heads, or with a key and different columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby

import attrs

from paxman.classes import record
from paxman.finding.tables.columns import ArrayColumns
from paxman.finding.tables.region import Count, Region, join_regions, rows_elsewhere
from paxman.finding.tables.row_building import FoundRow

_NEARLY_ALL = 0.9


@record
class FoundRows:
    """Rows of an array with the other lines of their region, what is doubtful, and how they are tied to it."""

    rows: tuple[FoundRow, ...]
    region: Region = Region()
    doubts: tuple[str, ...] = ()
    score: float = 0.0
    heads: tuple[str, ...] = ()
    tied: bool = True
    """Whether heads or labels name what the cells are, and not only their place."""
    currencies: Mapping[int, str] = attrs.field(factory=dict, hash=False)
    """What heads say of the amounts below them: "Price (EUR)"."""
    tables: int = 1
    """How many tables with the same heads were joined."""
    keys: tuple[int, ...] = ()
    """Columns by which tables that hold different columns of the same records were joined."""
    counts: tuple[Count, ...] = ()
    """How many rows the page itself says there are."""
    likely: bool = False
    """Whether no head surely names a column, so that it may be another table."""


def join_tables(found: Sequence[FoundRows], columns: ArrayColumns) -> list[FoundRows]:
    """Tables with the same heads as one, and those that hold other columns of the same records, by their key."""
    groups: dict[tuple[str, ...], dict[frozenset[tuple[int, int, str]], FoundRows]] = {}
    for each in found:
        group = groups.setdefault(each.heads, {})
        said = frozenset((at, c, cell.text) for at, row in enumerate(each.rows) for c, cell in row.cells.items())
        group[said] = _with_copy(group[said], each) if said in group else each
    alike = ([*group.values()] for group in groups.values())
    stacked = (_join(group) if len(group) > 1 else group[0] for group in alike)
    joined: list[FoundRows] = []
    for table in sorted((each for each in stacked if each.rows), key=lambda each: each.rows[0].start):
        for at, before in enumerate(joined):
            if whole := _join_by_key(before, table, columns):
                joined[at] = whole
                break
        else:
            joined.append(table)
    return joined


def _with_copy(one: FoundRows, copy: FoundRows) -> FoundRows:
    """A table with another that says the same: two readings of one place are one table, rows elsewhere stay open."""
    if not copy.rows or {*_places_of(one)} & {*_places_of(copy)}:
        return one
    region = join_regions([one.region, rows_elsewhere(copy.rows)])
    return attrs.evolve(one, region=attrs.evolve(region, numbers=one.region.numbers))


def _places_of(found: FoundRows) -> Iterator[int]:
    return (cell.span[1] for row in found.rows for cell in row.cells.values())


def _join_by_key(one: FoundRows, other: FoundRows, columns: ArrayColumns) -> FoundRows | None:
    """Two tables of the same records with different columns as one, where nearly all rows have a partner.

    Where they take turns, as from page to page, each stretch of rows is held against the next of the other table.
    Rows without a partner leave the array open: those of the first table lack cells, the others are no rows.
    """
    own, more = ({column for row in each.rows for column in row.cells} for each in (one, other))
    keys = sorted((own & more) - {*columns.figures})
    if not keys or not own - more or not more - own:
        return None
    turns = sorted(
        [(row.start, 0, at) for at, row in enumerate(one.rows)] + [(r.start, 1, at) for at, r in enumerate(other.rows)]
    )
    stretches = [[at for _, _, at in each] for _, each in groupby(turns, key=lambda turn: turn[1])]
    partners: dict[int, int] = {}
    for mine, theirs in zip(stretches[::2], stretches[1::2], strict=False):
        ours, known = (_keyed(table.rows, places, keys) for table, places in ((one, mine), (other, theirs)))
        partners |= {at: known[key] for key, at in ours.items() if key in known}
    pairs = [(one.rows[at].cells, other.rows[partner].cells) for at, partner in partners.items()]
    alike = sum(all(a[c].text == b[c].text for c in a.keys() & b.keys()) for a, b in pairs)
    if alike < _NEARLY_ALL * max(len(one.rows), len(other.rows)):
        return None
    rows = [
        _filled(row, other.rows[partners[at]], more - own) if at in partners else row for at, row in enumerate(one.rows)
    ]
    taken = {*partners.values()}
    left = rows_elsewhere([row for at, row in enumerate(other.rows) if at not in taken])
    region = join_regions([one.region, other.region, left])
    return attrs.evolve(
        one,
        rows=tuple(rows),
        region=attrs.evolve(region, numbers=one.region.numbers),
        doubts=tuple(dict.fromkeys((*one.doubts, *other.doubts))),
        score=one.score + other.score,
        tied=one.tied and other.tied,
        currencies={**other.currencies, **one.currencies},
        keys=tuple(keys),
    )


def _filled(row: FoundRow, partner: FoundRow, lent: AbstractSet[int]) -> FoundRow:
    """A row with the cells of its partner, and what that says in columns that both have."""
    rivals = {c: (cell,) for c, cell in partner.cells.items() if c in row.cells and cell.text != row.cells[c].text}
    return attrs.evolve(row, cells={**partner.cells, **row.cells}, lent=frozenset(lent), rivals=rivals)


def _keyed(rows: Sequence[FoundRow], places: Sequence[int], keys: Sequence[int]) -> dict[tuple[str, ...], int]:
    """Rows by what stands in their key, but those of which several have the same."""
    said = {at: tuple(rows[at].cells[key].text.casefold() for key in keys if key in rows[at].cells) for at in places}
    counts = Counter(said.values())
    return {key: at for at, key in said.items() if len(key) == len(keys) and counts[key] == 1}


def _join(group: Sequence[FoundRows]) -> FoundRows:
    rows = {row.start: row for each in reversed(group) for row in reversed(each.rows)}
    return FoundRows(
        tuple(row for _, row in sorted(rows.items())),
        join_regions([each.region for each in group]),
        tuple(dict.fromkeys(doubt for each in group for doubt in each.doubts)),
        max(each.score for each in group),
        group[0].heads,
        all(each.tied for each in group),
        group[0].currencies,
        len(group),
    )
