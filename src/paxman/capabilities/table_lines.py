"""The lines below a header: their cells, and what stands in each column of the contract."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise, takewhile

import attrs

from paxman.capabilities.table_arithmetic import texts_multiply
from paxman.capabilities.table_headings import Vocabulary
from paxman.capabilities.table_pages import MOST_LINES, Outside, unnumbered
from paxman.capabilities.table_placing import cells_of, is_day, other_cells_of
from paxman.contract.model import CanonicalField
from paxman.documents.figures import is_number
from paxman.documents.headings import Cell, Header
from paxman.documents.visual_lines import VisualLines
from paxman.recognizers.currency_names import codes_of
from paxman.types import FieldType, Span

NUMERIC = frozenset({FieldType.DECIMAL, FieldType.INTEGER, FieldType.MONEY})
_LONGEST_NUMBER = 6
_MOST_LISTED = 5
_TOTALS = ("line_total", "total", "net", "unit_price")

Cells = tuple[int, list[Cell]]
"""A line and its cells."""


@attrs.define
class Row:
    """One row: its first line, and the cells of that and the following lines."""

    first: int
    lines: list[Cells] = attrs.field(factory=list)
    above: list[Cells] = attrs.field(factory=list)
    reason: str = ""
    """Why it is no row of the array, if so."""
    unclear: bool = False
    """Whether lines of text over or below it may belong to another row."""
    over: int = -1
    """The line of another page on which its text goes on."""


@attrs.frozen(slots=False)
class Layout:
    """A header with the places of the contract's columns, and those whose numbers begin a row."""

    page: VisualLines
    header: Header
    vocabulary: Vocabulary
    columns: Sequence[CanonicalField]
    anchors: frozenset[int]
    outside: Outside
    goes_on: bool = False
    """Whether the headings come again where its lines end."""

    @cached_property
    def numeric(self) -> frozenset[int]:
        """Columns of the table below which the contract asks for numbers."""
        return frozenset(column for place, column in self.header.bound if self.columns[place].type in NUMERIC)

    @cached_property
    def needs_number(self) -> bool:
        """Whether the contract takes no row without some number."""
        return any(self.columns[place].required for place, column in self.header.bound if column in self.counting)

    @cached_property
    def dates(self) -> frozenset[int]:
        """Columns of the table below which the contract asks for dates."""
        return frozenset(column for place, column in self.header.bound if self.columns[place].type is FieldType.DATE)

    @cached_property
    def typed(self) -> frozenset[int]:
        return self.numeric | self.dates

    @cached_property
    def counting(self) -> frozenset[int]:
        """The numeric columns but those that only number the rows."""
        return self.numeric - self.positions

    @cached_property
    def positions(self) -> frozenset[int]:
        return frozenset(column for place, column in self.header.bound if self.vocabulary.roles[place] == "position")

    @cached_property
    def is_tight(self) -> bool:
        """Whether no gap parts the headings, or the first two lines below them."""
        last, end = self.header.last, len(self.page)
        if self.header.ordinal or len(self.header.columns) < 2:
            return False
        below = [self.page.line(index).chunks for index in range(last + 1, min(last + 3, end))]
        ends = [is_number(self.page.text[slice(*chunks[0])].rpartition(" ")[2]) for chunks in below if len(chunks) == 1]
        headings = (len(self.page.line(index).chunks) for index in range(self.header.first, last + 1))
        return max(headings) == 1 or ends == [True, True]

    @cached_property
    def is_crammed(self) -> bool:
        """Whether lines without gaps can be cut by the order of such headings: one has texts, all behind it numbers."""
        if not self.is_tight or len(self.texts) != 1 or len({*self.places.values()}) > len(self.typed) + 1:
            return False
        return self.typed.issuperset(range(max(self.texts) + 1, len(self.header.columns)))

    @cached_property
    def is_listed(self) -> bool:
        """Whether texts without gaps begin with 1, 2 and so on, for which there is no heading."""
        last = self.header.last
        lines = (self.page.line(at) for at in range(last + 1, min(last + 1 + _MOST_LISTED, len(self.page))))
        words = [each for each in (self.page.text[line.start : line.end].split()[:2] for line in lines) if each]
        numbers = [each[0].rstrip(".") for each in words if each[0][0].isdigit()]
        units = any(len(each) > 1 and each[1].islower() for each in words)
        is_counted = len(numbers) > 1 and numbers == [*map(str, range(1, len(numbers) + 1))]
        return not min(self.texts) and not units and is_counted

    @cached_property
    def is_numbered(self) -> bool:
        """Whether rows are numbered one by one, so that a line without a number is none."""
        below = range(self.header.last + 1, min(self.header.last + MOST_LINES, len(self.page)))
        cells = (cell for index in below for cell in cells_of(self.page, index, self.header))
        texts = (text_at(self, cell).rstrip(".") for cell in cells if cell.column in self.positions)
        numbers = [int(text) for text in texts if text.isdecimal() and len(text) <= _LONGEST_NUMBER]
        steps = {after - before for before, after in pairwise(numbers)}
        return bool(numbers) and (len(steps) == 0 or steps in ({1}, {numbers[0]}))

    @cached_property
    def factors(self) -> tuple[int, ...]:
        """Columns of the table with quantity, price and total, if it has all three."""
        factors = self.vocabulary.factors
        return tuple(self.places[place] for place in factors) if self.places.keys() >= set(factors) else ()

    @cached_property
    def texts(self) -> frozenset[int]:
        """Columns of texts whose headings are not set lower than the others."""
        placed = (column for place, column in self.header.bound if self.columns[place].type is FieldType.STRING)
        return frozenset(column for column in placed if not self.header.columns[column].below)

    @cached_property
    def percent(self) -> bool:
        return any(role in ("tax_rate", "discount", None) for role in self.vocabulary.roles)

    @cached_property
    def priced(self) -> bool:
        """Whether rows begin at an amount; a quantity alone may be that of a part."""
        return not any(
            self.vocabulary.roles[place] == "count" for place, at in self.places.items() if at in self.anchors
        )

    @cached_property
    def first(self) -> int:
        """The leftmost column; a pipe may stand before it."""
        return cells_of(self.page, self.header.last, self.header)[0].column if self.header.ordinal else 0

    @cached_property
    def places(self) -> dict[int, int]:
        return dict(self.header.bound)

    def role_of(self, column: int) -> str | None:
        """The business term that the contract asks for in a column of the table."""
        return next((self.vocabulary.roles[place] for place, at in self.header.bound if at == column), None)


