"""A field in an object is called by both names: `seller.name` is the seller's name."""

import pytest

import paxman

INVOICE = """Alder GmbH
Lindenweg 4, 10115 Berlin
USt-IdNr.: DE136695976
info@alder.example   Tel. +49 30 1234567

Bill to:
Birch AG
Seestrasse 9
8002 Zürich
VAT no: CHE-116.281.710 MWST
Email: ap@birch.example

Invoice number: R-2024-17
Invoice date: 03.05.2024
Due date: 17.05.2024

Net      50.00
VAT 19%   9.50
Total EUR 59.50
"""
SELLER = {
    "name": "Alder GmbH",
    "vat_id": "DE136695976",
    "email": "info@alder.example",
    "phone": "+49 30 1234567",
    "address": "Lindenweg 4, 10115 Berlin",
}
BUYER = {
    "name": "Birch AG",
    "vat_id": "CHE116281710",
    "email": "ap@birch.example",
    "phone": None,
    "address": "Seestrasse 9 8002 Zürich",
}


def texts(names):
    return [{"name": name, "type": "STRING", "required": False} for name in names]


def normalize(*fields, text=INVOICE):
    return paxman.normalize(text, {"id": "paper", "version": "1", "fields": list(fields)})


def test_each_party_has_its_own():
    parties = {"seller": SELLER, "buyer": BUYER}
    fields = [{"name": who, "type": "OBJECT", "required": True, "fields": texts(has)} for who, has in parties.items()]
    found = normalize(*fields)
    assert {who: {name: found[f"{who}.{name}"].value for name in has} for who, has in parties.items()} == parties


def test_flat_names_find_the_same():
    found = normalize(*texts([*(f"supplier_{name}" for name in SELLER), *(f"customer_{name}" for name in BUYER)]))
    assert {name: found[f"supplier_{name}"].value for name in SELLER} == SELLER
    assert {name: found[f"customer_{name}"].value for name in BUYER} == BUYER


def test_below_what_is_no_party_the_own_name_is_enough():
    invoice = {
        "type": "object",
        "properties": {"number": {"type": "string"}, "dueDate": {"type": "string", "format": "date"}},
    }
    totals = {"type": "object", "properties": {"net": {"type": "number"}, "total": {"type": "number"}}}
    schema = {"type": "object", "properties": {"invoice": invoice, "totals": totals}}
    assert paxman.normalize(INVOICE, schema).normalized_data == {
        "invoice": {"number": "R-2024-17", "dueDate": "2024-05-17"},
        "totals": {"net": 50.0, "total": 59.5},
    }


@pytest.mark.parametrize("name", ["buyer_phone", "customer_iban", "client_address"])
def test_what_only_the_other_has_stays_open(name):
    text = INVOICE.replace("Seestrasse 9\n8002 Zürich\n", "").replace("Tel.", "IBAN DE89370400440532013000 Tel.")
    assert normalize(*texts([name]), text=text)[name].value is None


def test_the_address_below_the_addressee_is_not_the_issuer_s():
    text = "Invoice 4711\n\nBill to:\nBirch Inc.\n400 Cedar Court\nBoise, ID 83702\n\nTotal 12.00\n"
    found = normalize(*texts(["seller_address", "buyer_address"]), text=text)
    assert (found["seller_address"].value, found["buyer_address"].value) == (None, "400 Cedar Court Boise, ID 83702")


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        (
            "Atelier SARL\n3 rue du Port, 13002 Marseille\nSIRET : 732 829 320 00074\n",
            "seller.siret",
            "732 829 320 00074",
        ),
        (
            "Bill to:\nName: Fenwick Ltd\nEmail: a@f.example\n\nInvoice no: 3\nTotal 5.00\n",
            "customer.name",
            "Fenwick Ltd",
        ),
        ("Name: Ann Lee\nEmail: ann@lee.example\nMessage: Please call\n", "customer.email", "ann@lee.example"),
        ("Customer: Ann Lee\nTier: gold\n", "customer.tier", "gold"),
        ("Total: 50.00 EUR\n", "invoice.currency", "EUR"),
        (
            "From: Oak LLC\n100 Pine Road\nAustin, TX 78701\n\nTotal 5.00\n",
            "from.address",
            "100 Pine Road Austin, TX 78701",
        ),
    ],
)
def test_what_a_party_has(text, path, value):
    above, _, name = path.partition(".")
    parent = {"name": above, "type": "OBJECT", "required": True, "fields": texts([name])}
    assert normalize(parent, text=text)[path].value == value


def test_the_party_above_an_inner_object_counts():
    text = "Oak LLC\nTel. 0113 496 0123\n\nBill to:\nAsh Ltd\nPhone: 01904 496 0777\n\nTotal 5.00\n"
    contact = {"name": "contact", "type": "OBJECT", "required": True, "fields": texts(["phone"])}
    parties = [{"name": who, "type": "OBJECT", "required": True, "fields": [contact]} for who in ("seller", "buyer")]
    found = normalize(*parties, text=text)
    assert [found[f"{who}.contact.phone"].value for who in ("seller", "buyer")] == ["0113 496 0123", "01904 496 0777"]


@pytest.mark.parametrize("name", ["company_size", "supplier_rating", "seller_notes"])
def test_what_no_paper_says_of_its_issuer_needs_all_of_its_name(name):
    text = "Alder Ltd\nInvoice 7\nSize: XL\nRating: 5 stars\nNotes: leave at the door\nTotal: 9.50 EUR\n"
    contract = {"id": "c", "fields": [{"name": name, "type": "STRING", "required": True}]}
    assert paxman.normalize(text, contract)[name].value is None


def test_what_is_known_of_a_contract_is_kept_apart():
    number = {"name": "invoice_number", "type": "STRING", "required": True}
    buyer = {"name": "buyer", "type": "OBJECT", "required": True, "fields": [{**number, "name": "name"}]}
    rows = "<tr><td>Invoice number</td><td>PR-1</td></tr><tr><td>Payment</td><td>Visa</td></tr>"
    page = f"<html><body><table>{rows}</table><p>Customer<br>Birch AG<br>Seestrasse 9</p></body></html>"
    artifact = paxman.normalize(page, {"id": "c", "fields": [number, buyer]})
    assert artifact.normalized_data == {"invoice_number": "PR-1", "buyer": {"name": "Birch AG"}}
