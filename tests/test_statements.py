"""What sentences say with the words of a field, boxes among choices, contacts below a name, and forms of words."""

import datetime
from decimal import Decimal

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
    ("Kick-off: 15:00", "kickoffTime", TEXT, "15:00", "MEDIUM"),
    ("Local host: 20.30.255.13, Local port: 39443", "localhost_ip", TEXT, "20.30.255.13", "MEDIUM"),
    ("Media Contact\nNoah Pettigrew\nDirector\nm@sol.example\n", "media_contact_email", TEXT, "m@sol.example", "HIGH"),
    ("Program officer: Gideon Marsh", "program_officer_email", TEXT, None, "UNTRUSTED"),
    ("Net income             $  23,882     $  18,405\n", "netIncome", NUMBER, Decimal(23882), "MEDIUM"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name", "field", "value", "band"), CASES)
def test_statements(text: str, name: str, field: dict[str, object], value: object, band: str) -> None:
    result = paxman.normalize(text, {"title": "page", "type": "object", "properties": {name: field}})[name]
    assert (result.value, result.confidence_band.value) == (value, band)
