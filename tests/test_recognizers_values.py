from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import paxman
from paxman.contract.model import CanonicalField, Constraint
from paxman.recognizers import Conventions, find, read_value
from paxman.transforms import run
from paxman.types import FieldType, Money


def field(kind: str, *tags: str, **constraints: Any) -> CanonicalField:
    rules = tuple(Constraint(name, params) for name, params in constraints.items())
    return CanonicalField("c:x", "x", "x", FieldType[kind], semantic_tags=tags, constraints=rules)


def value(text: str, of: CanonicalField, **conventions: str) -> Any:
    reading = read_value(text, of, Conventions(**conventions))
    if reading is None:
        return None
    assert run(reading.transforms, text[reading.start : reading.end]) == reading.value
    return reading.value


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("DECIMAL", "1e5", Decimal("1E+5")),
        ("DECIMAL", "-0.0", Decimal("-0.0")),
        ("DECIMAL", "12345678901234567890.123", Decimal("12345678901234567890.123")),
        ("DECIMAL", "about 19 %", Decimal(19)),
        ("DECIMAL", "RM42.88", Decimal("42.88")),
        ("DECIMAL", "12.05.2024", None),
        ("DECIMAL", "9" * 100_000, None),
        ("DECIMAL", "n/a", None),
        ("INTEGER", "1.0", 1),
        ("INTEGER", "3.00", 3),
        ("INTEGER", "3.5", None),
        ("INTEGER", "1,234 pcs", 1234),
        ("INTEGER", "1e9999", None),
        ("INTEGER", "9" * 100_000, None),
        ("BOOLEAN", "Nein", False),
        ("BOOLEAN", " ✓ ", True),
        ("BOOLEAN", "yes or no", None),
        ("BOOLEAN", "paid", None),
        ("BOOLEAN", "yes, on Monday", True),
        ("BOOLEAN", "yes (signed)", True),
        ("BOOLEAN", "signed ✓", True),
        ("BOOLEAN", "on 3 May", None),
        ("BOOLEAN", "on-site", None),
        ("BOOLEAN", "he said no", None),
        ("DATE", "due on 3. März 2025", date(2025, 3, 3)),
        ("DATE", "20181225", date(2018, 12, 25)),
        ("DATE", "soon", None),
        ("MONEY", "19% 12.50 EUR", Money(Decimal("12.50"), "EUR")),
        ("MONEY", "two hundred dollars", Money(Decimal(200), "USD")),
        ("MONEY", "PEN 5.00", Money(Decimal("5.00"), "PEN")),
        ("MONEY", "12.50", None),
        ("STRING", "  ACME \n GmbH ", "ACME GmbH"),
        ("STRING", "Zu\u0308rich", "Zürich"),
        ("STRING", " \n ", None),
    ],
)
def test_types(kind: str, text: str, expected: Any) -> None:
    got = value(text, field(kind))
    assert (type(got), str(got)) == (type(expected), str(expected))


def test_the_page_lends_its_currency() -> None:
    assert value("12", field("MONEY"), currency="EUR") == Money(Decimal(12), "EUR")


STATUS = field("ENUM", enum={"values": ["paid", "in_transit", "Überfällig", 3, True, None]})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("paid", "paid"),
        (" PAID! ", "paid"),
        ("In transit", "in_transit"),
        ("uberfallig", "Überfällig"),
        ("Überfälig", "Überfällig"),
        ("Status: paid", "paid"),
        ("paid or in_transit", None),
        ("3.0", 3),
        ("true", True),
        ("open", None),
        ("https://schema.org/InTransit", "in_transit"),
        ("http://schema.org/Paid", "paid"),
        ("https://schema.org/Unpaid", None),
        ("https://shop.example/paid-orders", None),
        ("", None),
    ],
)
def test_enums(text: str, expected: Any) -> None:
    got = value(text, STATUS)
    assert (type(got), got) == (type(expected), expected)


def test_null_is_a_member_when_the_contract_lists_it() -> None:
    reading = read_value("null", STATUS, Conventions())
    assert reading is not None
    assert (reading.value, reading.transforms) == (None, ("member:null",))


@pytest.mark.parametrize(
    ("tag", "text", "expected"),
    [
        ("email", "Mail: a@b.de (office)", "a@b.de"),
        ("email", "none", None),
        ("phone", "555-123", "555-123"),
        ("currency", "TRY", "TRY"),
        ("currency", "Total in €", "EUR"),
        ("country", "DE", "DE"),
        ("country", "Made in Germany", "DE"),
        ("iban", "DE00 3704 0044 0532 0130 00", "DE00370400440532013000"),
        ("bic", "COBADEFFXXX", "COBADEFFXXX"),
        ("vat_id", "USt-IdNr.: DE 123 456 789", "DE123456789"),
        ("region", "laws of the State of New York", "New York"),
        ("duration", "a period of two (2) years from", "2 years"),
        ("date-time", "2024-05-12T10:00:00Z", "2024-05-12T10:00:00Z"),
        ("date-time", "Aug. 9, 2012 at 2:57 p.m.", "2012-08-09T14:57"),
        ("date-time", "12.05.2024", "2024-05-12"),
        ("organization", "ACME", "ACME"),
    ],
)
def test_tags_narrow_a_text(tag: str, text: str, expected: str | None) -> None:
    assert value(text, field("STRING", tag)) == expected


