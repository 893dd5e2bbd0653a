"""XML: a tree of elements and attributes, and a text with one line for each element that holds any.

Read by our own scanner and not by expat, for the place of every character and for what is left of a broken file.
It knows no entities but the predefined ones and fetches nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

import attrs

from paxman.documents.document import Document, Node, NodePath, Source
from paxman.documents.encodings import Decoded, decode
from paxman.documents.markup import (
    XML_CHARSET,
    XML_ENTITY,
    Elements,
    TextBuilder,
    attributes,
    declared_encoding,
    tokens,
    with_entities,
)
from paxman.documents.reading import Limits, allowance, built_in, cut_short, unreadable
from paxman.documents.source_map import Pieces
from paxman.types import Diagnostic, Severity, Span


class XmlReader:
    name = "xml"
    version = "1.0"

    def sniff(self, head: bytes, name: str | None) -> int:
        return 90 if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<?xml") else 0

    def read(self, data: bytes, name: str | None, limits: Limits) -> Document:
        decoded = decode(data, declared_encoding(XML_CHARSET.match(data[:512])), limits)
        scan = XmlScan(decoded.text, limits)
        if scan.root is None:
            document = built_in("text").read(data, None, limits)
            note = unreadable("no XML element was found", "It was read as plain text; check that the file is complete")
            document.diagnostics += (note,)
            return document
        return xml_document(scan, decoded)


def xml_document(scan: XmlScan, decoded: Decoded) -> Document:
    return Document(
        "xml",
        scan.text,
        scan.locate,
        diagnostics=decoded.diagnostics + scan.notes(),
        build_tree=lambda: scan.root,
        byte_range=scan.pieces.byte_locator(decoded.offset),
    )


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
        self._written: list[Node] = []
        """Attributes, in the order of the text."""
        self.root: Node | None = None
        self._cut = self._read(limits)
        self._broken += len(self._stack)
        while self._stack:
            self._close(self._stack.pop())

    def _read(self, limits: Limits) -> str | None:
        """Takes token after token; the limit that is reached before the end, if any."""
        left = allowance(limits)
        work = left.work()
        for begin, start, end, kind, name, behind in work.over(tokens(self._source), 4):
            if begin < start:
                self._text(begin, start)
            if kind == "close":
                self._end(name)
            elif kind == "cdata":
                self._add_run(start, end, True)
            elif name and left.nodes <= len(self._elements.names):
                left.nodes = 0
                return "max_nodes"
            elif name and (self.root is None or self._stack):
                self._start(name, (behind, end - 1), kind == "empty")
        left.nodes -= len(self._elements.names)
        return "max_steps" if work.is_over else None

    @cached_property
    def text(self) -> str:
        return self.pieces.text()

    def _text(self, start: int, end: int) -> None:
        if end == len(self._source):
            # The start of a tag, where the source is cut off.
            cut = self._source.find("<", start)
            end = cut if cut >= 0 else end
        self._add_run(start, end, False)

    def _add_run(self, start: int, end: int, verbatim: bool) -> None:
        if start < end and self._stack and not self._source[start:end].isspace():
            self._stack[-1].runs.append(((start, end), verbatim))

    def _start(self, name: str, attributes: Span, closed: bool) -> None:
        if len(self._stack) >= self._max_depth:
            self._overflow += not closed
            self._too_deep += 1
            return
        parent = self._stack[-1] if self._stack else None
        if parent and (parent.runs or parent.attributes):
            self._write_own(parent)
        name = name.rpartition(":")[2] if ":" in name else name
        element = self._elements.add(name, parent.element if parent else -1)
        path = f"{parent.path if parent else ''}/{name}[{self._elements.ordinal(element)}]"
        opened = _Open(element, name, path, self.pieces.length, self._attributes(attributes))
        if closed:
            self._close(opened)
        else:
            self._stack.append(opened)

    def _attributes(self, span: Span) -> list[tuple[str, Span]]:
        if span[0] == span[1]:
            return []
        found = attributes(self._source, span)
        return [(name.rpartition(":")[2], span) for name, span in found.items() if not name.startswith("xmlns")]

    def _end(self, name: str) -> None:
        if self._overflow:
            self._overflow -= 1
            return
        local, stack = name.rpartition(":")[2] if ":" in name else name, self._stack
        if stack and stack[-1].name == local:
            self._close(stack.pop())
            return
        depth = len(stack) - 1
        while depth >= 0 and stack[depth].name != local:
            depth -= 1
        if depth < 0:
            self._broken += 1
            return
        self._broken += len(stack) - depth - 1
        while len(stack) > depth:
            self._close(stack.pop())

    def _write_own(self, opened: _Open) -> None:
        """Writes text and attributes of an element that has children, as children of their own."""
        if opened.runs:
            span, text = self._write_text(opened)
            opened.children.append(Node("scalar", "#text", span, NodePath(opened.path), (), text))
        if opened.attributes:
            opened.children.extend(self._write_attributes(opened))

    def _close(self, opened: _Open) -> None:
        """Writes the line of an element and makes its node."""
        path = NodePath(opened.path)
        if opened.children:
            self._write_own(opened)
            node = Node("object", opened.name, (opened.start, self.pieces.length), path, tuple(opened.children))
        else:
            span, text = self._write_text(opened) if opened.runs else ((self.pieces.length,) * 2, "")
            children = tuple(self._write_attributes(opened)) if opened.attributes else ()
            node = Node("scalar", opened.name, span, path, children, text)
        if self._stack:
            self._stack[-1].children.append(node)
        elif self.root is None:
            self.root = node

    def _write_text(self, opened: _Open) -> tuple[Span, str]:
        """Writes the text of an element without the white space around it."""
        runs, opened.runs = opened.runs, []
        if len(runs) > 1 or self._source[runs[0][0][0]].isspace() or self._source[runs[0][0][1] - 1].isspace():
            runs = self._trimmed(runs)
        if self.pieces.length:
            at = runs[0][0][0]
            self.pieces.add("\n", at, at, opened.element)
        start = self.pieces.length
        if len(runs) == 1:
            text = self._write(runs[0][0], opened.element, runs[0][1])
        else:
            text = "".join([self._write(span, opened.element, verbatim) for span, verbatim in runs])
        return (start, self.pieces.length), text

    def _write(self, span: Span, element: int, verbatim: bool = False) -> str:
        """Writes a run of the source, and gives back what it says."""
        text = self._source[span[0] : span[1]]
        if verbatim or "&" not in text:
            self.pieces.add(text, *span, element)
            return text
        self._builder.add(span, element, True)
        return with_entities(text, XML_ENTITY)

    def _trimmed(self, runs: list[tuple[Span, bool]]) -> list[tuple[Span, bool]]:
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
            if self.pieces.length:
                separator = " " if self.pieces.length > opened.start else "\n"
                self.pieces.add(separator, span[0], span[0], opened.element)
            start = self.pieces.length
            text = self._write(span, opened.element)
            path = NodePath(f"{opened.path}/@{name}")
            nodes.append(Node("scalar", name, (start, self.pieces.length), path, (), text))
        self._written += nodes
        return nodes

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

    def locate(self, span: Span) -> Source:
        """The attribute or the lowest element that holds a span."""
        at = bisect_right(self._written, span[0], key=lambda node: node.span[0]) - 1
        if at >= 0 and span[1] <= self._written[at].span[1]:
            return self._written[at].source
        return self._elements.locate(self.pieces, span)
