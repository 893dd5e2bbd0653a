"""Finding and reading the tables in the layout of a text."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from decimal import Decimal

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.heading_slips import find_slipped
from paxman.capabilities.records import Record
from paxman.capabilities.row_reading import Fit, Piece, Reading, add_row, amount_places, doubt, joined, reject_row
from paxman.capabilities.short_rows import settle_short
from paxman.capabilities.table_arithmetic import mark_of
from paxman.capabilities.table_binding import UNDATED, currency_named, equal_headings, heads_currency
from paxman.capabilities.table_breaks import go_over, lines_left, named
from paxman.capabilities.table_cells import number_span, text_spans
from paxman.capabilities.table_ends import is_known
from paxman.capabilities.table_headings import Vocabulary
from paxman.capabilities.table_lines import NUMERIC, Layout, Row, layout_of, lost_words
from paxman.capabilities.table_pages import Outside, trim_repeated
from paxman.capabilities.table_rows import BELOW, find_rows, other_titles, refuse_brought
from paxman.capabilities.table_titles import Part
from paxman.contract.model import CanonicalField
from paxman.documents.figures import is_number
from paxman.documents.headings import Bound, Cell, Header, find_headers, ordinal_cells
from paxman.documents.visual_lines import VisualLines
from paxman.types import Diagnostic, FieldType, Severity

_MOST_VARIANTS = 12
_MOST_REREAD = 500
_SAMPLE = 12
_BESIDE = "columns that are asked for are headed in a row, where another table may begin beside this one"
_TIGHT = "no gaps part the headings or the cells, so that lines may be cut in other places"
_SHORT = "lines without gaps have fewer numbers than headings, so that others may be empty"
_BELOW = "lines below the end of the table are set as its rows"
_LEFT = "rows may go on below headings that name less, and were left out:"
_UNCLEAR = "lines of text between rows may belong to the row above or to the one below"

UNASKED = -1
"""The place of all columns that the contract does not ask for."""


def read_layout(context: CapabilityContext, page: VisualLines, vocabulary: Vocabulary) -> Reading | None:
    """The best table in the layout of the text: headers that name the same columns, and the rows below each."""
    headers = trim_repeated(page, find_headers(page, vocabulary))
    slipped = find_slipped(context, page, vocabulary, headers)
    if slipped:
        mended, headers = slipped
        reading = _best_table(context, page, mended.vocabulary, headers)
        return mended.note(context, reading) if reading else None
    return _best_table(context, page, vocabulary, headers)


def _best_table(
    context: CapabilityContext, page: VisualLines, vocabulary: Vocabulary, headers: list[Header]
) -> Reading | None:
    """The best table below these headers, or a note that one of them lacks a required column."""
    readings = []
    for group in _same_headers(headers, context.field.columns):
        reading, rows, fit = _read_fitted(context, page, group, headers, vocabulary)
        readings.append(reading)
        less = next((each for each in headers if _lacks_text(context.field.columns, each, group[0])), None)
        if less:
            doubt(context, reading, f"{_LEFT} {', '.join(map(repr, _headings(page, less)))}")
        if vocabulary.factors and reading.agree < len(reading.record.rows) < _MOST_REREAD:
            columns = _number_columns(page, rows)
            for variant in _variants(context.field, _with_bound(group, fit.bound), columns, vocabulary):
                other = _read(context, page, variant, headers, vocabulary)[0]
                if 0 < len(reading.record.rows) <= other.agree == len(other.record.rows):
                    readings.append(fit.noted(other))
    if not readings and headers:
        most = max(headers, key=lambda header: len(header.bound))
        alike = [header for header in headers if header.bound == most.bound]

        def read(bound: Bound) -> Reading:
            return _read_fitted(context, page, _with_bound(alike, bound), headers, vocabulary)[0]

        return unnamed_note(context, _headings(page, most), most.bound, read)
    return best_reading(context, readings)


def _lacks_text(columns: Sequence[CanonicalField], other: Header, header: Header) -> bool:
    """Whether another header is that of a table but for the heading of a text: "Tea" in place of "Item"."""
    if len(other.columns) != len(header.columns) or not other.bound or not {*other.bound} < {*header.bound}:
        return False
    missing = {*header.bound}.difference(other.bound)
    return all(columns[place].type is FieldType.STRING for place, _ in missing)


def _read_fitted(
    context: CapabilityContext, page: VisualLines, group: list[Header], headers: list[Header], vocabulary: Vocabulary
) -> tuple[Reading, list[Row], Fit]:
    """The rows below a group of headers, also of columns that only their cells tell."""
    reading, rows = _read(context, page, group, headers, vocabulary)
    fit = _fit(context, page, group, vocabulary, rows)
    if fit.bound != group[0].bound:
        reading, rows = _read(context, page, _with_bound(group, fit.bound), headers, vocabulary)
    return fit.noted(reading, fit.left), rows, fit


def _with_bound(group: Sequence[Header], bound: Bound) -> list[Header]:
    return [attrs.evolve(header, bound=bound) if header.bound != bound else header for header in group]


def _fit(
    context: CapabilityContext, page: VisualLines, group: Sequence[Header], vocabulary: Vocabulary, rows: Sequence[Row]
) -> Fit:
    """The columns of a group of headers, also those that only the cells below them tell."""
    header = group[0]
    headings = _headings(page, header)
    is_one = all(other.bound == header.bound and len(other.columns) == len(header.columns) for other in group)
    if not is_one or not vocabulary.is_open(headings, header.bound):
        return Fit(header.bound)
    from paxman.capabilities.open_columns import fit_columns

    texts = [_texts(page, row, header) for row in rows[:_SAMPLE]]
    return fit_columns(context, vocabulary, headings, texts, header.bound)


def unnamed_note(
    context: CapabilityContext, headings: Sequence[str], bound: Bound, read: Callable[[Bound], Reading]
) -> Reading | None:
    """What `read` finds where headings name most columns and not all that are required, or a note on that."""
    from paxman.capabilities.unnamed_columns import not_named, read_fitting

    note = not_named(context, headings, bound)
    if note is None:
        return None
    reading = read_fitting(context, headings, bound, read) or read(bound)
    return reading if reading.record.rows else Reading(Record(doubts=[note]))


def best_reading(context: CapabilityContext, readings: Sequence[Reading]) -> Reading | None:
    """The table with most of the columns, and a note if another that has less of them has more rows."""
    best = max(readings, key=lambda reading: reading.rank, default=None)
    longest = max((len(reading.record.rows) for reading in readings), default=0)
    if best and len(best.record.rows) < longest:
        message = f"a table with fewer of the columns has {longest} rows; they were left out"
        best.record.doubts.append(Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, context.field.path))
    return best


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
    context: CapabilityContext, page: VisualLines, group: list[Header], headers: list[Header], vocabulary: Vocabulary
) -> tuple[Reading, list[Row]]:
    reading = Reading()
    outside = Outside(page, group[0])
    again = {header.first for header in group}
    layouts = (layout_of(page, header, vocabulary, context.field.columns, outside) for header in group)
    parts = [_part(layout, headers, again) for layout in layouts]
    refuse_brought(parts)
    _note_left(context, reading, parts)
    short = settle_short(parts)
    if short:
        doubt(context, reading, f"{_SHORT}: {named(parts[0].layout, [row.first for row in short])}")
    for title in other_titles(parts):
        doubt(context, reading, f"the rows below {named(parts[0].layout, [title])} may be those of another table")
    debits = _debits(context, reading, parts)
    for part in parts:
        _read_rows(context, reading, part, debits)
        _doubt_part(context, reading, part)
    return reading, [row for part in parts for row in part.items]


def _read_rows(context: CapabilityContext, reading: Reading, part: Part, debits: Mapping[int, str]) -> None:
    """Each row below one header, or why it is none."""
    layout, vocabulary, currencies = part.layout, part.layout.vocabulary, _currency_column(part)
    named = {place: currency_named(heading) for place, heading in enumerate(_headings(layout.page, layout.header))}
    for row in part.rows:
        if row.reason:
            reject_row(context, reading, row.reason)
            continue
        pieces = dict(_pieces(context, layout, row, debits, currencies, named))
        add_row(context, reading, pieces, vocabulary, _percents(layout.page, row))
        lost = lost_words(layout, row.lines[0][1])
        for text in lost:
            reading.record.leave_out(context.field.path, f"{text!r} stands beside a number")
        if any(vocabulary.names_column(text) for text in lost):
            doubt(context, reading, _BESIDE)


def _doubt_part(context: CapabilityContext, reading: Reading, part: Part) -> None:
    """Say what is unclear about the rows below one header."""
    layout, page, header = part.layout, part.layout.page, part.layout.header
    unclear = [row for row in part.rows if row.unclear]
    if any(row.reason == BELOW for row in unclear):
        doubt(context, reading, _BELOW)
    others = [row for row in unclear if row.reason != BELOW]
    if others:
        loose = [line for row in others for line, cells in (*row.above, *row.lines[1:]) if cells]
        doubt(context, reading, f"{_UNCLEAR}: {named(layout, loose)}" if loose else _UNCLEAR)
    if layout.is_tight and not _is_sure(layout):
        doubt(context, reading, _TIGHT)
    if _leaves_days_out(part):
        doubt(context, reading, UNDATED)
    if header.names:
        columns = [(context.field.columns[place].name, column) for place, column in header.bound]
        doubts = [*equal_headings(context, header.names, (_texts(page, row, header) for row in part.items), columns)]
        reading.record.doubts += doubts
        reading.unclear |= bool(doubts)
    elif _has_rivals(header):
        texts = [_texts(page, row, header) for row in part.items]
        doubt_rivals(context, reading, layout.vocabulary, _headings(page, header), texts, header.bound)


def _leaves_days_out(part: Part) -> bool:
    """Whether rows begin with a day, but not all."""
    layout, items = part.layout, part.items
    if layout.first not in layout.dates or len(items) < 2:
        return False
    return any(all(cell.column not in layout.dates for _, cells in row.lines for cell in cells) for row in items[1:])


def _is_sure(layout: Layout) -> bool:
    """Whether lines without gaps are cut by headings that are known, also that of the texts as a whole."""
    start = layout.page.line(layout.header.last).start
    heading = layout.header.columns[min(layout.texts, default=0)]
    return layout.is_crammed and is_known(layout, Cell(0, start + heading.left, start + heading.right))


def _has_rivals(header: Header) -> bool:
    """Whether more columns than were taken may be what is asked for."""
    return sum(column.meaning >= 0 for column in header.columns) > len(header.bound)


def doubt_rivals(
    context: CapabilityContext,
    reading: Reading,
    vocabulary: Vocabulary,
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    bound: Bound,
) -> None:
    """Say where other columns may be meant as well; quantity times price tells which price is, but of no total."""
    from paxman.capabilities.rival_columns import rival_notes

    proven = vocabulary.factors[:-1] if reading.agree == len(reading.record.rows) else ()
    unproven = [(place, column) for place, column in bound if place not in proven]
    doubts = [*rival_notes(context, vocabulary, headings, rows, bound, unproven)]
    reading.record.doubts += doubts
    reading.unclear |= bool(doubts)


def _part(layout: Layout, headers: list[Header], again: Container[int]) -> Part:
    """The rows from a header down to the next, with which the table may go on."""
    after = bisect_right(headers, layout.header.last, key=lambda other: other.first)
    stop = headers[after].first if after < len(headers) else len(layout.page)
    return find_rows(attrs.evolve(layout, goes_on=True) if stop in again else layout, stop)


def _note_left(context: CapabilityContext, reading: Reading, parts: Sequence[Part]) -> None:
    """Join texts that go on over pages, and name lines of which that is unclear, or that no row has."""
    layout = parts[0].layout
    found = {line: is_property for part in parts for line, is_property in lines_left(part).items()}
    left = [line for line, is_property in found.items() if not is_property]
    unclear, joined = go_over(parts, left)
    for line in unclear:
        doubt(context, reading, f"{named(layout, [line])} may be part of a row's text, or not")
    told = joined.union(unclear)
    rest = [line for line in left if line not in told]
    properties = [line for line, is_property in found.items() if is_property]
    for what, lines in (("that belong to none", rest), ("that are properties and were left out", properties)):
        if lines:
            message = f"lines of text among rows {what}, {len(lines)}: {named(layout, lines)}"
            reading.record.doubts.append(Diagnostic("INPUT_NOTE", Severity.INFO, message, context.field.path))


def _headings(page: VisualLines, header: Header) -> list[str]:
    """The headings of a line; none where they take several lines, but for a title."""
    if header.ordinal:
        texts = {cell.column: page.text[cell.start : cell.end] for cell in ordinal_cells(page, header.first)}
        return [texts.get(column, "") for column in range(len(header.columns))]
    others = [len(page.line(index).chunks) for index in range(header.first, header.last)]
    is_one = max(others, default=1) == 1 and len(page.line(header.last).chunks) >= len(header.columns)
    start = page.line(header.last).start if not others or is_one else len(page.text)
    return [page.text[start + column.left : start + column.right] for column in header.columns]


def _texts(page: VisualLines, row: Row, header: Header) -> list[str]:
    """The first line of a row by columns."""
    texts = {cell.column: page.text[cell.start : cell.end] for cell in row.lines[0][1]}
    return [texts.get(column, "") for column in range(len(header.columns))]


def _debits(context: CapabilityContext, reading: Reading, parts: Sequence[Part]) -> Mapping[int, str]:
    """The mark of debits for each column of amounts."""
    layout, page = parts[0].layout, parts[0].layout.page
    asked = amount_places(layout.columns, layout.vocabulary)
    columns: dict[int, list[str]] = {place: [] for place in (*asked, UNASKED)}
    for part in parts:
        home = {column: place for place, column in part.layout.places.items()}
        for cell in (cell for row in part.rows for cell in row.lines[0][1]):
            place = home.get(cell.column, UNASKED)
            if place in columns:
                columns[place].append(page.text[cell.start : cell.end])
    header = layout.header
    headings = page.text[page.line(header.first).start : page.line(header.last).end]
    return marked_debits(context, reading, headings, columns)


def marked_debits(
    context: CapabilityContext, reading: Reading, headings: str, columns: Mapping[int, Sequence[str]]
) -> Mapping[int, str]:
    """The mark of debits for each column of texts, all that is not asked for as one, and a note where that is open."""
    if not any(mark_of(text) for place, texts in columns.items() for text in texts if place != UNASKED):
        return {}
    from paxman.capabilities.credit_marks import debits_of, open_note

    debits = debits_of(context, headings, columns)
    if debits.unclear:
        reading.unclear = True
        reading.record.doubts.append(open_note(context, debits.unclear))
    return debits.marks


def _pieces(
    context: CapabilityContext,
    layout: Layout,
    row: Row,
    debits: Mapping[int, str],
    currencies: int | None,
    named: Mapping[int, str],
) -> Iterator[tuple[int, Piece]]:
    codes = (layout.page.text[cell.start : cell.end] for cell in row.lines[0][1] if cell.column == currencies)
    stated = next(codes, "").upper()
    for place, column in layout.header.bound:
        currency = stated or named.get(column, "")
        if context.field.columns[place].type in NUMERIC:
            span = number_span(layout, row, place)
            spans = [span] if span else []
        else:
            spans = text_spans(layout, row, place)
        if spans:
            yield place, joined(context.document.text, spans)._replace(debit=debits.get(place, ""), currency=currency)


def _currency_column(part: Part) -> int | None:
    """The column that a heading says to be that of the currencies, or that has their codes below a short one."""
    page, header = part.layout.page, part.layout.header
    headings = [*enumerate(_headings(page, header))]
    sure = next((column for column, heading in headings if heads_currency(heading)), None)
    if sure is not None or not any(column.type is FieldType.MONEY for column in part.layout.columns):
        return sure
    texts = [_texts(page, row, header) for row in part.items[:_SAMPLE]]
    found = (column for column, heading in headings if heads_currency(heading, [row[column] for row in texts]))
    return next(found, None)


def _percents(page: VisualLines, row: Row) -> list[Decimal]:
    texts = [page.text[cell.start : cell.end] for cell in row.lines[0][1]]
    figures = [text.rstrip("% ").replace(",", ".") for text in texts if text.endswith("%") and is_number(text)]
    return [Decimal(figure) for figure in figures if figure.replace(".", "", 1).isdecimal()]


def _variants(
    field: CanonicalField, group: list[Header], columns: Sequence[int], vocabulary: Vocabulary
) -> Iterator[list[Header]]:
    """The same headers with a price, quantity or total taken from a column of numbers whose heading said nothing."""
    bound = dict(group[0].bound)
    free = [column for column in columns if column not in bound.values()]
    roles = ("line_total", "unit_price", "count")
    places = [place for role in roles for place, own in enumerate(vocabulary.roles) if own == role]
    pairs = [(place, column) for place in places for column in free if field.columns[place].type in NUMERIC]
    for place, column in pairs[:_MOST_VARIANTS]:
        yield [attrs.evolve(h, bound=tuple(sorted({**dict(h.bound), place: column}.items()))) for h in group]


def _number_columns(page: VisualLines, rows: Sequence[Row]) -> list[int]:
    cells = (cell for row in rows for cell in row.lines[0][1])
    filled = Counter(cell.column for cell in cells if is_number(page.text[cell.start : cell.end]))
    return sorted(column for column, count in filled.items() if count * 2 > len(rows))
