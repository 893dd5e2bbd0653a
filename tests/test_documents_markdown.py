"""Markdown: the text without its marks, what they say about it, and the bytes that every character came from."""

import re
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import paxman
from paxman.api.verification import verify
from paxman.documents.document import ByteRange, Document
from paxman.documents.reading import choose_reader, read_document
from paxman.page.names import page_of


def read(source: str, name: str = "page.md") -> Document:
    return read_document(source.encode(), name)


def marks(document: Document) -> list[tuple[str, int, str]]:
    return [(mark.kind, mark.level, document.text[slice(*mark.span)]) for mark in document.marks]


def pairs(document: Document) -> list[tuple[str, str]]:
    return [(pair.label, document.text[slice(*pair.value_span)]) for pair in page_of(document).pairs]


def rows(document: Document) -> list[list[list[str]]]:
    return [[[cell.text for cell in row] for row in (table.header, *table.rows)] for table in document.tables]


def source_of(document: Document, data: bytes, start: int, end: int) -> str:
    place = document.byte_range((start, end))
    assert place is not None
    return data[place.start : place.end].decode()


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("# Title #\nText\n", "Title\n\nText\n"),
        ("Text\n## Title\nmore\n", "Text\n\nTitle\n\nmore\n"),
        ("Title\n=====\nText", "Title\n\nText\n"),
        ("**Bold** and *em*, __x__ and ***y***", "Bold and em, x and y\n"),
        ("2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name\n"),
        (r"\*not\* \# a \| mark", "*not* # a | mark\n"),
        ("J&uuml;rgen &amp; S&#246;hne", "Jürgen & Söhne\n"),
        ("[words](http://x.example 'title') ![logo](a.png) <http://y.example>", "words logo http://y.example\n"),
        ("see [words][1]\n\n[1]: http://x.example\n", "see words\n"),
        ("[Order]: 4711\n", "[Order]: 4711\n"),
        ("# Title {#id .class}\n", "Title\n"),
        ("Term\n:   *Meaning*\n", "Term\nMeaning\n"),
        ("```{=html}\n<p>a <b>b</b></p>\n```\n", "a b\n"),
        ("+---+---+\n| a | b |\n+===+===+\n| 1 | 2\\ |\n|   | 3 |\n+---+---+\n", "a\tb\n1\t2\n3\n"),
        ("a<br>b<br/>c <b>d</b> <span class='x'>e</span><!-- no -->", "a\nb\nc d e\n"),
        ("Dear <NAME>, <john@x.example>", "Dear <NAME>, john@x.example\n"),
        ("one  \ntwo\\\nthree\nfour", "one\ntwo\nthree\nfour\n"),
        ("`**code**` and ``a ` b``", "**code** and a ` b\n"),
        ("```python\nx  =  '**1**'\n```\n", "x  =  '**1**'\n"),
        ("Qty   Item        Price\n2     Widget      5.00\n", "Qty   Item        Price\n2     Widget      5.00\n"),
        ("   Subtotal     5.00\n        Tax     1.00\n", "   Subtotal     5.00\n        Tax     1.00\n"),
        ("    code     kept\n", "    code     kept\n"),
        ("- one\n- two\n  - three\n", "one\ntwo\nthree\n"),
        ("1. one\n2. two\n", "1. one\n2. two\n"),
        ("12. März 2024", "12. März 2024\n"),
        ("- 12.50", "- 12.50\n"),
        ("- [x] done\n- [ ] open\n", "☑ done\n☐ open\n"),
        ("> quoted\n> words\n>\n> more\n", "quoted\nwords\n\nmore\n"),
        ("a\n\n---\n\nb", "a\n\n\n\nb\n"),
        ("| A | B |\n|---|:-:|\n| 1 | `x \\| y` |\n| 2 | |\n", "A\tB\n1\tx | y\n2\t\n"),
        ("| A | B |\n|---|---|\n| 1 | 2 | 3 |\n", "A\tB\n1\t2\t3\n"),
        ("~~9.99~~ 7.99", "7.99\n"),
        ("~~all of it~~", "all of it\n"),
        ("<table><tr><td>A</td>\n\n<td>B</td></tr></table>\n\n*c*", "A\tB\n\nc\n"),
        ("<!-- a\n\ncomment -->\ntext", "text\n"),
        ("a\r\n**b**\r\nc\\\r\nd\r\n", "a \nb \nc \nd\n"),
    ],
)
def test_the_text_is_what_a_reader_sees(source: str, text: str) -> None:
    found = read(source).text
    assert re.sub(r" +\n", "\n", found).rstrip("\n") == re.sub(r" +\n", "\n", text).rstrip("\n")


