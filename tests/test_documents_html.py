import html
import random
import time
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paxman import normalize
from paxman.documents.document import ByteRange, Document, Node, NodePath
from paxman.documents.reading import Limits, read_document
from paxman.transforms import run


def shown(source: str) -> str:
    document = read(source)
    assert document.body is not None
    return document.text[slice(*document.body)]


def read(source: str) -> Document:
    document = read_document(b"<!DOCTYPE html>" + source.encode())
    assert document.kind == "html"
    return document


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>Hello   <b>big</b>\n world<p>Next<br>line", "Hello big world\nNext\nline"),
        (
            "<h1>A &amp; B</h1>5&nbsp;&euro; &lt;x&gt; &#8364;&#x20AC; &zzz;",
            "A & B\n5\xa0€ <x> €€ &zzz;",
        ),
        ("a<script>var x = '<p>no</p>';</script><style>p {}</style><!-- no -->b", "ab"),
        ("<div>a</div><div hidden>no</div><p style='display: none'>no</p><template>no</template>b", "a\nb"),
        ("<noscript>no</noscript><select><option>no</select>x", "x"),
        ("<table><tr><td><p>a</p></td><td><p>b</p></td></tr><tr><td></td><td>c</table>", "a\tb\n\tc"),
        ("<ul><li>one<li>two</ul>after", "one\ntwo\nafter"),
        ("200.00<sup>1)</sup>, 12<sub>3</sub>, 10 m<sup>2</sup>, 1<sup>st</sup>", "200.00¹⁾, 12 3, 10 m², 1st"),
        ("$12<sup>99</sup> 1.50<SUP>12</SUP> 7<sup>123</sup>", "$12\u200a99 1.50¹² 7¹²³"),
        (
            "77<span style='vertical-align: super'>2</span> 5<i style='vertical-align:super'>99</i> m<b>2</b>",
            "77² 5\u200a99 m2",
        ),
        ("<pre>a  b\n c</pre>", "a  b\n c"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("<p title='a > b'>x</p>", "x"),
        ('<p title="never closed>x</p><p>y</p>', "x\ny"),
        ("a<![CDATA[b]]>c", "abc"),
        ("<b>un<i>closed</b> tags", "unclosed tags"),
        ("</p></div>stray", "stray"),
        ("Name <input value='Ann &amp; Bo'>,<input type=text value=' 7 '>kg", "Name Ann & Bo , 7 kg"),
        ("a<input type=hidden value=no><input value=no hidden><input type=submit value=no><input>b", "ab"),
        ("<div hidden><input value=no><select><option selected>no</select></div>x", "x"),
        ("Note:<textarea rows=2>one &lt;b>\n two</textarea>end", "Note: one <b>\n two end"),
        ("Pay in <select><option>USD<option selected>EUR<option>GBP</select>now", "Pay in EUR now"),
        ("<select><optgroup><option selected>a</option></optgroup><option selected>b</select>c", "a b c"),
        ("<select hidden><option selected>no</select><select><option selected value=''>no</select>x", "x"),
        ("<datalist><option selected>no</datalist>x", "x"),
        ("<p>a<textarea></textarea><p><textarea>\n </textarea><input value=' '><p>b", "a\nb"),
    ],
)
def test_the_text_is_what_the_page_shows(source: str, expected: str) -> None:
    assert shown(source) == expected


PAGE = """<html><head><title>My &amp; page</title>
<meta property="og:title" content="Open"><meta name="description" content="A &lt;b&gt;">
<link rel="canonical" href="https://example.com/a">
<script type="application/ld+json">{"@type": "Recipe", "author": {"name": "Bob \\u00e9"}}</script></head><body>
<div itemscope itemtype="http://schema.org/Product"><span itemprop="name">Foo
  bar</span><meta itemprop="price" content="9.99"><a itemprop="url" href="/x">x</a>
<div itemprop="brand" itemscope itemtype="http://schema.org/Brand"><i itemprop="name">Acme</i></div></div>
<div vocab="http://schema.org/" typeof="Person"><time property="birthDate" datetime="2001-02-03">long ago</time></div>
</body></html>"""


def outline(node: Node) -> object:
    if node.kind == "scalar":
        return (node.name, node.text)
    return (node.name, [outline(child) for child in node.children])


