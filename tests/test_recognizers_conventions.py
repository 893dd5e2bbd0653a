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


def test_a_locale_gives_way_to_a_page_that_contradicts_its_numbers_and_its_dates() -> None:
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