def layout_of(
    page: VisualLines,
    header: Header,
    vocabulary: Vocabulary,
    columns: Sequence[CanonicalField],
    outside: Outside | None = None,
) -> Layout:
    """Rows begin where a required number stands; without one, at a total, a price, or the first column.

    Not all rows may be numbered.
    """
    bound = dict(header.bound)
    numbers = [place for place in bound if columns[place].type in NUMERIC]
    numeric = [place for place in numbers if vocabulary.roles[place] != "position"] or numbers
    required = [place for place in numeric if columns[place].required]
    by_role = [place for role in _TOTALS for place in numeric if vocabulary.roles[place] == role]
    chosen = required or by_role[:1] or numeric[:1]
    anchors = [bound[place] for place in chosen] or [min(bound.values())]
    return Layout(page, header, vocabulary, columns, frozenset(anchors), outside or Outside(page, header))


def cells_at(layout: Layout, index: int) -> list[Cell]:
    """The cells of a line; where it can be cut otherwise, so that its arithmetic holds."""
    if layout.is_crammed and len(layout.page.line(index).chunks) == 1:
        return crammed_cells(layout, *layout.page.line(index).chunks[0])
    cells = cells_of(layout.page, index, layout.header)
    if len(cells) > 2 and not layout.header.ordinal:
        cells = _settled(layout, cells, layout.page.line(index).start)
    if not layout.factors or texts_multiply(factors_of(layout, cells)):
        return cells
    others = other_cells_of(layout.page, index, layout.header)
    return next((other for other in others if texts_multiply(factors_of(layout, other))), cells)


def _settled(layout: Layout, cells: list[Cell], origin: int) -> list[Cell]:
    """The cells, with words off the heading of numbers or days in the column of texts that they follow or go before."""
    settled: list[Cell] = []
    for at, cell in enumerate(cells):
        home = None
        if cell.column in layout.typed and _is_words(text_at(layout, cell)):
            twin = next((other for other in cells if other.column == cell.column and _is_typed(layout, other)), None)
            if twin and twin.start < cell.start:
                home = _free_column(layout, _up_to(cells, at), cells)
            elif (twin and not _is_unit(layout, cell, origin)) or _is_left(layout, cell, origin):
                low = settled[-1].column if settled else 0
                home = _free_column(layout, range(cell.column - 1, low - 1, -1))
        settled.append(cell if home is None else cell._replace(column=home))
    return settled


