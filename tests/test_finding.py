"""The mechanisms of finding, each by a table of cases: names, descriptions, claims, titles, places."""

from __future__ import annotations

import pytest

import paxman
from paxman.contract import adapt
from paxman.documents.reading import read_document
from paxman.finding.descriptions import read_description
from paxman.finding.scalars import claims_of, find_scalars
from paxman.finding.shapes import cut_to_shape, fits, shape_pattern
from paxman.finding.signatories import find_signatories
from paxman.finding.titles import page_kinds
from paxman.lexicon.lexicon import load
from paxman.page.names import page_of
from paxman.recognizers.base import UNKNOWN

SCHEMA = "https://json-schema.org/draft/2020-12/schema"


def claims(name: str, *fields: str) -> dict[str, float]:
    written = [{"name": field, "type": "STRING", "required": False} for field in fields]
    contract = adapt({"id": "insurance_claim", "version": "1", "fields": written})
    judge = claims_of(contract, load())
    return {judge.wanted[field].field.path: round(claim.fit, 2) for field, claim in judge.of(name).items()}


@pytest.mark.parametrize(
    ("name", "field", "fits_well"),
    [
        ("Body Part Affected", "body_part", True),
        ("PAYER'S TIN", "payer_tin", True),
        ("PAYER'S TIN", "recipient_tin", False),
        ("Due date", "invoice_date", False),
        ("Record date", "date", False),
        ("Bridge ID", "bridgeid", True),
        ("Egress QoS", "egress_qos", True),
        ("Policy number", "policy_number", True),
        ("Policy address", "policy_number", False),
        ("Toll lanes (total)", "toll_lanes", True),
        ("Toll lanes (net)", "toll_lanes", False),
        ("Weather", "policy_number", False),
    ],
)
def test_how_a_name_fits_a_field(name: str, field: str, fits_well: bool) -> None:
    assert (claims(name, field).get(field, 0) >= 0.8) is fits_well


def test_a_name_of_somebody_else_makes_no_claim() -> None:
    assert claims("Seller stone mill gate number", "buyer_stone_mill_gate_number") == {}


def test_a_misread_letter_is_a_weaker_fit() -> None:
    assert claims("Advcrtiser", "advertiser")["advertiser"] < 0.8 < claims("Advertiser", "advertiser")["advertiser"]


def test_a_term_of_another_trade_is_a_weaker_fit() -> None:
    assert claims("Geburtsdatum", "date_of_birth") == {"date_of_birth": 0.75}


@pytest.mark.parametrize(
    ("text", "labels", "denied", "sayings", "examples"),
    [
        ('May be labeled "total premium", not "fee".', ("total premium",), ("fee",), (), ()),
        ("Date of the loss or injury.", (), (), ("Date of the loss", "Date of the injury"), ()),
        ("docket number, e.g. 3:11-cv-00064", (), (), ("docket number",), ("3:11-cv-00064",)),
    ],
)
def test_a_description_is_read(text: str, labels, denied, sayings, examples) -> None:  # type: ignore[no-untyped-def]
    found = read_description(text)
    assert (found.labels, found.denied, found.examples) == (labels, denied, examples)
    assert set(sayings) <= set(found.sayings)


def test_a_condition_holds_for_one_kind_of_page() -> None:
    found = read_description('Who claims. On a loss run: null. On a proof of loss: the "Insured" who signs.')
    assert [(kind, labels, none) for kind, labels, _, none in found.conditions] == [
        ("loss run", (), True),
        ("proof of loss", ("Insured",), False),
    ]


