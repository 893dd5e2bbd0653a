"""Where the electronic invoice standards keep the usual business terms: UBL 2 and UN/CEFACT CII (ZUGFeRD, Factur-X)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from paxman.capabilities.business_terms import term_of
from paxman.contract.model import CanonicalField
from paxman.documents.document import Document, Node

_UBL = {
    "invoice_number": "ID",
    "issue_date": "IssueDate",
    "date": "IssueDate",
    "due_date": "DueDate | PaymentMeans/PaymentDueDate | PaymentTerms/PaymentDueDate",
    "delivery_date": "Delivery/ActualDeliveryDate",
    "order_number": "OrderReference/ID",
    "contract_number": "ContractDocumentReference/ID",
    "seller": "AccountingSupplierParty/Party/PartyLegalEntity/RegistrationName"
    " | AccountingSupplierParty/Party/PartyName/Name",
    "buyer": "AccountingCustomerParty/Party/PartyLegalEntity/RegistrationName"
    " | AccountingCustomerParty/Party/PartyName/Name",
    "payee": "PayeeParty/PartyName/Name",
    "ship_to": "Delivery/DeliveryParty/PartyName/Name",
    "vat_id": "AccountingSupplierParty/Party/PartyTaxScheme[TaxScheme/ID=VAT]/CompanyID"
    " | AccountingSupplierParty/Party/PartyTaxScheme[TaxScheme/ID!=FC]/CompanyID",
    "customer_number": "AccountingCustomerParty/Party/PartyIdentification/ID",
    "supplier_number": "AccountingSupplierParty/Party/PartyIdentification/ID",
    "currency": "DocumentCurrencyCode",
    "net": "LegalMonetaryTotal/TaxExclusiveAmount",
    "tax": "TaxTotal[TaxSubtotal]/TaxAmount | TaxTotal/TaxAmount",
    "total": "LegalMonetaryTotal/TaxInclusiveAmount",
    "amount_due": "LegalMonetaryTotal/PayableAmount",
    "subtotal": "LegalMonetaryTotal/LineExtensionAmount",
    "discount": "LegalMonetaryTotal/AllowanceTotalAmount",
    "charge": "LegalMonetaryTotal/ChargeTotalAmount",
    "rounding": "LegalMonetaryTotal/PayableRoundingAmount",
    "lines": "InvoiceLine | CreditNoteLine",
    "line:description": "Item/Name | Item/Description",
    "line:quantity": "InvoicedQuantity | CreditedQuantity",
    "line:unit_price": "Price/PriceAmount",
    "line:line_total": "LineExtensionAmount",
    "line:tax_rate": "Item/ClassifiedTaxCategory/Percent",
}
_AGREEMENT = "*/ApplicableHeaderTradeAgreement|ApplicableSupplyChainTradeAgreement"
_SETTLEMENT = "*/ApplicableHeaderTradeSettlement|ApplicableSupplyChainTradeSettlement"
_SUMS = _SETTLEMENT + ("/SpecifiedTradeSettlementHeaderMonetarySummation|SpecifiedTradeSettlementMonetarySummation")
_DELIVERY = "*/ApplicableHeaderTradeDelivery|ApplicableSupplyChainTradeDelivery"
_CII = {
    "invoice_number": "ExchangedDocument|HeaderExchangedDocument/ID",
    "issue_date": "ExchangedDocument|HeaderExchangedDocument/IssueDateTime/DateTimeString",
    "date": "ExchangedDocument|HeaderExchangedDocument/IssueDateTime/DateTimeString",
    "due_date": f"{_SETTLEMENT}/SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString",
    "delivery_date": f"{_DELIVERY}/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString",
    "order_number": f"{_AGREEMENT}/BuyerOrderReferencedDocument/IssuerAssignedID|ID",
    "contract_number": f"{_AGREEMENT}/ContractReferencedDocument/IssuerAssignedID|ID",
    "seller": f"{_AGREEMENT}/SellerTradeParty/Name",
    "buyer": f"{_AGREEMENT}/BuyerTradeParty/Name",
    "payee": f"{_SETTLEMENT}/PayeeTradeParty/Name",
    "ship_to": f"{_DELIVERY}/ShipToTradeParty/Name",
    "vat_id": f"{_AGREEMENT}/SellerTradeParty/SpecifiedTaxRegistration/ID[schemeID=VA]",
    "customer_number": f"{_AGREEMENT}/BuyerTradeParty/ID",
    "supplier_number": f"{_AGREEMENT}/SellerTradeParty/ID",
    "currency": f"{_SETTLEMENT}/InvoiceCurrencyCode",
    "net": f"{_SUMS}/TaxBasisTotalAmount",
    "tax": f"{_SUMS}/TaxTotalAmount",
    "total": f"{_SUMS}/GrandTotalAmount",
    "amount_due": f"{_SUMS}/DuePayableAmount",
    "subtotal": f"{_SUMS}/LineTotalAmount",
    "discount": f"{_SUMS}/AllowanceTotalAmount",
    "charge": f"{_SUMS}/ChargeTotalAmount",
    "rounding": f"{_SUMS}/RoundingAmount",
    "lines": "*/IncludedSupplyChainTradeLineItem",
    "line:description": "SpecifiedTradeProduct/Name | SpecifiedTradeProduct/Description",
    "line:quantity": "SpecifiedLineTradeDelivery|SpecifiedSupplyChainTradeDelivery/BilledQuantity",
    "line:unit_price": "SpecifiedLineTradeAgreement|SpecifiedSupplyChainTradeAgreement"
    "/NetPriceProductTradePrice/ChargeAmount",
    "line:line_total": "SpecifiedLineTradeSettlement|SpecifiedSupplyChainTradeSettlement"
    "/SpecifiedTradeSettlementLineMonetarySummation|SpecifiedTradeSettlementMonetarySummation/LineTotalAmount",
    "line:tax_rate": "SpecifiedLineTradeSettlement|SpecifiedSupplyChainTradeSettlement"
    "/ApplicableTradeTax/RateApplicablePercent|ApplicablePercent",
}
_STANDARDS = {"Invoice": _UBL, "CreditNote": _UBL, "CrossIndustryInvoice": _CII, "CrossIndustryDocument": _CII}
_LINE_WORDS = frozenset({"lines", "lineitems", "items", "positions", "positionen", "invoicelines", "articles"})
_COLUMN_TERMS = {"count": "quantity", "total": "line_total", "net": "line_total", "amount_due": "line_total"}
_COLUMN_NAMES = {
    "quantity": ("quantity", "qty", "menge", "anzahl", "count"),
    "line_total": ("linetotal", "amount", "total", "gesamt", "lineamount"),
    "unit_price": ("unitprice", "price", "einzelpreis"),
    "description": ("description", "name", "item", "bezeichnung", "beschreibung", "article"),
}


def invoice_root(tree: Node) -> Node | None:
    """The invoice in a tree: its root, or a part of it where the invoice is embedded in something else."""
    for node in (tree, *tree.children):
        if node.name in _STANDARDS and node.kind == "object":
            return node
    return None


def invoice_in(document: Document) -> Node | None:
    """The invoice in a document's tree; sought once, because its root may have a million children."""
    if "invoice" not in document.cache:
        document.cache["invoice"] = invoice_root(document.tree) if document.tree is not None else None
    found: Node | None = document.cache["invoice"]
    return found


def term_nodes(root: Node, field: CanonicalField) -> list[Node]:
    """The nodes that hold a field's business term, the first place that has any."""
    term = "lines" if field.columns and _is_lines(field) else term_of(field)
    return _first(root, _STANDARDS[root.name].get(term or "", ""))


def column_nodes(root: Node, line: Node, column: CanonicalField) -> list[Node]:
    """The nodes of one line that hold a column's term."""
    return _first(line, _STANDARDS[root.name].get(f"line:{_column_term(column)}", ""))


def _is_lines(field: CanonicalField) -> bool:
    return bool(_LINE_WORDS.intersection(field.name_keys)) or {"quantity", "unit_price"} <= {
        _column_term(column) for column in field.columns
    }


def _column_term(column: CanonicalField) -> str | None:
    for term, names in _COLUMN_NAMES.items():
        if column.name_keys[0] in names:
            return term
    named = term_of(column)
    return _COLUMN_TERMS.get(named or "", named)


def _first(node: Node, places: str) -> list[Node]:
    for place in places.split(" | "):
        found = [end for end in _follow([node], place.split("/")) if end.text or end.children] if place else []
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
