"""Documents inside documents: one text after the other, each address below the name of its part."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice
from typing import NamedTuple

import attrs

from paxman.documents.document import (
    ByteRange,
    Cell,
    Document,
    MailPart,
    Mark,
    Members,
    Node,
    PageSpan,
    Pair,
    Source,
    Table,
)
from paxman.types import Diagnostic, Span

PARTS = "parts"
"""The name of the root above the trees of several parts."""
_SEPARATOR = "\n"
_MOST_RIVALS = 8
"""Documents in one that each have their say."""


class NestedPart(NamedTuple):
    """A document and its name inside another; the host itself has no name."""

    name: str | None
    document: Document


def join_documents(kind: str, parts: Sequence[NestedPart], diagnostics: Sequence[Diagnostic] = ()) -> Document:
    """One document from several; spans, trees, tables and pairs are those of the parts, moved."""
    texts = [part.document.text for part in parts]
    starts = [0, *accumulate(len(text) + len(_SEPARATOR) for text in texts)]
    placed = list(zip(parts, starts, strict=False))

    def within(span: Span) -> tuple[NestedPart, Span]:
        """The part that a span starts in, and where in its text."""
        index = min(max(bisect_right(starts, span[0]) - 1, 0), len(parts) - 1)
        start, length = starts[index], len(texts[index])
        return parts[index], (min(span[0] - start, length), min(span[1] - start, length))

    def locate(span: Span) -> Source:
        part, inner = within(span)
        return _below(part.name, part.document.locate(inner))

    def byte_range(span: Span) -> ByteRange | None:
        part, inner = within(span)
        return part.document.byte_range(inner)

    joined = Document(
        kind,
        _SEPARATOR.join(texts),
        locate,
        pages=_join_pages(placed),
        diagnostics=(*diagnostics, *(note for part in parts for note in part.document.diagnostics)),
        build_tree=lambda: _join_trees(placed, max(starts[-1] - len(_SEPARATOR), 0)),
        build_tables=lambda: tuple(move_table(t, start) for part, start in placed for t in part.document.tables),
        build_pairs=lambda: tuple(move_pair(pair, start) for part, start in placed for pair in part.document.pairs),
        build_marks=lambda: tuple(move_mark(mark, start) for part, start in placed for mark in part.document.marks),
        byte_range=byte_range,
    )
    if parts and parts[0].name is None:
        joined.body, joined.draw = (0, len(texts[0])), parts[0].document.draw
    return joined


def name_file(document: Document, name: str) -> Document:
    """Says in the notes on a document which file it is."""
    document.diagnostics = tuple(_with_file(note, name) for note in document.diagnostics)
    return document


def _with_file(note: Diagnostic, name: str) -> Diagnostic:
    inner = note.context.get("file")
    message = note.message if name in note.message else f"{name}: {note.message}"
    context = {**note.context, "file": f"{name}/{inner}" if inner else name}
    return attrs.evolve(note, message=message, context=context)


def join_rivals(
    kind: str, parts: Sequence[NestedPart], rivals: Sequence[NestedPart], diagnostics: Sequence[Diagnostic] = ()
) -> Document:
    """One document from several, of which some may each have an answer of their own."""
    whole = join_documents(kind, parts, diagnostics)
    whole.build_views = lambda: _views(kind, parts, rivals)
    whole.build_own = lambda: _own(kind, parts, rivals)
    return whole


def _own(kind: str, parts: Sequence[NestedPart], rivals: Sequence[NestedPart]) -> Document | None:
    """The parts without what they only repeat, if any of them does."""
    if all(part.document.own is None for part in parts):
        return None
    owned = {part: NestedPart(part.name, part.document.own or part.document) for part in parts}
    return join_rivals(kind, [*owned.values()], [owned[part] for part in rivals])


def _views(kind: str, parts: Sequence[NestedPart], rivals: Sequence[NestedPart]) -> tuple[Document, ...]:
    """Each rival with blanks in the place of all else, so that its spans are those of the whole."""
    shown = list(islice(_alternatives(parts, rivals), _MOST_RIVALS))
    blank = [NestedPart(part.name, blank_document(part.document)) for part in parts]
    return tuple(join_documents(kind, [*blank[:index], view, *blank[index + 1 :]]) for index, view in shown)


def _alternatives(parts: Sequence[NestedPart], rivals: Sequence[NestedPart]) -> Iterator[tuple[int, NestedPart]]:
    """Each rival by itself, or each of those inside it, and its index."""
    for index, part in enumerate(parts):
        inner = part.document.views
        if inner or part in rivals:
            yield from ((index, NestedPart(part.name, view)) for view in inner or (part.document,))


def blank_document(document: Document) -> Document:
    """A document of the same length that says nothing."""
    return Document(document.kind, " " * len(document.text), document.locate)


def _below(name: str | None, source: Source) -> Source:
    return source if name is None else MailPart(name, source)


def _join_pages(placed: Sequence[tuple[NestedPart, int]]) -> tuple[PageSpan, ...]:
    """The pages of the host, or those of all parts, each numbered as in its part."""
    hosts = [(part, start) for part, start in placed if part.name is None]
    return tuple(
        PageSpan(page.number, _move(page.span, start), page.width, page.height)
        for part, start in hosts or placed
        for page in part.document.pages
    )


def _join_trees(placed: Sequence[tuple[NestedPart, int]], end: int) -> Node | None:
    """The only tree there is, or all of them below one root."""
    trees = [(part, start, part.document.tree) for part, start in placed]
    moved = tuple(move_node(tree, start, part.name) for part, start, tree in trees if tree is not None)
    if len(moved) < 2:
        return moved[0] if moved else None
    return Node("object", PARTS, (0, end), moved[0].source, moved)


def move_node(node: Node, offset: int, part: str | None) -> Node:
    """A tree whose text starts at an offset of another text, with addresses below the name of its part."""
    if part is None and not offset:
        return node
    moved: dict[int, Node] = {}
    places: dict[int, Members] = {}
    # Children come after their parent in a walk, so backwards each is ready when its parent needs it.
    for below in reversed(list(node.walk())):
        start, end = below.span
        moved[id(below)] = Node(
            below.kind,
            below.name,
            (start + offset, end + offset),
            below.place if part is None else _move_place(below.place, part, places),
            tuple([moved[id(child)] for child in below.children]) if below.children else (),
            below.text,
            below.scalar,
            below.transforms,
        )
    return moved[id(node)]


def _move_place(place: Source | Members, part: str, known: dict[int, Members]) -> Source | Members:
    """An address below a part; what makes the addresses of siblings is moved once for all of them."""
    if not isinstance(place, Members):
        return MailPart(part, place)
    if id(place) not in known:
        known[id(place)] = Members(place.pointer, lambda pointer: MailPart(part, place.make(pointer)))
    return known[id(place)]


def _move(span: Span, offset: int) -> Span:
    return span[0] + offset, span[1] + offset


def move_pair(pair: Pair, offset: int) -> Pair:
    return Pair(pair.label, _move(pair.label_span, offset), _move(pair.value_span, offset), pair.relation)


def move_mark(mark: Mark, offset: int) -> Mark:
    return attrs.evolve(mark, span=_move(mark.span, offset))


def move_table(table: Table, offset: int) -> Table:
    def move_row(row: tuple[Cell, ...]) -> tuple[Cell, ...]:
        return tuple(Cell(cell.text, _move(cell.span, offset), cell.transforms) for cell in row)

    return attrs.evolve(table, header=move_row(table.header), rows=tuple(move_row(row) for row in table.rows))
