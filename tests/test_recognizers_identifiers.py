import pytest
from hypothesis import given
from hypothesis import strategies as st

import paxman
from paxman.recognizers import find
from paxman.recognizers.checksums import is_iban, is_tax_id, is_vat_id, tax_schemes
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
        ("phone", "Tel. 030 1234567 / 030 7654321", ["030 1234567", "030 7654321"]),
        ("phone", "Tel 030/1234567 / 030/7654321 or 03-12345678/9", ["030/1234567", "030/7654321", "03-12345678/9"]),
        ("phone", "+49 30 1234567 / 7654321; 1234567/7654321", ["+49 30 1234567", "7654321", "1234567", "7654321"]),
        ("phone", "0049 33051 / 123456; 030 / 1234567; 20240101/20240131", ["0049 33051 / 123456", "030 / 1234567"]),
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


def test_national_numbers_need_their_check_digit() -> None:
    numbers = ("51824753556", "51824753558", "11222333000181", "11222333000182")
    assert [is_tax_id(number) for number in numbers] == [True, False, True, False]
    assert find("tax_id", "51 824 753 556") == []


def test_wrong_check_digits_need_a_label_and_stay_doubtful() -> None:
    assert find("vat_id", "VAT ID: DE129273399") == find("tax_id", "VAT ID: DE 129 273 399") == []
    readings = [read_vat_id("DE129273399"), read_vat_id("DE129273398"), read_iban("DE89 3704 0044 0532 0130 01")]
    assert [(reading.value, reading.doubt) for reading in readings if reading] == [
        ("DE129273399", "the check digits are wrong"),
        ("DE129273398", ""),
        ("DE89370400440532013001", "the check digits are wrong"),
    ]


PATTERN = {"kind": "pattern", "params": {"regex": r"^DE\d{9}$"}}
WRONG = "DE89370400440532013001"


@pytest.mark.parametrize(
    ("document", "field", "value"),
    [
        ("IBAN: DE89 3704 0044 0532 0130 01", {"name": "iban", "tags": ["iban"]}, WRONG),
        ('{"iban": "DE89 3704 0044 0532 0130 01"}', {"name": "iban", "tags": ["iban"]}, WRONG),
        ("IBAN: DE89370400440532013001", {"name": "iban"}, WRONG),
        ('{"seller_iban": "DE89370400440532013001"}', {"name": "seller_iban"}, WRONG),
        ("iban,a,b,c\nDE89370400440532013001,1,2,3\n", {"name": "iban"}, WRONG),
        ('{"vat_id": "DE123456789"}', {"name": "vat_id"}, "DE123456789"),
        ("Our number DE123456789", {"name": "value", "tags": ["vat_id"], "constraints": [PATTERN]}, "DE123456789"),
        ("NIP: 1234567890", {"name": "seller_vat_id"}, "1234567890"),
    ],
)
def test_wrong_check_digits_are_noted_whoever_found_them(document: str, field: dict[str, object], value: str) -> None:
    contract = {"id": "c", "version": "1", "fields": [{"type": "STRING", "required": True, **field}]}
    found = paxman.normalize(document, contract)[str(field["name"])]
    assert [(note.code, note.message) for note in found.diagnostics] == [
        ("VALIDATION_FAILED", f"{value}: the check digits are wrong"),
        ("LOW_CONFIDENCE", "confidence 0.70 is below the target 0.80"),
    ]
    assert found.value == value


@pytest.mark.parametrize("tags", [["iban"], []])
@pytest.mark.parametrize("document", ['[{"name": "Ann", "iban": "%s"}]', "name,iban\nAnn,%s\n"])
def test_wrong_check_digits_in_a_cell_make_the_rows_unsure(document: str, tags: list[str]) -> None:
    columns = [{"name": "name", "type": "STRING", "required": True}]
    columns.append({"name": "iban", "type": "STRING", "required": True, "tags": tags})
    array = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": columns}}
    contract = {"id": "c", "version": "1", "fields": [array]}
    found = paxman.normalize(document % WRONG, contract)["rows"]
    assert [(note.field_path, note.message) for note in found.diagnostics] == [
        ("rows[0].iban", f"{WRONG}: the check digits are wrong"),
        ("rows", "confidence 0.70 is below the target 0.80"),
    ]
    assert paxman.normalize(document % "DE89370400440532013000", contract)["rows"].confidence_band.value == "HIGH"


def test_a_repeated_number_with_wrong_check_digits_stays_doubtful() -> None:
    pattern = {"kind": "pattern", "params": {"regex": r"DE\d{20}"}}
    field = {"name": "iban", "type": "STRING", "required": True, "constraints": [pattern]}
    text = f"IBAN: {WRONG}\n\nPlease pay to {WRONG}\n"
    assert paxman.normalize(text, {"id": "c", "version": "1", "fields": [field]})["iban"].confidence == 0.7


