"""The date of a paper that no label announces, among the dates of other papers and of rows."""

from datetime import date

import pytest

import paxman
from paxman.types import ConfidenceBand

DATE = {"name": "date", "type": "DATE", "required": True}
HIGH, MEDIUM = ConfidenceBand.HIGH, ConfidenceBand.MEDIUM


def found(text):
    return paxman.normalize(text, {"id": "paper", "version": "1", "fields": [DATE]})["date"]


def date_of(text):
    result = found(text)
    return result.value, result.confidence_band


@pytest.mark.parametrize(
    "text",
    [
        "Oslo, 14 March 2024\n\nDear Sir,\n\nRe: Invoice 4711 of 3 March 2024\n\nWe thank you.\n",
        "Oslo, 14 March 2024\n\nWe refer to your invoice 4711 of 3 March 2024.\n",
        "Paris, le 14 mars 2024\n\nObjet : facture n° 4711 du 3 mars 2024\n\nMadame, Monsieur,\n",
        "Ulme GmbH\n\nBerlin, 14.03.2024\n\nMahnung\n\nRechnung Nr. 4711 vom 03.03.2024\n",
        "Ulme GmbH\n\nGutschrift Nr. 88 vom 14.03.2024\n\nzu Rechnung Nr. 4711 vom 03.03.2024\n",
        "Oak Ltd\n\n14 March 2024\n\nStill open:\nInvoice 4711 of 3 March 2024\nInvoice 4712 of 5 March 2024\n",
    ],
)
def test_a_letter_about_an_invoice_has_its_own_date(text):
    assert date_of(text) == (date(2024, 3, 14), HIGH)


@pytest.mark.parametrize(
    "text",
    [
        "Oak Ltd\n1 High Street\n\nInvoice 4711 of 3 March 2024\n\nTotal 100.00\n",
        "Oak Ltd\nTax Invoice No. 4711   3 March 2024\n\nTotal 100.00\n\n5 March 2024\n",
        "Ulme GmbH\n\nGutschrift (Selbst ausgestellte Rechnung) Nr. 4711 vom 03.03.2024\n",
        "OAK LTD Invoice 4711 of 3 March 2024\n\nTotal 100.00\n",
        "Oak Ltd\nCopy of Invoice 4711 of 3 March 2024\n\nTotal 100.00\n",
    ],
)
def test_an_invoice_is_dated_beside_its_number(text):
    assert date_of(text) == (date(2024, 3, 3), HIGH)


def test_an_invoice_in_a_letter_of_another_day_has_two_dates():
    result = found("Oslo, 14 March 2024\n\nInvoice 4711 of 3 March 2024\n\nTotal 100.00\n")
    assert (result.confidence_band, [d.code for d in result.diagnostics]) == (MEDIUM, ["CONFLICT", "LOW_CONFIDENCE"])


def test_the_only_date_is_a_guess_if_it_is_that_of_another_paper():
    assert date_of("Re: Invoice 4711 of 3 March 2024\n\nDear Sir,\n") == (date(2024, 3, 3), MEDIUM)


@pytest.mark.parametrize(
    "text",
    [
        "OAK SHOP\n\n03/03/2024 20.15\n05/03/2024 19.50\n\nTotal 39.65\n",
        "OAK SHOP\n\n03/03/2024 20.15\n31/03/2024 99.50\n\nTotal 119.65\n",
        "OAK SHOP\n03/03/2024 20.15\nPaid 31/03/2024\nTotal 20.15\n",
    ],
)
def test_an_amount_beside_a_date_is_no_time(text):
    assert date_of(text) == (date(2024, 3, 3), MEDIUM)


