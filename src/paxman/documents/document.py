"""A document as the pipeline sees it: canonical text, an address for every character, and its structure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, ClassVar, Literal

import attrs

from paxman.classes import frozen
from paxman.documents.visual_lines import VisualLines, bars_outside_rows, bars_to_tabs, blank_contents
from paxman.transforms import to_plain_blanks
from paxman.types import Diagnostic, Span


@frozen
class ByteRange:
    """Bytes of the source, end exclusive."""

    kind: ClassVar[str] = "bytes"
    start: int
    end: int


Box = tuple[int, int, int, int]
"""Left, top, right and bottom."""


@frozen
class PageBox:
    """A box on a page (first page is 1), in hundredths of a point from the top left corner.

    What takes several lines has a box for each of them, and `box` is around them all.
    """

    kind: ClassVar[str] = "page"
    page: int
    box: Box
    lines: tuple[Box, ...] = ()


@frozen
class SheetCell:
    """A cell such as B7; the sheet is empty for CSV."""

    kind: ClassVar[str] = "cell"
    sheet: str
    cell: str


def column_letters(index: int) -> str:
    """0 is A, 26 is AA."""
    letters = ""
    while index >= 0:
        letters = chr(65 + index % 26) + letters
        index = index // 26 - 1
    return letters


@frozen
class JsonPointer:
    kind: ClassVar[str] = "pointer"
    pointer: str


@frozen
class NodePath:
    """A path in an XML or HTML tree, such as /html[1]/body[1]/p[2]."""

    kind: ClassVar[str] = "path"
    path: str


@frozen
class MailPart:
    """A part of a message (1.2 is the second part of the first), and the place within it."""

    kind: ClassVar[str] = "mail"
    part: str
    inner: Source | None = None


Source = ByteRange | PageBox | SheetCell | JsonPointer | NodePath | MailPart
_SOURCES: dict[str, Any] = {c.kind: c for c in (ByteRange, PageBox, SheetCell, JsonPointer, NodePath, MailPart)}


_SOURCE_FIELDS = {kind: tuple(a.name for a in attrs.fields(cls)) for kind, cls in _SOURCES.items()}


def source_to_dict(source: Source) -> dict[str, Any]:
    """Plain data of an address, with its `kind`."""
    data = {"kind": source.kind, **{name: getattr(source, name) for name in _SOURCE_FIELDS[source.kind]}}
    if isinstance(source, MailPart) and source.inner:
        data["inner"] = source_to_dict(source.inner)
    if isinstance(source, PageBox) and not source.lines:
        del data["lines"]
    return data


def source_from_dict(data: Mapping[str, Any]) -> Source:
    """The address that `source_to_dict` wrote."""
    values = {name: value for name, value in data.items() if name != "kind"}
    if values.get("inner"):
        values["inner"] = source_from_dict(values["inner"])
    if "box" in values:
        values["box"] = tuple(values["box"])
    if "lines" in values:
        values["lines"] = tuple(map(tuple, values["lines"]))
    built: Source = _SOURCES[data["kind"]](**values)
    return built


def name_place(source: Source | None) -> str:
    """An address in words."""
    match source:
        case ByteRange(start, end):
            return f"bytes {start}-{end}"
        case PageBox(page, (left, top, _, _)):
            return f"page {page} at {left / 100:.0f},{top / 100:.0f}"
        case SheetCell(sheet, cell):
            return f"cell {sheet + '!' if sheet else ''}{cell}"
        case JsonPointer(pointer):
            return pointer or "the whole document"
        case NodePath(path):
            return path
        case MailPart("header", MailPart(name, None)):
            return f"header {name}"
        case MailPart(part, inner):
            return f"part {part}" + (f", {name_place(inner)}" if inner else "")
    return ""


@frozen
class Members:
    """Makes the addresses of what stands in an object or array, so that millions of them need not be kept."""

    pointer: str
    make: Callable[[str], Source]

    def pointer_to(self, name: str) -> str:
        escaped = name.replace("~", "~0").replace("/", "~1") if "~" in name or "/" in name else name
        return f"{self.pointer}/{escaped}"

    def address(self, name: str) -> Source:
        return self.make(self.pointer_to(name))


@attrs.frozen(weakref_slot=False)
class Node:
    """A node of a structured input. A scalar has `text`, what `transforms` make of the document's text at `span`."""

    kind: Literal["object", "array", "scalar"]
    name: str
    span: Span
    place: Source | Members = attrs.field(alias="source")
    children: tuple[Node, ...] = ()
    text: str | None = None
    scalar: Literal["string", "number", "boolean", "null"] = "string"
    transforms: tuple[str, ...] = ()

    @property
    def source(self) -> Source:
        return self.place.address(self.name) if isinstance(self.place, Members) else self.place

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in document order, without recursion."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


@attrs.frozen(weakref_slot=False)
class Cell:
    """A table cell: `text` is what `transforms` make of the document's text at `span`."""

    text: str
    span: Span
    transforms: tuple[str, ...] = ()


@frozen
class Table:
    """Rows of cells below an optional header row, as the format has them."""

    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    name: str = ""
    empty: tuple[int, ...] = ()
    """For each row of empty cells, which `rows` leaves out, how many rows stand above it."""
    headed: bool = False
    """Whether the format itself says that the header is one."""


@frozen
class Pair:
    """A label and the value it stands beside or above."""

    label: str
    label_span: Span
    value_span: Span
    relation: Literal["beside", "below"] = "beside"


MarkKind = Literal[
    "heading", "strong", "item", "box", "quote", "code", "term", "caption", "paragraph", "link", "called"
]


