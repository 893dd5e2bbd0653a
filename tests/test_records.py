"""Rows and scalars of structured inputs: what is kept as written, what is left out, and what is told of it."""

from __future__ import annotations

import time
from datetime import date
from decimal import Decimal
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paxman
from paxman.api.verification import verify
from paxman.artifact.artifact import ExecutionArtifact
from paxman.documents.document import JsonPointer

LOW = "confidence 0.75 is below the target 0.80"
MATRIX = {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}
PEOPLE = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "age": {"type": "integer"},
            "home": {"type": "object", "properties": {"zip": {"type": "integer"}}, "required": ["zip"]},
            "marks": {"type": "array", "items": {"type": "integer"}, "maxItems": 2},
        },
        "required": ["name"],
    },
}


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def tagged(tag: str) -> dict[str, Any]:
    return {"id": "x", "fields": [{"name": "v", "type": "STRING", "required": True, "tags": [tag]}]}


def notes(artifact: ExecutionArtifact) -> list[tuple[str, str | None, str]]:
    return [(note.code, note.field_path, note.message) for note in artifact.diagnostics]


def check(document: Any, contract: Any) -> ExecutionArtifact:
    """Normalize, and hold every value against the document."""
    artifact = paxman.normalize(document, contract)
    assert verify(artifact, document, contract).problems == ()
    return artifact


def test_an_array_of_arrays():
    artifact = check({"m": [[1, 2], [], [3]]}, schema(m=MATRIX))
    assert (artifact.normalized_data, notes(artifact)) == ({"m": [[1, 2], [], [3]]}, [])
    assert [ref.field_path for ref in artifact["m"].evidence_refs] == ["m[0][0]", "m[0][1]", "m[1]", "m[2][0]"]


def test_a_bad_item_spoils_its_inner_array_only():
    artifact = check({"m": [[1, "x"], [2], 3]}, schema(m=MATRIX))
    assert artifact.normalized_data == {"m": [[2]]}
    assert notes(artifact) == [
        ("ROW_REJECTED", "m", "row 1 was left out: not a whole number (/m/0/1: '\"x\"')"),
        ("ROW_REJECTED", "m", "row 3 was left out: not an array (/m/2: '3')"),
        ("LOW_CONFIDENCE", "m", LOW),
    ]


def test_a_column_of_a_table_is_an_array():
    artifact = check("tags,n\nx,1\ny,?\n", schema(tags={"type": "array", "items": {"type": "string"}}))
    assert (artifact.normalized_data, notes(artifact)) == ({"tags": ["x", "y"]}, [])


def test_an_array_of_amounts():
    contract = {
        "id": "x",
        "fields": [{"name": "p", "type": "ARRAY", "required": True, "items": {"type": "MONEY"}}],
    }
    artifact = check({"p": [{"amount": "1.50", "currency": "EUR"}]}, contract)
    assert artifact["p"].value == (paxman.Money("1.50", "EUR"),)


@pytest.mark.parametrize(
    ("cells", "kept", "left_out"),
    [
        ({"age": "old"}, {}, [("age", "not a whole number (/lines/2/age: '\"old\"')")]),
        ({"age": 3}, {"age": 3}, []),
        ({"age": None}, {}, []),
        ({"home": {"zip": "?"}}, {}, [("home", "zip: not a whole number (/lines/2/home/zip: '\"?\"')")]),
        ({"marks": [1, "x"]}, {}, [("marks", "not a whole number (/lines/2/marks/1: '\"x\"')")]),
        ({"marks": [1, 2, 3]}, {}, [("marks", "more than 2 items (/lines/2/marks: '[1, 2, 3]')")]),
    ],
)
def test_a_row_does_without_an_optional_cell_that_does_not_fit(cells: Any, kept: Any, left_out: Any):
    artifact = check({"lines": [{"age": 1}, {"name": "a"}, {"name": "b", **cells}]}, schema(lines=PEOPLE))
    assert artifact.normalized_data == {"lines": [{"name": "a"}, {"name": "b", **kept}]}
    assert notes(artifact) == [
        ("ROW_REJECTED", "lines", "row 1 was left out: name: missing (/lines/0: '{\"age\": 1}')"),
        *(("ROW_REJECTED", f"lines[1].{name}", f"left out: {reason}") for name, reason in left_out),
        ("LOW_CONFIDENCE", "lines", LOW),
    ]
    assert artifact.status is paxman.Status.PARTIAL_SUCCESS


def test_rows_inside_of_rows_are_left_out_one_by_one():
    discounts = {"type": "array", "items": {**schema(share={"type": "number"}), "required": ["share"]}}
    artifact = check(
        {"lines": [{"discounts": [{"share": 1}, {"share": "?!"}]}]},
        schema(lines={"type": "array", "items": schema(discounts=discounts)}),
    )
    assert (artifact.normalized_data, artifact.status) == (
        {"lines": [{"discounts": [{"share": 1}]}]},
        paxman.Status.PARTIAL_SUCCESS,
    )
    reason = "share: not a decimal number (/lines/0/discounts/1/share: '\"?!\"')"
    assert notes(artifact) == [("ROW_REJECTED", "lines[0].discounts", f"row 2 was left out: {reason}")]


