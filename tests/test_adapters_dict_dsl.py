"""The Dict DSL: what it reads, and every error it knows."""

from __future__ import annotations

import datetime
import pickle
from decimal import Decimal
from typing import Any

import pytest
from contract_errors import errors

from paxman.budget import CurrencyPolicy
from paxman.contract import adapt
from paxman.contract.model import CanonicalContract, CanonicalField, Constraint, ContractPolicy
from paxman.errors import (
    InvalidConstraintError,
    InvalidContractError,
    InvalidSemanticTagError,
    UnsupportedFieldTypeError,
)
from paxman.types import Fallback, FieldType, Money


def contract(*fields: Any, **others: Any) -> dict[str, Any]:
    return {"id": "c", "version": "1", "fields": list(fields), **others}


def field(**keys: Any) -> dict[str, Any]:
    return {"name": "a", "type": "STRING", "required": True, **keys}


def limited(kind: str, params: Any, type: str = "STRING") -> dict[str, Any]:
    return contract(field(type=type, constraints=[{"kind": kind, "params": params}]))


def test_every_part_of_a_contract_is_read():
    adapted = adapt(
        {
            "id": "invoice",
            "version": "1.2",
            "policy": {"confidence_floor": 0.85, "currency_policy": "ALLOW_FX", "stop_on_first_unresolved": True},
            "constraints": [{"kind": "check", "params": {"expr": "total == net + tax", "tolerance": "0.010"}}],
            "fields": (
                {"name": "net", "type": "DECIMAL", "required": True, "default": "1.50", "fallback": "USE_DEFAULT"},
                {"name": "tax", "type": "DECIMAL", "required": False, "derive": "total - net", "nullable": True},
                {
                    "name": "total",
                    "type": "DECIMAL",
                    "required": True,
                    "tags": ["amount"],
                    "semantic_tags": ["grand_total"],
                    "labels": ["Total", "Summe"],
                    "description": "to pay",
                    "confidence_threshold": 1,
                    "constraints": [
                        {"kind": "max_value", "params": {"max": 1e3}},
                        {"kind": "min_value", "params": {"min": 0.0}},
                    ],
                },
                {"name": "vat", "type": "STRING", "required": False, "lookup": {"source": {"A": "B"}, "from": "rows"}},
                {"name": "rows", "type": "ARRAY", "required": False},
            ),
        }
    )
    assert adapted == CanonicalContract(
        "invoice",
        "1.2",
        (
            CanonicalField(
                "invoice:net",
                "net",
                "net",
                FieldType.DECIMAL,
                True,
                default=Decimal("1.50"),
                has_default=True,
                fallback_policy=Fallback.USE_DEFAULT,
            ),
            CanonicalField("invoice:tax", "tax", "tax", FieldType.DECIMAL, nullable=True, derive="total - net"),
            CanonicalField(
                "invoice:total",
                "total",
                "total",
                FieldType.DECIMAL,
                True,
                description="to pay",
                semantic_tags=("amount", "grand_total"),
                labels=("Total", "Summe"),
                constraints=(
                    Constraint("min_value", {"min": Decimal(0)}),
                    Constraint("max_value", {"max": Decimal(1000)}),
                ),
                confidence_threshold=1.0,
            ),
            CanonicalField(
                "invoice:vat", "vat", "vat", FieldType.STRING, lookup={"source": {"A": "B"}, "from": "rows"}
            ),
            CanonicalField(
                "invoice:rows",
                "rows",
                "rows",
                FieldType.ARRAY,
                items=CanonicalField("invoice:rows[]", "rows[]", "[]", FieldType.STRING, True),
            ),
        ),
        (Constraint("check", {"expr": "total == net + tax", "tolerance": Decimal("0.01")}),),
        ContractPolicy(0.85, None, CurrencyPolicy.ALLOW_FX, True),
    )
    assert adapted.source == "dict_dsl"
    assert adapted.warnings == ()


