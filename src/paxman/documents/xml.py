"""XML: a tree of elements and attributes, and a text with one line for each element that holds any.

Read by our own scanner and not by expat, for the place of every character and for what is left of a broken file.
It knows no entities but the predefined ones and fetches nothing.
"""

from __future__ import annotations

import re
from functools import cached_property

import attrs

from paxman.documents.document import ByteRange, Document, Node, NodePath
from paxman.documents.encodings import Decoded, decode
from paxman.documents.markup import XML_ENTITY, Elements, TextBuilder, Token, attributes, declared_encoding, tokens
from paxman.documents.reading import Limits, allowance, built_in, cut_short, unreadable
from paxman.documents.source_map import Pieces
from paxman.types import Diagnostic, Severity, Span

_DECLARED = re.compile(rb"\s{0,20}<\?xml[^>]{0,100}?encoding\s{0,3}=\s{0,3}[\"']([A-Za-z0-9_.:-]{2,40})")


class XmlReader:
    name = "xml"
    version = "1.0"

    def sniff(self, head: bytes, name: str | None) -> int:
        return 90 if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<?xml") else 0

    def read(self, data: bytes, name: str | None, limits: Limits) -> Document:
        decoded = decode(data, declared_encoding(_DECLARED.match(data[:512])), limits)
        scan = XmlScan(decoded.text, limits)
        if scan.root is None:
            return _as_text(data, limits)
        return xml_document(scan, decoded)


def xml_document(scan: XmlScan, decoded: Decoded) -> Document:
    def byte_range(span: Span) -> ByteRange:
        start, end = scan.pieces.source(span)
        return ByteRange(decoded.offset(start), decoded.offset(end))

    return Document(
        "xml",
        scan.text,
        scan.locate,
        diagnostics=decoded.diagnostics + scan.notes(),
        build_tree=lambda: scan.root,
        byte_range=byte_range,
    )


def _as_text(data: bytes, limits: Limits) -> Document:
    document = built_in("text").read(data, None, limits)
    note = unreadable("no XML element was found", "It was read as plain text; check that the file is complete")
    document.diagnostics += (note,)
    return document


@attrs.define(eq=False)
class _Open:
    """An element that is open: its text so far, its attributes, and its finished children."""

    element: int
    name: str
    path: str
    start: int
    attributes: list[tuple[str, Span]]
    runs: list[tuple[Span, bool]] = attrs.field(factory=list)
    """Text in the source, and whether it is verbatim."""
    children: list[Node] = attrs.field(factory=list)