@pytest.mark.parametrize(
    ("text", "locale", "value", "confidence"),
    [
        ("TAX INVOICE NO: 979552583", None, None, 0.0),
        ("Tax receipt 979552583", None, None, 0.0),
        ("Tax ID: 979552583", None, "979552583", 0.75),
        ("Tax ID: 732829320", "fr_FR", "732829320", 0.75),
        ("SIREN: 732829320", None, "732829320", 0.75),
    ],
)
def test_check_digits_count_where_something_says_whose_they_are(
    text: str, locale: str | None, value: str | None, confidence: float
) -> None:
    field = {"name": "value", "type": "STRING", "required": True, "tags": ["tax_id"]}
    policy = paxman.Policy(locale=locale)
    found = paxman.normalize(text, {"id": "c", "version": "1", "fields": [field]}, policy=policy)["value"]
    assert (found.value, found.confidence) == (value, confidence)


@pytest.mark.parametrize(
    ("text", "label", "value"),
    [("VAT No. 4340250915", "VAT", "4340250915"), ("BIR: 100234567", "BIR", "100234567")],
)
def test_nothing_is_wrong_with_a_number_of_which_nobody_knows_the_rule(text: str, label: str, value: str) -> None:
    field = {"name": "vat_id", "type": "STRING", "required": True, "tags": ["vat_id"], "labels": [label]}
    found = paxman.normalize(text, {"id": "c", "version": "1", "fields": [field]})["vat_id"]
    assert (found.value, found.confidence, [note.code for note in found.diagnostics]) == (
        value,
        0.75,
        ["LOW_CONFIDENCE"],
    )


NATIONAL = {
    "argentina": "20267565393",
    "australia": "51824753556",
    "brazil": "11222333000181",
    "brazilian_person": "39053344705",
    "britain": "980780684",
    "canada": "123456782RT0001",
    "chile": "125319092",
    "china": "91350100M000100Y43",
    "colombia": "2131234321",
    "croatia": "33392005961",
    "denmark": "13585628",
    "finland": "20774740",
    "france": "732829320",
    "germany": "136695976",
    "greece": "094259216",
    "hungary": "12892312242",
    "india": "27AAPFU0939F1ZV",
    "indonesia": "013121660091000",
    "israel": "516179157",
    "italian_person": "RSSMRA85T10A562S",
    "italy": "00743110157",
    "japan": "T7000012050002",
    "korea": "2208162517",
    "mexico": "GODE561231GR8",
    "new_zealand": "49091850",
    "norway": "123456785",
    "peru": "20512333797",
    "poland": "5260001246",
    "portugal": "501964843",
    "romania": "18547290",
    "russia": "7707083893",
    "emirates": "100123456700003",
    "saudi_arabia": "300000000000003",
    "singapore": "197401143C",
    "spain": "B58818501",
    "sweden": "5560160680",
    "taiwan": "04595257",
    "turkey": "4540536920",
}


def test_every_country_is_tested() -> None:
    assert sorted(NATIONAL) == sorted(tax_schemes())


@pytest.mark.parametrize(("country", "number"), NATIONAL.items())
def test_check_digits_of_national_numbers(country: str, number: str) -> None:
    first = min(at for at, letter in enumerate(number) if letter.isdecimal())
    others = [number[:first] + digit + number[first + 1 :] for digit in "0123456789" if digit != number[first]]
    assert is_tax_id(number, [country])
    assert sum(is_tax_id(other, [country]) for other in others) <= 1


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("GSTIN: 27AAPFU0939F1ZV", "27AAPFU0939F1ZV"),
        ("C.N.P.J. nº 11.222.333/0001-81", "11222333000181"),
        ("NIF: B-58818501", "B58818501"),
        ("CHE-123.456.788 MWST", "CHE123456788"),
        ("N. IVA: CHE-123.456.788 IVA", "CHE123456788"),
        ("Org.nr: NO 123 456 785 MVA", "NO123456785MVA"),
        ("VAT No: 980 7806 84", "980780684"),
        ("VAT Reg No GB 980 7806 84", "GB980780684"),
        ("A.B.N. 51 824 753 556", "51824753556"),
        ("GST No: 49-091-850", "49091850"),
        ("GST Reg No: 00192200M", "00192200M"),
        ("RFC Emisor: EKU9003173C9", "EKU9003173C9"),
        ("NIP: 526-000-12-46", "5260001246"),
        ("IČ: 25123891  DIČ: CZ25123891", "CZ25123891"),
        ("Vergi Kimlik No: 4540536920", "4540536920"),
        ("Partita IVA e Codice Fiscale: 00743110157", "00743110157"),
        ("Codice Fiscale: RSSMRA85T10A562S", "RSSMRA85T10A562S"),
        ("Adószám: 12892312-2-42", "12892312242"),
        ("ΑΦΜ: 094259216", "094259216"),
        ("CVR-nr.: 13585628", "13585628"),
        ("登録番号 T7000012050002", "T7000012050002"),
        ("纳税人识别号: 91350100M000100Y43", "91350100M000100Y43"),
        ("사업자등록번호: 220-81-62517", "2208162517"),
        ("الرقم الضريبي: 300000000000003", "300000000000003"),
        ("עוסק מורשה 516179157", "516179157"),
        # Its shape nothing knows; it is taken as printed.
        ("GST Reg No: M2-1234567-8", "M2-1234567-8"),
        # Tax numbers that are no VAT numbers.
        ("Steuernummer: 27/123/12345", None),
        ("EIN: 12-3456789", None),
        ("SIRET : 732 829 320 00074", None),
    ],
)
def test_the_sellers_number_is_known_in_its_country(line: str, value: str | None) -> None:
    contract = {"id": "c", "version": "1", "fields": [{"name": "seller_vat_id", "type": "STRING", "required": False}]}
    page = f"Example Trading\nMain Street 1\n{line}\n\nInvoice 2024-001\nDate: 2024-05-01\n\nTotal 120.00 EUR\n"
    assert paxman.normalize(page, contract)["seller_vat_id"].value == value


