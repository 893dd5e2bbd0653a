"""Mail: messages and mailboxes as headers, body and attachments, each read by the reader for its format."""

from __future__ import annotations

import base64
import io
import re
from bisect import bisect_right
from collections.abc import Iterator
from email.errors import (
    CloseBoundaryNotFoundDefect,
    HeaderParseError,
    InvalidBase64CharactersDefect,
    InvalidBase64LengthDefect,
    StartBoundaryNotFoundDefect,
)
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from email.policy import Compat32
from hashlib import sha256

import attrs

from paxman.documents.document import ByteRange, Document, MailPart, Node, Pair, Source
from paxman.documents.encodings import decode
from paxman.documents.html.reader import html_document
from paxman.documents.mail.mailbox import iter_mails
from paxman.documents.mail.quotes import blank_spans, quoted_spans
from paxman.documents.nesting import NestedPart, blank_document, join_documents, join_rivals, name_file
from paxman.documents.reading import Limits, Work, allowance, cut_short, read_document, remark, several, unreadable
from paxman.documents.signatures import is_binary, looks_like_mail, with_newlines
from paxman.documents.text import text_document
from paxman.types import Diagnostic, Severity, Span

_SHOWN = ("From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Subject", "Date", "Organization", "Message-ID")
# The standard library needs seconds for the parameters of a header of 20 kB.
_MAX_HEADER = 4_000
_MAX_PARAMETERS = 64
_MAX_REPEATED = 20
_STEPS_A_HEADER = 6
_HEAD = 65_536
"""Bytes in which the headers of a message are sought that is too long to be taken apart."""
_MOST_NAMED, _LONGEST_SUBJECT = 10, 60
"""Mails that the note on a mailbox names, and letters of their subjects."""
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")
_CUT_OFF = (CloseBoundaryNotFoundDefect, StartBoundaryNotFoundDefect)
_SIGNATURES = ("application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature")

Known = dict[bytes, Message]
"""The attachments so far, by the hash of what they hold."""


class MailReader:
    name = "mail"
    version = "1.0"

    def sniff(self, head: bytes, name: str | None) -> int:
        return 80 if looks_like_mail(head) else 0

    def read(self, data: bytes, name: str | None, limits: Limits) -> Document:
        first, *others = iter_mails(io.BytesIO(with_newlines(data)))
        message = _read_message(first, limits)
        if not others:
            return message
        # The note on the mails of a mailbox that were not read: each is a document of its own.
        named = ", ".join(f"{number} {_subject(mail)!r}" for number, mail in enumerate(others[:_MOST_NAMED], 2))
        more = ", ..." if len(others) > _MOST_NAMED else ""
        reason = (
            f"this is a mailbox of {len(others) + 1} mails, and only the first was read; the others are {named}{more}"
        )
        advice = f"For a row per mail run: paxman batch {name or 'mailbox.mbox'} --contract ... --output ..."
        return join_rivals(
            "email", [NestedPart("1", message)], [], [remark(reason, advice, Severity.WARNING, count=len(others) + 1)]
        )


def _subject(mail: bytes) -> str:
    message = BytesHeaderParser(policy=_SafeHeaders()).parsebytes(mail[:_HEAD])
    return _header_text(message["Subject"] or "")[:_LONGEST_SUBJECT]


class _TooManyError(Exception):
    """More headers and parts than there are steps for."""


class _SafeHeaders(Compat32):
    """Cuts the headers of a message and its parts, before they are parsed, to a size that is safe to parse.

    One character or parameter too many stays, to show that a header was cut.
    """

    def __init__(self, work: Work | None = None) -> None:
        super().__init__()
        # A policy lets nothing be set on it.
        self.__dict__["_work"] = work

    def count(self) -> None:
        """Raises when there are more headers and parts than there are steps for."""
        work: Work | None = self.__dict__["_work"]
        if work and not work.take(_STEPS_A_HEADER):
            raise _TooManyError

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        self.count()
        name, value = super().header_source_parse(sourcelines)
        value = value[: _MAX_HEADER + 1]
        if name.lower().startswith("content-"):
            value = ";".join(value.split(";", _MAX_PARAMETERS + 1)[: _MAX_PARAMETERS + 1])
        return name, value


def _read_message(data: bytes, limits: Limits) -> Document:
    work = allowance(limits).work(50)
    try:
        message = BytesParser(_new_part, policy=_SafeHeaders(work)).parsebytes(data)
    except RecursionError:
        return _only_headers(
            data, unreadable("the parts of this message are nested too deep", "Save the inner message by itself")
        )
    except _TooManyError:
        return _only_headers(data, cut_short("the headers of this message were read", "max_steps"))
    document = _read_parts(message, limits, {})
    document.diagnostics += _unclosed(message)
    return document


def _unclosed(message: Message) -> tuple[Diagnostic, ...]:
    """A note on a message that ends before its last part does."""
    if not any(isinstance(defect, _CUT_OFF) for part in _all_parts(message) for defect in part.defects):
        return ()
    reason = "the message ends without the line that closes its parts, so that the end of the last one may be missing"
    return (unreadable(reason, "Fetch the message again", Severity.WARNING),)


