from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

import paxman
from paxman.recognizers import Conventions, conventions_of, find
from paxman.types import Severity

RECEIPT = "SHOP SDN BHD\nDATE 25/12/2017\nTOTAL RM 12.50\nCASH RM 20.00\nCHANGE RM 7.50\n"


def test_a_receipt() -> None:
    assert conventions_of(RECEIPT) == Conventions(".", "dmy", "MYR", "en")


def test_a_german_invoice() -> None:
    text = "Rechnung vom 03.04.2025 für die Lieferung und das Porto: Summe 1.234,56 EUR, Steuer 19 %"
    assert conventions_of(text) == Conventions(",", "dmy", "EUR", "de")


def test_one_clear_date_fixes_the_others() -> None:
    page = "Ordered 03/04/2025, shipped 12/25/2025"
    (first, second) = find("date", page, conventions_of(page))
    assert (first.value, first.alternatives, second.value) == (date(2025, 3, 4), (), date(2025, 12, 25))
    assert find("date", "03/04/2025", conventions_of("Ordered 03/04/2025"))[0].alternatives != ()


def test_dates_that_contradict_each_other_fix_nothing() -> None:
    assert conventions_of("25/12/2025 and 12/25/2025").date_order is None


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ("de_DE", Conventions(",", "dmy", "EUR", "de", "DE")),
        ("de-CH", Conventions(".", "dmy", "CHF", "de", "CH")),
        ("en_US", Conventions(".", "mdy", "USD", "en", "US")),
        ("ja", Conventions(".", "ymd", None, "ja")),
        ("en", Conventions(".", None, None, "en")),
    ],
)
def test_a_locale_decides(locale: str, expected: Conventions) -> None:
    assert conventions_of("", locale) == expected


def test_a_locale_wins_over_the_page_but_for_its_currency() -> None:
    assert conventions_of(RECEIPT, "en_US") == Conventions(".", "mdy", "MYR", "en", "US")


def test_the_page_overrules_the_locale() -> None:
    page = "Invoice date 11/03/2017\nTotal 2,076.76 EUR\nPaid 11/17/2017 623.00 EUR\n"
    assert conventions_of(page, "de_DE") == Conventions(".", "mdy", "EUR", "de", "DE")


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("Price 5 USD or 6 EUR", None),
        ("5 USD 6 USD 7 USD 8 EUR", "USD"),
        ("A$ 5.00 and A$ 6.00", "AUD"),
        ("GOOD FOOD SDN BHD 123", None),
        ("Amount (CHF) 12.00", "CHF"),
    ],
)
def test_the_currency_that_is_named_most(text: str, currency: str | None) -> None:
    assert conventions_of(text).currency == currency


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("la facture est pour vous et nous", "fr"),
        ("esta factura es para el cliente y los otros", "es"),
        ("この請求書は", "ja"),
        ("счет на оплату", "ru"),
        ("12 34", None),
    ],
)
def test_languages(text: str, language: str | None) -> None:
    assert conventions_of(text).language == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Lieferschein Nr. L-7781\nDatum: 11.03.2025\nVersandart: Spedition\nGewicht: 1.250 kg", "de"),
        ("Bordereau\nExpéditeur: Nord SA\nPoids: 1.250 kg", "fr"),
        ("Albarán 7781\nTransportista: Nord\nPeso: 1.250 kg", "es"),
        ("Bolla 7781\nMittente: Nord\nVettore: Sud\nPeso: 1.250 kg", "it"),
        ("Guia de remessa\nTransportadora: Norte\nPeso: 1.250 kg", "pt"),
        ("Pakbon 7781\nLeveradres: Noord\nGewicht: 1.250 kg", "nl"),
        ("Odbiorca: Nord\nDostawca: Sud\nWaga: 1.250 kg", "pl"),
    ],
)
def test_words_of_delivery_notes_tell_a_language_and_its_point(text: str, language: str) -> None:
    how = conventions_of(text)
    assert (how.language, how.decimal_point) == (language, ",")


