"""Documents that are many of a kind: a mailbox read whole, each mail a record, where a contract asks for a list."""

from __future__ import annotations

import io

from paxman.documents.document import Document
from paxman.documents.mail.mailbox import is_mailbox, iter_mails
from paxman.documents.nesting import NestedPart, join_documents
from paxman.documents.reading import Limits, read_document
from paxman.documents.signatures import with_newlines

_HEAD = 4_096


def read_source(data: bytes, name: str | None, limits: Limits | None = None, *, records: bool = False) -> Document:
    """A document as `read_document` reads it, with all mails of a mailbox where these are records."""
    if not records or not is_mailbox(data[:_HEAD]):
        return read_document(data, name, limits=limits)
    within = limits or Limits()
    mails = list(iter_mails(io.BytesIO(with_newlines(data))))
    parts = [NestedPart(str(n), read_document(mail, "mail.eml", limits=within)) for n, mail in enumerate(mails, 1)]
    whole = join_documents("email", parts[: within.max_parts])
    whole.build_records = lambda: _placed(parts[: within.max_parts])
    return whole


def _placed(parts: list[NestedPart]) -> tuple[tuple[int, Document], ...]:
    starts, start = [], 0
    for part in parts:
        starts.append((start, part.document))
        start += len(part.document.text) + 1
    return tuple(starts)