@pytest.mark.parametrize(
    ("text", "name", "relation", "value"),
    [
        ("State: OR\n", "State", "beside", "OR"),
        ("State     OR\n", "State", "next", "OR"),
        ("A: x   B: y\n", "B", "beside", "y"),
        ("State ........ OR\nTown ......... Salem\n", "State", "beside", "OR"),
        ("Fast   Lanes (all):   5\nSlow   Lanes (all):   4\n", "Slow Lanes (all)", "next", "4"),
        ("ACME CORP\n(Exact name of registrant)\n", "Exact name of registrant", "above", "ACME CORP"),
        ("Vale S.A. (Registrant)\n", "Registrant", "above", "Vale S.A."),
        ("For\n\nthe year\n\nDate\n\nof it\n\nOAK\n\nMILL INC.\n\n(Issuer)\n", "Issuer", "above", "OAK\n\nMILL INC."),
        ("[x] Paid\n", "Paid", "box", "[x]"),
        ("Summary\n\nThe roof fell in.\n", "Summary", "section", "The roof fell in."),
    ],
)
def test_names_and_where_their_values_stand(text: str, name: str, relation: str, value: str) -> None:
    page = page_of(read_document(text.encode(), "a.txt"))
    found = [(n.text, p.relation, page.text[slice(*p.span)]) for n in page.names for p in n.places]
    assert (name, relation, value) in found


def test_a_role_below_a_name_names_it() -> None:
    page = page_of(read_document(b"JANE ROE,\n     Plaintiff,\nv.\nOAK LLC,\n     Defendant.\n", "a.txt"))
    above = [(n.text, page.text[slice(*p.span)]) for n in page.names for p in n.places if p.relation == "above"]
    assert above == [("Plaintiff,", "JANE ROE"), ("Defendant", "OAK LLC")]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "ACME CORP\n(Exact name of registrant\nas specified in its charter)\n",
            [
                ("ACME CORP", "section", "(Exact name of registrant"),
                ("Exact name of registrant as specified in its charter", "above", "ACME CORP"),
            ],
        ),
        ("Ship date: May 4, Port: Hull\n", [("Ship date", "beside", "May 4"), ("Port", "beside", "Hull")]),
        (
            "Item     Place     Day\nBolt     Rome      1 May\n",
            [
                *(("Item", "below", "Bolt"), ("Place", "below", "Rome"), ("Day", "below", "1 May")),
                *(("Bolt", "next", "Rome"), ("Rome", "next", "1 May")),
            ],
        ),
        (
            "Gate  Gross   Axle  Axle\n      Weight  Load  Count\n-------------------------\nB7    18200   6100  3\n",
            [
                *(("Gate", "below", "B7"), ("Gross Weight", "below", "18200")),
                *(("Axle Load", "below", "6100"), ("Axle Count", "below", "3"), ("B7", "next", "18200")),
            ],
        ),
        ("Seat 24A   Class Economy", [("Seat", "inline", "24A")]),
        ("Flight LH 401", [("Flight", "inline", "LH 401"), ("Flight LH", "inline", "401")]),
        ("3 beds   2 baths", [("beds", "inline", "3"), ("baths", "inline", "2")]),
    ],
)
def test_all_names_of_a_page(text: str, names: list[tuple[str, str, str]]) -> None:
    page = page_of(read_document(text.encode(), "a.txt"))
    assert [(n.text, p.relation, page.text[slice(*p.span)]) for n in page.names for p in n.places] == names


def test_a_heading_ends_the_section_of_the_one_before() -> None:
    page = page_of(read_document(b"## Tools\n\nSaw: 1\n\n## Parts\n\nBolt: 2\n", "a.md"))
    assert [(name.text, name.section) for name in page.names] == [("Saw", ("Tools",)), ("Bolt", ("Parts",))]


