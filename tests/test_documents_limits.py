"""Limits hold for every reader, and what they cut off is said."""

import io
import math
import time
import zipfile
from itertools import count
from typing import Any

import pytest

from paxman.documents.document import Document, JsonPointer, MailPart, SheetCell
from paxman.documents.reading import Limits, allowance, read_document
from paxman.errors import ConfigurationError

DENSE = {
    "json": b"[" + b"1," * 400_000 + b"1]",
    "nested": b'{"a":' + b"[" * 600_000 + b"]" * 600_000 + b"}",
    "lines": b"[1]\n" * 200_000,
    "csv": b"a,b,c\n" + b"1,1,1\n" * 130_000,
    "quoted": b"a,b,c\n" + b'"1","1","1"\n' * 70_000,
    "html": b"<html><body>" + b"<b>1</b>" * 100_000,
    "json-ld": b'<html><script type="application/ld+json">[' + b"1," * 400_000 + b"1]</script>",
    "xml": b"<?xml version='1.0'?><r>" + b"<a>1</a>" * 100_000 + b"</r>",
    "rtf": b"{\\rtf1 " + b"\\b a" * 200_000 + b"}",
    "headers": b"From: a@b.c\nSubject: x\n" + b"X-A: b\n" * 120_000 + b"\nhello\n",
    "parts": b"From: a@b.c\nContent-Type: multipart/mixed; boundary=x\n\n" + b"--x\n\na\n" * 60_000,
}


def _built(shape: str, steps: int) -> Document:
    document = read_document(DENSE[shape], limits=Limits(max_steps=steps))
    _ = document.tree, document.tables, document.pairs
    return document


@pytest.mark.parametrize("shape", DENSE)
def test_reading_ends_when_its_steps_are_used_up(shape: str) -> None:
    started = time.process_time()
    document = _built(shape, 100_000)
    assert time.process_time() - started < 0.9
    (note, *_) = [note for note in document.diagnostics if note.context.get("limit") == "max_steps"]
    assert note.code == "UNREADABLE_INPUT"
    assert note.message.startswith("only the ")
    assert note.message.endswith(". Split the document, or allow more with Limits(max_steps=...)")


