"""Values of papers that hold others of the same kind: whole numbers, the next heading, the date of another paper."""

from __future__ import annotations

import pytest

import paxman
from paxman.capabilities.line_shapes import legal_end
from paxman.types import ConfidenceBand

TYPES = {"date": "DATE", "total": "MONEY", "due": "MONEY", "paid": "MONEY"}


def resolve(text: str, *names: str) -> list[object]:
    fields = [{"name": name, "type": TYPES.get(name.split("_")[-1], "STRING"), "required": False} for name in names]
    artifact = paxman.normalize(text, {"id": "paper", "version": "1", "fields": fields})
    return [value if value is None else str(value) for value in (artifact[name].value for name in names)]


NUMBERS = [
    "INV 2024 0017",
    "10 144 872 330",
    "12 34 56 78",
    "A 4711",
    "FT 2024/1183",
    "DN 77120",
    "VR 900 441 872",
    "K-4711",
]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    "paper",
    [
        "Invoice No.         Date          Customer\n{:20}13.05.2024    Foo Ltd\n",
        "Acme Ltd\nInvoice No.   {}\n",
        "Acme Ltd\nInvoice No. {}\n",
        "Acme Ltd\nInvoice no.: {}\n",
        "Acme Ltd\nRechnungsnummer: {}\n",
    ],
)
def test_a_number_is_read_with_all_its_groups(paper: str, number: str) -> None:
    assert resolve(paper.format(number), "invoice_number") == [number]


def test_a_currency_begins_no_number() -> None:
    assert resolve("Invoice No.    Date\nEUR 4711       13.05.2024\n", "invoice_number") == ["4711"]


@pytest.mark.parametrize("number", ["0711 5550-188", "08-555 014 20", "(505) 555-0148", "05 61 55 01 22"])
@pytest.mark.parametrize("label", ["Tel. ", "Tlf. ", "Telefon ", "Phone: ", "Telefon no. ", "Téléphone     "])
def test_a_phone_number_needs_no_tag(label: str, number: str) -> None:
    text = f"Acme GmbH\n{label}{number}\nFax {number}9\n"
    assert resolve(text, "phone", "fax") == [number, f"{number}9"]


def test_a_phone_number_stands_below_its_label() -> None:
    assert resolve("Telefon           Room\n0711 5550-188     4\n", "phone") == ["0711 5550-188"]


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        (
            "Employee No.    Employee          Dept\n00418           Grace Hall        Sales\n",
            "employee_number",
            "00418",
        ),
        ("Driver       Truck\nM. Sykes     YK23 LZP\n", "driver", "M. Sykes"),
        ("Driver       Truck      Town\nJohn Sykes   YK23 LZP   Derby\n", "driver", "John Sykes"),
        ("Trip    Driver     Town     Seat\n4711    John Lee   Derby    B\n", "driver", "John Lee"),
        ("Policy No.     Policy         Start\nP-77812        Home Plus      01.03.2024\n", "policy_number", "P-77812"),
        ("Guest      John Smith\nRoom       412\n", "guest", "John Smith"),
        ("Name     Jo Hill     Floor    Ground\nTown     Derby       Room     412\n", "name", "Jo Hill"),
    ],
)
def test_the_next_heading_is_no_value(text: str, name: str, value: str) -> None:
    assert resolve(text, name) == [value]


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        (
            "Mechanic    Ann Lowe    Bay      North\n1st check   Bob Dale    Status   done\n",
            "mechanic bay",
            "Ann Lowe|North",
        ),
        ("Driver   Peter Jones    signed\nLoader   Marc Webb      signed\n", "driver", "None"),
    ],
)
def test_the_label_of_the_next_row_is_no_value(text: str, names: str, expected: str) -> None:
    assert "|".join(map(str, resolve(text, *names.split()))) == expected


def test_the_first_row_of_a_list_is_not_that_of_the_paper() -> None:
    rows = "John Sykes   Volvo      Derby\nMary Hill    Saab       Lund\n"
    assert resolve(f"Driver       Truck      Town\n{rows}", "driver") == [None]


@pytest.mark.parametrize(
    ("text", "band"),
    [
        ("Vehicle       Mileage\nFord Focus    12,400\n", ConfidenceBand.MEDIUM),
        ("Vehicle       Ford Focus\nMileage       12,400\n", ConfidenceBand.HIGH),
        ("Vehicle       Driver     Town\nFord Focus    Jo Hill    Derby\n", ConfidenceBand.UNTRUSTED),
        ("Vehicle       Driver     Miles\nFord Focus    Jo Hill    12,400\n", ConfidenceBand.HIGH),
    ],
)
def test_what_may_be_a_heading_is_not_trusted(text: str, band: ConfidenceBand) -> None:
    field = {"name": "vehicle", "type": "STRING", "required": True}
    assert paxman.normalize(text, {"id": "c", "version": "1", "fields": [field]})["vehicle"].confidence_band is band


@pytest.mark.parametrize(
    ("title", "own", "other"),
    [
        ("CREDIT MEMO", "Credit memo date", "Original invoice date"),
        ("PAYMENT REMINDER", "Date:", "Invoice date:"),
        ("DELIVERY NOTE", "Date:", "Invoice date:"),
        ("STATEMENT OF ACCOUNT", "Date:", "Invoice date:"),
        ("Gutschrift Nr. GS-12", "Datum:", "Rechnungsdatum:"),
        ("MAHNUNG", "Mahndatum:", "Rechnungsdatum:"),
        ("AVOIR N° AV-12", "Date :", "Date de la facture :"),
        ("AVOIR", "Date de l'avoir :", "Date de la facture d'origine :"),
        ("NOTA DE CRÉDITO", "Fecha:", "Fecha de factura:"),
        ("Acme Ltd", "Date:", "Original invoice date:"),
        ("Billington Ltd     CREDIT NOTE", "Date:", "Invoice date:"),
    ],
)
def test_the_date_of_an_invoice_is_not_that_of_another_paper(title: str, own: str, other: str) -> None:
    text = f"Acme Ltd     {title}\n{own} 28/04/2024\n{other} 15/03/2024\n"
    assert resolve(text, "issue_date") == ["2024-04-28"]


