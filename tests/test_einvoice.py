"""Electronic invoices: business terms of UBL and CII by the names of an ordinary contract."""

import io
import zipfile
from datetime import date
from decimal import Decimal
from email.message import EmailMessage
from typing import Any

import pytest
from pdf_maker import attach, make_pdf, show

import paxman
from paxman.types import Money

CII = """<?xml version="1.0"?><rsm:CrossIndustryInvoice xmlns:rsm="urn:a" xmlns:ram="urn:b" xmlns:udt="urn:c">
<rsm:ExchangedDocument><ram:ID>RE-77</ram:ID><ram:TypeCode>380</ram:TypeCode></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>
<ram:IncludedSupplyChainTradeLineItem>
<ram:SpecifiedTradeProduct><ram:Name>Euro pallet, deposit 5 EUR, 6 EUR each</ram:Name></ram:SpecifiedTradeProduct>
<ram:SpecifiedLineTradeDelivery><ram:BilledQuantity>2</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
<ram:SpecifiedLineTradeSettlement><ram:SpecifiedTradeSettlementLineMonetarySummation>
<ram:LineTotalAmount>400.00</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation>
</ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>
<ram:ApplicableHeaderTradeAgreement><ram:BuyerReference>04011000</ram:BuyerReference>
<ram:SellerTradeParty><ram:Name>Schrauben GmbH</ram:Name>
<ram:PostalTradeAddress><ram:CityName>Ulm</ram:CityName></ram:PostalTradeAddress>
<ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">201/113/40209</ram:ID></ram:SpecifiedTaxRegistration>
<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE123456789</ram:ID></ram:SpecifiedTaxRegistration>
</ram:SellerTradeParty>
<ram:BuyerTradeParty><ram:Name>Kunde AG</ram:Name>
<ram:PostalTradeAddress><ram:CityName>Bern</ram:CityName></ram:PostalTradeAddress>
<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE999999999</ram:ID></ram:SpecifiedTaxRegistration>
</ram:BuyerTradeParty>
<ram:BuyerOrderReferencedDocument><ram:IssuerAssignedID>B-1</ram:IssuerAssignedID></ram:BuyerOrderReferencedDocument>
</ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeSettlement><ram:TaxCurrencyCode>EUR</ram:TaxCurrencyCode>
<ram:InvoiceCurrencyCode>CHF</ram:InvoiceCurrencyCode>
<ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:TaxBasisTotalAmount>400.00</ram:TaxBasisTotalAmount>
<ram:TaxTotalAmount currencyID="EUR">80.10</ram:TaxTotalAmount>
<ram:TaxTotalAmount currencyID="CHF">76.00</ram:TaxTotalAmount>
<ram:GrandTotalAmount>476.00</ram:GrandTotalAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation>
</ram:ApplicableHeaderTradeSettlement></rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>"""

UBL_LINE = (
    '<?xml version="1.0"?><Invoice xmlns:b="urn:b"><b:ID>1</b:ID><InvoiceLine>'
    "<b:InvoicedQuantity>2</b:InvoicedQuantity><Price><b:PriceAmount>550.00</b:PriceAmount>{}</Price></InvoiceLine></Invoice>"
)
CII_LINE = (
    '<?xml version="1.0"?><CrossIndustryInvoice><SupplyChainTradeTransaction><IncludedSupplyChainTradeLineItem>'
    "<SpecifiedLineTradeAgreement><NetPriceProductTradePrice><ChargeAmount>550.00</ChargeAmount>{}"
    "</NetPriceProductTradePrice></SpecifiedLineTradeAgreement><SpecifiedLineTradeDelivery><BilledQuantity>2"
    "</BilledQuantity></SpecifiedLineTradeDelivery></IncludedSupplyChainTradeLineItem></SupplyChainTradeTransaction>"
    "</CrossIndustryInvoice>"
)
UBL = """<?xml version="1.0"?><Invoice xmlns="urn:u" xmlns:cac="urn:v" xmlns:cbc="urn:w"><cbc:ID>TOSL108</cbc:ID>
<cbc:DocumentCurrencyCode>SEK</cbc:DocumentCurrencyCode><cbc:TaxCurrencyCode>EUR</cbc:TaxCurrencyCode>
<cbc:BuyerReference>BR-1</cbc:BuyerReference><cac:OrderReference><cbc:ID>PO-9</cbc:ID></cac:OrderReference>
<cac:AccountingSupplierParty><cac:Party><cac:PartyName><cbc:Name>Sales trade</cbc:Name></cac:PartyName>
<cac:PostalAddress><cbc:CityName>Malmö</cbc:CityName></cac:PostalAddress><cac:PartyTaxScheme>
<cbc:CompanyID>SE556677889901</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>
<cac:PartyLegalEntity><cbc:RegistrationName>Sales AB</cbc:RegistrationName></cac:PartyLegalEntity>
</cac:Party></cac:AccountingSupplierParty>
<cac:AccountingCustomerParty><cac:Party><cac:PostalAddress><cbc:CityName>Lund</cbc:CityName></cac:PostalAddress>
<cac:PartyTaxScheme><cbc:CompanyID>SE111111110101</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>
</cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>Buyer Ltd</cbc:RegistrationName></cac:PartyLegalEntity>
</cac:Party></cac:AccountingCustomerParty>
<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">22.10</cbc:TaxAmount></cac:TaxTotal>
<cac:TaxTotal><cbc:TaxAmount currencyID="SEK">250.00</cbc:TaxAmount></cac:TaxTotal>
<cac:LegalMonetaryTotal><cbc:TaxInclusiveAmount>1250.00</cbc:TaxInclusiveAmount></cac:LegalMonetaryTotal>
<cac:InvoiceLine><cbc:InvoicedQuantity>1</cbc:InvoicedQuantity>
<cbc:LineExtensionAmount>1000.00</cbc:LineExtensionAmount><cac:Item><cbc:Name>Paint, 5 EUR a can, 6 EUR a tin</cbc:Name>
</cac:Item></cac:InvoiceLine></Invoice>"""

