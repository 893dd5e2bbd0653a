"""Numbers and dates that a scan or a typist broke, ranges, and words of scale that mean two things."""

from typing import Any

import pytest

import paxman
from paxman.recognizers import conventions_of, find
from paxman.transforms import run


def written(kind: str, text: str, locale: str | None = None) -> list[str]:
    return [str(reading.value) for reading in find(kind, text, conventions_of(text, locale))]


def ways(kind: str, text: str, locale: str | None = None) -> list[list[str]]:
    """Every reading of each value, the first one first."""
    found = find(kind, text, conventions_of(text, locale))
    return [[str(each.value) for each in (reading, *reading.alternatives)] for reading in found]


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("decimal", "１２３．４５", ["123.45"]),
        ("decimal", "１２，３４５．６７", ["12345.67"]),
        ("decimal", "有1，2，345人", ["1", "2", "345"]),
        ("decimal", "12·50", ["12.50"]),
        ("decimal", "1_000_000", ["1000000"]),
        ("money", "合計 １２，３４５円", ["12345 JPY"]),
        ("money", "￥１２，３４５", ["12345 JPY"]),
        ("date", "２０２１／０３／１５", ["2021-03-15"]),
    ],
)
def test_full_width_and_rare_marks(kind: str, text: str, expected: list[str]) -> None:
    assert written(kind, text, "ja_JP") == expected


@pytest.mark.parametrize(
    "text",
    [
        "RM 1 02.15",
        "RM 1 2.15",
        "RM 12 50",
        "Apples 2 .50",
        "TOTAL 1, 250.00",
        "No. 5, 250.00 EUR",
        "EUR 10, 250.00 USD",
        "1 .5",
        "RM12..50",
        "12.S0",
        "12.SO",
        "B2.50",
        "RMl2.50",
        "TOTALl2.50",
    ],
)
def test_of_a_broken_number_no_part_is_read(text: str) -> None:
    assert (written("decimal", text, "en_MY"), written("money", text, "en_MY")) == ([], [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TOTAL RM 12 .50", ["12.50"]),
        ("TOTAL RM 1, 250.00", ["1250.00"]),
        ("TOTAL: 12. 50", ["12.50"]),
        ("Total 12€50", ["12.50"]),
        ("Total $476-00", ["476.00"]),
        ("12 1/2 kg", ["12.5"]),
        ("Total12.50\nRM12.50\nRMB12.50", ["12.50", "12.50", "12.50"]),
        ("rooms 11, 12", ["11", "12"]),
        ("1. 50\n2. 60", ["1", "50", "2", "60"]),
        ("12.....50.00", ["12", "50.00"]),
    ],
)
def test_a_whole_that_is_plain_is_read(text: str, expected: list[str]) -> None:
    assert written("decimal", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12€50", ["12.50 EUR"]),
        ("4€50 et 3€", ["4.50 EUR", "3 EUR"]),
        ("12 1/2 USD", ["12.5 USD"]),
        ("1/2 USD", []),
        ("$476-00", ["476.00 USD"]),
        ("$50-10 off", ["50 USD"]),
        ("£30-28 days", ["30 GBP"]),
    ],
)
def test_ways_of_writing_amounts(text: str, expected: list[str]) -> None:
    assert written("money", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("l5/03/2021", []),
        ("on l2 March 2021", []),
        ("15/03/20l8", []),
        ("15 March 20I8", []),
        ("o5/03/2021", ["2021-03-05"]),
        ("l15/03/2021", ["2021-03-15"]),
        ("Date15/03/2021", ["2021-03-15"]),
    ],
)
def test_letters_in_dates(text: str, expected: list[str]) -> None:
    assert written("date", text, "en_MY") == expected


