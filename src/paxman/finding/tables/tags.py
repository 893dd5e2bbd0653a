"""What each line of a table is: a row, the rest of one, a sum, a title, a note or a head; told from named signs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal

import attrs

from paxman.classes import record
from paxman.contract.model import CanonicalField
from paxman.currencies import MINOR_UNITS
from paxman.documents.visual_lines import find_separator
from paxman.finding.tables.arithmetic import amount_of, multiplies
from paxman.finding.tables.columns import SUMMED, ArrayColumns, Bound
from paxman.lazy import lazy_pattern
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon, Words
from paxman.page.grid import TableRow
from paxman.recognizers import Conventions, read_value
from paxman.types import FieldType

Tag = Literal["row", "goes on", "sum", "title", "note", "head", "page", "empty"]

_MOST_WORDS = 6
_LONGEST_WRAP = 6
_FAR, _MOST_SEARCHED = 8, 60
"""Lines without a row after which only a full one goes on, and after which the table is over."""
_SLACK = Decimal("0.011")
_NO_SUMS = ("quantity", "position", "tax_rate", "discount")
_NOTHING = lazy_pattern(r"[\s\-–—./*_]*|n/?a\.?|nil|none", 2)
_ONE_NUMBER = lazy_pattern(r"(?:[A-Z]{0,3}[$€£¥₹]|[A-Z]{3}[ \t])?[^\w\s]{0,3}[ \t]?\d[\d.,'’ \u00a0]*\D{0,12}")
_NUMBER = lazy_pattern(r"\d+")
_LETTERS = lazy_pattern(r"[^\W\d_]{2}")


@record
class TableLine:
    """A line of a table with what was read in it: values of its figures, texts, and cells that are no such value."""

    row: TableRow
    values: Mapping[int, Any]
    texts: Mapping[int, str]
    unread: tuple[int, ...]
    label: str
    blank: int = 0
    """Cells that say that there is nothing: "-", "n/a"."""


@record
class TaggedLine:
    line: TableLine
    tag: Tag
    far: bool = False
    """Whether many lines that are no rows stand above it."""


class RowsAbove:
    """The rows of a table so far, with what is counted over all of them."""

    def __init__(self) -> None:
        self.first: TableLine | None = None
        self.last: TableLine | None = None
        self.least = self.most = self.count = 0
        self.codes: set[str] = set()
        """What the numbers and codes that lead the rows look like."""
        self._sums: dict[int, tuple[int, Decimal]] = {}

    def __bool__(self) -> bool:
        return self.last is not None

    def add(self, line: TableLine) -> None:
        size = len(line.values)
        self.least, self.most = min(self.least, size) if self.last else size, max(self.most, size)
        self.first, self.last, self.count = self.first or line, line, self.count + 1
        for column, value in line.values.items():
            amount = amount_of(value)
            if amount is not None:
                known, total = self.sum_of(column)
                self._sums[column] = known + 1, total + amount

    def sum_of(self, column: int) -> tuple[int, Decimal]:
        """How many amounts stand in a column, and what they add up to."""
        return self._sums.get(column, (0, Decimal()))


class TableReader:
    """Reads the lines of one grid by the places that its columns have."""

    def __init__(
        self,
        columns: ArrayColumns,
        bound: Bound,
        heads: Sequence[str],
        how: Conventions,
        currencies: Mapping[int, str] | None = None,
        running: frozenset[int] = frozenset(),
    ) -> None:
        self.columns, self.places, self.layers, self.how = columns, bound.places, bound.layers, how
        places = bound.places
        self.heads = tuple(" ".join(head.split()).casefold() for head in heads)
        self.lexicon: Lexicon = columns.lexicon
        fields = columns.fields
        self.figures = tuple(c for c in places if fields[c].type is not FieldType.STRING)
        self.texts = tuple(c for c in places if fields[c].type is FieldType.STRING)
        self.needed = frozenset(c for c in places if fields[c].required and not fields[c].is_filled)
        self.currencies, self.running = currencies or {}, running
        self._read: dict[tuple[int, str, str], Any] = {}
        self._titles: set[Words] = set()
        self._shapes: set[str] = set()
        self._sum: TableLine | None = None

    @cached_property
    def main_text(self) -> int | None:
        """The column that says what a row is about."""
        ranked = [c for c in self.texts if self.columns.roles[c] in ("description", "thing", "entry")]
        return next(iter(ranked or self.texts), None)

    def currency(self, row: TableRow) -> str:
        """What a column of currencies says in a row."""
        texts = [cell.text.strip() for place, cell in enumerate(row.cells) if place not in self.places.values()]
        codes = [text for text in texts if text in MINOR_UNITS]
        return codes[0] if len(codes) == 1 else ""

    def value(self, column: int, text: str, currency: str) -> Any:
        key = (column, text, currency)
        if key not in self._read:
            how = attrs.evolve(self.how, currency=currency, states_currency=True) if currency else self.how
            reading = read_value(text, self.columns.fields[column], how) if text.strip() else None
            self._read[key] = None if reading is None else reading.value
        return self._read[key]

    def line(self, row: TableRow) -> TableLine:
        values, texts, unread, blank = {}, {}, [], 0
        code = self.currency(row)
        for column, place in self.places.items():
            text = row.cells[place].text if place < len(row.cells) else ""
            if not text.strip() or _NOTHING.fullmatch(text):
                blank += bool(text.strip())
                continue
            if column in self.texts:
                texts[column] = text
            elif (value := self.value(column, text, code or self.currencies.get(column, ""))) is not None:
                values[column] = value
            else:
                unread.append(column)
        lettered = (c.text for c in row.cells if _LETTERS.search(c.text))
        label = texts.get(self.main_text, "") if self.main_text is not None else ""
        label = label or next(lettered, "")
        return TableLine(row, values, texts, tuple(unread), label, blank)

    def tags(self, rows: Iterable[TableRow]) -> Iterator[TaggedLine]:
        """Each line with its tag, until the table is over."""
        above = RowsAbove()
        since = 0
        last: Tag = "head"
        before: Tag = "head"
        coming = iter(rows)
        row = next(coming, None)
        while row is not None and since < _MOST_SEARCHED:
            following = next(coming, None)
            line = self.line(row)
            if not row.filled:
                yield TaggedLine(line, "empty")
                row = following
                continue
            if above and row.apart and self._is_foreign_head(line):
                return
            tag = self._tag(line, above, last, before, following)
            since = max(since, _FAR) if row.far and above else since
            if since >= _FAR and tag == "row" and not self._is_full(line, above):
                tag = "note"
            if tag == "row" and last == "sum" and row.apart and self._is_summed(above):
                return
            yield TaggedLine(line, tag, since >= _FAR)
            since = 0 if tag in ("row", "head") else since + 1
            if tag == "row":
                above.add(line)
                above.codes |= {self._code(line)} - {""}
            if tag == "sum":
                self._sum = line
            if tag in ("title", "note"):
                said = fold_words(row.cells[row.filled[0]].text)
                self._shapes |= {_shape(line.label)} if tag == "title" else set()
                self._titles |= {said, said[:-1] if said[-1:] in self.lexicon.row_words["page"] else said}
            last = tag if tag not in ("goes on", "page") else last
            before, row = tag, following

    def _is_foreign_head(self, line: TableLine) -> bool:
        """Whether words stand over all columns of figures, as heads of another table do."""
        return bool(self.figures) and bool(line.texts) and len(line.unread) == len(self.figures) and not line.values

    def _is_full(self, line: TableLine, above: RowsAbove) -> bool:
        """Whether a line has all that rows have, so that it is one also far below the others."""
        return len(line.values) >= max(above.most, 2) and bool(line.texts or not self.texts)

    def _is_summed(self, above: RowsAbove) -> bool:
        """Whether the sum that was last seen is that of all rows."""
        return self._sum is not None and bool(above) and self._adds_up(self._sum, above, 1)

    def _tag(self, line: TableLine, above: RowsAbove, last: Tag, before: Tag, following: TableRow | None) -> Tag:
        if self.is_head(line.row):
            return "head"
        if line.row.line in self.running or (not line.values and self._is_page(line.row)):
            return "page"
        if self._is_sum(line, above, last):
            return "sum"
        if self._is_row(line, above, last):
            return "row"
        is_title = following is not None and (self.is_head(following) or self._is_page(following))
        is_title = is_title or (len(line.row.filled) == 1 and _shape(line.label) in self._shapes)
        if not is_title and before in ("row", "goes on") and self._goes_on(line, above):
            return "goes on"
        if line.label and len(line.row.filled) == 1 and not line.unread:
            return "title"
        return "note"

    def _is_page(self, row: TableRow) -> bool:
        return row_word(" ".join(cell.text for cell in row.cells if cell.text), self.lexicon) == "page"

    def is_head(self, row: TableRow) -> bool:
        texts = [" ".join(cell.text.split()).casefold() for cell in row.cells]
        same = sum(1 for one, other in zip(texts, self.heads, strict=False) if one and one == other)
        if same and same >= 0.6 * sum(map(bool, texts)) and same >= 0.5 * sum(map(bool, self.heads)):
            return True
        if any(any(map(str.isdecimal, text)) for text in texts):
            return False
        named = self.columns.bind([cell.text for cell in row.cells])
        hits = [c for c, fit in named.fits.items() if fit >= 0.9 and named.places[c] == self.places.get(c)]
        return len(hits) >= 2 and 2 * len(hits) >= len([t for t in texts if t])

    def _is_sum(self, line: TableLine, above: RowsAbove, last: Tag) -> bool:
        factors = [line.values.get(c) for c in self.columns.factors]
        if factors and None not in factors and multiplies(factors):
            return False
        kind = row_word(line.label, self.lexicon)
        if kind == "carried" or self._closes_group(line):
            return True
        if kind == "maybe_carried":
            return self._adds_up(line, above, 1)
        if kind == "payment":
            return last == "sum"
        if not above or any(self.columns.fields[c].type is FieldType.DATE for c in line.values):
            return False
        full = len(line.values) + len(line.texts) >= len(self.places) > 2 and not line.unread
        full = full or self._code(line) in above.codes
        of_sums = above.first is not None and row_word(above.first.label, self.lexicon) in ("sum", "charge")
        if kind in ("sum", "begun") and not of_sums:
            return (kind == "sum" and not full) or self._adds_up(line, above, 1)
        if kind == "charge" and not of_sums:
            return len(line.values) < above.least
        return not full and self._adds_up(line, above, 2)

    def _closes_group(self, line: TableLine) -> bool:
        """Whether a line is headed as a group above it and ends with the word for a sum: "Unit 8387 total"."""
        words = fold_words(line.label)
        return len(words) > 1 and words[-1:] in self.lexicon.row_words["sum"] and words[:-1] in self._titles

    def _adds_up(self, line: TableLine, above: RowsAbove, least: int) -> bool:
        """Whether the last amount of a line is what those above it add up to."""
        amounts = [c for c in self.columns.numbers if c in line.values and self.columns.roles[c] not in _NO_SUMS]
        if above.count < least or not amounts or (least > 1 and len(line.values) != 1):
            return False
        column = amounts[-1]
        known, total = above.sum_of(column)
        stated = amount_of(line.values[column])
        return stated is not None and known >= least and abs(total - stated) <= _SLACK

    def _is_row(self, line: TableLine, above: RowsAbove, last: Tag) -> bool:
        """Whether cells stand in the columns as those of rows do; how many of them are blank does not count."""
        if last == "sum":
            return len(line.values) >= (above.most if above else 1) and bool(line.texts or not self.texts)
        filled = {*line.values, *line.texts, *line.unread}
        whole = self._has_lead(line) if not self.needed else self.needed <= filled
        if line.row.line < 0:
            apart = len({cell.span for cell in line.row.cells if cell.text.strip()})
            lone = min(self.places.values()) == line.row.filled[0] and self._is_alike(line, above)
            return len(line.row.cells) < 3 or bool(line.values) or apart > 1 or (whole and lone)
        if whole and not line.row.apart and self._code(line) in above.codes:
            return True
        if not self.figures:
            return self._is_text_row(line, above, last)
        if line.row.loose and line.row.torn and not multiplies([line.values.get(c) for c in self.columns.factors]):
            return False
        if above.last and self._fills_gaps(line, above.last):
            return False
        worded = not above.first or _LETTERS.search(line.label) or not _LETTERS.search(above.first.label)
        if whole and worded and len(filled) > 1 and not (line.row.loose or (line.row.apart and above)):
            return True
        if line.texts and not line.values and self._is_valueless(line, last):
            return True
        if not line.values or len(line.unread) > len(line.values):
            return False
        least = above.least if above else (len(self.figures) + 1) // 2
        named = bool(line.texts) or not self.texts
        return len(line.values) >= min(least, (len(self.figures) + 1) // 2) and (named or len(line.values) >= least)

    def _has_lead(self, line: TableLine) -> bool:
        """Whether a line has what stands first in rows, where no cell is required."""
        lead = line.texts.get(min(self.texts, key=lambda c: self.places[c], default=-1), "")
        return bool(lead) and (line.row.line < 0 or bool(line.values) or _look(lead)[0])

    def _is_alike(self, line: TableLine, above: RowsAbove) -> bool:
        """Whether the only words of a line are written as those that lead the rows, and not as a title."""
        lead = line.row.filled[0]
        others = [row.row.cells[lead].text for row in (above.first, above.last) if row and lead in row.row.filled]
        return not others or any(_look(line.row.cells[lead].text) == _look(other) for other in others)

    def _code(self, line: TableLine) -> str:
        """What the number or code looks like that stands first in a line; empty where none does."""
        place = min(self.places.values(), default=0)
        text = line.row.cells[place].text.strip() if place < len(line.row.cells) else ""
        return _shape(text) if any(map(str.isdecimal, text)) and text[-1:] not in "-/" and " " not in text else ""

    def _is_valueless(self, line: TableLine, last: Tag) -> bool:
        """Whether a line is a row with no figure in it: it says that there is none."""
        if line.row.loose or line.row.apart or last not in ("row", "head") or (last == "head" and not line.blank):
            return False
        return line.blank + len(line.unread) >= max(1, len(self.figures) / 2)

    def _is_text_row(self, line: TableLine, above: RowsAbove, last: Tag) -> bool:
        count = len(line.texts)
        if not count or (line.row.loose and above):
            return False
        if len(self.places) == 1:
            return not line.row.apart or not above
        if above and line.row.apart and line.row.line >= 0 and count < 2:
            return False
        first = min(self.places, key=lambda c: self.places[c])
        return count >= 2 or (first in line.texts and len(line.row.filled) > 1)

    def _fills_gaps(self, line: TableLine, row: TableLine) -> bool:
        """Whether the figures of a line are those that the row above lacks, as of rows that take several lines."""
        if self.main_text is not None and self.main_text in line.texts:
            rest = set(self.figures) - set(row.values)
            sided = not {"debit", "credit"}.isdisjoint(self.columns.roles)
            whole = bool(self.needed) and self.needed <= {*row.values, *row.texts}
            twice = len(row.texts.keys() & line.texts.keys()) > 1
            both = {**row.values, **line.values}
            sure = multiplies([both.get(c) for c in self.columns.factors])
            if len(row.values) < 2 or set(line.values) != rest or sided or ((twice or whole) and not sure):
                return False
        return not line.row.apart and line.values.keys().isdisjoint(row.values) and len(row.values) < len(self.figures)

    def _goes_on(self, line: TableLine, above: RowsAbove) -> bool:
        if above.last is None or line.row.line < 0:
            return False
        if line.values:
            return self._fills_gaps(line, above.last)
        lacks = self.main_text in self.layers or (self.texts and self.main_text not in above.last.texts)
        return bool(line.texts) and not line.unread and (not line.row.apart or bool(lacks))


def settle_sums(reader: TableReader, tagged: list[TaggedLine]) -> tuple[list[TaggedLine], bool]:
    """The lines with those as rows that the stated sum counts, and whether rows add up to a sum that is stated."""
    column = next((c for c in reader.places if reader.columns.roles[c] in SUMMED), None)
    rows = [at for at, each in enumerate(tagged) if each.tag == "row"]
    if column is None or not rows:
        return tagged, False
    amounts = {at: amount_of(each.line.values.get(column)) for at, each in enumerate(tagged)}
    stated = [a for at, each in enumerate(tagged) if at > rows[-1] and each.tag == "sum" and (a := amounts[at])]
    stated += [a for at, each in enumerate(tagged) if at > rows[-1] and each.tag == "note" and (a := amounts[at])]

    def total(places: Sequence[int]) -> Decimal:
        return sum((amounts[at] or Decimal() for at in places), Decimal())

    groups = [*group_sums(tagged, column)]
    if any(abs(total(rows) - each) <= _SLACK for each in stated) or (len(groups) > 1 and not any(groups)):
        return tagged, True
    for kinds in (("note",), ("sum",), ("note", "sum")):
        inner = [
            at
            for at, each in enumerate(tagged)
            if (at < rows[-1] or each.tag == "note") and each.tag in kinds and amounts[at] and each.line.texts
        ]
        end = max([*rows, *inner])
        more = [a for at, a in amounts.items() if at > end and a]
        if inner and any(abs(total([*rows, *inner]) - each) <= _SLACK for each in more):
            chosen = set(inner)
            return [TaggedLine(e.line, "row", e.far) if at in chosen else e for at, e in enumerate(tagged)], True
    return tagged, False


def group_sums(tagged: Sequence[TaggedLine], column: int) -> Iterator[str]:
    """For each sum among the rows and behind them how it differs from that of its group and of all rows so far.

    Nothing where it is one of the two; rows that no sum follows differ from none that is stated.
    """
    group, whole, count = Decimal(), Decimal(), 0
    for each in tagged:
        amount = amount_of(each.line.values.get(column))
        if each.tag == "row":
            group, whole, count = group + (amount or 0), whole + (amount or 0), count + 1
        elif each.tag == "sum" and amount is not None:
            holds = min(abs(group - amount), abs(whole - amount)) <= _SLACK
            yield "" if holds else f"the rows above {each.line.label!r} add up to {group}, not to {amount}"
            group, count = Decimal(), 0
    if count:
        yield "rows stand below the last sum"


def row_word(label: str, lexicon: Lexicon) -> str:
    """The kind of line that a label says: a sum or words that begin with one, a charge, a sum carried over."""
    words = fold_words(label[:80])
    for length in range(min(len(words), _MOST_WORDS), 0, -1):
        kind = lexicon.row_kinds.get(words[:length])
        if kind:
            plain = all(_is_plain(word, lexicon) for word in words[length:])
            return kind if plain else "begun" if kind == "sum" else ""
    return ""


def _is_plain(word: str, lexicon: Lexicon) -> bool:
    """Whether a word behind that of a sum leaves it one: figures, currencies, pages, words that say nothing."""
    known = lexicon.row_words
    if word.isdigit() or word in lexicon.stops or word.upper() in MINOR_UNITS:
        return True
    return (word,) in known["sum"] or (word,) in known["page"] or (any(map(str.isdecimal, word)) and len(word) < 12)


def _shape(text: str) -> str:
    """Words with any number in the place of theirs: titles over groups differ only in it."""
    return _NUMBER.sub("#", text).casefold()


def _look(text: str) -> tuple[bool, bool, bool]:
    """How words are written: with figures, in capitals, with a colon at their end."""
    return any(map(str.isdigit, text)), text.isupper(), text.rstrip().endswith(":")


def is_property(text: str) -> bool:
    """Whether a line below an item states one of its properties: "GTIN: 4012345001235", or just the number."""
    if len(text) > _LONGEST_WRAP and not any(map(str.isalpha, text)):
        return True
    cut = find_separator(text, 0, len(text))
    return cut is not None and text[:1].isalpha() and any(map(str.isdecimal, text[cut[1] :]))


def is_number_column(texts: Sequence[str]) -> bool:
    filled = [text for text in texts if text.strip()]
    return bool(filled) and sum(1 for text in filled if _ONE_NUMBER.fullmatch(text)) >= 0.8 * len(filled)


def reads_all(field: CanonicalField, texts: Sequence[str], how: Conventions) -> bool:
    filled = [text for text in texts if text.strip()]
    return bool(filled) and all(read_value(text, field, how) is not None for text in filled)
