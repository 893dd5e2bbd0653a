"""Contacts (VCF) and events (ICS) are data, with the bytes that each value came from."""

import datetime
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import paxman
from paxman.api.verification import verify
from paxman.documents.document import Node
from paxman.documents.reading import Limits, read_document

FILES = Path(__file__).parent / "data" / "cards"
CARD = """BEGIN:VCARD
VERSION:3.0
FN:Mara Quill
N:Quill;Mara;;Dr.;
ORG:Crooked Mast GmbH;Purchasing
item1.TEL;TYPE=WORK,VOICE:+49 40 1234567
EMAIL;TYPE=INTERNET:mara@crookedmast.example
ADR;TYPE=WORK:;;Hafenstr. 1;Hamburg;;20457;Germany
BDAY:19800415
PHOTO;ENCODING=b:AAAA
 BBBB
NOTE:Likes lanterns\\, ropes\\nand fl
 ags
END:VCARD
"""
EVENT = """BEGIN:VEVENT
UID:1@x
DTSTART;TZID=Europe/Berlin:20250303T100000
DTEND:20250303T103000Z
SUMMARY:Contract review
LOCATION:Room 4\\, Hamburg
ORGANIZER;CN="Mara Quill":mailto:mara@crookedmast.example
ATTENDEE;CN=Tom:mailto:tom@harbourlights.example
ATTENDEE;CN=Ann:mailto:ann@harbourlights.example
BEGIN:VALARM
DESCRIPTION:Reminder
END:VALARM
END:VEVENT
"""
CALENDAR = "BEGIN:VCALENDAR\nX-WR-CALNAME:Sales\nBEGIN:VTIMEZONE\nTZID:Europe/Berlin\nEND:VTIMEZONE\n{}END:VCALENDAR\n"


def fields(*wanted: tuple[str, str]) -> dict[str, Any]:
    return {
        "id": "card",
        "version": "1",
        "fields": [{"name": name, "type": type_, "required": True} for name, type_ in wanted],
    }


def as_data(node: Node) -> Any:
    if node.kind == "scalar":
        return node.text
    if node.kind == "array":
        return [as_data(child) for child in node.children]
    return [(child.name, as_data(child)) for child in node.children]


def test_a_contact_is_lines_and_a_tree() -> None:
    document = read_document(CARD.encode(), "mara.vcf")
    assert (document.kind, document.diagnostics) == ("vcard", ())
    assert document.text.split("\n") == [
        "Name: Mara Quill",
        "Family name: Quill",
        "Given name: Mara",
        "Honorific prefix: Dr.",
        "Organization: Crooked Mast GmbH",
        "Department: Purchasing",
        "Work phone: +49 40 1234567",
        "Email: mara@crookedmast.example",
        "Work address: Hafenstr. 1, Hamburg, 20457, Germany",
        "Work street: Hafenstr. 1",
        "Work city: Hamburg",
        "Work postal code: 20457",
        "Work country: Germany",
        "Birthday: 1980-04-15",
        "Note: Likes lanterns, ropes",
        "and flags",
        "",
    ]
    assert document.tree is not None
    known = dict(as_data(document.tree))
    assert (known["phone"], known["city"], known["note"]) == (
        "+49 40 1234567",
        "Hamburg",
        "Likes lanterns, ropes\nand flags",
    )


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_each_value_has_the_bytes_it_came_from(ends: str) -> None:
    source = CARD.replace("\n", ends).encode()
    document = read_document(source)
    for text, written in (("+49 40 1234567", b"+49 40 1234567"), ("1980-04-15", b"19800415"), ("Hamburg", b"Hamburg")):
        start = document.text.rindex(text)
        place = document.byte_range((start, start + len(text)))
        assert place is not None
        assert source[place.start : place.end] == written


def test_the_values_of_a_contact() -> None:
    wanted = [(name, "STRING") for name in ("name", "organization", "email", "phone", "address", "postal_code", "note")]
    contract = fields(*wanted, ("birthday", "DATE"))
    artifact = paxman.normalize(CARD.encode(), contract)
    assert [(field.value, field.confidence_band.value) for field in artifact.field_results] == [
        ("Mara Quill", "HIGH"),
        ("Crooked Mast GmbH", "HIGH"),
        ("mara@crookedmast.example", "HIGH"),
        ("+49 40 1234567", "HIGH"),
        ("Hafenstr. 1, Hamburg, 20457, Germany", "HIGH"),
        ("20457", "HIGH"),
        ("Likes lanterns, ropes and flags", "HIGH"),
        (datetime.date(1980, 4, 15), "HIGH"),
    ]
    assert verify(artifact, CARD.encode(), contract, strict=True).problems == ()