def test_marks_say_what_the_markup_says() -> None:
    document = read(
        "# A *b*\n\nText **two** **words** `c`\nand **Label:** **value**\n\n"
        "- [x] one\n  - two\n\n> said\n\n```\nfive\n```\n"
    )
    assert marks(document) == [
        ("heading", 1, "A b"),
        ("strong", 0, "b"),
        ("paragraph", 0, "Text two words c\nand Label: value"),
        ("strong", 0, "two words"),
        ("code", 0, "c"),
        ("strong", 0, "Label:"),
        ("strong", 0, "value"),
        ("item", 1, "one"),
        ("box", 1, "one"),
        ("paragraph", 0, "one"),
        ("item", 2, "two"),
        ("paragraph", 0, "two"),
        ("quote", 0, "said"),
        ("paragraph", 0, "said"),
        ("code", 0, "five"),
    ]
    assert document.plain.marks == document.marks


def test_lines_above_a_rule_are_no_heading() -> None:
    assert [mark.kind for mark in read("**A:** x\n**B:** y\n---\n\nC\n---\n").marks if mark.kind != "strong"] == [
        "paragraph",
        "heading",
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("**State:** OR", [("State", "OR")]),
        ("**State**: OR", [("State", "OR")]),
        ("*State:* OR", [("State", "OR")]),
        ("<b>State:</b> OR", [("State", "OR")]),
        ("- **State:** OR", [("State", "OR")]),
        ("**A:** x **B:** y **C**: z", [("A", "x"), ("B", "y"), ("C", "z")]),
        ("**A:** x · **B:** y | **C:** z", [("A", "x"), ("B", "y"), ("C", "z")]),
        ("Carrier\n:   Bolt Haulage\n", [("Carrier", "Bolt Haulage")]),
        (
            "| Field | Value |\n|---|---|\n| **State** | OR |\n| Zip: | 97301 |",
            [("Field", "Value"), ("State", "OR"), ("Zip", "97301")],
        ),
        ("| Name: | Ann |\n|---|---|\n| Zip | 97301 |", [("Name", "Ann"), ("Zip", "97301")]),
        ("| | |\n|---|---|\n| Zip | 97301 |", [("Zip", "97301")]),
    ],
)
def test_pairs(source: str, expected: list[tuple[str, str]]) -> None:
    assert pairs(read(source)) == expected


def test_tables_keep_every_row_and_cell() -> None:
    document = read(
        "| A | B |\n|---|---|\n| 1 | 2 |\n\n<!-- next page -->\n\n"
        "| 3 | **4** |\n| 5<br>6 | 7 |\n\nx\n\n| 8 | 9 |\n| 10 | 11 |\n"
    )
    assert rows(document) == [[["A", "B"], ["1", "2"], ["3", "4"], ["5 6", "7"]], [[], ["8", "9"], ["10", "11"]]]
    assert [table.headed for table in document.tables] == [True, False]


def test_tables_of_html_are_tables_too() -> None:
    document = read("x\n\n<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>\n")
    assert rows(document) == [[["A", "B"], ["1", "2"]]]


def test_a_bar_in_a_cell_parts_nothing() -> None:
    document = read("| Option | Use |\n|---|---|\n| unit | km \\| mi |\n\nPage 1 | Acme | Confidential\n")
    assert ("km", "mi") not in pairs(document)
    assert document.rows_of_text.text == "Option\tUse\nunit\tkm | mi\n\nPage 1 \t Acme \t Confidential\n"


def test_front_matter_is_data() -> None:
    source = (
        "---\ntitle: \"A \\\"B\\\"\"\ncountry: NO\ncount: 3\nparty: {name: 'Ann''s', ok: true}\ntags:\n  - x\n  - y\n"
        "note: |\n  two\n  lines\n---\n# Text\n"
    )
    document, data = read(source), source.encode()
    assert document.tree is not None
    scalars = [(n.name, n.text, n.scalar) for n in document.tree.walk() if n.kind == "scalar"]
    assert scalars == [
        ("title", 'A "B"', "string"),
        ("country", "NO", "string"),
        ("count", "3", "number"),
        ("name", "Ann's", "string"),
        ("ok", "true", "boolean"),
        ("", "x", "string"),
        ("", "y", "string"),
        ("note", "two lines", "string"),
    ]
    for node in document.tree.walk():
        assert node.source == document.locate(node.span)
        assert source_of(document, data, *node.span) == document.text[slice(*node.span)]


@pytest.mark.parametrize(
    "broken", ["---\na: [1\n---\nx", "---\njust text\n---\nx", "---\na: &b [*b]\n---\nx", "---\na: 1\n"]
)
def test_what_is_no_front_matter_is_text(broken: str) -> None:
    assert read(broken).tree is None


