"""Which reader the first bytes of a file ask for, without importing the reader."""

from __future__ import annotations

import codecs
import re

Guesses = tuple[tuple[str, int], ...]

_BINARY: tuple[tuple[bytes, Guesses], ...] = (
    (b"%PDF-", (("pdf", 95),)),
    (b"PK\x03\x04", (("office", 90), ("archive", 80))),
    (b"PK\x05\x06", (("archive", 80),)),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", (("office", 90),)),
    (b"\x89PNG\r\n\x1a\n", (("image", 95),)),
    (b"\xff\xd8\xff", (("image", 95),)),
    (b"II*\x00", (("image", 95),)),
    (b"MM\x00*", (("image", 95),)),
    (b"GIF8", (("image", 95),)),
    (b"BM", (("image", 60),)),
    (b"RIFF", (("image", 60),)),
)
_BY_NAME = {
    "json": "json",
    "jsonl": "json",
    "ndjson": "json",
    "geojson": "json",
    "jsonld": "json",
    "csv": "csv",
    "tsv": "csv",
    "tab": "csv",
    "psv": "csv",
    "html": "html",
    "htm": "html",
    "xhtml": "html",
    "xml": "xml",
    "eml": "mail",
    "mbox": "mail",
    "mbx": "mail",
}
_MAIL_LINES = 200
_FROM_NAME_ONLY = 40
_SURE = 90
_PLAIN: Guesses = (("text", 10),)
_WIDE = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
_LAYOUT = dict.fromkeys(map(ord, "\t\n\r\f\x0b\xa0\xad\u3000\u200b\u200e\u200f\ufeff"), " ")
_SPACE = b" \t\r\n\x0b\x0c\x00"
# Bytes that no text in a common encoding holds: control characters without white space and escape.
_CONTROL = bytes(range(9)) + bytes((*range(14, 27), 28, 29, 30, 31, 127))
_HTML = re.compile(
    rb"<!doctype\s+html|<html[\s>]|<(?:head|body|table|div|span|p|ul|ol|h[1-6]|script|meta|title|br|dl|form|article|section)"
    rb"(?:\s|/?>)",
    re.I,
)
_MAIL_HEADER = re.compile(rb"([!-9;-~]{1,70})[ \t]{0,8}:")
_MAIL_SURE = frozenset(
    b"received message-id mime-version return-path delivered-to content-type content-transfer-encoding in-reply-to"
    b" x-mailer x-originating-ip x-spam-status dkim-signature reply-to list-id".split()
)
_MAIL_USUAL = frozenset(b"from to cc bcc subject date sender organization newsgroups".split())


def built_in_readers(head: bytes, name: str | None) -> Guesses:
    """Built-in readers worth trying with how sure the content makes them; one, or several that must look themselves."""
    for magic, guesses in _BINARY:
        if head.startswith(magic) and (guesses[0][1] > 60 or is_binary(head)):
            return guesses
    if b"%PDF-" in head[:1024] and is_binary(head):
        return (("pdf", _SURE),)
    return _text_readers(readable(head), name)


def is_binary(head: bytes) -> bool:
    """Whether these bytes are no text in any encoding."""
    if wide_encoding(head):
        return False
    strange = len(head) - len(head.translate(None, _CONTROL))
    return strange * 50 > len(head)


def readable(head: bytes) -> bytes:
    """The first bytes as UTF-8 without mark, if they are UTF-16 or UTF-32."""
    if head.startswith(b"\xef\xbb\xbf"):
        return head[3:]
    wide = wide_encoding(head)
    return head.decode(wide, "ignore").lstrip("\ufeff").encode("utf-8", "replace") if wide else head


def wide_encoding(head: bytes) -> str | None:
    """UTF-32 or UTF-16, from the mark or because the bytes make sense in it; None for anything else."""
    if head.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "utf-32-le" if head[0] == 0xFF else "utf-32-be"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16-le" if head[0] == 0xFF else "utf-16-be"
    return _wide_without_mark(head) if b"\0" in head else None


def _wide_without_mark(head: bytes) -> str | None:
    """Spaces, digits and line ends leave zero bytes; read the wrong way round they turn into something else."""
    scores = [(_plain_characters(head, encoding), encoding) for encoding in _WIDE]
    best = max(scores, key=lambda pair: pair[0])
    return best[1] if best[0] else None


def _plain_characters(head: bytes, encoding: str) -> int:
    """How many ASCII characters a reading has; none if it holds anything that no text does."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(head)
    except UnicodeDecodeError:
        return 0
    visible = text.translate(_LAYOUT)
    return len(text.encode("ascii", "ignore")) if visible.isprintable() else 0


def _text_readers(head: bytes, name: str | None) -> Guesses:
    start = head.lstrip(_SPACE)
    first = start[:1]
    by_name = _BY_NAME.get(name.rpartition(".")[2].lower()) if name else None
    if first in (b"{", b"["):
        return (("json", _SURE if first == b"{" or by_name == "json" else 60),)
    if first == b"<" and (found := _markup_reader(start)):
        return ((found, _SURE),)
    if looks_like_mail(head):
        return (("mail", 80),)
    if by_name and (by_name != "html" or first == b"<"):
        return ((by_name, _FROM_NAME_ONLY),)
    from paxman.documents.delimited import looks_like_csv

    return (("csv", 50),) if looks_like_csv(head) else _PLAIN


def _markup_reader(start: bytes) -> str | None:
    is_html = _HTML.search(start)
    if start[:5].lower() == b"<?xml":
        return "html" if re.search(rb"<!doctype\s+html|<html[\s>]", start, re.I) else "xml"
    if is_html:
        return "html"
    return "xml" if re.match(rb"<(?:[A-Za-z_][\w:.-]*[\s/>]|!DOCTYPE|!--)", start) else None


def looks_like_mail(head: bytes) -> bool:
    """Whether this starts with a block of mail headers, as written by a mail program."""
    if head.startswith(b"From ") and b"\n" in head:
        head = head.partition(b"\n")[2]
    sure = usual = 0
    for line in head.lstrip(b"\r\n").split(b"\n", _MAIL_LINES)[:_MAIL_LINES]:
        if line[:1] in (b" ", b"\t"):
            continue
        found = _MAIL_HEADER.match(line)
        if not found:
            break
        name = found[1].lower()
        sure += name in _MAIL_SURE
        usual += name in _MAIL_USUAL or name.startswith((b"x-", b"arc-", b"received-", b"authentication-"))
    return sure >= 1 and sure + usual >= 2
