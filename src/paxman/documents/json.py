"""JSON and NDJSON: the text is the source, and every node knows its pointer and its place in the text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Literal

import attrs

from paxman.documents.document import Document, JsonPointer, Members, Node, Source
from paxman.documents.encodings import Decoded, decode
from paxman.documents.reading import EVERY, HEAD, Limits, allowance, built_in, cut_short, unreadable
from paxman.documents.signatures import readable, readers_beside_json
from paxman.documents.source_map import byte_locator
from paxman.transforms import decode_json
from paxman.types import Diagnostic, Severity, Span

_SPACE = r"[ \t\r\n]*"
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?![\w.])"
_VALUE = rf"({_STRING})|({_NUMBER})|(true|false)|(null)|(NaN|-?Infinity)|([\[{{])"
_ITEM = re.compile(rf"{_SPACE}(?:{_VALUE})", re.S)
_MEMBER = re.compile(rf"{_SPACE}({_STRING}){_SPACE}:{_SPACE}(?:{_VALUE})", re.S)
_NEXT = re.compile(rf"{_SPACE}([,\]}}])")
_BRACKET = re.compile(rf"{_STRING}|[\[\]{{}}]", re.S)
_BLANK = re.compile(_SPACE)
_PLAUSIBLE = re.compile(r'\s*(?:\{\s*"|\[\s*[\[{"])')
_SCALARS: dict[int, Literal["string", "number", "boolean", "null"]] = {
    1: "string",
    2: "number",
    3: "boolean",
    4: "null",
    5: "number",
}
_STEPS = ("json",)
_STEPS_A_VALUE = 4
_NAMED = 10
"""Lines that a note names one by one."""


class NotJsonError(ValueError):
    """The text is no JSON; `position` says from where on."""

    def __init__(self, position: int) -> None:
        super().__init__(f"no JSON at character {position}")
        self.position = position


class JsonReader:
    name = "json"
    version = "1.0"

    def sniff(self, head: bytes, name: str | None) -> int:
        return 90 if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") else 0

    def read(self, data: bytes, name: str | None, limits: Limits) -> Document:
        decoded = decode(data, limits=limits)
        try:
            # A first value that fills its line is followed by another on the next.
            first = decoded.text.lstrip()
            line, _, rest = first.partition("\n")
            parser = (
                _read_lines if (rest.lstrip()[:1] in ("{", "[") and line.rstrip()[-1:] in ("}", "]")) else _read_whole
            )
            root, notes = parser(decoded.text, limits)
        except NotJsonError as error:
            return _as_text(data, name, decoded, error, limits)
        return json_document(root, decoded, notes)


def json_document(root: Node, decoded: Decoded, notes: tuple[Diagnostic, ...]) -> Document:
    return Document(
        "json",
        decoded.text,
        NodeLocator(lambda: root),
        diagnostics=decoded.diagnostics + notes,
        build_tree=lambda: root,
        byte_range=byte_locator(decoded.offset),
    )


def _as_text(data: bytes, name: str | None, decoded: Decoded, error: NotJsonError, limits: Limits) -> Document:
    other = readers_beside_json(readable(data[:HEAD]), name)[0][0]
    document = built_in("text" if other == "json" else other).read(data, name, limits)
    if document.kind == "text" and _PLAUSIBLE.match(decoded.text):
        note = unreadable(
            f"this looks like JSON but is broken at character {error.position}",
            "It was read as plain text; check that the file is complete",
            Severity.WARNING,
            position=error.position,
        )
        document.diagnostics += (note,)
    return document


def _read_whole(text: str, limits: Limits) -> tuple[Node, tuple[Diagnostic, ...]]:
    parser = JsonParser(text, limits)
    root, end = parser.parse(0, len(text), "", JsonPointer(""))
    if _skip_space(text, end) == len(text):
        return root, parser.finish()
    del parser, root  # their memory is free before all is read again
    return _read_sequence(text, limits)


def _read_sequence(text: str, limits: Limits) -> tuple[Node, tuple[Diagnostic, ...]]:
    """Values one after the other, as an array: objects and arrays anywhere, other values on lines of their own."""
    parser = JsonParser(text, limits)
    nodes: list[Node] = []
    lines = Members("", JsonPointer)
    end, position = 0, _skip_space(text, 0)
    while position < len(text):
        node, after = parser.parse(position, len(text), str(len(nodes)), lines)
        if nodes and "scalar" in (node.kind, nodes[-1].kind) and "\n" not in text[end:position]:
            raise NotJsonError(position)
        nodes.append(node)
        end, position = after, len(text) if parser.cut else _skip_space(text, after)
    return Node("array", "", (0, len(text)), JsonPointer(""), tuple(nodes)), parser.finish()


def _read_lines(text: str, limits: Limits) -> tuple[Node, tuple[Diagnostic, ...]]:
    parser = JsonParser(text, limits)
    nodes: list[Node] = []
    lines = Members("", JsonPointer)
    broken: list[int] = []
    start = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line.isspace() and line:
            try:
                # Lines that are no JSON count, so that the pointers to those below are theirs.
                node, end = parser.parse(start, start + len(line), str(len(nodes) + len(broken)), lines)
                if _skip_space(text, end) < start + len(line):
                    raise NotJsonError(end)
                nodes.append(node)
            except NotJsonError:
                broken.append(number)
        start += len(line) + 1
        if parser.cut:
            break
    if len(broken) * 2 > len(nodes):
        del parser, nodes
        return _read_whole(text, limits)
    notes = (_skipped_lines(broken),) if broken else ()
    return Node("array", "", (0, len(text)), JsonPointer(""), tuple(nodes)), notes + parser.finish()


def _skipped_lines(broken: list[int]) -> Diagnostic:
    named = ", ".join(map(str, broken[:_NAMED])) + (" and more" if len(broken) > _NAMED else "")
    one, many = f"line {named} is no JSON and was skipped", f"{len(broken)} lines are no JSON and were skipped: {named}"
    reason, advice = (one, "Check this line") if len(broken) == 1 else (many, "Check these lines")
    return unreadable(reason, advice, Severity.WARNING, lines=len(broken), first=broken[0])


def _skip_space(text: str, position: int) -> int:
    found = _BLANK.match(text, position)
    return found.end() if found else position


@attrs.define
class _Frame:
    """An array or object that is still open."""

    kind: str
    name: str
    start: int
    place: Source | Members
    members: Members
    children: list[Node] = attrs.field(factory=list)


class JsonParser:
    """Builds nodes without recursion; what is nested too deep keeps its place but no children."""

    def __init__(self, text: str, limits: Limits, source: Callable[[str], Source] = JsonPointer) -> None:
        self._text = text
        self._source = source
        self._max_depth = limits.max_depth
        self._left = allowance(limits)
        self._too_deep = 0
        self._not_finite = 0
        self._read = 0
        self._work = self._left.work()
        self._next_look = 0
        self.cut: str | None = None
        """The limit that was reached before the end."""

    def parse(self, start: int, limit: int, name: str, place: Source | Members) -> tuple[Node, int]:
        """The value that starts here, and where it ends; raises NotJsonError."""
        found = _ITEM.match(self._text, start, limit)
        if not found:
            raise NotJsonError(start)
        if self._may_read():
            self._read += 1
        if found.lastindex != 6:
            return self._scalar(found, found.lastindex or 1, name, place), found.end()
        return self._container(found, limit, name, place)

    def _may_read(self) -> bool:
        """Whether no limit is reached; steps are counted for many values at once."""
        if self._read == self._next_look:
            if self._read >= self._left.nodes:
                self.cut = "max_nodes"
                return False
            block = min(max(self._read, 16), EVERY)
            if self._work.take(_STEPS_A_VALUE * block):
                self._next_look = min(self._read + block, self._left.nodes)
            else:
                self.cut = "max_steps"
        return not self.cut

    def finish(self) -> tuple[Diagnostic, ...]:
        """Takes the values from what is left of the limits; notes on what was left out of them."""
        self._left.nodes -= self._read
        notes = []
        if self.cut:
            notes.append(cut_short(f"the first {self._read} values were read", self.cut))
        if self._too_deep:
            reason = f"{self._too_deep} values are nested more than {self._max_depth} levels deep and were not opened"
            notes.append(unreadable(reason, "Raise max_depth", Severity.WARNING, count=self._too_deep))
        if self._not_finite:
            reason = f"{self._not_finite} numbers are NaN or infinite, which JSON does not have"
            notes.append(unreadable(reason, "Write them as null or as text", Severity.WARNING, count=self._not_finite))
        return tuple(notes)

    def _container(self, opening: re.Match[str], limit: int, name: str, place: Source | Members) -> tuple[Node, int]:
        text = self._text
        pointer = place.pointer_to(name) if isinstance(place, Members) else ""
        stack = [_Frame(opening[6], name, opening.start(6), place, Members(pointer, self._source))]
        position, first = opening.end(), True
        while not self.cut:
            frame = stack[-1]
            if first and (end := _NEXT.match(text, position, limit)) and end[1] != ",":
                position = end.start(1)
            else:
                position, first = self._member(frame, stack, position, limit)
                if first or self.cut:
                    continue
            position, node = self._close(stack, position, limit)
            if node is not None:
                return node, position
            first = False
        return self._unfinished(stack, position), limit

    def _unfinished(self, stack: list[_Frame], position: int) -> Node:
        """What was read when a limit was reached."""
        node = self._finished(stack.pop(), position)
        while stack:
            stack[-1].children.append(node)
            node = self._finished(stack.pop(), position)
        return node

    def _member(self, frame: _Frame, stack: list[_Frame], position: int, limit: int) -> tuple[int, bool]:
        """Reads one member or item; True when it opened a container."""
        pattern, shift = (_MEMBER, 1) if frame.kind == "{" else (_ITEM, 0)
        found = pattern.match(self._text, position, limit)
        if not found:
            raise NotJsonError(position)
        name = _text_of(found[1], position) if shift else str(len(frame.children))
        members = frame.members
        kind = (found.lastindex or 1) - shift
        if self._read == self._next_look and not self._may_read():
            return position, False
        self._read += 1
        if kind != 6:
            frame.children.append(self._scalar(found, kind, name, members, shift))
            return found.end(), False
        inner = Members(members.pointer_to(name), self._source)
        opened = _Frame(found[6 + shift], name, found.start(6 + shift), members, inner)
        if len(stack) < self._max_depth:
            stack.append(opened)
            return found.end(), True
        end = self._skip(found.end(), limit)
        frame.children.append(self._finished(opened, end))
        return end, False

    def _close(self, stack: list[_Frame], position: int, limit: int) -> tuple[int, Node | None]:
        """Reads the comma or the brackets after a value; gives the root once it is complete."""
        while True:
            found = _NEXT.match(self._text, position, limit)
            if not found:
                raise NotJsonError(position)
            position = found.end()
            if found[1] == ",":
                return position, None
            frame = stack.pop()
            if (frame.kind == "{") != (found[1] == "}"):
                raise NotJsonError(position)
            node = self._finished(frame, position)
            if not stack:
                return position, node
            stack[-1].children.append(node)

    def _skip(self, position: int, limit: int) -> int:
        self._too_deep += 1
        depth = 1
        for count, found in enumerate(_BRACKET.finditer(self._text, position, limit), 1):
            depth += (found[0] in "[{") - (found[0] in "]}")
            if not count % EVERY and not self._work.take(EVERY):
                self.cut = "max_steps"
            if not depth or self.cut:
                return found.end()
        raise NotJsonError(limit)

    def _scalar(self, found: re.Match[str], kind: int, name: str, place: Source | Members, shift: int = 0) -> Node:
        token = found[kind + shift]
        self._not_finite += kind == 5
        text = _text_of(token, found.start()) if kind == 1 else token
        span = found.span(kind + shift)
        return Node("scalar", name, span, place, (), text, _SCALARS[kind], _STEPS)

    def _finished(self, frame: _Frame, end: int) -> Node:
        kind: Literal["object", "array"] = "object" if frame.kind == "{" else "array"
        return Node(kind, frame.name, (frame.start, end), frame.place, tuple(frame.children))


def _text_of(token: str, position: int) -> str:
    if "\\" not in token:
        return token[1:-1]
    try:
        return decode_json(token)
    except ValueError:
        raise NotJsonError(position) from None


class NodeLocator:
    """`Document.locate` for a tree: the source of the smallest node that holds a span."""

    def __init__(self, tree: Callable[[], Node | None]) -> None:
        self._tree = tree

    def __call__(self, span: Span) -> JsonPointer:
        node, below = None, self._tree()
        while below is not None:
            node = below
            index = bisect_right(node.children, span[0], key=lambda child: child.span[0]) - 1
            below = node.children[index] if index >= 0 and node.children[index].span[1] >= span[1] else None
        return node.source if node and isinstance(node.source, JsonPointer) else JsonPointer("")