@pytest.mark.parametrize("line", ["Your bill date: 14 May 2024", "Your invoice date 14/05/2024"])
def test_the_reader_s_invoice_may_be_this_paper(line: str) -> None:
    assert resolve(f"Northern Power\n{line}\n", "issue_date") == ["2024-05-14"]


def test_a_field_may_ask_for_the_date_of_the_invoice() -> None:
    assert resolve("REMINDER\nDate: 28/04/2024\nInvoice date: 15/03/2024\n", "invoice_date") == ["2024-03-15"]


def test_the_date_of_an_invoice_stands_in_on_a_paper_without_another() -> None:
    field = {"name": "issue_date", "type": "DATE", "required": True}
    text = "REMINDER\nInvoice no. F-99\nInvoice date: 15/03/2024\n"
    found = paxman.normalize(text, {"id": "c", "version": "1", "fields": [field]})["issue_date"]
    assert (str(found.value), found.confidence_band) == ("2024-03-15", ConfidenceBand.MEDIUM)


@pytest.mark.parametrize(
    ("text", "seller", "buyer"),
    [
        ("Acme Ltd\n\nBill to\nFoo Ltd\n\nTotal 5.00 GBP\n\nVAT No. GB 902 7416 44\n", "GB902741644", None),
        ("Acme Ltd\n\nBill to\nFoo Ltd\n\nSent by post\n\nVAT No. GB 902 7416 44\n", "GB902741644", None),
        (
            "Acme Ltd\nVAT No. GB 902 7416 44\n\nBill to\nFoo Ltd\n\nVAT No. GB 980 7806 84\n",
            "GB902741644",
            "GB980780684",
        ),
    ],
)
def test_a_tax_number_below_the_sums_is_the_sellers(text: str, seller: str | None, buyer: str | None) -> None:
    assert resolve(text, "seller_vat_id", "buyer_vat_id") == [seller, buyer]


@pytest.mark.parametrize(
    ("lines", "seller", "buyer"),
    [
        ("INVOICE\n\nCustomer: Foo Ltd\n", None, "HIGH"),
        ("Order no: 55\nCustomer: Foo Ltd\n", None, "MEDIUM"),
        ("Order no: 55\nCustomer: Foo Ltd\n22 Mill Road\n", None, "HIGH"),
        ("Order no: 55\nCustomer:\nFoo Ltd\n", None, "HIGH"),
        ("Order no: 55\nCustomer: Foo Ltd\nDate: 3 May 2025\n", "MEDIUM", None),
        ("Order no: 55\nCustomer: Foo Ltd\nDate: 3 May 2025\n\nThank you\n", "HIGH", None),
        ("Order no: 55\nCustomer: Foo Ltd\nDate: 3 May 2025\nOur ", "HIGH", None),
    ],
)
@pytest.mark.parametrize(
    ("kind", "label"),
    [("email", "Email: a@b.example"), ("vat_id", "VAT No: GB 980 7806 84"), ("vat_id", "VAT GB980780684")],
)
def test_a_party_that_is_one_entry_of_several_heads_no_sure_block(
    lines: str, seller: str | None, buyer: str | None, kind: str, label: str
) -> None:
    names = (f"seller_{kind}", f"buyer_{kind}")
    fields = [{"name": name, "type": "STRING", "required": False, "tags": [kind]} for name in names]
    found = paxman.normalize(f"Acme Ltd\n{lines}{label}\n", {"id": "c", "version": "1", "fields": fields})
    bands = [found[name].confidence_band.value if found[name].value else None for name in names]
    assert bands == [seller, buyer]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Acme Ltd\nInvoice no. 5\nInvoice date 05/13/2024\nDue date 06/13/2024\nTotal 5.00 USD\n", "effective_date"),
        ("Acme Ltd    REMINDER\nDate: 28/04/2024\nTotal 5.00 USD\n", "effective_date"),
        ("Acme Ltd\nDate: 28/04/2024\nTotal 5.00 USD\nBy paying you agree to our terms.\n", "effective_date"),
        ("CREDIT NOTE\nTotal Credit   £  103.20\n", "amount_paid"),
        ("Delivery note no. DN-5512\n", "tracking_number"),
        ("Order number: 8812\n", "contract_number"),
    ],
)
def test_what_another_label_names_is_not_taken_for_the_field(text: str, name: str) -> None:
    assert resolve(text, name) == [None]


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("This agreement is made between A and B.\nDate: 13 May 2024\n", "effective_date", "2024-05-13"),
        ("Effective date: 13 May 2024\n", "effective_date", "2024-05-13"),
        ("Amount paid   £  103.20\n", "amount_paid", "103.20 GBP"),
        ("Sendungsnummer: 00340434\nLieferschein-Nr. LS-1\n", "tracking_number", "00340434"),
        ("Contract no. C-8812\nOrder no. 77\n", "contract_number", "C-8812"),
    ],
)
def test_the_labels_of_such_fields_are_still_read(text: str, name: str, value: str) -> None:
    assert resolve(text, name) == [value]


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("N. colli: 52    Peso kg: 1.300    Porto: franco\n", None),
        ("All prices in euros\nCoffee 2.50\n", "EUR"),
        ("Total   Euro    12,50\n", "EUR"),
        ("Price 12.50 dollars\n", "USD"),
        ("Betrag (Euro)\n12,50\n", "EUR"),
        ("Calle Colón 102\n46002 Valencia\n\nTOTAL          12,50 €\n", "EUR"),
    ],
)
def test_a_word_that_may_mean_a_currency_stands_with_a_figure(text: str, currency: str | None) -> None:
    assert resolve(text, "currency") == [currency]