def test_objects_and_arrays_nest():
    name = {"name": "name", "type": "STRING", "required": True}
    adapted = adapt(
        contract(
            {"name": "seller", "type": "OBJECT", "required": True, "fields": [name]},
            {"name": "lines", "type": "ARRAY", "required": False, "items": {"fields": [name]}},
            {"name": "grid", "type": "ARRAY", "required": False, "items": {"type": "ARRAY"}},
            {"name": "meta", "type": "OBJECT", "required": False},
        )
    )
    assert [leaf.path for leaf in adapted.leaves] == ["seller.name", "lines", "grid", "meta"]
    assert [column.path for column in adapted.by_path["lines"].columns] == ["lines[].name"]
    grid = adapted.by_path["grid"]
    assert grid.items is not None and grid.items.items is not None
    assert (grid.items.type, grid.items.items.path) == (FieldType.ARRAY, "grid[][]")


@pytest.mark.parametrize(
    ("type", "raw", "default"),
    [
        ("STRING", "x", "x"),
        ("INTEGER", 5, 5),
        ("DECIMAL", 0.1, Decimal("0.1")),
        ("DECIMAL", "1.50", Decimal("1.50")),
        ("BOOLEAN", False, False),
        ("DATE", "2024-02-29", datetime.date(2024, 2, 29)),
        ("MONEY", {"amount": "9.90", "currency": "eur"}, Money(Decimal("9.90"), "EUR")),
        ("ARRAY", ["x"], ("x",)),
    ],
)
def test_a_default_takes_the_type_of_its_field(type: str, raw: Any, default: Any):
    adapted = adapt(contract(field(type=type, default=raw))).fields[0]
    assert (adapted.default, adapted.has_default) == (default, True)


