"""Labels that a scanner or a typist got wrong in one letter."""

from datetime import date
from decimal import Decimal

import pytest

import paxman
from paxman.types import ConfidenceBand

FIELDS = [
    {"name": "contract_no", "type": "STRING", "required": False, "labels": ["Contract #"]},
    {"name": "customer_no", "type": "STRING", "required": False, "labels": ["Customer No"]},
    {"name": "advertiser", "type": "STRING", "required": False, "labels": ["Advertiser"]},
    {"name": "total", "type": "DECIMAL", "required": False, "labels": ["Total amount"]},
]


def found(text, *fields):
    artifact = paxman.normalize(text, {"id": "paper", "version": "1", "fields": list(fields or FIELDS)})
    return {result.field_path: result.value for result in artifact.field_results if result.value is not None}


@pytest.mark.parametrize(
    "label",
    ["C0ntract #", "Contrakt No", "Contraet No.", "Cantract #:", "Contrct #", "CONTRAGT #", "Contract Nurnber"],
)
def test_a_number_stays_with_its_label(label):
    assert found(f"Oak Media\n{label} 4711-8\nOrder # 99123\n") == {"contract_no": "4711-8"}


@pytest.mark.parametrize("label", ["Advertizer", "Advcrtiser", "Adverliser", "Advertser", "ADVCRTISER"])
def test_a_name_stays_with_its_label(label):
    assert found(f"{label}: Oak Fund\nCustorner No 5512\nTotal arnount: 20.00\n") == {
        "advertiser": "Oak Fund",
        "customer_no": "5512",
        "total": Decimal("20.00"),
    }


@pytest.mark.parametrize(
    ("label", "number"),
    [("Handelsrcchnung (380) Nr.", "471102"), ("Rechnng #", "RE-2014/5"), ("lnvoicc No", "88123")],
)
def test_words_for_what_a_field_means_may_have_slips_too(label, number):
    field = {"name": "invoice_number", "type": "STRING", "required": True}
    artifact = paxman.normalize(
        f"Oak GmbH\n{label} {number} vom 05.03.2018\n", {"id": "p", "version": "1", "fields": [field]}
    )
    result = artifact["invoice_number"]
    assert (result.value, result.confidence_band) == (number, ConfidenceBand.MEDIUM)


def outcome(text, name, kind):
    field = {"name": name, "type": kind, "required": True}
    result = paxman.normalize(text, {"id": "p", "version": "1", "fields": [field]})[name]
    return result.value, result.confidence_band.value


@pytest.mark.parametrize(
    ("text", "name", "kind", "value"),
    [
        ("Invoice Numher: A-1", "invoice_number", "STRING", "A-1"),
        ("Invoice Nunber: A-1", "invoice_number", "STRING", "A-1"),
        ("Imvoice Number: A-1", "invoice_number", "STRING", "A-1"),
        ("Invoice Num8er: A-1", "invoice_number", "STRING", "A-1"),
        ("Invocie Number: A-1", "invoice_number", "STRING", "A-1"),
        ("Rechnungsnunmer: A-1", "invoice_number", "STRING", "A-1"),
        ("Nurnéro de facture: A-1", "invoice_number", "STRING", "A-1"),
        ("Amount Oue: 12.00", "amount_due", "DECIMAL", Decimal("12.00")),
        ("Bolance due: 12.00", "amount_due", "DECIMAL", Decimal("12.00")),
        ("8alance due: 12.00", "amount_due", "DECIMAL", Decimal("12.00")),
        ("Gesammtbetrag: 12,00", "total", "DECIMAL", Decimal("12.00")),
        ("Tolal: 12.00", "total", "DECIMAL", Decimal("12.00")),
        ("Due Dale: 14.04.2025", "due_date", "DATE", date(2025, 4, 14)),
        ("Fälligkeitsdatun: 14.04.2025", "due_date", "DATE", date(2025, 4, 14)),
        ("Fecha de vencimlneto: 14.04.2025", "due_date", "DATE", date(2025, 4, 14)),
        ("Termin płatmości: 14.04.2025", "due_date", "DATE", date(2025, 4, 14)),
    ],
)
def test_one_letter_may_be_misread_missing_doubled_or_swapped(text, name, kind, value):
    assert outcome(f"Oak Media\n\n{text}\n", name, kind) == (value, "MEDIUM")


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("Dale: 12.03.2025", "date", "DATE"),
        ("Rate: 12.03.2025", "date", "DATE"),
        ("Fax: 12.00", "tax", "DECIMAL"),
        ("Toll: 12.00", "total", "DECIMAL"),
        ("Shopping: 12.00", "shipping_cost", "DECIMAL"),
        ("Met: 12.00", "net", "DECIMAL"),
        ("Charles: 12.00", "charges", "DECIMAL"),
        ("Contatto n. 4711", "contract_number", "STRING"),
        ("Vortrag Nr. 4711", "contract_number", "STRING"),
    ],
)
def test_a_word_near_a_label_is_a_word_of_its_own(text, name, kind):
    assert outcome(f"Oak Media\n\n{text}\n", name, kind) == (None, "UNTRUSTED")


