"""Documents of every format, made up and damaged; number N is the same document on every run."""

from __future__ import annotations

import base64
import html
import io
import json
import random
import zipfile
import zlib
from collections.abc import Callable
from importlib.resources import files
from typing import Any

_LABELS = (
    "Invoice number|Invoice date|Due date|Total|Net amount|VAT|Customer|Seller|IBAN|Rechnungsnummer|Datum|Gesamtbetrag|"
    "zzgl. 19 % USt.|Zahlbar bis|Facture n°|Montant dû|Fecha|Importe total|Totale|Data|请求|合計金額|Итого|المجموع|"
    "Qty|Price|Amount|Description|PO:|Order no.|From|To|Subject|Reference|Tax ID|Account|Balance|Period|Term"
).split("|")
_WORDS = (
    'Acme Tools Ltd|Müller & Söhne GmbH|12 Harbour Road|D-80331 München|Torque wrench 1/2"|Widget, large|paid|open|'
    "株式会社サンプル|ООО «Ромашка»|see footer|n/a|-|TBD|void|copy|page 1 of 3|carried over|Subtotal|ignore"
).split("|")
_VALUES = (
    "1.234,56 €|$1,234.56|12/03/2025|2025-02-29|31.02.2024|03/04/25|-5|(12.50)|1e999|٣٤|१२|12 345,00|CHF 1'200.-|"
    "€ 5,- |99999999999999999999999999.99|0x1F|NaN|Infinity|DE89 3704 0044 0532 0130 00|GB82WEST12345698765432|"
    "about 40|< 5|12+|40?|1250.00 CHF (equals 1310.55 EUR)|24:61|noon|today|5 %|½|1/2|三百|1O0.00|--|1.2.3.4|a@b|"
    "+49 30 1234567"
).split("|")
_NASTY = (
    "\0", "\ufeff", "\u202e", "\u200b" * 40, "\ud800", "\uffff", "é" * 9, "e" + "\u0301" * 200, "\x1b[2J", "\r", "\x85",
    "\u2028", "{{", "]]>", "<!--", "&#x110000;", "%s%n", "=1+1", "../../x", "'" * 30, '"' * 31, "\\" * 33, "\t" * 50,
    "١٢٣٤٥", "9" * 400, "1," * 200, "a" * 5000, ":" * 300, "|" * 300, "(" * 500, "<b>" * 300,
    "[" * 1000, '{"a":' * 300,
)  # fmt: skip
_LONGEST = 120_000


def document(number: int) -> tuple[str, bytes]:
    """The name and the bytes of a hostile document."""
    rng = random.Random(number)
    kind = rng.choices(list(MAKERS), [weight for _, weight in MAKERS.values()])[0]
    data = MAKERS[kind][0](rng)
    for _ in range(rng.choice((0, 1, 1, 2, 3, 6))):
        data = rng.choice(MUTATIONS)(rng, data)[:_LONGEST]
    return f"{number}.{kind}" if rng.random() < 0.8 else f"{number}", data


def pairs(rng: random.Random, most: int = 14) -> list[tuple[str, str]]:
    return [(rng.choice(_LABELS), rng.choice(_VALUES + _WORDS)) for _ in range(rng.randint(1, most))]


def rows(rng: random.Random) -> list[list[str]]:
    width, height = rng.randint(1, 7), rng.choice((1, 2, 3, 5, 8, 40))
    return [[rng.choice(_LABELS) for _ in range(width)]] + [
        [rng.choice(_VALUES + _WORDS) for _ in range(max(width + rng.choice((-1, 0, 0, 0, 1)), 1))]
        for _ in range(height)
    ]


def _encoded(rng: random.Random, text: str) -> bytes:
    coding = rng.choices(
        ("utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252", "utf-32", "shift_jis"), (9, 1, 1, 1, 1, 1, 1)
    )
    return text.encode(coding[0], "replace")


def _text(rng: random.Random) -> bytes:
    gap = rng.choice((": ", "  ", "\t", " ... ", ":\n", " | ", "     "))
    lines = [label + gap + value for label, value in pairs(rng)]
    table = ["   ".join(f"{cell:14}" for cell in row) for row in rows(rng)]
    prose = " ".join(rng.choices(_WORDS + _VALUES + _LABELS, k=rng.choice((3, 30, 300))))
    return _encoded(rng, rng.choice(("\n", "\n\n", "\r\n", "\r")).join([*lines, *table, prose]))