@pytest.mark.parametrize("word", ["Total", "La", "Per", "Pro", "A", "Van", "Data", "Com", "Facture"])
def test_one_word_again_and_again_tells_no_language(word: str) -> None:
    assert conventions_of(f"{word} boxes: 40\n{word} pallets: 3\n{word}: 1,250\n") == Conventions()


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Pizzeria da Mario\nInsalata di mare\nVino della casa\nTable 4\nTax\nTip\nTotal", None),
        ("Devis du 3 mai 2024, facture à suivre", "fr"),
        ("Devis du 3 mai 2024, facture à suivre\nReno, NV 89501", None),
        ("Trattoria\nLinguine della casa 12.00\nTotale $12.00", None),
        ("Factuurdatum, vervaldatum, bedrag\nReno, NV 89501", "nl"),
    ],
)
def test_a_language_is_told_by_more_than_speaks_against_it(text: str, language: str | None) -> None:
    assert conventions_of(text).language == language


@pytest.mark.parametrize(
    ("page", "point"),
    [
        ("Fecha, importe y vencimiento\nTotal: $1,500", None),
        ("Fecha, importe y vencimiento\nTotal: $1,500\nCUIT 30-50001091-2", ","),
        ("Fecha, importe y vencimiento\nTotal: $1,500\nCiudad de México", "."),
        ("Fecha, importe y vencimiento\nTotal: 1.500 €", ","),
    ],
)
def test_spanish_in_pesos_is_written_as_its_country_does(page: str, point: str | None) -> None:
    how = conventions_of(page)
    assert (how.language, how.decimal_point) == ("es", point)


def test_an_address_in_the_united_states_puts_the_month_first() -> None:
    assert conventions_of("Dallas, TX 75201\nThe date of the order is 02/03/2024").date_order == "mdy"
    assert conventions_of("Dallas, TX 75201\nThe date of the order is 02.03.2024").date_order is None
    assert conventions_of("Dallas, TX 75201\nDate of the order: 02/03/2024\nTotal: EUR 5.00").date_order is None
    assert (
        conventions_of("Dallas, TX 75201\nToronto ON M5V 2T6\nDate: 7/03/2025\nFee: $11.00\nGST 5%").date_order is None
    )


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("Date: 02/03/2024\nTotal cash: $1,200\nTotal goods: $300\nTotal: $1,500", ("1500 USD", "2024-02-03")),
        ("Date: 02/03/2024\nLoader $1,200 per week\n$65 per hour\nper day\nTotal: $2,500", ("2500 USD", "2024-02-03")),
    ],
)
def test_english_papers_are_not_read_as_other_languages_write(page: str, found: tuple[str, str]) -> None:
    fields = [{**FEE, "name": "total"}, {"name": "date", "type": "DATE", "required": True}]
    artifact = paxman.normalize(page, {"id": "c", "fields": fields})
    assert (str(artifact["total"].value), str(artifact["date"].value)) == found
    assert [artifact[name].confidence_band.name for name in ("total", "date")] == ["HIGH", "MEDIUM"]
    assert artifact["date"].diagnostics[0].code == "AMBIGUOUS_VALUE"


@given(st.text(max_size=300))
def test_any_text_has_conventions(text: str) -> None:
    assert conventions_of(text) == conventions_of(text)


FEE = {"name": "fee", "type": "MONEY", "required": True}
ROWS = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": [{**FEE, "name": "price"}]}}


def assumed(document: object, *fields: object, locale: str | None = None) -> list[tuple[object, ...]]:
    """What is said of currencies that were taken from elsewhere."""
    artifact = paxman.normalize(document, {"id": "c", "fields": list(fields)}, policy=paxman.Policy(locale=locale))
    notes = [note for result in artifact.field_results for note in result.diagnostics]
    return [(n.field_path, n.severity, n.message, n.context["span"]) for n in notes if n.code == "CURRENCY_ASSUMED"]