@pytest.mark.parametrize(
    ("text", "fields", "values"),
    [
        ("Visit day     to be determined\n5 May 2024\n", {"visit_day": "DATE"}, [None]),
        ("Humidity: 5 %\n", {"humidity": "INTEGER"}, [None]),
        ("Assigned judge: Hon. Ann T. White\n", {"assigned_judge": "STRING"}, ["Hon. Ann T. White"]),
        ("Guest: Bob Smith Start date 12.05.2024\n", {"guest": "STRING"}, ["Bob Smith"]),
        ("Project     Invoice number\n", {"project": "STRING"}, [None]),
        ("Stone mill gate key: A7\n", dict.fromkeys(("stone_mill_gate_key", "mill_gate_key"), "STRING"), ["A7", None]),
        ("The invoice date will be sent before 5 May 2024.\n", {"invoice_date": "DATE"}, [None]),
        ("The patient was admitted on 5 May 2024.\n", {"admission_date": "DATE"}, ["2024-05-05"]),
        ("Discharged on 7 May 2024, admitted on 5 May 2024.\n", {"admission_date": "DATE"}, [None]),
        (
            "          Sponsor\nOak Group            Elm Club\n          Agent      Birch Club\n",
            {"sponsor": "STRING"},
            ["Elm Club"],
        ),
        ("The total rent for this flat is 800.00 each month.\n", {"total_rent": "DECIMAL"}, ["800.00"]),
        ("The total rent for this flat of 80 rooms was low.\n", {"total_rent": "DECIMAL"}, [None]),
        (
            "The cover start date is 5 May 2024 to 4 May 2025.\n",
            {"cover_start_date": "DATE", "cover_end_date": "DATE"},
            ["2024-05-05", "2025-05-04"],
        ),
        (
            "Rental period: 28 April 2025 to 1 March 2025\n",
            {"rental_start": "DATE", "rental_end": "DATE"},
            [None, None],
        ),
        ("Ambient range: 0 ... +35 °C\n", {"ambient_range": "STRING"}, ["0 ... +35 °C"]),
        ("Output signal   4...20 mA\n", {"output_signal": "STRING"}, ["4...20 mA"]),
        ("Cold store: -20 °C to +6 °C\n", {"cold_store": "STRING"}, ["-20 °C to +6 °C"]),
        ("Power input (P1) 850 W\n", {"power_input": "STRING"}, ["850 W"]),
    ],
    ids=[
        "no value yet",
        "a share",
        "a title",
        "next label",
        "a label",
        "a better field",
        "words between",
        "led",
        "undone",
        "set lower",
        "whose it is",
        "of something else",
        "the end of a span",
        "back",
        "a range",
        "a range without blanks",
        "a sign",
        "a remark behind the name",
    ],
)
def test_what_a_name_is_tied_to(text: str, fields: dict[str, str], values: list[str | None]) -> None:
    written = [{"name": name, "type": kind, "required": False} for name, kind in fields.items()]
    results = paxman.normalize(text, {"id": "paper", "version": "1", "fields": written}).field_results
    assert [result.value and str(result.value) for result in results] == values


@pytest.mark.parametrize(
    ("example", "value", "is_like"),
    [
        ("3:11-cv-00064", "2:08-cv-04256", True),
        ("NY", "CA", True),
        ("NY", "Texas", False),
        ("Smith v. Jones", "A v. B", True),
    ],
)
def test_values_are_written_as_an_example_is(example: str, value: str, is_like: bool) -> None:
    pattern = shape_pattern(example)
    assert pattern is not None
    assert (pattern.fullmatch(value) is not None) is is_like


@pytest.mark.parametrize(
    ("text", "kind", "sign"),
    [
        ("INV-7", "number", 1),
        ("on request", "number", -1),
        ("Ann Lee", "name", 1),
        ("it was late,", "name", -1),
        ("31", "place", -1),
    ],
)
def test_what_can_be_a_value_of_a_kind(text: str, kind: str, sign: int) -> None:
    assert fits(text, kind) * sign > 0


def test_of_a_numbered_list_in_one_line_the_first_item_is_taken() -> None:
    text = ",1.  Fever.,2.  Cough."
    assert text[slice(*cut_to_shape(text, "text"))] == "Fever"


KINDS = {
    "$schema": SCHEMA,
    "title": "claim",
    "type": "object",
    "properties": {
        "form_type": {"type": "string", "enum": ["Proof of Loss", "Loss Run", "Other"]},
        "claimant": {"type": "string", "description": "Who claims. On a loss run: null."},
    },
}


