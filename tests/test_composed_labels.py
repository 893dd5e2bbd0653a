"""Labels that are made of a field's own words and usual ones, and labels that say another thing of the same kind."""

from __future__ import annotations

import pytest

import paxman


def ask(text: str, **field: object) -> tuple[str | None, str]:
    """The value of one field as text, and how sure it is."""
    contract = {"id": "paper", "version": "1", "fields": [{"required": False, **field}]}
    result = paxman.normalize(text, contract, policy=paxman.Policy(locale="en_US"))[str(field["name"])]
    return None if result.value is None else str(result.value), result.confidence_band.value


NOTHING = (None, "UNTRUSTED")
FLIGHT = {"name": "flight_from", "type": "DATE", "labels": ["Flight"], "description": "First day of the flight"}
BILLED = "Invoice Period: 02/24/20 - 03/29/20\n"


@pytest.mark.parametrize(
    "label", ["Flight Period", "Flight Date Range", "Flight Dates", "Run Dates", "Contract Period", "Campaign Dates"]
)
def test_the_period_of_a_service_is_not_that_of_its_bill(label: str) -> None:
    assert ask(f"KXYZ\n{BILLED}{label}: 03/01/20 - 03/15/20\n", **FLIGHT) == ("2020-03-01", "HIGH")


def test_the_period_of_a_bill_never_speaks_for_the_service() -> None:
    assert ask(f"KXYZ\n{BILLED}", **FLIGHT) == NOTHING
    assert ask("Acme\nService period: 02/24/20 - 03/29/20\n", name="billing_period_start", type="DATE") == NOTHING


def ends(text: str, name: str, words: tuple[str, str]) -> list[tuple[str | None, str]]:
    return [ask(f"Oak Ltd\n\n{text}\n", name=f"{name}_{word}", type="DATE") for word in words]


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("Contract period: 03/01/2025 - 02/28/2026", "contract", ("start", "end")),
        (
            "Contract no      Contract term               Total\nC-17             03/01/2025 - 02/28/2026     100.00",
            "contract",
            ("start_date", "end_date"),
        ),
        ("Vertragslaufzeit: 2025-03-01 bis 2026-02-28", "contract", ("start", "end")),
        ("Looptijd: 2025-03-01 t/m 2026-02-28", "contract", ("from", "to")),
        ("Period of Insurance: From 1 March 2025 to 28 February 2026", "policy", ("start", "end")),
        ("Policy period\n03/01/2025 to 02/28/2026", "coverage", ("from", "to")),
        ("Okres ubezpieczenia: od 2025-03-01 do 2026-02-28", "insurance", ("start", "end")),
        ("Abrechnungszeitraum: 2025-03-01 - 2026-02-28", "billing_period", ("start", "end")),
        ("Période de facturation : du 1er mars 2025 au 28 février 2026", "billing_period", ("start", "end")),
        ("Periodo di fatturazione: dal 1 marzo 2025 al 28 febbraio 2026", "invoice_period", ("from", "to")),
        ("Periodo de facturación: del 1 de marzo de 2025 al 28 de febrero de 2026", "billing", ("start", "end")),
        ("Statement period  03/01/25 - 02/28/26", "statement", ("start", "end")),
        ("Leistungszeitraum 2025-03-01 - 2026-02-28", "service_period", ("from", "to")),
        ("Validity: 03/01/2025 - 02/28/2026", "valid", ("from", "to")),
        ("Valid from 03/01/2025 to 02/28/2026", "valid", ("from", "to")),
        ("Warranty period: 03/01/2025 - 02/28/2026", "warranty", ("start", "end")),
        ("Billing period: 03/01/2025 - 02/28/2026", "period", ("from", "to")),
        ("Rental period: 1 Mar 2025 10:00 to 28 Feb 2026 9:30 pm", "rental", ("start", "end")),
        ("Mietzeitraum: 2025-03-01 10:00 Uhr bis 2026-02-28 10:00 Uhr", "rental", ("start", "end")),
        ("Period of insurance: 00:01 on 1 March 2025 to 23:59 on 28 February 2026", "policy", ("start", "end")),
        ("Policy period\nFrom 1 March 2025 To 28 February 2026", "policy", ("start", "end")),
        ("Policy period\nFrom: 1 March 2025\nTo: 28 February 2026", "policy", ("start", "end")),
        ("ご利用期間: 2025年3月1日～2026年2月28日", "billing_period", ("start", "end")),
        ("Laskutuskausi: 2025-03-01 - 2026-02-28", "billing_period", ("start", "end")),
    ],
)
def test_a_period_has_the_dates_of_both_its_ends(text: str, name: str, words: tuple[str, str]) -> None:
    assert ends(text, name, words) == [("2025-03-01", "HIGH"), ("2026-02-28", "HIGH")]


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("Delivery period: 03/01/2025 - 02/28/2026", "contract", ("start", "end")),
        ("Validity period: 03/01/2025 - 02/28/2026", "contract", ("start", "end")),
        ("Period of delivery: 03/01/2025 - 02/28/2026", "policy", ("start", "end")),
        ("Billing period: 03/01/2025 - 02/28/2026", "valid", ("from", "to")),
        ("Previous billing period: 03/01/2025 - 02/28/2026", "billing_period", ("start", "end")),
        ("Contract period: 03/01/2025", "contract", ("start", "end")),
        ("Invoice period: 03/01/2025 - 02/28/2026", "last_invoice", ("date", "day")),
    ],
)
def test_a_period_of_another_kind_or_time_has_not(text: str, name: str, words: tuple[str, str]) -> None:
    assert ends(text, name, words) == [NOTHING, NOTHING]