@pytest.mark.parametrize(
    ("document", "span", "times"),
    [
        ("Fee: 1.10\nWe also sell in EUR.\n", (26, 29), "1 time"),
        ("Fee: 24\nPaid: €10\n", (14, 15), "1 time"),
        ("All in €\nFee   1.10\nTax   2.20 EUR\n", (7, 8), "2 times"),
        ({"fee": 1.1, "a": "10 EUR", "b": "11 EUR"}, (22, 25), "2 times"),
        ("fee,name,x,y\n1.10,a,5 EUR,1\n", (22, 25), "1 time"),
    ],
)
def test_a_currency_from_elsewhere_is_noted(document: object, span: tuple[int, int], times: str) -> None:
    message = f"EUR is taken from elsewhere on the page, which names it {times}"
    assert assumed(document, FEE) == [("fee", Severity.INFO, message, span)]


@pytest.mark.parametrize(
    "document",
    [
        "Fee: 1.10 EUR\nWe also sell in EUR.\n",
        "Fee EUR: 1.10\n",
        "Fee (EUR)   1.10\nOther   2.20\n",
        "Fee in euro\n1.10\nAll in EUR\n",
        {"fee": 1.1, "currency": "EUR"},
        {"fee": {"amount": 1.1, "currency": "EUR"}},
        {"fee_eur": 1.1, "a": "10 EUR"},
        "fee EUR,name,x,y\n1.10,a,5 EUR,1\n",
        "fee,currency,x,y\n1.10,EUR,5,1\n",
    ],
)
def test_a_currency_beside_an_amount_or_its_label_is_none(document: object) -> None:
    assert assumed(document, {**FEE, "labels": ["fee_eur", "fee EUR", "Fee in euro"]}) == []


def test_a_currency_from_elsewhere_is_noted_once_for_all_rows() -> None:
    document = {"rows": [{"price": 1.5}, {"price": 2.5}, {"price": 3.5}], "total": "7.50 EUR"}
    message = "EUR is taken from elsewhere on the page, which names it 1 time"
    assert assumed(document, ROWS) == [("rows", Severity.INFO, message, (74, 77))]


def test_a_currency_from_the_locale_is_noted() -> None:
    message = "EUR is taken from the locale"
    assert assumed("Fee: 1,10\n", FEE, locale="de_DE") == [("fee", Severity.INFO, message, None)]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("株式会社山田商事\n〒100-0001\n合計 ¥12,000\n消費税 ¥1,200", "JPY"),
        ("杭州云帆科技有限公司\n发票\n合计 ¥12,000.00", "CNY"),
        ("有限公司 株式会社 ¥500", None),
        ("Hansen ApS\nCVR 12345678\nMoms 25%\nTotal: 500,00 kr.", "DKK"),
        ("Hansen AS\nOrg.nr 912 345 678 MVA\nTotal: 500,00 kr", "NOK"),
        ("Svensson AB\nOrgnr 556677-8899\nMoms 25%\nTotal: 500,00 kr", "SEK"),
        ("Moms 25%\nTotal: 500,00 kr", None),
        ("Total: ¥500", None),
    ],
)
def test_the_words_of_a_page_tell_whose_sign_it_writes(page: str, expected: str | None) -> None:
    assert conventions_of(page).currency == expected


