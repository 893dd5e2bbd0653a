"""Items that take a line each without a table: "- Widget: 5 x $3.00 = $15.00", "2x Tea  4.00" above a sum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

from paxman.classes import record
from paxman.documents.document import Cell
from paxman.finding.tables.arithmetic import amount_of, multiplies
from paxman.finding.tables.columns import NUMBERS, SUMMED, ArrayColumns
from paxman.finding.tables.tags import row_word
from paxman.lazy import lazy_pattern
from paxman.page.grid import joined
from paxman.page.lines import PageLine
from paxman.page.names import Page
from paxman.recognizers import Conventions, read_value
from paxman.types import Span

_BULLET = lazy_pattern(r"(?:[-*•–▪◦·]|\(?\d{1,3}[.)])[ \t]+")
_LEAD = lazy_pattern(r"(\d{1,6}(?:[.,]\d{1,3})?)[ \t]?[x×*][ \t]+(?=[^\W\d_])")
_MONEY = r"(?:[A-Z]{0,3}[$€£¥₹]|[A-Z]{3}[ \t])?[ \t]?-?\d[\d.,'’]*(?:[ \t]?(?:[€$£¥₹%]|[A-Z]{3}\b))?"
_JOIN = r"(?:[ \t]+(?:x|at|each|ea\.?)[ \t]+|[ \t]*[×*@=à][ \t]*|[ \t]+)"
_TAIL = lazy_pattern(rf"(?<![\w.,]){_MONEY}(?:{_JOIN}{_MONEY}){{0,3}}[ \t]*$")
_FIGURE = lazy_pattern(_MONEY)
_TIMES = lazy_pattern(r"[x×*@à]|\bat\b")
_LETTERS = lazy_pattern(r"[^\W\d_]{2}")
_CENTS = lazy_pattern(r"[.,]\d{2}(?!\d)|[$€£¥₹]")
_SLACK = Decimal("0.011")
_MOST_LINES = 20_000
_WORDED = ("description", "thing", "entry", "title")


@record
class ItemLine:
    """The parts of an item in its line, by column; `shape` is what lines of the same list share."""

    number: int
    cells: Mapping[int, Cell]
    amount: Decimal | None
    shape: str
    proven: bool
    numbered: bool = False
    """Whether its words begin with a number, which may be that of the line."""


@record
class ItemList:
    """Items of lines that follow each other, and whether arithmetic shows that they are."""

    items: tuple[ItemLine, ...]
    tied: bool


class _Roles:
    """Which columns of the array an item line can fill."""

    def __init__(self, columns: ArrayColumns) -> None:
        self.fields = columns.fields
        roles = columns.roles
        texts = [i for i in columns.texts if roles[i] in _WORDED] or [*columns.texts][:1]
        self.text = texts[0] if texts else None
        self.quantity = next((i for i, role in enumerate(roles) if role == "quantity"), None)
        self.price = next((i for i, role in enumerate(roles) if role == "unit_price"), None)
        self.total = next((i for i, role in enumerate(roles) if role in SUMMED and i in columns.numbers), None)
        held = {self.text, self.quantity, self.price, self.total}
        required = {i for i, field in enumerate(self.fields) if field.required}
        self.usable = self.text is not None and (self.total is not None or self.price is not None) and required <= held


def find_item_lines(page: Page, columns: ArrayColumns, how: Conventions) -> ItemList | None:
    """The list of items with the most lines that arithmetic or a sum below confirms."""
    roles = _Roles(columns)
    if not roles.usable:
        return None
    runs = [*_runs(page, columns, roles, how)]
    best: ItemList | None = None
    whole = sum(len(each) for each, _ in runs)
    for run, sums in (*_continued(runs), *runs):
        found = _judged(run, sums, whole)
        if found and any(b.number > a.number + 1 for a, b in pairwise(found.items)):
            found = ItemList(found.items, False)
        if found and (best is None or (len(found.items), found.tied) > (len(best.items), best.tied)):
            best = found
    return best


def _continued(runs: Sequence[tuple[list[ItemLine], list[Decimal]]]) -> Iterator[tuple[list[ItemLine], list[Decimal]]]:
    """Items of the same shape with other lines between them as one list, with the sums below the last."""
    shapes: dict[str, list[tuple[list[ItemLine], list[Decimal]]]] = {}
    for run, sums in runs:
        shapes.setdefault(run[0].shape, []).append((run, sums))
    for same in shapes.values():
        if len(same) > 1:
            yield [item for run, _ in same for item in run], same[-1][1]


def _runs(
    page: Page, columns: ArrayColumns, roles: _Roles, how: Conventions
) -> Iterator[tuple[list[ItemLine], list[Decimal]]]:
    run: list[ItemLine] = []
    sums: list[Decimal] = []
    for line in list(page.lines)[:_MOST_LINES]:
        item = None if line.gridded else _item(page, line, roles, how)
        said = row_word(_label(page, line), columns.lexicon)
        if item and not said and not sums and (not run or item.shape == run[0].shape):
            run.append(item)
        elif run and item and (said or sums) and item.amount is not None and len(sums) < 4:
            sums.append(item.amount)
        else:
            if run:
                yield run, sums
            run, sums = ([item], []) if item and not said else ([], [])
    if run:
        yield run, sums


def _label(page: Page, line: PageLine) -> str:
    start, end = _bare(page, line)
    tail = _TAIL.search(page.text, start, end)
    return page.text[start : tail.start() if tail else end].rstrip(" \t:.…")


def _bare(page: Page, line: PageLine) -> Span:
    bullet = _BULLET.match(page.text, line.start, line.end)
    return (bullet.end() if bullet else line.start), line.end


def _judged(run: Sequence[ItemLine], sums: Sequence[Decimal], lines: int) -> ItemList | None:
    proven = sum(item.proven for item in run)
    numbered = all(item.numbered for item in run)
    amounts = [item.amount for item in run if item.amount is not None]
    summed = len(amounts) == len(run) and any(abs(sum(amounts) - each) <= _SLACK for each in sums)
    if proven and 2 * proven >= len(run):
        return ItemList(tuple(run), not numbered and (summed or proven == len(run) == lines > 1))
    if summed and (len(run) > 1 or "lead" in run[0].shape):
        return ItemList(tuple(run), False)
    return ItemList(tuple(run), False) if "lead" in run[0].shape and len(run) > 1 else None


def _item(page: Page, line: PageLine, roles: _Roles, how: Conventions) -> ItemLine | None:
    start, end = _bare(page, line)
    lead = _LEAD.match(page.text, start, end)
    tail = _TAIL.search(page.text, lead.end() if lead else start, end)
    if tail is None:
        return None
    words = (lead.end() if lead else start, tail.start())
    text = page.text[words[0] : words[1]].rstrip(" \t:.…=-–—")
    if not _LETTERS.search(text) or len(text) > 120 or roles.text is None:
        return None
    figures = [match.span() for match in _FIGURE.finditer(page.text, *tail.span())]
    placed = _placed(page, figures, lead.span(1) if lead else None, roles, how, tail[0])
    if placed is None:
        return None
    spans, proven = placed
    last = roles.total if roles.total in spans else roles.price
    amount = None if last is None or last not in spans else _amount(page, spans[last], roles, last, how)
    spans[roles.text] = (words[0], words[0] + len(text))
    cells = {column: joined(page.lines.printed, [span]) for column, span in spans.items()}
    shape = f"{'lead ' if lead else ''}{len(figures)}"
    return ItemLine(line.number, cells, amount, shape, proven, text[0].isdigit())


def _placed(
    page: Page, figures: Sequence[Span], lead: Span | None, roles: _Roles, how: Conventions, tail: str
) -> tuple[dict[int, Span], bool] | None:
    """The figures of a line by column, and whether they multiply."""
    spans = [lead, *figures] if lead else [*figures]
    if len(spans) == 3:
        for quantity, price in ((spans[0], spans[1]), (spans[1], spans[0])):
            if multiplies([_number(page.text[slice(*span)], roles, how) for span in (quantity, price, spans[2])]):
                pairs = ((roles.quantity, quantity), (roles.price, price), (roles.total, spans[2]))
                return {column: span for column, span in pairs if column is not None}, True
        return None
    target = roles.total if roles.total is not None else roles.price
    if target is None or not _CENTS.search(page.text, *spans[-1]):
        return None
    if len(spans) == 1:
        return {target: spans[0]}, False
    counted = {} if roles.quantity is None else {roles.quantity: spans[0]}
    if lead and len(spans) == 2:
        return {**counted, target: spans[1]}, False
    if len(spans) == 2 and _TIMES.search(tail) and roles.price is not None:
        return {**counted, roles.price: spans[1]}, False
    return None


def _number(text: str, roles: _Roles, how: Conventions) -> Decimal | None:
    field = next(field for field in roles.fields if field.type in NUMBERS)
    reading = read_value(text, field, how)
    return None if reading is None else amount_of(reading.value)


def _amount(page: Page, span: Span, roles: _Roles, column: int, how: Conventions) -> Decimal | None:
    reading = read_value(page.text[span[0] : span[1]], roles.fields[column], how)
    return None if reading is None else amount_of(reading.value)