def test_a_title_answers_an_enum_and_settles_conditions() -> None:
    page = "# Loss Run Report\n\n**Claimant:** Ann Lee\n"
    assert page_kinds(page_of(read_document(page.encode(), "a.md")), adapt(KINDS), load()) == ("Loss Run",)
    assert paxman.normalize(page, KINDS).normalized_data == {"form_type": "Loss Run"}
    other = page.replace("Loss Run", "Proof of Loss")
    assert paxman.normalize(other, KINDS).normalized_data == {"form_type": "Proof of Loss", "claimant": "Ann Lee"}


@pytest.mark.parametrize(
    ("text", "kinds"),
    [("# Weight Loss\n", ()), ("# Proof and Loss Ledger\n\n## Loss Run\n", ("Loss Run",))],
    ids=["one word", "the fuller one"],
)
def test_which_title_says_the_kind_of_page(text: str, kinds: tuple[str, ...]) -> None:
    assert page_kinds(page_of(read_document(text.encode(), "a.md")), adapt(KINDS), load()) == kinds


def test_the_trade_of_a_contract_says_what_its_periods_are_called() -> None:
    fields = [{"name": name, "type": "DATE", "required": True} for name in ("period_start", "period_end")]
    fields.append({"name": "opening_balance", "type": "DECIMAL", "required": False})
    contract = {"id": "bank_account", "version": "1", "fields": fields}
    artifact = paxman.normalize("Statement period: 1 March 2025 - 31 March 2025\n", contract)
    assert [str(result.value) for result in artifact.field_results[:2]] == ["2025-03-01", "2025-03-31"]


@pytest.mark.parametrize(
    ("field", "value"), [("title", "Sparse Attention"), ("paper_title", "Sparse Attention"), ("job_title", None)]
)
def test_the_first_heading_is_the_title_of_the_page(field: str, value: str | None) -> None:
    fields = [{"name": field, "type": "STRING", "required": False}]
    artifact = paxman.normalize(
        "# Sparse Attention\n\nWei Zhang\n\n## Abstract\n**Short.**\n",
        {"id": "paper", "version": "1", "fields": fields},
    )
    assert artifact[field].value == value


def test_the_ends_of_a_period_answer_start_and_end() -> None:
    fields = [{"name": name, "type": "DATE", "required": True} for name in ("rental_start", "rental_end")]
    artifact = paxman.normalize(
        "Rental period: 1 March 2025 to 28 April 2025\n", {"id": "c", "version": "1", "fields": fields}
    )
    assert [str(result.value) for result in artifact.field_results] == ["2025-03-01", "2025-04-28"]


@pytest.mark.parametrize(
    ("text", "field", "value", "band"),
    [
        ("Room: 2 (rear)\n", "room_number", "2", "HIGH"),
        ("Invoice: 2024\n", "invoice_number", None, "UNTRUSTED"),
        ("Stone mill name: Summer\n", "stone_mill", "Summer", "MEDIUM"),
        ("Order # 1381772\nInvoice 1381772-2\n", "order_number", "1381772", "MEDIUM"),
        ("Sponsor: Hagerty for US   Town: Hull\n         Senate\n", "sponsor_name", "Hagerty for US", "MEDIUM"),
        ("Jurisdiction of\nOrganization\n", "jurisdiction", None, "UNTRUSTED"),
        ("Interest rate 5% or the highest rate that is allowed\n", "interest_rate:DECIMAL", "5", "MEDIUM"),
        ("Bill to:\n12 Main Street\nBoston, MA 02110\n\nInvoice 5\n", "buyer_name", None, "UNTRUSTED"),
        ("Buyer:\nK O S T E N R E C H N U N G\n", "buyer_name", None, "UNTRUSTED"),
        ("Loan   Interest rate\nA      5.37%\nB      6%\n", "interest_rate:DECIMAL", None, "UNTRUSTED"),
        ("Options: ☐ Gift ☑ Express ☐ Post\n", "express:BOOLEAN", None, "UNTRUSTED"),
        ("Pago: transferencia. Vencimiento: 03/05/2024\n", "pago", "transferencia", "HIGH"),
        (
            "Site address: Oak Depot\nGate 3, Quay St\nHull HU1 1AA\nAsk Bob\n",
            "site_address",
            "Oak Depot Gate 3, Quay St Hull HU1 1AA",
            "HIGH",
        ),
    ],
)
def test_what_stands_around_a_value_makes_it_less_sure(text: str, field: str, value: str | None, band: str) -> None:
    name, _, kind = field.partition(":")
    written = [{"name": name, "type": kind or "STRING", "required": False}]
    result = paxman.normalize(text, {"id": "paper", "version": "1", "fields": written})[name]
    assert (result.value and str(result.value), result.confidence_band.value) == (value, band)


