"""Pydantic models: what their fields become, what is refused, and that the model takes what the contract accepts."""

from __future__ import annotations

import datetime
import enum
import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Annotated, Any, Literal, NewType, Optional

import annotated_types
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasPath,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    condecimal,
    conint,
    create_model,
    field_validator,
    model_validator,
)

import paxman
from paxman.contract import adapt
from paxman.contract.constraints import problems
from paxman.contract.model import CanonicalContract, CanonicalField, Constraint
from paxman.errors import InvalidContractError
from paxman.types import FieldType, Labels, Money


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Party(BaseModel):
    name: str
    vat: Annotated[str, Field(min_length=2)] | None = None


Code = NewType("Code", str)


def model(annotation: Any, default: Any = ..., **config: Any) -> type[BaseModel]:
    return create_model("M", __config__=ConfigDict(**config), a=(annotation, default))


def one(annotation: Any, default: Any = ..., **config: Any) -> CanonicalField:
    return adapt(model(annotation, default, **config)).fields[0]


def a(type: FieldType, *constraints: Constraint, required: bool = True, **keys: Any) -> CanonicalField:
    return CanonicalField("M:a", "a", "a", type, required, constraints=constraints, **keys)


def items(type: FieldType, *constraints: Constraint, **keys: Any) -> CanonicalField:
    return CanonicalField("M:a[]", "a[]", "[]", type, True, constraints=constraints, **keys)


def values(*members: Any) -> Constraint:
    return Constraint("enum", {"values": members})


FIELDS: dict[str, tuple[Any, CanonicalField]] = {
    "str": (str, a(FieldType.STRING)),
    "int": (int, a(FieldType.INTEGER)),
    "float": (float, a(FieldType.DECIMAL)),
    "Decimal": (Decimal, a(FieldType.DECIMAL)),
    "bool": (bool, a(FieldType.BOOLEAN)),
    "date": (datetime.date, a(FieldType.DATE)),
    "Money": (Money, a(FieldType.MONEY)),
    "dict": (dict[str, Any], a(FieldType.OBJECT)),
    "NewType": (Code, a(FieldType.STRING)),
    "Optional": (Optional[int], a(FieldType.INTEGER, nullable=True)),  # noqa: UP045
    "or None": (int | None, a(FieldType.INTEGER, nullable=True)),
    "Literal": (Literal["x", "y"], a(FieldType.ENUM, values("x", "y"))),
    "Literal with None": (Literal["x", None], a(FieldType.ENUM, values("x"), nullable=True)),
    "Literal of numbers": (Literal[1, 2], a(FieldType.INTEGER, values(1, 2))),
    "Literal of True": (Literal[True], a(FieldType.BOOLEAN, values(True))),
    "Enum": (Color, a(FieldType.ENUM, values("red", "blue"))),
    "IntEnum": (Level, a(FieldType.INTEGER, values(1, 2))),
    "list": (list[str], a(FieldType.ARRAY, items=items(FieldType.STRING))),
    "list of numbers": (list[int | None], a(FieldType.ARRAY, items=items(FieldType.INTEGER, nullable=True))),
    "sequence": (Sequence[str], a(FieldType.ARRAY, items=items(FieldType.STRING))),
    "open tuple": (tuple[str, ...], a(FieldType.ARRAY, items=items(FieldType.STRING))),
    "set": (set[str], a(FieldType.ARRAY, Constraint("unique_items"), items=items(FieldType.STRING))),
    "constraints of items": (
        Annotated[list[Annotated[str, Field(min_length=2)]], Field(min_length=1, max_length=9)],
        a(
            FieldType.ARRAY,
            Constraint("min_items", {"min": 1}),
            Constraint("max_items", {"max": 9}),
            items=items(FieldType.STRING, Constraint("min_length", {"min": 2})),
        ),
    ),
    "bounds": (
        Annotated[int, Field(gt=0, le=9, multiple_of=3)],
        a(
            FieldType.INTEGER,
            Constraint("max_value", {"max": Decimal(9)}),
            Constraint("exclusive_min", {"min": Decimal(0)}),
            Constraint("multiple_of", {"of": Decimal(3)}),
        ),
    ),
    "interval": (
        Annotated[float, annotated_types.Interval(ge=0, lt=1)],
        a(
            FieldType.DECIMAL,
            Constraint("min_value", {"min": Decimal(0)}),
            Constraint("exclusive_max", {"max": Decimal(1)}),
        ),
    ),
    "conint": (conint(ge=2), a(FieldType.INTEGER, Constraint("min_value", {"min": Decimal(2)}))),
    "date bound": (
        Annotated[datetime.date, Field(ge=datetime.date(2020, 1, 1))],
        a(FieldType.DATE, Constraint("min_value", {"min": datetime.date(2020, 1, 1)})),
    ),
    "digits": (
        condecimal(max_digits=5, decimal_places=2),
        a(
            FieldType.DECIMAL,
            Constraint("exclusive_min", {"min": Decimal(-1000)}),
            Constraint("exclusive_max", {"max": Decimal(1000)}),
            Constraint("multiple_of", {"of": Decimal("0.01")}),
        ),
    ),
    "text": (
        Annotated[str, StringConstraints(min_length=1, pattern="^(?P<value>a)", strip_whitespace=True)],
        a(FieldType.STRING, Constraint("min_length", {"min": 1}), Constraint("pattern", {"regex": "^(?:a)"})),
    ),
    "own metadata": (Annotated[str, "a note", Labels("No.", "Nr.")], a(FieldType.STRING, labels=("No.", "Nr."))),
    "metadata inside of Optional": (
        Optional[Annotated[str, Labels("No.")]],  # noqa: UP045
        a(FieldType.STRING, labels=("No.",), nullable=True),
    ),
    "metadata inside and outside": (
        Annotated[Annotated[str, Field(title="Title"), Labels("No.")] | None, Labels("Nr.")],
        a(FieldType.STRING, labels=("Nr.", "No.", "Title"), nullable=True),
    ),
    "labels of items": (
        list[Annotated[str, Labels("Tag")]] | None,
        a(FieldType.ARRAY, labels=("Tag",), items=items(FieldType.STRING), nullable=True),
    ),
    "hints": (
        Annotated[
            str,
            Field(
                title="Title",
                description="D",
                json_schema_extra={"x-paxman": {"labels": ["L"], "tags": ["t"], "type": "DATE", "text_form": True}},
            ),
        ],
        a(FieldType.DATE, labels=("L", "Title"), description="D", semantic_tags=("t",), text_form=True),
    ),
}