def test_what_a_tax_is_reckoned_on_is_no_tax() -> None:
    assert resolve("Total 119.00 EUR\nincludes 19 % VAT on 100.00: 19.00 EUR\n", "tax_total") == ["19.00 EUR"]
    assert resolve("Total 119.00 EUR\nincludes 19 % VAT on 100.00 EUR\n", "tax_total") == [None]


def test_the_taxes_of_two_rates_are_not_the_tax() -> None:
    rates = "7 % MwSt aus 294,00 EUR: MwSt 19,23 EUR\n19 % MwSt aus 119,00 EUR: MwSt 19,00 EUR\n"
    assert resolve(f"Gesamtbetrag 413,00 EUR\n{rates}", "tax_total") == [None]


@pytest.mark.parametrize(
    "headings",
    [
        "Net           VAT        Total EUR",
        "Netto EUR     MwSt EUR   Gesamtbetrag EUR",
        "Net amount    VAT 20%    Total incl. VAT EUR",
    ],
)
def test_every_sum_of_a_row_stands_under_its_heading(headings: str) -> None:
    found = resolve(f"Acme\n\n{headings}\n100.00        20.00      120.00\n", "net_total", "tax_total", "grand_total")
    assert found == ["100.00 EUR", "20.00 EUR", "120.00 EUR"]


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Arrival: 11 June 2024\n", "arrival_date", "2024-06-11"),
        ("Room: 412\n", "room_number", "412"),
        ("Room 412    Pickup   11 June 2024\n", "pickup_date", "2024-06-11"),
        ("Passenger      Liam Turner  (1 adult)\n", "passenger_name", "Liam Turner"),
        ("Room: sea view\n", "room_number", None),
        ("Room: 2 guests\n", "room_number", None),
        ("Project: FT 2024/88\n", "project_code", "FT 2024/88"),
        ("Project: NORTH-01\n", "project_code", "NORTH-01"),
        ("Passenger 2\n", "passenger_name", None),
        ("Project: Phase 2 Renovation\n", "project_code", None),
        ("Patient: Smith, b. 1980\n", "patient_id", None),
        ("Project: cancelled\n", "project_name", None),
        ("Passenger: 2\n", "passenger_name", None),
        ("Arrival: by train\n", "arrival_date", None),
        ("Invoice: 4711\nPaid on 5 May 2024\n", "order_date", None),
        ("Your passenger Liam will wait\n", "passenger_name", None),
    ],
)
def test_a_label_may_leave_the_noun_of_the_type_out(text: str, name: str, value: str | None) -> None:
    assert resolve(text, name) == [value]


def test_a_name_behind_a_label_that_does_not_say_so_is_not_trusted() -> None:
    field = {"name": "project_name", "type": "STRING", "required": True}
    found = paxman.normalize("Project: Harbour\n", {"id": "c", "version": "1", "fields": [field]})["project_name"]
    assert (found.value, found.confidence_band) == ("Harbour", ConfidenceBand.MEDIUM)


def test_a_bank_in_a_name_is_no_label() -> None:
    assert resolve("Payee: Deutsche Bank\nBank   Foo AG\n", "payee", "bank_name") == ["Deutsche Bank", "Foo AG"]


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Folio No.      118204\n", "invoice_number", "118204"),
        ("Nº contrato: 230044871\n", "contract_number", "230044871"),
        ("Org.nr 556183-7427\nMomsreg.nr SE556183742701\n", "seller_vat_id", "SE556183742701"),
        ("Org.nr 556183-7427\n", "seller_vat_id", "5561837427"),
        ("Ihre Nachzahlung      67,40 EUR\nGesamtbetrag 1.063,40 EUR\n", "amount_due", "67.40 EUR"),
        ("Pendiente de pago     67,40 EUR\nTotal factura 1.063,40 EUR\n", "amount_due", "67.40 EUR"),
        ("Total Net Amount      1,193.00 GBP\n", "net_total", "1193.00 GBP"),
        ("Anreise: 16.08.2024     Abreise: 19.08.2024\n", "departure_date", "2024-08-19"),
        ("Zimmer: 23     Personen: 2\n", "room_number", "23"),
        ("Trabajador: Marta Ruiz Olmedo\n", "employee_name", "Marta Ruiz Olmedo"),
        ("Das Zimmer war 23 Grad warm\n", "room_number", None),
        ("Meter S19K 004412\n", "meter_number", "S19K 004412"),
        ("Kontoauszug Nr. 7/2024\n", "statement_number", "7/2024"),
        ("Versicherungsnummer: KV-88123\n", "policy_number", "KV-88123"),
        ("Número de póliza: 99-1234\n", "policy_number", "99-1234"),
        ("Verzekeringnemer: Jan de Boer\n", "policyholder", "Jan de Boer"),
        ("N° de compte : 00012345678\n", "account_number", "00012345678"),
        ("A/C No: 1234567\n", "account_number", "1234567"),
    ],
)
def test_papers_of_every_day_have_their_own_words(text: str, name: str, value: str | None) -> None:
    assert resolve(text, name) == [value]


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("gross_pay", "A. TOTAL DEVENGADO"),
        ("net_pay", "NET PAYÉ"),
        ("income_tax", "Lohnsteuer"),
        ("withholding", "Ritenuta d'acconto"),
        ("closing_balance", "Neuer Kontostand vom 31.07.2024"),
        ("opening_balance", "Saldo inicial"),
        ("premium", "Jahresbeitrag"),
        ("premium", "Prime annuelle"),
        ("minimum_payment", "Minimum payment due"),
    ],
)
def test_sums_of_payslips_and_statements_have_their_own_words(name: str, label: str) -> None:
    field = {"name": name, "type": "MONEY", "required": True}
    text = f"Acme\n{label}       1.905,00 EUR\nTotal     77,00 EUR\n"
    found = paxman.normalize(text, {"id": "c", "version": "1", "fields": [field]}, policy=paxman.Policy(locale="de_DE"))
    assert str(found[name].value) == "1905.00 EUR"


