import pytest
from hypothesis import given
from hypothesis import strategies as st

import paxman
from paxman.recognizers import find
from paxman.recognizers.checksums import is_iban, is_tax_id, is_vat_id, luhn
from paxman.recognizers.identifiers import read_iban, read_vat_id


def values(kind: str, text: str) -> list[object]:
    return [reading.value for reading in find(kind, text)]


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("email", "write to a.b+c@foo-bar.co.uk, or <x@y.de>. @ no@no", ["a.b+c@foo-bar.co.uk", "x@y.de"]),
        (
            "url",
            "see (https://abc.com/x?y=1). or www.foo.de, foo.com/bar, a@foo.com",
            ["https://abc.com/x?y=1", "www.foo.de", "foo.com/bar"],
        ),
        (
            "phone",
            "Tel: 03-7805 7889, +49 (0)30 123456 or (081) 3333-33333.",
            ["03-7805 7889", "+49 (0)30 123456", "(081) 3333-33333"],
        ),
        ("phone", "12.05.2024; 2024-05-12; 1.234.567; 12345678", []),
        ("uuid", "id 123e4567-e89b-12d3-a456-426655440000", ["123e4567-e89b-12d3-a456-426655440000"]),
        ("ip", "from 8.8.8.8, ::1 and 300.1.1.1 at 10:30", ["8.8.8.8", "::1"]),
        ("iban", "IBAN DE89 3704 0044 0532 0130 00 BIC COBADEFFXXX", ["DE89370400440532013000"]),
        ("iban", "DE89 3704 0044 0532 0130 01", []),
        ("bic", "BIC: COBADEFFXXX, RECHNUNG, DEUTDEFF500", ["COBADEFFXXX", "DEUTDEFF500"]),
        (
            "vat_id",
            "DE123456789, FR 11 999999998, CHE-123.456.788 MWST, BE 0123.456.749",
            ["FR11999999998", "CHE123456788", "BE0123456749"],
        ),
        ("vat_id", "ATU 1234 5678, DE 123 456 789, SI 12.50 12.34", []),
        (
            "tax_id",
            "201/113/40209, EIN 12-3456789, 27AAPFU0939F1ZV",
            ["201/113/40209", "12-3456789", "27AAPFU0939F1ZV"],
        ),
        ("tax_id", "CNPJ 11.222.333/0001-81, ABN 51 824 753 556", ["11222333000181", "51824753556"]),
        ("country", "Made in Germany, Österreich and the United States of America", ["DE", "AT", "US"]),
        ("region", "under the laws of the State of New York, not of Old York", ["New York"]),
        (
            "postal_code",
            "10115 Berlin; London SW1A 1AA; Austin, TX 78701; K1A 0B1; 1234 AB Amsterdam",
            ["10115", "SW1A 1AA", "78701", "K1A 0B1", "1234 AB"],
        ),
    ],
)
def test_identifiers(kind: str, text: str, expected: list[str]) -> None:
    assert values(kind, text) == expected


VAT_IDS = """
ATU13585627 BE0428759497 CHE107787577 DE136695976 DK13585628 EE100931558 EL094259216 ESB58378431 ES54362315K
FI20774740 FR40303265045 GB980780684 HR33392005961 HU12892312 IE6433435F IT00743110157 LU15027442 NL004495445B01
PL8567346215 PT501964843 RO18547290 SE123456789701 SI50223054 SK2022749619
""".split()


@pytest.mark.parametrize("vat_id", VAT_IDS)
def test_check_digits_of_vat_ids(vat_id: str) -> None:
    assert is_vat_id(vat_id)


@given(st.sampled_from([vat_id for vat_id in VAT_IDS if vat_id[:2] not in ("ES", "IE", "NL", "SE")]))
def test_a_changed_last_digit_breaks_most_vat_ids(vat_id: str) -> None:
    last = max(at for at, letter in enumerate(vat_id) if letter.isdecimal())
    others = [vat_id[:last] + digit + vat_id[last + 1 :] for digit in "0123456789" if digit != vat_id[last]]
    assert sum(map(is_vat_id, others)) <= 1


@given(st.integers(10**17, 10**18 - 1))
def test_one_pair_of_check_digits_fits_an_account(account: int) -> None:
    assert sum(is_iban(f"DE{check:02}{account}") for check in range(2, 99)) == 1


@given(st.integers(0, 10**15))
def test_one_digit_makes_a_luhn_number(number: int) -> None:
    assert sum(luhn(f"{number}{digit}") for digit in range(10)) == 1


def test_national_numbers_need_their_check_digit() -> None:
    numbers = ("51824753556", "51824753558", "11222333000181", "11222333000182")
    assert [is_tax_id(number) for number in numbers] == [True, False, True, False]
    assert find("tax_id", "51 824 753 556") == []


def test_wrong_check_digits_are_found_only_where_a_label_points_and_then_doubted() -> None:
    assert find("vat_id", "VAT ID: DE129273399") == find("tax_id", "VAT ID: DE 129 273 399") == []
    readings = [read_vat_id("DE129273399"), read_vat_id("DE129273398"), read_iban("DE89 3704 0044 0532 0130 01")]
    assert [(reading.value, reading.doubt) for reading in readings if reading] == [
        ("DE129273399", "the check digits are wrong"),
        ("DE129273398", ""),
        ("DE89370400440532013001", "the check digits are wrong"),
    ]


@pytest.mark.parametrize("document", ["IBAN: DE89 3704 0044 0532 0130 01", '{"iban": "DE89 3704 0044 0532 0130 01"}'])
def test_wrong_check_digits_are_noted(document: str) -> None:
    field = {"name": "iban", "type": "STRING", "required": True, "tags": ["iban"]}
    contract = {"id": "c", "version": "1", "fields": [field]}
    found = paxman.normalize(document, contract)["iban"]
    assert [(note.code, note.message) for note in found.diagnostics] == [
        ("VALIDATION_FAILED", "DE89370400440532013001: the check digits are wrong")
    ]


def test_addresses_that_run_into_each_other_do_not_overlap() -> None:
    assert [(r.start, r.value) for r in find("email", "a@b.de@c.de")] == [(0, "a@b.de")]
