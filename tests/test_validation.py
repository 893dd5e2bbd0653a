"""The validation step: reasons against candidates, nothing else."""

from __future__ import annotations

from decimal import Decimal

from paxman.capabilities.base import Candidate, CapabilityContext, CapabilityResult, Objection
from paxman.capabilities.validation import Validation
from paxman.contract.model import CanonicalContract, CanonicalField, Constraint
from paxman.documents.reading import read_document
from paxman.types import Diagnostic, FieldType, Money, Severity


def validate(wanted: CanonicalField, *values: object) -> CapabilityResult:
    capability = Validation()
    contract = CanonicalContract("c", "1", (wanted,))
    candidates = tuple(Candidate(value) for value in values)
    context = CapabilityContext(capability.spec, wanted, contract, lambda: read_document(b""), candidates=candidates)
    return capability.invoke(context)


def test_a_candidate_that_breaks_a_constraint_is_named() -> None:
    total = CanonicalField(
        "c:total", "total", "total", FieldType.MONEY, constraints=(Constraint("min_value", {"min": Decimal(0)}),)
    )
    assert validate(total, Money("-1.50", "EUR"), Money("2", "EUR"), "text") == CapabilityResult(
        diagnostics=(
            Diagnostic("VALIDATION_FAILED", Severity.WARNING, "less than 0", "total", {"value": "-1.50 EUR"}),
            Diagnostic("VALIDATION_FAILED", Severity.WARNING, "not an amount of money", "total", {"value": "text"}),
        ),
        objections=(Objection(Money("-1.50", "EUR"), "less than 0"), Objection("text", "not an amount of money")),
    )


def test_wrong_check_digits_are_an_objection_that_rejects_nothing() -> None:
    iban = CanonicalField("c:iban", "iban", "iban", FieldType.STRING)
    found = validate(iban, "DE89 3704 0044 0532 0130 00", "DE88 3704 0044 0532 0130 00")
    assert [(each.value, each.rejects) for each in found.objections] == [("DE88 3704 0044 0532 0130 00", False)]
    assert [note.message for note in found.diagnostics] == ["DE88 3704 0044 0532 0130 00: the check digits are wrong"]


def test_good_candidates_and_none_at_all_give_nothing() -> None:
    name = CanonicalField("c:name", "name", "name", FieldType.STRING)
    assert validate(name, "Acme") == validate(name) == CapabilityResult()


def test_a_long_value_is_cut_in_the_note() -> None:
    rows = CanonicalField(
        "c:rows",
        "rows",
        "rows",
        FieldType.ARRAY,
        constraints=(Constraint("max_items", {"max": 1}),),
        items=CanonicalField("c:rows[]", "rows[]", "rows[]", FieldType.STRING),
    )
    [note] = validate(rows, ("a", "b")).diagnostics
    assert (note.message, note.context["value"]) == ("more than 1 items", '["a","b"]')
    [note] = validate(rows, ("a" * 150, "b" * 150)).diagnostics
    assert len(note.context["value"]) == 201
