"""Marks of footnotes and exponents, written as superscripts, are no part of the values before them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

import paxman
from paxman.contract.labels import fold_label
from paxman.documents.superscripts import write_raised


def value(text: str, name: str, kind: str) -> Any:
    field = {"name": name, "type": kind, "required": False}
    return paxman.normalize(text, {"id": "c", "version": "1", "fields": [field]})[name].value


@pytest.mark.parametrize(
    ("text", "name", "kind", "expected"),
    [
        ("Total   1.428,00² EUR\n", "total", "MONEY", paxman.Money("1428.00", "EUR")),
        ("Total: 240¹⁾ €", "total", "MONEY", paxman.Money("240", "EUR")),
        ("Total: 240 EUR²", "total", "MONEY", paxman.Money("240", "EUR")),
        ("Total: 240¹ dollars", "total", "MONEY", paxman.Money("240", "USD")),
        ("Net: 1.200,00¹", "net", "DECIMAL", Decimal("1200.00")),
        ("Invoice number: 10442¹", "invoice_number", "STRING", "10442"),
        ("Invoice number¹   10442²", "invoice_number", "STRING", "10442"),
        ("Customer: Alder Ltd ⁽²⁾", "customer", "STRING", "Alder Ltd"),
        ("Unit: m²", "unit", "STRING", "m²"),
        ("Pack size: 5cm³", "pack_size", "STRING", "5cm³"),
        ("Weight: 12 kg¹", "weight", "STRING", "12 kg"),
        ("Weight: 12 kg ⁽²⁾", "weight", "STRING", "12 kg"),
        ("Rate: 5 s⁻¹", "rate", "STRING", "5 s⁻¹"),
        ("Customer: Alder Ltd¹,²", "customer", "STRING", "Alder Ltd"),
        ("Tolerance: 10⁻³", "tolerance", "STRING", "10⁻³"),
        ("Speed: 3·10⁸", "speed", "STRING", "3·10⁸"),
        ("Ion: Ca²⁺", "ion", "STRING", "Ca²⁺"),
        ("Formula: E=mc²", "formula", "STRING", "E=mc²"),
        ("Inertia: 7 cm⁴", "inertia", "STRING", "7 cm⁴"),
        ("Term: x¹⁰", "term", "STRING", "x¹⁰"),
        ("Grade: x¹", "grade", "STRING", "x"),
        ("Grade: fine¹⁰", "grade", "STRING", "fine"),
        ("Order number: 123\u200a45", "order_number", "STRING", "123"),
        ("Fare: $12\u200a99", "fare", "STRING", "$12 99"),
    ],
)
def test_values_end_before_marks(text: str, name: str, kind: str, expected: Any) -> None:
    assert value(text, name, kind) == expected


def test_data_keep_their_superscripts() -> None:
    assert value('{"formula": "A² + B²"}', "formula", "STRING") == "A² + B²"


def test_labels_are_compared_without_marks() -> None:
    labels = ("Qty¹", "Total ¹⁾", "Price per m²")
    assert [fold_label(label) for label in labels] == ["qty", "total", "price per m2"]


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        ("10442", "1", "¹"),
        ("1,200.00 €", "1)", "¹⁾"),
        ("$12", "99", "\u200a99"),
        ("$12.50", "99", "⁹⁹"),
        ("10442", "12", "¹²"),
        ("Price $", "12", "12"),
        ("March 1", "st", "st"),
        ("10", "-3", "⁻³"),
    ],
)
def test_raised_text_is_written_as_cents_or_as_superscripts(before: str, text: str, expected: str) -> None:
    assert write_raised(before, text) == expected
