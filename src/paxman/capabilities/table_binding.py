"""Which columns of tables belong to the fields of an array, and which tables are meant at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple, Protocol

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.table_arithmetic import mark_of
from paxman.capabilities.table_kinds import explicit_tables
from paxman.capabilities.values import Found, conventions, read_at
from paxman.contract.labels import fold_name
from paxman.contract.model import CanonicalField
from paxman.currencies import MINOR_UNITS
from paxman.documents.delimited.tables import has_more_cells
from paxman.documents.document import Cell, Document, MailPart, SheetCell, Source, Table
from paxman.finding.choices import ANSWERS, beside_box
from paxman.lazy import lazy_pattern
from paxman.recognizers.base import Conventions
from paxman.recognizers.currency_names import codes_of
from paxman.types import Diagnostic, FieldType, Severity

if TYPE_CHECKING:
    from paxman.capabilities.row_reading import Fit

MOST_SUMS = 6
_SAMPLE = 20
_MOST_HEADINGS = 60
_LEAST_TURNED = 3
"""A label and a single value in each row are pairs."""
_MOST_TITLES = 5
"""Rows above the headings of a table."""
_NAMED_CURRENCY = lazy_pattern(
    r"[(\[][ \t]*(?:\w{2,5} )?([^\s()\[\]]{1,4})[ \t]*[)\]]|(?:[\s/,])([A-Z]{3}|[^\w\s()\[\]]{1,2})[ \t]*$"
)
_CURRENCY_HEADERS = frozenset({"currency", "currencycode", "ccy", "waehrung", "wahrung", "devise"})
_MAYBE_CURRENCY = frozenset("cur curr whg wahr waehr dev mon val valuta moneda moeda monnaie waluta divisa".split())
"""Headings of currencies, if codes of these stand below them."""


JOINED = "part of the row above"

Row = tuple[Cell, ...]
Reasoned = tuple[Row, str | None]
"""A row, and why it is no item, if so."""


class HasRows(Protocol):
    """A table, or a part of one."""

    @property
    def rows(self) -> Sequence[Row]: ...


class Settled(NamedTuple):
    """The rows, those with a text that goes on below with all of it, and what is said of those in doubt."""

    rows: Sequence[Reasoned]
    doubts: Sequence[str] = ()


@attrs.frozen
class BoundTable:
    """The headings and rows of a table and, for each column of the field, its position in the table."""

    header: Sequence[Cell]
    rows: Sequence[Row]
    columns: tuple[tuple[CanonicalField, int], ...] = ()
    turned: bool = False
    doubt: str = ""

    @property
    def names(self) -> set[str]:
        return {column.name for column, _ in self.columns}

    @property
    def texts(self) -> list[list[str]]:
        return [[cell.text.strip() for cell in cells] for cells in self.rows if cells]

    def is_like(self, other: BoundTable, document: Document) -> bool:
        """Whether both have the same headings, or others over more of the same rows."""
        if self.turned or other.turned or headings_of(self.header) == headings_of(other.header):
            return self.turned is other.turned and headings_of(self.header) == headings_of(other.header)
        from paxman.capabilities.table_groups import goes_on

        return goes_on(document, self, other)


def headings_of(header: Sequence[Cell]) -> tuple[str, ...]:
    """The headings of a table, whatever their order."""
    return tuple(sorted(fold_name(cell.text) for cell in header))


def bind_tables(context: CapabilityContext) -> tuple[list[BoundTable], list[BoundTable]]:
    """The table whose headings name most of the field's columns, all required ones among them, and all like it.

    Also those that name them too and are not like it.
    """
    found = [(_bind(context, table), table) for table in explicit_tables(context.document)]
    bound = [each for each, _ in found if each is not None]
    if not bound:
        return [], []
    most = max(bound, key=lambda each: (len(each.columns), not each.turned, len(each.rows)))
    best = [each for each in bound if each.is_like(most, context.document)]
    if _means_more(context.field, most) or any(map(_has_balances, best)) or any(map(_has_debits, best)):
        return [], []
    if any(_means_rows(context.field, table) for each, table in found if each is None) or _tells_more(context, best):
        return [], []
    return best, [each for each in bound if each not in best] if len(best) < len(bound) else []


def _bind(context: CapabilityContext, table: Table) -> BoundTable | None:
    """The table by its headings, by those below a title or the like, or by its first column if that names more."""
    field = context.field
    needed = {column.name for column in field.columns if column.required}
    upright = None
    for header, rows in headed_parts(table):
        bound = BoundTable(header, rows, tuple(bind_columns(field, header)))
        if bound.names >= needed and len(bound.names) >= (1 if header is table.header else 2):
            upright = bound
            break
    if upright and not field.columns:
        return _of_items(context, table, upright)
    named = len(upright.columns) if upright else 1
    turned = _turned(field, table) if named < len(field.columns) else None
    if not turned or not turned.names >= needed or len(turned.columns) <= named:
        return upright
    return turned if _fits_types(context, turned) else None


def _of_items(context: CapabilityContext, table: Table, bound: BoundTable) -> BoundTable | None:
    """A column of single items, unless these stand beside its name; what one cell lists is cut."""
    from paxman.capabilities.listed_values import cut_row, holds_texts, lists_in_rows, stand_beside

    position = bound.columns[0][1]
    beside = stand_beside(context, table, position)
    if beside:
        return None
    doubt = "" if beside is False else "nobody can say if the items stand below their name or beside it"
    rows = [row for row in bound.rows if len(row) > position and row[position].text.strip()]
    if len(rows) != 1 or not holds_texts(context.field):
        doubt = doubt or lists_in_rows(context, [row[position].text for row in rows])
        return attrs.evolve(bound, doubt=doubt)
    cut, unsure = cut_row(context, rows[0], position)
    return attrs.evolve(bound, rows=cut, doubt=doubt or unsure)


def _turned(field: CanonicalField, table: Table) -> BoundTable | None:
    """A small table whose first column has the headings from the first row on, with a row for each of the others."""
    lines = [line for line in (table.header, *table.rows) if line]
    if not 1 < len(lines) <= _MOST_HEADINGS or len(lines[0]) < _LEAST_TURNED:
        return None
    header = [line[0] for line in lines]
    columns = tuple(bind_columns(field, header))
    if 0 not in {position for _, position in columns}:
        return None
    rows = list(zip_longest(*(line[1:] for line in lines), fillvalue=Cell("", (0, 0))))
    return BoundTable(header, rows, columns, turned=True)


def _fits_types(context: CapabilityContext, bound: BoundTable) -> bool:
    """Whether the first rows can be read as what the columns ask for."""
    how, path = conventions(context), context.field.path
    cells = ((column, row[position]) for row in bound.rows[:_SAMPLE] for column, position in bound.columns)
    return all(read_cell(context, column, cell, how, path) for column, cell in cells if cell.text.strip())


def headed_parts(table: Table) -> Iterator[tuple[Sequence[Cell], Sequence[Row]]]:
    """What may be the headings of a table, each with the rows below: its header, or one of the first rows."""
    rows = list(all_rows(table))
    yield table.header, rows
    for place, cells in enumerate(rows[:_MOST_TITLES]):
        yield cells, rows[place + 1 :]


def _means_more(field: CanonicalField, bound: BoundTable) -> bool:
    """Whether the headings mean more columns than they name; then the table is read by what they mean."""
    if len(bound.columns) >= min(len(field.columns), len(bound.header)):
        return False
    from paxman.capabilities.table_headings import vocabulary_of

    return len(vocabulary_of(field.columns).bind_texts(texts_of(bound.header))) > len(bound.columns)


def _tells_more(context: CapabilityContext, tables: Sequence[BoundTable]) -> bool:
    """Whether the cells below other headings tell columns that none of them names."""
    return any(fit.bound != _places(context.field, bound) for bound, fit in fits_of(context, tables))


def fits_of(context: CapabilityContext, tables: Sequence[BoundTable]) -> Iterator[tuple[BoundTable, Fit]]:
    """The tables that lack a column and have others, each with the columns that its cells tell."""
    columns = context.field.columns
    lacking = [bound for bound in tables if len(bound.columns) < min(len(columns), len(bound.header))]
    if not lacking:
        return
    from paxman.capabilities.open_columns import fit_columns
    from paxman.capabilities.table_headings import vocabulary_of

    for bound in lacking:
        places, headings = _places(context.field, bound), texts_of(bound.header)
        yield bound, fit_columns(context, vocabulary_of(columns), headings, sample([bound]), places)


def _places(field: CanonicalField, bound: BoundTable) -> tuple[tuple[int, int], ...]:
    """The places of columns in the contract, each with that in the table."""
    positions = {column.name: position for column, position in bound.columns}
    named = enumerate(column.name for column in field.columns)
    return tuple((place, positions[name]) for place, name in named if name in positions)


def sample(tables: Iterable[HasRows]) -> list[list[str]]:
    """The texts of the first rows of tables that are filled as most are."""
    filled = ([cell.text.strip() for cell in cells] for table in tables for cells in table.rows[:_SAMPLE])
    rows = [texts for texts in filled if any(texts)]
    most = max((sum(map(bool, texts)) for texts in rows), default=0)
    return [texts for texts in rows if sum(map(bool, texts)) * 2 > most][:_SAMPLE]


def _has_debits(bound: BoundTable) -> bool:
    """Whether letters or signs behind amounts say which are debits or credits."""
    places = [place for column, place in bound.columns if column.type in (FieldType.DECIMAL, FieldType.MONEY)]
    texts = (cells[place].text.strip() for cells in bound.rows for place in places if place < len(cells))
    marks = {mark_of(text) for text in texts if text[-1:].isalpha() or text[-1:] in ("-", "+")}
    return not marks.isdisjoint(("DR", "CR")) or marks >= {"S", "H"} or marks >= {"-", "+"}


def _means_rows(field: CanonicalField, table: Table) -> bool:
    """Whether headings that do not name the required columns, numbers among them, mean them all."""
    needed = {place for place, column in enumerate(field.columns) if column.required}
    if len(needed) < 2 or not table.rows or all(field.columns[place].type is FieldType.STRING for place in needed):
        return False
    from paxman.capabilities.table_headings import vocabulary_of

    return needed <= dict(vocabulary_of(field.columns).bind_texts(texts_of(table.header))).keys()


def all_sums(tables: Iterable[BoundTable]) -> Iterator[set[int]]:
    """For each table the places of its rows that are sums."""
    above: list[list[str]] = []
    for bound in tables:
        yield _sums(bound, above)
        above += bound.texts


def _sums(bound: BoundTable, above: Sequence[Sequence[str]]) -> set[int]:
    """The places of the rows that are sums, of this table or of what stands above it."""
    places = [place for place, cells in enumerate(bound.rows) if cells]
    last = "".join(cell.text for place in places[-MOST_SUMS:] for cell in bound.rows[place])
    if not any(map(str.isdecimal, last)):
        return set()
    from paxman.capabilities.table_sums import sum_rows

    figures = {position for column, position in bound.columns if column.type is not FieldType.STRING}
    return {places[at] for at in sum_rows(bound.texts, figures, above if len(places) < MOST_SUMS else ())}


def _has_balances(bound: BoundTable) -> bool:
    """Whether the first or the last row only says what was there before or is after."""
    texts = [[cell.text.strip() for cell in cells] for cells in (*bound.rows[:1], *bound.rows[-1:])]
    sparse = [row for row in texts if not all(row)]
    if not sparse:
        return False
    from paxman.capabilities.table_sums import is_carried

    return any(is_carried(text) for row in sparse for text in row)


def bind_columns(field: CanonicalField, header: Sequence[Cell]) -> Iterator[tuple[CanonicalField, int]]:
    """A column goes to the header that its name or, failing that, a label of its names."""
    headers = [fold_name(cell.text) for cell in header]
    taken: set[int] = set()
    for column in field.columns or (field,):
        hits = (headers.index(key) for key in column.name_keys if key in headers)
        position = next((hit for hit in hits if hit not in taken), None)
        if position is not None:
            taken.add(position)
            # Of an array without columns, each cell is one item.
            yield (column.items or column) if column is field else column, position


def twins(headings: Sequence[str], position: int) -> list[int]:
    """Other columns with the heading of this one."""
    names = list(map(fold_name, headings))
    return [place for place, name in enumerate(names) if name == names[position] and place != position]


def equal_headings(
    context: CapabilityContext,
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    columns: Sequence[tuple[str, int]],
) -> Iterator[Diagnostic]:
    """A note on each column whose heading others have, too, where these hold something else."""
    taken = {position for _, position in columns}
    if len(set(map(fold_name, headings))) == len(headings):
        return
    rows = list(rows)
    for name, position in columns:
        places = [position, *(other for other in twins(headings, position) if other not in taken)]
        texts = ({text for place in places for text in cells[place : place + 1] if text} for cells in rows)
        differing = sum(len(each) > 1 for each in texts)
        if differing:
            count = f"{differing} {'row' if differing == 1 else 'rows'}"
            which = "first" if position == min(places) else "last"
            told = f"{len(places)} columns are headed {headings[position].strip()!r} and differ in {count}"
            told += f"; the {which} was taken"
            yield Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, told, context.field.path, {"column": name})


def torn_rows(context: CapabilityContext, header: Sequence[Cell], rows: Sequence[Row]) -> Iterator[Diagnostic]:
    """A note where rows have more cells than there are headings, so that one of them may be part of another."""
    torn = sum(1 for cells in rows if is_torn(context.document, header, cells))
    if torn:
        count = f"{torn} {'row has' if torn == 1 else 'rows have'}"
        told = f"{count} more cells than there are headings, so that one of them may be part of another"
        yield Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, told, context.field.path, {"rows": torn})


def is_torn(document: Document, header: Sequence[Cell], cells: Row) -> bool:
    """Whether a row of delimited text goes on beyond the headings; elsewhere no cell can be part of another."""
    if not cells or len(header) < 2 or not has_more_cells(cells, header):
        return False
    source: Source | None = document.locate(cells[0].span)
    while isinstance(source, MailPart):
        source = source.inner
    return isinstance(source, SheetCell)


def texts_of(cells: Sequence[Cell]) -> list[str]:
    return [cell.text for cell in cells]


def all_rows(table: Table) -> Iterator[Row]:
    """The rows of a table, with nothing for each that is empty."""
    done = 0
    for above in table.empty:
        yield from table.rows[done:above]
        yield ()
        done = above
    yield from table.rows[done:]


def currency_of(header: Sequence[Cell], cells: Row) -> str:
    """What the currency column of a table says in a row."""
    pairs = [(head.text, cell.text.strip()) for head, cell in zip(header, cells, strict=False)]
    sure = next((text for heading, text in pairs if heads_currency(heading)), "")
    return (sure or next((text for heading, text in pairs if heads_currency(heading, [text])), "")).upper()


def currency_named(heading: str) -> str:
    """The currency that a heading of amounts names, as "Unit price (GBP)" does; none where it may be several."""
    found = _NAMED_CURRENCY.search(heading)
    codes = codes_of(next(filter(None, found.groups()))) if found else ()
    return codes[0] if len(codes) == 1 else ""


def heads_currency(heading: str, below: Sequence[str] = ()) -> bool:
    """Whether a heading is that of currencies; short ones are, if all that stands below them are codes."""
    name = fold_name(heading)
    if name in _CURRENCY_HEADERS:
        return True
    return name in _MAYBE_CURRENCY and any(below) and all(text in MINOR_UNITS for text in below if text)


UNDATED = "rows without a day may have that of the row above"


def leaves_days_out(
    columns: Sequence[tuple[CanonicalField, int]], rows: Sequence[tuple[Sequence[Cell], str | None]]
) -> bool:
    """Whether the first column is one of days, which the first row has, but not all."""
    if not any(column.type is FieldType.DATE and position == 0 for column, position in columns):
        return False
    items = [cells for cells, reason in rows if not reason and any(cell.text.strip() for cell in cells)]
    return bool(items and items[0][0].text.strip()) and not all(cells[0].text.strip() for cells in items)


def read_cell(
    context: CapabilityContext, column: CanonicalField, cell: Cell, how: Conventions, path: str
) -> list[Found]:
    text, span = cell.text, cell.span
    if not cell.transforms and column.type not in ANSWERS and (words := beside_box(text)):
        text, span = text[slice(*words)], (span[0] + words[0], span[0] + words[1])
    return read_at(context, column, text, span, how, cell.transforms, path=path)