ERRORS: dict[str, tuple[Any, list[tuple[str, str]]]] = {
    "no id": ({"fields": [field()]}, [("MISSING_CONTRACT_ID", "id")]),
    "blank id": ({"id": " ", "fields": [field()]}, [("MISSING_CONTRACT_ID", "id")]),
    "nothing at all": ({}, [("MISSING_CONTRACT_ID", "id"), ("MISSING_FIELDS", "fields")]),
    "no fields": ({"id": "c"}, [("MISSING_FIELDS", "fields")]),
    "empty fields": (contract(), [("EMPTY_FIELDS", "fields")]),
    "fields are not a list": ({"id": "c", "fields": {"a": {}}}, [("INVALID_CONTRACT", "fields")]),
    "version is a number": (contract(field(), version=1), [("INVALID_VERSION", "version")]),
    "version is empty": (contract(field(), version=""), [("INVALID_VERSION", "version")]),
    "same name twice": (contract(field(), field()), [("DUPLICATE_FIELD", "fields[1].name")]),
    "same object twice": (
        contract(field(type="OBJECT"), field(type="OBJECT", fields=[field(name="b")])),
        [("DUPLICATE_FIELD", "fields[1].name")],
    ),
    "name with a dot": (contract(field(name="a.b")), [("INVALID_FIELD", "fields[0].name")]),
    "same column twice": (
        contract(field(type="ARRAY", items={"fields": [field(), field()]})),
        [("DUPLICATE_FIELD", "fields[0].items.fields[1].name")],
    ),
    "no name": (contract({"type": "STRING", "required": True}), [("MISSING_FIELD_NAME", "fields[0].name")]),
    "name is a number": (contract(field(name=5)), [("INVALID_FIELD", "fields[0].name")]),
    "field is text": (contract("a"), [("INVALID_FIELD", "fields[0]")]),
    "no type": (contract({"name": "a", "required": True}), [("MISSING_TYPE", "fields[0].type")]),
    "unknown type": (contract(field(type="FLOAT")), [("UNKNOWN_FIELD_TYPE", "fields[0].type")]),
    "type is a list": (contract(field(type=["STRING"])), [("UNKNOWN_FIELD_TYPE", "fields[0].type")]),
    "no required": (contract({"name": "a", "type": "STRING"}), [("MISSING_REQUIRED_FLAG", "fields[0].required")]),
    "required is text": (contract(field(required="yes")), [("INVALID_FIELD", "fields[0].required")]),
    "nullable is text": (contract(field(nullable="yes")), [("INVALID_FIELD", "fields[0].nullable")]),
    "description is a number": (contract(field(description=3)), [("INVALID_FIELD", "fields[0].description")]),
    "labels are text": (contract(field(labels="Total")), [("INVALID_FIELD", "fields[0].labels")]),
    "tags are text": (contract(field(tags="vat")), [("INVALID_SEMANTIC_TAG", "fields[0].tags")]),
    "tag with a space": (contract(field(tags=["a", "vat id"])), [("INVALID_SEMANTIC_TAG", "fields[0].tags[1]")]),
    "tag with a bad regex": (contract(field(tags=["regex:(a"])), [("INVALID_REGEX_PATTERN", "fields[0].tags[0]")]),
    "enum without values": (contract(field(type="ENUM")), [("MISSING_ENUM_VALUES", "fields[0].enum_values")]),
    "enum with no values": (
        contract(field(type="ENUM", enum_values=[])),
        [("MISSING_ENUM_VALUES", "fields[0].enum_values")],
    ),
    "enum with null": (
        contract(field(type="ENUM", enum_values=["a", None])),
        [("INVALID_CONSTRAINT", "fields[0].enum_values")],
    ),
    "enum values on text": (contract(field(enum_values=["a"])), [("INVALID_FIELD", "fields[0].enum_values")]),
    "constraints are a dict": (contract(field(constraints={})), [("INVALID_CONSTRAINT", "fields[0].constraints")]),
    "constraint is text": (contract(field(constraints=["x"])), [("INVALID_CONSTRAINT", "fields[0].constraints[0]")]),
    "constraint without kind": (
        contract(field(constraints=[{"params": {}}])),
        [("UNKNOWN_CONSTRAINT_KIND", "fields[0].constraints[0].kind")],
    ),
    "unknown constraint": (limited("minlen", {}), [("UNKNOWN_CONSTRAINT_KIND", "fields[0].constraints[0].kind")]),
    "params are a list": (limited("pattern", []), [("INVALID_CONSTRAINT", "fields[0].constraints[0].params")]),
    "no parameter": (
        limited("min_length", {}),
        [("CONSTRAINT_PARAM_MISSING", "fields[0].constraints[0].params.min")],
    ),
    "length is negative": (
        limited("min_length", {"min": -1}),
        [("INVALID_CONSTRAINT", "fields[0].constraints[0].params.min")],
    ),
    "value is no number": (
        limited("min_value", {"min": "x"}, "DECIMAL"),
        [("INVALID_CONSTRAINT", "fields[0].constraints[0].params.min")],
    ),
    "value is no date": (
        limited("min_value", {"min": 3}, "DATE"),
        [("INVALID_CONSTRAINT", "fields[0].constraints[0].params.min")],
    ),
    "step is zero": (
        limited("multiple_of", {"of": 0}, "INTEGER"),
        [("INVALID_CONSTRAINT", "fields[0].constraints[0].params.of")],
    ),
    "constraint on the wrong type": (
        limited("min_length", {"min": 1}, "BOOLEAN"),
        [("INVALID_CONSTRAINT", "fields[0].constraints[0].kind")],
    ),
    "check on a field": (
        limited("check", {"expr": "a"}),
        [("INVALID_CONSTRAINT", "fields[0].constraints[0].params.expr")],
    ),
    "least above most": (
        contract(
            field(
                type="DECIMAL",
                constraints=[
                    {"kind": "max_value", "params": {"max": 1}},
                    {"kind": "min_value", "params": {"min": 2}},
                ],
            )
        ),
        [("INVALID_CONSTRAINT", "fields[0].constraints[0].params.max")],
    ),
    "bounds without room": (
        contract(
            field(
                type="INTEGER",
                constraints=[
                    {"kind": "exclusive_min", "params": {"min": 2}},
                    {"kind": "max_value", "params": {"max": 2}},
                ],
            )
        ),
        [("INVALID_CONSTRAINT", "fields[0].constraints[1].params.max")],
    ),
    "lookahead": (
        limited("pattern", {"regex": "(?=a"}),
        [("INVALID_REGEX_PATTERN", "fields[0].constraints[0].params.regex")],
    ),
    "pattern is a number": (
        limited("pattern", {"regex": 3}),
        [("INVALID_REGEX_PATTERN", "fields[0].constraints[0].params.regex")],
    ),
    "unknown currency in a constraint": (
        limited("iso_4217", {"codes": ["EUR", "XYZ"]}, "MONEY"),
        [("INVALID_ISO_4217", "fields[0].constraints[0].params.codes[1]")],
    ),
    "money without currency": (
        contract(field(type="MONEY", default={"amount": "1"})),
        [("MONEY_REQUIRES_CURRENCY", "fields[0].default.currency")],
    ),
    "money as a number": (
        contract(field(type="MONEY", default=5)),
        [("MONEY_REQUIRES_CURRENCY", "fields[0].default.currency")],
    ),
    "money in no currency": (
        contract(field(type="MONEY", default={"amount": "1", "currency": "EURO"})),
        [("INVALID_ISO_4217", "fields[0].default.currency")],
    ),
    "money without amount": (
        contract(field(type="MONEY", default={"currency": "EUR"})),
        [("DEFAULT_TYPE_MISMATCH", "fields[0].default.amount")],
    ),
    "text as default of a number": (
        contract(field(type="INTEGER", default="5")),
        [("DEFAULT_TYPE_MISMATCH", "fields[0].default")],
    ),
    "true as default of a number": (
        contract(field(type="INTEGER", default=True)),
        [("DEFAULT_TYPE_MISMATCH", "fields[0].default")],
    ),
    "no day as default": (
        contract(field(type="DATE", default="2023-02-30")),
        [("DEFAULT_TYPE_MISMATCH", "fields[0].default")],
    ),
    "null as default": (contract(field(default=None)), [("DEFAULT_TYPE_MISMATCH", "fields[0].default")]),
    "default outside the values": (
        contract(field(type="ENUM", enum_values=["a"], default="b")),
        [("DEFAULT_TYPE_MISMATCH", "fields[0].default")],
    ),
    "default breaks a constraint": (
        contract(field(default="", constraints=[{"kind": "min_length", "params": {"min": 1}}])),
        [("DEFAULT_TYPE_MISMATCH", "fields[0].default")],
    ),
    "unknown policy": (contract(field(), policy={"locale": "de"}), [("INVALID_POLICY_KEY", "policy.locale")]),
    "policy is a list": (contract(field(), policy=["x"]), [("INVALID_POLICY_KEY", "policy")]),
    "unknown currency policy": (
        contract(field(), policy={"currency_policy": "GUESS"}),
        [("INVALID_POLICY_KEY", "policy.currency_policy")],
    ),
    "floor above one": (
        contract(field(), policy={"confidence_floor": 1.1}),
        [("INVALID_CONFIDENCE_FLOOR", "policy.confidence_floor")],
    ),
    "threshold is text": (
        contract(field(confidence_threshold="0.8")),
        [("INVALID_CONFIDENCE_FLOOR", "fields[0].confidence_threshold")],
    ),
    "unknown fallback": (contract(field(fallback="GUESS")), [("INVALID_FIELD", "fields[0].fallback")]),
    "fallback policy without default": (
        contract(field(fallback_policy="USE_DEFAULT")),
        [("INVALID_FIELD", "fields[0].fallback_policy")],
    ),
    "fallback without default": (
        contract(field(fallback="USE_DEFAULT")),
        [("INVALID_FIELD", "fields[0].fallback")],
    ),
    "items on text": (contract(field(items={"type": "STRING"})), [("INVALID_FIELD", "fields[0].items")]),
    "items are text": (contract(field(type="ARRAY", items="STRING")), [("INVALID_FIELD", "fields[0].items")]),
    "items without type": (contract(field(type="ARRAY", items={})), [("MISSING_TYPE", "fields[0].items.type")]),
    "object without children": (contract(field(type="OBJECT", fields=[])), [("EMPTY_FIELDS", "fields[0].fields")]),
    "error in a column": (
        contract(field(type="ARRAY", items={"fields": [field(type="X")]})),
        [("UNKNOWN_FIELD_TYPE", "fields[0].items.fields[0].type")],
    ),
    "derived column": (
        contract(field(type="ARRAY", items={"fields": [field(derive="a + 1")]})),
        [("DERIVATION_CYCLE", "fields[0].items.fields[0].derive")],
    ),
    "formula does not parse": (contract(field(derive="1 +")), [("INVALID_DERIVATION", "fields[0].derive")]),
    "formula is a number": (contract(field(derive=3)), [("INVALID_DERIVATION", "fields[0].derive")]),
    "formula names no field": (contract(field(derive="b + 1")), [("INVALID_DERIVATION", "fields[0].derive")]),
    "derived array": (contract(field(type="ARRAY", derive="b")), [("INVALID_DERIVATION", "fields[0].derive")]),
    "formula over itself": (
        contract(field(type="DECIMAL", derive="a + 1")),
        [("DERIVATION_CYCLE", "fields[0].derive")],
    ),
    "circle of three": (
        contract(
            field(type="DECIMAL", derive="b + 1"),
            field(name="b", type="DECIMAL", derive="c + 1"),
            field(name="c", lookup={"source": {}, "from": "a"}),
        ),
        [("DERIVATION_CYCLE", "fields[0].derive")],
    ),
    "lookup is text": (contract(field(lookup="x.csv")), [("INVALID_FIELD", "fields[0].lookup")]),
    "lookup without source": (contract(field(lookup={})), [("INVALID_FIELD", "fields[0].lookup.source")]),
    "lookup from nowhere": (
        contract(field(lookup={"source": {}, "from": "b"})),
        [("INVALID_DERIVATION", "fields[0].lookup.from")],
    ),
    "lookup with a bad threshold": (
        contract(field(lookup={"source": "t.csv", "key": "k", "value": "v", "threshold": 101})),
        [("INVALID_FIELD", "fields[0].lookup.threshold")],
    ),
    "check without formula": (
        contract(field(), constraints=[{"kind": "check"}]),
        [("CONSTRAINT_PARAM_MISSING", "constraints[0].params.expr")],
    ),
    "check names no field": (
        contract(field(), constraints=[{"kind": "check", "params": {"expr": "a == b"}}]),
        [("INVALID_CONSTRAINT", "constraints[0].params.expr")],
    ),
    "check compares nothing": (
        contract(field(), constraints=[{"kind": "check", "params": {"expr": "a + 1"}}]),
        [("INVALID_CONSTRAINT", "constraints[0].params.expr")],
    ),
    "check with a bad tolerance": (
        contract(field(), constraints=[{"kind": "check", "params": {"expr": "a == 1", "tolerance": "x"}}]),
        [("INVALID_CONSTRAINT", "constraints[0].params.tolerance")],
    ),
    "field constraint on a contract": (
        contract(field(), constraints=[{"kind": "min_length", "params": {"min": 1}}]),
        [("INVALID_CONSTRAINT", "constraints[0].kind")],
    ),
    "several at once": (
        {"id": "", "version": 2, "fields": [{"name": "a"}, {"type": "ENUM", "required": True}], "policy": {"x": 1}},
        [
            ("MISSING_CONTRACT_ID", "id"),
            ("INVALID_VERSION", "version"),
            ("MISSING_REQUIRED_FLAG", "fields[0].required"),
            ("MISSING_TYPE", "fields[0].type"),
            ("MISSING_FIELD_NAME", "fields[1].name"),
            ("INVALID_POLICY_KEY", "policy.x"),
            ("MISSING_ENUM_VALUES", "fields[1].enum_values"),
        ],
    ),
}