@pytest.mark.parametrize("stamp", ["03/03/2024 20.15", "20.15 03/03/2024", "03/03/2024 Jam 20.15"])
def test_a_time_with_a_point_stamps_a_date(stamp):
    assert date_of(f"OAK SHOP\n{stamp}\nRice 5.00\nTotal 5.00\n31/01/2024\n") == (date(2024, 3, 3), HIGH)


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Data wystawienia: 12.04.2025        Data sprzedaży: 10.04.2025\n", "sale_date", (date(2025, 4, 10), HIGH)),
        ("Invoice date: 12 April 2025\n", "sale_date", (None, ConfidenceBand.UNTRUSTED)),
        ("Sale date: 12 April 2025\n", "invoice_date", (date(2025, 4, 12), HIGH)),
        ("Departure date: 17 Oct 2025    Return date: 24 Oct 2025\n", "invoice_date", (None, ConfidenceBand.UNTRUSTED)),
        ("Angebot Nr. A-551       Datum: 03.02.2025\n", "invoice_date", (date(2025, 2, 3), MEDIUM)),
        ("Rechnung Nr. A-551      Datum: 03.02.2025\n", "invoice_date", (date(2025, 2, 3), HIGH)),
    ],
)
def test_the_date_of_something_else_is_not_that_of_the_paper(text, name, expected):
    field = {"name": name, "type": "DATE", "required": False}
    result = paxman.normalize(text, {"id": "paper", "version": "1", "fields": [field]})[name]
    assert (result.value, result.confidence_band) == expected


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("13.02.2025     18:32     Bon-Nr.:4417\n", ("18:32", MEDIUM)),
        ("Date: 13.02.2025 18:32\n", ("18:32", MEDIUM)),
        ("12:47 PM 03/11/2025\nTotal 12.50\n", ("12:47", MEDIUM)),
        ("2025-02-13T18:32:10\nTotal 12.50\n", ("18:32:10", MEDIUM)),
        ("13.02.2025 18:32\nOpen 9:00-18:00\n", (None, ConfidenceBand.UNTRUSTED)),
        ("13.02.2025 Gate 18:32\n", (None, ConfidenceBand.UNTRUSTED)),
        ("Departure: 13.02.2025 18:32\n", (None, ConfidenceBand.UNTRUSTED)),
        ("Due date: 13.02.2025 18:32\n", (None, ConfidenceBand.UNTRUSTED)),
    ],
)
@pytest.mark.parametrize("name", ["time", "receipt_time", "time_of_sale"])
def test_the_only_time_of_a_page_is_that_of_the_paper_beside_its_date(name, text, time):
    result = paxman.normalize(
        text, {"id": "paper", "version": "1", "fields": [{**DATE, "name": name, "type": "STRING"}]}
    )
    assert (result[name].value, result[name].confidence_band) == time


def test_the_time_of_the_paper_is_no_time_of_an_arrival():
    field = {"name": "arrival_time", "type": "STRING", "required": True, "tags": ["time"]}
    result = paxman.normalize("13.02.2025 18:32\n", {"id": "p", "version": "1", "fields": [field]})["arrival_time"]
    assert (result.value, result.confidence_band) == (None, ConfidenceBand.UNTRUSTED)


def test_the_time_of_a_mail_is_not_that_of_what_it_tells():
    mail = b"From: a@alder.example\nSubject: Lunch\nDate: Mon, 3 Mar 2025 10:00:00 +0100\n\nSee you at noon\n"
    contract = {"id": "p", "version": "1", "fields": [{"name": "time", "type": "STRING", "required": True}]}
    assert paxman.normalize(mail, contract)["time"].value is None


def banded(line: str, name: str) -> tuple[str | None, str]:
    field = {"name": name, "type": "DATE", "required": False}
    found = paxman.normalize(f"Some Firm Ltd\n{line}\nEnd\n", {"id": "p", "version": "1", "fields": [field]})[name]
    return None if found.value is None else str(found.value), found.confidence_band.value


DAY = "2025-06-14"
NONE = (None, "UNTRUSTED")


@pytest.mark.parametrize(
    ("label", "name", "outcome"),
    [
        ("Payment date", "invoice_date", NONE),
        ("First payment date", "invoice_date", NONE),
        ("Direct debit date", "invoice_date", NONE),
        ("Contract date", "invoice_date", NONE),
        ("Your order date", "invoice_date", NONE),
        ("Past due date", "invoice_date", NONE),
        ("Datum laatste betaling", "invoice_date", NONE),
        ("Date de la dernière facture", "invoice_date", NONE),
        ("Invoice Bob", "invoice_date", (DAY, "MEDIUM")),
        ("Your invoice date", "invoice_date", (DAY, "HIGH")),
        ("Date of VAT invoice", "invoice_date", (DAY, "HIGH")),
        ("Harvest date", "date", (DAY, "MEDIUM")),
        ("Date of purchase", "date", (DAY, "HIGH")),
        ("Past due date", "date", (DAY, "MEDIUM")),
        ("Letter date", "date", (DAY, "HIGH")),
        ("Today's date", "date", (DAY, "HIGH")),
    ],
)
def test_a_word_for_another_event_makes_it_another_date(label: str, name: str, outcome: tuple[str | None, str]) -> None:
    assert banded(f"{label}: 14 June 2025", name) == outcome


