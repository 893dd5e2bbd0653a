"""Relations that a contract's fields have by what they mean: net + tax = total, and a start before its end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from functools import lru_cache
from typing import Any

import attrs

from paxman.capabilities.validation import factor_names, factors_of
from paxman.contract.arithmetic import ExpressionError
from paxman.contract.expressions import parse, quoted
from paxman.contract.labels import fold_label
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.contract.relation import Relation, amount_of, stated_relations
from paxman.finding.tables.arithmetic import multiplies
from paxman.finding.terms import line_role, paper_term
from paxman.lazy import lazy_pattern, remembered
from paxman.lexicon.lexicon import load
from paxman.recognizers.tables import column, entries
from paxman.types import FieldType, Money

_SUM = "{} + {} == {}", ("net_amount", "tax", "total")
_BEFORE = "{} <= {}"
_PERIOD = _BEFORE, ("start_date", "end_date")
_PAYMENT = _BEFORE, ("invoice_date", "due_date")


@remembered(lambda contract: (contract.memo,))
def relations_of(contract: CanonicalContract) -> tuple[Relation, ...]:
    """The contract's own checks, then what its fields imply; worked out once per contract."""
    stated = stated_relations(contract)
    return (*stated, *_implied(contract, stated))


def _implied(contract: CanonicalContract, stated: Sequence[Relation]) -> Iterator[Relation]:
    """Relations between the fields of one object, unless a check of the contract speaks of all of them."""
    objects: dict[tuple[str, str], list[CanonicalField]] = {}
    for field in contract.leaves:
        if field.type in KINDS:
            objects.setdefault((field.path.rpartition(".")[0], KINDS[field.type]), []).append(field)
    for (_, kind), fields in objects.items():
        for found in _between_dates(fields) if kind == "date" else _relation(fields, *_SUM):
            if not any(found.expression.names <= other.expression.names for other in stated):
                yield found
    if any(field.columns for field in contract.leaves):
        yield from implied_by_lines(contract, stated)


def _between_dates(fields: Sequence[CanonicalField]) -> Iterator[Relation]:
    """What begins comes before what ends, by their names or else by what they mean; a bill mostly before it is due."""
    if len(fields) < 2:
        return
    pairs = list(periods_of(fields))
    yield from (check for pair in pairs for check in _stated(_BEFORE, pair))
    paired = {path for pair in pairs for path in pair}
    yield from _relation([field for field in fields if field.path not in paired], *_PERIOD)
    yield from (attrs.evolve(check, soft=True) for check in _relation(fields, *_PAYMENT))


def _relation(fields: Sequence[CanonicalField], template: str, terms: Sequence[str]) -> Iterator[Relation]:
    """The relation, if there is exactly one field for each of its terms."""
    if len(fields) < len(terms):
        return
    by_term: dict[str, list[str]] = {}
    for field in fields:
        by_term.setdefault(paper_term(field, load()), []).append(field.path)
    named = [by_term.get(term, []) for term in terms]
    if any(len(paths) != 1 for paths in named):
        return
    others = (paths for term, paths in by_term.items() if term in BETWEEN and template == _SUM[0])
    between = tuple(path for paths in others for path in paths)
    yield from _stated(template, [path for (path,) in named], between)


def _stated(template: str, paths: Sequence[str], between: tuple[str, ...] = ()) -> Iterator[Relation]:
    """The relation of these fields; none of a name that no expression can hold."""
    with suppress(ExpressionError):
        yield Relation(parse(template.format(*map(quoted, paths))), ROUNDING, True, between)


ROUNDING = Decimal("0.02")
"""A cent for each part of a sum; a total in whole five cents is no further off."""
BETWEEN = frozenset(
    ("charges", "shipping_cost", "service_charge", "tip", "discount", "deposit", "rounding", "commission", "late_fee")
)
"""What may stand between net and total besides the tax."""
KINDS = {
    FieldType.DECIMAL: "number",
    FieldType.INTEGER: "number",
    FieldType.MONEY: "money",
    FieldType.DATE: "date",
}


_OF_ITEMS = frozenset(("description", "quantity", "unit_price", "sku"))
_MOST_LINES = 1000
_SUMS = ("subtotal", "net_amount", "total")