@pytest.mark.parametrize(("raw", "expected"), ERRORS.values(), ids=ERRORS.keys())
def test_what_is_wrong_is_said_with_its_place(raw: Any, expected: list[tuple[str, str]]):
    assert errors(raw) == expected


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (contract(field(type="FLOAT")), UnsupportedFieldTypeError),
        (limited("minlen", {}), InvalidConstraintError),
        (contract(field(tags=["a b"])), InvalidSemanticTagError),
        (contract(field(tags=["a b"], type="FLOAT", name="")), InvalidContractError),
    ],
)
def test_the_error_class_is_as_specific_as_the_issues(raw: Any, kind: type[Exception]):
    with pytest.raises(InvalidContractError) as caught:
        adapt(raw)
    assert type(caught.value) is kind


def test_an_error_says_what_to_do():
    with pytest.raises(InvalidContractError) as caught:
        adapt(contract(field(type="STRNG")))
    assert str(caught.value) == (
        "the contract has 1 error:\n  - UNKNOWN_FIELD_TYPE at fields[0].type: 'STRNG' is not a type. Hint: Use one of "
        "STRING, INTEGER, DECIMAL, BOOLEAN, DATE, DATETIME, TIME, DURATION, "
        "ENUM, OBJECT, MAP, ARRAY, MONEY, UNION. Did you mean 'STRING'?"
    )


