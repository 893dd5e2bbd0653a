"""Reading the rows of a table into values, and checking them against each other."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import attrs

from paxman.capabilities.base import CapabilityContext, EvidenceRef
from paxman.capabilities.label_scan import Page
from paxman.capabilities.records import Record
from paxman.capabilities.table_headings import Vocabulary
from paxman.capabilities.table_layout import Header, find_headers, is_number
from paxman.capabilities.table_rows import NUMERIC, Layout, Row, find_rows, layout_of, number_span, text_spans
from paxman.capabilities.values import conventions, read_at
from paxman.contract.constraints import problems
from paxman.contract.model import CanonicalField
from paxman.transforms import run
from paxman.types import Money, Span

_MOST_VARIANTS = 12
_MOST_REREAD = 500
_FACTORS = frozenset({"count", "unit_price", "line_total"})
_PER = (1, 10, 100, 1000)
"""A price may stand for so many pieces."""
_LEAST_CENT = Decimal("0.01")


class Piece(NamedTuple):
    """A cell's text: what `steps` make of the document's text at `span`."""

    text: str
    span: Span
    steps: tuple[str, ...] = ()


@attrs.define
class Reading:
    """The rows of a table, and how often quantity times price was the line's total, or was not."""

    record: Record = attrs.field(factory=Record)
    agree: int = 0
    differ: int = 0
    seen: int = 0
    """Rows that were read or rejected."""

    @property
    def rank(self) -> tuple[int, int, int]:
        return len(self.record.rows), self.agree - self.differ, len(self.record.refs)


def add_row(
    context: CapabilityContext,
    reading: Reading,
    pieces: Mapping[int, Piece],
    vocabulary: Vocabulary,
    percents: Sequence[Decimal] = (),
) -> None:
    """One row from its cells, by the place of their column in the contract, or rejected with the reason."""
    field, record = context.field, reading.record
    path = f"{field.path}[{len(record.rows)}]"
    values: dict[str, Any] = {}
    refs: list[EvidenceRef] = []
    reason = None
    for place, column in enumerate(field.columns):
        found = _read_piece(context, column, pieces.get(place), f"{path}.{column.name}")
        reason = reason or _refusal(column, pieces.get(place), found)
        if found:
            values[column.name] = found[0]
            refs.append(found[1])
    number, reading.seen = reading.seen, reading.seen + 1
    if reason or not values:
        record.reject(field.path, number, reason or "no value in any column")
        return
    record.rows.append(values)
    record.refs += refs
    _check(reading, _factors(field, values, vocabulary), percents)


def reject_row(context: CapabilityContext, reading: Reading, reason: str) -> None:
    reading.record.reject(context.field.path, reading.seen, reason)
    reading.seen += 1


def _read_piece(
    context: CapabilityContext, column: CanonicalField, piece: Piece | None, path: str
) -> tuple[Any, EvidenceRef] | None:
    if piece is None or not piece.text.strip():
        return None
    found = read_at(context, column, piece.text, piece.span, conventions(context), piece.steps, path=path)
    return (found[0].value, found[0].ref) if found else None


def _refusal(column: CanonicalField, piece: Piece | None, found: tuple[Any, EvidenceRef] | None) -> str | None:
    """Why a cell spoils its row; an optional one that cannot be read does not."""
    if found:
        broken = problems(column, found[0])
        return f"{column.name}: {broken[0]}" if broken else None
    if column.required:
        return f"{column.name}: not {column.type.value}" if piece and piece.text.strip() else f"{column.name}: missing"
    return None


def _factors(field: CanonicalField, values: Mapping[str, Any], vocabulary: Vocabulary) -> list[Decimal] | None:
    """Quantity, price and total of a row, if it has all three."""
    found: dict[str, Decimal] = {}
    for column, role in zip(field.columns, vocabulary.roles, strict=True):
        value = values.get(column.name)
        amount = value.amount if isinstance(value, Money) else value
        if isinstance(amount, int | Decimal) and column.type in NUMERIC:
            found.setdefault("line_total" if role in ("total", "net") else role or "", Decimal(amount))
    roles = ("count", "unit_price", "line_total")
    return [found[role] for role in roles] if all(role in found for role in roles) else None


def _check(reading: Reading, factors: list[Decimal] | None, percents: Sequence[Decimal]) -> None:
    if factors is None:
        return
    if _multiplies(factors, percents):
        reading.agree += 1
    else:
        reading.differ += 1