def test_structured_data_is_one_tree() -> None:
    document = read(PAGE)
    assert document.tree is not None
    assert outline(document.tree) == (
        "",
        [
            ("json-ld", [("0", [("@type", "Recipe"), ("author", [("name", "Bob é")])])]),
            (
                "microdata",
                [
                    (
                        "Product",
                        [
                            ("@type", "Product"),
                            ("name", "Foo bar"),
                            ("price", "9.99"),
                            ("url", "/x"),
                            ("brand", [("@type", "Brand"), ("name", "Acme")]),
                        ],
                    )
                ],
            ),
            ("rdfa", [("Person", [("@type", "Person"), ("birthDate", "2001-02-03")])]),
            ("opengraph", [("title", "Open")]),
            ("meta", [("title", "My & page"), ("description", "A <b>"), ("canonical", "https://example.com/a")]),
        ],
    )
    for node in document.tree.walk():
        if node.text is not None:
            assert run(node.transforms, document.text[slice(*node.span)]) == node.text


def test_what_is_said_of_an_article_has_the_names_of_open_graph() -> None:
    tag = "<meta property='article:{}' content='{}'>".format
    source = tag("published_time", "2025-03-04") + tag("author", "Ann") + tag("author", "https://example.com/ann")
    tree = read(source).tree
    assert tree is not None
    assert outline(tree) == (
        "",
        [
            ("opengraph", [("published_time", "2025-03-04"), ("author", "Ann")]),
            ("meta", [("article:author", "https://example.com/ann")]),
        ],
    )


def test_structured_data_stands_behind_what_is_shown() -> None:
    document = read(PAGE)
    assert document.text[slice(*(document.body or (0, 0)))] == "Foo barx\nAcme\nlong ago"
    nodes = {(node.name, node.text): node for node in document.tree.walk()} if document.tree else {}
    name = nodes["name", "Bob é"]
    assert name.source == NodePath("/html[1]/head[1]/script[1]#/author/name")
    assert document.text[slice(*name.span)] == '"Bob \\u00e9"'
    assert nodes["price", "9.99"].source == NodePath("/html[1]/body[1]/div[1]/meta[1]")


def test_tables_with_and_without_headings() -> None:
    document = read(
        "<table><tr><th>Item<th>Price<tr><td>A <b>b</b><td>1.00</table>"
        "<table><tr><td>Name</td><td>Qty</td></tr><tr><td>Bolt</td><td>2</td></tr></table>"
    )
    assert [[[cell.text for cell in row] for row in (t.header, *t.rows)] for t in document.tables] == [
        [["Item", "Price"], ["A b", "1.00"]],
        [["Name", "Qty"], ["Bolt", "2"]],
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<table><tr><td>Total</td><td>12.00</td></tr></table>", ("Total", "12.00")),
        ("<table><tr><th>Due date:</th><td>2 May</td></tr></table>", ("Due date", "2 May")),
        ("<dl><dt>Name<dd>Bob Miller</dl>", ("Name", "Bob Miller")),
        ("<p><strong>Due</strong> 2 May</p>", ("Due", "2 May")),
        ("<span class=label>VAT</span> <span>19 %</span>", ("VAT", "19 %")),
    ],
)
def test_markup_ties_labels_to_values(source: str, expected: tuple[str, str]) -> None:
    document = read(source)
    assert [(pair.label, document.text[slice(*pair.value_span)]) for pair in document.pairs] == [expected]


@pytest.mark.parametrize(
    ("source", "expected", "pairs"),
    [
        ("<p><i class=label>VAT</i><i class=x>GB1</i>", "VAT GB1", [("VAT", "GB1")]),
        ("<p><span>Order number</span><span>ON-1</span></p>", "Order number ON-1", [("Order number", "ON-1")]),
        ("<p><em>Order</em><span>Big Bolt</span></p>", "Order Big Bolt", [("Order", "Big Bolt")]),
        ("<p><i class=a>Total</i><i class=b>55</i></p>", "Total 55", [("Total", "55")]),
        ("<a>Order number<span>ON-1</span></a>", "Order number ON-1", [("Order number", "ON-1")]),
        ("<p><a>Order number</a><a>Due date</a></p>", "Order number Due date", []),
        ("<p><i class=a>Our order</i><i class=a>Due date</i></p>", "Our order Due date", []),
        ("<p><i>Item</i><i>Our order</i><i>Due date</i></p>", "Item Our order Due date", []),
        ("<p><i>H</i><i>e</i><i>llo</i> <i>1</i><sup>2</sup>", "Hello 1²", []),
        ("<p><i class=a>Git</i><i class=b>Hub</i>, Learn Java<i>Script</i>", "GitHub, Learn JavaScript", []),
        ("<p><i>INVOICE NUM</i><i>BER 5</i>", "INVOICE NUMBER 5", []),
        ("<p><i class=a>inv</i><i class=b>123</i> <i class=a>12</i><i class=b>50</i>", "inv123 1250", []),
    ],
)
def test_words_of_two_elements_are_apart_unless_they_are_one_word(
    source: str, expected: str, pairs: list[tuple[str, str]]
) -> None:
    document = read(source)
    assert shown(source) == expected
    assert [(pair.label, document.text[slice(*pair.value_span)]) for pair in document.pairs] == pairs