@pytest.mark.parametrize(
    ("text", "band"),
    [
        ("Lever: A\nLever: A\n", "CERTAIN"),
        ("Lever: A\nLever: B\nLever: A\n", "HIGH"),
        ("Lever: A\nLever: B\nLever: A\nLever: C\nLever: D\n", "MEDIUM"),
    ],
)
def test_one_of_many_values_is_no_surer_for_being_printed_twice(text: str, band: str) -> None:
    contract = {"id": "paper", "version": "1", "fields": [{"name": "lever", "type": "STRING", "required": True}]}
    result = paxman.normalize(text, contract)["lever"]
    assert (result.value, result.confidence_band.value) == ("A", band)


def test_a_name_that_two_fields_share_is_sure_of_neither() -> None:
    fields = [{"name": f"stone_mill_{end}", "type": "STRING", "required": False} for end in ("lever", "pulley")]
    results = paxman.normalize("Stone mill: X7 ok\n", {"id": "paper", "version": "1", "fields": fields}).field_results
    assert [(result.value, result.confidence_band.value) for result in results] == [("X7 ok", "MEDIUM")] * 2


def test_the_reason_is_part_of_the_evidence() -> None:
    field = {"name": "body_part", "type": "STRING", "required": True}
    artifact = paxman.normalize("Body Part Affected: left knee\n", {"id": "c", "version": "1", "fields": [field]})
    assert artifact["body_part"].value == "left knee"
    detail = artifact["body_part"].evidence_refs[0].detail or ""
    assert detail.startswith("'Body Part Affected' says 'part of body affected'; beside; ")


AGREEMENT = {"effective_date": "DATE", "governing_law": "STRING", "term": "STRING"}


@pytest.mark.parametrize(
    ("text", "field", "value", "sure"),
    [
        ("This Agreement is governed by the laws of the State of Ohio.", "governing_law", "Ohio", True),
        ("It shall be construed under Swiss law.", "governing_law", "Switzerland", True),
        ("Acme is a company organized under the laws of the State of Ohio.", "governing_law", None, False),
        ("This Agreement is dated as of May 4, 2021.", "effective_date", "2021-05-04", True),
        ("It ends on May 4, 2021 (the “Effective Date”).", "effective_date", "2021-05-04", True),
        ("The Agreement supersedes the prior agreement dated as of May 4, 2021.", "effective_date", None, False),
        (
            "It ends the prior agreement. This Agreement is dated as of May 4, 2021.",
            "effective_date",
            "2021-05-04",
            True,
        ),
        ("3. Term. This Agreement shall remain in effect for two (2) years.", "term", "2 years", True),
        ("Each party may end it with thirty (30) days notice.", "term", None, False),
    ],
)
def test_a_sentence_says_a_value(text: str, field: str, value: str | None, sure: bool) -> None:
    fields = [{"name": name, "type": kind, "required": False} for name, kind in AGREEMENT.items()]
    contract = adapt({"id": "agreement", "version": "1", "fields": fields})
    answer = find_scalars(read_document(text.encode(), "a.txt"), contract, load(), UNKNOWN).get(field)
    assert (answer and str(answer.best.reading.value), bool(answer and answer.best.claim.fit >= 0.8)) == (value, sure)