def test_two_arrays_of_one_name_are_rivals():
    document = {"x": {"lines": [{"name": "a"}]}, "y": {"lines": [{"name": "b"}]}}
    artifact = check(document, schema(lines=PEOPLE))
    assert [note.code for note in artifact.diagnostics] == ["CONFLICT", "LOW_CONFIDENCE"]
    assert [ref.role for ref in artifact["lines"].evidence_refs] == ["supporting", "rejected"]


def test_two_equal_arrays_of_one_name_agree():
    document = {"x": {"lines": [{"name": "a"}]}, "y": {"lines": [{"name": "a"}]}}
    artifact = check(document, schema(lines=PEOPLE))
    assert (artifact.normalized_data, notes(artifact)) == ({"lines": [{"name": "a"}]}, [])


def test_an_array_in_each_of_many_objects_is_nobodys():
    artifact = check([{"lines": [{"name": "a"}]}, {"lines": [{"name": "b"}]}], schema(lines=PEOPLE))
    assert artifact.normalized_data == {}
    assert [note.code for note in artifact.diagnostics] == ["AMBIGUOUS_VALUE", "CHAIN_EXHAUSTED"]


@pytest.mark.parametrize(
    ("rules", "text", "kept"),
    [
        ({}, "", True),
        ({"minLength": 1}, "", False),
        ({"minLength": 6}, "  a  b ", True),
        ({}, "line\none", True),
        ({}, "e\u0301", True),
        ({"enum": ["a b"]}, "a b", True),
    ],
)
def test_text_in_json_is_kept_as_it_is_written(rules: Any, text: str, kept: bool):
    artifact = check({"a": text}, schema(a={"type": "string", **rules}))
    assert artifact.normalized_data == ({"a": text} if kept else {})


@settings(max_examples=60)
@given(st.text(max_size=12), st.integers(0, 4), st.integers(4, 9))
def test_text_that_the_schema_takes_comes_through_unchanged(text: str, low: int, high: int):
    contract = schema(a={"type": "string", "minLength": low, "maxLength": high})
    document = {"a": text}
    try:
        jsonschema.validate(document, contract)
    except jsonschema.ValidationError:
        return
    artifact = check(document, contract)
    assert (artifact.status.value, artifact.normalized_data) == ("SUCCESS", document)


@pytest.mark.parametrize(
    ("tag", "text", "value"),
    [
        ("vat_id", "DE0815", "DE0815"),
        ("vat_id", "VAT no. DE136695976", "DE136695976"),
        ("tax_id", "unknown yet", "unknown yet"),
        ("vat_id", "", None),
        ("email", "not an address", None),
        ("uuid", "12", None),
    ],
)
def test_an_identifier_in_data_need_not_look_like_one(tag: str, text: str, value: str | None):
    assert check({"v": text}, tagged(tag)).normalized_data == {"v": value}


NAMED = {"id": "person", "fields": [{"name": "name", "type": "STRING", "required": True}]}
SELLER = {"id": "x", "fields": [{"name": "seller", "type": "STRING", "required": True}]}


def test_a_heading_is_no_value_of_the_heading_beside_it():
    artifact = check("Name,City\nAl,Rome\nBo,Paris\n", NAMED)
    assert (artifact["name"].value, notes(artifact)[0][0]) == (None, "AMBIGUOUS_VALUE")
    assert check("Name,City\nAl,Rome\n", NAMED)["name"].value == "Al"


def test_rows_of_a_label_and_its_value_have_no_headings():
    assert check("Seller,Acme GmbH\nTotal,12.00\n", SELLER)["seller"].value == "Acme GmbH"


def array(name: str, /, *, required: bool = True, **columns: str) -> dict[str, Any]:
    fields = [{"name": column, "type": kind, "required": required} for column, kind in columns.items()]
    return {"name": name, "type": "ARRAY", "required": False, "items": {"fields": fields}}


def strings(name: str) -> dict[str, Any]:
    return {"name": name, "type": "ARRAY", "required": False, "items": {"type": "STRING"}}


def contract_of(*fields: dict[str, Any]) -> dict[str, Any]:
    return {"id": "x", "fields": list(fields)}


DAY = "can be read as 2025-04-03 or 2025-03-04; most of the world writes the day first; set a locale to decide"
COUNT = "can be read as 1234 or 1.234; three digits after a lone ',' are taken as thousands; set a locale to decide"
DATED = contract_of(array("lines", d="DATE", q="DECIMAL"))