def test_spans_have_a_path_and_bytes() -> None:
    source = "<html><body><p>é</p><p>Total <b>12 &euro;</b></p></body></html>"
    data = source.encode()
    document = read_document(data)
    start = document.text.index("12")
    assert document.locate((start, start + 4)) == NodePath("/html[1]/body[1]/p[2]/b[1]")
    assert document.locate((start - 6, start + 4)) == NodePath("/html[1]/body[1]/p[2]")
    assert document.locate((0, start)) == NodePath("/html[1]/body[1]")
    place = document.byte_range((start, start + 4))
    assert isinstance(place, ByteRange)
    assert data[place.start : place.end] == b"12 &euro;"


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ("<meta charset=windows-1251>", "cp1251"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">', "shift_jis"),
        ("", "utf-16"),
        ("<meta charset='no-such-charset'>", "utf-8"),
    ],
)
def test_the_encoding_is_the_one_declared(head: str, encoding: str) -> None:
    text = "日本語" if encoding == "shift_jis" else "Счёт"
    document = read_document(f"<html>{head}<p>{text}</p></html>".encode(encoding))
    assert document.text[slice(*(document.body or (0, 0)))] == text


def disguise(text: str, chance: random.Random) -> str:
    """The text as markup: characters as entities of every kind, with tags and comments between."""
    parts = []
    for character in text:
        ways = [html.escape(character), f"&#{ord(character)};", f"&#x{ord(character):x};"]
        parts.append(chance.choice(ways) if character not in " \n\t" else chance.choice([" ", "\n", "  \t "]))
        parts.append(chance.choice(["", "", "", "<i>", "</i>", "<!-- x -->", "<br>", "<p>"]))
    return "".join(parts)


letters = st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp", "Cn"], exclude_characters="\ufeff") | st.just(
    " "
)


@given(st.text(letters, max_size=30), st.randoms(use_true_random=False), st.sampled_from(["utf-8", "utf-16", "utf-32"]))
@settings(max_examples=150)
def test_every_character_points_at_its_bytes(text: str, chance: random.Random, encoding: str) -> None:
    data = f"<html><body>{disguise(text, chance)}".encode(encoding)
    document = read_document(data)
    assert "".join(document.text.split()) == "".join(text.split())
    plain = {"utf-16": "utf-16-le", "utf-32": "utf-32-le"}.get(encoding, encoding)
    for position, character in enumerate(document.text):
        place = document.byte_range((position, position + 1))
        assert place is not None
        written = html.unescape(data[place.start : place.end].decode(plain))
        assert written == character or (character in " \n\t" and not written.strip())