def test_an_error_does_not_hide_the_unknown_keys():
    with pytest.raises(InvalidContractError) as caught:
        adapt(contract(field(name="", requird=True)))
    assert caught.value.warnings == ("fields[0].requird: unknown key is ignored. Did you mean 'required'?",)
    assert str(caught.value).endswith("\n  - warning: " + caught.value.warnings[0])
    assert pickle.loads(pickle.dumps(caught.value)).warnings == caught.value.warnings


def test_unknown_keys_are_warnings_with_a_guess():
    raw = contract(field(lables=["A"], **{"x-note": 1}), polcy={}, zzz=1)
    assert adapt(raw).warnings == (
        "polcy: unknown key is ignored. Did you mean 'policy'?",
        "zzz: unknown key is ignored.",
        "fields[0].lables: unknown key is ignored. Did you mean 'labels'?",
    )


def test_half_surrogates_become_replacement_characters():
    adapted = adapt(contract(field(name="a\ud800", labels=["b\udfff"], default="\ud83d\ude00")))
    assert (adapted.fields[0].name, adapted.fields[0].labels, adapted.fields[0].default) == (
        "a\ufffd",
        ("b\ufffd",),
        "\U0001f600",
    )


def test_deep_and_endless_contracts_are_refused():
    deep: dict[str, Any] = field()
    for _ in range(60):
        deep = field(type="OBJECT", fields=[deep])
    endless = field(type="OBJECT")
    endless["fields"] = [endless]
    assert errors(contract(deep)) == [("INVALID_CONTRACT", "(contract)")]
    assert errors(contract(endless)) == [("INVALID_CONTRACT", "(contract)")]


