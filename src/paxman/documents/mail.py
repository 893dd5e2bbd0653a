"""Mail: messages and mailboxes as headers, body and attachments, each read by the reader for its format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.policy import compat32

import attrs

from paxman.documents.document import ByteRange, Document, MailPart, Node, Pair, Source
from paxman.documents.encodings import decode
from paxman.documents.html import html_document
from paxman.documents.nesting import Part, join_documents
from paxman.documents.reading import Limits, read_document, unreadable
from paxman.documents.signatures import is_binary, looks_like_mail
from paxman.documents.text import text_document
from paxman.types import Diagnostic, Severity, Span

_SHOWN = ("From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Subject", "Date", "Organization", "Message-ID")
# The standard library needs seconds for a quoted header of 20 kB.
_MAX_HEADER = 4_000
_MAX_HEADERS = 1_000
_MAX_REPEATED = 20
_ENVELOPE = re.compile(rb"(?:\A|\n\r?\n)(?=From [^\n]{3,200}\n[!-9;-~]{1,70}:)")
_SIGNATURES = ("application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature")


class MailReader:
    name = "mail"
    version = "1.0"

    def sniff(self, head: bytes, name: str | None) -> int:
        return 80 if looks_like_mail(head) else 0

    def read(self, data: bytes, name: str | None, limits: Limits) -> Document:
        messages = split_mailbox(data)
        if len(messages) == 1:
            return _read_message(messages[0], limits)
        kept = messages[: limits.max_parts]
        parts = [Part(str(number), _read_message(message, limits)) for number, message in enumerate(kept, 1)]
        return join_documents("email", parts, _left_out(len(messages) - len(kept), "messages"))


def split_mailbox(data: bytes) -> list[bytes]:
    """The messages of a mailbox without their envelope lines; a single message is a mailbox of one."""
    starts = [found.end() for found in _ENVELOPE.finditer(data)]
    if not starts:
        return [data]
    ends = [*starts[1:], len(data)]
    return [data[start:end].partition(b"\n")[2] for start, end in zip(starts, ends, strict=True)]


def _read_message(data: bytes, limits: Limits) -> Document:
    message = message_from_bytes(_with_short_headers(data), policy=compat32)
    parts = [Part("header", _header_document(message))]
    skipped = 0
    for number, part in _leaves(message, limits.max_depth):
        if len(parts) > limits.max_parts:
            skipped += 1
        elif document := _try_part(number, part, limits):
            parts.append(Part(number, document))
    return join_documents("email", parts, _left_out(skipped, "parts"))


def _left_out(count: int, what: str) -> tuple[Diagnostic, ...]:
    if count <= 0:
        return ()
    return (unreadable(f"{count} {what} were left out", "Raise max_parts", Severity.WARNING, count=count),)


def _with_short_headers(data: bytes) -> bytes:
    """The message with its header block cut to a size that is safe to parse."""
    end = re.search(rb"\r?\n\r?\n", data)
    block = data[: end.start()] if end else data
    if len(block) <= _MAX_HEADER:
        return data
    lines = block.split(b"\n")[:_MAX_HEADERS]
    return b"\n".join(line[:_MAX_HEADER] for line in lines) + data[len(block) :]


def _leaves(message: Message, max_depth: int) -> Iterator[tuple[str, Message]]:
    """The parts that hold content, numbered like 1.2; of alternatives only the one that shows most."""
    stack: list[tuple[str, Message]] = [("", message)]
    while stack:
        number, part = stack.pop()
        if part.is_multipart() and part.get_content_type() != "message/rfc822" and number.count(".") < max_depth:
            below = [(f"{number}.{index}".lstrip("."), child) for index, child in enumerate(_children(part), 1)]
            chosen = [_richest(below)] if part.get_content_type() == "multipart/alternative" and below else below
            stack.extend(reversed(chosen))
        else:
            yield number or "1", part


def _children(part: Message) -> list[Message]:
    payload = part.get_payload()
    return [child for child in payload if isinstance(child, Message)] if isinstance(payload, list) else []


def _richest(below: list[tuple[str, Message]]) -> tuple[str, Message]:
    """The last alternative that is not empty: senders put the best one last."""
    for number, part in reversed(below):
        if part.is_multipart() or (part.get_content_maintype() == "text" and _payload(part).strip()):
            return number, part
    return below[0]


def _payload(part: Message) -> bytes:
    try:
        payload = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError):
        payload = None
    return payload if isinstance(payload, bytes) else b""


def _try_part(number: str, part: Message, limits: Limits) -> Document | None:
    try:
        return _read_part(part, limits)
    except Exception as error:
        # One broken part must not cost the reader the rest of the message.
        return _unread(f"part {number} failed: {type(error).__name__}: {error}"[:300], "Save that part by itself")


def _read_part(part: Message, limits: Limits) -> Document | None:
    kind = part.get_content_type()
    if kind in _SIGNATURES or (part.get_content_maintype() == "image" and part["Content-ID"]):
        return None
    if kind == "message/rfc822":
        return _read_inner(_inner_message(part), "message.eml", limits)
    payload = _payload(part)
    attached = part.get_content_disposition() == "attachment" or part.get_filename()
    if not payload.strip():
        return None
    if kind == "text/html" and not attached:
        return html_document(decode(payload, _charset(part), limits), limits)
    if kind == "text/plain" and not attached:
        return text_document(decode(payload, _charset(part), limits))
    return _read_inner(payload, _header_text(part.get_filename() or "") or None, limits)


def _inner_message(part: Message) -> bytes:
    children = _children(part)
    return children[0].as_bytes(policy=compat32) if children else _payload(part)


def _read_inner(data: bytes, name: str | None, limits: Limits) -> Document:
    """An attachment through its own reader; a document in a document in a document has an end."""
    if limits.max_nesting <= 0:
        return _unread(f"{name or 'an attachment'} is nested too deep", "Raise max_nesting")
    document = read_document(data, name, limits=attrs.evolve(limits, max_nesting=limits.max_nesting - 1))
    if document.kind == "text" and is_binary(data[:4096]):
        return _unread(f"{name or 'an attachment'} is in a format that no reader knows", "Convert it to PDF or text")
    return document


def _unread(reason: str, advice: str) -> Document:
    note = unreadable(reason, advice, Severity.WARNING)
    return Document("unknown", "", lambda span: ByteRange(0, 0), diagnostics=(note,))


def _charset(part: Message) -> str | None:
    try:
        charset = part.get_content_charset()
    except (ValueError, LookupError):
        charset = None
    return charset if isinstance(charset, str) else None


def _header_text(value: object) -> str:
    """A header as people read it; what cannot be decoded stays as it is written."""
    written = " ".join(str(value)[:_MAX_HEADER].split())
    try:
        chunks = decode_header(written) if "=?" in written else [(written, None)]
    except (HeaderParseError, ValueError):
        chunks = [(written, None)]
    return "".join(_chunk_text(chunk, charset) for chunk, charset in chunks).encode("utf-8", "replace").decode("utf-8")


def _chunk_text(chunk: str | bytes, charset: str | None) -> str:
    if isinstance(chunk, str):
        return decode(chunk.encode("utf-8", "surrogateescape")).text
    return decode(chunk, charset if charset and charset.lower() != "unknown-8bit" else None).text


def _header_document(message: Message) -> Document:
    """The headers that matter to people, one to a line, as pairs and as a tree."""
    lines, pairs, nodes = [], [], []
    position = 0
    written = [(name.lower(), value) for name, value in message.raw_items()]
    for name in _SHOWN:
        for value in [value for key, value in written if key == name.lower()][:_MAX_REPEATED]:
            if not (text := _header_text(value)):
                continue
            start = position + len(name) + 2
            span = (start, start + len(text))
            pairs.append(Pair(name, (position, position + len(name)), span))
            nodes.append(Node("scalar", name, span, MailPart(name), (), text))
            lines.append(f"{name}: {text}")
            position = span[1] + 1
    whole = "\n".join(lines)
    root = Node("object", "header", (0, len(whole)), MailPart("header"), tuple(nodes))
    return Document(
        "text",
        whole,
        lambda span: _header_at(pairs, span),
        build_tree=lambda: root,
        build_pairs=lambda: tuple(pairs),
    )


def _header_at(pairs: list[Pair], span: Span) -> Source:
    """The header that a span stands in, by its name."""
    names = [pair.label for pair in pairs if pair.label_span[0] <= span[0]]
    return MailPart(names[-1] if names else "")
