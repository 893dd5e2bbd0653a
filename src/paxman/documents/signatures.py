"""Which reader the first bytes of a file ask for, without importing the reader."""

from __future__ import annotations

import codecs
import re
from itertools import islice, pairwise

from paxman.lazy import lazy_pattern

Guesses = tuple[tuple[str, int], ...]

_BINARY: tuple[tuple[bytes, Guesses], ...] = (
    (b"%PDF-", (("pdf", 95),)),
    (b"{\\rtf", (("rtf", 95),)),
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
    "md": "markdown",
    "markdown": "markdown",
    "mdown": "markdown",
    "mkd": "markdown",
    "qmd": "markdown",
    "rmd": "markdown",
    "xml": "xml",
    "eml": "mail",
    "mbox": "mail",
    "mbx": "mail",
}
_MAIL_LINES = 200
_LONG = 16_000
"""Bytes of headers that are more than a person types."""
_SENT = lazy_pattern(rb"[0-9]:[0-9]{2}")
_FROM_NAME_ONLY = 40
_SURE = 90
_PLAIN: Guesses = (("text", 10),)
_WIDE = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
# White space and marks that shape text without being seen.
_UNSEEN = lazy_pattern(
    "[\t\n\r\f\x0b\x85\xa0\xad\u0600-\u0605\u061c\u06dd\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2064\u2066-\u206f\u3000\ufeff]"
)
_LETTERS = lazy_pattern(
    "[\xa0-\u06ff\u0900-\u0eff\u10a0-\u11ff\u1e00-\u206f\u20a0-\u20bf\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uffe6]"
)
_SHORT_WORD = 3
# The letters of one alphabet as people write it today.
_EVERYDAY = lazy_pattern("[\u0386-\u03ce]+|[\u0401-\u0457]+|[\u05d0-\u05ea]+|[\u0621-\u064a]+")
_ONE_SCRIPT = lazy_pattern(
    "[\u3000-\u30ff\u4e00-\u9fff\uff01-\uffe6]+|[\u3000-\u303f\uac00-\ud7a3]+|[\u0370-\u03ff]+|[\u0400-\u04ff]+"
    "|[\u0590-\u05ff]+|[\u0600-\u06ff]+|[\u0900-\u0eff]+|[\u10a0-\u11ff]+|[\xa0-\u024f]+"
)
_SPACE = b" \t\r\n\x0b\x0c\x00"
# Bytes that no text in a common encoding holds: control characters without white space, escape and the delimiter 1.
_CONTROL = bytes((0, *range(2, 9))) + bytes((*range(14, 27), 28, 29, 30, 31, 127))
_FEW_CONTROLS = 8
_ASCII = bytes((*range(9, 14), *range(32, 127)))
_BYTES_FOR_ZERO = 8
"""Of ASCII for each zero byte, where these are strays; in wide encodings there is one or less."""
_PDF = lazy_pattern(rb"%PDF-[0-9]\.[0-9]\s")
_PDF_OBJECT = lazy_pattern(rb"[\r\n][0-9]{1,10} [0-9]{1,5} obj\b")
_COMMENT = lazy_pattern(rb"<!--.*?-->", re.S)
_PREFACE = lazy_pattern(rb"(?>(?:\s++|<!--.*?-->|<\?[^>]*+>|<!(?!--)[^\[>]*+(?>(?:\[[^\]]*+\])?)[^>]*+>)*)", re.S)
_ROOT = lazy_pattern(rb"<([A-Za-z_][\w:.-]*+)(?=[\s/>])([^>]*+)")
_HTML_TYPE = lazy_pattern(rb"<!doctype\s+html", re.I)
# Names that XML files also like for their root, such as data and menu, are left out.
_HTML_ROOTS = frozenset(
    b"html head body title meta link script style base noscript template div span p a b i u s em strong small font br"
    b" hr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table tbody thead tr td th img center pre code blockquote form input"
    b" button label section article header footer main nav aside figure iframe".split()
)
_HTML_PAGE = lazy_pattern(rb"\s*+(?:<!doctype\s+html|<html[\s>])", re.I)
_PIPE_TABLE = lazy_pattern(
    rb"^[^\n|]*+\|[^\n]*+\n[ \t>]*+(?=[^\n]*\|)\|?+(?:[ \t]*+:?-++:?[ \t]*+\|)*+[ \t]*+(?::?-++:?[ \t]*+)?\r?$", re.M
)
_BOLD_LABEL = lazy_pattern(rb"^[ \t>]*+(?:[-*+] )?\*\*[^*\s:][^*\n:]{0,60}(?::\*\*|\*\*[ ]?:)(?=[ \t]*+\S)", re.M)
_ATX = lazy_pattern(rb"(?:\A|\n[ \t\r]*+\n)(#{1,6})(?= +[^\s#])[^\n]*+(?=\r?\n[ \t\r]*+(?:\n|\Z)|\r?\Z)")
_OTHER_MARK = lazy_pattern(
    rb"(?<![*\w])\*\*[^\s*][^*\n]*\*\*(?!\*)|\]\(\S|^```|^(?:---|\*\*\*)\r?$|^[-*+] \[[ xX]\] ", re.M
)
_CARD = lazy_pattern(rb"BEGIN:(?:VCARD|VCALENDAR)\s", re.I)
_MAIL_HEADER = lazy_pattern(rb"([!-9;-~]{1,70})[ \t]{0,8}:")
# The next line does not go on with a header.
_LINE_END = lazy_pattern(rb"\n(?![ \t]+\S)")
_LONG_LINE = 1_000
_MAIL_SURE = frozenset(
    b"received message-id mime-version return-path delivered-to content-type content-transfer-encoding in-reply-to"
    b" x-mailer x-originating-ip x-spam-status dkim-signature list-id".split()
)
_MAIL_OTHERS = (b"x-", b"arc-", b"received-", b"authentication-")
_MAIL_USUAL = frozenset(b"from to cc bcc subject date sender reply-to organization newsgroups".split())


