"""Hedges, lost rows and two currencies are told in the same way whatever the format of the page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

import pytest
from pdf_maker import lines, make_pdf, show
from test_documents_office import make_docx, make_xlsx, paragraph

import paxman

MAIL = "From: a@example.com\nTo: b@example.com\nSubject: Order\nMIME-Version: 1.0\n\nHello,\n\n"
Rows = Sequence[Sequence[str]]


def pages(pairs: Rows) -> Iterator[tuple[str, bytes]]:
    """Pairs of a name and a value as a page of each format."""
    text = "".join(f"{name}: {value}\n" for name, value in pairs)
    marked = "".join(f"<tr><th>{name}</th><td>{escape(value)}</td></tr>" for name, value in pairs)
    inner = "".join(f"<{name}>{escape(value)}</{name}>" for name, value in _keys(pairs))
    yield "text", text.encode()
    yield "columns", "".join(f"{name:<20}{value}\n" for name, value in pairs).encode()
    yield "markdown", ("# Order\n\n" + "".join(f"**{name}:** {value}\n\n" for name, value in pairs)).encode()
    yield "html", f"<html><body><table>{marked}</table></body></html>".encode()
    yield "csv", "".join(f'{name},"{value}"\n' for name, value in pairs).encode()
    yield "json", json.dumps(dict(_keys(pairs))).encode()
    yield "xml", f"<?xml version='1.0'?><order>{inner}</order>".encode()
    yield "mail", (MAIL + text).encode()
    yield "docx", make_docx("".join(paragraph(line) for line in text.splitlines()))
    yield "xlsx", make_xlsx({"Form": _cells(pairs)})
    yield "pdf", make_pdf(lines(text.splitlines(), 72, 700))


def tables(rows: Rows) -> Iterator[tuple[str, bytes]]:
    """A table with heads as a page of each format."""
    heads = rows[0]
    text = "".join("".join(cell.ljust(14) for cell in row).rstrip() + "\n" for row in rows)
    marked = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    bars = ["| " + " | ".join(row) + " |\n" for row in rows]
    records = [{head.lower(): cell for head, cell in zip(heads, row, strict=True)} for row in rows[1:]]
    elements = "".join(
        f"<item>{''.join(f'<{name}>{escape(cell)}</{name}>' for name, cell in record.items())}</item>"
        for record in records
    )
    word = "".join(f"<w:tr>{''.join(f'<w:tc>{paragraph(cell)}</w:tc>' for cell in row)}</w:tr>" for row in rows)
    yield "text", text.encode()
    yield "markdown", f"# Order\n\n{bars[0]}|{'---|' * len(heads)}\n{''.join(bars[1:])}".encode()
    yield "html", f"<html><body><table>{marked}</table></body></html>".encode()
    yield "csv", "".join(",".join(row) + "\n" for row in rows).encode()
    yield "json", json.dumps({"items": records}).encode()
    yield "xml", f"<?xml version='1.0'?><o>{elements}</o>".encode()
    yield "mail", (MAIL + text).encode()
    yield "docx", make_docx(f"<w:tbl>{word}</w:tbl>")
    yield "xlsx", make_xlsx({"Form": _cells(rows)})
    shown = [show(cell, 72 + 130 * x, 700 - 16 * y) for y, row in enumerate(rows) for x, cell in enumerate(row)]
    yield "pdf", make_pdf(b"".join(shown))


def _keys(pairs: Rows) -> list[tuple[str, str]]:
    return [(name.lower().replace(" ", "_"), value) for name, value in pairs]


def _cells(rows: Rows) -> dict[str, Any]:
    return {f"{'ABCDE'[x]}{y}": cell for y, row in enumerate(rows, 1) for x, cell in enumerate(row)}


def contract(*fields: dict[str, Any]) -> dict[str, Any]:
    return {"id": "order", "version": "1", "fields": [{"required": True, **field} for field in fields]}


ITEMS = {
    "name": "items",
    "type": "ARRAY",
    "items": {
        "fields": [
            {"name": "name", "type": "STRING", "required": True},
            {"name": "quantity", "type": "INTEGER", "required": True},
            {"name": "price", "type": "DECIMAL", "required": True},
        ]
    },
}


def told(artifact: Any, path: str, code: str) -> list[str]:
    return [note.message for note in artifact[path].diagnostics if note.code == code]


@pytest.mark.parametrize("name", ["Quantity", "Total"])
@pytest.mark.parametrize(
    ("value", "hedge"),
    [
        ("about 40", "about"),
        ("< 40", "<"),
        ("40+", "+"),
        ("40?", "?"),
        ("min. 40", "min."),
        ("~ 40", "~"),
        ("ab 40", "ab"),
        ("40 or more", "or more"),
    ],
)
def test_a_hedge_makes_a_value_context(name: str, value: str, hedge: str) -> None:
    asked = contract({"name": name.lower(), "type": "DECIMAL"})
    said = [f"{hedge!r} stands with '40': it is not 40 exactly"]
    for form, page in pages([("Order no", "A-77"), (name, value)]):
        found = paxman.normalize(page, asked)
        field = found[name.lower()]
        outcome = (form, str(field.value), field.confidence, told(found, name.lower(), "AMBIGUOUS_VALUE"))
        assert outcome == (form, "40", 0.75, said)


def test_a_hedge_in_a_row_is_told_with_its_cell() -> None:
    rows = [("Name", "Quantity", "Price"), ("Bolt", "7", "1.50"), ("Nut", "about 40", "2.50"), ("Rod", "9", "3.50")]
    said = [("items[1].quantity", "'about' stands with '40': it is not 40 exactly")]
    for form, page in tables(rows):
        found = paxman.normalize(page, contract(ITEMS))["items"]
        notes = [(note.field_path, note.message) for note in found.diagnostics if note.code == "AMBIGUOUS_VALUE"]
        assert (form, len(found.value), found.confidence, notes) == (form, 3, 0.75, said)


PLACES = {
    "text": "bytes 81-85",
    "markdown": "bytes 79-83",
    "html": "/html[1]/body[1]/table[1]/tr[3]/td[2]",
    "csv": "cell B3",
    "json": "/items/1/quantity",
    "xml": "/o[1]/item[2]/quantity[1]",
    "mail": "part 1, bytes 89-93",
    "docx": "/word/document.xml/document[1]/tbl[1]/tr[3]/tc[2]",
    "xlsx": "cell Form!B3",
    "pdf": "page 1 at 203,118",
}


def test_a_lost_row_is_told_with_its_cell_and_its_text() -> None:
    rows = [("Name", "Quantity", "Price"), ("Bolt", "7", "1.50"), ("Nut", "many", "2.50"), ("Rod", "9", "3.50")]
    for form, page in tables(rows):
        found = paxman.normalize(page, contract(ITEMS))
        text = "'\"many\"'" if form == "json" else "'many'"
        said = f"row 2 was left out: quantity: not a whole number ({PLACES[form]}: {text})"
        outcome = (form, len(found["items"].value), found.status.value, told(found, "items", "ROW_REJECTED"))
        assert outcome == (form, 2, "PARTIAL_SUCCESS", [said])


def test_an_empty_cell_that_must_be_filled_has_an_address() -> None:
    rows = [("Name", "Quantity", "Price"), ("Bolt", "7", "1.50"), ("Nut", "", "2.50"), ("Rod", "9", "3.50")]
    for form, page in tables(rows):
        found = paxman.normalize(page, contract(ITEMS))
        (note,) = [note for note in found["items"].diagnostics if note.code == "ROW_REJECTED"]
        assert (form, found.status.value, {"row", "source", "text"} <= set(note.context)) == (
            form,
            "PARTIAL_SUCCESS",
            True,
        )


@pytest.mark.parametrize("value", ["1250.00 CHF (equals 1310.55 EUR)", "CHF 1250.00 / EUR 1310.55"])
def test_two_currencies_are_two_candidates_in_document_order(value: str) -> None:
    money = {"name": "total", "type": "MONEY"}
    for form, page in pages([("Order no", "A-77"), ("Total", value)]):
        strict = paxman.normalize(page, contract(money))["total"]
        codes = [note.code for note in strict.diagnostics]
        assert (form, strict.value, codes.count("CURRENCY_MISMATCH")) == (form, None, 1)
        policy = paxman.Policy(currency_policy=paxman.CurrencyPolicy.ALLOW_FX)
        first = paxman.normalize(page, contract(money), policy=policy)["total"]
        assert (form, str(first.value)) == (form, "1250.00 CHF")
