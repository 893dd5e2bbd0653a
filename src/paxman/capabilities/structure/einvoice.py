"""Where the electronic invoice standards keep the usual business terms: UBL 2 and UN/CEFACT CII (ZUGFeRD, Factur-X)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from paxman.contract.labels import fold_name
from paxman.contract.model import CanonicalField
from paxman.documents.document import Document, Node
from paxman.documents.nesting import PARTS
from paxman.finding.terms import line_role, paper_term, party_detail, period_end
from paxman.lazy import remembered
from paxman.lexicon.lexicon import load
from paxman.types import FieldType, Span, to_decimal

_ROOTS = {"Invoice": "ubl", "CreditNote": "ubl", "CrossIndustryInvoice": "cii", "CrossIndustryDocument": "cii"}
_OF_SELLER = frozenset({"vat_id", "tax_id"})
"""What a paper says of its seller, where it does not say whose it is."""
_FEWEST_COLUMNS = 2

Places = Sequence[str]


@cache
def _standards() -> Mapping[str, Mapping[str, Any]]:
    import tomllib

    return tomllib.loads(Path(__file__).with_name("data").joinpath("einvoices.toml").read_text(encoding="utf-8"))


def _places(invoice: Node) -> Mapping[str, Any]:
    found = _standards()[_ROOTS[invoice.name]]
    return {**found, "credit_note_number": found["invoice_number"]} if invoice.name == "CreditNote" else found


@remembered(lambda document: (document.cache,))
def invoices_in(document: Document) -> list[Node]:
    """The invoices in a document's tree; sought once, because its root may have a million children."""
    return _invoices(document.tree) if document.tree is not None else []


def _invoices(tree: Node) -> list[Node]:
    """The root or what stands in its envelope, or such parts of a mail, an archive or a PDF."""
    if tree.name == PARTS:
        return [invoice for part in tree.children for invoice in _invoices(part)]
    return [tree] if _is_invoice(tree) else list(filter(_is_invoice, tree.children))


def _is_invoice(node: Node) -> bool:
    return node.name in _ROOTS and node.kind == "object"


def invoice_currency(document: Document, place: Span) -> str | None:
    """The currency of the invoice that a place stands in: it holds for every amount that names no other."""
    invoice = next((each for each in invoices_in(document) if each.span[0] <= place[0] < each.span[1]), None)
    return _currency(invoice) if invoice is not None else None


def _currency(invoice: Node) -> str | None:
    codes = _first(invoice, _places(invoice)["currency"])
    return codes[0].text.strip().upper() if codes and codes[0].text else None


def term_nodes(invoice: Node, field: CanonicalField) -> list[Node]:
    """The nodes that hold a field's business term, the first place that has any."""
    places = _places(invoice)
    if field.columns and sum(bool(_column_term(column)) for column in field.columns) >= _FEWEST_COLUMNS:
        return _first(invoice, places["lines"])
    term = paper_term(field, load()) or period_end(field, load())
    party, asked = _asked_about(field, term, places) if field.type is FieldType.STRING else ("", "")
    if party:
        parties = _first(invoice, places["party"][party])
        return [node for each in parties for node in _first(each, places["of"][asked])]
    nodes = _first(invoice, places.get(term, ()))
    currency = _currency(invoice)
    own = [node for node in nodes if any(child.text == currency for child in node.children)] if currency else []
    return own or nodes


def tells_of_party(document: Document, field: CanonicalField) -> bool:
    """Whether a document is an invoice whose standard has a place for this detail of a party, filled or not."""
    if document.tree is None or document.tree.name == PARTS or field.type is not FieldType.STRING:
        return False
    term = paper_term(field, load())
    return any(_asked_about(field, term, _places(invoice))[0] for invoice in invoices_in(document))


def only_named(document: Document, invoice: Node, name: str) -> list[Node]:
    """The one element of an invoice that bears a folded name; none if several do."""
    nodes = _by_name(document, invoice).get(name, [])
    return nodes if len(nodes) == 1 and nodes[0].kind == "scalar" else []


@remembered(lambda document, invoice: (document.cache, id(invoice)))
def _by_name(document: Document, invoice: Node) -> dict[str, list[Node]]:
    names: dict[str, list[Node]] = {}
    for node in invoice.walk():
        names.setdefault(node.name, []).append(node)
    return {fold_name(written): nodes for written, nodes in names.items()}


def _asked_about(field: CanonicalField, term: str, places: Mapping[str, Any]) -> tuple[str, str]:
    """The party that a field is about, and what is asked about it; empty if it is about none."""
    for text in (field.said, field.words, *field.labels):
        party, asked = party_detail(text, load())
        if party in places["party"] and asked in places["of"]:
            return party, asked
    return ("seller", term) if term in _OF_SELLER else ("", "")


def column_nodes(line: Node, column: CanonicalField) -> list[Node]:
    """The nodes of one line of an invoice that hold a column's term."""
    return _first(line, _line_places(line).get(_column_term(column), ()))


def base_quantity(line: Node, column: CanonicalField) -> str | None:
    """The quantity that the price of a line is for, if the column is this price and it is not for one."""
    found = _first(line, _line_places(line)["base_quantity"]) if _column_term(column) == "unit_price" else []
    written = (found[0].text or "").strip() if found else "1"
    try:
        return None if to_decimal(written) == 1 else written
    except ValueError:
        return written


def _line_places(line: Node) -> Mapping[str, Places]:
    found: Mapping[str, Places] = _standards()["cii" if line.name == "IncludedSupplyChainTradeLineItem" else "ubl"][
        "line"
    ]
    return found


def _column_term(column: CanonicalField) -> str:
    role = line_role(column, load())
    return role if role in _standards()["ubl"]["line"] else ""


def _first(node: Node, places: Places) -> list[Node]:
    for place in places:
        found = [end for end in _follow([node], place.split("/")) if end.text or end.children]
        if found:
            return found
    return []


def _follow(nodes: list[Node], steps: list[str]) -> list[Node]:
    """Child by child; a step names elements joined by `|`, any element as `*`, and may demand something in brackets."""
    for step in _join_conditions(steps):
        names, _, demand = step.partition("[")
        wanted = names.split("|")
        nodes = [
            child
            for node in nodes
            for child in node.children
            if (names == "*" or child.name in wanted) and _meets(child, demand.rstrip("]"))
        ]
    return nodes


def _join_conditions(steps: list[str]) -> Iterator[str]:
    """Steps were split at every slash; put those inside brackets together again."""
    open_step = ""
    for step in steps:
        open_step = f"{open_step}/{step}" if open_step else step
        if open_step.count("[") == open_step.count("]"):
            yield open_step
            open_step = ""


def _meets(node: Node, demand: str) -> bool:
    if not demand:
        return True
    path, sign, value = re.split("(!?=|$)", demand, maxsplit=1)
    texts = [(end.text or "").strip() for end in _follow([node], path.split("/"))]
    return any(not sign or (text == value) == (sign == "=") for text in texts)
