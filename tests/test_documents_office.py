"""Spreadsheets and Word documents: cells with addresses, tables, and files that mean harm."""

from __future__ import annotations

import datetime
import io
import struct
import sys
import time
import zipfile
from collections.abc import Callable
from decimal import Decimal
from xml.sax.saxutils import escape, quoteattr

import pytest
import xlwt
from hypothesis import given, settings
from hypothesis import strategies as st

from paxman import normalize
from paxman.documents.document import Document, NodePath, SheetCell, Table, column_letters
from paxman.documents.reading import Limits, read_document
from paxman.page.names import page_of
from paxman.types import Money

Value = str | int | float | bool | datetime.date
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
DATE_STYLE = "<cellXfs><xf numFmtId='0'/><xf numFmtId='14' applyNumberFormat='1'/></cellXfs>"


def pack(members: dict[str, str | bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target.getvalue()


def make_xlsx(sheets: dict[str, dict[str, Value]]) -> bytes:
    """A workbook from values by cell address."""
    names = list(enumerate(sheets, 1))
    listed = "".join(f"<sheet name={quoteattr(name)} sheetId='{n}' r:id='r{n}'/>" for n, name in names)
    targets = "".join(f"<Relationship Id='r{n}' Type='{RELATIONS}/worksheet' Target='sheet{n}.xml'/>" for n, _ in names)
    styles = f"<Relationship Id='rs' Type='{RELATIONS}/styles' Target='styles.xml'/>"
    return pack(
        {
            "[Content_Types].xml": "<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'/>",
            "_rels/.rels": f"<Relationships xmlns='{PACKAGE}'><Relationship Id='r' Type='{RELATIONS}/officeDocument'"
            " Target='xl/workbook.xml'/></Relationships>",
            "xl/workbook.xml": f"<workbook xmlns='{MAIN}' xmlns:r='{RELATIONS}'><sheets>{listed}</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": f"<Relationships xmlns='{PACKAGE}'>{targets}{styles}</Relationships>",
            "xl/styles.xml": f"<styleSheet xmlns='{MAIN}'>{DATE_STYLE}</styleSheet>",
            **{f"xl/sheet{n}.xml": sheet_xml(cells) for n, cells in enumerate(sheets.values(), 1)},
        }
    )


def sheet_xml(cells: dict[str, Value]) -> str:
    rows: dict[int, str] = {}
    for address, value in cells.items():
        row = int(address.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        rows[row] = rows.get(row, "") + cell_xml(address, value)
    data = "".join(f"<row r='{row}'>{content}</row>" for row, content in sorted(rows.items()))
    return f"<worksheet xmlns='{MAIN}'><sheetData>{data}</sheetData></worksheet>"


def cell_xml(address: str, value: Value) -> str:
    if isinstance(value, bool):
        return f"<c r='{address}' t='b'><v>{int(value)}</v></c>"
    if isinstance(value, datetime.date):
        return f"<c r='{address}' s='1'><v>{(value - datetime.date(1899, 12, 30)).days}</v></c>"
    if isinstance(value, int | float):
        return f"<c r='{address}'><v>{value!r}</v></c>"
    return f"<c r='{address}' t='inlineStr'><is><t xml:space='preserve'>{escape(value)}</t></is></c>"


def make_docx(body: str, **parts: str) -> bytes:
    def part(root: str, content: str) -> str:
        return f"<w:{root} xmlns:w='{WORD}' xmlns:mc='urn:mc'>{content}</w:{root}>"

    members = {f"word/{name}.xml": part("hdr", content) for name, content in parts.items()}
    return pack({"[Content_Types].xml": "<Types/>", "word/document.xml": part("document", body), **members})


def paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{escape(text)}</w:t></w:r></w:p>"


def address_of(document: Document, text: str) -> object:
    start = document.text.index(text)
    return document.locate((start, start + len(text)))


def texts(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in (table.header, *table.rows)]


def messages(document: Document) -> list[str]:
    return [f"{note.code} {note.severity.value} {note.message}" for note in document.diagnostics]


def test_a_workbook_is_text_tables_and_pairs_with_cell_addresses() -> None:
    goods = {"B2": "Stock", "B4": "Item", "C4": "Quantity", "D4": "Price", "E4": "Delivered"}
    goods |= {"B5": "Bolt\nblue", "C5": 12, "D5": 1.5, "E5": datetime.date(2024, 5, 6)}
    goods |= {"B6": "Nut", "C6": 300, "D6": 0.1 + 0.2, "E6": datetime.date(2024, 12, 31)}
    form = {"A1": "Invoice no", "B1": 4711, "A2": "Paid:", "B2": True, "A4": "Total: 99.50"}
    document = read_document(make_xlsx({"Goods": goods, "Form": form}), "book.xlsx")
    assert document.kind == "spreadsheet"
    assert document.text == (
        "Stock\t\t\t\n\t\t\t\n"
        "Item\tQuantity\tPrice\tDelivered\nBolt blue\t12\t1.5\t2024-05-06\nNut\t300\t0.3\t2024-12-31\n"
        "Invoice no\t4711\nPaid:\ttrue\n\t\nTotal: 99.50\t"
    )
    assert address_of(document, "300") == SheetCell("Goods", "C6")
    assert address_of(document, "4711") == SheetCell("Form", "B1")
    assert address_of(document, "99.50") == SheetCell("Form", "A4")
    assert document.tables[0].name == "Goods"
    assert texts(document.tables[0]) == [
        ["Item", "Quantity", "Price", "Delivered"],
        ["Bolt blue", "12", "1.5", "2024-05-06"],
        ["Nut", "300", "0.3", "2024-12-31"],
    ]
    pairs = [(pair.label, document.text[slice(*pair.value_span)]) for pair in document.pairs]
    assert pairs == [("Invoice no", "4711"), ("Paid", "true")]
    assert document.diagnostics == ()


def test_two_tables_on_a_sheet_and_a_gap_in_one() -> None:
    rows = ["Name|Sum", "Ann|1", "|", "Bob|2", "|", "Code|Text|Rate", "x|one|0.5", "y|two|0.7"]
    cells = {
        f"{column_letters(column)}{number}": value
        for number, row in enumerate(rows, 1)
        for column, value in enumerate(row.split("|"))
        if value
    }
    tables = read_document(make_xlsx({"S": cells})).tables
    assert [[row[:2] for row in texts(table)] for table in tables] == [
        [["Name", "Sum"], ["Ann", "1"], ["Bob", "2"]],
        [["Code", "Text"], ["x", "one"], ["y", "two"]],
    ]


CELLS = st.dictionaries(
    st.tuples(st.integers(0, 40), st.integers(1, 60)),
    st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=12),
    min_size=1,
    max_size=25,
)


@settings(max_examples=30)
@given(CELLS)
def test_every_cell_is_found_at_its_address(cells: dict[tuple[int, int], str]) -> None:
    ordered = sorted(cells.items(), key=lambda item: (item[0][1], item[0][0]))
    book = {f"{column_letters(column)}{row}": text for (column, row), text in ordered}
    document = read_document(make_xlsx({"Sheet": book}))
    found, position = {}, 0
    for text in document.text.replace("\n", "\t").split("\t"):
        if text:
            found[document.locate((position, position + len(text))).cell] = text
        position += len(text) + 1
    assert found == book


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (7.0, "7"),
        (-0.5, "-0.5"),
        (1234.5599999999999, "1234.56"),
        (1e21, "1000000000000000000000"),
        (1e-7, "0.0000001"),
        (123456789012345, "123456789012345"),
        (False, "false"),
        ("00123", "00123"),
    ],
)
def test_values_are_written_as_people_write_them(value: Value, expected: str) -> None:
    assert read_document(make_xlsx({"S": {"A1": value, "B1": "x"}})).text == f"{expected}\tx"