def test_the_values_of_an_event() -> None:
    wanted = (("start", "DATETIME"), ("end", "DATETIME"), ("location", "STRING"), ("organizer_email", "STRING"))
    artifact = paxman.normalize(CALENDAR.format(EVENT).encode(), fields(("summary", "STRING"), *wanted))
    values = [field.value for field in artifact.field_results]
    assert values == [
        "Contract review",
        datetime.datetime(2025, 3, 3, 10, 0),
        datetime.datetime(2025, 3, 3, 10, 30, tzinfo=datetime.UTC),
        "Room 4, Hamburg",
        "mara@crookedmast.example",
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "vobject.vcf",  # vobject.vCard().serialize()
            {
                "name": "Mara Quill",
                "title": "Account manager, United Kingdom and the Republic of Ireland, all harbours and lighthouses",
                "phone": "+44 117 496 0123",
                "note": 'Prefers mail; ask for "Mara", not Ms. Quill',
            },
        ),
        (
            "icalendar.ics",  # icalendar.Calendar().to_ical()
            {
                "summary": "Signing of the supply contract HL-2025-07 between Harbour Lights Ltd and Crooked Mast GmbH",
                "location": "12 Harbour Road, Bristol",
                "organizer_email": "mara.quill@harbour-lights.example",
            },
        ),
    ],
)
def test_cards_as_the_usual_libraries_write_them(name: str, expected: dict[str, str]) -> None:
    source, contract = FILES / name, fields(*((field, "STRING") for field in expected))
    artifact = paxman.normalize(source, contract)
    assert dict(artifact.normalized_data) == expected
    assert verify(artifact, source, contract, strict=True).problems == ()


def test_several_contacts_or_events_are_rows() -> None:
    columns = [{"name": name, "type": "STRING", "required": True} for name in ("name", "email")]
    contract = fields(("contacts", "ARRAY"))
    contract["fields"][0]["items"] = {"fields": columns}
    other = CARD.replace("Mara Quill", "Tove Lund").replace("mara@crookedmast", "tove@fjordbrygge")
    rows = paxman.normalize((CARD + other).encode(), contract)["contacts"].value
    assert [tuple(row.values()) for row in rows] == [
        ("Mara Quill", "mara@crookedmast.example"),
        ("Tove Lund", "tove@fjordbrygge.example"),
    ]
    document = read_document(CALENDAR.format(EVENT + EVENT.replace("Contract", "Price")).encode())
    assert document.tree is not None
    data = dict(as_data(document.tree))
    assert data["calendar_name"] == "Sales"
    assert [dict(event)["summary"] for event in data["events"]] == ["Contract review", "Price review"]
    assert "Reminder" not in document.text


def test_old_contacts_in_quoted_printable() -> None:
    name = "FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=B6rg=\n Gro=C3=9F"
    card = f"BEGIN:VCARD\nVERSION:2.1\n{name}\nTEL;CELL:1234\nEND:VCARD\n"
    assert read_document(card.encode()).text == "Name: Jörg Groß\nMobile phone: 1234\n"


def test_what_is_cut_off_or_odd_is_said() -> None:
    document = read_document(b"BEGIN:VCARD\nFN:Mara\n???\n")
    assert [note.message.split(".")[0] for note in document.diagnostics] == [
        "the file ends before its last contact or event does",
        "1 lines are no property of a contact or event",
    ]
    limited = read_document(b"BEGIN:VCARD\n" + b"TEL:1\n" * 10_000, limits=Limits(max_steps=10_000))
    assert limited.diagnostics[0].context == {"limit": "max_steps"}


@given(st.text(st.sampled_from('BEGINVCARD:;=\\\n\r "abcTELN.,é'), max_size=80))
def test_nothing_in_a_card_raises(noise: str) -> None:
    document = read_document(b"BEGIN:VCARD\n" + noise.encode())
    assert document.kind == "vcard"
    _ = document.tree, document.pairs


@pytest.mark.parametrize(
    "line", ["NOTE:x\n", "NOTE:x\n y\n", "BEGIN:VCARD\n", 'A;B="', "N;ENCODING=QUOTED-PRINTABLE:x=\n"]
)
def test_reading_takes_time_in_proportion(line: str) -> None:
    started = time.process_time()
    read_document(b"BEGIN:VCARD\n" + line.encode() * 20_000)
    assert time.process_time() - started < 5
