"""Where the electronic invoice standards keep the usual business terms: UBL 2 and UN/CEFACT CII (ZUGFeRD, Factur-X)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from paxman.capabilities.business_terms import PARTIES, label_terms, term_of
from paxman.contract.labels import compact_label, fold_label, fold_name
from paxman.contract.model import CanonicalField
from paxman.documents.document import Document, Node
from paxman.documents.nesting import PARTS
from paxman.types import FieldType, Span, to_decimal

_UBL = {
    "invoice_number": "ID",
    "issue_date": "IssueDate",
    "date": "IssueDate",
    "due_date": "DueDate | PaymentMeans/PaymentDueDate | PaymentTerms/PaymentDueDate",
    "delivery_date": "Delivery/ActualDeliveryDate",
    "service_date": "Delivery/ActualDeliveryDate",
    "start_date": "InvoicePeriod/StartDate",
    "end_date": "InvoicePeriod/EndDate",
    "order_number": "OrderReference/ID",
    "buyer_reference": "BuyerReference",
    "delivery_number": "DespatchDocumentReference/ID",
    "contract_number": "ContractDocumentReference/ID",
    "party:seller": "AccountingSupplierParty/Party",
    "party:buyer": "AccountingCustomerParty/Party",
    "party:payee": "PayeeParty",
    "party:ship_to": "Delivery/DeliveryParty",
    "of:name": "PartyLegalEntity/RegistrationName | PartyName/Name",
    "of:vat_id": "PartyTaxScheme[TaxScheme/ID=VAT]/CompanyID | PartyTaxScheme[TaxScheme/ID!=FC]/CompanyID",
    "of:tax_number": "PartyTaxScheme[TaxScheme/ID=FC]/CompanyID",
    "of:street": "PostalAddress/StreetName",
    "of:city": "PostalAddress/CityName",
    "of:postcode": "PostalAddress/PostalZone",
    "of:country": "PostalAddress/Country/IdentificationCode",
    "of:email": "Contact/ElectronicMail",
    "of:phone": "Contact/Telephone",
    "customer_number": "AccountingCustomerParty/Party/PartyIdentification/ID",
    "supplier_number": "AccountingSupplierParty/Party/PartyIdentification/ID",
    "iban": "PaymentMeans/PayeeFinancialAccount/ID",
    "bic": "PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch/ID"
    " | PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch/FinancialInstitution/ID",
    "account_name": "PaymentMeans/PayeeFinancialAccount/Name",
    "payer_iban": "PaymentMeans/PaymentMandate/PayerFinancialAccount/ID",
    "payment_reference": "PaymentMeans/PaymentID",
    "payment_means": "PaymentMeans/PaymentMeansCode/name | PaymentMeans/PaymentMeansCode",
    "payment_terms": "PaymentTerms/Note",
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
    "line:base_quantity": "Price/BaseQuantity",
    "line:line_total": "LineExtensionAmount",
    "line:tax_rate": "Item/ClassifiedTaxCategory/Percent",
}
_AGREEMENT = "*/ApplicableHeaderTradeAgreement|ApplicableSupplyChainTradeAgreement"
_SETTLEMENT = "*/ApplicableHeaderTradeSettlement|ApplicableSupplyChainTradeSettlement"
_SUMS = _SETTLEMENT + ("/SpecifiedTradeSettlementHeaderMonetarySummation|SpecifiedTradeSettlementMonetarySummation")
_MEANS = f"{_SETTLEMENT}/SpecifiedTradeSettlementPaymentMeans"
_PERIOD = f"{_SETTLEMENT}/BillingSpecifiedPeriod"
_DELIVERY = "*/ApplicableHeaderTradeDelivery|ApplicableSupplyChainTradeDelivery"
_LINE_PRICE = "SpecifiedLineTradeAgreement|SpecifiedSupplyChainTradeAgreement/NetPriceProductTradePrice"
_CII = {
    "invoice_number": "ExchangedDocument|HeaderExchangedDocument/ID",
    "credit_note_number": "ExchangedDocument|HeaderExchangedDocument[TypeCode=381]/ID",
    "issue_date": "ExchangedDocument|HeaderExchangedDocument/IssueDateTime/DateTimeString",
    "date": "ExchangedDocument|HeaderExchangedDocument/IssueDateTime/DateTimeString",
    "due_date": f"{_SETTLEMENT}/SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString",
    "delivery_date": f"{_DELIVERY}/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString",
    "service_date": f"{_DELIVERY}/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString",
    "start_date": f"{_PERIOD}/StartDateTime/DateTimeString",
    "end_date": f"{_PERIOD}/EndDateTime/DateTimeString",
    "order_number": f"{_AGREEMENT}/BuyerOrderReferencedDocument/IssuerAssignedID|ID",
    "contract_number": f"{_AGREEMENT}/ContractReferencedDocument/IssuerAssignedID|ID",
    "buyer_reference": f"{_AGREEMENT}/BuyerReference",
    "delivery_number": f"{_DELIVERY}/DespatchAdviceReferencedDocument|DeliveryNoteReferencedDocument"
    "/IssuerAssignedID|ID",
    "party:seller": f"{_AGREEMENT}/SellerTradeParty",
    "party:buyer": f"{_AGREEMENT}/BuyerTradeParty",
    "party:payee": f"{_SETTLEMENT}/PayeeTradeParty",
    "party:ship_to": f"{_DELIVERY}/ShipToTradeParty",
    "of:name": "Name",
    "of:vat_id": "SpecifiedTaxRegistration/ID[schemeID=VA]",
    "of:tax_number": "SpecifiedTaxRegistration/ID[schemeID=FC]",
    "of:street": "PostalTradeAddress/LineOne",
    "of:city": "PostalTradeAddress/CityName",
    "of:postcode": "PostalTradeAddress/PostcodeCode",
    "of:country": "PostalTradeAddress/CountryID",
    "of:email": "DefinedTradeContact/EmailURIUniversalCommunication/URIID",
    "of:phone": "DefinedTradeContact/TelephoneUniversalCommunication/CompleteNumber",
    "customer_number": f"{_AGREEMENT}/BuyerTradeParty/ID",
    "supplier_number": f"{_AGREEMENT}/SellerTradeParty/ID",
    "iban": f"{_MEANS}/PayeePartyCreditorFinancialAccount/IBANID"
    f" | {_MEANS}/PayeePartyCreditorFinancialAccount/ProprietaryID",
    "bic": f"{_MEANS}/PayeeSpecifiedCreditorFinancialInstitution/BICID",
    "account_name": f"{_MEANS}/PayeePartyCreditorFinancialAccount/AccountName",
    "payer_iban": f"{_MEANS}/PayerPartyDebtorFinancialAccount/IBANID",
    "payment_reference": f"{_SETTLEMENT}/PaymentReference",
    "payment_means": f"{_MEANS}/Information | {_MEANS}/TypeCode",
    "payment_terms": f"{_SETTLEMENT}/SpecifiedTradePaymentTerms/Description",
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
    "line:unit_price": f"{_LINE_PRICE}/ChargeAmount",
    "line:base_quantity": f"{_LINE_PRICE}/BasisQuantity",
    "line:line_total": "SpecifiedLineTradeSettlement|SpecifiedSupplyChainTradeSettlement"
    "/SpecifiedTradeSettlementLineMonetarySummation|SpecifiedTradeSettlementMonetarySummation/LineTotalAmount",
    "line:tax_rate": "SpecifiedLineTradeSettlement|SpecifiedSupplyChainTradeSettlement"
    "/ApplicableTradeTax/RateApplicablePercent|ApplicablePercent",
}
_STANDARDS = {
    "Invoice": _UBL,
    "CreditNote": {**_UBL, "credit_note_number": "ID"},
    "CrossIndustryInvoice": _CII,
    "CrossIndustryDocument": _CII,
}
_PARTY_TERMS = {
    "name": ("name", "company", "companyname", "legalname"),
    "vat_id": ("vat",),
    "street": ("street", "addressstreet", "addressline1"),
    "city": ("city", "town", "addresscity"),
    "postcode": ("postcode", "postalcode", "zip", "zipcode", "plz", "addresspostcode"),
    "country": ("country", "countrycode", "addresscountry"),
    "email": ("email", "mail", "emailaddress", "contactemail"),
    "phone": ("phone", "telephone", "phoneno", "phonenumber", "contactphone"),
}
_PAYMENT_NAMES = {
    "iban": "iban ibanno ibannumber bankaccount bankaccountno bankaccountnumber bankaccountiban selleriban"
    " supplieriban payeeiban creditoriban vendoriban",
    "bic": "bic swift biccode swiftcode bicswift swiftbic bankbic sellerbic supplierbic payeebic",
    "account_name": "accountname accountholder bankaccountname kontoinhaber",
    "payer_iban": "payeriban buyeriban customeriban debtoriban",
    "payment_reference": "paymentreference paymentid remittanceinformation remittancereference verwendungszweck"
    " zahlungsreferenz",
    "payment_means": "paymentmeans paymentmethod zahlungsart zahlungsweise",
    "payment_terms": "paymentterms termsofpayment zahlungsbedingungen zahlungsziel",
    "buyer_reference": "buyerreference leitwegid leitweg",
    "start_date": "periodstart billingperiodstart invoiceperiodstart serviceperiodstart periodfrom",
    "end_date": "periodend billingperiodend invoiceperiodend serviceperiodend periodto",
}
_PAYMENT_TERMS = {name: term for term, names in _PAYMENT_NAMES.items() for name in names.split()}
"""What is said of paying and of references, which business papers label in no special way."""
_LONGEST_PARTY = 3
_LINE_WORDS = frozenset({"lines", "lineitems", "items", "positions", "positionen", "invoicelines", "articles"})
_COLUMN_TERMS = {"count": "quantity", "total": "line_total", "net": "line_total", "amount_due": "line_total"}
_COLUMN_NAMES = {
    "quantity": ("quantity", "qty", "menge", "anzahl", "count"),
    "line_total": ("linetotal", "amount", "total", "gesamt", "lineamount"),
    "unit_price": ("unitprice", "price", "einzelpreis"),
    "description": ("description", "name", "item", "bezeichnung", "beschreibung", "article"),
}


def invoices_in(document: Document) -> list[Node]:
    """The invoices in a document's tree; sought once, because its root may have a million children."""
    if "invoices" not in document.cache:
        document.cache["invoices"] = _invoices(document.tree) if document.tree is not None else []
    found: list[Node] = document.cache["invoices"]
    return found


