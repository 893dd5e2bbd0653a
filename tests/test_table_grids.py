"""Tables of the format itself: several with the same headings, sums below them, labels beside values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from pdf_maker import make_pdf, show
from test_documents_office import make_docx, make_xlsx, paragraph

import paxman
from paxman.artifact.artifact import ExecutionArtifact

Grid = Sequence[Sequence[str]]
Writer = Callable[..., str | bytes]


def as_csv(*grids: Grid) -> str:
    return "\n".join("".join(",".join(row) + "\n" for row in grid) for grid in grids)


def as_html(*grids: Grid) -> str:
    rows = ("".join(f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in grid) for grid in grids)
    return "<html><body>" + "<p>and</p>".join(f"<table>{each}</table>" for each in rows) + "</body></html>"


def as_docx(*grids: Grid) -> bytes:
    def cells(row: Sequence[str]) -> str:
        return "".join(f"<w:tc>{paragraph(text)}</w:tc>" for text in row)

    tables = ("".join(f"<w:tr>{cells(row)}</w:tr>" for row in grid) for grid in grids)
    return make_docx(paragraph("and").join(f"<w:tbl>{table}</w:tbl>" for table in tables))


def addressed(grid: Grid) -> dict[str, Any]:
    cells = {f"{'ABCDEF'[c]}{r}": text for r, row in enumerate(grid, 1) for c, text in enumerate(row) if text}
    return {at: int(text) if text.isdecimal() else text for at, text in cells.items()}


def as_sheets(*grids: Grid) -> bytes:
    return make_xlsx({f"S{number}": addressed(grid) for number, grid in enumerate(grids)})


def on_one_sheet(*grids: Grid) -> bytes:
    return make_xlsx({"S": addressed([row for grid in grids for row in (*grid, ())])})


EVERY = [as_csv, as_html, as_docx, as_sheets]
AB = [("Sku", "Qty"), ("A", "5"), ("B", "6")]
C = [("Sku", "Qty"), ("C", "7")]


def normalize(document: str | bytes | Path, *fields: dict[str, Any]) -> ExecutionArtifact:
    return paxman.normalize(document, {"id": "paper", "version": "1", "fields": list(fields)})


def field(name: str, type: str = "STRING") -> dict[str, Any]:
    return {"name": name, "type": type, "required": False}


def read(document: str | bytes, **columns: str) -> list[tuple[str | None, ...]]:
    """Rows as tuples in the order of the columns."""
    fields = [field(name, type) for name, type in columns.items()]
    array = {**field("rows", "ARRAY"), "items": {"fields": fields}}
    found = normalize(document, array)["rows"]
    return [tuple(str(row[name]) if name in row else None for name in columns) for row in found.value or ()]


@pytest.mark.parametrize("write", [*EVERY, on_one_sheet])
def test_tables_with_the_same_headings_go_on(write: Writer) -> None:
    assert read(write(AB, C), sku="STRING", qty="INTEGER") == [("A", "5"), ("B", "6"), ("C", "7")]


@pytest.mark.parametrize("write", [as_html, as_docx, as_sheets, on_one_sheet])
@pytest.mark.parametrize("headings", [("Sku", "Qty"), ("Article no.", "Quantity")])
def test_they_may_be_in_another_order(write: Writer, headings: tuple[str, str]) -> None:
    document = write([headings, *AB[1:]], [headings[::-1], ("7", "C")])
    names = (
        {"sku": "STRING", "qty": "INTEGER"} if headings[0] == "Sku" else {"article_no": "STRING", "count": "INTEGER"}
    )
    assert read(document, **names) == [("A", "5"), ("B", "6"), ("C", "7")]


def test_something_beside_the_title_of_a_table_does_not_hide_it() -> None:
    titled = [("Items", "", "", "Order number", "77"), *AB]
    assert read(on_one_sheet(titled, C), sku="STRING", qty="INTEGER") == [("A", "5"), ("B", "6"), ("C", "7")]


def test_headings_that_come_again_inside_a_table_are_no_row() -> None:
    assert read(as_html([*AB, *C]), sku="STRING", qty="INTEGER") == [("A", "5"), ("B", "6"), ("C", "7")]


ITEMS = [("Desk", "1", "800.00"), ("Chair", "2", "250.00")]


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(
    "sums",
    [
        [("Subtotal", "", "1050.00"), ("VAT 20%", "", "210.00"), ("Total", "", "1260.00")],
        [("Total", "", "1300.00")],
        [("Total", "3", "1050.00")],
    ],
)
def test_sums_below_three_columns_are_no_items(write: Writer, sums: Grid) -> None:
    document = write([("Product", "Qty", "Price"), *ITEMS, *sums])
    assert read(document, product="STRING", qty="INTEGER", price="DECIMAL") == ITEMS


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(
    "sums",
    [
        [("Total", "1050.00")],
        [("Total June", "1050.00")],
        [("VAT", "210.00"), ("Total", "1260.00")],
        [("Subtotal", "1050.00"), ("VAT 20%", "210.00"), ("Total", "1260.00")],
    ],
)
def test_sums_below_two_columns_are_no_items(write: Writer, sums: Grid) -> None:
    items = [("Desk", "800.00"), ("Chair", "250.00")]
    assert read(write([("Product", "Price"), *items, *sums]), product="STRING", price="DECIMAL") == items


@pytest.mark.parametrize("write", EVERY)
def test_rows_named_like_a_sum_that_are_none_stay(write: Writer) -> None:
    costs = [("Rent", "800.00", "paid"), ("Food", "100.00", ""), ("Tax", "250.00", ""), ("Net", "40.00", "open")]
    found = read(write([("Category", "Amount", "Note"), *costs]), category="STRING", amount="DECIMAL")
    assert found == [cost[:2] for cost in costs]


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(("name", "type", "first"), [("date", "DATE", "2025-01-31"), ("pos", "INTEGER", "1")])
def test_a_total_in_a_column_of_dates_or_numbers_is_no_row(write: Writer, name: str, type: str, first: str) -> None:
    document = write([(name, "amount"), (first, "1100.00"), (first, "1200.00"), ("Total", "2299.99")])
    assert read(document, **{name: type, "amount": "DECIMAL"}) == [(first, "1100.00"), (first, "1200.00")]


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize("last", ["", "EUR"])
def test_a_column_of_currencies_counts_above_a_sum_too(write: Writer, last: str) -> None:
    rows = [("Desk", "10.00", "USD"), ("Chair", "20.00", "EUR"), ("Total", "30.00", last)]
    found = read(write([("Item", "Amount", "Currency"), *rows]), item="STRING", amount="MONEY")
    assert found == [("Desk", "10.00 USD"), ("Chair", "20.00 EUR")]


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(
    ("rows", "name", "value"),
    [
        ([("Invoice number", "A-17"), ("PO", "B-99")], "invoice_number", "A-17"),
        ([("Invoice number", "A-17"), ("PO", "B-99"), ("Via", "Truck")], "invoice_number", "A-17"),
        ([("Seller", "Alder Ltd"), ("Carrier", "Birch Ltd")], "seller", "Alder Ltd"),
        ([("Buyer", "Oak", "Agent", "Elm"), ("Seller", "Alder", "Carrier", "Birch")], "seller", "Alder"),
        ([("Seller", "Alder", "Carrier", "Birch"), ("Seller", "Alder", "Agent", "Elm")], "seller", "Alder"),
        ([("Invoice number", "Region"), ("A-17", "North")], "invoice_number", "A-17"),
    ],
)
def test_a_value_is_beside_its_label_or_below_it(write: Writer, rows: Grid, name: str, value: str) -> None:
    found = normalize(write(rows), field(name))[name]
    assert (found.value, [note.code for note in found.diagnostics]) == (value, [])


@pytest.mark.parametrize("write", EVERY)
def test_where_nobody_can_say_whether_it_is_below_or_beside_both_are_rivals(write: Writer) -> None:
    found = normalize(write([("Seller", "Alder"), ("Carrier", "Birch")]), field("seller"))["seller"]
    assert (found.confidence_band.value, found.diagnostics[0].code) == ("MEDIUM", "CONFLICT")


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(
    ("headings", "rows"),
    [
        (("qty", "article"), [("5", "Nut"), ("6", "Bolt")]),
        (("Date", "Article"), [("2025-03-04", "Nut"), ("2025-03-05", "Bolt")]),
        (("Article", "Hours", "Rate", "Charges"), [("Nut", "5", "6", "30.00"), ("Bolt", "6", "6", "36.00")]),
    ],
)
def test_what_stands_below_a_heading_in_many_rows_is_no_one_value(
    write: Writer, headings: tuple[str, ...], rows: Grid
) -> None:
    found = normalize(write([headings, *rows]), field("article"))["article"]
    assert (found.value, found.diagnostics[0].code) == (None, "AMBIGUOUS_VALUE")


@pytest.mark.parametrize("write", EVERY)
def test_an_amount_is_that_of_its_own_column(write: Writer) -> None:
    sums = [("Net", "VAT", "Total"), ("100.00", "20.00", "120.00")]
    assert str(normalize(write(sums), field("grand_total", "DECIMAL"))["grand_total"].value) == "120.00"


@pytest.mark.parametrize("write", EVERY)
def test_headings_may_stand_in_the_first_column(write: Writer) -> None:
    turned = [("Article", "Nut", "Bolt", "Pin"), ("Qty", "5", "6", ""), ("Price", "1.50", "2.50", "3.00")]
    found = read(write(turned), article="STRING", qty="INTEGER", price="DECIMAL")
    assert found == [("Nut", "5", "1.50"), ("Bolt", "6", "2.50"), ("Pin", None, "3.00")]


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(
    ("headings", "rows"),
    [
        (("Account", "Debit", "Credit"), [("Cash", "100.00", ""), ("Sales", "", "80.00"), ("VAT", "", "20.00")]),
        (("Name", "Rate", "Amount"), [("State tax", "5", "10.00"), ("City tax", "2", "2.50"), ("VAT", "", "1.00")]),
        (("Type", "Number", "Amount"), [("Payment", "1002", "70.00"), ("Balance", "", "20.00"), ("Fee", "4", "3.00")]),
        (
            ("Part", "Hours", "Amount"),
            [("Basic", "160", "3000.00"), ("Overtime", "10", "300.00"), ("Tax", "", "60.00")],
        ),
        (("Ticker", "Shares", "Value"), [("ABC", "5", "50.00"), ("NET", "", "100.00"), ("IBM", "5", "50.00")]),
        (("Food", "Grams", "Price"), [("Oats", "10", "1.10"), ("Milk", "20", "2.10"), ("Total cereal", "30", "3.30")]),
    ],
)
def test_rows_that_are_no_block_of_sums_below_the_others_stay(write: Writer, headings: Any, rows: Grid) -> None:
    first, second, third = map(str.lower, headings)
    found = read(write([headings, *rows]), **{first: "STRING", second: "DECIMAL", third: "DECIMAL"})
    assert [tuple(cell or "" for cell in row) for row in found] == rows


@pytest.mark.parametrize("write", EVERY)
def test_what_stands_between_sums_or_below_them_is_no_item(write: Writer) -> None:
    sums = [("Subtotal", "", "1050.00"), ("Shipping", "", "10.00"), ("Total", "", "1060.00"), ("Thank you", "", "")]
    document = write([("Product", "Qty", "Price"), *ITEMS, *sums])
    assert read(document, product="STRING", qty="INTEGER", price="DECIMAL") == ITEMS


def test_the_total_of_many_rows_is_no_row() -> None:
    rows = [(f"S{number}", "1") for number in range(3001)]
    assert read(as_csv([("Sku", "Qty"), *rows, ("Total", "3001")]), sku="STRING", qty="INTEGER") == rows


SALES = [("Product", "Qty", "Price"), ("Nut", "5", "1.50"), ("Bolt", "6", "2.50")]


@pytest.mark.parametrize("write", [as_html, as_docx, as_sheets])
@pytest.mark.parametrize(
    ("other", "names"),
    [
        ([("Column", "Type", "Meaning"), ("product", "text", "a"), ("qty", "number", "b"), ("price", "sum", "c")], 3),
        ([("", "Basic", "Pro"), ("Product", "x", "y"), ("Qty", "1", "10"), ("Price", "5", "9")], 3),
        ([("Product", "Price"), ("Hat", "9.00")], 2),
        ([("Product", "Qty", "Price"), ("Total", "11", "4.00")], 3),
        (SALES, 3),
    ],
)
def test_tables_of_another_kind_and_copies_are_not_joined(write: Writer, other: Grid, names: int) -> None:
    columns = dict([("product", "STRING"), ("price", "DECIMAL"), ("qty", "INTEGER")][:names])
    expected = [("Nut", "1.50", "5")[:names], ("Bolt", "2.50", "6")[:names]]
    assert read(write(SALES, other), **columns) == expected


LABOUR = [("Description", "Hours", "Rate", "Amount"), ("Fitting", "4", "50.00", "200.00")]
PUMPS = [("Pump", "1", "180.00", "180.00"), ("Seal", "2", "4.00", "8.00")]
SUMMED = [("Description", "Amount"), ("Labour", "200.00"), ("Parts", "188.00")]
JOINED = ("TABLES_JOINED", "2 tables have the columns that are asked for; they were joined")
LEFT = "the rows of the table headed 'Description | Date | Amount' may belong here too; they were left out"
TOGETHER = (
    "the tables headed 'Description | Hours | Rate | Amount' and {!r} were joined; they may be of different things"
)


@pytest.mark.parametrize("write", [as_html, as_docx, as_sheets])
@pytest.mark.parametrize(
    ("grids", "expected", "band", "notes"),
    [
        (
            (LABOUR, [("Description", "Qty", "Price", "Amount"), *PUMPS]),
            ["Fitting", "Pump", "Seal"],
            "MEDIUM",
            [JOINED, ("AMBIGUOUS_VALUE", TOGETHER.format("Description | Qty | Price | Amount"))],
        ),
        (
            (LABOUR, [("Item", "Qty", "Price", "Total"), *PUMPS]),
            ["Fitting", "Pump", "Seal"],
            "MEDIUM",
            [JOINED, ("AMBIGUOUS_VALUE", TOGETHER.format("Item | Qty | Price | Total"))],
        ),
        (
            (LABOUR, [("Description", "Date", "Amount"), ("Visa", "2025-01-03", "100.00")]),
            ["Fitting"],
            "MEDIUM",
            [("AMBIGUOUS_VALUE", LEFT)],
        ),
        ((SUMMED, [*LABOUR, *PUMPS]), ["Fitting", "Pump", "Seal"], "HIGH", []),
        (([*LABOUR, *PUMPS], SUMMED), ["Fitting", "Pump", "Seal"], "HIGH", []),
        ((LABOUR, [("Text", "Stunden", "Satz", "Betrag"), ("Einbau", *LABOUR[1][1:])]), ["Fitting"], "HIGH", []),
    ],
)
def test_tables_with_other_headings_over_the_same_columns_go_on_or_are_told(
    write: Writer, grids: Sequence[Grid], expected: list[str], band: str, notes: list[tuple[str, str]]
) -> None:
    columns = [{**field("description"), "required": True}, {**field("amount", "DECIMAL"), "required": True}]
    found = normalize(write(*grids), {**field("rows", "ARRAY"), "items": {"fields": columns}})["rows"]
    told = [(note.code, note.message) for note in found.diagnostics if note.code != "LOW_CONFIDENCE"]
    assert [row["description"] for row in found.value] == expected
    assert (found.confidence_band.value, told) == (band, notes)


def below(title: str, headings: str, row: str) -> str:
    rows = "".join(f"<tr><td>{'<td>'.join(each.split())}" for each in row.split(";"))
    return f"<h2>{title}</h2><table><tr><th>{'<th>'.join(headings.split(','))}{rows}</table>"


COUNTED = "Item,Qty,Unit price,Amount"


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (("Shipped", "Item,Qty", "Bolt 3"), ("Back-ordered", "Product,Quantity", "Nut 7"), ["Bolt"]),
        (("Sent", COUNTED, "Bolt 3 2 6"), ("Kept", "Article,Quantity,Price,Amount", "Nut 7 1 7"), ["Bolt"]),
        (("", COUNTED, "Bolt 3 2 6"), ("", "Returned item,Qty,Unit price,Amount", "Nut 7 1 7"), ["Bolt"]),
        (("", COUNTED, "Bolt 3 2 6;Total - - 6"), ("", "Item,Quantity,Price,Total", "Nut 7 1 7"), ["Bolt"]),
        (("", COUNTED, "Bolt 3 2 6"), ("", "Item,Quantity,Price,Total", "Nut 7 1 7"), ["Bolt", "Nut"]),
        (("Work", "Item,Qty,Rate,Sum", "Fit 2 3 6"), ("Parts", "Item,Qty,Price,Amount", "Nut 9 7 63"), ["Fit", "Nut"]),
    ],
)
def test_a_title_a_sum_or_a_word_in_a_heading_parts_tables(first, second, expected) -> None:
    columns = [field("description"), field("quantity", "DECIMAL")]
    document = below(*first) + below(*second)
    found = normalize(document, {**field("rows", "ARRAY"), "items": {"fields": columns}})["rows"]
    headings = [repr(headings.replace(",", " | ")) for _, headings, _ in (first, second)]
    told = f"the rows of the table headed {headings[1]} may belong here too; they were left out"
    if len(expected) > 1:
        told = f"the tables headed {' and '.join(headings)} were joined; they may be of different things"
    notes = [note.message for note in found.diagnostics if note.code == "AMBIGUOUS_VALUE"]
    assert [row["description"] for row in found.value] == expected
    assert (found.confidence_band.value, notes) == ("MEDIUM", [told])


TITLED = "<h2>{}</h2><table><tr><th>Sku<th>Qty<tr><td>A<td>5</table>".format
ONCE = [("A", "5")]


def two_sheets(*names: str) -> bytes:
    return make_xlsx({name: addressed(AB[:2]) for name in names})


@pytest.mark.parametrize(
    "document",
    [
        TITLED("Delivered") + TITLED("Returned"),
        on_one_sheet([("Delivered",), *AB[:2]], [("Returned",), *AB[:2]]),
        two_sheets("January", "May"),
        two_sheets("Week1", "Week2"),
        two_sheets("Q1", "Q2"),
        two_sheets("KW12", "KW13"),
    ],
)
def test_equal_rows_below_another_title_may_be_no_copy(document: str | bytes) -> None:
    array = {**field("rows", "ARRAY"), "items": {"fields": [field("sku"), field("qty")]}}
    found = normalize(document, array)["rows"]
    told = "2 tables have equal rows under different titles; they were taken once"
    assert [(row["sku"], row["qty"]) for row in found.value] == ONCE
    assert found.confidence_band.value == "MEDIUM"
    assert ("AMBIGUOUS_VALUE", told) in [(note.code, note.message) for note in found.diagnostics]


@pytest.mark.parametrize(
    "document",
    [
        TITLED("Delivered") + TITLED("Delivered:"),
        TITLED("Delivered") + TITLED(""),
        TITLED("Delivered") + TITLED("Here it is once more."),
        TITLED("Original") + TITLED("Copy"),
        TITLED("Customer copy") + TITLED("Shop copy"),
        two_sheets("Sheet1", "Sheet1 (2)"),
        two_sheets("Tabelle1", "Tabelle2"),
        two_sheets("Order", "Order (2)"),
        two_sheets("Order", "Copy of Order"),
        two_sheets("Order", "Backup"),
        two_sheets("Data", "Print"),
    ],
)
def test_equal_rows_below_the_title_of_a_copy_are_copies(document: str | bytes) -> None:
    array = {**field("rows", "ARRAY"), "items": {"fields": [field("sku"), field("qty")]}}
    found = normalize(document, array)["rows"]
    told = "2 tables have the same headings; they are copies of one"
    assert [(row["sku"], row["qty"]) for row in found.value] == ONCE
    assert found.confidence_band.value == "HIGH"
    assert [(note.code, note.message) for note in found.diagnostics] == [("TABLES_JOINED", told)]


def test_rows_of_a_message_that_are_attached_as_well_are_copies() -> None:
    mail = EmailMessage()
    mail["From"] = "a@b.example"
    mail.set_content(TITLED("Order"), subtype="html")
    mail.add_attachment(as_sheets(AB[:2]), maintype="application", subtype="octet-stream", filename="a.xlsx")
    assert read(bytes(mail), sku="STRING", qty="INTEGER") == ONCE


def test_tables_that_are_joined_are_told() -> None:
    array = {**field("rows", "ARRAY"), "items": {"fields": [field("sku"), field("qty")]}}
    found = normalize(as_html(AB, C, AB), array)["rows"]
    told = "3 tables have the same headings; 2 were joined, the others are copies"
    assert [(note.code, note.message) for note in found.diagnostics] == [("TABLES_JOINED", told)]


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(
    "rows",
    [
        [("Key", "Value", "Default"), ("name", "prod", "dev"), ("city", "Rome", "Oslo")],
        [("Name", "Ann", "Bo"), ("Age", "old", "young"), ("City", "Rome", "Oslo")],
    ],
)
def test_a_first_column_of_names_whose_rows_do_not_fit_is_no_heading(write: Writer, rows: Grid) -> None:
    assert read(write(rows), name="STRING", age="INTEGER", city="STRING") == []


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(
    ("rows", "name", "value"),
    [
        ([("Customer", "City"), ("Alder Ltd", "York")], "customer", "Alder Ltd"),
        ([("Buyer", "Colour"), ("Alder", "red"), ("Alder", "blue")], "buyer", "Alder"),
        ([("Currency", "Spot"), ("EUR", "1.10")], "currency", "EUR"),
        ([("Seller", "Carrier"), ("Alder Ltd", "Birch Ltd")], "seller", "Alder Ltd"),
        ([("Invoice No.", "Supplier", "Customer"), ("A-17", "Alder", "Birch")], "seller", "Alder"),
        ([("Invoice No.", "Supplier", "Customer"), ("A-17", "Alder", "Birch")], "buyer", "Birch"),
    ],
)
def test_a_value_is_below_its_heading(write: Writer, rows: Grid, name: str, value: str) -> None:
    found = normalize(write(rows), field(name))[name]
    assert (found.value, [note.code for note in found.diagnostics]) == (value, [])


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(("rows", "band"), [([("Cash", "Jo")], "MEDIUM"), ([("Cash", "Jo"), ("Cash", "Jo")], "HIGH")])
def test_a_value_that_is_a_term_of_business_papers_is_no_label(write: Writer, rows: Grid, band: str) -> None:
    found = normalize(write([("Payment method", "Clerk"), *rows]), field("payment_method"))["payment_method"]
    assert (found.value, found.confidence_band.value) == ("Cash", band)


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("Contact", "Jane Doe"), ("Date", "12 May 2024")], ("Jane Doe", "HIGH")),
        (
            [("Contact", "Jane Doe"), ("Phone", "555-1234"), ("Clerk", "Jo"), ("Date", "12 May 2024")],
            ("Jane Doe", "HIGH"),
        ),
        ([("Contact", "Taken"), ("Cash", "12.00")], ("Cash", "MEDIUM")),
        ([("Contact", "Value"), ("Date", "12 May 2024")], ("Date", "MEDIUM")),
    ],
)
def test_what_fits_the_labels_below_tells_pairs_from_columns(
    write: Writer, rows: Grid, expected: tuple[str, str]
) -> None:
    found = normalize(write(rows), field("contact"))["contact"]
    assert (found.value, found.confidence_band.value) == expected


def test_a_row_of_heading_cells_is_one() -> None:
    document = "<table><tr><th>Status<th>Clerk</tr><tr><td>Paid<td>Jo</tr></table>"
    found = normalize(document, field("status"))["status"]
    assert (found.value, found.confidence_band.value) == ("Paid", "HIGH")


def test_a_value_is_that_of_its_own_column_in_a_file_with_two_tables(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    items = [("Description", "Qty", "Unit price", "Amount"), ("Nut", "5", "1.00", "5.00"), ("Pin", "2", "2.00", "4.00")]
    path.write_text(as_csv([("Invoice no.", "Date", "Customer no."), ("A-17", "2025-03-04", "C-9")], items))
    assert normalize(path, field("customer_number"))["customer_number"].value == "C-9"


@pytest.mark.parametrize("write", [as_html, as_docx, as_sheets])
@pytest.mark.parametrize("other", [[("Article", "Quantity"), ("Hat", "9")], [("Item no.", "Quantity"), ("A", "5")]])
def test_tables_bound_by_what_headings_mean_are_joined_alike(write: Writer, other: Grid) -> None:
    table = [("Item no.", "Quantity"), ("A", "5"), ("B", "6")]
    expected = [("A", "5"), ("B", "6"), ("A", "5")] if other[0] == table[0] else [("A", "5"), ("B", "6")]
    assert read(write(table, other, table), article_no="STRING", count="INTEGER") == expected


ORDER = "Item,Quantity,Amount\nLamp,4,119.60\nBulb,20,70.00\nTotal,24,189.60\n"
WEB_ORDER = "<table><tr><th>Item<th>Quantity<th>Amount<tr><td>Lamp<td>4<td>119.60<tr><td>Total<td>24<td>189.60</table>"


@pytest.mark.parametrize(
    ("document", "name", "value", "cell"),
    [
        (ORDER, "total", "189.60", "C4"),
        (ORDER, "grand_total", "189.60", "C4"),
        ("Description,Base,Amount\nWork,,100.00\nTotal,,120.00\n", "total", "120.00", "C3"),
        ("Ort,Menge,Betrag\nBüro,10,200.00\nLager,15,300.00\nSumme,25,500.00\n", "total", "500.00", "C4"),
        (WEB_ORDER, "total", "189.60", None),
        ("<table><tr><td>VAT<td>20%<td>12.00<tr><td>Discount<td>5%<td>-5.00</table>", "vat", "12.00", None),
    ],
)
def test_a_sum_is_the_last_figure_of_its_row_and_never_read_across_cells(document, name, value, cell):
    contract = {"id": "x", "version": "1", "fields": [{"name": name, "type": "DECIMAL", "required": False}]}
    result = paxman.normalize(document.encode(), contract)[name]
    assert result.value == Decimal(value)
    assert cell is None or result.evidence_refs[0].source.cell == cell


SOCKS = "<table><tr><th>Product<th>Price<tr><td>Socks<td>9.99</table>"
CHAIR = "<table><tr><td>Product<td>Chair<tr><td>Price<td>9.99</table>"


@pytest.mark.parametrize("table", [SOCKS, CHAIR])
def test_a_cell_and_a_label_outside_of_the_table_rival(table: str) -> None:
    rivals = normalize(f"<html><p>Price: 89.99</p>{table}", field("price", "DECIMAL"))["price"]
    assert (str(rivals.value), rivals.confidence_band.value) == ("9.99", "MEDIUM")
    (conflict,) = (note for note in rivals.diagnostics if note.code == "CONFLICT")
    assert [lost["value"] for lost in conflict.context["lost"]] == ["89.99"]
    agreed = normalize(f"<html><p>Price: 9.99</p>{table}", field("price", "DECIMAL"))["price"]
    assert (str(agreed.value), agreed.confidence_band.value) == ("9.99", "HIGH")


def test_a_text_that_says_more_than_the_cell_is_no_rival() -> None:
    table = "<table><tr><th>Order<th>Customer<tr><td>A-77<td>Alder Ltd</table>"
    found = normalize(f"<html><p>Customer: Alder Ltd, York</p>{table}", field("customer"))["customer"]
    assert (found.value, found.confidence_band.value, found.diagnostics) == ("Alder Ltd", "HIGH", ())


@pytest.mark.parametrize(
    ("text", "cell", "band"),
    [
        ("see the table below", "Shipped", "HIGH"),
        ("12 kg", "12.0 kg", "HIGH"),
        ("1200", "1,200.0", "HIGH"),
        ("Held", "Shipped", "MEDIUM"),
        ("0077", "77", "MEDIUM"),
        ("held", "shipped", "MEDIUM"),
    ],
)
@pytest.mark.parametrize("name", ["order_state", "orderState"])
def test_a_remark_or_the_same_number_beside_a_label_is_no_rival_of_a_cell(
    name: str, text: str, cell: str, band: str
) -> None:
    table = f"<table><tr><th>Order<th>Order state<tr><td>A-77<td>{cell}</table>"
    found = normalize(f"<html><p>Order-state: {text}</p>{table}", field(name))[name]
    assert (found.value, found.confidence_band.value) == (cell, band)


PLACED = [("Customer", "Alder Ltd", "York"), ("Order", "A-77", "open")]


@pytest.mark.parametrize("write", [as_csv, as_html, as_sheets])
@pytest.mark.parametrize(
    ("rows", "others", "expected"),
    [
        (PLACED, ["order"], ("Alder Ltd", "HIGH")),
        ([*PLACED, ("Carrier", "Birch Ltd", "Leeds")], ["order", "carrier"], ("Alder Ltd", "HIGH")),
        (PLACED, [], ("Order", "MEDIUM")),
        ([("Customer", "Region", "Stage"), ("Order", "A-77", "open")], ["order"], ("Order", "MEDIUM")),
        ([("Customer", "2024", "2023"), ("Order", "12", "15")], ["order"], ("Order", "MEDIUM")),
        ([("Customer", "City", "Stage"), ("Alder Ltd", "York", "open")], ["city"], ("Alder Ltd", "HIGH")),
        ([("Customer", "Region", "Stage"), ("Alder Ltd", "North", "open")], [], ("Alder Ltd", "HIGH")),
    ],
)
def test_labels_before_two_cells_are_no_headings(
    write: Writer, rows: Grid, others: list[str], expected: tuple[str, str]
) -> None:
    found = normalize(write(rows), *map(field, ("customer", *others)))["customer"]
    assert (found.value, found.confidence_band.value) == expected


BOOKS = "Titel;ISBN;Anzahl;Preis\nDie Fähre;978-3-0369-5645-7;1;12,40\nAtlas;978-3-7022-4011-9;2;68,00\n"
PARTS = "Artikel;Menge;Preis;Bemerkung\nHammer;1;12,40;rot\nSäge;2;68,00;blau\n"


@pytest.mark.parametrize(
    ("file", "names", "taken", "band", "note"),
    [
        (
            BOOKS,
            ("title", "isbn", "quantity", "price"),
            ["Die Fähre", "Atlas"],
            "HIGH",
            None,
        ),
        (
            BOOKS.replace("Titel", "Remarks"),
            ("title", "isbn", "quantity", "price"),
            None,
            "UNTRUSTED",
            "the table was left out: no heading names 'title'; not used: 'Remarks'; a label may name one",
        ),
        (
            PARTS,
            ("batch", "description", "quantity", "price"),
            None,
            "UNTRUSTED",
            "the table was left out: no heading names 'batch'; not used: 'Bemerkung'; a label may name one",
        ),
        (
            PARTS.replace("Menge", "Farbe"),
            ("title", "quantity", "price"),
            None,
            "UNTRUSTED",
            None,
        ),
    ],
)
def test_a_required_text_without_a_heading_is_told(file, names, taken, band, note) -> None:
    kinds = {"quantity": "INTEGER", "price": "DECIMAL"}
    columns = [{**field(name, kinds.get(name, "STRING")), "required": True} for name in names]
    artifact = normalize(file.encode(), {**field("rows", "ARRAY"), "items": {"fields": columns}})
    found = artifact["rows"]
    notes = [each.message for each in artifact.diagnostics if "no heading names" in each.message]
    assert found.confidence_band.value == band
    assert (found.value and [row[names[0]] for row in found.value]) == taken
    assert notes == ([note] if note else [])


@pytest.mark.parametrize(
    ("required", "others", "inside", "severities"),
    [
        (True, (), (), ["WARNING"]),
        (False, (), (), ["INFO"]),
        (True, ("parts",), (), []),
        (True, (), ("parts",), []),
    ],
)
def test_the_note_is_no_warning_where_nothing_is_amiss(required, others, inside, severities) -> None:
    def array(name: str, first: str, required: bool) -> dict[str, Any]:
        columns = [{**field(each), "required": True} for each in (first, "quantity", "price")]
        return {**field(name, "ARRAY"), "required": required, "items": {"fields": columns}}

    fields = [array(each, "description", True) for each in others]
    nested = [array(each, "description", True) for each in inside]
    if nested:
        fields.append({**field("order", "OBJECT"), "fields": nested})
    artifact = normalize(PARTS.encode(), array("books", "isbn", required), *fields)
    notes = [each for each in artifact.diagnostics if "no heading names" in each.message]
    assert [each.severity.value for each in notes] == severities


@pytest.mark.parametrize(
    "names", [("date", "description", "quantity", "price", "total"), ("date", "description", "total")]
)
def test_a_day_makes_no_item_of_a_deposit_or_tax_below_items(names: tuple[str, ...]) -> None:
    file = "Date;Service;Hours;Rate;Line amount\n2025-01-02;Design;2;5.00;10.00\n2025-01-03;Review;1;7.00;7.00\n"
    file += "2025-01-05;VAT;;;3.40\n2025-01-05;Sales tax 20%;;;3.40\n"
    file += "2025-01-06;Paid;;;-5.00\n2025-01-06;Total;;;15.40\n"
    kinds = {"date": "DATE", "description": "STRING"}
    rows = read(file, **{name: kinds.get(name, "DECIMAL") for name in names})
    assert [row[1] for row in rows] == ["Design", "Review"]


def test_what_was_paid_on_a_day_is_no_sum() -> None:
    file = "Details,Posting Date,Amount,Check or Slip #\nDEBIT,01/19/2025,-4.75,\nCREDIT,01/28/2025,18.50,\n"
    file += "CHECK,01/30/2025,-6.00,7\n"
    assert read(file, details="STRING", amount="DECIMAL", check_number="STRING", posting_date="DATE") == [
        ("DEBIT", "-4.75", None, "2025-01-19"),
        ("CREDIT", "18.50", None, "2025-01-28"),
        ("CHECK", "-6.00", "7", "2025-01-30"),
    ]


def test_balances_and_totals_with_a_day_are_sums() -> None:
    file = "Text,Date,Amount,Ref\nOpening balance,01/01/2025,9.00,\nFuel,01/19/2025,4.75,a\nFood,01/28/2025,18.00,b\n"
    rows = read(f"{file}Total,01/30/2025,22.75,\n", description="STRING", date="DATE", amount="DECIMAL", ref="STRING")
    assert [row[0] for row in rows] == ["Fuel", "Food"]


@pytest.mark.parametrize("write", [as_csv, as_html, as_sheets])
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("Clerk:", "Carla", "Unit:", "Sales"), ("Zone:", "North", "Room:", "E1")], ("Carla", "Sales")),
        ([("Clerk:", "Unit:", "Note"), ("Carla", "Sales", "new")], ("Carla", "Sales")),
        ([("Clerk:", "Unit:"), ("Carla", "Sales")], ("Carla", "Sales")),
    ],
)
def test_a_row_of_labels_and_values_is_no_row_of_headings(write: Writer, rows: Grid, expected) -> None:
    artifact = normalize(write(rows), field("clerk"), field("unit"))
    assert (artifact["clerk"].value, artifact["unit"].value) == expected


@pytest.mark.parametrize("signs", ['";', ";", '",', ","])
def test_a_value_above_a_table_has_no_quotes_and_delimiters(signs: str) -> None:
    rows = (
        "Account holder:;Petra Lind",
        "Date;Payee;Purpose;Amount",
        "2025-01-02;Alder;Rent;86",
        "2025-01-03;Ash;Gas;9",
    )
    quote, mark = signs[:-1], signs[-1]
    lines = [mark.join(f"{quote}{cell}{quote}" for cell in row.split(";")) for row in rows]
    found = normalize("\n".join([lines[0], "", *lines[1:], ""]), field("account_holder"))["account_holder"]
    assert (found.value, found.confidence_band.value) == ("Petra Lind", "HIGH")


def as_text(grid: Grid) -> str:
    return "".join(f"{row[0]:24}{row[1]:>6}{row[2]:>12}{row[3]:>12}\n" for row in grid)


def as_pipes(grid: Grid) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in grid)


def as_pdf(grid: Grid) -> bytes:
    places = ((text, x, 700 - 16 * number) for number, row in enumerate(grid) for text, x in zip(row, XS, strict=True))
    return make_pdf(b"".join(show(text, x, y) for text, x, y in places if text))


ITEM_NAMES = ("description", "quantity", "unit_price", "line_total")
FIELDS = [
    {"name": name, "type": "STRING" if name == "description" else "DECIMAL", "required": False} for name in ITEM_NAMES
]
LINES = {"name": "lines", "type": "ARRAY", "required": True, "items": {"fields": FIELDS}}
XS = (50, 250, 330, 430)
BOLT, NUT, HINGE = ("Bolt", "3", "2.00", "6.00"), ("Nut", "4", "1.00", "4.00"), ("Hinge", "5", "3.00", "15.00")
TOTALLED = [
    [BOLT, NUT, ("Total", "", "", "10.00")],
    [BOLT, NUT, ("Subtotal", "", "", "10.00"), ("VAT 20%", "", "", "2.00"), ("Total", "", "", "12.00")],
    [BOLT, ("Carried forward", "", "", "6.00"), ("Brought forward", "", "", "6.00"), NUT, ("Total", "", "", "10.00")],
    [BOLT, NUT, ("Subtotal", "", "", "10.00"), HINGE, ("Total", "", "", "25.00"), ("Amount due", "", "", "25.00")],
]


@pytest.mark.parametrize("grid", TOTALLED)
@pytest.mark.parametrize("write", [*EVERY, as_text, as_pipes, as_pdf])
@pytest.mark.parametrize("headings", [("Description", "Qty", "Unit price", "Amount"), ITEM_NAMES])
def test_rows_in_are_rows_out_and_sums_in_every_format(headings: Sequence[str], write: Writer, grid: Grid) -> None:
    found = normalize(write([headings, *grid]), LINES)["lines"]
    items = [row[0] for row in grid if row[1]]
    sums = [(note.context["row"], note.severity.value) for note in found.diagnostics if note.code == "ROW_REJECTED"]
    assert ([row["description"] for row in found.value], found.confidence_band.value) == (items, "HIGH")
    assert sums == [(number, "INFO") for number, row in enumerate(grid, 1) if not row[1]]


@pytest.mark.parametrize(
    "end",
    ["\nTotal                                        10.00\n", "                              Total        10.00\n"],
)
def test_a_total_below_a_gap_or_outside_the_columns_is_no_row(end: str) -> None:
    text = as_text([("Description", "Qty", "Unit price", "Amount"), BOLT, NUT]) + end
    found = normalize(text, LINES)["lines"]
    assert ([row["description"] for row in found.value], found.diagnostics) == (["Bolt", "Nut"], ())


HEADS, CABINET, SHELF = ("Item", "Qty", "Price", "Total"), ("Cabinet", "2", "199", "398"), ("Shelf", "4", "39.5", "158")
UNSURE = "{!r} may be part of the text above it, or a title, note or item of its own; it was {}"


def alone(text: str) -> tuple[str, ...]:
    return (text, "", "", "")


def items_of(document: str | bytes, required: bool, *names: str) -> tuple[Any, ...]:
    columns = [{**field(n, "DECIMAL" if n in ("qty", "price", "total") else "STRING")} for n in names]
    for column in columns:
        column["required"] = required or column is columns[0]
    found = normalize(document, {**field("rows", "ARRAY"), "items": {"fields": columns}})["rows"]
    told = [note.message for note in found.diagnostics if note.code in ("ROW_REJECTED", "AMBIGUOUS_VALUE")]
    return [row[names[0]] for row in found.value], found.confidence_band.value, told


TITLES = [f"row {number} was left out: a title, not an item" for number in (1, 3)]


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize("required", [True, False])
@pytest.mark.parametrize("names", [("item", "qty", "price", "total"), ("description", "quantity", "price", "total")])
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("Cabinet (big", *CABINET[1:]), alone("XL)"), SHELF], (["Cabinet (big XL)", "Shelf"], "HIGH", [])),
        ([CABINET, alone("- grey"), alone("- XL"), SHELF], (["Cabinet - grey - XL", "Shelf"], "HIGH", [])),
        (
            [CABINET, alone("Colour: red"), SHELF],
            (["Cabinet", "Shelf"], "HIGH", ["row 2 was left out: a property of the row above, not an item"]),
        ),
        (
            [alone("Furniture"), CABINET, alone("Storage"), SHELF],
            (
                ["Cabinet", "Shelf"],
                "MEDIUM",
                [*TITLES, *(UNSURE.format(title, "left out") for title in ("Furniture", "Storage"))],
            ),
        ),
    ],
)
def test_a_row_of_one_text_is_part_of_the_row_above_or_a_title(write, required, names, rows, expected) -> None:
    found, band, told = items_of(write([HEADS, *rows]), required, *names)
    assert (found, band, sorted(told)) == (*expected[:2], sorted(expected[2]))


MISSING = "row {} was left out: {}: missing"


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(
    ("rows", "in_files", "elsewhere"),
    [
        ([CABINET, alone("Quince"), SHELF], "HIGH", "MEDIUM"),
        ([alone("Quince"), CABINET, SHELF], "MEDIUM", "MEDIUM"),
        ([CABINET, SHELF, alone("Quince")], "MEDIUM", "MEDIUM"),
        ([CABINET, alone("14 inch grey"), SHELF], "MEDIUM", "MEDIUM"),
        ([("Maths: algebra", *CABINET[1:]), alone("History: Rome"), SHELF], "HIGH", "MEDIUM"),
    ],
)
def test_a_row_without_its_numbers_is_a_row_if_these_are_optional(write, rows, in_files, elsewhere) -> None:
    (text,) = [row[0] for row in rows if not row[1]]
    place = [row[0] for row in rows].index(text) + 1
    taken = [UNSURE.format(text, "taken for an item")]
    left = [MISSING.format(place, "qty"), UNSURE.format(text, "left out")]
    is_file, names = write is as_csv, ("item", "qty", "price", "total")
    band = in_files if is_file else elsewhere
    document = write([HEADS, *rows])
    assert items_of(document, False, *names) == ([row[0] for row in rows], band, taken if band == "MEDIUM" else [])
    items, band, told = items_of(document, True, *names)
    assert (items, band) == ([row[0] for row in rows if row[1]], "HIGH" if is_file else "MEDIUM")
    assert sorted(told) == sorted(left[:1] if is_file else left)


@pytest.mark.parametrize("write", EVERY)
def test_a_text_that_begins_small_goes_on_with_the_row_above(write: Writer) -> None:
    names = ("item", "qty", "price", "total")
    document = write([HEADS, CABINET, alone("lockable grey"), SHELF])
    joined = ["Cabinet lockable grey", "Shelf"]
    optional = (joined, "MEDIUM", [UNSURE.format("lockable grey", "joined to it")])
    if write is as_csv:
        told = UNSURE.format("lockable grey", "taken for an item")
        optional = (["Cabinet", "lockable grey", "Shelf"], "MEDIUM", [told])
    assert (items_of(document, True, *names), items_of(document, False, *names)) == ((joined, "HIGH", []), optional)


def test_a_text_over_several_rows_has_them_all_for_evidence() -> None:
    text = 'Item,Qty,Price\nCabinet,2,199\n"lockable, grey",,\n'
    columns = [field("item"), {**field("qty", "INTEGER"), "required": True}, field("price", "DECIMAL")]
    found = normalize(text, {**field("rows", "ARRAY"), "items": {"fields": columns}})["rows"]
    (quote,) = [text[slice(*ref.span)] for ref in found.evidence_refs if ref.field_path == "rows[0].item"]
    assert (found.value[0]["item"], quote) == ("Cabinet lockable, grey", 'Cabinet,2,199\n"lockable, grey')


def test_a_cell_as_wide_as_the_table_is_a_title() -> None:
    wide = "<table><tr><th>Dish<th>Price<tr><td colspan=2>Starters<tr><td>Soup<td>5.50<tr><td colspan=2>Mains"
    titles = [f"row {number} was left out: a title, not an item" for number in (1, 3)]
    found = items_of(f"{wide}<tr><td>Stew<td>14.00</table>", False, "dish", "price")
    assert found == (["Soup", "Stew"], "HIGH", titles)


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ([("Dish", "Price"), ("Soup", "5.50"), ("Lobster", ""), ("Stew", "14.00")], {"price": "DECIMAL"}),
        ([("Dish", "Age"), ("Ann", "5"), ("de Vries", ""), ("Cy", "14")], {"age": "INTEGER"}),
        ([("Dish", "Remark"), ("Ann", "good"), ("bob", ""), ("Cy", "bad")], {"remark": "STRING"}),
    ],
)
@pytest.mark.parametrize("write", EVERY)
def test_a_row_that_lacks_one_optional_value_is_a_row(write: Writer, rows: Grid, columns: dict[str, str]) -> None:
    assert [row[0] for row in read(write(rows), dish="STRING", **columns)] == [row[0] for row in rows[1:]]


def set_wide(grid: Grid) -> str:
    return "".join(f"{row[0]:18}" + "".join(f"{text:>18}" for text in row[1:]) + "\n" for row in grid)


@pytest.mark.parametrize("write", [as_csv, as_html, as_docx, as_sheets, set_wide])
@pytest.mark.parametrize(
    ("headings", "cells", "name", "taken", "are_rivals"),
    [
        (("Old price", "New price"), ("2.10", "2.30"), "price", 1, True),
        (("Old price", "New price"), ("2.10", "2.30"), "unit_price", 1, True),
        (("Precio anterior", "Precio actual"), ("2.10", "2.30"), "price", 1, True),
        (("Planned hours", "Actual hours"), ("10.5", "12.5"), "hours", 1, True),
        (("Total excl VAT", "Total incl VAT"), ("2.10", "2.30"), "total", 0, True),
        (("Old price", "New price"), ("2.10", "2.10"), "price", 1, False),
        (("Old price", "Price"), ("2.10", "2.30"), "unit_price", 1, False),
        (("Unit price", "Total price"), ("2.10", "4.20"), "price", 0, False),
        (("List price", "Weight"), ("2.10", "4.20"), "unit_price", 0, False),
        (("List price", "Net price"), ("2.50", "2.10"), "unit_price", 1, False),
    ],
)
def test_columns_that_a_word_more_tells_apart_are_rivals(
    write: Writer, headings: tuple[str, str], cells: tuple[str, str], name: str, taken: int, are_rivals: bool
) -> None:
    columns = [{**field("article"), "required": True}, {**field(name, "DECIMAL"), "required": True}]
    grid = [("Article", *headings), ("Bread", *cells)]
    found = normalize(write(grid), {**field("rows", "ARRAY"), "items": {"fields": columns}})["rows"]
    notes = [note.message for note in found.diagnostics if note.code == "AMBIGUOUS_VALUE"]
    told = f"{headings[0]!r} and {headings[1]!r} may each be the {name}; {headings[taken]!r} was taken"
    band, messages = ("MEDIUM", [told]) if are_rivals else ("HIGH", [])
    assert (str(found.value[0][name]), found.confidence_band.value, notes) == (cells[taken], band, messages)


@pytest.mark.parametrize("write", [as_csv, as_html, set_wide])
def test_of_rivals_the_one_that_quantity_times_price_proves_is_sure(write: Writer) -> None:
    grid = [("Item", "Qty", "Net price", "Gross price", "Total"), ("Bread", "2", "2.10", "2.30", "4.20")]
    columns = [{**field(n, "STRING" if n == "item" else "DECIMAL")} for n in ("item", "qty", "price", "total")]
    found = normalize(write(grid), {**field("rows", "ARRAY"), "items": {"fields": columns}})["rows"]
    assert (str(found.value[0]["price"]), found.confidence_band.value, found.diagnostics) == ("2.10", "HIGH", ())


@pytest.mark.parametrize("write", EVERY)
def test_what_stands_between_items_and_their_sum_is_a_charge(write: Writer) -> None:
    below = [("Discount 10%", "", "", "-1.00"), ("Delivery", "", "", "5.00"), ("Subtotal", "", "", "14.00")]
    grid = [("Description", "Qty", "Unit price", "Amount"), BOLT, NUT, *below, ("VAT 20%", "", "", "2.80")]
    found = normalize(write(grid), LINES)["lines"]
    kinds = ["charge", "charge", "sum", "sum"]
    told = [f"row {number} was left out: a {kind}, not an item" for number, kind in enumerate(kinds, 3)]
    assert ([row["description"] for row in found.value], found.confidence_band.value) == (["Bolt", "Nut"], "HIGH")
    assert [note.message for note in found.diagnostics] == told


@pytest.mark.parametrize("write", EVERY)
def test_the_only_column_without_a_heading_may_be_the_description(write: Writer) -> None:
    columns = [{**column, "required": True} for column in FIELDS]
    array = {**LINES, "items": {"fields": columns}}
    found = normalize(write([("", "Qty", "Unit price", "Amount"), BOLT, NUT]), array)["lines"]
    told = [note.message for note in found.diagnostics if note.code == "AMBIGUOUS_VALUE"]
    assert ([row["description"] for row in found.value], found.confidence_band.value) == (["Bolt", "Nut"], "MEDIUM")
    assert told == ["no heading names 'description'; the column without one fits"]


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(
    ("name", "values", "band"),
    [("amount", ["-80", "500"], "HIGH"), ("no", ["80", "500"], "HIGH"), ("growth", ["-80", "500"], "MEDIUM")],
)
def test_what_a_column_is_of_tells_what_brackets_around_a_number_mean(write, name, values, band) -> None:
    fields = [field("account"), field(name, "DECIMAL")]
    grid = [("Account", name.title()), ("Returns", "(80)"), ("Sales", "500")]
    found = normalize(write(grid), {**field("lines", "ARRAY"), "items": {"fields": fields}})["lines"]
    assert ([str(row[name]) for row in found.value], found.confidence_band.value) == (values, band)


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("Gift card", "1", "15.00"), ("Nut", "12", "3.10")], ["Bolt", "Gift card", "Nut"]),
        ([("Nut", "12", "3.10"), ("Transport", "1", "15.00")], ["Bolt", "Nut", "Transport"]),
        ([("Cash", "", "15.00"), ("Nut", "12", "3.10")], ["Bolt", "Nut"]),
        ([("Nut", "12", "3.10"), ("Cash", "", "15.00"), ("Change", "", "9.90")], ["Bolt", "Nut"]),
        ([("Nut", "12", "3.10"), ("Total", "22", "5.10"), ("Cash", "1", "6.00")], ["Bolt", "Nut"]),
        ([("Report", "", "2.00"), ("Nut", "12", "3.10")], ["Bolt", "Nut"]),
    ],
)
def test_rows_named_like_a_payment_are_items_by_their_quantity_or_those_below(write, rows, expected) -> None:
    grid = [("Item", "Qty", "Price"), ("Bolt", "10", "2.00"), *rows]
    assert [name for name, _ in read(write(grid), item="STRING", quantity="DECIMAL")] == expected


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("Cash", "15.00"), ("Transport", "18.50"), ("Meals", "20.00")], ["Hotel", "Cash", "Transport", "Meals"]),
        ([("Meals", "20.00"), ("Transport", "18.50")], ["Hotel", "Meals", "Transport"]),
        ([("Meals", "20.00"), ("Report", "140.00"), ("Taxi", "9.00")], ["Hotel", "Meals", "Taxi"]),
        ([("Meals", "20.00"), ("Cash", "150.00"), ("Change", "10.00")], ["Hotel", "Meals"]),
    ],
)
def test_rows_named_like_a_payment_are_items_among_others(write, rows, expected) -> None:
    grid = [("Article", "Amount"), ("Hotel", "120.00"), *rows]
    assert [name for name, _ in read(write(grid), description="STRING", line_total="DECIMAL")] == expected


DAYS = [("2025-03-01", "Hotel", "120.00"), ("", "Taxi", "9.00"), ("2025-03-02", "Meals", "20.00")]


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize("names", [("date", "item", "amount"), ("date", "description", "line_total")])
@pytest.mark.parametrize(
    ("rows", "days", "notes"),
    [
        (DAYS, ["2025-03-01", None, "2025-03-02"], ["rows without a day may have that of the row above"]),
        ([DAYS[1], DAYS[0], DAYS[2]], [None, "2025-03-01", "2025-03-02"], []),
        ([DAYS[0], DAYS[2], ("", "Total", "140.00")], ["2025-03-01", "2025-03-02"], []),
    ],
)
def test_a_day_may_be_that_of_the_rows_below_too(write, names, rows, days, notes) -> None:
    fields = [field(name, type) for name, type in zip(names, ("DATE", "STRING", "DECIMAL"), strict=True)]
    grid = [("Date", "Item", "Amount"), *rows]
    found = normalize(write(grid), {**field("lines", "ARRAY"), "items": {"fields": fields}})["lines"]
    assert [str(row["date"]) if "date" in row else None for row in found.value] == days
    assert [note.message for note in found.diagnostics if note.code == "AMBIGUOUS_VALUE"] == notes
    assert found.confidence_band.value == ("MEDIUM" if notes else "HIGH")


@pytest.mark.parametrize("write", EVERY)
def test_days_that_do_not_stand_first_are_only_missing(write: Writer) -> None:
    fields = [field("item"), field("paid_on", "DATE"), field("amount", "DECIMAL")]
    grid = [("Item", "Paid on", "Amount"), *((item, day, amount) for day, item, amount in DAYS)]
    found = normalize(write(grid), {**field("lines", "ARRAY"), "items": {"fields": fields}})["lines"]
    assert (found.confidence_band.value, found.diagnostics) == ("HIGH", ())


@pytest.mark.parametrize("write", EVERY)
@pytest.mark.parametrize("names", [("item", "qty"), ("description", "quantity")])
@pytest.mark.parametrize(
    ("cell", "value", "notes"),
    [
        ("approx. 5", "5", ["'approx. 5' is not 5 exactly"]),
        ("10+2 free", "10", ["'10+2 free' is not 10 exactly"]),
        ("min. 4", "4", ["'min. 4' is not 4 exactly"]),
        ("~5", "5", ["'~5' is not 5 exactly"]),
        ("5 pcs", "5", []),
        ("4 min.", "4", []),
        ("No. 5", "5", []),
    ],
)
def test_a_number_that_is_a_limit_or_a_part_is_not_sure(write, names, cell, value, notes) -> None:
    fields = [field(name, type) for name, type in zip(names, ("STRING", "DECIMAL"), strict=True)]
    grid = [("Item", "Qty", "Remark"), ("Bolt", cell, "x"), ("Nut", "7", "y")]
    found = normalize(write(grid), {**field("lines", "ARRAY"), "items": {"fields": fields}})["lines"]
    assert [str(row[names[1]]) for row in found.value] == [value, "7"]
    assert [note.message for note in found.diagnostics if note.code == "AMBIGUOUS_VALUE"] == notes
    assert found.confidence_band.value == ("MEDIUM" if notes else "HIGH")
