import time
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paxman.documents.document import ByteRange, NodePath
from paxman.documents.reading import Limits, read_document

INVOICE = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!-- no --><inv:Invoice xmlns:inv="urn:a" xmlns="urn:b" v="2">
  <ID>A &amp; B &#8364;</ID>
  <inv:Amount currencyID="EUR">
    100.00
  </inv:Amount><Empty/>
  <Note><![CDATA[x < y & z]]></Note>
  <Party>see <Name>Größe</Name> there</Party>
</inv:Invoice>"""


def test_the_tree_has_elements_and_attributes() -> None:
    document = read_document(INVOICE.encode("latin-1"))
    assert document.tree is not None
    assert [(node.source.path, node.kind, node.name, node.text) for node in document.tree.walk()] == [  # type: ignore[union-attr]
        ("/Invoice[1]", "object", "Invoice", None),
        ("/Invoice[1]/@v", "scalar", "v", "2"),
        ("/Invoice[1]/ID[1]", "scalar", "ID", "A & B €"),
        ("/Invoice[1]/Amount[1]", "scalar", "Amount", "100.00"),
        ("/Invoice[1]/Amount[1]/@currencyID", "scalar", "currencyID", "EUR"),
        ("/Invoice[1]/Empty[1]", "scalar", "Empty", ""),
        ("/Invoice[1]/Note[1]", "scalar", "Note", "x < y & z"),
        ("/Invoice[1]/Party[1]", "object", "Party", None),
        ("/Invoice[1]/Party[1]", "scalar", "#text", "see"),
        ("/Invoice[1]/Party[1]/Name[1]", "scalar", "Name", "Größe"),
        ("/Invoice[1]/Party[1]", "scalar", "#text", "there"),
    ]
    assert document.text == "2\nA & B €\n100.00 EUR\nx < y & z\nsee\nGröße\nthere"
    for node in document.tree.walk():
        assert node.text is None or document.text[slice(*node.span)] == node.text
    assert document.diagnostics == ()


def test_spans_have_a_path_and_bytes() -> None:
    data = INVOICE.encode("latin-1")
    document = read_document(data)
    start = document.text.index("Größe")
    assert document.locate((start, start + 5)) == NodePath("/Invoice[1]/Party[1]/Name[1]")
    assert document.byte_range((start, start + 5)) == ByteRange(data.index(b"Gr"), data.index(b"Gr") + 5)
    start = document.text.index("€")
    place = document.byte_range((start, start + 1))
    assert place is not None
    assert data[place.start : place.end] == b"&#8364;"


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("10 EUR", 'EUR" unit="x">10'),
        ("10 EUR x", 'EUR" unit="x">10'),
        ("10 ", "10"),
        (" EUR", "EUR"),
        ("EUR x\n7", 'EUR" unit="x">10</v><w>7'),
    ],
)
def test_the_bytes_of_a_span_hold_text_and_attributes(quote: str, expected: str) -> None:
    source = '<?xml version="1.0"?><r><v currency="EUR" unit="x">10</v><w>7</w></r>'
    document = read_document(source.encode())
    start = document.text.index(quote)
    place = document.byte_range((start, start + len(quote)))
    assert place is not None
    assert (document.text, source[place.start : place.end]) == ("10 EUR x\n7", expected)


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("77", "/a[1]/@id"),
        ("kg", "/a[1]/b[1]/@unit"),
        ("5", "/a[1]/b[1]"),
        ("5 kg", "/a[1]/b[1]"),
        ("kg net", "/a[1]/b[1]"),
        ("net", "/a[1]/b[1]/@of"),
        ("6", "/a[1]/b[2]"),
    ],
)
def test_a_span_in_an_attribute_is_in_no_text(words: str, path: str) -> None:
    document = read_document(b'<?xml version="1.0"?><a id="77"><b unit="kg" of="net">5</b><b>6</b></a>')
    start = document.text.index(words)
    assert document.locate((start, start + len(words))) == NodePath(path)


@pytest.mark.parametrize(
    ("entity", "text"),
    [('<!ENTITY a "aaa"><!ENTITY b "&a;&a;">', "&b;"), ('<!ENTITY b SYSTEM "file:///etc/hostname">', "&b;")],
)
def test_entities_are_never_expanded_nor_fetched(entity: str, text: str) -> None:
    document = read_document(f"<?xml version='1.0'?><!DOCTYPE x [{entity}]><x>{text}</x>".encode())
    assert (document.kind, document.text) == ("xml", "&b;")
    assert [note.message[:42] for note in document.diagnostics] == ["the document declares entities of its own,"]


def test_a_truncated_file_keeps_what_is_there() -> None:
    document = read_document(b"<?xml version='1.0'?><a><b>1</b><c>2")
    assert document.text == "1\n2"
    assert [note.context["count"] for note in document.diagnostics] == [2]


def test_no_element_is_plain_text() -> None:
    document = read_document(b"<?xml version='1.0'?> nothing", "x.xml")
    assert (document.kind, len(document.diagnostics)) == ("text", 1)


@pytest.mark.parametrize(
    "unit", ["<a>", "<a></a>", "<a/>", "x<b/>", "&amp;", "<![CDATA[x]]>", "</a>", "<a b='", "<?", "<!ENTITY"]
)
def test_hostile_files_are_bounded(unit: str) -> None:
    start = time.process_time()
    data = b"<?xml version='1.0'?><r>" + unit.encode() * (60_000 // len(unit)) + b"</r>"
    document = read_document(data, limits=Limits(max_depth=60))
    assert document.kind == "xml"
    assert time.process_time() - start < 4


names = st.sampled_from(["Invoice", "ID", "Line", "n:Amount", "Ünï"])
words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"], exclude_characters="\ufffe\uffff"), max_size=12)
elements = st.recursive(
    st.tuples(names, words),
    lambda inner: st.tuples(names, st.lists(inner, min_size=1, max_size=3)),
    max_leaves=10,
)


def write(element: tuple[str, object], indent: str) -> str:
    name, content = element
    inside = escape(content) if isinstance(content, str) else "".join(write(child, indent) for child in content)  # type: ignore[attr-defined]
    return f"{indent}<{name}>{inside}</{name}>"


@given(elements, st.sampled_from(["", "\n  "]), st.sampled_from(["utf-8", "utf-16"]))
@settings(max_examples=150)
def test_leaves_are_those_of_the_standard_parser(element: tuple[str, object], indent: str, encoding: str) -> None:
    source = f'<?xml version="1.0" encoding="{encoding}"?><r xmlns:n="urn:n">{write(element, indent)}</r>'
    document = read_document(source.encode(encoding))
    root = ElementTree.fromstring(source.encode(encoding))
    expected = [(e.tag.rpartition("}")[2], (e.text or "").strip()) for e in root.iter() if len(e) == 0]
    assert document.tree is not None
    assert [(node.name, node.text) for node in document.tree.walk() if node.kind == "scalar"] == expected
    plain = {"utf-16": "utf-16-le"}.get(encoding, encoding)
    for node in document.tree.walk():
        if node.text and "&" not in escape(node.text):
            place = document.byte_range(node.span)
            assert place is not None
            assert source.encode(encoding)[place.start : place.end].decode(plain) == node.text


def test_no_more_elements_than_allowed_are_read() -> None:
    document = read_document(
        b"<?xml version='1.0'?><r>" + b"<a>1</a>" * 9_000 + b"</r>", limits=Limits(max_nodes=5_000)
    )
    (note,) = document.diagnostics
    assert note.message.startswith("only the first 5000 elements were read. Split the document")
    assert (note.code, note.context) == ("UNREADABLE_INPUT", {"limit": "max_nodes"})
    assert document.text.count("1") == 4999


def test_the_start_of_a_tag_at_the_end_is_no_text() -> None:
    document = read_document(b"<?xml version='1.0'?><r><a>1</a><b>23<To")
    assert document.text == "1\n23"
    assert [note.message for note in document.diagnostics] == [
        "2 XML tags have no partner. Check that the file is complete"
    ]


@pytest.mark.parametrize("encoding", ["utf-16", "UTF-16LE", "UCS-2", "utf-32"])
def test_bytes_that_spell_the_declaration_are_not_wide(encoding: str) -> None:
    document = read_document(f'<?xml version="1.0" encoding="{encoding}"?><Order><No>Ö-77</No></Order>'.encode())
    assert (document.kind, document.text, document.diagnostics) == ("xml", "Ö-77", ())