def test_old_excel_files() -> None:
    book = xlwt.Workbook()
    sheet = book.add_sheet("Alt")
    for row, (name, amount) in enumerate([("Posten", "Betrag"), ("Schraube", 12), ("Mutter", 0.25)]):
        sheet.write(row, 1, name)
        sheet.write(row, 2, amount)
    target = io.BytesIO()
    book.save(target)
    document = read_document(target.getvalue())
    assert document.text == "Posten\tBetrag\nSchraube\t12\nMutter\t0.25"
    assert address_of(document, "0.25") == SheetCell("Alt", "C3")


def make_xls(*rows: tuple[str, object, str], hidden: bool = False) -> bytes:
    """An old workbook of labels with a value and the code of its format."""
    book = xlwt.Workbook()
    sheet = book.add_sheet("Übersicht")
    for number, (label, value, code) in enumerate(rows):
        sheet.write(number, 0, label)
        sheet.write(number, 1, value, xlwt.easyxf(num_format_str=code))
    book.add_sheet("Alt").visibility = int(hidden)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def test_an_empty_result_among_others_of_an_old_excel_file_is_a_text() -> None:
    written = make_xls(("Sum", xlwt.Formula("1+1"), "0"), ("Note", xlwt.Formula('""'), "0"))
    assert [message[:42] for message in messages(read_document(written))] == [
        "UNREADABLE_INPUT WARNING 2 cells hold form"
    ]
    solved = written.replace(b"\x03\0\0\0\0\0\xff\xff", struct.pack("<d", 2), 1)
    document = read_document(solved)
    assert (document.text.strip(), messages(document)) == ("Sum\t2\nNote", [])


def test_old_excel_files_show_their_formats() -> None:
    document = read_document(
        make_xls(
            ("Order", 1234567890123456, "0"),
            ("Total", 12.5, '#,##0.00 "EUR"'),
            ("Fee", 1234.25, "$#,##0.00"),
            ("Rest", -0.07, "#,##0.00 [$€-407]"),
            ("Zip", 123, "00000"),
            ("Due", datetime.date(2025, 3, 4), "yyyy-mm-dd"),
            ("Share", 0.5, "0%"),
            ("Sum", xlwt.Formula("B2*2"), "0"),
            hidden=True,
        )
    )
    assert document.text.strip() == (
        "Order\t1234567890123456\nTotal\t12.50 EUR\nFee\t$1234.25\nRest\t-0.07 €\nZip\t00123\nDue\t2025-03-04\n"
        "Share\t0.5\nSum"
    )
    assert messages(document) == [
        "UNREADABLE_INPUT WARNING 1 cell holds a formula without a stored result."
        " Open and save it with a spreadsheet program",
        "INPUT_NOTE INFO the sheet 'Alt' is hidden, and was read like the others."
        " Delete it if it does not belong to the document",
    ]
    assert address_of(document, "00123") == SheetCell("Übersicht", "B5")


@given(st.integers(0, 6000), st.binary(min_size=1, max_size=8))
@settings(max_examples=60)
def test_formats_of_a_broken_old_file_never_raise(place: int, noise: bytes) -> None:
    from paxman.documents.office.xls_cells import XlsFormats

    book = make_xls(("Total", 12.5, '#,##0.00 "EUR"'))
    assert XlsFormats(book).shown("Übersicht").texts == {0: {1: "12.50 EUR"}}
    XlsFormats(book[:place] + noise + book[place + len(noise) :]).shown("Übersicht")


def make_ods(cells: str) -> bytes:
    spaces = " ".join(
        f"xmlns:{name}='urn:oasis:names:tc:opendocument:xmlns:{name}:1.0'"
        for name in ("office", "table", "text", "calcext")
    )
    body = f"<office:spreadsheet><table:table table:name='Blatt'>{cells}</table:table></office:spreadsheet>"
    content = f"<office:document-content {spaces}><office:body>{body}</office:body></office:document-content>"
    manifest = "<m:manifest xmlns:m='urn:oasis:names:tc:opendocument:xmlns:manifest:1.0'/>"
    members = {"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": content}
    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w") as archive:
        for name, member in {**members, "META-INF/manifest.xml": manifest}.items():
            archive.writestr(name, member)
    return stored.getvalue()


def ods_cell(text: str, kind: str = "string", more: str = "") -> str:
    shown = f"<text:p>{text}</text:p>" if text else ""
    return f"<table:table-cell office:value-type='{kind}' {more}>{shown}</table:table-cell>"


def ods_row(*cells: str, more: str = "") -> str:
    return f"<table:table-row {more}>{''.join(cells)}</table:table-row>"


