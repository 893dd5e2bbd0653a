"""Dates, spans of days and numbers of papers, as finding ties them to fields."""

from __future__ import annotations

from typing import Any

import pytest

from paxman.contract import adapt
from paxman.documents.reading import read_document
from paxman.finding.scalars import find_scalars
from paxman.lexicon.lexicon import load
from paxman.recognizers import conventions_of

FLIGHT = {"flight_from": "DATE", "flight_to": "DATE"}
INVOICE = {"invoice_number": "STRING", "invoice_date": "DATE", "due_date": "DATE", "seller_name": "STRING"}


def found(text: str, fields: dict[str, str], locale: str = "de_DE") -> dict[str, str]:
    """What each field is answered with; two rivals are joined by a bar."""
    written = [{"name": name, "type": type, "required": False} for name, type in fields.items()]
    contract = adapt({"id": "invoice", "version": "1", "fields": written})
    document = read_document(text.encode(), name="page.txt")
    answers = find_scalars(document, contract, load(), conventions_of(text, locale))
    return {name: _said(answers[name]) for name in fields if name in answers}


def _said(answer: Any) -> str:
    return " | ".join(dict.fromkeys(str(tie.reading.value) for tie in (answer.best, *answer.rivals)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Handelsrechnung (380) Nr. 471102 vom 05.06.2018", ("471102", "2018-06-05")),
        ("Rechnung # RE-20140703/502 vom 03.07.2014", ("RE-20140703/502", "2014-07-03")),
        (
            "Rechnung des Versicherers (575) Nr. 01.234.567.8-2018-1 vom 06.12.2018",
            ("01.234.567.8-2018-1", "2018-12-06"),
        ),
        ("INVOICE 77-B", ("77-B", None)),
        ("Faktura č. 5", ("5", None)),
        ("Rechnung gemäß Bestellung Nr. 2018-471331 vom 01.03.2018", (None, None)),
        ("Invoice 2024", (None, None)),
    ],
)
def test_a_title_has_the_number_and_date_of_its_paper(text: str, expected: tuple[str | None, str | None]) -> None:
    answers = found(f"{text}\n\nThe usual terms apply.\n", INVOICE)
    assert (answers.get("invoice_number"), answers.get("invoice_date")) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Flight dates: 01/28/20 - 02/03/20",
        "Flight   01/28/20 to 02/03/20",
        "Flight from: 01/28/20\nFlight to: 02/03/20",
    ],
)
def test_the_ends_of_a_span_of_days_answer_two_fields(text: str) -> None:
    assert found(text, FLIGHT, "en_US") == {"flight_from": "2020-01-28", "flight_to": "2020-02-03"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Flight start: 01/28/20\nFlight end: 02/03/20", {"flight_from": "2020-01-28", "flight_to": "2020-02-03"}),
        ("Flight dates: 01/28/20", {}),
        (
            "Line   Flight dates         Spots\n1      01/28/20-01/29/20    4\n2      01/30/20-02/03/20    5\n",
            {},
        ),
        (
            "Contract       12345\nFlight dates                           Billing   monthly\n"
            "                   01/28/20-02/03/20   Demo      A18\n",
            {"flight_from": "2020-01-28", "flight_to": "2020-02-03"},
        ),
    ],
)
def test_a_day_alone_or_a_list_of_spans_is_no_span(text: str, expected: dict[str, str]) -> None:
    assert found(text, FLIGHT, "en_US") == expected


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("ACME SHOP\n03/04/2018  14:22\nBread  2.00\nBest before 09/04/2018\n", "2018-04-03"),
        ("Muster GmbH\nBerlin, den 5. März 2024\nLieferung vom 01.02.2024 bis 03.02.2024\n", "2024-03-05"),
        ("Muster GmbH                05.03.2024\nFällig am 01.04.2024\n", "2024-03-05"),
        ("We delivered on 03.02.2024 what was asked for on the phone.\nPaid on 04.02.2024 by card, thank you.\n", None),
    ],
)
def test_the_date_of_a_paper_needs_no_label(text: str, date: str | None) -> None:
    assert found(text, {"date": "DATE"}).get("date") == date