def _markdown(rng: random.Random) -> bytes:
    table = ["| " + " | ".join(row) + " |" for row in rows(rng)]
    lines = [f"**{label}:** {value}" for label, value in pairs(rng)]
    return _encoded(rng, "\n".join(["# " + rng.choice(_WORDS), *lines, "", table[0], "|---" * 3 + "|", *table[1:]]))


def _html(rng: random.Random) -> bytes:
    cells = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows(rng)]
    table = "<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"
    deep = rng.choice((0, 0, 0, 30, 3000))
    body = "".join(f"<dt>{label}<dd>{html.escape(value)}" for label, value in pairs(rng)) + table * rng.choice(
        (1, 1, 4)
    )
    return _encoded(rng, f"<!DOCTYPE html><html><body>{'<div>' * deep}{body}</body></html>")


def _csv(rng: random.Random) -> bytes:
    mark = rng.choice(",;\t|")
    lines = [mark.join(f'"{cell}"' if rng.random() < 0.3 else cell for cell in row) for row in rows(rng)]
    return _encoded(rng, "\n".join(lines * rng.choice((1, 1, 1, 20))))


def _tree(rng: random.Random, depth: int = 4) -> Any:
    if depth == 0 or rng.random() < 0.3:
        return rng.choice([rng.choice(_VALUES), rng.choice(_WORDS), -1, 1.5, 1e300, True, None, 10**30])
    if rng.random() < 0.4:
        return [_tree(rng, depth - 1) for _ in range(rng.randint(0, 4))]
    return {rng.choice(_LABELS): _tree(rng, depth - 1) for _ in range(rng.randint(0, 6))}


def _json(rng: random.Random) -> bytes:
    deep = rng.choice((0, 0, 0, 50, 5000))
    return ("[" * deep + json.dumps(_tree(rng), ensure_ascii=rng.random() < 0.5) + "]" * deep).encode(
        "utf-8", "replace"
    )


def _xml(rng: random.Random) -> bytes:
    def element(depth: int) -> str:
        name = rng.choice(("Invoice", "cbc:ID", "Line", "Total", "a", "ns:b", "Item"))
        inner = rng.choice(_VALUES) if depth == 0 else "".join(element(depth - 1) for _ in range(rng.randint(0, 3)))
        return f'<{name} currency="EUR">{html.escape(inner) if depth == 0 else inner}</{name}>'

    return f'<?xml version="1.0"?><r xmlns:cbc="x" xmlns:ns="y">{element(rng.randint(0, 5))}</r>'.encode()


def _mail(rng: random.Random) -> bytes:
    heads = [
        "From: a@example.com",
        f"Subject: {rng.choice(_WORDS)}",
        f"Date: {rng.choice(_VALUES)}",
        "MIME-Version: 1.0",
    ]
    inner = MAKERS[rng.choice(("txt", "html", "csv", "json", "pdf"))][0](rng)
    part = "Content-Type: text/plain; charset=utf-8\r\n\r\n" + _text(rng).decode("utf-8", "replace")
    packed = base64.b64encode(inner).decode()
    other = (
        f'Content-Disposition: attachment; filename="{rng.choice(_WORDS)}"\r\nContent-Transfer-Encoding: base64\r\n\r\n'
    )
    body = f"--B\r\n{part}\r\n--B\r\n{other}{packed}\r\n--B--"
    return "\r\n".join([*heads, 'Content-Type: multipart/mixed; boundary="B"', "", body]).encode("utf-8", "replace")


def _pdf(rng: random.Random) -> bytes:
    shown = [f"{label}: {value}" for label, value in pairs(rng)] + ["   ".join(row) for row in rows(rng)[:20]]
    content = b"".join(
        f"BT /F 11 Tf 1 0 0 1 {rng.randint(20, 200)} {760 - 15 * at} Tm ".encode()
        + b"(" + line.encode("cp1252", "replace").replace(b"(", b"").replace(b")", b"") + b") Tj ET\n"
        for at, line in enumerate(shown)
    )  # fmt: skip
    filtered = b""
    if rng.random() < 0.5:
        content, filtered = zlib.compress(content), b"/Filter/FlateDecode"
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        b"<<" + filtered + b"/Length %d>>stream\n" % len(content) + content + b"\nendstream",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    )
    body = b"".join(b"%d 0 obj%sendobj\n" % (number, each) for number, each in enumerate(objects, 1))
    return b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R/Size 6>>\n%%EOF"


def _rtf(rng: random.Random) -> bytes:
    lines = "".join(rf"\b {label}\b0 : {value}\par " for label, value in pairs(rng))
    return (r"{\rtf1\ansi\deff0 " + "{" * rng.choice((0, 3, 900)) + lines + "}").encode("ascii", "replace")


