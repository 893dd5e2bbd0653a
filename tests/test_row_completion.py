"""Cells of rows that the contract itself fills: formulas, lookups and defaults, and checks that hold in every row."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any

import pytest
from contract_errors import errors
from pydantic import BaseModel

import paxman
from paxman.contract import adapt, export


def column(name: str, kind: str = "DECIMAL", **more: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "required": True, **more}


def order(*columns: dict[str, Any], **more: Any) -> dict[str, Any]:
    lines = {"name": "lines", "type": "ARRAY", "required": True, "items": {"fields": list(columns)}}
    return {"id": "order", "version": "1", "fields": [lines, *more.pop("fields", ())], **more}


SKU, QUANTITY, PRICE = column("sku", "STRING"), column("quantity", "INTEGER"), column("price")
AMOUNT = column("amount", derive="quantity * price")
NAME = column("name", "STRING", lookup={"source": {"a": "Apple", "b": "Berry"}, "from": "sku"})
UNIT = column("unit", "STRING", default="pcs", fallback="USE_DEFAULT")
TABLE = "SKU  Quantity  Price\na    2         1.50\nb    3         4.00\n"
ROWS = {"lines": [{"sku": "a", "quantity": 2, "price": "1.50"}, {"sku": "b", "quantity": 3, "price": "4.00"}]}


@pytest.mark.parametrize("document", [TABLE, ROWS, "sku,quantity,price\na,2,1.50\nb,3,4.00\n"])
def test_empty_cells_are_computed_looked_up_and_replaced(document: Any):
    made = paxman.normalize(document, order(SKU, NAME, QUANTITY, PRICE, UNIT, AMOUNT))
    assert made.status is paxman.Status.SUCCESS
    assert made.normalized_data["lines"] == [
        {
            "sku": "a",
            "name": "Apple",
            "quantity": 2,
            "price": Decimal("1.50"),
            "unit": "pcs",
            "amount": Decimal("3.00"),
        },
        {
            "sku": "b",
            "name": "Berry",
            "quantity": 3,
            "price": Decimal("4.00"),
            "unit": "pcs",
            "amount": Decimal("12.00"),
        },
    ]
    made_cells = {ref.field_path: ref.capability_id for ref in made["lines"].evidence_refs if ref.role == "context"}
    assert made_cells == {f"lines[{n}].{name}": step for n in (0, 1) for name, step in MADE.items()}
    assert [note.field_path for note in made.diagnostics if note.code == "DEFAULT_USED"] == [
        "lines[0].unit",
        "lines[1].unit",
    ]


MADE = {"name": "lookup", "amount": "derivation"}


def test_what_the_document_says_is_kept():
    rows = {"lines": [{"quantity": 2, "price": "1.50", "amount": "2.90", "unit": "kg"}]}
    made = paxman.normalize(rows, order(QUANTITY, PRICE, UNIT, AMOUNT))
    assert made.normalized_data["lines"] == [
        {"quantity": 2, "price": Decimal("1.50"), "unit": "kg", "amount": Decimal("2.90")}
    ]


def test_a_row_that_cannot_be_filled_is_left_out_with_the_reason():
    rows = {"lines": [{"sku": "x", "price": 1}, {"sku": "b", "price": 2}]}
    made = paxman.normalize(rows, order(SKU, NAME, PRICE))
    assert made.normalized_data["lines"] == [{"sku": "b", "name": "Berry", "price": Decimal(2)}]
    notes = [note.message for note in made.diagnostics if note.code == "ROW_REJECTED"]
    reason = "name: missing; the contract's table has no row for the key"
    assert notes == [f"""row 1 was left out: {reason} (/lines/0: '"x", "price": 1')"""]
    paths = {ref.field_path for ref in made["lines"].evidence_refs}
    assert paths == {"lines[0].sku", "lines[0].name", "lines[0].price"}


def test_a_row_reads_fields_outside_and_others_read_its_cells():
    fields = [column("rate"), column("total", derive="sum(lines.tax)")]
    contract = order(QUANTITY, PRICE, AMOUNT, column("tax", derive="amount * rate"), fields=fields)
    made = paxman.normalize({**ROWS, "rate": "0.10"}, contract)
    assert [row["tax"] for row in made.normalized_data["lines"]] == [Decimal("0.3000"), Decimal("1.2000")]
    assert made.normalized_data["total"] == Decimal("1.5000")


def test_a_name_means_the_cell_of_the_row_before_a_field_outside():
    contract = order(
        column("price"), column("rate", required=False), column("tax", derive="price * rate", required=False),
        fields=[column("rate")],
    )  # fmt: skip
    made = paxman.normalize({"rate": 5, "lines": [{"price": 2, "rate": 3}, {"price": 2}]}, contract)
    assert [row.get("tax") for row in made.normalized_data["lines"]] == [Decimal(6), None]


def test_cells_of_objects_and_rows_in_rows_are_filled():
    line = {
        "lines": [
            {"price": 10, "discounts": [{"share": "0.1"}, {"share": "0.2"}]},
        ]
    }
    discount = {"fields": [column("share"), column("off", derive="price * share")]}
    made = paxman.normalize(line, order(PRICE, column("discounts", "ARRAY", items=discount)))
    assert made.normalized_data["lines"] == [
        {
            "price": Decimal(10),
            "discounts": [
                {"share": Decimal("0.1"), "off": Decimal("1.0")},
                {"share": Decimal("0.2"), "off": Decimal("2.0")},
            ],
        }
    ]


@pytest.mark.parametrize(
    ("contract", "expected"),
    [
        (order(column("a", derive="b"), column("b", derive="a")), "fields[0].items.fields[0].derive"),
        (order(column("a", derive="lines.b"), column("b")), "fields[0].derive"),
        (
            order(PRICE, column("part", derive="price / total"), fields=[column("total", derive="sum(lines.part)")]),
            "fields[0].derive",
        ),
    ],
)  # fmt: skip
def test_what_needs_itself_is_refused(contract: dict[str, Any], expected: str):
    assert errors(contract) == [("DERIVATION_CYCLE", expected)]


def test_a_check_on_a_column_holds_in_every_row():
    check = {"kind": "check", "params": {"expr": "amount == quantity * price", "tolerance": "0.01"}}
    contract = order(QUANTITY, PRICE, column("amount", constraints=[check]))
    good = {"lines": [{"quantity": 2, "price": 3, "amount": "6.01"}]}
    bad = {"lines": [{"quantity": 2, "price": 3, "amount": 6}, {"quantity": 2, "price": 3, "amount": 7}]}
    assert adapt(contract).constraints[0].params["expr"] == "all(lines.amount == lines.quantity * lines.price)"
    assert [note.code for note in paxman.normalize(good, contract).diagnostics] == []
    assert "VALIDATION_FAILED" in [note.code for note in paxman.normalize(bad, contract).diagnostics]


class Line(BaseModel):
    sku: Annotated[str, paxman.Labels("Article"), paxman.Tags("code")]
    quantity: int
    price: Decimal
    amount: Annotated[Decimal, paxman.Derive("quantity * price"), paxman.Check("amount >= 0")]
    name: Annotated[str, paxman.Lookup({"a": "Apple", "b": "Berry"}, of="sku")]


class Order(BaseModel):
    lines: list[Line]
    total: Annotated[Decimal, paxman.Derive("sum(lines.amount)"), paxman.Check("total >= 0", tolerance="0.5")]


def test_markers_say_what_x_paxman_says():
    read = adapt(Order)
    line = read.fields[0].items.children  # type: ignore[union-attr]
    assert [(c.name, c.labels, c.semantic_tags, c.derive) for c in line] == [
        ("sku", ("Article",), ("code",), None),
        ("quantity", (), (), None),
        ("price", (), (), None),
        ("amount", (), (), "quantity * price"),
        ("name", (), (), None),
    ]
    assert dict(line[4].lookup or {}) == {"source": {"a": "Apple", "b": "Berry"}, "from": "sku"}
    assert [dict(rule.params) for rule in read.constraints] == [
        {"expr": "all(lines.amount >= 0)"},
        {"expr": "total >= 0", "tolerance": Decimal("0.5")},
    ]
    table = TABLE.replace("SKU", "Article")
    made = paxman.normalize(table, Order).to(Order)
    assert [(line.name, line.amount) for line in made.lines] == [
        ("Apple", Decimal("3.00")),
        ("Berry", Decimal("12.00")),
    ]


@pytest.mark.parametrize("form", ["dict_dsl", "json_schema", "openapi", "pydantic"])
def test_formulas_of_rows_survive_export(form: Any):
    assert adapt(export(adapt(Order), form)).to_dict() == adapt(Order).to_dict()


def test_formulas_of_objects_may_name_what_stands_beside_them():
    inner = [
        column("net"),
        column("gross", derive="net * 2"),
        column("id", "STRING", lookup={"source": {"1": "x"}, "from": "net"}),
    ]
    contract = {"id": "c", "version": "1", "fields": [column("sums", "OBJECT", fields=inner)]}  # fmt: skip
    made = paxman.normalize({"sums": {"net": 1}}, contract)
    assert made.normalized_data == {"sums": {"net": Decimal(1), "gross": Decimal(2), "id": "x"}}


FRUIT = {"fields": [SKU, NAME], "type": "OBJECT"}
CARRIER = {"fields": [column("carrier", "STRING")], "type": "OBJECT"}
APPLE, DHL = {"sku": "a", "name": "Apple"}, {"carrier": "DHL"}


@pytest.mark.parametrize(
    ("shape", "document", "value"),
    [
        ({"type": "UNION", "branches": [FRUIT, CARRIER]}, {"it": {"sku": "a"}}, APPLE),
        ({"type": "UNION", "branches": [FRUIT, CARRIER]}, "It sku: a\n", APPLE),
        ({"type": "UNION", "branches": [FRUIT, CARRIER]}, {"it": DHL}, DHL),
        ({"type": "ARRAY", "prefix": [FRUIT, CARRIER]}, {"it": [{"sku": "a"}, DHL]}, [APPLE, DHL]),
        ({"type": "MAP", "items": FRUIT}, {"it": {"x": {"sku": "a"}}}, {"x": APPLE}),
        ({"type": "ARRAY", "items": {"type": "ARRAY", "items": FRUIT}}, {"it": [[{"sku": "a"}]]}, [[APPLE]]),
    ],
)
def test_cells_are_filled_wherever_an_object_stands(shape: Any, document: Any, value: Any):
    contract = {"id": "c", "version": "1", "fields": [{"name": "it", "required": True, **shape}]}
    made = paxman.normalize(document, contract)
    assert (made.status.value, made.normalized_data["it"]) == ("SUCCESS", value)


@pytest.mark.parametrize(
    ("shape", "document"),
    [
        ({"type": "UNION", "branches": [FRUIT, CARRIER]}, {"it": {"sku": "z"}}),
        ({"type": "MAP", "items": FRUIT}, {"it": {"x": {"sku": "z"}}}),
        ({"type": "ARRAY", "items": FRUIT}, {"it": [{"sku": "z"}]}),
    ],
)
def test_an_object_that_cannot_be_filled_is_left_out_with_the_reason(shape: Any, document: Any):
    contract = {"id": "c", "version": "1", "fields": [{"name": "it", "required": True, **shape}]}
    made = paxman.normalize(document, contract)
    assert made.normalized_data == {"it": None}
    lost = [note.message for note in made.diagnostics if note.code == "ROW_REJECTED"]
    assert [message.partition("; ")[2].partition(" (")[0] for message in lost] == [
        "the contract's table has no row for the key"
    ]


def test_a_lookup_on_a_branch_or_an_element_is_refused_by_name():
    looked_up = {"type": "STRING", "lookup": {"source": {"a": "b"}, "from": "sku"}}
    shapes = [
        {"type": "UNION", "branches": [looked_up, {"type": "INTEGER"}]},
        {"type": "ARRAY", "items": looked_up},
        {"type": "ARRAY", "prefix": [{"type": "INTEGER"}, looked_up]},
    ]
    found = [
        errors({"id": "c", "version": "1", "fields": [SKU, {"name": "it", "required": True, **shape}]})
        for shape in shapes
    ]
    assert found == [
        [("INVALID_FIELD", "fields[1].branches[0].lookup")],
        [("INVALID_FIELD", "fields[1].items.lookup")],
        [("INVALID_FIELD", "fields[1].prefix[1].lookup")],
    ]


def test_a_union_is_looked_up_as_the_first_branch_that_takes_the_cell():
    union = {"name": "it", "type": "UNION", "required": True, "branches": [{"type": "STRING"}, {"type": "INTEGER"}]}
    union["lookup"] = {"source": {"a": "7", "b": "plenty"}, "from": "sku"}
    contract = {"id": "c", "version": "1", "fields": [SKU, union]}
    assert [paxman.normalize(f"SKU: {sku}", contract)["it"].value for sku in "ab"] == [7, "plenty"]


@pytest.mark.parametrize(
    ("description", "formulas"),
    [
        ("Every line; amount = quantity × price.", [None, None, "quantity * price"]),
        ("price = amount / quantity, and amount = quantity × price.", [None, "amount / quantity", None]),
        ("amount = net + tax", [None, None, None]),
    ],
)
def test_a_description_of_rows_states_a_formula(description: str, formulas: list[str | None]):
    contract = order(QUANTITY, PRICE, column("amount", required=False))
    contract["fields"][0]["description"] = description
    assert [part.derive for part in adapt(contract).by_path["lines"].columns] == formulas
