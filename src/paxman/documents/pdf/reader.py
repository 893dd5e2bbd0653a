"""PDF: the text layer with its layout and boxes, form fields, embedded files, and OCR for scanned pages."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import attrs

from paxman.documents.document import Document, Node, PageBox
from paxman.documents.nesting import NestedPart, join_documents
from paxman.documents.paged.pages import BLOCKS, cut_short, draw_pages, name_pages, paged_document, unpack_pages
from paxman.documents.paged.typeset import PageText
from paxman.documents.reading import Limits, allowance, choose_reader, read_document, unreadable
from paxman.documents.sandbox.helper import UnreadableError
from paxman.documents.sandbox.pool import Reply, require, run, unreadable_document
from paxman.types import LOST, Diagnostic, Severity

_STRUCTURED = ("xml", "json", "csv")
_BEYOND = {
    "max_parts": ("was left out, because it holds too many", "were left out, because it holds too many"),
    "max_unpacked_bytes": ("unpacks to more than allowed", "unpack to more than allowed"),
    "max_compression_ratio": (
        "unpacks to far more than the PDF, as a decompression bomb does",
        "unpack to far more than the PDF, as a decompression bomb does",
    ),
}
_FIELD_INDEX = re.compile(r"\[\d+\]\Z")


class PdfReader:
    name = "pdf"
    version = "1.0"

    def sniff(self, head: bytes, name: str | None) -> int:
        return 95 if head.startswith(b"%PDF-") else 90 if b"%PDF-" in head[:1024] else 0

    def read(self, data: bytes, name: str | None, limits: Limits) -> Document:
        try:
            require("pdf")
            within = attrs.evolve(limits, max_unpacked_bytes=max(allowance(limits).unpacked_bytes, 0))
            reply = run("pdf", data, attrs.asdict(within), limits)
        except UnreadableError as error:
            return unreadable_document("pdf", error)
        pages = unpack_pages(reply)
        notes = [
            *cut_short(reply, len(pages)),
            *_broken(reply),
            *_damaged(data),
            *_recognize_scans(data, reply.meta["scanned"], pages, reply.meta["fields"], limits),
        ]
        notes += _lost(pages)
        document = paged_document("pdf", pages, [*notes, *_empty(pages, notes, reply)])
        _add_form(document, reply.meta["fields"])
        document.draw = partial(draw_pages, "render_pdf", data, reply.meta["scanned"])
        return _with_embedded_files(document, reply, limits)


def _broken(reply: Reply) -> list[Diagnostic]:
    numbers = reply.meta["broken"]
    if not numbers:
        return []
    return [unreadable(f"{name_pages(numbers)} of the PDF cannot be read", "Print it to a new PDF", Severity.WARNING)]


def _damaged(data: bytes) -> list[Diagnostic]:
    count = count_damaged(data)
    if not count:
        return []
    reason = f"{count} {'piece' if count == 1 else 'pieces'} of the PDF cannot be unpacked, so that text may be missing"
    return [unreadable(reason, "Fetch the file again", Severity.WARNING, count=count)]


def _lost(pages: Sequence[PageText]) -> list[Diagnostic]:
    """A note on letters that cannot be named; a sign of its own in a font's own code is a bullet or a picture."""
    counts = {page.number: sum(map(_lost_letters, page.text.split())) for page in pages if LOST.search(page.text)}
    numbers = [number for number, count in counts.items() if count]
    if not numbers:
        return []
    total = sum(counts.values())
    named = "1 character has" if total == 1 else f"{total} characters have"
    reason = f"{named} no meaning outside the fonts of the PDF, on {name_pages(numbers)}"
    return [unreadable(reason, "Values with such a character are left out", Severity.WARNING, characters=total)]


def _lost_letters(word: str) -> int:
    return len(LOST.findall(word)) if "\ufffd" in word or any(map(str.isalnum, word)) else 0


def _empty(pages: Sequence[PageText], notes: Sequence[Diagnostic], reply: Reply) -> list[Diagnostic]:
    if reply.meta["xfa"]:
        advice = "Open it in Adobe Reader and print it to a new PDF"
        return [unreadable("the form is kept in XFA, which is shown by Adobe Reader only", advice, Severity.WARNING)]
    if notes or any(page.text for page in pages):
        return []
    return [unreadable("the pages are blank", "Check that this is the right file", Severity.WARNING)]


