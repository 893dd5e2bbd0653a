from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paxman.recognizers import Conventions, find
from paxman.recognizers.figures.numbers import points_of, scale, to_decimal, to_integer
from paxman.recognizers.figures.spelled import to_number
from paxman.transforms import run


def values(kind: str, text: str, **conventions: str) -> list[object]:
    return [reading.value for reading in find(kind, text, Conventions(**conventions))]


def written(kind: str, text: str, **conventions: str) -> list[str]:
    return [str(value) for value in values(kind, text, **conventions)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,234.56", ["1234.56"]),
        ("1.234,56", ["1234.56"]),
        ("1'234.50", ["1234.50"]),
        ("1’234’567.5", ["1234567.5"]),
        ("1,23,456.78", ["123456.78"]),
        ("1 234 567,8", ["1234567.8"]),
        ("1\u00a0234,56 and 1\u202f234,56", ["1234.56", "1234.56"]),
        ("-5.00 −5.00 5.00- (5.00)", ["-5.00", "-5.00", "-5.00", "-5.00"]),
        ("12.50 CR", ["-12.50"]),
        ("a fee of five dollars (5.00)", ["5.00"]),
        ("1e5 and 2.5E-3", ["1E+5", "0.0025"]),
        (".5", ["0.5"]),
        ("٣٤٫٥", ["34.5"]),
        ("two 2 500.00", ["2500.00"]),
        ("423 0000", ["423", "0"]),
        ("1.899,-", ["1899"]),
        ("RM42.88 12.50EUR TOTAL12.50 5.30T", ["42.88", "12.50", "12.50", "5.30"]),
        ("2x3.50", ["2", "3.50"]),
        ("Total:12.50", ["12.50"]),
    ],
)
def test_decimals(text: str, expected: list[str]) -> None:
    assert written("decimal", text) == expected


@pytest.mark.parametrize(
    "text", ["12.05.2024", "2024-05-12", "10:30", "INV-1234", "A4", "180ml", "1.2.3", "19 %", "9" * 2000]
)
def test_not_decimals(text: str) -> None:
    assert find("decimal", text) == []


def test_lone_mark_is_ambiguous_until_the_page_says() -> None:
    (reading,) = find("decimal", "1,234")
    assert (reading.value, [other.value for other in reading.alternatives]) == (Decimal(1234), [Decimal("1.234")])
    assert reading.rule == "three digits after a lone ',' are taken as thousands"
    (reading,) = find("decimal", "1.234")
    assert (reading.value, [other.value for other in reading.alternatives]) == (Decimal("1.234"), [Decimal(1234)])
    (reading,) = find("decimal", "1.234", Conventions(decimal_point=","))
    assert (reading.value, reading.alternatives, reading.rule) == (Decimal(1234), (), "")


def test_integers() -> None:
    assert values("integer", "12 pieces, 1.234 more, 3.00 and 2.5") == [12, 1234, 3]
    (reading,) = find("integer", "1.000")
    assert (reading.value, [other.value for other in reading.alternatives]) == (1000, [1])


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "19 %, 7.5% and one hundred percent", ["19", "7.5", "100"]),
        ("de", "zwanzig Prozent", ["20"]),
        ("fr", "vingt-deux pour-cent", ["22"]),
        ("en", "q=30%25%2020", []),
    ],
)
def test_percents(language: str, text: str, expected: list[str]) -> None:
    assert written("percent", text, language=language) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "two hundred and five", "205"),
        ("en", "three million four thousand and two", "3004002"),
        ("en", "4 thousand 3 hundred and 21", "4321"),
        ("en", "two and a half million", "2500000.0"),
        ("en", "one over 8", "0.125"),
        ("en", "minus 5", "-5"),
        ("de", "zweihundertsechsundfünfzig", "256"),
        ("de", "ein halbes Dutzend", "6.0"),
        ("fr", "quatre-vingt-dix-sept", "97"),
        ("fr", "cinq huitièmes", "0.625"),
        ("es", "trece millones cuatrocientos cincuenta y dos mil trescientos cuarenta y siete", "13452347"),
        ("es", "tres billones cuatrocientos cincuenta y cinco mil millones", "3455000000000"),
        ("it", "centotrenta e due quinti", "130.4"),
        ("pt", "quarenta e sete vírgula vinte e oito", "47.28"),
        ("nl", "tweeduizend vijfhonderdzevenenzeventig", "2577"),
    ],
)
def test_numbers_in_words(language: str, text: str, expected: str) -> None:
    assert written("number", text, language=language) == [expected]


def test_numbers_with_scale_and_fractions() -> None:
    assert written("number", "1.5 million, 10k, 3/4, 1 4/5 and 2½") == ["1500000.0", "10000", "0.75", "1.8", "2.5"]


def test_words_that_only_look_like_numbers() -> None:
    assert find("number", "That one is good, someone said") == []
    with pytest.raises(ValueError, match="not a number"):
        to_number("two apples and none", "en")


@given(st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**12), max_value=10**12))
def test_every_convention_reads_what_it_writes(amount: Decimal) -> None:
    english = f"{amount:,.2f}"
    for point, group, text in (
        (".", ",", english),
        (",", ".", english.translate(str.maketrans(",.", ".,"))),
        (",", " ", english.translate(str.maketrans(",.", " ,"))),
        (".", "'", english.replace(",", "'")),
    ):
        reading = find("decimal", text, Conventions(decimal_point=point))  # type: ignore[arg-type]
        assert [str(r.value) for r in reading] == [str(amount)], (point, group)


@given(st.text("0123456789., '", min_size=1, max_size=30))
def test_points_are_marks_of_the_figure(core: str) -> None:
    assert all(point == "" or point in core for point in points_of(core)) or not core[0].isdecimal()