def test_open_document_sheets_show_their_formats() -> None:
    rows = [
        ods_row(ods_cell("Order"), ods_cell("1,23E+15", "float", "office:value='1234567890123456789'")),
        ods_row(ods_cell("Total"), ods_cell("1.234,50 €", "currency", "office:value='1234.5' office:currency='EUR'")),
        ods_row(
            ods_cell("Zip"), ods_cell("00123", "float", "office:value='123'"), more="table:number-rows-repeated='2'"
        ),
        ods_row(ods_cell("Count"), ods_cell("0", "float", "office:value='0' table:number-columns-repeated='2'")),
        ods_row(ods_cell("Bad"), ods_cell("#REF!", "string", "calcext:value-type='error' table:formula='of:=x'")),
    ]
    document = read_document(make_ods("".join(rows)))
    lines = [line.rstrip("\t") for line in document.text.split("\n")]
    assert lines[:5] == ["Order\t1234567890123456789", "Total\t1234.50 EUR", "Zip\t00123", "Zip\t00123", "Count\t0\t0"]
    assert messages(document) == [
        "UNREADABLE_INPUT WARNING 1 cell holds an error such as #REF! and no value."
        " Mend its formulas with a spreadsheet program"
    ]
    assert address_of(document, "1234.50") == SheetCell("Blatt", "B2")


def test_ods_cells_merged_downward_repeat_in_each_row() -> None:
    covered = "<table:covered-table-cell/>"
    rows = [
        ods_row(ods_cell("Kind"), ods_cell("Item"), ods_cell("Price")),
        ods_row(
            ods_cell("Fruit", "string", "table:number-rows-spanned='2' table:number-columns-spanned='1'"),
            ods_cell("Pear"),
            ods_cell("2.5", "float", "office:value='2.5'"),
        ),
        ods_row(covered, ods_cell("Fig"), ods_cell("3.5", "float", "office:value='3.5'")),
    ]
    (table,) = read_document(make_ods("".join(rows))).tables
    assert texts(table) == [["Kind", "Item", "Price"], ["Fruit", "Pear", "2.5"], ["Fruit", "Fig", "3.5"]]


def test_open_document_sheets() -> None:
    cells = ods_row(ods_cell("Summe"), ods_cell("12", "float", "office:value='12'"))
    document = read_document(make_ods(cells))
    assert document.text == "Summe\t12"
    assert address_of(document, "12") == SheetCell("Blatt", "B1")


def test_a_word_document_is_paragraphs_and_tables_with_paths() -> None:
    cells = [["Item", "Price"], ["Bolt", "1.50"], ["Nut", "0.20"]]
    rows = "".join(f"<w:tr>{''.join(f'<w:tc>{paragraph(cell)}</w:tc>' for cell in row)}</w:tr>" for row in cells)
    hidden = (
        "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:del><w:delText>gone</w:delText></w:del></w:p>"
    )
    tabbed = (
        "<w:p><w:r><w:t>Total:</w:t><w:tab/><w:t>99,50 €</w:t></w:r><mc:Fallback><w:t>twice</w:t></mc:Fallback></w:p>"
    )
    body = f"<w:body>{paragraph('Invoice number: INV-7')}{hidden}{tabbed}<w:tbl>{rows}</w:tbl></w:body>"
    document = read_document(make_docx(body, header1=paragraph("ACME Ltd")))
    assert document.kind == "docx"
    assert document.text == "ACME Ltd\nInvoice number: INV-7\n\nTotal:\t99,50 €\nItem\tPrice\nBolt\t1.50\nNut\t0.20\n"
    assert address_of(document, "ACME") == NodePath("/word/header1.xml/hdr[1]/p[1]")
    assert address_of(document, "INV-7") == NodePath("/word/document.xml/document[1]/body[1]/p[1]")
    assert address_of(document, "0.20") == NodePath("/word/document.xml/document[1]/body[1]/tbl[1]/tr[3]/tc[2]")
    assert [texts(table) for table in document.tables] == [cells]
    pairs = {pair.label: document.text[slice(*pair.value_span)] for pair in page_of(document).pairs}
    assert (pairs["Invoice number"], pairs["Total"]) == ("INV-7", "99,50 €")


def test_styles_and_bold_print_of_a_word_document_are_marks() -> None:
    styles = (
        "<w:style w:styleId='berschrift2'><w:name w:val='heading 2'/></w:style>"
        "<w:style w:styleId='Own'><w:basedOn w:val='berschrift2'/></w:style>"
    )
    bold = "<w:r><w:rPr><w:b/></w:rPr><w:t>{}</w:t></w:r>"
    numbered = "<w:pPr><w:numPr><w:ilvl w:val='1'/><w:numId w:val='3'/></w:numPr></w:pPr>"
    body = (
        f"<w:p><w:pPr><w:pStyle w:val='Own'/></w:pPr>{bold.format('Terms')}</w:p>"
        f"<w:p>{numbered}<w:r><w:t>first</w:t></w:r></w:p>"
        f"<w:p><w:r><w:t>Due: </w:t></w:r>{bold.format('3 May')}{bold.format(' 2025')}</w:p>"
        f"<w:tbl><w:tr><w:tc><w:p>{bold.format('Net')}</w:p></w:tc><w:tc>{paragraph('5.00')}</w:tc></w:tr></w:tbl>"
    )
    document = read_document(make_docx(f"<w:body>{body}</w:body>", styles=styles))
    assert [(mark.kind, mark.level, document.text[slice(*mark.span)]) for mark in document.marks] == [
        ("heading", 2, "Terms"),
        ("strong", 0, "Terms"),
        ("item", 2, "first"),
        ("paragraph", 0, "Due: 3 May 2025"),
        ("strong", 0, "3 May 2025"),
        ("strong", 0, "Net"),
    ]


def word_cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text) if text else '<w:p/>'}</w:tc>"


def word_table(*rows: str) -> Document:
    body = "".join(f"<w:tr>{row}</w:tr>" for row in rows)
    return read_document(make_docx(f"<w:body><w:tbl>{body}</w:tbl></w:body>"))


def test_a_spanning_cell_in_a_word_table_does_not_shift_its_row() -> None:
    heads = "".join(map(word_cell, ("Item", "Count", "Price", "Sum")))
    wide = word_cell("Bolt", "<w:gridSpan w:val='2'/>") + word_cell("3.50") + word_cell("7.00")
    late = "<w:trPr><w:gridBefore w:val='2'/></w:trPr>" + word_cell("4.50") + word_cell("8.00")
    plain = "".join(map(word_cell, ("Nut", "2", "1.50", "3.00")))
    title = word_cell("All prices net", "<w:gridSpan w:val='4'/>")
    document = word_table(title, heads, wide, late, plain)
    assert document.text == (
        "All prices net\nItem\tCount\tPrice\tSum\nBolt\t3.50\t7.00\n4.50\t8.00\nNut\t2\t1.50\t3.00\n"
    )
    assert [texts(table) for table in document.tables] == [
        [
            ["Item", "Count", "Price", "Sum"],
            ["Bolt", "", "3.50", "7.00"],
            ["", "", "4.50", "8.00"],
            ["Nut", "2", "1.50", "3.00"],
        ]
    ]


