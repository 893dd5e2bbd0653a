"""Items without headings: lines of a text and an amount each, over the sum that they add up to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from paxman.capabilities.base import SUM, CapabilityContext
from paxman.capabilities.row_reading import Piece, Reading, add_row, amount_places, reject_row
from paxman.capabilities.table_arithmetic import is_negative, texts_add_up
from paxman.capabilities.table_headings import Vocabulary, heading_term
from paxman.capabilities.table_kinds import explicit_tables
from paxman.capabilities.table_sums import SUMMED_UP, is_carried, is_rated, sum_term, terms_of, without_rate
from paxman.contract.model import CanonicalField
from paxman.currencies import MINOR_UNITS
from paxman.documents.document import Cell, Document
from paxman.documents.figures import is_number
from paxman.documents.visual_lines import VisualLines
from paxman.types import Diagnostic, Severity, Span

_AMOUNT = re.compile(
    r"(?<![\w.,/-])(-?(?:[^\w\s.,…_:/-]{1,3} ?|[A-Z]{3} ?|[A-Z]{0,2}\$ ?)?-?\d{1,3}(?:[., '\u2019]?\d{3}){0,3}[.,]\d\d"
    r"(?: ?(?:[€£$¥]|[A-Z]{3})(?!\w))?)(?: ?[A-Z*]{1,2})?\s*\Z"
)
_QUANTITY = re.compile(r"(\d{1,4})(?: ?[x×] ?(?=[^\W\d_])| {1,20}(?=[^\W\d_]))")
_OTHER_AMOUNT = re.compile(r"\d[.,]\d\d(?!\d)")
_LEADERS = " \t.…_·-"
_LONGEST_LINE, _LONGEST_AMOUNT = 200, 40
_MOST_LINES, _MOST_ITEMS = 2_000, 300
_LISTS = ("items", "lines", "positions", "positionen", "articles", "products", "purchases")
_CHARGES = frozenset({"tax", "rounding", "discount", "charge", "shipping", "service_charge", "tip", "deposit"})


class _Priced(NamedTuple):
    """A line: its text, the quantity before that, and its amount."""

    text: Span
    amount: Span
    quantity: Span | None = None
    is_times: bool = False
    """Whether a sign says that the number is a quantity."""
    is_item: bool = True


def read_summed(context: CapabilityContext, page: VisualLines, vocabulary: Vocabulary) -> Reading | None:
    """The lines over the first sum, if they add up to it exactly."""
    field = context.field
    if not any(key.endswith(_LISTS) for key in field.name_keys):
        return None
    place, text = _amount_place(field.columns, vocabulary), _text_place(vocabulary)
    if place is None or text is None:
        return None
    lines = _summed(page) or next(filter(None, _summed_cards(context.document, page)), [])
    if not lines:
        return None
    counted = all(line.quantity for line in lines if line.is_item)
    if vocabulary.roles[place] == "unit_price" and any(line.is_times or counted for line in lines):
        return None
    reading = Reading(unclear=True)
    reading.record.doubts.append(_note(context))
    for line in lines:
        if line.is_item:
            add_row(context, reading, dict(_pieces(page, line, (text, place), vocabulary, counted)), vocabulary)
        else:
            reject_row(context, reading, SUM)
    return reading


def _amount_place(columns: Sequence[CanonicalField], vocabulary: Vocabulary) -> int | None:
    """The column of line totals, or of prices where no quantity and no other amount is asked for."""
    places = amount_places(columns, vocabulary)
    totals = [place for place in places if vocabulary.roles[place] in ("line_total", "total", "net")]
    if len(totals) == 1:
        return totals[0]
    alone = len(places) == 1 and vocabulary.roles[places[0]] == "unit_price" and "count" not in vocabulary.roles
    return places[0] if alone else None


def _text_place(vocabulary: Vocabulary) -> int | None:
    places = [place for place, role in enumerate(vocabulary.roles) if role in ("description", "thing")]
    return places[0] if len(places) == 1 else None


def _pieces(
    page: VisualLines, line: _Priced, places: tuple[int, int], vocabulary: Vocabulary, counted: bool
) -> Iterator[tuple[int, Piece]]:
    start, end = line.text
    if line.quantity and not (counted or line.is_times):
        start = line.quantity[0]  # A number that begins a text is part of it.
    elif line.quantity and "count" in vocabulary.roles:
        yield vocabulary.roles.index("count"), Piece(page.text[slice(*line.quantity)], line.quantity)
    yield places[0], Piece(page.text[start:end], (start, end))
    yield places[1], Piece(page.text[slice(*line.amount)], line.amount)


def _summed_cards(document: Document, page: VisualLines) -> Iterator[list[_Priced]]:
    """The rows of a table of cards, each a text of some lines and an amount, with the charges below it."""
    for table in explicit_tables(document):
        rows = [[cell for cell in row if cell.text.strip()] for row in (table.header, *table.rows)]
        cards = [_card(page.text, row) for row in rows if row][:_MOST_ITEMS]
        run = [card for card in cards if card]
        if len(run) == len(cards) > 1:
            yield _summed(page, page.line_at(run[-1].amount[1]) + 1, run)


def _card(text: str, row: Sequence[Cell]) -> _Priced | None:
    """What the first line of the first of two cells names, with the quantity that another one says."""
    if len(row) != 2 or not (amount := _AMOUNT.fullmatch(text, *row[1].span)):
        return None
    start = row[0].span[0]
    name, *details = text[slice(*row[0].span)].split("\n")
    quantity, at = None, start + len(name) + 1
    for detail in details:
        found = _COUNTED.fullmatch(detail.strip()[:_LONGEST_AMOUNT])
        if found and heading_term(found[1]) == "count":
            end = at + len(detail.rstrip())
            quantity = end - len(found[2]), end
        at += len(detail) + 1
    is_name = sum(map(str.isalpha, name)) > 1 and not (_OTHER_AMOUNT.search(name) or sum_term(name, whole=False))
    return _Priced((start, start + len(name)), amount.span(1), quantity, quantity is not None) if is_name else None


_COUNTED = re.compile(r"([^\W\d_]{1,20})[.:]{0,2} ?(\d{1,4})")


def _summed(page: VisualLines, first: int = 0, cards: Sequence[_Priced] = ()) -> list[_Priced]:
    """The lines over the first sum below two items that add up to it; some above may be none of them."""
    run = list(cards)
    for index in range(first, min(len(page), first + _MOST_LINES)):
        chunks = page.line(index).chunks
        if not chunks:
            continue
        line = _priced(page, chunks)
        label = page.text[slice(*line.text)] if line else ""
        term = sum_term(without_rate(label), whole=False)
        if line and run and term in SUMMED_UP:
            return _adding_up(page, run, line) if _is_whole(label) else []
        if line is None or (term and term not in _CHARGES) or is_carried(label) or len(run) == _MOST_ITEMS:
            if cards:
                return []
            run = []
        else:
            # What stands below cards is charged on top.
            run.append(line._replace(is_item=line.is_item and not cards))
    return []


def _is_whole(label: str) -> bool:
    """Whether a label is that of the whole sum, and not of some part, "Total income"; a currency may end it."""
    words = without_rate(label).split()
    if words and words[-1] in MINOR_UNITS:
        words.pop()
    return sum_term(" ".join(words), whole=True) in SUMMED_UP


def _adding_up(page: VisualLines, run: Sequence[_Priced], total: _Priced) -> list[_Priced]:
    """The lines that add up to a sum, with that."""
    amounts = [page.text[slice(*line.amount)] for line in (*run, total)]
    for first in range(len(run) - 1):
        if sum(line.is_item for line in run[first:]) > 1 and texts_add_up(amounts[first:-1], amounts[-1]):
            return [*run[first:], total._replace(is_item=False)]
    return []


def _priced(page: VisualLines, chunks: Sequence[Span]) -> _Priced | None:
    """A line that is a text and an amount, and has no other number but a quantity before the text."""
    start, end = chunks[0][0], chunks[-1][1]
    amount = _AMOUNT.search(page.text, max(start, end - _LONGEST_AMOUNT), end) if end - start <= _LONGEST_LINE else None
    if amount is None:
        return None
    text = page.text[start : amount.start()].rstrip(_LEADERS)
    quantity = _QUANTITY.match(text)
    first = quantity.end() if quantity else 0
    label = text[first:]
    if sum(map(str.isalpha, label)) < 2 or label.endswith((":", "：")) or _OTHER_AMOUNT.search(label):
        return None
    if len(_GAP.split(label)) > 1 or is_number(label):
        return None
    at = (start, start + len(quantity[1])) if quantity else None
    times = bool(quantity) and not text[:first].rstrip().isdecimal()
    charged = is_negative(amount[1]) or is_rated(label) or not _CHARGES.isdisjoint(terms_of(label))
    return _Priced((start + first, start + len(text)), amount.span(1), at, times, not charged)


_GAP = re.compile(r"\t| {2,20}")


def _note(context: CapabilityContext) -> Diagnostic:
    message = "no headings were found; the lines that add up to the sum below them were taken"
    return Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, context.field.path)