@pytest.mark.parametrize(
    "document",
    [{"lines": [{"d": "03/04/2025", "q": "1,234"}]}, 'd,q,z\n03/04/2025,"1,234",1\n'],
)
def test_a_cell_that_can_be_read_in_two_ways_is_told_of(document: Any):
    artifact = check(document, DATED)
    assert notes(artifact) == [
        ("AMBIGUOUS_VALUE", "lines[0].d", DAY),
        ("AMBIGUOUS_VALUE", "lines[0].q", COUNT),
        ("LOW_CONFIDENCE", "lines", "confidence 0.75 is below the target 0.80"),
    ]
    assert artifact["lines"].confidence_band.value == "MEDIUM"


def test_of_many_doubtful_cells_some_are_told_of_and_the_rest_counted():
    artifact = check({"lines": [{"d": "03/04/2025", "q": 5}] * 30}, DATED)
    paths = [note.field_path for note in artifact.diagnostics]
    assert paths == [*(f"lines[{number}].d" for number in range(20)), "lines", "lines"]
    assert artifact.diagnostics[-2].message == "10 more cells can be read in several ways"


def test_a_key_that_stands_twice_in_a_row():
    artifact = check(
        '{"lines":[{"a":"x","q":1,"q":2},{"a":"y","q":3,"q":3}]}', contract_of(array("lines", q="INTEGER"))
    )
    assert artifact.normalized_data == {"lines": [{"q": 1}, {"q": 3}]}
    message = "2 places of the row have this name: 1 or 2; the first was taken"
    assert notes(artifact) == [("AMBIGUOUS_VALUE", "lines[0].q", message)]


BOB = [{"name": "Bob"}, {"name": "Eve"}]
PERSONS = array("persons", name="STRING", age="INTEGER")
GUESTS = array("guests", required=False, name="STRING")
ORDERS = array("orders", sku="STRING")


@pytest.mark.parametrize(
    ("document", "fields", "expected"),
    [
        (BOB, [strings("tags")], {}),
        (BOB, [strings("tags"), GUESTS, ORDERS], {"guests": BOB}),
        (BOB, [GUESTS, array("hosts", required=False, name="STRING")], {}),
        (BOB, [ORDERS], {}),
        ([{"name": "Bob", "age": 3}], [GUESTS, PERSONS], {"persons": [{"name": "Bob", "age": 3}]}),
        (["a", "b"], [strings("tags"), GUESTS], {"tags": ["a", "b"]}),
        (["a", "b"], [strings("tags"), strings("words")], {}),
        ([], [GUESTS], {"guests": []}),
    ],
)
def test_an_array_without_a_name_goes_to_the_one_field_that_it_fits(document: Any, fields: Any, expected: Any):
    assert check(document, contract_of(*fields)).normalized_data == expected


LINES = array("lines", required=False, sku="STRING", qty="INTEGER")
TWO_ROWS = [{"sku": "001", "qty": 1}, {"sku": "002", "qty": 2}]
ELEMENTS = "<Line><Sku>001</Sku><Qty>1</Qty></Line><Line><Sku>002</Sku><Qty>2</Qty></Line>"
ATTRIBUTES = '<Line sku="001" qty="1"/><Line sku="002" qty="2"/>'


@pytest.mark.parametrize(
    "document",
    [
        f"<Order><Lines>{ELEMENTS}</Lines></Order>",
        f"<Order><Lines><List>{ELEMENTS}</List></Lines></Order>",
        f'<Order><Lines count="2">{ATTRIBUTES}</Lines></Order>',
        f"<o:Order xmlns:o='urn:o'><o:Lines>{ELEMENTS}</o:Lines></o:Order>",
        f"<Order>{ELEMENTS}</Order>",
        {"lines": {"line": TWO_ROWS}},
        {"lines": {"count": 2, "line": TWO_ROWS}},
    ],
)
def test_a_wrapper_is_not_the_first_row_of_what_it_wraps(document: Any):
    artifact = check(document, contract_of(LINES))
    assert (artifact.normalized_data, notes(artifact)) == ({"lines": TWO_ROWS}, [])


@pytest.mark.parametrize("document", ["<Order>{}</Order>", "<Order><Lines>{}</Lines></Order>"])
@pytest.mark.parametrize("row", ["<Line><Sku>001</Sku><Qty>1</Qty></Line>", '<Line sku="001" qty="1"/>'])
def test_one_row_alone_is_read_as_many_are(document: str, row: str):
    assert check(document.format(row), contract_of(LINES)).normalized_data == {"lines": TWO_ROWS[:1]}


def test_a_row_with_a_list_in_it_is_one_row():
    taxes = "<Taxes><Tax><Rate>5</Rate></Tax><Tax><Rate>7</Rate></Tax></Taxes>"
    fields = array("lines", sku="STRING")
    fields["items"]["fields"].append(array("taxes", rate="INTEGER"))
    document = f"<Order><Lines><Line><Sku>001</Sku>{taxes}</Line></Lines></Order>"
    expected = {"lines": [{"sku": "001", "taxes": [{"rate": 5}, {"rate": 7}]}]}
    assert check(document, contract_of(fields)).normalized_data == expected


