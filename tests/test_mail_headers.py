"""Mails whose headers and body both answer: the body's own labels first, headers for what a mail alone knows."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

import paxman

HEAD = (
    "From: Alder Ltd <billing@alder.example>\r\nTo: Jo Brown <jo@brown.example>\r\nSubject: Your invoice\r\n"
    "Date: Fri, 4 Apr 2025 09:12:00 +0200\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
)
ITSELF, OWN = datetime.date(2025, 4, 4), datetime.date(2025, 4, 3)
QUOTED = "-----Original Message-----\nFrom: Tom <tom@mill.example>\nDate: 1 February 2025\nTo: Jo <jo@brown.example>\n"


def read(body: str, *fields: Any) -> dict[str, tuple[Any, str]]:
    raw = [{"type": "STRING", "required": False, **({"name": f} if isinstance(f, str) else f)} for f in fields]
    artifact = paxman.normalize((HEAD + body).encode(), {"id": "c", "fields": raw})
    return {each.field_path: (each.value, each.confidence_band.name) for each in artifact.field_results}


def day(name: str, *labels: str) -> dict[str, Any]:
    return {"name": name, "type": "DATE", "labels": list(labels)}


@pytest.mark.parametrize("field", [day("date"), day("trip_date", "Date"), day("invoice_date")])
def test_the_day_of_the_body_goes_before_that_of_the_message(field: Any):
    assert read("Invoice no: 12\nDate: April 3, 2025\nTotal: $12.00\n", field) == {field["name"]: (OWN, "HIGH")}


def test_a_day_goes_before_that_of_the_message_in_other_languages_too():
    assert read("Rechnung 12\nDatum: 3. April 2025\n", day("date")) == {"date": (OWN, "HIGH")}


def test_of_several_days_in_the_body_none_is_taken():
    assert read("Date: 1 May 2025\nOslo\n\nDate: 3 May 2025\nRome\n", day("date")) == {"date": (ITSELF, "HIGH")}


def test_the_date_of_the_mail_stands_in_for_a_missing_date():
    assert read("Hello, total: $12.00", day("date"), day("trip_date", "Date"), day("sent_at")) == {
        "date": (ITSELF, "HIGH"),
        "trip_date": (ITSELF, "MEDIUM"),
        "sent_at": (ITSELF, "MEDIUM"),
    }


def test_labels_in_the_body_win_over_mail_headers():
    body = "From: Zurich\nTo: Oslo\nDate: 3 April 2025\n"
    origin = {"name": "origin", "labels": ["From"]}
    assert read(body, origin, "to", day("date")) == {
        "origin": ("Zurich", "HIGH"),
        "to": ("Jo Brown <jo@brown.example>", "MEDIUM"),
        "date": (OWN, "HIGH"),
    }
    assert read(body, "subject", "to", day("date"), day("trip_date", "Date")) == {
        "subject": ("Your invoice", "HIGH"),
        "to": ("Jo Brown <jo@brown.example>", "HIGH"),
        "date": (ITSELF, "HIGH"),
        "trip_date": (OWN, "HIGH"),
    }


@pytest.mark.parametrize("quoted", [QUOTED, "> Date: 1 February 2025\n> Total: 5\n"])
def test_the_head_of_a_quoted_message_is_no_label_of_the_body(quoted: str):
    assert read(f"Hello Tom,\nfine.\n\n{quoted}", day("date")) == {"date": (ITSELF, "HIGH")}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ({"name": "sent"}, "Fri, 4 Apr 2025 09:12:00 +0200"),
        ({"name": "sent_date"}, "Fri, 4 Apr 2025 09:12:00 +0200"),
    ],
)
def test_when_it_was_sent_may_be_a_text(field: Any, value: str):
    assert read("Hello", field) == {field["name"]: (value, "MEDIUM")}
    assert read("Hello", field, "subject")[field["name"]] == (value, "HIGH")


def test_who_sent_it_and_to_whom():
    names = ("sender_email", "recipient", "recipient_email", "from_name", "from_address")
    answers = ("billing@alder.example", "Jo Brown", "jo@brown.example", "Alder Ltd", None)
    bands = ("MEDIUM",) * 4 + ("UNTRUSTED",)
    assert [*read("Hello", *names).values()] == [*zip(answers, bands, strict=True)]
    assert read("Hello", "subject", "sender_email")["sender_email"] == ("billing@alder.example", "HIGH")


def test_a_sender_tagged_as_an_address_is_one():
    assert read("Hello", {"name": "sender", "tags": ["email"]})["sender"] == ("billing@alder.example", "MEDIUM")


def test_who_sends_money_or_goods_is_not_who_sends_the_mail():
    assert read("Max sent you 5.00 EUR", "recipient", {"name": "amount", "type": "MONEY"})["recipient"][0] is None
    assert read("Sender: Max Muster\nParcel: 12", "sender", "sender_email") == {
        "sender": ("Max Muster", "HIGH"),
        "sender_email": (None, "UNTRUSTED"),
    }


def test_the_first_line_of_a_letter_is_not_who_sent_it():
    mail = HEAD.replace("Alder Ltd", "Ann Lee") + "hello\nregards\n"
    contract = {"id": "c", "fields": [{"name": "sender", "type": "STRING", "required": False}]}
    sender = paxman.normalize(mail.encode(), contract)["sender"]
    assert (sender.value, sender.confidence_band.name) == ("Ann Lee", "MEDIUM")


@pytest.mark.parametrize(
    ("most", "expected"),
    [
        (None, ((OWN, "HIGH"), 2, [])),
        (1, ((OWN, "HIGH"), 1, ["BUDGET_EXCEEDED"])),
    ],
)
def test_whoever_finds_a_header_looks_into_the_body_itself(most: int | None, expected: Any):
    contract = {"id": "c", "fields": [{**day("date"), "required": True}]}
    budget = paxman.Budget(max_capability_invocations=most)
    found = paxman.normalize((HEAD + "Date: 3 April 2025\n").encode(), contract, budget)["date"]
    codes = sorted({note.code for note in found.diagnostics})
    assert ((found.value, found.confidence_band.name), found.cost.invocations, codes) == expected


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (day("trip_date", "Date"), (ITSELF, "MEDIUM", 4, ["LOW_CONFIDENCE"])),
        (day("date"), (ITSELF, "HIGH", 2, [])),
        (day("invoice_date"), (ITSELF, "MEDIUM", 4, ["LOW_CONFIDENCE"])),
    ],
)
def test_no_step_runs_twice_to_read_the_body(field: Any, expected: Any):
    contract = {"id": "c", "fields": [{**field, "required": True}]}
    found = paxman.normalize((HEAD + "Hello").encode(), contract, paxman.Budget(max_capability_invocations=4))
    each, codes = found.field_results[0], [note.code for note in found.field_results[0].diagnostics]
    assert (each.value, each.confidence_band.name, found.statistics.invocations, codes) == expected


@pytest.mark.parametrize("field", [day("date"), day("invoice_date", "Date", "Invoice date"), day("invoice_date")])
def test_labels_of_several_documents_rival_each_other_and_not_the_header(field: Any):
    texts = [f"Invoice no.: {n}\nDate: {n} April 2025\nTotal: EUR {n}.00\n" for n in (2, 3)]
    source = attach("See below", *texts)
    found = paxman.normalize(source.encode(), {"id": "c", "fields": [{**field, "required": True}]}).field_results[0]
    notes = [note.message for note in found.diagnostics if note.code == "CONFLICT"]
    outcome = (found.value, found.confidence_band.name, notes)
    told = "also found: 2025-04-03. If that is right, correct the field, or give it the label beside it"
    assert outcome == (datetime.date(2025, 4, 2), "MEDIUM", [told])


def attach(body: str, *texts: str) -> str:
    head = HEAD.replace("text/plain; charset=utf-8", 'multipart/mixed; boundary="b"')
    files = [f"Content-Disposition: attachment; filename={n}.txt\n\n{text}" for n, text in enumerate(texts)]
    return head + "".join(f"--b\nContent-Type: text/plain\n{part}\n" for part in (f"\n{body}", *files)) + "--b--\n"


@pytest.mark.parametrize(
    ("labels", "body", "value", "band"),
    [
        ("Von Datum Betreff", "Ihre Rechnung Nr. 4471 vom 24.03.2025", 24, "MEDIUM"),
        ("Van Datum Onderwerp", "Uw factuur 4471 van 24.03.2025", 24, "MEDIUM"),
    ],
)
def test_the_day_in_the_head_of_a_pasted_mail_is_that_of_the_mail(labels: str, body: str, value: int, band: str):
    sender, dated, about = labels.split()
    text = f"{sender}: a@example.org\n{dated}: 25.03.2025\n{about}: 4471\n\n{body}\n"
    fields = [{**day(name), "required": True} for name in ("invoice_date", "date")]
    found = paxman.normalize(text, {"id": "c", "fields": fields})
    outcome = [(found[name].value.day, found[name].confidence_band.name) for name in ("invoice_date", "date")]
    assert outcome == [(value, band), (25, "HIGH")]


def test_who_to_answer_and_when_it_came_are_read_off_the_headers():
    mail = (
        "From: Petra Novak <petra@hydrotek.example>\nTo: sales@x.example\nSubject: Wrenches\n"
        "Date: Tue, 4 Mar 2025 09:12:33 +0100\nMIME-Version: 1.0\n\nPlease send a quote.\n"
    )
    kinds = {"contact_email": "STRING", "contact_name": "STRING", "received": "DATE", "received_at": "DATETIME"}
    fields = [{"name": name, "type": kind, "required": True} for name, kind in kinds.items()]
    found = paxman.normalize(mail, {"id": "request", "version": "1", "fields": fields})
    assert [str(result.value) for result in found.field_results] == [
        "petra@hydrotek.example", "Petra Novak", "2025-03-04", "2025-03-04 09:12:33+01:00",
    ]  # fmt: skip
    assert {result.confidence_band.value for result in found.field_results} == {"MEDIUM"}
