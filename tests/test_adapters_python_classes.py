"""Dataclasses, attrs classes, TypedDicts, msgspec Structs and SQLAlchemy models are contracts, hints included."""

from __future__ import annotations

import dataclasses
import datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import attrs
import msgspec
import pydantic
import pytest
import sqlalchemy
from pydantic.dataclasses import dataclass as pydantic_dataclass
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

import paxman
from paxman.contract import adapt
from paxman.contract.adapters import ADAPTERS

PAGE = """Invoice no.: A-17
Seller: ACME Ltd
Issued: 2024-05-06
Total: 12.50

Article   Quantity   Price
a1        1          2.50
b2        2          5.00
"""
NUMBER = paxman.Labels("Invoice no.")
ARTICLE, CODE = paxman.Labels("Article"), paxman.Tags("code")
AMOUNT = paxman.Derive("quantity * price")
NAME = paxman.Lookup({"a1": "Anvil", "b2": "Bolt"}, of="sku")
TOTAL = paxman.Check("total == sum(lines.amount)")


@dataclasses.dataclass
class DataLine:
    sku: Annotated[str, ARTICLE, CODE]
    quantity: int
    price: Decimal
    amount: Annotated[Decimal, AMOUNT]
    name: Annotated[str, NAME]


@dataclasses.dataclass
class DataInvoice:
    number: Annotated[str, NUMBER]
    issued: datetime.date
    total: Annotated[Decimal, TOTAL]
    lines: list[DataLine]
    seller: str = dataclasses.field(metadata={"x-paxman": {"tags": ["organization"]}, "description": "who sells"})
    count: int = dataclasses.field(default=2, init=False)


@attrs.define
class AttrsLine:
    sku: Annotated[str, ARTICLE, CODE]
    quantity: int
    price: Decimal
    amount: Annotated[Decimal, AMOUNT]
    name: Annotated[str, NAME]


@attrs.define
class AttrsInvoice:
    number: Annotated[str, NUMBER]
    issued: datetime.date
    total: Annotated[Decimal, TOTAL]
    lines: list[AttrsLine]
    seller: str = attrs.field(metadata={"x-paxman": {"tags": ["organization"]}, "description": "who sells"})


class DictLine(TypedDict):
    sku: Annotated[str, ARTICLE, CODE]
    quantity: int
    price: Decimal
    amount: Annotated[Decimal, AMOUNT]
    name: Annotated[str, NAME]


class DictInvoice(TypedDict):
    number: Annotated[str, NUMBER]
    issued: datetime.date
    total: Annotated[Decimal, TOTAL]
    lines: list[DictLine]
    seller: Annotated[str, paxman.Tags("organization"), pydantic.Field(description="who sells")]


class StructLine(msgspec.Struct):
    sku: Annotated[str, ARTICLE, CODE]
    quantity: int
    price: Decimal
    amount: Annotated[Decimal, AMOUNT]
    name: Annotated[str, NAME]


SELLER = msgspec.Meta(description="who sells", extra_json_schema={"x-paxman": {"tags": ["organization"]}})


class StructInvoice(msgspec.Struct):
    number: Annotated[str, NUMBER]
    issued: datetime.date
    total: Annotated[Decimal, TOTAL]
    lines: list[StructLine]
    seller: Annotated[str, SELLER]


class Base(DeclarativeBase):
    pass


class TableInvoice(Base):
    __tablename__ = "invoices"

    id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[Annotated[str, NUMBER]]
    issued: Mapped[datetime.date]
    total: Mapped[Annotated[Decimal, TOTAL]]
    lines: Mapped[list[TableLine]] = relationship(back_populates="invoice")
    seller: Mapped[str] = mapped_column(comment="who sells", info={"x-paxman": {"tags": ["organization"]}})


class TableLine(Base):
    __tablename__ = "lines"

    id: Mapped[int] = mapped_column(primary_key=True)
    invoice_id: Mapped[int] = mapped_column(sqlalchemy.ForeignKey("invoices.id"))
    invoice: Mapped[TableInvoice] = relationship(back_populates="lines")
    sku: Mapped[Annotated[str, ARTICLE, CODE]]
    quantity: Mapped[int]
    price: Mapped[Decimal]
    amount: Mapped[Annotated[Decimal, AMOUNT]]
    name: Mapped[Annotated[str, NAME]]


class Line(pydantic.BaseModel):
    sku: Annotated[str, ARTICLE, CODE]
    quantity: int
    price: Decimal
    amount: Annotated[Decimal, AMOUNT]
    name: Annotated[str, NAME]