def test_a_period_of_no_kind_is_not_sure_for_one_of_a_kind() -> None:
    found = ends("Period: 03/01/2025 - 02/28/2026", "contract", ("start", "end"))
    assert found == [("2025-03-01", "MEDIUM"), ("2026-02-28", "MEDIUM")]


@pytest.mark.parametrize("label", ["Period", "Billing period", "Service period"])
def test_a_period_of_no_kind_is_any(label: str) -> None:
    text = f"Acme\n{label}: 02/24/20 - 03/29/20\n"
    assert ask(text, name="period_start", type="DATE") == ("2020-02-24", "HIGH")


def test_a_period_of_any_kind_is_not_sure_beside_another() -> None:
    text = "KXYZ\nPeriod: 02/24/20 - 03/29/20\n{}\n"
    assert ask(text.format("03/02/20 - 03/08/20"), **FLIGHT) == ("2020-02-24", "HIGH")
    assert ask(text.format("03/30/20 - 04/05/20"), **FLIGHT) == ("2020-02-24", "MEDIUM")


GROSS = {"name": "gross_amount", "type": "DECIMAL", "labels": ["Gross total"]}


@pytest.mark.parametrize(
    "label",
    [
        *("Gross Amt", "Gross Charges", "Gross Billing", "Gross Dollars", "Gross Invoice Amount", "Gross $"),
        *("Total Gross Amount", "Invoice Total Gross", "Total Gross Invoice Amount", "Gross"),
    ],
)
def test_gross_and_words_for_money_are_the_gross_amount(label: str) -> None:
    text = f"KXYZ\n  {label}    $5,200.00\n  Agency Commission    $780.00\n  Net Amount Due    $4,420.00\n"
    assert ask(text, **GROSS) == ("5200.00", "HIGH")


@pytest.mark.parametrize("label", ["Net Amount Due", "Net total", "Net Amount", "Total net"])
def test_net_never_speaks_for_gross_where_something_is_taken_off(label: str) -> None:
    assert ask(f"KXYZ\nAgency Commission    $780.00\n{label}    $4,420.00\n", **GROSS) == NOTHING
    assert ask(f"KXYZ\n{label}    $4,420.00\n", **GROSS) == ("4420.00", "MEDIUM")