@pytest.mark.parametrize(
    ("text", "parties"),
    [
        (
            "This Agreement is made by and between Acme, Inc., a Delaware corporation (the “Company”), and Ann Foley"
            " (“Employee”). WHEREAS the Company sells anvils",
            ["Acme, Inc.", "Ann Foley"],
        ),
        ("LEASE\n\namong\n\nOLD ELM TRUST,\n\nand\n\nFIRST BANK\n\nRECITALS", ["OLD ELM TRUST", "FIRST BANK"]),
        ("PARTIES:\nEric Dean (“EMPLOYEE”)\nand\nSwift, Inc. (“SWIFT”):\nRECITALS", ["Eric Dean", "Swift, Inc."]),
        ("Oak GmbH\n1 Road\n\nDear Sirs:\nYou ask about Elm, Inc. (the “Company”).", ["Oak GmbH", "Elm, Inc."]),
        ("A conflict between the laws of Ohio and those of Texas is left open.", []),
    ],
)
def test_parties_stand_in_the_sentence_that_names_them(text: str, parties: list[str]) -> None:
    page = page_of(read_document(text.encode(), "a.txt"))
    assert [each.name for each in find_signatories(page, load())] == parties


PHYSICIAN = {"name": "attending_physician", "type": "STRING", "required": False}


@pytest.mark.parametrize(
    ("text", "physician"),
    [
        ("She saw Dr. Hill twice. Dr. Hill asked Dr. Ames to call.", "Dr. Hill"),
        ("Seen by Dr. X. She left with Dr. X's letter, and she was well.", "Dr. X"),
        ("The patient went home.", None),
    ],
)
def test_a_form_of_address_says_who_has_a_role(text: str, physician: str | None) -> None:
    contract = adapt({"id": "p", "version": "1", "fields": [PHYSICIAN]})
    answer = find_scalars(read_document(text.encode(), "a.txt"), contract, load(), UNKNOWN).get("attending_physician")
    assert (answer and answer.best.reading.value) == physician


@pytest.mark.parametrize(
    ("text", "description", "currency"),
    [
        ("Kiln Ltd\n5 High Street\nLondon W8 5BA, United Kingdom\n\nTotal: 5.00\n", "By the seller's address.", "GBP"),
        ("Kiln Inc\n790 Oak Avenue\nBoise, ID 83702\n\nTotal: 5.00\n", "Infer it from the country.", "USD"),
        ("Kiln Ltd\n5 High Street\nLondon W8 5BA, United Kingdom\n\nTotal: 5.00 EUR\n", "By the address.", "EUR"),
        ("Kiln Ltd\n5 High Street\nLondon W8 5BA, United Kingdom\n\nTotal: 5.00\n", "ISO code.", None),
    ],
)
def test_an_address_says_the_currency_where_the_contract_speaks_of_places(
    text: str, description: str, currency: str | None
) -> None:
    field = {"name": "currency", "type": "STRING", "required": False, "description": description}
    assert paxman.normalize(text, {"id": "bill", "version": "1", "fields": [field]})["currency"].value == currency


ACCOUNT = "On 5 May 2024, a truck of Kiln Inc. from Boise, ID hit the fence of our house in Salem, OR. Nobody was hurt."


def test_an_account_answers_what_happened_and_where() -> None:
    said = {"what": "Description of what happened.", "state": "State where the accident occurred, e.g. NY, CA."}
    fields = [{"name": name, "type": "STRING", "required": False, "description": d} for name, d in said.items()]
    page = f"Dear Sirs,\n\nPlease call us.\n\n{ACCOUNT}\n\nYours\n"
    results = paxman.normalize(page, {"id": "letter", "version": "1", "fields": fields}).field_results
    assert [(result.value, result.confidence_band.value) for result in results] == [
        (ACCOUNT, "MEDIUM"),
        ("OR", "MEDIUM"),
    ]


def test_a_list_below_a_heading_behind_another_list() -> None:
    text = "# Lead\n\n## Tasks\n- Plan shifts\n- Count stock\n\n## Requirements\n- Two years\n- **Licence**\n"
    fields = [{"name": "requirements", "type": "ARRAY", "required": False, "items": {"type": "STRING"}}]
    artifact = paxman.normalize(text, {"id": "job", "version": "1", "fields": fields})
    assert artifact["requirements"].value == ("Two years", "Licence")