def _zipped(members: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return target.getvalue()


def _damaged_member(rng: random.Random, packed: bytes) -> bytes:
    """An archive with one member damaged, so that what reads the others gets to it."""
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    if rng.random() < 0.6:
        name = rng.choice(list(members))
        members[name] = rng.choice(MUTATIONS)(rng, members[name])
    return _zipped(members)


def _xlsx(rng: random.Random) -> bytes:
    return _damaged_member(rng, (files("paxman") / "samples" / "stock.xlsx").read_bytes())


def _docx(rng: random.Random) -> bytes:
    def paragraph(text: str) -> str:
        return f"<w:p><w:r><w:t>{html.escape(text)}</w:t></w:r></w:p>"

    table = "".join("<w:tr>" + "".join(f"<w:tc>{paragraph(c)}</w:tc>" for c in row) + "</w:tr>" for row in rows(rng))
    text = "".join(paragraph(f"{label}: {value}") for label, value in pairs(rng)) + f"<w:tbl>{table}</w:tbl>"
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    body = f"<w:document {space}><w:body>{text}</w:body></w:document>"
    types = b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
    return _damaged_member(rng, _zipped({"[Content_Types].xml": types, "word/document.xml": body.encode()}))


def _xls(rng: random.Random) -> bytes:
    import xlwt

    book = xlwt.Workbook()
    sheet = book.add_sheet("Sheet")
    for at, row in enumerate(rows(rng)):
        for column, cell in enumerate(row):
            sheet.write(at, column, rng.choice((cell, cell, len(cell) * 1.5)))
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def _open_document(kind: str) -> Callable[[random.Random], bytes]:
    """A maker of OpenDocument files: the same paragraphs and table in a text, a sheet or a show of slides."""

    def make(rng: random.Random) -> bytes:
        def paragraph(text: str) -> str:
            return f"<text:p>{html.escape(text)}</text:p>"

        def cell(text: str) -> str:
            return f'<table:table-cell office:value-type="string">{paragraph(text)}</table:table-cell>'

        lines = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows(rng))
        table = f'<table:table table:name="Sheet">{lines}</table:table>'
        written = "".join(paragraph(f"{label}: {value}") for label, value in pairs(rng))
        body = {
            "text": written + table,
            "spreadsheet": table,
            "presentation": f"<draw:page><draw:frame><draw:text-box>{written}</draw:text-box></draw:frame>"
            f"<draw:frame>{table}</draw:frame></draw:page>",
        }[kind]
        spaces = " ".join(
            f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
            for name, space in (("office", "office"), ("text", "text"), ("table", "table"), ("draw", "drawing"))
        )
        inner = f"<office:body><office:{kind}>{body}</office:{kind}></office:body>"
        content = f"<office:document-content {spaces}>{inner}</office:document-content>"
        mime = f"application/vnd.oasis.opendocument.{kind}".encode()
        manifest = b'<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
        members = {"mimetype": mime, "content.xml": content.encode(), "META-INF/manifest.xml": manifest}
        return _damaged_member(rng, _zipped(members))

    return make


def _pptx(rng: random.Random) -> bytes:
    def paragraph(text: str) -> str:
        return f"<a:p><a:r><a:t>{html.escape(text)}</a:t></a:r></a:p>"

    table = "".join(
        "<a:tr>" + "".join(f"<a:tc><a:txBody>{paragraph(cell)}</a:txBody></a:tc>" for cell in row) + "</a:tr>"
        for row in rows(rng)
    )
    written = "".join(paragraph(f"{label}: {value}") for label, value in pairs(rng))
    spaces = " ".join(
        f'xmlns:{name}="http://schemas.openxmlformats.org/{space}/2006/{part}"'
        for name, space, part in (
            ("a", "drawingml", "main"),
            ("p", "presentationml", "main"),
            ("r", "officeDocument", "relationships"),
        )
    )
    shapes = f"<p:sp><p:txBody>{written}</p:txBody></p:sp><p:graphicFrame><a:tbl>{table}</a:tbl></p:graphicFrame>"
    slide = f"<p:sld {spaces}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
    show = f'<p:presentation {spaces}><p:sldIdLst><p:sldId id="1" r:id="rId1"/></p:sldIdLst></p:presentation>'
    link = '<Relationship Id="rId1" Type="x/slide" Target="slides/slide1.xml"/>'
    links = (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{link}</Relationships>'
    )
    parts = {"ppt/presentation.xml": show, "ppt/_rels/presentation.xml.rels": links, "ppt/slides/slide1.xml": slide}
    return _damaged_member(rng, _zipped({name: part.encode() for name, part in parts.items()}))