def test_what_does_not_say_gross_is_not_sure_to_be_it() -> None:
    assert ask("KXYZ\nAmount due    $4,420.00\n", **GROSS) == ("4420.00", "MEDIUM")


def test_an_unknown_word_and_words_for_money_are_a_label_too() -> None:
    text = "Acme\nTotal levy amount    $12.00\nTotal    $112.00\n"
    assert ask(text, name="levy", type="MONEY", labels=["Levy amount"]) == ("12.00 USD", "HIGH")


@pytest.mark.parametrize("label", ["Levy amt", "Levy sum", "Sum levy"])
def test_an_amount_is_a_sum(label: str) -> None:
    assert ask(f"Acme\n{label}: $12.00\nPaid: $5.00\n", name="levy_amount", type="MONEY") == ("12.00 USD", "HIGH")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mortgage_amount", "Mortgage: $4,000.00\nTotal mortgage charges: $310.00\n"),
        ("freight_charges", "Freight value: $700.00\nFreight duty: $31.00\n"),
        ("lease_amount", "Monthly lease: $640.00\nTotal lease: $7,680.00\n"),
        ("parcel_charge", "Parcel: $9.00\nParcel value: $250.00\n"),
    ],
)
def test_what_a_thing_costs_is_neither_its_worth_nor_its_total(name: str, text: str) -> None:
    assert ask(f"Acme\n{text}", name=name, type="MONEY") == NOTHING


def test_what_is_taxed_is_not_the_tax() -> None:
    assert ask("Acme\nTax value: $50.00\nTax: $9.50\n", name="tax_amount", type="MONEY") == ("9.50 USD", "HIGH")


@pytest.mark.parametrize(
    "label", ["Amount due for payment", "Total to pay", "Balance to pay", "Total amount to be paid", "Amount owing"]
)
def test_what_is_to_be_paid_is_said_in_many_ways(label: str) -> None:
    text = f"Acme\nTotal with VAT   119.00\nPaid amount   -19.00\n{label}   100.00\n"
    assert ask(text, name="amount_due", type="DECIMAL") == ("100.00", "HIGH")


@pytest.mark.parametrize("label", ["Contract / Rev", "Contract No.", "Contract # / Revision", "Contract Number"])
def test_the_number_of_a_paper_may_have_a_revision(label: str) -> None:
    text = f"KXYZ-TV\n{label}: 12345\nAdvertiser: X Inc\n"
    assert ask(text, name="agreement", type="STRING", labels=["Contract #"]) == ("12345", "HIGH")


def test_a_label_with_the_word_name_is_that_label() -> None:
    text = "KXYZ\nSponsor Name: Hartwell Furniture\nSponsor No.: 4711\n"
    sponsor = {"name": "sponsor", "type": "STRING", "labels": ["Sponsor"]}
    assert ask(text, **sponsor, tags=["organization"]) == ("Hartwell Furniture", "HIGH")
    assert ask(text, **sponsor) == NOTHING


@pytest.mark.parametrize("label", ["Account", "Savings account", "Policy", "Parcel"])
def test_the_name_of_a_thing_is_not_the_thing(label: str) -> None:
    text = f"Acme\n{label} name: Summer\n{label} no.: 40817\n"
    assert ask(text, name=label.replace(" ", "_").lower(), type="STRING") == NOTHING


def test_what_the_contract_names_itself_is_no_other_field() -> None:
    fields = [{"name": name, "type": "STRING", "required": False} for name in ("account", "account_name")]
    found = paxman.normalize("Bank\nAccount name: Jo Bloggs\n", {"id": "c", "version": "1", "fields": fields})
    assert [found[name].value for name in ("account", "account_name")] == [None, "Jo Bloggs"]