@pytest.mark.parametrize("tags", [["a"], ["a", "b"]])
def test_values_in_a_wrapper(tags: list[str]):
    document = "<Doc><Tags>{}</Tags></Doc>".format("".join(f"<Tag>{tag}</Tag>" for tag in tags))
    assert check(document, contract_of(strings("tags"))).normalized_data == {"tags": tags}


def test_the_lists_of_two_orders_are_rivals():
    orders = (f"<Order><Lines>{lines}</Lines></Order>" for lines in (ELEMENTS, "<Line sku='003' qty='3'/>"))
    document = f"<Orders>{''.join(orders)}</Orders>"
    artifact = check(document, contract_of(LINES))
    assert [note.code for note in artifact.diagnostics] == ["MISMATCH", "LOW_CONFIDENCE"]
    assert artifact.normalized_data == {"lines": TWO_ROWS}


INNER = [{"item": {"sku": "A"}, "qty": 5}, {"item": {"sku": "B"}, "qty": 6}]
INNER_XML = "".join(f"<Row><Item><Sku>{sku}</Sku></Item><Qty>{qty}</Qty></Row>" for sku, qty in (("A", 5), ("B", 6)))


@pytest.mark.parametrize("document", [INNER, {"rows": INNER}, f"<Order>{INNER_XML}</Order>"])
@pytest.mark.parametrize("required", [False, True])
def test_what_is_named_like_one_element_is_a_part_of_the_row_around_it(document: Any, required: bool):
    fields = array("items", sku="STRING", qty="INTEGER")
    fields["items"]["fields"][0]["required"] = required
    rows = [{"sku": "A", "qty": 5}, {"sku": "B", "qty": 6}]
    assert check(document, contract_of(fields)).normalized_data == {"items": rows}


@pytest.mark.parametrize(
    "document",
    [
        {"line": {"count": 2}, "rows": TWO_ROWS},
        {"line": TWO_ROWS[0], "rows": TWO_ROWS},
        "<Order><Row><Line><Sku>001</Sku></Line><Qty>1</Qty></Row></Order>",
    ],
)
def test_a_single_object_is_no_list_if_another_list_fits(document: Any):
    assert check(document, contract_of(LINES))["lines"].value is None


def test_what_is_named_like_an_element_on_several_levels_is_no_list():
    document = {"email": "a@x.org", "staff": [{"email": "b@x.org"}, {"email": "c@x.org"}]}
    assert check(document, contract_of({**strings("emails"), "required": False}))["emails"].value is None


def test_wrappers_side_by_side_go_on():
    document = f"<Order><Lines>{ELEMENTS}</Lines><Lines><Line sku='003' qty='3'/></Lines></Order>"
    artifact = check(document, contract_of(LINES))
    assert (artifact.normalized_data, notes(artifact)) == ({"lines": [*TWO_ROWS, {"sku": "003", "qty": 3}]}, [])


def test_wrappers_side_by_side_in_a_row_go_on():
    fields = array("orders", number="STRING")
    fields["items"]["fields"].append(array("part", sku="STRING"))
    parts = "".join(f"<Part><X><Sku>{n}</Sku></X><X><Sku>{n}{n}</Sku></X></Part>" for n in (1, 2))
    artifact = check(f"<D><Orders><Number>7</Number>{parts}</Orders></D>", contract_of(fields))
    rows = [{"number": "7", "part": [{"sku": sku} for sku in ("1", "11", "2", "22")]}]
    assert (artifact.normalized_data, notes(artifact)) == ({"orders": rows}, [])


def test_texts_named_like_the_only_column_are_rows():
    document = "<D><Items><Item>Nut</Item><Item>Bolt</Item></Items></D>"
    artifact = check(document, contract_of(array("items", item="STRING")))
    assert (artifact.normalized_data, notes(artifact)) == ({"items": [{"item": "Nut"}, {"item": "Bolt"}]}, [])


def test_rows_under_keys_of_their_own():
    document = {"lines": {"a1": TWO_ROWS[0], "a2": TWO_ROWS[1]}}
    artifact = check(document, contract_of(LINES))
    assert (artifact.normalized_data, notes(artifact)) == ({"lines": TWO_ROWS}, [])


def test_an_empty_array_is_where_it_stands():
    artifact = check('{"t": [ ]}', contract_of(strings("t")))
    assert artifact["t"].value == ()
    assert [(ref.field_path, ref.span, ref.transforms) for ref in artifact["t"].evidence_refs] == [
        ("t", (6, 9), ("parse_json",))
    ]