def _recognize_scans(
    data: bytes, numbers: list[int], pages: list[PageText], fields: list[list[Any]], limits: Limits
) -> list[Diagnostic]:
    """Add what OCR reads to pages that are pictures, one after the other while there are steps left."""
    try:
        if numbers:
            require("ocr")
    except UnreadableError as error:
        reason = f"the text of {name_pages(numbers)} of the PDF is a picture; {error.reason}"
        return [unreadable(reason, error.advice, **error.context)]
    for done, number in enumerate(numbers):
        try:
            reply = run("ocr_pdf", data, {"page": number}, limits)
            pages[number - 1] = unpack_pages(reply)[0]
            fields[:] = [field for field in fields if field[0] != number] + reply.meta["fields"]
        except UnreadableError as error:
            return [_scans_left(numbers[done:], error)]
    return []


def _scans_left(numbers: list[int], error: UnreadableError) -> Diagnostic:
    reason = f"no text was recognized on {name_pages(numbers)} of the PDF: {error.reason}"
    return unreadable(reason, error.advice, **error.context)


def _add_form(document: Document, fields: list[list[Any]]) -> None:
    """Form fields as a tree of names; their values stand in the text where the page shows them."""
    if not fields:
        return
    starts = {page.number: page.span[0] for page in document.pages}
    nodes = tuple(
        _field_node(document, name, starts[number] + start, starts[number] + end) for number, name, start, end in fields
    )
    whole = Node("object", "form", (0, len(document.text)), PageBox(1, (0, 0, 0, 0)), nodes)
    document.build_tree = lambda: whole


def _field_node(document: Document, name: str, start: int, end: int) -> Node:
    """A field under the last part of its full name, such as Name of form1[0].page[0].Name[0]."""
    short = _FIELD_INDEX.sub("", name.rpartition(".")[2]) or name
    return Node("scalar", short, (start, end), document.locate((start, end)), text=document.text[start:end])


def _with_embedded_files(document: Document, reply: Reply, limits: Limits) -> Document:
    """Structured files inside the PDF follow the pages in the text; others are named and left alone."""
    contents = reply.blocks[BLOCKS * len(reply.meta["pages"]) :]
    files = list(zip(reply.meta["files"], contents, strict=True))
    allowance(limits).unpacked_bytes -= sum(map(len, contents))
    parts, notes = [], [*_refused(reply.meta["refused"])]
    room = max(limits.max_text_chars - len(document.text), 0)
    for name, content in files:
        if choose_reader(content[:4096], name).name not in _STRUCTURED:
            reason = f"the file {name!r} inside the PDF is no structured data and was not read"
            notes.append(unreadable(reason, "Save it and read it by itself", Severity.INFO, file=name))
            continue
        parts.append(NestedPart(name, read_document(content, name, limits=attrs.evolve(limits, max_text_chars=room))))
        room = max(room - len(parts[-1].document.text), 0)
    if parts:
        return join_documents("pdf", [NestedPart(None, document), *parts], notes)
    document.diagnostics += tuple(notes)
    return document


def _refused(counts: dict[str, int]) -> Iterator[Diagnostic]:
    """What was left out of the embedded files, by the limit that they are beyond."""
    for limit, count in counts.items():
        one, many = _BEYOND[limit]
        reason = f"1 file inside the PDF {one}" if count == 1 else f"{count} files inside the PDF {many}"
        yield unreadable(reason, f"If you trust it, allow more with Limits({limit}=...)", Severity.WARNING, limit=limit)


# Text is kept in streams that say no more than how long and how packed they are.
_STREAM = re.compile(rb"<<([^<>]{1,200})>>\s{0,9}stream\r?\n")
_OTHER = re.compile(rb"/(?:Type|Subtype|Length1|N|FunctionType)\b")
_PIECE = 1 << 20
_MOST = 64 * _PIECE
"""Bytes that are unpacked before the rest is taken as whole."""


def count_damaged(data: bytes) -> int:
    """How many streams of text cannot be unpacked."""
    if b"/Encrypt" in data:
        return 0
    damaged, room = 0, _MOST
    for found in _STREAM.finditer(data):
        if b"/FlateDecode" not in found[1] or b"/DCTDecode" in found[1] or _OTHER.search(found[1]):
            continue
        try:
            # How many bytes a stream holds; one that only lacks its end is whole for this purpose.
            packed = data[found.end() : data.find(b"endstream", found.end())]
            rest = base64.a85decode(packed.strip().removesuffix(b"~>")) if (b"/ASCII85" in found[1]) else packed
            stream, size = zlib.decompressobj(), 0
            while rest and not stream.eof and size < room:
                size += len(stream.decompress(rest, _PIECE))
                rest = stream.unconsumed_tail
            room -= size
        except (ValueError, zlib.error):
            damaged += 1
        if room <= 0:
            break
    return damaged
