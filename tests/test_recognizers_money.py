from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import paxman
from paxman.currencies import MINOR_UNITS
from paxman.recognizers import Conventions, find
from paxman.types import Money


def amounts(text: str, **conventions: str) -> list[str]:
    return [str(reading.value) for reading in find("money", text, Conventions(**conventions))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.234,56 €", ["1234.56 EUR"]),
        ("€ 1.234,56", ["1234.56 EUR"]),
        ("US$:12.99, A$190.00 and AU $59.95", ["12.99 USD", "190.00 AUD", "59.95 AUD"]),
        ("-$5.00 ($6.00) $7.00- -8.00 EUR", ["-5.00 USD", "-6.00 USD", "-7.00 USD", "-8.00 EUR"]),
        ("five thousand dollars ($5,000.00)", ["5000 USD", "5000.00 USD"]),
        ("RM12.50, Rp 12.000, CHF 1'234.50, R$ 6,00", ["12.50 MYR", "12000 IDR", "1234.50 CHF", "6.00 BRL"]),
        ("69 TL 41.90 TL", ["69 TRY", "41.90 TRY"]),
        ("3,40 zł / 290,00 Kč / 419 руб.", ["3.40 PLN", "290.00 CZK", "419 RUB"]),
        ("$ 2.38 billion and 120 MEUR", ["2380000000.00 USD", "120000000 EUR"]),
        ("100 Swiss francs, 5 Canadian dollars", ["100 CHF", "5 CAD"]),
        ("15 dollars 50.", ["15.50 USD"]),
        ("two hundred euros and 64 cents", ["200.64 EUR"]),
        ("$119. 95", ["119.95 USD"]),
        ("1.250 KWD", ["1.250 KWD"]),
        ("1,440.00 €2 and 1,440.00€2", ["1440.00 EUR", "1440.00 EUR"]),
        ("it fell 2 % or $ 1.40 a share", ["1.40 USD"]),
        ("environ 98 $ par action", ["98 USD"]),
    ],
)
def test_money(text: str, expected: list[str]) -> None:
    assert amounts(text) == expected


@pytest.mark.parametrize("text", ["12.50", "MR D.I.Y. SDN BHD 12", "5 L milk", "TRY 2 TOP 5", "19 %"])
def test_not_money(text: str) -> None:
    assert amounts(text) == []


def test_the_page_decides_what_a_sign_means() -> None:
    (reading,) = find("money", "kr 100")
    assert reading.value == Money(Decimal(100), "SEK")
    assert [other.value.currency for other in reading.alternatives] == ["NOK", "DKK", "ISK"]
    assert amounts("kr 100", region="NO") == ["100 NOK"]
    assert amounts("$5", region="CA") == ["5 CAD"]
    assert amounts("$5", currency="AUD") == ["5 AUD"]
    assert [r.alternatives for r in find("money", "kr 100", Conventions(currency="DKK"))] == [()]


def test_bare_amounts_take_the_currency_of_the_page() -> None:
    assert amounts("TOTAL 12.50 QTY 3", currency="MYR") == ["12.50 MYR"]
    assert amounts("TOTAL 12.50", currency="JPY") == []


def test_currencies() -> None:
    found = find("currency", "Prices in €, US$ or Swiss CHF; TOP quality")
    assert [reading.value for reading in found] == ["EUR", "USD", "CHF"]


@given(st.sampled_from(sorted(MINOR_UNITS)), st.decimals(places=2, min_value=0, max_value=10**9))
def test_codes_before_and_after(code: str, amount: Decimal) -> None:
    expected = [str(Money(amount, code))]
    assert amounts(f"{code} {amount:,.2f}", currency=code, decimal_point=".") == expected
    assert amounts(f"{amount:,.2f} {code}", currency=code, decimal_point=".") == expected