@pytest.mark.parametrize("gap", [": ", " ", "    "])
@pytest.mark.parametrize(
    ("label", "name", "outcome"),
    [
        ("Payment date", "invoice_date", NONE),
        ("Payment date", "date", (DAY, "MEDIUM")),
        ("Application date", "date", (DAY, "MEDIUM")),
        ("Purchase date", "date", (DAY, "HIGH")),
    ],
)
def test_a_date_of_an_event_needs_no_colon(label: str, gap: str, name: str, outcome: tuple[str | None, str]) -> None:
    assert banded(f"{label}{gap}14 June 2025", name) == outcome


@pytest.mark.parametrize(
    ("label", "name", "band"),
    [
        ("Passport expiry date", "expiry_date", "MEDIUM"),
        ("Expiry date of passport", "expiry_date", "MEDIUM"),
        ("Card expiry date", "expiry_date", "MEDIUM"),
        ("Reisepass gültig bis", "valid_until", "MEDIUM"),
        ("Passport issue date", "issue_date", "MEDIUM"),
        ("Trial start date", "start_date", "MEDIUM"),
        ("Child's date of birth", "date_of_birth", "MEDIUM"),
        ("Expiry date", "expiry_date", "HIGH"),
        ("Your policy expiry date", "expiry_date", "HIGH"),
        ("Date d'expiration du contrat", "expiry_date", "HIGH"),
        ("Bank statement date", "statement_date", "HIGH"),
    ],
)
def test_a_day_that_anything_may_have_is_unsure_where_its_label_names_a_thing(label: str, name: str, band: str) -> None:
    assert banded(f"{label}: 14 June 2025", name) == (DAY, band)


@pytest.mark.parametrize(
    ("name", "other", "band"), [("passport", "note", "HIGH"), ("c", "passport_number", "HIGH"), ("c", "note", "MEDIUM")]
)
def test_a_thing_that_the_contract_speaks_of_is_what_a_day_is_of(name: str, other: str, band: str) -> None:
    fields = [{"name": "expiry_date", "type": "DATE"}, {"name": other, "type": "STRING"}]
    contract = {"id": name, "version": "1", "fields": [{**field, "required": False} for field in fields]}
    result = paxman.normalize("Some Firm Ltd\nPassport expiry date: 14 June 2025\n", contract)["expiry_date"]
    assert (str(result.value), result.confidence_band.value) == (DAY, band)


