from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paxman.recognizers import Conventions, conventions_of, find

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