class Invoice(pydantic.BaseModel):
    number: Annotated[str, NUMBER]
    issued: datetime.date
    total: Annotated[Decimal, TOTAL]
    lines: list[Line]
    seller: Annotated[str, paxman.Tags("organization")] = pydantic.Field(description="who sells")


KINDS = [DataInvoice, AttrsInvoice, DictInvoice, StructInvoice, TableInvoice]


def content(kind: Any) -> Any:
    """The contract without its name, and with fields that stand in any order."""
    read = adapt(kind)
    fields = {field.name: attrs.asdict(field, filter=lambda a, v: a.name != "id") for field in read.fields}
    lines = fields["lines"]
    lines |= {"required": True, "items": {c["name"]: c for c in lines["items"]["children"]}}
    return fields, read.constraints


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_says_what_the_model_says(kind: Any):
    fields, checks = content(kind)
    expected, expected_checks = content(Invoice)
    assert {name: without_ids(field) for name, field in fields.items()} == {
        name: without_ids(field) for name, field in expected.items()
    }
    assert checks == expected_checks


def without_ids(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_ids(each) for key, each in value.items() if key != "id"}
    return [without_ids(each) for each in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_becomes_an_instance(kind: Any):
    made = paxman.normalize(PAGE, kind)
    assert (made.status, made.diagnostics) == (paxman.Status.SUCCESS, ())
    invoice: Any = made.to(kind)
    if kind is DictInvoice:
        assert invoice == paxman.normalize(PAGE, Invoice).to(Invoice).model_dump()
        return
    assert type(invoice) is kind
    assert (invoice.number, invoice.issued, invoice.total) == ("A-17", datetime.date(2024, 5, 6), Decimal("12.50"))
    assert [(type(line).__name__, line.name, line.amount) for line in invoice.lines] == [
        (kind.__name__.replace("Invoice", "Line"), "Anvil", Decimal("2.50")),
        (kind.__name__.replace("Invoice", "Line"), "Bolt", Decimal("10.00")),
    ]


def field_of(kind: Any, name: str) -> Any:
    return next(field for field in adapt(kind).fields if field.name == name)


@attrs.define
class Limited:
    count: int = attrs.field(validator=[attrs.validators.ge(1), attrs.validators.lt(10)])
    code: str = attrs.field(validator=attrs.validators.and_(attrs.validators.max_len(5), attrs.validators.min_len(2)))
    kind: str = attrs.field(validator=attrs.validators.in_(["a", "b"]))
    _hidden: str = "x"
    odd: int = attrs.field(default=1, validator=lambda instance, attribute, value: _refuse_even(value))


def _refuse_even(value: int) -> None:
    if value % 2 == 0:
        raise ValueError("even")


def test_a_contract_is_written_back_as_a_class():
    @dataclasses.dataclass
    class Part:
        name: str
        count: int = 3

    canonical = adapt(Part)
    assert adapt(ADAPTERS.get_latest("python_class").export(canonical)) == canonical


def test_validators_of_attrs_are_limits_and_others_are_asked_at_the_end():
    read = {field.name: field for field in adapt(Limited).fields}
    limits = {name: {c.kind: dict(c.params) for c in field.constraints} for name, field in read.items()}
    assert limits == {
        "count": {"min_value": {"min": 1}, "exclusive_max": {"max": 10}},
        "code": {"max_length": {"max": 5}, "min_length": {"min": 2}},
        "kind": {"enum": {"values": ("a", "b")}},
        "hidden": {},
        "odd": {},
    }
    good = paxman.normalize({"count": 3, "code": "abc", "kind": "a", "hidden": "h", "odd": 3}, Limited)
    assert (good.status, good.to(Limited)) == (paxman.Status.SUCCESS, Limited(3, "abc", "a", "h", 3))
    bad = paxman.normalize({"count": 3, "code": "abc", "kind": "a", "hidden": "h", "odd": 4}, Limited)
    assert bad.status is paxman.Status.PARTIAL_SUCCESS
    assert [note.message for note in bad.diagnostics] == [
        "the model refuses the data: Limited refuses it with ValueError"
    ]


class Renamed(msgspec.Struct, rename="camel"):
    invoice_number: Annotated[str, msgspec.Meta(min_length=2, max_length=9, title="Bill no.")]
    net_total: Annotated[Decimal, msgspec.Meta(ge=0)] | msgspec.UnsetType = msgspec.UNSET


def test_structs_keep_their_names_for_json():
    read = adapt(Renamed)
    assert [(field.name, field.required) for field in read.fields] == [("invoiceNumber", True), ("netTotal", False)]
    assert read.fields[0].labels == ("Bill no.",)
    assert paxman.normalize("Bill no.: A-1", Renamed).to(Renamed) == Renamed("A-1")


class Partly(TypedDict, total=False):
    number: Annotated[str, NUMBER]
    note: NotRequired[str | None]


def test_keys_of_a_typed_dict_may_be_left_out():
    assert [(field.name, field.required, field.nullable) for field in adapt(Partly).fields] == [
        ("number", False, False),
        ("note", False, True),
    ]
    made: Any = paxman.normalize({"number": "7"}, Partly)
    assert made.to(Partly) == {"number": "7"}


@pydantic_dataclass
class Checked:
    number: str = pydantic.Field(pattern="^A-", alias="Bill")
    json: Literal["x", "y"] = "x"


def test_dataclasses_of_pydantic_and_names_that_pydantic_has_itself():
    fields = adapt(Checked).fields
    assert [(field.name, field.constraints[0].kind) for field in fields] == [("Bill", "pattern"), ("json", "enum")]
    assert fields[1].labels == ()
    assert paxman.normalize("Bill: A-1\nJson: y", Checked).to(Checked) == Checked(Bill="A-1", json="y")  # type: ignore[call-arg]


class Shop(Base):
    __tablename__ = "shops"
    __table_args__ = (
        sqlalchemy.CheckConstraint("net <= gross"),
        sqlalchemy.CheckConstraint("rate BETWEEN 0 AND 1"),
        sqlalchemy.CheckConstraint("length(code) > 2"),
        {"info": {"x-paxman": {"id": "shop", "version": "3"}}},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    code: Mapped[str] = mapped_column("shop_code", sqlalchemy.String(8))
    net: Mapped[Decimal] = mapped_column(sqlalchemy.Numeric(8, 2))
    gross: Mapped[Decimal | None]
    tax: Mapped[Decimal] = mapped_column(sqlalchemy.Computed("gross - net"))
    rate: Mapped[Decimal]
    state: Mapped[str] = mapped_column(sqlalchemy.Enum("open", "shut"), default="open")


def test_columns_say_lengths_choices_checks_and_formulas():
    read = adapt(Shop)
    fields = {field.name: field for field in read.fields}
    assert (read.id, read.version, list(fields)) == ("shop", "3", ["code", "net", "gross", "tax", "rate", "state"])
    assert (fields["code"].labels, fields["code"].constraint("max_length")) == (("shop_code",), {"max": 8})
    assert (fields["tax"].derive, fields["gross"].nullable, fields["state"].default) == ("gross - net", True, "open")
    assert fields["net"].constraint("multiple_of") == {"of": Decimal("0.01")}
    assert fields["rate"].constraint("max_value") == {"max": Decimal(1)}
    assert [rule.params["expr"] for rule in read.constraints] == ["net <= gross"]
    assert read.warnings == ("Shop: CHECK (LENGTH(code) > 2) cannot be translated, so values are not checked by it.",)


class Mixed(pydantic.BaseModel):
    lines: list[DataLine]


def test_a_model_may_hold_other_classes():
    assert [column.name for column in field_of(Mixed, "lines").columns] == [
        "sku",
        "quantity",
        "price",
        "amount",
        "name",
    ]


def test_a_batch_takes_a_class(tmp_path: Path):
    (tmp_path / "a.txt").write_text(PAGE)
    (tmp_path / "b.txt").write_text(PAGE.replace("A-17", "A-18"))
    done = paxman.normalize_many([tmp_path / "a.txt", tmp_path / "b.txt"], DataInvoice, workers=2, artifacts=True)
    assert [each.to(DataInvoice).number for each in done.artifacts() if each] == ["A-17", "A-18"]


def test_a_class_in_a_file_is_named_on_the_command_line(tmp_path: Path):
    from click.testing import CliRunner

    from paxman.cli.app import app

    (tmp_path / "shapes_of_bills.py").write_text(
        "import dataclasses\n\n@dataclasses.dataclass\nclass Bill:\n    number: str\n    seller: str\n"
    )
    shown = CliRunner().invoke(app, ["contract", "check", str(tmp_path / "shapes_of_bills.py")])
    assert shown.output.startswith("valid: Bill 1, 2 fields"), shown.output


def test_what_declares_no_fields_is_no_contract():
    with pytest.raises(TypeError, match="a dataclass"):
        paxman.normalize("", int)
