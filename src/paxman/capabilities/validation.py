"""Says which of the candidates found so far break the field's type or constraints, or contradict themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import Any

from paxman.capabilities import specs
from paxman.capabilities.base import Candidate, CapabilityContext, CapabilityResult, Objection
from paxman.contract.constraints import problems
from paxman.contract.model import CanonicalField
from paxman.documents.document import Node
from paxman.finding.tables.arithmetic import multiplies, numbers_in
from paxman.finding.terms import line_role, paper_term
from paxman.lazy import lazy_pattern
from paxman.lexicon.lexicon import load
from paxman.recognizers.checksums import has_iban_shape, is_iban, is_vat_id, vat_country
from paxman.recognizers.identifiers import to_compact
from paxman.serialization import canonical_json
from paxman.types import Diagnostic, FieldType, Money, Severity, Span

_LONGEST_VALUE = 200
# Two letters of a country before the rest, as in an account or VAT number; most text is none.
_LETTERED = lazy_pattern(r"(?=(?:\D*\d){5})\s*[A-Za-z]{2}[ .-]?[A-Za-z]?[0-9A-Za-z][0-9A-Za-z ./-]{5,45}\Z")
_GAPS = lazy_pattern(r"\t| {2,}|\n")


class Validation:
    """Adds no candidates and no evidence, only objections to candidates."""

    spec = specs.VALIDATION

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        notes: dict[Diagnostic, None] = {}
        objections: list[Objection] = []
        for candidate in context.candidates:
            field = context.field.without(candidate.rows.unbound if candidate.rows else ())
            broken = "; ".join(problems(field, candidate.value))
            told = [_rejection(context.field, candidate.value, broken)] if broken else [*_doubts(context, candidate)]
            if told:
                objections.append(Objection(candidate.value, broken or told[0].message, bool(broken)))
                notes |= dict.fromkeys(told)
        for candidate, said, rejects in _by_lessons(context):
            message = f"examples speak against it: {said}"
            objections.append(Objection(candidate.value, message, rejects))
            notes[_rejection(context.field, candidate.value, message)] = None
        return CapabilityResult(diagnostics=tuple(notes), objections=tuple(objections))


def _by_lessons(context: CapabilityContext) -> Iterator[tuple[Candidate, str, bool]]:
    """Candidates that examples speak against, with what they say, and whether that rules a candidate out."""
    if context.contract.lessons is not None and context.contract.lessons.of(context.field):
        from paxman.capabilities.recall import contested

        yield from contested(context)


def _rejection(field: CanonicalField, value: Any, broken: str) -> Diagnostic:
    text = canonical_json(value).decode() if isinstance(value, list | tuple | dict) else str(value)
    return Diagnostic(
        "VALIDATION_FAILED",
        Severity.WARNING,
        broken,
        field.path,
        {"value": (text if len(text) <= _LONGEST_VALUE else text[:_LONGEST_VALUE] + "…")},
    )


def _doubts(context: CapabilityContext, candidate: Candidate) -> Iterator[Diagnostic]:
    """Check digits that are wrong, and rows whose quantity times price is not their total."""
    field, value = context.field, candidate.value
    # Digits that only the place of a value tells how to check, such as a label of one country.
    known = [note for note in candidate.diagnostics if note.code == "VALIDATION_FAILED"]
    if known:
        yield from known
    elif isinstance(value, str):
        yield from _wrong_digits(field, value, field.path)
    elif field.columns and isinstance(value, tuple | list):
        for number, row in enumerate(value):
            for column in field.columns if isinstance(row, Mapping) else ():
                if isinstance(cell := row.get(column.name), str):
                    yield from _wrong_digits(column, cell, f"{field.path}[{number}].{column.name}")
        yield from contradictions(field, value, partial(_row_texts, context, candidate))


def _wrong_digits(field: CanonicalField, value: str, path: str) -> Iterator[Diagnostic]:
    if not _LETTERED.match(value):
        return
    if _fails_check(field, value):
        yield Diagnostic("VALIDATION_FAILED", Severity.WARNING, f"{value}: the check digits are wrong", path)


def _fails_check(field: CanonicalField, value: str) -> bool:
    """Whether a field asks for an account or VAT number, and the check digits of one with its shape are wrong."""
    number, asked = to_compact(value), {paper_term(field, load()), *field.semantic_tags}
    if has_iban_shape(number) and not is_iban(number):
        return not asked.isdisjoint(_ACCOUNTS)
    return vat_country(number) is not None and not is_vat_id(number) and not asked.isdisjoint(_TAX_IDS)


_ACCOUNTS = frozenset({"iban", "payer_iban"})
_TAX_IDS = frozenset({"vat_id", "buyer_vat_id", "tax_id"})


def _row_texts(context: CapabilityContext, candidate: Candidate, number: int) -> list[str]:
    """What stands in a row of the document: its node, its cells, or its lines. Some of it may explain the total."""
    row, document = f"{context.field.path}[{number}].", context.document
    spans = [ref.span for ref in candidate.evidence_refs if ref.span and ref.field_path.startswith(row)]
    if not spans:
        return []
    span = min(start for start, _ in spans), max(end for _, end in spans)
    node = _node_around(document.tree, span)
    if node:
        return [each.text for each in node.walk() if each.text]
    rows = (cells for table in document.tables for cells in table.rows)
    found = next((cells for cells in rows if any(_is_inside(spans[0], cell.span) for cell in cells)), None)
    if found:
        return [cell.text for cell in found]
    text = document.text
    end = text.find("\n", span[1])
    return _GAPS.split(text[text.rfind("\n", 0, span[0]) + 1 : end if end >= 0 else None])


def _node_around(node: Node | None, span: Span) -> Node | None:
    """The smallest record of a tree that a span stands in; the tree as a whole is none."""
    found = None
    while node is not None:
        node = next((child for child in node.children if child.children and _is_inside(span, child.span)), None)
        found = node or found
    return found


def _is_inside(span: Span, other: Span) -> bool:
    return other[0] <= span[0] and span[1] <= other[1]


_FACTORS = ("quantity", "unit_price", "line_total")
_NUMERIC = frozenset((FieldType.DECIMAL, FieldType.INTEGER, FieldType.MONEY))
_MOST_OTHERS, _MOST_NUMBERS = 3, 20
_MANY, _MOST_TRIED = 3, 50
_LONGEST = 24
_CENT = Decimal("0.01")


def contradictions(
    field: CanonicalField, rows: Sequence[Any], texts_of: Callable[[int], Iterable[str]]
) -> list[Diagnostic]:
    """Notes on rows whose quantity times price is not their total, if no other number in them may be why.

    Where all of many rows are so, or several by one factor, as by a tax, their columns mean something else.
    """
    names = factor_names(field.columns)
    found = [(number, factors_of(names, row)) for number, row in enumerate(rows)] if names else []
    # What costs nothing is free, whatever its price.
    whole = [(number, factors) for number, factors in found if len(factors) == len(names) and factors[-1]]
    odd = [(number, factors) for number, factors in whole if not _multiplies(factors)]
    tried = odd[:_MOST_TRIED]
    wrong = [(number, factors) for number, factors in tried if not _are_explained(factors, texts_of(number))]
    if (len(odd) == len(whole) and _MANY <= len(wrong) == len(tried)) or _are_alike(wrong):
        return []
    return [_note(f"{field.path}[{number}]", *factors) for number, factors in wrong]


def _are_alike(wrong: Sequence[tuple[int, Sequence[Decimal]]]) -> bool:
    """Whether different rows are off by one factor."""
    (made, total), *rest = {(q * p, t): None for _, (q, p, t) in wrong} or [(Decimal(0), Decimal(0))]
    try:
        return bool(rest) and all(abs(m * total - made * t) <= _CENT * (abs(m) + abs(made)) for m, t in rest)
    except ArithmeticError:
        return False  # numbers that are too large to multiply


def _note(path: str, quantity: Decimal, price: Decimal, total: Decimal) -> Diagnostic:
    return Diagnostic("VALIDATION_FAILED", Severity.WARNING, f"{quantity} x {price} is not {total}", path)


def factor_names(columns: Sequence[CanonicalField]) -> list[str]:
    """The columns for quantity, price and total, if there is one for each."""
    numbers = [column for column in columns if column.type in _NUMERIC]
    terms = [line_role(column, load()) for column in numbers] if len(numbers) >= len(_FACTORS) else []
    if any(terms.count(factor) != 1 for factor in _FACTORS):
        return []
    return [numbers[terms.index(factor)].name for factor in _FACTORS]


def factors_of(names: Sequence[str], row: Mapping[str, Any]) -> list[Decimal]:
    found = (row.get(name) for name in names)
    amounts = (value.amount if isinstance(value, Money) else value for value in found)
    return [Decimal(amount) for amount in amounts if isinstance(amount, int | Decimal)]


def _multiplies(factors: Sequence[Decimal]) -> bool:
    quantity, price, total = factors
    try:
        return quantity * price == total or multiplies(factors)
    except ArithmeticError:
        return True  # numbers that are too large to multiply


def _others(texts: Iterable[str], factors: Sequence[Decimal]) -> list[Decimal]:
    """The other numbers of a row; more than can be tried are not all there."""
    numbers = (number for text in texts if len(text) < _LONGEST for number in numbers_in(text))
    others = dict.fromkeys(number for number in islice(numbers, _MOST_NUMBERS) if number)
    return [number for number in others if number not in factors]


def _are_explained(factors: Sequence[Decimal], texts: Iterable[str]) -> bool:
    """Whether others make the total: a second quantity or price, and two nights, discounts or rates at most."""
    (quantity, price, total), others = factors, _others(texts, factors)
    if len(others) > _MOST_OTHERS:
        return True
    made = {quantity * price, *(other * factor for other in others for factor in (quantity, price))}
    try:
        for _ in range(2):
            made |= {step for value in made for other in others for step in _steps(value, other, quantity)}
    except ArithmeticError:
        return True
    return any(abs(abs(value) - abs(total)) <= _CENT for value in made)


def _steps(value: Decimal, other: Decimal, quantity: Decimal) -> tuple[Decimal, ...]:
    share = other if abs(other) < 1 else other / 100
    rated = value - value * share, value + value * share, value / (1 + share) if share != -1 else value
    return value - other, value + other, value - other * quantity, *rated, value / other, value * other
