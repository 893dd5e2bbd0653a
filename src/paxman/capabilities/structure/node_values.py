"""One node of a structured input as a typed value: a scalar, a free object, or an amount with its currency."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.structure.einvoice import invoice_currency, invoices_in
from paxman.capabilities.values import Found, conventions, read_at
from paxman.contract.constraints import problems
from paxman.contract.labels import fold_name, to_words
from paxman.contract.model import CanonicalField
from paxman.documents.document import Document, Node
from paxman.lazy import remembered
from paxman.recognizers.base import UNKNOWN, Conventions
from paxman.recognizers.values import NARROWING
from paxman.transforms import run
from paxman.types import FieldType, to_decimal

_GRAMMARS = frozenset({"datetime", "time", "duration", "email", "url", "ip", "uuid", "currency"})
"""Kinds that a standard spells out: a text that is not of this form is not of this kind."""
_RATE_NAMES = frozenset({"fxrate", "exchangerate", "rate", "wechselkurs", "kurs"})
_CURRENCY_NAMES = frozenset({"currency", "currencycode", "currencyid", "ccy", "waehrung", "wahrung", "devise"})


def read_node(
    context: CapabilityContext, field: CanonicalField, node: Node, path: str | None = None, scope: Node | None = None
) -> list[Found]:
    """Every honest reading of a node as the field's type."""
    if is_null(node):
        if not field.nullable:
            return []
        return [Found(None, context.evidence(node.span, ("null",), path=path, source=node.source))]
    if field.type is FieldType.OBJECT:
        # A free-form object, as it stands.
        if node.kind != "object":
            return []
        quote = context.document.text[node.span[0] : node.span[1]]
        try:
            value = run(("parse_json",), quote)
        except (ValueError, RecursionError):
            return []
        return [Found(value, context.evidence(node.span, ("parse_json",), path=path, source=node.source))]
    if node.kind == "object" and field.type is FieldType.MONEY:
        # An object with an amount and a currency, and perhaps the rate it was quoted with.
        amount = _child(node, {"amount", "value", "betrag", "montant"})
        found = read_node(context, field, amount, path, scope=node) if amount else []
        rate = _rate(_child(node, _RATE_NAMES))
        return [attrs.evolve(each, fx_rate=rate) for each in found] if rate is not None else found
    if node.kind != "scalar" or node.text is None:
        return []
    if field.type is FieldType.STRING and _is_exact(context, field, node):
        # The text as it is written; nothing between the quotes is a value where the constraints allow it.
        if not node.text and problems(field, node.text):
            return []
        return [Found(node.text, context.evidence(node.span, node.transforms, path=path, source=node.source))]
    how = _number_conventions(context, field, node, scope)
    found = read_at(context, field, node.text, node.span, how, node.transforms, path=path, source=node.source)
    return found or _counted(context, field, node, path) or _unlike_its_tag(context, field, node, path)


def _counted(context: CapabilityContext, field: CanonicalField, node: Node, path: str | None) -> list[Found]:
    """A day or moment that a program wrote as a number, counted from 1970."""
    timed = field.type is FieldType.DATETIME or any(NARROWING.get(tag) == "datetime" for tag in field.semantic_tags)
    if node.scalar != "number" or not (field.type is FieldType.DATE or timed):
        return []
    from paxman.recognizers.calendar.timed import is_moment, speaks_of_time

    named = fold_name(node.name) == fold_name(field.name) or speaks_of_time(to_words(node.name))
    if not (named and is_moment(node.text or "")):
        return []
    counted: tuple[str, ...] = ("epoch",) if field.type is FieldType.DATE else ("epoch:time",)
    counted += ("moment:iso",) if field.type is FieldType.DATETIME else ()
    steps, value = (*node.transforms, *counted), run(counted, node.text)
    return [Found(value, context.evidence(node.span, steps, path=path, source=node.source))]


def _is_exact(context: CapabilityContext, field: CanonicalField, node: Node) -> bool:
    """Whether every space counts: in JSON, unless a pattern or a tag says which part is the value."""
    if context.document.kind != "json" or node.transforms != ("json",):
        return False
    if field.constraint("pattern") or field.constraint("format"):
        return not problems(field, node.text)
    return not any(tag in NARROWING for tag in field.semantic_tags)


def _unlike_its_tag(context: CapabilityContext, field: CanonicalField, node: Node, path: str | None) -> list[Found]:
    """What a program wrote under this name is the value, even if it does not look like other identifiers."""
    kinds = {NARROWING[tag] for tag in field.semantic_tags if tag in NARROWING}
    if field.type is not FieldType.STRING or not kinds or kinds & _GRAMMARS or field.constraint("pattern"):
        return []
    plain = attrs.evolve(field, semantic_tags=())
    text = node.text or ""
    return read_at(context, plain, text, node.span, UNKNOWN, node.transforms, path=path, source=node.source)


def _rate(node: Node | None) -> Decimal | None:
    try:
        return to_decimal(node.text) if node is not None and node.text else None
    except ValueError:
        return None


def _child(node: Node, names: set[str] | frozenset[str]) -> Node | None:
    return next((child for child in node.children if fold_name(child.name) in names), None)


def _number_conventions(
    context: CapabilityContext, field: CanonicalField, node: Node, scope: Node | None
) -> Conventions:
    """Data formats have a decimal point whatever the page does; a currency may stand beside the amount."""
    how = conventions(context)
    # Written by a program for programs: XML as such, or an electronic invoice inside a PDF.
    if node.scalar == "number" or context.document.kind == "xml" or bool(invoices_in(context.document)):
        how = _of_data(how)
    if field.type is FieldType.MONEY:
        places = [scope] if scope else []
        places += [node] if node.children else []
        found = next(filter(None, map(_currency_in, places)), None)
        beside = found or invoice_currency(context.document, node.span) or _currency_on_top(context.document)
        how = attrs.evolve(how, currency=beside, states_currency=True) if beside else how
    return how


@lru_cache(maxsize=64)
def _of_data(how: Conventions) -> Conventions:
    return attrs.evolve(how, decimal_point=".", date_order="ymd")


def _currency_in(node: Node) -> str | None:
    currency = _child(node, _CURRENCY_NAMES)
    return currency.text.strip().upper() if currency is not None and currency.text else None


@remembered(lambda document: (document.cache,))
def _currency_on_top(document: Document) -> str | None:
    """The currency of the whole document; sought once, because its root may have a million children."""
    return _currency_in(document.tree) if document.tree is not None else None


def is_null(node: Node) -> bool:
    return node.kind == "scalar" and node.scalar == "null"
