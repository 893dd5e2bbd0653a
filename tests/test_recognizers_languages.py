"""Values as they are written around the world, one table a kind."""

from __future__ import annotations

from typing import Any

import pytest

from paxman.contract import adapt
from paxman.recognizers import conventions_of, find, read_value
from paxman.recognizers.base import UNKNOWN


def value(kind: str, text: str, locale: str | None = None) -> Any:
    contract = {"id": "c", "version": "1", "fields": [{"name": "x", "type": kind, "required": False}]}
    how = conventions_of("", locale) if locale else UNKNOWN
    reading = read_value(text, adapt(contract).by_path["x"], how)
    return reading.value if reading else None


MONEY = """
1.234,56 € = 1234.56 EUR; EUR 1'234.50 = 1234.50 EUR; CHF 1’234.50 = 1234.50 CHF; ₹1,23,456.00 = 123456.00 INR
R$ 1.234,56 = 1234.56 BRL; 1.234,56 zł = 1234.56 PLN; 1 234,50 Kč = 1234.50 CZK; 12 500 Ft = 12500 HUF
₺1.234,56 = 1234.56 TRY; 1.234,56 TL = 1234.56 TRY; RM 12.50 = 12.50 MYR; Rp 1.250.000 = 1250000 IDR
1,200円 = 1200 JPY; 12,000원 = 12000 KRW; NT$1,200 = 1200 TWD; HK$ 99.90 = 99.90 HKD; US$ 1,000 = 1000 USD
(1,234.56) EUR = -1234.56 EUR; 12,00- € = -12.00 EUR; € 12,- = 12 EUR; 12,-- EUR = 12 EUR; CHF 12.-- = 12 CHF
₪ 99.90 = 99.90 ILS; ₫ 250.000 = 250000 VND; ฿1,250.00 = 1250.00 THB; 1250 грн = 1250 UAH; 1 250 руб. = 1250 RUB
12,50 лв = 12.50 BGN; 1.250,00 lei = 1250.00 RON; 1.250 BHD = 1.250 BHD; S/ 12.00 = 12.00 PEN
R 1 234,56 = 1234.56 ZAR; 12 pounds = 12 GBP; twelve euros = 12 EUR; €2k = 2000 EUR
Rs. 12,34,567/- = 1234567 INR; Fr. 12.50 = 12.50 CHF
"""


@pytest.mark.parametrize(
    "case", [case.strip() for line in MONEY.split("\n") for case in line.split(";") if case.strip()]
)
def test_amounts(case: str) -> None:
    text, _, expected = case.partition(" = ")
    assert str(value("MONEY", text)) == expected


@pytest.mark.parametrize(
    ("locale", "text", "expected"),
    [
        ("de_DE", "1.234", "1234 EUR"),
        ("en_US", "1,234", "1234 USD"),
        ("nb_NO", "kr 125,00", "125.00 NOK"),
        ("sv_SE", "125 kr", "125 SEK"),
        ("en_CA", "$ 12.00", "12.00 CAD"),
        ("es_CL", "$ 1.250", "1250 CLP"),
        ("en_PK", "Rs 500", "500 PKR"),
        ("ro_MD", "12,50 lei", "12.50 MDL"),
        ("ru_BY", "12,50 руб.", "12.50 BYN"),
    ],
)
def test_a_locale_says_whose_sign_it_is(locale: str, text: str, expected: str) -> None:
    assert str(value("MONEY", text, locale)) == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("$ 12.50 MXN", "MXN"),
        ("Prices in CAD\n$ 12.50", "CAD"),
        ("CHE-123.456.788 MWST\nTotal CHF 12.50", "CHF"),
        ("Total de plată 12,50 lei", "RON"),
        ("SRL Exemplu, Chișinău, Moldova\nTotal 12,50 lei", "MDL"),
        ("Всего 12,50 руб.", "RUB"),
        ("УНП 190123456, Минск\nВсего 12,50 руб.", "BYN"),
        ("开票日期 2024-01-15 总额 12.50元", "CNY"),
        ("統一編號 12345678 總額 12.50元", "TWD"),
    ],
)
def test_the_words_of_a_page_say_whose_sign_it_is(page: str, expected: str) -> None:
    [reading] = find("money", page, conventions_of(page))
    assert (reading.value.currency, reading.alternatives) == (expected, ())


DATES = """
15.01.2024; 15/01/2024; 01/15/2024; 2024.01.15.; 20240115; 15-Jan-2024; January 15th, 2024; 15. Januar 2024
15. Jänner 2024; 15 janvier 2024; 15 janv. 2024; 15 de enero de 2024; 15 gennaio 2024; 15 de janeiro de 2024
15/jan/2024; 15 januari 2024; 15 stycznia 2024 r.; 15 Januari 2024; 2024年1月15日; ２０２４年１月１５日
令和6年1月15日; 2024년 1월 15일; 民國113年1月15日; 15. ledna 2024; 15 Ocak 2024; 2024. január 15.
15 ianuarie 2024; 15 Ιανουαρίου 2024; 15. tammikuuta 2024; 15 января 2024 г.; 15 يناير 2024; 15 בינואר 2024
15 มกราคม 2567; 15 tháng 1 năm 2024; 15.1.24; 15/1/'24
"""