def _new_part(policy: _SafeHeaders | None = None) -> Message:
    if policy:
        policy.count()
    return Message(policy or Compat32())


def _only_headers(data: bytes, reason: Diagnostic) -> Document:
    message = BytesHeaderParser(policy=_SafeHeaders()).parsebytes(data[:_HEAD])
    return join_documents("email", [NestedPart("header", _header_document(message))], [reason])


def _read_parts(message: Message, limits: Limits, known: Known) -> Document:
    parts = [NestedPart("header", _header_document(message))]
    attached: dict[NestedPart, str] = {}
    skipped, room = 0, limits.max_text_chars
    for number, part in _leaves(message, limits.max_depth):
        if len(parts) > limits.max_parts:
            skipped += 1
        elif document := _try_part(number, part, attrs.evolve(limits, max_text_chars=room), known):
            parts.append(NestedPart(number, document))
            room = max(room - len(document.text), 0)
            if _is_attached(part) and document.text.strip():
                attached[parts[-1]] = _file_name(part)
    rivals = several("different documents are attached", [*attached.values()])
    notes = (*_left_out(skipped, "parts"), *_cut_headers(message), *rivals)
    return join_rivals("email", parts, list(attached), notes)


def _cut_headers(message: Message) -> tuple[Diagnostic, ...]:
    """A note on the headers of a message and its parts that were longer than is read."""
    cut = sorted({name for part in _all_parts(message) for name, value in part.raw_items() if _is_cut(name, value)})
    if not cut:
        return ()
    reason = f"only the first {_MAX_HEADER} characters and {_MAX_PARAMETERS} parameters of a header are read"
    return (unreadable(f"{reason}: {', '.join(cut)[:200]}", "Shorten these headers", Severity.WARNING),)


def _all_parts(message: Message) -> Iterator[Message]:
    stack = [message]
    while stack:
        yield (part := stack.pop())
        stack.extend(_children(part))


def _is_cut(name: str, value: object) -> bool:
    written = str(value)
    crowded = name.lower().startswith("content-") and written.count(";") >= _MAX_PARAMETERS
    return crowded or len(written) > _MAX_HEADER


def _left_out(count: int, what: str) -> tuple[Diagnostic, ...]:
    if count <= 0:
        return ()
    return (unreadable(f"{count} {what} were left out", "Raise max_parts", Severity.WARNING, count=count),)


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
    payload = part.get_payload() if part.is_multipart() else ()
    return [child for child in payload if isinstance(child, Message)]


def _richest(below: list[tuple[str, Message]]) -> tuple[str, Message]:
    """The alternative that shows most; of several alike the last, where senders put the best one."""
    return max(reversed(below), key=lambda numbered: _richness(numbered[1]))


def _richness(part: Message) -> int:
    if part.is_multipart():
        return 3
    if part.get_content_maintype() != "text" or not _payload(part)[0].strip():
        return 0
    return {"text/html": 3, "text/plain": 2}.get(part.get_content_type(), 1)


