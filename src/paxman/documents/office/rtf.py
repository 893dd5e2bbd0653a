"""RTF: the text that a word processor shows, with the bytes of every character."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from paxman.documents.document import ByteRange, Document, Mark
from paxman.documents.marks import tidy_marks
from paxman.documents.reading import Limits, allowance, cut_short, unreadable
from paxman.documents.source_map import Pieces
from paxman.types import Diagnostic, Severity, Span

_TOKEN = re.compile(
    rb"(?P<group>[{}])|\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?[0-9]{1,10})? ?|\\'(?P<hex>[0-9a-fA-F]{2})"
    rb"|\\(?P<sign>[^a-zA-Z])|(?P<plain>[^\\{}\r\n]+)|[\r\n]+|\\",
    re.S,
)
_HIDDEN = frozenset(
    b"fonttbl colortbl stylesheet info pict object fldinst themedata colorschememapping datastore latentstyles"
    b" listtable listoverridetable rsidtbl generator xmlnstbl filetbl sp bkmkstart bkmkend".split()
)
_SHOWN_EXTENSIONS = frozenset((b"shpinst", b"shptxt"))
_SIGNS = {
    b"par": "\n", b"line": "\n", b"sect": "\n", b"page": "\f", b"row": "\n", b"nestrow": "\n", b"tab": "\t",
    b"cell": "\t", b"nestcell": "\t", b"emdash": "—", b"endash": "–", b"bullet": "•", b"lquote": "‘", b"rquote": "’",
    b"ldblquote": "“", b"rdblquote": "”", b"emspace": " ", b"enspace": " ", b"~": "\xa0", b"_": "-", b"\\": "\\",
    b"{": "{", b"}": "}", b"\n": "\n", b"\r": "\n",
}  # fmt: skip
_CODE_PAGES = {b"mac": "mac-roman", b"pc": "cp437", b"pca": "cp850"}


class RtfReader:
    name = "rtf"
    version = "1.0"

    def sniff(self, head: bytes, name: str | None) -> int:
        return 95 if head.startswith(b"{\\rtf") else 0

    def read(self, data: bytes, name: str | None, limits: Limits) -> Document:
        text = _Text(data, limits)
        shown, pieces = text.pieces.text()[: limits.max_text_chars], text.pieces

        def locate(span: Span) -> ByteRange:
            return ByteRange(*pieces.source(span))

        return Document(
            "text",
            shown,
            locate,
            diagnostics=text.notes(),
            build_marks=lambda: tidy_marks(shown, (Mark("strong", span) for span in text.bold)),
            byte_range=locate,
        )


class _Text:
    """Walks the tokens once; the end of a group restores whether text is hidden or bold, and how long stand-ins are."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        self.pieces = Pieces()
        self._most = limits.max_text_chars
        self.bold: list[Span] = []
        self._groups: list[tuple[bool, int, bool]] = []
        self._hidden, self._stand_in, self._is_bold = False, 1, False
        self._skip = 0
        self._half: tuple[int, int] | None = None
        self._use("cp1252")
        self._opened = 0
        self._position = 0
        self._work = allowance(limits).work(50)
        for token in self._work.over(self._tokens(data), 1):
            self._take(token)

    def _tokens(self, data: bytes) -> Iterator[re.Match[bytes]]:
        while self._position < len(data) and self.pieces.length <= self._most:
            if token := _TOKEN.match(data, self._position):
                self._position = token.end()
                yield token

    def _use(self, encoding: str) -> None:
        try:
            self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        except LookupError:
            return
        self._begin: int | None = None

    def notes(self) -> tuple[Diagnostic, ...]:
        if self._work.is_over:
            return (cut_short(f"the first {self._position} bytes were read", "max_steps"),)
        if self.pieces.length > self._most:
            reason = f"only the first {self._most} characters were read"
            return (unreadable(reason, "Raise max_text_chars or split the document", Severity.WARNING),)
        if self._groups:
            return (unreadable("the document is cut off", "Check that the file is complete", Severity.WARNING),)
        return ()

    def _take(self, token: re.Match[bytes]) -> None:
        if token["group"]:
            self._skip = 0
            if token["group"] == b"{":
                self._groups.append((self._hidden, self._stand_in, self._is_bold))
                self._opened = token.end()
            elif self._groups:
                self._hidden, self._stand_in, self._is_bold = self._groups.pop()
        elif token["word"]:
            self._control(token)
        elif self._hidden:
            return
        elif token["hex"]:
            self._bytes(bytes([int(token["hex"], 16)]), token.start(), token.end())
        elif token["plain"]:
            text = token["plain"]
            start = token.start()
            skipped = min(self._skip, len(text))
            self._skip -= skipped
            text, start = text[skipped:], start + skipped
            if text.isascii() and self._begin is None:
                self._add(text.decode(), start, start + len(text))
            else:
                for offset in range(len(text)):
                    self._bytes(text[offset : offset + 1], start + offset, start + offset + 1)
        elif token["sign"] == b"*" and self._opened == token.start():
            self._hidden = True
            self._opened = token.end()
        elif token["sign"] in _SIGNS:
            self._add(_SIGNS[token["sign"]], token.start(), token.end())

    def _control(self, token: re.Match[bytes]) -> None:
        word, number = token["word"], int(token["number"] or 0)
        extension = self._hidden and self._opened == token.start()
        if self._opened == token.start() and (word in _HIDDEN or extension):
            outside = bool(self._groups) and self._groups[-1][0]
            self._hidden = outside or word not in _SHOWN_EXTENSIONS
        elif word == b"bin":
            self._position += max(number, 0)
        elif word == b"ansicpg":
            self._use(f"cp{number}")
        elif word in _CODE_PAGES:
            self._use(_CODE_PAGES[word])
        elif word in (b"b", b"plain"):
            self._is_bold = word == b"b" and token["number"] != b"0"
        elif word == b"uc":
            self._stand_in = min(max(number, 0), 10)
        elif not self._hidden and word == b"u":
            self._unicode(number % 0x10000, token)
        elif not self._hidden and word in _SIGNS:
            self._add(_SIGNS[word], token.start(), token.end())

    def _unicode(self, code: int, token: re.Match[bytes]) -> None:
        """A character by its number; what stands in for it in old programs follows and is skipped."""
        self._skip = self._stand_in
        if 0xD800 <= code < 0xDC00:
            self._half = (code, token.start())
        elif 0xDC00 <= code < 0xE000:
            high, start = self._half or (0, token.start())
            char = chr(0x10000 + ((high - 0xD800) << 10) + code - 0xDC00) if high else "\ufffd"
            self._add(char, start, token.end())
        else:
            self._add(chr(code), token.start(), token.end())

    def _bytes(self, byte: bytes, start: int, end: int) -> None:
        """A byte of the code page, where a character may take two."""
        if self._skip:
            self._skip -= 1
            return
        begin = start if self._begin is None else self._begin
        char = self._decoder.decode(byte)
        self._begin = None if char else begin
        self._add(char, begin, end)

    def _add(self, text: str, start: int, end: int) -> None:
        if text:
            self._half = None
            if self._is_bold and text != "\n":
                self.bold.append((self.pieces.length, self.pieces.length + len(text)))
            self.pieces.add(text, start, end)