def test_beside_another_currency_the_sign_is_still_that_of_the_page() -> None:
    page = "Svensson AB\nOrgnr 556677-8899\nMoms 25%\nTotal: 500,00 kr (45,00 EUR)"
    found = find("money", "500,00 kr", conventions_of(page))
    assert [(str(reading.value), reading.alternatives) for reading in found] == [("500.00 SEK", ())]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("Invoice date 2024/12/05, due 24/11/05", ["2024-12-05", "2024-11-05"]),
        ("Ordered 5 March 2024, shipped 24-03-15", ["2024-03-05", "2024-03-15"]),
        ("Invoice 24-12-31, due 25-01-30", ["2024-12-31", "2025-01-30"]),
        ("Invoice 31-12-24, due 30-01-25", ["2024-12-31", "2025-01-30"]),
        ("24-11-05, 24-11-19 and 24-12-31", ["2024-11-05", "2024-11-19", "2024-12-31"]),
        ("24/11/19, printed 2019-11-24", ["2019-11-24", "2019-11-24"]),
        ("98-12-31 and 05-03-04", ["1998-12-31", "2005-03-04"]),
        ("12/31/24 and 05/11/24", ["2024-12-31", "2024-05-11"]),
        ("24/11/05 for RM 12.50", ["2005-11-24"]),
        ("15/03/24, copyright 2024", ["2024-03-15"]),
        ("Fakturadatum 24-12-31, belopp 12,00 kr, moms, org.nr 5560001234", ["2024-12-31"]),
        ("Fakturadatum 24-12-31 för att det är en faktura och inte mer", ["2024-12-31"]),
    ],
)
def test_all_dates_together_say_where_a_year_of_two_digits_stands(page: str, expected: list[str]) -> None:
    dates = find("date", page, conventions_of(page))
    assert [(str(each.value), each.alternatives) for each in dates] == [(day, ()) for day in expected]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("24-12-31", ["2031-12-24", "2024-12-31"]),
        ("24/11/05", ["2005-11-24", "2024-11-05"]),
        ("05/11/24", ["2024-11-05", "2024-05-11"]),
        ("15-03-24", ["2024-03-15", "2015-03-24"]),
        ("15/03/24, CNY 1,200.00", ["2024-03-15", "2015-03-24"]),
        ("Invoice date: 15-03-24, SEK 1,200.00", ["2024-03-15", "2015-03-24"]),
        ("日期 15/03/24 合計 300", ["2024-03-15", "2015-03-24"]),
        ("日期 24/03/15 合計 300", ["2024-03-15", "2015-03-24"]),
        ("From 15-12-22, to 15-01-24", ["2022-12-15", "2015-12-22"]),
        ("Dated 15-03-24, contract of 3 May 2015", ["2024-03-15", "2015-03-24"]),
        ("24/11/05 in CAD", ["2005-11-24", "2024-11-05"]),
        ("24/11/05 in TWD", ["2024-11-05", "2005-11-24"]),
        ("24.11.05, 12 000 Ft", ["2024-11-05", "2005-11-24"]),
        ("24/11/17 and 24/12/17", ["2017-11-24", "2024-11-17"]),
        ("24/11/05, since 2005, copyright 2024", ["2005-11-24", "2024-11-05"]),
    ],
)
def test_an_ambiguous_two_digit_year_has_both_readings(page: str, expected: list[str]) -> None:
    (first, *_) = find("date", page, conventions_of(page))
    assert [str(each.value) for each in (first, *first.alternatives)] == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("Date de facture : 05/05/24\nDate d'échéance : 05/05/25\nMontant : 320,00 €", ["2024-05-05", "2025-05-05"]),
        ("01.06.24 bis 01.06.25, 240,00 EUR", ["2024-06-01", "2025-06-01"]),
        ("Du 01/07/23 au 01/08/24, le montant de la facture est de 5,00 €", ["2023-07-01", "2024-08-01"]),
        ("15/12/22 and 16/01/24", ["2022-12-15", "2024-01-16"]),
        ("DOB: 14/08/2012\nInvoice date: 12/05/24\n£50.00", ["2012-08-14", "2024-05-12"]),
        ("Bail du 1er mars 2010, facture du 10/05/24, 650,00 €", ["2010-03-01", "2024-05-10"]),
        ("Born 2015-08-14, seen 15/03/24", ["2015-08-14", "2024-03-15"]),
        ("日期：15/03/24\n總計：HK$300.00\n多謝惠顧", ["2024-03-15"]),
        ("Date: 15/03/24 14:22\nTotal: 45.00", ["2024-03-15"]),
        ("Date: 15/03/24\nTotal: USD 45.00", ["2024-03-15"]),
        ("Date: 15/03/24\nTotal: Rs. 45.00", ["2024-03-15"]),
        ("Date: 15/03/24\nTotal: R 45.00", ["2024-03-15"]),
        ("Från 24-01-01 till 25-01-01, hyra och moms för att betala", ["2024-01-01", "2025-01-01"]),
        ("契約期間は 24/04/01 から 25/04/01 までです", ["2024-04-01", "2025-04-01"]),
    ],
)
def test_a_term_of_years_or_an_old_date_does_not_turn_the_others(page: str, expected: list[str]) -> None:
    dates = find("date", page, conventions_of(page))
    assert [(str(each.value), each.alternatives) for each in dates] == [(day, ()) for day in expected]