def test_a_word_that_the_page_spells_right_is_no_slip_of_another() -> None:
    field = {"name": "service", "type": "STRING", "required": True, "labels": ["Leistung"]}
    text = "Leitung    Dr. Hanna Meier\nLeistung   Statik und Prüfung\n"
    result = paxman.normalize(text, {"id": "p", "version": "1", "fields": [field]})["service"]
    assert (result.value, result.confidence_band) == ("Statik und Prüfung", ConfidenceBand.HIGH)


@pytest.mark.parametrize(
    "line",
    [
        "Contact No: 5551234",
        "Contacts # 12",
        "Contrast No 12",
        "Contractor No 77",
        "Customers 44",
        "Contrakt between us and 5 others",
        "He wrote Contrakt 12",
        "Advertised: Oak Fund",
        "Advertisers: Oak Fund",
    ],
)
def test_another_word_is_no_slip(line):
    assert found(f"Oak Ltd\n{line}\nThanks\n") == {}


@pytest.mark.parametrize(("label", "number"), [("Contract / Revision", "4711-8"), ("Contraet / Revision", "99123")])
def test_of_two_labels_of_a_field_neither_is_sure(label, number):
    field = {"name": "contract_no", "type": "STRING", "required": False, "labels": ["Contract / Revision", "Order #"]}
    result = paxman.normalize(f"{label} 4711-8\nOrder # 99123\n", {"id": "p", "version": "1", "fields": [field]})[
        "contract_no"
    ]
    assert (result.value, result.confidence_band) == (number, ConfidenceBand.MEDIUM)


def test_the_right_word_in_another_label_does_not_hide_a_slip() -> None:
    text = "Adverliser: Oak Fund\nAdvertiser Code   17\nAll claims of an advertiser lapse.\n"
    assert found(text) == {"advertiser": "Oak Fund"}


@pytest.mark.parametrize(
    ("label", "line", "values"),
    [
        ("Trailer", "Trainer: Jo Lee", {}),
        ("Driver", "Diver: Jo Lee", {}),
        ("Wedding venue", "Welding venue: Oslo", {}),
        ("Crate", "Grate: 12", {}),
        ("Block", "Black: 12", {}),
        ("Trail", "Trait: 12", {}),
        ("Modem", "Modern: 12", {}),
        ("Boat name", "Beat name: Oslo", {}),
        ("Vessel", "Vcssel: 12", {"asked": "12"}),
        ("Trailer", "Troiler: 12", {"asked": "12"}),
        ("Physiotherapist", "Physiotherapixt: Jo Lee", {"asked": "Jo Lee"}),
    ],
)
def test_a_word_of_the_contract_alone_has_slips_if_no_other_word_is_near(label, line, values):
    field = {"name": "asked", "type": "STRING", "required": False, "labels": [label]}
    assert found(f"Oak Ltd\n\n{line}\n", field) == values