def _invoices(tree: Node) -> list[Node]:
    """The root or what stands in its envelope, or such parts of a mail, an archive or a PDF."""
    if tree.name == PARTS:
        return [invoice for part in tree.children for invoice in _invoices(part)]
    return [tree] if _is_invoice(tree) else list(filter(_is_invoice, tree.children))


def _is_invoice(node: Node) -> bool:
    return node.name in _STANDARDS and node.kind == "object"


def invoice_currency(document: Document, place: Span) -> str | None:
    """The currency of the invoice that a place stands in: it holds for every amount that names no other."""
    invoice = next((each for each in invoices_in(document) if each.span[0] <= place[0] < each.span[1]), None)
    return _currency(invoice) if invoice is not None else None


def _currency(invoice: Node) -> str | None:
    codes = _first(invoice, _STANDARDS[invoice.name]["currency"])
    return codes[0].text.strip().upper() if codes and codes[0].text else None


def term_nodes(invoice: Node, field: CanonicalField) -> list[Node]:
    """The nodes that hold a field's business term, the first place that has any."""
    places = _STANDARDS[invoice.name]
    if field.columns and _is_lines(field):
        return _first(invoice, places["lines"])
    term = next((_PAYMENT_TERMS[key] for key in field.name_keys if key in _PAYMENT_TERMS), None) or term_of(field)
    party, asked = _asked_about(field, term) if field.type is FieldType.STRING else ("", "")
    if party:
        parties = _first(invoice, places[f"party:{party}"])
        return [node for each in parties for node in _first(each, places[f"of:{asked}"])]
    return _in_currency(_first(invoice, places.get(term or "", "")), _currency(invoice))


