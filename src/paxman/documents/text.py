"""Plain text in any common encoding."""

from __future__ import annotations

import re

from paxman.documents.document import Document
from paxman.documents.encodings import Decoded, as_meant, decode
from paxman.documents.reading import Limits, remark
from paxman.documents.source_map import byte_locator
from paxman.lazy import lazy_pattern


class TextReader:
    name = "text"
    version = "1.0"

    def sniff(self, head: bytes, name: str | None) -> int:
        return 10

    def read(self, data: bytes, name: str | None, limits: Limits) -> Document:
        document = text_document(decode(data, limits=limits))
        if len(data) <= _LONGEST_NAME and _FILE_NAME.fullmatch(document.text):
            document.diagnostics += (remark("the text is nothing but the name of a file", "Give it as pathlib.Path"),)
        return document


_LONGEST_NAME = 255
_FILE_NAME = lazy_pattern(
    r"[^\n<>|]*\w\.(?:pdf|txt|md|html?|csv|tsv|json|xml|eml|mbox|xlsx?|ods|docx?|rtf|png|jpe?g|tiff?|zip)",
    re.IGNORECASE,
)


def text_document(decoded: Decoded) -> Document:
    """A document whose text is its source, decoded."""
    text = as_meant(decoded.text)
    locate = byte_locator(decoded.offset)
    return Document(
        "text",
        text,
        locate,
        diagnostics=decoded.diagnostics,
        byte_range=locate,
    )