@pytest.mark.parametrize(
    ("source", "name", "reader"),
    [
        ("plain", "a.md", "markdown"),
        ("plain", "A.MARKDOWN", "markdown"),
        ('<p align="center">\n<img src="x">\n</p>\n\n# T', "README.md", "markdown"),
        ("[![Build](b.svg)](x)\n", "README.md", "markdown"),
        ("<!DOCTYPE html><html><p>x</p></html>", "a.md", "html"),
        ("# T\n\n**b** x", None, "markdown"),
        ("## T\n\nx", "note.txt", "markdown"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", None, "markdown"),
        ("**A:** 1\n**B:** 2\n", None, "markdown"),
        ("5 * 3 * 2 = 30\n* note", None, "text"),
        ("**A:** 1\n", None, "text"),
        ("# settings\nport = 80\n", None, "text"),
        ("# one\n\nport = 80\n\n# two\n\nhost = x", None, "text"),
        ("## T\n\nx", "run.sh", "text"),
        ("Total | 5\n----------\n", None, "text"),
        ("Title\n\na | b | c\n--- | :-: | ---\n1 | 2 | 3\n", None, "markdown"),
    ],
)
def test_only_what_plainly_is_markdown_is_read_as_such(source: str, name: str | None, reader: str) -> None:
    assert choose_reader(source.encode(), name).name == reader


WORDS = st.text(st.sampled_from("abcxyzÄßéñ漢字0123456789"), min_size=1, max_size=6)
INLINE = st.one_of(
    WORDS,
    st.builds("**{}**".format, WORDS),
    st.builds("*{} {}*".format, WORDS, WORDS),
    st.builds("`{}`".format, WORDS),
    st.builds("`` {} ` {} ``".format, WORDS, WORDS),
    st.builds("[{}](http://x.example)".format, WORDS),
    st.builds("![{} **{}**](a.png)".format, WORDS, WORDS),
    st.builds("\\*{}\\_".format, WORDS),
    st.builds("<b>{}</b>".format, WORDS),
    st.builds("<http://{}.example>".format, st.text("abc", min_size=1, max_size=4)),
    st.builds("{}<br>{}".format, WORDS, WORDS),
    st.builds("{}   {}".format, WORDS, WORDS),
)
LINE = st.lists(INLINE, min_size=1, max_size=4).map(" ".join)
LINES = st.lists(LINE, min_size=1, max_size=3)
BLOCK = st.one_of(
    LINES.map("\n".join),
    LINES.map(lambda lines: "  \n".join(lines)),
    LINES.map(lambda lines: "\n".join("   " + line for line in lines)),
    st.builds(lambda level, line: f"{'#' * level} {line} ##", st.integers(1, 6), LINE),
    st.builds("{}\n===".format, LINE),
    LINES.map(lambda lines: "\n".join(f"- {line}\n  1. {line}" for line in lines)),
    LINES.map(lambda lines: "\n".join(f"> {line}" for line in lines)),
    LINES.map(lambda lines: "\n".join(f"> - {line}\n>   {line}" for line in lines)),
    LINES.map(lambda lines: "```\n" + "\n".join(lines) + "\n```"),
    LINES.map(lambda lines: "\n".join("\t" + line for line in lines)),
    st.lists(st.tuples(LINE, LINE), min_size=1, max_size=3).map(
        lambda cells: "| a | b |\n|---|---|\n" + "\n".join(f"| {one} | {other} |" for one, other in cells)
    ),
    st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=3).map(
        lambda cells: "<table>" + "\n\n".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in cells) + "</table>"
    ),
    st.just("---"),
)
PAGE = st.builds(
    lambda matter, blocks, end: (matter + "\n\n".join(blocks)).replace("\n", end),
    st.sampled_from(["", "---\nkey: value\n---\n"]),
    st.lists(BLOCK, max_size=6),
    st.sampled_from(["\n", "\r\n", "\r"]),
)


@given(PAGE)
@settings(max_examples=300)
def test_every_character_is_at_its_place_in_the_source(source: str) -> None:
    data = source.encode()
    document = read_document(data, "page.md")
    for place, character in enumerate(document.text):
        if character.isalnum() or character in "*_`":
            assert source_of(document, data, place, place + 1) in (character, "\\" + character)
    words = re.findall(r"[^\W_]+", re.sub(r"<[^h>][^>]*>|\]\([^)]*\)|[`*\\]", " ", source))
    shown = re.findall(r"[^\W_]+", re.sub(r"<[^h>][^>]*>|[`*\\]", " ", document.text))
    assert not Counter(words) - Counter(shown)
    for mark in document.marks:
        assert 0 <= mark.span[0] < mark.span[1] <= len(document.text)


