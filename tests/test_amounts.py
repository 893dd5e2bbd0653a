"""Amounts of bills by their labels, sums and currencies, as whole outcomes of small papers."""

from __future__ import annotations

from typing import Any

import pytest

import paxman
from paxman.api.verification import verify
from paxman.documents.reading import read_document
from paxman.finding.sums.amounts import Witnesses, sum_words
from paxman.finding.sums.ledger import Ledger
from paxman.lexicon.lexicon import load
from paxman.page.names import page_of
from paxman.recognizers import conventions_of


def outcome(text: str, field: str, type_: str = "DECIMAL", **more: Any) -> tuple[str | None, str]:
    fields = [{"name": field, "type": type_, "required": False, **more}]
    result = paxman.normalize(text, {"id": "invoice", "version": "1", "fields": fields})[field]
    return (None if result.value is None else str(result.value)), result.confidence_band.value


SLIP = "Subtotal 27.27\nGST 1.64\nRounding -0.01\nTotal 28.90\nCash 30.00\nChange 1.10\n"


@pytest.mark.parametrize(
    ("label", "role", "sure"),
    [
        ("TOTAL SALES (INCLUSIVE OF GST) RM", "total", True),
        ("Total excl. VAT", "net", True),
        ("Rechnungssumme ohne USt.", "net", True),
        ("zuzügl. MwSt. 19 %", "tax", True),
        ("Br uttosumme", "total", True),
        ("AMOUNTDUE", "due", True),
        ("Total included GST", "total", False),
        ("Total labour", "total", False),
        ("T0TAL", "total", True),
        ("Soup of the day", "", False),
    ],
)
def test_a_label_says_its_role_in_a_sum(label: str, role: str, sure: bool) -> None:
    said = sum_words(load()).of(label)
    assert (said.role, said.sure) == (role, sure)


@pytest.mark.parametrize(
    ("text", "field", "expected"),
    [
        (SLIP, "total", ("28.90", "HIGH")),
        ("Total 3.99\nRounding 0.01\n4.00\nCash 5.00\nChange 1.00\n", "total", ("4.00", "MEDIUM")),
        ("Soup 3.00\n4.00\nCash 5.00\nChange 1.00\n", "total", ("4.00", "HIGH")),
        ("TOTAL 100.00\nGST 6.00\nNET AMOUNT 106.00\n", "total", ("106.00", "MEDIUM")),
        ("TOTAL 100.00\nGST 6.00\nNET AMOUNT 106.00\n", "net", (None, "UNTRUSTED")),
        ("Subtotal 8.56\nTax\nTOTAL 0.60\n9.16\nDebit 9.16\n", "total", ("9.16", "MEDIUM")),
        ("AMOUNT 23.24\nTIP:\nTotal:\n", "total", (None, "UNTRUSTED")),
        ("Net   VAT   Total\n100.00   20.00   120.00\n", "tax", ("20.00", "HIGH")),
        ("            Previous   Current\nTax            40.00     36.00\n", "tax", ("36.00", "HIGH")),
        ("Subtotal 100.00\nGST 5.00\nPST 7.00\nTotal tax 12.00\n", "pst", ("7.00", "HIGH")),
        ("Sub Total 1,000.00\nCGST 90.00\nSGST 90.00\nTotal 1,180.00\n", "tax", (None, "UNTRUSTED")),
        ("Total due 120.00\nSubtotal 120.00\n", "total", ("120.00", "HIGH")),
        ("Tax: 10 items\n", "tax", (None, "UNTRUSTED")),
        ("2% Skonto: 980,00 €\n", "discount", (None, "UNTRUSTED")),
        ("Item   Qty   Price\nBrought forward   500.00\nBolt   2   4.00\n", "previous_balance", (None, "UNTRUSTED")),
        ("Total   1.20   1.43\n", "total", ("1.20", "MEDIUM")),
        ("Total 10.00\nCash 6.00\nVoucher 4.00\n", "total", ("10.00", "HIGH")),
    ],
)
def test_which_amount_is_meant(text: str, field: str, expected: tuple[str | None, str]) -> None:
    assert outcome(text, field) == expected


@pytest.mark.parametrize(
    ("text", "surely", "loosely"),
    [
        ("Net 100.00\nShipping 10.00\nVAT 20.00\nTotal 130.00\n", "100.00 +20.00 +10.00 = 130.00", ""),
        ("Net 100.00\nVAT 20.00\nDeposit 30.00\nAmount due 90.00\n", "100.00 +20.00 -30.00 = 90.00", ""),
        ("Net 100.00\nVAT 7% 5.00\nVAT 19% 6.00\nTotal 111.00\n", "100.00 +11.00 = 111.00", ""),
        ("Net 100.00\nVAT 20.00\nTotal 120.00\n", "", "100.00 +20.00 = 120.00"),
        ("Cash 20.00\nChange 2.55\nAmount due 17.45\n", "", "20.00 -2.55 = 17.45"),
        ("Net 100.00\nShipping 10.00\n", "", ""),
    ],
)
def test_what_a_page_prints_between_net_and_total_explains_the_sum(text: str, surely: str, loosely: str) -> None:
    ledger = Ledger(page_of(read_document(text.encode())), sum_words(load()), conventions_of(text))
    witnesses, last = Witnesses(ledger.entries), ledger.entries[-1]
    found = [witnesses.explained(last, "total", sure=sure).removesuffix(", as printed") for sure in (True, False)]
    assert found == [surely, surely or loosely]