HOSTILE = [
    "<div>", "<div></div>", "<", "<!--", '<a "', '<a ">" ', "&", " ", "<![CDATA[", "<script>", "<td>", "<b></i>", "<!",
    "<div itemscope itemprop=a>", "<p hidden>", "<table>", "<dl><dt>", "<b>x",
]  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_pages_are_bounded(unit: str) -> None:
    start = time.process_time()
    document = read_document(("<html>" + unit * (60_000 // len(unit)) + ">").encode(), limits=Limits(max_depth=60))
    assert (document.kind, document.locate((0, 0)).kind) == ("html", "path")
    assert (document.tree is None or document.tree.kind == "object", document.pairs is not None) == (True, True)
    assert document.tables is not None
    assert time.process_time() - start < 4


def test_nesting_beyond_the_limit_is_said() -> None:
    document = read_document(b"<html>" + b"<div>" * 100_000 + b"deep")
    assert document.text == "deep"
    assert [note.context["count"] for note in document.diagnostics] == [99_801]


def cells(page: str) -> list[list[str]]:
    (table,) = read_document(page.encode()).tables
    return [[cell.text for cell in row] for row in (table.header, *table.rows)]


def test_cells_that_span_columns_and_rows_stand_in_each() -> None:
    assert cells(
        "<table><tr><th rowspan=2>Item<th colspan=2>Price<tr><th>Net<th>Gross"
        "<tr><td rowspan='2'>A<td>1<td>2<tr><td>3<td>4<tr><td colspan=2>Sum<td>6</table>"
    ) == [["Item", "Net", "Gross"], ["A", "1", "2"], ["A", "3", "4"], ["Sum", "", "6"]]
    assert cells(
        "<table><tr><td rowspan=2>Item<td colspan=2>May<td colspan=2>June<tr><td>Net<td>Tax<td>Net<td>Tax"
        "<tr><td>A<td>1<td>2<td>3<td>4<tr><td>B<td>5<td>6<td>7<td>8</table>"
    ) == [["Item", "May Net", "May Tax", "June Net", "June Tax"], ["A", "1", "2", "3", "4"], ["B", "5", "6", "7", "8"]]
    assert cells("<table><tr><th>Item<th>Code<th>Price<tr><td colspan=2>Freight<td>4<tr><td>A<td>B<td>5</table>") == [
        ["Item", "Code", "Price"],
        ["Freight", "", "4"],
        ["A", "B", "5"],
    ]


def test_spans_without_end_stay_small_and_are_said() -> None:
    page = "<table>" + "<tr><td colspan=1000 rowspan=65000>a<td>b" * 1000 + "</table>"
    assert sum(map(len, cells(page))) < 110_000
    assert [note.message for note in read(page).diagnostics] == [
        "987 rows of tables hold cells that span too much and were read as they are written. Check colspan and rowspan"
    ]
    assert read("<table><tr><td colspan=1000 rowspan=65000>a<td>b<tr><td>c</table>").diagnostics == ()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "<label for=a>Name</label> <input id=a value=Bob> <label for=b>City</label> <input id=b value=Rome>",
            {"Name": "Bob", "City": "Rome"},
        ),
        ("<input id=a value=Bob><label for=a>Name</label> <p>x", {"Name": "Bob"}),
        ("<label for=a>Name</label> <input id=a> <label for=b>City</label> <input id=b value=Rome>", {"City": "Rome"}),
        (
            "<label for=a>Land</label> <select id=a><option>FR<option selected>IT</select>"
            " <label for=b>Note</label> <textarea id=b>so so</textarea>",
            {"Land": "IT", "Note": "so so"},
        ),
        (
            "<label>Name <input value=Bob></label> <label>City <input value=Rome></label>",
            {"Name": "Bob", "City": "Rome"},
        ),
        ("<p><b>Customer</b> Bob Smith <b>Status</b> Open</p>", {"Customer": "Bob Smith", "Status": "Open"}),
        (
            "<p><b>Customer:</b> Bob <b>Smith</b> Jr <b>Status:</b> Open</p>",
            {"Customer": "Bob Smith Jr", "Status": "Open"},
        ),
        ("<p><b>Customer</b> Bob <b>Smith</b></p>", {"Customer": "Bob Smith"}),
        (
            "<label for=a>Name</label> <input id=a value=Ann><p><label for=a>City</label> <input id=a value=Rome>",
            {"Name": "Ann", "City": "Rome"},
        ),
        (
            "<label for=a>City</label> <select id=a style='display:none'><option selected>No</select> <i>Rome</i>",
            {"City": "Rome"},
        ),
        ("<p><b>Sum</b> <b>99.50</b> <b>Status</b> paid</p>", {"Sum": "99.50", "Status": "paid"}),
    ],
)
def test_a_value_ends_where_the_next_label_starts(source: str, expected: dict[str, str]) -> None:
    document = read_document(f"<!DOCTYPE html>{source}".encode())
    found = {pair.label: document.text[slice(*pair.value_span)] for pair in reversed(document.pairs)}
    assert {label: found.get(label) for label in expected} == expected
    assert {label for label in ("Name", "City", "Customer", "Status") if label in found} <= set(expected)