@frozen
class Mark:
    """What markup says about a stretch of the text, such as that it is a heading.

    `level` is 1 to 6 for a heading, the nesting from 1 for an item, and 1 for a ticked box.
    """

    kind: MarkKind
    span: Span
    level: int = 0
    name: str = ""
    """What the markup calls it, by a class or another attribute; people do not see that."""


@frozen
class PageSpan:
    """A page: its number from 1, its part of the text, and its size in hundredths of a point."""

    number: int
    span: Span
    width: int = 0
    height: int = 0


def kept_parts(span: Span, transforms: Sequence[str]) -> list[Span]:
    """The parts of a span that its first step joins or cuts out; all of it where that does neither."""
    name, _, argument = next((step for step in transforms if step != "blanks"), "").partition(":")
    if name not in ("join", "slice"):
        return [span]
    ends = (part.split("-") for part in argument.split(" "))
    return [(span[0] + int(start), span[0] + int(end)) for start, end in ends]


def _lines_within(text: str, span: Span) -> Iterator[Span]:
    start = span[0]
    for line in text[slice(*span)].splitlines(keepends=True):
        if line.strip():
            yield start, start + len(line.rstrip())
        start += len(line)


def _around(places: Sequence[PageBox]) -> PageBox | None:
    """The places on the first page of several as one, with a box for each."""
    boxes = [place.box for place in places if place.page == places[0].page]
    if not boxes:
        return None
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    around = min(lefts), min(tops), max(rights), max(bottoms)
    return PageBox(places[0].page, around, tuple(boxes) if len(boxes) > 1 else ())


_DATA = frozenset(("csv", "json", "xml", "spreadsheet"))
"""Kinds whose values stand as they are written."""


def _nothing() -> tuple[Any, ...]:
    return ()


@attrs.define(eq=False, slots=False)
class Document:
    """What a reader gives back. Structure is built on first use, once."""

    kind: str
    text: str
    locate: Callable[[Span], Source]
    pages: tuple[PageSpan, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    build_tree: Callable[[], Node | None] = lambda: None
    build_tables: Callable[[], tuple[Table, ...]] = _nothing
    build_pairs: Callable[[], tuple[Pair, ...]] = _nothing
    build_marks: Callable[[], tuple[Mark, ...]] = _nothing
    build_views: Callable[[], tuple[Document, ...]] = _nothing
    build_own: Callable[[], Document | None] = lambda: None
    build_records: Callable[[], tuple[tuple[int, Document], ...]] = _nothing
    byte_range: Callable[[Span], ByteRange | None] = lambda span: None
    """Bytes of the source that a span came from, also where `locate` speaks of cells, pointers or paths.

    Below a mail part or a member of an archive, they are bytes of its decoded content.
    """
    draw: Callable[[Mapping[int, tuple[int, int]], int], Mapping[int, bytes]] = lambda _, most: {}
    """PNG pictures of pages that show more than their text says: at most so wide and high, and so many."""
    body: Span | None = None
    """The part that a person reads, when structured data that is not visible follows it in the text."""
    cache: dict[Any, Any] = attrs.field(factory=dict, repr=False)
    """Indexes that capabilities build over this document, so that all fields share them."""

    def place(self, span: Span, transforms: Sequence[str] = ()) -> Source:
        """Where a value stands: on a page a box for each line of the words that its first step keeps."""
        source = self.locate(span)
        if not isinstance(source.inner if isinstance(source, MailPart) else source, PageBox):
            return source
        parts = [line for part in kept_parts(span, transforms) for line in _lines_within(self.text, part)]
        places = [self.locate(part) for part in parts] if parts != [span] else []
        boxes = [found.inner if isinstance(found, MailPart) else found for found in places]
        around = _around([box for box in boxes if isinstance(box, PageBox) and any(box.box)])
        if around is None:
            return source
        return attrs.evolve(source, inner=around) if isinstance(source, MailPart) else around

    @cached_property
    def tree(self) -> Node | None:
        return self.build_tree()

    @cached_property
    def lines(self) -> VisualLines:
        """The text in lines and chunks, as labels and values stand on a page."""
        return VisualLines(blank_contents(self.text), is_set=self.kind != "text")

    @cached_property
    def rows_of_text(self) -> VisualLines:
        """The lines that a person reads, with bars as gaps between columns."""
        text = blank_contents(self.text if self.body is None else self.text[: self.body[1]])
        barred = bars_outside_rows(text) if self.kind == "markdown" else bars_to_tabs(text)
        if barred != text or self.body is not None:
            return VisualLines(barred, is_set=self.kind != "text")
        return self.lines

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        return self.build_tables()

    @cached_property
    def records(self) -> tuple[tuple[int, Document], ...]:
        """Documents that are records by themselves, and where each starts in the text."""
        return self.build_records()

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        return self.build_pairs()

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """What markup says about stretches of the text, in the order of the document, the outer before the inner."""
        return self.build_marks()

    @cached_property
    def views(self) -> tuple[Document, ...]:
        """Each document inside this one, such as the bills attached to a mail, with blanks for all else."""
        return self.build_views()

    @cached_property
    def own(self) -> Document | None:
        """The same document with blanks for what it only repeats, such as the mail that a reply quotes, if it does."""
        return self.build_own()

    @cached_property
    def plain(self) -> Document:
        """The same document, its text as long as before but with plain blanks and without its table of contents."""
        text = self.text if self.kind in _DATA else blank_contents(to_plain_blanks(self.text))
        if text == self.text:
            return self
        parts = ("tree", "tables", "pairs", "marks")
        built: dict[str, Any] = {f"build_{part}": partial(getattr, self, part) for part in parts}
        return attrs.evolve(self, text=text, **built)