def _is_unit(layout: Layout, cell: Cell, origin: int) -> bool:
    """Whether a short word stands right below the heading of numbers, as units before them do: "U.M.Quantity"."""
    left = layout.header.columns[cell.column].left
    text = text_at(layout, cell)
    return len(text) <= _LONGEST_UNIT and " " not in text and layout.page.column(origin, cell.start) >= left


_LONGEST_UNIT = 4


def _up_to(cells: Sequence[Cell], at: int) -> range:
    """The columns from the one behind a cell up to that of the next cell."""
    return range(cells[at].column + 1, cells[at + 1].column + 1) if at + 1 < len(cells) else range(0)


def _free_column(layout: Layout, columns: range, cells: Sequence[Cell] = ()) -> int | None:
    """The first column that is neither for numbers or days, nor filled by one of `cells`."""
    filled = {cell.column for cell in cells}
    return next((column for column in columns if column not in layout.typed and column not in filled), None)


def _is_left(layout: Layout, cell: Cell, origin: int) -> bool:
    """Whether a cell ends before the heading of its numbers begins."""
    page, heading = layout.page, layout.header.columns[cell.column]
    return cell.column in layout.numeric and page.column(origin, cell.end) <= heading.left


def crammed_cells(layout: Layout, start: int, end: int) -> list[Cell]:
    """A line without gaps in the order of headings without gaps: what is before the text, the text, what is behind."""
    words = [match.span() for match in _WORD.finditer(layout.page.text, start, end)]
    words = words[1:] if layout.is_listed and layout.page.text[slice(*words[0])].rstrip(".").isdecimal() else words
    (home,), last = layout.texts, len(layout.header.columns) - 1
    before = _count(layout, range(home), words)
    before = before if before == home else 0
    behind = _count(layout, range(last, home, -1), words[before:][::-1])
    text, tail = words[before : len(words) - behind], words[len(words) - behind :]
    cells = [Cell(at, *words[at]) for at in range(before)]
    cells += [Cell(home, text[0][0], text[-1][1])] if text else []
    return cells + [Cell(last + 1 - behind + at, *word) for at, word in enumerate(tail)]


def _count(layout: Layout, columns: range, words: Sequence[Span]) -> int:
    """How many words in a row are what their columns are for; codes, where nobody asks for one."""
    cells = [Cell(column, *word) for column, word in zip(columns, words, strict=False)]
    fits = (_is_typed(layout, cell) if cell.column in layout.typed else _is_code(layout, cell) for cell in cells)
    return sum(1 for _ in takewhile(bool, fits))


def _is_code(layout: Layout, cell: Cell) -> bool:
    return any(map(str.isdigit, text_at(layout, cell)))


_WORD = re.compile(r"\S+")


def wrapped_at(layout: Layout, index: int, above: Row | None) -> list[Cell]:
    """The cells of a line of text, those under a text of the row above in the column of that."""
    if layout.is_crammed and len(layout.page.line(index).chunks) == 1:
        return [Cell(min(layout.texts), *layout.page.line(index).chunks[0])]
    cells = cells_of(layout.page, index, layout.header, tails=False)
    if above is None or layout.header.ordinal or layout.typed.isdisjoint(cell.column for cell in cells):
        return cells
    texts = [cell for cell in above.lines[0][1] if cell.column in layout.texts]
    shift = layout.page.line(above.first).start - layout.page.line(index).start
    return [_below_text(layout, cell, texts, shift) for cell in cells]


def _below_text(layout: Layout, cell: Cell, texts: Sequence[Cell], shift: int) -> Cell:
    if cell.column not in layout.typed or _is_typed(layout, cell):
        return cell
    start, end = cell.start + shift, cell.end + shift
    return next((cell._replace(column=text.column) for text in texts if text.start < end and start < text.end), cell)


def lost_words(layout: Layout, cells: Sequence[Cell]) -> list[str]:
    """Texts, too long for a unit, that stand beside the number of their column and are read nowhere."""
    numbers = {cell.column for cell in cells if cell.column in layout.numeric and is_amount(layout, cell)}
    texts = (
        text_at(layout, cell) for cell in cells if cell.column in numbers and cell.end - cell.start > _LONGEST_UNIT
    )
    return [text for text in texts if _is_words(text)]