def test_transforms_refuse_what_they_cannot_read() -> None:
    for text in ("", "abc", "9" * 5000):
        with pytest.raises(ValueError):
            to_decimal(text, ".")
    with pytest.raises(ValueError, match="not a whole number"):
        to_integer("1.5", ".")
    assert scale(Decimal("2.38"), "1000000000") == Decimal("2380000000.00")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Temp: - 5.5", ["-5.5"]),
        ("- 5", ["-5"]),
        ("Rebate  - 5.00", ["-5.00"]),
        ("Rebate − 5.00", ["-5.00"]),
        ("Rebate = — 5.00", ["-5.00"]),
        ("-,50", ["0.50"]),
        ("-.50", ["-0.50"]),
        ("10 - 12", ["10", "12"]),
        ("10 − 12", ["10", "12"]),
        ("Rooms - 5.00", ["5.00"]),
        ("- 5 -", ["5"]),
        ("- 12.00 for a hammer", ["12.00"]),
    ],
)
def test_a_minus_apart_from_its_number_is_told_from_other_dashes(text: str, expected: list[str]) -> None:
    assert written("decimal", text) == expected


@pytest.mark.parametrize(
    "text",
    ["1,2OO.00", "1.2OO,00", "1O0.00", "1,2XX.00", "1,200.OO", "12.5O", "1,2l0.00", "5 l,00", "l,234.00", "O.50"],
)
def test_letters_in_the_place_of_digits_leave_no_number(text: str) -> None:
    assert find("decimal", text) == find("integer", text) == []


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("decimal", "1.5 million people", ["1500000.0"]),
        ("decimal", "2 Mio. Einwohner", ["2000000"]),
        ("decimal", "3 M and 5 k", ["3", "5"]),
        ("decimal", "2½ hours", ["2.5"]),
        ("decimal", "-2 1/2", ["-2.5"]),
        ("decimal", "2½ million", ["2500000.0"]),
        ("integer", "1.5 million", ["1500000"]),
        ("integer", "2½", []),
        ("integer", "2 1/2", []),
        ("decimal", "5 ‰", []),
        ("integer", "5‰", []),
        ("decimal", "12 345,678.90", []),
        ("decimal", "1 1,234.50", ["1", "1234.50"]),
    ],
)
def test_what_stands_behind_a_figure_belongs_to_it(kind: str, text: str, expected: list[str]) -> None:
    assert written(kind, text) == expected


@pytest.mark.parametrize("text", ["-€12.00", "(€12.00)", "- € 12.00", "€ -12.00", "-12.00 €"])
def test_a_sign_beyond_the_currency_is_the_numbers(text: str) -> None:
    assert [reading.value for reading in find("decimal", text)] == [Decimal("-12.00")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mil doscientos", ["1200"]),
        ("dreihundertfünfundvierzig", ["345"]),
        ("quatre-vingt-douze", ["92"]),
        ("ventiquattro", ["24"]),
        ("trinta e dois", ["32"]),
        ("eenentwintig", ["21"]),
        ("dwadzieścia pięć", ["25"]),
        ("mil", []),
        ("due", []),
        ("two of them", ["2"]),
    ],
)
def test_a_number_in_words_and_nothing_else_may_be_in_any_language(text: str, expected: list[str]) -> None:
    assert written("number", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10⁻³", ["0.001"]),
        ("3·10⁸", ["300000000"]),
        ("2,5 × 10⁻⁶", ["0.0000025"]),
        ("-1.5*10⁺³", ["-1500.0"]),
        ("1 234 x 10²", ["123400 or 1234"]),
        ("10⁸", ["10 or 100000000"]),
        ("5⁻³", []),
        ("24.99¹ and 10 m²", ["24.99", "10"]),
    ],
)
def test_powers_of_ten(text: str, expected: list[str]) -> None:
    readings = [[reading, *reading.alternatives] for reading in find("decimal", text)]
    assert [" or ".join(str(each.value) for each in ways) for ways in readings] == expected
    quotes = [(each, text[each.start : each.end]) for ways in readings for each in ways]
    assert [run(each.transforms, quote) for each, quote in quotes] == [each.value for each, _ in quotes]


def test_a_whole_number_with_a_power_of_ten() -> None:
    assert [reading.value for reading in find("integer", "3·10⁸ and 2 × 10⁻¹")] == [300_000_000]


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("decimal", "(80)", ["-80 or 80"]),
        ("integer", "( 45 )", ["-45 or 45"]),
        ("decimal", "Returns: (1200)\nSales: 300", ["-1200 or 1200", "300"]),
        ("decimal", "Costs    (80)    (7)", ["-80 or 80", "-7 or 7"]),
        ("percent", "(5%)", ["-5 or 5"]),
        ("decimal", "EUR (80)", ["-80 or 80"]),
        ("decimal", "Item (3)", ["3"]),
        ("integer", "two (2) years", ["2"]),
        ("integer", "(1)  The first clause", ["1"]),
        ("percent", "VAT (19%)", ["19"]),
        ("decimal", "(80.00)", ["-80.00"]),
    ],
)
def test_brackets_that_are_all_there_is_make_a_whole_number_negative(kind: str, text: str, expected: list[str]) -> None:
    readings = [[reading, *reading.alternatives] for reading in find(kind, text)]
    assert [" or ".join(str(each.value) for each in ways) for ways in readings] == expected
    quotes = [(each, text[each.start : each.end]) for ways in readings for each in ways]
    assert [run(each.transforms, quote) for each, quote in quotes] == [each.value for each, _ in quotes]