@pytest.mark.parametrize(
    ("kind", "text", "locale", "expected"),
    [
        ("money", "5 mil EUR", None, [["5000 EUR", "5000000 EUR"]]),
        ("money", "5 EUR mil", None, [["5000 EUR", "5000000 EUR"]]),
        ("money", "5 mil EUR", "es_ES", [["5000 EUR"]]),
        ("money", "5 mil EUR", "en_US", [["5000000 EUR"]]),
        ("decimal", "5 mil", None, [["5000", "5000000"]]),
        ("number", "5 mil", None, [["5000", "5000000"]]),
        ("money", "USD 3.4m", None, [["3400000.0 USD"]]),
        ("money", "$1.5MM", None, [["1500000.0 USD"]]),
        ("money", "USD 34 m²", None, [["34 USD"]]),
        ("money", "5 T€", None, [["5000 EUR"]]),
        ("money", "75p", "en_GB", [["0.75 GBP"]]),
        ("money", "75p", "en_US", []),
        ("money", "1080p, 12 p. 5", "en_GB", []),
    ],
)
def test_short_words_of_scale(kind: str, text: str, locale: str | None, expected: list[list[str]]) -> None:
    assert ways(kind, text, locale) == expected


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("money", "10-12 EUR", [["12 EUR", "10 EUR"]]),
        ("money", "EUR 5-8", [["5 EUR", "8 EUR"]]),
        ("money", "€10-12", [["10 EUR", "12 EUR"]]),
        ("money", "£1-50", [["1 GBP", "50 GBP"]]),
        ("money", "10–12 million EUR", [["12000000 EUR", "10000000 EUR"]]),
        ("money", "A10-12 EUR", [["12 EUR"]]),
        ("percent", "5-7%", [["7", "5"]]),
        ("percent", "19% / 7%", [["19", "7"], ["7"]]),
        ("percent", "-7%", [["-7"]]),
        ("duration", "1-2 years", [["2 years", "1 year"]]),
        ("duration", "10 to 15 business days", [["15 business days", "10 business days"]]),
        ("duration", "a 2-year term", [["2 years"]]),
        ("duration", "class 7 - 2 years", [["2 years"]]),
    ],
)
def test_the_ends_of_a_range_are_rivals(kind: str, text: str, expected: list[list[str]]) -> None:
    assert ways(kind, text) == expected


def field_of(text: str, locale: str | None = None, **field: Any) -> tuple[str, str, list[str]]:
    contract = {"id": "c", "version": "1", "fields": [{"required": True, **field}]}
    result = paxman.normalize(text + "\n", contract, policy=paxman.Policy(locale=locale)).field_results[0]
    return str(result.value), result.confidence_band.value, [note.code for note in result.diagnostics]


def test_a_field_never_holds_a_part_of_a_number() -> None:
    total = {"name": "total", "type": "DECIMAL"}
    assert field_of("TOTAL  RM 1 02.15", "en_MY", **total) == ("None", "UNTRUSTED", ["CHAIN_EXHAUSTED"])
    assert field_of("TOTAL RM 12 .50", "en_MY", **total) == ("12.50", "HIGH", [])
    assert field_of("Total １２３．４５", **total) == ("123.45", "HIGH", [])


def test_a_range_in_a_field_is_told() -> None:
    doubt = ["AMBIGUOUS_VALUE", "CONFLICT", "LOW_CONFIDENCE"]
    assert field_of("Total: 10-12 EUR", name="total", type="MONEY") == ("12 EUR", "MEDIUM", doubt)
    assert field_of("Term: 1-2 years", name="term", type="STRING", tags=["duration"]) == ("2 years", "MEDIUM", doubt)
    assert field_of("Tax rate: 19% / 7%", name="tax_rate", type="DECIMAL") == ("19", "MEDIUM", doubt)


@pytest.mark.parametrize(
    ("source", "kind", "value"),
    [
        ("Total: 12 99", "DECIMAL", None),
        ("Invoice\nTotal 12 99 EUR\n", "MONEY", None),
        ("Total\n12\u202f99 EUR\n", "MONEY", None),
        ("Total: 1250 1 EUR\n", "MONEY", None),
        ('{"total": "12 99 EUR"}', "MONEY", None),
        ('{"total": "10 25 kg bags"}', "INTEGER", 10),
        ("Total: 24 12-packs\n", "INTEGER", 24),
        ('{"total": "10 25 kg bags"}', "DECIMAL", 10),
        ("Total: 12 999 EUR", "MONEY", paxman.Money(12999, "EUR")),
        ("Total: 3 45.00 EUR", "MONEY", paxman.Money("45.00", "EUR")),
        ("<p>Total: 12<sup>99</sup></p>", "DECIMAL", None),
        ("<p>Total: 10<sup>12</sup> kg</p>", "DECIMAL", None),
        ("<p>Total: $1,299<sup>99</sup></p>", "MONEY", None),
        ("<p>Total: $50,000<sup>12</sup> a year</p><p>see note 12</p>", "MONEY", None),
        ("<p>Total: $500<sup>12</sup></p><p><sup>12</sup> see below</p>", "MONEY", None),
        ("<table><tr><td>Total<td>$500<sup>12</sup></table><p><sup>12</sup>) see below</p>", "MONEY", None),
        ("<p>Total: $500<sup>99</sup></p><p><sup>12</sup> see below</p>", "MONEY", paxman.Money("500.99", "USD")),
        ("<p>Total: 12<sup class=c>99</sup> \u20ac</p>", "MONEY", paxman.Money("12.99", "EUR")),
        ("<p>Total: 12.50<sup>1</sup> \u20ac</p>", "MONEY", paxman.Money("12.50", "EUR")),
    ],
)
def test_two_numbers_with_a_blank_between_are_neither(source: str, kind: str, value: Any) -> None:
    contract = {"id": "slip", "version": "1", "fields": [{"name": "total", "type": kind, "required": True}]}
    assert paxman.normalize(source, contract)["total"].value == value