def test_a_heading_of_a_word_table_is_that_of_all_columns_it_spans() -> None:
    heads = word_cell("Item", "<w:gridSpan w:val='2'/>") + word_cell("Count") + word_cell("")
    document = word_table(
        heads, *("".join(map(word_cell, (*row, ""))) for row in (("1", "Axe", "3"), ("2", "Saw", "4")))
    )
    (table,) = document.tables
    assert texts(table) == [["Item", "Item", "Count", ""], ["1", "Axe", "3", ""], ["2", "Saw", "4", ""]]


def test_rows_and_cells_of_a_word_table_inside_content_controls() -> None:
    wrapped = "<w:sdt><w:sdtPr/><w:sdtContent>{}</w:sdtContent></w:sdt>"
    heads = f"<w:tr>{word_cell('Item')}{word_cell('Count')}{word_cell('Price')}</w:tr>"
    row = f"<w:tr>{word_cell('Bolt')}{wrapped.format(word_cell('2'))}{word_cell('1.50')}</w:tr>"
    body = f"<w:body><w:tbl>{heads}{row}{wrapped.format(row.replace('Bolt', 'Nut'))}</w:tbl></w:body>"
    document = read_document(make_docx(body))
    assert [texts(table) for table in document.tables] == [
        [["Item", "Count", "Price"], ["Bolt", "2", "1.50"], ["Nut", "2", "1.50"]]
    ]
    assert address_of(document, "Nut") == NodePath(
        "/word/document.xml/document[1]/body[1]/tbl[1]/sdt[1]/sdtContent[1]/tr[1]/tc[1]"
    )


def test_an_empty_answer_of_a_word_form_is_not_the_next_question() -> None:
    rows = [("Name", "Ann"), ("Phone", ""), ("Town", "York"), ("Country", "")]
    document = word_table(*(word_cell(label) + word_cell(value) for label, value in rows))
    answers = {
        pair.label: document.text[slice(*pair.value_span)] for pair in page_of(document).pairs if pair.label != "York"
    }
    assert answers == {"Name": "Ann", "Town": "York"}


def inner_table(*rows: str) -> str:
    cells = (f"<w:tr>{''.join(map(word_cell, row.split('|')))}</w:tr>" for row in rows)
    return f"<w:tbl>{''.join(cells)}</w:tbl>{paragraph('')}"


def test_a_word_table_inside_a_layout_is_a_table_of_its_own() -> None:
    inner = inner_table("Item|Qty", "Bolt|3", "Nut|10")
    document = word_table(
        word_cell("Seller: Alder Ltd") + word_cell("Buyer: Birch KG"),
        f"<w:tc>{paragraph('Goods')}{inner}</w:tc>" + word_cell("Total: 15.50 EUR"),
    )
    assert document.text == (
        "Seller: Alder Ltd\tBuyer: Birch KG\nGoods\nItem\tQty\nBolt\t3\nNut\t10\n\nTotal: 15.50 EUR\n"
    )
    assert list(map(texts, document.tables)) == [[["Item", "Qty"], ["Bolt", "3"], ["Nut", "10"]]]
    path = "/word/document.xml/document[1]/body[1]/tbl[1]/tr[2]/tc[1]/tbl[1]/tr[3]/tc[1]"
    assert address_of(document, "Nut") == NodePath(path)


def test_a_table_inside_one_of_many_rows_is_the_text_of_its_cell() -> None:
    inner = inner_table("Color|Size", "blue|M8")
    rows = [word_cell("Item") + word_cell("Qty"), word_cell("Nut") + word_cell("10")]
    document = word_table(*rows, f"<w:tc>{paragraph('Bolt')}{inner}</w:tc>" + word_cell("3"))
    assert list(map(texts, document.tables)) == [[["Item", "Qty"], ["Nut", "10"], ["Bolt Color Size blue M8", "3"]]]


def test_titles_over_tables_side_by_side_stand_each_over_its_own() -> None:
    parts = (inner_table("Alder Ltd", "York"), inner_table("Birch Ltd", "Bath"))
    document = word_table(
        word_cell("Bill to") + word_cell("Ship to"), "".join(f"<w:tc>{part}</w:tc>" for part in parts)
    )
    assert document.text == "Bill to\nAlder Ltd\nYork\n\nShip to\nBirch Ltd\nBath\n\n"
    assert address_of(document, "Ship to") == NodePath("/word/document.xml/document[1]/body[1]/tbl[1]/tr[1]/tc[2]")


def test_a_word_table_with_headings_keeps_the_tables_in_its_cells() -> None:
    rows = [word_cell("Item") + word_cell("Spec")]
    for item, volt in (("Lamp", "230"), ("Bulb", "110")):
        rows.append(word_cell(item) + f"<w:tc>{inner_table(f'Volt|{volt}', 'Watt|40')}</w:tc>")
    document = word_table(*rows)
    expected = [["Item", "Spec"], ["Lamp", "Volt 230 Watt 40"], ["Bulb", "Volt 110 Watt 40"]]
    assert list(map(texts, document.tables)) == [expected]


def test_a_cell_merged_downward_in_a_word_table_stands_in_each_row() -> None:
    first, on = "<w:vMerge w:val='restart'/>", "<w:vMerge/>"
    wide = "<w:gridSpan w:val='2'/>"
    document = word_table(
        word_cell("Kind", first) + word_cell("Sort", wide) + word_cell("Price"),
        word_cell("", on) + "".join(map(word_cell, ("Item", "Size", ""))),
        word_cell("Fruit", first) + "".join(map(word_cell, ("Pear", "1", "2.50"))),
        word_cell("", on) + word_cell("Figs", wide + first) + word_cell("3.50"),
        word_cell("Nuts") + word_cell("", wide + on) + word_cell("4.50"),
    )
    (table,) = document.tables
    assert texts(table) == [
        ["Kind", "Sort Item", "Sort Size", "Price"],
        ["Fruit", "Pear", "1", "2.50"],
        ["Fruit", "Figs", "", "3.50"],
        ["Nuts", "Figs", "", "4.50"],
    ]
    assert document.locate(table.rows[1][0].span) == address_of(document, "Fruit")


