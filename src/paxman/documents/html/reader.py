"""HTML: the text that a page shows, in reading order, with its tables, label-value markup and structured data."""

from __future__ import annotations

import re

from paxman.documents.document import Document
from paxman.documents.encodings import Decoded, decode
from paxman.documents.html.page import HtmlPage
from paxman.documents.markup import XML_CHARSET, declared_encoding
from paxman.documents.reading import Limits

_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s{0,3}=\s{0,3}[\"']?\s{0,3}([A-Za-z0-9_:.-]{2,40})", re.I)


class HtmlReader:
    name = "html"
    version = "1.0"

    def sniff(self, head: bytes, name: str | None) -> int:
        return 90 if re.search(rb"<(?:!doctype\s+html|html[\s>]|body[\s>]|div[\s>]|table[\s>])", head, re.I) else 0

    def read(self, data: bytes, name: str | None, limits: Limits) -> Document:
        declared = _CHARSET.search(data[:4096]) or XML_CHARSET.match(data[:4096])
        return html_document(decode(data, declared_encoding(declared), limits), limits)


def html_document(decoded: Decoded, limits: Limits) -> Document:
    page = HtmlPage(decoded.text, limits)
    return Document(
        "html",
        page.text,
        page.locate,
        diagnostics=decoded.diagnostics + page.notes(),
        build_tree=lambda: page.tree,
        build_tables=lambda: page.tables,
        build_pairs=lambda: page.pairs,
        build_marks=lambda: page.marks,
        byte_range=page.pieces.byte_locator(decoded.offset),
        body=(0, page.shown),
    )