@pytest.mark.parametrize(
    ("label", "band"),
    [
        ("Sou5-total", "MEDIUM"),
        ("Su6-total", "MEDIUM"),
        ("SU8 TOTAL", "MEDIUM"),
        ("3 Teas Total", "HIGH"),
        ("2x Total", "HIGH"),
        ("Total", "HIGH"),
    ],
)
def test_a_word_with_a_misread_letter_before_a_label_makes_it_unsure(label, band):
    assert outcome(f"Oak Shop\nTea 8.00\nCake 12.00\n{label} 20.00\n", "total", "DECIMAL") == (Decimal("20.00"), band)


ITEM = ("description", "quantity", "amount")
ROWS = (("Steel plate", "2 pcs", "20.00"), ("Oak board", "3 pcs", "15.00"))


def set_out(heads, form):
    """A table in the layout of text, with bars, or in HTML."""
    lines = [heads, *ROWS]
    if form == "text":
        return "\n".join(f"{first:<24}" + "".join(f"{cell:>14}" for cell in rest) for first, *rest in lines)
    if form == "bars":
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return "<table>" + "".join("<tr><td>" + "</td><td>".join(line) + "</td></tr>" for line in lines) + "</table>"


def items(text, required=ITEM):
    """The rows of a table, how sure they are, and what was said of ambiguities."""
    kinds = zip(ITEM, ("STRING", "STRING", "DECIMAL"), strict=True)
    columns = [{"name": name, "type": kind, "required": name in required} for name, kind in kinds]
    field = {"name": "items", "type": "ARRAY", "required": False, "items": {"fields": columns}}
    result = paxman.normalize(text, {"id": "paper", "version": "1", "fields": [field]})["items"]
    notes = [note.message for note in result.diagnostics if note.code == "AMBIGUOUS_VALUE"]
    return [tuple(map(str, row.values())) for row in result.value or ()], result.confidence_band, notes


@pytest.mark.parametrize("form", ["text", "bars", "html"])
@pytest.mark.parametrize(
    ("heads", "slips"),
    [
        (("Description", "Quantity", "Amount"), {}),
        (("Description", "Quantity", "Arnount"), {"Arnount": "amount"}),
        (("Dcscription", "Quantity", "Amouut"), {"Dcscription": "description", "Amouut": "amount"}),
        (("Bezeichnnng", "Mcnge", "Gesamtpreis"), {"Bezeichnnng": "bezeichnung", "Mcnge": "menge"}),
        (("Désignation", "Quantité", "Prix tofal"), {"Prix tofal": "prix total"}),
    ],
)
def test_a_heading_with_a_slip_is_known_by_those_beside_it(heads, slips, form):
    told = [f"the heading {written!r} was taken for {meant!r}" for written, meant in slips.items()]
    assert items(set_out(heads, form)) == (list(ROWS), ConfidenceBand.MEDIUM if slips else ConfidenceBand.HIGH, told)


@pytest.mark.parametrize(
    "heads",
    [
        ("Descripfion", "Quanfity", "Arnount"),
        ("Description", "Quantity", "Account"),
        ("Description", "Weight", "Arnount"),
        ("Description", "Qfy", "Amount"),
    ],
)
def test_a_heading_alone_a_short_one_or_another_word_is_no_slip(heads):
    assert items(set_out(heads, "text")) == ([], ConfidenceBand.UNTRUSTED, [])


def test_no_slip_stands_in_for_a_heading_that_is_there():
    text = (
        set_out(("Description", "Quantity", "Amount"), "text").replace("\n", "   9.99\n").replace("9.99", "Arnount", 1)
    )
    assert items(text + "   9.99\n") == (list(ROWS), ConfidenceBand.HIGH, [])


@pytest.mark.parametrize("required", [ITEM, ITEM[:2], ()])
def test_a_slip_on_one_page_loses_neither_its_rows_nor_a_column(required):
    pages = [set_out(("Description", "Quantity", head), "text") for head in ("Arnount", "Amount")]
    told = ["the heading 'Arnount' was taken for 'amount'"]
    assert items("\n\f".join(pages), required) == ([*ROWS, *ROWS], ConfidenceBand.MEDIUM, told)
