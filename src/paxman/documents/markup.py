"""Tags, text and entities of HTML and XML with their places, in one linear pass over broken markup too."""

from __future__ import annotations

import html
import re
from array import array
from collections.abc import Iterator
from functools import lru_cache

from paxman.documents.document import NodePath
from paxman.documents.source_map import Pieces
from paxman.documents.superscripts import REACH, write_raised
from paxman.types import RAISED, Span

# A quote counts only where a value begins: elsewhere it is part of a name or of a value without quotes.
_TAG = re.compile(r"<(/?)([^\W\d][^\s/>]*+)((?:[^=>]++|=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'>][^\s>]*+)?+)*+)>")
_PLAIN_TAG = re.compile(r"<(/?)([^\W\d][^\s/>]*+)([^>]*+)>")
_TAG_START = re.compile(r"</?[^\W\d]")
_ATTRIBUTE = re.compile(r"([^\s=\"'/]+)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++)))?")
HTML_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?")
XML_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_WORDS = re.compile(r"[^ ]++(?>(?: [^ ]++)*)")
_SPACES = str.maketrans("\t\n\r\f\v", "     ")
_SHORT_TAG = 64
_LONG_TAG = 20_000
_ODD_TAGS = 20
XML_CHARSET = re.compile(rb"\s{0,20}<\?xml[^>]{0,100}?encoding\s{0,3}=\s{0,3}[\"']([A-Za-z0-9_.:-]{2,40})")
_WIDE = ("utf-16", "utf16", "utf_16", "utf-32", "utf32", "utf_32", "ucs", "iso-10646-ucs", "unicode")


Token = tuple[int, int, int, str, str, int]
"""Where the text before a tag starts, where the tag itself starts and ends, its kind and name, and where its attributes
start, which go on to the last character of the tag.

The kind is open, empty (an open tag that closes itself), close, cdata (all of it is text) or text (there is no tag).
"""


def tokens(text: str, raw: frozenset[str] = frozenset()) -> Iterator[Token]:
    """The tags of a document with the text before each; comments and declarations are skipped.

    `raw` elements hold text only, which comes as cdata; where there are some, as in HTML, names are in lower case.
    """
    tags = _Tags(text, bool(raw))
    position = scan = 0
    while (start := text.find("<", scan, tags.last)) >= 0:
        scan = text.find(">", start, start + _SHORT_TAG) + 1
        if known := tags.short.get(text[start:scan]):
            (kind, name), attributes = known, scan - 1
        else:
            scan, kind, name, attributes = tags.read(start)
        if name:
            if kind == "empty" and name in raw and _is_closed(text, name, scan):
                kind = "open"
            yield position, start, scan, kind, name, attributes
            position = scan
            if name in raw and kind == "open":
                scan = _raw_end(text, name, position)
                yield position, position, scan, "cdata", "", 0
                position = scan
        elif kind != "text":
            if position < start:
                yield position, start, start, "text", "", 0
            if kind == "cdata":
                yield start + 9, start + 9, max(scan - 3, start + 9), "cdata", "", 0
            position = scan
    comment = text.find("<!--", position)
    end = comment if comment >= 0 else len(text)
    if position < end:
        yield position, end, end, "text", "", 0


class _Tags:
    """Reads tags; gives up on quotes once they prove unreliable, so that no text makes it search twice."""

    def __init__(self, text: str, lower: bool) -> None:
        self._text = text
        self._lower = lower
        self._pattern = _TAG
        self._odd = 0
        self.last = text.rfind(">")
        self.short: dict[str, tuple[str, str]] = {}
        """Kind and name of the tags without attributes so far, as written: most tags are one of these."""

    def read(self, start: int) -> tuple[int, str, str, int]:
        """What starts with `<`: its end, its kind, and the name and the start of the attributes of a tag."""
        found = self._match(start)
        if found is None:
            return *_special(self._text, start), "", 0
        closing, name, attributes = found.groups()
        name = name.lower() if self._lower else name
        kind = "close" if closing else "empty" if attributes[-1:] == "/" else "open"
        if not attributes:
            self.short[found[0]] = kind, name
        return found.end(), kind, name, found.start(3)

    def _match(self, start: int) -> re.Match[str] | None:
        found = self._pattern.match(self._text, start)
        if found is None and self._pattern is _TAG and _TAG_START.match(self._text, start):
            self._pattern = _PLAIN_TAG
            return _PLAIN_TAG.match(self._text, start)
        if found and found.end() - start > _LONG_TAG:
            plain = _PLAIN_TAG.match(self._text, start)
            if plain and plain.end() - start < _LONG_TAG // 2:
                self._odd += 1
                self._pattern = _PLAIN_TAG if self._odd > _ODD_TAGS else self._pattern
                return plain
        return found


