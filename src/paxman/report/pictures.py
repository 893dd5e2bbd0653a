"""Pictures of a document's pages, as data that a page can hold."""

from __future__ import annotations

import base64
from collections.abc import Container, Mapping

from paxman.documents.document import Document
from paxman.documents.reading import Limits
from paxman.documents.sandbox.helper import UnreadableError
from paxman.documents.sandbox.pool import Reply, run

_DPI = 110
_MOST_PAGES = 40
_LARGEST_IMAGE = 6_000_000
_SHOWN_BY_BROWSERS = (
    (b"\x89PNG", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
)


def page_pictures(data: bytes, document: Document, wanted: Container[int] = ()) -> Mapping[int, str]:
    """A `data:` address for each page that can be drawn, of very many the wanted ones first."""
    if document.kind == "pdf" and document.pages:
        numbers = sorted((page.number for page in document.pages), key=lambda number: (number not in wanted, number))
        return _rendered("render_pdf", data, {"pages": sorted(numbers[:_MOST_PAGES]), "dpi": _DPI})
    if document.kind == "image":
        return _image(data)
    return {}


def _image(data: bytes) -> Mapping[int, str]:
    for signature, kind in _SHOWN_BY_BROWSERS:
        if data.startswith(signature) and len(data) <= _LARGEST_IMAGE:
            return {1: _address(data, kind)}
    return _rendered("render_image", data, {"most": _MOST_PAGES})


def _rendered(job: str, data: bytes, options: Mapping[str, object]) -> Mapping[int, str]:
    """What cannot be drawn is shown as text, so a failure is no reason to have no report."""
    try:
        reply: Reply = run(job, data, options, Limits())
    except UnreadableError:
        return {}
    pages = zip(reply.meta["pages"], reply.blocks, strict=True)
    return {number: _address(picture, "image/png") for number, picture in pages}


def _address(data: bytes, kind: str) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"