@given(st.text(st.sampled_from("ab1 \n\t*_`~#>-+|:.[]()!<>&;{}/\\\"'\r=é\xa0\x0b"), max_size=80))
@settings(max_examples=500)
@example("> \xa0\n> a")
@example("\x0b\na")
@example("1. 1. a\n   - b")
@example("a|b\n-|-\n> c|d")
@example("`a\n  b`")
def test_any_text_can_be_read(source: str) -> None:
    data = source.encode()
    document = read_document(data, "page.md")
    assert not any(note.code == "UNREADABLE_INPUT" for note in document.diagnostics)
    for place, character in enumerate(document.text):
        if character.isalnum():
            assert source_of(document, data, place, place + 1) == character
    assert [c for c in document.text if c == "é"] == [c for c in source if c == "é"] or "<" in source or "[" in source
    assert document.tables is document.tables


FILES = Path(__file__).parent / "data" / "markdown"
DELIVERY = {
    "type": "object",
    "properties": {
        "supplier": {"type": "string"},
        "delivery_date": {"type": "string", "format": "date"},
        "goods": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"item": {"type": "string"}, "qty": {"type": "integer"}, "price": {"type": "number"}},
            },
        },
    },
}


@pytest.mark.parametrize("flavour", ["gfm", "commonmark_x", "markdown", "markdown_mmd", "markdown_strict"])
def test_what_pandoc_writes(flavour: str) -> None:
    path = FILES / f"pandoc-{flavour}.md"
    artifact = paxman.normalize(path, DELIVERY)
    goods = [dict(row) for row in artifact["goods"].value]
    assert (artifact["supplier"].value, str(artifact["delivery_date"].value), goods) == (
        "Alder & Söhne GmbH",
        "2025-03-04",
        [
            {"item": "Hex nut M8", "qty": 250, "price": Decimal("0.12")},
            {"item": "Bolt M8 x 40", "qty": 250, "price": Decimal("0.35")},
        ],
    )
    assert verify(artifact, path, DELIVERY, strict=True).passed
    document = read_document(path.read_bytes(), path.name)
    assert [(level, text) for kind, level, text in marks(document) if kind in ("heading", "item")] == [
        (1, "Delivery note 4711"),
        (2, "Goods"),
        (2, "Checks"),
        (1, "Seals"),
        (2, "front"),
        (2, "rear"),
        (1, "Papers"),
        (1, "Signed"),
        (1, "Damaged"),
    ]
    found = [(pair.label, document.text[slice(*pair.value_span)]) for pair in page_of(document).pairs]
    assert ("Carrier", "Bolt Haulage") in found
    assert "<!--" not in document.text


def test_a_grid_that_pandoc_draws() -> None:
    document = read_document((FILES / "pandoc-grid.md").read_bytes(), "grid.md")
    assert rows(document)[0] == [
        ["Party", "Address and notes"],
        ["Alder GmbH", "High Street 1 York - first - second"],
        ["Bolt AG", "Low Street 2"],
    ]


def test_a_readme_as_on_github() -> None:
    path = FILES / "github-readme.md"
    document = read_document(path.read_bytes(), path.name)
    assert [entry for entry in marks(document) if entry[0] in ("heading", "box")] == [
        ("heading", 1, "fjell-trails"),
        ("heading", 2, "Install"),
        ("heading", 2, "Options"),
        ("heading", 2, "Road map"),
        ("box", 1, "Elevation & profile"),
        ("box", 0, "Maps (#12)"),
        ("box", 0, "Offline~~ only~~"),
    ]
    assert rows(document) == [
        [
            ["Option", "Default", "What it does"],
            ["--units", "km", "km | mi"],
            ["--zone", "none", "Time zone, such as Europe/Oslo"],
        ],
        [["Version", "Date"], ["2.4.0", "2025-01-10"], ["2.3.9", "2024-11-02"]],
    ]
    expected = [("License", "MIT"), ("Maintainer", "Ann Lee"), ("Latest release", "2.4.1 (2025-03-04)")]
    assert [pair for pair in pairs(document) if pair in expected] == expected
    assert "# not a heading\npip install fjell-trails   # **bold** stays" in document.text


CONTRACT = {
    "type": "object",
    "properties": {"state": {"type": "string"}, "total": {"type": "number"}, "paid": {"type": "boolean"}},
}


def test_values_and_evidence_through_normalize(tmp_path: Path) -> None:
    source = "# Bill\n\n**State:** OR\n\n| Field | Value |\n|---|---|\n| **Total** | 1,234.50 |\n"
    path = tmp_path / "bill.md"
    path.write_text(source)
    for given_input in (path, source, source.encode()):
        artifact = paxman.normalize(given_input, CONTRACT)
        assert (artifact["state"].value, float(artifact["total"].value)) == ("OR", 1234.5)
        (evidence,) = artifact["state"].evidence_refs
        place = evidence.source
        assert isinstance(place, ByteRange)
        assert source.encode()[place.start : place.end] == b"OR"
        assert verify(artifact, given_input, CONTRACT, strict=True).passed
