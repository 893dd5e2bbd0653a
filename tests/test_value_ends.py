"""Where a text beside a label begins and ends, and what stands there for a value that is elsewhere."""

import pytest

import paxman


def ask(text: str, name: str, **more: object) -> tuple[str | None, str]:
    """The value of one field as text, and how sure it is."""
    fields = [{"name": name, "type": "STRING", "required": False, **more}]
    result = paxman.normalize(text, {"id": "paper", "version": "1", "fields": fields})[name]
    return None if result.value is None else str(result.value), result.confidence_band.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Payment method   Direct debit\nTotal   £80.00\n", "Direct debit"),
        ("Payment method: Direct debit\nTotal   £80.00\n", "Direct debit"),
        ("Payment method\tDirect debit\nTotal\t£80.00\n", "Direct debit"),
        ("Tenant   Olivia Price\nMonthly rent   £950.00\n", "Olivia Price"),
        ("Status: Partially paid\nAmount   £80.00\n", "Partially paid"),
        ("Zahlungsart   Auf Rechnung\nDatum   12.05.2024\n", "Auf Rechnung"),
        ("Project     Office total refurbishment\nDate     12 May 2024\n", "Office total refurbishment"),
        ("Reason   Duplicate invoice   4711   12.00\n", "Duplicate invoice"),
        ("Reason: Wrong price: Order 7 was cheaper\n", "Wrong price: Order 7 was cheaper"),
    ],
)
def test_a_word_of_a_text_that_is_a_label_elsewhere_is_a_part_of_it(text: str, value: str) -> None:
    name = text.split("   ")[0].split(":")[0].split("\t")[0].lower().replace(" ", "_")
    assert ask(text, name) == (value, "HIGH")


@pytest.mark.parametrize(
    ("text", "band"),
    [
        ("Agent   Jane Doe Invoice Date   12.05.2024\n", "HIGH"),
        ("Agent: Jane Doe Date: 12.05.2024\n", "HIGH"),
        ("Agent: Jane Doe Tel.: 030 1234567\nTotal   9.00\n", "HIGH"),
        ("Agent: Jane Doe, phone: 030 1234567\nTotal   9.00\n", "HIGH"),
        ("Agent   Jane Doe Date   12.05.2024\n", "MEDIUM"),
    ],
)
def test_a_label_with_a_colon_or_a_value_of_its_own_ends_a_text(text: str, band: str) -> None:
    assert ask(text, "agent") == ("Jane Doe", band)


def test_a_text_that_ends_like_a_label_is_not_sure() -> None:
    assert ask("Contact     Requested delivery date\n", "contact") == ("Requested delivery date", "MEDIUM")


@pytest.mark.parametrize(
    ("text", "name", "value", "band"),
    [
        ("Tenant: Bob Smith Start date 12.05.2024", "tenant", "Bob Smith", "HIGH"),
        ("Employee: Ann Lee Tel 020 7946 0018", "employee", "Ann Lee", "HIGH"),
        ("Customer: Bob Ltd Date 12.05.2024", "customer", "Bob Ltd", "HIGH"),
        ("Customer: Bob Ltd Date: 12.05.2024\n", "customer", "Bob Ltd", "HIGH"),
        ("Client : Jean Martin Date 12/05/2024", "client", "Jean Martin", "MEDIUM"),
        ("Customer: Bob Smith Total 47.11", "customer", "Bob Smith", "MEDIUM"),
        ("Customer: Open Date 24 Ltd", "customer", "Open Date 24 Ltd", "HIGH"),
        ("Payment terms: 30 days net, Due Date 2 June 2025", "payment_terms", "30 days net", "MEDIUM"),
        ("Payment terms: 30 days net - due date: 2 June 2025", "payment_terms", "30 days net", "HIGH"),
        ("Subject: Release Date 12.05.2024", "subject", "Release Date 12.05.2024", "MEDIUM"),
        ("Reference: Invoice No 4711", "reference", "Invoice No 4711", "HIGH"),
    ],
)
def test_a_name_ends_before_a_label_with_its_own_value(text: str, name: str, value: str, band: str) -> None:
    assert ask(text, name) == (value, band)