def test_one_cell_with_two_readings_is_one_place():
    contract = contract_of({"name": "d", "type": "DATE", "required": True})
    artifact = check("id,d,q,z\n1,03/04/2025,5,6\n", contract)
    assert (str(artifact["d"].value), notes(artifact)[0]) == ("2025-04-03", ("AMBIGUOUS_VALUE", "d", DAY))
    assert [ref.transforms for ref in artifact["d"].evidence_refs] == [("date:dmy",), ("date:mdy",)]
    assert check("id,d,q,z\n1,03/04/2025,5,6\n2,03/05/2025,5,6\n", contract)["d"].value is None


STOCK = contract_of(array("rows", sku="STRING", qty="INTEGER", price="DECIMAL"))


def test_odd_rows_below_headings_are_kept_or_rejected():
    text = "sku,qty,price,x\nA,1,2.0,z\nC,3\nD,4,5,6\nE,4,5,6,7\n"
    artifact = check(text, STOCK)
    assert [row["sku"] for row in artifact["rows"].value] == ["A", "D", "E"]
    assert ("ROW_REJECTED", "rows", "row 2 was left out: price: missing (cell A3: 'C,3')") in notes(artifact)
    assert paxman.profile(text).input_type == "csv"


@pytest.mark.parametrize("headings", ["sku,qty,price,x", "Item,Qty ordered,Price each,Note"])
def test_an_empty_row_is_counted_among_the_other_lines(headings: str):
    contract = STOCK if headings.startswith("sku") else contract_of(array("rows", item="STRING", qty="INTEGER"))
    artifact = check(f"{headings}\nA,1,2.0,z\n,,,\n\nD,q,5,6\nE,4,5,6\n , ,,\n", contract)
    assert [row["qty"] for row in artifact["rows"].value] == [1, 4]
    assert [note.message for note in artifact.diagnostics] == [
        "row 3 was left out: qty: not a whole number (cell B5: 'q')",
        LOW,
    ]
    assert (str(artifact.rows("rows")), dict(artifact.rows("rows").lines)) == ("2 of 3 rows", {"blank": 2})


UBL = """<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID>1</ID>
<AccountingSupplierParty><Party>{}</Party></AccountingSupplierParty></Invoice>"""
SCHEME = "<PartyTaxScheme><CompanyID>{}</CompanyID><TaxScheme><ID>{}</ID></TaxScheme></PartyTaxScheme>"
VAT_ID = {"id": "invoice", "fields": [{"name": "seller_vat_id", "type": "STRING", "required": False}]}


@pytest.mark.parametrize(
    ("schemes", "value"),
    [
        ([("201/113/40209", "FC"), ("DE123456789", "VAT")], "DE123456789"),
        ([("12/345/67890", "???")], "12/345/67890"),
        ([("201/113/40209", "FC")], None),
    ],
)
def test_the_tax_number_of_a_seller_without_vat_id(schemes: list[tuple[str, str]], value: str | None):
    invoice = UBL.format("".join(SCHEME.format(*scheme) for scheme in schemes))
    assert check(invoice, VAT_ID)["seller_vat_id"].value == value


def test_the_last_dot_of_a_leader_is_no_decimal_point():
    contract = {"id": "x", "fields": [{"name": "total", "type": "MONEY", "required": True}]}
    assert check("Total.....5 EUR\n", contract)["total"].value == paxman.Money("5", "EUR")
    assert check("Total: .5 EUR\n", contract)["total"].value == paxman.Money("0.5", "EUR")


def seconds(document: Any, contract: Any) -> float:
    start = time.process_time()
    paxman.normalize(document, contract)
    return time.process_time() - start


@pytest.mark.parametrize(
    ("document", "contract"),
    [
        (
            [{"item": f"a{number}", "price": f"{number}.50 EUR"} for number in range(6_000)],
            {
                "id": "orders",
                "fields": [
                    {
                        "name": "rows",
                        "type": "ARRAY",
                        "required": True,
                        "items": {"fields": [{"name": "price", "type": "MONEY", "required": True}]},
                    }
                ],
            },
        ),
        (
            "{" + ",".join(f'"total":{number}' for number in range(10_000)) + "}",
            {"id": "x", "fields": [{"name": "total", "type": "MONEY", "required": True}]},
        ),
    ],
)
def test_many_amounts_take_linear_time(document: Any, contract: Any):
    assert seconds(document, contract) < 8


def test_a_value_in_one_block_of_structured_data_is_found() -> None:
    blocks = ('{"@type":"Product","name":"Pen","sku":"P1"}', '{"@type":"Organization","name":"Shop"}')
    scripts = "".join(f'<script type="application/ld+json">{block}</script>' for block in blocks)
    page = f"<html><head>{scripts}</head><body></body></html>"
    artifact = paxman.normalize(page, {**schema(sku={"type": "string"}, name={"type": "string"}), "title": "item"})
    assert artifact.normalized_data == {"sku": "P1"}
    assert [(note.code, note.message) for note in artifact["name"].diagnostics[:1]] == [
        ("AMBIGUOUS_VALUE", "2 places have this name, and nothing tells which is meant; name a pointer or use an array")
    ]