def test_a_glued_m_behind_an_amount_with_a_sign_is_a_million() -> None:
    found = [(str(reading.value.amount), reading.value.currency) for reading in find("money", "£5m, $5m/s and $5m²")]
    assert found == [("5000000", "GBP"), ("5", "USD"), ("5", "USD")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Discount: - 5.00 EUR", "-5.00 EUR"),
        ("Discount  − 5,00 €", "-5.00 EUR"),
        ("Total: — 12,00 €", "-12.00 EUR"),
        ("Discount: EUR - 5.00", "-5.00 EUR"),
        ("Discount: - $5.00", "-5.00 USD"),
        ("-€12.00", "-12.00 EUR"),
        ("(€3.00)", "-3.00 EUR"),
        ("12.00 USD CR", "-12.00 USD"),
        ("12.00 CR USD", "-12.00 USD"),
        ("-12.00 USD CR", "-12.00 USD"),
        ("EUR -,50", "0.50 EUR"),
        ("Fr. --,50", "0.50 CHF"),
        ("Total - 12.00 EUR", "12.00 EUR"),
        ("In USD - 5.00 EUR", "5.00 EUR"),
        ("- 12.00 EUR for a hammer", "12.00 EUR"),
        ("Total ¥174,680-", "174680 JPY"),
        ("Total -¥174,680-", "-174680 JPY"),
        ("Total $174,680-", "-174680 USD"),
    ],
)
def test_signs_apart_from_an_amount(text: str, expected: str) -> None:
    assert amounts(text)[-1:] == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "$ 1,2OO.00",
        "1.2OO,00 EUR",
        "$1O0.00",
        "1,2XX.00 USD",
        "$1OO",
        "EUR 12.5O",
        "EUR 5 l,00",
        "5 l,00 EUR",
        "O,50 EUR",
    ],
)
def test_damaged_amounts_are_none(text: str) -> None:
    assert amounts(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 Mio. €", ["2000000 EUR"]),
        ("Umsatz 2,5 Mio. EUR", ["2500000.0 EUR"]),
        ("Revenue in EUR thousands", []),
        ("Revenue in EUR thousands: 3500", ["3500000 EUR"]),
        ("Revenue (in millions): $3.5", ["3500000.0 USD"]),
        ("Umsatz (TEUR): 350", ["350000 EUR"]),
        ("Revenue: two thousand euros", ["2000 EUR"]),
    ],
)
def test_words_of_scale(text: str, expected: list[str]) -> None:
    assert amounts(text, currency="EUR") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rp 2,5 juta", "2500000.0 IDR"),
        ("Rp 2,5 jt", "2500000.0 IDR"),
        ("Rp 25rb", "25000 IDR"),
        ("R$ 1,5 mi", "1500000.0 BRL"),
        ("R$ 2 mil", "2000 BRL"),
        ("₹ 2.5 Cr", "25000000.0 INR"),
        ("₹ 3.5 L", "350000.0 INR"),
        ("₹ 450 L", "450 INR"),
        ("Opening Balance: ₹1,12,000 Cr", "-112000 INR"),
        ("Closing balance  ₹15,500 Cr", "-15500 INR"),
        ("Cash balance ₹ 2.5 Cr", "25000000.0 INR"),
        ("₹ 1,250 Crs", "12500000000 INR"),
        ("₹ 2,500.00 Cr", "-2500.00 INR"),
        ("₹ 500.00 CR", "-500.00 INR"),
        ("$2.5 Cr", "-2.5 USD"),
        ("$2.5B", "2500000000.0 USD"),
        ("$1.5 mn", "1500000.0 USD"),
        ("3 млн. руб.", "3000000 RUB"),
        ("5 тыс. руб.", "5000 RUB"),
        ("2 millones de euros", "2000000 EUR"),
        ("2 millions d'euros", "2000000 EUR"),
        ("3万円", "30000 JPY"),
        ("1億2,000万円", "120000000 JPY"),
        ("3万5,000円", "35000 JPY"),
        ("3만5천원", "35000 KRW"),
        ("€ 3 L", "3 EUR"),
        ("£1,500.00 M", "1500.00 GBP"),
        ("$1500.00m", "1500.00 USD"),
        ("5.03 M EUR", "5030000.00 EUR"),
        ("$5 M.D. fee", "5 USD"),
        ("Rate: $15 M-F", "15 USD"),
        ("20 M €", "20000000 EUR"),
        ("$1500 M", "1500000000 USD"),
    ],
)
def test_words_of_scale_in_many_languages(text: str, expected: str) -> None:
    assert [(str(each.value), each.alternatives) for each in find("money", text)] == [(expected, ())]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$5.03 M", ["5.03 USD", "5030000.00 USD"]),
        ("$1.25B", ["1.25 USD", "1250000000.00 USD"]),
        ("₹ 60.00 L", ["60.00 INR", "6000000.00 INR"]),
        ("₹ 2.75 Cr", ["27500000.00 INR", "-2.75 INR"]),
        ("₹ 15,500 Cr", ["-15500 INR", "155000000000 INR"]),
        ("Balance: ₹ 12 Cr", ["-12 INR", "120000000 INR"]),
        ("₹ 3 L", ["3 INR", "300000 INR"]),
        ("Hat: $20 M", ["20000000 USD", "20 USD"]),
        ("Hat: 20 € M", ["20000000 EUR", "20 EUR"]),
        ("Hat: 20,00 € M", ["20.00 EUR", "20000000.00 EUR"]),
        ("Hat: 1.500,00 EUR M", ["1500.00 EUR"]),
        ("75 EUR m", ["75 EUR"]),
        ("1500 € M", ["1500000000 EUR"]),
        ("Rp 2 M", ["2000000000 IDR", "2000000 IDR"]),
        ("1억 2천만원", []),
        ("1만 5万円", []),
    ],
)
def test_a_letter_that_may_be_a_word_of_scale_is_read_both_ways(text: str, expected: list[str]) -> None:
    found = find("money", text)
    assert [str(reading.value) for each in found for reading in (each, *each.alternatives)] == expected


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("decimal", "₹ 2.5 Cr", "25000000.0"),
        ("decimal", "12.50 Cr", "-12.50"),
        ("decimal", "15 mn", "15"),
        ("number", "15 mn", "15"),
        ("decimal", "Rp 2,5 juta", "2500000.0"),
        ("decimal", "3万5千", "35000"),
        ("integer", "1万2000人", "12000"),
        ("number", "1.5億", "150000000.0"),
    ],
)
def test_numbers_are_multiplied_as_amounts_are(kind: str, text: str, expected: str) -> None:
    assert [(str(each.value), each.alternatives) for each in find(kind, text)] == [(expected, ())]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Total: $1,500.00 M.N.", None, "1500.00 MXN"),
        ("Total: $ 1,500.00 MN", "es", "1500.00 MXN"),
        ("Sales tax $12.50 MN", None, "12.50 USD"),
        ("S/ 1,500.00 M.N.", "es", "1500.00 PEN"),
    ],
)
def test_moneda_nacional_is_that_of_mexico_and_no_million(text: str, language: str | None, expected: str) -> None:
    found = find("money", text, Conventions(decimal_point=".", language=language))
    assert [str(reading.value) for reading in found] == [expected]