@pytest.mark.parametrize(("annotation", "expected"), FIELDS.values(), ids=FIELDS.keys())
def test_an_annotation_becomes_a_field(annotation: Any, expected: CanonicalField):
    assert one(annotation) == expected


def test_a_whole_model():
    class Line(BaseModel):
        price: Decimal

    class Invoice(BaseModel):
        """An invoice."""

        model_config = ConfigDict(
            json_schema_extra={
                "x-paxman": {
                    "id": "invoice",
                    "version": "2",
                    "policy": {"unresolved_acceptable": True},
                    "constraints": [{"kind": "check", "params": {"expr": "total == sum(lines.price)"}}],
                }
            }
        )
        seller: Party
        buyer: Party | None = None
        lines: list[Line]
        total: Decimal = Decimal("1.50")

    adapted = adapt(Invoice)
    seller = CanonicalField(
        "invoice:seller",
        "seller",
        "seller",
        FieldType.OBJECT,
        True,
        children=(
            CanonicalField("invoice:seller.name", "seller.name", "name", FieldType.STRING, True),
            CanonicalField(
                "invoice:seller.vat",
                "seller.vat",
                "vat",
                FieldType.STRING,
                nullable=True,
                has_default=True,
                constraints=(Constraint("min_length", {"min": 2}),),
            ),
        ),
    )
    assert adapted.fields[0] == seller
    assert [(leaf.path, leaf.required) for leaf in adapted.leaves] == [
        ("seller.name", True),
        ("seller.vat", False),
        ("buyer.name", True),
        ("buyer.vat", False),
        ("lines", True),
        ("total", False),
    ]
    assert adapted.by_path["total"].default == Decimal("1.50")
    assert (adapted.id, adapted.version, adapted.policies.unresolved_acceptable) == ("invoice", "2", True)
    assert adapted.constraints == (Constraint("check", {"expr": "total == sum(lines.price)"}),)


