"""Reading documents to text with addresses."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import paxman
from benchmarks.measure import Measure, best, run_python
from paxman.documents.reading import read_document

_SAMPLES = Path(paxman.__file__).parent / "samples"
_PAGES, _ROWS = 200, 20_000
_MEGABYTES = (1, 10, 100)
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_MEMORY = """
import resource, sys
from paxman.documents.reading import read_document

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

line = b"Item 1 of the order: 12.50 EUR, delivered 2024-05-06\\n"
read_document(line)
data = line * ({size} // len(line))
before = peak()
document = read_document(data)
assert len(document.text) == len(data)
print((peak() - before) / len(data))
"""


def measures() -> Iterator[Measure]:
    yield Measure("read, one-page PDF", _milliseconds((_SAMPLES / "invoice.pdf").read_bytes()), 15, "ms")
    per_page = _milliseconds(long_pdf(_PAGES), rounds=3) / _PAGES
    yield Measure(f"read, PDF of {_PAGES} pages, per page", per_page, 10, "ms")
    yield Measure("read, 600 KB HTML page", _milliseconds(html_page(600_000), rounds=5), 300, "ms")
    yield Measure("read, 600 KB HTML page, nearly all tags", _milliseconds(dense_page(600_000), rounds=5), 300, "ms")
    yield Measure(f"read, {_ROWS:,} spreadsheet rows", _milliseconds(spreadsheet(_ROWS), rounds=5), 500, "ms")
    yield Measure("read, scanned receipt", _milliseconds((_SAMPLES / "receipt.png").read_bytes(), 3), 2500, "ms")
    for megabytes in _MEGABYTES:
        growth = float(run_python(_MEMORY.format(size=megabytes * 1_000_000)))
        yield Measure(f"read, {megabytes} MB of text, memory per byte", growth, 4, "bytes")


def _milliseconds(data: bytes, rounds: int = 10) -> float:
    document = read_document(data)
    assert document.text and not document.diagnostics, document.diagnostics
    return best(lambda: read_document(data), rounds=rounds) * 1000


def long_pdf(pages: int) -> bytes:
    """A PDF with fifty lines on each page."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(pages))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {pages}>>".encode(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    for page in range(pages):
        content = "".join(
            f"BT /F 10 Tf 50 {750 - 14 * line} Td (Line {line} of page {page}: twelve bolts at 1.50 are 18.00) Tj ET\n"
            for line in range(50)
        ).encode()
        place = f"/MediaBox[0 0 612 792]/Contents {5 + 2 * page} 0 R/Resources<</Font<</F 3 0 R>>>>"
        objects += [f"<</Type/Page/Parent 2 0 R{place}>>".encode(), _stream(content)]
    return _write_pdf(objects)


def _stream(content: bytes) -> bytes:
    return b"<</Length %d>>stream\n%s\nendstream" % (len(content), content)


def _write_pdf(objects: list[bytes]) -> bytes:
    target, places = io.BytesIO(b""), []
    target.write(b"%PDF-1.7\n")
    for number, body in enumerate(objects, 1):
        places.append(target.tell())
        target.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = target.tell()
    target.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    target.write(b"".join(b"%010d 00000 n \n" % place for place in places))
    target.write(b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start))
    return target.getvalue()


def html_page(size: int) -> bytes:
    """A page of paragraphs, lists and a table of about this size, with more tags than real pages have."""
    prose = "Words of a paragraph as people write it, in sentences that go on for a while before they end. " * 6
    style = 'class="article__block article__block--wide js-observe" data-tracking="chapter-block-view"'
    block = (
        f"<section {style}><h2 {style}>Chapter</h2><p>{prose}<a href='/chapters/paragraph?from=list'>link</a>"
        f" &amp; more.</p><ul {style}><li>{prose[:95]}</li><li>{prose[:95]}</li></ul>"
        f"<table {style}><tr><th>Item</th><th>Price</th></tr><tr><td>Bolt</td><td>1.50</td></tr></table></section>\n"
    )
    return _page(block, size)


def dense_page(size: int) -> bytes:
    """A page of short paragraphs, lists and tables: a tag takes some 11 bytes, where real pages have about 70."""
    block = (
        "<section><h2>Chapter</h2><p>Words of a paragraph with a <a href='/x'>link</a> &amp; more text in it, as"
        " people write it, in sentences that go on for a while before they end.</p><ul><li>one</li><li>two</li></ul>"
        "<table><tr><th>Item</th><th>Price</th></tr><tr><td>Bolt</td><td>1.50</td></tr></table></section>\n"
    )
    return _page(block, size)


def _page(block: str, size: int) -> bytes:
    body = block * (size // len(block) + 1)
    return f"<!doctype html><html><head><title>Long</title></head><body>{body}</body></html>".encode()


def spreadsheet(rows: int) -> bytes:
    """An XLSX file with six columns."""
    lines = "".join(_row(number) for number in range(1, rows + 1))
    link = "<Relationship Id='r1' Type='{}/{}' Target='{}'/>".format
    listed = "<sheets><sheet name='Goods' sheetId='1' r:id='r1'/></sheets>"
    wrap = "<Relationships xmlns='{}'>{}</Relationships>".format
    types = "http://schemas.openxmlformats.org/package/2006/content-types"
    members = {
        "[Content_Types].xml": f"<Types xmlns='{types}'/>",
        "_rels/.rels": wrap(_PACKAGE, link(_RELATIONS, "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f"<workbook xmlns='{_MAIN}' xmlns:r='{_RELATIONS}'>{listed}</workbook>",
        "xl/_rels/workbook.xml.rels": wrap(_PACKAGE, link(_RELATIONS, "worksheet", "sheet1.xml")),
        "xl/sheet1.xml": f"<worksheet xmlns='{_MAIN}'><sheetData>{lines}</sheetData></worksheet>",
    }
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target.getvalue()


def _row(number: int) -> str:
    texts = {"A": f"Item {number}", "B": f"Supplier {number % 97}"}
    cells = "".join(f"<c r='{at}{number}' t='inlineStr'><is><t>{text}</t></is></c>" for at, text in texts.items())
    numbers = "".join(f"<c r='{column}{number}'><v>{number * 1.25}</v></c>" for column in "CDEF")
    return f"<row r='{number}'>{cells}{numbers}</row>"