def test_a_cell_of_a_sheet_that_is_merged_downward_stands_in_each_row() -> None:
    cells: dict[str, Value] = {"B2": "Kind", "C2": "Item", "D2": "Price", "B3": "Fruit", "C3": "Pear", "D3": 1.5}
    cells |= {"C4": "Fig", "D4": 2.5, "C5": "Plum", "D5": 3.5, "B8": "Nuts", "C8": "Almond", "D8": 4.5}
    merges = "<mergeCells count='2'><mergeCell ref='B3:B4'/><mergeCell ref='A1:A9'/></mergeCells></worksheet>"
    with zipfile.ZipFile(io.BytesIO(make_xlsx({"S": cells}))) as archive:
        members: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    members["xl/sheet1.xml"] = sheet_xml(cells).replace("</worksheet>", merges)
    document = read_document(pack(members))
    (table,) = document.tables
    assert texts(table) == [
        ["Kind", "Item", "Price"],
        ["Fruit", "Pear", "1.5"],
        ["Fruit", "Fig", "2.5"],
        ["", "Plum", "3.5"],
        ["Nuts", "Almond", "4.5"],
    ]
    assert document.locate(table.rows[1][0].span) == SheetCell("S", "B3")


def test_many_merged_cells_take_time_in_proportion() -> None:
    rows = "".join(f"<row r='{n}'><c r='A{n}'><v>{n}</v></c><c r='B{n}'><v>1</v></c></row>" for n in range(1, 9_001))
    merges = "<mergeCell ref='B1:B9000'/>" * 20_000 + "<mergeCell ref='ZZ1:ZZ9000'/>" * 20_000
    with zipfile.ZipFile(io.BytesIO(make_xlsx({"S": {}}))) as archive:
        members: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    sheet = f"<sheetData>{rows}</sheetData><mergeCells>{merges}</mergeCells>"
    members["xl/sheet1.xml"] = f"<worksheet xmlns='{MAIN}'>{sheet}</worksheet>"
    cells = (
        word_cell("A", "<w:vMerge w:val='restart'/>") + word_cell("1"),
        word_cell("", "<w:vMerge/>") + word_cell("2"),
    )
    tables = (
        "<w:tbl>"
        + "".join(f"<w:tr>{row}</w:tr>" for row in (word_cell("Item") + word_cell("Qty"), *cells))
        + "</w:tbl>"
    )
    for written, count in ((pack(members), 1), (make_docx(f"<w:body>{tables * 6_000}</w:body>"), 6_000)):
        document = read_document(written)
        started = time.process_time()
        assert len(document.tables) == count
        assert time.process_time() - started < 2.5


def test_a_hidden_sheet_is_noted() -> None:
    source = io.BytesIO(make_xlsx({"S": {"A1": "x"}, "Old": {"A1": "y"}}))
    with zipfile.ZipFile(source) as archive:
        members: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    book = str(members["xl/workbook.xml"], "utf-8") if isinstance(members["xl/workbook.xml"], bytes) else ""
    members["xl/workbook.xml"] = book.replace('name="Old"', "name='Old' state='hidden'")
    document = read_document(pack(members))
    assert document.text == "x\ny"
    assert messages(document) == [
        "INPUT_NOTE INFO the sheet 'Old' is hidden, and was read like the others."
        " Delete it if it does not belong to the document"
    ]


def hidden_xlsx() -> bytes:
    cells = {"A1": "Item", "A2": "Bolt", "A3": "Nut", "A4": "Fig"}
    with zipfile.ZipFile(io.BytesIO(make_xlsx({"Blatt": cells}))) as archive:
        members: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    rows = (
        sheet_xml(cells).replace("<row r='2'>", "<row r='2' ht='9' hidden='1'>").replace("r='4'>", "r='4' hidden='0'>")
    )
    empty = "<row r='5' hidden='true'><c r='A5'/></row></sheetData>"
    members["xl/sheet1.xml"] = rows.replace("<row r='3'", "<row hidden='true' r='3'").replace("</sheetData>", empty)
    return pack(members)


def hidden_xls() -> bytes:
    book = xlwt.Workbook()
    sheet = book.add_sheet("Blatt")
    for number, name in enumerate(("Item", "Bolt", "Nut", "Fig")):
        sheet.write(number, 0, name)
    sheet.row(1).hidden = sheet.row(2).hidden = sheet.row(7).hidden = True
    book.save(target := io.BytesIO())
    return target.getvalue()


def hidden_ods() -> bytes:
    kinds = {"Item": "", "Bolt": "collapse", "Nut": "filter", "Fig": "visible"}
    rows = [ods_row(ods_cell(name), more=f"table:visibility='{kind}'" if kind else "") for name, kind in kinds.items()]
    rest = ods_row("<table:table-cell/>", more="table:visibility='collapse' table:number-rows-repeated='1048572'")
    return make_ods("".join(rows) + rest)


@pytest.mark.parametrize("make", [hidden_xlsx, hidden_xls, hidden_ods])
def test_hidden_rows_that_hold_something_are_read_and_noted(make: Callable[[], bytes]) -> None:
    document = read_document(make())
    assert document.text == "Item\nBolt\nNut\nFig"
    assert messages(document) == [
        "INPUT_NOTE INFO 2 rows from row 2 on are hidden in the sheet 'Blatt', and read like the others."
        " Delete what does not belong to the document"
    ]


def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    book = make_xlsx({"S": {"A1": "x"}})
    with zipfile.ZipFile(grown := io.BytesIO(book), "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/zeros", bytes(20_000_000))
    packed = sum(member.compress_size for member in zipfile.ZipFile(grown).infolist())
    unpacked = sum(member.file_size for member in zipfile.ZipFile(grown).infolist())
    assert messages(read_document(grown.getvalue())) == [
        f"UNREADABLE_INPUT ERROR the archive unpacks {packed} bytes to {unpacked}, as a decompression bomb does. "
        "If you trust it, allow more with Limits(max_compression_ratio=...)"
    ]
    trusted = Limits(max_compression_ratio=5000)
    assert read_document(grown.getvalue(), limits=trusted).text == "x"


def test_empty_rows_between_far_corners_of_a_sheet_are_skipped() -> None:
    document = read_document(make_xlsx({"S": {"A1": "first", "A2": 0, "B4": "below", "Z9000": "last"}}))
    assert [line.strip() for line in document.text.split("\n")] == ["first", "0", "", "below", "", "last"]
    assert [address_of(document, text) for text in ("first", "0", "below", "last")] == [
        SheetCell("S", address) for address in ("A1", "A2", "B4", "Z9000")
    ]
    assert document.diagnostics == ()


