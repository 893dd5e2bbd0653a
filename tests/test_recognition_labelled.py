"""Values found by what business papers call them, through the public entry point."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paxman
from paxman import transforms
from paxman.artifact.artifact import FieldResult
from paxman.documents.reading import read_document
from paxman.types import ConfidenceBand

INVOICE = {
    "id": "invoice",
    "version": "1",
    "fields": [
        {"name": "invoice_number", "type": "STRING", "required": True},
        {"name": "issue_date", "type": "DATE", "required": True},
        {"name": "due_date", "type": "DATE", "required": False},
        {"name": "net_total", "type": "DECIMAL", "required": False},
        {"name": "tax_total", "type": "DECIMAL", "required": False},
        {"name": "grand_total", "type": "DECIMAL", "required": True},
    ],
}
EXPECTED = {
    "invoice_number": "2025-0042",
    "issue_date": date(2025, 3, 5),
    "due_date": date(2025, 4, 4),
    "net_total": Decimal("1000.00"),
    "tax_total": Decimal("190.00"),
    "grand_total": Decimal("1190.00"),
}
LANGUAGES = {
    "English": ("Invoice No.", "Invoice date", "Due date", "Net amount", "VAT", "Total"),
    "German": ("Rechnungs-Nr.", "Rechnungsdatum", "Zahlbar bis", "Nettobetrag", "MwSt.", "Gesamtbetrag"),
    "French": ("Facture n°", "Date de facture", "Date d'échéance", "Total HT", "TVA", "Total TTC"),
    "Spanish": ("Factura nº", "Fecha de factura", "Vencimiento", "Base imponible", "IVA", "Importe total"),
    "Italian": ("Fattura n°", "Data fattura", "Scadenza", "Imponibile", "Imposta", "Totale fattura"),
    "Portuguese": ("Fatura nº", "Data de emissão", "Vencimento", "Valor líquido", "Imposto", "Valor total"),
    "Dutch": ("Factuurnummer", "Factuurdatum", "Vervaldatum", "Totaal excl. BTW", "BTW", "Totaalbedrag"),
    "Polish": ("Numer faktury", "Data wystawienia", "Termin płatności", "Razem netto", "Kwota VAT", "Razem"),
    "Swedish": ("Fakturanummer", "Fakturadatum", "Förfallodatum", "Nettobelopp", "Moms", "Totalsumma"),
    "Malay": ("No. Invois", "Tarikh Invois", "Tarikh Bayaran", "Jumlah sebelum cukai", "Cukai", "Jumlah Besar"),
    "Chinese": ("发票号码", "开票日期", "到期日", "不含税金额", "税额", "价税合计"),
    "Japanese": ("請求書番号", "請求日", "お支払期限", "税抜金額", "消費税", "合計金額"),
}
VALUES = ("2025-0042", "2025-03-05", "2025-04-04", "1000.00", "190.00", "1190.00")


def resolve(text: str, contract: object = INVOICE, locale: str | None = None) -> dict[str, object]:
    artifact = paxman.normalize(text, contract, policy=paxman.Policy(locale=locale))
    return {result.field_path: result.value for result in artifact.field_results}


def one_field(text: str, locale: str | None = "en_US", **field: object) -> FieldResult:
    contract = {"id": "paper", "version": "1", "fields": [{"required": True, **field}]}
    return paxman.normalize(text, contract, policy=paxman.Policy(locale=locale))[str(field["name"])]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("separator", [": ", "    ", " ........ ", "\n"])
def test_an_invoice_in_many_languages(language: str, separator: str) -> None:
    pairs = zip(LANGUAGES[language], VALUES, strict=True)
    text = "ACME\n\n" + "\n\n".join(f"{label}{separator}{value}" for label, value in pairs)
    assert resolve(text) == EXPECTED


@pytest.mark.parametrize(
    "label", ["T0TAL AM0UNT", "TOTALAMOUNT", "total. amount", "Tota1 Amount", "TotalAmount", "TOTAL-AMOUNT"]
)
def test_labels_survive_scanners(label: str) -> None:
    assert one_field(f"Soup 3.00\n{label} 12.50\n", name="total_amount", type="DECIMAL").value == Decimal("12.50")


RECEIPT = """SHOP LTD
12/25/2024 14:03
SOUP               9.00
BREAD              3.00
SUBTOTAL          12.00
TOTAL QTY          2
TOTAL DISCOUNT     1.00
TOTAL GST          0.66
TOTAL (INCL. GST) 11.66
ROUNDING           0.01-
TOTAL PAYABLE     11.65
CASH              20.00
CHANGE             8.35
"""


def test_of_many_totals_the_one_that_was_paid() -> None:
    result = one_field(RECEIPT, name="total", type="DECIMAL")
    assert (result.value, result.confidence_band.value) == (Decimal("11.65"), "HIGH")


@pytest.mark.parametrize(
    ("slip", "total"),
    [
        ("AMOUNT:  23.24\nTIP:\nTotal:\n", None),
        ("AMOUNT  $17.00\nTIP  $____\nTOTAL  $____\n", None),
        ("AMOUNT  $17.00\nTIP  $3.00\nTOTAL  $20.00\n", "20.00"),
        ("AMOUNT DUE  $17.00\nTIP  $____\nTOTAL  $____\n", "17.00"),
        ("PRE-AUTHORISATION\nAMOUNT  £ 10.00\n", None),
        ("Tea  9.25\nAmount: 9.25\n", "9.25"),
    ],
)
def test_an_amount_is_no_total_while_the_total_is_left_open(slip: str, total: str | None) -> None:
    found = one_field(f"HARBOUR DINER\n{slip}", name="total", type="DECIMAL", labels=["Total", "Amount"]).value
    assert found == (total and Decimal(total))


@pytest.mark.parametrize(
    ("lines", "total"),
    [
        ("TEA  68.90\nCASH  100.00\n", None),
        ("TEA  68.90\nCASH  68.90\n", "68.90"),
        ("TEA  68.90\nVISA  70.00\n", "70.00"),
        ("TEA  68.90\nCASH  100.00\nCHANGE  31.10\n", "68.90"),
    ],
)
def test_cash_that_may_be_more_than_the_bill_is_no_total(lines: str, total: str | None) -> None:
    found = one_field(f"HARBOUR SHOP\n{lines}", name="total", type="DECIMAL").value
    assert found == (total and Decimal(total))


def test_parts_of_a_total_are_not_the_total() -> None:
    fields = {"tax": "0.66", "discount": "1.00", "subtotal": "12.00"}
    found = {name: one_field(RECEIPT, name=name, type="DECIMAL").value for name in fields}
    assert found == {name: Decimal(value) for name, value in fields.items()}


def test_a_date_with_a_time_stamp_needs_no_label() -> None:
    result = one_field(RECEIPT, name="date", type="DATE")
    assert (result.value, result.confidence_band.value) == (date(2024, 12, 25), "HIGH")


def test_the_first_of_several_bare_dates_is_only_a_guess() -> None:
    result = one_field("Berlin 2024-05-01\nsee 2024-06-01\n", name="date", type="DATE")
    assert (result.value, result.confidence_band.value) == (date(2024, 5, 1), "MEDIUM")
    assert [(ref.role, ref.basis) for ref in result.evidence_refs] == [("context", "place")]


@pytest.mark.parametrize("label", ["Date of birth", "Due date", "Delivery date", "Print date", "Valid until"])
def test_the_date_of_something_else_is_not_the_date(label: str) -> None:
    assert one_field(f"{label}: 2024-05-01\n", name="issue_date", type="DATE").status == "UNRESOLVED"


def test_a_date_may_follow_the_number_of_the_paper() -> None:
    text = "Rechnung Nr. 4711 vom 05.03.2018\nBestellung vom 01.02.2018\nSeite 2 von 2"
    assert resolve(text)["invoice_number"] == "4711"
    assert resolve(text)["issue_date"] == date(2018, 3, 5)


FLIGHT = [
    {"name": "flight_from", "type": "DATE", "labels": ["Flight"], "description": "First day", "required": True},
    {"name": "flight_to", "type": "DATE", "labels": ["Flight"], "description": "Last day", "required": True},
]


@pytest.mark.parametrize(
    "flight",
    [
        "Flight: 4/17/20 - 4/23/20",
        "Order Flight    04/17/20 to 04/23/20",
        "Flight: Fri 4/17/20 - Thu 4/23/20",
        "Flight: 4/17/20 (Fri) - 4/23/20 (Thu)",
        "Flight: vendredi 17 avril 2020 au jeudi 23 avril 2020",
        "Flight: Freitag, 17. April 2020 bis Donnerstag, 23. April 2020",
    ],
)
def test_a_range_gives_the_end_that_is_asked_for(flight: str) -> None:
    contract = {"id": "order", "version": "1", "fields": FLIGHT}
    text = f"Invoice period    3/30/20 - 4/26/20\n{flight}\n"
    assert resolve(text, contract, "en_US") == {"flight_from": date(2020, 4, 17), "flight_to": date(2020, 4, 23)}


def test_a_range_whose_last_day_is_misprinted_has_no_last_day() -> None:
    contract = {"id": "order", "version": "1", "fields": FLIGHT}
    text = "Flight: 10/06/20 - 20/12/20\nLine    Flight\n1     froy3/20-10/14/20\n"
    assert resolve(text, contract, "en_US") == {"flight_from": date(2020, 10, 6), "flight_to": None}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Contract # 26898588     Agency Order #: 30064583", "26898588"),
        ("Handelsrechnung (380) Nr. 471102 vom 05.03.2018", None),
        ("Contract / Revision        Alt Order #\n662627   /              09755916", "662627"),
        ("Contract: pending\nPhone 555 1234", None),
        ("Contract No. 12/2024-A dated 2024-05-01", "12/2024-A"),
    ],
)
def test_numbers_of_papers(text: str, number: str | None) -> None:
    assert one_field(text, name="contract_number", type="STRING").value == number


def test_the_sellers_tax_number_is_not_the_buyers() -> None:
    text = "Seller\nAcme GmbH\nVAT ID: DE136695976\n\nBuyer\nOther GmbH\nVAT ID: DE123456788\n"
    assert one_field(text, name="seller_vat_id", type="STRING", tags=["vat_id"]).value == "DE136695976"
    assert one_field(text, name="buyer_vat_id", type="STRING", tags=["vat_id"]).value == "DE123456788"


def test_net_and_tax_are_those_that_make_the_total() -> None:
    text = "Tax 7 % of 100.00     7.00\nTax 19 % of 200.00    38.00\nTotal tax  45.00\nNet  300.00\nTotal  345.00\n"
    assert resolve(text)["tax_total"] == Decimal("45.00")


def test_the_total_of_a_column() -> None:
    text = (
        "Month           Spots     Gross Amount     Net Amount\n"
        "January             3          $300.00        $255.00\n"
        "February            1          $120.00        $102.00\n"
        "Totals              4          $420.00        $357.00\n"
    )
    assert one_field(text, name="gross_amount", type="DECIMAL").value == Decimal("420.00")
    assert one_field(text, name="net_amount", type="DECIMAL").value == Decimal("357.00")


NAME = {"name": "advertiser", "type": "STRING", "labels": ["Advertiser"]}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Agency: Del Ray     Advertiser: First Action Inc     Market: Abilene", "First Action Inc"),
        (
            "Advertiser             Original Date / Revision\nPriorities Fund        05/01/20 / 05/01/20",
            "Priorities Fund",
        ),
        ("Advertiser   Name:   Future Forward\n             Demo:   HH", "Future Forward"),
        (
            "Agency: Smart     Advertiser: Hagerty, Bill - TN     Market: Bristol\n" + " " * 30 + "Senate",
            "Hagerty, Bill - TN Senate",
        ),
    ],
)
def test_names_beside_below_and_over_two_lines(text: str, name: str) -> None:
    assert one_field(text, **NAME).value == name


def test_a_number_in_brackets_behind_a_name_leaves_two_readings() -> None:
    result = one_field("Advertiser     Majority PAC (21434)\n", **NAME)
    assert (result.value, result.confidence_band.value) == ("Majority PAC (21434)", "MEDIUM")
    assert "AMBIGUOUS_VALUE" in [note.code for note in result.diagnostics]


def test_what_is_not_on_the_page_stays_unresolved() -> None:
    text = "Dear customer,\nthank you for your total commitment to the date we agreed on.\nYours, A. Nonymous\n"
    assert set(resolve(text).values()) == {None}


LINES = st.lists(
    st.tuples(
        st.sampled_from([label for labels in LANGUAGES.values() for label in labels] + ["Cash", "Change", "Sub Total"]),
        st.sampled_from([": ", "   ", "\n", " "]),
        st.sampled_from([*VALUES, "RM 12.50", "1.234,56 €", "03/04/2025 - 05/04/2025", "ACME Ltd (12345)", ""]),
    ),
    max_size=12,
)


@settings(deadline=None)
@given(LINES)
def test_every_value_follows_from_its_quote(lines: list[tuple[str, str, str]]) -> None:
    text = "\n".join(label + gap + value for label, gap, value in lines)
    document = read_document(text.encode(), None)
    for result in paxman.normalize(text, INVOICE).field_results:
        for ref in result.evidence_refs:
            assert ref.span is not None
            if ref.role == "supporting":
                assert transforms.run(ref.transforms, document.text[slice(*ref.span)]) == result.value


@pytest.mark.parametrize("piece", ["Total ", "Total 5.00 Datum 01.02.2018 Rechnung Nr. 5 ", "Datum\n", "Date  Total  "])
def test_a_hostile_page_costs_no_more_than_its_length(piece: str) -> None:
    import time

    def seconds(size: int) -> float:
        started = time.process_time()
        paxman.normalize(piece * (size // len(piece)), INVOICE)
        return time.process_time() - started

    seconds(1000)
    assert seconds(80_000) < 20 * max(seconds(20_000), 0.05)


def test_a_legal_form_below_a_label_ends_the_name_of_the_column_before():
    text = (
        "REMIT TO Harbour Broadcast GroupAdvertiser                          Invoice\n"
        "                      Inc              Lantern Makers Guild         7432897\n"
    )
    contract = {
        "id": "c",
        "version": "1",
        "fields": [{"name": "advertiser", "type": "STRING", "required": True, "tags": ["organization"]}],
    }
    assert paxman.normalize(text, contract)["advertiser"].value == "Lantern Makers Guild"


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("Total CHF 1'234'567.80", "1234567.80", "CHF"),
        ("Total RM12.50", "12.50", "MYR"),
        ("TOTAL EUR 5,00", "5.00", "EUR"),
    ],
)
def test_a_label_that_ends_with_the_currency_of_its_value(text: str, amount: str, currency: str) -> None:
    found = one_field(text, None, name="total", type="MONEY").value
    assert found == paxman.Money(Decimal(amount), currency)


@pytest.mark.parametrize("text", ["Tax: 10 items", "Tax: 12 pieces", "Tax 3 Stück"])
def test_a_number_of_things_is_no_amount(text: str) -> None:
    assert one_field(text, name="tax", type="DECIMAL").status == "UNRESOLVED"


def test_a_date_behind_the_number_of_a_paper_is_not_part_of_it() -> None:
    assert one_field("Invoice no: 123 01/02/2024", name="invoice_number", type="STRING").value == "123"


@pytest.mark.parametrize(
    ("lines", "net"),
    [
        ("Subtotal 100.00\nVAT 20.00\nTotal 120.00", "100.00"),
        ("Zwischensumme 100,00\nMwSt. 20,00\nGesamtbetrag 120,00", "100.00"),
        ("Subtotal 100.00\nDiscount 10.00\nTotal 90.00", None),
        ("Subtotal 110.00\nNet amount 100.00\nVAT 20.00\nTotal 120.00", "100.00"),
    ],
)
def test_a_subtotal_is_net_where_tax_makes_it_the_total(lines: str, net: str | None) -> None:
    found = one_field(f"HARBOUR SHOP\n{lines}\n", None, name="net_total", type="DECIMAL").value
    assert found == (net and Decimal(net))


def test_of_two_totals_the_one_with_the_tax_is_meant() -> None:
    result = one_field("Summe 8,00 €\nMwSt 19 % 1,52 €\nSumme 9,52 €\n", "de_DE", name="total", type="DECIMAL")
    assert (result.value, result.confidence_band.value) == (Decimal("9.52"), "HIGH")


@pytest.mark.parametrize("text", ["Datum: 4.3.24", "Rechnungsdatum 4.3.24\nSeite 1"])
def test_a_short_date_counts_beside_its_label(text: str) -> None:
    assert one_field(text, "de_DE", name="invoice_date", type="DATE").value == date(2024, 3, 4)


@pytest.mark.parametrize(
    ("text", "name", "type"),
    [
        ("Invoice number:\nCustomer number: 5512\nTotal: EUR 10.00", "invoice_number", "STRING"),
        ("Order number:\nTotal: EUR 10.00", "order_number", "STRING"),
        ("Order number:\nTruck: 5544", "order_number", "STRING"),
        ("Due date:\nInvoice date: 2024-05-05", "due_date", "DATE"),
        ("Due date:\nWarehouse closing: 2024-05-05", "due_date", "DATE"),
        ("Net:\nTax: EUR 19.00\nTotal: EUR 119.00", "net", "MONEY"),
        ("Deposit:\nShipping: EUR 5.00", "deposit", "MONEY"),
        ("Seller:\nBuyer: Beta AG", "seller", "STRING"),
    ],
)
def test_an_empty_field_of_a_form_does_not_take_the_value_of_the_next_label(text: str, name: str, type: str) -> None:
    assert one_field(text, name=name, type=type).value is None


def test_a_value_below_its_label_is_still_found() -> None:
    assert one_field("Due date:\n2024-05-05", name="due_date", type="DATE").value == date(2024, 5, 5)
    assert one_field("Order number\n5544", name="order_number", type="STRING").value == "5544"


PLACEHOLDERS = ("n/a", "N/A", "-", "---", "________", "TBD", "not applicable", "none", "k. A.", "s.o.")


@pytest.mark.parametrize("left_out", PLACEHOLDERS)
def test_a_placeholder_is_no_value_and_nothing_is_sought_below_it(left_out: str) -> None:
    assert one_field(f"Invoice no.: {left_out}\n4711-22\n", name="invoice_number", type="STRING").value is None
    assert one_field(f"Project: {left_out}\nRiver bridge\n", name="project", type="STRING").value is None
    assert one_field(f"Due date: {left_out}\n2024-05-05\n", name="due_date", type="DATE").value is None
    assert one_field(f"Invoice date: {left_out}\nHamburg, 3 May 2024\n", name="invoice_date", type="DATE").value is None


def test_a_placeholder_is_no_name() -> None:
    assert one_field("Invoice\nSupplier: TBD\n", name="supplier", type="STRING").value is None


def test_dates_of_a_kind_share_their_labels_and_no_others() -> None:
    text = "Valid until: 2025-04-11\nDate of birth: 1990-01-02"
    assert one_field(text, name="expiry_date", type="DATE").value == date(2025, 4, 11)
    assert one_field("Valid until: 2025-04-11", name="birth_date", type="DATE").value is None


def test_a_member_that_reads_like_a_placeholder_is_a_value() -> None:
    found = one_field("Damage: none\n", name="damage", type="ENUM", enum_values=["none", "partial"])
    assert found.value == "none"


@pytest.mark.parametrize(
    ("text", "seller", "buyer"),
    [
        ("Alpha GmbH\nUSt-IdNr. DE129273398\n\nRechnung an:\nBeta AG", "DE129273398", None),
        (
            "Alpha GmbH\nUSt-IdNr. DE129273398\n\nRechnung an:\nBeta AG\nUSt-IdNr. DE136695976",
            "DE129273398",
            "DE136695976",
        ),
        ("Alpha GmbH\nUSt-IdNr. DE129273398\nIhre USt-IdNr. DE136695976", "DE129273398", "DE136695976"),
        ("Alpha Ltd\nVAT ID: DE129273398\nCustomer VAT ID: DE136695976", "DE129273398", "DE136695976"),
        ("Acme LLC, New York\nInvoice 17\nCustomer VAT: DE129273398\n", None, "DE129273398"),
        ("Otto Maier\nRechnung an:\nBlitz GmbH\nUSt-IdNr.: DE129273398", None, "DE129273398"),
        ("Jan Smit\nFactuur 1\nUw BTW-nummer: NL004495445B01", None, "NL004495445B01"),
        ("SARL X\nFacture 1\nN° TVA du client : FR40303265045", None, "FR40303265045"),
        ("Acme LLC\nInvoice 17\nBill to:\nBlitz GmbH\nVAT ID: DE129273398\n", None, "DE129273398"),
        ("Acme LLC\nDE129273398\n\nBill to:\nBlitz GmbH\n", "DE129273398", None),
    ],
)
def test_a_tax_number_outside_of_any_section_is_the_issuers(text: str, seller: str | None, buyer: str | None) -> None:
    assert one_field(text, name="seller_vat_id", type="STRING").value == seller
    assert one_field(text, name="buyer_vat_id", type="STRING").value == buyer


@pytest.mark.parametrize("width", [20, 27, 34, 38, 42, 60])
def test_of_two_columns_each_party_has_its_own_tax_number(width: int) -> None:
    rows = [
        ("Supplier", "Customer"),
        ("Alpha GmbH", "Beta GmbH"),
        ("VAT ID: DE129273398", "VAT ID: DE136695976"),
    ]
    text = "\n".join(left.ljust(width) + right for left, right in rows)
    assert one_field(text, name="seller_vat_id", type="STRING").value == "DE129273398"
    assert one_field(text, name="buyer_vat_id", type="STRING").value == "DE136695976"


@pytest.mark.parametrize(
    ("text", "name", "tag", "value"),
    [
        ("Acme LLC\nCustomer e-mail: a@b.org", "seller_email", "email", None),
        ("Acme LLC\nBill to:\nBob Ltd\na@b.org", "seller_email", "email", None),
        ("Acme LLC\nCustomer service: a@b.org", "seller_email", "email", "a@b.org"),
        ("Acme LLC\nCustomer service\na@b.org", "seller_email", "email", "a@b.org"),
        ("Acme GmbH\nIhr Ansprechpartner: a@b.org", "seller_email", "email", "a@b.org"),
        ("SARL Acme\nService client : a@b.org", "seller_email", "email", "a@b.org"),
        ("Acme LLC\nBill to:\nBob Ltd\n\nWrite to a@b.org", "seller_email", "email", "a@b.org"),
        ("Acme LLC\nBill to:\nBob Ltd\nTotal 20.00\na@b.org", "seller_email", "email", "a@b.org"),
        ("Acme LLC\nCustomer phone: +49 30 1234567", "supplier_phone", "phone", None),
        (
            "Acme LLC\nCustomer phone: +49 30 1234567\nPhone: +49 30 7654321",
            "supplier_phone",
            "phone",
            "+49 30 7654321",
        ),
        ("Acme LLC\nYour IBAN to be debited: DE89 3704 0044 0532 0130 00", "seller_iban", "iban", None),
        ("Acme LLC\nIBAN DE89 3704 0044 0532 0130 00", "seller_iban", "iban", "DE89370400440532013000"),
        ("Acme LLC\nYour IBAN\nDE89 3704 0044 0532 0130 00", "seller_iban", "iban", None),
        ("Acme LLC\nIBAN\nDE89 3704 0044 0532 0130 00", "seller_iban", "iban", "DE89370400440532013000"),
        ("Acme LLC\nBuyer VAT ID\nDE129273398", "seller_vat_id", "vat_id", None),
        ("Acme LLC\nYour order\na@b.org", "seller_email", "email", "a@b.org"),
        ("Ref    Customer VAT no\nAX-1   DE129273398", "seller_vat_id", "vat_id", None),
        ("Acme LLC\nCustomer phone\n+49 30 1234567", "supplier_phone", "phone", None),
        ("<dl><dt>Your e-mail</dt><dd>a@b.org</dd></dl>", "seller_email", "email", None),
        ("Acme LLC\nGuest e-mail: a@b.org", "seller_email", "email", None),
        ("Name    E-mail of guest\nBob     a@b.org", "seller_email", "email", None),
        ("Acme LLC\nPatient phone: +49 30 1234567", "supplier_phone", "phone", None),
        ("Acme LLC\nTéléphone du locataire : +33 1 44 55 66 77", "supplier_phone", "phone", None),
        ("Acme GmbH\nTelefon des Mieters\n+49 30 1234567", "supplier_phone", "phone", None),
        ("Acme LLC\nGuest services: +49 30 1234567", "supplier_phone", "phone", "+49 30 1234567"),
    ],
)
def test_what_is_another_partys_is_not_the_only_one_of_its_kind(
    text: str, name: str, tag: str, value: str | None
) -> None:
    assert one_field(text, name=name, type="STRING", tags=[tag]).value == value


def test_many_tax_labels_on_a_line_take_time_in_proportion() -> None:
    import time

    def seconds(labels: int) -> float:
        started = time.process_time()
        one_field("tax 1234567 " * labels, name="seller_vat_id", type="STRING")
        return time.process_time() - started

    seconds(5)
    assert seconds(200) < 12 * max(seconds(25), 0.01)


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Phone (503) 555-0142", "phone", "(503) 555-0142"),
        ("Fax (503) 555-0142", "fax", "(503) 555-0142"),
        ("Account no (12) 345-678", "account_number", "(12) 345-678"),
        ("Invoice no 2024 - 001", "invoice_number", "2024 - 001"),
        ("Invoice no (see back) 2024-001", "invoice_number", "2024-001"),
        ("lNVOlCE\nlnvoice Nurnber: AB-9921", "invoice_number", "AB-9921"),
        ("Faktura VAT nr FV/2024/05/17", "invoice_number", "FV/2024/05/17"),
        ("Acme Ltd\nGSTIN: 27AAPFU0939F1ZV", "seller_tax_id", "27AAPFU0939F1ZV"),
        ("SC Exemplu SRL\nCUI: 14399840", "seller_vat_id", "14399840"),
        ("Al Noor Trading LLC\nTRN: 100 1234 5670 0003", "seller_vat_id", "100123456700003"),
        ("Acme\nNIP: 5261040828", "seller_tax_id", "5261040828"),
        ("Acme\nTel 555123", "seller_tax_id", None),
        ("Acme\nTel 555123", "fax", None),
        ("Room 412", "room", "412"),
        ("Room 412 is closed", "room", None),
        ("Invoice number: R-100", "credit_note_number", None),
        ("Credit note number: R-100", "credit_note_number", "R-100"),
        ("Credit note number: R-100", "invoice_number", "R-100"),
    ],
)
def test_numbers_are_taken_whole_and_from_their_own_label(text: str, name: str, value: str | None) -> None:
    assert one_field(text, name=name, type="STRING").value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("VAT: 19.00 EUR", None),
        ("VAT: 19%", Decimal(19)),
        ("VAT 19.00 EUR (20%)", Decimal(20)),
        ("VAT rate: 19.00", Decimal("19.00")),
        ("VAT %\n7.5 %", Decimal("7.5")),
    ],
)
def test_a_rate_is_a_percentage_and_no_amount(text: str, value: Decimal | None) -> None:
    assert one_field(text, name="tax_rate", type="DECIMAL").value == value


def test_what_is_left_after_a_discount_is_not_the_discount() -> None:
    assert one_field("2% Skonto: 980,00 €", "de_DE", name="discount", type="MONEY").value is None
    text = "Gesamtbetrag: 1.000,00 €\n2% Skonto: 20,00 €"
    assert one_field(text, "de_DE", name="discount", type="MONEY").value == paxman.Money(Decimal("20.00"), "EUR")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Total €12.50 / $13.70", "total"),
        ("Total 12.50 EUR = 24.45 BGN", "total"),
        ("Price: EUR 10 or USD 11", "price"),
        ("Total     EUR 15.00   USD 16.20", "total"),
        ("Total EUR 15.00 USD 16.20", "total"),
        ("Total 15.00 EUR 16.20 USD", "total"),
        ("Total: €15.00 $16.20 £13.00", "total"),
        ("Total: 15.00 EUR; 16.20 USD", "total"),
        ("Total\nEUR 15.00   USD 16.20", "total"),
    ],
)
def test_an_amount_in_two_currencies_is_not_settled_in_silence(text: str, name: str) -> None:
    result = one_field(text, None, name=name, type="MONEY")
    assert (result.value, [note.code for note in result.diagnostics]) == (None, ["CURRENCY_MISMATCH"])


@pytest.mark.parametrize(
    ("label", "total", "due"),
    [
        ("CARD BALANCE", None, None),
        ("POINTS BALANCE", None, None),
        ("Wallet balance", None, None),
        ("Remaining balance", None, Decimal("23.40")),
        ("Balance due", Decimal("23.40"), Decimal("23.40")),
        ("Balance", Decimal("23.40"), Decimal("23.40")),
    ],
)
def test_what_a_card_or_an_account_holds_is_not_what_is_to_be_paid(
    label: str, total: Decimal | None, due: Decimal | None
) -> None:
    text = f"METRO PARK SDN BHD\nFEE : RM 7.00\n{label} : RM 23.40"
    found = [one_field(text, None, name=name, type="DECIMAL").value for name in ("total", "amount_due")]
    assert found == [total, due]


@pytest.mark.parametrize(
    ("payment", "due"),
    [("", Decimal("413.00")), ("Visa 413.00", None), ("Paid 100.00", None), ("Amount due 5.00", Decimal("5.00"))],
)
def test_a_total_that_was_paid_is_not_due(payment: str, due: Decimal | None) -> None:
    assert one_field(f"Total 413.00\n{payment}", None, name="amount_due", type="DECIMAL").value == due


def test_a_total_of_something_else_is_no_rival_of_the_total() -> None:
    text = "Total $: $88,240.00\nTotal Spots: 212\nTotal CPP: $211.00\nTotal GRP: 13.2"
    result = one_field(text, None, name="total", type="DECIMAL")
    assert (result.value, [note.code for note in result.diagnostics]) == (Decimal("88240.00"), [])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Dave's Cars\nFare: £32.00\nDriver: 44", Decimal("32.00")),
        ("Base: 7,73\nIVA 21%: 1,62\nImporte: 9,35 €", Decimal("9.35")),
        ("Rate (Rs/L): 109.66\nVolume(L): 18.24\nAmount (Rs): 2000.00", Decimal("2000.00")),
        ("Fare: £32.00\nDeposit: £50.00", None),
        ("Item      Amount\nLamp      32.00\nCable      5.00", None),
    ],
)
def test_the_largest_amount_behind_a_lone_label_of_amounts_stands_in_for_the_total(
    text: str, value: Decimal | None
) -> None:
    result = one_field(text, None, name="total", type="DECIMAL")
    assert (result.value, result.confidence_band.value) == (value, "UNTRUSTED" if value is None else "MEDIUM")


_MAILS = ["a@x.example", "b@y.example"]
_PHONES = ["030 1234567", "030 7654321"]


@pytest.mark.parametrize(
    ("text", "field", "rivals"),
    [
        ("Due date: 2024-05-01 or 2024-06-01", {"name": "due_date", "type": "DATE"}, ["2024-05-01", "2024-06-01"]),
        ("Due date: 2024-05-01, 2024-06-01", {"name": "due_date", "type": "DATE"}, ["2024-05-01", "2024-06-01"]),
        ("Quantity: 5 / 6", {"name": "quantity", "type": "INTEGER"}, ["5", "6"]),
        ("Weight: 5.5 or 6.5 kg", {"name": "weight", "type": "DECIMAL"}, ["5.5", "6.5"]),
        ("Quantity: 5 to 6", {"name": "quantity", "type": "INTEGER"}, ["5", "6"]),
        ("Quantity: 5–6", {"name": "quantity", "type": "INTEGER"}, ["5", "6"]),
        ("Quantity: between 5 and 6", {"name": "quantity", "type": "INTEGER"}, ["5", "6"]),
        ("Anzahl: 5 bzw. 6", {"name": "quantity", "type": "INTEGER", "labels": ["Anzahl"]}, ["5", "6"]),
        ("Quantity: 5 of 6", {"name": "quantity", "type": "INTEGER"}, ["5"]),
        ("Price: 5.00 to 6.00", {"name": "price", "type": "DECIMAL"}, ["5.00", "6.00"]),
        ("Price: 5.00 and 6.00", {"name": "price", "type": "DECIMAL"}, ["5.00", "6.00"]),
        ("Date: 1-3 May 2025", {"name": "date", "type": "DATE"}, ["1-3 May 2025", "3 May 2025"]),
        ("Date: 1 or 3 May 2025", {"name": "date", "type": "DATE"}, ["1 or 3 May 2025", "3 May 2025"]),
        ("Price: EUR 10.00 / EUR 12.00", {"name": "price", "type": "MONEY"}, ["EUR 10.00", "EUR 12.00"]),
        ("Invoice no: A-100, A-101", {"name": "invoice_number", "type": "STRING"}, ["A-100", "A-101"]),
        ("Email: a@x.example / b@y.example", {"name": "email", "type": "STRING", "tags": ["email"]}, _MAILS),
        ("Invoice no: 4711 / 2025", {"name": "invoice_number", "type": "STRING"}, ["4711 / 2025"]),
        ("Quantity: 5 boxes of 12", {"name": "quantity", "type": "INTEGER"}, ["5"]),
        ("Total  EUR 1.20   EUR 1.43\n", {"name": "total", "type": "MONEY"}, ["EUR 1.43", "EUR 1.20"]),
        ("Total: 1.20 EUR 1.43 EUR\n", {"name": "total", "type": "MONEY"}, ["1.43 EUR", "1.20 EUR"]),
        ("Total   1.20   1.43\n", {"name": "total", "type": "DECIMAL"}, ["1.43", "1.20"]),
        ("Subtotal 1.20\nTax 0.23\nTotal   1.20   1.43\n", {"name": "total", "type": "DECIMAL"}, ["1.43"]),
        ("Tel. 030 1234567 / 030 7654321\n", {"name": "phone", "type": "STRING", "tags": ["phone"]}, _PHONES),
    ],
)
def test_of_two_values_side_by_side_neither_is_taken_in_silence(
    text: str, field: dict[str, Any], rivals: list[str]
) -> None:
    result = one_field(text, None, **field)
    assert [text[slice(*ref.span)] for ref in result.evidence_refs] == rivals
    assert ("CONFLICT" in [note.code for note in result.diagnostics]) == (len(rivals) > 1)


def test_both_ends_of_a_price_range_are_offered() -> None:
    result = one_field("Price: 10 - 12 EUR", None, name="price", type="DECIMAL")
    assert result.confidence_band.value == "MEDIUM"
    assert "CONFLICT" in [note.code for note in result.diagnostics]


def test_a_range_of_days_is_ambiguous_unless_an_end_is_asked_for() -> None:
    text = "Datum: 12.03.2024 - 15.03.2024"
    result = one_field(text, None, name="datum", type="DATE")
    notes = [note for note in result.diagnostics if note.code == "AMBIGUOUS_VALUE"]
    assert [list(note.context["readings"]) for note in notes] == [["2024-03-12", "2024-03-15"]]
    assert one_field(text, None, name="end", type="DATE", labels=["Datum"]).value == date(2024, 3, 15)


@pytest.mark.parametrize(
    ("text", "name", "tag", "value"),
    [
        ("IBAN DE89 3704 0044 0532 0130 00", "iban", "iban", "DE89370400440532013000"),
        ("Acme GmbH\ninfo@acme.de", "contact", "email", "info@acme.de"),
        ("Acme GmbH\ninfo@acme.de\nsales@acme.de", "contact", "email", None),
        ("Acme GmbH\ninfo@acme.de", "customer_email", "email", None),
        ("Email: n/a\nwritten by info@acme.de", "email", "email", None),
        ("E-Mail info@acme.de", "email", "email", "info@acme.de"),
        ("Tel. +49 40 123456", "phone", "phone", "+49 40 123456"),
        ("Fax +49 40 123456", "phone", "phone", None),
        ("Tel. +49 40 123456", "fax", "phone", None),
        ("Tel: 040 123456   Fax: 040 654321", "fax", "fax", "040 654321"),
        ("Visit www.acme.de", "site", "url", "www.acme.de"),
        ("Bank BIC COBADEFFXXX", "bic", "bic", "COBADEFFXXX"),
        ("Acme GmbH\nDE129273398", "tax_number", "vat_id", "DE129273398"),
        ("Acme GmbH\nDE129273398", "buyer_vat_id", "vat_id", None),
    ],
)
def test_a_tagged_value_is_found_by_its_shape(text: str, name: str, tag: str, value: str | None) -> None:
    assert one_field(text, name=name, type="STRING", semantic_tags=[tag]).value == value


def test_parts_that_make_up_a_total_equally_well_are_rivals() -> None:
    text = "Net: 10.00\nNet: 13.00\nTax: 3.90\nTax: 6.90\nTotal: 16.90\n"
    contract = {
        "id": "c",
        "version": "1",
        "fields": [{"name": name, "type": "DECIMAL", "required": True} for name in ("net", "tax", "total")],
    }
    found = paxman.normalize(text, contract)
    assert {r.field_path: (str(r.value), [n.code for n in r.diagnostics]) for r in found.field_results} == {
        "net": ("13.00", ["CONFLICT", "LOW_CONFIDENCE"]),
        "tax": ("3.90", ["CONFLICT", "LOW_CONFIDENCE"]),
        "total": ("16.90", []),
    }


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Passport issued 12.03.2019   valid until 11.03.2029", "issue_date", None),
        ("Passport issued: 12.03.2019", "invoice_date", None),
        ("Bill issued 12.03.2019", "issue_date", date(2019, 3, 12)),
        ("Name: Ilse\nDate of entry:  01.02.2024", "issue_date", None),
        ("Date of invoice:  01.02.2024", "issue_date", date(2024, 2, 1)),
        ("Payment date: 31 May 2024\nTotal paid 5.00", "due_date", None),
    ],
)
def test_the_date_of_something_else_is_not_that_of_the_paper(text: str, name: str, value: date | None) -> None:
    assert one_field(text, "de_DE", name=name, type="DATE").value == value


def test_a_date_of_what_the_label_does_not_say_is_less_sure() -> None:
    found = one_field("Date of entry:  01.02.2024", "de_DE", name="date", type="DATE")
    assert (found.value, found.confidence_band) == (date(2024, 2, 1), ConfidenceBand.MEDIUM)


def test_words_of_the_contract_may_stand_in_a_sentence() -> None:
    text = "The lease begins on September 1, 2024 and ends on August 31, 2025 unless both parties renew it."
    found = one_field(text, name="move_in", type="DATE", labels=["begins on"])
    assert (found.value, found.confidence_band) == (date(2024, 9, 1), ConfidenceBand.MEDIUM)


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("Zahlbar innerhalb 30 Tagen netto bis 04.04.2013, 3% Skonto innerhalb 10 Tagen bis 15.03.2013", "2013-04-04"),
        ("Zahlbar bis 15.03.2013 mit 2% Skonto, bis 04.04.2013 ohne Abzug.", "2013-04-04"),
        ("Der Betrag wird am 20.03.2014 von Ihrem Konto per Lastschrift eingezogen.", "2014-03-20"),
        ("Der Beitrag wird am 06.12.2013\nfällig.", "2013-12-06"),
        ("Bitte überweisen Sie den Betrag bis zum 16.05.2024 auf unser Konto.", "2024-05-16"),
        ("Please pay the full amount no later than 3 May 2024 to the account below.", "2024-05-03"),
        ("The balance will be debited from your account on 20 March 2024.", "2024-03-20"),
        ("Merci de bien vouloir régler cette facture avant le 22/06/2024.", "2024-06-22"),
        ("Rogamos efectúen el pago antes del 30/06/2024 en la cuenta indicada.", "2024-06-30"),
        ("Si prega di effettuare il pagamento entro il 13/03/2024.", "2024-03-13"),
        ("Wij verzoeken u het bedrag uiterlijk 2 mei 2024 te betalen.", "2024-05-02"),
        ("Prosimy o dokonanie wpłaty do dnia 23.04.2024 na konto.", "2024-04-23"),
        ("Beloppet ska betalas senast 2024-03-01.", "2024-03-01"),
        ("O pagamento deve ser efetuado até 20/06/2024.", "2024-06-20"),
        ("Thank you for your payment on 3 March 2024.", None),
        ("Please pay within 30 days of 3 March 2024.", None),
        ("Bei Zahlung bis 15.03.2013 gewähren wir 3% Skonto.", None),
        ("bereits bezahlt am 03.03.2024", None),
    ],
)
def test_a_sentence_says_when_to_pay(sentence: str, value: str | None) -> None:
    text = f"Rechnung Nr. 12 vom 25.02.2013\n{sentence}\n"
    found = one_field(text, None, name="due_date", type="DATE")
    assert (found.value and found.value.isoformat()) == value
    assert found.confidence_band is not ConfidenceBand.HIGH
    assert one_field(text, None, name="due_date", type="DATE", required=False).value is None


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Account number   8500 2217 4403", "account_number", "8500 2217 4403"),
        ("Fatura n.º 2024 0099812        Data: 10/09/2024", "invoice_number", "2024 0099812"),
        ("FATURA FT 2024/88      Data: 10/09/2024", "invoice_number", "FT 2024/88"),
        ("INVOICE EUR 120", "invoice_number", None),
        ("FACTURA\nNº: 2024/0457\nFecha: 3/4/2024", "invoice_number", "2024/0457"),
        ("Facture n° 24060113\nTotal 5,00", "numero_facture", "24060113"),
        ("Angebots-Nr.: AN-1042\nDatum: 1.2.2024", "angebotsnummer", "AN-1042"),
        ("Personal-Nr.: 0047      Steuerklasse: 3", "personalnummer", "0047"),
        ("Meter number     S18K 04417", "meter_number", "S18K 04417"),
        ("Sort code         60-11-28", "sort_code", "60-11-28"),
        ("Albarán      Fecha        Agente\nA-55120      2/2/2024     00431", "agente", "00431"),
        (
            "Invoice      Date          Amount\nKT-1180      03/04/2024    50.00\nKT-1192  17/04/2024  48.50",
            "invoice_number",
            None,
        ),
    ],
)
def test_numbers_are_whole_and_of_this_paper(text: str, name: str, value: str | None) -> None:
    assert one_field(text, None, name=name, type="STRING").value == value


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("Termin płatności: 2024-04-23", {"name": "termin_platnosci", "type": "DATE"}, date(2024, 4, 23)),
        ("Beløb: 12,50", {"name": "belob", "type": "DECIMAL"}, Decimal("12.50")),
        ("Wohnfläche: 64,5 m²", {"name": "wohnflaeche", "type": "DECIMAL"}, Decimal("64.5")),
        ("Rückgeld BAR   EUR   3,72", {"name": "rueckgeld", "type": "DECIMAL"}, Decimal("3.72")),
        ("Do wypłaty      PLN   4 786,70", {"name": "do_wyplaty", "type": "DECIMAL"}, Decimal("4786.70")),
    ],
)
def test_a_name_without_its_marks_is_still_the_label(text: str, field: dict[str, str], value: object) -> None:
    assert one_field(text, None, **field).value == value


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Total\nEUR: 10.00", "total", "10.00"),
        ("Total\n  VAT: 10.00", "total", None),
        ("Consommation : 49 m3\nConsommation d'eau      98,00 €", "consommation", "49"),
        ("Units used        967 kWh\nTotal   £12.50", "units_used", "967"),
        ("Netto (excl. USt.)      198,00\nUSt. 19%     198,00    37,62", "tax", "37.62"),
        (
            "Steuer %   Netto   Steuer   Brutto\nA= 19,0%    1,85     0,35     2,20\nGesamt      5,66     0,62    6,28",
            "tax",
            "0.62",
        ),
        ("IVA    BASE     CUOTA\n4%     3,13     0,13\n10%    0,87     0,09", "tax_total", None),
        ("Total         $2,960.00\nAmount paid     $500.00\nBalance due   $2,460.00", "grand_total", "2960.00"),
        ("Subtotal  8.56\nTax\nTOTAL  0.60\n9.16\nDEBIT  9.16", "total", "9.16"),
    ],
)
def test_the_amount_that_is_asked_for_and_no_other(text: str, name: str, value: str | None) -> None:
    found = one_field(text, None, name=name, type="DECIMAL").value
    assert found == (None if value is None else Decimal(value))


@pytest.mark.parametrize("text", ["TOTAL  0.00\n6.16", "Subtotal 8.56\nTOTAL  0.60", "Net  9.00"])
def test_a_total_that_its_parts_speak_against_is_less_sure(text: str) -> None:
    assert one_field(text, name="total", type="DECIMAL").confidence_band is ConfidenceBand.MEDIUM


def test_a_value_ends_where_the_next_label_of_its_line_begins() -> None:
    text = "Forma de pago: transferencia. Vencimiento: 03/05/2024"
    assert one_field(text, None, name="forma_de_pago", type="STRING").value == "transferencia"


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Total labour           432.02", "grand_total", "432.02"),
        ("NETTO IN BUSTA        1.561,85", "net_total", "1561.85"),
        ("Fuel total         50.00", "total", "50.00"),
    ],
)
def test_a_label_with_more_words_is_less_sure(text: str, name: str, value: str) -> None:
    found = one_field(text, None, name=name, type="DECIMAL")
    assert (found.value, found.confidence_band) == (Decimal(value), ConfidenceBand.MEDIUM)


@pytest.mark.parametrize("text", ["Total incl. VAT   50.00", "Total EUR   50.00", "Total amount due   50.00"])
def test_a_label_with_its_usual_words_is_sure(text: str) -> None:
    assert one_field(text, name="total", type="DECIMAL").confidence_band is ConfidenceBand.HIGH


@pytest.mark.parametrize(
    "text",
    [
        "Sort code         60-11-28\nAccount 12345678",
        "Antigüedad: 15/09/2016\nSalario   5,00",
        "Data assunzione: 22/11/2015\nMese: Aprile",
        "Date received: 22/11/2015\nTotal 5.00",
    ],
)
def test_a_code_or_the_date_of_another_label_is_not_that_of_the_paper(text: str) -> None:
    assert one_field(text, None, name="issue_date", type="DATE").value is None


@pytest.mark.parametrize("label", ["BILL DT", "CREATE TIME"])
def test_labels_that_speak_of_the_paper_or_the_time_lead_to_its_date(label: str) -> None:
    assert one_field(f"{label}: 27/04/2018\nTotal 5.00", name="date", type="DATE").value == date(2018, 4, 27)


@pytest.mark.parametrize("text", ["Bankgiro 5050-1055", "1100-063 Lisboa", "FACTURA\nNº: 2024/0457"])
def test_a_number_that_nothing_calls_a_phone_is_none(text: str) -> None:
    assert one_field(text, name="phone", type="STRING", tags=["phone"]).value is None


def test_the_first_date_of_a_list_is_a_guess_for_that_of_the_paper() -> None:
    text = "Date         Item         Charges\n06-Sep-24    Room         129.00\n07-Sep-24    Dinner        41.50\n"
    found = one_field(text, name="date", type="DATE")
    assert (found.value, found.confidence_band) == (date(2024, 9, 6), ConfidenceBand.MEDIUM)


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Remarks:            Checked by: Bob Hill", "remarks", None),
        ("Project:      Cost centre: 4400", "project", None),
        ("Signature:   Place: Rome", "signature", None),
        ("Ship to:              Required by: 28/07/2025\nNorthwind Depot 2\n", "ship_to", "Northwind Depot 2"),
        ("Remarks:            Bob Hill", "remarks", "Bob Hill"),
        ("Remarks: see also: Bob Hill", "remarks", "see also: Bob Hill"),
        ("Subject:      Re: your order", "subject", "Re: your order"),
        ("Website:      https://acme.org", "website", "https://acme.org"),
    ],
)
def test_an_empty_place_of_a_form_does_not_take_the_next_label(text: str, name: str, value: str | None) -> None:
    assert one_field(text, name=name, type="STRING").value == value


def test_an_empty_place_of_a_form_has_no_date_or_count() -> None:
    assert one_field("Due date:        Collected at: 28/07/2025", name="due_date", type="DATE").value is None
    assert one_field("Copies:      Room: 12", name="copies", type="INTEGER").value is None


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Invoice number: 2025 Q1 0007", "invoice_number", "2025 Q1 0007"),
        ("Contract number: K 2025 / 14", "contract_number", "K 2025 / 14"),
        ("Invoice no.: 4711 / 2025", "invoice_number", "4711 / 2025"),
        ("Invoice number: 77 A", "invoice_number", "77 A"),
        ("Customer no: 12 345 (main)", "customer_number", "12 345"),
        ("Invoice INV77", "invoice_number", "INV77"),
        ("Delivery note: DN-5", "delivery_note_number", "DN-5"),
        ("Lieferschein:    LS-5", "delivery_number", "LS-5"),
        ("Delivery note DN-5", "delivery_note_number", None),
        ("Rechnung RE-77", "invoice_number", "RE-77"),
        ("Invoice number: 4711 dated 1 May 2025", "invoice_number", "4711"),
        ("Invoice no: 4711 / 12.03.2025", "invoice_number", "4711"),
        ("Invoice no: 4711 EUR", "invoice_number", "4711"),
        ("Invoice no: 4711 Page 1", "invoice_number", "4711"),
    ],
)
def test_a_number_in_groups_is_not_cut_short(text: str, name: str, value: str) -> None:
    assert one_field(text, name=name, type="STRING").value == value


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Acme\nE-Mail info@example.org", "email", "info@example.org"),
        ("Acme\nE-Mail info@example.org", "seller_email", "info@example.org"),
        ("Acme\nE-Mail info@example.org", "email_consent", None),
        ("Acme\ninfo@example.org\nsales@example.org", "email", None),
        ("BIC COBADEFFXXX", "bic", "COBADEFFXXX"),
        ("IBAN DE89 3704 0044 0532 0130 00", "iban", "DE89370400440532013000"),
    ],
)
def test_a_name_that_says_the_shape_needs_no_tag(text: str, name: str, value: str | None) -> None:
    assert one_field(text, name=name, type="STRING").value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("VAT 7% 2.73\nVAT 19% 5.00\nTotal 77.00", None),
        ("VAT 7% 2.73\nVAT 19% 5.00\nTotal VAT 7.73", Decimal("7.73")),
        ("VAT 19% 5.00", Decimal("5.00")),
    ],
)
def test_tax_of_several_rates_has_no_whole_without_its_sum(text: str, value: Decimal | None) -> None:
    assert one_field(text, name="tax_total", type="DECIMAL").value == value


DEPOT = "Northwind Depot 2 Gate 3, Quay St Bristol BS2 0XX"
TWO_COLUMNS = """\
Bill to:                 Ship to:
Oak Ltd                  Northwind Depot 2
12 Mill Road             Gate 3, Quay St
Leeds LS1 4AB            Bristol BS2 0XX
United Kingdom
Phone: 0113 496 0000     VAT: none
"""


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        (
            "Ship to:\nNorthwind Depot 2\nGate 3, Quay St\nBristol BS2 0XX\nPallets of four\n",
            {"name": "ship_to", "tags": ["postal_address"]},
            DEPOT,
        ),
        (
            "Delivery address: Northwind Depot 2\nGate 3, Quay St\nBristol BS2 0XX\n\nThank you\n",
            {"name": "delivery_address"},
            DEPOT,
        ),
        (TWO_COLUMNS, {"name": "shipping_address", "labels": ["Ship to"]}, DEPOT),
        (
            TWO_COLUMNS,
            {"name": "billing_address", "labels": ["Bill to"]},
            "Oak Ltd 12 Mill Road Leeds LS1 4AB United Kingdom",
        ),
        (
            "Lieferanschrift: Nordwind AG\n                 Hafenstr. 3\n                 20457 Hamburg\nTelefon: 30",
            {"name": "lieferanschrift"},
            "Nordwind AG Hafenstr. 3 20457 Hamburg",
        ),
        ("Address: 12 Mill Road, Leeds LS1 4AB\nSee you soon\n", {"name": "address"}, "12 Mill Road, Leeds LS1 4AB"),
        ("E-mail address: ida@oak.example\n12 Mill Road\n", {"name": "email_address"}, "ida@oak.example"),
    ],
)
def test_a_labelled_address_is_its_whole_block(text: str, field: dict[str, object], value: str) -> None:
    assert one_field(text, type="STRING", **field).value == value


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Opening hours     Mon-Fri:9-17\nPhone             555-0100\n", "opening_hours", "Mon-Fri:9-17"),
        ("Model         Pump X\nSerial        SN:123456\n", "serial", "SN:123456"),
    ],
)
def test_a_colon_before_a_digit_is_part_of_a_value(text: str, name: str, value: str) -> None:
    result = one_field(text, None, name=name, type="STRING")
    assert (result.value, result.confidence_band.value) == (value, "HIGH")


@pytest.mark.parametrize(
    "text",
    [
        "Tel: 03-7726 1234 / 03-7726 5678\n",
        "T\u00e9l. : 01 42 68 53 00 / 01 42 68 53 01\n",
        "Phone: (217) 555-0134, (217) 555-0135\n",
        "Phone: (217) 555-0134 & (217) 555-0135\n",
        "Phone                            Fax\n(217) 555-0134 / (217) 555-0135  (217) 555-0139\n",
    ],
)
def test_of_two_phones_neither_is_sure(text: str) -> None:
    result = one_field(text, None, name="phone", type="STRING")
    quotes = [(ref.role, text[slice(*ref.span)]) for ref in result.evidence_refs]
    assert [role for role, _ in quotes] == ["supporting", "rejected"]
    assert (result.value, result.confidence_band.value) == (quotes[0][1], "MEDIUM")
    assert all(quote in text.splitlines()[-1] for _, quote in quotes)


@pytest.mark.parametrize(
    ("above", "name", "band"),
    [
        ("                     Current        YTD\nBasic salary        2,500.00    7,500.00\n", "net_pay", "HIGH"),
        ("                       2024        2023\n", "net_pay", "HIGH"),
        ("", "net_pay", "MEDIUM"),
        ("Employee no: 12    Week: 7    Page: 1\n", "net_pay", "MEDIUM"),
    ],
)
def test_amounts_below_headings_of_their_own_are_no_rivals(above: str, name: str, band: str) -> None:
    result = one_field(
        f"PAYSLIP\n{above}Net pay             2,100.00    6,300.00\n", "en_GB", name=name, type="DECIMAL"
    )
    assert (result.value, result.confidence_band.value) == (Decimal("2100.00"), band)


OPEN_YEAR = "a day without a year stands at the label, and no period of the page tells it"


@pytest.mark.parametrize(
    ("text", "day", "year"),
    [
        ("Statement period 01.03.2024-31.03.2024\nDue date: 12.03.\n", date(2024, 3, 12), "2024 of 17-38"),
        ("Period 01.01.24 - 31.12.24\nDue date: 31.10.\n", date(2024, 10, 31), "2024 of 7-26"),
        ("Period 01.12.2023 to 31.01.2024\nDue date: Jan 15\n", date(2024, 1, 15), "2024 of 7-31"),
        (
            "Zeitraum 1. bis 31. M\u00e4rz 2024\nF\u00e4llig am 05.03.    Betrag 5,00\n",
            date(2024, 3, 5),
            "2024 of 9-29",
        ),
        ("Due date: 12 March\n", None, None),
        ("Contract dated 15 January 2024\nDue date: 31 January\n", None, None),
        ("Period 01.03.2024-31.03.2024\nDue date: 12 April\n", None, None),
        ("Period 01.03.2024-31.03.2024, before 01.03.2023-31.03.2023\nDue date: 12.03.\n", None, None),
        ("Period 01.12.2023-31.12.2024\nDue date: 24 December\n", None, None),
        ("Period 01.01.2023-31.12.2023\nDue date: 29 February\n", None, None),
        ("Period 01.01.2024-31.12.2024\nDue date: Mar 24\n", None, None),
    ],
)
def test_a_day_without_a_year_has_that_of_a_period_of_the_page_or_none(
    text: str, day: date | None, year: str | None
) -> None:
    result = one_field(text, None, name="due_date", type="DATE")
    assert (result.value, result.confidence_band.value) == (day, "MEDIUM" if day else "UNTRUSTED")
    assert (OPEN_YEAR in [note.message for note in result.diagnostics]) == (day is None)
    assert [ref.transforms[0] for ref in result.evidence_refs] == ([f"year:{year}"] if year else [])
    assert [transforms.run(ref.transforms, text[slice(*ref.span)]) for ref in result.evidence_refs] == [day] * bool(day)


@pytest.mark.parametrize("written", ["05/28", "8.05", "12-03", "12.03", "05/26"])
def test_two_numbers_are_no_day_without_a_closing_point(written: str) -> None:
    text = f"Period 01.01.2025 - 31.12.2028\nPeriod 01.01.2025 - 31.12.2025\nExpiry date: {written}\n"
    assert one_field(text, None, name="expiry_date", type="DATE").value is None


@pytest.mark.parametrize("kind", ["text", "html"])
def test_a_year_that_two_readers_take_from_the_page_is_not_sure(kind: str) -> None:
    rows = [["Date", "Text", "Amount"], ["04.12.", "Rent", "900.00"], ["05.01.", "Wages", "2500.00"]]
    source = {
        "text": "".join("".join(cell.ljust(16) for cell in row).rstrip() + "\n" for row in rows),
        "html": f"<table>{''.join('<tr><td>' + '<td>'.join(row) for row in rows)}</table>",
    }[kind]
    period = "Statement 01.12.2023 - 31.01.2024"
    items = {"fields": [{"name": name, "type": kind, "required": True} for name, kind in ROW]}
    field = {"name": "transactions", "type": "ARRAY", "items": items}
    result = one_field(f"<p>{period}</p>{source}" if kind == "html" else f"{period}\n{source}", None, **field)
    days = [row["date"] for row in result.value]
    assert (days, result.confidence_band.value) == ([date(2023, 12, 4), date(2024, 1, 5)], "MEDIUM")


def test_the_days_of_a_statement_have_the_year_of_its_period() -> None:
    rows = "Datum   Text    Betrag\n04.12.  Miete   -900,00\n05.01.  Gehalt  2.500,00\n"
    items = {"fields": [{"name": name, "type": kind, "required": True} for name, kind in ROW]}
    field = {"name": "transactions", "type": "ARRAY", "items": items}
    result = one_field(f"Kontoauszug 01.12.2023 - 31.01.2024\n{rows}", None, **field)
    days = [row["date"] for row in result.value]
    assert (days, result.confidence_band.value) == ([date(2023, 12, 4), date(2024, 1, 5)], "MEDIUM")
    assert one_field(f"Kontoauszug\n{rows}", None, **field).value is None


ROW = (("date", "DATE"), ("text", "STRING"), ("amount", "DECIMAL"))


@pytest.mark.parametrize(
    ("text", "labels", "amounts", "band"),
    [
        ("Total 20.00\nService charge 2.00\nAmount due 22.00\n", [], ["20.00", "22.00"], "MEDIUM"),
        ("Total 20.00\nService charge 2.00\nAmount due 22.00\n", ["Total", "Amount due"], ["22.00"], "HIGH"),
        ("Total 20.00\nService charge 2.00\nAmount due 22.00\nCash 30.00\nChange 8.00\n", [], ["22.00"], "HIGH"),
        ("Total 20.00\nDelivery charge 2.00\nTotal payable 22.00\n", [], ["22.00"], "HIGH"),
        ("Total 20.00\nService charge 2.00\nVAT 2.20\nAmount due 24.20\n", [], ["24.20"], "HIGH"),
        ("Subtotal 20.00\nService charge 2.00\nAmount due 22.00\n", [], ["22.00"], "HIGH"),
    ],
)
def test_a_total_of_its_own_name_and_one_with_charges_are_rivals(
    text: str, labels: list[str], amounts: list[str], band: str
) -> None:
    result = one_field(text, name="total", type="DECIMAL", labels=labels)
    assert [text[slice(*ref.span)] for ref in result.evidence_refs] == amounts
    assert (result.value, result.confidence_band.value) == (Decimal(amounts[0]), band)


def test_a_value_right_below_its_label_comes_before_one_of_the_next_column() -> None:
    text = """INVOICE                       Invoice Date         Castle Limited
                              7 Aug 2025           Unit 115 Riverside Park
                              Invoice Number
                                                   NR2 1TF
                              INV-6759