def _payload(part: Message) -> tuple[bytes, tuple[Diagnostic, ...]]:
    """The content of a part, decoded, with a note if it was damaged on its way."""
    try:
        payload = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError):
        payload = None
    content = payload if isinstance(payload, bytes) else b""
    defects = tuple(map(type, part.defects))
    if InvalidBase64LengthDefect in defects:
        letters = _NOT_BASE64.sub(b"", content)
        content = base64.b64decode(letters[: len(letters) // 4 * 4])
    elif InvalidBase64CharactersDefect not in defects:
        return content, ()
    return content, (unreadable("the Base64 of a part is broken", "Fetch the message again", Severity.WARNING),)


def _try_part(number: str, part: Message, limits: Limits, known: Known) -> Document | None:
    try:
        return _read_part(part, limits, known)
    except RecursionError:
        return _unread(f"part {number} is nested too deep", "Save that part by itself")
    except Exception as error:
        # One broken part must not cost the reader the rest of the message; the error's text may quote it.
        return _unread(f"reading part {number} failed with {type(error).__name__}", "Save that part by itself")


def _read_part(part: Message, limits: Limits, known: Known) -> Document | None:
    if part.get_content_type() in _SIGNATURES or _is_decoration(part):
        return None
    if part.get_content_type() == "message/rfc822" and (children := _children(part)):
        return _read_forwarded(children[0], limits, known)
    payload, notes = _payload(part)
    if not payload.strip():
        return None
    if part.get_content_type() in PACKED:
        # The mail inside of one that is signed as a whole.
        content = signed_content(payload)
        if content is None:
            return _unread("the mail is encrypted, or its signature is broken", "Save it decrypted with a mail program")
        if limits.max_nesting <= 0:
            return _unread("the signed mail is nested too deep", "Raise max_nesting")
        message = BytesParser(_new_part, policy=_SafeHeaders(allowance(limits).work(50))).parsebytes(content)
        return _read_parts(message, attrs.evolve(limits, max_nesting=limits.max_nesting - 1), known)
    if _is_attached(part) and (first := known.setdefault(sha256(payload).digest(), part)) is not part:
        reason = f"{_file_name(part)} is the same file as {_file_name(first)}, and was read once"
        return _noted(remark(reason, "Nothing is missing"))
    document = _read_payload(part, payload, limits)
    document.diagnostics += notes
    return name_file(document, _file_name(part)) if _is_attached(part) else document


def _is_attached(part: Message) -> bool:
    return part.get_content_disposition() == "attachment" or bool(part.get_filename())


def _file_name(part: Message) -> str:
    return _header_text(part.get_filename() or "") or "an attachment"


def _is_decoration(part: Message) -> bool:
    """Whether this is an image that the HTML body shows, such as a logo."""
    shown = part.get_content_maintype() == "image" and part["Content-ID"]
    return bool(shown) and part.get_content_disposition() != "attachment"


def _read_payload(part: Message, payload: bytes, limits: Limits) -> Document:
    kind, attached = part.get_content_type(), _is_attached(part)
    if kind == "text/html" and not attached:
        return _body(html_document(decode(payload, _charset(part), limits), limits))
    if kind == "text/plain" and not attached:
        return _body(text_document(decode(payload, _charset(part), limits)))
    # An attachment through its own reader; a document in a document in a document has an end.
    name = _header_text(part.get_filename() or "") or None
    if limits.max_nesting <= 0:
        return _unread(f"{name or 'an attachment'} is nested too deep", "Raise max_nesting")
    document = read_document(payload, name, limits=attrs.evolve(limits, max_nesting=limits.max_nesting - 1))
    if document.kind == "text" and is_binary(payload[:4096]):
        return _unread(f"{name or 'an attachment'} is in a format that no reader knows", "Convert it to PDF or text")
    return document


def _body(document: Document) -> Document:
    """A body that knows the mail's own words from those that it only repeats."""
    document.build_own = lambda: _own_words(document)
    return document


def _own_words(document: Document) -> Document | None:
    spans = quoted_spans(document.text)
    if not spans:
        return None
    text = blank_spans(document.text, spans)
    ends = [end for _, end in spans]

    def is_own(place: Span) -> bool:
        index = bisect_right(ends, place[0])
        return index == len(spans) or place[0] < spans[index][0]

    return Document(
        document.kind,
        text,
        document.locate,
        build_tables=lambda: tuple(
            table
            for table in document.tables
            if is_own(next((row[0].span for row in (table.header, *table.rows) if row), (0, 0)))
        ),
        build_pairs=lambda: tuple(pair for pair in document.pairs if is_own(pair.value_span)),
        build_tree=lambda: document.tree,
        byte_range=document.byte_range,
        body=document.body,
    )


def _read_forwarded(message: Message, limits: Limits, known: Known) -> Document:
    if limits.max_nesting <= 0:
        return _unread("message.eml is nested too deep", "Raise max_nesting")
    document = _read_parts(message, attrs.evolve(limits, max_nesting=limits.max_nesting - 1), known)
    document.build_own = lambda: blank_document(document)
    return document


def _unread(reason: str, advice: str) -> Document:
    return _noted(unreadable(reason, advice, Severity.WARNING))


def _noted(note: Diagnostic) -> Document:
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


PACKED = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_DATA = bytes.fromhex("06092a864886f70d010701")
_SIGNED = bytes.fromhex("06092a864886f70d010702")
_EXPLICIT, _STRING, _PIECES, _END = 0xA0, 0x04, 0x24, b"\0\0"


def signed_content(packed: bytes) -> bytes | None:
    """What was signed; None if that is not there, as in an encrypted mail."""
    at = packed.find(_DATA, packed.find(_SIGNED) + 1)
    if _SIGNED not in packed[:64] or at < 0:
        return None
    try:
        tag, start, _ = _head(packed, at + len(_DATA))
        kind, first, end = _head(packed, start)
        if tag != _EXPLICIT or kind not in (_STRING, _PIECES):
            return None
        return packed[first:end] if kind == _STRING else _joined(packed, first, end)
    except IndexError:
        return None


def _head(packed: bytes, at: int) -> tuple[int, int, int | None]:
    """Tag, start and end of what is packed here; the end of some is only marked behind them."""
    size = packed[at + 1]
    if size < 128:
        return packed[at], at + 2, at + 2 + size
    count = size - 128
    start = at + 2 + count
    return packed[at], start, start + int.from_bytes(packed[at + 2 : start], "big") if count else None


def _joined(packed: bytes, at: int, end: int | None) -> bytes:
    pieces: list[bytes] = []
    while (end is None or at < end) and packed[at : at + 2] != _END:
        tag, start, stop = _head(packed, at)
        if tag != _STRING or stop is None or stop <= at:
            break
        pieces.append(packed[start:stop])
        at = stop
    return b"".join(pieces)