def test_of_two_tax_numbers_the_one_with_a_country_is_the_vat_number() -> None:
    text = "Vendedor: Lieferant GmbH\nNIF : 201/113/40209\nNIF-IVA : DE123456788\n"
    assert ask(text, name="vat_id", type="STRING", tags=["vat_id"])[0] == "DE123456788"


HEADINGS = ["Time Period", "# of Spots", "Gross Amount", "Agency Comm.", "Net Amount"]
WEEK = ["02/17/20 - 02/23/20", "63", "$110,700.00", "($16,605.00)", "$94,095.00"]
TOTALS = ["Totals", "172", "$363,400.00", "($54,510.00)", "$308,890.00"]


@pytest.mark.parametrize("gap", ["\t", "   ", "        "])
def test_a_row_with_as_many_cells_as_headings_is_read_in_order(gap: str) -> None:
    text = "\n".join(gap.join(row) for row in (HEADINGS, WEEK, TOTALS))
    assert ask(f"KXYZ\n\n{text}\n", **GROSS) == ("363400.00", "HIGH")


def test_a_totals_row_that_stands_askew_is_counted_from_its_end() -> None:
    head = "Start      End        Month      Spots       Gross Amount      Net Amount      Rating\n"
    row = f"{'Totals':>30}{'91':>8}{'$9,865.00':>18}{'$8,385.25':>38}{'0.00':>12}\n"
    assert ask(f"KXYZ\n\n{head}{row}", **GROSS) == ("9865.00", "HIGH")


def test_cells_between_tabs_are_counted() -> None:
    text = "KXYZ\tContract #\tAlt Order #\n1918 Mellwood Ave.\t2012614\t/\t26920755\n"
    assert ask(text, name="contract_number", type="STRING")[0] == "2012614"
    text = "Station\tAlt Order #\tContract #\nKXYZ\t\t2012614\n"
    assert ask(text, name="contract_number", type="STRING")[0] == "2012614"


TOTAL = {"name": "total", "type": "DECIMAL"}
SUMMARY = "GST SUMMARY\nTAX CODE  %  AMT (RM)  TAX (RM)\nSR  6  14.53  0.87\nTOTAL :  14.53  0.87\n"


@pytest.mark.parametrize("label", ["TOTAL SALES (INCLUSIVE OF GST) :", "TOTAL SALES", "TOTAL"])
def test_the_total_stands_below_its_label(label: str) -> None:
    sums = f"TOTAL SALES (EXCLUDING GST) :\n14.53\nTOTAL GST :\n0.87\n{label}\n15.40\n"
    assert ask(f"ACME\n{sums}CASH :\n50.00\nCHANGE :\n34.60\n{SUMMARY}", **TOTAL) == ("15.40", "HIGH")
    assert ask(f"ACME\n{sums}{SUMMARY}", **TOTAL) == ("15.40", "HIGH")


@pytest.mark.parametrize("paid", ["", "CASH RM\n112.35\n", "CASH RM\n120.00\nCHANGE RM\n7.65\n"])
def test_the_total_after_rounding_stands_below_its_label(paid: str) -> None:
    sums = "TOTAL (EXCLUDING GST):\n106.00\nGST PAYABLE:  6.36\nTOTAL (INCLUSIVE OF GST):\n112.36\n"
    assert ask(f"ACME\n{sums}ROUNDING ADJ:  -0.01\nTOTAL :\n112.35\n{paid}", **TOTAL) == ("112.35", "HIGH")


def test_a_gross_amount_below_the_net_one_is_not_the_total() -> None:
    text = "ACME\nGROSS AMT :  47.80\nSVR TAX :  2.87\nGST (6%) :  2.86\nNET AMT :  53.55\n"
    assert ask(text, **TOTAL) == ("53.55", "MEDIUM")


NUMBER = {"name": "invoice_number", "type": "STRING"}