def test_a_name_over_an_amount_may_be_a_heading() -> None:
    text = "Policyholder   Grace Price\nPremium        £286.00\n"
    assert ask(text, "policyholder") == ("Grace Price", "MEDIUM")
    assert ask(text.replace("Grace Price", "Monthly price"), "policyholder") == ("Premium", "HIGH")


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Invoice No.4711\nDate: 12 May 2024\n", "invoice_number", "4711"),
        ("RECHNUNGSNR.4711\n", "invoice_number", "4711"),
        ("Fattura n.4711 del 12/05/2024\n", "invoice_number", "4711"),
        ("Factura NºFA-4711\n", "invoice_number", "FA-4711"),
        ("Faktura nr4711\n", "invoice_number", "4711"),
        ("BILL NO.A1029\n", "bill_number", "A1029"),
        ("Kundennr.4711\n", "customer_number", "4711"),
        ("Policy No.AB4711\n", "policy_number", "AB4711"),
        ("Tel.030/123456\n", "phone", "030/123456"),
        ("Tel.(030) 123456\n", "phone", "(030) 123456"),
        ("Invoice NO-4711\n", "invoice_number", "NO-4711"),
        ("Invoice N1029\n", "invoice_number", "N1029"),
    ],
)
def test_a_label_that_is_glued_to_a_number_is_no_part_of_it(text: str, name: str, value: str) -> None:
    assert ask(text, name) == (value, "HIGH")


def test_capitals_that_are_glued_to_a_number_may_be_a_part_of_it() -> None:
    assert ask("INVOICE NO4711\n", "invoice_number") == ("NO4711", "MEDIUM")


def test_a_label_of_the_contract_that_is_glued_to_a_number_is_no_part_of_it() -> None:
    assert ask("Invoice No.INV-4711\n", "number", labels=["Invoice No."]) == ("INV-4711", "HIGH")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Invoice No: see above\nDate: 3 May 2024\n", "invoice_number"),
        ("Delivery address: as above\n", "delivery_address"),
        ("Ship to: same as bill to\n", "ship_to"),
        ("Contact: voir ci-dessous\n", "contact"),
        ("Contact   zie bijlage\nTotal   9.00\n", "contact"),
        ("Supplier: see below\n", "supplier_name"),
        ("IBAN: siehe Fußzeile\n", "iban"),
        ("BIC: NOT REQUIRED\n", "bic"),
        ("E-mail: on request\n", "email"),
        ("VAT ID: see footer\n", "vat_id"),
        ("Phone: please call us\n", "phone"),
        ("Account number   on file\nTotal   9.00\n", "account_number"),
        ("Invoice number: pending\n", "invoice_number"),
        ("Customer number: new customer\n", "customer_number"),
    ],
)
def test_words_that_say_where_or_when_a_value_will_be_are_none(text: str, name: str) -> None:
    assert ask(text, name) == (None, "UNTRUSTED")


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        (
            "IBAN: siehe Fußzeile\nTotal: 9,00 EUR\nBank, IBAN DE89 3704 0044 0532 0130 00\n",
            "iban",
            "DE89370400440532013000",
        ),
        ("E-mail: see footer\n\nAcme Ltd, info@acme.example\n", "email", "info@acme.example"),
        ("Contact: siehe oben\nContact: Jane Doe\n", "contact", "Jane Doe"),
    ],
)
def test_what_stands_elsewhere_is_found_there(text: str, name: str, value: str) -> None:
    assert ask(text, name) == (value, "HIGH")


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Status: pending\n", "status", "pending"),
        ("Insurance: not required\n", "insurance", "not required"),
        ("Company: See Optics Ltd\n", "company", "See Optics Ltd"),
        ("PO number: verbal\n", "po_number", "verbal"),
        ("Customer number: ALFKI\n", "customer_number", "ALFKI"),
        ("E-mail: info(at)acme.example\n", "email", "info(at)acme.example"),
    ],
)
def test_words_that_answer_are_values(text: str, name: str, value: str) -> None:
    assert ask(text, name) == (value, "HIGH")


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Room number: Blue Room\n", "room_number", ("Blue Room", "MEDIUM")),
        ("Contract number: Framework A\n", "contract_number", ("Framework A", "MEDIUM")),
        ("Batch number: Spring Lot\nTotal: 9.00\n", "batch_number", ("Spring Lot", "MEDIUM")),
        ("Room number: Suite 12\n", "room_number", ("Suite 12", "HIGH")),
        ("Account number: Main Savings\n", "account_number", (None, "UNTRUSTED")),
        ("Policy number: Household Gold\n", "policy_number", (None, "UNTRUSTED")),
        ("Phone: Front Desk\n", "phone", (None, "UNTRUSTED")),
    ],
)
def test_words_may_stand_for_the_number_of_a_room_but_not_of_an_account(
    text: str, name: str, expected: tuple[str | None, str]
) -> None:
    assert ask(text, name) == expected