def test_a_sheet_of_too_many_cells_meets_the_memory_limit() -> None:
    wide = {f"{column_letters(column)}1": "x" for column in range(3_000)}
    cells = wide | {f"A{row}": "x" for row in range(2, 30_000)}
    document = read_document(make_xlsx({"S": cells}), limits=Limits(max_memory_mb=256))
    assert [note.message.split(":")[0] for note in document.diagnostics] == ["the parser crashed (SIGABRT)"]
    assert read_document(make_xlsx({"S": {"A1": "alive"}})).text == "alive"


def test_a_sheet_of_too_many_cells_is_cut_and_says_so() -> None:
    wide = {f"{column_letters(column)}1": "x" for column in range(800)}
    document = read_document(make_xlsx({"S": wide | {f"A{row}": f"row {row}" for row in range(2, 40_001)}}))
    assert document.text.split()[-1] == "37500"
    assert messages(document) == [
        "UNREADABLE_INPUT WARNING the sheet 'S' has too many cells between its first and its last, so its last rows "
        "were left out. Delete empty rows and columns, or split the sheet"
    ]


def test_parts_of_a_word_document_have_addresses_of_their_own() -> None:
    headers = {f"header{number}": paragraph(f"Head {number}.") for number in (10, 2, 1)}
    document = read_document(make_docx(f"<w:body>{paragraph('Body')}</w:body>", **headers))
    assert document.text == "Head 1.\nHead 2.\nHead 10.\nBody\n"
    assert [address_of(document, f"Head {number}.") for number in (1, 2, 10)] == [
        NodePath(f"/word/header{number}.xml/hdr[1]/p[1]") for number in (1, 2, 10)
    ]


def test_text_that_was_deleted_or_moved_away_is_not_read() -> None:
    run = "<w:r><w:t>{}</w:t></w:r>".format
    moved = f"<w:moveFrom>{run('old place')}</w:moveFrom><w:del>{run('gone')}</w:del><w:moveTo>{run('new')}</w:moveTo>"
    rows = [("", "kept"), ("<w:trPr><w:del/></w:trPr>", "deleted")]
    table = "".join(f"<w:tr>{mark}<w:tc>{paragraph(text)}</w:tc></w:tr>" for mark, text in rows)
    assert read_document(make_docx(f"<w:body><w:p>{moved}</w:p><w:tbl>{table}</w:tbl></w:body>")).text == "new\nkept\n"