def built_in_readers(head: bytes, name: str | None) -> Guesses:
    """Built-in readers worth trying with how sure the content makes them; one, or several that must look themselves."""
    for magic, guesses in _BINARY:
        if head.startswith(magic) and (guesses[0][1] > 60 or _is_picture(head) or is_binary(head)):
            return guesses
    mark = _PDF.search(head[:1024])
    if mark is not None and (is_binary(head) or _PDF_OBJECT.search(head, mark.end() - 1) is not None):
        return (("pdf", _SURE),)
    return _text_readers(readable(head), name)


def _is_picture(head: bytes) -> bool:
    """Whether the header of a bitmap or a WebP follows its first letters, whatever its pixels look like."""
    is_bitmap = head[6:10] == b"\0\0\0\0" and int.from_bytes(head[14:18], "little") in (12, 40, 52, 56, 64, 108, 124)
    return is_bitmap or head[8:12] == b"WEBP"


def is_binary(head: bytes) -> bool:
    """Whether these bytes are no text in any encoding."""
    if wide_encoding(head):
        return False
    return _has_control(head)


def is_noise(head: bytes) -> bool:
    """Whether as many of these bytes are control characters as in compressed data or numbers."""
    return _count_control(head) * 15 > len(head)


def is_archived(head: bytes) -> bool:
    """Whether these bytes are a tape archive, or compressed: noise of many kinds of control characters."""
    return head[257:262] == b"ustar" or (is_noise(head) and len(set(_CONTROL).intersection(head)) > _FEW_CONTROLS)


def _has_control(head: bytes) -> bool:
    return _count_control(head) * 50 > len(head)


def _count_control(head: bytes) -> int:
    return len(head) - len(head.translate(None, _CONTROL))


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
    # No other encoding of text has zero bytes or many control characters.
    odd = (b"\0" in head or _has_control(head)) and not (
        head.count(b"\0") * _BYTES_FOR_ZERO < len(head) and not head.translate(None, _ASCII + b"\0")
    )
    found = _wide_without_mark(head) if odd else None
    sure = found is None or b"\0" in head or not is_utf8(head) or _is_word(head.decode(found, "ignore"))
    return found if sure else None


