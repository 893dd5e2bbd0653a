import csv
import io
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paxman.documents.document import ByteRange, Document, SheetCell, column_letters
from paxman.documents.reading import read_document
from paxman.transforms import run


def tables(text: str, encoding: str = "utf-8") -> list[list[list[str]]]:
    document = read_document(text.encode(encoding), "x.csv")
    assert document.kind == "csv"
    return [[[cell.text for cell in row] for row in (table.header, *table.rows)] for table in document.tables]


SIMPLE = [["name", "qty", "price"], ["Bolt, large", "2", "3.00"], ['a "b"', "1", "4.00"]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", "^", "~", "\x01"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_dialects_give_the_same_table(encoding: str, delimiter: str, line_end: str, quoting: int) -> None:
    written = io.StringIO()
    csv.writer(written, delimiter=delimiter, lineterminator=line_end, quoting=quoting).writerows(SIMPLE)  # type: ignore[arg-type]
    assert tables(written.getvalue(), encoding) == [SIMPLE]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\n1,\n", [["a", "b"], ["1", ""]]),
        ("name,mail,mail\nAnn,a@x.org,b@x.org\n", [["name", "mail", "mail"], ["Ann", "a@x.org", "b@x.org"]]),
        ("yes,yes,no\nno,no,yes\n", [[], ["yes", "yes", "no"], ["no", "no", "yes"]]),
        ("sep=;\na;b\n1;2,5\n", [["a", "b"], ["1", "2,5"]]),
        ("a, b, c\n1, 2, 3\n4, 5, 6\n", [["a", "b", "c"], ["1", "2", "3"], ["4", "5", "6"]]),
        ("n,t\n1,'x, y'\n2,'z'\n3,'w'\n", [["n", "t"], ["1", "x, y"], ["2", "z"], ["3", "w"]]),
        ('n,t\n1,"a \\"b\\", c"\n2,"x"\n', [["n", "t"], ["1", 'a "b", c'], ["2", "x"]]),
        ('t,n\n"12\\" pipe",1\n', [["t", "n"], ['12" pipe', "1"]]),
        ('t,n\n"12\\"",1\n"x",2\n', [["t", "n"], ['12"', "1"], ["x", "2"]]),
        ('t,n\n"C:\\a\\",1\n"C:\\b\\",2\n', [["t", "n"], ["C:\\a\\", "1"], ["C:\\b\\", "2"]]),
        ('t,n\n"an "odd\\" one",1\n"x",2\n', [["t", "n"], ['an "odd\\" one', "1"], ["x", "2"]]),
        ('n,t\n1,="00123"\n2,"=""00456"""\n', [["n", "t"], ["1", "00123"], ["2", "00456"]]),
        ('n,t\n1,="a"&"b"\n2,=A1\n', [["n", "t"], ["1", '="a"&"b"'], ["2", "=A1"]]),
        ('n,t\n1,"two\nlines"\n2,x\n', [["n", "t"], ["1", "two\nlines"], ["2", "x"]]),
        ('n,t,u\n1,"10" wide",x\n2,"y",z\n', [["n", "t", "u"], ["1", '10" wide', "x"], ["2", "y", "z"]]),
        ('n,t,u\n1,"5,"a"\n2,"y",z\n3,"w",v\n', [["n", "t", "u"], ["1", '"5', "a"], ["2", "y", "z"], ["3", "w", "v"]]),
    ],
)
def test_quotes_and_delimiters(text: str, expected: list[list[str]]) -> None:
    assert tables(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Report of May,,\n,,\nname,qty,price\nBolt,2,3.00\n", [["name", "qty", "price"], ["Bolt", "2", "3.00"]]),
        ("name,city\n", [["name", "city"]]),
        ("Bob\nAnn\n", [[], ["Bob"], ["Ann"]]),
        ("1,2,3\n4,5,6\n", [[], ["1", "2", "3"], ["4", "5", "6"]]),
        ("name,city\nBob,Rome\nAnn,Oslo\n", [["name", "city"], ["Bob", "Rome"], ["Ann", "Oslo"]]),
        ("country,2004,2005\nItaly,1,2\n", [["country", "2004", "2005"], ["Italy", "1", "2"]]),
        (
            "Date,Travel,,Total\n,Air,Rail,\n04/04/2014,,65.60,65.60\n05/04/2014,9.00,,9.00\n",
            [["Date", "Travel Air", "Travel Rail", "Total"], ["04/04/2014", "", "65.60", "65.60"],
             ["05/04/2014", "9.00", "", "9.00"]],
        ),
        ("n,p\nA,1\n,\nPage 2,\nn,p\nB,2\n", [["n", "p"], ["A", "1"], ["B", "2"]]),
        ("a;b;c\nx;1;2;3\ny;4;5;6\n", [["", "a", "b", "c"], ["x", "1", "2", "3"], ["y", "4", "5", "6"]]),
        ("a;b\nx;1;\ny;4;\n", [["a", "b", ""], ["x", "1", ""], ["y", "4", ""]]),
        ("n,p,q\nA,1,2\nB,2\nC,3,4,,\n", [["n", "p", "q"], ["A", "1", "2"], ["B", "2", ""], ["C", "3", "4"]]),
    ],
)  # fmt: skip
def test_preamble_headings_and_odd_rows(text: str, expected: list[list[str]]) -> None:
    assert tables(text) == [expected]


