"""Pictures of documents, read by OCR: PNG, JPEG, TIFF with any number of pages, BMP, WebP and GIF."""

from __future__ import annotations

from functools import partial

import attrs

from paxman.documents.document import Document, PageSpan
from paxman.documents.paged.pages import cut_short, draw_pages, paged_document, unpack_pages
from paxman.documents.reading import Limits, unreadable
from paxman.documents.sandbox.helper import UnreadableError
from paxman.documents.sandbox.pool import require, run, unreadable_document
from paxman.types import Severity

_MAGIC = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\x00", b"MM\x00*", b"GIF8", b"BM")


class ImageReader:
    """Boxes are in points by the picture's own dots per inch, or one point a pixel where it names none."""

    name = "image"
    version = "1.0"

    def sniff(self, head: bytes, name: str | None) -> int:
        is_webp = head[:4] == b"RIFF" and head[8:12] == b"WEBP"
        return 95 if is_webp or head.startswith(_MAGIC[:-1]) else 60 if head.startswith(_MAGIC) else 0

    def read(self, data: bytes, name: str | None, limits: Limits) -> Document:
        try:
            require("ocr")
            reply = run("ocr", data, attrs.asdict(limits), limits)
        except UnreadableError as error:
            document = unreadable_document("image", error)
            document.pages = (PageSpan(1, (0, 0)),)
            document.draw = partial(draw_pages, "render_image", data, ())
            return document
        pages = unpack_pages(reply)
        notes = cut_short(reply, len(pages))
        if not notes and not any(page.text for page in pages):
            notes = [unreadable("no text was found in the picture", "Try a sharper or larger scan", Severity.WARNING)]
        document = paged_document("image", pages, notes)
        document.draw = partial(draw_pages, "render_image", data, ())
        return document