"""
    found = paxman.normalize(text, INVOICE)["invoice_number"]
    assert (found.value, found.confidence_band) == ("INV-6759", ConfidenceBand.HIGH)


def test_a_value_a_little_to_the_right_below_its_label_counts_where_nothing_is_below_it() -> None:
    text = "Invoice Number\n                 INV-6759\nThank you\n"
    assert paxman.normalize(text, INVOICE)["invoice_number"].value == "INV-6759"


def test_a_heading_that_goes_on_in_the_next_line_is_no_label_of_a_total() -> None:
    text = """Item             Qty   Unit price    Net amount   VAT %  VAT    Line
                                                               total

Paper              2        10.00         20.00    20   4.00   24.00

Mounting           1        50.00         50.00    20  10.00   60.00

Transfer 84.00 to our account
"""
    assert paxman.normalize(text, INVOICE)["grand_total"].value is None


@pytest.mark.parametrize(("speck", "number"), [(".", "INV-6759"), ("*", "INV-6759"), ("-", None), ("/", None)])
def test_a_speck_between_a_label_and_its_value_is_passed_over_but_a_dash_says_none(speck: str, number: str) -> None:
    text = f"Invoice Number\n{speck}\nINV-6759\n"
    assert paxman.normalize(text, INVOICE)["invoice_number"].value == number


@pytest.mark.parametrize(("locale", "day"), [("ja_JP", date(2024, 12, 25)), ("de_DE", date(2025, 12, 24))])
def test_the_locale_says_whether_a_short_year_comes_first(locale: str, day: date) -> None:
    contract = {"id": "p", "version": "1", "fields": [{"name": "date", "type": "DATE", "required": True}]}
    found = paxman.normalize("Date: 24/12/25\n", contract, policy=paxman.Policy(locale=locale))
    assert found["date"].value == day


@pytest.mark.parametrize(
    ("text", "adults", "children"),
    [
        ("Party: 4 adults, 2 children\n", 4, 2),
        ("4 adults\n2 children\n", 4, 2),
        ("4 Adults and 2 Children\n", 4, None),
        ("Adults 4, Children 2\n", 4, 2),
        ("Room 12 adults 2\n", 2, None),
        ("Guests 2 adults, 1 child\n", None, None),
    ],
)
def test_a_number_counts_the_noun_behind_it(text: str, adults: int | None, children: int | None) -> None:
    fields = [{"name": name, "type": "INTEGER", "required": False} for name in ("adults", "children")]
    artifact = paxman.normalize(text, {"id": "stay", "fields": fields})
    assert [artifact["adults"].value, artifact["children"].value] == [adults, children]


def test_the_number_of_a_line_in_a_form_counts_nothing() -> None:
    wages = {"name": "wages", "type": "INTEGER", "required": False}
    artifact = paxman.normalize("1 Wages, tips   48500\n", {"id": "form", "fields": [wages]})
    assert artifact["wages"].value != 1


def test_a_word_of_a_value_that_is_a_label_elsewhere_does_not_end_it() -> None:
    manager = {"name": "manager", "type": "STRING", "required": False, "labels": ["Reporting to"]}
    text = "Reporting to: Aoife Lynch, Head of Data\nHR Manager\nStart: 1 May\n"
    assert paxman.normalize(text, {"id": "job", "fields": [manager]})["manager"].value == "Aoife Lynch, Head of Data"


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Reserveringsnummer: HZ-559021\n", "reservation_number", "HZ-559021"),
        ("Booking ref: WC/2291\n", "booking_reference", "WC/2291"),
        ("Verwendungszweck: Miete Mai\n", "payment_reference", "Miete Mai"),
        ("Forma de pago: Transferencia\n", "payment_method", "Transferencia"),
        ("Dirección: C/ Alcalá 214, 28028 Madrid\n", "address", "C/ Alcalá 214, 28028 Madrid"),
        ("Besteller: Tischlerei Huber e.K.\n", "buyer", "Tischlerei Huber e.K."),
        ("Personalnummer: 17\n", "employee_number", "17"),
        ("Our ref: AB/12   Your ref: XY-9\n", "our_reference", "AB/12"),
        ("Our ref   AB/12\nYour ref   X-9\n", "your_reference", "X-9"),
        ("PO: A7\n", "po_number", "A7"),
        ("PO: 12 boxes of nails\n", "po_number", None),
        ("No. Faktur: 0012/INV/VII/2024\n", "invoice_number", "0012/INV/VII/2024"),
    ],
)
def test_words_of_other_papers(text: str, name: str, value: str | None) -> None:
    field = {"name": name, "type": "STRING", "required": False}
    assert paxman.normalize(text, {"id": "paper", "fields": [field]})[name].value == value


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Fecha del pedido", "order_date"),
        ("Data dell'ordine", "order_date"),
        ("Tarikh pesanan", "order_date"),
        ("Angebotsdatum", "quote_date"),
        ("Date du devis", "quote_date"),
        ("Paid on", "payment_date"),
    ],
)
def test_days_of_other_papers(label: str, name: str) -> None:
    field = {"name": name, "type": "DATE", "required": False}
    found = paxman.normalize(f"Ref: 1\n{label}: 2024-05-17\n", {"id": "paper", "fields": [field]})[name]
    assert (found.value, found.confidence_band) == (date(2024, 5, 17), ConfidenceBand.HIGH)


def test_delivery_is_a_price_or_a_day() -> None:
    fields = [
        {"name": "shipping", "type": "MONEY", "required": False},
        {"name": "delivery_date", "type": "DATE", "required": False},
    ]
    text = "Est. delivery: 6 February 2025\nDelivery £3.95\nTotal £24.00\n"
    artifact = paxman.normalize(text, {"id": "order", "fields": fields})
    assert (str(artifact["shipping"].value), artifact["delivery_date"].value) == ("3.95 GBP", date(2025, 2, 6))


@pytest.mark.parametrize("rows", ["Room               120.00\n", "Room    120.00\nRoom    120.00\n"])
def test_a_number_beside_its_label_is_no_amount_of_a_row(rows: str) -> None:
    text = f"Guest: Ms Berg     Room: 412\n{rows}Total              134.00\n"
    found = one_field(text, None, name="room_number", type="STRING")
    assert (found.value, [note.code for note in found.diagnostics]) == ("412", [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sales Tax (7%)      $63.00\n", ("7", "HIGH")),
        ("TVA 20 % : 20,00\n", ("20", "HIGH")),
        ("zzgl. 19 % MwSt.   531,62 €\n", ("19", "HIGH")),
        ("10 % Rabatt, 19 % MwSt.\n", ("19", "HIGH")),
        ("inkl. 7% MwSt  1,00\ninkl. 19% MwSt   2,00\n", ("7", "MEDIUM")),
        ("Discount 5% VAT 20.00\n", (None, "UNTRUSTED")),
        ("Sales tax   20.00 (5% off)\n", (None, "UNTRUSTED")),
        ("CGST 9%   9.00\nSGST 9%   9.00\n", (None, "UNTRUSTED")),
    ],
)
def test_the_rate_of_a_tax_stands_right_behind_or_before_it(text: str, expected: tuple[str | None, str]) -> None:
    found = one_field(text, None, name="tax_rate", type="DECIMAL")
    assert (found.value and str(found.value), found.confidence_band.value) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Total Amount Due by 07/13/2024       $131.87\n", (date(2024, 7, 13), "HIGH")),
        ("Zahlbetrag bis zum 13.07.2024   50,00 EUR\n", (date(2024, 7, 13), "HIGH")),
        ("Amount due by check   $131.87\nPrinted 07/13/2024\n", (None, "UNTRUSTED")),
        ("Amount due before 1 May 2024   $20\n", (None, "UNTRUSTED")),
        ("Discounted amount due by 1 May 2024   $20\nAmount due   $22\n", (None, "UNTRUSTED")),
        ("Outstanding by 30 April 2024   $12.00\n", (None, "UNTRUSTED")),
    ],
)
def test_an_amount_may_be_due_by_a_day(text: str, expected: tuple[date | None, str]) -> None:
    found = one_field(text, None, name="due_date", type="DATE", required=False)
    assert (found.value, found.confidence_band.value) == expected


@pytest.mark.parametrize(
    "text",
    ["Invoice no. and date: 4711 / 12.05.2024\n", "Rechnungsnummer und -datum: 4711 vom 12.05.2024\n"],
)
def test_one_label_may_be_that_of_the_number_and_the_date(text: str) -> None:
    artifact = paxman.normalize(text, INVOICE, policy=paxman.Policy(locale="de_DE"))
    found = [(artifact[name].value, artifact[name].confidence_band) for name in ("invoice_number", "issue_date")]
    assert found == [("4711", ConfidenceBand.HIGH), (date(2024, 5, 12), ConfidenceBand.HIGH)]


def test_a_folio_is_a_number_of_the_invoice_and_no_other_folio() -> None:
    text = "FACTURA\nFolio fiscal: 5FB2822E-396D-4725-8521-CDC4BDD20CCF\nFolio: 1021\n"
    assert one_field(text, None, name="invoice_number", type="STRING").value == "1021"


def test_a_date_below_a_label_is_no_part_of_the_number() -> None:
    text = "Customer number\n4711 / 12.05.2024\n"
    assert one_field(text, None, name="customer_number", type="STRING").value == "4711"