@pytest.mark.parametrize(
    "above",
    ["Report,,,\nPeriod,2025-01,,\n,,,\n", "Created,2025-01-31,,\nBy,Ann,,\n", "Report,,,\n", "Order,17,,\n" * 9],
)
def test_padded_pairs_above_headings_are_no_rows(above: str) -> None:
    (table,) = tables(f"{above}Region,Item,Qty,Amount\nNorth,Bolt,3,4.50\n,,Total,4.50\n")
    assert table == [["Region", "Item", "Qty", "Amount"], ["North", "Bolt", "3", "4.50"], ["", "", "Total", "4.50"]]


def test_headings_with_one_last_row_are_a_table_below_pairs() -> None:
    account = '"Account:";"DE 12";\n"From:";"01.01.2025";\n"To:";"31.01.2025";\n\n'
    found = tables(account + '"Day";"Text";"Kind";"Amount"\n"02.01.2025";"Rent";"out";"-500,00"\n')
    assert found[1:] == [[["Day", "Text", "Kind", "Amount"], ["02.01.2025", "Rent", "out", "-500,00"]]]


def test_a_second_table_in_the_same_file() -> None:
    first, second = (
        [["a", "b"], ["1", "2"], ["3", "4"], ["5", "6"]],
        [["x", "y", "z"], ["1", "2", "3"], ["4", "5", "6"]],
    )
    assert tables("\n".join(",".join(row) for row in first + second)) == [first, second]


ENTRIES = [["Date", "Text", "Amount"], ["2025-03-01", "Rent", "-500"], ["2025-03-02", "Pay", "900"]]


@pytest.mark.parametrize(
    ("above", "expected"),
    [
        ("Account,Balance\nDE99,1200.50\n", [["Account", "Balance"], ["DE99", "1200.50"]]),
        ("Customer,Amount\nJane,1200.50\n", [["Customer", "Amount"], ["Jane", "1200.50"]]),
        ("Account,Bank,Balance\nDE99,A,12\n", [["Account", "Bank", "Balance"], ["DE99", "A", "12"]]),
        ("Report of sales\nMarch 2025\n", None),
        ("Report,Sales\nDate,2025-03-01\n", None),
        ("Address,Main St\nAddress 2,55\n", None),
        ("Region,North\nQ1,55\n", None),
    ],
)
def test_a_table_of_one_row_stands_above_another(above: str, expected: list[list[str]] | None) -> None:
    below = "\n".join(map(",".join, ENTRIES))
    assert tables(f"{above}\n{below}\n") == [*filter(None, [expected]), ENTRIES]


def test_two_columns_are_pairs() -> None:
    document = read_document(b"Number,INV-7\nTotal:,12.00\n", "x.csv")
    pairs = [(pair.label, document.text[slice(*pair.value_span)]) for pair in document.pairs]
    assert pairs == [("Number", "INV-7"), ("Total", "12.00")]


def test_a_text_that_is_written_as_a_formula_is_the_value_of_a_pair() -> None:
    document = read_document(b'No,="0017"\nZip,"=""00123"""\nRef,"A"\n', "x.csv")
    values = [(pair.label, document.text[slice(*pair.value_span)]) for pair in document.pairs]
    assert values == [("No", "0017"), ("Zip", "00123"), ("Ref", "A")]


def test_two_headings_are_no_pair() -> None:
    document = read_document(b"Name,City\nAl,Rome\nBo,Paris\n")
    pairs = [(pair.label, document.text[slice(*pair.value_span)]) for pair in document.pairs]
    assert pairs == [("Al", "Rome"), ("Bo", "Paris")]


@pytest.mark.parametrize("delimiter", ["^", "~", "\x01"])
def test_rare_delimiters_need_no_file_name(delimiter: str) -> None:
    lines = ("name,qty,price", "Bolt,2,3.00", "Nut,5,1.00")
    document = read_document("\n".join(lines).replace(",", delimiter).encode())
    assert document.kind == "csv"
    assert [[cell.text for cell in row] for row in document.tables[0].rows] == [
        ["Bolt", "2", "3.00"],
        ["Nut", "5", "1.00"],
    ]
    assert document.diagnostics == ()