@pytest.mark.parametrize("rest", ["", "   Page 1", ", BIC NWBKGB2L", "\nBIC NWBKGB2L"])
@pytest.mark.parametrize("label", ["IBAN: ", "IBAN ", "Our account is "])
def test_an_account_number_has_one_form_whatever_stands_around_it(label: str, rest: str) -> None:
    contract = {"id": "c", "version": "1", "fields": [{"name": "iban", "type": "STRING", "required": True}]}
    text = f"{label}GB29 NWBK 6016 1331 9268 19{rest}"
    assert paxman.normalize(text, contract)["iban"].value == "GB29NWBK60161331926819"


def test_a_pattern_narrows_a_text() -> None:
    number = field("STRING", pattern={"regex": r"^INV-\d+$"})
    assert value("Invoice #INV-1234 (copy)", number) == "INV-1234"
    assert value("Invoice 1234", number) is None


def test_fields_of_other_types_are_not_read_from_text() -> None:
    assert read_value("x", field("OBJECT"), Conventions()) is None


@given(st.sampled_from(["STRING", "INTEGER", "DECIMAL", "BOOLEAN", "DATE", "MONEY"]), st.text(max_size=60))
def test_any_text_reads_or_not_and_never_raises(kind: str, text: str) -> None:
    value(text, field(kind), currency="EUR")
    value(text, STATUS)


def test_an_unknown_kind_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match="Did you mean 'email'"):
        find("emial", "")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The ship left on 3 May", None),
        ("The ship left on", None),
        ("Left: on", True),
        ("Left   no", False),
        ("Left yes", True),
        ("Left\nyes", True),
    ],
)
def test_yes_and_no_are_answers_only_beside_their_label(text: str, value: bool | None) -> None:
    contract = {"id": "c", "fields": [{"name": "left", "type": "BOOLEAN", "required": True}]}
    assert paxman.normalize(text, contract)["left"].value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Total weight: 5 kg", None),
        ("Total quantity: 5 kg", 5),
        ("Total hours: 7", None),
        ("Total quantity: 5", 5),
        ("Total quantity: 5 pcs", 5),
        ("Qty: 5 kg", 5),
    ],
)
def test_a_weight_is_no_count_unless_its_label_names_a_quantity(text: str, value: int | None) -> None:
    contract = {"id": "c", "fields": [{"name": "qty", "type": "INTEGER", "required": True, "labels": ["Qty"]}]}
    assert paxman.normalize(text, contract)["qty"].value == value


STATES = field("ENUM", enum={"values": ["paid", "unpaid", "open", "active", "approved"]})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("paid on 3 May 2024", "paid"),
        ("paid in full", "paid"),
        ("paid, ref. 1234", "paid"),
        ("PAID 12.00 EUR", "paid"),
        ("not yet paid", None),
        ("not paid", None),
        ("partially paid", None),
        ("noch nicht paid", None),
        ("paid: no", None),
        ("un-paid", "unpaid"),
        ("non-approved", None),
        ("open (not approved)", None),
        ("said to be approved", None),
        ("inactive", None),
        ("unapproved", None),
        ("aproved", "approved"),
        ("paid by card", "paid"),
        ("active customer account", "active"),
        ("open for all who have not registered", None),
    ],
)
def test_a_member_that_other_words_turn_or_limit_is_none(text: str, expected: str | None) -> None:
    assert value(text, STATES) == expected


@pytest.mark.parametrize("lost", ["\ufffd", "\ue001", "\U000f0001"])
def test_what_touches_a_lost_character_is_not_a_whole_value(lost: str) -> None:
    damaged = f"{lost}52.50 EUR, 1{lost}, 12.03.20{lost}4, DE13669597{lost}, paid 3.00 EUR"
    assert [reading.value for reading in find("money", damaged)] == [Money(Decimal("3.00"), "EUR")]
    assert (find("integer", f"1{lost}"), find("date", damaged), find("vat_id", damaged)) == ([], [], [])
    assert value(f"RX-7{lost}", field("STRING")) is None
    assert value(f"Stra{lost}e 5", field("STRING")) == f"Stra{lost}e 5"
    assert value(f"RX-7{lost}", field("STRING", pattern={"regex": r"RX-\d"})) is None


def test_a_number_cut_by_a_lost_character_stays_open() -> None:
    text = "Müller GmbH\nInvoice number: RX-71\ufffd4\nTotal: EUR \ufffd52.50\n"
    fields = [{"name": "invoice_number", "type": "STRING", "required": True}, {"name": "total", "type": "MONEY"}]
    fields += [{"name": "code", "type": "STRING", "constraints": [{"kind": "pattern", "params": {"regex": r"RX-\d+"}}]}]
    contract = {"id": "c", "version": "1", "fields": [{"required": True, **each} for each in fields]}
    assert [each.value for each in paxman.normalize(text, contract).field_results] == [None, None, None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("M", "male"), ("f.", "female"), ("mal", "male"), ("X", None), ("m e", None), ("maleness", None)],
)
def test_a_letter_stands_for_the_only_member_that_begins_with_it(text: str, expected: str | None) -> None:
    found = read_value(text, field("ENUM", enum={"values": ["male", "female"]}), Conventions())
    assert (found and found.value) == expected