def test_a_term_of_years_is_written_as_its_locale_does() -> None:
    page = "06/01/24 - 06/01/25"
    dates = find("date", page, conventions_of(page, "en_US"))
    assert [(str(each.value), each.alternatives) for each in dates] == [("2024-06-01", ()), ("2025-06-01", ())]


def test_a_locale_says_where_a_year_of_two_digits_stands() -> None:
    page = "Invoice date 24-12-31"
    days = [find("date", page, conventions_of(page, locale))[0] for locale in ("de_DE", "sv_SE", "hu_HU", "en_US")]
    assert [str(each.value) for each in days] == ["2031-12-24", "2024-12-31", "2024-12-31", "2031-12-24"]
    assert [len(each.alternatives) for each in days] == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("page", "fee", "day"),
    [
        ("ABN 53 004 085 616\nDate: 7/03/2025\nFee: $11.00\n", "11.00 AUD", "2025-03-07"),
        ("Toronto ON M5V 2T6, Canada\nDate: 7/03/2025\nFee: $11.00\n", "11.00 CAD", "2025-03-07"),
        ("GST included\nDate: 7/03/2025\nFee: $11.00\n", "11.00 USD", "2025-03-07"),
        ("Canada Dry\nDallas, TX 75201\nDate: 7/03/2025\nFee: $11.00\n", "11.00 USD", "2025-07-03"),
        ("Canada\nDate: 7/03/2025\nFee: US$ 11.00\n", "11.00 USD", "2025-07-03"),
        ("Perth WA 6000\nDate: 7/03/2025\nFee: $11.00\n", "11.00 AUD", "2025-03-07"),
        ("Auckland 1010, New Zealand\nDate: 7/03/2025\nFee: $11.00\n", "11.00 NZD", "2025-03-07"),
        ("TPS : 5,00 $\nDate: 7/03/2025\nFee: $11.00\n", "11.00 CAD", "2025-03-07"),
        ("Dallas, Texas 75201\nToronto ON M5V 2T6\nDate: 7/03/2025\nFee: $11.00\n", "11.00 USD", "2025-07-03"),
    ],
)
def test_a_bare_dollar_is_that_of_the_page(page: str, fee: str, day: str) -> None:
    date = {"name": "date", "type": "DATE", "required": True}
    artifact = paxman.normalize(page, {"id": "c", "fields": [FEE, date]})
    assert (str(artifact["fee"].value), str(artifact["date"].value)) == (fee, day)


@pytest.mark.parametrize(
    "words",
    [
        "Made in Mexico",
        "Postage 10.00 Canada",
        "Colombia Supremo 250g",
        "Canada Dry Ginger Ale",
        "Singapore noodles",
        "Gulf of Mexico shrimp",
        "Bank: ABN AMRO",
        "Flight 10:30 HST",
        "TPS report",
        "CARES ACT 2020",
        "Ship to: Anna Brown, 5 King St W, Toronto ON M5H 1A1, Canada",
        "Bill to\nAnna Brown\nToronto ON M5H 1A1\nCanada",
    ],
)
def test_a_country_in_passing_does_not_change_the_dollar(words: str) -> None:
    artifact = paxman.normalize(f"{words}\nFee: $11.00\n", {"id": "c", "fields": [FEE]})
    assert (str(artifact["fee"].value), artifact["fee"].confidence_band.name) == ("11.00 USD", "HIGH")


