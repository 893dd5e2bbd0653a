"""Rows from the tagged lines of a table: each with the lines that go on with it, and what is doubtful about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import attrs

from paxman.classes import record
from paxman.documents.document import Cell
from paxman.finding.tables.arithmetic import multiplies
from paxman.finding.tables.columns import SUMMED, Bound
from paxman.finding.tables.tags import TableLine, TableReader, TaggedLine, group_sums, is_property, row_word
from paxman.lazy import lazy_pattern
from paxman.page.grid import joined

_LEAST_FULL, _SURE = 12, 0.9
_MARKED = lazy_pattern(r"(?i)\d ?(?:[CD]R\b\.?|[SH]|[+-])$")


@record
class FoundRow:
    """The cells of one row by column, and where the row stands."""

    cells: Mapping[int, Cell]
    start: int
    number: int = 0
    """Its place among the rows of the table, those that are left out counted."""
    currency: str = ""
    """What a column of currencies says in this row."""
    lent: frozenset[int] = frozenset()
    """Columns whose cells stand in another table."""
    rivals: Mapping[int, Sequence[Cell]] = attrs.field(factory=dict, hash=False)
    """What other places of the page say in columns of the row."""

    @property
    def own(self) -> list[Cell]:
        """The cells that stand in the row itself."""
        return [cell for column, cell in self.cells.items() if column not in self.lent]


class RowBuilder:
    """Rows from tagged lines: each with the lines that go on with it."""

    def __init__(self, text: str, reader: TableReader, bound: Bound) -> None:
        self.text, self.reader, self.bound = text, reader, bound
        self.doubts: list[str] = []
        self._parts: list[dict[int, list[Cell]]] = []
        self._starts: list[tuple[int, int, str]] = []
        self._count = 0
        self._line = -1
        self._pending: list[TaggedLine] = []
        self._open_text = False

    def add(self, each: TaggedLine) -> None:
        if each.tag == "row":
            self._row(each)
        elif each.tag == "goes on" and self._parts:
            self._go_on(each)
        elif each.tag in ("title", "note", "goes on"):
            self._pending.append(each)
            self._open_text = False
        if each.tag == "empty":
            self._count += 1

    def _row(self, each: TaggedLine) -> None:
        line = each.line
        held = (c for c in (*line.values, *line.texts, *line.unread) if c not in self.bound.layers)
        cells = {c: [line.row.cells[self.bound.places[c]]] for c in held}
        main = self.reader.main_text
        if main is not None and main not in cells and main not in self.bound.layers:
            lead = [t for t in self._pending if main in t.line.texts and t.line.row.line == line.row.line - 1]
            if lead:
                cells[main] = [lead[-1].line.row.cells[self.bound.places[main]]]
                self._doubt("texts stand above the figures of their rows")
        self._pending = []
        self._parts.append(cells)
        self._count += 1
        self._starts.append((line.row.start, self._count, self.reader.currency(line.row)))
        self._open_text = True
        self._marks(line)
        factors = [line.values.get(c) for c in self.reader.columns.factors]
        if line.row.torn and not (factors and multiplies(factors)):
            self._doubt("words with a single blank between them are in different columns")

    def _marks(self, line: TableLine) -> None:
        for column in line.values:
            if _MARKED.search(line.row.cells[self.bound.places[column]].text):
                self._doubt("letters behind amounts may change their sign")

    def doubt_rows(self, tagged: Sequence[TaggedLine], confirmed: bool) -> None:
        """Doubts about which lines are rows, unless their sum is the one that the page states."""
        rows = [each.line for each in tagged if each.tag == "row"]
        if any(each.far for each in tagged if each.tag == "row"):
            self._doubt("rows stand far below the others")
        if not rows:
            return
        last = max(at for at, each in enumerate(tagged) if each.tag == "row")
        inner = tagged[:last]
        between = [each for at, each in enumerate(inner) if not _heads_follow(tagged, at)]
        if any(each.tag == "title" and above.tag == "head" and at for at, (above, each) in enumerate(pairwise(inner))):
            self._doubt("words at the top of a page may belong to the row before")
        if any(each.tag == "title" and not each.line.row.apart for each in inner):
            self._doubt("words among the rows may belong to one of them")
        if any(row_word(row.label, self.reader.lexicon) == "payment" for row in rows):
            self._doubt("a row may be a payment")
        if confirmed:
            return
        if any(each.tag == "note" and len(each.line.row.filled) > 1 for each in between):
            self._doubt("other lines stand among the rows")
        said = (cell.text for each in between if each.tag in ("note", "title") for cell in each.line.row.cells)
        if any(any(map(str.isdecimal, text)) for text in said):
            self._doubt("lines with figures may be rows")
        if any(each.tag == "title" and each.line.row.line < 0 for each in tagged[last:]):
            self._doubt("words below the rows may be one")
        if 2 * sum(bool(row.unread) for row in rows) >= len(rows):
            self._doubt("cells are not of the type of their column")
        column = next((c for c in self.reader.places if self.reader.columns.roles[c] in SUMMED), None)
        if any(each.tag == "sum" for each in inner):
            differing = [told for told in group_sums(tagged, column) if told] if column is not None else []
            self._doubt(differing[0] if differing else "sums stand among the rows")
        if any(each.tag == "sum" and column in each.line.values for each in tagged[last:]):
            self._doubt("the rows do not add up to what the page states")
        figured = [row for row in rows if any(map(str.isdecimal, "".join(cell.text for cell in row.row.cells)))]
        kinds = {row_word(row.label, self.reader.lexicon) for row in figured}
        if kinds & {"maybe_carried", "begun", "sum", "charge"}:
            self._doubt("a row may be a sum")
        parts = [parts.keys() for parts in self._parts]
        needed = {c for c, field in enumerate(self.reader.columns.fields) if field.required}
        filled = [frozenset(c for c in each if c in self.reader.figures) for each in parts if needed <= each]
        factors = self.reader.columns.factors
        whole = [set(factors) <= each for each in filled]
        if len(set(filled)) > 1 and (rows[0].row.line >= 0 or (factors and any(whole) and not whole[-1])):
            self._doubt("rows differ in what figures they have")
        full = [row for row in rows if factors and all(c in row.values for c in factors)]
        products = [[row.values[c] for c in factors] for row in full]
        held = sum(map(multiplies, products))
        sure = all(self.bound.fits.get(c, 0.0) >= _SURE for c in factors)
        if products and 2 * held < len(products) and not sure:
            self._doubt("quantity times price is not the total")

    def _doubt(self, reason: str) -> None:
        if reason not in self.doubts:
            self.doubts.append(reason)

    def _go_on(self, each: TaggedLine) -> None:
        line = each.line
        cells = self._parts[-1]
        for column in line.values:
            cells.setdefault(column, [line.row.cells[self.bound.places[column]]])
        main = self.reader.main_text
        for column, text in line.texts.items():
            cell = line.row.cells[self.bound.places[column]]
            if column == main and (is_property(text) or not self._open_text):
                self._open_text = False
                continue
            elsewhere = set(line.row.filled) - set(self.bound.places.values())
            wrapped = column not in cells or self._is_wrapped(column, cells[column][-1], cell)
            if line.row.loose or line.row.torn or elsewhere or not wrapped:
                self._doubt("a line of words may be a title or belong to the row above it")
            cells.setdefault(column, []).append(cell)
        if main is not None and main not in line.texts:
            self._open_text = False

    def _is_wrapped(self, column: int, above: Cell, cell: Cell) -> bool:
        """Whether a text surely goes on below: the line above it is full, or breaks off."""
        if cell.text[:1].islower() or cell.text[:1] in "(&+/" or above.text[-1:] in ",-/&(":
            return True
        widest = max(len(c.text) for parts in self._parts for c in parts.get(column, ()))
        first = len(cell.text.split()[0]) if cell.text.split() else 0
        return len(above.text) + 1 + first > widest and widest > _LEAST_FULL

    def rows(self, said: dict[int, Cell]) -> Iterator[FoundRow]:
        """The rows, each with what heads say for all of them."""
        for parts, (start, number, currency) in zip(self._parts, self._starts, strict=True):
            cells = {column: self._cell(each) for column, each in sorted(parts.items())} | said
            yield FoundRow(cells, start, number, currency)

    def _cell(self, cells: Sequence[Cell]) -> Cell:
        if len(cells) == 1 or any(set(cell.transforms) - {"fold"} for cell in cells):
            return cells[0]
        return joined(self.text, [cell.span for cell in cells])


def _heads_follow(tagged: Sequence[TaggedLine], at: int) -> bool:
    """Whether heads come before the next row, so that a line is one between two pages."""
    following = next((each.tag for each in tagged[at + 1 :] if each.tag in ("row", "head")), "")
    return following == "head"