def run_xml(text: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t xml:space='preserve'>{escape(text)}</w:t></w:r>"


def word_text(*runs: str) -> str:
    return read_document(make_docx(f"<w:body><w:p>{''.join(runs)}</w:p></w:body>")).text


def test_superscripts_in_word_files_are_not_digits() -> None:
    def raised(before: str, figure: str, after: str = "") -> str:
        return word_text(run_xml(before), run_xml(figure, "<w:vertAlign w:val='superscript'/>"), run_xml(after))

    assert raised("Deposit: 500", "2", " EUR") == "Deposit: 500² EUR\n"
    assert raised("Fee: 1,200.00 €", "1") == "Fee: 1,200.00 €¹\n"
    assert raised("Price: 12", "99", " EUR") == "Price: 12\u200a99 EUR\n"
    assert raised("Area: 80 m", "2") == "Area: 80 m²\n"
    assert raised("Price: 12.50", "99") == "Price: 12.50⁹⁹\n"
    cents = run_xml("12") + run_xml("99", "<w:vertAlign w:val='superscript'/>")
    cells = f"<w:tc>{paragraph('Price')}</w:tc><w:tc><w:p>{cents}</w:p><w:p>{run_xml('net')}</w:p></w:tc>"
    table = f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"
    assert read_document(make_docx(f"<w:body>{table}</w:body>")).text == "Price\t12\u200a99 net\n"


def test_boxes_of_word_documents_are_read_as_marked() -> None:
    def symbol(font: str, code: str) -> str:
        return f"<w:r><w:sym w:font='{font}' w:char='{code}'/></w:r>"

    font = "<w:rFonts w:ascii='Wingdings' w:hAnsi='Wingdings'/>"
    drawn = [symbol("Wingdings", "F0A8"), run_xml(" express "), symbol("Wingdings", "F0FE"), run_xml(" standard")]
    older = [symbol("Wingdings 2", "F052"), run_xml(" sea "), symbol("Wingdings 2", "F0A3"), run_xml(" air")]
    typed = [run_xml("þ", font), run_xml(" card "), run_xml("o", font), run_xml(" cash")]
    odd = [symbol("Wingdings", "not a code"), symbol("Symbol", "F0A8"), run_xml("o")]
    lines = [word_text(*runs) for runs in (drawn, older, typed, odd)]
    assert lines == ["☐ express ☑ standard\n", "☑ sea ☐ air\n", "☑ card ☐ cash\n", "o\n"]
    fields = [{"name": "shipping", "type": "STRING", "required": False}]
    form = make_docx(f"<w:body><w:p>{run_xml('Shipping: ')}{''.join(drawn)}</w:p></w:body>")
    assert normalize(form, {"id": "c", "version": "1", "fields": fields})["shipping"].value == "standard"


def test_fields_of_old_word_forms_are_read_as_set() -> None:
    def field(content: str) -> str:
        return f"<w:r><w:fldChar w:fldCharType='begin'><w:ffData>{content}</w:ffData></w:fldChar></w:r>"

    def box(content: str) -> str:
        return field(f"<w:checkBox><w:sizeAuto/>{content}</w:checkBox>") + run_xml(" ")

    def choice(content: str) -> str:
        entries = "".join(f"<w:listEntry w:val='{each}'/>" for each in ("small", "large"))
        return field(f"<w:ddList>{content}{entries}</w:ddList>") + run_xml(" ")

    states = ["<w:default w:val='0'/><w:checked/>", "<w:default w:val='1'/><w:checked w:val='0'/>", "<w:default/>", ""]
    assert word_text(*map(box, states)) == "☑ ☐ ☑ ☐ \n"
    choices = ["<w:result w:val='1'/>", "<w:default w:val='1'/>", "", "<w:result w:val='7'/>"]
    assert word_text(*map(choice, choices)) == "large large small  \n"


def test_what_asks_for_an_answer_in_a_word_form_is_no_answer() -> None:
    def control(content: str, state: str) -> str:
        return f"<w:sdt><w:sdtPr>{state}</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>"

    asks = "<w:showingPlcHdr/>"
    signed = run_xml("Signed by: ") + control(run_xml("Click here."), asks)
    city = run_xml("City: ") + control(run_xml("Rome"), "<w:showingPlcHdr w:val='0'/>")
    cells = [f"<w:tc>{paragraph('Date')}</w:tc>", control(f"<w:tc>{paragraph('Pick a date.')}</w:tc>", asks)]
    body = f"<w:p>{signed}</w:p><w:p>{city}</w:p><w:tbl><w:tr>{''.join(cells)}</w:tr></w:tbl>"
    assert read_document(make_docx(f"<w:body>{body}</w:body>")).text == "Signed by: \nCity: Rome\nDate\t\n"


def test_struck_out_text_of_a_word_document_is_left_out() -> None:
    old = run_xml("$20.00", "<w:strike/>")
    whole = run_xml("Buy milk", "<w:dstrike/>")
    plain = run_xml(" $15.00", "<w:strike w:val='0'/>")
    body = f"<w:p>{run_xml('Price: ')}{old}{plain}</w:p><w:p>{whole}</w:p>"
    document = read_document(make_docx(f"<w:body>{body}</w:body>"))
    assert document.text == "Price:  $15.00\nBuy milk\n"
    assert messages(document) == [
        "INPUT_NOTE INFO 1 struck-out passage was left out. Remove the lines through what is meant to count"
    ]


@pytest.mark.parametrize("levels", [300, 100_000])
def test_deep_nesting_in_a_word_document_is_named(levels: int) -> None:
    body = "<w:body>" + "<w:sdt>" * levels + paragraph("deep") + "</w:sdt>" * levels + "</w:body>"
    trusted = Limits(max_compression_ratio=5000)
    assert messages(read_document(make_docx(body), limits=trusted)) == [
        "UNREADABLE_INPUT ERROR the elements of the document are nested too deep. "
        "Save it anew with an office program, or allow more with Limits(max_depth=...)"
    ]


def test_entities_in_a_word_document_are_refused() -> None:
    bomb = "<!DOCTYPE d [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><d>&b;</d>"
    (note,) = read_document(pack({"[Content_Types].xml": "<Types/>", "word/document.xml": bomb})).diagnostics
    assert note.message.startswith("this is not a Word document that can be read (EntitiesForbidden")


@settings(max_examples=25)
@given(st.sampled_from(["xlsx", "docx"]), st.integers(0, 3000), st.binary(max_size=20))
def test_broken_files_never_raise(kind: str, place: int, noise: bytes) -> None:
    whole = make_xlsx({"S": {"A1": "x"}}) if kind == "xlsx" else make_docx(f"<w:body>{paragraph('x')}</w:body>")
    place %= len(whole)
    document = read_document(whole[:place] + noise, f"broken.{kind}")
    assert document.text == "" or document.kind == "text" or "x" in document.text


def test_a_workbook_without_sheets_is_named() -> None:
    assert messages(read_document(make_xlsx({}), "x.xlsx")) == [
        "UNREADABLE_INPUT ERROR this is not a spreadsheet that can be read (it has no sheets). "
        "Check that it is complete; save an old Word or PowerPoint file as DOCX or PDF"
    ]


@pytest.mark.parametrize(
    ("was", "becomes", "text", "reasons"),
    [
        (b"<v>1234.5<", b"<v>9234.5<", "", ["Bad CRC-32 for file 'xl/sheet1.xml'"]),
        (b"numFmtId='14'", b"numFmtId='44'", "", ["Bad CRC-32 for file 'xl/styles.xml'"]),
        (b"sheetId", b"sheetIe", "", ["Bad CRC-32 for file 'xl/workbook.xml'"]),
        (b"<Properties>", b"<Propertied>", "Total\t1234.5", []),
    ],
)
def test_a_changed_byte_in_a_spreadsheet_is_named(was: bytes, becomes: bytes, text: str, reasons: list[str]) -> None:
    target = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(make_xlsx({"S": {"A1": "Total", "B1": 1234.5}}))) as packed,
        zipfile.ZipFile(target, "w") as plain,
    ):
        for name in packed.namelist():
            plain.writestr(name, packed.read(name))
        plain.writestr("docProps/app.xml", "<Properties></Properties>")
    document = read_document(target.getvalue().replace(was, becomes))
    assert (document.text, messages(document)) == (
        text,
        [
            f"UNREADABLE_INPUT ERROR this is not a spreadsheet that can be read ({reason}). "
            "Check that it is complete; save an old Word or PowerPoint file as DOCX or PDF"
            for reason in reasons
        ],
    )


def test_other_office_documents_are_named() -> None:
    drawing = pack({"[Content_Types].xml": "<Types/>", "visio/document.xml": "<p/>"})
    assert messages(read_document(drawing)) == [
        "UNREADABLE_INPUT ERROR this kind of office document is not read. Save it as PDF, DOCX, XLSX or PPTX"
    ]


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        ("EncryptedPackage", "the document is protected with a password. Save a copy without it and read that"),
        ("WordDocument", "this is a Word document of the old kind. Save it as DOCX or PDF and read that"),
        ("PowerPoint Document", "this is a presentation of the old kind. Save it as PPTX or PDF and read that"),
    ],
)
def test_old_containers_are_told_apart(stream: str, expected: str) -> None:
    container = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504) + stream.encode("utf-16-le") + bytes(512)
    assert messages(read_document(container)) == [f"UNREADABLE_INPUT ERROR {expected}"]


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    (message,) = messages(read_document(make_xlsx({"S": {"A1": "x"}})))
    assert message.endswith(
        "python_calamine, which is not installed. Run: pip install '.[office]' in a checkout of Paxman"
    )


def with_formats(codes: list[str], cells: str) -> bytes:
    """A workbook whose style number n has the n-th format code."""
    numbered = list(enumerate(codes, 164))
    formats = "".join(f"<numFmt numFmtId='{number}' formatCode={quoteattr(code)}/>" for number, code in numbered)
    styles = "".join(f"<xf numFmtId='{number}'/>" for number, _ in numbered)
    source = io.BytesIO(make_xlsx({"S": {"A1": "x"}}))
    with zipfile.ZipFile(source) as archive:
        members: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    members["xl/styles.xml"] = (
        f"<styleSheet xmlns='{MAIN}'><numFmts>{formats}</numFmts><cellXfs>{styles}</cellXfs></styleSheet>"
    )
    members["xl/sheet1.xml"] = f"<worksheet xmlns='{MAIN}'><sheetData><row r='1'>{cells}</row></sheetData></worksheet>"
    return pack(members)