@attrs.frozen
class LineProducts(Relation):
    """That quantity times price is the amount, in every line. What contradicts it, the reader of the rows has told."""

    lines: str = ""
    factors: tuple[str, ...] = ()

    @property
    def is_hint(self) -> bool:
        return True

    def borne_out(self, values: Mapping[str, Any]) -> frozenset[str]:
        return frozenset((self.lines,))

    def outcome(self, values: Mapping[str, Any]) -> bool | None:
        rows = values.get(self.lines) or ()
        if not 0 < len(rows) <= _MOST_LINES:
            return None
        found = [factors_of(self.factors, row) for row in rows]
        # What costs nothing is free, and says nothing of the others.
        priced = [factors for factors in found if len(factors) < len(self.factors) or factors[-1]]
        try:
            return (bool(priced) and all(map(self._holds, priced))) or None
        except ArithmeticError:
            return None  # numbers that are too large to multiply

    def _holds(self, factors: Sequence[Decimal]) -> bool:
        return len(factors) == len(self.factors) and multiplies(factors, pieces=(1,))


@attrs.frozen
class LineSum(Relation):
    """What an array's lines add up to; a tax, a discount or a row that was not read may stand between.

    So it lowers nothing, and it chooses no total, of which a page may have one before and one after those.
    """

    column: str = ""
    sums: tuple[str, ...] = ()
    net: str = ""
    tax: str = ""
    total: str = ""
    lines: Decimal | Money | None = None
    """What they add up to, once they are known."""

    @property
    def paths(self) -> frozenset[str]:
        return self.expression.names.union(self.between, filter(None, (self.tax,)))

    @property
    def chosen(self) -> frozenset[str]:
        return self.expression.names - {self.total}

    @property
    def is_hint(self) -> bool:
        return True

    def given(self, values: Mapping[str, Any]) -> LineSum:
        path, _, name = self.column.rpartition(".")
        cells = [row.get(name) for row in values.get(path) or ()]
        if not cells or None in cells or not _are_alike(*cells):
            return self
        try:
            added = sum(map(amount_of, cells), Decimal(0)) or None
        except ArithmeticError:
            return self
        is_money = added is not None and isinstance(cells[0], Money)
        return attrs.evolve(self, lines=Money(added, cells[0].currency) if is_money else added)

    def borne_out(self, values: Mapping[str, Any]) -> frozenset[str]:
        """The sums that agree, and the lines; but not by the total alone if some lack what others have."""
        held = self._held(values)
        rows = values[self.column.rpartition(".")[0]] if held == [self.total] else ()
        filled = {frozenset(name for name, value in row.items() if value is not None) for row in rows}
        return frozenset(held if len(filled) > 1 else (self.column, *held))

    def told(self, values: Mapping[str, Any]) -> str:
        sums = (f"{path} is {values[path]}" for path in self.sums if values.get(path) is not None)
        return f"the lines add up to {self.lines}, {', '.join(sums)}"

    def outcome(self, values: Mapping[str, Any]) -> bool | None:
        if self._held(values):
            return True
        gaps = self._gaps(values)
        known = self.total in gaps and abs(gaps.pop(self.total)) <= self.tolerance
        return None if known or not gaps or any(self.explains(gap, values) for gap in gaps.values()) else False

    def _held(self, values: Mapping[str, Any]) -> list[str]:
        """The sums that the lines add up to; or tax and total, where the contract asks for no net."""
        gaps = self._gaps(values)
        held = [path for path, gap in gaps.items() if abs(gap) <= self.tolerance]
        tax = abs(amount_of(values.get(self.tax) or 0))
        if tax and held == [self.total]:
            return []  # the tax may be in the prices, or still come on top
        if self.total not in gaps:
            return held
        if tax and not held and not self.net:
            return [self.tax, self.total] if abs(gaps[self.total] - tax) <= self.tolerance else []
        # A net above the total is another paper's, or before a discount.
        return [path for path in held if path != self.net or gaps[self.total] >= -self.tolerance]

    def _gaps(self, values: Mapping[str, Any]) -> dict[str, Decimal]:
        """How much each sum is more than the lines, with a minus or without, where all are in one currency."""
        found = {path: values[path] for path in self.sums if values.get(path) is not None}
        if self.lines is None:
            return {}
        try:
            least = abs(amount_of(self.lines))
            return {p: abs(amount_of(value)) - least for p, value in found.items() if _are_alike(self.lines, value)}
        except ArithmeticError:
            return {}


def _are_alike(*amounts: Any) -> bool:
    return len({amount.currency for amount in amounts if isinstance(amount, Money)}) < 2


def implied_by_lines(contract: CanonicalContract, stated: Sequence[Relation]) -> Iterator[Relation]:
    """What the lines of a contract imply, unless a check of its own speaks of their amounts."""
    named = frozenset[str]().union(*(check.expression.names for check in stated))
    yield from (found for found in _line_products(contract) if not found.expression.names <= named)
    found = _line_sum(contract)
    if found and found.column not in named:
        yield found