def _is_typed(layout: Layout, cell: Cell) -> bool:
    """Whether a cell is the number or the day that its column is for."""
    if cell.column in layout.numeric:
        return is_amount(layout, cell)
    return cell.column in layout.dates and is_day(text_at(layout, cell))


def _is_words(text: str) -> bool:
    """Whether a text is no number, nor part of one: a currency or a sign."""
    return sum(map(str.isalpha, text)) > 1 and not any(map(str.isdigit, text)) and not codes_of(text)


def factors_of(layout: Layout, cells: list[Cell]) -> list[str]:
    """Quantity, price and total as they are written; the first number in each column counts."""
    numbers = {cell.column: text_at(layout, cell) for cell in reversed(cells) if is_amount(layout, cell)}
    return [numbers.get(column, "") for column in layout.factors]


def crosses_page(layout: Layout, above: int, below: int) -> bool:
    """Whether a form feed stands between two lines, a page's head or foot that stands elsewhere too, or nothing."""
    page = layout.page
    if page.text.find("\f", page.line(above).end, page.line(below).start + 1) >= 0:
        return True
    lines = (unnumbered(page, index) for index in range(above + 1, below))
    texts = {line for line in lines if any(map(str.isalpha, line))}
    top, end = layout.header.last, min(below + MOST_LINES, len(page))
    elsewhere = (*range(max(0, top - MOST_LINES), top), *range(below + 1, end))
    return not texts or not texts.isdisjoint(unnumbered(page, index) for index in elsewhere)


def begins_row(layout: Layout, cells: list[Cell]) -> bool:
    """Whether the numbers that every row has stand on a line; a table without numbers has a row a line."""
    filled = {cell.column for cell in cells if fits_anchor(layout, cell)}
    if not filled >= layout.anchors:
        return False
    found = len(numbers_of(layout, cells))
    if found >= min(2, len(layout.numeric)):
        return True
    return found >= min(2, len(layout.counting)) and not layout.is_numbered


def is_dated(layout: Layout, cells: list[Cell]) -> bool:
    """Whether a line has a day where rows have theirs, and a number, as no sum has."""
    days = (text_at(layout, cell) for cell in cells if cell.column in layout.dates)
    return any(map(is_day, days)) and bool(numbers_of(layout, cells))


def numbers_of(layout: Layout, cells: list[Cell]) -> set[int]:
    """The columns with numbers of the contract that a line fills, not counting the value of a label before it."""
    labelled = {after for before, after in pairwise(cells) if layout.page.text[before.end - 1] in ":="}
    amounts = (cell for cell in cells if cell.column in layout.numeric and is_amount(layout, cell))
    return {cell.column for cell in amounts if cell not in labelled}


def is_amount(layout: Layout, cell: Cell) -> bool:
    """Whether a number can be what the contract asks for there: a percentage only where it asks for one."""
    text = text_at(layout, cell)
    return is_number(text) and ("%" not in text or layout.percent)


def stands_for_number(layout: Layout, cell: Cell) -> bool:
    """Whether something is what a row has in place of a number: words, or a figure and more below its heading."""
    return not any(map(str.isdigit, text_at(layout, cell))) or is_more_than_number(layout, cell)


def is_more_than_number(layout: Layout, cell: Cell) -> bool:
    """Whether a figure that is no number as it stands is the whole cell below a heading: "0.89 per kg"."""
    page, heading = layout.page, layout.header.columns[cell.column]
    if is_amount(layout, cell) or layout.is_crammed or not _FIGURE.match(page.text, cell.start, cell.end):
        return False
    if layout.header.ordinal:
        return True
    origin = page.line(page.line_at(cell.start)).start
    is_below = page.column(origin, cell.start) < heading.right and heading.left < page.column(origin, cell.end)
    return is_below and not page.text[max(origin, cell.start - 2) : cell.start].strip()


_FIGURE = re.compile(r"(?!\d+ \d(?!/\d))\W{0,2}\d|[^\W\d_]{1,12}\.? \d")


def fits_anchor(layout: Layout, cell: Cell) -> bool:
    if cell.column not in layout.anchors:
        return False
    return cell.column not in layout.numeric or is_amount(layout, cell)


def text_at(layout: Layout, cell: Cell) -> str:
    return layout.page.text[cell.start : cell.end]