def _special(text: str, start: int) -> tuple[int, str]:
    """The end of what starts with `<` but is no tag, and what it is."""
    if text.startswith("<!--", start):
        comment = _COMMENT.match(text, start)
        return (comment.end() if comment else len(text)), "skip"
    for opening, closing, kind in _SPECIALS:
        if text.startswith(opening, start):
            end = text.find(closing, start + len(opening))
            return (end + len(closing) if end >= 0 else len(text)), kind
    if text[start + 1 : start + 2] in ("!", "/"):
        return _declaration_end(text, start), "skip"
    return start + 1, "text"


_COMMENT = re.compile(r"<!--(?:-?>|.*?--!?>)", re.DOTALL)
_SPECIALS = (("<![CDATA[", "]]>", "cdata"), ("<?", ">", "skip"))


def _declaration_end(text: str, start: int) -> int:
    """A document type may hold declarations of its own in brackets; they are skipped, so no entity is ever expanded."""
    end = text.find(">", start)
    bracket = text.find("[", start, end if end >= 0 else len(text))
    if bracket >= 0:
        close = text.find("]", bracket)
        end = text.find(">", close) if close >= 0 else -1
    return end + 1 if end >= 0 else len(text)


def _raw_end(text: str, name: str, position: int) -> int:
    """Where raw text ends; a script that writes another one in a comment goes on behind the end of that."""
    closing = re.compile(rf"</{re.escape(name)}(?=[\s/>])", re.I)
    found = first = closing.search(text, position)
    while found and name == "script" and (comment := text.find("<!--", position, found.start())) >= 0:
        inner = _SCRIPT_START.search(text, comment, found.start())
        if inner is None or text.find("-->", comment, inner.start()) >= 0:
            break
        position = found.end()
        found = closing.search(text, position)
    found = found or first
    return found.start() if found else len(text)


def _is_closed(text: str, name: str, position: int) -> bool:
    """Whether the next tag of a name is an end tag."""
    found = re.compile(rf"<(/?){re.escape(name)}(?=[\s/>])", re.I).search(text, position)
    return found is not None and found[1] == "/"


_SCRIPT_START = re.compile(r"<script(?=[\s/>])", re.I)


def attributes(text: str, span: Span) -> dict[str, Span]:
    """The place of each attribute's value by name as written; the first of a name counts."""
    found: dict[str, Span] = {}
    for match in _ATTRIBUTE.finditer(text, *span):
        group = match.lastindex or 1
        found.setdefault(match[1], match.span(group) if group > 1 else (match.end(), match.end()))
    return found


def html_attributes(text: str, span: Span) -> dict[str, Span]:
    """The same, by lower-case name."""
    return {name.lower(): place for name, place in reversed(attributes(text, span).items())}