@pytest.mark.parametrize(
    "text", [text.strip() for line in DATES.split("\n") for text in line.split(";") if text.strip()]
)
def test_dates(text: str) -> None:
    assert str(value("DATE", text)) == "2024-01-15"


DURATIONS = """
two (2) years = 2 years; zwei Jahre = 2 years; deux ans = 2 years; dos años = 2 years; due anni = 2 years
2 lata = 2 years; dois anos = 2 years; twee jaar = 2 years; 2 tahun = 2 years; 2 år = 2 years; 2 roky = 2 years
2 yıl = 2 years; 2年 = 2 years; 6 miesięcy = 6 months; 6 měsíců = 6 months; 6 ay = 6 months; 6 hónap = 6 months
6 luni = 6 months; 6 månader = 6 months; 6 kuukautta = 6 months; 6か月 = 6 months; 6个月 = 6 months
6개월 = 6 months; 30日間 = 30 days; 30 dní = 30 days; 30 дней = 30 days; 1h 30m = 1 hour 30 minutes
1 h 30 min = 1 hour 30 minutes; PT45M = PT45M; P1Y2M10DT2H30M = P1Y2M10DT2H30M; 2024年 =; PS =; P2 =; POST =
10h30 =
"""


@pytest.mark.parametrize("case", [case for line in DURATIONS.split("\n") for case in line.split(";") if case.strip()])
def test_durations(case: str) -> None:
    text, _, expected = case.strip().partition(" =")
    assert " ".join(reading.value for reading in find("duration", text)) == expected.strip()


def test_a_duration_that_a_program_wrote_is_kept() -> None:
    import paxman

    schema = {"type": "object", "title": "recipe", "properties": {"time": {"type": "string", "format": "duration"}}}
    assert paxman.normalize({"time": "PT1H30M"}, schema)["time"].value == "PT1H30M"


@pytest.mark.parametrize(
    ("yes", "no"),
    [
        ("ja", "nei"),
        ("ano", "ne"),
        ("evet", "hayır"),
        ("igen", "nem"),
        ("ναι", "όχι"),
        ("kyllä", "ei"),
        ("はい", "いいえ"),
        ("是", "否"),
        ("네", "아니오"),
        ("نعم", "لا"),
        ("כן", "לא"),
        ("да", "нет"),
    ],
)
def test_yes_and_no(yes: str, no: str) -> None:
    assert (value("BOOLEAN", yes), value("BOOLEAN", no)) == (True, False)


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("percent", "KDV %18 / %20, a%20b", ["18", "20"]),
        ("decimal", "KDV %18: 3,60", ["3.60"]),
        ("money", "Qty 5 EUR 10.00", ["10.00 EUR"]),
        ("money", "69 EUR 41.90 EUR", ["69 EUR", "41.90 EUR"]),
        ("postal_code", "34000 İstanbul", ["34000"]),
        ("postal_code", "100-0001 東京", ["100-0001"]),
        ("postal_code", "Dublin D04 X4H7", ["D04 X4H7"]),
        ("postal_code", "Dublin D02 AF30", ["D02 AF30"]),
        ("postal_code", "Ring 1\n1010 Wien\nÖsterreich", ["1010"]),
        ("postal_code", "Ring 1\n1010 Wien", []),
        ("postal_code", "Bredgade 5\n1260 København K\nSjælland\nDanmark", ["1260"]),
        ("postal_code", "Switzerland\nOrder 4500 Bolts", []),
        ("postal_code", "Danmark\n1000 Skruer 6mm", []),
        ("postal_code", "Order 4500 Bolts\nSwitzerland", []),
        ("postal_code", "Terenure, D6W XY45", ["D6W XY45"]),
        ("postal_code", "Beam A10 2500 mm, petrol E10 5000, batch K07 2024, part B20 1A2B", []),
        ("postal_code", "101000, г. Москва", ["101000"]),
        ("country", "Česká republika", ["CZ"]),
        ("person", "Pan Łukasz Wójcik", ["Łukasz Wójcik"]),
    ],
)
def test_in_running_text(kind: str, text: str, expected: list[str]) -> None:
    assert [str(reading.value) for reading in find(kind, text, conventions_of(text))] == expected


@pytest.mark.parametrize(
    ("text", "whole", "number"),
    [
        ("two", 2, "2"),
        ("½", None, "0.5"),
        ("two of them", None, "None"),
        ("none", None, "None"),
        ("first", None, "None"),
    ],
)
def test_a_number_in_words_that_is_all_there_is(text: str, whole: int | None, number: str) -> None:
    assert (value("INTEGER", text), str(value("DECIMAL", text))) == (whole, number)


@pytest.mark.parametrize(
    "name",
    [
        "John Smith",
        "Hans Meier",
        "José García López",
        "Petr Novák",
        "Ayşe Yılmaz",
        "Ion Popescu",
        "Lars Hansen",
        "Matti Virtanen",
        "Budi Santoso",
        "Łukasz Nowak",
        "Мария Иванова",
    ],
)
def test_persons(name: str) -> None:
    assert [reading.value for reading in find("person", name)] == [name]