@pytest.mark.parametrize(
    "text",
    [
        "Please note that last year our invoice no. 4711 was never paid in full by you.",
        "Bitte beachten Sie, dass unsere Rechnung Nr. 4711 vom Vorjahr noch immer nicht bezahlt ist.",
        "THIS IS SAID IN THE REPORT AND INVOICE NO. 4711 WHICH STATES THAT ALL IS PAID",
    ],
)
def test_a_number_within_a_sentence_is_not_sure(text: str) -> None:
    assert ask(f"ACME\n{text}\nTotal  119.00\n", **NUMBER) == ("4711", "MEDIUM")


@pytest.mark.parametrize("text", ["Invoice No. 4711 for all that we did in March", "This is our invoice no. 4711"])
def test_a_number_at_an_end_of_a_sentence_is_sure(text: str) -> None:
    assert ask(f"ACME\n{text}\nTotal  119.00\n", **NUMBER) == ("4711", "HIGH")


@pytest.mark.parametrize("number", ["4711 0212", "26 898 588", "RE 2018 0042", "4711(A)", "4711"])
@pytest.mark.parametrize("date", [" vom 05.03.2018", " dated 5 March 2018", " du 05/03/2018", ""])
def test_a_number_in_groups_ends_before_its_date(number: str, date: str) -> None:
    assert ask(f"ACME\nRechnung Nr. {number}{date}\nSumme  119,00\n", **NUMBER) == (number, "HIGH")


@pytest.mark.parametrize("kind", ["(380)", "(Korrigierte Rechnung) (384)"])
def test_the_code_of_a_kind_of_paper_is_not_its_number(kind: str) -> None:
    text = f"ACME\nRechnung {kind} Nr. KB 90417 vom 05.03.2018\nSumme  119,00\n"
    assert ask(text, **NUMBER) == ("KB 90417", "HIGH")


@pytest.mark.parametrize("name", ["Total Garden", "Product Safety Fund", "Net Zero Valley", "Price Cutter"])
def test_a_name_may_begin_with_the_word_of_a_label(name: str) -> None:
    text = f"Invoice #     4400123\nAdvertiser                 {name}\nOrder Brand\nProduct        12/34/567\n"
    assert ask(text, name="advertiser", type="STRING") == (name, "HIGH")


def test_a_heading_beside_a_label_is_no_value() -> None:
    text = "Advertiser          Original Date / Revision\nPrairie PAC         02/24/20 / 03/01/20\n"
    assert ask(text, name="advertiser", type="STRING") == ("Prairie PAC", "HIGH")


@pytest.mark.parametrize("label", ["Total for this invoice", "Total of this order", "Total de cette facture"])
def test_the_total_of_the_paper_itself_is_the_total(label: str) -> None:
    assert ask(f"Postage     1.11\n{label}         4.11\n", name="grand_total", type="DECIMAL") == ("4.11", "HIGH")