def _epub(rng: random.Random) -> bytes:
    container = '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>'
    book = (
        '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="a"/></spine></package>'
    )
    members = {"mimetype": b"application/epub+zip", "META-INF/container.xml": container.encode()}
    return _damaged_member(rng, _zipped(members | {"book.opf": book.encode(), "a.xhtml": _html(rng)}))


def _mailbox(rng: random.Random) -> bytes:
    mails = [_mail(rng) for _ in range(rng.randint(1, 4))]
    return b"".join(b"From a@example.com Thu Jan  2 03:04:05 2025\n" + mail + b"\n\n" for mail in mails)


def _card(kind: str) -> Callable[[random.Random], bytes]:
    """A maker of contacts or events, with the properties that these have and others."""

    def make(rng: random.Random) -> bytes:
        names = ("FN", "N", "ORG", "TEL;TYPE=work", "ADR", "DTSTART;TZID=Europe/Berlin", "DTEND", "SUMMARY", "RRULE")
        lines = [f"{rng.choice(names)}:{rng.choice(_VALUES + _WORDS)}" for _ in range(rng.randint(1, 12))]
        inner = ["BEGIN:VEVENT", *lines, "END:VEVENT"] if kind == "VCALENDAR" else lines
        one = [f"BEGIN:{kind}", "VERSION:3.0", *inner, f"END:{kind}"]
        return _encoded(rng, "\r\n".join(one * rng.choice((1, 1, 3))))

    return make


def _records(rng: random.Random) -> bytes:
    return b"\n".join(json.dumps(_tree(rng)).encode() for _ in range(rng.randint(1, 9)))


def _zip(rng: random.Random) -> bytes:
    kinds = [rng.choice(("txt", "html", "csv", "json", "xml", "eml", "pdf", "rtf")) for _ in range(rng.randint(0, 4))]
    return _damaged_member(
        rng, _zipped({"a.txt": b"a"} | {f"{n}.{kind}": MAKERS[kind][0](rng) for n, kind in enumerate(kinds)})
    )


def _image(rng: random.Random) -> bytes:
    return (files("paxman") / "samples" / "receipt.png").read_bytes()


MAKERS: dict[str, tuple[Callable[[random.Random], bytes], float]] = {
    "txt": (_text, 20),
    "md": (_markdown, 10),
    "html": (_html, 12),
    "csv": (_csv, 12),
    "json": (_json, 10),
    "xml": (_xml, 8),
    "eml": (_mail, 8),
    "pdf": (_pdf, 8),
    "rtf": (_rtf, 3),
    "xlsx": (_xlsx, 3),
    "docx": (_docx, 3),
    "zip": (_zip, 3),
    "png": (_image, 0.1),
    "xls": (_xls, 2),
    "ods": (_open_document("spreadsheet"), 2),
    "odt": (_open_document("text"), 2),
    "odp": (_open_document("presentation"), 2),
    "pptx": (_pptx, 2),
    "epub": (_epub, 2),
    "mbox": (_mailbox, 2),
    "vcf": (_card("VCARD"), 2),
    "ics": (_card("VCALENDAR"), 2),
    "ndjson": (_records, 2),
}
"""Makers and how often each; a picture takes a second or two."""


def _flip(rng: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 4, 40))):
        if changed:
            changed[rng.randrange(len(changed))] = rng.choice((rng.randrange(256), 0, 255, 0x3C, 0x22, 0x2C))
    return bytes(changed)


def _cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randint(0, len(data))] if rng.random() < 0.5 else data[rng.randint(0, len(data)) :]


def _take_out(rng: random.Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + data[at + rng.choice((1, 2, 16, 300)) :]


def _put_in(rng: random.Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.choice(_NASTY).encode("utf-8", "surrogatepass") + data[at:]


def _double(rng: random.Random, data: bytes) -> bytes:
    at, size = rng.randint(0, len(data)), rng.choice((1, 3, 20, 200))
    return data[:at] + data[at : at + size] * rng.choice((2, 10, 300)) + data[at:]


def _swap_lines(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    rng.shuffle(lines)
    return b"\n".join(lines)


def _splice(rng: random.Random, data: bytes) -> bytes:
    other = MAKERS[rng.choice(("txt", "html", "csv", "json", "xml", "eml", "pdf", "rtf"))][0](rng)
    return data[: rng.randint(0, len(data))] + other[rng.randint(0, len(other)) :]


MUTATIONS = (_flip, _cut, _take_out, _put_in, _double, _swap_lines, _splice)