def test_a_form_names_the_party_beside_its_label() -> None:
    form = "PO Date           26-Feb-2024\nBuyer             Tom Ashdown\nPayment terms     45 days end of month\n"
    assert resolve(f"Acme Ltd\n\n{form}", "buyer_name") == ["Tom Ashdown"]


def test_the_label_of_a_date_is_no_name_over_an_address() -> None:
    head = "Papeterie Duval                 AVOIR\n14000 Caen\n                                Du          03/04/2024\n"
    block = "".join(f"{'':32}{line}\n" for line in ("Lycée Victor Hugo", "16 rue du Moulin", "14000 CAEN"))
    assert resolve(f"{head}\n{block}\nMontant TTC    90,00 EUR\n", "buyer_name") == ["Lycée Victor Hugo"]


def read(text: str, *fields: tuple[str, str, str]) -> list[tuple[str, str]]:
    """The value and band of fields with a name, a type and a label each."""
    named = [{"name": name, "type": kind, "required": False, "labels": [label]} for name, kind, label in fields]
    found = paxman.normalize(text, {"id": "paper", "version": "1", "fields": named})
    return [(str(found[name].value), found[name].confidence_band.value) for name, _, _ in fields]


@pytest.mark.parametrize(
    ("lines", "band"),
    [
        ("13/07/2023 Interest 0.15\n14/07/2023 Check 320.00\n", "MEDIUM"),
        ("13/07/2023    0.15\n14/07/2023    320.00\n", "MEDIUM"),
        ("13/07/2023 10.15\n14/07/2023 Check 320.00\n", "HIGH"),
        ("13/07/2023   Time: 10.15\n14/07/2023 Check 320.00\n", "HIGH"),
        ("13/07/2023   10.15 Uhr\n14/07/2023 Check 320.00\n", "HIGH"),
        ("10.15, 13/07/2023\n14/07/2023 Check 320.00\n", "HIGH"),
    ],
)
def test_a_time_with_a_point_stands_right_beside_its_date(lines: str, band: str) -> None:
    assert read(f"Acme\n{lines}", ("date", "DATE", "Date")) == [("2023-07-13", band)]


@pytest.mark.parametrize(
    "number", ["4417 88XX XXXX 2031", "XXXX XXXX XXXX 0123", "****1234", "4417 88** **** 2031", "•••• 2031"]
)
@pytest.mark.parametrize("gap", ["   ", " ", ": ", "\n"])
def test_hidden_digits_are_part_of_a_number(gap: str, number: str) -> None:
    text = f"Account number{gap}{number}\n"
    assert read(text, ("account_number", "STRING", "Account number")) == [(number, "HIGH")]


@pytest.mark.parametrize("number", ["5544332 **", "5544332 * see note", "5544332**"])
def test_stars_behind_a_number_hide_nothing(number: str) -> None:
    found = read(f"Account number {number}\n", ("account_number", "STRING", "Account number"))
    assert found == [("5544332", "HIGH")]


@pytest.mark.parametrize("number", ["(503)654-2050", "(503) 654-2050", "+1(503)654-2050"])
def test_digits_in_brackets_are_part_of_a_phone_number(number: str) -> None:
    assert read(f"PH: {number} FAX: (503)654-0345\n", ("phone", "STRING", "PH")) == [(number, "HIGH")]


def test_digits_in_brackets_that_are_glued_are_part_of_a_number() -> None:
    label = ("reference_number", "STRING", "Reference")
    assert read("Reference: (2024)117-22 rev\n", label) == [("(2024)117-22", "HIGH")]
    assert read("Reference (b) 11722\n", label) == [("11722", "HIGH")]


LEASE = (("start_date", "DATE", "Lease start"), ("end_date", "DATE", "Lease end"))


@pytest.mark.parametrize(
    "text",
    [
        "Lease start    12/16/2023\nLease end   12/15/2024\n",
        "Lease start 12/16/2023   Lease end 12/15/2024\n",
        "Lease start   Lease end\n12/16/2023    12/15/2024\n",
    ],
)
def test_the_label_of_a_first_or_last_day_needs_no_range(text: str) -> None:
    assert read(text, *LEASE) == [("2023-12-16", "HIGH"), ("2024-12-15", "HIGH")]


def test_one_day_beside_a_label_of_both_ends_is_neither() -> None:
    both = (("start_date", "DATE", "Validity"), ("end_date", "DATE", "Validity"))
    assert read("Validity   12/16/2023\n", *both) == [("None", "UNTRUSTED")] * 2