@pytest.mark.parametrize(
    ("field", "config", "name", "labels"),
    [
        ({"alias": "invoiceNo"}, {}, "invoiceNo", ("a",)),
        ({"alias": "invoiceNo"}, {"populate_by_name": True}, "a", ("invoiceNo",)),
        ({"validation_alias": "in", "serialization_alias": "out"}, {}, "in", ("out", "a")),
        ({"validation_alias": AliasChoices("x", "y")}, {}, "x", ("y", "a")),
        ({"title": "Total"}, {}, "a", ("Total",)),
        ({"alias": "A", "json_schema_extra": {"x-paxman": {"labels": []}}}, {}, "A", ()),
    ],
)
def test_aliases_name_the_field_and_label_it(field: Any, config: Any, name: str, labels: tuple[str, ...]):
    kind = model(str, Field(**field), **config)
    adapted = adapt(kind).fields[0]
    assert (adapted.name, adapted.labels) == (name, labels)
    assert kind.model_validate({name: "v"}).a == "v"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("annotation", "default", "expected"),
    [
        (str, "x", (False, "x", True)),
        (Color, Color.RED, (False, "red", True)),
        (list[str], ["x"], (False, ("x",), True)),
        (list[str], Field(default_factory=list), (False, None, False)),
        (Money, Money(1, "EUR"), (False, Money(1, "EUR"), True)),
        (str, None, (False, None, False)),
    ],
)
def test_defaults(annotation: Any, default: Any, expected: Any):
    adapted = one(annotation, default)
    assert (adapted.required, adapted.default, adapted.has_default) == expected


UNSUPPORTED = "UNSUPPORTED_SCHEMA_FEATURE"


def hinted(hints: Any) -> Any:
    return Annotated[str, Field(json_schema_extra={"x-paxman": hints})]


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (Callable[[], int], [(UNSUPPORTED, "M.a")]),
        (hinted({"type": "MONEY"}), [(UNSUPPORTED, "M.a.x-paxman.type")]),
        (hinted({"derive": "zz"}), [("INVALID_DERIVATION", "M.a.x-paxman.derive")]),
        (hinted(3), [("INVALID_CONTRACT", "M.a.x-paxman")]),
        (Annotated[int, Field(gt=5, lt=5)], [("INVALID_CONSTRAINT", "M.a")]),
        (Annotated[str, Field(validation_alias=AliasPath("b", 0))], [(UNSUPPORTED, "M.a")]),
    ],
)
def test_what_cannot_be_expressed_is_refused_with_its_place(annotation: Any, expected: list[tuple[str, str]]):
    with pytest.raises(InvalidContractError) as caught:
        adapt(model(annotation))
    assert all(issue.hint for issue in caught.value.errors)
    assert [(issue.code, issue.path) for issue in caught.value.errors] == expected


@pytest.mark.parametrize("annotation", [float, Color, set[str]])
def test_strict_models_refuse_what_needs_conversion(annotation: Any):
    with pytest.raises(InvalidContractError) as caught:
        adapt(model(annotation, strict=True))
    assert [issue.code for issue in caught.value.errors] == [UNSUPPORTED]


def test_a_model_without_fields_is_refused():
    with pytest.raises(InvalidContractError) as caught:
        adapt(create_model("Empty"))
    assert [(issue.code, issue.path) for issue in caught.value.errors] == [("EMPTY_FIELDS", "Empty")]


def test_validators_are_named_in_the_warnings():
    class Checked(BaseModel):
        a: str
        b: Annotated[str, AfterValidator(str.upper)]
        c: Any

        @field_validator("a")
        @classmethod
        def not_blank(cls, value: str) -> str:
            return value

    assert adapt(Checked).warnings == (
        "Checked: the validator not_blank cannot help to find a value; it is run on the result.",
        "Checked.b: a validator cannot help to find a value; it is run on the result.",
    )