def test_of_two_parties_that_may_have_issued_a_page_none_is_at_its_head() -> None:
    def asked(*names: str) -> list[str | None]:
        fields = [{"name": name, "type": "STRING", "required": False} for name in names]
        page = "Oak Works Ltd\n1 High Street\nLeeds LS1 4DY\nTel 0113 496 0000\n"
        artifact = paxman.normalize(page, {"id": "c", "version": "1", "fields": fields})
        return [result.value for result in artifact.field_results]

    assert asked("employer_name") == ["Oak Works Ltd"]
    assert asked("employer_name", "school_name") == [None, None]


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("Height: 1.82 m", "height_m", "1.82"),
        ("Height: 1.82 m", "height_cm", None),
        ("Weight: 176 lbs", "weight_lb", "176"),
        ("Temperature: 98.6 °F", "temperature_c", None),
        ("Duration: 3 h", "duration_hours", "3"),
        ("Power: 2 kW", "power_w", None),
        ("Total: 90 USD", "total_eur", None),
        ("Rate per night: 210.00", "nights", None),
        ("Rate per night: 210.00", "rate_per_night", "210.00"),
    ],
)
def test_a_number_in_another_unit_is_not_the_one_asked_for(text: str, field: str, value: str | None) -> None:
    fields = [{"name": field, "type": "DECIMAL", "required": False}]
    found = paxman.normalize(f"{text}\n", {"id": "c", "version": "1", "fields": fields})[field].value
    assert (None if found is None else str(found)) == value


@pytest.mark.parametrize(
    ("boxes", "expected"),
    [
        ("[ ] Adult   [x] Student   [ ] Family", "Student"),
        ("[ ] Adult [x] Student", "Student"),
        ("☐ Adult   ☑ Student   ☐ Family", "Student"),
        ("Adult [ ]   Student [x]   Family [ ]", "Student"),
        ("[ ] Adult   [ ] Student   [ ] Family", None),
        ("[x] Adult   [x] Student   [ ] Family", None),
    ],
)
def test_of_boxes_only_the_marked_one_is_an_answer(boxes: str, expected: str | None):
    field = {"name": "membership_type", "type": "ENUM", "enum_values": ["Adult", "Student", "Family"], "required": True}
    found = paxman.normalize(f"Membership type:  {boxes}\nCity: Rome\n", {"id": "c", "version": "1", "fields": [field]})
    assert found["membership_type"].value == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("Invoice 7\n14 March 2025\nPens 5.00\n", "2025-03-14"),
        ("Gutschrift (Selbst ausgestellte Rechnung) Nr. 471102 vom\n05.03.2018\n", "2018-03-05"),
        ("<dl><dt>Available from</dt><dd>1 April 2025</dd></dl>", None),
        ("Invoice 7\nDate: 16/01/2020\n", "2020-01-16"),
        ("Invoice 7\nDate: 16/01/2020 21/01/2020\n", None),
    ],
)
def test_a_date_that_a_key_or_a_sentence_leads_to_is_not_surely_that_of_the_page(page: str, expected: str | None):
    found = paxman.normalize(page, {"id": "c", "fields": [{"name": "date", "type": "DATE", "required": True}]})["date"]
    assert (str(found.value) if found.confidence >= 0.8 else None) == expected


FORM = {"shipper": "Acme Export Ltd", "bl_number": "HLCU-77812", "vessel": "MSC Aurora"}
FORM |= {"port_of_loading": "Hamburg", "date_of_issue": "2025-03-04", "gross_weight": "1,250 kg"}
HEADS = ("Shipper", "B/L No.", "Vessel"), ("Port of Loading", "Date of Issue", "Gross Weight")
VALUES = tuple(FORM.values())[:3], tuple(FORM.values())[3:]


def boxes(*rows: tuple[str, ...], gap: str = "", frame: bool = False) -> str:
    lines = ["".join(f"{'| ' if frame else ''}{cell:<22}" for cell in row) + "|" * frame for row in rows]
    pairs = ["\n".join(lines[at : at + 2]) for at in range(0, len(lines), 2)]
    return f"\n{gap}".join(pairs) + "\n"