@pytest.mark.parametrize(
    ("source", "text", "pairs"),
    [
        ("<input type=checkbox checked> News <input type=checkbox> Offers", "☑ News ☐ Offers", ""),
        ("Paid <input type=checkbox checked> Sent <input type=checkbox>", "Paid ☑ Sent ☐", ""),
        ("<label>A <input type=radio> B <input type=radio checked></label>", "A ☐ B ☑", ""),
        ("<label><input type=hidden value=0><input type=checkbox> News</label> x", "News ☐ x", "News ☐"),
        ("<input id=a type=radio> or <label for=a>Pro</label> daily", "☐ or Pro daily", "Pro ☐"),
        ("<label><input type=checkbox checked> News</label> daily", "News ☑ daily", "News ☑"),
        ("<label for=a>News</label> <input id=a type=checkbox> daily", "News ☐ daily", "News ☐"),
        ("<input id=a type=radio checked><label for=a>Pro</label> daily", "Pro ☑ daily", "Pro ☑"),
        ("<p><input type=checkbox>I <b>agree</b> to it<p>x", "☐ I agree to it\nx", ""),
        ("<table><tr><td><input type=checkbox><td>x</table>", "☐\tx", ""),
        ("<p hidden><input type=checkbox>no</p><input type=checkbox hidden>x", "x", ""),
    ],
)
def test_boxes_and_buttons_are_marks_behind_the_words_that_a_label_says(source: str, text: str, pairs: str) -> None:
    document = read_document(f"<!DOCTYPE html>{source}".encode())
    pairs_of = [(pair.label, document.text[slice(*pair.value_span)]) for pair in document.pairs]
    found = [f"{label} {mark}" for label, mark in pairs_of if mark in ("☑", "☐")]
    assert (document.text, ", ".join(found)) == (text, pairs)


def test_what_is_marked_is_the_value() -> None:
    page = (
        "<!DOCTYPE html><p>Plan: <input type=radio name=p> Basic <input id=i type=radio name=p checked> Pro</p>"
        "<p><b>City:</b> Rome <b>State</b>: open <strong>Note:</strong> <b>so</b> so</p>"
        "<p><b>Size</b> <label><input type=radio checked>L</label> <label><input type=radio>XL</label>"
        "<p>Colour: <input type=radio> red <input type=radio> blue</p>"
        "<p><label><input type=checkbox checked> Newsletter</label> <label><input type=checkbox> Offers</label>"
    )
    words = ("plan", "city", "state", "note", "size", "colour")
    fields = [*((name, "STRING") for name in words), ("newsletter", "BOOLEAN"), ("offers", "BOOLEAN")]
    written = [{"name": name, "type": kind, "required": True} for name, kind in fields]
    artifact = normalize(page.encode(), {"id": "c", "version": "1", "fields": written})
    assert artifact.normalized_data == {
        "plan": "Pro",
        "city": "Rome",
        "state": "open",
        "note": "so so",
        "size": "L",
        "colour": None,
        "newsletter": True,
        "offers": False,
    }
    mark = read_document(page.encode())
    start = mark.text.index("☑ Pro")
    assert mark.locate((start, start + 1)) == NodePath("/p[1]/input[2]")


def test_bold_print_in_a_value_leaves_open_where_it_ends() -> None:
    document = read("<p><b>Supplier</b> Acme <b>GmbH</b> Berlin</p><p><b>Name</b> A <b>Sum:</b> 5</p>")
    found = [(pair.label, document.text[slice(*pair.value_span)]) for pair in document.pairs]
    assert [pair for pair in found if " " not in pair[0]] == [
        ("Supplier", "Acme"),
        ("Supplier", "Acme GmbH Berlin"),
        ("GmbH", "Berlin"),
        ("Name", "A"),
        ("Sum", "5"),
    ]
    field = {"name": "supplier", "type": "STRING", "required": False}
    page = b"<html><p><b>Supplier</b> Acme <b>GmbH</b> Berlin</p>"
    (result,) = normalize(page, {"id": "c", "version": "1", "fields": [field]}).field_results
    assert (result.value, result.diagnostics[0].code) == (None, "CHAIN_EXHAUSTED")


def answers(page: str, **fields: str) -> dict[str, object]:
    written = [{"name": name, "type": kind, "required": False} for name, kind in fields.items()]
    return dict(normalize(page.encode(), {"id": "c", "version": "1", "fields": written}).normalized_data)