LINES = {
    "name": "lines",
    "type": "ARRAY",
    "required": False,
    "items": {
        "fields": [
            {"name": "description", "type": "STRING", "required": False},
            {"name": "quantity", "type": "DECIMAL", "required": False},
            {"name": "line_total", "type": "MONEY", "required": False},
        ]
    },
}


def ask(document: str | bytes, *fields: Any) -> paxman.ExecutionArtifact:
    """Fields are names of texts, names with a type, or whole descriptions."""
    described = [
        {"name": each, "type": "STRING", "required": False} if isinstance(each, str) else each for each in fields
    ]
    return paxman.normalize(document, {"id": "c", "version": "1", "fields": described})


def money(name: str) -> dict[str, Any]:
    return {"name": name, "type": "MONEY", "required": False}


def values(document: str | bytes, *fields: Any) -> dict[str, Any]:
    return {result.field_path: result.value for result in ask(document, *fields).field_results}


def zipped(*files: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for number, content in enumerate(files):
            archive.writestr(f"{number}.xml", content)
    return target.getvalue()


def mailed(body: str, *files: str) -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@example.com", "b@example.com", "Invoice"
    message.set_content(body)
    for number, content in enumerate(files):
        message.add_attachment(content.encode(), maintype="application", subtype="xml", filename=f"{number}.xml")
    return message.as_bytes()


def embedded(content: str) -> bytes:
    catalog, objects = attach({"factur-x.xml": content.encode()})
    return make_pdf(show("Deposit 1,00 EUR, 2,00 EUR, 3,00 EUR", 50, 700), catalog=catalog, extra=objects)


@pytest.mark.parametrize("wrap", [str, embedded, lambda text: mailed("Gesamtbetrag: 1,00 EUR", text)])
def test_amounts_are_in_the_currency_of_the_invoice(wrap: Any) -> None:
    fields = (money("net_total"), money("tax_total"), money("grand_total"), LINES)
    assert values(wrap(CII), *fields) == {
        "net_total": Money(Decimal("400.00"), "CHF"),
        "tax_total": Money(Decimal("76.00"), "CHF"),
        "grand_total": Money(Decimal("476.00"), "CHF"),
        "lines": (
            {
                "description": "Euro pallet, deposit 5 EUR, 6 EUR each",
                "quantity": Decimal("2"),
                "line_total": Money(Decimal("400.00"), "CHF"),
            },
        ),
    }
    assert values(wrap(UBL), *fields[1:]) == {
        "tax_total": Money(Decimal("250.00"), "SEK"),
        "grand_total": Money(Decimal("1250.00"), "SEK"),
        "lines": (
            {
                "description": "Paint, 5 EUR a can, 6 EUR a tin",
                "quantity": Decimal("1"),
                "line_total": Money(Decimal("1000.00"), "SEK"),
            },
        ),
    }


def test_the_currency_of_an_invoice_is_no_assumption() -> None:
    (total,) = ask(CII, money("grand_total")).field_results
    assert (total.confidence_band.value, total.diagnostics) == ("HIGH", ())


@pytest.mark.parametrize(
    ("document", "seller", "buyer"),
    [(CII, "DE123456789", "DE999999999"), (UBL, "SE556677889901", "SE111111110101")],
    ids=["CII", "UBL"],
)
def test_the_party_in_front_decides_whose_vat_id_is_meant(document: str, seller: str, buyer: str) -> None:
    names = ("vat_id", "seller_vat", "supplier_vat_number", "buyer_vat_id", "customer_vat_number")
    labelled = {"name": "their_number", "type": "STRING", "required": False, "labels": ["Customer VAT ID"]}
    assert values(document, *names, labelled) == {
        "vat_id": seller,
        "seller_vat": seller,
        "supplier_vat_number": seller,
        "buyer_vat_id": buyer,
        "customer_vat_number": buyer,
        "their_number": buyer,
    }


def test_a_buyer_without_vat_id_does_not_get_that_of_the_seller() -> None:
    lacking = CII.replace('<ram:ID schemeID="VA">DE999999999</ram:ID>', "")
    assert values(lacking, "buyer_vat_id", "seller_vat_id") == {"buyer_vat_id": None, "seller_vat_id": "DE123456789"}


def test_what_is_asked_of_a_party_in_an_object() -> None:
    inner = [{"name": name, "type": "STRING", "required": False} for name in ("name", "vat_id", "city")]
    parties = [{"name": name, "type": "OBJECT", "required": False, "fields": inner} for name in ("seller", "buyer")]
    assert values(CII, *parties) == {
        "seller.name": "Schrauben GmbH",
        "seller.vat_id": "DE123456789",
        "seller.city": "Ulm",
        "buyer.name": "Kunde AG",
        "buyer.vat_id": "DE999999999",
        "buyer.city": "Bern",
    }
    assert values(UBL, *parties) == {
        "seller.name": "Sales AB",
        "seller.vat_id": "SE556677889901",
        "seller.city": "Malmö",
        "buyer.name": "Buyer Ltd",
        "buyer.vat_id": "SE111111110101",
        "buyer.city": "Lund",
    }


def test_a_buyer_reference_is_no_order_number() -> None:
    assert values(CII, "buyer_reference", "order_number") == {"buyer_reference": "04011000", "order_number": "B-1"}
    assert values(UBL, "buyer_reference", "order_number") == {"buyer_reference": "BR-1", "order_number": "PO-9"}
    without = UBL.replace("<cbc:BuyerReference>BR-1</cbc:BuyerReference>", "")
    assert values(without, "buyer_reference") == {"buyer_reference": None}


def test_a_credit_note_has_a_number_of_its_own() -> None:
    note = UBL.replace("<Invoice ", "<CreditNote ").replace("</Invoice>", "</CreditNote>")
    assert values(note, "credit_note_number") == {"credit_note_number": "TOSL108"}
    assert values(UBL, "credit_note_number") == {"credit_note_number": None}
    assert values(CII.replace(">380<", ">381<"), "credit_note_number") == {"credit_note_number": "RE-77"}


@pytest.mark.parametrize("files", [(UBL,), (CII,), (UBL, CII)])
def test_a_mail_contract_reads_sender_and_recipient_from_headers(files: tuple[str, ...]) -> None:
    artifact = ask(mailed("See below", *files), "subject", "sender", "sender_email", "recipient")
    found = {each.field_path: (each.value, each.confidence_band.name) for each in artifact.field_results}
    assert found == {
        "subject": ("Invoice", "HIGH"),
        "sender": ("a@example.com", "HIGH"),
        "sender_email": ("a@example.com", "HIGH"),
        "recipient": ("b@example.com", "HIGH"),
    }
    asked = values(mailed("See below", files[0]), "recipient", "buyer_name")
    assert asked["recipient"] == asked["buyer_name"] != "b@example.com"


@pytest.mark.parametrize("pack", [zipped, lambda *files: mailed("Two invoices", *files)], ids=["zip", "mail"])
def test_several_invoices_in_one_file_rival(pack: Any) -> None:
    other = UBL.replace("TOSL108", "TOSL109").replace(">1000.00<", ">900.00<")
    number, lines = ask(pack(UBL, other), "invoice_number", LINES).field_results
    assert [note.code for note in number.diagnostics if note.code == "CONFLICT"] == ["CONFLICT"]
    assert [note.code for note in lines.diagnostics if note.code == "CONFLICT"] == ["CONFLICT"]
    assert len(lines.value or ()) <= 1
    assert number.confidence_band.value != "HIGH"


def test_the_same_invoice_twice_is_no_rival() -> None:
    number, lines = ask(zipped(UBL, UBL), "invoice_number", LINES).field_results
    assert (number.value, number.diagnostics) == ("TOSL108", ())
    assert (len(lines.value), lines.diagnostics) == (1, ())


def test_an_invoice_in_an_envelope() -> None:
    bare = UBL.partition("?>")[2]
    envelope = (
        f'<?xml version="1.0"?><StandardBusinessDocument><Header><ID>9</ID></Header>{bare}</StandardBusinessDocument>'
    )
    assert values(envelope, "invoice_number", money("grand_total")) == {
        "invoice_number": "TOSL108",
        "grand_total": Money(Decimal("1250.00"), "SEK"),
    }


CII_PAYMENT = """<?xml version="1.0"?><CrossIndustryInvoice><ExchangedDocument><ID>1</ID></ExchangedDocument>
<SupplyChainTradeTransaction>
<ApplicableHeaderTradeAgreement><BuyerReference>04011-1</BuyerReference></ApplicableHeaderTradeAgreement>
<ApplicableHeaderTradeDelivery>
<DespatchAdviceReferencedDocument><IssuerAssignedID>LS-5</IssuerAssignedID></DespatchAdviceReferencedDocument>
</ApplicableHeaderTradeDelivery>
<ApplicableHeaderTradeSettlement><PaymentReference>RF18 5390</PaymentReference>
<SpecifiedTradeSettlementPaymentMeans><TypeCode>59</TypeCode><Information>SEPA</Information>
<PayerPartyDebtorFinancialAccount><IBANID>DE21860000000086001055</IBANID></PayerPartyDebtorFinancialAccount>
<PayeePartyCreditorFinancialAccount><IBANID>DE02120300000000202051</IBANID><AccountName>Our Account</AccountName>
</PayeePartyCreditorFinancialAccount>
<PayeeSpecifiedCreditorFinancialInstitution><BICID>BYLADEM1001</BICID></PayeeSpecifiedCreditorFinancialInstitution>
</SpecifiedTradeSettlementPaymentMeans>
<BillingSpecifiedPeriod><StartDateTime><DateTimeString format="102">20240101</DateTimeString></StartDateTime>
<EndDateTime><DateTimeString format="102">20240131</DateTimeString></EndDateTime></BillingSpecifiedPeriod>
<SpecifiedTradePaymentTerms><Description>30 days</Description></SpecifiedTradePaymentTerms>
</ApplicableHeaderTradeSettlement></SupplyChainTradeTransaction></CrossIndustryInvoice>"""

UBL_PAYMENT = """<?xml version="1.0"?><Invoice><ID>1</ID><BuyerReference>04011-1</BuyerReference>
<InvoicePeriod><StartDate>2024-01-01</StartDate><EndDate>2024-01-31</EndDate></InvoicePeriod>
<DespatchDocumentReference><ID>LS-5</ID></DespatchDocumentReference>
<PaymentMeans><PaymentMeansCode name="SEPA">59</PaymentMeansCode><PaymentID>RF18 5390</PaymentID>
<PayeeFinancialAccount><ID>DE02120300000000202051</ID><Name>Our Account</Name>
<FinancialInstitutionBranch><ID>BYLADEM1001</ID></FinancialInstitutionBranch></PayeeFinancialAccount>
<PaymentMandate><PayerFinancialAccount><ID>DE21860000000086001055</ID></PayerFinancialAccount></PaymentMandate>
</PaymentMeans><PaymentTerms><Note>30 days</Note></PaymentTerms></Invoice>"""


@pytest.mark.parametrize("invoice", [CII_PAYMENT, UBL_PAYMENT], ids=["CII", "UBL"])
def test_payment_and_references_resolve_from_their_names(invoice: str) -> None:
    dates = [{"name": name, "type": "DATE", "required": False} for name in ("period_start", "end_date")]
    labelled = {"name": "konto", "type": "STRING", "required": False, "labels": ["IBAN"]}
    wanted = {
        "iban": "DE02120300000000202051",
        "buyer_iban": "DE21860000000086001055",
        "swift_code": "BYLADEM1001",
        "account_holder": "Our Account",
        "payment_reference": "RF18 5390",
        "payment_means": "SEPA",
        "payment_terms": "30 days",
        "leitweg_id": "04011-1",
        "delivery_note_number": "LS-5",
    }
    assert values(invoice, *wanted, *dates, labelled) == {
        **wanted,
        "period_start": date(2024, 1, 1),
        "end_date": date(2024, 1, 31),
        "konto": "DE02120300000000202051",
    }


def test_names_of_numbers() -> None:
    contact = "<Party><PartyName><Name>A</Name></PartyName><Contact><Telephone>+49 731 5</Telephone></Contact></Party>"
    party = f"<AccountingSupplierParty>{contact}</AccountingSupplierParty>"
    wanted = {
        "iban_number": "DE02120300000000202051",
        "bankAccountNumber": "DE02120300000000202051",
        "seller_phone_number": "+49 731 5",
    }
    invoice = UBL_PAYMENT.replace("<PaymentMeans>", f"{party}<PaymentMeans>")
    assert values(invoice, *wanted) == wanted


@pytest.mark.parametrize(
    ("line", "base", "notes"),
    [
        (UBL_LINE, "<b:BaseQuantity>10</b:BaseQuantity>", ["the price is given as written, for a base quantity of 10"]),
        (UBL_LINE, "<b:BaseQuantity>1.00</b:BaseQuantity>", []),
        (UBL_LINE, "", []),
        (CII_LINE, "<BasisQuantity>100</BasisQuantity>", ["the price is given as written, for a base quantity of 100"]),
        (CII_LINE, "<BasisQuantity>1</BasisQuantity>", []),
    ],
)
def test_a_price_for_more_than_one_unit_says_so(line: str, base: str, notes: list[str]) -> None:
    columns = [{"name": name, "type": "DECIMAL", "required": False} for name in ("quantity", "unit_price")]
    field = {"name": "lines", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    artifact = paxman.normalize(line.format(base).encode(), {"id": "c", "version": "1", "fields": [field]})
    assert [dict(row) for row in artifact["lines"].value] == [{"quantity": Decimal(2), "unit_price": Decimal("550.00")}]
    assert [note.message for note in artifact["lines"].diagnostics if note.code == "AMBIGUOUS_VALUE"] == notes


_PARTY = (
    "<{0}><Party><PartyName><Name>Acme</Name></PartyName><PartyTaxScheme><CompanyID>{1}</CompanyID>"
    "<TaxScheme><ID>VAT</ID></TaxScheme></PartyTaxScheme></Party></{0}>"
)


@pytest.mark.parametrize("wrap", [str, embedded])
@pytest.mark.parametrize(
    ("number", "expected"), [("DE123456789", ("DE123456789", "MEDIUM")), ("", (None, "UNTRUSTED"))]
)
def test_the_number_of_the_buyer_is_never_that_of_the_seller(wrap: Any, number: str, expected: Any) -> None:
    seller, buyer = "AccountingSupplierParty", "AccountingCustomerParty"
    parties = _PARTY.format(seller, number) + _PARTY.format(buyer, "FR40303265045")
    content = f'<?xml version="1.0"?><Invoice xmlns="urn:u"><ID>1</ID>{parties}</Invoice>'
    found = ask(wrap(content), "seller_vat_id", "buyer_vat_id").field_results
    bands = [(each.value, each.confidence_band.value) for each in found]
    assert bands == [expected, ("FR40303265045", "HIGH")]


def test_a_word_in_one_element_labels_nothing_in_another() -> None:
    party = "<{0}><Party><PartyTaxScheme>{1}<TaxScheme><ID>VAT</ID></TaxScheme></PartyTaxScheme></Party></{0}>"
    seller = party.format("AccountingSupplierParty", "")
    buyer = party.format("AccountingCustomerParty", "<CompanyID>FR40303265045</CompanyID>")
    fields = [{"name": name, "type": "STRING", "required": False} for name in ("seller_vat_id", "buyer_vat_id")]
    text = f'<?xml version="1.0"?><Invoice xmlns="urn:u"><ID>1</ID>{seller}{buyer}</Invoice>'
    found = paxman.normalize(text, {"id": "c", "version": "1", "fields": fields})
    assert [each.value for each in found.field_results] == [None, "FR40303265045"]


def test_a_word_in_an_element_labels_what_stands_beside_it() -> None:
    text = '<?xml version="1.0"?><form><row><label>Invoice number</label><value>A-4711</value></row></form>'
    fields = [{"name": "invoice_number", "type": "STRING", "required": False}]
    assert paxman.normalize(text, {"id": "c", "version": "1", "fields": fields})["invoice_number"].value == "A-4711"