@pytest.mark.parametrize(
    ("source", "rivals"),
    [
        ("Total 2.00 45 EUR\n", {"45 EUR", "2.00 EUR"}),
        ("Total: 12.50 1 EUR\n", {"1 EUR", "12.50 EUR"}),
        ('{"total": "12.50 1 EUR"}', {"1 EUR", "12.50 EUR"}),
    ],
)
def test_of_a_price_and_an_amount_behind_it_neither_is_sure(source: str, rivals: set[str]) -> None:
    contract = {"id": "slip", "version": "1", "fields": [{"name": "total", "type": "MONEY", "required": True}]}
    found = paxman.normalize(source, contract)["total"]
    made = {str(run(ref.transforms, source[slice(*ref.span)])) for ref in found.evidence_refs}
    assert (made, found.confidence_band.value) == (rivals, "MEDIUM")


@pytest.mark.parametrize(("text", "number"), [("Total: EUR 12 99\n", "EUR 12 99"), ("Total   $12 99\n", "$12 99")])
def test_a_torn_number_is_told(text: str, number: str) -> None:
    contract = {"id": "slip", "version": "1", "fields": [{"name": "total", "type": "MONEY", "required": True}]}
    notes = [note.message for note in paxman.normalize(text, contract)["total"].diagnostics]
    told = f'Nearest on the page: "Total" (line 1), but "{number}" may be one number with its cents, or two.'
    assert [note.partition("Nearest")[2] for note in notes] == [told.partition("Nearest")[2]]


def test_raised_cents_of_table_cells_stay_with_their_price() -> None:
    columns = [
        {"name": "name", "type": "STRING", "required": True},
        {"name": "price", "type": "MONEY", "required": True},
    ]
    field = {"name": "items", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    page = "<table><tr><th>Name<th>Price<tr><td>Pen<td>$12<sup>99</sup><tr><td>Cup<td>$3<sup>50</sup></table>"
    found = paxman.normalize(page, {"id": "shop", "version": "1", "fields": [field]})["items"].value
    assert [row["price"] for row in found] == [paxman.Money("12.99", "USD"), paxman.Money("3.50", "USD")]


@pytest.mark.parametrize(
    ("text", "kind", "rivals", "band"),
    [
        ("5 pcs to 6 pcs", "INTEGER", {"5", "6"}, "MEDIUM"),
        ("5 days or 6 days", "INTEGER", {"5", "6"}, "MEDIUM"),
        ("1 piece to 2 pieces", "INTEGER", {"1", "2"}, "MEDIUM"),
        ("5 kg to 6 kg", "DECIMAL", {"5", "6"}, "MEDIUM"),
        ("5.5 m - 6.5 m", "DECIMAL", {"5.5", "6.5"}, "MEDIUM"),
        ("5 pcs to 6 High Street", "INTEGER", {"5"}, "MEDIUM"),
        ("1 pack of 6 pcs", "INTEGER", {"1"}, "MEDIUM"),
        ("5 pcs / 4711", "INTEGER", {"5"}, "HIGH"),
        ("5 kg, to 6 places", "DECIMAL", {"5"}, "MEDIUM"),
    ],
)
def test_a_unit_behind_both_ends_of_a_range(text: str, kind: str, rivals: set[str], band: str) -> None:
    contract = {"id": "slip", "version": "1", "fields": [{"name": "size", "type": kind, "required": True}]}
    source = f"Size: {text}\n"
    found = paxman.normalize(source, contract)["size"]
    made = {str(run(ref.transforms, source[slice(*ref.span)])) for ref in found.evidence_refs}
    assert (made, found.confidence_band.value) == (rivals, band)


def test_a_range_of_a_quantity_in_a_row_is_told() -> None:
    columns = [
        {"name": "name", "type": "STRING", "required": True},
        {"name": "quantity", "type": "INTEGER", "required": True},
    ]
    field = {"name": "items", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    source = "name,quantity\nPen,5 pcs to 6 pcs\nCup,2 pcs\n"
    found = paxman.normalize(source, {"id": "shop", "version": "1", "fields": [field]})["items"]
    assert [row["quantity"] for row in found.value] == [5, 2]
    assert [note.message for note in found.diagnostics] == [
        "can be read as 5 or 6; two values stand side by side",
        "confidence 0.75 is below the target 0.80",
    ]