def test_a_label_tells_whose_check_digits_count() -> None:
    turkish = "4540536920"
    readings = [read_vat_id(turkish, label) for label in ("VKN", "NIP", "Page")]
    assert [reading and (reading.value, reading.doubt) for reading in readings] == [
        (turkish, ""),
        (turkish, "the check digits are wrong"),
        None,
    ]


def test_a_tax_number_in_groups_is_one() -> None:
    field = {"name": "tax_id", "type": "STRING", "required": False, "tags": ["tax_id"]}
    contract = {"id": "c", "version": "1", "fields": [field]}
    page = "Example Trading\nABN 51 824 753 556\nTotal 120.00\n"
    assert paxman.normalize(page, contract)["tax_id"].value == "51824753556"


def test_addresses_that_run_into_each_other_do_not_overlap() -> None:
    assert [(r.start, r.value) for r in find("email", "a@b.de@c.de")] == [(0, "a@b.de")]


@pytest.mark.parametrize(
    "number",
    ["BG175074752", "CY10259033P", "CZ25123891", "LT119511515", "LT100001919017", "LV40003521600", "MT11679112"],
)
def test_a_vat_number_with_one_digit_changed_is_none(number: str) -> None:
    others = [number[:5] + digit + number[6:] for digit in "0123456789" if digit != number[5]]
    assert is_vat_id(number)
    assert sum(map(is_vat_id, others)) <= 1


@pytest.mark.parametrize(
    ("label", "written", "value"),
    [
        ("GST/HST No. ", "123456782 RT0001", "123456782RT0001"),
        ("GST/HST No. ", "123456782 RC0001", "123456782RC0001"),
        ("CPF: ", "390.533.447-05", "39053344705"),
        ("統一編號：", "04595257", "04595257"),
        ("UEN ", "197401143C", "197401143C"),
        ("IRD No. ", "49-091-850", "49091850"),
    ],
)
def test_tax_numbers_behind_their_label(label: str, written: str, value: str) -> None:
    assert [reading.value for reading in find("tax_id", label + written)] == [value]
    assert find("tax_id", written) == []


@pytest.mark.parametrize(
    "text",
    [
        "GST 0.57 Card 49091850",
        "HST 1.30 Ref 130692544",
        "CPF: 000.000.000-00",
        "CPF: 111.111.111-11",
        "統一編號：00000000",
        "IRD No. 09-125-566",
        "IRD No. 160-000-007",
    ],
)
def test_numbers_that_pass_a_check_by_chance_are_no_tax_numbers(text: str) -> None:
    assert find("tax_id", text) == []


def test_a_vat_number_of_one_digit_over_and_over_is_none() -> None:
    assert [is_vat_id(number) for number in ("BG000000000", "MT00000000", "IT00000000000")] == [False] * 3


def test_a_bank_code_of_a_head_office_needs_no_label() -> None:
    assert find("bic", "Ref PROJECTSXXX") == find("bic", "Bank: XXXXDEXXXXX") == []
    found = find("bic", "My bank: COBADEFFXXX, COBADEFF or NWBKGB2L, not DEUTSCHE")
    assert [reading.value for reading in found] == ["COBADEFFXXX", "NWBKGB2L"]