@pytest.mark.parametrize(
    ("text", "codes"),
    [("Canadian dollar", ["CAD"]), ("Egyptian pound", ["EGP"]), ("New Zealand dollars", ["NZD"]), ("dollar", ["USD"])],
)
def test_a_currency_may_be_named_by_its_country(text: str, codes: list[str]) -> None:
    assert [reading.value for reading in find("currency", text)] == codes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Total: 1 234:50 kr", ["1234.50 SEK"]),
        ("SEK 99:90", ["99.90 SEK"]),
        ("-99:50 kr", ["-99.50 SEK"]),
        ("08:30 120,00 kr", ["120.00 SEK"]),
        ("10:15:20 1 200,00 SEK", ["1200.00 SEK"]),
        ("12:50:10 kr", []),
        ("12:50 EUR", []),
        ("Tranche 1:50 500 EUR", ["50500 EUR"]),
        ("Tranche 1:50 EUR", ["50 EUR"]),
        ("Budget 2023:10 000 EUR", ["10000 EUR"]),
        ("Konto 1930:25 500,00 kr", ["25500.00 SEK"]),
        ("Los 12:25 000 EUR", ["25000 EUR"]),
        ("Betrag:50 EUR", ["50 EUR"]),
    ],
)
def test_a_colon_parts_hours_or_the_hundredths_of_crowns(text: str, expected: list[str]) -> None:
    found = find("money", text, Conventions(currency="SEK", region="SE"))
    assert [str(reading.value) for reading in found] == expected


def test_the_peso_of_the_philippines() -> None:
    assert [str(reading.value) for reading in find("money", "Total Php 1,200.00")] == ["1200.00 PHP"]


@pytest.mark.parametrize(("text", "value"), [("總計：HK$300.00", "300.00 HKD"), ("合計：NT$300", "300 TWD")])
def test_a_wide_colon_is_no_part_of_a_sign(text: str, value: str) -> None:
    assert [str(reading.value) for reading in find("money", text)] == [value]


@pytest.mark.parametrize("place", ["Sydney, Australia - Tel 02 9000", "Hill New Zealand Limited", "Montréal, Québec"])
def test_a_bare_dollar_is_in_doubt_where_another_country_is_named(place: str) -> None:
    contract = {"id": "c", "fields": [{"name": "currency", "type": "STRING", "required": True}]}
    found = paxman.normalize(f"{place}\nBolts $5.00\nNuts $6.00\nTotal $11.00\n", contract)["currency"]
    assert found.confidence_band.value == "MEDIUM"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("zwanzig Euro", ["20 EUR"]),
        ("Betrag: cent vingt euros", ["120 EUR"]),
        ("dwadzieścia złotych", ["20 PLN"]),
        ("amount due euro", []),
        ("zwanzig Euro, 12 Stück", []),
    ],
)
def test_amounts_in_words_are_read_in_any_language(text: str, expected: list[str]) -> None:
    assert amounts(text) == expected