FORMS = {
    "above": boxes(HEADS[0], VALUES[0], HEADS[1], VALUES[1], gap="\n"),
    "above, without a gap": boxes(HEADS[0], VALUES[0], HEADS[1], VALUES[1]),
    "a single row": boxes(HEADS[0], VALUES[0]),
    "in words of the trade": boxes(("Shipper", "Bill of Lading No.", "Vessel"), VALUES[0]),
    "with lines": boxes(HEADS[0], VALUES[0], HEADS[1], VALUES[1], gap="+" + "-" * 70 + "+\n", frame=True),
    "below": boxes(VALUES[0], HEADS[0], VALUES[1], HEADS[1], gap="\n"),
    "below, under a title": "Bill of Lading\n" + boxes(VALUES[0], HEADS[0], VALUES[1], HEADS[1]),
    "inside": "".join(
        "".join(f"| {f'{head} {value}':<32}" for head, value in zip(*row, strict=True)) + "|\n"
        for row in zip(HEADS, VALUES, strict=True)
    ),
    "in a sheet": "\n".join(map(";".join, (HEADS[0], VALUES[0], ("", "", ""), HEADS[1], VALUES[1]))).encode(),
}


@pytest.mark.parametrize("page", FORMS.values(), ids=FORMS)
def test_a_caption_that_says_a_field_in_full_makes_its_box_sure(page: str | bytes) -> None:
    fields = [{"name": name, "type": "STRING", "required": False} for name in FORM]
    made = paxman.normalize(page, {"id": "x", "version": "1", "fields": fields})
    text = page.decode() if isinstance(page, bytes) else page
    found = {each.field_path: (each.value, each.confidence) for each in made.field_results if each.value is not None}
    assert found == {name: (value, 0.8) for name, value in FORM.items() if value in text}


@pytest.mark.parametrize(
    ("text", "field", "kind"),
    [
        ("Bill of Lading No.: HLCU-1", "bl_number", "STRING"),
        ("Collected: 2025-03-04 10:20", "collected_at", "DATETIME"),
        ("Reported: 2025-03-05", "reported_on", "DATE"),
    ],
)
def test_a_name_that_says_the_field_in_full_is_sure(text: str, field: str, kind: str) -> None:
    asked = {"name": field, "type": kind, "required": True}
    made = paxman.normalize(text, {"id": "x", "version": "1", "fields": [asked]})
    assert made[field].confidence == 0.8


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Employer:   Oak Works\n            Corp.\n            1 Elm St\n", "Oak Works Corp."),
        ("Employer:   Oak Works\n            1 Elm St\n", "Oak Works"),
        ("Diagnosis:  An arm left open\n            and broken\nPlan: rest\n", "An arm left open and broken"),
        ("Diagnosis:  A fall\nPlan:       rest\n            and sleep\n", "A fall"),
    ],
)
def test_a_value_goes_on_below_at_its_own_edge(text: str, value: str) -> None:
    name = text.partition(":")[0].casefold()
    fields = [{"name": name, "type": "STRING", "required": True}]
    assert paxman.normalize(text, {"id": "x", "version": "1", "fields": fields})[name].value == value


@pytest.mark.parametrize(
    ("row", "value"),
    [
        ("Net profit      17      2,290,070.91   3,810,080.25", "2290070.91"),
        ("Net profit      12 x    140,960.00", "140960.00"),
        ("Net profit      17", "17"),
        ("Net profit      17      See note", "17"),
    ],
)
def test_a_small_number_before_the_amounts_of_its_row_is_not_the_amount(row: str, value: str) -> None:
    field = {"name": "net_profit", "type": "DECIMAL", "required": True}
    text = f"Income statement\n\n{row}\n\nThe accountants of the firm were present.\n"
    found = paxman.normalize(text, {"id": "c", "version": "1", "fields": [field]})["net_profit"]
    assert str(found.value) == value