@pytest.mark.parametrize(
    "page",
    [
        "<p>Paid <input type=checkbox checked> Sent <input type=checkbox> Closed <input type=checkbox checked></p>",
        "<p><input type=checkbox checked> Paid <input type=checkbox> Sent <input type=checkbox checked> Closed</p>",
        "<p><input type=checkbox checked> Paid<p><input type=checkbox> Sent<p><input type=checkbox checked> Closed",
        "<table><tr><td>Paid <input type=radio checked> Sent <input type=radio> Closed <input type=radio checked>",
    ],
)
def test_boxes_without_labels_are_of_the_words_on_their_side(page: str) -> None:
    found = answers(f"<html>{page}", paid="BOOLEAN", sent="BOOLEAN", closed="BOOLEAN")
    assert found == {"paid": True, "sent": False, "closed": True}


@pytest.mark.parametrize(
    "page",
    [
        "<table><tr><th>Item<th>Total<tr><td><input type=checkbox> Saw<td>5.00 <input type=checkbox></table>",
        "<table><tr><th>Item<th>Total<tr><td>Saw <input type=radio checked><td><input type=radio checked> 5.00</table>",
        "<ul><li><input type=checkbox> Item: Saw<li><input type=checkbox checked> Total: 5.00</ul>",
        "<p>Item: Saw <input type=checkbox checked><p>Total: 5.00 <input type=checkbox></p>",
    ],
)
def test_the_box_of_a_row_is_no_part_of_its_values(page: str) -> None:
    assert answers(f"<html>{page}", item="STRING", total="DECIMAL") == {"item": "Saw", "total": Decimal("5.00")}


def test_fields_of_a_form_are_tied_to_their_labels_and_have_an_address() -> None:
    source = "<!DOCTYPE html><p><label>Name: <input value='Zo&euml;'></label><p><label>City</label> <input value=Rome>"
    document = read_document(source.encode())
    found = {pair.label: document.text[slice(*pair.value_span)] for pair in document.pairs}
    assert found == {"Name": "Zoë", "City": "Rome"}
    start = document.text.index("Zoë")
    assert document.locate((start, start + 3)) == NodePath("/p[1]/label[1]/input[1]")
    at = source.index("Zo&euml;")
    assert document.byte_range((start, start + 3)) == ByteRange(at, at + len("Zo&euml;"))


def facts(node: Node | None) -> object:
    assert node is not None
    if node.kind == "scalar":
        return node.text
    return [(child.name, facts(child)) for child in node.children]


@pytest.mark.parametrize(
    ("source", "inside"),
    [
        ("<html><body><p>Date: 3</p><!-- never closed <p>Total: 5</p>", "comment"),
        ("<html><body><p>Date: 3</p><!-- never closed", "comment"),
        ("<html><body><p>Date: 3</p><script>var a = 1; <p>Total: 5</p>", "script"),
    ],
)
def test_what_hides_the_rest_of_a_page_is_noted(source: str, inside: str) -> None:
    document = read_document(source.encode())
    assert document.text == "Date: 3"
    assert [note.message for note in document.diagnostics] == [
        f"the page ends inside a {inside}, so that nothing behind its start is shown. Check that the file is complete"
    ]
    assert read_document(b"<html><body><!-- a --><p>Date: 3</p><script>1</script><!-- b -->").diagnostics == ()


@pytest.mark.parametrize(
    "page",
    [
        "<dl><dt>SKU</dt><dd></dd><dt>Price</dt><dd>24.99</dd></dl>",
        "<dl><dt>SKU</dt><dt>Price</dt><dd>24.99</dd></dl>",
        "<h1>SKU</h1><dl><dt>Price</dt><dd>24.99</dd></dl>",
        "<table><tr><th>SKU</th><td></td></tr><tr><th>Price</th><td>24.99</td></tr></table>",
        "<table><tr><td>SKU</td><td> </td></tr><tr><td>Price</td><td>24.99</td></tr></table>",
    ],
)
def test_the_next_label_is_no_value_of_a_label_without_one(page: str) -> None:
    document = read(page)
    pairs = [(pair.label, document.text[slice(*pair.value_span)]) for pair in document.pairs]
    assert pairs == [("Price", "24.99")]