@pytest.mark.parametrize("shape", DENSE)
def test_what_is_cut_off_does_not_depend_on_the_clock(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = _built(shape, 100_000)
    ticks = count(step=1000)
    for clock in ("monotonic", "perf_counter", "process_time", "time"):
        monkeypatch.setattr(time, clock, lambda: float(next(ticks)))
    again = _built(shape, 100_000)
    assert (again.text, again.pairs, again.tables, again.diagnostics) == (
        first.text,
        first.pairs,
        first.tables,
        first.diagnostics,
    )


def test_a_document_within_its_steps_is_whole() -> None:
    small = {
        "json": b'{"a": 1}',
        "csv": b"a,b\n1,2\n",
        "html": b"<html><p>a: b",
        "xml": b"<?xml version='1.0'?><a>1</a>",
    }
    for source in small.values():
        assert read_document(source, limits=Limits(max_steps=1_000)).diagnostics == ()


def test_an_attachment_shares_the_steps_of_its_message() -> None:
    head = b'From: a@b.c\nContent-Type: multipart/mixed; boundary="-"\n\n'
    part = b"---\nContent-Type: application/json\nContent-Disposition: attachment; filename=a.json\n\n"
    parts = b"".join(part + DENSE["json"] + b" " * number + b"\n" for number in range(9))
    document = read_document(head + parts + b"-----\n", limits=Limits(max_steps=200_000))
    limits = [note.context["limit"] for note in document.diagnostics if "limit" in note.context]
    assert limits == ["max_steps"] * 9


def _scalars(document: Document) -> list[str | None]:
    assert document.tree is not None
    return [node.text for node in document.tree.walk() if node.kind == "scalar"]


def test_no_more_values_than_allowed_are_read() -> None:
    document = read_document(b'{"a": [1, 2, 3, {"b": 4}], "c": 5}', limits=Limits(max_nodes=4))
    assert _scalars(document) == ["1", "2"]
    assert [(note.message, note.context) for note in document.diagnostics] == [
        (
            "only the first 4 values were read. Split the document, or allow more with Limits(max_nodes=...)",
            {"limit": "max_nodes"},
        )
    ]


@pytest.mark.parametrize("source", [b'{"a": [1, 2]}', b"[1]\n[2]\n"])
def test_as_many_values_as_allowed_are_no_cut(source: bytes) -> None:
    document = read_document(source, limits=Limits(max_nodes=4))
    assert (_scalars(document), document.diagnostics) == (["1", "2"], ())


def test_no_more_elements_of_a_page_than_allowed_are_read() -> None:
    document = read_document(b"<html><body><p>one<p>two<p>three", limits=Limits(max_nodes=4))
    assert document.text == "one\ntwo"
    (note,) = document.diagnostics
    assert note.message.startswith("only the first 4 elements were read. ")


def test_no_more_cells_than_allowed_are_read() -> None:
    rows = b"".join(b"%d,x\n" % number for number in range(100))
    document = read_document(b"id,name\n" + rows, "a.csv", limits=Limits(max_cells=20))
    assert [[cell.text for cell in row] for row in document.tables[0].rows] == [[str(n), "x"] for n in range(10)]
    assert [note.message for note in document.diagnostics] == [
        "only the first 11 rows were read. Split the document, or allow more with Limits(max_cells=...)"
    ]


def test_a_row_of_too_many_cells_is_kept_in_one() -> None:
    document = read_document(b"a,b\n1,2,3,4,5\n", "a.csv", limits=Limits(max_cells=30))
    (note,) = [note for note in document.diagnostics if "limit" in note.context]
    assert note.context == {"limit": "max_cells"}
    assert document.tables[0].rows[-1][-1].text == "4,5"


def test_addresses_are_made_when_asked_for() -> None:
    document = read_document(b'{"a/b": [{"~": 1}, "x"]}')
    assert document.tree is not None
    assert [node.source for node in document.tree.walk()] == [
        JsonPointer(pointer) for pointer in ("", "/a~1b", "/a~1b/0", "/a~1b/0/~0", "/a~1b/1")
    ]
    assert document.locate((9, 10)) == JsonPointer("/a~1b/0")
    assert document.locate((15, 16)) == JsonPointer("/a~1b/0/~0")


def test_a_cell_is_found_in_rows_of_different_length() -> None:
    document = read_document(b"a,b,c\n1,2,3\n4,5\n\n6,7,8\n", "a.csv")
    places = [document.text.index(sign) for sign in "a3578"]
    assert [document.locate((at, at + 1)) for at in places] == [
        SheetCell("", cell) for cell in ("A1", "C2", "B3", "B5", "C5")
    ]


def _limits_met(document: Document) -> list[str]:
    return [note.message.split(".")[0] for note in document.diagnostics if note.code == "UNREADABLE_INPUT"]


def test_the_parts_of_an_archive_share_what_is_allowed() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name in ("a.json", "b.json"):
            archive.writestr(name, '{"x": [1, 2, 3]}')
        archive.writestr("c.csv", "id,name,city\n1,x,y\n2,x,y\n3,x,y\n")
    document = read_document(target.getvalue(), limits=Limits(max_nodes=8, max_cells=60))
    assert _scalars(document) == ["1", "2", "3", "1"]
    notes = [note for note in document.diagnostics if note.code == "UNREADABLE_INPUT"]
    assert [(note.message.partition(". ")[0], note.context["file"]) for note in notes] == [
        ("b.json: only the first 3 values were read", "b.json")
    ]
    assert document.tree is not None
    sources = [node.source for node in document.tree.walk() if node.kind == "scalar"]
    assert sources[-2:] == [MailPart("a.json", JsonPointer("/x/2")), MailPart("b.json", JsonPointer("/x/0"))]


def test_a_line_full_of_labels_takes_time_in_proportion() -> None:
    started = time.process_time()
    assert len(read_document(b"<html><body>" + b"<b>a</b> " * 30_000).pairs) < 30_000
    assert time.process_time() - started < 5


def test_what_is_behind_a_limit_has_no_wrong_address() -> None:
    rows = "".join(f"{number},x\n" for number in range(100))
    document = read_document(f"id,name\n{rows}".encode(), "a.csv", limits=Limits(max_cells=20))
    assert document.text.endswith("\n8,x\n9,x")
    assert document.locate((len(document.text) - 1, len(document.text))) == SheetCell("", "B11")


def test_a_small_table_late_in_an_archive_is_whole() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("a.csv", "id,name\n" + "1,x\n" * 45)
        archive.writestr("b.csv", "id,name,city\n1,x,y\n")
    assert _limits_met(read_document(target.getvalue(), limits=Limits(max_cells=100))) == []


def test_steps_are_taken_once() -> None:
    left = allowance(Limits(max_steps=1_000))
    work = left.work(50)
    assert list(work.over("abc", 10)) == ["a", "b", "c"]
    assert (left.steps, work.is_over) == (840, False)
    assert (work.take(341), left.steps, work.is_over) == (False, 840, True)
    assert (work.take(340), left.steps, work.is_over) == (True, 500, False)


@pytest.mark.parametrize(
    "limits", [{"max_seconds": math.nan}, {"max_cells": -1}, {"max_nodes": "x"}, {"max_parts": 1.5}]
)
def test_limits_are_numbers(limits: dict[str, Any]) -> None:
    ((name, value),) = limits.items()
    with pytest.raises(ConfigurationError) as refused:
        Limits(**limits)
    wanted = "a number" if name == "max_seconds" else "a whole number"
    assert str(refused.value) == f"{name} must be {wanted}, zero or more, got {value!r}"