def test_what_to_do_about_several_places_is_said_by_case() -> None:
    orders = {"orders": [{"id": 1, "lines": [{"sku": "A"}]}, {"id": 2, "lines": [{"sku": "B"}]}]}
    sku = {"name": "sku", "type": "STRING", "required": False}
    told = "2 places have this name, and nothing tells which is meant; "
    for document, field, advice in (
        (orders, array("lines", sku="STRING"), "name a pointer or use an array of what holds them"),
        (orders, sku, "name a pointer or use an array"),
        ("sku,qty\nA,1\nB,2\n", sku, "use an array"),
    ):
        assert check(document, contract_of(field))[field["name"]].diagnostics[0].message == told + advice


@pytest.mark.parametrize("column", ["author", "name"])
@pytest.mark.parametrize(
    "document",
    [
        {"authors": {"author": [{"name": "Ann"}, {"name": "Bob"}]}},
        {"authors": [{"author": {"name": "Ann"}}, {"author": {"name": "Bob"}}]},
        "<r><authors><author><name>Ann</name></author><author><name>Bob</name></author></authors></r>",
    ],
)
def test_a_column_may_be_named_as_the_rows_are(document: Any, column: str) -> None:
    artifact = check(document, contract_of(array("authors", **{column: "STRING"})))
    assert artifact.normalized_data == {"authors": [{column: "Ann"}, {column: "Bob"}]}
    assert artifact["authors"].confidence_band.value == "HIGH"


def test_texts_in_an_array_named_as_a_column_are_its_cells() -> None:
    artifact = check({"authors": {"author": ["Ann", "Bob"]}}, contract_of(array("authors", author="STRING")))
    assert artifact.normalized_data == {"authors": [{"author": "Ann"}, {"author": "Bob"}]}
    places = [JsonPointer("/authors/author/0"), JsonPointer("/authors/author/1")]
    assert [ref.source for ref in artifact["authors"].evidence_refs] == places


def test_a_value_in_one_of_several_records_of_a_kind_is_that_of_none() -> None:
    records = '{"@type":"Product","name":"Saw"},{"@type":["Product","Tool"],"name":"Axe","offer":"9.50"}'
    page = f'<html><script type="application/ld+json">[{records}]</script>'
    mail = f"From: a@b.example\nSubject: x\nMIME-Version: 1.0\nContent-Type: application/json\n\n[{records}]\n"
    fields = [{"name": "offer", "type": "DECIMAL", "required": False}]
    for document in (page, mail.encode()):
        artifact = paxman.normalize(document, {"id": "c", "version": "1", "fields": fields})
        assert [(note.code, note.message) for note in artifact["offer"].diagnostics[:1]] == [
            (
                "AMBIGUOUS_VALUE",
                "1 record has this name, and nothing tells which is meant; name a pointer or use an array",
            )
        ]


@pytest.mark.parametrize(
    "table",
    [
        "<tr><td>Supplier<td colspan=2>Acme Ltd<tr><td>Customer<td colspan=2>Bob Smith",
        "<tr><td>Supplier<td colspan=2>Acme Ltd<tr><td>Customer<td>Bob Smith<td>Rome",
    ],
)
def test_values_beside_labels_may_span_columns(table: str) -> None:
    fields = [{"name": name, "type": "STRING", "required": False} for name in ("supplier", "customer")]
    artifact = paxman.normalize(f"<html><table>{table}</table>", {"id": "c", "version": "1", "fields": fields})
    assert artifact.normalized_data == {"supplier": "Acme Ltd", "customer": "Bob Smith"}


@pytest.mark.parametrize(("row", "notes"), [("A,1,2", 1), ("A,1,1", 0), ("A,1,", 0)])
def test_columns_of_one_name_that_differ_are_in_doubt(row: str, notes: int) -> None:
    table = f"item,price,price\n{row}\n"
    columns = {"type": "object", "properties": {"item": {"type": "string"}, "price": {"type": "number"}}}
    rows = paxman.normalize(table, schema(items={"type": "array", "items": columns}))
    assert [dict(each) for each in rows["items"].value] == [{"item": "A", "price": 1}]
    told = ("AMBIGUOUS_VALUE", "2 columns are headed 'price' and differ in 1 row; the first was taken")
    said = [(note.code, note.message) for note in rows["items"].diagnostics if note.code != "LOW_CONFIDENCE"]
    assert (said, rows["items"].confidence_band.value) == ([told] * notes, "MEDIUM" if notes else "HIGH")
    alone = paxman.normalize(table, schema(price={"type": "number"}))
    assert (alone["price"].value, alone["price"].confidence_band.value == "MEDIUM") == (1, bool(notes))
    assert ("AMBIGUOUS_VALUE" in [note.code for note in alone["price"].diagnostics]) == bool(notes)