@pytest.mark.parametrize(
    ("code", "written", "shown"),
    [
        ('#,##0.00 "EUR"', "1234.5", "1234.50 EUR"),
        ("#,##0.00 [$€-407]", "99", "99.00 €"),
        ('"$"#,##0.00', "-5.5", "-$5.50"),
        ("[$CHF] #,##0.00", "7", "CHF 7.00"),
        ("_-* #,##0.00\\ [$€-407]_-;\\-* #,##0.00\\ [$€-407]_-", "7.25", "7.25 €"),
        ('#,##0 "EUR"', "1234.56", "1234.56 EUR"),
        ('#,##0.00 "EUR"', "0.30000000000000004", "0.30 EUR"),
        ("00000", "1234", "01234"),
        ("00000", "1234.5", "1234.5"),
        ("[$-409]0.00", "1.5", "1.5"),
        ('0 "kg"', "5", "5"),
        ("0%", "0.19", "0.19"),
        ("General", "12345678901234567", "12345678901234567"),
        ("General", "0.30000000000000004", "0.3"),
    ],
)
def test_a_cell_is_read_as_its_format_shows_it(code: str, written: str, shown: str) -> None:
    document = read_document(with_formats([code], f"<c r='B1' s='0'><v>{written}</v></c>"))
    assert (document.text, document.diagnostics) == (shown, ())
    assert document.locate((0, 1)) == SheetCell("S", "B1")


@pytest.mark.parametrize(
    ("days", "shown"), [("1.2534722222222223", "30:05:00"), ("0.25", "6:00:00"), ("41.666666666666664", "1000:00:00")]
)
def test_a_duration_is_hours_minutes_and_seconds(days: str, shown: str) -> None:
    assert read_document(with_formats(["[h]:mm"], f"<c r='B1' s='0'><v>{days}</v></c>")).text == shown


def test_a_formula_without_its_result_is_noted() -> None:
    cells = "<c r='A1'><v>1</v></c><c r='B1'><f>A1+1</f><v></v></c><c r='C1'><f>A1+2</f><v>3</v></c><c r='D1'/>"
    cells += "<c r='E1' t='str'><f>IF(A1,\"\",1)</f><v></v></c>"
    document = read_document(with_formats(["General"], cells))
    assert document.text.split() == ["1", "3"]
    assert [note.message for note in document.diagnostics] == [
        "1 cell holds a formula without a stored result. Open and save it with a spreadsheet program"
    ]


def test_a_cell_with_an_error_is_noted() -> None:
    document = read_document(with_formats(["General"], "<c r='A1'><v>1</v></c><c r='B1' t='e'><v>#REF!</v></c>"))
    assert document.text.split() == ["1"]
    assert messages(document) == [
        "UNREADABLE_INPUT WARNING 1 cell holds an error such as #REF! and no value."
        " Mend its formulas with a spreadsheet program"
    ]


@pytest.mark.parametrize(("number", "shown"), [(5, "$7"), (8, "$7.00"), (44, "$7.00"), (39, "7"), (2, "7")])
def test_formats_that_every_program_knows(number: int, shown: str) -> None:
    book = with_formats([""], "<c r='B1' s='0'><v>7</v></c>")
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        members: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    members["xl/styles.xml"] = f"<styleSheet xmlns='{MAIN}'><cellXfs><xf numFmtId='{number}'/></cellXfs></styleSheet>"
    assert read_document(pack(members)).text == shown


def test_amounts_with_the_currency_of_their_format() -> None:
    heads = "".join(
        f"<c r='{address}' t='inlineStr'><is><t>{text}</t></is></c>"
        for address, text in (("A1", "item"), ("B1", "price"))
    )
    rows = "".join(
        f"</row><row r='{n}'><c r='A{n}' t='inlineStr'><is><t>W{n}</t></is></c><c r='B{n}' s='0'><v>{n}.5</v></c>"
        for n in (2, 3)
    )
    book = with_formats(['#,##0.00 "CHF"'], heads + rows)
    for kind, first in (("MONEY", Money(Decimal("2.50"), "CHF")), ("DECIMAL", Decimal("2.50"))):
        columns = [
            {"name": "item", "type": "STRING", "required": True},
            {"name": "price", "type": kind, "required": True},
        ]
        field = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": columns}}
        artifact = normalize(book, {"id": "c", "version": "1", "fields": [field]})
        assert artifact["rows"].value[0] == {"item": "W2", "price": first}


def side_by_side(*rows: str) -> list[list[list[str]]]:
    """The tables of a sheet, given by its rows with bars between the cells."""
    cells: dict[str, Value] = {
        f"{column_letters(column)}{number}": int(value) if value.isdecimal() else value
        for number, row in enumerate(rows, 1)
        for column, value in enumerate(row.split("|"))
        if value
    }
    return [texts(table) for table in read_document(make_xlsx({"S": cells})).tables]


def test_tables_side_by_side_are_several_where_their_headings_are_alike() -> None:
    assert side_by_side("Income|||Costs|", "Source|Amount||Kind|Amount", "Sales|12||Rent|4", "|||Power|9") == [
        [["Source", "Amount"], ["Sales", "12"]],
        [["Kind", "Amount"], ["Rent", "4"], ["Power", "9"]],
    ]
    assert side_by_side("Acme||||", "||||", "Number|N-9||Buyer", "Due date|2025-04-01||Roth") == [
        [["Number", "N-9"], ["Due date", "2025-04-01"]],
        [["Buyer"], ["Roth"]],
    ]
    years = ["Product|Code||Units|Gain||Units|Gain", "Tea|T||5|50||6|66", "Milk|M||9|90||8|80"]
    assert [len(table[0]) for table in side_by_side(*years)] == [8]
    assert [len(table[0]) for table in side_by_side("Item||Qty||Price", "Bolt||2||1", "Nut||3||5")] == [5]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ({"A1": "Kunde", "B1": "Roth GmbH", "A2": "Datum", "B2": "12.03.2025"}, "Roth GmbH"),
        ({"A1": "Cliente:", "B1": "Hotel Ribeira Azul"}, "Hotel Ribeira Azul"),
        ({"A1": "Report", "A2": "N", "B2": "Kunde", "C2": "Sum", "B3": "A", "C3": 5, "B4": "B", "C4": 6}, None),
    ],
)
def test_a_party_stands_beside_its_label_in_the_form_of_a_sheet(cells: dict[str, Value], expected: str | None) -> None:
    buyer = {"name": "buyer", "type": "STRING", "required": False}
    assert normalize(make_xlsx({"Blatt": cells}), {"id": "c", "fields": [buyer]})["buyer"].value == expected