def _multiplies(factors: Sequence[Decimal], percents: Sequence[Decimal]) -> bool:
    """Whether quantity times price is the total, up to rounding, a discount that the row states, or a price per 100."""
    quantity, price, total = factors
    rounding = abs(quantity) * Decimal(5).scaleb(min(0, _exponent(price)) - 1)
    slack = _LEAST_CENT + min(rounding, abs(total) / 50)
    full = quantity * price
    less = [full * (100 - percent) / 100 for percent in percents]
    return any(abs(abs(each) - abs(total)) <= slack for each in (*(full / per for per in _PER), *less))


def _exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def read_layout(context: CapabilityContext, page: Page, vocabulary: Vocabulary) -> Reading | None:
    """The best table in the layout of the text: headers that name the same columns, and the rows below each."""
    headers = find_headers(page, vocabulary)
    readings = []
    for group in _same_headers(headers, context.field.columns):
        reading, rows = _read(context, page, group, headers, vocabulary)
        readings.append(reading)
        if set(vocabulary.roles) >= _FACTORS and reading.agree < len(reading.record.rows) < _MOST_REREAD:
            for variant in _variants(context.field, group, rows, vocabulary):
                other = _read(context, page, variant, headers, vocabulary)[0]
                readings += [other] if other.agree and other.agree == len(other.record.rows) else []
    return max(readings, key=lambda reading: reading.rank, default=None)


def _same_headers(headers: Sequence[Header], columns: Sequence[CanonicalField]) -> list[list[Header]]:
    """Headers with every required column; one that comes again on another page goes on with the first."""
    required = {place for place, column in enumerate(columns) if column.required}
    groups: dict[tuple[int, ...], list[Header]] = {}
    for header in headers:
        places = tuple(place for place, _ in header.bound)
        if required <= set(places):
            groups.setdefault(places, []).append(header)
    return list(groups.values())


def _read(
    context: CapabilityContext, page: Page, group: list[Header], headers: list[Header], vocabulary: Vocabulary
) -> tuple[Reading, list[Row]]:
    reading = Reading()
    rows: list[Row] = []
    for header in group:
        after = bisect_right(headers, header.last, key=lambda other: other.first)
        stop = headers[after].first if after < len(headers) else len(page)
        layout = layout_of(page, header, vocabulary, context.field.columns)
        for row in find_rows(layout, stop):
            rows.append(row)
            if row.reason:
                reject_row(context, reading, row.reason)
            else:
                pieces = dict(_pieces(context, layout, row))
                add_row(context, reading, pieces, vocabulary, _percents(page, row))
    return reading, rows


def _pieces(context: CapabilityContext, layout: Layout, row: Row) -> Iterator[tuple[int, Piece]]:
    for place, _ in layout.header.bound:
        if context.field.columns[place].type in NUMERIC:
            span = number_span(layout, row, place)
            spans = [span] if span else []
        else:
            spans = text_spans(layout, row, place)
        if spans:
            yield place, joined(context.document.text, spans)


def joined(text: str, spans: Sequence[Span]) -> Piece:
    """One piece over all parts, with the step that takes only them."""
    start, end = spans[0][0], spans[-1][1]
    steps: tuple[str, ...] = ()
    if len(spans) > 1:
        steps = ("join:" + " ".join(f"{first - start}-{last - start}" for first, last in spans),)
    return Piece(run(steps, text[start:end]), (start, end), steps)


def _percents(page: Page, row: Row) -> list[Decimal]:
    texts = [page.text[cell.start : cell.end] for cell in row.lines[0][1]]
    figures = [text.rstrip("% ").replace(",", ".") for text in texts if text.endswith("%") and is_number(text)]
    return [Decimal(figure) for figure in figures if figure.replace(".", "", 1).isdecimal()]


def _variants(
    field: CanonicalField, group: list[Header], rows: Sequence[Row], vocabulary: Vocabulary
) -> Iterator[list[Header]]:
    """The same headers with a price, quantity or total taken from a column of numbers whose heading said nothing."""
    bound = dict(group[0].bound)
    free = [column for column in _number_columns(rows) if column not in bound.values()]
    places = [p for p, role in enumerate(vocabulary.roles) if role in ("unit_price", "line_total", "count")]
    pairs = [(place, column) for place in places for column in free if field.columns[place].type in NUMERIC]
    for place, column in pairs[:_MOST_VARIANTS]:
        yield [attrs.evolve(h, bound=tuple(sorted({**dict(h.bound), place: column}.items()))) for h in group]


def _number_columns(rows: Sequence[Row]) -> list[int]:
    filled = Counter(cell.column for row in rows for cell in row.lines[0][1])
    return sorted(column for column, count in filled.items() if count * 2 > len(rows))