@pytest.mark.parametrize("name", ["po_number", "purchase_order", "purchase_order_number"])
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("PO: 9917-A\n", "9917-A"),
        ("Customer PO: 9917-A\n", "9917-A"),
        ("Your PO: 9917-A\n", "9917-A"),
        ("P.O.: 9917-A\n", "9917-A"),
        ("PO      9917-A\n", "9917-A"),
        ("Order no: 12345\nPO: 9917-A\n", "9917-A"),
        ("Order no: PO-9917\n", "PO-9917"),
        ("P.O. Box 12\n", None),
        ("PO Box 1234\n", None),
    ],
)
def test_a_purchase_order_is_called_po(name: str, text: str, value: str | None) -> None:
    assert texts(text, name) == {name: (value, "HIGH" if value else "UNTRUSTED")}


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("PO #: 9917-A\n", "po", "9917-A"),
        ("PO Number: 9917-A\n", "po", "9917-A"),
        ("P.O. Box 12\n", "po", None),
        ("Order ref: NIF-88120\n", "order_number", "NIF-88120"),
        ("Order ref: TLF-88120\n", "order_reference", "TLF-88120"),
        ("Terms: Net 30\n", "payment_terms", "Net 30"),
        ("Terms     2/10 net 30\n", "payment_terms", "2/10 net 30"),
        ("Terms: Due on receipt\n", "payment_terms", "Due on receipt"),
        ("PO         Date         Terms\n9917-A     01/05/2025   Net 30\n", "payment_terms", "Net 30"),
        ("Zahlungsbedingungen: 30 Tage netto\n", "payment_terms", "30 Tage netto"),
        ("Terms\nGoods once sold are not returnable.\n", "payment_terms", None),
        ("Terms:\n1. Pay within 30 days\n", "payment_terms", None),
        ("Terms: 36 months\n", "payment_terms", None),
    ],
)
def test_orders_and_terms_of_payment_have_short_labels(text: str, name: str, value: str | None) -> None:
    assert texts(text, name) == {name: (value, "HIGH" if value else "UNTRUSTED")}


def test_an_order_and_the_purchase_order_of_the_customer_are_told_apart() -> None:
    found = texts("Order no: 12345\nPO: 9917-A\n", "order_number", "po_number")
    assert found == {"order_number": ("12345", "HIGH"), "po_number": ("9917-A", "HIGH")}


def texts(text: str, *names: str) -> dict[str, tuple[object, str]]:
    fields = [{"name": name, "type": "STRING", "required": False} for name in names]
    artifact = paxman.normalize(text, {"id": "texts", "version": "1", "fields": fields})
    return {name: (artifact[name].value, artifact[name].confidence_band.value) for name in names}


@pytest.mark.parametrize("event", ["service", "loss", "accident", "admission", "inspection", "manufacture", "hire"])
def test_the_date_of_an_event_is_said_either_way(event: str) -> None:
    day = ("2025-03-14", "HIGH")
    others = "Invoice no: 77\nDate: 1 May 2025\nDate of purchase: 2 May 2025\n"
    assert ask(f"{others}Date of {event}: 14 March 2025\n", name=f"{event}_date", type="DATE") == day
    assert ask(f"{others}Date of the {event}     14 March 2025\n", name=f"{event}_date", type="DATE") == day
    assert ask(f"{others}{event.title()} date: 14 March 2025\n", name=f"date_of_{event}", type="DATE") == day


def test_the_date_of_an_event_is_not_that_of_another() -> None:
    assert ask("Date of report: 14 March 2025\n", name="loss_date", type="DATE") == NOTHING
    assert ask("The date of loss is not known. Seen 14 March 2025\n", name="loss_date", type="DATE") == NOTHING


@pytest.mark.parametrize(("one", "other"), [("statement", "billing"), ("delivery", "service")])
def test_of_two_periods_each_field_takes_its_own(one: str, other: str) -> None:
    lines = [f"{one} period: 03/01/2025 - 03/31/2025", f"{other} period: 03/05/2025 - 04/04/2025"]
    starts = [{"name": f"{name}_period_start", "type": "DATE", "required": False} for name in (one, other)]
    contract = {"id": "paper", "version": "1", "fields": starts}
    for text in ("\n".join(lines), "\n".join(lines[::-1])):
        found = paxman.normalize(f"Oak Ltd\n{text}\n", contract, policy=paxman.Policy(locale="en_US"))
        assert [(str(r.value), r.confidence_band.value) for r in found.field_results] == [
            ("2025-03-01", "HIGH"),
            ("2025-03-05", "HIGH"),
        ]
    found = paxman.normalize(f"Oak Ltd\n{lines[1]}\n", contract, policy=paxman.Policy(locale="en_US"))
    assert [r.value and str(r.value) for r in found.field_results] == [None, "2025-03-05"]
    alone = ends(lines[1], f"{one}_period", ("start", "end"))
    assert alone == [("2025-03-05", "MEDIUM"), ("2025-04-04", "MEDIUM")]


