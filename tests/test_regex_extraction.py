"""A field's own pattern, searched in a real document."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pytest

import paxman
from paxman.capabilities.base import CapabilityContext, CapabilityResult
from paxman.capabilities.regex_extraction import RegexExtraction
from paxman.contract.constraints import pattern_of
from paxman.contract.model import CanonicalContract, CanonicalField, Constraint
from paxman.contract.patterns import compile_pattern
from paxman.documents.document import ByteRange
from paxman.documents.reading import read_document
from paxman.errors import CapabilityError
from paxman.transforms import run
from paxman.types import FieldType, Money, Severity


def field(kind: str, regex: str | None = None, tags: tuple[str, ...] = ()) -> CanonicalField:
    rules = (Constraint("pattern", {"regex": regex}),) if regex else ()
    return CanonicalField("c:f", "f", "f", FieldType[kind], semantic_tags=tags, constraints=rules)


def extract(text: str, wanted: CanonicalField) -> CapabilityResult:
    document = read_document(text.encode())
    capability = RegexExtraction()
    config: dict[str, Any] = {"regex": pattern_of(wanted)}
    context = CapabilityContext(
        capability.spec, wanted, CanonicalContract("c", "1", (wanted,)), lambda: document, config
    )
    result = capability.invoke(context)
    for candidate in result.candidates:
        for ref in candidate.evidence_refs:
            assert ref.span is not None
            assert run(ref.transforms, document.text[slice(*ref.span)]) == candidate.value
    return result


def values(text: str, wanted: CanonicalField) -> list[Any]:
    return [candidate.value for candidate in extract(text, wanted).candidates]


def test_the_constraint_comes_before_the_tag() -> None:
    assert pattern_of(field("STRING", "^A$", ("regex:B",))) == "^A$"
    assert pattern_of(field("STRING", None, ("header", "regex:B:C"))) == "B:C"
    assert pattern_of(field("STRING", None, ("header",))) is None


def test_a_value_with_its_place() -> None:
    result = extract("Invoice #INV-1234 (copy)", field("STRING", r"^INV-\d+$"))
    [candidate] = result.candidates
    [ref] = candidate.evidence_refs
    assert (candidate.value, ref.span, ref.source, ref.capability_id, ref.role) == (
        "INV-1234",
        (9, 17),
        ByteRange(9, 17),
        "regex_extraction",
        "supporting",
    )


def test_equal_values_are_one_candidate_with_a_few_references() -> None:
    [candidate] = extract("INV-1 " * 8, field("STRING", r"^INV-\d+$")).candidates
    assert (candidate.value, [ref.span for ref in candidate.evidence_refs]) == (
        "INV-1",
        [(0, 5), (6, 11), (12, 17), (18, 23), (24, 29)],
    )


def test_different_values_are_rivals_up_to_a_few() -> None:
    result = extract(" ".join(f"INV-{number}" for number in range(1, 9)), field("STRING", r"^INV-\d+$"))
    assert [candidate.value for candidate in result.candidates] == ["INV-1", "INV-2", "INV-3", "INV-4", "INV-5"]
    assert [(note.code, note.message) for note in result.diagnostics] == [
        ("AMBIGUOUS_VALUE", "the pattern finds 8 different values, only the first 5 are considered")
    ]


@pytest.mark.parametrize(
    ("kind", "regex", "text", "expected"),
    [
        ("STRING", r"^[A-Z]+ [A-Z]+$|^[A-Z]+\s+[A-Z]+$", "by ACME\n  CORP.", ["ACME CORP"]),
        ("STRING", r"^A\s\sB$", "is A  B here", ["A  B"]),
        ("STRING", r"Order (?P<value>\w+)", "Order X1, Order X2", ["X1", "X2"]),
        ("INTEGER", r"Qty: (?P<value>\d+)", "Qty: 12", [12]),
        ("DECIMAL", r"Rate (?P<value>[\d.]+) %", "Rate 19.50 %", [Decimal("19.50")]),
        ("DATE", r"^\d{4}-\d\d-\d\d$", "on 2025-03-31.", [datetime.date(2025, 3, 31)]),
        ("DATE", r"^\d{4}-\d\d-\d\d$", "on 2025-13-31.", []),
        ("MONEY", r"Total: (?P<value>.+)", "Total: 12.50 EUR", [Money("12.50", "EUR")]),
        ("STRING", r"^INV-\d+$", "nothing here", []),
        ("STRING", r"^INV-\d+$", "", []),
    ],
)
def test_a_hit_becomes_a_typed_value(kind: str, regex: str, text: str, expected: list[Any]) -> None:
    assert values(text, field(kind, regex)) == expected


def test_a_tag_with_an_impossible_pattern_is_an_error_of_the_step() -> None:
    with pytest.raises(CapabilityError, match="lookahead"):
        extract("text", field("STRING", None, ("regex:a(?=b)",)))


def test_a_text_too_long_for_a_large_pattern_is_noted() -> None:
    result = extract("x " * 100_000, field("STRING", r"N\d{900}"))
    assert [(note.code, note.severity, note.message) for note in result.diagnostics] == [
        (
            "NOT_ALL_READ",
            Severity.WARNING,
            "the pattern was tried on the first 110497 of 200000 characters only: its counted repetitions are large",
        )
    ]


INVOICE = "Kessler GmbH\n70565 Stuttgart\nRechnung Nr. 10442\nUST 19% 1,90 €\nGesamt 11,90 €\n"


def resolved(name: str, regex: str, text: str = INVOICE) -> tuple[Any, str]:
    rule = {"kind": "pattern", "params": {"regex": regex}}
    asked = {"name": name, "type": "STRING", "required": True, "constraints": [rule]}
    found = paxman.normalize(text, {"id": "c", "fields": [asked]})[name]
    return found.value, found.confidence_band.value


@pytest.mark.parametrize(
    ("name", "regex", "expected"),
    [
        ("currency", "^[A-Z]{3}$", ("EUR", "CERTAIN")),
        ("invoice_number", r"^\d{5}$", ("10442", "HIGH")),
        ("seller_name", "^[A-Za-z ]+$", ("Kessler GmbH", "HIGH")),
        ("depot", r"^\d{2}%$", ("19%", "HIGH")),
        ("depot", "^[A-Z]{3}$", ("UST", "MEDIUM")),
        ("depot", "^[A-Z]{2}[0-9]{3}$", (None, "UNTRUSTED")),
        ("depot", "^ +$", (None, "UNTRUSTED")),
    ],
)
def test_a_loose_pattern_does_not_locate_its_value(name: str, regex: str, expected: Any):
    assert resolved(name, regex) == expected


@pytest.mark.parametrize(
    ("regex", "telling"),
    [
        ("^[A-Z]{3}$", False),
        (r"^\d{5}$", False),
        (r"^\w+$", False),
        (r"^[A-Z0-9-]{4,}$", False),
        (r".*", False),
        (r"^INV-\d+$", True),
        (r"^\d{3}\.\d{4}$", True),
        (r"^[A-Z]{2}\d{8}$", True),
        (r"Order (?P<value>\w+)", True),
    ],
)
def test_a_telling_pattern_gives_a_sign_or_letters_and_digits(regex: str, telling: bool) -> None:
    assert compile_pattern(regex).is_telling is telling
