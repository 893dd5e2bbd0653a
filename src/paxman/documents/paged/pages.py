"""Documents made of pages that a helper has set as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paxman.documents.document import Document
from paxman.documents.paged.typeset import PageText, View, join_pages
from paxman.documents.reading import Limits, unreadable
from paxman.documents.sandbox.helper import UnreadableError
from paxman.documents.sandbox.pool import Reply, run
from paxman.types import Diagnostic, Severity

_STOPPED = {
    "max_pages": "the limit on pages is reached",
    "max_steps": "the limit on steps is reached",
    "max_text_chars": "the limit on text is reached",
}
BLOCKS = 4
"""Blocks of bytes that a page takes in a reply."""


def unpack_pages(reply: Reply) -> list[PageText]:
    """The pages of a reply; `pages` in it names the number and the view of each."""
    blocks = reply.blocks
    return [
        PageText(number, View(*view)).unpack(blocks[BLOCKS * index : BLOCKS * (index + 1)])
        for index, (number, *view) in enumerate(reply.meta["pages"])
    ]


def paged_document(kind: str, pages: Sequence[PageText], diagnostics: Sequence[Diagnostic] = ()) -> Document:
    """A document from pages."""
    text, numbered, locate = join_pages(pages)
    return Document(
        kind,
        text,
        locate,
        pages=numbered,
        diagnostics=tuple(diagnostics),
    )


def draw_pages(
    job: str, data: bytes, scanned: Sequence[int], sizes: Mapping[int, tuple[int, int]], most: int
) -> Mapping[int, bytes]:
    """Pictures of pages for models that see; what cannot be drawn is left to its text."""
    options = {"pages": list(sizes), "sizes": list(sizes.values()), "scanned": list(scanned), "most": most}
    try:
        reply = run(job, data, options, Limits())
    except UnreadableError:
        return {}
    return dict(zip(reply.meta["pages"], reply.blocks, strict=True))


def cut_short(reply: Reply, read: int) -> list[Diagnostic]:
    """A note on the limit that kept a helper from reading all pages."""
    limit = reply.meta["stopped"]
    if not limit:
        return []
    advice = f"Split the document, or allow more with Limits({limit}=...)"
    return [unreadable(f"only the first {read} pages were read: {_STOPPED[limit]}", advice, Severity.WARNING)]


def name_pages(numbers: Sequence[int]) -> str:
    """Page numbers for a message: "page 3", "pages 1-4, 7"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    named = ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
    return f"page{'s' if len(numbers) > 1 else ''} {named}"