def test_a_period_of_old_is_not_the_contract_s() -> None:
    old, new = "Old contract period: 03/01/2024 - 02/28/2025", "New contract period: 03/01/2025 - 02/28/2026"
    assert ends(f"{old}\n{new}", "contract", ("start", "end")) == [("2025-03-01", "HIGH"), ("2026-02-28", "HIGH")]
    assert ends(old, "contract", ("start", "end")) == [NOTHING, NOTHING]


def test_a_period_of_consumption_is_not_the_contract_s() -> None:
    text = "Période de consommation du 01/03/2025 au 31/03/2025"
    assert ends(text, "contract", ("start", "end")) == [NOTHING, NOTHING]


@pytest.mark.parametrize(
    ("label", "band"),
    [("Trial period", "MEDIUM"), ("Cancellation period", "MEDIUM"), ("For the period", "HIGH"), ("Pay period", "HIGH")],
)
def test_a_period_that_says_of_what_it_is_is_not_sure_to_be_any(label: str, band: str) -> None:
    text = f"Acme\n{label}: 02/24/20 - 03/29/20\n"
    assert ask(text, name="period_start", type="DATE") == ("2020-02-24", band)


@pytest.mark.parametrize(
    ("label", "name", "band"),
    [
        ("Vertragsbeginn", "contract_start", "HIGH"),
        ("Début du contrat", "contract_start_date", "HIGH"),
        ("Fecha de inicio del contrato", "contract_start", "HIGH"),
        ("Data inizio contratto", "contract_start", "HIGH"),
        ("Ingangsdatum", "contract_start", "HIGH"),
        ("契約開始日", "contract_start", "HIGH"),
        ("Vertragsende", "contract_end", "HIGH"),
        ("Koniec umowy", "contract_end_date", "HIGH"),
        ("Versicherungsbeginn", "policy_start", "HIGH"),
        ("Policy effective date", "policy_start", "HIGH"),
        ("Inception date", "policy_start_date", "HIGH"),
        ("Effective date", "policy_start", "MEDIUM"),
        ("Versicherungsende", "policy_end", "HIGH"),
        ("Policy expiry date", "policy_end", "HIGH"),
        ("Expiry date", "policy_end", "MEDIUM"),
        ("Delivered", "delivery_date", "HIGH"),
        ("Geliefert am", "delivery_date", "HIGH"),
        ("Signed on", "signature_date", "HIGH"),
        ("Signé le", "date_of_signature", "HIGH"),
    ],
)
def test_days_have_names_in_many_languages(label: str, name: str, band: str) -> None:
    assert ask(f"Oak Ltd\n{label}: 2025-03-01\nEnd\n", name=name, type="DATE") == ("2025-03-01", band)


def test_the_day_of_a_card_or_of_two_fields_is_no_end_of_a_contract() -> None:
    assert ask("Oak Ltd\nCard expiry date: 2025-03-01\n", name="contract_end", type="DATE") == NOTHING
    fields = [{"name": name, "type": "DATE", "required": False} for name in ("contract_start", "policy_start")]
    found = paxman.normalize("Oak Ltd\nIngangsdatum: 2025-03-01\n", {"id": "p", "version": "1", "fields": fields})
    assert [r.value for r in found.field_results] == [None, None]


@pytest.mark.parametrize("name", ["last_service", "warranty_expiry", "passport_expiry"])
def test_the_name_of_a_day_may_go_on_with_the_word_for_it(name: str) -> None:
    label = name.replace("_", " ").capitalize()
    found = ask(f"Name: J Doe\n{label} date: 3 May 2030\n", name=name, type="DATE")
    assert found == ask(f"Name: J Doe\n{label}: 3 May 2030\n", name=name, type="DATE") != NOTHING