class XmlScan:
    """One pass over the source."""

    def __init__(self, source: str, limits: Limits) -> None:
        self._source = source
        self._max_depth = limits.max_depth
        self._elements = Elements()
        self.pieces = Pieces()
        self._builder = TextBuilder(source, self.pieces, XML_ENTITY)
        self._stack: list[_Open] = []
        self._overflow = self._too_deep = self._broken = 0
        self.root: Node | None = None
        self._cut = self._read(limits)
        self._broken += len(self._stack)
        while self._stack:
            self._close(self._stack.pop())

    def _read(self, limits: Limits) -> str | None:
        """Takes token after token; the limit that is reached before the end, if any."""
        left = allowance(limits)
        timer = left.in_time()
        for token in timer.over(tokens(self._source)):
            if left.nodes <= len(self._elements.names) and token[0] in ("open", "empty"):
                left.nodes = 0
                return "max_nodes"
            self._take(Token(*token))
        left.nodes -= len(self._elements.names)
        return "max_seconds" if timer.is_up else None

    @cached_property
    def text(self) -> str:
        return self.pieces.text()

    def _take(self, token: Token) -> None:
        if token.kind == "text" or token.kind == "cdata":
            start, end = token.span
            if end == len(self._source) and token.kind == "text":
                # The start of a tag, where the source is cut off.
                cut = self._source.find("<", start)
                end = cut if cut >= 0 else end
            if self._stack and not self._source[start:end].isspace() and start < end:
                self._stack[-1].runs.append(((start, end), token.kind == "cdata"))
        elif token.kind == "close":
            self._end(token.name)
        elif self.root is None or self._stack:
            self._start(token)

    def _start(self, token: Token) -> None:
        if len(self._stack) >= self._max_depth:
            self._overflow += token.kind == "open"
            self._too_deep += 1
            return
        parent = self._stack[-1] if self._stack else None
        if parent and (parent.runs or parent.attributes):
            self._write_own(parent)
        name = token.name.rpartition(":")[2]
        element = self._elements.add(name, parent.element if parent else -1)
        path = f"{parent.path if parent else ''}/{name}[{self._elements.ordinal(element)}]"
        opened = _Open(element, name, path, self._builder.length, self._attributes(token))
        if token.kind == "empty":
            self._close(opened)
        else:
            self._stack.append(opened)

    def _attributes(self, token: Token) -> list[tuple[str, Span]]:
        if token.attributes[0] == token.attributes[1]:
            return []
        found = attributes(self._source, token.attributes)
        return [(name.rpartition(":")[2], span) for name, span in found.items() if not name.startswith("xmlns")]

    def _end(self, name: str) -> None:
        if self._overflow:
            self._overflow -= 1
            return
        local = name.rpartition(":")[2]
        depth = next((index for index in range(len(self._stack) - 1, -1, -1) if self._stack[index].name == local), None)
        if depth is None:
            self._broken += 1
            return
        self._broken += len(self._stack) - depth - 1
        while len(self._stack) > depth:
            self._close(self._stack.pop())

    def _write_own(self, opened: _Open) -> None:
        """Writes text and attributes of an element that has children, as children of their own."""
        text = self._write_text(opened)
        if text:
            opened.children.append(self._scalar(opened, "#text", text))
        opened.children.extend(self._write_attributes(opened))

    def _close(self, opened: _Open) -> None:
        """Writes the line of an element and makes its node."""
        if opened.children:
            self._write_own(opened)
            span = (opened.start, self._builder.length)
            node = Node("object", opened.name, span, NodePath(opened.path), tuple(opened.children))
        else:
            text = self._write_text(opened) or (self._builder.length, self._builder.length)
            node = self._scalar(opened, opened.name, text, tuple(self._write_attributes(opened)))
        if self._stack:
            self._stack[-1].children.append(node)
        elif self.root is None:
            self.root = node

    def _write_text(self, opened: _Open) -> Span | None:
        """Writes the text of an element without the white space around it; None if there is none."""
        if not opened.runs:
            return None
        runs, opened.runs = self._trimmed(opened.runs), []
        if self._builder.length:
            self._builder.separate("\n", runs[0][0][0], opened.element)
        start = self._builder.length
        for span, verbatim in runs:
            if verbatim:
                self._builder.add_raw(span, opened.element)
            else:
                self._builder.add(span, opened.element, True)
        return start, self._builder.length

    def _trimmed(self, runs: list[tuple[Span, bool]]) -> list[tuple[Span, bool]]:
        if runs:
            (start, end), verbatim = runs[0]
            runs[0] = ((end - len(self._source[start:end].lstrip()), end), verbatim)
            (start, end), verbatim = runs[-1]
            runs[-1] = ((start, start + len(self._source[start:end].rstrip())), verbatim)
        return runs

    def _write_attributes(self, opened: _Open) -> list[Node]:
        """Writes the attributes behind the text of their element, so that `100.00 EUR` stands together."""
        nodes = []
        written, opened.attributes = opened.attributes, []
        for name, span in written:
            if self._builder.length:
                self._builder.separate(" " if self._builder.length > opened.start else "\n", span[0], opened.element)
            start = self._builder.length
            self._builder.add(span, opened.element, True)
            path = NodePath(f"{opened.path}/@{name}")
            text = self.pieces.since(start)
            nodes.append(Node("scalar", name, (start, self._builder.length), path, (), text))
        return nodes

    def _scalar(self, opened: _Open, name: str, span: Span, children: tuple[Node, ...] = ()) -> Node:
        text = self.pieces.since(span[0])[: span[1] - span[0]]
        return Node("scalar", name, span, NodePath(opened.path), children, text)

    def notes(self) -> tuple[Diagnostic, ...]:
        notes = []
        if self._too_deep:
            reason = f"{self._too_deep} elements are nested more than {self._max_depth} levels deep and were left out"
            notes.append(unreadable(reason, "Raise max_depth", Severity.WARNING, count=self._too_deep))
        if self._cut:
            notes.append(cut_short(f"the first {len(self._elements.names)} elements were read", self._cut))
        elif self._broken:
            reason = f"{self._broken} XML tags have no partner"
            notes.append(unreadable(reason, "Check that the file is complete", Severity.WARNING, count=self._broken))
        if "<!ENTITY" in self._source:
            reason = "the document declares entities of its own, which are never expanded"
            notes.append(unreadable(reason, "Expand them before reading, if the source is trusted", Severity.WARNING))
        return tuple(notes)

    def locate(self, span: Span) -> NodePath:
        """The lowest element that holds a span."""
        return self._elements.locate(self.pieces, span)