NUMBERS = st.integers(-3, 3)
CONSTRAINED = st.one_of(
    st.builds(lambda low: Annotated[int, Field(ge=low)], NUMBERS),
    st.builds(lambda high: Annotated[Decimal, Field(lt=high, multiple_of=1)], NUMBERS),
    st.builds(
        lambda places: Annotated[Decimal, Field(max_digits=places + 1, decimal_places=places)], st.integers(0, 2)
    ),
    st.builds(lambda low: Annotated[float, Field(gt=low)], NUMBERS),
    st.builds(lambda size: Annotated[str, Field(min_length=size, pattern="^[ab]*$")], st.integers(0, 2)),
    st.builds(lambda size: Annotated[list[Literal["a", "b"]], Field(max_length=size)], st.integers(0, 2)),
    st.sampled_from([Color, Level, Party, bool, set[str], Literal[1, 2], Literal["a", None]]),
)
VALUES = (
    st.none() | st.booleans() | NUMBERS | st.decimals(-20, 20, places=2) | st.sampled_from(["", "a", "ab", "c", "red"])
)
NESTED = VALUES | st.lists(VALUES, max_size=3) | st.fixed_dictionaries({"name": VALUES}, optional={"vat": VALUES})


@settings(max_examples=200)
@given(CONSTRAINED, st.booleans(), st.lists(NESTED, min_size=1, max_size=10))
def test_what_a_contract_accepts_satisfies_the_model(annotation: Any, optional: bool, candidates: list[Any]):
    kind = model(annotation | None if optional else annotation)
    field = adapt(kind).fields[0]
    for value in candidates:
        if not problems(field, value):
            try:
                kind.model_validate({"a": value})
            except ValidationError as error:
                raise AssertionError((annotation, value)) from error


def _even(value: int) -> int:
    if value % 2:
        raise ValueError("odd")
    return value


class Line(BaseModel):
    count: Annotated[int, AfterValidator(_even)]


class Order(BaseModel):
    code: str
    lines: list[Line]

    @field_validator("code")
    @classmethod
    def no_blank(cls, value: str) -> str:
        if value == "none":
            raise ValueError("no code")
        return value

    @model_validator(mode="after")
    def few_lines(self) -> Order:
        if len(self.lines) > 2:
            raise ValueError("too many lines")
        return {}["x"] if self.code == "crash" else self


@pytest.mark.parametrize(
    ("code", "counts", "refusals"),
    [
        ("a", [2], []),
        ("none", [2, 3], [("code", "Value error, no code"), ("lines[1].count", "Value error, odd")]),
        ("a", [2, 2, 2], [(None, "Value error, too many lines")]),
        ("crash", [2], [(None, "a validator failed with KeyError")]),
    ],
)
def test_a_success_is_one_that_the_models_own_validators_take(code: str, counts: list[int], refusals: Any):
    document = {"code": code, "lines": [{"count": count} for count in counts]}
    artifact = paxman.normalize(document, Order)
    assert artifact.normalized_data == document
    assert artifact.status.value == ("PARTIAL_SUCCESS" if refusals else "SUCCESS")
    found = [note for note in artifact.diagnostics if note.code == "VALIDATION_FAILED"]
    assert [(note.field_path, note.message) for note in found] == [
        (path, f"the model refuses the data: {reason}") for path, reason in refusals
    ]
    assert [note for result in artifact.field_results for note in result.diagnostics] == [
        note for note in found if note.field_path
    ]
    assert paxman.replay(artifact.to_json(), Order) == artifact


def test_a_model_is_found_again_in_another_process():
    kept = pickle.loads(pickle.dumps(adapt(Order).check_data))
    lost = pickle.loads(pickle.dumps(adapt(model(str)).check_data))
    assert (kept.model, lost.model) == (Order, None)


def test_every_choice_of_an_alias_finds_the_value():
    kind = model(int, Field(validation_alias=AliasChoices("alpha", "beta")))
    assert paxman.normalize({"beta": 3}, kind).to(kind) == kind(alpha=3)


def test_telling_a_model_does_not_import_pydantic():
    code = (
        "import sys; from paxman.contract.detection import format_of as f; f(int); assert 'pydantic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_model_is_adapted_once():
    kind = model(str)
    first: CanonicalContract = adapt(kind)
    assert adapt(kind) is first


def test_an_empty_policy_of_another_type_is_refused():
    class Paper(BaseModel):
        model_config = ConfigDict(json_schema_extra={"x-paxman": {"policy": []}})
        total: float = Field(json_schema_extra={"x-paxman": {"confidence_threshold": float("nan")}})

    with pytest.raises(InvalidContractError) as caught:
        adapt(Paper)
    assert [(issue.code, issue.path) for issue in caught.value.errors] == [
        ("INVALID_CONTRACT", "Paper.total.x-paxman.confidence_threshold"),
        ("INVALID_POLICY_KEY", "Paper.x-paxman.policy"),
    ]