def test_as_deep_as_allowed_still_works():
    deep: dict[str, Any] = field()
    for _ in range(40):
        deep = field(type="OBJECT", fields=[deep])
    adapted = adapt(contract(deep))
    assert adapted.leaves[0].path == ".".join("a" * 41)
    assert len(adapted.content_hash) == 64


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_without_json_form_are_refused(number: float):
    assert errors(limited("min_value", {"min": number}, "DECIMAL")) == [
        ("INVALID_CONTRACT", "fields[0].constraints[0].params.min")
    ]


def test_a_number_without_json_form_hides_no_other_error():
    raw = contract(field(type="STRIN"), field(name="b", type="DECIMAL", default=float("nan")), id="")
    assert errors({**raw, "policy": {"confidence_floor": float("nan")}}) == [
        ("INVALID_CONTRACT", "fields[1].default"),
        ("INVALID_CONTRACT", "policy.confidence_floor"),
        ("MISSING_CONTRACT_ID", "id"),
        ("UNKNOWN_FIELD_TYPE", "fields[0].type"),
    ]


@pytest.mark.parametrize("policy", [[], 0, "", False])
def test_a_policy_that_is_empty_but_no_mapping_is_refused(policy: Any):
    assert errors(contract(field(), policy=policy)) == [("INVALID_POLICY_KEY", "policy")]


def test_a_policy_may_be_null():
    assert adapt(contract(field(), policy=None)).policies == ContractPolicy()


def test_counted_repetitions_have_a_limit():
    regex = "|".join(f"{letter}[ab]{{999}}c" for letter in "klmnopqrstuv")
    with pytest.raises(InvalidContractError) as caught:
        adapt(limited("pattern", {"regex": regex}))
    assert [(issue.code, issue.path, issue.message) for issue in caught.value.errors] == [
        (
            "INVALID_REGEX_PATTERN",
            "fields[0].constraints[0].params.regex",
            "the counted repetitions are too large, such as {0,1000} many times.",
        )
    ]


@pytest.mark.parametrize(
    ("regex", "hint"),
    [
        (r"\pL{0,300}b", "Make its counted repetitions smaller, or use * and +."),
        ("(a", "Patterns follow RE2: no lookaround and no backreferences."),
    ],
)
def test_the_hint_fits_what_is_wrong_with_a_pattern(regex: str, hint: str):
    with pytest.raises(InvalidContractError) as caught:
        adapt(limited("pattern", {"regex": regex}))
    assert [issue.hint for issue in caught.value.errors] == [hint]
