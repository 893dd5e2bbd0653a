import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paxman.documents.document import ByteRange, JsonPointer, Node
from paxman.documents.reading import Limits, read_document
from paxman.transforms import run


def rows(data: bytes, name: str | None = None) -> list[tuple[str, str, str | None]]:
    document = read_document(data, name)
    assert document.tree is not None
    return [(node.source.pointer, node.kind, node.text) for node in document.tree.walk()]  # type: ignore[union-attr]


def test_every_node_has_its_pointer_and_text() -> None:
    assert rows(b'{"a": [1, -2.5e3, "x\\u00e4\\n"], "b/c~": {}, "d": null, "e": true}') == [
        ("", "object", None),
        ("/a", "array", None),
        ("/a/0", "scalar", "1"),
        ("/a/1", "scalar", "-2.5e3"),
        ("/a/2", "scalar", "xä\n"),
        ("/b~1c~0", "object", None),
        ("/d", "scalar", "null"),
        ("/e", "scalar", "true"),
    ]


def test_duplicate_keys_are_all_kept() -> None:
    assert rows(b'{"a": 1, "a": 2}')[1:] == [("/a", "scalar", "1"), ("/a", "scalar", "2")]


def test_lines_of_json_are_one_array() -> None:
    assert rows(b'{"a": 1}\n\n{"a": 2}\r\n') == [
        ("", "array", None),
        ("/0", "object", None),
        ("/0/a", "scalar", "1"),
        ("/1", "object", None),
        ("/1/a", "scalar", "2"),
    ]


def test_a_broken_line_among_lines_is_skipped_and_said() -> None:
    document = read_document(b'{"a": 1}\n\n{"a": 2}\n{"a": \n{"a": 3}\n')
    assert document.tree is not None
    assert [(node.source, node.children[0].text) for node in document.tree.children] == [
        (JsonPointer("/0"), "1"),
        (JsonPointer("/1"), "2"),
        (JsonPointer("/3"), "3"),
    ]
    assert [note.message for note in document.diagnostics] == ["line 4 is no JSON and was skipped. Check this line"]


def test_the_first_broken_lines_are_named() -> None:
    document = read_document(b'{"a": 1}\n' * 30 + b"{\n" * 12)
    assert [note.message for note in document.diagnostics] == [
        "12 lines are no JSON and were skipped: 31, 32, 33, 34, 35, 36, 37, 38, 39, 40 and more. Check these lines"
    ]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_json_in_any_unicode_encoding(encoding: str) -> None:
    assert rows('{"ä": "ö"}'.encode(encoding))[1] == ("/ä", "scalar", "ö")


def test_a_lone_surrogate_becomes_a_replacement_character() -> None:
    document = read_document(b'["\\ud800!", "\\ud83d\\ude00"]')
    assert document.tree is not None
    assert [node.text for node in document.tree.children] == ["\ufffd!", "😀"]
    for node in document.tree.children:
        assert run(node.transforms, document.text[slice(*node.span)]) == node.text


def test_numbers_that_json_does_not_have_are_said() -> None:
    document = read_document(b'{"a": NaN, "b": -Infinity, "c": 1e999}')
    assert document.tree is not None
    assert [(node.text, node.scalar) for node in document.tree.children] == [
        ("NaN", "number"),
        ("-Infinity", "number"),
        ("1e999", "number"),
    ]
    assert len(document.diagnostics) == 1


@pytest.mark.parametrize("data", [b"[" * 100_000 + b"]" * 100_000, b'{"a":' * 100_000 + b"1" + b"}" * 100_000])
def test_deep_nesting_is_bounded(data: bytes) -> None:
    document = read_document(data, limits=Limits(max_depth=50))
    assert document.tree is not None
    assert sum(1 for _ in document.tree.walk()) == 51
    assert [note.context["count"] for note in document.diagnostics] == [1]


@pytest.mark.parametrize(
    "data", [b'{"a": 1', b'["a" "b"]', b'{"a": "\\q"}', b'{"a": 1,}', b'["a",,1]', b'["a"] x', b'{"a": 01}']
)
def test_broken_json_is_text_with_a_diagnostic(data: bytes) -> None:
    document = read_document(data)
    assert (document.kind, document.text, document.tree) == ("text", data.decode(), None)
    assert document.diagnostics[0].message.startswith("this looks like JSON but is broken at character ")


def test_text_in_brackets_is_just_text() -> None:
    document = read_document(b"[Draft] Total: 5")
    assert (document.kind, document.diagnostics) == ("text", ())


def test_any_span_is_located() -> None:
    document = read_document(b'{"seller": {"name": "Acme GmbH"}, "total": 5}')
    start = document.text.index("GmbH")
    assert document.locate((start, start + 4)) == JsonPointer("/seller/name")
    assert document.locate((12, 30)) == JsonPointer("/seller")
    assert document.locate((0, 45)) == JsonPointer("")
    assert document.byte_range((start, start + 4)) == ByteRange(start, start + 4)


def value_of(node: Node) -> Any:
    if node.kind == "object":
        return {child.name: value_of(child) for child in node.children}
    if node.kind == "array":
        return [value_of(child) for child in node.children]
    return node.text if node.scalar == "string" else json.loads(node.text or "")


def resolve(value: Any, pointer: str) -> Any:
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


plain = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | plain
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(plain, inner, max_size=4), max_leaves=12
)


@given(st.lists(values, max_size=4) | st.dictionaries(plain, values, max_size=4), st.booleans(), st.none() | st.just(2))
@settings(max_examples=150)
def test_the_tree_is_the_document(value: Any, ascii_only: bool, indent: int | None) -> None:
    document = read_document(json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode(), "x.json")
    assert document.tree is not None
    assert value_of(document.tree) == value
    for node in document.tree.walk():
        assert value_of(node) == resolve(value, node.source.pointer)  # type: ignore[union-attr]
        assert document.locate(node.span) == node.source
        if node.text is not None:
            assert run(node.transforms, document.text[slice(*node.span)]) == node.text


@pytest.mark.parametrize(
    ("data", "name", "expected"),
    [
        (b'{"a":1}{"b":2}', None, [("object", "/0"), ("object", "/1")]),
        (b'1\n2\n"x"\n', "a.ndjson", [("scalar", "/0"), ("scalar", "/1"), ("scalar", "/2")]),
    ],
)
def test_values_one_after_the_other(data: bytes, name: str | None, expected: list[tuple[str, str]]) -> None:
    tree = read_document(data, name).tree
    assert tree is not None
    assert [(node.kind, node.source.pointer) for node in tree.children] == expected  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("data", "name", "kind"), [(b"[1] 2024", None, "text"), (b"[id],[name]\n[1],[2]\n", "a.csv", "csv")]
)
def test_brackets_alone_make_no_json(data: bytes, name: str | None, kind: str) -> None:
    assert read_document(data, name).kind == kind