@pytest.mark.parametrize(("place", "band"), [("Singapore 049483", "MEDIUM"), ("Austin, TX 78701", "HIGH")])
def test_which_dollar_is_meant_may_be_in_doubt_but_not_how_many(place: str, band: str) -> None:
    paid = {"name": "paid", "type": "DECIMAL", "required": True}
    artifact = paxman.normalize(f"{place}\nFee: $11.00\nPaid: $11.00\n", {"id": "c", "fields": [FEE, paid]})
    assert [artifact[name].confidence_band.name for name in ("fee", "paid")] == [band, "HIGH"]
    assert [note.code for note in artifact["fee"].diagnostics[:1]] == ["CURRENCY_ASSUMED"] * (band == "MEDIUM")


@pytest.mark.parametrize(("tax", "fee"), [("", "11.00 USD"), ("HST 13%\n", "11.00 CAD")])
def test_beside_an_address_in_the_us_a_tax_tells_another_dollar(tax: str, fee: str) -> None:
    page = f"Acme Inc\nAustin, TX 78701\nShip to: Maple, Toronto ON M5V 2T6, Canada\n{tax}Fee: $11.00\n"
    assert str(paxman.normalize(page, {"id": "c", "fields": [FEE]})["fee"].value) == fee


@pytest.mark.parametrize(
    ("words", "fee"),
    [
        ("Total Euro 378.20", "11.00 EUR"),
        ("Totale 378,20 Euro", "11.00 EUR"),
        ("All amounts in Swiss francs", "11.00 CHF"),
        ("12 Euro pallets, Euro Trans Ltd", "None"),
        ("Totals: Euro 378.20, Yen 60,000.00", "None"),
        ("Weight 12.50 pounds", "None"),
    ],
)
def test_a_currency_named_in_words_holds_for_the_page(words: str, fee: str) -> None:
    artifact = paxman.normalize(f"{words}\nFee: 11.00\n", {"id": "c", "fields": [FEE]})
    assert str(artifact["fee"].value) == fee


@pytest.mark.parametrize(
    ("fee", "readings"),
    [
        ("500 kroner", ("500 DKK", "500 NOK")),
        ("500 dirhams", ("500 AED", "500 MAD")),
        ("500 shillings", ("500 KES", "500 TZS", "500 UGX")),
        ("$500 pesos", ("500 MXN", "500 COP", "500 ARS", "500 CLP")),
    ],
)
def test_a_word_for_the_money_of_several_countries_has_all_their_readings(fee: str, readings: tuple[str, ...]) -> None:
    found = paxman.normalize(f"Fee: {fee}\n", {"id": "c", "fields": [FEE]})["fee"]
    assert (found.value, found.diagnostics[0].context) == (None, {"readings": readings})


@pytest.mark.parametrize(
    ("fee", "value"), [("500 dollars", "500 USD"), ("500 pounds", "500 GBP"), ("500 kronor", "500 SEK")]
)
def test_a_word_that_nearly_always_means_one_currency_means_it(fee: str, value: str) -> None:
    found = paxman.normalize(f"Fee: {fee}\n", {"id": "c", "fields": [FEE]})["fee"]
    assert (str(found.value), found.confidence_band.name) == (value, "HIGH")