class Elements:
    """The elements of a document as arrays, small enough for a million of them."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.parents = array("q")
        self._ordinals = array("q")
        self._counts: dict[tuple[int, str], int] = {}

    def add(self, name: str, parent: int) -> int:
        self.names.append(name)
        self.parents.append(parent)
        return len(self.names) - 1

    def ordinal(self, element: int) -> int:
        """The number of an element among those of its name in its parent; counted when first asked for."""
        for known in range(len(self._ordinals), element + 1):
            key = (self.parents[known], self.names[known])
            self._counts[key] = ordinal = self._counts.get(key, 0) + 1
            self._ordinals.append(ordinal)
        return self._ordinals[element]

    def path(self, element: int) -> NodePath:
        steps = []
        while element >= 0:
            steps.append(f"/{self.names[element]}[{self.ordinal(element)}]")
            element = self.parents[element]
        return NodePath("".join(reversed(steps)) or "/")

    def ancestors(self, element: int) -> list[int]:
        """The element and all above it."""
        line = []
        while element >= 0:
            line.append(element)
            element = self.parents[element]
        return line

    def locate(self, pieces: Pieces, span: Span) -> NodePath:
        """The lowest element that holds a span of a text made of pieces."""
        if not pieces.owners:
            return NodePath("/")
        first = pieces.owners[pieces.index(span[0])]
        last = pieces.owners[pieces.index(max(span[1] - 1, span[0]))]
        return self.path(first if first == last else self.common(first, last))

    def common(self, first: int, second: int) -> int:
        """The lowest element that holds both."""
        above = set(self.ancestors(first))
        return next((element for element in self.ancestors(second) if element in above), -1)


class TextBuilder:
    """Visible text from source runs: entities decoded, white space folded, every character mapped to its source."""

    def __init__(self, source: str, pieces: Pieces, entity: re.Pattern[str] = HTML_ENTITY) -> None:
        self._source = source
        self._entity = entity
        self._pieces = pieces
        self._space: Span | None = None

    @property
    def length(self) -> int:
        return self._pieces.length

    def separate(self, separator: str, at: int, owner: int) -> None:
        """A separator that the source does not have."""
        self._space = None
        self._pieces.add(separator, at, at, owner)

    def gap(self, at: int) -> None:
        """A space that the source does not have, where words come before and after."""
        self._space = self._space or (at, at)

    def add_as(self, text: str, span: Span, owner: int) -> None:
        """What stands for a source run."""
        self._flush(owner)
        self._pieces.add(text, *span, owner)

    def add_raised(self, span: Span, owner: int) -> bool:
        """Adds figures that stand above the line, right behind other text, as such; False if that is yet to be done."""
        before = "" if self._space else self._pieces.since(max(self._pieces.length - REACH, 0))[-REACH:]
        text = self._source[slice(*span)]
        written = text if not before.strip() or before[-1].isspace() else write_raised(before, text)
        if written == RAISED + text:
            self.separate(RAISED, span[0], owner)
        elif written != text:
            self.add_as(written, span, owner)
            return True
        return False

    def add_raw(self, span: Span, owner: int) -> None:
        """A source run as it is written."""
        self._pieces.add(self._source[slice(*span)], *span, owner)

    def add(self, span: Span, owner: int, keep_space: bool = False) -> None:
        """The text of a source run, folded unless `keep_space`."""
        start, end = span
        text = self._source[start:end]
        if text.isprintable() and not ("&" in text or "  " in text or text[:1] == " " or text[-1:] == " "):
            # As it is, like most runs.
            if self._space and text:
                self._flush(owner)
            self._pieces.add(text, start, end, owner)
            return
        if "&" in text:
            start = self._decode(start, end, owner, keep_space)
        if start < end:
            self._write(start, end, owner, keep_space)

    def _decode(self, position: int, limit: int, owner: int, keep_space: bool) -> int:
        """Adds runs as written, and entities as what they stand for; gives back the end of the last of these."""
        for found in self._entity.finditer(self._source, position, limit):
            start, end = found.span()
            meant = _meaning(found[0])
            if meant == found[0]:
                continue
            if position < start:
                self._write(position, start, owner, keep_space)
            self._flush(owner)
            self._pieces.add(meant if keep_space else meant.translate(_SPACES), start, end, owner)
            position = end
        return position

    def _write(self, start: int, end: int, owner: int, keep_space: bool) -> None:
        text = self._source[start:end]
        if keep_space:
            self._flush(owner)
            self._pieces.add(text, start, end, owner)
        else:
            self._fold(start, text.translate(_SPACES), owner)

    def _fold(self, start: int, text: str, owner: int) -> None:
        position = 0
        for words in _WORDS.finditer(text):
            first = words.start()
            if first > position:
                self._space = self._space or (start + position, start + first)
            position = words.end()
            self._flush(owner)
            self._pieces.add(words[0], start + first, start + position, owner)
        if position < len(text):
            self._space = self._space or (start + position, start + len(text))

    def _flush(self, owner: int) -> None:
        """Writes the folded space that stands before a word, but not at the start of a line or cell."""
        if self._space and self._pieces.last not in ("", "\n", "\t", " "):
            self._pieces.add(" ", *self._space, owner)
        self._space = None


def declared_encoding(found: re.Match[bytes] | None) -> str | None:
    """The encoding that was found declared; none of two or four bytes, in which it would not have been found."""
    name = found[1].decode("ascii") if found else None
    return None if name and name.lower().startswith(_WIDE) else name


def with_entities(text: str, entity: re.Pattern[str]) -> str:
    """Text with what its entities stand for."""
    return entity.sub(lambda found: _meaning(found[0]), text)


@lru_cache(1_000)
def _meaning(entity: str) -> str:
    return clean(html.unescape(entity))


def clean(text: str) -> str:
    """Text without lone surrogates."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace") if not text.isascii() else text
