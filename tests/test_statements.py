"""What sentences say with the words of a field, boxes among choices, contacts below a name, and forms of words."""

import datetime
from decimal import Decimal
from pathlib import Path

import pytest

import paxman

PRESS = "The plant has a capacity of 14 megawatts and created 160 jobs. The company has 430 employees."
COVER = (
    "The collision deductible is $500 and the comprehensive deductible is $250.\nRoadside assistance is not included."
)
TYPE = {"type": "string", "enum": ["New", "Continuation", "Supplement"]}
NUMBER, WHOLE, YES, DAY = (
    {"type": "number"},
    {"type": "integer"},
    {"type": "boolean"},
    {"type": "string", "format": "date"},
)
TEXT = {"type": "string"}

SPAN = {"type": "string", "format": "duration"}
CASES = [
    (PRESS, "capacityMegawatts", NUMBER, Decimal(14), "MEDIUM"),
    (PRESS, "jobsCreated", WHOLE, 160, "MEDIUM"),
    (PRESS, "employeeCount", WHOLE, 430, "MEDIUM"),
    (PRESS, "plantCount", WHOLE, None, "UNTRUSTED"),
    ("Engineer with 14 years of experience in tunnels.", "yearsOfExperience", WHOLE, 14, "MEDIUM"),
    (COVER, "collision_deductible", NUMBER, Decimal(500), "MEDIUM"),
    (COVER, "comprehensive_deductible", NUMBER, Decimal(250), "MEDIUM"),
    (COVER, "roadsideAssistanceIncluded", YES, False, "MEDIUM"),
    ("A quorum was present at the meeting.", "quorumPresent", YES, True, "MEDIUM"),
    ("Ask whether a quorum was present at the meeting.", "quorumPresent", YES, None, "UNTRUSTED"),
    ("It was approved by the board on 8 January 2024.", "approvalDate", DAY, datetime.date(2024, 1, 8), "MEDIUM"),
    ("Limits are $100,000 per person and $300,000 per accident.", "limitPerAccident", NUMBER, None, "UNTRUSTED"),
    ("Type of award:  [X] New   [ ] Continuation   [ ] Supplement", "award_type", TYPE, "New", "HIGH"),
    ("Type of award:  [ ] New   [ ] Continuation   [ ] Supplement", "award_type", TYPE, None, "UNTRUSTED"),
    ("Parking     Two cars\nBasement    No\n", "hasBasement", YES, False, "HIGH"),
    ("Phase: 3\nTitle: A Phase 3 Study of Zelafenib", "title", TEXT, "A Phase 3 Study of Zelafenib", "HIGH"),
    ("Kick-off: 15:00", "kickoffTime", TEXT, "15:00", "MEDIUM"),
    ("Local host: 20.30.255.13, Local port: 39443", "localhost_ip", TEXT, "20.30.255.13", "MEDIUM"),
    ("Media Contact\nNoah Pettigrew\nDirector\nm@sol.example\n", "media_contact_email", TEXT, "m@sol.example", "HIGH"),
    ("Program officer: Gideon Marsh", "program_officer_email", TEXT, None, "UNTRUSTED"),
    ("Our PO is BF-20913, and it refers to your quote Q-7781.", "po_number", TEXT, "BF-20913", "MEDIUM"),
    ("Our PO is BF-20913, and it refers to your quote Q-7781.", "quote_number", TEXT, "Q-7781", "MEDIUM"),
    ("Our PO is due, and the quote 12 is not.", "po_number", TEXT, None, "UNTRUSTED"),
    ("Pay within 30 days to IBAN GB29 NWBK 6016 1331 9268 19.", "iban", TEXT, "GB29NWBK60161331926819", "HIGH"),
    ("Payment to IBAN GB29 NWBK 6016 1331 9268 18.", "iban", TEXT, None, "UNTRUSTED"),
    ("It needs ninety (90) days' notice.\n3. Law. That of Ohio.", "notice_days", NUMBER, Decimal(90), "MEDIUM"),
    ("Bills are payable within forty-five (45) days.", "payment_terms_days", NUMBER, Decimal(45), "MEDIUM"),
    ("The warranty period is two (2) years.", "warranty_period", SPAN, "P2Y", "HIGH"),
    ("PURCHASE ORDER 77\nDate: 2024-05-03\nTotal: 5.00", "order_date", DAY, datetime.date(2024, 5, 3), "MEDIUM"),
    ("QUOTATION Q-7\nDate: 2024-05-03\nTotal: 5.00", "order_date", DAY, None, "UNTRUSTED"),
    ("NI number: QQ 12 34 56 C\nPeriod: 2", "ni_number", TEXT, "QQ 12 34 56 C", "HIGH"),
    ("Subtotal   667.00\nVAT 21 %   133.40\n", "vat_rate", NUMBER, Decimal(21), "HIGH"),
    ("Subtotal   667.00\nVAT 21 %   133.40\n", "discount_rate", NUMBER, None, "UNTRUSTED"),
    ("Acme Ltd\nVAT no. GB 123 4567 89\n", "vat_no", TEXT, "GB123456789", "MEDIUM"),
    ("Net income             $  23,882     $  18,405\n", "netIncome", NUMBER, Decimal(23882), "MEDIUM"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name", "field", "value", "band"), CASES)
def test_statements(text: str, name: str, field: dict[str, object], value: object, band: str) -> None:
    result = paxman.normalize(text, {"title": "page", "type": "object", "properties": {name: field}})[name]
    assert (result.value, result.confidence_band.value) == (value, band)


ROWS = [
    (
        "# Study\n\n## Locations\n- Karo Clinic, Stockholm, Sweden\n- Hospital Leeds, Leeds, United Kingdom\n",
        {"locations": ("facility", "city", "country")},
        [("Karo Clinic", "Stockholm", "Sweden"), ("Hospital Leeds", "Leeds", "United Kingdom")],
    ),
    (
        "# Report\n\n## Timeline\n- 09:42 – Migration starts, slowly\n- 09:47 – First alert fires\n",
        {"timeline": ("time", "event")},
        [("09:42", "Migration starts, slowly"), ("09:47", "First alert fires")],
    ),
    (
        "# Ticket\n\n## Passengers\n- Folake Ade – ticket 235-44100\n- Tunde Ade – ticket 235-44101\n",
        {"passengers": ("name", "ticket_number")},
        [("Folake Ade", "235-44100"), ("Tunde Ade", "235-44101")],
    ),
    ("# Page\n\n## Authors\n- Ada Byron, London\n- Max Muster\n", {"authors": ("name", "city")}, None),
]


@pytest.mark.parametrize(("text", "array", "rows"), ROWS)
def test_items_of_a_list_are_rows(
    text: str, array: dict[str, tuple[str, ...]], rows: list[tuple[str, ...]] | None, tmp_path: Path
) -> None:
    ((name, columns),) = array.items()
    item = {"type": "object", "properties": dict.fromkeys(columns, TEXT)}
    schema = {"title": "page", "type": "object", "properties": {name: {"type": "array", "items": item}}}
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    result = paxman.normalize(page, schema)[name]
    expected = rows and tuple(dict(zip(columns, row, strict=True)) for row in rows)
    assert (result.value, result.confidence_band.value) == (expected, "MEDIUM" if rows else "UNTRUSTED")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The training wasn't completed.", False),
        ("The training hasn’t been completed.", False),
        ("Training completed or not, we go.", None),
        ("The training was completed by nobody.", None),
        ("We will have the training completed next week.", None),
        ("The San Diego training was completed.", True),
        ("Training No. 5 was completed.", True),
    ],
)
def test_small_words_that_deny_or_leave_open(text: str, value: bool | None) -> None:
    field = {"name": "training_completed", "type": "BOOLEAN", "required": False}
    found = paxman.normalize(f"{text}\n", {"id": "c", "version": "1", "fields": [field]})
    assert found["training_completed"].value is value