@pytest.mark.parametrize(
    ("label", "name", "outcome"),
    [
        ("Previous invoice date", "invoice_date", NONE),
        ("Letztes Rechnungsdatum", "invoice_date", NONE),
        ("Previous due date", "due_date", NONE),
        ("Discount due date", "due_date", NONE),
        ("Early payment due date", "due_date", NONE),
        ("Last order date", "order_date", NONE),
        ("Last order date", "last_order_date", (DAY, "HIGH")),
        ("Customer order date", "order_date", (DAY, "HIGH")),
        ("First National Bank Due date", "due_date", (DAY, "MEDIUM")),
    ],
)
def test_a_day_of_another_time_is_not_the_one_asked_for(label: str, name: str, outcome: tuple[str | None, str]) -> None:
    assert banded(f"{label}: 14 June 2025", name) == outcome


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("Due Diligence: 14 June 2025", NONE),
        ("Due process hearing 14 June 2025", NONE),
        ("Due Torri, 14 June 2025", NONE),
        ("Scadenza contratto: 14/06/2025", NONE),
        ("Due: 14 June 2025", (DAY, "HIGH")),
        ("Due Sat 14 June 2025", (DAY, "HIGH")),
        ("Due Dote: 14 June 2025", (DAY, "HIGH")),
        ("Due no later than 14 June 2025", (DAY, "HIGH")),
        ("Due within 30 days: 14 June 2025", (DAY, "HIGH")),
        ("Échéance le 14/06/2025", (DAY, "HIGH")),
    ],
)
def test_due_is_a_label_only_before_words_of_a_payment_or_a_day(line: str, outcome: tuple[str | None, str]) -> None:
    assert banded(line, "due_date") == outcome


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("Next service due: 17/09/2025", NONE),
        ("MOT due: 17/09/2025", NONE),
        ("Delivery due: 17/09/2025", NONE),
        ("Tax return due date: 17/09/2025", NONE),
        ("HU fällig: 17/09/2025", NONE),
        ("Next service due\n17/09/2025", NONE),
        ("Due date of the report: 17/09/2025", NONE),
        ("Gym due: 17/09/2025", ("2025-09-17", "MEDIUM")),
        ("Fecha de vencimiento del seguro: 17/09/2025", ("2025-09-17", "MEDIUM")),
        ("Service charge due: 17/09/2025", ("2025-09-17", "HIGH")),
        ("Direct debit due: 17/09/2025", ("2025-09-17", "HIGH")),
        ("Rechnung fällig am: 17/09/2025", ("2025-09-17", "HIGH")),
        ("Deposit due: 31/01/2025", ("2025-01-31", "MEDIUM")),
        ("Deposit due: 31/01/2025\nBalance due: 28/02/2025", NONE),
        ("Deposit due by 31/01/2025\nBalance due by 28/02/2025", NONE),
        ("First payment due: 31/01/2025\nSecond payment due: 28/02/2025", NONE),
        ("1. Rate fällig am 31/01/2025\n2. Rate fällig am 28/02/2025", NONE),
    ],
)
def test_what_is_done_or_paid_in_parts_is_not_when_the_paper_is_due(line: str, outcome: tuple[str | None, str]) -> None:
    assert banded(f"Invoice date: 17/09/2024\nTotal: £210.00\n{line}\n", "due_date") == outcome


@pytest.mark.parametrize(
    ("text", "name", "outcome"),
    [
        ("Account statement as of 14 June 2025\nInvoice 1181  12 May 2025  100.00", "statement_date", (DAY, "HIGH")),
        ("Statement as at June 14, 2025", "statement_date", (DAY, "HIGH")),
        ("Kontoauszug Stand: 14.06.2025", "statement_date", (DAY, "HIGH")),
        ("Relevé de compte au 14/06/2025", "statement_date", (DAY, "HIGH")),
        ("Estratto conto al 14/06/2025", "statement_date", (DAY, "HIGH")),
        ("Extracto a fecha de 14/06/2025", "statement_date", (DAY, "HIGH")),
        ("Relevé de compte du 01/05/2025 au 31/05/2025", "statement_date", NONE),
        ("Account statement as of 31 May 2025\nInvoice 1181  14 June 2025  100.00", "date", (DAY, "MEDIUM")),
    ],
)
def test_a_statement_is_of_the_day_behind_its_name(text: str, name: str, outcome: tuple[str | None, str]) -> None:
    assert banded(text, name) == outcome


RIVALS = ["CONFLICT", "LOW_CONFIDENCE"]
OPEN = (None, ["CHAIN_EXHAUSTED"])


def of_invoice(text: str) -> list[tuple[str | None, list[str]]]:
    """The number and the day of an invoice, each with what is said of it."""
    types = {"invoice_number": "STRING", "invoice_date": "DATE"}
    fields = [{"name": name, "type": kind, "required": False} for name, kind in types.items()]
    found = paxman.normalize(text, {"id": "p", "version": "1", "fields": fields})
    results = [found[name] for name in types]
    return [(r.value and str(r.value), [note.code for note in r.diagnostics]) for r in results]


ROWS = "4711          03.04.2026     120.00\n4715          12.04.2026     80.00\n"