@pytest.mark.parametrize(
    ("text", "confidences"),
    [
        ("Net 100.00\nShipping 10.00\nVAT 20.00\nTotal 130.00\n", [0.85, 0.85, 0.85]),
        ("Subtotal 100.00\nShipping 10.00\nVAT 20.00\nTotal 130.00\n", [0.8, 0.85, 0.85]),
        ("Subtotal 100.00\nShipping 10.00\nVAT 22.00\nTotal 132.00\n", [0.6, 0.85, 0.85]),
        ("Subtotal 100.00\nVAT 20.00\nShipping 10.00\nDiscount 4.00\nTotal 126.00\n", [0.8, 0.85, 0.85]),
        ("Subtotal 100.00\nVAT 20.00\nRounding 0.01\nTotal 120.01\n", [0.8, 0.9, 0.9]),
        ("Subtotal 100.00\nVAT 20.00\nAmount due 120.00\nCash 150.00\nChange 30.00\n", [0.8, 0.85, 0.8]),
        ("Net 100.00\nVAT 20.00\nPrepaid 30.00\nTotal 90.00\n", [0.85, 0.85, 0.85]),
        ("Net 100.00\nVAT 20.00\nAlready paid 30.00\nTotal 90.00\n", [0.85, 0.85, 0.85]),
        ("Subtotal 100.00\nShipping 10.00\nVAT 20.00\nTotal 140.00\n", [0.6, 0.65, 0.65]),
    ],
)
def test_a_sum_with_what_stands_between_speaks_for_its_members(text: str, confidences: list[float]) -> None:
    names = ("net_total", "tax_total", "grand_total")
    fields = [{"name": name, "type": "DECIMAL", "required": False} for name in names]
    contract = {"id": "invoice", "version": "1", "fields": fields}
    found = paxman.normalize(text, contract)
    assert [found[name].confidence for name in names] == confidences
    assert verify(found, text, contract, strict=True).problems == ()


@pytest.mark.parametrize(
    ("text", "field", "type_", "value", "hedge"),
    [
        ("Guests: about 40\n", "guests", "INTEGER", "40", "about"),
        ("Guests: 12+\n", "guests", "INTEGER", "12", "+"),
        ("Guests: min. 3\n", "guests", "INTEGER", "3", "min."),
        ("Quantity: < 5\n", "quantity", "DECIMAL", "5", "<"),
        ("Price: from 3.99\n", "price", "DECIMAL", "3.99", "from"),
        ("Total from EUR 40.00\nTotal from EUR 40.00\n", "total", "DECIMAL", "40.00", "from"),
        ("Due date: about 5 May 2024\n", "due_date", "DATE", "2024-05-05", "about"),
        ('{"price": "from 3.99"}', "price", "DECIMAL", "3.99", "from"),
    ],
)
def test_a_hedge_makes_a_value_context(text: str, field: str, type_: str, value: str, hedge: str) -> None:
    fields = [{"name": field, "type": type_, "required": False}]
    result = paxman.normalize(text, {"id": "order", "version": "1", "fields": fields})[field]
    notes = [note.message for note in result.diagnostics if note.code == "AMBIGUOUS_VALUE"]
    assert (str(result.value), result.confidence, len(notes)) == (value, 0.75, 1)
    assert notes[0].startswith(repr(hedge))


def test_a_pattern_sees_the_hedge_beside_what_it_takes() -> None:
    field = {"name": "zorp", "type": "INTEGER", "required": True, "tags": [r"regex:Glim \D*(?P<value>\d+)"]}
    found = paxman.normalize("Glim about 40\n", {"id": "c", "version": "1", "fields": [field]})["zorp"]
    assert (found.value, found.confidence, found.evidence_refs[0].role) == (40, 0.75, "context")


@pytest.mark.parametrize(
    ("text", "field", "type_", "expected"),
    [
        ("Minimum order: min. 3\n", "minimum_order", "INTEGER", ("3", "HIGH")),
        ("Total: CA$7,480.13\n", "total", "DECIMAL", ("7480.13", "HIGH")),
        ("Guests: 40\n", "guests", "INTEGER", ("40", "HIGH")),
    ],
)
def test_what_is_no_hedge(text: str, field: str, type_: str, expected: tuple[str, str]) -> None:
    assert outcome(text, field, type_) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Total 1250.00 CHF (equals 1310.55 EUR)\n",
        "Total: CHF 1250.00 / EUR 1310.55\n",
        "Grand total: 1,250.00 CHF = 1,310.55 EUR\n",
    ],
)
def test_an_amount_in_two_currencies_is_two_candidates(text: str) -> None:
    fields = [{"name": "total", "type": "MONEY", "required": False}]
    result = paxman.normalize(text, {"id": "invoice", "version": "1", "fields": fields})["total"]
    codes = [note.code for note in result.diagnostics]
    readings = [note.context["readings"] for note in result.diagnostics if note.code == "AMBIGUOUS_VALUE"]
    assert (result.value, "CURRENCY_MISMATCH" in codes) == (None, True)
    assert readings == [("1250.00 CHF", "1310.55 EUR")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Total 12.00 EUR\nVAT 2.00 EUR\n", ("EUR", "CERTAIN")),
        ("Currency: CHF\nTotal 12.00\n", ("CHF", "HIGH")),
        ("Calle Franco 12\nTotal 12.00 €\n", ("EUR", "HIGH")),
        ("Nothing here\n", (None, "UNTRUSTED")),
    ],
)
def test_the_currency_of_a_page(text: str, expected: tuple[str | None, str]) -> None:
    assert outcome(text, "currency", "STRING", tags=["currency"]) == expected


def test_one_of_two_payments_less_the_change_bears_out_no_total() -> None:
    text = "Sandwich 7.00\nCoffee 5.00\nCard 5.00\nCash 10.00\nChange 3.00\n"
    field = {"name": "total", "type": "DECIMAL", "required": False}
    found = paxman.normalize(text, {"id": "receipt", "version": "1", "fields": [field]})["total"]
    assert found.confidence_band.value == "MEDIUM"
