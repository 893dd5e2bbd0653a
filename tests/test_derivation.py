"""Values computed from other fields."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pytest

import paxman
from paxman.budget import Policy
from paxman.capabilities.base import Candidate, CapabilityContext, CapabilityResult, EvidenceRef
from paxman.capabilities.derivation import Derivation
from paxman.contract.model import CanonicalContract, CanonicalField, Constraint
from paxman.documents.reading import read_document
from paxman.types import Diagnostic, FieldType, Money, Severity

KNOWN: dict[str, Any] = {
    "total": Money("119.00", "EUR"),
    "net": Money("100.00", "EUR"),
    "count": 4,
    "rate": Decimal("0.50"),
    "issued": datetime.date(2025, 1, 1),
    "name": "Acme",
    "line_items": ({"price": Money("1.50", "EUR")}, {"price": Money("2.50", "EUR")}),
}


def derive(kind: str, formula: str, policy: Policy = Policy(), *rules: Constraint) -> CapabilityResult:  # noqa: B008
    wanted = CanonicalField("c:f", "f", "f", FieldType[kind], derive=formula, constraints=rules)
    capability = Derivation()
    contract = CanonicalContract("c", "1", (wanted,))
    context = CapabilityContext(
        capability.spec, wanted, contract, lambda: read_document(b""), policy=policy, resolved=KNOWN
    )
    return capability.invoke(context)


@pytest.mark.parametrize(
    ("kind", "formula", "expected"),
    [
        ("MONEY", "total - net", Money("19.00", "EUR")),
        ("MONEY", "sum(line_items.price)", Money("4.00", "EUR")),
        ("INTEGER", "count * rate", 2),
        ("DECIMAL", "count / 3", Decimal("1.333333333333333333333333333")),
        ("DECIMAL", "count(line_items)", Decimal(2)),
        ("DECIMAL", "amount(total)", Decimal("119.00")),
        ("DATE", "issued + 30", datetime.date(2025, 1, 31)),
        ("BOOLEAN", "total > net", True),
        ("STRING", "name + '!'", "Acme!"),
        ("ENUM", "name", "Acme"),
    ],
)
def test_the_result_has_the_type_of_the_field(kind: str, formula: str, expected: Any) -> None:
    members = (Constraint("enum", {"values": ("Acme", "Other")}),) if kind == "ENUM" else ()
    [candidate] = derive(kind, formula, Policy(), *members).candidates
    assert (candidate.value, type(candidate.value)) == (expected, type(expected))


def test_the_formula_is_the_evidence() -> None:
    ref = EvidenceRef("derivation", "1.0", "f", detail="total - net with total, net")
    assert derive("MONEY", "total - net") == CapabilityResult((Candidate(Money("19.00", "EUR"), (ref,)),))


def test_values_stand_in_the_evidence_only_on_request() -> None:
    [candidate] = derive("MONEY", "total - net", Policy(embed_evidence_payload=True)).candidates
    assert candidate.evidence_refs[0].detail == "total - net with total=119.00 EUR, net=100.00 EUR"
    [candidate] = derive("INTEGER", "count(line_items)", Policy(embed_evidence_payload=True)).candidates
    assert candidate.evidence_refs[0].detail == "count(line_items) with line_items=…"


def test_a_plain_number_is_money_where_the_contract_fixes_the_currency() -> None:
    rule = Constraint("iso_4217", {"currency": "CHF"})
    [candidate] = derive("MONEY", "count * rate", Policy(), rule).candidates
    assert candidate.value == Money("2.00", "CHF")


@pytest.mark.parametrize(
    ("kind", "formula", "reason"),
    [
        ("DECIMAL", "1 / (count - 4)", "division by zero"),
        ("MONEY", "total + rate", "cannot compute money + a number"),
        ("MONEY", "count", "the value is a number, the field is MONEY"),
        ("DECIMAL", "total", "the value is money (amount() gives its number), the field is DECIMAL"),
        ("INTEGER", "rate", "the value is a number, the field is INTEGER"),
        ("STRING", "count", "the value is a number, the field is STRING"),
        ("BOOLEAN", "name", "the value is str, the field is BOOLEAN"),
        ("ENUM", "name", "the value is str, the field is ENUM"),
    ],
)
def test_a_formula_without_a_fitting_result_fails(kind: str, formula: str, reason: str) -> None:
    message = f"{formula} has no result: {reason}"
    assert derive(kind, formula) == CapabilityResult(
        diagnostics=(Diagnostic("CAPABILITY_FAILED", Severity.WARNING, message, "f"),)
    )


def test_missing_inputs_are_named() -> None:
    message = "gross - tax + count was not computed: no value for gross, tax"
    assert derive("DECIMAL", "gross - tax + count") == CapabilityResult(
        diagnostics=(Diagnostic("MISSING_INPUT", Severity.INFO, message, "f", {"missing": ("gross", "tax")}),)
    )


def test_a_chain_of_derivations_takes_work_in_proportion(monkeypatch):
    from paxman.reconciler import reconciler

    decided = []
    decide = reconciler._decide
    monkeypatch.setattr(reconciler, "_decide", lambda *given: decided.append(1) or decide(*given))

    def work_of(count):
        first = {"name": "f0", "type": "DECIMAL", "required": True, "labels": ["Start"]}
        others = [
            {"name": f"f{place}", "type": "DECIMAL", "required": True, "derive": f"f{place - 1} + 1"}
            for place in range(1, count)
        ]
        decided.clear()
        artifact = paxman.normalize("Start: 5\n", {"id": "chain", "version": "1", "fields": [first, *others]})
        assert artifact.field_results[-1].value == 4 + count
        return len(decided)

    assert (work_of(50), work_of(200)) == (99, 399)


def test_a_field_that_a_check_ties_to_others_is_decided_with_them():
    fields = [
        {"name": "net", "type": "MONEY", "required": True},
        {"name": "tax", "type": "MONEY", "required": True},
        {"name": "total", "type": "MONEY", "required": True},
        {"name": "half", "type": "MONEY", "required": True, "derive": "total / 2"},
        {"name": "quarter", "type": "MONEY", "required": True, "derive": "half / 2"},
    ]
    check = {"kind": "check", "params": {"expr": "total == net + tax"}}
    contract = {"id": "bill", "version": "1", "constraints": [check], "fields": fields}
    text = "Net: EUR 100.00\nTax: EUR 20.00\nTotal: EUR 120.00\n"
    artifact = paxman.normalize(text, contract)
    assert [str(field.value) for field in artifact.field_results][2:] == ["120.00 EUR", "60.00 EUR", "30.00 EUR"]
    assert [field.confidence for field in artifact.field_results] == [0.85, 0.85, 0.85, 0.8, 0.8]