@pytest.mark.parametrize(
    "title", ["Statement of account", "Payment reminder", "Remittance advice", "Despatch note", "2. Mahnung"]
)
@pytest.mark.parametrize(
    ("lines", "outcome"),
    [
        ("Invoice 4711 of 03.04.2026 120.00\nInvoice 4715 of 12.04.2026 80.00\n", ("4711", "2026-04-03")),
        ("Invoice no. 4711 dated 03.04.2026\nInvoice no. 4715 dated 12.04.2026\n", ("4711", "2026-04-03")),
        ("03.04.2026  Invoice 4711  9.00\n08.04.2026  Cash\n12.04.2026  Invoice 4715  9.00\n", ("4711", "2026-04-03")),
        (f"Invoice no    Invoice date   Amount\n{ROWS}", None),
        (f"Invoice       Date           Amount\n{ROWS}", None),
        ("03.04.2026  Invoice  4711  03.05.2026\n12.04.2026  Invoice  4715  12.05.2026\n", ("4711", "2026-04-03")),
        ("Invoice     Amount\n4711        120.00\n4715        80.00\n", None),
        ("Invoice     Invoice date\n4711        03.04.2026\n4715        12.04.2026\n", None),
    ],
)
def test_a_list_of_invoices_has_no_one_date_and_number(title: str, lines: str, outcome: tuple[str, str] | None) -> None:
    expected = [(value, RIVALS) for value in outcome] if outcome else [OPEN, OPEN]
    assert of_invoice(f"Acme Ltd\n{title}\nDate: 30.05.2026\n\n{lines}") == expected


@pytest.mark.parametrize(
    "text",
    [
        "{}\n14 June 2025\n",
        "Ref   {}     City\nAX    14 June 2025   Bonn\n",
        "Ref   {}     City\nAX    14 June 2025   Bonn\nAY    15 June 2025   Ulm\n",
        "| Ref | {} |\n|---|---|\n| AX | 14 June 2025 |\n",
    ],
)
@pytest.mark.parametrize("label", ["Due date", "Date of birth", "Delivery date", "Hire date", "Prüfdatum"])
def test_the_label_over_a_date_says_that_it_is_not_that_of_the_paper(text: str, label: str) -> None:
    assert banded(text.format(label), "invoice_date") == NONE


@pytest.mark.parametrize(
    "text",
    [
        "Ref,Due date,City\nAX,14 June 2025,Bonn\n",
        "<table><tr><th>Ref</th><th>Due date</th></tr><tr><td>AX</td><td>14 June 2025</td></tr></table>",
        "<dl><dt>Due date</dt><dd>14 June 2025</dd></dl>",
    ],
)
def test_the_heading_of_a_cell_says_that_its_date_is_not_that_of_the_paper(text: str) -> None:
    assert date_of(text) == (None, ConfidenceBand.UNTRUSTED)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Reminder\nDate: 30.05.2026\n\nOur invoice 4711 dated 03.04.2026 for EUR 9.00 is open.\n", ("2026-04-03", [])),
        ("Mahnung\nDatum: 30.05.2026\n\nRechnung Nr. 4711 vom 03.04.2026 ist noch offen.\n", ("2026-04-03", [])),
        ("Statement\nStatement date: 30.05.2026\nAmount due: 12.00\n", ("2026-05-30", ["LOW_CONFIDENCE"])),
        ("Reminder\n\nBonn, 30.05.2026\n\nDear Sir,\n", ("2026-05-30", ["LOW_CONFIDENCE"])),
        (
            "Statement\n01.04.2026  Opening balance  5.00\n03.04.2026  Invoice 4711  9.00\n",
            ("2026-04-03", ["LOW_CONFIDENCE"]),
        ),
        (
            "Invoice no. 9\nDate: 30.05.2026\nInvoice 7001 of 03.04.2026\nInvoice 7002 of 04.04.2026\n",
            ("2026-05-30", []),
        ),
        ("Invoice 100   Due 09.06.2026\nDate: 30.05.2026\nLess invoice 7001 of 03.04.2026\n", ("2026-05-30", [])),
        ("Invoice 100 of 30.05.2026\nDate: 30.05.2026\nLess invoice 7001 of 03.04.2026\n", ("2026-05-30", [])),
    ],
)
def test_the_date_of_a_paper_about_an_invoice_is_not_the_invoice_s(text: str, outcome: tuple[str, list[str]]) -> None:
    assert of_invoice(f"Acme Ltd\n{text}")[1] == outcome


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Invoice Date Due Date Amount\n03.04.2026 14.06.2025 9.00", (DAY, "HIGH")),
        ("Rechnung Datum Fällig Betrag\n4711 03.04.2026 14.06.2025 9,00", (DAY, "HIGH")),
        ("Invoice Date Period Due Date\n03.04.2026 01.03.2026-31.03.2026 17.04.2026", NONE),
        ("Rechnung Datum Fällig\n4711 03.04.2026 17.04.2026\n4715 12.04.2026 26.04.2026", NONE),
    ],
)
def test_days_below_labels_without_gaps_stand_in_their_order(text: str, outcome: tuple[str | None, str]) -> None:
    assert banded(text, "due_date") == outcome


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Ref   Valued\nAX    14 June 2025\n", (DAY, "MEDIUM")),
        ("Ref   Mandate date\nAX    14 June 2025\n", (DAY, "MEDIUM")),
        ("Invoice   Report\nAX        14 June 2025\n", (DAY, "HIGH")),
        ("Berlin\n14 June 2025\n", (DAY, "HIGH")),
    ],
)
def test_unknown_words_over_a_column_make_its_date_a_guess(text: str, outcome: tuple[str | None, str]) -> None:
    assert banded(text, "date") == outcome


