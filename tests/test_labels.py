"""Labels compare equal however a page writes them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paxman.capabilities.business_terms import label_terms, term_of
from paxman.capabilities.label_scan import own_labels, scan
from paxman.contract.labels import compact_label, compact_word, fold_label, fold_name
from paxman.contract.model import CanonicalField
from paxman.documents.visual_lines import VisualLines
from paxman.recognizers.tables import column
from paxman.types import FieldType


@pytest.mark.parametrize("label", ["Invoice No.:", "invoice #", "INVOICE NUMBER", "Invoice  Nr", "Invoice №"])
def test_one_key_for_every_way_to_write_a_number(label: str) -> None:
    assert fold_label(label) == "invoice no"


def test_names_of_keys_split_where_capitals_begin() -> None:
    assert fold_name("invoiceNumber") == fold_name("invoice_number") == "invoiceno"


def test_a_compact_label_has_a_form_for_each_word_for_number() -> None:
    assert compact_label("Contract #") == (
        "contract#",
        "contractno",
        "contractnr",
        "contractnum",
        "contractnumber",
        "contractnummer",
        "contractnumero",
    )
    assert compact_label("Kundennummer") == ("kundennummer", "kundennr", "kundenno", "kunden#")
    assert compact_label("Number") == compact_label("No.") == ("no", "nr", "number", "nummer", "numero")


def test_no_is_a_label_only_before_a_number() -> None:
    text = "Paid: no\nNo. 7\nno news\nNo: A-8\nno\n"
    assert [hit.start for hit in scan(VisualLines(text), ("no",)).by_key["no"]] == [9, 23]


@pytest.mark.parametrize(
    ("word", "compact"), [("T0TAL", "total"), ("lNVOICE", "lnvolce"), ("Invoice", "lnvolce"), ("fällig", "falllg")]
)
def test_what_scanners_confuse_compares_equal(word: str, compact: str) -> None:
    assert compact_word(word) == compact


def found(text: str, *own: str) -> list[tuple[str, str | None]]:
    return [(text[hit.start : hit.end], hit.term) for hit in scan(VisualLines(text), own).hits]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Sub Total 5.00", [("Sub Total", "subtotal")]),
        ("TOTAL DISCOUNT 5.00", [("TOTAL DISCOUNT", "discount")]),
        ("USt. Gesamt: 75,04", [("USt. Gesamt", "tax")]),
        ("Date of birth 1/2/1990", [("Date of birth", "other_date")]),
        ("GrandTotal$5", [("GrandTotal", "total")]),
        ("FUELTOTAL $6.69", [("TOTAL", "total")]),
        ("Br uttosumme 215,07", [("Br uttosumme", "total")]),
        ("Date: 1 Total: 2", [("Date", "date"), ("Total", "total")]),
        ("Sub\nTotal", [("Total", "total")]),
        ("Totally undated", []),
        ("30 days net, due date: 2 June", [("net", "net"), ("due date", "due_date")]),
        ("30 days net. Due date: 2 June", [("net", "net"), ("Due date", "due_date")]),
        ("Net. Due: 2.00", [("Net. Due", "amount_due")]),
        ("GST ID, NO: 12", [("GST ID, NO", "other_number")]),
    ],
)
def test_the_longest_label_takes_the_place(text: str, labels: list[tuple[str, str]]) -> None:
    assert found(text) == labels


def test_a_label_of_the_contract_may_have_a_comma() -> None:
    lines = VisualLines("Place, date: Rome, 2 June")
    assert [hit.key for hit in scan(lines, ("placedate",), listed=frozenset(("placedate",))).hits] == ["placedate"]
    assert [hit.key for hit in scan(lines, ("placedate",)).hits] == ["date"]


def test_labels_of_the_contract_are_found_too() -> None:
    assert found("Zählerstand: 5", *compact_label("Zählerstand")) == [("Zählerstand", None)]


@pytest.mark.parametrize(
    ("name", "labels", "term"),
    [
        ("grand_total", (), "total"),
        ("contract_num", (), "contract_number"),
        ("supplier_vat_number", (), "vat_id"),
        ("payable", ("Zahlbetrag", "Amount due", "Total"), "amount_due"),
        ("flight", ("Flight dates", "Contract dates"), "service_period"),
        ("favourite_colour", (), None),
    ],
)
def test_a_field_is_tied_to_a_term_by_its_name_or_its_labels(
    name: str, labels: tuple[str, ...], term: str | None
) -> None:
    assert term_of(CanonicalField(f"c:{name}", name, name, FieldType.STRING, labels=labels)) == term


@given(st.sampled_from(sorted(label_terms())))
def test_every_label_of_the_table_is_found_by_itself(label: str) -> None:
    assert [hit.key for hit in scan(VisualLines(f"{label}: 77.00"), ()).hits][-1:] == [label] or not label.isascii()


@given(st.text(alphabet="Totalsub dateSUM:#\n 05.,ä合计", max_size=200))
def test_labels_stand_in_order_and_apart(text: str) -> None:
    hits = scan(VisualLines(text), ()).hits
    assert all(left.end <= right.start for left, right in pairwise(hits))
    assert [hit.index for hit in hits] == list(range(len(hits)))
    assert all("\n" not in text[hit.start : hit.end] for hit in hits)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Faelligkeit 3", [("Faelligkeit", "due_date")]),
        ("KAEUFER", [("KAEUFER", "buyer")]),
        ("Beloeb 3", [("Beloeb", "line_total")]),
    ],
)
def test_umlauts_may_be_spelled_with_an_e(text: str, labels: list[tuple[str, str]]) -> None:
    assert found(text) == labels


def test_umlauts_of_a_label_of_the_contract_may_be_spelled_with_an_e() -> None:
    field = CanonicalField("c:type", "type", "type", FieldType.STRING, labels=("Gebührenart",))
    assert own_labels(field) == ("gebuhrenart", "gebuehrenart", "type")


def test_placeholders_are_kept_as_labels_are_compared() -> None:
    phrases = [phrase.replace("_", " ") for said in column("placeholders").values() for phrase in said]
    assert [phrase for phrase in phrases if fold_label(phrase) != phrase] == []
