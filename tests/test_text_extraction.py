"""`KEY: VALUE` is found and read whole, whatever else stands on the page."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import paxman
from paxman.capabilities.leading_labels import leads_with_label
from paxman.documents.reading import read_document
from paxman.transforms import run
from paxman.types import Money

PROSE = "Thanks for staying\n"


def contract(*fields: dict[str, Any]) -> dict[str, Any]:
    return {"id": "c", "version": "1", "fields": [{"required": True, **field} for field in fields]}


def read_one(text: str, name: str, type: str = "STRING", **more: Any) -> object:
    return paxman.normalize(text, contract({"name": name, "type": type, **more}))[name].value


def pattern(regex: str) -> list[dict[str, Any]]:
    return [{"kind": "pattern", "params": {"regex": regex}}]


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("Room: 12", "room", "12"),
        ("Code: 7777", "code", "7777"),
        ("Order: X-123", "order", "X-123"),
        ("Postal code: 10115", "postal_code", "10115"),
        ("Version: 1.2.3", "version", "1.2.3"),
        ("Vehicle: B-X 12", "vehicle", "B-X 12"),
        ("Lot: 42-1", "lot", "42-1"),
        ("Tracking: 9400 1000 0000", "tracking", "9400 1000 0000"),
        ("Room = 12", "room", "12"),
        ("Supplier: 3M", "supplier", "3M"),
        ("ID: AB12", "id", "AB12"),
        ("PO: AB-12", "po", "AB-12"),
        ("Number: 7", "number", "7"),
        ("No: 77", "number", "77"),
        ("Phone: 030 1234", "phone", "030 1234"),
        ("Phone:    +49 (0)30 1234", "phone", "+49 (0)30 1234"),
    ],
)
def test_a_value_beside_its_label_is_found_whole(line: str, name: str, value: str) -> None:
    assert read_one(f"{line}\n{PROSE}", name) == value
    assert read_one(f"{PROSE}{line}", name) == value


def test_a_date_behind_a_number_is_no_part_of_it() -> None:
    assert read_one(f"Invoice no: 123 01/02/2024\n{PROSE}", "invoice_number") == "123"


def test_pairs_share_a_line() -> None:
    page = contract({"name": "room", "type": "STRING"}, {"name": "guest", "type": "STRING"})
    artifact = paxman.normalize(f"Room: 12   Guest: Al\n{PROSE}", page)
    assert artifact.normalized_data == {"room": "12", "guest": "Al"}


@example("AA0A1V")
@example("0A01B")
@example("AA/A1V")
@given(st.from_regex(r"[A-Z0-9][A-Z0-9./-]{0,10}[A-Z0-9]", fullmatch=True))
@settings(deadline=None)
def test_any_code_after_a_colon_is_the_value(code: str) -> None:
    assert read_one(f"Shelf: {code}\n{PROSE}", "shelf") == code


def test_the_answer_no_is_no_label_of_a_number() -> None:
    assert read_one("Number: 7\nActive: no", "number") == "7"
    assert read_one("Invoice number: A-77\nPaid: no\n", "number", labels=["Invoice number"]) == "A-77"


def test_whole_amounts_stand_beside_those_with_cents() -> None:
    page = contract({"name": "net", "type": "DECIMAL"}, {"name": "tax", "type": "DECIMAL"})
    artifact = paxman.normalize("Total: 100.00\nNet: 90\nTax: 10\n", page)
    assert artifact.normalized_data == {"net": Decimal(90), "tax": Decimal(10)}


def test_a_rate_is_no_amount() -> None:
    assert read_one(f"Tax: 10%\n{PROSE}", "tax", "DECIMAL") is None
    assert read_one(f"VAT rate: 19%\n{PROSE}", "vat_rate", "DECIMAL") == Decimal(19)


@pytest.mark.parametrize("tail", ["", f"\n{PROSE}", "\nDate: 2025-01-02\n"])
@pytest.mark.parametrize("how", [{"constraints": pattern(r"INV-\d+")}, {"tags": [r"regex:INV-\d+"]}])
def test_a_pattern_narrows_what_stands_beside_a_label(tail: str, how: dict[str, Any]) -> None:
    assert read_one(f"Ref: INV-1234 (copy){tail}", "code", labels=["Ref"], **how) == "INV-1234"


@pytest.mark.parametrize(
    ("regex", "value"), [("@", "a.b@c.de"), ("^[A-Z]", "A Smith"), ("[A-Z]", "Alice Smith"), (r"\d$", "Room 12")]
)
def test_a_pattern_that_only_tests_a_value_leaves_it_whole(regex: str, value: str) -> None:
    assert read_one(f"Name: {value}\n{PROSE}", "name", constraints=pattern(regex)) == value


def test_a_scalar_that_satisfies_its_pattern_is_left_as_it_is() -> None:
    field = {"name": "ref", "type": "STRING", "constraints": pattern(r"INV-\d+")}
    found = paxman.normalize({"ref": "INV-1 (copy)"}, contract(field))
    assert found.normalized_data == {"ref": "INV-1 (copy)"}


@pytest.mark.parametrize("type", ["INTEGER", "DECIMAL"])
@pytest.mark.parametrize("text", ["Balance: 5-", f"Balance: 5-\n{PROSE}", f"Balance: -5\n{PROSE}"])
def test_a_minus_may_follow_a_whole_number(text: str, type: str) -> None:
    assert read_one(text, "balance", type) == -5


@pytest.mark.parametrize("text", ["Total: 100.00", f"Total: 100.00\n{PROSE}", "Fee: 3.00 USD\nTotal: XAU 100.00"])
def test_an_amount_without_a_known_currency_is_told_and_not_guessed(text: str) -> None:
    artifact = paxman.normalize(text, contract({"name": "total", "type": "MONEY"}))
    notes = [(note.code, note.severity.value, note.message) for note in artifact.diagnostics]
    assert artifact["total"].value is None
    assert notes[0] == ("VALIDATION_FAILED", "INFO", "an amount without a known currency stands at the label")


def test_the_currency_of_the_page_and_a_known_code_still_count() -> None:
    assert read_one("Fee: 3.00 USD\nTotal: 100.00", "total", "MONEY") == Money(Decimal("100.00"), "USD")
    assert read_one("Fee: 3.00 USD\nTotal: EUR 100.00", "total", "MONEY") == Money(Decimal("100.00"), "EUR")
    assert read_one("Fee: 3.00 USD\nTotal: XAU 100.00", "total", "DECIMAL") == Decimal("100.00")


ROWS = [("Invoice no.", "A-1"), ("Date", "2025-01-02"), ("Total", "10.00 EUR")]


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("tag", ["th", "td"])
@pytest.mark.parametrize("others", [[], [{"name": "date", "type": "DATE"}]])
def test_a_table_of_labels_and_values_has_no_headings(size: int, tag: str, others: list[dict[str, Any]]) -> None:
    rows = "".join(f"<tr><{tag}>{label}</{tag}><td>{value}</td></tr>" for label, value in ROWS[:size])
    number = {"name": "number", "type": "STRING", "labels": ["Invoice no."]}
    artifact = paxman.normalize(f"<html><table>{rows}</table></html>", contract(number, *others))
    assert (artifact["number"].value, artifact.diagnostics) == ("A-1", ())


@pytest.mark.parametrize("text", ["Name,Al\nCity,Rome\n", "Name,Al\nCity,Rome\nZip,123\n", "Name,City\nAl,Rome\n"])
def test_labels_stand_in_the_first_column_or_the_first_row(text: str) -> None:
    artifact = paxman.normalize(text, contract({"name": "name", "type": "STRING"}, {"name": "city", "type": "STRING"}))
    assert (artifact.normalized_data, artifact.diagnostics) == ({"name": "Al", "city": "Rome"}, ())


@given(st.lists(st.sampled_from(["Ref", ":", " ", "  ", "\n", "12", "INV-1", "(", "no", "-", "=", "#"]), max_size=25))
@settings(deadline=None)
def test_evidence_gives_the_value_again(parts: list[str]) -> None:
    text = "".join(parts)
    result = paxman.normalize(text, contract({"name": "ref", "type": "STRING"}))["ref"]
    shown = read_document(text.encode()).text
    for ref in result.evidence_refs:
        if ref.role == "supporting" and ref.span:
            assert run(ref.transforms, shown[slice(*ref.span)]) == result.value


@pytest.mark.parametrize(("text", "type"), [("Count: 12", "INTEGER"), ("Code: ab", "STRING")])
def test_a_value_that_its_pattern_does_not_take_is_told_of_with_the_pattern(text: str, type: str) -> None:
    name = text.partition(":")[0].lower()
    fields = contract({"name": name, "type": type, "constraints": pattern(r"^\d{4}$")})
    note = paxman.normalize(text, fields)[name].diagnostics[0]
    told = rf"the label was found 1 time, but what stands there is not {type} of the pattern ^\d{{4}}$"
    assert (note.code, note.message) == ("VALIDATION_FAILED", told)


def test_a_sign_behind_an_amount_is_the_currency_of_the_page() -> None:
    text = "Salario base     1.280,00\nLíquido     1.223,08 €\n"
    assert read_one(text, "salario_base", "MONEY") == Money(Decimal("1280.00"), "EUR")


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("Plan: ☐ Basic ☒ Pro", "Pro"),
        ("Plan: Basic ☐ Pro ☑ Team ☐", "Pro"),
        ("Plan: ☑ Basic, ☐ Pro", "Basic"),
        ("Plan: made of ☐ and wood", "made of ☐ and wood"),
        ("Plan:\n[x] Basic\n[ ] Pro\nName: Ann\n", "Basic"),
        ("Plan:\n- [ ] Basic\n- [x] Pro\n", "Pro"),
        ("* Plan\n  * ( ) Basic\n  * (•) Pro\n", "Pro"),
        ("Plan:\n[*] Basic\n[ ] Pro\n", "Basic"),
        ("Plan:\n[ ] Basic\n[ ] Pro\n", None),
        ("Plan:\n[x] Basic\n[x] Pro\n", None),
        ("Plan: Pro ☐", "Pro"),
        ("Plan: Pro ☑", "Pro"),
        ("Plan: ☐ Pro", None),
        ("Plan\n✓ Basic\n✗ Pro\n", "Basic"),
        ("Plan\n✘ Basic\n✔ Pro\n✘ Team\n", "Pro"),
        ("Plan: Basic ✗ Pro ✓", "Pro"),
        ("Plan\n☐ Basic\n✗ Pro\n", "Pro"),
        ("Plan: ✗ Pro", "✗ Pro"),
    ],
)
def test_of_choices_behind_boxes_the_marked_one_is_the_value(line: str, value: str | None) -> None:
    assert read_one(f"{PROSE}{line}\n", "plan") == value


@pytest.mark.parametrize("marks", ["✗✗", "✓✓", "✗ "])
def test_answers_that_are_all_marked_alike_are_not_chosen(marks: str) -> None:
    contract = {"id": "form", "version": "1", "fields": [{**PRIORITY, "required": False}]}
    text = f"Priority\n{marks[0]} low\n" + (f"{marks[1]} high\n" if marks[1] != " " else "")
    assert paxman.normalize(text, contract)["priority"].value is None


@pytest.mark.parametrize(("sign", "value"), [*((sign, "high") for sign in "✓✔●•*–"), ("✗", None), ("✘", None)])
def test_a_sign_before_the_only_answer_is_no_choice_but_a_cross_may_deny_it(sign: str, value: str | None) -> None:
    text = f"Order: 12\nPriority: {sign} High\nOwner: Ann\n"
    assert paxman.normalize(text, contract({**PRIORITY, "required": False}))["priority"].value == value


EXPRESS = {"name": "express", "type": "BOOLEAN"}
PRIORITY = {"name": "priority", "type": "ENUM", "enum_values": ["low", "high"]}
PLAN = {"name": "plan", "type": "STRING"}


@pytest.mark.parametrize(
    ("text", "field", "value", "quote"),
    [
        ("Express: [ ] yes  [x] no", EXPRESS, False, "no"),
        ("Express   □ Yes   ■ No", EXPRESS, False, "No"),
        ("Express: yes (x)  no ( )", EXPRESS, True, "yes"),
        ("Express: [ ] yes\n         [x] no\nGift: [x] yes", EXPRESS, False, "no"),
        ("Express: [x] yes  [ ] no   Gift: [ ] yes  [x] no", EXPRESS, True, "yes"),
        ("Express: yes   Gift wrap  no", EXPRESS, True, "yes"),
        ("Express ☐", EXPRESS, False, "☐"),
        ("☑ Express ☐ Gift", EXPRESS, True, "☑"),
        ("☐ Gift\n☑ Express\n☐ Post", EXPRESS, True, "☑"),
        ("Options: ☐ Gift ☑ Express ☐ Post", EXPRESS, True, "☑"),
        ("Options   ☑ Express   ☐ Post", EXPRESS, True, "☑"),
        ("Gift: ☐ Express: ☑ by post", EXPRESS, True, "☑"),
        ("Gift   ☐   Express   ☑   by post", EXPRESS, True, "☑"),
        ("Plan\nBasic ☐\nPro ☒\nMax ☐\n", PLAN, "Pro", "Pro"),
        ("Express: [x]", EXPRESS, True, "x"),
        ("Express: ○ Yes ● No", EXPRESS, False, "No"),
        ("Priority: [ ] low  [x] high", PRIORITY, "high", "high"),
        ("Priority\n( ) low\n(x) high", PRIORITY, "high", "high"),
        ("Priority: low   Owner: high", PRIORITY, "low", "low"),
        ("Plan   ☐ Basic   ☒ Pro Max", PLAN, "Pro Max", "Pro Max"),
        ("Plan: f[ ] and (x)", PLAN, "f[ ] and (x)", "f[ ] and (x)"),
    ],
)
def test_the_marked_choice_is_the_value_wherever_the_boxes_stand(
    text: str, field: dict[str, Any], value: object, quote: str
) -> None:
    result = paxman.normalize(f"{text}\n", contract(field)).field_results[0]
    assert (result.value, [text[slice(*ref.span)] for ref in result.evidence_refs]) == (value, [quote])


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("Express: yes   no", EXPRESS),
        ("Express\nyes   no", EXPRESS),
        ("Express: [ ] yes  [ ] no", EXPRESS),
        ("Express: [x] yes  [x] no", EXPRESS),
        ("Express: yes ___  no _X_", EXPRESS),
        ("Priority: low / high", PRIORITY),
        ("Priority   low   high", PRIORITY),
        ("Plan: [ ] Basic  [ ] Pro", PLAN),
    ],
)
def test_choices_without_a_single_mark_are_left_open_and_told_of(text: str, field: dict[str, Any]) -> None:
    result = paxman.normalize(f"{text}\n", contract(field)).field_results[0]
    told = "choices stand at the label, and no mark says which"
    assert (result.value, result.diagnostics[0].message) == (None, told)


@pytest.mark.parametrize(("locale", "day"), [(None, date(2024, 3, 15)), ("th_TH", date(2024, 3, 15)), ("en_MY", None)])
def test_a_year_is_of_the_thai_calendar_only_where_that_may_be(locale: str | None, day: date | None) -> None:
    field = {"name": "date", "type": "DATE"}
    policy = paxman.Policy(locale=locale)
    assert paxman.normalize("Date: 15/03/2567\n", contract(field), policy=policy)["date"].value == day


@pytest.mark.parametrize(
    ("text", "is_led"),
    [
        ("Order: 123", True),
        ("SN:123456", False),
        ("Mon-Fri:9-17", False),
        ("BILL NO     : SD-12", True),
        ("Account 12: main", True),
        ("请求书番号：7", True),
        ("Room 5 at 12:30", False),
        ("https://x.example", False),
        ("Re: your order", False),
        ("EUR: 12", False),
        ("Deliver to the back door: ring twice", False),
    ],
)
def test_a_text_may_begin_with_a_label_of_its_own(text: str, is_led: bool) -> None:
    assert leads_with_label(text, 0, len(text)) == is_led


def test_what_has_a_label_of_its_own_is_no_value_of_another() -> None:
    assert read_one(f"{PROSE}Ref\nOrder: 123\n", "ref") is None
    assert read_one(f"{PROSE}Ref:      Order: 123\n", "ref") is None
    assert read_one(f"{PROSE}Ref:      Room 5 at 12:30\n", "ref") == "Room 5 at 12:30"