def only_named(document: Document, invoice: Node, name: str) -> list[Node]:
    """The one element of an invoice that bears a folded name; none if several do."""
    key = ("invoice_names", id(invoice))
    if key not in document.cache:
        names: dict[str, list[Node]] = {}
        for node in invoice.walk():
            names.setdefault(node.name, []).append(node)
        document.cache[key] = {fold_name(written): nodes for written, nodes in names.items()}
    nodes: list[Node] = document.cache[key].get(name, [])
    return nodes if len(nodes) == 1 and nodes[0].kind == "scalar" else []


def _in_currency(nodes: list[Node], currency: str | None) -> list[Node]:
    """Of an amount in two currencies, such as the tax, the one in the currency of the invoice."""
    own = [node for node in nodes if any(child.text == currency for child in node.children)] if currency else []
    return own or nodes


def _asked_about(field: CanonicalField, term: str | None) -> tuple[str, str]:
    """The party that a field is about, and what is asked about it; empty if it is about none."""
    if term in PARTIES:
        return term, "name"
    found = _party_term(field.path, field.labels)
    return found or (("seller", term) if term in ("vat_id", "tax_number") else ("", ""))


@lru_cache(maxsize=1_000)
def _party_term(path: str, labels: tuple[str, ...]) -> tuple[str, str] | None:
    """The party in front of a name or label and what follows it, as in `buyer.vat_id` or "Customer VAT number"."""
    names = path.replace("_", " ").split(".")
    for written in (*(" ".join(names[level:]) for level in range(len(names))), *labels):
        words = fold_label(written).split()
        for count in range(1, min(_LONGEST_PARTY, len(words) - 1) + 1):
            party = next((term for term in _terms(words[:count]) if term in PARTIES), None)
            rest = _party_detail(words[count:])
            if party and rest:
                return party, rest
    return None


def _party_detail(words: list[str]) -> str | None:
    joined = "".join(words)
    named = next((term for term, names in _PARTY_TERMS.items() if joined in names), None)
    return named or next((term for term in _terms(words) if term in ("vat_id", "tax_number")), None)


def _terms(words: list[str]) -> tuple[str, ...]:
    known = label_terms()
    return next((known[key] for key in compact_label(" ".join(words)) if key in known), ())


def column_nodes(line: Node, column: CanonicalField) -> list[Node]:
    """The nodes of one line of an invoice that hold a column's term."""
    return _first(line, _line_places(line).get(f"line:{_column_term(column)}", ""))


def base_quantity(line: Node, column: CanonicalField) -> str | None:
    """The quantity that the price of a line is for, if the column is this price and it is not for one."""
    found = _first(line, _line_places(line)["line:base_quantity"]) if _column_term(column) == "unit_price" else []
    written = (found[0].text or "").strip() if found else "1"
    try:
        return None if to_decimal(written) == 1 else written
    except ValueError:
        return written


def _line_places(line: Node) -> dict[str, str]:
    return _CII if line.name == "IncludedSupplyChainTradeLineItem" else _UBL


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