@pytest.mark.parametrize(
    ("cell", "type", "value", "codes"),
    [
        ("5 / 6", "INTEGER", 5, ["AMBIGUOUS_VALUE", "CONFLICT", "LOW_CONFIDENCE"]),
        ("5.5 or 6.5", "DECIMAL", Decimal("5.5"), ["AMBIGUOUS_VALUE", "CONFLICT", "LOW_CONFIDENCE"]),
        ("EUR 15.00 USD 16.20", "MONEY", None, ["AMBIGUOUS_VALUE", "CURRENCY_MISMATCH"]),
        ("EUR 15.00 for 3", "MONEY", paxman.Money(Decimal("15.00"), "EUR"), []),
    ],
)
def test_two_values_in_one_cell_are_rivals(cell: str, type: str, value: object, codes: list[str]) -> None:
    fields = [{"name": "amount", "type": type, "required": True}]
    result = paxman.normalize({"amount": cell}, {"id": "c", "version": "1", "fields": fields})["amount"]
    assert (result.value, [note.code for note in result.diagnostics]) == (value, codes)


def test_moments_counted_since_1970_are_read_in_utc():
    data = {"created": 1738022400, "updatedAt": 1738108800123, "order": 1738022400, "count": 5, "due": "1738022400"}
    data |= {"hour_date": 2025012814, "minute_date": 202501281430}
    fields = [
        {"name": "created", "type": "DATE", "required": True},
        {"name": "changed", "type": "STRING", "tags": ["date-time"], "labels": ["updatedAt"], "required": True},
        {"name": "order_date", "type": "DATE", "labels": ["order"], "required": False},
        {"name": "count", "type": "DATE", "required": False},
        {"name": "due", "type": "DATE", "required": False},
        {"name": "hour_date", "type": "DATE", "required": False},
        {"name": "minute_date", "type": "DATE", "required": False},
    ]
    artifact = paxman.normalize(data, {"id": "event", "fields": fields})
    assert artifact.normalized_data == {
        "created": date(2025, 1, 28),
        "changed": "2025-01-29T00:00:00.123000Z",
    }
    assert artifact["created"].evidence_refs[0].transforms == ("json", "epoch")
    assert verify(artifact, data).problems == ()


def test_moments_in_rows():
    rows = {
        "fields": [{"name": name, "type": kind, "required": True} for name, kind in (("a", "STRING"), ("at", "DATE"))]
    }
    contract = {"id": "c", "fields": [{"name": "events", "type": "ARRAY", "required": True, "items": rows}]}
    found = paxman.normalize({"events": [{"a": "x", "at": 1738022400}, {"a": "y", "at": 1738108800}]}, contract)
    assert found.normalized_data == {
        "events": [{"a": "x", "at": date(2025, 1, 28)}, {"a": "y", "at": date(2025, 1, 29)}]
    }


def text_of(document: Any, *fields: dict[str, Any]) -> list[Any]:
    artifact = paxman.normalize(document, {"id": "doc", "fields": [{"required": False, **f} for f in fields]})
    return [result.value for result in artifact.field_results]


TOTAL = {"name": "total", "type": "DECIMAL", "labels": ["vNF"]}
EMAIL = {"name": "buyer", "type": "OBJECT", "fields": [{"name": "email", "type": "STRING", "required": False}]}


def test_an_object_is_no_answer_while_a_label_fits() -> None:
    assert text_of({"total": {"ICMSTot": {"vProd": "7.00", "vNF": "8.00"}}}, TOTAL) == [Decimal("8.00")]


@pytest.mark.parametrize(
    ("buyer", "email"),
    [
        ({"contact": {"email": "a@x.example"}}, "a@x.example"),
        ({"email": "b@x.example", "contact": {"email": "a@x.example"}}, "b@x.example"),
        ({"contact": {"email": "a@x.example"}, "billing": {"email": "b@x.example"}}, None),
        ({"contacts": [{"email": "a@x.example"}]}, "a@x.example"),
        ({"contacts": [{"email": "a@x.example"}, {"email": "b@x.example"}]}, None),
    ],
)
def test_the_only_one_of_a_name_within_the_parent_counts(buyer: Any, email: str | None) -> None:
    assert text_of({"buyer": buyer}, EMAIL) == [email]


@pytest.mark.parametrize(
    ("currency", "value"),
    [({"isoCode": "EUR"}, "EUR"), ({"code": "EUR", "rate": 1}, None), ({"id": "5"}, None)],
)
def test_a_code_that_is_all_an_object_holds_stands_for_it(currency: Any, value: str | None) -> None:
    assert text_of({"currency": currency}, {"name": "currency", "type": "STRING"}) == [value]