OPEN_ONES = "Invoice 551 dated 3 March 2025    £50.00\nInvoice 560 dated 17 March 2025   £60.00\n"
PARTS = "Rechnung Nr. 1 vom 03.02.2025  9,00 €\nRechnung Nr. 2 vom 03.03.2025  9,00 €\nRechnungsbetrag 9,00 €\n"


@pytest.mark.parametrize(
    "title",
    ["Account summary", "Statement of account 31 March 2025", "Overdue account - please pay", "Open invoices:"],
)
def test_no_day_of_listed_invoices_is_that_of_one(title: str) -> None:
    assert of_invoice(f"Moss Ltd\n{title}\n{OPEN_ONES}") == [("551", RIVALS), ("2025-03-03", RIVALS)]


@pytest.mark.parametrize(
    "text",
    [
        f"Teilrechnung Nr. 3\nDatum: 30.04.2025\n{PARTS}",
        f"Sammelrechnung 2025-90\nDatum: 30.04.2025\n{PARTS}",
        f"RECHNUNG\nDatum: 30.04.2025\n{PARTS}",
        "Verzamelfactuur 90\nDatum: 30-04-2025\nFactuur 1 van 03-02-2025\nFactuur 2 van 03-03-2025\n",
        f"Progress Invoice No. 3\nDate: 30 April 2025\n{OPEN_ONES}",
        f"Invoice Number: K-889\nDate: 30 April 2025\nOpen invoices:\n{OPEN_ONES}",
        f"Invoice\nNumber: K-889\nDate: 30 April 2025\nOpen invoices:\n{OPEN_ONES}",
    ],
)
def test_an_invoice_that_lists_others_has_its_own_day(text: str) -> None:
    assert of_invoice(f"Klein GmbH\n{text}")[1] == ("2025-04-30", [])


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Statement\nDate: 31 March 2025\nInvoice 551 dated 3 March 2025    £50.00\n", ("2025-03-31", "HIGH")),
        (f"Statement of account\nLondon, 31 March 2025\n{OPEN_ONES}", ("2025-03-31", "HIGH")),
        (f"Account summary\n{OPEN_ONES}", NONE),
    ],
)
def test_the_day_of_a_listed_invoice_is_not_that_of_the_statement(text: str, outcome: tuple[str | None, str]) -> None:
    field = {"name": "statement_date", "type": "DATE", "required": True}
    found = paxman.normalize(f"Moss Ltd\n{text}", {"id": "p", "version": "1", "fields": [field]})["statement_date"]
    assert (found.value and str(found.value), found.confidence_band.value) == outcome


@pytest.mark.parametrize(
    ("label", "name", "band"),
    [
        ("Gutschriftsdatum", "invoice_date", "MEDIUM"),
        ("Credit note date", "invoice_date", "MEDIUM"),
        ("Statement date", "invoice_date", "MEDIUM"),
        ("Mahndatum", "invoice_date", "MEDIUM"),
        ("Invoice date", "statement_date", "MEDIUM"),
        ("Invoice date", "credit_note_date", "MEDIUM"),
        ("Gutschriftsdatum", "credit_note_date", "HIGH"),
        ("Gutschriftsdatum", "issue_date", "HIGH"),
        ("Statement date", "date", "HIGH"),
        ("Statement date", "statement_date", "HIGH"),
        ("Receipt date", "invoice_date", "HIGH"),
        ("Document date", "invoice_date", "HIGH"),
    ],
)
def test_the_date_of_one_kind_of_paper_is_not_surely_that_of_another(label: str, name: str, band: str) -> None:
    assert banded(f"{label}: 14.06.2025\nTotal: 12.00\n", name) == (DAY, band)