def _line_products(contract: CanonicalContract) -> Iterator[LineProducts]:
    """The relation for each array whose lines have a quantity, a price and an amount."""
    for field in contract.leaves:
        names = factor_names(field.columns)
        try:
            count, price, amount = (quoted(f"{field.path}.{name}") for name in names)
            equation = parse(f"{count} * {price} == {amount}")
        except ValueError:
            continue  # no such columns, or a name that no expression can hold
        yield LineProducts(equation, ROUNDING, implied=True, lines=field.path, factors=tuple(names))


def _line_sum(contract: CanonicalContract) -> LineSum | None:
    """The relation, if one array has items with one amount each, and one field asks for what they add up to."""
    by_term: dict[str, list[str]] = {}
    for field in contract.leaves:
        if KINDS.get(field.type) in ("number", "money"):
            by_term.setdefault(paper_term(field, load()), []).append(field.path)
    single = {term: paths[0] for term, paths in by_term.items() if term and len(paths) == 1}
    sums = tuple(single[term] for term in _SUMS if term in single)
    columns = [column for field in contract.leaves for column in _amounts(field)] if sums else []
    if len(columns) != 1:
        return None
    net, tax, total = (single.get(term, "") for term in ("net_amount", "tax", "total"))
    try:
        # That a column adds up to one of the sums, or with a tax to its total.
        column = columns[0]
        taxed = (tax, total) if tax and total and not net else None
        added = f"sum({quoted(column)})"
        texts = [f"{added} == {quoted(path)}" for path in sums]
        texts += [f"{added} + {quoted(taxed[0])} == {quoted(taxed[1])}"] if taxed else []
        added_up = parse(" or ".join(texts))
    except ExpressionError:
        return None  # a name that no expression can hold
    between = tuple(path for term, paths in by_term.items() if term in BETWEEN for path in paths)
    return LineSum(
        added_up, ROUNDING, implied=True, between=between, column=columns[0], sums=sums, net=net, tax=tax, total=total
    )


def _amounts(field: CanonicalField) -> list[str]:
    """The column of an array of items that has the amount of each."""
    if field.type is not FieldType.ARRAY or len(field.columns) < 2:
        return []
    roles = [line_role(column, load()) for column in field.columns]
    names = [column.name for column, role in zip(field.columns, roles, strict=True) if role == "line_total"]
    return [f"{field.path}.{names[0]}"] if len(names) == 1 and not _OF_ITEMS.isdisjoint(roles) else []


# "vertragsbeginn" and "vertragsende" are compounds, and so is "checkout".
_JOINT = lazy_pattern(r"(?<=\w{3})(?=(?:beginn?|anfang|start|einde?|ende?)\b)|(?<=\bcheck)(?=(?:in|out)\b)")


@attrs.frozen
class _Pair:
    """Words for begin and end; some mean so only if the contract has them in this order."""

    begin: frozenset[str]
    end: frozenset[str]
    in_order: bool


@lru_cache(maxsize=1)
def _pairs() -> tuple[_Pair, ...]:
    said = column("period_words")

    def words(heads: Iterable[str]) -> frozenset[str]:
        return frozenset[str]().union(*(said[head] for head in heads))

    rows = [(head, " ".join(parts).split(" > ")) for head, parts in entries("period_words") if ">" in parts]
    return tuple(_Pair(words(begin.split()), words(end.split()), head == "in_order") for head, (begin, end) in rows)


@lru_cache(maxsize=1)
def _ends() -> frozenset[str]:
    return frozenset[str]().union(*(pair.begin | pair.end for pair in _pairs()))


def periods_of(fields: Sequence[CanonicalField]) -> Iterator[tuple[str, str]]:
    """Paths of the fields that begin and end a period: their names differ in nothing but a word for that."""
    alike: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for field in fields:
        for rest, word in _split(field.words):
            alike.setdefault(rest, []).append((word, field.path))
    for ends in alike.values():
        # Begin and end, where there is one each of a kind; no field is in two pairs.
        paired: set[str] = set()
        for pair in _pairs():
            places = [place for place, (_, path) in enumerate(ends) if path not in paired]
            begin, end = ([place for place in places if ends[place][0] in words] for words in (pair.begin, pair.end))
            if len(begin) == len(end) == 1 and (not pair.in_order or begin < end):
                found = ends[begin[0]][1], ends[end[0]][1]
                paired.update(found)
                yield found


def _split(name: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each word of a name that says begin or end, and the rest of the name."""
    of_days = column("period_words")["day"]
    said = [word for word in _JOINT.sub(" ", fold_label(name)).split() if word not in of_days]
    for place, word in enumerate(said):
        if word in _ends():
            yield (*said[:place], *said[place + 1 :]), word