def test_struck_out_text_is_left_out_beside_other_text() -> None:
    line = "<span style='color:red; text-decoration: line-through red'>{}</span>".format
    prices = "<p>Price: <del>$20.00</del> $15.00<p><s><b>9</b></s>, 8<p>Fee <strike>5</strike><p>" + line(
        "<span>1</span>"
    )
    assert shown(prices + " 2") == "Price: $15.00\n, 8\nFee\n2"
    document = read(prices + " 2")
    assert [(note.code, note.severity.value, note.message) for note in document.diagnostics] == [
        ("INPUT_NOTE", "INFO", "4 struck-out passages were left out. Remove the lines through what is meant to count")
    ]


def test_lines_and_cells_that_are_struck_out_whole_are_kept() -> None:
    tasks = "<ul><li><s>Buy <b>milk</b></s> <li><b><del>Call</del></b></li><li style='text-decoration:line-through'>Go"
    assert shown(tasks + "</ul>") == "Buy milk\nCall\nGo"
    assert shown("<table><tr><td><s>9</s><td>8</table>a<s>never closed<p>" + "x " * 999 + "<p>last").count("x") == 999
    assert read(tasks).diagnostics == ()


def test_the_price_beside_a_struck_out_one_is_the_value() -> None:
    fields = [{"name": "price", "type": "MONEY", "required": True}]
    source = b"<html><body><p>Price: <del>$20.00</del> <ins>$15.00</ins></p></body></html>"
    artifact = normalize(source, {"id": "c", "version": "1", "fields": fields})
    assert str(artifact["price"].value) == "15.00 USD"
    assert artifact["price"].confidence_band.value == "HIGH"


def test_headings_side_by_side_are_no_label_and_value() -> None:
    def pairs(rows: str) -> list[tuple[str, str]]:
        document = read(f"<table><tr><th>Item</th><th>Price</th></tr>{rows}</table>")
        return [(pair.label, document.text[slice(*pair.value_span)]) for pair in document.pairs]

    assert [pairs(rows) for rows in ("", "<tr><td></td><td></td></tr>")] == [[], []]


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (
            "<tr><td>Order date<br>12 March<td><p>Due date<p>26 March<td>Invoice<br>A-7",
            "Order date\n12 March\nDue date\n26 March\nInvoice\nA-7",
        ),
        ("<tr><td>Unit<br>price<td>Line<br>total<tr><td>5<td>10", "Unit\nprice\tLine\ntotal\n5\t10"),
        ("<tr><td>Nails<br>black<td>3", "Nails\nblack\t3"),
    ],
)
def test_cells_with_a_label_over_its_value_stand_one_below_the_other(rows: str, text: str) -> None:
    assert read_document(f"<html><table>{rows}</table></html>".encode()).text == text


def _rows_of_blocks(*rows: tuple[str, ...]) -> bytes:
    made = "".join(f"<div>{''.join(f'<div><b>{cell}</b></div>' for cell in row)}</div>" for row in rows)
    return f"<html><body><section>{made}</section><p>Total 9.50</p></body></html>".encode()


def test_rows_of_blocks_below_headings_are_a_table():
    rows = (("Item", "Qty", "Price"), ("Bolt", "2", "1.50 €"), ("Nut", "1", "6.50 €"))
    (table,) = read_document(_rows_of_blocks(*rows)).tables
    assert [[cell.text for cell in row] for row in (table.header, *table.rows)] == [list(row) for row in rows]


@pytest.mark.parametrize(
    "rows",
    [
        (("Item", "Qty"), ("Bolt", "2"), ("Nut", "1")),
        (("Item", "Qty", "Price"), ("Bolt", "2", "1.50"), ("Nut", "6.50")),
        (("Ann", "Sales", "Leeds"), ("Bob", "Shop", "York"), ("Cy", "Depot", "Hull")),
        (("Ann", "12", "Leeds"), ("Bob", "15", "York"), ("Cy", "19", "Hull")),
    ],
)
def test_other_blocks_are_no_table(rows):
    document = read_document(_rows_of_blocks(*rows))
    assert [table for table in document.tables if table.header == rows[0]] == [] == list(document.tables)