def _is_word(text: str) -> bool:
    """Whether it is written in an everyday script, and too long for a control character or two beside a letter."""
    return len(text) >= _SHORT_WORD and _EVERYDAY.fullmatch(text) is not None


def is_utf8(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def _wide_without_mark(head: bytes) -> str | None:
    """Spaces, digits and line ends leave zero bytes; read the wrong way round they turn into something else."""
    scores = [(*_plain_characters(head, encoding), encoding) for encoding in _WIDE]
    best = max(scores, key=lambda score: score[:3])
    return best[3] if best[0] or (best[1] and _is_one_script(head, best[3])) else None


def _is_one_script(head: bytes, encoding: str) -> bool:
    """Whether a text without any ASCII is written in one script; numbers of a program look like letters of several."""
    text = codecs.getincrementaldecoder(encoding)().decode(head)
    return _ONE_SCRIPT.fullmatch(text) is not None


def _plain_characters(head: bytes, encoding: str) -> tuple[int, int, int]:
    """How many ASCII characters, then letters of any living script, then how few blocks of these a reading has.

    Nothing if it can be no text.
    """
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(head)
    except UnicodeDecodeError:
        return 0, 0, 0
    if not _UNSEEN.sub(" ", text).isprintable():
        return 0, 0, 0
    plain, letters = len(text.encode("ascii", "ignore")), len(_LETTERS.findall(text))
    return plain, letters if (plain + letters) * 20 >= len(text) * 19 else 0, -len({ord(char) >> 8 for char in text})


def named_reader(name: str | None) -> str | None:
    """The reader that the end of a file name asks for."""
    return _BY_NAME.get(name.rpartition(".")[2].lower()) if name else None


def _text_readers(head: bytes, name: str | None) -> Guesses:
    if named_reader(name) == "markdown" and not _HTML_PAGE.match(head):
        # It may start with an HTML comment, a badge in brackets or lines like the headers of a mail.
        return (("markdown", _SURE),)
    first = head.lstrip(_SPACE)[:1]
    if first in (b"{", b"["):
        return (("json", _SURE if first == b"{" or named_reader(name) == "json" else 60),)
    return readers_beside_json(head, name)


def readers_beside_json(head: bytes, name: str | None) -> Guesses:
    """Readers for text that is no JSON, whatever bracket it starts with."""
    start = head.lstrip(_SPACE)
    by_name = named_reader(name)
    if start[:1] == b"<" and (found := _markup_reader(start, by_name)):
        return ((found, _SURE),)
    if _CARD.match(start):
        return (("card", _SURE),)
    if looks_like_mail(head):
        return (("mail", 80),)
    if by_name:
        return ((by_name, _FROM_NAME_ONLY),)
    if looks_like_markdown(head) and _is_free(name):
        return (("markdown", 50),)
    from paxman.documents.delimited.dialect import looks_like_csv

    return (("csv", 50),) if looks_like_csv(head) else _PLAIN


def _is_free(name: str | None) -> bool:
    """Whether the name of a file says nothing against Markdown, as that of a program or a log does."""
    end = name.rpartition(".")[2].lower() if name and "." in name else ""
    return end in ("", "txt", "text")


def looks_like_markdown(head: bytes) -> bool:
    """Whether a text plainly is Markdown; one that merely has an asterisk or a comment with a # is not.

    It has a table with a rule of bars, several labels in bold print, or headings that stand by themselves.
    """
    if b"|" in head and _PIPE_TABLE.search(head):
        return True
    if b"**" in head and len(_BOLD_LABEL.findall(head)) > 1:
        return True
    headings = _ATX.findall(head) if b"# " in head else []
    return bool(headings) and (max(map(len, headings)) > 1 or _OTHER_MARK.search(head) is not None)


def _markup_reader(start: bytes, by_name: str | None) -> str | None:
    """HTML or XML by the root element: both may hold the names of the other further down."""
    preface = _PREFACE.match(start)
    before = _COMMENT.sub(b"", preface[0]) if preface else b""
    root = _ROOT.match(start, len(preface[0]) if preface else 0)
    name = root[1].lower() if root else b""
    if name == b"html" or _HTML_TYPE.search(before):
        return "html"
    if before[:5].lower() == b"<?xml" or by_name == "xml":
        return "xml"
    if by_name == "html" or (name in _HTML_ROOTS and root and b"xmlns=" not in root[2]):
        return "html"
    return "xml" if (preface and preface[0]) or (root and not _is_prose(root, start)) else None


def _is_prose(root: re.Match[bytes], start: bytes) -> bool:
    """Whether running text follows a lone mark such as <PAGE>: nothing is ever closed, and marks are few."""
    if not root[1].isupper() or root[2] or b"</" in start or b"/>" in start:
        return False
    return start.count(b"<") * _LEAST_BETWEEN < len(start)


_LEAST_BETWEEN = 100
"""Bytes for each mark in such text."""


def looks_like_mail(head: bytes) -> bool:
    """Whether this starts with a block of mail headers, as written by a mail program."""
    envelope, rest = _envelope(with_newlines(head))
    lines, ended = _header_lines(rest)
    names = [name for name, _ in lines]
    sure = sum(name in _MAIL_SURE for name in names)
    usual = sum(name in _MAIL_USUAL or name.startswith(_MAIL_OTHERS) for name in names)
    boxed, long = bool(_SENT.search(envelope)), ended is None and len(rest) > _LONG
    addressed = ended is not False and _is_addressed(dict(lines), boxed, long)
    return addressed or (sure >= 1 and sure + usual >= 2)


def with_newlines(data: bytes) -> bytes:
    """The same bytes, those that end all lines as they did on old computers as they do today."""
    return data if b"\n" in data else data.replace(b"\r", b"\n")


def headers_go_on(head: bytes) -> bool:
    """Whether the first bytes of a file end in a block of few long headers."""
    rest = _envelope(head)[1]
    lines, ended = _header_lines(rest[: rest.rfind(b"\n")])
    return ended is None and len(lines) < _MAIL_LINES


def shortened_headers(data: bytes) -> bytes:
    """The lines that a file starts with, without most of those that go on for long."""
    ends = [found.end() for found in islice(_LINE_END.finditer(data), _MAIL_LINES)]
    return b"".join(data[start : min(start + _LONG_LINE, end)].rstrip() + b"\n" for start, end in pairwise((0, *ends)))


def _envelope(head: bytes) -> tuple[bytes, bytes]:
    """The line above each message of a mailbox, if there is one, and what follows it."""
    first, _, rest = head.partition(b"\n") if head.startswith(b"From ") and b"\n" in head else (b"", b"", head)
    return first, rest.lstrip(b"\r\n")


def _is_addressed(headers: dict[bytes, bytes], boxed: bool, long: bool) -> bool:
    """Whether these are the headers that a person sees of a mail; a memo has names where a mail has addresses.

    A mailbox needs no more than a sender and a date or subject, headers of which the rest is not seen a subject.
    """
    if b"@" not in headers.get(b"from", b""):
        return False
    if boxed and b"date" in headers:
        return True
    return b"subject" in headers and (boxed or long or b"to" in headers or b"date" in headers)


def _header_lines(head: bytes) -> tuple[list[tuple[bytes, bytes]], bool | None]:
    """The names and first lines in a block of headers, and whether a blank line ends it; None if nothing does."""
    lines: list[tuple[bytes, bytes]] = []
    for line in _LINE_END.split(head, _MAIL_LINES)[:_MAIL_LINES]:
        found = _MAIL_HEADER.match(line)
        if not found:
            return lines, not line.strip()
        lines.append((found[1].lower(), line))
    return lines, None