@pytest.mark.parametrize(
    ("lead", "sure"),
    [
        ("Statement Period   From ", "HIGH"),
        ("Statement From ", "MEDIUM"),
        ("Statement cycle   ", "MEDIUM"),
        ("Statement: ", "MEDIUM"),
    ],
)
@pytest.mark.parametrize("to", [" to ", " - "])
def test_the_first_word_of_a_label_leads_to_a_range(lead: str, sure: str, to: str) -> None:
    period = (("period_start", "DATE", "Statement period from"), ("period_end", "DATE", "Statement period to"))
    text = f"{lead}21 Dec 2024{to}20 Jan 2025\n"
    assert read(text, *period) == [("2024-12-21", sure), ("2025-01-20", sure)]
    assert read(f"{lead}21 Dec 2024\n", *period) == [("None", "UNTRUSTED")] * 2


def test_the_label_of_another_field_is_no_value() -> None:
    price = ("price", "DECIMAL", "Price")
    assert read("Shop..\nSKU\nPrice\n24.99", ("sku", "STRING", "SKU"), price) == [
        ("None", "UNTRUSTED"),
        ("24.99", "HIGH"),
    ]
    kind = ("kind", "STRING", "Document type")
    found = read("Shop..\nDocument type: Price\nPrice   24.99\n", kind, price)
    assert found == [("Price", "HIGH"), ("24.99", "HIGH")]
    twice = "<dl><dt>Document type</dt><dd>Price</dd><dt>Price</dt><dd>24.99</dd></dl>"
    assert read(twice, kind, price) == [("Price", "HIGH"), ("24.99", "HIGH")]


@pytest.mark.parametrize("text", ["Name\n____\n\nTown ....\n", "Name ____ Town ....\n", "Name: ______ Town: ______\n"])
def test_a_blank_form_has_no_values(text: str) -> None:
    assert read(text, ("name", "STRING", "Name"), ("town", "STRING", "Town")) == [("None", "UNTRUSTED")] * 2
    assert read("Name\n____\n\nPost code ....\n", ("name", "STRING", "Name")) == [("None", "UNTRUSTED")]


@pytest.mark.parametrize(
    "head",
    [
        "5. City *       6. State *",
        "5. City         6. State  ",
        "City *          State *   ",
        "(5) City        (6) State ",
    ],
)
def test_a_numbered_or_starred_chunk_beside_another_is_a_label(head: str) -> None:
    city = ("city", "STRING", "City")
    assert read(f"{head}    7. Postal code\nGranville       OH           43023\n", city) == [("Granville", "HIGH")]
    assert read("City *     York\nTown *     Ayr\nRoad *     Elm\n", city) == [("York", "HIGH")]


def test_a_numbered_choice_below_a_label_is_no_number() -> None:
    for kind in ("INTEGER", "DECIMAL"):
        assert read("Severity\n5 - PROPERTY DAMAGE\n", ("severity", kind, "Severity")) == [("None", "UNTRUSTED")]
        assert read("Severity\n5\n", ("severity", kind, "Severity")) == [("5", "HIGH")]
    assert read("Severity\n5 - FATAL\n", ("severity", "STRING", "Severity")) == [("5 - FATAL", "HIGH")]


@pytest.mark.parametrize(
    ("lines", "band"),
    [
        ("Item    Bin\nBolt    A1\nNut     A2\n", "MEDIUM"),
        ("Item    Bin\nBolt    A1\n", "MEDIUM"),
        ("Item\tBin\tRow\n", "MEDIUM"),
        ("Item    Bin\nTown    York\nRoom    B2\n", "HIGH"),
        ("Item    Bin\nBolt    A1\nNut     steel\n", "HIGH"),
    ],
)
def test_what_may_be_a_heading_is_less_sure(lines: str, band: str) -> None:
    assert read(f"Acme\n{lines}", ("item", "STRING", "Item"), ("town", "STRING", "Town"))[0] == ("Bin", band)


def test_the_ends_of_a_range_are_no_date_of_the_paper() -> None:
    period = "Acme Bank\nfor 1 March 2025 - 15 March 2025\n"
    assert read(period, ("statement_date", "DATE", "Statement date")) == [("None", "UNTRUSTED")]
    assert read(f"{period}Bern, 17 March 2025\n", ("statement_date", "DATE", "Statement date")) == [
        ("2025-03-17", "HIGH")
    ]


def test_a_heading_over_rows_of_several_lines_is_that_of_a_list() -> None:
    rows = (
        "Date         Booking text              Debit      Balance\n"
        "03.09.2025   Credit: LUMEN GMBH,       75.00      8500.00\n"
        "             HAUPTGASSE 12\n"
        "02.09.2025   Payment of prices         12.00      8425.00\n"
    )
    assert read(f"Friday, 05.09.2025/09:14\n\n{rows}", ("date", "DATE", "Date")) == [("2025-09-05", "HIGH")]
    first = "Date         Number      Customer\n03.09.2025   4711        Oak\n"
    paper = f"{first}Due date     Terms       Clerk\n03.10.2025   30 days     Kim\n"
    assert read(f"Friday, 05.09.2025/09:14\n\n{paper}", ("date", "DATE", "Date")) == [("2025-09-03", "HIGH")]