def test_elements_are_marks() -> None:
    document = read_document(
        b"<h1>Title</h1><p>Some <b>bold</b> <i>more</i> text</p><ul><li>one<ul><li>two</li></ul></li><li>three</ul>"
        b"<table><caption>Cap</caption><tr><th>A<th>B<tr><th>r<td>5</table><dl><dt>K<dd>V</dl><pre>code  x</pre>"
        b"<blockquote>said</blockquote><span style='font-weight:bold'>Bold:</span> val <p hidden>no</p>"
        b"<label><input type=checkbox checked> yes</label> <input type=radio> no <input type=radio checked> perhaps"
    )
    assert [(mark.kind, mark.level, document.text[slice(*mark.span)]) for mark in document.marks] == [
        ("heading", 1, "Title"),
        ("paragraph", 0, "Some bold more text"),
        ("strong", 0, "bold more"),
        ("item", 1, "one"),
        ("item", 2, "two"),
        ("item", 1, "three"),
        ("caption", 0, "Cap"),
        ("term", 0, "r"),
        ("term", 0, "K"),
        ("code", 0, "code  x"),
        ("quote", 0, "said"),
        ("strong", 0, "Bold:"),
        ("box", 1, "yes"),
        ("box", 0, "no"),
        ("box", 1, "perhaps"),
    ]


def pairs_in(source: str) -> list[tuple[str, str]]:
    document = read_document(f"<html><body>{source}".encode())
    return [(pair.label, document.text[slice(*pair.value_span)]) for pair in document.pairs]


def test_broken_json_ld_is_a_note_and_no_text() -> None:
    source = b"<html><script type='application/ld+json'>{'author': {</script><p>Brand: Bolt AG</p>"
    document = read_document(source)
    assert document.text == "Brand: Bolt AG"
    assert [note.message for note in document.diagnostics] == [
        "1 block of JSON-LD is broken and left out. Check the page's source"
    ]


@pytest.mark.parametrize(
    "source",
    [
        "<p hidden>Author: X</p>",
        "<div style='display: none'>Author: X</div>",
        "<div aria-hidden='true'>Author: X</div>",
        "<dialog>Author: X</dialog>",
        "<template><p>Author: X</p></template>",
        "<noscript>Author: X</noscript>",
    ],
)
def test_what_a_page_does_not_show_is_not_read(source: str) -> None:
    assert read_document(f"<html><body>{source}<p>Brand: Y".encode()).text == "Brand: Y"


def test_an_open_dialog_and_a_mark_in_a_line_are_shown() -> None:
    document = read_document(b"<html><dialog open>Author: X</dialog><p><span aria-hidden=true>5</span> stars")
    assert document.text == "Author: X\n5 stars"


def test_blanks_of_a_template_are_left_out_but_not_those_of_code() -> None:
    document = read_document(b"<html><p>Author: {{ author }}</p><p>By {{a}} and Ann</p><pre>{{ code }}</pre>")
    assert document.text == "Author:\nBy and Ann\n{{ code }}"
    assert [note.message.partition(".")[0] for note in document.diagnostics] == [
        "2 of its template's blanks, such as {{name}}, were never filled in"
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "<table><tr><td><b>Case name:</b> A v. B <b>Docket:</b> 3:11-cv-1<br><b>Filed</b>: 1 May</td>"
            "<td><b>Judge:</b> X</td></tr></table>",
            [("Case name", "A v. B"), ("Docket", "3:11-cv-1"), ("Filed", "1 May"), ("Judge", "X")],
        ),
        (
            "<table><tr><td>Name</td><td>Ann</td></tr><tr><td>City</td><td>York</td></tr></table>",
            [("Name", "Ann"), ("City", "York")],
        ),
        (
            "<table><tr><th>Name<td>Ann<th>City<td>York<tr><th>Zip<td>5<th>Tel<td>6</table>",
            [("Name", "Ann"), ("City", "York"), ("Zip", "5"), ("Tel", "6")],
        ),
        (
            "<table><tr><td>Item<td>Qty<tr><td>Nut<td>5<tr><td>Bolt<td>7</table>",
            [("Item", "Qty"), ("Nut", "5"), ("Bolt", "7")],
        ),
        ("<table><tr><td>Filed<td>No<td>Text<tr><td>1 May<td>4<td>a<tr><td>2 May<td>5<td>b</table>", []),
    ],
)
def test_pairs_keep_to_the_columns_of_tables(source: str, expected: list[tuple[str, str]]) -> None:
    assert pairs_in(source) == expected