JOB = (
    '<html><head><title>Jobs | Site</title><script type="application/ld+json">{"@type": "JobPosting", %s'
    '"jobLocation": {"address": {"addressLocality": "Annecy"}}, "gtin13": "4006381333931"}</script></head>'
    '<body><div itemscope itemtype="https://schema.org/Recipe"><i itemprop="recipeIngredient">1 cup</i>'
    '<i itemprop="recipeIngredient">2 eggs</i><time itemprop="datePublished" datetime="2024-11-02">Nov</time>'
    "</div></body></html>"
)


@pytest.mark.parametrize(("typed", "title"), [('"title": "Chef de rang", ', "Chef de rang"), ("", "Jobs | Site")])
def test_the_title_of_a_thing_comes_before_that_of_the_page(typed: str, title: str) -> None:
    assert text_of(JOB % typed, {"name": "title", "type": "STRING"}) == [title]


def test_structured_data_in_pages_has_words_of_its_own() -> None:
    fields = [{"name": "city", "type": "STRING"}, {"name": "gtin", "type": "STRING"}]
    fields += [{"name": "published", "type": "DATE"}, {"name": "ingredients", "type": "ARRAY"}]
    assert text_of(JOB % "", *fields) == ["Annecy", "4006381333931", date(2024, 11, 2), ("1 cup", "2 eggs")]


@pytest.mark.parametrize(
    ("document", "total"),
    [
        ({"id": "7", "lines": [{"total": "10"}], "totals": {"gross": "11.90"}}, None),
        ({"invoices": [{"id": "7", "lines": [{"total": "10"}]}]}, None),
        ({"id": "7", "lines": [{"total": "10"}], "summary": {"total": "11.90"}}, "11.90"),
        ({"id": "7", "total": ["10"]}, "10"),
        ([{"id": "7", "total": "10"}], "10"),
        ({"invoices": [{"id": "7", "total": "10"}]}, "10"),
        ({"status": "ok", "count": 1, "data": {"invoices": [{"id": "7", "total": "10"}]}}, "10"),
    ],
)
def test_a_single_record_does_not_answer_for_the_page_around_it(document: Any, total: str | None) -> None:
    assert text_of(document, {"name": "total", "type": "STRING"}) == [total]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"grand_total": 9, "supplier": {"name": "Alder"}}, {"total": (9, 0.75), "seller_name": ("Alder", 0.75)}),
        (
            {"invoice": {"gross_total": 9, "supplier_name": "Alder"}},
            {"total": (None, 0.0), "seller_name": ("Alder", 0.75)},
        ),
        (
            {"customer_id": 1, "supplier_id": 2, "supplier": {"name": "Alder"}},
            {"total": (None, 0.0), "seller_name": ("Alder", 0.75)},
        ),
        ({"total": 8, "grand_total": 9, "tax": 1}, {"total": (8, 0.8), "seller_name": (None, 0.0)}),
        ({"grand_total": 8, "total_amount": 9}, {"total": (None, 0.0), "seller_name": (None, 0.0)}),
        ({"rebate": {"grand_total": 8}, "a": 1}, {"total": (None, 0.0), "seller_name": (None, 0.0)}),
        ({"items": [{"grand_total": 8}], "a": 1}, {"total": (None, 0.0), "seller_name": (None, 0.0)}),
        (
            {"vendor": {"id": 1, "name": "Birch"}, "supplier": {"name": "Alder"}},
            {"total": (None, 0.0), "seller_name": (None, 0.0)},
        ),
    ],
)
def test_data_may_call_a_field_by_another_word_for_the_same_term(data, expected):
    fields = [{"name": n, "type": t, "required": True} for n, t in (("total", "DECIMAL"), ("seller_name", "STRING"))]
    results = paxman.normalize(data, {"id": "c", "version": "1", "fields": fields}).field_results
    assert {each.field_path: (each.value, each.confidence) for each in results} == expected


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"desc": "Bolt", "qty": 2}, ({"description": "Bolt", "quantity": 2}, 0.75)),
        ({"description": "Bolt", "quantity": 2, "price": 3}, ({"description": "Bolt", "quantity": 2}, 0.8)),
        ({"item": "B1", "product": "Bolt", "qty": 2}, (None, 0.0)),
    ],
)
def test_a_row_may_call_what_it_needs_by_another_word(row, expected):
    columns = [("description", "STRING", True), ("quantity", "DECIMAL", True), ("unit_price", "DECIMAL", False)]
    items = {"fields": [{"name": name, "type": kind, "required": needed} for name, kind, needed in columns]}
    contract = {
        "id": "c",
        "version": "1",
        "fields": [{"name": "items", "type": "ARRAY", "required": True, "items": items}],
    }
    found = paxman.normalize({"items": [row]}, contract)["items"]
    assert (found.value[0] if found.value else None, found.confidence) == expected