@pytest.mark.parametrize(
    ("text", "band"),
    [
        ("Quantity: 5 pcs\n", "HIGH"),
        ("Menge: 5 Stück\n", "HIGH"),
        ("Quantity: 5 pcs to 6 pcs\n", "MEDIUM"),
        ("Quantity: 5 pcs to 6\n", "MEDIUM"),
    ],
)
def test_pieces_may_stand_behind_a_quantity(text: str, band: str) -> None:
    contract = {"id": "p", "version": "1", "fields": [{"name": "quantity", "type": "DECIMAL", "required": False}]}
    result = paxman.normalize(text, contract)["quantity"]
    assert (str(result.value), result.confidence_band.value) == ("5", band)


def value_of(text: str, name: str, kind: str = "STRING", *labels: str) -> tuple[str, str]:
    field = {"name": name, "type": kind, "required": False, "labels": list(labels)}
    result = paxman.normalize(text, {"id": "p", "version": "1", "fields": [field]})[name]
    return str(result.value), result.confidence_band.value


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Receipt no: 000123 ****************\n", "000123"),
        ("Receipt no: 445566 **** PAID ****\n", "445566"),
        ("Receipt no ****1234 05 Mar 2024\n", "****1234"),
        ("Receipt no 4417 88XX XXXX 2031\n", "4417 88XX XXXX 2031"),
    ],
)
def test_stars_hide_digits_only_within_a_number(text: str, number: str) -> None:
    assert value_of(text, "receipt_no") == (number, "HIGH")


@pytest.mark.parametrize(
    ("text", "name", "kind", "value"),
    [
        ("Due date\n12 - MAR - 2024\n", "due_date", "DATE", "2024-03-12"),
        ("Amount\n50 - EUR\n", "amount", "DECIMAL", "50"),
        ("1. Author   1. Smith, J.\n2. Title    2. On Bolts\n", "author", "STRING", "1. Smith, J."),
    ],
)
def test_a_day_an_amount_and_an_answer_are_no_choices_of_a_form(text: str, name: str, kind: str, value: str) -> None:
    assert value_of(text, name, kind) == (value, "HIGH")


@pytest.mark.parametrize("text", ["1. Name   2. Town\n3. Age   4. Height\n", "Name *   Town *\nAge *   Height *\n"])
def test_labels_of_a_numbered_or_starred_form_are_no_values(text: str) -> None:
    assert value_of(text, "name") == ("None", "UNTRUSTED")


HEADS = """Invoice No.    Date          Page
10023          03/14/2024    1
Our Ref        Your Ref      Rep
A100           B200          JS
"""


def test_a_second_row_of_headings_ends_the_first() -> None:
    assert value_of(HEADS, "invoice_number") == ("10023", "HIGH")


@pytest.mark.parametrize(
    "text",
    ["Lease end   2 years after 3 May 2024\n", "Lease end   unless renewed by 3 May 2024\n"],
)
def test_a_date_that_words_lead_to_is_no_end(text: str) -> None:
    assert value_of(text, "end_date", "DATE", "Lease end") == ("None", "UNTRUSTED")


def test_only_a_word_for_a_period_leads_to_its_days() -> None:
    days = "1 May 2024 - 31 May 2024\n"
    assert value_of(f"Policy cycle {days}", "start_date", "DATE", "Policy start") == ("2024-05-01", "MEDIUM")
    assert value_of(f"Policy cancelled {days}", "start_date", "DATE", "Policy start") == ("None", "UNTRUSTED")


def test_a_day_of_the_week_may_stand_before_each_end_of_a_period() -> None:
    days = "Policy cycle Wed 1 May 2024 - Fri 31 May 2024\n"
    assert value_of(days, "start_date", "DATE", "Policy start") == ("2024-05-01", "MEDIUM")
    due = "Policy cycle Wed 1 May 2024 - Due 31 May 2024\n"
    assert value_of(due, "start_date", "DATE", "Policy start") == ("None", "UNTRUSTED")


@pytest.mark.parametrize(
    ("text", "total", "tax"),
    [
        ("Total including 20% VAT 120.00\n", "120.00", "None"),
        ("Gesamtbetrag inkl. 19% MwSt. 119,00\n", "119.00", "None"),
        ("Net 100.00\nVAT 20% 20.00\nTotal including 20% VAT 120.00\n", "120.00", "20.00"),
        ("Total 120.00 including 20% VAT 20.00\n", "120.00", "20.00"),
    ],
)
def test_a_tax_of_some_rate_that_is_included_is_not_the_total(text: str, total: str, tax: str) -> None:
    found = (value_of(text, "total", "DECIMAL")[0], value_of(text, "tax_total", "DECIMAL")[0])
    assert found == (total, tax)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("contract_end_date", "Contract end date 31.12.2023 (extended to 31.12.2024)\n"),
        ("end_date", "Vertragsende: 31.12.2023 (verlängert bis 31.12.2024)\n"),
        ("due_date", "Due date: 31.12.2023, now put off to 31.12.2024\n"),
    ],
)
def test_a_day_that_was_moved_has_two_readings(name: str, text: str) -> None:
    field = {"name": name, "type": "DATE", "required": True}
    found = paxman.normalize(text, {"id": "paper", "version": "1", "fields": [field]})[name]
    assert (str(found.value), found.confidence_band) == ("2023-12-31", ConfidenceBand.MEDIUM)
    assert "AMBIGUOUS_VALUE" in [each.code for each in found.diagnostics]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("start_date", "Start date: 31.12.2023 (running until 31.12.2024)\n"),
        ("issue_date", "Invoice date: 31.12.2023 (payable until 31.12.2024)\n"),
        ("due_date", "Due date: 31.12.2023 (discount granted until 15.12.2023)\n"),
        ("end_date", "End date: 31.12.2023 (notice date: 31.12.2024)\n"),
    ],
)
def test_the_day_of_something_else_in_brackets_is_no_reading(name: str, text: str) -> None:
    field = {"name": name, "type": "DATE", "required": True}
    found = paxman.normalize(text, {"id": "paper", "version": "1", "fields": [field]})[name]
    assert (str(found.value), found.confidence_band) == ("2023-12-31", ConfidenceBand.HIGH)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("INVOICE\n107 Main Street\nBoston\n", None),
        ("INVOICE\nMain Street 1071\nBoston\n", None),
        ("INVOICE\nINV-12345 (copy)\n", "INV-12345"),
        ("Rechnung\nNummer     2025-17\nDatum      12.03.2025\n", "2025-17"),
        ("FACTURE\nNuméro     Date          Code client\n85521      12/03/2025    C12345\n", "85521"),
        ("Factura:\nFolio:     F20253152\nFecha:     25/07/2025\n", "F20253152"),
        ("Invoice\nKrüger UG, Hafenallee 107, Stuttgart\nNumber     9303618938\n", "9303618938"),
        ("INVOICE\nCustomer\nNumber     12345\n", None),
        ("INVOICE\nNumber     55555\nInvoice No.  12345\n", "12345"),
        ("INVOICE\n\nNo    Description    Qty\n101   Widget         2\n102   Gadget         2\n", None),
    ],
)
def test_under_its_title_a_paper_s_number_stands_alone_or_with_a_word_for_number(text: str, number: str | None) -> None:
    assert resolve(text, "invoice_number") == [number]