@pytest.mark.parametrize(
    ("place", "fee", "value"),
    [
        ("GSTIN: 29AAGCB7383J1Z4", "Rs. 1,200.00", "1200.00 INR"),
        ("Lahore, Pakistan", "Rs 1,200.00", "1200.00 PKR"),
        ("Lahore, Pakistan and Mumbai, India", "Rs. 1,200.00", "None"),
        ("Cape Town, South Africa", "R 1 200,00", "1200.00 ZAR"),
        ("Tel +27 21 555 0199", "R1,200.00", "1200.00 ZAR"),
        ("Malmö, Sverige", "1 200,00 kr", "1200.00 SEK"),
        ("Org.nr 556016-0680", "1 200,00 kr", "1200.00 SEK"),
        ("Oslo, Norge", "1 200,00 kr", "1200.00 NOK"),
        ("Odense, Danmark", "1 200,00 kr", "1200.00 DKK"),
        ("Volvo AB to Odense, Danmark", "1 200,00 kr", "None"),
        ("Oslo", "1 200,00 kr", "1200.00 NOK"),
        ("Oslo, Norge", "500 kroner", "500 NOK"),
        ("Gasthof Krone", "500 kroner", "None"),
        ("Bogotá, Colombia", "1.250.000 pesos", "1250000 COP"),
        ("Manila", "500 pesos", "500 PHP"),
        ("Manila and Santiago de Chile", "500 pesos", "None"),
        ("Peso netto 12 kg", "500 pesos", "None"),
        ("Dakar, Senegal", "500 francs", "500 XOF"),
        ("Dakar et Abidjan", "500 francs", "500 XOF"),
        ("Lausanne", "500 francs", "500 CHF"),
        ("Paris, France", "500 francs", "None"),
        ("Lahore, Pakistan", "500 rupees", "500 PKR"),
        ("Tunis, Tunisia", "500 dinars", "500 TND"),
        ("Casablanca, Morocco", "500 dirhams", "500 MAD"),
        ("Nairobi, Kenya", "500 shillings", "500 KES"),
        ("Cairo, Egypt", "500 pounds", "500 EGP"),
        ("Sydney, Australia", "1,500 dollars", "1500 AUD"),
        ("Santiago, Chile", "$ 45.900", "45900 CLP"),
        ("RUT 76.086.428-5", "$ 45.900", "45900 CLP"),
        ("Montevideo, Uruguay", "$ 45.900", "45900 UYU"),
        ("RFC: XAXX010101000", "$ 45.90", "45.90 MXN"),
    ],
)
def test_a_shared_sign_is_that_of_the_only_country_on_the_page(place: str, fee: str, value: str) -> None:
    found = paxman.normalize(f"Fern\n{place}\nFee: {fee}\n", {"id": "c", "fields": [FEE]})["fee"]
    assumed = [] if value == "None" else ["CURRENCY_ASSUMED"]
    assert str(found.value) == value
    assert [note.code for note in found.diagnostics if note.code == "CURRENCY_ASSUMED"] == assumed
    assert (found.confidence_band.name == "MEDIUM") == bool(assumed)


@pytest.mark.parametrize(
    ("place", "fee", "value"),
    [
        ("Zurich, Suisse", "1200 francs suisses", "1200 CHF"),
        ("Geneva, Switzerland", "1200 Swiss francs", "1200 CHF"),
        ("London", "500 pounds", "500 GBP"),
        ("Cairo, Egypt", "500 pounds sterling", "500 GBP"),
        ("Weight: 20 pounds\nLebanon, OH 45036", "$500", "500 USD"),
    ],
)
def test_a_currency_that_says_its_country_is_not_assumed(place: str, fee: str, value: str) -> None:
    found = paxman.normalize(f"Fern\n{place}\nFee: {fee}\n", {"id": "c", "fields": [FEE]})["fee"]
    assert (str(found.value), [note.code for note in found.diagnostics]) == (value, [])


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Preventivo n. 12\nData: 05/03/2025\nCliente: Giulia Neri\nTotale: 12.500 €\n", "it"),
        ("Orçamento\nData: 05/03/2025\nCliente: João Lima\nValor total: R$ 12.500\n", "pt"),
        ("Boa Vista, S.A.\nRua do Carmo 20\nFatura n.º 77\nExmo.(s) Sr.(s) Rui Sá\nTotal a pagar 369,00 €\n", "pt"),
        ("Valle S.A. de C.V.\nFactura A-1\nFecha de emisión: 12/03/2025\nReceptor: Sol S.A. de C.V.\n$10.00\n", "es"),
    ],
)
def test_short_papers_tell_their_language(text: str, language: str) -> None:
    assert conventions_of(text).language == language