@pytest.mark.parametrize(
    "text",
    [
        "sep=!\nItem!Qty!Price\nBolt!3!4.50",
        "SEP=#\r\nItem#Qty#Price\r\nBolt#3#4.50\r\n",
        'Item Qty Price\n"Blue bolt" 3 4.50\nNut 5 0.20\n',
        '"Item" "Qty" "Price"\n"Blue bolt" "3" "4.50"',
        "Sales\n\nItem;Qty;Price\nBolt;3;4.50",
        "Sales, March 2025\nItem,Qty,Price\nBolt,3,4.50\n",
        'Sales\n"Item","Qty","Price"\n"Bolt, blue","3","4.50"\n',
        "Account;DE 12\nFrom;2025-01-01\n\nItem;Qty;Price\nBolt;3;4.50\nNut;4;0.20\n",
        "Order 4711\nShop 12\nSums in EUR\nBy Ann\nFor Bob\nPage 1\n\nItem;Qty;Price\nBolt;3;4.50\nNut;4;1\n",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_short_tables_need_no_file_name(text: str, encoding: str) -> None:
    document = read_document(text.encode(encoding))
    found = [[[cell.text for cell in row] for row in (table.header, *table.rows)] for table in document.tables]
    assert (document.kind, found[-1][0], found) == ("csv", ["Item", "Qty", "Price"], tables(text, encoding))


@pytest.mark.parametrize(
    "text",
    [
        "Dear Ann,\nplease send bolts, nuts, and washers.\nYours,\nBob,\nYork,\n3 March\n",
        "Alder Ltd\nHigh Street 1,York,YO1 2AB\nVAT 3,Reg 456,Tel 01904\n",
        "SHOP\nITEM,QTY,AMT\nCOLA 2 3.00\nTOTAL 3.00\n",
        "Minutes\nAnn came; Bob went; Eve stayed 3\nRain; wind; 4\n",
        "Meeting\nMonday,3,March\nTuesday,4,March\n",
        'ERROR "disk full" 3 sda\nWARN "disk slow" 4 sdb\nERROR "disk full" 5 sdc\n',
        'set name "Blue bolt"\nset size "3 mm"\n',
        "Item Qty Price\nBolt 3 4.50\nNut 5 0.20\n",
        "sep=!\n[main]\nname=Ann\n",
    ],
)
def test_text_with_a_few_delimiters_is_no_table(text: str) -> None:
    assert read_document(text.encode()).kind == "text"


def test_addresses_count_every_record() -> None:
    document = read_document('Title\n\na,b\n"x\ny",2\n3,"4"\n'.encode("utf-16-le"), "x.csv")
    start = document.text.index('"4"')
    assert document.locate((start, start + 3)) == SheetCell("", "B5")
    assert document.byte_range((start, start + 3)) == ByteRange(2 * start, 2 * start + 6)
    assert [column_letters(index) for index in (0, 25, 26, 51, 52, 701, 702)] == [
        "A",
        "Z",
        "AA",
        "AZ",
        "BA",
        "ZZ",
        "AAA",
    ]


def raw_cell(document: Document, address: SheetCell, rows: list[list[str]]) -> str:
    letters = address.cell.rstrip("0123456789")
    row, column = int(address.cell[len(letters) :]) - 1, 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return rows[row][column - 1]


cells = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from('",\n'), max_size=8)


@given(st.integers(2, 5).flatmap(lambda width: st.lists(st.lists(cells, min_size=width, max_size=width), min_size=3)))
@settings(max_examples=120)
def test_an_address_finds_the_same_raw_cell(rows: list[list[str]]) -> None:
    rows = [["h" + str(column) for column in range(len(rows[0]))], *(["r" + row[0], *row[1:]] for row in rows)]
    written = io.StringIO()
    csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    document = read_document(written.getvalue().encode(), "x.csv")
    found = [cell for table in document.tables for row in (table.header, *table.rows) for cell in row]
    assert [cell.text for cell in found if cell.text] == [cell for row in rows for cell in row if cell]
    for cell in found:
        assert run(cell.transforms, document.text[slice(*cell.span)]) == cell.text
        if cell.text:
            address = document.locate(cell.span)
            assert isinstance(address, SheetCell)
            assert raw_cell(document, address, rows) == cell.text


@pytest.mark.parametrize("unit", [",", '"', '"a,', '"a"",', "1,2,3\n", "\n", "\t", '"a\n', 'a,"\n'])
def test_hostile_files_take_linear_time(unit: str) -> None:
    start = time.process_time()
    document = read_document((unit * (100_000 // len(unit))).encode(), "x.csv")
    assert document.tables is not None
    assert time.process_time() - start < 4


def test_a_row_that_is_too_long_says_so() -> None:
    document = read_document(b"sku,qty,price\na,1,5\nb,2,6,7\nc,3,8\n", "x.csv")
    assert [note.message for note in document.diagnostics] == [f"1 {_LONG}. Quote cells that hold the delimiter"]
    assert read_document(b"sku,qty,price\na,1,5\nb,2,6\nc,3,8\n", "x.csv").diagnostics == ()


def test_a_cell_too_many_in_every_row_shifts_no_column() -> None:
    document = read_document(b"name,qty\nWidget,2,7\nGadget,3,8\n", "a.csv")
    (table,) = document.tables
    assert [cell.text for cell in table.header] == ["name", "qty", ""]
    assert [[cell.text for cell in row] for row in table.rows] == [["Widget", "2", "7"], ["Gadget", "3", "8"]]
    assert [note.message for note in document.diagnostics] == [f"2 {_LONG}. Quote cells that hold the delimiter"]


@pytest.mark.parametrize("rows", ["1,Widget,2\n2,Gadget,3\n", "Alpha,21,6\nBeta,22,4\n"])
def test_names_of_rows_have_no_heading(rows: str) -> None:
    document = read_document(f"mpg,cyl\n{rows}".encode(), "a.csv")
    assert [cell.text for cell in document.tables[0].header] == ["", "mpg", "cyl"]
    (note,) = document.diagnostics
    assert note.message.startswith(
        "2 rows have one cell more than there are headings; the first one was taken for their name. Write a heading"
    )


def test_rows_that_end_with_a_delimiter_are_csv_without_a_name() -> None:
    document = read_document(b"name,qty\nWidget,2,\nGadget,3,\n")
    assert document.kind == "csv"
    assert [[cell.text for cell in row[:2]] for row in document.tables[0].rows] == [["Widget", "2"], ["Gadget", "3"]]
    assert document.diagnostics == ()


def test_the_last_line_of_a_wrapped_row_stays_above_repeated_headings() -> None:
    document = read_document(
        b"qty,who,what\n3,Eve,Tea\n1,Ann,Dinner and\n,,hotel\nPage 2,,\nqty,who,what\n2,Bob,Lunch\n"
    )
    assert [[cell.text for cell in row] for row in document.tables[0].rows] == [
        ["3", "Eve", "Tea"],
        ["1", "Ann", "Dinner and"],
        ["", "", "hotel"],
        ["2", "Bob", "Lunch"],
    ]


_LONG = (
    "rows have more cells than the table has columns; their last cells belong to no column, though others may be extra"
)
_SHORT = (
    "rows have fewer cells than the table has columns; the last columns were left empty, though others may be meant"
)
_STRAY = "rows have one cell more than the table has columns; an empty one was left out, though another may be extra"


@pytest.mark.parametrize(
    ("source", "header", "rows", "notes"),
    [
        ("a,b\n1,2,3\n", ["a", "b", ""], [["1", "2", "3"]], [f"1 {_LONG}"]),
        (
            "a,b\n1,2,3,4\n5,6,7,8\n",
            [],
            [["a", "b"], ["1", "2", "3", "4"], ["5", "6", "7", "8"]],
            ["the first row has fewer cells than those below it and was not taken for headings"],
        ),
        ("a,b,c\n1,2\n3,4\n", ["a", "b", "c"], [["1", "2", ""], ["3", "4", ""]], [f"2 {_SHORT}"]),
        (
            "a,b,c\n1,2,3\n4,5\n6,7,8\n",
            ["a", "b", "c"],
            [["1", "2", "3"], ["4", "5", ""], ["6", "7", "8"]],
            [f"1 {_SHORT}"],
        ),
        ("a,b,c\n1,2,3\n4,,9,9\n", ["a", "b", "c"], [["1", "2", "3"], ["4", "9", "9"]], [f"1 {_STRAY}"]),
        ("a,b,c\n1,2,3\n4,5,6,\n", ["a", "b", "c"], [["1", "2", "3"], ["4", "5", "6"]], []),
        (
            "Name,Team\nAnna,red,captain\nBob,blue,keeper\n",
            ["Anna", "red", "captain"],
            [["Bob", "blue", "keeper"]],
            ["the first row has fewer cells than those below it and was not taken for headings"],
        ),
        (
            "Customer,Acme\n\nitem,color,shape\nBolt,red,round\nNut,blue,flat\n",
            ["item", "color", "shape"],
            [["Bolt", "red", "round"], ["Nut", "blue", "flat"]],
            [],
        ),
        (
            "item,qty,note\nBolt,3,ok\nSpecial order,,\nitem,qty,note\nNut,4,ok\n",
            ["item", "qty", "note"],
            [["Bolt", "3", "ok"], ["Nut", "4", "ok"]],
            ["1 rows above headings that are repeated were taken for titles and left out"],
        ),
        (
            "item:qty:price\nBolt:3:1.20\nNut:4:2.00\n",
            ["item", "qty", "price"],
            [["Bolt", "3", "1.20"], ["Nut", "4", "2.00"]],
            [],
        ),
        ("time\n10:20:30\n11:20:30\n", ["time"], [["10:20:30"], ["11:20:30"]], []),
        (
            "who,city,note\nAnn,Rome\nBob,Oslo\n",
            ["who", "city", "note"],
            [["Ann", "Rome", ""], ["Bob", "Oslo", ""]],
            [f"2 {_SHORT}"],
        ),
        ("Report,x,y\nid,qty\n1,2\n3,4\n", ["id", "qty"], [["1", "2"], ["3", "4"]], []),
    ],
)
def test_rows_of_another_width_than_the_headings(
    source: str, header: list[str], rows: list[list[str]], notes: list[str]
) -> None:
    document = read_document(source.encode(), "a.csv")
    (table,) = document.tables
    assert [cell.text for cell in table.header] == header
    assert [[cell.text for cell in row] for row in table.rows] == rows
    assert [note.message.split(".")[0] for note in document.diagnostics] == notes


@pytest.mark.parametrize("delimiter", [" ", ":"])
def test_a_rare_delimiter_that_cuts_evenly_wins_over_commas_in_cells(delimiter: str) -> None:
    wanted = [["id", "name", "price"], ["1", "Smith, Ann, and sons", "2"], ["2", "Roe, Jim", "3"], ["3", "Bo", "4"]]
    lines = [delimiter.join(f'"{cell}"' if " " in cell else cell for cell in row) for row in wanted]
    (table,) = read_document("\n".join(lines).encode(), "a.csv").tables
    assert [[cell.text for cell in row] for row in (table.header, *table.rows)] == wanted


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["'Table, 48\"\"'", '\'a ""b"" c\''], ['Table, 48"', 'a "b" c']),
        (["'Table, 48\"\"'", "'10\" wide, 2'"], ['Table, 48""', '10" wide, 2']),
        (["'<b id=\"\">, x'", '\'a ""b"" c\''], ['<b id="">, x', 'a ""b"" c']),
        (['\'Table, 48""""\'', '5""'], ['Table, 48""', '5""']),
    ],
)
def test_double_quotes_are_doubled_in_cells_with_other_quotes(cells: list[str], expected: list[str]) -> None:
    lines = ["n,t", *(f"{number},{cell}" for number, cell in enumerate([*cells, "'x, y'", "'z'", "'w'", "'v'"]))]
    document = read_document("\n".join(lines).encode(), "x.csv")
    found = [row[1] for row in document.tables[0].rows]
    assert [cell.text for cell in found] == [*expected, "x, y", "z", "w", "v"]
    assert [run(cell.transforms, document.text[slice(*cell.span)]) for cell in found] == [cell.text for cell in found]
    assert [document.locate(cell.span) for cell in found] == [SheetCell("", f"B{row}") for row in range(2, 8)]


_JOINED = "rows have more cells than the table has columns; those too many were joined in"


@pytest.mark.parametrize(
    ("source", "expected", "note"),
    [
        (
            "id,name,city,sum\n1,Maier,Bonn,2.50\n2,Roe, Jim,Ulm,9.00\n3,Koch,Jena,8.00\n",
            [["id", "name", "city", "sum"], ["1", "Maier", "Bonn", "2.50"], ["2", "Roe, Jim", "Ulm", "9.00"],
             ["3", "Koch", "Jena", "8.00"]],
            f"1 {_JOINED} B",
        ),
        (
            "id,name\n1,Maier\n2,Roe, Jim\n3,Koch, Al\n4,Poe, Ed\n5,Day, Bo\n6,Ott\n7,Uhl\n",
            [["id", "name"], ["1", "Maier"], ["2", "Roe, Jim"], ["3", "Koch, Al"], ["4", "Poe, Ed"], ["5", "Day, Bo"],
             ["6", "Ott"], ["7", "Uhl"]],
            f"4 {_JOINED} B",
        ),
        (
            "at;what\n09:42;Start\n09:43;Disk; 5 GB left; clean up\n09:44;Stop\n",
            [["at", "what"], ["09:42", "Start"], ["09:43", "Disk; 5 GB left; clean up"], ["09:44", "Stop"]],
            f"1 {_JOINED} B",
        ),
        (
            'no kind text note\n1 Red  hot, wool hat "so, warm" \n2 "Cap, x" "a b" \n3 Blue, thin cap "c" \n'
            '4 Sock "d" \n',
            [["no", "kind", "text", "note"], ["1", "Red  hot, wool hat", "so, warm", ""], ["2", "Cap, x", "a b", ""],
             ["3", "Blue, thin cap", "c", ""], ["4", "Sock", "d", ""]],
            f"2 {_JOINED} B",
        ),
        (
            "USER  PID %CPU COMMAND\nroot    1  0.0 init splash, quiet\nann  1043  1.2 bash\nann    17  0.0 vi a b\n"
            "bob     3 10.0 zsh\n",
            [["USER", "PID", "%CPU", "COMMAND"], ["root", "1", "0.0", "init splash, quiet"],
             ["ann", "1043", "1.2", "bash"], ["ann", "17", "0.0", "vi a b"], ["bob", "3", "10.0", "zsh"]],
            f"2 {_JOINED} D",
        ),
    ],
)  # fmt: skip
def test_one_column_holds_the_delimiter_without_quotes(source: str, expected: list[list[str]], note: str) -> None:
    document = read_document(source.encode(), "x.csv")
    (table,) = document.tables
    rows = (table.header, *table.rows)
    assert [[cell.text for cell in row] for row in rows] == expected
    assert [note.message.split(".")[0] for note in document.diagnostics] == [note]
    filled = [
        (f"{'ABCD'[at]}{row}", cell) for row, cells in enumerate(rows, 1) for at, cell in enumerate(cells) if cell.text
    ]
    assert [(document.locate(cell.span), cell) for _, cell in filled] == [
        (SheetCell("", at), cell) for at, cell in filled
    ]


@pytest.mark.parametrize(
    "source",
    [
        "no,who,where,sum\n1,Acme,Main St 5,1.00\n2,Beta,Oak Road 7,Ulm,2.00\n3,Eta,Elm St 1,5.00\n",
        "qty,name\n2,Bolt\n3,Nut,5\n4,Cog\n",
        "item,note,price\nBolt,,3\nPin,,9,99\nNut,new,4\n",
    ],
)
def test_a_surplus_that_fits_nowhere_or_in_several_columns_stays(source: str) -> None:
    document = read_document(source.encode(), "x.csv")
    (table,) = document.tables
    assert [[cell.text for cell in row] for row in (table.header, *table.rows)] == [
        line.split(",") for line in source.splitlines()
    ]
    assert [note.message for note in document.diagnostics] == [f"1 {_LONG}. Quote cells that hold the delimiter"]


def test_a_wider_table_below_is_no_surplus() -> None:
    first = [["name", "qty", "price"], *([name, "2", "3.00"] for name in "abc")]
    second = [["name", "color", "qty", "price"], *([name, "red", "1", "9.00"] for name in "defg")]
    assert tables("\n".join(",".join(row) for row in first + second)) == [first, second]


words = st.lists(st.text("abcdefgh", min_size=1, max_size=5), min_size=1, max_size=6).map(" ".join)


@given(st.lists(st.tuples(words, st.decimals(1, 999, places=2).map(str)), min_size=1, max_size=20))
@settings(max_examples=60)
def test_cell_addresses_survive_an_unquoted_delimiter(items: list[tuple[str, str]]) -> None:
    items = [("one", "1.00"), ("two", "2.00"), ("three", "3.00"), *items]
    rows = [["no", "item", "price"], *([str(number), *item] for number, item in enumerate(items))]
    document = read_document("\n".join(map(" ".join, rows)).encode(), "x.csv")
    (table,) = document.tables
    assert [[cell.text for cell in row] for row in (table.header, *table.rows)] == rows
    for cell in (cell for row in table.rows for cell in row):
        address = document.locate(cell.span)
        assert isinstance(address, SheetCell)
        assert raw_cell(document, address, rows) == cell.text == document.text[slice(*cell.span)]


@pytest.mark.parametrize("unit", [" ", "x ", "1 ", '"a ', '4 "w 5\n', "4 w w 5\n", ",", ", ", ":"])
def test_hostile_rows_below_a_table_take_linear_time(unit: str) -> None:
    rows = "a b c\n1 x 2\n2 y 3\n3 z 4\n4 u v 5\n5 "
    source = rows.replace(" ", unit) if unit in ",:" else rows
    start = time.process_time()
    document = read_document((source + unit * (200_000 // len(unit))).encode(), "x.csv")
    assert document.tables is not None
    assert time.process_time() - start < 4


def test_any_number_of_spaces_parts_cells_if_it_cuts_evenly() -> None:
    source = "total 3\n-rw-r--r--  1 ann   4096 09:42 a.txt\n-rw-r--r-- 14 root    12 10:01 b.txt\n" + "".join(
        f"drwxr-xr-x  2 bob  {size:6} 11:00 d{size}\n" for size in (7, 80, 900, 1000)
    )
    found = tables(source)
    assert found == [[[], *(line.split() for line in source.splitlines())]]
    assert tables("a b c\n1  3\n2 5 6\n4  8\n") == [[["a", "b", "c"], ["1", "", "3"], ["2", "5", "6"], ["4", "", "8"]]]


NO_HEADINGS = [
    "Name,Hours\nAnn,8\nBob,7\nCara,6\nDan,absent,holiday\nEve,4,half day\n",
    "Name,Company,\nAnn,Alder,\nBob,Birch,\nCara,Cedar,Phone\nDan,Elm,12\nEve,Fir,13\n",
    "Name,Hours,\nAnn,8,\nBob,7,\nCara,absent,holiday\nDan,4,5\nEve,4,6\n",
    "Name,Town,\nAnn,York,\nBob,Bath,x\nCara,Hull,3\n",
]


@pytest.mark.parametrize("source", NO_HEADINGS)
def test_rows_with_more_cells_below_others_are_no_headings(source: str) -> None:
    assert tables(source) == [[line.split(",") for line in source.splitlines()]]


def test_a_last_table_of_one_row_stands_apart() -> None:
    hours, prices = "Name,Hours\nAnn,8\nBob,7\nCara,6\n", "Item,Price,Tax\nPen,4,1\n"
    expected = [[line.split(",") for line in part.splitlines()] for part in (hours, prices)]
    assert tables(f"{hours}\n{prices}") == tables(f"{hours},,\n{prices}") == expected


@pytest.mark.parametrize(
    "above",
    ["Customer,Alder,\nDate,2025-03-01,\nOrder,4711,\n", "Order,4711,\n", "Shop,Oak,\nTown,York,\n"],
)
def test_labels_with_values_above_headings_are_no_rows(above: str) -> None:
    assert tables(f"{above}Item,Qty,Price\nLamp,2,30\nPin,3,40\n") == [
        [["Item", "Qty", "Price"], ["Lamp", "2", "30"], ["Pin", "3", "40"]]
    ]


def test_dashes_below_headings_are_no_row() -> None:
    expected = [[["id", "name", "qty"], ["1", "Ann", "4"]]]
    assert tables("id,name,qty\n--,----,---\n1,Ann,4\n") == tables("id;name;qty\n-;-;-\n1;Ann;4\n") == expected
    assert read_document(b"id,name,qty\n--,----,---\n1,Ann,4\n2,Bob,5\n").kind == "csv"
    assert read_document(b"a|b|c\n---|---|---\n1|2|3\n3|4|5\n").kind == "markdown"


@pytest.mark.parametrize(
    "source",
    [
        b"x = 1\ny = 2\nfoo(a,b,c)\nbar(1,2,3)\n",
        b"sep=e\nHello there\n",
        b"import os\n\ndef f(a, b):\n    return a + b\n\nprint(f(1, 2))\nx,y,z\n1,2,3\n",
        b"select a, b, c\nfrom t\nwhere x = 1;\na,b,c\n1,2,3\n",
        b"Dear Ann, thank you for the parts.\nWe have got them, and they fit.\nx,y,z\n1,2,3\n",
    ],
)
def test_code_and_letters_that_part_words_are_no_csv(source: bytes) -> None:
    assert read_document(source).kind == "text"


def test_a_heading_may_have_a_unit_in_brackets() -> None:
    assert read_document(b"Our offer\nItem;Price (EUR)\nLamp;24.00\nBulb;2.50\n").kind == "csv"


FEW = "Item;Qty;Price;Sum\nBolt;2;1,00;2,00\nNut;3;0,50;1,50\n"


@pytest.mark.parametrize(
    ("footer", "count"),
    [("Generated 2024-01-01\n", 1), ("\n*** end ***\n", 1), ("Sold to Ann\nTotal: 3,50 EUR\n", 2)],
)
@pytest.mark.parametrize("name", [None, "x.csv"])
def test_a_footer_below_a_short_table_is_no_row(footer: str, count: int, name: str | None) -> None:
    document = read_document(f"{FEW}{footer}".encode(), name)
    (table,) = document.tables
    assert (document.kind, [row[0].text for row in table.rows]) == ("csv", ["Bolt", "Nut"])
    assert [note.message for note in document.diagnostics] == [
        f"{count} rows below the table have no delimiter and were left out of it."
        " Write a delimiter for every cell of a row"
    ]


def test_a_short_last_row_stays_one() -> None:
    assert tables(f"{FEW}Washer\n")[0][-1] == ["Washer", "", "", ""]
    assert tables(f"{FEW}Wing nut;4\nWing bolt\n")[0][-1] == ["Wing bolt", "", "", ""]
    assert tables("Item;Qty\nBolt;2\nNut;3\nWing nut\n")[0][-1] == ["Wing nut", ""]


def test_tables_side_by_side_are_several_where_their_headings_are_alike() -> None:
    assert tables("Source,Amount,,Kind,Amount\nSales,12,,Rent,4\n,,,Power,9\n") == [
        [["Source", "Amount"], ["Sales", "12"]],
        [["Kind", "Amount"], ["Rent", "4"], ["Power", "9"]],
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            ",,,,\n,Invoice number,INV-9,,Currency\n,Due date,2025-04-01,,EUR\n",
            [[["Invoice number", "INV-9"], ["Due date", "2025-04-01"]], [["Currency"], ["EUR"]]],
        ),
        (
            "Date,2025-04-01,,Item,Qty\nPlace,Bonn,,Bolt,2\n,,,Nut,3\n",
            [[[], ["Date", "2025-04-01"], ["Place", "Bonn"]], [["Item", "Qty"], ["Bolt", "2"], ["Nut", "3"]]],
        ),
        ("Item,Q1,,Unit\nBolt,5,,kg\n", [[["Item", "Q1", "", "Unit"], ["Bolt", "5", "", "kg"]]]),
        (
            "Task,T1,,By\nBuild,2025-01-01,,Ann\nShip,2025-01-05,,Bob\n",
            [[["Task", "T1", "", "By"], ["Build", "2025-01-01", "", "Ann"], ["Ship", "2025-01-05", "", "Bob"]]],
        ),
        ("Code,A1,,Name\nB2,3,,Bob\n", [[["Code", "A1", "", "Name"], ["B2", "3", "", "Bob"]]]),
    ],
)
def test_labels_with_values_beside_others_are_a_part_of_their_own(text: str, expected: list[list[list[str]]]) -> None:
    assert tables(text) == expected


def test_a_row_of_words_below_a_gap_is_a_row() -> None:
    text = "Name,Maths,English\nAnn,50,61\nBob,60,70\n\nEve,Absent,Ill\nJoe,70,55\nKim,80,66\n"
    assert [len(table.rows) for table in read_document(text.encode(), name="a.csv").tables] == [5]


def test_last_records_with_only_a_name_are_no_footer() -> None:
    text = "Name,Town,Phone\nAnn Lee,York,11\nBob Ray,Hull,12\nEve Moss,Bath,13\nJoe Day\nKim May\n"
    assert [len(table.rows) for table in read_document(text.encode(), name="a.csv").tables] == [5]
    footed = text.replace("Joe Day\nKim May", "Printed by the office on Monday")
    assert [len(table.rows) for table in read_document(footed.encode(), name="a.csv").tables] == [3]


def test_a_sign_before_every_heading_is_no_part_of_them():
    document = read_document(b'#Data;"#Kwota";#Saldo\n2025-02-01;-23,50;1204,33\n2025-02-03;-3,50;1200,83\n', "x.csv")
    header = document.tables[0].header
    assert [(cell.text, cell.transforms) for cell in header] == [
        ("Data", ("slice:1-5",)),
        ("Kwota", ('unquote:"', "slice:1-6")),
        ("Saldo", ("slice:1-6",)),
    ]
    assert [run(cell.transforms, document.text[slice(*cell.span)]) for cell in header] == ["Data", "Kwota", "Saldo"]
    numbered = read_document(b"#Order;Amount\n1;2,50\n2;3,50\n", "x.csv")
    assert [cell.text for cell in numbered.tables[0].header] == ["#Order", "Amount"]


@pytest.mark.parametrize(
    ("source", "rows", "notes"),
    [
        (
            "item\tqty\tprice\n=================\nBolt\t2\t1.50\nNut\t3\t2.50\n",
            [["Bolt", "2", "1.50"], ["Nut", "3", "2.50"]],
            ["1 line is a rule or comment and no row. Quote what is a cell"],
        ),
        (
            "item,qty,price\nBolt,2,1.50\n# other, new\nNut,3,2.50\n----\nSaw,4,5.00\n",
            [["Bolt", "2", "1.50"], ["Nut", "3", "2.50"], ["Saw", "4", "5.00"]],
            ["2 lines are rules or comments and no row. Quote what is a cell"],
        ),
        ("item,qty,price\n#bolt,2,1.50\n#nut\n", [["#bolt", "2", "1.50"], ["#nut", "", ""]], []),
        ("item,qty,price\nBolt,2,1.50\n#7\n", [["Bolt", "2", "1.50"], ["#7", "", ""]], []),
        ('item,qty,price\nBolt,2,1.50\n"# other"\n', [["Bolt", "2", "1.50"], ["# other", "", ""]], []),
        ("item,qty,price\nBolt,2,1.50\n-,-,-\n", [["Bolt", "2", "1.50"], ["-", "-", "-"]], []),
    ],
)
def test_rules_and_comments_between_rows_are_none(source: str, rows: list[list[str]], notes: list[str]) -> None:
    document = read_document(source.encode(), "a.csv")
    found = [[[cell.text for cell in row] for row in table.rows] for table in document.tables]
    assert (document.text, found, [note.message for note in document.diagnostics]) == (source, [rows], notes)