QUOTES = [
    ("Angebot 2025-17", "Gültig bis: 31.03.2025"),
    ("Quotation No. 2025-17", "Expires: 31.03.2025"),
    ("Devis n° 2025-17", "Valable jusqu'au 31.03.2025"),
    ("PRESUPUESTO Nº 2025-17", "Válido hasta: 31.03.2025"),
    ("Preventivo n. 2025-17", "Offerta valida fino al 31.03.2025"),
    ("Orçamento n.º 2025-17", "Validade: 31.03.2025"),
    ("Offertenummer: 2025-17", "Geldig tot: 31.03.2025"),
    ("Oferta nr 2025-17", "Oferta ważna do: 31.03.2025"),
    ("Offert nr 2025-17", "Giltig till 31.03.2025"),
    ("Tilbud nr. 2025-17", "Gyldig til 31.03.2025"),
    ("見積番号：2025-17", "有効期限：2025年3月31日"),
]


@pytest.mark.parametrize(("number", "validity"), QUOTES)
def test_a_quote_has_a_number_and_a_last_day_in_any_language(number: str, validity: str) -> None:
    artifact = paxman.normalize(
        f"{number}\n{validity}\n",
        {
            "id": "quote",
            "version": "1",
            "fields": [
                {"name": "quote_number", "type": "STRING", "required": True},
                {"name": "valid_until", "type": "DATE", "required": True},
            ],
        },
    )
    assert [str(artifact[name].value) for name in ("quote_number", "valid_until")] == ["2025-17", "2025-03-31"]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Credit No.: 2025-17", "credit_note_number"),
        ("Nota di credito n. 2025-17", "credit_note_number"),
        ("Kreditnota nr. 2025-17", "credit_note_number"),
        ("Albarán nº 2025-17", "delivery_note_number"),
        ("DDT n. 2025-17", "delivery_note_number"),
        ("Följesedel 2025-17", "delivery_note_number"),
    ],
)
def test_other_papers_have_numbers_of_their_own(line: str, name: str) -> None:
    assert resolve(f"{line}\n", name, "invoice_number" if "delivery" in name else "order_number") == ["2025-17", None]


@pytest.mark.parametrize(
    "name",
    ["Bakker Logistiek V.O.F.", "Mälardalens Maskin KB", "Foyer du Port SCI", "合同会社桜井製作所", "Fjord Bygg I/S"],
)
def test_partnerships_have_legal_forms_too(name: str) -> None:
    assert legal_end(name) == len(name)


@pytest.mark.parametrize("owner", ["Patient", "Customer", "Your", "Driver's"])
def test_a_word_for_somebody_else_before_the_label_of_a_phone_counts(owner: str) -> None:
    assert resolve(f"Tel: 020 7946 0018\n{owner} phone: 07700 900123\n", "phone") == ["020 7946 0018"]


@pytest.mark.parametrize("owner", ["Bank: Barclays", "Customer: J Smith", "Policy: Household"])
def test_a_number_below_its_owner_is_not_that_of_the_paper(owner: str) -> None:
    field = {"name": "invoice_number", "type": "STRING", "required": False}
    text = f"INVOICE\n{owner}\nNumber: 12345678\n"
    assert paxman.normalize(text, {"id": "p", "version": "1", "fields": [field]})["invoice_number"].value is None


@pytest.mark.parametrize(
    ("line", "number"), [("Estimate: $4,400", None), ("Estimate 1.200,00 EUR", None), ("Quote: Q-12", "Q-12")]
)
def test_an_amount_is_no_number_of_a_quote(line: str, number: str | None) -> None:
    field = {"name": "quote_number", "type": "STRING", "required": False}
    found = paxman.normalize(f"Oak Ltd\n{line}\n", {"id": "p", "version": "1", "fields": [field]})
    assert found["quote_number"].value == number


def test_a_label_of_the_contract_comes_before_one_that_means_the_same() -> None:
    field = {"name": "number", "type": "STRING", "required": True, "labels": ["Receipt number"]}
    text = "Receipt\nInvoice number   E03C-7001\nReceipt number   3475-1857\n"
    assert paxman.normalize(text, {"id": "p", "version": "1", "fields": [field]})["number"].value == "3475-1857"


