"""The report as a file: complete, self-contained, and closed to what a document may hold."""

import html
import json
import re
import time
from decimal import Decimal
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdf_maker import lines, make_pdf
from test_documents_office import make_xlsx

import paxman
from paxman.api.inputs import RawInput
from paxman.documents.document import Document
from paxman.report.document_pane import _windows
from paxman.report.marks import Marks, ReportMark, mark_text
from paxman.report.page import report_page
from paxman.report.summary import report_folder, report_one
from paxman.report.views import Rubric, add_up, view_field, view_fields

SAMPLES = Path(paxman.__file__).parent / "samples"
CONTRACT = {
    "id": "c",
    "version": "1",
    "fields": [
        {"name": "name", "type": "STRING", "required": True},
        {"name": "total", "type": "MONEY", "required": True},
        {"name": "code", "type": "STRING", "required": False, "tags": ["regex:INV-\\d+"]},
    ],
}
OURS = set(
    "html head meta title style body header div h1 span dl dt dd kbd button main section pre mark ol li details "
    "summary p b ul svg rect blockquote code script table thead tbody tr th td".split()
)
HOSTILE = "Name: </pre><script>alert(1)</script><img src=x onerror=alert(2)>\nTotal: 1.00 EUR\n\"' onload='x\n"


class Tags(HTMLParser):
    """Tags and attributes of a page, and its visible text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.names, self.seen = [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.names |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.seen.append(data)


def render(text, contract=CONTRACT, name="x.txt"):
    artifact = paxman.normalize(text, contract)
    return report_page(attrs.evolve(artifact, metadata={"source": name}), RawInput(text.encode(), name))


def test_a_hostile_document_stays_text():
    page = Tags(render(HOSTILE, name="<script>.txt"))
    assert (page.tags.count("script"), page.tags.count("img")) == (1, 0)
    assert not {name for name in page.names if name.startswith("on")}
    assert any("<script>alert(1)</script>" in text for text in page.seen)


@settings(max_examples=60)
@given(st.text(max_size=80), st.text(max_size=30))
def test_no_document_adds_a_tag(value, name):
    page = Tags(render(f"Name: {value}\nTotal: {name}", name=name))
    assert set(page.tags) <= OURS
    assert page.tags.count("script") == 1


def test_nothing_is_loaded_from_anywhere():
    page = render("Name: https://example.com/x.png\nTotal: 1.00 EUR")
    assert re.findall(r'(?:src|href|action|url)\s*[=(]\s*["\']?(?!data:)[^"\'\s>]*', page) == []
    assert "default-src 'none'" in page


def test_unresolved_and_disputed_come_first():
    page = render("Name: Anna Weber\nsee INV-1 and INV-2")
    assert re.findall(r'<span class="name">(\w+)</span>', page) == ["total", "code", "name"]
    assert re.findall(r'data-concern="(\d)"', page) == ["0", "1", "5"]


def rows_contract(*columns):
    """A contract of one array `rows` with required columns, each as `name TYPE`."""
    fields = [{"name": each.split()[0], "type": each.split()[1], "required": True} for each in columns]
    rows = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    return {"id": "c", "version": "1", "fields": [rows]}


def looks(tmp_path, **artifacts):
    """What the summary says of each document, worst first: name, status, and what to look at."""
    for name, artifact in artifacts.items():
        stored = attrs.evolve(artifact, metadata={"source": name}).to_json()
        (tmp_path / f"{name}.json").write_text(stored)
    text = report_folder(tmp_path, None, tmp_path / "out")[0].read_text("utf-8")
    row = r'<a href="[^"]*">(\w+)</a></th><td><span[^>]*>(\w+)</span></td><td>(?:<span[^>]*>)?([^<]*)'
    return re.findall(row, text)


def test_rejected_rows_and_low_confidence_are_to_be_looked_at(tmp_path):
    contract = rows_contract("sku STRING", "qty INTEGER")
    good = paxman.normalize("sku,qty\na,1\nb,2\n", contract)
    poor = paxman.normalize("sku,qty\na,1\nb,\nc,\nd,x\ne,5\n", contract)
    (tmp_path / "empty.csv").write_text("sku,qty\n")
    empty = paxman.normalize(tmp_path / "empty.csv", contract)
    assert [note.code for note in poor.diagnostics] == [*["ROW_REJECTED"] * 3, "LOW_CONFIDENCE"]
    assert (poor.status.value, str(poor.rows("rows"))) == ("PARTIAL_SUCCESS", "2 of 5 rows")
    assert [note.code for note in empty.diagnostics] == ["CHAIN_EXHAUSTED"]
    assert looks(tmp_path, good=good, poor=poor, empty=empty) == [
        ("empty", "UNRESOLVED", "rows"),
        ("poor", "PARTIAL_SUCCESS", "rows"),
        ("good", "SUCCESS", "nothing"),
    ]
    assert '<dt>to look at</dt><dd title="1">1</dd>' in report_page(poor)
    assert '<span class="flag flag-2">Warning</span>' in report_page(poor)


def test_documents_are_ordered_by_what_is_wrong_with_them(tmp_path):
    fine = paxman.normalize("Name: Anna Weber\nTotal: 1.00 EUR\nINV-1", CONTRACT)
    partial = paxman.normalize("Name: Anna Weber\nTotal: 1.00 EUR", CONTRACT)
    split = paxman.normalize("Name: Anna Weber\nTotal: 1.00 EUR\nINV-1 INV-2", CONTRACT)
    poor = paxman.normalize("Name: Anna Weber", CONTRACT)
    failed = attrs.evolve(fine, status=paxman.Status.EXECUTION_FAILED)
    failed = attrs.evolve(failed, replay_hash=failed.computed_hash())
    assert looks(tmp_path, fine=fine, partial=partial, split=split, poor=poor, failed=failed) == [
        ("failed", "EXECUTION_FAILED", "nothing"),
        ("poor", "UNRESOLVED", "total"),
        ("split", "SUCCESS", "code"),
        ("fine", "SUCCESS", "nothing"),
        ("partial", "PARTIAL_SUCCESS", "nothing"),
    ]


def test_a_warning_about_the_document_is_to_be_looked_at(tmp_path):
    long = paxman.normalize("sku,qty,z\na,1,1\nb,2,3,7\nc,4,4\nd,5,5\n", rows_contract("sku STRING"))
    assert [note.code for note in long.diagnostics if note.field_path is None] == ["UNREADABLE_INPUT"]
    assert looks(tmp_path, long=long) == [("long", "SUCCESS", "the document")]


def keys_at(artifact, name):
    """The addresses that light up for a field, by the letter of their part."""
    marks = Marks(artifact)
    found = {}
    for mark in marks.all:
        for key in mark.keys:
            if key[:-1] == str(marks.numbers[name]):
                found.setdefault(key[-1], []).append(mark.source.cell)
    return found


def test_a_computed_value_lights_up_what_it_was_computed_from():
    orders = paxman.normalize(SAMPLES / "orders.csv", SAMPLES / "contracts" / "orders.yaml")
    assert keys_at(orders, "pieces") == {"c": ["D2", "D3", "D5"]}
    stock = paxman.normalize(SAMPLES / "stock.xlsx", SAMPLES / "contracts" / "stock.yaml")
    assert keys_at(stock, "value") == {"c": ["C2", "D2", "C3", "D3", "C4", "D4"]}


def test_a_value_computed_from_a_computed_one_leads_to_the_document():
    contract = rows_contract("sku STRING", "qty INTEGER")
    derived = {"sum": "sum(rows.qty)", "twice": "sum * 2"}
    contract["fields"] += [{"name": n, "type": "INTEGER", "required": True, "derive": f} for n, f in derived.items()]
    artifact = paxman.normalize("sku,qty\na,1\nb,2\n", contract)
    assert (artifact["twice"].value, keys_at(artifact, "twice")) == (6, {"c": ["B2", "B3"]})


def grid(data, contract, name):
    page = report_page(paxman.normalize(data, contract), RawInput(data, name))
    table = page[page.index('<table class="grid">') :]
    rows = re.findall(r"<tr>(.*?)</tr>", table[: table.index("</table>")])
    return [[re.sub("<[^>]*>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)] for row in rows]


def test_grids_are_labelled_with_addresses():
    contract = rows_contract("sku STRING", "qty INTEGER")
    assert grid(b"sku,qty\na,1\n,\nb,2\n", contract, "x.csv") == [
        ["", "A", "B"], ["1", "sku", "qty"], ["2", "a", "1"], ["4", "b", "2"],
    ]  # fmt: skip
    book = make_xlsx({"S": {"C4": "sku", "D4": "qty", "C5": "a", "D5": 1}})
    assert grid(book, contract, "x.xlsx") == [["", "C", "D"], ["4", "sku", "qty"], ["5", "a", "1"]]


def test_columns_stand_in_the_order_of_the_contract():
    contract = rows_contract("qty INTEGER", "note STRING", "sku STRING", "area STRING")
    for column in contract["fields"][0]["items"]["fields"][1::2]:
        column["required"] = False
    text = "area,sku,note,qty\n,x,,1\n,y,n,2\nq,z,,3\n"
    stored = paxman.ExecutionArtifact.from_json(paxman.normalize(text, contract).to_json())
    assert list(stored["rows"].value[1]) == ["note", "qty", "sku"]
    table = report_page(stored).partition('<table class="rows">')[2]
    assert re.findall(r'<th scope="col">(\w+)</th>', table) == ["qty", "note", "sku", "area"]
    assert view_field(stored, stored["rows"]).value == (
        '[{"qty": 1, "sku": "x"}, {"qty": 2, "note": "n", "sku": "y"}, {"qty": 3, "sku": "z", "area": "q"}]'
    )


def test_the_wrong_document_is_said():
    artifact = paxman.normalize("Name: Anna Weber", CONTRACT)
    assert "not the document that the artifact names" in report_page(artifact, RawInput(b"Name: B", "b.txt"))
    assert "not the document that the artifact names" not in report_page(
        artifact, RawInput(b"Name: Anna Weber", "a.txt")
    )
    assert "The document was not given" in report_page(artifact)


@pytest.mark.parametrize(
    ("document", "contract"),
    [("invoice.txt", "invoice.json"), ("orders.csv", "orders.yaml"), ("shipment.json", "shipment.json"),
     ("product.html", "product.toml")],
)  # fmt: skip
def test_every_piece_of_evidence_has_its_place_on_the_page(document, contract):
    path = SAMPLES / document
    artifact = paxman.normalize(path, SAMPLES / "contracts" / contract)
    page = report_page(artifact, RawInput(path.read_bytes(), document))
    shown = {key for keys in re.findall(r'data-e="([^"]+)"', page) for key in keys.split()}
    assert shown == {key for mark in Marks(artifact).all for key in mark.keys}


@settings(max_examples=100)
@given(st.text(alphabet="ab<&\n", max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=6))
def test_marks_may_overlap_and_lose_no_character(text, spans):
    marks = [
        ReportMark(tuple(sorted(span)), None, (f"{n}s",)) for n, span in enumerate(spans) if max(span) <= len(text)
    ]
    marked = mark_text(text, 0, len(text), marks)
    parser = Tags(marked)
    assert "".join(parser.seen) == text
    for number, mark in enumerate(marks):
        lit = re.findall(rf'<mark data-e="[^"]*\b{mark.keys[0]}\b[^"]*">(.*?)</mark>', marked, re.DOTALL)
        assert "".join("".join(Tags(piece).seen) for piece in lit) == text[slice(*mark.span)], number


@given(st.integers(0, 10**6), st.lists(st.integers(0, 10**6), max_size=5))
def test_windows_hold_every_mark_and_never_overlap(length, starts):
    marks = [ReportMark((start, min(start + 9, length)), None, ()) for start in starts if start < length]
    found = _windows(length, marks)
    assert found == sorted(found)
    assert all(left[1] < right[0] for left, right in pairwise(found))
    assert all(any(start <= mark.span[0] and mark.span[1] <= end for start, end in found) for mark in marks)


def test_the_sum_of_every_confidence_adds_up():
    for text in (
        "Name: Anna Weber\nTotal: 1.00 EUR",
        "Name: Anna Weber\nName: Carl Blum\nsee INV-1 INV-2 INV-3\nTotal: 1.00 EUR\nTotal: 2.00 EUR",
    ):
        for result in paxman.normalize(text, CONTRACT).field_results:
            rubric = add_up(result)
            if result.status == "UNRESOLVED":
                assert rubric is None
            else:
                assert min(100, sum(points for _, points in rubric.parts)) / 100 == result.confidence


def test_a_view_without_the_document_has_addresses_only():
    artifact = paxman.normalize("Name: Anna Weber\nTotal: 1.00 EUR", CONTRACT)
    without = view_fields(artifact)[0].evidence[0]
    document = Document("text", "Name: Anna Weber\nTotal: 1.00 EUR", lambda span: None)
    with_it = view_fields(artifact, document)[0].evidence[0]
    assert (without.quote, without.place) == (None, "bytes 6-16")
    assert (with_it.before, with_it.quote, with_it.after) == ("Name: ", "Anna Weber", "")


def test_a_folder_gives_a_summary_worst_first(tmp_path):
    (tmp_path / "artifacts").mkdir()
    (tmp_path / "sources").mkdir()
    for name, text in {
        "fine": "Name: Anna Weber\nTotal: 1.00 EUR\nINV-1",
        "poor": "Name: Anna Weber",
        "split": "Name: Anna Weber\nTotal: 1.00 EUR\nINV-1 INV-2",
    }.items():
        (tmp_path / "sources" / f"{name}.txt").write_text(text)
        artifact = paxman.normalize(tmp_path / "sources" / f"{name}.txt", CONTRACT)
        stored = attrs.evolve(artifact, metadata={"source": f"{name}.txt"}).to_json()
        (tmp_path / "artifacts" / f"{name}.json").write_text(stored)
    (tmp_path / "artifacts" / "other.json").write_text(json.dumps({"not": "an artifact"}))
    page, _ = report_folder(tmp_path / "artifacts", tmp_path / "sources", tmp_path / "out")
    text = page.read_text("utf-8")
    links = re.findall(r'<a href="([^"]+)">([^<]+)</a>', text)
    assert [name for _, name in links] == ["poor.txt", "split.txt", "fine.txt"]
    assert all((page.parent / address).is_file() for address, _ in links)
    assert "7 of 9" in text
    single, _ = report_folder(tmp_path / "artifacts", tmp_path / "sources" / "poor.txt", tmp_path / "single")
    shown = [path for path in sorted((single.parent / "documents").iterdir()) if "<mark" in path.read_text("utf-8")]
    assert len(shown) == 1
    one = report_one(
        tmp_path / "artifacts" / "fine.json", tmp_path / "sources" / "fine.txt", tmp_path / "r" / "one.html"
    )
    assert "<mark" in one.read_text("utf-8")


def test_batch_artifacts_are_shown_with_document_names(tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("a.txt", "b.txt"):
        (tmp_path / "in" / name).write_text(f"Name: Anna Weber\nTotal: 1.00 EUR\nINV-{ord(name[0])}")
    paxman.normalize_many(tmp_path / "in", CONTRACT, out=tmp_path / "out", artifacts=True, workers=1)
    page = report_folder(tmp_path / "out", tmp_path / "in", tmp_path / "report")[0].read_text("utf-8")
    assert re.findall(r'<a href="[^"]+">([^<]+)</a>', page) == ["a.txt", "b.txt"]


def test_equal_documents_are_all_named(tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("a.txt", "b.txt"):
        (tmp_path / "in" / name).write_text("Name: Anna Weber\nTotal: 1.00 EUR\nINV-7")
    paxman.normalize_many(tmp_path / "in", CONTRACT, out=tmp_path / "out", artifacts=True, workers=1)
    page = report_folder(tmp_path / "out", tmp_path / "in", tmp_path / "report")[0].read_text("utf-8")
    assert re.findall(r'<a href="[^"]+">([^<]+)</a>', page) == ["a.txt, b.txt"]


def test_a_cell_has_the_sum_of_its_array():
    fields = [{"name": "a", "type": "INTEGER", "required": True}]
    rows = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    artifact = paxman.normalize([{"a": 1}, {"a": 2}], {"id": "c", "version": "1", "fields": [rows]})
    assert view_field(artifact, artifact["rows[1].a"]).rubric == view_field(artifact, artifact["rows"]).rubric


def test_amounts_in_two_currencies_are_both_told():
    artifact = paxman.normalize("Name: Anna Weber\nTotal: 1.00 EUR\nTotal: 2.00 USD", CONTRACT)
    advice = "name one in the contract (iso_4217), or set a locale if several currencies share the sign on the page"
    why = f"amounts were found in EUR and USD: {advice}"
    assert view_field(artifact, artifact["total"]).lost == (("bytes 40-48", why), ("bytes 24-32", why))


def test_a_long_array_says_what_is_left_out():
    fields = [{"name": "a", "type": "INTEGER", "required": True}]
    rows = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    contract = {"id": "c", "version": "1", "fields": [rows]}

    def page(count):
        return report_page(paxman.normalize([{"a": n} for n in range(count)], contract))

    assert re.findall(r'class="more">([^<]*)', page(207)) == [
        "and 7 more rows, in the artifact",
        "and 147 more places",
    ]
    assert re.findall(r'class="more">([^<]*)', page(60)) == []


def test_plain_items_are_shown():
    field = {"name": "tags", "type": "ARRAY", "required": True, "items": {"type": "STRING"}}
    artifact = paxman.normalize({"tags": ["x", "y"]}, {"id": "c", "version": "1", "fields": [field]})
    assert re.findall(r"<tr><td[^>]*>([^<]*)", report_page(artifact)) == ["x", "y"]


def test_broken_artifacts_are_named_and_the_others_shown(tmp_path):
    folder = tmp_path / "artifacts"
    folder.mkdir()
    stored = paxman.normalize("Name: Anna Weber\nTotal: 1.00 EUR\nINV-1", CONTRACT).to_json()
    (folder / "a.json").write_text(stored[:200])
    (folder / "b.json").write_text(stored.replace("Anna Weber", "Anna <b>"))
    (folder / "c.json").write_text(stored)
    (folder / "contract.json").write_text(json.dumps(CONTRACT))
    page, problems = report_folder(folder, None, tmp_path / "out")
    assert problems == [
        f"{folder}/a.json: this is not an artifact: it is not JSON",
        f"{folder}/b.json: the stored artifact was changed after it was written",
    ]
    text = page.read_text("utf-8")
    assert "<h2>2 files could not be used</h2><ul><li>" in text
    assert (all(problem in text for problem in problems), text.count('<tr><th scope="row"><a ')) == (True, 1)
    (folder / "c.json").unlink()
    with pytest.raises(paxman.ConfigurationError, match="no artifact in .*a.json: this is not an artifact"):
        report_folder(folder, None, tmp_path / "none")


def test_plots_say_their_numbers_in_words(tmp_path):
    (tmp_path / "a.json").write_text(paxman.normalize("Name: Anna Weber\nTotal: 1.00 EUR", CONTRACT).to_json())
    text = report_folder(tmp_path, None, tmp_path / "out")[0].read_text("utf-8")
    assert re.findall(r'role="img" aria-label="([^"]*)"', text) == [
        "Confidence of 2 resolved values, in steps of 0.05: 2 from 0.80",
    ]
    table = text[text.index('<table class="bands">') :]
    assert "<caption>3 values in 3 fields: 2 high, 1 unresolved.</caption>" in table
    numbers = r'<td class="number">\d of \d</td>((?:<td class="number(?: none)?">\d</td>)+)</tr>'
    rows = re.findall(r'<tr><th scope="row">(\w+)</th><td class="parts">.*?</td>' + numbers, table)
    assert {name: re.findall(r"\d", cells) for name, cells in rows} == {
        "name": ["0", "1", "0", "0", "0", "0"],
        "total": ["0", "1", "0", "0", "0", "0"],
        "code": ["0", "0", "0", "0", "0", "1"],
    }


def test_of_a_long_pdf_the_pages_with_evidence_are_drawn():
    pages = [lines(["Nothing here"], 50, 700) for _ in range(44)]
    data = make_pdf(*pages, lines(["Name: Anna Weber"], 50, 700))
    text = report_page(paxman.normalize(data, CONTRACT), RawInput(data, "long.pdf"))
    drawn = re.findall(r"<figcaption>Page (\d+)</figcaption>", text)
    assert (len(drawn), drawn[0], drawn[-1]) == (40, "1", "45")
    assert "5 pages are not shown as pictures; the text has all pages." in text
    assert '<rect class="place"' in text


def test_xml_is_an_outline_with_names():
    data = b"<order><buyer id='7'><name>Anna Weber</name></buyer><total>1.00 EUR</total></order>"
    page = report_page(paxman.normalize(data, CONTRACT), RawInput(data, "order.xml"))
    outline = page[page.index('<pre class="text outline">') : page.index("</pre>")]
    assert re.sub(r"<[^>]*>", "", outline).rstrip().split("\n") == [
        "order ", "  buyer ", "    id 7", "    name Anna Weber", "  total 1.00 EUR",
    ]  # fmt: skip
    assert len(re.findall(r'<mark data-e="[^"]*">Anna Weber</mark>', page)) == 2  # there, and in the text below


def test_a_field_that_cost_something_says_so_at_once():
    artifact = paxman.normalize("Name: Anna Weber\nTotal: 1.00 EUR", CONTRACT)
    first, *rest = artifact.field_results
    paid = attrs.evolve(first, cost=attrs.evolve(first.cost, usd=Decimal("0.002")))
    page = report_page(attrs.evolve(artifact, field_results=(paid, *rest)))
    assert re.findall(r"</svg>([^<]*)</span></summary>", page) == [
        "0.80 HIGH · extracted · $0.002",
        "0.80 HIGH · extracted",
    ]
    reasons = [html.unescape(text) for text in re.findall(r'<span class="trust">([^<]+)</span>', page)]
    assert reasons == [artifact["code"].diagnostics[0].message]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Name      Anna\nTotal     1.00", "text laid-out"),
        ("A sentence of prose.\n    Indented, as a paragraph is.", "text"),
        ("Name      Anna\n" + "a word or two " * 20, "text"),
    ],
)
def test_columns_stay_and_prose_is_wrapped(text, kind):
    assert re.findall(r'<pre class="([^"]*)"', render(text)) == [kind]


def test_a_form_feed_is_a_page_break():
    page = render("Name: Anna Weber\f\nTotal: 1.00 EUR")
    pane = page[page.index('<pre class="text') : page.index("</pre>")]
    assert (pane.count('<span class="gap">page break</span>'), "\ufffd" in pane) == (1, False)


def test_a_line_of_evidence_ends_at_a_form_feed():
    page = render("Filler\fName: Anna Weber\fTotal: 1.00 EUR")
    assert ("<blockquote>Name: <b>Anna Weber</b></blockquote>" in page, "\ufffd" in page) == (True, False)


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(paxman.ConfigurationError, match="no artifact"):
        report_folder(tmp_path, None, tmp_path / "out")


def test_a_long_table_takes_no_quadratic_time():
    """Quadratic marking took a minute for 30,000 cells, this takes a second for 9,000."""
    fields = [{"name": name, "type": "INTEGER", "required": True} for name in "abc"]
    rows = {"name": "rows", "type": "ARRAY", "required": True, "items": {"fields": fields}}
    text = "a,b,c\n" + "".join(f"{n},{n},{n}\n" for n in range(3000))
    artifact = paxman.normalize(text, {"id": "c", "version": "1", "fields": [rows]})
    started = time.process_time()
    report_page(artifact, RawInput(text.encode(), "x.csv"))
    assert time.process_time() - started < 5


def test_a_confidence_that_another_field_holds_back_says_so():
    fields = [
        {"name": "total", "type": "DECIMAL", "required": True},
        {"name": "double", "type": "DECIMAL", "required": True, "derive": "total * 2"},
    ]
    contract = {"id": "c", "version": "1", "fields": fields}
    artifact = paxman.normalize("Total: 10.00\nTotal: 12.00\n", contract)
    view = view_field(artifact, artifact["double"])
    parts = (("base", 50), ("agreeing candidates", 10), ("evidence", 5), ("validation", 10), ("capabilities", 5))
    rubric = Rubric(parts, 0.65, "no surer than what it was made from")
    assert (view.value, view.confidence, view.rubric) == ("24.00", 0.65, rubric)
    assert paxman.replay(artifact.to_json(), contract) == artifact