@pytest.mark.parametrize(
    ("text", "band"),
    [
        ("Total $40.00\n", "HIGH"),
        ("GST (15%) $6.00\nTotal $46.00\n", "MEDIUM"),
        ("Montréal (Québec) H2W 2M2\nTotal 46,00 $\n", "MEDIUM"),
    ],
)
def test_a_dollar_may_be_that_of_another_country(text: str, band: str) -> None:
    field = {"name": "currency", "type": "STRING", "required": True}
    assert (
        paxman.normalize(text, {"id": "p", "version": "1", "fields": [field]})["currency"].confidence_band.value == band
    )


def test_a_legal_form_of_three_letters_is_whole() -> None:
    assert legal_end("Clínica Dental Arenal S.L.P.") == len("Clínica Dental Arenal S.L.P.")


def test_parties_with_the_same_entries_each_keep_their_own() -> None:
    text = "Supplier: Acme Ltd\nVAT No: GB 902 7416 44\nCustomer: Foo Ltd\nVAT No: GB 980 7806 84\n"
    names = ("seller_vat_id", "buyer_vat_id")
    fields = [{"name": name, "type": "STRING", "required": False, "tags": ["vat_id"]} for name in names]
    found = paxman.normalize(text, {"id": "c", "version": "1", "fields": fields})
    outcome = [(found[name].value, found[name].confidence_band) for name in names]
    assert outcome == [("GB902741644", ConfidenceBand.HIGH), ("GB980780684", ConfidenceBand.HIGH)]


@pytest.mark.parametrize(
    ("text", "name", "outcome"),
    [
        ("Account no: 12345678\nSort code: 20-45-11\n", "customer_number", ("None", "UNTRUSTED")),
        ("Bank details\nAccount number 12345678\nBSB 062-000\n", "customer_number", ("None", "UNTRUSTED")),
        ("Account no: 12345678\nSort code: 20-45-11\n", "account_number", ("12345678", "HIGH")),
        ("Customer no: C-12\nSort code: 20-45-11  Account: 12345678\n", "account_number", ("12345678", "HIGH")),
        ("Customer no: C-12\nIBAN: DE89370400440532013000\n", "account_number", ("None", "UNTRUSTED")),
        ("Customer no: C-12\n", "account_number", ("C-12", "MEDIUM")),
        ("Customer no: C-12\n", "customer_account_number", ("C-12", "HIGH")),
        ("Account no: C-12\nIBAN: DE89370400440532013000\n", "customer_number", ("C-12", "HIGH")),
        ("Account no: 771234\n\nSort code 20-45-11 Account no 12345678\n", "customer_number", ("771234", "HIGH")),
    ],
)
def test_an_account_at_a_bank_is_not_the_number_of_a_customer(text: str, name: str, outcome: tuple[str, str]) -> None:
    assert value_of(f"Total: £120.00\n{text}", name) == outcome


@pytest.mark.parametrize(
    ("text", "name", "outcome"),
    [
        ("INVOICE A-12\nPrevious invoice no: A-11\n", "invoice_number", ("A-12", "HIGH")),
        ("INVOICE A-12\nOriginal invoice no: A-11\n", "invoice_number", ("A-12", "HIGH")),
        ("Previous invoice no: A-11\n", "invoice_number", ("None", "UNTRUSTED")),
        ("Facture précédente n° 77\n", "invoice_number", ("None", "UNTRUSTED")),
        ("Original invoice no: A-11\n", "invoice_number", ("A-11", "MEDIUM")),
        ("Zu Rechnung Nr. 4711\n", "invoice_number", ("4711", "MEDIUM")),
        ("CREDIT NOTE\nOriginal invoice no: A-11\n", "invoice_number", ("A-11", "HIGH")),
        ("Original invoice no: A-11\nInvoice no: A-12\n", "original_invoice_no", ("A-11", "HIGH")),
        ("Ticket no: 00451\n", "invoice_number", ("00451", "MEDIUM")),
        ("Check no: 20931\n", "invoice_number", ("20931", "MEDIUM")),
        ("Ticket no: 00451\n", "ticket_number", ("00451", "HIGH")),
        ("Ticket no: 00451\nInvoice no: 12\n", "invoice_number", ("12", "HIGH")),
    ],
)
def test_the_number_of_another_paper_is_not_its_own(text: str, name: str, outcome: tuple[str, str]) -> None:
    assert value_of(f"{text}Total: £120.00\n", name) == outcome


@pytest.mark.parametrize(
    ("text", "name", "outcome"),
    [
        ("Total refund: £80.00\n", "total", ("80.00 GBP", "MEDIUM")),
        ("Total refund: £80.00\n", "amount_due", ("80.00 GBP", "MEDIUM")),
        ("Total refund due: £80.00\n", "amount_due", ("80.00 GBP", "MEDIUM")),
        ("Total refund: £80.00\n", "refund", ("80.00 GBP", "HIGH")),
        ("Total refund: £80.00\n", "refund_amount", ("80.00 GBP", "HIGH")),
        ("Erstattungsbetrag: 80,00 EUR\n", "refund_amount", ("80.00 EUR", "HIGH")),
        ("Total: £100.00\nTotal refund: £80.00\n", "refund", ("80.00 GBP", "HIGH")),
        ("Total: £100.00\nTotal refund: £80.00\n", "total", ("100.00 GBP", "HIGH")),
    ],
)
def test_what_is_paid_back_is_not_surely_the_total(text: str, name: str, outcome: tuple[str, str]) -> None:
    assert value_of(text, name, "MONEY") == outcome
